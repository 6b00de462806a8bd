#!/usr/bin/env python3
"""`cutlet run`: results, mistakes with their place, costs, arguments of each form, what cannot be read.

    test_run.py CUTLET SOURCE [NVCC]
"""

import json
import os
import stat
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import npy_bytes
import tap

N = 64
TO, FROM = f"to=float[{N},{N}]:out", f"from=float[{N},{N}]@from.npy"
BLOCKS = ["--grid", "2,2", "--block", "32,32"]
# Kernels of arguments: a structure of a number, a half and a pointer; bytes by value; a tile by its tensor map.
PTX = """.version 8.0
.target sm_90
.address_size 64
.visible .entry whole(.param .align 8 .b8 s[16])
{
    .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .b16 %h<2>;
    ld.param.u32 %r1, [s]; ld.param.b16 %h1, [s+4]; ld.param.u64 %rd1, [s+8];
    st.global.u32 [%rd1], %r1; st.global.b16 [%rd1+4], %h1;
    ret;
}
.visible .entry scalars(.param .u64 p, .param .f32 x, .param .b32 n, .param .align 8 .b8 bytes[8])
{
    .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .f32 %f<2>;
    ld.param.u64 %rd1, [p]; ld.param.f32 %f1, [x]; ld.param.u32 %r1, [n]; ld.param.u64 %rd2, [bytes];
    st.global.f32 [%rd1], %f1; st.global.u32 [%rd1+4], %r1; st.global.u64 [%rd1+8], %rd2;
    ret;
}
.visible .entry tile(.param .u64 to, .param .align 64 .b8 map[128])
{
    .shared .align 128 .b8 memory[256]; .shared .align 8 .b64 bar;
    .reg .b64 %rd<4>; .reg .b32 %r<6>; .reg .pred %p<2>;
    mov.u32 %r1, memory; mov.u32 %r2, bar; ld.param.u64 %rd1, [to]; mov.b64 %rd2, map; mov.u32 %r3, 8; mov.u32 %r4, 4;
    mbarrier.init.shared.b64 [%r2], 1;
    fence.mbarrier_init.release.cluster;
    fence.proxy.async;
    mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 128;
    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd2, {%r3, %r4}], [%r2];
W:  mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;
    @!%p1 bra W;
    ld.shared.u32 %r5, [%r1+36];
    st.global.u32 [%rd1], %r5;
    ret;
}
"""


class Session:
    def __init__(self, cutlet, ptx, report):
        self.cutlet, self.ptx, self.report = cutlet, ptx, report

    def run(self, *arguments, **env):
        done = subprocess.run([self.cutlet, "run", *arguments], capture_output=True, text=True, timeout=100,
                              env={**os.environ, **env})
        return done.returncode, done.stdout, done.stderr

    def expect(self, name, arguments, status, out="", err="", **env):
        """The exit status, and parts of both streams; "" is an empty one."""
        got = self.run(*arguments, **env)
        parts = [[part] if isinstance(part, str) else part for part in (out, err)]
        good = got[0] == status and all(all(part in text for part in wanted) and (wanted != [""] or not text)
                                        for wanted, text in zip(parts, got[1:]))
        self.report.check(name, good, got)

    def transpose(self, name, arguments, *results, blocks=BLOCKS):
        self.expect(name, [self.ptx, *blocks, *arguments], *results)


def write(path, descr, shape, letter, values):
    npy_bytes.write(path, descr, shape, struct.pack(f"<{len(values)}{letter}", *values), False)


def raw(path):
    return npy_bytes.read(path)[1]


