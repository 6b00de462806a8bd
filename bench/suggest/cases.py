"""The problems of docs/benchmarks.md by which the order of `cutlet suggest` is held to a GPU."""

import json
import subprocess
import sys

BYTES = 512 << 20
ELEM = {"half": 2, "float": 4, "double": 8, "int8": 1}

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


def answer(cutlet, problem, *more):
    """What `cutlet suggest` says of a problem."""
    kind, order, _, _, (m, n), threads, read = problem
    rows, cols, ld = extents(problem)
    stride = f"({ld},1)" if order == "row" else f"(1,{ld})"
    command = [cutlet, "suggest", "--type", kind, "--tile", f"{m}x{n}", "--threads", str(threads),
               "--read", read, "--src", f"({rows},{cols}):{stride}", "--json", *more]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE)
    if not done.stdout:  # it has said why; a candidate that was measured and is wrong has its row
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def ask(cutlet, problem, *more):
    return answer(cutlet, problem, *more)["candidates"]


def text_of(c):
    return (f"thr {c['in']['thr']['text']} val {c['in']['val']['text']} {c['in']['atom']} "
            f"{c['in']['bits'] // 8} {c['shared']['text']} read {c['read_bits']}")
