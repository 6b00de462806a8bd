#!/usr/bin/env python3
"""Checks that the CPU grid tells the accesses of the device headers of the kernel's line: that each
function of theirs that kernels call, and that makes accesses, has a macro of its name by CT_CALL
behind it; and that each atom asks from where it is seen.

    covered.py SOURCE

Kernels call the functions that no other function of the headers calls, and those that a kernel of
this repository calls.
"""

import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

MACRO = re.compile(r"^#define (\w+)((?:[^\n\\]|\\[^\n]|\\\n)*)", re.M)
HEAD = r"^(?:template <[^\n]*> )?CT_DEVICE [^;{]*?\b(\w+)\([^{;]*\)"
FUNCTION = re.compile(HEAD + r"\n\{(.*?)^\}", re.M | re.S)
ONE_LINE = re.compile(HEAD + r" \{ (.*) \}$", re.M)


def read(path):
    """The text of a file without its comments."""
    with open(path) as source:
        return re.sub(r"/\*.*?\*/|//[^\n]*", "", source.read(), flags=re.S)


def words(text):
    """The names that may be called in it: those with a parenthesis after them."""
    return set(re.findall(r"\b(\w+)\s*\(", text))


class Headers:
    """The functions and macros of the headers: what each of them names."""

    def __init__(self, texts):
        self.functions = {}  # name -> [names that it calls]
        self.macros = {}
        self.covered = set()
        for text in texts:
            for name, body in MACRO.findall(text):
                call = re.search(r"\bCT_CALL\((\w+), ", body)
                if call: # of its own name, or as ct_copy chooses one by the number of its arguments
                    self.covered.add(call.group(1))
                else:
                    self.macros[name] = self.macros.get(name, set()) | set(re.findall(r"\w+", body))
            for name, body in FUNCTION.findall(text) + ONE_LINE.findall(text):
                self.functions[name] = self.functions.get(name, set()) | words(body)
        for name in self.covered:
            self.macros.pop(name, None)

    def accessing(self):
        """The functions that make accesses, or wait, themselves or by others; not the atoms."""
        reach, count = {"CT_GRID_SITE"}, 0
        on_grid = {name: body for name, body in self.functions.items() if name not in self.macros}
        while len(reach) > count:
            count = len(reach)
            for names in (on_grid, self.macros):
                reach |= {name for name, body in names.items() if body & reach}
        return {name for name in self.functions if name in reach and name not in self.macros}

    def uncovered(self, called):
        """The functions that lack a macro, of which kernels call some."""
        inner = set().union(*(body - {name} for name, body in self.functions.items()))
        return {name for name in self.accessing() - self.covered
                if name not in inner or name in called}


def called_by_kernels(source):
    """All that is called in a .cu file, and in the headers beside one."""
    names = set()
    for folder in ("device/kernels", "examples", "examples/*", "tests/*", "bench", "bench/*",
                   "tools/bench/*"):
        for path in glob.glob(os.path.join(source, folder, "*.cu")):
            names |= words(read(path))
        for path in glob.glob(os.path.join(source, folder, "*.h")):
            text = read(path)
            if "CT_DEVICE" in text or "CT_KERNEL" in text:
                names |= words(text)
    return names


PLANTED = """
#define atom(x) ct_grid_atom(CT_GRID_SITE, x)
#define atom_of_two(x) \\
    (atom(x), atom(x))
CT_DEVICE void part(int x)
{
    atom_of_two(x);
}
CT_DEVICE void whole(const int x,
                     int y)
{
    part(x);
}
CT_DEVICE int idle(int x)
{
    return part_of(x);
}
"""


def main(report, source):
    planted = Headers([PLANTED])
    report.check("a function that lacks its macro is found", planted.uncovered(set()) == {"whole"})
    report.check("and a part of it that kernels call",
                 planted.uncovered({"part", "idle"}) == {"part", "whole"})
    macro = "#define whole(...) CT_CALL(whole, __VA_ARGS__)\n"
    report.check("one that has its macro is not", not Headers([PLANTED, macro]).uncovered(set()))

    device = os.path.join(source, "device")
    texts = {path: read(path) for path in sorted(glob.glob(os.path.join(device, "*", "*.h")))
             if os.path.basename(os.path.dirname(path)) not in ("gemm", "kernels")}
    headers = Headers(texts.values())
    report.check("the headers have functions that make accesses",
                 {"ct_copy", "ct_block_sum", "ct_pipe_fill"} <= headers.accessing(),
                 headers.accessing())
    missing = headers.uncovered(called_by_kernels(source))
    report.check("every function that kernels call has its macro", not missing,
                 "\n".join(f"#define {name}(...) CT_CALL({name}, __VA_ARGS__)  is missing"
                           for name in sorted(missing)))
    useless = headers.covered - headers.accessing()
    report.check("every macro covers a function that makes accesses", not useless, useless)
    for path, text in texts.items():
        name = os.path.basename(path)
        calls = set(re.findall(r"\bct_grid_\w+\((?=CT_GRID_HERE)", text)) - {"ct_grid_shared(",
                                                                           "ct_grid_seen("}
        if "CT_GRID_" in text:
            report.check(f"{name}: its sites are seen from the kernel", not calls, calls)


tap.main(main)
