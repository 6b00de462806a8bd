"""The tables of the documents, each a function that gives Markdown, from bench/data or from files that are counted."""

import csv
import functools
import json
import os
import re
import statistics
import subprocess
import sys

MADE = {}
SOURCE = "."


def table(function):
    """A function of this module is a table of that name."""
    MADE[function.__name__] = function
    return function


def of(source):
    """The tables of a project, by name."""
    global SOURCE  # pylint: disable=global-statement
    SOURCE = source
    return MADE


# ---- reading and writing ---------------------------------------------------------------------------


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def number(text):
    """A number where a cell is one."""
    try:
        return float(text) if re.search(r"[.e]", text) else int(text)
    except (TypeError, ValueError):
        return text


def tsv(name):
    """The rows of a file of bench/data; lines with # are words."""
    lines = [line for line in read(f"bench/data/{name}").splitlines() if not line.startswith("#")]
    return [{key: number(cell) for key, cell in row.items()} for row in csv.DictReader(lines, delimiter="\t")]


def by(rows, *keys):
    """The rows by the values of some columns, joined by blanks."""
    return {" ".join(str(row[key]) for key in keys): row for row in rows}


def markdown(head, rows):
    """A table; a cell None is empty."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    return "".join("| " + " | ".join(row) + " |\n" for row in [head]) + "|" + "---|" * len(head) + "\n" + \
        "".join("| " + " | ".join(row) + " |\n" for row in cells)


def rounded(value, digits=0):
    return None if value in (None, "") else f"{value:,.{digits}f}" if digits else f"{value:.0f}"


# ---- the algebra, plans ----------------------------------------------------------------------------


@table
def algebra():
    return markdown(["operation", "least, ns", "median, ns"],
                    [[r["operation"], rounded(r["least_ns"], 1), rounded(r["median_ns"], 1)] for r in tsv("algebra.tsv")])


def plan_rows(kind):
    """Each plan: its name, GB/s, and how many times as fast it is as each other way."""
    cccl = {line.split("\t")[0]: float(line.split("\t")[1]) for line in read("bench/plan/cccl.tsv").splitlines()
            if not line.startswith("#")} if kind == "gpu" else {}
    for row in json.loads(read(f"bench/data/plan_{kind}.json"))["results"]:
        ours = row["seconds"]["estimate"]
        ratio = {way: seconds / ours for way, seconds in row["seconds"].items()}
        rate = 2e-9 * row["bytes"] / ours
        if row["name"] in cccl:
            ratio["cccl"] = rate / cccl[row["name"]]
        yield row["name"], rate, ratio


PLANS = {"cpu": ("numpy", "memcpy", "torch"), "gpu": ("memcpy", "torch", "cccl", "measure")}


@table
def plans():
    """The listed cases one by one, the permutations together; on a CPU, then on a GPU."""
    found = {kind: {name: (rate, ratio) for name, rate, ratio in plan_rows(kind)} for kind in PLANS}
    cells = []

    def add(name, pick):
        cells.append([name] + [cell for kind, ways in PLANS.items() for cell in
                               [rounded(pick(kind, None), 1 if kind == "cpu" else 0), *(rounded(pick(kind, way), 2) for way in ways)]])
    for name in found["cpu"]:
        if not name.startswith("permute_"):
            add(name, lambda kind, way, name=name: found[kind][name][1].get(way) if way else found[kind][name][0])
    for word, of_all in (("least", min), ("median", statistics.median)):
        def pick(kind, way, of_all=of_all):
            some = [ratio.get(way) if way else rate for name, (rate, ratio) in found[kind].items() if name.startswith("permute_")]
            return of_all(some) if None not in some else None
        add(f"30 permutations, {word}", pick)
    return markdown(["case", "CPU, GB/s", "of NumPy", "of memcpy", "of PyTorch", "GPU, GB/s", "of memcpy", "of PyTorch", "of CCCL",
                     "of effort measure"], cells)


@table
def plan_made():
    data = json.loads(read("bench/data/plan_gpu.json"))
    made, over = data["create"], data["overhead"]
    compiled = [s for s in made["first"].values() if s > 0.02]

    def words(values, unit, scale, digits=1):
        values = list(values)
        return [f"{scale * statistics.median(values):.{digits}f} {unit}", f"{scale * max(values):.{digits}f} {unit}"]
    rows = [["made for the first time, compiled by NVRTC", len(compiled), *words(compiled, "ms", 1e3, 0)],
            ["made for the first time, nothing compiled", len(made["first"]) - len(compiled),
             *words((s for s in made["first"].values() if s <= 0.02), "ms", 1e3)],
            ["found on disk by another process", len(made["disk"]), *words(made["disk"].values(), "ms", 1e3)],
            ["found in memory", len(made["memory"]), *words(made["memory"].values(), "us", 1e6, 0)]]
    rows += [[f"a run of {name} plan, more than the launch of an empty kernel", None,
              f"{1e6 * (over[key]['run'] - over[key]['launch']):.1f} us", None]
             for key, name in (("tiny", "a tiny"), ("small", "a small")) if key in over]
    return markdown(["a plan", "cases", "median", "longest"], rows)


# ---- copies and transposes -------------------------------------------------------------------------


def matrix():
    return by(tsv("h200_matrix.tsv"), "group", "job")


@table
def reach():
    """The table of README.md."""
    jobs, gemm_rows = matrix(), [r for r in tsv("h200_gemm.tsv") if r["batch"]]
    large = [r["ratio"] for r in gemm_rows if r["set"] == "large" and r["m"] % 8 == 0]
    shapes = [r["ratio"] for r in gemm_rows if r["set"] == "shapes"]
    odd = [r["ratio"] for r in gemm_rows if r["m"] % 8]
    heads = list(attention_rows())
    span = lambda values: " to ".join(sorted({f"{min(values):.2f}", f"{max(values):.2f}"}))
    transposed = [max(jobs[f"transpose {name}_{how}_out0"]["of_memcpy"] for how in ("swizzled", "padded"))
              for name in TRANSPOSES.values()]
    return markdown(["on one H200", "beside", "ratio"], [
        ["the best tiled copy, aligned", "the driver's memcpy", span([jobs[f"best best_copy_128x1_async {o} {e}"]["of_memcpy"]
                                                                      for o in ("row", "col") for e in (2, 4)])],
        ["`ct_copy_any`, steps known at run time", "memcpy", span([jobs[f"static view_copy_2 {o}"]["of_memcpy"]
                                                                   for o in ("row", "col")])],
        ["transposes, 1 to 16 bytes an element", "memcpy", span(transposed)],
        ["14 variants of the tiled copy", "the same with CuTe", span([r["beside_of_this"] for r in tsv("h200_peer.tsv")])],
        ["`wgmma.cu`, 4096 and 8192 cubed", "cublasLt", span(large)],
        [f"`wgmma.cu`, {len(shapes)} shapes of bfloat16", "cublasLt", span(shapes)],
        ["`wgmma.cu`, odd extents", "cublasLt", span(odd)],
        ["`attention.cu`, forward", "cuDNN", span([r["ratio"] for r in heads])],
    ])


@table
def best_copy():
    jobs, rows = matrix(), []
    for size, name in ((2, "half"), (4, "float")):
        for note in ("", " odd extents", " misaligned"):
            two = [jobs[f"best best_copy_128x1_async {order} {size}{note}"] for order in ("row", "col")]
            rows.append([name + "," + (note or " aligned"), *(cell for r in two for cell in
                                                              (rounded(r["gb_s"]), rounded(r["of_memcpy"], 3)))])
    return markdown(["data", "row-major, GB/s", "of memcpy", "column-major, GB/s", "of memcpy"], rows)


@table
def beside_cute():
    rows = []
    for r in tsv("h200_peer.tsv"):
        variant, order, _ = r["beside"].split()
        rows.append([variant, order, rounded(r["beside_gb_s"]), rounded(r["gb_s"]), rounded(r["beside_of_this"], 3)])
    return markdown(["variant", "data", "cutlet, GB/s", "CuTe, GB/s", "cutlet / CuTe"], rows)


@table
def ragged():
    jobs, rows = matrix(), []
    for variant, order in (("rows4-wide", "row"), ("rows8", "row"), ("rows8-async", "row"), ("half-line", "row"),
                           ("cols8", "col"), ("cols8-async", "col"), ("rows4", "row"), ("cols4", "col")):
        of_memcpy = [jobs[f"copy {variant} {order} 2"]] + [jobs[f"ragged {variant} {order} 2{note}"] for note in
                                                           (" odd extents", " misaligned", " misaligned apart")]
        rows.append([variant, order, *(rounded(r["of_memcpy"], 3) for r in of_memcpy)])
    return markdown(["variant", "data", "aligned", "odd extents", "misaligned", "destination alone misaligned"], rows)


@table
def static():
    rows, jobs = [], [r for r in tsv("h200_matrix.tsv") if r["group"] == "static"]
    for one, other in zip(jobs[::2], jobs[1::2]):
        name = one["job"].replace(" 2 run-time", "").replace("view_copy_with_2", "a tiled copy,").replace(
            "view_copy_2", "`ct_copy_any`,")
        rows.append([name, rounded(one["gb_s"]), rounded(one["of_memcpy"], 3), rounded(other["gb_s"]),
                     rounded(other["of_memcpy"], 3), rounded(one["of_memcpy"] / other["of_memcpy"], 3)])
    return markdown(["copy, data", "run-time, GB/s", "of memcpy", "static, GB/s", "of memcpy", "run-time / static, of memcpy"], rows)


TRANSPOSES = {1: "1_256x256_256x2_reg16", 2: "2_128x128_1024x2_reg2", 4: "4_64x64_512x4_reg2", 8: "8_32x32_256x8_reg2",
              16: "16_32x32_512x4_reg1"}
SECTORS = {1: "1_256x240_512x2_sector16", 2: "2_256x120_512x3_sector8", 4: "4_128x124_1024x2_sector4", 8: "8_64x62_512x4_sector2",
          16: "16_32x32_512x4_sector1"}


def tile_of(name):
    """The tile and the threads of a kernel's name."""
    rows, cols, threads = re.match(r"\d+_(\d+)x(\d+)_(\d+)", name).groups()
    return f"{rows} x {cols}, {threads}"


