"""Layouts as Python sees them, judged by loops over coordinates."""

import copy
import itertools
import pickle

import numpy
import pytest
import razorgirl
from razorgirl import CoordLayout, Layout, LayoutError, LinearLayout, SwizzledLayout

TEXTS = ["5:3", "(4):(2)", "(4,8):(8,1)", "((4,2),8):((1,16),4)", "(2,(3,(2,2))):(12,(4,(2,1)))", "():()", "(4,1):(0,0)"]


def leaves(value):
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, tuple) else [value]


def offsets(layout):
    """By definition: every coordinate of the leaves, the first fastest, times the strides."""
    extents, strides = leaves(layout.shape), leaves(layout.stride)
    coordinates = itertools.product(*(range(extent) for extent in reversed(extents)))
    return [sum(c * d for c, d in zip(reversed(coordinate), strides)) for coordinate in coordinates]


@pytest.mark.parametrize("text", TEXTS)
def test_reads_back(text):
    layout = Layout(text)
    assert str(layout) == text
    again = [Layout(layout.shape, layout.stride), eval(repr(layout)), pickle.loads(pickle.dumps(layout)), copy.deepcopy(layout)]
    for other in again:
        assert other == layout and hash(other) == hash(layout) and not other != layout
    assert layout != text and layout != Layout("7:5")


@pytest.mark.parametrize("text", TEXTS)
def test_offsets(text):
    layout = Layout(text)
    expected = offsets(layout)
    assert [layout(index) for index in range(len(expected))] == expected
    view = layout.offsets()
    assert view.tolist() == expected and view.format == "Q" and view.readonly
    array = numpy.asarray(view)
    assert array.dtype == numpy.uint64 and not array.flags.owndata and array.tolist() == expected
    for kind in (numpy.int64, numpy.uint64):
        indices = numpy.arange(len(expected), dtype=kind)
        assert layout.at_each(indices[::-1].copy()).tolist() == expected[::-1]
    assert layout.size() == len(expected) and razorgirl.cosize(layout) == max(expected) + 1


def test_coordinates_and_slices():
    layout = Layout("((4,2),8):((1,16),4)")
    for i, j, k in itertools.product(range(4), range(2), range(8)):
        assert layout((i, j), k) == layout(((i, j), k)) == layout[(i, j), k] == i + 16 * j + 4 * k
        assert layout(i + 4 * j, k) == i + 16 * j + 4 * k
    assert layout[1, :] == layout(1, None) == Layout("(8):(4)")
    assert layout[:, 1] == Layout("((4,2)):((1,16))")
    assert layout(numpy.int64(5)) == layout(5)
    with pytest.raises(TypeError):
        list(layout)


def test_a_shape_alone_is_column_major():
    assert Layout((4, (2, 3))) == Layout("(4,(2,3)):(1,(4,8))") and Layout(6) == Layout("6:1")
    assert Layout(Layout("6:2")) == Layout("6:2")


def test_evaluation_keeps_the_shape():
    layout = Layout("(4,8):(8,1)")
    grid = numpy.arange(32).reshape(4, 8)
    assert numpy.asarray(layout.at_each(grid)).shape == (4, 8)
    with pytest.raises(ValueError, match="contiguous"):
        layout.at_each(grid.T[::2])
    with pytest.raises(LayoutError) as refused:
        layout.at_each(numpy.array([0, 32]))
    assert refused.value.code == "out_of_domain"
    for wrong in (numpy.array([0.0]), numpy.array([1], dtype=numpy.int32), [1, 2], "12", None):
        with pytest.raises(TypeError):
            layout.at_each(wrong)
    with pytest.raises(ValueError):
        layout.at_each(numpy.array([-1]))


def test_operators():
    A, B = Layout("(6,2):(8,2)"), Layout("(4,3):(3,1)")
    composite = A.compose(B)
    assert [composite(i) for i in range(12)] == [A(B(i)) for i in range(12)]
    assert composite == A.composition(B) == razorgirl.composition(A, B) == razorgirl.composition(str(A), str(B))
    assert Layout("(12,4):(1,12)").compose((Layout("3:4"), 2)) == Layout("(3,2):(4,12)")
    assert Layout("16:1") / Layout("4:1") == razorgirl.logical_divide("16:1", "4:1") == Layout("(4,4):(1,4)")
    assert Layout("4:1") * Layout("3:1") == Layout("(4,3):(1,4)")


def test_every_operation_answers_its_example():
    assert len(razorgirl.OPERATIONS) > 100
    for name in razorgirl.OPERATIONS:
        operation = getattr(razorgirl, name)
        arguments, printed = operation.example
        for mode in operation.modes:
            if mode != "containing":
                answers = operation.answer(*arguments, mode=mode)
                returned = (answers["result"], answers["offset"]) if "offset" in operation.beside else answers["result"]
                assert list(answers)[0] == "result" and operation(*arguments, mode=mode) == returned, name
        layout = answers["result"]
        if isinstance(layout, (Layout, SwizzledLayout, CoordLayout)):
            assert str(layout) == printed.splitlines()[0], name
            assert pickle.loads(pickle.dumps(layout)) == layout == eval(repr(layout))
        assert name in operation.__doc__ and pickle.loads(pickle.dumps(operation)) is operation


