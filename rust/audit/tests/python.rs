//! Python: what is wrong is found, and what only looks like it is left alone.

#![allow(clippy::format_collect)]

use proptest::prelude::*;
use razorgirl_audit::finding::Code;
use razorgirl_audit::report::{Export, Github, Json, Sarif, Text};
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Report, audit_sources};

const HEAD: &str =
    "import cutlass\nimport cutlass.cute as cute\nfrom triton.experimental.gluon import language as gl\n";

fn audit(text: &str) -> Report {
    let sources = Sources { files: vec![Source::new("kernel.py", text.into())], unreadable: vec![] };
    audit_sources(sources, None)
}

/// What is found in one expression.
fn found(expression: &str) -> Vec<(Code, String)> {
    let report = audit(&format!("{HEAD}x = {expression}\n"));
    assert_eq!(report.syntax_errors, 0, "{expression}");
    report.findings.into_iter().map(|finding| (finding.code, finding.title)).collect()
}

fn only(expression: &str, code: Code, words: &str) {
    let all = found(expression);
    assert!(
        matches!(all.as_slice(), [(found, title)] if *found == code && title.contains(words)),
        "{expression}: {all:?}"
    );
}

fn right(expression: &str) {
    assert_eq!(found(expression), [], "{expression}");
}

#[test]
fn shapes_and_strides_nest_alike() {
    only("cute.make_layout((4, (2, 2)), stride=(8, 4))", Code::Incongruent, "nest differently");
    only("cute.make_layout(4, stride=(1,))", Code::Incongruent, "nest differently");
    right("cute.make_layout((4, (2, 2)), stride=(8, (4, 1)))");
    right("cute.make_layout((4,), stride=(1,))");
}

#[test]
fn overlaps() {
    only("cute.make_layout((8, 4), stride=(1, 4))", Code::Overlap, "(8,4):(1,4)");
    only(
        "cute.make_composed_layout(cute.make_swizzle(2, 0, 3), 0, cute.make_layout((8, 4), stride=(1, 4)))",
        Code::Overlap,
        "(8,4):(1,4)",
    );
    right("cute.make_layout((8, 4), stride=(1, 0))");
    right("cute.make_layout((8, 4), stride=(1, 8))");
    right("cute.make_layout((64, 32), stride=(1, 65))");
}

#[test]
fn tiled_copies() {
    let copy = |threads: &str, values: &str| {
        format!(
            "cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=128), \
             cute.make_layout({threads}), cute.make_layout({values}))"
        )
    };
    right(&copy("(16, 8), stride=(8, 1)", "(1, 8)"));
    right(&copy("(16, 8), stride=(0, 1)", "(1, 8)"));
    only(&copy("(16, 8), stride=(9, 1)", "(1, 8)"), Code::TiledCopy, "thread layout");
    only(&copy("(16, 8), stride=(8, 1)", "(1, 4)"), Code::TiledCopy, "64 bits");
}

#[test]
fn compositions_that_carry() {
    let layout = |shape: &str, stride: &str| format!("cute.make_layout({shape}, stride={stride})");
    let composition = |a: &str, b: &str| format!("cute.composition({a}, {b})");
    let outer = layout("(6, 2)", "(1, 7)");
    only(&composition(&outer, &layout("(3, 2)", "(2, 3)")), Code::Composed, "accepts this composition");
    right(&composition(&outer, &layout("(3, 2)", "(2, 6)")));
    // One mode that wraps in the middle of another: the DSL makes (2,2):(4,7) of it, and A(8) is 9. Where it asserts, nothing is said.
    only(&composition(&outer, &layout("4", "4")), Code::Composed, "accepts this composition");
    right(&composition(&outer, &layout("3", "4")));
    // The composite exists for these strides, though not for all.
    right(&composition(&layout("(2, 2, 3)", "(1, 1, 3)"), &layout("3", "3")).replace("1, 1, 3", "1, 2, 4"));
}

