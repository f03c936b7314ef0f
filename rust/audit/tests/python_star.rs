//! `from module import *`: what it binds, what hides what, and what it leaves alone.

#![allow(clippy::too_many_lines, clippy::format_collect, reason = "each test is a list of programs")]

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

const HEAD: &str = "import cutlass\nimport cutlass.cute as cute\n";

/// What is found, and how many layouts are known of all; `«x»` is a layout of 64 by 64 with rows that are `x` apart, which overlaps
/// below 64.
fn read(files: &[(&str, &str)]) -> (Vec<Code>, usize, usize) {
    let layout = |text: &str| text.replace('«', "cute.make_layout((64, 64), stride=(").replace('»', ", 1))");
    let files = files.iter().map(|(path, text)| Source::new(*path, layout(text).into_bytes())).collect();
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0);
    (report.findings.into_iter().map(|finding| finding.code).collect(), report.layouts.resolved, report.layouts.found)
}

fn with_head(main: &str) -> String {
    format!("{HEAD}{main}")
}

fn wrong(main: &str, others: &[(&str, &str)]) {
    let main = with_head(main);
    let files: Vec<_> = [("main.py", main.as_str())].into_iter().chain(others.iter().copied()).collect();
    assert_eq!(read(&files), (vec![Code::Overlap], 1, 1), "{files:?}");
}

fn right(main: &str, others: &[(&str, &str)]) {
    let main = with_head(main);
    let files: Vec<_> = [("main.py", main.as_str())].into_iter().chain(others.iter().copied()).collect();
    assert_eq!(read(&files), (vec![], 1, 1), "{files:?}");
}

fn open(main: &str, others: &[(&str, &str)]) {
    let main = with_head(main);
    let files: Vec<_> = [("main.py", main.as_str())].into_iter().chain(others.iter().copied()).collect();
    assert_eq!(read(&files), (vec![], 0, 1), "{files:?}");
}

#[test]
fn a_star_leaves_other_names_alone() {
    wrong("from cfg import *\ndef f(mX):\n    return «60»\n", &[("cfg.py", "LD = 1\n")]);
    wrong("from elsewhere import *\ndef f(mX):\n    return «60»\n", &[]);
    wrong("from elsewhere import *\nLD = 60\ndef f(mX):\n    return «LD»\n", &[]);
    wrong("LD = 60\nfrom elsewhere import *\ndef f(mX):\n    return «LD»\n", &[]);
    wrong("from elsewhere import *\nLD = max(len((1, 2)), 60)\ndef f(mX):\n    return «LD»\n", &[]);
    open("from elsewhere import *\ndef f(mX):\n    return «LD»\n", &[]);
    right("from cfg import *\ndef f(mX):\n    return «64»\n", &[("cfg.py", "LD = 1\n")]);
}

#[test]
fn a_star_binds_the_public_names_of_a_file() {
    let cfg = ("cfg.py", "LD = 60\n_LD = 60\nBIG = 64\n");
    wrong("from cfg import *\ndef f(mX):\n    return «LD»\n", &[cfg]);
    right("from cfg import *\ndef f(mX):\n    return «BIG»\n", &[cfg]);
    open("from cfg import *\ndef f(mX):\n    return «_LD»\n", &[cfg]);
    right("_LD = 64\nfrom cfg import *\ndef f(mX):\n    return «_LD»\n", &[cfg]);
    wrong(
        "from cfg import *\ndef f(mX):\n    return «pitch(64)»\n",
        &[("cfg.py", "def pitch(n):\n    return n - 4\n")],
    );
    // What it imports is given on.
    wrong(
        "from cfg import *\ndef f(mX):\n    return «LD»\n",
        &[("cfg.py", "from more import LD\n"), ("more.py", "LD = 60\n")],
    );
    wrong(
        "from cfg import *\ndef f(mX):\n    return «more.LD»\n",
        &[("cfg.py", "import more\n"), ("more.py", "LD = 60\n")],
    );
    // A class, of which objects are made here.
    wrong(
        "from cfg import *\ndef main():\n    K(60)()\n",
        &[(
            "cfg.py",
            "import cutlass.cute as cute\nclass K:\n    def __init__(self, ld):\n        self.ld = ld\n    @cute.jit\n    def \
             __call__(self):\n        return «self.ld»\n",
        )],
    );
}

