"""One instruction of one warp, from a row of layouts.tsv: its layouts, and the offset of each
element that each lane touches."""

import re

LANES = 32
COLUMNS = ("name", "kind", "elem_bits", "bits", "tv", "memory", "base_bytes")
SWIZZLED = re.compile(r"Sw<(\d+),(\d+),(\d+)> o (\d+) o (.+)")


def tuple_of(text):
    """'((8,2),4)' as nested tuples of integers; a bare integer as itself."""
    if not re.fullmatch(r"[\d(),]+", text):
        raise ValueError(f"not a tuple: {text}")
    return eval(text, {"__builtins__": {}})  # digits, commas and brackets only


def size(shape):
    if isinstance(shape, int):
        return shape
    product = 1
    for mode in shape:
        product *= size(mode)
    return product


def offset_of(index, shape, stride):
    """The offset of an index of a layout, its coordinates counted from the first mode up."""
    if isinstance(shape, int):
        return index * stride
    offset = 0
    for mode, step in zip(shape, stride, strict=True):
        offset += offset_of(index % size(mode), mode, step)
        index //= size(mode)
    return offset


class Memory:
    """A layout or a swizzled one: an index to an offset in elements."""

    def __init__(self, text):
        swizzled = SWIZZLED.fullmatch(text)
        self.swizzle = tuple(int(n) for n in swizzled.groups()[:3]) if swizzled else None
        self.start = int(swizzled.group(4)) if swizzled else 0
        shape, stride = (swizzled.group(5) if swizzled else text).split(":")
        self.shape, self.stride = tuple_of(shape), tuple_of(stride)

    def __call__(self, index):
        if not 0 <= index < size(self.shape):
            raise ValueError(f"index {index} is outside of a layout of {size(self.shape)}")
        offset = self.start + offset_of(index, self.shape, self.stride)
        if self.swizzle:
            bits, base, shift = self.swizzle
            offset ^= (offset >> shift) & (((1 << bits) - 1) << base)
        return offset


class Pattern:
    """A row. values: of a lane's access; offsets[lane][value]: in elements, without the base."""

    def __init__(self, row):
        for name, value in zip(COLUMNS, row, strict=True):
            setattr(self, name, int(value) if value.isdigit() else value)
        self.values = self.bits // self.elem_bits
        self.elem_bytes = self.elem_bits // 8
        shape, stride = self.tv.split(":")
        self.tv_shape, self.tv_stride = tuple_of(shape), tuple_of(stride)
        if size(self.tv_shape[0]) != LANES or size(self.tv_shape[1]) != self.values:
            raise ValueError(f"{self.name}: {self.tv} is not {LANES} lanes of {self.values} values")
        self.layout = Memory(self.memory)
        self.offsets = [[self.element(lane, value) for value in range(self.values)]
                        for lane in range(LANES)]
        for lane in self.offsets:
            if lane != list(range(lane[0], lane[0] + self.values)):
                raise ValueError(f"{self.name}: {lane} is no access of {self.bits} bits")

    def element(self, lane, value):
        index = offset_of(lane, self.tv_shape[0], self.tv_stride[0])
        return self.layout(index + offset_of(value, self.tv_shape[1], self.tv_stride[1]))

    @property
    def bytes(self):
        """The byte that each lane begins at."""
        return [self.base_bytes + lane[0] * self.elem_bytes for lane in self.offsets]

    @property
    def is_global(self):
        return self.kind in ("ldg", "stg")

    @property
    def phases(self):
        """The groups of lanes, in lane order, that fill a pass of 128 bytes when none share."""
        return max(1, LANES * self.bits // 1024)


def read(path):
    with open(path) as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [Pattern(row) for row in rows]
