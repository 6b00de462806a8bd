#!/usr/bin/env python3
"""Runs sweep.c, built with the sanitisers: every function of the algebra with random arguments,
extremes mostly.

    sweep.py CC INCLUDE SCRATCH [SECONDS [SEED]]
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harnesses
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

LEAVES = 4


def main(report, cc, include, scratch, seconds="15", seed="1"):
    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(scratch, "sweep")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "harnesses.c"), "w") as out:
        out.write(harnesses.write(
            harnesses.read_functions(os.path.join(include, "cutlet")),
            harnesses.read_table(os.path.join(here, "functions.txt"))))
    program = os.path.join(folder, "sweep")
    status, output = tap.run([
        cc, "-std=gnu11", "-O1", "-g", "-w", "-fsanitize=undefined,address",
        f"-DCT_MAX_LEAVES={LEAVES}", "-DCT_MAX_PROOF=64", "-I" + include, "-I" + here, "-I" + folder,
        os.path.join(here, "sweep.c"), "-o", program], timeout=1200)
    if status == 1 and re.search("unrecognized|cannot find -l", output):
        report.skip("ends of numbers", "the compiler has no sanitisers")
        return
    if not report.check("the sweep compiles", status == 0, tap.tail(output)):
        return
    # What it must find: a number past the end, in a harness of its own.
    status, output = tap.run([program, "0", seed, "planted"], timeout=600)
    report.check("a planted overflow is found", "runtime error" in output, output)
    status, output = tap.run([program, seconds, seed], timeout=600)
    print("# " + tap.tail(output, 1), flush=True)
    found = [line for line in output.splitlines() if re.search("runtime error|AddressSan", line)]
    report.check("no undefined behaviour", not found, "\n".join(found))
    report.check(f"every result is a value, seed {seed}", status == 0, tap.tail(output))


tap.main(main)
