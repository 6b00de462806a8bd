"""Writes the API reference as reStructuredText, a page for each header, from the doc comments."""

import os
import re

from headers import GROUPS, headers

HEADINGS = {"Example": "Example", "Tested": "Tested by"}
LISTINGS = ("In C", "In a kernel")  # fields that are code


def escaped(text):
    """Text as reStructuredText has it, with code in backquotes and names of functions as links."""
    pieces = re.split(r"`([^`]+)`", text)
    for i, piece in enumerate(pieces):
        if i % 2:
            pieces[i] = f"``{piece}``" if piece.strip() == piece else piece
        else:
            piece = re.sub(r"([\\`*|_])", r"\\\1", piece)
            pieces[i] = re.sub(r"\b(ct\\_(?:\w|\\_)*\w)(?:\(\))?(?![\w\\(])",
                               lambda name: "\\ :ct:`%s`\\ " % name.group(1).replace("\\", ""), piece)
    return "".join(pieces)


def blocks(text, indent=""):
    """Paragraphs, lists, and code (what is indented by four or more) of a comment."""
    out = []
    for block in re.split(r"\n[ ]*\n", text.strip("\n")):
        lines = block.splitlines()
        while lines:
            code = [line for line in _while(lines, lambda line: line.startswith("    "))]
            if code:
                out += [f".. code-block:: {language(code)}", "   :force:", ""] + ["   " + line[4:] for line in code] + [""]
                lines = lines[len(code):]
                continue
            prose = _while(lines, lambda line: not line.startswith("    "))
            lines = lines[len(prose):]
            item = None
            for line in prose:
                found = re.match(r" +(- |\d+\. )(.*)", line)
                if found:
                    if item is None:
                        out.append("")
                    out.append("- " + escaped(found.group(2)))
                    item = "  "
                else:
                    out.append((item or "") + escaped(line.strip()))
            out.append("")
    return "\n".join(indent + line if line else "" for line in out).rstrip() + "\n\n"


def _while(lines, wanted):
    for i, line in enumerate(lines):
        if not wanted(line):
            return lines[:i]
    return lines


def language(lines):
    """What a listing of a comment is in."""
    return "c" if any(re.search(r"[;{]\s*(/\*.*\*/)?$|^#include", line) for line in lines) else "text"


def code(name, text, indent=""):
    """A listing in a language."""
    body = "\n".join(indent + "   " + line if line.strip() else "" for line in text.splitlines())
    return f"{indent}.. code-block:: {name}\n{indent}   :force:\n\n{body}\n\n"


def fields(comment, indent):
    """The fields, examples together as code."""
    text, examples = "", comment.field("Example")
    rows = []
    for name, body in comment.fields:
        if name == "":
            text += blocks(body, indent)
        elif name in LISTINGS:
            rows.append(f"{indent}:{name}:\n\n" + code("c", body, indent + "   ").rstrip() + "\n\n")
        elif name != "Example":
            body = re.sub(r"\s*\[law_\w+\]", "", body)
            rows.append(f"{indent}:{HEADINGS.get(name, name)}:\n" + blocks(body, indent + "   ").rstrip() + "\n")
    text += "".join(rows) + ("\n" if rows else "")
    if examples:
        lines = "\n".join(examples)
        text += code(language(lines.splitlines()), lines, indent)
    return text


def declaration(d):
    """One declaration: a directive of the C domain, or code where C's domain has none."""
    out, indent = "", "   "
    if d.kind == "function":
        out = f".. c:function:: {d.code}\n\n"
    elif d.kind == "macro":
        out = f".. c:macro:: {d.code}\n\n"
    elif d.name and not d.code.startswith("enum"):
        out = f".. c:type:: {d.name}\n\n"
    else:
        indent = ""
    if d.comment:
        out += blocks(d.comment.text, indent)
        out += fields(d.comment, indent)
    if d.kind == "type":
        out += code("c", d.code, indent)
    return out + "\n"


def page(header, title):
    """The page of a header."""
    path = "cutlet/" + header.name
    out = f".. _{path}:\n\n{path}\n{'=' * len(path)}\n\n"
    out += code("c", f"#include <{path}>")
    if header.comment:
        out += blocks(header.comment.text) + fields(header.comment, "")
    for kinds, heading in ((("type",), "Types"), (("macro",), "Macros"), (("function",), "Functions")):
        found = header.public(kinds)
        if found:
            out += f"{heading}\n{'-' * len(heading)}\n\n" + "".join(map(declaration, found))
    return out


def first_sentence(comment):
    text = " ".join(comment.text.split("\n\n")[0].split()) if comment else ""
    return re.split(r"(?<=[.:;]) ", text)[0].rstrip(":;")


def write(source, folder):
    """Writes the pages of a source tree into a folder; returns the names of what they document."""
    found, names = headers(source), set()
    index = "API reference\n=============\n\n" \
        "Every function, type and macro that a program may use, from the headers' own comments.\n\n"
    for group, title in GROUPS:
        members = [h for h in found if h.group == group and (h.public() or not h.internal) and h.public()]
        if not members:
            continue
        index += f"{title}\n{'-' * len(title)}\n\n.. list-table::\n   :widths: 30 70\n\n"
        for header in members:
            name = header.name[:-2]
            path = os.path.join(folder, name + ".rst")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(page(header, title))
            names |= {d.name for d in header.public() if d.name}
            index += f"   * - :doc:`{os.path.basename(name)}.h <{name}>`\n     - {escaped(first_sentence(header.comment))}\n"
        index += f"\n.. toctree::\n   :hidden:\n   :caption: {title}\n\n" + \
            "".join(f"   {os.path.basename(h.name)} <{h.name[:-2]}>\n" for h in members) + "\n"
    with open(os.path.join(folder, "index.rst"), "w", encoding="utf-8") as file:
        file.write(index)
    return names
