#!/usr/bin/env python3
"""`cutlet relayout`: random arrays to random layouts and back, in blocks of a few KiB, against an
enumeration: the bytes of the output, gaps and all, and the input again, byte by byte.

    test_relayout_random.py CUTLET
"""

import itertools
import math
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import npy_bytes
import tap

TYPES = [("|u1", 1), ("<i2", 2), ("<f4", 4), ("<f8", 8), ("<c16", 16), (">i4", 4), ("|S3", 3), ("|b1", 1),
         ("<M8[s]", 8), ("|V12", 12)]


def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


def strides_of(shape, order):
    """Strides that are compact when the modes run in that order."""
    strides, run = [0] * len(shape), 1
    for k in order:
        strides[k] = run
        run *= shape[k]
    return strides


def enumerate_layout(shape, strides):
    """The offsets in order of the index, the first mode fastest."""
    offsets = [0]
    for extent, stride in zip(shape, strides):
        offsets = [x + i * stride for i in range(extent) for x in offsets]
    return offsets


def swizzle(bits, base, shift, x):
    """Bit by bit."""
    y = x
    for k in range(bits):
        if x >> (base + max(shift, 0) + k) & 1:
            y ^= 1 << (base + max(-shift, 0) + k)
    return y


def random_swizzle(dice):
    bits = dice.randint(1, 3)
    return bits, dice.randint(0, 9), dice.choice([1, -1]) * dice.randint(bits, 7)


