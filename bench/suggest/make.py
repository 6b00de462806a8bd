#!/usr/bin/env python3
"""Does the first choice of `cutlet suggest` win on a GPU? Writes and builds the programs that tell.

    make.py CUTLET FOLDER [--only NAME] [--count 220] [--check] [--nvcc nvcc]

For each problem a source with `count` candidates: the first choice, those after it, the best by
each instruction, and the spread from best to worst. --check compiles them for the CPU instead and
runs them there. Otherwise nvcc makes programs that need the driver only; run them all,

    for p in FOLDER/*.gpu; do $p; done >h200_suggest.tsv

and print the table by order.py.
"""

import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BYTES = 512 << 20
ELEM = {"half": 2, "float": 4, "double": 8, "int8": 1}
READS = ["rows", "cols", "ldmatrix", "ldmatrix.trans"]  # as the enumeration in tile_copy.h
KINDS = {"universal": "UNIVERSAL", "cp_async_ca": "CP_ASYNC_CA", "cp_async_cg": "CP_ASYNC_CG"}

# type, the order of the source, its lines' length and padding in elements, tile, threads, read
PROBLEMS = [
    ("half", "row", 8192, 0, (128, 64), 128, "ldmatrix"),
    ("half", "row", 8192, 0, (64, 64), 128, "rows"),
    ("half", "row", 8192, 0, (64, 64), 128, "cols"),
    ("half", "row", 8192, 0, (128, 128), 256, "cols"),
    ("half", "col", 8192, 0, (128, 64), 128, "ldmatrix.trans"),
    ("half", "col", 8192, 0, (64, 64), 128, "ldmatrix"),
    ("half", "row", 8192, 4, (64, 64), 128, "ldmatrix"),
    ("float", "row", 8192, 0, (64, 64), 256, "cols"),
    ("float", "col", 8192, 0, (128, 64), 256, "rows"),
    ("double", "row", 4096, 0, (32, 64), 256, "cols"),
    ("int8", "row", 16384, 0, (128, 128), 128, "cols"),
    ("int8", "col", 16384, 0, (128, 64), 128, "cols"),
]


def name_of(problem):
    kind, order, _, pad, (m, n), threads, read = problem
    return f"{kind}_{order}{'_ld8' if pad else ''}_{m}x{n}_{threads}_{read.replace('.', '_')}"


def extents(problem):
    """Rows, columns and leading dimension of the source."""
    kind, order, length, pad, *_ = problem
    lines = BYTES // ELEM[kind] // length
    return (lines, length, length + pad) if order == "row" else (length, lines, length + pad)


def ask(cutlet, problem, *more):
    kind, order, _, _, (m, n), threads, read = problem
    rows, cols, ld = extents(problem)
    stride = f"({ld},1)" if order == "row" else f"(1,{ld})"
    command = [cutlet, "suggest", "--type", kind, "--tile", f"{m}x{n}", "--threads", str(threads),
               "--read", read, "--src", f"({rows},{cols}):{stride}", "--json", *more]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)["candidates"]


def text_of(c):
    return (f"thr {c['in']['thr']['text']} val {c['in']['val']['text']} {c['in']['atom']} "
            f"{c['in']['bits'] // 8} {c['shared']['text']} read {c['read_bits']}")


