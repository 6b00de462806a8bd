#!/usr/bin/env python3
"""The kernels of a program as gcc compiles them for the CPU grid and as nvcc makes PTX of them: both print
the same results, counts and messages, but for what front_ends.txt explains, and for the place in a header
that stands behind the kernel's line.

    front_ends.py NVCC INCLUDES SCRATCH KERNELS.cu BY_GCC BY_PTX
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))
import tap

SAMPLE = ("async", "copy", "mma", "wgmma")  # one of each kind: the rest takes `./run test all`
TABLES = ("partition",)  # 128 blocks of a thread: without a loop over them at an edge the code is seven times as long


IN_HEADER = re.compile(r" \([^()]*\.h:\d+\)")


def differences(program):
    with open(os.path.join(HERE, "front_ends.txt"), encoding="utf-8") as file:
        rows = [[part.strip() for part in line.split("|")] for line in file if line.strip() and line[0] != "#"]
    assert all(len(row) == 4 and row[3] for row in rows)
    return [row[1:3] for row in rows if row[0] == program]


def main():
    nvcc, includes, scratch, source, by_gcc, by_ptx = sys.argv[1:]
    program = os.path.splitext(os.path.basename(source))[0]
    if not nvcc or not (tap.ALL or program in SAMPLE):
        print("1..0 # SKIP " + ("takes ./run test all" if nvcc else "no nvcc found"))
        return 0
    report = tap.Report()
    os.makedirs(scratch, exist_ok=True)
    ptx = os.path.join(scratch, program + ".ptx")
    status, output = tap.run([nvcc, "-std=c++17", "-arch=sm_90a", "-lineinfo", "-ptx", "-I" + includes, "-o", ptx, source])
    report.check("nvcc compiles " + program, status == 0, output)
    if status:
        return report.finish()
    with open(ptx, encoding="utf-8") as file:
        tables = re.findall(r"^\.(?:visible )?\.?global .*?(\w+)\[", file.read(), re.M)
    report.check("constants are read from tables in global memory only where they must", bool(tables) == (program in TABLES), tables)
    status, wanted = tap.run([by_gcc])
    report.check("the kernels by gcc run", status == 0, wanted)
    status, found = tap.run([by_ptx], env={**os.environ, "CUTLET_PTX": ptx})
    report.check("the kernels by PTX run", status == 0, found)
    wanted, found = IN_HEADER.sub("", wanted), IN_HEADER.sub("", found)
    for pattern, by in differences(program):
        found, count = re.subn(pattern, by, found)
        report.check(f"they still differ by {pattern}", count > 0)
    report.check("both say the same", wanted == found, f"gcc:\n{wanted}\nPTX:\n{found}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
