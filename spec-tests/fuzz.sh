#!/usr/bin/env bash
# Runs every coverage-guided target of fuzz/, one after the other, each so many minutes (a fraction will do), from the
# committed corpus and what earlier runs found. A finding ends the script with status 1; its input is in
# fuzz/artifacts/TARGET, and `spec-tests/fuzz.sh --again FILE` runs it once more. No test runs this: it does not end by itself.
# Built with stable Rust and the C++ compiler that libFuzzer needs; `cargo fuzz run TARGET` does as well.
# usage: spec-tests/fuzz.sh MINUTES [--shard I/N] [TARGET…]
#        spec-tests/fuzz.sh --again FILE          FILE is fuzz/…/TARGET/NAME
#   --shard I/N   other inputs for each I below N, for machines side by side
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n '2,9s/^# \{0,1\}//p' spec-tests/fuzz.sh >&2; exit 2; }

minutes= again= shard=0 targets=()
while (( $# )); do
    case $1 in
        --shard)
            [[ ${2-} =~ ^([0-9]+)/([0-9]+)$ ]] && (( BASH_REMATCH[1] < BASH_REMATCH[2] )) || usage
            shard=${BASH_REMATCH[1]}
            shift 2 ;;
        --again) [[ -f ${2-} ]] || usage; again=$2; shift 2 ;;
        *[!0-9.]*) [[ -f fuzz/fuzz_targets/$1.rs ]] || usage; targets+=("$1"); shift ;;
        *) minutes=$1; shift ;;
    esac
done
[[ $minutes || $again ]] || usage

# what cargo-fuzz passes with --sanitizer none: the code is free of unsafe, so nothing but its own checks is needed
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
host=$(rustc -vV | sed -n 's/^host: //p')
# with --target, build scripts are not instrumented
cargo build --quiet --release --manifest-path fuzz/Cargo.toml --target "$host"
binaries=fuzz/target/$host/release

if [[ $again ]]; then
    exec "$binaries/$(basename "$(dirname "$again")")" "$again"
fi
if (( ! ${#targets[@]} )); then
    for file in fuzz/fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi
seconds=$(awk -v minutes="$minutes" 'BEGIN { printf "%d", minutes * 60 }')
status=0
for target in "${targets[@]}"; do
    mkdir -p "fuzz/runs/$target" "fuzz/artifacts/$target"
    # sources that a test audits too
    corpus=(fuzz/corpus/"$target")
    [[ $target == audit ]] && corpus=(rust/audit/tests/fixtures)
    log=fuzz/runs/$target.log
    ended=0
    "$binaries/$target" "fuzz/runs/$target" "${corpus[@]}" -artifact_prefix="fuzz/artifacts/$target/" -seed=$((shard + 1)) \
        -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 >"$log" 2>&1 || ended=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    edges=$(grep -o 'cov: [0-9]*' "$log" | tail -1) || true
    echo "$target: ${runs:-?} runs, ${rate:-?} a second, ${edges:-no coverage}$( (( ended )) && echo ", FOUND (status $ended), see $log" || true)"
    (( ended )) && status=1
done
exit $status
