//! Alignments that are computed: `alignas(sizeof(uint4))`, `CUTE_ALIGNAS(kAlign)`. The grammar leaves some of them as macros, so that they are
//! told from the words and read as an expression of their own.

use tree_sitter::Node;

use super::define;
use super::extract::Walker;
use crate::ast::{ComputedAlignment, ScopeId, Span};
use crate::source::computed_alignments;

/// Longer declarations are not searched: a class with members is one as well.
const MAX_TEXT: usize = 1_024;

impl Walker<'_> {
    /// Keeps what a declaration computes its alignment by.
    pub(super) fn alignments(&mut self, node: Node<'_>, scope: ScopeId) {
        let declaration = self.out.span_of(node);
        if declaration.range().len() > MAX_TEXT || node.has_error() {
            return;
        }
        let ranges = computed_alignments(self.out.text_of(declaration)).unwrap_or_default();
        for range in ranges {
            let place = |at: usize| declaration.start.checked_add(u32::try_from(at).ok()?);
            let (Some(start), Some(end)) = (place(range.start), place(range.end)) else { continue };
            let inside = Span { start, end };
            if let Some(bytes) = define::expression(&mut self.out, inside) {
                self.out.unit.alignments.push(ComputedAlignment { declaration, inside, bytes, scope });
            }
        }
    }
}
