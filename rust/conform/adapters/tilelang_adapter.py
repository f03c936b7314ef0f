"""TileLang's C++ CuTe algebra, tl.cute (PyPI tilelang), as a peer of `razorgirl conform`, without torch and without a GPU."""

import ctypes
import glob
import os
import sys
import types
from importlib.metadata import version

from peer import Layouts, Missing, bare, serve

# the libraries that the C++ side needs; its package would ask for torch
sys.setdlopenflags(sys.getdlopenflags() | os.RTLD_LAZY)
bare("tilelang", "tilelang.layout")
root = sys.modules["tilelang"].__path__[0]
sys.path.insert(0, os.path.join(root, "3rdparty/tvm/python"))
os.environ.setdefault("TVM_LIBRARY_PATH", os.path.join(root, "lib"))
import z3

solver = glob.glob(os.path.join(os.path.dirname(z3.__file__), "lib/libz3.so"))[0]
ctypes.CDLL(solver, mode=ctypes.RTLD_GLOBAL)
import tvm  # noqa: F401, registers what tl.cute is made of

ctypes.CDLL(os.path.join(root, "lib/libtilelang.so"), mode=ctypes.RTLD_GLOBAL | os.RTLD_LAZY)
typing = types.ModuleType("tilelang._typing")
typing.BufferLikeType = object
sys.modules["tilelang._typing"] = typing
import tilelang.layout.cute as cute


layouts = Layouts(cute.Layout, cute.make_layout)
shape, write = layouts.shape, layouts.write


def read(value):
    if value is None:
        raise Missing
    return tuple(map(read, value)) if isinstance(value, list) else layouts.read(value)


def on(operation):
    return lambda *values: write(operation(*map(read, values)))


def of_layouts(operation):
    def run(*values):
        layouts = list(map(read, values))
        if not all(isinstance(layout, cute.Layout) for layout in layouts):
            raise Missing
        return write(operation(*layouts))

    return run


def of_shapes(operation):
    return on(lambda *values: operation(*map(shape, values)))


def complement(layout, *target):
    """The C++ side takes the cosize of the filtered layout where none is given."""
    layout = read(layout)
    return write(cute.complement(layout, *(target or (cute.cosize(cute.filter(layout)),))))


def flatten(value):
    value = read(value)
    if isinstance(value, cute.Layout):
        return write(cute.flatten(value))
    return write(cute.flatten_to_tuple(value) if isinstance(value, tuple) else value)


def rank(value):
    value = read(value)
    return cute.rank(value if isinstance(value, cute.Layout) else cute.make_layout(value))


OPS = {
    "blocked_product": of_layouts(cute.blocked_product),
    "call": lambda coordinate, layout: write(read(layout)(read(coordinate))),
    "coalesce": of_layouts(cute.coalesce),
    "compatible": of_shapes(cute.compatible),
    "complement": complement,
    "complement_ceil": complement,
    "composition": of_layouts(cute.composition),
    "composition_extended": of_layouts(cute.composition),
    "congruent": of_shapes(cute.congruent),
    "coshape": of_layouts(cute.coshape),
    "cosize": of_layouts(cute.cosize),
    "eval": on(lambda layout: [layout(i) for i in range(cute.size(layout))]),
    "filter": of_layouts(cute.filter),
    "flatten": flatten,
    "left_inverse": of_layouts(cute.left_inverse),
    "logical_divide": of_layouts(cute.logical_divide),
    "logical_product": of_layouts(cute.logical_product),
    "make_layout_left": of_shapes(cute.make_column_major_layout),
    "make_layout_right": of_shapes(cute.make_row_major_layout),
    "rank": rank,
    "right_inverse": of_layouts(cute.right_inverse),
    "size": of_shapes(cute.product),
    "tiled_product": of_layouts(cute.tiled_product),
    "with_shape": on(lambda layout, value: layout.with_shape(shape(value))),
}
HABITS = {
    "name": "TileLang tl.cute",
    "version": version("tilelang"),
    "integer_bits": 64,
    # its header says of left_inverse that the layout is injective
    "contract": {"left_inverse": "injective"},
}
serve(OPS, HABITS)
