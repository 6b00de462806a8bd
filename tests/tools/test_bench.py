#!/usr/bin/env python3
"""cutlet-bench without a GPU: on the CPU grid, whose counts follow from the widths; from files.

    test_bench.py CUTLET-BENCH FAKE_DRIVER
"""

import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap
from bench_run import GIB, KIB, MIB, WIDTHS, Bench, is_close


# ---- without a GPU -------------------------------------------------------------------------------

def test_width_on_grid(b):
    run = b.json("width", "--no-gpu", "--widths", "32,16,8,4,2,1", "--to", "16K")
    b.check("the grid's sizes and widths", run["bench"] == "width" and run["device"] is None and
            run["reason"] == "no GPU: --no-gpu" and run["regions"] is None and
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
        run = b.json("width", "--no-gpu", "--form", form, "--from", "1003", "--to", "300K")
        b.check(f"--form {form}", run["form"] == form and len(run["results"]) == 9 * 5 and all(
            r["verified"] is True and r["requests"] ==
            2 * (-(-(r["bytes"] // r["width"]) // 32) + (r["bytes"] % r["width"] > 0))
            for r in run["results"]), run)
        b.expect(f"the table of --form {form}", b.run("width", "--no-gpu", "--form", form), 0,
                 f"Copies by width of access, {head} on the CPU grid")
    run = b.json("width", "--no-gpu", "--from", "1003", "--to", "5000")
    b.check("odd sizes", [r["bytes"] for r in run["results"][::5]] == [1003, 2006, 4012] and
            all(r["verified"] for r in run["results"]), run)
    b.check("whole vectors, and the bytes behind them one by one",
            [r["requests"] for r in run["results"][:5]] ==
            [2 * (-(-(1003 // w) // 32) + 1003 % w) for w in WIDTHS], run["results"][:5])


def counts(run):
    return {(r["group"], r["kernel"]): (r["instructions"], r["requests"], r["sectors"])
            for r in run["results"]}


def test_vector_on_grid(b):
    run = b.json("vector", "--no-gpu")
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
    only = b.json("vector", "--no-gpu", "--only", "sum,relu")
    b.check("--only", [r["group"] for r in only["results"]] == ["relu"] * 2 + ["sum"] * 2, only)
    only = b.json("vector", "--no-gpu", "--only", "layer-norm-large")
    b.check("--only of the large one", len(only["results"]) == 6, only)
    # A vector of a source that is not aligned to it is cut out of two: one load more for each.
    shifted = b.json("vector", "--no-gpu", "--shift", "4", "--only", "copy,relu,gelu,half-relu,sum")
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
            (("width", "--input", "a.json", "--form", "one"), "only --json and --svg go with it"),
            (("width", "--runs", "0"), "--runs takes 1 to 1000"),
            (("width", "--runs", "few"), "`few`"),
            (("width", "--mib", "4"), "no option --mib", "`cutlet-bench width --help`"),
            (("vector", "--mib", "65537"), "1 to 65536"),
            (("vector", "--shift", "256"), "--shift takes 0 to 255", "`256`"),
            (("vector", "--shift", "-4"), "--shift takes 0 to 255"),
            (("vector", "--shift", "2"), "--shift 2 is not a multiple of the 4 bytes", "`copy`"),
            (("vector", "--shift", "3", "--only", "half-relu"), "--shift 3", "the 2 bytes"),
            (("vector", "--shift", "4", "--only", "sum,layer-norm"), "--shift is for copy"),
            (("vector", "--input", "a.json", "--shift", "0"), "only --json goes with it"),
            (("vector", "--input", "a.json", "--no-gpu"), "only --json goes with it"),
            (("width", "--input", "a.json", "--runs", "3"), "only --json and --svg go with it"),
            (("vector", "--only", "sum,tanh"), "no part `tanh`"),
            (("vector", "--only", ""), "no part ``"),
            (("width", "--fast"), "no option --fast"),
            (("width", "--runs"), "--runs lacks its value: --runs=N"),
            (("width", "--input", "a.json", "--to", "4K"), "only --json and --svg go with it"),
            (("width", "--no-gpu", "--to", "32M"), "32 MiB", "--to 16M"),
            (("vector", "--no-gpu", "--cub", "a.so"), "--cub runs on a GPU", "--no-gpu"),
            (("width", "--no-gpu", "--svg", "a.svg"), "which need a GPU (no GPU: --no-gpu)")):
        b.refuse(f"refused: {' '.join(arguments) or 'nothing'}", b.run(*arguments), *parts)
    for arguments in (("--help",), ("help",), ("-h",), ("help", "help"), ("help", "--help")):
        b.expect(f"the benchmarks, by {' '.join(arguments)}", b.run(*arguments), 0,
                 "Usage: cutlet-bench BENCHMARK", "  algebra ", "  matrix ", "  vector ", "  width ",
                 "cutlet-bench width --svg width.svg")
    for name, *parts in (("algebra", "Usage: cutlet-bench algebra\n"),
                         ("width", "Usage: cutlet-bench width [OPTION...]\n", "--widths=LIST",
                          "--svg=FILE", "--input=RUN.json", "cutlet-bench width --svg width.svg"),
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


# ---- stored runs and pictures --------------------------------------------------------------------

def stored(seconds_of, sizes, l2=50 * MIB, widths=(*WIDTHS, 0), **more):
    """A run of an H200 in which a copy takes seconds_of(width, bytes)."""
    results = [{"width": w, "bytes": s, "verified": True, "compared_by": "host",
                "seconds": seconds_of(w, s),
                "seconds_least": 0.9 * seconds_of(w, s), "seconds_most": 2 * seconds_of(w, s),
                "launches": 3}
               for s in sizes for w in widths]
    device = {"name": "A <device> & more", "major": 9, "minor": 0, "driver_cuda": 13000,
              "processors": 132,
              "memory_bytes": 140 * GIB, "l2_bytes": l2, "peak_gb_s": 4900.0}
    return {"bench": "width", "device": device, "reason": None, "runs": 20, "left_out": None,
            "results": results, **more}


def model(width, size):
    """2.5 us, and what is moved at 50 GB/s for each byte of width (as if 80 bytes for memcpy)."""
    return 2.5e-6 + 2 * size / (50e9 * (width or 80))


def test_input(b, folder):
    path, again = os.path.join(folder, "run.json"), os.path.join(folder, "again.json")
    sizes = [KIB << k for k in range(17)]
    with open(path, "w") as file:
        json.dump(stored(model, sizes), file)
    once = b.json("width", "--input", path)
    with open(again, "w") as file:
        json.dump(once, file)
    places = [(r["width"], r["bytes"]) for r in once["results"]]
    b.check("JSON of a stored run is that run",
            is_close(b.json("width", "--input", again), once) and
            places == [(w, s) for s in sizes for w in (*WIDTHS, 0)] and
            all(abs(r["seconds"] / model(r["width"], r["bytes"]) - 1) < 1e-6 and
                abs(r["gb_s"] * model(r["width"], r["bytes"]) / (2e-9 * r["bytes"]) - 1) < 1e-6
                for r in once["results"]), once)
    # 16 bytes take 2.5 + 1.25 us, 1.5 times as long as at first, for 1.25e-6 * 800e9 / 2 bytes,
    # which are 488 KiB.
    b.check("regions", once["regions"]["latency"] == {"from_bytes": KIB, "to_bytes": 256 * KIB} and
            once["regions"]["cache"] == {"from_bytes": 512 * KIB, "to_bytes": 16 * MIB} and
            once["regions"]["memory"] == {"from_bytes": 32 * MIB, "to_bytes": 64 * MIB} and
            "1.5 times" in once["regions"]["rule"] and "50 MiB" in once["regions"]["rule"],
            once["regions"])
    got = b.run("width", "--input", path)
    b.expect("the device of a stored run", got, 0,
             "A <device> & more (sm_90, 132 multiprocessors, L2 50 MiB, memory 140 GiB, "
             "at most 4900 GB/s")
    b.expect("the table of a stored run", got, 0,
             " 1 byte   2 bytes   4 bytes   8 bytes  16 bytes    memcpy        us  region\n",
             "  1 KiB ", " latency\n", "  1 MiB ", " cache\n", " 64 MiB ", " memory\n",
             "  region    1 byte ", "  sizes\n", "     latency ", "  1 KiB to 256 KiB, at best\n",
             "       cache ", "  512 KiB to 16 MiB, at best\n", "      memory ",
             "  32 MiB to 64 MiB, at 64 MiB\n")
    b.check("the table of the table's JSON", b.run("width", "--input", again) == got, got)
    b.check("a stored run that names no form", once["form"] == "many", once["form"])
    draw(b, folder, path, sizes)

    for name, sizes, seconds, latency, cache, memory in (
            ("all fit the cache", [KIB, 2 * KIB], lambda w, s: s / 1e9, None, (KIB, 2 * KIB), None),
            ("one size", [GIB], lambda w, s: s / 1e9, None, None, (GIB, GIB)),
            ("launches alone", [KIB, 2 * KIB], lambda w, s: 2e-6, (KIB, 2 * KIB), None, None)):
        with open(path, "w") as file:
            json.dump(stored(seconds, sizes), file)
        found = b.json("width", "--input", path)["regions"]
        b.check(f"regions: {name}", all(
            found[key] == (ends and {"from_bytes": ends[0], "to_bytes": ends[1]})
            for key, ends in (("latency", latency), ("cache", cache), ("memory", memory))), found)
        got = b.run("width", "--input", path, "--svg", os.path.join(folder, "small.svg"))
        tree.parse(os.path.join(folder, "small.svg"))
        b.expect(f"a picture: {name}", got, 0, "  none\n")


def draw(b, folder, path, sizes):
    """The picture of a stored run."""
    picture = os.path.join(folder, "width.svg")
    b.expect("a picture", b.run("width", "--input", path, "--svg", picture), 0)
    with open(picture) as file:
        text = file.read()
    root = tree.fromstring(text)
    words = ["".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text")]
    b.check("the picture's words", all(word in words for word in (
        "Copies by width of access", "bytes of one array", "GB/s, read and written", "1 KiB",
        "64 MiB", "latency",
        "cache", "memory", "1 byte", "16 bytes", "memcpy", "the memory's peak, 4900 GB/s", "0")),
        words)
    lines = [e.get("class").split()[1] for e in root.iter("{http://www.w3.org/2000/svg}path")
             if e.get("class", "").startswith("line ") and " L" not in e.get("d") and
             e.get("d").count("L") > 2]
    tips = [e.text for e in root.iter("{http://www.w3.org/2000/svg}title")]
    b.check("a line for each width", sorted(lines) == [f"l{i}" for i in range(6)], lines)
    b.check("a tip for each point", len(tips) == 1 + 6 * len(sizes) and
            f"16 bytes, 1 MiB: {2e-9 * MIB / model(16, MIB):.4g} GB/s" in tips, tips)
    b.check("light and dark, and nothing from outside", "prefers-color-scheme:dark" in text and
            "url(" not in text and "href" not in text and text.count("http") == 1 and
            "<script" not in text, text)
    b.check("higher is faster", heights(root, "l5") == sorted(heights(root, "l5"), reverse=True),
            heights(root, "l5"))
    b.refuse("a picture that cannot be written", b.run(
        "width", "--input", path, "--svg", os.path.join(folder, "nowhere", "w.svg")), "nowhere")
    got = b.run("width", "--input", path, "--svg", "/dev/full")
    b.check("the table of a run whose picture fails", got[0] == 2 and
            got[1] == b.run("width", "--input", path)[1] and len(got[2].splitlines()) == 1 and
            "/dev/full" in got[2], got)
    b.check("nothing is left of a picture",
            sorted(os.listdir(folder)) == ["again.json", "run.json", "width.svg"],
            os.listdir(folder))


def heights(root, line):
    """The ordinates of a line's points, from left to right."""
    for e in root.iter("{http://www.w3.org/2000/svg}path"):
        if e.get("class") == f"line {line}":
            return [float(point.split()[1]) for point in e.get("d")[1:].split("L")]
    return []


def test_bad_input(b, folder):
    path = os.path.join(folder, "bad.json")
    good = stored(model, [KIB, 2 * KIB])

    def broken(change):
        run = json.loads(json.dumps(good))
        change(run)
        return json.dumps(run)

    for name, text, *parts in (
            ("no JSON", "{", "line 1"), ("a list", "[1]", "no string \"bench\""),
            ("another bench", '{"bench":"vector"}', "`cutlet-bench vector`"),
            ("no results", broken(lambda r: r.pop("results")), "results"),
            ("no device name", broken(lambda r: r["device"].pop("name")), "device"),
            ("a peak that is no number", broken(lambda r: r["device"].update(peak_gb_s="much")),
             "device"),
            ("an unknown form", broken(lambda r: r.update(form="two")), "form"),
            ("negative time", broken(lambda r: r["results"][3].update(seconds=-1)), "result 3"),
            ("a time that no clock tells", broken(lambda r: r["results"][1].update(seconds=1e-13)),
             "result 1"),
            ("a size that no memory has", broken(lambda r: r["results"][9].update(bytes=1 << 51)),
             "result 9"),
            ("width 3", broken(lambda r: r["results"][2].update(width=3)), "result 2"),
            ("bytes that are no number", broken(lambda r: r["results"][0].update(bytes="1K")),
             "result 0"),
            ("sizes that go down", broken(lambda r: r["results"].reverse()), "result 6"),
            ("a negative number of runs", broken(lambda r: r.update(runs=-3)), "runs"),
            ("a result that is no object", broken(lambda r: r["results"].insert(1, 7)), "result 1")):
        with open(path, "w") as file:
            file.write(text)
        b.refuse(f"--input: {name}", b.run("width", "--input", path), *parts)
    b.refuse("--input: no file", b.run("width", "--input", os.path.join(folder, "none.json")),
             "none.json")
    with open(path, "w") as file:
        file.write(json.dumps(b.json("width", "--no-gpu", "--to", "1K")))
    b.expect("counts from a file", b.run("width", "--input", path), 0, "instructions",
             "no GPU: --no-gpu")
    b.refuse("counts have no picture", b.run("width", "--input", path, "--svg", path + ".svg"),
             "this run has none")
    vector = b.json("vector", "--no-gpu", "--only", "sum")
    with open(path, "w") as file:
        json.dump(vector, file)
    b.check("JSON of stored counts", b.json("vector", "--input", path) == vector, vector)
    vector["results"][0]["kernel"] = "sum_of_nothing"
    with open(path, "w") as file:
        json.dump(vector, file)
    b.refuse("--input: another kernel", b.run("vector", "--input", path), "result 0")


def main():
    if len(sys.argv) != 3:
        tap.die(__doc__)
    b = Bench(*sys.argv[1:])
    test_width_on_grid(b)
    test_vector_on_grid(b)
    test_arguments(b)
    test_algebra(b)
    with tempfile.TemporaryDirectory() as folder:
        test_input(b, folder)
        test_bad_input(b, folder)
    return b.report.finish()


if __name__ == "__main__":
    sys.exit(main())
