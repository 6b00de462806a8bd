"""Runs cutlet-bench, and checks what it says."""

import json
import os
import re
import subprocess

import tap

WIDTHS = (1, 2, 4, 8, 16)
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


def is_close(a, b):
    """Whether two values of JSON are the same but for the last digits of numbers."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_close(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_close, a, b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-6 * abs(b)
    return a == b


class Bench:
    """Runs the program, and checks what it says."""

    def __init__(self, program, fake):
        self.program, self.fake = program, fake
        self.report = tap.Report()

    def run(self, *arguments, **environment):
        env = {**os.environ, "CUTLET_CUDA_DRIVER": self.fake, **environment}
        if "CUTLET_NO_GPU" not in environment:
            env.pop("CUTLET_NO_GPU", None)
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True,
                              errors="replace", env=env, timeout=100)
        # The address sanitiser has a line of its own about threads of the grid.
        errors = [line for line in done.stderr.splitlines(True) if not line.startswith("==")]
        return done.returncode, done.stdout, "".join(errors)

    def check(self, name, passed, details=""):
        self.report.check(name, passed, str(details))

    def expect(self, name, got, status, *parts):
        """Output with these parts, in this order, however its words are broken into lines;
        something on stderr where the status is not 0."""
        text = got[1] + " ".join(got[1].split())
        at, ok = 0, got[0] == status and bool(got[2]) == (status != 0)
        for part in parts:
            at = text.find(part, at)
            ok = ok and at >= 0
        self.check(name, ok, f"status {got[0]}\n{got[1]}{got[2]}\nexpected {status}, {parts}")

    def refuse(self, name, got, *parts):
        """One line on stderr that has these parts; nothing else; status 2."""
        lines = got[2].splitlines()
        self.check(name, got[0] == 2 and got[1] == "" and len(lines) == 1 and
                   re.match("cutlet-bench( [a-z]+)?: ", lines[0]) and all(part in got[2] for part in parts),
                   got)

    def json(self, *arguments, **environment):
        got = self.run(*arguments, "--json", **environment)
        try:
            return json.loads(got[1])
        except ValueError:
            self.check(f"JSON of {arguments}", False, got)
            return {"results": [], "device": None, "reason": None, "regions": None}
