#!/usr/bin/env python3
"""Writes access patterns of one warp: the questions of which take.py reads the counters.

    patterns.py corpus         the corpus: chosen patterns and random ones (tests/data)
    patterns.py random N SEED  N random ones, for a search

A line is: kind, bits, 32 byte offsets (`-`: the lane is off), 32 byte offsets of shared memory for
cp.async, and a name.
"""
import random
import sys

LANES = 32
SHARED_BYTES = 160 << 10
GLOBAL_BYTES = 1 << 22
GLOBAL, SHARED = ("ldg", "stg"), ("lds", "sts")
MATRIX = ("ldsm", "stsm")


def emit(kind, bits, lanes, name, shared=None):
    def text(offsets):
        return ",".join("-" if o is None else str(o) for o in offsets)

    limit = GLOBAL_BYTES if kind in GLOBAL or kind.startswith("ldgsts") else SHARED_BYTES
    assert len(lanes) == LANES, name
    for o in lanes:
        assert o is None or (0 <= o < limit and o % (bits // 8) == 0), (kind, bits, name, o)
    for o in shared or ():
        assert 0 <= o < SHARED_BYTES and o % (bits // 8) == 0, (kind, bits, name, o)
    print(kind, bits, text(lanes), text(shared) if shared else "", name, sep="\t")


def swizzle(bits, base, shift, offset):
    """Sw<bits,base,shift> of an offset, in elements."""
    return offset ^ (((offset >> (base + shift)) & ((1 << bits) - 1)) << base)


def only(lanes, count):
    return lanes[:count] + [None] * (LANES - count)


def masked(lanes, mask):
    return [o if mask >> t & 1 else None for t, o in enumerate(lanes)]


# ---- chosen patterns: each a name and a function of the bytes of an access -----------------------

def strides():
    """Lane t at t * stride accesses."""
    for s in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64):
        yield f"stride {s}", lambda w, s=s: [t * s * w for t in range(LANES)]


def shapes():
    """Lane t at (t mod rows, t div rows) of a matrix with a leading dimension."""
    for rows in (2, 4, 8, 16):
        for ld in (32, 33, 64, 65, 128, 132, 136):
            yield (f"block {rows} x {LANES // rows}, ld {ld}",
                   lambda w, r=rows, ld=ld: [(t % r * ld + t // r) * w for t in range(LANES)])


def broadcasts():
    for n in (1, 2, 4, 8, 16):
        yield f"{n} lanes for each", lambda w, n=n: [t // n * w for t in range(LANES)]
        yield f"{n} in turn", lambda w, n=n: [t % n * w for t in range(LANES)]
        yield f"{n} in turn, 128 bytes apart", lambda w, n=n: [t % n * 128 for t in range(LANES)]


def partial():
    for n in (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 24, 25, 31):
        yield f"the first {n}", lambda w, n=n: only([t * w for t in range(LANES)], n)
    for mask in (0x55555555, 0xAAAAAAAA, 0x0F0F0F0F, 0x00FF00FF, 0xFF0000FF, 0x80000001,
                 0x0000FFFE, 0x33333333, 0x01010101):
        yield (f"mask {mask:08x}",
               lambda w, m=mask: masked([t * w for t in range(LANES)], m))
        yield (f"mask {mask:08x}, stride 4",
               lambda w, m=mask: masked([4 * t * w for t in range(LANES)], m))


def misaligned():
    for shift in (1, 2, 3, 5, 7):
        yield f"base + {shift}", lambda w, k=shift: [(t + k) * w for t in range(LANES)]
        yield (f"base + {shift}, stride 2",
               lambda w, k=shift: [(2 * t + k) * w for t in range(LANES)])


def swizzled():
    """Columns, rows and transposes of a row-major tile of 64 or 32 units, swizzled or padded."""
    for b, m, s in ((1, 0, 3), (2, 0, 3), (3, 0, 3), (3, 1, 3), (3, 2, 3), (2, 1, 4), (3, 0, 5),
                    (5, 0, 5)):
        for ld in (8, 32, 64):
            yield (f"column, ld {ld}, Sw<{b},{m},{s}>",
                   lambda w, b=b, m=m, s=s, ld=ld: [swizzle(b, m, s, t * ld) * w
                                                    for t in range(LANES)])
            yield (f"8 x 4, ld {ld}, Sw<{b},{m},{s}>",
                   lambda w, b=b, m=m, s=s, ld=ld: [swizzle(b, m, s, t % 8 * ld + t // 8) * w
                                                    for t in range(LANES)])
    for pad in (1, 2, 4, 8):
        yield (f"column, ld 64 + {pad}",
               lambda w, p=pad: [t * (64 + p) * w for t in range(LANES)])


def forum():
    """The patterns of published answers: NVIDIA forums, threads 359822 and 373160."""
    yield "32 (t mod 16)", lambda w: [32 * (t % 16) for t in range(LANES)]
    yield "32 (t div 16)", lambda w: [32 * (t // 16) for t in range(LANES)]
    yield "reversed", lambda w: [(31 - t) * w for t in range(LANES)]
    yield "halves exchanged", lambda w: [(t ^ 16) * w for t in range(LANES)]
    yield "neighbours exchanged", lambda w: [(t ^ 1) * w for t in range(LANES)]


def chosen_one_sided():
    for kind in GLOBAL + SHARED:
        families = (strides, shapes, broadcasts, partial, misaligned, forum)
        if kind in SHARED:
            families += (swizzled,)
        for bits in (8, 16, 32, 64, 128):
            for family in families:
                for i, (name, lanes) in enumerate(family()):
                    # shared memory: every pattern at 128 bits, fewer at the other widths
                    every = {8: 4, 16: 4, 32: 2, 64: 2, 128: 1}[bits] * (1 if kind in SHARED else 2)
                    if (i + bits // 8) % every == 0:
                        emit(kind, bits, lanes(bits // 8), name)


def chosen_matrices():
    for kind in MATRIX:
        for n in (8, 16, 32):
            for pitch in (16, 32, 48, 64, 80, 128, 136 * 2, 256):
                emit(kind, 128, only([t * pitch for t in range(LANES)], n), f"rows {pitch} apart")
            for b, m, s in ((1, 3, 3), (2, 3, 3), (3, 3, 3)):
                for pitch in (32, 64, 128):
                    rows = [2 * swizzle(b, m, s, t * pitch // 2) for t in range(LANES)]
                    emit(kind, 128, only(rows, n), f"rows {pitch} apart, Sw<{b},{m},{s}>")
            for ld in (64, 72, 128):
                rows = [2 * (t % 8 * ld + t // 8 * 8) for t in range(LANES)]
                emit(kind, 128, only(rows, n), f"matrices side by side, ld {ld}")
            emit(kind, 128, only([0] * LANES, n), "one row")
            emit(kind, 128, only([t % 8 * 16 for t in range(LANES)], n), "one matrix")


def chosen_async():
    """cp.async: sides that fit each other and sides that do not."""
    for kind, widths in (("ldgsts", (4, 8, 16)), ("ldgsts.bypass", (16,))):
        for w in widths:
            sides = [("in a row", [t * w for t in range(LANES)])]
            for s in (2, 3, 4, 8, 9, 16, 32, 33):
                sides.append((f"stride {s}", [t * s * w for t in range(LANES)]))
            for rows in (4, 8, 16):
                for ld in (32, 33, 64, 72):
                    sides.append((f"{rows} rows, ld {ld}",
                                  [(t % rows * ld + t // rows) * w for t in range(LANES)]))
            sides.append(("reversed", [(31 - t) * w for t in range(LANES)]))
            sides.append(("8 rows, ld 8, Sw<3,0,3>",
                          [swizzle(3, 0, 3, t // 8 * 8 + t % 8) * w for t in range(LANES)]))
            sides.append(("column, ld 8, Sw<3,0,3>",
                          [swizzle(3, 0, 3, t * 8) * w for t in range(LANES)]))
            row = sides[0][1]
            for i, (name, side) in enumerate(sides):
                emit(kind, 8 * w, row, f"row to {name}", side)
                if i % 2:
                    emit(kind, 8 * w, side, f"{name} to row", row)
                else:
                    emit(kind, 8 * w, side, f"{name} to itself", side)
            for n in (1, 4, 8, 9, 16, 24, 31):
                emit(kind, 8 * w, only(row, n), f"row to row, the first {n}", row)
                emit(kind, 8 * w, only(row, n), f"row to stride 8, the first {n}",
                     [8 * o for o in row])
            for k in (1, 2, 3):
                emit(kind, 8 * w, [o + k * w for o in row], f"row, base + {k}, to row", row)
                emit(kind, 8 * w, row, f"row to row, base + {k}", [o + k * w for o in row])
            emit(kind, 8 * w, [0] * LANES, "one place to row", row)
            emit(kind, 8 * w, [o // 2 // w * w for o in row], "pairs to row", row)


# ---- random patterns -----------------------------------------------------------------------------

def random_lanes(dice, w, limit):
    """Lanes of one of several families, some of them off."""
    family = dice.randrange(9)
    span = min(limit, w << dice.choice((3, 4, 5, 6, 7, 8, 10)))
    if family == 0:  # anywhere in a span
        lanes = [dice.randrange(span // w) * w for _ in range(LANES)]
    elif family == 1:  # a permutation of places in a row
        lanes = [t * w for t in range(LANES)]
        dice.shuffle(lanes)
    elif family == 2:  # bits of the lane, each with a step of its own
        steps = [w << dice.randrange(8) for _ in range(5)]
        lanes = [sum(steps[b] for b in range(5) if t >> b & 1) for t in range(LANES)]
    elif family == 3:  # bits of the lane XORed into place: a linear map
        masks = [dice.randrange(span // w) * w for _ in range(5)]
        lanes = []
        for t in range(LANES):
            o = 0
            for b in range(5):
                o ^= masks[b] if t >> b & 1 else 0
            lanes.append(o)
    elif family == 4:  # few places, many lanes
        places = [dice.randrange(span // w) * w for _ in range(dice.choice((1, 2, 3, 4, 8, 16)))]
        lanes = [dice.choice(places) for _ in range(LANES)]
    elif family == 5:  # partners at one address
        x = dice.choice((1, 2, 4, 8, 16, 3))
        lanes = [dice.randrange(span // w) * w for _ in range(LANES)]
        lanes = [lanes[min(t, t ^ x)] for t in range(LANES)]
    elif family == 6:  # the same, but for one lane
        x = dice.choice((1, 2))
        lanes = [dice.randrange(span // w) * w for _ in range(LANES)]
        lanes = [lanes[min(t, t ^ x)] for t in range(LANES)]
        lanes[dice.randrange(LANES)] = dice.randrange(span // w) * w
    elif family == 7:  # a matrix and a leading dimension
        rows, ld = dice.choice((2, 4, 8, 16, 32)), dice.randrange(1, 80)
        lanes = [(t % rows * ld + t // rows) * w for t in range(LANES)]
    else:  # a swizzled column or block
        b, m, s = dice.randrange(1, 4), dice.randrange(4), dice.randrange(3, 6)
        rows, ld = dice.choice((4, 8, 16, 32)), dice.choice((8, 16, 32, 64))
        lanes = [swizzle(b, m, s, t % rows * ld + t // rows) * w for t in range(LANES)]
    off = dice.randrange(8)
    if off == 0:
        lanes = masked(lanes, dice.randrange(1, 1 << LANES))
    elif off == 1:
        lanes = only(lanes, dice.randrange(1, LANES))
    elif off == 2:
        lanes = masked(lanes, 1 << dice.randrange(LANES) | 1 << dice.randrange(LANES))
    elif off == 3:  # whole groups of lanes off
        group = dice.choice((2, 4, 8, 16))
        mask = 0
        for first in range(0, LANES, group):
            if dice.randrange(2):
                mask |= ((1 << group) - 1) << first
        lanes = masked(lanes, mask or 1)
    return lanes


def random_pattern(dice):
    kind = dice.choice(("ldg", "stg", "lds", "lds", "lds", "sts", "sts", "ldgsts", "ldgsts",
                        "ldgsts.bypass", "ldsm", "stsm"))
    if kind in MATRIX:
        lanes = random_lanes(dice, 16, 1 << 14)
        lanes = [0 if o is None else o for o in lanes]
        emit(kind, 128, only(lanes, dice.choice((8, 16, 32))), "random")
        return
    bits = {"ldgsts": (32, 64, 128), "ldgsts.bypass": (128,)}.get(kind, (8, 16, 32, 64, 128))
    bits = dice.choice(bits)
    if kind in SHARED and dice.randrange(2):
        bits = dice.choice((64, 128))
    lanes = random_lanes(dice, bits // 8, 1 << 14)
    shared = None
    if kind.startswith("ldgsts"):
        shared = [0 if o is None else o for o in random_lanes(dice, bits // 8, 1 << 14)]
    emit(kind, bits, lanes, "random", shared)


def main():
    if sys.argv[1:] == ["corpus"]:
        chosen_one_sided()
        chosen_matrices()
        chosen_async()
        count, seed = 600, 2026
    elif len(sys.argv) == 4 and sys.argv[1] == "random":
        count, seed = int(sys.argv[2]), int(sys.argv[3])
    else:
        sys.exit(__doc__.strip())
    dice = random.Random(seed)
    for _ in range(count):
        random_pattern(dice)


if __name__ == "__main__":
    main()
