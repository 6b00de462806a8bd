#!/usr/bin/env python3
"""Plants faults, one at a time, and checks that a test fails on each.

    mutation.py --source DIR --build DIR --scratch DIR --faults FILE --checks FILES --programs NAMES
                [--grid-programs NAMES] [--only PATTERN]

The fast test set is `checker` on the files of assertions CHECKS and on the examples of the headers,
then the test programs NAMES. It is built as the build folder's compile commands say, from src/base,
src/model, src/text and without optimisation. Faults of the CPU grid and of headers of kernels are tried on
programs of their own, built from src/grid and src/ptx too. A fault that the compiler refuses, or that makes a test run for a
minute, counts as caught.
First the set must pass without any fault. CUTLET_TEST_ALL plants all faults; otherwise one of each four is.

A fault is a line of the file FAULTS, of four cells that tabs separate:

    in     the header, below include/cutlet/, or a source of the grid, src/grid/...
    fault  a name
    old    text of one line of the file, which occurs once
    new    what stands there instead
"""

import argparse
import glob
import json
import os
import re
import shlex
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

TIMEOUT = 60
EACH = 1 if tap.ALL else 4


def read_faults(path):
    """The faults, as dictionaries."""
    faults = []
    with open(path) as source:
        for number, line in enumerate(source, 1):
            cells = line.rstrip("\n").split("\t")
            if line.startswith("#"):
                continue
            if len(cells) != 4:
                tap.die(f"{path}:{number}: a fault has four cells, and this line {len(cells)}")
            faults.append(dict(zip(("in", "fault", "old", "new"), cells)))
    return faults


class Unit:
    """One object file: how it is compiled, and which headers it needs."""

    def __init__(self, entry, source_dir, scratch):
        words = shlex.split(entry["command"])
        if os.path.basename(words[0]) == "ccache":  # which does not link
            del words[0]
        self.directory = entry["directory"]
        self.include = os.path.realpath(os.path.join(source_dir, "include"))
        self.object = entry["output"]
        self.source = os.path.realpath(os.path.join(self.directory, entry["file"]))
        self.scratch = scratch
        self.command, skip = [], False
        for word in words:
            if skip:
                skip = False
            elif word in ("-o", "-MF", "-MQ"):
                skip = True
            elif not re.match(r"-(O.|g.*|MD)$", word):
                self.command.append(word)
        self.needs = set()

    def path(self, folder):
        return os.path.join(self.scratch, folder, self.object.replace("/", "_"))

    def compile(self, folder, include, instead=None, optimize="-O0"):
        """Compiles with the headers of `include` in place of our own, or another source instead of
        the unit's; returns status and output."""
        out = self.path(folder)
        command = []
        for word in self.command:
            if word.startswith("-I"):
                where = os.path.realpath(os.path.join(self.directory, word[2:]))
                if where == self.include:
                    word = "-I" + include
            elif instead and os.path.realpath(os.path.join(self.directory, word)) == self.source:
                word = instead
            command.append(word)
        status, output = tap.run([*command, optimize, "-w", "-MD", "-MF", out + ".d", "-o", out],
                                 cwd=self.directory)
        return status, output

    def read_needs(self, folder, include):
        """The headers below include/cutlet/ that the object was made from."""
        with open(self.path(folder) + ".d") as deps:
            words = deps.read().replace("\\\n", " ").split()
        base, root = os.path.join(include, "cutlet") + os.sep, os.path.dirname(include) + os.sep
        real = [os.path.realpath(word) for word in words]
        self.needs = {os.path.relpath(path, base) for path in real if path.startswith(base)}
        self.needs |= {os.path.relpath(path, root) for path in real if path.startswith(root + "device/")}


