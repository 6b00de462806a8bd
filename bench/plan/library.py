"""The shared library bench_plan, which makes and runs copy plans, for Python."""

import ctypes
import os

EFFORTS = {"estimate": 0, "measure": 1}
CPU, CUDA = 1, 3  # CT_BACKEND_...

POINTER, TEXT = ctypes.c_void_p, ctypes.c_char_p
FUNCTIONS = {
    "make": (POINTER, [TEXT, TEXT, ctypes.c_int, ctypes.c_int, ctypes.c_int, TEXT]),
    "run": (ctypes.c_int, [POINTER, POINTER, POINTER, POINTER, TEXT]),
    "seconds": (ctypes.c_double, [POINTER, POINTER, POINTER, POINTER, ctypes.c_int, TEXT]),
    "describe": (ctypes.c_int, [POINTER, TEXT, ctypes.c_size_t]),
    "sectors": (None, [POINTER, ctypes.POINTER(ctypes.c_int64)]),
    "drop": (None, [POINTER]),
}


class Failure(Exception):
    """A plan was refused, or a run of it failed: the library's one line."""


def load(path):
    """The library, its functions declared."""
    library = ctypes.CDLL(os.path.abspath(path))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, "bench_plan_" + name)
        function.restype, function.argtypes = result, arguments
    library.bench_memcpy.argtypes = [POINTER, POINTER, ctypes.c_size_t]
    library.bench_launch_seconds.restype = ctypes.c_double
    library.bench_launch_seconds.argtypes = [POINTER] * 5 + [ctypes.c_int]
    return library


class Plan:
    """A copy plan for a case."""

    def __init__(self, library, case, effort="estimate", backend=CPU):
        self.library, self.handle = library, None
        self.message = ctypes.create_string_buffer(320)
        self.handle = library.bench_plan_make(
            case.text(case.src).encode(), case.text(case.dst).encode(), case.size, EFFORTS[effort],
            backend, self.message)
        if not self.handle:
            raise Failure(self.message.value.decode())

    def __del__(self):
        if self.handle:
            self.library.bench_plan_drop(self.handle)

    def run(self, dst, src, stream=None):
        """Copies; dst and src are addresses of offset 0."""
        if self.library.bench_plan_run(self.handle, dst, src, stream, self.message):
            raise Failure(self.message.value.decode())

    def seconds(self, dst, src, stream, times):
        """What each of this many runs takes the caller."""
        seconds = self.library.bench_plan_seconds(self.handle, dst, src, stream, times, self.message)
        if seconds < 0:
            raise Failure(self.message.value.decode())
        return seconds

    def text(self):
        """What the plan says of itself."""
        text = ctypes.create_string_buffer(4096)
        self.library.bench_plan_describe(self.handle, text, len(text))
        return text.value.decode().strip()

    def form(self):
        """The kind of copy, in a word."""
        return self.text().split(":")[0]

    def sectors(self):
        """The sectors of 32 bytes that the source and the destination touch."""
        both = (ctypes.c_int64 * 2)()
        self.library.bench_plan_sectors(self.handle, both)
        return list(both)
