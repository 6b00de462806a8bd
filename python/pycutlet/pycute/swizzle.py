"""Swizzles, and layouts after any function."""

from typing import Any

from .int_tuple import _refuse
from .layout import LayoutBase, cosize, size


def shiftr(a: Any, s: Any) -> int:
    return a >> s if s > 0 else a << -s


def shiftl(a: Any, s: Any) -> int:
    return a << s if s > 0 else a >> -s


class Swizzle:
    """Sw<bits,base,shift> on any integer."""

    def __init__(self, bits: Any, base: Any, shift: Any) -> None:
        if bits < 0 or base < 0 or abs(shift) < bits:
            _refuse("Swizzle", bits, base, shift)
        self.bits, self.base, self.shift = bits, base, shift
        mask = (1 << bits) - 1
        self.yyy_msk, self.zzz_msk = mask << base + max(0, shift), mask << base - min(0, shift)

    def __call__(self, offset: Any) -> Any:
        return offset ^ shiftr(offset & self.yyy_msk, self.shift)

    def size(self) -> int:
        return 1 << self.bits + self.base + abs(self.shift)

    cosize = size

    def __str__(self) -> str:
        return f"SW_{self.bits}_{self.base}_{self.shift}"

    def __repr__(self) -> str:
        return f"Swizzle({self.bits},{self.base},{self.shift})"


class ComposedLayout(LayoutBase):
    """layoutB(offset + layoutA(c)), for any functions."""

    def __init__(self, layoutB: Any, offset: Any, layoutA: Any) -> None:
        self.layoutB, self.offset, self.layoutA = layoutB, offset, layoutA

    def __eq__(self, other: Any) -> bool:
        return (self.layoutB, self.offset, self.layoutA) == (other.layoutB, other.offset, other.layoutA)

    def __len__(self) -> int:
        return len(self.layoutA)

    def __call__(self, *args: Any) -> Any:
        return self.layoutB(self.offset + self.layoutA(*args))

    def __getitem__(self, i: Any) -> Any:
        return ComposedLayout(self.layoutB, self.offset, self.layoutA[i])

    def size(self) -> int:
        return size(self.layoutA)

    def cosize(self) -> int:
        return cosize(self.layoutB)

    def __str__(self) -> str:
        return f"{self.layoutB} o {self.offset} o {self.layoutA}"

    def __repr__(self) -> str:
        return f"ComposedLayout({self.layoutB!r},{self.offset!r},{self.layoutA!r})"
