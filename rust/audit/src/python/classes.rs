//! Attributes of values, of classes and of their objects: what a class says, and what its methods store.

use super::cute;
use super::evaluate::unchanged;
use super::evaluate::{At, Evaluator};
use super::memory::Memory;
use super::runs::{Group, Stored};
use super::stored::{Other, Outside};
use super::tree::{Binding, Bound, Expr, ExprId, Kind, MODULE, PathId, Store};
use super::value::{Home, Value, of_numbers};
use super::world::Point;
use crate::ast::{Site, Span};
use crate::eval::{Reason, Resolved, Unresolved};
use std::rc::Rc;

/// How deep one question may lead.
const MAX_DEPTH: usize = 100;

/// Classes of one family that are looked at.
const MAX_FAMILY: usize = 64;

/// Classes that say nothing of attributes.
pub(super) const HARMLESS: [&str; 6] = ["abc.ABC", "object", "typing.Generic", "typing.Protocol", "ABC", "Protocol"];

impl<'a> Evaluator<'a> {
    /// An attribute of a value.
    pub(super) fn attribute(&mut self, of: &Value, name: &'a str, site: Site, depth: usize) -> Resolved<Value> {
        match of {
            Value::Library(path) => {
                if self.is_replaced_in(path, name) {
                    return Err(Unresolved { reason: Reason::RunTime, site });
                }
                if cute::has_no(path, name) {
                    return Err(Unresolved { reason: Reason::UnknownMember, site });
                }
                Ok(cute::constant(path, name, site).unwrap_or_else(|| cute::named(format!("{path}.{name}"))))
            }
            Value::Mma(of) => of.attribute(name, site),
            Value::Swizzle(swizzle, _) => {
                let number = match name {
                    "num_bits" => i128::from(swizzle.bits()),
                    "num_base" => i128::from(swizzle.base()),
                    "num_shift" => i128::from(swizzle.shift()),
                    _ => return Err(Unresolved { reason: Reason::UnknownMember, site }),
                };
                Ok(Value::number(number, site))
            }
            Value::Memory(memory) => match &**memory {
                Memory::Block(home, align) => self.field_of(*home, *align, name, site, depth + 1),
                memory => memory.attribute(name, site),
            },
            Value::Namespace(made) => self.named_in(made, name, site, depth + 1),
            Value::Module(index) => self.member(*index, name, site, depth + 1),
            Value::Class(home) if self.is_enumeration(*home) && !self.is_plain_enumeration(*home) => {
                Err(Unresolved { reason: Reason::Ambiguous, site })
            }
            Value::Class(home) | Value::Object(home, _) => {
                let object = matches!(of, Value::Object(..));
                if object && name == "__class__" {
                    return Ok(Value::Class(*home));
                }
                if let Value::Object(home, Some(origin)) = of {
                    if self.trying()
                        && let Some(value) = self.field(*home, origin, name, site, depth + 1)
                    {
                        return value;
                    }
                    self.made_by(*home, origin, site)?;
                }
                if self.trying() {
                    self.tried_attribute(*home, name, object, site, depth + 1)
                } else {
                    self.class_attribute(*home, name, object, site, depth + 1)
                }
            }
            Value::Layout(layout) => match name {
                "shape" => of_numbers(&layout.shape),
                "stride" => of_numbers(&layout.stride),
                _ => Err(Unresolved { reason: Reason::Call, site }),
            },
            Value::Composed(composed) => match name {
                "shape" => of_numbers(&composed.layout.shape),
                "outer" => Ok(Value::Layout(composed.layout.clone())),
                "inner" => Ok(Value::Swizzle(composed.swizzle, composed.helper)),
                _ => Err(Unresolved { reason: Reason::Call, site }),
            },
            // A plain number has none: it is a member of an enumeration, or a constant of a kernel.
            Value::Number(..) | Value::Bool(_) | Value::Text(_) | Value::Tuple(_) if name == "value" => Ok(of.clone()),
            Value::Unknown(why) => Err(*why),
            _ => Err(Unresolved { reason: Reason::UnknownMember, site }),
        }
    }

