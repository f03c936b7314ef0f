//! What stores in an attribute from outside of its class: `other.name = value`, `setattr(of, name, value)`. It counts for a class unless
//! what it stores in is surely something else, or the name is surely another one.

use super::evaluate::{At, Evaluator};
use super::tree::{Binding, Bound, Expr, ExprId, Kind, MODULE, Op, ScopeId, Store};
use super::value::{Home, Value};

use std::rc::Rc;

/// How deep a question of what something is may lead.
const MAX_DEPTH: usize = 16;

/// Classes that something may have; names that something may be.
const MAX_KINDS: usize = 64;

/// Places that store in attributes of one name, in files that do not import the class.
const MAX_PLACES: usize = 256;

/// Steps of all such questions.
const MAX_STEPS: usize = 5_000_000;

/// A text that an expression may be: how it begins and, where not all of it is known, how it ends.
#[derive(Debug, Clone)]
struct Name {
    start: String,
    end: Option<String>,
}

impl Name {
    fn is(&self, name: &str) -> bool {
        match &self.end {
            None => self.start == *name,
            Some(end) => name.starts_with(&self.start) && name.ends_with(end.as_str()),
        }
    }

    /// It with another one behind it.
    fn then(&self, next: &Self) -> Self {
        match (&self.end, &next.end) {
            (None, end) => Self { start: format!("{}{}", self.start, next.start), end: end.clone() },
            (Some(end), None) => Self { start: self.start.clone(), end: Some(format!("{end}{}", next.start)) },
            (Some(_), Some(end)) => Self { start: self.start.clone(), end: Some(end.clone()) },
        }
    }
}

fn exactly(text: &str) -> Name {
    Name { start: text.to_owned(), end: None }
}

/// Names that an expression may be.
type Names = Vec<Name>;

/// What is stored in an attribute of the objects of a class, but by methods in theirs.
#[derive(Debug, Clone)]
pub enum Outside {
    /// This, as far as that is known; nothing for nothing.
    Known(Rc<[Other]>),
    /// Something.
    Unknown,
}

/// Something that is.
#[derive(Debug, Clone, Copy)]
pub enum Other {
    /// The value of a module's store.
    Value(usize, usize),
    /// What the attribute is of an object of another class.
    Of(Home),
}

impl<'a> Evaluator<'a> {
    /// What stores in an attribute of the objects of a class, or in a class that they have it from, but methods in theirs.
    pub(super) fn outside(&mut self, home: Home, name: &'a str) -> Outside {
        if let Some(known) = self.outside.get(&(home, name)) {
            return known.clone();
        }
        // What this asks is asked without a choice, and once: it is no part of what is tried.
        let (before, world) = (self.work, self.world.take());
        let stored = self.find_stored(home, name);
        self.judged = self.judged.saturating_add(self.work - before);
        (self.work, self.world) = (before, world);
        self.outside.insert((home, name), stored.clone());
        stored
    }

    fn find_stored(&mut self, home: Home, name: &'a str) -> Outside {
        let order = self.order(home);
        let knows = |own: &Self, from: usize| order.iter().any(|one| own.files.knows(from, one.module));
        let mut far = 0;
        let mut others = Vec::new();
        for (index, place) in self.files.outside(name) {
            let near = knows(self, *index);
            far += usize::from(!near);
            let Some(store) = self.module(*index).and_then(|module| module.stores.get(*place)) else {
                return Outside::Unknown;
            };
            if !near && far > MAX_PLACES {
                continue;
            }
            match self.kinds_at(store.of, *index, store.scope) {
                None if near => return Outside::Unknown,
                Some(kinds) if self.related(&kinds, home) => {}
                _ => continue,
            }
            if store.value.is_none() || others.len() > MAX_KINDS {
                return Outside::Unknown;
            }
            match self.handed_on(store, *index, name) {
                None => others.push(Other::Value(*index, *place)),
                Some(kinds) => {
                    for kind in kinds.into_iter().filter(|kind| *kind != home) {
                        if !others.iter().any(|one| matches!(one, Other::Of(known) if *known == kind)) {
                            others.push(Other::Of(kind));
                        }
                    }
                }
            }
        }
        for one in order.iter() {
            let Some(module) = self.module(one.module) else { return Outside::Unknown };
            if module.executes {
                return Outside::Unknown;
            }
            for set in &module.sets {
                let at = At { module: one.module, scope: set.scope, frame: None };
                let named = set.name.is_none_or(|set| self.may_be_named(set, &at, name));
                if named && self.kinds_at(set.of, one.module, set.scope).is_none_or(|kinds| self.related(&kinds, home))
                {
                    return Outside::Unknown;
                }
            }
        }
        Outside::Known(others.into())
    }

