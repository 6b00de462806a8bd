"""Arrays in and out: against NumPy, and by DLPack."""

import ctypes
import random

import pytest

import pycutlet

numpy = pytest.importorskip("numpy")


def array(*shape, dtype="float32"):
    count = int(numpy.prod(shape))
    return (numpy.arange(count) % 251).astype(dtype).reshape(shape)


def test_layouts_of_arrays():
    a = array(3, 5)
    assert pycutlet.layout_of(a) == pycutlet.Layout((3, 5), (5, 1))
    assert pycutlet.layout_of(a.T) == pycutlet.Layout((5, 3), (1, 5))
    assert pycutlet.layout_of(a[::-1, ::2]) == pycutlet.Layout((3, 3), (-5, 2))
    assert pycutlet.layout_of(memoryview(bytes(6))) == pycutlet.Layout((6,), (1,)) or \
        pycutlet.layout_of(memoryview(bytes(6))) == pycutlet.Layout(6, 1)
    with pytest.raises(TypeError, match="an array is expected"):
        pycutlet.layout_of(5)
    with pytest.raises(ValueError, match="without elements"):
        pycutlet.layout_of(array(0, 3))
    with pytest.raises(ValueError, match="not a multiple"):
        pycutlet.layout_of(numpy.zeros(4, "i4,i2")["f0"])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint8", "int16", "uint32", "int64",
                                   "complex64", "complex128", "bool", "S3", ">f4"])
def test_orders(dtype):
    a = array(6, 10).astype(dtype)
    for b in (pycutlet.relayout(a, "f"), pycutlet.relayout(a.T, "c").T, pycutlet.relayout(a[::-1], "f")[::-1]):
        assert b.dtype == a.dtype and (b == a).all()
    assert pycutlet.relayout(a, "f").flags.f_contiguous and pycutlet.relayout(a.T, "c").flags.c_contiguous


def offsets(layout, n):
    """The offset of each element of an array, by C order."""
    return [layout(i) for i in range(n)]


