//! Which arm of a kernel the threads of a block take: conditions on how large the block is, on which thread or block it is that asks, and on
//! what the kernel is given.
//!
//! Some thread must get through. Thread 0 and block 0 are always there; that others are not is said only where it is sure.

use super::reached::{Way, compares_plainly};
use super::shared::Looker;
use super::tiled::is_cast;
use crate::ast::{DeclKind, Expr, ExprId, GuardKind, Op, Path, Site};
use crate::eval::{Context, Value};

/// Threads of a block along x.
const MAX_THREADS: u64 = 1_024;

/// Expressions that are looked at for all threads, and how deep.
const MAX_LOOKS: usize = 1 << 15;
const MAX_DEPTH: usize = 16;

/// A block of threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// Its threads along x, y and z; none where only the most is known.
    pub extents: Option<[u64; 3]>,
    /// The most threads that there may be along x.
    pub most: u64,
}

impl Block {
    /// The block of a launch.
    pub(super) fn of(extents: [u64; 3]) -> Self {
        Self { extents: Some(extents), most: extents[0] }
    }
}

/// What an expression asks CUDA of the thread.
enum Index {
    /// Nothing.
    None,
    /// What is not known.
    Open,
    /// A number.
    Is(i128),
}

/// How a condition is read.
struct Reading {
    block: Block,
    /// Which thread asks.
    thread: u64,
    /// Whether the answer hangs on that, and whether on another index, which is 0.
    by_thread: bool,
    by_index: bool,
    /// Whether counters of loops have the values with which they begin.
    begins: bool,
    left: usize,
}

