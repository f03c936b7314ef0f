//! What a registry asks of the crates that are published, and what their users ask: licences that allow any use, all keys, versions
//! of the crates that they stand on, and no text from outside of their folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Licences that ask for no more than that their text goes along.
const ALLOWED: [&str; 9] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSL-1.0",
    "MIT",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Zlib",
];

fn metadata() -> Vec<Value> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let arguments = ["metadata", "--locked", "--format-version", "1", "--manifest-path", manifest];
    let output = Command::new(env!("CARGO")).args(arguments).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = all["packages"].as_array().expect("packages").clone();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    packages
}

/// The crates of this repository that are published.
fn published() -> Vec<Value> {
    let ours: Vec<Value> =
        metadata().into_iter().filter(|package| package["source"].is_null() && package["publish"].is_null()).collect();
    assert!(ours.len() >= 8, "only {} crates are published", ours.len());
    ours
}

/// Whether an SPDX expression leaves a choice that is allowed: a bracket is what it holds, AND binds closer than OR, and `/` is an
/// old OR.
fn allowed(expression: &str) -> bool {
    let text = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut at = 0;
    let answer = either(&words, &mut at);
    answer == Some(true) && at == words.len()
}

fn either(words: &[&str], at: &mut usize) -> Option<bool> {
    let mut answer = both(words, at)?;
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        answer |= both(words, at)?;
    }
    Some(answer)
}

fn both(words: &[&str], at: &mut usize) -> Option<bool> {
    let mut answer = one(words, at)?;
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        answer &= one(words, at)?;
    }
    Some(answer)
}

fn one(words: &[&str], at: &mut usize) -> Option<bool> {
    let word = *words.get(*at)?;
    *at += 1;
    if word == "(" {
        let answer = either(words, at)?;
        *at += 1;
        return (words.get(*at - 1) == Some(&")")).then_some(answer);
    }
    let mut name = word.to_string();
    if words.get(*at) == Some(&"WITH") {
        name = format!("{name} WITH {}", words.get(*at + 1)?);
        *at += 2;
    }
    Some(ALLOWED.contains(&name.as_str()))
}

#[test]
fn expressions_are_read_as_spdx_means_them() {
    for good in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0-only OR MIT",
        "(MIT OR GPL-3.0-only) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(allowed(good), "{good}");
    }
    for bad in [
        "",
        "GPL-3.0-only",
        "MIT AND GPL-3.0-only",
        "(MIT OR Zlib) AND MPL-2.0",
        "MIT OR",
        "(MIT",
        "MIT )",
        "MIT Zlib",
        "GPL-2.0-only WITH LLVM-exception",
    ] {
        assert!(!allowed(bad), "{bad}");
    }
}

#[test]
fn every_crate_has_an_allowed_licence() {
    let bad: Vec<String> = metadata()
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(allowed))
        .map(|package| format!("{} {}: {}", package["name"], package["version"], package["license"]))
        .collect();
    assert!(bad.is_empty(), "licences that are not in the list of this test: {bad:#?}");
}

#[test]
fn published_crates_have_every_key_and_versions() {
    let ours: BTreeMap<String, Value> = published()
        .into_iter()
        .map(|package| (package["name"].as_str().unwrap_or_default().to_string(), package))
        .collect();
    for (name, package) in &ours {
        for key in ["description", "license", "repository", "homepage", "documentation", "readme"] {
            assert!(package[key].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {key}");
        }
        let length = |key: &str| package[key].as_array().map_or(0, Vec::len);
        // crates.io takes five of each
        assert!((1..=5).contains(&length("keywords")), "{name}: keywords {}", package["keywords"]);
        assert!((1..=5).contains(&length("categories")), "{name}: categories {}", package["categories"]);
        for need in package["dependencies"].as_array().into_iter().flatten().filter(|need| !need["path"].is_null()) {
            let other = need["name"].as_str().unwrap_or_default();
            // what tests need goes without a version where it stands on this crate: cargo leaves it out
            if need["kind"] != "dev" {
                assert!(ours.contains_key(other), "{name} stands on {other}, which is not published");
                assert_ne!(need["req"], "*", "{name} names no version of {other}");
            }
        }
    }
}

/// The files below `folder` with this extension.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Texts that a file includes and that lie outside of `root`; those of documentation tests are not compiled by users.
fn outside(root: &Path, file: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("include_str!(").chain(text.match_indices("include_bytes!(")) {
        let documentation = text[..at].lines().rev().take(2).any(|line| line.contains("cfg(doctest)"));
        let Some(path) = text[at..].split('"').nth(1).filter(|_| !documentation) else { continue };
        let mut place = file.parent().expect("a folder").to_path_buf();
        for part in Path::new(path).components() {
            match part {
                Component::ParentDir => {
                    place.pop();
                }
                Component::Normal(name) => place.push(name),
                _ => {}
            }
        }
        if !place.starts_with(root) {
            found.push(format!("{}: {path}", file.display()));
        }
    }
    found
}

#[test]
fn published_crates_include_nothing_from_outside() {
    let (root, file) = (Path::new("/r/a"), Path::new("/r/a/src/b/c.rs"));
    assert!(outside(root, file, r#"include_str!("../../t.txt")"#).is_empty());
    assert_eq!(outside(root, file, r#"include_str!(concat!("../../../t/", $f))"#).len(), 1);
    let mut read = 0;
    for package in published() {
        let root =
            Path::new(package["manifest_path"].as_str().expect("a path")).parent().expect("a folder").to_path_buf();
        let mut sources = Vec::new();
        files(&root.join("src"), &mut sources);
        for source in &sources {
            let text = fs::read_to_string(source).expect("UTF-8");
            let found = outside(&root, source, &text);
            assert!(found.is_empty(), "cargo package leaves out what is included here: {found:?}");
            read += 1;
        }
    }
    assert!(read > 300, "only {read} files");
}
