#!/usr/bin/env python3
"""Proves by ESBMC what it proves within seconds of what proof.py proves by CBMC.

    esbmc.py CC INCLUDE SCRATCH [FUNCTION..]

ESBMC is the program `esbmc` of this Python's environment, or in PATH. The functions are those named,
or those that functions.txt marks `esbmc`: all with CUTLET_TEST_ALL, otherwise every fourth. Harnesses,
promises, numbers of leaves and what is shown are those of proof.py. A harness is one file: the headers
as CC preprocesses them without GNU's builtins, and of them only the functions that the harness
reaches.
"""

import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import harnesses
import proof
import tap

SECONDS, MEGABYTES = 60, 6000
# How ESBMC refuses the harnesses of prove.c that it must refuse.
PLANTED = {"planted_bounds": "array bounds violated", "planted_overflow": "arithmetic overflow",
           "planted_division": "division by zero", "planted_shift": "overflow on shl",
           "planted_loop": "unwinding assertion", "planted_result": "the result is a value"}
FUNCTION = re.compile(r"^ ?([A-Za-z_][^;{}()=#]*?\b(\w+)\([^;{}]*\))\s*(\{[^\n]*\}$|\{.*?^\})",
                      re.M | re.S)
SHIFT = re.compile(r"(\S+) (?:<<|>>) (?=\S)")


def reached(text, root):
    """The text with those of its functions alone that `root` calls, itself or by others."""
    calls = {f.group(2): set(re.findall(r"\b[A-Za-z_]\w*", f.group(3))) for f in FUNCTION.finditer(text)}
    seen, todo = set(), [root]
    while todo:
        name = todo.pop()
        if name in calls and name not in seen:
            seen.add(name)
            todo += calls[name]
    return FUNCTION.sub(lambda f: f.group(0) if f.group(2) in seen else "", text)


def widen(text):
    """The text with 64-bit numbers shifted by 64-bit ones: ESBMC's check of shifts takes no others.
    What is narrower here is a path, a basis, or of unsigned numbers."""
    return SHIFT.sub(lambda f: f.group(0) if re.search(r"(basis|path|u|int32_t\)1)\)*$", f.group(1))
                     else f.group(0) + "(int64_t)", text)


class Esbmc(proof.Proof):
    """The harnesses, preprocessed for ESBMC."""

    def __init__(self, esbmc, cc, include, scratch):
        super().__init__("", include, scratch)
        self.esbmc, self.cc = esbmc, cc
        for folder, _, names in os.walk(os.path.join(self.include, "cutlet", "algebra")):
            for path in (os.path.join(folder, name) for name in names):
                self.let_promise(path)

    def let_promise(self, path):
        """Lets CT_PROMISE_ct_f replace ct_f by what it promises, after its definition."""
        promises = {f.name: f for f in self.functions if f.name in {*self.table["promise"], *proof.STEPS}}

        def declare(found):
            f = promises.get(found.group(2))
            if not f:
                return found.group(0)
            parameters = ", ".join(f"{kind} {name}" for kind, name in f.parameters) or "void"
            return (f"{found.group(0)}\n#ifdef CT_PROMISE_{f.name}\n{f.kind} assumed_{f.name}({parameters});\n"
                    f"#define {f.name} assumed_{f.name}\n#endif")

        with open(path) as source:
            text = source.read()
        with open(path, "w") as out:
            out.write(FUNCTION.sub(declare, text))

    def write(self, name):
        """Writes the file of a harness; what went wrong, or nothing."""
        options = [f"-DCT_PROMISE_{callee}" for callee in self.replaced(name)]
        options += ["-DCT_ANY_PRODUCT"] if name in self.table["products"] else []
        to = os.path.join(self.scratch, name + ".i")
        status, output = tap.run(
            [self.cc, "-E", "-P", "-undef", "-D__x86_64__", "-D__LP64__", "-DCT_MAX_PROOF=4",
             f"-DCT_PROOF={self.leaves_of(name)}", *options, "-include", os.path.join(self.here, "esbmc.h"),
             "-I" + self.include, "-I" + self.here, "-I" + self.scratch,
             os.path.join(self.here, "prove.c"), "-o", to])
        if status:
            return tap.tail(output)
        with open(to) as source:
            text = widen(reached(source.read(), "harness_" + name))
        with open(os.path.join(self.scratch, name + ".c"), "w") as out:
            out.write(text)
        return ""

    def run(self, name):
        """ESBMC on one harness: whether it holds, and its output."""
        bad = self.write(name)
        if bad:
            return False, bad
        command = [self.esbmc, os.path.join(self.scratch, name + ".c"), "--function", "harness_" + name,
                   "--unwind", self.table["unwind"].get(name, str(proof.UNWIND)),
                   "--no-align-check", "--no-library", "-Wno-everything"]
        # The check of shifts is one of products, too.
        command += [] if name in self.table["products"] else ["--overflow-check", "--ub-shift-check"]
        _, output = tap.run(["sh", "-c", f"ulimit -t {SECONDS}; ulimit -v {MEGABYTES}000; exec \"$@\"", "sh",
                             *command], timeout=20 * SECONDS)
        # A function without a body would be taken to do nothing.
        lost = [f for f in re.findall(r"no body for function (\w+)", output)
                if not f.startswith(("nondet_", "__ESBMC_"))]
        return "VERIFICATION SUCCESSFUL" in output and not lost, output


def main():
    if len(sys.argv) < 4:
        tap.die(__doc__)
    cc, include, scratch = sys.argv[1:4]
    esbmc = shutil.which("esbmc", path=os.path.join(sys.prefix, "bin")) or shutil.which("esbmc")
    if not esbmc:
        print("no esbmc found")
        return 77
    report = tap.Report()
    prover = Esbmc(esbmc, cc, include, scratch)
    names = sys.argv[4:] or [*prover.table["esbmc"]][::1 if tap.ALL else 4]
    own, _ = harnesses.own_functions(prover.functions, prover.table)
    lost = set(names) - {f.name for f in own} - {*proof.OWN, *proof.STEPS.values()}
    report.check("the functions have harnesses", not lost, sorted(lost))
    for name, (_, output) in zip(PLANTED, tap.parallel(prover.run, PLANTED)):
        report.check(f"{name} is refused", "VERIFICATION FAILED" in output and PLANTED[name] in output,
                     tap.tail(output))
    for name, (holds, output) in zip(names, tap.parallel(prover.run, names)):
        but = ", without overflow and shifts" if name in prover.table["products"] else ""
        report.check(f"{name} at {prover.leaves_of(name)} leaves{but}", holds, tap.tail(output))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
