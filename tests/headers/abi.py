#!/usr/bin/env python3
"""The binary interface of libcutlet is that of tests/headers/abi.txt: exported functions with their
prototypes, the sizes and members of structures, the constants of enumerations.

    abi.py BUILD CC             compares, as a test
    abi.py --update BUILD CC    writes tests/headers/abi.txt anew

It is that of the default capacity on 64-bit machines.
"""

import glob
import os
import re
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LISTING = os.path.join(HERE, "abi.txt")
WHAT_TO_DO = ("raise the minor version (from 1.0 on the major one) unless lines were only added, tell "
              "it in CHANGELOG.md, and run: tests/headers/abi.py --update BUILD CC")
HEADER = "# The binary interface at 16 leaves on 64-bit machines: tests/headers/abi.py compares and writes it.\n"


def public_headers():
    """What a program may include of the library's, and what kernels on the CPU grid include."""
    names = ["cutlet/cutlet.h"]
    include = os.path.join(ROOT, "include")
    for folder in ("host/*.h", "device/*/*.h"):
        below = sorted(glob.glob(os.path.join(include, "cutlet", folder)))
        names += [os.path.relpath(path, include) for path in below
                  if not re.search("/device/(gemm|kernels)/", path)]
    return names


def compiled(cc, options, text, folder):
    """Compiles a program that includes every public header; what the compiler printed, or dies."""
    source = os.path.join(folder, "abi.c")
    with open(source, "w", encoding="utf-8") as file:
        file.writelines(f"#include <{name}>\n" for name in public_headers())
        file.write(text)
    status, output = tap.run([cc, "-std=gnu11", "-w", "-I" + os.path.join(ROOT, "include"), source, *options])
    if status:
        tap.die(tap.tail(output))
    return output


def brief(text):
    """A number that differs where the text does, but for its spaces."""
    return f"{zlib.crc32(' '.join(text.split()).encode()):08x}"


def closing(text, at):
    """Where the brace that opens at `at` is closed."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text) - 1


def structures(text):
    """(name, members) of each structure and union that is a type of ours."""
    for found in re.finditer(r"\btypedef (?:struct|union)\b[^{};]*\{", text):
        end = closing(text, found.end() - 1)
        name = re.match(r"\}[^;]*?\b(ct_\w+)\s*;", text[end:])
        if name:
            yield name[1], text[found.end():end]


def enumerations(text):
    """(first constant, how many, all of them) of each enumeration of ours."""
    for body in re.findall(r"\benum\b[^{};()]*\{([^}]*)\}", text):
        names = re.findall(r"(?:^|,)\s*(CT_\w+)", body)
        if names:
            yield names[0], len(names), body


def prototypes(text, names):
    """The prototype of each exported function, the declaration of each variable."""
    for name in sorted(names):
        found = re.search(r"(?:^|[;}])\s*([^;{}]*[ *]%s\s*(?:\([^;{}]*\))?)\s*;" % name, text)
        if not found:
            tap.die(f"{name} is exported, and no public header declares it")
        yield re.sub(r"\s+", " ", found[1]).strip()


def sizes(cc, names, folder):
    """sizeof each type."""
    program = os.path.join(folder, "abi")
    prints = "".join(f'    printf("%zu\\n", sizeof({name}));\n' for name in names)
    # The library is not needed for that.
    text = f"#include <stdio.h>\nint main(void)\n{{\n{prints}}}\n"
    compiled(cc, ["-o", program, "-Wl,--unresolved-symbols=ignore-all", "-O1", "-lm"], text, folder)
    return tap.run([program])[1].split()


def interface(build, cc):
    """The lines of the listing."""
    with open(os.path.join(build, "src", "cutlet.names"), encoding="ascii") as file:
        names = {name for name in file.read().split() if not name.startswith("ct_library_of_")}
    with tempfile.TemporaryDirectory() as folder:
        text = compiled(cc, ["-E", "-P"], "", folder)
        types = dict(structures(text))
        of = dict(zip(sorted(types), sizes(cc, sorted(types), folder)))
    lines = [f"export {line}" for line in prototypes(text, names)]
    lines += [f"struct {name}: {of[name]} bytes, members {brief(types[name])}" for name in sorted(types)]
    lines += sorted(f"enum of {first}: {count} constants, text {brief(body)}"
                    for first, count, body in enumerations(text))
    return [line + "\n" for line in lines]


def main():
    update = sys.argv[1:2] == ["--update"]
    if len(sys.argv) != 3 + update:
        tap.die(__doc__)
    now = interface(*sys.argv[1 + update:])
    if update:
        with open(LISTING, "w", encoding="utf-8") as file:
            file.writelines([HEADER, *now])
        return 0
    report = tap.Report()
    if sys.maxsize < 1 << 32:
        report.skip("the binary interface", "this machine has fewer than 64 bits")
        return report.finish()
    with open(LISTING, encoding="utf-8") as file:
        then = [line for line in file if not line.startswith("#")]
    changes = ["- " + line for line in then if line not in now] + ["+ " + line for line in now if line not in then]
    report.check("the binary interface is that of tests/headers/abi.txt", not changes,
                 "".join(changes) + "the binary interface changed: " + WHAT_TO_DO)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
