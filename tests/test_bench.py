#!/usr/bin/env python3
"""`cutlet bench`: on the CPU grid, whose counts follow from the widths; and on a driver that is none
(fake_cuda.c), whose launches take 2 ms and its memcpy 3.

    test_bench.py CUTLET FAKE_DRIVER
"""

import json
import os
import pty
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

import tap

# What a build without nvcc, or for other architectures, says.
NO_KERNELS = ("no GPU: built without nvcc, so there are no kernels inside", "no GPU: no kernels for Fake 40,")
WIDTHS = (1, 2, 4, 8, 16)
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


def is_close(a, b):
    """Whether two values of JSON are the same but for the last digits of numbers."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_close(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_close, a, b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-6 * abs(b)
    return a == b


class Bench:
    """Runs the command, and checks what it says."""

    def __init__(self, cutlet, fake):
        self.cutlet, self.fake = cutlet, fake
        self.report = tap.Report()

    def run(self, *arguments, **environment):
        env = {**os.environ, "CUTLET_CUDA_DRIVER": self.fake, **environment}
        if "CUTLET_NO_GPU" not in environment:
            env.pop("CUTLET_NO_GPU", None)
        done = subprocess.run([self.cutlet, "bench", *arguments], capture_output=True, text=True,
                              errors="replace", env=env, timeout=100)
        return done.returncode, done.stdout, done.stderr

    def check(self, name, passed, details=""):
        self.report.check(name, passed, str(details))

    def expect(self, name, got, status, *parts):
        """Output with these parts, in this order, however its words are broken into lines; something on
        stderr where the status is not 0."""
        text = got[1] + " ".join(got[1].split())
        at, ok = 0, got[0] == status and bool(got[2]) == (status != 0)
        for part in parts:
            at = text.find(part, at)
            ok = ok and at >= 0
        self.check(name, ok, f"status {got[0]}\n{got[1]}{got[2]}\nexpected {status}, {parts}")

    def refuse(self, name, got, *parts):
        """One line on stderr that has these parts; nothing else; status 2."""
        lines = got[2].splitlines()
        self.check(name, got[0] == 2 and got[1] == "" and len(lines) == 1 and
                   lines[0].startswith("cutlet bench: ") and all(part in got[2] for part in parts), got)

    def json(self, *arguments, **environment):
        got = self.run(*arguments, "--json", **environment)
        try:
            return json.loads(got[1])
        except ValueError:
            self.check(f"JSON of {arguments}", False, got)
            return {"results": [], "device": None, "reason": None, "regions": None}


# ---- without a GPU --------------------------------------------------------------------------------

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
    b.expect("the grid's table", got, 0, "CPU grid: what they ask of memory, not how fast they are", "instructions",
             "1 KiB    1 byte            64          64          64", "64 KiB", "16 bytes           256         256",
             "\nno GPU: CUTLET_NO_GPU is set\n")
    b.check("no rates without a GPU", "GB/s" not in got[1] and
            got[1].endswith("\nno GPU: CUTLET_NO_GPU is set\n"), got[1])
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
            ("half-relu", "relu_half_scalar", 2), ("half-relu", "relu_half_2", 4), ("half-relu", "relu_half", 16)):
        both = 2 * array // (32 * width)
        right[group, kernel] = (both, both, 2 * array // 32)
    for kernel, width, elem, passes in (
            ("layer_norm_passes_float_scalar", 4, 4, 3), ("layer_norm_passes_float", 16, 4, 3),
            ("layer_norm_float", 16, 4, 1), ("layer_norm_half", 16, 2, 1)):
        once = 4 * row * elem  # four rows: x so often, gamma, beta, and the result
        right["layer-norm", kernel] = tuple((passes + 3) * once // unit for unit in (32 * width, 32 * width, 32))
    for case, count in right.items():
        b.check(f"counts of {case[1]}", found.get(case) == count, (found.get(case), count))
    # Eight blocks read all and write a float each; one block reads those, and writes one.
    for kernel, width in (("sum_float_scalar", 4), ("sum_float", 16)):
        wide = array // (32 * width)
        b.check(f"counts of {kernel}", found.get(("sum", kernel), (0, 0, 0))[1:] ==
                (wide + 8 + 1 + 1, array // 32 + 8 + 1 + 1), found)
    b.check("nothing else", len(found) == len(right) + 2 and all(r["verified"] is True for r in run["results"]), run)
    only = b.json("vector", "--no-gpu", "--only", "sum,relu")
    b.check("--only", [r["group"] for r in only["results"]] == ["relu"] * 2 + ["sum"] * 2, only)
    only = b.json("vector", "--no-gpu", "--only", "layer-norm-large")
    b.check("--only of the large one", len(only["results"]) == 4, only)
    b.expect("the grid's table of kernels", b.run("vector", "--no-gpu"), 0, "CPU grid: what they ask of memory",
             "ReLU of halves", "relu_half_scalar", " 2048 ", "Layer norm, 4 rows of 4096", " 3.00\n", "no GPU: --no-gpu")


# ---- arguments ------------------------------------------------------------------------------------

def test_arguments(b):
    for arguments, *parts in (
            ((), "which one?"), (("height",), "no `height`"), (("width", "vector"), "not `vector` as well"),
            (("width", "--from", "0"), "--from takes"), (("width", "--to", "4X"), "--to takes", "4X"),
            (("width", "--to", "-1"), "--to takes"), (("width", "--to", "9999999G"), "--to takes"),
            (("width", "--from", "2M", "--to", "1M"), "2097152", "1048576"),
            (("width", "--widths", "3"), "--widths takes", "`3`"), (("width", "--widths", "1,,2"), "--widths takes"),
            (("width", "--widths", "64"), "--widths takes"), (("width", "--widths", "4,4"), "4 twice"),
            (("width", "--widths", ""), "--widths takes"), (("width", "--widths", "4,"), "--widths takes"),
            (("width", "--runs", "0"), "--runs takes 1 to 1000"), (("width", "--runs", "few"), "`few`"),
            (("width", "--mib", "4"), "for `cutlet bench vector`"), (("vector", "--to", "4K"), "for `cutlet bench width`"),
            (("vector", "--svg", "a.svg"), "for `cutlet bench width`"), (("vector", "--mib", "65537"), "1 to 65536"),
            (("vector", "--only", "sum,tanh"), "no part `tanh`"), (("vector", "--only", ""), "no part ``"),
            (("width", "--fast"), "no option --fast"), (("width", "--runs"), "wrong"),
            (("width", "--input", "a.json", "--to", "4K"), "only --json and --svg go with it"),
            (("width", "--no-gpu", "--to", "32M"), "32 MiB", "--to 16M"),
            (("width", "--no-gpu", "--svg", "a.svg"), "there are none (no GPU: --no-gpu)")):
        b.refuse(f"refused: {' '.join(arguments) or 'nothing'}", b.run(*arguments), *parts)
    got = b.run("--help")
    b.expect("help", got, 0, "cutlet bench [OPTION...] width|vector", "--input=RUN.json", "--widths=LIST", "--only=LIST",
             "cutlet bench width --to 1G --svg width.svg")


# ---- stored runs and pictures ---------------------------------------------------------------------

def stored(seconds_of, sizes, l2=50 * MIB, widths=(*WIDTHS, 0), **more):
    """A run of an H200 in which a copy takes seconds_of(width, bytes)."""
    results = [{"width": w, "bytes": s, "verified": True, "compared_by": "host", "seconds": seconds_of(w, s),
                "seconds_least": 0.9 * seconds_of(w, s), "seconds_most": 2 * seconds_of(w, s), "launches": 3}
               for s in sizes for w in widths]
    device = {"name": "A <device> & more", "major": 9, "minor": 0, "driver_cuda": 13000, "processors": 132,
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
    b.check("JSON of a stored run is that run", is_close(b.json("width", "--input", again), once) and
            [(r["width"], r["bytes"]) for r in once["results"]] == [(w, s) for s in sizes for w in (*WIDTHS, 0)] and
            all(abs(r["seconds"] / model(r["width"], r["bytes"]) - 1) < 1e-6 and
                abs(r["gb_s"] * model(r["width"], r["bytes"]) / (2e-9 * r["bytes"]) - 1) < 1e-6
                for r in once["results"]), once)
    # 16 bytes take 2.5 + 1.25 us, 1.5 times as long as at first, for 1.25e-6 * 800e9 / 2 bytes: 488 KiB.
    b.check("regions", once["regions"]["latency"] == {"from_bytes": KIB, "to_bytes": 256 * KIB} and
            once["regions"]["cache"] == {"from_bytes": 512 * KIB, "to_bytes": 16 * MIB} and
            once["regions"]["memory"] == {"from_bytes": 32 * MIB, "to_bytes": 64 * MIB} and
            "1.5 times" in once["regions"]["rule"] and "50 MiB" in once["regions"]["rule"], once["regions"])
    got = b.run("width", "--input", path)
    b.expect("the table of a stored run", got, 0, "A <device> & more (sm_90, 132 multiprocessors, L2 50 MiB",
             "at most 4900 GB/s", " 1 byte   2 bytes   4 bytes   8 bytes  16 bytes    memcpy        us  region\n",
             "  1 KiB ", " latency\n", "  1 MiB ", " cache\n", " 64 MiB ", " memory\n",
             "latency  1 KiB to 256 KiB; at best", "cache    512 KiB to 16 MiB", "memory   32 MiB to 64 MiB")
    b.check("the table of the table's JSON", b.run("width", "--input", again) == got, got)
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
        b.expect(f"a picture: {name}", got, 0, "none of the sizes")


def draw(b, folder, path, sizes):
    """The picture of a stored run."""
    picture = os.path.join(folder, "width.svg")
    b.expect("a picture", b.run("width", "--input", path, "--svg", picture), 0)
    with open(picture) as file:
        text = file.read()
    root = tree.fromstring(text)
    words = ["".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text")]
    b.check("the picture's words", all(word in words for word in (
        "Copies by width of access", "bytes of one array", "GB/s, read and written", "1 KiB", "64 MiB", "latency",
        "cache", "memory", "1 byte", "16 bytes", "memcpy", "the memory's peak, 4900 GB/s", "0")), words)
    lines = [e.get("class").split()[1] for e in root.iter("{http://www.w3.org/2000/svg}path")
             if e.get("class", "").startswith("line ") and " L" not in e.get("d") and e.get("d").count("L") > 2]
    tips = [e.text for e in root.iter("{http://www.w3.org/2000/svg}title")]
    b.check("a line for each width", sorted(lines) == [f"l{i}" for i in range(6)], lines)
    b.check("a tip for each point", len(tips) == 1 + 6 * len(sizes) and
            f"16 bytes, 1 MiB: {2e-9 * MIB / model(16, MIB):.4g} GB/s" in tips, tips)
    b.check("light and dark, and nothing from outside", "prefers-color-scheme:dark" in text and
            "url(" not in text and "href" not in text and text.count("http") == 1 and "<script" not in text, text)
    b.check("higher is faster", heights(root, "l5") == sorted(heights(root, "l5"), reverse=True), heights(root, "l5"))
    b.refuse("a picture that cannot be written", b.run(
        "width", "--input", path, "--svg", os.path.join(folder, "nowhere", "w.svg")), "nowhere")


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
            ("another bench", '{"bench":"vector"}', "`cutlet bench vector`"),
            ("no results", broken(lambda r: r.pop("results")), "results"),
            ("no device name", broken(lambda r: r["device"].pop("name")), "device"),
            ("a peak that is none", broken(lambda r: r["device"].update(peak_gb_s="much")), "device"),
            ("negative time", broken(lambda r: r["results"][3].update(seconds=-1)), "result 3"),
            ("width 3", broken(lambda r: r["results"][2].update(width=3)), "result 2"),
            ("bytes that are none", broken(lambda r: r["results"][0].update(bytes="1K")), "result 0"),
            ("sizes that go down", broken(lambda r: r["results"].reverse()), "result 6"),
            ("runs that are none", broken(lambda r: r.update(runs=-3)), "runs"),
            ("a result that is none", broken(lambda r: r["results"].insert(1, 7)), "result 1")):
        with open(path, "w") as file:
            file.write(text)
        b.refuse(f"--input: {name}", b.run("width", "--input", path), *parts)
    b.refuse("--input: no file", b.run("width", "--input", os.path.join(folder, "none.json")), "none.json")
    with open(path, "w") as file:
        file.write(json.dumps(b.json("width", "--no-gpu", "--to", "1K")))
    b.expect("counts from a file", b.run("width", "--input", path), 0, "instructions", "no GPU: --no-gpu")
    b.refuse("counts have no picture", b.run("width", "--input", path, "--svg", path + ".svg"), "this run has none")
    vector = b.json("vector", "--no-gpu", "--only", "sum")
    with open(path, "w") as file:
        json.dump(vector, file)
    b.check("JSON of stored counts", b.json("vector", "--input", path) == vector, vector)
    vector["results"][0]["kernel"] = "sum_of_nothing"
    with open(path, "w") as file:
        json.dump(vector, file)
    b.refuse("--input: another kernel", b.run("vector", "--input", path), "result 0")


# ---- on a GPU that is none ------------------------------------------------------------------------

def test_width_on_gpu(b):
    run = b.json("width", "--to", "256K", "--runs", "3")
    device = run["device"]
    b.check("the device", device["name"] == "Fake 40" and device["l2_bytes"] == 50 * MIB and
            abs(device["peak_gb_s"] - 2 * 3.201e9 * 6144 / 8 / 1e9) < 0.1 and run["reason"] is None and run["runs"] == 3,
            device)
    b.check("sizes and widths", [(r["bytes"], r["width"]) for r in run["results"]] ==
            [(KIB << k, w) for k in range(9) for w in (*WIDTHS, 0)], run["results"])
    b.check("figures", all(
        r["verified"] is True and r["compared_by"] == "host" and r["launches"] == 100 and
        abs(r["seconds"] - (2e-3 if r["width"] else 3e-3)) < 1e-9 and
        is_close(r["gb_s"], 2e-9 * r["bytes"] / r["seconds"]) for r in run["results"]), run["results"])
    got = b.run("width", "--from", "64M", "--to", "128M", "--runs", "2", "--widths", "16")
    b.expect("arrays of either kind", got, 0, "on the host, above by a kernel on the device, which first had to find",
             "256 bytes on either side")
    run = b.json("width", "--from", "64M", "--to", "128M", "--runs", "2", "--widths", "16")
    b.check("who compared", [(r["compared_by"], r["launches"]) for r in run["results"]] ==
            [("host", 4)] * 2 + [("device", 2)] * 2, run)
    for size in ("4K", "65M"):
        got = b.run("width", "--from", size, "--to", size, "--runs", "1", FAKE_CUDA_WRONG="width_copy_4")
        b.expect(f"a wrong copy of {size}", got, 1, "16 bytes", " wrong ", " memory\n" if size == "65M" else " cache\n")
        b.check(f"a wrong copy of {size} is named", len(got[2].splitlines()) == 1 and
                got[2].startswith("cutlet bench: width_copy_4: byte ") and " has to be " in got[2], got[2])
    run = b.json("width", "--to", "1K", "--runs", "1", FAKE_CUDA_WRONG="width_copy_4")
    b.check("a wrong copy as JSON", [r["verified"] for r in run["results"]] == [True, True, False, True, True, True] and
            run["results"][2]["gb_s"] is None, run)
    b.refuse("a kernel that compares wrongly", b.run("width", "--from", "65M", "--to", "65M",
                                                     FAKE_CUDA_WRONG="bench_wrong_words"), "bench_wrong_words")
    b.expect("what fits", b.run("width", "--from", "4K", "--to", "64K", "--runs", "1", FAKE_CUDA_MEMORY=str(40 * KIB)),
             0, " 16 KiB ", "Left out: arrays above 16 KiB up to 64 KiB", "40 KiB")
    b.refuse("nothing fits", b.run("width", "--from", "64K", FAKE_CUDA_MEMORY=str(40 * KIB)), "64 KiB", "40 KiB")
    b.refuse("no memory", b.run("width", "--to", "4K", FAKE_CUDA_FAIL="cuMemAlloc_v2"), "do not fit")
    b.refuse("a launch that fails", b.run("width", "--to", "4K", FAKE_CUDA_FAIL="cuLaunchKernel 9"),
             "cuLaunchKernel(width_copy_")
    got = b.run("width", "--to", "4K", "--runs", "1", FAKE_CUDA_FAIL="cuLaunchKernel 5000")
    b.expect("a launch that fails later", got, 1, " 1 KiB ", " cache\n")
    b.check("what is measured until then", got[2].startswith("cutlet bench: cuLaunchKernel(width_copy_") and
            " 2 KiB " not in got[1], got)
    b.refuse("32 bytes", b.run("width", "--widths", "32"), "accesses of 32 bytes", "sm_100", "sm_90")
    b.expect("32 bytes and 16", b.run("width", "--widths", "32,16", "--to", "1K", "--runs", "1"), 0, "16 bytes",
             "Left out: accesses of 32 bytes")
    b.expect("a peak that is not told", b.run("width", "--to", "1K", "--runs", "1",
                                              FAKE_CUDA_FAIL="cuDeviceGetAttribute 5"), 0, "memory 40 GiB, CUDA 13.0)")


def test_vector_on_gpu(b, folder):
    path = os.path.join(folder, "vector.json")
    run = b.json("vector", "--mib", "1", "--runs", "2", "--only", "copy,gelu,half-relu,sum,layer-norm-large")
    rows = {(r["group"], r["kernel"]): r for r in run["results"]}
    b.check("kernels", len(rows) == 3 + 2 + 3 + 2 + 4 and all(r["verified"] is True for r in rows.values()), run)
    # A launch takes 2 ms, a sum two of them; the driver's copy 3.
    b.check("figures of kernels", all(
        abs(r["seconds"] - (4e-3 if g == "sum" else 2e-3)) < 1e-9 and abs(r["memcpy_seconds"] - 3e-3) < 1e-9 and
        abs(r["of_memcpy"] - (0.375 if g == "sum" else 1.5)) < 1e-6 and
        is_close(r["gb_s"], 1e-9 * r["moved_bytes"] / r["seconds"]) and
        is_close(r["of_peak"], r["gb_s"] / run["device"]["peak_gb_s"]) and
        r["moved_bytes"] == (1 if g == "sum" else 2) * MIB and r["sets"] == 64 and r["launches"] == 100
        for (g, _), r in rows.items()), run)
    b.check("speedups", rows["half-relu", "relu_half"]["speedup"] == 1 and
            is_close(rows["half-relu", "relu_half"]["claimed_speedup"], 2) and
            is_close(rows["copy", "width_copy_16"]["claimed_speedup"], 1870 / 1420) and
            rows["copy", "width_copy_4"]["speedup"] is None and
            rows["layer-norm-large", "layer_norm_half"]["speedup"] is None, rows)
    with open(path, "w") as file:
        json.dump(run, file)
    b.check("JSON of stored kernels", is_close(b.json("vector", "--input", path), run), run)
    got = b.run("vector", "--input", path)
    b.expect("the table of kernels", got, 0, "Kernels by width of access, on Fake 40", "claimed speedup    GB/s speedup",
             "width_copy_16 ", "    1870    1.32    1.05    1.00   0.000   1.500\n", "Layer norm, 64 rows of 4096",
             "GELU within", "96.6 % of the peak, which is of 1935 GB/s", "91.7 %", "537 MB", "3781 GB/s", "4971 GB/s", "1074 MB", "3728 GB/s", "4925 GB/s")
    for elements, bytes_each, us, rate in ((64, 8, 142, 3781), (64, 8, 108, 4971), (256, 4, 288, 3728), (256, 4, 218, 4925)):
        b.check(f"{rate} GB/s is what was claimed to take {us} us",
                round(elements * MIB * bytes_each / us / 1e3) == rate)
    got = b.run("vector", "--mib", "1", "--runs", "1", "--only", "gelu,sum", FAKE_CUDA_WRONG="gelu_float")
    b.expect("a wrong kernel", got, 1, "gelu_float_scalar", " wrong ", "sum_float ", " 0.375\n")
    b.check("a wrong kernel is named", [line.split(": result ")[0] for line in got[2].splitlines()] ==
            ["cutlet bench: gelu_float_scalar", "cutlet bench: gelu_float"], got[2])
    got = b.run("vector", "--mib", "1", "--runs", "1", "--only", "sum", FAKE_CUDA_WRONG="sum_float")
    b.check("a wrong sum", got[0] == 1 and "sum_float_scalar: result 0 is " in got[2], got)
    b.refuse("arrays that do not fit", b.run("vector", "--mib", "65536", "--only", "relu"), "relu_float",
             "its arrays take 128 GiB", "40 GiB")
    got = b.run("vector", "--mib", "1", "--runs", "1", "--only", "relu", FAKE_CUDA_FAIL="cuLaunchKernel 1000")
    b.expect("a kernel's launch that fails later", got, 1, "relu_float_scalar ", " 1.500\n")
    b.check("the kernel until then", "relu_float " not in got[1] and
            got[2].startswith("cutlet bench: cuLaunchKernel(relu_float, "), got)
    b.refuse("a kernel's launch that fails", b.run("vector", "--mib", "1", "--only", "relu",
                                                   FAKE_CUDA_FAIL="cuLaunchKernel 1"), "cuLaunchKernel(relu_float_scalar")


def test_progress(b):
    """A terminal on stderr is told what is under way, and nothing stays there."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "CUTLET_CUDA_DRIVER": b.fake}
    env.pop("CUTLET_NO_GPU", None)
    subprocess.run([b.cutlet, "bench", "width", "--to", "2K", "--runs", "1"], stdout=subprocess.DEVNULL,
                   stderr=theirs, env=env, timeout=100, check=True)
    os.close(theirs)
    said = os.read(ours, 1 << 16).decode()
    os.close(ours)
    b.check("progress", "\r\033[K1 of 2: 1 KiB, " in said and "2 of 2: 2 KiB, " in said and said.endswith("\r\033[K") and
            "\n" not in said, repr(said))


def main():
    if len(sys.argv) != 3:
        tap.die(__doc__)
    b = Bench(*sys.argv[1:])
    test_width_on_grid(b)
    test_vector_on_grid(b)
    test_arguments(b)
    with tempfile.TemporaryDirectory() as folder:
        test_input(b, folder)
        test_bad_input(b, folder)
        last = b.run("width", "--to", "1K", "--runs", "1")[1].splitlines()[-1]
        if last.startswith(NO_KERNELS):
            b.report.skip("on a GPU", last)
        else:
            test_width_on_gpu(b)
            test_vector_on_gpu(b, folder)
            test_progress(b)
    return b.report.finish()


if __name__ == "__main__":
    sys.exit(main())
