"""Functions and sources of others, judged from Python."""

import pytest
import razorgirl
from razorgirl import Layout, LayoutError


class Mine:
    def __init__(self, shape, stride):
        self.shape, self.stride = shape, stride


def composition(A, B):
    """Right: everything is asked of the algebra."""
    found = razorgirl.composition(Layout(A.shape, A.stride), Layout(B.shape, B.stride), mode="complete")
    return Mine(found.shape, found.stride)


def test_a_right_function_is_right():
    report = razorgirl.conform(composition, layout=Mine, cases=200)
    assert report and report.wrong == 0 and report.right > 20 and "composition" in str(report)


def test_a_wrong_function_is_found_and_its_example_is_small():
    def swapped(A, B):
        return composition(B, A)

    report = razorgirl.conform(swapped, "composition", layout=Mine, cases=200)
    assert not report and report.wrong > 5
    wrong = [example for example in report.examples if example["verdict"] == "wrong"]
    assert wrong and all(example["op"] == "composition" and len(str(example["request"])) < 200 for example in wrong)


def test_useless_functions_are_not_right():
    def refuses(*_):
        raise RuntimeError("no")

    assert not razorgirl.conform({"coalesce": refuses}, cases=100)
    report = razorgirl.conform({"coalesce": lambda layout: Layout("1:0")}, cases=100)
    assert report.wrong > 20
    report = razorgirl.conform({"coalesce": lambda layout: object()}, cases=100)
    assert report.wrong > 20 and report.right == 0


def test_several_functions_and_what_is_asked_wrongly():
    report = razorgirl.conform({"coalesce": razorgirl.coalesce, "complement": razorgirl.complement, "size": razorgirl.size}, cases=50)
    assert report and set(report.data["ops"]) == {"coalesce", "complement", "size"}
    with pytest.raises(ValueError, match="no cases"):
        razorgirl.conform(lambda layout: layout, cases=1)
    with pytest.raises(TypeError):
        razorgirl.conform({"size": razorgirl.size}, "size")
    with pytest.raises(ValueError):
        razorgirl.conform({"size": razorgirl.size}, capabilities={"colour": "green"})
    assert razorgirl.conform({"coalesce": razorgirl.coalesce}, cases=20, seed=3).data == razorgirl.conform({"coalesce": razorgirl.coalesce}, cases=20, seed=3).data


def test_it_can_be_interrupted():
    asked = []

    def interrupted(layout):
        asked.append(layout)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        razorgirl.conform({"coalesce": interrupted}, cases=100)
    assert len(asked) == 1


WRONG = "using L = Layout<Shape<_8,_4>,Stride<_1,_4>>;\n"


def test_audit(tmp_path):
    source = tmp_path / "l.hpp"
    source.write_text("using L = Layout<Shape<_8,_4>,Stride<_1,_8>>;\n")
    report = razorgirl.audit(tmp_path)
    assert report and report.findings == [] and report.data["layouts"]["resolved"] == 1
    source.write_text(WRONG)
    for paths in (tmp_path, str(source), [source], (str(source),)):
        report = razorgirl.audit(paths)
        assert not report and [finding["code"] for finding in report.findings] == ["RG002"]
        assert report.findings[0]["path"] == str(source) and "RG002" in str(report)
    settings = tmp_path / "razorgirl.toml"
    settings.write_text('[rules]\nRG002 = "off"\n')
    assert razorgirl.audit(tmp_path, config=settings).findings == []
    with pytest.raises(FileNotFoundError):
        razorgirl.audit(tmp_path / "nothing")
    with pytest.raises(ValueError):
        razorgirl.audit([])
    settings.write_text("nonsense = 1\n")
    with pytest.raises(LayoutError) as refused:
        razorgirl.audit(tmp_path, config=settings)
    assert refused.value.help
