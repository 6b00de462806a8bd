#!/usr/bin/env python3
"""The playground's requests, answered natively, against the command; its code; its colours.

    test_playground.py CUTLET NATIVE SOURCE CC LIBRARY
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import same
from same import tap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../convert"))
import notations


class Native:
    """The program that answers requests; see native.c."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, name, fields):
        texts = [name, *(text for key, value in fields.items() if value for text in (key, value))]
        data = "\0".join(texts).encode() + b"\0\0"
        self.process.stdin.write(b"%d\n" % len(data) + data)
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask_many(self, requests):
        return [self.ask(*request) for request in requests]

    def close(self):
        self.process.stdin.close()
        return self.process.wait(30)


def check_errors(report, ask):
    """Each error names its field, and nothing else is said."""
    table = [
        ("nothing", {}, ""), ("eval", {}, "text"), ("access", {}, "kind"), ("verify", {}, "subject"),
        ("verify", {"subject": "4:1"}, "tile"), ("verify", {"subject": "5:1", "tile": "(5"}, "tile"),
        ("verify", {"subject": same.COPY, "src": "Sw<3,3,3>"}, "src"), ("verify", {"subject": "Sw<3,3,3>"}, "subject"),
        ("verify", {"subject": same.COPY, "shared_bytes": "many"}, "shared_bytes"),
        ("verify", {"subject": same.MMA, "arch": "sm_1"}, "arch"),
        ("access", {"kind": "lds", "subject": "4:1"}, "subject"), ("access", {"kind": "walk", "subject": "(4,1)"}, "kind"),
        ("access", {"kind": "lds", "subject": same.COPY}, "memory"),
        ("access", {"kind": "lds", "subject": "(32,1)", "warp": "-1"}, "warp"),
        ("access", {"kind": "lds", "subject": "(32,1)", "type": "quarter"}, "type"),
        ("access", {"kind": "ldg", "subject": "(32,1)", "swizzle": "Sw<3,3,3>"}, "swizzle"),
        ("access", {"kind": "lds", "subject": "(32,1)", "swizzle": "4:1"}, "swizzle"),
        ("access", {"kind": "lds", "subject": "(32,1)", "instruction": "7"}, "subject"),
        ("suggest", {}, "tile"), ("suggest", {"tile": "64x64"}, "src"),
        ("suggest", {"tile": "64x64", "src": "(64,64):(64,1)", "type": "longdouble"}, "type"),
        ("suggest", {"tile": "64x64", "src": "(64,64):(64,1)", "read": "twice"}, "read"),
        ("suggest", {"tile": "64x64", "src": "Sw<3,3,3> o 0 o (64,64):(64,1)"}, "src"),
        ("suggest", {"tile": "64x64", "src": "(32,32):(32,1)"}, ""),
        ("command", {}, "command"), ("command", {"command": "gemm"}, "command"),
    ]
    for name, fields, field in table:
        a = ask(name, fields)
        report.check(f"error of {name} {fields}", a.get("error", {}).get("field") == field and a["error"]["message"], a)


def check_show(report, ask):
    a = ask("show", {"text": "((2,4),8):((1,16),2)"})
    facts = [a.get(key) for key in ("kind", "text", "rank", "depth", "size", "cosize")]
    report.check("show: the facts", facts == ["a layout", "((2,4),8):((1,16),2)", 2, 2, 64, 64], a)
    report.check("show: a picture and code", a["svg"].startswith("<svg") and set(a["code"]) == {"c", "cute", "python", "systems"}, a)
    systems = ask("show", {"text": "(4,8):(8,1)"})["code"]["systems"]
    report.check("other systems", "cute-dsl\ncute.make_layout((4, 8), stride=(8, 1))\n" in systems and "strides=(16, 2)" in systems, systems)
    a = ask("show", {"text": "composition((4,6):(1,10), 6:3)"})
    report.check("show: the steps up to a failure", a["error"]["at"] == 0 and "composition" in a["explain"], a)
    report.check("show: an integer has no picture", "no picture" in ask("show", {"text": "size(4:1)"})["no_svg"])
    a = ask("show", {"text": "((2,4),(2,2)):((8,1),(4,16))", "tile": "4x8"})
    report.check("show: over a tile", "8 threads" in a["svg"], a)
    a = ask("show", {"text": "tensor<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>>"})
    report.check("show: another system's text, and in whose notation", a["notation"] == "Triton" and a["text"].startswith("Sw<"), a)
    a = ask("operations", {})
    names = {o["name"] for o in a["operations"]}
    report.check("the lists", {"composition", "tiled_copy"} <= names and len(a["atoms"]) > 100, len(names))
    a = ask("choices", {})
    report.check("the choices", "cute-dsl" in a["systems"] and "half" in a["types"] and a["archs"][0] == "sm_90" and a["version"], a)


