//! Kernels that no launch among the files names: a driver or a compiler at run time launches them. What their `__launch_bounds__` allows
//! holds for each of those launches, so that slices in functions that they call are for too many threads whoever launches them.

use std::collections::BTreeMap;

use super::arms::Block;
use super::devices::Calls;
use super::kernels::is_kernel;
use super::launched::Said;
use super::launches::Place;
use super::shared::Fact;
use super::sliced::sliced_for;
use super::tiled::{MAX_EXPRESSIONS, MAX_SEARCHED};
use crate::ast::{ExprId, ScopeId, Site};
use crate::eval::{BodyRef, Context, Evaluator, Program, Value};

/// What the call says to a finding.
const CALL: &str = "in what this kernel calls";

/// Kernels that are looked at.
const MAX_KERNELS: usize = 1_024;

/// A kernel with `__launch_bounds__`.
pub(super) struct Bounded {
    pub body: BodyRef,
    bound: ExprId,
    scope: ScopeId,
}

/// Kernels of the project's own that are no templates: nobody need say what they are made with.
pub(super) fn kernels(program: &Program<'_>) -> Vec<Bounded> {
    let units = (0_u32..).zip(program.units()).filter(|(unit, _)| !program.is_vendored(*unit));
    let all = units.flat_map(|(unit, of)| of.launches.iter().map(move |launch| (unit, launch)));
    let kernel = |(unit, launch): (u32, &crate::ast::Launch)| {
        let of = program.unit(unit).bodies.iter().find(|body| body.span == launch.function)?;
        let body = program.body_of(unit, of.scope)?;
        let own = of.template.is_none() && of.span.range().len() <= MAX_SEARCHED;
        let read = own && program.unit(unit).exprs.len() <= MAX_EXPRESSIONS && is_kernel(program, body);
        read.then_some(Bounded { body, bound: launch.bound, scope: launch.scope })
    };
    all.filter_map(kernel).take(MAX_KERNELS).collect()
}

impl Bounded {
    /// Slices for more threads than it may have, in functions that it calls on every way.
    pub(super) fn beyond<'a>(
        &self,
        program: &'a Program<'a>,
        evaluator: &mut Evaluator<'a>,
        calls: &Calls<'a>,
        places: &BTreeMap<BodyRef, Vec<Place>>,
    ) -> Vec<Said> {
        if !calls.any(self.body) {
            return Vec::new();
        }
        let unit = self.body.unit;
        let context = Context { unit, scope: self.scope, env: None };
        let Ok(Value::Number(bound)) = evaluator.evaluate(self.bound, &context) else { return Vec::new() };
        let Some(most) = u64::try_from(bound.value).ok().filter(|bound| *bound > 0) else { return Vec::new() };
        let at = Site { unit, span: program.unit(unit).span(self.bound) };
        let name = Site { unit, span: program.body(self.body).name };
        let there = Block { extents: None, most };
        let inner = calls.places(evaluator, self.body, &None, places, None);
        let inner = inner.into_iter().filter(|inner| inner.always && inner.told);
        let beyond = inner.filter_map(|inner| {
            let place = (inner.what, inner.span);
            let sliced = sliced_for(program, evaluator, (inner.body, false), place, &inner.context, there)?;
            let fact = Fact::Launch { threads: sliced.threads, bound: most, at };
            let wrong = sliced.threads > most && sliced.side.is_none();
            wrong.then(|| (inner.spot, (fact, String::new(), vec![(name, CALL)])))
        });
        beyond.collect()
    }
}
