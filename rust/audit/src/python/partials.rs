//! `partial(f, …)` among the files: calls of what it makes are calls of the function, with the arguments that it names before theirs.

use foldhash::{HashSet, HashSetExt as _};
use std::rc::Rc;

use memchr::memmem;

use super::evaluate::{At, Evaluator};
use super::files::Files;
use super::sites::Called;
use super::tree::{Argument, Bound, Expr, ExprId, Module, ScopeId};
use super::value::{Home, Value};
use crate::source::{Source, is_identifier};

/// Calls of a name that may be one.
const MAX_CALLS: usize = 4_096;

/// The names that files give a `partial(…)`, also as attributes, or a `namedtuple(…)`.
pub fn named(sources: &[Source]) -> HashSet<&str> {
    let mut names = HashSet::new();
    for source in sources.iter().filter(|source| source.python) {
        let records = ["namedtuple(", "NamedTuple("].map(|word| memmem::find_iter(source.text.as_bytes(), word));
        let all = records.into_iter().flatten();
        for at in memmem::find_iter(source.text.as_bytes(), "partial(").chain(all) {
            let before = source.text.get(..at).unwrap_or_default();
            let line = before.rsplit('\n').next().unwrap_or_default();
            let Some((target, _)) = line.split_once('=') else { continue };
            // `name: type = partial(…)`
            let target = target.split(':').next().unwrap_or_default().trim();
            let name = target.rsplit('.').next().unwrap_or_default();
            if !name.is_empty() && name.bytes().all(is_identifier) {
                names.insert(name);
            }
        }
    }
    names
}

/// Whether an expression is a call of `partial`, by its name.
fn is_partial(module: &Module, of: ExprId) -> bool {
    let Expr::Call(callee, _) = module.expr(of) else { return false };
    matches!(module.expr(*callee), Expr::Name(name) | Expr::Attribute(_, name) if &**name == "partial")
}

/// Calls of what may be one: the file, the call and its scope, and what is called.
type Calls = Vec<(usize, ExprId, ScopeId, ExprId)>;

/// Calls of what may be one, by the names that some have, and what these and others that are made of one give by name: that counts.
pub fn calls<'a>(files: &'a Files<'_>) -> (Calls, HashSet<&'a str>) {
    let mut names = HashSet::new();
    for module in &files.modules {
        for (name, all) in module.scopes.iter().flat_map(|scope| &scope.names) {
            if all.iter().any(|one| matches!(one.bound, Bound::Value(value, _) if is_partial(module, value))) {
                names.insert(&**name);
            }
        }
    }
    if names.is_empty()
        && !files.modules.iter().any(|module| module.calls.iter().any(|(call, _)| is_partial(module, *call)))
    {
        return (Vec::new(), HashSet::new());
    }
    // Another name may be given to it where it is imported.
    let mut others = HashSet::new();
    for module in &files.modules {
        for (name, all) in module.scopes.iter().flat_map(|scope| &scope.names) {
            if all.iter().any(|one| matches!(&one.bound, Bound::From(import) if names.contains(&*import.name))) {
                others.insert(&**name);
            }
        }
    }
    let (mut found, mut given) = (Vec::new(), HashSet::new());
    for (index, module) in files.modules.iter().enumerate() {
        let is_one = |of: ExprId| match module.expr(of) {
            Expr::Name(name) | Expr::Attribute(_, name) => names.contains(&**name) || others.contains(&**name),
            _ => is_partial(module, of),
        };
        for (call, scope) in &module.calls {
            let Expr::Call(callee, arguments) = module.expr(*call) else { continue };
            let may = is_one(*callee);
            let more = is_partial(module, *call) && arguments.first().is_some_and(|first| is_one(first.value));
            if may || more {
                given.extend(arguments.iter().filter_map(|argument| argument.name.as_deref()));
            }
            if may && found.len() < MAX_CALLS {
                found.push((index, *call, *scope, *callee));
            }
        }
    }
    (found, given)
}

/// Whether nothing is unpacked among arguments.
fn is_plain(arguments: &[Argument]) -> bool {
    arguments.iter().all(|argument| !matches!(argument.name.as_deref(), Some("*" | "**")))
}

impl Evaluator<'_> {
    /// The function of a library that something is, also with some of its arguments.
    pub(super) fn of_library(&mut self, callee: ExprId, at: &At) -> Option<Rc<str>> {
        match self.ask(callee, at) {
            Ok(Value::Library(path)) => Some(path),
            Ok(Value::Partial(made)) => match self.opened(&made, 0) {
                Ok((Value::Library(path), _)) => Some(path),
                _ => None,
            },
            _ => None,
        }
    }

    /// The calls of a function through a `partial(f, …)` that is made of it for sure, outside of what a call hands on.
    pub(super) fn partials(&mut self, home: Home) -> Vec<Called> {
        let known = self.sites.partials.clone();
        let all = known.unwrap_or_else(|| {
            // Whoever asks again meanwhile goes round in a circle.
            self.sites.partials = Some(Rc::default());
            let mut found = Vec::new();
            let calls = self.sites.calls;
            for (module, call, scope, callee) in &calls.by_partial {
                found.extend(self.completed((*module, *call, *scope), *callee));
            }
            Rc::new(found)
        });
        self.sites.partials = Some(all.clone());
        let own = all.iter().filter(|(of, _)| *of == home).map(|(_, called)| *called);
        own.filter(|called| !self.inside(called.within(), home)).collect()
    }

    fn completed(&mut self, place: (usize, ExprId, ScopeId), callee: ExprId) -> Option<(Home, Called)> {
        let (module, call, scope) = place;
        let at = At { module, scope, frame: None };
        let Ok(Value::Partial(made)) = self.surely(callee, &at) else { return None };
        if made.at.frame.is_some() {
            return None;
        }
        let arguments = |module: usize, call: ExprId| match self.module(module)?.expr(call) {
            Expr::Call(_, arguments) => Some(arguments),
            _ => None,
        };
        let (own, first) = (arguments(module, call)?, arguments(made.at.module, made.call)?);
        let of = first.first().filter(|of| of.name.is_none() && is_plain(own) && is_plain(first))?;
        let Ok(Value::Function(home, object)) = self.surely(of.value, &made.at) else { return None };
        let before = (made.at.module, made.call, made.at.scope);
        Some((home, Called::completes(place, usize::from(object.is_some()), before)))
    }
}
