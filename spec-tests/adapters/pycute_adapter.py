"""pycute of CUTLASS (PyPI nvidia-cutlass) as a peer of `razorgirl conform`: JSON lines in, JSON lines out."""

import json
import sys

import pycute


def read(value):
    """A layout, an integer, None, or a tuple of these."""
    if isinstance(value, dict):
        return pycute.Layout(read(value["shape"]), read(value["stride"]))
    return tuple(map(read, value)) if isinstance(value, list) else value


def write(value):
    if isinstance(value, pycute.Layout):
        return {"shape": write(value.shape), "stride": write(value.stride)}
    return [write(item) for item in value] if isinstance(value, (list, tuple)) else value


def shape(value):
    return value.shape if isinstance(value, pycute.Layout) else value


def evaluate(layout):
    return [layout(i) for i in range(layout.size())]


def slice_and_offset(coordinate, layout):
    kept, offset = pycute.slice_and_offset(coordinate, layout)
    return [kept.shape, kept.stride, offset]


OPS = {
    "call": lambda coordinate, layout: layout(coordinate),
    "coalesce": pycute.coalesce,
    "complement": pycute.complement,
    "composition": pycute.composition,
    "composition_by_mode": pycute.composition,
    "cosize": pycute.cosize,
    "crd2idx": lambda coordinate, extents, *stride: pycute.crd2idx(coordinate, shape(extents), *stride),
    "eval": evaluate,
    "filter": pycute.filter,
    "idx2crd": lambda index, extents: pycute.idx2crd(index, shape(extents)),
    "hier_unzip": lambda kind, layout, tiler: pycute.hier_unzip(
        (pycute.logical_divide, pycute.logical_product)[kind], layout, tiler
    ),
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


def answer(request):
    op = request["op"]
    if op == "ops":
        return {"result": sorted(OPS)}
    if op not in OPS or "mode" in request:
        return {"error": {"code": "unknown_op", "message": f"pycute has no {op} of this kind", "help": []}}
    try:
        return {"result": write(OPS[op](*map(read, request["args"])))}
    except Exception as error:  # its refusals are AssertionErrors, and whatever its arithmetic raises
        return {"error": {"code": "refused", "message": f"{type(error).__name__}: {error}", "help": []}}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], **answer(request)}), flush=True)
