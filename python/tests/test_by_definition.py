"""Answers on layouts drawn at random, judged by enumeration alone. RAZORGIRL_CASES sets how many are drawn (60)."""

import os

import razorgirl
from hypothesis import assume, given, settings
from hypothesis import strategies as draw
from razorgirl import Layout, LayoutError
from test_layout import offsets

CASES = settings(max_examples=int(os.environ.get("RAZORGIRL_CASES", "60")), deadline=None)
EXTENT = draw.sampled_from([1, 2, 2, 3, 4, 4, 5, 6, 8])
STRIDE = draw.sampled_from([0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24])


@draw.composite
def layouts(choose, depth=2):
    """A layout of at most 3 modes, each a leaf or nested."""

    def mode(depth):
        if depth == 0 or choose(draw.integers(0, 3)):
            return choose(EXTENT), choose(STRIDE)
        modes = [mode(depth - 1) for _ in range(choose(draw.integers(1, 3)))]
        return tuple(shape for shape, _ in modes), tuple(stride for _, stride in modes)

    layout = Layout(*mode(depth))
    assume(layout.size() <= 512)
    return layout


def answered(function, *arguments):
    try:
        return function(*arguments)
    except LayoutError as refused:
        assert refused.code != "internal" and str(refused)
        return None


@CASES
@given(layouts())
def test_queries(L):
    all = offsets(L)
    assert L.offsets().tolist() == all and L.size() == len(all) and L.cosize() == max(all) + 1
    assert razorgirl.is_injective(L) == (len(set(all)) == len(all))
    assert offsets(L.coalesce()) == all == offsets(L.flatten())


@CASES
@given(layouts(), layouts())
def test_composition(A, B):
    R = answered(razorgirl.composition, A, B)
    if R is not None:
        outer = offsets(A)
        assert offsets(R) == [outer[i] for i in offsets(B)]


@CASES
@given(layouts(), draw.integers(1, 512))
def test_complement(A, N):
    C = answered(razorgirl.complement, A, N)
    if C is not None:
        reached = [a + c for c in set(offsets(C)) for a in set(offsets(A))]
        assert sorted(reached) == list(range(N)) if len(set(offsets(A))) == A.size() else len(set(reached)) == len(reached)


@CASES
@given(layouts(), layouts())
def test_division(A, T):
    D = answered(razorgirl.logical_divide, A, T)
    if D is not None:
        all = offsets(A)
        assert sorted(offsets(D)) == sorted(all)
        assert offsets(D)[: T.size()] == [all[i] for i in offsets(T)]


@CASES
@given(layouts())
def test_inverses(L):
    all = offsets(L)
    right = answered(razorgirl.right_inverse, L)
    if right is not None:
        assert [all[i] for i in offsets(right)] == list(range(right.size()))
    left = answered(razorgirl.left_inverse, L)
    if left is not None:
        back = offsets(left)
        assert all == [] or [back[o] if o < len(back) else None for o in all] == list(range(len(all)))
