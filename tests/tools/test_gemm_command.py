#!/usr/bin/env python3
"""`cutlet gemm`: products of NumPy files on the CPU, the grid and a GPU, and what is refused.

    test_gemm_command.py CUTLET [FAKE_DRIVER]
"""

import math
import os
import random
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import npy_bytes
import tap

CODES = {"<f2": "e", "<f4": "f", "|i1": "b", "<i4": "i", "<f8": "d", ">f4": "f", "|V2": "f"}
RESULTS = {"<f2": "<f2", "|V2": "|V2", "<f4": "<f4", "|i1": "<i4"}
NAMES = {"<f2": "float16", "|V2": "bfloat16", "<f4": "float32", "|i1": "int8"}
TYPE = {"|V2": ["--type", "bfloat16"]}  # what has to be said of elements


def packed(descr, flat):
    """The bytes of numbers; of bfloat16 the upper halves of floats, which hold them exactly."""
    raw = struct.pack(f"{'>' if descr[0] == '>' else '<'}{len(flat)}{CODES[descr]}", *flat)
    return raw if descr != "|V2" else bytes(x for i, x in enumerate(raw) if i % 4 > 1)


def unpacked(descr, raw):
    if descr == "|V2":
        raw = b"".join(b"\0\0" + raw[i:i + 2] for i in range(0, len(raw), 2))
    return struct.unpack(f"<{len(raw) // struct.calcsize(CODES[descr])}{CODES[descr]}", raw)


class Matrix:
    """Integers from -2 to 2, whose sums every type holds; or the numbers that are given, row by row."""

    def __init__(self, rows, columns, seed=0, values=None):
        dice = random.Random(seed)
        self.shape = rows, columns
        self.rows = values or [[dice.randint(-2, 2) for _ in range(columns)] for _ in range(rows)]

    def write(self, path, descr, fortran=False):
        lines = zip(*self.rows) if fortran else self.rows
        flat = [x for line in lines for x in line]
        npy_bytes.write(path, descr, self.shape, packed(descr, flat), fortran)

    def transposed(self):
        return Matrix(*reversed(self.shape), values=[list(line) for line in zip(*self.rows)])


def product(a, b, alpha=1, beta=0, c=None):
    columns = list(zip(*b.rows))
    return [[alpha * sum(x * y for x, y in zip(row, column)) + (beta * c.rows[i][j] if c else 0)
             for j, column in enumerate(columns)] for i, row in enumerate(a.rows)]


def result(path, descr):
    """The shape that the header says, and the rows."""
    text, raw = npy_bytes.read(path)
    shape = tuple(map(int, re.search(r"\((\d+), (\d+)\)", text).groups()))
    flat = unpacked(descr, raw)
    if f"'{descr}'" not in text or "'fortran_order': False" not in text:
        return text, None
    return shape, [list(flat[i * shape[1]:(i + 1) * shape[1]]) for i in range(shape[0])]


class Tests:
    def __init__(self, cutlet):
        self.cutlet = cutlet
        self.report = tap.Report()

    def run(self, *args, **options):
        """The status, and what is said but for progress, which a slow build prints."""
        status, out = tap.run([self.cutlet, "gemm", *args], **options)
        return status, re.sub(r"^cutlet gemm: multiplying on .*, \d+ s\n", "", out, flags=re.M)

    def right(self, name, descr, expected, *args, says="", **options):
        """The command writes what is expected, and says one line, in which `says` is, a text or a pattern."""
        if os.path.exists("D.npy"):
            os.remove("D.npy")
        status, out = self.run(*args, *TYPE.get(descr, []), "-o", "D.npy", **options)
        found = result("D.npy", RESULTS[descr]) if status == 0 else None
        self.report.check(name, found == ((len(expected), len(expected[0])), expected) and out.count("\n") == 1 and
                          (says.search(out) if isinstance(says, re.Pattern) else says in out),
                          f"{status} {out}{str(found)[:200]}")

    def refused(self, name, part, *args, output="X.npy", **options):
        """One line that says so, exit status 2, and no file."""
        status, out = self.run(*args, *(["-o", output] if output else []), **options)
        self.report.check(f"refused: {name}", status == 2 and part in out and out.count("\n") == 1 and
                          out.startswith("cutlet gemm: ") and not os.path.exists("X.npy"), f"{status} {out}")


