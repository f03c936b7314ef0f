"""tensor-layouts (PyPI) as a peer of `razorgirl conform`."""

from importlib.metadata import version

import tensor_layouts as tl

from peer import Layouts, Missing, serve

layouts = Layouts(tl.Layout)
shape = layouts.shape


def whole(value):
    """A coordinate or tiler without None, which means something else there, or nothing."""
    if value is None:
        raise Missing
    return tuple(map(whole, value)) if isinstance(value, tuple) else value


def by_mode(layout, by):
    if isinstance(by, int):
        by = tl.Layout(by, 1)
    return tl.compose(layout, whole(by))


def coalesce(layout, *profile):
    if profile:  # its profiles drop the modes that they do not name
        raise Missing
    return tl.coalesce(layout)


def runs(tiler):
    """A tiler with n:1 for each integer n, which would divide the first mode alone there."""
    if isinstance(tiler, int):
        return tl.Layout(tiler, 1)
    return tuple(map(runs, tiler)) if isinstance(tiler, tuple) else tiler


def tiled(operation):
    return lambda layout, tiler: operation(layout, runs(whole(tiler)))


def hier_unzip(kind, layout, tiler):
    return tl.hier_unzip((tl.logical_divide, tl.logical_product)[kind], layout, runs(whole(tiler)))


OPS = {
    "blocked_product": tl.blocked_product,
    "call": lambda coordinate, layout: layout(whole(coordinate)),
    "coalesce": coalesce,
    "complement": tl.complement,
    "composition": tl.compose,
    "composition_by_mode": by_mode,
    "cosize": tl.cosize,
    "crd2idx": lambda coordinate, extents, *stride: tl.crd2idx(whole(coordinate), shape(extents), *stride),
    "eval": lambda layout: [layout(i) for i in range(tl.size(layout))],
    "flat_divide": tiled(tl.flat_divide),
    "flat_product": tiled(tl.flat_product),
    "hier_unzip": hier_unzip,
    "idx2crd": lambda index, extents: tl.idx2crd(index, shape(extents)),
    "left_inverse": tl.left_inverse,
    "logical_divide": tiled(tl.logical_divide),
    "logical_divide_by_mode": tiled(tl.logical_divide),
    "logical_product": tiled(tl.logical_product),
    "logical_product_by_mode": tiled(tl.logical_product),
    "max_common_layout": tl.max_common_layout,
    "max_common_vector": tl.max_common_vector,
    "nullspace": tl.nullspace,
    "raked_product": tl.raked_product,
    "right_inverse": tl.right_inverse,
    "size": tl.size,
    "tiled_divide": tiled(tl.tiled_divide),
    "tiled_product": tiled(tl.tiled_product),
    "zipped_divide": tiled(tl.zipped_divide),
    "zipped_product": tiled(tl.zipped_product),
}
capabilities = {"name": "tensor-layouts", "version": version("tensor-layouts")}
serve({name: layouts.on(operation) for name, operation in OPS.items()}, capabilities)
