"""Layouts, and the operations on them."""

from typing import Any, Iterator

from .. import Layout as _Base
from .. import _core
from .._core import Error
from .int_tuple import *
from .int_tuple import _both


class LayoutBase:
    """A Layout or a ComposedLayout."""

    __slots__ = ()


def is_layout(x: Any) -> bool:
    return isinstance(x, LayoutBase)


class Layout(_Base, LayoutBase):
    """pycute's Layout: a pycutlet.Layout whose coordinates may go on past the shape."""

    __slots__ = ()

    def __call__(self, *args: Any) -> Any:
        coord = args[0] if len(args) == 1 else args
        if has_none(coord):
            return Layout(slice_(coord, self.shape), slice_(coord, self.stride))
        try:
            return _core.eval(self, coord)
        except Error:  # a coordinate past its mode
            return crd2idx(coord, self.shape, self.stride)

    def __getitem__(self, i: Any) -> "Layout":
        if not is_tuple(self.shape):
            if i != 0:
                raise AssertionError(f"{self} has one mode, not {i}")
            return self
        return Layout(self.shape[i], self.stride[i])

    def __iter__(self) -> "Iterator[Layout]":
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        return len(self.shape) if is_tuple(self.shape) else 1

    def size(self) -> int:
        return product(self.shape)

    def cosize(self) -> int:
        return self(self.size() - 1) + 1

    def __str__(self) -> str:
        return f"{self.shape}:{self.stride}"

    def __repr__(self) -> str:
        return f"Layout({self.shape},{self.stride})"

    def __reduce__(self) -> Any:
        return Layout, (self.shape, self.stride)


def make_layout(*layouts: Any) -> "Layout":
    modes = layouts[0] if len(layouts) == 1 and not is_layout(layouts[0]) else layouts
    modes = tuple(modes)
    return Layout(tuple(mode.shape for mode in modes), tuple(mode.stride for mode in modes))


def size(layout: Any) -> int:
    return layout.size() if is_layout(layout) else product(layout)


def cosize(layout: Any) -> int:
    return layout.cosize()


def _as_layout(x: Any) -> "Layout":
    return Layout(x) if is_int(x) else x


def _by_mode(operation: Any, layout: Any, profile: Any) -> Any:
    """An operation on the modes that a profile has, the others as they are."""
    if len(layout) < len(profile):
        raise AssertionError(f"{layout} has fewer modes than {profile}")
    return make_layout(operation(layout[i], profile[i]) if i < len(profile) else layout[i]
                       for i in range(len(layout)))


def coalesce(layout: Any, profile: Any = None) -> "Layout":
    return _by_mode(coalesce, layout, profile) if is_tuple(profile) else Layout(_core.coalesce(layout))


def filter(layout: Any, profile: Any = None) -> "Layout":
    return _by_mode(filter, layout, profile) if is_tuple(profile) else Layout(_core.filter(layout))


def composition(layoutA: Any, layoutB: Any) -> "Layout":
    if layoutB is None:
        return layoutA
    if is_tuple(layoutB):
        return _by_mode(composition, layoutA, layoutB)
    return Layout(_core.composition(layoutA, _as_layout(layoutB)))


def _modes_by_stride(layout: Any) -> list[tuple[int, int, int]]:
    """(stride, shape, index step) of the leaves that move, the smallest stride first."""
    shape = flatten(layout.shape)
    return sorted((d, s, step) for d, s, step in zip(flatten(layout.stride), shape, prefix_product(shape))
                  if s != 1)


def complement(layout: Any, max_idx: Any = 1) -> "Layout":
    layout = _as_layout(layout)
    try:
        return Layout(_core.complement(layout, max_idx))
    except Error:  # what pycute covers of it
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


def right_inverse(layout: Any) -> "Layout":
    return Layout(_core._pycute_right_inverse(_as_layout(layout))) if layout is not None else layout


def left_inverse(layout: Any) -> "Layout":
    if layout is None:
        return None
    layout = _as_layout(layout)
    return right_inverse(make_layout(layout, complement(layout)))


def logical_divide(layoutA: Any, layoutB: Any) -> "Layout":
    if layoutB is None:
        return layoutA
    if is_tuple(layoutB):
        return _by_mode(logical_divide, layoutA, layoutB)
    layoutB = _as_layout(layoutB)
    return composition(layoutA, make_layout(layoutB, complement(layoutB, size(layoutA))))


def logical_product(layoutA: Any, layoutB: Any) -> "Layout":
    if layoutB is None:
        return layoutA
    if is_tuple(layoutB):
        return _by_mode(logical_product, layoutA, layoutB)
    if is_int(layoutB):  # as pycute has it
        return logical_divide(layoutA, layoutB)
    return make_layout(layoutA, composition(complement(layoutA, size(layoutA) * cosize(layoutB)), layoutB))


def hier_unzip(splitter: Any, layoutA: Any, layoutB: Any) -> "Layout":
    if layoutB is None:
        return make_layout(Layout(1, 0), layoutA)
    if not is_tuple(layoutB):
        return splitter(layoutA, layoutB)
    if len(layoutA) < len(layoutB):
        raise AssertionError(f"{layoutA} has fewer modes than {layoutB}")
    pairs = [hier_unzip(splitter, layoutA[i], layoutB[i]) for i in range(len(layoutB))]
    rest = [layoutA[i] for i in range(len(layoutB), len(layoutA))]
    return make_layout(make_layout(pair[0] for pair in pairs), make_layout([pair[1] for pair in pairs] + rest))


def zipped_divide(layoutA: Any, layoutB: Any) -> "Layout":
    return hier_unzip(logical_divide, layoutA, layoutB)


def tiled_divide(layoutA: Any, layoutB: Any) -> "Layout":
    tile, rest = zipped_divide(layoutA, layoutB)
    return make_layout(tile, *rest)


def zipped_product(layoutA: Any, layoutB: Any) -> "Layout":
    return hier_unzip(logical_product, layoutA, layoutB)


def tiled_product(layoutA: Any, layoutB: Any) -> "Layout":
    tile, rest = zipped_product(layoutA, layoutB)
    return make_layout(tile, *rest)


def slice_and_offset(crd: Any, layout: Any) -> "tuple[Layout, int]":
    return Layout(slice_(crd, layout.shape), slice_(crd, layout.stride)), crd2idx(crd, layout.shape, layout.stride)