@table
def transposes():
    jobs, rows = matrix(), []
    others = [r for r in tsv("h200_triton.tsv") if r["bytes"] == 2**30]
    for size, name in TRANSPOSES.items():
        two = [jobs[f"transpose {name}_{how}_out0"] for how in ("swizzled", "padded")]
        best = {who: max((r["of_memcpy"] for r in others if r["elem_bytes"] == size and r["job"].startswith(who)), default=None)
                for who in ("Triton", "PyTorch")}
        rows.append([size, tile_of(name), rounded(max(r["gb_s"] for r in two)), *(rounded(r["of_memcpy"], 3) for r in two),
                     rounded(best["Triton"], 3), rounded(best["PyTorch"], 3)])
    return markdown(["element bytes", "tile, threads", "GB/s", "swizzled, of memcpy", "padded", "Triton", "PyTorch `copy_(x.t())`"],
                    rows)


@table
def transposes_misaligned():
    jobs, rows = matrix(), []
    for size, name in SECTORS.items():
        rows.append([size, tile_of(name), *(rounded(jobs[f"transpose {name}_padded_out0{note}"]["of_memcpy"], 3)
                                            for note in (" odd extents", " misaligned"))])
    return markdown(["element bytes", "tile, threads", "odd extents, of memcpy", "misaligned"], rows)


