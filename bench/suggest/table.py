#!/usr/bin/env python3
"""How near the first choice of `cutlet suggest` comes to the best that was measured.

    table.py RESULTS.tsv...
"""

import statistics
import sys

COLUMNS = ["problem", "candidate", "sectors", "wavefronts", "instructions", "shared_bytes", "us",
           "gbs", "verified", "about"]


def read(paths):
    rows = {}
    for path in paths:
        with open(path, encoding="utf-8") as source:
            for line in source:
                row = dict(zip(COLUMNS, line.rstrip("\n").split("\t")))
                rows.setdefault(row["problem"], []).append(row)
    return rows


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    ratios = []
    print(f"{'problem':34} {'tried':>5} {'first us':>8} {'best us':>8} {'worst us':>9} {'GB/s':>6} "
          f"{'best/first':>10}  the best, where it is another")
    for problem, rows in read(sys.argv[1:]).items():
        wrong = [row for row in rows if row["verified"] != "yes"]
        right = [row for row in rows if row["verified"] == "yes"]
        first = next((row for row in right if row["candidate"] == "0"), None)
        if first is None:
            print(f"{problem:34} the first choice was not verified")
            continue
        best = min(right, key=lambda row: float(row["us"]))
        worst = max(float(row["us"]) for row in right)
        ratio = float(best["us"]) / float(first["us"])
        ratios.append(ratio)
        about = "" if best is first else best["about"]
        print(f"{problem:34} {len(right):5} {first['us']:>8} {best['us']:>8} {worst:9.2f} "
              f"{float(first['gbs']):6.0f} {ratio:10.3f}  {about}")
        if wrong:
            print(f"{'':34} {len(wrong)} candidates gave a wrong result")
    if ratios:
        print(f"\nThe first choice runs at {statistics.mean(ratios):.3f} of the best measured in "
              f"the mean, {min(ratios):.3f} at worst.")


if __name__ == "__main__":
    main()
