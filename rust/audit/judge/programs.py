"""Generated programs: files of flashinfer with a `compile_program()` that takes nothing. Each is for one architecture, which its folder names."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import tracer

import device


def _compile(path: Path) -> None:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with device.fake():
        module.compile_program()


def main() -> None:
    """Those of the folders that have the architecture's name."""
    for path in sorted(Path(os.environ["JUDGE_ROOT"]).rglob(f"{os.environ['CUTE_DSL_ARCH']}/*.py")):
        if "def compile_program()" in path.read_text(encoding="utf-8"):
            tracer.case(path.stem, lambda: _compile(path), 60)
