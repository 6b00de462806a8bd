#!/usr/bin/env python3
"""`cutlet verify` as a user meets it: what is right, each kind of counterexample, JSON, refusals.

    test_verify.py CUTLET
"""

import itertools
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

MMA = "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <32,32,16>)"
COPY = "tiled_copy(copy_atom(universal128, 16), (16,8):(8,1), (1,8))"

# name, arguments, exit status, lines (`property: state: part of the text`) that must be there
ROWS = [
    ("a tiled copy", [COPY], 0, ["cover ok each of the 1024 elements", "writes ok 1024 writes",
                                 "idle ok each of 128 threads", "doubled ok no two of 128"]),
    ("a tiled copy between layouts", [COPY, "--src", "(512,512):(512,1)", "--dst", "(512,512):(520,1)"], 0,
     ["source access ok 32768 accesses of 128 bits", "destination access ok 32768 accesses"]),
    ("any size", [COPY, "--src", "(65536,65536):(65536,1)", "--dst", "(65536,65536):(65544,1)"], 0,
     ["source access ok 536870912 accesses of 128 bits, each one aligned run",
      "writes ok 4294967296 writes, each to its own offset"]),
    ("any size with edges", [COPY, "--src", "(16390,16396):(16400,1)"], 0,
     ["source access ok 33583110 accesses of 128 bits, each one aligned run; 16390 more cross the edge"]),
    ("any size, rows that begin anywhere", [COPY, "--src", "(16384,16384):(16385,1)"], 1,
     ["source access FAILS thread 8's access of 128 bits from value 0, element (1,0), begins at offset 16385, not a "
      "multiple of 8; 29360128 of 33554432 accesses are so"]),
    ("ragged edges", [COPY, "--src", "(20,60):(64,1)"], 0,
     ["source access ok 140 accesses of 128 bits, each one aligned run; 20 more cross the edge"]),
    ("a thread-value layout", ["(32,4):(1,32)", "--tile", "(8,16)"], 0, ["cover ok each of the 128"]),
    ("an element held twice", ["(32,4):(1,16)", "--tile", "(8,16)"], 1,
     ["cover FAILS threads 0 and 16, values 1 and 0, both hold element (0,2), index 16",
      "writes FAILS threads 0 and 16, values 1 and 0, both write element (0,2), index 16"]),
    ("the same value of two threads", ["((16,2),4):((1,0),16)", "--tile", "(8,8)"], 1,
     ["cover FAILS threads 0 and 16, value 0 of each, both hold element (0,0), index 0",
      "doubled FAILS threads 0 and 16 hold the same elements, 4 of them",
      "idle FAILS thread 0 has no element of its own: its value 0, element (0,0), is also held by thread 16"]),
    ("an element left out", ["(32,4):(1,32)", "--tile", "(8,17)"], 1,
     ["cover FAILS no thread holds element (0,16), index 128; 8 of 136 elements are left out"]),
    ("an index outside", ["(32,4):(1,33)", "--tile", "(8,16)"], 1,
     ["cover FAILS thread 29, value 3 is at index 128, outside the 128 elements"]),
    ("an idle thread", ["--thr", "(4,2):(2,16)", "--val", "(1,2)"], 1,
     ["idle FAILS thread 1 holds no element of the tile; 15 of 23"]),
    ("a thread with two blocks", ["--thr", "(4,2):(1,3)", "--val", "(1,2)"], 1,
     ["cover FAILS value 0 of thread 3 holds two elements, (3,0) and (0,2)"]),
    ("blocks repeated", ["--thr", "(16,8):(8,1)", "--val", "(1,8)", "--tile", "(64,64)", "--bits", "128",
                         "--shared", "Sw<3,3,3> o 0 o (64,64):(64,1)", "--shared-bytes", "8192"], 0,
     ["shared ok 4096 elements at 4096 offsets, 0 to 4095, of 16 bits each",
      "shared access ok 512 accesses of 128 bits"]),
    ("aliasing", [COPY, "--shared", "(16,64):(60,1)"], 1,
     ["shared FAILS elements (1,0) (thread 8, value 0) and (0,60) (thread 7, value 4) both lie at offset 60"]),
    ("aliasing after a swizzle", [COPY, "--shared", "Sw<2,3,3> o 0 o (16,64):(32,1)"], 1,
     ["shared FAILS elements (1,0) (thread 8, value 0) and (0,32) (thread 4, value 0) both lie at offset 32"]),
    ("too little room", [COPY, "--shared", "(16,64):(72,1)", "--shared-bytes", "2048"], 1,
     ["shared FAILS element (14,16) (thread 114, value 0) lies at offset 1024, outside the 1024 elements that "
      "2048 bytes hold"]),
    ("a swizzle that cuts accesses", [COPY, "--shared", "Sw<3,2,3> o 0 o (16,64):(64,1)"], 1,
     ["shared ok", "shared access FAILS thread 4's values 3 and 4 share an access of 128 bits, but (0,35) is at "
      "offset 39 and (0,36) at 32"]),
    ("a leading dimension that is odd", [COPY, "--src", "(16,64):(67,1)"], 1,
     ["source access FAILS thread 8's access of 128 bits from value 0, element (1,0), begins at offset 67, "
      "not a multiple of 8"]),
    ("values along the wrong mode", [COPY, "--dst", "(16,64):(1,16)"], 1,
     ["destination access FAILS thread 0's values 0 and 1 share an access of 128 bits, but (0,0) is at offset 0 "
      "and (0,1) at 16"]),
    ("a base", [COPY, "--src", "(16,64):(64,1)", "--src-align", "8"], 1,
     ["source access FAILS the base is aligned to only 8 bytes, and an access of 128 bits needs 16"]),
    ("two elements to one place", [COPY, "--dst", "(16,64):(0,1)"], 1,
     ["writes FAILS threads 0 and 8, value 0 of each, write elements (0,0) and (1,0), both at offset 0"]),
    ("two of any size to one place", [COPY, "--dst", "(16384,16384):(16380,1)"], 1,
     ["writes FAILS threads 8 and 7, values 0 and 4, write elements (1,0) and (0,16380), both at offset 16380; written "
      "more than once: 65532 offsets"]),
    ("two of a nested layout", [COPY, "--dst", "((128,128),(128,128)):((8,700),(1,90000))"], 1,
     ["writes FAILS threads 64 and 0, values 0 and 4, write elements (88,0) and (128,4), both at offset 704; written more "
      "than once: at least 1 offset"]),
    ("offsets that meet nowhere", [COPY, "--dst", "(16384,16384):(8,1000001)"], 1, ["writes ok 268435456 writes, each to its own"]),
    ("what a tile of any size writes twice", ["((16,2),4):((1,0),16)", "--tile", "(8,8)", "--dst", "(8192,8192):(8191,1)"], 1,
     ["writes FAILS threads 0 and 16, value 0 of each, both write element (0,0), index 0"]),
    ("ldmatrix", ["tiled_copy(copy_atom(ldmatrix_x4, 16), (32,1), (1,8))"], 0, ["cover ok"]),
]

