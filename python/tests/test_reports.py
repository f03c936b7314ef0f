"""Tensor maps and schedules: the report of the command, and its numbers."""

import pickle

import numpy
import pytest
import razorgirl
from razorgirl import Layout, LayoutError, SwizzledLayout


def test_a_map_that_fits():
    report = razorgirl.tma([64, 16], numpy.array([64, 8]), "f16", swizzle="128B")
    assert report and report.correct and report.strong and report.violations == [] and report.smem is None
    assert "tensor    64×16 of f16" in str(report) and report.suggestions == []


def test_strong_correctness():
    report = razorgirl.tma((64, 16), (64, 8), "f16", element_strides=(1, 3))
    assert not report and not report.strong
    (violation,) = report.violations
    assert violation["rule"] == "fttc" and violation["dimension"] == 1 and violation["help"] == report.suggestions != []
    weak = razorgirl.tma((64, 16), (64, 8), "f16", element_strides=(1, 3), weak=True)
    assert weak and not weak.strong and weak.violations == [violation]


def test_limits_and_their_suggestions():
    report = razorgirl.tma((1024, 8), (512, 8), "f16")
    assert not report and [violation["value"] for violation in report.violations] == [512]
    assert report.suggestions and "error[" in report.text


def test_the_layout_of_shared_memory():
    swizzled = SwizzledLayout((3, 3, 3), 0, Layout("((64,8),2):((1,64),512)"))
    arguments = {"dims": (64, 16), "box": (64, 8), "dtype": "f16", "swizzle": "128B"}
    assert razorgirl.tma(**arguments, smem=swizzled)
    assert razorgirl.tma(**arguments, smem="((64,8),2):((1,64),512)")
    wrong = razorgirl.tma(**arguments, smem=Layout("((64,8),2):((8,1),512)"))
    assert not wrong and "element 1 of a tile" in wrong.smem
    (suggestion,) = wrong.suggestions
    name, _, layout = suggestion.partition("=")
    assert name == "smem" and razorgirl.tma(**arguments, smem=layout.strip("'"))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"dims": (64,), "box": (64, 8)}, None),
        ({"dims": (64, -1), "box": (64, 8)}, "extent"),
        ({"dims": (64,), "box": (64,), "dtype": "f99"}, "parse"),
        ({"dims": (1 << 70,), "box": (64,)}, "overflow"),
        ({"dims": (64,), "box": (64,), "smem": "(64"}, "parse"),
    ],
)
def test_what_cannot_be_read(arguments, code):
    with pytest.raises(LayoutError) as caught:
        razorgirl.tma(**arguments)
    assert code is None or caught.value.code == code
    with pytest.raises(TypeError):
        razorgirl.tma((64.5,), (64,))


def test_a_schedule_has_loops_holes_and_predicates():
    report = razorgirl.schedule("[128,7777] split(1,32)")
    assert report.loops == (128, 244, 32) and report.holes == 128 * 244 * 32 - 128 * 7777
    (predicate,) = report.predicates
    assert (predicate.axis, predicate.extent) == (1, 7777) and predicate.reason in report.text
    even = razorgirl.schedule({"extents": [128], "steps": [{"split": 0, "factor": 32}]})
    assert even.loops == (4, 32) and even.holes == 0 and even.predicates == ()
    assert pickle.loads(pickle.dumps(report)) == report


def test_equivalence():
    report = razorgirl.schedule("[128,7777] split(1,32)")
    for other in ("[128,7777] split_outer(1,244)", razorgirl.schedule("[128,7777] split_outer(1,244)")):
        same = report.equivalent(other)
        assert same and same.equal is True and "equivalent" in str(same)
    different = report.equivalent("[128,7777] split(1,64)")
    assert not different and different.equal is False and "different" in different.text
    # element 0 is at no loop point of the second
    one, two = razorgirl.schedule("[4]"), "[4] resize(0,-1,0) resize(0,1,0)"
    assert [one.equivalent(two, equality=name).equal for name in ("program", "e2", "valid_items")] == [False, True, False]
    with pytest.raises(ValueError):
        one.equivalent(two, equality="other")


def test_what_is_not_decided_is_not_equal():
    from razorgirl import Equivalence

    assert not Equivalence("unknown", None) and not Equivalence("different", False) and Equivalence("equivalent", True)


def test_a_schedule_that_cannot_be_read():
    for value in ("[128] split(0", "[128] split(3,2)", {"extents": [128], "stepz": []}):
        with pytest.raises(LayoutError):
            razorgirl.schedule(value)
