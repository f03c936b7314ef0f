//! Function bodies without layouts are not read, unless a template is instantiated there that a layout hangs on.

use std::collections::{BTreeSet, HashSet};

use rayon::prelude::*;

use crate::ast::{ScopeKind, Span, Unit};
use crate::source::{Source, is_identifier};

/// Names that are searched for in one round.
pub const MAX_NAMES: usize = 512;

/// Places that are marked in one file.
const MAX_MARKS: usize = 4_096;

/// Where one of the names stands with template arguments, by file, ascending; only files that have such places.
pub fn marks(sources: &[Source], names: &BTreeSet<String>) -> Vec<(usize, Vec<u32>)> {
    let names: HashSet<&[u8]> = names.iter().take(MAX_NAMES).map(String::as_bytes).collect();
    let indices = 0..sources.len();
    indices
        .into_par_iter()
        .filter_map(|index| {
            let source = sources.get(index).filter(|source| !source.python)?;
            let text = source.text.as_bytes();
            let dead = |at: usize| {
                let after = source.dead.partition_point(|range| range.end <= at);
                source.dead.get(after).is_some_and(|range| range.contains(&at))
            };
            let places = memchr::memchr_iter(b'<', text).filter_map(|at| {
                let before = text.get(..at)?.trim_ascii_end();
                let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
                let named = names.contains(before.get(start..)?) && !dead(start);
                named.then_some(u32::try_from(start).ok()?)
            });
            let marks: Vec<u32> = places.take(MAX_MARKS).collect();
            (!marks.is_empty()).then_some((index, marks))
        })
        .collect()
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
        assert_eq!(marks(&[source], &names), [(0, vec![11, 43])]);
    }
}
