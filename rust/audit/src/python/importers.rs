//! The files that import those which make layouts: what they pass to their functions is listed too.

use foldhash::{HashMap, HashMapExt as _, HashSet};

use rayon::prelude::*;

use super::cute;
use super::files::Names;
use crate::source::{Source, is_identifier};

/// The modules that a text may import, as `from a import b` says `a` and `a.b`.
fn said(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start + (line.len() - line.trim_start().len());
        start += line.len();
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("import ") {
            found.extend(rest.split(',').filter_map(|one| one.split_whitespace().next()).map(str::to_owned));
        } else if let Some((from, rest)) = line.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
            let from = from.trim();
            let rest = if rest.trim_start().starts_with('(') {
                let whole = text.get(at..).and_then(|rest| rest.split_once('('));
                whole.and_then(|(_, rest)| rest.split(')').next()).unwrap_or_default()
            } else {
                rest
            };
            let dot = if from.ends_with('.') { "" } else { "." };
            let lines = rest.lines().map(|line| line.split('#').next().unwrap_or_default());
            let names = lines.flat_map(|line| line.split(',')).filter_map(|one| one.split_whitespace().next());
            let names = names.filter(|name| name.bytes().all(is_identifier));
            found.extend(names.map(|name| format!("{from}{dot}{name}")));
            found.push(from.to_owned());
        }
    }
    found.retain(|name| !cute::is_library(name));
    found
}

/// The Python files that import some files, or import one that does.
pub(super) fn importers(sources: &[Source], names: &Names, of: &[usize]) -> Vec<usize> {
    let edges: Vec<(usize, usize)> = sources
        .par_iter()
        .enumerate()
        .filter(|(_, source)| source.python && !source.included)
        .flat_map_iter(|(index, source)| {
            let mut all: Vec<usize> =
                said(&source.text).iter().filter_map(|name| names.source(index, sources, name)).collect();
            all.sort_unstable();
            all.dedup();
            all.into_iter().map(move |one| (one, index))
        })
        .collect();
    let mut by: HashMap<usize, Vec<usize>> = HashMap::new();
    for (of, from) in edges {
        by.entry(of).or_default().push(from);
    }
    let mut seen: HashSet<usize> = of.iter().copied().collect();
    let mut next = of.to_vec();
    while let Some(one) = next.pop() {
        for from in by.get(&one).into_iter().flatten() {
            if seen.insert(*from) {
                next.push(*from);
            }
        }
    }
    for one in of {
        seen.remove(one);
    }
    let mut all: Vec<usize> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_in_the_text() {
        let text = "import a.b as c, d\nfrom .e import f, g as h\nif x:\n    from . import (\n        i,  # (j\n        k,\n    )\nimport torch\nimportant = 4\n";
        assert_eq!(said(text), ["a.b", "d", ".e.f", ".e.g", ".e", ".i", ".k", "."]);
    }

    #[test]
    fn who_imports_an_importer_is_one() {
        let source = |path: &str, text: &str| Source::new(path, text.as_bytes().to_vec());
        let sources = [
            source("p/__init__.py", "from .k import f\n"),
            source("p/k.py", "import cutlass.cute\n"),
            source("t.py", "import p\np.f(4)\n"),
            source("u.py", "import v\n"),
            source("w.py", "from p.k import f\n"),
        ];
        assert_eq!(importers(&sources, &Names::of(&sources), &[1]), [0, 2, 4]);
    }
}
