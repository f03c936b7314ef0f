//! What a program in Python has on purpose, or what is only guessed, is no finding; beside each such program stands one with the defect.

#![allow(clippy::too_many_lines, reason = "each test is a list of programs")]

use crate::common;

use common::{found, python, silent};
use razorgirl_audit::finding::Code;

const GLUON: &str = "import contextlib, pytest, unittest\nfrom triton.experimental import gluon\n\
                     from triton.experimental.gluon import language as gl\n";
const CUTE: &str = "import pytest, lib\nimport cutlass\nimport cutlass.cute as cute\nfrom cutlass import Float16\n";

/// A layout whose order is no permutation.
const BAD: &str = "gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])";

/// What something else gets by the same name is no value of a parameter that nobody is seen to pass.
#[test]
fn values_of_other_functions_are_guesses() {
    let other = "def other(N, ld):\n    return N + ld\nother(N=100, ld=3)\n";
    let padded = "gl.PaddedSharedLayout.with_identity_for([[32, 4]], [64, N], [1, 0])";
    silent(GLUON, &format!("{other}def f(N):\n    return {padded}\n"));
    let test = "@pytest.mark.parametrize('N', [64, 128])\ndef test_f(N):\n    ";
    silent(GLUON, &format!("{other}{test}{padded}\n"));
    found(GLUON, &format!("{other}def f(N):\n    return {padded}\nf(100)\n"), Code::GluonLayout);
    let rows = "cute.make_layout((8, 64), stride=(ld, 1))";
    silent(CUTE, &format!("{other}def f(ld):\n    return {rows}\n"));
    found(CUTE, &format!("{other}def f(ld):\n    return {rows}\nf(3)\n"), Code::Overlap);
    let threads = "cute.make_layout_tv(cute.make_layout((8, 8), stride=(N, 1)), cute.make_layout((1, 4)))";
    silent(CUTE, &format!("{other}def f(N):\n    return {threads}\n"));
    assert!(!python(CUTE, &format!("{other}def f(N):\n    return {threads}\nf(100)\n")).is_empty());
    // What the function itself says of it is none.
    found(CUTE, &format!("def f(ld):\n    assert ld in (3, 5)\n    return {rows}\n"), Code::Overlap);
    silent(CUTE, &format!("def f(ld):\n    assert ld in (3, 64)\n    return {rows}\n"));
}

/// A test that wants something refused, in the words that tests have for it.
#[test]
fn tests_that_want_something_refused() {
    for text in [
        format!("@pytest.mark.xfail\ndef test_f():\n    {BAD}\n"),
        format!("@pytest.mark.xfail(strict=True, reason='x')\ndef test_f():\n    {BAD}\n"),
        format!("@pytest.mark.skip(reason='x')\ndef test_f():\n    {BAD}\n"),
        format!("class T(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_f(self):\n        {BAD}\n"),
        format!(
            "class T(unittest.TestCase):\n    def test_f(self):\n        self.assertRaises(ValueError, lambda: {BAD})\n"
        ),
        format!("def f():\n    try:\n        {BAD}\n    except Exception as e:\n        assert 'order' in str(e)\n"),
        format!(
            "def f():\n    try:\n        return {BAD}\n    except (KeyError, AssertionError):\n        return None\n"
        ),
        format!("def f():\n    try:\n        {BAD}\n    except:\n        pass\n"),
        format!(
            "def bad():\n    return {BAD}\ndef test_f():\n    with pytest.raises(AssertionError):\n        bad()\n"
        ),
        format!("bad = {BAD}\ndef test_f():\n    with pytest.raises(AssertionError):\n        use(bad)\n"),
        format!("def test_f():\n    with contextlib.suppress(AssertionError):\n        {BAD}\n"),
        format!(
            "@pytest.mark.parametrize('f', [pytest.param(lambda: {BAD}, marks=pytest.mark.xfail)])\ndef test_f(f):\n    f()\n"
        ),
        format!(
            "ALL = [lambda: {BAD}]\n@pytest.mark.parametrize('f', ALL)\ndef test_f(f):\n    with pytest.raises(Exception):\n        f()\n"
        ),
        format!(
            "@pytest.fixture\ndef refused():\n    with pytest.raises(Exception):\n        yield\ndef test_f(refused):\n    {BAD}\n"
        ),
    ] {
        silent(GLUON, &text);
    }
    let expects = "def expects(f):\n    with pytest.raises(AssertionError):\n        f()\n";
    silent(GLUON, &format!("{expects}def test_f():\n    expects(lambda: {BAD})\n"));
    let calls = expects.replace("with pytest.raises(AssertionError)", "if True");
    found(GLUON, &format!("{calls}def test_f():\n    expects(lambda: {BAD})\n"), Code::GluonLayout);
    for text in [
        format!("@pytest.mark.slow\ndef test_f():\n    {BAD}\n"),
        format!("L = [pytest.param(4, marks=pytest.mark.xfail), {BAD}]\n"),
        format!("L = [pytest.param({BAD}, marks=pytest.mark.slow)]\n"),
        format!("@pytest.mark.xfail(is_hip(), reason='x')\ndef test_f():\n    {BAD}\n"),
        format!("@pytest.mark.skipif(is_hip())\ndef test_f():\n    {BAD}\n"),
        format!("def f():\n    map(print, lambda: {BAD})\n"),
        format!("def f():\n    try:\n        {BAD}\n    except ImportError:\n        pass\n"),
        format!("def f():\n    try:\n        {BAD}\n    except Exception as e:\n        raise ValueError from e\n"),
        format!("def f():\n    try:\n        {BAD}\n    finally:\n        pass\n"),
        format!("def f():\n    try:\n        pass\n    except Exception:\n        {BAD}\n"),
        format!(
            "def bad():\n    return {BAD}\ndef test_f():\n    with pytest.raises(AssertionError):\n        bad()\n    bad()\n"
        ),
    ] {
        found(GLUON, &text, Code::GluonLayout);
    }
}

