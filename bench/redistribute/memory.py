"""Memory of the ranks, filled by the index of each element in the whole tensor and compared with it: of
GPUs as PyTorch tensors, or of the host as NumPy arrays, to try the scripts without a GPU."""

import cases


class Memory:
    """What GPUs and the host do alike. array is the module: torch or numpy."""

    def part(self, case, which, rank):
        """Extents and strides of what a rank holds, and the coordinates along each mode."""
        side = case.side(which)
        held = side.coordinates(case.shape, rank)
        extents = [len(along) for along in held]
        return extents, side.strides(extents), held

    def values(self, case, which, rank):
        """The element at each coordinate that a rank holds, by its index in the whole tensor."""
        extents, _, held = self.part(case, which, rank)
        index, step = None, 1
        for mode in reversed(range(len(extents))):
            along = self.integers(held[mode], rank) * step
            along = along.reshape([-1 if k == mode else 1 for k in range(len(extents))])
            index = along if index is None else index + along
            step *= case.shape[mode]
        index = index * 40503 + (index >> 15)
        if case.types[0] == cases.RAW:
            return self.as_type(index, cases.RAW, case.raw_bytes)
        number = (index >> 3) & 63
        scale = case.scale if which and case.scale is not None else 1
        return self.as_type(number * scale if scale != 1 else number, case.types[which], 0)

    def fill(self, case, which, rank, memory):
        """Writes what a rank holds."""
        extents, strides, _ = self.part(case, which, rank)
        if 0 not in extents:
            self.view(memory, extents, strides)[...] = self.values(case, which, rank)

    def wrong(self, case, which, rank, memory):
        """How many elements are not what they have to be."""
        extents, strides, _ = self.part(case, which, rank)
        if 0 in extents:
            return 0
        return int((self.view(memory, extents, strides) != self.values(case, which, rank)).sum())


class Gpu(Memory):
    """Memory of GPU `rank`."""

    def __init__(self):
        import torch
        self.torch = torch
        self.types = {cases.HALF: torch.float16, cases.BFLOAT16: torch.bfloat16,
                      cases.FLOAT: torch.float32, cases.DOUBLE: torch.float64,
                      cases.INT8: torch.int8}
        self.raw = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}

    def take(self, case, which, elements, rank):
        """Memory full of another value than any element's."""
        kind = self.types.get(case.types[which], self.raw.get(case.raw_bytes))
        return self.torch.full((max(elements, 1),), 77, dtype=kind, device=f"cuda:{rank}")

    def integers(self, along, rank):
        """A range or a list of integers, as an array."""
        torch = self.torch
        if isinstance(along, range):
            return torch.arange(along.start, along.stop, dtype=torch.int32, device=f"cuda:{rank}")
        return torch.tensor(along, dtype=torch.int32, device=f"cuda:{rank}")

    def as_type(self, values, kind, raw_bytes):
        """The values as elements."""
        return values.to(self.types.get(kind, self.raw.get(raw_bytes)))

    def view(self, memory, extents, strides):
        """The elements that a rank holds."""
        return self.torch.as_strided(memory, extents, strides)

    def address(self, memory):
        """Of the first element."""
        return memory.data_ptr()


class Host(Memory):
    """Memory of the host, for every rank; halves and bfloat16 are left out."""

    def __init__(self):
        import numpy
        self.numpy = numpy
        self.types = {cases.FLOAT: "f4", cases.DOUBLE: "f8", cases.INT8: "i1", cases.HALF: "f2"}

    def take(self, case, which, elements, _rank):
        """Memory full of another value than any element's."""
        kind = self.types.get(case.types[which], f"i{case.raw_bytes}")
        return self.numpy.full((max(elements, 1),), 77, dtype=kind)

    def integers(self, along, _rank):
        """A range or a list of integers, as an array."""
        return self.numpy.array(along, dtype="i4")

    def as_type(self, values, kind, raw_bytes):
        """The values as elements."""
        return values.astype(self.types.get(kind, f"i{raw_bytes}"))

    def view(self, memory, extents, strides):
        """The elements that a rank holds."""
        steps = [step * memory.itemsize for step in strides]
        return self.numpy.lib.stride_tricks.as_strided(memory, extents, steps)

    def address(self, memory):
        """Of the first element."""
        return memory.ctypes.data
