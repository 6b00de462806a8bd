#!/usr/bin/env python3
"""The help of the command and of cutlet-bench: its examples work when they are pasted into a shell, its options say what
is required and what is assumed, and wrong words are answered with the right ones.

    test_help.py CUTLET CUTLET-BENCH [NVCC]
"""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

BEGINNINGS = ("cutlet ", "cutlet-bench ", "echo ", "source ", "mkdir ", "nvcc ")
CHOICES = re.compile(r"--([a-z-]+)=([a-z0-9._]+(?:\|[a-z0-9._]+)+)")

# Options without which a command says so, with all else that it needs.
REQUIRED = [
    ("suggest", "type", ["--tile", "64x64", "--src", "(64,64):(64,1)"]),
    ("suggest", "tile", ["--type", "half", "--src", "(64,64):(64,1)"]),
    ("suggest", "src", ["--type", "half", "--tile", "64x64"]),
    ("explain descriptor", "operand", ["(64,64)", "--atom", "SM90_64x128x16_F32F16F16_SS"]),
    ("explain descriptor", "atom", ["(64,64)", "--operand", "a"]),
    ("explain tma", "box", ["(64,64):(64,1)"]),
    ("relayout", "to", ["A.npy", "B.npy"]),
    ("report", "output", ["tiled_copy(copy_atom(universal64, 16), (16,8), (4,1))"]),
    ("gemm", "output", ["A.npy", "B.npy"]),
    ("draw", "kind", ["access", "--lanes", "0"]),
]

# A tile and types by each of their names, in every command that takes them.
COPY = ["--thr", "(16,8):(8,1)", "--val", "(1,8)", "--src", "(512,512):(512,1)"]
TV = "((4,8),8):((512,8),64)"
TILES = {
    "draw": ["((2,4),(2,2)):((8,1),(4,16))"],
    "verify": ["(32,4):(1,32)"],
    "explain copy": ["(32,4):(1,32)", "--src", "(512,512):(512,1)"],
    "suggest": ["--type", "half", "--src", "(512,512):(512,1)"],
    "compare": ["--rows", "64", "--cols", "64", "--no-gpu"],
}
TILE_OF = {"draw": ("4x8", "(4,8)"), "verify": ("8x16", "(8,16)"), "explain copy": ("8x16", "(8,16)")}
TYPES = {
    "access": [TV, "--kind", "lds"],
    "draw": ["access", "--kind", "lds", "--memory", "(32,64):(64,1)", "(32,8):(1,32)"],
    "verify": COPY,
    "explain copy": COPY,
    "suggest": ["--tile", "64x64", "--src", "(512,512):(512,1)"],
    "compare": ["--rows", "64", "--cols", "64", "--no-gpu", "--variants", "rows8"],
}
NAMES = [("half", "float16", "f16", "fp16", "f2", "<f2"), ("bfloat16", "bf16"), ("float", "float32", "f32", "<f4"),
         ("double", "float64", "f64", "f8"), ("int8", "i1", "|i1"), ("uint64", "u8"), ("e4m3", "fp8")]


class Command:
    def __init__(self, path, folder):
        self.path, self.folder = os.path.abspath(path), folder
        self.name = os.path.basename(self.path)
        self.env = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C", "HOME": folder,
                    "PATH": os.path.dirname(self.path) + ":" + os.environ["PATH"]}
        if self.name == "cutlet-bench":
            self.env["CUTLET_NO_GPU"] = "1"  # what it measures is not tried here

    def __call__(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True, cwd=self.folder, env=self.env,
                              timeout=100)
        return done.returncode, done.stdout, done.stderr

    def shell(self, line):
        return tap.run(["bash", "-c", line], cwd=self.folder, env=self.env, timeout=100)


def commands(cutlet):
    """The words of every command that has options."""
    names = re.findall(r"^  ([a-z]+)(?: .*)?  ", cutlet("help")[1].split("\n\n  cutlet")[0], re.M)
    own = ["explain copy", "explain descriptor", "explain tma"] if cutlet.name == "cutlet" else []
    return [name for name in names if name != "help"] + own


def examples(text):
    """The lines to paste, with those that go on after a backslash."""
    found, goes_on = [], False
    for line in text.splitlines():
        if goes_on:
            found[-1] += "\n" + line
        elif line.startswith("  ") and line[2:].startswith(BEGINNINGS):
            found.append(line)
        else:
            continue
        goes_on = line.endswith("\\")
    return found


