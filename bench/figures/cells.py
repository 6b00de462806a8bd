"""The cells that figures are taken from: data sets of bench/data, and files of the project that are counted."""

import csv
import glob
import json
import math
import os
import re
import statistics
import subprocess
import sys

HALF_GIB = 512 * 2**20

# Why a function is not proved: words of its reason in tests/proof/functions.txt.
UNPROVED = {"esbmc_alone": "by ESBMC alone", "no_answer": "ESBMC.*(no answer|do not unwind)",
            "assertion": "by an assertion of its own", "rests": "would rest on",
            "cbmc": "^CBMC (?!.*ESBMC)"}


class Row:
    """A row by the names of its columns, numbers as numbers."""

    def __init__(self, columns):
        for name, value in columns.items():
            setattr(self, re.sub(r"\W+", "_", str(name)).strip("_"), number(value))


class Rows(list):
    """Rows; by [KEY] the one whose `key` is KEY, by (WORDS) those whose keys match a pattern."""

    def __init__(self, rows, key=None):
        super().__init__(rows)
        for row in self:
            if key:
                row.key = " ".join(str(getattr(row, name)) for name in key.split())

    def __getitem__(self, key):
        if isinstance(key, (int, slice)):
            return super().__getitem__(key)
        found = [row for row in self if row.key == key]
        if not found:
            raise KeyError(key)
        return found[-1]

    def __call__(self, pattern):
        found = Rows([row for row in self if re.search(pattern, row.key)])
        if not found:
            raise KeyError(pattern)
        return found


def number(value):
    """A number where the text is one."""
    if not isinstance(value, str):
        return value
    try:
        return float(value) if re.search(r"[.e]", value) else int(value)
    except ValueError:
        return value


def tsv(path, key, columns=None):
    """A file of tab-separated values; lines with # are words."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return Rows([Row(r) for r in csv.DictReader(lines, columns, delimiter="\t")], key)


def markdown(path, key):
    """The first table of a file, as a program printed it."""
    rows, head = [], None
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not line.startswith("|"):
                if head:
                    break
            elif head is None:
                head = [name + "_count" if name in row[i + 1:] else name for i, name in enumerate(row)]
            elif not set("".join(row)) <= set("-"):
                rows.append(Row(dict(zip(head, row))))
    return Rows(rows, key)


def results(path, key):
    """The results of a file of JSON."""
    with open(path, encoding="utf-8") as file:
        return Rows([Row(r) for r in json.load(file)["results"]], key)


# ---- sets that are more than their files ------------------------------------------------------------


def vectors(data):
    """Runs of `cutlet-bench vector` by kernel, memcpy's GB/s beside it."""
    names = {"vector": "h200_vector.json", "half_gib": "h200_vector_512.json",
             "h100_half_gib": "h100_vector_512.json", "shift4": "h200_vector_512_shift4.json", "shift2": "h200_vector_512_shift2.json"}
    found = {}
    for name, file in names.items():
        rows = results(os.path.join(data, file), "kernel")
        for row in rows:
            row.memcpy = row.gb_s / row.of_memcpy
        small = Rows([row for row in rows if row.group == "layer-norm"])
        if name == "vector":
            found["small"] = small
        found[name] = Rows([row for row in rows if row not in small])
    return found


def widths(data):
    """Runs of `cutlet-bench width` over 512 MiB by the bytes of an access; 0 is memcpy."""
    names = {"many": "h200_width.json", "one": "h200_width_one.json", "loop": "h200_width_loop.json"}
    found = {}
    for name, file in names.items():
        rows = results(os.path.join(data, file), "width")
        found[name] = Rows([row for row in rows if row.bytes == HALF_GIB])
    return found


def plans(path, cccl):
    """Copy plans: GB/s of the plan, and how many times as fast it is as each other way."""
    rows = results(path, "name")
    for row in rows:
        time = row.seconds
        ours = time["estimate"]
        row.gb_s = 2e-9 * row.bytes / ours
        for way in ("numpy", "memcpy", "torch", "measure"):
            setattr(row, way, time[way] / ours if way in time else None)
        row.cccl = row.gb_s / cccl[row.name].gb_s if row.name in {r.name for r in cccl} else None
    return Rows([r for r in rows if not r.name.startswith("permute")], "name"), \
        Rows([r for r in rows if r.name.startswith("permute")], "name")