/// A layout of the file itself does not use up what is looked at for the others.
#[test]
fn layouts_of_files_cost_what_they_are() {
    let plain = "L = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 0])\n".repeat(8);
    let refused = format!("def test_f():\n    with pytest.raises(AssertionError):\n        {BAD}\n");
    let linear = "@pytest.mark.parametrize('layout', [gl.BlockedLayout([1], [4], [4], [0])])\ndef test_g(layout):\n    \
                  gl.to_linear_layout(layout, [16])\n";
    silent(GLUON, &format!("{plain}{refused}{linear}if False:\n    {BAD}\n"));
    found(GLUON, &format!("{plain}{refused}{linear}if True:\n    {BAD}\n"), Code::GluonLayout);
}

/// Triton takes such a parent, which it would refuse by itself (3.5).
#[test]
fn parents_of_operands_of_three_dimensions() {
    let operand = |shape: &str| {
        let parent = format!("gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1, 1], instr_shape={shape})");
        format!("L = gl.DotOperandLayout(parent={parent}, operand_index=0, k_width=2)\n")
    };
    silent(GLUON, &operand("[16, 32, 16]"));
    // N of wgmma is a multiple of 8.
    found(GLUON, &operand("[16, 33, 16]"), Code::GluonLayout);
}

/// A kernel that takes slices of one tiled copy in several places, the rest of them for the threads that the block does not have.
#[test]
fn slices_elsewhere() {
    let program = |kernel: &str, helper: &str, block: u32| {
        format!(
            "class K:
    {helper}
    @cute.kernel
    def kernel(self, x: cute.Tensor, y: cute.Tensor, tc: cute.TiledCopy):
        tidx, _, _ = cute.arch.thread_idx()
        thr = tc.get_slice(tidx)
        cute.copy(tc, thr.partition_S(x), thr.partition_D(y))
        {kernel}
    @cute.jit
    def run(self, x: cute.Tensor, y: cute.Tensor):
        atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float16, num_bits_per_copy=64)
        tc = cute.make_tiled_copy_tv(atom, cute.make_layout((32, 8), stride=(8, 1)), cute.make_layout((1, 4)))
        self.kernel(x, y, tc).launch(grid=(1, 1, 1), block=({block}, 1, 1))
"
        )
    };
    let helper = |body: &str| format!("@cute.jit\n    def half(self, tiled, tidx, x, y):\n        {body}");
    let slices = helper("t = tiled.get_slice(tidx + 128)");
    let hands_on = format!(
        "{}\n    {}",
        helper("self.other(tiled, tidx)"),
        "def other(self, a, b):\n        a.get_slice(b + 128)"
    );
    let reads = helper("cute.copy(tiled, x, y)");
    for (kernel, helper) in [
        ("self.half(tc, tidx, x, y)", &*slices),
        ("self.half(tiled=tc, tidx=tidx, x=x, y=y)", &slices),
        ("self.half(tc, tidx, x, y)", &hands_on),
        ("lib.half(tc, tidx)", ""),
        ("thr = lib.half(tidx, tiled=tc)", ""),
        ("other = tc\n        t = other.get_slice(tidx + 128)", ""),
        ("t = tc.get_slice(tidx + 128)", ""),
        ("both = [tc, tc]\n        t = both[0].get_slice(tidx + 128)", ""),
        ("pair = (tc, tidx + 128)\n        t = pair[0].get_slice(pair[1])", ""),
        ("pair = tc, tidx + 128\n        t = pair[0].get_slice(pair[1])", ""),
        ("for one in (tc, tc):\n            t = one.get_slice(tidx + 128)", ""),
        ("self.kept = tc", ""),
        ("other = tc\n        if tidx:\n            other = y\n        t = other.get_slice(tidx + 128)", ""),
        ("t = (tc if tidx else tc).get_slice(tidx + 128)", ""),
    ] {
        silent(CUTE, &program(kernel, helper, 128));
    }
    for (kernel, helper) in [
        ("pass", ""),
        ("n = tc.size", ""),
        ("n = cute.size(tc)\n        cute.copy(\n            tc,\n            x,\n            y,\n        )", ""),
        ("same = tc\n        cute.copy(same, x, y)", ""),
        ("self.half(tc, tidx, x, y)", &*reads),
        ("self.half(x, tidx, x, y)", &slices),
        ("other = y\n        t = other.get_slice(tidx + 128)", ""),
    ] {
        found(CUTE, &program(kernel, helper, 128), Code::BlockThreads);
        silent(CUTE, &program(kernel, helper, 256));
    }
}