# ---- documents 000 to 004 --------------------------------------------------------------------------

TUTORIAL = [("`local_partition` (8,32), one by one", "local_partition (8,32)"),
            ("`local_partition` (1,256), 64-bit", "local_partition (1,256), 64-bit"),
            ("`local_partition` (1,256), 128-bit", "local_partition (1,256), 128-bit"),
            ("tiled copy (8,32) x (4,1), the same accesses 32 bits wide", "tiled (8,32) x (4,1), 32-bit"),
            ("tiled copy (8,32) x (4,1), 128-bit", "tiled (8,32) x (4,1), 128-bit"),
            ("`local_partition` (32,8), 32-bit", "local_partition (32,8), 32-bit"),
            ("tiled copy (32,8) x (4,1), 128-bit", "tiled (32,8) x (4,1), 128-bit"),
            ("tiled copy (32,8) x (4,1), cp.async", "tiled (32,8) x (4,1), cp.async")]


@table
def tutorial():
    jobs = matrix()
    return markdown(["from global to shared memory, bytes read", "one block, GB/s", "whole GPU, GB/s"],
                    [[words, *(rounded(jobs[f"tutorial {job}, {where}"]["gb_s"]) for where in ("one block", "whole GPU"))]
                     for words, job in TUTORIAL])