def test_results(s):
    given = ["--arg", FROM, "--arg", "n=64"]
    s.transpose("a result as expected", ["--arg", TO + "@to.npy", *given, "--expect", "want.npy"], 0,
                ["to: all 4096 elements are as expected; the largest difference is 0\n",
                 "transpose.cu:8       LDS 32            tile             128        -        -      -       4096      3968\n",
                 "transpose.cu:6       LDG 32            from             128      128      512  100 %          -         -\n",
                 "\n\ntranspose.cu:8, LDS 32 of tile: 32-way conflict: lanes 0, 1, .. share a bank; neighbouring lanes "
                 "are 128 bytes apart\n", "\n\n147456 instructions in "])
    s.report.check("it is written", raw("to.npy") == raw("want.npy"))
    s.transpose("a result that is not", ["--arg", TO, *given, "--expect", "to=other.npy"], 1, "where",
                "cutlet run: to: 2 of 4096 elements are not as expected; the first is to[1,2]: 129, not 129.5; the "
                "largest difference is 2\n")
    s.transpose("a tolerance is relative above 1", ["--arg", TO, *given, "--expect", "other.npy", "--tolerance", "0.001"],
                1, "where", "to: 1 of 4096")
    status, out, _ = s.run(s.ptx, *BLOCKS, "--arg", TO, *given, "--expect", "other.npy", "--json", "--schedules", "3")
    found = json.loads(out)
    result = found["results"][0]
    s.report.check("JSON", status == 1 and found["instructions"] == 3 * 147456 and found["seconds"] > 0 and found["message"].endswith("3 schedules from 0 on make no mistake; others may") and found["access"][2]["conflicts"] == 3968
                   and len(found["costly"]) == 3 and (result["wrong"], result["first"], result["wanted"]) == (2, "[1,2]", 129.5),
                   found)


def test_mistakes(s):
    s.transpose("out of bounds", ["--arg", TO, "--arg", "from=float[63,64]", "--arg", "n=64"], 1, "where",
                ["kernel transpose, block (0,1,0), thread (0,31,0): 32-bit load from global memory at transpose.cu:6: bytes "
                 "16128 to 16131 of from, which has 16128 bytes\n"])
    s.transpose("a store to an input", ["--arg", f"to=float[{N},{N}]", "--arg", FROM, "--arg", "n=64"], 1, "where",
                ["to is not writable\n", "cutlet run: the access is at to[0,0]\n"])
    s.transpose("an element of a race", ["--arg", TO, "--arg", FROM, "--arg", "n=0"], 1, "where",
                ["race: byte", "cutlet run: the access is at to["])
    s.transpose("too many threads", ["--arg", TO, "--arg", FROM, "--arg", "n=64"], 2, "", "threads", blocks=["--block", "2000"])


