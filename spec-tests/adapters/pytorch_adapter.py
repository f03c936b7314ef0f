"""torch.distributed._pycute (PyPI torch) as a peer of `razorgirl conform`, by its folder alone; its last mode is the fastest."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "member", "torch", "distributed"))
import _pycute as pycute
from peer import Missing, serve


def read(value):
    if isinstance(value, dict):
        return pycute.Layout(read(value["shape"]), read(value["stride"]))
    return tuple(map(read, value)) if isinstance(value, list) else value


def write(value):
    if isinstance(value, pycute.Layout):
        return {"shape": write(value.shape), "stride": write(value.stride)}
    return [write(item) for item in value] if isinstance(value, (list, tuple)) else value


def shape(value):
    return value.shape if isinstance(value, pycute.Layout) else value


def on(operation):
    return lambda *values: write(operation(*map(read, values)))


def by_layout(operation):
    """A tiler that is an integer n stands for n:1; other tilers mean something else there."""

    def run(layout, tiler):
        tiler = pycute.Layout(tiler, 1) if isinstance(tiler, int) else read(tiler)
        if not isinstance(tiler, pycute.Layout):
            raise Missing
        return write(operation(read(layout), tiler))

    return run


OPS = {
    "call": lambda coordinate, layout: write(read(layout)(read(coordinate))),
    "coalesce": on(pycute.coalesce),
    "complement": on(pycute.complement),
    "complement_ceil": on(pycute.complement),
    "composition": on(pycute.composition),
    "composition_by_mode": on(pycute.composition),
    "composition_extended": on(pycute.composition),
    "cosize": on(pycute.cosize),
    "crd2idx": lambda crd, extents, *stride: pycute.crd2idx(read(crd), shape(read(extents)), *map(read, stride)),
    "eval": lambda layout: [read(layout)(i) for i in range(read(layout).size())],
    "filter": on(pycute.filter),
    "idx2crd": lambda index, extents: write(pycute.idx2crd(index, shape(read(extents)))),
    "left_inverse": on(pycute.left_inverse),
    "logical_divide": by_layout(pycute.logical_divide),
    "logical_product": by_layout(pycute.logical_product),
    "rank": lambda value: len(read(value)) if not isinstance(value, int) else 1,
    "right_inverse": on(pycute.right_inverse),
    "size": on(pycute.size),
    "zipped_divide": by_layout(pycute.zipped_divide),
    "zipped_product": by_layout(pycute.zipped_product),
}
serve(OPS, {"name": "PyTorch _pycute", "version": "2.15.0", "mode_order": "last"})
