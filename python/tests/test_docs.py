"""The pages of the operations are as the table, the wheel and the theorems have them."""

import importlib.util
import pathlib

HERE = pathlib.Path(__file__).parent.parent


def test_pages_are_current():
    spec = importlib.util.spec_from_file_location("docs", HERE / "docs.py")
    docs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(docs)
    assert docs.faults() == [], "python/test.sh --docs writes them"