impl<'a> Way<'_, '_, 'a> {
    /// Whether a thread of a block surely gets past a condition.
    // Recursion: through parts of one condition, each of which is shorter.
    pub(super) fn lets_through(
        &mut self,
        expr: ExprId,
        (holds, kind): (Option<bool>, GuardKind),
        block: Block,
        context: &Context<'a>,
    ) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        let Some(holds) = holds else { return self.is_apart(expr, context, MAX_DEPTH) };
        let unit = self.program.unit(context.unit);
        match (unit.expr(expr), holds) {
            _ if kind == GuardKind::Loop => {}
            (Expr::Binary(Op::LogicalAnd, a, b), true) | (Expr::Binary(Op::LogicalOr, a, b), false) => {
                return [*a, *b].into_iter().all(|part| self.lets_through(part, (Some(holds), kind), block, context));
            }
            (Expr::Unary(Op::Not, of), _) => return self.lets_through(*of, (Some(!holds), kind), block, context),
            _ => {}
        }
        let begins = kind == GuardKind::Loop;
        let reading = Reading { block, thread: 0, by_thread: false, by_index: false, begins, left: MAX_LOOKS };
        match self.some_thread(expr, holds, reading, context) {
            Some(through) => through,
            None if begins => self.counts_up(expr, context) || self.is_apart(expr, context, MAX_DEPTH),
            None if kind == GuardKind::Leave && !holds && self.turns_away(expr, true, context) => true,
            None => self.is_some_block(expr, holds, context) || self.is_apart(expr, context, MAX_DEPTH),
        }
    }

    /// Whether a condition comes to a value for some thread; none where that is not known.
    fn some_thread(&mut self, expr: ExprId, holds: bool, mut reading: Reading, context: &Context<'a>) -> Option<bool> {
        if (self.number(expr, context, &mut reading, MAX_DEPTH)? != 0) == holds {
            return Some(true);
        }
        if reading.by_index {
            // `blockIdx.x < 0` is true for no block.
            return self.is_below(expr, holds, context, "blockIdx").then_some(false);
        }
        if reading.by_thread {
            for thread in 1..reading.block.most.min(MAX_THREADS) {
                reading.thread = thread;
                if (self.number(expr, context, &mut reading, MAX_DEPTH)? != 0) == holds {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// Whether a condition lets blocks through whose index is below something: block 0 is one, unless that is 0 and nobody knows.
    fn is_some_block(&mut self, expr: ExprId, holds: bool, context: &Context<'a>) -> bool {
        let unit = self.program.unit(context.unit);
        let said = self.program.text(Site { unit: context.unit, span: unit.span(expr) });
        if self.is_below(expr, holds, context, "blockIdx") && self.by_block(expr, said, context) {
            return true;
        }
        // `int row = blockIdx.y; if (row * kRows >= rows) return;`
        let Some((below, other)) = below(unit.expr(expr), holds) else { return false };
        compares_plainly(said)
            && self.counts_blocks(below, context, MAX_DEPTH)
            && !self.counts_blocks(other, context, MAX_DEPTH)
    }

    /// Whether an expression is the index of a block, a variable that is one, or a multiple of it.
    // Recursion: as deep as `depth`.
    fn counts_blocks(&mut self, expr: ExprId, context: &Context<'a>, depth: usize) -> bool {
        let (Some(left), Some(depth)) = (self.left.checked_sub(1), depth.checked_sub(1)) else { return false };
        self.left = left;
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Member(..) => {
                let said = self.program.text(Site { unit: context.unit, span: unit.span(expr) });
                said.trim().starts_with("blockIdx.")
            }
            Expr::Path(path) => {
                let [only] = path.segments.as_slice() else { return false };
                let found =
                    (Looker { program: self.program, evaluator: &mut *self.evaluator }).local(only.name, context);
                let Some((decl, inside)) = found else { return false };
                let looker = Looker { program: self.program, evaluator: &mut *self.evaluator };
                if looker.is_passed_block(decl, context) {
                    return true;
                }
                if self.is_parameter(decl) {
                    return false;
                }
                match self.program.decl(decl).kind {
                    DeclKind::Variable { init: Some(init), .. } if self.is_settled(decl) => {
                        self.counts_blocks(init, &inside, depth)
                    }
                    _ => false,
                }
            }
            Expr::Binary(Op::Mul, a, b) => {
                self.counts_blocks(*a, context, depth) != self.counts_blocks(*b, context, depth)
            }
            _ => false,
        }
    }

    /// Whether a condition is that an index is below something.
    fn is_below(&self, expr: ExprId, holds: bool, context: &Context<'a>, index: &str) -> bool {
        let unit = self.program.unit(context.unit);
        let Some((below, other)) = below(unit.expr(expr), holds) else { return false };
        let has = |expr: ExprId| {
            self.program.text(Site { unit: context.unit, span: unit.span(expr) }).trim().starts_with(index)
        };
        has(below) && !has(other)
    }

    // Recursion: as deep as `depth`.
    fn number(&mut self, expr: ExprId, context: &Context<'a>, reading: &mut Reading, depth: usize) -> Option<i128> {
        reading.left = reading.left.checked_sub(1)?;
        let depth = depth.checked_sub(1)?;
        match self.index(expr, context, reading) {
            Index::Is(value) => return Some(value),
            Index::Open => return None,
            Index::None => {}
        }
        if let Ok(Value::Number(number)) = self.evaluator.evaluate(expr, context) {
            return Some(number.value);
        }
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Path(path) => self.variable(path, context, reading, depth),
            Expr::Unary(op, of) => {
                let of = self.number(*of, context, reading, depth)?;
                (*op == Op::Not).then_some(i128::from(of == 0))
            }
            Expr::Binary(op @ (Op::LogicalAnd | Op::LogicalOr), a, b) => {
                let decides = i128::from(*op == Op::LogicalOr);
                let (a, b) = (self.number(*a, context, reading, depth), self.number(*b, context, reading, depth));
                let truth = |value: i128| i128::from(value != 0);
                match (a.map(truth), b.map(truth)) {
                    (Some(one), _) | (_, Some(one)) if one == decides => Some(decides),
                    (Some(_), Some(_)) => Some(1 - decides),
                    _ => None,
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.number(*a, context, reading, depth)?, self.number(*b, context, reading, depth)?);
                arithmetic(*op, a, b)
            }
            Expr::Conditional(test, yes, no) => {
                let chosen = if self.number(*test, context, reading, depth)? == 0 { no } else { yes };
                self.number(*chosen, context, reading, depth)
            }
            Expr::Call(ty, args) | Expr::Construct(ty, args) => {
                let [only] = args.as_slice() else { return None };
                let ty = self.program.text(Site { unit: context.unit, span: unit.span(*ty) });
                is_cast(ty).then(|| self.number(*only, context, reading, depth)).flatten()
            }
            _ => None,
        }
    }

    /// What an expression asks CUDA of the thread.
    fn index(&self, expr: ExprId, context: &Context<'a>, reading: &mut Reading) -> Index {
        let unit = self.program.unit(context.unit);
        let Expr::Member(..) = unit.expr(expr) else { return Index::None };
        let said = self.program.text(Site { unit: context.unit, span: unit.span(expr) }).trim();
        let Some((of, axis)) = said.split_once('.') else { return Index::None };
        let Some(axis) = ["x", "y", "z"].iter().position(|name| *name == axis) else { return Index::None };
        let extent = reading.block.extents.and_then(|extents| extents.get(axis).copied());
        match of {
            "blockDim" => extent.map_or(Index::Open, |extent| Index::Is(i128::from(extent))),
            "threadIdx" if axis == 0 => {
                reading.by_thread = true;
                Index::Is(i128::from(reading.thread))
            }
            "threadIdx" | "blockIdx" => {
                reading.by_index |= of == "blockIdx" || extent != Some(1);
                Index::Is(0)
            }
            "gridDim" => Index::Open,
            _ => Index::None,
        }
    }

    /// A variable that keeps its value, or one that a loop counts, where it begins.
    fn variable(&mut self, path: &Path, context: &Context<'a>, reading: &mut Reading, depth: usize) -> Option<i128> {
        let [only] = path.segments.as_slice() else { return None };
        let (decl, inside) =
            (Looker { program: self.program, evaluator: &mut *self.evaluator }).local(only.name, context)?;
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return None };
        let counted = reading.begins && self.is_counter(decl);
        // A parameter's default is not what it is given.
        if self.is_parameter(decl) || !(counted || self.is_settled(decl)) {
            return None;
        }
        self.number(init, &inside, reading, depth)
    }
}

