//! What stores in an attribute from outside of its class: `other.name = value`, `setattr(of, name, value)`. It counts for a class unless
//! what it stores in is surely something else, or the name is surely another one.

use super::evaluate::{At, Evaluator};
use super::tree::{Binding, Bound, Expr, ExprId, Kind, MODULE, Op, ScopeId};
use super::value::{Home, Value};
use crate::source::is_identifier;

use memchr::memmem;
use std::rc::Rc;

/// How deep a question of what something is may lead.
const MAX_DEPTH: usize = 16;

/// Classes that something may have; names that something may be.
const MAX_KINDS: usize = 64;

/// Places that store in attributes of one name, in files that do not import the class.
const MAX_PLACES: usize = 256;

/// Steps of all such questions.
const MAX_STEPS: usize = 5_000_000;

/// Names that an expression may be.
type Names = Vec<Rc<str>>;

impl<'a> Evaluator<'a> {
    /// Whether anything stores in an attribute of the objects of a class, or in a class that they have it from, but methods in theirs.
    pub(super) fn is_stored_outside(&mut self, home: Home, name: &'a str) -> bool {
        if let Some(known) = self.outside.get(&(home, name)) {
            return *known;
        }
        // What this asks is asked without a choice, and once: it is no part of what is tried.
        let (before, world) = (self.work, self.world.take());
        let stored = self.find_stored(home, name);
        self.judged = self.judged.saturating_add(self.work - before);
        (self.work, self.world) = (before, world);
        self.outside.insert((home, name), stored);
        stored
    }

    fn find_stored(&mut self, home: Home, name: &'a str) -> bool {
        let order = self.order(home);
        let knows = |own: &Self, from: usize| order.iter().any(|one| own.files.knows(from, one.module));
        let mut far = 0;
        for (index, place) in self.files.outside(name) {
            let near = knows(self, *index);
            far += usize::from(!near);
            let Some(store) = self.module(*index).and_then(|module| module.stores.get(*place)) else { return true };
            if !near && far > MAX_PLACES {
                continue;
            }
            let kinds = self.kinds_at(store.of, *index, store.scope);
            if kinds.map_or(near, |kinds| self.related(&kinds, home)) {
                return true;
            }
        }
        for one in order.iter() {
            let Some(module) = self.module(one.module) else { return true };
            if module.executes {
                return true;
            }
            for set in &module.sets {
                let at = At { module: one.module, scope: set.scope, frame: None };
                let named = set.name.is_none_or(|set| self.may_be_named(set, &at, name));
                if named && self.kinds_at(set.of, one.module, set.scope).is_none_or(|kinds| self.related(&kinds, home))
                {
                    return true;
                }
            }
        }
        false
    }

    /// Whether an object of a class may be one of these or of what inherits from them.
    fn related(&mut self, kinds: &[Home], home: Home) -> bool {
        let own = self.heirs(home);
        kinds.iter().any(|kind| self.heirs(*kind).iter().any(|heir| own.contains(heir)))
    }

