"""pycutlet.pycute beside NVIDIA's pycute: the same results for random operands.

Skipped where the package nvidia-cutlass, which has pycute, is not installed.
"""

import os
import random

import pytest

from pycutlet import pycute as ours

theirs = pytest.importorskip("pycute")

SEED = int(os.environ.get("CUTLET_SEED", random.randrange(1 << 30)))
ROUNDS = 4000 if os.environ.get("CUTLET_TEST_ALL") else 800


def random_shape(dice, leaves, depth=0):
    """A shape of about this many leaves."""
    if leaves == 1 and (depth > 0 or dice.random() < 0.3):
        return dice.choice((1, 2, 2, 3, 4, 4, 6, 8))
    return tuple(random_shape(dice, dice.choice((1, 1, 2)) if depth < 2 else 1, depth + 1)
                 for _ in range(leaves))


def random_stride(dice, shape):
    """Compact in a random order, or any numbers."""
    leaves = ours.flatten(shape)
    order = sorted(range(len(leaves)), key=lambda _: dice.random())
    strides, step = [0] * len(leaves), dice.choice((1, 1, 1, 2, 3))
    for k in order:
        strides[k] = step if dice.random() < 0.9 else 0
        step *= leaves[k] * dice.choice((1, 1, 1, 2))
    if dice.random() < 0.2:
        strides = [dice.choice((0, 1, 2, 3, 4, 5, 8, 12)) for _ in leaves]
    return nest(shape, iter(strides))


def nest(shape, leaves):
    return tuple(nest(part, leaves) for part in shape) if isinstance(shape, tuple) else next(leaves)


def plain(value):
    """A result in terms that both have: tuples and integers."""
    if hasattr(value, "shape"):
        return plain(value.shape), plain(value.stride)
    return tuple(map(plain, value)) if isinstance(value, (tuple, list)) else value


def outcome(call):
    """What a call gives, or that it is refused."""
    try:
        return plain(call())
    except (AssertionError, ValueError, ZeroDivisionError, TypeError, IndexError):
        return None


def right(call, a, b):
    """Whether a composition is one, by enumeration, within the sizes of all three."""
    result = call()
    inside = result.size() == b.size() and all(b(i) < a.size() for i in range(b.size()))
    return inside and all(result(i) == a(b(i)) for i in range(b.size()))


def operands(dice):
    shape = random_shape(dice, dice.choice((1, 2, 2, 3)))
    return shape, random_stride(dice, shape)


ONE = ("coalesce", "filter", "complement", "right_inverse", "left_inverse", "size", "cosize")
TWO = ("composition", "logical_divide", "logical_product", "zipped_divide", "tiled_divide", "zipped_product",
       "tiled_product")


def inverts(layout, inverse):
    """Whether it is a left inverse, by enumeration."""
    return all(inverse(layout(i)) == i for i in range(layout.size()))


def compare(name, a, b):
    """One operation in both. What is refused here alone, or differs, is wrong there by enumeration."""
    mine = outcome(lambda: getattr(ours, name)(*(ours.Layout(*x) for x in (a, b) if x)))
    other = outcome(lambda: getattr(theirs, name)(*(theirs.Layout(*x) for x in (a, b) if x)))
    if other is None or mine == other:
        return
    if mine is None and 0 in ours.flatten(other[0]):
        return  # a mode of size 0, of a layout whose modes overlap
    layouts = [theirs.Layout(*x) for x in (a, b) if x]
    if name == "left_inverse" and mine is None:
        assert not inverts(layouts[0], theirs.left_inverse(layouts[0])), (name, a)
    elif name == "composition" and mine is None:
        assert not right(lambda: theirs.composition(*layouts), *layouts), (name, a, b)
    elif name == "composition":
        mine_right = right(lambda: ours.composition(*(ours.Layout(*x) for x in (a, b))), *layouts)
        assert mine_right or not right(lambda: theirs.composition(*layouts), *layouts), (name, a, b)
    else:  # they compose
        assert name in TWO, (name, a, b, mine, other)


def test_random_operands():
    dice = random.Random(SEED)
    print(f"CUTLET_SEED={SEED}")
    for _ in range(ROUNDS):
        a, b = operands(dice), operands(dice)
        for name in ONE:
            compare(name, a, None)
        for name in TWO:
            compare(name, a, b)


@pytest.mark.parametrize("name", ["crd2idx", "idx2crd", "prefix_product", "shape_div", "crd2crd", "slice_",
                                  "elem_scale", "inner_product", "product", "tuple_max", "has_none", "flatten"])
def test_tuples(name):
    dice = random.Random(SEED)
    for _ in range(ROUNDS // 4):
        shape, stride = operands(dice)
        index = dice.randrange(100)
        coordinate = ours.idx2crd(index, shape)
        holes = nest(shape, iter([dice.choice((None, 0, 1)) for _ in ours.flatten(shape)]))
        arguments = {"crd2idx": (dice.choice((index, coordinate)), shape, stride), "idx2crd": (index, shape),
                     "prefix_product": (shape,), "shape_div": (shape, dice.choice((2, 6, 12, 24))),
                     "crd2crd": (index, shape), "slice_": (holes, shape), "elem_scale": (shape, stride),
                     "inner_product": (shape, stride), "product": (shape,), "tuple_max": (shape,),
                     "has_none": (holes,), "flatten": (shape,)}[name]
        assert outcome(lambda: getattr(ours, name)(*arguments)) == \
            outcome(lambda: getattr(theirs, name)(*arguments)), (name, arguments)


def test_coordinates_past_the_shape():
    dice = random.Random(SEED)
    for _ in range(ROUNDS // 4):
        shape, stride = operands(dice)
        mine, other = ours.Layout(shape, stride), theirs.Layout(shape, stride)
        for index in (0, 1, 5, 63, 1000):
            assert mine(index) == other(index), (shape, stride, index)
        assert str(mine) == str(other) and repr(mine) == repr(other) and len(mine) == len(other)


def test_swizzles():
    for bits, base, shift in ((3, 4, 3), (2, 0, 3), (1, 2, -2), (0, 4, 3)):
        mine, other = ours.Swizzle(bits, base, shift), theirs.Swizzle(bits, base, shift)
        assert [mine(i) for i in range(1024)] == [other(i) for i in range(1024)]
        assert str(mine) == str(other) and repr(mine) == repr(other) and mine.size() == other.size()


def test_every_name_is_there():
    missing = [name for name, value in vars(theirs).items()
               if getattr(value, "__module__", "").startswith("pycute") and not hasattr(ours, name)]
    assert missing == []
