"""Times Triton's binding of linear layouts on the inputs of the Rust benchmark.

usage: .venv/triton/bin/python triton_bench.py < inputs.json

Prints one JSON object: nanoseconds of processor time for each call, by operation (the best of many passes).
"""

import json
import sys
import time

from triton._C.libtriton.linear_layout import LinearLayout


def per_call(function, *args):
    calls = 2000
    best = float("inf")
    for _ in range(50):
        start = time.process_time_ns()
        for _ in range(calls):
            function(*args)
        best = min(best, time.process_time_ns() - start)
    return best / calls


def layout_of(columns):
    size = 1 << len(columns)
    return LinearLayout.from_bases([("i", [[column] for column in columns])], ["i"], [size], True)


def main():
    inputs = json.load(sys.stdin)
    a, b = layout_of(inputs["a"]), layout_of(inputs["b"])
    # what is timed gives the answer that the Rust library gives
    columns = [basis[0] for basis in a.compose(b).bases[0][1]]
    assert columns == inputs["composed"], columns
    assert [basis[0] for basis in a.invert().bases[0][1]] == inputs["inverse"]
    print(
        json.dumps(
            {
                "apply": per_call(a.apply, {"i": 0xBEEF}),
                "compose": per_call(a.compose, b),
                "invert": per_call(a.invert),
                "pseudoinvert": per_call(a.pseudoinvert),
                "invert and compose": per_call(a.invert_and_compose, b),
                "a call that answers a bit": per_call(a.__eq__, b),
            }
        )
    )


main()
