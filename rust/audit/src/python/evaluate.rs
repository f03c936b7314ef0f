//! Names and expressions to values. What a name is bound to at two places that differ, or by the run of the program, is not known:
//! the order in which statements run is not followed. It recurses to a fixed depth and takes only so many steps.

use foldhash::{HashMap, HashMapExt as _};
use std::rc::Rc;

use super::calls::Given;
use super::compositions::Composition;
use super::cute;
use super::files::Files;
pub(super) use super::frame::key;
pub use super::frame::{At, Frame, Hangs, Slot};
use super::index::Calls;
use super::mentioned::Escaped;
use super::operators::operate;
use super::runs::Up;
use super::sites::Sites;
use super::stored::Outside;
use super::tree::{Comprehension, Expr, ExprId, Module, Op};
use super::value::{Home, Value, derived};
use super::world::{Point, World};
use crate::ast::{Site, Span};
use crate::eval::{Reason, Resolved, Unresolved};

/// How deep one question may lead.
pub(super) const MAX_DEPTH: usize = 100;

/// Steps of one question.
pub(super) const MAX_STEPS: usize = 20_000;

/// Steps of all questions.
const MAX_WORK: usize = 50_000_000;

/// Places that bind one name and that are compared.
pub(super) const MAX_BINDINGS: usize = 8;

/// Items that are gone through.
pub(super) const MAX_ITEMS: usize = 64;

/// A call that CuTe answers and the definition refuses.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The call.
    pub site: Site,
    /// What it is.
    pub what: String,
    /// The refusal in words.
    pub why: String,
}

/// A binding that is worked out: which, what was chosen by then, and how many attributes were asked for.
pub(super) type Round = ((u64, usize, u32), (usize, usize, bool), usize, usize);

