#!/usr/bin/env python3
"""The commands of README.md, docs/tour.md and docs/howto/relayout.md work after the demo as they stand there. doc_listings.py compares the outputs
of those that are shown with theirs; here are the others, and whether the demo leaves what all of them need.

    test_readme.py CUTLET SOURCE
"""

import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap


def blocks(text, kind):
    return [block.splitlines() for block in re.findall(rf"^```{kind}\n(.*?)^```", text, re.M | re.S)]


def main(report, cutlet, source):
    cutlet, source = map(os.path.abspath, (cutlet, source))
    texts = []
    for name in "README.md", "docs/tour.md", "docs/howto/relayout.md":
        with open(os.path.join(source, name), encoding="utf-8") as file:
            texts.append(file.read())
    readme = texts[0]
    report.check("the README is a page or two", readme.count("\n") < 150, readme.count("\n"))
    with open(os.path.join(source, "run"), encoding="utf-8") as file:
        script = file.read()
    shown = [line[2:] for text in texts for block in blocks(text, "console") for line in block
             if line.startswith("$ ")]
    programs = sorted({line.split()[0][len("build/"):] for line in shown if line.startswith("build/")})
    others = [line for line in shown if not line.startswith(("cutlet ", "build/"))]
    report.check("shown commands are cutlet's or programs'", len(shown) > 10 and not others, others)
    built = re.search(r'^shown="(.*)"$', script, re.M)
    report.check("the demo builds the programs that are shown", built and sorted(built.group(1).split()) == programs,
                 (built and built.group(1), programs))
    todo = [line for text in texts for block in blocks(text, "sh") for line in block]
    steps = [line.split()[1] for line in todo if line.startswith("./run ")]
    known = re.findall(r"^    ([a-z]+)\) ?[a-z]*", script, re.M)
    report.check("./run has the steps that are named", steps[:2] == ["demo", "test"] and set(steps) <= set(known), known)
    report.check("the command is put into PATH before it is used", "PATH=$PWD/build:$PATH" in readme.split("$ cutlet")[0])
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "build"))
        shutil.copy(cutlet, os.path.join(folder, "build", "cutlet"))
        env = {**os.environ, "CUTLET_NO_GPU": "1"}
        path = [line for line in todo if line.startswith("PATH=")][:1]
        for line in todo:
            if line.startswith(("./run ", "PATH=", "meson ")): # the suite `install` has Meson's
                continue
            status, output = tap.run(["bash", "-c", "\n".join(path + [line])], cwd=folder, env=env)
            report.check(line, status == 0, f"{status}\n{output}")


tap.main(main)