#[test]
fn the_last_binding_counts() {
    let cfg = ("cfg.py", "LD = 60\n");
    right("from cfg import *\nLD = 64\ndef f(mX):\n    return «LD»\n", &[cfg]);
    wrong("LD = 64\nfrom cfg import *\ndef f(mX):\n    return «LD»\n", &[cfg]);
    right("LD = 64\nx = «LD»\nfrom cfg import *\n", &[cfg]);
    right("from cfg import *\nfrom more import *\ndef f(mX):\n    return «LD»\n", &[cfg, ("more.py", "LD = 64\n")]);
    wrong("from more import *\nfrom cfg import *\ndef f(mX):\n    return «LD»\n", &[cfg, ("more.py", "LD = 64\n")]);
    // Within the file that is taken.
    right("from cfg import *\ndef f(mX):\n    return «LD»\n", &[("cfg.py", "LD = 60\nLD = 64\n")]);
    // A name of the function is its own.
    right("from cfg import *\ndef f(mX):\n    LD = 64\n    return «LD»\n", &[cfg]);
}

#[test]
fn a_file_far_away_may_be_another_one() {
    let main = with_head("LD = 64\nfrom cfg import *\ndef f(mX):\n    return «LD»\n");
    let of = |path: &str, cfg: &str| read(&[(path, main.as_str()), (cfg, "LD = 60\n")]).0;
    assert_eq!(of("a/main.py", "a/cfg.py"), [Code::Overlap]);
    assert_eq!(of("a/b/main.py", "a/cfg.py"), [Code::Overlap]);
    assert_eq!(of("a/main.py", "cfg/__init__.py"), [Code::Overlap]);
    assert_eq!(of("a/main.py", "b/cfg.py"), []);
    assert_eq!(of("a/main.py", "a/b/cfg.py"), []);
    let main = main.replace("LD = 64\n", "");
    assert_eq!(read(&[("a/main.py", main.as_str()), ("b/cfg.py", "LD = 60\n")]).0, [Code::Overlap]);
}

#[test]
fn dunder_all_says_what_is_given() {
    let cfg = ("cfg.py", "__all__ = [\"_LD\", \"BIG\"]\nLD = 60\n_LD = 60\nBIG = 64\n");
    wrong("from cfg import *\ndef f(mX):\n    return «_LD»\n", &[cfg]);
    open("from cfg import *\ndef f(mX):\n    return «LD»\n", &[cfg]);
    right("LD = 64\nfrom cfg import *\ndef f(mX):\n    return «LD»\n", &[cfg]);
    // What is added to it is not known: each name may be given or not.
    for more in ["__all__ += more", "__all__.append(x)", "__all__.remove(\"LD\")", "__all__ = names()"] {
        let cfg = format!("__all__ = [\"LD\"]\n{more}\nLD = 60\n");
        let read = read(&[
            ("main.py", &with_head("LD = 64\nfrom cfg import *\ndef f(mX):\n    return «LD»\n")),
            ("cfg.py", &cfg),
        ]);
        assert_eq!(read.0, [], "{cfg}");
    }
}

