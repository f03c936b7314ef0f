"""Checked by mypy, which sees the stubs alone."""

from typing import assert_type

from razorgirl import Layout, LayoutError, composition, evenly_divides

A = Layout("(6,2):(8,2)")
assert_type(A.compose(Layout((4, 3), (3, 1))), Layout)
assert_type(A / Layout("2:1"), Layout)
assert_type(Layout.of(A).offsets(), memoryview[int])
try:
    composition(A, A, mode="complete")
    composition.answer(A, A)
    evenly_divides((4, 8), 2)
    A.composition(A)
except LayoutError as error:
    assert_type(error.code, str)
    assert_type(error.help, tuple[str, ...])