def test_any_layout():
    dice = random.Random(7)
    for _ in range(40):
        m, n = 2 ** dice.randrange(1, 5), 2 ** dice.randrange(1, 5)
        a = array(m, n)
        layout = dice.choice([pycutlet.Layout((m, n), (n, 1)), pycutlet.Layout((m, n), (1, m)),
                              pycutlet.Layout((m, (2, n // 2)), (2, (1, 2 * m))),
                              pycutlet.Layout((m, n), (n + 3, 1)), pycutlet.Tensor(pycutlet.Layout((m, n), (n, 1)), 5),
                              pycutlet.Swizzle(1, 0, 1) @ pycutlet.Layout((m, n), (n, 1))])
        flat = pycutlet.relayout(a, layout)
        expected = numpy.zeros_like(flat)
        for j in range(n):
            for i in range(m):
                expected[layout(i, layout.shape[1] and pycutlet.idx2crd(j, layout.shape[1]))] = a[i, j]
        assert (flat == expected).all(), layout
        assert (pycutlet.relayout(flat, "c", source=layout, shape=(m, n)) == a).all(), layout


@pytest.mark.parametrize("shape, tile", [((8, 12), (4, 3)), ((7, 10), (4, 4)), ((5, 6, 7), (2, 3, 4)), ((9,), (4,))])
def test_tiles(shape, tile):
    a = array(*shape)
    word = "tiled:" + "x".join(map(str, tile))
    flat = pycutlet.relayout(a, word)
    counts = [-(-s // t) for s, t in zip(shape, tile)]
    padded = numpy.zeros([c * t for c, t in zip(counts, tile)], a.dtype)
    padded[tuple(slice(0, s) for s in shape)] = a
    split = padded.reshape([x for pair in zip(counts, tile) for x in pair])
    order = [*range(0, 2 * len(shape), 2), *range(1, 2 * len(shape), 2)]
    assert (flat == split.transpose(order).ravel()).all()
    assert (pycutlet.relayout(flat, "c", source=word, shape=shape) == a).all()


def test_words_that_are_none():
    a = array(4, 4)
    for word, why in (("tiled:4", "2 modes"), ("tiled:4xx", "2 modes"), ("swizzled:1", "swizzle"), ("x", "no atom")):
        with pytest.raises(ValueError, match=why):
            pycutlet.relayout(a, word)
    with pytest.raises(pycutlet.Error, match="16"):
        pycutlet.relayout(a, pycutlet.Layout(15))
    with pytest.raises(pycutlet.Error, match="overlap"):
        pycutlet.relayout(a, pycutlet.Layout((4, 4), (1, 1)))
    with pytest.raises(ValueError, match="negative"):
        pycutlet.relayout(a, pycutlet.Layout((4, 4), (-4, 1)))
    with pytest.raises(ValueError, match="reaches offsets 0 to 15; the array has 8"):
        pycutlet.relayout(a, "c", out=numpy.zeros(8, "f4"))


@pytest.mark.parametrize("src, dst", [("float32", "float16"), ("float16", "float64"), ("float64", "float32"),
                                      ("int8", "float32"), ("float32", "int8")])
def test_conversions(src, dst):
    a = (array(16, 16) / 8 - 12).astype(src)
    b = pycutlet.relayout(a, "f", dtype=dst)
    expected = numpy.clip(numpy.rint(a), -128, 127).astype(dst) if dst == "int8" else a.astype(dst)
    assert b.dtype == dst and (b == expected).all()
    assert (pycutlet.relayout(a, "c", dtype="float64", scale=0.5) == a.astype("float64") * 0.5).all()
    with pytest.raises(TypeError, match="converted"):
        pycutlet.relayout(a, "c", dtype="int32")


def test_out():
    a, out = array(8, 8), numpy.zeros((8, 8), "f4").T
    assert pycutlet.relayout(a, "f", out=out) is out and (out == a).all()
    out.flags.writeable = False
    with pytest.raises((ValueError, BufferError), match="read-only|not writable"):
        pycutlet.relayout(a, "f", out=out)
    with pytest.raises(pycutlet.Error, match="overlap"):
        pycutlet.relayout(a, "f", out=a.T)


def test_copies():
    a, b = array(6, 7), numpy.zeros((7, 6), "f8").T
    pycutlet.copy(b, a)
    assert (a == b).all()
    with pytest.raises(ValueError, match="shape"):
        pycutlet.copy(b, a.T)
    pycutlet.copy(b, a[:, ::-1], scale=2)
    assert (b == 2 * a[:, ::-1]).all()


def test_plans():
    plan = pycutlet.Plan("(16,8):(8,1)", "(16,8):(1,16)", "float", "half")
    a, b = array(16, 8), numpy.zeros((8, 16), "float16")
    for _ in range(3):
        plan.run(b, a)
    assert (b == a.T.astype("float16")).all()
    assert plan.info.elements == 128 and plan.info.bytes_written == 256 and plan.info.backend == "cpu"
    assert str(plan) and repr(plan) == "<Plan (16,8):(8,1) -> (16,8):(1,16)>"
    grid = pycutlet.Plan((16, 8), "(16,8):(8,1)", 4, backend="grid")
    out = numpy.zeros((16, 8), "f4")
    grid.run(out, array(8, 16))
    assert (out == array(8, 16).T).all() and grid.info.backend == "grid"
    with pytest.raises(TypeError, match="planned were"):
        plan.run(b, a.astype("f8"))
    with pytest.raises(ValueError, match="reaches offsets"):
        plan.run(b, a[:8].copy())
    with pytest.raises(ValueError, match="without gaps"):
        plan.run(b, array(16, 16)[:, ::2])
    with pytest.raises(pycutlet.Error):
        pycutlet.Plan((16, 8), (16, 4), "float")
    with pytest.raises(ValueError, match="not converted"):
        pycutlet.Plan((16, 8), (16, 8), "int32")
    with pytest.raises(AttributeError):
        plan.info = 1


def test_views():
    a = array(24)
    view = pycutlet.view(a, pycutlet.Layout((4, 6), (6, 1)))
    assert (numpy.asarray(view) == a.reshape(4, 6)).all() and numpy.shares_memory(numpy.asarray(view), a)
    assert (numpy.from_dlpack(view) == a.reshape(4, 6)).all() and view.__dlpack_device__() == (1, 0)
    window = numpy.asarray(pycutlet.view(a, pycutlet.Tensor(pycutlet.Layout((4, 3), (1, 4)), 2)))
    assert (window == numpy.lib.stride_tricks.as_strided(a[2:], (4, 3), (4, 16))).all()
    assert numpy.asarray(pycutlet.view(a, "((2,2),3):((1,2),4)")).shape == (2, 2, 3)
    numpy.asarray(view)[1, 2] = -1
    assert a[8] == -1
    with pytest.raises(ValueError, match="reaches offsets 0 to 24; the array has 24"):
        pycutlet.view(a, pycutlet.Layout(25))
    with pytest.raises(ValueError, match="swizzle"):
        pycutlet.view(a, "Sw<1,0,1> o 0 o 8:1")
    del a
    assert numpy.asarray(view)[0, 1] == 1  # the view keeps the memory


class Given:
    """An object with DLPack alone, as PyTorch's tensors are; its capsules count their release."""

    def __init__(self, array, device=(1, 0), code=2, address=None):
        self.array, self.device, self.code, self.address = array, device, code, address
        self.released, self.streams, self.alive = 0, [], []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        a, n = self.array, self.array.ndim

        class Managed(ctypes.Structure):
            pass

        deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
        numbers = ctypes.c_int64 * max(n, 1)
        Managed._fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("id", ctypes.c_int32),
                            ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                            ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
                            ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64),
                            ("context", ctypes.c_void_p), ("deleter", deleter)]
        shape, strides = numbers(*a.shape), numbers(*(s // a.itemsize for s in a.strides))

        @deleter
        def release(_):
            self.released += 1

        m = Managed(self.address or a.ctypes.data, *self.device, n, self.code, 8 * a.itemsize, 1,
                    ctypes.addressof(shape), ctypes.addressof(strides), 0, None, release)
        destructor_type = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)

        @destructor_type
        def destroy(capsule):
            valid = ctypes.pythonapi.PyCapsule_IsValid
            valid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
            if valid(capsule, b"dltensor"):
                release(ctypes.byref(m))

        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, destructor_type]
        self.alive += [m, shape, strides, release, destroy]
        return new(ctypes.addressof(m), b"dltensor", destroy)


def test_dlpack_on_the_host():
    a = array(6, 8)
    given = Given(a)
    assert pycutlet.layout_of(given) == pycutlet.Layout((6, 8), (8, 1)) and given.released == 1
    out = numpy.zeros((8, 6), "f4").T
    pycutlet.copy(out, given)
    assert (out == a).all() and given.released == len(given.streams) and set(given.streams) == {None}
    target = numpy.zeros((6, 8), "f4")
    pycutlet.copy(Given(target), a)
    assert (target == a).all()
    view = pycutlet.view(given, "(6,8):(8,1)")
    assert (numpy.asarray(view) == a).all()
    before = given.released
    del view
    assert given.released == before + 1


def test_dlpack_on_a_device():
    """Without a GPU nothing is moved: the tensor is described, asked for with its stream, and released."""
    device = Given(array(6, 8), device=(2, 0), address=1 << 40)
    assert pycutlet.layout_of(device) == pycutlet.Layout((6, 8), (8, 1))
    assert device.streams == [-1]  # nothing is queued: as DLPack writes it
    with pytest.raises(ValueError, match="one array is on a device, the other is not"):
        pycutlet.copy(numpy.zeros((6, 8), "f4"), device)
    other = Given(array(6, 8), device=(2, 0), address=1 << 41)
    try:
        pycutlet.copy(other, device, stream=77)
    except pycutlet.Error as e:
        assert any(word in str(e) for word in ("GPU", "CUDA", "the device does not reach")), e
    assert device.streams[-1] == other.streams[-1] == 77
    for stream in (None, 0, 1):  # the default stream is 1 in DLPack, and 0 as an integer of CUDA
        try:
            pycutlet.copy(other, device, stream=stream)
        except pycutlet.Error:
            pass
        assert device.streams[-1] == other.streams[-1] == 1
    with pytest.raises(ValueError, match="-1 is not a stream"):
        pycutlet.copy(other, device, stream=-1)
    with pytest.raises(ValueError, match="the source is on CUDA device 0, the destination on 1"):
        pycutlet.copy(Given(array(6, 8), device=(2, 1), address=1 << 41), device)
    with pytest.raises(ValueError, match="in memory of the host; the backend cuda does not reach them"):
        pycutlet.copy(array(6, 8), array(6, 8), backend="cuda")
    for backend in ("cpu", "grid"):
        with pytest.raises(ValueError, match=f"on a device; the backend {backend} does not reach them"):
            pycutlet.copy(other, device, backend=backend)
        with pytest.raises(ValueError, match=f"on a device; the backend {backend} does not reach them"):
            pycutlet.Plan((6, 8), (6, 8), "float", backend=backend).run(other, device)
    with pytest.raises(ValueError, match="a device of type 8"):
        pycutlet.copy(array(6, 8), Given(array(6, 8), device=(8, 0)))
    assert device.released == len(device.streams) and other.released == len(other.streams)
    view = pycutlet.view(device, (6, 8))
    assert view.__dlpack_device__() == (2, 0) and "dltensor" in repr(view.__dlpack__())
    assert device.streams[-1] == 1 and view.__dlpack__(stream=99) and device.streams[-1] == 99
    with pytest.raises((BufferError, TypeError)):
        memoryview(view)
