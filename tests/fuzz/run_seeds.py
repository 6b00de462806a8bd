#!/usr/bin/env python3
"""Runs each fuzz target over its seeds, without libFuzzer.

    run_seeds.py PROGRAMS -- CHECKS

The programs are the targets with driver.c. A target that has no seeds fails.
"""

import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import seeds
import tap


def main():
    if "--" not in sys.argv:
        tap.die(__doc__)
    split = sys.argv.index("--")
    programs, checks = sys.argv[1:split], sys.argv[split + 1:]
    report = tap.Report()
    with tempfile.TemporaryDirectory() as scratch:
        seeds.write(scratch, checks)
        for program in programs:
            name = os.path.basename(program)
            folder = os.path.join(scratch, name)
            count = len(os.listdir(folder)) if os.path.isdir(folder) else 0
            status, output = tap.run([program, folder], timeout=300)
            report.check(name, status == 0 and count > 0 and f"{count} inputs" in output,
                         tap.tail(output, 3))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
