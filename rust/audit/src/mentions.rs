//! Function bodies without layouts are not read, unless a template is instantiated there that a layout hangs on.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet, HashSetExt as _};

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
///
/// Of functions, whose arguments may be deduced, any call counts.
pub fn marks(sources: &[Source], names: &BTreeSet<String>, functions: &HashSet<String>, most: usize) -> Marks {
    let functions: HashSet<&[u8]> = functions.iter().map(String::as_bytes).collect();
    let names: HashMap<&[u8], usize> = names.iter().take(MAX_NAMES).map(String::as_bytes).zip(0..).collect();
    let found: Vec<(usize, Vec<(u32, usize)>)> = (0..sources.len())
        .into_par_iter()
        .filter_map(|index| {
            let source = sources.get(index).filter(|source| !source.python)?;
            let text = source.text.as_bytes();
            let dead = |at: usize| {
                let after = source.dead.partition_point(|range| range.end <= at);
                source.dead.get(after).is_some_and(|range| range.contains(&at))
            };
            let places = memchr::memchr2_iter(b'<', b'(', text).filter_map(|at| {
                let before = text.get(..at)?.trim_ascii_end();
                let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
                let word = before.get(start..)?;
                let called = text.get(at) == Some(&b'<') || functions.contains(word);
                let name = names.get(word).filter(|_| called && !dead(start))?;
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

/// Bytes of a function's head.
const MAX_HEAD: usize = 4_096;

/// Bytes of a function that is read for what it returns. Longer ones do more than that.
const MAX_BODY: usize = 16_384;

/// Every brace in the functions of some names, so that all of them is read, and how many functions each name has. Of files that are
/// `left` out the functions count, and are not read.
pub fn bodies(sources: &[Source], names: &BTreeSet<String>, left: &[bool]) -> (Marks, BTreeMap<String, usize>) {
    let names: HashSet<&[u8]> = names.iter().take(MAX_NAMES).map(String::as_bytes).collect();
    let each: Vec<(usize, Vec<(&str, usize)>)> = (0..sources.len())
        .into_par_iter()
        .filter_map(|index| {
            let source = sources.get(index).filter(|source| !source.python)?;
            let found = definitions(&source.text, &names);
            (!found.is_empty()).then_some((index, found))
        })
        .collect();
    let mut counts = BTreeMap::new();
    let mut marks = Vec::new();
    for (file, found) in each {
        for (name, _) in &found {
            *counts.entry((*name).to_owned()).or_insert(0) += 1;
        }
        let text = sources.get(file).map_or("", |source| source.text.as_str());
        if !left.get(file).copied().unwrap_or(true) {
            let mut all: Vec<u32> = found.iter().flat_map(|(_, brace)| braces(text.as_bytes(), *brace)).collect();
            all.sort_unstable();
            all.dedup();
            marks.push((file, all));
        }
    }
    (marks, counts)
}

/// What stands before `= [captures]`, where a text ends so: `auto name = [&](…) { … }` is a function of that name. Other texts stay.
fn before_captures(text: &[u8]) -> Option<&[u8]> {
    if text.last() != Some(&b']') {
        return Some(text);
    }
    let open = text.iter().rev().take(MAX_HEAD).position(|byte| *byte == b'[')?;
    let before = text.get(..text.len() - open - 1)?.trim_ascii_end();
    before.strip_suffix(b"=").map(<[u8]>::trim_ascii_end)
}

/// Functions of some names that a text defines, each with where its body begins: `name<…>(…) … {`.
fn definitions<'t>(text: &'t str, names: &HashSet<&[u8]>) -> Vec<(&'t str, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for open in memchr::memchr_iter(b'(', bytes) {
        let before = bytes.get(..open).unwrap_or_default().trim_ascii_end();
        let end = if before.last() == Some(&b'>') { before_list(before) } else { Some(before.len()) };
        let before = end.and_then(|end| before.get(..end)).map(<[u8]>::trim_ascii_end);
        let Some(before) = before.and_then(before_captures) else { continue };
        let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
        if !before.get(start..).is_some_and(|name| names.contains(name)) {
            continue;
        }
        let head = bytes.get(open..bytes.len().min(open + MAX_HEAD)).unwrap_or_default();
        if let (Some(at), Some(name)) = (body(head), text.get(start..before.len())) {
            found.push((name, open + at));
        }
    }
    found
}

/// What stands in the functions of a name that a text defines; none where one is long.
pub fn inside<'t>(text: &'t str, name: &str) -> Option<Vec<&'t str>> {
    let all = definitions(text, &HashSet::from_iter([name.as_bytes()])).into_iter();
    all.map(|(_, brace)| {
        let mut depth = 0_usize;
        let bytes = text.as_bytes().iter().enumerate().skip(brace).take(MAX_BODY);
        for (at, byte) in bytes {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return text.get(brace..at);
            }
        }
        None
    })
    .collect()
}

/// How many functions of a name a text defines.
pub fn count(text: &str, name: &str) -> usize {
    definitions(text, &HashSet::from_iter([name.as_bytes()])).len()
}

/// Where the list of template arguments begins with which a text ends.
fn before_list(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate().rev().take(MAX_HEAD) {
        match byte {
            b'>' => depth += 1,
            b'<' => depth = depth.checked_sub(1)?,
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Where a body begins after a list in parentheses; none if that is a call, also one among template arguments: `Swizzle<2, 0, f(8)>{}`.
fn body(text: &[u8]) -> Option<usize> {
    let (mut depth, mut angles) = (0_usize, 0_usize);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b'{' if depth == 0 => return Some(at),
            b')' | b';' | b'}' | b'=' | b'?' | b'+' | b'*' | b'|' | b'"' if depth == 0 => return None,
            b',' if depth == 0 && angles == 0 => return None,
            b')' => depth -= 1,
            b'<' if depth == 0 => angles += 1,
            // The type that is returned stands behind `->`.
            b'>' if depth == 0 && text.get(at.wrapping_sub(1)) != Some(&b'-') => angles = angles.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// The braces of a block from its first on, as far as it is short enough.
fn braces(text: &[u8], start: usize) -> Vec<u32> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (at, byte) in text.iter().enumerate().skip(start).take(MAX_BODY) {
        match byte {
            b'{' => {
                depth += 1;
                found.extend(u32::try_from(at));
            }
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return found;
        }
    }
    Vec::new()
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
    fn lambdas_with_a_name_are_functions() {
        let names = [b"f".as_slice(), b"g", b"h"].into_iter().collect();
        let text = "auto f = [](auto a) { return g(a); }; auto g=[&, x = y[1]] (int a) -> int {}; int h[4] = {}; h[f(1)]; [](h) {}";
        let found: Vec<(&str, &str)> =
            definitions(text, &names).into_iter().map(|(name, at)| (name, &text[at..=at])).collect();
        assert_eq!(found, [("f", "{")]);
    }

    #[test]
    fn places_with_arguments() {
        let source = Source::new("a.cu", b"void f() { run<64>(x); run(y); rerun<1>(); run <8>(); }".to_vec());
        let names = BTreeSet::from(["run".to_owned()]);
        assert_eq!(marks(&[source], &names, &HashSet::new(), 100), [(0, vec![11, 43])]);
    }

    #[test]
    fn functions_are_told_from_calls() {
        let text = "auto f(int x) -> A<1> { if (f(2)) { g(); } return f(3); }
            template <> int f<A<2>, 3>(int) const { }
            while (f(1) + 2) { }
            auto s = Swizzle<2, 0, f(8)>{}; using T = A<f(1), B<f(2)>>; T<f(3)>::g() { }
            S() : a(f(2)) { } void h() { f(1); }";
        let found = definitions(text, &HashSet::from_iter(["f".as_bytes()]));
        let rests: Vec<&str> = found.iter().map(|(_, at)| text[*at..].split(' ').next().unwrap()).collect();
        assert_eq!(rests, ["{", "{"]);
        let source = Source::new("a.cu", text.as_bytes().to_vec());
        let (marks, counts) = bodies(&[source], &BTreeSet::from(["f".to_owned()]), &[false]);
        assert_eq!(counts, BTreeMap::from([("f".to_owned(), 2)]));
        assert_eq!(marks.iter().map(|(file, marks)| (*file, marks.len())).collect::<Vec<_>>(), [(0, 3)]);
    }

    #[test]
    fn any_call_of_a_function_counts() {
        let source = Source::new("a.cu", b"void f() { run(x); rerun(y); run<2>(z); }".to_vec());
        let names = BTreeSet::from(["run".to_owned()]);
        let functions = HashSet::from_iter(["run".to_owned()]);
        assert_eq!(marks(&[source], &names, &functions, 100), [(0, vec![11, 29])]);
    }

    #[test]
    fn names_that_stand_in_little_text_go_first() {
        let long = Source::new("a.cu", format!("run<1>();{}", " ".repeat(90)).into_bytes());
        let short = Source::new("b.cu", b"go<2>();".to_vec());
        let names = BTreeSet::from(["go".to_owned(), "run".to_owned()]);
        assert_eq!(marks(&[long.clone(), short.clone()], &names, &HashSet::new(), 50), [(1, vec![0])]);
        assert_eq!(marks(&[long, short], &names, &HashSet::new(), 200).len(), 2);
    }
}