# The same of tiled MMAs and atoms; a line without a property is the nearest layout.
MMA_ROWS = [
    ("a tiled MMA", [MMA], 0,
     ["cover A ok each of 512 elements of A (32,16) is held by 2 threads, 1 of each of the 2 atoms along n; (0,0) by "
      "threads 0 and 64", "cover B ok each of 512 elements of B (32,16) is held by 2 threads, 1 of each of the 2 atoms "
      "along m; (0,0) by threads 0 and 32",
      "cover C ok each of 1024 elements of C (32,32) is held by 1 thread; (0,0) by thread 0"]),
    ("an atom", ["mma_atom(SM61_DP4A)"], 0, ["cover A ok each of 4 elements of A (1,4) is held by 1 thread"]),
    ("a swizzled layout", [MMA, "--shared-a", "Sw<3,3,3> o 0 o (64,64):(64,1)"], 0,
     ["feed A ok ldmatrix_x4 reads the fragments of A in rows of 8 elements",
      "conflicts A ok 32 instructions take 128 wavefronts, none of them for a conflict"]),
    ("conflicts", [MMA, "--shared-b", "(64,64):(1,64)"], 1,
     ["feed B ok ldmatrix_x4_trans reads the fragments of B",
      "conflicts B FAILS 32 instructions take 1024 wavefronts where 128 would do: 896 conflicts",
      "the nearest layout that works: Sw<3,3,3> o 0 o (64,64):(1,64)"]),
    ("rows that are not aligned", [MMA, "--shared-a", "(64,64):(66,1)"], 1,
     ["feed A FAILS ldmatrix does not read A: thread 1's access of 128 bits from value 0, element (1,0), begins at "
      "offset 66, not a multiple of 8", "the nearest layout that works: Sw<3,3,3> o 0 o (64,64):(64,1)"]),
    ("bytes along m", ["SM80_16x8x32_S32S8S8S32_TN", "--shared-a", "(32,64):(1,32)"], 1,
     ["feed A FAILS ldmatrix does not read A", "the nearest layout that works: Sw<2,4,3> o 0 o (32,64):(64,1)"]),
    ("a sparse atom", ["SM80_SPARSE_16x8x32_F32F16F16F32_TN", "--shared-a", "Sw<1,3,3> o 0 o (16,16):(16,1)"], 0,
     ["cover A ok each of 256 stored elements of A (16,16)",
      "cover E ok each of 512 bits of E (16,32) is given by 2 threads, of which the selector names one",
      "conflicts A ok 1 instruction takes 4 wavefronts"]),
    ("wgmma", ["SM90_64x128x16_F32F16F16_SS", "--shared-a", "Sw<3,3,3> o 0 o (64,64):(64,1)"], 0,
     ["cover A ok each of 1024 elements of A (64,16) is named in shared memory by 128 threads; (0,0) by threads 0, 1, 2, "
      "3, ...", "feed A ok the descriptor 0x4000004000010000 reads A, K-major, rows of 128 bytes; 4 instructions"]),
    ("wgmma without a swizzle", ["SM90_64x128x16_F32F16F16_SS", "--shared-b", "(128,64):(64,1)"], 1,
     ["feed B FAILS mma_descriptor: mode 0: element 1 is 128 bytes from element 0",
      "the nearest layout that works: Sw<3,3,3> o 0 o (128,64):(64,1)"]),
    ("tcgen05", ["SM100_256x128x16_F32F16F16_2x1SM_SS"], 0,
     ["cover C ok each of 32768 elements of C (256,128) is named in tensor memory by 1 thread"]),
]

