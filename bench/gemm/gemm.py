#!/usr/bin/env python3
"""The GEMM examples beside cublasLt, on an H200: verified first, then timed.

    gemm.py [--sets large,shapes,odd,fp8,mma_sync,simt | --seed N,.. [--type TYPE]] [--tsv FILE] [--runs N]
            [--variants FILE] [--build FOLDER] [--triton] [--keep FOLDER | --beside FOLDER] [--verify-only]
            [--effort measure]

Runs plans of ct_gemm_plan, by the library that was built. Operands are integers from -2 to 2, whose sums are
exact, while results are compared whole: first at sizes that fit nothing, of every tile and type, then each
row's. Then they are random numbers; all sides run in turn, as CUDA graphs, by the device's clock; a row
has TFLOP/s, medians of the rounds. cublasLt is the fastest of the first 8 algorithms that its heuristics name,
each timed, with 256 MiB of workspace. Needs a build with nvcc, cc and PyTorch; no network.

    --seed         60 random shapes for each seed, few rows, odd extents and batches among them
    --variants     also every choice of the model, on integers, into that file; the fastest, and what it is
    --build        the build of the library (build)
    --beside       the library of that folder in turn, in place of cublasLt: the ratio is to it
    --keep         writes such a folder of this tree's library, and ends
    --effort       measure: plans are the fastest of five, timed when they are made
"""

import argparse
import ctypes
import itertools
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import cublaslt
import events

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BY_WGMMA, BY_MMA_SYNC = 1, 2  # CT_GEMM_BY_...
TYPES = {"half": 1, "bfloat16": 2, "float": 3, "tf32": 3, "int8": 5, "e4m3": 20}  # CT_TYPE_...
MESSAGE_BYTES = 640

OUTPUTS = [sys.stdout]
# m, n, k, batch
TWENTY = ((512, 512, 512, 1), (768, 768, 768, 1), (256, 256, 4096, 1), (1024, 1024, 1024, 1), (2048, 2048, 2048, 1),
          (4096, 4096, 4096, 1), (6144, 6144, 6144, 1), (8192, 8192, 8192, 1), (16384, 1024, 4096, 1),
          (16384, 4096, 1024, 1), (32768, 512, 2048, 1), (8192, 256, 8192, 1), (64, 8192, 8192, 1),
          (128, 8192, 8192, 1), (256, 16384, 4096, 1), (512, 16384, 2048, 1), (16384, 16384, 1024, 1),
          (512, 512, 512, 64), (1024, 1024, 1024, 16), (2048, 2048, 1024, 8))
SETS = {
    "large": [(kind, size) for kind in ("half", "bfloat16") for size in ((4096, 4096, 4096, 1), (8192, 8192, 8192, 1))],
    "shapes": [("bfloat16", size) for size in TWENTY],
    "odd": [(kind, (4095, 4097, 4099, 1)) for kind in ("bfloat16", "half")] + [("bfloat16", (2047, 2049, 2051, 1))],
    "fp8": [("e4m3", (4096, 4096, 4096, 1)), ("e4m3", (8192, 8192, 8192, 1))],
    "mma_sync": [(kind, (size,) * 3 + (1,)) for kind in ("half", "bfloat16", "tf32", "int8") for size in (4096, 8192)],
    "simt": [("float", (4096, 4096, 4096, 1)), ("float", (8192, 8192, 8192, 1))],
}


def seeded(seed, kind):
    """Problems of random shapes."""
    dice, rows = random.Random(seed), []
    for _ in range(60):
        m = dice.choice((1, 2, 4, 8, 16, 32)) if dice.random() < 0.3 else round(32 * 512 ** dice.random())
        odd = dice.random() < 1 / 8
        n, k = (64 * round(4 * math.exp(dice.random() * math.log(446 / 4))) + odd for _ in "nk")
        batch = dice.choice((2, 8, 32)) if dice.random() < 1 / 6 and m * n * k < 2 ** 33 else 1
        rows.append((kind, (m, n, k, batch)))
    return rows


def say(text):
    """To the output, and the file of --tsv."""
    for file in OUTPUTS:
        print(text, file=file, flush=True)


class Wanted(ctypes.Structure):
    """gemm_wanted of gemm_plan.c."""
    _fields_ = [("extent", ctypes.c_int64 * 4), ("step", ctypes.c_int64 * 3 * 4)] + [
        (name, ctypes.c_int32) for name in ("type", "tf32", "by", "choice", "effort", "align_bytes")] + [
        ("alpha", ctypes.c_float), ("beta", ctypes.c_float)]


def named(text):
    """The variant that a plan's text describes, in short."""
    form = re.match(r"gemm_wgmma_(\d+)x(\d+)_(\d+)_", text)
    if not form:
        return text.split(" ")[0]
    parts = re.search(r"k in (\d+) parts", text)
    return (f"{form[1]}x{form[2]} cluster {form[3]} splits {parts[1] if parts else 1}" +
            "".join(f" repack {operand}" for operand in re.findall(r"(\w) repacked", text)))


