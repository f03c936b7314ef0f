//! Shapes that Gluon allocates by a layout with a swizzle. Each answer is Triton's own (3.9): it compiled these kernels, or refused them.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

const HEAD: &str = "from triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n";

fn codes(text: &str) -> Vec<Code> {
    let source = Source::new("main.py", format!("{HEAD}{text}").into_bytes());
    let report = audit_sources(Sources { files: vec![source], unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0, "{text}");
    report.findings.into_iter().map(|finding| finding.code).collect()
}

fn kernel(layout: &str, allocated: &str) -> String {
    format!("@gluon.jit\ndef kernel(p, n):\n    l: gl.constexpr = gl.NVMMASharedLayout({layout})\n    {allocated}\n")
}

#[test]
fn rows_as_long_as_the_swizzle() {
    for (shape, layout, taken) in [
        ("[64, 16]", "128, 16, 2", false),
        ("[64, 16]", "64, 16, 2", false),
        ("[64, 16]", "32, 16, 2", true),
        ("[16, 64]", "128, 16, 2, True", false),
        ("[64, 16]", "128, 16, 2, True", true),
        ("[4, 64]", "128, 16, 2", true),
        ("[64, 16]", "64, 32, 2", true),
        ("[2, 64, 16]", "64, 16, 3", false),
        ("[64, 16]", "0, 16, 2", true),
        ("[128]", "128, 16, 1", true),
        ("[32]", "128, 16, 1", false),
        ("[2, 64, 64]", "128, 16, 2", true),
        ("[2, 64, 16]", "128, 16, 2", false),
        // What is packed is not looked at.
        ("[64, 64]", "128, 8, 2, False, True", true),
        ("[64, 16]", "swizzle_byte_width=128, element_bitwidth=16", false),
    ] {
        let expected = if taken { vec![] } else { vec![Code::GluonLayout] };
        let text = kernel(layout, &format!("s = gl.allocate_shared_memory(gl.float16, {shape}, l)"));
        assert_eq!(codes(&text), expected, "{text}");
        let named = kernel(layout, &format!("s = gl.allocate_shared_memory(gl.float16, shape={shape}, layout=l)"));
        assert_eq!(codes(&named), expected, "{named}");
    }
}

#[test]
fn what_is_not_known_is_left_alone() {
    for allocated in [
        "s = gl.allocate_shared_memory(gl.float16, [64, n], l)",
        "s = gl.allocate_shared_memory(gl.float16, [64, 16], other)",
        "s = gl.allocate_shared_memory(*all)",
        "l = other\n    s = gl.allocate_shared_memory(gl.float16, [64, 16], l)",
        "s = mine.allocate_shared_memory(gl.float16, [64, 16], l)",
        "s = gl.allocate_shared_memory(gl.float16, [16], l)",
    ] {
        assert_eq!(codes(&kernel("128, 16, 2", allocated)), [], "{allocated}");
    }
    assert_eq!(codes(&kernel("n, 16, 2", "s = gl.allocate_shared_memory(gl.float16, [64, 16], l)")), []);
}

/// What is allocated has the shape of its layout, behind how many there are.
#[test]
fn shapes_of_layouts() {
    const LINEAR: &str = "SharedLinearLayout(offset_bases=[[0, 1], [0, 2], [1, 0], [2, 0]])";
    const TWISTED: &str = "SharedLinearLayout([[0, 1], [0, 2], [1, 0], [2, 3]])";
    const PADDED: &str = "PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0])";
    for (layout, shape, taken) in [
        (LINEAR, "[4, 4]", true),
        (LINEAR, "[8, 8]", false),
        (LINEAR, "[2, 4, 4]", true),
        (LINEAR, "[4, 2]", false),
        (LINEAR, "[2, 4]", false),
        (LINEAR, "[2, 8, 4]", false),
        (TWISTED, "[4, 4]", true),
        (PADDED, "[64, 64]", true),
        (PADDED, "[64, 32]", false),
        (PADDED, "[128, 64]", false),
        (PADDED, "[2, 64, 64]", true),
        // Of what is not known nothing is said.
        (LINEAR, "[n, 8]", true),
        ("SharedLinearLayout(offset_bases=[[0, 1], [0, n]])", "[8, 8]", true),
        ("SharedLinearLayout(bases)", "[8, 8]", true),
        ("SharedLinearLayout([[0, 1], [1, 0]], [[0, 2]])", "[2, 4]", true),
        ("PaddedSharedLayout.with_identity_for([[64, 8]], [64, n], [1, 0])", "[64, 32]", true),
    ] {
        let text = format!(
            "@gluon.jit\ndef kernel(p, n):\n    l: gl.constexpr = gl.{layout}\n    s = gl.allocate_shared_memory(gl.float16, {shape}, l)\n"
        );
        assert_eq!(codes(&text), if taken { vec![] } else { vec![Code::GluonLayout] }, "{text}");
    }
}
