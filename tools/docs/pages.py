"""Writes the site's pages of Python's classes, from their docstrings and hints, and of the command, from its help.

    pages.py HINTS        prints the docstrings of pycutlet with its hints, as JSON
"""

import ast
import inspect
import json
import os
import re
import subprocess
import sys
import textwrap

from man1 import OPTION
from reference import code, escaped


# ---- Python ----------------------------------------------------------------------------------------

def hints(path):
    """{(class or "", name): [signatures]} of a file of hints, in its order."""
    found, bases = {}, []

    def add(owner, body):
        for node in body:
            if isinstance(node, ast.ClassDef):
                add(node.name, node.body)
                bases.append((node.name, [base.id for base in node.bases if isinstance(base, ast.Name)]))
            elif isinstance(node, ast.FunctionDef):
                result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
                given = re.sub(r"^self(, /)?(, )?", "", ast.unparse(node.args))
                found.setdefault((owner, node.name), []).append(f"{node.name}({given}){result}")
            elif isinstance(node, ast.AnnAssign) and owner:
                found.setdefault((owner, node.target.id), []).append(f"{node.target.id}: {ast.unparse(node.annotation)}")
    with open(path, encoding="utf-8") as file:
        add("", ast.parse(file.read()).body)
    for name, of in bases:
        for (owner, member), lines in list(found.items()):
            if owner in of:
                found.setdefault((name, member), lines)
    return found


def described(path):
    """What pycutlet says of itself: of each class and function its signatures and its docstring."""
    import pycutlet
    signatures = hints(path)

    def entry(owner, name, value):
        return {"name": name, "doc": inspect.getdoc(value) or "", "signatures": signatures.get((owner, name), [])}
    names = sorted(name for name in dir(pycutlet) if not name.startswith("_") and callable(getattr(pycutlet, name)))
    classes = []
    for name in (n for n in names if inspect.isclass(getattr(pycutlet, n))):
        of = getattr(pycutlet, name)
        members = [member for member in vars(of) if not member.startswith("_")]
        classes.append({**entry("", name, of), "signatures": signatures.get((name, "__init__"), []),
                        "members": [entry(name, member, getattr(of, member)) for member in sorted(members)]})
    functions = [entry("", name, getattr(pycutlet, name)) for name in names if not inspect.isclass(getattr(pycutlet, name))]
    return {"classes": classes, "functions": functions}


def text_of(doc):
    """A docstring: its paragraphs, and its examples and indented lines as code."""
    out = ""
    for block in re.split(r"\n[ ]*\n", doc.strip("\n")):
        is_code = block.startswith((">>>", "    "))
        out += code("python", textwrap.dedent(block)) if is_code else escaped(" ".join(block.split())) + "\n\n"
    return out


def title(text, line):
    return f"{text}\n{line * len(text)}\n\n"


def entries(all_of, prefix):
    """Functions or members, each with a heading, its signatures and its docstring."""
    out = ""
    for one in all_of:
        lines = [line for line in one["doc"].splitlines() if line]
        listed = bool(lines) and all(line.startswith(one["name"] + "(") for line in lines)  # an operation's forms
        doc = "".join("- ``%s``: %s\n" % (form, escaped(what)) for form, _, what in (line.partition(": ") for line in lines)) + "\n" \
            if listed else text_of(one["doc"])
        out += title(prefix + one["name"], "-") + doc.replace("::", ":")
        out += code("python", "\n".join(one["signatures"])) if one["signatures"] else ""
    return out