def engines(path):
    """Each job before and now, of memcpy."""
    rows = tsv(path, "group job")
    for row in rows:
        if isinstance(row.before_of_memcpy, float) and isinstance(row.now_of_memcpy, float):
            row.ratio = row.now_of_memcpy / row.before_of_memcpy
    return rows


def attention(path):
    """A row for each problem, with the TFLOP/s of each way."""
    rows = {}
    for row in tsv(path, "name"):
        key = (row.batch, row.heads, row.rows, row.d, row.causal)
        one = rows.setdefault(key, Row({"key": "{}, {}, {}, {} {}".format(*key), "rows": row.rows, "d": row.d,
                                        "shape": "{}, {}, {}, {}".format(*key[:4]),
                                        "causal": "yes" if row.causal else "no"}))
        setattr(one, "of_" + str(row.name).replace("cutlet ", ""), row.tflops)
    for one in rows.values():
        one.best = max(one.of_128, one.of_176)
        one.ratio = one.best / one.of_cudnn
    return Rows(rows.values())


def gemm(path):
    """Products, with words for the tile."""
    rows = Rows([row for row in tsv(path, None) if row.batch], "set type m n k batch")
    for row in rows:
        batch = f", {row.batch} of them" if row.batch > 1 else ""
        row.shape = f"{row.m}, {row.n}, {row.k}{batch}"
        tile = re.match(r"(\S+) cluster (\d+) splits (\d+)(.*)", str(row.chosen))
        row.tile = tile and tile.group(1) + ", " + tile.group(2) + tile.group(4) + (
            f", k in {tile.group(3)}" if tile.group(3) != "1" else "")
    return rows


def integers_of(rows):
    """The TFLOP/s on integers of the fastest tile, which the column `fastest` begins with."""
    for row in rows:
        text = str(getattr(row, "fastest", "") or "")
        row.integers = float(text.split()[0]) if text else None
    return rows


def cute_gemm(path):
    """GFLOP/s that CuTe's programs printed, theirs for floats and for halves in turn."""
    with open(path, encoding="utf-8") as file:
        return [float(g) for g in re.findall(r"\[\s*([\d.]+)\]GFlop/s", file.read())]


def variants(path):
    """Every tile and split, on integers: problem and tile -> its rows, one for each time that it was measured."""
    found = {}
    for row in tsv(path, None, ["type", "m", "n", "k", "batch", "tflops", "what"]):
        found.setdefault(f"{row.type} {row.m} {row.n} {row.k} {row.batch} {row.what} ", []).append(row)
    return found


def ragged(engines):
    """Halves by each variant, of memcpy: aligned, and as it does not fit."""
    rows = []
    for variant, order in (("rows4-wide", "row"), ("rows8", "row"), ("rows8-async", "row"), ("half-line", "row"),
                           ("cols8", "col"), ("cols8-async", "col"), ("printed8-async", "col"), ("rows4", "row"),
                           ("cols4", "col"), ("partition", "col")):
        of = lambda group, data="": engines[f"{group} {variant} {order} 2{data}"].now_of_memcpy
        rows.append(Row({"variant": variant, "order": "row-major" if order == "row" else "column-major",
                         "aligned": of("copy"), "odd": of("ragged", " odd extents"),
                         "misaligned": of("ragged", " misaligned"), "apart": of("ragged", " misaligned apart")}))
    return rows


def transposed(engines):
    """Aligned transposes, of memcpy: now by either tile in shared memory, and the better of both before."""
    rows = []
    for size, tile, threads, job in ((1, "256 x 256", 256, "1_256x256_256x2_reg16"),
                                     (2, "128 x 128", 1024, "2_128x128_1024x2_reg2"),
                                     (4, "64 x 64", 512, "4_64x64_512x4_reg2"),
                                     (8, "32 x 32", 256, "8_32x32_256x8_reg2"),
                                     (16, "32 x 32", 256, "16_32x32_256x5_reg1")):
        now = [engines[f"transpose {job}_{how}_out0"].now_of_memcpy for how in ("swizzled", "padded")]
        before = [engines[f"transpose {job}_{how}_out0_plain"].before_of_memcpy for how in ("swizzled", "padded")]
        rows.append(Row({"bytes": str(size), "tile": f"{tile}, {threads}", "swizzled": now[0], "padded": now[1],
                         "before": max(before)}))
    return rows


