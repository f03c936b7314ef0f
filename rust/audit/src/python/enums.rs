//! Enumerations: a member is what its class writes, and so is its `value`.

use super::evaluate::{Evaluator, MAX_ITEMS};
use super::tree::{Bound, Expr, ExprId, Kind, PathId};
use super::value::{Home, Value};
use crate::ast::Site;
use crate::eval::Resolved;

/// Methods by which a class decides itself what its members and their values are.
const OWN: [&str; 5] = ["__new__", "__init__", "value", "_value_", "__getattribute__"];

/// Classes of Python of which a class with members is one.
const KINDS: [&str; 5] = ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"];

impl Evaluator<'_> {
    /// Whether a class names an enumeration as its base.
    pub(super) fn is_enumeration(&self, home: Home) -> bool {
        let Some(module) = self.module(home.module) else { return false };
        let Some(Kind::Class { bases: Some(bases), .. }) = module.scope(home.scope).map(|scope| &scope.kind) else {
            return false;
        };
        bases.iter().any(|base| {
            matches!(module.expr(*base), Expr::Name(name) | Expr::Attribute(_, name) if KINDS.contains(&&**name))
        })
    }

    /// The members of an enumeration, in the order of the text.
    pub(super) fn members(&mut self, home: Home, site: Site, depth: usize) -> Option<Resolved<Value>> {
        let module = self.module(home.module)?;
        let scope = module.scope(home.scope)?;
        // Flags of several bits are not gone through.
        let flags = |base: &ExprId| matches!(module.expr(*base), Expr::Name(name) | Expr::Attribute(_, name) if name.ends_with("Flag"));
        if !matches!(&scope.kind, Kind::Class { bases: Some(bases), .. } if !bases.iter().any(flags)) {
            return None;
        }
        if !self.is_enumeration(home) || !self.is_plain_enumeration(home) {
            return None;
        }
        let mut all = Vec::new();
        for (name, bindings) in &scope.names {
            match bindings {
                [one] if !name.starts_with('_') && matches!(one.bound, Bound::Value(..)) && one.path == PathId(0) => {
                    all.push((one.span.start, &**name));
                }
                [one] if matches!(one.bound, Bound::Function(_)) => {}
                _ => return None,
            }
            if all.len() > MAX_ITEMS {
                return None;
            }
        }
        all.sort_unstable();
        let mut values: Vec<Value> = Vec::new();
        for (_, name) in all {
            let value = match self.attribute(&Value::Class(home), name, site, depth + 1) {
                Ok(value) => value,
                Err(why) => return Some(Err(why)),
            };
            // Of two members with one value the second is the first.
            if !values.iter().any(|one| one.same(&value)) {
                values.push(value);
            }
        }
        Some(Value::sequence(values, site, false))
    }

    /// Whether members of an enumeration are what is written.
    pub(super) fn is_plain_enumeration(&self, home: Home) -> bool {
        let scope = self.module(home.module).and_then(|module| module.scope(home.scope));
        scope.is_some_and(|scope| OWN.iter().all(|name| !scope.names.contains_key(name)))
    }
}
