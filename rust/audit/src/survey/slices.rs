//! Slices of a tensor that blocks take by their index: `tensor(_, _, blockIdx.x)`. Where a slice begins is a multiple of the stride of the mode
//! that is left out, and the index goes through all multiples.

use razorgirl::Layout;

use super::launches::function_around;
use super::shared::Looker;
use super::tiled::MAX_SEARCHED;
use crate::ast::{DeclKind, Expr, ExprId, Site, Span};
use crate::eval::{Context, Value, layout_of};
use crate::source::places;

/// The indices of a block.
const AXES: [&str; 3] = ["blockIdx.x", "blockIdx.y", "blockIdx.z"];

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
            if let ([only], Some(axis)) = (mode.modes(), self.block_axis(*arg, context))
                && only.extent() > 1
                && self.has_blocks(axis, context)
            {
                found.push(only.stride());
            }
        }
    }

    /// Of which axis an expression is the index of a block, also a variable that has that value and no other.
    fn block_axis(&mut self, expr: ExprId, context: &Context<'a>) -> Option<usize> {
        let axis = |text: &str| AXES.iter().position(|axis| *axis == text.trim());
        if let Some(axis) = axis(self.said(context, expr)) {
            return Some(axis);
        }
        let Ok(Some((decl, inside))) = self.declared(expr, context) else { return None };
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return None };
        let around = function_around(self.program, context.unit, context.scope)?;
        let once = self.keeps(decl, self.program.body(around).span, context);
        axis(self.said(&inside, init)).filter(|_| once)
    }

    /// The function around, its name and its text.
    fn function(&self, context: &Context<'a>) -> Option<(&'a str, &'a str)> {
        let body = function_around(self.program, context.unit, context.scope)?;
        let of = self.program.body(body);
        let text = |span| self.program.text(Site { unit: body.unit, span });
        Some((text(of.name), text(of.span)))
    }

    /// Whether some launch of the kernel says in numbers that there are several blocks along an axis, and the kernel asks nowhere which of them
    /// it is.
    fn has_blocks(&self, axis: usize, context: &Context<'a>) -> bool {
        let Some((name, text)) = self.function(context) else { return false };
        let branches = ["if", "switch", "while"].iter().any(|word| places(text, word).next().is_some());
        if branches || text.contains('?') || text.len() > MAX_SEARCHED {
            return false;
        }
        (0_u32..).zip(self.program.units()).any(|(unit, of)| {
            of.starts.iter().any(|start| {
                let kernel = of.span(start.kernel);
                let said = self.program.text(Site { unit, span: kernel }).split('<').next().unwrap_or_default();
                let rest = Span { start: kernel.end, end: start.function.end.max(kernel.end) };
                said.rsplit("::").next().is_some_and(|said| said.trim() == name)
                    && blocks(self.program.text(Site { unit, span: rest }), axis).is_some_and(|count| count > 1)
            })
        })
    }
}

/// The blocks along an axis, where a launch says them in numbers: `<<<16, 128>>>`, `<<<dim3(1, 16), 128>>>`.
fn blocks(launch: &str, axis: usize) -> Option<u64> {
    let grid = launch.trim_start().strip_prefix("<<<")?.trim_start();
    let listed = grid.strip_prefix("dim3").map(str::trim_start).and_then(|list| list.strip_prefix(['(', '{']));
    let part = match listed {
        Some(list) => list.split([')', '}']).next()?.split(',').nth(axis)?,
        None => grid.split(',').next().filter(|_| axis == 0)?,
    };
    part.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn blocks_of_a_launch() {
        assert_eq!(blocks("<<<16, 128>>>(p)", 0), Some(16));
        assert_eq!(blocks(" <<< dim3(1, 8), 128>>>(p)", 1), Some(8));
        for (launch, axis) in
            [("<<<16, 128>>>(p)", 1), ("<<<n, 128>>>(p)", 0), ("<<<dim3(n / 2), 128>>>(p)", 0), ("(p)", 0)]
        {
            assert_eq!(blocks(launch, axis), None, "{launch}");
        }
    }
}