def test_arguments(s):
    s.expect("the kernels and their parameters", ["args.ptx", "--list"], 0,
             ["whole: up to 1024 threads\n  s: b8[], 16 bytes\n", "scalars: up to 1024 threads\n  p: u64, 8 bytes\n  x: f32"])
    s.expect("a structure", ["args.ptx", "--kernel", "whole", "--arg", "n=i32:-2", "--arg", "x=half:1.5", "--arg",
                             "p=uint8[8]:out@p.npy"], 0, "STG")
    s.report.check("its members", struct.unpack("<iHH", raw("p.npy")) == (-2, 0x3e00, 0), raw("p.npy"))
    s.expect("numbers and bytes", ["args.ptx", "--kernel", "scalar", "--arg", "p=uint8[16]:out@p.npy", "--arg", "x=0.5",
                                   "--arg", "n=7", "--arg", "b=@bytes.npy:value"], 0, "STG")
    s.report.check("their values", struct.unpack("<fi8s", raw("p.npy")) == (0.5, 7, b"abcdefgh"), raw("p.npy"))
    tile = ["args.ptx", "--kernel", "tile", "--arg", "to=float[1]:out@to.npy", "--arg", FROM]
    s.expect("a tensor map", [*tile, "--tma", "from,box=4x8"], 0, "STG")
    s.report.check("the tile's element", struct.unpack("<f", raw("to.npy")) == (N * 5 + 8 + 1,), raw("to.npy"))
    with open("unfenced.ptx", "w", encoding="utf-8") as file:
        file.write(PTX.replace("fence.mbarrier_init.release.cluster;", "").replace("fence.proxy.async;", ""))
    unfenced = ["unfenced.ptx", *tile[1:], "--tma", "from,box=4x8"]
    s.expect("no fence behind an init", unfenced, 1, "", "no ct_fence_mbarrier_init follows")
    s.expect("which is allowed", [*unfenced, "--no-init-fence"], 0, "STG")
    for name, arguments, message in (
            ("no shape", ["--arg", "to=float[]:out"], "to: `[]` is no shape such as [256,64]"),
            ("no type", ["--arg", "to=[4]:out"], "to: without a file it takes a type and a shape"),
            ("no value", ["--arg", "to"], "--arg to: it is NAME=VALUE"),
            ("an unknown type", ["--arg", "to=flaot[4]"], "to: there is no type `flaot` (did you mean `float`?)"),
            ("no file", ["--arg", "to=@none.npy"], "to: none.npy: "),
            ("a file of another type", ["--arg", "to=half@from.npy"], "to: the file has elements <f4, not half"),
            ("a file of another shape", ["--arg", "to=float[64,63]@from.npy"], "to: the file has another shape"),
            ("a number that is none", ["--arg", TO, "--arg", FROM, "--arg", "n=1x"], "n: `1x` is no uint32"),
            ("a number that is too large", ["--arg", TO, "--arg", FROM, "--arg", "n=i32:3000000000"], "n: `3000000000` is no int32"),
            ("a number of another size", ["--arg", TO, "--arg", FROM, "--arg", "n=i64:1"],
             "n: it has 8 bytes; parameter 2 of the kernel has 4"),
            ("too few", ["--arg", TO], "parameter 1 of the kernel, transpose_param_1, has no --arg; --list shows them"),
            ("too many", ["--arg", TO, "--arg", FROM, "--arg", "n=1", "--arg", "m=1"],
             "m: the kernel has only 3 parameters; --list shows them"),
            ("a map of nothing", ["--arg", TO, "--tma", "x,box=4"], "--tma x,box=4: it names no array of an --arg"),
            ("an expectation of nothing", ["--arg", FROM, "--expect", "want.npy"], "--expect want.npy: it names no array"),
            ("no such kernel", ["--kernel", "none"], f"{s.ptx}: 0 kernels have `none` in their names"),
            ("extents", ["--grid", "1,,2"], "--grid takes up to three numbers, as 4,1, not `1,,2`"),
            ("a tolerance", ["--tolerance", "-1"], "--tolerance takes 0 or more, not `-1`"),
            ("bytes", ["--shared", "x"], "--shared takes a number up to 2147483647, not `x`"),
            ("two files", ["x.ptx"], "one file at a time")):
        s.transpose(name, arguments, 2, "", f"cutlet run: {message}")
    for box, message in (("swizzle=3", ",swizzle=3: it is NAME,box=64x64,swizzle=0, 32, 64 or 128"),
                         ("box=4y4", ": box=4y4: "),
                         ("box=4x3", ": the first dimension of the box is 12 bytes, not a multiple of 16")):
        s.expect(f"a map of {box}", [*tile, "--tma", f"from,{box}"], 2, "", f"--tma from{message}")
    s.expect("a type that is missing", ["args.ptx", "--kernel", "whole", "--arg", "n=2"], 2, "",
             "n: its type is missing, as in n=i32:2")
    s.transpose("an expected file of another shape", ["--arg", TO, "--arg", FROM, "--arg", "n=64", "--expect", "bytes.npy"],
                2, "", "--expect to: bytes.npy has another shape, Fortran order, or elements that are no numbers")
    s.transpose("a result that cannot be written", ["--arg", TO + "@none/x.npy", "--arg", FROM, "--arg", "n=64"], 2, "",
                "none/x.npy")


