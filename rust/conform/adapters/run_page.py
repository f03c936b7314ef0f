"""Runs the tests of a page that `razorgirl conform --report PAGE.md` has written, with the library that it is about. Each has to
fail by what it asserts: one that passes, or fails otherwise, says nothing to a maintainer.

usage: python3 run_page.py PAGE.md REPORT.json
"""

import json
import os
import re
import shlex
import subprocess
import sys

page, report = sys.argv[1:]
with open(report, encoding="utf-8") as file:
    # how the adapter is started: its Python has the library, and its folder perhaps one folder out of a wheel
    _, python, adapter = shlex.split(json.load(file)["peer"])
folder = os.path.dirname(adapter)
environment = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, os.path.join(folder, "member")])}
# The adapter knows how its library is had without all that it would import; it serves nobody here.
FIRST = "import peer\npeer.serve = lambda *_, **__: None\nimport adapter\ndel peer, adapter\n"
with open(page, encoding="utf-8") as file:
    classes = file.read().split("\n## `")[1:]
faults = []
for section in classes:
    title = section.splitlines()[0].replace("`", "")
    programs = re.findall(r"^```python\n(.*?)^```", section, re.M | re.S)
    if len(programs) != 1:
        faults.append(f"{title}: {len(programs)} tests")
        continue
    try:
        done = subprocess.run([python, "-c", FIRST + programs[0]], env=environment, capture_output=True, text=True, timeout=120)
        ended, last = done.returncode, done.stderr.strip().rpartition("\n")[2]
    except subprocess.TimeoutExpired:
        ended, last = None, "no end in 120 s"
    # what crashes or does not end is its own witness, and nothing is asserted
    asserts = re.search(r"^\s*(assert|raise) ", programs[0], re.M)
    right = last.startswith("AssertionError") if asserts else ended != 0
    if not right:
        faults.append(f"{title}: {last or 'it passes'}\n{programs[0]}")
print(f"{os.path.basename(page)}: {len(classes) - len(faults)} of {len(classes)} tests fail as they should")
sys.exit("\n".join(faults) or None)