def skewed(engines):
    """Transposes of data that 16 bytes do not divide, of memcpy: the tile now, and the best before."""
    rows = []
    for size, tile, threads, job in ((1, "256 x 240", 512, "1_256x240_512x2_skew16"),
                                     (2, "256 x 120", 512, "2_256x120_512x3_skew8"),
                                     (4, "128 x 124", 1024, "4_128x124_1024x2_skew4"),
                                     (8, "64 x 62", 512, "8_64x62_512x4_skew2"),
                                     (16, "32 x 32", 256, "16_32x32_256x8_skew1")):
        one = {"bytes": str(size), "tile": f"{tile}, {threads}"}
        for data, name in ((" odd extents", "odd"), (" misaligned", "misaligned")):
            one[name] = engines[f"transpose {job}_padded_out0{data}"].now_of_memcpy
            one[name + "_before"] = max(r.before_of_memcpy for r in engines(f"^transpose {size}_.*{data}$")
                                        if r.before_of_memcpy)
        rows.append(Row(one))
    return rows


def static(engines):
    """Layouts known at run time beside static ones, each by its GB/s and of memcpy."""
    rows = []
    for name, kernel, order in (("rows4", "rows4", "row"), ("rows8", "rows8", "row"), ("rows8-async", "rows8-async", "row"),
                                ("`ct_copy_any`", "view_copy_2", "row"), ("a tiled copy", "view_copy_with_2", "row"),
                                ("cols4", "cols4", "col"), ("cols8", "cols8", "col"), ("cols8-async", "cols8-async", "col"),
                                ("`ct_copy_any`", "view_copy_2", "col"), ("a tiled copy", "view_copy_with_2", "col")):
        of_views = kernel.startswith("view")
        one = engines[f"static {kernel} {order}" + ("" if of_views else " 2 run-time")]
        fixed = "rows8-async row" if order == "row" else "cols8-async col"
        other = engines[f"static {fixed if of_views else kernel + ' ' + order} 2 static"]
        rows.append(Row({"name": f"{name} {order}", "key": f"{kernel} {order}", "gb_s": one.now_gb_s,
                         "of_memcpy": one.now_of_memcpy, "static_gb_s": other.now_gb_s,
                         "static_of_memcpy": other.now_of_memcpy, "ratio": one.now_of_memcpy / other.now_of_memcpy}))
    return Rows(rows, "key")


def article_now(rows, engines):
    """Article 002's rows of 16384 x 16384 by the kernels on the one copy."""
    jobs = {"row-major": "rows4 row", "column-major": "rows4 col", "its transposed": "printed4 col",
            "actually transposed": "cols4 col", "row-major, cp.async": "rows8-async row",
            "its transposed, cp.async": "printed8-async col", "transposed, cp.async": "cols8-async col",
            "half a line, cp.async": "half-line row"}
    for name, job in jobs.items():
        one, now = rows[f"{name}, 16384 x 16384"], engines[f"copy {job} 2"]
        one.gb_s, one.of_memcpy = now.now_gb_s, now.now_of_memcpy


def beside_triton(ours, others):
    """Transposes, Triton's and PyTorch's beside ours."""
    jobs = {2: "2_128x128_1024x2_reg2", 4: "4_64x64_512x4_reg2", 8: "8_32x32_256x8_reg2"}
    for size, job in jobs.items():
        best = max((ours[f"{job}_{how}_out0_plain"] for how in ("swizzled", "padded")), key=lambda r: r.of_memcpy)
        yield Row({"bytes": str(size), "gb_s": best.gb_s, "of_memcpy": best.of_memcpy,
                   "triton": others(f"^Triton .* {size}$")[0], "torch": others(f"^PyTorch .* {size}$")[0]})