def test_examples(report, path, nvcc):
    with tempfile.TemporaryDirectory() as folder:
        names = commands(Command(path, folder))
    report.check("there are commands", len(names) > (3 if path.endswith("bench") else 14), names)
    seen = set()  # the overview repeats examples of commands
    for name in names + [""]:
        with tempfile.TemporaryDirectory() as folder:
            cutlet = Command(path, folder)
            text = cutlet(*name.split(), "--help")[1]
            report.check(f"{cutlet.name} {name} --help has examples", examples(text), text)
            for line in examples(text):
                if not name and line in seen:
                    continue
                seen.add(line)
                needs_nvcc = name in ("run", "sass") and not nvcc
                if needs_nvcc and ("nvcc" in line or ".ptx" in line):
                    report.skip(line.strip().replace("\n", " "), "no nvcc")
                    continue
                status, output = cutlet.shell(re.sub("^  nvcc", f"  {nvcc}", line))
                if "no kernels are built in" in output or "cuobjdump" in output or (
                        "# needs a GPU" in line and ("need a GPU" in output or status == 77)):
                    report.skip(line.strip().replace("\n", " "), tap.tail(output, 1))
                    continue
                report.check(line.strip().replace("\n", " "), status == 0, f"{status}\n{tap.tail(output)}")


def test_options(report, cutlet):
    """Each option with a value: without it, with a wrong word, with a typing error."""
    for name in commands(cutlet):
        text = cutlet(*name.split(), "--help")[1]
        for option, value in re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)=(\S+)", text, re.M):
            got = cutlet(*name.split(), "--" + option)
            report.check(f"{name}: --{option} without its value",
                         got[0] == 2 and got[2] == f"{cutlet.name} {name}: --{option} lacks its value: --{option}={value}\n", got)
        for option in re.findall(r"^ +(?:-\w, )?--([a-z0-9-]{5,})", text, re.M):
            wrong = "--" + option[0] + option[2] + option[1] + option[3:]
            if wrong != "--" + option:
                got = cutlet(*name.split(), wrong, "x")
                report.check(f"{name}: {wrong}", got[0] == 2 and got[2].count("\n") == 1 and f"there is no option {wrong}"
                             in got[2] and f"(did you mean `--" in got[2], got)
        for option, words in CHOICES.findall(text):
            listed = words.split("|")
            got = cutlet(*name.split(), f"--{option}", "zzz")
            report.check(f"{name}: --{option} zzz", got[0] == 2 and
                         f"--{option} is {', '.join(listed[:-1])} or {listed[-1]}, not `zzz`" in got[2], got)


def test_marks(report, cutlet):
    for name, option, others in REQUIRED:
        got = cutlet(*name.split(), *others)
        text = cutlet(*name.split(), "--help")[1]
        found = re.search(rf"--{option}=.*?(?=\n +(?:-\w, )?--|\n\n)", text, re.S)
        report.check(f"{name}: --{option} is missing", got[0] == 2 and
                     ("missing" in got[2]) and got[2].count("\n") == 1, got)
        report.check(f"{name}: --{option} is marked as required", found and "required" in found.group(0),
                     found and found.group(0))
    for name in commands(cutlet):
        text = cutlet(*name.split(), "--help")[1]
        bare = re.findall(r"\((?:\d\w*|sm_90|half|registers|both|all|rows)\)$", text, re.M)
        report.check(f"{name}: values that are assumed are marked so", not bare, bare)


def test_names(report, cutlet):
    for name, others in TILES.items():
        crossed, tuple_ = TILE_OF.get(name, ("64x64", "(64,64)"))
        one, two = (cutlet(*name.split(), *others, "--tile", tile) for tile in (crossed, tuple_))
        report.check(f"{name}: --tile {crossed} and {tuple_}", one == two and one[0] in (0, 1) and not one[2], (one, two))
    for name, others in TYPES.items():
        for names in NAMES if tap.ALL else NAMES[len(name) % 3::3]:
            got = [cutlet(*name.split(), *others, "--type", each) for each in names]
            same = {(status, re.sub(r"\b(%s)\b|\|V2|<f\d" % "|".join(re.escape(n) for n in names), "", out), err)
                    for status, out, err in got}
            report.check(f"{name}: --type {', '.join(names)}", len(same) == 1 and got[0][0] in (0, 1), got)
        got = cutlet(*name.split(), *others, "--type", "flaot")
        report.check(f"{name}: --type flaot", got[0] == 2 and got[2].count("\n") == 1 and
                     "there is no type `flaot` (did you mean `float`?); `cutlet help types` lists them" in got[2], got)
    status, text, _ = cutlet("help", "types")
    report.check("help types", status == 0 and re.search(r"^half +16 bits +<f2 +also float16 f16", text, re.M), text)


