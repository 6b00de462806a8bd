#!/usr/bin/env python3
"""The GEMM examples beside cublasLt, on an H200: verified first, then timed.

    gemm.py [--sets large,shapes,odd,fp8,mma_sync,simt | --seed N,.. [--type TYPE]] [--tsv FILE] [--runs N]
            [--variants FILE] [--define NAME=VALUE] [--triton] [--keep FOLDER | --beside FOLDER] [--verify-only | --dry]

Compiles the kernels of device/gemm by nvcc, all at once. Operands are integers from -2 to 2, whose sums are
exact, while results are compared whole: first at sizes that fit nothing, of every tile and type, then each
row's. Then they are random numbers; all sides run in turn, as CUDA graphs, by the device's clock; a row
has TFLOP/s, medians of the rounds. cublasLt is the fastest of the first 8 algorithms that its heuristics name,
each timed, with 256 MiB of workspace. Needs nvcc, cc and PyTorch; no network.

    --seed         60 random shapes for each seed, few rows, odd extents and batches among them
    --variants     also every tile and split of wgmma.cu, on integers, into that file; the fastest, and what it is
    --define       passed to nvcc: as GEMM_GROUP=16 for the order of tiles
    --beside       the images of that folder in turn, in place of cublasLt: the ratio is to them
    --keep         writes such a folder of this tree's images, and ends
    --dry          without a GPU: compiles, and prints what the host chooses for each row
"""

import argparse
import ctypes
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import cublaslt
import events

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TILE, MMA_SYNC, SIMT = 128, (128, 3 * (128 + 128) * 128), (256, 4 * (128 + 128) * 64)  # mma_sync.h, simt.h
WGMMA_THREADS, SHAPES = 384, ((128, 256, 2), (128, 128, 1), (128, 64, 1), (64, 64, 1), (64, 64, 4), (128, 192, 2), (128, 160, 2),
                         (128, 96, 1), (64, 32, 1), (64, 32, 4), (64, 8, 1), (64, 8, 8))  # wgmma_args.h
REPACK_THREADS, REPACK_SHARED, SUM_THREADS = 128, 8320, 256  # wgmma_helpers.h
MAX_DYNAMIC_SHARED, CARVEOUT = 8, 9  # CU_FUNC_ATTRIBUTE_..: the second for two resident blocks
BLOCKS = {"mma_sync": MMA_SYNC, "simt": SIMT}
ELEM = {"half": 6, "bfloat16": 9, "e4m3": 0}  # CT_ELEM_...
ENCODE = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32], *[ctypes.c_void_p] * 6,
                          *[ctypes.c_int] * 4)

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


class Call(ctypes.Structure):
    """gemm_call of gemm_args.c."""
    _fields_ = [("workspace_bytes", ctypes.c_int64)] + [(name, ctypes.c_int32) for name in (
        "rows", "columns", "cluster", "splits", "shared_bytes", "args_bytes", "pack_bytes")] + [
        ("repack", ctypes.c_int32 * 4), ("pack_grid", ctypes.c_int32 * 3 * 4), ("sum_grid", ctypes.c_int32 * 3),
        ("blocks", ctypes.c_int32)]

    def __str__(self):
        text = f"{self.rows}x{self.columns} cluster {self.cluster} splits {self.splits}"
        return text + "".join(f" repack {n}" for n, r in zip("ABCD", self.repack) if r)


class Wanted(ctypes.Structure):
    """gemm_wanted of gemm_args.c."""
    _fields_ = [("at", ctypes.c_void_p * 4), ("workspace", ctypes.c_void_p), ("extent", ctypes.c_int64 * 4),
                ("step", ctypes.c_int64 * 3 * 4), ("elem", ctypes.c_int32), ("is_half", ctypes.c_int32),
                ("processors", ctypes.c_int32), ("shape", ctypes.c_int32), ("splits", ctypes.c_int32),
                ("alpha", ctypes.c_float), ("beta", ctypes.c_float)]


def wanted(kind, extent, steps, pointers, processors, wish=(0, 0), factors=(1.0, 0.0), is_half=None):
    w = Wanted(elem=ELEM[kind], is_half=int(kind == "half" if is_half is None else is_half), processors=processors,
               shape=wish[0], splits=wish[1], alpha=factors[0], beta=factors[1])
    for i in range(4):
        w.at[i], w.extent[i] = pointers[i], extent[i]
        w.step[i][:] = steps[i]
    return w


