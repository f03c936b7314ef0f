"""The operations of pycute's families of layouts, by their names in the protocol. `test.sh` puts the libraries on the path."""


def shape(value):
    return value.shape if hasattr(value, "shape") else value


def slice_and_offset(pycute):
    def run(coordinate, layout):
        kept, offset = pycute.slice_and_offset(coordinate, layout)
        return kept.shape, kept.stride, offset

    return run


def operations(pycute):
    unzip = lambda kind, layout, tiler: pycute.hier_unzip((pycute.logical_divide, pycute.logical_product)[kind], layout, tiler)
    by_name = {
        name: getattr(pycute, name)
        for name in """coalesce complement composition cosize filter left_inverse logical_divide logical_product make_layout
        right_inverse size tiled_divide tiled_product zipped_divide zipped_product""".split()
    }
    return {
        **by_name,
        "call": lambda coordinate, layout: layout(coordinate),
        "complement_ceil": pycute.complement,
        "composition_by_mode": pycute.composition,
        "composition_extended": pycute.composition,
        "crd2idx": lambda coordinate, extents, *stride: pycute.crd2idx(coordinate, shape(extents), *stride),
        "eval": lambda layout: tuple(layout(i) for i in range(layout.size())),
        "hier_unzip": unzip,
        "idx2crd": lambda index, extents: pycute.idx2crd(index, shape(extents)),
        "logical_divide_by_mode": pycute.logical_divide,
        "logical_product_by_mode": pycute.logical_product,
        "slice_and_offset": slice_and_offset(pycute),
    }


# PyTorch's tilers of integers and tuples mean other coordinates than the protocol's; its own tests of these names are its own.
LEXICOGRAPHIC = """call coalesce complement complement_ceil composition composition_by_mode composition_extended cosize crd2idx eval
filter idx2crd left_inverse right_inverse size""".split()
