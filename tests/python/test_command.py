"""`python -m pycutlet` beside the command of C: the same words, and what they print."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

import pycutlet
from pycutlet import _core

COMMAND = os.environ.get("CUTLET", "")
SOURCE = os.environ.get("CUTLET_SOURCE", os.path.join(os.path.dirname(__file__), "../.."))
NAMES = ("eval", "check", "explain", "explain copy", "explain descriptor", "explain tma", "draw", "draw access", "access", "suggest",
         "verify", "convert", "lint", "report", "relayout")
OURS = "python -m pycutlet"


def of_c(*arguments):
    if not COMMAND:
        pytest.skip("no command cutlet")
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def ours(*arguments):
    return _core._command(list(arguments), True, True)


def named(text):
    """A text of the command of C as the package has it."""
    words = [name for name in NAMES if " " not in name] + ["help", "compare", "gemm", "run", "sass", "redistribute", "COMMAND", "--version"]
    text = re.sub(rf"(^|[\s`(])cutlet(?=\s+(?:{'|'.join(words)})\b)", rf"\1{OURS}", text)
    return re.sub(r"^cutlet:", OURS + ":", text)


@pytest.mark.parametrize("name", NAMES)
def test_examples_of_the_help(name, tmp_path, monkeypatch):
    """Each command of the help prints and writes what that of C does, JSON included."""
    monkeypatch.chdir(tmp_path)
    help_of_c = of_c(*name.split(), "--help")
    assert help_of_c[0] == 0 and ours(*name.split(), "--help") == (0, named(help_of_c[1]), "")
    lines = re.findall(r"^  cutlet (.*)$", help_of_c[1].replace("\\\n", ""), re.M)
    examples = [words for words in map(shlex.split, lines) if words[0] == name.split()[0]]
    assert examples
    for words in examples:
        for more in ([], ["--json"]):
            for old in os.listdir(tmp_path):
                os.remove(old)
            status, out, err = of_c(*words, *more)
            written = {file: open(file, encoding="utf-8").read() for file in os.listdir(tmp_path)}
            assert ours(*words, *more) == (status, named(out), named(err)), words
            for file, text in written.items():
                assert open(file, encoding="utf-8").read() == text, words


def test_json_has_every_kind_of_value():
    for words in (["eval", "--json", "_", "3@0", "(2,(3,4))", "Sw<3,4,3>", "true", "1/0"],
                  ["suggest", "--json", "--type=half", "--tile=64x64", "--src=(4096,4096):(4096,1)", "--top=2"],
                  ["access", "--json", "--kind=lds", "--bits=32", "--lanes=0,128,256"]):
        status, out, err = of_c(*words)
        assert ours(*words) == (status, named(out), named(err))


def test_program():
    def run(*arguments, **options):
        return subprocess.run([sys.executable, "-m", "pycutlet", *arguments], capture_output=True, text=True,
                              check=False, **options)
    done = run("eval", "(4,8):(8,1)(2,3)", "coalesce((2,4):(1,2))")
    assert (done.returncode, done.stdout, done.stderr) == (0, "19\n8:1\n", "")
    done = run("eval", "copie(1)")
    assert done.returncode == 2 and done.stderr.startswith(
        f"{OURS} eval: there is no operation `copie`; `{OURS} help operations` lists them\n")
    done = run("evl")
    assert done.returncode == 2 and done.stderr.startswith(f"{OURS}: there is no command `evl` (did you mean `eval`?)")
    done = run()
    assert done.returncode == 2 and f"`{OURS} help` lists them" in done.stderr
    assert run("--version").stdout == f"{OURS} {pycutlet.__version__}\n"
    done = run("check", "-", input="(4,8) == 1\n")
    assert done.returncode == 1 and "1 failed" in done.stdout + done.stderr
    assert f"  {OURS} eval" in run("help").stdout and "completion" not in run("help").stdout


def test_errors_advise_what_the_package_has():
    for text, says in (("copie(1)", f"`{OURS} help operations` lists them"), ("no_atom", f"`{OURS} help atoms`")):
        with pytest.raises(pycutlet.Error) as caught:
            pycutlet.evaluate(text)
        assert says in caught.value.message and says in str(caught.value)
    with pytest.raises(AssertionError, match=f"`{OURS} help atoms`"):
        pycutlet.check("half == 5")
    with pytest.raises(pycutlet.Error, match="capacity is [0-9]+; `pip install --config-settings=setup-args=-Dcapacity=32 .` in the sources raises it"):
        pycutlet.Layout((2,) * 65)


def test_functions_of_the_command(tmp_path):
    assert pycutlet.command("eval", "(4,8):(8,1)(2,3)") == "19\n"
    assert pycutlet.convert(pycutlet.Layout((4, 8), (8, 1)), "cute") == of_c("convert", "--to=cute", "(4,8):(8,1)")[1].strip()
    assert pycutlet.convert("Layout<Shape<_4,_8>,Stride<_8,_1>>", "cutlet") == "(4,8):(8,1)"
    wide = pycutlet.explain_copy(src="(512,512):(512,1)", thr="(8,16):(1,8)", val=(8, 1))
    assert wide == json.loads(of_c("explain", "copy", "--src=(512,512):(512,1)", "--thr=(8,16):(1,8)", "--val=(8,1)", "--json")[1])
    tile = pycutlet.Swizzle(3, 3, 3) @ pycutlet.Layout((64, 64), (64, 1))
    assert pycutlet.explain_descriptor(tile, operand="a", atom="SM90_64x128x16_F32F16F16_SS")["operand"] == "a"
    tma = pycutlet.explain_tma("(512,512):(512,1)", box=(64, 64))
    assert tma == json.loads(of_c("explain", "tma", "(512,512):(512,1)", "--box=(64,64)", "--json")[1]) and tma["tensorRank"] == 2
    pycutlet.report(pycutlet.TiledCopy("copy_atom(universal128,16)", "(16,8):(8,1)", (1, 8)), tmp_path / "copy.html",
                    src="(512,512):(512,1)")
    assert "<svg" in (tmp_path / "copy.html").read_text()
    assert pycutlet.compare(64, 64, type="half", variants="rows8")["matrix"]["rows"] == 64
    own = {"src": "(256,256):(256,1)", "type": "half"}
    both = pycutlet.compare(copy=["(16,8):(1,16) x (8,1)", (pycutlet.Layout((16, 8), (8, 1)), (1, 8))], **own)
    told = of_c("compare", "--copy=(16,8):(1,16) x (8,1)", "--copy=(16,8):(8,1) x (1, 8)", *(f"--{k}={v}" for k, v in own.items()),
                "--no-gpu", "--json")
    assert both == json.loads(told[1]) and both["results"][0]["copy"] == "(16,8):(8,1) x (1, 8)"
    with pytest.raises(pycutlet.Error, match="no system") as caught:
        pycutlet.convert("(4,8)", "fortran")
    assert caught.value.message.startswith("--to: ") and OURS in caught.value.message and caught.value.status is None


def test_import():
    """What is imported at once is little, and `*` leaves Python's own functions."""
    code = """import sys; before = set(sys.modules); from pycutlet import *; import builtins
assert eval is builtins.eval and filter is builtins.filter and slice is builtins.slice and callable(coalesce)
print(*sorted(set(sys.modules) - before))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert not {"json", "tempfile", "numpy", "html", "shutil"} & set(done.stdout.split()) and "pycutlet" in done.stdout, done


def test_gemm(tmp_path):
    numpy = pytest.importorskip("numpy")
    random = numpy.random.default_rng(7)
    a, b = (random.integers(-128, 128, shape, numpy.int8) for shape in ((37, 70), (70, 21)))
    exact = a.astype(numpy.int32) @ b.astype(numpy.int32)
    assert (pycutlet.gemm(a, b) == exact).all() and (pycutlet.gemm(a, b.T.copy(), transpose_b=True) == exact).all()
    assert (pycutlet.gemm(numpy.asfortranarray(a), b, c=exact, alpha=2, beta=-1) == exact).all()
    f = pycutlet.gemm((a / 8).astype(numpy.float16), (b / 8).astype(numpy.float16))
    assert f.dtype == numpy.float16 and (f == (exact / 64).astype(numpy.float16)).all()
    top = (a.astype(numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16).view("V2")  # small integers are exact
    wide = pycutlet.gemm(top, numpy.full((70, 1), 0x3F80, numpy.uint16).view("V2"), type="bfloat16").view(numpy.uint16)
    sums = a.astype(numpy.int64).sum(1)
    assert (abs((wide.astype(numpy.uint32) << 16).view(numpy.float32)[:, 0] - sums) <= abs(sums) / 256).all()
    own = pycutlet.gemm(a, b, bias=range(21), activation="relu", c=exact, beta=-2)
    assert (own == numpy.maximum(numpy.arange(21, dtype=numpy.int32) - exact, 0)).all()
    rows, cols = random.random(37, numpy.float32), random.random(21, numpy.float32)
    x = exact * rows[:, None] * cols / 1024.0 + 1
    silu = pycutlet.gemm((a / 32).astype(numpy.float32), (b / 32).astype(numpy.float32), bias=numpy.ones(21), scale_rows=rows,
                         scale_cols=cols, activation="silu")
    assert numpy.allclose(silu, x / (1 + numpy.exp(-x)), 1e-4, 1e-4)
    with pytest.raises(pycutlet.Error, match="^bias has 20 elements, the product 21 columns"):
        pycutlet.gemm(a, b, bias=range(20))
    with pytest.raises(pycutlet.Error, match=r"^a is \(37,70\) and b \(37,70\): mode 1 of the first is 70, mode 0 of the second 37"):
        pycutlet.gemm(a, a)
    ones = numpy.full((3, 4), 0x38, numpy.uint8)
    assert (pycutlet.gemm(ones, ones, transpose_b=True, type="e4m3").view(numpy.uint16) == 0x4080).all()
    with pytest.raises(pycutlet.Error, match="no kernels of products are inside: the CPU multiplies"):
        pycutlet.gemm(a, b, on="grid")
    pycutlet.report("tiled_copy(copy_atom(universal128,16), (16,8):(8,1), (1,8))", tmp_path / "a page.html", src="(512, 512):(512, 1)")
    assert (tmp_path / "a page.html").exists()
