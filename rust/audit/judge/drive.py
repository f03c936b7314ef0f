"""One run: `drive.py DRIVER`, with `CUTE_DSL_ARCH` and `TRACE_OUT` in the environment. `judge.py` starts it."""

from __future__ import annotations

import importlib
import sys

import tracer
import device  # noqa: F401  before the code base is imported


def main() -> None:
    """Runs a driver's cases, and writes what the DSL made."""
    importlib.import_module(sys.argv[1]).main()
    tracer.write()
    tracer.reasons()


main()