#[test]
fn stars_of_stars() {
    let more = ("more.py", "LD = 60\n");
    wrong("from cfg import *\ndef f(mX):\n    return «LD»\n", &[("cfg.py", "from more import *\n"), more]);
    right("from cfg import *\ndef f(mX):\n    return «LD»\n", &[("cfg.py", "from more import *\nLD = 64\n"), more]);
    open(
        "from cfg import *\ndef f(mX):\n    return «LD»\n",
        &[("cfg.py", "from more import *\n__all__ = [\"X\"]\nX = 4\n"), more],
    );
    // Circles end.
    wrong(
        "from cfg import *\ndef f(mX):\n    return «LD»\n",
        &[("cfg.py", "from more import *\n"), ("more.py", "from cfg import *\nLD = 60\n")],
    );
    wrong(
        "from main import *\nfrom cfg import *\ndef f(mX):\n    return «LD»\n",
        &[("cfg.py", "from main import *\nLD = 60\n")],
    );
    let circle: Vec<(String, String)> = (0..40)
        .map(|n| {
            (format!("m{n}.py"), (0..40).map(|k| format!("from m{k} import *\n")).collect::<String>() + "LD = 64\n")
        })
        .collect();
    let main = with_head("from m0 import *\nfrom m7 import *\ndef f(mX):\n    return «LD», «60»\n");
    let files: Vec<_> =
        [("main.py", main.as_str())].into_iter().chain(circle.iter().map(|(a, b)| (a.as_str(), b.as_str()))).collect();
    assert_eq!(read(&files).0, [Code::Overlap]);
    // A file that takes itself whole.
    wrong("from main import *\nLD = 60\ndef f(mX):\n    return «LD»\n", &[]);
}

#[test]
fn libraries_are_taken_whole() {
    let text = |main: &str| read(&[("main.py", main)]);
    assert_eq!(
        text("from cutlass.cute import *\nx = make_layout((64, 64), stride=(60, 1))\n"),
        (vec![Code::Overlap], 1, 1)
    );
    assert_eq!(
        text("from cutlass.cute import *\nfrom torch import *\nx = make_layout((64, 64), stride=(60, 1))\n"),
        (vec![Code::Overlap], 1, 1)
    );
    // What a small library does not have is Python's own.
    wrong(
        "from math import *\nfrom typing import *\nLD = [range(ceil(60), 64)[0]][0]\ndef f(mX):\n    return «LD»\n",
        &[],
    );
    // By way of a file.
    assert_eq!(
        read(&[
            ("main.py", "from ops import *\nx = make_layout((64, 64), stride=(60, 1))\n"),
            ("ops.py", "from cutlass.cute import *\n")
        ]),
        (vec![Code::Overlap], 1, 1)
    );
    assert_eq!(
        read(&[
            (
                "main.py",
                "import cutlass\nfrom ops import make_layout\nx = make_layout((64, 64), stride=(60, 1))\n# cute\n"
            ),
            ("ops.py", "from cutlass.cute import *\n")
        ]),
        (vec![Code::Overlap], 1, 1)
    );
}

#[test]
fn what_a_star_binds_is_doubtful_as_any_name() {
    let cfg = ("cfg.py", "LD = 60\n");
    // Arms, and names that are bound anew elsewhere.
    right("LD = 64\nif False:\n    from cfg import *\ndef f(mX):\n    return «LD»\n", &[cfg]);
    open(
        "from cfg import *\ndef f(mX):\n    return «LD»\n",
        &[("cfg.py", "LD = 60\ndef g():\n    global LD\n    LD = 64\n")],
    );
    let patched = [cfg, ("other.py", "import cutlass.cute\nimport cfg\ncfg.LD = 64\n")];
    open("from cfg import *\ndef f(mX):\n    return «LD»\n", &patched);
    // A name that the file hides for itself.
    let own = ("cfg.py", "cute = 4\n");
    assert_eq!(
        read(&[("main.py", &with_head("from cfg import *\ndef f(mX):\n    return «60»\n")), own]),
        (vec![], 0, 0)
    );
    wrong(
        "from cfg import *\nimport cutlass.cute as cute\ndef f(mX):\n    return «60»\n",
        &[("cfg.py", "import cutlass as cute\n")],
    );
    // The module of a package hides one of a library.
    wrong("from cfg import *\ndef f(mX):\n    return «60»\n", &[("cfg.py", "import cutlass.cute as cute\n")]);
    // A function that is handed on may be called with anything.
    let (main, k) = (
        with_head("from cfg import *\nregister(f)\nf(60)\n"),
        ("cfg.py", "import cutlass.cute as cute\ndef f(ld):\n    return «ld»\n"),
    );
    assert_eq!(read(&[("main.py", &main), k]), (vec![Code::Overlap], 0, 1));
}
