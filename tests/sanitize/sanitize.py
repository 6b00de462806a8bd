#!/usr/bin/env python3
"""Builds everything again with AddressSanitizer and UBSan, and runs the unit tests there; or, with
ThreadSanitizer, the tests of what has threads, in a build without redistribution.

    sanitize.py memory|threads MESON SOURCE BUILD OPTIONS -- NAMES

Without CUTLET_TEST_ALL the tests NAMES are left out of the first: values without pointers, and kernels,
whose accesses the CPU grid checks. BUILD is a build folder of its own; it is kept, so that a second run compiles what has changed only.
Each test of the inner build is one test here.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap


THREADED = ["plan", "plan_backends", "plan_cuda_own", "plan_cuda_shared", "pool"]
FAKES = ["fake_cuda", "fake_nvrtc"]  # that one of them opens
BUILD_SECONDS, TEST_SECONDS = 2400, 3600
SETUP = {
    "memory": ["-Db_sanitize=address,undefined",
               "-Dc_args=-fno-sanitize-recover=all -fno-omit-frame-pointer"],
    "threads": ["-Db_sanitize=thread", "-Dcuda=disabled", "-Dredistribute=disabled"],
}


def results_of(log, kind, report):
    """Each test of the inner build as one of ours."""
    with open(log) as lines:
        for line in lines:
            entry = json.loads(line)
            output = entry.get("stdout", "") + entry.get("stderr", "")
            name = entry["name"].split("/")[-1].strip() + f" sanitised ({kind})"
            if entry["result"] == "SKIP":
                report.skip(name, tap.tail(output, 1))
            else:
                wanted = [l for l in output.splitlines() if not l.startswith("ok ")]
                report.check(name, entry["result"] == "OK", "\n".join(wanted[:60]))


def names_of(meson, build, left_out):
    """The tests of a build, without some."""
    status, output = tap.run([meson, "introspect", "--tests", build])
    names = {test["name"] for test in json.loads(output)} if status == 0 else set()
    return sorted(names - set(left_out))


def main():
    if len(sys.argv) < 5 or sys.argv[1] not in SETUP:
        tap.die(__doc__)
    kind, meson, source, build, *options = sys.argv[1:]
    options, left_out = options[:options.index("--")], options[options.index("--") + 1:]
    tests = THREADED if kind == "threads" else []
    report = tap.Report()
    env = dict(os.environ, UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1",
               ASAN_OPTIONS="halt_on_error=1:detect_leaks=1:strict_string_checks=1")
    steps = []
    if not os.path.exists(os.path.join(build, "build.ninja")):
        steps.append([meson, "setup", build, source, "-Dnested=true", "-Dtests=enabled",
                      "-Db_lundef=false", "-Doptimization=1", *SETUP[kind], *options])
    some = kind == "memory" and not tap.ALL  # `meson test` builds what these need
    if not some:
        steps.append([meson, "compile", "-C", build, *[f"test_{name}" for name in tests],
                      *(FAKES if tests else [])])
    for step in steps:
        status, output = tap.run(step, timeout=BUILD_SECONDS, env=env)
        if status:
            report.check("the sanitised build", False, tap.tail(output))
            return report.finish()
    log = os.path.join(build, "meson-logs", "testlog.json")
    if os.path.exists(log):
        os.remove(log)  # of a run before
    if some:
        tests = names_of(meson, build, left_out)
    status, output = tap.run([meson, "test", "-C", build, *([] if some else ["--no-rebuild"]), "--suite", "unit",
                              "--timeout-multiplier", "10", *tests], timeout=TEST_SECONDS, env=env)
    failed = report.failed
    if os.path.exists(log):
        results_of(log, kind, report)
    if status and report.failed == failed:
        report.check("the sanitised tests come to their end", False, tap.tail(output))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
