"""Times pycute on the inputs of the Rust benchmarks.

usage: .venv/adapters/bin/python pycute_bench.py < inputs.json

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


def accepted(function, inputs):
    """The inputs that pycute accepts: an exception costs more than an answer."""
    fine = []
    for item in inputs:
        try:
            function(*item)
        except AssertionError:
            continue
        fine.append(item)
    return fine


def main():
    inputs = json.load(sys.stdin)
    flat = inputs["layouts"]

    def layout_of(modes):
        return pycute.Layout(tuple(modes[0]), tuple(modes[1]))

    layouts = [layout_of(modes) for modes in flat]
    pairs = [(layout_of(a), layout_of(b)) for a, b in inputs["pairs"]]
    complementable = [(layout_of(modes),) for modes in inputs["complementable"]]
    divisions = [(layout_of(a), pycute.Layout(*tile)) for a, tile in inputs["divisions"]]
    products = [(layout_of(a), pycute.Layout(*copies)) for a, copies in inputs["products"]]
    crds = [tuple(x - 1 for x in s) for s, _ in flat]
    last = [pycute.product(layout.shape) - 1 for layout in layouts]
    print(
        json.dumps(
            {
                "composition with rank 2": per_call(pycute.composition, accepted(pycute.composition, pairs)),
                "complement": per_call(pycute.complement, accepted(pycute.complement, complementable)),
                "logical_divide by rank 1": per_call(
                    pycute.logical_divide, accepted(pycute.logical_divide, divisions)
                ),
                "logical_product by rank 1": per_call(
                    pycute.logical_product, accepted(pycute.logical_product, products)
                ),
                "coalesce": per_call(pycute.coalesce, [(layout,) for layout in layouts]),
                "eval of a coordinate": per_call(lambda layout, c: layout(c), list(zip(layouts, crds))),
                "eval of a linear index": per_call(lambda layout, i: layout(i), list(zip(layouts, last))),
            }
        )
    )


main()
