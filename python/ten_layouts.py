"""The cells of the notebook «ten layouts that libraries get wrong», and how it is run.

`docs.py` writes docs/ten_layouts.ipynb with what they show; a test runs them again and compares. What others answer is recorded:
pycute 4.2 and tensor-layouts 0.3.2, which the tests ask again, and CuTe C++ where its answer is known from its headers, its tracker or
a run of it.
"""

import ast
import contextlib
import io
import json

INTRODUCTION = """# Ten layouts that libraries get wrong

No other library gets all ten right, and six of them neither pycute nor tensor-layouts. Each case has the answers of others, as recorded, and what razorgirl answers or refuses, with the numbers. «wrong» is said by
enumeration: `R(c) = A(B(c))` at every coordinate, every address once, every element in some tile."""

# title, words, the expression in razorgirl, that of pycute and of tensor-layouts with their answers, CuTe's
CASES = [
    (
        "Composition that carries",
        "Mode by mode `(3,2):(2,3)` looks fine. At (2,1) the digits carry: B is 7 and A(7) is 8, not 7 (CUTLASS issue 2955).",
        'composition("(6,2):(1,7)", "(3,2):(2,3)")',
        "composition(L((6, 2), (1, 7)), L((3, 2), (2, 3)))",
        {"pycute": "(3, 2):(2, 3)", "tensor-layouts": "(3, 2) : (2, 3)", "CuTe C++": "(3,2):(2,3)"},
    ),
    (
        "A composite that exists and is refused",
        "Two points are always a layout, and this one is refused.",
        'composition("(2,2):(1,50)", "2:3", mode="complete")',
        "composition(L((2, 2), (1, 50)), L(2, 3))",
        {"pycute": "AssertionError", "tensor-layouts": "LayoutError"},
    ),
    (
        "Another that carries",
        "pycute asserts. tensor-layouts answers, and is wrong where both coordinates are 1.",
        'composition("(4,2):(1,8)", "(2,2):(1,3)")',
        "composition(L((4, 2), (1, 8)), L((2, 2), (1, 3)))",
        {"pycute": "AssertionError", "tensor-layouts": "(2, 2) : (1, 3)"},
    ),
    (
        "A complement that leaves holes",
        "With `2:6`, addresses 2, 5, 8 and 11 are in no copy: 2 does not divide 3.",
        'complement("(2,2):(1,3)", 12)',
        "complement(L((2, 2), (1, 3)), 12)",
        {"pycute": "2:6", "tensor-layouts": "2 : 6", "CuTe C++": "2:6"},
    ),
    (
        "The complement of a layout that hits an address twice",
        "(2,0) and (0,1) are both address 2. pycute answers a mode of extent 0.",
        'complement("(3,2):(1,2)")',
        "complement(L((3, 2), (1, 2)))",
        {"pycute": "0:3", "tensor-layouts": "2 : 4", "CuTe C++": "static assertion"},
    ),
    (
        "A left inverse that forgets half",
        "pycute's answer takes 3 and 4 to 1 and 0: only the first mode is undone (CUTLASS issue 3485).",
        'left_inverse("(2,2):(1,3)")',
        "left_inverse(L((2, 2), (1, 3)))",
        {"pycute": "2:1", "tensor-layouts": "(3, 2) : (1, 2)"},
    ),
    (
        "The left inverse of tensor memory",
        "CUTLASS issue 2094: «simply incorrect», says the author of the layout algebra.",
        'left_inverse("(128,160):(65536,1)")',
        "left_inverse(L((128, 160), (65536, 1)))",
        {"pycute": "65440:128", "tensor-layouts": "(65536, 128) : (128, 1)"},
    ),
    (
        "A division that loses elements",
        "12 elements go in and 8 come out: no copies of this tile fill a layout.",
        'logical_divide("12:1", "(2,2):(1,3)")',
        "logical_divide(L(12, 1), L((2, 2), (1, 3)))",
        {"pycute": "((2, 2), 2):((1, 3), 6)", "tensor-layouts": "((2, 2), 2) : ((1, 3), 6)"},
    ),
    (
        "A product whose copies overlap",
        "Two copies share offset 4: the block is at 0, 3, 4 and 7, its copy begins at 1.",
        'logical_product("(2,2):(3,4)", "(2,1):(1,1)")',
        "logical_product(L((2, 2), (3, 4)), L((2, 1), (1, 1)))",
        {"pycute": "((2, 2), (2, 1)):((3, 4), (1, 6))", "tensor-layouts": "((2, 2), (2, 1)) : ((3, 4), (1, 1))"},
    ),
    (
        "A product that divides",
        "pycute's product by an integer is a division (CUTLASS issue 3478): 4 elements in place of 8.",
        'logical_product("4:1", "2:1")',
        "logical_product(L(4, 1), 2)",
        {"pycute": "(2, 2):(1, 2)", "tensor-layouts": "(4, 2) : (1, 4)"},
    ),
]

START = "from razorgirl import *\n\ndef tried(operation, *arguments, **keywords):\n    try:\n        return operation(*arguments, **keywords)\n    except LayoutError as refused:\n        print(f\"refused: {refused}\", *refused.help, sep=\"\\n  \")"


def cells():
    """Kind and text of each cell."""
    yield "markdown", INTRODUCTION
    yield "code", START
    for number, (title, words, ours, theirs, answers) in enumerate(CASES, 1):
        table = "\n".join(f"| {library} | `{answer}` |" for library, answer in {"CuTe C++": None, **answers}.items() if answer)
        table += "" if "CuTe C++" in answers else "\n| CuTe C++ | not recorded |"
        yield "markdown", f"## {number}. {title}\n\n{words}\n\n`{theirs}`\n\n| library | answers |\n|---|---|\n{table}"
        name, _, arguments = ours.partition("(")
        yield "code", f"tried({name}, {arguments}"


def ran():
    """Each cell with its outputs, as a notebook has them."""
    names, count, book = {}, 0, []
    for number, (kind, text) in enumerate(cells()):
        cell = {"id": f"cell-{number}", "cell_type": kind, "metadata": {}, "source": text}
        if kind == "code":
            count += 1
            body = ast.parse(text)
            last = ast.Expression(body.body.pop().value) if isinstance(body.body[-1], ast.Expr) else None
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(body, "cell", "exec"), names)
                value = eval(compile(last, "cell", "eval"), names) if last else None
            outputs = []
            if printed.getvalue():
                outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue()})
            if value is not None:
                data = {"text/plain": repr(value)}
                if hasattr(value, "_repr_html_"):
                    data["text/html"] = value._repr_html_() if value.size() <= 64 else f"<pre>{value}</pre>"
                outputs.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
            cell |= {"execution_count": count, "outputs": outputs}
        book.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": book, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def written():
    return json.dumps(ran(), indent=1, ensure_ascii=False) + "\n"
