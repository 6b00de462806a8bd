"""Elements of every type of NumPy, in arrays of every kind, by every function that takes arrays: NumPy's value, or a
TypeError or ValueError of one line."""

import array as arrays
import ctypes
import os
import random
import subprocess
import sys
from itertools import product

import pytest

import pycutlet

numpy = pytest.importorskip("numpy")
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

# All codes but objects; more than 16 bytes; fields with holes, of the other order, of types without a format.
CODES = [*(set(numpy.typecodes["All"]) - set("OSUVMm")), "M8[ns]", "m8[D]", "S1", "S3", "U1", "U5", "V5", "V12", "V17", "V64",
         "i4,f8", "i1,>f4", "i4,M8[s]", "(3,)f8,i2"]
SCALARS = "bfloat16 float8_e4m3fn float8_e5m2 float8_e4m3b11fnuz float8_e8m0fnu int4 uint4 float4_e2m1fn".split()
CONVERTED = {"float16", "bfloat16", "float32", "float64", "int8"}
TYPES = sorted(map(numpy.dtype, CODES), key=str)
TYPES += [t.newbyteorder() for t in TYPES if t.newbyteorder() != t and not t.names]
TYPES += [numpy.dtype(getattr(ml_dtypes, name)) for name in SCALARS if hasattr(ml_dtypes, name)]
each_type = pytest.mark.parametrize("t", TYPES, ids=[f"{t.str}-{t}".replace(" ", "") for t in TYPES])
I4, F4 = numpy.dtype("i4"), numpy.dtype("f4")


@pytest.mark.skipif(ml_dtypes is None, reason="no ml_dtypes: bfloat16 and fp8 of NumPy are not tested")
def test_ml_dtypes_is_here():
    assert pycutlet.relayout(numpy.zeros(3, "f4"), "c", dtype="bfloat16").dtype == ml_dtypes.bfloat16


def transposed(t):
    """The same type in the other byte order, where it has one."""
    return t if t.names or t.num > 255 else t.newbyteorder()


def filled(t, *shape):
    """An array of random bits."""
    count = int(numpy.prod(shape))
    if t.kind == "U":
        return numpy.array([f"{k:x}" for k in range(count)], t).reshape(shape)
    bits = numpy.frombuffer(random.Random(count).randbytes(count * t.itemsize), numpy.uint8)
    return (bits & 1 if t.kind == "b" else bits).view(t).reshape(shape).copy()


def off_by_one(a):
    """The same values at addresses that nothing divides."""
    raw = numpy.zeros(a.nbytes + 1, numpy.uint8)[1:].view(a.dtype).reshape(a.shape)
    raw[...] = a
    return raw


def in_fields(a):
    """The same as a field of records: strides that are no elements."""
    records = numpy.zeros(a.shape, [("first", "u1"), ("value", a.dtype)])
    records["value"] = a
    return records["value"]


def spread(a):
    """The same, with other elements between."""
    wide = numpy.zeros([2 * n for n in a.shape], a.dtype)
    part = wide[tuple(slice(None, None, 2) for _ in a.shape)]
    part[...] = a
    return part


def read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


FORMS = {"c": numpy.array, "f": numpy.asfortranarray, "off by one": off_by_one, "fields": in_fields, "spread": spread,
         "reversed": lambda a: a[::-1].copy()[::-1], "read-only": read_only}