def orders(number):
    """The orders of both files to try: all, or another one each time."""
    return range(4) if tap.ALL else (number % 4,)


def products(t):
    """Every type, extents that fit no tile, both orders of either file."""
    for descr in RESULTS:
        for i, (m, n, k) in enumerate(((1, 1, 1), (70, 45, 37), (129, 3, 5), (5, 131, 300), (140, 9, 2))):
            a, b = Matrix(m, k, 1), Matrix(k, n, 2)
            expected = product(a, b)
            for order in orders(i):
                a.write("A.npy", descr, fortran=order % 2 == 1)
                b.write("B.npy", descr, fortran=order >= 2)
                for on, says in (("cpu", "on the CPU, "), ("grid", "gemm_")):
                    t.right(f"{NAMES[descr]} ({m},{n},{k}), order {order}, on {on}", descr, expected, "A.npy",
                            "B.npy", "--on", on, says=f"{NAMES[descr]} ({m},{k}) x ({k},{n}) {says}")


# What wgmma.cu is given: rows that no 16 bytes divide, those that they do, k in parts, one element.
BY_WGMMA = ((140, 133, 67), (264, 72, 256), (64, 40, 1104), (1, 1, 1), (130, 9, 65))


def by_wgmma(t, name, *args, on=" on ", **options):
    """Whole products of every order by its kernels, with alpha, beta and C; the form and its workspace are said."""
    for descr in ("<f2", "|V2"):
        kernel = rf" gemm_wgmma_(\d+)x(\d+)_\d_{'half' if descr == '<f2' else 'bfloat16'}: tiles of \1 x \2, .*"
        for i, (m, n, k) in enumerate(BY_WGMMA):
            a, b, c = Matrix(m, k, 1), Matrix(k, n, 2), Matrix(m, n, 3)
            if descr == "|V2" and k > 1000:  # sums that it holds
                a = Matrix(m, k, values=[[x if j % 16 == 0 else 0 for j, x in enumerate(row)] for row in a.rows])
            expected, changed = product(a, b), product(a, b, 2, -1, c)
            for order in orders(i):
                a.write("A.npy", descr, fortran=order % 2 == 1)
                b.write("B.npy", descr, fortran=order >= 2)
                c.write("C.npy", descr, fortran=order % 2 == 1)
                t.right(f"{NAMES[descr]} ({m},{n},{k}), order {order}, by wgmma on {name}", descr, expected, "A.npy",
                        "B.npy", *args, says=re.compile(kernel + on), **options)
            t.right(f"{NAMES[descr]} ({m},{n},{k}) by wgmma on {name}: alpha, beta and C", descr, changed, "A.npy",
                    "B.npy", *args, "--alpha", "2", "--beta", "-1", "--c", "C.npy", says=re.compile(kernel), **options)


