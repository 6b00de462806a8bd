#!/usr/bin/env python3
"""A test whose launches run by both front ends, gcc's kernels and what nvcc makes of them: results are equal
bit by bit, mistakes word by word, counts row by row, but for what both.txt explains.

    both.py NVCC SCRATCH TEST -I.. -- KERNELS.cu..
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))
import tap

#: Of each kind a few that take seconds: `./run test all` takes the rest too.
SAMPLE = ("clusters", "global_copies", "grid", "grid_mistakes", "mma_stages", "mma_sync", "schedules", "tma",
          "tma_mistakes", "waits", "wgmma_descriptor", "wgmma_mistakes")


def explained(test):
    with open(os.path.join(HERE, "both.txt"), encoding="utf-8") as file:
        rows = [[part.strip() for part in re.split(r" \| ", line)] for line in file if line.strip() and line[0] != "#"]
    assert all(len(row) == 3 and row[2] for row in rows)
    return [row[1] for row in rows if row[0] == test]


def is_other_name(line):
    """Dynamic shared memory has the one name that kernel.h declares, not that of the kernel."""
    by_gcc, _, by_ptx = line.partition(": ")[2].partition("; PTX ")
    return re.fullmatch(re.escape(by_ptx).replace("ct_dynamic", r"\w+"), by_gcc) is not None


def main():
    nvcc, scratch, program = sys.argv[1:4]
    includes, kernels = sys.argv[4:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    test = os.path.basename(program).removeprefix("both_")
    if not nvcc or not (tap.ALL or test in SAMPLE):
        print("1..0 # SKIP " + ("takes ./run test all" if nvcc else "no nvcc found"))
        return 0
    report = tap.Report()
    os.makedirs(scratch, exist_ok=True)
    texts = []
    for kernel in kernels:
        texts.append(os.path.join(scratch, f"{test}_{os.path.splitext(os.path.basename(kernel))[0]}.ptx"))
        status, output = tap.run([nvcc, "-std=c++17", "-arch=sm_90a", "-lineinfo", "-ptx", *includes, "-o", texts[-1], kernel])
        report.check("nvcc compiles " + kernel, status == 0, output)
    path = os.path.join(scratch, test + ".txt")
    with open(path, "w", encoding="utf-8"):
        pass
    status, output = tap.run([program], env={**os.environ, "CUTLET_PTX": ":".join(texts), "CUTLET_DIFFERENCES": path})
    report.check("the test passes", status == 0, output)
    with open(path, encoding="utf-8") as file:
        lines = [line for line in sorted({line.rstrip("\n") for line in file}) if not is_other_name(line)]
    patterns = explained(test)
    report.check("all differences are explained", not [line for line in lines if not any(re.fullmatch(p, line) for p in patterns)],
                 "\n".join(line for line in lines if not any(re.fullmatch(p, line) for p in patterns)))
    for pattern in patterns:
        report.check(f"they still differ by {pattern}", any(re.fullmatch(pattern, line) for line in lines))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
