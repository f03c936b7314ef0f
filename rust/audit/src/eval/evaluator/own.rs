//! Functions of somebody's own that have the name of one of CuTe's.

use super::{Context, Evaluator};
use crate::ast::{ScopeKind, Site};
use crate::eval::program::DeclRef;
use crate::eval::reason::Reason;
use crate::eval::texts;

impl<'a> Evaluator<'a> {
    /// A class that has a function `make_layout` hides CuTe's: with a `Layout` of its own it makes that, and else it is not known what. So
    /// does a file that has one.
    pub(super) fn own_make_layout(&mut self, context: &Context<'a>) -> Option<Reason> {
        let of = self.program.unit(context.unit);
        let mut at = Some(context.scope);
        while let Some(id) = at {
            let scope = of.scope(id);
            if let ScopeKind::Class(class) = scope.kind {
                let program = self.program;
                let text = program.text(Site { unit: context.unit, span: of.decl(class).span });
                let hides = *self
                    .hiding
                    .entry(DeclRef { unit: context.unit, id: class })
                    .or_insert_with(|| texts::defines(text, "make_layout"));
                if hides {
                    let own = !program.local(context.unit, id, "Layout").is_empty();
                    return Some(if own { Reason::NotCute } else { Reason::Call });
                }
            }
            at = scope.parent;
        }
        self.program.owns(context.unit, "make_layout").then_some(Reason::NotCute)
    }
}
