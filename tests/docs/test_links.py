#!/usr/bin/env python3
"""What README.md and docs/ name exists: links and their headings, files, options of commands, steps of ./run.

    test_links.py SOURCE [CUTLET CUTLET-BENCH]
"""

import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

# Names of folders that a path in the text begins with, so that it is one of the project.
FOLDERS = ("bench", "device", "docs", "examples", "include", "packaging", "src", "tests", "tools", "cutlet")
# Where a path that is written short may begin.
ROOTS = ("", "include", "include/cutlet", "include/cutlet/algebra", "include/cutlet/copy", "include/cutlet/mma",
         "device", "docs", "bench/data", "examples", "device/gemm")


def anchors(text):
    """The names of a document's headings, as links have them."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def broken_links(source, name, text):
    """Links of a document whose file, or whose heading, is not there."""
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        at = os.path.normpath(os.path.join(source, os.path.dirname(name), path)) if path else os.path.join(source, name)
        if not os.path.exists(at):
            yield f"{target}: no such file"
        elif anchor and anchor not in anchors(read(at)):
            yield f"{target}: no such heading"


def lost_paths(source, text):
    """Paths in code that are not a file of the project."""
    for code in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text):
        for path in re.findall(r"(?<![\w./<$-])((?:%s)/[\w./*-]*\w\*?)" % "|".join(FOLDERS), code):
            found = [glob.glob(os.path.join(source, root, path + end)) for root in ROOTS for end in ("", ".h", ".c", ".md")]
            if not any(found):
                yield path


def lost_pictures(text):
    """Captions of pictures that no command of the document draws; the site has a picture in the place of each."""
    drawn = set(re.findall(r"^\$ cutlet draw .* -o (\w+\.svg)$", text, re.M))
    for name, words in re.findall(r"^\*(\w+\.svg): (.*)\*$", text, re.M):
        if name not in drawn and "`bench/plot.py " not in words:
            yield f"{name}: no command draws it"


def commands(text):
    """The commands of code and of listings, as (program, name, options)."""
    for found in re.findall(r"^\$ (?:build/)?(cutlet(?:-bench)?) (.*)$|`(?:build/)?(cutlet(?:-bench)?) ([^`]*)`", text, re.M):
        program, words = found[0] or found[2], (found[1] or found[3]).split()
        if words and re.match(r"[a-z]", words[0]):
            name = words[0] + (" " + words[1] if words[0] in ("draw", "explain") and len(words) > 1 and
                               words[1] in ("access", "copy", "descriptor", "redistribute") else "")
            yield program, name, [w for w in words if re.match(r"--[a-z]", w)]


def wrong_commands(programs, text):
    """Commands and options that the help of a program does not name; programs: the path of each."""
    known = {}
    for program, name, options in commands(text):
        key = f"{program} {name}"
        if key not in known:
            status, said = tap.run([programs[program], *name.split(), "--help"])
            known[key] = said if status == 0 else ""
        if not known[key]:
            yield key
        for option in set(options) - {"--help"}:
            if not re.search(re.escape(option.split("=")[0]) + r"(?![\w-])", known[key]):
                yield f"{key} {option}"


def check_self(report):
    """That the checks would fail."""
    here = os.path.dirname(os.path.abspath(__file__))
    report.check("a link to no file fails", list(broken_links(here, "x.md", "[a](none.md)")) != [])
    report.check("a link to a file passes", not list(broken_links(here, "x.md", "[a](test_links.py)")))
    report.check("a path of no file fails", list(lost_paths(os.path.join(here, "../.."), "`tests/none.c`")) != [])
    report.check("a picture that nothing draws fails", list(lost_pictures("*a.svg: A.*\n")) != [])
    report.check("a heading has its name", anchors("# A b, c\n") == {"a-b-c"})


def main(report, source, *commands):
    source = os.path.abspath(source)
    check_self(report)
    steps = re.findall(r"^    ([a-z]+)\)", read(os.path.join(source, "run")), re.M)
    names = ["README.md", "CONTRIBUTING.md", "examples/README.md"]
    for name in names + sorted(glob.glob("docs/**/*.md", root_dir=source, recursive=True)):
        text = read(os.path.join(source, name))
        wrong = [*broken_links(source, name, text), *lost_paths(source, text), *lost_pictures(text)]
        wrong += [f"./run {step}" for step in re.findall(r"\./run ([a-z]+)", text) if step not in steps]
        if commands:
            programs = dict(zip(("cutlet", "cutlet-bench"), map(os.path.abspath, commands)))
            wrong += wrong_commands(programs, text)
        report.check(f"{name}: what it names exists", not wrong, "\n".join(wrong))


tap.main(main)
