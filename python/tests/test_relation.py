"""Relations there and back through isl: it reads what is printed, and what it prints is read. Each question is asked in a process that is
ended where isl takes too long; that happens, and few may be lost."""

import multiprocessing

import razorgirl
from hypothesis import given
from hypothesis import strategies as draw
from razorgirl import Layout
from test_by_definition import CASES, layouts
from test_layout import offsets

# isl has no time limit of its own that it keeps
SECONDS = 2


def answer(connection):
    import islpy as isl

    def listed(text):
        found = []
        relation = isl.Map(text)
        relation.wrap().flatten().foreach_point(
            lambda point: found.append([point.get_coordinate_val(isl.dim_type.set, at).to_python() for at in range(2)])
        )
        return sorted(found)

    def same(one, other):
        return isl.Map(one).is_equal(isl.Map(other))

    def printed(text):
        return str(isl.PwMultiAff.from_map(isl.Map(text)))

    questions = {"listed": listed, "same": same, "printed": printed}
    while True:
        name, arguments = connection.recv()
        connection.send(questions[name](*arguments))


class Isl:
    """isl, asked in another process."""

    def __init__(self):
        self.process = None
        self.asked = self.lost = 0

    def __call__(self, name, *arguments):
        if self.process is None:
            context = multiprocessing.get_context("spawn")
            self.ours, theirs = context.Pipe()
            self.process = context.Process(target=answer, args=(theirs,), daemon=True)
            self.process.start()
            # it is there once it has answered something
            self.ours.send(("listed", ("{ [c] -> [c] : 0 <= c < 2 }",)))
            assert self.ours.poll(60) and self.ours.recv() == [[0, 0], [1, 1]]
        self.asked += 1
        self.ours.send((name, arguments))
        if self.ours.poll(SECONDS):
            return self.ours.recv()
        self.process.kill()
        self.process.join()
        self.process = None
        self.lost += 1
        assert self.lost <= 5 + self.asked // 20, "isl answers too few"
        return None


isl = Isl()


@CASES
@given(layouts())
def test_isl_reads_what_is_printed(L):
    pairs = isl("listed", razorgirl.relation_of(L)["isl"])
    assert pairs in (None, [[index, offset] for index, offset in enumerate(offsets(L))])


@CASES
@given(layouts(), draw.integers(0, 3), draw.integers(0, 3), draw.integers(-4, 4))
def test_isl_reads_what_is_printed_of_swizzles(L, bits, base, shift):
    if abs(shift) < bits or L.size() > 64:
        return
    swizzled = f"Sw<{bits},{base},{shift}> o 0 o {L}"
    relation = razorgirl.relation_of(swizzled)
    pairs = isl("listed", relation["isl"])
    assert pairs in (None, [[index, image] for (index,), (image,) in relation["graph"]])


@CASES
@given(layouts())
def test_what_isl_prints_is_read(L):
    if L.size() > 64:
        return
    text = isl("printed", razorgirl.relation_of(L)["isl"])
    if text is None:
        return
    TEXTS.append(text)
    try:
        graph = razorgirl.relation_of(text)["graph"]
    except razorgirl.LayoutError as refused:
        # a text that is not of the subset is refused, never misread
        assert refused.code == "parse", text
        return
    READ.append(text)
    assert [(tuple(x), tuple(y)) for x, y in graph] == [((index,), (offset,)) for index, offset in enumerate(offsets(L))], text


TEXTS, READ = [], []


def test_isl_s_text_was_read():
    text = isl("printed", "{ [c] -> [2c + 7*floor((c)/4)] : 0 <= c < 16 }")
    assert text is not None
    graph = razorgirl.relation_of(text)["graph"]
    assert [y for _, (y,) in graph] == [2 * c + 7 * (c // 4) for c in range(16)], text
    # more than half of what isl prints is of the subset
    assert 2 * len(READ) >= len(TEXTS) > 0


def test_composites_are_isl_s():
    inner, outer = Layout("(4,2):(2,1)"), Layout("(2,4):(4,1)")
    composite = razorgirl.relation_compose(outer, inner)
    texts = [razorgirl.relation_of(layout)["isl"] for layout in (inner, outer)]
    assert isl("same", composite["isl"], texts[0]) is False
    expected = [offsets(outer)[offset] for offset in offsets(inner)]
    assert isl("listed", composite["isl"]) == [[index, offset] for index, offset in enumerate(expected)]
