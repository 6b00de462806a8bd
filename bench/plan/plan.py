#!/usr/bin/env python3
"""Copies with run-time strides: copy plans beside NumPy's copyto, PyTorch's copy_ and memcpy.

    plan.py BENCH_PLAN.so [--mib N] [--runs N] [--only PART] [--effort estimate|measure] [--json FILE]

Each copy is verified first: all memory of the destination, gaps too, is compared with what NumPy
makes. Then all are timed in turn, in the same memory, and the medians printed in GB/s, bytes read
plus bytes written. The cases are those of copy_cases.tsv, made smaller, and random permutations.
"""

import argparse
import ctypes
import json
import os
import random
import statistics
import sys
import time

import numpy

try:
    import torch
except ImportError:
    torch = None

TYPES = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.uint32, 8: numpy.uint64}


def smaller(extents, old, strides):
    """The strides for smaller extents: paddings stay as they are, multiples stay multiples."""
    order = sorted((k for k in range(len(old)) if old[k] > 1), key=lambda k: abs(strides[k]))
    new = list(strides)
    end_old = end_new = 1
    for k in order:
        ratio, rest = divmod(abs(strides[k]), end_old)
        step = end_new * ratio if ratio > 1 else end_new + rest
        new[k] = step if strides[k] > 0 else -step
        end_old = old[k] * abs(strides[k])
        end_new = extents[k] * step
    return new


def read_cases(path, most_bytes):
    """(name, element bytes, shape, source strides, destination strides, offsets) within most_bytes."""
    for line in open(path):
        if line.startswith("#"):
            continue
        name, size, *rest = line.rstrip("\n").split("\t")
        shape, src, dst = ([int(x) for x in field.split(",")] for field in rest[:3])
        extents = list(shape)

        def span(strides):
            return (1 + sum((e - 1) * abs(s) for e, s in zip(extents, strides))) * int(size)
        while max(span(smaller(extents, shape, s)) for s in (src, dst)) > most_bytes:
            k = extents.index(max(extents))
            extents[k] = extents[k] // 2 | extents[k] & 1
        yield (name, int(size), extents, smaller(extents, shape, src), smaller(extents, shape, dst),
               int(rest[3]), int(rest[4]))


def permutations(count, most_bytes):
    """Random permutations of rank 3 to 6, of a compact array to a compact one."""
    dice = random.Random(7)
    for number in range(count):
        rank, size = 3 + number % 4, dice.choice([1, 2, 4, 8])
        shape = [dice.randint(2, 40) for _ in range(rank)]
        while numpy.prod(shape, dtype=float) * size * 2 < most_bytes:
            k = dice.randrange(rank)
            shape[k] = shape[k] * 2 + dice.randint(0, 1)
        while numpy.prod(shape, dtype=float) * size > most_bytes:
            k = shape.index(max(shape))
            shape[k] //= 2
        order = dice.sample(range(rank), rank)
        src, dst = [0] * rank, [0] * rank
        run = 1
        for k in reversed(range(rank)):
            src[k] = run
            run *= shape[k]
        run = 1
        for k in reversed(order):
            dst[k] = run
            run *= shape[k]
        yield (f"permute_{'x'.join(map(str, shape))}_{''.join(map(str, order))}_{size}", size, shape,
               src, dst, 0, 0)


class Side:
    """Memory of one side, and the ways that others see it."""

    def __init__(self, size, shape, strides, offset, fill):
        before = sum((e - 1) * -s for e, s in zip(shape, strides) if s < 0)
        after = sum((e - 1) * s for e, s in zip(shape, strides) if s > 0)
        self.first = max(offset, before)
        self.memory = numpy.empty((self.first + after + 1 + 64,), TYPES[size])
        self.shape, self.strides, self.size = shape, strides, size
        if fill:
            bits = numpy.arange(1 << 16, dtype=numpy.uint64) * 0x9E3779B97F4A7C15 >> numpy.uint64(23)
            self.memory[:] = numpy.resize(bits.astype(TYPES[size]), self.memory.shape)
        else:
            self.memory[:] = 0xA5
        self.array = numpy.lib.stride_tricks.as_strided(
            self.memory[self.first:], shape, [s * size for s in strides])
        self.at = self.memory.ctypes.data + self.first * size

    def text(self):
        """The layout; index order is any, so long as both sides have the same."""
        return f"({','.join(map(str, self.shape))}):({','.join(map(str, self.strides))})"

    def tensor(self):
        kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[self.size]
        signed = {1: numpy.uint8, 2: numpy.int16, 4: numpy.int32, 8: numpy.int64}[self.size]
        whole = torch.from_numpy(self.memory.view(signed))
        return whole.to(kind, copy=False).as_strided(self.shape, self.strides, self.first)


