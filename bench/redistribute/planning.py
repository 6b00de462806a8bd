#!/usr/bin/env python3
"""How long the plans of redistributions take, on the CPU.

    planning.py BUILD OUT.tsv [--runs 21]

BUILD is the folder of a build with bench/redistribute. A plan is that of one rank. `simulated` are the numbers of all ranks.
Times are processor time, so that other programs count little.
"""

import argparse
import ctypes
import os
import re
import statistics
import sys
import time

import cases
import library as lib

# ranks, shape, from, to
PLANNED = [
    (8, (16384, 16384), "shard:0", "shard:1"),
    (8, (16383, 16384), "shard:0", "cyclic:0:64"),
    # sets for which the exact search runs
    (8, (1349,), "((2,4),(4,2,3,15)):((0,60@0),(15@0,240@0,480@0,1@0))", "((4,2),(43,2,2)):((2@0,16@0),(32@0,1@0,8@0))"),
    # cyclic blocks of two sizes that share no factor: sets of many pieces
    (8, (100000000,), "cyclic:0:1009", "cyclic:0:1013"),
    (8, (1000000000,), "cyclic:0:5003", "cyclic:0:5009"),
    (8, (8000000000,), "cyclic:0:20011", "cyclic:0:20021"),
    (4096, (16384, 16384), "shard:0", "shard:1"),
    (4096, (16384, 16384), "shard:0", "replicate"),
    (4096, (1000000, 16384), "shard:0", "cyclic:0:3"),
    (4096, (1000000, 16384), "cyclic:0:5", "cyclic:0:3"),
    (4096, (100000000, 8), "cyclic:0:101", "cyclic:0:103"),
    # cyclic:0:65,cyclic:1:856 to cyclic:0:43,cyclic:1:97 on a mesh 64x64, and cyclic:0:92,cyclic:1:74 to cyclic:0:97,cyclic:1:26
    (4096, (1280136, 9258), "((64,64),(65,308,856)):((856@1,65@0),(1@0,4160@0,1@1))",
     "((64,64),(43,466,97,2)):((97@1,43@0),(1@0,2752@0,1@1,6208@1))"),
    (4096, (1337327, 1336), "((64,64),(92,228,74)):((74@1,92@0),(1@0,5888@0,1@1))",
     "((64,64),(97,216,26)):((26@1,97@0),(1@0,6208@0,1@1))"),
]
SIMULATED = [
    (65536, (65536, 65536), "shard:0", "shard:1"),
    (65536, (65536, 65536), "shard:0", "replicate"),
]
COLUMNS = ["what", "ranks", "shape", "source", "destination", "ms", "least_ms", "runs", "bytes", "messages", "rounds"]


def processor():
    """Its name."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return re.search(r"model name\s*: (.*)", file.read()).group(1).replace("(R)", "")


def once(library, struct, what, rank):
    """Seconds of one plan, and its numbers."""
    numbers = lib.Numbers()
    before = time.process_time()
    if what == "simulated":
        library.call("simulate", ctypes.byref(struct), ctypes.byref(numbers))
        return time.process_time() - before, numbers
    plan = library.call("plan", ctypes.byref(struct), rank)
    taken = time.process_time() - before
    numbers = library.numbers(plan)
    library.c.bench_plan_drop(plan)
    return taken, numbers


def main():
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("out")
    parser.add_argument("--runs", type=int, default=21)
    args = parser.parse_args()
    library = lib.Library(os.path.join(args.build, "bench", "redistribute", "libbench_redistribute.so"))
    lines = [f"# python3 bench/redistribute/planning.py BUILD OUT.tsv --runs {args.runs}; processor time, "
             f"{processor()}; {time.strftime('%Y-%m-%d')}", "\t".join(COLUMNS)]
    for what, wanted in (("planned", PLANNED), ("simulated", SIMULATED)):
        for ranks, shape, src, dst in wanted:
            case = cases.Case("", shape, cases.Side(src), cases.Side(dst), (cases.FLOAT, cases.FLOAT), 0)
            struct = library.struct(case, ranks, lib.AUTO, lib.CPU, 4 << 20)
            times, numbers = [], None
            for _ in range(args.runs + 1):
                taken, numbers = once(library, struct, what, ranks // 3)
                times.append(1e3 * taken)
            times = times[1:]
            if numbers.all != numbers.least:
                print(f"{src} to {dst}: {numbers.all} bytes, the least is {numbers.least}", file=sys.stderr)
                return 1
            lines.append("\t".join(map(str, [
                what, ranks, "x".join(map(str, shape)), src, dst, f"{statistics.median(times):.4f}", f"{min(times):.4f}",
                args.runs, numbers.all, numbers.all_messages, numbers.rounds])))
            print(lines[-1])
    with open(args.out, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
