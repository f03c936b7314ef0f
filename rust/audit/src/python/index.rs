//! The calls of all files by the last name of what they call, and what the code lists by names. Evaluators only read it, so that there is
//! one for all of them.

use foldhash::{HashMap, HashSet};

use super::files::Files;
use super::guards::refused_tests;
use super::partials;
use super::tree::{Bound, Expr, ExprId, Kind, MODULE, Module, Op, ScopeId};
use super::value::Home;
use super::variables::may_be_variable;

/// Values of one name that are kept.
const MAX_VALUES: usize = 12;

/// A call: its module, itself, the scope that it stands in, and how many of its arguments stand before those of what is called.
pub type Call = (usize, ExprId, ScopeId, usize);

/// All calls by the last name of what they call.
#[derive(Debug)]
pub struct Calls<'a> {
    files: &'a Files<'a>,
    named: Named<'a>,
    /// The functions of a name.
    pub(super) functions: HashMap<&'a str, Vec<Home>>,
    /// Calls of what may be a `partial(f, …)`: the file, the call and its scope, and what is called.
    pub(super) by_partial: Vec<(usize, ExprId, ScopeId, ExprId)>,
    /// What calls of them give by name, which counts before what `partial(f, …)` gives.
    pub(super) given_later: HashSet<&'a str>,
    /// Constants that parameters of a name get by their name, as their defaults and in comparisons.
    values: HashMap<&'a str, Box<[Listed]>>,
}

/// A constant: its file, itself, its scope, and whether it is what something is compared with.
#[derive(Debug, Clone, Copy)]
struct Listed {
    module: u32,
    value: ExprId,
    scope: ScopeId,
    compared: bool,
}

/// Calls by names, all in one list: there are many, and most names have few.
#[derive(Debug, Default)]
struct Named<'a> {
    all: Vec<Place>,
    /// Where those of a name begin and end.
    of: HashMap<&'a str, (u32, u32)>,
}

/// A call as a place in the list of its module.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    module: u32,
    /// Twice the place, and one more where it is the first argument that is called.
    call: u32,
}

impl<'a> Calls<'a> {
    /// Of some files.
    pub fn of(files: &'a Files<'a>) -> Self {
        let ((by_partial, given_later), (named, (functions, values))) = rayon::join(
            || partials::calls(files),
            || rayon::join(|| Named::of(files), || rayon::join(|| functions(files), || values(files))),
        );
        Self { files, named, functions, by_partial, given_later, values }
    }

    /// The calls of what has a name, in the order of the files.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = Call> + use<'_, 'a> {
        let (start, end) = self.named.of.get(name).copied().unwrap_or_default();
        let all = self.named.all.get(start as usize..end as usize).unwrap_or_default();
        all.iter().filter_map(|place| {
            let module = place.module as usize;
            let (call, scope) = *self.files.modules.get(module)?.calls.get(place.call as usize / 2)?;
            Some((module, call, scope, place.call as usize % 2))
        })
    }

    /// Calls by a name that a value is bound to, which may be a class, with what is called.
    pub(super) fn by_variable(&self) -> impl Iterator<Item = (Call, ExprId)> + use<'a> {
        self.files.modules.iter().enumerate().flat_map(|(index, module)| {
            module.calls.iter().flat_map(move |(call, scope)| {
                let all = callees(module, *call).filter(|(callee, _)| may_be_variable(module.expr(*callee)));
                all.map(move |(callee, skip)| ((index, *call, *scope, skip), callee))
            })
        })
    }

    /// The constants that a name is listed with: the module, the constant and its scope, and whether something is compared with it.
    pub(super) fn values(&self, name: &str) -> Option<impl Iterator<Item = (usize, ExprId, ScopeId, bool)> + use<'_>> {
        let all = self.values.get(name)?.iter();
        Some(all.map(|one| (one.module as usize, one.value, one.scope, one.compared)))
    }
}

impl<'a> Named<'a> {
    fn of(files: &'a Files<'a>) -> Self {
        let mut of: HashMap<&'a str, (u32, u32)> = HashMap::default();
        let count: usize = files.modules.iter().map(|module| module.calls.len()).sum();
        let mut found: Vec<(u32, Place)> = Vec::with_capacity(count);
        let mut counts: Vec<u32> = Vec::new();
        for (index, module) in (0..).zip(&files.modules) {
            for (at, (call, _)) in (0..).zip(&module.calls) {
                for (callee, skip) in callees(module, *call) {
                    let (Expr::Name(name) | Expr::Attribute(_, name)) = module.expr(callee) else { continue };
                    let new = u32::try_from(counts.len()).unwrap_or(u32::MAX);
                    let (id, _) = *of.entry(name).or_insert((new, 0));
                    if id == new {
                        counts.push(0);
                    }
                    if let Some(count) = counts.get_mut(id as usize) {
                        *count += 1;
                        found.push((id, Place { module: index, call: 2 * at + u32::from(skip > 0) }));
                    }
                }
            }
        }
        // Where each name begins, and then where its next call comes.
        let mut next = 0;
        for count in &mut counts {
            next += std::mem::replace(count, next);
        }
        let mut all = vec![Place::default(); found.len()];
        for (id, place) in found {
            if let Some(at) = counts.get_mut(id as usize)
                && let Some(slot) = all.get_mut(*at as usize)
            {
                *slot = place;
                *at += 1;
            }
        }
        // Each begins where the one before ended.
        let end = |id: u32| counts.get(id as usize).copied().unwrap_or_default();
        for range in of.values_mut() {
            *range = (range.0.checked_sub(1).map_or(0, end), end(range.0));
        }
        of.shrink_to_fit();
        Self { all, of }
    }
}

