#!/usr/bin/env python3
"""Copies with run-time strides: copy plans beside NumPy's copyto, PyTorch's copy_ and memcpy; with
--gpu, on a CUDA device beside PyTorch's copy_ and the driver's memcpy.

    plan.py BENCH_PLAN.so [--gpu] [--mib N] [--runs N] [--only PART] [--effort E] [--json FILE]

Each copy is verified first: all memory of the destination, gaps too, is compared with what NumPy (with
--gpu, PyTorch) makes. Then all are timed in turn, in the same memory, and the medians printed in GB/s,
bytes read plus bytes written. The cases are those of copy_cases.tsv, on the CPU made smaller, and
random permutations.
"""

import argparse
import datetime
import os
import statistics
import sys
import time

import cases
import library as plans
import table


PAGE = 4096  # where memory begins


class Side:
    """Memory of one side, and the ways that others see it."""

    def __init__(self, numpy, case, strides, offset, fill):
        kind = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.uint32, 8: numpy.uint64}[case.size]
        self.first, length = case.place(strides, offset)
        capacity = numpy.empty((length + 64) * case.size + PAGE, numpy.uint8)
        skip = -capacity.ctypes.data % PAGE
        self.memory = capacity[skip:skip + (length + 64) * case.size].view(kind)
        self.case, self.strides = case, strides
        if fill:
            bits = numpy.arange(1 << 16, dtype=numpy.uint64) * 0x9E3779B97F4A7C15 >> numpy.uint64(23)
            self.memory[:] = numpy.resize(bits.astype(kind), self.memory.shape)
        else:
            self.memory[:] = 0xA5
        self.array = numpy.lib.stride_tricks.as_strided(
            self.memory[self.first:], case.shape, [s * case.size for s in strides])
        self.at = self.memory.ctypes.data + self.first * case.size

    def tensor(self, torch):
        """The elements as PyTorch sees them."""
        kind = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}[self.case.size]
        return torch.from_numpy(self.memory.view(kind)).as_strided(self.case.shape, self.strides,
                                                                   self.first)


def page_of(array):
    """The first page's address in an array of bytes."""
    return -(-array.ctypes.data // PAGE) * PAGE


def in_turn(ways, runs):
    """The seconds of each way, in turn."""
    times = {name: [] for name in ways}
    order = list(ways)
    for _ in range(runs):
        for name in order:
            time.sleep(0.02)  # threads of others still wait for work, and take a core while they do
            before = time.perf_counter()
            ways[name]()
            times[name].append(time.perf_counter() - before)
        order = order[1:] + order[:1]
    return times


def one_case(modules, library, case, args):
    """The row of a case; exits where a result is wrong."""
    numpy, torch = modules
    src = Side(numpy, case, case.src, case.src_offset, True)
    dst = Side(numpy, case, case.dst, case.dst_offset, False)
    try:
        plan = plans.Plan(library, case, args.effort)
        plan.run(dst.at, src.at)
    except plans.Failure as failure:
        sys.exit(f"{case.name}: {failure}")
    ours = dst.memory.copy()
    dst.memory[:] = 0xA5
    numpy.copyto(dst.array, src.array)
    if not numpy.array_equal(ours, dst.memory):
        sys.exit(f"{case.name}: wrong result; nothing is timed")
    del ours
    size = case.bytes()
    other, plain = (numpy.ones(size + PAGE, numpy.uint8) for _ in range(2))
    ways = {"estimate": lambda: plan.run(dst.at, src.at),
            "numpy": lambda: numpy.copyto(dst.array, src.array),
            "memcpy": lambda: library.bench_memcpy(page_of(other), page_of(plain), size)}
    if torch and min(case.src + case.dst) >= 0:
        a, b = src.tensor(torch), dst.tensor(torch)
        ways["torch"] = lambda: b.copy_(a)
    times = in_turn(ways, args.runs)
    times[args.effort] = times.pop("estimate")
    if args.verbose:
        print(plan.text())
    return {"name": case.name, "elem_bytes": case.size, "shape": case.shape, "bytes": size,
            "form": plan.form(), "plan": {args.effort: plan.text()}, "failed": {},
            "seconds": {way: statistics.median(t) for way, t in times.items()},
            "spread": {way: [min(t), max(t)] for way, t in times.items()}}


def print_row(row, ours):
    """One line of the table."""
    rate = {way: 2e-9 * row["bytes"] / seconds for way, seconds in row["seconds"].items()}
    torch = rate.get("torch", float("nan"))
    print(f"{row['name'][:44]:44} {row['form'][:10]:10} {row['bytes'] / 2**20:6.1f} {rate[ours]:6.2f} "
          f"{rate['numpy']:6.2f} {torch:6.2f} {rate['memcpy']:6.2f} {rate[ours] / rate['numpy']:7.2f} "
          f"{rate[ours] / torch:6.2f} {rate[ours] / rate['memcpy']:7.2f}", flush=True)


def processor():
    """Its name, where the system says it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown"


def on_cpu(args):
    """The comparison on the CPU."""
    import numpy
    try:
        import torch
    except ImportError:
        torch = None
    args.mib, args.runs = args.mib or 128, args.runs or 7
    library = plans.load(args.library)
    about = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
             "device": f"{processor()}, {len(os.sched_getaffinity(0))} processors",
             "numpy": numpy.__version__, "torch": torch.__version__ if torch else None}
    data = {"about": about, "options": {"mib": args.mib, "rounds": args.runs, "effort": args.effort},
            "results": []}
    print("GB/s, bytes read plus bytes written" + ("" if torch else "; PyTorch is not installed"))
    print(f"{'case':44} {'form':10} {'MiB':>6} {'plan':>6} {'NumPy':>6} {'torch':>6} {'memcpy':>6}"
          f" {'/NumPy':>7} {'/torch':>6} {'/memcpy':>7}")
    for case in cases.every(args.mib, args.mib, args.only):
        row = one_case((numpy, torch), library, case, args)
        data["results"].append(row)
        print_row(row, args.effort)
    if args.json:
        table.save(data, args.json)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("library", help="libbench_plan.so of the build folder")
    parser.add_argument("--gpu", action="store_true", help="on a CUDA device, which needs PyTorch")
    parser.add_argument("--dry", action="store_true",
                        help="--gpu's steps on the CPU, to try them without a GPU")
    parser.add_argument("--mib", type=int,
                        help="make cases smaller: this many MiB of the larger side\n"
                             "(128; with --gpu, as listed, and permutations of 1024)")
    parser.add_argument("--runs", type=int, help="rounds that the medians are taken of (7, --gpu 15)")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--effort", default="estimate", choices=[*plans.EFFORTS, "both"],
                        help="how plans are found; both is for --gpu")
    parser.add_argument("--limit", type=int, default=120, help="seconds that a case of --gpu may take")
    parser.add_argument("--verbose", action="store_true", help="describe each plan")
    parser.add_argument("--json", help="write the figures to a file")
    args = parser.parse_args()
    if args.gpu or args.dry:
        import gpu
        return gpu.main(args)
    if args.effort == "both":
        parser.error("--effort both is for --gpu")
    return on_cpu(args)


if __name__ == "__main__":
    sys.exit(main())
