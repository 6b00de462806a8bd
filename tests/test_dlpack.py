#!/usr/bin/env python3
"""Copies between NumPy's arrays, which hand their memory over as DLPack tensors, and a tensor handed to
NumPy.

    test_dlpack.py [LIBCUTLET.so]
"""

import ctypes
import random
import sys

import tap

try:
    import numpy
except ImportError:
    numpy = None


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("manager_ctx", ctypes.c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
capsule_new = ctypes.pythonapi.PyCapsule_New
capsule_new.restype = ctypes.py_object
capsule_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def copy(library, dst, src):
    """dst[...] = src; the status and the message."""
    capsules = [array.__dlpack__() for array in (dst, src)]  # which keep the tensors alive
    at = [capsule_pointer(capsule, b"dltensor") for capsule in capsules]
    message = ctypes.create_string_buffer(320)
    return library.ct_plan_copy_dlpack(*[ctypes.c_void_p(p) for p in at], message), message.value.decode()


def random_view(dice, shape, kind):
    """A view of the shape: axes in any order, gaps, some backwards."""
    order = dice.sample(range(len(shape)), len(shape))
    steps = [dice.choice([1, 1, 2, -1, -2]) for _ in shape]
    base = numpy.zeros([shape[k] * abs(steps[k]) for k in order], kind)
    view = base.transpose([order.index(k) for k in range(len(shape))])
    return base, view[tuple(slice(None, None, s) for s in steps)]


class Exported:
    """What NumPy's from_dlpack asks for: a tensor of ours in a capsule."""

    def __init__(self, managed):
        self.managed = managed

    def __dlpack__(self, **_):
        return capsule_new(ctypes.addressof(self.managed), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


def main():
    report = tap.Report()
    if numpy is None:
        report.skip("copies between NumPy's arrays", "Python has no NumPy")
        return report.finish()
    if len(sys.argv) != 2:
        report.skip("copies between NumPy's arrays", "a sanitised library does not load into Python")
        return report.finish()
    library = ctypes.CDLL(sys.argv[1])
    dice = random.Random(11)
    for kind in ("u1", "i2", "f4", "c8", "c16", "?"):
        wrong = ""
        for _ in range(60):
            shape = [dice.randint(1, 9) for _ in range(dice.randint(1, 5))]
            _, src = random_view(dice, shape, kind)
            src[...] = numpy.arange(src.size).reshape(shape).astype(kind)
            base, dst = random_view(dice, shape, kind)
            base[...] = 1
            right = base.copy()
            status, message = copy(library, dst, src)
            got = base.copy()
            base[...] = right
            dst[...] = src
            if status or not numpy.array_equal(got, base):
                wrong = wrong or f"{shape} {src.strides} {dst.strides}: {message}"
        report.check(f"views of {kind}", not wrong, wrong)
    for one, other in (("f4", "f2"), ("f8", "f4"), ("f2", "f8"), ("f8", "f2")):
        src = numpy.random.default_rng(3).normal(size=(300, 50)).astype(one) * 100
        dst = numpy.zeros((50, 300), other).T
        status, message = copy(library, dst, src)
        report.check(f"{one} to {other}", status == 0 and numpy.array_equal(dst, src.astype(other)), message)
    report.check("no elements", copy(library, numpy.zeros((0, 3)), numpy.zeros((0, 3)))[0] == 0)
    status, message = copy(library, numpy.zeros((2, 3)), numpy.zeros((3, 2)))
    report.check("shapes differ", status and message == "mode 0: the source has the extent 3, the destination 2",
                 message)
    both = numpy.zeros(10)
    status, message = copy(library, both[1:], both[:-1])
    report.check("memory overlaps", status and "overlap" in message, message)

    # A side handed to NumPy: the very memory, with its strides.
    base = numpy.arange(24, dtype=numpy.float32).reshape(4, 6)
    capsule = base.T[:, ::2].__dlpack__()
    side, at = ctypes.create_string_buffer(1 << 16), ctypes.c_void_p()
    message = ctypes.create_string_buffer(320)
    shape, strides = (ctypes.c_int64 * 64)(), (ctypes.c_int64 * 64)()
    managed = Managed()
    bad = library.ct_plan_side_from_dlpack(ctypes.c_void_p(capsule_pointer(capsule, b"dltensor")), side,
                                           ctypes.byref(at), message)
    bad = bad or library.ct_plan_side_to_dlpack(side, at, ctypes.byref(managed.tensor), shape, strides,
                                                message)
    back = numpy.from_dlpack(Exported(managed))
    report.check("a side as an array", not bad and numpy.array_equal(back, base.T[:, ::2]) and
                 back.strides == base.T[:, ::2].strides and numpy.shares_memory(back, base))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
