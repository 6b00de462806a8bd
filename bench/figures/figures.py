#!/usr/bin/env python3
"""The tables of README.md and docs/ that are made from bench/data and from files that are counted.

    figures.py SOURCE            prints the names of the tables
    figures.py --check SOURCE    fails where a document has another table, or a measurement outside of one
    figures.py --update SOURCE   writes the tables anew

SOURCE is the folder of the project. A table of a document follows a comment `<!-- table: NAME -->`;
NAME is a function of tables.py. Prose has no measurement of its own: no
number with the unit of a rate or of a short time, no fraction. Listings are held to what runs by
tests/docs/doc_listings.py.
"""

import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tables

TABLE = re.compile(r"^<!-- table: (\w+) -->\n((?:\|.*\n)*)", re.MULTILINE)
MEASURED = re.compile(r"(?<![\w./<$:@(^-])\d[\d,.]*[ \n](?:GB/s|TB/s|TFLOP/s|GFLOP/s|ns|us|ms|per cent)(?!\w)|"
                      r"(?<![\w./:@(^-])\d+\.\d+(?![\w.]|\.\d)")
# A number after such a word is a version or a section.
NAMED = re.compile(r"(?:nvcc|CUDA|NCCL|PyTorch|Triton|NumPy|CUTLASS|CuTe DSL|nvidia-cutlass|tensor-layouts|cuobjdump|nvdisasm|CUB|"
                   r"driver|gcc|clang|Python|Meson|arXiv|and|to|PTX ISA|ISA|version|Debian|C\+\+|CBMC|ESBMC|ethcheck|[Ss]ection|"
                   r"`)[\s>,]*$")


def prose(text):
    """The text without tables that are made, listings, code, addresses and headings: blanks in their place."""
    for pattern in (TABLE, re.compile(r"^```.*?^```$", re.M | re.S), re.compile(r"^(?:    |\t)\S.*$", re.M),
                    re.compile(r"`[^`]*`"), re.compile(r"\]\([^)]*\)"), re.compile(r"^#+ .*$", re.M),
                    re.compile(r"(?<!\*)\*(?!\*)[^*]+\*(?!\*)")): # italics: what others say
        text = pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
    return text


def faults(name, text, made):
    """What is wrong with a document; and the document with its tables. made: a table by its name."""
    wrong = []

    def table(match):
        if match.group(1) not in made:
            wrong.append(f"{name}: there is no table {match.group(1)}")
            return match.group(0)
        new = made[match.group(1)]()
        if match.group(2) != new:
            wrong.append(f"{name}: the table {match.group(1)} is another one")
        return f"<!-- table: {match.group(1)} -->\n{new}"

    changed = TABLE.sub(table, text)
    plain = prose(text)
    for found in MEASURED.finditer(plain):
        if not NAMED.search(plain[max(0, found.start() - 30):found.start()]):
            line = plain.count("\n", 0, found.start()) + 1
            wrong.append(f"{name}: line {line}: {found.group(0)} is a measurement outside of a table")
    return wrong, changed


def documents(source):
    """The names of the documents; docs/tried.md is a record, whose data is not kept."""
    names = ["README.md"] + glob.glob("docs/**/*.md", root_dir=source, recursive=True)
    return sorted(name for name in names if name != "docs/tried.md")


def main():
    mode = sys.argv[1] if sys.argv[1:2] in (["--check"], ["--update"]) else ""
    if len(sys.argv) != (3 if mode else 2) or sys.argv[-1].startswith("-"):
        sys.exit(__doc__)
    source, bad, used = sys.argv[-1], [], set()
    made = tables.of(source)
    for name in documents(source):
        path = os.path.join(source, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        used |= {m.group(1) for m in TABLE.finditer(text)}
        wrong, changed = faults(name, text, made)
        if mode == "--update" and changed != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(changed)
        bad += [w for w in wrong if mode != "--update" or "is another one" not in w]
    bad += [f"bench/figures/tables.py: no document has the table {name}" for name in made if name not in used]
    print("\n".join(bad if mode else sorted(made)))
    return bool(mode and bad)


if __name__ == "__main__":
    sys.exit(main())
