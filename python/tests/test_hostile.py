"""Whatever is passed in, an exception or an answer comes back: never an abort, and never a panic."""

import pickle
import subprocess
import sys
import threading

import numpy
import pytest
import razorgirl
from razorgirl import Layout, LayoutError

endless = []
endless.append(endless)
deep = 1
for _ in range(100_000):
    deep = (deep,)
shared = (1, 1)
for _ in range(60):
    shared = (shared, shared)


class Lies:
    def __index__(self):
        return "no"


class Raises:
    def __index__(self):
        raise RuntimeError("no")

    @property
    def shape(self):
        raise RuntimeError("no")


HOSTILE = [
    None, True, 1.5, float("nan"), float("inf"), -1, 2**63, 2**64, 2**200, 10**5000, "", "(", ":", "\0", "\ud800", "x" * 100_000,
    "(" * 100_000, b"4:1", (), [], {}, {1: 2}, {"shape": 4}, {"shape": (4,), "stride": "x"}, (1.0,), (True,), (None,), ("4",), object(),
    Layout, Layout("4:1"), (Layout("4:1"), None), endless, deep, Lies(), Raises(), numpy.float64(1), numpy.zeros(3), numpy.int64(3),
    range(3), slice(None), slice(1, 2), ..., 0, 1, (2**64, 1), (4, -8), lambda: 4,
]  # fmt: skip


def judged(function, *arguments, **keywords):
    """An answer, or an exception that says what is wrong with the arguments."""
    try:
        return function(*arguments, **keywords)
    except BaseException as error:
        assert type(error).__name__ != "PanicException", (function, error)
        assert isinstance(error, (ValueError, TypeError, OverflowError, RecursionError, BufferError)), (function, error)
        if isinstance(error, LayoutError):
            assert error.code != "internal" and isinstance(error.help, tuple), (function, error)


@pytest.mark.parametrize("value", range(len(HOSTILE)))
def test_any_value_anywhere(value):
    value = HOSTILE[value]
    layout = Layout("(4,8):(8,1)")
    for function in (Layout, layout, layout.__getitem__, layout.compose, layout.at_each, razorgirl.SwizzledLayout):
        judged(function, value)
    judged(Layout, value, value)
    judged(Layout, 4, value)
    for operator in ("__truediv__", "__mul__"):
        judged(getattr(layout, operator), value)
    for name in razorgirl.OPERATIONS:
        operation = getattr(razorgirl, name)
        for form in operation.forms:
            judged(operation, *[value] * len(form))
        judged(operation, layout, value)


def test_a_small_value_that_is_long_to_write():
    """Written out, it has 2^61 leaves."""
    for function in (Layout, Layout("(4,8):(8,1)")):
        with pytest.raises(LayoutError) as refused:
            function(shared)
        assert refused.value.code == "too_large"


def test_wrong_calls():
    for arguments in ((), (1, 2, 3, 4, 5, 6, 7, 8, 9)):
        with pytest.raises(LayoutError) as refused:
            razorgirl.composition(*arguments)
        assert refused.value.code == "arity"
    for keywords in ({"mode": "fast"}, {"mode": 1}, {"other": 1}):
        with pytest.raises(TypeError):
            razorgirl.composition("4:1", "2:1", **keywords)
    for number in (1.0, float("nan")):
        with pytest.raises(TypeError):
            Layout((4, number))
    with pytest.raises(LayoutError) as refused:
        Layout(2**64)
    assert refused.value.code == "overflow"
    with pytest.raises(LayoutError) as refused:
        Layout(deep)
    assert refused.value.code == "too_large"
    with pytest.raises(LayoutError) as refused:
        Layout((2**40, 2)).offsets()
    assert refused.value.code == "too_large"
    with pytest.raises(AttributeError):
        Layout("4:1").shape = 5


def test_other_threads():
    found = []

    def work():
        A, B = Layout("(6,2):(8,2)"), Layout("(4,3):(3,1)")
        for _ in range(300):
            found.append(A.compose(B) == Layout("((2,2),3):((24,2),8)"))
            found.append(razorgirl.composition(A, B, mode="complete") == A.compose(B))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4800 and all(found)


