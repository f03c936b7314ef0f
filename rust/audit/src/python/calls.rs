//! Calls: of libraries, and of functions of the files as far as their statements are followed.

use std::rc::Rc;

use super::compositions::Composition;
use super::cute;
use super::evaluate::{At, Evaluator, Frame, Refused, Slot, key};
use super::memory::Memory;
use super::rounds::loop_around;
use super::tree::{Argument, Expr, ExprId, Kind, MODULE};
use super::value::{Home, Made, Value};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Calls of libraries of all questions.
const MAX_CALLS: usize = 400_000;

/// Calls of the algebra without a result, of all questions: a refusal looks for what is near, which takes long.
const MAX_FAILURES: usize = 2_000;

/// Arguments of a call.
const MAX_ARGUMENTS: usize = 256;

/// Parameters and decorators of a function that is called.
const MAX_PARAMETERS: usize = 64;

/// How deep what is asked may be for `partial` to be looked into.
const MAX_PARTIAL: usize = 90;

/// What a function is given.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// By place.
    pub(super) placed: Vec<Value>,
    /// By name.
    pub(super) named: Vec<(Rc<str>, Value)>,
}

impl Given {
    /// Gives something by name: what has the name already is no longer given.
    fn name(&mut self, name: Rc<str>, value: Value) {
        self.named.retain(|(known, _)| *known != name);
        self.named.push((name, value));
    }
}

impl<'a> Evaluator<'a> {
    pub(super) fn call(
        &mut self,
        (call, callee): (ExprId, ExprId),
        arguments: &'a [Argument],
        at: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let (own, cuts) = (self.site(callee, at), self.cuts);
        let callee = match self.module(at.module).map(|module| module.expr(callee)) {
            Some(Expr::Attribute(of, name)) => {
                let dictionary = *of;
                if &**name == "parse_args"
                    && let Some(value) = self.command_line(call, at, site)
                {
                    return Ok(value);
                }
                let of = self.expr(dictionary, at, depth + 1)?;
                if let Some(answer) = self.method_of((&of, dictionary), name, arguments, at, site, depth + 1) {
                    return answer;
                }
                self.attribute(&of, name, own, depth + 1)?
            }
            Some(Expr::Name(name)) if &**name == "type" && arguments.len() == 1 => {
                match (self.expr(callee, at, depth + 1), arguments.first()) {
                    (Err(why), Some(Argument { name: None, value })) if why.reason == Reason::UnknownName => {
                        return match self.expr(*value, at, depth + 1)? {
                            Value::Object(home, _) => Ok(Value::Class(home)),
                            _ => Err(why),
                        };
                    }
                    (callee, _) => callee?,
                }
            }
            _ => self.expr(callee, at, depth + 1)?,
        };
        match &callee {
            Value::Class(home) if self.is_made_otherwise(*home) => return Err(wrong(Reason::Call)),
            // What a class makes is an object of it, whatever it is made of.
            Value::Class(home) if let Some(laid) = self.overlaid(*home, arguments.len()) => return Ok(laid),
            Value::Class(home) => return Ok(self.object(*home, call, at, site)),
            // The same but for some fields: what they are is listed with the calls of the class.
            Value::Library(path) if &**path == "dataclasses.replace" => {
                let first = arguments.first().filter(|first| first.name.is_none()).ok_or(wrong(Reason::Call))?;
                return match self.expr(first.value, at, depth + 1) {
                    Ok(Value::Object(home, _)) => Ok(self.object(home, call, at, site)),
                    Ok(_) => Err(wrong(Reason::Call)),
                    // `self.config = replace(self.config, …)`: of the class that it was before.
                    Err(Unresolved { reason: Reason::TooDeep, .. }) if self.trying() => Err(wrong(Reason::Dependent)),
                    Err(why) => Err(why),
                };
            }
            Value::Library(path) if &**path == "types.SimpleNamespace" => return Ok(self.namespace(call, at, site)),
            Value::Library(path) if &**path == "functools.partial" => return Ok(self.partial(call, at, site)),
            Value::Library(path) if &**path == "getattr" => {
                return self.get_attribute(arguments, at, site, depth + 1);
            }
            Value::Library(path) => {
                let taken = self.taken(path, arguments, at, site, depth + 1);
                if let Some(value) = taken.or_else(|| self.factory(path, arguments, at, site, depth + 1)) {
                    return value;
                }
            }
            _ => {}
        }
        let (callee, mut given) = match callee {
            Value::Partial(made) => self.opened(&made, depth + 1)?,
            callee => (callee, Given::default()),
        };
        if let Value::Function(home, object) = callee {
            return self.called((home, object), given, arguments, at, (site, cuts), depth);
        }
        let operates = matches!(callee, Value::Library(_));
        self.give(arguments, at, (site, operates), &mut given, depth)?;
        let Given { placed, named: all } = given;
        let named: Vec<(&str, Value)> = all.iter().map(|(name, value)| (&**name, value.clone())).collect();
        match callee {
            Value::Library(_) if !self.trying() && self.calls >= MAX_CALLS => Err(wrong(Reason::Work)),
            Value::Library(path) if !self.trying() && self.failures >= MAX_FAILURES && cute::is_algebra(&path) => {
                Err(wrong(Reason::Work))
            }
            Value::Library(path) => match self.count(|| cute::call(&path, &placed, &named, site)) {
                // A function of which nothing is known, of a value that is not known either: that says more.
                cute::Answer::Value(Err(own @ Unresolved { reason: Reason::Call, .. })) => {
                    let all = placed.iter().chain(named.iter().map(|(_, value)| value));
                    let known = !all.into_iter().any(|value| value.unknown(0).is_some());
                    if known && cute::is_algebra(&path) {
                        self.failed();
                    }
                    Err(unknown(&placed, &named).unwrap_or(own))
                }
                cute::Answer::Value(value) => value,
                cute::Answer::Composition(one) => {
                    self.failed();
                    let known = |all: &[Composition]| all.len() >= 4_096 || all.iter().any(|one| one.site == site);
                    if !self.trying() && !known(&self.composed) {
                        self.composed.push(*one);
                    }
                    Err(wrong(Reason::Call))
                }
                cute::Answer::Refused(what, why) => {
                    self.failed();
                    if !self.trying() && !self.refused.iter().any(|one| one.site == site) && self.refused.len() < 4_096
                    {
                        self.refused.push(Refused { site, what, why });
                    }
                    Err(wrong(Reason::Call))
                }
            },
            Value::Unknown(why) => Err(why),
            _ => Err(wrong(Reason::Call)),
        }
    }

