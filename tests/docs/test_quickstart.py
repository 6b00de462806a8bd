#!/usr/bin/env python3
"""Runs the commands of docs/quickstart.md as they stand, from the source tree, with another build folder.

    test_quickstart.py SOURCE BUILD LIBRARY CC [NVCC]

Where there is no nvcc, or no GPU, that part is skipped by name.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

LINE = "1000 x 777 floats transposed\n"


def commands(document):
    """The commands of each sh block."""
    with open(document, encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```", file.read(), re.M | re.S)
    return [block.splitlines() for block in blocks]


def main(report, source, _build, library, cc, nvcc=""):
    library = os.path.abspath(library)
    found = commands(os.path.join(source, "docs", "quickstart.md"))
    report.check("two blocks of commands", len(found) == 2, str(found))
    for block in found:
        on_gpu = block[0].startswith("nvcc")
        name = "on the GPU" if on_gpu else "on the grid"
        if on_gpu and not nvcc:
            report.skip(name, "no nvcc")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            output, status = "", 0
            for line in block:
                line = re.sub(r"^nvcc ", nvcc + " ", re.sub(r"^cc ", cc + " ", line))
                line = re.sub(r"\bbuild/(?!src/)", scratch + "/", line).replace("build/src/libcutlet.a", library)
                done = subprocess.run(line, shell=True, cwd=source, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
                output, status = done.stdout, done.returncode
                if status:
                    break
            if on_gpu and status == 2 and re.match(r"CUDA: (no CUDA-capable device|CUDA driver)", output):
                report.skip(name, output.strip())
                continue
            report.check(name, status == 0 and output == LINE, f"{status}: {output}")


tap.main(main)
