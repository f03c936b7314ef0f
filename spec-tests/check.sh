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
accounts=$(mktemp) answers= answering= log=
trap 'rm -f "$accounts" "$answers" "$log"; [[ -z $answering ]] || kill "$answering" 2>/dev/null || true' EXIT
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
build_runner() { cargo build --locked --quiet -p spec-tests; }
# Started where it was built: `cargo run` would wait until the other half has compiled.
lean() { "${CARGO_TARGET_DIR:-target}/debug/spec-tests" lean "$@"; }
extract() { "${CARGO_TARGET_DIR:-target}/debug/spec-tests" extract "$@"; }

# Proofs, and every test that asks Lean.
asking=(cargo test --locked --no-fail-fast -p spec-tests -p lean-runner)
lean_half() {
  step "proofs" lean build --groups
  # The longest, and one Lean answers it: it runs beside all that follows.
  answers=$(mktemp)
  "${asking[@]}" --test lean >"$answers" 2>&1 &
  answering=$!
  step "axioms" lean axioms --groups
  step "extracted Rust" extract --check --groups
  if (( ${#per_file[@]} )); then
    step "proofs, file by file" lean build
  fi
  step "CUTLASS headers" spec-tests/fetch-cutlass.sh
  step "tests: Lean's runner, what is recorded, the CUTLASS headers" other_tests
  step "tests: Rust against Lean" answered
}

# Those ask one Lean at a time, and two is what a small machine holds.
other_tests() {
  local others=() file status=0
  for file in spec-tests/tests/*.rs; do
    others+=(--test "$(basename "$file" .rs)")
  done
  "${asking[@]}" --lib --bins "${others[@]}" || status=$?
  "${asking[@]}" --doc || status=$?
  return "$status"
}

answered() {
  local status=0
  wait "$answering" || status=$?
  cat "$answers"
  return "$status"
}

# What Rust alone can tell. What is compiled comes first: cargo compiles for one command at a time, and the other half needs its
# tests as soon as the proofs hold.
rust_half() {
  step "format" cargo fmt --all --check
  step "tests, compiled" compile_tests
  step "lints" cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
  step "lints of the benchmarks" cargo clippy --locked --manifest-path rust/bench/Cargo.toml --all-targets --quiet -- -D warnings
  step "documentation" documentation
  step "packages" packages
  step "workflows" spec-tests/lint-workflows.sh
  step "tests: Rust" "${alone[@]}"
  step "tests: the Python wheel" python/test.sh
}

# Links that lead nowhere are warnings of rustdoc. What the command documents is its help, no Markdown.
published=(--workspace --exclude razorgirl-python --exclude spec-tests --exclude lean-runner)
documentation() { RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --locked --no-deps --quiet "${published[@]}" --exclude razorgirl-cli; }
# What would be published, without compiling it once more: that nothing is included from elsewhere is a test of spec-tests.
packages() { cargo package --locked --no-verify --allow-dirty --quiet "${published[@]}"; }

alone=(cargo test --locked --no-fail-fast "${published[@]}")
compile_tests() {
  "${asking[@]}" --no-run
  "${alone[@]}" --no-run
}

need cargo "install it with rustup"
need cc "the C compiler builds the grammars that the auditor parses with"
need npm "it fetches Lean and the linter of workflows; it comes with Node.js"
need python3 "it fetches the CUTLASS headers, which are audited as a test"

case $half in
  lean)
    # for both halves it has been built before they began
    [[ -n ${runner_is_built:-} ]] || step "the runner of Lean" build_runner
    lean_half
    ;;
  rust) rust_half ;;
  both)
    step "the runner of Lean" build_runner
    log=$(mktemp)
    # A step back: the other half ends with one Lean, beside which this one then has a core.
    { rust=0; nice -n 5 spec-tests/check.sh --rust >"$log" 2>&1 || rust=$?; cat "$log"; exit "$rust"; } &
    lean=0
    runner_is_built=1 spec-tests/check.sh --lean "${per_file[@]}" || lean=$?
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
