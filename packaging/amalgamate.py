#!/usr/bin/env python3
"""One header to vendor: the algebra, tensors, swizzles, tiled copies and MMAs as values, for the host and the device.

    amalgamate.py [FILE]      FILE: cutlet_algebra.h

Sections stand in the order of the includes. The integers of <stdint.h> are those of the stand-in under NVRTC.
"""

import os
import re
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
INCLUDE = re.compile(r'^#include <(cutlet/[^>]+)>\n', re.M)
STDINT = "#include <stdint.h>\n"


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def in_place(match):
    """The text of a header that is included several times: it has no guard. Nothing of another one."""
    text = read("include/" + match.group(1))
    return "" if "#ifndef CUTLET_" in text else INCLUDE.sub(in_place, text[text.index("*/\n") + 3:].lstrip("\n"))


def sections(name, seen):
    """The text of a header with a guard and of those that it includes, which stand before it; each once."""
    text = read("include/" + name)
    if name in seen:
        return
    seen.add(name)
    for inner in INCLUDE.findall(text):
        yield from sections(inner, seen)
    if "#ifndef CUTLET_" not in text:
        return
    text = re.sub(r"\n{3,}", "\n\n", INCLUDE.sub(in_place, text).replace(STDINT, "")).strip()
    yield f"/* ==== {name} {'=' * max(4, 84 - len(name))} */\n\n{text}\n"


def amalgamated():
    stand_in = re.sub(r"/\*.*?\*/\n", "", read("src/driver/nvrtc/stand_in/stdint.h"), flags=re.S).strip()
    licence = "".join(f" * {line}".rstrip() + "\n" for line in read("LICENSE").strip().split("\n"))
    version = re.search(r"version: '([^']+)'", read("meson.build")).group(1)
    head = ["/*\n * cutlet %s: CuTe's layout algebra for C11, C++17 and CUDA, in one header. Define CT_MAX_LEAVES before it\n"
            " * for layouts of more than 16 leaves. Made of the headers of cutlet; do not edit it.\n *\n%s */\n"
            % (version, licence),
            "#ifdef __CUDACC_RTC__\n" + stand_in + "\n#else\n" + STDINT + "#endif\n"]
    return "\n".join([*head, *sections("cutlet/cutlet.h", set())])


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "cutlet_algebra.h"
    with open(path, "w", encoding="utf-8") as file:
        file.write(amalgamated())
    print(path)


if __name__ == "__main__":
    main()