    /// A call of a function of the files. What is written out is worked out where the function asks for it.
    fn called(
        &mut self,
        (home, object): (Home, Option<Home>),
        mut given: Given,
        arguments: &'a [Argument],
        at: &At,
        (site, cuts): (Site, usize),
        depth: usize,
    ) -> Resolved<Value> {
        let unpacks = arguments.iter().any(|argument| matches!(argument.name.as_deref(), Some("*" | "**")));
        let later: &[Argument] = if unpacks { &[] } else { arguments };
        if unpacks {
            self.give(arguments, at, (site, false), &mut given, depth)?;
        }
        let mut placed: Vec<Slot> = given.placed.into_iter().map(Slot::Known).collect();
        // What is named again counts.
        let again = |name: &str| later.iter().any(|argument| argument.name.as_deref() == Some(name));
        let before = given.named.iter().filter(|(name, _)| !again(name));
        let mut named: Vec<(&str, Slot)> = before.map(|(name, value)| (&**name, Slot::Known(value.clone()))).collect();
        for argument in later {
            let slot = Slot::Later(argument.value, at.clone());
            match argument.name.as_deref() {
                None => placed.push(slot),
                Some(name) => named.push((name, slot)),
            }
        }
        let known = |slot: &Slot| match slot {
            Slot::Known(value) => value.unknown(0),
            Slot::Later(..) => None,
        };
        let why = placed.iter().chain(named.iter().map(|(_, slot)| slot)).find_map(known);
        let within = (site, at.key(), at.scope != MODULE, cuts);
        match self.function(home, object, placed, &named, within, depth + 1) {
            // A function of which nothing is known, of a value that is not known either: that says more.
            Err(own) if own.reason == Reason::Call => {
                let asked = |argument: &Argument| {
                    self.expr(argument.value, at, depth + 1).unwrap_or_else(Value::Unknown).unknown(0)
                };
                Err(why.or_else(|| later.iter().find_map(asked)).unwrap_or(own))
            }
            result => result,
        }
    }

