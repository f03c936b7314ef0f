"""Measures a wheel that is installed: its size, an import, an operation on rank 3, an element of a bulk evaluation. Times are of the processor. Fails over a limit.

usage: speed.py WHEEL
"""

import pathlib
import subprocess
import sys
import time
import timeit

import numpy
from razorgirl import Layout


def best(run, number):
    return min(timeit.repeat(run, number=number, repeat=25, timer=time.process_time)) / number


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
    slow = [name for name, measured, limit, _ in rows if measured > limit]
    if slow:
        sys.exit(f"over the limit: {', '.join(slow)}")


main()
