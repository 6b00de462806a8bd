#!/usr/bin/env python3
"""`cutlet suggest`: the page, the lists, JSON, complaints; its C compiled and counted anew, and run on the
CPU grid, which counts too.

    test_suggest_cli.py CUTLET SOURCE CC [LIBRARY]

Without LIBRARY, which is not linked with where it is sanitised, the C is left out by name.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

HALF = ["--type", "half", "--src", "(4096,4096):(4096,1)"]
LDMATRIX = [*HALF, "--tile", "128x64", "--read", "ldmatrix"]

# What the C of a choice is checked by: it is included, its copy counted by a count of its own, and a tile
# copied by its kernel on the grid.
COUNT = """
#include "choice.h"
#include <stdio.h>
#include <stdlib.h>
#include <cutlet/cutlet.h>
#include <cutlet/host/grid.h>

enum { M = %(m)d, N = %(n)d, ELEM = %(elem)d, PIECE = 32, BANK = 4, BANKS = 32 };

static int different(const long *v, int n)
{
    int count = 0;
    for (int i = 0; i < n; ++i) {
        int k = 0;
        while (k < i && v[k] != v[i]) ++k;
        count += k == i;
    }
    return count;
}

/* Passes of 128 bytes: lanes in groups that ask for 128 bytes, different units in one bank. */
static int passes(const long *byte, int bytes)
{
    const int unit = bytes < BANK ? BANK : bytes, across = BANKS * BANK / unit;
    int sum = 0;
    for (int first = 0; first < 32; first += across) {
        int most = 0;
        for (int bank = 0; bank < across; ++bank) {
            long there[32];
            int n = 0;
            for (int t = first; t < first + across; ++t)
                if (byte[t] / unit %% across == bank) there[n++] = byte[t] / unit;
            n = different(there, n);
            most = n > most ? n : most;
        }
        sum += most;
    }
    return sum;
}

