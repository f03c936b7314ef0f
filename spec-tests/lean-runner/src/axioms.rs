//! What every theorem rests on, read from the compiled proofs.
//!
//! A Lean program (`lean-npm/Axioms.lean`) prints which constants each of ours uses; from which axioms a theorem can be
//! reached is found here. Theorems of Lean's library count as proved: its own build checks them, and the WebAssembly
//! build does not even ship their proofs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context, Result, bail};

use crate::lean::text::{self, Keep};
use crate::lean::tree::{LIBRARY_ROOT, LeanFile, LeanTree};
use crate::oracle::output;
use crate::project::Project;
use crate::toolchain::{Compiled, LeanToolchain};

const SCRIPT: &str = include_str!("../lean-npm/Axioms.lean");

/// Lean's own axioms that a proof may rest on.
const SOUND: [&str; 3] = ["propext", "Classical.choice", "Quot.sound"];

/// A theorem, and the axioms that its proof uses, through any number of our own lemmas and definitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AxiomUse {
    /// Its full name.
    pub theorem: String,
    /// The axioms by name.
    pub axioms: BTreeSet<String>,
}

impl AxiomUse {
    /// The axioms it must not rest on.
    pub fn refused(&self) -> Vec<&str> {
        self.axioms.iter().map(String::as_str).filter(|axiom| !SOUND.contains(axiom)).collect()
    }
}

/// What the theorems of `Thm` rest on, in the order of the sources. The modules must have been compiled.
///
/// # Errors
/// The compiled modules cannot be read, or lack a theorem that the sources have.
pub fn axioms(
    toolchain: &dyn LeanToolchain,
    project: &Project,
    compiled: &Compiled,
    tree: &LeanTree,
) -> Result<Vec<AxiomUse>> {
    let mut files = tree.import_order(&[LIBRARY_ROOT])?;
    files.retain(|file| file.header_lines.is_some());
    let holders: BTreeSet<&str> = files.iter().map(|file| compiled.holder(&file.module)).collect();
    let modules = holders.into_iter().map(str::to_string).collect::<Vec<_>>();
    let lines = output(&toolchain.script(project, compiled, SCRIPT, &modules)?)?;
    let used = Used::read(&lines)?;
    let supports = used.supports();
    let mut all = Vec::new();
    for file in files {
        for name in theorems(file) {
            let constant = used.find(compiled.holder(&file.module), &name);
            let constant = constant.with_context(|| format!("lean/{}: no compiled theorem {name}", file.path))?;
            let axioms = supports.get(constant).cloned().unwrap_or_default();
            all.push(AxiomUse { theorem: shown(constant).to_string(), axioms });
        }
    }
    Ok(all)
}

/// The theorems by what they rest on, for printing.
pub fn grouped(all: &[AxiomUse]) -> BTreeMap<String, Vec<&str>> {
    let mut groups = BTreeMap::<String, Vec<&str>>::new();
    for rests in all {
        groups.entry(rests.to_string()).or_default().push(&rests.theorem);
    }
    groups
}

impl std::fmt::Display for AxiomUse {
    /// The axioms only.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.axioms.is_empty() {
            return f.write_str("no axiom, but what Lean's library rests on");
        }
        f.write_str(&self.axioms.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
    }
}

/// The theorems that must not stand, with why.
pub fn refused(all: &[AxiomUse]) -> Vec<String> {
    let bad = all.iter().filter(|rests| !rests.refused().is_empty());
    bad.map(|rests| format!("{} rests on {}", rests.theorem, rests.refused().join(", "))).collect()
}

