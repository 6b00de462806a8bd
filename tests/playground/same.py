"""The playground against the command: the same questions to both, wherever the playground runs.

ask(name, fields) gives the playground's answer, ask_many([(name, fields)..]) those of many.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

COPY = "tiled_copy(copy_atom(universal128, 16), (16,8):(8,1), (1,8))"
MMA = "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))"

# Expressions beside those of the files: each kind of value, and texts that are none.
EXPRESSIONS = [
    "5", "_", "3@0", "(2,(3,4))", "((2,4),8):((1,16),2)", "<4:1,8:2>", "640@(64,2):(2,1024)", "Sw<3,4,3>",
    "Sw<3,4,3> o 0 o (8,64):(64,1)", "copy_atom(ldmatrix_x4, 16)", COPY, "SM80_16x8x16_F32F16F16F32_TN", MMA,
    "(4,8):(1@0,1@1)", "offsets((4,6):(6,1))", "size(4:1) == 4", "(4,8):(8,1)(2,3)", "(4,8):(8,1)(2,_)",
    "", " ", "composition((6,2):(8,2), (4,3):(3,1)", "compositoin(4:1, 2:1)", "composition(4:1)", "4:1:2", "(4,8):(8)",
    "0:1", "99999999999999999999:1", "composition((4,6):(1,10), 6:3)", "complement((2,2):(2,6), 24)", "é:1", "4:1 “”",
    "\"quoted\\\"", "<b>4:1</b>", "(" * 60, "size(" * 60, "1," * 300, "composition(4:1, 2:1) == 2:1 == 3",
]

VERIFY = [
    ("copy", [COPY], {"src": "(512,512):(512,1)"}), ("copy that is misaligned", [COPY], {"src": "(512,512):(513,1)"}),
    ("copy into swizzled memory", [COPY], {"shared": "Sw<3,3,3> o 0 o (16,64):(64,1)", "shared_bytes": "2048"}),
    ("layout", ["(32,4):(1,32)"], {"tile": "(8,16)"}), ("layout with holes", ["(32,4):(2,32)"], {"tile": "8x16"}),
    ("layout of floats", ["(32,4):(4,1)"], {"tile": "(4,32)", "type": "float", "bits": "128", "src": "(4,32):(32,1)"}),
    ("MMA", [MMA], {}), ("MMA with conflicts", [MMA], {"shared_a": "(32,64):(64,1)", "shared_b": "(16,64):(64,1)"}),
    ("MMA that is fed", [MMA], {"shared_a": "Sw<3,3,3> o 0 o (32,64):(64,1)"}),
    ("MMA by another architecture", [MMA], {"shared_a": "(32,64):(64,1)", "arch": "sm_80"}),
    ("MMA atom", ["SM90_64x64x16_F32F16F16_SS"], {"shared_a": "Sw<3,4,3> o 0 o (64,64):(64,1)"}),
]

ACCESS = [
    ("rows through a swizzle", "(32,8):(1,32)", {"kind": "lds", "type": "half", "memory": "(32,64):(64,1)", "swizzle": "Sw<3,3,3>"}),
    ("neighbours", "(32,8):(8,1)", {"kind": "ldg", "type": "half", "memory": "256:1"}),
    ("a column", "(32,1):(1,0)", {"kind": "ldg", "type": "float", "memory": "(32,32):(32,1)"}),
    ("the second instruction", "(64,8):(1,64)", {"kind": "stg", "type": "double", "bits": "64", "memory": "(64,8):(1,64)",
                                               "warp": "1", "instruction": "2"}),
    ("a padded column", "(32,1):(1,0)", {"kind": "sts", "type": "float", "memory": "(32,32):(33,1)", "arch": "sm_80"}),
    ("a copy's loads", COPY, {"kind": "ldg", "memory": "(512,512):(512,1)", "warp": "3"}),
    ("a copy's stores", COPY, {"kind": "sts", "memory": "(16,64):(64,1)", "swizzle": "Sw<3,3,3>"}),
]

SUGGEST = [
    {"type": "half", "tile": "128x64", "read": "ldmatrix", "src": "(4096,4096):(4096,1)"},
    {"type": "float", "tile": "64x64", "threads": "256", "src": "(4096,4096):(4096,1)", "dst": "(4096,4096):(1,4096)"},
    {"type": "e4m3", "tile": "(64,64)", "read": "cols", "src": "(1024,1024):(1,1024)", "no_cp_async": "1"},
]

# What a panel asks of the command itself, and the command's own words for it.
COMMANDS = [
    ("convert", {"layout": "(4,8):(8,1)", "to": "cute"}), ("convert", {"layout": "[4 x", "to": "cute"}),
    ("convert", {"layout": "gl.SwizzledSharedLayout(8, 1, 8, [1, 0])", "to": "cutlet", "shape": "64x64"}),
    ("convert", {"layout": "(4,8):(8,1)", "to": "numpy", "type": "half"}), ("convert", {"to": "cute"}),
    ("convert", {"layout": "((2,2),2):((1,4),2)", "to": "triton-blocked"}),
    ("explain copy", {"src": "(512,512):(516,1)", "dst": "(512,512):(512,1)", "thr": "(16,8):(8,1)", "val": "(1,8)", "src-align": "4"}),
    ("explain copy", {"src": "(4096,4096):(4096,1)", "dst": "(64,64):(64,1)"}), ("explain copy", {"src": "(512,512):(?,1)", "arch": "sm_100"}),
    ("explain copy", {"src": "(512,512):(512,1"}), ("explain copy", {"arch": "sm_1"}),
    ("explain descriptor", {"layout": "Sw<3,3,3> o 0 o (64,64):(64,1)", "operand": "a", "atom": "SM90_64x128x16_F32F16F16_SS"}),
    ("explain descriptor", {"layout": "(64,64):(64,1)", "operand": "b", "atom": "SM90_64x128x16_F32F16F16_SS", "address": "1024"}),
    ("explain tma", {"layout": "(4096,4096):(4096,1)", "box": "128x128", "type": "half", "swizzle": "128"}),
    ("explain tma", {"layout": "(64,64):(65,1)", "box": "8x8"}), ("explain tma", {"layout": "4:1", "box": "8x", "address": "x"}),
    ("compare", {"src": "(4096,4096):(4096,1)", "copy.1": "(16,8):(8,1) x (1,8)", "copy.2": "(16,8):(1,16) x (8,1)"}),
    ("compare", {"src": "(64,64):(64,1)", "type": "float", "shared": "Sw<2,2,3> o 0 o (64,64):(64,1)", "copy.1": "(8,16):(16,1) x (1,4)"}),
    ("compare", {"src": "(64,64):(64,1)", "copy.1": "(8,16):(16,1)"}), ("compare", {"src": "(4096,4096):(1,4096)", "copy.1": "(3,8) x (1,8)"}),
]


def command(cutlet, *words):
    """The exit status, the output and the complaints of the command."""
    done = subprocess.run([cutlet, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def files(source):
    """The files of assertions: those of the tests, and the example."""
    found = glob.glob(os.path.join(source, "tests", "**", "*.check"), recursive=True)
    return sorted(found) + [os.path.join(source, "examples/layout_tests.check")]


def sides(line):
    """The two sides of an assertion, and it as a whole."""
    parts = re.split(r" (?:==|~) ", line)
    return [line, *(part for part in parts if part.strip() != "error")]


def assertions(path):
    """The lines of a file that assert something, without their comments."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split("#")[0].strip() for line in file]
    return [line for line in lines if line]