ARTICLE = [("row-major, (16,8):(8,1), (1,4)", "row-major"), ("column-major, the same", "column-major"),
           ("column-major, printed: (8,16):(16,1), (4,1)", "its transposed"),
           ("column-major, actually transposed: (8,16):(1,8), (4,1)", "actually transposed"),
           ("row-major, (16,8):(8,1), (1,8), cp.async", "row-major, cp.async"),
           ("column-major, printed, (8,1), cp.async", "its transposed, cp.async"),
           ("column-major, actually transposed, (8,1), cp.async", "transposed, cp.async"),
           ("half lines: (32,4):(4,1), (1,8), cp.async", "half a line, cp.async")]


@table
def article():
    jobs = matrix()
    return markdown(["threads and values", "4096 x 4096, GB/s", "16384 x 16384, GB/s", "of memcpy"],
                    [[words, rounded(jobs[f"article {job}, 4096 x 4096"]["gb_s"]),
                      *(rounded(jobs[f"article {job}, 16384 x 16384"][key], digits) for key, digits in (("gb_s", 0), ("of_memcpy", 3)))]
                     for words, job in ARTICLE])


def half_gib(form):
    """GB/s of a width over 512 MiB."""
    return {r["width"]: r["gb_s"] for r in tsv(f"h200_width_{form}.tsv") if r["bytes"] == 512 * 2**20}


@table
def widths():
    forms = [half_gib(form) for form in ("one", "loop", "many")]
    return markdown(["copy of half a GiB by", "one access a thread, GB/s", "a loop, GB/s", "16 bytes a thread, GB/s"],
                    [["memcpy" if w == 0 else f"{w} bytes" if w > 1 else "1 byte", *(rounded(form[w]) for form in forms)]
                     for w in (1, 2, 4, 8, 16, 0)])


VECTOR = [("vector_512", "copy width_copy_4", "copy by 4 bytes", "512 MiB"),
          ("vector_512", "copy width_copy_16", "copy by 16 bytes", "512 MiB"),
          ("vector_512", "relu relu_float_scalar", "ReLU, float, by 4 bytes", "512 MiB"),
          ("vector_512", "relu relu_float", "ReLU, float, by 16 bytes", "512 MiB"),
          ("vector_512", "gelu gelu_float_scalar", "GELU, float, by 4 bytes", "512 MiB"),
          ("vector_512", "gelu gelu_float", "GELU, float, by 16 bytes", "512 MiB"),
          ("vector_512", "half-relu relu_half_scalar", "ReLU, half, one at a time", "512 MiB"),
          ("vector_512", "half-relu relu_half_2", "ReLU, half, by two", "512 MiB"),
          ("vector_512", "half-relu relu_half", "ReLU, half, by eight", "512 MiB"),
          ("vector_512", "bfloat16 relu_bfloat16", "ReLU, bfloat16, by eight", "512 MiB"),
          ("vector", "sum sum_float_scalar", "sum, float, by 4 bytes", "1 GiB"),
          ("vector", "sum sum_float", "sum, float, by 16 bytes", "1 GiB"),
          ("vector", "read read_float", "reading alone, by 16 bytes", "1 GiB"),
          ("vector", "layer-norm-large layer_norm_passes_float_scalar", "layer norm, float, three passes, by 4 bytes", "65536 x 4096"),
          ("vector", "layer-norm-large layer_norm_passes_float", "layer norm, float, three passes, by 16 bytes", "65536 x 4096"),
          ("vector", "layer-norm-large layer_norm_float", "layer norm, float, one read", "65536 x 4096"),
          ("vector", "layer-norm-large layer_norm_passes_half_scalar", "layer norm, half, three passes, one at a time", "65536 x 4096"),
          ("vector", "layer-norm-large layer_norm_passes_half", "layer norm, half, three passes, by eight", "65536 x 4096"),
          ("vector", "layer-norm-large layer_norm_half", "layer norm, half, one read", "65536 x 4096")]
TORCH = {"ReLU, float, by 16 bytes": "relu float32", "GELU, float, by 16 bytes": "gelu float32", "ReLU, half, by eight": "relu float16",
         "sum, float, by 16 bytes": "sum float32", "layer norm, float, one read": "layer_norm float32",
         "layer norm, half, one read": "layer_norm float16"}


def vector_rows(*words):
    """(name, array, row) of the kernels whose names begin so."""
    sets = {name: by(tsv(f"h200_{name}.tsv"), "group", "kernel") for name in ("vector", "vector_512")}
    return [(name, array, sets[file][key]) for file, key, name, array in VECTOR if not words or name.startswith(words)]


