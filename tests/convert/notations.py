#!/usr/bin/env python3
"""The forms of notations.txt in each command that reads expressions, and in Python; and the document that is made of
them.

    notations.py CUTLET SOURCE [PYTHON FOLDER]      and in the Python of FOLDER
    notations.py --update CUTLET SOURCE     writes docs/notations.md anew
"""

import itertools
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

HEAD = """# Notations

What is pasted is read as it is, wherever an expression is expected: by `cutlet eval`, `draw`, `access`, `explain`,
`check`, in C and in Python. A form may be an argument of an operation. The command says in whose notation it read a text that
is not cutlet's own. Behind a text of Triton or Gluon that has no shape stands ` of 16x64`.
Behind an expression `with ?=8,16` gives the values of `?` in their order; a single value is that of all.
Without them the answer is what is the same for all values: leaves that are moved, and offsets without a `?` in them.
`eval` and `explain` write an answer that has `?` in it; everything else asks for the values.
`cutlet convert` reads more systems, NumPy's strides among them, and writes them.

| form | text | is |
|---|---|---|
"""


def rows(source):
    with open(os.path.join(source, "tests", "convert", "notations.txt")) as table:
        lines = [line.rstrip("\n") for line in table]
    return [(line.split("\t") + [""])[:4] for line in lines if line and not line.startswith("#")]


def cell(text):
    return "`` " + text.replace("|", "\\|") + " ``" if "`" in text else "`" + text.replace("|", "\\|") + "`"


def document(source):
    lines = [f"| {form} | {cell(text)}{f' of {shape}' if shape else ''} | "
             f"{cell(want) if not want.startswith('error: ') else 'refused: ' + want[7:]} |\n"
             for form, text, want, shape in rows(source)]
    return HEAD + "".join(lines)