# name, arguments, exit status, part of the complaint
REFUSED = [
    ("no tile", ["(32,4):(1,32)"], 2, "the shape of its tile"),
    ("no value layout", ["--thr", "32"], 2, "--thr and --val"),
    ("both", [COPY, "--thr", "32", "--val", "4"], 2, "either a tiled copy"),
    ("a tile of a tiled copy", [COPY, "--tile", "4"], 2, "has its tile"),
    ("ranks", [COPY, "--src", "64:1"], 2, "the source has 1 modes, and the tile has 2"),
    ("offsets that may be the same, too many", [COPY, "--dst", "((64,64,64),(64,64,64)):((5000,72008,1000008),(1,64,7000))"], 2,
     "68719476736 writes are too many to enumerate"),
    ("a mode that is too long", [COPY, "--src", "((2896,2897),64):((64,185400),1)"], 2,
     "mode 0 of the source has 8389712 elements, and at most 4194304 are enumerated"),
    ("tiles that are too many", ["(128,1):(1,0)", "--tile", "128", "--dst", "1000000000:1"], 2,
     "mode 0 of the destination has 7812500 tiles, and at most 4194304 are enumerated"),
    ("tiles that all differ", [COPY, "--src", "Sw<9,9,9> o 0 o (16384,16384):(16385,1)"], 2,
     "smaller extents with the same strides show the same"),
    ("no type", ["(32,4):(1,32)", "--tile", "128", "--type", "frob"], 2, "there is no type `frob`"),
    ("an alignment", [COPY, "--src-align", "12"], 2, "--src-align takes a power of two, not 12"),
    ("a swizzle", ["Sw<3,4,3>"], 2, "a tiled copy, a tiled MMA or a thread-value layout is needed"),
    ("a layout of a copy", [MMA, "--shared", "(64,64)"], 2, "only --shared-a, --shared-b and --arch"),
    ("a layout of an MMA", [COPY, "--shared-a", "(64,64)"], 2, "--shared-a, --shared-b and --arch are for a tiled MMA"),
    ("rules for a copy", [COPY, "--arch", "sm_80"], 2, "--shared-a, --shared-b and --arch are for a tiled MMA"),
    ("an atom of layouts", ["mma_atom((4,4,2), (8,1):(1,0), (8,1):(1,0), (8,2):(1,8))", "--shared-a", "(4,2):(2,1)"], 2,
     "the atom is made of layouts and has no types, by which A could be read from shared memory; name an instruction"),
    ("a tiled MMA of one", ["tiled_mma(mma_atom((4,4,2), (8,1):(1,0), (8,1):(1,0), (8,2):(1,8)), (1,1,1))", "--json", "--shared-b",
                            "(4,2):(2,1)"], 2, "by which B could be read"),
    ("no whole tiles", [MMA, "--shared-a", "(60,64)"], 2, "mode 0 of A has 60 elements, not a multiple of the tile's 32"),
    ("no rules", [MMA, "--arch", "sm_12"], 2, "there are no rules for `sm_12`; there are for sm_90"),
    ("an atom that there is not", ["mma_atom(SM80_16x8x12_F32F16F16F32_TN)"], 2, "there is no MMA or copy atom"),
    ("a name that CuTe lacks", ["SM70_SHFL"], 2, "there is no MMA or copy atom `SM70_SHFL`; `cutlet help atoms` lists them"),
    ("images to columns", ["SM90_TMA_LOAD_IM2COL"], 2, "tiles of a tensor are by tma_load; there is no im2col"),
    ("bad text", ["tiled_copy("], 2, "never closed"),
    ("a copy that there is not", ["tiled_copy(copy_atom(universal128, 16), (16,8), (1,4))"], 1, "4 values"),
    ("bits", ["(32,4):(1,32)", "--tile", "128", "--bits", "24"], 2, "whole number of elements"),
]