# Options that take numbers: one that is right, and what is around it.
NUMBERS = [
    ("draw", "run", ["(4,4)"], "2", ["0", "-1", "+1", " 1", "1x", "1.5", "", "99999999999999999999"]),
    ("draw", "max-cells", ["(4,4)"], "0x40", ["0", "0x", "x40", "99999999999999999999"]),
    ("draw", "warp", ["access", "--kind", "lds", "--type", "half", "--memory", "(32,8)", "(32,8)"], "0", ["-1", "1e3"]),
    ("compare", "rows", ["--cols", "8", "--no-gpu", "--variants", "rows8"], "8", ["0", "-8", "8 ", "2147483648"]),
    ("compare", "gpu-mib", ["--no-gpu", "--rows", "8", "--cols", "8"], "010", ["0", "65537", "1M"]),
    ("verify", "src-align", COPY, "4", ["0", "3", "4B", "-4"]),
    ("explain descriptor", "address", ["(64,64):(64,1)", "--operand", "a", "--atom", "SM90_64x64x16_F32F16F16_SS"],
     None, ["-1", "0xg", "262144"]),
    ("access", "base", [TV, "--kind", "lds", "--type", "half"], "0", ["-1", "0b1", "2305843009213693952"]),
    ("suggest", "threads", ["--type", "half", "--tile", "64x64", "--src", "(64,64):(64,1)"], "64", ["0", "1k", "2147483648"]),
    ("relayout", "memory", ["A.npy", "B.npy", "--to", "f"], None, ["0", "1T", "K", "-1", "1048577G"]),
]


def test_packed(report, cutlet):
    """Elements of 4 and 6 bits cost what the same bytes cost; a command that writes files takes none."""
    def lines(*arguments):
        status, out, err = cutlet(*arguments)
        return status, re.sub(r"^elements of \d bits as bytes: |\be2m1\b|\be2m3\b|\bint8\b|\bint8_t\b|\buint8_t\b", "", out)
    access = ("access", "--kind", "lds", "--type")
    swizzled = lambda n: f"Sw<3,{n},3> o 0 o (64,{16 << n - 2}):({16 << n - 2},1)"
    for name, packed, whole in (
            ("a layout", [*access, "e2m1", "(32,32):(32,1)"], [*access, "int8", "(32,16):(16,1)"]),
            ("of 6 bits", [*access, "e2m3", "((4,8),16):((16,64),1)"], [*access, "int8", "((4,8),12):((12,48),1)"]),
            ("a swizzled tile", ["access", "--read", "rows", "--type", "int4", swizzled(5)],
             ["access", "--read", "rows", "--type", "int8", swizzled(4)]),
            ("a copy", ["suggest", "--type", "e2m1", "--tile", "64x128", "--src", "(512,512):(512,1)"],
             ["suggest", "--type", "int8", "--tile", "64x64", "--src", "(512,256):(256,1)"]),
            ("a transposed copy of 6 bits", ["suggest", "--type", "e2m3", "--tile", "128x32", "--src", "(512,512):(1,512)",
                                             "--dst", "(512,512):(1,1024)"],
             ["suggest", "--type", "int8", "--tile", "96x32", "--src", "(384,512):(1,384)", "--dst", "(384,512):(1,768)"])):
        got, want = lines(*packed), lines(*whole)
        report.check(f"{name} of packed elements", got == want and got[0] == 0, (got, want))
    told = cutlet("access", "--kind", "ldg", "--type", "e2m1", "--memory", "(8,32):(1,16)", "(32,8):(8,1)")[1]
    report.check("their memory", told.startswith("elements of 4 bits as bytes: 32 threads, 4 values of 8 bits each, memory "
                                                 "(8,32):(1,16), by LDG of 32 bits\n8 sectors"), told)
    for name in ("e2m1", "fp4", "float_e2m1_t", "int4", "uint4", "e2m3", "e3m2", "fp6"):
        got = cutlet("verify", *COPY, "--type", name)
        report.check(f"verify --type {name}", got[0] == 0 and "cover              ok" in got[1], got)
    got = cutlet("compare", *TYPES["compare"], "--type", "e2m1")
    report.check("compare takes whole bytes", got[0] == 2 and "an element of `e2m1` has 4 bits" in got[2], got)