/// Works out what expressions come to.
#[derive(Debug)]
pub struct Evaluator<'a> {
    pub(super) files: &'a Files<'a>,
    /// What bindings come to, by the loops that are over, file and place, where nothing was chosen and no function is called.
    pub(super) known: HashMap<(u64, usize, u32), Resolved<Value>>,
    /// The calls of functions.
    pub(super) sites: Sites<'a>,
    /// Classes with their bases, in the order in which attributes are looked for.
    pub(super) orders: HashMap<Home, Rc<Vec<Home>>>,
    /// Classes with those that inherit from them.
    pub(super) heirs: HashMap<Home, Rc<[Home]>>,
    /// Names of libraries, and whether some file stores something in them.
    pub(super) restored: HashMap<(Rc<str>, &'a str), bool>,
    /// What is stored in attributes of the objects of a class from outside of it.
    pub(super) outside: HashMap<(Home, &'a str), Outside>,
    /// Where methods of a class call those of its bases by a name.
    pub(super) up: HashMap<(Home, &'a str), Up>,
    /// Attributes of which the value is looked for elsewhere.
    pub(super) handed: Vec<(Home, &'a str)>,
    /// Whether attributes of a name may be stored in objects of no class of the files that a file makes.
    pub(super) in_namespaces: HashMap<(&'a str, usize), bool>,
    /// Classes of which objects hold what they are made with.
    pub(super) plain: HashMap<Home, bool>,
    /// Whether dictionaries that have a name are only read.
    pub(super) only_read: HashMap<(Home, &'a str), bool>,
    /// What expressions that something is stored in may be, by the file.
    pub(super) kinds: HashMap<(usize, ExprId), Option<Vec<Home>>>,
    /// Steps for that.
    pub(super) judged: usize,
    /// What is chosen; nothing while only what is certain counts.
    pub(super) world: Option<World<'a>>,
    pub(super) steps: usize,
    pub(super) work: usize,
    /// Steps for what the code lists.
    pub(super) tried: usize,
    /// Steps for what the code lists that one layout may take.
    pub share: usize,
    /// Ways to choose that are tried at most.
    pub most: usize,
    /// Calls of libraries, which cost more than a step.
    pub(super) calls: usize,
    pub(super) failures: usize,
    /// How many operators and functions of libraries are around what is asked.
    pub(super) operating: usize,
    /// Whether tests hold, where nothing was chosen for that: nothing for those that are not known.
    pub(super) settled: HashMap<(usize, ExprId), Option<bool>>,
    /// What may be called from where nobody looks, once it was asked.
    pub(super) escaped: Option<Rc<Escaped<'a>>>,
    /// Whether functions are, for objects of a class.
    pub(super) unseen: HashMap<(Home, Option<Home>), bool>,
    /// Functions, and whether a decorator calls them with something else than it is given.
    pub(super) replaced: HashMap<Home, bool>,
    /// Functions and classes of a file, and whether another one is stored in their name.
    pub(super) patched: HashMap<(usize, &'a str), bool>,
    /// Classes, and whether `__new__` makes objects of another one.
    pub(super) made_otherwise: HashMap<Home, bool>,
    /// The parts of conditional expressions of a file, with the test and what it must come to.
    pub(super) choices: HashMap<usize, Rc<[super::dead::Part]>>,
    /// Whether loops surely run, where no function is called.
    pub(super) looped: HashMap<(usize, ExprId, u64), Option<bool>>,
    /// Whether what is asked for raises where it is wrong.
    pub(super) raising: bool,
    /// Calls, and whether they are there to be refused; blocks of files in which something is, and whether their text says so.
    pub(super) failing: HashMap<(usize, ExprId, bool, bool), bool>,
    pub(super) blocks: HashMap<usize, (Rc<[Span]>, bool)>,
    /// Steps of questions whether calls run.
    pub(super) guarded: usize,
    /// Whether tests surely hold, where no function is called.
    pub(super) certain: HashMap<(usize, ExprId), Option<bool>>,
    /// Bindings that are being worked out, and what was chosen by then.
    pub(super) rounds: Vec<Option<Round>>,
    /// How often what asks for itself was not followed further.
    pub(super) cuts: usize,
    /// Kernels in which nothing that is written may hold threads back, with the names that hang on which thread it is.
    pub(super) unheld: HashMap<Home, Option<Rc<super::memory::ByThreads>>>,
    /// What leaves, in each file.
    pub(super) guards: HashMap<usize, Rc<super::guards::Guards>>,
    /// What the programs of files are started with.
    pub(super) started: HashMap<usize, super::started::Started<'a>>,
    /// Attributes that are being asked for, and how many of them were around each.
    pub(super) storing: Vec<(Home, &'a str, usize)>,
    /// What the library refused, although CuTe would not.
    pub refused: Vec<Refused>,
    /// Compositions and divisions that the library refused, and CuTe may answer.
    pub composed: Vec<Composition>,
}

impl<'a> Evaluator<'a> {
    /// For some files, and their calls.
    pub fn new(files: &'a Files<'a>, calls: &'a Calls<'a>) -> Self {
        Self {
            files,
            known: HashMap::new(),
            sites: Sites::of(calls),
            orders: HashMap::new(),
            heirs: HashMap::new(),
            restored: HashMap::new(),
            outside: HashMap::new(),
            up: HashMap::new(),
            handed: Vec::new(),
            in_namespaces: HashMap::new(),
            plain: HashMap::new(),
            only_read: HashMap::new(),
            kinds: HashMap::new(),
            judged: 0,
            world: None,
            steps: 0,
            work: 0,
            tried: 0,
            share: super::tried::MAX_TRIED_ONCE,
            most: super::tried::MAX_WORLDS,
            calls: 0,
            failures: 0,
            operating: 0,
            settled: HashMap::new(),
            escaped: None,
            unseen: HashMap::new(),
            replaced: HashMap::new(),
            patched: HashMap::new(),
            made_otherwise: HashMap::new(),
            choices: HashMap::new(),
            looped: HashMap::new(),
            raising: false,
            failing: HashMap::new(),
            blocks: HashMap::new(),
            guarded: 0,
            certain: HashMap::new(),
            rounds: Vec::new(),
            cuts: 0,
            unheld: HashMap::new(),
            guards: HashMap::new(),
            started: HashMap::new(),
            storing: Vec::new(),
            refused: Vec::new(),
            composed: Vec::new(),
        }
    }

    /// Begins a new question.
    pub fn ask(&mut self, expr: ExprId, at: &At) -> Resolved<Value> {
        self.steps = MAX_STEPS;
        self.expr(expr, at, 0)
    }

    pub(super) fn module(&self, index: usize) -> Option<&'a Module> {
        self.files.modules.get(index)
    }

    /// Where an expression stands.
    pub fn site(&self, expr: ExprId, at: &At) -> Site {
        let span = self.module(at.module).map_or_else(Span::default, |module| module.span(expr));
        Site { unit: u32::try_from(at.module).unwrap_or(u32::MAX), span }
    }

    /// The arguments of a call, one for each parameter of these names; nothing where they cannot be told.
    pub fn arguments(&mut self, call: ExprId, at: &At, parameters: &[&str]) -> Option<Vec<Option<Value>>> {
        self.steps = MAX_STEPS;
        self.placed(call, at, parameters)
    }

    /// As [`Self::arguments`], within the steps of a question.
    pub(super) fn placed(&mut self, call: ExprId, at: &At, parameters: &[&str]) -> Option<Vec<Option<Value>>> {
        let Expr::Call(callee, arguments) = self.module(at.module)?.expr(call) else { return None };
        let mut values = vec![None; parameters.len()];
        let mut before = 0;
        if let Ok(Value::Partial(made)) = self.expr(*callee, at, 0) {
            let (_, given) = self.opened(&made, 0).ok()?;
            before = given.placed.len();
            for (slot, value) in values.iter_mut().zip(given.placed) {
                *slot = Some(value);
            }
            for (name, value) in given.named {
                let place = parameters.iter().position(|one| **one == *name);
                if let Some(slot) = place.and_then(|place| values.get_mut(place)) {
                    *slot = Some(value);
                }
            }
        }
        if arguments.iter().any(|argument| matches!(argument.name.as_deref(), Some("*" | "**"))) {
            let mut given = Given::default();
            let site = self.site(call, at);
            self.give(arguments, at, (site, true), &mut given, 0).ok()?;
            for (slot, value) in values.iter_mut().skip(before).zip(given.placed) {
                *slot = Some(value);
            }
            for (name, value) in given.named {
                let place = parameters.iter().position(|one| **one == *name);
                if let Some(slot) = place.and_then(|place| values.get_mut(place)) {
                    *slot = Some(value);
                }
            }
            return Some(values);
        }
        for (place, argument) in arguments.iter().enumerate() {
            let place = match argument.name.as_deref() {
                Some(name) => parameters.iter().position(|one| *one == name),
                None => place.checked_add(before),
            };
            let value = self.expr(argument.value, at, 0).unwrap_or_else(Value::Unknown);
            if let Some(slot) = place.and_then(|place| values.get_mut(place)) {
                *slot = Some(value);
            }
        }
        Some(values)
    }

    // Recursion: every way round adds to the depth.
    pub(super) fn expr(&mut self, id: ExprId, at: &At, depth: usize) -> Resolved<Value> {
        let site = self.site(id, at);
        let wrong = |reason| Unresolved { reason, site };
        if depth > MAX_DEPTH {
            self.cuts += 1;
            return Err(wrong(Reason::TooDeep));
        }
        self.work += 1;
        if self.steps == 0 || self.work >= MAX_WORK {
            self.cuts += 1;
            return Err(wrong(Reason::Work));
        }
        self.steps -= 1;
        let Some(module) = self.module(at.module) else { return Err(wrong(Reason::UnknownName)) };
        match module.expr(id) {
            Expr::Integer(value) => Ok(Value::Number(**value, site, true)),
            Expr::Bool(value) => Ok(Value::Bool(*value)),
            Expr::None => Ok(Value::None),
            Expr::Text(text) => Ok(Value::Text((**text).into())),
            Expr::Joined(pieces) => {
                let mut all = String::new();
                for piece in pieces {
                    match self.expr(*piece, at, depth + 1)? {
                        Value::Text(text) => all.push_str(&text),
                        Value::Number(number, ..) => all.push_str(&number.to_string()),
                        _ => return Err(wrong(Reason::Expression)),
                    }
                }
                if all.len() > 1024 { Err(wrong(Reason::TooLarge)) } else { Ok(Value::Text(all.into())) }
            }
            Expr::Name(name) => self.name(name, at, site, depth + 1),
            Expr::Attribute(_, name) if module.patched.has(name) => Err(wrong(Reason::RunTime)),
            Expr::Attribute(of, name) => match self.expr(*of, at, depth + 1) {
                Ok(of) => self.attribute(&of, name, site, depth + 1),
                Err(why) if why.reason == Reason::RunTime => self.said_type(id, at).ok_or(why),
                Err(why) => Err(why),
            },
            Expr::Dict(pairs) => {
                let mut values = Vec::with_capacity(pairs.len());
                for (key, value) in pairs {
                    let key = self.expr(*key, at, depth + 1).unwrap_or_else(Value::Unknown);
                    let value = self.expr(*value, at, depth + 1).unwrap_or_else(Value::Unknown);
                    values.push((key, value));
                }
                Ok(Value::Dict(Rc::new(values), site))
            }
            Expr::Comprehension(of) => self.comprehension(of, at, site, depth + 1),
            Expr::Call(callee, arguments) => self.call((id, *callee), arguments, at, site, depth + 1),
            Expr::Tuple(items, list) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    if let Expr::Starred(inner) = module.expr(*item) {
                        match self.sequence(*inner, at, depth + 1)? {
                            Value::Tuple(more) => values.extend(more.all.iter().cloned()),
                            other => return Err(other.as_number(site).err().unwrap_or(wrong(Reason::NotNumeric))),
                        }
                    } else {
                        values.push(self.expr(*item, at, depth + 1).unwrap_or_else(Value::Unknown));
                    }
                    if values.len() > 1024 {
                        return Err(wrong(Reason::TooLarge));
                    }
                }
                if *list { Value::sequence(values, site, true) } else { Value::tuple(values, site) }
            }
            Expr::Item(of, index) => {
                let dictionary = *of;
                let of = self.expr(dictionary, at, depth + 1)?;
                if let Value::Dict(pairs, made) = &of {
                    let key = self.expr(*index, at, depth + 1);
                    let changes = self.may_change(dictionary, at, *made);
                    return self.looked_up(pairs, key, (at.module, id, at.key()), changes, site);
                }
                // `Base[int]`
                if let Value::Class(home) = &of
                    && !self
                        .module(home.module)
                        .and_then(|module| module.scope(home.scope))
                        .is_some_and(|scope| scope.names.contains_key("__class_getitem__"))
                {
                    return Ok(of);
                }
                let index = self.expr(*index, at, depth + 1)?;
                if let Value::Library(path) = &of
                    && let Some(kind) = super::memory::of_type(path, &index, self.trying(), site)
                {
                    return kind;
                }
                let of = self.by_place(of, site, depth);
                if !matches!(of, Value::Layout(_) | Value::Tuple(_)) {
                    return Err(no_sequence(&of, site));
                }
                // A tuple has no item of a name.
                if self.trying() && matches!((&of, &index), (Value::Tuple(_), Value::Text(_))) {
                    return Err(wrong(Reason::Dependent));
                }
                let index = index.as_number(site)?;
                // A mode of a layout is a layout.
                if let Value::Layout(layout) = &of {
                    let layout = super::value::core(layout, site)?;
                    let mode = place(index, layout.rank()).and_then(|place| layout.mode(place));
                    return Ok(derived(&mode.ok_or(wrong(Reason::Call))?, site));
                }
                let Value::Tuple(items) = of else { return Err(no_sequence(&of, site)) };
                let item = place(index, items.all.len()).and_then(|place| items.all.get(place)).cloned();
                if item.is_none() && self.trying() {
                    // Python refuses it.
                    return Err(wrong(Reason::Dependent));
                }
                known(item, site)
            }
            Expr::Backwards(of) => match self.expr(*of, at, depth + 1)? {
                Value::Tuple(items) => {
                    let all = items.all.iter().rev().cloned().collect();
                    if items.list { Value::sequence(all, site, true) } else { Value::tuple(all, site) }
                }
                other => Err(no_sequence(&other, site)),
            },
            Expr::Slice(of, from, to) => {
                let of = self.expr(*of, at, depth + 1)?;
                let Value::Tuple(items) = of else { return Err(no_sequence(&of, site)) };
                let mut end = |id: &Option<ExprId>, otherwise: usize| match id {
                    None => Ok(otherwise),
                    Some(id) => {
                        let value = self.expr(*id, at, depth + 1)?.as_number(site)?;
                        let length = i128::try_from(items.all.len()).unwrap_or(0);
                        let value = if value < 0 { value + length } else { value };
                        Ok(usize::try_from(value.clamp(0, length)).unwrap_or(0))
                    }
                };
                let (from, to) = (end(from, 0)?, end(to, items.all.len())?);
                Value::tuple(items.all.get(from..to.max(from)).unwrap_or_default().to_vec(), site)
            }
            Expr::Binary(op @ (Op::Both | Op::Either), left, right) => {
                let left = self.expr(*left, at, depth + 1)?;
                let truth = left.truth().ok_or(wrong(Reason::Expression))?;
                if truth == (*op == Op::Either) { Ok(left) } else { self.expr(*right, at, depth + 1) }
            }
            Expr::Binary(op, one, other) => {
                self.operating += 1;
                let (left, right) = (self.expr(*one, at, depth + 1), self.expr(*other, at, depth + 1));
                self.operating -= 1;
                match (op, left?, right?) {
                    (Op::Or, Value::Dict(first, made), Value::Dict(second, also)) => {
                        self.settled(*one, at, made, site)?;
                        self.settled(*other, at, also, site)?;
                        Self::merged(&first, &second, site)
                    }
                    (op, left, right) => operate(*op, &left, &right, site),
                }
            }
            Expr::Within(one, of, not) => {
                // First where it is looked for: of a key of a cache nothing comes.
                let Value::Tuple(items) = self.expr(*of, at, depth + 1)? else { return Err(wrong(Reason::Expression)) };
                let one = self.expr(*one, at, depth + 1)?;
                let comparable = |value: &Value| {
                    matches!(
                        value,
                        Value::Number(..) | Value::Bool(_) | Value::Text(_) | Value::Library(_) | Value::None
                    )
                };
                if !comparable(&one) || !items.all.iter().all(comparable) {
                    return Err(wrong(Reason::Expression));
                }
                Ok(Value::Bool(items.all.iter().any(|item| item.same(&one)) != *not))
            }
            Expr::Negative(of) => {
                let value = self.expr(*of, at, depth + 1)?.as_number(site)?;
                Ok(Value::number(value.checked_neg().ok_or(wrong(Reason::Overflow))?, site))
            }
            Expr::Complement(of) => Ok(Value::number(!self.expr(*of, at, depth + 1)?.as_number(site)?, site)),
            Expr::Not(of) => {
                let truth = self.expr(*of, at, depth + 1)?.truth();
                Ok(Value::Bool(!truth.ok_or(wrong(Reason::Expression))?))
            }
            Expr::Choice { test, yes, no } => {
                let test_value = self.expr(*test, at, depth + 1);
                let truth = test_value.as_ref().ok().and_then(Value::truth).or_else(|| self.implied(*test, at));
                let truth = match truth {
                    Some(truth) => truth,
                    // Both may hold.
                    None if self.trying() => {
                        if let Some(value) = self.alike(&[(*yes, at), (*no, at)], depth) {
                            return value;
                        }
                        let point = Point::Test(at.module, *test, at.key());
                        let holds = self.choose(point, 2).ok_or(wrong(Reason::Ambiguous))? == 0;
                        self.chosen_to(*test, holds, at, &point);
                        holds
                    }
                    None => return Err(test_value.err().unwrap_or(wrong(Reason::Expression))),
                };
                self.expr(if truth { *yes } else { *no }, at, depth + 1)
            }
            Expr::Lambda(scope) => Ok(Value::Function(Home { module: at.module, scope: *scope }, None)),
            Expr::Starred(_) | Expr::Other => Err(wrong(Reason::Expression)),
        }
    }

    /// What a comprehension comes to: a list, or a dictionary.
    fn comprehension(&mut self, of: &'a Comprehension, at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let inside = At { scope: of.scope, ..at.clone() };
        let cuts = self.cuts;
        let items = match self.sequence(of.of, &inside, depth + 1)? {
            Value::Tuple(items) => items,
            other => return Err(no_sequence(&other, site)),
        };
        if items.all.len() > MAX_ITEMS {
            return Err(wrong(Reason::TooLarge));
        }
        // Of an object only its class is known: several of one class are not told apart.
        let class = |value: &Value| match value {
            Value::Object(home, _) => Some(*home),
            _ => None,
        };
        let alike = items.all.iter().enumerate().any(|(index, one)| {
            let one = class(one);
            one.is_some() && items.all.iter().take(index).any(|other| class(other) == one)
        });
        let hangs = self.hangs(cuts);
        let mut values = Vec::with_capacity(items.all.len());
        let mut pairs = Vec::new();
        for (index, one) in items.all.iter().enumerate() {
            let frame = Frame {
                home: Home { module: at.module, scope: of.scope },
                values: vec![Some(Slot::Known(one.clone()))],
                key: key(at.key(), &[of.scope.0 as usize, index]),
                outer: at.frame.clone(),
                hangs,
                over: None,
            };
            let inside = At { frame: Some(Rc::new(frame)), ..inside.clone() };
            let ask = |own: &mut Self, id| own.expr(id, &inside, depth + 1).unwrap_or_else(Value::Unknown);
            let mut taken = true;
            for test in &of.tests {
                if alike {
                    return Err(wrong(Reason::Expression));
                }
                let value = ask(self, *test);
                match value.truth() {
                    Some(truth) => taken &= truth,
                    None => return Err(value.unknown(0).unwrap_or(wrong(Reason::Expression))),
                }
                if !taken {
                    break;
                }
            }
            if !taken {
                continue;
            }
            let apart = |value: Value| match value {
                value if !alike || class(&value).is_some() => value,
                _ => Value::Unknown(wrong(Reason::Expression)),
            };
            let value = apart(ask(self, of.item));
            match of.key {
                Some(key) => pairs.push((apart(ask(self, key)), value)),
                None => values.push(value),
            }
        }
        if of.key.is_some() { Ok(Value::Dict(Rc::new(pairs), site)) } else { Value::sequence(values, site, true) }
    }
}

/// Why there is no item of something.
pub(super) fn no_sequence(of: &Value, site: Site) -> Unresolved {
    match of {
        Value::Unknown(why) => *why,
        // Python refuses it.
        Value::None | Value::Number(..) | Value::Bool(_) | Value::Ratio(..) | Value::Function(..) => {
            Unresolved { reason: Reason::Dependent, site }
        }
        Value::Library(path) if cute::bits(path).is_some() => Unresolved { reason: Reason::Dependent, site },
        _ => Unresolved { reason: Reason::Expression, site },
    }
}

/// A value, unless it may be a list of which an item changes.
pub(super) fn unchanged(value: Resolved<Value>, module: &Module, site: Site) -> Resolved<Value> {
    match value {
        Ok(Value::Tuple(items)) if items.list && module.changes => Err(Unresolved { reason: Reason::RunTime, site }),
        value => value,
    }
}

/// A part of a value.
pub(super) fn descend(value: Value, path: &[usize], site: Site) -> Resolved<Value> {
    let mut value = value;
    for place in path {
        value = match value {
            Value::Tuple(items) => match items.all.get(*place) {
                Some(item) => known(Some(item.clone()), site)?,
                // Python refuses it.
                None => return Err(Unresolved { reason: Reason::Dependent, site }),
            },
            other => return Err(no_sequence(&other, site)),
        };
    }
    known(Some(value), site)
}

/// A value that is there and known.
pub(super) fn known(value: Option<Value>, site: Site) -> Resolved<Value> {
    match value {
        Some(Value::Unknown(why)) => Err(why),
        Some(value) => Ok(value),
        None => Err(Unresolved { reason: Reason::Expression, site }),
    }
}

fn place(index: i128, length: usize) -> Option<usize> {
    let length = i128::try_from(length).ok()?;
    let index = if index < 0 { index + length } else { index };
    (0..length).contains(&index).then(|| usize::try_from(index).ok())?
}
