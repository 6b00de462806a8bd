#!/usr/bin/env python3
"""A test whose launches run by both front ends, gcc's kernels and what nvcc makes of them: results are equal
bit by bit, mistakes word by word, counts row by row, but for what both.txt explains.

    both.py NVCC SCRATCH TEST -I.. -- KERNELS.cu[,-DNAME=VALUE..]..
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))
import tap

#: Of each kind a few that take seconds: `./run test all` takes the rest too.
SAMPLE = ("clusters", "global_copies", "grid", "grid_mistakes", "mma_stages", "mma_sync", "schedules", "tma",
          "tma_mistakes", "waits", "wgmma_descriptor", "wgmma_mistakes")
ARCHS = ("sm_90a", "sm_80")
#: The tests whose kernels sm_80 has too.
ON_SM_80 = ("elementwise", "gemm", "mma_sync", "skews", "transpose", "view_copy")


def explained(test):
    with open(os.path.join(HERE, "both.txt"), encoding="utf-8") as file:
        rows = [[part.strip() for part in re.split(r" \| ", line)] for line in file if line.strip() and line[0] != "#"]
    assert all(len(row) == 3 and row[2] for row in rows)
    return [row[1] for row in rows if row[0] == test]


def is_other_name(line):
    """Dynamic shared memory has the one name that kernel.h declares, not that of the kernel."""
    by_gcc, _, by_ptx = line.partition(": ")[2].partition("; PTX ")
    return re.fullmatch(re.escape(by_ptx).replace("ct_dynamic", r"\w+"), by_gcc) is not None


def differences(report, nvcc, arch, scratch, program, includes, kernels):
    """The lines that the test writes when its kernels also run as PTX for an architecture."""
    prefix = os.path.join(scratch, f"{os.path.basename(program)}_{arch}")
    texts = [f"{prefix}_{re.sub('[^a-z0-9_]+', '_', os.path.basename(kernel).lower())}.ptx" for kernel in kernels]
    for kernel, text in zip(kernels, texts):
        status, output = tap.run([nvcc, "-std=c++17", "-arch=" + arch, "-lineinfo", "-ptx", *includes, "-o", text,
                                  *kernel.split(",")])
        report.check(f"nvcc compiles {kernel} for {arch}", status == 0, output)
    path = prefix + ".txt"
    with open(path, "w", encoding="utf-8"):
        pass
    status, output = tap.run([program], env={**os.environ, "CUTLET_PTX": ":".join(texts), "CUTLET_DIFFERENCES": path})
    report.check(f"the test passes with PTX for {arch}", status == 0, output)
    with open(path, encoding="utf-8") as file:
        return [line for line in sorted({line.rstrip("\n") for line in file}) if not is_other_name(line)]


def main():
    nvcc, scratch, program = sys.argv[1:4]
    includes, kernels = sys.argv[4:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    test = os.path.basename(program).removeprefix("both_")
    if not nvcc or not (tap.ALL or test in SAMPLE):
        print("1..0 # SKIP " + ("takes ./run test all" if nvcc else "no nvcc found"))
        return 0
    report = tap.Report()
    os.makedirs(scratch, exist_ok=True)
    for arch in ARCHS if test in ON_SM_80 and (tap.ALL or test == "mma_sync") else ARCHS[:1]:
        lines = differences(report, nvcc, arch, scratch, program, includes, kernels)
        patterns = explained(test if arch == ARCHS[0] else f"{test} {arch}")
        known = explained(test) + patterns
        unknown = [line for line in lines if not any(re.fullmatch(p, line) for p in known)]
        report.check(f"all differences of {arch} are explained", not unknown, "\n".join(unknown))
        for pattern in patterns:
            report.check(f"they still differ by {pattern}", any(re.fullmatch(pattern, line) for line in lines))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