def write_python(package, source, folder):
    """A page for each class and one of the functions; False where this build has no package."""
    path = os.path.join(source, "python/pycutlet/__init__.pyi")
    done = subprocess.run([sys.executable, os.path.abspath(__file__), path], capture_output=True, text=True, check=False,
                          env=dict(os.environ, PYTHONPATH=package))
    if done.returncode:
        print(f"pages.py: no pages of Python's classes: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return False
    found = json.loads(done.stdout)
    os.makedirs(folder, exist_ok=True)
    index = title("Python's classes", "=") + "Every class and function of ``pycutlet``, from its docstring.\n\n"
    index += ".. list-table::\n   :widths: 30 70\n\n"
    for one in found["classes"]:
        name = one["name"]
        index += f"   * - :doc:`{name} <{name}>`\n     - {escaped(re.split(r'(?<=[.;]) ', ' '.join(one['doc'].split()))[0])}\n"
        page = title(f"pycutlet.{name}", "=") + text_of(one["doc"])
        page += code("python", "\n".join(line.replace("__init__", name).replace(" -> None", "") for line in one["signatures"])) if one["signatures"] else ""
        write(folder, name, page + entries(one["members"], ""))
    index += "   * - :doc:`The functions <functions>`\n     - What the module has beside the classes; operations are methods, too.\n"
    index += "\n.. toctree::\n   :hidden:\n\n" + "".join(f"   {one['name']}\n" for one in found["classes"]) + "   functions\n"
    write(folder, "functions", title("The functions of pycutlet", "=") + entries(found["functions"], "pycutlet."))
    write(folder, "index", index)
    return True


# ---- the command -----------------------------------------------------------------------------------

def options(lines):
    """Lines of options as a list of definitions."""
    found = []
    for line in lines:
        tag, _, text = line.strip().partition("  ") if OPTION.match(line) else ("", "", line.strip())
        if tag:
            found.append([tag, [text.strip()]])
        elif found:
            found[-1][1].append(text)
        else:
            found.append([text, []])
    return "".join(f"``{tag}``\n   {escaped(' '.join(' '.join(text).split()))}\n\n" for tag, text in found)


def section(text):
    """The help of a command: its usage, paragraphs, options, and other indented lines as code."""
    out = ""
    for block in re.split(r"\n\n+", text.strip("\n")):
        lines = block.split("\n")
        usage = [line for line in lines if line.startswith(("Usage: ", "  or: "))]
        if usage:
            out += code("text", "\n".join(line[7:] for line in usage))
            lines = lines[len(usage):]
        while lines:
            if OPTION.match(lines[0]):
                out += options(lines)
                break
            indented = lines[0].startswith(" ")
            count = next((i for i, line in enumerate(lines) if line.startswith(" ") != indented), len(lines))
            out += code("text", textwrap.dedent("\n".join(lines[:count]))) if indented else escaped(" ".join(lines[:count])) + "\n\n"
            lines = lines[count:]
    return out


def write_command(cutlet, folder):
    """A page for each sub-command, and an index."""
    def help_of(*words):
        return subprocess.run([cutlet, *words, "--help"], check=True, capture_output=True, text=True).stdout
    os.makedirs(folder, exist_ok=True)
    rows = re.findall(r"^  ([a-z]+) .*?  (\S.*)$", help_of(), re.M)
    at = [name for name, _ in rows].index("explain") + 1
    rows[at:at] = [("explain copy", "why a copy's accesses are as wide as they are"),
                   ("explain descriptor", "the matrix descriptor of an operand, field by field"),
                   ("explain tma", "the tensor map of a copy, field by field, and its boxes")]
    index = title("The command", "=") + "What ``cutlet COMMAND --help`` prints: every sub-command and its options.\n\n"
    index += ".. list-table::\n   :widths: 30 70\n\n"
    for name, what in rows:
        page = name.replace(" ", "-")
        index += f"   * - :doc:`cutlet {name} <{page}>`\n     - {escaped(what)}\n"
        write(folder, page, title(f"cutlet {name}", "=") + section(help_of(*name.split())))
    index += "\n.. toctree::\n   :hidden:\n\n" + "".join(f"   cutlet {name} <{name.replace(' ', '-')}>\n" for name, _ in rows)
    write(folder, "index", index)


def write(folder, name, text):
    with open(os.path.join(folder, name + ".rst"), "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    json.dump(described(sys.argv[1]), sys.stdout)
