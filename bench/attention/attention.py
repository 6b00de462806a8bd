#!/usr/bin/env python3
"""The attention example beside PyTorch's backends of scaled_dot_product_attention, on a CUDA device.

    attention.py [--cases BxHxSxD,...] [--runs N] [--keys N,...]

Compiles examples/attention/attention.cu for sm_90a by nvcc, once for each number of keys of a tile. Each
result, whole and causal, of odd extents too, is compared with attention in doubles before anything is
timed. All are timed in turn by the device's clock; a row has TFLOP/s, medians of the rounds, where a causal
product counts half. Needs nvcc, cc and PyTorch.
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import events

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
CASES = "4x16x4096x128,2x16x8192x128,1x16x16384x128,4x32x4096x64"
CHECKS = [(3, 128, 128), (2, 1, 1), (1, 300, 300), (2, 1000, 1000), (1, 64, 1000), (1, 257, 129)]
# The difference of a result, at most, as a part of the largest number of its row: rounding to bfloat16, of the weights
# and of the result.
TOLERANCE = 2 ** -7


def check(result, what):
    if result:
        sys.exit(f"attention.py: {what}: CUDA error {result}")


class Kernels:
    """The kernels with tiles of this many keys."""

    def __init__(self, torch, folder, keys, ready=None):
        define = f"-DATTENTION_KEYS={keys}"
        include = ["-I" + os.path.join(ROOT, "include")]
        library = os.path.join(folder, f"attention_args_{keys}.so")
        image = ready or os.path.join(folder, f"attention_{keys}.cubin")
        subprocess.run(["cc", "-std=c11", "-O1", "-shared", "-fPIC", define, *include, "-DCT_NO_LIBRARY", "-o",
                        library, os.path.join(HERE, "attention_args.c")], check=True)
        if not ready:
            subprocess.run(["nvcc", "-std=c++17", "-arch=sm_90a", "-cubin", define, *include, "-o", image,
                            os.path.join(ROOT, "examples", "attention", "attention.cu")], check=True)
        torch.zeros(1, device="cuda")  # makes the context current
        self.torch, self.driver, self.library = torch, ctypes.CDLL("libcuda.so.1"), ctypes.CDLL(library)
        self.library.attention_make_args.argtypes = [
            ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64,
            ctypes.c_int64, ctypes.c_int64, ctypes.c_float]
        self.module = ctypes.c_void_p()
        check(self.driver.cuModuleLoad(ctypes.byref(self.module), image.encode()), image)

    def launch(self, q, k, v, o, causal):
        """A call that computes o. Operands are (heads, rows, d)."""
        heads, m, d = q.shape
        n = k.shape[1]
        capacity = ctypes.create_string_buffer(4096 + 64)
        at = ctypes.addressof(capacity) + -ctypes.addressof(capacity) % 64
        operands = (ctypes.c_void_p * 4)(*(x.data_ptr() for x in (q, k, v, o)))
        if self.library.attention_make_args(at, 4096, self.driver.cuTensorMapEncodeTiled, operands, m, n, d, heads,
                                            d ** -0.5) < 0:
            sys.exit("attention.py: an operand is refused")
        name = f"attention_{d}{'_causal' if causal else ''}"
        function = ctypes.c_void_p()
        check(self.driver.cuModuleGetFunction(ctypes.byref(function), self.module, name.encode()), name)
        shared = self.library.attention_shared(d)
        check(self.driver.cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, shared), name)
        pointers = (ctypes.c_void_p * 1)(at)
        tiles, threads = -(-m // self.library.attention_rows()), self.library.attention_threads()

        def run():
            stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
            check(self.driver.cuLaunchKernel(function, tiles, heads, 1, threads, 1, 1, shared, stream, pointers, None),
                  name)
        run.keep = capacity
        return run


def exact(torch, q, k, v, causal):
    """Attention in doubles."""
    scores = q.double() @ k.double().transpose(1, 2) * q.shape[2] ** -0.5
    if causal:
        scores.masked_fill_(torch.ones(scores.shape[1:], device="cuda").triu(1).bool(), float("-inf"))
    return torch.softmax(scores, dim=2) @ v.double()


def verify(torch, kernels, d):
    """Compares whole results; ends the program where one is wrong."""
    worst = 0.0
    for heads, m, n in CHECKS:
        for causal in (False, True):
            if causal and n < m:
                continue
            q, k, v = (torch.randn((heads, rows, d), device="cuda").bfloat16() for rows in (m, n, n))
            o = torch.full((heads, m, d), float("nan"), device="cuda", dtype=torch.bfloat16)
            kernels.launch(q, k, v, o, causal)()
            torch.cuda.synchronize()
            want = exact(torch, q, k, v, causal)
            off = ((o.double() - want).abs() / want.abs().amax(2, keepdim=True)).max().item()
            if not off <= TOLERANCE:
                sys.exit(f"attention.py: d {d}, {heads} x {m} x {n}, causal {causal}: off by {off}; nothing is timed")
            worst = max(worst, off)
    print(f"# d {d}: {len(CHECKS)} extents, whole and causal, off by {worst:.5f} of a row's largest at most",
          file=sys.stderr)


def in_turn(torch, calls, rounds):
    """The median seconds of each call, of three one after the other."""
    def three(call):
        return lambda: [call() for _ in range(3)]
    times = events.in_turn(torch, {name: three(call) for name, call in calls.items()}, rounds)
    return {name: statistics.median(found) / 3 for name, found in times.items()}


def backends(torch, operands, causal):
    """PyTorch's, by name: those that take the operands."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    calls = {}
    for name, backend in (("cudnn", SDPBackend.CUDNN_ATTENTION), ("flash", SDPBackend.FLASH_ATTENTION)):
        def call(backend=backend):
            with sdpa_kernel(backend):
                return torch.nn.functional.scaled_dot_product_attention(*operands, is_causal=causal)
        try:
            call()
            calls[name] = call
        except RuntimeError:
            pass
    return calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", default=CASES, help="batch x heads x rows x d of each")
    parser.add_argument("--runs", type=int, default=7, help="rounds that the medians are of (7)")
    parser.add_argument("--keys", default="128", help="keys of a tile, a kernel for each (128)")
    parser.add_argument("--beside", help="a kernel compiled before, in turn with this one's first keys")
    parser.add_argument("--image", help="a compiled kernel, in place of nvcc's; its name has {keys}")
    args = parser.parse_args()
    torch = events.pytorch("attention.py")
    with tempfile.TemporaryDirectory() as folder:
        kernels = {int(keys): Kernels(torch, folder, int(keys), args.image and args.image.format(keys=keys))
                   for keys in args.keys.split(",")}
        if args.beside:
            kernels["beside"] = Kernels(torch, folder, int(args.keys.split(",")[0]), args.beside)
        for kernel in kernels.values():
            for d in (64, 128):
                verify(torch, kernel, d)
        print("batch\theads\trows\td\tcausal\tname\ttflops", flush=True)
        for case in args.cases.split(","):
            b, h, s, d = (int(x) for x in case.split("x"))
            for causal in (False, True):
                operands = [torch.randn((b, h, s, d), device="cuda").bfloat16() for _ in range(4)]
                flat = [x.view(b * h, s, d) for x in operands]
                calls = {f"cutlet {keys}": kernel.launch(*flat, causal) for keys, kernel in kernels.items()}
                calls.update(backends(torch, operands[:3], causal))
                work = 4 * b * h * s * s * d / (2 if causal else 1)
                for name, seconds in in_turn(torch, calls, args.runs).items():
                    print(b, h, s, d, int(causal), name, f"{work / seconds / 1e12:.1f}", sep="\t", flush=True)


if __name__ == "__main__":
    main()
