#!/usr/bin/env python3
"""The table of docs/porting.txt: what each name of CuTe is in cutlet.

    porting.py CUTLET SOURCE            checks that docs/porting.md is written from it, and that what it names exists
    porting.py --update CUTLET SOURCE   writes docs/porting.md anew

tests/convert/against_porting.py runs its calls in CuTe, PyCuTe and cutlet.
"""

import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))
import tap

KEYS = ("cute", "pycute", "ct", "call", "py", "eval", "cute gives", "pycute gives", "as", "note")
NAMES = ("cute", "pycute", "ct")
# A value in a call: {4}, {(2,3)}, {(4,8):(8,1)}, {tensor (4,8):(8,1)}
VALUE = re.compile(r"\{(tensor )?(-?\d+|[(\d][^{}]*)\}")

HEAD = """# Moving from CuTe

What each name of CuTe C++ (CUTLASS 4.2) and of PyCuTe is in cutlet. `tests/convert/porting.py` writes this page from
`docs/porting.txt`. The tests run the examples in CuTe, in PyCuTe and here: all give the result that stands here, unless
the last column says what CuTe gives. A header without a folder is in `cutlet/algebra/`.

Three things differ everywhere:

- A layout is a value of one C type, not a C++ type of its own: there is no `Int<4>`, and a constant is one where the
  compiler knows it (`CT_CONST` on the host, `CT_STATIC` in a kernel).
- A function that has no exact answer returns a failed value, whose reason `ct_err` tells. CuTe refuses to compile, or
  returns something else.
- Functions that take a tile for each mode end in `_by`, and those of tensors begin with `ct_tensor_`.

`cutlet convert --to cutlet 'Layout<Shape<_4,_8>,Stride<_8,_1>>'` reads what CuTe prints, its types and its calls, and
`--to cute` writes them. [Where CuTe and cutlet differ](differences.md) has the differences by themselves.
"""


class Row:
    def __init__(self, line):
        self.line, self.fields = line, {}

    def __getattr__(self, name):
        key = name.replace("_", " ")
        value = self.fields.get(key, "")
        return value.split() if key in NAMES else value

    def eval_text(self):
        """The example in cutlet's words."""
        return self.eval or VALUE.sub(lambda m: m.group(2), self.call)

    def py_text(self):
        """The example in PyCuTe's words, empty where there is none."""
        return "" if not self.pycute or self.py == "-" else self.py or self.call


class Section:
    def __init__(self, title):
        self.title, self.text, self.rows = title, [], []


def read(path):
    """(sections, internal names) of the table."""
    sections, internal = [], set()
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            line = line.rstrip("\n")
            fields = [cell.partition(": ") for cell in line.split("\t")]
            if line.startswith("#") or not line.strip():
                continue
            if line.startswith("== "):
                sections.append(Section(line[3:]))
            elif fields[0][0] == "internal":
                internal |= set(fields[0][2].split())
            elif all(key in KEYS and colon for key, colon, _ in fields):
                row = Row(number)
                row.fields = {key: value for key, _, value in fields}
                if len(row.fields) < len(fields):
                    raise ValueError(f"line {number}: a second field of one name")
                sections[-1].rows.append(row)
            elif sections and not sections[-1].rows and len(fields) == 1:
                sections[-1].text.append(line)
            else:
                raise ValueError(f"line {number}: `{line}` is not a row")
    return sections, internal


def declared(source):
    """The public names of cutlet, and the header of each."""
    found = {}
    patterns = (r"^(?:CT_FN|CT_DEVICE|CT_KERNEL)\b[^(\n]*?\b(ct_\w+)\(", r"^#define (CT_\w+|ct_\w+)", r"^\} (ct_\w+);",
                r"^[a-z][\w \*]*?[ *](ct_\w+)\(")
    for folder in ("include/cutlet/algebra", "include/cutlet/copy", "include/cutlet/mma", "include/cutlet/host", "device/*"):
        for path in sorted(glob.glob(os.path.join(source, folder, "*.h"))):
            with open(path, encoding="utf-8") as header:
                text = header.read()
            name = os.path.relpath(path, os.path.join(source, "include"))
            if folder == "device/*":
                name = "cutlet/" + os.path.relpath(path, source)
            for pattern in patterns:
                for match in re.findall(pattern, text, re.M):
                    found.setdefault(match, name)
    return found


def code(names):
    return ", ".join(f"`{name}`" for name in names)


def cell(text):
    return text.replace("|", "\\|")


def example(row, cutlet):
    """The example and its result, in cutlet's words."""
    if not row.call:
        return ""
    status, output = tap.run([cutlet, "eval", row.eval_text()])
    return f"`{row.eval_text()}` is {'an error' if status else f'`{output.strip()}`'}"


def difference(row):
    words = []
    if row.cute_gives:
        words.append("CuTe does not compile it." if row.cute_gives == "error" else f"CuTe gives `{row.cute_gives}`.")
    if row.pycute_gives:
        words.append("PyCuTe raises." if row.pycute_gives == "error" else f"PyCuTe gives `{row.pycute_gives}`.")
    return " ".join(words + ([row.note] if row.note else []))


def in_cute(row):
    """The names of CuTe C++ and, where they are others, of PyCuTe."""
    own = [name for name in row.pycute if name not in row.cute]
    if not row.pycute:
        return code(row.cute)
    if not own:
        return f"{code(row.cute)} (PyCuTe too)"
    return "; ".join(([code(row.cute)] if row.cute else []) + [f"PyCuTe: {code(row.pycute)}"])


def in_headers(row, headers):
    """The functions of cutlet and the headers that have them."""
    if row.ct == ["none"]:
        return "none"
    where = []
    for name in row.ct:
        if name in headers:
            where.append(headers[name].replace("cutlet/algebra/", ""))
    return f"{code(row.ct)} in {code(dict.fromkeys(where))}"


def page(sections, headers, cutlet):
    """docs/porting.md"""
    lines = [HEAD]
    for section in sections:
        lines += [f"## {section.title}", ""]
        if section.text:
            lines += ["\n".join(section.text), ""]
        lines += ["| CuTe | cutlet | example | what differs |", "|---|---|---|---|"]
        for row in section.rows:
            cells = [in_cute(row), in_headers(row, headers), example(row, cutlet), difference(row)]
            lines.append("| " + " | ".join(cell(c) for c in cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main():
    update = sys.argv[1:2] == ["--update"]
    if len(sys.argv) != 3 + update:
        tap.die(__doc__)
    cutlet, source = sys.argv[1 + update:]
    sections, _ = read(os.path.join(source, "docs/porting.txt"))
    headers = declared(source)
    text, path = page(sections, headers, cutlet), os.path.join(source, "docs/porting.md")
    if update:
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return 0
    report = tap.Report()
    with open(path, encoding="utf-8") as written:
        report.check("docs/porting.md is of this table", written.read() == text,
                     "run: tests/convert/porting.py --update build/cutlet .")
    rows = [row for section in sections for row in section.rows]
    report.check("the table has rows and examples", len(rows) > 100 and sum(1 for r in rows if r.call) > 60, len(rows))
    for row in rows:
        name = f"line {row.line}, {(row.cute or row.pycute)[0]}"
        missing = [n for n in row.ct if n not in headers and n != "none"]
        report.check(f"{name}: what it is in cutlet exists", row.ct and not missing, missing)
        report.check(f"{name}: it is explained where there is no function", row.ct != ["none"] or row.note)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
