#!/usr/bin/env python3
"""`cutlet lint`: no report about layouts of public kernels, every planted mistake, comments, JSON and SARIF.

    test_lint.py CUTLET SOURCE
"""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

RULES = ["overlap", "conflicts", "swizzle", "narrow", "ldmatrix"]


def rows(path):
    """The rows of a corpus: its first cells, and the text."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                *words, text = line.rstrip("\n").split("\t")
                yield words, text.replace("\\n", "\n") + "\n"


class Linter:
    def __init__(self, cutlet):
        self.cutlet = cutlet

    def run(self, *arguments, stdin=None):
        return subprocess.run([self.cutlet, "lint", *arguments], capture_output=True, text=True, input=stdin, check=False)

    def lint(self, text, extension="cu"):
        """The document about a text, and the exit status."""
        name = f"source.{extension}"
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        done = self.run("--json", name)
        return (json.loads(done.stdout) if done.stdout else {}), done.returncode, done.stderr


def check_corpora(report, linter, source):
    public = list(rows(os.path.join(source, "tests/lint/public.txt")))
    reported = []
    for (name, extension), text in public:
        document, status, error = linter.lint(text, extension)
        report.check(f"read: {name}", document.get("layouts", 0) > 0 and status in (0, 1), error)
        reported += [(name, finding["message"]) for finding in document.get("findings", [])]
    report.check(f"{len(public)} layouts of public kernels: none is reported", len(public) == 40 and not reported, reported)
    planted = list(rows(os.path.join(source, "tests/lint/planted.txt")))
    report.check("30 planted mistakes, of every rule", len(planted) == 30 and {row[0][2] for row in planted} == set(RULES))
    for (name, extension, rule), text in planted:
        document, status, error = linter.lint(text, extension)
        found = [finding["rule"] for finding in document.get("findings", [])]
        report.check(f"found: {name}", rule in found and status == 1, (found, error))


# What names and comments say: a text, its rules.
CASES = [
    ("no part of a swizzled print", "// cutlet-lint: read=ldmatrix\nsB = Sw<3,4,3> o smem_ptr[16b](unset) o (64,64):(64,1)", []),
    ("the swizzle of a pointer", "// cutlet-lint: read=ldmatrix type=half\nsA = tensor<ptr<f16, smem, align<1024>, S<3,4,3>> o (64,64):(64,1)>", []),
    ("none in the pointer", "// cutlet-lint: read=ldmatrix type=half\nsA = tensor<ptr<f16, smem, align<1024>> o (64,64):(64,1)>", ["conflicts"]),
    ("a name of a template is not known", "template <int kRow> void f() { using SmemLayoutA = Layout<Shape<_64,_64>, Stride<Int<kRow>,_1>>; }", []),
    ("a default may be overridden", "template <int kRow = 32> void f() { using SmemLayoutA = Layout<Shape<_64,_64>, Stride<Int<kRow>,_1>>; }", []),
    ("a variable is no constant", "int kRow = 32; using SmemLayoutA = Layout<Shape<_64,_64>, Stride<Int<kRow>,_1>>;", []),
    ("a constant of a block that has ended", "void f() { constexpr int kRow = 32; } using SmemLayoutA = Layout<Shape<_64,_64>, Stride<Int<kRow>,_1>>;", []),
    ("a constant of the block around", "constexpr int kRow = 32; void f() { using SmemLayoutA = Layout<Shape<_64,_64>, Stride<Int<kRow>,_1>>; }", ["overlap"]),
    ("a broadcast in shared memory is read", "auto sA = make_layout(make_shape(Int<8>{}, Int<64>{}), make_stride(Int<0>{}, Int<1>{}));", []),
    ("a layout in global memory may overlap", "auto windows = make_layout(make_shape(Int<8>{}, Int<3>{}), make_stride(Int<1>{}, Int<1>{}));", []),
    ("a comment", "// auto sA = make_layout(make_shape(Int<8>{}, Int<8>{}), make_stride(Int<4>{}, Int<1>{}));\n/* Layout<_4> */", []),
    ("a layout that is not reported", "auto sA = make_layout(make_shape(_8{}, _8{}), make_stride(_4{}, _1{})); // cutlet-lint: off", []),
    ("a string", 'const char *text = "smem_ptr[16b](0x0) o (8,8):(4,1)";', []),
    ("a block that is tiled", "using SmemAtom = decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_8>, Stride<_8,_1>>{}));\n"
     "using SmemLayout = decltype(tile_to_shape(SmemAtom{}, Shape<_64,_64>{}));", []),
    ("names of two structures are not one", "struct A { using SmemLayoutAtomQ = Layout<Shape<_8,_64>, Stride<_64,_1>>; };\n"
     "struct B { using SmemCopyAtomQ = Copy_Atom<SM75_U32x4_LDSM_N, half_t>; };", []),
    ("a separator of digits", "constexpr int n = 1'000; using SmemLayoutA = Layout<Shape<_64,_64>, Stride<_32,_1>>; // it's", ["overlap"]),
]


def check_cases(report, linter):
    for name, text, rules in CASES:
        document, status, error = linter.lint(text)
        found = [finding["rule"] for finding in document.get("findings", [])]
        report.check(name, found == rules and status == (1 if rules else 0), (found, status, error))
    python = "n = 32\nif wide:\n    n = 64\nsmem_layout = cute.make_layout((64, 64), stride=(n, 1))\n"
    report.check("a name of Python that two lines define", linter.lint(python, "py")[0]["findings"] == [])
    wrong = linter.run("-", stdin="# cutlet-lint: reads=rows\n(4,8):(8,1)\n")
    report.check("a word that a comment does not have", wrong.returncode == 2 and "-:1: `reads=rows` is nothing that a comment says; `cutlet lint --help` lists the words" in wrong.stderr,
                 wrong.stderr)
    absent = linter.run("nowhere.cu", "-", stdin="(4,8):(8,1)\n")
    report.check("a file that is not read is not counted", absent.returncode == 2 and absent.stdout ==
                 "1 layout in 1 file, 0 reported; not linted: 1\n", (absent.stdout, absent.stderr))
    for text, part in (("# cutlet-lint: read=rows\n(4,8):(8,1)\n", "-:2: type= is missing"),
                       ("# cutlet-lint: read=rows type=half\n4:1 o (8,8,8)\n(4,8,2):(8,1,32)\n(4:1)\n", None),
                       ("# cutlet-lint: src=(4\ntiled_copy(copy_atom(universal16, 16), (8,16):(1,8), (8,1):(1,8))\n", "-:2: this parenthesis is never closed"),
                       ("# cutlet-lint: mma=SM80_16x8x16_F32F16F16F32_TN operand=a\n(4,8):(8,1)\n", "not a multiple")):
        done = linter.run("-", stdin=text)
        report.check(f"{text.splitlines()[0]}: {part}", (part or "reported") in done.stderr + done.stdout, (done.stdout, done.stderr))
    report.check("no file", "a source file is missing; - is standard input" in linter.run().stderr)
    missing = linter.run("no_such.cu")
    report.check("a file that is not there", missing.returncode == 2 and "no_such.cu: No such file" in missing.stderr)
    place = linter.lint("\n// \u00e4\n/* \u00e4 */ auto sA = make_layout(make_shape(_8{}, _8{}), make_stride(_4{}, _1{}));\n")[0]
    report.check("line and column", [(f["line"], f["column"]) for f in place["findings"]] == [(3, 19)], place)


def check_sarif(report, linter):
    """Its results; tests/lint/against_schema.py has its form."""
    with open("a b\u00e4.cu", "w", encoding="utf-8") as file:
        file.write("auto sA = make_layout(make_shape(_8{}, _8{}), make_stride(_4{}, _1{}));\n")
    run = json.loads(linter.run("--sarif", "a b\u00e4.cu").stdout)["runs"][0]
    report.check("the rules", [rule["id"] for rule in run["tool"]["driver"]["rules"]] == RULES)
    result = run["results"][0]
    place = result["locations"][0]["physicalLocation"]
    report.check("a result", (result["ruleId"], result["ruleIndex"], place["artifactLocation"]["uri"], place["region"]) ==
                 ("overlap", 0, "a%20b%C3%A4.cu", {"startLine": 1, "startColumn": 11, "endLine": 1, "endColumn": 71}), result)
    both = linter.run("--sarif", "--json", "-", stdin="")
    report.check("one form", both.returncode == 2 and "either --json or --sarif" in both.stderr)


def main(report, cutlet, source):
    linter, source = Linter(os.path.abspath(cutlet)), os.path.abspath(source)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_corpora(report, linter, source)
        check_cases(report, linter)
        check_sarif(report, linter)
        os.chdir("/")


tap.main(main)
