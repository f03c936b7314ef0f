#!/usr/bin/env bash
# Everything that must hold before a change lands, on a machine with git, cargo, cc, python3 and npm; the rest is fetched
# into ignored folders of the repository: Lean (.lean-npm/, unless the pinned lake is on PATH) and the CUTLASS headers (.cutlass/).
# usage: spec-tests/check.sh
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }
need() { command -v "$1" >/dev/null || { echo "check.sh needs $1: $2" >&2; exit 1; }; }

need cargo "install it with rustup"
need cc "the C compiler builds the grammars that the auditor parses with"
need python3 "it fetches the CUTLASS headers, which are audited as a test"

step "format"
cargo fmt --all --check

step "lints"
cargo clippy --locked --workspace --all-targets --quiet -- -D warnings

step "proofs"
cargo run --locked --quiet -p spec-tests -- lean build
cargo run --locked --quiet -p spec-tests -- lean axioms

step "tests: Rust, Rust against Lean, the CUTLASS headers"
spec-tests/fetch-cutlass.sh >/dev/null
cargo test --locked --workspace
