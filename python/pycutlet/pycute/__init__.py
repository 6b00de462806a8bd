"""pycute's names on the compiled algebra: `from pycutlet.pycute import *` stands for `from pycute import *`.

Results are pycute's. Where the algebra refuses, because no exact layout exists or none is determined, what
pycute's definition says is computed here: a coordinate past its shape goes on along the last mode, and a
complement or an inverse covers as much as it can. A composition that is not exact is an error.
"""

from abc import ABC
from itertools import chain

from .. import _core
from .._core import Error

# ---- integers and tuples ------------------------------------------------------------------------


class Integer(ABC):
    """int and its subclasses, but bool."""

    @classmethod
    def __subclasshook__(cls, other):
        return other is not bool and issubclass(other, int)


def is_int(x):
    return isinstance(x, Integer)


def is_tuple(x):
    return isinstance(x, tuple)


def flatten(t):
    return tuple(leaf for part in t for leaf in flatten(part)) if is_tuple(t) else (t,)


def signum(a):
    return (a > 0) - (a < 0)


def product(a):
    n = 1
    for leaf in flatten(a):
        n *= leaf
    return n


def _both(name, a, b):
    """Modes side by side, as many of the one as of the other."""
    if len(a) != len(b):
        raise AssertionError(f"{name}: {a} has {len(a)} modes, {b} has {len(b)}")
    return zip(a, b)


def _refuse(name, *operands):
    raise AssertionError(f"{name}: {', '.join(map(str, operands))} do not fit each other")


def inner_product(a, b):
    if is_tuple(a) and is_tuple(b):
        return sum(inner_product(x, y) for x, y in _both("inner_product", a, b))
    return _refuse("inner_product", a, b) if is_tuple(a) or is_tuple(b) else a * b


def tuple_max(a):
    return max(flatten(a))


def elem_scale(a, b):
    if not is_tuple(a):
        return a * product(b)
    if not is_tuple(b):
        _refuse("elem_scale", a, b)
    return tuple(elem_scale(x, y) for x, y in _both("elem_scale", a, b))


