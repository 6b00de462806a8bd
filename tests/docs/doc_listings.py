#!/usr/bin/env python3
"""The documents say what is so: each listing is a file that is compiled and run, each output is
what the command or the program prints.

    doc_listings.py CUTLET SOURCE BUILD DOCUMENT..           checks, in TAP
    doc_listings.py --update CUTLET SOURCE BUILD DOCUMENT..  writes the listings and outputs anew

A DOCUMENT is a Markdown file or a folder of them. The blocks that it may hold:

    ```c FILE          the file, a path from SOURCE. A program NAME.c is run by a `console` block of
    ```c FILE#PART     the same document, as build/NAME; a header is included by such a program.
    ```cuda FILE#PART  Kernels: included by such a program, by the source beside a header NAME.h
                       that it includes, NAME.c, or by a test or a header of its. PART is what stands between
                       `/* part: PART */` and the next `/* part: .. */` or `/* end */`.
    ```text FILE       A file of assertions, which a `console` block of the document has checked.
    ```cmake FILE      Files of a folder that another test builds as the document says: BUILT_ELSEWHERE.
    ```meson FILE
    ```console         Lines that begin with `$ cutlet` or `$ build/` are commands, the lines behind
                       each are its output, but for seconds. A program must succeed, `cutlet` may refuse. What
                       `cutlet draw .. -o FILE` must draw a picture; the site shows it (build_site.py).

Every other listing fails, fenced or indented: nothing would tell when it is no longer true. Only
the blocks of UNCHECKED are let through. Of a folder, each file in the folder of the same name below
examples/ must be shown or run.
"""

import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

# What to type once to set up: the documents and the kinds of blocks that are not run.
UNCHECKED = {name: {"sh"} for name in ("README.md", "docs/tour.md", "docs/quickstart.md", "docs/model.md",
                                       "docs/howto/use.md", "docs/howto/vendor.md", "docs/howto/relayout.md")}
# The source of examples/howto/transpose.ptx; Python that tests/convert/run_triton.py runs.
UNCHECKED |= {"docs/howto/run-ptx.md": {"cuda"}, "docs/howto/triton.md": {"python"},
              "docs/howto/cute.md": {"cuda", "sh", "text"}}  # of run_cute.py
# The documents whose commands tests/install/install.py and amalgamate.py run, in a copy of this folder.
BUILT_ELSEWHERE = {"docs/howto/use.md": "examples/howto/use/", "docs/howto/vendor.md": "examples/howto/vendor/"}
# The document whose commands another test runs, test_quickstart.py.
RUN_ELSEWHERE = "docs/quickstart.md"

FENCE = re.compile(r"^(```+|~~~+)(.*)$")
SECONDS = re.compile(r"(?<= instructions in )[0-9.]+(?= s$)", re.M)  # which no two runs share
PART = re.compile(r"^\s*/\* (part: .*|end) \*/$")


class Block:
    """A fenced block: its kind, the file that it shows, the lines [first, last) that it holds."""

    def __init__(self, info, first, last, text):
        words = info.split()
        self.kind = words[0] if words else ""
        self.file, _, self.part = (words[1] if len(words) > 1 else "").partition("#")
        self.first, self.last, self.text = first, last, text


