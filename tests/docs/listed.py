#!/usr/bin/env python3
"""Checks that the lists in the meson.build files name every file of their folders, or that another
folder's meson.build does, with its path.

    listed.py SOURCE
"""

import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

# (the folder of the meson.build, the files that it must name, whose folder follows where it is another)
LISTS = [("include/cutlet", "**/*.h"), ("device", "*.h"), ("src", "**/*.c"),
         ("tools/cutlet", "**/*.c"), ("tests", "**/test_*.c"), ("tests", "**/test_*.cpp"),
         ("tests", "**/test_*.py"), ("tests", "**/*.cu"), ("tests", "**/*.check"),
         ("tests", "**/laws*.h"), ("tests", "**/fake_*.c"), ("tests/fuzz", "**/*.c"),
         ("tools/playground", "*.c"), ("tools/playground", "page/*"), ("tools/bench", "**/*.c"), ("bench/plan", "*.c"), ("examples", "**/*.c"), ("examples/tutorial", "*.cu"),
         ("device/kernels", "*.cu"), ("device/kernels", "*.cu", "examples/vector"),
         ("device/kernels", "*.cu", "device/gemm"), ("device/kernels", "*.cu", "tools/bench/harness"),
         ("device/kernels", "*.cu", "tools/bench/matrix")]


def meson_builds(root):
    """Every meson.build of the sources, however deep."""
    for folder, below, names in os.walk(root):
        if "build.ninja" in names:
            below.clear()  # what was built, perhaps from copies
        below[:] = [name for name in below if not name.startswith(".")]
        if folder != root and "meson.build" in names:
            yield os.path.join(folder, "meson.build")


def names_in(build, folder):
    """The paths that the names in a meson.build are, where they are those of files of a folder."""
    with open(build) as source:
        return {os.path.normpath(os.path.join(folder, name))
                for name in re.findall(r"'([^'\n]*)'", source.read())}


def main(report, source):
    root = os.path.realpath(source)
    everywhere = set()
    for path in meson_builds(root):
        everywhere |= names_in(path, os.path.dirname(path))
    for build, pattern, *of in LISTS:
        folder = of[0] if of else build
        base = os.path.join(root, folder)
        names = everywhere
        if of:
            names = names | names_in(os.path.join(root, build, "meson.build"), base)
        missing = []
        for path in sorted(glob.glob(os.path.join(base, pattern), recursive=True)):
            if os.path.realpath(path) != path:
                continue  # by a link to a folder that is listed itself
            stem = os.path.splitext(path)[0]
            program = re.sub(r"/test_([^/]*)$", r"/\1", stem)  # as test programs are listed
            if names.isdisjoint((path, stem, program)):
                missing.append(os.path.relpath(path, root))
        report.check(f"{folder}/{pattern}", not missing, f"in no meson.build: {missing}")


tap.main(main)
