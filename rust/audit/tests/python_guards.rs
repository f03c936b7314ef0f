//! Guards that leave by whatever leaves: what they refuse is made by nobody, and what they let pass is judged.

#![allow(clippy::too_many_lines, reason = "each test is a list of programs")]

use crate::common;

use common::{found, python_files, silent};
use razorgirl_audit::finding::Code;

const HEAD: &str = "import argparse, contextlib, os, pytest, sys, lib\nfrom typing import NoReturn\n\
                    from triton.experimental.gluon import language as gl\nparser = argparse.ArgumentParser()\n\
                    def die(m):\n    print(m)\n    raise ValueError(m)\n\
                    def end(m):\n    die(m)\n\
                    def stop(m) -> NoReturn:\n    m.go()\n\
                    def either(m):\n    if m:\n        raise ValueError(m)\n    else:\n        raise KeyError\n\
                    def check(r):\n    if r == 3:\n        raise ValueError(r)\n\
                    def deeper(n):\n    check(n)\n    print(n)\n\
                    def among(r):\n    assert r in (1, 2, 4, 5)\n\
                    def show(r):\n    print(r)\n\
                    def back(r):\n    if r == 3:\n        return\n    raise ValueError(r)\n";

const LAYOUT: &str = "gl.BlockedLayout([r], [32], [4], [0])";

/// A function with a guard for three, and its calls.
fn guarded(body: &str, other: usize) -> String {
    let body: String = body.lines().flat_map(|line| ["    ", line, "\n"]).collect();
    format!("def run(x, r):\n{body}    return {LAYOUT}\nrun(None, {other})\nrun(None, 4)\n")
}

/// Three is refused in each of these ways; five is not.
const GUARDS: [&str; 33] = [
    "if r == 3:\n    return None",
    "if r == 3:\n    sys.exit('no')",
    "if r == 3:\n    exit(1)",
    "if r == 3:\n    quit()",
    "if r == 3:\n    os.abort()",
    "if r == 3:\n    os._exit(1)",
    "if r == 3:\n    parser.error('no')",
    "if r == 3:\n    pytest.skip('no')",
    "if r == 3:\n    assert False, 'no'",
    "if r == 3:\n    die('no')",
    "if r == 3:\n    end('no')",
    "if r == 3:\n    stop('no')",
    "if r == 3:\n    either('no')",
    "check(r)",
    "check(r=r)",
    "deeper(r)",
    "among(r)",
    "if r == 3:\n    with lib.no_grad():\n        return x.sum()",
    "if r == 3:\n    with open(x) as f:\n        raise ValueError",
    "if r == 3:\n    if x.is_cuda:\n        return x.sum()\n    else:\n        raise ValueError",
    "if r == 3:\n    match x:\n        case 4:\n            return x.sum()\n        case _:\n            raise ValueError",
    "match r:\n    case 3:\n        sys.exit()\n    case _:\n        pass",
    "if r == 3:\n    try:\n        return x.sum()\n    except RuntimeError as e:\n        raise ValueError('no') from e",
    "if r == 3:\n    try:\n        x.sum()\n    finally:\n        sys.exit(1)",
    "try:\n    if r == 3:\n        raise ValueError\nfinally:\n    x.close()",
    "try:\n    assert r != 3\nfinally:\n    x.close()",
    "for v in (1, 2):\n    if r == 3:\n        return None",
    "for v in x:\n    assert r != 3",
    "if x:\n    assert r != 3\nelse:\n    assert r in (1, 2, 4, 5)",
    "if x:\n    if r == 3:\n        return None\nelif r == 3:\n    raise ValueError\nelse:\n    assert r != 3",
    "if r == 3:\n    while True:\n        x.wait()",
    "if lib.old():\n    check(r)\nelse:\n    deeper(r)",
    "if r == 3:\n    while True:\n        for y in x:\n            break",
];

#[test]
fn whatever_leaves_is_a_guard() {
    for guard in GUARDS {
        silent(HEAD, &guarded(guard, 3));
        found(HEAD, &guarded(guard, 5), Code::GluonLayout);
    }
}

/// What comes back, or may for all that is seen of it, is none.
#[test]
fn what_comes_back_is_no_guard() {
    for guard in [
        "if r == 3:\n    print('r is 3')",
        "if r == 3:\n    show(r)",
        "if r == 3:\n    with contextlib.suppress(ValueError):\n        raise ValueError",
        "with contextlib.suppress(ValueError):\n    if r == 3:\n        raise ValueError",
        "if r == 3:\n    while True:\n        if x:\n            break",
        "if r == 3:\n    try:\n        raise ValueError\n    except ValueError:\n        pass",
        "try:\n    assert r != 3\nexcept AssertionError:\n    pass",
        "if r == 3:\n    if x:\n        return None",
        "for v in (1, 2):\n    if r == 3:\n        continue",
        "back(r)",
        "if x:\n    assert r != 3",
    ] {
        found(HEAD, &guarded(guard, 3), Code::GluonLayout);
    }
}

