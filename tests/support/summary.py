#!/usr/bin/env python3
"""Counts the individual tests of a run of `meson test`.

    summary.py TESTLOG.json

A program that speaks TAP counts as its lines; one whose last line is `N passed, N failed` counts as
that; any other as one. Failed and skipped tests are named. Ends with `N passed, N failed`, and exits
with 1 when a test failed or when there was none.
"""

import json
import re
import sys

RESULT = re.compile(r"^(not )?ok\b[ \t]*(\d*)[ \t]*-?[ \t]*([^#]*?)[ \t]*(?:#[ \t]*(.*))?$")
PLAN = re.compile(r"^1\.\.(\d+)")
TOTAL = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")


class Count:
    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []


def count_tap(lines, name, count):
    """Adds the TAP results among the lines; returns how many the program left out."""
    planned, seen = None, 0
    for line in lines:
        plan, result = PLAN.match(line), RESULT.match(line)
        if plan:
            planned = int(plan.group(1))
        elif result:
            seen += 1
            bad, _, title, directive = result.groups()
            full = f"{name}: {title}"
            if directive and directive.upper().startswith("SKIP"):
                count.skipped.append(f"{full.rstrip(': ')} ({directive[4:].strip()})")
            elif bad:
                count.failed.append(full)
            else:
                count.passed += 1
    return (planned or 0) - seen


def count_program(entry, count):
    """Adds the results of one program."""
    name, result = entry["name"].split(":")[-1].strip(), entry["result"]
    lines = [line.rstrip() for line in entry.get("stdout", "").splitlines()]
    before = len(count.failed)
    total = TOTAL.match(lines[-1]) if lines else None
    if any(PLAN.match(line) for line in lines):
        missing = count_tap(lines, name, count)
        if missing > 0:
            count.failed.append(f"{name}: ended with {missing} tests not run")
    elif result == "SKIP":
        count.skipped.append(f"{name} ({lines[-1] if lines else 'no reason given'})")
        return
    elif total:
        count.passed += int(total.group(1))
        count.failed += [f"{name}: {n + 1}" for n in range(int(total.group(2)))]
        count.skipped += [f"{name}: {n + 1}" for n in range(int(total.group(3) or 0))]
    elif result == "OK":
        count.passed += 1
        return
    if result not in ("OK", "EXPECTEDFAIL", "SKIP") and len(count.failed) == before:
        count.failed.append(f"{name} ({result.lower()})")


def main():
    count = Count()
    with open(sys.argv[1]) as log:
        for line in log:
            count_program(json.loads(line), count)
    for what in count.skipped:
        print(f"skipped: {what}")
    for what in count.failed:
        print(f"FAILED: {what}")
    tail = f", {len(count.skipped)} skipped" if count.skipped else ""
    print(f"{count.passed} passed, {len(count.failed)} failed{tail}")
    return 1 if count.failed or count.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