def link(folder, build):
    """A library of plans, with all that they need, in that folder."""
    archive = os.path.join(build, "src", "libcutlet.a")
    if not os.path.exists(archive):
        sys.exit(f"gemm.py: there is no {archive}: build it by ./run build, where nvcc is")
    if subprocess.run(["cc", "-std=c11", "-O1", "-shared", "-fPIC", "-I" + os.path.join(ROOT, "include"), "-DCT_NO_LIBRARY",
                       "-Wl,-Bsymbolic", "-o", os.path.join(folder, "gemm_plan.so"), os.path.join(HERE, "gemm_plan.c"),
                       archive, "-lm", "-ldl", "-lpthread"], check=False).returncode:
        sys.exit("gemm.py: gemm_plan.c does not compile")


class Kernels:
    """The plans of a library, on the first device, of tensors."""

    def __init__(self, torch, folder):
        self.workspace = torch.empty(1 << 32, dtype=torch.uint8, device="cuda")  # also makes the context
        self.library, self.message = ctypes.CDLL(os.path.join(folder, "gemm_plan.so")), ctypes.create_string_buffer(MESSAGE_BYTES)
        for name in "ct_gemm_open", "ct_cuda_stream":
            getattr(self.library, name).restype = ctypes.c_void_p
        self.library.ct_gemm_plan_workspace.restype = ctypes.c_int64
        self.gpu = ctypes.c_void_p(self.library.ct_gemm_open(0, self.message))
        if not self.gpu:
            sys.exit("gemm.py: " + self.message.value.decode())
        self.stream = torch.cuda.ExternalStream(self.library.ct_cuda_stream(self.gpu))

    def product(self, which, kind, sides, choice=0, factors=(1.0, 0.0), effort=0):
        """A call that multiplies, and what it does; None for a choice that there is not."""
        a, b, _, d = sides
        w = Wanted(type=TYPES[kind], tf32=int(kind == "tf32"), by={"mma_sync": BY_MMA_SYNC, "simt": 0}.get(which, BY_WGMMA),
                   choice=choice, effort=effort, align_bytes=math.gcd(16, *(x.data_ptr() for x in sides)), alpha=factors[0],
                   beta=factors[1])
        w.extent[:] = a.shape[1], b.shape[1], a.shape[2], a.shape[0]
        for step, x in zip(w.step, sides):
            step[:] = x.stride(1), x.stride(2), x.stride(0)
        plan, text = ctypes.c_void_p(), ctypes.create_string_buffer(400)
        if self.library.gemm_plan_of(ctypes.byref(plan), self.gpu, ctypes.byref(w), self.message):
            if b"this product has" in self.message.value:
                return None
            sys.exit("gemm.py: " + self.message.value.decode())
        self.library.ct_gemm_plan_describe(plan, text, ctypes.c_size_t(len(text)))
        if self.library.ct_gemm_plan_workspace(plan) > self.workspace.numel():
            sys.exit(f"gemm.py: {text.value.decode()}: too large")
        operands = (ctypes.c_void_p * 8)(*(x.data_ptr() for x in sides), None, None, None, self.workspace.data_ptr())

        def run():
            if self.library.ct_gemm_plan_run(plan, operands, self.message):
                sys.exit("gemm.py: " + self.message.value.decode())
        run.stream = self.stream
        return run, named(text.value.decode())


# ---- operands and results ---------------------------------------------------------------------


def types_of(torch, kind):
    """Of A and B, of C and D."""
    return {"half": (torch.half,) * 2, "bfloat16": (torch.bfloat16,) * 2, "float": (torch.float32,) * 2,
            "tf32": (torch.float32,) * 2, "int8": (torch.int8, torch.int32), "e4m3": (torch.float8_e4m3fn, torch.bfloat16)}[kind]


def integers(torch, shape, kind, more=0, transposed=False):
    """Integers from -2 to 2 in rows (or columns) with `more` elements between them."""
    batch, rows, columns = shape
    lines, line = (columns, rows) if transposed else (rows, columns)
    all_of = torch.randint(-2, 3, (batch, lines, line + more), device="cuda").float().to(kind)
    x = all_of[:, :, :line]
    return x.transpose(1, 2) if transposed else x


def sides_of(torch, kind, extent, more=(0, 0, 0, 0), transposed=0):
    m, n, k, batch = extent
    of, result = types_of(torch, kind)
    shapes = ((batch, m, k), (batch, n, k), (batch, m, n), (batch, m, n))
    return [integers(torch, shape, of if i < 2 else result, more[i], transposed >> i & 1) for i, shape in enumerate(shapes)]


