#!/usr/bin/env python3
"""The algebra against the Python package tensor-layouts: random operands, the same operation in both.

    differential.py CUTLET [ROUNDS]

Where the two differ, enumeration must show that one of the documented differences explains it, and not in
favour of the package: see EXPLAINED. Anything else fails. The seed is printed; CUTLET_SEED sets it.
"""

import collections
import json
import os
import random
import subprocess
import sys

import tensor_layouts as tl

EXPLAINED = {
    "both": "the same shape, stride and nesting",
    "both refuse": "the package raises, or returns a composition that is not a layout",
    "exact where the package refuses": "the package raises or returns an unevaluated composition; the "
                                       "layout here is right by enumeration",
    "refused where the package is wrong": "the package's result breaks the definition, by enumeration",
    "right where the package is wrong": "the package's result breaks the definition, that here does not",
    "same function": "both are right; leaves of size 1 or leaves that could be merged are written "
                     "otherwise (here as CuTe C++ does, which conformance/cute.check compares)",
    "gaps": "complement of a layout whose strides leave gaps: here an error unless enough offsets are "
            "reached, see complement.h",
    "largest": "both are inverses; where the layout repeats offsets, another one is chosen",
    "no promise": "left inverse of a layout whose strides do not nest: here an error, see inverse.h",
    "past the end": "max_common_*: here, as in CuTe, the first layout goes on past its size",
    "other places": "blocked and raked products: the package puts copies at multiples of the cosize of the "
                    "block; here, as in CuTe, into its gaps, which must lead to a layout",
    "no places": "products of a block whose modes overlap or interleave: it has no complement, the package "
                 "does not look",
    "part of an element": "upcast of what fills not a whole number of new elements: the package rounds up, here "
                          "it is an error, see cast.h",
}


def leaves(t):
    return [x for m in t for x in leaves(m)] if isinstance(t, tuple) else [t]


def text(t):
    """A tuple or integer in the notation."""
    if t is None:
        return "_"
    return "(" + ",".join(text(m) for m in t) + ")" if isinstance(t, tuple) else str(int(t))


def show(layout):
    return f"{text(layout.shape)}:{text(layout.stride)}"


def size(layout):
    n = 1
    for s in leaves(layout.shape):
        n *= s
    return n


def at(layout, i):
    """The offset of index i, written once more: past the size along the last leaf."""
    shape, stride = leaves(layout.shape), leaves(layout.stride)
    total = 0
    for k, (s, d) in enumerate(zip(shape, stride)):
        digit = i if k + 1 == len(shape) else i % s
        i //= s
        total += digit * d
    return total


def offsets(layout):
    return [at(layout, i) for i in range(size(layout))]


def mode(layout, k):
    """Mode k of a layout; of an integer itself."""
    return tl.Layout(layout.shape[k], layout.stride[k]) if isinstance(layout.shape, tuple) else layout


def compatible(a, b):
    """The definition: an integer of a is the size of what stands opposite."""
    if not isinstance(a, tuple):
        n = 1
        for s in leaves(b):
            n *= s
        return a == n
    return isinstance(b, tuple) and len(a) == len(b) and all(compatible(x, y) for x, y in zip(a, b))


def common_run(a, b):
    """The most n for which some index of b has offset i in both, for every i < n."""
    both = {at(a, i) for i in range(size(b)) if at(a, i) == at(b, i)}
    n = 0
    while n in both:
        n += 1
    return n


