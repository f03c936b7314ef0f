//! No arrow runs back: a stage uses only those before it, and modules of one folder use each other in circles only where that is listed here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The stages in their order, each in a file or folder of that name: all that there are.
const STAGES: [&str; 18] = [
    "ast", "source", "syntax", "cache", "twins", "demand", "mentions", "uses", "eval", "survey", "python", "rule",
    "finding", "check", "report", "policy", "audit", "fix",
];

/// The circles that there are, each with the folder and exactly the modules that it goes through: the test fails when one grows, when one
/// shrinks, and when there is another.
const CIRCLES: [(&str, &[&str]); 6] = [
    ("eval", &["algebra", "evaluator", "swizzled", "tiled"]),
    (
        "python",
        &[
            "allocated",
            "arithmetic",
            "bound",
            "calls",
            "cute",
            "dead",
            "evaluate",
            "facts",
            "files",
            "flow",
            "frame",
            "gluon",
            "guards",
            "importers",
            "index",
            "instructions",
            "kept",
            "later",
            "leaving",
            "literals",
            "memory",
            "mentioned",
            "noted",
            "objects",
            "operators",
            "partials",
            "patches",
            "ranks",
            "reach",
            "read",
            "refusals",
            "refusing",
            "returned",
            "rounds",
            "runs",
            "sequences",
            "setting",
            "shared",
            "sites",
            "stars",
            "started",
            "stored",
            "tensors",
            "tree",
            "tried",
            "value",
            "variables",
            "world",
        ],
    ),
    ("source", &["code", "launchers", "macros", "tokens", "words"]),
    (
        "survey",
        &[
            "arms",
            "asked",
            "callers",
            "classes",
            "copied",
            "devices",
            "divided",
            "kernels",
            "launched",
            "launches",
            "methods",
            "reached",
            "shared",
            "shares",
            "sides",
            "sizes",
            "sliced",
            "spots",
            "statics",
            "storage",
            "templates",
            "tiled",
            "tma",
            "unlaunched",
            "used",
        ],
    ),
    ("syntax", &["constant", "convert", "mask"]),
    ("syntax", &["extract", "functions", "ways"]),
];

/// A module by its path from the root of the crate.
type Module = Vec<String>;

fn files(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ext| ext == "rs"))
        .collect()
}

/// Every module, with its text without comments and tests.
fn modules() -> BTreeMap<Module, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = BTreeMap::new();
    for file in files(&root) {
        let path = file.strip_prefix(&root).unwrap().with_extension("");
        let mut module: Module = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        if module.iter().any(|part| part == "tests") {
            continue;
        }
        if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
            module.pop();
        }
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let lines = text.lines().map(|line| line.split("//").next().unwrap());
        all.insert(module, lines.collect::<Vec<_>>().join("\n"));
    }
    all
}

