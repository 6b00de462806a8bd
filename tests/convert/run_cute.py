#!/usr/bin/env python3
"""The kernel of docs/howto/cute.md, compiled by nvcc with CuTe's headers of PyPI: it prints what the page says, and without its
wait or its barrier it is a mistake.

    run_cute.py SOURCE CUTLET NVCC
"""

import os
import re
import shlex
import site
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap


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
        report.check("it prints what the page says", status == 0 and said == shown, said)
        for line in ("cp_async_wait<0>();", "__syncthreads();"):
            status, said = output(kernel.replace(line, ""))
            report.check(f"without {line}", status == 1 and "16-bit load from shared memory at copy.cu:22" in said, said)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