class Document:
    """A Markdown file, its blocks, and what is wrong with how it is written."""

    def __init__(self, path, source):
        self.path, self.name = path, os.path.relpath(path, source)
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().splitlines(keepends=True)
        self.blocks, self.faults = [], []
        begun = None
        for number, line in enumerate(self.lines):
            fence = FENCE.match(line.rstrip("\n"))
            if fence and begun is None:
                begun = (number, fence.group(1), fence.group(2))
                if fence.group(1) != "```":
                    self.faults.append(f"line {number + 1}: a fence is three backquotes")
            elif fence and fence.group(1) == begun[1] and not fence.group(2).strip():
                text = "".join(self.lines[begun[0] + 1:number])
                self.blocks.append(Block(begun[2], begun[0] + 1, number, text))
                begun = None
            elif begun is None and re.match(r"(    |\t)\s*\S", line) and (
                    number == 0 or not self.lines[number - 1].strip()):
                self.faults.append(f"line {number + 1}: an indented listing, which nothing checks")
            elif begun is None and re.match(r"[\s>*+-]+(```|~~~)|.*<pre\b", line):
                self.faults.append(f"line {number + 1}: a listing that nothing checks")
        if begun is not None:
            self.faults.append(f"line {begun[0] + 1}: a block without an end")

    def commands(self):
        """The commands of all console blocks, as lists of words."""
        for block in self.blocks:
            if block.kind == "console":
                for line in block.text.splitlines():
                    if line.startswith("$ "):
                        yield shlex.split(line[2:])

    def programs(self):
        """The sources of the programs that it runs: examples/first for build/examples/first."""
        return {words[0][len("build/"):] for words in self.commands()
                if words[0].startswith("build/")}

    def write(self, texts):
        """Puts texts in the places of the blocks."""
        for block, text in reversed(list(zip(self.blocks, texts))):
            self.lines[block.first:block.last] = text.splitlines(keepends=True)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("".join(self.lines))


