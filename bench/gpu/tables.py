#!/usr/bin/env python3
"""Tables in Markdown from what cutlet-bench-gpu --tsv wrote.

    tables.py FILE.tsv [TEXT]    the jobs whose `group job` contains TEXT
"""

import csv
import sys


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    text = sys.argv[2] if len(sys.argv) == 3 else ""
    print("| job | GB/s | memcpy, same run | of memcpy | median of |")
    print("|---|---|---|---|---|")
    with open(sys.argv[1], encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if text in f"{row['group']} {row['job']}":
                print(f"| {row['job']} | {float(row['gb_s']):.0f} | {float(row['memcpy_gb_s']):.0f} | "
                      f"{float(row['of_memcpy']):.3f} | {row['runs']} |")


if __name__ == "__main__":
    main()
