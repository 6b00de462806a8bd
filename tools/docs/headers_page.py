#!/usr/bin/env python3
"""Compares docs/headers.md with the first sentences of the public headers, or writes it from them.

    headers_page.py [--update] SOURCE

Each folder of headers answers a question, which heads its table.
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tests/support"))
import tap

from headers import GROUPS, headers

QUESTIONS = {
    "": "Where do I begin?",
    "algebra": "How do I calculate with layouts?",
    "copy": "How do I describe a tiled copy?",
    "mma": "How do I describe a matrix instruction?",
    "host": "What does libcutlet do for a program on the host?",
    "device/kernel": "How do I write a kernel, and its constants?",
    "device/copy": "How do I copy a tile?",
    "device/tensor": "How do I slice and tile a tensor in a kernel?",
    "device/arch": "Which instruction of the hardware do I need?",
    "device/element": "How do I read, convert and write elements in registers?",
    "device/register": "How do I use vectors and sums of a thread's values?",
    "device/pipeline": "How do I keep several tiles in flight?",
    "device/mma": "How do I multiply tiles?",
    "device/staged": "How do I copy or transpose a whole matrix through shared memory?",
    "device/unaligned": "How do I copy rows that begin at any address?",
    "device/elementwise": "How do I apply an expression to every element?",
}

HEAD = """# Which header do I include?

The include line is the same in the source tree and in an installation: `#include <cutlet/...>`, with `-Iinclude` or what
pkg-config says. Each header includes what it needs and can be included alone. `cutlet/cutlet.h` holds the whole algebra, and
`cutlet/cutlet.hpp` [C++17](cpp.md) over it.

Headers below `cutlet/host/` need libcutlet. A kernel that a C compiler compiles for the CPU grid links it too. For nvcc and
NVRTC the headers are enough. [Where things are](where.md) has the test of each concept, and
[Use cutlet in a project](howto/use.md) the build.
"""


def first_sentence(comment):
    text = " ".join(comment.text.split("\n\n")[0].split())
    found = re.match(r"(.*?[^.][.;])(?= [A-Z`0-9]|$)", text)
    return (found.group(1) if found else text).rstrip(".;:") + "."


def page(source):
    """The text of docs/headers.md."""
    found = [header for header in headers(source) if not header.internal]
    out = HEAD
    for group, _ in sorted(GROUPS, key=lambda row: row[0] != ""):
        rows = [header for header in found if header.group == group]
        if not rows:
            continue
        out += f"\n## {QUESTIONS[group]}\n\n| header | holds |\n|---|---|\n"
        for header in rows:
            said = first_sentence(header.comment).replace("|", "\\|")
            out += f"| `cutlet/{header.name}` | {said} |\n"
    return out


def main():
    arguments = [word for word in sys.argv[1:] if word != "--update"]
    if len(arguments) != 1:
        tap.die(__doc__)
    path = os.path.join(arguments[0], "docs/headers.md")
    text = page(arguments[0])
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    report = tap.Report()
    with open(path, encoding="utf-8") as file:
        report.check("docs/headers.md has each header's first sentence", file.read() == text,
                     "run: tools/docs/headers_page.py --update .")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