def options(t):
    """A result that alpha, beta and C, and --transpose-b change; what is said of the comparison."""
    a, b, c = Matrix(70, 37, 1), Matrix(37, 45, 2), Matrix(70, 45, 3)
    for descr in RESULTS:
        a.write("A.npy", descr)
        b.write("B.npy", descr)
        b.transposed().write("T.npy", descr)
        b.transposed().write("TF.npy", descr, fortran=True)
        for on in ("cpu", "grid"):
            name = f"{NAMES[descr]} on {on}"
            for order in (False, True):
                c.write("C.npy", RESULTS[descr], fortran=order)
                t.right(f"{name}: alpha, beta and C, Fortran order {order}", descr, product(a, b, -3, 2, c), "A.npy",
                        "B.npy", "--alpha", "-3", "--beta=2", "--c", "C.npy", "--on", on)
            t.right(f"{name}: beta 0", descr, product(a, b), "A.npy", "B.npy", "--beta", "0", "--c", "C.npy", "--on",
                    on)
            for file in ("T.npy", "TF.npy"):
                t.right(f"{name}: {file} as (n,k)", descr, product(a, b), "A.npy", file, "--transpose-b", "--on", on)
            t.right(f"{name}: compared", descr, product(a, b), "A.npy", "B.npy", "--on", on,
                    says="; all elements checked, largest difference 0")
            t.right(f"{name}: not compared", descr, product(a, b), "A.npy", "B.npy", "--on", on, "--no-verify",
                    says="; not checked")
    for descr in ("<f2", "<f4"):
        half = Matrix(70, 45, values=[[0.5 * x for x in row] for row in product(a, b)])
        a.write("A.npy", descr)
        b.write("B.npy", descr)
        t.right(f"{NAMES[descr]}: alpha 0.5", descr, half.rows, "A.npy", "B.npy", "--alpha", "0.5")
    a.write("A.npy", "<f4")
    b.write("B.npy", "<f4")
    t.right("--tf32", "<f4", product(a, b), "A.npy", "B.npy", "--on", "grid", "--tf32", says=" gemm_float on the CPU grid")
    t.right("without --tf32", "<f4", product(a, b), "A.npy", "B.npy", "--on", "grid", says=" gemm_simt on the CPU grid")
    t.right("one thread", "<f4", product(a, b), "A.npy", "B.npy", "--on", "cpu", says=" on the CPU, 1 thread, ",
            env={**os.environ, "CUTLET_THREADS": "1"})
    t.right("the output is an input", "<f4", product(a, b), "A.npy", "B.npy")
    t.run("A.npy", "B.npy", "-o", "A.npy")
    t.report.check("the output is an input", result("A.npy", "<f4")[1] == product(a, b))


def write_vector(path, values, code="f"):
    npy_bytes.write(path, {"f": "<f4", "i": "<i4"}[code], (len(values), ), struct.pack(f"<{len(values)}{code}", *values))


ACTIVATIONS = {"none": lambda x: x, "relu": lambda x: max(x, 0), "silu": lambda x: x / (1 + math.exp(-x)),
               "gelu": lambda x: x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))}
UNITS = {"<f2": 2 ** -10, "|V2": 2 ** -8, "<f4": 1e-5}


def epilogue(t, name, descr, shape, *args, says="", **options):
    """Every vector, C and activation: exact where all are integers, otherwise near."""
    m, n, k = shape
    a, b, c, dice = Matrix(m, k, 1), Matrix(k, n, 2), Matrix(m, n, 3), random.Random(4)
    if k > 1000:  # sums that bfloat16 holds
        a = Matrix(m, k, values=[[x if j % 32 == 0 else 0 for j, x in enumerate(row)] for row in a.rows])
    bias, rows, cols = ([dice.choice((-2, -1, 1, 2)) for _ in range(count)] for count in (n, m, n))
    of_ints = descr == "|i1"
    a.write("A.npy", descr)
    b.write("B.npy", descr)
    c.write("C.npy", RESULTS[descr])
    for file, values in (("bias.npy", bias), ("rows.npy", rows), ("cols.npy", cols)):
        write_vector(file, values, "i" if of_ints else "f")
    scaled = [[x * (1 if of_ints else rows[i] * cols[j]) for j, x in enumerate(row)] for i, row in
              enumerate(product(a, b))]
    scales = [] if of_ints else ["--scale-rows", "rows.npy", "--scale-cols", "cols.npy"]
    whole = [[2 * x - c.rows[i][j] + bias[j] for j, x in enumerate(row)] for i, row in enumerate(scaled)]
    everything = ["--alpha", "2", "--beta", "-1", "--c", "C.npy", "--bias", "bias.npy", *scales]
    exact = lambda of, rows: [[ACTIVATIONS[of](x) for x in row] for row in rows]
    near_ints = descr == "|V2" and max(abs(x) for row in whole for x in row) > 256  # bfloat16 rounds those
    for activation in ("none", "relu"):
        if not near_ints:
            t.right(f"{name}: all of an epilogue, {activation}", descr, exact(activation, whole), "A.npy", "B.npy",
                    *everything, "--activation", activation, *args, says=says, **options)
    t.right(f"{name}: a bias alone", descr, [[x + bias[j] for j, x in enumerate(row)] for row in product(a, b)],
            "A.npy", "B.npy", "--bias", "bias.npy", *args, says=says, **options)
    if of_ints:
        return
    t.right(f"{name}: scales alone", descr, scaled, "A.npy", "B.npy", *scales, *args, says=says, **options)
    for activation in ("gelu", "silu"):
        status, out = t.run("A.npy", "B.npy", "-o", "D.npy", *everything, "--alpha", "0.125", "--activation", activation,
                            *TYPE.get(descr, []), *args, **options)
        found = result("D.npy", descr)[1] if status == 0 else []
        right = [[x / 8 - c.rows[i][j] + bias[j] for j, x in enumerate(row)] for i, row in enumerate(scaled)]
        far = [(x, y) for line, row in zip(found, right) for x, y in zip(line, row)
               if not abs(x - ACTIVATIONS[activation](y)) <= UNITS[descr] * (abs(x) + abs(y))]
        t.report.check(f"{name}: {activation}", found and not far and says in out, f"{out}{far[:5]}")


