"""cutlet's own count, asked of the shared library."""

import ctypes

from pattern import LANES

KINDS = ("ldg", "stg", "lds", "sts", "ldgsts", "ldgsts_cg", "ldsm", "stsm")  # CT_ACCESS_...


class Access(ctypes.Structure):  # ct_access
    _fields_ = [("kind", ctypes.c_int32), ("bits", ctypes.c_int32),
                ("offset", ctypes.c_int64 * LANES), ("shared", ctypes.c_int64 * LANES)]


class Count(ctypes.Structure):  # ct_access_count
    _fields_ = [(name, ctypes.c_int32) for name in
                ("requests", "sectors", "lines", "wavefronts", "ideal", "conflicts", "at_least",
                 "lanes", "broadcast", "bytes_used", "bytes_moved")]


class Model:
    def __init__(self, library):
        self.count_by = ctypes.CDLL(library).ct_count_access_by
        self.count_by.restype = Count
        self.count_by.argtypes = [ctypes.c_void_p, ctypes.POINTER(Access), ctypes.c_void_p]

    def count(self, pattern):
        access = Access(KINDS.index(pattern.kind), pattern.bits)
        access.offset[:] = pattern.bytes
        return self.count_by(None, ctypes.byref(access), None)
