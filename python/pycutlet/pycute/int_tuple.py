"""Integers and nested tuples of them."""

from itertools import chain
from typing import Any, Iterator, NoReturn

from .typing import Integer


def is_int(x: Any) -> bool:
    return isinstance(x, Integer)


def is_tuple(x: Any) -> bool:
    return isinstance(x, tuple)


def flatten(t: Any) -> tuple[Any, ...]:
    return tuple(leaf for part in t for leaf in flatten(part)) if is_tuple(t) else (t,)


def signum(a: Any) -> int:
    return (a > 0) - (a < 0)


def product(a: Any) -> int:
    n = 1
    for leaf in flatten(a):
        n *= leaf
    return n


def _both(name: Any, a: Any, b: Any) -> Iterator[Any]:
    """Modes side by side, as many of the one as of the other."""
    if len(a) != len(b):
        raise AssertionError(f"{name}: {a} has {len(a)} modes, {b} has {len(b)}")
    return zip(a, b)


def _refuse(name: Any, *operands: Any) -> NoReturn:
    raise AssertionError(f"{name}: {', '.join(map(str, operands))} do not fit each other")


def inner_product(a: Any, b: Any) -> int:
    if is_tuple(a) and is_tuple(b):
        return sum(inner_product(x, y) for x, y in _both("inner_product", a, b))
    return _refuse("inner_product", a, b) if is_tuple(a) or is_tuple(b) else a * b


def tuple_max(a: Any) -> int:
    return max(flatten(a))


def elem_scale(a: Any, b: Any) -> Any:
    if not is_tuple(a):
        return a * product(b)
    if not is_tuple(b):
        _refuse("elem_scale", a, b)
    return tuple(elem_scale(x, y) for x, y in _both("elem_scale", a, b))


def shape_div(a: Any, b: Any) -> Any:
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


def prefix_product(a: Any, init: Any = 1) -> Any:
    if is_tuple(a) and is_tuple(init):
        return tuple(prefix_product(x, i) for x, i in _both("prefix_product", a, init))
    if not is_tuple(a):
        return _refuse("prefix_product", a, init) if is_tuple(init) else init
    parts = []
    for part in a:
        parts.append(prefix_product(part, init))
        init *= product(part)
    return tuple(parts)


def idx2crd(idx: Any, shape: Any, stride: Any = None) -> Any:
    stride = prefix_product(shape) if stride is None else stride
    if not is_tuple(shape):
        return _refuse("idx2crd", idx, shape) if is_tuple(idx) else idx // stride % shape
    if is_tuple(idx):
        return tuple(idx2crd(i, s, d) for (i, s), d in zip(_both("idx2crd", idx, shape), stride))
    return tuple(idx2crd(idx, s, d) for s, d in _both("idx2crd", shape, stride))


def crd2idx(crd: Any, shape: Any, stride: Any = None) -> int:
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


def crd2crd(crd: Any, dst_shape: Any, src_shape: Any = None) -> Any:
    if is_tuple(crd) and is_tuple(dst_shape):
        return tuple(crd2crd(x, y) for x, y in _both("crd2crd", crd, dst_shape))
    if is_tuple(crd):
        return _refuse("crd2crd", crd, dst_shape) if src_shape is None else crd2idx(crd, src_shape)
    if is_tuple(dst_shape):
        return idx2crd(crd, dst_shape)
    return crd if crd < dst_shape else _refuse("crd2crd", crd, dst_shape)


def slice_(crd: Any, trg: Any) -> tuple[Any, ...]:
    if crd is None:
        return (trg,)
    if not is_tuple(crd):
        return ()
    if not is_tuple(trg):
        _refuse("slice_", crd, trg)
    return tuple(chain.from_iterable(slice_(c, t) for c, t in _both("slice_", crd, trg)))


def has_none(a: Any) -> bool:
    return any(leaf is None for leaf in flatten(a))
