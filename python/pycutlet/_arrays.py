"""Arrays of NumPy, PyTorch and others, moved from any layout to any layout."""

import sys

from . import _core

_TYPES = {"half": "half", "float16": "half", "f16": "half", "bfloat16": "bfloat16", "bf16": "bfloat16",
          "float": "float", "float32": "float", "f32": "float", "double": "double", "float64": "double",
          "f64": "double", "int8": "int8"}
_NUMPY = {"half": "float16", "float": "float32", "double": "float64"}
_ORDERS = {"row": "c", "col": "f", "C": "c", "F": "f", "c": "c", "f": "f"}


def layout_of(array):
    """The layout of an array in its memory, in elements: a mode for each dimension."""
    layout, shape, _, size, steps, _ = _core._array_info(_given(array))
    for k, step in enumerate(steps):
        if shape[k] > 1 and step % size:
            raise ValueError(f"dimension {k} has a stride of {step} bytes, not a multiple of its elements' {size}")
    if layout is None:
        raise ValueError("an array without elements has no layout")
    return layout


def copy(dst, src, *, scale=None, backend="auto", effort="estimate", stream=None):
    """Copies an array to another of the same shape, in memory of the host or both on one CUDA device.

    Elements are converted where the types differ, times scale; their byte order always. stream is a CUDA stream, as an integer; of
    PyTorch's tensors None is its current stream, of others the default one.
    """
    with _Queue(stream, dst, src) as queue:
        dst, src = _given(dst), _given(src)
        a, b = _core._array_info(dst)[1], _core._array_info(src)[1]
        if a != b:
            raise ValueError(f"the destination has the shape {a}, the source {b}")
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
    """The compact layout of a shape; c is row-major. Without dimensions there is one element."""
    return (_core.make_row_major if order == "c" else _core.make_col_major)(shape or (1,))


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
        word = _ORDERS.get(to, to)
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


def _numpy_type(kind):
    """The dtype of NumPy of a name, or of whatever NumPy takes."""
    import numpy
    name = _NUMPY.get(_TYPES.get(kind), _TYPES.get(kind, kind)) if isinstance(kind, str) else kind
    if name == "bfloat16":
        import ml_dtypes  # noqa: F401, by which NumPy knows the name
    return numpy.dtype(name)


def _dtype_of(like):
    """The dtype of NumPy for arrays as another one: its own, or that of its buffer or of its name."""
    import numpy
    if isinstance(like, (numpy.ndarray, numpy.generic)):
        return like.dtype
    _, _, name, _, _, device = _core._array_info(_given(like))
    if device not in (1, 3):
        raise TypeError(f"no array is made on the device of a {type(like).__name__}: give out")
    try:
        return numpy.dtype(name) if name[0] == "V" else numpy.asarray(memoryview(like)).dtype
    except (TypeError, ValueError, BufferError, NotImplementedError):
        return _numpy_type(name)


def _flat(like, count, dtype, full):
    """A flat array of the library and on the device of another one: of zeros, unless all of it is written."""
    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    if torch is not None and isinstance(like, torch.Tensor):
        dtype = getattr(torch, _NUMPY.get(_TYPES.get(dtype), _TYPES.get(dtype, dtype))) if isinstance(dtype, str) else dtype
        return (torch.empty if full else torch.zeros)(count, dtype=dtype or like.dtype, device=like.device)
    if cupy is not None and isinstance(like, cupy.ndarray):
        with like.device:
            return (cupy.empty if full else cupy.zeros)(count, _numpy_type(dtype) if dtype else like.dtype)
    import numpy
    return (numpy.empty if full else numpy.zeros)(count, _dtype_of(like) if dtype is None else _numpy_type(dtype))


