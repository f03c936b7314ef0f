//! Slices of a tensor that blocks take by their index: `tensor(_, _, blockIdx.x)`. Where a slice begins is a multiple of the stride of the mode
//! that is left out, and the index goes through all multiples.

use razorgirl::Layout;

use super::shared::Looker;
use super::tiled::assignments;
use crate::ast::{DeclKind, Expr, ExprId, Site};
use crate::eval::{Context, Value, layout_of};

/// Declarations that are followed from a tensor to where it is sliced.
const MAX_STEPS: usize = 8;

impl<'a> Looker<'_, 'a> {
    /// The strides of the modes of a tensor of which each block takes its own.
    pub(super) fn slice_steps(&mut self, tensor: ExprId, context: &Context<'a>) -> Vec<u64> {
        let (mut at, mut inside) = (tensor, context.clone());
        let mut found = Vec::new();
        for _ in 0..MAX_STEPS {
            let unit = self.program.unit(inside.unit);
            match unit.expr(at) {
                Expr::Call(callee, args) => {
                    if let Some(layout) = self.plain_tensor(*callee, &inside) {
                        self.steps_of(&layout, args, &inside, &mut found);
                        at = *callee;
                        continue;
                    }
                    let name = match unit.expr(*callee) {
                        Expr::Path(path) => path.segments.last().map_or("", |part| self.text(&inside, part.name)),
                        _ => "",
                    };
                    match (name, args.first()) {
                        ("local_tile", Some(first)) => at = *first,
                        _ => break,
                    }
                }
                Expr::Path(_) => {
                    let Ok(Some((decl, around))) = self.declared(at, &inside) else { break };
                    let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { break };
                    (at, inside) = (init, around);
                }
                _ => break,
            }
        }
        found
    }

    /// The layout of a tensor without a swizzle, where an expression is one.
    fn plain_tensor(&mut self, expr: ExprId, context: &Context<'a>) -> Option<Layout> {
        match layout_of(&self.evaluator.evaluate(expr, context).ok()?)? {
            Value::Layout(layout) => Layout::new(&layout.shape.tuple, &layout.stride.tuple).ok(),
            _ => None,
        }
    }

    fn steps_of(&mut self, layout: &Layout, args: &[ExprId], context: &Context<'a>, found: &mut Vec<u64>) {
        if layout.rank() != args.len() {
            return;
        }
        for (index, arg) in args.iter().enumerate() {
            let Some(mode) = layout.mode(index) else { continue };
            if let ([only], true) = (mode.modes(), self.is_block(*arg, context))
                && only.extent() > 1
            {
                found.push(only.stride());
            }
        }
    }

    /// Whether an expression is the index of a block, or a variable that has that value and no other.
    fn is_block(&mut self, expr: ExprId, context: &Context<'a>) -> bool {
        let is_index = |text: &str| matches!(text.trim(), "blockIdx.x" | "blockIdx.y" | "blockIdx.z");
        if is_index(self.said(context, expr)) {
            return true;
        }
        let Ok(Some((decl, inside))) = self.declared(expr, context) else { return false };
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return false };
        let around = super::launches::function_around(self.program, context.unit, context.scope);
        let function =
            around.map_or("", |body| self.program.text(Site { unit: body.unit, span: self.program.body(body).span }));
        is_index(self.said(&inside, init)) && assignments(function, self.program.name(decl)) == 1
    }
}
