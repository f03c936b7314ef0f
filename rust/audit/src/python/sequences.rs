//! What goes through sequences: `enumerate`, `zip`, `reversed`, `map`, `itertools.product`.
//!
//! What they make is gone once something has gone through it. So they are followed only where they stand: in a loop, in a comprehension, as
//! an argument of something that takes all of it, or where it is unpacked. Under a name they stay unknown.

use super::evaluate::{At, Evaluator, MAX_DEPTH, Slot, no_sequence};
use super::tree::{Argument, Expr, ExprId};
use super::value::{Home, Items, Value};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};
use std::rc::Rc;

/// Items of what is made of sequences.
const MAX_ALL: usize = 256;

/// Functions that take all of what they are given first.
const TAKING: [&str; 8] = ["tuple", "list", "sum", "min", "max", "dict", "math.prod", "sorted"];

/// Functions that only go through what they are given.
const PASSING: [&str; 5] = ["enumerate", "zip", "reversed", "map", "itertools.product"];

/// Whether a function goes through what it is given, or takes it, and keeps no list that it is given.
pub(super) fn only_reads(name: &str) -> bool {
    TAKING.iter().chain(&PASSING).any(|one| one.rsplit('.').next() == Some(name)) || name == "len"
}

/// Numbers that `range` counts up or down.
const MAX_COUNTED: i128 = 1024;

/// What `range` counts.
pub(super) fn range(from: i128, to: i128, step: i128, site: Site) -> Resolved<Value> {
    let wrong = Unresolved { reason: Reason::Call, site };
    let count = to.saturating_sub(from).checked_div(step).filter(|count| *count <= MAX_COUNTED).ok_or(wrong)?;
    let numbers = (0..=count.max(0)).map(|place| from.saturating_add(place.saturating_mul(step)));
    let numbers = numbers.filter(|value| if step > 0 { *value < to } else { *value > to });
    Value::tuple(numbers.map(|value| Value::number(value, site)).collect(), site)
}

/// Pairs of numbers and what they count.
fn counted(items: &Items, from: i128, site: Site) -> Resolved<Value> {
    let pair = |(place, item): (i128, &Value)| Value::tuple(vec![Value::number(place, site), item.clone()], site);
    let from = (0_i128..).map(|place| place.saturating_add(from));
    Value::tuple(from.zip(&items.all).map(pair).collect::<Resolved<_>>()?, site)
}

/// Items of several sequences that stand at one place.
fn zipped(all: &[Rc<Items>], site: Site) -> Resolved<Value> {
    let length = all.iter().map(|items| items.all.len()).min().unwrap_or(0);
    let row = |place| {
        let items = all.iter().filter_map(|items| items.all.get(place)).cloned();
        Value::tuple(items.collect(), site)
    };
    Value::tuple((0..length).map(row).collect::<Resolved<_>>()?, site)
}

