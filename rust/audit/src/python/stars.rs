//! `from module import *`: each name that a file of the set gives so is bound where the star stands, as if it were written out.
//!
//! What a star of a module brings that is no file of the set is not known. It could bind any name anew, but nobody takes a whole module to
//! hide a name that the file itself binds or imports: such a name stays what the file says, and so do Python's own.

use foldhash::{HashMap, HashSet, HashSetExt as _};

use super::cute;
use super::evaluate::Evaluator;
use super::gluon;
use super::kept::only_kept;
use super::tree::{Arm, Binding, Bound, Branch, Expr, Fork, Leaves, MODULE, Module, Name, PathId, Step};
use super::value::Value;
use crate::ast::Span;
use crate::eval::Resolved;
use crate::source::Source;

/// Files that one star leads to.
const MAX_FILES: usize = 64;

/// Names that one star binds, and that all stars of a run do.
const MAX_NAMES: usize = 1 << 12;
const MAX_ALL: usize = 1 << 16;

/// Names of Python's libraries, of those that are looked at here: other names are none of theirs.
const SMALL: [(&str, &[&str]); 8] = [
    ("math", &["ceil", "floor", "gcd", "isqrt", "lcm", "log", "log2", "pow", "prod", "sqrt", "trunc"]),
    ("dataclasses", &["dataclass", "field", "fields", "replace", "asdict", "astuple", "InitVar", "KW_ONLY"]),
    ("enum", &["Enum", "Flag", "IntEnum", "IntFlag", "StrEnum", "auto", "unique"]),
    ("functools", &["cache", "cached_property", "lru_cache", "partial", "partialmethod", "reduce", "wraps"]),
    (
        "typing",
        &["Any", "Callable", "ClassVar", "Generic", "NamedTuple", "Optional", "Protocol", "Tuple", "Type", "Union"],
    ),
    ("types", &["SimpleNamespace"]),
    ("abc", &["ABC", "ABCMeta", "abstractmethod"]),
    ("argparse", &["ArgumentParser", "Namespace"]),
];

/// What a file says of the names that it gives to a star.
enum Said {
    /// Nothing: all that do not begin with `_`.
    Public,
    /// `__all__` is a list that is written out.
    Only(Vec<Name>),
    /// `__all__` is more than that.
    Unknown,
}

/// Whether a library may have a name; for the small ones, whether it has.
fn may_have(library: &str, name: &str) -> bool {
    SMALL.iter().find(|(known, _)| *known == library).map_or(library != "os", |(_, all)| all.contains(&name))
}

fn said(module: &Module, text: &str) -> Said {
    let Some(all) = module.scope(MODULE).and_then(|scope| scope.names.get("__all__")) else { return Said::Public };
    let [Binding { bound: Bound::Value(value, _), path: PathId(0), .. }] = all else { return Said::Unknown };
    let Expr::Tuple(items, _) = module.expr(*value) else { return Said::Unknown };
    let name = |item: &super::tree::ExprId| match module.expr(*item) {
        Expr::Text(name) => Some(name.clone()),
        _ => None,
    };
    match items.iter().map(name).collect::<Option<Vec<_>>>() {
        Some(names) if only_kept(text, "__all__", false) => Said::Only(names),
        _ => Said::Unknown,
    }
}

/// What a star gives.
#[derive(Default)]
struct Given {
    /// Names, and whether each is surely among them.
    names: HashMap<Name, bool>,
    /// Libraries that are taken whole on the way.
    libraries: Vec<Name>,
    /// The files.
    files: HashSet<usize>,
}

struct Stars<'s> {
    modules: &'s [Module],
    sources: &'s [Source],
    /// The module that a name means in a source.
    find: &'s dyn Fn(usize, &str) -> Option<usize>,
}

