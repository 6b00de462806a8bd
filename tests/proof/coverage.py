#!/usr/bin/env python3
"""Measures which branches of the headers of the algebra, of copies and of MMAs the tests of them take:
the files of assertions, the examples of the headers, and the test programs PROGRAMS.

    coverage.py BUILD SCRATCH [PROGRAM..]

BUILD is a build folder whose targets have been made once. Each line with a branch that is neither taken nor
explained is printed. Further programs, test_NAME, may be named.
branches.txt has lines `HEADER: N CODE -- REASON`: N branches of that line cannot be taken. A branch that is
neither taken nor explained fails, and so does a line of branches.txt with fewer such branches than N.
"""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("support", "mutation")]
import mutants
import tap

PROGRAMS = """test_gemm_partition test_mma_fragments test_shared_space test_tuple test_composition_grid test_branches test_failures test_propagation
test_coordinates test_normalize test_linear_layout test_refusals test_laws_unary test_tensor_pairs
test_text test_eval test_messages test_tiled_copy test_copy_refusals test_copy_partition test_copy_atoms test_tma test_tma_desc test_mma
test_mma_rules test_mma_descriptor test_wgmma_descriptor test_verify test_verify_mma test_laws_binary
test_laws_random test_oracle test_basis_sums test_guards test_copy_guards test_mma_guards""".split()


def measure(args):
    """Compiles and runs the set; returns what failed, or nothing."""
    commands, failure = mutants.compile_set(args, os.path.join(args.source, "include"), "-O0",
                                            ["--coverage"])
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", CUTLET_SOURCE=args.source)
    for (name, _), (status, output) in zip(commands.items(), tap.parallel(
            lambda item: tap.run(item[1], timeout=1200, env=env, cwd=args.source), commands.items())):
        failure += f"{name}: {tap.tail(output)}" if status else ""
    return failure


def read_branches(scratch):
    """(file, line) -> how often each branch of the line was taken, over all objects."""
    branches = {}
    for data in glob.glob(os.path.join(scratch, "sound", "*.gcda")):
        done = subprocess.run(["gcov", "-b", "--json-format", "--stdout", data],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        for text in done.stdout.splitlines():
            for source in json.loads(text)["files"]:
                file = os.path.normpath(source["file"])  # one header may be reached by several paths
                if "/include/cutlet/" not in file:
                    continue
                for line in source["lines"]:
                    key = file.split("/include/cutlet/")[1], line["line_number"]
                    counts = [b["count"] for b in line["branches"]]
                    before = branches.setdefault(key, [0] * len(counts))
                    if len(before) == len(counts):
                        branches[key] = [a + b for a, b in zip(before, counts)]
    return branches


def read_reasons(path):
    """(header, code) -> how many branches of that line are not taken, for the reason after it."""
    with open(path) as text:
        rows = [line.strip().split(" -- ", 1)[0] for line in text if line.strip() and line[0] != "#"]
    found = (re.fullmatch(r"(\S+): (\d+) (.*)", row) for row in rows)
    return {(row.group(1), row.group(3)): int(row.group(2)) for row in found}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("scratch")
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    source = args.source = os.path.dirname(os.path.dirname(HERE))
    args.programs = [*PROGRAMS, *args.programs]
    args.checks = sorted(glob.glob(os.path.join(source, "tests", "*", "*.check")))
    args.scratch, args.build = os.path.realpath(args.scratch), os.path.realpath(args.build)
    shutil.rmtree(args.scratch, ignore_errors=True)
    os.makedirs(os.path.join(args.scratch, "sound"))
    failed = measure(args)
    if failed:
        tap.die(failed)
    branches = read_branches(args.scratch)
    measured = sorted({file for file, _ in branches if file.split("/")[0] in mutants.FOLDERS})
    reasons = read_reasons(os.path.join(HERE, "branches.txt"))
    taken = total = explained = unexplained = 0
    used = set()
    for name in measured:
        lines = {line: counts for (file, line), counts in branches.items() if file == name}
        here = sum(len(c) for c in lines.values())
        hit = sum(1 for c in lines.values() for n in c if n)
        taken, total = taken + hit, total + here
        print(f"{name:30} {hit:5} of {here:5} branches")
        with open(os.path.join(source, "include", "cutlet", name)) as text:
            code = text.read().splitlines()
        for line, counts in sorted(lines.items()):
            place = name, code[line - 1].strip()
            open_here = counts.count(0) - reasons.get(place, 0)
            explained += min(counts.count(0), reasons.get(place, 0))
            if open_here >= 0:
                used.add(place)
            if open_here > 0:
                unexplained += open_here
                print(f"    {line:4} {''.join('+' if n else '-' for n in counts)} {place[1]}")
    print(f"{taken} of {total} branches, {100 * taken / max(total, 1):.1f} %, and {explained} more explained")
    for place in sorted(set(reasons) - used):
        print(f"branches.txt: fewer branches are missing at {place[0]}: {place[1]}")
    return 1 if unexplained or set(reasons) - used else 0


if __name__ == "__main__":
    sys.exit(main())
