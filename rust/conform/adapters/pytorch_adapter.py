"""torch.distributed._pycute (PyPI torch) as a peer of `razorgirl conform`, by its folder alone; its last mode is the fastest."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "member", "torch", "distributed"))
import _pycute as pycute
from peer import Layouts, Missing, serve

layouts = Layouts(pycute.Layout)
shape = layouts.shape


def by_layout(operation):
    """A tiler that is an integer n stands for n:1; other tilers mean something else there."""

    def run(layout, tiler):
        tiler = pycute.Layout(tiler, 1) if isinstance(tiler, int) else tiler
        if not isinstance(tiler, pycute.Layout):
            raise Missing
        return operation(layout, tiler)

    return run


OPS = {
    "call": lambda coordinate, layout: layout(coordinate),
    "coalesce": pycute.coalesce,
    "complement": pycute.complement,
    "complement_ceil": pycute.complement,
    "composition": pycute.composition,
    "composition_by_mode": pycute.composition,
    "composition_extended": pycute.composition,
    "cosize": pycute.cosize,
    "crd2idx": lambda coordinate, extents, *stride: pycute.crd2idx(coordinate, shape(extents), *stride),
    "eval": lambda layout: [layout(i) for i in range(layout.size())],
    "filter": pycute.filter,
    "idx2crd": lambda index, extents: pycute.idx2crd(index, shape(extents)),
    "left_inverse": pycute.left_inverse,
    "logical_divide": by_layout(pycute.logical_divide),
    "logical_product": by_layout(pycute.logical_product),
    "rank": lambda value: 1 if isinstance(value, int) else len(value),
    "right_inverse": pycute.right_inverse,
    "size": pycute.size,
    "zipped_divide": by_layout(pycute.zipped_divide),
    "zipped_product": by_layout(pycute.zipped_product),
}
capabilities = {"name": "PyTorch _pycute", "version": "2.15.0", "mode_order": "last"}
serve({name: layouts.on(operation) for name, operation in OPS.items()}, capabilities)
