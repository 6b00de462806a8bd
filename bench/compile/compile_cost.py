#!/usr/bin/env python3
"""What a tiled copy costs to compile: time and memory, beside CuTe's and beside an empty kernel.

    compile_cost.py [--nvcc NVCC] [--cute INCLUDE] [--runs N] [--arch ARCH] [--object]

INCLUDE is the folder of CuTe's headers (of the PyPI package nvidia-cutlass:
cutlass_library/source/include). Each file is compiled with `nvcc -std=c++17 -arch=ARCH -cubin`, or
-c with --object, in turn with the others; the first compilation of each does not count. The memory
is that of the largest of nvcc's processes; CPU time is that of all of them, and hardly depends on
what else the machine does. `over empty` is what is left without the empty kernel's cost.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OWN = ["-I" + os.path.join(ROOT, "include"), "-I" + os.path.join(ROOT, "device")]


def compile_once(command):
    """Wall seconds, CPU seconds and peak MB of a command that has to succeed."""
    start = time.monotonic()
    pid = os.spawnvp(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - start
    if status:
        sys.exit("compile_cost.py: failed: " + " ".join(command))
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def show(text):
    """Tells a terminal what is running."""
    if sys.stderr.isatty():
        print(f"\r{text:60}\r", end="", file=sys.stderr, flush=True)


def measure(commands, runs):
    """name -> the medians of what compile_once returns."""
    figures = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            show(f"{turn}/{runs} {name}")
            figure = compile_once(command)
            if turn:
                figures[name].append(figure)
    show("")
    return {name: [statistics.median(column) for column in zip(*rows)]
            for name, rows in figures.items()}


def print_tables(costs, empty, own, cute):
    """The costs, and ours as parts of CuTe's where both are there."""
    print("| compiled | wall, s | CPU, s | memory, MB | over empty: wall | CPU | memory |")
    print("|---|---|---|---|---|---|---|")
    for name, cost in costs.items():
        over = [c - e for c, e in zip(cost, costs[empty])]
        print(f"| {name} | {cost[0]:.2f} | {cost[1]:.2f} | {cost[2]:.0f} | "
              f"{over[0]:.2f} | {over[1]:.2f} | {over[2]:.0f} |")
    if cute not in costs:
        return
    print("\n| CuTe's cost / ours | wall | CPU | memory |\n|---|---|---|---|")
    base = costs[empty]
    for what, a, b in (
            ("all of it", costs[cute], costs[own]),
            ("over the empty kernel", [c - e for c, e in zip(costs[cute], base)],
             [c - e for c, e in zip(costs[own], base)]),
            ("the most that can be: CuTe's / the empty kernel's", costs[cute], base)):
        print(f"| {what} | " + " | ".join(f"{x / y:.1f}" for x, y in zip(a, b)) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cute", help="the folder of CuTe's headers")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--object", action="store_true", help="-c instead of -cubin")
    o = parser.parse_args()
    empty, own = "an empty kernel", "the tiled copy, whole tiles"
    cute = "the tiled copy with CuTe, whole tiles"
    files = {
        empty: ["empty.cu"],
        "`#include <cutlet/cutlet.h>`": ["algebra.cu", *OWN],
        own: ["tiled_copy.cu", "-DWHOLE_TILES", *OWN],
        "the tiled copy, any extents and addresses": ["tiled_copy.cu", *OWN],
        "tensors sliced, tiled and partitioned in the kernel": ["unchecked.cu", *OWN],
    }
    if o.cute:
        files["the slice, tile and partition with CuTe"] = ["../peers/cute_slice.cu", "-I" + o.cute]
        files[cute] = ["../peers/cute_copy.cu", "-DCUTE_COPY_ONE", "-I" + o.cute]
    with tempfile.TemporaryDirectory() as scratch:
        commands = {name: [o.nvcc, "-std=c++17", "-arch=" + o.arch, "-c" if o.object else "-cubin",
                           "-o", os.path.join(scratch, "out"), os.path.join(HERE, file), *flags]
                    for name, (file, *flags) in files.items()}
        costs = measure(commands, o.runs)
    load = os.getloadavg()
    print(f"{os.cpu_count()} CPUs, load {load[0]:.1f}, median of {o.runs}, "
          f"{'-c' if o.object else '-cubin'} for {o.arch}\n")
    print_tables(costs, empty, own, cute)


if __name__ == "__main__":
    main()
