//! Fields of data classes and of named tuples: an object has what the call gave it that made it, whatever other objects there are.

use std::rc::Rc;

use super::classes::HARMLESS;
use super::evaluate::{At, Evaluator};
use super::sites::Called;
use super::stored::Outside;
use super::tree::{Apart, Argument, Binding, Bound, Expr, ExprId, Kind, MODULE, Module};
use super::value::{Home, Made, Origin, Value};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Methods by which a class decides itself what its fields hold.
const OWN: [&str; 7] =
    ["__init__", "__post_init__", "__new__", "__getattr__", "__getattribute__", "__setattr__", "__replace__"];

/// How the constructor of a data class gets a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    ByPlace,
    ByName,
    /// `field(init=False)`.
    Never,
}

/// Whether a name in a data class is said to be a field.
const fn said(bound: &Bound) -> bool {
    matches!(bound, Bound::Value(_, true) | Bound::Declared)
}

/// What `dataclass(…)` or `field(…)` is given by a name, or else this; nothing where that is not written out.
fn option(module: &Module, call: ExprId, name: &str, otherwise: bool) -> Option<bool> {
    let Expr::Call(callee, arguments) = module.expr(call) else { return Some(otherwise) };
    if !matches!(module.expr(*callee), Expr::Name(of) | Expr::Attribute(_, of) if matches!(&**of, "dataclass" | "field"))
    {
        return Some(otherwise);
    }
    if arguments.iter().any(|argument| argument.name.as_deref() == Some("**")) {
        return None;
    }
    match arguments.iter().find(|argument| argument.name.as_deref() == Some(name)) {
        None => Some(otherwise),
        Some(argument) => match module.expr(argument.value) {
            Expr::Bool(value) => Some(*value),
            _ => None,
        },
    }
}

impl<'a> Evaluator<'a> {
    /// Whether objects of a class hold in their fields what they are made with, and nothing else.
    pub(super) fn is_plain(&mut self, home: Home) -> bool {
        if let Some(known) = self.plain.get(&home) {
            return *known;
        }
        // Whoever asks again meanwhile goes round in a circle.
        self.plain.insert(home, false);
        let order = self.order(home);
        let mut plain = !self.is_counted_otherwise(home);
        let mut fields = false;
        for one in order.iter() {
            let Some(scope) = self.module(one.module).and_then(|module| module.scope(one.scope)) else { return false };
            let Kind::Class { decorated, bases, .. } = &scope.kind else { return false };
            // Another base may do anything.
            plain &= bases.is_some() && OWN.iter().all(|name| !scope.names.contains_key(name));
            fields |= *decorated;
        }
        plain &= fields && self.all_bases(&order);
        self.plain.insert(home, plain);
        plain
    }

    /// Whether a class makes objects of another one: `__new__` returns a call, or makes one of something else than it is given.
    pub(super) fn is_made_otherwise(&mut self, home: Home) -> bool {
        if let Some(known) = self.made_otherwise.get(&home) {
            return *known;
        }
        let otherwise = self.order(home).iter().any(|class| self.has_own_new(*class));
        self.made_otherwise.insert(home, otherwise);
        otherwise
    }

    fn has_own_new(&self, class: Home) -> bool {
        let Some(module) = self.module(class.module) else { return false };
        let all = module.scope(class.scope).and_then(|scope| scope.names.get("__new__"));
        all.into_iter().flatten().any(|one| {
            let Bound::Function(own) = one.bound else { return true };
            let Some(Kind::Function(function)) = module.scope(own).map(|scope| &scope.kind) else { return true };
            let first = function.parameters.first();
            // `super().__new__(cls)`
            let plain = |call: ExprId| match module.expr(call) {
                Expr::Call(callee, arguments) => {
                    matches!(module.expr(*callee), Expr::Attribute(_, name) if &**name == "__new__")
                        && arguments
                            .first()
                            .is_some_and(|of| matches!(module.expr(of.value), Expr::Name(name) if Some(name) == first))
                }
                _ => true,
            };
            let makes = |call: ExprId| match module.expr(call) {
                Expr::Call(callee, _) => {
                    matches!(module.expr(*callee), Expr::Attribute(_, name) if &**name == "__new__")
                }
                _ => false,
            };
            function.returns.iter().filter_map(|one| one.value).any(|value| !plain(value))
                || module.calls.iter().any(|(call, scope)| *scope == own && makes(*call) && !plain(*call))
        })
    }

