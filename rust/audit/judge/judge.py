"""Runs the kernels of the code bases through CuTe's DSL, and compares the layouts with those that the auditor resolves.

    python judge.py CORPORA [--auditor target/release/examples/corpora] [--only NAME] [--compare] [--logs DIR] [--every]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import compare

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Run:
    """A driver, the architectures for which it runs, and the most seconds of each."""

    driver: str
    archs: tuple[str, ...]
    seconds: int = 1800


#: What judges each code base, by its folder's name.
RUNS: dict[str, tuple[Run, ...]] = {
    "flash-attn-4-4.0.0b36": (Run("flash_attn_4", ("sm_80", "sm_90a", "sm_100a", "sm_120a")),),
    "quack-kernels-0.6.5": (Run("quack_kernels", ("sm_90a", "sm_100a", "sm_120a")),),
    "flashinfer-python-0.7.2.post1": (
        Run("flashinfer_kernels", ("sm_90a", "sm_100a", "sm_120a")),
        Run("programs", ("sm_103a",)),
        Run("examples", ("sm_80", "sm_90a", "sm_100a", "sm_120a")),
    ),
}


def trace(root: Path, run: Run, arch: str, logs: Path) -> None:
    """Runs a driver for an architecture in a process of its own; its standard error is a log."""
    name = f"{root.name}.{run.driver}.{arch}"
    # What an earlier run left here was perhaps made of other arguments.
    for old in logs.glob(f"{name}.json*"):
        old.unlink()
    environment = os.environ | {
        "CUTE_DSL_ARCH": arch,
        "TRACE_OUT": str(logs / f"{name}.json"),
        "JUDGE_ROOT": str(root),
        "PYTHONPATH": str(root),
        "PYTHONDONTWRITEBYTECODE": "1",
        "FLASH_ATTENTION_ARCH": arch.rstrip("a"),
        "FLASHINFER_CUTE_DSL_DISABLE_CACHE": "1",
        "FLASHINFER_WORKSPACE_BASE": str(logs),
    }
    with open(logs / f"{name}.log", "w", encoding="utf-8") as log:
        try:
            subprocess.run([sys.executable, str(HERE / "drive.py"), run.driver], env=environment, stdout=log, stderr=log, timeout=run.seconds, check=False)
        except subprocess.TimeoutExpired:
            log.write(f"stopped after {run.seconds} s\n")


def listed(auditor: Path, root: Path, what: str) -> str:
    """What the auditor resolves in a code base (`--known`), or does not (`--open`); it audits each folder of a folder."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, root.name).symlink_to(root)
        return subprocess.run([str(auditor), folder, what], capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Everything, or one code base."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpora", type=Path, help="the folder of spec-tests/fetch-corpora.sh")
    arguments.add_argument("--auditor", type=Path, default=HERE.parents[2] / "target/release/examples/corpora")
    arguments.add_argument("--only", choices=sorted(RUNS), help="one code base")
    arguments.add_argument("--compare", action="store_true", help="run nothing: compare the logs of an earlier run")
    arguments.add_argument("--logs", type=Path, default=HERE.parents[2] / "target/judge")
    arguments.add_argument("--every", action="store_true", help="list static layouts that the auditor does not resolve, too")
    given = arguments.parse_args()
    given.logs.mkdir(parents=True, exist_ok=True)
    for name, runs in RUNS.items():
        root = (given.corpora / name).resolve()
        if given.only not in (None, name):
            continue
        for run in runs if not given.compare else ():
            for arch in run.archs:
                trace(root, run, arch, given.logs)
        logged = compare.made(sorted(given.logs.glob(f"{name}.*.json")), name)
        known, open_ = (listed(given.auditor, root, what) for what in ("--known", "--open"))
        compare.report(name, compare.judge(compare.resolved(known, open_, name), logged), every=given.every)


if __name__ == "__main__":
    main()
