//! Layouts of Gluon that Triton refuses: padded ones, those of tensor cores, and those whose warps are not the kernel's.
//!
//! What is refused here was refused by Triton 3.9, and what is left alone was not.

#![allow(clippy::too_many_lines, reason = "each test is a list of programs")]

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

const HEAD: &str =
    "import triton\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n";

fn found(text: &str) -> Vec<String> {
    let files = vec![Source::new("main.py", format!("{HEAD}{text}").into_bytes())];
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0, "{text}");
    assert!(report.findings.iter().all(|finding| finding.code == Code::GluonLayout), "{text}");
    report.findings.into_iter().map(|finding| finding.title).collect()
}

fn wrong(text: &str, words: &str) {
    let all = found(text);
    assert!(matches!(all.as_slice(), [title] if title.contains(words)), "{text}: {all:?}");
}

fn right(text: &str) {
    assert_eq!(found(text), Vec::<String>::new(), "{text}");
}

#[test]
fn padded_layouts() {
    let identity = |rest: &str| format!("x = gl.PaddedSharedLayout.with_identity_for({rest})\n");
    let plain = |rest: &str| format!("x = gl.PaddedSharedLayout({rest})\n");
    for rest in [
        "[[32, 4]], [16, 32], [1, 0]",
        "[[32, 4], [64, 4]], [16, 32], [0, 1]",
        "[[1, 1]], [16], [0], []",
        "interval_padding_pairs=[[32, 4]], shape=[16, n], order=[1, 0]",
        "pairs, shape, [1, 0]",
        // Dimensions of one element have no bases.
        "[[32, 4]], [1, 1], [1, 1]",
    ] {
        right(&identity(rest));
    }
    for (rest, words) in [
        ("[[48, 4]], [16, 32], [1, 0]", "the interval 48 is not a power of two"),
        ("[[32, 3]], [16, 32], [1, 0]", "the padding 3 is not a power of two"),
        ("[[32, 0]], [16, 32], [1, 0]", "the padding 0 is not a power of two"),
        ("[[n, 3]], [16, 32], [1, 0]", "the padding 3"),
        ("[], [16, 32], [1, 0]", "must not be empty"),
        ("[[32, 4], [32, 8]], [16, 32], [1, 0]", "the interval 32 is given twice"),
        ("[[32, 4, 8]], [16, 32], [1, 0]", "an entry of interval_padding_pairs has 3 numbers"),
        ("[[32, 4]], [16, 24], [1, 0]", "24 in shape"),
        ("[[32, 4]], [16, 32], [1]", "order has 1 dimensions, shape has 2"),
        ("[[32, 4]], [16, 32], [1, 1]", "order has 1 twice"),
        ("[[32, 4]], [16, 32], [1, 2]", "order has 2, and there are 2 dimensions"),
        ("[[32, 4]], [16, 32], [1, -2]", "counted from 0"),
    ] {
        wrong(&identity(rest), words);
    }
    right(&plain("[[32, 4]], [[0, 1], [1, 0]], [], [2, 2]"));
    right(&plain("[[32, 4]], bases, [], [2, 3]"));
    wrong(&plain("[[32, 4]], [[0, 1], [1]], [], [2, 2]"), "a basis in offset_bases has 1 components, and must have 2");
    wrong(&plain("[[32, 4]], [[0, 1], [1, 0]], [[1]], [2, 2]"), "a basis in cga_layout has 1 components");
    wrong(&plain("[[24, 4]], bases, [], shape"), "the interval 24");
    // Something else with the name.
    right("class gl:\n    pass\nx = gl.PaddedSharedLayout.with_identity_for([[48, 4]], [16, 32], [1, 0])\n");
}

