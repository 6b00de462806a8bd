#!/usr/bin/env python3
"""The comparison with other tools: what is recorded is what stands to be compared.

    test_rivals.py CUTLET [LIBCUTLET.so]

The layouts of bench/rivals/layouts.tsv have the offsets that the command gives them; the patterns
for a GPU are theirs; the recorded counts of cutlet are those of the library; the table joins
counters by pattern, and marks one that differs. The other tools are not asked.
"""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

HERE = os.path.dirname(os.path.abspath(__file__))
RIVALS = os.path.join(HERE, "../../bench/rivals")
PATTERNS = os.path.join(HERE, "../data/rivals_patterns.tsv")
COUNTERS = os.path.join(HERE, "../data/h200_rivals.tsv")  # the patterns, run
sys.path.insert(0, RIVALS)
sys.dont_write_bytecode = True
import cutlet
import pattern
import rivals


def run_rivals(*args):
    return subprocess.run([sys.executable, "-B", os.path.join(RIVALS, "rivals.py"), *args],
                          capture_output=True, text=True, check=False)


def offsets_by(command, p):
    """The offsets of all (lane, value), lanes first, as the command evaluates the two layouts."""
    asked = f"offsets(composition({p.memory}, {p.tv}))"
    run = subprocess.run([command, "eval", asked], capture_output=True, text=True, check=False)
    return run.stdout.strip() or run.stderr


def check_offsets(report, command, asked):
    for p in asked:
        own = [p.offsets[lane][value] for value in range(p.values) for lane in range(32)]
        told = offsets_by(command, p)
        report.check("offsets: " + p.name, told == "(" + ",".join(map(str, own)) + ")", told)


def check_counts(report, library, rows, asked):
    model = cutlet.Model(library)
    for row, p in zip(rows, asked):
        now = model.count(p)
        names = ("sectors", "lines") if p.is_global else ("wavefronts", "conflicts")
        told = {name: str(getattr(now, name)) for name in (*names, "bytes_used")}
        same = all(row[name] == value for name, value in told.items())
        report.check("count: " + p.name, same, f"recorded {row}, now {told}")


def check_table(report, asked):
    """The counters as they are, and with one of them wrong."""
    as_read = run_rivals("--table", "--hardware", COUNTERS)
    report.check("cutlet is as the counters", as_read.returncode == 0, as_read.stdout)
    report.check("each has a counter", f"| {len(asked)} measured |" in as_read.stdout, as_read.stdout)
    with open(os.path.join(HERE, "../../docs/model.md"), encoding="utf-8") as file:
        report.check("docs/model.md has the table", as_read.stdout in file.read(), as_read.stdout)
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as wrong:
        with open(PATTERNS) as file:
            for line in file:
                forged = line.startswith("ldg\t32\t0,4,8")
                wrong.write(line.rstrip("\n")[:-4] + "\t1\t3\t\t\n" if forged else line)
        wrong.flush()
        forged = run_rivals("--table", "--hardware", wrong.name)
    report.check("a wrong counter is seen", forged.returncode == 1, forged.stderr)
    report.check("and marked", "| **4 sectors** | 3 sectors, " in forged.stdout, forged.stdout)


def main(report, command, library=""):
    rows, asked, _ = rivals.read_record()
    check_offsets(report, command, asked)
    with open(PATTERNS) as file:
        report.check("patterns for a GPU", file.read() == run_rivals("--patterns").stdout)
    if library:
        check_counts(report, library, rows, asked)
    else:
        report.skip("counts", "a sanitised library cannot be loaded here")
    check_table(report, asked)


tap.main(main)
