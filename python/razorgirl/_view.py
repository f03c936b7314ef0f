"""Layouts in a notebook, and as strings: SVG, text, LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _razorgirl
from ._errors import LayoutError
from ._razorgirl import CoordLayout, Layout, Picture, SwizzledLayout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Above so many cells a notebook shows a layout in words until a picture is asked for.
_SHOWN = 1 << 12

# A picture follows the reader's preference by itself. Notebooks with a theme of their own say which in these ways.
_DARK = ('[data-jp-theme-light="false"]', ".vscode-dark", 'html[theme="dark"]', ".razorgirl-dark")
_LIGHT = ('[data-jp-theme-light="true"]', ".vscode-light", 'html[theme="light"]', ".razorgirl-light")
_INKS = {
    "dark": {"ground": "fill:#16181d", "title": "fill:#e8e8e8", "number": "fill:#9a9a9a", "cell": "stroke:#16181d"},
    "light": {"ground": "fill:#ffffff", "title": "fill:#111111", "number": "fill:#777777", "cell": "stroke:#ffffff"},
}


def _style() -> str:
    rules = [
        f"{','.join(f'{page} svg.razorgirl .{part}' for page in pages)}{{{ink}}}"
        for theme, pages in (("dark", _DARK), ("light", _LIGHT))
        for part, ink in _INKS[theme].items()
    ]
    return f"<style>{''.join(rules)}</style>"


def _words(text: str) -> str:
    from html import escape

    return f'<pre class="razorgirl-words">{escape(text.rstrip())}</pre>'


def _html(picture: Picture, words: bool) -> str:
    """Text above the picture; the picture scrolls if it is wider than the page."""
    drawn = f'<div style="overflow:auto;max-height:80vh">{_style()}{picture.svg()}</div>' if picture else ""
    return (_words(picture.text) if words or not picture else "") + drawn


def _picture_html(self: Picture) -> str:
    return _html(self, words=True)


def _layout_html(self: Any) -> str:
    try:
        if isinstance(self, (Layout, SwizzledLayout)) and self.size() > _SHOWN:
            return _words(_razorgirl.picture(self).text)
        return _html(_razorgirl.picture(self), words=False)
    except LayoutError:
        return _words(str(self))


def _save(self: Picture, path: str | Path) -> None:
    """Writes a file; the suffix selects the format: ``.svg``, ``.tex`` (a tikzpicture), ``.txt``, ``.html``."""
    from pathlib import Path

    kinds: dict[str, Callable[[], str]] = {".svg": self.svg, ".tex": self.tikz, ".txt": lambda: self.text, ".html": lambda: _page(self)}
    kind = kinds.get(Path(path).suffix)
    if kind is None:
        raise ValueError(f"a picture is written as one of {', '.join(kinds)}, not {path}")
    Path(path).write_text(kind(), encoding="utf-8")


def _page(picture: Picture) -> str:
    ground = "<style>@media (prefers-color-scheme: dark){body{background:#16181d;color:#e8e8e8}}</style>"
    return f"<!doctype html><meta charset='utf-8'><title>razorgirl</title>{ground}{_html(picture, words=True)}\n"


def _written(value: Any) -> str:
    """A value in CuTe's notation."""
    if isinstance(value, tuple):
        return f"({','.join(map(_written, value))})"
    return "_" if value is None else str(value)


def explain(expression: str, *arguments: Any) -> Picture:
    """The derivation of a result step by step, with the definition checked for these arguments; pictures before and after.

    ``explain("logical_divide((16):(1), (4):(1))")``, or ``explain("composition", A, B)``. Arguments may be operations.
    """
    written = f"{expression}({', '.join(map(_written, arguments))})" if arguments else expression
    return _razorgirl.explained(written)


def diagram(layout: Layout | str, inner: Layout | str | None = None) -> Picture:
    """Draws a tractable layout as a morphism: an arrow from each entry of the shape to a factor of the memory.

    With ``inner``, draws the composition ``layout o inner``: both morphisms, and both after their entries are refined to match.
    For a layout that is not tractable, the error names the two modes that prevent it.
    """
    return _razorgirl.diagrammed(str(layout), None if inner is None else str(inner))


def thread_value(layout: Layout | str, tile: Any) -> Picture:
    """Draws a tile whose cells show thread and value: ``T5V1`` is value 1 of thread 5.

    The layout maps (thread, value) to an index of the tile, first mode fastest, as CuTe's thread-value layouts do. Cells of
    several threads are outlined in red, cells of no thread are grey.
    """
    return _razorgirl.threads(Layout(layout), _written(tile))


def banks(layout: Layout | SwizzledLayout | str, dtype: str, access: str | Layout | list[str | Layout], bytes: int | None = None) -> Picture:
    """Draws a tile in shared memory by bank, and reports bank conflicts and a swizzle, padding or linear layout without them.

    ``access`` is ``"row"``, ``"column"``, ``"ldmatrix"``, a thread-value layout, or a list of these. In ``"row@16"`` each lane
    accesses 16 bytes.
    """
    accesses = access if isinstance(access, list) else [access]
    return _razorgirl.conflicts(str(layout), dtype, [str(one) for one in accesses], bytes)


def install() -> None:
    """Adds the methods that a notebook calls."""
    setattr(Picture, "_repr_html_", _picture_html)
    setattr(Picture, "save", _save)
    for kind in (Layout, SwizzledLayout, CoordLayout):
        setattr(kind, "_repr_html_", _layout_html)
        setattr(kind, "picture", lambda self: _razorgirl.picture(self))