def test_a_deep_value_in_any_place():
    """At the limit of nesting, one below and one above it: an answer, or a refusal that says so."""

    def nested(depth, leaf):
        for _ in range(depth):
            leaf = (leaf,)
        return leaf

    limit = next(depth for depth in range(1, 1000) if not accepted(Layout, nested(depth + 1, 1)))
    assert limit >= 8
    for depth in (limit - 1, limit, limit + 1):
        for leaf in (1, None, slice(None), numpy.int64(1), Layout("1:0")):
            for name in razorgirl.OPERATIONS:
                operation = getattr(razorgirl, name)
                for place in range(len(operation.example[0])):
                    arguments = list(operation.example[0])
                    arguments[place] = nested(depth, leaf)
                    judged(operation, *arguments)
    with pytest.raises(LayoutError) as refused:
        Layout(nested(limit + 1, 1))
    assert refused.value.code == "too_large"


def accepted(function, *arguments):
    try:
        function(*arguments)
    except LayoutError:
        return False
    return True


def test_threads_that_are_refused_and_share_values():
    """Refusals are made in any thread, and read in another one; one layout and one buffer serve all."""
    layout, indices, refusals, wrong = Layout("(4,8):(8,1)"), numpy.arange(32, dtype=numpy.int64), [], []
    expected = layout.offsets().tolist()

    def work():
        for _ in range(100):
            if layout.at_each(indices).tolist() != expected or hash(layout) != hash(Layout("(4,8):(8,1)")):
                wrong.append(layout)
            try:
                razorgirl.complement("(2,2):(1,3)", 24)
            except LayoutError as refused:
                refusals.append(refused)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(refusals) == 800
    assert {(refused.code, refused.help) for refused in refusals} == {(refusals[0].code, refusals[0].help)}


def test_a_process_that_forks():
    """What is made before a fork serves after it."""
    program = """
import os
from razorgirl import Layout
layout = Layout("(4,8):(8,1)")
child = os.fork()
if child == 0:
    os._exit(0 if layout(5) == 9 and layout.compose("(2,2):(1,4)") == Layout("(2,2):(8,1)") else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr


def test_a_second_interpreter_is_refused():
    """In a process of its own: a second interpreter that imports the module gets an ImportError, and the process goes on."""
    program = """
import razorgirl
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
second = interpreters.create()
code = '''
try:
    import razorgirl
except ImportError:
    pass
else:
    raise AssertionError("imported")
'''
failed = (interpreters.exec if hasattr(interpreters, "exec") else interpreters.run_string)(second, code)
assert failed is None, failed
print(razorgirl.Layout("4:1"))
"""
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "4:1\n"), done.stderr


def test_bytes_in_the_other_order():
    """1 in the other order is 2^56, which a large layout has too."""
    layout = Layout(2**60, 1)
    other = numpy.array([1], dtype=numpy.int64).astype(numpy.dtype("i8").newbyteorder("S"))
    with pytest.raises(TypeError, match="order of bytes"):
        layout.at_each(other)
    assert list(layout.at_each(other.astype(numpy.int64))) == [1]


def test_what_lists_itself():
    """Ranges, arrays and memoryviews stand for lists, as far as there is room; what is in them is read as ever."""
    layout = Layout("(4,8):(8,1)")
    assert razorgirl.find_layout(layout.offsets()) == razorgirl.find_layout(numpy.asarray(layout.offsets())) == layout
    assert razorgirl.find_layout(range(0, 12, 3)) == Layout("4:3")
    assert layout(numpy.array([1, 2])) == layout((1, 2)) == 10
    with pytest.raises(TypeError):
        razorgirl.find_layout(numpy.arange(4.0))
    for long in (range(2**40), numpy.broadcast_to(numpy.int64(0), 2**40), numpy.broadcast_to(numpy.int64(0), (2**20, 2**20))):
        with pytest.raises(LayoutError) as refused:
            razorgirl.find_layout(long)
        assert refused.value.code == "too_large"


def test_one_number_is_no_array():
    for single in (numpy.array(3), numpy.int64(3)):
        with pytest.raises(TypeError, match="it is one number"):
            Layout("(4,8):(8,1)").at_each(single)


def test_a_program_raises_a_refusal_of_its_own():
    error = LayoutError("mine")
    assert (str(error), error.code, error.witness, error.position, error.help) == ("mine", "", None, None, ())
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code) == ("mine", "")
