from flydsl._mlir import ir
from flydsl._mlir._mlir_libs._mlirDialectsFly import IntTupleType, LayoutType, TileType
from flydsl._mlir.dialects import fly

context = ir.Context()
context.load_all_available_dialects()
context.__enter__()
ir.Location.unknown(context).__enter__()
ir.InsertionPoint(ir.Module.create().body).__enter__()


def layout(shape, stride):
    return fly.static(LayoutType.get(shape, stride))


def numbers(value):
    return fly.static(IntTupleType.get(value))


def number(value):
    return IntTupleType(value.type).get_static_leaf_int


def at(value, index):
    return number(fly.crd2idx(numbers(index), value))


def size(value):
    return number(fly.size(value))


def operand(value):
    """A tiler: a layout as it is, an integer as a layout, a tuple as a tile for each mode."""
    kind = lambda mode: mode.type if hasattr(mode, "type") else mode
    if isinstance(value, tuple):
        return fly.static(TileType.get([kind(mode) for mode in value]))
    return layout(value, 1) if isinstance(value, int) else value


def complement(value, *target):
    return fly.complement(value, codomain_size=numbers(target[0]) if target else None)


def recast(value, old, new):
    return fly.recast_layout(new_type_bits=new, old_type_bits=old, src=value)


NAMES = """coalesce composition flat_divide flat_product left_inverse logical_divide logical_product make_layout_like
raked_product blocked_product right_inverse tiled_divide tiled_product zipped_divide zipped_product"""
for name in NAMES.split():
    globals()[name] = lambda *values, name=name: getattr(fly, name)(*map(operand, values))