def of_vector(*words):
    torch = by(tsv("h200_torch_vector.tsv"), "what", "type")
    rows = []
    for name, array, r in vector_rows(*words):
        other = torch.get(TORCH.get(name), {}).get("GB/s")
        rows.append([name, array, rounded(r["gb_s"]), rounded(r["of_memcpy"], 3), rounded(r["speedup"], 2), rounded(other)])
        compiled = torch.get(TORCH.get(name, "").replace(" ", " compiled "), {}).get("GB/s")
        if compiled:
            rows.append(["the same by `torch.compile`", array, None, None, None, rounded(compiled)])
    return markdown(["kernel", "array", "GB/s", "of memcpy", "over scalar", "PyTorch, GB/s"], rows)


@table
def vector():
    return of_vector("copy", "ReLU, float, by 16", "GELU, float, by 16", "ReLU, half, one", "ReLU, half, by eight", "ReLU, bf", "sum",
                     "reading", "layer norm, float, three passes, by 16", "layer norm, half, three passes, by", "layer norm, float, one",
                     "layer norm, half, one read")


@table
def vector_floats():
    return of_vector("ReLU, float", "GELU, float")


@table
def vector_halves():
    return of_vector("ReLU, half")


@table
def vector_sums():
    return of_vector("sum", "reading")


@table
def vector_norms():
    return of_vector("layer norm")


@table
def vector_shift():
    four, two = (by(tsv(f"h200_vector_512_shift{n}.tsv"), "group", "kernel") for n in (4, 2))
    rows = [(name, f"{n} bytes", some[key]) for name, n, some, key in (
        ("copy by 16 bytes", 4, four, "copy width_copy_16"), ("copy by 8 bytes", 4, four, "copy width_copy_8"),
        ("ReLU, float, by 16 bytes", 4, four, "relu relu_float"), ("GELU, float, by 16 bytes", 4, four, "gelu gelu_float"),
        ("ReLU, half, by eight", 2, two, "half-relu relu_half"), ("ReLU, half, by two", 2, two, "half-relu relu_half_2"),
        ("ReLU, half, one at a time", 2, two, "half-relu relu_half_scalar"))]
    return markdown(["kernel, half a GiB", "source past", "GB/s", "of memcpy"],
                    [[name, past, rounded(r["gb_s"]), rounded(r["of_memcpy"], 3)] for name, past, r in rows])


@table
def claims():
    """Document 004's latencies, structures and overlap, on an H100."""
    return markdown(["measured", "by", "value"], [[r["part"], r["form"], f"{r['value']:.0f} {r['unit']}"] for r in tsv("h100_claims.tsv")
                                                  if r["part"] != "latency" or "64" not in r["form"]])


@table
def documents_listings():
    return markdown(["document", "listing", "changed", "compiles", "the first error"],
                    [[f"{r['document']:03d}", r["listing"], r["edited"], r["compiles"], r["error"]] for r in tsv("documents.tsv")])


@table
def compositions():
    row = tsv("compositions.tsv")[0]
    exact = re.search(r"assert_int_equal\(exact, (\d+)\)", read("tests/algebra/test_composition_grid.c")).group(1)
    return markdown(["compositions on the grid", "CuTe accepts", "of these it gets wrong", "have a layout, which cutlet gives"],
                    [[f"{row['cases']:,}", f"{row['accepted']:,}", f"{row['wrong']:,}", f"{int(exact):,}"]])


# ---- the search, products, attention ---------------------------------------------------------------


@table
def suggest():
    names = ["problem", "candidate", "sectors", "wavefronts", "instructions", "shared_bytes", "us", "gb_s", "verified", "about"]
    problems, cells = {}, []
    for line in read("bench/data/h200_suggest.tsv").splitlines():
        row = dict(zip(names, map(number, line.split("\t"))))
        problems.setdefault(row["problem"], []).append(row)
    for problem, rows in sorted(problems.items()):
        kind, order, lead, tile, threads, how = re.fullmatch(r"(\w+?)_(row|col)(?:_ld(\d+))?_(\d+x\d+)_(\d+)_(.*)", problem).groups()
        first, best, worst = rows[0], min(r["us"] for r in rows), max(r["us"] for r in rows)
        lead = f" with {lead} bytes more" if lead else ""
        cells.append([f"{kind}, {order}-major{lead}, {tile}, {threads}, {how.replace('_', '.')}", rounded(first["us"], 1), rounded(best, 1),
                      f"{worst:.0f}", rounded(first["gb_s"]), rounded(best / first["us"], 3)])
    ratios = [float(c[-1]) for c in cells]
    cells.append(["mean", None, None, None, None, rounded(statistics.mean(ratios), 3)])
    return markdown(["problem: type, order, tile, threads, read", "first choice, us", "best, us", "slowest, us", "first, GB/s", "best / first"],
                    cells)


