#!/usr/bin/env python3
"""The kernels of docs/gallery.md beside a device copy of as many bytes and PyTorch, eager and compiled: a TSV.

    gallery.py [--only WORD] [--compiled]

A result is compared with PyTorch's in float64, or in its own type from 9 GiB on, before it is timed. All are timed in turn,
over operands that are rotated past L2: the median microseconds, and of the copy's rate. Needs nvcc, cc and PyTorch.
"""

import argparse
import ctypes
import os
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT + "/bench")
import events


class Gpu:
    def __init__(self, torch, folder):
        self.torch, self.folder, self.images, self.driver = torch, folder, {}, ctypes.CDLL("libcuda.so.1")
        self.compiled("cc", f"{ROOT}/bench/gallery/gallery_args.c", "args.so", "-std=gnu11", "-shared", "-fPIC", "-DCT_NO_LIBRARY", "-lm")
        self.args = ctypes.CDLL(os.path.join(folder, "args.so"))
        self.args.gallery_class.restype = ctypes.c_char_p

    def compiled(self, compiler, source, name, *options):
        subprocess.run([compiler, source, "-o", os.path.join(self.folder, name), f"-I{ROOT}/include", *options], check=True)
        return os.path.join(self.folder, name).encode()

    def call(self, name, *args):
        if result := getattr(self.driver, name)(*args):
            sys.exit(f"gallery.py: {name}: CUDA error {result}")

    def tensor(self, x, shape=None, stride=None, bits=None):
        """The bytes of a ct_global."""
        shape, stride, out = shape or x.shape, stride or x.stride(), ctypes.create_string_buffer(1024)
        pair = [(ctypes.c_int64 * len(n))(*n) for n in (shape, stride)]
        size = self.args.gallery_tensor(out, ctypes.c_void_p(x.data_ptr()), bits or 8 * x.element_size(), len(shape), *pair)
        return out.raw[:size] if size > 0 else sys.exit("gallery.py: a tensor is refused")

    def kernel(self, file, name, grid, block, shared, args, *keep):
        """A call that launches a kernel of an example, and keeps its tensors."""
        if file not in self.images:
            self.images[file] = ctypes.c_void_p()
            image = self.compiled("nvcc", f"{ROOT}/examples/{file}.cu", os.path.basename(file), "-std=c++17", "-arch=sm_90a", "-cubin")
            self.call("cuModuleLoad", ctypes.byref(self.images[file]), image)
        function, held = ctypes.c_void_p(), ctypes.create_string_buffer(args, len(args) + 64)
        self.call("cuModuleGetFunction", ctypes.byref(function), self.images[file], name.encode())
        for attribute, value in ((8, shared), (14, 1)): # dynamic shared memory, clusters of more than 8 blocks
            self.call("cuFuncSetAttribute", function, attribute, value)
        pointers = (ctypes.c_void_p * 1)(ctypes.addressof(held))
        return lambda: (keep, held, self.call("cuLaunchKernel", function, *grid, block, 1, 1, shared, ctypes.c_void_p(
            self.torch.cuda.current_stream().cuda_stream), pointers, None))


