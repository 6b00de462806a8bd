#!/usr/bin/env python3
"""Checks every #include against the table of folders in CONTRIBUTING.md: a file includes only from
its own folder and from those that its row names; no file and no folder leads back to itself. Then the same
of the symbols that the objects of a build take from each other, which declarations in public headers hide.

    includes.py SOURCE [BUILD NM]

A row counts for the folders below its own that have no row; a folder that it names stands for those
below it too. What a row names, and nothing includes, has to leave it.
"""

import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

FOLDERS = ("include", "device", "src", "python", "tools", "examples")
# Where quoted names are looked for after the file's own folder, as the build says.
ROOTS = ("include", "device", "src", "", "device/gemm", "examples/vector")
# What docs/howto/vendor.md makes.
MADE = ("cutlet_algebra.h", "tile.h")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]', re.M)
# The most circles of sources by linked symbols, and sources in all of them: a grammar is recursive.
CIRCLES, IN_CIRCLES = 2, 10
ROW = re.compile(r"^\| `([^`]+)` \|[^|]*\|([^|]*)\|$", re.M)


def table(text):
    """{folder: [folders that it may include from]} of the rows of a document."""
    return {folder.rstrip("/"): [name.rstrip("/") for name in re.findall(r"`([^`]+)`", column)]
            for folder, column in ROW.findall(text)}


def is_below(folder, of):
    return folder == of or folder.startswith(of + "/")


def find(path, name, is_quoted, files):
    """The file that is meant, or None: one of the system's, or none."""
    places = [os.path.dirname(path)] if is_quoted else []
    for place in [*places, *ROOTS]:
        found = os.path.normpath(os.path.join(place, name))
        found = re.sub("^include/cutlet/device/", "device/", found)  # a link
        if found in files:
            return found
    return None


def includes(files):
    """{path: [paths that it includes]} of {path: text}, and what is not found."""
    graph, missing = {}, []
    for path, text in files.items():
        graph[path] = []
        for mark, name in INCLUDE.findall(text):
            found = find(path, name, mark == '"', files)
            if found:
                graph[path].append(found)
            elif name not in MADE and (mark == '"' or name.startswith("cutlet/")):
                missing.append(f"{path} includes {name}, which is not there")
    return graph, missing


def forbidden(graph, rows):
    """What the rows do not allow, one line each; and the arrows of rows that are not used."""
    wrong, used = [], set()
    for path, found in graph.items():
        folder = os.path.dirname(path)
        row = max((row for row in rows if is_below(folder, row)), key=len, default=None)
        if row is None:
            wrong.append(f"{path}: no row for {folder}")
            continue
        for other in found:
            to = os.path.dirname(other)
            own = max((row for row in rows if is_below(to, row)), key=len, default=None)
            if own == row:
                continue
            arrows = [name for name in rows[row] if is_below(to, name)]
            used.update((row, name) for name in arrows)
            if not arrows:
                wrong.append(f"{path} includes {other}: {row} may not include from {to}")
    idle = [f"{row} includes nothing from {name}" for row, names in rows.items() for name in names
            if (row, name) not in used]
    return wrong, idle


def circles(graph):
    """The sets of nodes that lead to each other."""
    after = {}
    for node in graph:
        after[node], left = set(), [node]
        while left:
            new = set(graph.get(left.pop(), [])) - after[node]
            after[node] |= new
            left += new
    return {frozenset(b for b in after[a] if a in after.get(b, ())) for a in after if a in after[a]}


def lines(found):
    """Circles, one a line."""
    return "\n".join(" ".join(sorted(one)) for one in found)


def linked(text, source_of):
    """{source: [sources whose symbols it uses]} of what `nm -P` prints of objects; source_of(OBJECT) is None
    for those whose source the build makes."""
    uses, defined_by, source = {}, {}, None
    for line in text.splitlines():
        name, *kind = line.split()[:2]
        if line.endswith(":"):
            source = source_of(line[:-1])
        elif source and kind == ["U"]:
            uses.setdefault(source, []).append(name)
        elif source and kind[0] in "TDBRVWC":
            defined_by[name] = source
    return {source: sorted({defined_by[name] for name in names if name in defined_by} - {source})
            for source, names in uses.items()}


