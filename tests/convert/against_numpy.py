#!/usr/bin/env python3
"""Conversions of strides against NumPy: what an array views in memory is where the layout says.

    against_numpy.py LIBRARY
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../support")]
import library as lib
import tap

import numpy as np

TYPES = ("uint16", "float32", "float64", "int32")


def viewed(text):
    """The element of a buffer that each index of an array has, mode 0 fastest."""
    call = eval(f"dict({text})", {"dict": dict})
    size = call.pop("itemsize")
    buffer = np.arange(4096, dtype=f"u{size}")
    array = np.ndarray(dtype=buffer.dtype, buffer=buffer, **call)
    return array.ravel(order="F").tolist()


def to_numpy(report, library, rng, cases):
    wrong, done = [], 0
    for _ in range(cases):
        layout = lib.random_strided(rng) if rng.random() < 0.6 else lib.random_layout(rng)
        if rng.random() < 0.2:
            layout = f"{rng.randrange(1, 30)}@{layout}"
        bits = rng.choice([16, 32, 64])
        try:
            text = library.convert(layout, "numpy", bits=bits)
        except lib.Refused as reason:
            _, _, shape, stride = lib.parse(layout)
            found = lib.offsets(layout)
            run = [1]
            for n in lib.modes(shape):
                run.append(run[-1] * n)
            steps = [found[r] - found[0] if n > 1 else 0 for r, n in zip(run, lib.modes(shape))]
            strided = lib.offsets(f"{found[0]}@{lib.spell(tuple(lib.modes(shape)))}:{lib.spell(tuple(steps))}") == found
            if strided or "no single stride" not in str(reason):
                wrong.append(f"{layout}: {reason}")
            continue
        done += 1
        if viewed(text) != lib.offsets(layout):
            wrong.append(f"{layout}: {text}")
        if not library.same(text, layout)[0]:
            wrong.append(f"{text} read back")
    report.check(f"{cases} random layouts in NumPy", not wrong and done > cases // 3,
                 f"{len(wrong)} wrong, {done} done\n" + "\n".join(wrong[:5]))


def from_numpy(report, library, rng, cases):
    """Arrays as NumPy makes them, by their own descriptions."""
    wrong = []
    for _ in range(cases):
        base = np.arange(2400, dtype=rng.choice(TYPES)).reshape(rng.choice([(40, 60), (10, 12, 20), (2400,), (4, 5, 6, 20)]))
        view = base
        if rng.random() < 0.5:
            view = view.transpose(rng.sample(range(view.ndim), view.ndim))
        view = view[tuple(slice(rng.randrange(3), None, rng.choice([1, 1, 2, 3, -1])) for _ in range(view.ndim))]
        if view.size == 0 or view.min() < 0:
            continue
        start = int(view[(0,) * view.ndim])
        interface = dict(view.__array_interface__)
        texts = [repr(interface), f"shape={view.shape}, strides={view.strides}, dtype={view.dtype}",
                 f"as_strided(x, shape={view.shape}, strides={view.strides}, itemsize={view.itemsize})"]
        for text in texts:
            layout = library.convert(text, "cutlet")
            got = [x + start for x in lib.offsets(layout)]
            if got != view.ravel(order="F").tolist():
                wrong.append(f"{text}: {layout}")
    report.check(f"{cases} views of arrays", not wrong, f"{len(wrong)} wrong\n" + "\n".join(wrong[:5]))


def main():
    if len(sys.argv) != 2:
        tap.die(__doc__)
    library = lib.Library(sys.argv[1])
    seed = int(os.environ.get("CUTLET_SEED", "21"))
    cases = int(os.environ.get("CUTLET_CASES", "2000" if tap.ALL else "300"))
    report = tap.Report()
    print(f"# seed {seed}", flush=True)
    to_numpy(report, library, random.Random(f"{seed} to"), cases)
    from_numpy(report, library, random.Random(f"{seed} from"), cases)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
