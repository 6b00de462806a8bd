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

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harnesses
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

LEAVES, UNWIND, SECONDS = 2, 5, 60
CHECKS = ["--bounds-check", "--pointer-check", "--div-by-zero-check", "--undefined-shift-check",
          "--unwinding-assertions"]
# Harnesses of prove.c that CBMC must refuse, and by which property.
PLANTED = {"planted_bounds": "array_bounds|upper bound", "planted_overflow": "overflow",
           "planted_division": "division by zero", "planted_shift": "shift",
           "planted_loop": "unwinding assertion", "planted_result": "the result is a value"}

# Those of prove.c that prove promised.h.
OWN = ["own_ceil_div", "own_gcd_step"]


class Proof:
    """The harnesses, compiled for CBMC."""

    def __init__(self, cbmc, include, scratch):
        self.here = os.path.dirname(os.path.abspath(__file__))
        self.cbmc, self.scratch = cbmc, scratch
        beside = os.path.join(os.path.dirname(cbmc), "goto-cc")
        self.compiler = beside if os.path.exists(beside) else "goto-cc"
        self.include = include
        self.table = harnesses.read_table(os.path.join(self.here, "functions.txt"))
        self.functions = harnesses.read_functions(os.path.join(include, "cutlet"))
        os.makedirs(scratch, exist_ok=True)
        with open(os.path.join(scratch, "harnesses.c"), "w") as out:
            out.write(harnesses.write(self.functions, self.table))

    def program(self, leaves):
        return os.path.join(self.scratch, f"prove{leaves}.goto")

    def compile(self, leaves):
        """Compiles the harnesses for so many leaves; what went wrong, or nothing."""
        status, output = tap.run(
            [self.compiler, f"-DCT_PROOF={leaves}", "-DCT_MAX_PROOF=4",
             "-I" + self.include, "-I" + self.here, "-I" + self.scratch, "-c",
             os.path.join(self.here, "prove.c"), "-o", self.program(leaves)])
        return tap.tail(output) if status else ""

    def leaves_of(self, name):
        return int(self.table["capacity"].get(name, LEAVES))

    def run(self, name):
        """CBMC on one harness: whether it holds, and its output."""
        command = [self.cbmc, self.program(self.leaves_of(name)), "--function", "harness_" + name,
                   "--drop-unused-functions", "--slice-formula", "--verbosity", "4", *CHECKS]
        command += ["--unwind", self.table["unwind"].get(name, str(UNWIND))]
        command += ["--no-signed-overflow-check" if name in self.table["products"] else
                    "--signed-overflow-check"]
        status, output = tap.run(["sh", "-c", f"ulimit -t {SECONDS}; exec \"$@\"", "sh", *command],
                                 timeout=10 * SECONDS)
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
    own, steps = harnesses.subjects(proof.functions, table)
    known = {name for of in table.values() for name in of} - {f.name for f in proof.functions}
    report.check("the table names functions that exist", not known, sorted(known))
    lost = sorted({f.name for f in steps} - steps_reached(proof.functions, own) -
                  set(table["unproved"]))
    report.check("every step is part of a function that has a harness", not lost, lost)
    for leaves in sorted({LEAVES, *(int(n) for n in table["capacity"].values())}):
        bad = proof.compile(leaves)
        if not report.check(f"the harnesses compile for {leaves} leaves", not bad, bad):
            return report.finish()
    for name, (_, output) in zip(PLANTED, tap.parallel(proof.run, PLANTED)):
        report.check(f"{name} is refused", re.search(f"({PLANTED[name]}).*FAILURE", output), output)
    todo = [] if only else list(OWN)
    todo += [f.name for f in own if f.name not in table["unproved"] and (not only or f.name in only)]
    for name, (holds, output) in zip(todo, tap.parallel(proof.run, todo)):
        but = ", without overflow" if name in table["products"] else ""
        report.check(f"{name} at {proof.leaves_of(name)} leaves{but}", holds, tap.tail(
            "\n".join(l for l in output.splitlines() if ": SUCCESS" not in l and l.strip())))
    for name, reason in table["unproved"].items():
        if not only:
            report.skip(name, reason)
    proved = steps_reached(proof.functions, [f for f in own if f.name not in table["unproved"]])
    for f in steps:
        if not only and f.name not in proved and f.name not in table["unproved"]:
            report.skip(f.name, "part only of functions that are not proved")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