def gemm_rows(name, wanted):
    """The rows of products: type, shape, ours, cublasLt's, the ratio, the tile."""
    rows = []
    for r in tsv(name):
        if r["batch"] and wanted(r):
            tile = re.match(r"(\S+) cluster (\d+) splits (\d+)(.*)", str(r["chosen"] or ""))
            batch = f", {r['batch']} of them" if r["batch"] > 1 else ""
            rows.append([r["type"], f"{r['m']}, {r['n']}, {r['k']}{batch}", rounded(r["cutlet"]), rounded(r["cublaslt"]), rounded(r["ratio"], 2),
                         tile and tile.group(1) + ", " + tile.group(2) + tile.group(4)])
    return rows


GEMM = ["type", "m, n, k", "`wgmma.cu`, TFLOP/s", "cublasLt, TFLOP/s", "ratio", "tile, blocks of a cluster"]


@table
def gemm_large():
    return markdown(GEMM, gemm_rows("h200_gemm.tsv", lambda r: r["set"] != "shapes"))


@table
def gemm_shapes():
    rows = gemm_rows("h200_gemm.tsv", lambda r: r["set"] == "shapes")
    mean = statistics.geometric_mean(r["ratio"] for r in tsv("h200_gemm.tsv") if r["batch"] and r["set"] == "shapes")
    return markdown(GEMM, rows + [["geometric mean", None, None, None, rounded(mean, 2), None]])


@table
def gemm_mma_sync():
    cute = [float(g) / 1000 for g in re.findall(r"\[\s*([\d.]+)\]GFlop/s", read("bench/data/h200_gemm_mma_sync.tsv"))]
    floats, halves = max(cute[::2]), max(cute[1::2])
    rows = []
    for r in tsv("h200_gemm_mma_sync.tsv"):
        if r["batch"]:
            other = {("half", 8192): halves, ("float", 8192): floats}.get((r["type"], r["m"]))
            rows.append([r["type"], f"{r['m']} cubed", rounded(r["cutlet"], 1), rounded(r["cublaslt"], 1), rounded(r["other"] or None, 1),
                         rounded(other, 1)])
    return markdown(["type", "m, n, k", "ours, TFLOP/s", "cublasLt, with `wgmma`", "Triton, `mma.sync`", "CuTe's tutorial"], rows)


def attention_rows():
    """A row for each problem, with the TFLOP/s of each way."""
    rows = {}
    for r in tsv("h200_attention.tsv"):
        one = rows.setdefault((r["batch"], r["heads"], r["rows"], r["d"], r["causal"]), {})
        one[str(r["name"])] = r["tflops"]
    for key, one in rows.items():
        yield {"key": key, "ratio": max(one["cutlet 128"], one["cutlet 176"]) / one["cudnn"], **one}


@table
def attention():
    rows = list(attention_rows())
    flash = next(name for name in rows[0] if name not in ("key", "ratio", "cudnn") and not name.startswith("cutlet"))
    return markdown(["batch, heads, rows, d", "causal", "128 keys, TFLOP/s", "176 keys", "cuDNN", "FlashAttention-2", "of cuDNN"],
                    [[", ".join(map(str, r["key"][:4])), "yes" if r["key"][4] else "no",
                      *(rounded(r[name]) for name in ("cutlet 128", "cutlet 176", "cudnn", flash)), rounded(r["ratio"], 2)] for r in rows])


# ---- code ------------------------------------------------------------------------------------------


def first_table(name, which=0):
    """A table of a file, as a program printed it: its head, its rows."""
    parts = [part for part in re.split(r"\n\n+", read(f"bench/data/{name}")) if part.startswith("|")]
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in parts[which].splitlines()]
    return lines[0], lines[2:]


def as_it_stands(file, which):
    return markdown(*first_table(file, which))


