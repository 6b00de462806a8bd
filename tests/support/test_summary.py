#!/usr/bin/env python3
"""What summary.py makes of a log: the count, the seconds of suites and their budget, one line for each reason.

    test_summary.py
"""

import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import tap

BUDGET = """# words
suite  test  ci
unit     10  20
fuzz      -  30
"""


def summary(entries, *level):
    """The exit status and the lines."""
    with tempfile.TemporaryDirectory() as folder:
        log, budget = os.path.join(folder, "log"), os.path.join(folder, "budget")
        with open(log, "w") as out:
            out.writelines(json.dumps(entry) + "\n" for entry in entries)
        with open(budget, "w") as out:
            out.write(BUDGET)
        status, output = tap.run([sys.executable, os.path.join(HERE, "summary.py"), log, *([budget, *level] if level else [])])
    return status, output.splitlines()


def test(name, seconds, result="OK", stdout="1..1\nok 1 - a"):
    return {"name": f"cutlet:{name}", "duration": seconds, "result": result, "stdout": stdout}


def main(report):
    skips = "1..3\nok 1 - a # SKIP no GPU\nok 2 - b # SKIP no GPU\nok 3 - c # SKIP no clang"
    for name, status, entries, level, wanted in (
            ("passes", 0, [test("unit / a", 1)], "test", ["1 passed, 0 failed"]),
            ("one line for each reason", 0, [test("unit / a", 1), test("unit / b", 1, stdout=skips)], "test",
             ["skipped: no GPU (2 tests)", "skipped: no clang (b: c)", "1 passed, 0 failed, 3 skipped"]),
            ("a failure", 1, [test("unit / a", 1, "FAIL", "1..1\nnot ok 1 - a")], "test",
             ["FAILED: a: a", "0 passed, 1 failed"]),
            ("a suite over its budget", 0, [test("unit+gpu / a", 1), test("unit / b", 16)], "test",
             ["warning: suite gpu has no row in tests/support/budget.txt",
              "warning: suite unit takes 16 seconds, 10 are its budget", "2 passed, 0 failed"]),
            ("the sum over the budget", 1, [test("unit / a", 21), test("fuzz / b", 30)], "ci",
             ["FAILED: the budget: the tests take 51 seconds, 50 at most", "2 passed, 1 failed"]),
            ("the sum in the budget", 0, [test("unit / a", 20), test("fuzz / b", 30)], "ci", ["3 passed, 0 failed"]),
            ("the slowest test", 0, [test("unit / a", 3), test("unit / b", 4)], "test",
             ["unit                 7      10  b (4 s)", "2 passed, 0 failed"]),
            ("without a budget", 0, [test("unit / a", 1)], "", ["1 passed, 0 failed"])):
        got, lines = summary(entries, *([level] if level else []))
        report.check(name, got == status and all(line in lines for line in wanted) and lines[-1] == wanted[-1],
                     f"{got}\n" + "\n".join(lines))


tap.main(main)
