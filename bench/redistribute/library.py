"""The shared library bench_redistribute, which makes engines and plans of libcutlet, for Python."""

import ctypes
import os

POINTER, TEXT, INT64 = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64
AUTO, MESSAGES, DIRECT, STAGED = range(4)  # CT_CARRY_...
CPU, CUDA = 1, 3         # CT_BACKEND_...
MESSAGE_BYTES = 640


class CaseStruct(ctypes.Structure):
    """bench_case"""
    _fields_ = [("src", TEXT), ("dst", TEXT), ("shape", INT64 * 8), ("modes", ctypes.c_int32),
                ("ranks", ctypes.c_int32), ("src_type", ctypes.c_int32),
                ("dst_type", ctypes.c_int32), ("elem_bytes", ctypes.c_int32),
                ("has_scale", ctypes.c_int32), ("carry", ctypes.c_int32),
                ("backend", ctypes.c_int32), ("scale", ctypes.c_double), ("chunk_bytes", INT64),
                ("scratch_bytes", INT64)]


class Numbers(ctypes.Structure):
    """bench_numbers"""
    _fields_ = [(name, INT64)
                for name in ("sent", "received", "messages", "all", "least", "scratch", "all_messages",
                             "rounds", "least_rounds")]


FUNCTIONS = {
    "group": (POINTER, [ctypes.c_int, TEXT]),
    "group_drop": (None, [POINTER]),
    "engine": (POINTER, [POINTER, ctypes.c_int, TEXT, POINTER, TEXT]),
    "engine_drop": (None, [POINTER]),
    "plan": (POINTER, [ctypes.POINTER(CaseStruct), ctypes.c_int, TEXT]),
    "plan_drop": (None, [POINTER]),
    "simulate": (ctypes.c_int, [ctypes.POINTER(CaseStruct), ctypes.POINTER(Numbers), TEXT]),
    "prepare": (ctypes.c_int, [POINTER, ctypes.c_int, TEXT]),
    "spans": (ctypes.c_int, [ctypes.POINTER(CaseStruct), ctypes.c_int, ctypes.POINTER(INT64), TEXT]),
    "numbers_of": (None, [POINTER, ctypes.POINTER(Numbers)]),
    "describe": (ctypes.c_int, [POINTER, TEXT, ctypes.c_size_t]),
    "run": (ctypes.c_int, [POINTER, POINTER, POINTER, POINTER, POINTER, ctypes.c_int,
                           ctypes.POINTER(ctypes.c_double), TEXT]),
}


class Failure(Exception):
    """What libcutlet refused, in its line."""


class Library:
    """The functions; each may be called from any thread."""

    def __init__(self, path):
        self.c = ctypes.CDLL(os.path.abspath(path))
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(self.c, "bench_" + name)
            function.restype, function.argtypes = result, arguments

    def call(self, name, *arguments):
        """Calls a function whose last argument is a line; raises the line where it fails."""
        line = ctypes.create_string_buffer(MESSAGE_BYTES)
        result = getattr(self.c, "bench_" + name)(*arguments, line)
        failed = not result if FUNCTIONS[name][0] is POINTER else result != 0
        if failed:
            raise Failure(line.value.decode(errors="replace") or f"{name}: {result}")
        return result

    @staticmethod
    def struct(case, ranks, carry, backend, chunk_bytes, scratch_bytes=0):
        """The case as the library takes it."""
        shape = (INT64 * 8)(*case.shape)
        return CaseStruct(case.src.text().encode(), case.dst.text().encode(), shape,
                          len(case.shape), ranks, case.types[0], case.types[1], case.raw_bytes,
                          case.scale is not None, carry, backend, case.scale or 0, chunk_bytes,
                          scratch_bytes or 4 * chunk_bytes)

    def spans(self, struct, rank):
        """The elements of memory of the source and of the destination."""
        both = (INT64 * 2)()
        self.call("spans", ctypes.byref(struct), rank, both)
        return list(both)

    def numbers(self, plan):
        """What a plan sends."""
        numbers = Numbers()
        self.c.bench_numbers_of(plan, ctypes.byref(numbers))
        return numbers

    def describe(self, plan):
        """What a plan says of itself."""
        text = ctypes.create_string_buffer(1 << 16)
        self.c.bench_describe(plan, text, len(text))
        return text.value.decode(errors="replace")

    def run(self, plan, engine, dst, src, stream, times):
        """The seconds of each run."""
        seconds = (ctypes.c_double * times)()
        self.call("run", plan, engine, dst, src, stream, times, seconds)
        return list(seconds)