def otherwise(value):
    """The same value as lists, and as integers that are not Python's own: these are read in another way."""
    if isinstance(value, tuple):
        return [otherwise(item) for item in value]
    return numpy.int64(value) if type(value) is int and -(2**63) <= value < 2**63 else value


@pytest.mark.parametrize("name", razorgirl.OPERATIONS)
def test_plain_arguments_are_read_as_all_others(name):
    """Tuples and integers are read in a quick way, and all else by way of JSON: both say the same, refusals too."""

    def answered(arguments):
        try:
            return operation.answer(*arguments)
        except (LayoutError, TypeError) as refused:
            return type(refused), str(refused), getattr(refused, "code", None)

    operation = getattr(razorgirl, name)
    values = [0, 1, 2, -1, 2**63, 2**64, (), (4,), (4, 2), (0, 4), ((2, 2), 4), (1, 0), (None, 2), None, Layout("((4,2),8):((1,16),4)"), (Layout("2:1"), 2), True]
    example = operation.example[0]
    for place in range(len(example)):
        for value in values:
            arguments = [*example[:place], value, *example[place + 1 :]]
            assert answered(arguments) == answered([*example[:place], otherwise(value), *example[place + 1 :]]), arguments


def test_methods_are_the_operations():
    layout = Layout("(4,8):(1,4)")
    methods = [name for name in razorgirl.OPERATIONS if hasattr(Layout, name)]
    assert len(methods) > 50
    for name in methods:
        operation = getattr(razorgirl, name)
        if len(operation.forms[0]) == 1:
            try:
                expected = operation(layout)
            except LayoutError as refused:
                with pytest.raises(LayoutError) as again:
                    getattr(layout, name)()
                assert again.value.code == refused.code
            else:
                assert getattr(layout, name)() == expected, name
    assert layout.slice((None, 1)) == razorgirl.slice((None, 1), layout)


def test_other_classes():
    swizzled = SwizzledLayout("Sw<3,4,3> o 0 o (8,64):(64,1)")
    assert swizzled == pickle.loads(pickle.dumps(swizzled)) and hash(swizzled) == hash(SwizzledLayout(str(swizzled)))
    assert CoordLayout(Layout("4:2")) == CoordLayout("4:2")
    linear = LinearLayout({"in": [["lane", [[1, 0], [0, 1]]]], "out": [["row", 2], ["column", 2]]})
    assert eval(repr(linear)) == linear == pickle.loads(pickle.dumps(linear))
    assert razorgirl.linear_invert(razorgirl.linear_invert(linear)) == linear


def test_shape_and_stride_by_name():
    assert Layout(shape=(4, 8), stride=(8, 1)) == Layout("(4,8):(8,1)") and Layout(shape=(4, 8)) == Layout("(4,8):(1,4)")
    assert razorgirl.__version__.count(".") == 2


def test_tiles_have_their_offset():
    layout = Layout("(128,64):(64,1)")
    tile, offset = layout.local_tile((32, 16), (2, 1))
    assert tile.shape == (32, 16) and offset == layout(64, 16)
    assert all(offset + tile(i, j) == layout(64 + i, 16 + j) for i in range(32) for j in range(16))
    assert razorgirl.local_tile(layout, (32, 16), (2, 1)) == (tile, offset) == razorgirl.inner_partition(layout, (32, 16), (2, 1))
    part, offset = razorgirl.local_partition(Layout("(8,6):(1,8)"), Layout("(4,3):(3,1)"), 5)
    assert (part, offset) == (Layout("(2,2):(4,24)"), 17)
    part, offset = razorgirl.outer_partition(Layout("(8,6):(1,8)"), (4, 3), (1, 1))
    assert (part, offset) == (Layout("(2,2):(4,24)"), 9)
    for name in razorgirl.OPERATIONS:
        if "offset" in getattr(razorgirl, name).beside:
            assert "Returns (layout, offset)" in getattr(razorgirl, name).__doc__


def swizzle(x, bits, base, shift):
    """By definition: bits [base + shift, base + shift + bits) are added without carry to bits [base, base + bits)."""
    mask = ((1 << bits) - 1) << base
    return x ^ ((x >> shift) & mask)


