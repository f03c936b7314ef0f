"""The names of ``torch.distributed._pycute`` with correct results. As there, the last mode varies fastest."""

from typing import Any

from . import _tuples
from ._algebra import Algebra as _Algebra
from ._algebra import LayoutBase, LayoutOf, is_layout
from ._tuples import (
    Integer,
    elem_scale,
    flatten,
    has_none,
    inner_product,
    is_int,
    is_tuple,
    match_structure,
    product,
    shape_div,
    signum,
    slice_,
    suffix_product,
    tuple_max,
)

IntTuple = int | tuple["IntTuple", ...]


class Layout(LayoutOf):
    """A layout whose last mode varies fastest."""

    last_fastest = True


def crd2idx(crd: Any, shape: Any, stride: Any = None) -> Any:
    """The offset of a coordinate. The first mode continues past the end of the shape."""
    return _tuples.crd2idx(*map(_tuples.turned, (crd, shape, stride)))


def idx2crd(idx: Any, shape: Any, stride: Any = None) -> Any:
    """The coordinate whose offset is ``idx``; an error if the shape has none."""
    return _tuples.turned(_tuples.idx2crd(*map(_tuples.turned, (idx, shape, stride))))


def crd2crd(crd: Any, dst_shape: Any, src_shape: Any = None) -> Any:
    """A coordinate in another shape."""
    return _tuples.turned(_tuples.crd2crd(*map(_tuples.turned, (crd, dst_shape, src_shape))))


_algebra = _Algebra(Layout)
coalesce = _algebra.coalesce
complement = _algebra.complement
composition = _algebra.composition
cosize = _algebra.cosize
filter = _algebra.filter
hier_unzip = _algebra.hier_unzip
left_inverse = _algebra.left_inverse
logical_divide = _algebra.logical_divide
logical_product = _algebra.logical_product
make_layout = _algebra.make_layout
right_inverse = _algebra.right_inverse
size = _algebra.size
slice_and_offset = _algebra.slice_and_offset
tiled_divide = _algebra.tiled_divide
tiled_product = _algebra.tiled_product
zipped_divide = _algebra.zipped_divide
zipped_product = _algebra.zipped_product

__all__ = [
    "IntTuple", "Integer", "Layout", "LayoutBase", "coalesce", "complement", "composition", "cosize", "crd2crd", "crd2idx",
    "elem_scale", "filter", "flatten", "has_none", "hier_unzip", "idx2crd", "inner_product", "is_int", "is_layout", "is_tuple",
    "left_inverse", "logical_divide", "logical_product", "make_layout", "match_structure", "product", "right_inverse", "shape_div",
    "signum", "size", "slice_", "slice_and_offset", "suffix_product", "tiled_divide", "tiled_product", "tuple_max",
    "zipped_divide", "zipped_product",
]  # fmt: skip