    /// Adds what a call gives by place and by name; what it names again counts.
    pub(super) fn give(
        &mut self,
        arguments: &'a [Argument],
        at: &At,
        (site, operates): (Site, bool),
        given: &mut Given,
        depth: usize,
    ) -> Resolved<()> {
        let wrong = |reason| Unresolved { reason, site };
        let operating = usize::from(operates);
        for argument in arguments {
            self.operating += operating;
            let value = self.expr(argument.value, at, depth + 1).unwrap_or_else(Value::Unknown);
            self.operating -= operating;
            match argument.name.as_deref() {
                None => given.placed.push(value),
                Some("*") => match value {
                    Value::Tuple(items) if given.placed.len() + items.all.len() <= MAX_ARGUMENTS => {
                        given.placed.extend(items.all.iter().cloned());
                    }
                    other => return Err(other.unknown(0).unwrap_or(wrong(Reason::Expression))),
                },
                Some("**") => {
                    let Value::Dict(pairs, made) = &value else {
                        return Err(value.unknown(0).unwrap_or(wrong(Reason::Expression)));
                    };
                    self.settled(argument.value, at, *made, site)?;
                    for (key, value) in pairs.iter() {
                        let Value::Text(key) = key else { return Err(wrong(Reason::Expression)) };
                        given.name(key.clone(), value.clone());
                    }
                }
                Some(name) => given.name(name.into(), value),
            }
        }
        Ok(())
    }

    /// What `partial(f, …)` calls in the end, and what it gives that.
    // Recursion: to a fixed depth.
    pub(super) fn opened(&mut self, made: &Made, depth: usize) -> Resolved<(Value, Given)> {
        let wrong = Unresolved { reason: Reason::Call, site: made.site };
        if depth > MAX_PARTIAL {
            return Err(Unresolved { reason: Reason::TooDeep, site: made.site });
        }
        let Some(Expr::Call(_, arguments)) = self.module(made.at.module).map(|module| module.expr(made.call)) else {
            return Err(wrong);
        };
        let (first, rest) = arguments.split_first().filter(|(first, _)| first.name.is_none()).ok_or(wrong)?;
        let (of, mut given) = match self.expr(first.value, &made.at, depth + 1)? {
            Value::Partial(inner) => self.opened(&inner, depth + 1)?,
            of => (of, Given::default()),
        };
        let operates = matches!(of, Value::Library(_));
        self.give(rest, &made.at, (made.site, operates), &mut given, depth)?;
        Ok((of, given))
    }

    /// `getattr(of, "name", default)`.
    fn get_attribute(&mut self, arguments: &'a [Argument], at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let wrong = Unresolved { reason: Reason::Call, site };
        let (of, name, default) = match arguments {
            [of, name] => (of, name, None),
            [of, name, default] => (of, name, Some(default)),
            _ => return Err(wrong),
        };
        if arguments.iter().any(|argument| argument.name.is_some()) {
            return Err(wrong);
        }
        let of = self.expr(of.value, at, depth + 1)?;
        let Some(Expr::Text(name)) = self.module(at.module).map(|module| module.expr(name.value)) else {
            return Err(wrong);
        };
        match (self.attribute(&of, name, site, depth + 1), default) {
            // Only of an object is it known that there is none.
            (Err(Unresolved { reason: Reason::UnknownMember, .. }), Some(default))
                if matches!(of, Value::Object(..)) =>
            {
                self.expr(default.value, at, depth + 1)
            }
            (value, _) => value,
        }
    }

