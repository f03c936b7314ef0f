"""Other people's functions and sources, judged."""

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
    """How a function did: ``wrong`` answers, ``examples`` made small, and the whole report as text and as ``data``."""

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
        """Answers that are not right: request, answer, what is right, and why."""
        return [{"op": op, **example} for op, counts in self.data["ops"].items() for example in counts["examples"]]

    def __bool__(self) -> bool:
        """Whether answers were right, and none was wrong."""
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
    raise TypeError(f"{type(value).__name__} is no layout, integer, truth or tuple of them")


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
    """Judges functions of your own by the definitions: ``conform(mine.composition, layout=mine.Layout)``.

    A function is asked for the operation of its name, or for ``op``; several are given as ``{operation: function}``. Layouts are
    made by ``layout(shape, stride)``, tuples and integers are Python's. What it answers may be anything with shape and stride,
    integers, tuples. Exceptions are refusals. Answers are judged by enumeration; wrong ones are made small. ``capabilities`` say what a
    library promises, such as ``{"mode_order": "last"}`` or ``{"integer_bits": 32}``.
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
    """What an audit found: ``findings`` as dictionaries, and the whole report as text and as ``data``."""

    text: str
    data: dict[str, Any] = field(repr=False)
    status: str

    @property
    def findings(self) -> list[dict[str, Any]]:
        return list(self.data["findings"])

    def __bool__(self) -> bool:
        """Whether everything was read and nothing found but notes."""
        return self.status == "clean"

    def __str__(self) -> str:
        return self.text


def audit(paths: str | PathLike[str] | Iterable[str | PathLike[str]], config: str | PathLike[str] | None = None) -> Audit:
    """Finds wrong CuTe layouts in C++, CUDA and Python sources: files, and folders with such files in them.

    ``config`` is a ``razorgirl.toml``; comments ``// razorgirl: allow(RG002) reason`` hold here as in the command.
    """
    several = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    if not several:
        raise ValueError("no path is given")
    data, text, status = _razorgirl.audited([fspath(path) for path in several], None if config is None else fspath(config))
    return Audit(text, json.loads(data), status)


