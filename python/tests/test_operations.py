"""Every operation of the table, on cases drawn for it, judged by conform's model, which enumerates what each answer means.
RAZORGIRL_CASES sets how many are drawn of each (60)."""

import ast
import json
import os
import re

import pytest
import razorgirl
from razorgirl import CoordLayout, Layout, LayoutError, LinearLayout, SwizzledLayout, _razorgirl

CASES = int(os.environ.get("RAZORGIRL_CASES", "60"))


def argument(value):
    """A value of a request as Python has it: lists are tuples, layouts are of their classes."""
    if isinstance(value, list):
        return tuple(argument(entry) for entry in value)
    if isinstance(value, dict):
        for make in (lambda: Layout(argument(value["shape"]), argument(value["stride"])), lambda: SwizzledLayout(value)):
            try:
                made = make()
            except (KeyError, TypeError, LayoutError):
                continue
            # a layout does not keep the strides under extents of 1, of which some operations are told
            if result(made) == value:
                return made
    return value


def result(value):
    """What Python was answered, as the protocol writes it."""
    if isinstance(value, Layout):
        return {"shape": result(value.shape), "stride": result(value.stride)}
    if isinstance(value, SwizzledLayout):
        swizzle, offset, layout = re.fullmatch(r"Sw<(.*)> o (\d+) o (.*)", str(value)).groups()
        return {"swizzle": [int(part) for part in swizzle.split(",")], "offset": int(offset), **result(Layout(layout))}
    if isinstance(value, CoordLayout):
        offset, written = re.fullmatch(r"(?:(?:ArithTuple)?(.*) o )?(.*)", str(value)).groups()
        shape, stride = written.split(":")
        stride = re.sub(r"[^(),]*@[^(),]*", lambda sum: json.dumps({axis: number for axis, number in terms(sum[0])}), stride)
        fields = {"shape": tree(shape), "stride": tree(stride)}
        return {**fields, "offset": tree(offset)} if offset else fields
    if isinstance(value, LinearLayout):
        return json.loads(str(value))
    if isinstance(value, dict):
        return {name: result(entry) for name, entry in value.items()}
    if isinstance(value, tuple):
        return [result(entry) for entry in value]
    return value


def expression(node):
    """An index expression: `["+", ["%", ["x", 0], 4], 3]`. Python reads what is printed as it is meant."""
    if isinstance(node, ast.BinOp):
        signs = {ast.Add: "+", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}
        return [signs[type(node.op)], expression(node.left), expression(node.right)]
    return ["x", int(node.id[1:])] if isinstance(node, ast.Name) else ast.literal_eval(node)


def tree(text):
    return json.loads(text.replace("(", "[").replace(")", "]"))


def terms(sum):
    """``2@0+1@1``: steps along axes."""
    for term in sum.split("+"):
        number, at, axis = term.partition("@")
        yield f"1@{axis}", int(number)


def answer(line):
    asked = json.loads(line)
    operation, keywords = getattr(razorgirl, asked["op"]), {"mode": asked["mode"]} if "mode" in asked else {}
    try:
        said = operation.answer(*(argument(value) for value in asked["args"]), **keywords)
    except LayoutError as refused:
        assert refused.code != "internal"
        return json.dumps({"id": asked["id"], "error": {"code": refused.code, "message": str(refused), "help": []}})
    fields = result(said)
    if asked["op"] == "simplify":
        fields["result"] = expression(ast.parse(said["result"], mode="eval").body)
    return json.dumps({"id": asked["id"], **fields})


@pytest.mark.parametrize("name", _razorgirl.judged_operations())
def test_answers_are_right_by_definition(name):
    data, text, _ = _razorgirl.conformed(answer, [name], CASES, 11, 1, '{"peer":{}}')
    total = json.loads(data)["total"]
    assert not any(total["wrong"].values()) and total["right"], text


def test_relations_are_tuples():
    relation = razorgirl.relation_of("(2,2):(3,1)")
    assert relation["graph"] == (((0,), (0,)), ((1,), (3,)), ((2,), (1,)), ((3,), (4,)))
    assert relation["least_preimages"] == (((0,), (0,)), ((1,), (2,)), ((3,), (1,)), ((4,), (3,))) and relation["gaps"] == (2,)
    inverse = razorgirl.relation_inverse("(2,2):(3,1)")["graph"]
    assert inverse == tuple(sorted((image, index) for index, image in relation["graph"]))
    # what is answered can be asked about, as pairs and in isl's notation, and numbers beyond 63 bits keep their value
    assert razorgirl.relation_inverse(inverse)["graph"] == razorgirl.relation_of(relation["isl"])["graph"] == relation["graph"]
    large = (((-(2**63) - 1,), (2**64 - 1,)),)
    assert razorgirl.relation_of(large)["graph"] == large
    assert razorgirl.relation_compose("8:1", "(2,2):(3,1)")["graph"] == relation["graph"]
    assert razorgirl.layout_from_relation(relation["graph"], {"shape": (2, 2)}) == Layout("(2,2):(3,1)")
    with pytest.raises(LayoutError):
        razorgirl.layout_from_relation(inverse, {"shape": (2, 2)})


def test_index_code_runs():
    for text in ("(32,32):(1,33)", "((4,2),8):((1,16),4)", "(3,5):(7,2)"):
        layout, scope = Layout(text), {}
        exec(razorgirl.index_code(layout, "python")["code"], scope)
        assert [scope["offset"](c) for c in range(layout.size())] == list(layout.offsets())
    swizzled, scope = razorgirl.SwizzledLayout("Sw<2,1,3> o 0 o (8,8):(8,1)"), {}
    exec(razorgirl.index_code(swizzled, "python")["code"], scope)
    assert tuple(scope["offset"](c) for c in range(64)) == razorgirl.swizzled_eval(swizzled)