/* Sectors of the source, wavefronts written and read, and instructions, as the grid counts them. */
static int launch(int bytes, int threads)
{
    static _Alignas(1024) unsigned char from[1 << 24], to[1 << 24];
    copy_tile_args args = CT_ZERO;
    long sectors = 0, write = 0, read = 0, instructions = 0;
    args.src = ct_make_global(from, 8 * ELEM, %(src)s);
    args.dst = ct_make_global(to, 8 * ELEM, %(src)s);
    const ct_grid_buffer buffers[] = {{"src", from, sizeof from, 0, 0}, {"dst", to, sizeof to, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report report;
    if (ct_grid_launch(&copy_tile, (ct_dim3){1, 1, 1}, (ct_dim3){threads, 1, 1}, bytes, &args, sizeof args,
                       &options, &report))
        return puts(report.message), 1;
    for (int i = 0; i < report.row_count; ++i) {
        const ct_grid_row *const row = &report.rows[i];
        const int stores = row->kind == CT_ACCESS_STS;
        if (row->buffer == 1) continue;
        sectors += row->sectors;
        *(stores ? &write : &read) += row->wavefronts;
        instructions += row->async ? 0 : row->instructions;
    }
    printf("%%ld %%ld %%ld %%ld\\n", sectors, write, read, instructions);
    ct_grid_report_free(&report);
    return 0;
}

int main(void)
{
    const ct_layout src = %(src)s;
    const ct_tiled_copy in = tile_in();
    const ct_tensor shared = tile_shared();
    const int threads = (int)ct_tiled_copy_threads(in), vector = (int)ct_atom_vector(in.atom);
    const int each = M * N / threads / vector, bytes = in.atom.bits / 8;
    static char seen[M * N];
    long sectors = 0, write = 0;
    if (ct_tiled_copy_check(in, src, shared.layout).status) return 1;
    for (int warp = 0; warp < threads / 32; ++warp) {
        for (int i = 0; i < each; ++i) {
            long from[32], sector[32], to[32];
            for (int t = 0; t < 32; ++t) {
                const ct_tensor mine = ct_partition_src(in, ct_make_tensor(ct_layout2(M, N, 1, M)), warp * 32 + t);
                for (int k = 0; k < vector; ++k)
                    ++seen[mine.offset.value[0] + ct_eval(mine.layout, i * vector + k)];
                const long place = mine.offset.value[0] + ct_eval(mine.layout, i * vector);
                from[t] = ct_eval2(src, place %% M, place / M) * ELEM;
                sector[t] = from[t] / PIECE;
                to[t] = ct_tensor_eval(shared, place) * ELEM;
            }
            sectors += different(sector, 32);
            write += passes(to, bytes);
        }
    }
    for (int i = 0; i < M * N; ++i) {
        if (seen[i] != 1) return 1;
    }
    const int taken = (int)ct_tensor_cosize(shared).value[0] * ELEM;
    printf("%%ld %%ld %%d %%d\\n", sectors, write, threads / 32 * each, taken);
    return launch(taken, threads);
}
"""


def rank_of(candidate):
    return (candidate["cycles"],
            *(candidate["cost"][k]
              for k in ("sectors", "instructions", "wavefronts", "shared_bytes")))


class Tests:
    def __init__(self, cutlet, source, cc, library):
        self.cutlet, self.source, self.cc, self.library = cutlet, source, cc, library
        self.report = tap.Report()

    def suggest(self, *args):
        env = dict(os.environ, LC_ALL="C")
        done = subprocess.run([self.cutlet, "suggest", *args], capture_output=True, text=True,
                              env=env, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def refused(self, status, part, *args):
        got = self.suggest(*args)
        self.report.check(f"refused: {part}", got[0] == status and got[1] == "" and
                          part in got[2] and got[2].count("\n") == 1 and
                          got[2].startswith("cutlet suggest: "), got)

    def json(self, *args):
        status, out, err = self.suggest(*args, "--json")
        self.report.check(f"JSON of {' '.join(args)}", status == 0 and err == "", (status, err))
        return json.loads(out)

    def page(self):
        status, out, err = self.suggest(*LDMATRIX)
        for part in ["half 128 x 64 of (4096,4096):(4096,1) by 128 threads, read by ldmatrix\n",
                     "thr           (16,8):(8,1)\n", "val           (1,8):(0,1)\n",
                     "atom          cp.async.cg 16\n",
                     "shared        Sw<3,3,3> o 0 o (128,64):(64,1)\n",
                     "sectors            512        512\n",
                     "wavefronts         256        256   128 written, 128 read\n",
                     "instructions        64         64\n", "shared bytes     16384      16384\n",
                     "Optimal: no layout moves fewer sectors",
                     "make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{},\n"
                     "    Layout<Shape<Int<16>, Int<8>>, Stride<Int<8>, Int<1>>>{},\n"
                     "    Layout<Shape<Int<1>, Int<8>>, Stride<Int<0>, Int<1>>>{});\n",
                     "composition(Swizzle<3, 3, 3>{},\n"
                     "    Layout<Shape<Int<128>, Int<64>>, Stride<Int<64>, Int<1>>>{});\n"]:
            self.report.check(f"the page has {part[:40]!r}", part in out, out)
        self.report.check("the page is all", status == 0 and err == "", (status, err))
        _, out, _ = self.suggest("--type", "float", "--tile", "64x64", "--src", "(256,256):(256,1)",
                                 "--dst", "(256,256):(1,256)", "--threads", "256")
        self.report.check("a second copy", "thr out" in out and "tile_out(void)" in out and
                          "auto tile_out = make_tiled_copy(Copy_Atom<UniversalCopy<uint32_t>" in out,
                          out)
        _, out, _ = self.suggest("--type", "half", "--tile", "64x64", "--src",
                                 "(4096,4096):(1,4096)", "--read", "ldmatrix")
        text = " ".join(out.split())
        self.report.check("stores that are joined", "the stores joined to 16 by the compiler" in
                          text and "No candidate is estimated to take fewer cycles than" in text,
                          out)
        _, out, _ = self.suggest(*HALF, "--tile", "64x64", "--read", "cols")
        cycles = re.search(r"cycles +(\d+) +estimated", out)
        text = re.search(r"cp.async would take an estimated (\d+) cycles instead of (\d+)",
                         " ".join(out.split()))
        self.report.check("why not cp.async", cycles and text and cycles[1] == text[2] and
                          int(text[1]) > int(text[2]), out)
        _, out, _ = self.suggest("--type", "half", "--tile", "4x64", "--src", "(256,256):(257,1)")
        self.report.check("a mean of sectors", "the mean of 4 ways that a tile can lie" in out and
                          "no access wider than 2 bytes" in " ".join(out.split()) and
                          "Swizzle" not in out, out)

        _, plain, _ = self.suggest(*HALF, "--tile", "64x64")
        _, out, err = self.suggest(*HALF[:2], "--tile", "64x64", "--src", "make_layout(make_shape(4096,4096), GenRowMajor{})")
        self.report.check("every notation", out == plain and err == "cutlet suggest: read as CuTe C++\n", (out, err))

    def lists(self):
        status, out, _ = self.suggest(*LDMATRIX, "--top", "3")
        rows = [line.split() for line in out.splitlines() if line[:5].strip().isdigit()]
        self.report.check("--top 3", status == 0 and [row[0] for row in rows] == ["1", "2", "3"] and
                          rows[0][2:6] == ["512", "256", "64", "16384"] and "C++" not in out, out)
        small = ["--type", "float", "--tile", "32x32", "--src", "(64,64):(64,1)", "--read", "cols"]
        got = self.json(*small, "--all")["candidates"]
        costs = [rank_of(c) for c in got]
        self.report.check("--all is sorted, one for each cost",
                          len(costs) > 100 and costs == sorted(set(costs)), costs[:5])
        first = self.json(*small)
        self.report.check("its first is the choice", first["candidates"] == got[:1], first)
        every = self.json(*small, "--top", "0")["candidates"]
        self.report.check("--top 0 has all of them", len(every) > len(got) and
                          {rank_of(c) for c in every} == set(costs), len(every))
        plain = self.json(*small, "--no-cp-async", "--top", "50")["candidates"]
        self.report.check("--no-cp-async", {c["in"]["atom"] for c in plain} == {"universal"},
                          plain[0])
        fixed = self.json(*small, "--read-bits", "32")
        self.report.check("--read-bits", fixed["candidates"][0]["read_bits"] == 32, fixed)

    def choice_as_c(self, *args):
        """The C that is printed compiles, and its copy costs what the table says."""
        if not self.library:
            self.report.skip(f"C of {' '.join(args)}", "no library to link with")
            return
        found = self.json(*args)
        cost, (m, n) = found["candidates"][0]["cost"], found["tile"]
        shape, stride = found["src"].split(":")
        values = {"m": m, "n": n, "elem": found["elem_bits"] // 8,
                  "src": f"ct_layout2({m}, {n}, {stride.strip('()')})"}
        self.report.check("the tensor has two integers", shape.count(",") == 1, found["src"])
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "choice.h"), "w", encoding="utf-8") as out:
                out.write(found["c"])
            with open(os.path.join(folder, "count.c"), "w", encoding="utf-8") as out:
                out.write(COUNT % values)
            program = os.path.join(folder, "count")
            status, text = tap.run([self.cc, "-std=gnu11", "-O1" if tap.ALL else "-O0", "-Wall",
                                    "-Wno-unused-function",
                                    "-I", os.path.join(self.source, "include"), "-Wno-unknown-pragmas",
                                    "-o", program, os.path.join(folder, "count.c"), self.library,
                                    "-lm", "-lpthread", "-ldl"])
            if not self.report.check(f"C compiles: {' '.join(args)}", status == 0, text):
                return
            status, text = tap.run([program])
        each = 1 if "cp_async" in found["candidates"][0]["in"]["atom"] else 2
        reads = m * n * found["elem_bits"] // 32 // found["candidates"][0]["read_bits"]
        want = f"{cost['sectors']:.0f} {cost['write']} {(cost['instructions'] - reads) // each} " \
               f"{cost['shared_bytes']}"
        by_count, by_grid = (text.splitlines() + ["", ""])[:2]
        self.report.check(f"C costs what the table says: {' '.join(args)}",
                          (status, by_count) == (0, want), f"{text}{want}")
        want = [round(cost["sectors"]), cost["write"], cost["read"], cost["instructions"]]
        got = [int(n) for n in by_grid.split()]
        merged = "ct_with_most(ct_in_shared" in found["c"]  # stores side by side are fewer, then
        self.report.check(f"its kernel does{', with joined stores' if merged else ''}: {' '.join(args)}",
                          got[0::2] == want[0::2] and got[1] < want[1] and got[3] < want[3] if merged
                          else got == want, f"{got}, the table: {want}")

    def complaints(self):
        tile = ["--tile", "64x64"]
        self.refused(2, "--type is missing", *tile, *HALF[2:])
        self.refused(2, "--tile is missing", *HALF)
        self.refused(2, "--src is missing", "--type", "half", *tile)
        self.refused(2, "there is no type `frob`", *tile, *HALF, "--type", "frob")
        self.refused(2, "--tile is as 128x64 or (128,64), not `64`", *HALF, "--tile", "64")
        self.refused(2, "--src takes a layout, without swizzle or offset, not `4@", *tile, *HALF[:2], "--src", "4@(64,64)")
        self.refused(2, "--read is rows, cols", *tile, *HALF, "--read", "diagonals")
        self.refused(2, "--threads is a number", *tile, *HALF, "--threads", "none")
        self.refused(2, "there are no rules for `sm_1`", *tile, *HALF, "--arch", "sm_1")
        self.refused(2, "--measure is a number, 0 for all, not `few`", *tile, *HALF, "--measure=few")
        self.refused(2, "--all or --top", *tile, *HALF, "--all", "--top", "3")
        self.refused(2, "--read does not go with it", *tile, *HALF, "--dst", "(64,64)", "--read",
                     "rows")
        self.refused(2, "--dst-align is of --dst", *tile, *HALF, "--dst-align", "8")
        self.refused(2, "takes options only", *tile, *HALF, "frob")
        self.refused(2, "there is no option --frob", *tile, *HALF, "--frob")
        self.refused(1, "33 threads", *tile, *HALF, "--threads", "33")
        self.refused(1, "mode 1 of the source has 4096 elements", "--tile", "8x8192", *HALF)
        self.refused(1, "ldmatrix.trans takes elements of 16 bits", *tile, "--type", "float",
                     *HALF[2:], "--read", "ldmatrix.trans")


def main():
    if len(sys.argv) not in (4, 5):
        tap.die(__doc__)
    tests = Tests(*sys.argv[1:4], sys.argv[4] if len(sys.argv) > 4 else "")
    tests.page()
    tests.lists()
    tests.choice_as_c(*LDMATRIX)
    tests.choice_as_c(*HALF, "--tile", "64x64", "--read", "cols")
    tests.choice_as_c("--type", "int8", "--tile", "64x32", "--src", "(1024,1024):(1,1025)",
                      "--threads", "64", "--read", "rows")
    tests.choice_as_c("--type", "double", "--tile", "32x32", "--src", "(1024,1024):(1024,1)",
                      "--threads", "256", "--read", "cols", "--no-cp-async")
    tests.choice_as_c("--type", "float", "--tile", "32x32", "--src", "(1024,1024):(1024,1)",
                      "--read", "cols", "--no-cp-async", "--read-bits", "32")
    tests.complaints()
    return tests.report.finish()


if __name__ == "__main__":
    sys.exit(main())
