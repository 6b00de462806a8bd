#!/usr/bin/env python3
"""`cutlet check`: bounds, costs and what CI reads; colours on a terminal; lines of standard input for `eval`.

    test_check.py CUTLET
"""

import json
import os
import pty
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

PASS = ["size((4,8):(8,1)) == 32", "cosize((4,8):(16,1)) <= 56", "cosize((4,8):(16,1)) >= 56", "size(4) >= -1",
        "conflicts(Sw<3,3,3> o 0 o (64,64):(64,1), 16, ldmatrix) == 0",
        "conflicts((64,64):(64,1), 16, ldmatrix) >= 1", "conflicts((32,32):(33,1), 32, columns) == 0",
        "conflicts((64,64):(1,64), 16, ldmatrix_trans) <= 448",
        "copy_width((16,8):(1,16), (16,8):(1,16), 2, 16, 0, 0) >= 16", "Sw<1,1,1>== Sw<1,1,1>",
        "copy_atom(rows, 16) == error", "conflicts((64,64):(1,64), 16, ldmatrix) == error",
        "conflicts((64,64):(64,1), 16, universal64) == error", "conflicts(64:1, 16, rows) == error",
        "conflicts((64,64):(64,1), 4, rows) == error"]
# line, what the report says
FAIL = [("cosize((4,8):(8,1)) <= 31", "  got       32\n  expected  at most 31\n"),
        ("conflicts((64,64):(64,1), 16, ldmatrix) <= 0", "  got       448\n  expected  at most 0\n"),
        ("size(4) >= 5", "  got       4\n  expected  at least 5\n")]
BAD = [("(4,8):(8,1) <= 4", "`<=` compares integers, and not a layout"),
       ("4 >= (4,8)", "`>=` compares integers, and not a tuple"), ("4 <= 5 <= 6", "a second comparison in one line"),
       ("size(4) = 4", "a comparison is written `==`"),
       ("size(4)", "not an assertion: `== VALUE`, `~ VALUE`, `<= N`, `>= N` or `== error` is missing")]


def run(cutlet, text, *args, command="check"):
    done = subprocess.run([cutlet, command, *args, "-"], input=text, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def on_terminal(*command, **more):
    """The output of a command on a terminal."""
    parent, child = pty.openpty()
    env = {**os.environ, "TERM": "xterm", **more}
    env.pop("NO_COLOR", None) if "NO_COLOR" not in more else None
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=child, stderr=child, env=env, timeout=60)
    os.close(child)
    text = b""
    try:
        while more := os.read(parent, 65536):
            text += more
    except OSError:
        pass
    os.close(parent)
    return text.decode()


def main(report, cutlet):
    for line in PASS:
        report.check(line, run(cutlet, line) == (0, "1 passed, 0 failed\n", ""), run(cutlet, line))
    for line, said in FAIL:
        status, out, _ = run(cutlet, line)
        report.check(line, status == 1 and said in out, out)
    for line, said in BAD:
        status, out, _ = run(cutlet, line)
        report.check(line, status == 2 and said in out, out)
    report.check("a byte-order mark", run(cutlet, "\ufeff# gate\nsize(4) == 4\n")[0] == 0)

    text = "\n".join([PASS[0], "# a comment <&>", FAIL[0][0] + " # why", BAD[0][0]]) + "\n"
    status, out, _ = run(cutlet, text, "--tap")
    lines = out.splitlines()
    report.check("--tap", status == 2 and lines[0] == "TAP version 13" and lines[-1] == "1..3" and
                 lines[1] == "ok 1 - <stdin>:1: " + PASS[0] and lines[2] == "not ok 2 - <stdin>:3: " + FAIL[0][0] and
                 lines[3] == "# got 32, expected at most 31" and lines[4].startswith("not ok 3 - <stdin>:4:"), out)
    status, out, _ = run(cutlet, text, "--json")
    found = json.loads(out)
    report.check("--json", status == 2 and (found["passed"], found["failed"]) == (1, 2) and
                 found["failures"][0]["expected"] == "at most 31" and "compares integers" in found["failures"][1]["error"],
                 found)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "results.xml")
        status, out, _ = run(cutlet, text, "--junit", path)
        cases = xml.etree.ElementTree.parse(path).getroot().findall("testcase")
        report.check("--junit", status == 2 and out.endswith("1 passed, 2 failed\n") and
                     [c.get("name").split(": ")[0] for c in cases] == ["1", "3", "4"] and
                     [c.find("failure") is not None for c in cases] == [False, True, True] and
                     cases[1].get("name") == "3: " + FAIL[0][0], [c.attrib for c in cases])
        report.check("--junit where no file can be", run(cutlet, text, "--junit", folder + "/no/x.xml")[0] == 2)
        bad = os.path.join(folder, "bad.check")
        with open(bad, "w") as file:
            file.write("frob(1) == 2\nsize(4) == 5\n")
        colored = on_terminal(cutlet, "check", bad)
        report.check("colours on a terminal", "\x1b[1;31m" in colored and "\x1b[1;33m^" in colored, repr(colored))
        report.check("NO_COLOR", "\x1b[" not in on_terminal(cutlet, "check", bad, NO_COLOR="1"))
        report.check("errors have colours too", "\x1b[1;31mcutlet eval:" in on_terminal(cutlet, "eval", "frob"))
    report.check("--tap and --json", run(cutlet, "", "--tap", "--json")[0] == 2)

    status, out, err = run(cutlet, "\ufeff# c\n\nsize(4:1)\n  coalesce((2,4):(1,2)) # x\n5 5\n", command="eval")
    report.check("eval reads lines", status == 2 and out == "4\n8:1\n" and "expected the end" in err, (out, err))
    status, out, _ = run(cutlet, "size(4:1)\n", "--json", command="eval")
    report.check("eval reads lines for JSON", json.loads(out)["expression"] == "size(4:1)", out)


tap.main(main)