    /// A class and all that inherit from it or that it inherits from.
    fn family(&mut self, home: Home, site: Site, depth: usize) -> Resolved<Vec<Home>> {
        let mut family = vec![home];
        let mut next = 0;
        while let Some(one) = family.get(next).copied() {
            next += 1;
            if family.len() > MAX_FAMILY {
                return Err(Unresolved { reason: Reason::TooLarge, site });
            }
            let Some(module) = self.module(one.module) else { continue };
            let Some(Kind::Class { name, bases, .. }) = module.scope(one.scope).map(|scope| &scope.kind) else {
                continue;
            };
            let Some(bases) = bases else { return Err(Unresolved { reason: Reason::UnknownName, site }) };
            let around = module.scope(one.scope).and_then(|scope| scope.parent).unwrap_or(MODULE);
            let at = At { module: one.module, scope: around, frame: None };
            for base in bases {
                match self.expr(*base, &at, depth + 1)? {
                    Value::Class(base) if family.contains(&base) => {}
                    Value::Class(base) => family.push(base),
                    Value::Library(path) if HARMLESS.contains(&&*path) => {}
                    _ => return Err(Unresolved { reason: Reason::UnknownName, site }),
                }
            }
            for heir in self.files.heirs.get(name).into_iter().flatten() {
                if !family.contains(heir) {
                    family.push(*heir);
                }
            }
        }
        Ok(family)
    }

