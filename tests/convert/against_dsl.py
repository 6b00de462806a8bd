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

import cutlass.cute as cute

BASES = ["((2,4),8):((1@0,2@0),1@1@0)", "(4,8):(1@0,1@1)", "(3):(5@1)"]
SPELLINGS = ["cute.make_layout((4, 8))", "cute.make_layout((4, (2, 3)), stride=(6, (1, 2)))", "cute.make_layout(8, stride=2)",
             "cute.make_layout((4,), stride=(3,))",
             "cute.make_composed_layout(cute.make_swizzle(2, 3, 3), 32, cute.make_layout((8, 32), stride=(32, 1)))"]


def main():
    if len(sys.argv) != 2:
        tap.die(__doc__)
    library, rng = lib.Library(sys.argv[1]), random.Random(int(os.environ.get("CUTLET_SEED", "23")))
    cases = int(os.environ.get("CUTLET_CASES", "60"))
    layouts = [lib.random_layout(rng) if i % 3 else lib.random_swizzled(rng) for i in range(cases)] + BASES
    texts = [library.convert(layout, "cute-dsl") for layout in layouts] + SPELLINGS
    makers, made = [eval("lambda: " + text, {"cute": cute}) for text in texts], []

    def make_all():
        for maker in makers:
            layout = maker()
            counted = [layout(i) for i in range(cute.size(layout))] if "@" not in str(layout) else []
            made.append((str(layout), str(layout.type), [int(x) for x in counted]))

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
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
