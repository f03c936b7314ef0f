"""The GPU layout algebra, proven right: CuTe layouts that answer right or refuse.

Functions are the operations of razorgirl's table under their CuTe names; those that take a layout are methods of
``Layout`` too. What is refused raises ``LayoutError``, with ``code``, ``witness`` and ``help``.
"""

from . import _razorgirl
from ._convert import of as _of
from ._errors import LayoutError
from ._razorgirl import OPERATIONS, CoordLayout, Layout, LinearLayout, SwizzledLayout

setattr(Layout, "of", staticmethod(_of))
globals().update({name: getattr(_razorgirl, name) for name in OPERATIONS})

__all__ = ["OPERATIONS", "CoordLayout", "Layout", "LayoutError", "LinearLayout", "SwizzledLayout", *OPERATIONS]
