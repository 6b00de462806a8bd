#!/usr/bin/env python3
"""The header that is vendored, alone in a folder, by each compiler; and the commands of docs/howto/vendor.md.

    amalgamate.py SOURCE SCRATCH CC CXX CUTLET
"""

import ctypes
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

MOST_BYTES = 600_000
# Two units of one program, each with the header: a composition, a tiled copy, an MMA.
UNIT = """#include "cutlet_algebra.h"
#include "cutlet_algebra.h"
long long other(void);
#ifdef OTHER
long long other(void) { return ct_size(ct_composition(ct_layout2(6, 2, 8, 2), ct_layout2(4, 3, 3, 1))); }
#else
int main(void)
{
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_universal(128, 16), ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 8, 1));
    const ct_mma_atom atom = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
    return other() != 12 || ct_err(copy).status || ct_err(atom).status || CT_MAX_LEAVES != LEAVES;
}
#endif
"""
KERNEL = """#include "cutlet_algebra.h"
extern "C" __global__ void kernel(long long *out)
{
    constexpr ct_tensor tile = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(64, 64, 64, 1));
    out[threadIdx.x] = ct_tensor_offset(&tile, threadIdx.x);
}
"""


def by_compiler(report, folder, name, command, unit="unit.c", leaves=16):
    """Two units, compiled and run."""
    objects = []
    for part in ("MAIN", "OTHER"):
        objects.append(os.path.join(folder, f"{part}.o"))
        status, output = tap.run([*command, "-Wall", "-Wextra", "-Werror", f"-D{part}", f"-DLEAVES={leaves}", "-c",
                                  unit, "-o", objects[-1]], cwd=folder)
        if status:
            break
    program = os.path.join(folder, "program")
    if not status:
        status, output = tap.run([command[0], *objects, "-o", program])
    if not status:
        status, output = tap.run([program])
    report.check(f"two units by {name}", not status, output)


def by_nvrtc(report):
    """The kernel by NVRTC, which has no other header; skipped without one."""
    try:
        nvrtc = ctypes.CDLL(os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "lib64", "libnvrtc.so"))
    except OSError:
        report.skip("a kernel by NVRTC", "no NVRTC found")
        return
    with open("cutlet_algebra.h", "rb") as file:
        header = file.read()
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), KERNEL.encode(), b"k.cu", 1, (ctypes.c_char_p * 1)(header),
                             (ctypes.c_char_p * 1)(b"cutlet_algebra.h"))
    bad = nvrtc.nvrtcCompileProgram(program, 2, (ctypes.c_char_p * 2)(b"-std=c++17", b"--gpu-architecture=sm_90"))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value + 1)
    nvrtc.nvrtcGetProgramLog(program, log)
    report.check("a kernel by NVRTC", bad == 0, log.value.decode()[:2000])


def how_to(report, source, folder, cutlet):
    """The blocks of the page, in a copy of its folder."""
    with open(os.path.join(source, "docs/howto/vendor.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.M | re.S)
    place = os.path.join(folder, "vendor")
    shutil.copytree(os.path.join(source, "examples/howto/vendor"), place)
    env = dict(os.environ, CUTLET=source, PATH=os.path.dirname(cutlet) + os.pathsep + os.environ["PATH"])
    for block in blocks:
        name = f"docs/howto/vendor.md: {block.splitlines()[0][:60]}"
        if block.startswith("cmake") and not shutil.which("cmake"):
            report.skip(name, "no cmake found")
            continue
        status, output = tap.run(["bash", "-ec", block], cwd=place, env=env)
        report.check(name, not status, output)
    status, output = tap.run(["bash", "-ec", "cc test_swizzle.c && ./a.out"], cwd=place)
    report.check("the test prints", (status, output) == (0, "0 wrong\n"), output)
    with open(os.path.join(place, "test_swizzle.c"), encoding="utf-8") as file:
        text = file.read()
    for right, fault in (("(i % 8) * 8", "(i % 4) * 8"), ("64 * i", "32 * i")):
        with open(os.path.join(place, "fault.c"), "w", encoding="utf-8") as file:
            file.write(text.replace(right, fault, 1))
        status, output = tap.run(["bash", "-ec", "cc fault.c -o fault && ./fault"], cwd=place)
        report.check(f"{fault} is found", status == 1 and output.endswith(" wrong\n"), output)
    if shutil.which("cmake") and tap.ALL:
        steps = "cmake -S fetch -B fetched && cmake --build fetched -j2 && fetched/mine"
        shutil.copytree(os.path.join(source, "examples/howto/use"), os.path.join(folder, "use"))
        status, output = tap.run(["bash", "-ec", steps], cwd=place, env=env, timeout=900)
        report.check("the library by FetchContent", not status and output.endswith("((2,2),3):((24,2),8)\n"), output)


def main(report, source, folder, cc, cxx, cutlet):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    status, output = tap.run([os.path.join(source, "run"), "amalgamate", "cutlet_algebra.h"])
    size = os.path.getsize("cutlet_algebra.h") if not status else 0
    report.check("the header is made, and small", 0 < size < MOST_BYTES, f"{size} bytes\n{output}")
    with open("cutlet_algebra.h", encoding="utf-8") as file:
        text = file.read()
    found = set(re.findall(r"#include (\S+)", text))  # <stdio.h> with CT_CHECKED alone
    report.check("it includes no other file", found == {"<stdint.h>", "<stdio.h>"}, found)
    report.check("the licence is on top", "MIT License" in text[:400], text[:400])
    for unit in ("unit.c", "unit.cc"):
        with open(unit, "w", encoding="utf-8") as file:
            file.write(UNIT)
    by_compiler(report, folder, "the C compiler", [cc, "-std=c11", "-pedantic-errors"])
    by_compiler(report, folder, "the C compiler, of 32 leaves", [cc, "-std=c11", "-DCT_MAX_LEAVES=32"], leaves=32)
    if cxx:
        by_compiler(report, folder, "the C++ compiler", [cxx, "-std=c++17", "-pedantic-errors"], "unit.cc")
    if shutil.which("clang"):
        by_compiler(report, folder, "clang", ["clang", "-std=c11"])
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    with open("kernel.cu", "w", encoding="utf-8") as file:
        file.write(KERNEL)
    if nvcc:
        status, output = tap.run([nvcc, "-std=c++17", "-arch=sm_90", "-cubin", "kernel.cu"], cwd=folder)
        report.check("a kernel by nvcc", not status, output)
    else:
        report.skip("a kernel by nvcc", "no nvcc found")
    by_nvrtc(report)
    how_to(report, source, folder, cutlet)


tap.main(main)
