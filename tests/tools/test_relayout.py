#!/usr/bin/env python3
"""`cutlet relayout`: files to another layout and back, in slabs, and what is refused.

    test_relayout.py CUTLET [sanitised]
"""

import os
import resource
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import npy_bytes
import tap

M, N = 96, 80


def elements(raw):
    return list(struct.unpack(f"<{len(raw) // 4}I", raw))


def main(report, cutlet, sanitised=""):
    cutlet = os.path.abspath(cutlet)
    os.chdir(tempfile.mkdtemp())
    os.environ["CUTLET_NO_GPU"] = "1"

    def run(*args, **options):
        return tap.run([cutlet, "relayout", *args], **options)

    values = [i * 2654435761 % 2**32 for i in range(M * N)]
    with open("A.npy", "wb") as file:
        file.write(npy_bytes.header("<u4", (M, N)) + struct.pack(f"<{M * N}I", *values))

    def at(i, j):
        return values[i * N + j]

    def transposed(x):
        return x ^ (x >> 4 & 3) << 1

    # Each layout: where element (i,j) goes, in how many elements.
    ways = {
        "f": (lambda i, j: i + M * j, M * N),
        "tiled:32x16": (lambda i, j: (i // 32 * 5 + j // 16) * 512 + i % 32 * 16 + j % 16, M * N),
        "swizzled:2,1,3": (lambda i, j: transposed(i * N + j), M * N),
        "(96,80):(100,1)": (lambda i, j: 100 * i + j, 95 * 100 + 80),
        "Sw<0,4,3> o 9599 o (96,80):(-100,1)": (lambda i, j: 9599 - 100 * i + j, 9599 + 80), # descending
        "Sw<2,1,3> o 9599 o (96,80):(-1,-96)": (lambda i, j: transposed(9599 - i - 96 * j), 9600),
        "((32,3),(16,5)):((1,1600),(32,600))": (None, None),
    }
    for layout, (place, size) in ways.items():
        for memory in ("1M", "40K"):
            name = f"{layout}, {memory}"
            status, out = run("A.npy", "B.npy", "--to", layout, "--memory", memory, "--verify")
            if place is None:
                report.check(f"{name}: elements meet", status == 2 and "elements overlap" in out, out)
                continue
            right = [0] * size
            for i in range(M):
                for j in range(N):
                    right[place(i, j)] = at(i, j)
            gaps = f"; not the {size - M * N} in gaps" if size > M * N else ""
            said = f"verified: {M * N} elements of B.npy, read again, are bit by bit those of A.npy"
            report.check(f"{name}: written, and says what was verified",
                         status == 0 and out == f"{said}{gaps}\n", out)
            report.check(f"{name}: right", elements(npy_bytes.read("B.npy")[1]) == right)
            if layout == "f":
                report.check("f: the order is in the header", "'fortran_order': True" in
                             npy_bytes.read("B.npy")[0] and f"({M}, {N})" in npy_bytes.read("B.npy")[0])
            if layout == "f" and memory == "1M":
                status, out = run("B.npy", "C.npy", "--to", "c", "--memory", memory)
            else:
                status, out = run("B.npy", "C.npy", "--to", layout, "--inverse", "--shape",
                                  f"({M},{N})", "--memory", memory, "--verify")
            with open("A.npy", "rb") as a, open("C.npy", "rb") as c:
                report.check(f"{name}: and back, byte by byte", status == 0 and a.read() == c.read(), out)

    # The backends, with gaps and a swizzle; the GPU where there is one.
    for backend in ("auto", "cpu", "grid", "cuda"):
        for layout in ("(96,80):(1,99)", "swizzled:2,1,3", "tiled:36x16"):
            env = {name: value for name, value in os.environ.items() if name != "CUTLET_NO_GPU"}
            status, out = run("A.npy", "B.npy", "--to", layout, "--memory", "8K", "--backend", backend, "--verify",
                              env=env)
            if backend == "cuda" and "no GPU: " in out:
                report.skip(f"{layout} by cuda", out.strip())
                continue
            run("A.npy", "C.npy", "--to", layout)
            with open("B.npy", "rb") as b, open("C.npy", "rb") as c:
                report.check(f"{layout} by {backend}", status == 0 and b.read() == c.read(), out)

    # Conversion: float to half, and to int8, which saturates.
    numbers = [0.0, 1.5, -2.5, 65504.0, 1e9, 200.0, -300.0, float("nan")]
    with open("F.npy", "wb") as file:
        file.write(npy_bytes.header("<f4", (8,)) + struct.pack("<8f", *numbers))
    # Elements of the other byte order are converted, to their own type too; all ways through the file.
    for layout in ("f", "tiled:32x16", "swizzled:2,1,3", "(10,768):(768,1)"):
        for given, bytes_, letter in (("f2", 2, "e"), ("f4", 4, "f"), ("f8", 8, "d")):
            for order, sign in (("<", "little"), (">", "big")):
                raw = struct.pack(f"{order}{M * N}{letter}", *(i % 2048 - 99 for i in range(M * N)))
                with open(f"{sign}.npy", "wb") as file:
                    file.write(npy_bytes.header(order + given, (M, N)) + raw)
            for word in ("half", "float", "double"):
                for sign in ("little", "big"):
                    status, out = run(f"{sign}.npy", f"{sign}-out.npy", "--to", layout, "--type", word, "--memory", "40K")
                    if status:
                        break
                same = status == 0 and open("big-out.npy", "rb").read() == open("little-out.npy", "rb").read()
                report.check(f">{given} as {word} to {layout}", same, f"{status} {out}")
    status, out = run("big.npy", "B.npy", "--to", "f", "--type", "double", "--verify")
    report.check("refused: to verify another byte order", status == 2 and "--verify: it compares bit by bit" in out, out)
    status, out = run("F.npy", "H.npy", "--to", "c", "--type", "half")
    text, raw = npy_bytes.read("H.npy")
    report.check("to half", "'<f2'" in text and raw[:10] == struct.pack("<5e", 0, 1.5, -2.5, 65504,
                                                                       float("inf")), out)
    status, out = run("F.npy", "I.npy", "--to", "c", "--type", "int8")
    report.check("to int8", npy_bytes.read("I.npy")[1] == struct.pack("<8b", 0, 2, -2, 127, 127, 127, -128, 0), out)

    # Names of fields: in the format of NumPy that can say them, with the same characters.
    for names, version in ((("\xe9", "y"), 1), (("\u03b1", "\U0001f600"), 3)):
        text = f"{{'descr': [('{names[0]}', '<i2'), ('{names[1]}', '<i2')], 'fortran_order': %s, 'shape': (2, 2), }}"
        wide, code = ("<I", "utf-8") if version == 3 else ("<H", "latin-1")
        raw = (text % False).encode(code)
        with open("names.npy", "wb") as file:
            file.write(b"\x93NUMPY" + bytes([version, 0]) + struct.pack(wide, len(raw)) + raw + bytes(range(16)))
        status, out = run("names.npy", "N.npy", "--to", "f")
        with open("N.npy", "rb") as file:
            whole = file.read()
        begin = 8 + struct.calcsize(wide)
        length, = struct.unpack(wide, whole[8:begin])
        report.check(f"field names in format {version}.0", status == 0 and whole[6] == version and
                     whole[begin:begin + length].decode(code).rstrip() == text % True and
                     whole[begin + length:] == bytes([0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15]),
                     f"{out}{whole}")

    # Every notation: the same file as by the layout itself.
    status, out = run("A.npy", "N.npy", "--to", "cute.make_layout((96,80),stride=(100,1))")
    run("A.npy", "C.npy", "--to", "(96,80):(100,1)")
    report.check("a layout of the DSL is read", status == 0 and out == "cutlet relayout: read as CuTe DSL\n" and
                 npy_bytes.read("N.npy") == npy_bytes.read("C.npy"), out)

    # What is refused: one line, status 2, and no file.
    refused = [
        (["A.npy", "--to", "tiled:4000000000x4000000000"], "more bytes than 63 bits count"),
        (["A.npy", "--to", "tiled:3"], "tiled:3 has 1 extent, the array 2 modes"),
        (["A.npy", "--to", "tiled:3x4x5"], "tiled:3x4x5 has 3 extents, the array 2 modes"),
        (["A.npy", "--to", "columns"], "columns is not a layout; take c, f, tiled:128x64"),
        (["A.npy", "--to", "universal128"], "universal128: a layout is expected, not a name"),
        (["A.npy", "--to", "tiled:"], "tiled: is not a tile"),
        (["A.npy", "--to", "tiled:0x4"], "tiled:0x4 is not a tile"),
        (["A.npy", "--to", "tiled:" + "x".join("2" * 17)], "for each of at most 16 modes"),
        (["A.npy", "--to", "swizzled:3"], "not a swizzle"),
        (["A.npy", "--to", "swizzled:4294967299,3,3"], "swizzled:4294967299,3,3 is not a swizzle"),
        (["A.npy", "--to", "swizzled:3,3,-4294967293"], "swizzled:3,3,-4294967293 is not a swizzle"),
        (["A.npy", "--to", "swizzled:3,63,3"], "numbers of -62 to 62"),
        (["A.npy", "--to", "swizzled:3,3,3,"], "swizzled:3,3,3, is not a swizzle"),
        (["A.npy", "--to", "swizzled: 3,3,3"], "swizzled: 3,3,3 is not a swizzle"),
        (["A.npy", "--to", "tiled:18446744073709551648x16"], "tiled:18446744073709551648x16 is not a tile"),
        (["A.npy", "--to", "tiled:32x16x"], "tiled:32x16x is not a tile"),
        (["A.npy", "--to", "f", "--memory", "18446744073709551616"], "--memory is as 512M"),
        (["A.npy", "--to", "9:1"], "9:1 has 9 elements, the array 7680"),
        (["A.npy", "--to", "7680:-1"], "reaches offset -7679"),
        (["A.npy", "--to", "(96,80):(1,1)"], "elements overlap"),
        (["A.npy", "--to", "f", "--memory", "100"], "--memory: 4096 bytes are needed, 100 may be used"),
        (["A.npy", "--to", "f", "--memory", "x"], "--memory is as 512M"),
        (["A.npy", "--to", "f", "--backend", "tpu"], "--backend is"),
        (["A.npy", "--to", "f", "--type", "half"], "--type: elements of type <u4 are not converted"),
        (["F.npy", "--to", "f", "--type", "half", "--verify"], "--verify: it compares bit by bit"),
        (["A.npy", "--to", "f", "--effort", "much"], "--effort is"),
        (["A.npy", "--to", "f", "--backend", "cuda"], "no GPU: "),
        (["A.npy", "--to", "tiled:32x16", "--inverse"], "--shape: missing; tiled:32x16 does not say"),
        (["A.npy", "--to", "f", "--shape", "(80,96)"], "--shape: mode 0 has the extent 80, the input 96"),
        (["A.npy", "--to", "tiled:32x16", "--from", "f", "--shape", "(96,40,2)"],
         "--shape: it has 3 modes, the input 2 dimensions"),
        (["A.npy", "--to", "f", "--inverse", "--shape", "(96,81)"], "mode 1 has the extent 81, the input 80"),
        (["A.npy", "--to", "f", "--shape", "(96"], "--shape: "),
        (["A.npy", "--to", "8:2", "--from", "8:1"], "one of the two layouts must be c or f"),
        (["none.npy", "--to", "f"], "none.npy: cannot be read"),
        (["A.npy"], "--to is missing"),
    ]
    for args, part in refused:
        status, out = run(args[0], "X.npy", *args[1:])
        report.check(f"refused: {' '.join(args)}", status == 2 and part in out and out.count("\n") == 1 and
                     out.startswith("cutlet relayout: ") and not os.path.exists("X.npy"), out)
    with open("A.npy", "rb") as file:
        cut = file.read()[:-1]
    with open("short.npy", "wb") as file:
        file.write(cut)
    status, out = run("short.npy", "X.npy", "--to", "f")
    report.check("a short file", status == 2 and "30719 bytes of data" in out, out)
    before = os.stat("A.npy").st_mtime_ns
    status, out = run("A.npy", "A.npy", "--to", "(96,80):(1,1)")
    report.check("a failure leaves what was there", os.stat("A.npy").st_mtime_ns == before and status == 2)

    if sanitised:
        report.skip("a file larger than the memory", "a sanitised command needs more address space")
        return

    # A file of 96 MiB in an address space of 80: most of it zeros that take no room on the disk.
    rows, cols = 6144, 4096
    begin = npy_bytes.header("<u4", (rows, cols))
    marks = {(0, 0): 7, (1, 0): 8, (17, 4095): 9, (6143, 1): 10, (6143, 4095): 11}
    with open("big.npy", "wb") as file:
        file.truncate(len(begin) + 4 * rows * cols)
        file.write(begin)
        for (i, j), value in marks.items():
            file.seek(len(begin) + 4 * (i * cols + j))
            file.write(struct.pack("<I", value))

    def little():
        resource.setrlimit(resource.RLIMIT_AS, (80 << 20, 80 << 20))
    status, out = run("big.npy", "turned.npy", "--to", "f", "--memory", "16M", preexec_fn=little)
    found = {}
    if status == 0:
        with open("turned.npy", "rb") as file:
            for (i, j) in marks:
                file.seek(len(begin) + 4 * (i + j * rows))
                found[i, j] = struct.unpack("<I", file.read(4))[0]
    report.check("a file larger than the memory", found == marks and
                 os.path.getsize("turned.npy") == os.path.getsize("big.npy"), out)
    status, out = run("big.npy", "X.npy", "--to", "f", "--memory", "1G", preexec_fn=little)
    report.check("out of memory", status == 2 and "not enough memory for blocks" in out and
                 not os.path.exists("X.npy"), out)
    left = [name for name in os.listdir(".") if ".part" in name]
    report.check("nothing is left over", not left, left)


tap.main(main)
