#!/usr/bin/env python3
"""Tries generated mutants of the headers (generate.py), and says how many of them a test catches.

    mutants.py --source DIR --build DIR --scratch DIR --sample N --least SHARE --survivors FILE
               --checks FILES --programs NAMES [--seed TEXT] [--table FILE] [--again]

All mutants of a sample are in one build of the checker, the programs NAMES and what they use of the
library; a variable of the environment chooses one. The checker, which runs the files of assertions CHECKS
and the examples of the headers, and the programs run once without a mutant. Then each mutant runs those
that reach its place, the quickest first, until one fails, ends by a signal or runs for more than its time.
A mutant of the algebra leaves out the tests of copies and of MMAs, one of copies those of MMAs.
The sample is that of the smallest hashes of SEED and what the mutants are: it stays the same while they do.

A score below SHARE per cent fails. FILE lists mutants that no test can catch, with the reason; the score leaves
them out, and one that is caught all the same fails. --table writes each mutant and what caught it; with --again those that the table
has as caught are not tried again, which is for new tests of the same headers.
"""

import argparse
import glob
import json
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

FOLDERS = ("algebra", "copy", "mma")
USED = re.compile("/src/(base|text|verify|model|grid)/|function_headers.c$")  # of the library
SLOWER = 6  # a program that takes this many times as long as without a mutant has not ended
MEMORY = 4 << 30
LEFT_OUT = {"algebra": ("copy", "mma", "model"), "copy": ("mma",), "mma": ()}  # folders of tests
NOT_REACHED = "nothing, and is not reached"


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


def first_of_place(sample):
    """For each mutant the number by which its place says that it is reached."""
    first = {}
    for mutant in sample:
        first.setdefault((mutant.header, mutant.region.start, mutant.region.end), mutant.number)
    return [first[mutant.header, mutant.region.start, mutant.region.end] for mutant in sample]


def write_headers(source, include, texts, sample):
    """A copy of the headers that holds the mutants of the sample."""
    shutil.copytree(os.path.join(source, "include"), include)
    for number, mutant in enumerate(sample):
        mutant.number = number
    for header, text in texts.items():
        here = [mutant for mutant in sample if mutant.header == header]
        text = generate.with_mutants(text, here)
        if header == "algebra/base.h":
            text = text.replace("#include <stdint.h>\n", "#include <stdint.h>\n" + generate.CHOOSE % len(sample))
        with open(os.path.join(include, "cutlet", header), "w") as out:
            out.write(text)


def read_units(args):
    """The units of the library that the programs use, and those of each program."""
    with open(os.path.join(args.build, "compile_commands.json")) as listing:
        commands = json.load(listing)
    library, programs = [], {name: [] for name in ["checker", *args.programs]}
    for entry in commands:
        target = entry["output"].split("/")[-2] if "/" in entry["output"] else ""
        group = (library if target.startswith("libcutlet_internal") and USED.search(entry["file"]) else
                 programs.get(target[:-len(".p")], []))
        group.append(mutation.Unit(entry, args.source, args.scratch))
    for name, units in programs.items():
        if not units:
            tap.die(f"the build has no program {name}")
    return library, programs


def folders_of(args):
    """Program -> the folder of its tests."""
    _, programs = read_units(args)
    return {name: os.path.basename(os.path.dirname(units[0].source)) for name, units in programs.items()}


def compile_set(args, include, optimize="-O1", options=()):
    """Builds the programs from these headers; returns name -> command, or what failed."""
    library, programs = read_units(args)
    units = library + [unit for mine in programs.values() for unit in mine]
    for unit in units:
        unit.command += options
    for unit, (status, output) in zip(units, tap.parallel(
            lambda unit: unit.compile("sound", include, optimize=optimize), units)):
        if status:
            return {}, f"{unit.source}: {tap.tail(output)}"
    archive = os.path.join(args.scratch, "used.a")
    tap.run(["ar", "rcs", archive, *[unit.path("sound") for unit in library]])
    headers = sorted(path for folder in FOLDERS for path in glob.glob(
        os.path.join(args.source, "include", "cutlet", folder, "*.h")))
    commands = {}
    for name, mine in programs.items():
        program = os.path.join(args.scratch, name)
        status, output = tap.run([library[0].command[0], *options, "-o", program,
                                  *[unit.path("sound") for unit in mine], archive,
                                  "-lcmocka", "-lm", "-ldl", "-pthread"])
        if status:
            return {}, f"{name}: {tap.tail(output)}"
        commands[name] = [program, *(headers + args.checks if name == "checker" else [])]
    return commands, ""


