"""Writes the pages of the operations, from the table of operations, the theorems and the wheel that is installed.

usage: docs.py            writes python/docs/operations
       docs.py --check    says which pages are not as they would be written, and which theorems they quote that are not there
"""

import pathlib
import re
import sys

import razorgirl
from razorgirl import Layout, LayoutError, Picture, _razorgirl

HERE = pathlib.Path(__file__).parent
# found beside this file, also where the safe path of `python -P` is asked for
sys.path.append(str(HERE))
import ten_layouts  # noqa: E402

PAGES = HERE / "docs" / "operations"
NOTEBOOK = HERE / "docs" / "ten_layouts.ipynb"
PROPERTIES = HERE.parent / "docs" / "PROPERTIES.md"
LEAN = HERE.parent / "lean" / "Razorgirl"
THEOREMS, DEFINITIONS = LEAN / "Thm", LEAN / "Spec"
QUOTED = 4
# A part that more definitions are made of says nothing of any one of them.
SHARED = 4
# Bytes of a picture in a page; a table stands for a larger one.
LARGEST = 1 << 17
HEADING = "## What is proved\n"
NONE = "Nothing is proved of it by name. Every answer is compared with the definition that the oracle runs.\n"
PARTS = "Nothing is proved of it by name; of what its definition is made of:\n\n"


def properties():
    """Sentence and name of each quoted theorem."""
    return re.findall(r"^\| (.*?) \| `([^`]+)` \|", PROPERTIES.read_text(encoding="utf-8"), re.M)


def statements():
    """The text of each theorem up to its proof, by the last part of its name and its file."""
    found = {}
    for path in sorted(THEOREMS.rglob("*.lean")):
        for name, statement in re.findall(r"^(?:public )?theorem (\S+)([\s\S]*?):=", path.read_text(encoding="utf-8"), re.M):
            found.setdefault(name.rpartition(".")[2], []).append(statement)
    return found


def definitions():
    """The names of the definitions that each definition names, by its own name."""
    bodies = {}
    for path in sorted(DEFINITIONS.rglob("*.lean")):
        inside = []
        for line in re.split(r"^(?=\S)", path.read_text(encoding="utf-8"), flags=re.M):
            if opened := re.match(r"namespace (\S+)", line):
                inside.append(opened[1])
            elif closed := re.match(r"end (\S+)", line):
                inside = inside[: -1 if inside[-1:] == [closed[1]] else None]
            elif defined := re.match(r"(?:@\[.*?\]\s*)?(?:public )?def (\S+)([\s\S]*)", line):
                space = ".".join(inside).removeprefix("Razorgirl").removeprefix(".")
                bodies[".".join(filter(None, (space, defined[1])))] = (space.split("."), defined[2])
    used = {}
    for name, (space, body) in bodies.items():
        words = {word for path in re.findall(r"[\w.]+", body) for word in (path.strip("."), path.rpartition(".")[2])}
        # as Lean finds a name: in the innermost namespace first
        scopes = [".".join(space[:depth]) for depth in range(len(space), -1, -1)]
        found = (next((full for scope in scopes if (full := f"{scope}.{word}".strip(".")) in bodies), None) for word in words)
        used[name] = {one for one in found if one not in (None, name)}
    return used


def of_name(names, all_properties):
    return [(text, theorem) for text, theorem in all_properties for name in names if theorem.startswith(name + "_") or theorem == name]


def rank(pair):
    """A characterisation says most, then what it fulfils, then when it is there."""
    return (not pair[1].endswith(("_iff", "_iff_exists")), "ne_none" not in pair[1] and "isSome" not in pair[1], len(pair[0]))


def made_of(lean, all_properties, used):
    """The theorems of the name of a part that these definitions are made of, or else of a part of a part; of the part that fewest
    others are made of."""
    known = [name.removeprefix("Razorgirl.") for name in lean]
    layer = known
    uses = {name: sum(name in of for of in used.values()) for name in used}
    for _ in range(2):
        layer = sorted({one for name in layer for one in used.get(name, ())} - set(known), key=lambda name: (uses[name], name))
        for name in (name for name in layer if uses[name] <= SHARED):
            if found := of_name([name], all_properties):
                return sorted(dict.fromkeys(found), key=rank)[:QUOTED]
        known = known + layer
    return []


def quoted(lean, all_properties, all_statements):
    """The theorems on these definitions: those of their name, and else those that speak of them."""
    names = [name.removeprefix("Razorgirl.") for name in lean]
    named = of_name(names, all_properties)
    if not named:
        last = [name.rpartition(".")[2] for name in names]
        speaks = lambda theorem: any(
            re.search(rf"\b{re.escape(name)}\b", statement) for statement in all_statements.get(theorem.rpartition(".")[2], []) for name in last
        )
        folders = {name.partition(".")[0] for name in names}
        named = [(text, theorem) for text, theorem in all_properties if theorem.partition(".")[0] in folders and speaks(theorem)]
    return sorted(dict.fromkeys(named), key=rank)[:QUOTED]


