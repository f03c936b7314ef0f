"""The GPU layout algebra, proven correct: every operation returns a correct result or raises an error that says why.

Functions are the operations of razorgirl's table under their CuTe names. Operations on a layout are also methods of ``Layout``,
and operations on a swizzled layout are also methods of ``SwizzledLayout``. Errors are ``LayoutError``, with ``code``, ``witness``
and ``help``.
"""

import builtins as _builtins

from importlib import import_module as _import_module
from typing import Any as _Any

from . import _convert, _razorgirl, _view
from ._errors import LayoutError
from ._razorgirl import OPERATIONS, CoordLayout, Layout, LinearLayout, Picture, SwizzledLayout
from ._razorgirl import __version__ as __version__
from ._view import banks, diagram, explain, thread_value

_convert.install()
_view.install()
globals().update({name: getattr(_razorgirl, name) for name in OPERATIONS})


def __getattr__(name: str) -> _Any:
    if name in _LATER:
        return getattr(_import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# Loaded on first use: an import of the algebra stays quick.
_LATER = {
    **dict.fromkeys(("Audit", "Conformance", "audit", "conform"), "_judge"),
    **dict.fromkeys(("Equivalence", "Predicate", "Schedule", "TensorMap", "schedule", "tma"), "_reports"),
}

# Operations under names of Python's own (`eval`, `filter`, `slice`, `zip`) are called by the module's name: a star does not
# bring them over Python's.
__all__ = ["OPERATIONS", "CoordLayout", "Layout", "LayoutError", "LinearLayout", "Picture", "SwizzledLayout"]
__all__ += ["banks", "diagram", "explain", "thread_value", *_LATER]
__all__ += [name for name in OPERATIONS if not hasattr(_builtins, name)]
