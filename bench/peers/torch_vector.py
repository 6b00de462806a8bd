#!/usr/bin/env python3
"""Element-wise kernels, sums and layer norm by PyTorch, beside a device to device copy of the same bytes.

    torch_vector.py [--runs N] [--mib N] [--compile]

Prints tab-separated values: medians by CUDA events, after the result was compared with float64 on part of
the data. GB/s counts bytes read and bytes written (of a sum, bytes read). With --compile also what
torch.compile makes of the layer norm. Needs PyTorch and a GPU.
"""

import argparse
import os
import statistics
import sys

import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import events

ROWS, HIDDEN = 65536, 4096


def is_near(found, right, tolerance):
    """Whether all of a part is within the tolerance of float64."""
    return bool(((found.double() - right).abs() <= tolerance * (1 + right.abs())).all())


def report(name, dtype, moved, queue, runs, right):
    """One line."""
    seconds = statistics.median(events.each(torch, queue, runs))
    print(f"{name}\t{str(dtype).split('.')[-1]}\t{moved}\t{moved / seconds * 1e-9:.1f}\t"
          f"{'right' if right else 'WRONG'}", flush=True)


def elementwise(dtype, mib, runs):
    """A copy, ReLU and GELU of an array of this many MiB."""
    src = torch.randn(mib * 2**20 // torch.empty(0, dtype=dtype).element_size(), device="cuda",
                      dtype=dtype)
    dst = torch.empty_like(src)
    moved = 2 * src.numel() * src.element_size()
    unit = torch.finfo(dtype).eps
    part = src[:2**20].double()
    report("copy", dtype, moved, lambda: dst.copy_(src), runs, torch.equal(dst.copy_(src), src))
    del dst
    report("relu", dtype, moved, lambda: F.relu(src), runs,
           torch.equal(F.relu(src)[:2**20].double(), part.clamp(min=0)))
    report("gelu", dtype, moved, lambda: F.gelu(src, approximate="tanh"), runs,
           is_near(F.gelu(src, approximate="tanh")[:2**20], F.gelu(part, approximate="tanh"), 4 * unit))


def sums(runs):
    """The sum of 2^28 floats."""
    src = torch.randn(2**28, device="cuda")
    right = sum(float(part.double().sum()) for part in src.split(2**24))
    report("sum", src.dtype, 4 * src.numel(), src.sum, runs,
           abs(float(src.sum()) - right) <= 1e-6 * float(src.abs().sum()))


def layer_norms(dtype, runs, compiled):
    """Layer norm of 65536 rows of 4096."""
    src = torch.randn(ROWS, HIDDEN, device="cuda", dtype=dtype)
    weight = torch.randn(HIDDEN, device="cuda", dtype=dtype)
    bias = torch.randn(HIDDEN, device="cuda", dtype=dtype)
    moved = 2 * src.numel() * src.element_size()

    def norm(x):
        return F.layer_norm(x, (HIDDEN,), weight, bias)

    right = F.layer_norm(src[:64].double(), (HIDDEN,), weight.double(), bias.double())
    unit = torch.finfo(dtype).eps
    report("layer_norm", dtype, moved, lambda: norm(src), runs, is_near(norm(src)[:64], right, 8 * unit))
    if compiled:
        fast = torch.compile(norm)
        report("layer_norm compiled", dtype, moved, lambda: fast(src), runs,
               is_near(fast(src)[:64], right, 8 * unit))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--mib", type=int, default=512)
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    print(f"# PyTorch {torch.__version__}, {torch.cuda.get_device_name()}")
    print("what\ttype\tbytes\tGB/s\tresult")
    for dtype in (torch.float32, torch.float16):
        elementwise(dtype, options.mib, options.runs)
    sums(options.runs)
    for dtype in (torch.float16, torch.float32):
        layer_norms(dtype, options.runs, options.compile)


if __name__ == "__main__":
    main()
