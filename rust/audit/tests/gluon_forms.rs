//! Usual forms of programs with Gluon: how launches give kernels their layouts, warps and shapes, and what tests are run with. Beside each
//! that is wrong stands one that is nearly the same, and right.

#![allow(clippy::too_many_lines, reason = "each test is a list of programs")]

use crate::common;

use common::{found, silent};
use razorgirl_audit::finding::Code;

const GLUON: &str =
    "import triton\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n";

const KERNEL: &str = "@gluon.jit\ndef kernel(p, n, X: gl.constexpr):\n    layout: gl.constexpr = gl.BlockedLayout([1], [32], [8], [0])\n    ";

/// A layout of eight warps in a kernel that is launched with four, or with eight.
#[test]
fn warps_of_launches() {
    let used = format!("{KERNEL}o = gl.arange(0, X, layout=layout)\n");
    let wrong = |text: &str| found(GLUON, text, Code::GluonLayout);
    let right = |text: &str| silent(GLUON, text);
    let launch = |warps: &str| {
        format!("def run(x, X=64, num_warps={warps}):\n    kernel[(1, )](x, 4, X, num_warps=num_warps)\n")
    };
    wrong(&format!("{used}{}", launch("4")));
    wrong(&format!("{used}{}run(x)\n", launch("4")));
    wrong(&format!("{used}{}run(x, num_warps=4)\n", launch("8")));
    right(&format!("{used}{}", launch("8")));
    right(&format!("{used}{}run(x, num_warps=8)\n", launch("4")));
    right(&format!("{used}{}run(x, 64, 8)\nrun(x, 32, 8)\n", launch("4")));
    right(&format!("{used}{}table(run)\n", launch("4")));
    let asserted = launch("4").replace("    kernel", "    assert num_warps == 8\n    kernel");
    right(&format!("{used}{asserted}"));
    right(&format!("{used}def run(x, num_warps):\n    kernel[(1, )](x, 4, 64, num_warps=num_warps)\n"));
    right(&format!("{used}@table\n{}", launch("4")));
    // A loop that counts is compiled, however often it runs.
    let four = "kernel[(1, )](x, 4, 64, num_warps=4)\n";
    let eight = "kernel[(1, )](x, 4, 64, num_warps=8)\n";
    let looped = |of: &str| format!("{KERNEL}for i in {of}:\n        o = gl.arange(0, X, layout=layout)\n");
    wrong(&format!("{}{four}", looped("range(0, n, X)")));
    right(&format!("{}{eight}", looped("range(0, n, X)")));
    right(&format!("{}{four}", looped("gl.static_range(0, X, 64)")));
    let tested = format!(
        "{KERNEL}for i in range(0, n, X):\n        if X > 64:\n            o = gl.arange(0, X, layout=layout)\n"
    );
    right(&format!("{tested}{four}"));
    // What is loaded gets a layout.
    let smem = "smem = gl.allocate_shared_memory(gl.float32, [X], gl.SwizzledSharedLayout(1, 1, 1, [0]))\n    ";
    wrong(&format!("{KERNEL}{smem}v = smem.load(layout)\n{four}"));
    wrong(&format!("{KERNEL}{smem}v = smem.load(layout=layout)\n{four}"));
    right(&format!("{KERNEL}{smem}v = smem.load(layout)\n{eight}"));
    right(&format!("def load(self, x):\n    return 0\n{KERNEL}{smem}v = smem.load(layout)\n{four}"));
}

