#!/usr/bin/env python3
"""cutlet/cutlet.hpp by each C++ compiler, with exceptions and without, and the program of docs/cpp.md.

    cpp_layer.py SOURCE SCRATCH LIBRARY TEST ARGUMENT.. -- COMPILER..
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

FLAGS = ["-std=c++17", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-O0"]


def main():
    split = sys.argv.index("--") if "--" in sys.argv else 0
    if split < 5:
        tap.die(__doc__)
    source, scratch, library, test, *arguments = sys.argv[1:split]
    report = tap.Report()
    os.makedirs(scratch, exist_ok=True)
    with open(os.path.join(source, "docs/cpp.md"), encoding="utf-8") as file:
        program, printed = re.search(r"```cpp\n(.*?)```\n.*?```\n(.*?)```", file.read(), re.S).groups()
    shown = os.path.join(scratch, "shown.cpp")
    with open(shown, "w", encoding="utf-8") as file:
        file.write(program)
    jobs = []
    for compiler in filter(None, sys.argv[split + 1:]):
        jobs += [(compiler, "the tests", test, [], ""), (compiler, "the tests, without exceptions", test,
                 ["-fno-exceptions"], ""), (compiler, "docs/cpp.md", shown, [], printed)]

    def compiled(job):
        compiler, name, text, flags, expected = job
        out = os.path.join(scratch, f"{os.path.basename(compiler)}-{name.replace('/', ' ').replace(' ', '-')}")
        status, output = tap.run([compiler, *FLAGS, *flags, *arguments, text, "-o", out, library, "-lm", "-lpthread",
                                  "-ldl"])
        if not status:
            status, output = tap.run([out])
            status = status or output != expected
        return f"{name} by {os.path.basename(compiler)}", not status, tap.tail(output)

    for result in tap.parallel(compiled, jobs):
        report.check(*result)
    if not jobs:
        report.skip("the layer for C++", "no C++ compiler found")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
