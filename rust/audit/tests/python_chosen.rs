//! What is chosen among listed values: by a `match`, by an autotuner, by a loop through the members of an enumeration. Beside each program
//! that is wrong stands one that is nearly the same, and right.

#![allow(clippy::too_many_lines, reason = "each test is a list of programs")]

use crate::common;

use common::{found, silent};
use razorgirl_audit::finding::Code;

const CUTE: &str = "import enum\nimport cutlass\nimport cutlass.cute as cute\n\
                    class Kind(enum.Enum):\n    SMALL = 32\n    LARGE = 64\n";

const GLUON: &str =
    "import triton\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n";

/// Eight rows of 64 elements: rows that are 32 apart overlap.
const ROWS: &str = "cute.make_layout((8, 64), stride=(ld, 1))";

#[test]
fn cases_are_tests() {
    let program =
        |cases: &str, calls: &str| format!("def f(kind):\n    match kind:\n{cases}    return {ROWS}\n{calls}\n");
    let texts = "        case \"small\":\n            ld = 32\n        case \"large\" | 'huge':\n            ld = 64\n        case _:\n            raise ValueError(kind)\n";
    let numbers = "        case 32 | 16:\n            ld = kind\n        case _:\n            ld = 64\n";
    let members = "        case Kind.SMALL:\n            ld = 32\n        case Kind.LARGE:\n            ld = 64\n";
    for (cases, calls) in [
        (texts, "f('small')\nf('large')"),
        (texts, "f('small')"),
        (numbers, "f(32)\nf(128)"),
        (members, "f(Kind.SMALL)"),
        (members, "f(Kind.LARGE)\nf(Kind.SMALL)"),
    ] {
        found(CUTE, &program(cases, calls), Code::Overlap);
    }
    for (cases, calls) in [
        (texts, "f('large')\nf('huge')"),
        (texts, "f('other')"),
        (numbers, "f(128)\nf(64)"),
        (members, "f(Kind.LARGE)"),
        (members, ""),
    ] {
        silent(CUTE, &program(cases, calls));
    }
    // What binds names, looks at parts or asks more is no such test.
    for cases in [
        "        case [a, b]:\n            ld = 32\n        case _:\n            ld = 64\n",
        "        case int(n) if n > 4:\n            ld = 32\n        case _:\n            ld = 64\n",
        "        case 4 if other:\n            ld = 32\n        case _:\n            ld = 64\n",
        "        case None:\n            ld = 32\n        case _:\n            ld = 64\n",
    ] {
        silent(CUTE, &program(cases, "f(128)"));
    }
    let of = "def ld_of(kind):\n    match kind:\n        case \"small\":\n            return 32\n        case \"large\":\n            return 64\n";
    let called = |kind: &str| format!("{of}def f(kind):\n    ld = ld_of(kind)\n    return {ROWS}\nf('{kind}')\n");
    found(CUTE, &called("small"), Code::Overlap);
    silent(CUTE, &called("large"));
}

#[test]
fn members_are_gone_through() {
    let program = |kind: &str, of: &str| format!("{kind}for kind in {of}:\n    ld = kind.value\n    g({ROWS})\n");
    found(CUTE, &program("", "Kind"), Code::Overlap);
    let large = "class Own(enum.Enum):\n    LARGE = 64\n    HUGE = 128\n    def f(self):\n        return 4\n";
    silent(CUTE, &program(large, "Own"));
    found(CUTE, &program(&large.replace("128", "32"), "Own"), Code::Overlap);
    for other in [
        large.replace("enum.Enum", "enum.IntFlag").replace("128", "32"),
        large.replace("128", "other()"),
        large.replace("def f(self)", "def __init__(self, n)").replace("128", "32"),
    ] {
        silent(CUTE, &program(&other, "Own"));
    }
}