/// The side of a comparison that is below the other one where it comes to `holds`, and that one.
const fn below(condition: &Expr, holds: bool) -> Option<(ExprId, ExprId)> {
    match (condition, holds) {
        (Expr::Binary(Op::Lt | Op::Le, left, right), true) | (Expr::Binary(Op::Ge | Op::Gt, left, right), false) => {
            Some((*left, *right))
        }
        (Expr::Binary(Op::Gt | Op::Ge, left, right), true) | (Expr::Binary(Op::Le | Op::Lt, left, right), false) => {
            Some((*right, *left))
        }
        _ => None,
    }
}

/// Arithmetic in which nothing is below 0, as with what CUDA says of a thread.
fn arithmetic(op: Op, a: i128, b: i128) -> Option<i128> {
    if a < 0 || b < 0 {
        return None;
    }
    let shift = || u32::try_from(b).ok().filter(|by| *by < 32);
    let value = match op {
        Op::Add => a.checked_add(b)?,
        Op::Sub => a.checked_sub(b)?,
        Op::Mul => a.checked_mul(b)?,
        Op::Div => a.checked_div(b)?,
        Op::Rem => a.checked_rem(b)?,
        Op::Shl => a.checked_shl(shift()?)?,
        Op::Shr => a.checked_shr(shift()?)?,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Eq => i128::from(a == b),
        Op::Ne => i128::from(a != b),
        Op::Lt => i128::from(a < b),
        Op::Le => i128::from(a <= b),
        Op::Gt => i128::from(a > b),
        Op::Ge => i128::from(a >= b),
        Op::LogicalAnd | Op::LogicalOr | Op::Not | Op::Complement => return None,
    };
    // Beyond 31 bits it hangs on the types.
    (0..1 << 31).contains(&value).then_some(value)
}
