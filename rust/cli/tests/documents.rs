//! The documents: transcripts match the output of the command, links lead somewhere, README and change log have their form.
//!
//! In a block ```console each line `$ razorgirl …` is run in the root of the repository, and the lines below it are compared with
//! the output. A line `…` stands for any lines. `spec-tests` runs the blocks ```console,cutlass, which need the CUTLASS headers.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A command line and what the document shows below it.
#[derive(Debug)]
struct Transcript {
    line: usize,
    command: String,
    shown: Vec<String>,
}

fn transcripts(text: &str) -> Vec<Transcript> {
    let mut found: Vec<Transcript> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            found.push(Transcript { line: number + 1, command: command.to_owned(), shown: Vec::new() });
        } else if let (true, Some(last)) = (inside, found.last_mut()) {
            last.shown.push(line.to_owned());
        }
    }
    found
}

/// The words of a command line: blanks part them, single quotes keep them together, `#` begins a comment.
fn words(command: &str) -> Vec<String> {
    let command = command.split(" #").next().unwrap_or_default();
    let mut words = vec![String::new()];
    for (i, part) in command.split('\'').enumerate() {
        if i % 2 == 1 {
            words.last_mut().expect("there is always one").push_str(part);
            continue;
        }
        for (j, word) in part.split(' ').enumerate() {
            if j > 0 {
                words.push(String::new());
            }
            words.last_mut().expect("there is always one").push_str(word);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether the lines are those shown, `…` standing for any.
fn matches(shown: &[String], lines: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return lines.is_empty() };
    if first.trim() == "…" {
        return (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]));
    }
    lines.split_first().is_some_and(|(line, others)| line.trim_end() == first.trim_end() && matches(rest, others))
}

#[test]
fn transcripts_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let command = Path::new(env!("CARGO_BIN_EXE_razorgirl"));
    // a document may hand the command to itself
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = command.parent().map(Path::to_path_buf).into_iter().chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).expect("paths");
    let mut count = 0;
    for document in ["README.md", "rust/audit/README.md", "rust/conform/README.md", "rust/razorgirl/README.md"] {
        let text = std::fs::read_to_string(root.join(document)).expect(document);
        for transcript in transcripts(&text) {
            let words = words(&transcript.command);
            let Some(("razorgirl", arguments)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) else {
                panic!("{document}:{}: only `razorgirl` is run here: {}", transcript.line, transcript.command);
            };
            let output = Command::new(command)
                .args(arguments)
                .current_dir(&root)
                .env("PATH", &path)
                .output()
                .expect("the command starts");
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8_lossy(&printed);
            let lines: Vec<&str> = printed.trim_end().lines().collect();
            let mut shown = transcript.shown;
            while shown.last().is_some_and(|line| line.trim().is_empty()) {
                shown.pop();
            }
            assert!(
                matches(&shown, &lines),
                "{document}:{}: `{}` prints\n{printed}\nand not\n{}",
                transcript.line,
                transcript.command,
                shown.join("\n")
            );
            count += 1;
        }
    }
    assert!(count >= 3, "only {count} transcripts were found");
}

#[test]
fn a_wrong_transcript_is_found() {
    let text = "```console\n$ razorgirl eval '4:1' 2  # the offset\n2\n```\n";
    let [one] = transcripts(text).try_into().expect("one transcript");
    assert_eq!(words(&one.command), ["razorgirl", "eval", "4:1", "2"]);
    assert!(matches(&one.shown, &["2"]) && !matches(&one.shown, &["3"]) && !matches(&one.shown, &[]));
    let elided = ["a", "…", "c"].map(String::from);
    assert!(matches(&elided, &["a", "b", "b", "c"]) && matches(&elided, &["a", "c"]) && !matches(&elided, &["a", "b"]));
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 150, "README.md has {lines} lines; at most 150 are allowed");
}