#[test]
fn what_an_autotuner_runs() {
    let program = |configs: &str, more: &str, layout: &str| {
        format!(
            "@triton.autotune(configs={configs}, key=['n']{more})\n@gluon.jit\ndef kernel(p, n, X: gl.constexpr):\n    \
             layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], {layout})\n    o = gl.zeros([64, 4], gl.float32, layout)\n\
             def run(p, n):\n    kernel[(1, )](p, n)\n"
        )
    };
    let config = |given: &str, more: &str| format!("triton.Config({given}{more})");
    let order = "[4, 1], [X, 1]";
    for bad in ["{'X': 1}", "dict(X=1)", "kwargs={'X': 1}", "{'X': 0, 'X': 1}"] {
        found(GLUON, &program(&format!("[{}]", config(bad, "")), "", order), Code::GluonLayout);
        let two = format!("[{}, {}]", config("{'X': 0}", ", num_warps=4"), config(bad, ", num_warps=4"));
        found(GLUON, &program(&two, "", order), Code::GluonLayout);
        silent(GLUON, &program(&two, ", prune_configs_by={'early_config_prune': prune}", order));
        silent(GLUON, &program(&format!("[c for c in {two} if fits(c)]"), "", order));
        silent(GLUON, &program(&two.replace("triton.Config", "Config"), "", order));
        silent(GLUON, &program(&two, "", order).replace("    layout:", "    gl.static_assert(X == 0)\n    layout:"));
    }
    for good in ["{'X': 0}", "dict(X=0)", "{'Y': 1}", "given", "{**given}"] {
        silent(GLUON, &program(&format!("[{}]", config(good, "")), "", order));
    }
    let named = format!("CONFIGS = [{}]\n", config("{'X': 1}", ""));
    found(GLUON, &format!("{named}{}", program("CONFIGS", "", order)), Code::GluonLayout);
    silent(GLUON, &format!("{named}CONFIGS[0] = other\n{}", program("CONFIGS", "", order)));
    // Warps: four where a config says nothing.
    let fixed = |warps: u32| format!("[{warps}, 1], [1, 0]");
    let both = |one: &str, other: &str| format!("[{}, {}]", config("{'X': 4}", one), config("{'X': 8}", other));
    let (four, eight) = (", num_warps=4", ", num_warps=8, num_stages=2");
    found(GLUON, &program(&both(eight, eight), "", &fixed(4)), Code::GluonLayout);
    found(GLUON, &program(&both("", four), "", &fixed(8)), Code::GluonLayout);
    for (configs, warps) in [
        (both(four, ""), 4),
        (both(eight, eight), 8),
        (both(four, eight), 4),
        (both(eight, ", num_warps=n"), 4),
        (both(eight, ", **more"), 4),
    ] {
        silent(GLUON, &program(&configs, "", &fixed(warps)));
    }
    silent(GLUON, &program(&both(eight, eight), "", "[gl.num_warps(), 1], [1, 0]"));
    silent(GLUON, &program(&both(eight, eight), "", &fixed(4)).replace("kernel[(1, )]", "other[(1, )]"));
}

/// A dictionary that takes in another one: what stands behind counts.
#[test]
fn items_of_other_dictionaries() {
    let program = |more: &str, given: &str| {
        format!(
            "def f(rows, ld=64):\n    return cute.make_layout((rows, 64), stride=(ld, 1))\nBASE = {{'rows': 8, 'ld': 32}}\n{more}f(**{given})\n"
        )
    };
    for given in
        ["{**BASE}", "{**BASE, 'rows': 4}", "{'ld': 64, **BASE}", "(BASE | {'rows': 4})", "{**BASE, **{'rows': 16}}"]
    {
        found(CUTE, &program("", given), Code::Overlap);
        silent(CUTE, &program("BASE['ld'] = 64\n", given));
        silent(CUTE, &program("BASE.update(ld=64)\n", given));
    }
    for given in [
        "{**BASE, 'ld': 64}",
        "{**BASE, **{'ld': 72}}",
        "{**BASE, **more}",
        "{**more, 'rows': 4}",
        "(BASE | {'ld': 64})",
    ] {
        silent(CUTE, &program("", given));
    }
    // A layout in it is one layout.
    found(CUTE, &format!("A = {{'n': {}, **B}}\n", ROWS.replace("ld", "32")), Code::Overlap);
}
