//! The number of a thread that a function passes on: with `load(params, threadIdx.x)`, the `int tid` of `load` is that number.

use super::shared::Looker;
use super::tiled::{INDICES, assignments};
use crate::ast::{ExprId, Parameter, Site, Start};
use crate::eval::{BodyRef, Context, DeclRef, Parts, Reason, Unresolved, Value};

/// What such a parameter is known by, among the parts of parameters.
const THREAD: &str = "thread";

impl<'a> Looker<'_, 'a> {
    /// What is known of a parameter that is given the number of the thread, and that the function leaves as it is.
    pub(super) fn passed_thread(
        &mut self,
        body: BodyRef,
        param: &Parameter,
        arg: ExprId,
        call: &Start,
        context: &Context<'a>,
    ) -> Option<Parts<'a>> {
        let text = |span| self.program.text(Site { unit: body.unit, span });
        let word = text(param.word).trim_start_matches("std::");
        let (name, function) = (text(param.name), text(self.program.body(body).span));
        let kept = !name.is_empty() && (INDICES.contains(&word) || word == "auto") && assignments(function, name) == 0;
        if !kept || !self.is_thread(arg, call.function, context) {
            return None;
        }
        let why = Unresolved { reason: Reason::RunTime, site: Site { unit: body.unit, span: param.name } };
        Some(Parts::from([(THREAD.to_owned(), Value::Opaque(why))]))
    }

    /// Whether a variable is a parameter that is given the number of the thread.
    pub(super) fn is_passed_thread(&self, decl: DeclRef, context: &Context<'a>) -> bool {
        self.given(decl, context).is_some_and(|parts| parts.contains_key(THREAD))
    }
}