def epilogues(t):
    for descr in RESULTS:
        for on, says in (("cpu", "on the CPU, "), ("grid", " gemm_")):
            epilogue(t, f"{NAMES[descr]} on {on}", descr, (140, 133, 20), "--on", on, says=says)
    for descr in ("<f2", "|V2"):
        for shape in ((140, 133, 67), (64, 40, 1104)):
            epilogue(t, f"{NAMES[descr]} {shape} by wgmma", descr, shape, "--on", "grid", "--by", "wgmma", says=" gemm_wgmma_")
    epilogue(t, "TF32", "<f4", (30, 140, 20), "--on", "grid", "--tf32", says=" gemm_float on the CPU grid")


def e4m3(t):
    """Files of uint8, whose bytes are named; the result is bfloat16."""
    code = {0: 0, 1: 0x38, 2: 0x40, -1: 0xb8, -2: 0xc0}
    for m, n, k in ((70, 45, 37), (140, 133, 256)):
        a, b, c = Matrix(m, k, 1), Matrix(n, k, 2), Matrix(m, n, 3)
        for file, x in (("A.npy", a), ("B.npy", b)):
            npy_bytes.write(file, "|u1", x.shape, bytes(code[v] for row in x.rows for v in row), False)
        c.write("C.npy", "|V2")
        write_vector("bias.npy", [j % 3 - 1 for j in range(n)])
        right = [[max(x + j % 3 - 1, 0) for j, x in enumerate(row)] for row in product(a, b.transposed(), 1, -1, c)]
        for on, says in (("cpu", " on the CPU, "), ("grid", r" gemm_wgmma_\w+_e4m3: .* on the CPU grid, ")):
            status, out = t.run("A.npy", "B.npy", "--transpose-b", "-o", "D.npy", "--type", "e4m3", "--on", on, "--beta", "-1",
                                "--c", "C.npy", "--bias", "bias.npy", "--activation", "relu")
            t.report.check(f"e4m3 ({m},{n},{k}) on {on}", status == 0 and result("D.npy", "|V2") == ((m, n), right) and
                           re.search(rf"e4m3 \({m},{k}\) x \({k},{n}\){says}", out), out)


def examples(t):
    """The lines of the help run as they stand there."""
    for name, shape in (("A", (6, 4)), ("B", (4, 5)), ("C", (6, 5))):
        Matrix(*shape).write(f"{name}.npy", "<f4")
    lines = [line.split() for line in t.run("--help")[1].splitlines() if line.startswith("  cutlet gemm ")]
    t.report.check("the help has examples", len(lines) == 3, lines)
    for line in lines:
        status, out = t.run(*line[2:])
        t.report.check(" ".join(line), status == 0 and "all elements checked" in out, out)


