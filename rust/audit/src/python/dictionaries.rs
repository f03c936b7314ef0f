//! Dictionaries: what is written is what is there, unless something may change it.

use super::evaluate::{At, Evaluator, MAX_ITEMS, known};
use super::tree::ExprId;
use super::value::Value;
use super::world::Point;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

impl Evaluator<'_> {
    /// Whether items of a dictionary may change: where it is used or where it is written, unless it is only read.
    pub(super) fn may_change(&mut self, of: ExprId, at: &At, made: Site) -> bool {
        let changes = |index: usize| self.module(index).is_none_or(|module| module.changes || module.updates);
        (changes(at.module) || changes(made.unit as usize)) && !self.is_only_read(of, at)
    }

    /// A dictionary is what is written, unless items of it may change.
    pub(super) fn settled(&mut self, of: ExprId, at: &At, made: Site, site: Site) -> Resolved<()> {
        if self.may_change(of, at, made) { Err(Unresolved { reason: Reason::RunTime, site }) } else { Ok(()) }
    }

    /// What is a key of a dictionary and compared as one.
    pub(super) const fn comparable(value: &Value) -> bool {
        matches!(
            value,
            Value::Number(..) | Value::Bool(_) | Value::Text(_) | Value::Library(_) | Value::None | Value::Tuple(_)
        )
    }

    /// What two dictionaries are together, of which the second one counts.
    pub(super) fn merged(first: &[(Value, Value)], second: &[(Value, Value)], site: Site) -> Resolved<Value> {
        let mut all: Vec<(Value, Value)> = Vec::new();
        if first.len() + second.len() > MAX_ITEMS {
            return Err(Unresolved { reason: Reason::TooLarge, site });
        }
        for (key, value) in first.iter().chain(second) {
            if !Self::comparable(key) {
                return Err(Unresolved { reason: Reason::Expression, site });
            }
            match all.iter_mut().find(|(one, _)| one.same(key)) {
                Some((_, known)) => *known = value.clone(),
                None => all.push((key.clone(), value.clone())),
            }
        }
        Ok(Value::Dict(all.into(), site))
    }

    /// The value of a key: where the key is not known, one of those that are listed.
    pub(super) fn looked_up(
        &mut self,
        pairs: &[(Value, Value)],
        key: Resolved<Value>,
        point: (usize, ExprId, u64),
        changes: bool,
        site: Site,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        // What is written need not be what is there.
        if changes {
            return Err(wrong(if self.trying() { Reason::Ambiguous } else { Reason::RunTime }));
        }
        match key {
            Ok(key) if Self::comparable(&key) && pairs.iter().all(|(one, _)| Self::comparable(one)) => {
                let found = pairs.iter().rev().find(|(one, _)| one.same(&key));
                if found.is_none() {
                    // Python refuses it.
                    return Err(wrong(Reason::Dependent));
                }
                known(found.map(|(_, value)| value.clone()), site)
            }
            key => {
                let why = key.err().unwrap_or(wrong(Reason::Expression));
                // Objects of one class are not told apart, but by their fields: it may be any of them.
                let class = |value: &Value| match value {
                    Value::Object(home, _) => Some(*home),
                    _ => None,
                };
                let first = pairs.first().and_then(|(_, value)| class(value));
                let plain = first.is_some_and(|home| self.is_plain(home));
                if let Some(home) = first
                    && !plain
                    && pairs.iter().all(|(_, value)| class(value) == Some(home))
                {
                    self.choose(Point::Item(point.0, point.1, point.2), 2).ok_or(why)?;
                    return Ok(Value::Object(home, None));
                }
                let chosen = self.choose(Point::Item(point.0, point.1, point.2), pairs.len()).ok_or(why)?;
                known(pairs.get(chosen).map(|(_, value)| value.clone()), site)
            }
        }
    }
}
