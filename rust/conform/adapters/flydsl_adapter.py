"""FlyDSL (PyPI flydsl) as a peer of `razorgirl conform`, by the static types that its operations infer; no GPU.

Its refusals are C++ assertions, which end the process: each request is answered by a child.
"""

from importlib.metadata import version

from flydsl._mlir import ir
from flydsl._mlir._mlir_libs._mlirDialectsFly import IntTupleType, LayoutType, TileType
from flydsl._mlir.dialects import fly

from peer import Missing, missing, serve, tree


def kind(value):
    return LayoutType.get(tree(value["shape"]), tree(value["stride"]))


def layout(value):
    return fly.static(kind(value)) if isinstance(value, dict) else missing()


def numbers(value):
    if isinstance(value, dict):
        value = value["shape"]
    return fly.static(IntTupleType.get(without_none(value)))


def without_none(value):
    if value is None:
        raise Missing
    return tuple(map(without_none, value)) if isinstance(value, list) else value


def either(value):
    return layout(value) if isinstance(value, dict) else numbers(value)


def mode(value):
    if isinstance(value, dict):
        return kind(value)
    return tuple(map(mode, value)) if isinstance(value, list) else value


def tiler(value):
    if isinstance(value, list):
        return fly.static(TileType.get(list(map(mode, value))))
    if value is None:
        raise Missing
    return layout(value if isinstance(value, dict) else {"shape": value, "stride": 1})


def write_numbers(numbers):
    if numbers.is_leaf:
        return numbers.get_static_leaf_int
    return [write_numbers(IntTupleType(numbers.at(i))) for i in range(numbers.rank)]


def write(value):
    found = value.type
    if isinstance(found, LayoutType):
        return {name: write_numbers(IntTupleType(getattr(found, name))) for name in ("shape", "stride")}
    return write_numbers(found) if isinstance(found, IntTupleType) else missing()


def on(operation, *readers, **fixed):
    """An operation whose arguments are read by these."""
    return lambda *values: write(operation(*(reader(value) for reader, value in zip(readers, values, strict=True)), **fixed))


def complement(value, *target):
    return write(fly.complement(layout(value), codomain_size=numbers(target[0]) if target else None))


def coalesce(value, *profile):
    return write(fly.coalesce(layout(value), pattern=numbers(profile[0]) if profile else None))


def column_major(value):
    """The layout of a shape, which idx2crd wants."""
    step = 1

    def strides(shape):
        nonlocal step
        if isinstance(shape, list):
            return [strides(part) for part in shape]
        here, step = step, step * shape
        return here

    shape = value["shape"] if isinstance(value, dict) else value
    return layout({"shape": shape, "stride": strides(shape)})


def extend(operation):
    def run(value, count, *filling):
        filling = filling or ({"shape": 1, "stride": 0} if isinstance(value, dict) else 1,)
        return write(operation(either(value), either(filling[0]), n=count))

    return run


def tile_to_shape(value, shape, *order):
    return write(fly.tile_to_shape(layout(value), numbers(shape), numbers(order[0]))) if order else missing()


OPS = {
    "append": extend(fly.append),
    "blocked_product": on(fly.blocked_product, layout, layout),
    "call": lambda crd, value: write(fly.crd2idx(numbers(crd), layout(value))),
    "ceil_div": on(fly.ceil_div, numbers, numbers),
    "coalesce": coalesce,
    "complement": complement,
    "complement_ceil": complement,
    "composition": on(fly.composition, layout, layout),
    "composition_by_mode": on(fly.composition, layout, tiler),
    "composition_extended": on(fly.composition, layout, layout),
    "coshape": on(fly.coshape, layout),
    "cosize": on(fly.cosize, layout),
    "flat_divide": on(fly.flat_divide, layout, tiler),
    "flat_product": on(fly.flat_product, layout, tiler),
    "group": lambda value, begin, end: write(fly.group(either(value), begin=begin, end=end)),
    "idx2crd": lambda index, value: write(fly.idx2crd(numbers(index), column_major(value))),
    "left_inverse": on(fly.left_inverse, layout),
    "logical_divide": on(fly.logical_divide, layout, tiler),
    "logical_product": on(fly.logical_product, layout, tiler),
    "make_layout_like": on(fly.make_layout_like, layout),
    "make_ordered_layout": on(fly.make_ordered_layout, numbers, numbers),
    "prepend": extend(fly.prepend),
    "raked_product": on(fly.raked_product, layout, layout),
    "recast": lambda value, old, new: write(fly.recast_layout(new_type_bits=new, old_type_bits=old, src=layout(value))),
    "right_inverse": on(fly.right_inverse, layout),
    "select": lambda value, places: write(fly.select(either(value), indices=places)),
    "shape_div": on(fly.shape_div, numbers, numbers),
    "size": on(fly.size, either),
    "take": lambda value, begin, end: write(fly.take(either(value), begin=begin, end=end)),
    "tile_to_shape": tile_to_shape,
    "tiled_divide": on(fly.tiled_divide, layout, tiler),
    "tiled_product": on(fly.tiled_product, layout, tiler),
    "zipped_divide": on(fly.zipped_divide, layout, tiler),
    "zipped_product": on(fly.zipped_product, layout, tiler),
}


def typed(operation):
    def run(*values):
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            return operation(*values)

    return run


context = ir.Context()
context.enable_multithreading(False)
with context, ir.Location.unknown():
    context.load_all_available_dialects()
    capabilities = {"name": "FlyDSL", "version": version("flydsl"), "integer_bits": 32, "unwraps_rank1": True}
    serve({name: typed(operation) for name, operation in OPS.items()}, capabilities, fork=True)