def run_one(command, number, seconds, source, reached=""):
    """How a program fails with a mutant, or nothing, and how long it took."""
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", CUTLET_SOURCE=source,
               CUTLET_MUTANT=str(number), CUTLET_REACHED=reached)
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


class Runs:
    """The programs, the quickest first: their commands, times, and the places that they reach."""

    def __init__(self, commands, args):
        self.commands, self.source, self.folder = commands, args.source, folders_of(args)
        self.seconds, self.reached, self.failed = {}, {}, ""
        for name, command in commands.items():
            path = os.path.join(args.scratch, name + ".reached")
            how, self.seconds[name] = run_one(command, -1, 600, self.source, path)
            if how:
                self.failed += f"{name} {how}\n"
                continue
            self.reached[name] = b""
            if os.path.exists(path):  # not by a program without the headers
                with open(path, "rb") as data:
                    self.reached[name] = data.read()
        self.order = sorted(commands, key=self.seconds.get)

    def catch(self, mutant, first):
        """What catches a mutant, or nothing; `first` is the first mutant of its place."""
        seen = False
        for name in self.order:
            left_out = self.folder[name] in LEFT_OUT[mutant.header.split("/")[0]]
            if left_out or not any(self.reached[name][first:first + 1]):
                continue
            seen = True
            how, _ = run_one(self.commands[name], mutant.number, 10 + SLOWER * self.seconds[name],
                             self.source)
            if how:
                return f"{name} {how}"
        return "" if seen else NOT_REACHED


def report_on(report, sample, caught, survivors, least):
    """The score; each survivor, with its reason where it is known, as a remark."""
    alive = [mutant for mutant, by in zip(sample, caught) if not by or by == NOT_REACHED]
    for mutant in alive:
        reason = survivors.get(mutant.key(), "not explained")
        print(f"# survivor, line {mutant.line}: {mutant.key()} -- {reason}", flush=True)
    for mutant, by in zip(sample, caught):
        if mutant not in alive and mutant.key() in survivors:
            report.check(f"cannot be caught: {mutant.key()}", False, f"but is: {by}")
    killed = len(sample) - len(alive)
    equal = sum(mutant.key() in survivors for mutant in alive)
    share = 100 * killed / (len(sample) - equal)
    report.check(f"{killed} of {len(sample)} mutants are caught, {equal} cannot be: {share:.1f} per cent", share >= least,
                 f"at least {least} per cent should be")


def write_table(path, sample, caught):
    with open(path, "w") as out:
        out.write("mutant\tline\tcaught by\n")
        for mutant, by in zip(sample, caught):
            out.write(f"{mutant.key()}\t{mutant.line}\t{by or 'nothing'}\n")


def read_table(path):
    """Mutant -> what caught it, of those that were caught."""
    with open(path) as text:
        rows = [line.rstrip("\n").split("\t") for line in text][1:]
    return {key: by for key, _, by in rows if not by.startswith("nothing")}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for needed in ("source", "build", "scratch", "survivors"):
        parser.add_argument("--" + needed, required=True)
    parser.add_argument("--sample", type=int, required=True)
    parser.add_argument("--least", type=float, required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--table", default="")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--checks", nargs="*", default=[])
    parser.add_argument("--programs", nargs="*", default=[])
    args = parser.parse_args()
    for folder in ("source", "build", "scratch"):
        setattr(args, folder, os.path.realpath(getattr(args, folder)))
    shutil.rmtree(args.scratch, ignore_errors=True)
    os.makedirs(os.path.join(args.scratch, "sound"))
    args.checks = [os.path.realpath(path) for path in args.checks]

    report = tap.Report()
    texts, found = all_mutants(args.source)
    sample = generate.chosen(found, args.seed, args.sample if tap.ALL or args.table else args.sample // 3)
    include = os.path.join(args.scratch, "include")
    write_headers(args.source, include, texts, sample)
    commands, failure = compile_set(args, include)
    if not report.check(f"{len(sample)} of {len(found)} mutants compile", commands, failure):
        return report.finish()
    runs = Runs(commands, args)
    if not report.check("the tests pass without a mutant", not runs.failed, runs.failed):
        return report.finish()
    first = first_of_place(sample)
    known = read_table(args.table) if args.again else {}
    caught = list(tap.parallel(
        lambda mutant: known.get(mutant.key()) or runs.catch(mutant, first[mutant.number]), sample))
    report_on(report, sample, caught, read_survivors(args.survivors), args.least)
    if args.table:
        write_table(args.table, sample, caught)
    shutil.rmtree(args.scratch, ignore_errors=True)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