#[test]
fn gluon() {
    for (expression, code, words) in [
        ("gl.BlockedLayout([1, 4], [8, 4], [4, 1], [0])", Code::GluonLayout, "order has 1 dimensions"),
        ("gl.BlockedLayout([1, 4], [8, 4], [n, 1, 1], [1, 0])", Code::GluonLayout, "warps_per_cta has 3 dimensions"),
        (
            "gl.BlockedLayout([1, 3], [8, 4], [4, 1], [1, 0])",
            Code::GluonLayout,
            "3 in size_per_thread is not a power of two",
        ),
        ("gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 1])", Code::GluonLayout, "[1, 1] is not a permutation"),
        ("gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 2])", Code::GluonLayout, "[1, 2] is not a permutation"),
        ("gl.BlockedLayout([1, 4], [8, 2 * 8], [4, 1], [1, 0])", Code::GluonLayout, "makes 128 threads"),
        ("gl.SwizzledSharedLayout(8, 1, 8, order=[0, 2])", Code::GluonLayout, "permutation"),
        ("gl.SwizzledSharedLayout(8, 0, 8, [1, 0])", Code::GluonLayout, "per_phase is 0"),
        ("gl.SwizzledSharedLayout(vec=3, per_phase=1, max_phase=4, order=[1, 0])", Code::GluonSwizzle, "row 3"),
        ("gl.NVMMASharedLayout(16, 16, 2)", Code::GluonLayout, "swizzle_byte_width is 16"),
        ("gl.NVMMASharedLayout(swizzle_byte_width=n, element_bitwidth=4)", Code::GluonLayout, "element_bitwidth is 4"),
        ("gl.SharedLinearLayout([[0, 1], [0, 4], [1, 0], [2, 0]])", Code::GluonBases, "element (0, 2)"),
        (
            "gl.SharedLinearLayout([[0, 1], [0, 0], [1, 0], [1, 0]])",
            Code::GluonBases,
            "offsets 4 and 8 both map to element (1, 0)",
        ),
        ("gl.SharedLinearLayout([[0, 1], [1, 1], [1]])", Code::GluonBases, "1 components"),
        ("gl.SharedLinearLayout([])", Code::GluonBases, "empty"),
        ("gl.SharedLinearLayout([[0, 1], [1, 0]], alignment=24)", Code::GluonBases, "alignment is 24"),
        (
            "gl.DistributedLinearLayout([[0, 1]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], [[8, 0], [8, 0]], [], [32, 8])",
            Code::GluonBases,
            "element (16, 0)",
        ),
        (
            "gl.DistributedLinearLayout([[0, 1]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], [[8, 0], [n, 0]], [], [8, 8])",
            Code::GluonBases,
            "8 in warp_bases is beyond",
        ),
        (
            "gl.DistributedLinearLayout([[0, 1]], [[0, 2], [1, 4], [1, 0], [2, 0], [4, 0]], [[8, 0], [16, 0]], [], [32, 8])",
            Code::GluonBases,
            "moves in 2 dimensions",
        ),
        ("gl.DistributedLinearLayout([[0, 1]], [[0, 2]], [], [], [2, 6])", Code::GluonBases, "6 in shape"),
    ] {
        only(expression, code, words);
    }
    for expression in [
        "gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])",
        "gl.BlockedLayout([1, 4], [16, 4], [4, 1], [1, 0])",
        "gl.BlockedLayout([1, 4], [n, 3 + n], [4, n], [n, 0])",
        "gl.SwizzledSharedLayout(8, 1, 8, [1, 0])",
        "gl.SwizzledSharedLayout(0, 1, 1, [0])",
        "gl.NVMMASharedLayout(128, 16, 2)",
        "gl.NVMMASharedLayout(64, 8, 2, fp4_padded=True)",
        "gl.SharedLinearLayout([[0, 1], [0, 2], [1, 0], [2, 0]])",
        "gl.SharedLinearLayout([[1, 1], [0, 2], [1, 0], [2, 0]], [[4, 0]], 16)",
        "gl.SharedLinearLayout([[0, 1], [0, 0], [1, 0]])",
        "gl.DistributedLinearLayout([[0, 1], [0, 1], [0, 8]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], [[8, 8], [16, 0], [0, 0]], [], [32, 16])",
    ] {
        right(expression);
    }
}

