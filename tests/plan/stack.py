#!/usr/bin/env python3
"""No function of a copy plan that runs on its caller's thread takes more of the stack than MOST bytes: threads
of other programs have stacks as small as 64 KiB.

    stack.py BUILD SCRATCH

BUILD has compile_commands.json. Each file of the folders FOLDERS of src/plan is compiled as it is in the build, with
-fstack-usage. The kernels of the grid are left out: they run on stacks that the grid makes.
"""

import json
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

MOST = 16384
FOLDERS = re.compile(r"/src/plan/(?:copy|front|cpu|grid)/(?!(?:kernels|transposes)\.c)[^/]*\.c$")


def main(report, build, scratch):
    build, scratch = (os.path.realpath(path) for path in (build, scratch))
    os.makedirs(scratch, exist_ok=True)
    with open(os.path.join(build, "compile_commands.json")) as listing:
        units = [unit for unit in json.load(listing) if
                 FOLDERS.search(os.path.realpath(os.path.join(build, unit["file"])))]

    def measure(unit):
        words = shlex.split(unit["command"])
        folder = os.path.join(scratch, unit["output"].replace("/", "_"))  # two units may have one base name
        os.makedirs(folder, exist_ok=True)
        to = os.path.join(folder, os.path.basename(unit["output"]))
        words[words.index("-o") + 1] = to
        words = [word for word in words if word not in ("-MD", "-MQ", "-MF") and not word.endswith(".o.d")
                 and word != unit["output"]]
        status, output = tap.run([*words, "-fstack-usage"], cwd=build)
        usage = os.path.splitext(to)[0] + ".su"
        if status or not os.path.exists(usage):
            return None, tap.tail(output)
        with open(usage) as text:
            rows = [line.rstrip("\n").split("\t") for line in text]
        wrong = [f"not understood: {row}" for row in rows if len(row) != 3 or not row[1].isdigit()]
        return wrong or [f"{name}: {size} bytes" for name, size, _ in rows if int(size) > MOST], ""

    report.check("there are files", units, "none")
    for unit, (large, output) in zip(units, tap.parallel(measure, units)):
        name = os.path.relpath(os.path.join(build, unit["file"]), os.path.join(build, ".."))
        if large is None:
            report.skip(name, "this compiler has no -fstack-usage: " + output[:60].replace("\n", " "))
        else:
            report.check(name, not large, "\n".join(large))


tap.main(main)
