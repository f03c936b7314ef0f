"""Times pycute on the inputs of the Rust benchmarks.

usage: PYTHONPATH=<unpacked nvidia-cutlass wheel> python3 pycute_bench.py < inputs.json

Prints one JSON object: nanoseconds of processor time for each call, by operation (the best of three passes).
"""

import json
import sys
import time

import pycute


def per_call(function, inputs):
    best = float("inf")
    for _ in range(3):
        start = time.process_time_ns()
        for item in inputs:
            function(*item)
        best = min(best, time.process_time_ns() - start)
    return best / len(inputs)


def main():
    flat = json.load(sys.stdin)
    layouts = [pycute.Layout(tuple(s), tuple(d)) for s, d in flat]
    crds = [tuple(x - 1 for x in s) for s, _ in flat]
    last = [pycute.product(layout.shape) - 1 for layout in layouts]
    print(
        json.dumps(
            {
                "coalesce": per_call(pycute.coalesce, [(layout,) for layout in layouts]),
                "eval of a coordinate": per_call(lambda layout, c: layout(c), list(zip(layouts, crds))),
                "eval of a linear index": per_call(lambda layout, i: layout(i), list(zip(layouts, last))),
            }
        )
    )


main()
