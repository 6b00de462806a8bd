#!/usr/bin/env python3
"""The table of docs/porting.txt in CuTe C++, compiled for the CPU, in PyCuTe and in cutlet.

    against_porting.py LIBRARY CXX CUTLET SOURCE

Needs the packages nvidia-cutlass, nvidia-cuda-cccl, nvidia-cuda-runtime and nvidia-cuda-crt.
"""

import glob
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../support")]
import headers
import library as lib
import porting
import tap

PROGRAM = """#include <cstdio>
#include <cute/tensor.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/mma_atom.hpp>
using namespace cute;
template <class E, class L> void show(Tensor<E, L> const& t)
{
    printf("%d@", int(*t.data()));
    print(t.layout());
    printf("\\n");
}
template <class T> void show(T const& x)
{
    if constexpr (is_same_v<T, bool>) printf("%s", x ? "true" : "false");
    else if constexpr (is_same_v<T, true_type>) printf("true");
    else if constexpr (is_same_v<T, false_type>) printf("false");
    else print(x);
    printf("\\n");
}
"""

# The headers whose names the table has all of.
COVERED = ("layout.hpp", "layout_composed.hpp", "int_tuple.hpp", "stride.hpp", "underscore.hpp", "swizzle.hpp",
           "swizzle_layout.hpp", "tensor_impl.hpp", "pointer_swizzle.hpp", "pointer_flagged.hpp", "atom/copy_atom.hpp",
           "atom/mma_atom.hpp", "algorithm/*.hpp", "numeric/arithmetic_tuple.hpp")
WORDS = {"if", "for", "while", "switch", "return", "static_assert", "decltype", "requires", "else", "template", "sizeof"}


def to_cpp(library, text):
    def value(match):
        tensor, inside = match.groups()
        if ":" in inside:
            layout = library.convert(inside, "cute") + "{}"
            return f"make_tensor(counting_iterator<int>{{0}}, {layout})" if tensor else layout
        if inside.startswith("("):
            return re.sub(r"-?\d+", r"Int<\g<0>>", inside).replace("(", "Shape<").replace(")", ">") + "{}"
        return f"Int<{inside}>{{}}"
    return porting.VALUE.sub(value, text)


def to_python(text):
    def value(match):
        inside = re.sub(r"(\(\d+)\)", r"\1,)", match.group(2))
        return "Layout({}, {})".format(*inside.split(":")) if ":" in inside else inside
    return porting.VALUE.sub(value, text)


def plain(text):
    """What is printed, without the marks of static integers and blanks."""
    return re.sub(r"_(-?\d)", r"\1", str(text)).replace(" ", "").replace(",)", ")").replace("None", "_")


def same(row, got, result):
    """Whether two results are the same: as texts, or as functions where the row says so."""
    if getattr(row, "as") != "function":
        return got == result
    return ":" in got and ":" in result and lib.offsets(got) == lib.offsets(result)


def in_cutlet(cutlet, row):
    status, output = tap.run([cutlet, "eval", row.eval_text()])
    return plain(output.strip()) if status == 0 else "error"


def in_python(row):
    import pycute
    try:
        got = eval(to_python(row.py_text()), vars(pycute))
    except Exception:
        return "error"
    return plain(got)


def check_names(report, sections, internal):
    """All functions of CuTe's headers are in the table, and all names of the table in the headers."""
    include = headers.folders()[1]
    source = {}
    for path in glob.glob(os.path.join(include, "cute/**/*.hpp"), recursive=True):
        with open(path, encoding="utf-8", errors="replace") as file:
            source[path] = file.read()
    everything = set(re.findall(r"\w+", "\n".join(source.values())))
    known = {word for section in sections for row in section.rows for name in row.cute for word in name.split("::")}
    missing = set()
    for pattern in COVERED:
        for path in glob.glob(os.path.join(include, "cute", pattern)):
            found = set(re.findall(r"^([a-z]\w*)\(", source[path], re.M)) - WORDS
            missing |= found - known - internal
    report.check("each function of CuTe's headers is in the table", not missing, " ".join(sorted(missing)))
    absent = {word for word in known if word not in everything and not word.startswith("operator")}
    report.check("each name of the table is CuTe's", not absent, " ".join(sorted(absent)))
    import pycute
    names = {name for section in sections for row in section.rows for name in row.pycute}
    absent = {name for name in names if not hasattr(pycute, name.split(".")[0])}
    report.check("each name of the table is PyCuTe's", not absent, " ".join(sorted(absent)))
    public = set()
    for path in glob.glob(os.path.join(os.path.dirname(pycute.__file__), "*.py")):
        with open(path, encoding="utf-8") as file:
            public |= set(re.findall(r"^(?:def|class) (\w+)", file.read(), re.M))
    missing = public - names - internal
    report.check("each function of PyCuTe is in the table", not missing, " ".join(sorted(missing)))


def main():
    if len(sys.argv) != 5:
        tap.die(__doc__)
    path, compiler, cutlet, source = sys.argv[1:]
    if not compiler:
        print("no C++ compiler found")
        return 77
    library, report = lib.Library(path), tap.Report()
    sections, internal = porting.read(os.path.join(source, "docs/porting.txt"))
    check_names(report, sections, internal)
    rows = [row for section in sections for row in section.rows if row.call]
    run = [row for row in rows if row.cute and row.cute_gives != "error"]
    body = "\n".join(f"    show({to_cpp(library, row.call)});" for row in run)
    with tempfile.TemporaryDirectory() as folder:
        lines = headers.run_cpp(report, compiler, folder, PROGRAM + "int main()\n{\n" + body + "\n}\n")
    shown = dict(zip([row.line for row in run], lines or []))
    for row in rows:
        name, result = f"line {row.line}: {row.eval_text()}", in_cutlet(cutlet, row)
        report.check(f"{name} has a result, or the table says what CuTe gives", result != "error" or row.cute_gives)
        if row.line in shown:
            got = plain(shown[row.line])
            wanted = row.cute_gives
            right = got == wanted and got != result if wanted else same(row, got, result)
            report.check(f"{name} in CuTe", right, f"CuTe: {got}\ncutlet: {result}")
        if row.py_text():
            got, wanted = in_python(row), row.pycute_gives
            right = got == wanted and got != result if wanted else same(row, got, result)
            report.check(f"{name} in PyCuTe", right, f"PyCuTe: {got}\ncutlet: {result}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