def product(sides):
    """A B in floats, exact for integers: every sum is below 2^24."""
    return sides[0].float() @ sides[1].float().transpose(1, 2)


def expect(torch, what, run, sides, right, factors=(1.0, 0.0), part=0.0):
    """Ends the program where a result is wrong, by more than that part of it."""
    _, _, c, d = sides
    d.copy_(torch.full_like(d, 77))
    torch.cuda.synchronize()  # the call has a stream of its own
    run()
    torch.cuda.synchronize()
    want = (factors[0] * right + factors[1] * c.float()).to(d.dtype)
    wrong = (d.float() - want.float()).abs() > part * want.float().abs().max() if part else d != want
    if wrong.any():
        wrong = wrong.nonzero()
        sys.exit(f"gemm.py: {what}: wrong at {len(wrong)} places, first {wrong[0].tolist()}: "
                 f"{d[tuple(wrong[0])].item()} for {want[tuple(wrong[0])].item()}; nothing is timed")


def verify(torch, kernels, sets):
    """The kernels at sizes that fit no tile, by every choice; how many cases."""
    cases, done = (((1, 1, 1, 1), (0, 0, 0, 0), 0), ((129, 257, 33, 1), (0, 0, 0, 0), 0),
                   ((300, 520, 200, 1), (0, 8, 5, 7), 0), ((256, 512, 640, 1), (8, 16, 0, 8), 0),
                   ((700, 1100, 321, 1), (7, 7, 1, 0), 0), ((200, 136, 264, 3), (0, 0, 0, 0), 0),
                   ((8, 330, 1700, 2), (2, 0, 0, 0), 1), ((130, 70, 129, 2), (0, 4, 0, 0), 2)), 0
    kinds = [("wgmma", kind) for kind in ("half", "bfloat16", "e4m3")] if set(sets) - {"mma_sync", "simt"} else []
    kinds += [("mma_sync", kind) for kind in ("half", "tf32", "int8") if "mma_sync" in sets]
    for which, kind in kinds + [("simt", "float")] * ("simt" in sets):
        for extent, more, transposed in cases:
            sides = sides_of(torch, kind, extent, more, transposed)
            right = product(sides)
            for factors in (1.0, 0.0), (2.0, -1.0):
                for choice in itertools.count():
                    made = kernels.product(which, kind, sides, choice, factors)
                    if not made:
                        break
                    expect(torch, f"{which} {kind} {extent} {made[1]} {factors}", made[0], sides, right, factors)
                    done += 1
    return done


# ---- timing -----------------------------------------------------------------------------------


def graph_of(torch, run, seconds=2e-3):
    """Calls enough for that long as a CUDA graph, and how many."""
    stream = getattr(run, "stream", torch.cuda.Stream())
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        count = max(1, min(50, int(seconds / events.each(torch, run, 1, 1)[0])))
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for _ in range(count):
            run()
    return graph, count


def in_turn(torch, calls, rounds):
    """The median seconds of each call."""
    graphs = {name: graph_of(torch, call) for name, call in calls.items()}
    times = events.in_turn(torch, {name: graph.replay for name, (graph, _) in graphs.items()}, rounds)
    return {name: statistics.median(found) / graphs[name][1] for name, found in times.items()}


class Peers:
    """cublasLt on this device."""

    def __init__(self, torch):
        self.torch, self.lt = torch, cublaslt.library()
        self.handle = cublaslt.handle_of(self.lt)
        self.workspace = torch.empty(cublaslt.WORKSPACE_BYTES, dtype=torch.uint8, device="cuda")

    def fastest(self, kind, sides, extent):
        """The call by the fastest algorithm, and how many there were; None where cublasLt offers no algorithm."""
        a, b, _, d = sides
        result = {self.torch.half: "half", self.torch.bfloat16: "bfloat16", self.torch.int32: "int32"}
        result = result.get(d.dtype, "float")
        peer = cublaslt.Peer(self.lt, (kind, result), extent, [x.stride(1) for x in (a, b, d)],
                             [x.stride(0) for x in (a, b, d)])
        found, stream = [], lambda: self.torch.cuda.current_stream().cuda_stream
        for algorithm in peer.algorithms(self.handle):
            pointers = [x.data_ptr() for x in (a, b, d)]
            run = peer.call(self.handle, algorithm, pointers, self.workspace.data_ptr(), stream)
            try:
                found.append((in_turn(self.torch, {"": run}, 2)[""], len(found), run))
            except RuntimeError:
                continue
        return (min(found)[2], len(found)) if found else (None, 0)


