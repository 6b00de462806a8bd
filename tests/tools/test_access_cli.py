#!/usr/bin/env python3
"""`cutlet access`: lanes, tables, layouts, the gate, and what cannot be read.

    test_access_cli.py CUTLET SOURCE
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

COPY = "tiled_copy(copy_atom(universal128,16), (16,8):(8,1), (1,8):(1,1))"
ASYNC = COPY.replace("universal128", "cp_async_cg128")


class Command:
    def __init__(self, cutlet, report):
        self.cutlet, self.report = cutlet, report

    def run(self, *args, stdin=""):
        done = subprocess.run([self.cutlet, "access", *args], input=stdin, capture_output=True, text=True,
                              timeout=120, env=dict(os.environ, LC_ALL="C"))
        return done.returncode, done.stdout, done.stderr

    def expect(self, name, args, status, out="", err="", stdin=""):
        """out and err: the whole text."""
        got = self.run(*args, stdin=stdin)
        self.report.check(name, got == (status, out, err), f"{got}\nexpected {(status, out, err)}")

    def wrong(self, name, args, message, stdin="", status=2):
        """One line on stderr, nothing on stdout."""
        self.expect(name, args, status, "", f"cutlet access: {message}\n", stdin)


def line(requests, sectors, wavefronts, ideal, conflicts):
    return (f"requests {requests} sectors {sectors} wavefronts {wavefronts} ideal {ideal} "
            f"conflicts {conflicts}\n")


def test_lanes(c):
    every = ",".join(str(4 * t) for t in range(32))
    c.expect("a row of words", ["--kind", "lds", "--bits", "32", "--lanes", every], 0, line(0, 0, 1, 1, 0))
    c.expect("the same of global memory", ["--kind", "ldg", "--bits", "32", "--lanes", every], 0,
             line(1, 4, 0, 0, 0))
    c.expect("fewer lanes, some off", ["--kind", "sts", "--bits", "32", "--lanes", "0,-,128,256"], 0,
             line(0, 0, 3, 1, 2))
    c.expect("no lane", ["--kind", "ldg", "--bits", "8", "--lanes", "-"], 0, line(0, 0, 0, 0, 0))
    c.expect("256 bits", ["--kind", "stg", "--bits", "256", "--lanes", "0,32"], 0, line(1, 2, 0, 0, 0))
    c.expect("cp.async, its global side", ["--kind", "ldgsts", "--bits", "32", "--lanes", "0,128"], 0,
             line(1, 2, 0, 0, 0))
    c.expect("cp.async, both sides; a lane that is off writes nothing",
             ["--kind", "ldgsts", "--bits", "32", "--lanes", "0,4,-", "--shared-lanes", "0,128,256"],
             0, line(1, 1, 2, 1, 1))
    c.expect("cp.async past L1: a sector whose halves part ways is asked for twice",
             ["--kind", "ldgsts.bypass", "--bits", "128", "--lanes", "0,16", "--shared-lanes", "0,128"],
             0, line(1, 2, 2, 1, 0), "this is a lower bound; the hardware may take more\n")
    rows = ",".join(str(16 * t) for t in range(32))
    for kind in ("ldmatrix", "stmatrix", "ldsm", "STSM"):
        c.expect(f"{kind} has one width", ["--kind", kind, "--lanes", rows], 0, line(0, 0, 4, 4, 0))
    c.expect("JSON", ["--kind", "lds", "--bits", "32", "--lanes", "0", "--json"], 0,
             '{"requests":0,"sectors":0,"lines":0,"wavefronts":1,"ideal":1,"conflicts":0,"lanes":1,'
             '"broadcast":0,"bytes_used":4,"bytes_moved":128,"at_least":false}\n')
    for arch in ("sm_80", "sm_90", "sm_120"):
        c.expect(f"--arch {arch}", ["--kind", "lds", "--bits", "32", "--lanes", "0", "--arch", arch], 0,
                 line(0, 0, 1, 1, 0))


def test_wrong_lanes(c):
    c.wrong("no form", [], "give one of --lanes, --batch and an expression; see `cutlet access --help`")
    c.wrong("two forms", ["--lanes", "0", "4:1"],
            "give one of --lanes, --batch and an expression; see `cutlet access --help`")
    c.wrong("no kind", ["--lanes", "0"], "--kind is missing")
    c.wrong("no bits", ["--kind", "lds", "--lanes", "0"], "--bits is missing")
    c.wrong("unknown kind", ["--kind", "ld", "--lanes", "0"],
            "--kind is ldg, stg, lds, sts, ldgsts, ldgsts.bypass, ldmatrix or stmatrix, not `ld` (did you "
            "mean `ldg`?)")
    lanes = ["--kind", "ldg", "--bits", "32", "--lanes"]
    c.wrong("misaligned", lanes + ["0,6"], "lane 1 begins at byte 6, not a multiple of its 4 bytes")
    c.wrong("a word", lanes + ["0,x,8"], "lane 1 is `x`; it takes the byte that it begins at, 0 or more, or -")
    c.wrong("negative", lanes + ["-4"], "lane 0 is `-4`; it takes the byte that it begins at, 0 or more, or -")
    c.wrong("an empty place", lanes + ["0,,8"],
            "lane 1 is ``; it takes the byte that it begins at, 0 or more, or -")
    c.wrong("too large", lanes + ["99999999999999999999"],
            "lane 0 is `99999999999999999999`; it takes the byte that it begins at, 0 or more, or -")
    c.wrong("33 lanes", lanes + [",".join("0" * 33)], "a warp has 32 lanes, and more are given")
    c.wrong("a width that the kind lacks", ["--kind", "lds", "--bits", "256", "--lanes", "0"],
            "LDS has accesses of 8, 16, 32, 64 or 128 bits, not of 256")
    c.wrong("shared lanes of a load", ["--kind", "lds", "--bits", "32", "--lanes", "0", "--shared-lanes", "0"],
            "--shared-lanes is for --lanes of ldgsts")
    c.wrong("a lane without shared memory",
            ["--kind", "ldgsts", "--bits", "32", "--lanes", "0,4", "--shared-lanes", "0"],
            "lane 1 has a byte of global memory, and none of shared memory")
    c.wrong("unknown architecture", lanes + ["0", "--arch", "sm_1"],
            "--arch: there are no rules for `sm_1`; `cutlet access --arch list` lists those that there are")
    c.wrong("options of layouts", lanes + ["0", "--list"],
            "--memory, --read, --src, --dst, --shape, --type, --elem-bits, --base, --dst-base, --src-kind, "
            "--dst-kind and --list are for layouts")


def test_arch(c):
    status, out, err = c.run("--arch", "list")
    lines = out.splitlines()
    c.report.check("--arch list", status == 0 and err == "" and lines[0].split() ==
                   "sm_90 measured on H200".split() and len(lines) >= 2, out)
    c.report.check("only what was measured says so",
                   all("not measured, assumed to follow sm_90" in l for l in lines[1:]), out)


BELOW = " of those that passed were compared as lower bounds\n"


def test_batch(c, data):
    for name, rows in (("h200_one_warp.tsv", 208), ("h200_pairs.tsv", 552), ("h200_corpus.tsv", 2122)):
        below = "216" + BELOW if name == "h200_corpus.tsv" else ""
        c.expect(f"{name} agrees with the hardware", ["--batch", os.path.join(data, name)], 0,
                 f"{below}{rows} passed, 0 failed\n")
    c.expect("a table without a row", ["--batch", os.devnull], 2, "",
             f"cutlet access: {os.devnull}: it has no rows\n")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tsv")
        with open(os.path.join(data, "h200_one_warp.tsv")) as source:
            text = source.read().splitlines()
        at = next(i for i, l in enumerate(text) if l.startswith("sts"))
        cells = text[at].split("\t")
        cells[6] = str(int(cells[6]) + 1)
        with open(path, "w") as out:
            out.write("\n".join(text[:at] + ["\t".join(cells)] + text[at + 1:]) + "\n")
        c.expect("a changed counter is found", ["--batch", path], 1,
                 f"{path}:{at + 1}: STS {cells[1]} bits: counted wavefronts {int(cells[6]) - 1} conflicts "
                 f"{cells[7]}, the file says wavefronts {cells[6]} conflicts {cells[7]}\n"
                 "207 passed, 1 failed\n")
        c.wrong("no such file", ["--batch", os.path.join(folder, "none")],
                f"{folder}/none: No such file or directory")
    batch = ["--batch", "-"]
    c.expect("a row without a counter", batch, 0,
             "-:1: LDG 32 bits: counted requests 1 sectors 1 wavefronts 0 ideal 0 conflicts 0, the file has no counters\n1 without a counter: neither passed nor failed\n0 passed, 0 failed\n",
             stdin="ldg\t32\t0,4\n")
    c.expect("columns by name", batch, 1,
             "-:3: LDS 32 bits: counted ideal 1 conflicts 1, the file says ideal 2 conflicts 1\n"
             "1 passed, 1 failed\n",
             stdin="# columns: source bits kind lanes conflicts ideal\nmine\t32\tlds\t0,128\t1\t1\n"
                   "mine\t32\tlds\t0,128\t1\t2\n")
    c.expect("the shared side of cp.async", batch, 0, "1 passed, 0 failed\n",
             stdin="ldgsts\t32\t0,4\t0,128\t1\t1\t2\t1\r\n")
    least = "ldgsts\t32\t0,128\t0,4\t1\t2\t"
    c.expect("where the count is the least, more is right", batch, 1,
             "-:3: LDGSTS 32 bits: counted requests 1 sectors 2 wavefronts 2 conflicts 1, the file says requests "
             "1 sectors 2 wavefronts 1 conflicts 0\n"
             "-:4: LDS 32 bits: counted wavefronts 1, the file says wavefronts ~\n2" + BELOW + "2 passed, 2 failed\n",
             stdin=least + "3\t2\n" + least + "~\t~\n" + least + "1\t0\nlds\t32\t0\t\t\t\t~\n")
    c.expect("several kinds in a row", batch, 1,
             "-:1: LDG 32 bits: counted requests 1 sectors 2, the file says requests 1 sectors 3\n"
             "2 passed, 1 failed\n", stdin="lds,ldg,sts\t32\t0,128\t\t1\t3\t2\t1\n")
    for name, text, message in (
            ("an unknown kind among others", "lds,ldx\t32\t0\n", "there is no kind of access `ldx`"),
            ("too many kinds", ",".join(9 * ["lds"]) + "\t32\t0\n", "a row has at most 8 kinds"),
            ("shared lanes of one kind of two", "ldgsts,lds\t32\t0\t0\n",
             "only ldgsts has bytes of shared memory beside those of its lanes"),
            ("an unknown kind", "ldx\t32\t0\n", "there is no kind of access `ldx`"),
            ("too few columns", "ldg\t32\n", "a row has at least a kind, bits and lanes"),
            ("too many columns", "ldg\t32\t0\t\t1\t1\t\t\t5\n",
             "more than 8 columns; a comment `# columns: ..` names them"),
            ("a counter that is no number", "ldg\t32\t0\t\tone\n", "requests is `one`; it is a number or empty"),
            ("bits that are no number", "ldg\tx\t0\n", "an access has 8 to 256 bits, not `x`"),
            ("a misaligned lane", "ldg\t32\t2\n", "lane 0 begins at byte 2, not a multiple of its 4 bytes"),
            ("shared lanes of a load", "lds\t32\t0\t0\n",
             "only ldgsts has bytes of shared memory beside those of its lanes"),
            ("columns without lanes", "# columns: kind bits\n",
             "columns: names the columns, kind, bits and lanes among them"),
            ("a column twice", "# columns: kind bits lanes kind\n", "a column is named twice")):
        c.expect(name, batch, 2, "1 passed, 0 failed\n", f"cutlet access: -:2: {message}\n",
                 stdin="ldg\t32\t0\t\t1\t1\t\t\n" + text)
    c.wrong("another option", batch + ["--json"], "--batch takes no other option than --arch")


def test_layouts(c):
    status, out, err = c.run(COPY, "--src", "(512,512):(512,1)", "--dst", "Sw<3,3,3> o 0 o (16,64):(64,1)")
    c.report.check("a tiled copy", (status, err) == (0, "") and [l.split() for l in out.splitlines()[-2:]] == [
        "source LDG 128 1024 1024 16384 4096 100 % - - -".split(),
        "destination STS 128 1024 - - - - 4096 1.00 0".split()], out)
    status, out, _ = c.run(ASYNC, "--src", "(15,60):(64,1)", "--dst", "(16,64):(64,1)", "--json")
    sides = json.loads(out)["access"]
    c.report.check("a ragged cp.async, JSON", status == 0 and json.loads(out)["arch"] == "sm_90"
                   and [s["side"] for s in sides] == ["source", "destination"]
                   and sides[0]["bytes_used"] == 15 * 64 * 2  # filled with zeros, counted whole
                   and sides[0]["lanes"] == sides[1]["lanes"] == 15 * 8, out)
    status, out, _ = c.run("((4,8),8):((512,8),64)", "--kind", "lds", "--type", "half", "--list", "--json")
    steps = json.loads(out)["instructions"]
    c.report.check("a thread-value layout, each instruction", status == 0 and len(steps) == 8 and
                   steps[1]["lanes"][:5] == [128, 1152, 2176, 3200, 144] and steps[1]["conflicts"] == 3, out)
    status, out, _ = c.run("((4,8),8):((512,8),64)", "--kind", "lds", "--type", "half", "--list")
    lanes = re.findall(r"conflicts (\d+), lanes (.*)", out)
    c.report.check("what --list prints, --lanes reads", len(lanes) == 8 and all(
        c.run("--kind", "lds", "--bits", "16", "--lanes", l)[1].endswith(f"conflicts {n}\n")
        for n, l in lanes), out)
    row = lambda *args: c.run(*args)[1].splitlines()[-1].split()
    tv = ["(32,8):(8,1)", "--kind", "sts", "--type", "half"]
    c.report.check("the widest access", row(*tv)[:2] == ["STS", "128"], row(*tv))
    c.report.check("a narrower base", row(*tv, "--base", "8")[:2] == ["STS", "64"], "")
    c.report.check("--bits", row(*tv, "--bits", "32")[:3] == ["STS", "32", "4"], "")
    c.report.check("--elem-bits", row(*tv[:3], "--elem-bits", "16") == row(*tv), "")
    c.report.check("--memory", row(*tv, "--memory", "Sw<1,2,3> o 0 o (256):(1)")[:2] == ["STS", "64"], "")
    c.report.check("a bare shape as a memory", row(*tv, "--memory", "(16,16)") == row(*tv), "")
    c.report.check("ldmatrix", row("(16,8):(8,1)", "--kind", "ldmatrix", "--type", "half")[:4] ==
                   ["LDSM", "128", "1", "2"], "")
    back = row(COPY, "--src", "(16,64):(64,1)", "--dst", "(64,64):(64,1)")
    c.report.check("from shared to global memory", back[:3] == ["destination", "STG", "128"], back)
    told = row(COPY, "--src", "(64,64):(64,1)", "--src-kind", "lds", "--base", "16")
    c.report.check("--src-kind", told[:3] == ["source", "LDS", "128"], told)
    told = row(COPY, "--dst", "(64,64):(64,1)", "--dst-kind", "sts", "--dst-base", "64", "--shape", "(60,64)")
    c.report.check("--shape", told[:4] == ["destination", "STS", "128", "15"], told)


def test_wrong_layouts(c):
    half = ["--kind", "lds", "--type", "half"]
    c.wrong("no kind", ["(32,8):(8,1)", "--type", "half"],
            "say what the layout is: --read rows, columns, ldmatrix .. for a tile in shared memory; --kind ldg, "
            "stg, lds, sts .. for a thread-value layout")
    c.wrong("no type", ["(32,8):(8,1)", "--kind", "lds"],
            "--type is missing, such as half or float; or --elem-bits")
    c.wrong("unknown type", ["(32,8):(8,1)", "--type", "long"],
            "--type: there is no type `long`; `cutlet help types` lists them; --elem-bits takes the bits of any")
    c.wrong("rank 1", ["32:1", *half], "a thread-value layout has two modes with integer strides; this one has "
            "rank 1", status=1)
    c.wrong("past the memory", ["(32,8):(8,1)", *half, "--memory", "(16,8)"],
            "the thread-value layout reaches index 255; there are 128", status=1)
    c.wrong("a cut access", ["(32,8):(8,1)", *half, "--bits", "128", "--memory", "Sw<2,2,4> o 0 o 256:1"],
            "thread 8: the swizzle Sw<2,2,4> cuts its access of 128 bits: value 3 is element 71, value 4 element "
            "64", status=1)
    c.wrong("a tiled copy without data", [COPY], "--src and --dst are missing: the layouts of the data")
    c.wrong("the other side of ldmatrix",
            ["tiled_copy(copy_atom(ldmatrix_x1,16), (8,4):(4,1), (1,2))", "--dst", "(8,8)"],
            "destination: this side of the atom is registers", status=1)
    c.wrong("not an expression of layouts", ["Sw<3,4,3>", *half],
            "a thread-value layout or a tiled copy is needed, not a swizzle")
    c.wrong("a negative stride", ["(64,64):(1,-64)", "--read", "rows", "--type", "half"],
            "--read: a negative stride reaches offset -4032; write 4032@ before the layout")
    c.wrong("basis strides", ["(4,8):(1@0,1@1)", *half],
            "a thread-value layout has two modes with integer strides; this one has rank 2", status=1)
    c.wrong("a shape with `_`", [COPY, "--src", "(64,64)", "--shape", "(_,4)"], "--shape takes integers")
    c.wrong("a shape of 0", [COPY, "--src", "(64,64)", "--shape", "(4,0)"],
            "mode 1 of the tensor has shape 0; a shape is at least 1", status=1)
    c.wrong("out of memory", ["(32,8):(8,1)", *half, "--memory", "Sw<3,4,3>"],
            "--memory takes a layout, swizzled or not, not a swizzle")
    status, out, err = c.run("frob(3)", *half)
    c.report.check("an unknown operation", status == 2 and out == "" and "there is no operation `frob`" in err
                   and err.endswith("  ^~~~\n"), err)


def swizzled(offset, swizzle):
    bits, base, shift = swizzle
    return offset ^ (offset >> shift & ((1 << bits) - 1) << base)


def count_read(read, shape, stride, swizzle, size, width):
    """Wavefronts and conflicts of a tile read by warps, counted bank by bank: accesses of `width` elements of
    `size` bytes; lanes are taken together as 128 bytes hold them."""
    m, n = shape
    along_n = read in ("rows", "ldmatrix")
    outer, inner = (range(m), range(0, n, width)) if along_n else (range(n), range(0, m, width))
    first = [(i, j) for i in outer for j in inner] if read in ("rows", "columns") else \
            [(i, j) for j in inner for i in outer]
    offsets = [swizzled((i if along_n else j) * stride[0] + (j if along_n else i) * stride[1], swizzle) * size
               for i, j in first]
    together = min(32, 128 // (width * size))
    wavefronts = ideal = 0
    for at in range(0, len(offsets), together):
        banks = {}
        for o in offsets[at:at + together]:
            for word in range(o // 4, (o + width * size + 3) // 4):
                banks.setdefault(word % 32, set()).add(word)
        wavefronts += max(len(words) for words in banks.values())
        ideal += 1
    return wavefronts, wavefronts - ideal


READS = [("(64,64):(64,1)", (64, 64), (64, 1), (0, 0, 0)), ("Sw<3,3,3> o 0 o (64,64):(64,1)", (64, 64), (64, 1), (3, 3, 3)),
         ("Sw<2,3,4> o 0 o (32,128):(128,1)", (32, 128), (128, 1), (2, 3, 4)), ("(64,64):(72,1)", (64, 64), (72, 1), (0, 0, 0)),
         ("Sw<5,1,5> o 0 o (64,64):(64,1)", (64, 64), (64, 1), (5, 1, 5)), ("(64,32):(1,64)", (64, 32), (1, 64), (0, 0, 0))]


def test_read(c):
    for layout, shape, stride, swizzle in READS:
        for read in ("rows", "columns", "ldmatrix", "ldmatrix.trans"):
            status, out, err = c.run(layout, "--read", read, "--type", "half", "--json")
            if status:
                along_n = read in ("rows", "ldmatrix")
                c.report.check(f"{layout} by {read} is refused where 16 bytes do not lie together",
                               read.startswith("ldmatrix") and (stride[1 if along_n else 0] != 1 or swizzle[0] and swizzle[1] < 3) and
                               f"{read} reads 16 bytes along" in err, err)
                continue
            row = json.loads(out)["access"][0]
            want = count_read(read, shape, stride, swizzle, 2, row["bits"] // 16)
            c.report.check(f"{layout} by {read}, bank by bank", (row["wavefronts"], row["conflicts"]) == want,
                           (row, want))
            free = re.search(r"Sw<(\d),(\d),(\d)> has none", row["verdict"])
            if free:
                other = tuple(map(int, free.groups()))
                plain = layout.split(" o ")[-1]
                again = json.loads(c.run(f"Sw<{other[0]},{other[1]},{other[2]}> o 0 o {plain}", "--read", read, "--type",
                                         "half", "--bits", str(row["bits"]), "--json")[1])["access"][0]
                c.report.check(f"{layout} by {read}: {free.group(0)}", again["conflicts"] == 0 and
                               count_read(read, shape, stride, other, 2, row["bits"] // 16)[1] == 0, again)
            c.report.check(f"{layout} by {read}: the verdict", ("no bank conflict" in row["verdict"]) ==
                           (row["conflicts"] == 0), row)
    status, out, _ = c.run("(64,64):(64,1)", "--read", "ldmatrix", "--type", "half")
    c.report.check("what was understood, and the verdict", out.startswith(
        "a tile of 64 x 64 elements of 16 bits in shared memory (64,64):(64,1), read by ldmatrix, LDSM of 128 bits\n"
        "8-way conflict: lanes 0, 1, .. share a bank; Sw<3,3,3> has none\n\n"), out)
    status, out, _ = c.run("(64,64):(64,1)", "--kind", "lds", "--type", "half")
    c.report.check("how a thread-value layout is read, and no column without numbers", out.startswith(
        "64 threads, 64 values of 16 bits each, memory contiguous, by LDS of 128 bits\n8-way conflict") and
        "sectors" not in out, out)
    status, out, _ = c.run("(32,8):(8,1)", "--kind", "ldg", "--type", "half", "--src", "(16,16):(16,1)")
    c.report.check("--src of a thread-value layout", status == 0 and "memory (16,16):(16,1)" in out and
                   "wavefronts" not in out, out)
    read = ["(64,64):(64,1)", "--read", "rows"]
    c.wrong("--read without a type", read, "--type is missing, such as half or float; or --elem-bits")
    c.wrong("--read and --kind", read + ["--type", "half", "--kind", "lds"],
            "with --read the expression is the memory: --type, --bits and --base go with it")
    c.wrong("--read of a copy", [COPY, "--read", "rows", "--type", "half"],
            "--read takes the layout of a tile, not a tiled copy")
    c.wrong("--read of one mode", ["64:1", "--read", "rows", "--type", "half"],
            "a read is of a tile of two modes, (m,n) -> offset", status=1)
    c.wrong("--read that does not divide", ["(64,60):(64,1)", "--read", "rows", "--type", "half", "--bits", "128"],
            "the tile is not whole accesses of 128 bits along mode 1", status=1)
    c.wrong("an atom of layouts has no instruction", ["tiled_copy(copy_atom((32,8):(8,1), (32,8):(8,1), 16), (32,1), (1,8))",
                                                      "--src", "(32,8):(8,1)"],
            "source: the atom is made of layouts, and no instruction is known whose accesses could be counted", status=1)
    for rows, cols, read in ((4096, 128, "rows"), (512, 4096, "columns"), (1024, 64, "ldmatrix")):
        tile = f"({rows},{cols}):({cols},1)"
        each = c.run(tile, "--read", read, "--type", "half", "--json", "--list")
        once = c.run(tile, "--read", read, "--type", "half", "--json")
        both = [json.loads(text) for _, text, _ in (each, once)]
        listed = both[0].pop("instructions")
        c.report.check(f"{tile} by {read}: congruent accesses counted once cost as all of them",
                       listed and both[0] == both[1], (list(both[0]), list(both[1])))
    big = c.run("(1048576,16384):(16384,1)", "--read", "columns", "--type", "half")
    c.report.check("a tile of any size", big[0] == 0 and "32-way conflict: lanes 0, 1, .. share a bank; Sw<" in big[1] and
                   " 536870912 " in big[1], big)
    c.wrong("72 halves and 32 lanes", ["(64,72):(72,1)", "--read", "rows", "--type", "half"],
            "the 72 accesses of 16 bits along mode 1 and the 32 lanes of a warp: neither divides the other", status=1)
    tv = ["(32,8):(8,1)", "--kind", "sts", "--type", "half"]
    c.wrong("two memories", tv + ["--dst", "256:1", "--memory", "256:1"],
            "a thread-value layout has one memory: --memory, --src or --dst")
    c.wrong("a store from a source", tv + ["--src", "256:1"],
            "--src is for an instruction that loads, --dst for one that stores, and --kind names another")
    c.wrong("a shape", tv + ["--shape", "4"], "--shape is for a tiled copy")


def test_gate(c):
    column = ["((4,8),8):((512,8),64)", "--kind", "lds", "--type", "half"]
    status, out, err = c.run(*column, "--max-conflicts", "0", "--min-efficiency", "1.0")
    c.report.check("conflicts fail", status == 1 and "\nwhat " in out and err ==
                   "cutlet access: LDS: bank conflicts: 24, more than the 0 of --max-conflicts\n"
                   "cutlet access: LDS: efficiency 0.250, less than the 1 of --min-efficiency: 8 wavefronts of "
                   "32\n", err)
    c.report.check("up to this many pass", c.run(*column, "--max-conflicts", "24", "--min-efficiency",
                                               "0.25")[0] == 0)
    good = [COPY, "--src", "(512,512):(512,1)", "--dst", "(16,64):(64,1)", "--max-conflicts", "0",
            "--min-efficiency", "1.0"]
    c.report.check("a good copy passes", c.run(*good)[0] == 0 and c.run(*good)[2] == "")
    status, _, err = c.run("--kind", "ldg", "--bits", "32", "--lanes", "0,128", "--min-efficiency", "1.0")
    c.report.check("lanes fail too", (status, err) == (1, "cutlet access: LDG: efficiency 0.125, less than the 1 "
                                                         "of --min-efficiency: 8 bytes used of 64\n"), err)
    c.wrong("an efficiency above 1", ["--min-efficiency", "2"], "--min-efficiency takes 0 to 1, not `2`")
    c.wrong("no number", ["--max-conflicts", "-1"], "--max-conflicts takes 0 or more, not `-1`")


def main(report, cutlet, source):
    c = Command(cutlet, report)
    test_lanes(c)
    test_wrong_lanes(c)
    test_arch(c)
    test_batch(c, os.path.join(source, "tests", "data"))
    test_layouts(c)
    test_wrong_layouts(c)
    test_read(c)
    test_gate(c)
    status, out, err = c.run("--help")
    report.check("help", status == 0 and err == "" and "sectors" in out and "bank conflicts" in out)


tap.main(main)
