//! The files as modules that import each other.

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use std::path::{Component, Path};

use rayon::prelude::*;

use super::importers::importers;
use super::reach::{defined, reached};
use super::read::Reader;
use super::refusing::refusing;
use super::tree::{Bound, Expr, Import, Kind, MODULE, Module, Name, ScopeId, Store};
use super::value::Home;
use super::{cute, stars, words};
use crate::source::Source;

/// How often files are parsed for the sake of those that import them.
const MAX_ROUNDS: usize = 4;

/// What is kept of all files, in expressions.
const MAX_KEPT: usize = 12 << 20;

/// Names that one name may stand for.
const MAX_NAMES: usize = 16;

/// The parsed files, and what is known of them together.
#[derive(Debug)]
pub struct Files<'a> {
    /// The sources.
    pub sources: &'a [Source],
    /// The parsed ones, by source.
    pub modules: Vec<Module>,
    /// Classes that name another one as their base, by the name of that.
    pub heirs: HashMap<Name, Vec<Home>>,
    /// Attributes that are stored in something that is not the first parameter of a method.
    pub stored: HashSet<Name>,
    /// What is stored so, by the attribute, as modules and places in their lists.
    outside: HashMap<Name, Vec<(usize, usize)>>,
    /// The modules that a module imports.
    imported: Vec<HashSet<usize>>,
    /// Where a class stores an attribute, as places in its module's list.
    own: HashMap<Name, HashMap<Home, Vec<usize>>>,
    names: Names,
}

/// Files by what an import may call them.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Sources by the last part of their name.
    by_last: HashMap<String, Vec<usize>>,
    /// The parts of the name of each source.
    parts: HashMap<usize, Vec<String>>,
    /// Modules by source.
    module: HashMap<usize, usize>,
}

/// A path as the parts of a module's name: `a/b/__init__.py` is `a.b`.
fn parts(path: &Path) -> Vec<String> {
    let mut parts: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    if let Some(last) = parts.last_mut() {
        *last = last.trim_end_matches(".py").to_owned();
    }
    if parts.last().is_some_and(|last| last == "__init__") {
        parts.pop();
    }
    parts
}

impl Names {
    pub(super) fn of(sources: &[Source]) -> Self {
        let mut names = Self::default();
        for (index, source) in sources.iter().enumerate().filter(|(_, source)| source.python) {
            let parts = parts(&source.path);
            if let Some(last) = parts.last() {
                names.by_last.entry(last.clone()).or_default().push(index);
            }
            names.parts.insert(index, parts);
        }
        names
    }

    /// The source that a module's name means in a source: of several, the nearest; nothing where two are as near.
    pub(super) fn source(&self, from: usize, sources: &[Source], name: &str) -> Option<usize> {
        let own = self.parts.get(&from)?;
        let dots = name.len() - name.trim_start_matches('.').len();
        let said = name.trim_start_matches('.').split('.').filter(|part| !part.is_empty()).map(str::to_owned);
        if dots > 0 {
            let package = sources.get(from)?.path.file_name().is_some_and(|name| name == "__init__.py");
            let up = dots - usize::from(package);
            let mut parts = own.get(..own.len().checked_sub(up)?)?.to_vec();
            parts.extend(said);
            let same = |index: &&usize| self.parts.get(index).is_some_and(|other| *other == parts);
            let mut found = self.by_last.get(parts.last()?)?.iter().filter(same);
            return found.next().copied().filter(|_| found.next().is_none());
        }
        let said: Vec<String> = said.collect();
        let common = |index: usize| {
            let other = self.parts.get(&index).map_or(&[][..], Vec::as_slice);
            own.iter().zip(other).take_while(|(a, b)| a == b).count()
        };
        let mut found: Vec<(usize, usize)> = self
            .by_last
            .get(said.last()?)?
            .iter()
            .filter(|index| self.parts.get(index).is_some_and(|other| other.ends_with(&said)))
            .map(|index| (common(*index), *index))
            .collect();
        found.sort_unstable();
        match found.as_slice() {
            [.., (second, _), (first, _)] if first == second => None,
            [.., (_, index)] => Some(*index),
            [] => None,
        }
    }
}

