//! Python that only looks wrong: what never runs, what a loop leaves behind, fields that are none, and names that mean something else.

#![allow(clippy::too_many_lines, reason = "each test is a list of programs")]

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

const HEAD: &str = "import cutlass\nimport cutlass.cute as cute\n";

/// What is found in some files; `«x»` is a layout of 64 by 64 with rows that are `x` apart, which overlaps below 64.
fn found(files: &[(&str, &str)]) -> Vec<Code> {
    let layout = |text: &str| text.replace('«', "cute.make_layout((64, 64), stride=(").replace('»', ", 1))");
    let files = files.iter().map(|(path, text)| Source::new(*path, format!("{HEAD}{}", layout(text)).into_bytes()));
    let report = audit_sources(Sources { files: files.collect(), unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0);
    report.findings.into_iter().map(|finding| finding.code).collect()
}

fn right(text: &str) {
    assert_eq!(found(&[("main.py", text)]), [], "{text}");
}

fn wrong(text: &str) {
    assert_eq!(found(&[("main.py", text)]), [Code::Overlap], "{text}");
}

#[test]
fn an_arm_that_surely_does_not_run_is_not_judged() {
    right(
        "FAST = False
@cute.jit
def f(mX):
    if cutlass.const_expr(FAST):
        return «60»
    else:
        return «64»
def main():
    f(None)
",
    );
    right(
        "FAST = False
@cute.jit
def f(mX):
    return «60» if FAST else «64»
def main():
    f(None)
",
    );
    right(
        "@cute.jit
def f(mX):
    return «64»
    x = «60»
    return x
def main():
    f(None)
",
    );
    right(
        "OLD = 0
if OLD:
    @cute.jit
    def f(mX):
        return «60»
",
    );
    right(
        "def f(n):
    return cute.make_layout((n, 64), stride=(60, 1)) if n < 2 else «64»
def main():
    f(64)
",
    );
    right(
        "FAST = False
@cute.jit
def f(mX):
    if cutlass.const_expr(not FAST):
        return «64»
    return «60»
",
    );
    right(
        "FAST = False
def f(ld):
    return «ld»
if FAST:
    f(60)
f(64)
",
    );
    right(
        r#"MODE = "wide"
def f():
    if MODE == "wide":
        l = «64»
    elif MODE == "narrow":
        l = «60»
    return l
"#,
    );
    wrong(
        "FAST = True
@cute.jit
def f(mX):
    if cutlass.const_expr(FAST):
        return «60»
    else:
        return «64»
",
    );
    wrong(
        "@cute.jit
def f(mX, fast: cutlass.Constexpr):
    if cutlass.const_expr(fast):
        return «60»
    return «64»
",
    );
    wrong(
        "FAST = True
@cute.jit
def f(mX):
    return «60» if FAST else «64»
",
    );
}

#[test]
fn behind_a_loop_its_target_is_the_last_item() {
    right(
        "ld = 60
for ld in (60, 64):
    pass
@cute.jit
def f(mX: cute.Tensor):
    return «ld»

def main():
    f(None)
",
    );
    right(
        "def pitch():
    for a in (60, 64):
        for b in (a, 64):
            pass
    return b
@cute.jit
def f(mX):
    return «pitch()»
",
    );
    right(
        "@cute.jit
def f(mX):
    for ld in (60, 64):
        pass
    return «ld»
",
    );
    right(
        "ld = 64
for ld in ():
    pass
@cute.jit
def f(mX):
    return «ld»
",
    );
    right(
        "for n, ld in ((64, 60), (64, 64)):
    pass
@cute.jit
def f(mX):
    return cute.make_layout((64, n), stride=(ld, 1))
",
    );
    right(
        "ld = 64
rows = [ld for ld in (60, 61)]
d = {ld: ld for ld in (60, 61)}
g = list(ld for ld in (60, 61))
@cute.jit
def f(mX):
    return «ld»
",
    );
    right(
        "from dataclasses import dataclass
@dataclass
class C:
    ld: int
for k in (60, 64):
    c = C(k)
@cute.jit
def f(mX):
    return «c.ld»
",
    );
    wrong(
        "for ld in (64, 60):
    pass
@cute.jit
def f(mX):
    return «ld»
def main():
    f(None)
",
    );
    wrong(
        "def lay(ld):
    return «ld»
def main():
    for ld in (64, 60):
        lay(ld)
",
    );
    wrong(
        "def pitch():
    for x in (1, 2):
        ld = 60
    return ld
@cute.jit
def f(mX):
    return «pitch()»
",
    );
}

#[test]
fn what_a_loop_body_binds_is_not_certain_behind_it() {
    right(
        "x = 60
for ld in (60, 64):
    x = ld
@cute.jit
def f(mX):
    return «x»
",
    );
    right(
        "for ld in (60, 64):
    x = ld
@cute.jit
def f(mX):
    return «x»
",
    );
    right(
        "x = 60
for ld in (64, 72):
    if ld == 64:
        x = ld
@cute.jit
def f(mX):
    return «x»
",
    );
    right(
        "def pitch():
    x = 60
    while x < 64:
        x = 64
    else:
        x = 72
    return x
@cute.jit
def f(mX):
    return «pitch()»
",
    );
}

#[test]
fn a_loop_that_may_end_before_says_nothing_of_later_items() {
    right(
        "def pitch():
    for x in (60, 64, 61):
        if x == 64:
            break
    return x
@cute.jit
def f(mX: cute.Tensor):
    return «pitch()»

def main():
    f(None)
",
    );
    right(
        "def pitch():
    for x in (64, 61):
        if x == 64:
            break
    else:
        x = 60
    return x
@cute.jit
def f(mX):
    return «pitch()»
",
    );
    right(
        "def lay(ld):
    return «ld»
def main():
    for ld in (64, 60):
        lay(ld)
        if ld == 64:
            break
",
    );
    right(
        "def lay():
    for ld in (64, 60):
        if ld % 32 == 0:
            return «ld»
def main():
    lay()
",
    );
    wrong(
        "def lay(ld):
    return «ld»
def main():
    for ld in (64, 60):
        if not lay(ld):
            raise ValueError(ld)
",
    );
}

#[test]
fn only_fields_of_a_data_class_are_counted() {
    right(
        "from dataclasses import dataclass
from typing import ClassVar
@dataclass
class C:
    PAD: ClassVar[int] = 60
    ld: int = 60
c = C(64)
@cute.jit
def f(mX: cute.Tensor):
    return «c.ld»

def main():
    f(None)
",
    );
    right(
        "from dataclasses import dataclass, InitVar
@dataclass
class C:
    pad: InitVar[int]
    ld: int = 60
    def __post_init__(self, pad):
        pass
c = C(60, 64)
@cute.jit
def f(mX):
    return «c.ld»
",
    );
    right(
        "import dataclasses
@dataclasses.dataclass
class C:
    pad: dataclasses.InitVar[int] = 60
    ld: int = 60
@cute.jit
def f(c: cutlass.Constexpr):
    return «c.ld»
def main():
    f(C(60, 64))
",
    );
    right(
        "from dataclasses import dataclass, field
@dataclass
class C:
    pad: int = field(init=False, default=4)
    ld: int = 60
c = C(64)
@cute.jit
def f(mX):
    return «c.ld»
",
    );
    right(
        "from dataclasses import dataclass, KW_ONLY
@dataclass
class A:
    _: KW_ONLY
    pad: int = 60
@dataclass
class C(A):
    ld: int = 60
c = C(64, pad=60)
@cute.jit
def f(mX):
    return «c.ld»
",
    );
    right(
        "from dataclasses import dataclass, field
@dataclass
class C:
    pad: int = field(kw_only=True, default=60)
    ld: int = 60
c = C(64, pad=60)
@cute.jit
def f(mX):
    return «c.ld»
",
    );
    right(
        "from dataclasses import dataclass
@dataclass(kw_only=True)
class A:
    pad: int = 60
@dataclass
class C(A):
    ld: int = 60
c = C(64, pad=60)
@cute.jit
def f(mX):
    return «c.ld»
",
    );
    right(
        r#"from dataclasses import dataclass
import typing
@dataclass
class C:
    PAD: "typing.ClassVar[int]" = 60
    ld: int = 60
c = C(64)
@cute.jit
def f(mX):
    return «c.ld»
"#,
    );
    right(
        "from dataclasses import dataclass
class M:
    pad: int = 60
@dataclass
class C(M):
    ld: int = 60
c = C(64)
@cute.jit
def f(mX):
    return «c.ld»
",
    );
    wrong(
        "from dataclasses import dataclass
from typing import ClassVar
@dataclass
class C:
    PAD: ClassVar[int] = 64
    ld: int = 64
c = C(60)
@cute.jit
def f(mX):
    return «c.ld»
def main():
    f(None)
",
    );
    wrong(
        "from dataclasses import dataclass
from typing import ClassVar
@dataclass
class C:
    PAD: ClassVar[int] = 60
    ld: int = 64
c = C(64)
@cute.jit
def f(mX):
    return «c.PAD»
def main():
    f(None)
",
    );
}

#[test]
fn a_field_stays_whatever_a_class_without_fields_says() {
    right(
        "from dataclasses import dataclass
@dataclass
class C:
    ld: int = 64
class D(C):
    ld = 60
d = D()
@cute.jit
def f(mX):
    return «d.ld»
",
    );
    right(
        "from dataclasses import dataclass
@dataclass
class C:
    ld: int = 64
@dataclass
class D(C):
    ld = 60
d = D()
@cute.jit
def f(mX):
    return «d.ld»
",
    );
}

#[test]
fn what_is_given_later_counts_before_what_a_partial_gives() {
    right(
        "from functools import partial
def lay(n, ld):
    return cute.make_layout((64, n), stride=(ld, 1))
g = partial(lay, 64, ld=60)
def main():
    g(ld=64)
",
    );
    right(
        "from functools import partial
def lay(n, ld):
    return cute.make_layout((64, n), stride=(ld, 1))
g = partial(lay, 64, ld=60)
h = partial(g, ld=64)
def main():
    h()
",
    );
    right(
        "import functools
def lay(n, ld=60):
    return cute.make_layout((64, n), stride=(ld, 1))
def main():
    g = functools.partial(lay, ld=60)
    g(64, ld=64)
    g(64, ld=72)
",
    );
    wrong(
        "from functools import partial
def lay(n, ld):
    return cute.make_layout((64, n), stride=(ld, 1))
g = partial(lay, 64, ld=60)
def main():
    g()
",
    );
    wrong(
        "from functools import partial
def lay(n, ld):
    return cute.make_layout((64, n), stride=(ld, 1))
g = partial(lay, 64, ld=64)
def main():
    g(ld=60)
",
    );
}

#[test]
fn a_base_by_another_name_is_one() {
    let files = [
        (
            "a.py",
            "from b import K as Base
class K(Base):
    ld = 64
",
        ),
        (
            "b.py",
            "class K:
    m = 64
    n = 64
    ld = 60

    @cute.jit
    def __call__(self, mX: cute.Tensor):
        layout = cute.make_layout((self.m, self.n), stride=(self.ld, 1))
        return layout
",
        ),
        (
            "main.py",
            "from a import K
def main():
    K()(None)
",
        ),
    ];
    assert_eq!(found(&files), []);
    let files = [
        (
            "b.py",
            "class K:
    m = 64
    n = 64
    ld = 60
    @cute.jit
    def __call__(self, mX: cute.Tensor):
        return cute.make_layout((self.m, self.n), stride=(self.ld, 1))
",
        ),
        (
            "main.py",
            "import b
Base = b.K
class K(Base):
    ld = 64
def main():
    K()(None)
",
        ),
    ];
    assert_eq!(found(&files), []);
    let files = [
        (
            "main.py",
            "from p import Kernel as Base
class K(Base):
    ld = 64
def main():
    K()(None)
",
        ),
        (
            "p/__init__.py",
            "from .b import K as Kernel
",
        ),
        (
            "p/b.py",
            "class K:
    m = 64
    n = 64
    ld = 60
    @cute.jit
    def __call__(self, mX: cute.Tensor):
        return cute.make_layout((self.m, self.n), stride=(self.ld, 1))
",
        ),
    ];
    assert_eq!(found(&files), []);
}

#[test]
fn what_is_made_into_something_else_is_not_known() {
    right(
        "import functools
def default_ld(v):
    def deco(g):
        @functools.wraps(g)
        def h(mX, ld=v):
            return g(mX, ld)
        return h
    return deco
@default_ld(64)
def f(mX, ld=60):
    return «ld»
def main():
    f(None)
",
    );
    let files = [
        (
            "cfg.py",
            "def pitch():
    return 60
",
        ),
        (
            "main.py",
            "import cfg
def wide():
    return 64
cfg.pitch = wide
@cute.jit
def f(mX: cute.Tensor):
    return «cfg.pitch()»

def main():
    f(None)
",
        ),
    ];
    assert_eq!(found(&files), []);
    right(
        "class B:
    m = 64
    n = 64
    ld = 60
    def __new__(cls):
        return object.__new__(K)

    @cute.jit
    def __call__(self, mX: cute.Tensor):
        layout = cute.make_layout((self.m, self.n), stride=(self.ld, 1))
        return layout

class K(B):
    ld = 64
def main():
    B()(None)
",
    );
    let files = [
        (
            "cfg.py",
            "class C:
    ld = 60
",
        ),
        (
            "main.py",
            "import cfg
class D:
    ld = 64
cfg.C = D
@cute.jit
def f(mX):
    return «cfg.C.ld»
",
        ),
    ];
    assert_eq!(found(&files), []);
    let files = [
        (
            "cfg.py",
            "def pitch():
    return 60
",
        ),
        (
            "main.py",
            r#"import cfg
setattr(cfg, "pitch", lambda: 64)
@cute.jit
def f(mX):
    return «cfg.pitch()»
"#,
        ),
    ];
    assert_eq!(found(&files), []);
    right(
        "class B:
    ld = 60
    def __new__(cls, wide):
        if wide:
            return K(wide)
        return super().__new__(cls)
    @cute.jit
    def __call__(self, mX):
        return «self.ld»
class K:
    ld = 64
    def __init__(self, wide):
        pass
def main():
    B(True)
",
    );
    right(
        "def wide(g):
    def h(*args, **kwargs):
        return g(*args, ld=64, **kwargs)
    return h
@wide
def f(mX, ld=60):
    return «ld»
def main():
    f(None)
",
    );
    wrong(
        "def register(g):
    return g
@register
def f(mX, ld=60):
    return «ld»
def main():
    f(None)
",
    );
    wrong(
        "class B:
    ld = 60
    def __new__(cls):
        return super().__new__(cls)
    @cute.jit
    def __call__(self, mX):
        return «self.ld»
def main():
    B()(None)
",
    );
}

#[test]
fn what_is_to_be_refused_is_left_out() {
    right(
        "import pytest
def test_it():
    bad = «60»
    with pytest.raises(ValueError):
        check(bad)
def test_more():
    with pytest.raises(ValueError):
        «60»
",
    );
    wrong(
        "import pytest
def test_it():
    bad = «60»
    use(bad)
    with pytest.raises(ValueError):
        check(bad)
",
    );
}

#[test]
fn more_of_python_is_followed() {
    wrong(
        "class K:
    m, n = 64, 64
    ld = 60
    @cute.jit
    def __call__(self, mX):
        return cute.make_layout((self.m, self.n), stride=(self.ld, 1))
def main():
    K()(None)
",
    );
    wrong(
        "class B:
    def __init__(self, n, ld):
        self.m = 64
        self.n = n
        self.ld = ld
    @cute.jit
    def __call__(self, mX):
        return cute.make_layout((self.m, self.n), stride=(self.ld, 1))
class K(B):
    def __init__(self, n):
        super().__init__(n, ld=n - 4)
k = K(64)
",
    );
    wrong(
        "class K:
    @cute.jit
    def __call__(self, mX: cute.Tensor, ld: cutlass.Constexpr[int]):
        return «ld»
def main(mX):
    return cute.compile(K(), mX, 60)
",
    );
    wrong(
        "class K:
    @cute.jit
    def __call__(self, mX: cute.Tensor, ld: cutlass.Constexpr[int]):
        return «ld»
def main(mX):
    k = K()
    k(mX, 60)
",
    );
    wrong(
        "@cute.jit
def f(mX):
    ld = 64
    ld -= 4
    return «ld»
",
    );
    wrong(
        "T = (1, 60)
@cute.jit
def f(mX):
    return cute.make_layout((64, 64), stride=T[::-1])
",
    );
    wrong(
        "@cute.jit
def f(mX):
    return «min([60, 64])»
",
    );
    wrong(
        "@cute.jit
def f(mX):
    return «(63).bit_length() * 10»
",
    );
    wrong(
        "class K:
    m = 64
    LD = 60
    @property
    def ld(self):
        return self.__class__.LD
    @cute.jit
    def __call__(self, mX):
        return cute.make_layout((self.m, self.m), stride=(self.ld, 1))
",
    );
    wrong(
        "class K:
    m = 64
    LD = 60
    @property
    def ld(self):
        return type(self).LD
    @cute.jit
    def __call__(self, mX):
        return cute.make_layout((self.m, self.m), stride=(self.ld, 1))
",
    );
}

/// What is found in a file of Gluon.
fn gluon(text: &str) -> Vec<Code> {
    let head =
        "import pytest\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n";
    let files = vec![Source::new("main.py", format!("{head}{text}").into_bytes())];
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    report.findings.into_iter().map(|finding| finding.code).collect()
}

#[test]
fn a_layout_that_is_only_made_linear_needs_no_warp() {
    let test = |body: &str| {
        format!(
            "@pytest.mark.parametrize(\"layout\", [(gl.BlockedLayout([1], [4], [4], [0]))])\ndef test_it(layout):\n    \
             @gluon.jit\n    def kernel(layout: gl.constexpr):\n        {body}\n    run(kernel, layout)\n"
        )
    };
    assert_eq!(gluon(&test("x: gl.constexpr = gl.to_linear_layout(layout, [16])")), []);
    assert_eq!(gluon(&test("x = gl.arange(0, 16, layout=layout)")), [Code::GluonLayout]);
    let kernel = |body: &str| {
        format!("@gluon.jit\ndef kernel():\n    l: gl.constexpr = gl.BlockedLayout([1], [4], [4], [0])\n    {body}\n")
    };
    assert_eq!(gluon(&kernel("x: gl.constexpr = gl.to_linear_layout(l, [16])")), []);
    let both = "x: gl.constexpr = gl.to_linear_layout(l, [16])\n    y = gl.arange(0, 16, layout=l)";
    assert_eq!(gluon(&kernel(both)), [Code::GluonLayout]);
    // Triton refuses this for any use of it.
    let order = "x = gl.to_linear_layout(gl.BlockedLayout([1], [4], [4], [1]), [16])\n";
    assert_eq!(gluon(order), [Code::GluonLayout]);
}

#[test]
fn a_layout_that_is_only_asked_for_its_shape_is_in_no_kernel() {
    assert_eq!(gluon("def test_it():\n    assert gl.SharedLinearLayout([[4]]).shape == [8]\n"), []);
    let named = "def test_it(run):\n    l = gl.SharedLinearLayout([[4]])\n    assert l.shape == [8]\n";
    assert_eq!(gluon(named), []);
    assert_eq!(gluon(&format!("{named}    run(l)\n")), [Code::GluonBases]);
    assert_eq!(gluon("def test_it(run):\n    run(gl.SharedLinearLayout([[4]]))\n"), [Code::GluonBases]);
}

#[test]
fn what_a_test_wants_to_be_refused_is_left_out() {
    let test = |rest: &str| {
        format!(
            "def test_it():\n    @gluon.jit\n    def kernel():\n        \
             gl.arange(0, 1, layout=gl.BlockedLayout([1], [32], [4], [1]))\n{rest}"
        )
    };
    let raises = "    with pytest.raises(CompilationError) as e:\n        run(kernel)\n";
    assert_eq!(gluon(&test(raises)), []);
    assert_eq!(gluon(&test(&format!("    run(kernel)\n{raises}"))), [Code::GluonLayout]);
    assert_eq!(gluon(&test("    with pytest.warns(UserWarning):\n        run(kernel)\n")), [Code::GluonLayout]);
}

#[test]
fn arguments_that_are_unpacked_are_placed() {
    assert_eq!(
        gluon("A = dict(swizzle_byte_width=256, element_bitwidth=16, rank=2)\nx = gl.NVMMASharedLayout(**A)\n"),
        [Code::GluonLayout]
    );
    assert_eq!(gluon("T = ([1, 4], [8, 16], [4, 1], [1, 0])\nx = gl.BlockedLayout(*T)\n"), [Code::GluonLayout]);
    assert_eq!(gluon("def f(A):\n    return gl.NVMMASharedLayout(256, **A)\n"), []);
}

#[test]
fn what_is_passed_elsewhere_by_a_name_is_a_guess() {
    let bench = "import triton.experimental.gluon.language as gl\ndef kernel(BLOCK: gl.constexpr):\n    \
                 x: gl.constexpr = gl.SwizzledSharedLayout(8, BLOCK // 16, 8, [1, 0])\ndef benchmark(args):\n    \
                 def bench(block_size: int):\n        kernel[(1,)](BLOCK=block_size)\n    bench.run(args)\n";
    let other = "import triton.experimental.gluon.language as gl\ndef data(block_size=8):\n    return block_size\n";
    let codes = |bench: &str| {
        let files = [("bench.py", bench), ("other.py", other)];
        let files = files.map(|(path, text)| Source::new(path, text.as_bytes().to_vec())).to_vec();
        let report = audit_sources(Sources { files, unreadable: vec![] }, None);
        report.findings.into_iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(bench), []);
    // One that imports the other one may mean the same; that it does is a guess.
    assert_eq!(codes(&format!("import other\n{bench}")), []);
    assert_eq!(codes(&bench.replace("BLOCK=block_size", "BLOCK=8")), [Code::GluonLayout]);
}

/// An arm whose test does not hold for one object or call is not judged with the numbers of that.
#[test]
fn arms_of_other_objects_and_calls() {
    let class = |test: &str, calls: &str| {
        format!(
            "class K:
    def __init__(self, dtype, ld, padded=False):
        self.dtype, self.ld, self.padded = dtype, ld, padded
    @cute.jit
    def __call__(self, mX):
        if cutlass.const_expr({test}):
            return «self.ld»
        return «64»
def main():
    {calls}
"
        )
    };
    let calls = "K(cutlass.Float16, 72, True)(None)\n    K(cutlass.Float32, 60, False)(None)";
    for test in ["self.padded", "self.dtype.width == 16", "self.padded and self.dtype.width == 16"] {
        right(&class(test, calls));
        wrong(&class(test, &calls.replace("72", "56")));
    }
    wrong(&class("self.dtype.width == 32", calls));
    let function = |calls: &str| {
        format!(
            "@cute.jit
def f(mX, ld: cutlass.Constexpr, row: cutlass.Constexpr):
    if cutlass.const_expr(row):
        return «ld»
def main():
    {calls}
"
        )
    };
    right(&function("f(None, 72, True)\n    f(None, 60, False)"));
    wrong(&function("f(None, 72, False)\n    f(None, 60, True)"));
    // A class with a subscript is that class.
    let generic = |ld: u64| {
        format!(
            "class Base(Generic[X]):
    ld = 60
    @cute.jit
    def __call__(self, mX):
        return «self.ld»
class K(Base[int]):
    ld = {ld}
def main():
    K()(None)
"
        )
    };
    right(&generic(64));
    wrong(&generic(56));
}

/// Values of an arm that does not lead to a call are none of its object, whatever else is chosen.
#[test]
fn what_does_not_lead_to_a_call_is_not_tried_with_it() {
    let shapes = |guarded: u32| {
        let text = format!(
            "{HEAD}from dataclasses import dataclass
@dataclass
class Cfg:
    m: int
    n: int
def tile(d, causal, sparse=None):
    if d <= 64:
        return Cfg(64, 96)
    if causal:
        return Cfg(80, 96)
    return Cfg(64, 48)
class K:
    def __init__(self, m, two):
        self.m = m
        self.stage = 1 if two else 2
    @cute.jit
    def __call__(self, mX: cute.Tensor):
        return cute.make_layout((self.m, self.stage))
def f(q, causal):
    arch = pick()
    sq = None
    if q.shape[1] == 4:
        sq = 4
    elif arch // 10 == 9:
        sq = 8
    if arch // 10 == 12:
        m = 64
        two = False
    elif arch // 10 == 9:
        cfg = tile(q.shape[0], causal, sparse=sq)
        m = cfg.m
        two = False
    else:
        m = 128
        two = q.shape[0] > 64
    if arch // 10 in [8, {guarded}]:
        pass
    elif arch // 10 == 9:
        pass
    else:
        K(m, two)
"
        );
        let files = vec![Source::new("main.py", text.into_bytes())];
        let report = audit_sources(Sources { files, unreadable: vec![] }, None);
        let mut shapes: Vec<String> = report.known.iter().map(|known| known.shape.to_string()).collect();
        shapes.sort();
        shapes
    };
    assert_eq!(shapes(12), ["(128,1)", "(128,2)"]);
    assert_eq!(shapes(11), ["(128,1)", "(128,2)", "(64,2)"]);
}
