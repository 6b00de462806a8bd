#!/usr/bin/env python3
"""Counts the individual tests of a run of `meson test`, and the seconds of its suites.

    summary.py TESTLOG.json [BUDGET LEVEL]

A program that speaks TAP counts as its lines; one whose last line is `N passed, N failed` counts as
that; any other as one. Failed tests are named, skipped ones are counted by reason.

A test's seconds are those from its start to its end. BUDGET (budget.txt) has a column for each level of
`./run test`, and a row for each suite; a suite that takes half as much again, or has no row, is named. The
sum of the level `ci` is a test of its own. Ends with `N passed, N failed`, and exits with 1 when a test
failed or when there was none.
"""

import collections
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
        self.skipped = []  # (test, reason)


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
                count.skipped.append((full.rstrip(": "), directive[4:].strip()))
            elif bad:
                count.failed.append(full)
            else:
                count.passed += 1
    return (planned or 0) - seen


def count_program(entry, count):
    """Adds the results of one program."""
    name, result = entry["name"].split(" / ")[-1].split(":")[-1].strip(), entry["result"]
    lines = [line.rstrip() for line in entry.get("stdout", "").splitlines()]
    before = len(count.failed)
    total = TOTAL.match(lines[-1]) if lines else None
    if any(PLAN.match(line) for line in lines):
        missing = count_tap(lines, name, count)
        if missing > 0:
            count.failed.append(f"{name}: ended with {missing} tests not run")
    elif result == "SKIP":
        count.skipped.append((name, lines[-1] if lines else ""))
        return
    elif total:
        count.passed += int(total.group(1))
        count.failed += [f"{name}: {n + 1}" for n in range(int(total.group(2)))]
        count.skipped += [(f"{name}: {n + 1}", "") for n in range(int(total.group(3) or 0))]
    elif result == "OK":
        count.passed += 1
        return
    if result not in ("OK", "EXPECTEDFAIL", "SKIP") and len(count.failed) == before:
        count.failed.append(f"{name} ({result.lower()})")


def suites_of(entries):
    """Suite -> its seconds and its slowest test. A test of several suites counts for the last."""
    seconds, slowest = collections.Counter(), {}
    for entry in entries:
        suite, _, name = entry["name"].partition(" / ")
        suite = suite.split(":")[-1].split("+")[-1].strip() if name else "other"
        seconds[suite] += entry["duration"]
        slowest[suite] = max(slowest.get(suite, (0, "")), (entry["duration"], name or entry["name"]))
    return seconds, slowest


def read_budget(path, level):
    """Suite -> the seconds that it has at the level."""
    with open(path) as file:
        head, *rows = [line.split() for line in file if line.strip() and line[0] != "#"]
    return {row[0]: int(row[head.index(level)]) for row in rows if row[head.index(level)] != "-"}


def print_table(seconds, slowest, budget):
    """A row for each suite, and their sum."""
    print(f"{'suite':14}{'seconds':>8}{'budget':>8}  slowest test")
    for suite, taken in seconds.most_common():
        longest, test = slowest[suite]
        print(f"{suite:14}{taken:8.0f}{budget.get(suite, '-'):>8}  {test} ({longest:.0f} s)")
    print(f"{'sum':14}{sum(seconds.values()):8.0f}{sum(budget.values()) or '-':>8}")


def check_budget(seconds, budget, level, count):
    """Names the suites that take too long; at the level `ci` the sum is a test."""
    for suite, taken in sorted(seconds.items()):
        if suite not in budget:
            print(f"warning: suite {suite} has no row in tests/support/budget.txt")
        elif taken > 1.5 * budget[suite]:
            print(f"warning: suite {suite} takes {taken:.0f} seconds, {budget[suite]} are its budget")
    taken, most = sum(seconds.values()), sum(budget.values())
    if level == "ci" and taken > most:
        count.failed.append(f"the budget: the tests take {taken:.0f} seconds, {most} at most")
    elif level == "ci":
        count.passed += 1


def print_skipped(skipped):
    """One line for each reason."""
    reasons = collections.defaultdict(list)
    for test, why in skipped:
        reasons[why or "no reason given"].append(test)
    for why, tests in reasons.items():
        print(f"skipped: {why} ({tests[0] if len(tests) == 1 else f'{len(tests)} tests'})")


def main():
    count = Count()
    with open(sys.argv[1]) as log:
        entries = [json.loads(line) for line in log]
    for entry in entries:
        count_program(entry, count)
    seconds, slowest = suites_of(entries)
    budget, level = (read_budget(*sys.argv[2:]), sys.argv[3]) if len(sys.argv) == 4 else ({}, "")
    print_table(seconds, slowest, budget)
    if level:
        check_budget(seconds, budget, level, count)
    print_skipped(count.skipped)
    for what in count.failed:
        print(f"FAILED: {what}")
    tail = f", {len(count.skipped)} skipped" if count.skipped else ""
    print(f"{count.passed} passed, {len(count.failed)} failed{tail}")
    return 1 if count.failed or count.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