impl Stars<'_> {
    /// Whether a file is surely the one that an import means: what stands before the name in its path is around the one that imports it.
    fn is_near(&self, from: &Module, name: &str, to: usize) -> bool {
        let path = |file: usize| self.sources.get(file).map(|source| source.path.as_path());
        let (Some(from), Some(to)) = (path(from.file), self.modules.get(to).and_then(|to| path(to.file))) else {
            return false;
        };
        let package = to.file_name().is_some_and(|name| name == "__init__.py");
        let said = name.split('.').filter(|part| !part.is_empty()).count() + usize::from(package);
        let root = to.ancestors().nth(said);
        name.starts_with('.') || root.zip(from.parent()).is_some_and(|(root, from)| from.starts_with(root))
    }

    /// What a file gives to a star, and what its own stars give on. Files that were seen are not gone into again.
    // Recursion: into each file once, and so many of them.
    fn give(&self, index: usize, sure: bool, seen: &mut HashSet<usize>, given: &mut Given) {
        let Some(module) = self.modules.get(index).filter(|module| module.gave_up.is_none()) else { return };
        if seen.len() >= MAX_FILES || !seen.insert(index) {
            return;
        }
        given.files.insert(index);
        let source = self.sources.get(module.file);
        let mut own = Given::default();
        let names = module.scope(MODULE).into_iter().flat_map(|scope| &scope.names);
        // What is bound in branches only may not be there.
        let always = |all: &[Binding]| all.iter().any(|one| one.path == PathId(0));
        own.names.extend(names.take(MAX_NAMES).map(|(name, all)| (name.clone(), always(all))));
        // A package has the modules that it imports from.
        if source.is_some_and(|source| source.path.file_name().is_some_and(|name| name == "__init__.py")) {
            let bound = module.scope(MODULE).into_iter().flat_map(|scope| scope.names.values().flatten());
            let within = bound.filter_map(|one| match &one.bound {
                Bound::From(import) => {
                    import.from.strip_prefix('.').filter(|rest| !rest.is_empty() && !rest.contains('.'))
                }
                _ => None,
            });
            for name in within.take(MAX_NAMES) {
                own.names.entry(name.into()).or_insert(true);
            }
        }
        for star in &module.stars {
            if cute::is_library(&star.from) {
                own.libraries.push(star.from.clone());
            } else if let Some(next) = (self.find)(module.file, &star.from) {
                let sure = star.path == PathId(0) && self.is_near(module, &star.from, next);
                self.give(next, sure, seen, &mut own);
            }
        }
        given.files.extend(own.files);
        let mut add = |name: Name, sure: bool| {
            if given.names.len() < MAX_NAMES {
                *given.names.entry(name).or_insert(false) |= sure;
            }
        };
        let said = said(module, source.map_or("", |source| source.text.as_str()));
        if let Said::Only(names) = said {
            // Python refuses a file that does not have them.
            return names.into_iter().for_each(|name| add(name, sure));
        }
        let sure = sure && matches!(said, Said::Public);
        for (name, own) in own.names {
            if !name.starts_with('_') {
                add(name, sure && own);
            }
        }
        given.libraries.extend(own.libraries);
    }
}

/// Binds what stars of files give, in all files. Returns the files that each one leads to by stars.
pub fn bind(
    modules: &mut [Module],
    sources: &[Source],
    find: &dyn Fn(usize, &str) -> Option<usize>,
) -> Vec<HashSet<usize>> {
    let mut found = Vec::new();
    let mut left = MAX_ALL;
    let stars = Stars { modules, sources, find };
    for (index, module) in modules.iter().enumerate() {
        for (place, star) in module.stars.iter().enumerate() {
            let Some(from) = find(module.file, &star.from).filter(|from| *from != index) else { continue };
            if cute::is_library(&star.from) {
                continue;
            }
            let (mut given, mut seen) = (Given::default(), HashSet::from_iter([index]));
            stars.give(from, stars.is_near(module, &star.from, from), &mut seen, &mut given);
            left = left.saturating_sub(given.names.len());
            if left == 0 {
                given.names.clear();
            }
            given.libraries.dedup();
            given.libraries.truncate(MAX_FILES);
            found.push((index, place, given));
        }
    }
    let mut through = vec![HashSet::new(); modules.len()];
    for (index, place, given) in found {
        if let Some(through) = through.get_mut(index) {
            through.extend(given.files.iter().copied());
        }
        if let Some(module) = modules.get_mut(index) {
            bind_in(module, place, given);
        }
    }
    through
}

