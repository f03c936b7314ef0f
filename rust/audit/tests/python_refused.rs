//! What a test wants refused, what it has replaced, and what a condition on the thread copies on purpose: nothing is said of these.

use crate::common;

use common::{found, python_files, silent};
use razorgirl_audit::finding::Code;

const GLUON: &str = "import contextlib, functools, pytest, unittest\nfrom unittest import mock\n\
                     from triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n";

const CUTE: &str = "import cutlass\nimport cutlass.cute as cute\nfrom cutlass import Float16\n";

/// A layout that is wrong on purpose, in the words that tests have for that.
const REFUSED: &[&str] = &[
    r"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
def test_bad():
    with pytest.raises(AssertionError):
        make([1, 1])
def test_good():
    make([1, 0])
",
    r"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
def outer(order):
    return make(order)
def test_bad():
    with pytest.raises(AssertionError):
        outer([1, 1])
def test_good():
    outer([1, 0])
",
    r"def make():
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
def outer():
    return make()
def test_bad():
    with pytest.raises(AssertionError):
        outer()
",
    r"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
def test_bad():
    pytest.raises(AssertionError, make, [1, 1])
def test_good():
    make([1, 0])
",
    r"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
@pytest.mark.xfail
def test_bad():
    make([1, 1])
def test_good():
    make([1, 0])
",
    r"def make():
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
@pytest.mark.xfail
def test_bad():
    make()
",
    r"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
def test_bad():
    try:
        make([1, 1])
    except AssertionError:
        pass
    else:
        assert False
def test_good():
    make([1, 0])
",
    r"@gluon.jit
def kernel(p):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
    o = gl.zeros([32, 4], gl.float32, layout)
def run(p):
    kernel[(1,)](p)
def test_bad():
    with pytest.raises(Exception):
        run(None)
",
    r"@gluon.jit
def kernel(p, order: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
    o = gl.zeros([32, 4], gl.float32, layout)
def run(p, order):
    kernel[(1,)](p, order)
def test_bad():
    with pytest.raises(Exception):
        run(None, [1, 1])
def test_good():
    run(None, [1, 0])
",
    r#"@pytest.mark.parametrize("order, expectation", [([1, 0], contextlib.nullcontext()), ([1, 1], pytest.raises(AssertionError))])
def test_orders(order, expectation):
    with expectation:
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
"#,
    r#"@pytest.mark.parametrize("order, ok", [([1, 0], True), ([1, 1], False)])
def test_orders(order, ok):
    context = contextlib.nullcontext() if ok else pytest.raises(AssertionError)
    with context:
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
"#,
    r#"@pytest.mark.parametrize("order, ok", [([1, 0], True), ([1, 1], False)])
def test_orders(order, ok):
    if not ok:
        with pytest.raises(AssertionError):
            gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
        return
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
"#,
    r#"@pytest.mark.parametrize("order, ok", [([1, 0], True), ([1, 1], False)])
def test_orders(order, ok):
    with contextlib.nullcontext() if ok else pytest.raises(AssertionError):
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
"#,
    r#"@pytest.mark.parametrize("order, ok", [([1, 0], True), ([1, 1], False)])
def test_orders(order, ok):
    with contextlib.ExitStack() as stack:
        if not ok:
            stack.enter_context(pytest.raises(AssertionError))
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
"#,
    r"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
BAD = [[1, 1], [0, 0]]
def test_bad():
    for order in BAD:
        with pytest.raises(AssertionError):
            make(order)
def test_good():
    make([1, 0])
",
    r"def test_bad():
    for order in [[1, 1], [0, 0]]:
        with pytest.raises(AssertionError):
            gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
",
    r#"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
@pytest.mark.parametrize("order", [[1, 1], [0, 0]])
def test_bad(order):
    with pytest.raises(AssertionError):
        make(order)
@pytest.mark.parametrize("order", [[1, 0], [0, 1]])
def test_good(order):
    make(order)
"#,
    r"class T(unittest.TestCase):
    def make(self, order):
        return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
    def test_bad(self):
        with self.assertRaises(AssertionError):
            self.make([1, 1])
    def test_bad2(self):
        self.assertRaises(AssertionError, self.make, [1, 1])
    def test_good(self):
        self.make([1, 0])
",
    r"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
def test_bad():
    f = functools.partial(make, [1, 1])
    with pytest.raises(AssertionError):
        f()
def test_good():
    make([1, 0])
",
    r"def make(order=(1, 1)):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
def test_bad():
    with pytest.raises(AssertionError):
        make()
def test_good():
    make([1, 0])
",
    r#"def test_bad():
    with pytest.raises(AssertionError) as why:
        layout = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
    assert "order" in str(why.value)
"#,
    r"from pytest import raises as expect_error
def test_bad():
    with expect_error(AssertionError):
        layout = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
",
    r#"from triton.compiler.errors import CompilationError
@gluon.jit
def kernel(p):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
    o = gl.zeros([32, 4], gl.float32, layout)
def test_bad():
    try:
        kernel[(1,)](None)
        assert False
    except CompilationError as e:
        assert "order" in str(e)
"#,
    r"class LayoutError(Exception):
    pass
def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
def safe(order):
    try:
        return make(order)
    except (AssertionError, ValueError):
        return None
safe([1, 1])
safe([1, 0])
",
    r#"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
@pytest.mark.parametrize("order", [[1, 0], pytest.param([1, 1], marks=pytest.mark.xfail)])
def test_orders(order):
    make(order)
"#,
    r"pytestmark = pytest.mark.xfail
def test_orders():
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
",
    r#"@pytest.mark.xfail(reason="not yet")
class TestX:
    def test_orders(self):
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"def test_orders():
    pytest.xfail("refused")
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"def test_orders():
    pytest.skip("refused")
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r"def expects_error(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        with pytest.raises(Exception):
            f(*args, **kwargs)
    return inner
@expects_error
def test_orders():
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
",
    r"@contextlib.contextmanager
def expect_error():
    try:
        yield
    except AssertionError:
        pass
def test_orders():
    with expect_error():
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
",
    r"@contextlib.contextmanager
def expect_error():
    with pytest.raises(Exception) as why:
        yield why
def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
def test_orders():
    with expect_error():
        make([1, 1])
def test_good():
    make([1, 0])
",
];

/// The same where something runs it beside that.
const RUNS: &[&str] = &[
    r"def make(order):
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)
def test_bad():
    with pytest.raises(AssertionError):
        make([1, 1])
def test_good():
    make([0, 0])
",
    r"def make():
    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
def outer():
    return make()
def test_bad():
    with pytest.raises(AssertionError):
        outer()
def test_good():
    outer()
",
];

