#!/usr/bin/env python3
"""Checks the man page against the help of each command: every command and option is in it.

    doc_man.py COMMAND PAGE VERSION
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap


def main(report, command, path, version):
    with open(path) as source:
        page = source.read().replace("\\-", "-")
    report.check("the page is of this version", f'"cutlet {version}"' in page)
    _, overview = tap.run([command, "--help"])
    names = re.findall(r"^  ([a-z]+) .*  ", overview, re.M)
    report.check("the overview lists commands", len(names) > 3, overview)
    for name in names + ["explain copy", "explain descriptor", "explain tma"]:
        report.check(f"cutlet {name}", f".SS cutlet {name}\n" in page, "no section in the page")
        _, text = tap.run([command, *name.split(), "--help"])
        section = page.split(f".SS cutlet {name}\n")[-1].split("\n.S")[0]
        for option in sorted(set(re.findall(r"^ +(?:-\w, +)?(--[a-z-]+)", text, re.M))):
            found = re.search(re.escape(option) + r"(?![a-z-])", section)
            report.check(f"cutlet {name} {option}", found, "not in the section of the command")
        for option in sorted(set(re.findall(r"(?<![a-z-])(--[a-z-]+)", section))):
            known = option in ("--help", "--version") or re.search(re.escape(option) + r"(?![a-z-])", text)
            report.check(f"cutlet {name} has {option}", known, "not in its help")


tap.main(main)
