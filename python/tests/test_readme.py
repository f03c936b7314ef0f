"""Every Python snippet of every README runs, and a comment that begins with a value says what the line before it is."""

import ast
import pathlib
import re
import types

import pytest
import razorgirl

ROOT = pathlib.Path(__file__).parent.parent.parent
READMES = sorted(path for path in (ROOT / "README.md", *ROOT.glob("*/README.md"), *ROOT.glob("rust/*/README.md")) if "```python" in path.read_text())


def snippets(text):
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commented(snippet):
    """Lines whose comment begins with a value in Python: an expression, and the value."""
    for line in snippet.splitlines():
        code, found, comment = line.partition("# ")
        try:
            value = ast.literal_eval(comment) if found else None
            ast.parse(code.strip(), mode="eval")
        except (SyntaxError, ValueError):
            continue
        if found:
            yield code.strip(), value


def test_they_are_found():
    assert {ROOT / "README.md", ROOT / "python" / "README.md"} <= set(READMES)
    assert list(commented("a(5)     # 20\nimport b   # 3\nc()  # what it is\n")) == [("a(5)", 20)]


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_its_snippets_run(path, tmp_path, monkeypatch):
    # what a snippet audits is a folder of the reader, and what it judges a module of theirs
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc" / "kernel.cu").write_text("int main() { return 0; }\n")
    monkeypatch.chdir(tmp_path)
    mine = types.SimpleNamespace(composition=razorgirl.composition, Layout=razorgirl.Layout)
    names = {"mine": mine, "razorgirl": razorgirl}
    values = 0
    for snippet in snippets(path.read_text()):
        exec(compile(snippet, str(path), "exec"), names)
        for code, value in commented(snippet):
            assert eval(code, names) == value, code
            values += 1
    if path.parent.name == "python":
        assert values >= 3, "the README says what its expressions are"