/// What a call calls, and its first argument where it is that which is called, behind how many arguments: `partial(f, …)`,
/// `cute.compile[options](f, …)`.
fn callees(module: &Module, call: ExprId) -> impl Iterator<Item = (ExprId, usize)> + use<> {
    let mut all = [None, None];
    if let Expr::Call(callee, arguments) = module.expr(call) {
        let of = match module.expr(*callee) {
            Expr::Item(of, _) => *of,
            _ => *callee,
        };
        let handed = match (module.expr(of), arguments.first()) {
            (Expr::Name(name) | Expr::Attribute(_, name), Some(first)) => {
                (first.name.is_none() && matches!(&**name, "partial" | "compile")).then_some((first.value, 1))
            }
            _ => None,
        };
        all = [Some((*callee, 0)), handed];
    }
    all.into_iter().flatten()
}

/// The functions of all names.
fn functions<'a>(files: &'a Files<'_>) -> HashMap<&'a str, Vec<Home>> {
    let mut functions: HashMap<&'a str, Vec<Home>> = HashMap::default();
    for (module, of) in files.modules.iter().enumerate() {
        for (name, bindings) in of.scopes.iter().flat_map(|scope| &scope.names) {
            for one in bindings {
                if let Bound::Function(scope) = one.bound {
                    functions.entry(name).or_default().push(Home { module, scope });
                }
            }
        }
    }
    functions.values_mut().for_each(Vec::shrink_to_fit);
    functions
}

/// What files list for parameters, by their names.
fn values<'a>(files: &'a Files<'_>) -> HashMap<&'a str, Box<[Listed]>> {
    let mut values: HashMap<&'a str, Vec<(&'a str, Listed)>> = HashMap::default();
    for (index, module) in (0..).zip(&files.modules) {
        list(files, (index, module), &mut values);
    }
    let all = values.into_iter();
    all.map(|(name, all)| (name, all.into_iter().map(|(_, one)| one).collect())).collect()
}

/// What a file lists for parameters, by their names, each with its text.
fn list<'a>(
    files: &'a Files<'_>,
    (index, module): (u32, &'a Module),
    values: &mut HashMap<&'a str, Vec<(&'a str, Listed)>>,
) {
    let text = files.sources.get(module.file).map_or("", |source| source.text.as_str());
    // Numbers, tuples of them, and attributes of what is imported: types.
    let constant = |value: ExprId| match module.expr(value) {
        Expr::Integer(_) => true,
        Expr::Tuple(items, false) => {
            !items.is_empty() && items.iter().all(|item| matches!(module.expr(*item), Expr::Integer(_)))
        }
        Expr::Attribute(of, name) => {
            matches!(module.expr(*of), Expr::Name(_)) && name.starts_with(|c: char| c.is_ascii_uppercase())
        }
        _ => false,
    };
    let mut add = |name: &'a str, value: ExprId, scope: ScopeId, compared: bool| {
        if constant(value) {
            let words = text.get(module.span(value).range()).unwrap_or_default();
            let all = values.entry(name).or_default();
            let same = |(known, one): &(&str, Listed)| {
                *known == words && one.compared == compared && (!compared || one.module == index)
            };
            if all.iter().filter(|(_, one)| one.compared == compared).count() < MAX_VALUES && !all.iter().any(same) {
                all.push((words, Listed { module: index, value, scope, compared }));
            }
        }
    };
    for (call, scope) in &module.calls {
        let Expr::Call(_, arguments) = module.expr(*call) else { continue };
        for argument in arguments {
            if let Some(name) = &argument.name {
                add(name, argument.value, *scope, false);
            }
        }
    }
    for scope in &module.scopes {
        let Kind::Function(function) = &scope.kind else { continue };
        for (name, default) in function.parameters.iter().zip(&function.defaults) {
            if let Some(default) = default {
                add(name, *default, scope.parent.unwrap_or(MODULE), false);
            }
        }
    }
    // What a guard refuses is no value that anything is made with.
    let refused = refused_tests(module, text);
    for ((expr, _), id) in module.exprs.iter().zip(0..) {
        if refused.contains(&ExprId::new(id)) {
            continue;
        }
        match expr {
            Expr::Binary(Op::Eq, one, value) => {
                if let Expr::Name(name) = module.expr(*one) {
                    add(name, *value, MODULE, true);
                }
            }
            Expr::Within(one, of, false) => {
                if let (Expr::Name(name), Expr::Tuple(items, _)) = (module.expr(*one), module.expr(*of)) {
                    items.iter().for_each(|value| add(name, *value, MODULE, true));
                }
            }
            _ => {}
        }
    }
}
