#!/usr/bin/env python3
"""Transposes in memory by Triton and by PyTorch, beside a device to device copy of the same bytes.

    triton_transpose.py [--runs N] [--mib LIST] [--elem LIST]

Prints tab-separated values: each transpose is compared with the source, element by element, before
it is timed with CUDA events; medians. Triton's is the best of several tiles and numbers of warps,
found on the same matrix. GB/s counts bytes read and bytes written. Needs PyTorch with Triton, and a
GPU.
"""

import argparse
import os
import statistics
import sys

import torch
import triton
import triton.language as tl

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import events

TYPES = {1: torch.int8, 2: torch.float16, 4: torch.float32, 8: torch.float64}
TILES = [(32, 32), (64, 64), (32, 128), (128, 32), (128, 64), (128, 128)]
WARPS = (4, 8)


@triton.jit
def transpose_kernel(src, dst, m, n, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                     ALONG_OUTPUT: tl.constexpr):
    """dst (n,m) row-major becomes the transpose of src (m,n) row-major."""
    first, second = tl.program_id(0), tl.program_id(1)
    block_m = first if ALONG_OUTPUT else second
    block_n = second if ALONG_OUTPUT else first
    rows = (block_m * BLOCK_M + tl.arange(0, BLOCK_M)).to(tl.int64)
    cols = (block_n * BLOCK_N + tl.arange(0, BLOCK_N)).to(tl.int64)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    tile = tl.load(src + rows[:, None] * n + cols[None, :], mask=inside)
    tl.store(dst + cols[:, None] * m + rows[None, :], tl.trans(tile), mask=tl.trans(inside))


def triton_transpose(src, dst, tile, warps, along_output):
    """Queues the kernel."""
    m, n = src.shape
    blocks = (triton.cdiv(m, tile[0]), triton.cdiv(n, tile[1]))
    grid = blocks if along_output else blocks[::-1]
    transpose_kernel[grid](src, dst, m, n, BLOCK_M=tile[0], BLOCK_N=tile[1],
                           ALONG_OUTPUT=along_output, num_warps=warps)


def as_integers(tensor):
    """The bits, so that a comparison is exact for every type."""
    return tensor.view({1: torch.int8, 2: torch.int16, 4: torch.int32,
                        8: torch.int64}[tensor.element_size()])


def is_right(src, dst):
    """Whether dst is src transposed: 1,024 columns at a time, to need little memory."""
    s, d = as_integers(src), as_integers(dst)
    return all(torch.equal(s[:, k:k + 1024].t().contiguous(), d[k:k + 1024])
               for k in range(0, s.shape[1], 1024))


def is_found(src, dst, queue):
    """Whether a transpose, made on poisoned memory, is right."""
    as_integers(dst).fill_(-18)
    queue()
    torch.cuda.synchronize()
    return is_right(src, dst)


def report(job, src, times, runs, driver):
    """One line, in the columns of `cutlet-bench matrix --tsv` that there are here."""
    times, moved = sorted(times), 2 * src.numel() * src.element_size()
    middle = statistics.median(times)
    print("\t".join(str(x) for x in (
        torch.cuda.get_device_name(), "transpose", job, src.element_size(), *src.shape, moved, runs,
        f"{middle:.9f}", f"{times[0]:.9f}", f"{times[-1]:.9f}", f"{1e-9 * moved / middle:.1f}",
        f"{driver:.9f}", f"{1e-9 * moved / driver:.1f}", f"{driver / middle:.4f}")), flush=True)


def measure(mib, elem, runs):
    """Both transposes of one matrix."""
    count = (mib << 20) // elem
    m = 1
    while m * m * 4 <= count:
        m *= 2
    n = count // m
    src = torch.randint(-128, 128, (mib << 20,), dtype=torch.int8, device="cuda")
    src = src.view(TYPES[elem])[:m * n].view(m, n)
    dst = torch.empty((n, m), dtype=TYPES[elem], device="cuda")
    flat = dst.view(m, n)
    driver = statistics.median(events.each(torch, lambda: flat.copy_(src), runs))

    def by_torch():
        dst.copy_(src.t())

    if is_found(src, dst, by_torch):
        report(f"PyTorch copy_(x.t()) {elem}", src, events.each(torch, by_torch, runs), runs, driver)
    else:
        print(f"# PyTorch, {elem} bytes: wrong, not timed", flush=True)

    best, wrong = None, 0
    for tile in TILES:
        for warps in WARPS:
            for along_output in (False, True):
                if triton.cdiv(min(m, n), min(tile)) > 65535:
                    continue

                def by_triton(tile=tile, warps=warps, along_output=along_output):
                    triton_transpose(src, dst, tile, warps, along_output)

                if not is_found(src, dst, by_triton):
                    wrong += 1
                    continue
                middle = statistics.median(events.each(torch, by_triton, 5, 1))
                if best is None or middle < best[0]:
                    best = (middle, tile, warps, along_output, by_triton)
    if wrong:
        print(f"# Triton, {elem} bytes: {wrong} configurations were wrong, not timed", flush=True)
    if best:
        _, tile, warps, along_output, queue = best
        order = "output" if along_output else "input"
        report(f"Triton {tile[0]}x{tile[1]} {warps} warps along the {order} {elem}", src,
               events.each(torch, queue, runs), runs, driver)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--mib", default="512,1024", help="the sizes of each matrix")
    parser.add_argument("--elem", default="2,4,8", help="bytes of an element")
    o = parser.parse_args()
    print(f"# PyTorch {torch.__version__}, Triton {triton.__version__}")
    print("device\tgroup\tjob\telem_bytes\trows\tcols\tbytes\truns\tmedian_s\tmin_s\tmax_s\tgb_s\t"
          "memcpy_s\tmemcpy_gb_s\tof_memcpy")
    for mib in map(int, o.mib.split(",")):
        for elem in map(int, o.elem.split(",")):
            measure(mib, elem, o.runs)


if __name__ == "__main__":
    main()
