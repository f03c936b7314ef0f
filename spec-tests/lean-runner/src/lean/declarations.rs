//! What a Lean file declares: full names, docstrings, and how a theorem is proved.
//!
//! The text is read, not the compiled module: this must be fast, and must work before anything is checked.

use super::text::{self, Keep};
use super::tree::{LeanFile, LeanTree};

/// One declaration with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// `theorem`, `def`, `abbrev`, `structure`, …
    pub kind: &'static str,
    /// Its name with all namespaces around it: `Razorgirl.Layout.coalesce`.
    pub name: String,
    /// Whether other files cannot see it.
    pub private: bool,
    /// The docstring without its marks; empty if there is none.
    pub doc: String,
    /// The code from the name to the next declaration, without comments, blanks collapsed.
    pub body: String,
    /// Line of the keyword, from 1.
    pub line: usize,
}

const KINDS: [&str; 9] = ["theorem", "lemma", "def", "abbrev", "structure", "inductive", "class", "instance", "axiom"];
const MODIFIERS: [&str; 6] = ["private", "protected", "public", "noncomputable", "partial", "nonrec"];

impl Declaration {
    /// Whether it is proved.
    pub fn is_theorem(&self) -> bool {
        matches!(self.kind, "theorem" | "lemma")
    }
}

/// Everything that `file` declares under a name, in its order.
pub fn declarations(file: &LeanFile) -> Vec<Declaration> {
    declarations_of(&file.text)
}

/// As [`declarations`], of a text.
pub fn declarations_of(source: &str) -> Vec<Declaration> {
    let code = text::blank_comments(source, Keep::CodeAndStrings);
    let raw: Vec<&str> = source.lines().collect();
    let lines: Vec<&str> = code.lines().collect();
    let mut scopes: Vec<Option<&str>> = Vec::new();
    let mut found: Vec<Declaration> = Vec::new();
    let mut body = String::new();
    // The line after which a docstring of the next declaration begins.
    let mut free_from = 0;
    for (n, line) in lines.iter().enumerate() {
        let words: Vec<&str> = words_without_attributes(line);
        let top = !line.starts_with([' ', '\t']);
        let keyword = words.iter().position(|w| !MODIFIERS.contains(w)).unwrap_or(0);
        let begun = words.get(keyword).and_then(|w| KINDS.iter().find(|k| *k == w)).filter(|_| top);
        let command = top
            && matches!(
                words.first(),
                Some(&("namespace" | "section" | "end" | "mutual" | "open" | "variable" | "example"))
            );
        if begun.is_some() || command {
            close(&mut found, &mut body);
        }
        match (begun, words.as_slice()) {
            (Some(kind), _) => {
                let name = name_part(words.get(keyword + 1).copied().unwrap_or_default());
                if !name.is_empty() {
                    found.push(Declaration {
                        kind,
                        name: full_name(&scopes, name),
                        private: words[..keyword].contains(&"private"),
                        doc: docstring(&raw, &lines, free_from, n),
                        body: String::new(),
                        line: n + 1,
                    });
                    body = words[keyword + 1..].join(" ");
                }
                free_from = n + 1;
            }
            (None, ["namespace", name, ..]) if top => scopes.push(Some(name)),
            (None, ["section" | "mutual", ..] | [.., "section"]) if top => scopes.push(None),
            (None, ["end", ..]) if top => {
                scopes.pop();
            }
            _ if command => body.clear(),
            _ => {
                for word in words {
                    body.push(' ');
                    body.push_str(word);
                }
            }
        }
    }
    close(&mut found, &mut body);
    found
}

fn close(found: &mut [Declaration], body: &mut String) {
    if let Some(last) = found.last_mut().filter(|last| last.body.is_empty()) {
        last.body = std::mem::take(body);
    }
    body.clear();
}

fn full_name(scopes: &[Option<&str>], name: &str) -> String {
    match name.strip_prefix("_root_.") {
        Some(name) => name.to_string(),
        None => scopes.iter().flatten().copied().chain([name]).collect::<Vec<_>>().join("."),
    }
}

/// The name at the beginning of `word`: `a.b'` of `a.b'.{u}` or `a.b':`.
fn name_part(word: &str) -> &str {
    let end = word.find(['(', '{', '[', ':', '⦃', ',']).unwrap_or(word.len());
    word[..end].trim_end_matches('.')
}

/// The words of a line, without `@[…]` in front.
fn words_without_attributes(line: &str) -> Vec<&str> {
    let mut rest = line.trim_start();
    while rest.starts_with("@[") {
        rest = rest.find(']').map_or("", |end| rest[end + 1..].trim_start());
    }
    rest.split_whitespace().collect()
}

