//! Names that a test has replaced: `monkeypatch.setattr(gl, "BlockedLayout", f)`, `@patch("m.ORDER", 8)`, `mocker.patch.object(m, "f")`.
//! What they stand for is no longer known in that file; nor beside or below a `conftest.py` that replaces them.

use super::evaluate::{At, Evaluator};
use super::nodes::Node;
use super::read::{Walk, children};
use super::tree::{Module, Name};
use super::value::Value;
use crate::source::Source;
use std::path::Path;
use std::rc::Rc;

/// Names of one file that are kept; with more, none of it is known.
const MAX_PATCHED: usize = 1 << 10;

/// Stores in one name of a library that are looked at.
const MAX_STORES: usize = 64;

/// What a file has replaced.
#[derive(Debug, Default)]
pub struct Patched {
    /// The names.
    names: Vec<Name>,
    /// Whether it may be any name.
    all: bool,
    /// Whether modules are: what is imported may be anything.
    pub(super) modules: bool,
}

impl Patched {
    /// Whether a name may be another one's.
    pub fn has(&self, name: &str) -> bool {
        self.all || self.names.iter().any(|one| **one == *name)
    }

    fn add(&mut self, name: &str) {
        let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !plain || self.names.len() >= MAX_PATCHED {
            self.all = true;
        } else if !self.has(name) {
            self.names.push(name.into());
        }
    }
}

impl<'t> Walk<'t> {
    /// Keeps what a call replaces by its name.
    pub(super) fn patches(&mut self, callee: &str, arguments: Option<Node<'t>>) {
        let (object, method) = callee.rsplit_once('.').unwrap_or(("", callee));
        let patch = object.rsplit('.').next() == Some("patch");
        let modules = |text: &str| text.contains("sys.modules");
        if object == "sys.modules" && matches!(method, "setdefault" | "update") {
            self.module.patched.modules = true;
        }
        let of = |name: &str| method == name && !object.is_empty();
        let sets = (of("setattr") || of("delattr")) && !object.starts_with("super");
        if !(patch || sets || method == "patch" || of("setitem")) {
            return;
        }
        let all: Vec<Node<'t>> = arguments.into_iter().flat_map(children).collect();
        let named = |one: &&Node<'t>| one.kind() == "keyword_argument";
        let mut placed = all.iter().filter(|one| !named(one)).map(|one| self.text(*one));
        match (method, placed.next(), placed.next()) {
            ("setitem" | "dict", first, second) => {
                // A module of a library may be another one then.
                self.module.patched.modules |= [first, second].into_iter().flatten().any(modules);
            }
            ("multiple", ..) => {
                for one in all.iter().filter(named) {
                    let name = one.child_by_field_name("name").map_or("", |name| self.text(name));
                    self.module.patched.add(name);
                }
            }
            // `patch.object(of, "name")`, `setattr(of, "name", value)`, and `setattr("of.name", value)`.
            ("object", _, Some(name)) => self.module.patched.add(last(name)),
            ("setattr" | "delattr", Some(of), name) => {
                let literal = of.ends_with(['"', '\'']);
                self.module.patched.add(last(if literal { of } else { name.unwrap_or_default() }));
            }
            ("patch", Some(path), _) => self.module.patched.add(last(path)),
            _ => {}
        }
    }
}

/// The name at the end of a path that is written as a string; nothing that is a name where it is computed.
fn last(path: &str) -> &str {
    let inner = path.strip_suffix(['"', '\'']).unwrap_or_default();
    inner.rsplit(['.', '"', '\'']).next().unwrap_or_default()
}

/// What a `conftest.py` replaces is replaced in the files beside it and below.
pub(super) fn spread(modules: &mut [Module], sources: &[Source]) {
    let folder = |module: &Module| {
        let path = Path::new(&sources.get(module.file)?.path);
        path.file_name().is_some_and(|name| name == "conftest.py").then(|| path.parent().map(Path::to_path_buf))?
    };
    let some = |module: &&Module| module.patched.all || module.patched.modules || !module.patched.names.is_empty();
    let all: Vec<_> = modules
        .iter()
        .filter(some)
        .filter_map(|module| {
            let patched = &module.patched;
            Some((folder(module)?, patched.names.clone(), patched.all, patched.modules))
        })
        .collect();
    for module in modules.iter_mut().filter(|_| !all.is_empty()) {
        let Some(path) = sources.get(module.file).map(|source| Path::new(&source.path)) else { continue };
        for (_, names, every, modules) in all.iter().filter(|(folder, ..)| path.starts_with(folder)) {
            for name in names {
                module.patched.add(name);
            }
            module.patched.all |= every;
            module.patched.modules |= modules;
        }
    }
}

impl<'a> Evaluator<'a> {
    /// Whether some file stores something in a name of a library: `gl.BlockedLayout = f`.
    pub(super) fn is_replaced_in(&mut self, path: &Rc<str>, name: &'a str) -> bool {
        if !self.files.stored.contains(name) {
            return false;
        }
        if let Some(known) = self.restored.get(&(path.clone(), name)) {
            return *known;
        }
        // Whoever asks again meanwhile goes round in a circle.
        self.restored.insert((path.clone(), name), false);
        let mut stored = false;
        for (from, place) in self.files.outside(name).iter().take(MAX_STORES) {
            let Some(store) = self.module(*from).and_then(|module| module.stores.get(*place)) else { continue };
            let at = At { module: *from, scope: store.scope, frame: None };
            stored = stored
                || self.is_imported(store.of, &at)
                    && matches!(self.surely(store.of, &at), Ok(Value::Library(of)) if of == *path);
        }
        self.restored.insert((path.clone(), name), stored);
        stored
    }
}

#[cfg(test)]
mod tests {
    use super::last;

    #[test]
    fn names_at_the_end_of_paths() {
        for (path, name) in [
            ("\"a.b.c\"", "c"),
            ("'c'", "c"),
            ("f\"{__name__}.gl\"", "gl"),
            ("__name__ + '.gl'", "gl"),
            ("name", ""),
            ("f'{name}'", "{name}"),
            ("", ""),
        ] {
            assert_eq!(last(path), name, "{path}");
        }
    }
}