#[test]
fn layouts_of_tensor_cores() {
    let of = |version: &str, warps: &str, shape: &str| {
        format!("x = gl.NVMMADistributedLayout(version={version}, warps_per_cta={warps}, instr_shape={shape})\n")
    };
    for (version, warps, shape) in [
        ("[2, 0]", "[4, 1]", "[16, 8]"),
        ("[2, 0]", "[1, 4, 1]", "[1, 16, 8]"),
        ("[3, 0]", "[4, 1]", "[16, 64, 16]"),
        ("[3, 0]", "[4, 1]", "[16, 8]"),
        ("[3, 0]", "[n, 1]", "[16, N, 16]"),
        ("[v, 0]", "[1, 4, 1]", "[16, N, 16]"),
        ("[3, 0, 0]", "[4, 1]", "[16, 64, 16]"),
        ("[3, 0]", "[1, 4, 1]", "[16, 64, 16]"),
    ] {
        right(&of(version, warps, shape));
    }
    for (version, warps, shape, words) in [
        ("[2, 0]", "[3, 1]", "[16, 8]", "3 in warps_per_cta is not a power of two"),
        ("[2, 0]", "[4, 0]", "[16, 8]", "0 in warps_per_cta"),
        ("[5, 0]", "[4, 1]", "[16, 8]", "version[0] is 5"),
        ("[2]", "[4, 1]", "[16, 8]", "version has 1 numbers"),
        ("[3, 0]", "[4]", "[16, 64, 16]", "rank 1"),
        ("[2, 0]", "[4, 1]", "[16, 8, 16]", "instr_shape has 3 dimensions, warps_per_cta has 2"),
        ("[3, 0]", "[4, 1]", "[16]", "must have m, n and k"),
        ("[3, 0]", "[n, 1]", "[16, 12, 16]", "n of instr_shape is 12"),
    ] {
        wrong(&of(version, warps, shape), words);
    }
}