class Checker:
    """What the blocks should hold, by the command and the build that are tested."""

    def __init__(self, cutlet, source, build, update=False):
        self.cutlet, self.source, self.build, self.update = cutlet, source, build, update

    def read(self, name):
        """The text of a file of the project, '' if it does not exist."""
        path = os.path.join(self.source, name)
        if not os.path.isfile(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()

    def listing(self, block):
        """The file, or the part of it, that a block shows."""
        text = self.read(block.file)
        if not text:
            raise ValueError(f"no file '{block.file}' in the project")
        if not block.part:
            return "".join(line for line in text.splitlines(keepends=True) if not PART.match(line))
        found, inside = [], False
        for line in text.splitlines(keepends=True):
            mark = PART.match(line.rstrip("\n"))
            if mark:
                inside = mark.group(1) == f"part: {block.part}"
            elif inside:
                found.append(line)
        if not found:
            raise ValueError(f"no part '{block.part}' in {block.file}")
        return "".join(found).strip("\n") + "\n"

    def is_run(self, block, document):
        """Whether something compiles and runs what a block shows."""
        stem, ending = os.path.splitext(block.file)
        programs = document.programs()
        if ["cutlet", "lint", block.file] in document.commands():
            return True
        if block.file.startswith(BUILT_ELSEWHERE.get(document.name, "/")):
            return True
        if block.kind == "text":
            return ["cutlet", "check", block.file] in document.commands()
        if document.name == RUN_ELSEWHERE:
            return any(b.kind == "sh" and block.file in b.text for b in document.blocks)
        if ending == ".c":
            return stem in programs
        include = f'{os.path.basename(block.file)}"'
        tests = glob.glob(os.path.join(self.source, "tests", "*", "test_*.c"))
        programs |= {os.path.relpath(path, self.source)[:-2] for path in tests}
        users = [p + ".c" for p in programs] + self.linked(programs)
        pattern = r'#include "(\S*/)?' + re.escape(include)
        return any(re.search(pattern, self.read(user)) for user in users)

    def linked(self, programs):
        """The sources NAME.c beside the headers NAME.h that programs include, also by a header."""
        found, todo = [], [p + ".c" for p in programs]
        while todo:
            name = todo.pop()
            for header in re.findall(r'#include "([^"/]+\.h)"', self.read(name)):
                path = os.path.join(os.path.dirname(name), header)
                source = os.path.splitext(path)[0] + ".c"
                if self.read(path) and path not in found:
                    found += [path, source]
                    todo.append(path)
        return found

    def picture(self, words):
        """What a command prints that draws a file."""
        with tempfile.TemporaryDirectory() as folder:
            made = os.path.join(folder, os.path.basename(words[-1]))
            said = self.output(words[:-2] + [f"--output={made}"])
            if not self.read(made):
                raise ValueError(f"{words[-1]}: the command draws nothing: {said}")
        return said

    def output(self, words):
        """What a command prints, errors too."""
        if words[:2] == ["cutlet", "draw"] and words[-2] == "-o":
            return self.picture(words)
        if words[0] == "cutlet":
            command = [self.cutlet] + words[1:]
        elif words[0].startswith("build/"):
            command = [os.path.join(self.build, words[0][len("build/"):])] + words[1:]
        else:
            raise ValueError(f"'{words[0]}' is neither cutlet nor a program of build/")
        try:
            done = subprocess.run(command, cwd=self.source, capture_output=True, text=True,
                                  check=False, env=dict(os.environ, CUTLET_NO_GPU="1"))
        except OSError as bad:
            raise ValueError(f"{words[0]}: {bad.strerror}") from bad
        if done.returncode and words[0] != "cutlet":
            raise ValueError(f"{words[0]} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def wanted(self, block, document):
        """What a block should hold. Raises ValueError where nothing can say so."""
        if block.kind in UNCHECKED.get(document.name, ()):
            return block.text
        if block.kind in ("c", "cuda", "text", "cmake", "meson"):
            text = self.listing(block)
            if not self.is_run(block, document):
                raise ValueError(f"{block.file}: nothing that this document runs has it")
            return text
        if block.kind == "console":
            lines = block.text.splitlines()
            if not lines or not lines[0].startswith("$ "):
                raise ValueError("an output without its command")
            made = "".join(line + "\n" + self.output(shlex.split(line[2:]))
                           for line in lines if line.startswith("$ "))
            return block.text if SECONDS.sub("", made) == SECONDS.sub("", block.text) else made
        raise ValueError(f"a block of kind '{block.kind}', which nothing checks")


def documents_of(arguments, source):
    """The Markdown files, and those of folders."""
    for path in arguments:
        names = sorted(os.listdir(path)) if os.path.isdir(path) else [""]
        for name in names:
            if not name or name.endswith(".md"):
                yield Document(os.path.join(path, name) if name else path, source)


def check(checker, document, report):
    """Reports on each block of a document."""
    report.check(f"{document.name}: its form", not document.faults, "\n".join(document.faults))
    for block in document.blocks:
        name = f"{document.name}:{block.first} {block.text.splitlines()[0] if block.text else ''}"
        try:
            text = checker.wanted(block, document)
        except ValueError as bad:
            report.check(name.replace("#", ""), False, str(bad))
            continue
        report.check(name.replace("#", ""), block.text == text,
                     f"expected:\n{text}\nfound:\n{block.text}")


def check_shown(checker, folder, documents, report):
    """Each example of a folder of documents is shown or run by one of them, or a header of those."""
    examples = os.path.join(checker.source, "examples", os.path.basename(folder))
    shown = {block.file for document in documents for block in document.blocks}
    shown |= {word for document in documents for words in document.commands() for word in words[1:]}
    sources = {p + ".c" for document in documents for p in document.programs()}
    included = {name for source in sources
                for name in re.findall(r'#include "([^"]+)"', checker.read(source))}
    files = [os.path.join(at, name) for at, _, names in os.walk(examples) for name in names]
    for path in sorted(os.path.relpath(file, checker.source) for file in files):
        name = os.path.basename(path)
        if os.path.relpath(path, os.path.relpath(examples, checker.source)) != "meson.build":
            known = path in shown or path in sources or (name.endswith(".h") and name in included)
            report.check(f"{path} is shown or run", known, "no document shows or runs it")


def main():
    update = sys.argv[1:2] == ["--update"]
    arguments = [os.path.abspath(a) for a in sys.argv[1 + update:]]
    if len(arguments) < 4:
        tap.die(__doc__)
    checker = Checker(*arguments[:3], update)
    documents = list(documents_of(arguments[3:], checker.source))
    if update:
        for document in documents:
            document.write([checker.wanted(block, document) for block in document.blocks])
        return 0
    report = tap.Report()
    for document in documents:
        check(checker, document, report)
    for folder in arguments[3:]:
        if os.path.isdir(folder):
            check_shown(checker, folder, documents, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