def measure(ways, runs):
    """The median of each, in turn."""
    times = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            time.sleep(0.02)  # threads of others still wait for work, and take a core while they do
            before = time.perf_counter()
            way()
            times[name].append(time.perf_counter() - before)
    return {name: statistics.median(t) for name, t in times.items()}


def one_case(lib, case, args):
    name, size, shape, src_strides, dst_strides, src_offset, dst_offset = case
    src = Side(size, shape, src_strides, src_offset, True)
    dst = Side(size, shape, dst_strides, dst_offset, False)
    message = ctypes.create_string_buffer(320)
    plan = lib.bench_plan_make(src.text().encode(), dst.text().encode(), size,
                               int(args.effort == "measure"), message)
    if not plan:
        sys.exit(f"{name}: {message.value.decode()}")
    if lib.bench_plan_run(plan, dst.at, src.at, 1, message):
        sys.exit(f"{name}: {message.value.decode()}")
    ours = dst.memory.copy()
    dst.memory[:] = 0xA5
    numpy.copyto(dst.array, src.array)
    if not numpy.array_equal(ours, dst.memory):
        sys.exit(f"{name}: wrong result; nothing is timed")
    bytes_ = int(numpy.prod(shape)) * size
    other = numpy.empty(bytes_, numpy.uint8)
    plain = numpy.empty(bytes_, numpy.uint8)
    plain[:] = other[:] = 1
    ways = {"ours": lambda: lib.bench_plan_run(plan, dst.at, src.at, 1, message),
            "numpy": lambda: numpy.copyto(dst.array, src.array),
            "memcpy": lambda: lib.bench_memcpy(other.ctypes.data, plain.ctypes.data, bytes_)}
    if torch and min(src_strides + dst_strides) >= 0:
        a, b = src.tensor(), dst.tensor()
        ways["torch"] = lambda: b.copy_(a)
    text = ctypes.create_string_buffer(1024)
    lib.bench_plan_describe(plan, text, 1024)
    row = {"name": name, "elem_bytes": size, "shape": shape, "bytes": bytes_,
           "form": text.value.decode().split(":")[0]}
    for way, seconds in measure(ways, args.runs).items():
        row[way] = round(2e-9 * bytes_ / seconds, 2)
    if args.verbose:
        print(text.value.decode().strip())
    lib.bench_plan_drop(plan)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--mib", type=int, default=128, help="of the larger side of each case")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--effort", default="estimate", choices=["estimate", "measure"])
    parser.add_argument("--verbose", action="store_true", help="describe each plan")
    parser.add_argument("--json", help="write the rows to a file")
    args = parser.parse_args()
    lib = ctypes.CDLL(os.path.abspath(args.library))
    lib.bench_plan_make.restype = ctypes.c_void_p
    lib.bench_plan_run.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_int, ctypes.c_char_p]
    lib.bench_plan_describe.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    lib.bench_plan_drop.argtypes = [ctypes.c_void_p]
    lib.bench_memcpy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
    here = os.path.dirname(os.path.abspath(__file__))
    cases = list(read_cases(os.path.join(here, "copy_cases.tsv"), args.mib << 20))
    cases += permutations(30, args.mib << 20)
    rows = []
    print(f"{'case':44} {'form':10} {'MiB':>6} {'plan':>6} {'NumPy':>6} {'torch':>6} {'memcpy':>6}"
          "  /NumPy /torch /memcpy")
    for case in cases:
        if args.only not in case[0]:
            continue
        row = one_case(lib, case, args)
        rows.append(row)
        print(f"{row['name'][:44]:44} {row['form']:10} {row['bytes'] / 2**20:6.1f} {row['ours']:6.2f} "
              f"{row['numpy']:6.2f} {row.get('torch', float('nan')):6.2f} {row['memcpy']:6.2f} "
              f"{row['ours'] / row['numpy']:7.2f} {row['ours'] / row.get('torch', float('nan')):6.2f} "
              f"{row['ours'] / row['memcpy']:6.2f}", flush=True)
    if args.json:
        with open(args.json, "w") as out:
            json.dump({"effort": args.effort, "runs": args.runs, "rows": rows}, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main()