    /// Methods of dictionaries and of what the DSL makes.
    fn method_of(
        &mut self,
        (of, written): (&Value, ExprId),
        name: &str,
        arguments: &'a [Argument],
        at: &At,
        site: Site,
        depth: usize,
    ) -> Option<Resolved<Value>> {
        let plain = arguments.iter().all(|argument| argument.name.is_none());
        match (of, name, arguments) {
            (Value::Dict(pairs, made), "get", [key, rest @ ..]) if plain && rest.len() < 2 => {
                let default = match rest.first() {
                    None => Value::None,
                    Some(default) => self.expr(default.value, at, depth + 1).unwrap_or_else(Value::Unknown),
                };
                let found = self.expr(key.value, at, depth + 1);
                // One more that it may be: what stands there for every other key.
                let known = found
                    .as_ref()
                    .ok()
                    .is_some_and(|key| Self::comparable(key) && pairs.iter().all(|(one, _)| Self::comparable(one)));
                let mut pairs = pairs.to_vec();
                match &found {
                    Ok(key) if known && !pairs.iter().any(|(one, _)| one.same(key)) => {
                        pairs.push((key.clone(), default));
                    }
                    _ if known => {}
                    _ => pairs.push((Value::None, default)),
                }
                let changes = self.may_change(written, at, *made);
                Some(self.looked_up(&pairs, found, (at.module, key.value, at.key()), changes, site))
            }
            (Value::Dict(pairs, made), "items" | "keys" | "values", []) => {
                let all = pairs.iter().map(|(key, value)| match name {
                    "items" => Value::tuple(vec![key.clone(), value.clone()], site),
                    "keys" => Ok(key.clone()),
                    _ => Ok(value.clone()),
                });
                let all = all.collect::<Resolved<Vec<_>>>();
                Some(self.settled(written, at, *made, site).and(all).and_then(|all| Value::tuple(all, site)))
            }
            (Value::Number(number, ..), "bit_length", []) => {
                let bits = u128::BITS - number.unsigned_abs().leading_zeros();
                Some(Ok(Value::number(i128::from(bits), site)))
            }
            (Value::Mma(of), "get_tile_size", [mode]) if plain => {
                let mode = self.expr(mode.value, at, depth + 1);
                Some(mode.and_then(|mode| of.tile_size(&mode, site)))
            }
            (Value::Mma(_), "get_slice", [_]) => Some(Ok(of.clone())),
            // An object of a class has its own methods.
            (Value::Memory(memory), ..) if !matches!(**memory, Memory::Block(..)) => {
                Some(self.memory_method(memory, name, arguments, at, (site, depth)))
            }
            _ => None,
        }
    }

    fn count<T>(&mut self, call: impl FnOnce() -> T) -> T {
        if self.trying() {
            self.work += 5;
        } else {
            self.calls += 1;
        }
        call()
    }

    fn failed(&mut self) {
        if self.trying() {
            self.work += 10_000;
        } else {
            self.failures += 1;
        }
    }

