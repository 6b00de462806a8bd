#!/usr/bin/env python3
"""The README says what is so: its program is the example, its commands print what stands there.

    readme.py CUTLET SOURCE EXAMPLE PROGRAM           checks, in TAP
    readme.py --update CUTLET SOURCE EXAMPLE PROGRAM  writes the blocks anew

EXAMPLE is the C file that the README shows, examples/copy_tiles.cu its kernel, PROGRAM what it was compiled to. In a `console` block a
line that begins with `$ cutlet` is a command and the lines behind it are its output; the block after
the C program is the program's output.
"""

import os
import re
import shlex
import subprocess
import sys

import tap

BLOCK = re.compile(r"```(c|cuda|console)\n(.*?)```\n", re.S)


def output_of(command, source):
    """What a command prints, errors too."""
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False,
                          env=dict(os.environ, CUTLET_NO_GPU="1"))
    return done.stdout + done.stderr


def block_of(kind, body, cutlet, source, example, program):
    """What the block should hold."""
    if kind in ("c", "cuda"):
        kernel = os.path.join(source, "examples", "copy_tiles.cu")
        with open(example if kind == "c" else kernel, encoding="utf-8") as file:
            return file.read()
    commands = [line for line in body.splitlines() if line.startswith("$ ")]
    if not commands:
        return output_of([program], source)
    text = ""
    for line in commands:
        words = shlex.split(line[2:])
        assert words[0] == "cutlet", line
        text += line + "\n" + output_of([cutlet] + words[1:], source)
    return text


def main():
    update = sys.argv[1:2] == ["--update"]
    cutlet, source, example, program = (os.path.abspath(a) for a in sys.argv[1 + update:5 + update])
    path = os.path.join(source, "README.md")
    with open(path, encoding="utf-8") as file:
        readme = file.read()
    wanted = [(m, block_of(m.group(1), m.group(2), cutlet, source, example, program))
              for m in BLOCK.finditer(readme)]
    if update:
        for match, text in reversed(wanted):
            readme = readme[:match.start(2)] + text + readme[match.end(2):]
        with open(path, "w", encoding="utf-8") as file:
            file.write(readme)
        return
    report = tap.Report()
    for match, text in wanted:
        first = match.group(2).split("\n", 1)[0].replace("#", "")
        report.check(f"README: {first}", match.group(2) == text,
                     f"expected:\n{text}\nfound:\n{match.group(2)}")
    sys.exit(report.finish())


if __name__ == "__main__":
    main()
