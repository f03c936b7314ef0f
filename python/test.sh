#!/usr/bin/env bash
# Builds the wheel, installs it into an empty environment, and tests it there. The wheel is kept in python/target, what it is made of in target.
# usage: python/test.sh [--release | --stubs | --docs | --all] [argument of pytest…]
#   --release   the wheel as it is published, and measured: its size, the time of an import, of an operation, of an element, and
#               the same of pycute and tensor-layouts beside it
#   --stubs     write razorgirl/__init__.pyi from the table of operations
#   --docs      write docs: a page for each operation, and the notebook as it is when run
#   --all       also pycute's own tests, which are fetched once (8 MB): they stay in .corpora
# RAZORGIRL_CASES sets how many cases the random tests draw (60).
set -euo pipefail
cd "$(dirname "$0")"

profile=dev
stubs=
docs=
all=
case ${1-} in
  --release) profile=wheel; shift ;;
  --stubs) stubs=yes; shift ;;
  --docs) docs=yes; shift ;;
  --all) all=yes; shift ;;
esac

tools=target/tools
if ! cmp -s requirements.txt "$tools/requirements.txt"; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt
  cp requirements.txt "$tools/requirements.txt"
fi
rm -rf target/wheels target/empty
"$tools/bin/maturin" build --quiet --locked --profile "$profile" --compression-level 9 --interpreter python3 --out target/wheels
python3 -m venv --without-pip target/empty
# of the wheel alone: it has no dependency, and an import that needs one fails here
"$tools/bin/pip" --python target/empty/bin/python install --quiet --disable-pip-version-check --no-index target/wheels/*.whl
target/empty/bin/python -I -c 'import razorgirl; assert razorgirl.Layout("(4,8):(8,1)")(1, 2) == 10'

"$tools/bin/pip" install --quiet --disable-pip-version-check --no-index --force-reinstall --no-deps target/wheels/*.whl
if [[ $stubs ]]; then
  "$tools/bin/python" -P stubs.py > razorgirl/__init__.pyi
  exit
fi
if [[ $docs ]]; then
  "$tools/bin/python" -P docs.py
  exit
fi
# pycute and tensor-layouts, which the tests compare with
adapters=$(../rust/conform/adapters/venv.sh)
export PYTHONPATH
PYTHONPATH=$("$adapters" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
if [[ $profile == wheel ]]; then
  "$tools/bin/python" -P speed.py target/wheels/*.whl
fi
"$tools/bin/python" -P -m pytest --quiet -p no:cacheprovider tests "$@"
if [[ $all ]]; then
  corpora=$(../spec-tests/fetch-corpora.sh flash-attn)
  "$tools/bin/python" -P pycute_tests.py "$corpora"
else
  echo "not run: pycute's own tests (--all)"
fi
"$tools/bin/python" -P -m mypy --strict razorgirl tests/typed.py
