"""Makes, in the folder that it is given, what an adapter needs: a virtual environment of pinned and hashed packages, and where
`wheel.json` says so one folder out of a wheel that is never installed, and a C++ program where one is there.

usage: python3 prepare.py FOLDER
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

LIMIT = 300  # seconds for one step

folder = os.path.abspath(sys.argv[1])
venv = os.path.join(folder, "venv")
python = os.path.join(venv, "bin", "python")


def run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
    if done.returncode:
        sys.exit(f"{' '.join(command[1:5])} failed:\n{done.stderr[-1500:]}")


def pip(verb, *arguments):
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--only-binary", ":all:", "--require-hashes")
    run(python, "-m", "pip", verb, *quiet, *arguments)


run(sys.executable, "-m", "venv", venv)
pip("install", "-r", os.path.join(folder, "requirements.txt"))
member = os.path.join(folder, "wheel.json")
if os.path.exists(member):
    with open(member) as file:
        wheel = json.load(file)
    with tempfile.TemporaryDirectory(dir=folder) as room:
        pinned = os.path.join(room, "wheel.txt")
        with open(pinned, "w") as file:
            file.write(wheel["requirement"] + "\n")
        # the folder is plain Python, the same in the wheel of every system: the smallest one is taken
        kind = ("--platform", wheel["platform"], "--python-version", wheel["python"], "--abi", wheel["abi"])
        pip("download", "--implementation", "cp", *kind, "-d", room, "-r", pinned)
        [name] = [name for name in os.listdir(room) if name.endswith(".whl")]
        with zipfile.ZipFile(os.path.join(room, name)) as archive:
            inside = [entry for entry in archive.namelist() if entry.startswith(wheel["folder"])]
            if not inside:
                sys.exit(f"{name} has no {wheel['folder']}")
            archive.extractall(os.path.join(folder, "member"), inside)
source = os.path.join(folder, "cute.cpp")
if os.path.exists(source):
    compiler = next(filter(shutil.which, [os.environ.get("CXX") or "g++", "c++", "clang++"]), None)
    if compiler is None:
        sys.exit("no C++ compiler is on the path: CXX names one")
    [packages] = glob.glob(os.path.join(venv, "lib", "python3*", "site-packages"))
    headers = ["cutlass_library/source/include", "nvidia/cu13/include", "nvidia/cu13/include/cccl"]
    found = [word for path in headers for word in ("-isystem", os.path.join(packages, path))]
    # assertions stay: they are how it refuses
    run(compiler, "-std=c++17", "-w", *found, source, "-o", os.path.join(folder, "cute"))
