//! With which number a thread asks for its part, and whether what it gets is looked at before it is used.

use super::launches::function_around;
use super::shared::Looker;
use crate::ast::{DeclKind, Expr, ExprId, ScopeId, Site};
use crate::eval::{Context, Program};
use crate::source::places;

/// Words of what tells elements inside of a tensor from others.
const BOUNDS: [&str; 7] =
    [".with(", "copy_if", "elem_less", "make_counting_tensor", "make_identity_tensor", "cp_async_zfill", "predicate"];

/// Functions that are longer may do anything.
const MAX_FUNCTION: usize = 1 << 17;

impl<'a> Looker<'_, 'a> {
    /// Whether a number is made of a thread's by sums and products, which may be what strides with gaps count.
    pub(super) fn is_made(&self, index: ExprId, context: &Context<'a>) -> bool {
        let mut said = self.said(context, index);
        if let Expr::Path(path) = self.program.unit(context.unit).expr(index)
            && let [only] = path.segments.as_slice()
            && let Some((decl, inside)) = self.local(only.name, context)
            && let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind
        {
            said = self.said(&inside, init);
        }
        ["+", "*", "|", "<<", "^"].iter().any(|sign| said.contains(sign))
    }
}

/// Whether the function around a place may look at where an element lies before it uses it.
pub fn looks_before(program: &Program<'_>, unit: u32, scope: ScopeId) -> bool {
    let Some(body) = function_around(program, unit, scope) else { return false };
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
