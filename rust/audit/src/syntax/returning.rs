//! What follows an `if constexpr` that returns is compiled too, and runs only where its condition does not hold:
//!
//! ```text
//! if constexpr (Threads < 256) { …; return; }
//! copy.get_slice(threadIdx.x);
//! ```

use tree_sitter::Node;

use super::extract::{Walker, is_constexpr};
use super::kind::{Field, Kind, child_of, kind_of};
use super::ways::plain_test;
use crate::ast::{ScopeId, ScopeKind};

impl Walker<'_> {
    /// The scope of the statements behind an `if` in a block: one of their own, where it says when they run.
    pub(super) fn behind_return(&mut self, node: Node<'_>, scope: ScopeId) -> ScopeId {
        if node.has_error() || !is_constexpr(node) {
            return scope;
        }
        let Some(block) = node.parent().filter(|block| kind_of(*block) == Kind::CompoundStatement) else {
            return scope;
        };
        let mut rest = self.out.span_of(block);
        rest.start = self.out.span_of(node).end;
        if self.hits_in(rest) == 0 {
            return scope;
        }
        let leaves = |field| child_of(node, field).is_some_and(|part| self.always_leaves(part, false));
        let taken = match (leaves(Field::Consequence), leaves(Field::Alternative)) {
            (true, false) => false,
            (false, true) => true,
            _ => return scope,
        };
        let Some(test) = plain_test(node) else { return scope };
        let test = self.read_test(test);
        let inner = self.open(ScopeKind::Block, scope);
        if let Some(inside) = self.out.unit.scopes.get_mut(inner.0 as usize) {
            (inside.guard, inside.behind) = (Some((test, taken)), true);
        }
        inner
    }
}
