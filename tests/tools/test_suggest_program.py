#!/usr/bin/env python3
"""`cutlet suggest --emit`: the programs compile without a warning, run on the CPU grid, and find every
element right; nvcc compiles them too, and a GPU runs them where there is one.

    test_suggest_program.py CUTLET SOURCE LIBRARY CC [NVCC]
"""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

# name, what is asked, what the program holds, the line that it prints on the grid
QUERIES = [
    ("ldmatrix of halves",
     ["half", "64x64", "(4096,4096):(4096,1)", "--read", "ldmatrix"],
     ["CT_ATOM_CP_ASYNC_CG", "CT_ATOM_LDMATRIX, 4, 16", "ct_make_swizzle(3, 3, 3)", "enum { M = 4096, N = 4096 }"],
     "128 x 128 elements of 2 bytes"),
    ("ldmatrix.trans, ragged", ["bfloat16", "64x32", "(136,72):(1,136)", "--read", "ldmatrix.trans"],
     ["CT_ATOM_LDMATRIX_TRANS, 4, 16", "ct_in_global(0)"], "136 x 72 elements of 2 bytes"),
    ("ldmatrix of a turned source, stores joined", ["half", "64x64", "(1000,777):(1,1000)", "--read", "ldmatrix"],
     ["ct_copy_atom_auto(16)", "ct_with_most(ct_in_shared(tile_shared()), "], "168 x 137 elements of 2 bytes"),
    ("rows of halves, an odd pitch", ["half", "32x64", "(100,130):(777,1)", "--read", "rows"],
     ["ct_copy_atom_universal(16, 16)"], "68 x 130 elements of 2 bytes"),
    ("columns of bytes", ["int8", "64x64", "(1000,776):(776,1)", "--read", "cols"],
     ["ct_in_global(1)", "tile_read"], "168 x 136 elements of 1 bytes"),
    ("columns of floats, no cp.async", ["float", "32x32", "(77,100):(100,1)", "--read", "cols", "--no-cp-async"],
     ["ct_copy_atom_universal"], "77 x 68 elements of 4 bytes"),
    ("a narrow read", ["float", "32x32", "(77,100):(100,1)", "--read", "rows", "--read-bits", "32"],
     ["ct_copy_atom_universal(32, 32)), "], "77 x 68 elements of 4 bytes"),
    ("columns of doubles", ["double", "32x64", "(40,70):(70,1)", "--read", "cols", "--threads", "256"],
     ["ct_make_global(src, 64"], "40 x 70 elements of 8 bytes"),
    ("elements of 16 bytes", ["uint128", "32x32", "(100,77):(1,100)", "--read", "cols", "--threads", "64"],
     ["ct_make_global(src, 128"], "68 x 77 elements of 16 bytes"),
    ("fewer reads than threads", ["int8", "16x16", "(40,48):(48,1)", "--read", "rows", "--threads", "64",
                                  "--read-bits", "64"],
     ["if (threadIdx.x < 32) {"], "40 x 32 elements of 1 bytes"),
    ("many accesses of a thread", ["int8", "128x128", "(200,150):(151,1)", "--read", "cols"],
     ["#define CT_ACCESSES 128"], "200 x 150 elements of 1 bytes"),
    ("more than 48 KiB", ["float", "128x128", "(256,128):(128,1)", "--read", "rows", "--threads", "256"],
     ["cudaFuncAttributeMaxDynamicSharedMemorySize"], "256 x 128 elements of 4 bytes"),
    ("a destination", ["float", "64x64", "(1000,777):(777,1)", "--dst", "(1000,777):(1,1000)", "--threads", "256"],
     ["tile_out(void)", "ct_in_shared(tile_shared()), ct_in_global(0)"], "168 x 137 elements of 4 bytes"),
    ("a destination, alike", ["half", "64x64", "(128,192):(192,1)", "--dst", "(128,192):(200,1)"],
     ["tile_out(void)"], "128 x 128 elements of 2 bytes"),
    ("neither axis contiguous", ["float", "16x16", "(50,20):(64,2)", "--read", "rows", "--threads", "32"],
     ["ct_in_global(-1)"], "34 x 20 elements of 4 bytes"),
    ("one row for all", ["half", "32x32", "(64,64):(0,1)", "--read", "rows", "--threads", "32"],
     ["m * 1 + n * 64"], "64 x 64 elements of 2 bytes"),
]


