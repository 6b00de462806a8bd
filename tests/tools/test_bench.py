#!/usr/bin/env python3
"""cutlet-bench without a GPU: on the CPU grid, whose counts follow from the widths.

    test_bench.py CUTLET-BENCH FAKE_DRIVER
"""

import os
import re
import sys
import tempfile
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap
from bench_run import KIB, WIDTHS, Bench


# ---- without a GPU -------------------------------------------------------------------------------

def test_width_on_grid(b):
    run = b.tsv("width", "--no-gpu", "--widths", "32,16,8,4,2,1", "--to", "16K")
    b.check("the grid's sizes and widths", run["bench"] == "width" and "device" not in run and
            run["reason"] == "no GPU: --no-gpu" and
            [(r["bytes"], r["width"]) for r in run["results"]] ==
            [(KIB << k, w) for k in range(5) for w in (*WIDTHS, 32)], run)
    # A warp moves 32 accesses with one load and one store; a sector has 32 bytes.
    b.check("the grid's counts", all(
        r["verified"] is True and r["compared_by"] == "host" and
        r["instructions"] == r["requests"] == 2 * r["bytes"] // (32 * r["width"]) and
        r["sectors"] == 2 * r["bytes"] // 32 for r in run["results"]), run)
    got = b.run("width", CUTLET_NO_GPU="1")
    b.expect("the grid's table", got, 0, "CPU grid: what they ask of memory, not how fast they are",
             "instructions",
             "1 KiB    1 byte            64          64          64", "64 KiB",
             "16 bytes           256         256",
             "\nno GPU: CUTLET_NO_GPU is set\n")
    b.check("no rates without a GPU", "GB/s" not in got[1] and
            got[1].endswith("\nno GPU: CUTLET_NO_GPU is set\n"), got[1])
    same = "moves the same sectors with fewer instructions"
    for least, most, widths, is_said in (("1K", "4K", "32,1", True), ("3", "60", "32,1", False),
                                         ("1K", "4K", "16", False)):
        got = b.run("width", "--no-gpu", "--from", least, "--to", most, "--widths", widths)
        b.check(f"what is said of {widths} bytes up to {most}", got[0] == 0 and
                (same in " ".join(got[1].split())) == is_said, got[1])
    b.check("the usual form", run["form"] == "many")
    for form, head in (("one", "one access a thread"), ("loop", "one access at a time in a loop")):
        run = b.tsv("width", "--no-gpu", "--form", form, "--from", "1003", "--to", "300K")
        b.check(f"--form {form}", run["form"] == form and len(run["results"]) == 9 * 5 and all(
            r["verified"] is True and r["requests"] ==
            2 * (-(-(r["bytes"] // r["width"]) // 32) + (r["bytes"] % r["width"] > 0))
            for r in run["results"]), run)
        b.expect(f"the table of --form {form}", b.run("width", "--no-gpu", "--form", form), 0,
                 f"Copies by width of access, {head} on the CPU grid")
    run = b.tsv("width", "--no-gpu", "--from", "1003", "--to", "5000")
    b.check("odd sizes", [r["bytes"] for r in run["results"][::5]] == [1003, 2006, 4012] and
            all(r["verified"] for r in run["results"]), run)
    b.check("whole vectors, and the bytes after them one by one",
            [r["requests"] for r in run["results"][:5]] ==
            [2 * (-(-(1003 // w) // 32) + 1003 % w) for w in WIDTHS], run["results"][:5])


def counts(run):
    return {(r["group"], r["kernel"]): (r["instructions"], r["requests"], r["sectors"])
            for r in run["results"]}


def test_vector_on_grid(b):
    run = b.tsv("vector", "--no-gpu")
    found = counts(run)
    array, row = 64 * KIB, 4096
    right = {}
    for group, kernel, width in (
            ("copy", "width_copy_4", 4), ("copy", "width_copy_8", 8), ("copy", "width_copy_16", 16),
            ("relu", "relu_float_scalar", 4), ("relu", "relu_float", 16),
            ("gelu", "gelu_float_scalar", 4), ("gelu", "gelu_float", 16),
            ("half-relu", "relu_half_scalar", 2), ("half-relu", "relu_half_2", 4),
            ("half-relu", "relu_half", 16),
            ("bfloat16", "relu_bfloat16", 16), ("bfloat16", "gelu_bfloat16", 16)):
        both = 2 * array // (32 * width)
        right[group, kernel] = (both, both, 2 * array // 32)
    for kernel, width, elem, passes in (
            ("layer_norm_passes_float_scalar", 4, 4, 3), ("layer_norm_passes_float", 16, 4, 3),
            ("layer_norm_float", 16, 4, 1), ("layer_norm_passes_half_scalar", 2, 2, 3),
            ("layer_norm_passes_half", 16, 2, 3), ("layer_norm_half", 16, 2, 1)):
        once = 4 * row * elem  # four rows: x so often, gamma, beta, and the result
        accesses, sectors = ((passes + 3) * once // unit for unit in (32 * width, 32))
        right["layer-norm", kernel] = (accesses, accesses, sectors)
    for case, count in right.items():
        b.check(f"counts of {case[1]}", found.get(case) == count, (found.get(case), count))
    # Two blocks read all and write a float each; one block reads those, and writes one.
    for kernel, width in (("sum_float_scalar", 4), ("sum_float", 16)):
        wide = array // (32 * width)
        b.check(f"counts of {kernel}", found.get(("sum", kernel), (0, 0, 0))[1:] ==
                (wide + 2 + 1 + 1, array // 32 + 2 + 1 + 1), found)
    # One block reads all 64 KiB and writes a float.
    b.check("counts of read_float", found.get(("read", "read_float"), (0, 0, 0))[1:] ==
            (array // 512 + 1, array // 32 + 1), found)
    b.check("nothing else", len(found) == len(right) + 3 and
            all(r["verified"] is True for r in run["results"]), run)
    only = b.tsv("vector", "--no-gpu", "--only", "sum,relu")
    b.check("--only", [r["group"] for r in only["results"]] == ["relu"] * 2 + ["sum"] * 2, only)
    only = b.tsv("vector", "--no-gpu", "--only", "layer-norm-large")
    b.check("--only of the large one", len(only["results"]) == 6, only)
    # A vector of a source that is not aligned to it is cut out of two: one load more for each.
    shifted = b.tsv("vector", "--no-gpu", "--shift", "4", "--only", "copy,relu,gelu,half-relu,sum")
    moved = counts(shifted)
    b.check("--shift", shifted["shift_bytes"] == 4 and run["shift_bytes"] == 0 and
            all(r["verified"] is True for r in shifted["results"]) and
            all(moved[case] == found[case] for case in moved if case[0] == "sum") and
            moved["relu", "relu_float_scalar"][1] == found["relu", "relu_float_scalar"][1] and
            moved["relu", "relu_float"][1] > 1.4 * found["relu", "relu_float"][1], moved)
    got = b.run("vector", "--no-gpu", "--shift", "2", "--only", "half-relu")
    b.expect("--shift of halves", got, 0, "how fast they are, sources of copies, ReLU and GELU 2 "
             "bytes past an aligned address.", "relu_half ")
    b.expect("the grid's table of kernels", b.run("vector", "--no-gpu"), 0,
             "CPU grid: what they ask of memory",
             "ReLU of halves", "relu_half_scalar", " 2048 ", "Layer norm, 4 rows of 4096",
             " 3.00\n", "no GPU: --no-gpu")


# ---- arguments -----------------------------------------------------------------------------------

def test_arguments(b):
    for arguments, *parts in (
            ((), "a command is missing", "`cutlet-bench help`"),
            (("height",), "no command `height`", "`cutlet-bench help`"),
            (("--vresion",), "did you mean `--version`?"),
            (("help", "height"), "no benchmark `height`"),
            (("help", "width", "vector"), "one benchmark at a time"),
            (("algebra", "fast"), "`fast`"),
            (("algebra", "--fast"), "no option --fast", "`cutlet-bench algebra --help`"),
            (("width", "vector"), "only options", "`vector`"),
            (("width", "--from", "0"), "--from takes"),
            (("width", "--to", "4X"), "--to takes", "4X"),
            (("width", "--to", "-1"), "--to takes"),
            (("width", "--to", "9999999G"), "--to takes"),
            (("width", "--from", "2M", "--to", "1M"), "2097152", "1048576"),
            (("width", "--widths", "3"), "--widths takes", "`3`"),
            (("width", "--widths", "1,,2"), "--widths takes"),
            (("width", "--widths", "64"), "--widths takes"),
            (("width", "--widths", ""), "--widths takes"),
            (("width", "--widths", "4,"), "--widths takes"),
            (("width", "--widths", "4,4"), "4 twice"),
            (("width", "--form", "two"), "--form is many, one or loop", "`two`"),
            (("width", "--form", "one", "--widths", "32"), "--form one has accesses of up to 16 "
             "bytes, not of 32"),
            (("vector", "--form", "one"), "no option --form", "`cutlet-bench vector --help`"),
            (("width", "--runs", "0"), "--runs takes 1 to 1000"),
            (("width", "--runs", "few"), "`few`"),
            (("width", "--mib", "4"), "no option --mib", "`cutlet-bench width --help`"),
            (("vector", "--mib", "65537"), "1 to 65536"),
            (("vector", "--shift", "256"), "--shift takes 0 to 255", "`256`"),
            (("vector", "--shift", "-4"), "--shift takes 0 to 255"),
            (("vector", "--shift", "2"), "--shift 2 is not a multiple of the 4 bytes", "`copy`"),
            (("vector", "--shift", "3", "--only", "half-relu"), "--shift 3", "the 2 bytes"),
            (("vector", "--shift", "4", "--only", "sum,layer-norm"), "--shift is for copy"),
            (("vector", "--only", "sum,tanh"), "no part `tanh`"),
            (("vector", "--only", ""), "no part ``"),
            (("width", "--fast"), "no option --fast"),
            (("width", "--runs"), "--runs lacks its value: --runs=N"),
            (("width", "--no-gpu", "--to", "32M"), "32 MiB", "--to 16M"),
            (("width", "--svg", "w.svg"), "no option --svg"),
            (("vector", "--no-gpu", "--cub", "a.so"), "--cub runs on a GPU", "--no-gpu")):
        b.refuse(f"refused: {' '.join(arguments) or 'nothing'}", b.run(*arguments), *parts)
    for arguments in (("--help",), ("help",), ("-h",), ("help", "help"), ("help", "--help")):
        b.expect(f"the benchmarks, by {' '.join(arguments)}", b.run(*arguments), 0,
                 "Usage: cutlet-bench BENCHMARK", "  algebra ", "  matrix ", "  vector ", "  width ",
                 "cutlet-bench width --tsv")
    for name, *parts in (("algebra", "Usage: cutlet-bench algebra\n"),
                         ("width", "Usage: cutlet-bench width [OPTION...]\n", "--widths=LIST",
                          "--tsv", "cutlet-bench width --tsv > width.tsv"),
                         ("vector", "Usage: cutlet-bench vector [OPTION...]\n", "--only=LIST",
                          "--runs=N", "cutlet-bench vector --only gelu,sum")):
        b.expect(f"help of {name}", b.run(name, "--help"), 0, *parts)
        b.check(f"help {name} is {name} --help", b.run("help", name) == b.run(name, "--help"))
    got = b.run("--version")
    b.check("the version", got[0] == 0 and got[1].startswith("cutlet-bench 0.") and not got[2], got)


def test_algebra(b):
    """A row for each operation, with times in order."""
    rows = [re.match(r"(.*?) +([\d.]+) ns +\(([\d.]+) to ([\d.]+)\)$", line)
            for line in b.run("algebra")[1].splitlines()[1:]]
    b.check("the algebra's table", len(rows) == 13 and all(
        row and 0 < float(row[3]) <= float(row[2]) <= float(row[4]) for row in rows) and
        rows[0][1] == "composition", rows)


def test_plot(b):
    """bench/plot.py draws a run that is kept: a line for each width, in light and dark; counts have no picture."""
    bench = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench")
    with tempfile.TemporaryDirectory() as folder:
        picture, counts_ = os.path.join(folder, "a.svg"), os.path.join(folder, "counts.tsv")
        for name, lines in (("h200_width_many.tsv", len(WIDTHS) + 1), ("plan_gpu.json", 0), ("plan_cpu.json", 0)):
            plot = [sys.executable, os.path.join(bench, "plot.py"), os.path.join(bench, "data", name), "--svg", picture]
            status, said = tap.run(plot)
            with open(picture, encoding="utf-8") as file:
                text = file.read()
            root = tree.fromstring(text)
            b.check(f"a picture of {name}", status == 0 and len(list(root.iter("{http://www.w3.org/2000/svg}path"))) == lines and
                    "prefers-color-scheme:dark" in text and "url(" not in text and text.count("http") == 1, said)
        with open(counts_, "w", encoding="utf-8") as file:
            file.write(b.run("width", "--no-gpu", "--to", "1K", "--tsv")[1])
        status, said = tap.run([sys.executable, os.path.join(bench, "plot.py"), counts_, "--svg", picture])
        b.check("counts have no picture", status == 1 and "has no rates" in said, said)


def main():
    if len(sys.argv) != 3:
        tap.die(__doc__)
    b = Bench(*sys.argv[1:])
    test_width_on_grid(b)
    test_vector_on_grid(b)
    test_arguments(b)
    test_algebra(b)
    test_plot(b)
    return b.report.finish()


if __name__ == "__main__":
    sys.exit(main())