def compile_all(folder, sets, defines):
    """The images of the kernels of sets, and the library that makes their arguments; all compilers at once."""
    include = ["-I" + os.path.join(ROOT, "include")]
    gemm = os.path.join(ROOT, "device", "gemm")
    jobs = {"gemm_args.so": ["cc", "-std=c11", "-O1", "-shared", "-fPIC", *include, "-DCT_NO_LIBRARY",
                             os.path.join(HERE, "gemm_args.c")]}
    nvcc = ["nvcc", "-std=c++17", "-arch=sm_90a", "-cubin", *include, *("-D" + d for d in defines)]
    by_wgmma = any(which not in ("mma_sync", "simt") for which in sets)
    for name in "mma_sync", "simt", "wgmma_helpers":
        if name in sets or (by_wgmma and name == "wgmma_helpers"):
            jobs[name + ".cubin"] = [*nvcc, os.path.join(gemm, name + ".cu")]
    for rows, columns, cluster in SHAPES if by_wgmma else ():
        jobs[f"wgmma_{rows}x{columns}_{cluster}.cubin"] = [
            *nvcc, f"-DGEMM_ROWS={rows}", f"-DGEMM_COLUMNS={columns}", f"-DGEMM_CLUSTER={cluster}",
            os.path.join(gemm, "wgmma.cu")]
    running = {name: subprocess.Popen([*command, "-o", os.path.join(folder, name)]) for name, command in jobs.items()}
    for name, process in running.items():
        if process.wait():
            sys.exit(f"gemm.py: {name} does not compile")
    return sorted(name[:-len(".cubin")] for name in jobs if name.endswith(".cubin"))


def check(result, what):
    if result:
        sys.exit(f"gemm.py: {what}: CUDA error {result}")