@pytest.mark.parametrize("parts", [((3, 3, 3), 0), ((2, 0, 3), 5), ((1, 0, 1), 3), ((0, 4, 3), 7)])
def test_swizzled_layouts_are_functions(parts):
    (bits, base, shift), offset = parts
    layout = Layout("((4,2),16):((1,16),4)")
    S = SwizzledLayout((bits, base, shift), offset, layout)
    assert S == SwizzledLayout(swizzle=(bits, base, shift), offset=offset, layout=str(layout)) == SwizzledLayout(str(S)) == eval(repr(S))
    assert (S.swizzle, S.offset, S.layout, S.shape, S.size()) == ((bits, base, shift), offset, layout, layout.shape, layout.size())
    expected = [swizzle(offset + layout(i), bits, base, shift) for i in range(layout.size())]
    assert [S(i) for i in range(S.size())] == expected == S.offsets().tolist() == list(S.swizzled_eval())
    assert S.at_each(numpy.arange(S.size())[::-1].copy()).tolist() == expected[::-1]
    for i, j in itertools.product(range(8), range(16)):
        assert S(i, j) == S((i, j)) == S[i, j] == swizzle(offset + layout(i, j), bits, base, shift)
    assert [S[3, :](j) for j in range(16)] == [S(3, j) for j in range(16)]
    inner = Layout("(4,8):(32,1)")
    assert [S.compose(inner)(i) for i in range(32)] == [S(inner(i)) for i in range(32)]
    tiled = S.compose((Layout("2:4"), 8))
    assert [tiled(i, j) for i in range(2) for j in range(8)] == [S(4 * i, j) for i in range(2) for j in range(8)]


def test_what_is_no_swizzled_layout():
    layout = Layout("(8,8):(8,1)")
    for wrong in (((3, 3, 3),), ((3, 3, 3), 0), ((3, 3), 0, layout), ("Sw<1>", 0, layout), ((-1, 0, 1), 0, layout)):
        with pytest.raises((TypeError, LayoutError, OverflowError)):
            SwizzledLayout(*wrong)
    with pytest.raises(LayoutError):
        SwizzledLayout((3, 3, 3), 2**64 - 1, layout)
    with pytest.raises(LayoutError):
        SwizzledLayout((3, 3, 3), 0, layout)(64)


def test_no_operation_drops_a_swizzle():
    """Each either answers of the swizzled offsets, or refuses."""
    S = SwizzledLayout((1, 0, 1), 3, Layout("4:1"))
    assert list(S.offsets()) == [2, 4, 5, 7]
    assert tuple(razorgirl.eval(S)) == (2, 4, 5, 7)
    assert [razorgirl.call(i, S) for i in range(4)] == [2, 4, 5, 7]
    composite = razorgirl.composition(S, Layout("2:2"))
    assert isinstance(composite, SwizzledLayout) and list(composite.offsets()) == [2, 5]
    for name in ("coalesce", "complement", "right_inverse", "cosize", "is_injective", "sort", "filter"):
        with pytest.raises(LayoutError):
            getattr(razorgirl, name)(S)
    with pytest.raises(LayoutError):
        razorgirl.composition(Layout("8:1"), S)
    with pytest.raises(LayoutError):
        razorgirl.size({"shape": 4, "strid": 1})


def test_a_traceback_shows_the_help():
    import traceback

    with pytest.raises(LayoutError) as refused:
        Layout("(6,2):(1,7)").compose(Layout("(3,2):(2,3)"))
    error = refused.value
    error.add_note("and a note")
    printed = "".join(traceback.format_exception(error))
    for line in (*error.help, "and a note"):
        assert line in printed
    assert printed.index(error.help[0]) > printed.index(str(error))


def test_refusals():
    with pytest.raises(LayoutError) as refused:
        Layout("(6,2):(1,7)").compose(Layout("(3,2):(2,3)"))
    error = refused.value
    assert error.code == "carries" and error.witness == {"coordinate": (2, 1)} and isinstance(error, ValueError)
    assert "B(2,1) = 7 and A(7) = 8, but composed mode by mode R(2,1) = 7" in error.help
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.help) == (str(error), error.code, error.help)
    with pytest.raises(LayoutError) as refused:
        Layout("(4,8:(1,4)")
    assert refused.value.code == "parse" and refused.value.position == 4
    with pytest.raises(LayoutError) as refused:
        razorgirl.find_layout_over("(2,2)", [0, 1, 2, 4])
    assert refused.value.witness == {"coordinate": (1, 1)}
    repeats = Layout("(4,2):(1,2)")
    with pytest.raises(LayoutError) as refused:
        repeats.complement()
    i, j = refused.value.witness["collision"]
    assert i < j and repeats(i) == repeats(j)


def test_layouts_of_others():
    array = numpy.zeros((4, 6, 8), dtype=numpy.float32)[:, ::2]
    assert Layout.of(array) == Layout("(4,3,8):(48,16,1)")

    class Tensor:
        shape = [4, 8]

        def stride(self):
            return (8, 1)

    assert Layout.of(Tensor()) == Layout("(4,8):(8,1)")
    with pytest.raises(TypeError):
        Layout.of(5)
    with pytest.raises(LayoutError) as refused:
        Layout.of(numpy.zeros(4)[::-1])
    assert refused.value.code == "stride"
