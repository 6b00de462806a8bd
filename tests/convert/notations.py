#!/usr/bin/env python3
"""The forms of notations.txt as the command reads them, alone, as an argument and in a file of assertions; and the
document that is made of them.

    notations.py CUTLET SOURCE
    notations.py --update CUTLET SOURCE     writes docs/notations.md anew
"""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

HEAD = """# Notations

What is pasted is read as it is, wherever an expression is expected: by `cutlet eval`, `draw`, `access`, `explain`,
`check`, in C and in Python. A form may be an argument of an operation. `cutlet convert` reads more systems, Triton's
encodings and NumPy's strides among them, and writes them.

| form | text | is |
|---|---|---|
"""


def rows(source):
    with open(os.path.join(source, "tests", "convert", "notations.txt")) as table:
        lines = [line.rstrip("\n") for line in table]
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def cell(text):
    return "`` " + text.replace("|", "\\|") + " ``" if "`" in text else "`" + text.replace("|", "\\|") + "`"


def document(source):
    lines = [f"| {form} | {cell(text)} | {cell(want) if not want.startswith('error: ') else 'refused: ' + want[7:]} |\n"
             for form, text, want in rows(source)]
    return HEAD + "".join(lines)


def evaluate(cutlet, *texts):
    done = subprocess.run([cutlet, "eval", *texts], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.strip(), done.stderr


def check(report, cutlet, source):
    for form, text, want in rows(source):
        status, out, err = evaluate(cutlet, text)
        if want.startswith("error: "):
            report.check(f"{form}: {text}", status == 2 and not out and want[7:] in err, (status, out, err))
            continue
        report.check(f"{form}: {text}", (status, out) == (0, want), (status, out, err))
        if "==" in text or "Sw<" in want and " o " not in want or want.startswith("tiled_copy"):
            continue
        status, out, err = evaluate(cutlet, f"size({text})", f"size({want})")
        report.check(f"{form} as an argument", status == 0 and len(set(out.split())) == 1, (status, out, err))
    lines = "".join(f"{text} == {want}\n" for _, text, want in rows(source)
                    if "==" not in text and not want.startswith("error: "))
    done = subprocess.run([cutlet, "check", "-"], input=lines, capture_output=True, text=True, timeout=60)
    report.check("all in a file of assertions", done.returncode == 0, done.stdout)
    with open(os.path.join(source, "docs", "notations.md")) as file:
        report.check("docs/notations.md is made of the table; notations.py --update writes it",
                     file.read() == document(source))


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--update":
        with open(os.path.join(sys.argv[3], "docs", "notations.md"), "w") as file:
            file.write(document(sys.argv[3]))
        return 0
    report = tap.Report()
    check(report, *sys.argv[1:])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
