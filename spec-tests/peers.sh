#!/usr/bin/env bash
# Asks every library that `razorgirl conform --peer` knows, records the figures in spec-tests/peers and writes docs/PEERS.md from
# them. Needs the network on first use, Python 3.12 for tilefoundry (RAZORGIRL_PYTHON names one) and a C++ compiler for cute.
# usage: spec-tests/peers.sh [--check] [PEER…]    records, or with --check only fails where a figure is another one
#        spec-tests/peers.sh --pages [PEER…]      runs every test that the page of a library of Python has, with that library:
#                                                 each has to fail, by what it asserts
#        spec-tests/peers.sh --table [CASES]      a table of four operations, 2000 cases each; records nothing
# RAZORGIRL names the command; target/debug/razorgirl without it.
set -euo pipefail
cd "$(dirname "$0")/.."
razorgirl=${RAZORGIRL:-target/debug/razorgirl}
[[ -x $razorgirl ]] || { echo "$razorgirl is not there: cargo build -p razorgirl-cli" >&2; exit 2; }
check=() table= pages= cases=200 ops=()
case ${1-} in
    --check) check=(--check); shift ;;
    --pages) pages=yes; shift ;;
    --table)
        table=yes cases=${2:-2000}
        ops=(--ops composition,complement,left_inverse,logical_divide)
        set -- ;;
esac
peers=("$@")
if (( ! $# )); then
    peers=(cute cute-static flydsl isl pycute pytorch tensor-layouts tilefoundry tilelang triton)
    # the programs of cute are C++, those of triton are not written
    [[ $pages ]] && peers=(flydsl pycute pytorch tensor-layouts tilefoundry tilelang)
    [[ $table ]] && peers=(tilelang flydsl tilefoundry pytorch pycute tensor-layouts cute)
fi
failed=0
reports=$(mktemp -d)
trap 'rm -r "$reports"' EXIT
for peer in "${peers[@]}"; do
    status=0
    "$razorgirl" conform --peer "$peer" --cases "$cases" --seed 20260115 --jobs 2 "${ops[@]}" --report "$reports/$peer.json" \
        >"$reports/$peer.txt" || status=$?
    # 1: something is wrong; 2 with a report: nothing wrong, and yet no verdict
    if [[ $status -gt 2 || ! -s $reports/$peer.json ]]; then
        cat "$reports/$peer.txt" >&2
        echo "$peer gave no report (status $status)" >&2
        exit 2
    fi
    if [[ $pages ]]; then
        "$razorgirl" conform --peer "$peer" --cases "$cases" --seed 20260115 --jobs 2 --examples 3 --report "$reports/$peer.md" >/dev/null || (( $? <= 2 ))
        python3 rust/conform/adapters/run_page.py "$reports/$peer.md" "$reports/$peer.json" || failed=1
    elif [[ ! $table ]]; then
        cargo run --locked --quiet -p spec-tests -- peers "${check[@]}" --record "$peer" --report "$reports/$peer.json"
    fi
done
[[ ! $pages ]] || exit "$failed"
if [[ ! $table ]]; then
    exec cargo run --locked --quiet -p spec-tests -- peers "${check[@]}"
fi
python3 - "$reports" "${peers[@]}" <<'END'
import json
import sys

folder, *peers = sys.argv[1:]
ops = ["composition", "complement", "left_inverse", "logical_divide"]
print("right/extended/refused rightly/refused though it exists/**wrong** (outside its contract)\n")
print("| | " + " | ".join(ops) + " |\n" + "|---" * (len(ops) + 1) + "|")
total = lambda count: sum(count.values()) if isinstance(count, dict) else count
for peer in peers:
    report = json.load(open(f"{folder}/{peer}.json"))["ops"]
    cells = []
    for op in ops:
        figure = lambda column: total(report[op][column])
        columns = ("right", "extended", "refused_rightly", "refused_though_exists")
        cells.append("/".join(str(figure(c)) for c in columns) + f"/**{figure('wrong')}** ({figure('outside_its_contract')})")
    print(f"| {peer} | " + " | ".join(cells) + " |")
END