/// A layout of the host that a kernel is given.
#[test]
fn layouts_that_a_launch_gives() {
    let kernel =
        |body: &str| format!("@gluon.jit\ndef kernel(p, X: gl.constexpr, layout: gl.constexpr):\n    {body}\n");
    let used = kernel("o = gl.arange(0, X, layout=layout)");
    let run = |body: &str| format!("def run(x):\n    layout = gl.BlockedLayout([1], [32], [8], [0])\n    {body}\n");
    let wrong = |text: &str| found(GLUON, text, Code::GluonLayout);
    let right = |text: &str| silent(GLUON, text);
    wrong(&format!("{used}{}", run("kernel[(1, )](x, 64, layout, num_warps=4)")));
    wrong(&format!("{used}{}", run("kernel[(1, )](x, 64, layout)")));
    wrong(&format!("{used}{}", run("kernel[(1, )](x, X=64, layout=layout)")));
    wrong(&format!("{used}kernel[(1, )](x, 64, gl.BlockedLayout([1], [32], [8], [0]))\n"));
    right(&format!("{used}{}", run("kernel[(1, )](x, 64, layout, num_warps=8)")));
    right(&format!("{used}{}", run("kernel[(1, )](x, 64, other, num_warps=4)")));
    right(&format!("{used}{}", run("if x:\n        layout = other\n    kernel[(1, )](x, 64, layout, num_warps=4)")));
    right(&format!("{used}{}", run("if x:\n        kernel[(1, )](x, 64, layout, num_warps=4)")));
    right(&format!("{used}{}", run("kernel[(1, )](x, 64, layout, **options)")));
    right(&format!("{used}{}", run("kernel[(1, )](*x, layout)")));
    right(&format!("{used}{}", run("other[(1, )](x, 64, layout, num_warps=4)")));
    for body in [
        "pass",
        "if X > 64:\n        o = gl.arange(0, X, layout=layout)",
        "layout = other\n    o = gl.arange(0, X, layout=layout)",
    ] {
        right(&format!("{}{}", kernel(body), run("kernel[(1, )](x, 64, layout, num_warps=4)")));
    }
    right(&format!("@triton.autotune(configs=[])\n{used}{}", run("kernel[(1, )](x, 64, layout)")));
}

/// Where a library is missing there are no layouts of it.
#[test]
fn libraries_that_may_be_missing() {
    let program = |own: &str, other: &str, order: &str| {
        format!(
            "import triton\nimport triton.language as tl\n{own}\n    from triton.experimental import gluon\n    \
             from triton.experimental.gluon import language as gl\n{other}\n    gl = tl\nx = gl.SwizzledSharedLayout(8, 1, 16, order={order})\n"
        )
    };
    for other in
        ["except ImportError:", "except (ImportError, OSError):", "except ModuleNotFoundError as why:", "except:"]
    {
        found("", &program("try:", other, "[1, 1]"), Code::GluonLayout);
        silent("", &program("try:", other, "[1, 0]"));
    }
    // What is chosen by something else may be chosen anywhere.
    silent("", &program("try:", "except KeyError:", "[1, 1]"));
    silent("", &program("if new:", "else:", "[1, 1]"));
}

/// Dimensions of a tensor and of its layout, as Triton 3.9 refuses them.
#[test]
fn dimensions_of_layouts() {
    let program = |body: &str| {
        format!(
            "@gluon.jit\ndef kernel(p, X: gl.constexpr, given: gl.constexpr):\n    \
             two: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])\n    \
             one: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n    {body}\n"
        )
    };
    for body in [
        "o = gl.arange(0, X, layout=two)",
        "o = gl.arange(0, X, two)",
        "o = gl.arange(0, X, gl.SliceLayout(0, one))",
        "o = gl.full([64, 64], 0.0, gl.float32, one)",
        "o = gl.zeros([X], gl.float32, layout=two)",
        "o = gl.zeros((X, X, X), gl.float32, two)",
        "o = gl.arange(0, X, gl.SliceLayout(2, two))",
        "o = f(gl.SliceLayout(dim=1, parent=one))",
        "o = f(gl.SliceLayout(1, gl.SliceLayout(0, two)))",
    ] {
        found(GLUON, &program(body), Code::GluonLayout);
    }
    for body in [
        "o = gl.arange(0, X, layout=one)",
        "o = gl.arange(0, X, gl.SliceLayout(1, two))",
        "o = gl.arange(0, X, gl.SliceLayout(n, two))",
        "o = gl.arange(0, X, given)",
        "o = gl.arange(0, X)",
        "o = gl.arange(*given)",
        "o = gl.full([64, 64], 0.0, gl.float32, two)",
        "o = gl.zeros(shape, gl.float32, layout=two)",
        "o = gl.zeros([*shape], gl.float32, layout=two)",
        "o = gl.full(0, 0.0, gl.float32, two)",
        "o = gl.zeros([], gl.float32, two)",
        "o = gl.full((), 0.0, gl.float32, two)",
        "o = f(gl.SliceLayout(1, two))",
        "o = f(gl.SliceLayout(-1, two))",
        "o = f(gl.SliceLayout(1, given))",
        "if X:\n        two = one\n    o = gl.arange(0, X, two)",
        "if False:\n        o = gl.arange(0, X, two)",
        "o = gl.arange(0, X, gl.BlockedLayout(given, given, given, given))",
        "o = other.arange(0, X, two)",
        "o = gl.arange(0, X, gl.AutoLayout())",
    ] {
        silent(GLUON, &program(body));
    }
    // A test wants it refused.
    let tested = "import pytest\ndef test_f():\n    with pytest.raises(Exception):\n        gl.SliceLayout(2, gl.BlockedLayout([1], [32], [4], [0]))\n";
    silent(GLUON, tested);
}

