#!/usr/bin/env bash
# Everything that must hold before a change lands, on a machine with git, cargo, cc, python3 and npm; the rest is fetched
# into ignored folders of the repository: Lean (.lean-npm/, unless the pinned lake is on PATH), the CUTLASS headers (.cutlass/)
# and the linter of workflows (.actionlint/). Each step says what it took. Two halves run side by side: what asks Lean,
# and the rest, which is printed when it ends.
# usage: spec-tests/check.sh [--lean | --rust] [--per-file]
#   --lean       only the half that asks Lean
#   --rust       only the other half
#   --per-file   also check the proofs file by file, as lake does (three times as long; official Lean always does)
set -euo pipefail
cd "$(dirname "$0")/.."

half=both
per_file=()
for argument; do
  case $argument in
    --lean | --rust) half=${argument#--} ;;
    --per-file) per_file=("$argument") ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done

times=()
# Processor seconds of all that this script has run so far, into `spent`.
processor() {
  local user system
  times >"$accounts"
  { read -r _; read -r user system; } <"$accounts"
  user=${user%s} system=${system%s}
  spent=$((${user%m*} * 60 + 10#$(printf '%.0f' "${user#*m}") + ${system%m*} * 60 + 10#$(printf '%.0f' "${system#*m}")))
}
accounts=$(mktemp)
trap 'rm -f "$accounts"' EXIT
# step NAME COMMAND…
step() {
  local name=$1 begin=$SECONDS before
  shift
  printf '\n== %s\n' "$name"
  processor
  before=$spent
  "$@"
  processor
  times+=("$(printf '%5d s %5d s of processor  %s' $((SECONDS - begin)) $((spent - before)) "$name")")
}
need() { command -v "$1" >/dev/null || { echo "check.sh needs $1: $2" >&2; exit 1; }; }
lean() { cargo run --locked --quiet -p spec-tests -- lean "$@"; }

# Proofs, and every test that asks Lean.
lean_half() {
  step "proofs" lean build --groups
  step "axioms" lean axioms --groups
  step "extracted Rust" cargo run --locked --quiet -p spec-tests -- extract --check --groups
  if (( ${#per_file[@]} )); then
    step "proofs, file by file" lean build
  fi
  step "CUTLASS headers" spec-tests/fetch-cutlass.sh
  step "tests: Rust against Lean, the CUTLASS headers" lean_tests
}

# What one Lean answers, beside all other tests: those ask one Lean at a time, and two is what a small machine holds.
lean_tests() {
  local test=(cargo test --locked --no-fail-fast -p spec-tests -p lean-runner) others=() file log status=0
  for file in spec-tests/tests/*.rs; do
    others+=(--test "$(basename "$file" .rs)")
  done
  "${test[@]}" --no-run
  log=$(mktemp)
  "${test[@]}" --test lean >"$log" 2>&1 &
  "${test[@]}" --lib --bins "${others[@]}" || status=$?
  "${test[@]}" --doc || status=$?
  wait $! || status=$?
  cat "$log"
  rm -f "$log"
  return "$status"
}

# What Rust alone can tell.
rust_half() {
  step "format" cargo fmt --all --check
  step "lints" cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
  step "lints of the benchmarks" cargo clippy --locked --manifest-path rust/bench/Cargo.toml --all-targets --quiet -- -D warnings
  step "workflows" spec-tests/lint-workflows.sh
  step "tests: Rust" cargo test --locked --no-fail-fast --workspace --exclude razorgirl-python --exclude spec-tests \
    --exclude lean-runner
  step "tests: the Python wheel" python/test.sh
}

need cargo "install it with rustup"
need cc "the C compiler builds the grammars that the auditor parses with"
need npm "it fetches Lean and the linter of workflows; it comes with Node.js"
need python3 "it fetches the CUTLASS headers, which are audited as a test"

case $half in
  lean) lean_half ;;
  rust) rust_half ;;
  both)
    # what both begin with, built once
    step "the runner of Lean" cargo build --locked --quiet -p spec-tests
    log=$(mktemp)
    trap 'rm -f "$log" "$accounts"' EXIT
    # A step back: the other half ends with one Lean, beside which this one then has a core.
    { rust=0; nice -n 5 spec-tests/check.sh --rust >"$log" 2>&1 || rust=$?; cat "$log"; exit "$rust"; } &
    lean=0
    spec-tests/check.sh --lean "${per_file[@]}" || lean=$?
    # with the other half's status, once it has been printed
    wait $!
    (( lean == 0 )) || exit "$lean"
    ;;
esac

printf '\n'
printf '%s\n' "${times[@]}"
printf '%5d s  %s\n' $SECONDS "$half"
if [[ $half == both ]] && (( ! ${#per_file[@]} )); then
  echo "Proofs were checked in groups; --per-file checks them file by file besides."
fi
