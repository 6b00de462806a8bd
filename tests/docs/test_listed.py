#!/usr/bin/env python3
"""listed.py finds a file that no meson.build names, and the meson.build that names it, at any depth.

    test_listed.py
"""

import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))
import tap

DEEP = "tests/a/b/c"


def listed(files):
    """The line of listed.py on the tests' programs, of a tree with these files."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in {"bench/gpu/kernels/meson.build": "", "bench/harness/meson.build": "",
                           "device/kernels/meson.build": "", **files}.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as out:
                out.write(text)
        status, output = tap.run([sys.executable, os.path.join(HERE, "listed.py"), root])
        line = [l for l in output.splitlines() if "tests/**/test_*.c" in l and ".cpp" not in l]
        return status, line[0].split(" ", 1)[0] if line else output


def main(report):
    test = {f"{DEEP}/test_x.c": ""}
    for name, files, wanted in (
            ("a deep file that is not listed", test, (1, "not")),
            ("one that its folder lists", {**test, f"{DEEP}/meson.build": "'test_x.c'"}, (0, "ok")),
            ("one that a folder above lists", {**test, "tests/a/meson.build": "'b/c/test_x.c'"},
             (0, "ok")),
            ("one that only a build lists",
             {**test, "tests/a/build.ninja": "", f"{DEEP}/meson.build": "'test_x.c'"}, (1, "not"))):
        found = listed(files)
        report.check(name, found == wanted, f"{found}")


tap.main(main)