def larger(half, whole):
    """Swizzled transposes over 512 MiB and 1 GiB, of memcpy."""
    jobs = {2: "2_128x128_1024x2_reg2", 4: "4_64x64_512x4_reg2", 8: "8_32x32_256x8_reg2"}
    for size, job in jobs.items():
        name = f"{job}_swizzled_out0_plain"
        yield Row({"bytes": str(size), "half": half[name].of_memcpy, "whole": whole[name].of_memcpy,
                   "odd": whole[name + " odd extents"].of_memcpy})


def suggested(order, measured):
    """The first choice for each problem, by what order.py printed, beside all that was measured."""
    columns = ["problem", "candidate", "sectors", "wavefronts", "instructions", "shared_bytes", "us", "gb_s",
               "verified", "about"]
    rows = {}
    for row in tsv(measured, None, columns):
        if row.verified == "yes":
            rows.setdefault(row.problem, []).append(row)
    with open(order, encoding="utf-8") as file:
        chosen = re.findall(r"^(\w+) +([\d.]+) +([\d.]+) +[\d.]+  \S", file.read(), re.MULTILINE)
    for problem, first, best in sorted(chosen):
        words = re.fullmatch(r"(\w+?)_(row|col)(?:_ld(\d+))?_(\d+x\d+)_(\d+)_(.*)", problem)
        name = f"{words[1]}, {words[2]}-major"
        if words[3]:
            name += f" with {words[3]} bytes more"
        own = rows[problem]
        counts = lambda r: (r.sectors, r.wavefronts, r.instructions, r.shared_bytes)
        equal = [r.us for r in own if counts(r) == counts(min(own, key=counts))]
        yield Row({"name": f"{name}, {words[4]}, {words[5]}, {words[6].replace('_', '.')}", "first": first, "best": best,
                   "ratio": float(best) / float(first), "slowest": max(r.us for r in own), "candidates": len(own),
                   "gb_s": next(r.gb_s for r in own if f"{r.us:.2f}" == first), "by_counts": float(best) / max(equal)})


def width_registers(code, documents):
    """Registers of the copies by their width, of document 003's kernel too."""
    printed = next(r.registers for r in documents if r.document == 3 or r.document == "003")
    for size, vector in ((1, "h"), (2, "t"), (4, "j"), (8, "m"), (16, "5uint4")):
        sums = {4: "sum_float_scalar", 16: "sum_float"}.get(size)
        yield Row({"bytes": str(size), **{form: code(f"^width_{form}_{size} ")[0].registers for form in ("copy", "one", "loop")},
                   "printed": int(re.search(rf"memcpy_kernelIa{vector}E\w*:(\d+)", printed).group(1)),
                   "sums": code(f"^{sums} ")[0].registers if sums else None})


def compositions(path, source):
    """How many of the simple compositions CuTe takes, and gets wrong; how many have a layout."""
    rows = tsv(path, None)
    exact = re.search(r"assert_int_equal\(exact, (\d+)\)", open(source, encoding="utf-8").read())
    return Row({"cases": len(rows), "accepted": len([r for r in rows if r.accepted == "yes"]),
                "wrong": len([r for r in rows if r.right == "no"]), "exact": int(exact.group(1))})


def fit(path):
    """What fit.py printed."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    number_ = r"([\d.]+)"
    head = re.search(rf"sector {number_}, exponent {number_}, cp.async.ca {number_}: error {number_}; .*?"
                     rf"\({number_}, {number_}, {number_}\): {number_}", text).groups()
    one = dict(zip(("best_sector", "best_exponent", "best_async_ca", "best_error", "sector", "exponent", "async_ca",
                    "error"), head))
    for name, words in (("all", "fitted to all"), ("ours", "as cycles.c has them"),
                        ("each", "each fitted to the others")):
        one[name + "_mean"], one[name + "_worst"] = re.search(
            rf"^{words} +{number_} in the mean, {number_}", text, re.MULTILINE).groups()
    return Row(one)


def session(path):
    """The table that bench/plan printed."""
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            cell = line.split()
            if len(cell) == 13 and cell[0] != "case":
                rows.append(Row({"case": cell[0], "memcpy": cell[8], "torch_rate": cell[6],
                                 "cccl": cell[11]}))
    return Rows(rows, "case")


def turns(path):
    """Attention with warpgroups in turn over without, by problem and keys."""
    rows = tsv(path, "turns rows d causal name")
    found = {}
    for row in rows:
        if row.turns and "cutlet" in str(row.name):
            key = f"{row.rows} {row.d} {row.causal} {str(row.name)[7:]}"
            plain = [r for r in rows if r.key == "0 " + row.key[2:]]
            if plain:
                found[key] = Row({"ratio": row.tflops / plain[0].tflops})
    return found


def fastest(side, modes):
    """The mode along which a side's memory runs."""
    order = side.rpartition("/")[2]
    return {"c": modes - 1, "f": 0}[order] if order in "cf" else order[1:-1].split(",").index("1")


