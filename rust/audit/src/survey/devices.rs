//! Functions that a kernel calls on every way: what they slice by `threadIdx.x` is sliced for the kernel's block. `compute<Traits>(params);`,
//! `op(params);`, `Mainloop::mma(params, threadIdx.x);`

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::arms::Block;
use super::callers::callee;
use super::launches::{Place, compiled, function_around};
use super::methods::{Meant, is_member};
use super::shared::{Looker, What};
use super::tiled::{MAX_EXPRESSIONS, MAX_SEARCHED};
use crate::ast::{ExprId, GuardKind, Path, Site, Span, Start};
use crate::eval::{Bindings, BodyRef, Context, Evaluator, Program};
use crate::source::{code, places};

/// Functions that call functions, and how many of them are looked at for one kernel.
const MAX_DEPTH: usize = 4;
const MAX_CALLS: usize = 16;

/// Calls of all functions.
const MAX_ALL: usize = 1 << 16;

/// Places of one name in a function.
const MAX_PLACES: usize = 512;

/// Bytes before a function in which its annotations stand.
const MAX_BEFORE: u32 = 128;

/// Words of functions of the device.
const DEVICE: [&str; 5] = ["__device__", "CUTE_DEVICE", "CUTE_HOST_DEVICE", "CUTLASS_DEVICE", "CUTLASS_HOST_DEVICE"];

/// A function of a namespace that a call means, and its name there.
type Free<'a> = Option<(&'a Path, BodyRef)>;

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

/// Whether a call is made on every way.
fn is_always(call: &Start) -> bool {
    call.guards.iter().all(|guard| guard.kind == GuardKind::Call)
}

/// The calls that functions make.
pub(super) struct Calls<'a> {
    program: &'a Program<'a>,
    of: BTreeMap<BodyRef, Vec<&'a Start>>,
    /// What was found out of calls: by unit and callee.
    free: RefCell<BTreeMap<(u32, u32), Free<'a>>>,
}

/// A place in a function that a kernel calls.
pub(super) struct Inner<'a> {
    pub body: BodyRef,
    /// Which of the survey's it is.
    pub spot: usize,
    pub what: What,
    pub span: Span,
    pub context: Context<'a>,
    /// Whether it is reached on every way, for every size of a block.
    pub always: bool,
    /// Whether the functions on the way to it are told of no threads but those that there are.
    pub told: bool,
}

impl<'a> Calls<'a> {
    pub(super) fn new(program: &'a Program<'a>) -> Self {
        let mut of: BTreeMap<BodyRef, Vec<&'a Start>> = BTreeMap::new();
        let units = (0_u32..).zip(program.units());
        let calls = units.flat_map(|(unit, of)| of.passes.iter().map(move |call| (unit, call)));
        // Those on every way first: there is an end to how many are looked at.
        let (always, others): (Vec<_>, Vec<_>) =
            calls.take(MAX_ALL).filter(|(_, call)| !call.open).partition(|(_, call)| is_always(call));
        for (unit, call) in always.into_iter().chain(others) {
            let Some(body) = function_around(program, unit, call.scope) else { continue };
            if program.body(body).span == call.function {
                let all = of.entry(body).or_default();
                if all.len() < MAX_CALLS {
                    all.push(call);
                }
            }
        }
        Self { program, of, free: RefCell::default() }
    }

    /// Whether a function calls any.
    pub(super) fn any(&self, body: BodyRef) -> bool {
        self.of.contains_key(&body)
    }