def evaluate(cutlet, *texts):
    done = subprocess.run([cutlet, "eval", *texts], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.strip(), done.stderr


# In whose notation a text is read; nothing is said of cutlet's own.
NOTATIONS = {"S<3,4,3>": "CuTe DSL", "Swizzle<3,4,3>": "CuTe C++", "size(Layout<Shape<_4,_8>>)": "CuTe C++",
             "cute::make_layout(make_shape(4,8))": "CuTe C++", "coalesce(cute.make_layout((4, 8)))": "CuTe DSL",
             "!cute.layout<\"(4,8):(8,1)\">": "CuTe IR", "gmem_ptr[16b](0x7f) o (33):(_1)": "a print of CuTe C++",
             "Sw<3,4,3>_smem_ptr[16b](0x7f) o (_8,_64):(_64,_1)": "a print of CuTe C++",
             "Copy_Atom<UniversalCopy<uint64_t>, half_t>{}": "CuTe C++",
             "ptr<f16, gmem> o (4,8):(8,1)": "a print of CuTe DSL", "Tensor<0x00@gmem o (4):(1)>": "a print of CuTe DSL",
             "Copy Atom ThrID: 1:0 TV Layout Src: (1,8):(0,1) TV Layout Dst: (1,8):(0,1) Value type: f16":
             "a print of CuTe, which does not have the kind of a copy",
             "!cute_nvgpu.atom.universal_copy<f16, 128 b>": "CuTe IR", "Layout((4,6),(2,3))": "pycute", "pycute.Layout((4,6),(2,3))": "pycute", "Layout.row_major(4, 8)": "Mojo",
             "#ttg.padded_shared<[4:+8] {order = [0], shape = [16]}>": "Triton",
             "gl.SharedLinearLayout([[1], [2]])": "Gluon", "(4,8):(8,1)": "", "Sw<3,4,3> o 0 o (8,64):(64,1)": "",
             "make_layout(4:1, 8:4)": ""}


ASKED = "`?` is known only at run time: write its value, or `with ?=8` behind the expression"


def check_notations(report, cutlet):
    run = lambda *a: subprocess.run([cutlet, *a], capture_output=True, text=True, timeout=60)
    for text, notation in NOTATIONS.items():
        said = f"cutlet eval: read as {notation}\n" if notation else ""
        done, as_json = run("eval", text), run("eval", "--json", text)
        report.check(f"{text} is of {notation or 'cutlet'}", done.returncode == 0 and done.stderr == said, done)
        report.check(f"{text} in JSON", json.loads(as_json.stdout).get("notation", "") == notation, as_json)
    for command in (["draw"], ["access", "--kind", "lds", "--type", "half"], ["verify", "--tile", "64"]):
        open_, given, own = (run(*command, f"(8,8):({n}){w}") for n, w in (("?,1", ""), ("?,1", " with ?=8"), ("8,1", "")))
        report.check(f"{command[0]} asks for a value", open_.returncode == 2 and ASKED in open_.stderr and not open_.stdout, open_)
        report.check(f"{command[0]} takes it", (given.returncode, given.stdout) == (0, own.stdout), (given, own))
    given, own = (run("suggest", "--type", "half", "--tile", "16x16", "--top", "1", "--src", f"(64,64):({n},1){w}").stdout
                  for n, w in (("?", " with ?=64"), ("64", "")))
    report.check("suggest takes it", own and given.replace("?,1) with ?=64", "64,1)") == own, (given, own))
    for text, want in (("(?,8):(1,?)", "(?,8):(1,?)"), ("select((2,4,8):(?,1,?), (0,1))", "(2,4):(?,1)"),
                       ("append(4:?, (2,2):(1,?))", "(4,(2,2)):(?,(1,?))"), ("size((2,4):(?,?))", "8"), ("(2,4):(?,1)(_,3)", "3@(2):(?)"),
                       ("(2,4):(?,1)(1,0)", "?"), ("make_layout(coalesce((2,4):(1,2)), 4:?)", "(8,4):(1,?)"),
                       ("(4,?) == (4,?)", "true"), ("size((4,8):(?,1)) == 31", "false")):
        done = run("eval", text)
        report.check(f"{text} for all values", (done.returncode, done.stdout) == (0, want + "\n"), done)
    for text in ("reverse((2,4):(?,?))", "(2,4):(?,1)(1,1)", "(2,4,2):(?,1,?)(1,3,0)", "rank(coalesce(make_layout(2:1, layout(2, (2,4):(?,1)(1,1)))))", "size((?,4))", "(?,8):(1,1)(9)", "(?,8):(1,4)(9,3)", "(4,?) == (4,8)", "cosize((2,4):(?,1))", "(Sw<3,0,3> o 0 o (8,8):(?,1))(1,1)"):
        done = run("eval", text)
        report.check(f"{text} asks for a value", done.returncode == 2 and "or `with ?=8` behind" in done.stderr, done)
    text = "Layout((4,8),(8,1))"
    report.check("access says it", run("access", "--kind", "lds", "--type", "half", text).stdout.startswith("pycute: 4 threads"))
    for command in ("draw", "explain"):
        report.check(f"{command} says it", run(command, text).stderr == f"cutlet {command}: read as pycute\n")
    report.check("so does a complaint", run("eval", "Layout<Shape<_4>,_x>").stderr.endswith("read as CuTe C++\n"))
    for line in (f"{text} == (4,8):(1,4)", f"{text} == Layout("):
        done = subprocess.run([cutlet, "check", "-"], input=line, capture_output=True, text=True, timeout=60)
        report.check(f"check says it of {line}", "  read as   pycute\n" in done.stdout + done.stderr, done)


def run(cutlet, *words, lines=None):
    """The status, the output and the complaints of the command; the same words are run once."""
    key = (words, lines)
    if key not in run.found:
        done = subprocess.run([cutlet, *words], input=lines, capture_output=True, text=True, timeout=60)
        run.found[key] = done.returncode, done.stdout.strip(), done.stderr
    return run.found[key]


run.found = {}

# The commands that do the same with a text and with the layout that it is, and how many of the forms they take.
SAME = {("draw",): 70, ("access", "--kind", "lds", "--type", "half"): 44, ("verify", "--tile", "16x64"): 40}


def without_notation(answer):
    """The status and the output of `access`, which begins with the notation, and of another command."""
    for notation in {*NOTATIONS.values(), "Triton", "Gluon"} - {""}:
        answer = answer[0], answer[1].replace(f"{notation}: ", "", 1) if answer[1].startswith(f"{notation}: ") else answer[1]
    return answer[:2]


def check_consumers(report, cutlet, table):
    """Each form in eval, in an operand, in a file of assertions, in explain and in the commands of SAME."""
    taken = dict.fromkeys(SAME, 0)
    for form, text, want in table:
        is_open = "?" in want
        found = run(cutlet, "eval", "--", text)
        report.check(f"{form}: eval {text}", found[:2] == (0, want), found)
        as_json = json.loads(run(cutlet, "eval", "--json", "--", text)[1])
        report.check(f"{form}: eval --json", as_json.get("text") == want, as_json)
        if "==" not in text:
            found = run(cutlet, "eval", "--", f"{want} == {text}")
            report.check(f"{form}: an operand of ==", found[:2] == (0, "true"), found)
        found = run(cutlet, "explain", "--", text)
        report.check(f"{form}: explain", found[0] == 0 and (want in found[1] or want[:9] in ("tiled_mma", "tiled_cop")), found)
        for command in SAME:
            found, own = (without_notation(run(cutlet, *command, "--", t)) for t in (text, want))
            report.check(f"{form}: {command[0]}", found == own and (found[0] == 2) >= is_open, (found, own))
            taken[command] += found[0] != 2
    for command, least in SAME.items():
        report.check(f"{command[0]} takes {least} of the forms", taken[command] >= least, taken)
    lines = "".join(f"{text} == {want} # it is\n" for _, text, want in table if "==" not in text)
    found = run(cutlet, "check", "-", lines=lines)
    report.check("all in a file of assertions", found[:2] == (0, f"{lines.count(chr(10))} passed, 0 failed"), found)


def check_refused(report, cutlet, table):
    """Each command says the same of a form that it refuses."""
    for form, text, why in table:
        for command in (["eval"], ["explain"], *SAME):
            status, out, err = run(cutlet, *command, "--", text)
            report.check(f"{form}: {command[0]} refuses it", status == 2 and not out and why in err, (status, out, err))
        status, out, err = run(cutlet, "check", "-", lines=f"4:1 == {text}")
        report.check(f"{form}: check refuses it", status == 2 and why in out + err, (status, out, err))


PYTHON = """import json, sys, pycutlet
def answer(text):
    try:
        value = pycutlet.evaluate(text)
        return str(value).lower() if isinstance(value, bool) else str(value)
    except pycutlet.Error as error:
        return f"error: {error}"
print(json.dumps([answer(text) for text in json.load(sys.stdin)]))
"""


def check_python(report, python, folder, table):
    done = subprocess.run([python, "-c", PYTHON], input=json.dumps([text for _, text, _ in table]), capture_output=True, text=True,
                          timeout=60, env={**os.environ, "PYTHONPATH": folder})
    answers = json.loads(done.stdout) if done.returncode == 0 else [done.stderr] * len(table)
    for (form, text, want), answer in zip(table, answers):
        why = want[7:] if want.startswith("error: ") else ASKED if "?" in want else None
        report.check(f"{form}: {text} in Python", answer == want if why is None else answer.startswith("error") and why in answer,
                     answer)


def whole(source):
    """The form, the text with its shape, what it is."""
    return [(form, f"{text} of {shape}" if shape else text, want) for form, text, want, shape in rows(source)]


def check(report, cutlet, source, python="", folder=""):
    table = whole(source)
    check_consumers(report, cutlet, [row for row in table if not row[2].startswith("error: ")])
    check_refused(report, cutlet, [(form, text, want[7:]) for form, text, want in table if want.startswith("error: ")])
    if folder:
        check_python(report, python, folder, table)
    for form, text, want, shape in rows(source):
        if shape:
            found = run(cutlet, "convert", "--to", "cutlet", "--shape", shape, text)
            report.check(f"{form}: convert {text} of {shape}", found[:2] == (0, want), found)
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
                  ("[64:+8] {order = [0]}", "the attribute `shape` is missing"),
                  ("[64:+8] {shape = [4, 8]}", "the attribute `order` is missing")]


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
    check_notations(report, sys.argv[1])
    check_padded(report, sys.argv[1])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
