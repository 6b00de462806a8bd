#!/usr/bin/env python3
"""What the GEMM by wgmma costs to compile: by nvcc, by NVRTC, and CuTe's tutorial beside it.

    gemm_cost.py [--nvcc NVCC] [--cutlass FOLDER] [--runs N]

Each row of the table is device/gemm/wgmma.cu with one shape of tile, three kernels (half, bfloat16, e4m3),
for sm_90a. FOLDER is the source of CUTLASS (of the PyPI package nvidia-cutlass: cutlass_library/source), whose
tutorial wgmma_tma_sm90.cu is compiled in turn with them, without its host program (-cubin). NVRTC compiles in this
process, so that its memory is not told. Medians; the first compilation of each does not count.
"""

import argparse
import ctypes
import os
import re
import statistics
import sys
import tempfile
import time

from compile_cost import ROOT, measure

SHAPES = ((128, 256, 2), (128, 128, 1), (128, 64, 1), (64, 64, 1), (64, 64, 4))
STAND_IN = os.path.join(ROOT, "src", "driver", "nvrtc", "stand_in")  # stdint.h and the like, which NVRTC lacks
TUTORIAL = "examples/cute/tutorial/hopper/wgmma_tma_sm90.cu"


def nvrtc(source, options):
    """Seconds of the processor that NVRTC takes for a file, in this process."""
    library = ctypes.CDLL("libnvrtc.so")
    with open(source, "rb") as file:
        text = file.read()
    program = ctypes.c_void_p()
    given = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    start = time.process_time()
    library.nvrtcCreateProgram(ctypes.byref(program), text, os.path.basename(source).encode(), 0, None, None)
    status = library.nvrtcCompileProgram(program, len(options), given)
    took, size = time.process_time() - start, ctypes.c_size_t()
    if status:
        library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.nvrtcGetProgramLog(program, log)
        sys.exit("gemm_cost.py: NVRTC: " + log.value.decode()[:2000])
    library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    if not size.value:
        sys.exit("gemm_cost.py: NVRTC made no code")
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return took


def nvrtc_median(source, gemm, more, runs):
    """The median of several runs; the first, which loads the library, is left out."""
    options = ["-std=c++17", "-arch=sm_90a", "-default-device", "-I" + gemm, "-I" + STAND_IN, *more]
    return statistics.median([nvrtc(source, options) for _ in range(runs + 1)][1:])


def first_kernel(source, scratch):
    """A copy of the source with the first of its kernels alone."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    path = os.path.join(scratch, "one.cu")
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r"GEMM_OF\(rows, columns, cluster, (bfloat16|e4m3), \w+\)", "", text))
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cutlass", help="the folder of CUTLASS's source")
    parser.add_argument("--runs", type=int, default=5)
    o = parser.parse_args()
    gemm, include = os.path.join(ROOT, "device", "gemm"), os.path.join(ROOT, "include")
    flags = {f"{rows}x{columns}": [f"-DGEMM_ROWS={rows}", f"-DGEMM_COLUMNS={columns}", f"-DGEMM_CLUSTER={cluster}",
                                   "-I" + include] for rows, columns, cluster in SHAPES}
    source = os.path.join(gemm, "wgmma.cu")
    with tempfile.TemporaryDirectory() as scratch:
        nvcc = [o.nvcc, "-std=c++17", "-arch=sm_90a", "-cubin", "-o", os.path.join(scratch, "out")]
        commands = {f"wgmma.cu, tiles {name}": [*nvcc, *more, source] for name, more in flags.items()}
        one = first_kernel(source, scratch)
        commands["one kernel of wgmma.cu, tiles 128x256"] = [*nvcc, "-I" + gemm, *flags["128x256"], one]
        if o.cutlass:
            commands["CuTe's wgmma_tma_sm90.cu"] = [
                *nvcc, "-w", "--expt-relaxed-constexpr", "-I" + os.path.join(o.cutlass, "include"),
                "-I" + os.path.join(o.cutlass, "tools", "util", "include"), os.path.join(o.cutlass, TUTORIAL)]
        costs = measure(commands, o.runs)
        compiled = {f"wgmma.cu, tiles {name}": (source, more) for name, more in flags.items()}
        compiled["one kernel of wgmma.cu, tiles 128x256"] = one, flags["128x256"]
        times = {name: nvrtc_median(path, gemm, more, o.runs) for name, (path, more) in compiled.items()}
    print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, medians of {o.runs}, for sm_90a\n")
    print("| compiled | wall, s | CPU, s | memory, MB |\n|---|---|---|---|")
    for name, cost in costs.items():
        print(f"| {name} | {cost[0]:.2f} | {cost[1]:.2f} | {cost[2]:.0f} |")
    for name, seconds in times.items():
        print(f"| {name}, by NVRTC | | {seconds:.2f} | |")


if __name__ == "__main__":
    main()
