#!/usr/bin/env python3
"""Conversions to CuTe's Python against the DSL itself, which makes and prints static layouts without a GPU.

    against_dsl.py LIBRARY
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../support")]
import library as lib
import tap

import cutlass
import cutlass.cute as cute
from cutlass.cute.nvgpu import CopyUniversalOp, cpasync, warp

BASES = ["((2,4),8):((1@0,2@0),1@1@0)", "(4,8):(1@0,1@1)", "(3):(5@1)"]
SPELLINGS = ["cute.make_layout((4, 8))", "cute.make_layout((4, (2, 3)), stride=(6, (1, 2)))", "cute.make_layout(8, stride=2)",
             "cute.make_layout((4,), stride=(3,))",
             "cute.make_composed_layout(cute.make_swizzle(2, 3, 3), 32, cute.make_layout((8, 32), stride=(32, 1)))"]




def make_objects():
    """Tiled copies and tiled MMAs, and what each is here; a print does not have all of a type."""
    half, single = cutlass.Float16, cutlass.Float32
    copies = [(CopyUniversalOp(), half, 128, (16, 8), (8, 1), (1, 8)), (CopyUniversalOp(), single, 64, (32, 4), (1, 32), (2, 2)),
              (cpasync.CopyG2SOp(), single, 128, (32, 8), (1, 32), (4, 1))]
    for op, kind, bits, thr, stride, val in copies:
        atom = cute.make_copy_atom(op, kind, num_bits_per_copy=bits)
        yield cute.make_tiled_copy_tv(atom, cute.make_layout(thr, stride=stride), cute.make_layout(val)), (
            f"tiled_copy(copy_atom({'cp_async_ca' if isinstance(op, cpasync.CopyG2SOp) else 'universal'}{bits}, {kind.width}), "
            f"{thr}:{stride}, {val})")
    mma = cute.make_tiled_mma(warp.MmaF16BF16Op(half, single, (16, 8, 16)), cute.make_layout((2, 2, 1)), permutation_mnk=(32, 32, 16))
    written = "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), <32,32,16>)"
    yield mma, written
    for trans, count in ((False, 4), (True, 4), (False, 2)):
        atom = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(trans, count), half)
        yield (cute.make_tiled_copy_B if count == 2 else cute.make_tiled_copy_A)(atom, mma), (
            f"tiled_copy_{'b' if count == 2 else 'a'}(copy_atom(ldmatrix_x{count}{'_trans' if trans else ''}, 16), {written})")


def check_objects(report, library, made):
    """The layouts of each: a tiled copy by its source and destination, a tiled MMA by A, B and C."""
    parts = lambda text, written: [library.evaluate(f"coalesce({part}({text}), (1,1))") for part in (
        ["tv_layout_src", "tv_layout_dst"] if "copy" in written.split("(")[0] else ["tv_layout_a", "tv_layout_b", "tv_layout_c"])]
    for printed, kind, written in made:
        try:
            want = parts(written, written)
            got = [parts(text.replace("\n", " "), written) for text in (printed, kind)]
        except lib.Refused as refused:
            want, got = written, [str(refused)]
        report.check(f"a print and a type of {written[:60]}", all(g == want for g in got), f"{kind}: {got}, here {want}")


def main():
    if len(sys.argv) != 2:
        tap.die(__doc__)
    library, rng = lib.Library(sys.argv[1]), random.Random(int(os.environ.get("CUTLET_SEED", "23")))
    cases = int(os.environ.get("CUTLET_CASES", "60"))
    layouts = [lib.random_layout(rng) if i % 3 else lib.random_swizzled(rng) for i in range(cases)] + BASES
    texts = [library.convert(layout, "cute-dsl") for layout in layouts] + SPELLINGS
    makers, made, objects = [eval("lambda: " + text, {"cute": cute}) for text in texts], [], []

    def make_all():
        for maker in makers:
            layout = maker()
            counted = [layout(i) for i in range(cute.size(layout))] if "@" not in str(layout) else []
            made.append((str(layout), str(layout.type), [int(x) for x in counted]))
        objects.extend((str(thing), str(thing.type), written) for thing, written in make_objects())

    @cute.jit
    def make():
        make_all()

    cute.compile(make)
    report = tap.Report()
    report.check("all layouts are made", len(made) == len(texts), f"{len(made)} of {len(texts)}")
    wrong = {"attribute": [], "offsets": [], "printed": []}
    for text, layout, (printed, attribute, counted) in zip(texts, layouts + SPELLINGS, made):
        if layout in layouts and library.convert(layout, "cute-ir") != attribute and "i64" not in attribute:
            wrong["attribute"].append(f"{layout}: {attribute}, here {library.convert(layout, 'cute-ir')}")
        read = [library.convert(t, "cutlet", source=s) for t, s in ((text, "cute-dsl"), (printed, "cute-dsl"), (attribute, "cute-ir"))]
        if len(set(read)) != 1:
            wrong["printed"].append(f"{text}: {read}")
        if counted and counted != lib.offsets(read[0]):
            wrong["offsets"].append(f"{text}: {counted}, here {lib.offsets(read[0])}")
    report.check("attributes are those of the DSL's types", not wrong["attribute"], "\n".join(wrong["attribute"][:3]))
    report.check("calls, what is printed and attributes are read as one layout", not wrong["printed"], "\n".join(wrong["printed"][:3]))
    report.check("offsets are those of the DSL", not wrong["offsets"], "\n".join(wrong["offsets"][:3]))
    report.check("most have offsets", sum(1 for _, _, counted in made if counted) > len(made) // 2)
    check_objects(report, library, objects)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
