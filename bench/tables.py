#!/usr/bin/env python3
"""Tables in Markdown from what `cutlet-bench matrix --tsv` wrote.

    tables.py FILE.tsv [TEXT]            the jobs whose `group job` contains TEXT
    tables.py --beside FILE.tsv [TEXT]   those that were timed in turn with another one
    tables.py --documents [FILE.tsv...]  what tutorial 000 and article 002 claim, and what was
                                         measured; a figure that no file has is a ?
"""

import csv
import re
import sys

# (what the document says, what was measured): {group|job} stands for the GB/s of that job.
TUTORIAL = [
    ("one block: `UniversalCopy` 85 GB/s, asking for 64 bits 205, for 128 bits 310",
     "one kernel for all three, since `max_common_vector` is 1: "
     "{tutorial|local_partition (8,32), one block} GB/s"),
    ("the 128-bit copy is 3 to 4 times faster than the scalar one",
     "with 4 neighbours a thread, in one block: one by one "
     "{tutorial|tiled (8,32) x (4,1), 32-bit, one block}, in pairs "
     "{tutorial|tiled (8,32) x (2,1), 64-bit, one block}, in fours "
     "{tutorial|tiled (8,32) x (4,1), 128-bit, one block} GB/s"),
    ("contiguous elements of a thread and alignment are what counts",
     "they make the access wide; what a warp touches counts more. `local_partition` with (1,256) "
     "gives a thread a column: 64-bit {tutorial|local_partition (1,256), 64-bit, one block}, "
     "128-bit "
     "{tutorial|local_partition (1,256), 128-bit, one block} GB/s in one block, and "
     "{tutorial|local_partition (1,256), 64-bit, whole GPU}, "
     "{tutorial|local_partition (1,256), 128-bit, whole GPU} on the whole GPU"),
    ("a scalar load throws 96 of the bus's 128 bits away",
     "the whole GPU with 32-bit loads, a warp along a column: "
     "{tutorial|local_partition (32,8), 32-bit, whole GPU} GB/s; with 128-bit loads "
     "{tutorial|tiled (32,8) x (4,1), 128-bit, whole GPU}"),
    ("(8,32) is a good layout of threads",
     "the whole GPU: as printed {tutorial|local_partition (8,32), whole GPU}, with 4 neighbours a "
     "thread {tutorial|tiled (8,32) x (4,1), 128-bit, whole GPU} GB/s"),
    ("`cp.async` is the real prize",
     "the whole GPU: {tutorial|tiled (32,8) x (4,1), cp.async, whole GPU} GB/s"),
]
ARTICLE = [
    ("row-major with (16,8):(8,1), (1,4): optimal", "row-major"),
    ("column-major with the same: inefficient", "column-major"),
    ("column-major with its transposed, (8,16):(16,1), (4,1): coalesced again", "its transposed"),
    ("(not in it: (8,16):(1,8), actually transposed)", "actually transposed"),
    ("`cp.async`, row-major, (16,8):(8,1), (1,8): efficient", "row-major, cp.async"),
    ("`cp.async`, column-major, its transposed", "its transposed, cp.async"),
    ("(not in it: `cp.async`, actually transposed)", "transposed, cp.async"),
    ("(32,4):(4,1), (1,8): wastes half of each cache line", "half a line, cp.async"),
]


def read(paths):
    """(group, job) -> the row of the last file that has it."""
    rows = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                rows[row["group"], row["job"]] = row
    return rows


def figure(rows, group, job):
    """The GB/s of a job, or a question mark."""
    row = rows.get((group, job))
    return f"{float(row['gb_s']):.0f}" if row else "?"


def documents(paths):
    """The two tables of claims."""
    rows = read(paths)
    print("| tutorial 000 says | measured |\n|---|---|")
    for claim, text in TUTORIAL:
        print(f"| {claim} | "
              + re.sub(r"\{([^|}]+)\|([^}]+)\}", lambda m: figure(rows, *m.groups()), text) + " |")
    print("\n| article 002 says | 4096 x 4096, GB/s | 16384 x 16384 | of memcpy |\n"
          "|---|---|---|---|")
    for claim, name in ARTICLE:
        large = rows.get(("article", f"{name}, 16384 x 16384"))
        print(f"| {claim} | {figure(rows, 'article', f'{name}, 4096 x 4096')} | "
              f"{figure(rows, 'article', f'{name}, 16384 x 16384')} | "
              f"{float(large['of_memcpy']):.3f} |" if large else
              f"| {claim} | {figure(rows, 'article', f'{name}, 4096 x 4096')} | ? | ? |")


def jobs(path, text):
    """One row for each job."""
    print("| job | GB/s | memcpy, same run | of memcpy | median of |\n|---|---|---|---|---|")
    for (group, job), row in read([path]).items():
        if text in f"{group} {job}":
            print(f"| {job} | {float(row['gb_s']):.0f} | {float(row['memcpy_gb_s']):.0f} | "
                  f"{float(row['of_memcpy']):.3f} | {row['runs']} |")


def beside(path, text):
    """One row for each job that has one beside it."""
    print("| job | GB/s | in turn with | GB/s | the latter's rate / the former's | median of |")
    print("|---|---|---|---|---|---|")
    for (group, job), row in read([path]).items():
        if text in f"{group} {job}" and row.get("beside"):
            print(f"| {job} | {float(row['gb_s']):.0f} | {row['beside']} | "
                  f"{float(row['beside_gb_s']):.0f} | {float(row['beside_of_this']):.3f} | "
                  f"{row['runs']} |")


def main():
    args = sys.argv[1:]
    if args[:1] == ["--documents"]:
        documents(args[1:])
    elif args[:1] == ["--beside"] and len(args) in (2, 3):
        beside(args[1], args[2] if len(args) == 3 else "")
    elif len(args) in (1, 2) and not args[0].startswith("-"):
        jobs(args[0], args[1] if len(args) == 2 else "")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"tables.py: {error.filename}: {error.strerror}")