class Kernels:
    """The kernels of the examples on a device."""

    def __init__(self, torch, folder, modules):
        self.torch, self.driver, self.modules = torch, ctypes.CDLL("libcuda.so.1"), {}
        self.library = ctypes.CDLL(os.path.join(folder, "gemm_args.so"))
        self.processors = torch.cuda.get_device_properties(0).multi_processor_count
        self.encode = ctypes.cast(self.driver.cuTensorMapEncodeTiled, ctypes.c_void_p)
        self.workspace = torch.empty(1 << 32, dtype=torch.uint8, device="cuda")  # also makes the context current
        for name in modules:
            self.modules[name] = ctypes.c_void_p()
            image = os.path.join(folder, name + ".cubin").encode()
            check(self.driver.cuModuleLoad(ctypes.byref(self.modules[name]), image), name)

    def call(self, module, name, grid, threads, shared, argument):
        """A call that launches a kernel."""
        function = ctypes.c_void_p()
        check(self.driver.cuModuleGetFunction(ctypes.byref(function), self.modules[module], name.encode()), name)
        check(self.driver.cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, shared), name)
        check(self.driver.cuFuncSetAttribute(function, CARVEOUT, 100 if shared > 65536 else -1), name)
        pointers = (ctypes.c_void_p * 1)(ctypes.addressof(argument))

        def run():
            stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
            check(self.driver.cuLaunchKernel(function, *grid, threads, 1, 1, shared, stream, pointers, None), name)
        run.keep = argument
        return run

    def launch(self, module, name, block, sides, factors=(1.0, 0.0)):
        """A call that runs a kernel of mma_sync.cu or simt.cu on the first matrices of A, B, C and D."""
        a, b, _, d = sides
        extent, out = (a.shape[1], b.shape[1], a.shape[2]), ctypes.create_string_buffer(4096)
        size = self.library.gemm_make_args(
            out, len(out), (ctypes.c_void_p * 4)(*(x.data_ptr() for x in sides)), (ctypes.c_int64 * 3)(*extent),
            (ctypes.c_int64 * 4)(*(x.stride(1) for x in sides)), 8 * a.element_size(), 8 * d.element_size(),
            *map(ctypes.c_float, factors))
        if size < 0:
            sys.exit(f"gemm.py: {name}: an operand is refused")
        blocks = -(-extent[0] // TILE) * -(-extent[1] // TILE)
        return self.call(module, name, (blocks, 1, 1), block[0], block[1], out)

    def wgmma(self, kind, sides, wish=(0, 0), factors=(1.0, 0.0)):
        """A call that multiplies by wgmma, with what comes before and after, and what was chosen."""
        a, b, _, d = sides
        w = wanted(kind, (a.shape[1], b.shape[1], a.shape[2], a.shape[0]),
                   [(x.stride(1), x.stride(2), x.stride(0)) for x in sides], [x.data_ptr() for x in sides],
                   self.processors, wish, factors, d.dtype == self.torch.half)
        w.workspace = self.workspace.data_ptr()
        capacity, packs, c = ctypes.create_string_buffer(4096 + 64), ctypes.create_string_buffer(4 * 4096), Call()
        args = (ctypes.c_char * 4096).from_buffer(capacity, -ctypes.addressof(capacity) % 64)
        status = self.library.gemm_wgmma_prepare(ctypes.byref(c), ctypes.byref(w), args, packs, self.encode)
        if status or c.workspace_bytes > self.workspace.numel():
            sys.exit(f"gemm.py: wgmma {kind} {list(w.extent)}: refused ({status}, {c.workspace_bytes} bytes)")
        packs_of = []
        for i in range(4):
            pack = (ctypes.c_char * 4096).from_buffer(packs, 4096 * i)
            name = "gemm_repack_rows" if c.repack[i] == 2 else f"gemm_repack_{8 * (a if i < 2 else d).element_size()}"
            packs_of.append([self.call("wgmma_helpers", name, c.pack_grid[i], REPACK_THREADS, REPACK_SHARED, pack)]
                            if c.repack[i] else [])
        shape = f"wgmma_{c.rows}x{c.columns}_{c.cluster}"
        calls = [*packs_of[0], *packs_of[1], *packs_of[2],
                 self.call(shape, f"gemm_{shape}_{kind}",
                           (c.blocks, 1, 1), WGMMA_THREADS, c.shared_bytes, args)]
        if c.splits > 1:
            calls.append(self.call("wgmma_helpers", "gemm_sum_splits", c.sum_grid, SUM_THREADS, 0, args))
        calls += packs_of[3]

        def run():
            for call in calls:
                call()
        return run, str(c)


# ---- operands and results ---------------------------------------------------------------------


def types_of(torch, kind, is_half=False):
    """Of A and B, of C and D."""
    fp8 = torch.half if is_half else torch.bfloat16
    return {"half": (torch.half,) * 2, "bfloat16": (torch.bfloat16,) * 2, "float": (torch.float32,) * 2,
            "tf32": (torch.float32,) * 2, "int8": (torch.int8, torch.int32), "e4m3": (torch.float8_e4m3fn, fp8)}[kind]


def integers(torch, shape, kind, more=0, transposed=False):
    """Integers from -2 to 2 in rows (or columns) with `more` elements between them."""
    batch, rows, columns = shape
    lines, line = (columns, rows) if transposed else (rows, columns)
    all_of = torch.randint(-2, 3, (batch, lines, line + more), device="cuda").float().to(kind)
    x = all_of[:, :, :line]
    return x.transpose(1, 2) if transposed else x


def sides_of(torch, kind, extent, more=(0, 0, 0, 0), transposed=0, is_half=False):
    m, n, k, batch = extent
    of, result = types_of(torch, kind, is_half)
    shapes = ((batch, m, k), (batch, n, k), (batch, m, n), (batch, m, n))
    return [integers(torch, shape, of if i < 2 else result, more[i], transposed >> i & 1) for i, shape in enumerate(shapes)]


def product(sides):
    """A B in floats, exact for integers: every sum is below 2^24."""
    return sides[0].float() @ sides[1].float().transpose(1, 2)


def expect(torch, what, run, sides, right, factors=(1.0, 0.0), part=0.0):
    """Ends the program where a result is wrong, by more than that part of it."""
    _, _, c, d = sides
    d.copy_(torch.full_like(d, 77))
    run()
    torch.cuda.synchronize()
    want = (factors[0] * right + factors[1] * c.float()).to(d.dtype)
    wrong = (d.float() - want.float()).abs() > part * want.float().abs().max() if part else d != want
    if wrong.any():
        wrong = wrong.nonzero()
        sys.exit(f"gemm.py: {what}: wrong at {len(wrong)} places, first {wrong[0].tolist()}: "
                 f"{d[tuple(wrong[0])].item()} for {want[tuple(wrong[0])].item()}; nothing is timed")


def verify(torch, kernels):
    """The kernels at sizes that fit no tile; how many cases."""
    cases, done = (((1, 1, 1, 1), (0, 0, 0, 0), 0), ((129, 257, 33, 1), (0, 0, 0, 0), 0),
                   ((300, 520, 200, 1), (0, 8, 5, 7), 0), ((256, 512, 640, 1), (8, 16, 0, 8), 0),
                   ((700, 1100, 321, 1), (7, 7, 1, 0), 0), ((200, 136, 264, 3), (0, 0, 0, 0), 0),
                   ((150, 330, 70, 2), (2, 0, 0, 0), 1), ((130, 70, 129, 2), (0, 4, 0, 0), 2)), 0
    wishes = [(shape, splits) for shape in range(len(SHAPES) + 1) for splits in (1, 3)]
    for kind in ("half", "bfloat16", "e4m3") if "wgmma_helpers" in kernels.modules else ():
        for extent, more, transposed in cases:
            sides = sides_of(torch, kind, extent, more, transposed, is_half=extent[0] % 2 == 0)
            right = product(sides)
            for wish in wishes:
                if wish[1] > -(-extent[2] * sides[0].element_size() // 128):
                    continue
                for factors in (1.0, 0.0), (2.0, -1.0):
                    run, what = kernels.wgmma(kind, sides, wish, factors)
                    expect(torch, f"wgmma {kind} {extent} {what} {factors}", run, sides, right, factors)
                    done += 1
    for module, kind, name, block in (("mma_sync", "half", "gemm_half", MMA_SYNC),
                                      ("mma_sync", "tf32", "gemm_float", MMA_SYNC),
                                      ("mma_sync", "int8", "gemm_int8", MMA_SYNC),
                                      ("simt", "float", "gemm_simt", SIMT)):
        for extent, more, transposed in (case for case in cases if case[0][3] == 1 and module in kernels.modules):
            sides = sides_of(torch, kind, extent, more, transposed)
            for factors in (1.0, 0.0), (2.0, -1.0):
                run = kernels.launch(module, name, block, sides, factors)
                expect(torch, f"{name} {extent} {factors}", run, sides, product(sides), factors)
                done += 1
    return done


# ---- timing -----------------------------------------------------------------------------------


def graph_of(torch, run, seconds=2e-3):
    """Calls enough for that long as a CUDA graph, and how many."""
    count = max(1, min(50, int(seconds / events.each(torch, run, 1, 1)[0])))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
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
    name = "gemm_simt" if which == "simt" else "gemm_" + {"tf32": "float"}.get(kind, kind)
    calls = {}
    if which in BLOCKS:
        calls["cutlet"] = kernels.launch(which, name, BLOCKS[which], sides)
    else:
        calls["cutlet"], detail = kernels.wgmma(kind, sides)
    if args.beside:
        calls["beside"] = (peers.beside.wgmma(kind, sides)[0] if which not in BLOCKS else
                           peers.beside.launch(which, name, BLOCKS[which], sides))
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


def variants_of(extent, elem_bytes):
    """The tiles and splits of wgmma.cu that may be the fastest."""
    m, n, k, batch = extent
    for shape, (rows, columns, cluster) in enumerate(SHAPES, 1):
        exchanged = columns < 64
        tall, wide = (n, m) if exchanged else (m, n)
        tiles = batch * -(-tall // (rows if rows == 64 else rows * cluster)) * -(-wide // columns)
        if m > (64 if columns == 32 else 16) and exchanged or rows == columns and tiles > 4096 or rows == 128 and m <= 16:
            continue
        for splits in (1, 2, 3, 4, 6, 8):
            if splits == 1 or rows == 128 and tiles * cluster < 132 and k * elem_bytes // 128 // splits >= 4:
                yield shape, splits


def fastest_variant(torch, kernels, kind, sides, right, table):
    """The TFLOP/s and the name of the fastest tile and split."""
    batch, m, k = sides[0].shape
    extent, found = (m, sides[1].shape[1], k, batch), {}
    for wish in variants_of(extent, sides[0].element_size()):
        run, what = kernels.wgmma(kind, sides, wish)
        expect(torch, f"{kind} {what}", run, sides, right)
        found[what] = run
    rates = {what: 2e-12 * math.prod(extent) / t for what, t in in_turn(torch, found, 3).items()}
    for what, rate in rates.items():
        print("\t".join([kind, *map(str, extent), f"{rate:.3f}", what]), file=table, flush=True)
    return max(f"{rate:.1f} {what}" for what, rate in rates.items() if rate == max(rates.values()))


def dry(folder, sets):
    """What the host chooses, and the descriptors that cublasLt is given."""
    library, lt = ctypes.CDLL(os.path.join(folder, "gemm_args.so")), cublaslt.library()
    encode = ENCODE(lambda *_: 0)
    for which in sets:
        for kind, (m, n, k, batch) in SETS[which]:
            result = {"e4m3": "bfloat16", "int8": "int32", "tf32": "float"}.get(kind, kind)
            cublaslt.Peer(lt, (kind, result), (m, n, k, batch), (k, k, n), (m * k, n * k, m * n))
            if kind not in ELEM:
                continue
            steps = [(k, 1, m * k), (k, 1, n * k), (n, 1, m * n), (n, 1, m * n)]
            w = wanted(kind, (m, n, k, batch), steps, [1 << 20, 1 << 21, 1 << 22, 1 << 23], 132)
            capacity, packs, c = ctypes.create_string_buffer(4096 + 64), ctypes.create_string_buffer(4 * 4096), Call()
            args = (ctypes.c_char * 4096).from_buffer(capacity, -ctypes.addressof(capacity) % 64)
            for w.workspace in (None, 1 << 30):
                status = library.gemm_wgmma_prepare(ctypes.byref(c), ctypes.byref(w), args, packs,
                                                    ctypes.cast(encode, ctypes.c_void_p))
                if status or max(c.args_bytes, c.pack_bytes) > 4096:
                    sys.exit(f"gemm.py: {kind} {m, n, k, batch}: refused ({status})")
            print("\t".join([which, kind, *map(str, (m, n, k, batch)), str(c), f"{c.blocks} blocks",
                             f"{c.workspace_bytes} bytes"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS), help="which rows")
    parser.add_argument("--seed", help="seeds of random shapes, in place of sets")
    parser.add_argument("--type", default="bfloat16", help="of the random shapes")
    parser.add_argument("--tsv", type=argparse.FileType("w"))
    parser.add_argument("--runs", type=int, default=11, help="rounds that the medians are of (11)")
    parser.add_argument("--variants", type=argparse.FileType("w"))
    parser.add_argument("--define", action="append", default=[])
    parser.add_argument("--triton", action="store_true", help="beside Triton's mma.sync too")
    parser.add_argument("--keep")
    parser.add_argument("--beside")
    parser.add_argument("--verify-only", action="store_true")
    parser.add_argument("--dry", action="store_true")
    args = parser.parse_args()
    OUTPUTS.extend([args.tsv] if args.tsv else [])
    SETS.update({f"seed {n}": seeded(int(n), args.type) for n in (args.seed or "").split(",") if n})
    sets = [f"seed {n}" for n in args.seed.split(",")] if args.seed else args.sets.split(",")
    with tempfile.TemporaryDirectory() as folder:
        modules = compile_all(args.keep or folder, sets, args.define)
        if args.keep:
            return
        if args.dry:
            dry(folder, sets)
            return
        try:
            import torch
        except ImportError:
            sys.exit("gemm.py needs PyTorch, and a CUDA device")
        if not torch.cuda.is_available():
            sys.exit("gemm.py: PyTorch finds no CUDA device")
        torch.manual_seed(1)
        torch.backends.cuda.matmul.allow_tf32 = False
        kernels = Kernels(torch, folder, modules)
        say(f"# {torch.cuda.get_device_name()}, PyTorch {torch.__version__}, {verify(torch, kernels)} cases verified"
            + "".join(", " + d for d in args.define))
        if args.verify_only:
            return
        peers, ratios = Peers(torch), {}
        peers.beside = Kernels(torch, args.beside, modules) if args.beside else None
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