    /// The function that a call means.
    fn meant(
        &self,
        evaluator: &mut Evaluator<'a>,
        unit: u32,
        call: &'a Start,
        context: &Context<'a>,
    ) -> Option<Meant<'a>> {
        let key = (unit, call.kernel.0);
        let known = self.free.borrow().get(&key).copied();
        let free = known.unwrap_or_else(|| callee(self.program, unit, call));
        self.free.borrow_mut().insert(key, free);
        let program = self.program;
        let method = (Looker { program, evaluator }).method(call.kernel, call.args.len(), context);
        method.or_else(|| {
            let (path, body) = free?;
            // A name in a class means what the class has of it.
            if is_member(program, path, context) {
                return None;
            }
            let explicit: &'a [ExprId] = path.segments.last()?.args.as_deref().unwrap_or_default();
            Some(Meant { body, explicit, outer: None })
        })
    }

    /// Places of the functions that a kernel calls on every way, each with the values that its parameters have there.
    pub(super) fn places(
        &self,
        evaluator: &mut Evaluator<'a>,
        kernel: BodyRef,
        env: &Bindings<'a>,
        places: &BTreeMap<BodyRef, Vec<Place>>,
        block: Option<Block>,
    ) -> Vec<Inner<'a>> {
        let program = self.program;
        let mut found = Vec::new();
        let mut open: Vec<(BodyRef, Bindings<'a>, usize)> = vec![(kernel, env.clone(), MAX_DEPTH)];
        for _ in 0..MAX_CALLS {
            let Some((body, env, depth)) = open.pop() else { break };
            let Some(depth) = depth.checked_sub(1) else { continue };
            for call in self.of.get(&body).into_iter().flatten() {
                let context = Context { unit: body.unit, scope: call.scope, env: env.clone() };
                if !compiled(program, evaluator, &context) {
                    continue;
                }
                // What a condition lies before, some thread of this block must get to.
                let plain = is_always(call);
                // Functions in functions have too many conditions.
                if !plain && body != kernel {
                    continue;
                }
                let at = program.unit(body.unit).span(call.kernel);
                if !plain
                    && !block.is_some_and(|block| {
                        let mut looker = Looker { program, evaluator };
                        looker.asks_no_thread(&call.guards, program.body(body).span, &context)
                            && looker.gets_by(&call.guards, at, None, Some(block), &context)
                    })
                {
                    continue;
                }
                let Some(meant) = self.meant(evaluator, body.unit, call, &context) else { continue };
                let of = meant.body;
                let text = program.text(Site { unit: of.unit, span: program.body(of).span });
                if of == body
                    || !is_device(program, of)
                    || text.len() > MAX_SEARCHED
                    || program.unit(of.unit).exprs.len() > MAX_EXPRESSIONS
                {
                    continue;
                }
                let told = self.is_told_of_threads(evaluator, body, call, &context);
                let context = (Looker { program, evaluator }).knowing_call(call, &context);
                // What it changes is not followed here.
                let code = evaluator.code_of(Site { unit: of.unit, span: program.body(of).span });
                let keeps = |name: &str| program.keeps_parameter(&code, of, name);
                let explicit = evaluator.template_arguments(meant.explicit, &context);
                let args = (call.args.as_slice(), false);
                let Some(given) = evaluator.entered(of, &explicit, args, &meant.outer, &context, keeps) else {
                    continue;
                };
                let given = (Looker { program, evaluator }).handed(of, call, &context, given);
                for (spot, what, scope, span) in places.get(&of).into_iter().flatten() {
                    let context = Context { unit: of.unit, scope: *scope, env: given.clone() };
                    if !compiled(program, evaluator, &context) {
                        continue;
                    }
                    let at = match what {
                        What::Slice(by, _) | What::Local(_, by, _) => program.unit(of.unit).span(*by).start,
                        _ => span.start,
                    };
                    let at = at.saturating_sub(program.body(of).span.start) as usize;
                    let always = told && plain && is_always_reached(text, at);
                    let function = program.body(of).span;
                    let mut looker = Looker { program, evaluator };
                    let guards =
                        looker.way_to(function.start.saturating_add(u32::try_from(at).unwrap_or_default()), &context);
                    let told = always
                        || (told && guards.is_none_or(|guards| looker.asks_no_thread(guards, function, &context)));
                    found.push(Inner { body: of, spot: *spot, what: *what, span: *span, context, always, told });
                }
                open.push((of, given, depth));
            }
        }
        found
    }
}

impl<'a> Calls<'a> {
    /// Whether a call that passes on the number of the thread is all that this function is told of threads: what else it is given elsewhere may
    /// be the numbers that no thread has.
    fn is_told_of_threads(
        &self,
        evaluator: &mut Evaluator<'a>,
        body: BodyRef,
        call: &'a Start,
        context: &Context<'a>,
    ) -> bool {
        let program = self.program;
        let span = program.body(body).span;
        let mut looker = Looker { program, evaluator };
        let threads: Vec<(usize, ExprId)> =
            (0..).zip(call.args.iter().copied()).filter(|(_, arg)| looker.is_thread(*arg, span, context)).collect();
        if threads.is_empty() {
            return true;
        }
        let code = code(program.text(Site { unit: body.unit, span }));
        let name = called_by(looker.said(context, call.kernel));
        let same: Vec<&&Start> = self
            .of
            .get(&body)
            .into_iter()
            .flatten()
            .filter(|other| called_by(looker.said(context, other.kernel)) == name)
            .collect();
        // `Main main(params);` is no call.
        let declared = looker.declared(call.kernel, context).ok().flatten();
        let declared = declared.map(|(decl, _)| program.decl(decl).name.start.saturating_sub(span.start) as usize);
        let calls = places(&code, name)
            .filter(|at| Some(*at) != declared)
            .filter(|at| code.get(at + name.len()..).is_some_and(|after| after.trim_start().starts_with(['(', '<'])));
        let alike = |other: &&&Start| {
            threads
                .iter()
                .all(|(index, _)| other.args.get(*index).is_some_and(|arg| looker.is_thread(*arg, span, context)))
        };
        calls.count() == same.len()
            && same.iter().all(alike)
            && threads.iter().all(|(_, arg)| !is_moved(&code, looker.said(context, *arg)))
    }
}

/// The name by which a function is called, without what stands before it and its template arguments.
fn called_by(callee: &str) -> &str {
    let plain = callee.split('<').next().unwrap_or_default().trim_end();
    plain.rsplit(|sign: char| !(sign.is_alphanumeric() || sign == '_')).next().unwrap_or_default()
}

/// Whether something is added to the number of a thread, but for blocks of them.
fn is_moved(code: &str, thread: &str) -> bool {
    code.match_indices(thread).take(MAX_PLACES).any(|(at, _)| {
        let before = code.get(..at).unwrap_or_default().trim_end();
        let after = code.get(at + thread.len()..).unwrap_or_default().trim_start();
        let added =
            |sign: char| after.strip_prefix(sign).is_some_and(|with| !with.trim_start().starts_with("blockIdx"));
        added('+') || added('|') || added('^') || before.ends_with(['+', '|', '^'])
    })
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
