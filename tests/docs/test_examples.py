#!/usr/bin/env python3
"""Compiles each example as the documents say, with -Iinclude as the only folder of headers: as C, which is
what the CPU grid runs.

    test_examples.py SOURCE CC ARGUMENTS..
"""

import glob
import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

FLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-Iinclude", "-x", "c"]


def main(report, source, cc, *arguments):
    compiler = shlex.split(cc)
    found = sorted(path for suffix in ("c", "cu")
                   for path in glob.glob(os.path.join(source, "examples", "**", "*." + suffix), recursive=True)
                   if os.sep + "vendor" + os.sep not in path  # tests/install/amalgamate.py compiles that
                   and not path.endswith("lint.cu"))  # of CuTe, to be read

    cuda = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")
    with_nvrtc = [path for path in found if "<nvrtc.h>" in open(path, encoding="utf-8").read()]
    if not os.path.exists(os.path.join(cuda, "nvrtc.h")):
        found = [path for path in found if path not in with_nvrtc]
        for path in with_nvrtc:
            report.skip(os.path.relpath(path, source), f"no nvrtc.h in {cuda}")

    def compile_example(path):
        name = os.path.relpath(path, source)
        folder = [f"-I{cuda}"] if path in with_nvrtc else []
        status, output = tap.run([*compiler, *FLAGS, *folder, *arguments, name], cwd=source)
        return name, status == 0, tap.tail(output)

    for result in tap.parallel(compile_example, found):
        report.check(*result)


tap.main(main)
