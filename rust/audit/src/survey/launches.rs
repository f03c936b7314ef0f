//! Kernels where they are launched: what a kernel is given there stands for its parameters, so that sizes that a kernel alone does not know
//! are known for that launch. A launch also says how many threads a block has.
//!
//! A launch counts where it is reached.

use std::collections::{BTreeMap, BTreeSet};

use super::Survey;
use super::arms::Block;
use super::callers::Callers;
use super::copied::Extent;
use super::digits::partitioned;
use super::reached::{Ask, reached};
use super::shared::{Fact, Looker, Spot, Started, What};
use super::sides::other_side_slices;
use super::templates::{MAX_LOOKS, holds};
use super::tiled::{MAX_EXPRESSIONS, MAX_SEARCHED, assignments, threads_of};
use super::waits::nobody_waits;
use super::{devices, refused};
use crate::ast::{DeclKind, Expr, ExprId, GuardKind, Path, ScopeId, ScopeKind, Site, Span, Start};
use crate::eval::{
    Bindings, BodyRef, Context, Evaluator, Instances, Namespace, PASSES, Program, Reason, Resolved, Tiled, Value, code,
};
use crate::source::{is_identifier, places, reads_extents};

/// Launches that are followed, and places of one kernel that are looked at for each.
const MAX_STARTS: usize = 2_048;
const MAX_PLACES: usize = 2_048;

/// What may be looked at for all launches together: bytes of kernels, each counted once more for each of its parameters and places.
const MAX_WORK: usize = 1 << 28;

/// Variables that are followed from one to the next.
const MAX_STEPS: usize = 4;

/// What launches and calls say to a finding.
const LAUNCH: &str = "with what this launch gives the kernel";
const CALL: &str = "with what this call gives the function";

/// Names in what a launch hands on.
const MAX_NAMES: usize = 512;

/// Whether threads beyond those of a tiled copy, by its layout of (thread, value), get parts of the tile again: the last mode of a thread
/// goes on with its stride, and any other begins anew.
pub(crate) fn wraps(layout: &razorgirl::Layout) -> bool {
    let threads = layout.mode(0);
    threads.is_none_or(|threads| threads.modes().last().is_none_or(|last| last.stride() == 0))
}

/// A place in a kernel: which of the survey's it is, what stands there, where names are looked up, and the place in the text.
pub(super) type Place = (usize, What, ScopeId, Span);

/// Which functions are kernels, and the only ones of their names in their files.
type Alone = BTreeMap<BodyRef, bool>;

/// What is known of one launch.
#[derive(Default)]
struct Known {
    facts: Vec<(usize, Fact)>,
    started: Vec<Started>,
}

