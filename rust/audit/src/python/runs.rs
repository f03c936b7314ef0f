//! Which methods run for an object of a class: of several of one name the one of the nearest class, and those of its bases that it or
//! another method calls by `super()`. What they store, they store in that order.

use std::rc::Rc;

use super::evaluate::{At, Evaluator, Frame};
use super::tree::{Bound, Expr, ScopeId, Store};
use super::value::{Home, Value};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// What one method stores in an attribute.
pub type Stored<'a> = (Home, Vec<&'a Store>);

/// Calls of a method of a base, as functions and places.
pub type Up = Rc<[(ScopeId, u32)]>;

/// A method of several of one name that run for an object.
#[derive(Debug, Clone, Copy)]
struct Link {
    method: Home,
    /// Where it calls the next one.
    up: u32,
    /// How many before it do not call the next one themselves: when it runs is not known then.
    apart: usize,
}

/// What methods that call each other store in an attribute, the first that runs first, and where each calls the next.
pub type Group<'a> = Vec<(Stored<'a>, u32)>;

impl<'a> Evaluator<'a> {
    /// Where methods of a class call one of a base by its name and not for `self`: the function and the place.
    fn calls_up(&mut self, class: Home, name: &'a str) -> Up {
        if let Some(known) = self.up.get(&(class, name)) {
            return known.clone();
        }
        let mut all = Vec::new();
        if let Some(module) = self.module(class.module) {
            let span = module.scope(class.scope).map_or_else(Default::default, |scope| scope.span);
            let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
            for (call, scope) in &module.calls {
                let place = module.span(*call);
                if let Expr::Call(callee, _) = module.expr(*call)
                    && let Expr::Attribute(of, called) = module.expr(*callee)
                    && **called == *name
                    && span.contains(place)
                    && !matches!(module.expr(*of), Expr::Name(of) if &**of == "self")
                {
                    all.push((*scope, place.start));
                }
            }
            // A call that was not kept, and one by another way.
            let words = text.get(span.range()).unwrap_or_default();
            let call = format!("super().{name}(");
            let code = |line: &str| line.split('#').next().is_some_and(|code| code.contains(&call));
            if all.is_empty() && (words.lines().any(code) || words.contains(&format!("\"{name}\""))) {
                all.push((class.scope, 0));
            }
        }
        let all: Up = all.into();
        self.up.insert((class, name), all.clone());
        all
    }

    /// The methods of a name that run for an object of a class, that of the nearest class first.
    fn chain(&mut self, home: Home, name: &'a str) -> Vec<Link> {
        let (mut all, mut apart) = (Vec::new(), 0);
        for class in self.order(home).iter() {
            let Some(bindings) =
                self.module(class.module).and_then(|module| module.scope(class.scope)?.names.get(name))
            else {
                continue;
            };
            let up = self.calls_up(*class, name);
            let (mut calls, mut plain) = (false, true);
            for one in bindings {
                let Bound::Function(scope) = one.bound else {
                    plain = false;
                    continue;
                };
                let own = up.iter().filter(|(within, _)| *within == scope).map(|(_, place)| *place).max();
                calls |= own.is_some();
                all.push(Link { method: Home { module: class.module, scope }, up: own.unwrap_or(0), apart });
            }
            if plain && up.is_empty() {
                break;
            }
            apart += usize::from(!calls);
        }
        all
    }

    /// Whether a method may run for an object of a class.
    pub(super) fn may_run(&mut self, method: Home, home: Home) -> bool {
        let Some((name, Some(class))) = self.named(method) else { return true };
        if class == home || !self.order(home).contains(&class) {
            return true;
        }
        self.chain(home, name).iter().any(|link| link.method == method)
    }

    /// Whether a constructor is the one that a call of a class calls: those of its bases are called by it.
    pub(super) fn begins(&mut self, constructor: Home, class: Home) -> bool {
        let order = self.order(class);
        let own = |class: &Home| {
            let scope = self.module(class.module).and_then(|module| module.scope(class.scope))?;
            let all = scope.names.get("__init__")?;
            Some(all.iter().any(|one| {
                matches!(one.bound, Bound::Function(scope) if constructor == Home { module: class.module, scope })
            }))
        };
        order.iter().find_map(own).unwrap_or(true)
    }