# The name of each such table, the file, which of its tables.
for NAME, *FROM in (
        ("gemm_beside", "h200_beside.md", 0), ("attention_beside", "h200_beside.md", 1),
        ("vector_beside", "h200_beside.md", 2), ("gemm_seeds", "h200_beside.md", 3),
        ("gallery", "h200_gallery.md", 0), ("gallery_tiles", "h200_gallery.md", 1),
        ("sass_count", "sass_count.md", 0), ("compile_registers", "compile_cost.md", 3),
        ("ptx_speed", "ptx_speed.md", 0)):
    MADE[NAME] = functools.partial(as_it_stands, *FROM)


@table
def vector_code():
    return markdown(["kernel", "registers", "loads of global memory", "stores"],
                    [[f"`{r['kernel']}`", r["registers"], r["LDG"], r["STG"]] for r in tsv("vector_code.tsv")])


@table
def width_registers():
    code = by(tsv("vector_code.tsv"), "kernel")
    printed = next(r["registers"] for r in tsv("documents.tsv") if r["document"] == 3)
    rows = []
    for size, kind in ((1, "h"), (2, "t"), (4, "j"), (8, "m"), (16, "5uint4")):
        sums = {4: "sum_float_scalar", 16: "sum_float"}.get(size)
        rows.append([size, *(code[f"width_{form}_{size}"]["registers"] for form in ("copy", "one", "loop")),
                     re.search(rf"memcpy_kernelIa{kind}E\w*:(\d+)", printed).group(1), sums and code[sums]["registers"]])
    return markdown(["bytes of an access", "`width_copy_N`", "`width_one_N`", "`width_loop_N`", "003's kernel as printed",
                     "`sum_float`, eight in flight"], rows)


@table
def compile_cost():
    head, rows = first_table("compile_cost.md")
    keep = [0, 2, 3]
    more = [[row[0], row[2], row[3]] for row in first_table("compile_cost.md", 2)[1]]
    return markdown([head[i] for i in keep], [[row[i] for i in keep] for row in rows] + more)


# ---- Python, redistribution ------------------------------------------------------------------------


@table
def python_algebra():
    return markdown(["operation", "cutlet, ns", "tensor-layouts, ns", "times as fast", "empty call, ns", "which is times as fast"],
                    [[r["operation"], r["cutlet"], r["tensor_layouts"], rounded(r["ratio"], 1), r["empty"], rounded(r["bound"], 1)]
                     for r in tsv("python_algebra.tsv") if r["operation"] != "import, ms"])


@table
def python_tensors():
    return markdown(["on one H100", "value"], [[r["what"], f"{r['value']} {r['unit']}"] for r in tsv("h100_python_tensors.tsv")])


@table
def redistribute_planning():
    return markdown(["", "ranks", "tensor", "redistribution", "messages of all ranks", "rounds", "ms"],
                    [[r["what"], f"{r['ranks']:,}", r["shape"], f"{r['source']} to {r['destination']}", f"{r['messages']:,}",
                      f"{r['rounds']:,}", f"{r['ms']:.3g}"] for r in tsv("redistribute_plan.tsv")])


def redistributed(section):
    """case -> (detail, GB/s by way)."""
    rows, found = tsv("h100_redistribute.tsv"), {}
    for r in rows:
        if r["section"] == section:
            found.setdefault(r["case"], (r["detail"], {}))
    for r in rows:
        if r["case"] in found and r["gb_per_second"]:
            found[r["case"]][1][r["way"]] = r["gb_per_second"]
    return found


@table
def redistribute_named():
    rows = []
    for detail, rate in redistributed("named").values():
        for old, new in ((" raw2", ", bf16:"), (" raw4", ", float:"), ("/c", ""), ("->", "to")):
            detail = detail.replace(old, new)
        rows.append([detail, *(rounded(rate[way]) for way in ("cutlet peer", "cutlet nccl", "DTensor")),
                     rounded(rate["cutlet peer"] / rate["DTensor"], 2)])
    return markdown(["redistribution", "peer memory, GB/s sent by a rank", "NCCL engine", "DTensor", "peer memory / DTensor"], rows)


@table
def redistribute_blocks():
    return markdown(["contiguous blocks, each way", "peer memory, GB/s", "NCCL engine", "ncclSend and ncclRecv", "PyTorch's all_to_all"],
                    [[case.replace("block of ", ""), *(rounded(rate[way]) for way in ("cutlet peer", "cutlet nccl", "ncclSend and ncclRecv",
                                                                                     "torch all_to_all"))]
                     for case, (_, rate) in redistributed("blocks").items()])


