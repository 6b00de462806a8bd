#!/usr/bin/env python3
"""`cutlet report` and `cutlet draw access` as a user meets them: pages that stand by themselves,
whose numbers are those of the addresses, worked out here byte by byte.

Usage: test_report.py CUTLET SOURCE_DIR
Prints TAP."""
import html.parser
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

VOID = {"meta", "br", "img", "link", "input", "hr"}
SVG = "{http://www.w3.org/2000/svg}"


class Page(html.parser.HTMLParser):
    """Tags that balance, ids that are given once, no address of anything elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.faults, self.tags, self.words = [], [], [], [], []
        self.heads, self.svgs = [], text.count("<svg ")
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"never closed: {self.open}")
        self.faults += sorted({f"twice: id {i}" for i in self.ids if self.ids.count(i) > 1})

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href", "srcset", "data", "action") or name.startswith("on"):
                self.faults.append(f"{tag} {name}={value}")
            if "http" in (value or "") and name != "xmlns":
                self.faults.append(f"{tag} {name}={value}")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes none")

    def handle_data(self, data):
        self.words.append(data)
        if self.open and self.open[-1] in ("h1", "h2", "h3"):
            self.heads.append(data)


def luminance(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def contrast(a, b):
    x, y = sorted((luminance(a) + 0.05, luminance(b) + 0.05))
    return y / x


def check_page(report, name, text, title="Tiled copy", least=2):
    page = Page(text)
    report.check(f"{name}: well-formed, nothing from elsewhere", not page.faults, page.faults)
    bad = [w for w in ("<script", "@import", "url(", "<link", "<iframe") if w in text]
    report.check(f"{name}: no scripts, styles or fonts from elsewhere", not bad, bad)
    report.check(f"{name}: a language, a title, a width for narrow screens",
                 '<html lang="en">' in text and f"<title>{title}</title>" in text and
                 'name="viewport"' in text)
    pictures = re.findall(r"<svg .*?</svg>", text, re.S)
    named = [all(tree.fromstring(p).find(SVG + t) is not None for t in ("title", "desc")) for p in pictures]
    report.check(f"{name}: each picture has a title and a description",
                 len(pictures) == page.svgs >= least and all(named), named)
    modes = re.findall(r":root \{(.*?)\}", text, re.S)
    report.check(f"{name}: colours for light and for dark", len(modes) == 2 and
                 "@media (prefers-color-scheme: dark) { :root" in text, modes)
    for mode in modes:
        color = dict(re.findall(r"--(\w+): (#\w+)", mode))
        poor = [(a, b) for a in ("ink", "soft", "good", "poor") for b in ("page", "panel")
                if contrast(color[a], color[b]) < 4.5]
        report.check(f"{name}: text stands out from {color['page']}", not poor, poor)
    return page


# ---- what a copy costs, byte by byte --------------------------------------------------------------

def instructions(rows, cols, thr, val, address):
    """The addresses of each instruction of a row-major tiled copy: thr (m, n) threads, each with val
    elements side by side along n, over a tensor of rows x cols; address(m, n) in bytes."""
    for m0 in range(0, rows, thr[0]):
        for n0 in range(0, cols, thr[1] * val):
            lanes = [address(m0 + t // thr[1], n0 + t % thr[1] * val) for t in range(thr[0] * thr[1])]
            for warp in range(0, len(lanes), 32):
                yield lanes[warp:warp + 32]


def sectors(lanes, width):
    return len({(a + b) // 32 for a in lanes for b in range(width)})


def wavefronts(lanes, width):
    """Groups of as many lanes as 128 bytes serve; in each, the most words that a bank delivers. For
    stores, and where no two lanes ask for one address."""
    total = 0
    size = 32 // max(1, width // 4)
    for first in range(0, len(lanes), size):
        words = {(a + b) // 4 for a in lanes[first:first + size] for b in range(width)}
        total += max(sum(w % 32 == bank for w in words) for bank in range(32))
    return total


def swizzle(bits, base, shift, x):
    return x ^ ((x >> shift) & (((1 << bits) - 1) << base))


# name, rows, cols, thr, val, bits of an element, leading dimension, shared leading dimension, swizzle
COPIES = [
    ("wide rows", 64, 64, (8, 8), 8, 16, 1024, 64, None),
    ("swizzled", 64, 64, (8, 8), 8, 16, 1024, 64, (3, 3, 3)),
    ("a column each", 32, 32, (32, 1), 4, 32, 128, 32, None),
    ("a column each, swizzled", 32, 32, (32, 1), 4, 32, 128, 32, (3, 2, 3)),
    ("narrow", 64, 16, (32, 2), 1, 16, 64, 16, None),
    ("bytes", 32, 64, (16, 4), 4, 8, 256, 64, None),
    ("rows of one and a half sectors", 32, 24, (8, 6), 4, 16, 128, 24, None),
]


def check_copy(report, cutlet, folder, row):
    name, rows, cols, thr, val, bits, ld, shared_ld, sw = row
    size, width = bits // 8, val * bits // 8
    shared = f"({rows},{cols}):({shared_ld},1)"
    if sw:
        shared = f"Sw<{sw[0]},{sw[1]},{sw[2]}> o 0 o {shared}"
    copy = (f"tiled_copy(copy_atom(universal{8 * width}, {bits}), ({thr[0]},{thr[1]}):({thr[1]},1), "
            f"(1,{val}):({val},1))")
    path = os.path.join(folder, "page.html")
    status, words = tap.run([cutlet, "report", copy, "--src", f"({rows},{cols}):({ld},1)", "--shared", shared,
                             "-o", path])
    report.check(f"{name}: runs", status == 0, words)
    text = open(path, encoding="utf-8").read()
    page = check_page(report, name, text)
    loads = list(instructions(rows, cols, thr, val, lambda m, n: size * (ld * m + n)))
    stores = list(instructions(rows, cols, thr, val, lambda m, n: size * (
        swizzle(*sw, shared_ld * m + n) if sw else shared_ld * m + n)))
    moved = sum(sectors(lanes, width) for lanes in loads)
    passes = sum(wavefronts(lanes, width) for lanes in stores)
    ideal = sum(-(-len(lanes) // (32 // max(1, width // 4))) for lanes in stores)
    table = re.findall(r"<tr><th scope=\"row\" class=\"text\">(.*?)</th>(.*?)</tr>", text)
    cells = [[name] + [int(n) for n in re.findall(r"<td>(\d+)</td>", numbers)] for name, numbers in table]
    report.check(f"{name}: the sectors of the first instruction", cells[0][3] == sectors(loads[0], width), cells)
    report.check(f"{name}: the sectors of all",
                 cells[1][1] == len(loads) and cells[1][3] == moved and cells[1][6] == 32 * moved and
                 cells[1][5] == rows * cols * size, (cells, moved))
    report.check(f"{name}: the wavefronts of the first instruction",
                 cells[2][3] == wavefronts(stores[0], width), cells)
    report.check(f"{name}: the wavefronts of all",
                 cells[3][3] == passes and cells[3][5] == passes - ideal, (cells, passes))
    share = rows * cols * size / (32 * moved)
    coalesced = "Coalesced" if share == 1 else "Partly coalesced" if share > 0.5 else "Not coalesced"
    report.check(f"{name}: the verdicts",
                 page.heads[1:3] == [coalesced, "No bank conflicts" if passes == ideal else "Bank conflicts"],
                 page.heads)
    said = " ".join(page.words)
    report.check(f"{name}: the verdicts have the numbers",
                 f"{moved} sectors of 32 bytes" in said and f"{passes} wavefronts" in said, said[:900])
    beside = "before and after" in said
    report.check(f"{name}: a swizzle is shown before and after", beside == bool(sw))


# name, arguments, the headings after the title, what is said
MMAS = [
    ("a tiled MMA", ["%s"], ["Covered"] * 3 + ["Operands", "Which thread holds which element"],
     ["held by 2 threads, 1 of each of the 2 atoms along n; (0,0) by threads 0 and 64"]),
    ("fed by ldmatrix", ["%s", "--shared-a", "Sw<3,3,3> o 0 o (64,64):(64,1)", "--shared-b", "(64,64):(1,64)"],
     ["Covered"] * 3 + ["ldmatrix_x4", "No bank conflicts", "ldmatrix_x4_trans", "Bank conflicts", "Operands",
                        "Which thread holds which element", "Banks: A", "Banks: B", "How this was counted"],
     ["1024 wavefronts where 128 would do: 896 conflicts. The nearest layout that works: "
      "Sw<3,3,3> o 0 o (64,64):(1,64).", "before and after"]),
    ("rows that are not aligned", ["%s", "--shared-a", "(64,64):(66,1)"],
     ["Covered"] * 3 + ["Not readable", "Operands", "Which thread holds which element"], ["begins at offset 66, not a multiple of 8"]),
    ("a sparse atom", ["SM80_SPARSE_16x8x32_F32F16F16F32_TN"], ["Covered"] * 4 + ["Operands", "Which thread holds which element"],
     ["A (m,k/2)", "E (m,bit)", "((2,2,8),(16,2)):((256,0,1),(16,8))"]),
    ("wgmma", ["SM90_64x32x16_F32F16F16_SS", "--shared-a", "Sw<3,3,3> o 0 o (64,64):(64,1)", "--shared-b", "(32,64):(64,1)"],
     ["Covered"] * 3 + ["A descriptor", "Not readable", "Operands", "Which thread holds which element"],
     ["0x4000004000010000", "mma_descriptor: mode 0: element 1 is 128 bytes from element 0",
      "The nearest layout that works: Sw<3,3,3> o 0 o (32,64):(64,1)."]),
    ("tcgen05", ["SM100_64x32x16_F32F16F16_SS"], ["Covered"] * 3 + ["Operands", "Which thread holds which element"],
     ["((16,4),32):((1@0,32@0),1@1)"]),
    ("atoms along k", ["tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (1,2,2))"],
     ["Covered"] * 3 + ["Operands", "Which thread holds which element"], ["each have a part of C of their own"]),
]


def check_mma(report, cutlet, folder):
    path = os.path.join(folder, "mma.html")
    for name, args, heads, said in MMAS:
        status, words = tap.run([cutlet, "report", *(a.replace("%s", MMA) for a in args), "-o", path])
        report.check(f"{name}: runs", status == 0, words)
        page = check_page(report, name, open(path, encoding="utf-8").read(), "Tiled MMA", 1)
        report.check(f"{name}: the headings", page.heads == ["Tiled MMA"] + heads, page.heads)
        text = " ".join(page.words)
        report.check(f"{name}: what is said", all(part in text for part in said), text[:2000])
        lines = words.splitlines()
        report.check(f"{name}: a line for each verdict", len(lines) == heads.index("Operands") and
                     all(f": {head}. " in line for head, line in zip(heads, lines)), lines)
    os.remove(path)


def check_report(report, cutlet, folder):
    path = os.path.join(folder, "x.html")
    for row in COPIES:
        check_copy(report, cutlet, folder, row)
    matrices = "tiled_copy(copy_atom(ldmatrix_x4, 16), (8,4):(4,1), (4,2):(2,1))"
    status, words = tap.run([cutlet, "report", matrices, "--shared", "(32,8):(8,1)", "-o", path])
    page = check_page(report, "ldmatrix", open(path).read())
    report.check("ldmatrix: a side in registers has no part in it", status == 0 and
                 page.heads == ["Tiled copy", "Bank conflicts", "128-bit accesses", "Tile", "Threads",
                                "Banks: source", "How this was counted"], page.heads)
    status, words = tap.run([cutlet, "report", ASYNC, "--src", "(16,64):(64,1)", "--shared", "(16,64):(64,1)",
                             "-o", path])
    page = check_page(report, "cp.async", open(path).read())
    report.check("cp.async: each side, and what is not known of them together", status == 0 and
                 page.heads[1:3] == ["Coalesced", "No bank conflicts"] and
                 "are counted together" in " ".join(page.words), page.heads)
    words_by_ca = "tiled_copy(copy_atom(cp_async_ca32, 32), (4,32):(32,1), (1,1):(1,1))"
    status, words = tap.run([cutlet, "report", words_by_ca, "--src", "(64,64):(1,1024)", "--shared",
                             "(64,32):(32,1)", "-o", path])
    report.check("cp.async: lanes that read one bank", status == 0 and "Bank conflicts. 128 instructions take "
                 "at least 4096 wavefronts where 128 would do: 3968 conflicts" in words, words)
    status, words = tap.run([cutlet, "report", ASYNC, "--src", "Sw<3,3,3> o 0 o (16,64):(64,1)", "--shared",
                             "(16,64):(64,1)", "-o", path])
    report.check("a swizzle of global memory", status == 2 and "is it --shared?" in words, words)
    rank3 = "tiled_copy(copy_atom(universal32, 32), (8,4,2), (1,1,2))"
    status, words = tap.run([cutlet, "report", rank3, "--src", "(8,8,16)", "--dst", "(8,8,16):(128,16,1)", "-o",
                             path])
    page = check_page(report, "rank 3", open(path).read())
    report.check("rank 3: a grid for each slice", all(
        any(f"(_,_,{k})" in w for w in page.words) for k in range(4)) and "Not coalesced" in words, words)
    wide = "tiled_copy(copy_atom(universal32, 16), (16,8):(8,1), (1,8):(8,1))"
    status, words = tap.run([cutlet, "report", wide, "--src", "(128,128):(128,1)", "-o", path])
    report.check("a wider access would be possible", status == 0 and
                 "2 elements of 16 bits, as its atom says; the layouts allow 128." in words, words)
    narrow = "tiled_copy(copy_atom(universal32, 16), (16,8):(8,1), (1,8):(8,1))"
    status, words = tap.run([cutlet, "report", narrow, "--src", "(128,128):(130,1)", "-o", path])
    report.check("no wider access is possible", status == 0 and
                 "no more are possible: the values of a thread begin at multiples of 4 bytes only."
                 in words, words)
    os.remove(path)
    for name, args, says in REFUSED:
        status, words = tap.run([cutlet, "report", *args, "-o", path])
        report.check(f"report: {name}", status == 2 and words.count("\n") == 1 and says in words, words)
    status, words = tap.run([cutlet, "report", wide, "--src", "(128,128):(128,1)", "-o", folder + "/no/x.html"])
    report.check("report: a folder that is not there", status == 2 and words.count("\n") == 1, words)
    report.check("report: nothing is left behind", sorted(os.listdir(folder)) == ["page.html"], os.listdir(folder))


MMA = "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <32,32,16>)"
COPY = "tiled_copy(copy_atom(universal64, 16), (16,8):(8,1), (1,4):(4,1))"
ASYNC = "tiled_copy(copy_atom(cp_async_cg128, 16), (16,8):(8,1), (1,8):(8,1))"
REFUSED = [
    ("no side", [COPY], "--src, --dst or --shared is missing"),
    ("three sides", [COPY, "--src", "4", "--dst", "4", "--shared", "4"], "two of --src, --dst and --shared"),
    ("no tiled copy", ["(4,8)", "--src", "(4,8)"], "a report is about a tiled copy or a tiled MMA, not a tuple"),
    ("an operand of a copy", [COPY, "--shared-a", "(16,64)"], "--shared-a and --shared-b are for a tiled MMA"),
    ("a source of an MMA", [MMA, "--src", "(64,64)"], "only --shared-a, --shared-b and --arch can be given"),
    ("a shape of an MMA", [MMA, "--shape", "(64,64)"], "only --shared-a, --shared-b and --arch can be given"),
    ("no whole tiles", [MMA, "--shared-a", "(60,64)"], "mode 0 of A has 60 elements, not a multiple of the tile's 32"),
    ("no operand", [MMA, "--shared-b", "Sw<1,1,1>"], "--shared-b takes a layout, swizzled or not"),
    ("no layout", [COPY, "--src", "Sw<1,1,1>"], "--src takes a layout, swizzled or not, not a swizzle"),
    ("cp.async to global memory", [ASYNC, "--dst", "(16,64):(64,1)"],
     "--dst: the destination of this atom is in shared memory"),
    ("misaligned", [COPY, "--src", "(16,30):(30,1)"], "not a multiple of its 8 bytes"),
    ("not contiguous", [COPY, "--src", "(16,32):(1,16)"], "not contiguous"),
    ("the widest that is possible", [COPY, "--src", "(16,32):(1,16)"],
     "; the layouts allow 16 bits, and `cutlet explain copy` shows what would allow more"),
    ("no such rules", [COPY, "--src", "(16,32):(32,1)", "--arch", "sm_10"], "there are no rules for `sm_10`; there are for sm_90"),
]


# ---- draw access ---------------------------------------------------------------------------------

def svg_words(path):
    return [e.text or "" for e in tree.parse(path).getroot().iter(SVG + "text")] # without their tips


def strided(step):
    return ",".join(str(step * t) for t in range(32))


SHOWN = ("tiled_copy.svg", ["tiled_copy(copy_atom(universal64, 16), (4,8):(8,1), (1,4):(1,1))"])
DRAWN = [
    ("a column of a row-major tile", ["--kind", "lds", "--bits", "32", "--lanes", strided(128)],
     "32 lanes: 32 wavefronts, 31 conflicts; 1 would do"),
    ("one word for all", ["--kind", "LDS", "--bits", "32", "--lanes", ",".join("0" * 32)],
     "32 lanes: 1 wavefront, no conflict; 1 would do"),
    ("sectors", ["--kind", "ldg", "--bits", "32", "--lanes", strided(12)],
     "32 lanes: 12 sectors of 3 lines move 384 bytes, of which 128 (33 %) are used."),
    ("a layout", ["--kind", "lds", "--type", "half", "--memory", "(32,64):(64,1)", "(32,8):(1,32)"],
     "32 lanes: 32 wavefronts, 28 conflicts; 4 would do"),
    ("a swizzled layout", ["--kind", "sts", "--type", "half", "--memory", "Sw<3,3,3> o 0 o (32,64):(64,1)",
                           "(32,8):(1,32)"], "32 lanes: 4 wavefronts, no conflict"),
    ("before and after", ["--kind", "lds", "--type", "half", "--memory", "(32,64):(64,1)", "--swizzle",
                          "Sw<3,3,3>", "(32,8):(1,32)"], "32 wavefronts before, 4 after"),
    ("a warp of a tiled copy", ["--kind", "ldg", "--memory", "(16,32):(64,1)", "--warp", "3", COPY],
     "32 lanes: 8 sectors of 4 lines move 256 bytes, of which 256 (100 %) are used."),
]
WRONG = [
    ("no kind", ["--lanes", "0"], "--kind is missing"),
    ("neither lanes nor layout", ["--kind", "lds"], "one of the two"),
    ("lanes and a layout", ["--kind", "lds", "--lanes", "0", "(4,8)"], "one of the two"),
    ("a layout nowhere", ["--kind", "lds", "(4,8)"], "--memory is missing"),
    ("lanes in a memory", ["--kind", "lds", "--lanes", "0", "--memory", "8:1"], "--lanes says all by itself"),
    ("no such kind", ["--kind", "mov", "--lanes", "0"], "not `mov`"),
    ("no byte", ["--kind", "lds", "--lanes", "0,x"], "--lanes: lane 1 is `x`"),
    ("33 lanes", ["--kind", "lds", "--lanes", strided(16) + ",0"], "a warp has 32 lanes"),
    ("misaligned", ["--kind", "lds", "--lanes", "0,8"], "lane 1 begins at byte 8, not a multiple of its 16 bytes"),
    ("all off", ["--kind", "lds", "--lanes", "-"], "no lane takes part"),
    ("a width", ["--kind", "lds", "--bits", "256", "--lanes", "0"], "LDS has no accesses of 256 bits"),
    ("a torn access", ["--kind", "lds", "--swizzle", "Sw<3,2,3>", "--lanes", "0"],
     "moves runs of 4 bytes, and an access has 16"),
    ("no swizzle", ["--kind", "lds", "--swizzle", "4:1", "--lanes", "0"], "--swizzle takes a swizzle"),
    ("sectors have no swizzle", ["--kind", "ldg", "--swizzle", "Sw<3,4,3>", "--lanes", "0"], "has no banks"),
    ("two swizzles", ["--kind", "lds", "--type", "half", "--swizzle", "Sw<3,3,3>", "--memory",
                      "Sw<3,3,3> o 0 o (32,64):(64,1)", "(32,8):(1,32)"], "a swizzle of its own"),
    ("no such warp", ["--kind", "ldg", "--memory", "(16,32):(64,1)", "--warp", "4", COPY],
     "no instruction 0 of warp 4: 4 warps of 1 instruction"),
    ("no type", ["--kind", "lds", "--memory", "(32,64):(64,1)", "(32,8):(1,32)"], "--type is missing"),
    ("a type of a tiled copy", ["--kind", "ldg", "--type", "half", "--memory", "(16,32):(64,1)", COPY],
     "knows its own --type"),
    ("not of the atom", ["--kind", "ldmatrix", "--memory", "(16,32):(64,1)", COPY], "not what the atom does"),
    ("no such rules", ["--kind", "lds", "--arch", "sm_10", "--lanes", "0"], "there are no rules for `sm_10`; there are for sm_90"),
]


NARROW = ["tiled_copy(copy_atom(universal16, 16), (16,8):(8,1), (1,8))", "--src", "(512,512):(1,512)"]
# Its second instruction has a bank conflict, its first has none.
LATER = ["tiled_copy(copy_atom(universal16, 16), (1,32):(1,1), (1,2):(1,1))", "--shared",
         "Sw<3,0,5> o 3 o (1,64):(96,2)"]
# Pictures whose labels are as wide as they come.
DENSE = [["access", "--kind", "lds", "--bits", "128", "--lanes", strided(128)],
         ["access", "--kind", "ldg", "--bits", "32", "--lanes", strided(12)],
         ["mma_atom(SM80_16x8x16_F32F16F16F32_TN)"], ["(8,200):(200,1)"]]
BLANK = 0.6 # of the size of a character of fixed width


def neighbours(path):
    """The least room between labels of one line, in blanks of theirs."""
    lines, root = {}, tree.parse(path).getroot()
    def walk(node, size):
        for child in node:
            if child.tag == SVG + "g":
                walk(child, 11 if child.get("class") == "h" else size)
            elif child.tag == SVG + "text" and child.get("class") in (None, "e"):
                is_end, width = child.get("class") == "e", BLANK * size * len(child.text or "")
                left = float(child.get("x")) - (width if is_end else width / 2)
                lines.setdefault((child.get("y"), size), []).append((left, left + width))
    walk(root, 12)
    return min((b[0] - a[1]) / (BLANK * size) for (_, size), line in lines.items()
               for a, b in zip(sorted(line), sorted(line)[1:]))


def check_reading(report, cutlet, folder):
    """Wide pictures scroll, labels have room between them, and what is named as wrong is drawn and mended."""
    path = os.path.join(folder, "page.html")
    status, words = tap.run([cutlet, "report", *NARROW, "-o", path])
    text = open(path).read()
    hint = re.search(r"What would be wider</h2>\s*<ul>\s*<li><strong>128-bit", text)
    report.check("the page has wider alternatives", status == 0 and hint, words)
    report.check("the command says it too", "\nwider: 128-bit accesses. " in words, words)
    hints = tap.run([cutlet, "explain", "copy", *NARROW])[1]
    said = re.search(r"128-bit accesses. (.*)\n", words)
    report.check("as explain copy does", said and f"128-bit  {said.group(1)}\n" in hints, hints)
    report.check("pictures are not made smaller", "<svg" in text and "max-width:100%" not in text
                 and "min-width:" not in re.sub(r"<style>.*?</style>", "", text, flags=re.S), text[:300])
    status, words = tap.run([cutlet, "report", *LATER, "-o", path])
    text = open(path).read()
    report.check("the instruction with the conflict is drawn", "Bank conflicts" in words and
                 "instruction 1 of warp 0, which has the most bank conflicts" in text and
                 re.search(r"as it is: 2 wavefronts, 1 conflict", text), words)
    for args in DENSE:
        drawn = os.path.join(folder, "labels.svg")
        status, words = tap.run([cutlet, "draw", *args, "-o", drawn])
        capacity = neighbours(drawn)
        report.check(f"labels do not touch: {args[0]} {args[-1][:20]}", status == 0 and capacity >= 0.99, capacity)
    folder = os.path.join(folder, "pictures")
    tap.run([cutlet, "compare", "--rows", "64", "--cols", "64", "--no-gpu", "--svg", folder])
    page = open(os.path.join(folder, "index.html")).read()
    check_conflicts(report, folder, page)
    report.check("the pictures of compare scroll", page.count("<img ") == page.count('<div class="wide"><a href') > 5 and
                 "figure img { display: block; }" in page, page[:300])


def check_conflicts(report, folder, page):
    """Each bank conflict that the page of compare names has a picture of banks, and nothing else has one."""
    shown = re.findall(r'<p id="([^"]*-banks.svg)">(\d+) bank conflicts', page)
    named = re.findall(r'<a href="#([^"]*-banks.svg)">(\d+)</a></td>', page)
    files = [name for name in os.listdir(folder) if name.endswith("-banks.svg")]
    report.check("compare: a picture for each conflict", len(named) > 3 and named == shown and
                 sorted(files) == sorted(name for name, _ in named) and page.count("<td>0</td>") > 3,
                 (named, shown, files))
    for name, _ in shown:
        words = " ".join(svg_words(os.path.join(folder, name)))
        conflicts = re.search(r"(\d+) conflicts?\b", words)
        report.check(f"compare: {name} shows it", "with the most bank conflicts" in words and conflicts
                     and int(conflicts.group(1)) > 0, words[:300])
    sizes = [float(size) for name in os.listdir(folder) if name.endswith(".svg")
             for size in re.findall(r"font-size:([0-9.]+)px", open(os.path.join(folder, name)).read())]
    report.check("no text is below 11 px", sizes and min(sizes) >= 11, sizes)


def check_draw(report, cutlet, folder, source):
    path = os.path.join(folder, "a.svg")
    for name, args, says in DRAWN:
        status, words = tap.run([cutlet, "draw", "access", *args, "-o", path])
        found = " ".join(svg_words(path)) if status == 0 else ""
        report.check(f"draw access: {name}", status == 0 and says in found, (words, found[:300]))
    for name, args, says in WRONG:
        status, words = tap.run([cutlet, "draw", "access", *args, "-o", os.path.join(folder, "b.svg")])
        report.check(f"draw access: {name}", status == 2 and words.count("\n") == 1 and says in words, words)
    report.check("draw access: nothing is left behind", not os.path.exists(os.path.join(folder, "b.svg")))
    status, words = tap.run([cutlet, "draw", "(4,4)", "--kind", "lds"])
    report.check("draw: options of an access alone", status == 2 and "`cutlet draw access`" in words, words)
    # README's picture is what this command makes.
    name, args = SHOWN
    made, shown = os.path.join(folder, name), os.path.join(source, "docs", name)
    tap.run([cutlet, "draw", *args, "-o", made])
    report.check(f"docs/{name} is what the command draws", open(made).read() == open(shown).read())
    # Two panels that are wider together than a page stand one below the other.
    size = re.search(r'width="([0-9.]+)"', open(made).read())
    report.check("panels that do not fit side by side are stacked", float(size.group(1)) < 1216, size.group(1))


def main(report, cutlet, source):
    os.environ.update(NO_COLOR="1", LC_ALL="C")
    with tempfile.TemporaryDirectory() as folder:
        check_mma(report, cutlet, folder)
        check_report(report, cutlet, folder)
    with tempfile.TemporaryDirectory() as folder:
        check_draw(report, cutlet, folder, source)
        check_reading(report, cutlet, folder)


tap.main(main)
