#!/usr/bin/env python3
"""Proves by CBMC that the functions of the algebra have no undefined behaviour.

    proof.py CBMC INCLUDE SCRATCH [FUNCTION..]

CBMC is the program, or nothing; goto-cc stands beside it, or in PATH. Each function of the headers
that harnesses.py lists is called with every value of its arguments; functions.txt says what is asked
of some, and what is not proved. Proved is: no access out of bounds, no division by zero, no shift past
the width, no endless loop, and no signed overflow, save where functions.txt says `products`. Without
CBMC all is skipped.
"""

import os
import re
import shutil
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harnesses
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

LEAVES, UNWIND, SECONDS, MEGABYTES = 2, 5, 300, 4000
CHECKS = ["--bounds-check", "--pointer-check", "--div-by-zero-check", "--undefined-shift-check",
          "--unwinding-assertions", "--object-bits", "12"]
# Harnesses of prove.c that CBMC must refuse, and by which property.
PLANTED = {"planted_bounds": "array_bounds|upper bound", "planted_overflow": "overflow",
           "planted_division": "division by zero", "planted_shift": "shift",
           "planted_loop": "unwinding assertion", "planted_result": "the result is a value"}

# Those of prove.c that prove assumed.h.
OWN = ["own_ceil_div", "own_gcd_step", "own_mul"]


# A product of sizes, `a *= b`, which the copy of the headers writes as a function with a promise.
PRODUCT = re.compile(r"([\w.\[\]>-]+) \*= ([^;]*\b(?:shape|s|size|taken)\b[^;]*);")


def copy_headers(include, to):
    """Copies the headers, with products of sizes as calls."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(include, to)
    for folder, _, names in os.walk(os.path.join(to, "cutlet", "algebra")):
        for path in (os.path.join(folder, name) for name in names):
            with open(path) as source:
                text = source.read()
            with open(path, "w") as out:
                out.write(PRODUCT.sub(r"ct_times(&\1, \2);", text))


# Steps of which prove.c has the harnesses and the promises.
STEPS = {"ct_digits_eval": "step_digits_eval", "ct_basis_span": "step_basis_span",
         "ct_push_coalesced": "step_push_coalesced",
         "ct_find_steps": "step_find_steps", "ct_compose_leaf": "step_compose_leaf",
         "ct_composition_holds": "step_composition_holds"}


class Proof:
    """The harnesses, compiled for CBMC."""

    def __init__(self, cbmc, include, scratch):
        self.here = os.path.dirname(os.path.abspath(__file__))
        self.cbmc, self.scratch = cbmc, scratch
        self.compiler, self.instrument = (self.tool(n) for n in ("goto-cc", "goto-instrument"))
        self.include = os.path.join(scratch, "include")
        shutil.rmtree(scratch, ignore_errors=True)
        self.table = harnesses.read_table(os.path.join(self.here, "functions.txt"))
        self.functions = harnesses.read_functions(os.path.join(include, "cutlet"))
        os.makedirs(scratch, exist_ok=True)
        copy_headers(include, self.include)
        with open(os.path.join(scratch, "harnesses.c"), "w") as out:
            out.write(harnesses.write([f for f in self.functions if self.tries(f)], self.table))

    def tries(self, f):
        """Whether the table says more of the function's header than that it is not tried."""
        return f.header not in self.table["untried"]

    def tool(self, name):
        """A program that comes with CBMC."""
        beside = os.path.join(os.path.dirname(self.cbmc), name)
        return beside if os.path.exists(beside) else name

    def program(self, leaves, name, plain=False):
        """The program of a harness, whose callees are replaced by what they promise, or `plain`."""
        replaced = [] if plain else self.replaced(name)
        kind = "any" if name in self.table["products"] else ""
        suffix = f"_{zlib.crc32(' '.join(replaced).encode()):08x}" if replaced else ""
        return os.path.join(self.scratch, f"prove{leaves}{kind}{suffix}.goto")

    def replaced(self, name):
        """The promises that stand in the proof of a function: of those before it in the headers."""
        steps = {step: f for f, step in STEPS.items()}
        name = steps.get(name, name)
        if name in self.table["whole"] or not name.startswith("ct_"):
            return []
        before, keep = [], self.table["keep"].get(name, "").split()
        for f in self.functions:
            if f.name == name:
                break
            if f.name in {*self.table["promise"], *STEPS} and f.name not in keep:
                before.append(f.name)
        return before

    def compile(self, name):
        """Compiles the harnesses for the leaves of one of them, once; what went wrong, or nothing."""
        to = self.program(self.leaves_of(name), name, plain=True)
        if os.path.exists(to):
            return ""
        status, output = tap.run(
            [self.compiler, f"-DCT_PROOF={self.leaves_of(name)}", "-DCT_MAX_PROOF=4",
             *(["-DCT_ANY_PRODUCT"] if name in self.table["products"] else []),
             "-I" + self.include, "-I" + self.here, "-I" + self.scratch, "-c",
             os.path.join(self.here, "prove.c"), "-o", to])
        return tap.tail(output) if status else ""

    def replace(self, name):
        """Makes the program for a harness, once; what went wrong, or nothing."""
        bad = self.compile(name)
        to = self.program(self.leaves_of(name), name)
        if bad or os.path.exists(to):
            return bad
        command = [self.instrument]
        for callee in self.replaced(name):
            command += ["--replace-calls", f"{callee}:assumed_{callee}"]
        status, output = tap.run([*command, self.program(self.leaves_of(name), name, True), to])
        return tap.tail(output) if status else ""

    def leaves_of(self, name):
        return int(self.table["capacity"].get(name, LEAVES))

    def command(self, name):
        """What proves one harness."""
        command = [self.cbmc, self.program(self.leaves_of(name), name), "--function",
                   "harness_" + name, "--drop-unused-functions", "--slice-formula", "--verbosity",
                   "4", *CHECKS, "--unwind", self.table["unwind"].get(name, str(UNWIND))]
        return command + ["--no-signed-overflow-check" if name in self.table["products"] else
                          "--signed-overflow-check"]

    def run(self, name):
        """CBMC on one harness: whether it holds, and its output."""
        status, output = tap.run(["sh", "-c", f"ulimit -t {SECONDS}; ulimit -v {MEGABYTES}000; exec \"$@\"", "sh",
                                  *self.command(name)], timeout=10 * SECONDS)
        return status == 0, output