def drawn(name, arguments):
    """The example before and after; nothing where no layout comes out, or nothing in the example is one."""
    try:
        picture = razorgirl.explain(f"{name}({', '.join(arguments)})")
    except LayoutError:
        picture = None
    if picture:
        return picture
    result = getattr(razorgirl, name).answer(*arguments)["result"]
    if isinstance(result, (Layout, razorgirl.SwizzledLayout, razorgirl.CoordLayout)):
        return result.picture()
    return None


def fenced(text):
    return f"```text\n{text.rstrip()}\n```\n"


def page(name, meaning, notes, cute, lean, concept):
    """The page but for its theorems, and the picture."""
    operation = getattr(razorgirl, name)
    arguments, printed = operation.example
    picture = drawn(name, arguments)
    lines = [f"# {name}\n", "<!-- written by `python/test.sh --docs` -->\n", f"{meaning[0].upper()}{meaning[1:]}.\n"]
    if notes:
        lines.append(f"Notes: {notes}.\n")
    lines.append("| argument | takes |\n|---|---|")
    for form in operation.forms:
        lines += [f"| `{parameter}` | {takes.replace('|', chr(92) + '|')} |" for parameter, takes in form]
    lines.append("")
    also = [f"CuTe: `{cute}`."] if cute else []
    also += [f"Modes: {', '.join(operation.modes)}."] if len(operation.modes) > 1 else []
    also += [f"Lean: {', '.join(f'`{one}`' for one in lean)}."] if lean else []
    if also:
        lines.append(" ".join(also) + "\n")
    call = f"razorgirl.{name}({', '.join(map(repr, arguments))})"
    # of a layout that begins elsewhere than at 0 also its offset
    shown = ", ".join(printed.splitlines()) if "offset" in operation.beside else printed.splitlines()[0]
    lines.append(f"```python\n>>> {call}      # {shown}\n```\n")
    if picture and len(picture.svg()) <= LARGEST:
        lines.append(f"![{name}](pictures/{name}.svg)\n")
    if picture and picture.text.startswith(f"{name}("):
        lines.append(fenced(picture.text))
    return "\n".join(lines), picture


def proved_of(lean, all_properties, all_statements, used):
    """What the page says of theorems."""
    found, before = quoted(lean, all_properties, all_statements), ""
    if not found:
        found, before = made_of(lean, all_properties, used), PARTS
    return before + "".join(f"- {text} `{theorem}`\n" for text, theorem in found) if found else NONE


def index(rows):
    lines = ["# Operations\n", "<!-- written by `python/test.sh --docs` -->\n"]
    concept = None
    for name, meaning, _, _, _, of in rows:
        if of != concept:
            lines.append(f"\n## {of.replace('_', ' ')}\n")
            concept = of
        lines.append(f"- [{name}]({name}.md): {meaning}")
    return "\n".join(lines) + "\n"


def pages():
    """Every file by its name, theorems apart."""
    rows = _razorgirl.rows()
    files = {"README.md": (index(rows), None)}
    for name, meaning, notes, cute, lean, concept in rows:
        text, picture = page(name, meaning, notes, cute, lean, concept)
        files[f"{name}.md"] = (text, lean)
        if picture and len(picture.svg()) <= LARGEST:
            files[f"pictures/{name}.svg"] = (picture.svg(), None)
    return files


def write():
    NOTEBOOK.write_text(ten_layouts.written(), encoding="utf-8")
    known = properties(), statements(), definitions()
    files = pages()
    for path in [*PAGES.rglob("*.md"), *PAGES.rglob("*.svg")]:
        if str(path.relative_to(PAGES)) not in files:
            path.unlink()
    for name, (text, lean) in files.items():
        path = PAGES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if lean is not None:
            text = f"{text}\n{HEADING}\n{proved_of(lean, *known)}"
        path.write_text(text, encoding="utf-8")


def faults():
    """What is not as it would be written. Which theorems a page quotes is its own choice; they have to be there, word by word."""
    files = pages()
    there = {str(path.relative_to(PAGES)) for path in [*PAGES.rglob("*.md"), *PAGES.rglob("*.svg")]}
    found = [f"{name}: not written" for name in files.keys() - there] + [f"{name}: of no operation" for name in there - files.keys()]
    known = {f"- {text} `{theorem}`" for text, theorem in properties()}
    for name in files.keys() & there:
        text, lean = files[name]
        written, heading, proved = (PAGES / name).read_text(encoding="utf-8").partition(f"\n{HEADING}\n")
        if written != text or (heading != "") != (lean is not None):
            found.append(f"{name}: not as written now")
        elif heading and proved != NONE:
            found += [f"{name}: no theorem says {line}" for line in proved.removeprefix(PARTS).splitlines() if line not in known]
    if NOTEBOOK.read_text(encoding="utf-8") != ten_layouts.written():
        found.append(f"{NOTEBOOK.name}: another answer when it is run")
    return sorted(found)


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit("\n".join(faults()) or None)
    write()
