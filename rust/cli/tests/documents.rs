//! What the documents show is what the command prints.
//!
//! In a block ```console each line `$ razorgirl …` is run at the repository's root, and the lines below it are compared with what
//! it prints. A line `…` stands for any lines. Blocks ```console,cutlass are run where the CUTLASS headers are: `spec-tests` has them.

use std::path::Path;
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
    assert!(count >= 4, "only {count} transcripts were found");
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
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let lines = std::fs::read_to_string(readme).expect("README.md").lines().count();
    assert!(lines <= 250, "README.md has {lines} lines; 250 were promised");
}
