#!/usr/bin/env bash
# Makes the virtual environment in which the adapters run, in the ignored folder .venv of the repository, and prints its
# python. What is there already and was made from the same requirements is kept.
# usage: rust/conform/adapters/venv.sh
set -euo pipefail
cd "$(dirname "$0")"
venv=../../../.venv/adapters
mkdir -p ../../../.venv
# two tests at once must not make it twice
exec 9>../../../.venv/adapters.lock
if command -v flock >/dev/null; then flock 9; fi
if ! cmp -s requirements.txt "$venv/made-from.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    # no dependencies: nvidia-cutlass names many that pycute has no use for
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --require-hashes --no-deps \
        --only-binary :all: -r requirements.txt >&2
    cp requirements.txt "$venv/made-from.txt"
fi
echo "$(cd "$venv" && pwd)/bin/python"