/// The constants of our modules and what each uses.
#[derive(Debug, Default)]
struct Used<'a> {
    /// By module: theorems.
    theorems: HashMap<&'a str, Vec<&'a str>>,
    /// Axioms that our modules declare.
    axioms: Vec<&'a str>,
    /// Who uses a constant directly.
    users: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Used<'a> {
    fn read(lines: &'a [String]) -> Result<Self> {
        let mut used = Self::default();
        let mut module = "";
        for line in lines {
            let mut fields = line.split('\t');
            let (kind, name) = (fields.next().unwrap_or_default(), fields.next());
            match (kind, name) {
                ("end", None) => return Ok(used),
                ("module", Some(name)) => {
                    module = name;
                    continue;
                }
                ("theorem", Some(name)) => used.theorems.entry(module).or_default().push(name),
                ("axiom", Some(name)) => used.axioms.push(name),
                ("definition", Some(_)) => {}
                _ => bail!("the program that reads compiled proofs says: {line}"),
            }
            for constant in fields {
                used.users.entry(constant).or_default().push(name.unwrap_or_default());
            }
        }
        let last = lines.iter().rev().take(20).rev().cloned().collect::<Vec<_>>().join("\n");
        bail!("the compiled proofs could not be read to the end:\n{last}")
    }

    /// For each constant that rests on an axiom, all of those.
    fn supports(&self) -> HashMap<&'a str, BTreeSet<String>> {
        let of_lean = self.users.keys().copied().filter(|name| is_leans_axiom(name));
        let mut supports = HashMap::<&str, BTreeSet<String>>::new();
        for axiom in self.axioms.iter().copied().chain(of_lean) {
            let mut reached = vec![axiom];
            while let Some(constant) = reached.pop() {
                if supports.entry(constant).or_default().insert(axiom.to_string()) {
                    reached.extend(self.users.get(constant).into_iter().flatten());
                }
            }
        }
        supports
    }

    /// The theorem of `module` that its source calls `name`, inside whatever namespaces.
    fn find(&self, module: &str, name: &str) -> Option<&'a str> {
        let is_it = |full: &&&str| full.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        // The shortest: an auxiliary theorem may end like it.
        self.theorems.get(module)?.iter().filter(is_it).min_by_key(|full| full.len()).copied()
    }
}

/// The axioms that the program prints although they are not ours.
fn is_leans_axiom(name: &str) -> bool {
    SOUND.contains(&name) || ["sorryAx", "Lean.ofReduceBool", "Lean.ofReduceNat", "Lean.trustCompiler"].contains(&name)
}

/// `_private.A.B.0.foo` as `foo`.
fn shown(name: &str) -> &str {
    match name.strip_prefix("_private.") {
        Some(rest) => rest.split_once(".0.").map_or(name, |(_, name)| name),
        None => name,
    }
}

/// Names after `theorem` and `lemma`, as the source writes them, if the file is one of `Thm`.
fn theorems(file: &LeanFile) -> Vec<String> {
    if !file.module.starts_with(&format!("{LIBRARY_ROOT}.Thm.")) {
        return Vec::new();
    }
    let code = text::blank_comments(&file.text, Keep::Code);
    let mut words = code.split_whitespace();
    let mut names = Vec::new();
    while let Some(word) = words.next() {
        if word == "theorem" || word == "lemma" {
            let name = words.next().unwrap_or_default();
            let name = name.split(['(', '{', '[', ':', '⦃']).next().unwrap_or_default().trim_end_matches('.');
            names.push(name.trim_start_matches("_root_.").replace(['«', '»'], ""));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(|line| line.replace(' ', "\t")).collect()
    }

    #[test]
    fn axioms_are_found_through_lemmas() {
        let lines = lines(
            "module R.Data\naxiom R.planted\ntheorem R.a R.planted\ntheorem _private.R.Data.0.R.h propext\n\
             module R.Thm.X\ntheorem R.b R.a R.f\ntheorem R.X.c R.X.c\ntheorem R.X.c.c\n\
             definition R.f _private.R.Data.0.R.h\ntheorem R.d sorryAx\nend",
        );
        let used = Used::read(&lines).unwrap();
        let supports = used.supports();
        let of = |name: &str| {
            let constant = used.find("R.Thm.X", name).unwrap();
            let axioms = supports.get(constant).cloned().unwrap_or_default();
            AxiomUse { theorem: constant.to_string(), axioms }
        };
        assert_eq!(of("b").to_string(), "R.planted, propext");
        assert_eq!(of("b").refused(), ["R.planted"]);
        assert_eq!(of("X.c").theorem, "R.X.c");
        assert!(of("c").axioms.is_empty());
        assert_eq!(of("d").refused(), ["sorryAx"]);
        assert_eq!(used.find("R.Thm.X", "a"), None);
        assert_eq!(shown("_private.R.Data.0.R.h"), "R.h");
    }

    #[test]
    fn an_output_that_stops_is_refused() {
        assert!(Used::read(&lines("module R\ntheorem a")).is_err());
        assert!(Used::read(&lines("missing a\nend")).unwrap_err().to_string().contains("missing"));
    }

    #[test]
    fn names_in_sources() {
        let file = |text: &str| LeanFile {
            module: "Razorgirl.Thm.X".to_string(),
            path: String::new(),
            text: text.to_string(),
            imports: Vec::new(),
            header_lines: None,
        };
        let text =
            "theorem a: 1 = 1 -- theorem no\n@[simp] theorem X.b' (h : 1)\nprivate lemma c.{u} {α}\ntheorem\n  d";
        assert_eq!(theorems(&file(text)), ["a", "X.b'", "c", "d"]);
    }
}
