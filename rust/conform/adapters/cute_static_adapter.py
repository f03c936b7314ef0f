"""CuTe C++ (the headers of PyPI nvidia-cutlass) on static types as a peer of `razorgirl conform`: a fixed set of requests, which
`cute_static.cpp` has compiled. What CuTe refuses to compile, a `static_assert` mostly, is a refusal."""

import json
import os
import signal
import subprocess
from importlib.metadata import version

from peer import Died, Missing, serve

program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cute")
process = None


def listed():
    requests = {}
    for line in subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.splitlines():
        op, _, args = line.partition(" ")
        requests.setdefault(op, []).append(json.loads(args))
    return requests


def layout(value):
    """As the program writes it: the fields in this order."""
    return {"shape": value["shape"], "stride": value["stride"]} if isinstance(value, dict) else value


def ask(op, args):
    global process
    if process is None:
        process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write(op + " " + json.dumps([layout(value) for value in args], separators=(",", ":")) + "\n")
    process.stdin.flush()
    line = process.stdout.readline().strip()
    if not line:
        name = signal.Signals(-process.wait()).name
        process = None
        raise Died(name)
    if line == "!":
        raise ValueError("CuTe does not compile it")
    if line == "?":
        raise Missing
    return json.loads(line)


REQUESTS = listed()
HABITS = {"name": "CuTe C++, static", "version": version("nvidia-cutlass"), "rank0": False, "requests": REQUESTS}


def on(op):
    return lambda *args: ask(op, args)


serve({op: on(op) for op in REQUESTS}, HABITS)
