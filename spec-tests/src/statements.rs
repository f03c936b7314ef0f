//! What a theorem states, and where that is defined.
//!
//! A quoted theorem, one whose docstring begins with a bold sentence, is a promise: every definition that its statement
//! mentions is in `Spec`, where a reader looks for it. A definition in `Thm` serves proofs: only lemmas mention it.
//!
//! Names are resolved as far as the text tells: by the namespaces around a theorem, by those that its file opens, and by
//! the last part where a name follows a value.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use lean_runner::Project;
use lean_runner::lean::declarations::{Declaration, declarations};

/// A definition in `Thm` that statements mention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedDefinition {
    /// Its full name.
    pub name: String,
    /// File below `lean/` and line.
    pub place: String,
    /// Quoted theorems whose statements mention it.
    pub quoted: BTreeSet<String>,
    /// Other theorems that do.
    pub lemmas: BTreeSet<String>,
}

/// All of them, by place.
///
/// # Errors
/// The sources cannot be read.
pub fn mentioned(project: &Project) -> Result<Vec<UsedDefinition>> {
    let tree = project.tree()?;
    let files = tree.files().filter(|file| file.module.starts_with("Razorgirl.Thm."));
    let read: Vec<_> = files.map(|file| (file, declarations(file))).collect();
    let mut all = Vec::new();
    let mut by_last = BTreeMap::<String, Vec<usize>>::new();
    for (file, declared) in &read {
        let defined = |d: &&Declaration| !d.is_theorem() && !d.private && d.kind != "instance";
        for definition in declared.iter().filter(defined) {
            let name = definition.name.clone();
            by_last.entry(last(&name).to_string()).or_default().push(all.len());
            let place = format!("lean/{}:{}", file.path, definition.line);
            all.push(UsedDefinition { name, place, quoted: BTreeSet::new(), lemmas: BTreeSet::new() });
        }
    }
    for (file, declared) in &read {
        let opened: Vec<&str> =
            file.text.lines().filter_map(|line| line.strip_prefix("open ")).flat_map(str::split_whitespace).collect();
        for theorem in declared.iter().filter(|d| d.is_theorem() && !d.private) {
            for word in words(statement(&theorem.body)) {
                for &i in by_last.get(last(word)).into_iter().flatten() {
                    if may_be(word, &all[i].name, &theorem.name, &opened) {
                        let quoted = theorem.doc.starts_with("**");
                        let by = if quoted { &mut all[i].quoted } else { &mut all[i].lemmas };
                        by.insert(theorem.name.clone());
                    }
                }
            }
        }
    }
    all.retain(|found| !found.quoted.is_empty() || !found.lemmas.is_empty());
    Ok(all)
}

/// Whether `word`, in the statement of `theorem`, may be the definition `name`.
fn may_be(word: &str, name: &str, theorem: &str, opened: &[&str]) -> bool {
    let of_a_value = word.starts_with('.') || word.contains('.') && word.starts_with(char::is_lowercase);
    if of_a_value {
        return true;
    }
    let Some(around) = name.strip_suffix(word) else { return false };
    let Some(around) = around.strip_suffix('.').or((around.is_empty()).then_some("")) else { return false };
    let inside = theorem.strip_prefix(around).is_some_and(|rest| around.is_empty() || rest.starts_with('.'));
    inside || opened.iter().any(|open| around == *open || around.ends_with(&format!(".{open}")))
}

/// The part after the last dot.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// What stands between a theorem's name and its proof.
fn statement(body: &str) -> &str {
    let after = body.find([' ', '(', '{', '[', ':']).unwrap_or(body.len());
    let mut depth = 0_i32;
    for (at, c) in body.char_indices().skip_while(|(at, _)| *at < after) {
        match c {
            '(' | '[' | '{' | '⟨' => depth += 1,
            ')' | ']' | '}' | '⟩' => depth -= 1,
            ':' if depth == 0 && body[at..].starts_with(":=") => return &body[after..at],
            '|' if depth == 0 && body[at..].starts_with("| ") && body[..at].ends_with(' ') => return &body[after..at],
            _ => {}
        }
    }
    &body[after..]
}

/// The names in some code, with the dots in and before them.
fn words(code: &str) -> impl Iterator<Item = &str> {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | '!' | '?');
    code.split(move |c| !in_name(c)).map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty())
}
