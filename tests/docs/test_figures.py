#!/usr/bin/env python3
"""The tables of the documents are those of bench/data, by bench/figures/figures.py --check; and it would say if not.

    test_figures.py SOURCE
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

GOOD = ("Words, by nvcc 13.0, of 4096 x 4096.\n\n<!-- table: one -->\n| a | 1.5 |\n|---|---|\n\nMore.\n\n```console\n$ x\n9 us\n```\n\n"
        "*They say 300 GB/s.* `0.5`\n")

# (what is tried, a change of the document, what is said: None where it passes)
CASES = [
    ("a table that is made", ("", ""), None),
    ("a cell that differs", ("| 1.5 |", "| 1.6 |"), "the table one is another one"),
    ("a row too many", ("|---|---|\n", "|---|---|\n| b | 2 |\n"), "the table one is another one"),
    ("a table that nothing makes", ("table: one", "table: two"), "there is no table two"),
    ("a rate in prose", ("More.", "More: 300 GB/s."), "300 GB/s is a measurement"),
    ("a fraction in prose", ("More.", "It reaches 0.98 of it."), "0.98 is a measurement"),
    ("a time in prose", ("More.", "It takes 8 us."), "8 us is a measurement"),
    ("a part in prose", ("More.", "It takes 8 per cent more."), "8 per cent is a measurement"),
    ("a cell of a table by hand", ("More.", "| b | 0.5 |"), "0.5 is a measurement"),
    ("a size", ("More.", "16 bytes of 512 MiB."), None),
]


def main(report, source):
    source = os.path.abspath(source)
    sys.path.insert(0, os.path.join(source, "bench", "figures"))
    import figures  # pylint: disable=import-outside-toplevel,import-error
    made = {"one": lambda: "| a | 1.5 |\n|---|---|\n"}
    for name, (old, new), fault in CASES:
        wrong, _ = figures.faults("x.md", GOOD.replace(old, new, 1) if old else GOOD, made)
        said = "\n".join(wrong)
        report.check(f"{name} {'fails' if fault else 'passes'}", fault in said if fault else not wrong, said)
    changed = figures.faults("x.md", GOOD.replace("1.5", "7"), made)[1]
    report.check("an update writes the tables", changed == GOOD, changed)
    status, said = tap.run([sys.executable, os.path.join(source, "bench/figures/figures.py"), "--check", source])
    report.check("the documents have the tables of bench/data", status == 0, said)


tap.main(main)