#[test]
fn what_a_launch_says_later() {
    let program = |lanes: &str, warps: &str| {
        format!(
            "@gluon.constexpr_function
def p(n, w):
    return gl.BlockedLayout([1, 4], [{lanes} // n, n], [w, 1], [1, 0])
@gluon.jit
def k(x, N: gl.constexpr):
    layout: gl.constexpr = p(8, {warps})
def run(x):
    k[(1,)](x, 8)
"
        )
    };
    for warps in ["gl.num_warps()", "x", "4"] {
        wrong(&program("128", warps), "threads_per_warp makes 128 threads");
        right(&program("32", warps));
    }
    // By way of a parameter of the kernel.
    wrong(&program("128", "gl.num_warps()").replace("p(8,", "p(N,"), "threads_per_warp makes 128 threads");
    right(&program("32", "gl.num_warps()").replace("p(8,", "p(N,"));
    // One of several calls is wrong, and one is right.
    let two = program("32", "gl.num_warps()")
        .replace("    layout:", "    other: gl.constexpr = p(4, gl.num_warps())\n    layout:");
    right(&two);
    // Python refuses it: such a call is none.
    right(
        &program("128", "gl.num_warps()")
            .replace("def p(n, w):\n", "def p(n, w):\n    if n > 4:\n        raise ValueError\n"),
    );
}

/// A kernel of `warps` in its layout that is launched with `launch`.
fn launched(warps: &str, launch: &str) -> String {
    format!(
        "@gluon.jit
def k(x, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [{warps}], [0])
    o = gl.arange(0, 1024, layout=layout)
    gl.store(x + o, 1.0)
def run(x):
    {launch}
"
    )
}

#[test]
fn warps_of_a_launch() {
    wrong(
        &launched("8", "k[(1,)](x, 8, num_warps=4)"),
        "warps_per_cta makes 8 warps, and the kernel is launched with num_warps=4",
    );
    right(&launched("8", "k[(1,)](x, 8, num_warps=8)"));
    wrong(&launched("8", "k[(1,)](x, 8)"), "num_warps=4");
    right(&launched("4", "k[(1,)](x, 8)"));
    wrong(&launched("8", "k[(1,)](x, 8, num_warps=8)\n    k[(2,)](x, 8, num_warps=16)"), "num_warps=16");
    wrong(&format!("{}KERNEL = k\n", launched("8", "k[(1,)](x, 8)")), "makes 8 warps");
    let two = launched("8", "k[(1,)](x, 8)").replace("[4], [32], [8], [0]", "[1, 4], [4, 8], [4, 2], [1, 0]");
    wrong(&two.replace("layout=layout", "layout=gl.SliceLayout(1, layout)"), "makes 8 warps");
    let mma = launched("8", "k[(1,)](x, 8)")
        .replace("gl.BlockedLayout([4], [32], [8], [0])", "gl.NVMMADistributedLayout([2, 0], [4, 2], [16, 8])");
    wrong(&mma.replace("gl.arange(0, 1024, layout=layout)", "gl.zeros([64, 64], gl.float32, layout)"), "makes 8 warps");
}

#[test]
fn launches_that_are_not_certain() {
    // Who launches it is not known, or with what.
    right(&launched("8", "pass"));
    right(&launched("8", "k[(1,)](x, 8, **options)"));
    right(&launched("8", "k[(1,)](x, 8, num_warps=warps)"));
    right(&launched("8", "if x.small:\n        k[(1,)](x, 8, num_warps=4)"));
    right(&launched("8", "with pytest.raises(CompilationError):\n        k[(1,)](x, 8, num_warps=4)"));
    right(&launched("8", "try:\n        k[(1,)](x, 8)\n    except CompilationError:\n        pass"));
    right(&launched("8", "return\n    k[(1,)](x, 8)"));
    right(&format!("{}k = tune(k)\n", launched("8", "k[(1,)](x, 8)")));
    right(&launched("8", "k.warmup(x, 8, grid=(1,), num_warps=4)"));
    // The autotuner says it, or a decorator may.
    let tuned = "@triton.autotune(configs=[triton.Config({}, num_warps=8)], key=[])\n@gluon.jit";
    right(&launched("8", "k[(1,)](x, 8)").replace("@gluon.jit", tuned));
    // Another kernel calls it, which has warps of its own.
    right(&format!("{}@gluon.jit\ndef outer(x):\n    k(x, 8)\n", launched("8", "pass")));
    // The warps of its parts are their own.
    let parts = "    gl.warp_specialize([(f, (x,))], [4], [24])\n    o = ";
    right(&launched("8", "k[(1,)](x, 8)").replace("    o = ", parts));
    // It has a parameter of that name.
    right(
        &launched("8", "k[(1,)](x, 8, num_warps=4)")
            .replace("N: gl.constexpr", "N: gl.constexpr, num_warps: gl.constexpr"),
    );
    // No tensor gets the layout, or only in some branch.
    let body = "o = gl.arange(0, 1024, layout=layout)\n    gl.store(x + o, 1.0)";
    for other in [
        "gl.store(x, 1.0)",
        "gl.store(x, layout.rank)",
        "gl.static_assert(len(layout.order) == 1)",
        "f(layout)",
        "if N > 64:\n        o = gl.arange(0, 1024, layout=layout)",
        "if N > 4:\n        return\n    o = gl.arange(0, 1024, layout=layout)",
        "layout = small(layout)\n    o = gl.arange(0, 1024, layout=layout)",
        "# o = gl.arange(0, 1024, layout=layout)",
        "other = 4\n    o = gl.arange(0, 1024, layout=other)",
    ] {
        right(&launched("8", "k[(1,)](x, 8)").replace(body, other));
    }
    let either = "gl.BlockedLayout([4], [32], [8], [0]) if N > 64 else gl.BlockedLayout([4], [32], [4], [0])";
    right(&launched("8", "k[(1,)](x, 8)").replace("gl.BlockedLayout([4], [32], [8], [0])", either));
    let arm = "if N > 64:\n        layout: gl.constexpr = gl.BlockedLayout([4], [32], [8], [0])\n    else:\n        layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])";
    right(&launched("8", "k[(1,)](x, 8)").replace("layout: gl.constexpr = gl.BlockedLayout([4], [32], [8], [0])", arm));
}
