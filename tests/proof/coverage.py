#!/usr/bin/env python3
"""Measures which branches of the algebra headers the fast test set reaches: the files of assertions,
the examples of the headers, and the test programs PROGRAMS.

    coverage.py BUILD SCRATCH [--missing] [PROGRAM..]

BUILD is a build folder whose targets have been made once. --missing prints each branch that is never
taken. Further programs, test_NAME, may be named; they need nothing but the text of the library.
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("support", "mutation", "proof")]
import harnesses
import mutation
import tap

PROGRAMS = ["test_tuple", "test_composition_grid", "test_branches", "test_failures", "test_propagation",
            "test_coordinates", "test_normalize", "test_linear_layout", "test_refusals",
            "test_laws_unary"]


def measure(tests, include):
    """Compiles and runs the set; returns what failed, or nothing."""
    units = tests.units()
    for unit in units:
        unit.command.append("--coverage")
    for unit, (status, output) in zip(units, tap.parallel(
            lambda u: u.compile("sound", include), units)):
        if status:
            return f"{unit.source}: {tap.tail(output)}"
        unit.command.remove("--coverage")
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", CUTLET_SOURCE=tests.source)
    for name in tests.programs:
        program = os.path.join(tests.args.scratch, "sound", name)
        status, output = tap.run([tests.library[0].command[0], "--coverage", "-o", program,
                                  *[u.path("sound") for u in tests.objects_of(name)],
                                  "-lcmocka", "-lm"], timeout=1200)
        if status == 0:
            files = [*tests.headers, *tests.args.checks] if name == "checker" else []
            status, output = tap.run([program, *files], timeout=1200, env=env, cwd=tests.source)
        if status:
            return f"{name}: {tap.tail(output)}"
    return ""


def read_branches(scratch):
    """(file, line) -> how often each branch of the line was taken, over all objects."""
    branches = {}
    for data in glob.glob(os.path.join(scratch, "sound", "*.gcda")):
        done = subprocess.run(["gcov", "-b", "--json-format", "--stdout", data],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        for text in done.stdout.splitlines():
            for source in json.loads(text)["files"]:
                if "/include/cutlet/" not in source["file"]:
                    continue
                for line in source["lines"]:
                    key = source["file"].split("/include/cutlet/")[1], line["line_number"]
                    counts = [b["count"] for b in line["branches"]]
                    before = branches.setdefault(key, [0] * len(counts))
                    if len(before) == len(counts):
                        branches[key] = [a + b for a, b in zip(before, counts)]
    return branches


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("scratch")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--missing", action="store_true")
    args = parser.parse_args()
    source = os.path.dirname(os.path.dirname(HERE))
    args.source, args.grid_programs = source, []
    args.programs = [*PROGRAMS, *args.programs]
    args.checks = sorted(glob.glob(os.path.join(source, "tests", "*", "*.check")))
    args.scratch = os.path.realpath(args.scratch)
    shutil.rmtree(args.scratch, ignore_errors=True)
    os.makedirs(os.path.join(args.scratch, "sound"))
    tests = mutation.Tests(args)
    tests.grid = []
    failed = measure(tests, os.path.join(source, "include"))
    if failed:
        tap.die(failed)
    branches = read_branches(args.scratch)
    algebra = {harnesses.find_header(os.path.join(source, "include", "cutlet"), name)
               for name in harnesses.HEADERS}
    taken = total = 0
    for name in sorted(algebra):
        lines = {line: counts for (file, line), counts in branches.items() if file == name}
        here = sum(len(c) for c in lines.values())
        hit = sum(1 for c in lines.values() for n in c if n)
        taken, total = taken + hit, total + here
        print(f"{name:24} {hit:5} of {here:5} branches")
        if args.missing:
            with open(os.path.join(source, "include", "cutlet", name)) as text:
                code = text.read().splitlines()
            for line, counts in sorted(lines.items()):
                if 0 in counts:
                    print(f"    {line:4} {''.join('+' if n else '-' for n in counts)} "
                          f"{code[line - 1].strip()}")
    print(f"{taken} of {total} branches, {100 * taken / max(total, 1):.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
