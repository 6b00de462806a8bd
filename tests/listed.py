#!/usr/bin/env python3
"""Checks that the lists in the meson.build files name every file of their folders, or that another
folder's meson.build does, with its path.

    listed.py SOURCE
"""

import glob
import os
import sys

import tap

# (the folder of the meson.build, the files that it must name, whose folder follows where it is another)
LISTS = [("include/cutlet", "*.h"), ("include/cutlet", "algebra/*.h"),
         ("include/cutlet", "copy/*.h"), ("include/cutlet", "mma/*.h"), ("include/cutlet", "host/*.h"), ("device", "*.h"),
         ("src/base", "*.c"), ("src/text", "*.c"), ("src/draw", "*.c"), ("src/model", "*.c"),
         ("src/io", "*.c"), ("src/grid", "*/*.c"), ("src/verify", "*.c"), ("src/advice", "*.c"),
         ("src/compare", "*.c"), ("src/driver", "*/*.c"), ("src/plan", "*/*.c"),
         ("src/suggest", "*.c"), ("src/relayout", "*.c"), ("tools/cutlet", "*.c"),
         ("tools/cutlet", "*/*.c"), ("tests", "test_*.c"), ("tests", "test_*.cpp"),
         ("tests", "test_*.py"), ("tests", "*.cu"), ("tests", "*.check"),
         ("tests", "codegen/*.cu"), ("tests", "fuzz/*.c"), ("tests", "laws*.h"),
         ("bench", "*.c"), ("bench/command", "*.c"), ("bench/harness", "*.c"),
         ("bench/gpu", "*.c"),
         ("examples", "*.c"), ("examples/tutorial", "*.c"), ("examples/tutorial", "*.cu"),
         ("examples/gemm", "*.c"), ("examples/vector", "*.c"),
         ("device/kernels", "*.cu"), ("device/kernels", "*.cu", "examples/vector"),
         ("device/kernels", "*.cu", "examples/gemm"), ("device/kernels", "*.cu", "bench/harness"),
         ("device/kernels", "*.cu", "bench/gpu/kernels")]


def main():
    if len(sys.argv) != 2:
        tap.die(__doc__)
    report = tap.Report()
    builds = glob.glob(os.path.join(sys.argv[1], "*", "meson.build"))
    elsewhere = ""
    for path in builds:
        with open(path) as source:
            elsewhere += source.read()
    for build, pattern, *of in LISTS:
        folder = of[0] if of else build
        base = os.path.join(sys.argv[1], folder)
        with open(os.path.join(sys.argv[1], build, "meson.build")) as source:
            text = source.read()
        missing = []
        for path in sorted(glob.glob(os.path.join(base, pattern))):
            name = os.path.relpath(path, base)
            program = os.path.splitext(name)[0].replace("test_", "", 1)  # as test programs are listed
            if (f"'{name}'" not in text and f"'{program}'" not in text and
                    f"'../{folder}/{name}'" not in elsewhere):
                missing.append(name)
        report.check(f"{folder}/{pattern}", not missing, f"not in {build}/meson.build: {missing}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
