#!/usr/bin/env python3
"""`cutlet sass`: files of each kind, kernels inside, expectations, and what cannot be read.

    test_sass.py CUTLET SOURCE NVCC [FATBIN..]

The disassembler is a script that prints stored dumps. Where there is a real cuobjdump, it is used
too; NVCC, which may be empty, then compiles a file for it. The fat binaries are those of examples/vector.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

LEGEND = ("\n128:4 is 4 instructions of 128 bits a thread; x4 and 2D are matrices and dimensions. "
          "Counted in the\ncode, not while it runs: one in a loop counts once.\n")

WAY_OUT = "CUTLET_CUOBJDUMP may name one; without, `nvcc -ptx` makes a text to read"

# A cuobjdump that knows one kernel and reads fat binaries only. It logs what files it is given.
FAKE = """#!/bin/sh
for file; do :; done
echo "$file" >>"$FAKE_LOG"
case $FAKE_CUOBJDUMP in
silent) exit 3 ;;
killed) kill -9 $$ ;;
esac
if [ "$(head -c 4 "$file" | od -An -tx1 | tr -d ' ')" != 50ed55ba ]; then
    echo >&2
    echo "cuobjdump info    : File '$file' does not contain device code" >&2
    exit 255
fi
case $1/$FAKE_CUOBJDUMP in
-sass/ptx) ;;
-sass/*) sed "s/ct_plain_copy/${FAKE_NAME:-ct_plain_copy}/" "$FAKE_DATA/plain_copy.cuobjdump.txt" ;;
-res-usage/unknown) exit 1 ;;
-res-usage/*) sed "s/ct_plain_copy/${FAKE_NAME:-ct_plain_copy}/" "$FAKE_DATA/plain_copy.usage.txt" ;;
-ptx/*) sed "s/ct_plain_copy/${FAKE_NAME:-ct_plain_copy}/" "$FAKE_DATA/plain_copy.ptx" ;;
esac
"""

PTX = """.version 8.0
.target sm_90
.visible .entry wide() { ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; st.global.u32 [%rd2], %r1; }
.visible .entry stack() { ld.local.u32 %r1, [%rd1]; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; }
.visible .entry none() { ret; }
"""

# The kernels of examples/vector: what each has on every architecture. Those of the last row are
# there to be measured beside the wide ones.
WIDE = {
    "LDG.128,STG.128,!LDL,!STL": """
        width_copy_16 width_one_16 width_loop_16 scale_float scale_half scale_bfloat16 relu_float relu_half relu_bfloat16
        gelu_float gelu_half gelu_bfloat16 remainder_bulk remainder_padded remainder_width_16
        remainder_any particle_lengths layer_norm_passes_float layer_norm_passes_half
        layer_norm_passes_bfloat16 layer_norm_float layer_norm_half layer_norm_bfloat16""".split(),
    "LDG.128,!LDL,!STL": ["read_float", "sum_float", "sum_half", "sum_bfloat16"],
    "LDG.256,STG.256,!LDL,!STL": ["width_copy_32"],  # from sm_100 on
    "!LDG.128+,!STG.128+,!LDL,!STL": """
        width_copy_1 width_copy_2 width_copy_4 width_copy_8 width_one_1 width_one_2 width_one_4
        width_one_8 width_loop_1 width_loop_2 width_loop_4 width_loop_8 scale_float_scalar
        relu_float_scalar
        relu_half_scalar relu_half_2 gelu_float_scalar remainder_width_4 remainder_width_8
        sum_float_scalar sum_half_scalar layer_norm_passes_float_scalar
        layer_norm_passes_half_scalar""".split(),
}


def find_cuobjdump():
    """As the command looks for it."""
    folders = os.environ.get("PATH", "").split(":")
    folders += [os.path.join(os.environ[name], "bin") for name in ("CUDA_HOME", "CUDA_PATH")
                if os.environ.get(name)]
    return shutil.which("cuobjdump", path=":".join(folders + ["/usr/local/cuda/bin"]))


def main():
    if len(sys.argv) < 4:
        tap.die(__doc__)
    cutlet, source, nvcc = os.path.abspath(sys.argv[1]), *sys.argv[2:4]
    data = os.path.join(source, "tests", "data")
    report = tap.Report()
    with tempfile.TemporaryDirectory() as folder:
        test(report, cutlet, data, folder)
        test_gate(report, cutlet, source, nvcc, folder)
        test_real(report, cutlet, source, nvcc, folder)
        test_vector(report, cutlet, source, sys.argv[4:])
    return report.finish()


def run(cutlet, arguments, **environment):
    env = {**os.environ, **environment}
    done = subprocess.run([cutlet, "sass", *arguments], capture_output=True, text=True,
                          errors="replace", env=env, timeout=100)
    return done.returncode, done.stdout, done.stderr


def test(report, cutlet, data, folder):
    def path(name, text=None):
        whole = os.path.join(folder, name)
        if text is not None:
            with open(whole, "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())
        return whole

    fake, log = path("fake-cuobjdump", FAKE), path("log", "")
    os.chmod(fake, 0o755)

    def sass(*arguments, **environment):
        return run(cutlet, arguments, **{"CUTLET_CUOBJDUMP": fake, "FAKE_LOG": log,
                                         "FAKE_DATA": data, "FAKE_CUOBJDUMP": "", **environment})

    def expect(name, got, status, out, *errors):
        """The whole output, or None for any; the ends of the lines of complaint, each one line."""
        lines = got[2].splitlines()
        report.check(name, got[0] == status and (out is None or got[1] == out) and
                     len(lines) == len(errors) and all(
                         line.startswith("cutlet sass: ") and line.endswith(error)
                         for line, error in zip(lines, errors)), f"{got[0]}\n{got[1]}{got[2]}")

    dump = os.path.join(data, "plain_copy.cuobjdump.txt")
    nvdisasm = os.path.join(data, "plain_copy.nvdisasm.txt")
    ptx = os.path.join(data, "plain_copy.ptx")
    table = "kernel         LDG        STG\nct_plain_copy  128:1 8:1  128:1 8:1\n"
    usage = ("kernel          regs  stack  LDG        STG\n"
             "ct_plain_copy {:>6}      0  128:1 8:1  128:1 8:1\n")
    sixteen, fifteen = usage.format(16), usage.format(15)

    # Text.
    expect("a dump of cuobjdump", sass(dump), 0,
           f"{dump}: 2 kernels, machine code.\n\nsm_80\n{table}\nsm_90\n{table}{LEGEND}")
    expect("a dump of nvdisasm", sass(nvdisasm), 0,
           f"{nvdisasm}: 1 kernel, machine code.\n\nsm_100\n{table}{LEGEND}")
    expect("PTX", sass(ptx), 0,
           f"{ptx}: 1 kernel, PTX instructions, not machine code.\n\nsm_90\n{table}{LEGEND}")
    for text in (dump, nvdisasm, ptx):
        expect(f"{os.path.basename(text)} needs no program", sass(text, CUTLET_CUOBJDUMP=""), 0,
               sass(text)[1])
    done = sass("--help", CUTLET_CUOBJDUMP="")
    words = " ".join(done[1].split())
    report.check("the help tells what needs none", done[0] == 0 and
                 "PTX and the output of cuobjdump or nvdisasm can be read without the CUDA toolkit" in words, done[1])
    with open(ptx, encoding="utf-8") as file:
        done = subprocess.run([cutlet, "sass", "/dev/stdin"], input=file.read(), text=True,
                              capture_output=True, check=False)
    expect("text from a pipe", (done.returncode, done.stdout, done.stderr), 0,
           sass(ptx)[1].replace(ptx, "/dev/stdin"))
    expect("one architecture", sass(dump, "--arch", "sm_90"), 0,
           f"{dump}: 1 kernel, machine code.\n\nsm_90\n{table}{LEGEND}")
    expect("the instructions", sass(nvdisasm, "--list"), 0, sass(nvdisasm)[1] + (
        "\nct_plain_copy, sm_100\n"
        "  0120      @!P0 LDG.E.128 R4, desc[UR4][R8.64]\n"
        "  0210      @!P0 STG.E.128 desc[UR4][R2.64], R4\n"
        "  0230      LDG.E.U8 R0, desc[UR4][R10.64]\n"
        "  0270      STG.E.U8 desc[UR4][R8.64], R3\n"))
    few = path("few.ptx", PTX)
    expect("several kernels", sass(few), 0,
           f"{few}: 3 kernels, PTX instructions, not machine code.\n\nsm_90\n"
           "kernel    LDG    STG   LDL\n"
           "none      -      -     -\n"
           "stack     128:1  -     32:1\n"
           "wide      128:1  32:1  -\n" + LEGEND)
    long_name = "_Z" + "k" * 120
    wide = path("wide.ptx", f".version 8.0\n.target sm_90\n.entry {long_name}() {{ " + "".join(
        f"{op}.{space}.{v}u{bits} x, [y]; " for op in ("ld", "st") for space in
        ("global", "shared", "local") for v in ("", "v2.", "v4.") for bits in (8, 16, 32)) +
        "}\n.entry none() {}\n")
    got = sass(wide)
    expect("a table too wide", got, 0, None)
    begin = f"\n{long_name}\n    LDG 128:1 64:2 32:3 16:2 8:1  STG 128:1 "
    report.check("becomes paragraphs", begin in got[1] and "\nnone\n    no accesses\n" in got[1] and
                 all(len(line) <= 100 or long_name in line for line in got[1].splitlines()
                     if "wide.ptx" not in line), got[1])

    # Programs for files that are no text.
    fatbin = path("some.fatbin", b"\x50\xed\x55\xba\x01\x00\x10\x00" + bytes(64))
    expect("a fat binary", sass(fatbin), 0, f"{fatbin}: 2 kernels, machine code, by cuobjdump.\n\n"
           f"sm_80\n{sixteen}\nsm_90\n{fifteen}{LEGEND}")
    expect("without registers", sass(fatbin, FAKE_CUOBJDUMP="unknown"), 0, f"{fatbin}: 2 kernels, "
           f"machine code, by cuobjdump.\n\nsm_80\n{table}\nsm_90\n{table}{LEGEND}")
    expect("a fat binary of PTX", sass(fatbin, FAKE_CUOBJDUMP="ptx"), 0,
           f"{fatbin}: 1 kernel, PTX instructions, not machine code, by cuobjdump.\n\nsm_90\n"
           f"{table}{LEGEND}")
    os.makedirs(path("bin"))
    shutil.copy(fake, path("bin/cuobjdump"))
    home = {**os.environ, "FAKE_LOG": log, "FAKE_DATA": data, "CUDA_HOME": folder}
    home.pop("CUTLET_CUOBJDUMP", None)
    home["PATH"] = ":".join(p for p in home.get("PATH", "").split(":")
                            if not os.path.exists(os.path.join(p, "cuobjdump")))
    done = subprocess.run([cutlet, "sass", fatbin], capture_output=True, text=True, env=home,
                          check=False)
    report.check("cuobjdump in $CUDA_HOME/bin", done.returncode == 0 and
                 "by cuobjdump" in done.stdout, done)
    shutil.copy(fatbin, path("-odd"))
    done = subprocess.run([cutlet, "sass", "--", "-odd"], capture_output=True, text=True, env=home,
                          cwd=folder, check=False)
    report.check("a name like an option", done.returncode == 0 and done.stdout.startswith(
        "-odd: 2 kernels"), done)

    # JSON.
    got = sass(fatbin, "--json", "--list", "--arch", "sm_90", "--expect", "LDG.128,!STG.8,LDS")
    expect("JSON", got, 1, None,
           "ct_plain_copy (sm_90): expected !STG.8; of STG there is 128:1 8:1",
           "ct_plain_copy (sm_90): expected LDS; there is no LDS")
    whole = json.loads(got[1])
    lines = whole["kernels"][0].pop("instructions")
    report.check("its content", whole == {
        "source": fatbin, "code": "sass", "by": "cuobjdump", "kernels": [{
            "name": "ct_plain_copy", "arch": "sm_90", "registers": 15, "stack_bytes": 0,
            "accesses": [{"access": "LDG", "bits": 8, "count": 1},
                         {"access": "LDG", "bits": 128, "count": 1},
                         {"access": "STG", "bits": 8, "count": 1},
                         {"access": "STG", "bits": 128, "count": 1}],
            "failed": ["!STG.8", "LDS"]}]}, got[1])
    report.check("its instructions", len(lines) == 4 and lines[0] == {
        "at": "0120", "instruction": "@!P0 LDG.E.128 R4, desc[UR4][R8.64]"}, got[1])
    matrices = path("matrices.ptx", ".version 8.0\n.target sm_90a\n.entry k() { "
                    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a,b,c,d}, [e]; cp.async.bulk.tensor"
                    ".3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [a], [b, {c}], "
                    "[d]; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], "
                    "[b], c, [d]; }")
    kernel = json.loads(sass(matrices, "--json")[1])["kernels"][0]
    report.check("JSON of other forms", kernel["registers"] is None and kernel["accesses"] == [
        {"access": "LDSM", "matrices": 4, "count": 1}, {"access": "UBLKCP", "count": 1},
        {"access": "UTMALDG", "dims": 3, "count": 1}], kernel)

    # Expectations.
    for wanted in ("LDG.128", "LDG.128,STG.128", "ldg.128+,!LDL,!STL", "LDG.8-,!LDG.256,!LDG.64"):
        expect(f"--expect {wanted}", sass(dump, "--expect", wanted), 0, None)
    expect("--expect fails for each kernel", sass(dump, "--expect", "LDG.256,!LDG.64-"), 1, None,
           "ct_plain_copy (sm_80): expected LDG.256; of LDG there is 128:1 8:1",
           "ct_plain_copy (sm_80): expected !LDG.64-; of LDG there is 128:1 8:1",
           "ct_plain_copy (sm_90): expected LDG.256; of LDG there is 128:1 8:1",
           "ct_plain_copy (sm_90): expected !LDG.64-; of LDG there is 128:1 8:1")
    expect("--expect fails for one kernel", sass(few, "--expect", "!LDL"), 1, None,
           "stack (sm_90): expected !LDL; of LDL there is 32:1")
    expect("--expect of one kernel", sass(few, "--kernel", "wide", "--expect", "LDG,!LDL"), 0, None)
    expect("--expect more than once",
           sass(few, "--kernel", "wide", "--expect", "!LDL", "--expect", "STG.64,LDG"), 1, None,
           "wide (sm_90): expected STG.64; of STG there is 32:1")
    expect("--expect of kernels whose names contain it",
           sass(few, "--kernel", "a", "--expect", "LDG.128"), 0, None)
    expect("--expect is wrong", sass(dump, "--expect", "LDQ.128"), 2, "", "RED, ATOMS, ATOM")
    expect("a width is wrong", sass(dump, "--expect", "LDG.12"), 2, "",
           "--expect: LDG has no width `12`; it has 8, 16, 32, 64, 128, 256")

    # What cannot be read.
    expect("no argument", sass(), 2, "", "a file of GPU code, or the name of a kernel, is missing")
    expect("two files", sass(dump, ptx), 2, "", "one file or kernel at a time")
    expect("--arch is wrong", sass(dump, "--arch", "90"), 2, "", "--arch takes an architecture such as sm_90, not `90`")
    expect("another architecture", sass(dump, "--arch", "sm_100"), 2, "",
           f"{dump}: there is no code for sm_100; there is sm_80, sm_90")
    expect("no such kernel", sass(few, "--kernel", "widy"), 2, "",
           "there is no kernel `widy`; similar names are wide, none, stack")
    missing = path("missing.cubin")
    expect("no such file", sass(missing), 2, "", f"{missing}: No such file or directory")
    expect("a directory", sass(folder), 2, "", f"{folder}: Is a directory")
    expect("an empty file", sass(path("empty", "")), 2, "", "empty: the file is empty")
    expect("text without code", sass(path("text", "LDG.E.128\n" * 9)), 2, "",
           "a text without kernels, neither PTX nor what cuobjdump -sass prints")
    for name, whole in (("a dump", dump), ("PTX", ptx)):
        with open(whole, encoding="utf-8") as file:
            text = file.read()
        expect(f"{name} cut off", sass(path("cut", text[:len(text) // 2 + 600])), 2, "",
               "cut: the text ends in the middle of a kernel")
    for whole, ends in ((dump, "\t\t....."), (nvdisasm, ".L_x_5:"),
                        (os.path.join(data, "call_twice.nvdisasm.txt"), ".L_x_2:")):
        report.check(f"{os.path.basename(whole)}, cut after each of its lines",
                     *cuts(sass, whole, ends, path))
    garbage = path("garbage.cubin", bytes(i * 37 % 256 for i in range(5000)))
    expect("garbage", sass(garbage), 2, "",
           f"{garbage}: cuobjdump info : File '{garbage}' does not contain device code")
    expect("cuobjdump fails in silence", sass(fatbin, FAKE_CUOBJDUMP="silent"), 2, "",
           f"{fatbin}: fake-cuobjdump ended with status 3")
    expect("cuobjdump is killed", sass(fatbin, FAKE_CUOBJDUMP="killed"), 2, "",
           f"{fatbin}: fake-cuobjdump was ended by signal {int(signal.SIGKILL)}")
    expect("no disassembler", sass(fatbin, CUTLET_CUOBJDUMP=""), 2, "",
           f"{fatbin}: it is not text, and neither cuobjdump nor nvdisasm is found in PATH, "
           f"$CUDA_HOME/bin, $CUDA_PATH/bin, /usr/local/cuda/bin; {WAY_OUT}")
    for name in ("no-such-program", path("no/such/program")):
        expect(f"CUTLET_CUOBJDUMP names nothing ({os.path.basename(name)})",
               sass(fatbin, CUTLET_CUOBJDUMP=name), 2, "", "CUTLET_CUOBJDUMP: it names no program")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([cutlet, "sass", dump], stdout=full, stderr=subprocess.PIPE,
                              text=True, check=False)
    report.check("output that cannot be written", done.returncode == 2 and
                 done.stderr.count("\n") == 1, done)

    # Kernels inside, of each of whose images the script says the same.
    outer, inside = sass, "ct_window_any" # as long a name as the script's, so that tables look the same
    sass = lambda *arguments, **environment: outer(*arguments, FAKE_NAME=inside, **environment)
    got = sass(inside, "--arch", "sm_90", CUTLET_CUOBJDUMP="")
    if "built without nvcc" in got[2]:
        expect("no kernels inside", got, 2, "",
               f"there is no file `{inside}`, and no kernels are built in: the command was built without nvcc")
        report.skip("kernels inside", "built without nvcc")
        return
    if "no kernels for sm_90" in got[2]:
        report.skip("kernels inside", "built without those for sm_90")
        return
    expect("a kernel inside without cuobjdump", got, 2, "",
           f"there is no file `{inside}`; to look for a kernel inside, cuobjdump is needed, and it is not in PATH, "
           f"$CUDA_HOME/bin, $CUDA_PATH/bin, /usr/local/cuda/bin; {WAY_OUT}")
    open(log, "w", encoding="utf-8").close()
    got = sass(inside, "--arch", "sm_90", "--expect", "LDG.128,!LDL")
    expect("a kernel inside", got, 0, None)
    with open(log, encoding="utf-8") as file:
        files = file.read().split()
    report.check("its table", got[1].startswith("ct_window_any: ") and
                 f"\nsm_90\n{fifteen.replace('ct_plain_copy', inside)}" in got[1] and "\nsm_80\n" not in got[1], got[1])
    report.check("files in memory", files and
                 all(name.startswith("/proc/self/fd/") for name in files), files)
    expect("a part of a name", sass("window", "--arch", "sm_90"), 0, got[1].replace(
        "ct_window_any: ", "window: ", 1))
    expect("no such kernel inside", sass("ct_window_nay"), 2, "", "there is no file "
           "`ct_window_nay`, and no built-in kernel of that name; similar names are ct_window_any")
    expect("no such architecture inside", sass(inside, "--arch", "sm_75"), 2, "",
           "there are no kernels for sm_75 inside")
    expect("cuobjdump fails on an image", sass(inside, FAKE_CUOBJDUMP="silent"), 2, "",
           "the built-in kernels: fake-cuobjdump ended with status 3")


def cuts(sass, whole, ends, path):
    """Whether --expect '!ATOMS' of a dump's first lines is status 2 up to the line that ends its
    first kernel, and 0 for the lines up to the next one; the first wrong answer."""
    with open(whole, encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    last = next(i for i, line in enumerate(lines) if line.startswith(ends))
    begun = [i for i, line in enumerate(lines) if i > last and "Function : " in line]
    for n in range(1, (begun or [len(lines)])[0] + 1):
        got = sass(path("cut", "".join(lines[:n])), "--expect", "!ATOMS")
        refused = got[0] == 2 and not got[1] and got[2].count("\n") == 1 and (
            "ends in the middle of a kernel" in got[2] or "without kernels" in got[2])
        if not (got[0] == 0 if n > last else refused):
            return False, f"{n} lines: {got}"
    return last > 40, f"only {last} lines"


def compile_pipelines(source, nvcc, kind, out):
    """Status and output of nvcc on the pipelines of cp.async and of TMA."""
    flags = [f"-I{os.path.join(source, part)}" for part in ("include", "device")]
    return tap.run([nvcc, "-std=c++17", "-arch=sm_90", kind, *flags, "-o", out,
                    os.path.join(source, "tools/bench/kernels/pipelines.cu")])


def test_gate(report, cutlet, source, nvcc, folder):
    """The PTX of the pipelines as a build would gate it: no disassembler is needed."""
    if not nvcc:
        report.skip("a gate on PTX", "no nvcc found")
        return
    ptx = os.path.join(folder, "pipelines.ptx")
    status, output = compile_pipelines(source, nvcc, "-ptx", ptx)
    if not report.check("nvcc makes PTX", status == 0, tap.tail(output)):
        return
    for kernel, wanted in (("ct_pipeline_cp_async", "LDGSTS.128,LDS,STG,!LDL,!STL,!LD,!ST"),
                           ("ct_pipeline_tma", "UTMALDG.2D,UTMASTG.2D,!LDGSTS,!LDG,!LDL,!STL")):
        got = run(cutlet, [ptx, "--kernel", kernel, "--expect", wanted], CUTLET_CUOBJDUMP="")
        report.check(f"{kernel}: {wanted}", got[0] == 0 and "1 kernel, PTX" in got[1], got)


def test_real(report, cutlet, source, nvcc, folder):
    cuobjdump = find_cuobjdump()
    if not cuobjdump:
        report.skip("the real cuobjdump", "no cuobjdump found")
        return
    got = run(cutlet, ["ct_best_copy_128x1_async", "--json", "--expect", "LDGSTS.128,STG.128,!LDL,!STL"],
              CUTLET_CUOBJDUMP=cuobjdump)
    if "built without nvcc" in got[2]:
        report.skip("the real cuobjdump on kernels inside", "built without nvcc")
    elif "nvdisasm" in got[2]:
        report.skip("the real cuobjdump", "it finds no nvdisasm")
        return
    else:
        kernels = json.loads(got[1])["kernels"] if got[1] else []
        report.check("the real cuobjdump on kernels inside", got[0] == 0 and kernels and all(
            k["name"] == "ct_best_copy_128x1_async" and k["registers"] > 4 and k["stack_bytes"] == 0 and
            {"LDGSTS", "STG"} <= {a["access"] for a in k["accesses"]} for k in kernels), got)
    if not nvcc:
        report.skip("the real cuobjdump on a cubin", "no nvcc found")
        return
    cubin = os.path.join(folder, "real.cubin")
    status, output = compile_pipelines(source, nvcc, "-cubin", cubin)
    if not report.check("nvcc compiles the pipelines", status == 0, tap.tail(output)):
        return
    got = run(cutlet, [cubin, "--kernel", "cp_async", "--expect", "LDGSTS.128,LDS,STG,!LDL,!STL"],
              CUTLET_CUOBJDUMP=cuobjdump)
    report.check("cp.async is LDGSTS.128", got[0] == 0 and "LDGSTS" in got[1], got)
    got = run(cutlet, [cubin, "--kernel", "tma", "--expect", "UTMALDG.2D,UTMASTG.2D,!LDGSTS"],
              CUTLET_CUOBJDUMP=cuobjdump)
    report.check("TMA is UTMALDG and UTMASTG", got[0] == 0 and "2D:" in got[1], got)
    got = run(cutlet, [cubin, "--kernel", "tma", "--expect", "LDGSTS"], CUTLET_CUOBJDUMP=cuobjdump)
    report.check("an expectation fails", got[0] == 1 and
                 got[2].endswith("there is no LDGSTS\n"), got)
    with open(cubin, "rb") as file:
        whole = file.read()
    for name, part in (("cut off", whole[:len(whole) // 2]), ("its head", whole[:64])):
        with open(cubin, "wb") as file:
            file.write(part)
        got = run(cutlet, [cubin], CUTLET_CUOBJDUMP=cuobjdump)
        report.check(f"a cubin {name}", got[0] == 2 and got[2].count("\n") == 1 and not got[1], got)


def test_vector(report, cutlet, source, images):
    """Every kernel of examples/vector has the widths that it is written for."""
    with open(os.path.join(source, "examples/vector/kernels.c"), encoding="utf-8") as file:
        table = file.read().split("vector_kernels[] = {")[1].split("}")[0]
    listed = sorted(name for names in WIDE.values() for name in names)
    report.check("the widths of every vector kernel are known",
                 sorted(re.findall(r"&(\w+)", table)) == listed, table)
    reason, kernels = vector_kernels(report, cutlet, images)
    for wanted, names in WIDE.items():
        for name in names:
            mine, why = [k for k in kernels if k["name"] == name], reason
            if not why and not mine and "256" in wanted and not any(
                    int(k["arch"][3:].rstrip("af")) >= 100 for k in kernels):
                why = "built without code for sm_100"
            if why:
                report.skip(f"{name}: {wanted}", why)
                continue
            report.check(f"{name}: {wanted}", mine and not any(
                set(wanted.split(",")) & set(k["failed"]) for k in mine), json.dumps(mine))


def vector_kernels(report, cutlet, images):
    """Why the kernels of the fat binaries cannot be looked at, or None; and they, each with what it
    fails of all that is expected of any."""
    cuobjdump, kernels = find_cuobjdump(), []
    if not images or not cuobjdump:
        return "no cuobjdump found" if images else "built without nvcc", []
    for image in images:
        status, out, errors = run(cutlet, [image, "--json", "--expect", ",".join(WIDE)],
                                  CUTLET_CUOBJDUMP=cuobjdump)
        if status == 2 and "nvdisasm" in errors:
            return "cuobjdump finds no nvdisasm", []
        report.check(f"{os.path.basename(image)} is read", status in (0, 1) and out, errors)
        kernels += json.loads(out)["kernels"] if out else []
    return None, kernels


if __name__ == "__main__":
    sys.exit(main())
