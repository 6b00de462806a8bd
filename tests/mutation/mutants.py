#!/usr/bin/env python3
"""Tries generated mutants of the headers (generate.py), and says how many of them a test catches.

    mutants.py --source DIR --build DIR --scratch DIR --sample N --least SHARE --survivors FILE
               --checks FILES --programs NAMES [--seed TEXT] [--table FILE]

All mutants of a sample are in one build of the checker, the programs NAMES and the readers of text; a
variable of the environment chooses one. Each runs the checker on the files of assertions CHECKS and the
examples of the headers, then the programs in order, until one fails, ends by a signal or runs for more
than its time. The sample is that of the smallest hashes of SEED and what the mutants are: it stays the
same while they do.

A score below SHARE per cent fails. FILE lists mutants that no test can catch, with the reason; one that is
caught all the same fails. --table writes each mutant and what caught it.
"""

import argparse
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../support")]
import generate
import mutation
import tap

FOLDERS = ("algebra", "copy")
SLOWER = 6  # a program that takes so many times as long as without a mutant has not ended
MEMORY = 4 << 30


def read_survivors(path):
    """Mutant -> reason: a line of the file is `KEY -- REASON`."""
    with open(path) as text:
        lines = [line.strip() for line in text if line.strip() and not line.startswith("#")]
    return dict(line.split(" -- ", 1) for line in lines)


def all_mutants(source):
    """The mutants of every header, and the text of each."""
    texts, found = {}, []
    for folder in FOLDERS:
        for path in sorted(glob.glob(os.path.join(source, "include", "cutlet", folder, "*.h"))):
            header = os.path.join(folder, os.path.basename(path))
            with open(path) as text:
                texts[header] = text.read()
            found += generate.mutants_of(header, texts[header])
    return texts, found


def write_headers(source, include, texts, sample):
    """A copy of the headers that holds the mutants of the sample."""
    shutil.copytree(os.path.join(source, "include"), include, symlinks=True)
    for number, mutant in enumerate(sample):
        mutant.number = number
    for header, text in texts.items():
        here = [mutant for mutant in sample if mutant.header == header]
        text = generate.with_mutants(text, here)
        if header == "algebra/base.h":
            text = text.replace("#include <stdint.h>\n", "#include <stdint.h>\n" + generate.CHOOSE)
        with open(os.path.join(include, "cutlet", header), "w") as out:
            out.write(text)


def compile_set(tests, include):
    """Builds the set from headers with mutants; returns the programs, or what failed."""
    units = tests.units()
    for unit, (status, output) in zip(units, tap.parallel(
            lambda unit: unit.compile("sound", include, optimize="-O1"), units)):
        if status:
            return [], f"{unit.source}: {tap.tail(output)}"
    programs = []
    for name in tests.programs:
        program, output = tests.link(name, "sound", set())
        if not program:
            return [], output
        files = [*tests.headers, *tests.args.checks] if name == "checker" else []
        programs.append((name, [program, *files]))
    return programs, ""


def run_one(command, number, seconds, source):
    """Whether a program fails with a mutant, and how long it took."""
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", CUTLET_SOURCE=source,
               CUTLET_MUTANT=str(number))
    begun = time.monotonic()
    try:
        done = subprocess.run(command, timeout=seconds, env=env, cwd=source, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                    (MEMORY, MEMORY)))
        how = "" if done.returncode == 0 else "fails" if done.returncode > 0 else "crashes"
    except subprocess.TimeoutExpired:
        how = "does not end"
    return how, time.monotonic() - begun


def try_mutant(mutant, programs, limits, source):
    """What catches a mutant, or nothing."""
    for name, command in programs:
        how, _ = run_one(command, mutant.number, limits[name], source)
        if how:
            return f"{name} {how}"
    return ""


def report_on(report, sample, caught, survivors, least):
    """The score; each survivor, with its reason where it is known, as a remark."""
    alive = [mutant for mutant, by in zip(sample, caught) if not by]
    for mutant in alive:
        reason = survivors.get(mutant.key(), "not explained")
        print(f"# survivor, line {mutant.line}: {mutant.key()} -- {reason}", flush=True)
    for mutant, by in zip(sample, caught):
        if by and mutant.key() in survivors:
            report.check(f"cannot be caught: {mutant.key()}", False, f"but is: {by}")
    killed = len(sample) - len(alive)
    share = 100 * killed / len(sample)
    report.check(f"{killed} of {len(sample)} mutants are caught, {share:.1f} per cent", share >= least,
                 f"at least {least} per cent should be")


def write_table(path, sample, caught):
    with open(path, "w") as out:
        out.write("mutant\tline\tcaught by\n")
        for mutant, by in zip(sample, caught):
            out.write(f"{mutant.key()}\t{mutant.line}\t{by or 'nothing'}\n")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for needed in ("source", "build", "scratch", "survivors"):
        parser.add_argument("--" + needed, required=True)
    parser.add_argument("--sample", type=int, required=True)
    parser.add_argument("--least", type=float, required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--table", default="")
    parser.add_argument("--checks", nargs="*", default=[])
    parser.add_argument("--programs", nargs="*", default=[])
    args = parser.parse_args()
    args.grid_programs = []
    args.scratch = os.path.realpath(args.scratch)
    shutil.rmtree(args.scratch, ignore_errors=True)
    os.makedirs(os.path.join(args.scratch, "sound"))
    args.checks = [os.path.realpath(path) for path in args.checks]

    report = tap.Report()
    tests = mutation.Tests(args)
    tests.grid = []
    texts, found = all_mutants(tests.source)
    sample = generate.chosen(found, args.seed, args.sample)
    include = os.path.join(args.scratch, "include")
    write_headers(tests.source, include, texts, sample)
    programs, failure = compile_set(tests, os.path.realpath(include))
    if not report.check(f"{len(sample)} of {len(found)} mutants compile", programs, failure):
        return report.finish()
    limits, failure = {}, ""
    for name, command in programs:
        how, seconds = run_one(command, -1, 600, tests.source)
        failure += f"{name} {how}\n" if how else ""
        limits[name] = 10 + SLOWER * seconds
    if not report.check("the tests pass without a mutant", not failure, failure):
        return report.finish()
    caught = list(tap.parallel(lambda m: try_mutant(m, programs, limits, tests.source), sample))
    report_on(report, sample, caught, read_survivors(args.survivors), args.least)
    if args.table:
        write_table(args.table, sample, caught)
    shutil.rmtree(args.scratch, ignore_errors=True)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
