#!/usr/bin/env bash
# Builds the wheel, installs it into an empty environment, and tests it there. Everything is kept in python/target.
# usage: python/test.sh [--release | --stubs] [argument of pytest…]
#   --release   the wheel as it is published, and measured: its size, the time of an import, of an operation, of an element
#   --stubs     write razorgirl/__init__.pyi from the table of operations
set -euo pipefail
cd "$(dirname "$0")"

profile=quick
stubs=
case ${1-} in
  --release) profile=release; shift ;;
  --stubs) stubs=yes; shift ;;
esac

tools=target/tools
if ! cmp -s requirements.txt "$tools/requirements.txt"; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt
  cp requirements.txt "$tools/requirements.txt"
fi
rm -rf target/wheels target/empty
"$tools/bin/maturin" build --quiet --locked --profile "$profile" --interpreter python3 --out target/wheels
python3 -m venv --without-pip target/empty
# of the wheel alone: it has no dependency, and an import that needs one fails here
"$tools/bin/pip" --python target/empty/bin/python install --quiet --disable-pip-version-check --no-index target/wheels/*.whl
target/empty/bin/python -I -c 'import razorgirl; assert razorgirl.Layout("(4,8):(8,1)")(1, 2) == 10'

"$tools/bin/pip" install --quiet --disable-pip-version-check --no-index --force-reinstall --no-deps target/wheels/*.whl
if [[ $stubs ]]; then
  "$tools/bin/python" -P stubs.py > razorgirl/__init__.pyi
  exit
fi
if [[ $profile == release ]]; then
  "$tools/bin/python" -P speed.py target/wheels/*.whl
fi
"$tools/bin/python" -P -m pytest --quiet -p no:cacheprovider tests "$@"
"$tools/bin/python" -P -m mypy --strict tests/typed.py