    /// A function of the files that is one expression of its arguments.
    pub(super) fn function(
        &mut self,
        home: Home,
        object: Option<Home>,
        placed: Vec<Slot>,
        named: &[(&str, Slot)],
        (site, outer, kernel, cuts): (Site, u64, bool, usize),
        depth: usize,
    ) -> Resolved<Value> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let module = self.module(home.module).ok_or(unknown)?;
        let Some(Kind::Function(function) | Kind::Lambda(function)) = module.scope(home.scope).map(|scope| &scope.kind)
        else {
            return Err(unknown);
        };
        let plain =
            ["staticmethod", "classmethod", "property", "cached_property", "cache", "lru_cache", "constexpr_function"];
        // Within a kernel these are Python; called from outside they make one.
        let inlined = ["jit", "dsl_user_op"];
        if function.parameters.len().max(function.decorators.len()) > MAX_PARAMETERS || function.yields {
            return Err(unknown);
        }
        let ours = function.decorators.iter().all(|one| {
            // `@lru_cache(maxsize=None)`
            let one = match module.expr(*one) {
                Expr::Call(of, _) if self.decorated(home.module, &[*of], &["lru_cache"]) => of,
                _ => one,
            };
            self.decorated(home.module, &[*one], &plain) || kernel && self.decorated(home.module, &[*one], &inlined)
        });
        // Of a class that is not made, or that is not called: whoever comes here stops.
        if function.raises && function.returns.is_empty() && self.trying() {
            return Err(Unresolved { reason: Reason::Dependent, site });
        }
        if !ours {
            return Err(unknown);
        }
        let at = self.entered(home, object, placed, named, (site, outer, cuts))?;
        let all: Vec<_> = function.returns.iter().filter_map(|one| one.value).map(|value| (value, &at)).collect();
        let looped = function.returns.iter().any(|one| matches!(loop_around(module, one.path), Ok(Some(_))));
        if all.len() > 1
            && self.trying()
            && let Some(value) = self.alike(&all, depth)
            // Which round it is may be known.
            && (!looped || value.is_ok())
        {
            return value;
        }
        let mut gone = None;
        for one in &function.returns {
            let around = loop_around(module, one.path).map_err(|()| unknown)?;
            if let Some(id) = around {
                if gone != around
                    && let Some(value) = self.rounds((home, function), id, &at, site, depth)?
                {
                    return Ok(value);
                }
                gone = around;
                continue;
            }
            if !self.returns(one.path, None, &at, site, depth)? {
                continue;
            }
            return match one.value {
                Some(value) => self.expr(value, &at, depth + 1),
                None => Ok(Value::None),
            };
        }
        match function.raises && looped {
            _ if function.returns.is_empty() => Err(unknown),
            false => Ok(Value::None),
            // No round returned.
            true => Err(Unresolved { reason: if self.trying() { Reason::Dependent } else { Reason::Call }, site }),
        }
    }

    /// Where the expressions of a function stand when it is called so.
    pub(super) fn entered(
        &mut self,
        home: Home,
        object: Option<Home>,
        placed: Vec<Slot>,
        named: &[(&str, Slot)],
        (site, outer, cuts): (Site, u64, usize),
    ) -> Resolved<At> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let module = self.module(home.module).ok_or(unknown)?;
        let Some(Kind::Function(function) | Kind::Lambda(function)) = module.scope(home.scope).map(|scope| &scope.kind)
        else {
            return Err(unknown);
        };
        // A lambda in a class is no method where it is called by itself.
        let of_class = module
            .scope(home.scope)
            .filter(|scope| matches!(scope.kind, Kind::Function(_)))
            .and_then(|scope| module.scope(scope.parent?))
            .is_some_and(|scope| matches!(scope.kind, Kind::Class { .. }));
        let fixed = self.decorated(home.module, &function.decorators, &["staticmethod"]);
        let mut values: Vec<Option<Slot>> = Vec::new();
        if let (Some(object), true, false) = (object, of_class, fixed) {
            let class = self.decorated(home.module, &function.decorators, &["classmethod"]);
            values.push(Some(Slot::Known(if class { Value::Class(object) } else { Value::Object(object, None) })));
        } else if of_class && !fixed {
            return Err(unknown);
        }
        values.extend(placed.into_iter().map(Some));
        if values.len() > function.placed {
            return Err(unknown);
        }
        values.resize(function.parameters.len(), None);
        for (name, value) in named {
            let place = function.parameters.iter().position(|one| **one == **name).ok_or(unknown)?;
            match values.get_mut(place) {
                Some(slot @ None) => *slot = Some(value.clone()),
                _ => return Err(unknown),
            }
        }
        let around = module.scope(home.scope).and_then(|scope| scope.parent).unwrap_or(MODULE);
        let mut complete = Vec::with_capacity(values.len());
        for (value, default) in values.into_iter().zip(&function.defaults) {
            complete.push(match (value, default) {
                (Some(value), _) => value,
                (None, Some(default)) => {
                    let at = At { module: home.module, scope: around, frame: None };
                    Slot::Later(*default, at)
                }
                (None, None) => return Err(unknown),
            });
        }
        let values = complete.into_iter().map(Some).collect();
        let own = key(outer, &[home.module, home.scope.0 as usize, site.unit as usize, site.span.start as usize]);
        let frame = Some(Rc::new(Frame { home, values, key: own, outer: None, hangs: self.hangs(cuts), over: None }));
        Ok(At { module: home.module, scope: home.scope, frame })
    }
}

/// The first argument that is not known.
fn unknown(placed: &[Value], named: &[(&str, Value)]) -> Option<Unresolved> {
    placed.iter().chain(named.iter().map(|(_, value)| value)).find_map(|value| value.unknown(0))
}