def kind_of(detail):
    """What a pair is: its modes, and whether it converts, is block-cyclic, or has another fastest mode at its end."""
    shape, rest = detail.split(" ", 1)
    elements, src, _, dst = rest.rsplit(" ", 3)
    modes = shape.count("x") + 1
    return {"modes": modes, "converts": "->" in elements, "to_int8": "->int8" in elements,
            "cyclic": "cyclic" in src + dst, "ordered": not (src.endswith("/c") and dst.endswith("/c")),
            "turned": fastest(src, modes) != fastest(dst, modes)}


def redistributed(rows, section):
    """The cases of a section by name, each with the GB/s of its ways and their ratios."""
    for case in dict.fromkeys(row.case for row in rows if row.section == section):
        rate = {row.way: row.gb_per_second for row in rows if row.case == case and row.gb_per_second}
        peer, nccl, messages = (rate.get(way) for way in ("cutlet peer", "cutlet nccl", "ncclSend and ncclRecv"))
        detail = rows[f"{section} {case} cutlet peer"].detail
        kind = kind_of(detail)
        for old, new in ((" raw2", ", bf16:"), (" raw4", ", float:"), ("/c", ""), ("->", "to")):
            detail = detail.replace(old, new)
        before = max((rate.get(way) or 0 for way in ("cutlet before: peer", "cutlet before: nccl")), default=0)
        yield Row({**kind, "case": case.replace("block of ", ""), "detail": detail, "peer": peer, "nccl": nccl,
                   "before_of_messages": messages and before / messages,
                   "dtensor": rate.get("DTensor"), "messages": messages, "all_to_all": rate.get("torch all_to_all"),
                   "of_messages": messages and max(peer, nccl) / messages,
                   "nccl_of_messages": messages and nccl / messages, "peer_of_messages": messages and peer / messages})


def proofs(source):
    """Counts of tests/proof/functions.txt: functions of the algebra, their harnesses, what is proved and what is not."""
    sys.path.append(os.path.join(source, "tests/proof"))
    import harnesses
    table = harnesses.read_table(os.path.join(source, "tests/proof/functions.txt"))
    functions = harnesses.read_functions(os.path.join(source, "include/cutlet"))
    algebra = [f for f in functions if f.header in harnesses.HEADERS]
    own = [f.name for f in harnesses.own_functions(functions, table)[0]]
    mine = [f.name for f in algebra if f.name in own]
    proved = [name for name in mine if name not in table["unproved"]]
    reasons = [table["unproved"][name] for name in mine if name in table["unproved"]]
    found = {why: [r for r in reasons if re.search(words, r)] for why, words in UNPROVED.items()}
    unclear = [r for r in reasons if sum(r in rows for rows in found.values()) != 1]
    if unclear:
        raise ValueError(f"functions.txt: each reason has to be of one kind: {unclear}")
    tried = [int(n) for r in found["no_answer"] for n in re.findall(r"(\d+) s\b", r)]
    slow = [int(n) for n in table["slow"].values()]
    return Row({"headers": len(harnesses.HEADERS), "functions": len(algebra), "harnesses": len(mine),
                "steps": len(algebra) - len(mine), "swept": len(own), "others": len(own) - len(mine),
                "proved": len(proved), "overflow": len([name for name in proved if name not in table["products"]]),
                "products": len([name for name in proved if name in table["products"]]),
                "again": len([name for name in proved if name in table["esbmc"]]),
                "steps_again": len([name for name in table["esbmc"] if name.startswith("step_")]),
                "neither": len(reasons) - len(found["esbmc_alone"]), "one_leaf": len([r for r in reasons if "at 1" in r]),
                "least": min(tried), "most": max(tried), "slow_least": min(slow), "slow_most": max(slow),
                **{why: len(rows) for why, rows in found.items()}})


