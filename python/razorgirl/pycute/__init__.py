"""pycute's names and signatures with correct results: ``import razorgirl.pycute as pycute``.

Where pycute is correct, the results are the same, including CuTe's extensions: a last mode that grows, a cotarget that is rounded
up, tiles that reach past the layout. Where pycute is wrong, the result is correct, or a ``LayoutError`` if no correct result
exists. A complement with gaps is an error. ``razorgirl.pycute.pytorch`` has the names of PyTorch's copy, whose last mode varies
fastest.
"""

from ._algebra import Algebra as _Algebra
from ._algebra import LayoutBase, LayoutOf, is_layout
from ._swizzle import ComposedLayout, Swizzle, shiftl, shiftr
from ._tuples import (
    Integer,
    crd2crd,
    crd2idx,
    elem_scale,
    flatten,
    has_none,
    idx2crd,
    inner_product,
    is_int,
    is_tuple,
    prefix_product,
    product,
    shape_div,
    signum,
    slice_,
    tuple_max,
)


class Layout(LayoutOf):
    """A layout whose first mode varies fastest."""


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
    "ComposedLayout", "Integer", "Layout", "LayoutBase", "Swizzle", "coalesce", "complement", "composition", "cosize", "crd2crd",
    "crd2idx", "elem_scale", "filter", "flatten", "has_none", "hier_unzip", "idx2crd", "inner_product", "is_int", "is_layout",
    "is_tuple", "left_inverse", "logical_divide", "logical_product", "make_layout", "prefix_product", "product", "right_inverse",
    "shape_div", "shiftl", "shiftr", "signum", "size", "slice_", "slice_and_offset", "tiled_divide", "tiled_product", "tuple_max",
    "zipped_divide", "zipped_product",
]  # fmt: skip
