#!/usr/bin/env python3
"""What doc_listings.py lets through, and what it refuses: documents with one thing wrong each.

    test_doc_listings.py CUTLET
"""

import contextlib
import io
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import doc_listings
import tap

FILES = {
    "examples/t/run.c": '#include "k.cu"\nint main(void) { return 0; }\n',
    "examples/t/k.cu": "/* part: a */\nint a;\n/* part: b */\nint b;\n/* end */\n",
    "examples/u/run.c": '#include "machine.h"\nint main(void) { return 0; }\n',
    "examples/u/machine.h": '#include "kernels.h"\n#include "none.h"\n',
    "examples/u/kernels.h": "int x;\n",
    "examples/u/kernels.c": '#include "k.cu"\n',
    "examples/u/k.cu": "int x;\n",
    "examples/u/none.c": '#include "other.cu"\n',
    "examples/u/other.cu": "int y;\n",
    "tests/v/test_v.c": '#include "v_cases.h"\n',
    "tests/v/v_cases.h": '#include "../../examples/v/of_v.cu"\n',
    "examples/v/of_v.cu": "int w;\n",
    "examples/v/a.check": "size(4:1) == 4\n",
}
RUN = "```console\n$ build/examples/t/run\nran\n```\n"
PART = "```cuda examples/t/k.cu#b\nint b;\n```\n"
GOOD = RUN + PART  # to which each document adds what it tries
SHOWN = "```c examples/t/run.c\n" + FILES["examples/t/run.c"] + "```\n"
CHECKED = ("```text examples/v/a.check\nsize(4:1) == 4\n```\n"
           "```console\n$ cutlet check examples/v/a.check\n1 passed, 0 failed\n```\n")
DRAWN = "```console\n$ cutlet draw 4:1 -o good.txt\n```\n"

# (what is tried, the document, what is said of it: None where it passes)
CASES = [
    ("a program, its kernels, its output", GOOD, None),
    ("a listing of a program", GOOD + SHOWN, None),
    ("a command and its output", GOOD + "```console\n$ cutlet eval 'size(4:1)'\n4\n```\n", None),
    ("a file of assertions that is checked", GOOD + CHECKED, None),
    ("one that is not checked", GOOD + CHECKED.split("```console")[0],
     "nothing that this document runs has it"),
    ("one that differs", GOOD + CHECKED.replace("== 4", "== 5"), "expected:"),
    ("a file of CMake that nothing builds", GOOD + "```cmake examples/v/a.check\n" +
     FILES["examples/v/a.check"] + "```\n", "nothing that this document runs has it"),
    ("a picture that the command draws", GOOD + DRAWN, None),
    ("a picture that is refused", GOOD + DRAWN.replace("4:1", "4:"), "good.txt: the command draws nothing"),
    ("a listing that differs", GOOD + SHOWN.replace("0", "1"), "expected:"),
    ("a part that differs", GOOD + PART.replace("int b", "int a"), "expected:"),
    ("a part that is not there", GOOD + PART.replace("#b", "#c"), "no part 'c'"),
    ("a file that is not there", GOOD + SHOWN.replace("run.c", "x.c"), "no file 'examples/t/x.c'"),
    ("a listing without a file", GOOD + "```c\nint x;\n```\n", "no file ''"),
    ("a program that is not run", SHOWN, "nothing that this document runs has it"),
    ("kernels that a program is linked with", GOOD + RUN.replace("/t/", "/u/") +
     "```cuda examples/u/k.cu\nint x;\n```\n", None),
    ("kernels of a source without its header", GOOD + RUN.replace("/t/", "/u/") +
     "```cuda examples/u/other.cu\nint y;\n```\n", "nothing that this document runs has it"),
    ("kernels of a test's header", GOOD + "```cuda examples/v/of_v.cu\nint w;\n```\n", None),
    ("kernels that nothing runs", PART, "nothing that this document runs has it"),
    ("an example that is not shown", RUN, "k.cu is shown or run"),
    ("an output that differs", GOOD + RUN.replace("ran", "runs"), "expected:"),
    ("an output without a command", GOOD + "```console\nran\n```\n", "without its command"),
    ("another command", GOOD + "```console\n$ echo ran\nran\n```\n", "'echo' is neither"),
    ("a program that fails", GOOD + "```console\n$ build/examples/t/fails\n```\n", "ends with 3"),
    ("another kind of listing", GOOD + "```python\nprint(1)\n```\n", "of kind 'python'"),
    ("set-up in another document", GOOD + "```sh\nmake\n```\n", "of kind 'sh'"),
    ("a listing of no kind", GOOD + "```\nx\n```\n", "of kind ''"),
    ("an indented listing", GOOD + "\n    int x;\n", "an indented listing"),
    ("a listing inside a list", GOOD + "- so:\n  ```c\n  int x;\n  ```\n", "nothing checks"),
    ("a listing inside a quotation", GOOD + "> ```c\n> int x;\n> ```\n", "nothing checks"),
    ("another fence", GOOD + "~~~c\nint x;\n~~~\n", "three backquotes"),
    ("a block without an end", GOOD + "```c\nint x;\n", "without an end"),
]


def write(folder, name, text, mode=0o644):
    """A file of the project that is made up."""
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def passes(cutlet, folder, text):
    """Whether doc_listings.py lets a folder with this document through, and what it said."""
    write(folder, "docs/t/x.md", text)
    sys.argv = ["doc_listings.py", cutlet, folder, os.path.join(folder, "build"),
                os.path.join(folder, "docs/t")]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = doc_listings.main()
    return status == 0, said.getvalue()


def main(report, cutlet):
    cutlet = os.path.abspath(cutlet)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            write(folder, name, text)
        write(folder, "build/examples/t/run", "#!/bin/sh\necho ran\n", 0o755)
        write(folder, "build/examples/u/run", "#!/bin/sh\necho ran\n", 0o755)
        write(folder, "build/examples/t/fails", "#!/bin/sh\nexit 3\n", 0o755)
        os.makedirs(os.path.join(folder, "docs"))
        subprocess.run([cutlet, "draw", "4:1", "-o", os.path.join(folder, "docs/good.txt")],
                       check=True)
        for name, text, fault in CASES:
            passed, said = passes(cutlet, folder, text)
            report.check(f"{name} {'fails' if fault else 'passes'}",
                         passed == (fault is None) and (fault or "") in said, said)


tap.main(main)