/// The `else` of a loop does not run where that is left by a `break`.
#[test]
fn the_else_of_a_loop() {
    let text = |head: &str, leaves: &str, r: usize| {
        format!(
            "def run(x, r):\n    {head}:\n        if r == 3:\n            {leaves}\n    else:\n        return {LAYOUT}\nrun(None, {r})\nrun(None, 4)\n"
        )
    };
    for head in ["for v in (1, 2)", "while x.go()"] {
        silent(HEAD, &text(head, "break", 3));
        silent(HEAD, &text(head, "return None", 3));
        found(HEAD, &text(head, "break", 5), Code::GluonLayout);
        found(HEAD, &text(head, "continue", 3), Code::GluonLayout);
    }
    // A loop before another one is not its `else`.
    let two = format!(
        "def run(x, r):\n    for v in x:\n        if r == 3:\n            break\n    while x.go():\n        {LAYOUT}\nrun(None, 3)\n"
    );
    found(HEAD, &two, Code::GluonLayout);
}

/// A value that is known only from what refuses it, or may, is none that anything is made with.
#[test]
fn what_a_guard_names_is_not_listed_for_it() {
    let text = |guard: &str| format!("def make(x, r):\n    if r == 3:\n        {guard}\n    return {LAYOUT}\n");
    for guard in ["raise ValueError", "lib.check(r)", "unsupported(r)", "die(r)", "self.skipTest('no')", "check(r)"] {
        silent(HEAD, &text(guard));
    }
    let alone = "from triton.experimental.gluon import language as gl\n";
    found(alone, &text("print('slow')"), Code::GluonLayout);
    found(alone, &text("x.append(r)"), Code::GluonLayout);
    silent(alone, &text("raise ValueError"));
    silent(alone, &text("lib.check(r)"));
}

/// A constructor that has its numbers checked elsewhere.
#[test]
fn constructors_that_call_for_checks() {
    let text = |check: &str, r: usize| {
        format!(
            "class K:\n    def __init__(self, r):\n        {check}\n        self.r = r\n    def _check(self, r):\n        if r == 3:\n            \
             raise ValueError\n    def go(self):\n        r = self.r\n        return {LAYOUT}\nK({r}).go()\nK(4).go()\n"
        )
    };
    for check in ["self._check(r)", "check(r)", "among(r)"] {
        silent(HEAD, &text(check, 3));
        found(HEAD, &text(check, 5), Code::GluonLayout);
    }
    found(HEAD, &text("self.r = None", 3), Code::GluonLayout);
}

/// What leaves may be another file's.
#[test]
fn functions_of_other_files_leave() {
    let other = "def die(m):\n    raise ValueError(m)\ndef check(r):\n    if r == 3:\n        die(r)\n";
    for guard in ["if r == 3:\n        die(r)", "check(r)"] {
        let main = |r: usize| {
            format!(
                "from other import check, die\nfrom triton.experimental.gluon import language as gl\ndef run(r):\n    {guard}\n    \
                 return {LAYOUT}\nrun({r})\nrun(4)\n"
            )
        };
        assert!(python_files(&[("other.py", other.to_owned()), ("main.py", main(3))]).is_empty(), "{guard}");
        assert!(!python_files(&[("other.py", other.to_owned()), ("main.py", main(5))]).is_empty(), "{guard}");
    }
}

/// A test that is skipped for some values is run with the others.
#[test]
fn tests_that_skip_some_values() {
    let text = |values: &str, guard: &str| {
        format!(
            "@pytest.mark.parametrize('r', [{values}])\ndef test_a(r, device):\n    {guard}\n    layout = {LAYOUT}\n"
        )
    };
    for leaves in ["pytest.skip('no')", "pytest.fail('no')", "pytest.xfail('no')", "sys.exit('no')", "return"] {
        let guard = format!("if r == 3:\n        {leaves}");
        silent(HEAD, &text("1, 3, 4", &guard));
        found(HEAD, &text("1, 5, 4", &guard), Code::GluonLayout);
        let guard = format!("if r not in (1, 2, 4):\n        {leaves}");
        silent(HEAD, &text("1, 3, 4, 5", &guard));
    }
    let gpu = "if not has_gpu():\n        pytest.skip('no GPU')";
    found(HEAD, &text("1, 3, 4", gpu), Code::GluonLayout);
    silent(HEAD, &text("1, 4", gpu));
    found(HEAD, &text("1, 3, 4", "if r > 64:\n        pytest.skip('too large')"), Code::GluonLayout);
    // For which values is not known.
    for guard in ["if not supported(r):", "if device == 'cpu' and r == 3:", "n = f(r)\n    if n:", "while x.go(r):"] {
        silent(HEAD, &text("1, 3, 4", &format!("{guard}\n        pytest.skip('no')")));
    }
}
