//! With which number a thread asks for its part, and whether what it gets is looked at before it is used.

use super::launches::function_around;
use crate::ast::{DeclKind, ExprId, Site, Span, Unit};
use crate::eval::{Context, Program};
use crate::source::{is_identifier, places};

/// Words of what tells elements inside of a tensor from others.
const BOUNDS: [&str; 6] =
    ["copy_if", "elem_less", "make_counting_tensor", "make_identity_tensor", "cp_async_zfill", "predicate"];

/// Functions that are longer may do anything.
const MAX_FUNCTION: usize = 1 << 17;

/// Whether a number is made of a thread's by sums and products, which may be what strides with gaps count.
pub(super) fn is_made(program: &Program<'_>, (of, unit): (&Unit, u32), index: ExprId) -> bool {
    let text = |span: Span| program.text(Site { unit, span });
    let span = of.span(index);
    let mut said = text(span).trim();
    if said.bytes().all(is_identifier) {
        // The last variable of that name before.
        let named = of.decls.iter().filter(|decl| decl.name.start < span.start && text(decl.name) == said);
        let last = named.max_by_key(|decl| decl.name.start);
        if let Some(DeclKind::Variable { init: Some(init), .. }) = last.map(|decl| &decl.kind) {
            said = text(of.span(*init));
        }
    }
    ["+", "*", "|", "<<", "^"].iter().any(|sign| said.contains(sign))
}

/// Whether the function around may look at where an element lies before it uses it.
pub(super) fn looks_before(program: &Program<'_>, context: &Context<'_>) -> bool {
    let Some(body) = function_around(program, context.unit, context.scope) else { return false };
    let text = program.text(Site { unit: body.unit, span: program.body(body).span });
    if text.len() > MAX_FUNCTION || BOUNDS.iter().any(|word| text.contains(word)) {
        return true;
    }
    // `if (row < rows)`, but not the heads of loops.
    places(text, "if").any(|at| {
        let rest = text.get(at + "if".len()..).unwrap_or_default().trim_start();
        let condition = rest.strip_prefix('(').map_or("", |rest| rest.split(['{', ';']).next().unwrap_or_default());
        condition.contains(['<', '>'])
    })
}
