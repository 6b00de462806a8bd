"""What the compiled core says of arguments that do not fit: an expression, and its whole sentence."""

import ctypes

import pytest

import pycutlet
from pycutlet import _core
from test_arrays import Given, numpy

A, TALL, LONG = numpy.zeros((4, 4), "f4"), numpy.zeros(8, ">f4"), numpy.zeros((2, 4), "f8")
DAYS, READ_ONLY = numpy.zeros(8, "M8[D]"), numpy.zeros(8, "f4")
FIXED = DAYS.copy()
READ_ONLY.flags.writeable = FIXED.flags.writeable = False
NESTED = 1
for _ in range(100):
    NESTED = (NESTED,)


class Described(numpy.ndarray):
    """Dates, which have no format in the buffer protocol, with another description of their memory."""

    __array_interface__ = {"data": (A.ctypes.data, False), "shape": 5, "typestr": "<M8[D]", "version": 3}


class Elsewhere:
    __dlpack__, __dlpack_device__ = (lambda self, **_: 5), (lambda self: (1, 0))


def redistribution(rank=0, kind="raw"):
    return _core._redistribution("shard:0", "shard:1", (4, 4), 2, kind, kind, 4 * (kind == "raw"), 1, None, "auto",
                                 "auto", 0, 0, 1.0, rank)


def run(dst, src, close=False, kind="raw"):
    """One rank alone, whose sides are the whole."""
    engine = _core._engine("processes", pycutlet.Engine.name(), 0, 1, 0, 5.0)
    plan = _core._redistribution("replicate", "replicate", (2, 4), 1, kind, kind, 4 * (kind == "raw"), 1, None, "auto",
                                 "auto", 0, 0, 5.0, 0)
    if close:
        engine.close()
    plan.run(dst, src, engine, None)