/// The docstring that ends before line `line`, and begins after line `from`.
fn docstring(raw: &[&str], code: &[&str], from: usize, line: usize) -> String {
    let Some(open) = (from..=line).rev().find(|&n| raw[n].trim_start().starts_with("/--")) else {
        return String::new();
    };
    let text = raw[open..=line].join("\n");
    let text = text.trim_start().trim_start_matches("/--");
    let Some((doc, after)) = text.split_once("-/") else { return String::new() };
    // Between a docstring and its declaration stand attributes and options only.
    let between = code[open..line].iter().flat_map(|l| words_without_attributes(l)).collect::<Vec<_>>();
    let belongs = between.is_empty() || between.first().is_some_and(|w| matches!(*w, "set_option" | "open"));
    let lines = doc.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    if belongs && !after.contains("/--") { lines.trim().to_string() } else { String::new() }
}

/// Names that two files of the library declare, one of them for itself: such files could not be checked together.
/// Each with its place.
pub fn clashes<'a>(files: impl IntoIterator<Item = &'a LeanFile>) -> Vec<String> {
    let mut first = std::collections::BTreeMap::<String, (bool, String)>::new();
    let mut problems = Vec::new();
    for file in files {
        for declaration in declarations(file) {
            let place = format!("lean/{}:{}", file.path, declaration.line);
            match first.get(&declaration.name) {
                Some((private, other)) if *private || declaration.private => problems.push(format!(
                    "{place}: error: `{}` is also declared at {other}; files are checked together, so one of them, \
                     even where it is private, needs another name",
                    declaration.name
                )),
                Some(_) => {}
                None => {
                    first.insert(declaration.name, (declaration.private, place));
                }
            }
        }
    }
    problems
}

/// All declarations of a tree, with their files.
pub fn all(tree: &LeanTree) -> Vec<(&LeanFile, Declaration)> {
    tree.files().flat_map(|file| declarations(file).into_iter().map(move |d| (file, d))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
module
/-! # Head -/
@[expose] public section
namespace A.B
section
variable (n : Nat)
/-- **Bold.**
More. -/
@[simp] theorem one (h : n = n) :
    1 = 1 := by
  rfl -- end

private def two.three : Nat := 2
end
mutual
/-- of four -/
def four{α} : Nat := 1
def five : Nat := 1
end
@[simp]
theorem _root_.six.{u} : 1 = 1 := rfl
/-- of seven -/
set_option maxRecDepth 4000 in
protected theorem seven: 1 = 1 := rfl
theorem one : 2 = 2 := Iff.rfl
end A.B
instance : Inhabited Nat := ⟨0⟩
structure Eight where
  /-- field -/
  x : Nat
noncomputable section
abbrev nine := 1
";

    #[test]
    fn names_docstrings_and_bodies() {
        let found = declarations_of(TEXT);
        let names: Vec<_> = found.iter().map(|d| (d.kind, d.name.as_str(), d.private, d.line)).collect();
        assert_eq!(
            names,
            [
                ("theorem", "A.B.one", false, 9),
                ("def", "A.B.two.three", true, 13),
                ("def", "A.B.four", false, 17),
                ("def", "A.B.five", false, 18),
                ("theorem", "six", false, 21),
                ("theorem", "A.B.seven", false, 24),
                ("theorem", "A.B.one", false, 25),
                ("structure", "Eight", false, 28),
                ("abbrev", "nine", false, 32),
            ]
        );
        let docs: Vec<&str> = found.iter().map(|d| d.doc.as_str()).collect();
        assert_eq!(docs, ["**Bold.**\nMore.", "", "of four", "", "", "of seven", "", "", ""]);
        assert_eq!(found[0].body, "one (h : n = n) : 1 = 1 := by rfl");
        assert_eq!(found[1].body, "two.three : Nat := 2");
        assert_eq!(found[5].body, "seven: 1 = 1 := rfl");
        assert_eq!(found[7].body, "Eight where x : Nat");
    }

    #[test]
    fn private_names_clash_with_any_other() {
        let file = |path: &str, text: &str| LeanFile {
            module: path.to_string(),
            path: path.to_string(),
            text: text.to_string(),
            imports: Vec::new(),
            header_lines: Some(0),
        };
        let clashing = |a: &str, b: &str| clashes([&file("A.lean", a), &file("B.lean", b)]);
        let found = clashing("namespace N\nprivate theorem h : 1 = 1 := rfl\nend N", "\ntheorem N.h : 1 = 1 := rfl");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("lean/B.lean:2: error: `N.h` is also declared at lean/A.lean:2"), "{found:?}");
        assert!(clashing("theorem N.h : 1", "namespace N\nprivate theorem h : 1\nend N").len() == 1);
        assert!(clashing("namespace N\nprivate theorem h : 1\nend N", "private theorem h : 1").is_empty());
    }
}
