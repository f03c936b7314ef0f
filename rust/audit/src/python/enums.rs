//! Enumerations: a member is what its class writes, and so is its `value`.

use super::evaluate::Evaluator;
use super::tree::{Expr, Kind};
use super::value::Home;

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

    /// Whether members of an enumeration are what is written.
    pub(super) fn is_plain_enumeration(&self, home: Home) -> bool {
        let scope = self.module(home.module).and_then(|module| module.scope(home.scope));
        scope.is_some_and(|scope| OWN.iter().all(|name| !scope.names.contains_key(name)))
    }
}