@table
def redistribute_pairs():
    ratios = {way: [] for way in ("cutlet peer", "cutlet nccl", "the faster")}
    for _, rate in redistributed("pairs").values():
        base = rate["ncclSend and ncclRecv"]
        for way in ("cutlet peer", "cutlet nccl"):
            ratios[way].append(rate[way] / base)
        ratios["the faster"].append(max(rate["cutlet peer"], rate["cutlet nccl"]) / base)
    return markdown(["engine, over NCCL's send and receive", "pairs", "least", "median", "most", "at 0.80 or more"],
                    [[way, len(some), rounded(min(some), 2), rounded(statistics.median(some), 2), rounded(max(some), 2),
                      sum(r >= 0.8 for r in some)] for way, some in ratios.items()])


# ---- proofs, tests, rivals -------------------------------------------------------------------------


@table
def proofs():
    sys.path.append(os.path.join(SOURCE, "tests/proof"))
    import harnesses  # pylint: disable=import-outside-toplevel,import-error
    names = harnesses.read_table(os.path.join(SOURCE, "tests/proof/functions.txt"))
    functions = harnesses.read_functions(os.path.join(SOURCE, "include/cutlet"))
    algebra_ = [f for f in functions if f.header in harnesses.HEADERS]
    own = [f.name for f in harnesses.own_functions(functions, names)[0]]
    mine = [f.name for f in algebra_ if f.name in own]
    proved = [name for name in mine if name not in names["unproved"]]
    alone = [name for name in mine if "by ESBMC alone" in names["unproved"].get(name, "")]
    return markdown(["functions of the algebra", "number"], [
        [f"in {len(harnesses.HEADERS)} headers", len(algebra_)], ["steps of others, without a harness", len(algebra_) - len(mine)],
        ["with a harness", len(mine)], ["proved by CBMC", len(proved)],
        ["of these without the check of signed overflow", len([n for n in proved if n in names["products"]])],
        ["of these proved again by ESBMC in each run of `./run test all`", len([n for n in proved if n in names["esbmc"]])],
        ["proved by ESBMC alone", len(alone)], ["proved by neither", len(mine) - len(proved) - len(alone)],
        ["swept with random arguments, other headers' too", len(own)]])


@table
def branches():
    lines = re.findall(r"^(\w+)/\S+: (\d+) ", read("tests/proof/branches.txt"), re.MULTILINE)
    return markdown(["headers of", "branches that no operand takes"],
                    [[words, sum(int(n) for name, n in lines if name == folder)] for words, folder in
                     (("the algebra", "algebra"), ("copies", "copy"), ("matrix instructions", "mma"))])


@table
def mutants():
    sys.path.append(os.path.join(SOURCE, "tests/mutation"))
    import mutants as generated  # pylint: disable=import-outside-toplevel,import-error
    equal = generated.read_survivors(os.path.join(SOURCE, "tests/mutation/survivors.txt"))
    lines = [line for line in read("tests/mutation/sample.tsv").splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, delimiter="\t"))
    cells = []
    for words, folder in (("the algebra", "algebra"), ("copies", "copy"), ("matrix instructions", "mma"), ("all of these", "")):
        mine = [row for row in rows if row["mutant"].startswith(folder)]
        alive = [row for row in mine if row["caught by"].startswith("nothing")]
        cells.append([words, len(mine), len(mine) - len(alive), len([row for row in alive if row["mutant"] in equal])])
    return markdown(["headers of", "mutants in the sample", "caught", "equal to the original"], cells)


@table
def fuzz():
    found = {}
    for r in tsv("fuzz.tsv"):
        one = found.setdefault(r["target"], [0, 0, 0, 0])
        found[r["target"]] = [one[0] + r["executions"], one[1] + r["cpu_seconds"], max(one[2], r["edges"]), one[3] + r["crashes"]]
    return markdown(["target", "executions, millions", "CPU hours", "edges", "crashes"],
                    [[f"`fuzz_{name}`", rounded(n / 1e6, 2), rounded(seconds / 3600, 2), edges, crashes]
                     for name, (n, seconds, edges, crashes) in found.items()])


@table
def rivals():
    done = subprocess.run([sys.executable, os.path.join(SOURCE, "bench/rivals/rivals.py"), "--table", "--hardware",
                           os.path.join(SOURCE, "tests/data/h200_rivals.tsv")], capture_output=True, text=True, check=True,
                          cwd=SOURCE)
    return "\n".join(line for line in done.stdout.splitlines() if line.startswith("|")) + "\n"
