"""Compares the layouts that the DSL made with those that the auditor resolved, call by call."""

from __future__ import annotations

import ast
import json
import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

#: A file inside of its code base, line and column from 1.
Place = tuple[str, int, int]

#: A number that the DSL knows at run time only, as in `?{div=8}` or `?{i64}`.
_RUN_TIME = re.compile(r"\?(\{[^}]*\})?")
#: A stride in a space of coordinates, as in `1@0`.
_BASIS = re.compile(r"@")


@dataclass(frozen=True)
class Layout:
    """Extents and strides as nested tuples; `None` is a number known at run time only. The swizzle before it is a text."""

    shape: object
    stride: object
    swizzle: str = ""

    @classmethod
    def read(cls, text: str) -> Layout | None:
        """Reads `(4,8):(8,1)`, `!cute.layout<"(?,8):(1,?)">` and `S<2,4,3> o 0 o (4,8):(8,1)`; nothing for a layout of coordinates."""
        if quoted := re.search(r'"([^"]*)"', text):
            text = quoted[1]
        *before, text = text.split(" o ")
        if _BASIS.search(text) or text.count(":") != 1:
            return None
        shape, stride = (ast.literal_eval(_RUN_TIME.sub("None", half)) for half in text.split(":"))
        return cls(shape, _flat_one(shape, stride), before[0] if before else "")

    def holds(self, other: Layout) -> bool:
        """Whether both can be the same layout; only the numbers that are known count."""
        return _holds(self.shape, other.shape) and _holds(self.stride, other.stride)

    def run_time(self) -> bool:
        """Whether some number is known at run time only."""
        return "None" in f"{self.shape}:{self.stride}"

    def __str__(self) -> str:
        text = f"{self.shape}:{self.stride}".replace("None", "?").replace(" ", "")
        return f"{self.swizzle} o {text}" if self.swizzle else text


def _flat_one(shape: object, stride: object) -> object:
    """The stride of an extent of 1 says nothing: 0 stands for it."""
    if isinstance(shape, tuple) and isinstance(stride, tuple) and len(shape) == len(stride):
        return tuple(map(_flat_one, shape, stride))
    return 0 if shape == 1 else stride


def _holds(one: object, other: object) -> bool:
    if one is None or other is None:
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_holds, one, other))
    return one == other


@dataclass
class Resolved:
    """What the auditor says of a place: each layout, with the values for which it holds."""

    values: dict[Layout, list[str]] = field(default_factory=dict)
    #: Whether it says that these are not all: it lists what single calls make, and the place as one that is not resolved.
    partly: bool = False


def resolved(known: str, open_: str, root: str) -> dict[Place, Resolved]:
    """Reads what `corpora --known` prints: place, layout and values, separated by tabs; of `--open`, the file and line before the first tab."""
    places: dict[Place, Resolved] = defaultdict(Resolved)
    not_all = {line.split("\t", 1)[0].rsplit(f"/{root}/", 1)[-1] for line in open_.splitlines()}
    for line in known.splitlines():
        place, text, holds = line.split("\t")
        if f"/{root}/" not in place or ".py:" not in place:
            continue
        file, row, column = place.rsplit(f"/{root}/", 1)[1].rsplit(":", 2)
        if layout := Layout.read(text):
            one = places[(file, int(row), int(column))]
            one.values.setdefault(layout, []).append(holds)
            one.partly = f"{file}:{row}" in not_all
    return places


def made(files: list[Path], root: str) -> dict[Place, Counter[str]]:
    """Reads what the runs logged: the texts that the DSL printed for each place of a code base."""
    places: dict[Place, Counter[str]] = defaultdict(Counter)
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            file, row, column, texts = json.loads(line)
            # Scripts import their neighbours by `../`.
            file = os.path.normpath(file)
            if f"/{root}/" in file:
                places[(file.rsplit(f"/{root}/", 1)[1], row, column)].update(texts)
    return places


@dataclass
class Verdict:
    """What came of one code base."""

    traced: int = 0
    both: int = 0
    partly: int = 0
    equal: int = 0
    missing: list[tuple[Place, Layout, list[Layout]]] = field(default_factory=list)
    run_time: list[tuple[Place, Layout, list[Layout]]] = field(default_factory=list)
    not_made: int = 0
    #: Places that the DSL only gave static numbers, and that the auditor did not resolve.
    static_open: list[tuple[Place, list[str]]] = field(default_factory=list)


def judge(known: dict[Place, Resolved], logged: dict[Place, Counter[str]]) -> Verdict:
    """Holds each value that the DSL made against those that the auditor lists for the same call."""
    verdict = Verdict(traced=len(logged))
    for place, texts in sorted(logged.items()):
        layouts = {layout for text in texts if (layout := Layout.read(text))}
        if place not in known:
            if layouts and not any(layout.run_time() for layout in layouts):
                verdict.static_open.append((place, sorted(map(str, layouts))))
            continue
        partly = known[place].partly
        verdict.partly += partly
        verdict.both += not partly
        ours = list(known[place].values)
        seen: set[Layout] = set()
        for layout in sorted(layouts, key=str):
            same = [value for value in ours if value.holds(layout)]
            seen.update(same)
            if not same and partly:
                continue
            if layout.run_time():
                verdict.run_time.append((place, layout, ours))
                if not same:
                    verdict.missing.append((place, layout, ours))
            elif same:
                verdict.equal += 1
            else:
                verdict.missing.append((place, layout, ours))
        verdict.not_made += len(set(ours) - seen)
    return verdict


def _at(place: Place) -> str:
    return ":".join(map(str, place))


def _some(layouts: list[Layout], most: int = 6) -> str:
    texts = [str(layout) for layout in layouts[:most]]
    return " ".join(texts) + (f" and {len(layouts) - most} more" if len(layouts) > most else "")


def report(root: str, verdict: Verdict, *, every: bool = False) -> None:
    """Prints a verdict; with `every`, also the places that stay unresolved though the DSL gave them static numbers."""
    print(f"{root}")
    print(f"  {verdict.traced} places traced, {verdict.both} of them resolved by the auditor, {verdict.partly} for some calls only")
    print(f"  {verdict.equal} values equal")
    print(f"  {len(verdict.missing)} values that the DSL makes and the auditor does not have:")
    for place, layout, ours in verdict.missing:
        print(f"    {_at(place)}  DSL {layout}  auditor {_some(ours)}")
    print(f"  {len(verdict.run_time)} values of resolved places with numbers that the DSL knows at run time only:")
    for place, layout, ours in verdict.run_time:
        print(f"    {_at(place)}  DSL {layout}  auditor {_some(ours)}")
    print(f"  {verdict.not_made} values that the auditor has and these runs did not make")
    print(f"  {len(verdict.static_open)} places with static numbers that the auditor did not resolve")
    if every:
        for place, texts in verdict.static_open:
            print(f"    {_at(place)}  {' '.join(texts[:4])}")
