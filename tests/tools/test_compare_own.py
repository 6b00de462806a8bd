#!/usr/bin/env python3
"""`cutlet compare --copy`: layouts of one's own. The oracle is the CPU grid, which runs the variants of the
same layouts access by access; large matrices are counted as small ones are, within seconds.

    test_compare_own.py CUTLET [SOURCE LIBRARY CC FAKE_DRIVER FAKE_NVRTC]

With the latter the copies also run on a fake GPU, which compiles their kernels for the CPU grid.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

VARIANTS = {"rows8": "(16,8):(8,1) x (1,8)", "rows4-wide": "(16,8):(8,1) x (1,4)",
            "cols8": "(8,16):(1,8) x (8,1)"}
SAME = ["sectors", "cache_lines", "instructions", "shared_wavefronts", "bank_conflicts", "load_bytes",
        "store_bytes"]

# name, arguments, exit status, what the output says
REFUSED = [
    ("no value layout", ["--copy", "(16,8):(8,1)", "--src", "(64,64):(64,1)"], 2,
     "--copy is a thread layout x a value layout, as in '(16,8):(8,1) x (1,8)', not `(16,8):(8,1)`"),
    ("no matrix", ["--copy", "(16,8):(8,1) x (1,8)"], 2, "--src is missing"),
    ("a matrix without a copy", ["--src", "(64,64):(64,1)"], 2, "--src, --dst and --shared are for --copy"),
    ("a file as well", ["--copy", "4 x 4", "--src", "4:1", "--input", "a.npy"], 2, "with --copy, --src is the matrix"),
    ("swizzled threads", ["--copy", "Sw<1,0,1> o 0 o (4,8):(8,1) x (1,8)", "--src", "(64,64):(64,1)"], 2,
     "--copy takes layouts (m,n) -> thread and (m,n) -> value, not `Sw<1,0,1> o 0 o (4,8):(8,1)`"),
    ("threads of one mode", ["--copy", "32 x 4", "--src", "(64,64):(64,1)"], 2,
     "--copy takes layouts (m,n) -> thread and (m,n) -> value, not `32`"),
    ("a source of one mode", ["--copy", "(16,8):(8,1) x (1,8)", "--src", "64:1"], 2,
     "--src is a matrix (m,n) -> offset without a swizzle"),
    ("a tile that does not fit", ["--copy", "(16,8):(8,1) x (1,8)", "--src", "(64,64):(64,1)", "--tile", "24x64"], 2,
     "the threads cover 16 elements along mode 0 at once; a tile of 24x64 is not a multiple of that"),
    ("threads that hold an element twice", ["--copy", "(16,8):(8,0) x (1,8)", "--src", "(64,64):(64,1)"], 2,
     "(16,8):(8,0) x (1,8): "),
    ("values across bytes of 4 bits", ["--copy", "(16,8):(1,16) x (8,1)", "--src", "(64,64):(64,1)", "--type", "int4"], 1,
     "(16,8):(1,16) x (8,1): bytes hold elements of 4 bits along mode 1, that of --src; values that follow one another along "
     "it have to fill whole bytes"),
]


def run(cutlet, *args):
    done = subprocess.run([cutlet, "compare", *args, "--no-gpu"], capture_output=True, text=True, timeout=100)
    return done.returncode, done.stdout + done.stderr


def results(cutlet, *args):
    status, text = run(cutlet, *args, "--json")
    return json.loads(text)["results"] if status == 0 else []


def on_gpu(report, cutlet, source, library, cc, driver, nvrtc):
    include = os.path.join(source, "include")
    compiler = [cc, "-std=gnu11", "-O0", "-g0", "-shared", "-fPIC", "-I", include, "-I",
                os.path.join(include, "cutlet", "device"), "-x", "c", "-", "-x", "none", library,
                "-Wl,-rpath," + os.path.dirname(library)]
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "LC_ALL": "C", "CUTLET_CUDA_DRIVER": driver, "CUTLET_NVRTC": nvrtc,
               "FAKE_NVRTC_CC": " ".join(compiler), "FAKE_NVRTC_FOLDER": folder, "FAKE_CUDA_L2": "4096"}
        env.pop("CUTLET_NO_GPU", None)
        one = ["compare", "--copy", "(8,8):(8,1) x (1,8)", "--src", "(72,130):(136,1)", "--tile", "64x64"]
        ask = lambda *more: subprocess.run([cutlet, *one, *more], capture_output=True, text=True, env=env, timeout=300)
        done, text = ask("--copy", "(8,4):(1,8) x (8,1)", "--json"), ask()
    found = json.loads(done.stdout)["results"] if done.returncode == 0 else []
    report.check("on a GPU each is verified and timed", len(found) == 2 and
                 all(r["gpu_seconds"] and "not_timed" not in r for r in found), (found, done.stderr))
    report.check("the counts stand before the times", re.search(
        r"beyond the fewest\.\n\nOne matrix on Fake 40: .*\n #         us  GB/s  copy\n 1 +[\d.]+ +\d+  \(8,8\):\(8,1\) x \(1,8\)\n$",
        text.stdout), text.stdout + text.stderr)


def main(report, cutlet, *fakes):
    status, text = run(cutlet, "--copy", "(32,4):(1,32) x (1,1)", "--copy", "(32,4):(1,32)x(1,1)", "--src", "(64,64):(64,1)")
    report.check("none of two coalesces, one without blanks",
                 status == 0 and "None coalesces, all alike: " in text and "All coalesce" not in text, text)
    for rows, cols, kind in [(128, 256, "half"), (192, 64, "float"), (64, 128, "int8")]:
        for name, copy in VARIANTS.items():
            order = "col" if name.startswith("cols") else "row"
            src = f"({rows},{cols}):" + (f"(1,{rows})" if order == "col" else f"({cols},1)")
            grid = results(cutlet, "--rows", str(rows), "--cols", str(cols), "--type", kind, "--order", order,
                           "--variants", name)[0]
            own = results(cutlet, "--copy", copy, "--src", src, "--type", kind, "--tile", "64x64")[0]
            wrong = [f"{key}: {own[key]}, by the grid {grid[key]}" for key in SAME if own[key] != grid[key]]
            report.check(f"{copy} on {src} of {kind} as the grid runs it", not wrong, "\n".join(wrong))

    for kind, columns in (("e2m1", 128), ("e3m2", 192)):  # 256 elements in so many bytes
        packed = results(cutlet, "--copy", "(16,8):(8,1) x (1,16)", "--src", "(128,256):(256,1)", "--type", kind, "--tile", "64x128")
        whole = results(cutlet, "--copy", f"(16,8):(8,1) x (1,{columns // 16})", "--src", f"(128,{columns}):({columns},1)", "--type", "int8",
                        "--tile", f"64x{columns // 2}")
        report.check(f"{kind} costs what its bytes cost", whole and [dict(r, copy="") for r in packed] ==
                     [dict(r, copy="") for r in whole], (packed, whole))
    pair = ["--copy", "(16,8):(1,16) x (8,1)", "--copy", "(16,8):(8,1) x (1,8)", "--type", "half", "--src"]
    small, large = results(cutlet, *pair, "(256,256):(256,1)"), results(cutlet, *pair, "(65536,65536):(65536,1)")
    report.check("a large matrix costs what its tiles cost",
                 [r["sectors"] * 65536 for r in small] == [r["sectors"] for r in large], (small, large))
    one = ["--copy", "(16,8):(8,1) x (1,8)", "--tile", "16x64", "--src"] # tiles that cross the inner modes anywhere
    small = results(cutlet, *one, "((31,16),(129,64)):((129,3999),(1,64000))")[0]
    large = results(cutlet, *one, "((31,16,99),(129,64,99)):((129,3999,8388608),(1,64000,8589934592))")[0]
    report.check("a large irregular one too", {k: small[k] * 99**2 for k in ("sectors", "cache_lines", "shared_wavefronts")}.items() <= large.items(),
                 (small, large))
    status, text = run(cutlet, *pair, "(16384,16384):(16384,1)")
    report.check("the first is the copy that coalesces, and the sentence says why",
                 status == 0 and "(16,8):(8,1) x (1,8) coalesces: a load reads 4 runs of 128 bytes" in text and
                 "(16,8):(1,16) x (8,1) moves 8 times as many sectors" in text.replace("\n", " "), text)
    whole = results(cutlet, "--rows", "16384", "--cols", "16384", "--variants", "rows8,rows4")
    part = results(cutlet, "--rows", "512", "--cols", "512", "--variants", "rows8,rows4")
    report.check("variants on a large matrix cost what the tiles of a small one do, and most is not run",
                 [r["sectors"] for r in whole] == [1024 * r["sectors"] for r in part] and
                 all(r["verified_elements"] < 1 << 20 for r in whole if r["order"] == "row"), whole)
    status, text = run(cutlet, "--copy", "(16,8):(8,1) x (1,8)", "--src", "(100,1001):(1001,1)")
    report.check("an odd leading dimension is counted element by element", status == 0 and " 2 " in text, text)
    for name, args, want, said in REFUSED:
        status, text = run(cutlet, *args)
        report.check(name, status == want and said in text, f"exit status {status}\n{text}")
    if fakes:
        on_gpu(report, cutlet, *fakes)


tap.main(main)