impl<'a> Files<'a> {
    /// Parses the files that may make a layout, those that import them, and those that all these import.
    pub fn read(sources: &'a [Source]) -> Self {
        let mut names = Names::of(sources);
        let defined = defined(sources);
        let refusing = refusing(sources);
        let mut called = defined.clone();
        called.extend(super::partials::named(sources));
        let mut next: Vec<usize> = sources
            .iter()
            .enumerate()
            .filter(|(_, source)| source.python && !source.included && words::relevant(&source.text))
            .map(|(index, _)| index)
            .collect();
        let mut modules: Vec<Module> = Vec::new();
        let mut kept = 0;
        next.extend(importers(sources, &names, &next));
        for _ in 0..MAX_ROUNDS {
            // The longest first, while little is kept: a tree is a hundred times as large as what it says.
            let size = |index: usize| sources.get(index).map_or(0, |source| source.text.len());
            next.sort_by_key(|index| std::cmp::Reverse(size(*index)));
            let mut parsed: Vec<Module> = next
                .par_iter()
                .with_max_len(1)
                .map_init(Reader::default, |reader, index| {
                    let text = sources.get(*index).map_or("", |source| source.text.as_str());
                    reached(reader.read(*index, text, &defined, &refusing), &called)
                })
                .collect();
            parsed.sort_by_key(|module| module.file);
            let mut wanted = HashSet::new();
            for module in parsed {
                kept += module.weight();
                let module = if kept > MAX_KEPT {
                    let why = "not looked into: its names are more than one run keeps; audit fewer files at once";
                    Module { file: module.file, gave_up: Some(why), ..Module::default() }
                } else {
                    module
                };
                wanted.extend(imports(&module).filter_map(|name| names.source(module.file, sources, &name)));
                names.module.insert(module.file, modules.len());
                modules.push(module);
            }
            next = wanted.into_iter().filter(|index| !names.module.contains_key(index)).collect();
            next.sort_unstable();
            if next.is_empty() {
                break;
            }
        }
        super::patches::spread(&mut modules, sources);
        let source = |file, name: &str| names.source(file, sources, name);
        let through = stars::bind(&mut modules, sources, &|from, name| {
            source(from, name).and_then(|source| names.module.get(&source).copied())
        });
        let others = renamed(&modules);
        let mut heirs: HashMap<Name, Vec<Home>> = HashMap::new();
        let mut stored = HashSet::new();
        for (index, module) in modules.iter().enumerate() {
            for (scope, id) in module.scopes.iter().zip(0..) {
                let Kind::Class { bases: Some(bases), .. } = &scope.kind else { continue };
                let home = Home { module: index, scope: ScopeId(id) };
                for base in bases {
                    // `Base[int]`
                    let base = match module.expr(*base) {
                        Expr::Item(of, _) => *of,
                        _ => *base,
                    };
                    if let Expr::Name(name) | Expr::Attribute(_, name) = module.expr(base) {
                        for name in meant(module, name, &others) {
                            heirs.entry(name.clone()).or_default().push(home);
                        }
                    }
                }
            }
            stored.extend(module.stores.iter().filter(|store| store.class.is_none()).map(|store| store.name.clone()));
        }
        let mut own: HashMap<Name, HashMap<Home, Vec<usize>>> = HashMap::new();
        for (module, of) in modules.iter().enumerate() {
            for (place, store) in of.stores.iter().enumerate() {
                if let Some(scope) = store.class {
                    let classes = own.entry(store.name.clone()).or_default();
                    classes.entry(Home { module, scope }).or_default().push(place);
                }
            }
        }
        let mut outside: HashMap<Name, Vec<(usize, usize)>> = HashMap::new();
        for (index, module) in modules.iter().enumerate() {
            for (place, store) in module.stores.iter().enumerate().filter(|(_, store)| store.class.is_none()) {
                outside.entry(store.name.clone()).or_default().push((index, place));
            }
        }
        let imported = modules.iter().zip(through).map(|(module, through)| {
            let sources = imports(module).filter_map(|name| source(module.file, &name));
            sources.filter_map(|source| names.module.get(&source).copied()).chain(through).collect()
        });
        let imported = imported.collect();
        Self { sources, modules, heirs, stored, outside, imported, own, names }
    }

