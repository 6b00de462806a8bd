#!/usr/bin/env python3
"""Checks that every law which a header cites as [law_...] is defined.

    doc_laws.py LAWS -- HEADERS
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap


def main():
    if "--" not in sys.argv:
        tap.die(__doc__)
    split = sys.argv.index("--")
    report = tap.Report()
    defined = set()
    for path in sys.argv[1:split]:
        with open(path) as source:
            defined |= set(re.findall(r"\b(law_[a-z0-9_]+)\s*\(", source.read()))
    for path in sys.argv[split + 1:]:
        with open(path) as source:
            for number, line in enumerate(source, 1):
                for law in re.findall(r"\[(law_[a-z0-9_]+)\]", line):
                    report.check(f"{os.path.basename(path)}:{number} {law} exists", law in defined,
                                 "no such function in the headers of laws")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