def naive(threads, values, strides, tile):
    """Whether (thread, value) -> index by two strides holds each index below tile once."""
    at = [t * strides[0] + v * strides[1] for t, v in itertools.product(range(threads), range(values))]
    return sorted(at) == list(range(tile))


def main(report, cutlet):
    def run(*args):
        p = subprocess.run([cutlet, "verify", *args], capture_output=True, text=True, timeout=60,
                           env=dict(os.environ, LC_ALL="C"))
        return p.returncode, p.stdout, p.stderr

    for name, args, status, lines in ROWS:
        got = run(*args)
        flat = [" ".join(line.split()) for line in got[1].splitlines()]
        missing = [want for want in lines if not any(line.startswith(want) for line in flat)]
        report.check(name, got[0] == status and not missing and got[2] == "", (missing, got))
        code, text, _ = run(*args, "--json")
        parsed = json.loads(text)
        said = [(p["property"], p["ok"], p["text"]) for p in parsed["properties"]]
        shown = [f'{p} {"ok" if ok else "FAILS"} {text}' for p, ok, text in said]
        report.check(f"{name}: JSON says the same", code == status and shown == flat[1:] and
                     parsed["ok"] == (status == 0), (shown, flat))
        report.check(f"{name}: a fault has numbers", all(
            p["ok"] or (p["bad"] > 0 and p["bad"] <= max(p["count"], p["bad"]) and
                        (p["threads"] or p["offsets"])) for p in parsed["properties"]), parsed)
    for name, args, status, lines in MMA_ROWS:
        got = run(*args)
        flat = [" ".join(line.split()) for line in got[1].splitlines()]
        missing = [want for want in lines if not any(line.startswith(want) for line in flat)]
        report.check(name, got[0] == status and not missing and got[2] == "", (missing, got))
        code, text, _ = run(*args, "--json")
        parsed = json.loads(text)
        said = [f'{p["property"]} {"ok" if p["ok"] else "FAILS"} {p["text"]}' for p in parsed["properties"]]
        near = {f'the nearest layout that works: {p["nearest"]}' for p in parsed["properties"] if "nearest" in p}
        report.check(f"{name}: JSON says the same", code == status and parsed["ok"] == (status == 0) and
                     said == [line for line in flat[1:] if not line.startswith("the nearest")] and
                     near == {line for line in flat if line.startswith("the nearest")}, (said, flat))
    for name, args, status, part in REFUSED:
        got = run(*args)
        report.check(f"refused: {name}", got[0] == status and part in got[2] and got[1] == "" and
                     got[2].startswith("cutlet verify: "), got)

    wrong = []
    for a, b in itertools.product(range(0, 9), repeat=2):
        status = run(f"(4,4):({a},{b})", "--tile", "(2,8)")[0]
        if status != (0 if naive(4, 4, (a, b), 16) else 1):
            wrong.append((a, b, status))
    report.check("every pair of strides below 9", not wrong, wrong)

    text = run("--help")[1]
    examples = [line for line in text.replace("\\\n", "").splitlines() if line.startswith("  cutlet ")]
    report.check("the help has examples", len(examples) == 4, text)
    for line in examples:
        done = subprocess.run(["bash", "-c", line.replace("cutlet", f"'{cutlet}'", 1)],
                              capture_output=True, text=True, timeout=60)
        report.check(f"example of the help: {' '.join(line.split())}", done.returncode == 0, done)


tap.main(main)