    /// What is stored in attributes of a name of what is not the first parameter of a method, as modules and places in their lists.
    pub fn outside(&self, name: &str) -> &[(usize, usize)] {
        self.outside.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a module is another one or imports it.
    pub fn knows(&self, from: usize, class: usize) -> bool {
        from == class || self.imported.get(from).is_some_and(|all| all.contains(&class))
    }

    /// What the methods of a class store in an attribute.
    pub fn stores<'m>(&'m self, module: &'m Module, class: Home, name: &str) -> impl Iterator<Item = &'m Store> {
        let places = self.own.get(name).and_then(|classes| classes.get(&class)).map_or(&[][..], Vec::as_slice);
        places.iter().filter_map(|place| module.stores.get(*place))
    }

    /// The module that a name means in a module.
    pub fn module(&self, from: usize, name: &str) -> Option<usize> {
        let source = self.names.source(self.modules.get(from)?.file, self.sources, name)?;
        self.names.module.get(&source).copied()
    }

    /// Whether a module binds a name.
    pub fn binds(&self, module: usize, name: &str) -> bool {
        let all = self.modules.get(module).and_then(|module| module.scope(MODULE));
        all.is_some_and(|all| all.names.contains_key(name))
    }
}

/// The names that a name of a file stands for: `from m import K as Base`, `Base = m.K`.
fn aliases<'m>(module: &'m Module, name: &str) -> impl Iterator<Item = &'m Name> {
    let bindings = module.scope(MODULE).and_then(|scope| scope.names.get(name)).into_iter().flatten();
    bindings.filter_map(|one| match &one.bound {
        Bound::From(import) => Some(&import.name),
        Bound::Value(value, _) => match module.expr(*value) {
            Expr::Name(of) | Expr::Attribute(_, of) => Some(of),
            _ => None,
        },
        _ => None,
    })
}

/// The names of classes that files import by another one, by that.
fn renamed(modules: &[Module]) -> HashMap<&str, Vec<&Name>> {
    let mut others: HashMap<&str, Vec<&Name>> = HashMap::new();
    for (name, bindings) in modules.iter().filter_map(|module| module.scope(MODULE)).flat_map(|scope| &scope.names) {
        for one in bindings {
            if let Bound::From(import) = &one.bound
                && let of = &import.name
                && of != name
            {
                let all = others.entry(name).or_default();
                if all.len() < MAX_NAMES && !all.contains(&of) {
                    all.push(of);
                }
            }
        }
    }
    others
}

/// A name, and those that it may stand for in a file.
fn meant<'m>(module: &'m Module, name: &'m Name, others: &HashMap<&str, Vec<&'m Name>>) -> Vec<&'m Name> {
    let (mut all, mut next) = (vec![name], 1);
    all.extend(aliases(module, name).filter(|of| *of != name).take(MAX_NAMES));
    // What it is imported as may be another name there.
    while let Some(one) = all.get(next).copied() {
        next += 1;
        for other in others.get(&**one).into_iter().flatten() {
            if all.len() < MAX_NAMES && !all.contains(other) {
                all.push(other);
            }
        }
    }
    all
}

/// The modules that a file imports, outside of the libraries that are known.
fn imports(module: &Module) -> impl Iterator<Item = String> + '_ {
    let bound = module.scopes.iter().flat_map(|scope| scope.names.values().flatten());
    let names = bound.flat_map(|binding| match &binding.bound {
        Bound::Module(name) => vec![name.to_string()],
        Bound::From(import) => {
            let Import { from, name } = &**import;
            let dot = if from.ends_with('.') { "" } else { "." };
            vec![from.to_string(), format!("{from}{dot}{name}")]
        }
        _ => Vec::new(),
    });
    let stars = module.stars.iter().map(|star| star.from.to_string());
    names.chain(stars).filter(|name| !cute::is_library(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_the_nearest_file() {
        let paths = ["x/pkg/a.py", "x/pkg/b.py", "y/pkg/b.py", "x/pkg/__init__.py", "x/pkg/sub/c.py"];
        let sources: Vec<Source> = paths.iter().map(|path| Source::new(*path, Vec::new())).collect();
        let names = Names::of(&sources);
        let means = |from, name| names.source(from, &sources, name).map(|index| paths[index]);
        assert_eq!(means(0, "pkg.b"), Some("x/pkg/b.py"));
        assert_eq!(means(0, ".b"), Some("x/pkg/b.py"));
        assert_eq!(means(3, ".b"), Some("x/pkg/b.py"));
        assert_eq!(means(4, "..b"), Some("x/pkg/b.py"));
        assert_eq!(means(0, "pkg"), Some("x/pkg/__init__.py"));
        assert_eq!(means(0, "pkg.missing"), None);
        assert_eq!(means(0, "....b"), None);
    }
}
