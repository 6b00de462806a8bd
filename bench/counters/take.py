#!/usr/bin/env python3
"""Reads the hardware's counters of access patterns of one warp, with Nsight Compute.

    take.py PATTERNS.tsv OUT.tsv [--program ONE_WARP] [--chunk N] [--repeat N]

PATTERNS.tsv is what patterns.py writes: kind, bits, lanes, lanes in shared memory, a name. Each
pattern is one launch of one instruction by one_warp.cu, which is compiled with nvcc unless a
program is given. OUT.tsv gets the columns that its head names; a counter that was not the same
each time is written `~`. Needs a GPU and ncu; about a tenth of a second for a pattern. The clocks
are left as they are: counters do not depend on them.
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SASS = "smsp__sass_l1tex_"


def one_sided(op):
    return (f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}",
            f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}", None, None)


def shared(op):
    return (None, None, f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}",
            f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}")


# requests, sectors, wavefronts and bank conflicts of each kind; of shared memory the ideal too
ASYNC = (SASS + "t_requests_pipe_lsu_mem_global_op_ldgsts",
         SASS + "t_sectors_pipe_lsu_mem_global_op_ldgsts",
         SASS + "data_pipe_lsu_wavefronts_mem_shared_op_ldgsts",
         SASS + "data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts")
METRICS = {
    "ldg": one_sided("ld"), "stg": one_sided("st"),
    "lds": shared("ld"), "sts": shared("st"), "ldsm": shared("ld"), "stsm": shared("st"),
    "ldgsts": ASYNC, "ldgsts.bypass": ASYNC,
}


IDEAL = "memory_l1_wavefronts_shared_ideal"


def metrics_of(kind):
    """The counters of a kind, in the order of the columns; None: it has none."""
    found = [m and m + ".sum" for m in METRICS[kind]]
    return found + [IDEAL if found[2] else None]


def read_patterns(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file
                if line.strip() and not line.startswith("#")]
    for number, row in enumerate(rows):
        if row[0] not in METRICS:
            sys.exit(f"take.py: pattern {number + 1}: there is no kind `{row[0]}`")
        row += [""] * (4 - len(row))
    return rows


def compile_program(folder):
    program = os.path.join(folder, "one_warp")
    subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", "-cudart", "static", "-o", program,
                    os.path.join(HERE, "one_warp.cu")], check=True)
    return program


def counters_of(program, rows, folder):
    """For each row, its counters by name."""
    patterns = os.path.join(folder, "patterns.tsv")
    with open(patterns, "w", encoding="utf-8") as file:
        for row in rows:
            file.write("\t".join(row[:4]) + "\n")
    names = sorted({m for row in rows for m in metrics_of(row[0]) if m})
    # The application is run once for each pass: so small a kernel is not worth a snapshot.
    command = ["ncu", "--clock-control", "none", "--replay-mode", "application", "--csv", "--page",
               "raw", "--print-units", "base", "--metrics", ",".join(names), program, patterns]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    table = list(csv.reader(line for line in run.stdout.splitlines() if line.startswith('"')))
    if len(table) != len(rows) + 2:  # names, units, then a line for each launch
        sys.exit(f"take.py: ncu gave {len(table) - 2} of {len(rows)} launches\n"
                 + run.stdout[-500:] + run.stderr[-500:])
    return [{name: value.replace(",", "") for name, value in zip(table[0], line) if name in names}
            for line in table[2:]]


def agreed(readings):
    return readings[0] if len(set(readings)) == 1 else "~"


def device_name():
    out = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True, check=False).stdout
    return out.splitlines()[0] if out else "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns")
    parser.add_argument("out")
    parser.add_argument("--program", help="one_warp.cu, compiled")
    parser.add_argument("--chunk", type=int, default=400, help="patterns for each start of ncu")
    parser.add_argument("--repeat", type=int, default=1, help="read each counter this many times")
    args = parser.parse_args()
    rows = read_patterns(args.patterns)
    rows.sort(key=lambda row: row[0].startswith("ldgsts"))  # stable: each chunk needs few counters
    began = time.time()
    with tempfile.TemporaryDirectory() as folder, open(args.out, "w", encoding="utf-8") as file:
        program = args.program or compile_program(folder)
        file.write(f"# Counters of one warp executing one instruction: {device_name()}.\n"
                   "# By bench/counters/take.py; the counters of each kind stand there.\n"
                   "# columns: kind bits lanes shared requests sectors wavefronts conflicts ideal "
                   "name\n")
        for first in range(0, len(rows), args.chunk):
            part = rows[first:first + args.chunk]
            runs = [counters_of(os.path.abspath(program), part, folder)
                    for _ in range(args.repeat)]
            for row, *found in zip(part, *runs):
                counts = [agreed([f[m] for f in found]) if m else "" for m in metrics_of(row[0])]
                file.write("\t".join(row[:4] + counts + row[4:5]) + "\n")
            file.flush()
            print(f"{min(first + args.chunk, len(rows))} of {len(rows)} patterns, "
                  f"{time.time() - began:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
