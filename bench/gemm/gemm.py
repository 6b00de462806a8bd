#!/usr/bin/env python3
"""The GEMM examples beside cuBLAS (by PyTorch) and Triton's mma.sync, on a CUDA device.

    gemm.py [--types half,bfloat16,float,int8] [--sizes 4096x4096x4096,...] [--runs N] [--triton]

Compiles examples/gemm/mma_sync.cu, and wgmma.cu for sm_90a, by nvcc for the device that is there.
Operands are integers from -2 to 2; each result, with alpha 1 and beta 0 and with alpha 2 and beta -1, is compared whole with a
product in doubles, or in PyTorch's half for large ones, before anything is timed. All are timed in
turn by the device's clock; a row has TFLOP/s, medians of the rounds. Needs nvcc, cc and PyTorch.
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TILE, THREADS, SHARED = 128, 128, 3 * (128 + 128) * 128  # mma_sync.h
WGMMA_THREADS, WGMMA_SHARED = 384, 4 * (128 + 256) * 128  # wgmma_args.h
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
SIZES = "4096x4096x4096,8192x8192x8192,4095x4097x4099,1024x1024x1024,256x16384x4096,16384x16384x1024"
LARGE = 1 << 33


def check(result, what):
    if result:
        sys.exit(f"gemm.py: {what}: CUDA error {result}")


class Kernels:
    """The kernels of the examples, and what makes their arguments."""

    def __init__(self, torch, folder):
        major, minor = torch.cuda.get_device_capability()
        library = os.path.join(folder, "gemm_args.so")
        include = ["-I" + os.path.join(ROOT, "include")]
        subprocess.run(["cc", "-std=c11", "-O1", "-shared", "-fPIC", *include, "-o", library,
                        os.path.join(HERE, "gemm_args.c")], check=True)
        torch.zeros(1, device="cuda")  # makes the context current
        self.torch, self.driver = torch, ctypes.CDLL("libcuda.so.1")
        self.library, self.modules = ctypes.CDLL(library), {}
        arch = f"sm_{major}{minor}"
        for name, of in ("mma_sync", arch), ("wgmma", "sm_90a" if arch == "sm_90" else None):
            image = os.path.join(folder, name + ".cubin")
            if not of:
                continue
            subprocess.run(["nvcc", "-std=c++17", "-arch=" + of, "-cubin", *include, "-o", image,
                            os.path.join(ROOT, "examples", "gemm", name + ".cu")], check=True)
            self.modules[name] = ctypes.c_void_p()
            check(self.driver.cuModuleLoad(ctypes.byref(self.modules[name]), image.encode()), image)

    def call(self, module, name, blocks, threads, shared, argument):
        """A call that launches a kernel."""
        function = ctypes.c_void_p()
        check(self.driver.cuModuleGetFunction(ctypes.byref(function), self.modules[module], name.encode()), name)
        check(self.driver.cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, shared), name)
        pointers = (ctypes.c_void_p * 1)(ctypes.addressof(argument))

        def run():
            stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
            check(self.driver.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, shared, stream, pointers, None),
                  name)
        run.keep = argument
        return run

    def launch(self, name, operands, extent, factors):
        """A call that runs a kernel of mma_sync.cu on A, B, C and D."""
        out = ctypes.create_string_buffer(4096)
        size = self.library.gemm_make_args(
            out, len(out), (ctypes.c_void_p * 4)(*(x.data_ptr() for x in operands)), (ctypes.c_int64 * 3)(*extent),
            (ctypes.c_int64 * 4)(*(x.stride(0) for x in operands)), 8 * operands[0].element_size(),
            8 * operands[3].element_size(), *map(ctypes.c_float, factors))
        if size < 0:
            sys.exit(f"gemm.py: {name}: an operand is refused")
        blocks = -(-extent[0] // TILE) * -(-extent[1] // TILE)
        return self.call("mma_sync", "gemm_" + name, blocks, THREADS, SHARED, out)

    def launch_wgmma(self, name, operands, extent, factors):
        """The same by wgmma; None where the device or the operands do not allow it."""
        if "wgmma" not in self.modules or name not in ("half", "bfloat16"):
            return None
        room = ctypes.create_string_buffer(4096 + 64)
        out = (ctypes.c_char * 4096).from_buffer(room, -ctypes.addressof(room) % 64)
        size = self.library.gemm_make_wgmma_args(
            out, len(out), self.driver.cuTensorMapEncodeTiled,
            (ctypes.c_void_p * 4)(*(x.data_ptr() for x in operands)), (ctypes.c_int64 * 3)(*extent),
            (ctypes.c_int64 * 4)(*(x.stride(0) for x in operands)), int(name == "half"),
            *map(ctypes.c_float, factors))
        if size < 0:
            return None
        blocks = self.torch.cuda.get_device_properties(0).multi_processor_count // 2 * 2
        return self.call("wgmma", "gemm_wgmma_" + name, blocks, WGMMA_THREADS, WGMMA_SHARED, out)


def in_turn(torch, calls, rounds):
    """The median seconds of each call."""
    times = {name: [] for name in calls}
    for _ in range(rounds + 1):
        for name, call in calls.items():
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            for _ in range(5):
                call()
            end.record()
            end.synchronize()
            times[name].append(begin.elapsed_time(end) / 5e3)
    return {name: statistics.median(t[1:]) for name, t in times.items()}


def sides(torch, kind, extent):
    """A, B, C and D; rows of odd extents lie side by side."""
    m, n, k = extent
    result = torch.int32 if kind == torch.int8 else kind
    shapes = (((m, k), kind), ((n, k), kind), ((m, n), result), ((m, n), result))
    return [torch.randint(-2, 3, shape, device="cuda").to(of) for shape, of in shapes]


def verify(torch, kernels, name, operands, extent):
    """Compares whole results; ends the program where one is wrong."""
    a, b, c, d = operands
    small = extent[0] * extent[1] * extent[2] < LARGE
    product = a.double() @ b.double().t() if small else (a.half() @ b.half().t()).float()
    for alpha, beta in ((1.0, 0.0), (2.0, -1.0)):
        want = (alpha * product + beta * c.to(product.dtype)).to(d.dtype)
        for launch in kernels.launch, kernels.launch_wgmma:
            run = launch(name, operands, extent, (alpha, beta))
            d.zero_()
            if run:
                run()
            if run and not torch.equal(d, want):
                sys.exit(f"{name} {extent}, {launch.__name__}: wrong result; nothing is timed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--types", default="half,bfloat16,float,int8")
    parser.add_argument("--sizes", default=SIZES, help="m x n x k of each, as 64x64x64,100x7x9")
    parser.add_argument("--runs", type=int, default=11, help="rounds that the medians are of (11)")
    parser.add_argument("--triton", action="store_true", help="beside Triton's mma.sync too")
    args = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit("gemm.py needs PyTorch, and a CUDA device")
    if not torch.cuda.is_available():
        sys.exit("gemm.py: PyTorch finds no CUDA device")
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.manual_seed(1)
    kinds = {"half": torch.half, "bfloat16": torch.bfloat16, "float": torch.float32, "int8": torch.int8}
    with tempfile.TemporaryDirectory() as folder:
        kernels = Kernels(torch, folder)
        print(f"# {torch.cuda.get_device_name()}, PyTorch {torch.__version__}")
        print("type\tm\tn\tk\tmma_sync\twgmma\tcublas\ttriton\ttriton_tile")
        for name in args.types.split(","):
            for size in args.sizes.split(","):
                extent = tuple(map(int, size.split("x")))
                operands = sides(torch, kinds[name], extent)
                verify(torch, kernels, name, operands, extent)
                row(torch, kernels, name, operands, extent, args)


def row(torch, kernels, name, operands, extent, args):
    """Times a size, and prints it."""
    a, b, _, d = operands
    calls, tile = {"mma_sync": kernels.launch(name, operands, extent, (1.0, 0.0))}, ""
    by_wgmma = kernels.launch_wgmma(name, operands, extent, (1.0, 0.0))
    if by_wgmma:
        calls["wgmma"] = by_wgmma
    if name != "int8":
        calls["cublas"] = lambda: torch.matmul(a, b.t(), out=d)
    elif all(x % 8 == 0 for x in extent):
        calls["cublas"] = lambda: torch._int_mm(a, b.t())  # pylint: disable=protected-access
    if args.triton and name in ("half", "bfloat16") and extent[2] % 64 == 0:
        import triton_mma
        tile, calls["triton"] = triton_mma.fastest(a, b, d)
    operations = 2e-12 * extent[0] * extent[1] * extent[2]
    rate = {way: f"{operations / s:.1f}" for way, s in in_turn(torch, calls, args.runs).items()}
    print("\t".join([name, *map(str, extent), *(rate.get(w, "") for w in ("mma_sync", "wgmma", "cublas", "triton")),
                     tile]), flush=True)


if __name__ == "__main__":
    main()
