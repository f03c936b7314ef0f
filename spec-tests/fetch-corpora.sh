#!/usr/bin/env bash
# Fetches code bases that use CuTe into .corpora/, which git ignores, and prints that folder: packages of PyPI and crates.io at fixed
# versions, each checked by its SHA-256, of which only sources are unpacked. Nothing is installed, and no package's build is run. Needs
# python3 with venv and pip, and cargo; what is there already is not fetched again. Names on the command line choose among the packages.
#
#   spec-tests/fetch-corpora.sh            all: 130 MB to fetch, 640 MB unpacked
#   spec-tests/fetch-corpora.sh tilelang   one
#
# The table of rust/audit/README.md:  cargo run --release -p razorgirl-audit --example corpora -- "$(spec-tests/fetch-corpora.sh)"
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
corpora="$root/.corpora"
mkdir -p "$corpora"
work=$(mktemp -d "$corpora/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT

# name version kind sha256
packages='
nvidia-cutlass 4.2.0.0 wheel f9599ada45c7bcb6bf53f7d3f0a7d154183e53451c01bfa59eecd37dd4a693f6
flashinfer-python 0.7.2.post1 wheel bfdc18b9e1e4d8d0730fe4343dc0e284cd0c160086de80f99888bc4867922d49
flash-attn 2.8.3 source 1e71dd64a9e0280e0447b8a0c2541bad4bf6ac65bdeaa2f90e51a9e57de0370d
tilelang 0.1.15 wheel ca021a3450ad84b8fe7deb1b659c8d3d2e4b0855fdb59e2992a5349acf019881
quack-kernels 0.6.5 wheel df1ddd31366c82eb9692fe087c671209189dcbde53c909c81a865d4ee66b158d
flash-attn-4 4.0.0b36 wheel b6f0e2a264334cb1b59289ddd309c7c76d3a8d184268316b43403e51ba8795d2
candle-flash-attn 0.11.1 crate e8f233a5d78ac84fac2b097330faae4a26eae4c4009c54fdb0ec8b7b3c23a15b
'

for wanted in "$@"; do
  grep -q "^$wanted " <<< "$packages" || { echo "$wanted: not one of the packages in $0" >&2; exit 2; }
done

while read -r name version kind sha256; do
  [[ -n "$name" ]] || continue
  [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
  target="$corpora/$name-$version"
  [[ ! -f "$target/.complete" ]] || continue
  echo "fetching $name $version (once)" >&2
  mkdir "$work/$name"
  if [[ "$kind" == crate ]]; then
    # Downloads the crate to read what it says of itself, and nothing that it depends on.
    (cd "$work" && cargo info --quiet "$name@$version" > /dev/null < /dev/null)
    crates=("${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$name-$version.crate")
    cp "${crates[0]}" "$work/$name"
  else
    if [[ ! -d "$work/venv" ]]; then
      python3 -m venv "$work/venv"
      "$work/venv/bin/python" -m pip --disable-pip-version-check install --quiet unearth==0.19.0 >&2
    fi
    # `pip download` would run the build of a source distribution to learn its name; this only downloads.
    binary=--only-binary
    [[ "$kind" == wheel ]] || binary=--no-binary
    "$work/venv/bin/unearth" "$binary" --download "$work/$name" "$name==$version" > /dev/null < /dev/null
  fi
  python3 - "$work/$name" "$sha256" "$target" "$work/unpacked-$name" <<'PYTHON'
import hashlib, pathlib, sys, tarfile, zipfile

SOURCES = {".cu", ".cuh", ".h", ".hpp", ".hh", ".hxx", ".cpp", ".cc", ".cxx", ".inl", ".py"}
MOST_FILES, MOST_BYTES, MOST_OF_ONE = 20_000, 1 << 30, 64 << 20

folder, sha256, target, unpacked = sys.argv[1:]
(archive,) = pathlib.Path(folder).iterdir()
found = hashlib.sha256(archive.read_bytes()).hexdigest()
if found != sha256:
    sys.exit(f"{archive.name}: SHA-256 is {found}, not {sha256}")
unpacked = pathlib.Path(unpacked)
files = total = 0


def keep(name, size, read):
    global files, total
    path = pathlib.PurePosixPath(name)
    if path.suffix not in SOURCES or path.is_absolute() or ".." in path.parts or size > MOST_OF_ONE:
        return
    files, total = files + 1, total + size
    if files > MOST_FILES or total > MOST_BYTES:
        sys.exit(f"{archive.name}: more than {MOST_FILES} files or {MOST_BYTES} bytes of sources")
    place = unpacked / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(read(size))


if archive.suffix == ".whl":
    with zipfile.ZipFile(archive) as wheel:
        for entry in wheel.infolist():
            with wheel.open(entry) as data:
                keep(entry.filename, entry.file_size, data.read)
else:
    with tarfile.open(archive) as source:
        for entry in source:
            if entry.isreg():
                keep(entry.name, entry.size, source.extractfile(entry).read)
unpacked.mkdir(exist_ok=True)
(unpacked / ".complete").touch()
try:
    unpacked.rename(target)
except OSError:
    # Another run was first, and has the same text.
    if not (pathlib.Path(target) / ".complete").exists():
        raise
PYTHON
done <<< "$packages"

echo "$corpora"
