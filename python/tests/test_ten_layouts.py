"""What the notebook says that others answer is what they answer, and wrong; what we answer is right. That it is current: test_docs."""

import json
import pathlib
import sys

import pycute
import pytest
import razorgirl
import tensor_layouts
from razorgirl import _razorgirl

HERE = pathlib.Path(__file__).parent.parent
sys.path.append(str(HERE))
import ten_layouts  # noqa: E402

LIBRARIES = {"pycute": (pycute, pycute.composition), "tensor-layouts": (tensor_layouts, tensor_layouts.compose)}


def written(value):
    if hasattr(value, "shape"):
        return {"shape": written(value.shape), "stride": written(value.stride)}
    return list(map(written, value)) if isinstance(value, tuple) else value


def answered(library, theirs):
    module, composition = LIBRARIES[library]
    try:
        return eval(theirs, {**vars(module), "L": module.Layout, "composition": composition})
    except Exception as refused:
        return refused


def verdict(ours, answer):
    """What conform says of an answer to the request as it is written for us."""
    name, _, arguments = ours.partition("(")
    values, mode = eval(f"(lambda *a, mode=None: (a, mode))({arguments}")
    layout = lambda text: written(razorgirl.Layout(text)) if isinstance(text, str) else text
    request = {"id": 1, "op": name, "args": [layout(value) for value in values]} | ({"mode": mode} if mode else {})
    said = {"error": {"code": "refused", "message": "", "help": []}} if isinstance(answer, Exception) else {"result": written(answer)}
    return _razorgirl.judged(json.dumps(request), json.dumps({"id": 1, **said}))[0]


WRONG = ("wrong", "refused though it exists")


@pytest.mark.parametrize("case", range(10))
def test_a_case(case):
    _, _, ours, theirs, recorded = ten_layouts.CASES[case]
    wrong = 0
    for library in LIBRARIES:
        answer = answered(library, theirs)
        found = type(answer).__name__ if isinstance(answer, Exception) else str(answer)
        assert found == recorded[library], library
        wrong += verdict(ours, answer) in WRONG
    assert wrong
    try:
        answer = eval(f"razorgirl.{ours}")
    except razorgirl.LayoutError as refused:
        answer = refused
    assert verdict(ours, answer) in ("right", "refused rightly")


def test_no_library_has_all_right():
    assert len(ten_layouts.CASES) == 10
    wrong = [[verdict(ours, answered(library, theirs)) in WRONG for _, _, ours, theirs, _ in ten_layouts.CASES] for library in LIBRARIES]
    assert all(map(any, wrong)) and sum(map(all, zip(*wrong))) == 6