def check_files(report, cutlet, source, ask_many):
    """Every line of every file: the verdict, and the value of the line and of each side."""
    for path in files(source):
        name, lines = os.path.basename(path), assertions(path)
        status, out, _ = command(cutlet, "check", "-q", path)
        verdicts = ask_many([("check", {"text": line}) for line in lines])
        bad = [line for line, v in zip(lines, verdicts) if v.get("outcome") != "passed"]
        counted = re.match(r"(\d+) passed, 0 failed", out)
        report.check(f"{name}: every line passes, as by the command",
                     status == 0 and counted and int(counted[1]) == len(lines) and not bad,
                     f"{out}{len(lines)} lines, {len(bad)} bad: {bad[:3]}")
        check_values(report, f"{name}: values", cutlet, [e for line in lines for e in sides(line)], ask_many)


def evaluated(cutlet, expressions):
    """What `cutlet eval --json` says of each."""
    found = []
    for at in range(0, len(expressions), 200):
        _, out, _ = command(cutlet, "eval", "--json", "--", *expressions[at:at + 200])
        found += [json.loads(line) for line in out.splitlines()]
    return found


def check_values(report, name, cutlet, expressions, ask_many):
    expected = evaluated(cutlet, expressions)
    got = ask_many([("eval", {"text": e}) for e in expressions])
    wrong = []
    for e, want, have in zip(expressions, expected, got):
        error, other = want.get("error"), have.get("error", {})
        same = (want.get("text") == have.get("text") if not error else
                all(error[key] == other.get(key) for key in ("message", "at", "length")))
        if not same:
            wrong.append(f"{e}\n  the command {want}\n  the page    {have}")
    report.check(f"{name}: {len(expressions)} expressions", len(got) == len(expected) == len(expressions) and not wrong,
                 "\n".join(wrong[:5]))