def evenly(items, n):
    """n of the items, from the first to the last."""
    if n <= 1 or len(items) <= n:
        return items[:max(n, 0)] if len(items) > n else items
    return [items[i * (len(items) - 1) // (n - 1)] for i in range(n)]


def choose(cutlet, problem, count):
    """The first choice first, then the others, each once."""
    top = ask(cutlet, problem, "--top", "24")
    spread = ask(cutlet, problem, "--all")
    more = ask(cutlet, problem, "--no-cp-async", "--top", "12")
    by_instruction, by_counts = {}, {}
    for c in spread:
        by_instruction.setdefault((c["in"]["atom"], c["in"]["bits"]), []).append(c)
        cost = c["cost"]
        by_counts.setdefault((cost["sectors"], cost["wavefronts"], cost["instructions"]), c)
    chosen = {}
    for c in top + more + [c for best in by_instruction.values() for c in best[:10]]:
        chosen.setdefault(text_of(c), c)
    for pool in (list(by_counts.values()), spread, ask(cutlet, problem, "--top", str(4 * count))):
        wanted = count - len(chosen)
        fresh = [c for c in pool if text_of(c) not in chosen]
        if pool is not spread and len(fresh) > wanted:
            wanted = wanted * 3 // 4  # leaves some for the next pool
        for c in evenly(fresh, wanted):
            chosen.setdefault(text_of(c), c)
    return list(chosen.values())


def instance(problem, c):
    """The candidate as arguments of the template."""
    elem = ELEM[problem[0]] * 8
    thr, val, copy = c["in"]["thr"], c["in"]["val"], c["in"]
    run = copy["bits"] // elem
    # values along n come first where the value layout is row-major; a single one runs along either
    along_n = val["stride"][1] == 1 if max(val["shape"]) > 1 else False
    times = [val["shape"][0] // (1 if along_n else run), val["shape"][1] // (run if along_n else 1)]
    row = int(thr["stride"][1] == 1 or thr["shape"][1] == 1)
    bits, base, shift = c["shared"]["swizzle"]
    layout = c["shared"]["layout"]
    s_row = int(layout["stride"][1] == 1)
    ld = layout["stride"][0 if s_row else 1]
    cost = c["cost"]
    numbers = [*thr["shape"], row, *times, int(along_n), run, KINDS[copy["atom"]], s_row, ld, bits,
               base, shift, cost["shared_bytes"], c["read_bits"] // elem]
    counts = "\\t".join(f"{cost[k]:.10g}"
                        for k in ("sectors", "wavefronts", "instructions", "shared_bytes"))
    return (f"    make<candidate<{', '.join(map(str, numbers))}>>(\n        \"{counts}\", "
            f"\"{text_of(c)}\"),\n")


def source(problem, candidates):
    kind, order, _, _, (m, n), threads, read = problem
    rows, cols, ld = extents(problem)
    return (f"// {name_of(problem)}: written by make.py\n"
            f"#define PROBLEM \"{name_of(problem)}\"\n"
            f"constexpr int ELEM = {ELEM[kind]}, TILE_M = {m}, TILE_N = {n}, "
            f"THREADS = {threads}, SRC_ROW = {int(order == 'row')},\n"
            f"              LD = {ld}, ROWS_TOTAL = {rows}, COLS_TOTAL = {cols}, "
            f"READ = {READS.index(read)};\n"
            "#ifdef __CUDACC__\n#include \"gpu.h\"\n#else\n#include \"cpu.h\"\n#endif\n\n"
            "int main()\n{\n    return run_all({\n" +
            "".join("    " + instance(problem, c).replace("\n    ", "\n        ")
                    for c in candidates) +
            "    });\n}\n")


def build(args, name, path):
    program = os.path.join(args.folder, name + (".cpu" if args.check else ".gpu"))
    compiler = (["c++", "-std=c++17", "-O1", "-x", "c++", "-Wno-unknown-pragmas"] if args.check else
                [args.nvcc, "-std=c++17", "-arch=sm_90", "-O3", "-cudart", "static"])
    subprocess.run([*compiler, "-I", HERE, "-o", program, path], check=True)
    if args.check:
        subprocess.run([program], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cutlet")
    parser.add_argument("folder")
    parser.add_argument("--only", default="")
    parser.add_argument("--count", type=int, default=220)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--nvcc", default="nvcc")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    for problem in PROBLEMS:
        name = name_of(problem)
        if args.only not in name:
            continue
        candidates = choose(args.cutlet, problem, args.count)
        path = os.path.join(args.folder, name + ".cu")
        with open(path, "w", encoding="utf-8") as out:
            out.write(source(problem, candidates))
        print(f"{name}: {len(candidates)} candidates", file=sys.stderr)
        build(args, name, path)


if __name__ == "__main__":
    main()
