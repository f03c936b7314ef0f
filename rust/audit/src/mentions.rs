//! Function bodies without layouts are not read, unless a template is instantiated there that a layout hangs on.

use std::collections::{BTreeSet, HashMap, HashSet};

use rayon::prelude::*;

use crate::ast::{ScopeKind, Span, Unit};
use crate::source::{Source, is_identifier};

/// Names that are searched for in one round.
pub const MAX_NAMES: usize = 4_096;

/// Places that are marked in one file.
const MAX_MARKS: usize = 4_096;

/// Marked places by file, ascending.
pub type Marks = Vec<(usize, Vec<u32>)>;

/// Where one of the names stands with template arguments, by file; only files that have such places, and no more bytes of them
/// than are allowed. Names that stand in little text go first: those are a project's own, and not a library's.
pub fn marks(sources: &[Source], names: &BTreeSet<String>, most: usize) -> Marks {
    let names: HashMap<&[u8], usize> = names.iter().take(MAX_NAMES).map(String::as_bytes).zip(0..).collect();
    let found: Vec<(usize, Vec<(u32, usize)>)> = (0..sources.len())
        .into_par_iter()
        .filter_map(|index| {
            let source = sources.get(index)?;
            let text = source.text.as_bytes();
            let dead = |at: usize| {
                let after = source.dead.partition_point(|range| range.end <= at);
                source.dead.get(after).is_some_and(|range| range.contains(&at))
            };
            let places = memchr::memchr_iter(b'<', text).filter_map(|at| {
                let before = text.get(..at)?.trim_ascii_end();
                let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
                let name = names.get(before.get(start..)?).filter(|_| !dead(start))?;
                Some((u32::try_from(start).ok()?, *name))
            });
            let marks: Vec<(u32, usize)> = places.take(MAX_MARKS).collect();
            (!marks.is_empty()).then_some((index, marks))
        })
        .collect();
    let chosen = affordable(sources, &found, names.len(), most);
    let keep = |marks: Vec<(u32, usize)>| -> Vec<u32> {
        marks.into_iter().filter(|(_, name)| chosen.contains(name)).map(|(at, _)| at).collect()
    };
    found.into_iter().map(|(file, marks)| (file, keep(marks))).filter(|(_, marks)| !marks.is_empty()).collect()
}

/// The names whose files together hold no more bytes than are allowed, those with the fewest first.
fn affordable(sources: &[Source], found: &[(usize, Vec<(u32, usize)>)], count: usize, most: usize) -> HashSet<usize> {
    let size = |file: usize| sources.get(file).map_or(0, |source| source.text.len());
    let mut files: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    for (file, marks) in found {
        for (_, name) in marks {
            if let Some(files) = files.get_mut(*name) {
                files.insert(*file);
            }
        }
    }
    let mut order: Vec<(usize, usize)> =
        files.iter().map(|files| files.iter().map(|file| size(*file)).sum()).zip(0..).collect();
    order.sort_unstable();
    let (mut read, mut left, mut chosen) = (HashSet::new(), most, HashSet::new());
    for (_, name) in order {
        let Some(files) = files.get(name) else { continue };
        let more: usize = files.iter().filter(|file| !read.contains(*file)).map(|file| size(*file)).sum();
        if let Some(rest) = left.checked_sub(more) {
            left = rest;
            read.extend(files.iter().copied());
            chosen.insert(name);
        }
    }
    chosen
}

/// The names of the templates in which marked places stand: where these are instantiated matters as well.
pub fn around(source: &Source, unit: &Unit, marks: &[u32]) -> BTreeSet<String> {
    let text = |span: Span| source.text.get(span.range()).unwrap_or_default().to_owned();
    let marked =
        |span: Span| marks.partition_point(|mark| *mark < span.start) < marks.partition_point(|mark| *mark < span.end);
    let declared = unit.decls.iter().filter(|decl| marked(decl.span)).map(|decl| decl.inside);
    let mentioned = unit.mentions.iter().filter(|(expr, _)| marked(unit.span(*expr))).map(|(_, scope)| *scope);
    let mut templates = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for scope in declared.chain(mentioned) {
        let mut at = Some(scope);
        while let Some(id) = at.filter(|id| seen.insert(*id)) {
            if matches!(&unit.scope(id).kind, ScopeKind::Template(params) if !params.is_empty()) {
                templates.insert(id);
            }
            at = unit.scope(id).parent;
        }
    }
    let classes = unit.decls.iter().filter(|decl| decl.templated && templates.contains(&decl.inside));
    let functions = unit.functions.iter().filter(|function| function.scope.is_some_and(|id| templates.contains(&id)));
    classes
        .map(|decl| text(decl.name))
        .chain(functions.map(|function| text(function.name)))
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_with_arguments() {
        let source = Source::new("a.cu", b"void f() { run<64>(x); run(y); rerun<1>(); run <8>(); }".to_vec());
        let names = BTreeSet::from(["run".to_owned()]);
        assert_eq!(marks(&[source], &names, 100), [(0, vec![11, 43])]);
    }

    #[test]
    fn names_that_stand_in_little_text_go_first() {
        let long = Source::new("a.cu", format!("run<1>();{}", " ".repeat(90)).into_bytes());
        let short = Source::new("b.cu", b"go<2>();".to_vec());
        let names = BTreeSet::from(["go".to_owned(), "run".to_owned()]);
        assert_eq!(marks(&[long.clone(), short.clone()], &names, 50), [(1, vec![0])]);
        assert_eq!(marks(&[long, short], &names, 200).len(), 2);
    }
}