/// Names that are replaced.
const REPLACED: &[&str] = &[
    r#"from unittest.mock import patch
@patch("triton.experimental.gluon.language.BlockedLayout")
def test_x(fake):
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"def test_x():
    with mock.patch.object(gl, "BlockedLayout") as fake:
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"def test_x(monkeypatch):
    monkeypatch.setattr(gl, "BlockedLayout", lambda *a: a)
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"def test_x(monkeypatch):
    monkeypatch.setattr("triton.experimental.gluon.language.BlockedLayout", lambda *a: a)
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r"gl.BlockedLayout = lambda *a: a
gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
",
    r#"setattr(gl, "BlockedLayout", lambda *a: a)
gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"@pytest.fixture(autouse=True)
def fake_gluon(mocker):
    mocker.patch.object(gl, "BlockedLayout")
def test_x():
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"def test_x():
    with mock.patch(f"{__name__}.gl"):
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"import sys
sys.modules["triton.experimental.gluon.language"] = Fake()
gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"def test_x():
    with mock.patch.dict("sys.modules", {"triton.experimental.gluon": mock.MagicMock()}):
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"def test_x(monkeypatch):
    monkeypatch.setattr(sizes, "ORDER", [1, 0])
    monkeypatch.setattr("test_x.ORDER", [1, 0])
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], ORDER)
ORDER = [1, 1]
"#,
    r#"ORDER = [1, 1]
@mock.patch(__name__ + ".ORDER", [1, 0])
def test_x():
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], ORDER)
"#,
];

/// Other names that are.
const OTHERS: &[&str] = &[
    r#"def test_x(monkeypatch):
    monkeypatch.setattr(gl, "SwizzledSharedLayout", lambda *a: a)
    gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
    r#"def test_x(monkeypatch):
    monkeypatch.setenv("TRITON_CACHE", "1")
    with mock.patch("os.path.exists"):
        gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])
"#,
];

#[test]
fn what_tests_want_refused() {
    for text in REFUSED {
        silent(GLUON, text);
    }
    for text in RUNS {
        found(GLUON, text, Code::GluonLayout);
    }
}

