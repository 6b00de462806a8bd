#!/usr/bin/env python3
"""Each public function of the headers has a comment that says how it fails, what it costs, and an example
that the tests run. What is internal is marked so, and no example for users calls it.

    test_comments.py SOURCE CC ARGUMENTS..

An example is an `Example:` of an expression, which `cutlet check --examples` runs; `In C:` or
`In a kernel:`, which doc_examples.py makes programs of; or `Used by:` a file of examples/ or tests/,
which the tests compile and run. One of the file's comment counts for the functions that it names.
"""

import glob
import os
import re
import shlex
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../support"), os.path.join(HERE, "../../tools/docs")]
import headers
import tap

# Types whose values carry an error, or are one.
CARRY = re.compile(r"^(const )?(ct_(layout|tuple|tensor|tiler|swizzle|linear_layout|status|copy_atom|tiled_copy|partition"
                   r"|mma_atom|tiled_mma|mma_descriptor|mma_instruction|normal_form|tma_desc))\b(?! ?\*)")


def named(name, text):
    """Whether a text has a name, or makes it in a macro by pasting the number of dimensions: ct_f_##n##d."""
    made = re.sub(r"_[1-5]d$", "_##n##d", name)
    return re.search(r"\b(%s|%s)\b" % (re.escape(name), re.escape(made)), text) is not None


def example_of(source, header, d):
    """The example of a function; "" where there is none."""
    own = d.comment.field("Example")
    if own:
        return own[0]
    comment = header.whole(d)
    for field in ("In C", "In a kernel"):
        for listing in comment.field(field):
            if named(d.name, listing):
                return listing
    for path in " ".join(comment.field("Used by")).replace(",", " ").split():
        full = os.path.join(source, path.strip("."))
        if re.match(r"(examples|tests)/", path) and os.path.isfile(full):
            with open(full, encoding="utf-8") as file:
                if named(d.name, file.read()):
                    return path
    return ""


def lacks(source, header, d):
    """What a public function lacks."""
    if not d.comment or not d.comment.text.strip():
        return ["a comment"]
    comment, missing = header.whole(d), []
    if d.kind == "function" and CARRY.match(d.code) and not comment.field("Fails"):
        missing.append("`Fails:`")
    if d.kind == "function" and not comment.field("Cost"):
        missing.append("`Cost:`")
    if not example_of(source, header, d):
        missing.append("an example")
    return missing


def functions(header):
    """What users call: functions, and macros with a comment."""
    return [d for d in header.public(("function", "macro")) if d.name.startswith("ct_")]


def names_for_users(source):
    """The names that examples and documents use."""
    paths = ["README.md"] + [path for pattern in ("examples/**/*.c", "examples/**/*.cu", "examples/**/*.h", "docs/**/*.md")
                             for path in glob.glob(pattern, root_dir=source, recursive=True)]
    names = set()
    for path in paths:
        with open(os.path.join(source, path), encoding="utf-8") as file:
            names |= set(re.findall(r"\bct_\w+(?=\()", file.read()))
    return names


def seen_by_compiler(source, compiler, found):
    """(file, function) of each function that the compiler sees in the headers."""
    with tempfile.TemporaryDirectory() as folder:
        program, listing = os.path.join(folder, "all.c"), os.path.join(folder, "all.txt")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#include <stdio.h>\n#define print_error printf\n#define _fail(file, line) ((void)0)\n")
            file.write("".join(f"#include <cutlet/{header.name}>\n" for header in found))
        status, said = tap.run([*compiler, "-std=gnu11", "-w", "-I", os.path.join(source, "include"), "-aux-info", listing,
                                "-fsyntax-only", program])
        if status or not os.path.exists(listing):
            return None, said
        with open(listing, encoding="utf-8") as file:
            lines = re.findall(r"/\* \S*include/cutlet/(\S+):\d+:\w+ \*/ [^;]*?(\w+) \(", file.read())
    return set(lines), ""


def check_self(report):
    """That the checks would fail."""
    def of(comment):
        return headers.Declaration("function", "ct_f", "ct_layout ct_f(int a)", 1, comment and headers.Comment(comment))
    header = headers.Header(os.path.join(HERE, "../../include/cutlet/err.h"), "err.h")
    header.comment = None
    report.check("no comment is a fault", lacks("", header, of(None)) == ["a comment"])
    report.check("a bare comment is a fault", lacks("", header, of(" A. ")) == ["`Fails:`", "`Cost:`", "an example"])
    full = "\n * A.\n * Fails:   x\n * Cost:    y\n * Example: f(1) == 2\n "
    report.check("a full comment is none", lacks("", header, of(full)) == [])
    other = "\n * A.\n * Fails:   x\n * Cost:    y\n * In C:    ct_g(1);\n "
    report.check("an example of another function is a fault", lacks("", header, of(other)) == ["an example"])
    report.check("a name that a macro pastes is there", named("ct_f_3d", "ct_f_##n##d(x)") and not
                 named("ct_f_3d", "ct_f_2d(x) ct_f_##n##") and not named("ct_f_3d", "ct_g_##n##d(x)"))


def main(report, source, cc, *arguments):
    compiler, found = [*shlex.split(cc), *arguments], headers.headers(source)
    check_self(report)
    for header in found:
        if header.internal:
            continue
        wrong = [f"{header.path}:{d.line}: {d.name} lacks {', '.join(missing)}"
                 for d in functions(header) for missing in [lacks(source, header, d)] if missing]
        report.check(f"{header.name}: public functions have their comments", not wrong, "\n".join(wrong))
    used = names_for_users(source)
    for header in found:
        internal = {d.name for d in header.declarations if d.kind == "function" and (d.internal or header.internal)}
        public = {d.name for d in functions(header)}
        wrong = sorted((internal - public) & used)
        report.check(f"{header.name}: examples and documents use no internal function", not wrong, wrong)
    seen, said = seen_by_compiler(source, compiler, found)
    if seen is None:
        report.skip("every function of the headers is known", "the compiler has no -aux-info" if not said else tap.tail(said, 1))
    else:
        known = {(header.name, d.name) for header in found for d in header.declarations}
        plain = {header.name: re.sub(r"/\*.*?\*/", "", header.text, flags=re.S) for header in found}
        wrong = sorted(f"{file}: {name}" for file, name in seen - known
                       if re.search(r"^(?!.*(#define|\\$)).*\b%s *\(" % name, plain.get(file, ""), re.M))
        report.check("every function that the compiler sees is known", not wrong and len(seen) > 900, "\n".join(wrong[:40]))


tap.main(main)
