//! A slice by the number of the thread, in a kernel or a function that one calls: for how many threads of a block it is.

use super::arms::Block;
use super::digits::partitioned;
use super::shared::{Looker, Started, What};
use super::sides::{Beside, Side, beside};
use super::tiled::threads_of;
use crate::ast::{Expr, ExprId, Site, Span};
use crate::eval::{BodyRef, Context, Evaluator, Program, Tiled};

/// Whether threads beyond those of a tiled copy, by its layout of (thread, value), get parts of the tile again: the last mode of a thread
/// goes on with its stride, and any other begins anew.
pub(crate) fn wraps(layout: &razorgirl::Layout) -> bool {
    let threads = layout.mode(0);
    threads.is_none_or(|threads| threads.modes().last().is_none_or(|last| last.stride() == 0))
}

/// What is sliced, for how many threads.
pub(super) struct Sliced {
    pub threads: u64,
    /// Whether nothing holds threads beyond back.
    pub all: bool,
    /// Whether it is sliced by the number of the thread in its block, row by row.
    pub rows: bool,
    /// The side of an `#if` that it stands on, where others slice too: each of them must be wrong.
    pub side: Option<Side>,
    pub at: Site,
}

impl Sliced {
    pub(super) fn started(self, block: [u64; 3]) -> Started {
        let block = if self.rows { [block.into_iter().fold(1, u64::saturating_mul), 1, 1] } else { block };
        Started { block, threads: self.threads, bound: false, all: self.all, rows: self.rows, at: self.at }
    }
}

/// A slice by `threadIdx.x`, for how many threads it is. Others get the part of one of those where CuTe divides their number by the
/// extents of the threads, as it does for an MMA and for `local_partition` (`idx2crd`).
pub(super) fn sliced_for<'a>(
    program: &'a Program<'a>,
    evaluator: &mut Evaluator<'a>,
    (body, all): (BodyRef, bool),
    (what, span): (What, Span),
    context: &Context<'a>,
    there: Block,
) -> Option<Sliced> {
    let (What::Slice(of, index) | What::Local(_, of, index)) = what else { return None };
    let unit = program.unit(body.unit);
    let function = program.body(body).span;
    let mut looker = Looker { program, evaluator };
    let rows = there.extents.filter(|[x, y, z]| *y > 1 && *z == 1 && looker.counts_rows(index, function, *x, context));
    if rows.is_none() && !looker.is_thread(index, function, context) {
        return None;
    }
    let most = rows.map_or(there.most, |[x, y, _]| x.saturating_mul(y));
    let text = program.text(Site { unit: body.unit, span: function });
    let side = match beside(text, unit.span(of).start.saturating_sub(function.start) as usize) {
        Beside::Nothing => None,
        Beside::Sides(side) => Some(side),
        Beside::Unknown => return None,
    };
    let slice = matches!(what, What::Slice(..));
    let (threads, wraps) = if slice {
        // How many threads there are does not hang on what an element is.
        let value = looker.evaluator.evaluate(of, context).ok().filter(|value| threads_of(value).is_some());
        let value = value.map_or_else(|| looker.object(of, context), Ok).ok()?;
        (threads_of(&value)?, Tiled::of(&value).is_none_or(|copy| wraps(&copy.layout)))
    } else {
        (partitioned(&looker.layout(of, context).ok()??), true)
    };
    if threads == most || (threads < most && side.is_some()) {
        return None;
    }
    let all = all && !wraps && rows.is_none();
    // Where nobody is held back, what a slice is used for holds nobody back either.
    let taken = if threads > most {
        looker.is_taken(span, there, context)
    } else {
        !all || looker.gets_there(span, there, context)
    };
    if !taken || looker.is_unused(span, function, context) {
        return None;
    }
    let (object, by) = (looker.said(context, of), looker.said(context, index));
    let others = if slice {
        looker.others(unit, function, object, by, context) || looker.is_halved(of, function, most, context)
    } else {
        partitions(program, function, context, object, by)
    };
    if others {
        return None;
    }
    let at = Site { unit: body.unit, span: unit.span(of) };
    Some(Sliced { threads, all, rows: rows.is_some(), side, at })
}

/// Whether the kernel partitions by the same threads with another index as well.
fn partitions(program: &Program<'_>, function: Span, context: &Context<'_>, threads: &str, index: &str) -> bool {
    let unit = program.unit(context.unit);
    let said = |expr: ExprId| program.text(Site { unit: context.unit, span: unit.span(expr) }).trim();
    unit.exprs.iter().any(|(expr, span)| match expr {
        Expr::Call(callee, args) if function.contains(*span) => {
            let [_, of, by, ..] = args.as_slice() else { return false };
            said(*callee).ends_with("local_partition") && said(*of) == threads && said(*by) != index
        }
        _ => false,
    })
}
