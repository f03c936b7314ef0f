//! From paths to a report.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use razorgirl_audit::report::{Export, Json};
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Cache, Report, audit, audit_again, audit_sources};

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn audit_tree(files: &[(&str, &str)]) -> Report {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), files);
    audit(&[root.path().to_path_buf()], None)
}

#[test]
fn files_without_layouts_are_parsed_for_the_names_they_declare() {
    let report = audit_tree(&[
        ("a.hpp", "using L = Layout<Int<lib::kRows>>;"),
        ("b.hpp", "namespace lib { constexpr int kRows = kBase * 2; }"),
        ("c.hpp", "namespace lib { constexpr int kBase = 4; }"),
        ("d.hpp", "namespace lib { constexpr int kOther = 4; }"),
        ("e.cu", "constexpr int kRows = 7;"),
    ]);
    assert_eq!((report.sources.files.len(), report.parsed), (5, 3));
    assert_eq!((report.layouts.found, report.layouts.resolved), (1, 1));
}

#[test]
fn aliases_of_aliases_are_followed_where_no_layout_is_named() {
    let report = audit_tree(&[
        ("a.hpp", "template <class S, class D> using Tiled = Layout<S, D>;"),
        ("b.hpp", "using Bad = Tiled<Shape<_8,_4>, Stride<_1,_4>>;"),
    ]);
    assert_eq!(report.instances, 1);
    assert_eq!(report.findings.len(), 1, "{:?}", report.findings);
    assert!(report.path(report.findings[0].place).ends_with("a.hpp"));
}

#[test]
fn a_missing_path_does_not_stop_the_others() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &[("x/a.hpp", "using L = Layout<_4>;"), ("b.txt", "using L = Layout<_4>;")]);
    let paths: Vec<PathBuf> = ["missing", "x", "b.txt"].iter().map(|name| root.path().join(name)).collect();
    let report = audit(&paths, None);
    assert_eq!(report.sources.unreadable.len(), 1);
    // A file named by the user is read whatever its ending.
    assert_eq!(report.layouts.resolved, 2);
}

#[test]
fn progress_ends_where_it_should() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &[("a.hpp", "using L = Layout<_4>;"), ("b.hpp", "using L = Layout<_4>;"), ("c.hpp", "int x;")]);
    let (seen, last) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let progress = |done: usize, all: usize| {
        assert!(done <= all);
        seen.fetch_add(1, Ordering::Relaxed);
        last.fetch_max(all, Ordering::Relaxed);
    };
    audit(&[root.path().to_path_buf()], Some(&progress));
    assert_eq!((seen.into_inner(), last.into_inner()), (2, 2));
}

#[test]
fn nothing_is_nothing() {
    let report = audit_tree(&[]);
    assert!(report.findings.is_empty() && report.sources.unreadable.is_empty());
    assert_eq!(report.layouts.found, 0);
}

fn sources(files: &[(&str, String)]) -> Sources {
    let files = files.iter().map(|(path, text)| Source::new(*path, text.clone().into_bytes())).collect();
    Sources { files, unreadable: Vec::new() }
}

fn json(report: &Report) -> String {
    let mut text = Vec::new();
    Json { summary: false, unresolved: true }.write(report, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn an_audit_with_what_is_kept_says_what_one_from_nothing_says() {
    let template = "template <int kRows> struct T { using L = Layout<Shape<Int<kRows>,_4>, Stride<_1,lib::S>>; };";
    let mut files = vec![
        ("a.hpp", "using Bad = Layout<Shape<_8,_4>, Stride<_1,lib::S>>;".to_owned()),
        ("b.hpp", template.to_owned()),
        ("c.cu", "void f() { T<8>::L l; T<4>::L m; }".to_owned()),
        ("d.hpp", "namespace lib { using S = _4; }".to_owned()),
    ];
    let cache = Cache::new();
    let mut seen = Vec::new();
    for (file, from, to, parsed) in [
        (0, "", "", 4),
        (0, "", "", 0),
        (3, "_4", "_8", 1),
        (3, "_8", "_4", 0),
        (2, "T<4>", "T<2>", 1),
        (0, "using", "\n\nusing", 1),
        (1, "_4>, S", "_6>, S", 1),
    ] {
        files[file].1 = files[file].1.replacen(from, to, 1);
        let before = cache.parsed();
        let report = audit_again(sources(&files), &cache);
        let fresh = audit_sources(sources(&files), None);
        assert_eq!(json(&report), json(&fresh));
        assert_eq!(report.known, fresh.known);
        assert_eq!(cache.parsed() - before, parsed, "{file}: {from} -> {to}");
        seen.push(report.findings.len());
    }
    assert_eq!(seen, [2, 2, 0, 2, 2, 2, 2]);
    // Files move in the list, and one of them is gone.
    files.remove(0);
    let before = cache.parsed();
    assert_eq!(json(&audit_again(sources(&files), &cache)), json(&audit_sources(sources(&files), None)));
    assert_eq!(cache.parsed(), before);
}

#[test]
fn a_report_says_what_stands_where() {
    let text = "using L = Layout<Shape<_8,_4>>;\ntemplate <int k> struct T { using M = Layout<Int<k>>; };\nusing A = T<2>::M; using B = T<3>::M;";
    let report = audit_sources(sources(&[("a.hpp", text.to_owned())]), None);
    let mut known: Vec<_> = report
        .known
        .iter()
        .map(|one| (&text[one.place.span.range()], format!("{}:{}", one.shape, one.stride), one.holds.as_deref()))
        .collect();
    known.sort();
    assert_eq!(
        known,
        [
            ("Layout<Int<k>>", "2:1".to_owned(), Some("k = 2")),
            ("Layout<Int<k>>", "3:1".to_owned(), Some("k = 3")),
            ("Layout<Shape<_8,_4>>", "(8,4):(1,8)".to_owned(), None),
        ]
    );
}
