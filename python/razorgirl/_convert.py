"""Layouts of other libraries as layouts, and the reverse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ._razorgirl import Layout, LinearLayout, SwizzledLayout


def _plain(value: Any) -> Any:
    """A shape or stride of another library as integers and tuples: lists, sequences of its own, integers in boxes."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"expected a shape or a stride, not {value!r}")
    if hasattr(value, "__index__"):
        return value.__index__()
    if hasattr(value, "__iter__"):
        return tuple(_plain(entry) for entry in value)
    raise TypeError(f"expected a static integer, not {type(value).__name__}")


def _field(value: Any, name: str) -> Any:
    field = getattr(value, name, None)
    return field() if callable(field) else field


# pycute's ComposedLayout says layoutB and layoutA, tensor-layouts and the CuTe DSL outer and inner.
_COMPOSED = (("layoutB", "layoutA"), ("outer", "inner"))


def _parts(value: Any) -> tuple[Any, Any, Any] | None:
    """A swizzle behind a layout, and the offset between them."""
    for outer, inner in _COMPOSED:
        swizzle, layout, offset = getattr(value, outer, None), getattr(value, inner, None), _field(value, "offset")
        if offset is not None and layout is not None and all(hasattr(swizzle, part) for part in ("bits", "base", "shift")):
            return swizzle, offset, layout
    return None


def swizzled_of(value: Any) -> SwizzledLayout:
    """The layout behind a swizzle of pycute's ``ComposedLayout``, tensor-layouts' or the CuTe DSL's; or any layout, unswizzled."""
    if isinstance(value, SwizzledLayout):
        return value
    parts = _parts(value)
    if parts is None:
        return SwizzledLayout(of(value))
    swizzle, offset, layout = parts
    return SwizzledLayout((swizzle.bits, swizzle.base, swizzle.shift), _plain(offset), of(layout))


def of(value: Any) -> Layout:
    """The layout of an object with a shape and strides: a torch tensor, a NumPy array, a layout of pycute, of tensor-layouts or
    of the CuTe DSL. Strides of arrays are converted from bytes to elements.

    In PyTorch's ``_pycute`` the last mode varies fastest; the result is the same function of coordinates.
    """
    if isinstance(value, Layout):
        return value
    if _bases(value) is not None:
        raise TypeError(f"{type(value).__name__} is a linear layout; LinearLayout.of takes it")
    if isinstance(value, SwizzledLayout) or _parts(value) is not None:
        raise TypeError(f"{type(value).__name__} has a swizzle; SwizzledLayout.of takes it")
    shape, stride = _field(value, "shape"), _field(value, "stride")
    if stride is None and hasattr(value, "strides") and hasattr(value, "itemsize"):
        size = value.itemsize
        if size == 0 or any(step % size for step in value.strides):
            raise TypeError(f"strides of {value.strides} bytes are not whole elements of {size} bytes")
        stride = tuple(step // size for step in value.strides)
    if shape is None or stride is None:
        raise TypeError(f"{type(value).__name__} has no shape and strides")
    return Layout(_plain(shape), _plain(stride))


# The attributes of Gluon's layouts, and what Triton calls these inputs.
_GLUON = {"reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "offset_bases": "offset", "block_bases": "block"}


def _bases(value: Any) -> Any:
    """The bases by input: of Triton's linear layouts, or of Gluon's."""
    bases = _field(value, "bases")
    if bases is None:
        found = {name: getattr(value, attribute) for attribute, name in _GLUON.items() if hasattr(value, attribute)}
        return found or None
    return dict(bases)


def _outs(value: Any, bases: dict[str, Any]) -> list[tuple[str, int]]:
    """Outputs and their sizes. A size that is not given is the least that contains the bases, as Triton infers it."""
    dims, names, sizes = (_field(value, field) for field in ("out_dims", "out_dim_names", "out_dim_sizes"))
    if dims is None and names is None and _field(value, "shape") is not None:
        return [(f"dim{place}", size) for place, size in enumerate(_plain(value.shape))]
    if dims is None:
        dims = names if sizes is None else zip(names, sizes)
    if dims is None:
        raise TypeError(f"{type(value).__name__} has bases, but no out_dims")
    outs = list(dims.items() if isinstance(dims, Mapping) else dims)
    if all(isinstance(out, str) for out in outs):
        vectors = [vector for vectors in bases.values() for vector in vectors]
        return [(name, 1 << max([0, *(vector[place].bit_length() for vector in vectors)])) for place, name in enumerate(outs)]
    return [(str(name), _plain(size)) for name, size in outs]


def linear_of(value: Any) -> LinearLayout:
    """The linear layout of an object with bases: Triton's ``LinearLayout``, Gluon's ``DistributedLinearLayout`` or
    ``SharedLinearLayout``."""
    if isinstance(value, LinearLayout):
        return value
    bases = _bases(value)
    if bases is None:
        raise TypeError(f"{type(value).__name__} has no bases")
    bases = {str(name): [list(_plain(vector)) for vector in vectors] for name, vectors in bases.items()}
    outs = _outs(value, bases)
    return LinearLayout({"in": [list(one) for one in bases.items()], "out": [list(one) for one in outs]})


def _linear_bases(layout: LinearLayout) -> dict[str, list[list[int]]]:
    import json

    return {name: vectors for name, vectors in json.loads(str(layout))["in"]}


def _linear_outs(layout: LinearLayout) -> list[tuple[str, int]]:
    import json

    return [(name, size) for name, size in json.loads(str(layout))["out"]]


def install() -> None:
    """Gives the classes their conversions."""
    setattr(Layout, "of", staticmethod(of))
    setattr(Layout, "to", to)
    setattr(SwizzledLayout, "of", staticmethod(swizzled_of))
    setattr(LinearLayout, "of", staticmethod(linear_of))
    setattr(LinearLayout, "bases", property(_linear_bases))
    setattr(LinearLayout, "out_dims", property(_linear_outs))


def to(layout: Layout, make: Callable[..., Any]) -> Any:
    """Converts the layout to another library's: ``layout.to(pycute.Layout)``, ``layout.to(cute.make_layout)``.

    ``make`` is called with the shape and the stride. The stride is passed by name if ``make`` has one positional parameter.
    """
    import inspect  # slow, and rarely asked for

    try:
        inspect.signature(make).bind(layout.shape, layout.stride)
    except TypeError:
        return make(layout.shape, stride=layout.stride)
    except ValueError:  # nothing is known about what it takes
        pass
    return make(layout.shape, layout.stride)
