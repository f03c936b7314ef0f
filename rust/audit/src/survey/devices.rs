//! Functions that a kernel calls on every way: what they slice by `threadIdx.x` is sliced for the kernel's block. `compute<Traits>(params);`

use std::collections::BTreeMap;

use super::callers::callee;
use super::launches::{Place, compiled};
use super::shared::{Looker, What};
use super::tiled::{MAX_EXPRESSIONS, MAX_SEARCHED, assignments};
use crate::ast::{GuardKind, Path, Site, Span, Start};
use crate::eval::{Bindings, BodyRef, Context, Evaluator, Program, code};
use crate::source::places;

/// Functions that call functions, and how many of them are looked at for one kernel.
const MAX_DEPTH: usize = 3;
const MAX_CALLS: usize = 16;

/// Bytes before a function in which its annotations stand.
const MAX_BEFORE: u32 = 128;

/// Words of functions of the device.
const DEVICE: [&str; 5] = ["__device__", "CUTE_DEVICE", "CUTE_HOST_DEVICE", "CUTLASS_DEVICE", "CUTLASS_HOST_DEVICE"];

/// A function that a kernel calls.
type Called<'a> = (BodyRef, &'a Path, &'a Start);

/// Whether a function is one of the device that a kernel may call.
pub(super) fn is_device(program: &Program<'_>, body: BodyRef) -> bool {
    let span = program.body(body).span;
    let text = program.text(Site { unit: body.unit, span });
    let head = text.split('{').next().unwrap_or_default();
    // Annotations that are macros are left out of what the grammar sees, and stand before it.
    let start = span.start.saturating_sub(MAX_BEFORE);
    let before = program.text(Site { unit: body.unit, span: Span { start, end: span.start } });
    let before = before.rsplit([';', '{', '}', '>']).next().unwrap_or_default();
    DEVICE.iter().any(|word| head.contains(word) || before.contains(word)) && !head.contains("__global__")
}

/// The functions of the device that a function calls on every way.
fn called<'a>(program: &'a Program<'a>, body: BodyRef) -> Vec<Called<'a>> {
    let unit = program.unit(body.unit);
    let span = program.body(body).span;
    let always = |call: &&Start| {
        call.function == span && !call.open && call.guards.iter().all(|guard| guard.kind == GuardKind::Call)
    };
    let found = unit.passes.iter().filter(always).take(MAX_CALLS);
    found
        .filter_map(|call| {
            let (path, of) = callee(program, body.unit, call)?;
            (of != body && is_device(program, of)).then_some((of, path, call))
        })
        .collect()
}

/// Whether a place in a function is reached on every way and for every size of a block: no block is around it, nothing ends the function
/// before, and nobody asks how many threads there are.
fn is_always_reached(function: &str, at: usize) -> bool {
    let text = code(function);
    let Some(before) = text.get(..at) else { return false };
    let open = before.matches('{').count();
    let words = ["blockDim", "break", "case", "exit", "goto", "return", "trap", "__trap"];
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default();
    let guards = ["else", "for", "if", "while"];
    open == before.matches('}').count() + 1
        && words.iter().all(|word| places(before, word).next().is_none())
        && guards.iter().all(|word| places(statement, word).next().is_none())
        && !statement.contains(['?', '&', '|'])
}

/// The functions that some kernels call on every way, and those that these call.
pub(super) fn reached_from(program: &Program<'_>, kernels: impl Iterator<Item = BodyRef>) -> Vec<BodyRef> {
    let mut all: Vec<BodyRef> = Vec::new();
    let mut next: Vec<BodyRef> = kernels.collect();
    for _ in 0..MAX_DEPTH {
        let found: Vec<BodyRef> = next.iter().flat_map(|body| called(program, *body)).map(|(of, ..)| of).collect();
        next = found.into_iter().filter(|of| !all.contains(of)).collect();
        next.sort_unstable();
        next.dedup();
        all.extend(next.iter().copied());
    }
    all
}

/// Places of the functions that a kernel calls on every way, each with the values that its parameters have there.
pub(super) fn slices<'a>(
    program: &'a Program<'a>,
    evaluator: &mut Evaluator<'a>,
    kernel: BodyRef,
    env: &Bindings<'a>,
    places: &BTreeMap<BodyRef, Vec<Place>>,
) -> Vec<(BodyRef, What, Span, Context<'a>)> {
    let mut found = Vec::new();
    let mut open: Vec<(BodyRef, Bindings<'a>, usize)> = vec![(kernel, env.clone(), MAX_DEPTH)];
    for _ in 0..MAX_CALLS {
        let Some((body, env, depth)) = open.pop() else { break };
        let Some(depth) = depth.checked_sub(1) else { continue };
        for (of, path, call) in called(program, body) {
            let context = Context { unit: body.unit, scope: call.scope, env: env.clone() };
            let text = program.text(Site { unit: of.unit, span: program.body(of).span });
            if text.len() > MAX_SEARCHED
                || program.unit(of.unit).exprs.len() > MAX_EXPRESSIONS
                || !compiled(program, evaluator, &context)
            {
                continue;
            }
            let context = (Looker { program, evaluator }).knowing_call(call, &context);
            // What it changes is not followed here.
            let keeps = |name: &str| !name.is_empty() && assignments(text, name) == 0;
            let Some(given) = evaluator.launched(of, path, call, &context, keeps) else { continue };
            for (_, what, scope, span) in places.get(&of).into_iter().flatten() {
                let inside = Context { unit: of.unit, scope: *scope, env: given.clone() };
                let (What::Slice(by, _) | What::Local(_, by, _)) = what else { continue };
                let at = program.unit(of.unit).span(*by).start;
                if is_always_reached(text, at.saturating_sub(program.body(of).span.start) as usize)
                    && compiled(program, evaluator, &inside)
                {
                    found.push((of, *what, *span, inside));
                }
            }
            open.push((of, given, depth));
        }
    }
    found
}
