"""Draws the requests of cute_static.cpp from a seed, and finds which of them CuTe refuses to compile: it is compiled until there is
no error, each time without what the compiler objects to.

usage: python3 cute_static.py FOLDER    FOLDER: the headers' venv, as prepare.py makes it; writes cute_static.inc
"""

import glob
import os
import random
import re
import subprocess
import sys

SEED, LAYOUTS, PAIRS = 20260115, 28, 24
ONE = "size cosize coalesce complement right_inverse left_inverse nullspace filter".split()
TWO = "composition logical_divide zipped_divide tiled_divide logical_product zipped_product blocked_product raked_product max_common_layout".split()
# composites that carry, and shapes that do not divide
KNOWN = [((6, 2), (1, 7)), ((3, 2), (2, 3)), ((4, 6), (1, 6)), ((2, 2, 3), (1, 1, 2)), (4, 1), (8, 1), ((4, 8), (8, 1)), (((4, 2), 8), ((1, 16), 4))]


def size(value):
    if isinstance(value, int):
        return value
    product = 1
    for item in value:
        product *= size(item)
    return product


def cosize(shape, stride):
    if isinstance(shape, int):
        return (shape - 1) * stride + 1
    return sum(cosize(s, d) - 1 for s, d in zip(shape, stride)) + 1


def drawn(rng):
    """A layout of up to three modes: strides that continue, that leave gaps, or any."""
    rank, continues = rng.choice([1, 1, 2, 2, 2, 3]), rng.random() < 0.6
    shape, stride, following = [], [], 1
    for _ in range(rank):
        shape.append(rng.choice([1, 2, 2, 3, 4, 4, 6, 8]))
        stride.append(following if continues else rng.choice([0, 1, 2, 3, 4, 6, 8]))
        following = shape[-1] * stride[-1] * rng.choice([1, 1, 1, 2])
    order = list(range(rank))
    rng.shuffle(order)
    shape, stride = tuple(shape[i] for i in order), tuple(stride[i] for i in order)
    if rank == 1:
        return shape[0], stride[0]
    if rank == 3 and rng.random() < 0.5:
        return ((shape[0], shape[1]), shape[2]), ((stride[0], stride[1]), stride[2])
    return shape, stride


def typed(value, name):
    return f"_{value}" if isinstance(value, int) else f"{name}<{', '.join(typed(item, name) for item in value)}>"


def requests():
    rng = random.Random(SEED)
    layouts = list(KNOWN)
    while len(layouts) < LAYOUTS:
        layout = drawn(rng)
        if layout not in layouts and size(layout[0]) <= 128:
            layouts.append(layout)
    entries = [(op, (i,)) for op in ONE for i in range(LAYOUTS)]
    for op in TWO:
        chosen = [(0, 1)] if op == "composition" else []
        while len(chosen) < PAIRS:
            pair = rng.randrange(LAYOUTS), rng.randrange(LAYOUTS)
            inside = cosize(*layouts[pair[1]]) <= size(layouts[pair[0]][0])
            if pair not in chosen and (inside or rng.random() < 0.15):
                chosen.append(pair)
        entries += [(op, pair) for pair in chosen]
    return layouts, entries


def written(layouts, entries, refused):
    lines = ["// Written by cute_static.py.\n"]
    lines += [f"using L{i} = Layout<{typed(s, 'Shape')}, {typed(d, 'Stride')}>;\n" for i, (s, d) in enumerate(layouts)]
    lines.append("\nvoid add(std::vector<Entry>& all) {\n")
    for entry in entries:
        op, places = entry
        kind = ("NONE%d" % len(places) if entry in refused else ("ONE", "TWO")[len(places) - 1])
        lines.append(f"  {kind}({op}, {', '.join(f'L{i}' for i in places)})\n")
    return lines + ["}\n"]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    [packages] = glob.glob(os.path.join(sys.argv[1], "venv", "lib", "python3*", "site-packages"))
    headers = ["cutlass_library/source/include", "nvidia/cu13/include", "nvidia/cu13/include/cccl"]
    found = [word for path in headers for word in ("-isystem", os.path.join(packages, path))]
    layouts, entries = requests()
    target, refused = os.path.join(here, "cute_static.inc"), set()
    while True:
        lines = written(layouts, entries, refused)
        with open(target, "w") as file:
            file.writelines(lines)
        compiler = ["g++", "-std=c++17", "-w", "-fsyntax-only", "-fmax-errors=0", *found, os.path.join(here, "cute_static.cpp")]
        done = subprocess.run(compiler, capture_output=True, text=True)
        places = {int(number) for number in re.findall(r"cute_static\.inc:(\d+):\d+:", done.stderr)}
        # the entries are the last lines but one
        first = "".join(lines).count("\n") - len(entries)
        more = {entries[number - first] for number in places if 0 <= number - first < len(entries)} - refused
        print(f"{len(refused)} refused, {len(more)} more", file=sys.stderr)
        if done.returncode == 0:
            break
        if not more:
            sys.exit(done.stderr[-3000:])
        refused |= more


main()
