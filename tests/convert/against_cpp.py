#!/usr/bin/env python3
"""Conversions to C++ against CuTe's own headers, and libcu++'s mdspan, compiled for the CPU.

    against_cpp.py LIBRARY CXX

Needs the packages nvidia-cutlass and nvidia-cuda-cccl, whose headers are all that is used of them.
"""

import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../support")]
import headers
import library as lib
import tap

CUTE = """#include <cstdio>
#include <cute/layout.hpp>
#include <cute/swizzle_layout.hpp>
#include <cute/pointer_flagged.hpp>
using namespace cute;
template <class L> void show(L const& layout)
{
    print(layout);
    printf("\\n");
    for (int i = 0; i < int(size(layout)); ++i) printf("%d ", int(layout(i)));
    printf("\\n");
}
"""

MDSPAN = """#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/mdspan>
template <class M> void show(M const& m)
{
    long long n = 1, stride[9] = {};
    for (unsigned d = 0; d < M::extents_type::rank(); ++d) {
        stride[d] = m.stride(d);
        n *= m.extents().extent(d);
    }
    for (long long i = 0; i < n; ++i) {
        long long rest = i, x = 0;
        for (unsigned d = 0; d < M::extents_type::rank(); ++d) {
            x += rest % m.extents().extent(d) * stride[d];
            rest /= m.extents().extent(d);
        }
        printf("%lld ", x);
    }
    printf("\\n");
}
"""

# What C++ can say and the writer does not.
SPELLINGS = (
    "make_layout(make_shape(Int<4>{}, _8{}), make_stride(_8{}, _1{}))",
    "make_layout(make_shape(4, 8), LayoutRight{})",
    "make_layout(make_shape(make_shape(_2{}, 3), 8))",
    "make_layout(Shape<_4,_8>{}, GenRowMajor{})",
    "Layout<Shape<_4,Shape<_2,_3>>>{}",
    "Layout<_8,_2>{}",
    "composition(Swizzle<3,4,3>{}, Layout<Shape<_8,_64>,Stride<_64,_1>>{})",
    "make_composed_layout(Swizzle<2,3,3>{}, Int<32>{}, make_layout(make_shape(Int<8>{}, Int<32>{})))",
    "ComposedLayout<Swizzle<3,2,-3>,_0,Layout<Shape<_64,_2>,Stride<_1,_64>>>{}",
)
FLAGGED = [(bits, f"ComposedLayout<Swizzle<{b},4,3>,smem_ptr_flag_bits<{bits}>,Layout<Shape<_8,Int<{n}>>,Stride<Int<{n}>,_1>>>")
           for bits, b, n in ((16, 3, 64), (32, 2, 16), (8, 3, 128), (64, 1, 4), (4, 3, 256))]


def compare(report, name, texts, shown, wanted, printed=None):
    """Each text's line of offsets with those wanted, and what C++ prints with what is said to be printed."""
    wrong = []
    for i, text in enumerate(texts):
        got = [int(x) for x in shown[i].split()] if i < len(shown) else None
        if got != wanted[i]:
            wrong.append(f"{text}\nC++: {got}\nhere: {wanted[i]}")
    report.check(name, not wrong and len(shown) == len(texts), f"{len(wrong)} wrong\n" + "\n".join(wrong[:3]))


def cute(report, library, build, rng, cases):
    layouts = [lib.random_layout(rng) if i % 3 else lib.random_swizzled(rng) for i in range(cases)]
    types = [library.convert(layout, "cute") for layout in layouts]
    flagged = [text for _, text in FLAGGED]
    body = [f"    show({t}{{}});" for t in types] + [f"    show({t});" for t in SPELLINGS] + \
        [f"    show(as_position_independent_swizzle_layout({t}{{}}));" for t in flagged]
    lines = build(CUTE + "int main()\n{\n" + "\n".join(body) + "\n}\n")
    if lines is None:
        return
    printed, shown = lines[::2], lines[1::2]
    wanted = [lib.offsets(layout) for layout in layouts]
    read = [library.convert(text, "cutlet", source="cute") for text in (*SPELLINGS, *flagged)]
    compare(report, f"{len(types)} layouts as types of CuTe, {len(read)} other texts", [*types, *SPELLINGS, *flagged], shown,
            wanted + [lib.offsets(text) for text in read])
    wrong = [f"{p}\n{library.convert(layout, 'cute-print')}" for layout, p in zip(layouts, printed)
             if library.convert(layout, "cute-print") != p]
    report.check("cute-print is what CuTe prints", not wrong, "\n".join(wrong[:3]))
    wrong = [f"{text}: {p}" for text, p in zip([*layouts, *SPELLINGS, *flagged], printed)
             if not library.same(library.convert(p, "cutlet", source="cute"), text)[0]]
    report.check("what CuTe prints is read as it was meant", not wrong, "\n".join(wrong[:3]))


def layout_stride_takes(layout):
    """What [mdspan.layout.stride.cons] asks for: each stride passes over the mode before."""
    shape, stride = (re.findall(r"\d+", part) for part in layout.split(":"))
    modes = sorted((int(d), int(s)) for s, d in zip(shape, stride) if s != "1")
    return all(d > 0 for d, _ in modes) and all(b[0] >= a[0] * a[1] for a, b in zip(modes, modes[1:]))


def mdspan(report, library, build, rng, cases):
    texts, wanted, wrong = [], [], []
    while len(texts) < cases:
        layout = lib.random_strided(rng)
        try:
            texts.append(library.convert(layout, "mdspan"))
        except lib.Refused as reason:
            if layout_stride_takes(layout) or "layout_stride" not in str(reason):
                wrong.append(f"{layout}: {reason}")
            continue
        wanted.append(lib.offsets(layout))
        if not library.same(texts[-1], layout)[0]:
            wrong.append(f"{layout}: {texts[-1]}")
    report.check("mappings are read back", not wrong, "\n".join(wrong[:3]))
    others = ["std::layout_left::mapping(std::extents<int, 4, std::dynamic_extent>(5))",
              "std::layout_stride::mapping<std::dextents<int, 2>>(std::dextents<int, 2>(4, 8), std::array<int, 2>{9, 1})",
              "std::layout_right::mapping<std::extents<int, 2, 3, 4>>{}"]
    wanted += [lib.offsets(library.convert(text, "cutlet")) for text in others]
    body = "\n".join(f"    show({t.replace('std::', 'cuda::std::')});" for t in texts + others)
    lines = build(MDSPAN + "int main()\n{\n" + body + "\n}\n")
    if lines is not None:
        compare(report, f"{len(texts)} layouts as mappings of mdspan, {len(others)} other texts", texts + others, lines, wanted)


def main():
    if len(sys.argv) != 3:
        tap.die(__doc__)
    if not sys.argv[2]:
        print("no C++ compiler found")
        return 77
    library, rng = lib.Library(sys.argv[1]), random.Random(int(os.environ.get("CUTLET_SEED", "22")))
    cases = int(os.environ.get("CUTLET_CASES", "60"))
    report = tap.Report()
    with tempfile.TemporaryDirectory() as folder:
        def build(source):
            return headers.run_cpp(report, sys.argv[2], folder, source)
        cute(report, library, build, rng, cases)
        mdspan(report, library, build, rng, cases)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
