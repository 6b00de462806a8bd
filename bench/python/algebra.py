#!/usr/bin/env python3
"""The Python package beside tensor-layouts: the same operations, the time of one call in nanoseconds.

    algebra.py [--write FILE]      FILE: bench/data/python_algebra.tsv

Needs cutlet and tensor-layouts in one environment. Each result is compared first. Then both are timed in
turn for a millisecond each, and the least of the rounds counts: other programs only add to it. Where an
operation takes no longer than a call, a third is timed with them: a call of the same kind that does nothing
(`empty`). `bound` is the ratio that it would have, the highest that an operation can reach.

A value of cutlet keeps its hash, shape, stride and text once they were asked for; tensor-layouts keeps its
shape and stride. Rows "first" make a new layout for each call, and subtract the time of making it.

The last row is the import, each in a process of its own, the least of some.
"""

import subprocess
import sys
import timeit

import pycutlet
import tensor_layouts

ROUNDS, IMPORTS = 61, 15

# (name, cutlet, tensor-layouts, a call of the kind that does nothing): expressions of what setup() made.
OPERATIONS = [
    ("make a layout", "Layout((4, 8), (8, 1))", "Layout((4, 8), (8, 1))", ""),
    ("offset of a coordinate", "L(2, 3)", "L(2, 3)", ""),
    ("offset of an index", "L(5)", "L(5)", ""),
    ("coalesce", "coalesce(N)", "coalesce(N)", ""),
    ("composition", "composition(A, B)", "compose(A, B)", ""),
    ("complement", "complement(B, 24)", "complement(B, 24)", ""),
    ("right_inverse", "right_inverse(L)", "right_inverse(L)", ""),
    ("left_inverse", "left_inverse(L)", "left_inverse(L)", ""),
    ("logical_divide", "logical_divide(L, T)", "logical_divide(L, T)", ""),
    ("zipped_divide", "zipped_divide(L, T)", "zipped_divide(L, T)", ""),
    ("logical_product", "logical_product(L, P)", "logical_product(L, P)", ""),
    ("flatten", "flatten(N)", "flatten(N)", ""),
    ("cosize", "cosize(L)", "cosize(L)", "callable(L)"),
    ("size", "size(L)", "size(L)", "callable(L)"),
    ("rank", "rank(L)", "rank(L)", "callable(L)"),
    ("shape", "L.shape", "L.shape", "SLICE.stop"),
    ("write as text", "str(L)", "str(L)", "str('')"),
    ("write as repr", "repr(L)", "repr(L)", "repr(True)"),
    ("compare", "L == A", "L == A", "B0 == B1"),
    ("hash", "hash(L)", "hash(L)", "hash(None)"),
]

# What values keep, asked of a new one.
FIRST = [
    ("write as text, first", "str({})"),
    ("write as repr, first", "repr({})"),
    ("hash, first", "hash({})"),
]
MAKE = "Layout((4, 8), (8, 1))"


def setup(module):
    names = {name: getattr(module, name) for name in dir(module) if not name.startswith("__")}
    make = names["Layout"]
    names.update(L=make((4, 8), (8, 1)), N=make(((2, 2), (2, 4)), ((1, 2), (4, 8))), A=make((6, 2), (8, 2)),
                 B=make((4, 3), (3, 1)), P=make(3, 1), T=(make(2, 1), make(4, 1)))
    return names


#: What the calls that do nothing are of.
EMPTY = {"L": 1, "SLICE": slice(1), "B0": b"0", "B1": b"1"}


def plain(value):
    """A result in terms that both have."""
    if hasattr(value, "shape"):
        return plain(value.shape), plain(value.stride)
    if isinstance(value, (tuple, list)):
        return tuple(map(plain, value))
    return value


def import_ms(name):
    """The milliseconds of an import, in a process that has only started."""
    code = f"import time; t = time.perf_counter(); import {name}; print((time.perf_counter() - t) * 1e3)"
    return float(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout)


def times_of(timers):
    """The least nanoseconds of each of some timers, which take turns."""
    numbers = [max(1, int(0.001 / min(timer.repeat(5, 20)) * 20)) for timer in timers]
    times = [[] for _ in timers]
    for _ in range(ROUNDS):
        for timer, number, found in zip(timers, numbers, times):
            found.append(timer.timeit(number) / number * 1e9)
    return list(map(min, times))


def main():
    ours, theirs = setup(pycutlet), setup(tensor_layouts)
    rows = []
    for name, mine, other, empty in OPERATIONS:
        if name not in ("hash", "write as text", "write as repr"):
            a, b = plain(eval(mine, ours)), plain(eval(other, theirs))
            if a != b:
                sys.exit(f"{name}: cutlet gives {a}, tensor-layouts {b}")
        timers = [timeit.Timer(mine, globals=ours), timeit.Timer(other, globals=theirs)]
        rows.append((name, *times_of(timers + [timeit.Timer(empty, globals=EMPTY)] * bool(empty))))
    for name, form in FIRST:
        timers = [timeit.Timer(text, globals=names) for names in (ours, theirs) for text in (form.format(MAKE), MAKE)]
        both, make, other_both, other_make = times_of(timers)
        rows.append((name, both - make, other_both - other_make))
    lines = ["# bench/python/algebra.py: nanoseconds of a call, the least of %d rounds; Python %s, tensor-layouts %s" % (
        ROUNDS, sys.version.split()[0], tensor_layouts.__version__),
        "operation\tcutlet\ttensor_layouts\tratio\tempty\tbound"]
    for name, a, b, *empty in rows:
        bound = [f"{empty[0]:.0f}", f"{b / empty[0]:.1f}"] if empty else ["", ""]
        lines.append("\t".join([name, f"{a:.0f}", f"{b:.0f}", f"{b / a:.1f}", *bound]))
    loads = [[import_ms(name) for _ in range(IMPORTS)] for name in ("pycutlet", "tensor_layouts")]
    a, b = map(min, loads)
    lines.append(f"import, ms\t{a:.1f}\t{b:.1f}\t{b / a:.1f}\t\t")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if sys.argv[1:2] == ["--write"]:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
