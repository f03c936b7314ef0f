"""Layouts of other libraries as layouts."""

from __future__ import annotations

from typing import Any

from ._razorgirl import Layout


def of(value: Any) -> Layout:
    """The layout of what has a shape and strides: a tensor of torch, an array of NumPy, a layout of pycute, of
    tensor-layouts or of the CuTe DSL. Strides of arrays, which are in bytes, are counted in elements.
    """
    if isinstance(value, Layout):
        return value
    shape = getattr(value, "shape", None)
    stride = getattr(value, "stride", None)
    if callable(shape):
        shape = shape()
    if callable(stride):
        stride = stride()
    if stride is None and hasattr(value, "strides") and hasattr(value, "itemsize"):
        size = value.itemsize
        if size == 0 or any(step % size for step in value.strides):
            raise TypeError(f"strides of {value.strides} bytes are not whole elements of {size} bytes")
        stride = tuple(step // size for step in value.strides)
    if shape is None or stride is None:
        raise TypeError(f"{type(value).__name__} has no shape and strides")
    return Layout(shape, stride)
