#!/usr/bin/env python3
"""Looks for words in identifiers that the glossary replaces by standard ones.

    words.py SOURCE

A row of the glossary that ends with `(not: word, word)` names the words that its term replaces. No
identifier of C, CUDA C or Python has one of them as a part: `is_loose` is found, `looser` is not.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

FOLDERS = ("bench", "device", "examples", "include", "python", "src", "tests", "tools")
# Comments and literals have no identifiers.
TOKEN = {
    "c": re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|\b([A-Za-z_]\w*)", re.S),
    "py": re.compile(r"#[^\n]*|\"\"\".*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|\b([A-Za-z_]\w*)", re.S),
}
SUFFIXES = {".c": "c", ".h": "c", ".cu": "c", ".hpp": "c", ".cpp": "c", ".py": "py"}


def replaced(glossary):
    """The words that are not to be used, and the term for each."""
    found = {}
    for term, words in re.findall(r"^\| \*?\*?([^|]*?)\*?\*? \|.*\(not: ([^)]*)\)", glossary, re.M):
        found.update({word.strip(): term.strip() for word in words.split(",")})
    return found


def identifiers(text, kind):
    return {match for match in TOKEN[kind].findall(text) if match}


def wrong(names, words):
    """The names that have one of the words as a part."""
    return sorted(name for name in names if set(name.lower().strip("_").split("_")) & set(words))


def sources(root):
    for top in FOLDERS:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in files:
                kind = SUFFIXES.get(os.path.splitext(name)[1])
                if kind:
                    yield os.path.join(folder, name), kind


def main(report, source):
    planted = "int is_loose; /* loose */ int looser; const char *loose_ends = \"loose\";\n"
    report.check("a planted word is found, and not one in a comment or a string",
                 wrong(identifiers(planted, "c"), ["loose"]) == ["is_loose", "loose_ends"])
    with open(os.path.join(source, "docs/glossary.md"), encoding="utf-8") as file:
        words = replaced(file.read())
    report.check("the glossary replaces words", len(words) >= 7, str(words))
    found = []
    for path, kind in sources(source):
        if path == os.path.abspath(__file__):
            continue
        with open(path, encoding="utf-8") as file:
            found += [f"{path}: {name}" for name in wrong(identifiers(file.read(), kind), words)]
    report.check("no identifier has one", not found, "\n".join(found[:40]))


tap.main(main)