ROWS = r"""
layout_of(5)                   -> an array is expected (a buffer, or an object with __dlpack__), not int
layout_of(Elsewhere())         -> __dlpack__() gave no capsule of DLPack that is still to be taken
layout_of(Given(numpy.zeros((1,) * 17)))       -> a tensor of 17 dimensions; a layout has at most 16
layout_of(numpy.zeros((1,) * 17))              -> an array of 17 dimensions with elements of 8 bytes; at most 16 dimensions and 1 to 1073741824 bytes are read
layout_of(DAYS.view(Described))                -> __array_interface__ is not as NumPy describes it
relayout(DAYS, "c", out=FIXED)                 -> the array is read-only
copy(Given(A, (8, 0)), A)                      -> an array on a device of type 8 of DLPack; the host and CUDA are known
view(A[::2, ::3], 4)           -> the array has 4 elements within 12 places: a layout is put on memory without gaps
view(A, "17:1")                -> the layout reaches offsets 0 to 16; the array has 16 elements
view(A, "(4,4):(1@0,1@1)")     -> the layout has coordinates in place of offsets
view(A[:0], 1)                 -> the array has no elements
view(A, "Sw<1,0,1> o 0 o 8:1") -> strides cannot say what a swizzle does; relayout moves it
view(DAYS, 8).__dlpack__()     -> DLPack has no elements of type datetime64[D]
memoryview(view(DAYS, 8))      -> no format of the buffer protocol says elements of type datetime64[D]
view(DAYS, 8).__array__()      -> no buffer says elements of type datetime64[D]
memoryview(view(Given(A, (2, 0)), 8))          -> the memory is that of a device
view(TALL, 8).__dlpack__()     -> DLPack has no elements of the other byte order
view(READ_ONLY, 8).__dlpack__()                -> the array is read-only
bytes_of(view(A, 8))           -> a view has strides
(E(0) + E(1)).path             -> a sum of basis elements has no one path; terms are its parts
(E(0) + E(1)).value            -> a sum of basis elements has no one length; terms are its parts
(1 << 40) * ((1 << 40) * E(0)) -> a step that does not fit in 64 bits
(1 << 31) * (E(0) + E(1))      -> a step that does not fit in a sum of basis elements
flatten(NESTED)                -> a tuple nests too deep
flatten((1, ()))               -> an empty tuple inside another one
flatten(2.5)                   -> an integer, a tuple, None or a value of pycutlet is expected, not float
draw(Swizzle(3, 4, 3))         -> there is no picture of a swizzle
Swizzle(1, 2, 3, 4, 5)         -> Swizzle takes at most 4 arguments, not 5
Swizzle(bits=1)                -> Swizzle takes no keyword arguments
access([0] * 33, "lds", bits=32)               -> 33 lanes; a warp has 32
access([1], "lds", bits=32)    -> lane 0 begins at byte 1, which is not a multiple of its 4 bytes
access([0], "load", bits=32)   -> there is no access `load`: ldg, stg, lds, sts, ldgsts, ldgsts.bypass, ldmatrix or stmatrix
access(5, "lds", bits=32)      -> lanes are a sequence of byte offsets
access("(32,1):(1,32)", "lds", type=256)       -> no access is as wide as an element of 256 bits
access([0], "lds", bits=32, shared=[0])        -> only ldgsts has lanes in shared memory beside its own
coalesce(*[8] * 65)            -> 65 arguments; at most 64 are taken
coalesce(layout=8)             -> coalesce takes no keyword arguments
_core._plan_of(4, "long", 4, 4, "raw", 4, None, "cpu", "estimate") -> there is no type of elements that is converted, `long`
copy(A, A, backend="cuda")     -> the arrays are in memory of the host; the backend cuda does not reach them
copy(Given(A, (2, 0)), Given(A, (2, 0)), stream=-1)                -> -1 is not a stream of CUDA
same(4)                        -> same takes two layouts or tensors
same(4, Swizzle(0, 0, 0))      -> a layout and a swizzle cannot be compared
relayout(A, "c", dtype="int32")                -> elements of type float32 are not converted to int32; half, bfloat16, float, double and int8 are
relayout(numpy.zeros(4, object), "c")          -> elements of type O are Python objects or pointers, which are not moved
Layout(8)()                    -> a coordinate is expected, as in L(2, 3) or L(5)
Swizzle(3, 4, 3)(-1)           -> a swizzle takes offsets of at least 0, not -1
Layout((4, 8))[2]              -> there is no mode 2; the rank is 2
_core._pycute_right_inverse("4:1@0")           -> pycute has no layouts of coordinates
_core._engine("tcp", "", 0, 1, 0, 1.0)         -> there is no kind of engine `tcp`
_core._engine("peer", "", 0, 1, 0, 1.0)        -> the engine peer needs the name of a group
_core._run_threads([5], [A], [A])              -> a list of plans is expected
_core._run_threads([], [A], [])                -> 0 plans, 0 sources and 1 destinations
_core._run_threads([redistribution(0), redistribution(1)], [A[0:2], A[2:4]], [A[2:4], A[0:2]]) -> the destination of rank 0 and the source of rank 1 overlap
_core._run_threads([redistribution(0), redistribution(1)], [A[:2], A[2:]], [LONG[0].view("f4"), LONG[1].view("i4")]) -> the source of rank 1 has elements of type int32, others of type float32: all have one type
run(A[:2], A[:2])              -> the source and the destination overlap
run(A[:2], A[2:], close=True)  -> the engine is closed
run(A[:2], A[2:], kind="half") -> the destination has elements of type float32; planned was half
"""


def bytes_of(o):
    """The buffer of an object that is asked for bytes without strides."""
    ctypes.pythonapi.PyObject_GetBuffer.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
    return ctypes.pythonapi.PyObject_GetBuffer(o, ctypes.create_string_buffer(256), 0)


@pytest.mark.parametrize("row", ROWS.strip().splitlines())
def test_message(row):
    expression, sentence = row.split(" -> ")
    with pytest.raises(Exception) as caught:
        eval(expression, {**vars(pycutlet), **globals()})
    assert str(caught.value) == sentence.strip()
