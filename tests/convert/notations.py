#!/usr/bin/env python3
"""The forms of notations.txt as the command reads them, alone, as an argument and in a file of assertions; and the
document that is made of them.

    notations.py CUTLET SOURCE
    notations.py --update CUTLET SOURCE     writes docs/notations.md anew
"""

import itertools
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


# Padded encodings of Triton: intervals with their gaps, the order, the shape.
PADDED = [([(64, 8)], [1, 0], [16, 64]), ([(32, 4), (256, 8)], [0, 1], [16, 64]), ([(16, 1)], [1, 0], [4, 32]),
          ([(64, 8)], [0], [64]), ([(8, 2), (64, 3)], [2, 0, 1], [4, 8, 16])]
PADDED_REFUSED = [("[64:8] {order = [0], shape = [64]}", "expected `:+`, as in [64:+8]"),
                  ("64:+8 {order = [0], shape = [64]}", "expected `[`, as in [64:+8]"),
                  ("[60:+8] {order = [0], shape = [64]}", "an interval is a power of two, a gap at least 1"),
                  ("[1:+1,2:+1,4:+1,8:+1,16:+1,32:+1,64:+1,128:+1,256:+1] {order = [0], shape = [64]}", "more than 8 gaps"),
                  ("[64:+8] {order = [0]}", "the attribute `shape` is missing")]


def padded_offsets(pads, order, shape):
    """Element by element, the first dimension fastest, as Triton describes the padding."""
    found = []
    for coordinates in itertools.product(*(range(n) for n in reversed(shape))):
        at, step = 0, 1
        for d in order:
            at += coordinates[len(shape) - 1 - d] * step
            step *= shape[d]
        found.append(at + sum(at // interval * pad for interval, pad in pads))
    return found


def check_padded(report, cutlet):
    def convert(text):
        done = subprocess.run([cutlet, "convert", "--to", "cutlet", f"#ttg.padded_shared<{text}>"], capture_output=True,
                              text=True, timeout=60)
        return done.stdout.strip(), done.stderr
    for pads, order, shape in PADDED:
        text = f"[{', '.join(f'{i}:+{p}' for i, p in pads)}] {{order = {order}, shape = {shape}}}"
        layout, err = convert(text)
        offsets = evaluate(cutlet, f"offsets({layout})")[1].strip("()").split(",") if layout else []
        report.check(f"padded_shared<{text}>", [int(o) for o in offsets] == padded_offsets(pads, order, shape),
                     (layout, err))
    for text, said in PADDED_REFUSED:
        layout, err = convert(text)
        report.check(f"padded_shared<{text}> is refused", not layout and said in err, (layout, err))
    report.check("one row of padding", convert("[64:+8] {order = [1, 0], shape = [16, 64]}")[0] == "(16,64):(72,1)")


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--update":
        with open(os.path.join(sys.argv[3], "docs", "notations.md"), "w") as file:
            file.write(document(sys.argv[3]))
        return 0
    report = tap.Report()
    check(report, *sys.argv[1:])
    check_padded(report, sys.argv[1])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
