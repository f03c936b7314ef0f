"""Scripts that make their own tensors and compile: each runs as the program that it is, with the defaults of its own arguments."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path
from typing import Any

import tracer

import device

#: Of the architecture's name, the folders whose scripts are for it.
FOLDERS = {8: ("ampere",), 9: ("hopper", "ampere"), 10: ("blackwell", "distributed", "cute"), 12: ("blackwell_geforce",)}


def scripts(root: Path) -> list[Path]:
    """CUTLASS's examples of the DSL for this generation, as flashinfer has them."""
    home = root / "flashinfer/data/cutlass/examples/python/CuTeDSL"
    found = [path for folder in FOLDERS[device.MAJOR] for path in sorted((home / folder).rglob("*.py"))]
    return [path for path in found if "__main__" in path.read_text(encoding="utf-8")]


def _run(path: Path) -> None:
    home = next(parent for parent in path.parents if parent.name == "CuTeDSL")
    sys.path[:0] = [str(path.parent), str(home)]
    sys.argv = [str(path)]
    with device.fake():
        result: dict[str, Any] = runpy.run_path(str(path), run_name="__main__")
    del result


def main() -> None:
    """Every script in a process of its own: they parse arguments, and exit."""
    out = os.environ["TRACE_OUT"]
    for path in scripts(Path(os.environ["JUDGE_ROOT"])):
        child = os.fork()
        if child == 0:
            os.environ["TRACE_OUT"] = f"{out}.{path.parent.name}.{path.stem}.json"
            try:
                tracer.case(f"{path.parent.name}/{path.name}", lambda: _run(path), 120)
                tracer.reasons()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
