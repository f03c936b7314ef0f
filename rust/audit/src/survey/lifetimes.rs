//! Where the objects of a function come from: `Opt o;` makes one of which its class says what is in it. A parameter is made by whoever calls,
//! and an object that outlives a call of the function may have been changed by an earlier one.

use super::shared::Looker;
use crate::ast::{Site, Span};
use crate::eval::DeclRef;
use crate::source::places;

impl Looker<'_, '_> {
    /// Whether a variable is declared with nothing behind its name.
    pub(super) fn is_plainly_made(&self, decl: DeclRef) -> bool {
        let of = self.program.decl(decl);
        let after = Span { start: of.name.end.min(of.span.end), end: of.span.end };
        // A parameter ends with its name, and `Opt o(256);` is made by a constructor.
        let plain = self.program.text(Site { unit: decl.unit, span: after }).trim_start().starts_with([';', ',']);
        plain && !self.is_said(decl, "extern")
    }

    /// Whether a variable keeps from one call of its function to the next what is in it.
    pub(super) fn outlives(&self, decl: DeclRef) -> bool {
        self.is_said(decl, "static") || self.is_said(decl, "thread_local")
    }

    /// Whether a word stands in a declaration before its name.
    fn is_said(&self, decl: DeclRef, word: &str) -> bool {
        places(self.program.before_name(decl), word).next().is_some()
    }
}