impl Survey {
    /// Looks at each kernel once more for each of its launches.
    pub(super) fn follow_launches<'a>(&mut self, program: &'a Program<'a>, instances: &mut Instances<'a>) {
        let units = (0_u32..).zip(program.units());
        let starts = units.flat_map(|(unit, of)| of.starts.iter().map(move |start| (unit, start)));
        let mut found: Vec<(u32, &'a Start, &'a Path, BodyRef)> = Vec::new();
        let mut alone = Alone::new();
        let mut stated: Option<(Site, bool)> = None;
        for (unit, start) in starts {
            if found.len() >= MAX_STARTS || start.function.range().len() > MAX_SEARCHED {
                self.left_launches += 1;
                continue;
            }
            let function = Site { unit, span: start.function };
            let known = stated.filter(|(of, _)| *of == function);
            let (_, fails) = known.unwrap_or_else(|| (function, refused::is_stated_in(program.text(function))));
            stated = Some((function, fails));
            if fails {
                continue;
            }
            if let Some((kernel, body)) = kernel(program, unit, start, &mut alone) {
                found.push((unit, start, kernel, body));
            }
        }
        let mut evaluator = Evaluator::new(program);
        let callers = Callers::new(program);
        self.follow_descriptors(program, &mut evaluator, &callers);
        if found.is_empty() {
            return;
        }
        let kernels: BTreeSet<BodyRef> = found.iter().map(|(_, _, _, body)| *body).collect();
        let mut bodies = kernels.clone();
        bodies.extend(devices::reached_from(program, kernels.iter().copied()));
        let mut places: BTreeMap<BodyRef, Vec<Place>> = BTreeMap::new();
        for (index, spot) in self.spots.iter().enumerate() {
            let Some(body) = function_around(program, spot.site.unit, spot.scope) else { continue };
            if bodies.contains(&body) {
                let all = places.entry(body).or_default();
                if all.len() < MAX_PLACES {
                    all.push((index, spot.what, spot.scope, spot.site.span));
                }
            }
        }
        instances.pass(MAX_LOOKS);
        let guarded: BTreeSet<BodyRef> = found
            .iter()
            .filter(|(_, start, ..)| start.guards.iter().any(|guard| guard.kind != GuardKind::Call))
            .map(|(.., body)| *body)
            .collect();
        self.leave_to_launches(places.iter().filter(|(body, _)| guarded.contains(body)).flat_map(|(_, all)| all));
        let mut left = MAX_WORK;
        let mut waits: BTreeMap<BodyRef, bool> = BTreeMap::new();
        for (unit, start, kernel, body) in found {
            let own: &[Place] = places.get(&body).map_or(&[], Vec::as_slice);
            let calls = || devices::reached_from(program, std::iter::once(body));
            if own.is_empty() && !calls().iter().any(|of| places.contains_key(of)) {
                continue;
            }
            let function = Site { unit, span: start.function };
            let of = program.body(body);
            let text = program.text(Site { unit: body.unit, span: of.span });
            if text.len() > MAX_SEARCHED || program.unit(body.unit).exprs.len() > MAX_EXPRESSIONS {
                self.left_launches += 1;
                continue;
            }
            let all = *waits.entry(body).or_insert_with(|| nobody_waits(program, body));
            let work = text.len().saturating_mul(of.params.len() + own.len() + 1);
            let launch = Launch { program, start, kernel, body, places: own, all_places: &places, text, all };
            let mut spent = false;
            let mut ask = |evaluator: &mut Evaluator<'a>, context: &Context<'a>| {
                let mut needs = Vec::new();
                let Some(rest) = left.checked_sub(work) else {
                    spent = true;
                    return (Known::default(), needs);
                };
                left = rest;
                evaluator.settle(Some(function));
                let known = launch.known(evaluator, context, &mut needs);
                (known, needs)
            };
            let around = function_around(program, unit, start.scope);
            let given = around.map(|around| callers.given(&mut evaluator, around)).unwrap_or_default();
            let given: Vec<(Known, Vec<Site>)> = given
                .into_iter()
                .map(|of| {
                    let context = Context { unit, scope: start.scope, env: of.env };
                    (ask(&mut evaluator, &context).0, of.calls)
                })
                .collect();
            let answers = instances.answers(&mut evaluator, (unit, start.scope), PASSES[0], &mut ask);
            self.left_launches += usize::from(spent);
            let site = Site { unit, span: program.unit(unit).span(start.kernel) };
            let mut spot = Spot::of_launch(site, start.scope);
            // Values that are only tried may meet in no instance at all.
            let each = answers.map(|answers| answers.each).unwrap_or_default();
            let each = each.into_iter().filter(|answer| !answer.env.as_ref().is_some_and(|frame| frame.tried));
            let each = each.map(|answer| (answer.value, holds(program, &answer.env), Vec::new()));
            for (known, holds, calls) in
                each.chain(given.into_iter().map(|(known, calls)| (known, String::new(), calls)))
            {
                let calls: Vec<(Site, &'static str)> = calls.into_iter().map(|call| (call, CALL)).collect();
                for (index, fact) in known.facts {
                    if let Some(spot) = self.spots.get_mut(index) {
                        let by = std::iter::once((site, LAUNCH)).chain(calls.iter().copied()).collect();
                        spot.launched.push((fact, holds.clone(), by));
                    }
                }
                let started = known.started.into_iter().map(Fact::Started);
                spot.launched.extend(started.map(|fact| (fact, holds.clone(), calls.clone())));
            }
            if !spot.launched.is_empty() {
                self.spots.push(spot);
            }
        }
    }
}

