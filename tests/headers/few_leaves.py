#!/usr/bin/env python3
"""A capacity below 4 leaves does not compile, and the message names the macro and the Meson option.

    few_leaves.py LANGUAGE COMPILER -- COMPILER_ARGS..

COMPILER is empty where there is none.
"""

import os
import shlex
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

FLAGS = {
    "c": ["-std=c11", "-x", "c"],
    "c++": ["-std=c++17", "-x", "c++"],
    "cuda": ["-std=c++17", "-x", "cu"],
}


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in FLAGS or sys.argv[3] != "--":
        tap.die(__doc__)
    language, compiler, _, *args = sys.argv[1:]
    args = [arg for arg in args if not arg.startswith("-DCT_MAX_LEAVES=")]
    report = tap.Report()
    if not compiler:
        report.skip(f"few leaves as {language.upper()}", "no compiler found")
        return report.finish()
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "leaves.c"), os.path.join(folder, "leaves.o")
        with open(source, "w") as out:
            out.write("#include <cutlet/cutlet.h>\n")
        for leaves in (-1, 0, 1, 3, 4, 5):
            status, output = tap.run([*shlex.split(compiler), *FLAGS[language], *args,
                                      f"-DCT_MAX_LEAVES={leaves}", "-c", "-o", binary, source])
            name = f"{leaves} leaves as {language.upper()}"
            if leaves >= 4:
                report.check(name, status == 0, output)
                continue
            is_told = "CT_MAX_LEAVES is below 4" in output and "Meson option capacity" in output
            report.check(name, status != 0 and is_told, f"status {status}\n{output}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
