#!/usr/bin/env python3
"""`cutlet explain tma`: every argument of the descriptor, and where each element of the tile lies, box by box.

    test_explain_tma.py CUTLET
"""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

ROWS = "(4096,4096):(4096,1)"
# layout, tile, type, swizzle; the data type, the descriptor's extents, strides and box, and the boxes along each mode
CASES = [
    (ROWS, (128, 128), "half", 128, "FLOAT16", [4096, 4096], [8192], [64, 128], [1, 2]),
    (ROWS, (16, 64), "half", 0, "FLOAT16", [4096, 4096], [8192], [64, 16], [1, 1]),
    (ROWS, (16, 64), "float", 64, "FLOAT32", [4096, 4096], [16384], [16, 16], [1, 4]),
    ("(4096,4096):(1,4096)", (128, 16), "bfloat16", 32, "BFLOAT16", [4096, 4096], [8192], [16, 16], [8, 1]),
    (ROWS, (512, 16), "e4m3", 0, "UINT8", [4096, 4096], [4096], [16, 256], [2, 1]),
    ("(64,4096,32):(131072,1,4096)", (2, 32, 4), "double", 128, "FLOAT64", [4096, 64, 32], [1048576, 32768], [16, 2, 4], [1, 2, 1]),
    (ROWS, (64, 512), "e2m1", 128, "16U4_ALIGN8B", [4096, 4096], [2048], [256, 64], [1, 2]),
    ("(96,64):(1,128)", (64, 3), "int4", 0, "16U4_ALIGN8B", [96, 64], [64], [64, 3], [1, 1]),
    ("(4,128,64):(8192,1,128)", (2, 128, 8), "e3m2", 0, "16U6_ALIGN16B", [128, 4, 64], [6144, 96], [128, 2, 8], [1, 1, 1]),
    (ROWS, (8, 384), "e2m3", 128, "16U6_ALIGN16B", [4096, 4096], [3072], [128, 8], [1, 3]),
    (ROWS, (4, 256), "padded e2m1", 128, "16U4_ALIGN16B", [4096, 4096], [2048], [128, 4], [1, 2]),
    ("4096:1", (512,), "int16", 0, "UINT16", [4096], [], [256], [2]),
]
REFUSED = [
    (["(64,64):(65,1)", "--box", "8x8"], 1, "dimension 1 has stride 130 bytes, not a multiple of 16"),
    ([ROWS, "--box", "64x96", "--swizzle", "128"], 1, "192 bytes, more than the 128 of the swizzle"),
    ([ROWS, "--box", "1x64", "--swizzle", "32"], 1, "4 boxes of 32 bytes do not each begin at a multiple of 128 bytes"),
    ([ROWS, "--box", "8x8", "--type", "longdouble"], 1, "TMA has no elements of 128 bits"),
    ([ROWS, "--box", "8x8", "--type", "e2m1"], 1, "the first dimension of the box is 4 bytes, not a multiple of 16"),
    ([ROWS, "--box", "8x31", "--type", "e2m1"], 1, "the box has 31 elements along dimension 0, and 16U4_ALIGN8B takes a multiple of 2"),
    ([ROWS, "--box", "8x64", "--type", "e3m2"], 1, "the box has 64 elements along dimension 0, and 16U6_ALIGN16B takes 128"),
    ([ROWS, "--box", "8,128", "--type", "e3m2", "--swizzle", "64"], 1, "128 bytes, more than the 64 of the swizzle"),
    ([ROWS, "--box", "8x128", "--type", "e3m2", "--address", "16"], 1, "address 16 is not a multiple of 32 bytes, as 16U6_ALIGN16B needs"),
    (["(64,192):(256,1)", "--box", "8x128", "--type", "e3m2"], 1, "dimension 0 has extent 192, and 16U6_ALIGN16B takes a multiple of 128"),
    (["(64,64):(72,1)", "--box", "8x32", "--type", "int4"], 1, "mode 0 has a stride of 72 elements of 4 bits, and 16U4_ALIGN8B takes a "
     "multiple of 16 bytes"),
    (["(2,64):(2305843009213694015,1)", "--box", "2x32", "--type", "int4"], 1, "a stride is below 2^40"),
    (["8589934592:1", "--box", "32", "--type", "int4"], 1, "8589934592"),
    ([ROWS, "--box", "8x8", "--padded"], 2, "--padded is for elements of 4 and 6 bits, not of 16"),
    (["(64,64):(64,2)", "--box", "8x32", "--type", "int4"], 1, "no mode has stride 1"),
    (["Sw<3,3,3> o 0 o (64,64):(64,1)", "--box", "8x8"], 1, "the tensor in global memory has a swizzle of 3 bits; that of the tile is --swizzle"),
    ([ROWS, "--box", "8x8", "--swizzle", "16"], 2, "not `16`"),
    ([ROWS, "--box", "8x8", "--address", "x"], 2, "--address is a byte, 0 or more, not `x`"),
    ([ROWS, "--box", "8x8", "--address", "8"], 1, "16"),
    ([ROWS], 2, "--box is missing, as in: cutlet explain tma '(4096,4096):(4096,1)' --box 128x64"), (["--box", "8x8"], 2, "a layout is missing"),
    ([ROWS, ROWS, "--box", "8x8"], 2, "one layout at a time"), ([ROWS, "--box", "8x"], 2, "--box 8x"),
]
BITS = {"half": 16, "float": 32, "bfloat16": 16, "e4m3": 8, "double": 64, "int16": 16, "e2m1": 4, "int4": 4, "e3m2": 6, "e2m3": 6}


