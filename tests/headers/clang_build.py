#!/usr/bin/env python3
"""Builds libcutlet, the command and some tests by clang, without a warning, and runs them.

    clang_build.py CLANG MESON SOURCE BUILD TEST..

CLANG may be empty. BUILD is a build folder of its own; it is kept, so that a second run compiles only
what has changed. It takes minutes, and so runs under CUTLET_TEST_ALL.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

BUILD_SECONDS, TEST_SECONDS = 2400, 600
OPTIONS = ["-Dnested=true", "-Dtests=enabled", "-Dcommand=enabled", "-Dcuda=disabled", "-Dpython=disabled",
           "-Db_ndebug=false", "-Doptimization=1", "-Dwerror=true"]
CHECKED = "tests/conformance/differs.check"


def main(report, clang, meson, source, build, *tests):
    if not clang or not tap.ALL:
        report.skip("a build by clang", "no clang found" if not clang else "takes minutes; CUTLET_TEST_ALL runs it")
        return
    env = dict(os.environ, CC=clang)
    steps = []
    if not os.path.exists(os.path.join(build, "build.ninja")):
        steps.append([meson, "setup", build, source, *OPTIONS])
    steps.append([meson, "compile", "-C", build, "cutlet:shared_library", "cutlet:executable",
                  *[f"test_{name}" for name in tests]])
    for step in steps:
        status, output = tap.run(step, timeout=BUILD_SECONDS, env=env)
        if status:
            report.check("a build by clang", False, tap.tail(output))
            return
    with open(os.path.join(build, "compile_commands.json")) as file:
        report.check("a build by clang", f'"command": "{clang} ' in file.read(), "another compiler was taken")
    for name in tests:
        status, output = tap.run([meson, "test", "-C", build, "--no-rebuild", name], timeout=TEST_SECONDS)
        report.check(f"{name} by clang", status == 0 and "OK" in output, tap.tail(output))
    status, output = tap.run([os.path.join(build, "cutlet"), "check", CHECKED], cwd=source)
    report.check(f"the command by clang checks {CHECKED}", status == 0, tap.tail(output))


tap.main(main)
