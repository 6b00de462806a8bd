#!/usr/bin/env python3
"""The figures of the documents come from named cells: bench/figures/figures.py --check says so; and it would say if not.

    test_figures.py SOURCE [CUTLET]

With CUTLET, the order of its first choices is also the one that the figures were taken from.
"""

import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

ROW = "| a | {cells['x'].a:.1f} | {=7.5} |\nand {cells['x'].b} GB/s"
GOOD = "Words.\n\n| a | 1.5 | 7.5 |\n> and\n> 4212 GB/s, in 16 bytes.\n\n```console\n$ x\n961\n```\n\nOf 961.\n"

# (what is tried, a change of the document, what is said: None where it passes)
CASES = [
    ("figures of cells", ("", ""), None),
    ("a figure that differs", ("4212", "4213"), "has '4213' where '4212' is so"),
    ("a fraction that differs", ("1.5", "1.6"), "has '1.6' where '1.5' is so"),
    ("another source's figure that differs", ("7.5", "7.6"), "has '7.6'"),
    ("words that differ", ("and\n", "or\n"), "does not say"),
    ("a rate of no text", ("Words.", "Words: 300 GB/s."), "300 is a figure of no text"),
    ("a range of no text", ("Words.", "From 96 to 128 GB/s."), "96 is a figure of no text"),
    ("a fraction of no text", ("Words.", "It reaches 0.98 of it."), "0.98 is a figure of no text"),
    ("a time of no text", ("Words.", "It takes 8 us."), "8 is a figure of no text"),
    ("a part of no text", ("Words.", "It takes 8 per cent more."), "8 is a figure of no text"),
    ("a number that is no size", ("Words.", "It is 1027."), "1027 is a figure of no text"),
    ("a cell of no text", ("Words.", "| b | 64 |"), "64 is a figure of no text"),
    ("a cell of a figure elsewhere", ("Words.", "| b | 4212 |"), "4212 is a figure of no text"),
    ("a size", ("Words.", "It has 4096 x 4096 halves, by nvcc 13.0."), None),
    ("a number of a listing near it", ("Of 961", "Of  961"), None),
]


def check_cases(figures, report):
    """What figures.py lets through, and what it refuses."""
    one = type("Row", (), {"a": 1.46, "b": 4212})
    for name, (old, new), fault in CASES:
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "x.txt"), "w", encoding="utf-8") as file:
                file.write("== x.md (a document)\n" + ROW + "\n")
            texts = list(figures.read_texts({"cells": {"x": one}}, folder))
        wrong, _ = figures.faults("x.md", GOOD.replace(old, new, 1) if old else GOOD, texts)
        said = "\n".join(wrong)
        report.check(f"{name} {'fails' if fault else 'passes'}", fault in said if fault else not wrong, said)
    wrong, changed = figures.faults("x.md", GOOD.replace("4212", "1"), texts)
    report.check("an update writes the figures", changed == GOOD, changed)


def main():
    if len(sys.argv) not in (2, 3):
        tap.die(__doc__)
    source = os.path.abspath(sys.argv[1])
    sys.path.insert(0, os.path.join(source, "bench", "figures"))
    import figures
    report = tap.Report()
    check_cases(figures, report)
    status, said = tap.run([sys.executable, os.path.join(source, "bench/figures/figures.py"), "--check", source])
    report.check("the documents have the figures of bench/data", status == 0, said)
    if len(sys.argv) == 3:
        order = os.path.join(source, "bench/data/suggest_order.txt")
        status, said = tap.run([sys.executable, os.path.join(source, "bench/suggest/order.py"),
                                os.path.abspath(sys.argv[2]), os.path.join(source, "bench/data/h200_suggest.tsv")])
        with open(order, encoding="utf-8") as file:
            report.check("the first choices are those of suggest_order.txt", status == 0 and said == file.read(), said)
    else:
        report.skip("the first choices are those of suggest_order.txt", "no command was built")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