/// Bits and bytes of types of Triton and of `torch`.
#[test]
fn sizes_of_types() {
    let layout = |bits: &str| format!("def f(kind):\n    return gl.NVMMASharedLayout(128, {bits}, rank=2)\n");
    for (bits, kind) in [
        ("kind.primitive_bitwidth // 8", "gl.float16"),
        ("kind.primitive_bitwidth * 8", "gl.bfloat16"),
        ("kind.itemsize", "torch.float16"),
        ("kind.itemsize", "triton.language.float16"),
    ] {
        found(GLUON, &format!("import torch\n{}f({kind})\n", layout(bits)), Code::GluonLayout);
    }
    for (bits, kind) in [
        ("kind.primitive_bitwidth", "gl.float16"),
        ("kind.itemsize * 8", "torch.float8_e4m3fn"),
        ("kind.itemsize", "torch.thing"),
        ("kind.primitive_bitwidth // 8", "x.dtype"),
        ("kind.primitive_bitwidth // 8", "gl.int1"),
    ] {
        silent(GLUON, &format!("import torch\n{}f({kind})\n", layout(bits)));
    }
}

/// Values of marks, with each of which a test runs.
#[test]
fn values_of_marks() {
    let program = |marks: &str, body: &str| {
        format!(
            "import pytest\n{marks}\ndef test_f(M, swizzle):\n    {body}\n    layout = gl.NVMMASharedLayout(swizzle, 32, rank=2)\n"
        )
    };
    let bad = "@pytest.mark.parametrize('swizzle', [32, 64, 256])";
    for marks in [
        bad.to_owned(),
        format!("@pytest.mark.parametrize('M', [4, 8])\n{bad}"),
        "@pytest.mark.parametrize('M, swizzle', [(4, 64), (8, 256)])".to_owned(),
        "@pytest.mark.parametrize(('M', 'swizzle'), [(4, 64), (8, 256)])".to_owned(),
    ] {
        found(GLUON, &program(&marks, "pass"), Code::GluonLayout);
    }
    for marks in [
        bad.replace("256", "128"),
        bad.replace("[32, 64, 256]", "values"),
        bad.replace("256", "pytest.param(256, marks=pytest.mark.xfail)"),
        bad.replace("'swizzle'", "'M'"),
        bad.replace("parametrize('swizzle'", "parametrize(indirect=True, argnames='swizzle'"),
        format!("@pytest.mark.xfail\n{bad}"),
    ] {
        silent(GLUON, &program(&marks, "pass"));
    }
    for body in [
        "if swizzle > 128:\n        pytest.skip()",
        "if swizzle > 128:\n        return",
        "assert swizzle < 256",
        "swizzle = min(swizzle, 128)",
        "if swizzle > 128:\n        with pytest.raises(Exception):\n            run()",
    ] {
        silent(GLUON, &program(bad, body));
    }
    silent(GLUON, &program(bad, "pass").replace("test_f", "make"));
}