    /// `other.name = one.name`: the classes that the one may be an object of; none where the other is one of just its class.
    fn handed_on(&mut self, store: &Store, index: usize, name: &str) -> Option<Vec<Home>> {
        let module = self.module(index)?;
        let Expr::Attribute(from, attribute) = module.expr(store.value?) else { return None };
        if **attribute != *name || !store.part.is_empty() {
            return None;
        }
        let at = At { module: index, scope: store.scope, frame: None };
        if self.is_of_its_class(store.of, *from, &at) {
            return Some(Vec::new());
        }
        let kinds = self.kinds_at(*from, index, store.scope)?;
        let mut all: Vec<Home> = Vec::new();
        for kind in kinds {
            all.extend(self.heirs(kind));
        }
        (!all.is_empty() && all.len() <= MAX_KINDS).then_some(all)
    }

    /// Whether a name stands for `type(from).__new__(…)` or `copy.copy(from)`.
    fn is_of_its_class(&self, of: ExprId, from: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let (Expr::Name(name), Expr::Name(from)) = (module.expr(of), module.expr(from)) else { return false };
        let Some((_, [Binding { bound: Bound::Value(value, _), .. }])) = self.bindings(name, at) else { return false };
        let Some((_, [_])) = self.bindings(from, at) else { return false };
        let is_from = |id: ExprId| matches!(module.expr(id), Expr::Name(name) if name == from);
        let Expr::Call(callee, arguments) = module.expr(*value) else { return false };
        let ([first, ..], Expr::Attribute(object, method)) = (&arguments[..], module.expr(*callee)) else {
            return false;
        };
        match (&**method, module.expr(first.value)) {
            ("copy" | "deepcopy", _) => self.is_module(*object, at, "copy") && is_from(first.value),
            ("__new__", Expr::Attribute(of, class)) => &**class == "__class__" && is_from(*of),
            ("__new__", Expr::Call(callee, arguments)) => {
                let is_type = matches!(module.expr(*callee), Expr::Name(name) if &**name == "type");
                is_type && arguments.len() == 1 && arguments.first().is_some_and(|one| is_from(one.value))
            }
            _ => false,
        }
    }

    /// Whether an object of a class may be one of these or of what inherits from them.
    fn related(&mut self, kinds: &[Home], home: Home) -> bool {
        let own = self.heirs(home);
        kinds.iter().any(|kind| self.heirs(*kind).iter().any(|heir| own.contains(heir)))
    }

    pub(super) fn kinds_at(&mut self, of: ExprId, module: usize, scope: ScopeId) -> Option<Vec<Home>> {
        if let Some(known) = self.kinds.get(&(module, of)) {
            return known.clone();
        }
        let kinds = if self.judged > MAX_STEPS {
            None
        } else {
            self.kinds_of(of, &At { module, scope, frame: None }, 0).filter(|kinds| kinds.len() <= MAX_KINDS)
        };
        self.kinds.insert((module, of), kinds.clone());
        kinds
    }

