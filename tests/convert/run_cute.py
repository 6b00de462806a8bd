#!/usr/bin/env python3
"""Kernels that nvcc compiles with CuTe's headers of PyPI. That of docs/howto/cute.md prints what the page says, and without its
wait or its barrier it is a mistake. Those of bench/peers/cute_copy.cu copy a matrix.

    run_cute.py SOURCE CUTLET NVCC
"""

import os
import re
import shlex
import site
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap


M, N, TILE = 128, 192, 64


def copies(report, source, cutlet, compile_, folder):
    """Each kernel of bench/peers/cute_copy.cu copies an M x N matrix, with a block for each tile, x along the inner mode."""
    with open(os.path.join(folder, "src.npy"), "wb") as file:
        head = f"{{'descr': '<f2', 'fortran_order': False, 'shape': ({M * N},), }}".ljust(117) + "\n"
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode())
        file.write(struct.pack(f"<{M * N}e", *(i * 1237 % 2039 for i in range(M * N))))
    status, said = tap.run([*compile_, "-o", "copies.ptx", os.path.join(source, "bench/peers/cute_copy.cu")], cwd=folder)
    kernels = re.findall(r"^(\w+_(row|col)): up to (\d+) threads", tap.run([cutlet, "run", "copies.ptx", "--list"], cwd=folder)[1], re.M)
    report.check("nvcc compiles CuTe's copies", status == 0 and len(kernels) == 14, said)
    for name, inner, threads in kernels:
        grid = (N // TILE, M // TILE) if inner == "row" else (M // TILE, N // TILE)
        status, said = tap.run([cutlet, "run", "copies.ptx", "--kernel", name, "--grid", "{},{}".format(*grid), "--block", threads,
                                "--arg", "src=@src.npy", "--arg", f"dst=half[{M * N}]:out", "--arg", f"m=i64:{M}", "--arg", f"n=i64:{N}",
                                "--expect", "src.npy"], cwd=folder)
        report.check(f"{name} copies", status == 0 and " src " in said, said)


def main():
    source, cutlet, nvcc = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3]
    if not nvcc:
        print("1..0 # SKIP no nvcc found")
        return 0
    headers = os.path.join(site.getsitepackages()[0], "cutlass_library/source/include")
    report = tap.Report()
    with open(os.path.join(source, "docs/howto/cute.md"), encoding="utf-8") as file:
        page = file.read()
    kernel, lines, shown = re.findall(r"^```(?:cuda|sh|text)\n(.*?)^```$", page, re.S | re.M)
    compile_, run = (shlex.split(line)[1:] for line in lines.splitlines())
    with tempfile.TemporaryDirectory() as folder:
        def output(text):
            with open(os.path.join(folder, "copy.cu"), "w", encoding="utf-8") as file:
                file.write(text)
            status, said = tap.run([nvcc, *(f"-I{headers}" if word[:2] == "-I" else word for word in compile_)], cwd=folder)
            return tap.run([cutlet, *run], cwd=folder) if status == 0 else (status, said)
        status, said = output(kernel)
        without = [re.sub(r"(?<= instructions in )[0-9.]+(?= s$)", "", text, flags=re.M) for text in (said, shown)]
        report.check("it prints what the page says", status == 0 and without[0] == without[1], said)
        for line in ("cp_async_wait<0>();", "__syncthreads();"):
            status, said = output(kernel.replace(line, ""))
            report.check(f"without {line}", status == 1 and "16-bit load from shared memory at copy.cu:22" in said, said)
        copies(report, os.path.abspath(source), cutlet, [nvcc, "-ptx", "-lineinfo", "-std=c++17", "-arch=sm_80", f"-I{headers}"], folder)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
