#!/usr/bin/env python3
"""Times candidates of `cutlet suggest` on a GPU, by `cutlet suggest --measure`. Needs NVRTC.

    measure.py CUTLET [--count 220] [--only NAME] >h200_suggest.tsv

For each problem `count` candidates of the whole spread: the first choice, those after it, the best by
each instruction, and others from best to worst; 0: the whole spread. A row for each: problem,
candidate, sectors, wavefronts, instructions, shared bytes, us, GB/s, verified, what it is. order.py
reads the table.
"""

import argparse
import sys
import time

import cases

COSTS = ("sectors", "wavefronts", "instructions", "shared_bytes")


def row_of(name, number, candidate):
    measured = candidate["measured"]
    return [name, str(number), *(f"{candidate['cost'][k]:.10g}" for k in COSTS),
            f"{measured['us'] or 0:.2f}", f"{measured['gb_s'] or 0:.1f}",
            "yes" if measured["verified"] else "NO", cases.text_of(candidate)]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cutlet")
    parser.add_argument("--only", default="")
    parser.add_argument("--count", type=int, default=220)
    args = parser.parse_args()
    for problem in cases.PROBLEMS:
        name = cases.name_of(problem)
        if args.only not in name:
            continue
        begin = time.monotonic()
        found = cases.answer(args.cutlet, problem, "--all", f"--measure={args.count}")
        by_rank = sorted(found["candidates"], key=lambda c: c["measured"]["rank"])
        for number, candidate in enumerate(by_rank):
            print("\t".join(row_of(name, number, candidate)), flush=True)
        print(f"{name}: {len(by_rank)} candidates on {found['measured']['device']}, "
              f"{time.monotonic() - begin:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
