#!/usr/bin/env python3
"""Builds everything again with AddressSanitizer and UBSan, and runs the unit tests there.

    sanitize.py MESON SOURCE BUILD OPTIONS

BUILD is a build folder of its own; it is kept, so that a second run compiles what has changed only.
Each test of the inner build is one test here.
"""

import json
import os
import sys

import tap


def main():
    if len(sys.argv) < 4:
        tap.die(__doc__)
    meson, source, build, options = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    report = tap.Report()
    env = dict(os.environ, UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1",
               ASAN_OPTIONS="halt_on_error=1:detect_leaks=1:strict_string_checks=1")
    steps = []
    if not os.path.exists(os.path.join(build, "build.ninja")):
        steps.append([meson, "setup", build, source, "-Dnested=true", "-Dtests=enabled",
                      "-Db_sanitize=address,undefined", "-Db_lundef=false", "-Doptimization=1",
                      "-Dc_args=-fno-sanitize-recover=all -fno-omit-frame-pointer", *options])
    steps.append([meson, "compile", "-C", build])
    for step in steps:
        status, output = tap.run(step, timeout=2400, env=env)
        if status:
            report.check("the sanitised build", False, tap.tail(output))
            return report.finish()
    tap.run([meson, "test", "-C", build, "--no-rebuild", "--suite", "unit",
             "--timeout-multiplier", "10"], timeout=1800, env=env)
    with open(os.path.join(build, "meson-logs", "testlog.json")) as log:
        for line in log:
            entry = json.loads(line)
            output = entry.get("stdout", "") + entry.get("stderr", "")
            name = entry["name"].split("/")[-1].strip() + " sanitised"
            if entry["result"] == "SKIP":
                report.skip(name, tap.tail(output, 1))
            else:
                wanted = [l for l in output.splitlines() if not l.startswith("ok ")]
                report.check(name, entry["result"] == "OK", "\n".join(wanted[:60]))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