def test_numbers(report, cutlet):
    for name, option, others, right, wrong in NUMBERS:
        if right:
            got = cutlet(*name.split(), *others, f"--{option}={right}")
            report.check(f"{name}: --{option} {right}", got[0] in (0, 1) and not got[2], got)
        for text in wrong:
            got = cutlet(*name.split(), *others, f"--{option}={text}")
            report.check(f"{name}: --{option} `{text}`", got[0] == 2 and got[2].count("\n") == 1 and f"--{option}" in got[2], got)


def test_topics(report, cutlet):
    for wrong, right in (("evla", "eval"), ("verfiy", "verify"), ("draws", "draw")):
        got = cutlet(wrong)
        report.check(f"cutlet {wrong}", got == (2, "", f"cutlet: there is no command `{wrong}` (did you mean `{right}`?); "
                                                f"`cutlet help` lists the commands\n"), got)
    got = cutlet("--verison")
    report.check("cutlet --verison", got[0] == 2 and "(did you mean `--version`?)" in got[2], got)
    for wrong, right in (("coalesec", "coalesce"), ("atom", "atom"), ("typse", "types"), ("reprot", "report")):
        got = cutlet("help", wrong)
        report.check(f"cutlet help {wrong}", wrong == right or f"(did you mean `{right}`?)" in got[2], got)
    got = cutlet("eval", "copy_atom(ldmatrx_x4, 16)")
    report.check("an atom", "there is no atom and no constant `ldmatrx_x4` (did you mean `ldmatrix_x4`?); "
                 "`cutlet help atoms` lists the atoms" in got[2], got)
    got = cutlet("eval", "coalesec(4:1)")
    report.check("an operation", "did you mean `coalesce`?" in got[2], got)
    for wrong, right in ((("explain", "coyp"), "copy"), (("explain", "descritor"), "descriptor"),
                         (("draw", "acces"), "access"), (("compare", "--variants", "row8"), "rows8"),
                         (("convert", "--to", "cuter", "4:1"), "cute")):
        got = cutlet(*wrong)
        report.check(f"cutlet {' '.join(wrong)}", got[0] == 2 and got[2].count("\n") == 1 and
                     f"(did you mean `{right}`?)" in got[2], got)
    for what in "copy", "descriptor":
        report.check(f"cutlet help explain {what}", cutlet("help", "explain", what) == cutlet("explain", what, "--help"))
    got = cutlet("relayout", "-", "B.npy", "--to", "f")
    report.check("relayout of a stream", got[0] == 2 and "-: a file is needed" in got[2], got)
    report.check("-V", cutlet("-V") == cutlet("--version"))
    for word, page in (("bank", "access"), ("swizzle", "notation"), ("Conflict", "verify"), ("atoma", "")):
        got = cutlet("help", word)
        report.check(f"help by meaning: {word}", f"cutlet help {page} " in got[1] if page else got[0] == 2, got)
    got = cutlet("help", "conflict")
    report.check("help by meaning lists operations", "conflicts(" in got[1] and "spoken of in" in got[1], got)
    got = cutlet("draw", "(128,128)")
    report.check("what is left out names the limit", got[0] == 0 and "the limit is 4096 cells" in got[1], got[1][-200:])


def main(report, command, bench, nvcc=""):
    for path in (command, bench):
        test_examples(report, path, nvcc)
    with tempfile.TemporaryDirectory() as folder:
        test_options(report, Command(bench, folder))
    with tempfile.TemporaryDirectory() as folder:
        cutlet = Command(command, folder)
        for test in (test_options, test_marks, test_names, test_packed, test_numbers, test_topics):
            test(report, cutlet)


tap.main(main)