def check_texts(report, cutlet, expressions, ask):
    """The steps, the place of an error and the picture of each."""
    steps, places, pictures, drawn = [], [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.svg")
        for e in expressions:
            if ask("explain", {"text": e})["explain"] != command(cutlet, "explain", "--", e)[1]:
                steps.append(e)
            status, _, err = command(cutlet, "eval", "--", e)
            place = ask("eval", {"text": e}).get("error", {}).get("place")
            if status and err.split("\n", 1)[1] != place:
                places.append(f"{e}\n{err}{place}")
            status, _, err = command(cutlet, "draw", "-o", path, "--", e)
            answer = ask("draw", {"text": e})
            if status:
                why = answer.get("no_svg") or answer.get("error", {}).get("message")
                if err.split("\n")[0] != f"cutlet draw: {why}":
                    pictures.append(f"{e}\n{err}{why}")
                continue
            with open(path, encoding="utf-8") as file:
                drawn += 1
                if file.read() != answer.get("svg"):
                    pictures.append(e)
    count = len(expressions)
    report.check(f"the steps of {count} expressions are those of `cutlet explain`", not steps, "\n".join(steps[:5]))
    report.check("the places of errors are those of the command", not places, "\n".join(places[:5]))
    report.check(f"pictures, {drawn} of them, are those of `cutlet draw`", drawn > 5 and not pictures, "\n".join(pictures[:5]))


def options(fields):
    return [word for key, value in fields.items() for word in
            ([f"--{key.replace('_', '-')}"] if value == "1" and key == "no_cp_async" else [f"--{key.replace('_', '-')}", value])]


def check_verify(report, cutlet, ask):
    for name, words, fields in VERIFY:
        a = ask("verify", {"subject": words[0], **fields})
        lines = [a.get("head", "")]
        for p in a.get("properties", []):
            lines.append(f"  {p['property']:<18} {'ok' if p['ok'] else 'FAILS':<6} {p['text']}")
            if p.get("nearest"):
                lines.append(f"  {'':<18} {'':<6} the nearest layout that works: {p['nearest']}")
        _, out, err = command(cutlet, "verify", *options(fields), "--", *words)
        report.check(f"verify: {name}", out.splitlines() == lines and out, f"{out}{err}\n{a}")


def check_access(report, cutlet, ask):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "access.svg")
        for name, subject, fields in ACCESS:
            a = ask("access", {"subject": subject, **fields})
            is_copy, store = subject == COPY, fields["kind"] in ("stg", "sts")
            if is_copy:
                side = "dst" if store else "src"
                words = [f"--{side}", fields["memory"], f"--{side}-kind", fields["kind"]]
            else:
                words = [w for key in ("kind", "type", "bits", "memory") if key in fields for w in (f"--{key}", fields[key])]
            words += ["--arch", fields["arch"]] if "arch" in fields else []
            _, out, err = command(cutlet, "access", "--json", *words, "--", subject)
            row = json.loads(out)["access"][0] if out else {}
            numbers = {key: values[0] for key, values in a.get("before", {}).items()}
            report.check(f"access: {name}: the counts", numbers and all(row[key] == n for key, n in numbers.items()), f"{row}\n{numbers}\n{err}{a.get('error')}")
            _, out, err = command(cutlet, "draw", "access", *options(fields), "-o", path, "--", subject)
            with open(path, encoding="utf-8") as file:
                report.check(f"access: {name}: the picture", file.read() == a.get("svg"), f"{out}{err}")


def check_suggest(report, cutlet, ask):
    for fields in SUGGEST:
        a = ask("suggest", fields)
        _, out, err = command(cutlet, "suggest", *options(fields))
        _, listed, _ = command(cutlet, "suggest", "--json", "--top", "8", *options(fields))
        code, items = a.get("code", {}), a.get("items", [])
        squeezed = " ".join(out.split())
        report.check(f"suggest {fields['type']}: reason and code",
                     code and f"\nC:\n\n{code['c']}\nCuTe C++:\n\n{code['cute']}" in out and a["reason"] in squeezed,
                     f"{err}{out}\n{a}")
        want = [(c["cycles"], c["shared"]["text"], c["cost"]["wavefronts"]) for c in json.loads(listed)["candidates"]]
        report.check(f"suggest {fields['type']}: the best {len(want)}",
                     want == [(i["cycles"], i["shared"], i["cost"]["wavefronts"]) for i in items], f"{want}\n{items}")


def check_commands(report, cutlet, ask):
    """Every panel that asks the command: its status, what it prints and what it complains."""
    for name, fields in COMMANDS:
        a = ask("command", {"command": name, **fields})
        words = [w for key, value in fields.items() for w in ([value] if key == "layout" else ["--" + key.split(".")[0], value])]
        want = command(cutlet, *name.split(), *words, *(["--no-gpu"] if name == "compare" else []))
        report.check(f"{name} {fields}", (a.get("status"), a.get("out"), a.get("err")) == want, f"{a}\n{want}")


def check_all(report, cutlet, source, ask, ask_many, every):
    """All of it; of the assertions' expressions the steps and pictures of each so-manieth."""
    check_files(report, cutlet, source, ask_many)
    check_values(report, "values of each kind, and errors", cutlet, EXPRESSIONS, ask_many)
    sample = [line for path in files(source) for line in assertions(path)][::every]
    check_texts(report, cutlet, EXPRESSIONS + [sides(line)[1] for line in sample], ask)
    check_verify(report, cutlet, ask)
    check_access(report, cutlet, ask)
    check_suggest(report, cutlet, ask)
    check_commands(report, cutlet, ask)

