"""pycute's swizzles: functors and the layouts behind them."""

from __future__ import annotations

from typing import Any

from ._algebra import LayoutBase
from ._tuples import refuse


def shiftr(a: Any, s: int) -> Any:
    return a >> s if s >= 0 else a << -s


def shiftl(a: Any, s: int) -> Any:
    return a << s if s >= 0 else a >> -s


class Swizzle:
    """``Swizzle(bits, base, shift)``: exclusive-ors bits of an offset onto others."""

    def __init__(self, bits: int, base: int, shift: int) -> None:
        if bits < 0 or base < 0 or abs(shift) < bits:
            refuse("swizzle", f"Swizzle<{bits},{base},{shift}> needs bits and base from 0, and |shift| at least bits")
        self.bits, self.base, self.shift = bits, base, shift
        mask = (1 << bits) - 1
        self.yyy_msk = mask << (base + max(0, shift))
        self.zzz_msk = mask << (base - min(0, shift))

    def __call__(self, offset: Any) -> Any:
        return offset ^ shiftr(offset & self.yyy_msk, self.shift)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Swizzle):
            return NotImplemented
        return (self.bits, self.base, self.shift) == (other.bits, other.base, other.shift)

    def __hash__(self) -> int:
        return hash((self.bits, self.base, self.shift))

    def size(self) -> int:
        return 1 << (self.bits + self.base + abs(self.shift))

    def cosize(self) -> int:
        return self.size()

    def __str__(self) -> str:
        return f"SW_{self.bits}_{self.base}_{self.shift}"

    def __repr__(self) -> str:
        return f"Swizzle({self.bits},{self.base},{self.shift})"


class ComposedLayout(LayoutBase):
    """``layoutB(offset + layoutA(c))``."""

    def __init__(self, layoutB: Any, offset: Any, layoutA: Any) -> None:
        self.layoutB, self.offset, self.layoutA = layoutB, offset, layoutA

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComposedLayout):
            return NotImplemented
        return bool((self.layoutB, self.offset, self.layoutA) == (other.layoutB, other.offset, other.layoutA))

    def __hash__(self) -> int:
        return hash((self.layoutB, self.offset, self.layoutA))

    def __len__(self) -> int:
        return len(self.layoutA)

    def __call__(self, *args: Any) -> Any:
        return self.layoutB(self.offset + self.layoutA(*args))

    def __getitem__(self, i: int) -> ComposedLayout:
        return ComposedLayout(self.layoutB, self.offset, self.layoutA[i])

    def size(self) -> Any:
        return self.layoutA.size()

    def cosize(self) -> Any:
        return self.layoutB.cosize()

    def __str__(self) -> str:
        return f"{self.layoutB} o {self.offset} o {self.layoutA}"

    def __repr__(self) -> str:
        return f"ComposedLayout({self.layoutB!r},{self.offset!r},{self.layoutA!r})"
