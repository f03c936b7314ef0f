"""Triton's linear layouts (PyPI triton), by their Python binding, as a peer of `razorgirl conform`: no GPU, no compiler."""

from importlib.metadata import version

from peer import bare, serve

# its package would look for a driver
bare("triton", "triton._C")
from triton._C.libtriton.linear_layout import LinearLayout


def read(value):
    names, sizes = [name for name, _ in value["out"]], [size for _, size in value["out"]]
    return LinearLayout.from_bases([(name, basis) for name, basis in value["in"]], names, sizes, False)


def write(layout):
    return {
        "in": [[name, [list(column) for column in basis]] for name, basis in layout.bases],
        "out": [list(dimension) for dimension in layout.out_dims],
    }


def inferred(bases, outs):
    return write(LinearLayout.from_bases([(name, basis) for name, basis in bases], outs))


def predicates(value):
    layout = read(value)
    return {"surjective": layout.is_surjective(), "injective": layout.is_injective(), "invertible": layout.is_invertible()}


OPS = {
    "linear_apply": lambda value, points: [read(value).apply(point) for point in points],
    "linear_compose": lambda a, b: write(read(a).compose(read(b))),
    "linear_eq": lambda a, b: read(a) == read(b),
    "linear_from_bases_inferred": inferred,
    "linear_invert": lambda value: write(read(value).invert()),
    "linear_invert_and_compose": lambda a, b: write(read(a).invert_and_compose(read(b))),
    "linear_matrix": lambda value: read(value).get_matrix_view(),
    "linear_mul": lambda a, b: write(read(a) * read(b)),
    "linear_predicates": predicates,
    "linear_pseudoinvert": lambda value: write(read(value).pseudoinvert()),
    "linear_strided_1d": lambda size, stride: write(LinearLayout.strided_1d(size, stride, "i", "o")),
    "linear_zeros_1d": lambda size, outs: write(LinearLayout.zeros_1d(size, "i", "o", outs)),
}
HABITS = {"name": "Triton linear layouts", "version": version("triton"), "integer_bits": 32}
# what it does not take it asserts, which ends the process
serve(OPS, HABITS, fork=True)