class Tests:
    """The fast test set."""

    def __init__(self, args):
        self.args = args
        self.source = os.path.realpath(args.source)
        self.build = os.path.realpath(args.build)
        with open(os.path.join(self.build, "compile_commands.json")) as listing:
            commands = json.load(listing)
        self.library, self.grid = [], []
        self.programs = {name: [] for name in ["checker", *args.programs]}
        self.grid_programs = {name: [] for name in args.grid_programs}
        both = {**self.programs, **self.grid_programs}
        for entry in commands:
            target = entry["output"].split("/")[-2] if "/" in entry["output"] else ""
            if target.startswith("libcutlet_internal"):
                is_text = (re.search("/src/(text|base|model)/", entry["file"]) or
                           entry["file"].endswith("function_headers.c"))
                group = (self.library if is_text else
                         self.grid if re.search("/src/(grid|ptx)/", entry["file"]) else [])
            else:
                group = both.get(target[:-len(".p")], [])
            group.append(Unit(entry, self.source, args.scratch))
        for name, units in both.items():
            if not units:
                tap.die(f"the build has no program {name}")
        self.headers = sorted(path for folder in ("algebra", "copy", "mma") for path in glob.glob(
            os.path.join(self.source, "include", "cutlet", folder, "*.h")))

    def units(self):
        programs = [*self.programs.values(), *self.grid_programs.values()]
        return self.library + self.grid + [u for units in programs for u in units]

    def objects_of(self, name):
        """The units that a program is linked from."""
        if name in self.grid_programs:
            return self.grid_programs[name] + self.grid + self.library
        return self.programs[name] + self.library

    def link(self, name, folder, mutated):
        """Links one program from the mutated objects, and the sound ones where they are the same."""
        out = os.path.join(self.args.scratch, folder, name)
        objects = [u.path(folder if u in mutated else "sound")
                   for u in self.objects_of(name)]
        status, output = tap.run([self.library[0].command[0], "-o", out, *objects, "-lcmocka", "-lm"])
        return (out, "") if status == 0 else ("", output)

    def failure_of(self, name, folder, mutated):
        """Runs one program; returns a line that says how it failed, or nothing."""
        program, output = self.link(name, folder, mutated)
        if not program:
            return f"{name} does not link: {tap.tail(output, 3)}"
        env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", CUTLET_SOURCE=self.source)
        files = [*self.headers, *self.args.checks] if name == "checker" else []
        status, output = tap.run([program, *files], timeout=TIMEOUT, env=env, cwd=self.source)
        os.unlink(program)
        if status == 0:
            return ""
        lines = [l for l in output.splitlines() if re.match("not ok|.*:[0-9]+:", l)]
        return f"{name}: {os.path.basename(lines[0]) if lines else tap.tail(output, 1)}"

    def failure_with(self, header, folder, include):
        """Compiles what needs the header, and runs it, until a test fails; as failure_of."""
        mutated = set()
        of_kernels = header.startswith("device/")
        for name, units in (self.grid_programs if of_kernels else self.programs).items():
            for unit in units if of_kernels else self.library + units:
                if header in unit.needs and unit not in mutated:
                    mutated.add(unit)
                    status, output = unit.compile(folder, include)
                    if status:
                        return "the compiler: " + tap.tail(output, 1)
            if mutated.isdisjoint(self.library + units):
                continue
            failure = self.failure_of(name, folder, mutated)
            if failure:
                return failure
        return ""


    def failure_with_source(self, path, folder, instead):
        """Compiles another source instead of one of the grid's, and runs until a test fails."""
        mutated = {unit for unit in self.grid if unit.source == path}
        for unit in mutated:
            status, output = unit.compile(folder, unit.include, instead)
            if status:
                return "the compiler: " + tap.tail(output, 1)
        for name in self.grid_programs:
            failure = self.failure_of(name, folder, mutated)
            if failure:
                return failure
        return ""


def plant_in_grid(tests, fault, root, folder):
    """Plants a fault in a copy of src/grid; as Tests.failure_of."""
    shutil.copytree(os.path.join(tests.source, "src", "grid"), os.path.join(root, "src", "grid"))
    instead = os.path.join(root, fault["in"])
    write_fault(fault, instead)
    return tests.failure_with_source(os.path.join(tests.source, fault["in"]), folder, instead)


def plant_in_header(tests, fault, root, folder):
    """Plants a fault in a copy of the headers; as Tests.failure_of."""
    include = os.path.join(root, "include")
    shutil.copytree(os.path.join(tests.source, "include"), include)
    write_fault(fault, os.path.join(include, "cutlet", fault["in"]))
    return tests.failure_with(fault["in"], folder, os.path.realpath(include))


def write_fault(fault, path):
    """Puts the fault into a file."""
    with open(path) as source:
        text = source.read()
    if text.count(fault["old"]) != 1:
        raise ValueError(f"`{fault['old']}` occurs {text.count(fault['old'])} times in the file")
    with open(path, "w") as out:
        out.write(text.replace(fault["old"], fault["new"]))


def place_of(fault, source):
    """Whether the text that the fault replaces occurs once."""
    with open(os.path.join(source, "" if fault["in"].startswith("src/grid/") else "include/cutlet", fault["in"])) as file:
        return file.read().count(fault["old"]) == 1


def plant(tests, fault):
    """Compiles and runs the set with one fault. Returns name, passed, details."""
    name = f"{fault['fault']} ({fault['in']})"
    folder = re.sub(r"\W+", "_", fault["fault"])
    root = os.path.join(tests.args.scratch, folder)
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root)
    plant_one = plant_in_grid if fault["in"].startswith("src/grid/") else plant_in_header
    try:
        caught = plant_one(tests, fault, root, folder)
    except ValueError as why:
        return name, False, str(why)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    if caught:
        return f"{name} caught by {caught}".replace("#", " "), True, ""
    return name, False, "every test passes with this fault"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for needed in ("source", "build", "scratch", "faults"):
        parser.add_argument("--" + needed, required=True)
    parser.add_argument("--checks", nargs="*", default=[])
    parser.add_argument("--programs", nargs="*", default=[])
    parser.add_argument("--grid-programs", nargs="*", default=[])
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    args.scratch = os.path.realpath(args.scratch)
    shutil.rmtree(args.scratch, ignore_errors=True)
    os.makedirs(os.path.join(args.scratch, "sound"))
    args.checks = [os.path.realpath(path) for path in args.checks]

    report = tap.Report()
    tests = Tests(args)
    include = os.path.join(tests.source, "include")
    for unit, (status, output) in zip(tests.units(), tap.parallel(
            lambda u: u.compile("sound", include), tests.units())):
        if status:
            report.check("the fast test set compiles", False, tap.tail(output))
            return report.finish()
        unit.read_needs("sound", include)
    failures = [tests.failure_of(name, "sound", set())
                for name in [*tests.programs, *tests.grid_programs]]
    failure = "\n".join(f for f in failures if f)
    if not report.check("the fast test set passes without a fault", not failure, failure):
        return report.finish()
    faults = [f for f in read_faults(args.faults) if re.search(args.only, f["fault"])]
    lost = [f["fault"] for f in faults if not place_of(f, tests.source)]
    report.check("each fault has its line", not lost, lost)
    if not args.only:
        faults = faults[::EACH]
    for result in tap.parallel(lambda f: plant(tests, f), faults):
        report.check(*result)
    shutil.rmtree(args.scratch, ignore_errors=True)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
