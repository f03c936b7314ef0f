"""The algebra under pycute's names: razorgirl's operations, where CuTe goes on beyond them also what they extend to.

pycute's layouts count the first mode fastest, those of PyTorch's copy the last. Everything is said once; a family of layouts
knows its order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Self

from .. import _razorgirl as algebra
from .._errors import LayoutError
from . import _tuples as tuples
from ._tuples import has_none, is_int, is_tuple, product, refuse, slice_, turned


class LayoutBase:
    """What `is_layout` says yes to."""


def is_layout(x: Any) -> bool:
    return isinstance(x, LayoutBase)


class LayoutOf(LayoutBase):
    """A layout with pycute's attributes and operators; `last_fastest` is the order in which it counts."""

    last_fastest = False

    def __init__(self, _shape: Any, _stride: Any = None) -> None:
        compact = tuples.suffix_product if self.last_fastest else tuples.prefix_product
        self.shape = _shape
        self.stride = compact(_shape) if _stride is None else _stride
        self._flat: tuple[Any, Any, list[tuple[int, int]] | None, int] | None = None

    @classmethod
    def made(cls, layout: algebra.Layout) -> Self:
        """The layout of this order that is the same function of its coordinates."""
        if cls.last_fastest:
            return cls(turned(layout.shape), turned(layout.stride))
        return cls(layout.shape, layout.stride)

    def checked(self) -> algebra.Layout:
        """As razorgirl has it: extents from 1, strides from 0, below 2^64."""
        if self.last_fastest:
            return algebra.Layout(turned(self.shape), turned(self.stride))
        return algebra.Layout(self.shape, self.stride)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LayoutOf):
            return NotImplemented
        return (self.last_fastest, self.shape, self.stride) == (other.last_fastest, other.shape, other.stride)

    def __hash__(self) -> int:
        return hash((self.shape, self.stride))

    def __len__(self) -> int:
        return len(self.shape) if is_tuple(self.shape) else 1

    def __call__(self, *args: Any) -> Any:
        """The offset of a coordinate; if it contains None, the layout of the modes at None."""
        coordinate = args[0] if len(args) == 1 else args
        if type(coordinate) is int:
            # Shape and stride may be assigned: what was made of others is made again.
            flat = self._flat
            if flat is None or flat[0] is not self.shape or flat[1] is not self.stride:
                flat = self._flat = (self.shape, self.stride, *_digits(self.shape, self.stride, self.last_fastest))
            _, _, modes, last = flat
            if modes is not None:
                offset, index = 0, coordinate
                for extent, stride in modes:
                    offset += index % extent * stride
                    index //= extent
                return offset + index * last
        if has_none(coordinate):
            return type(self)(slice_(coordinate, self.shape), slice_(coordinate, self.stride))
        if self.last_fastest:
            return tuples.crd2idx(turned(coordinate), turned(self.shape), turned(self.stride))
        return tuples.crd2idx(coordinate, self.shape, self.stride)

    def __getitem__(self, i: int) -> Self:
        if is_tuple(self.shape):
            return type(self)(self.shape[i], self.stride[i])
        if i not in (0, -1):
            raise IndexError(f"{self} has one mode, not {i}")
        return type(self)(self.shape, self.stride)

    def size(self) -> Any:
        return product(self.shape)

    def cosize(self) -> Any:
        return self(self.size() - 1) + 1

    def __str__(self) -> str:
        return f"{self.shape}:{self.stride}"

    def __repr__(self) -> str:
        return f"Layout({self.shape},{self.stride})"


def _digits(shape: Any, stride: Any, last_fastest: bool) -> tuple[list[tuple[int, int]] | None, int]:
    """Extent and stride of each leaf but the slowest, the fastest first, and the stride of the slowest, past whose extent indices go
    on; None where an offset is more than a sum over such leaves."""
    leaves: list[tuple[int, int]] = []

    def plain(shape: Any, stride: Any) -> bool:
        if isinstance(shape, tuple):
            return bool(shape) and isinstance(stride, tuple) and len(shape) == len(stride) and all(map(plain, shape, stride))
        leaves.append((shape, stride))
        return type(shape) is type(stride) is int and shape > 0

    if not plain(shape, stride):
        return None, 0
    if last_fastest:
        leaves.reverse()
    return leaves[:-1], leaves[-1][1]


Splitter = Callable[[Any, Any], Any]


def composed(outer: algebra.Layout, inner: algebra.Layout) -> algebra.Layout:
    """The composition. If the inner layout reaches past the outer one, the last mode of the outer one grows, as in CuTe."""
    composite: algebra.Layout
    try:
        composite = algebra.composition(outer, inner)
    except LayoutError as strict:
        if strict.code == "out_of_domain":
            # of one element, no mode is left that could grow
            composite = algebra.Layout(inner.shape, _zeros(inner.shape)) if outer.size() == 1 else algebra.composition_extended(outer, inner)
        else:
            try:
                composite = algebra.composition(outer, inner, mode="complete")
            except LayoutError:
                raise strict from None
    return composite


