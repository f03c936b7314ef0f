"""CuTe C++ (the headers of PyPI nvidia-cutlass) as a peer of `razorgirl conform`, on the host: integers of run time, and the
nestings that `cute.cpp` has as types. Static layouts would need a compiler for each request; what CuTe asks to be static, such as
the strides of a complement of two modes, is not offered."""

import json
import os
import signal
import subprocess
from importlib.metadata import version

from peer import Died, Missing, serve

folder = os.path.dirname(os.path.abspath(__file__))
process = None


def nesting(value):
    return "i" if isinstance(value, int) else "(" + "".join(map(nesting, value)) + ")"


def numbers(value):
    return [value] if isinstance(value, int) else [number for item in value for number in numbers(item)]


def has_none(value):
    return value is None or isinstance(value, list) and any(map(has_none, value))


def token(value):
    if isinstance(value, dict):
        shape, stride = value["shape"], value["stride"]
        return ["L", nesting(shape), *map(str, numbers(shape) + numbers(stride))]
    if has_none(value) or isinstance(value, list) and any(isinstance(item, dict) for item in value):
        raise Missing
    return ["T", nesting(value), *map(str, numbers(value))]


def ask(op, args):
    global process
    words = [op, str(len(args)), *(word for value in args for word in token(value))]
    if process is None or process.poll() is not None:
        program = [os.path.join(folder, "cute")]
        process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    process.stdin.write(" ".join(words) + "\n")
    process.stdin.flush()
    line = process.stdout.readline().strip()
    if not line:
        name = signal.Signals(-process.wait()).name
        process = None
        raise Died(name)
    if line == "?":
        raise Missing
    return json.loads(line)


OPS = """call coalesce complement complement_ceil composition composition_by_mode composition_extended coshape
cosize eval flat_divide idx2crd logical_divide logical_divide_by_mode logical_product make_layout_left make_layout_right size tiled_divide tiled_product zipped_divide zipped_product""".split()
HABITS = {"name": "CuTe C++ at run time", "version": version("nvidia-cutlass"), "integer_bits": 64, "rank0": False}


def on(op):
    return lambda *args: ask(op, args)


serve({op: on(op) for op in OPS}, HABITS)