impl Survey {
    /// Of a kernel that is launched under a condition, an instance alone does not say that it runs: its launches do.
    fn leave_to_launches<'s>(&mut self, places: impl Iterator<Item = &'s Place>) {
        for (index, ..) in places {
            let Some(spot) = self.spots.get_mut(*index) else { continue };
            for (fact, _) in spot.facts.iter_mut().filter(|(_, holds)| !holds.is_empty()) {
                match fact {
                    Fact::Vectors(of) => of.copied = Extent::None,
                    Fact::Accessed { copied, .. } if matches!(spot.what, What::Vectors(..)) => *copied = false,
                    _ => {}
                }
            }
        }
    }
}

/// The names of a project's own kernels with places to look at, and of the templates around launches of them.
pub(super) fn kernels(survey: &Survey, program: &Program<'_>, instances: &Instances<'_>) -> BTreeSet<String> {
    let own = survey.spots.iter().filter(|spot| !program.is_vendored(spot.site.unit));
    let bodies: BTreeSet<BodyRef> = own
        .filter_map(|spot| {
            let body = function_around(program, spot.site.unit, spot.scope)?;
            let slices = matches!(spot.what, What::Slice(..) | What::Local(..));
            (is_kernel(program, body) || (slices && devices::is_device(program, body))).then_some(body)
        })
        .collect();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for body in &bodies {
        names.insert(program.text(Site { unit: body.unit, span: program.body(*body).name }).to_owned());
    }
    let units = (0_u32..).zip(program.units()).filter(|(unit, _)| !program.is_vendored(*unit));
    let mut alone = Alone::new();
    for (unit, start) in units.flat_map(|(unit, of)| of.starts.iter().map(move |start| (unit, start))).take(MAX_STARTS)
    {
        let around = Instances::around(program, unit, start.scope);
        if !around.is_empty()
            && kernel(program, unit, start, &mut alone).is_some_and(|(_, body)| bodies.contains(&body))
        {
            names.extend(around.iter().filter_map(|template| instances.name(*template)).map(str::to_owned));
        }
    }
    names
}

/// Works out what launches are given, for the functions that are called there: those are read then.
pub(super) fn glance<'a>(program: &'a Program<'a>, evaluator: &mut Evaluator<'a>) {
    let mut alone = Alone::new();
    let units = (0_u32..).zip(program.units()).filter(|(unit, _)| !program.is_vendored(*unit));
    for (unit, start) in units.flat_map(|(unit, of)| of.starts.iter().map(move |start| (unit, start))).take(MAX_STARTS)
    {
        if start.function.range().len() > MAX_SEARCHED {
            continue;
        }
        let Some((kernel, body)) = kernel(program, unit, start, &mut alone) else { continue };
        let context = Context { unit, scope: start.scope, env: None };
        let explicit = kernel.segments.iter().flat_map(|segment| segment.args.iter().flatten());
        for expr in start.args.iter().chain(explicit) {
            // What it comes to does not matter here.
            drop(evaluator.evaluate(*expr, &context));
        }
        let all_places = &BTreeMap::new();
        let launch = Launch { program, start, kernel, body, places: &[], all_places, text: "", all: false };
        launch.block(evaluator, &context, &mut Vec::new());
    }
}

/// Whether a function is a kernel.
fn is_kernel(program: &Program<'_>, body: BodyRef) -> bool {
    let text = program.text(Site { unit: body.unit, span: program.body(body).span });
    text.split('{').next().is_some_and(|head| head.contains("__global__"))
}

