"""Elements of every type of NumPy, in arrays of every kind, by every function that takes arrays: NumPy's value, or a
TypeError or ValueError of one line."""

import array as arrays
import ctypes
import itertools
import os
import random
import subprocess
import sys

import pytest

import cutlet

numpy = pytest.importorskip("numpy")
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

#: All codes but objects; fields with holes and of other orders; more than 16 bytes; strings and bytes.
CODES = [*numpy.typecodes["All"].replace("O", "").replace("S", "").replace("U", "").replace("V", "").replace("M", "")
         .replace("m", ""), "M8[ns]", "m8[D]", "S1", "S3", "U1", "U5", "V5", "V12", "V17", "V24", "V64", "i4,f8", "i1,>f4",
         "i4,M8[s]", "(3,)f8,i2"]
SCALARS = ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e8m0fnu", "int4", "uint4",
           "float4_e2m1fn"]
CONVERTED = {"float16", "bfloat16", "float32", "float64", "int8"}
TYPES = [numpy.dtype(code) for code in CODES]
TYPES += [t.newbyteorder() for t in TYPES if t.newbyteorder() != t and not t.names]
TYPES += [numpy.dtype(getattr(ml_dtypes, name)) for name in SCALARS if hasattr(ml_dtypes, name)]
NAMES = [f"{t.str}-{t}".replace(" ", "") for t in TYPES]


def test_ml_dtypes_is_here():
    if ml_dtypes is None:
        pytest.skip("no ml_dtypes: bfloat16 and fp8 of NumPy are not tested")


def turned(t):
    """The same type in the other byte order, where it has one."""
    return t if t.names or t.num > 255 else t.newbyteorder()


def filled(t, *shape):
    """An array of random values, whose bits are all different kinds."""
    count = int(numpy.prod(shape))
    bits = random.Random(count).randbytes(count * t.itemsize)
    if t.kind == "b":
        bits = bytes(b & 1 for b in bits)
    if t.kind == "U":
        return numpy.array([f"{k:x}" for k in range(count)], t).reshape(shape)
    return numpy.frombuffer(bits, numpy.uint8).view(t).reshape(shape).copy()


def off_by_one(a):
    """The same values at addresses that nothing divides."""
    raw = numpy.zeros(a.nbytes + 1, numpy.uint8)[1:].view(a.dtype).reshape(a.shape)
    raw[...] = a
    return raw


def in_fields(a):
    """The same as a field of records: strides that are no elements."""
    t = numpy.dtype([("first", "u1"), ("value", a.dtype)])
    records = numpy.zeros(a.shape, t)
    records["value"] = a
    return records["value"]


def spread(a):
    """The same, with other elements between."""
    wide = numpy.zeros([2 * n for n in a.shape], a.dtype)
    wide[tuple(slice(None, None, 2) for _ in a.shape)] = a
    return wide[tuple(slice(None, None, 2) for _ in a.shape)]


def read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


FORMS = {"c": numpy.array, "f": numpy.asfortranarray, "off by one": off_by_one, "fields": in_fields, "spread": spread,
         "reversed": lambda a: a[::-1].copy()[::-1], "read-only": read_only}


