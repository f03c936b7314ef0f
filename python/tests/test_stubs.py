"""Every public name is in the stubs, and the reverse; they are as the generator prints them."""

import ast
import pathlib
import subprocess
import sys

import razorgirl

HERE = pathlib.Path(__file__).parent.parent


def test_stubs_are_as_generated():
    printed = subprocess.run([sys.executable, "-P", HERE / "stubs.py"], capture_output=True, text=True, check=True).stdout
    assert printed == (HERE / "razorgirl" / "__init__.pyi").read_text(), "python/test.sh --stubs writes them"


def test_every_name_is_there():
    tree = ast.parse((pathlib.Path(razorgirl.__file__).with_suffix(".pyi")).read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    names = set(classes) | {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    names |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {name for name in names if not name.startswith("_")} == {*razorgirl.__all__, *razorgirl.OPERATIONS}
    assert set(razorgirl.OPERATIONS) - set(razorgirl.__all__) == {"eval", "filter", "slice", "zip"}
    for name, node in classes.items():
        if name.startswith("_"):
            continue
        said = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        said |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
        kind = getattr(razorgirl, name)
        public = {item for item in {**vars(kind), **getattr(kind, "__annotations__", {})} if not item.startswith("_")}
        assert {item for item in said if not item.startswith("_")} == public, name
        assert all(item in public or hasattr(kind, item) for item in said), name
