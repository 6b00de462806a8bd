#!/usr/bin/env python3
"""How near the first choice of this `cutlet suggest` comes to the fastest that was measured.

    order.py CUTLET RESULTS.tsv...

The candidates of RESULTS.tsv were timed by measure.py; the order is that of CUTLET. Where
its first choice was not among them, the first that was stands for it.
"""

import statistics
import sys

import cases

COLUMNS = ["problem", "candidate", "sectors", "wavefronts", "instructions", "shared_bytes", "us",
           "gbs", "verified", "about"]
TOP = 60  # among this many the first that was measured is looked for


def read(paths):
    """The rows of each problem whose results were right."""
    rows = {}
    for path in paths:
        with open(path, encoding="utf-8") as source:
            for line in source:
                row = dict(zip(COLUMNS, line.rstrip("\n").split("\t")))
                if row["verified"] == "yes":
                    rows.setdefault(row["problem"], []).append(row)
                else:
                    print(f"{row['problem']}: a wrong result: {row['about']}", file=sys.stderr)
    return rows


def choices(cutlet, paths):
    """For each problem its name, the first choice; the first that was measured: its place in the
    order, its row; the row of the fastest."""
    measured = read(paths)
    for problem in cases.PROBLEMS:
        rows = {row["about"]: row for row in measured[cases.name_of(problem)]}
        order = [cases.text_of(c) for c in cases.ask(cutlet, problem, "--top", str(TOP))]
        place = next(i for i, text in enumerate(order) if text in rows)
        fastest = min(rows.values(), key=lambda row: float(row["us"]))
        yield cases.name_of(problem), order[0], place, rows[order[place]], fastest


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    ratios = []
    print(f"{'problem':34} {'first us':>8} {'best us':>8} {'best/first':>10}  the first choice")
    for name, text, place, first, fastest in choices(sys.argv[1], sys.argv[2:]):
        ratios.append(float(fastest["us"]) / float(first["us"]))
        print(f"{name:34} {first['us']:>8} {fastest['us']:>8} {ratios[-1]:10.3f}  {text}")
        if place:
            print(f"{'':34} not measured; number {place + 1}: {first['about']}")
    print(f"\nThe first choice runs at {statistics.mean(ratios):.3f} of the best measured in the "
          f"mean, {min(ratios):.3f} at worst.")


if __name__ == "__main__":
    main()