/// All ways to take an item of each of several sequences, the last one first.
fn product(all: &[Rc<Items>], site: Site) -> Resolved<Value> {
    let count = all.iter().try_fold(1_usize, |count, items| count.checked_mul(items.all.len()));
    if count.is_none_or(|count| count > MAX_ALL) {
        return Err(Unresolved { reason: Reason::TooLarge, site });
    }
    let mut rows = vec![Vec::new()];
    for items in all {
        let longer = |row: &Vec<Value>| {
            let row = row.clone();
            items.all.iter().map(move |item| row.iter().cloned().chain([item.clone()]).collect::<Vec<_>>())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    Value::tuple(rows.into_iter().map(|row| Value::tuple(row, site)).collect::<Resolved<_>>()?, site)
}

impl<'a> Evaluator<'a> {
    /// What an expression goes through where all of it is taken here, at once.
    // Recursion: to a fixed depth.
    pub(super) fn sequence(&mut self, of: ExprId, at: &At, depth: usize) -> Resolved<Value> {
        let site = self.site(of, at);
        if depth > MAX_DEPTH {
            self.cuts += 1;
            return Err(Unresolved { reason: Reason::TooDeep, site });
        }
        let Some(Expr::Call(callee, arguments)) = self.module(at.module).map(|module| module.expr(of)) else {
            let all = self.expr(of, at, depth + 1)?;
            return match &all {
                Value::Class(home) => self.members(*home, site, depth + 1).unwrap_or(Ok(all)),
                _ => Ok(all),
            };
        };
        match self.passing(*callee, at, depth) {
            Some(path) => self.passed_on(&path, arguments, at, site, depth + 1),
            None => self.expr(of, at, depth + 1),
        }
    }

    /// The function that only goes through what it is given, if a name is one.
    fn passing(&mut self, callee: ExprId, at: &At, depth: usize) -> Option<Rc<str>> {
        let module = self.module(at.module)?;
        let (Expr::Name(name) | Expr::Attribute(_, name)) = module.expr(callee) else { return None };
        if !PASSING.iter().any(|one| one.rsplit('.').next() == Some(&**name)) {
            return None;
        }
        match self.expr(callee, at, depth + 1) {
            Ok(Value::Library(path)) => Some(path).filter(|path| PASSING.contains(&&**path)),
            _ => None,
        }
    }

    fn passed_on(
        &mut self,
        path: &str,
        arguments: &'a [Argument],
        at: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let named = |argument: &&Argument| argument.name.is_some();
        let (option, placed) = match arguments.split_last() {
            Some((last, placed)) if last.name.is_some() => (Some(last), placed),
            _ => (None, arguments),
        };
        if placed.iter().any(|argument| named(&argument)) {
            return Err(wrong(Reason::Call));
        }
        let (function, sequences) = match (path, placed) {
            ("map", [function, rest @ ..]) => (Some(self.expr(function.value, at, depth + 1)?), rest),
            ("enumerate", [first, start]) if option.is_none() => {
                let from = self.expr(start.value, at, depth + 1)?.as_number(site)?;
                let items = self.items(first.value, at, depth)?;
                return counted(&items, from, site);
            }
            _ => (None, placed),
        };
        let all = sequences
            .iter()
            .map(|argument| self.items(argument.value, at, depth))
            .collect::<Resolved<Vec<Rc<Items>>>>()?;
        let option = match option {
            None => None,
            Some(option) => Some((option.name.as_deref().unwrap_or(""), self.expr(option.value, at, depth + 1)?)),
        };
        match (path, all.as_slice(), option) {
            ("enumerate", [items], None) => counted(items, 0, site),
            ("enumerate", [items], Some(("start", from))) => counted(items, from.as_number(site)?, site),
            ("zip", all, None) => zipped(all, site),
            ("zip", all, Some(("strict", strict))) => {
                let length = |items: &Rc<Items>| items.all.len();
                let alike = all.iter().all(|items| Some(length(items)) == all.first().map(length));
                match strict.truth() {
                    // Python refuses it.
                    Some(true) if !alike => Err(wrong(Reason::Dependent)),
                    Some(_) => zipped(all, site),
                    None => Err(wrong(Reason::Expression)),
                }
            }
            ("reversed", [items], None) => Value::tuple(items.all.iter().rev().cloned().collect(), site),
            ("map", [_, ..], None) => {
                let rows = zipped(&all, site)?;
                let (Some(function), Value::Tuple(rows)) = (function, rows) else { return Err(wrong(Reason::Call)) };
                let mut values = Vec::with_capacity(rows.all.len());
                for (place, row) in rows.all.iter().enumerate() {
                    let Value::Tuple(row) = row else { return Err(wrong(Reason::Call)) };
                    values.push(self.applied(&function, &row.all, (site, at.key(), place), depth)?);
                }
                Value::tuple(values, site)
            }
            ("itertools.product", all, None) => product(all, site),
            ("itertools.product", all, Some(("repeat", times))) => {
                let times = usize::try_from(times.as_number(site)?).ok().filter(|times| *times <= 8);
                let times = times.ok_or(wrong(Reason::TooLarge))?;
                product(&std::iter::repeat_n(all, times).flatten().cloned().collect::<Vec<_>>(), site)
            }
            _ => Err(wrong(Reason::Call)),
        }
    }

    /// The items of what is gone through: objects of one class are not told apart.
    fn items(&mut self, of: ExprId, at: &At, depth: usize) -> Resolved<Rc<Items>> {
        let site = self.site(of, at);
        match self.sequence(of, at, depth + 1)? {
            Value::Tuple(items) if items.all.len() > MAX_ALL => Err(Unresolved { reason: Reason::TooLarge, site }),
            Value::Tuple(items) => {
                let object = |value: &Value| matches!(value, Value::Object(..));
                let alike = items.all.iter().filter(|value| object(value)).count() > 1;
                if alike { Err(Unresolved { reason: Reason::Expression, site }) } else { Ok(items) }
            }
            other => Err(no_sequence(&other, site)),
        }
    }

    /// What a function makes of values.
    fn applied(
        &mut self,
        function: &Value,
        values: &[Value],
        (site, outer, place): (Site, u64, usize),
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = Unresolved { reason: Reason::Call, site };
        match function {
            Value::Library(path) => match super::cute::call(path, values, &[], site) {
                super::cute::Answer::Value(value) => value,
                _ => Err(wrong),
            },
            Value::Function(home, object) => {
                let own = super::evaluate::key(outer, &[place]);
                let home: Home = *home;
                self.function(
                    home,
                    *object,
                    values.iter().cloned().map(Slot::Known).collect(),
                    &[],
                    (site, own, true, self.cuts),
                    depth + 1,
                )
            }
            _ => Err(wrong),
        }
    }

    /// What a function that takes all of what it is given makes of what only goes through something: `tuple(zip(a, b))`.
    pub(super) fn taken(
        &mut self,
        path: &str,
        arguments: &'a [Argument],
        at: &At,
        site: Site,
        depth: usize,
    ) -> Option<Resolved<Value>> {
        let [Argument { name: None, value }] = arguments else { return None };
        let Some(Expr::Call(callee, _)) = self.module(at.module).map(|module| module.expr(*value)) else { return None };
        if !TAKING.contains(&path) {
            return None;
        }
        self.passing(*callee, at, depth)?;
        let items = match self.sequence(*value, at, depth + 1) {
            Ok(Value::Tuple(items)) => items,
            Ok(other) => return Some(Err(no_sequence(&other, site))),
            Err(why) => return Some(Err(why)),
        };
        if path == "dict" {
            let pair = |item: &Value| match item {
                Value::Tuple(pair) => match pair.all.as_slice() {
                    [key, value] => Some((key.clone(), value.clone())),
                    _ => None,
                },
                _ => None,
            };
            let pairs: Option<Vec<_>> = items.all.iter().map(pair).collect();
            return Some(pairs.map_or(Err(Unresolved { reason: Reason::Call, site }), |pairs| {
                Ok(Value::Dict(Rc::new(pairs), site))
            }));
        }
        if path == "list" {
            return Some(Value::sequence(items.all.clone(), site, true));
        }
        match super::cute::call(path, &[Value::Tuple(items)], &[], site) {
            super::cute::Answer::Value(value) => Some(value),
            _ => None,
        }
    }
}
