#!/usr/bin/env python3
"""What sanitize.py makes of an inner run: one that ends, that fails, that outruns its time.

    test_sanitize.py
"""

import contextlib
import io
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import sanitize
import tap

# `meson test` leaves the log that is wanted, and goes on as given; `meson compile` ends. There are no names of tests.
MESON = """#!/bin/sh
cd {build}
[ "$1" != introspect ] || echo '[]'
[ "$1" = test ] || exit 0
[ ! -f wanted ] || cp wanted meson-logs/testlog.json
{then}
"""
PASSED = json.dumps({"name": "unit / tuple", "result": "OK", "stdout": "ok 1 - a"})
FAILED = json.dumps({"name": "unit / tuple", "result": "FAIL", "stdout": "not ok 1 - a"})


def status_of(log, then):
    """The exit status of sanitize.py, and what it printed."""
    with tempfile.TemporaryDirectory() as build:
        os.mkdir(os.path.join(build, "meson-logs"))
        meson = os.path.join(build, "meson")
        files = {"build.ninja": "", "meson-logs/testlog.json": PASSED,  # of a run before
                 "meson": MESON.format(build=build, then=then)}
        if log is not None:
            files["wanted"] = log
        for name, text in files.items():
            with open(os.path.join(build, name), "w") as out:
                out.write(text)
        os.chmod(meson, 0o755)
        sys.argv = ["sanitize.py", "memory", meson, ".", build, "--"]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = sanitize.main()
        return status, said.getvalue()


def main(report):
    sanitize.TEST_SECONDS = 2
    for name, log, then, wanted, line in (
            ("tests that pass", PASSED, "exit 0", 0, "ok 1 - tuple sanitised (memory)"),
            ("a test that fails", FAILED, "exit 1", 1, "not ok 1 - tuple sanitised (memory)"),
            ("a run that outruns its time", PASSED, "exec sleep 60", 1,
             "not ok 2 - the sanitised tests come to their end"),
            ("a run that ends early", "", "exit 2", 1,
             "not ok 1 - the sanitised tests come to their end"),
            ("a run that leaves no log", None, "exit 1", 1,
             "not ok 1 - the sanitised tests come to their end")):
        status, said = status_of(log, then)
        report.check(name, status == wanted and line in said.splitlines(), f"{status}\n{said}")


tap.main(main)