/// A layout of eight warps that goes on to another function, and an array whose shape and layout a launch gives.
#[test]
fn what_functions_and_launches_hand_on() {
    let program = |helper: &str, call: &str, warps: u32| {
        format!(
            "@gluon.jit\ndef helper(p, layout: gl.constexpr, N: gl.constexpr):\n    {helper}\n{KERNEL}{call}\n\
             def run(x):\n    kernel[(1, )](x, 4, 64, num_warps={warps})\n"
        )
    };
    let uses = "o = gl.arange(0, N, layout=layout)";
    for call in ["v = helper(p, layout, X)", "helper(p, N=X, layout=layout)"] {
        found(GLUON, &program(uses, call, 4), Code::GluonLayout);
        silent(GLUON, &program(uses, call, 8));
        silent(GLUON, &program("pass", call, 4));
        silent(GLUON, &program(&format!("if N > 64:\n        {uses}"), call, 4));
        silent(GLUON, &program(uses, &format!("if X > 64:\n        {call}"), 4));
        silent(GLUON, &program(uses, call, 4).replacen("@gluon.jit", "@other", 1));
    }
    silent(GLUON, &program(uses, "v = helper(p, other, X)", 4));
    let array = |shape: &str, launch: &str| {
        format!(
            "@gluon.jit\ndef kernel(p, M: gl.constexpr, K: gl.constexpr, layout: gl.constexpr):\n    \
             smem = gl.allocate_shared_memory(gl.float16, {shape}, layout)\ndef run(x):\n    \
             layout = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)\n    {launch}\n"
        )
    };
    found(GLUON, &array("[M, K]", "kernel[(1, )](x, 64, 32, layout)"), Code::GluonLayout);
    found(GLUON, &array("[M, K]", "kernel[(1, )](x, K=32, M=64, layout=layout, num_warps=4)"), Code::GluonLayout);
    found(GLUON, &array("[M, K // 2]", "kernel[(1, )](x, 64, 64, layout)"), Code::GluonLayout);
    for launch in [
        "kernel[(1, )](x, 32, 64, layout)",
        "kernel[(1, )](x, 64, n, layout)",
        "kernel[(1, )](x, 64, 32, other)",
        "if x:\n        kernel[(1, )](x, 64, 32, layout)",
        "kernel[(1, )](x, 64, 32, layout, **more)",
        "kernel[(1, )](*x, 32, layout)",
        "layout = other\n    kernel[(1, )](x, 64, 32, layout)",
    ] {
        silent(GLUON, &array("[M, K]", launch));
    }
    let descriptor = |block: &str, rest: &str| {
        format!(
            "from triton.experimental.gluon.nvidia.hopper import TensorDescriptor\ndef run(x):\n    \
             layout = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2{rest})\n    \
             desc = TensorDescriptor.from_tensor(x, {block}, layout)\n"
        )
    };
    found(GLUON, &descriptor("[64, 32]", ""), Code::GluonLayout);
    for (block, rest) in
        [("[32, 64]", ""), ("[64, n]", ""), ("[64, 32]", ", fp4_padded=x"), ("[64, 32]", ", transposed=True")]
    {
        silent(GLUON, &descriptor(block, rest));
    }
}

/// What a host counts with `range` it counts itself.
#[test]
fn ranges_of_a_host() {
    let program = |of: &str| {
        format!(
            "@gluon.jit\ndef kernel(p, layout: gl.constexpr):\n    offs = gl.arange(0, 1024, layout=layout)\n\
             def run(x):\n    for R in {of}:\n        layout = gl.BlockedLayout([R], [32], [4], [0])\n        kernel[(1, )](x, layout)\n"
        )
    };
    found(GLUON, &program("range(3, 5)"), Code::GluonLayout);
    silent(GLUON, &program("range(1, 3)"));
    silent(GLUON, &program("range(n)"));
    let inside =
        "@gluon.jit\ndef kernel(p):\n    for R in range(3, 5):\n        o = f(gl.BlockedLayout([R], [32], [4], [0]))\n";
    silent(GLUON, inside);
}

/// What the bases of a linear layout make of threads and warps is held against the launch of a kernel that surely uses it.
#[test]
fn lanes_and_warps_of_linear_layouts() {
    let head = "from triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n";
    let text = |lanes: &str, warps: &str, launch: &str| {
        format!(
            "@gluon.jit\ndef kernel(p):\n    l: gl.constexpr = gl.DistributedLinearLayout(reg_bases=[[0, 1]], lane_bases=[{lanes}], \
             warp_bases=[{warps}], block_bases=[], shape=[32, 16])\n    x = gl.zeros([32, 16], gl.float32, l)\n\
             def run(p):\n    {launch}\n"
        )
    };
    let (lanes, warps) = ("[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]", "[4, 0], [8, 0], [16, 0]");
    let launched = |warps: &str| format!("kernel[(1, )](p{warps})");
    silent(head, &text(lanes, warps, &launched(", num_warps=8")));
    found(head, &text(lanes, warps, &launched(", num_warps=4")), Code::GluonBases);
    found(head, &text(lanes, warps, &launched("")), Code::GluonBases);
    silent(head, &text(lanes, warps, "pass"));
    // On AMD a warp may have 64 threads; eight are none anywhere.
    silent(head, &text(&format!("{lanes}, [4, 0]"), "[8, 0], [16, 0]", &launched("")));
    let few = "[0, 2], [0, 4], [0, 8]";
    let more = "[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]";
    found(head, &text(few, more, &launched(", num_warps=32")), Code::GluonBases);
    silent(head, &text(few, more, "pass"));
}
