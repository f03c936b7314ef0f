//! The calls of a function in the files: what they pass is what the code lists for its parameters.

use foldhash::{HashMap, HashSet, HashSetExt as _};
use std::rc::Rc;

use super::evaluate::{At, Evaluator};
use super::index::Calls;
use super::noted::Choices;
use super::objects::Objects;
use super::tree::{Annotation, Argument, Bound, Expr, ExprId, Kind, MODULE, Name, ScopeId};
use super::value::{Home, Origin, Value};
use super::variables::Variables;
use super::world::{Callee, Point, World};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Calls of one function that are taken.
pub(super) const MAX_SITES: usize = 64;

/// Calls of one name that are looked at.
pub const MAX_LOOKS: usize = 1024;

/// An argument as text, and where it stands unless it is a plain constant.
type Words<'a> = (&'a str, Option<Home>);

/// A call of a function.
#[derive(Debug, Clone, Copy)]
pub struct Called {
    /// The module.
    pub module: usize,
    /// The call.
    pub call: ExprId,
    /// The scope that it stands in.
    pub scope: ScopeId,
    /// Arguments before the first of the function's own: `f` in `partial(f, …)`.
    skip: usize,
    /// Parameters before the one that the first argument is for: `self`.
    bound: usize,
    /// The class that is made, where it is a constructor.
    class: Option<Home>,
    /// What parameters have that it does not name.
    rest: Rest,
    /// The `partial(f, …)` that is called, which names arguments before these: its file, the call, and the scope that it stands in.
    before: Option<(usize, ExprId, ScopeId)>,
}

/// What parameters have that a call does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// Their defaults.
    Defaults,
    /// `replace(object, field=…)`: what the object has.
    Object,
    /// `partial(f, …)`: what is given later.
    Later,
}

impl Called {
    /// The call that makes an object, or one like another with `replace`.
    pub const fn made_at(at: &At, call: ExprId, class: Home, replaces: bool) -> Self {
        let (skip, rest) = if replaces { (1, Rest::Object) } else { (0, Rest::Defaults) };
        Self { module: at.module, call, scope: at.scope, skip, bound: 1, class: Some(class), rest, before: None }
    }

    /// What it passes for a parameter.
    pub fn picked(&self, arguments: &[Argument], place: usize, name: &str) -> Option<ExprId> {
        picked(arguments, place, name, (self.skip, self.bound))
    }

    /// Whether it is one of the function itself, with all that it is given.
    pub const fn is_whole(&self) -> bool {
        self.skip == 0 && matches!(self.rest, Rest::Defaults) && self.before.is_none()
    }

    /// Where it stands.
    pub(super) const fn within(&self) -> Home {
        Home { module: self.module, scope: self.scope }
    }

    /// A call of an object: one of its method `__call__`.
    pub(super) const fn of_object((module, call, scope): (usize, ExprId, ScopeId), skip: usize) -> Self {
        Self { module, call, scope, skip, bound: 1, class: None, rest: Rest::Defaults, before: None }
    }

    /// A call of what `partial(f, …)` made of a function, which the call before names first.
    pub(super) const fn completes(
        (module, call, scope): (usize, ExprId, ScopeId),
        bound: usize,
        before: (usize, ExprId, ScopeId),
    ) -> Self {
        let (class, rest, before) = (None, Rest::Defaults, Some(before));
        Self { module, call, scope, skip: 0, bound, class, rest, before }
    }

    /// The class of the object that it makes.
    pub const fn made(&self) -> Option<Home> {
        if matches!(self.rest, Rest::Object) { None } else { self.class }
    }
}

/// The calls of functions: those of all files, and what an evaluator has worked out of them.
#[derive(Debug)]
pub struct Sites<'a> {
    /// Those of all files.
    pub(super) calls: &'a Calls<'a>,
    known: HashMap<Home, Rc<Vec<Called>>>,
    /// Those by variables that may make objects of classes, once it was asked.
    pub(super) variables: Option<Rc<Variables>>,
    /// Calls of what calls make, once it was asked.
    pub(super) objects: Option<Objects<'a>>,
    /// Calls of a `partial(f, …)` that are one for sure, by the function, once it was asked.
    pub(super) partials: Option<Rc<Vec<(Home, Called)>>>,
}

