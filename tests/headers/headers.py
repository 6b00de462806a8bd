#!/usr/bin/env python3
"""Compiles each header alone, and all together: as C11, as C++17, as CUDA, or as the CPU grid does
(GNU C11).

    headers.py LANGUAGE COMPILER SCRATCH -- ARGUMENTS -- HEADERS

LANGUAGE is c, c++, cuda or grid, COMPILER may be empty, SCRATCH is a folder for the objects. A header is
named as a program includes it. Each is included twice, because a header must stand being included
again. cutlet/host/testing.h extends cmocka.h, so that one stands before it.
"""

import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

WARNINGS = ["-Wall", "-Wextra", "-Werror"]
FLAGS = {
    "c": ["-std=c11", "-pedantic", *WARNINGS, "-Wshadow", "-Wstrict-prototypes", "-fsyntax-only"],
    "grid": ["-std=gnu11", *WARNINGS, "-fsyntax-only"],
    "c++": ["-std=c++17", "-pedantic-errors", *WARNINGS, "-fsyntax-only"],
    "cuda": ["-std=c++17", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Wno-unknown-pragmas", "-c"],
}
BEFORE = {"cutlet/host/testing.h": ["stdarg.h", "stddef.h", "setjmp.h", "stdint.h", "cmocka.h"]}
SUFFIX = {"c": ".c", "grid": ".c", "c++": ".cpp", "cuda": ".cu"}


def main():
    parts = " ".join(shlex.quote(a) for a in sys.argv[1:]).split(" -- ")
    if len(parts) != 3:
        tap.die(__doc__)
    first, arguments, headers = (shlex.split(p) for p in parts)
    language, compiler, scratch = first
    report = tap.Report()
    label = {"c": "C11", "grid": "grid C", "c++": "C++17", "cuda": "CUDA"}[language]
    if not compiler:
        report.skip(f"headers as {label}", "no compiler found")
        return report.finish()
    os.makedirs(scratch, exist_ok=True)

    def compile_headers(included):
        what = included[0] if len(included) == 1 else "all of them"
        source = os.path.join(scratch, what.replace("/", "_").replace(" ", "_") + SUFFIX[language])
        before = [name for header in included for name in BEFORE.get(header, [])]
        with open(source, "w") as out:
            for name in [*before, *included, *included]:
                out.write(f"#include <{name}>\n")
            out.write("int ct_header_stands_alone(void);\n"
                      "int ct_header_stands_alone(void) { return 0; }\n")
        command = [*shlex.split(compiler), *FLAGS[language], *arguments, source]
        if language == "cuda":
            command += ["-o", source + ".o"]
        status, output = tap.run(command)
        return f"{what} as {label}", status == 0, tap.tail(output)

    for result in tap.parallel(compile_headers, [*([header] for header in headers), headers]):
        report.check(*result)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