def numbers(t):
    """What is rounded, what is large, what is no number; int8 at its ends."""
    wide = Matrix(4, 300, values=[[1 / (i + 3 * j + 1) for j in range(300)] for i in range(4)])
    tall = Matrix(300, 5, values=[[1 / (i + j + 2) for j in range(5)] for i in range(300)])
    for descr, units in (("<f4", 2e-5), ("<f2", 4e-3)):
        wide.write("A.npy", descr)
        tall.write("B.npy", descr)
        for on in ("cpu", "grid"):
            status, out = t.run("A.npy", "B.npy", "-o", "D.npy", "--on", on)
            found = result("D.npy", descr)[1] if status == 0 else []
            near = all(abs(x - y) <= units * abs(y) for line, right in zip(found, product(wide, tall))
                       for x, y in zip(line, right))
            t.report.check(f"fractions, {NAMES[descr]} on {on}", status == 0 and near, f"{out}{found}")
    ends = Matrix(2, 700, values=[[-128] * 700, [127] * 700])
    ends.write("A.npy", "|i1")
    ends.transposed().write("B.npy", "|i1")
    for on in ("cpu", "grid"):
        t.right(f"int8 at its ends on {on}", "|i1", product(ends, ends.transposed()), "A.npy", "B.npy", "--on", on)
    special = Matrix(2, 2, values=[[float("inf"), 1.0], [60000.0, 60000.0]])
    one = Matrix(2, 1, values=[[1.0], [1.0]])
    special.write("A.npy", "<f2")
    one.write("B.npy", "<f2")
    for on in ("cpu", "grid"):
        t.right(f"infinity, and beyond the largest half, on {on}", "<f2", [[float("inf")], [float("inf")]], "A.npy",
                "B.npy", "--on", on)


def chosen(t):
    """Without a GPU: the grid for small products, then the CPU; and the line says why no GPU."""
    a, b = Matrix(128, 256, 1), Matrix(256, 128, 2)
    for descr, on, more in (("|i1", " gemm_int8 on the CPU grid, ", 0), ("|i1", " on the CPU, ", 1)):
        rows = Matrix(128 + more, 256, values=a.rows + [[1] * 256] * more)
        rows.write("A.npy", descr)
        b.write("B.npy", descr)
        t.right(f"chosen: {on.strip(' ,')}", descr, product(rows, b), "A.npy", "B.npy", says=on)
        t.right(f"chosen: {on.strip(' ,')}, and why", descr, product(rows, b), "A.npy", "B.npy", "--on", "auto",
                says="; no GPU: CUTLET_NO_GPU is set")
    rows.write("A.npy", "<f4")
    b.write("B.npy", "<f4")
    t.refused("TF32 on the CPU, chosen", "--tf32 is done by the kernels, on a GPU or the grid (--on), not on the CPU; "
              "no GPU: CUTLET_NO_GPU is set", "A.npy", "B.npy", "--tf32")


