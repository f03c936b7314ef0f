#!/bin/bash -eu
# Builds the targets of fuzz/ for ClusterFuzzLite, each with its corpus. Not yet run there.
cd "$SRC/razorgirl"
cargo fuzz build -O
for file in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$file" .rs)
    cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
    corpus=fuzz/corpus/$target
    [[ $target == audit ]] && corpus=rust/audit/tests/fixtures
    zip -q -r -j "$OUT/${target}_seed_corpus.zip" "$corpus"
done
