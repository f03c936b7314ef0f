//! Places that are compiled and never run: in an arm of a plain `if` or `switch` on a constant, or behind a `return` under one.
//!
//! What a kernel asks at run time is another matter: there is somebody who takes that arm, or it would not have been written.

use super::launches::hanging;
use super::shared::Looker;
use crate::ast::{DeclKind, Expr, ExprId, Guard, GuardKind, Path, Site, Span};
use crate::eval::{Context, DeclRef, Reason, Resolved, Unresolved, Value};
use crate::source::places;

/// Parts of one condition, and how deep.
const MAX_DEPTH: usize = 16;
const MAX_PARTS: usize = 256;

/// What CUDA says of a thread.
const INDICES: [&str; 5] = ["blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"];

/// Functions of CuTe that ask which thread it is.
const ASKS: [&str; 5] = ["block0", "canonical_lane_idx", "canonical_warp_idx_sync", "elect_one_sync", "thread0"];

impl<'a> Looker<'_, 'a> {
    /// Whether a place is dead with what is known, or may be by a constant that is not.
    ///
    /// # Errors
    /// It hangs on a template parameter.
    pub(super) fn is_dead(&mut self, at: Span, context: &Context<'a>) -> Resolved<bool> {
        let mut open: Option<Site> = None;
        for guard in self.way_to(at.start, context).unwrap_or_default() {
            if guard.kind == GuardKind::Call {
                continue;
            }
            let value = self.evaluator.evaluate(guard.condition, context);
            if let (Ok(Value::Number(number)), Some(holds)) = (&value, guard.holds) {
                if (number.value != 0) != holds {
                    return Ok(true);
                }
                continue;
            }
            let known = matches!(value, Ok(Value::Number(_)));
            match hanging(&value) {
                Some(site) if guard.kind != GuardKind::Maybe || guard.holds.is_some() => open = open.or(Some(site)),
                _ if self.may_be_dead(*guard, known, context) => return Ok(true),
                _ => {}
            }
        }
        match open {
            Some(site) => Err(Unresolved { reason: Reason::Dependent, site }),
            None => Ok(false),
        }
    }

    /// Whether a condition that does not say whether it holds may be a constant.
    fn may_be_dead(&mut self, guard: Guard, known: bool, context: &Context<'a>) -> bool {
        match (guard.kind, guard.holds) {
            (GuardKind::Test | GuardKind::Leave | GuardKind::Case, Some(_)) => {
                let mut left = MAX_PARTS;
                !self.runs(guard.condition, context, &mut left, MAX_DEPTH)
            }
            // A `switch` of which it is not known which case it is.
            (GuardKind::Test, None) => known,
            _ => false,
        }
    }

    /// Whether an expression is worked out at run time, but for what is known of it.
    // Recursion: as deep as `depth`.
    fn runs(&mut self, expr: ExprId, context: &Context<'a>, left: &mut usize, depth: usize) -> bool {
        let (Some(rest), Some(depth)) = (left.checked_sub(1), depth.checked_sub(1)) else { return false };
        *left = rest;
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Number(_) | Expr::Sizeof(_) | Expr::Opaque => return true,
            Expr::Broken => return false,
            _ => {}
        }
        let value = self.evaluator.evaluate(expr, context);
        if hanging(&value).is_some() {
            return false;
        }
        if matches!(value, Ok(Value::Number(_))) {
            return true;
        }
        let mut all =
            |looker: &mut Self, parts: &[ExprId]| parts.iter().all(|part| looker.runs(*part, context, left, depth));
        match unit.expr(expr) {
            Expr::Path(path) => self.name_runs(path, context, left, depth),
            Expr::Member(of, _) | Expr::Unary(_, of) => all(self, &[*of]),
            Expr::Binary(_, a, b) | Expr::Element(a, b) => all(self, &[*a, *b]),
            Expr::Conditional(a, b, c) => all(self, &[*a, *b, *c]),
            Expr::Construct(_, args) => !args.is_empty() && all(self, args),
            Expr::Call(callee, args) => match unit.expr(*callee) {
                Expr::Member(of, _) => all(self, &[*of]) && all(self, args),
                Expr::Path(path) => {
                    let Some(last) = path.segments.last().filter(|last| last.args.is_none()) else { return false };
                    ASKS.contains(&self.text(context, last.name)) || (!args.is_empty() && all(self, args))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn name_runs(&mut self, path: &Path, context: &Context<'a>, left: &mut usize, depth: usize) -> bool {
        let [only] = path.segments.as_slice() else { return false };
        let Some((decl, inside)) = self.local(only.name, context) else {
            return INDICES.contains(&self.text(context, only.name));
        };
        match self.program.decl(decl).kind {
            // What it is declared with may be a constant, or an object of a type that is one.
            DeclKind::Variable { init: Some(init), .. } => self.runs(init, &inside, left, depth),
            DeclKind::Variable { init: None, .. } | DeclKind::RunTime => !self.has_open_type(decl, &inside),
            _ => false,
        }
    }

    /// Whether the type of a variable hangs on a template parameter, or on what it is given: an object of such a type may say a constant.
    fn has_open_type(&mut self, decl: DeclRef, inside: &Context<'a>) -> bool {
        let said = self.program.text(Site { unit: decl.unit, span: self.program.decl(decl).span });
        let value = self.type_of(decl).map(|ty| self.evaluator.evaluate(ty, inside));
        places(said, "auto").next().is_some() || value.is_some_and(|value| hanging(&value).is_some())
    }
}