def shape_div(a, b):
    if is_tuple(a) and is_tuple(b):
        return tuple(shape_div(x, y) for x, y in _both("shape_div", a, b))
    if is_tuple(a):
        parts = []
        for part in a:
            parts.append(shape_div(part, b))
            b = shape_div(b, product(part))
        return tuple(parts)
    b = product(b)
    if a % b and b % a:
        _refuse("shape_div", a, b)
    return -(-a // b)


def prefix_product(a, init=1):
    if is_tuple(a) and is_tuple(init):
        return tuple(prefix_product(x, i) for x, i in _both("prefix_product", a, init))
    if not is_tuple(a):
        return _refuse("prefix_product", a, init) if is_tuple(init) else init
    parts = []
    for part in a:
        parts.append(prefix_product(part, init))
        init *= product(part)
    return tuple(parts)


def idx2crd(idx, shape, stride=None):
    stride = prefix_product(shape) if stride is None else stride
    if not is_tuple(shape):
        return _refuse("idx2crd", idx, shape) if is_tuple(idx) else idx // stride % shape
    if is_tuple(idx):
        return tuple(idx2crd(i, s, d) for (i, s), d in zip(_both("idx2crd", idx, shape), stride))
    return tuple(idx2crd(idx, s, d) for s, d in _both("idx2crd", shape, stride))


def crd2idx(crd, shape, stride=None):
    stride = prefix_product(shape) if stride is None else stride
    crd = 0 if crd is None else crd
    if not is_tuple(shape):
        return _refuse("crd2idx", crd, shape) if is_tuple(crd) else crd * stride
    if is_tuple(crd):
        return sum(crd2idx(c, s, d) for (c, s), d in zip(_both("crd2idx", crd, shape), stride))
    offset = 0
    modes = list(_both("crd2idx", shape, stride))
    for s, d in modes[:-1]:
        crd, digit = divmod(crd, product(s))
        offset += crd2idx(digit, s, d)
    return offset + crd2idx(crd, *modes[-1])


def crd2crd(crd, dst_shape, src_shape=None):
    if is_tuple(crd) and is_tuple(dst_shape):
        return tuple(crd2crd(x, y) for x, y in _both("crd2crd", crd, dst_shape))
    if is_tuple(crd):
        return _refuse("crd2crd", crd, dst_shape) if src_shape is None else crd2idx(crd, src_shape)
    if is_tuple(dst_shape):
        return idx2crd(crd, dst_shape)
    return crd if crd < dst_shape else _refuse("crd2crd", crd, dst_shape)


def slice_(crd, trg):
    if crd is None:
        return (trg,)
    if not is_tuple(crd):
        return ()
    if not is_tuple(trg):
        _refuse("slice_", crd, trg)
    return tuple(chain.from_iterable(slice_(c, t) for c, t in _both("slice_", crd, trg)))


def has_none(a):
    return any(leaf is None for leaf in flatten(a))


# ---- layouts ------------------------------------------------------------------------------------


class LayoutBase:
    """A Layout or a ComposedLayout."""

    __slots__ = ()


def is_layout(x):
    return isinstance(x, LayoutBase)


class Layout(_core.Layout, LayoutBase):
    """pycute's Layout: a pycutlet.Layout whose coordinates may go on past the shape."""

    __slots__ = ()

    def __call__(self, *args):
        coord = args[0] if len(args) == 1 else args
        if has_none(coord):
            return Layout(slice_(coord, self.shape), slice_(coord, self.stride))
        try:
            return _core.eval(self, coord)
        except Error:  # a coordinate past its mode
            return crd2idx(coord, self.shape, self.stride)

    def __getitem__(self, i):
        if not is_tuple(self.shape):
            if i != 0:
                raise AssertionError(f"{self} has one mode, not {i}")
            return self
        return Layout(self.shape[i], self.stride[i])

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __len__(self):
        return len(self.shape) if is_tuple(self.shape) else 1

    def size(self):
        return product(self.shape)

    def cosize(self):
        return self(self.size() - 1) + 1

    def __str__(self):
        return f"{self.shape}:{self.stride}"

    def __repr__(self):
        return f"Layout({self.shape},{self.stride})"

    def __reduce__(self):
        return Layout, (self.shape, self.stride)


def make_layout(*layouts):
    modes = layouts[0] if len(layouts) == 1 and not is_layout(layouts[0]) else layouts
    modes = tuple(modes)
    return Layout(tuple(mode.shape for mode in modes), tuple(mode.stride for mode in modes))


def size(layout):
    return layout.size() if is_layout(layout) else product(layout)


def cosize(layout):
    return layout.cosize()


def _as_layout(x):
    return Layout(x) if is_int(x) else x


def _by_mode(operation, layout, profile):
    """An operation on the modes that a profile has, the others as they are."""
    if len(layout) < len(profile):
        raise AssertionError(f"{layout} has fewer modes than {profile}")
    return make_layout(operation(layout[i], profile[i]) if i < len(profile) else layout[i]
                       for i in range(len(layout)))


def coalesce(layout, profile=None):
    return _by_mode(coalesce, layout, profile) if is_tuple(profile) else Layout(_core.coalesce(layout))


def filter(layout, profile=None):
    return _by_mode(filter, layout, profile) if is_tuple(profile) else Layout(_core.filter(layout))


def composition(layoutA, layoutB):
    if layoutB is None:
        return layoutA
    if is_tuple(layoutB):
        return _by_mode(composition, layoutA, layoutB)
    return Layout(_core.composition(layoutA, _as_layout(layoutB)))


def _modes_by_stride(layout):
    """(stride, shape, index step) of the leaves that move, the smallest stride first."""
    shape = flatten(layout.shape)
    return sorted((d, s, step) for d, s, step in zip(flatten(layout.stride), shape, prefix_product(shape))
                  if s != 1)


def complement(layout, max_idx=1):
    layout = _as_layout(layout)
    modes, reached = [], 1
    for stride, shape, _ in _modes_by_stride(layout):
        if stride == 0:
            continue
        if shape * stride < reached:
            raise AssertionError(f"complement: the modes of {layout} overlap")
        modes.append((stride // reached, reached))
        reached = shape * stride
    modes.append((-(-max_idx // reached), reached))
    return coalesce(Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes)))


def right_inverse(layout):
    if layout is None:
        return None
    layout = _as_layout(layout)
    modes, reached = [(1, 0)], 1
    for stride, shape, step in _modes_by_stride(layout):
        if stride != reached:
            break
        modes.append((shape, step))
        reached *= shape
    return coalesce(Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes)))


def left_inverse(layout):
    if layout is None:
        return None
    layout = _as_layout(layout)
    return right_inverse(make_layout(layout, complement(layout)))


def logical_divide(layoutA, layoutB):
    if layoutB is None:
        return layoutA
    if is_tuple(layoutB):
        return _by_mode(logical_divide, layoutA, layoutB)
    layoutB = _as_layout(layoutB)
    return composition(layoutA, make_layout(layoutB, complement(layoutB, size(layoutA))))


def logical_product(layoutA, layoutB):
    if layoutB is None:
        return layoutA
    if is_tuple(layoutB):
        return _by_mode(logical_product, layoutA, layoutB)
    if is_int(layoutB):  # as pycute has it
        return logical_divide(layoutA, layoutB)
    return make_layout(layoutA, composition(complement(layoutA, size(layoutA) * cosize(layoutB)), layoutB))


def hier_unzip(splitter, layoutA, layoutB):
    if layoutB is None:
        return make_layout(Layout(1, 0), layoutA)
    if not is_tuple(layoutB):
        return splitter(layoutA, layoutB)
    if len(layoutA) < len(layoutB):
        raise AssertionError(f"{layoutA} has fewer modes than {layoutB}")
    pairs = [hier_unzip(splitter, layoutA[i], layoutB[i]) for i in range(len(layoutB))]
    rest = [layoutA[i] for i in range(len(layoutB), len(layoutA))]
    return make_layout(make_layout(pair[0] for pair in pairs), make_layout([pair[1] for pair in pairs] + rest))


def zipped_divide(layoutA, layoutB):
    return hier_unzip(logical_divide, layoutA, layoutB)


def tiled_divide(layoutA, layoutB):
    tile, rest = zipped_divide(layoutA, layoutB)
    return make_layout(tile, *rest)


def zipped_product(layoutA, layoutB):
    return hier_unzip(logical_product, layoutA, layoutB)


def tiled_product(layoutA, layoutB):
    tile, rest = zipped_product(layoutA, layoutB)
    return make_layout(tile, *rest)


def slice_and_offset(crd, layout):
    return Layout(slice_(crd, layout.shape), slice_(crd, layout.stride)), crd2idx(crd, layout.shape, layout.stride)


# ---- swizzles -----------------------------------------------------------------------------------


def shiftr(a, s):
    return a >> s if s > 0 else a << -s


def shiftl(a, s):
    return a << s if s > 0 else a >> -s


class Swizzle:
    """Sw<bits,base,shift> on any integer."""

    def __init__(self, bits, base, shift):
        if bits < 0 or base < 0 or abs(shift) < bits:
            _refuse("Swizzle", bits, base, shift)
        self.bits, self.base, self.shift = bits, base, shift
        mask = (1 << bits) - 1
        self.yyy_msk, self.zzz_msk = mask << base + max(0, shift), mask << base - min(0, shift)

    def __call__(self, offset):
        return offset ^ shiftr(offset & self.yyy_msk, self.shift)

    def size(self):
        return 1 << self.bits + self.base + abs(self.shift)

    cosize = size

    def __str__(self):
        return f"SW_{self.bits}_{self.base}_{self.shift}"

    def __repr__(self):
        return f"Swizzle({self.bits},{self.base},{self.shift})"


class ComposedLayout(LayoutBase):
    """layoutB(offset + layoutA(c)), for any functions."""

    def __init__(self, layoutB, offset, layoutA):
        self.layoutB, self.offset, self.layoutA = layoutB, offset, layoutA

    def __eq__(self, other):
        return (self.layoutB, self.offset, self.layoutA) == (other.layoutB, other.offset, other.layoutA)

    def __len__(self):
        return len(self.layoutA)

    def __call__(self, *args):
        return self.layoutB(self.offset + self.layoutA(*args))

    def __getitem__(self, i):
        return ComposedLayout(self.layoutB, self.offset, self.layoutA[i])

    def size(self):
        return size(self.layoutA)

    def cosize(self):
        return cosize(self.layoutB)

    def __str__(self):
        return f"{self.layoutB} o {self.offset} o {self.layoutA}"

    def __repr__(self):
        return f"ComposedLayout({self.layoutB!r},{self.offset!r},{self.layoutA!r})"