def same(a, b):
    """Whether two arrays have one type and the same bits."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def refused(call, kinds=(TypeError, ValueError)):
    with pytest.raises(kinds) as error:
        call()
    assert str(error.value) and "\n" not in str(error.value)


@each_type
def test_values(t):
    """Between arrays of one type nothing is refused."""
    a = filled(t, 3, 4)
    padded, swizzled = numpy.zeros((4, 6), t), numpy.zeros(12, t)
    padded[:3, :4] = a
    swizzled[numpy.arange(12) ^ (numpy.arange(12) >> 2 & 1)] = a.ravel()
    for name, form in FORMS.items():
        src = form(a)
        for other in set(FORMS) - {"read-only"}:
            dst = FORMS[other](numpy.zeros((3, 4), t))
            pycutlet.copy(dst, src)
            assert same(dst, a), (name, other)
        for order in "cf":
            got = pycutlet.relayout(src, order)
            assert same(got, a) and got.flags[f"{order}_contiguous".upper()], (name, order)
        tiles = pycutlet.relayout(src, "tiled:2x3")
        assert same(tiles, padded.reshape(2, 2, 2, 3).swapaxes(1, 2).ravel()), name
        assert same(pycutlet.relayout(tiles, "c", source="tiled:2x3", shape=(3, 4)), a)
        assert same(pycutlet.relayout(src, pycutlet.Layout((3, 4), (1, 3))), a.ravel("F")), name
        assert same(pycutlet.relayout(src, "swizzled:1,0,2"), swizzled), name
    for shape in ((), (1,), (0,), (0, 4), (2, 0, 3)):
        b, dst = filled(t, *shape), numpy.zeros(shape, t)
        pycutlet.copy(dst, b)
        assert same(dst, b) and same(pycutlet.relayout(b, "c", out=dst), b)
        assert all(same(pycutlet.relayout(b, order), b) for order in "cf"), shape


@each_type
def test_parts_and_plans(t):
    """redistribute, Plan and view; parts of both byte orders mix."""
    a = filled(t, 4, 6)
    halves = a[:, :3], a[:, 3:]
    parts = [a[:2], off_by_one(a[2:].astype(transposed(t)))]
    got = pycutlet.redistribute(parts, "shard:0", "shard:1", (4, 6), 2)
    assert all(map(same, got, halves))
    out = [off_by_one(numpy.zeros((4, 3), p.dtype)) for p in parts]
    pycutlet.redistribute(parts, "shard:0", "shard:1", (4, 6), 2, out=out)
    assert all(same(o, right.astype(o.dtype)) for o, right in zip(out, halves))
    if t.itemsize <= 16:
        plan = pycutlet.Plan("(4,6):(6,1)", "(4,6):(1,4)", t.itemsize)
        for src, form in product((a, off_by_one(a), read_only(a)), (numpy.array, off_by_one)):
            dst = form(numpy.zeros((6, 4), t))
            plan.run(dst, src)
            assert same(dst.T, a)
    view = pycutlet.view(a, "(6,4):(4,1)")
    for take in (numpy.asarray, numpy.from_dlpack):
        try:
            got = take(view)
        except (TypeError, BufferError, ValueError, RuntimeError):  # the last is NumPy's
            continue
        assert same(got, a.reshape(6, 4)) or (got.dtype.names == () and got.tobytes() == a.tobytes())  # of 5x
    try:
        assert same(pycutlet.relayout(view, "f"), a.reshape(6, 4))
    except (TypeError, BufferError):
        assert t.kind in "mMV" or t.str == ">f16" or t.str == ">c32"
    refused(lambda: numpy.asarray(pycutlet.view(read_only(a), "24:1")).__setitem__(0, a[0, 0]))


@each_type
def test_pairs(t):
    """Two types: the other byte order and the five types are converted, all others refused by name."""
    others = TYPES if os.environ.get("CUTLET_TEST_ALL") else random.Random(str(t)).sample(TYPES, 12) + [t, transposed(t)]

    def parts(*arrays, out=None):
        return pycutlet.redistribute(arrays, "shard:0", "replicate", (6, 4), 2, out=out)[1]

    for other in others:
        converts = t.name in CONVERTED and other.name in CONVERTED
        a = numpy.arange(-6, 6).astype(t).reshape(3, 4) if converts else filled(t, 3, 4)
        zeros = numpy.zeros((3, 4), other)
        out = [numpy.zeros((6, 4), other) for _ in range(2)]
        for src, dst in product((a, off_by_one(a)), (zeros.copy(), in_fields(zeros))):
            if converts or other in (t, transposed(t)):
                pycutlet.copy(dst, src)
                assert same(dst, a.astype(other)), other
                assert same(pycutlet.relayout(src, "f", out=zeros.T.copy().T), a.astype(other))
                assert same(parts(src, src, out=out), numpy.vstack([a, a]).astype(other))
                continue
            for call in (lambda: pycutlet.copy(dst, src), lambda: pycutlet.relayout(src, "c", out=dst),
                         lambda: pycutlet.relayout(src, "c", dtype=other), lambda: parts(src, dst), lambda: parts(src, src, out=out),
                         lambda: pycutlet.Plan(12, 12, min(t.itemsize, 16)).run(zeros, src)):
                refused(call)


def test_scale_and_dtype():
    """Conversions from and to the other byte order, with a scale; dtype as NumPy spells it."""
    a = numpy.arange(24.0).reshape(6, 4)
    for src, dst in product(("<f4", ">f4", ">f8", ">f2"), (">f4", "<f8", ">f2", "i1", numpy.float32)):
        assert same(pycutlet.relayout(a.astype(src), "f", dtype=dst, scale=2), (2 * a).astype(dst))
        out = [numpy.zeros((6, 4), dst) for _ in range(2)]
        pycutlet.redistribute([a[:3].astype(src), a[3:].astype(src)], "shard:0", "replicate", (6, 4), 2, scale=2, out=out)
        assert same(out[1], (2 * a).astype(dst))
    plan, out = pycutlet.Plan(24, 24, "float", numpy.dtype(">f2")), numpy.zeros(24, ">f2")
    plan.run(out, a.astype(">f4"))
    assert (out == a.ravel()).all()
    with pytest.raises(TypeError, match="dtype is float16, and out has elements of type float64"):
        pycutlet.relayout(a, "c", dtype="half", out=a.copy())


def test_objects():
    """Elements that are references are refused, wherever they stand."""
    objects = numpy.array([[object()] * 4] * 3, dtype=object)
    records = [numpy.zeros((3, 4), t) for t in ("O,i4", [("a", "i4"), ("b", [("c", "O")])], "O,M8[s]", "(2,)O,i4")]
    others = [(t * 3)() for t in (ctypes.py_object, ctypes.POINTER(ctypes.c_int), ctypes.c_void_p, ctypes.c_char_p,
                                 ctypes.c_wchar_p)]
    if hasattr(numpy.dtypes, "StringDType"):
        others.append(numpy.array(["a", "b" * 99], numpy.dtypes.StringDType()))
    for a in [objects, objects.T, objects[:0], numpy.array(object()), *records, *others]:
        for call in (pycutlet.layout_of, lambda a: pycutlet.relayout(a, "f"), lambda a: pycutlet.copy(a, a),
                     lambda a: pycutlet.view(a, "1:1"), lambda a: pycutlet.relayout(numpy.zeros(3, "i8"), "f", out=a),
                     lambda a: pycutlet.redistribute([a], "replicate", "replicate", (3, 4), 1),
                     lambda a: pycutlet.Plan(1, 1, 8).run(a, a)):
            with pytest.raises(TypeError, match="objects or pointers"):
                call(a)


class Numbers(ctypes.BigEndianStructure):
    _fields_ = [("a", ctypes.c_int32), ("b", ctypes.c_float)]


class Either(ctypes.Union):
    _fields_ = [("a", ctypes.c_int32), ("b", ctypes.c_float)]


def test_buffers_of_others():
    """ctypes (without strides), array.array, memoryview, bytes: the values that NumPy sees."""
    floats, grid = (ctypes.c_float * 4)(1, 2, 3, 4), ((ctypes.c_int16 * 3) * 2)((1, 2, 3), (4, 5, 6))
    big = (ctypes.c_float.__ctype_be__ * 4)(1, 2, 3, 4)
    assert str(pycutlet.layout_of(floats)) == "4:1" and str(pycutlet.layout_of(grid)) == "(2,3):(3,1)"
    for a in (floats, grid, big, ctypes.c_double(3), (ctypes.c_char * 3)(b"a"), (ctypes.c_bool * 2)(1, 0), (Numbers * 2)(),
              arrays.array("d", [1, 2]), arrays.array("u", "abc"), arrays.array("i"), memoryview(bytes(6)).cast("h"), bytes(5),
              bytearray(b"abc"), memoryview(b"abcdef")[::2], (ctypes.c_int * 0)(), b""):
        right = numpy.asarray(memoryview(a))
        got = numpy.zeros_like(right)
        pycutlet.copy(got, a)
        assert same(got, right) and same(pycutlet.relayout(a, "f"), right), a
        if right.ndim == 1 and right.size and right.flags.c_contiguous:
            assert same(pycutlet.redistribute([a], "shard:0", "replicate", right.shape, 1)[0], right)
    out = (ctypes.c_float * 4)()
    pycutlet.copy(out, big)
    pycutlet.copy(big, numpy.arange(4, dtype="f4"))
    assert list(out) == [1, 2, 3, 4] and list(big) == [0, 1, 2, 3]
    refused(lambda: pycutlet.copy(bytes(4), b"abcd"), (TypeError, ValueError, BufferError))
    refused(lambda: pycutlet.copy(numpy.zeros(2, "u4"), (Either * 2)()))


class Exported:
    """An object that has DLPack alone, with versions or without."""

    def __init__(self, a, versions):
        self.a, self.versions, self.asked, self.__dlpack_device__ = a, versions, [], a.__dlpack_device__

    def __dlpack__(self, **names):
        self.asked.append(names)
        if not self.versions and "max_version" in names:
            raise TypeError("unexpected keyword max_version")
        return self.a.__dlpack__(**names)


@pytest.mark.parametrize("versions", [False, True])
def test_dlpack_alone(versions):
    for code in ("f4", "f8", "i4", "u2", "?", "c8", "f2"):
        a = filled(numpy.dtype(code), 3, 4)
        given = Exported(a, versions)
        assert same(pycutlet.relayout(given, "f"), a) and same(pycutlet.relayout(given, "tiled:2x3")[:3], a[0, :3])
        assert same(pycutlet.redistribute([given], "shard:0", "replicate", (3, 4), 1)[0], a)
        assert given.asked[0] == {"max_version": (1, 0)}
        if versions:
            fixed = Exported(read_only(a), versions)
            assert same(pycutlet.relayout(fixed, "f"), a)
            refused(lambda: pycutlet.copy(fixed, a), BufferError)
            for view in (numpy.asarray(pycutlet.view(fixed, "12:1")), numpy.from_dlpack(pycutlet.view(read_only(a), "12:1"))):
                assert same(view, a.ravel()) and not view.flags.writeable
    with pytest.raises(BufferError, match="byte order"):
        numpy.from_dlpack(pycutlet.view(numpy.zeros(4, ">f4"), "4:1"))


@pytest.mark.parametrize("to", ["c", "f", "tiled:2x2", "swizzled:1,0,2", "(4,4):(1,4)"])
def test_out(to):
    """`out` has the values that a new array would have, by its own order; or it is refused, and stays."""
    a = filled(I4, 4, 4)
    flat = numpy.ravel(pycutlet.relayout(a, to), "A" if to in "cf" else "C")
    outs = {name: form(numpy.zeros((4, 4), "i4")) for name, form in FORMS.items() if name != "read-only"}
    outs |= {"flat": numpy.zeros(16, "i4"), "flat reversed": numpy.zeros(16, "i4")[::-1], "long": numpy.zeros(20, "i4"),
             "short": numpy.zeros(15, "i4"), "every second": numpy.zeros(32, "i4")[::2], "8 x 2": numpy.zeros((8, 2), "i4"),
             "8 x 2 f": numpy.zeros((2, 8), "i4").T, "big": numpy.zeros((4, 4), ">i4")}
    taken = set()
    for name, out in outs.items():
        try:
            assert pycutlet.relayout(a, to, out=out) is out
        except ValueError:
            assert not out.any(), name
            continue
        taken.add(name)
        right = a if to in "cf" and out.shape == (4, 4) else flat
        assert (out.ravel()[:16].reshape(right.shape) == right).all() and not out.ravel()[16:].any(), name
    always, in_c = {"flat", "8 x 2"}, {"c", "big", "off by one"}
    assert taken == always | {"c": in_c | {"fields", "spread"}, "f": {"f"}, "(4,4):(1,4)": in_c | {"long"}}.get(to, in_c)
    with pytest.raises(ValueError, match="overlap"):
        pycutlet.relayout(a, to, out=a.T if to == "f" else a)


def test_sources():
    """A flat source is its elements in C order; it has as many as the words say."""
    a = filled(I4, 4, 4)
    tiles = pycutlet.relayout(a, "tiled:2x2")
    for form in (tiles, tiles[::-1].copy()[::-1], tiles.reshape(4, 4), numpy.asfortranarray(tiles.reshape(4, 4)), spread(tiles)):
        assert same(pycutlet.relayout(form, "c", source="tiled:2x2", shape=(4, 4)), a)
    for wrong in (tiles[:15], numpy.zeros(17, "i4")):
        with pytest.raises(ValueError, match="reaches offsets 0 to 15"):
            pycutlet.relayout(wrong, "c", source="tiled:2x2", shape=(4, 4))
    with pytest.raises(ValueError, match="shape is that of a flat array"):
        pycutlet.relayout(tiles, "c", shape=(4, 4))
    with pytest.raises(ValueError, match="without gaps"):
        pycutlet.view(numpy.lib.stride_tricks.as_strided(numpy.zeros(9, "i4"), (3, 3), (8, 8)), "9:1")


def test_shapes():
    """Shapes are those of the arrays: empty ones and those without dimensions too."""
    for pair in (((0, 4), (0, 5)), ((), (1,)), ((1, 3), (3,)), ((0,), (0, 1)), ((2, 3), (3, 2)), ((2,), (2, 1))):
        for dst, src in (pair, pair[::-1]):
            with pytest.raises(ValueError, match="shape"):
                pycutlet.copy(numpy.zeros(dst), numpy.zeros(src))
    nothing = numpy.zeros((0, 4))
    assert pycutlet.relayout(nothing, "tiled:2x2").shape == (0,)
    for to, out in (("(2,2):(2,1)", None), ("tiled:2", None), ("c", numpy.zeros((0, 5))), ("c", numpy.zeros(3))):
        refused(lambda: pycutlet.relayout(nothing, to, out=out), ValueError)


def test_overlaps():
    """No memory of a destination of redistribute is that of another array."""
    a, whole, one = filled(F4, 4, 6), numpy.zeros(40, "f4"), numpy.zeros((4, 3), "f4")
    inside = whole.view("u1")[1:49].view("f4").reshape(4, 3)
    first, second, third = (whole[k:k + 12].reshape(4, 3) for k in (0, 11, 12))
    for out in ([one, one], [one, one[:]], [first, second], [one, a.reshape(8, 3)[4:]], [inside, second], [second, first]):
        with pytest.raises(ValueError, match="overlap"):
            pycutlet.redistribute([a[:2], a[2:]], "shard:0", "shard:1", (4, 6), 2, out=out)
    pycutlet.redistribute([a[:2]] * 2, "shard:0", "shard:1", (4, 6), 2, out=[first, third])
    assert same(numpy.hstack([first, third]), numpy.vstack([a[:2]] * 2))


def test_nothing_crashes():
    """The inputs that once ended the process, in a process of their own."""
    text = ("import ctypes, gc, numpy, pycutlet\nfor r in range(20):\n    o = numpy.array([[object() for i in range(30)] for j in range(30)])\n"
            "    for f in (lambda: pycutlet.relayout(o, 'f'), lambda: pycutlet.copy(o.copy(), o)):\n        try: f(); print('moved')\n"
            "        except TypeError: pass\n    del o; gc.collect()\nprint(pycutlet.layout_of((ctypes.c_float * 4)(1, 2, 3, 4)))")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "4:1\n"), done