def branches(source):
    """How many branches of the headers of a folder no operand takes, by tests/proof/branches.txt."""
    with open(os.path.join(source, "tests/proof/branches.txt"), encoding="utf-8") as file:
        lines = re.findall(r"^(\w+)/\S+: (\d+) ", file.read(), re.MULTILINE)
    return {folder: sum(int(n) for name, n in lines if name == folder) for folder, _ in lines}


def mutants(source):
    """How many mutants tests/mutation/generate.py makes; and the sample's, by the folder of the header."""
    sys.path.append(os.path.join(source, "tests/mutation"))
    import mutants as generated
    equal = generated.read_survivors(os.path.join(source, "tests/mutation/survivors.txt"))
    rows = tsv(os.path.join(source, "tests/mutation/sample.tsv"), None)
    found = {}
    for folder in ("", *generated.FOLDERS):
        mine = [row for row in rows if row.mutant.startswith(folder)]
        alive = [row for row in mine if row.caught_by.startswith("nothing")]
        found[folder or "sample"] = Row({"mutants": len(mine), "caught": len(mine) - len(alive),
                                         "equal": len([row for row in alive if row.mutant in equal])})
    found["all"] = len(generated.all_mutants(source)[1])
    return found


def median(values):
    return statistics.median(list(values))


def mean(values):
    return statistics.mean(list(values))


def geometric(values):
    return statistics.geometric_mean(list(values))