def refusals(t):
    small, other = Matrix(3, 4), Matrix(4, 5)
    for name, descr, matrix in (("A", "<f4", small), ("B", "<f4", other), ("C", "<f4", Matrix(3, 5)),
                                ("C1", "<f4", Matrix(5, 3)), ("CH", "<f2", Matrix(3, 5)), ("H", "<f2", other),
                                ("D8", "<f8", small), ("I", "<i4", small), ("BIG", ">f4", small), ("I8", "|i1", small),
                                ("J8", "|i1", other), ("CF", "<f4", Matrix(3, 5))):
        matrix.write(f"{name}.npy", descr)
    npy_bytes.write("V.npy", "<f4", (4, ), struct.pack("<4f", 1, 2, 3, 4))
    npy_bytes.write("V2.npy", "|V2", (2, 2), bytes(8))
    with open("text.npy", "w") as file:
        file.write("no array")
    for name, part, *args in (
            ("shapes", "A.npy is (3,4) and A.npy (3,4): mode 1 of the first is 4, mode 0 of the second 3", "A.npy",
             "A.npy"),
            ("shapes, transposed", "A.npy is (3,4) and B.npy (4,5): mode 1 of the first is 4, mode 1 of the second 5",
             "A.npy", "B.npy", "--transpose-b"),
            ("float64", "D8.npy: elements of type <f8; float16, bfloat16, float32 and int8 are multiplied", "D8.npy", "B.npy"),
            ("int32", "I.npy: elements of type <i4; float16, bfloat16, float32 and int8", "I.npy", "B.npy"),
            ("big-endian", "BIG.npy: elements of type >f4; float16, bfloat16, float32 and int8 are multiplied, little-endian",
             "BIG.npy", "B.npy"),
            ("two types", "H.npy: elements of type <f2, where those of A.npy are float32", "A.npy", "H.npy"),
            ("a vector", "V.npy: an array of 1 dimensions; a matrix has 2", "V.npy", "B.npy"),
            ("no file", "none.npy: cannot be read", "A.npy", "none.npy"),
            ("no array", "text.npy: not a NumPy file", "text.npy", "B.npy"),
            ("one matrix", "two matrices are needed", "A.npy"),
            ("three matrices", "two matrices, not more", "A.npy", "B.npy", "C.npy"),
            ("C's shape", "C1.npy is (5,3), the product (3,5)", "A.npy", "B.npy", "--beta", "1", "--c", "C1.npy"),
            ("C's type", "CH.npy: elements of type <f2, where the result has float32", "A.npy", "B.npy", "--beta", "1",
             "--c", "CH.npy"),
            ("C of int8", "CF.npy: elements of type <f4, where the result has int32", "I8.npy", "J8.npy", "--beta", "1",
             "--c", "CF.npy"),
            ("beta without C", "--beta is the factor of --c", "A.npy", "B.npy", "--beta", "1"),
            ("C without beta", "--c is added --beta times", "A.npy", "B.npy", "--c", "C.npy"),
            ("alpha", "--alpha is a number that a float32 holds, not `2x`", "A.npy", "B.npy", "--alpha", "2x"),
            ("alpha, too large", "--alpha is a number that a float32 holds", "A.npy", "B.npy", "--alpha", "1e40"),
            ("a fraction of int8", "alpha: 0.5; for int8 it is an integer", "I8.npy", "J8.npy", "--alpha", "0.5"),
            ("TF32 of int8", "tf32 is for float32; the elements are int8", "I8.npy", "J8.npy", "--tf32"),
            ("a bias's length", "V.npy has 4 elements, the product 5 columns", "A.npy", "B.npy", "--bias", "V.npy"),
            ("the rows' scales", "V.npy has 4 elements, the product 3 rows", "A.npy", "B.npy", "--scale-rows", "V.npy"),
            ("a bias's modes", "C.npy: an array of 2 dimensions; --bias has 1", "A.npy", "B.npy", "--bias", "C.npy"),
            ("a bias of int8", "V.npy: elements of type <f4; with int8 products --bias has int32", "I8.npy", "J8.npy",
             "--bias", "V.npy"),
            ("scales of int8", "--scale-cols multiplies floats; the result of int8 is int32", "I8.npy", "J8.npy",
             "--scale-cols", "V.npy"),
            ("gelu of int8", "gelu is of floats; the result of int8 is int32, which has relu", "I8.npy",
             "J8.npy", "--activation", "gelu"),
            ("no activation", "--activation is none, relu, gelu or silu, not `tan`", "A.npy", "B.npy", "--activation", "tan"),
            ("TF32 on the CPU", "not on the CPU", "A.npy", "B.npy", "--tf32", "--on", "cpu"),
            ("wgmma of float32", "wgmma is for float16, bfloat16 and e4m3; the elements are float32", "A.npy", "B.npy",
             "--by", "wgmma", "--on", "grid"),
            ("mma_sync of float32", "mma_sync multiplies float32 with tf32 only", "A.npy", "B.npy", "--by",
             "mma_sync", "--on", "grid"),
            ("wgmma on the CPU", "--by names the instructions of kernels, on a GPU or the grid (--on), not on the CPU", "A.npy",
             "B.npy", "--by", "wgmma", "--on", "cpu"),
            ("other instructions", "--by is auto, wgmma or mma_sync, not `wgma`", "A.npy", "B.npy", "--by", "wgma"),
            ("bfloat16 unnamed", "V2.npy: elements of type |V2; --type bfloat16 says that they are that", "V2.npy",
             "V2.npy"),
            ("another type", "A.npy: elements of type <f4, which are not bfloat16", "A.npy", "B.npy", "--type",
             "bfloat16"),
            ("no type", "--type is half, bfloat16, float, int8 or e4m3, not `double`", "A.npy", "B.npy", "--type", "double"),
            ("no name of a type", "--type: ", "A.npy", "B.npy", "--type", "halves"),
            ("measured on the grid", "--effort measure times forms on a GPU (--on)", "A.npy", "B.npy", "--effort",
             "measure", "--on", "grid"),
            ("measured without a GPU", "--effort measure times forms on a GPU (--on); no GPU: CUTLET_NO_GPU is set",
             "A.npy", "B.npy", "--effort", "measure"),
            ("another effort", "--effort is estimate or measure, not `all`", "A.npy", "B.npy", "--effort", "all"),
            ("another place", "--on is auto, gpu, grid or cpu, not `tpu`", "A.npy", "B.npy", "--on", "tpu"),
            ("no GPU", "no GPU: CUTLET_NO_GPU is set", "A.npy", "B.npy", "--on", "gpu")):
        t.refused(name, part, *args)
    t.refused("no output", "--output is missing", "A.npy", "B.npy", output=None)
    t.refused("no folder", "none/X.npy: ", "A.npy", "B.npy", output="none/X.npy")
    before = os.stat("A.npy").st_mtime_ns
    t.refused("the output stays", "C1.npy is (5,3)", "A.npy", "B.npy", "--beta", "1", "--c", "C1.npy", output="A.npy")
    t.report.check("what was there stays", os.stat("A.npy").st_mtime_ns == before)