def _padded(array, shape, padded, stream):
    """A copy of an array in an array of zeros with larger extents."""
    larger = _flat(array, _core.size(padded), None, False).reshape(padded)
    inside = larger[tuple(slice(0, extent) for extent in shape)]
    _core._move(_given(inside), None, _given(array), None, None, "auto", "estimate", stream)
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
    out     an array of the array's shape in the order c or f; of anything else, and for those too, an array in C order
            whose elements are the offsets of the layout. What is between them stays.
    stream  the CUDA stream for arrays on a device, as an integer. None: of PyTorch's tensors its current
            stream, of others the default one.
    """
    with _Queue(stream, array) as queue:
        return _relayout(array, to, source, shape, dtype, scale, out, backend, effort, queue)


def _relayout(array, to, source, shape, dtype, scale, out, backend, effort, stream):
    _, extents, kind, *_ = info = _core._array_info(_given(array))
    _check_type(dtype, kind, out)
    shape = extents if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    if (source is None and shape != extents) or (0 in shape) != (0 in extents):
        raise ValueError(f"the array has the shape {extents}, not {shape}: shape is that of a flat array with a source")
    if 0 in extents:
        return _empty(array, to, shape, dtype, out)
    from_layout = None
    if source is not None:
        from_layout, inner = _side(source, shape)
        if not _is_flat(info):
            array = _relayout(array, "c", None, None, None, None, None, backend, effort, stream)
        _check_places("the array", extents, source, from_layout)
        if inner != shape:  # padded: the whole tiles are moved, then cut
            whole = _relayout(array, "c", from_layout, inner, dtype, scale, None, backend, effort, stream)
            part = whole[tuple(slice(0, extent) for extent in shape)]
            return _relayout(part, to, None, None, None, None, out, backend, effort, stream)
    layout, padded = _side(to, shape)
    if padded != shape:
        array = _padded(array, shape, padded, stream)
    order = _ORDERS.get(to) if isinstance(to, str) else None
    result, target = out, layout
    if out is None:  # no two elements go to one place: as many as there are places fill them
        places = _reached(layout)
        result = _flat(array, places, dtype, _core.size(layout) == places)
    else:
        target = _target(out, to, layout, order, shape)
    _core._move(_given(result), target, _given(array), from_layout, scale, backend, effort, stream)
    if order is None or out is not None:
        return result
    if order == "c":
        return result.reshape(shape)
    flipped = result.reshape(shape[::-1])
    return flipped.permute(*range(len(shape) - 1, -1, -1)) if hasattr(flipped, "permute") else flipped.T


def _name_of(kind):
    """The name of a type: of NumPy's and PyTorch's, of a text, of a class."""
    word = getattr(kind, "name", None) or getattr(kind, "__name__", None) or str(kind)
    word = word.rpartition(".")[2]
    if word in _TYPES:
        return _NUMPY.get(_TYPES[word], _TYPES[word])
    if str(kind).startswith("torch."):
        return word
    try:
        dtype = _numpy_type(kind)
    except (ImportError, TypeError):
        return word
    return dtype.str[1:] if dtype.kind in "SU" or dtype.name.startswith("void") else dtype.name


def _kind_of(kind):
    """raw and the bytes of an element; or the name of a type that is converted."""
    if isinstance(kind, int):
        return "raw", kind
    name = _TYPES.get(_name_of(kind))
    if name is None:
        raise ValueError(f"elements of {kind!r} are not converted; give the bytes of an element")
    return name, 0


def _check_type(dtype, kind, out):
    """dtype is a type that the elements are converted to, or theirs; and that of `out`."""
    if dtype is None:
        return
    name = _name_of(dtype)
    if name != kind and (name not in _TYPES or kind not in _TYPES):
        raise TypeError(f"elements of type {kind} are not converted to {name}; half, bfloat16, float, double and int8 are")
    has = name if out is None else _core._array_info(_given(out))[2]
    if has != name:
        raise TypeError(f"dtype is {name}, and out has elements of type {has}")


def _is_flat(info):
    """Whether the elements of an array are one after another in C order."""
    _, extents, _, step, steps, _ = info
    for extent, has in zip(extents[::-1], steps[::-1]):
        if extent > 1 and has != step:
            return False
        step *= extent
    return True


def _check_places(name, extents, word, layout):
    """A flat array has the places of a layout: just these where a word names it."""
    count, needed = _core.size(extents) if extents else 1, _reached(layout)
    exact = isinstance(word, str) and (word in _ORDERS or word.startswith(("tiled:", "swizzled:")))
    if count < needed or (exact and count > needed):
        raise ValueError(f"{name}: {word} reaches offsets 0 to {needed - 1}; the array has {count} elements")


def _target(out, to, layout, order, shape):
    """Where the elements go in `out`: None, by its own strides; or the layout, in its memory."""
    _, extents, _, size, steps, _ = info = _core._array_info(_given(out))
    if order is not None and extents == shape:
        steps = [step for extent, step in zip(shape, steps) if extent > 1]
        if any(step <= 0 for step in steps) or steps != sorted(steps, reverse=order == "c"):
            raise ValueError(f"out has strides of {steps} bytes: they are not in the order {order}")
        return None
    if not _is_flat(info):
        raise ValueError(f"out of the shape {extents} is not in C order without gaps, of whose elements the layout is")
    _check_places("out", extents, to, layout)
    return layout


def _empty(array, to, shape, dtype, out):
    """Nothing is moved: an array without elements."""
    order = isinstance(to, str) and to in _ORDERS
    if not order and not (isinstance(to, str) and to.startswith(("tiled:", "swizzled:"))):
        raise ValueError(f"an array without elements has no layout {to}")
    _side(to, tuple(max(extent, 1) for extent in shape))
    if out is None:
        return _flat(array, 0, dtype, True).reshape(shape if order else (0,))
    extents = _core._array_info(_given(out))[1]
    if extents != (0,) and not (order and extents == shape):
        raise ValueError(f"out has the shape {extents}, the array {shape}")
    return out


class Plan:
    """A copy from a layout to another, planned once and run often.

    Element i of src goes to element i of dst. Each side is a layout or tensor, in memory without gaps.
    type and dst_type are half, bfloat16, float, double or int8, or the bytes of an element that is moved
    as it is; a dst_type of None is the type.
    """

    __slots__ = ("_plan", "_text")

    def __init__(self, src, dst, type, dst_type=None, *, scale=None, backend="auto", effort="estimate"):
        sides = [_kind_of(type), _kind_of(type if dst_type is None else dst_type)]
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
