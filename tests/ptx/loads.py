#!/usr/bin/env python3
"""The kernels of the library and its programs that sm_80 has: nvcc makes PTX of each file for it, which loads.

    loads.py NVCC CUTLET SCRATCH -I.. -- KERNELS.cu..
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

SAMPLE = ("simt",)  # the rest takes `./run test all`


def main():
    nvcc, cutlet, scratch = sys.argv[1:4]
    includes, kernels = sys.argv[4:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    if not nvcc:
        print("1..0 # SKIP no nvcc found")
        return 0
    report = tap.Report()
    os.makedirs(scratch, exist_ok=True)
    kernels = [kernel for kernel in kernels if tap.ALL or os.path.splitext(os.path.basename(kernel))[0] in SAMPLE]

    def load(kernel):
        text = os.path.join(scratch, os.path.basename(kernel) + ".sm_80.ptx")
        status, output = tap.run([nvcc, "-std=c++17", "-arch=sm_80", "-ptx", *includes, "-o", text, kernel], timeout=1000)
        return (status, output) if status else tap.run([cutlet, "run", text, "--list"])
    for kernel, (status, output) in zip(kernels, tap.parallel(load, kernels)):
        report.check(kernel + " loads, and has kernels", status == 0 and " threads" in output, output)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