def on_gpu(t, name, environment):
    """The product by a GPU: a real one, or the fake driver, whose launches take 2 ms."""
    env = {key: value for key, value in os.environ.items() if key != "CUTLET_NO_GPU"}
    env.update(environment)
    a, b, c = Matrix(140, 67, 1), Matrix(67, 133, 2), Matrix(140, 133, 3)
    for descr, kernel, more in (("<f2", "gemm_half", ["--by", "mma_sync"]), ("<f4", "gemm_simt", []),
                                ("|V2", "gemm_bfloat16", ["--by", "mma_sync", "--type", "bfloat16"]),
                                ("<f4", "gemm_float", ["--tf32"]), ("|i1", "gemm_int8", []),
                                ("<f2", "gemm_wgmma_", ["--by", "wgmma"])):
        a.write("A.npy", descr)
        b.write("B.npy", descr, fortran=True)
        c.write("C.npy", RESULTS[descr])
        status, out = t.run("A.npy", "B.npy", "-o", "D.npy", "--on", "gpu", *more, env=env)
        if status == 2 and "no GPU: " in out:
            t.report.skip(f"{kernel} on {name}", out.strip())
            return
        if status == 2 and "wgmma is of sm_90a alone" in out:
            t.report.skip(f"{kernel} on {name}", out.strip())
            return
        # By wgmma A and B, whose rows no 16 bytes divide, are two launches more, and the result may be one.
        says = re.compile(kernel + (r".* on Fake 40, \d ms, \S+ TFLOP/s; all" if environment else ""))
        if environment and "wgmma" not in kernel:
            says = f" {kernel} on Fake 40, 2 ms, {2 * 140 * 67 * 133 / 2 / 1e9:.3g} TFLOP/s; all"
        t.right(f"{kernel} on {name}", descr, product(a, b), "A.npy", "B.npy", *more, says=says, env=env)
        t.right(f"{kernel} on {name}: alpha, beta and C", descr, product(a, b, 2, -1, c), "A.npy", "B.npy", *more,
                "--alpha", "2", "--beta", "-1", "--c", "C.npy", says=kernel, env=env)
        if not environment:
            continue
        os.remove("D.npy")
        status, out = t.run("A.npy", "B.npy", "-o", "D.npy", *more, env={**env, "FAKE_CUDA_WRONG": kernel})
        t.report.check(f"{kernel}: a wrong result", status == 1 and not os.path.exists("D.npy") and re.fullmatch(
            rf"cutlet gemm: {kernel}.* on Fake 40: element \(139,132\) is \S+, expected \S+; 1 of 18620 elements "
            r"are wrong\n", out), f"{status} {out}")
        status, out = t.run("A.npy", "B.npy", "-o", "D.npy", *more, env={**env, "FAKE_CUDA_FAIL": "cuMemAlloc_v2 1"})
        t.report.check(f"{kernel}: no memory", status == 2 and not os.path.exists("D.npy") and "cuMemAlloc" in out and
                       out.count("\n") == 1, f"{status} {out}")
    by_wgmma(t, name, env=env)
    a.write("A.npy", "<f2")
    b.write("B.npy", "<f2")
    t.right(f"effort measure on {name}", "<f2", product(a, b), "A.npy", "B.npy", "--effort", "measure", env=env,
            says=re.compile(r"gemm_wgmma_.*, the fastest of 5 timed, on |gemm_half on "))
    for descr, kernel, more in (("<f2", "gemm_half", ["--by", "mma_sync"]), ("|i1", "gemm_int8", []),
                                ("<f2", "gemm_wgmma_", ["--by", "wgmma"])):
        epilogue(t, f"{kernel} on {name}", descr, (140, 133, 67), *more, says=kernel, env=env)