/// The paths of a `use`, with its braces opened.
fn opened(prefix: &str, tree: &str, into: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((head, list)) = tree.split_once('{').and_then(|(head, rest)| Some((head, rest.strip_suffix('}')?))) else {
        into.push(format!("{prefix}{}", tree.split(" as ").next().unwrap().trim()));
        return;
    };
    let (mut depth, mut start) = (0, 0);
    for (at, sign) in list.char_indices().chain([(list.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !list[start..at].trim().is_empty() {
                    opened(&format!("{prefix}{head}"), &list[start..at], into);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The paths that a text names from `crate` or `super` on.
fn paths(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            if text[..at].chars().next_back().is_some_and(word) {
                continue;
            }
            let rest = &text[at..];
            let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
            let head = &rest[..length];
            if rest[length..].starts_with('{') {
                opened("", &rest[..rest.find(';').unwrap_or(rest.len())], &mut all);
            } else {
                all.push(head.to_owned());
            }
        }
    }
    all
}

/// The names that a module passes on from its own parts.
fn passed_on(module: &Module, text: &str, all: &BTreeMap<Module, String>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (at, _) in text.match_indices("pub") {
        let Some((_, rest)) = text[at..].split_once("use ") else { continue };
        let statement = rest.split(';').next().unwrap();
        let visible = &text[at + 3..at + text[at..].find("use ").unwrap()];
        let Some((part, list)) = statement.split_once("::") else { continue };
        let child: Module = module.iter().cloned().chain([part.to_owned()]).collect();
        if visible.contains(['\n', ';', '{']) || !all.contains_key(&child) {
            continue;
        }
        for name in list.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty()) {
            found.insert(name.to_owned(), part.to_owned());
        }
    }
    found
}

/// Who uses whom: modules as files, by way of what a folder passes on.
fn uses() -> BTreeMap<Module, BTreeSet<Module>> {
    let all = modules();
    let passed: BTreeMap<&Module, BTreeMap<String, String>> =
        all.iter().map(|(module, text)| (module, passed_on(module, text, &all))).collect();
    let resolve = |from: &Module, path: &str| -> Module {
        let mut at = from.clone();
        for part in path.split("::") {
            match part {
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                name => {
                    let inner: Module = at.iter().cloned().chain([name.to_owned()]).collect();
                    if all.contains_key(&inner) {
                        at = inner;
                    } else if let Some(part) = passed.get(&at).and_then(|names| names.get(name)) {
                        at.push(part.clone());
                    } else {
                        break;
                    }
                }
            }
        }
        at
    };
    all.iter()
        .map(|(module, text)| (module.clone(), paths(text).iter().map(|path| resolve(module, path)).collect()))
        .collect()
}

/// Who uses whom among the parts of a folder.
fn parts(folder: &[String], uses: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeMap<String, BTreeSet<String>> {
    let part = |module: &Module| module.strip_prefix(folder).and_then(|rest| rest.first().cloned());
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, used) in uses {
        let Some(own) = part(module) else { continue };
        let others = used.iter().filter_map(part).filter(|other| *other != own).collect::<Vec<_>>();
        found.entry(own).or_default().extend(others);
    }
    found
}

/// The parts of a folder that use each other in circles.
fn circles(parts: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            open.extend(parts.get(at).into_iter().flatten().filter(|next| seen.insert((*next).clone())));
        }
        seen
    };
    let reach: BTreeMap<&String, BTreeSet<String>> = parts.keys().map(|part| (part, reached(part))).collect();
    let mut found = BTreeSet::new();
    for part in parts.keys().filter(|part| reach[*part].contains(*part)) {
        let circle = reach[part].iter().filter(|other| reach.get(other).is_some_and(|back| back.contains(part)));
        found.insert(circle.cloned().collect::<Vec<String>>());
    }
    found.into_iter().collect()
}

#[test]
fn circles_are_those_that_are_listed() {
    let uses = uses();
    let folders: BTreeSet<&[String]> = uses.keys().filter_map(|module| Some(module.split_last()?.1)).collect();
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for folder in folders {
        found.extend(circles(&parts(folder, &uses)).into_iter().map(|circle| (folder.join("/"), circle)));
    }
    let known =
        CIRCLES.map(|(folder, modules)| (folder.to_owned(), modules.iter().map(|&name| name.to_owned()).collect()));
    assert_eq!(found, known);
}

#[test]
fn stages_use_only_those_before_them() {
    let parts = parts(&[], &uses());
    let names: BTreeSet<&str> = parts.keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(STAGES), "every stage has its place");
    let place = |name: &str| STAGES.iter().position(|stage| *stage == name).unwrap();
    for (stage, used) in &parts {
        for other in used {
            assert!(place(other) < place(stage), "{stage} uses {other}");
        }
    }
    assert!(parts["check"].contains("survey") && parts["eval"].contains("ast"), "arrows are seen at all");
}

#[test]
fn a_circle_is_seen() {
    let of = |all: &[(&str, &[&str])]| -> Vec<Vec<String>> {
        let parts =
            all.iter().map(|(name, used)| ((*name).to_owned(), used.iter().map(|&one| one.to_owned()).collect()));
        circles(&parts.collect())
    };
    assert_eq!(of(&[("a", &["b"]), ("b", &["c"]), ("c", &[])]), Vec::<Vec<String>>::new());
    assert_eq!(of(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]), [["b", "c"]]);
    let mut named = paths("use super::{a::b, c::{d, e as f}}; crate::g::h(1); my_super::x");
    named.sort();
    assert_eq!(named, ["crate::g::h", "super::a::b", "super::c::d", "super::c::e"]);
}
