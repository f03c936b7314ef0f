"""Checks of other libraries and of sources."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

from . import _razorgirl
from ._convert import _plain
from ._razorgirl import Layout


@dataclass(frozen=True)
class Conformance:
    """The result of ``conform``: the number of ``wrong`` answers, minimal ``examples``, and the whole report as ``text`` and ``data``."""

    text: str
    data: dict[str, Any] = field(repr=False)
    ending: str

    @property
    def wrong(self) -> int:
        return sum(self.data["total"]["wrong"].values())

    @property
    def right(self) -> int:
        return int(self.data["total"]["right"])

    @property
    def examples(self) -> list[dict[str, Any]]:
        """Wrong answers: request, answer, correct answer and reason."""
        return [{"op": op, **example} for op, counts in self.data["ops"].items() for example in counts["examples"]]

    def __bool__(self) -> bool:
        """Whether at least one answer is correct and none is wrong."""
        return self.ending == "right"

    def __str__(self) -> str:
        return self.text


def _argument(value: Any, layout: Callable[..., Any]) -> Any:
    """A value of the protocol as Python has it: a layout as the functions want it, lists as tuples."""
    if isinstance(value, dict) and value.keys() == {"shape", "stride"}:
        return layout(_argument(value["shape"], layout), _argument(value["stride"], layout))
    if isinstance(value, list):
        return tuple(_argument(entry, layout) for entry in value)
    return value


def _tree(value: Any) -> Any:
    return [_tree(entry) for entry in value] if isinstance(value, tuple) else value


def _result(value: Any) -> Any:
    """What a function answered, as the protocol writes it. Layouts are what has shape and stride; nothing is checked here."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if hasattr(value, "__index__"):
        return value.__index__()
    if isinstance(value, (tuple, list)):
        return [_result(entry) for entry in value]
    shape, stride = getattr(value, "shape", None), getattr(value, "stride", None)
    if shape is not None and stride is not None:
        shape = shape() if callable(shape) else shape
        stride = stride() if callable(stride) else stride
        return {"shape": _tree(_plain(shape)), "stride": _tree(_plain(stride))}
    raise TypeError(f"{type(value).__name__} is not a layout, an integer, a bool or a tuple of these")


def _fields(op: str, value: Any) -> dict[str, Any]:
    """The result, and the offset beside it where the operation answers a layout that begins elsewhere than at 0."""
    if "offset" in getattr(_razorgirl, op).beside and isinstance(value, tuple) and len(value) == 2:
        return {"result": _result(value[0]), "offset": _result(value[1])}
    return {"result": _result(value)}


def conform(
    functions: Callable[..., Any] | Mapping[str, Callable[..., Any]],
    op: str | None = None,
    *,
    layout: Callable[..., Any] = Layout,
    cases: int = 300,
    seed: int = 1,
    examples: int = 1,
    capabilities: Mapping[str, Any] | None = None,
) -> Conformance:
    """Checks your own functions against the definitions: ``conform(mine.composition, layout=mine.Layout)``.

    A function implements the operation of its name, or ``op``; ``{operation: function}`` checks several. Arguments are layouts
    made with ``layout(shape, stride)``, tuples and integers. A result may be any object with shape and stride, an integer or a
    tuple; an exception counts as a refusal. Results are compared with enumeration, and wrong examples are minimized.
    ``capabilities`` declares how a library differs, such as ``{"mode_order": "last"}`` or ``{"integer_bits": 32}``.
    """
    if callable(functions):
        name = op or str(getattr(functions, "__name__", type(functions).__name__))
        functions = {name: functions}
    elif op is not None:
        raise TypeError("op names the operation of one function; several are given with their names")

    def answer(request: str) -> str:
        asked = json.loads(request)
        name = asked["op"] if "mode" not in asked else f"{asked['op']}_{asked['mode']}"
        try:
            result = functions[name](*(_argument(value, layout) for value in asked["args"]))
        except Exception as error:  # whatever a function raises is how it refuses
            said = {"code": "refused", "message": f"{type(error).__name__}: {error}"[:300], "help": []}
            return json.dumps({"id": asked["id"], "error": said})
        try:
            return json.dumps({"id": asked["id"], **_fields(asked["op"], result)})
        except (TypeError, ValueError):
            return json.dumps({"id": asked["id"], "result": f"{type(result).__name__}"})

    said = json.dumps({"peer": dict(capabilities or {})})
    data, text, ending = _razorgirl.conformed(answer, list(functions), cases, seed, examples, said)
    return Conformance(text, json.loads(data), ending)


@dataclass(frozen=True)
class Audit:
    """The result of ``audit``: ``findings`` as dictionaries, and the whole report as ``text`` and ``data``."""

    text: str
    data: dict[str, Any] = field(repr=False)
    status: str

    @property
    def findings(self) -> list[dict[str, Any]]:
        return list(self.data["findings"])

    def __bool__(self) -> bool:
        """Whether every file was read and there are no findings except notes."""
        return self.status == "clean"

    def __str__(self) -> str:
        return self.text


def audit(paths: str | PathLike[str] | Iterable[str | PathLike[str]], config: str | PathLike[str] | None = None) -> Audit:
    """Finds wrong CuTe layouts in C++, CUDA and Python sources. A path is a file or a folder.

    ``config`` is a ``razorgirl.toml``. Comments such as ``// razorgirl: allow(RG002) reason`` are respected, as in the command.
    """
    several = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    if not several:
        raise ValueError("no path is given")
    data, text, status = _razorgirl.audited([fspath(path) for path in several], None if config is None else fspath(config))
    return Audit(text, json.loads(data), status)