/// What a kernel class makes of the values that its calls pass, of branches and of loops.
#[test]
fn what_the_code_lists_is_checked() {
    let copy = |stride: &str, calls: &str| {
        format!(
            "{HEAD}class K:\n    def __init__(self, threads, row):\n        self.threads = threads\n        self.row = row\n    \
             def copy(self, vector=8):\n        atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=128)\n        \
             thr = cute.make_layout((self.threads // self.row, self.row), stride=({stride}, 1))\n        \
             return cute.make_tiled_copy_tv(atom, thr, cute.make_layout((1, vector)))\n{calls}"
        )
    };
    let codes = |text: &str| {
        let report = audit(text);
        assert_eq!(report.syntax_errors, 0, "{text}");
        report
            .findings
            .into_iter()
            .map(|one| (one.code, one.notes.last().cloned().unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    let only = |text: &str, code: Code, words: &str| {
        let all = codes(text);
        assert!(matches!(all.as_slice(), [(found, note)] if *found == code && note.contains(words)), "{text}: {all:?}");
    };
    let right = |text: &str| assert_eq!(codes(text), [], "{text}");
    only(&copy("self.row + 1", "K(128, 4)\n"), Code::TiledCopy, "for threads = 128, row = 4, as it is called");
    only(&copy("8", "K(128, 8)\nK(128, 4)\n"), Code::TiledCopy, "row = 4, as it is called");
    only(&copy("self.row", "K(128, 4)\nK(256, 8).copy(vector=4)\n"), Code::TiledCopy, "vector = 4");
    right(&copy("self.row", "K(128, 4)\nK(256, 8)\n"));
    // 8 is right for one of two that are only tried.
    let tried = |stride: &str| copy(stride, "if flag:\n    n = 8\nelse:\n    n = 4\nK(128, n)\n");
    right(&tried("8"));
    only(&tried("16"), Code::TiledCopy, "all of the 2 sets of values that the code lists");
    let tile = |stride: &str| {
        format!(
            "{HEAD}def f(m, n):\n    return cute.make_layout((m, n), stride=({stride}, 1))\nfor m, n in [(128, 64), (64, 32)]:\n    f(m, n)\n"
        )
    };
    only(&tile("n // 2"), Code::Overlap, "m = 128, n = 64, as it is called");
    only(&tile("32"), Code::Overlap, "m = 128, n = 64, as it is called");
    right(&tile("n"));
    let swizzle = |bits: &str| format!("{HEAD}def f(b):\n    return cute.make_swizzle(b, 3, 3)\nf({bits})\n");
    only(&swizzle("5"), Code::SwizzleDropped, "");
    right(&swizzle("min(5, 3)"));
    let gluon = |order: &str| {
        format!("{HEAD}L = [gl.BlockedLayout([1, 1], [1, 32], [1, 4], order) for order in ([1, 0], {order})]\n")
    };
    only(&gluon("[0, 0]"), Code::GluonLayout, "as it is called");
    right(&gluon("[0, 1]"));
    right(&format!(
        "{HEAD}def f(w):\n    return gl.BlockedLayout([1, 1], [1, 32], [1, w], [1, 0])\nw = 6 if flag else 4\nf(w)\n"
    ));
    only(
        &format!("{HEAD}def f(w):\n    return gl.BlockedLayout([1, 1], [1, 32], [1, w], [1, 0])\nf(4)\nf(6)\n"),
        Code::GluonLayout,
        "w = 6, as it is called",
    );
}

#[test]
fn findings_are_placed_allowed_and_written_in_every_format() {
    let text = format!("{HEAD}\ndef kernel():\n    é = cute.make_layout((8, 4), stride=(1, 4))\n");
    let report = audit(&text);
    let [finding] = report.findings.as_slice() else { panic!("{:?}", report.findings) };
    let start = report.region(finding.place).start;
    assert_eq!((start.line, start.column, report.path(finding.place).as_str()), (6, 9, "kernel.py"));
    let fix = finding.fix.as_ref().unwrap();
    assert_eq!(fix.change, "stride 4 → 8");
    for format in [&Text::default() as &dyn Export, &Json::default(), &Sarif::default(), &Github { remarks: false }] {
        let mut out = Vec::new();
        format.write(&report, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("RG002") && out.contains("kernel.py"), "{out}");
    }
    let mut out = Vec::new();
    Text { unresolved: true, ..Text::default() }
        .write(&audit(&format!("{HEAD}L = cute.make_layout(n)\n")), &mut out)
        .unwrap();
    assert!(String::from_utf8(out).unwrap().contains("kernel.py:4:5: not resolved: unknown name: `n` at :4:22"));
    for (comment, left) in [("  # razorgirl: allow(RG002) a window", 0), ("  # razorgirl: allow(RG001) a window", 2)] {
        let mut report = audit(&text.replace("4))", &format!("4)){comment}")));
        razorgirl_audit::policy::apply(&mut report, &razorgirl_audit::policy::Config::default(), None);
        assert_eq!(report.findings.len(), left, "{comment}");
    }
}

/// A fix holds in Python's spelling too: a tuple of one number keeps its comma.
#[test]
fn fixes_hold() {
    for (before, after) in [
        ("cute.make_layout((4, (2,)), stride=((1, 4),))", "cute.make_layout((4, (2,)), stride=(1,(4,)))"),
        ("cute.make_layout((4, 2), stride=((1, 4),))", "cute.make_layout((4, 2), stride=(1,4))"),
    ] {
        let report = audit(&format!("{HEAD}x = {before}\n"));
        let fix = report.findings[0].fix.as_ref().unwrap();
        let mut text = report.sources.files[0].text.clone();
        for edit in fix.edits.iter().rev() {
            text.replace_range(edit.place.span.range(), &edit.text);
        }
        assert_eq!(text, format!("{HEAD}x = {after}\n"));
        assert!(audit(&text).findings.is_empty(), "{after}");
    }
}

const SEED: &str = "import cutlass\nimport cutlass.cute as cute\nfrom cutlass.cute import make_layout as ml, size\n\
from triton.experimental.gluon import language as gl\nfrom .other import *\nN = 4\nM: int = N // 2\n\
class K(Base):\n    n = (8, [4, 2])\n    def __init__(self, a=N, *args, b: cutlass.Constexpr = 3, **more):\n        self.x, (self.y, z) = 4, (5, 6)\n\
\x20       self.s = cute.make_swizzle(3, 3, 3)\n    @cute.jit\n    def f(self):\n        L = cute.make_layout((self.x, *self.n), stride=(1, (2, 3)))\n\
\x20       for i in range(4):\n            L = ml((i, N if M else 2 ** 3))\n        return cute.composition(L, cute.make_layout((6, 2), stride=(1, 7)))\n\
def g(x, y=2):\n    z = x * y % 3\n    return (z, -x, ~y)\n\
A = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_ordered_layout(g(4), order=(1, 0)))\n\
B = cute.tile_to_shape(A, (64, 32)[::-1], (0, 1))\nC = [cute.make_layout(i) for i in (1, 2) if i]\n\
D = gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])\nE = gl.SharedLinearLayout([[0, 1], [0, 2], [1, 0]], alignment=16)\n\
F = gl.DistributedLinearLayout([[0, 1]], [[0, 2]], [], [], [2, 4])\nG = f'{cute.make_layout(3)}'\nH = lambda a, b=2: cute.make_layout(a)\n\
try:\n    import x.y as q\nexcept E as e:\n    del N\nwith q as r, s:\n    global t\n    t += 1\nmatch r:\n    case [a, b]:\n        pass\n";

/// Changes a text at random places: bytes go, come, change, or a piece is copied elsewhere.
fn mutated(text: &str, choices: &[(u32, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, what, byte) in choices {
        let at = *place as usize % bytes.len().max(1);
        match what % 6 {
            0 => {
                bytes.drain(at..bytes.len().min(at + usize::from(*byte) % 40));
            }
            1 => bytes.insert(at, *byte),
            2 => bytes[at] = *byte,
            3 => {
                let piece: Vec<u8> = bytes.iter().skip(usize::from(*byte) * 7).take(60).copied().collect();
                bytes.splice(at..at, piece);
            }
            4 => bytes.splice(at..at, *b"(((").for_each(drop),
            _ => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
                if let Some(digit) = digits.get(at % digits.len().max(1)) {
                    bytes
                        .splice(digit..=digit, byte.to_string().into_bytes().repeat(usize::from(*byte) % 9))
                        .for_each(drop);
                }
            }
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    bytes
}

proptest! {
    /// Whatever comes, the audit ends without a panic. 10,000 cases: `PROPTEST_CASES=10000`.
    #[test]
    fn mutated_files(choices in prop::collection::vec(any::<(u32, u8, u8)>(), 1..8)) {
        let sources = Sources { files: vec![Source::new("a.py", mutated(SEED, &choices))], unreadable: vec![] };
        let report = audit_sources(sources, None);
        Text { unresolved: true, ..Text::default() }.write(&report, &mut std::io::sink()).unwrap();
        Json::default().write(&report, &mut std::io::sink()).unwrap();
    }
}

#[test]
fn hostile_files_end_soon() {
    let start = std::time::Instant::now();
    let n = 10_000;
    for text in [
        format!("{HEAD}x = cute.make_layout({}4{})", "(".repeat(n), ")".repeat(n)),
        format!("{HEAD}x = cute.make_layout(1{})", "+1".repeat(n)),
        format!("{HEAD}x = cute.make_layout({}4)", "-".repeat(n)),
        format!("{HEAD}x = {}4", "cute.make_layout(".repeat(n)),
        format!("{HEAD}{}", "if x:\n".repeat(200)),
        format!(
            "{HEAD}{}x = cute.make_layout(f0(2))",
            (0..200).map(|i| format!("def f{i}(x):\n    return f{0}(x) + f{0}(x)\n", i + 1)).collect::<String>()
        ),
        format!(
            "{HEAD}a0 = (2, 2)\n{}x = cute.make_layout(a199)",
            (1..200).map(|i| format!("a{i} = (a{0}, a{0})\n", i - 1)).collect::<String>()
        ),
        format!(
            "{HEAD}a0 = 2\n{}x = cute.make_layout(a1999)",
            (1..2000).map(|i| format!("a{i} = a{}\n", i - 1)).collect::<String>()
        ),
        format!(
            "{HEAD}{}x = cute.make_layout(C0.n)",
            (0..300).map(|i| format!("class C{i}(C{}, C{}):\n    m = 1\n", i + 1, i + 2)).collect::<String>()
        ),
        format!("{HEAD}{}", "x = cute.make_layout((1 << 60, 1 << 60), stride=(1 << 62, 1 << 63))\n".repeat(500)),
        format!(
            "{HEAD}class K:\n    def f(self):\n{}{}",
            (0..5_000).map(|i| format!("        self.a{i} = {i}\n")).collect::<String>(),
            (0..5_000).map(|i| format!("        cute.make_layout(self.a{i})\n")).collect::<String>()
        ),
        format!(
            "{HEAD}A = cute.make_layout((6, 1 << 40), stride=(1, 7))\n{}",
            (3..5_000)
                .map(|i| format!("cute.composition(A, cute.make_layout((3, {i}), stride=(2, 3)))\n"))
                .collect::<String>()
        ),
        format!("{HEAD}{}{}", "from x import *\n".repeat(5_000), "cute.make_layout(n)\n".repeat(5_000)),
        format!("{HEAD}x = cute.make_layout(2 ** 2 ** 2 ** 2 ** 2 ** 9)"),
        format!("{HEAD}x = gl.SharedLinearLayout([{}])", "[1, 0],".repeat(n)),
        format!("{HEAD}x = gl.SharedLinearLayout([[{} << 62, 1 << 63]])", 3),
        format!("{HEAD}x = cute.make_layout((1,) * {})", u64::MAX),
    ] {
        audit(&text);
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn fixtures() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut sources = Sources::read(&[root.join("python")]);
    for file in &mut sources.files {
        file.path = file.path.strip_prefix(&root).unwrap().to_path_buf();
    }
    let mut report = audit_sources(sources, None);
    razorgirl_audit::policy::apply(&mut report, &razorgirl_audit::policy::Config::default(), None);
    let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(codes, ["RG001", "RG002", "RG007", "RG013", "RG021", "RG022", "RG023"]);
    assert!(report.findings.iter().all(|finding| report.path(finding.place).ends_with("wrong.py")));
    let mut out = Vec::new();
    Text { unresolved: true, ..Text::default() }.write(&report, &mut out).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
}
