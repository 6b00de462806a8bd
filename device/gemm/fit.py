#!/usr/bin/env python3
"""The constants of gemm_wgmma_costs in wgmma_host.h, fitted to times of bench/gemm/gemm.py --variants.

    fit.py VARIANTS.. [--check VARIANTS]

A form's time is launch + waves (tile + steps step) ns, with a step of its own for one wave, and at least the time that
memory or L2 takes. The rates are searched, by how near the choices come. Prints a row of constants for
each form, and how near the choice comes to the fastest variant: of the shapes that were fitted, and of those of --check.
"""

import argparse
import os
import re
import statistics

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "wgmma_args.h"), encoding="utf-8") as header:
    SHAPES = [tuple(map(int, form)) for form in re.findall(r"FORM\((\d+), (\d+), (\d+)\)", header.read())]
PROCESSORS = 132
#: ns and bytes a ns: to launch the sums or the copy of D, and their rate; memory's rate, L2's of what it holds, and
#: L2's of what tiles load; L2's bytes.
RATES = {"after": 2500, "elems": 2000, "read": 4000, "read_l2": 5500, "loads": 7000, "l2": 30e6}


def read(files):
    """{problem: {(form, splits): ns}}"""
    found = {}
    for file in files:
        for line in open(file, encoding="utf-8"):
            kind, m, n, k, batch, rate, what = line.rstrip("\n").split("\t")
            extent = int(m), int(n), int(k), int(batch)
            rows, columns, cluster, splits = map(int, re.findall(r"\d+", what)[:4])
            if (rows, columns, cluster) not in SHAPES:
                continue
            time = 2e-3 * extent[0] * extent[1] * extent[2] * extent[3] / float(rate)
            found.setdefault((kind, *extent), {})[SHAPES.index((rows, columns, cluster)), splits] = time
    return found


def work(problem, form, splits):
    """The waves of a form, the steps of a block's tile, the least ns for memory and L2, and those of what follows."""
    kind, m, n, k, batch = problem
    rows, columns, cluster = SHAPES[form]
    size = 1 if kind == "e4m3" else 2
    tall, wide = (n, m) if columns < 64 else (m, n)
    tiles = -(-tall // (64 if rows == 64 else rows * cluster)) * -(-wide // columns) * batch * splits
    waves = -(-tiles // (PROCESSORS // cluster)) if rows == 128 else -(-tiles * cluster // PROCESSORS)
    steps = -(-(-(-k * size // 128)) // (splits * (cluster if rows == 64 else 1)))
    again = -(-m // columns) if columns < 64 else 1  # few rows: each tile of them reads all of B
    read_bytes = (m + n * again) * k * size * batch + 2 * m * n * batch
    memory = read_bytes / RATES["read_l2" if read_bytes < RATES["l2"] else "read"]
    lines = min(rows, tall) + min(columns, wide) / (cluster if rows == 128 else 1)
    loads = tiles * cluster * steps * lines * 128 / RATES["loads"]
    after = RATES["after"] + m * n * batch * (4 * splits + 2 if splits > 1 else 4) / RATES["elems"]
    has_after = splits > 1 or rows == 128 and n % 8 != 0  # sums, or a D that is copied
    return waves, steps, max(memory, loads), after if has_after else 0


def features(waves, steps):
    return [1, waves, steps if waves == 1 else 0, waves * steps if waves > 1 else 0]


def nonnegative(rows, right):
    """The least squares solution without negative elements, by coordinates."""
    of, x = range(len(rows[0])), [0.0] * len(rows[0])
    gram = [[sum(r[i] * r[j] for r in rows) for j in of] for i in of]
    aim = [sum(r[i] * b for r, b in zip(rows, right)) for i in of]
    for _ in range(500):
        for i in of:
            if gram[i][i]:
                x[i] = max(0.0, x[i] + (aim[i] - sum(gram[i][j] * x[j] for j in of)) / gram[i][i])
    return x


def fit(data):
    """A row of constants for each form."""
    table = []
    for form in range(len(SHAPES)):
        rows, right = [], []
        for problem, times in data.items():
            for (of, splits), time in times.items():
                waves, steps, memory, after = work(problem, of, splits)
                if of == form and splits == 1 and time > 1.3 * memory and problem[2] % 8 == 0:
                    rows.append([x / time for x in features(waves, steps)])
                    right.append(1 - after / time)
        table.append(nonnegative(rows, right))
    return table


def estimate(table, problem, form, splits):
    waves, steps, memory, after = work(problem, form, splits)
    work_ns = sum(a * b for a, b in zip(table[form], features(waves, steps)))
    return max(work_ns, table[form][0] + table[form][1] + memory) + after


def chosen_and_best(table, times, problem):
    """The variant that has the least estimate, and the fastest one."""
    return min(times, key=lambda v: estimate(table, problem, *v)), min(times, key=times.get)


def search(data):
    """Improves RATES one after the other, by the mean of chosen over best."""
    def loss():
        table, all_of = fit(data), []
        for problem, times in data.items():
            chosen, best = chosen_and_best(table, times, problem)
            all_of.append(times[chosen] / times[best])
        return statistics.geometric_mean(all_of)
    least = loss()
    for name in [*RATES] * 2:
        for factor in (0.7, 0.85, 1.15, 1.4):
            kept = RATES[name]
            RATES[name] = kept * factor
            found = loss()
            if found < least: least = found
            else: RATES[name] = kept


def check(table, data, what):
    """Prints how near the choices come."""
    ratios = []
    for problem, times in data.items():
        chosen, best = chosen_and_best(table, times, problem)
        ratios.append(times[best] / times[chosen])
        if ratios[-1] < 0.97:
            print(f"  {problem}: chosen {SHAPES[chosen[0]]} {chosen[1]} {times[chosen]:.0f} ns, "
                  f"fastest {SHAPES[best[0]]} {best[1]} {times[best]:.0f} ns")
    print(f"{what}: {len(ratios)} shapes, mean {statistics.geometric_mean(ratios):.4f}, least {min(ratios):.3f}, "
          f"within 3 per cent {sum(r >= 0.97 for r in ratios)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="+")
    parser.add_argument("--check")
    args = parser.parse_args()
    data = read(args.variants)
    search(data)
    table = fit(data)
    print({name: round(rate) for name, rate in RATES.items()})
    for row, shape in zip(table, SHAPES):
        print("{" + ", ".join(f"{x:.0f}" for x in row) + "}, /* " + "x".join(map(str, shape)) + " */")
    check(table, data, "fitted")
    if args.check:
        check(table, read([args.check]), "fresh")


if __name__ == "__main__":
    main()