    /// The classes among the files that something may be, or be an object of; nothing where that is not known.
    // Recursion: to a fixed depth.
    fn kinds_of(&mut self, of: ExprId, at: &At, depth: usize) -> Option<Vec<Home>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let module = self.module(at.module)?;
        match module.expr(of) {
            Expr::Name(name) if &**name != "self" => {
                if let Some((scope, bindings)) = self.bindings(name, at) {
                    let values: Option<Vec<ExprId>> = bindings
                        .iter()
                        .map(|one| match one.bound {
                            Bound::Value(value, _) => Some(value),
                            _ => None,
                        })
                        .collect();
                    let around = At { scope, ..at.clone() };
                    if let [Binding { bound: Bound::Parameter(place), .. }] = bindings
                        && let Some(kinds) = self.kinds_said(scope, *place, at, depth)
                    {
                        return Some(kinds);
                    }
                    if let Some(values) = values.filter(|values| values.len() <= MAX_DEPTH) {
                        let all: Option<Vec<_>> =
                            values.into_iter().map(|value| self.kinds_of(value, &around, depth + 1)).collect();
                        return all.map(|all| all.concat());
                    }
                }
            }
            Expr::None => return Some(Vec::new()),
            Expr::Choice { yes, no, .. } => {
                let mut all = self.kinds_of(*yes, at, depth + 1)?;
                all.extend(self.kinds_of(*no, at, depth + 1)?);
                return Some(all);
            }
            Expr::Call(callee, arguments) => {
                let first = arguments.first().filter(|one| one.name.is_none()).map(|one| one.value);
                match (module.expr(*callee), first) {
                    // `object.__new__(C)`, `type(x).__new__(C)`
                    (Expr::Attribute(_, name), Some(first)) if &**name == "__new__" => {
                        return self.kinds_of(first, at, depth + 1);
                    }
                    (Expr::Name(name), Some(first)) if &**name == "type" && arguments.len() == 1 => {
                        return self.kinds_of(first, at, depth + 1);
                    }
                    (Expr::Attribute(of, name), Some(first))
                        if matches!(&**name, "copy" | "deepcopy") && self.is_module(*of, at, "copy") =>
                    {
                        return self.kinds_of(first, at, depth + 1);
                    }
                    (Expr::Attribute(of, name), None) if &**name == "parse_args" && self.parses(*of, at) => {
                        return Some(Vec::new());
                    }
                    _ => {}
                }
                if let Some(kinds) = self.functions(*callee, at, depth).and_then(|all| {
                    let kinds: Option<Vec<_>> = all.iter().map(|one| self.kinds_returned(*one, depth)).collect();
                    Some(kinds?.concat())
                }) {
                    return Some(kinds);
                }
            }
            Expr::Attribute(of, name) if &**name == "__class__" => return self.kinds_of(*of, at, depth + 1),
            _ => {}
        }
        match self.surely(of, at) {
            Ok(Value::Object(home, _) | Value::Class(home)) => {
                // One that makes something else when it is called.
                let order = self.order(home);
                let makes = order.iter().any(|one| {
                    let scope = self.module(one.module).and_then(|module| module.scope(one.scope));
                    scope.is_none_or(|scope| scope.names.contains_key("__new__"))
                });
                (!makes).then(|| vec![home])
            }
            // A decorator may make anything of it.
            Ok(Value::Function(home, _)) => {
                match self.module(home.module)?.scope(home.scope).map(|scope| &scope.kind) {
                    Some(Kind::Function(function)) => function.decorators.is_empty().then(Vec::new),
                    _ => None,
                }
            }
            Ok(Value::Unknown(_)) | Err(_) => None,
            Ok(_) => Some(Vec::new()),
        }
    }

    /// What a function may return.
    fn kinds_returned(&mut self, home: Home, depth: usize) -> Option<Vec<Home>> {
        let Kind::Function(function) = &self.module(home.module)?.scope(home.scope)?.kind else { return None };
        if function.yields || !function.decorators.is_empty() || function.returns.len() > MAX_DEPTH {
            return None;
        }
        let at = At { module: home.module, scope: home.scope, frame: None };
        let mut all = Vec::new();
        for value in function.returns.iter().filter_map(|one| one.value) {
            all.extend(self.kinds_of(value, &at, depth + 1)?);
        }
        Some(all)
    }

    /// The classes that a parameter may be an object of: what its annotation says, and what calls pass.
    fn kinds_said(&mut self, scope: ScopeId, place: usize, at: &At, depth: usize) -> Option<Vec<Home>> {
        let module = self.module(at.module)?;
        let of = module.scope(scope)?;
        let Kind::Function(function) = &of.kind else { return None };
        let said = (*function.kinds.get(place)?)?;
        let around = At { module: at.module, scope: of.parent.unwrap_or(MODULE), frame: None };
        let mut all = match self.surely(said, &around).ok()? {
            Value::Class(home) => vec![home],
            // Others may stand for anything: `object`, `Constexpr`.
            Value::Library(path) if path.ends_with(".Tensor") || path.ends_with(".Pointer") => Vec::new(),
            _ => return None,
        };
        let name = function.parameters.get(place)?.clone();
        for (value, at) in self.arguments_for(Home { module: at.module, scope }, place, &name) {
            all.extend(self.kinds_of(value, &at, depth + 1).unwrap_or_default());
        }
        Some(all)
    }

    /// Where a name is bound, and to what; nothing for one that may be bound from elsewhere.
    pub(super) fn bindings(&self, name: &str, at: &At) -> Option<(ScopeId, &'a [Binding])> {
        let module = self.module(at.module)?;
        if module.moved.contains(name) {
            return None;
        }
        let mut scope = Some(at.scope);
        while let Some(id) = scope {
            let of = module.scope(id)?;
            if let Some(all) = of.names.get(name)
                && (id == at.scope || !matches!(of.kind, Kind::Class { .. }))
            {
                return Some((id, all));
            }
            scope = of.parent;
        }
        None
    }

    /// Whether an expression names a module of Python's own.
    fn is_module(&self, of: ExprId, at: &At, path: &str) -> bool {
        let Some(Expr::Name(name)) = self.module(at.module).map(|module| module.expr(of)) else { return false };
        self.bindings(name, at).is_some_and(|(_, all)| {
            all.iter().all(|one| matches!(&one.bound, Bound::Module(module) if **module == *path))
        })
    }

    /// Whether an expression names the class of `argparse`.
    fn is_parser(&self, of: ExprId, at: &At) -> bool {
        let own = |name: &str| name == "ArgumentParser";
        match self.module(at.module).map(|module| module.expr(of)) {
            Some(Expr::Attribute(of, name)) => own(name) && self.is_module(*of, at, "argparse"),
            Some(Expr::Name(name)) => self.bindings(name, at).is_some_and(|(_, all)| {
                let imported =
                    |bound: &Bound| matches!(bound, Bound::From(of) if *of.from == *"argparse" && own(&of.name));
                all.iter().all(|one| imported(&one.bound))
            }),
            _ => false,
        }
    }

    /// Whether a name is surely an `argparse.ArgumentParser()`.
    pub(super) fn parses(&self, of: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let Expr::Name(name) = module.expr(of) else { return false };
        let made = |one: &Binding| match one.bound {
            Bound::Value(value, _) => match module.expr(value) {
                Expr::Call(callee, _) => self.is_parser(*callee, at),
                _ => false,
            },
            _ => false,
        };
        self.bindings(name, at).is_some_and(|(_, all)| all.iter().all(made))
    }

    /// Whether the name that is given to a `setattr` may be this one.
    pub(super) fn may_be_named(&mut self, set: ExprId, at: &At, name: &str) -> bool {
        if self.judged > MAX_STEPS {
            return true;
        }
        self.names_of(set, &[], at, 0).is_none_or(|names| names.iter().any(|one| one.is(name)))
    }

    /// The texts that a part of an expression may be; nothing where that is not known.
    // Recursion: to a fixed depth.
    fn names_of(&mut self, of: ExprId, part: &[usize], at: &At, depth: usize) -> Option<Names> {
        if depth > MAX_DEPTH {
            return None;
        }
        let module = self.module(at.module)?;
        match (module.expr(of), part) {
            (Expr::Text(text), []) => Some(vec![exactly(text)]),
            (Expr::Joined(pieces), []) => {
                let mut all = vec![exactly("")];
                for piece in pieces {
                    let any = || vec![Name { start: String::new(), end: Some(String::new()) }];
                    let next = self.names_of(*piece, &[], at, depth + 1).unwrap_or_else(any);
                    if all.len() * next.len() > MAX_KINDS {
                        return None;
                    }
                    all = all.iter().flat_map(|one| next.iter().map(|next| one.then(next))).collect();
                }
                Some(all)
            }
            (Expr::Tuple(items, false), [first, rest @ ..]) => {
                if items.iter().any(|item| matches!(module.expr(*item), Expr::Starred(_))) {
                    return None;
                }
                self.names_of(*items.get(*first)?, rest, at, depth + 1)
            }
            (Expr::Choice { yes, no, .. }, part) => {
                let mut all = self.names_of(*yes, part, at, depth + 1)?;
                all.extend(self.names_of(*no, part, at, depth + 1)?);
                Some(all)
            }
            (Expr::Item(list, _), part) => self.names_in(*list, part, at, depth + 1),
            (Expr::Name(name), part) => {
                let (scope, bindings) = self.bindings(name, at)?;
                let around = At { scope, ..at.clone() };
                let mut all = Vec::new();
                for one in bindings {
                    all.extend(match &one.bound {
                        Bound::Value(value, _) => self.names_of(*value, part, &around, depth + 1)?,
                        Bound::Part(value, path) => {
                            let path: Vec<usize> = path.iter().chain(part).copied().collect();
                            self.names_of(*value, &path, &around, depth + 1)?
                        }
                        Bound::Each(list, path) => {
                            let path: Vec<usize> = path.iter().chain(part).copied().collect();
                            self.names_in(*list, &path, &around, depth + 1)?
                        }
                        Bound::From(..) if part.is_empty() => self.text_of(of, at)?,
                        _ => return None,
                    });
                }
                (all.len() <= 4 * MAX_KINDS).then_some(all)
            }
            (Expr::Call(callee, _), []) => match self.functions(*callee, at, depth) {
                Some(functions) => {
                    let mut all = Vec::new();
                    for one in functions {
                        all.extend(self.names_returned(one, depth)?);
                    }
                    (all.len() <= MAX_KINDS).then_some(all)
                }
                None => self.text_of(of, at),
            },
            (_, []) => self.text_of(of, at),
            _ => None,
        }
    }

    /// The texts that a function may return.
    fn names_returned(&mut self, home: Home, depth: usize) -> Option<Names> {
        let Kind::Function(function) = &self.module(home.module)?.scope(home.scope)?.kind else { return None };
        if function.yields || !function.decorators.is_empty() || function.returns.is_empty() {
            return None;
        }
        let at = At { module: home.module, scope: home.scope, frame: None };
        let mut all = Vec::new();
        for one in &function.returns {
            all.extend(self.names_of(one.value?, &[], &at, depth + 1)?);
        }
        (all.len() <= MAX_KINDS).then_some(all)
    }

    /// The functions among the files that a call may be of: those of all classes that an object may have.
    fn functions(&mut self, callee: ExprId, at: &At, depth: usize) -> Option<Vec<Home>> {
        let module = self.module(at.module)?;
        let Expr::Attribute(of, name) = module.expr(callee) else {
            return match self.surely(callee, at) {
                Ok(Value::Function(home, _)) => Some(vec![home]),
                _ => None,
            };
        };
        let mut kinds = Vec::new();
        for kind in self.kinds_of(*of, at, depth + 1)? {
            kinds.extend(self.heirs(kind));
        }
        if kinds.is_empty() || kinds.len() > MAX_KINDS || !self.files.outside(name).is_empty() {
            return None;
        }
        let mut all = Vec::new();
        for kind in kinds {
            let order = self.order(kind);
            let mut found = order.iter().filter_map(|one| {
                let module = self.module(one.module)?;
                if self.files.stores(module, *one, name).next().is_some() {
                    return Some(None);
                }
                let bindings = module.scope(one.scope)?.names.get(name)?;
                Some(match bindings {
                    [Binding { bound: Bound::Function(scope), .. }] => Some(Home { module: one.module, scope: *scope }),
                    _ => None,
                })
            });
            let function = found.next()??;
            if !all.contains(&function) {
                all.push(function);
            }
        }
        Some(all)
    }

    fn text_of(&mut self, of: ExprId, at: &At) -> Option<Names> {
        match self.surely(of, at) {
            Ok(Value::Text(text)) => Some(vec![exactly(&text)]),
            _ => None,
        }
    }

    /// The texts that a part of an item of a list, a tuple or a dictionary may be.
    // Recursion: to a fixed depth.
    fn names_in(&mut self, of: ExprId, part: &[usize], at: &At, depth: usize) -> Option<Names> {
        if depth > MAX_DEPTH {
            return None;
        }
        let module = self.module(at.module)?;
        let mut all = Vec::new();
        match module.expr(of) {
            Expr::Tuple(items, _) => {
                for item in items {
                    all.extend(match module.expr(*item) {
                        Expr::Starred(inner) => self.names_in(*inner, part, at, depth + 1)?,
                        _ => self.names_of(*item, part, at, depth + 1)?,
                    });
                }
            }
            Expr::Binary(Op::Add, left, right) => {
                all = self.names_in(*left, part, at, depth + 1)?;
                all.extend(self.names_in(*right, part, at, depth + 1)?);
            }
            Expr::Choice { yes, no, .. } => {
                all = self.names_in(*yes, part, at, depth + 1)?;
                all.extend(self.names_in(*no, part, at, depth + 1)?);
            }
            // What a loop through a dictionary gives are its keys.
            Expr::Dict(pairs) => {
                for (key, _) in pairs {
                    all.extend(self.names_of(*key, part, at, depth + 1)?);
                }
            }
            Expr::Call(callee, arguments) if !arguments.is_empty() => {
                let Expr::Name(function) = module.expr(*callee) else { return None };
                let (place, part) = match (&**function, part) {
                    ("zip", [place, part @ ..]) => (*place, part),
                    ("enumerate", [1, part @ ..]) | ("list" | "tuple" | "reversed" | "sorted" | "set", part) => {
                        (0, part)
                    }
                    _ => return None,
                };
                if self.bindings(function, at).is_some() || arguments.iter().any(|one| one.name.is_some()) {
                    return None;
                }
                all = self.names_in(arguments.get(place)?.value, part, at, depth + 1)?;
            }
            Expr::Call(callee, _) => {
                let Expr::Attribute(dict, method) = module.expr(*callee) else { return None };
                let Expr::Name(name) = module.expr(*dict) else { return None };
                let (scope, [Binding { bound: Bound::Value(value, _), .. }]) = self.bindings(name, at)? else {
                    return None;
                };
                let Expr::Dict(pairs) = module.expr(*value) else { return None };
                if !self.is_kept(name, at.module, scope, true) {
                    return None;
                }
                let around = At { scope, ..at.clone() };
                for (key, value) in pairs {
                    let (one, part) = match (&**method, part) {
                        ("keys", part) | ("items", [0, part @ ..]) => (key, part),
                        ("values", part) | ("items", [1, part @ ..]) => (value, part),
                        _ => return None,
                    };
                    all.extend(self.names_of(*one, part, &around, depth + 1)?);
                }
            }
            Expr::Name(name) => {
                let (scope, bindings) = self.bindings(name, at)?;
                if !self.is_kept(name, at.module, scope, true) {
                    return None;
                }
                let around = At { scope, ..at.clone() };
                for one in bindings {
                    match &one.bound {
                        // `name += items`
                        _ if module.grown.iter().any(|grown| grown.at == one.span.start) => {}
                        Bound::Value(value, _) => all.extend(self.names_in(*value, part, &around, depth + 1)?),
                        _ => return None,
                    }
                }
                for grown in module.grown.iter().filter(|grown| grown.name == *name) {
                    let inside = At { scope: grown.scope, ..at.clone() };
                    all.extend(if grown.many {
                        self.names_in(grown.value, part, &inside, depth + 1)?
                    } else {
                        self.names_of(grown.value, part, &inside, depth + 1)?
                    });
                }
            }
            _ => return None,
        }
        (all.len() <= 4 * MAX_KINDS).then_some(all)
    }
}