def place(c, tile, box, boxes, inner, order, bits, padded, swizzle):
    """The bit of shared memory: boxes one after the other, 16 padded elements to 16 bytes, the swizzle by the address."""
    at, step = 0, 1
    for m in order:
        at += c[m] % box[m] * step
        step *= box[m]
    for m in order:
        at += c[m] // box[m] * step
        step *= boxes[m]
    bit = at // 16 * 128 + at % 16 * bits if padded else at * bits
    for k in range({0: 0, 32: 1, 64: 2, 128: 3}[swizzle]):
        bit ^= (bit >> 10 + k & 1) << 7 + k
    return bit


def main(report, cutlet):
    run = lambda *a: subprocess.run([cutlet, *a], capture_output=True, text=True, timeout=60)
    for layout, tile, kind, swizzle, name, extents, strides, box, boxes in CASES:
        kind = kind.removeprefix("padded ")
        call = ["explain", "tma", layout, "--box", "x".join(map(str, tile)), "--type", kind, "--swizzle", str(swizzle),
                *["--padded"] * (name == "16U4_ALIGN16B")]
        text, done = run(*call), run(*call, "--json")
        got = json.loads(done.stdout) if done.returncode == 0 else {}
        want = {"tensorDataType": name, "globalDim": extents, "globalStrides": strides, "boxDim": box,
                "elementStrides": [1] * len(box), "swizzle": f"{swizzle}B" if swizzle else "NONE"}
        report.check(f"{layout} {tile} of {kind} at {swizzle} B", all(got.get(k) == v for k, v in want.items()), (done, want))
        report.check("each argument is printed", text.returncode == 0 and all(k in text.stdout for k in got if k[0] in "teg"), text)
        first = layout.split(":")[1].strip("()").split(",").index("1")
        order = [first] + [m for m in range(len(tile)) if m != first]
        by_mode = [box[order.index(m)] for m in range(len(tile))]
        each = [()]
        for m in range(len(tile) - 1, -1, -1):
            each = [(x, *c) for c in each for x in range(tile[m])]
        unit = got.get("shared_unit_bits")
        wanted = [place(c, tile, by_mode, boxes, first, order, BITS[kind], name.endswith("16B"), swizzle) // unit for c in each]
        report.check(f"{kind} is counted in elements, or in bits", unit == (1 if name.endswith("16B") else BITS[kind]), got)
        found = run("eval", f"offsets({got.get('shared')})").stdout.strip().strip("()").split(",")
        report.check(f"{got.get('shared')} is where TMA writes", [int(x or -1) for x in found] == wanted, found[:20])
    for arguments, status, part in REFUSED:
        done = run("explain", "tma", *arguments)
        report.check(f"refused: {' '.join(arguments)}", done.returncode == status and part in done.stderr, done)
    shared = run("explain", "tma", ROWS, "--box", "128x128", "--swizzle", "128").stdout
    report.check("two boxes where one is too wide", "boxes           [1, 2]\nbox_bytes       16384\n" in shared and "o 0 o (128,(64,2)):(64,(1,8192))" in shared, shared)


tap.main(main)