/// A helper of another file.
#[test]
fn what_tests_want_refused_elsewhere() {
    let helpers = "def make(order):\n    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], order)\n\
                   def fixed():\n    return gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])\n";
    let test = "from helpers import make, fixed\ndef test_bad():\n    with pytest.raises(AssertionError):\n        make([1, 1])\n    \
                with pytest.raises(AssertionError):\n        fixed()\ndef test_good():\n    make([1, 0])\n";
    let codes = |test: &str| {
        python_files(&[("helpers.py", format!("{GLUON}{helpers}")), ("test_x.py", format!("{GLUON}{test}"))])
    };
    assert_eq!(codes(test), []);
    assert_eq!(codes(&format!("{test}    fixed()\n")), [Code::GluonLayout]);
    assert_eq!(codes(&test.replace("make([1, 0])", "make([0, 0])")), [Code::GluonLayout]);
}

#[test]
fn names_that_tests_replace() {
    for text in REPLACED {
        silent(GLUON, text);
    }
    for text in OTHERS {
        found(GLUON, text, Code::GluonLayout);
    }
    let bad = "gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 1])\n";
    let fake =
        "@pytest.fixture(autouse=True)\ndef fake(monkeypatch):\n    monkeypatch.setattr(gl, 'BlockedLayout', list)\n";
    let codes = |conftest: &str, path: &str| {
        python_files(&[(conftest, format!("{GLUON}{fake}")), (path, format!("{GLUON}{bad}"))])
    };
    assert_eq!(codes("tests/conftest.py", "tests/unit/test_x.py"), []);
    assert_eq!(codes("tests/conftest.py", "src/x.py"), [Code::GluonLayout]);
    assert_eq!(codes("tests/other.py", "tests/test_x.py"), [Code::GluonLayout]);
    // Who replaces modules keeps the constants that it declares itself.
    let sizes = "import sys\nsys.modules['torch'] = object()\nORDER = (1, 1)\n";
    let used = "from sizes import ORDER\ngl.BlockedLayout([1, 1], [32, 1], [4, 1], ORDER)\n";
    let codes = python_files(&[("sizes.py", sizes.to_owned()), ("x.py", format!("{GLUON}{used}"))]);
    assert_eq!(codes, [Code::GluonLayout]);
}

/// What raises nothing is no more meant by a `try` than by anything else.
#[test]
fn what_a_try_calls() {
    let program = |of: &str| {
        format!(
            "def run(ld):\n    return {of}\ndef main():\n    try:\n        run(32)\n    except Exception as e:\n        print(e)\n"
        )
    };
    found(CUTE, &program("cute.make_layout((8, 64), stride=(ld, 1))"), Code::Overlap);
    silent(CUTE, &program("cute.make_layout((8, 32), stride=(ld, 1))"));
    silent(GLUON, &program("gl.BlockedLayout([1, 1], [ld, 1], [4, 1], [1, 1])"));
}

/// A tiled copy for 256 threads in a block of 128, of which a condition says which ones copy.
#[test]
fn parts_of_tiles_on_purpose() {
    let program = |copy: &str| {
        format!(
            "class Op:
    num_threads = 128
    @cute.jit
    def __call__(self, mA: cute.Tensor):
        atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float16, num_bits_per_copy=128)
        tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((32, 8), stride=(8, 1)), cute.make_layout((1, 8)))
        self.kernel(mA, tiled).launch(grid=[1, 1, 1], block=[self.num_threads, 1, 1])
    @cute.kernel
    def kernel(self, mA: cute.Tensor, tiled: cute.TiledCopy):
        tidx, _, _ = cute.arch.thread_idx()
        warp_idx = cute.arch.warp_idx()
        first = tidx < 64
        thr = tiled.get_slice(tidx)
        tAgA, tAsA = thr.partition_S(mA), thr.partition_D(mA)
        {copy}
def main():
    cute.compile(Op(), None)
"
        )
    };
    for guard in ["tidx < self.num_threads", "first", "warp_idx < 2", "tidx // 32 == 0"] {
        silent(CUTE, &program(&format!("if {guard}:\n            cute.copy(tiled, tAgA, tAsA)")));
    }
    silent(CUTE, &program("if first:\n            pass\n        else:\n            cute.copy(tiled, tAgA, tAsA)"));
    for copy in [
        "cute.copy(tiled, tAgA, tAsA)",
        "if cutlass.const_expr(self.num_threads > 4):\n            cute.copy(tiled, tAgA, tAsA)",
        "if first:\n            cute.copy(other, tAgA, tAsA)\n        cute.copy(tiled, tAgA, tAsA)",
    ] {
        found(CUTE, &program(copy), Code::BlockThreads);
    }
}
