"""The copies that are measured: those of copy_cases.tsv, and random permutations."""

import math
import os
import random
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclass
class Case:
    """One copy. Strides and offsets are in elements of `size` bytes."""

    name: str
    size: int
    shape: list
    src: list
    dst: list
    src_offset: int = 0
    dst_offset: int = 0

    def text(self, strides):
        """The layout of a side; index order is any, so long as both sides have the same."""
        return f"({','.join(map(str, self.shape))}):({','.join(map(str, strides))})"

    def bytes(self):
        """Bytes of all elements."""
        return math.prod(self.shape) * self.size

    def place(self, strides, offset):
        """Of a side: the elements before offset 0 of its layout, and all of them from first to last."""
        before = sum((e - 1) * -s for e, s in zip(self.shape, strides) if s < 0)
        after = sum((e - 1) * s for e, s in zip(self.shape, strides) if s > 0)
        first = max(offset, before)
        return first, first + after + 1


def smaller(extents, old, strides):
    """The strides for smaller extents: paddings stay as they are, multiples stay multiples."""
    order = sorted((k for k in range(len(old)) if old[k] > 1), key=lambda k: abs(strides[k]))
    new = list(strides)
    end_old = end_new = 1
    for k in order:
        ratio, rest = divmod(abs(strides[k]), end_old)
        step = end_new * ratio if ratio > 1 else end_new + rest
        new[k] = step if strides[k] > 0 else -step
        end_old = old[k] * abs(strides[k])
        end_new = extents[k] * step
    return new


def listed(most_bytes=None):
    """The cases of copy_cases.tsv; made smaller, so that each side spans most_bytes at most."""
    for line in open(os.path.join(HERE, "copy_cases.tsv"), encoding="ascii"):
        if line.startswith("#"):
            continue
        name, size, *rest = line.rstrip("\n").split("\t")
        shape, src, dst = ([int(x) for x in field.split(",")] for field in rest[:3])
        extents = list(shape)
        if most_bytes:
            def span(strides):
                new = smaller(extents, shape, strides)
                return (1 + sum((e - 1) * abs(s) for e, s in zip(extents, new))) * int(size)
            while max(span(s) for s in (src, dst)) > most_bytes:
                k = extents.index(max(extents))
                extents[k] = extents[k] // 2 | extents[k] & 1
            src, dst = smaller(extents, shape, src), smaller(extents, shape, dst)
        yield Case(name, int(size), extents, src, dst, int(rest[3]), int(rest[4]))


def permutations(count, most_bytes):
    """Random permutations of rank 3 to 6, of a compact array to a compact one, of at least half of
    most_bytes."""
    dice = random.Random(7)
    for number in range(count):
        rank, size = 3 + number % 4, dice.choice([1, 2, 4, 8])
        shape = [dice.randint(2, 40) for _ in range(rank)]
        while math.prod(shape) * size * 2 < most_bytes:
            k = dice.randrange(rank)
            shape[k] = shape[k] * 2 + dice.randint(0, 1)
        while math.prod(shape) * size > most_bytes:
            k = shape.index(max(shape))
            shape[k] //= 2
        order = dice.sample(range(rank), rank)
        src, dst = [0] * rank, [0] * rank
        run = 1
        for k in reversed(range(rank)):
            src[k] = run
            run *= shape[k]
        run = 1
        for k in reversed(order):
            dst[k] = run
            run *= shape[k]
        yield Case(f"permute_{'x'.join(map(str, shape))}_{''.join(map(str, order))}_{size}", size,
                   shape, src, dst)


def every(mib, permuted_mib, only=""):
    """All of them whose name contains `only`; mib 0 leaves the listed ones as large as they are."""
    both = list(listed(mib << 20)) + list(permutations(30, permuted_mib << 20))
    return [case for case in both if only in case.name]