    /// What is stored by methods that run, those together that call each other.
    pub(super) fn that_run(&mut self, home: Home, methods: &[Stored<'a>]) -> Vec<Group<'a>> {
        let mut all: Vec<(Option<(&'a str, usize)>, Group<'a>)> = Vec::new();
        for (method, stores) in methods {
            let name = self.named(*method).filter(|(_, class)| class.is_some()).map(|(name, _)| name);
            let (mut key, mut up) = (None, 0);
            if let Some(name) = name {
                let chain = self.chain(home, name);
                let Some(link) = chain.iter().find(|link| link.method == *method) else { continue };
                (key, up) = (Some((name, link.apart)), link.up);
            }
            let one = ((*method, stores.clone()), up);
            match all.iter_mut().find(|(known, _)| key.is_some() && *known == key) {
                Some((_, group)) => group.push(one),
                None => all.push((key, vec![one])),
            }
        }
        all.into_iter().map(|(_, group)| group).collect()
    }

    /// What methods of one name have stored in an attribute where the first of them is at a place.
    pub(super) fn stored_by(
        &mut self,
        home: Home,
        group: &[(Stored<'a>, u32)],
        place: u32,
        site: Site,
        depth: usize,
    ) -> Resolved<Option<Value>> {
        let mut before: Vec<(Home, Vec<&'a Store>)> = Vec::new();
        for (index, ((method, stores), up)) in group.iter().enumerate() {
            let place = if index == 0 { place } else { u32::MAX - 1 };
            let (early, late): (Vec<_>, Vec<_>) = stores.iter().partition(|store| store.from < *up);
            if let Some(value) = self.stored_in(home, *method, &late, place, site, depth)? {
                return Ok(Some(value));
            }
            before.push((*method, early));
            if place < *up {
                break;
            }
        }
        for (index, (method, stores)) in before.iter().enumerate().rev() {
            let place = if index == 0 { place } else { u32::MAX - 1 };
            if let Some(value) = self.stored_in(home, *method, stores, place, site, depth)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Where the method that uses an attribute has stored it before, that is what it uses.
    pub(super) fn stored_here(
        &mut self,
        home: Home,
        groups: &[Group<'a>],
        site: Site,
        depth: usize,
    ) -> Resolved<Option<Value>> {
        for group in groups {
            let here = group.iter().position(|((method, _), _)| self.is_within(*method, site));
            if let Some(here) = here {
                return self.stored_by(home, group.get(here..).unwrap_or_default(), site.span.start, site, depth);
            }
        }
        Ok(None)
    }

    /// Whether a place is in a function.
    pub(super) fn is_within(&self, method: Home, site: Site) -> bool {
        let span = self.module(method.module).and_then(|module| module.scope(method.scope)).map(|scope| scope.span);
        method.module == site.unit as usize && span.is_some_and(|span| span.contains(site.span))
    }

    /// Whether the constructor of an object raises for sure, so that there is no such object: `if n % 8: raise …`,
    /// `assert n % 8 == 0`.
    pub(super) fn is_refused(&mut self, method: Home, class: Home) -> bool {
        if !self.named(method).is_some_and(|(name, _)| matches!(name, "__init__" | "__post_init__")) {
            return false;
        }
        let at = At { module: method.module, scope: method.scope, frame: Some(Rc::new(Frame::method(method, class))) };
        self.raises_in(&at, 0)
    }

    /// What a method has stored in an attribute at a place.
    fn stored_in(
        &mut self,
        home: Home,
        method: Home,
        stores: &[&'a Store],
        place: u32,
        site: Site,
        depth: usize,
    ) -> Resolved<Option<Value>> {
        let frame = Some(Rc::new(Frame::method(method, home)));
        let at = At { module: method.module, scope: method.scope, frame };
        for store in stores.iter().rev().filter(|store| store.from <= place) {
            if !self.reaches(store.path, place, &at, site, depth)? {
                continue;
            }
            let Some(value) = store.value else { return Err(Unresolved { reason: Reason::RunTime, site }) };
            return self.part(value, &store.part, &at, site, depth).map(Some);
        }
        Ok(None)
    }
}
