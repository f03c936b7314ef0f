"""Reports on tensor maps and schedules."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import index
from typing import Any

from . import _razorgirl
from ._razorgirl import Layout, SwizzledLayout


@dataclass(frozen=True)
class TensorMap:
    """The verdicts on a TMA tensor map; true if it fits the hardware and its copies are correct.

    ``text`` is the report of the command ``razorgirl tma``, and ``data`` its JSON.
    """

    text: str
    data: dict[str, Any] = field(repr=False)
    correct: bool

    @property
    def violations(self) -> list[dict[str, Any]]:
        """The limits that the map exceeds, and the dimensions in which strong correctness is impossible (``"rule": "fttc"``)."""
        return [*self.data["hardware"], *self.data["fttc"]["details"]]

    @property
    def strong(self) -> bool:
        """Whether strong correctness is possible: the copies also fill the holes of a tile with zeros."""
        return not self.data["hardware"] and bool(self.data["fttc"]["strong"])

    @property
    def smem(self) -> str | None:
        """Why the layout of shared memory does not fit, or is not known to fit."""
        reason: str | None = self.data["smem"]
        return reason

    @property
    def notes(self) -> list[str]:
        """What the hardware accepts and may not be intended, such as a box beyond the tensor."""
        return list(self.data["notes"])

    @property
    def suggestions(self) -> list[str]:
        """Ways to remove violations. Each suggestion has been checked."""
        found = [line for violation in self.violations for line in violation["help"]]
        return found + ([f"smem={self.data['smem_help']!r}"] if self.data["smem_help"] else [])

    def __bool__(self) -> bool:
        return self.correct

    def __str__(self) -> str:
        return self.text


def tma(
    dims: Iterable[int],
    box: Iterable[int],
    dtype: str = "f32",
    *,
    element_strides: Iterable[int] | None = None,
    strides: Iterable[int] | None = None,
    swizzle: str = "none",
    interleave: str = "none",
    fill: str = "zero",
    address: int | None = None,
    smem: Layout | SwizzledLayout | str | None = None,
    weak: bool = False,
) -> TensorMap:
    """Checks a TMA tensor map against the limits of the hardware and the conditions for correct copies.

    Lists are innermost first. ``dims``, ``box`` and ``element_strides`` are in elements. ``strides`` are in bytes, one for each
    dimension except the innermost; without them the tensor is packed. ``swizzle`` is ``"none"``, ``"32B"``, ``"64B"`` or ``"128B"``,
    ``interleave`` is ``"none"``, ``"16B"`` or ``"32B"``, ``fill`` is ``"zero"`` or ``"nan"``. ``smem`` is the layout of shared memory
    in elements, with the tile as mode 0. With ``weak``, holes of a tile need not be filled with zeros.
    """
    lists = {"dims": dims, "box": box, "element_strides": element_strides, "strides": strides}
    said: dict[str, Any] = {name: [index(n) for n in numbers] for name, numbers in lists.items() if numbers is not None}
    said |= {"dtype": dtype, "swizzle": swizzle, "interleave": interleave, "fill": fill}
    if address is not None:
        said["address"] = index(address)
    if smem is not None:
        said["smem"] = str(smem)
    data, text, correct = _razorgirl.mapped(json.dumps(said), weak)
    return TensorMap(text, json.loads(data), correct)


@dataclass(frozen=True)
class Predicate:
    """An axis that the program has to check: ``0 <= index < extent``. Axes of the tensor are numbered first."""

    axis: int
    extent: int
    reason: str


@dataclass(frozen=True)
class Equivalence:
    """Whether two schedules are equal: ``equal`` is None if that is not decided. True only if it is decided that they are."""

    text: str
    equal: bool | None

    def __bool__(self) -> bool:
        return self.equal is True

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Schedule:
    """The loops of a schedule, its holes, and the bounds checks that the program needs.

    ``loops`` are the extents of the loops. ``holes`` is the number of loop points that access no element, None if they are too many
    points to count. ``text`` is the report of the command ``razorgirl schedule``.
    """

    text: str
    loops: tuple[int, ...]
    holes: int | None
    predicates: tuple[Predicate, ...]
    _value: Any = field(repr=False)

    def equivalent(self, other: str | dict[str, Any] | Schedule, equality: str = "program") -> Equivalence:
        """Whether both have the same loops, and each loop point accesses the same element or is a hole in both.

        ``equality="e2"`` compares the index at each loop point and ignores out-of-range intermediate axes, as nvFuser does.
        ``equality="valid_items"`` compares only the loop point of each element of the tensor.
        """
        value = other._value if isinstance(other, Schedule) else other
        equal, text = _razorgirl.compared(self._value, value, equality)
        return Equivalence(text, equal)

    def __str__(self) -> str:
        return self.text


def schedule(value: str | dict[str, Any]) -> Schedule:
    """Reads an nvFuser schedule, such as ``"[128,7777] split(0,32)"``, and finds its loops, holes and bounds checks."""
    text, loops, holes, predicates = _razorgirl.scheduled(value)
    return Schedule(text, tuple(loops), holes, tuple(Predicate(*one) for one in predicates), value)
