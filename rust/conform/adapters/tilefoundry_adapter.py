"""The layout algebra of TileFoundry (PyPI tilefoundry) as a peer of `razorgirl conform`, without torch and its other dependencies."""

from importlib.metadata import version

from peer import Missing, absent, missing, serve, tree

absent("graphviz", "jinja2", "ortools", "pandas", "torch", "transformers")

import tilefoundry.ir.types.layout_algebra as algebra
from tilefoundry.ir.types.layout import Layout, apply, size


def read(value):
    """Its layouts are tuples of modes: a leaf becomes a tuple of one."""
    if isinstance(value, dict):
        shape, strides = tree(value["shape"]), tree(value["stride"])
        return Layout((shape,), (strides,)) if isinstance(shape, int) else Layout(shape, strides)
    return tuple(map(tiler, value)) if isinstance(value, list) else value


def tiler(value):
    if value is None:
        raise Missing
    return read(value)


def plain(value):
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else int(value)


def write(value):
    if isinstance(value, Layout):
        return {"shape": plain(value.shape), "stride": plain(value.strides)}
    return plain(value)


def on(operation):
    return lambda *values: write(operation(*map(tiler, values)))


def by_profile(operation):
    return lambda layout, *profile: write(operation(read(layout), *map(tree, profile)))


OPS = {
    "coalesce": by_profile(algebra.coalesce),
    "complement": on(algebra.complement),
    "complement_ceil": on(algebra.complement),
    "composition": on(algebra.composition),
    "composition_extended": on(algebra.composition),
    "composition_by_mode": on(algebra.composition),
    "cosize": on(algebra.cosize),
    "eval": lambda layout: [int(apply(read(layout), i)) for i in range(size(read(layout)))],
    "filter": by_profile(algebra.filter),
    "left_inverse": on(algebra.left_inverse),
    "logical_divide": on(algebra.logical_divide),
    "right_inverse": on(algebra.right_inverse),
    "size": lambda value: int(size(read(value))) if isinstance(value, dict) else missing(),
    "zipped_divide": on(algebra.zipped_divide),
}
serve(OPS, {"name": "TileFoundry", "version": version("tilefoundry"), "unwraps_rank1": True})