class Random:
    """Random operands."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def shape(self, most, depth=2):
        n = self.r.choice([1, 1, 2, 2, 3])
        if depth == 0 or (depth < 2 and self.r.random() < 0.7):
            return self.r.choice([s for s in (1, 2, 2, 3, 4, 4, 5, 6, 8) if s <= most])
        modes, left = [], most
        for _ in range(n):
            m = self.shape(left, depth - 1)
            for s in leaves(m):
                left //= s
            left = max(left, 1)
            modes.append(m)
        return tuple(modes)

    def like(self, shape, values):
        """The tuple `shape` with its leaves replaced in order."""
        if isinstance(shape, tuple):
            return tuple(self.like(m, values) for m in shape)
        return values.pop(0)

    def layout(self, most=96, negative=False):
        shape = self.shape(most)
        flat = leaves(shape)
        order = list(range(len(flat)))
        if self.r.random() < 0.5:
            self.r.shuffle(order)
        stride, run = [0] * len(flat), 1
        kind = self.r.random()
        for k in order:
            if kind > 0.6 and self.r.random() < 0.3:
                run *= self.r.choice([2, 3])
            stride[k] = run if kind < 0.85 or self.r.random() < 0.5 else self.r.randrange(0, 24)
            if kind > 0.6 and self.r.random() < 0.1:
                stride[k] = 0
            if negative and self.r.random() < 0.2:
                stride[k] = -stride[k]
            run *= flat[k]
        return tl.Layout(shape, self.like(shape, stride))

    def tile(self, n):
        s = self.r.choice([d for d in range(1, n + 1) if n % d == 0]) if self.r.random() < 0.8 else \
            self.r.randrange(1, n + 1)
        d = self.r.choice([1, 1, 2, 3, 4])
        if s % 2 == 0 and s > 2 and self.r.random() < 0.3:
            return tl.Layout((2, s // 2), (d * (s // 2), d))
        return tl.Layout(s, d)

    def tiler(self, layout):
        """A tuple of tile sizes, as many as there are modes or fewer."""
        rank = len(layout.shape) if isinstance(layout.shape, tuple) else 1
        tiles = []
        for k in range(self.r.randrange(1, rank + 1)):
            mode = layout.shape[k] if isinstance(layout.shape, tuple) else layout.shape
            n = 1
            for s in leaves(mode):
                n *= s
            tiles.append(self.r.choice([d for d in range(1, n + 1) if n % d == 0]))
        return tuple(tiles)


# What a result must be: predicates on plain lists of offsets, None where they do not say.

def is_composition(a, b):
    def right(r):
        return size(r) == size(b) and all(at(r, i) == at(a, at(b, i)) for i in range(size(b)))
    return right


def is_same_function(a):
    return lambda r: offsets(r) == offsets(a)


def places(b, n):
    """Where copies of B begin that fill an interval from 0 to n or a little more; None when none do."""
    tile, taken, begin, front = offsets(b), set(), [], 0
    while front < n or front <= max(taken):
        copy = {front + x for x in tile}
        if copy & taken or len(copy) != len(tile) or front > 4 * n + 4 * max(tile):
            return None
        taken |= copy
        begin.append(front)
        while front in taken:
            front += 1
    return begin


def is_divide(a, b):
    """R(i, j) = A(B(i) + place j), also past the end of A."""
    def right(r):
        begin = places(b, size(a))
        return begin is not None and offsets(r) == [at(a, x + y) for y in begin for x in offsets(b)]
    return right


def is_divide_by(name, a, t):
    """The tiles where the form has them, the same elements as A."""
    def right(r):
        parts = [mode(a, k) for k in range(len(t))]
        if name == "logical_divide":
            tiles = [mode(mode(r, k), 0) for k in range(len(t))]
        elif name == "flat_divide":
            tiles = [mode(r, k) for k in range(len(t))]
        else:
            tiles = [mode(mode(r, 0), k) for k in range(len(t))]
        for part, tile, n in zip(parts, tiles, t):
            if offsets(tile) != [at(part, i) for i in range(n)]:
                return False
        return collections.Counter(offsets(r)) == collections.Counter(offsets(a))
    return right


def do_not_meet(a, b, got):
    """Whether the copies in a product reach no offset twice, where neither operand does (repetition by
    stride 0 aside)."""
    zeros = 1
    for s, d in zip(leaves(a.shape), leaves(a.stride)):
        zeros *= s if d == 0 else 1
    if len(set(offsets(a))) * zeros != size(a) or len(set(offsets(b))) != size(b):
        return True
    return len(set(got)) * zeros == len(got)


def is_product(a, b):
    def right(r):
        n = size(a)
        got = offsets(r)
        if got[:n] != offsets(a) or len(got) != n * size(b):
            return False
        if any(got[n * j + i] != got[i] + got[n * j] for j in range(size(b)) for i in range(n)):
            return False
        return do_not_meet(a, b, got)
    return right


def is_zip_product(a, b):
    def right(r):
        got = offsets(r)
        return len(got) == size(a) * size(b) and set(offsets(a)) <= set(got) and do_not_meet(a, b, got)
    return right


def is_complement(a, n):
    def right(r):
        moving = sorted(set(offsets(a)))
        repeats = 1
        for s, d in zip(leaves(a.shape), leaves(a.stride)):
            repeats *= s if d == 0 else 1
        if len(moving) * repeats != size(a):
            return False
        got = offsets(r)
        reached = {x + y for x in moving for y in got}
        return got == sorted(set(got)) and len(reached) == len(moving) * len(got) and len(reached) >= n
    return right


def is_right_inverse(a):
    return lambda r: all(0 <= at(r, i) < size(a) and at(a, at(r, i)) == i for i in range(size(r)))


def is_left_inverse(a):
    return lambda r: all(at(a, at(r, at(a, i))) == at(a, i) for i in range(size(a)))


def is_nullspace(a):
    def right(r):
        zeros = 1
        for s, d in zip(leaves(a.shape), leaves(a.stride)):
            zeros *= s if d == 0 else 1
        return size(r) == zeros and all(at(a, x) == 0 for x in offsets(r))
    return right


def is_upcast(a, n):
    """The new elements that are touched are those that the old ones lie in, and each leaf shrinks by a
    whole step."""
    def right(r):
        if not all(s % t == 0 or s == 1 or t == 1 for s, t in zip(leaves(a.shape), leaves(r.shape))):
            return False
        steps = [s // t for s, t in zip(leaves(a.shape), leaves(r.shape))]
        for i in range(size(a)):
            rest, total = i, 0
            for s, step, d in zip(leaves(a.shape), steps, leaves(r.stride)):
                total += rest % s // step * d
                rest //= s
            if total != at(a, i) // n:
                return False
        return True
    return right


def is_downcast(a, n):
    """Each old element becomes its n parts."""
    def right(r):
        parts = sorted(n * x + j for x in offsets(a) for j in range(n))
        return sorted(offsets(r)) == parts
    return right


def is_common(a, b):
    def right(r):
        return all(at(a, at(r, i)) == i and at(b, at(r, i)) == i for i in range(size(r)))
    return right


def cases(rounds, rng):
    """(operation, expression, what the package does, predicate, operands) without end."""
    for _ in range(rounds):
        a, b, c = rng.layout(negative=rng.r.random() < 0.1), rng.layout(24), rng.layout(24)
        t, n = rng.tile(size(a)), rng.r.choice([1, 2, 3, 4, 8])
        tiler = rng.tiler(a)
        yield "composition", f"composition({show(a)}, {show(t)})", lambda: tl.compose(a, t), is_composition(a, t)
        yield "composition", f"composition({show(a)}, {show(b)})", lambda: tl.compose(a, b), is_composition(a, b)
        yield "coalesce", f"coalesce({show(a)})", lambda: tl.coalesce(a), is_same_function(a)
        bound = rng.r.randrange(1, 80)
        yield "complement", f"complement({show(b)}, {bound})", lambda: tl.complement(b, bound), is_complement(b, bound)
        yield "right_inverse", f"right_inverse({show(b)})", lambda: tl.right_inverse(b), is_right_inverse(b)
        yield "left_inverse", f"left_inverse({show(b)})", lambda: tl.left_inverse(b), is_left_inverse(b)
        yield "nullspace", f"nullspace({show(a)})", lambda: tl.nullspace(a), is_nullspace(a)
        yield "logical_divide", f"logical_divide({show(a)}, {show(t)})", lambda: tl.logical_divide(a, t), is_divide(a, t)
        if isinstance(a.shape, tuple):
            for name in ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"):
                yield name, f"{name}({show(a)}, {text(tiler)})", \
                    lambda name=name: getattr(tl, name)(a, tiler), is_divide_by(name, a, tiler)
        yield "logical_product", f"logical_product({show(b)}, {show(c)})", lambda: tl.logical_product(b, c), is_product(b, c)
        yield "tiled_product", f"tiled_product({show(b)}, {show(c)})", lambda: tl.tiled_product(b, c), is_product(b, c)
        yield "flat_product", f"flat_product({show(b)}, {show(c)})", lambda: tl.flat_product(b, c), is_product(b, c)
        yield "blocked_product", f"blocked_product({show(b)}, {show(c)})", lambda: tl.blocked_product(b, c), is_zip_product(b, c)
        yield "raked_product", f"raked_product({show(b)}, {show(c)})", lambda: tl.raked_product(b, c), is_zip_product(b, c)
        yield "upcast", f"upcast({show(b)}, {n})", lambda: tl.upcast(b, n), is_upcast(b, n)
        yield "downcast", f"downcast({show(b)}, {n})", lambda: tl.downcast(b, n), is_downcast(b, n)
        yield "max_common_layout", f"max_common_layout({show(b)}, {show(c)})", \
            lambda: tl.max_common_layout(b, c), is_common(b, c)
        # Integers, tuples and truths must agree; two have a definition to look at where they do not.
        i = rng.r.randrange(size(a))
        for expression, compute, *right in (
                (f"size({show(a)})", lambda: tl.size(a)),
                (f"rank({text(a.shape)})", lambda: len(a.shape) if isinstance(a.shape, tuple) else 1),
                (f"depth({text(a.shape)})", lambda: tl.depth(a.shape)),
                (f"idx2crd({i}, {text(a.shape)})", lambda: tl.idx2crd(i, a.shape)),
                (f"crd2idx({text(tl.idx2crd(i, a.shape))}, {show(a)})", lambda: a(i)),
                (f"congruent({text(b.shape)}, {text(c.shape)})", lambda: tl.congruent(b.shape, c.shape)),
                (f"weakly_congruent({text(b.shape)}, {text(c.shape)})", lambda: tl.weakly_congruent(b.shape, c.shape)),
                (f"compatible({text(b.shape)}, {text(c.shape)})", lambda: tl.compatible(b.shape, c.shape),
                 lambda x, b=b, c=c: (x == "true") == compatible(b.shape, c.shape)),
                (f"shape_div({text(b.shape)}, {n})", lambda: tl.shape_div(b.shape, n)),
                (f"flatten({text(b.shape)})", lambda: tl.flatten(b.shape)),
                (f"max_common_vector({show(b)}, {show(c)})", lambda: tl.max_common_vector(b, c),
                 lambda x, b=b, c=c: 1 <= int(x) <= common_run(b, c)),
                (f"Sw<3,2,3>({i})", lambda: tl.Swizzle(3, 2, 3)(i)),
        ):
            yield "value", expression, compute, right[0] if right else None


def ours(cutlet, expressions):
    """What cutlet says: a text, a layout, or None for a refusal."""
    out = subprocess.run([cutlet, "eval", "--json", *expressions], capture_output=True, text=True, check=False)
    results = []
    for line in out.stdout.splitlines():
        o = json.loads(line)
        if "error" in o:
            results.append(None if o["error"]["status"] != "unreadable" else "unreadable: " + line)
        elif o.get("kind") == "layout":
            tuples = lambda t: tuple(tuples(m) for m in t) if isinstance(t, list) else t
            results.append(tl.Layout(tuples(o["shape"]), tuples(o["stride"])))
        else:
            results.append(o["text"])
    if len(results) != len(expressions):
        sys.exit(f"cutlet gave {len(results)} results for {len(expressions)} expressions:\n{out.stderr[-500:]}")
    return results


def theirs(compute):
    """What the package says: a layout, a text, or None where it raises or leaves a composition."""
    try:
        r = compute()
    except (ValueError, TypeError, IndexError, ZeroDivisionError, NotImplementedError):
        return None
    if isinstance(r, tl.Layout):
        return r
    if isinstance(r, tl.ComposedLayout):
        return None
    return ("true" if r else "false") if isinstance(r, bool) else text(r)


PRODUCTS = {"logical_product", "tiled_product", "flat_product"}


def has_places(expression):
    """Whether the block of a product, the first operand, can be repeated: whether its modes, the smallest
    stride first, each begin beyond the extent of those before."""
    shape, stride = (leaves(eval(t.replace(")", ",)").replace("(,)", "()"))) if "(" in t else [int(t)]
                     for t in expression[expression.index("(") + 1:].split(", ")[0].split(":"))
    extent = 1
    for d, s in sorted(zip(map(abs, stride), shape)):
        if d != 0 and s > 1:
            if d < extent:
                return False
            extent = d * s
    return True


def explain(operation, expression, mine, other, right):
    """The key of EXPLAINED that a pair of results falls under, or None."""
    name = lambda r: show(r) if isinstance(r, tl.Layout) else r
    if name(mine) == name(other):
        return "both refuse" if mine is None else "both"
    if right is None:
        return None
    if mine is None:
        if not right(other):
            return "refused where the package is wrong"
        if operation in PRODUCTS and not has_places(expression):
            return "no places"
        return {"complement": "gaps", "left_inverse": "no promise", "blocked_product": "other places",
                "raked_product": "other places", "upcast": "part of an element"}.get(operation)
    if not right(mine):
        return None
    if other is None:
        return "exact where the package refuses"
    if not right(other):
        return "right where the package is wrong"
    if expression.startswith("max_common"):
        return "past the end"
    if isinstance(mine, str):
        return None
    if offsets(mine) == offsets(other):
        return "same function"
    if operation in ("blocked_product", "raked_product"):
        return "other places"
    return "largest" if operation in ("right_inverse", "left_inverse") else None


def main():
    cutlet = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    seed = int(os.environ.get("CUTLET_SEED") or 1)
    print(f"seed {seed} (set CUTLET_SEED to change it), tensor-layouts against {cutlet}")
    rng = Random(seed)
    found, unexplained, batch = collections.Counter(), [], []
    rows = []
    for operation, expression, compute, right in cases(rounds, rng):
        rows.append((operation, expression, theirs(compute), right))
    for start in range(0, len(rows), 500):
        batch = rows[start:start + 500]
        for (operation, expression, other, right), mine in zip(batch, ours(cutlet, [b[1] for b in batch])):
            key = explain(operation, expression, mine, other, right)
            found[key] += 1
            if key is None:
                unexplained.append((expression, mine, other))
    for key, count in found.most_common():
        if key is not None:
            print(f"{count:6}  {key}: {EXPLAINED[key]}")
    for expression, mine, other in unexplained[:20]:
        name = lambda r: "refused" if r is None else show(r) if isinstance(r, tl.Layout) else r
        print(f"not explained: {expression}\n    cutlet {name(mine)}\n    package {name(other)}")
    passed = sum(found.values()) - len(unexplained)
    print(f"{passed} passed, {len(unexplained)} failed")
    return 1 if unexplained or found["both"] < len(rows) // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