/// The kernel that is launched: the name, with its template arguments, and the only function of that name that it can mean.
fn kernel<'a>(program: &'a Program<'a>, unit: u32, start: &'a Start, alone: &mut Alone) -> Option<(&'a Path, BodyRef)> {
    let text = |span: Span| program.text(Site { unit, span });
    let mut path = named(program, unit, start.kernel)?;
    for _ in 0..MAX_STEPS {
        let [segment] = path.segments.as_slice() else { break };
        if segment.args.is_some() {
            break;
        }
        // `auto kernel = &device<64>;`, which nothing makes another one.
        let around = text(start.function);
        if around.len() > MAX_SEARCHED || assignments(around, text(segment.name)) > 1 {
            return None;
        }
        match initial(program, unit, start.scope, text(segment.name), segment.name.start) {
            Variable::None => break,
            // A parameter, or what a loop goes through, may be any kernel.
            Variable::Any => return None,
            Variable::Of(init) => path = named(program, unit, init)?,
        }
    }
    let name = text(path.segments.last()?.name);
    let only = only(program, unit, path, start.scope, (!start.open).then_some(start.args.len()))?;
    // Another one of that name in the same file, which was not read, may be meant as well.
    let is_alone = alone.entry(only).or_insert_with(|| {
        let read = program.bodies(name).iter().filter(|body| body.unit == only.unit).count();
        let defined = of_file(program, only.unit).map_or(usize::MAX, |text| crate::mentions::count(text, name));
        defined <= read && is_kernel(program, only)
    });
    is_alone.then_some((path, only))
}

/// Whether what one namespace declares is seen in another by its bare name.
fn is_seen(program: &Program<'_>, from: Namespace, of: Namespace) -> bool {
    let mut at = Some(from);
    while let Some(namespace) = at {
        if namespace == of || program.used_in(namespace).any(|used| used == of) {
            return true;
        }
        at = program.outer(namespace);
    }
    false
}

/// The only function of a name that a call with so many arguments can mean: those of its own file first.
pub(super) fn takes(program: &Program<'_>, unit: u32, path: &Path, scope: ScopeId, count: usize) -> Option<BodyRef> {
    only(program, unit, path, scope, Some(count))
}

/// The same, also of a call of which it is not known how many arguments it has.
fn only(program: &Program<'_>, unit: u32, path: &Path, scope: ScopeId, count: Option<usize>) -> Option<BodyRef> {
    let name = program.text(Site { unit, span: path.segments.last()?.name });
    let home = program.home(unit, scope);
    let mut spaces = path.clone();
    spaces.segments.pop();
    let space: Option<Namespace> =
        if spaces.segments.is_empty() { None } else { Some(program.namespace(unit, &spaces, home)?) };
    let fits = |body: &&BodyRef| {
        let function = program.body(**body);
        let free =
            matches!(program.unit(body.unit).scope(function.home).kind, ScopeKind::File | ScopeKind::Namespace(_));
        let optional = |param: &crate::ast::Parameter| param.default.is_some() || param.pack;
        let needed = function.params.iter().take_while(|param| !optional(param)).count();
        let given = count.is_none_or(|count| (needed..=function.params.len()).contains(&count));
        let of = program.home(body.unit, function.home);
        let there = space.map_or_else(|| is_seen(program, home, of), |space| of == space);
        free && given && there && program.includes(unit, body.unit)
    };
    let all: Vec<BodyRef> = program.bodies(name).iter().filter(fits).copied().collect();
    let own: Vec<BodyRef> = all.iter().filter(|body| body.unit == unit).copied().collect();
    let [only] = *(if own.is_empty() { all } else { own }) else { return None };
    Some(only)
}

fn of_file<'a>(program: &'a Program<'a>, unit: u32) -> Option<&'a str> {
    program.sources().get(program.unit(unit).file).map(|source| source.text.as_str())
}

fn named<'a>(program: &'a Program<'a>, unit: u32, expr: ExprId) -> Option<&'a Path> {
    match program.unit(unit).expr(expr) {
        Expr::Path(path) => Some(path),
        _ => None,
    }
}

/// The variable of a function that a name means.
enum Variable {
    /// It means something else.
    None,
    /// It is declared with this value.
    Of(ExprId),
    /// It may be anything.
    Any,
}

/// The variable of a function that a name means at some place.
fn initial(program: &Program<'_>, unit: u32, scope: ScopeId, name: &str, before: u32) -> Variable {
    let of = program.unit(unit);
    let mut at = Some(scope);
    while let Some(id) = at {
        for (place, decl) in of.scope(id).decls.iter().rev().map(|id| (*id, of.decl(*id))) {
            if decl.name.start < before && program.text(Site { unit, span: decl.name }) == name {
                if !matches!(of.scope(id).kind, ScopeKind::Block) {
                    return Variable::None;
                }
                let init = match decl.kind {
                    DeclKind::Variable { init, .. } => init,
                    // A pointer to it.
                    DeclKind::RunTime => {
                        let listed = of.lists.binary_search_by_key(&place.0, |(of, _)| of.0).ok();
                        listed.and_then(|at| of.lists.get(at)?.1.first().copied())
                    }
                    _ => return Variable::None,
                };
                return init.map_or(Variable::Any, Variable::Of);
            }
        }
        at = of.scope(id).parent;
    }
    Variable::None
}

