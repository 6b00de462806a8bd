"""cublasLt by ctypes, as a peer: the fastest of the algorithms that its heuristics name."""

import ctypes
import glob
import os
import sys

# values of cublasLt.h, library_types.h and cublas_api.h
COMPUTE_32F, COMPUTE_32I, COMPUTE_TF32, REAL_32F, REAL_32I, OP_T = 68, 72, 77, 0, 10, 1
DESC_TRANSA, DESC_FAST_ACCUM = 3, 25
LAYOUT_BATCH_COUNT, LAYOUT_BATCH_STEP, PREF_WORKSPACE = 5, 6, 1
TYPES = {"half": 2, "bfloat16": 14, "float": 0, "tf32": 0, "e4m3": 28, "int8": 3, "int32": 10}
COMPUTE = {"tf32": (COMPUTE_TF32, REAL_32F), "int8": (COMPUTE_32I, REAL_32I)}
WORKSPACE_BYTES, ALGORITHMS = 256 << 20, 8


class Result(ctypes.Structure):
    """What the heuristics say of an algorithm."""
    _fields_ = [("algorithm", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int),
                ("waves", ctypes.c_float), ("reserved", ctypes.c_int * 4)]


def library():
    """The library that PyTorch came with, or the toolkit's."""
    names = ["libcublasLt.so.13", "libcublasLt.so.12"]
    for folder in sys.path:
        names += glob.glob(os.path.join(folder, "nvidia", "*", "lib", "libcublasLt.so.*"))
    for name in [*names, "libcublasLt.so"]:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    sys.exit("cublaslt.py: there is no libcublasLt")


class Peer:
    """D = A B for one problem: A (batch,m,k), B (batch,n,k), D (batch,m,n), rows contiguous."""

    def __init__(self, lt, types, extent, steps, batch_steps):
        """types: of A and B, of D; steps: between rows of A, B, D; batch_steps: between matrices."""
        scalar = ctypes.c_int32 if types[0] == "int8" else ctypes.c_float
        self.lt, self.one, self.zero = lt, scalar(1), scalar(0)
        m, n, k, batch = extent
        self.desc = self.make("cublasLtMatmulDescCreate", *COMPUTE.get(types[0], (COMPUTE_32F, REAL_32F)))
        self.put("cublasLtMatmulDescSetAttribute", self.desc, DESC_TRANSA, ctypes.c_int32(OP_T))
        if types[0] == "e4m3":  # as wgmma adds them
            self.put("cublasLtMatmulDescSetAttribute", self.desc, DESC_FAST_ACCUM, ctypes.c_int8(1))
        # by columns: D' (n,m) = B' A', where B' is (k,n), transposed, and A' (k,m)
        shapes = ((types[0], k, m), (types[0], k, n), (types[1], n, m))
        self.layouts = []
        for (kind, rows, columns), step, batch_step in zip(shapes, steps, batch_steps):
            layout = self.make("cublasLtMatrixLayoutCreate", TYPES[kind], ctypes.c_uint64(rows),
                               ctypes.c_uint64(columns), ctypes.c_int64(step))
            if batch > 1:
                self.put("cublasLtMatrixLayoutSetAttribute", layout, LAYOUT_BATCH_COUNT, ctypes.c_int32(batch))
                self.put("cublasLtMatrixLayoutSetAttribute", layout, LAYOUT_BATCH_STEP, ctypes.c_int64(batch_step))
            self.layouts.append(layout)

    def check(self, status, what):
        if status:
            raise RuntimeError(f"{what}: status {status}")

    def make(self, function, *args):
        made = ctypes.c_void_p()
        self.check(getattr(self.lt, function)(ctypes.byref(made), *args), function)
        return made

    def put(self, function, of, attribute, value):
        size = ctypes.c_size_t(ctypes.sizeof(value))
        self.check(getattr(self.lt, function)(of, attribute, ctypes.byref(value), size), function)

    def algorithms(self, handle):
        """Those that the heuristics name, at most ALGORITHMS."""
        preference = self.make("cublasLtMatmulPreferenceCreate")
        self.put("cublasLtMatmulPreferenceSetAttribute", preference, PREF_WORKSPACE, ctypes.c_uint64(WORKSPACE_BYTES))
        results, count = (Result * ALGORITHMS)(), ctypes.c_int(0)
        a, b, d = self.layouts
        status = self.lt.cublasLtMatmulAlgoGetHeuristic(handle, self.desc, b, a, d, d, preference, ALGORITHMS, results,
                                                        ctypes.byref(count))
        return [] if status else [r for r in results[:count.value] if r.state == 0]

    def call(self, handle, result, pointers, workspace, stream):
        """A call that runs an algorithm on (A, B, D); stream() is the stream."""
        a, b, d = self.layouts
        at = [ctypes.c_void_p(p) for p in pointers]

        def run():
            self.check(self.lt.cublasLtMatmul(
                handle, self.desc, ctypes.byref(self.one), at[1], b, at[0], a, ctypes.byref(self.zero), at[2], d, at[2],
                d, ctypes.byref(result), ctypes.c_void_p(workspace), ctypes.c_size_t(WORKSPACE_BYTES),
                ctypes.c_void_p(stream())), "cublasLtMatmul")
        return run


def handle_of(lt):
    handle = ctypes.c_void_p()
    if lt.cublasLtCreate(ctypes.byref(handle)):
        sys.exit("cublaslt.py: cublasLtCreate failed")
    return handle
