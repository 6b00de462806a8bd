"""What type checkers are to find of the package: every line is right but those that end in `# wrong`."""

from typing import Any

import pycutlet
from pycutlet import CopyAtom, Layout, MMAAtom, Swizzle, Tensor, TiledCopy, TiledMMA, Tiler, pycute


def algebra(a: Layout, b: Layout, w: Swizzle) -> list[Layout]:
    """Operations on layouts give layouts, those on tensors tensors."""
    composed: Layout = pycutlet.composition(a, b)
    rest: Layout = pycutlet.complement(a, 64)
    tiled: Layout = a / (4, 8)
    by_method: Layout = a.composition(b).coalesce().right_inverse()
    swizzled: Tensor = w @ a
    both: Tensor = swizzled.logical_divide(b)
    twice: Swizzle = pycutlet.composition(w, w)
    mode: Layout = a[0]
    modes: list[Layout] = [part.flatten() for part in a]
    text: Layout | Tensor | Swizzle = pycutlet.composition("(4,8):(8,1)", "(2,4)")
    print(both, twice, mode, text, a.sise())  # wrong
    return [composed, rest, tiled, by_method, *modes]


def numbers(a: Layout, t: Tensor) -> int:
    """Sizes and offsets."""
    count: int = pycutlet.size(a) + a.size() + t.size() + a.rank() + len(a)
    if a.compatible((4, 8)) or pycutlet.congruent((4, 8), (2, 1)):  # wrong
        count += 1
    swizzle = t.swizzle
    if swizzle is not None:
        count += swizzle(8) + swizzle.bits
    print(count + pycutlet.composition(a, a))  # wrong
    return count


def copies(memory: Layout) -> None:
    """Tiled copies, accesses, suggestions."""
    copy = TiledCopy(CopyAtom("universal128", 16), "(16,8):(8,1)", (1, 8))
    atom: CopyAtom = copy.atom()
    tv: Layout = copy.src_tv_layout()
    part: Tensor = copy.partition_src(memory, 9)
    src, dst = pycutlet.access(copy, src=memory)
    if src is not None:
        print(src.conflicts, dst, atom.value_bits, tv.shape, part.offset)
    conflicts: int = pycutlet.access([0, 128], "lds", bits=32).conflicts
    best = pycutlet.suggest((128, 64), memory, "half", read="ldmatrix")
    print(conflicts, best[0].shared.swizzle, best.reason, bool(pycutlet.verify(copy)))
    copy.partition_source(memory, 9)  # wrong


def products(mma: TiledMMA, tile: Tiler) -> Any:
    """MMAs, and pycute's names."""
    atom: MMAAtom = mma.atom()
    diagonal: pycutlet.Basis = pycutlet.E(0) + 2 * pycutlet.E(1)
    a: Tensor = mma.partition_a("(64,64):(64,1)", 0)
    layout: pycute.Layout = pycute.composition(pycute.Layout(12, 2), pycute.Layout((4, 3), (3, 1)))
    print(atom.shape, diagonal.terms, a.layout[0], tile[0], layout.size(), layout(1, 2))
    return pycutlet.draw(mma).render("svg")