/// The commands below `Commands:` in the help of the program.
fn commands() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_razorgirl")).arg("--help").output().expect("the command starts");
    let help = String::from_utf8(output.stdout).expect("text");
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // What continues a line is indented further.
    let names = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn the_readme_lists_every_command() {
    let (readme, commands) = (read("README.md"), commands());
    assert!(commands.len() > 15, "{commands:?}");
    let rows: String =
        readme.lines().skip_while(|line| *line != "## Commands").filter(|line| line.starts_with("| `")).collect();
    let missing: Vec<&String> = (commands.iter())
        .filter(|name| *name != "help" && !rows.contains(&format!("`{name} ")) && !rows.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "the table of README.md lacks {missing:?}");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(document: &str) -> String {
    std::fs::read_to_string(root().join(document)).expect(document)
}

/// The Markdown files of the repository, relative to its root; folders that git ignores are left out.
fn documents() -> Vec<PathBuf> {
    let (root, mut found) = (root(), Vec::new());
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).expect("a folder of the repository") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("UTF-8");
            let path = folder.join(&name);
            if entry.file_type().expect("a type").is_dir() {
                if name != "target" && (!name.starts_with('.') || name == ".github") && name != "node_modules" {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The lines outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// A line without its code spans.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Targets of the links in a line: `](target)`.
fn targets(line: &str) -> Vec<String> {
    let line = without_code(line);
    let after = line.split("](").skip(1);
    after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target.to_owned())).collect()
}

/// The fragments of the headings of a document, as a renderer of Markdown makes them.
fn fragments(text: &str) -> Vec<String> {
    let headings = prose(text)
        .filter_map(|(_, line)| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    headings
        .map(|heading| {
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// Links of a document that lead nowhere, with their lines.
fn dead_links(document: &Path, text: &str) -> Vec<String> {
    let folder = root().join(document.parent().unwrap_or(Path::new("")));
    let mut dead = Vec::new();
    for (number, line) in prose(text) {
        for target in targets(line).into_iter().filter(|target| !target.contains("://")) {
            let (file, fragment) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() { root().join(document) } else { folder.join(file) };
            let there = path.exists()
                && (fragment.is_empty()
                    || std::fs::read_to_string(&path).is_ok_and(|text| fragments(&text).iter().any(|f| f == fragment)));
            if !there {
                dead.push(format!("{}:{}: {target}", document.display(), number + 1));
            }
        }
    }
    dead
}

#[test]
fn links_lead_to_files_and_headings() {
    let documents = documents();
    assert!(documents.len() > 50, "{} documents", documents.len());
    let dead: Vec<String> =
        documents.iter().flat_map(|document| dead_links(document, &read(&document.to_string_lossy()))).collect();
    assert!(dead.is_empty(), "{} links lead nowhere:\n{}", dead.len(), dead.join("\n"));
}

#[test]
fn a_dead_link_is_found() {
    let text = "# A b\n[a](#a-b) [b](#c) [c](README.md#install) [d](README.md#gone) [e](gone.md)\n`[f](gone.md)`\n```\n[g](gone.md)\n```\n";
    let file = Path::new("CHANGELOG.md");
    let dead = dead_links(file, text);
    // `#a-b` is a heading of the text, not of the file of that name
    let expected = ["#a-b", "#c", "README.md#gone", "gone.md"].map(|target| format!("CHANGELOG.md:2: {target}"));
    assert_eq!(dead, expected);
    assert_eq!(fragments(text), ["a-b"]);
}

/// Lines of a change log that do not have the form: headings of Keep a Changelog, and entries of one line each.
fn malformed(changelog: &str) -> Vec<&str> {
    let body = changelog.lines().skip_while(|line| !line.starts_with("## "));
    let kinds = ["### Added", "### Changed", "### Deprecated", "### Removed", "### Fixed", "### Security"];
    body.filter(|line| {
        let version =
            line.strip_prefix("## ").is_some_and(|v| v == "Unreleased" || v.starts_with(|c: char| c.is_ascii_digit()));
        let entry = line.starts_with("- ") && line.chars().count() <= 120;
        !(line.is_empty() || version || entry || kinds.contains(line))
    })
    .collect()
}

#[test]
fn the_changelog_has_one_line_for_each_change() {
    let wrong = malformed(&read("CHANGELOG.md")).join("\n");
    assert!(
        wrong.is_empty(),
        "CHANGELOG.md has lines that are no heading and no entry of at most 120 characters:\n{wrong}"
    );
    let long = format!("- {}", "a".repeat(119));
    let text = format!(
        "# Changelog\nAny text.\n## Unreleased\n### Fixed\n- a\n  b\n### Mended\n{long}\n## 0.1.0 - 2026-12-01\n"
    );
    assert_eq!(malformed(&text), ["  b", "### Mended", &long]);
}