impl<'a> Sites<'a> {
    /// Of these calls.
    pub fn of(calls: &'a Calls<'a>) -> Self {
        Self { calls, known: HashMap::default(), variables: None, objects: None, partials: None }
    }
}

impl<'a> Evaluator<'a> {
    /// The name of a function or a class, and the class that it is a method of.
    pub(super) fn named(&self, home: Home) -> Option<(&'a str, Option<Home>)> {
        let module = self.module(home.module)?;
        let scope = module.scope(home.scope)?;
        let parent = scope.parent?;
        let around = module.scope(parent)?;
        let class = matches!(around.kind, Kind::Class { .. }).then_some(Home { module: home.module, scope: parent });
        let name = around.names.iter().find_map(|(name, bindings)| {
            let own = |bound: &Bound| matches!(bound, Bound::Function(id) | Bound::Class(id) if *id == home.scope);
            bindings.iter().any(|one| own(&one.bound)).then_some(&**name)
        })?;
        Some((name, class))
    }

    /// The calls of a function.
    pub(super) fn calls_of(&mut self, home: Home) -> Rc<Vec<Called>> {
        if let Some(known) = self.sites.known.get(&home) {
            return known.clone();
        }
        // Whoever asks again meanwhile goes round in a circle.
        self.sites.known.insert(home, Rc::new(Vec::new()));
        let all = Rc::new(self.find_calls(home).unwrap_or_default());
        self.sites.known.insert(home, all.clone());
        all
    }

