#!/usr/bin/env python3
"""The library and the command compile with clang, whatever compiler made the build.

    clang_builds.py BUILD CLANG

Takes the compile commands of BUILD for the sources of libcutlet and of the command, and lets CLANG, which
may be empty, check each.
"""

import json
import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

# Options that save gcc time, and that clang does not know.
OF_GCC = ("-fno-var-tracking-assignments", "--param=inline-unit-growth=10")


def commands(build):
    """One (source, arguments) for each source file, without the compiler, its output and dependencies."""
    seen = {}
    with open(os.path.join(build, "compile_commands.json")) as file:
        for entry in json.load(file):
            target = entry.get("output", "").split("/")[0:2]
            if entry["file"] in seen or not entry["file"].endswith(".c"):
                continue
            if target[0] != "cutlet.p" and "libcutlet_internal" not in "/".join(target):
                continue
            words = shlex.split(entry["command"])
            words = words[2:] if os.path.basename(words[0]) == "ccache" else words[1:]
            kept, skip = [], False
            for word in words:
                if skip or word in ("-MD", "-c", *OF_GCC):
                    skip = False
                elif word in ("-MQ", "-MF", "-o"):
                    skip = True
                else:
                    kept.append(word)
            seen[entry["file"]] = (entry["directory"], kept)
    return seen


def main(report, build, clang):
    if not clang:
        report.skip("the sources by clang", "no clang found")
        return
    found = commands(build)
    report.check("the build names its sources", len(found) > 100, f"{len(found)} sources")

    def check(item):
        source, (directory, arguments) = item
        command = [clang, "-fsyntax-only", "-Wno-unknown-warning-option", *arguments]
        status, output = tap.run(command, cwd=directory)
        return os.path.basename(source), status == 0, tap.tail(output)

    failed = [result for result in tap.parallel(check, sorted(found.items())) if not result[1]]
    details = "\n".join(f"{name}:\n{output}" for name, _, output in failed)
    report.check(f"{len(found)} sources by clang", not failed, details)


tap.main(main)