    fn class_attribute(
        &mut self,
        home: Home,
        name: &'a str,
        object: bool,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        if depth > MAX_DEPTH {
            return Err(wrong(Reason::TooDeep));
        }
        if self.files.stored.contains(name) {
            return Err(wrong(Reason::RunTime));
        }
        let mut found: Vec<(At, &'a Bound, PathId, Span)> = Vec::new();
        let mut stored: Vec<(At, &'a Store)> = Vec::new();
        for one in self.family(home, site, depth)? {
            let Some(module) = self.module(one.module) else { continue };
            self.work = self.work.saturating_add(module.stores.len());
            if module.reflects {
                return Err(wrong(Reason::RunTime));
            }
            let scope = module.scope(one.scope);
            if scope.is_some_and(|scope| scope.names.contains_key("__getattribute__")) {
                return Err(wrong(Reason::RunTime));
            }
            let frameless = |scope| At { module: one.module, scope, frame: None };
            if let Some(bindings) = scope.and_then(|scope| scope.names.get(name)) {
                let fields = scope.is_some_and(|scope| matches!(&scope.kind, Kind::Class { decorated: true, .. }));
                for binding in bindings {
                    // A field of a data class: what is written is a default.
                    if fields && matches!(binding.bound, Bound::Value(_, true) | Bound::Declared) {
                        return Err(wrong(Reason::RunTime));
                    }
                    if matches!(binding.bound, Bound::Declared) {
                        continue;
                    }
                    found.push((frameless(one.scope), &binding.bound, binding.path, binding.span));
                }
            }
            for store in module.stores.iter().filter(|store| store.class == Some(one.scope) && *store.name == *name) {
                stored.push((frameless(store.scope), store));
            }
        }
        // An arm that does not run says nothing.
        for (at, _, path, _) in &found {
            if !self.reaches(*path, u32::MAX - 1, at, site, depth)? {
                return Err(wrong(Reason::Ambiguous));
            }
        }
        match (found.as_slice(), stored.as_slice()) {
            ([], []) => Err(wrong(Reason::UnknownMember)),
            ([(at, bound, ..)], []) => match bound {
                Bound::Value(value, _) => self.attribute_value(*value, at, site, depth),
                Bound::Part(value, path) => {
                    let value = self.part(*value, path, at, site, depth);
                    unchanged(value, self.module(at.module).ok_or(wrong(Reason::UnknownName))?, site)
                }
                Bound::Function(scope) => {
                    let function = Home { module: at.module, scope: *scope };
                    // What it returns may hang on what is listed.
                    if object && self.is_read(function) {
                        return Err(wrong(Reason::Call));
                    }
                    Ok(Value::Function(function, object.then_some(home)))
                }
                _ => Err(wrong(Reason::RunTime)),
            },
            ([], [(at, Store { value: Some(value), part, .. })]) if object => {
                let value = self.part(*value, part, at, site, depth);
                unchanged(value, self.module(at.module).ok_or(wrong(Reason::UnknownName))?, site)
            }
            ([], [(_, Store { value: None, .. })]) => Err(wrong(Reason::RunTime)),
            _ => Err(wrong(Reason::Ambiguous)),
        }
    }

    fn attribute_value(&mut self, value: ExprId, at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let module = self.module(at.module).ok_or(Unresolved { reason: Reason::UnknownName, site })?;
        // Of an object it is a method.
        if matches!(module.expr(value), Expr::Lambda(_)) {
            return Err(Unresolved { reason: Reason::Expression, site });
        }
        let value = self.expr(value, at, depth + 1);
        unchanged(value, module, site)
    }

    /// A class and those that inherit from it.
    pub(super) fn heirs(&mut self, home: Home) -> Vec<Home> {
        if let Some(known) = self.heirs.get(&home) {
            return known.to_vec();
        }
        let all = self.find_heirs(home);
        self.heirs.insert(home, all.clone().into());
        all
    }

    fn find_heirs(&mut self, home: Home) -> Vec<Home> {
        let mut all = vec![home];
        let mut next = 0;
        while let Some(one) = all.get(next).copied() {
            next += 1;
            let name =
                self.module(one.module).and_then(|module| module.scope(one.scope)).and_then(|scope| {
                    match &scope.kind {
                        Kind::Class { name, .. } => Some(name),
                        _ => None,
                    }
                });
            let Some(name) = name else { continue };
            for heir in self.files.heirs.get(name).cloned().unwrap_or_default() {
                if all.len() < MAX_FAMILY && !all.contains(&heir) && self.bases(heir).contains(&one) {
                    all.push(heir);
                }
            }
        }
        all
    }

    /// The classes among the files that a class names as its bases.
    fn bases(&mut self, home: Home) -> Vec<Home> {
        let Some(module) = self.module(home.module) else { return Vec::new() };
        let Some(scope) = module.scope(home.scope) else { return Vec::new() };
        let Kind::Class { bases: Some(bases), .. } = &scope.kind else { return Vec::new() };
        let around = At { module: home.module, scope: scope.parent.unwrap_or(MODULE), frame: None };
        let mut all = Vec::new();
        for base in bases {
            if let Ok(Value::Class(base)) = self.surely(*base, &around) {
                all.push(base);
            }
        }
        all
    }

    /// A class and its bases, in the order in which attributes are looked for.
    pub(super) fn order(&mut self, home: Home) -> Rc<Vec<Home>> {
        if let Some(known) = self.orders.get(&home) {
            return known.clone();
        }
        let order = Rc::new(self.ordered(home));
        self.orders.insert(home, order.clone());
        order
    }

    fn ordered(&mut self, home: Home) -> Vec<Home> {
        let mut all = Vec::new();
        let mut next = vec![home];
        // Classes that are each other's bases, as far as names tell, would go on for ever.
        let mut left = MAX_FAMILY;
        while let Some(one) = next.pop() {
            let Some(rest) = left.checked_sub(1) else { break };
            left = rest;
            // Of a class that comes twice, the last place counts.
            all.retain(|other| *other != one);
            all.push(one);
            let mut bases = self.bases(one);
            bases.reverse();
            next.extend(bases.into_iter().filter(|base| *base != home));
        }
        all
    }

    /// The class of an object whose method this is: one that is made somewhere. Where it has another method of this name, that is not known.
    pub(super) fn made(&mut self, class: Home, method: Home, site: Site) -> Resolved<Home> {
        let family = self.heirs(class);
        let mut made = Vec::new();
        for one in &family {
            let calls = self.calls_of(*one);
            if calls.iter().any(|called| called.made() == Some(*one)) {
                made.push(*one);
            }
        }
        let of = if made.is_empty() { family.clone() } else { made };
        let runs = |own: &mut Self, all: &[Home]| -> Vec<Home> {
            all.iter().copied().filter(|one| own.may_run(method, *one)).collect()
        };
        let which = runs(self, &of);
        if which.is_empty() {
            let which = runs(self, &family);
            let chosen = self.choose(Point::Class(method), which.len());
            return Ok(chosen.and_then(|chosen| which.get(chosen).copied()).unwrap_or(class));
        }
        let chosen = self.choose(Point::Class(class), of.len()).and_then(|chosen| of.get(chosen).copied());
        match chosen {
            Some(one) if !which.contains(&one) => Err(Unresolved { reason: Reason::Dependent, site }),
            Some(one) => Ok(one),
            None => Ok(class),
        }
    }

    /// An attribute of a class or of an object of just this class, as far as the code lists it.
    fn tried_attribute(
        &mut self,
        home: Home,
        name: &'a str,
        object: bool,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        if depth > MAX_DEPTH {
            return Err(wrong(Reason::TooDeep));
        }
        let order = self.order(home);
        let mut methods: Vec<Stored<'a>> = Vec::new();
        let mut own: Option<Home> = None;
        let Outside::Known(others) = self.outside(home, name) else { return Err(wrong(Reason::Ambiguous)) };
        for one in order.iter() {
            let Some(module) = self.module(one.module) else { continue };
            let names = module.scope(one.scope).map(|scope| &scope.names);
            // Whoever reads an attribute gets what this answers.
            if names.is_some_and(|names| names.contains_key("__getattribute__")) {
                return Err(wrong(Reason::Ambiguous));
            }
            if own.is_none() && names.is_some_and(|names| names.contains_key(name)) {
                own = Some(*one);
            }
            for store in self.files.stores(module, *one, name) {
                let method = Home { module: one.module, scope: store.scope };
                match methods.iter_mut().find(|(home, _)| *home == method) {
                    Some((_, all)) => all.push(store),
                    None => methods.push((method, vec![store])),
                }
            }
        }
        // What is stored goes to a setter.
        let sets = |class: Home| {
            let names =
                self.module(class.module).and_then(|module| module.scope(class.scope)).map(|scope| &scope.names);
            let all = names.and_then(|names| names.get(name));
            all.is_some_and(|all| all.iter().any(|one| matches!(one.bound, Bound::Function(_))))
        };
        if !methods.is_empty() && own.is_some_and(sets) {
            return Err(wrong(Reason::Ambiguous));
        }
        // A base's field is stored by its constructor, whatever the class says that is no field.
        if object
            && own.is_some_and(|own| !self.is_field(own, name) && order.iter().any(|one| self.is_field(*one, name)))
        {
            return Err(wrong(Reason::Ambiguous));
        }
        if object && !methods.is_empty() {
            // `n: int` says nothing but that there will be one, unless it is a field.
            let says = |class: &Home| {
                let scope = self.module(class.module).and_then(|module| module.scope(class.scope));
                scope.is_some_and(|scope| {
                    let declared = |one: &Binding| matches!(one.bound, Bound::Declared);
                    matches!(scope.kind, Kind::Class { decorated: true, .. })
                        || scope.names.get(name).is_some_and(|all| !all.iter().all(declared))
                })
            };
            let own = own.filter(says);
            if !others.is_empty()
                && let groups = self.that_run(home, &methods)
                && let Some(value) = self.stored_here(home, &groups, site, depth)?
            {
                return Ok(value);
            }
            if let Some(value) = self.stored_elsewhere(home, name, (&others, true), site, depth) {
                return value;
            }
            return self.stored(home, name, (&methods, own), site, depth);
        }
        if let Some(value) = self.stored_elsewhere(home, name, (&others, own.is_some()), site, depth) {
            return value;
        }
        match own {
            Some(class) => self.declared(home, (class, name), object, site, depth),
            None => Err(wrong(Reason::UnknownMember)),
        }
    }

    /// What is stored in an attribute from outside of its class, unless that was before what methods store or the class says.
    fn stored_elsewhere(
        &mut self,
        home: Home,
        name: &'a str,
        (others, own): (&[Other], bool),
        site: Site,
        depth: usize,
    ) -> Option<Resolved<Value>> {
        if others.is_empty() {
            return None;
        }
        // Whoever asks again goes round in a circle: what it hands on is what it has otherwise, and only here.
        if self.handed.contains(&(home, name)) {
            self.cuts += 1;
            if let Some(world) = self.world.as_mut() {
                world.asked += 1;
            }
            return None;
        }
        let wrong = |reason| Unresolved { reason, site };
        let Some(chosen) = self.choose(Point::Outside(home, name), others.len() + usize::from(own)) else {
            return Some(Err(wrong(Reason::Ambiguous)));
        };
        let other = *others.get(chosen)?;
        self.handed.push((home, name));
        let value = match other {
            Other::Of(other) => self.tried_attribute(other, name, true, site, depth + 1),
            Other::Value(index, place) => match self.module(index).and_then(|module| module.stores.get(place)) {
                Some(Store { value: Some(value), part, scope, .. }) => {
                    let at = At { module: index, scope: *scope, frame: None };
                    self.part(*value, part, &at, site, depth + 1)
                }
                _ => Err(wrong(Reason::Ambiguous)),
            },
        };
        self.handed.pop();
        if let Ok(value) = &value {
            self.say(name, value);
        }
        Some(value)
    }

    /// What a class says of an attribute of it or of an object of another one that has it from there.
    fn declared(
        &mut self,
        home: Home,
        (class, name): (Home, &'a str),
        object: bool,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let module = self.module(class.module).ok_or(wrong(Reason::UnknownName))?;
        let scope = module.scope(class.scope).ok_or(wrong(Reason::UnknownName))?;
        let bindings = scope.names.get(name).ok_or(wrong(Reason::UnknownName))?;
        let fields = matches!(&scope.kind, Kind::Class { decorated: true, .. });
        let at = At { module: class.module, scope: class.scope, frame: None };
        match bindings {
            [one] if !self.reaches(one.path, u32::MAX - 1, &at, site, depth)? => Err(wrong(Reason::UnknownMember)),
            [one] => match &one.bound {
                bound @ (Bound::Value(_, true) | Bound::Declared) if fields && object => {
                    if self.is_apart(class, name) {
                        return Err(wrong(Reason::RunTime));
                    }
                    let default = match bound {
                        Bound::Value(value, _) => Some(*value),
                        _ => None,
                    };
                    let place = self.place(home, name);
                    let value = self.passed(home, (place, name), (Some(home), default), &at, site, depth);
                    if let Ok(value) = &value {
                        self.say(name, value);
                    }
                    value
                }
                Bound::Value(value, _) => self.attribute_value(*value, &at, site, depth),
                Bound::Part(value, path) => unchanged(self.part(*value, path, &at, site, depth), module, site),
                Bound::Function(scope) => {
                    let function = Home { module: class.module, scope: *scope };
                    self.method(function, home, object, site, depth)
                }
                _ => Err(wrong(Reason::RunTime)),
            },
            _ => Err(wrong(Reason::Ambiguous)),
        }
    }

    /// A method, or what a property returns.
    fn method(&mut self, function: Home, home: Home, object: bool, site: Site, depth: usize) -> Resolved<Value> {
        let decorators =
            match self.module(function.module).and_then(|module| module.scope(function.scope)).map(|scope| &scope.kind)
            {
                Some(Kind::Function(function)) => function.decorators.as_slice(),
                _ => &[],
            };
        if object && self.decorated(function.module, decorators, &["property", "cached_property"]) {
            return self.function(function, Some(home), Vec::new(), &[], (site, 0, true, self.cuts), depth + 1);
        }
        let bound = object || self.decorated(function.module, decorators, &["classmethod"]);
        Ok(Value::Function(function, bound.then_some(home)))
    }

    /// What methods store in an attribute of an object of a class, which another one may declare.
    fn stored(
        &mut self,
        home: Home,
        name: &'a str,
        (methods, own): (&[Stored<'a>], Option<Home>),
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let groups = self.that_run(home, methods);
        if let Some(value) = self.stored_here(home, &groups, site, depth)? {
            return Ok(value);
        }
        // What runs first finds what the class says.
        let first = methods.iter().any(|(method, _)| {
            self.is_within(*method, site)
                && self.named(*method).is_some_and(|(name, _)| matches!(name, "__init__" | "__post_init__"))
        });
        if let Some(class) = own.filter(|_| first) {
            return self.declared(home, (class, name), true, site, depth);
        }
        // Before the method has stored it, it is what the constructor has, unless it comes round again.
        if own.is_none()
            && let Some(before) = self.constructed(&groups, site)
        {
            let value = self.stored_by(home, before, u32::MAX - 1, site, depth)?;
            return value.ok_or(wrong(Reason::Dependent));
        }
        if let Some(known) = self.world.as_mut().and_then(|world| world.attribute(&(home, name))) {
            return known;
        }
        // `self.x = None` says that there will be one.
        let none = |group: &Group<'a>| {
            group.iter().all(|((method, stores), _)| {
                let module = self.module(method.module);
                stores.iter().all(|store| {
                    let none = |value| module.is_some_and(|module| matches!(module.expr(value), Expr::None));
                    store.value.is_some_and(none)
                })
            })
        };
        let mut of: Vec<_> = groups.iter().filter(|group| !none(group)).collect();
        if of.is_empty() {
            of = groups.iter().collect();
        }
        self.begin();
        let chosen = if of.len() == 1 { Some(0) } else { self.choose(Point::Store(home, name), of.len()) };
        let Some(group) = chosen.and_then(|chosen| of.get(chosen)) else {
            // None of them runs.
            self.end();
            let why = if groups.is_empty() { Reason::Dependent } else { Reason::Ambiguous };
            return own.map_or(Err(wrong(why)), |class| self.declared(home, (class, name), true, site, depth));
        };
        // What it is made of asks for it again: as it is, that is one of those that are listed, and computed with it is one more.
        if let Some((.., around)) = self.storing.iter().find(|(one, other, _)| *one == home && *other == name) {
            let again = *around == self.operating;
            self.cuts += 1;
            self.end();
            return Err(wrong(if again { Reason::Dependent } else { Reason::TooDeep }));
        }
        let cuts = self.cuts;
        self.storing.push((home, name, self.operating));
        let value = self.stored_by(home, group, u32::MAX - 1, site, depth);
        self.storing.pop();
        let value = match value {
            Ok(Some(value)) => Ok(value),
            // The branches that are taken store nothing.
            Ok(None) => match own {
                Some(class) => self.declared(home, (class, name), true, site, depth),
                None => Err(wrong(Reason::Dependent)),
            },
            Err(why) => Err(why),
        };
        if let (Ok(value), true) = (&value, of.len() > 1) {
            self.say(name, value);
        }
        let loose = cuts != self.cuts;
        if let Some((world, trace)) = self.end()
            && !matches!(&value, Err(why) if matches!(why.reason, Reason::TooDeep | Reason::Work))
        {
            world.keep_attribute((home, name), value.clone(), trace, loose);
        }
        value
    }

    /// What the constructor stores in an attribute, where just one other method does, which asks for it outside of loops that store it.
    fn constructed<'m>(&self, groups: &'m [Group<'a>], site: Site) -> Option<&'m [(Stored<'a>, u32)]> {
        let [one, other] = groups else { return None };
        let [((method, _), _)] = one.as_slice() else { return None };
        let (here, before) = if self.is_within(*method, site) { (one, other) } else { (other, one) };
        let ([((own, stores), _)], [((constructor, _), _)]) = (here.as_slice(), before.as_slice()) else { return None };
        if !self.is_within(*own, site) || self.named(*constructor).is_none_or(|(name, _)| name != "__init__") {
            return None;
        }
        let module = self.module(own.module)?;
        let again = |store: &&Store| {
            module.steps(store.path).any(|step| {
                module.branch(step.branch).is_none_or(|branch| branch.fork.loops() && branch.span.contains(site.span))
            })
        };
        (!stores.iter().any(again)).then_some(before)
    }
}
