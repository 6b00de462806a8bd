#!/usr/bin/env python3
"""Commands of which an allocation fails: each ends as it does otherwise, or with a failure that names memory.

    test_no_memory.py CUTLET FAIL_ALLOC.so

Of the first allocations each fails in a run of its own, of the later ones some, in CUTLET_TEST_ALL more of them.
"""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

COPY = "tiled_copy(copy_atom(universal128, 16), (8,8):(8,1), (1,8):(8,1))"
MMA = "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <32,32,16>)"
SWIZZLED = "Sw<3,3,3> o 0 o (64,64):(64,1)"
EXPLAIN = ["--src", "(512,512):(512,1)", "--dst", "(512,512):(1,512)", "--thr", "(8,16):(1,8)", "--val", "(8,1)"]
COMMANDS = [
    ["eval", "composition((6,2):(8,2), (4,3):(3,1))"],
    ["eval", "offsets(64:1)"],
    ["eval", "mode((4,8):(?,1), 0)"],
    ["eval", "linear_images(linear_layout(Sw<3,4,3> o 0 o (128,1024):(1,128)))"],
    ["eval", "--json", COPY],
    ["explain", "logical_divide((9,8):(8,1), <3:3,4:1>)"],
    ["explain", "copy", *EXPLAIN],
    ["explain", "copy", "--json", *EXPLAIN],
    ["explain", "descriptor", SWIZZLED, "--operand", "a", "--atom", "SM90_64x128x16_F32F16F16_SS", "--json"],
    ["check", "layouts.check"],
    ["draw", "(8,8):(8,1)"],
    ["draw", "access", "--kind", "lds", "--bits", "32", "--lanes", "0,128,256,384", "-o", "banks.svg"],
    ["verify", "(32,4):(1,32)", "--tile", "(8,16)"],
    ["verify", "--json", MMA, "--shared-a", SWIZZLED],
    ["access", "--list", "--json", "((4,8),8):((512,8),64)", "--kind", "lds", "--type", "half"],
    ["report", COPY, "--src", "(8,64):(1024,1)", "--shared", "Sw<3,3,3> o 0 o (8,64):(64,1)", "-o", "copy.html"],
    ["convert", "--to", "triton-nvmma_shared", "--type", "half", SWIZZLED],
    ["suggest", "--type", "half", "--tile", "16x16", "--threads", "32", "--src", "(64,64):(64,1)", "--top", "2"],
    ["suggest", "--type", "half", "--tile", "16x16", "--threads", "32", "--src", "(64,64):(64,1)", "--json"],
    ["compare", "--rows", "64", "--cols", "64", "--no-gpu", "--variants", "rows4", "--svg", "pictures"],
    ["access", "--batch", "lanes.tsv"],
    ["lint", "--sarif", "copies.cu"],
    ["completion", "bash"],
    ["help", "types"],
]


def numbers():
    """Which allocations fail: all at the beginning, then ever fewer."""
    number, dense = 1, 200 if tap.ALL else 40
    while True:
        yield number
        number += 1 if number < dense else max(1, number // 4)


def check(report, command, library):
    name = " ".join(command)[:70]
    env = {**os.environ, "CUTLET_NO_GPU": "1"}
    right = subprocess.run(command, capture_output=True, env=env, check=False)
    failed = os.path.abspath("failed")
    wrong, runs = [], 0
    for number in numbers():
        got = subprocess.run(command, capture_output=True, check=False, env={
            **env, "LD_PRELOAD": library, "CUTLET_FAIL_ALLOC": str(number), "CUTLET_FAILED_ALLOC": failed})
        if not os.path.exists(failed):
            break
        os.unlink(failed)
        runs += 1
        is_same = (got.returncode, got.stdout) == (right.returncode, right.stdout)
        is_told = got.returncode in (1, 2) and b"memory" in (got.stdout + got.stderr).lower()
        if not is_same and not is_told:
            wrong.append((number, got.returncode, got.stdout[-200:], got.stderr[-200:]))
    report.check(f"{name}: runs without a failure", right.returncode == 0, right)
    report.check(f"{name}: {runs} allocations", not wrong and (runs > 0 or command[1] == "help"), wrong[:3])


def main(report, cutlet, library):
    cutlet, library = map(os.path.abspath, (cutlet, library))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("layouts.check", "w", encoding="utf-8") as file:
            file.write("coalesce((2,4):(1,2)) == 8:1\nsize(4:1) == 4\n")
        with open("lanes.tsv", "w", encoding="utf-8") as file:
            file.write("lds\t32\t0,128,256\n")
        with open("copies.cu", "w", encoding="utf-8") as file:
            file.write("constexpr int n = 64;\nauto sA = make_layout(make_shape(Int<n>{}, _64{}), LayoutRight{}); "
                       "// cutlet-lint: read=rows type=half\n")
        for command in COMMANDS:
            check(report, [cutlet, *command], library)
        os.chdir("/")


tap.main(main)
