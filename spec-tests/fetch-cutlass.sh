#!/usr/bin/env bash
# Fetches the CUTLASS headers, examples and tools that NVIDIA publishes on PyPI (BSD-3-Clause) into .cutlass/, which git ignores,
# and prints the folder that holds them. Needs python3 with venv and pip; does nothing when they are there already.
set -euo pipefail

version=4.2.0.0
sha256=f9599ada45c7bcb6bf53f7d3f0a7d154183e53451c01bfa59eecd37dd4a693f6

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target="$root/.cutlass/nvidia-cutlass-$version"

if [[ ! -f "$target/.complete" ]]; then
  mkdir -p "$root/.cutlass"
  # Everything happens in a folder of its own, so that two runs at once, or one that is interrupted, leave nothing half done.
  work=$(mktemp -d "$root/.cutlass/fetch.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  echo "fetching nvidia-cutlass $version (once)" >&2
  python3 -m venv "$work/venv"
  echo "nvidia-cutlass==$version --hash=sha256:$sha256" > "$work/wheel.txt"
  "$work/venv/bin/python" -m pip --disable-pip-version-check download --quiet --no-deps --only-binary=:all: \
    --require-hashes --requirement "$work/wheel.txt" --dest "$work/wheel" >&2
  python3 - "$work" "$target" <<'PYTHON'
import pathlib, sys, zipfile

work, target = map(pathlib.Path, sys.argv[1:])
(wheel,) = (work / "wheel").glob("*.whl")
prefix = "cutlass_library/source/"
with zipfile.ZipFile(wheel) as archive:
    names = [name for name in archive.namelist() if name.startswith(prefix)]
    archive.extractall(work / "unpacked", names)
source = work / "unpacked" / prefix
(source / ".complete").touch()
try:
    source.rename(target)
except OSError:
    # Another run was first, and has the same text.
    if not (target / ".complete").exists():
        raise
PYTHON
fi

echo "$target"