/// Two layouts of threads may be one in other words.
#[test]
fn partitions_elsewhere() {
    let program = |more: &str, block: u32| {
        format!(
            "@cute.kernel
def kernel(x: cute.Tensor, y: cute.Tensor):
    tidx, _, _ = cute.arch.thread_idx()
    a = cute.local_partition(x, cute.make_layout((32, 8), stride=(8, 1)), tidx)
    {more}
@cute.jit
def run(x: cute.Tensor, y: cute.Tensor):
    kernel(x, y).launch(grid=(1, 1, 1), block=({block}, 1, 1))
"
        )
    };
    silent(CUTE, &program("b = cute.local_partition(x, cute.make_layout((32,8), stride=(8,1)), tidx + 128)", 128));
    silent(
        CUTE,
        &program("b = cute.local_partition(x, cute.make_layout((32,8), stride=(8,1)), index=tidx + 128)", 128),
    );
    found(CUTE, &program("pass", 128), Code::BlockThreads);
    silent(CUTE, &program("pass", 256));
}

/// What only a type checker reads, and the arm of an expression that is never taken.
#[test]
fn code_that_never_runs() {
    for (head, name) in
        [("from typing import TYPE_CHECKING\n", "TYPE_CHECKING"), ("import typing\n", "typing.TYPE_CHECKING")]
    {
        let bad = "cute.make_layout((4, 8), stride=(1,))";
        silent(CUTE, &format!("{head}if {name}:\n    a = {bad}\n"));
        silent(CUTE, &format!("{head}if not {name}:\n    pass\nelse:\n    a = {bad}\n"));
        found(CUTE, &format!("{head}if not {name}:\n    a = {bad}\n"), Code::Incongruent);
        silent(CUTE, &format!("{head}{bad} if False else None\nNone if True else {bad}\n"));
        found(CUTE, &format!("{head}{bad} if True else None\n"), Code::Incongruent);
        found(CUTE, &format!("{head}None if False else {bad}\n"), Code::Incongruent);
        // Somebody's own name may be anything.
        found(
            CUTE,
            &format!("{head}def f(TYPE_CHECKING):\n    if TYPE_CHECKING:\n        a = {bad}\n"),
            Code::Incongruent,
        );
    }
}
