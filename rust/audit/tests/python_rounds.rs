//! What a function returns from within a loop, and what a layout hangs on that nothing leads to.

use std::fmt::Write as _;

use razorgirl_audit::eval::Reason;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Report, audit_sources};

const HEAD: &str = "import cutlass\nimport cutlass.cute as cute\n";

fn audit(text: &str) -> Report {
    let source = Source::new("main.py", format!("{HEAD}{text}").into_bytes());
    let report = audit_sources(Sources { files: vec![source], unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0, "{text}");
    report
}

fn codes(text: &str) -> Vec<Code> {
    audit(text).findings.into_iter().map(|finding| finding.code).collect()
}

/// Why the only layout is not known.
fn reason(text: &str) -> Option<Reason> {
    let report = audit(text);
    assert_eq!(report.layouts.found, 1, "{text}");
    report.layouts.unresolved.keys().next().copied()
}

/// A function of `n`, and a layout of 64 by 64 for each of some values, whose rows are as far apart as it returns: below 64 they overlap.
fn rows(body: &str, values: &[u64]) -> String {
    let mut text = format!("def f(n):\n{body}");
    for n in values {
        let _ = writeln!(text, "a{n} = cute.make_layout((64, 64), stride=(f({n}), 1))");
    }
    text
}

#[test]
fn the_first_round_that_returns() {
    // The rows of the table, and what stands behind it.
    let table = [(16, 8), (64, 60), (128, 64), (192, 63)];
    let body = "    for limit, apart in [(16, 8), (64, 60), (128, 64), (192, 63)]:
        if n <= limit:
            return apart
    return 70
";
    for n in [1, 16, 17, 64, 65, 128, 129, 192, 193, 1000] {
        let apart = table.iter().find(|(limit, _)| n <= *limit).map_or(70, |(_, apart)| *apart);
        let text = rows(body, &[n]);
        assert_eq!(codes(&text), if apart < 64 { vec![Code::Overlap] } else { vec![] }, "{n}");
        assert_eq!(audit(&text).layouts.resolved, 1, "{n}");
    }
}

#[test]
fn rounds_of_what_is_counted() {
    // The largest of these that divides.
    let body = "    for v in range(72, 0, -4):
        half = v // 2
        if n % v == 0 and half > 4:
            return v
    raise ValueError(n)
";
    for n in [72_u64, 144, 68, 64, 60, 56, 120] {
        let largest = (1..=18).rev().map(|v| v * 4).find(|v| n % v == 0).unwrap();
        let expected = if largest < 64 { vec![Code::Overlap] } else { vec![] };
        assert_eq!(codes(&rows(body, &[n])), expected, "{n} {largest}");
    }
    for (range, expected) in [
        ("range(60, 61)", vec![Code::Overlap]),
        ("range(60, 60)", vec![]),
        ("range(60, 59, -1)", vec![Code::Overlap]),
        ("range(60, 64, -1)", vec![]),
        ("range(64, 60, -1)", vec![]),
        ("range(60, 80, 20)", vec![Code::Overlap]),
        ("(60, 64)", vec![Code::Overlap]),
        ("()", vec![]),
    ] {
        let body = format!("    for v in {range}:\n        return v\n    return 64\n");
        assert_eq!(codes(&rows(&body, &[1])), expected, "{range}");
    }
}

/// What a round may leave to the next is not followed, nor a loop that is left or goes on before its end.
#[test]
fn rounds_that_hang_together_say_nothing() {
    for body in [
        "    best = 64\n    for v in (60, 64):\n        if v == 60:\n            best = v\n        if v == 64:\n            return best\n    return 64\n",
        "    best = 60\n    for v in (60, 64):\n        if v == 64:\n            return best\n        best = 64\n    return 64\n",
        "    for v in (60, 64):\n        if v == 60:\n            continue\n        return v\n    return 64\n",
        "    for v in (64, 60):\n        if v == 64:\n            break\n        return 60\n    return 64\n",
        "    v = 64\n    while v < n:\n        v += 1\n        if v > 70:\n            return 60\n    return v\n",
        "    for v in (4, 8):\n        for w in (15, 16):\n            if v * w == 60:\n                return 60\n    return 64\n",
        "    s = 0\n    for v in (60, 64):\n        s += v\n        if s > 60:\n            return s - 64\n    return 64\n",
    ] {
        let text = rows(body, &[64]);
        assert_eq!(codes(&text), [], "{text}");
        assert_eq!(audit(&text).layouts.resolved, 0, "{text}");
    }
    // What is bound anew in each round is that round's.
    let own = "    for v in (15, 16):\n        w = v * 4\n        if w > 60:\n            return w\n    return 60\n";
    assert_eq!((codes(&rows(own, &[1])), audit(&rows(own, &[1])).layouts.resolved), (vec![], 1));
    let own = own.replace("w > 60", "w >= 60");
    assert_eq!(codes(&rows(&own, &[1])), [Code::Overlap]);
}

/// As quack's reductions have it: which round it is hangs on the extent of a tensor.
#[test]
fn a_round_that_hangs_on_the_run_is_known_at_run_time() {
    let text = "import torch
class K:
    def __init__(self, n):
        self.n = n
    def threads(self):
        n = self.n
        for limit, threads in [(64, 8), (128, 16)]:
            if n <= limit:
                return threads
        return 256
    @cute.jit
    def __call__(self, mX: cute.Tensor):
        return cute.make_layout((self.threads(), self.n))
def main(x: torch.Tensor):
    cute.compile(K(«n»), x)
";
    assert_eq!(reason(&text.replace("«n»", "x.size(1)")), Some(Reason::RunTime));
    assert_eq!(reason(&text.replace("«n»", "96")), None);
}

/// No value that is listed leads to the layout: that is no value known at run time, unless it is one whatever leads there.
#[test]
fn what_nothing_listed_leads_to() {
    let text = |extent: &str| {
        format!(
            "class K:
    def __init__(self, width, rows):
        self.width = width
        self.rows = rows
    @cute.jit
    def __call__(self, mX: cute.Tensor):
        return cute.make_layout({extent})
def make(width, rows):
    if width == 1:
        return K(width, rows)
    return None
def main(x):
    make(8, 64)
    make(4, 32)
"
        )
    };
    assert_eq!(reason(&text("self.rows")), Some(Reason::Unlisted));
    assert_eq!(reason(&text("(self.rows, self.width)")), Some(Reason::Unlisted));
    assert_eq!(reason(&text("(self.rows, mX.shape[0])")), Some(Reason::RunTime));
    // One call leads there.
    assert_eq!(reason(&text("self.rows").replace("make(4, 32)", "make(1, 32)")), None);
}