class Programs:
    def __init__(self, cutlet, source, library, cc, nvcc):
        self.cutlet, self.library, self.cc, self.nvcc = cutlet, library, cc, nvcc
        self.include = os.path.join(source, "include")
        self.report = tap.Report()

    def suggest(self, *args):
        return subprocess.run([self.cutlet, "suggest", *args], capture_output=True, text=True,
                              env=dict(os.environ, LC_ALL="C"), timeout=120)

    def on_grid(self, path, program):
        """Compiles for the grid and runs; the status and all that was printed."""
        status, text = tap.run([self.cc, "-std=gnu11", "-O1" if tap.ALL else "-O0", "-Wall", "-Wextra", "-Werror",
                                "-Wno-unknown-pragmas", "-I", self.include, "-x", "c", path, "-x", "none",
                                "-o", program, self.library, "-lm", "-lpthread", "-ldl"])
        return (status, text) if status else tap.run([program])

    def on_gpu(self, name, path, program):
        if not self.nvcc:
            self.report.skip(f"{name}: nvcc", "no nvcc")
            return
        status, text = tap.run([self.nvcc, "-std=c++17", "-arch=sm_90", "-I", self.include, "-o", program,
                                path])
        if not self.report.check(f"{name}: nvcc compiles it", (status, text) == (0, ""), text):
            return
        status, text = tap.run([program])
        if status == 2 and re.match(r"CUDA: (no CUDA-capable device|CUDA driver)", text):
            self.report.skip(f"{name}: on a GPU", text.strip())
            return
        self.report.check(f"{name}: on a GPU", status == 0 and text.endswith(": each is right\n"),
                          f"{status}: {text}")

    def one(self, query, folder, runs):
        """A program; whether it is compiled and run too."""
        name, asked, parts, line = query
        path, program = os.path.join(folder, "tile.cu"), os.path.join(folder, "tile")
        args = ["--type", asked[0], "--tile", asked[1], "--src", asked[2], *asked[3:], "--emit", path]
        done = self.suggest(*args)
        if not self.report.check(f"{name}: written", done.returncode == 0 and done.stderr == "", done):
            return
        with open(path, encoding="utf-8") as file:
            text = file.read()
        missing = [part for part in parts if part not in re.sub(r"\n +", " ", text)]
        self.report.check(f"{name}: what it holds", not missing, f"not in it: {missing}\n{text}")
        kernel = done.stdout.split("\nC:\n\n")[1].split("\nCuTe C++:\n")[0]
        self.report.check(f"{name}: the page shows its kernel", kernel in text, kernel)
        if not runs:
            return
        status, out = self.on_grid(path, program)
        self.report.check(f"{name}: on the grid", (status, out) == (0, line + ": each is right\n"),
                          f"{status}: {out}")
        self.on_gpu(name, path, program)

    def table(self, folder):
        """--emit FILE.h: the place of each element, as the layout that is named has it."""
        for read, src in (("ldmatrix", "(4096,4096):(4096,1)"), ("cols", "(4096,4096):(1,4096)")):
            path = os.path.join(folder, "table.h")
            done = self.suggest("--type", "half", "--tile", "64x32", "--src", src, "--read", read, "--emit", path)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            layout = re.search(r"shared memory is\n \* (.*)\.\n", text).group(1)
            run = int(re.search(r"TILE_RUN (\d+)", text).group(1))
            table = [int(place) for row in re.findall(r"^    \{(.*)\}", text, re.M) for place in row.split(",")]
            places = {(i, j): table[i * (32 // run) + j // run] + j % run for i in range(64) for j in range(32)}
            told = subprocess.run([self.cutlet, "eval", f"offsets({layout})"], stdout=subprocess.PIPE, text=True,
                                  check=False).stdout
            want = [int(place) for place in told.strip().strip("()").split(",")]
            self.report.check(f"the table of a tile, {read}", done.returncode == 0 and len(set(places.values())) == 2048 and
                              all(want[i + 64 * j] == place for (i, j), place in places.items()), text[:300])

    def spoiled(self, folder):
        """A program that copies wrongly says so."""
        done = self.suggest("--type", "half", "--tile", "32x32", "--src", "(64,64):(64,1)", "--threads", "32",
                            "--read", "rows", "--emit", "-")
        self.report.check("--emit - prints the program alone", done.returncode == 0 and
                          done.stdout.startswith("/* half 32 x 32 of (64,64):(64,1) by 32 threads, read by "
                                                 "rows, "), done.stdout[:200])
        path = os.path.join(folder, "spoiled.cu")
        for name, part, fault, want in (
                ("a wrong word", "    ct_copy(&back", "    words[0] ^= 1;\n    ct_copy(&back", "wrong at (0,0)\n"),
                ("no barrier", "    __syncthreads();\n", "", "no barrier puts before")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(done.stdout.replace(part, fault))
            status, out = self.on_grid(path, os.path.join(folder, "spoiled"))
            self.report.check(f"{name} is found", status != 0 and want in out, f"{status}: {out}")

    def refused(self, folder):
        half = ["--type", "half", "--tile", "32x32", "--threads", "32"]
        path = os.path.join(folder, "none.cu")
        for part, status, args in (
                ("no program: mode 1 of the source is (32,2):(1,64); a kernel takes one stride a mode", 1,
                 [*half, "--src", "(64,(32,2)):(128,(1,64))", "--emit", path]),
                ("no program: mode 0 of the source has 64 elements, that of the destination 128", 1,
                 [*half, "--src", "(64,64):(64,1)", "--dst", "(128,64):(64,1)", "--emit", path]),
                ("no program: each of 32 threads reads 512 words of registers; a copy holds at most 256", 1,
                 ["--type", "float", "--tile", "128x128", "--threads", "32", "--src", "(128,128):(128,1)",
                  "--emit", path]),
                (os.path.join(folder, "nowhere", "x.cu") + ": cannot be written: No such file or directory", 2,
                 [*half, "--src", "(64,64):(64,1)", "--emit", os.path.join(folder, "nowhere", "x.cu")]),
                ("/dev/full: cannot be written: No space left on device", 2,
                 [*half, "--src", "(64,64):(64,1)", "--emit", "/dev/full"]),
                ("--json or --emit -", 2, [*half, "--src", "(64,64):(64,1)", "--emit", "-", "--json"])):
            done = self.suggest(*args)
            self.report.check(f"refused: {part[:60]}", done.returncode == status and done.stdout == "" and
                              part in done.stderr and done.stderr.count("\n") == 1, done)
        self.report.check("nothing is written then", not os.path.exists(path))
        done = self.suggest(*half, "--src", "(64,(32,2)):(128,(1,64))")
        self.report.check("the page says why there is no C", "\nC: mode 1 of the source is" in done.stdout and
                          done.returncode == 0, done)


def main():
    if len(sys.argv) not in (5, 6):
        tap.die(__doc__)
    programs = Programs(*sys.argv[1:5], sys.argv[5] if len(sys.argv) > 5 else "")
    for i, query in enumerate(QUERIES):
        with tempfile.TemporaryDirectory() as folder:
            programs.one(query, folder, tap.ALL or i % 3 == 0)
    with tempfile.TemporaryDirectory() as folder:
        programs.table(folder)
        programs.spoiled(folder)
        programs.refused(folder)
    return programs.report.finish()


if __name__ == "__main__":
    sys.exit(main())
