#!/usr/bin/env python3
"""Writes the man page of the command from its help: cutlet.1.in with the help of every command.

    man1.py CUTLET PAGE.in PAGE VERSION
"""

import re
import subprocess
import sys

from man import roff

OPTION = re.compile(r" {2,6}(?:-\w, )?--")


def options(lines):
    """Lines of options: a paragraph with a hanging tag for each."""
    out = []
    for line in lines:
        if OPTION.match(line):
            tag, _, text = line.strip().partition("  ")
            out += [".TP", ".B " + roff(tag), roff(text.strip())]
        else:
            out.append(roff(line.strip()))
    return [line for line in out if line]


def section(text):
    """The help of a command: paragraphs, options, and other indented lines as they are."""
    out = []
    for block in re.split(r"\n\n+", text.strip()):
        lines = block.split("\n")
        if lines[0].startswith("Usage: "):
            out += [".B " + roff(lines[0][len("Usage: "):])]
            lines = [".PP", *map(roff, lines[1:])]
            out += lines
        elif OPTION.match(lines[0]):
            out += options(lines)
        elif all(not line.startswith(" ") for line in lines):
            out += [".PP", *map(roff, lines)]
        else:
            out += [".PP", ".nf", *map(roff, lines), ".fi"]
    return "\n".join(out) + "\n"


def main():
    command, template, page, version = sys.argv[1:]

    def help_of(*words):
        return subprocess.run([command, *words, "--help"], check=True, capture_output=True, text=True).stdout

    names = re.findall(r"^  ([a-z]+) .*  ", help_of(), re.M)
    at = names.index("explain") + 1
    names[at:at] = ["explain copy", "explain descriptor", "explain tma"]
    commands = "".join(f".SS cutlet {name}\n{section(help_of(*name.split()))}" for name in names)
    with open(template, encoding="utf-8") as source:
        text = source.read().replace("@VERSION@", version).replace("@COMMANDS@", commands)
    with open(page, "w", encoding="utf-8") as out:
        out.write(text)


if __name__ == "__main__":
    main()
