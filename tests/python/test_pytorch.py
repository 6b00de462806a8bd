"""Tensors of PyTorch, on the host and on every CUDA device, against PyTorch's own operations."""

import random

import pytest

import pycutlet

numpy = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")

DEVICES = ["cpu", *(f"cuda:{k}" for k in range(torch.cuda.device_count()))]
GPUS = DEVICES[1:]
on_each = pytest.mark.parametrize("device", DEVICES)
on_gpus = pytest.mark.parametrize("device", GPUS or [pytest.param("cuda:0", marks=pytest.mark.skip("no GPU"))])


def tensor(*shape, dtype=torch.float32, device="cpu"):
    count = int(numpy.prod(shape))
    return (torch.arange(count, device=device) % 113).to(dtype).reshape(shape)


def equal(a, b):
    """Whether two tensors hold the same bytes."""
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(
        a.contiguous().reshape(-1).view(torch.uint8), b.contiguous().reshape(-1).view(torch.uint8))


@on_each
def test_layouts(device):
    a = tensor(6, 8, device=device)
    assert pycutlet.layout_of(a) == pycutlet.Layout((6, 8), (8, 1))
    assert pycutlet.layout_of(a.t()) == pycutlet.Layout((8, 6), (1, 8))
    assert pycutlet.layout_of(a[:, ::2]) == pycutlet.Layout((6, 4), (8, 2))
    assert pycutlet.layout_of(a[0]) == pycutlet.Layout(8, 1)
    with pytest.raises(ValueError, match="without elements"):
        pycutlet.layout_of(a[:0])


@on_each
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "int32",
                                   "int64", "bool", "complex64", "complex128"])
def test_orders(device, dtype):
    a = tensor(6, 10, dtype=getattr(torch, dtype), device=device)
    f = pycutlet.relayout(a, "f")
    assert equal(f, a) and f.stride() == (1, 6) and f.device == a.device
    c = pycutlet.relayout(a.t(), "c")
    assert equal(c, a.t()) and c.is_contiguous()
    part = a[1:5, 1::3]
    assert equal(pycutlet.relayout(part, "f"), part)


@on_each
def test_sizes(device):
    for shape in ((1,), (7,), (3, 5, 7), (2, 3, 4, 5), (1000, 1), (1, 1000), (129, 257), (2048, 1024)):
        a = tensor(*shape, device=device)
        transposed = a.permute(*range(a.dim() - 1, -1, -1))
        assert equal(pycutlet.relayout(transposed, "c"), transposed), shape


@on_each
def test_conversions(device):
    types = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8]
    for src in types:
        a = (tensor(16, 16, dtype=torch.float64, device=device) / 8 - 5).to(src)
        for dst in types:
            b = pycutlet.relayout(a, "f", dtype=dst)
            wanted = a.double().round().clamp(-128, 127).to(dst) if dst == torch.int8 else a.to(dst)
            assert equal(b, wanted), (src, dst)
    assert equal(pycutlet.relayout(a, "c", dtype="float64", scale=0.5), a.double() * 0.5)
    with pytest.raises(TypeError, match="converted"):
        pycutlet.relayout(a, "c", dtype=torch.int32)