CUTE = {
    "((2,4),8):((1,16),2)": "Layout<Shape<Shape<Int<2>, Int<4>>, Int<8>>,\n    Stride<Stride<Int<1>, Int<16>>, Int<2>>>{}",
    "4:1": "Layout<Int<4>,\n    Int<1>>{}",
    "(4,8):(1@0,3@1)": "Layout<Shape<Int<4>, Int<8>>,\n    Stride<E<0>, ScaledBasis<Int<3>,1>>>{}",
    "Sw<3,4,3> o 0 o (8,64):(64,1)": "make_composed_layout(Swizzle<3, 4, 3>{}, Int<0>{},\n    "
                                     "Layout<Shape<Int<8>, Int<64>>,\n    Stride<Int<64>, Int<1>>>{})",
    "copy_atom(ldmatrix_x4_trans, 16)": "Copy_Atom<SM75_U16x8_LDSM_T, uint_bit_t<16>>{}",
    "copy_atom(cp_async_cg128, 16)": "Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint_bit_t<128>>, uint_bit_t<16>>{}",
    "SM80_16x8x16_F32F16F16F32_TN": "MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}",
}


def check_notations(report, ask, source):
    """Each form that people paste, as the page shows it."""
    for form, text, want in notations.whole(source):
        shown = ask("show", {"text": text})
        why = want[7:] if want.startswith("error: ") else None
        report.check(f"{form}: {text} on the page", why in str(shown.get("error")) if why else shown.get("text") == want and
                     ("?" in want or "svg" in shown or "no_svg" in shown) and shown.get("explain"), shown)


def check_code(report, ask, source, cc, library):
    """The C of each value makes this value; CuTe's forms are as its headers have them."""
    blocks, texts = [], []
    for e in same.EXPRESSIONS:
        a = ask("show", {"text": e})
        made = re.search(r"\n\n(ct_\w+) value = (.*);\n$", a.get("code", {}).get("c", ""), re.S)
        by_text = re.search(r'\n\n(ct_value value;\nct_evaluate.*\n)$', a.get("code", {}).get("c", ""), re.S)
        if made:
            form = "ct_format_" + made[1].removeprefix("ct_")
            blocks.append(f"{{ {made[1]} value = {made[2]}; {form}(text, sizeof text, value); puts(text); }}")
        elif by_text:
            blocks.append(f"{{ {by_text[1]} ct_format_value(text, sizeof text, &value); puts(text); ct_value_free(&value); }}")
        else:
            continue
        texts.append(a["text"])
    program = ("#include <stdio.h>\n#include <cutlet/cutlet.h>\n#include <cutlet/algebra/read.h>\n#include <cutlet/host/eval.h>\n"
               "static char text[CT_TEXT_BYTES];\nint main(void)\n{\n" + "\n".join(blocks) + "\nreturn 0;\n}\n")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "code.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program)
        status, out = tap.run([cc, "-std=gnu11", f"-I{source}/include", path, library, "-o", path[:-2], "-lm", "-ldl", "-lpthread"])
        if status == 0:
            status, out = tap.run([path[:-2]])
        report.check(f"the C of {len(blocks)} values makes them", status == 0 and len(blocks) > 12 and out.splitlines() == texts,
                     f"{tap.tail(out)}\n{texts}")
    for e, want in CUTE.items():
        code = ask("show", {"text": e})["code"]["cute"]
        report.check(f"CuTe: {e}", f"auto value = {want};" in code, code)
    python = ask("show", {"text": "(4,8)"})["code"]["python"], ask("show", {"text": "(4,8):(8,1)"})["code"]["python"]
    report.check("Python", 'pycutlet.evaluate("(4,8)")' in python[0] and 'pycutlet.Layout("(4,8):(8,1)")' in python[1], python)


# ---- the page's sources ----

def luminance(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    """As WCAG 2 defines it."""
    bright, dim = sorted((luminance(a), luminance(b)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def check_colors(report, source):
    with open(os.path.join(source, "tools/playground/page/style.css"), encoding="utf-8") as file:
        css = file.read()
    light, dark = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part)) for part in re.findall(r":root \{(.*?)\}", css, re.S)]
    pairs = [(text, ground, 4.5) for ground in ("page", "panel") for text in ("ink", "soft", "good", "poor")]
    pairs += [(f"mark-{i}", "page", 4.5) for i in range(5)] + [("poor", "poor-panel", 4.5), ("ink", "poor-panel", 4.5)]
    pairs += [(line, "page", 3) for line in ("edge", "link")] + [("link", "panel", 3)]
    report.check("black on white has a contrast of 21", round(contrast("#000000", "#ffffff"), 2) == 21)
    for name, colors in (("light", light), ("dark", dark)):
        low = [f"{a} on {b}: {contrast(colors[a], colors[b]):.2f}, not {least}" for a, b, least in pairs
               if contrast(colors[a], colors[b]) < least]
        report.check(f"{len(pairs)} pairs of {name} colours have their contrast", len(colors) > 8 and not low, "\n".join(low))
    other = re.sub(r":root \{.*?\}", "", css, flags=re.S)
    report.check("no other colours are used", not re.search(r"#[0-9a-f]{3,8}\b(?! *\{)", other.replace("#r-list", "").replace("#s-best", "")))


def main(report, cutlet, native, source, cc, library):
    play = Native(native)
    same.check_all(report, cutlet, source, play.ask, play.ask_many, 100 if tap.ALL else 400)
    check_errors(report, play.ask)
    check_show(report, play.ask)
    check_notations(report, play.ask, source)
    check_code(report, play.ask, source, cc, library)
    check_colors(report, source)
    report.check("it ends well", play.close() == 0)


tap.main(main)
