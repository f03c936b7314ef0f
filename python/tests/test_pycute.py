"""`razorgirl.pycute` is judged by conform's model: nothing it answers is wrong, and what pycute answers rightly it answers too."""

import json
import os

import pycute as theirs
import pytest
import razorgirl
import razorgirl.pycute as ours
from peers import LEXICOGRAPHIC, operations
from razorgirl import LayoutError, _judge, _razorgirl
from razorgirl.pycute import pytorch

CASES = int(os.environ.get("RAZORGIRL_CASES", "60"))
FINE = ("right", "extended")


def test_nothing_that_is_answered_is_wrong():
    report = razorgirl.conform(operations(ours), layout=ours.Layout, cases=CASES)
    assert report.wrong == 0 and report.right > 5 * CASES, report.text


def test_nor_where_the_last_mode_is_the_fastest():
    functions = {name: function for name, function in operations(pytorch).items() if name in LEXICOGRAPHIC}
    report = razorgirl.conform(functions, layout=pytorch.Layout, cases=CASES, capabilities={"mode_order": "last"})
    assert report.wrong == 0 and report.right > 3 * CASES, report.text


# A complement that leaves gaps is no complement: with it a division loses elements.
GAPS = "gaps left where no complement exists"


def test_what_pycute_answers_rightly_is_answered():
    """Both are asked the same; a refusal of ours is a fault wherever conform judges pycute's answer right or extended."""
    faults, same, right = [], 0, 0

    def told(name, function, layout):
        request_layout = _judge._argument

        def run(asked):
            arguments = [request_layout(value, layout) for value in asked["args"]]
            return {"id": asked["id"], "result": _judge._result(function(*arguments))}

        return run

    def compared(name):
        their, our = told(name, operations(theirs)[name], theirs.Layout), told(name, operations(ours)[name], ours.Layout)

        def ask(line):
            nonlocal same, right
            asked = json.loads(line)
            try:
                answer = our(asked)
            except (LayoutError, TypeError, IndexError) as refused:
                answer = {"id": asked["id"], "error": {"code": "refused", "message": str(refused), "help": []}}
            try:
                known = their(asked)
            except Exception:
                return json.dumps(answer)
            verdict, why = _razorgirl.judged(line, json.dumps(known))
            if verdict in FINE and GAPS not in why:
                right += 1
                same += answer.get("result") == known["result"]
                if "result" not in answer:
                    faults.append((line, known["result"], verdict, why, answer["error"]["message"]))
            return json.dumps(answer)

        return ask

    for name in operations(ours):
        _razorgirl.conformed(compared(name), [name], CASES, 7, 0, '{"peer":{}}')
    assert not faults, "\n".join(map(str, faults[:20]))
    assert right > 5 * CASES
    # mostly even the same modes: the others differ in strides under extents of 1, or go further
    assert same > 0.9 * right, (same, right)


def test_names_and_signatures():
    import inspect

    for name in vars(theirs):
        value = getattr(theirs, name)
        if name.startswith("_") or inspect.ismodule(value) or getattr(value, "__module__", "").partition(".")[0] != "pycute":
            continue
        assert name in ours.__all__, name
        if inspect.isfunction(value):
            expected = [(one.name, one.default, one.kind) for one in inspect.signature(value).parameters.values()]
            found = [(one.name, one.default, one.kind) for one in inspect.signature(getattr(ours, name)).parameters.values()]
            assert found == expected, name
        elif inspect.isclass(value):
            for attribute in vars(value):
                if attribute in ("__dict__", "__weakref__", "__module__", "__firstlineno__", "__static_attributes__"):
                    continue
                assert hasattr(getattr(ours, name), attribute), (name, attribute)


@pytest.mark.parametrize("shape, stride", [((4, 6), (1, 6)), ((4, 10), (1, 10))])
def test_a_complement_with_gaps_is_refused(shape, stride):
    with pytest.raises(LayoutError) as refused:
        ours.complement(ours.Layout(shape, stride))
    assert refused.value.code == "not_divisible"


def test_known_wrong_answers_are_right_or_refused():
    A, B = ours.Layout((6, 2), (1, 7)), ours.Layout((3, 2), (2, 3))
    assert theirs.composition(theirs.Layout((6, 2), (1, 7)), theirs.Layout((3, 2), (2, 3))).shape == (3, 2)
    with pytest.raises(LayoutError):
        ours.composition(A, B)
    product = ours.logical_product(ours.Layout((2, 2), (1, 2)), (2, 2))
    assert product.size() == 16 and theirs.logical_product(theirs.Layout((2, 2), (1, 2)), (2, 2)).size() == 4
    assert ours.Swizzle(0, 0, 0)(5) == 5 and ours.Swizzle(2, 0, 3)(8) == 9 == theirs.Swizzle(2, 0, 3)(8)


def test_pytorch_counts_the_last_mode_fastest():
    L = pytorch.Layout((2, (3, 4)))
    assert L.stride == (12, (4, 1)) and [L(i) for i in range(24)] == list(range(24)) and L(1, (2, 3)) == 23
    assert pytorch.coalesce(L) == pytorch.Layout(24, 1)
    assert pytorch.composition(pytorch.Layout((6, 2), (2, 1)), pytorch.Layout(3, 2)) == pytorch.Layout(3, 2)
    assert pytorch.complement(pytorch.Layout(4, 2), 16) == pytorch.Layout((2, 2), (8, 1))
    assert pytorch.logical_divide(pytorch.Layout(16, 1), pytorch.Layout(4, 1)) == pytorch.Layout((4, 4), (1, 4))
