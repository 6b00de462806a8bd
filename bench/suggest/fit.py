#!/usr/bin/env python3
"""The constants of the estimate in src/suggest/cycles.c, fitted to the times of candidates.

    fit.py CUTLET RESULTS.tsv...

The passes of the load-store unit are those that CUTLET counts. Three constants are looked for on a
grid: the cycles of memory for a sector, the exponent by which the two times are joined, and the
cycles of a cp.async.ca that nothing hides. The clock is whatever fits. Least squares of the
logarithms of times, each problem alike and fast candidates more; then once for each problem, fitted
to the others alone: what the choice would be for a problem that was never measured. Minutes.
"""

import itertools
import math
import statistics
import sys

import cases
import order

SECTOR = (1.6, 1.8, 2.0, 2.2, 2.4)
EXPONENT = (2, 3, 4, 5, 6, 8)
ASYNC = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
OURS = (2.2, 4, 0.3)  # cycles.c
SLOWEST = 1.5         # times of the fastest: slower candidates are left out of the fit


def asyncs(problem, candidate):
    """The instructions cp.async.ca of a candidate."""
    if candidate["in"]["atom"] != "cp_async_ca":
        return 0
    m, n = problem[4]
    reads = m * n * cases.ELEM[problem[0]] * 8 // candidate["read_bits"] // 32
    return candidate["cost"]["instructions"] - reads


def samples(cutlet, problem, rows):
    """(us, least sectors, passes, cp.async.ca, tiles, counts) of each that was measured."""
    m, n = problem[4]
    lines, length, _ = cases.extents(problem)
    tiles = lines * length // (m * n)
    found = {cases.text_of(c): c for c in cases.ask(cutlet, problem, "--top", "0")}
    least = min(c["cost"]["sectors"] for c in found.values())
    for row in rows:
        c = found[row["about"]]
        cost = c["cost"]
        counts = (cost["sectors"], cost["instructions"], cost["wavefronts"], cost["shared_bytes"])
        yield (float(row["us"]), least, c["passes"], asyncs(problem, c), tiles, counts)


def cycles(constants, sample):
    sector, exponent, each = constants
    _, least, passes, count, _, _ = sample
    return ((sector * least) ** exponent + passes ** exponent) ** (1 / exponent) + each * count


def residuals(constants, problem):
    """(weight, logarithm of estimate over time), the weights adding up to about 1."""
    fastest = min(s[0] for s in problem)
    near = [s for s in problem if s[0] < SLOWEST * fastest]
    return [((fastest / s[0]) ** 2 / len(near), math.log(cycles(constants, s) * s[4] / s[0]))
            for s in near]


def error(problems):
    """The mean square that is left when the clock fits best."""
    all_of = list(itertools.chain(*problems))
    weight = sum(w for w, _ in all_of)
    mean = sum(w * r for w, r in all_of) / weight
    return sum(w * min(abs(r - mean), 0.15) ** 2 for w, r in all_of) / weight


def choice(constants, problem):
    """The fastest time over that of the first in the order."""
    first = min(problem, key=lambda s: (round(cycles(constants, s)), s[5]))
    return min(s[0] for s in problem) / first[0]


def say(what, ratios):
    print(f"{what:28} {statistics.mean(ratios):.3f} in the mean, {min(ratios):.3f} at worst")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    measured = order.read(sys.argv[2:])
    problems = [list(samples(sys.argv[1], p, measured[cases.name_of(p)])) for p in cases.PROBLEMS]
    grid = list(itertools.product(SECTOR, EXPONENT, ASYNC))
    left = {g: [residuals(g, p) for p in problems] for g in grid}
    best = min(grid, key=lambda g: error(left[g]))
    print(f"sector {best[0]}, exponent {best[1]}, cp.async.ca {best[2]}: "
          f"error {math.sqrt(error(left[best])):.3f}; as cycles.c has them, {OURS}: "
          f"{math.sqrt(error(left[OURS])):.3f}")
    say("fitted to all", [choice(best, p) for p in problems])
    say("as cycles.c has them", [choice(OURS, p) for p in problems])
    ratios = []
    for i, problem in enumerate(problems):
        others = min(grid, key=lambda g: error(left[g][:i] + left[g][i + 1:]))
        ratios.append(choice(others, problem))
        print(f"  {cases.name_of(cases.PROBLEMS[i]):34} fitted to the others {others}: "
              f"{ratios[-1]:.3f}")
    say("each fitted to the others", ratios)


if __name__ == "__main__":
    main()
