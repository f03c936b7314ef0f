//! From paths to a report.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use razorgirl_audit::{Report, audit};

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