def steps_reached(functions, own):
    """The names of the functions that those of `own` call, themselves or by others."""
    calls = {f.name: set(re.findall(r"\bct_\w+", f.body)) for f in functions}
    reached, todo = set(), [f.name for f in own]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += [n for n in calls.get(name, ()) if n in calls]
    return reached


def main():
    if len(sys.argv) < 4:
        tap.die(__doc__)
    cbmc, include, scratch = sys.argv[1:4]
    only = sys.argv[4:]
    report = tap.Report()
    cbmc = cbmc or shutil.which("cbmc") or ""
    if not cbmc:
        report.skip("proof of the algebra", "no cbmc found (Debian from 13 on, Ubuntu: cbmc)")
        return report.finish()
    proof = Proof(cbmc, include, scratch)
    table = proof.table
    own, steps = harnesses.own_functions(proof.functions, table)
    known = {name for of in table.values() for name in of} - {f.name for f in proof.functions}
    known -= {*harnesses.SWEPT, *STEPS.values()}
    own, steps = ([f for f in of if proof.tries(f)] for of in (own, steps))
    report.check("the table names functions that exist", not known, sorted(known))
    lost = sorted({f.name for f in steps} - steps_reached(proof.functions, own) -
                  set(table["unproved"]))
    report.check("every step is part of a function that has a harness", not lost, lost)
    bare = sorted(set(table["promise"]) & set(table["unproved"]) - set(table["esbmc"]))
    report.check("every promise is of a function that is proved", not bare, bare)
    todo = [] if only else [*OWN, *STEPS.values()]
    todo += [f.name for f in own if f.name not in table["unproved"] and (not only or f.name in only)]
    slow = [name for name in todo if name in table["slow"]]
    if not only and not tap.ALL:
        todo = [name for name in todo if name not in slow]
    for name in [*PLANTED, *todo]:
        bad = proof.replace(name)
        if bad and not report.check(f"the program of {name}", not bad, bad):
            return report.finish()
    for name, (_, output) in zip(PLANTED, tap.parallel(proof.run, PLANTED)):
        report.check(f"{name} is refused", re.search(f"({PLANTED[name]}).*FAILURE", output), output)
    for name, (holds, output) in zip(todo, tap.parallel(proof.run, todo)):
        but = ", without overflow" if name in table["products"] else ""
        report.check(f"{name} at {proof.leaves_of(name)} leaves{but}", holds, tap.tail(
            "\n".join(l for l in output.splitlines() if ": SUCCESS" not in l and l.strip())))
    for name in [] if only else slow:
        if name not in todo:
            report.skip(name, f"takes {table['slow'][name]} s; CUTLET_TEST_ALL proves it")
    for name, reason in table["unproved"].items():
        if not only:
            report.skip(name, reason)
    for header in [] if only else table["untried"]:
        report.skip(header + ".h", "no proof of this header has been tried")
    proved = steps_reached(proof.functions, [f for f in own if f.name not in table["unproved"]])
    for f in steps:
        if not only and f.name not in proved and f.name not in table["unproved"]:
            report.skip(f.name, "part only of functions that are not proved")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