def completed(layout: algebra.Layout, cotarget: Any) -> algebra.Layout:
    """The complement without regard to repeats, its end rounded up to a multiple of the layout's block, as in CuTe."""
    complement: algebra.Layout = algebra.complement_ceil(algebra.filter(layout), cotarget)
    return complement


def apart(layout: algebra.Layout, cotarget: int) -> algebra.Layout:
    """A layout whose offsets keep copies of this one apart, where no complement exists: CuTe's, which leaves gaps, if it does."""
    shapes, strides, covered = [], [], 1
    filtered = algebra.filter(layout)
    for stride, extent in sorted(zip(tuples.flatten(filtered.stride), tuples.flatten(filtered.shape))):
        if extent > 1 and stride > 0:
            shapes.append(max(stride // covered, 1))
            strides.append(covered)
            covered = extent * stride
    free = algebra.Layout((*shapes, max(-(-cotarget // covered), 1)), (*strides, covered))
    if not algebra.is_injective(algebra.make_layout(filtered, free)):
        refuse("not_injective", f"copies of {layout} at the offsets of {free} overlap")
    coalesced: algebra.Layout = algebra.coalesce(free)
    return coalesced


# Elements of a division that are counted.
_COUNTED = 1 << 16


def lost(whole: algebra.Layout, answer: algebra.Layout) -> bool:
    """Whether the answer has an element of the layout less often; what is too large to count may have."""
    if max(whole.size(), answer.size()) > _COUNTED:
        return True
    return bool(Counter(whole.offsets()) - Counter(answer.offsets()))


class Algebra:
    """pycute's functions on layouts of one order."""

    def __init__(self, layout: type[LayoutOf]) -> None:
        self._layout = layout

    def _of(self, layout: Any) -> algebra.Layout:
        if not isinstance(layout, self._layout):
            raise TypeError(f"a layout is expected, not {layout!r}")
        return layout.checked()

    def _by_mode(self, each: Splitter, layoutA: Any, layoutB: tuple[Any, ...]) -> Any:
        """Mode by mode; modes beyond those of B stay."""
        if len(layoutA) < len(layoutB):
            refuse("rank", f"{layoutA} has {len(layoutA)} modes, fewer than {len(layoutB)}")
        modes = [each(layoutA[i], mode) for i, mode in enumerate(layoutB)]
        return self.make_layout([*modes, *(layoutA[i] for i in range(len(layoutB), len(layoutA)))])

    def make_layout(self, *layouts: Any) -> Any:
        modes: Iterable[Any] = layouts if len(layouts) != 1 or is_layout(layouts[0]) else layouts[0]
        modes = tuple(modes)
        for mode in modes:
            if not is_layout(mode):
                raise TypeError(f"a layout is expected, not {mode!r}")
        return self._layout(tuple(mode.shape for mode in modes), tuple(mode.stride for mode in modes))

    def size(self, layout: Any) -> Any:
        return layout.size() if is_layout(layout) else product(layout)

    def cosize(self, layout: Any) -> Any:
        return layout.cosize()

    def coalesce(self, layout: Any, profile: Any = None) -> Any:
        if is_tuple(profile):
            return self._by_mode(self.coalesce, layout, profile)
        return self._layout.made(algebra.coalesce(self._of(layout)))

    def filter(self, layout: Any, profile: Any = None) -> Any:
        if is_tuple(profile):
            return self._by_mode(self.filter, layout, profile)
        return self._layout.made(algebra.filter(self._of(layout)))

    def composition(self, layoutA: Any, layoutB: Any) -> Any:
        if layoutB is None:
            return layoutA
        if is_int(layoutB):
            return self.composition(layoutA, self._layout(layoutB))
        if is_tuple(layoutB):
            return self._by_mode(self.composition, layoutA, layoutB)
        return self._layout.made(composed(self._of(layoutA), self._of(layoutB)))

    def complement(self, layout: Any, max_idx: Any = 1) -> Any:
        if is_int(layout):
            return self.complement(self._layout(layout), max_idx)
        return self._layout.made(completed(self._of(layout), max_idx))

    def right_inverse(self, layout: Any) -> Any:
        if layout is None or is_int(layout):
            return None if layout is None else self._layout(layout)
        return self._layout.made(algebra.right_inverse(self._of(layout)))

    def left_inverse(self, layout: Any) -> Any:
        """The left inverse. If offsets repeat and there is none: L' with L(L'(L(i))) = L(i), as in CuTe."""
        if layout is None or is_int(layout):
            return None if layout is None else self._layout(layout)
        whole = self._of(layout)
        try:
            return self._layout.made(algebra.left_inverse(whole))
        except LayoutError as refused:
            for operation, mode in ((algebra.quasi_left_inverse, "strict"), (algebra.left_inverse, "complete")):
                try:
                    return self._layout.made(operation(whole, mode=mode))
                except LayoutError:
                    continue
            raise refused from None

    def _pair(self, answer: algebra.Layout) -> Any:
        """A layout of two modes, each in this order."""
        return self.make_layout(*(self._layout.made(algebra.Layout(s, d)) for s, d in zip(answer.shape, answer.stride)))

    def logical_divide(self, layoutA: Any, layoutB: Any) -> Any:
        """(tile, rest). If the tile does not divide the layout, the last tiles reach past it, and no element is lost."""
        if layoutB is None:
            return layoutA
        if is_int(layoutB):
            return self.logical_divide(layoutA, self._layout(layoutB))
        if is_tuple(layoutB):
            return self._by_mode(self.logical_divide, layoutA, layoutB)
        whole, tile = self._of(layoutA), self._of(layoutB)
        try:
            return self._pair(algebra.logical_divide(whole, tile))
        except LayoutError as refused:
            try:
                rest = completed(tile, whole.size())
            except LayoutError:
                answer = composed(whole, algebra.make_layout(tile, apart(tile, whole.size())))
                if lost(whole, answer):
                    raise refused from None
                return self._pair(answer)
            return self._pair(composed(whole, algebra.make_layout(tile, rest)))

    def logical_product(self, layoutA: Any, layoutB: Any) -> Any:
        """(block, copies)."""
        if layoutB is None:
            return layoutA
        if is_int(layoutB):
            return self.logical_product(layoutA, self._layout(layoutB))
        if is_tuple(layoutB):
            return self._by_mode(self.logical_product, layoutA, layoutB)
        block, copies = self._of(layoutA), self._of(layoutB)
        try:
            return self._pair(algebra.logical_product(block, copies))
        except LayoutError:
            cotarget = block.size() * copies.cosize()
            try:
                free = completed(block, cotarget)
            except LayoutError:
                free = apart(block, cotarget)
            return self._pair(algebra.make_layout(block, composed(free, copies)))

    def hier_unzip(self, splitter: Splitter, layoutA: Any, layoutB: Any) -> Any:
        """(tiles, rests) of an operation that splits each mode."""
        if layoutB is None:
            return self.make_layout(self._layout(1, 0), layoutA)
        if not is_tuple(layoutB):
            return splitter(layoutA, layoutB)
        if len(layoutA) < len(layoutB):
            refuse("rank", f"{layoutA} has {len(layoutA)} modes, fewer than {len(layoutB)}")
        pairs = [self.hier_unzip(splitter, layoutA[i], mode) for i, mode in enumerate(layoutB)]
        rests = [pair[1] for pair in pairs] + [layoutA[i] for i in range(len(layoutB), len(layoutA))]
        return self.make_layout(self.make_layout([pair[0] for pair in pairs]), self.make_layout(rests))

    def zipped_divide(self, layoutA: Any, layoutB: Any) -> Any:
        return self.hier_unzip(self.logical_divide, layoutA, layoutB)

    def zipped_product(self, layoutA: Any, layoutB: Any) -> Any:
        return self.hier_unzip(self.logical_product, layoutA, layoutB)

    def _tiled(self, zipped: Any) -> Any:
        return self.make_layout([zipped[0], *(zipped[1][i] for i in range(len(zipped[1])))])

    def tiled_divide(self, layoutA: Any, layoutB: Any) -> Any:
        return self._tiled(self.zipped_divide(layoutA, layoutB))

    def tiled_product(self, layoutA: Any, layoutB: Any) -> Any:
        return self._tiled(self.zipped_product(layoutA, layoutB))

    def slice_and_offset(self, crd: Any, layout: Any) -> tuple[Any, Any]:
        """The layout of the modes at None, and the offset of the other modes."""
        kept = self._layout(slice_(crd, layout.shape), slice_(crd, layout.stride))
        zeros = _with_zeros(crd)
        return kept, layout(zeros)


def _with_zeros(crd: Any) -> Any:
    if isinstance(crd, tuple):
        return tuple(map(_with_zeros, crd))
    return 0 if crd is None else crd


def _zeros(shape: Any) -> Any:
    return tuple(map(_zeros, shape)) if isinstance(shape, tuple) else 0


__all__ = ["Algebra", "LayoutBase", "LayoutOf", "is_layout"]
