"""pycute of CUTLASS (PyPI nvidia-cutlass) as a peer of `razorgirl conform`."""

from importlib.metadata import version

import pycute

from peer import Layouts, serve

layouts = Layouts(pycute.Layout)
shape = layouts.shape


def slice_and_offset(coordinate, layout):
    kept, offset = pycute.slice_and_offset(coordinate, layout)
    return [kept.shape, kept.stride, offset]


def hier_unzip(kind, layout, tiler):
    return pycute.hier_unzip((pycute.logical_divide, pycute.logical_product)[kind], layout, tiler)


OPS = {
    "call": lambda coordinate, layout: layout(coordinate),
    "coalesce": pycute.coalesce,
    "complement": pycute.complement,
    "composition": pycute.composition,
    "composition_by_mode": pycute.composition,
    "cosize": pycute.cosize,
    "crd2idx": lambda coordinate, extents, *stride: pycute.crd2idx(coordinate, shape(extents), *stride),
    "eval": lambda layout: [layout(i) for i in range(layout.size())],
    "filter": pycute.filter,
    "hier_unzip": hier_unzip,
    "idx2crd": lambda index, extents: pycute.idx2crd(index, shape(extents)),
    "left_inverse": pycute.left_inverse,
    "logical_divide": pycute.logical_divide,
    "logical_divide_by_mode": pycute.logical_divide,
    "logical_product": pycute.logical_product,
    "logical_product_by_mode": pycute.logical_product,
    "make_layout": pycute.make_layout,
    "rank": lambda value: 1 if isinstance(value, int) else len(value),
    "right_inverse": pycute.right_inverse,
    "size": pycute.size,
    "slice_and_offset": slice_and_offset,
    "tiled_divide": pycute.tiled_divide,
    "tiled_product": pycute.tiled_product,
    "zipped_divide": pycute.zipped_divide,
    "zipped_product": pycute.zipped_product,
}
serve({name: layouts.on(operation) for name, operation in OPS.items()}, {"name": "pycute", "version": version("nvidia-cutlass")})