    fn kinds_at(&mut self, of: ExprId, module: usize, scope: ScopeId) -> Option<Vec<Home>> {
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
                    if let Some(values) = values.filter(|values| values.len() <= MAX_DEPTH) {
                        let around = At { scope, ..at.clone() };
                        let all: Option<Vec<_>> =
                            values.into_iter().map(|value| self.kinds_of(value, &around, depth + 1)).collect();
                        return all.map(|all| all.concat());
                    }
                }
            }
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
            }
            Expr::Attribute(of, name) if &**name == "__class__" => return self.kinds_of(*of, at, depth + 1),
            _ => {}
        }
        match self.surely(of, at) {
            Ok(Value::Object(home) | Value::Class(home)) => {
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

    /// Where a name is bound, and to what; nothing for one that may be bound from elsewhere.
    fn bindings(&self, name: &str, at: &At) -> Option<(ScopeId, &'a [Binding])> {
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

    /// Whether a name is surely an `argparse.ArgumentParser()`.
    fn parses(&self, of: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let Expr::Name(name) = module.expr(of) else { return false };
        let made = |one: &Binding| match one.bound {
            Bound::Value(value, _) => match module.expr(value) {
                Expr::Call(callee, _) => matches!(module.expr(*callee), Expr::Attribute(of, name)
                    if &**name == "ArgumentParser" && self.is_module(*of, at, "argparse")),
                _ => false,
            },
            _ => false,
        };
        self.bindings(name, at).is_some_and(|(_, all)| all.iter().all(made))
    }

    /// Whether the name that is given to a `setattr` may be this one.
    fn may_be_named(&mut self, set: ExprId, at: &At, name: &str) -> bool {
        if self.judged > MAX_STEPS {
            return true;
        }
        if let Some(names) = self.names_of(set, &[], at, 0) {
            return names.iter().any(|one| **one == *name);
        }
        // f"{one}_staged"
        let Some(module) = self.module(at.module) else { return true };
        let Expr::Joined(pieces) = module.expr(set) else { return true };
        let text = |piece: Option<&ExprId>| match piece.map(|piece| module.expr(*piece)) {
            Some(Expr::Text(text)) => text.to_string(),
            _ => String::new(),
        };
        name.starts_with(&text(pieces.first())) && name.ends_with(&text(pieces.last()))
    }

    /// The texts that a part of an expression may be; nothing where that is not known.
    // Recursion: to a fixed depth.
    fn names_of(&mut self, of: ExprId, part: &[usize], at: &At, depth: usize) -> Option<Names> {
        if depth > MAX_DEPTH {
            return None;
        }
        let module = self.module(at.module)?;
        match (module.expr(of), part) {
            (Expr::Text(text), []) => Some(vec![text.as_ref().into()]),
            (Expr::Joined(pieces), []) => {
                let mut all: Names = vec!["".into()];
                for piece in pieces {
                    let next = self.names_of(*piece, &[], at, depth + 1)?;
                    if all.len() * next.len() > MAX_KINDS {
                        return None;
                    }
                    let join = |one: &Rc<str>| next.iter().map(|next| format!("{one}{next}").into()).collect::<Names>();
                    all = all.iter().flat_map(join).collect();
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
            (_, []) => self.text_of(of, at),
            _ => None,
        }
    }

    fn text_of(&mut self, of: ExprId, at: &At) -> Option<Names> {
        match self.surely(of, at) {
            Ok(Value::Text(text)) => Some(vec![text]),
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
            Expr::Call(callee, arguments) if arguments.is_empty() => {
                let Expr::Attribute(dict, method) = module.expr(*callee) else { return None };
                let Expr::Name(name) = module.expr(*dict) else { return None };
                let (scope, [Binding { bound: Bound::Value(value, _), .. }]) = self.bindings(name, at)? else {
                    return None;
                };
                let Expr::Dict(pairs) = module.expr(*value) else { return None };
                if !self.is_kept(name, at.module, scope) {
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
                if !self.is_kept(name, at.module, scope) {
                    return None;
                }
                let around = At { scope, ..at.clone() };
                for one in bindings {
                    match &one.bound {
                        Bound::Value(value, _) => all.extend(self.names_in(*value, part, &around, depth + 1)?),
                        // `name += items`
                        Bound::Moving if module.grown.iter().any(|grown| grown.at == one.span.start) => {}
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

    /// Whether a list or a dictionary that has a name has no other: all that is done with it is to bind it, to let it grow, to take an
    /// item and to go through it.
    fn is_kept(&self, name: &str, module: usize, scope: ScopeId) -> bool {
        let Some(of) = self.module(module) else { return false };
        let Some(span) = of.scope(scope).map(|scope| scope.span) else { return false };
        // Another file has it too.
        let imported = |other: &super::tree::Module| {
            let mut bound = other.scopes.iter().filter_map(|scope| scope.names.get(name)).flatten();
            bound.any(|one| matches!(one.bound, Bound::From(..)))
        };
        if scope == MODULE && self.files.modules.iter().any(imported) {
            return false;
        }
        let text = self.files.sources.get(of.file).map_or("", |source| source.text.as_str());
        let end = (span.end as usize).min(text.len());
        let Some(text) = text.get(span.start as usize..end) else { return false };
        let bytes = text.as_bytes();
        memmem::find_iter(bytes, name).all(|start| {
            let end = start + name.len();
            let word = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|byte| is_identifier(*byte));
            if word(start.checked_sub(1)) || word(Some(end)) {
                return true;
            }
            let (before, after) =
                (text.get(..start).unwrap_or(""), text.get(end..).unwrap_or("").trim_start_matches(' '));
            let first = before.rsplit('\n').next().unwrap_or("").trim();
            let binds =
                first.is_empty() && (after.starts_with('=') && !after.starts_with("==") || after.starts_with("+="));
            let method =
                [".append(", ".extend(", ".items()", ".keys()", ".values()"].iter().any(|word| after.starts_with(word));
            let looped = first.ends_with(" in") && after.starts_with(':');
            let item = after.strip_prefix('[').and_then(|rest| {
                let rest = rest.get(rest.find(']')? + 1..)?.trim_start_matches(' ');
                Some(rest.starts_with(['\n', ')', ',', ':']))
            });
            binds || method || looped || item == Some(true)
        })
    }
}
