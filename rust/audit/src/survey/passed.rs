//! The number of a thread that a function passes on: with `load(params, threadIdx.x)`, the `int tid` of `load` is that number. So with the index
//! of a block.

use super::shared::Looker;
use super::tiled::INDICES;
use crate::ast::{DeclKind, Expr, ExprId, Guard, GuardKind, Parameter, Site, Span, Start};
use crate::eval::{BodyRef, Context, DeclRef, Parts, Reason, Unresolved, Value};

/// What such a parameter is known by, among the parts of parameters.
const THREAD: &str = "thread";
const BLOCK: &str = "block";

/// Parts of the conditions on one way.
const MAX_PARTS: usize = 256;

impl<'a> Looker<'_, 'a> {
    /// What is known of a parameter that is given the number of the thread, or the index of the block, and that the function leaves as it is.
    pub(super) fn passed_index(
        &mut self,
        body: BodyRef,
        param: &Parameter,
        arg: ExprId,
        call: &Start,
        context: &Context<'a>,
    ) -> Option<Parts<'a>> {
        let text = |span| self.program.text(Site { unit: body.unit, span });
        let word = text(param.word).trim_start_matches("std::");
        let code = self.evaluator.code_of(Site { unit: body.unit, span: self.program.body(body).span });
        let kept =
            (INDICES.contains(&word) || word == "auto") && self.program.keeps_parameter(&code, body, text(param.name));
        let known = match kept {
            true if self.is_thread(arg, call.function, context) => THREAD,
            true if self.is_block(arg, call.function, context) => BLOCK,
            _ => return None,
        };
        let why = Unresolved { reason: Reason::RunTime, site: Site { unit: body.unit, span: param.name } };
        Some(Parts::from([(known.to_owned(), Value::Opaque(why))]))
    }

    /// Whether a variable is a parameter that is given the number of the thread.
    pub(super) fn is_passed_thread(&self, decl: DeclRef, context: &Context<'a>) -> bool {
        self.given(decl, context).is_some_and(|parts| parts.contains_key(THREAD))
    }

    /// Whether a variable is a parameter that is given the index of the block.
    pub(super) fn is_passed_block(&self, decl: DeclRef, context: &Context<'a>) -> bool {
        self.given(decl, context).is_some_and(|parts| parts.contains_key(BLOCK))
    }

    /// Whether conditions on the way to a place ask nothing of the thread, as far as they can be read.
    pub(super) fn asks_no_thread(&mut self, guards: &[Guard], function: Span, context: &Context<'a>) -> bool {
        let unit = self.program.unit(context.unit);
        let mut open: Vec<ExprId> =
            guards.iter().filter(|guard| guard.kind != GuardKind::Call).map(|guard| guard.condition).collect();
        for _ in 0..MAX_PARTS {
            let Some(expr) = open.pop() else { return true };
            match unit.expr(expr) {
                Expr::Number(_) | Expr::Sizeof(_) => {}
                Expr::Path(_) if !self.is_thread(expr, function, context) => {}
                Expr::Member(of, _) if !self.said(context, expr).starts_with("threadIdx") => open.push(*of),
                Expr::Unary(_, of) => open.push(*of),
                Expr::Binary(_, a, b) => open.extend([*a, *b]),
                _ => return false,
            }
        }
        false
    }

    /// Whether an expression is the index of the block, or a variable that has that value and no other.
    fn is_block(&mut self, index: ExprId, function: Span, context: &Context<'a>) -> bool {
        let said = self.said(context, index);
        if is_index(said) {
            return true;
        }
        let Expr::Path(path) = self.program.unit(context.unit).expr(index) else { return false };
        let [only] = path.segments.as_slice() else { return false };
        let Some((decl, inside)) = self.local(only.name, context) else { return false };
        if self.is_passed_block(decl, context) {
            return true;
        }
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return false };
        is_index(self.said(&inside, init)) && self.keeps(decl, function, context)
    }
}

/// Whether a text is the index of a block along an axis.
fn is_index(text: &str) -> bool {
    text.strip_prefix("blockIdx.").is_some_and(|axis| ["x", "y", "z"].contains(&axis.trim_end()))
}
