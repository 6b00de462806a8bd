#!/usr/bin/env python3
"""`cutlet suggest --measure` with a fake driver and a fake compiler: kernels are compiled by the host's
compiler and run on the CPU grid, each loaded one timed as a little faster than the one before it.

    test_suggest_gpu.py CUTLET SOURCE LIBRARY CC FAKE_DRIVER FAKE_NVRTC

LIBRARY is the shared one, with which the kernels are linked.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

HALF = ["--type", "half", "--tile", "32x32", "--threads", "32", "--src", "(72,72):(72,1)"]
FLOAT = ["--type", "float", "--tile", "16x16", "--threads", "32"]

# Of each query some of all candidates: their kernels compile, copy, and read what they should.
SPREADS = [
    ("ldmatrix", [*HALF, "--read", "ldmatrix"]),
    ("ldmatrix.trans", ["--type", "half", "--tile", "32x32", "--threads", "64", "--src", "(72,40):(1,72)", "--read",
                        "ldmatrix.trans"]),
    ("cols of bytes", ["--type", "int8", "--tile", "32x32", "--threads", "32", "--src", "(70,40):(40,1)",
                       "--read", "cols"]),
    ("rows of an odd pitch", [*FLOAT, "--src", "(40,35):(35,1)", "--read", "rows"]),
    ("a destination", [*FLOAT, "--src", "(40,35):(35,1)", "--dst", "(40,35):(1,41)"]),
]
COUNT = 6 if tap.ALL else 2


class Tests:
    def __init__(self, cutlet, source, library, cc, driver, nvrtc, folder):
        self.cutlet, self.report = cutlet, tap.Report()
        include = os.path.join(source, "include")
        compiler = [cc, "-std=gnu11", "-O0", "-g0", "-shared", "-fPIC", "-I", include, "-I",
                    os.path.join(include, "cutlet", "device"), "-x", "c", "-", "-x", "none", library,
                    "-Wl,-rpath," + os.path.dirname(library)]
        self.env = {**os.environ, "LC_ALL": "C", "CUTLET_CUDA_DRIVER": driver, "CUTLET_NVRTC": nvrtc,
                    "FAKE_NVRTC_CC": " ".join(compiler), "FAKE_NVRTC_FOLDER": folder, "FAKE_CUDA_L2": "4096"}
        self.env.pop("CUTLET_NO_GPU", None)

    def measure(self, *args, **more):
        done = subprocess.run([self.cutlet, "suggest", *args], capture_output=True, text=True,
                              env={**self.env, **more}, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def refused(self, name, want, *args, **more):
        status, out, err = self.measure(*HALF, "--measure=2", *args, **more)
        self.report.check(f"refused: {name}", status == 2 and out == "" and err.count("\n") == 1 and
                          err.startswith("cutlet suggest: " + want), (status, out, err))

    def spreads(self):
        for name, args in SPREADS:
            status, out, err = self.measure(*args, "--all", f"--measure={COUNT}", "--json")
            if not self.report.check(f"{name}: measured", status == 0, (status, out[-300:], err)):
                continue
            found = json.loads(out)
            got = [c["measured"] for c in found["candidates"]]
            self.report.check(f"{name}: all are right", len(got) == COUNT and
                              all(m["verified"] and m["message"] == "" for m in got), got)
            self.report.check(f"{name}: sorted by time, the last loaded first",
                              [m["rank"] for m in got] == list(range(COUNT, 0, -1)) and
                              all(abs(m["us"] - 3000 + m["rank"] - 1) < 0.01 for m in got), got)
            whole, m, n = found["measured"], *map(int, re.findall(r"\d+", found["src"])[:2])
            sides = 2 if found["dst"] else 1
            self.report.check(f"{name}: rates", whole["device"] == "Fake 40" and whole["source_bytes"] >= 4 * 4096 and
                              whole["bytes"] == sides * whole["matrices"] * m * n * found["elem_bits"] // 8 and
                              all(abs(m["gb_s"] - 1e-3 * whole["bytes"] / m["us"]) < 1e-6 for m in got), whole)
            cycles = [c["cycles"] for c in sorted(found["candidates"], key=lambda c: c["measured"]["rank"])]
            self.report.check(f"{name}: places are those of the estimate", cycles == sorted(cycles), cycles)

    def table(self, folder):
        path = os.path.join(folder, "tile.cu")
        status, out, err = self.measure(*HALF, "--read", "rows", "--measure=3", "--emit", path)
        rows = [line.split() for line in out.splitlines() if re.match(r" +\d+ ", line)]
        self.report.check("the table", status == 0 and err == "" and [row[:2] for row in rows] ==
                          [["3", "2998.00"], ["2", "2999.00"], ["1", "3000.00"]], (status, out, err))
        self.report.check("what it says", "The first of the estimate reaches 0.999 of the fastest." in
                          " ".join(out.split()) and "Fake 40" in out, out)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        shared = re.search(r"\(32,32\):\((\d+),(\d+)\)$", " ".join(rows[0]))
        self.report.check("the program is of the fastest", shared and
                          f'ct_read("(32,32):({shared[1]},{shared[2]})")' in text, text)
        if not tap.ALL:
            self.report.skip("twelve without a number", "long; CUTLET_TEST_ALL runs it")
            return
        status, out, _ = self.measure(*HALF, "--read", "rows", "--measure", "--json")
        self.report.check("twelve without a number", status == 0 and len(json.loads(out)["candidates"]) == 12, status)

    def wrong(self):
        """The compiler is told another mixture of the sums: what comes out differs from what should."""
        spoiled = self.env["FAKE_NVRTC_CC"].replace(" -x c - ", " -x c /dev/stdin ")
        status, out, err = self.measure(*HALF, "--read", "rows", "--measure=2",
                                        FAKE_NVRTC_CC="sed 's/sum \\* 31/sum * 33/' | " + spoiled)
        self.report.check("a wrong candidate", status == 1 and err.count("is wrong at (0,0) of matrix 0") == 2 and
                          out.count("WRONG") == 2, (status, out, err))

    def refusals(self):
        self.refused("no GPU", "no GPU: CUTLET_NO_GPU is set", CUTLET_NO_GPU="1")
        self.refused("no driver", "no GPU: ", CUTLET_CUDA_DRIVER="/nowhere/libcuda.so")
        self.refused("no NVRTC", "no NVRTC: CUTLET_NVRTC turns it off", CUTLET_NVRTC="0")
        self.refused("another NVRTC", "no NVRTC: ", CUTLET_NVRTC="/nowhere/libnvrtc.so")
        self.refused("a kernel that does not compile", "candidate ", FAKE_NVRTC_CC="false; cat >/dev/null; false")
        self.refused("out of memory", "cuMemAlloc", FAKE_CUDA_FAIL="cuMemAlloc_v2")
        self.refused("a launch that fails", "candidate 1: cuLaunchKernel(candidate 1, grid 3 x 3 x 2, block 32",
                     FAKE_CUDA_FAIL="cuLaunchKernel")
        self.refused("a module that is refused", "cuModuleLoadDataEx(candidate 1)", FAKE_CUDA_FAIL="cuModuleLoadDataEx")
        self.refused("events that fail", "cuEventRecord", FAKE_CUDA_FAIL="cuEventRecord 5")
        for part, args in (("--measure is a number", ["--measure=x"]), ("--measure=N says how many", ["--top", "3"])):
            self.refused(part, part, *args)
        status, out, err = self.measure("--type", "float", "--tile", "128x128", "--threads", "32", "--src",
                                        "(128,128):(128,1)", "--measure=2")
        self.report.check("refused: no kernel", status == 2 and out == "" and
                          "no candidate has a kernel: each of 32 threads reads 512 words" in err, (status, out, err))


def main():
    if len(sys.argv) != 7:
        tap.die(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        tests = Tests(*sys.argv[1:], folder)
        tests.spreads()
        tests.table(folder)
        tests.wrong()
        tests.refusals()
    return tests.report.finish()


if __name__ == "__main__":
    sys.exit(main())