/// The function that a scope is part of.
pub(super) fn function_around(program: &Program<'_>, unit: u32, scope: ScopeId) -> Option<BodyRef> {
    let of = program.unit(unit);
    let mut at = Some(scope);
    while let Some(id) = at {
        if matches!(of.scope(id).kind, ScopeKind::Block)
            && let Some(body) = program.body_of(unit, id)
        {
            return Some(body);
        }
        at = of.scope(id).parent;
    }
    None
}

/// A launch of a kernel.
struct Launch<'s, 'a> {
    program: &'a Program<'a>,
    start: &'a Start,
    kernel: &'a Path,
    body: BodyRef,
    places: &'s [Place],
    /// Those of all functions.
    all_places: &'s BTreeMap<BodyRef, Vec<Place>>,
    /// The kernel.
    text: &'a str,
    /// Whether nothing in it may hold threads back.
    all: bool,
}

impl<'a> Launch<'_, 'a> {
    /// What is known of the kernel's places for this launch, and the template parameters of the function around it that matter.
    fn known(&self, evaluator: &mut Evaluator<'a>, context: &Context<'a>, needs: &mut Vec<Site>) -> Known {
        let mut known = Known::default();
        let function = Site { unit: context.unit, span: self.start.function };
        let given = varies(self.program, evaluator, self.start, context);
        let ask = Ask { function, given, threads: None, block: None };
        if !reached(self.program, evaluator, &self.start.guards, &ask, context, needs) {
            return known;
        }
        let (program, text) = (self.program, self.text);
        let context = &(Looker { program, evaluator }).knowing_call(self.start, context);
        let keeps = |name: &str| !name.is_empty() && assignments(text, name) == 0 && !self.is_handed_out(name);
        let Some(env) = evaluator.launched(self.body, self.kernel, self.start, context, keeps) else { return known };
        let env = (Looker { program, evaluator }).handed(self.body, self.start, context, env);
        let mut hangs = Vec::new();
        let mut frame = env.as_ref();
        while let Some(values) = frame {
            hangs.extend(values.values.iter().filter_map(Value::hangs));
            frame = values.outer.as_ref();
        }
        let block = self.block(evaluator, context, needs);
        if let Some(block) = block {
            known.started.extend(self.bounded(evaluator, &env, block));
        }
        for (index, what, scope, span) in self.places {
            let inside = Context { unit: self.body.unit, scope: *scope, env: env.clone() };
            if !compiled(program, evaluator, &inside) {
                continue;
            }
            if let Some(block) = block {
                known.started.extend(self.sliced(evaluator, self.body, (*what, *span), &inside, block));
            }
            match (Looker { program, evaluator }).fact(*what, &inside) {
                Ok(Some(fact)) => known.facts.push((*index, fact)),
                Err(why) if why.reason == Reason::Dependent => needs.extend(hangs.iter().copied()),
                _ => {}
            }
        }
        if let Some(block) = block {
            for (of, what, span, inside) in devices::slices(program, evaluator, self.body, &env, self.all_places) {
                let started = self.sliced(evaluator, of, (what, span), &inside, block);
                // Who calls it may call it for some threads alone, in words that nobody reads.
                known.started.extend(started.map(|started| Started { all: false, ..started }));
            }
        }
        known
    }

    /// Whether the kernel hands a parameter to a function that may change it: one that was read and takes it by reference, or one of which
    /// nothing else is wanted: `round(ld);`.
    fn is_handed_out(&self, name: &str) -> bool {
        const READS: [&str; 9] = ["assert", "copy", "fill", "gemm", "if", "print", "printf", "switch", "while"];
        places(self.text, name).any(|at| {
            let before = self.text.get(..at).unwrap_or_default().trim_end();
            let after = self.text.get(at + name.len()..).unwrap_or_default().trim_start();
            let Some(list) = before.strip_suffix('(').filter(|_| after.starts_with([')', ','])).or_else(|| {
                let list = before.strip_suffix(',').filter(|_| after.starts_with([')', ',']))?;
                list.rfind('(').and_then(|open| list.get(..open))
            }) else {
                return false;
            };
            let list = list.trim_end();
            let start = list.bytes().rposition(|byte| !is_identifier(byte)).map_or(0, |at| at + 1);
            let (front, word) = list.split_at_checked(start).unwrap_or_default();
            if word.is_empty() || READS.contains(&word) {
                return false;
            }
            let alone = front.trim_end().trim_end_matches("::").ends_with([';', '{', '}']);
            let read = !self.program.bodies(word).is_empty();
            if read { !self.program.takes_values(word) } else { alone }
        })
    }

    /// The threads of a block along x, y and z.
    fn block(&self, evaluator: &mut Evaluator<'a>, context: &Context<'a>, needs: &mut Vec<Site>) -> Option<[u64; 3]> {
        let mut expr = self.start.block?;
        let mut context = context.clone();
        for _ in 0..MAX_STEPS {
            let unit = self.program.unit(context.unit);
            let items: Vec<ExprId> = match unit.expr(expr) {
                Expr::Call(callee, args) | Expr::Construct(callee, args) if self.is_dim3(&context, *callee) => {
                    args.clone()
                }
                Expr::Path(path) => {
                    let [segment] = path.segments.as_slice() else {
                        return extents(evaluator, &[expr], &context, needs);
                    };
                    let name = self.program.text(Site { unit: context.unit, span: segment.name });
                    match self.variable(&context, name, segment.name.start) {
                        Some((Dims::Of(items), scope)) => {
                            context.scope = scope;
                            items
                        }
                        Some((Dims::Copy(init), scope)) => {
                            context.scope = scope;
                            expr = init;
                            continue;
                        }
                        None => vec![expr],
                    }
                }
                _ => vec![expr],
            };
            return extents(evaluator, &items, &context, needs);
        }
        None
    }

    fn is_dim3(&self, context: &Context<'a>, callee: ExprId) -> bool {
        self.program.text(Site { unit: context.unit, span: self.program.unit(context.unit).span(callee) }).trim()
            == "dim3"
    }

    /// A variable that says how large a block is: what it is declared with, where nothing changes it.
    fn variable(&self, context: &Context<'a>, name: &str, before: u32) -> Option<(Dims, ScopeId)> {
        let of = self.program.unit(context.unit);
        let mut at = Some(context.scope);
        while let Some(id) = at {
            let scope = of.scope(id);
            let decls = scope.decls.iter().rev();
            let named = |id: &&crate::ast::DeclId| {
                let decl = of.decl(**id);
                decl.name.start < before && self.program.text(Site { unit: context.unit, span: decl.name }) == name
            };
            let Some(found) = decls.into_iter().find(named) else {
                at = scope.parent;
                continue;
            };
            let decl = of.decl(*found);
            let DeclKind::Variable { init, .. } = decl.kind else { return None };
            let text = code(self.program.text(Site { unit: context.unit, span: self.start.function }));
            let declared = decl.name.start.checked_sub(self.start.function.start)? as usize;
            let by_value = |word: &str| self.program.takes_values(word);
            // What stands outside of the function may be changed anywhere.
            if declared >= text.len()
                || !places(&text, name).all(|at| at == declared || reads_extents(&text, at, name, &by_value))
            {
                return None;
            }
            let listed = of.lists.binary_search_by_key(&found.0, |(of, _)| of.0).ok();
            return match (listed.and_then(|at| of.lists.get(at)), init) {
                (Some((_, items)), _) => Some((Dims::Of(items.clone()), decl.inside)),
                (None, Some(init)) if matches!(of.expr(init), Expr::Call(..) | Expr::Construct(..) | Expr::Path(_)) => {
                    // `int threads = size(copy);` is a number, and no `dim3`.
                    let made = match of.expr(init) {
                        Expr::Call(callee, _) | Expr::Construct(callee, _) => self.is_dim3(context, *callee),
                        _ => false,
                    };
                    made.then_some((Dims::Copy(init), decl.inside))
                }
                _ => None,
            };
        }
        None
    }

    /// A slice by `threadIdx.x`, for how many threads it is. Others get the part of one of those where CuTe divides their number by the
    /// extents of the threads, as it does for an MMA and for `local_partition` (`idx2crd`).
    fn sliced(
        &self,
        evaluator: &mut Evaluator<'a>,
        body: BodyRef,
        (what, span): (What, Span),
        context: &Context<'a>,
        block: [u64; 3],
    ) -> Option<Started> {
        let (What::Slice(of, index) | What::Local(_, of, index)) = what else { return None };
        let (program, unit) = (self.program, self.program.unit(body.unit));
        let function = program.body(body).span;
        let mut looker = Looker { program, evaluator };
        if !looker.is_thread(index, function, context) {
            return None;
        }
        let text = program.text(Site { unit: body.unit, span: function });
        if other_side_slices(text, unit.span(of).start.saturating_sub(function.start) as usize) {
            return None;
        }
        let slice = matches!(what, What::Slice(..));
        let (threads, wraps) = if slice {
            // How many threads there are does not hang on what an element is.
            let value = looker.evaluator.evaluate(of, context).ok().filter(|value| threads_of(value).is_some());
            let value = value.map_or_else(|| looker.object(of, context), Ok).ok()?;
            (threads_of(&value)?, Tiled::of(&value).is_none_or(|copy| wraps(&copy.layout)))
        } else {
            (partitioned(&looker.layout(of, context).ok()??), true)
        };
        if threads == block[0] {
            return None;
        }
        let (there, all) = (Block::of(block), self.all && !wraps);
        // Where nobody is held back, what a slice is used for holds nobody back either.
        let taken = if threads > block[0] {
            looker.is_taken(span, there, context)
        } else {
            !all || looker.gets_there(span, there, context)
        };
        if !taken {
            return None;
        }
        let (object, by) = (looker.said(context, of), looker.said(context, index));
        let others = if slice {
            looker.others(unit, function, object, by, context) || looker.is_halved(of, function, block[0], context)
        } else {
            self.partitions(function, context, object, by)
        };
        if others {
            return None;
        }
        let at = Site { unit: body.unit, span: unit.span(of) };
        Some(Started { block, threads, bound: false, all, rows: false, at })
    }

    /// Whether the kernel partitions by the same threads with another index as well.
    fn partitions(&self, function: Span, context: &Context<'a>, threads: &str, index: &str) -> bool {
        let unit = self.program.unit(context.unit);
        let said = |expr: ExprId| self.program.text(Site { unit: context.unit, span: unit.span(expr) }).trim();
        unit.exprs.iter().any(|(expr, span)| match expr {
            Expr::Call(callee, args) if function.contains(*span) => {
                let [_, of, by, ..] = args.as_slice() else { return false };
                said(*callee).ends_with("local_partition") && said(*of) == threads && said(*by) != index
            }
            _ => false,
        })
    }

    /// The `__launch_bounds__` of the kernel.
    fn bounded(&self, evaluator: &mut Evaluator<'a>, env: &Bindings<'a>, block: [u64; 3]) -> Option<Started> {
        let unit = self.program.unit(self.body.unit);
        let function = self.program.body(self.body).span;
        let launch = unit.launches.iter().find(|launch| launch.function == function)?;
        let context = Context { unit: self.body.unit, scope: launch.scope, env: env.clone() };
        let Ok(Value::Number(bound)) = evaluator.evaluate(launch.bound, &context) else { return None };
        let threads = u64::try_from(bound.value).ok().filter(|bound| *bound > 0)?;
        let at = Site { unit: self.body.unit, span: unit.span(launch.bound) };
        Some(Started { block, threads, bound: true, all: true, rows: false, at })
    }
}