def row(torch, kernels, peers, which, kind, extent, args):
    """Verifies and times one row, and prints it; the ratio to cublasLt."""
    sides, detail, best = sides_of(torch, kind, extent), "", ""
    calls = {}
    calls["cutlet"], detail = kernels.product(which, kind, sides, effort=int(args.effort == "measure"))
    if args.beside:
        calls["beside"] = peers.beside.product(which, kind, sides)[0]
    calls["cublaslt"], count = peers.fastest(kind, sides, extent) if not args.beside else (None, 0)
    right = product(sides)
    for name, run in list(calls.items()):
        if run:
            # cublasLt may add up parts of k that it has rounded
            expect(torch, f"{name} {kind} {extent} {detail}", run, sides, right, part=(name == "cublaslt") * 2 ** -5)
        else:
            del calls[name]
    if args.triton and which == "mma_sync" and kind in ("half", "bfloat16"):
        import triton_mma
        calls["triton"] = triton_mma.fastest(sides[0][0], sides[1][0], sides[3][0])[1]
    if args.variants and which not in ("simt", "mma_sync"):
        best = fastest_variant(torch, kernels, kind, sides, right, args.variants)
    for x in sides[:2]:
        x.copy_((torch.randn(x.shape, device="cuda") * (50 if kind == "int8" else 1)).to(x.dtype))
    operations = 2e-12 * extent[0] * extent[1] * extent[2] * extent[3]
    rate = {name: operations / t for name, t in in_turn(torch, calls, args.runs).items()}
    ratio = rate["cutlet"] / rate[args.beside and "beside" or "cublaslt"] if len(rate) > 1 else 0
    other = f"{rate['triton']:.1f}" if "triton" in rate else ""
    say("\t".join([which, kind, *map(str, extent), f"{rate['cutlet']:.1f}", f"{rate.get('cublaslt', 0):.1f}",
                   f"{ratio:.3f}", other, str(count), detail, best]))
    return ratio


def fastest_variant(torch, kernels, kind, sides, right, table):
    """The TFLOP/s and the name of the fastest choice."""
    batch, m, k = sides[0].shape
    extent, found = (m, sides[1].shape[1], k, batch), {}
    for choice in itertools.count():
        made = kernels.product("wgmma", kind, sides, choice)
        if not made:
            break
        expect(torch, f"{kind} {made[1]}", made[0], sides, right)
        found[made[1]] = made[0]
    rates = {what: 2e-12 * math.prod(extent) / t for what, t in in_turn(torch, found, 3).items()}
    for what, rate in rates.items():
        print("\t".join([kind, *map(str, extent), f"{rate:.3f}", what]), file=table, flush=True)
    return max(f"{rate:.1f} {what}" for what, rate in rates.items() if rate == max(rates.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS), help="which rows")
    parser.add_argument("--seed", help="seeds of random shapes, in place of sets")
    parser.add_argument("--type", default="bfloat16", help="of the random shapes")
    parser.add_argument("--tsv", type=argparse.FileType("w"))
    parser.add_argument("--runs", type=int, default=11, help="rounds that the medians are of (11)")
    parser.add_argument("--variants", type=argparse.FileType("w"))
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--triton", action="store_true", help="beside Triton's mma.sync too")
    parser.add_argument("--keep")
    parser.add_argument("--beside")
    parser.add_argument("--verify-only", action="store_true")
    parser.add_argument("--effort", choices=("estimate", "measure"), default="estimate")
    args = parser.parse_args()
    OUTPUTS.extend([args.tsv] if args.tsv else [])
    SETS.update({f"seed {n}": seeded(int(n), args.type) for n in (args.seed or "").split(",") if n})
    sets = [f"seed {n}" for n in args.seed.split(",")] if args.seed else args.sets.split(",")
    with tempfile.TemporaryDirectory() as folder:
        link(args.keep or folder, args.build)
        if args.keep:
            return
        torch = events.pytorch("gemm.py")
        torch.manual_seed(1)
        torch.backends.cuda.matmul.allow_tf32 = False
        kernels = Kernels(torch, folder)
        say(f"# {torch.cuda.get_device_name()}, PyTorch {torch.__version__}, {verify(torch, kernels, sets)} cases verified")
        if args.verify_only:
            return
        peers, ratios = Peers(torch), {}
        peers.beside = Kernels(torch, args.beside) if args.beside else None
        say("set\ttype\tm\tn\tk\tbatch\tcutlet\tcublaslt\tratio\tother\talgorithms\tchosen\tfastest")
        for which in sets:
            for kind, extent in SETS[which]:
                ratios.setdefault(which, []).append(row(torch, kernels, peers, which, kind, extent, args))
        for which, of in ratios.items():
            of = [ratio for ratio in of if ratio]  # of rows that cublasLt takes
            if len(of) > 1:
                say(f"# {which}: geometric mean {statistics.geometric_mean(of):.3f}, 10th percentile "
                    f"{statistics.quantiles(of, n=10)[0]:.3f}, least {min(of):.3f}")


if __name__ == "__main__":
    main()
