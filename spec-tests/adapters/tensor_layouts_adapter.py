"""tensor-layouts (PyPI) as a peer of `razorgirl conform`: JSON lines in, JSON lines out."""

import json
import sys

import tensor_layouts as tl


def read(value):
    """A layout, an integer, None, or a tuple of these."""
    if isinstance(value, dict):
        return tl.Layout(read(value["shape"]), read(value["stride"]))
    return tuple(map(read, value)) if isinstance(value, list) else value


def whole(value):
    """A coordinate or tiler without None, which means something else there, or nothing."""
    if value is None:
        raise NotImplementedError
    return tuple(map(whole, value)) if isinstance(value, tuple) else value


def write(value):
    if isinstance(value, tl.Layout):
        return {"shape": write(value.shape), "stride": write(value.stride)}
    return [write(item) for item in value] if isinstance(value, (list, tuple)) else value


def shape(value):
    return value.shape if isinstance(value, tl.Layout) else value


def by_mode(layout, by):
    if isinstance(by, int):
        by = tl.Layout(by, 1)
    return tl.compose(layout, whole(by))


def coalesce(layout, *profile):
    if profile:  # its profiles drop the modes that they do not name
        raise NotImplementedError
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


def answer(request):
    op = request["op"]
    if op == "ops":
        return {"result": sorted(OPS)}
    if op not in OPS or "mode" in request:
        return {"error": {"code": "unknown_op", "message": f"tensor-layouts has no {op} of this kind", "help": []}}
    try:
        return {"result": write(OPS[op](*map(read, request["args"])))}
    except NotImplementedError:
        return {"error": {"code": "unknown_op", "message": f"tensor-layouts has no {op} of this kind", "help": []}}
    except Exception as error:
        return {"error": {"code": "refused", "message": f"{type(error).__name__}: {error}", "help": []}}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], **answer(request)}), flush=True)