def sets(source):
    """The names that the expressions of texts have."""
    data = os.path.join(source, "bench", "data")
    at = lambda name: os.path.join(data, name)
    cccl = tsv(os.path.join(source, "bench/plan/cccl.tsv"), "name", ["name", "gb_s"])

    def lines(name):
        with open(os.path.join(source, name), encoding="utf-8") as file:
            return len(file.read().splitlines())

    def count(name, pattern):
        """How many lines of a file match."""
        with open(os.path.join(source, name), encoding="utf-8") as file:
            return len(re.findall(pattern, file.read(), re.MULTILINE))

    def run(command):
        """What a program of the project prints."""
        return subprocess.run([sys.executable, *command.split()], cwd=source, text=True, capture_output=True,
                              check=True).stdout.strip()

    found = {"run": run, "min": min, "max": max, "sum": sum, "len": len, "abs": abs, "math": math, "median": median,
             "mean": mean, "geometric": geometric, "lines": lines, "count": count, "sorted": sorted, "list": list,
             **vectors(data), **widths(data)}
    for name in ("article", "best_2048", "copy", "peer", "transpose_512", "transpose_1024",
                 "tuning", "tutorial", "triton"):
        found[name] = tsv(at(f"h200_{name}.tsv"), "job")
    found["beside"] = Rows([row for row in found["peer"] if row.beside], "beside")
    found["torch"] = tsv(at("h200_torch_vector.tsv"), "what type")
    found["orders"] = tsv(at("h200_transpose_orders.tsv"), "elem_bytes tile_threads_staging MiB data order")
    found["engines"] = engines(at("h200_engines.tsv"))
    found["static"] = static(found["engines"])
    article_now(found["article"], found["engines"])
    found["plan_engines"] = tsv(at("h200_plan_engines.tsv"), "case")
    found["partial_lines"] = tsv(at("h200_partial_lines.tsv"), "mode used pitch", ["mode", "used", "pitch", "ms", "gb_s"])
    found["width_before"] = tsv(at("h200_width_before.tsv"), "form run bytes width")
    found["plan_cpu"], found["permute_cpu"] = plans(at("plan_cpu.json"), Rows([]))
    found["plan_gpu"], found["permute_gpu"] = plans(at("plan_gpu.json"), cccl)
    for name, file_name in (("plan_made", "plan_gpu.json"), ("plan_made_cpu", "plan_cpu.json")):
        with open(at(file_name), encoding="utf-8") as file:
            found[name] = json.load(file)
    found["gemm"], found["mma_sync"] = gemm(at("h200_gemm.tsv")), gemm(at("h200_gemm_mma_sync.tsv"))
    found["gemm_h100"] = gemm(at("h100_gemm.tsv"))
    found["fuzz"] = tsv(at("fuzz.tsv"), "target campaign")
    found["python"] = tsv(at("python_algebra.tsv"), "operation")
    found["tensors"] = tsv(at("h100_python_tensors.tsv"), "what")
    found["plan_kernels"] = tsv(at("h100_plan_kernels.tsv"), "kernel")
    found["device_size"] = tsv(at("device_size.tsv"), "part")
    found["claims"] = tsv(at("h100_claims.tsv"), "part form unit")
    found["redistribute"] = tsv(at("h100_redistribute.tsv"), "section case way")
    found["redistribute_plan"] = tsv(at("redistribute_plan.tsv"), "ranks source destination")
    for name in ("named", "pairs", "blocks"):
        found["redistribute_" + name] = list(redistributed(found["redistribute"], name))
    found["redistribute_low"] = sorted((row for row in found["redistribute_pairs"] if row.of_messages < 0.8),
                                       key=lambda row: row.of_messages)
    for name, key in (("compile_cost", "compiled"), ("sass_count", "variant data"),
                      ("ptx_count", "variant data"), ("slice_count", "kernel"), ("vector_registers", "kernel")):
        if os.path.exists(at(name + ".md")):
            found[name] = markdown(at(name + ".md"), key)
    for path in glob.glob(at("*.tsv")):
        name = os.path.basename(path)[:-4]
        if not name.startswith(("h100_", "h200_")) and name not in found:
            with open(path, encoding="utf-8") as file:
                first = next(line for line in file if not line.startswith("#"))
            found[name] = tsv(path, " ".join(re.sub(r"\W+", "_", w).strip("_") for w in first.split("\t")[:2]))
    for name in ("gemm", "mma_sync"):
        integers_of(found[name])
    found["cute_gemm"] = cute_gemm(at("h200_gemm_mma_sync.tsv"))
    found["variants"] = variants(at("h200_gemm_variants.tsv"))
    found["turns"] = turns(at("h200_attention_keys.tsv"))
    found["ragged_halves"] = ragged(found["engines"])
    found["transposed"], found["skewed"] = transposed(found["engines"]), skewed(found["engines"])
    found["beside_triton"] = list(beside_triton(found["transpose_512"], found["triton"]))
    found["larger"] = list(larger(found["transpose_512"], found["transpose_1024"]))
    found["first_session"] = session(at("h200_plan_first_session.txt"))
    found["algebra_of"] = [Row({"name": name, "least": min(r.ns for r in rows), "median": median(r.ns for r in rows),
                                "runs": len(rows)})
                           for name in dict.fromkeys(r.operation for r in found["algebra"])
                           for rows in [[r for r in found["algebra"] if r.operation == name]]]
    found["copy_tries"] = [row for row in tsv(at("h200_copy_tries.txt"), None, ["form", "MiB", "gb_s", "of_memcpy", "beside"])
                           if row.MiB == 2048]
    tries = tsv(at("h200_vector_tries.tsv"), "group kernel")
    found["sum_tries"] = [r for r in tries if "sum" in r.group]
    found["layer_norm_tries"] = [r for r in tries if "sum" not in r.group]
    found["width_registers"] = list(width_registers(found["vector_code"], found["documents"]))
    for row in found["sass_count"]:
        row.counted = int(row.CuTe_count)
    with open(at("h200_vector_512.json"), encoding="utf-8") as file:
        found["peak"] = json.load(file)["device"]["peak_gb_s"]
    found["fit"] = fit(at("suggest_fit.txt"))
    if os.path.exists(at("compositions.tsv")):
        found["compositions"] = compositions(at("compositions.tsv"),
                                             os.path.join(source, "tests/algebra/test_composition_grid.c"))
    found["suggested"] = list(suggested(at("suggest_order.txt"), at("h200_suggest.tsv")))
    found["attention"] = attention(at("h200_attention.tsv"))
    found["proof"], found["branches"], found["mutants"] = proofs(source), branches(source), mutants(source)
    return found
