#!/usr/bin/env python3
"""Runs tests that use a GPU under each tool of NVIDIA's compute-sanitizer.

    sanitize_gpu.py PROGRAM..

One line for each tool and program; ends with `N passed, N failed`. Exits with 1 when a tool reports
an error or a program fails, with 77 and a reason when there is no GPU or no compute-sanitizer.

Environment: COMPUTE_SANITIZER, the tool's path; CUTLET_GPU_CASES, the cases of each kernel (1
unless told: a program under these tools is slow); CUTLET_CASE_SECONDS, the longest that a case of a
program may take that watches its cases (100); CUTLET_GPU_TOOLS, the tools, separated by spaces;
CUTLET_GPU_SECONDS, the longest that a program may take under one of them (300).
"""

import os
import re
import shutil
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

TOOLS = "memcheck racecheck initcheck synccheck"
PLACES = ["compute-sanitizer", "/usr/local/cuda/bin/compute-sanitizer",
          "/usr/local/cuda/compute-sanitizer/compute-sanitizer"]
SUMMARY = re.compile(r"(?:ERROR SUMMARY: (\d+) error)|(?:RACECHECK SUMMARY: (\d+) hazard)")


HAZARD = re.compile(r"Race reported between .*? access at (\w+?)\+0x.*?\n.*?access at (\w+?)\+0x")

# Kernels whose hazards racecheck reports although the mbarrier orders the accesses: it does not follow
# a barrier that the multicast of another block completes (copy_tma...), nor one lane that arrives for
# its warp after __syncwarp (tk_poll).
UNFOLLOWED = {"copy_tma", "copy_tma_add", "copy_tma_min", "copy_tma_max", "tk_poll"}


def find_sanitizer():
    chosen = os.environ.get("COMPUTE_SANITIZER")
    for place in [chosen] if chosen else PLACES:
        if shutil.which(place):
            return shutil.which(place)
    return None


def skip(reason):
    print(reason)
    return 77


def errors_of(output):
    """How many errors the summary counts; None where there is no summary."""
    found = SUMMARY.findall(output)
    return sum(int(errors or hazards) for errors, hazards in found) if found else None


def without_unfollowed(errors, output):
    """The hazards but those of kernels whose barriers racecheck does not follow."""
    pairs = HAZARD.findall(output)
    known = sum(set(pair) <= UNFOLLOWED for pair in pairs)
    return errors - known if len(pairs) == errors else errors


def main():
    programs = sys.argv[1:]
    if not programs:
        tap.die(__doc__)
    sanitizer = find_sanitizer()
    if not sanitizer:
        return skip("no compute-sanitizer found")
    os.environ.setdefault("CUTLET_GPU_CASES", "1")
    os.environ.setdefault("CUTLET_CASE_SECONDS", "100")
    limit = int(os.environ.get("CUTLET_GPU_SECONDS", "300"))
    os.environ["CMOCKA_MESSAGE_OUTPUT"] = "STDOUT"
    for program in programs:  # without a tool first: it must hold, and says if there is a GPU
        status, output = tap.run([program], timeout=limit)
        if status == 77:
            return skip(tap.tail(output, 1))
        if status:
            print(f"{os.path.basename(program)} fails without a tool:\n{tap.tail(output)}")
            return 1
    passed = failed = 0
    for tool in os.environ.get("CUTLET_GPU_TOOLS", TOOLS).split():
        for program in programs:
            begin = time.monotonic()
            # Calls that are refused are a part of the tests; what the device does is not.
            # Of a program's processes, that which opens the device may be a child.
            # initcheck of one process does not see what another writes into its memory.
            os.environ["CUTLET_GPU_PROCESSES"] = "0" if tool == "initcheck" else "1"
            status, output = tap.run([sanitizer, "--tool", tool, "--target-processes", "all",
                                      "--report-api-errors", "no", "--error-exitcode", "99",
                                      program], timeout=limit)
            all_errors, seconds = errors_of(output), time.monotonic() - begin
            errors = without_unfollowed(all_errors, output) if tool == "racecheck" and all_errors else all_errors
            held = status == 0 or (errors != all_errors and "[  FAILED  ]" not in output)
            good = held and errors == 0
            said = f"{errors} errors" if errors is not None else "no summary"
            if errors != all_errors:
                said += f", {all_errors - errors} hazards after barriers that racecheck does not follow"
            print(f"{tool} {os.path.basename(program)}: {'clean' if good else 'FAILED'}, {said}, "
                  f"exit status {status}, {seconds:.0f} s", flush=True)
            if good:
                passed += 1
            else:
                failed += 1
                lines = output.splitlines()
                print("\n".join(lines[:60] + ["..."] + lines[60:][-25:]))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