    /// Whether a class says that its objects have a field of a name.
    pub(super) fn is_field(&self, class: Home, name: &str) -> bool {
        let Some(scope) = self.module(class.module).and_then(|module| module.scope(class.scope)) else { return false };
        matches!(scope.kind, Kind::Class { decorated: true, .. })
            && scope.names.get(name).and_then(|all| all.first()).is_some_and(|one| said(&one.bound))
    }

    /// Whether a name in a data class is a parameter of its constructor, and no field.
    pub(super) fn is_apart(&self, class: Home, name: &str) -> bool {
        let scope = self.module(class.module).and_then(|module| module.scope(class.scope));
        let Some(Kind::Class { apart, .. }) = scope.map(|scope| &scope.kind) else { return false };
        apart.iter().any(|(one, _)| **one == *name)
    }

    /// The place of a field among the parameters of a data class, behind `self`, as calls count.
    pub(super) fn place(&mut self, home: Home, name: &str) -> usize {
        let all = self.given(home).unwrap_or_default();
        let of = |given: Given| all.iter().filter(move |(_, one)| *one == given).map(|(name, _)| *name);
        let fields = of(Given::ByPlace).chain(of(Given::ByName));
        fields.enumerate().find(|(_, field)| *field == name).map_or(usize::MAX, |(place, _)| place + 1)
    }

    /// Whether it is not known how the fields of a data class are given.
    pub(super) fn is_counted_otherwise(&mut self, home: Home) -> bool {
        self.given(home).is_none()
    }