def chosen_on_gpu(t, driver):
    """The kernel of each architecture, and why not another one; a map that the driver refuses."""
    env = {key: value for key, value in os.environ.items() if key != "CUTLET_NO_GPU"}
    env["CUTLET_CUDA_DRIVER"] = driver
    a, b = Matrix(40, 50, 1), Matrix(50, 30, 2)
    a.write("A.npy", "<f2")
    b.write("B.npy", "<f2")
    status, out = t.run("A.npy", "B.npy", "-o", "D.npy", "--on", "gpu", env=env)
    if "no GPU: " in out:
        t.report.skip("the kernel of each architecture", out.strip())
        return
    for arch, kernel in (("80", "gemm_half"), ("89", "gemm_half"), ("90", "gemm_wgmma_.*_half: .*"),
                         ("100", "gemm_half"), ("120", "gemm_half")):
        of = {**env, "FAKE_CUDA_ARCH": arch}
        status, out = t.run("A.npy", "B.npy", "-o", "D.npy", "--on", "gpu", env=of)
        if status == 2 and "no kernels for" in out:
            t.report.skip(f"sm_{arch}: {kernel}", out.strip())
            continue
        t.right(f"sm_{arch}: {kernel}", "<f2", product(a, b), "A.npy", "B.npy",
                says=re.compile(f" {kernel} on Fake 40"), env=of)
        if arch != "90":
            t.refused(f"sm_{arch}: wgmma", f"wgmma is of sm_90a alone, and Fake 40 is sm_{arch}", "A.npy", "B.npy",
                      "--by", "wgmma", env=of)
    for function, calls in (("cuTensorMapEncodeTiled", 1), ("cuMemAlloc_v2", 3), ("cuLaunchKernel", 1)):
        t.refused(f"by wgmma: {function} fails", function.split("_")[0], "A.npy", "B.npy",
                  env={**env, "FAKE_CUDA_FAIL": f"{function} {calls}"})


def main():
    if len(sys.argv) not in (2, 3):
        tap.die(__doc__)
    t = Tests(os.path.abspath(sys.argv[1]))
    fake = [os.path.abspath(path) for path in sys.argv[2:]]
    os.environ["CUTLET_NO_GPU"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        products(t)
        by_wgmma(t, "the grid", "--on", "grid", "--by", "wgmma", on=" on the CPU grid, ")
        options(t)
        epilogues(t)
        e4m3(t)
        examples(t)
        numbers(t)
        chosen(t)
        refusals(t)
        on_gpu(t, "the GPU", {})
        for driver in fake:
            on_gpu(t, "a fake GPU", {"CUTLET_CUDA_DRIVER": driver})
            chosen_on_gpu(t, driver)
        left = [name for name in os.listdir(".") if ".part" in name]
        t.report.check("nothing is left over", not left, left)
        os.chdir("/")
    return t.report.finish()


if __name__ == "__main__":
    sys.exit(main())