/// Extents of a block.
fn extents<'a>(
    evaluator: &mut Evaluator<'a>,
    extents: &[ExprId],
    context: &Context<'a>,
    needs: &mut Vec<Site>,
) -> Option<[u64; 3]> {
    let mut block = [1_u64; 3];
    if extents.is_empty() || extents.len() > block.len() {
        return None;
    }
    for (extent, expr) in block.iter_mut().zip(extents) {
        let value = evaluator.evaluate(*expr, context);
        needs.extend(hanging(&value));
        let Ok(Value::Number(number)) = value else { return None };
        *extent = u64::try_from(number.value).ok().filter(|extent| *extent > 0)?;
    }
    Some(block)
}

/// Whether a place is compiled in this instance of the function around it.
pub(super) fn compiled<'a>(program: &'a Program<'a>, evaluator: &mut Evaluator<'a>, context: &Context<'a>) -> bool {
    program.guards(context.unit, context.scope).iter().all(|(condition, around, taken)| {
        let context = Context { scope: *around, ..context.clone() };
        matches!(evaluator.evaluate(*condition, &context), Ok(Value::Number(number)) if (number.value != 0) == *taken)
    })
}

/// Whether a launch hands on what others give the function around it, or what its template is instantiated with: a flag that comes with it
/// may say when the launch is right.
pub(super) fn varies<'a>(
    program: &'a Program<'a>,
    evaluator: &mut Evaluator<'a>,
    start: &Start,
    context: &Context<'a>,
) -> bool {
    let unit = program.unit(context.unit);
    let mut open: Vec<ExprId> = start.args.iter().copied().chain(start.block).chain([start.kernel]).collect();
    for _ in 0..MAX_NAMES {
        let Some(expr) = open.pop() else { return false };
        match unit.expr(expr) {
            Expr::Path(path) => {
                open.extend(path.segments.iter().flat_map(|segment| segment.args.iter().flatten().copied()));
                let [only] = path.segments.as_slice() else { continue };
                if is_template_parameter(program, context, only.name) {
                    return true;
                }
                let Some((decl, _)) = (Looker { program, evaluator }).local(only.name, context) else { continue };
                let of = program.decl(decl);
                if let DeclKind::Variable { init: Some(init), .. } = of.kind {
                    open.push(init);
                    continue;
                }
                // What an address says is not asked for.
                let pointer = program.text(Site { unit: decl.unit, span: of.span }).contains('*');
                if !pointer && evaluator.evaluate(expr, context).is_ok() {
                    return true;
                }
            }
            Expr::Call(callee, args) | Expr::Construct(callee, args) => {
                open.push(*callee);
                open.extend(args.iter().copied());
            }
            Expr::Member(of, _) => {
                if matches!(evaluator.evaluate(expr, context), Ok(Value::Number(_))) {
                    return true;
                }
                open.push(*of);
            }
            Expr::Unary(_, of) | Expr::Pack(of) | Expr::Sizeof(of) | Expr::Designated(_, of) => open.push(*of),
            Expr::Binary(_, a, b) | Expr::Array(a, b) | Expr::Element(a, b) => open.extend([*a, *b]),
            Expr::Conditional(a, b, c) => open.extend([*a, *b, *c]),
            Expr::List(items) => open.extend(items.iter().copied()),
            Expr::Number(_) | Expr::Opaque | Expr::Broken => {}
        }
    }
    true
}

fn is_template_parameter(program: &Program<'_>, context: &Context<'_>, name: Span) -> bool {
    let of = program.unit(context.unit);
    let text = |span: Span| program.text(Site { unit: context.unit, span });
    let mut at = Some(context.scope);
    while let Some(id) = at {
        let scope = of.scope(id);
        if let ScopeKind::Template(params) = &scope.kind
            && params.iter().any(|param| text(param.name) == text(name))
        {
            return true;
        }
        at = scope.parent;
    }
    false
}

/// The template parameter without a value that a result hangs on.
pub(super) fn hanging(value: &Resolved<Value<'_>>) -> Option<Site> {
    match value {
        Ok(value) => value.hangs(),
        Err(why) => (why.reason == Reason::Dependent).then_some(why.site),
    }
}

/// What a block is declared with.
enum Dims {
    /// Its extents.
    Of(Vec<ExprId>),
    /// A `dim3` that is made elsewhere.
    Copy(ExprId),
}
