//! What a declaration asks for as its alignment where that is computed: `alignas(sizeof(uint4))`.

use super::shared::Looker;
use crate::ast::Span;
use crate::eval::{Context, Resolved, Value};
use crate::source::{alignments, computed_alignments};

impl<'a> Looker<'_, 'a> {
    /// The bytes that the declaration around a place asks for, where it computes some of them and all of them are known.
    pub(super) fn computed_alignment(&mut self, at: Span, context: &Context<'a>) -> Resolved<Option<u64>> {
        let unit = self.program.unit(context.unit);
        let around = unit.alignments.iter().filter(|of| of.declaration.contains(at));
        let Some(declaration) = around.map(|of| of.declaration).min_by_key(|of| of.range().len()) else {
            return Ok(None);
        };
        let text = self.text(context, declaration);
        let mut most = alignments(text).into_iter().flatten().max().unwrap_or(1);
        let Some(ranges) = computed_alignments(text) else { return Ok(None) };
        for range in ranges {
            let place = |at: usize| u32::try_from(at).ok().and_then(|at| declaration.start.checked_add(at));
            let start = place(range.start);
            let Some(of) = unit.alignments.iter().find(|of| Some(of.inside.start) == start) else { return Ok(None) };
            let inside = Context { scope: of.scope, ..context.clone() };
            let Value::Number(number) = self.known(of.bytes, &inside)? else { return Ok(None) };
            let Ok(bytes) = u64::try_from(number.value) else { return Ok(None) };
            most = most.max(bytes);
        }
        Ok(Some(most))
    }
}
