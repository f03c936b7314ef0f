"""Integers and nested tuples of them, under pycute's names."""

from __future__ import annotations

from abc import ABC
from itertools import accumulate
from typing import Any, NoReturn

from .._errors import refusal


class Integer(ABC):
    """Python's integers, without bool."""

    @classmethod
    def __subclasshook__(cls, c: type) -> bool:
        return issubclass(c, int) and c is not bool


def refuse(code: str, message: str) -> NoReturn:
    raise refusal(code, message)


def is_int(x: Any) -> bool:
    return isinstance(x, Integer)


def is_tuple(x: Any) -> bool:
    return isinstance(x, tuple)


def paired(*tuples: Any) -> list[tuple[Any, ...]]:
    """Corresponding entries; all arguments must be tuples of the same length."""
    if not all(isinstance(one, tuple) and len(one) == len(tuples[0]) for one in tuples):
        refuse("incongruent", f"{' and '.join(map(str, tuples))} are not tuples of one length")
    return list(zip(*tuples))


def leaf(x: Any) -> Any:
    """An entry that may not be a tuple."""
    if isinstance(x, tuple):
        refuse("incongruent", f"an integer is expected, not {x}")
    return x


def flatten(t: Any) -> tuple[Any, ...]:
    return tuple(entry for mode in t for entry in flatten(mode)) if isinstance(t, tuple) else (t,)


def signum(a: Any) -> int:
    return int(a > 0) - int(a < 0)


def product(a: Any) -> Any:
    if not isinstance(a, tuple):
        return a
    size = 1
    for mode in a:
        size *= product(mode)
    return size


def inner_product(a: Any, b: Any) -> Any:
    if isinstance(a, tuple):
        return sum(inner_product(x, y) for x, y in paired(a, b))
    return a * leaf(b)


def tuple_max(a: Any) -> Any:
    return max(flatten(a))


def elem_scale(a: Any, b: Any) -> Any:
    if isinstance(a, tuple):
        return tuple(elem_scale(x, y) for x, y in paired(a, b))
    return a * product(b)


def shape_div(a: Any, b: Any) -> Any:
    """The shape ``a`` without its first ``b`` coordinates, rounded up."""
    if not isinstance(a, tuple):
        size = product(b)
        if size == 0 or a == 0 or (a % size and size % a):
            refuse("not_divisible", f"of {a} and {size}, neither divides the other")
        return -(-a // size)
    if isinstance(b, tuple):
        return tuple(shape_div(x, y) for x, y in paired(a, b))
    left = accumulate(a[:-1], lambda rest, mode: shape_div(rest, product(mode)), initial=b)
    return tuple(shape_div(mode, rest) for mode, rest in zip(a, left))


def prefix_product(a: Any, init: Any = 1) -> Any:
    """Column-major strides that begin at ``init``."""
    if not isinstance(a, tuple):
        return leaf(init)
    if isinstance(init, tuple):
        return tuple(prefix_product(x, i) for x, i in paired(a, init))
    strides = []
    for mode in a:
        strides.append(prefix_product(mode, init) if isinstance(mode, tuple) else init)
        init = init * product(mode)
    return tuple(strides)


def slice_(crd: Any, trg: Any) -> Any:
    """The entries of ``trg`` at None."""
    if isinstance(crd, tuple):
        return tuple(kept for c, t in paired(crd, trg) for kept in slice_(c, t))
    return (trg,) if crd is None else ()


def has_none(a: Any) -> bool:
    if not isinstance(a, tuple):
        return a is None
    for entry in a:
        if entry is None or (isinstance(entry, tuple) and has_none(entry)):
            return True
    return False


def match_structure(a: Any, b: Any) -> bool:
    """Whether both have the same profile."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(match_structure, a, b))
    return is_int(a) and is_int(b)


def turned(a: Any) -> Any:
    """All modes in reverse order."""
    return tuple(map(turned, reversed(a))) if isinstance(a, tuple) else a


def suffix_product(a: Any, init: Any = 1) -> Any:
    """Row-major strides that begin at ``init``."""
    return turned(prefix_product(turned(a), turned(init)))


def crd2idx(crd: Any, shape: Any, stride: Any = None) -> Any:
    """The offset of a coordinate. The last mode continues past the end of the shape, as in CuTe."""
    if stride is None:
        stride = prefix_product(shape)
    offset = 0
    if isinstance(crd, tuple):
        for c, s, d in paired(crd, shape, stride):
            # a call for each mode takes most of the time
            offset += c * d if type(c) is type(s) is type(d) is int else crd2idx(c, s, d)
        return offset
    index = 0 if crd is None else crd
    if not isinstance(shape, tuple):
        return index * leaf(stride)
    *modes, last = paired(shape, stride) or [(1, 0)]
    for s, d in modes:
        index, here = divmod(index, product(s))
        offset += here * d if type(d) is type(s) is int else crd2idx(here, s, d)
    return offset + crd2idx(index, *last)


def idx2crd(idx: Any, shape: Any, stride: Any = None) -> Any:
    """The coordinate whose offset is ``idx``; an error if the shape has none."""
    strides = prefix_product(shape) if stride is None else stride

    def digits(idx: Any, shape: Any, stride: Any) -> Any:
        if isinstance(idx, tuple):
            return tuple(digits(i, s, d) for i, s, d in paired(idx, shape, stride))
        if isinstance(shape, tuple):
            return tuple(digits(idx, s, d) for s, d in paired(shape, stride))
        return 0 if shape == 1 or leaf(stride) == 0 else idx // stride % shape

    def offsets(idx: Any, crd: Any, shape: Any, stride: Any) -> bool:
        if isinstance(idx, tuple):
            return all(offsets(*each) for each in paired(idx, crd, shape, stride))
        return bool(crd2idx(crd, shape, stride) == idx)

    crd = digits(idx, shape, strides)
    if not offsets(idx, crd, shape, strides):
        refuse("out_of_domain", f"{idx} is the offset of no coordinate of {shape}:{strides} that its digits are")
    return crd


def crd2crd(crd: Any, dst_shape: Any, src_shape: Any = None) -> Any:
    """A coordinate in another shape."""
    if isinstance(crd, tuple):
        if isinstance(dst_shape, tuple):
            return tuple(crd2crd(c, s) for c, s in paired(crd, dst_shape))
        if src_shape is None:
            refuse("incongruent", f"{crd} is a tuple, so src_shape is required")
        return crd2crd(crd2idx(crd, src_shape), dst_shape)
    if isinstance(dst_shape, tuple):
        return idx2crd(crd, dst_shape)
    if not 0 <= crd < dst_shape:
        refuse("out_of_domain", f"{crd} is not a coordinate of {dst_shape}")
    return crd


