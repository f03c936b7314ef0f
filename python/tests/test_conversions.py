"""Layouts of other libraries as layouts, and the reverse: real ones where they can be installed, and their outline elsewhere."""

from types import SimpleNamespace

import numpy
import pycute
import pytest
import razorgirl.pycute as ours
import tensor_layouts
from razorgirl import Layout, LayoutError, LinearLayout, SwizzledLayout, composition, linear_apply, linear_eq
from razorgirl.pycute import pytorch

NESTED = ((4, 2), 8), ((1, 16), 4)


@pytest.mark.parametrize("make", [pycute.Layout, tensor_layouts.Layout, ours.Layout, pytorch.Layout])
def test_layouts_of_libraries(make):
    theirs = make(*NESTED)
    assert Layout.of(theirs) == Layout(*NESTED)
    back = Layout(*NESTED).to(make)
    assert type(back) is type(theirs) and back == theirs
    assert [theirs((i, j), k) for i in range(4) for j in range(2) for k in range(8)] == [
        Layout.of(theirs)((i, j), k) for i in range(4) for j in range(2) for k in range(8)
    ]


@pytest.mark.parametrize("library", [pycute, tensor_layouts])
def test_swizzles_of_libraries(library):
    swizzle, inner = library.Swizzle(3, 3, 3), library.Layout((8, 64), (64, 1))
    theirs = pycute.ComposedLayout(swizzle, 0, inner) if library is pycute else tensor_layouts.compose(swizzle, inner)
    layout = SwizzledLayout.of(theirs)
    assert layout == SwizzledLayout("Sw<3,3,3> o 0 o (8,64):(64,1)")
    assert (layout.swizzle, layout.offset, layout.layout) == ((3, 3, 3), 0, Layout("(8,64):(64,1)"))
    import razorgirl

    assert [theirs(i, j) for i in range(8) for j in range(64)] == [razorgirl.swizzled_call((i, j), layout) for i in range(8) for j in range(64)]
    with pytest.raises(TypeError, match="SwizzledLayout.of"):
        Layout.of(theirs)
    assert SwizzledLayout.of(inner) == SwizzledLayout(Layout("(8,64):(64,1)"))


class Shape:
    """As the CuTe DSL has it: a sequence of its own, with integers in boxes."""

    def __init__(self, *entries):
        self.entries = entries

    def __iter__(self):
        return iter(self.entries)


class Box:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Dynamic:
    """An integer that is known at run time only."""


def make_layout(shape, *, stride=None):
    return SimpleNamespace(shape=shape, stride=stride)


def test_the_cute_dsl():
    theirs = SimpleNamespace(shape=Shape(Shape(4, Box(2)), 8), stride=Shape(Shape(Box(1), 16), 4))
    assert Layout.of(theirs) == Layout(*NESTED)
    assert Layout(*NESTED).to(make_layout) == SimpleNamespace(shape=NESTED[0], stride=NESTED[1])
    with pytest.raises(TypeError, match="static"):
        Layout.of(SimpleNamespace(shape=Shape(4, Dynamic()), stride=(1, 4)))
    composed = SimpleNamespace(outer=SimpleNamespace(bits=2, base=4, shift=3), offset=Box(0), inner=theirs, shape=theirs.shape)
    assert SwizzledLayout.of(composed).swizzle == (2, 4, 3)


class Tensor:
    """As torch has it."""

    def __init__(self, array):
        self.shape, self.steps = list(array.shape), [step // array.itemsize for step in array.strides]

    def stride(self):
        return tuple(self.steps)


def test_tensors():
    base = numpy.arange(4 * 6 * 8, dtype=numpy.float32).reshape(4, 6, 8)
    for array in (base, base.T, base[:, ::2], base[1:3, :, 4:], numpy.broadcast_to(base[:1], (5, 6, 8)), base[0, 0, :1]):
        flat = numpy.lib.stride_tricks.as_strided(array, (10_000,), (4,)) if array.size else None
        for layout in (Layout.of(array), Layout.of(Tensor(array))):
            assert layout.shape == array.shape
            assert all(array[place] == flat[layout(*place)] for place in numpy.ndindex(array.shape) if array.ndim > 1 and layout(*place) < 192)
    with pytest.raises(LayoutError):
        Layout.of(base[::-1])
    with pytest.raises(TypeError, match="whole elements"):
        Layout.of(numpy.zeros(4, dtype=[("a", "u1"), ("b", "<u4")])["b"])
    with pytest.raises(TypeError):
        Layout.of(None)


def test_linear_layouts_of_triton():
    bases = [("register", [[0, 1], [8, 0]]), ("lane", [[0, 2], [1, 0], [2, 0], [4, 0]])]
    triton = SimpleNamespace(bases=bases, out_dims=[("dim0", 16), ("dim1", 4)])
    named = SimpleNamespace(bases=dict(bases), out_dim_names=["dim0", "dim1"], out_dim_sizes=[16, 4])
    inferred = SimpleNamespace(bases=bases, out_dim_names=["dim0", "dim1"])
    gluon = SimpleNamespace(reg_bases=bases[0][1], lane_bases=bases[1][1], warp_bases=[], block_bases=[], shape=[16, 4])
    layouts = [LinearLayout.of(one) for one in (triton, named, inferred)]
    assert layouts[0] == layouts[1] == layouts[2]
    layout = layouts[0]
    assert layout.bases == dict(bases) and layout.out_dims == [("dim0", 16), ("dim1", 4)]
    assert LinearLayout.of(SimpleNamespace(bases=layout.bases, out_dims=layout.out_dims)) == layout
    assert list(LinearLayout.of(gluon).bases) == ["register", "lane", "warp", "block"]
    shared = LinearLayout.of(SimpleNamespace(offset_bases=[[0, 1], [1, 0]], block_bases=[], shape=[2, 2]))
    assert shared.bases["offset"] == [[0, 1], [1, 0]]
    for nothing in (SimpleNamespace(), SimpleNamespace(bases=bases)):
        with pytest.raises(TypeError):
            LinearLayout.of(nothing)
    with pytest.raises(TypeError, match="LinearLayout.of"):
        Layout.of(triton)


def test_a_star_leaves_pythons_own_names():
    names = {}
    exec("from razorgirl import *", names)
    import builtins

    assert composition is names["composition"] and linear_apply is names["linear_apply"] and linear_eq is names["linear_eq"]
    for name in vars(builtins):
        assert name == "__builtins__" or name.startswith("__") or name not in names, name