def link_graph(build, nm, files):
    """The same of a build of the library, whose objects Meson names by their sources."""
    sources = {path.replace("/", "_"): path for path in files if path.startswith("src/")}

    def source_of(path):
        target, name = os.path.split(os.path.relpath(path, build))
        return sources.get(os.path.join(os.path.dirname(target), name[:-len(".o")]).replace("/", "_"))

    objects = glob.glob(os.path.join(build, "src/**/*.p/*.c.o"), recursive=True)
    status, text = tap.run([nm, "-P", *objects])
    return linked(text if status == 0 else "", source_of)


def between_folders(graph):
    """The graph of the folders of its files."""
    folders = {}
    for path, found in graph.items():
        own = folders.setdefault(os.path.dirname(path), [])
        own += [os.path.dirname(to) for to in found if os.path.dirname(to) != os.path.dirname(path)]
    return folders


def sources(root):
    """{path: text} of the C sources of the folders."""
    files = {}
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".c", ".h", ".cu")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        files[os.path.relpath(path, root)] = file.read()
    return files


def check_itself(report):
    """What is planted is found."""
    rows = table("| `src/a` | ground | |\n| `src/b/` | above | `src/a` |\n")
    files = {"src/a/a.h": "", "src/a/own.c": '#include "a.h"\n', "src/b/b.h": "# include <a/a.h>\n",
             "src/b/c/c.c": '#include "../b.h"\n#include <stdio.h>\n'}
    graph, missing = includes(files)
    report.check("a tree in order is left alone",
                 (missing, *forbidden(graph, rows), circles(graph)) == ([], [], [], set()))
    up, _ = includes({**files, "src/a/a.h": '#include "b/b.h"\n'})
    report.check("an include that goes up is found", forbidden(up, rows)[0] ==
                 ["src/a/a.h includes src/b/b.h: src/a may not include from src/b"])
    report.check("so is a circle", circles(up) == {frozenset(("src/a/a.h", "src/b/b.h"))})
    report.check("and that of the folders", circles(between_folders(up)) == {frozenset(("src/a", "src/b"))})
    report.check("an include of nothing is found",
                 includes({"src/a/a.c": '#include "none.h"\n'})[1] != [])
    report.check("an arrow that nothing needs is found",
                 forbidden({"src/b/b.h": []}, rows)[1] == ["src/b includes nothing from src/a"])
    objects = "x/a.o:\nfa T 0 8\nfb U\nputs U\nx/b.o:\nfb T 0 8\nfc U\nx/c.o:\nfc T 0 8\nown t 0 8\n"
    graph = linked(objects, lambda path: path.replace(".o", ".c"))
    report.check("objects in order are left alone", (graph, circles(graph)) ==
                 ({"x/a.c": ["x/b.c"], "x/b.c": ["x/c.c"]}, set()), graph)
    graph = linked(objects + "own U\nfb U\n", lambda path: path.replace(".o", ".c"))
    report.check("a circle by symbols is found", circles(graph) == {frozenset(("x/b.c", "x/c.c"))}, graph)


def main(report, source, build="", nm=""):
    check_itself(report)
    with open(os.path.join(source, "CONTRIBUTING.md"), encoding="utf-8") as file:
        text = file.read()
    rows = table(text.split("## Where things are")[1].split("\n## ")[0])
    files = sources(source)
    graph, missing = includes(files)
    wrong, idle = forbidden(graph, rows)
    report.check("the table and the sources are there", len(rows) > 20 and len(files) > 300,
                 f"{len(rows)} rows, {len(files)} files")
    report.check("every header that is included is there", not missing, "\n".join(missing))
    report.check("every include is one that the table allows", not wrong, "\n".join(wrong))
    report.check("every arrow of the table is used", not idle, "\n".join(idle))
    for name, of in (("file", graph), ("folder", between_folders(graph))):
        found = circles(of)
        report.check(f"no {name} includes itself by way of others", not found, lines(found))
    if not nm:
        report.skip("linked symbols", "no nm found")
        return
    graph = link_graph(build, nm, files)
    found = circles(graph)
    report.check("the objects of the build are there", len(graph) > 150, f"{len(graph)} of them use symbols")
    report.check(f"at most {CIRCLES} circles by linked symbols, of {IN_CIRCLES} sources in all",
                 len(found) <= CIRCLES and sum(map(len, found)) <= IN_CIRCLES,
                 lines(found))
    found = circles(between_folders(graph))
    report.check("no folder links itself by way of others", not found, lines(found))


tap.main(main)
