//! Slices for more threads than there are that are right all the same: each thread takes a second one, of another object or in another function,
//! or the pointer of the tensor moves on to where the others would lie.
//!
//! ```text
//! auto tensor = make_tensor(make_gmem_ptr(p + 512 * blockIdx.x), layout);
//! clear(copy.get_slice(threadIdx.x).partition_D(tensor));
//! ```

use razorgirl::Layout;

use super::shared::Looker;
use super::tiled::{index_of_thread, slices, threads_of};
use crate::ast::{Expr, ExprId, Op, Site, Span};
use crate::eval::{Context, Tiled, Value};
use crate::source::{closing, code, is_identifier, last_word, opened, places};

/// Factors and sums of a pointer that are followed.
const MAX_DEPTH: usize = 8;

/// Ways to take a slice.
const SLICES: [&str; 2] = ["get_slice", "get_thread_slice"];

/// How far the arguments of a template are followed back.
const MAX_BACK: usize = 256;

impl<'a> Looker<'_, 'a> {
    /// Whether the slices beyond so many threads may be taken in another way, of a slice by `threadIdx.x` in a function.
    pub(super) fn is_halved(&mut self, tiled: ExprId, function: Span, there: u64, context: &Context<'a>) -> bool {
        let object = self.said(context, tiled);
        let Ok(value) = self.object(tiled, context) else { return false };
        let Some(threads) = threads_of(&value).filter(|threads| *threads > there) else { return false };
        let unit = self.program.unit(context.unit);
        for ((expr, span), at) in unit.exprs.iter().zip(0_u32..) {
            let (Expr::Call(callee, args), true) = (expr, function.contains(*span)) else { continue };
            match (unit.expr(*callee), args.as_slice()) {
                (Expr::Member(of, method), [only])
                    if slices(self.text(context, method.name))
                        && self.said(context, *of) != object
                        && !self.is_thread(*only, function, context)
                        && self.object(*of, context).is_ok_and(|other| threads_of(&other) == Some(threads)) =>
                {
                    return true;
                }
                (Expr::Path(path), [pointer, of @ ..]) if matches!(of.len(), 1 | 2) => {
                    let name = path.segments.last().map_or("", |part| self.text(context, part.name));
                    if name != "make_tensor" {
                        continue;
                    }
                    let tensor = match of {
                        [layout] => self.layout(*layout, context),
                        _ => self.laid(ExprId(at), context),
                    };
                    let Ok(Some(tensor)) = tensor else { continue };
                    if self.is_moved(*pointer, &tensor, (function, &value), there, context).is_some() {
                        return true;
                    }
                }
                _ => {}
            }
        }
        self.is_sliced_elsewhere(object, function, context)
    }

    /// Whether an object is handed to a function that takes other slices of it than that of `threadIdx.x`.
    fn is_sliced_elsewhere(&self, object: &str, function: Span, context: &Context<'a>) -> bool {
        let text = code(self.program.text(Site { unit: context.unit, span: function }));
        places(&text, object).any(|at| {
            let before = text.get(..at).unwrap_or_default().trim_end();
            let after = text.get(at + object.len()..).unwrap_or_default().trim_start();
            let whole = before.ends_with(['(', ',']) && after.starts_with([')', ',']);
            let Some(('(', callee)) = opened(before).filter(|_| whole) else { return false };
            self.program.bodies(last_word(without_list(callee)).0).iter().any(|body| {
                let text = code(self.program.text(Site { unit: body.unit, span: self.program.body(*body).span }));
                slices_otherwise(&text)
            })
        })
    }

    /// Whether the pointer of a tensor moves by as much as threads that are not there lie behind those that are.
    fn is_moved(
        &mut self,
        pointer: ExprId,
        tensor: &Layout,
        (function, copy): (Span, &Value<'a>),
        there: u64,
        context: &Context<'a>,
    ) -> Option<()> {
        let unit = self.program.unit(context.unit);
        let Expr::Call(_, args) = unit.expr(pointer) else { return None };
        let [at] = args.as_slice() else { return None };
        let copy = Tiled::of(copy)?;
        let lies = |thread: u64| tensor.at(copy.layout.at(thread).ok()?).ok();
        let distance = |thread: u64| lies(thread + there)?.checked_sub(lies(thread)?);
        let step = distance(0)?;
        let own = is_tile(tensor, &copy.tile) && distance(there.checked_sub(1)?)? == step;
        let moves = own
            && match unit.expr(*at) {
                Expr::Binary(Op::Add, a, b) => [(*a, *b), (*b, *a)].into_iter().any(|(part, base)| {
                    self.moves_by(part, step, there, context, MAX_DEPTH)
                        || (self.factor(part, there, context, MAX_DEPTH) == (Some(step), false)
                            && self.begins_at(self.said(context, base), function, context))
                }),
                _ => self.is_stepped(self.said(context, *at), step, function, context),
            };
        moves.then_some(())
    }

    /// Whether another tensor of a function begins at a pointer, and there are partitions of two.
    fn begins_at(&self, pointer: &str, function: Span, context: &Context<'a>) -> bool {
        let text = code(self.program.text(Site { unit: context.unit, span: function }));
        let partitions: usize =
            ["partition_S", "partition_D"].into_iter().map(|word| places(&text, word).count()).sum();
        partitions > 1
            && ["make_gmem_ptr", "make_smem_ptr"].into_iter().any(|word| {
                places(&text, word).any(|at| {
                    let given = text.get(at + word.len()..).and_then(|rest| rest.trim_start().strip_prefix('('));
                    given.and_then(|rest| rest.split(')').next()).is_some_and(|given| given.trim() == pointer)
                })
            })
    }

    /// Whether a function moves a pointer on in steps of a number: `p += 512`.
    fn is_stepped(&self, name: &str, step: u64, function: Span, context: &Context<'a>) -> bool {
        if name.is_empty() || !name.bytes().all(is_identifier) {
            return false;
        }
        let text = code(self.program.text(Site { unit: context.unit, span: function }));
        places(&text, name).any(|at| {
            let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
            let by = after.strip_prefix("+=").map(str::trim_start).unwrap_or_default();
            let length = by.bytes().take_while(u8::is_ascii_digit).count();
            by.get(..length).and_then(|number| number.parse().ok()) == Some(step)
                && by.get(length..).is_some_and(|rest| rest.trim_start().starts_with([';', ')', ',']))
        })
    }

    /// Whether an expression goes on in steps of a number, by what is known of its factors.
    // Recursion: as deep as `depth`.
    fn moves_by(&mut self, expr: ExprId, step: u64, there: u64, context: &Context<'a>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match self.program.unit(context.unit).expr(expr) {
            Expr::Binary(Op::Add, a, b) => {
                [*a, *b].into_iter().any(|part| self.moves_by(part, step, there, context, depth))
            }
            Expr::Binary(Op::Mul, ..) => {
                let (factor, open) = self.factor(expr, there, context, depth);
                open && factor == Some(step)
            }
            _ => false,
        }
    }

    /// The product of the factors that are known, and whether there are others.
    // Recursion: as deep as `depth`.
    fn factor(&mut self, expr: ExprId, there: u64, context: &Context<'a>, depth: usize) -> (Option<u64>, bool) {
        let Some(depth) = depth.checked_sub(1) else { return (None, true) };
        if let Ok(Value::Number(number)) = self.evaluator.evaluate(expr, context) {
            return (u64::try_from(number.value).ok(), false);
        }
        if self.said(context, expr) == "blockDim.x" {
            return (Some(there), false);
        }
        match self.program.unit(context.unit).expr(expr) {
            Expr::Binary(Op::Mul, a, b) => {
                let (a, b) = (self.factor(*a, there, context, depth), self.factor(*b, there, context, depth));
                (a.0.zip(b.0).and_then(|(a, b)| a.checked_mul(b)), a.1 || b.1)
            }
            _ => (Some(1), true),
        }
    }
}

/// Whether a tensor has the extents of a tile.
fn is_tile(tensor: &Layout, tile: &[u64]) -> bool {
    tensor.rank() == tile.len()
        && tile.iter().enumerate().all(|(index, extent)| tensor.mode(index).is_some_and(|mode| mode.size() == *extent))
}

/// Whether the code of a function slices by anything else than `threadIdx.x`.
fn slices_otherwise(code: &str) -> bool {
    SLICES.into_iter().any(|word| {
        places(code, word).any(|at| {
            let rest = code.get(at + word.len()..).unwrap_or_default().trim_start();
            let inside = rest.strip_prefix('(').and_then(|inside| inside.get(..closing(inside)?));
            inside.is_some_and(|index| !index_of_thread(index))
        })
    })
}

/// A name without the template arguments behind it.
fn without_list(callee: &str) -> &str {
    let mut depth = 0_usize;
    for (at, sign) in callee.char_indices().rev().take(MAX_BACK) {
        match sign {
            '>' => depth += 1,
            '<' if depth > 0 => depth -= 1,
            _ if depth == 0 => return callee.get(..at + sign.len_utf8()).unwrap_or_default().trim_end(),
            _ => {}
        }
    }
    callee
}
