"""Logs every layout that CuTe's DSL makes while it traces a kernel: the place of the call, and the type that the DSL gives it.

Import this before anything that imports `cutlass`: the functions are replaced in `cutlass.cute`, which is where kernels take them from.
A kernel is traced (its Python runs and makes MLIR) and no more: the pipeline behind it is stopped, so no GPU and no compiler is needed.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import cutlass.base_dsl.compiler as compiler
import cutlass.cute as cute

#: What the auditor counts as a layout.
MAKERS = (
    "make_layout",
    "make_ordered_layout",
    "make_identity_layout",
    "make_composed_layout",
    "make_layout_tv",
    "tile_to_shape",
)

#: (file, line, column) of a call, both from 1, to how often each text was made there.
Made = dict[tuple[str, int, int], Counter[str]]

MADE: Made = defaultdict(Counter)
#: Kernels that were traced to their end, and those that stopped before it with their reasons.
DONE: Counter[str] = Counter()
REASONS: Counter[str] = Counter()


def _logged(make: Callable[..., Any], name: str) -> Callable[..., Any]:
    def logged(*args: Any, **kwargs: Any) -> Any:
        made = make(*args, **kwargs)
        frame = sys._getframe(1)
        line, _, column, _ = list(frame.f_code.co_positions())[frame.f_lasti // 2]
        layout = made[1] if name == "make_layout_tv" and isinstance(made, tuple) else made
        # A layout with only static numbers is a Python object with a type; the type is its text.
        text = str(getattr(layout, "type", layout))
        MADE[(frame.f_code.co_filename, line or frame.f_lineno, (column or 0) + 1)][text] += 1
        return made

    logged.__name__ = name
    logged.__wrapped__ = make  # type: ignore[attr-defined]
    return logged


for _name in MAKERS:
    setattr(cute, _name, _logged(getattr(cute, _name), _name))


class Traced(BaseException):
    """Thrown where the DSL would begin to compile what it traced."""


def _stop(*_args: Any, **_kwargs: Any) -> None:
    raise Traced


compiler.Compiler.compile = _stop  # type: ignore[method-assign]
compiler.Compiler.compile_and_jit = _stop  # type: ignore[method-assign]


def _is_traced(error: BaseException | None) -> bool:
    """The DSL wraps what is thrown inside of it."""
    for _ in range(20):
        if error is None:
            return False
        if isinstance(error, Traced):
            return True
        error = error.__cause__ or error.__context__
    return False


def _reason(error: BaseException) -> str:
    text = " ".join(re.sub(r"\x1b\[[0-9]*m", "", str(error)).split())
    return f"{type(error).__name__}: {text[:200]}"


def _nothing(*_args: Any, **_kwargs: Any) -> None:
    """Stands for a compiled kernel, which is then launched."""


class _Compile:
    """`cute.compile`, with or without options in brackets: traces, then returns a kernel that does nothing."""

    def __init__(self, compile_: Any) -> None:
        self._compile = compile_

    def __getitem__(self, options: Any) -> _Compile:
        return _Compile(self._compile[options])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compile, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Callable[..., None]:
        try:
            self._compile(*args, **kwargs)
        except (Exception, Traced) as error:
            if _is_traced(error):
                DONE["traced"] += 1
            else:
                DONE["stopped"] += 1
                REASONS[_reason(error)] += 1
                if os.environ.get("TRACE_VERBOSE"):
                    traceback.print_exc()
        return _nothing


cute.compile = _Compile(cute.compile)  # type: ignore[assignment]


class TooLong(BaseException):
    """A case ran past its seconds."""


def _ring(*_args: Any) -> None:
    raise TooLong


def say(text: str) -> None:
    """On standard error, which is the log of a run."""
    print(text, file=sys.stderr, flush=True)


def case(label: str, run: Callable[[], Any], seconds: int = 90) -> tuple[int, str]:
    """Runs one case: how many kernels were traced to their end, and what else came of it. Whatever it logged until it stopped is kept."""
    begin, places, before = time.time(), len(MADE), DONE["traced"]
    signal.signal(signal.SIGALRM, _ring)
    signal.alarm(seconds)
    try:
        run()
        outcome = "ran"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 a case may fail in any way; the next one runs
        outcome = "traced" if _is_traced(error) else _reason(error)
        if not _is_traced(error) and os.environ.get("TRACE_VERBOSE"):
            traceback.print_exc()
    finally:
        signal.alarm(0)
    kernels, new = DONE["traced"] - before + (outcome == "traced"), len(MADE) - places
    say(f"{label[:160]}: {outcome}; {kernels} kernels, {new} new places, {time.time() - begin:.1f} s")
    # A run that is cut off, or that the DSL's libraries abort, keeps what it had.
    write()
    return kernels, outcome


def write() -> None:
    """Writes one JSON line for each place to `$TRACE_OUT`: [file, line, column, {text: how often}]."""
    partial = os.environ["TRACE_OUT"] + ".partial"
    with open(partial, "w", encoding="utf-8") as out:
        for (file, line, column), texts in sorted(MADE.items()):
            out.write(json.dumps([file, line, column, texts]) + "\n")
    os.replace(partial, os.environ["TRACE_OUT"])


def reasons() -> None:
    """Says why kernels were not traced to their end."""
    for reason, count in REASONS.most_common(12):
        say(f"not traced to the end, {count} times: {reason}")