fn bind_in(module: &mut Module, place: usize, given: Given) {
    let Some(star) = module.stars.get_mut(place) else { return };
    star.through = given.libraries;
    let star = star.clone();
    let mut names: Vec<(Name, bool)> = given.names.into_iter().collect();
    // In the same order each time: steps are counted.
    names.sort_unstable();
    let mut perhaps = None;
    for (name, sure) in names {
        let path = if sure { star.path } else { *perhaps.get_or_insert_with(|| doubtful(module, &star)) };
        let Some(scope) = module.scopes.get_mut(MODULE.0 as usize) else { return };
        let all = scope.names.open().entry(name.clone()).or_default();
        let at = all.partition_point(|one| one.span.start <= star.span.start);
        let bound = Bound::import(star.from.clone(), name);
        all.insert(at, Binding { bound, span: star.span, from: star.span.end, path });
    }
    if let Some(scope) = module.scopes.get_mut(MODULE.0 as usize) {
        scope.names.close();
    }
}

/// What may or may not be bound by a star stands in one of two arms of which nobody knows which one runs.
fn doubtful(module: &mut Module, star: &super::tree::Star) -> PathId {
    let branch = u32::try_from(module.branches.len()).unwrap_or(u32::MAX);
    let arm = Arm { test: None, span: star.span, ends: false, may: false };
    module.branches.push(Branch {
        fork: Fork::Other,
        span: star.span,
        path: star.path,
        arms: [arm.clone(), arm].into(),
        scope: MODULE,
        of: None,
        leaves: Leaves::default(),
    });
    module.paths.push(Step { outer: star.path, branch, arm: 0 });
    PathId(u32::try_from(module.paths.len()).unwrap_or(u32::MAX))
}

impl<'a> Evaluator<'a> {
    /// Whether a star binds what stands here: of the names that one binds, none has a place of its own.
    pub(super) fn is_starred(&self, module: usize, span: Span) -> bool {
        self.module(module).is_some_and(|module| module.stars.iter().any(|star| star.span == span))
    }

    /// What a name that a file does not bind stands for by its stars: something of a library.
    pub(super) fn starred(&mut self, module: usize, name: &'a str) -> Option<Value> {
        let module = self.module(module)?;
        self.work = self.work.saturating_add(module.stars.len());
        let mut found = None;
        for star in module.stars.iter().rev() {
            let own = cute::is_library(&star.from).then_some(&star.from);
            for library in own.into_iter().chain(star.through.iter().rev()).filter(|one| may_have(one, name)) {
                let path = format!("{library}.{name}");
                // Of several that may have it, one that is known to.
                let known = SMALL.iter().any(|(small, _)| **small == **library)
                    || gluon::parameters(&path).is_some()
                    || cute::function(&path).is_some_and(|name| cute::makes_layout(name) || cute::computes(name));
                if known {
                    return Some(cute::named(path));
                }
                found = found.or(Some(path));
            }
        }
        found.map(cute::named)
    }

    /// As [`Self::starred`], for a name that another file is asked for.
    pub(super) fn member_starred(&mut self, index: usize, name: &'a str, why: Resolved<Value>) -> Resolved<Value> {
        self.starred(index, name).map_or(why, Ok)
    }
}

/// Of several imports of one name at the top of a file, the last holds in its functions: nothing calls one of them in between.
pub(super) fn last_import<'a>(module: &Module, all: &[&'a Binding]) -> Option<&'a Binding> {
    let import = |one: &&Binding| matches!(one.bound, Bound::Module(_) | Bound::From(..));
    let (first, last) = (all.first()?, all.last()?);
    if last.path != PathId(0) || !all.iter().all(import) {
        return None;
    }
    let between = |span: Span| first.span.start <= span.start && span.start < last.span.start;
    // Calls stand in the order of the text.
    let start = module.calls.partition_point(|(call, _)| module.span(*call).end < first.span.start);
    let mut next = module.calls.iter().skip(start).take_while(|(call, _)| module.span(*call).start < last.span.start);
    let called = next.any(|(call, scope)| *scope == MODULE && between(module.span(*call)));
    (!called).then_some(*last)
}