def test_files(s, nvcc):
    """Each kind of file; cuobjdump is one that prints what NVIDIA's does."""
    with open("none.ptx", "w") as file:
        file.write(".version 8.0\n.target sm_90\n.address_size 64\n")
    with open("bad.ptx", "w") as file:
        file.write(PTX.replace("ret;", "rett;", 1))
    s.expect("no kernel", ["none.ptx"], 2, "", "cutlet run: none.ptx: there is no kernel in it\n")
    s.expect("an instruction that is not known", ["bad.ptx"], 2, "", "bad.ptx: line 9: the instruction rett is not known")
    s.expect("several kernels", ["args.ptx"], 2, "", "args.ptx: 3 kernels have `` in their names; --kernel names one, and --list shows all")
    s.expect("nothing", [], 2, "", "cutlet run: a file of PTX is missing")
    s.expect("too many arguments", ["args.ptx"] + ["--arg", "n=1"] * 65, 2, "", "a kernel takes up to 64 arguments here")
    s.expect("no file", ["absent.ptx"], 2, "", "cutlet run: absent.ptx: No such file")
    s.expect("an empty file", ["/dev/null"], 2, "", "/dev/null: there is no kernel in it")
    os.mkdir("bin")
    with open("program.so", "wb") as file:
        file.write(b"\x7fELF" + bytes(60))
    with open("bin/cuobjdump", "w") as file:
        file.write("#!/bin/sh\n[ $1 = -ptx ] || exit 1\ncat \"$2.txt\"\n")
    os.chmod("bin/cuobjdump", stat.S_IRWXU)
    heading = "\nFatbin ptx code:\n================\narch = sm_90\ncode version = [8,0]\n\n"
    with open("program.so.txt", "w") as file:
        file.write(heading + PTX.replace("whole", "old") + heading + PTX + "\nFatbin elf code:\n====\n")
    here = os.path.abspath("bin") + ":/usr/bin:/bin"
    s.expect("a program, by its last PTX", ["program.so", "--list"], 0, "whole: up to 1024 threads", PATH=here)
    with open("program.so.txt", "w") as file:
        file.write("\nFatbin elf code:\n====\n")
    s.expect("a cubin", ["program.so", "--list"], 2, "",
             "program.so: there is no PTX in it, only machine code, which the grid does not run", PATH=here)
    if not nvcc:
        s.report.skip("CUDA C", "no nvcc found")
        return
    with open("twice.cu", "w") as file:
        file.write("__global__ void twice(float *to) {\n to[threadIdx.x] *= 2;\n}\n")
    path = os.path.dirname(nvcc) + ":" + os.environ["PATH"]
    s.expect("CUDA C", ["twice.cu", "--block", "32", "--arg", "to=float[31]:out"], 1, "",
             "thread (31,0,0): 32-bit load from global memory at twice.cu:2: bytes 124 to 127 of to", PATH=path)
    with open("wrong.cu", "w") as file:
        file.write("int x = y;\n")
    s.expect("CUDA C that is wrong", ["wrong.cu"], 2, "", "wrong.cu: nvcc: wrong.cu(1): error", PATH=path)


def main():
    cutlet, source = os.path.abspath(sys.argv[1]), sys.argv[2]
    report = tap.Report()
    s = Session(cutlet, os.path.join(os.path.abspath(source), "examples/howto/transpose.ptx"), report)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        numbers = [float(i) for i in range(N * N)]
        other = [numbers[i % N * N + i // N] for i in range(N * N)]
        write("from.npy", "<f4", (N, N), "f", numbers)
        write("want.npy", "<f4", (N, N), "f", other)
        other[N + 2], other[-1] = 129.5, 4093.0  # not 129 and 4095
        write("other.npy", "<f8", (N, N), "d", other)
        write("bytes.npy", "|u1", (8,), "B", list(b"abcdefgh"))
        with open("args.ptx", "w") as file:
            file.write(PTX)
        test_results(s)
        test_mistakes(s)
        test_arguments(s)
        test_files(s, sys.argv[3] if len(sys.argv) > 3 else "")
        os.chdir("/")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
