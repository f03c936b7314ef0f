//! Fields of data classes and of named tuples: an object has what the call gave it that made it, whatever other objects there are.

use std::rc::Rc;

use super::classes::HARMLESS;
use super::evaluate::{At, Evaluator};
use super::sites::Called;
use super::stored::Outside;
use super::tree::{Binding, Bound, Expr, ExprId, Kind, MODULE};
use super::value::{Home, Made, Origin, Value};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Methods by which a class decides itself what its fields hold.
const OWN: [&str; 7] =
    ["__init__", "__post_init__", "__new__", "__getattr__", "__getattribute__", "__setattr__", "__replace__"];

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
            plain &= bases.is_some() && OWN.iter().all(|name| !scope.names.contains_key(*name));
            fields |= *decorated;
        }
        plain &= fields && self.all_bases(&order);
        self.plain.insert(home, plain);
        plain
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
        if self.may_be_stored(name, made.at.module) {
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
        if place == usize::MAX || !matches!(self.outside(home, name), Outside::Known(others) if others.is_empty()) {
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
                let [Binding { bound, .. }] = all.as_slice() else { return None };
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