@on_each
@pytest.mark.parametrize("shape, tile", [((8, 12), (4, 3)), ((7, 10), (4, 4)), ((5, 6, 7), (2, 3, 4))])
def test_tiles(device, shape, tile):
    a = tensor(*shape, dtype=torch.bfloat16, device=device)
    word = "tiled:" + "x".join(map(str, tile))
    flat = pycutlet.relayout(a, word)
    counts = [-(-s // t) for s, t in zip(shape, tile)]
    padded = torch.zeros([c * t for c, t in zip(counts, tile)], dtype=a.dtype, device=device)
    padded[tuple(slice(0, s) for s in shape)] = a
    split = padded.reshape([x for pair in zip(counts, tile) for x in pair])
    order = [*range(0, 2 * len(shape), 2), *range(1, 2 * len(shape), 2)]
    assert equal(flat, split.permute(order).reshape(-1))
    assert equal(pycutlet.relayout(flat, "c", source=word, shape=shape), a)


@on_each
def test_any_layout(device):
    dice = random.Random(11)
    for _ in range(20):
        m, n = 2 ** dice.randrange(1, 6), 2 ** dice.randrange(1, 6)
        a = tensor(m, n, device=device)
        layout = dice.choice([pycutlet.Layout((m, (2, n // 2)), (2, (1, 2 * m))), pycutlet.Layout((m, n), (n + 3, 1)),
                              pycutlet.Tensor(pycutlet.Layout((m, n), (n, 1)), 5),
                              pycutlet.Swizzle(1, 0, 1) @ pycutlet.Layout((m, n), (n, 1))])
        flat = pycutlet.relayout(a, layout)
        index = torch.tensor([layout(i) for i in range(m * n)], device=device)
        wanted = torch.zeros_like(flat)
        wanted[index] = a.t().reshape(-1)  # the first mode fastest
        assert equal(flat, wanted), layout
        assert equal(pycutlet.relayout(flat, "c", source=layout, shape=(m, n)), a), layout


@on_each
def test_copies(device):
    a, b = tensor(6, 7, device=device), torch.zeros(7, 6, dtype=torch.float64, device=device).t()
    pycutlet.copy(b, a)
    assert equal(b, a.double())
    pycutlet.copy(b, a.flip(1), scale=2)
    assert equal(b, a.flip(1).double() * 2)
    pycutlet.copy(b, a[:1].expand(6, 7))
    assert equal(b, a[:1].expand(6, 7).double())
    pycutlet.copy(b[:0], a[:0])
    one = torch.zeros((), device=device)
    pycutlet.copy(one, a[2, 3])
    assert equal(one, a[2, 3])
    with pytest.raises(ValueError, match="shape"):
        pycutlet.copy(b, a.t())
    with pytest.raises(pycutlet.Error, match="twice|overlap|offset"):
        pycutlet.copy(torch.zeros(1, 7, device=device).expand(6, 7), a)
    with pytest.raises(pycutlet.Error, match="overlap"):
        pycutlet.copy(a[:5], a[1:])


@on_each
def test_out(device):
    a, out = tensor(8, 8, device=device), torch.zeros(8, 8, device=device)
    assert pycutlet.relayout(a, "f", out=out) is out and equal(out.reshape(-1), a.t().reshape(-1))
    with pytest.raises(TypeError, match="converted"):
        pycutlet.relayout(a, "f", out=torch.zeros(8, 8, dtype=torch.int32, device=device))
    with pytest.raises(ValueError, match="reaches offsets 0 to 63; the array has 8"):
        pycutlet.relayout(a, "f", out=torch.zeros(8, device=device))


@on_each
def test_gradients(device):
    a = tensor(4, 4, device=device).requires_grad_()
    with pytest.raises((BufferError, RuntimeError), match="gradient"):
        pycutlet.relayout(a, "f")
    z = torch.complex(a.detach(), a.detach())
    assert equal(pycutlet.relayout(z, "f"), z)
    with pytest.raises((BufferError, RuntimeError), match="conj"):
        pycutlet.relayout(z.conj(), "f")
    assert equal(pycutlet.relayout(z.conj().resolve_conj(), "f"), z.conj().resolve_conj())
    assert equal(pycutlet.relayout(a.detach(), "f"), a.detach())


def test_plans():
    """One plan for the host and every device."""
    plan = pycutlet.Plan("(16,8):(8,1)", "(16,8):(1,16)", "float", "half")
    for device in DEVICES + DEVICES:
        a, b = tensor(16, 8, device=device), torch.zeros(8, 16, dtype=torch.float16, device=device)
        plan.run(b, a)
        assert equal(b, a.t().half()), device
    with pytest.raises(TypeError, match="planned were"):
        plan.run(b, a.double())
    with pytest.raises(ValueError, match="reaches offsets"):
        plan.run(b, a[:8].clone())
    with pytest.raises(ValueError, match="without gaps"):
        plan.run(b, tensor(16, 16, device=device)[:, ::2])


@on_each
def test_measured_plans(device):
    a = tensor(256, 512, device=device)
    assert equal(pycutlet.relayout(a, "f", effort="measure"), a)


@on_each
def test_views(device):
    with torch.cuda.device(device if device != "cpu" else -1):  # PyTorch exports tensors of the current device
        views(device)


def views(device):
    a = tensor(24, device=device)
    view = pycutlet.view(a, pycutlet.Layout((4, 6), (6, 1)))
    b = torch.from_dlpack(view)
    assert b.device == a.device and equal(b, a.reshape(4, 6)) and b.data_ptr() == a.data_ptr()
    b[1, 2] = -1
    assert a[8] == -1
    window = torch.from_dlpack(pycutlet.view(a, pycutlet.Tensor(pycutlet.Layout((4, 3), (1, 4)), 2)))
    assert equal(window, a.as_strided((4, 3), (1, 4), 2))
    halves = torch.from_dlpack(pycutlet.view(a.bfloat16(), (6, 4)))
    assert halves.dtype == torch.bfloat16 and equal(halves, a.bfloat16().reshape(4, 6).t())
    del a, view, window
    assert b[0, 1] == 1  # the memory is kept
    if device != "cpu":
        with pytest.raises((BufferError, TypeError)):
            memoryview(pycutlet.view(b, (6, 4)))


def test_numpy_and_tensors():
    a = numpy.arange(48, dtype="float32").reshape(6, 8)
    t = torch.zeros(6, 8)
    pycutlet.copy(t, a)
    assert (t.numpy() == a).all()
    b = numpy.zeros((8, 6), "float16").T
    pycutlet.copy(b, t)
    assert (a == b).all()


@on_gpus
def test_host_and_device(device):
    a, d = tensor(6, 8), tensor(6, 8, device=device)
    for dst, src in ((a, d), (d, a), (d, a.numpy())):
        with pytest.raises(ValueError, match="one array is on a device, the other is not"):
            pycutlet.copy(dst, src)
        with pytest.raises(ValueError, match="one array is on a device, the other is not"):
            pycutlet.Plan((6, 8), (6, 8), "float").run(dst, src)
    for backend in ("cpu", "grid"):
        with pytest.raises(ValueError, match="does not reach them"):
            pycutlet.relayout(d, "f", backend=backend)
    with pytest.raises(ValueError, match="does not reach them"):
        pycutlet.relayout(a, "f", backend="cuda")
    assert equal(pycutlet.relayout(d, "f", backend="cuda"), d)
    pinned = a.pin_memory()
    assert equal(pycutlet.relayout(pinned, "f"), a)


@pytest.mark.skipif(len(GPUS) < 2, reason="no two GPUs")
def test_two_devices():
    a, b = tensor(6, 8, device="cuda:0"), tensor(6, 8, device="cuda:1")
    with pytest.raises((ValueError, BufferError), match="device"):
        pycutlet.copy(b, a)
    with torch.cuda.device(1):  # the tensor decides, not the current device
        assert equal(pycutlet.relayout(a, "f"), a)
    assert equal(pycutlet.relayout(b, "f"), b)


@on_gpus
def test_streams(device):
    """Work is queued in PyTorch's current stream, or the one that is given, after what is there."""
    plan = pycutlet.Plan((64, 32), "(64,32):(32,1)", "float")
    with torch.cuda.device(device):
        side, out = torch.cuda.Stream(), torch.zeros(64, 32, device=device)
        plan.run(out, tensor(32, 64, device=device))
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            torch.cuda._sleep(100_000_000)
            a = tensor(32, 64, device=device) + 1
            plan.run(out, a)
            assert not side.query()  # it returned before the sleep had ended
            first = out.clone()
            b = pycutlet.relayout(a, "f") * 2
        side.synchronize()
        assert equal(first, a.t().contiguous()) and equal(b, a * 2)
        torch.cuda._sleep(100_000_000)
        a = tensor(32, 64, device=device) + 3  # in the default stream
        c = pycutlet.relayout(a, "tiled:20x20", stream=side.cuda_stream)
        plan.run(out, a, stream=side.cuda_stream)
        side.synchronize()
        back = pycutlet.relayout(c, "c", source="tiled:20x20", shape=(32, 64), stream=0)
        assert equal(out, a.t().contiguous()) and equal(back, a)


@on_gpus
def test_graphs(device):
    plan = pycutlet.Plan((64, 32), "(64,32):(32,1)", "float")
    with torch.cuda.device(device):
        a, out = tensor(32, 64, device=device), torch.zeros(64, 32, device=device)
        plan.run(out, a)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=torch.cuda.Stream()):  # PyTorch's own is of the first device that it saw
            plan.run(out, a)
        for step in range(3):
            a.fill_(step).add_(tensor(32, 64, device=device))
            graph.replay()
            torch.cuda.synchronize()
            assert equal(out, a.t().contiguous()), step


@on_gpus
def test_cupy(device):
    cupy = pytest.importorskip("cupy")
    with cupy.cuda.Device(int(device.rpartition(":")[2])):
        a = cupy.arange(48, dtype="float32").reshape(6, 8)
        f = pycutlet.relayout(a, "f")
        assert isinstance(f, cupy.ndarray) and f.strides == (4, 24) and bool((f == a).all())
        t = torch.zeros(8, 6, device=device).t()
        pycutlet.copy(t, a)
        assert equal(t, tensor(6, 8, device=device))
        b = cupy.from_dlpack(pycutlet.view(t, (6, 8)))
        assert b.shape == (6, 8) and b.data.ptr == t.data_ptr()