def tiled_places(shape, tile):
    """Where the elements of an array lie, the first mode fastest; and how much memory there is."""
    counts = [-(-extent // part) for extent, part in zip(shape, tile)]
    places = []
    for backwards in itertools.product(*map(range, shape[::-1])):
        which = inside = 0
        for i, part, count in zip(backwards[::-1], tile, counts):
            which, inside = which * count + i // part, inside * part + i % part
        places.append(which * product(tile) + inside)
    return places, product(counts) * product(tile)


def other_shape(dice, size):
    """A shape of that size, of any number of modes."""
    shape = []
    while size > 1 and len(shape) < 7:
        part = dice.choice([d for d in range(2, 40) if size % d == 0] + [size])
        shape.append(part)
        size //= part
    return shape or [1]


def layout_text(dice, shape, strides):
    """The layout's text; neighbours in parentheses of their own now and then."""
    def nested(numbers, groups):
        parts, k = [], 0
        for n in groups:
            part = ",".join(map(str, numbers[k:k + n]))
            parts.append(f"({part})" if n > 1 else part)
            k += n
        return "(" + ",".join(parts) + ")"
    groups, left = [], len(shape)
    while left:
        groups.append(min(left, dice.choice([1, 1, 2, 3])))
        left -= groups[-1]
    return nested(shape, groups) + ":" + nested(strides, groups)


def interleaved_strides(dice, shape):
    """Strides p and q without a common divisor, p no less than the extent that goes with q: no two
    elements meet, and rows begin before the ones before end. The other modes beyond them."""
    a, b = (list(shape) + [1, 1])[:2]
    p = a + dice.randint(0, 3)
    q = dice.choice([x for x in range(1, 4 * p + 10) if math.gcd(x, p) == 1])
    strides, run = [q, p], (a - 1) * q + (b - 1) * p + 1
    for extent in shape[2:]:
        strides.append(run)
        run *= extent
    return strides[:len(shape)]


def random_layout(dice, shape):
    """A layout for an array: its name, and the places of the elements, the first mode fastest."""
    size = product(shape)
    modes = dice.choice([shape, shape, other_shape(dice, size)])
    order = dice.sample(range(len(modes)), len(modes))
    strides, run, low = [0] * len(modes), 1, 0
    for k in order:  # gaps, and some modes backwards
        run += dice.choice([0, 0, 0, 1, 5, 1000]) if run > 1 or dice.random() < 0.2 else 0
        strides[k] = run if dice.random() < 0.8 else -run
        low += min(0, (modes[k] - 1) * strides[k])
        run *= modes[k]
    if low == 0 and dice.random() < 0.3:
        strides = interleaved_strides(dice, modes)
    text, places = layout_text(dice, modes, strides), enumerate_layout(modes, strides)
    if low < 0 or dice.random() < 0.4:
        bits, base, shift = random_swizzle(dice) if dice.random() < 0.7 else (0, 0, 0)
        past = -low + dice.choice([0, 0, 3, 64])
        return (f"Sw<{bits},{base},{shift}> o {past} o {text}",
                [swizzle(bits, base, shift, past + x) for x in places])
    return text, places


# Windows of the output that lie within one another; a swizzle whose period is larger than the memory, and
# whose pieces are single elements; more modes than a layout has; a shape that has no mode in common.
FIXED = [
    ([2, 8, 8], [2, 8, 8], [9, 1000, 2005], (0, 0, 0), "4K"),
    ([40, 50], [40, 50], [50, 1], (2, 0, 9), "4K"),
    ([4] * 9, [2] + [4] * 8 + [2], [1 << 17, *[1 << 2 * (k * 3 % 8) + 1 for k in range(8)], 1], (0, 0, 0), "64M"),
    ([60, 70], [21, 8, 25], [200, 25, 1], (0, 0, 0), "4K"),
]


# Tiles of as many modes as there are at most, and of more ragged ones than half of that.
TILED = [
    ([3] * 9, [2] * 9, "64K"), ([2] * 14 + [3, 3], [1] * 14 + [2, 2], "16K"), ([5, 1, 7, 4], [2, 1, 3, 4], "4K"),
    ([4, 5, 6], [2, 5, 4], "4K"), ([100], [7], "4K"), ([7, 6, 5, 4, 3], [3, 4, 5, 6, 2], "1M"),
]


def tiled_case(shape, tile):
    places, size = tiled_places(shape, tile)
    return shape, "tiled:" + "x".join(map(str, tile)), places, size


def random_case(dice):
    """The shape, the name of the layout, the places, and the memory's elements where they are known."""
    shape = [dice.choice([1, 2, 3, 5, 8, 17, 40, 64]) for _ in range(dice.randint(1, 5))]
    while product(shape) > 30000:
        shape.pop()
    kind = dice.randint(0, 10)
    if kind == 10:  # rows of the output that blocks share, a few bytes of each
        shape = [dice.randint(2, 6), dice.randint(20, 60), dice.randint(20, 60)]
        strides = strides_of(shape, range(3))
        return shape, layout_text(dice, shape, strides), enumerate_layout(shape, strides), None
    if kind < 2:
        shape = [dice.randint(1, 170), dice.randint(1, 170)]
        return tiled_case(shape, [dice.randint(1, 70), dice.randint(1, 70)])
    if kind < 4:  # of any rank; tiles that divide, that leave a rest, that are larger than the array
        return tiled_case(shape, [dice.choice([1, extent, dice.randint(1, extent), extent // 2 + 1, extent + 2])
                                  for extent in shape])
    if kind < 6:
        bits, base, shift = random_swizzle(dice)
        places = enumerate_layout(shape, strides_of(shape, range(len(shape))[::-1]))
        return (shape, f"swizzled:{bits},{base},{shift}",
                [swizzle(bits, base, shift, x) for x in places], None)
    return (shape, *random_layout(dice, shape), None)


def main(report, cutlet):
    cutlet = os.path.abspath(cutlet)
    os.chdir(tempfile.mkdtemp())
    seed = int(os.environ.get("CUTLET_SEED", "31"))
    print(f"# seed {seed}")
    for number in range(int(os.environ.get("CUTLET_CASES", "120"))):
        dice = random.Random(seed * 1000003 + number)
        memory = dice.choice(["4K", "4K", "16K", "1M"])
        if number < len(FIXED):
            shape, modes, strides, (bits, base, shift), memory = FIXED[number]
            layout, size = f"Sw<{bits},{base},{shift}> o 0 o {layout_text(dice, modes, strides)}", None
            places = [swizzle(bits, base, shift, x) for x in enumerate_layout(modes, strides)]
        elif number < len(FIXED) + len(TILED):
            *tiles, memory = TILED[number - len(FIXED)]
            shape, layout, places, size = tiled_case(*tiles)
        else:
            shape, layout, places, size = random_case(dice)
        descr, width = dice.choice(TYPES if dice.random() < 0.6 else TYPES[:2])
        fortran = dice.random() < 0.3
        data = dice.randbytes(product(shape) * width)
        npy_bytes.write("A.npy", descr, shape, data, fortran)
        order = range(len(shape)) if fortran else range(len(shape))[::-1]
        sources = enumerate_layout(shape, strides_of(shape, order))
        name = f"{number}: {descr} {tuple(shape)}{' F' if fortran else ''}, {layout}, {memory}"
        more = (["--verify"] if dice.random() < 0.5 else [])
        status, out = tap.run([cutlet, "relayout", "A.npy", "B.npy", "--to", layout, "--memory", memory,
                               *more])
        got = npy_bytes.read("B.npy")[1] if status == 0 else b""
        right = bytearray(len(got))
        for at, place in zip(sources, places):
            right[place * width:(place + 1) * width] = data[at * width:(at + 1) * width]
        enough = len(got) == size * width if size else len(got) >= (max(places) + 1) * width
        said = out.startswith("verified: ") and out.count("\n") == 1 if more else out == ""
        if not report.check(name, status == 0 and said and enough and got == bytes(right), out):
            continue
        status, out = tap.run([cutlet, "relayout", "B.npy", "C.npy", "--to", layout, "--inverse", "--shape",
                               "(" + ",".join(map(str, shape)) + ")", "--from", "f" if fortran else "c",
                               "--memory", memory, *more])
        same = False
        if status == 0:
            with open("A.npy", "rb") as a, open("C.npy", "rb") as c:
                same = a.read() == c.read()
        report.check(f"{number}: and back", same, out)
        os.unlink("B.npy")
        if os.path.exists("C.npy"):
            os.unlink("C.npy")
    left = sorted(set(os.listdir(".")) - {"A.npy"})
    report.check("nothing is left over", not left, str(left))


tap.main(main)
