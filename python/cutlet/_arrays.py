"""Arrays of NumPy, PyTorch and others, moved from any layout to any layout."""

import sys

from . import _core

_TYPES = {"half": "half", "float16": "half", "f16": "half", "bfloat16": "bfloat16", "bf16": "bfloat16",
          "float": "float", "float32": "float", "f32": "float", "double": "double", "float64": "double",
          "f64": "double", "int8": "int8"}


def layout_of(array):
    """The layout of an array in its memory, in elements: a mode for each dimension."""
    layout = _core._array_info(_given(array))[0]
    if layout is None:
        raise ValueError("an array without elements has no layout")
    return layout


def copy(dst, src, *, scale=None, backend="auto", effort="estimate", stream=None):
    """Copies an array to another of the same shape, in memory of the host or both on one CUDA device.

    Elements are converted where the types differ, times scale. stream is a CUDA stream, as an integer; of
    PyTorch's tensors None is its current stream, of others the default one.
    """
    with _Queue(stream, dst, src) as queue:
        dst, src = _given(dst), _given(src)
        a, b = _core._array_info(dst)[0], _core._array_info(src)[0]
        if a is not None and b is not None and a.shape != b.shape:
            raise ValueError(f"the destination has the shape {a.shape}, the source {b.shape}")
        _core._move(dst, None, src, None, scale, backend, effort, queue)


def _cuda_tensor(*arrays):
    """PyTorch, and the first of its tensors that is on a CUDA device; None twice without one."""
    torch = sys.modules.get("torch")
    for array in arrays if torch is not None else ():
        if isinstance(array, torch.Tensor) and array.is_cuda:
            return torch, array
    return None, None


class _Queue:
    """A context with the stream for arrays, as an integer or None. What PyTorch itself does inside, such as
    zeros, is queued there too, on the tensor's device."""

    def __init__(self, stream, *arrays):
        self.stream, self.arrays, self.entered = stream, arrays, []

    def __enter__(self):
        torch, tensor = _cuda_tensor(*self.arrays)
        if tensor is None:
            return self.stream
        current = torch.cuda.current_stream(tensor.device)
        stream = current.cuda_stream if self.stream is None else self.stream
        self.enter(torch.cuda.device(tensor.device))
        if stream != current.cuda_stream:
            try:
                other = torch.cuda.ExternalStream(stream) if stream > 1 else torch.cuda.default_stream()
                other.wait_stream(current)  # what made the tensor may be running there
                self.enter(torch.cuda.stream(other))
            except BaseException:
                self.__exit__(*sys.exc_info())
                raise
        return stream

    def enter(self, context):
        context.__enter__()
        self.entered.append(context)

    def __exit__(self, *failure):
        while self.entered:
            self.entered.pop().__exit__(*failure)