    /// The fields of a data class, and how its constructor gets them; nothing where that is not known.
    fn given(&mut self, home: Home) -> Option<Vec<(&'a str, Given)>> {
        let order = self.order(home);
        let mut fields: Vec<(&'a str, Given)> = Vec::new();
        for one in order.iter().rev() {
            let module = self.module(one.module)?;
            let scope = module.scope(one.scope)?;
            let Kind::Class { decorated: true, decorators, apart, .. } = &scope.kind else { continue };
            let mut by_name = false;
            for mark in decorators {
                by_name |= option(module, *mark, "kw_only", false)?;
                if !option(module, *mark, "init", true)? {
                    return None;
                }
            }
            let mut own: Vec<(u32, &'a str, &'a Bound)> = Vec::new();
            for (name, all) in &scope.names {
                own.extend(all.first().filter(|one| said(&one.bound)).map(|one| (one.span.start, &**name, &one.bound)));
            }
            own.sort_unstable_by_key(|(start, ..)| *start);
            for (_, name, bound) in own {
                if apart.iter().any(|(one, of)| **one == *name && *of == Apart::Rest) {
                    by_name = true;
                    continue;
                }
                let (mut given, mut named) = (true, by_name);
                if let Bound::Value(value, _) = bound {
                    given = option(module, *value, "init", true)?;
                    named = option(module, *value, "kw_only", by_name)?;
                }
                let given = match (given, named) {
                    (false, _) => Given::Never,
                    (true, true) => Given::ByName,
                    (true, false) => Given::ByPlace,
                };
                match fields.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, known)) => *known = given,
                    None => fields.push((name, given)),
                }
            }
        }
        Some(fields)
    }

    /// What an object of a named tuple has by place; anything else as it is.
    pub(super) fn by_place(&mut self, of: Value, site: Site, depth: usize) -> Value {
        let Value::Object(home, _) = of else { return of };
        let Some(fields) = self.is_named_tuple(home).then(|| self.given(home)).flatten() else { return of };
        let mut items = Vec::with_capacity(fields.len());
        for (name, given) in fields {
            if given != Given::ByPlace {
                return of;
            }
            items.push(self.attribute(&of, name, site, depth + 1).unwrap_or_else(Value::Unknown));
        }
        Value::tuple(items, site).unwrap_or(of)
    }

    /// Whether a class is a `NamedTuple` or a `namedtuple(…)` that does nothing else with its items.
    fn is_named_tuple(&mut self, home: Home) -> bool {
        if !self.is_plain(home) {
            return false;
        }
        let order = self.order(home);
        let mut named = false;
        for one in order.iter() {
            let Some(module) = self.module(one.module) else { return false };
            let Some(scope) = module.scope(one.scope) else { return false };
            let Kind::Class { bases: Some(bases), decorated, decorators, .. } = &scope.kind else { return false };
            if ["__getitem__", "__iter__", "__len__"].iter().any(|name| scope.names.contains_key(name)) {
                return false;
            }
            let around = At { module: one.module, scope: scope.parent.unwrap_or(MODULE), frame: None };
            named |= *decorated && decorators.is_empty() && bases.is_empty();
            named |= bases.iter().any(
                |base| matches!(self.surely(*base, &around), Ok(Value::Library(path)) if &*path == "typing.NamedTuple"),
            );
        }
        named
    }

    /// Whether all bases of some classes are classes of the files, or ones that add nothing.
    fn all_bases(&mut self, order: &[Home]) -> bool {
        order.iter().all(|one| {
            let Some(module) = self.module(one.module) else { return false };
            let Some(scope) = module.scope(one.scope) else { return false };
            let Kind::Class { bases: Some(bases), .. } = &scope.kind else { return false };
            let around = At { module: one.module, scope: scope.parent.unwrap_or(MODULE), frame: None };
            bases.iter().all(|base| match self.surely(*base, &around) {
                Ok(Value::Class(_)) => true,
                Ok(Value::Library(path)) => HARMLESS.contains(&&*path) || &*path == "typing.NamedTuple",
                _ => false,
            })
        })
    }

    /// An object that a call makes.
    pub(super) fn object(&mut self, home: Home, call: ExprId, at: &At, site: Site) -> Value {
        let holds = self.trying() && self.is_plain(home);
        Value::Object(home, Some(self.holder(call, at, site, holds)))
    }

    /// `field(default_factory=…)`: what the function returns that makes the default.
    pub(super) fn factory(
        &mut self,
        path: &str,
        arguments: &'a [Argument],
        at: &At,
        site: Site,
        depth: usize,
    ) -> Option<Resolved<Value>> {
        if path != "dataclasses.field" {
            return None;
        }
        let named = |argument: &&Argument| argument.name.as_deref() == Some("default_factory");
        let made = arguments.iter().find(named)?;
        let wrong = Unresolved { reason: Reason::Call, site };
        Some(match self.expr(made.value, at, depth + 1) {
            Ok(Value::Function(home, None)) => {
                self.function(home, None, Vec::new(), &[], (site, at.key(), true, self.cuts), depth + 1)
            }
            Ok(Value::Library(path)) if &*path == "list" => Value::sequence(Vec::new(), site, true),
            Ok(Value::Library(path)) if &*path == "tuple" => Value::tuple(Vec::new(), site),
            Ok(_) => Err(wrong),
            Err(why) => Err(why),
        })
    }

    /// `SimpleNamespace(a=4)`
    pub(super) fn namespace(&mut self, call: ExprId, at: &At, site: Site) -> Value {
        Value::Namespace(self.holder(call, at, site, true))
    }

    /// `partial(f, a, b=4)`
    pub(super) fn partial(&mut self, call: ExprId, at: &At, site: Site) -> Value {
        Value::Partial(self.holder(call, at, site, true))
    }

    /// A call that makes an object; whether that holds what the call passes.
    fn holder(&mut self, call: ExprId, at: &At, site: Site, holds: bool) -> Origin {
        let mut at = at.clone();
        let key = at.key();
        if holds {
            // What it holds hangs on what leads here.
            let mut frame = at.frame.as_deref();
            while let Some(one) = frame {
                self.follow(one.hangs);
                frame = one.outer.as_deref();
            }
        } else {
            at.frame = None;
        }
        Rc::new(Made { site, key, call, at })
    }

    /// An attribute of a namespace, unless something may be stored in it.
    pub(super) fn named_in(&mut self, made: &Made, name: &'a str, site: Site, depth: usize) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let stored = self.may_be_stored(name, made.at.module);
        if let Some(value) = self.given_or_default(made, (name, stored), site, depth) {
            return value;
        }
        if stored {
            return Err(wrong(Reason::Ambiguous));
        }
        let Some(Expr::Call(_, arguments)) = self.module(made.at.module).map(|module| module.expr(made.call)) else {
            return Err(wrong(Reason::UnknownMember));
        };
        if arguments.iter().any(|argument| matches!(argument.name.as_deref(), None | Some("*" | "**"))) {
            return Err(wrong(Reason::Call));
        }
        match arguments.iter().find(|argument| argument.name.as_deref() == Some(name)) {
            Some(argument) => self.expr(argument.value, &made.at, depth + 1),
            None => Err(wrong(Reason::UnknownMember)),
        }
    }

    /// Whether an attribute of a name may be stored in an object of no class of the files that a file makes: in that file, in one that
    /// imports it, or in one that it imports.
    fn may_be_stored(&mut self, name: &'a str, own: usize) -> bool {
        if let Some(known) = self.in_namespaces.get(&(name, own)) {
            return *known;
        }
        let near = |other: usize| self.files.knows(other, own) || self.files.knows(own, other);
        let stores: Vec<(usize, usize)> =
            self.files.outside(name).iter().filter(|(module, _)| near(*module)).copied().collect();
        let all: Vec<usize> = (0..self.files.modules.len()).filter(|index| near(*index)).collect();
        let mut found = stores.into_iter().any(|(module, place)| {
            let store = self.module(module).and_then(|module| module.stores.get(place));
            store.is_none_or(|store| self.kinds_at(store.of, module, store.scope).is_none_or(|kinds| kinds.is_empty()))
        });
        for index in all {
            let Some(module) = self.module(index) else { continue };
            found = found
                || module.executes
                || module.sets.iter().any(|set| {
                    let at = At { module: index, scope: set.scope, frame: None };
                    set.name.is_none_or(|set| self.may_be_named(set, &at, name))
                        && self.kinds_at(set.of, index, set.scope).is_none_or(|kinds| kinds.is_empty())
                });
        }
        self.in_namespaces.insert((name, own), found);
        found
    }

    /// What a field of an object is that a call made; nothing where the class does more than hold it.
    pub(super) fn field(
        &mut self,
        home: Home,
        made: &Made,
        name: &'a str,
        site: Site,
        depth: usize,
    ) -> Option<Resolved<Value>> {
        if !self.is_plain(home) {
            return None;
        }
        let place = self.place(home, name);
        if place == usize::MAX
            || self.order(home).iter().any(|one| self.is_apart(*one, name))
            || !matches!(self.outside(home, name), Outside::Known(others) if others.is_empty())
        {
            return None;
        }
        let mut default = None;
        for one in self.order(home).iter() {
            let module = self.module(one.module)?;
            if self.files.stores(module, *one, name).next().is_some() {
                return None;
            }
            if default.is_none()
                && let Some(all) = module.scope(one.scope).and_then(|scope| scope.names.get(name))
            {
                let [Binding { bound, .. }] = all else { return None };
                let at = At { module: one.module, scope: one.scope, frame: None };
                default = Some(match bound {
                    Bound::Value(value, true) => Some((*value, at)),
                    Bound::Declared => None,
                    _ => return None,
                });
            }
        }
        let Expr::Call(callee, arguments) = self.module(made.at.module)?.expr(made.call) else { return None };
        let replaces = match self.expr(*callee, &made.at, depth + 1) {
            Ok(Value::Class(_)) => false,
            Ok(Value::Library(_)) => true,
            _ => return None,
        };
        let called = Called::made_at(&made.at, made.call, home, replaces);
        if let Some(value) = self.unpacked(arguments, place, name, &called, &made.at, site, depth) {
            return Some(value);
        }
        let value = match called.picked(arguments, place, name) {
            Some(value) => self.expr(value, &made.at, depth + 1),
            None if replaces => {
                let first = arguments.first().filter(|first| first.name.is_none())?;
                match self.expr(first.value, &made.at, depth + 1) {
                    Ok(of) => self.attribute(&of, name, site, depth + 1),
                    Err(why) => Err(why),
                }
            }
            None => match default.flatten() {
                Some((value, at)) => self.expr(value, &at, depth + 1),
                None => Err(Unresolved { reason: Reason::Dependent, site }),
            },
        };
        if let Ok(value) = &value {
            self.say(name, value);
        }
        Some(value)
    }
}
