"""Runs cutlet-bench, and checks what it says."""

import os
import re
import subprocess

import tap

WIDTHS = (1, 2, 4, 8, 16)
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


def value_of(cell):
    """A cell as what it is: nothing, yes or no, a number, words."""
    if cell in ("", "yes", "no"):
        return {"": None, "yes": True, "no": False}[cell]
    try:
        return int(cell) if re.fullmatch(r"-?\d+", cell) else float(cell)
    except ValueError:
        return cell


def is_close(a, b):
    """Whether two numbers are the same but for their last digits."""
    return abs(a - b) <= 1e-6 * abs(b)


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

    def tsv(self, *arguments, **environment):
        """A run that is printed as tab-separated values: a dictionary, its rows under `results`."""
        got = self.run(*arguments, "--tsv", **environment)
        run, lines = {"results": []}, got[1].splitlines()
        while lines and lines[0].startswith("# "):
            name, _, value = lines.pop(0)[2:].partition(": ")
            run[name] = value_of(value)
        names = lines[0].split("\t") if lines else []
        cells = [line.split("\t") for line in lines[1:]]
        self.check(f"columns of {arguments}", names and all(len(row) == len(names) for row in cells), got)
        run["results"] = [dict(zip(names, map(value_of, row))) for row in cells]
        return run