def _given(array):
    """What the core takes of an array inside a _Queue: of a tensor of PyTorch a capsule of DLPack, since the
    tensor's own method queues waits for streams, which there is no other of."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(array, torch.Tensor) or array.requires_grad or array.is_conj() or \
            array.is_neg() or array.layout != torch.strided:
        return array
    return torch.utils.dlpack.to_dlpack(array)


def _compact(shape, order):
    """The compact layout of a shape; c is row-major."""
    return (_core.make_row_major if order == "c" else _core.make_col_major)(shape)


def _shape_of(layout):
    """The shape as a tuple of extents, one for each mode."""
    shape = layout.shape
    return tuple(_core.size(mode) for mode in shape) if isinstance(shape, tuple) else (shape,)


def _tiles(word, shape):
    """tiled:128x64 of a shape: the layout, and the shape padded to whole tiles."""
    try:
        tile = tuple(int(part) for part in word[len("tiled:"):].split("x"))
    except ValueError:
        tile = ()
    if len(tile) != len(shape) or min(tile, default=0) < 1:
        raise ValueError(f"{word!r} is not a tile of {len(shape)} modes; it is as tiled:128x64")
    counts = tuple(-(-extent // size) for extent, size in zip(shape, tile))
    padded = tuple(count * size for count, size in zip(counts, tile))
    inner, outer = _compact(tile, "c"), _compact(counts, "c")
    inside, volume = _strides(inner), _core.size(tile)
    modes = [((size, count), (inside[k], _strides(outer)[k] * volume))
             for k, (size, count) in enumerate(zip(tile, counts))]
    return _core.Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes)), padded


def _strides(layout):
    return layout.stride if isinstance(layout.stride, tuple) else (layout.stride,)


def _side(to, shape):
    """The layout that a word names for a shape, and the shape padded to it."""
    if isinstance(to, str):
        word = {"row": "c", "col": "f", "C": "c", "F": "f"}.get(to, to)
        if word in ("c", "f"):
            return _compact(shape, word), shape
        if word.startswith("tiled:"):
            return _tiles(word, shape)
        if word.startswith("swizzled:"):
            try:
                bits, base, shift = (int(part) for part in word[len("swizzled:"):].split(","))
            except ValueError:
                raise ValueError(f"{word!r} is not a swizzle; it is as swizzled:3,3,3") from None
            return _core.composition(_core.Swizzle(bits, base, shift), _compact(shape, "c")), shape
        to = _core.evaluate(to)
    if isinstance(to, (int, tuple)):
        to = _core.Layout(to)
    return to, shape


def _reached(layout):
    """The places that a layout needs, from 0 to its highest offset."""
    top = _core.cosize(layout)
    if isinstance(layout, _core.Layout) and any(d < 0 for d in _core.flatten((layout.stride,))):
        raise ValueError(f"{layout} has a negative stride: offsets begin at 0")
    return top


def _flat(like, count, dtype, full):
    """A flat array of the library and on the device of another one: of zeros, unless all of it is written."""
    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    if torch is not None and isinstance(like, torch.Tensor):
        dtype = getattr(torch, dtype) if isinstance(dtype, str) else dtype
        return (torch.empty if full else torch.zeros)(count, dtype=dtype or like.dtype, device=like.device)
    if cupy is not None and isinstance(like, cupy.ndarray):
        with like.device:
            return (cupy.empty if full else cupy.zeros)(count, dtype or like.dtype)
    import numpy
    if not isinstance(like, numpy.ndarray):
        like = numpy.asarray(like)
    return (numpy.empty if full else numpy.zeros)(count, dtype or like.dtype)


def _padded(array, shape, padded):
    """A copy of an array in an array of zeros with larger extents."""
    larger = _flat(array, _core.size(padded), None, False).reshape(padded)
    larger[tuple(slice(0, extent) for extent in shape)] = array
    return larger


def relayout(array, to, *, source=None, shape=None, dtype=None, scale=None, out=None, backend="auto",
             effort="estimate", stream=None):
    """Moves the elements of an array to another layout, in a new array or in `out`.

    to      c or f, NumPy's orders: the result has the array's shape. tiled:128x64: tiles one after
            another, row-major within and across, zeros where the array ends. swizzled:B,M,S: the element
            at offset x of C order at Sw<B,M,S>(x). A layout or tensor: the index of the array, the first
            mode fastest, to an offset. These results are flat, with zeros in the gaps of the layout.
    source  the layout of a flat array in the same words, with its shape: to='c' then undoes a relayout.
    dtype, scale  the type of the result: half, bfloat16, float, double and int8 are converted, times scale.
    stream  the CUDA stream for arrays on a device, as an integer. None: of PyTorch's tensors its current
            stream, of others the default one.
    """
    with _Queue(stream, array) as queue:
        return _relayout(array, to, source, shape, dtype, scale, out, backend, effort, queue)


def _relayout(array, to, source, shape, dtype, scale, out, backend, effort, stream):
    own = _core._array_info(_given(array))[0]
    if own is None:
        raise ValueError("an array without elements has no layout")
    shape = tuple(shape) if shape is not None else _shape_of(own)
    from_layout = None
    if source is not None:
        from_layout, inner = _side(source, shape)
        if inner != shape:  # padded: the whole tiles are moved, then cut
            whole = _relayout(array, "c", from_layout, inner, dtype, scale, None, backend, effort, stream)
            part = whole[tuple(slice(0, extent) for extent in shape)]
            return _relayout(part, to, None, None, None, None, out, backend, effort, stream)
    layout, padded = _side(to, shape)
    if padded != shape:
        array = _padded(array, shape, padded)
    whole = isinstance(to, str) and to in ("c", "f", "C", "F", "row", "col")
    result = out
    if out is None:  # no two elements go to one place: as many as there are places fill them
        places = _reached(layout)
        result = _flat(array, places, dtype, _core.size(layout) == places)
    _core._move(_given(result), layout, _given(array), from_layout, scale, backend, effort, stream)
    if not whole or out is not None:
        return result
    if to in ("c", "C", "row"):
        return result.reshape(shape)
    flipped = result.reshape(shape[::-1])
    return flipped.permute(*range(len(shape) - 1, -1, -1)) if hasattr(flipped, "permute") else flipped.T


class Plan:
    """A copy from a layout to another, planned once and run often.

    Element i of src goes to element i of dst. Each side is a layout or tensor, in memory without gaps.
    type and dst_type are half, bfloat16, float, double or int8, or the bytes of an element that is moved
    as it is; a dst_type of None is the type.
    """

    __slots__ = ("_plan", "_text")

    def __init__(self, src, dst, type, dst_type=None, *, scale=None, backend="auto", effort="estimate"):
        sides = []
        for kind in (type, type if dst_type is None else dst_type):
            if isinstance(kind, int):
                sides.append(("raw", kind))
            elif getattr(kind, "__name__", str(kind)).rpartition(".")[2] in _TYPES:
                sides.append((_TYPES[getattr(kind, "__name__", str(kind)).rpartition(".")[2]], 0))
            else:
                raise ValueError(f"elements of {kind!r} are not converted; give the bytes of an element")
        plan = _core._plan_of(src, *sides[0], dst, *sides[1], scale, backend, effort)
        object.__setattr__(self, "_plan", plan)
        object.__setattr__(self, "_text", f"{src} -> {dst}")

    def __setattr__(self, name, value):
        raise AttributeError("a plan does not change")

    @property
    def info(self):
        """What it will do, in numbers; by the backend auto those of the host."""
        return self._plan.info

    def run(self, dst, src, stream=None):
        """Copies from one array to another. Each layout is put on the memory of its array, which has no
        gaps. stream is the CUDA stream that a copy on a device is queued in, as an integer; of PyTorch's
        tensors None is its current stream, of others the default one."""
        torch, tensor = _cuda_tensor(dst, src)
        if tensor is not None and stream is None:  # the plan knows the device: nothing else is needed
            stream = torch.cuda.current_stream(tensor.device).cuda_stream
            self._plan.run(_given(dst), _given(src), stream)
            return
        with _Queue(stream, dst, src) as queue:
            self._plan.run(_given(dst), _given(src), queue)

    def __str__(self):
        return str(self._plan).rstrip("\n")

    def __repr__(self):
        return f"<Plan {self._text}>"
