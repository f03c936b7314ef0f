"""Measures a wheel that is installed: its size, an import, an operation on rank 3, an element of a bulk evaluation; the same of
pycute and tensor-layouts in one run; which of all operations take over a microsecond, and how long those that list all elements
take for one. Times are of the processor, the best of several. Fails over a limit of the first table.

usage: speed.py WHEEL
"""

import itertools
import pathlib
import subprocess
import sys
import time
import timeit

import numpy
import razorgirl
from razorgirl import Layout


def best(run, number):
    return min(timeit.repeat(run, number=number, repeat=25, timer=time.process_time)) / number


def quick(run):
    """The best of five rounds, each long enough to be measured."""
    number, _ = timeit.Timer(run, timer=time.process_time).autorange()
    return min(timeit.repeat(run, number=max(number // 8, 1), repeat=5, timer=time.process_time)) / max(number // 8, 1)


def beside():
    """The table of the README: nanoseconds of processor time of one call."""
    import pycute
    import razorgirl.pycute
    import tensor_layouts

    outer, inner, tile = (((4, 2), 8, 3), ((1, 16), 4, 64)), ((4, 2, 2), (1, 4, 8)), (4, 1)
    rows = [f"| {'':22} | razorgirl | razorgirl.pycute | pycute | tensor-layouts |", "|---|---:|---:|---:|---:|"]

    def row(title, *runs):
        rows.append(f"| {title:22} | " + " | ".join(f"{quick(run) * 1e9:,.0f}" for run in runs) + " |")

    made = [library.Layout for library in (razorgirl, razorgirl.pycute, pycute, tensor_layouts)]
    A, B, T = ([make(*one) for make in made] for one in (outer, inner, tile))
    ours, likewise, theirs, other = razorgirl, razorgirl.pycute, pycute, tensor_layouts
    names = {"composition": "compose"}
    for name, operands in (("coalesce", [A]), ("composition", [A, B]), ("complement", [B]), ("right_inverse", [A]), ("logical_divide", [A, T])):
        functions = [getattr(ours, name), getattr(likewise, name), getattr(theirs, name), getattr(other, names.get(name, name))]
        values = [[one[place] for one in operands] for place in range(4)]
        row(name, *(lambda function=function, value=value: function(*value) for function, value in zip(functions, values)))
    row("A(5)", *(lambda layout=layout: layout(5) for layout in A))
    offsets = [A[0].offsets, *(lambda layout=layout: [layout(i) for i in range(192)] for layout in A[1:])]
    row("all 192 offsets", *offsets)
    return "\n".join(rows)


# what decides by going through all elements of a layout, and answers a few numbers
THROUGH = {"swizzled_plain"}


def elements(value):
    """How many integers an answer holds."""
    if isinstance(value, dict):
        return sum(map(elements, value.values()))
    return sum(map(elements, value)) if isinstance(value, tuple) else isinstance(value, int)


def every():
    """Each form of each operation that takes a layout first, on the first arguments of these that it answers: the time of a call, and
    of an element where all 192 of the layout are listed or gone through; the slowest first."""
    A, B = Layout("((4,2),8,3):((1,16),4,64)"), Layout("(4,2,2):(1,4,8)")
    # Python's integers and tuples serve as indices, counts, ranks, shapes, orders and coordinates
    values = [A, B, Layout("4:1"), Layout("(4,2):(1,4)"), 1, 0, 4, 192, (4, 2, 2), (4, 8, 3), (2, 1, 0), (0, 1, 2), None]
    rows, listing = [], []
    for name in razorgirl.OPERATIONS:
        operation = getattr(razorgirl, name)
        for form in operation.forms:
            for arguments in itertools.product(values[:2], *[values] * (len(form) - 1)) if 0 < len(form) <= 3 else ():
                try:
                    answer = operation(*arguments)
                except Exception:  # not these
                    continue
                lists = name in THROUGH or elements(answer) >= A.size()
                nanoseconds = quick(lambda: operation(*arguments)) * 1e9
                (listing if lists else rows).append((nanoseconds, f"{name}({', '.join(map(str, arguments))})"))
                break
    return sorted(rows, reverse=True), sorted(listing, reverse=True)


def main():
    A, B = Layout("((4,2),8,3):((1,16),4,64)"), Layout("(4,2,2):(1,4,8)")
    indices = numpy.arange(A.size(), dtype=numpy.int64).repeat(10_000)
    program = "import time; t = time.process_time(); import razorgirl; print(time.process_time() - t)"
    imports = min(float(subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, check=True).stdout) for _ in range(7))
    rows = [
        ("size of the wheel", pathlib.Path(sys.argv[1]).stat().st_size / 1e6, 5, "MB"),
        ("import", imports * 1e3, 30, "ms"),
        ("A.compose(B)", best(lambda: A.compose(B), 20_000) * 1e9, 1000, "ns"),
        ("A.coalesce()", best(A.coalesce, 20_000) * 1e9, 1000, "ns"),
        ("A / B", best(lambda: A / B, 20_000) * 1e9, 1000, "ns"),
        ("A(5)", best(lambda: A(5), 20_000) * 1e9, 1000, "ns"),
        ("A((1, 1), 2, 0)", best(lambda: A((1, 1), 2, 0), 20_000) * 1e9, 1000, "ns"),
        ("at_each, an element", best(lambda: A.at_each(indices), 1) / len(indices) * 1e9, 10, "ns"),
    ]
    for name, measured, limit, unit in rows:
        print(f"{name:24} {measured:10.2f} {unit}  (at most {limit})")
    print(beside())
    times, listing = every()
    over = [row for row in times if row[0] > 1000]
    print(f"{len(times)} operations on layouts of rank 3 with an answer of few numbers, {len(over)} of them over 1 µs:")
    print("\n".join(f"{measured:7,.0f} ns  {call}" for measured, call in over))
    print(f"{len(listing)} that list all 192 elements, or go through them:")
    print("\n".join(f"{measured:7,.0f} ns, {measured / A.size():4,.0f} an element  {call}" for measured, call in listing))
    slow = [name for name, measured, limit, _ in rows if measured > limit]
    if slow:
        sys.exit(f"over the limit: {', '.join(slow)}")


main()