def same(a, b):
    """Whether two arrays have one type and the same bits."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def value_or_refusal(call, right):
    """The value, or an error of one line."""
    try:
        got = call()
    except (TypeError, ValueError, BufferError, RuntimeError) as error:  # the last is NumPy's
        assert str(error) and "\n" not in str(error), error
        return False
    assert same(numpy.asarray(got), right)
    return True


@pytest.mark.parametrize("t", TYPES, ids=NAMES)
def test_values(t):
    """The same type: nothing is refused, but a swizzle of elements that are not aligned."""
    a = filled(t, 3, 4)
    for name, form in FORMS.items():
        src = form(a)
        for other in ("c", "f", "off by one", "fields", "spread", "reversed"):
            dst = FORMS[other](numpy.zeros((3, 4), t))
            cutlet.copy(dst, src)
            assert same(dst, a), (name, other)
        for order in "cf":
            got = cutlet.relayout(src, order)
            assert same(got, a) and got.flags[f"{order}_contiguous".upper()], (name, order)
        tiles = cutlet.relayout(src, "tiled:2x3")
        padded = numpy.zeros((4, 6), t)
        padded[:3, :4] = a
        assert same(tiles, padded.reshape(2, 2, 2, 3).swapaxes(1, 2).ravel()), name
        assert same(cutlet.relayout(tiles, "c", source="tiled:2x3", shape=(3, 4)), a)
        assert same(cutlet.relayout(src, cutlet.Layout((3, 4), (1, 3))), a.ravel("F")), name
        swizzled = numpy.arange(12) ^ (numpy.arange(12) >> 2 & 1)
        right = numpy.zeros(12, t)
        right[swizzled] = a.ravel()
        done = value_or_refusal(lambda: cutlet.relayout(src, "swizzled:1,0,2"), right)
        assert done or t.itemsize & (t.itemsize - 1), name
        if name not in ("fields", "spread"):
            assert cutlet.layout_of(src).shape == (3, 4)
    for shape in ((), (1,), (0,), (0, 4), (2, 0, 3)):
        b, dst = filled(t, *shape), numpy.zeros(shape, t)
        cutlet.copy(dst, b)
        assert same(dst, b)
        assert all(same(cutlet.relayout(b, order), b) for order in "cf"), shape
        assert same(cutlet.relayout(b, "c", out=dst), b)


@pytest.mark.parametrize("t", TYPES, ids=NAMES)
def test_parts_and_plans(t):
    """redistribute, Plan and view by the same types; parts of both byte orders mix."""
    a = filled(t, 4, 6)
    parts = [a[:2], off_by_one(a[2:].astype(turned(t)))]
    got = cutlet.redistribute(parts, "shard:0", "shard:1", (4, 6), 2)
    assert all(same(part, right) for part, right in zip(got, (a[:, :3], a[:, 3:])))
    out = [off_by_one(numpy.zeros((4, 3), p.dtype)) for p in parts]
    cutlet.redistribute(parts, "shard:0", "shard:1", (4, 6), 2, out=out)
    assert all(same(o, right.astype(o.dtype)) for o, right in zip(out, (a[:, :3], a[:, 3:])))
    if t.itemsize <= 16:
        plan = cutlet.Plan("(4,6):(6,1)", "(4,6):(1,4)", t.itemsize)
        for src, dst in itertools.product((a, off_by_one(a), read_only(a)), (numpy.zeros((6, 4), t), off_by_one(numpy.zeros((6, 4), t)))):
            plan.run(dst, src)
            assert same(dst.T, a)
    view = cutlet.view(a, "(6,4):(4,1)")
    for take in (numpy.asarray, numpy.from_dlpack)[t.kind == "V" and "void" in t.name:]:  # NumPy misreads a format as 5x
        value_or_refusal(lambda: take(view), a.reshape(6, 4))
    with pytest.raises((BufferError, TypeError, ValueError)):
        numpy.asarray(cutlet.view(read_only(a), "24:1"))[0] = a[0, 0]


@pytest.mark.parametrize("t", TYPES, ids=NAMES)
def test_pairs(t):
    """Two types: the other byte order and the five types are converted, all others refused by name."""
    dice = random.Random(str(t))
    others = TYPES if os.environ.get("CUTLET_TEST_ALL") else dice.sample(TYPES, 12) + [t, turned(t)]
    for other in others:
        native = other in (t, turned(t))
        converts = t.name in CONVERTED and other.name in CONVERTED
        a = numpy.arange(-6, 6).astype(t).reshape(3, 4) if converts else filled(t, 3, 4)
        for src, dst in itertools.product((a, off_by_one(a)), (numpy.zeros((3, 4), other), in_fields(numpy.zeros((3, 4), other)))):
            if native or converts:
                cutlet.copy(dst, src)
                assert same(dst, a.astype(other)), (t, other)
                assert same(cutlet.relayout(src, "f", out=dst.T.copy().T), a.astype(other))
                got = cutlet.redistribute([src, src], "shard:0", "replicate", (6, 4), 2, out=[numpy.zeros((6, 4), other) for _ in range(2)])
                assert same(got[1], numpy.vstack([a, a]).astype(other))
                continue
            for call in (lambda: cutlet.copy(dst, src), lambda: cutlet.relayout(src, "f", out=dst.T.copy().T),
                         lambda: cutlet.relayout(src, "c", dtype=other), lambda: cutlet.redistribute([src, dst], "shard:0", "replicate", (6, 4), 2),
                         lambda: cutlet.redistribute([src, src], "shard:0", "replicate", (6, 4), 2, out=[numpy.zeros((6, 4), other)] * 2),
                         lambda: cutlet.Plan(12, 12, min(t.itemsize, 16)).run(numpy.zeros(12, other), src)):
                with pytest.raises((TypeError, ValueError)) as error:
                    call()
                assert "\n" not in str(error.value), error


def test_scale_and_dtype():
    """Conversions from and to the other byte order, with a scale; dtype as NumPy spells it."""
    a = numpy.arange(12.0).reshape(3, 4)
    for src, dst in itertools.product(("<f4", ">f4", ">f8", ">f2"), (">f4", "<f8", ">f2", "i1", numpy.float32)):
        got = cutlet.relayout(a.astype(src), "f", dtype=dst, scale=2)
        assert same(got, (2 * a).astype(dst))
        out = [numpy.zeros((6, 4), dst) for _ in range(2)]
        cutlet.redistribute([a.astype(src), (a + 12).astype(">f4").astype(src)], "shard:0", "replicate", (6, 4), 2, scale=2, out=out)
        assert same(out[0], (2 * numpy.arange(24).reshape(6, 4)).astype(dst))
    plan, out = cutlet.Plan(12, 12, "float", "half"), numpy.zeros(12, ">f2")
    plan.run(out, a.astype(">f4"))
    assert (out == a.ravel()).all()
    with pytest.raises(TypeError, match="dtype is float16, and out has elements of type float64"):
        cutlet.relayout(a, "c", dtype="half", out=a.copy())
    assert cutlet.relayout(a, "c", dtype=">f8").dtype == ">f8"


def test_objects():
    """Elements that are references are refused, wherever they stand: a crash would end the process."""
    objects = numpy.array([[object()] * 4] * 3, dtype=object)
    records = [numpy.zeros((3, 4), t) for t in ("O,i4", [("a", "i4"), ("b", [("c", "O")])], "O,M8[s]", "(2,)O,i4")]
    others = [(ctypes.py_object * 3)(), (ctypes.POINTER(ctypes.c_int) * 3)()]
    if hasattr(numpy.dtypes, "StringDType"):
        others.append(numpy.array(["a", "b" * 99], numpy.dtypes.StringDType()))
    for a in [objects, objects.T, objects[:0], numpy.array(object()), *records, *others]:
        for call in (cutlet.layout_of, lambda a: cutlet.relayout(a, "f"), lambda a: cutlet.copy(a, a),
                     lambda a: cutlet.view(a, "1:1"), lambda a: cutlet.relayout(numpy.zeros(3, "i8"), "f", out=a),
                     lambda a: cutlet.redistribute([a], "replicate", "replicate", (3, 4), 1),
                     lambda a: cutlet.Plan(1, 1, 8).run(a, a)):
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
    assert str(cutlet.layout_of(floats)) == "4:1" and str(cutlet.layout_of(grid)) == "(2,3):(3,1)"
    for a in (floats, grid, big, ctypes.c_double(3), (ctypes.c_char * 3)(b"a"), (ctypes.c_bool * 2)(1, 0), (Numbers * 2)(),
              arrays.array("d", [1, 2]), arrays.array("u", "abc"), arrays.array("i"), memoryview(bytes(6)).cast("h"), bytes(5),
              bytearray(b"abc"), memoryview(b"abcdef")[::2], (ctypes.c_int * 0)(), b""):
        right = numpy.asarray(memoryview(a))
        assert same(cutlet.relayout(a, "f"), right), a
        got = numpy.zeros_like(right)
        cutlet.copy(got, a)
        assert same(got, right)
        if right.ndim == 1 and right.size and right.flags.c_contiguous:
            assert same(cutlet.redistribute([a], "shard:0", "replicate", right.shape, 1)[0], right)
    out = (ctypes.c_float * 4)()
    cutlet.copy(out, big)
    assert list(out) == [1, 2, 3, 4]
    cutlet.copy(big, numpy.arange(4, dtype="f4"))
    assert list(big) == [0, 1, 2, 3]
    with pytest.raises((ValueError, BufferError, TypeError)):
        cutlet.copy(bytes(4), b"abcd")
    with pytest.raises(TypeError):
        cutlet.copy(numpy.zeros(2, "u4"), (Either * 2)())


class Exported:
    """An object that has DLPack alone, with versions or without."""

    def __init__(self, a, versions):
        self.a, self.versions, self.asked = a, versions, []

    def __dlpack_device__(self):
        return self.a.__dlpack_device__()

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
        assert same(cutlet.relayout(given, "f"), a) and same(cutlet.relayout(given, "tiled:2x3")[:3], a[0, :3])
        assert same(cutlet.redistribute([given], "shard:0", "replicate", (3, 4), 1)[0], a)
        assert given.asked[0] == {"max_version": (1, 0)}
        if versions:
            fixed = Exported(read_only(a), versions)
            assert same(cutlet.relayout(fixed, "f"), a)
            with pytest.raises(BufferError, match="read-only"):
                cutlet.copy(fixed, a)
            view = numpy.asarray(cutlet.view(fixed, "12:1"))
            assert same(view, a.ravel()) and not view.flags.writeable
            view = numpy.from_dlpack(cutlet.view(read_only(a), "12:1"))
            assert same(view, a.ravel()) and not view.flags.writeable
    with pytest.raises(BufferError, match="byte order"):
        numpy.from_dlpack(cutlet.view(numpy.zeros(4, ">f4"), "4:1"))


@pytest.mark.parametrize("to", ["c", "f", "tiled:2x2", "swizzled:1,0,2", "(4,4):(1,4)"])
def test_out(to):
    """`out` has the values that a new array would have, in its own order; or it is refused."""
    a = filled(numpy.dtype("i4"), 4, 4)
    new = cutlet.relayout(a, to)
    flat = numpy.ravel(new, "A" if to in "cf" else "C")
    outs = {name: form(numpy.zeros((4, 4), "i4")) for name, form in FORMS.items() if name != "read-only"}
    outs |= {"flat": numpy.zeros(16, "i4"), "flat reversed": numpy.zeros(16, "i4")[::-1], "long": numpy.zeros(20, "i4"),
             "short": numpy.zeros(15, "i4"), "every second": numpy.zeros(32, "i4")[::2], "8 x 2": numpy.zeros((8, 2), "i4"),
             "8 x 2 f": numpy.zeros((2, 8), "i4").T, "2 x 2 x 4": numpy.zeros((2, 2, 4), "i4"), "big": numpy.zeros((4, 4), ">i4")}
    taken = set()
    for name, out in outs.items():
        try:
            assert cutlet.relayout(a, to, out=out) is out
        except ValueError:
            assert not out.any(), name
            continue
        taken.add(name)
        right = a if to in "cf" and out.shape == (4, 4) else flat
        assert (out.ravel()[:16].reshape(right.shape) == right).all() and not out.ravel()[16:].any(), name
    wanted = {"c": {"c", "flat", "8 x 2", "2 x 2 x 4", "big", "off by one", "fields", "spread"},
              "f": {"f", "flat", "8 x 2", "2 x 2 x 4"}}
    assert taken == wanted.get(to, {"c", "flat", "8 x 2", "2 x 2 x 4", "big", "off by one"} | ({"long"} if ":(" in to else set()))
    with pytest.raises(ValueError, match="overlap"):
        cutlet.relayout(a, to, out=a.T if to == "f" else a)
    with pytest.raises(ValueError):
        cutlet.relayout(a, to, out=numpy.broadcast_to(a, (4, 4)))


def test_sources():
    """A flat source is its elements in C order; it has as many as the words say."""
    a = filled(numpy.dtype("i4"), 4, 4)
    tiles = cutlet.relayout(a, "tiled:2x2")
    for form in (tiles, tiles[::-1].copy()[::-1], tiles.reshape(4, 4), numpy.asfortranarray(tiles.reshape(4, 4)), spread(tiles)):
        assert same(cutlet.relayout(form, "c", source="tiled:2x2", shape=(4, 4)), a)
    for wrong in (tiles[:15], numpy.zeros(17, "i4")):
        with pytest.raises(ValueError, match="reaches offsets 0 to 15"):
            cutlet.relayout(wrong, "c", source="tiled:2x2", shape=(4, 4))
    with pytest.raises(ValueError, match="shape is that of a flat array"):
        cutlet.relayout(tiles, "c", shape=(4, 4))
    holes = numpy.lib.stride_tricks.as_strided(numpy.zeros(9, "i4"), (3, 3), (8, 8))
    with pytest.raises(ValueError, match="without gaps"):
        cutlet.view(holes, "9:1")


def test_shapes():
    """Shapes are those of the arrays: empty ones and those without dimensions too."""
    for a, b in (((0, 4), (0, 5)), ((), (1,)), ((1, 3), (3,)), ((0,), (0, 1)), ((2, 3), (3, 2)), ((2,), (2, 1))):
        for dst, src in ((a, b), (b, a)):
            with pytest.raises(ValueError, match="shape"):
                cutlet.copy(numpy.zeros(dst), numpy.zeros(src))
    assert cutlet.relayout(numpy.array(2.5), "c").shape == cutlet.relayout(numpy.array(2.5), "f").shape == ()
    assert cutlet.relayout(numpy.zeros((0, 4)), "tiled:2x2").shape == (0,)
    for wrong in (lambda: cutlet.relayout(numpy.zeros((0, 4)), "(2,2):(2,1)"), lambda: cutlet.relayout(numpy.zeros((0, 4)), "tiled:2"),
                  lambda: cutlet.relayout(numpy.zeros((0, 4)), "c", out=numpy.zeros((0, 5))),
                  lambda: cutlet.relayout(numpy.zeros((0, 4)), "c", out=numpy.zeros(3))):
        with pytest.raises(ValueError):
            wrong()


def test_overlaps():
    """No memory of a destination of redistribute is that of another array, each way that two arrays can meet."""
    a, whole = filled(numpy.dtype("f4"), 4, 6), numpy.zeros(40, "f4")
    parts, one = [a[:2], a[2:]], numpy.zeros((4, 3), "f4")
    for out in ([one, one], [one, one[:]], [whole[:12].reshape(4, 3), whole[11:23].reshape(4, 3)], [one, a.reshape(8, 3)[4:]],
                [whole.view("u1")[1:49].view("f4").reshape(4, 3), whole[11:23].reshape(4, 3)]):
        with pytest.raises(ValueError, match="overlap"):
            cutlet.redistribute(parts, "shard:0", "shard:1", (4, 6), 2, out=out)
    out = [whole[:12].reshape(4, 3), whole[12:24].reshape(4, 3)]
    assert (cutlet.redistribute([parts[0]] * 2, "shard:0", "shard:1", (4, 6), 2, out=out)[1] == numpy.vstack([a[:2]] * 2)[:, 3:]).all()


def test_nothing_crashes():
    """The inputs that once ended the process, in a process of their own."""
    text = ("import ctypes, gc, numpy, cutlet\nfor r in range(20):\n    o = numpy.array([[object() for i in range(30)] for j in range(30)])\n"
            "    for f in (lambda: cutlet.relayout(o, 'f'), lambda: cutlet.copy(o.copy(), o)):\n        try: f(); print('moved')\n"
            "        except TypeError: pass\n    del o; gc.collect()\nprint(cutlet.layout_of((ctypes.c_float * 4)(1, 2, 3, 4)))")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "4:1\n"), done
