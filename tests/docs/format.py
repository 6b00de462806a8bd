#!/usr/bin/env python3
"""The C and CUDA C files are as clang-format writes them by .clang-format, of one version for all. What people write
follows .editorconfig: lines end without blanks, files with a line, and without carriage returns.

    format.py SOURCE_DIR
    format.py --update SOURCE_DIR

--update formats them. The program is the one of this Python's environment, or in PATH: 14.0.6, from PyPI.
"""

import glob
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

VERSION = "14.0.6"
FOLDERS = ("src", "include", "device", "tests", "tools", "python", "bench", "examples")
AT_ONCE = 60


def sources(root):
    """The files, each once: include/cutlet/device is a link to device/."""
    found = []
    for folder in FOLDERS:
        for kind in ("c", "h", "cu"):
            found += glob.glob(os.path.join(root, folder, "**", f"*.{kind}"), recursive=True)
    return sorted(path for path in found if os.path.realpath(path) == os.path.abspath(path))


def untidy(root):
    """Files that .editorconfig has otherwise."""
    for folder in FOLDERS:
        for kind in ("c", "h", "cu", "hpp", "cpp", "py", "build", "js", "css"):
            for path in glob.glob(os.path.join(root, folder, "**", f"*.{kind}"), recursive=True):
                with open(path, "rb") as file:
                    text = file.read()
                if text and (re.search(rb"[ \t\r]$", text, re.M) or not text.endswith(b"\n")):
                    yield os.path.relpath(path, root)


def runs(program, options, paths):
    """The output of the program for all paths, some at once."""
    parts = [paths[i:i + AT_ONCE] for i in range(0, len(paths), AT_ONCE)]
    return list(tap.parallel(lambda part: tap.run([program, *options, *part]), parts))


def main():
    update, root = "--update" in sys.argv, os.path.abspath(sys.argv[-1])
    program = shutil.which("clang-format", path=os.path.join(sys.prefix, "bin")) or shutil.which("clang-format")
    if len(sys.argv) < 2:
        tap.die(__doc__)
    if not program or VERSION not in tap.run([program, "--version"])[1]:
        print(f"no clang-format {VERSION} found")
        return 77
    paths = sources(root)
    if update:
        runs(program, ["-i"], paths)
        return 0
    report = tap.Report()
    report.check("files are found", len(paths) > 1000, f"{len(paths)} files")
    wrong = sorted({line.split(":")[0] for _, output in runs(program, ["--dry-run"], paths)
                    for line in output.splitlines() if "[-Wclang-format-violations]" in line})
    report.check("each is formatted", not wrong,
                 "\n".join([os.path.relpath(path, root) for path in wrong] +
                           ["format them by: python3 tests/docs/format.py --update ."]))
    rest = sorted(untidy(root))
    report.check("each is as .editorconfig says", not rest, "\n".join(rest))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