def rows(gpu, op, kind, m, n):
    """(kernel, its results, PyTorch's function of operands, operands, bytes)"""
    torch, c = gpu.torch, (ctypes.c_int32 * 5)()
    x, r = (torch.randn(m, n, device="cuda").to(getattr(torch, kind)) for _ in range(2))
    y, total, w, wide = torch.empty_like(x), torch.empty_like(x), torch.randn_like(x[:1]), n * x.element_size()
    target, loss = torch.randint(0, n, (m,), device="cuda", dtype=torch.int32), torch.empty(m, device="cuda")
    held = {"softmax": wide, "rms_norm": 2 * wide, "cross_entropy": min(wide, 32 << 10)}[op]
    suffix = gpu.args.gallery_class(ctypes.c_int64(held), c).decode()
    args = b"".join((gpu.tensor(x), gpu.tensor(r), gpu.tensor(w, (m, n), (0, 1)), gpu.tensor(total), gpu.tensor(y)))
    args += struct.pack("<QQf4x", target.data_ptr(), loss.data_ptr(), 1e-6)
    run = gpu.kernel(f"rows/{op}", f"{op}_{kind}_{suffix}", (-(-m // c[0]) * c[3], 1, 1), c[1], c[4] if op == "softmax" else 64,
                     args, x, r, y, total, w, target, loss)
    if op == "softmax":
        return run, [y], lambda x: [torch.softmax(x, 1)], [x], 2 * x.nbytes
    if op == "cross_entropy":
        return run, [loss], lambda x, t: [torch.nn.functional.cross_entropy(x, t, reduction="none")], [x, target.long()], x.nbytes

    def norm(x, r, w):
        s = x + r
        return [s, torch.nn.functional.rms_norm(s, (n,), w[0], 1e-6)]
    return run, [total, y], norm, [x, r, w], 4 * x.nbytes


def stencil(gpu, points, n=16384):
    torch, x, y = gpu.torch, gpu.torch.randn(n, n, device="cuda"), gpu.torch.empty(n, n, device="cuda")
    w = [float(k + 1) if points == 9 or k in (1, 3, 4, 5, 7) else 0.0 for k in range(9)]
    name = "stencil_3x3" if points == 9 else "stencil_5"
    run = gpu.kernel("stencil", name, (n // 128, n // 32, 1), 256, 0, gpu.tensor(x) + gpu.tensor(y) + struct.pack("<9f4x", *w), y)
    return (run, [y], lambda x, w: [torch.nn.functional.conv2d(x[None, None], w.to(x.dtype), padding=1)[0, 0]],
            [x, torch.tensor(w, device="cuda").view(1, 1, 3, 3)], 2 * x.nbytes)


def gather(gpu, sequences=64, each=4096):
    pages = gpu.torch.randn(sequences * each, 16, 128, device="cuda").half()
    table, y = gpu.torch.randperm(sequences * each, device="cuda").int(), gpu.torch.empty_like(pages).view(sequences, each, 16, 128)
    args = gpu.tensor(pages) + gpu.tensor(y) + struct.pack("<Q", table.data_ptr())
    run = gpu.kernel("paged_gather", "paged_gather", (each // 4, sequences, 1), 256, 0, args, y)
    return run, [y], lambda p, t: [p[t.long()].view(sequences, each, 16, 128)], [pages, table], 2 * y.nbytes


def cast(gpu, n=16384):
    fp8 = gpu.torch.float8_e4m3fn
    x, scale = gpu.torch.randn(n, n, device="cuda").bfloat16(), gpu.torch.rand(n, device="cuda")
    y = gpu.torch.empty(n, n, device="cuda", dtype=fp8)
    args = gpu.tensor(x) + gpu.tensor(y, (n, n), (1, n)) + gpu.tensor(scale)
    run = gpu.kernel("cast_transpose", "cast_transpose", (n // 64, n // 128, 1), 256, 0, args, y)
    return run, [y], lambda x, s: [(x.float() * s.float()[:, None]).to(fp8).t().contiguous()], [x, scale], 3 * n * n


def int4(gpu, n, k):
    torch = gpu.torch
    w, x = torch.randint(0, 256, (n, k // 2), device="cuda", dtype=torch.uint8), torch.randn(16, k, device="cuda").half()
    scale, y = torch.rand(k // 128, n, device="cuda").half(), torch.zeros(16, n, device="cuda")
    args = gpu.tensor(w, (n, k), (k, 1), 4) + gpu.tensor(scale, (n, k // 128), (1, n)) + gpu.tensor(x) + gpu.tensor(y)

    def product(w, x, scale):
        q = torch.stack((w & 15, w >> 4), 2).view(n, k).to(x.dtype)
        return [x @ ((q - 16 * (q > 7)) * scale.t().repeat_interleave(128, 1)).t()]
    return gpu.kernel("int4_gemm", "int4_gemm", (k // 512, n // 64, 1), 128, 0, args, y), [y], product, [w, x, scale], w.nbytes


def graph(torch, call):
    """The same work as one launch: a launch by Python takes longer than a small kernel."""
    with torch.cuda.graph(found := torch.cuda.CUDAGraph()):
        call()
    return found.replay


def measure(gpu, name, make, o):
    run, found, function, operands, size = make(gpu)
    torch, exact = gpu.torch, size < 9 << 30 # larger ones have no room in float64
    run()
    for got, want in zip(found, function(*(x.double() if exact and x.dtype.is_floating_point else x for x in operands))):
        off = [((a.double() - b.double()).abs().amax().item(), b.double().abs().amax().item())
               for a, b in zip(got.split(1024), want.split(1024))]
        if not max(a for a, _ in off) <= max(b for _, b in off) * 2.0 ** {1: -4, 2: -7}.get(got.element_size(), -16):
            sys.exit(f"gallery.py: {name}: wrong; nothing is timed")
    sets = [(run, found, function, operands)] + [make(gpu)[:4] for _ in range((400 << 20) // size)] # several times L2
    halves = [torch.empty(2, size // 2, device="cuda", dtype=torch.uint8) for _ in sets]
    calls = {"cutlet": graph(torch, lambda: [s[0]() for s in sets]), "memcpy": graph(torch, lambda: [h[0].copy_(h[1]) for h in halves])}
    for who, f in (("eager", function), ("compiled", torch.compile(function, dynamic=False)))[:1 + o.compiled]:
        calls[who] = lambda f=f: [f(*s[3]) for s in sets]
    us = {who: 1e6 * statistics.median(t) / len(sets) for who, t in events.in_turn(torch, calls, 20).items()}
    for who, t in us.items():
        print(name, who, f"{t:.2f}", f"{us['memcpy'] / t:.3f}", sep="\t", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default="", help="the kernels whose names have this word")
    parser.add_argument("--compiled", action="store_true", help="torch.compile too")
    o = parser.parse_args()
    torch = events.pytorch("gallery.py")
    cases = {f"{op} {m} x {n} {kind}": lambda g, op=op, kind=kind, m=m, n=n: rows(g, op, kind, m, n)
             for op in ("softmax", "rms_norm", "cross_entropy") for kind in ("bfloat16", "float")
             for m, n in [(16384, 1024), (16384, 4096), (16384, 32768), (16384, 131072), (2048, 524288)]}
    cases.update({f"stencil {p}": lambda g, p=p: stencil(g, p) for p in (5, 9)}, paged_gather=gather, cast_transpose=cast)
    cases.update({f"int4_gemm {n} x 4096": lambda g, n=n: int4(g, n, 4096) for n in (4096, 14336)})
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        torch.zeros(1, device="cuda")
        gpu = Gpu(torch, folder)
        for name, make in cases.items():
            if o.only in name:
                measure(gpu, name, make, o)
                torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