    fn find_calls(&mut self, home: Home) -> Option<Vec<Called>> {
        let (name, class) = self.named(home)?;
        let mut found = Vec::new();
        let mut names = vec![name];
        let makes = name == "__init__" || class.is_none() && self.is_class(home);
        let family: Vec<Home> =
            class.or_else(|| makes.then_some(home)).map(|class| self.heirs(class)).unwrap_or_default();
        if makes {
            names = family.iter().filter_map(|class| self.named(*class)).map(|(name, _)| name).collect();
            names.push("__init__");
        }
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(*name));
        for name in names {
            let calls = self.sites.calls;
            for (module, call, scope, skip) in calls.named(name).take(MAX_LOOKS) {
                if self.inside(Home { module, scope }, home) {
                    continue;
                }
                if let Some((bound, class)) = self.calls(home, class, &family, (module, call, scope, skip)) {
                    let rest = if skip == 1 && self.is_partial(module, call) { Rest::Later } else { Rest::Defaults };
                    found.push(Called { module, call, scope, skip, bound, class, rest, before: None });
                }
            }
        }
        let variables = self.by_variable();
        let own = [home];
        let wanted = if makes { family.as_slice() } else { &own };
        for (module, call, scope, skip, all) in variables.calling(wanted) {
            for (one, method) in all.iter().filter(|(one, _)| wanted.contains(one)) {
                if !self.inside(Home { module: *module, scope: *scope }, home) {
                    let (module, call, scope, class) = (*module, *call, *scope, makes.then_some(*one));
                    let bound = usize::from(makes || *method && !self.is_decorated(home, "staticmethod"));
                    let rest = if *skip == 1 && self.is_partial(module, call) { Rest::Later } else { Rest::Defaults };
                    found.push(Called { module, call, scope, skip: *skip, bound, class, rest, before: None });
                }
            }
        }
        if self.is_class(home) {
            found.extend(self.replacements(home));
        }
        if name == "__call__" && class.is_some() {
            let of: Vec<Called> = self.object_calls(home, &family);
            found.extend(of);
        }
        let whole = self.partials(home);
        // What it gives is given by those calls.
        found.retain(|one| !whole.iter().any(|other| other.before == Some((one.module, one.call, one.scope))));
        found.extend(whole);
        Some(found)
    }

    /// The calls of `dataclasses.replace` that name fields of a class, unless they are known to be for another.
    fn replacements(&mut self, home: Home) -> Vec<Called> {
        let mut found = Vec::new();
        let calls = self.sites.calls;
        for (module, call, scope, skip) in calls.named("replace") {
            let Some(Expr::Call(callee, arguments)) = self.module(module).map(|of| of.expr(call)) else { continue };
            let Some((first, fields)) = arguments.split_first().filter(|(_, fields)| !fields.is_empty()) else {
                continue;
            };
            if skip != 0 || first.name.is_some() || found.len() > MAX_SITES {
                continue;
            }
            let all = fields.iter().all(|field| {
                field.name.as_deref().is_some_and(|name| !name.starts_with('*') && self.place(home, name) != usize::MAX)
            });
            let at = At { module, scope, frame: None };
            let replace = |value| matches!(value, Ok(Value::Library(path)) if &*path == "dataclasses.replace");
            if !all || !replace(self.surely(*callee, &at)) {
                continue;
            }
            if matches!(self.surely(first.value, &at), Ok(value) if !matches!(value, Value::Object(of, _) if of == home))
            {
                continue;
            }
            found.push(Called {
                module,
                call,
                scope,
                skip: 1,
                bound: 1,
                class: Some(home),
                rest: Rest::Object,
                before: None,
            });
        }
        found
    }

    /// Whether a call binds some arguments of a function that is called later.
    fn is_partial(&self, module: usize, call: ExprId) -> bool {
        let Some(module) = self.module(module) else { return false };
        let Expr::Call(callee, _) = module.expr(call) else { return false };
        matches!(module.expr(*callee), Expr::Name(name) | Expr::Attribute(_, name) if &**name == "partial")
    }

    pub(super) fn is_decorated(&self, home: Home, name: &str) -> bool {
        match self.module(home.module).and_then(|module| module.scope(home.scope)).map(|scope| &scope.kind) {
            Some(Kind::Function(function)) => self.decorated(home.module, &function.decorators, &[name]),
            _ => false,
        }
    }

    fn parameters(&self, home: Home) -> Option<&'a [Name]> {
        match &self.module(home.module)?.scope(home.scope)?.kind {
            Kind::Function(function) => Some(&function.parameters),
            _ => None,
        }
    }

    pub(super) fn is_class(&self, home: Home) -> bool {
        let scope = self.module(home.module).and_then(|module| module.scope(home.scope));
        scope.is_some_and(|scope| matches!(scope.kind, Kind::Class { .. }))
    }

    /// Whether a scope is one or within one.
    pub(super) fn inside(&self, scope: Home, home: Home) -> bool {
        let mut at = (scope.module == home.module).then_some(scope.scope);
        while let Some(id) = at {
            if id == home.scope {
                return true;
            }
            at = self.module(home.module).and_then(|module| module.scope(id)).and_then(|scope| scope.parent);
        }
        false
    }

    /// Whether a call is one of a function: how many parameters are bound before its first argument, and the class that it makes.
    fn calls(
        &mut self,
        home: Home,
        class: Option<Home>,
        family: &[Home],
        (module, call, scope, skip): (usize, ExprId, ScopeId, usize),
    ) -> Option<(usize, Option<Home>)> {
        let of = self.module(module)?;
        let Expr::Call(callee, arguments) = of.expr(call) else { return None };
        let callee = if skip == 0 { *callee } else { arguments.first()?.value };
        let at = At { module, scope, frame: None };
        // `super().__init__(…)`
        if let Expr::Attribute(object, name) = of.expr(callee)
            && let Expr::Call(inner, _) = of.expr(*object)
            && matches!(of.expr(*inner), Expr::Name(name) if &**name == "super")
        {
            let own = of.scope(scope)?.parent.map(|scope| Home { module, scope })?;
            let (known, _) = self.named(home)?;
            return (*known == **name && class.is_some_and(|class| class != own && family.contains(&own)))
                .then_some((1, Some(own)));
        }
        // A method of an object of a class of the family, or of the class itself.
        if let Expr::Attribute(object, name) = of.expr(callee)
            && let Ok(value @ (Value::Object(own, _) | Value::Class(own))) = self.surely(*object, &at)
        {
            let class = class?;
            let (known, _) = self.named(home)?;
            let related = own == class || self.heirs(class).contains(&own) || self.heirs(own).contains(&class);
            let classmethod = self.is_decorated(home, "classmethod");
            let bound = usize::from(
                classmethod || matches!(value, Value::Object(..)) && !self.is_decorated(home, "staticmethod"),
            );
            return (related && *known == **name).then_some((bound, None));
        }
        match self.surely(callee, &at) {
            // The first parameter is the object; so are the fields of a data class counted.
            Ok(Value::Class(made)) => {
                let constructor = self.named(home).is_some_and(|(name, _)| name == "__init__");
                let makes = self.is_class(home) || constructor && self.begins(home, made);
                (makes && family.contains(&made)).then_some((1, Some(made)))
            }
            Ok(Value::Function(found, object)) => {
                let same = found == home || {
                    let (known, own) = self.named(found)?;
                    let (name, _) = self.named(home)?;
                    known == name
                        && own.is_some_and(|own| {
                            family.contains(&own) || class.is_some_and(|class| self.heirs(own).contains(&class))
                        })
                };
                same.then_some((usize::from(object.is_some()), None))
            }
            Ok(_) => None,
            // One of several that a name is bound to: `try: from m import f` with `except ImportError: f = None`.
            Err(_) if matches!(of.expr(callee), Expr::Name(_)) => {
                let mut all = Vec::new();
                self.callable(callee, &at, false, &mut all);
                let makes = self.is_class(home) || self.named(home).is_some_and(|(name, _)| name == "__init__");
                let (one, method) =
                    *all.iter().find(|(one, _)| if makes { family.contains(one) } else { *one == home })?;
                let method = method && !self.is_decorated(home, "staticmethod");
                Some((usize::from(makes || method), makes.then_some(one)))
            }
            // Of an object of which nothing is known, by a name that all functions with it have for the same parameters.
            Err(_) => {
                let Expr::Attribute(_, name) = of.expr(callee) else { return None };
                if class.is_none() || &**name == "__init__" {
                    return None;
                }
                let own = self.parameters(home)?;
                let all = self.sites.calls.functions.get(&**name)?;
                all.iter().all(|one| self.parameters(*one) == Some(own)).then_some((1, None))
            }
        }
    }

    /// What the calls of a function pass for a parameter.
    pub(super) fn arguments_for(&mut self, home: Home, place: usize, name: &str) -> Vec<(ExprId, At)> {
        let all = self.calls_of(home);
        all.iter().filter_map(|called| self.argument(called, place, name)).collect()
    }

    /// The value of a parameter of which nothing is known but what the code lists for it.
    pub(super) fn listed(
        &mut self,
        home: Home,
        place: usize,
        made: Option<Home>,
        at: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let Some(module) = self.module(home.module) else { return Err(wrong(Reason::UnknownName)) };
        let Some(scope) = module.scope(home.scope) else { return Err(wrong(Reason::UnknownName)) };
        let Kind::Function(function) = &scope.kind else { return Err(wrong(Reason::Dependent)) };
        let said = function.annotations.get(place).copied().unwrap_or_default();
        if said == Annotation::RunTime {
            return Err(wrong(Reason::RunTime));
        }
        let name = function.parameters.get(place).map_or("", |name| &**name);
        let default = function.defaults.get(place).copied().flatten();
        let around = At { module: home.module, scope: scope.parent.unwrap_or(MODULE), frame: at.frame.clone() };
        let result = self.passed(home, (place, name), (made, default), &around, site, depth);
        let truth =
            said == Annotation::Truth || default.is_some_and(|default| matches!(module.expr(default), Expr::Bool(_)));
        let result = match result {
            Err(why) if truth && matches!(why.reason, Reason::Dependent | Reason::Unlisted | Reason::RunTime) => self
                .choose(Point::Truth(home, place), 2)
                .map(|chosen| Value::Bool(chosen == 1))
                .ok_or(wrong(Reason::Dependent)),
            result => result,
        };
        let result = match result {
            // A call that is seen passes what it passes: no other function's values stand for that.
            Err(why)
                if why.reason == Reason::Unlisted && self.calls_of(home).is_empty() && !self.escapes(home, made) =>
            {
                match self.named_value(home, name) {
                    Some((value, at)) => self.expr(value, &at, depth + 1),
                    None => Err(why),
                }
            }
            result => result,
        };
        let result = match result {
            // The DSL makes a run-time value of each number that a host passes, unless it is a `Constexpr`.
            Err(why)
                if why.reason == Reason::Unlisted
                    && said == Annotation::Numbers
                    && (why.site == site && self.decorated(home.module, &function.decorators, &["jit"])
                        || self.decorated(home.module, &function.decorators, &["kernel"])) =>
            {
                Err(wrong(Reason::RunTime))
            }
            result => result,
        };
        if let Ok(value) = &result {
            self.say(name, value);
        }
        result
    }

    /// One of the values that the code lists for parameters of a name.
    fn named_value(&mut self, home: Home, name: &'a str) -> Option<(ExprId, At)> {
        // What a call passes that is known is no guess: then files that have nothing to do with it say nothing.
        let passed = self.world.as_ref().is_some_and(|world| !world.chosen().is_empty());
        let near =
            |other: usize| !passed || self.files.knows(home.module, other) || self.files.knows(other, home.module);
        // What a comparison says holds for the function that it stands in.
        let own = self.module(home.module)?.scope(home.scope)?.span;
        let mut all: Vec<_> = self
            .sites
            .calls
            .values(name)?
            .filter(|(module, value, _, compared)| {
                let span = || self.module(*module).map(|module| module.span(*value));
                near(*module) && (!compared || *module == home.module && span().is_some_and(|span| own.contains(span)))
            })
            .collect();
        // The same choice is the same value for all functions.
        all.sort_by_key(|one| one.3);
        let others = all.iter().any(|one| !one.3);
        let chosen = self.choose(Point::Named(name, others), all.len())?;
        let (module, value, scope, _) = *all.get(chosen)?;
        Some((value, At { module, scope, frame: None }))
    }

    /// What a call passes for a parameter.
    pub(super) fn passed(
        &mut self,
        home: Home,
        (place, name): (usize, &str),
        (made, default): (Option<Home>, Option<ExprId>),
        around: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        if self.is_replaced(home) {
            return Err(wrong(Reason::Unlisted));
        }
        if self.trying() && self.escapes(home, made) {
            // Of calls that nobody sees, what they pass is not known.
            let chosen = self.choose(Point::Unseen(home, made), 2).ok_or(wrong(Reason::Dependent))?;
            if chosen == 1 {
                return Err(wrong(Reason::Unlisted));
            }
        }
        let all = self.calls_of(home);
        let of = of_class(&all, made);
        if of.len() > MAX_SITES {
            return Err(wrong(Reason::Instances));
        }
        let (mut argument, mut rest) = (None, Rest::Defaults);
        if !of.is_empty() {
            let chosen = self.chosen(&of, (home, made, place), name).ok_or(wrong(Reason::Dependent))?;
            let Some(called) = of.get(chosen) else { return Err(wrong(Reason::Dependent)) };
            let Some(Expr::Call(_, arguments)) = self.module(called.module).map(|module| module.expr(called.call))
            else {
                return Err(wrong(Reason::Dependent));
            };
            let at = At { module: called.module, scope: called.scope, frame: None };
            if let Some(value) = self.unpacked(arguments, place, name, called, &at, site, depth) {
                return value;
            }
            argument = self.argument(called, place, name);
            rest = called.rest;
        }
        match (argument, default) {
            (Some((value, at)), _) => self.expr(value, &at, depth + 1),
            (None, _) if rest == Rest::Object => Err(wrong(Reason::Dependent)),
            (None, Some(default)) if rest == Rest::Defaults => self.expr(default, around, depth + 1),
            (None, _) => Err(wrong(Reason::Unlisted)),
        }
    }

    /// What a call that unpacks arguments passes for a parameter; nothing where that is written out, or is the default.
    #[expect(clippy::too_many_arguments, reason = "a call, a parameter, and where both are asked for")]
    pub(super) fn unpacked(
        &mut self,
        arguments: &'a [Argument],
        place: usize,
        name: &str,
        called: &Called,
        at: &At,
        site: Site,
        depth: usize,
    ) -> Option<Resolved<Value>> {
        let wrong = Unresolved { reason: Reason::Call, site };
        if arguments.iter().any(|argument| argument.name.as_deref() == Some(name)) {
            return None;
        }
        let mut left = place.checked_sub(called.bound).map(|place| place + called.skip);
        let mut starred = false;
        for argument in arguments {
            match argument.name.as_deref() {
                // Behind `*values`, what is written out is further back.
                None if left == Some(0) => return starred.then(|| self.expr(argument.value, at, depth + 1)),
                None => left = left.map(|left| left - 1),
                Some("*") => match self.expr(argument.value, at, depth + 1) {
                    Ok(Value::Tuple(items)) => {
                        let Some(all) = left else { continue };
                        if let Some(item) = items.all.get(all) {
                            return Some(match item {
                                Value::Unknown(why) => Err(*why),
                                item => Ok(item.clone()),
                            });
                        }
                        (left, starred) = (Some(all - items.all.len()), true);
                    }
                    // What is passed elsewhere by the parameter's name is no guess for what is passed here.
                    Err(Unresolved { reason: Reason::RunTime, site }) => {
                        return Some(Err(Unresolved { reason: Reason::RunTime, site }));
                    }
                    _ => return Some(Err(wrong)),
                },
                Some("**") => match self.expr(argument.value, at, depth + 1) {
                    Ok(Value::Dict(pairs, made)) => {
                        if let Err(why) = self.settled(argument.value, at, made, site) {
                            return Some(Err(why));
                        }
                        let mut found = None;
                        for (key, value) in pairs.iter() {
                            match key {
                                Value::Text(key) if **key == *name => found = Some(value),
                                Value::Text(_) => {}
                                _ => return Some(Err(wrong)),
                            }
                        }
                        match found {
                            Some(Value::Unknown(why)) => return Some(Err(*why)),
                            Some(value) => return Some(Ok(value.clone())),
                            None => {}
                        }
                    }
                    Err(Unresolved { reason: Reason::RunTime, site }) => {
                        return Some(Err(Unresolved { reason: Reason::RunTime, site }));
                    }
                    _ => return Some(Err(wrong)),
                },
                Some(_) => {}
            }
        }
        None
    }

    /// Chooses one of what calls pass for a parameter: calls that pass the same are one, until another parameter tells them apart.
    pub(super) fn chosen(&mut self, of: &[&Called], key: (Home, Option<Home>, usize), name: &str) -> Option<usize> {
        let (home, made, place) = key;
        let world = self.world.as_mut()?;
        if let Some(known) = world.passed(&key) {
            return Some(known);
        }
        let left = world.left(&(home, made));
        let mut groups: Vec<(Words<'_>, u64, usize)> = Vec::new();
        let origin = made.and_then(|made| world.origin(made)).map(|origin| origin.site);
        let by_origin = origin.and_then(|origin| of.iter().position(|called| self.is_at(called, origin)));
        let meant = |index: usize| left >> index & 1 == 1 && by_origin.is_none_or(|only| only == index);
        for (index, called) in of.iter().enumerate().filter(|(index, _)| meant(*index)) {
            let words = self.words(called, place, name);
            match groups.iter_mut().find(|(known, ..)| *known == words) {
                Some((_, bits, _)) => *bits |= 1 << index,
                None => groups.push((words, 1 << index, index)),
            }
        }
        // Where one call is left nothing needs to be chosen; but in another world it may be another one.
        if let ([(.., first)], Some(world)) = (groups.as_slice(), self.world.as_mut().filter(|world| world.frozen)) {
            world.asked += 1;
            return Some(*first);
        }
        let point = Point::Call(home, made, place);
        let chosen = self.choose(point, groups.len())?;
        let (_, bits, first) = groups.get(chosen)?;
        self.world.as_mut()?.pass(key, &point, *bits, *first);
        Some(*first)
    }

    /// Whether a call stands at a place.
    fn is_at(&self, called: &Called, site: Site) -> bool {
        let at = At { module: called.module, scope: called.scope, frame: None };
        self.site(called.call, &at) == site
    }

    /// An object is used that a call has made: in one world only one of each class, and its parameters have what that call gives them.
    pub(super) fn made_by(&mut self, home: Home, origin: &Origin, site: Site) -> Resolved<()> {
        let Some(world) = self.world.as_mut() else { return Ok(()) };
        if let Some(known) = world.origin(home) {
            // Their attributes are kept by the class alone.
            return if known == *origin { Ok(()) } else { Err(Unresolved { reason: Reason::Ambiguous, site }) };
        }
        let of_it = world.chosen().into_iter().filter(|((_, made), ..)| *made == Some(home));
        let chosen: Vec<Callee> = of_it.map(|(of, ..)| of).collect();
        for (function, made) in chosen {
            let bits = self.world.as_mut().map_or(u64::MAX, |world| world.left(&(function, made)));
            let calls = self.calls_of(function);
            let of = of_class(&calls, Some(home));
            if let Some(own) = of.iter().position(|called| self.is_at(called, origin.site))
                && bits >> own & 1 == 0
            {
                // Another call was meant.
                return Err(Unresolved { reason: Reason::Dependent, site });
            }
        }
        if let Some(world) = self.world.as_mut() {
            // What is only looked at comes back to the objects that were used before.
            self.cuts += usize::from(world.frozen);
            world.set_origin(home, origin.clone());
        }
        Ok(())
    }

    /// The text of an argument, and where it stands unless it is a plain constant.
    fn words(&self, called: &Called, place: usize, name: &str) -> Words<'a> {
        let own = Some(Home { module: called.module, scope: called.scope });
        let text = |module: usize, of: ExprId| {
            let of = self.module(module).map(|module| (module, module.span(of)));
            let source = of.and_then(|(module, _)| self.files.sources.get(module.file));
            source.zip(of).and_then(|(source, (_, span))| source.text.get(span.range())).unwrap_or_default()
        };
        if name.starts_with('*') {
            return (text(called.module, called.call), own);
        }
        let Some(module) = self.module(called.module) else { return ("", own) };
        let Expr::Call(_, arguments) = module.expr(called.call) else { return ("", own) };
        let unpacks = arguments.iter().any(|argument| matches!(argument.name.as_deref(), Some("*" | "**")));
        let Some((value, at)) = self.argument(called, place, name) else {
            return if unpacks { (text(called.module, called.call), own) } else { ("", None) };
        };
        let Some(module) = self.module(at.module) else { return ("", own) };
        let plain = matches!(module.expr(value), Expr::Integer(_) | Expr::Bool(_) | Expr::None | Expr::Text(_));
        let own = Home { module: at.module, scope: at.scope };
        (text(at.module, value), (!plain).then_some(own))
    }

    /// What a call passes for a parameter, and where that stands.
    fn argument(&self, called: &Called, place: usize, name: &str) -> Option<(ExprId, At)> {
        let arguments = |module: usize, call: ExprId| match self.module(module)?.expr(call) {
            Expr::Call(_, arguments) => Some(arguments),
            _ => None,
        };
        let own = arguments(called.module, called.call)?;
        let here = At { module: called.module, scope: called.scope, frame: None };
        let Some((module, call, scope)) = called.before else {
            // Whoever calls it may give another one.
            let again = |own: &Argument| own.name.as_deref() == Some(name);
            if called.rest == Rest::Later && self.sites.calls.given_later.contains(name) && own.iter().any(again) {
                return None;
            }
            return Some((picked(own, place, name, (called.skip, called.bound))?, here));
        };
        // What is named later counts; by place come those first that were given first.
        if let Some(later) = own.iter().find(|argument| argument.name.as_deref() == Some(name)) {
            return Some((later.value, here));
        }
        let first = arguments(module, call)?;
        if let Some(value) = picked(first, place, name, (1, called.bound)) {
            return Some((value, At { module, scope, frame: None }));
        }
        let given = first.iter().take_while(|argument| argument.name.is_none()).count().checked_sub(1)?;
        Some((picked(own, place, name, (0, called.bound.checked_add(given)?))?, here))
    }

    /// Where the calls stand that were chosen, and the choices that left these.
    pub(super) fn chosen_calls(&mut self) -> Vec<(Called, Choices)> {
        let chosen: Vec<_> = self.world.iter().flat_map(World::chosen).collect();
        let mut all = Vec::new();
        for ((home, made), bits, on) in chosen {
            let calls = self.calls_of(home);
            let of = of_class(&calls, made);
            // Where several are meant, one of them may be reached.
            if bits.is_power_of_two() {
                all.extend(of.get(bits.trailing_zeros() as usize).map(|called| (**called, on)));
            }
        }
        all
    }
}

/// The calls that make an object of just this class, if there are any; or else all.
pub(super) fn of_class(all: &[Called], made: Option<Home>) -> Vec<&Called> {
    let own: Vec<&Called> = all.iter().filter(|one| made.is_some() && one.class == made).collect();
    if own.is_empty() { all.iter().collect() } else { own }
}

/// The argument for a parameter: behind some that are none of the function's own, and behind parameters that are bound.
fn picked(arguments: &[Argument], place: usize, name: &str, (skip, bound): (usize, usize)) -> Option<ExprId> {
    let named = arguments.iter().find(|argument| argument.name.as_deref() == Some(name));
    let by_place = || {
        let place = place.checked_sub(bound)? + skip;
        arguments.iter().take_while(|argument| argument.name.is_none()).nth(place)
    };
    named.or_else(by_place).map(|argument| argument.value)
}
