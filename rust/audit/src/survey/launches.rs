//! Kernels where they are launched: what a kernel is given there stands for its parameters, so that sizes that a kernel alone does not know
//! are known for that launch. A launch also says how many threads a block has.
//!
//! A launch counts where it is reached.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::Survey;
use super::arms::Block;
use super::callers::{Callers, Link};
use super::kernels::{Alone, Kernel, all_kernels, given, is_kernel, spelled};
use super::launched::Launched;
use super::methods::CALL_OPERATOR;
use super::reached::{Ask, reached};
use super::shared::{By, Fact, Looker, Spot, Started, Ways, What};
use super::sides::Sides;
use super::sliced::{Sliced, sliced_for};
use super::statics::is_for_others;
use super::templates::{MAX_LOOKS, holds};
use super::tiled::{MAX_EXPRESSIONS, MAX_SEARCHED};
use super::waits::nobody_waits;
use super::{asked, devices, refused, unlaunched};
use crate::ast::{DeclKind, Expr, ExprId, GuardKind, ScopeId, ScopeKind, Site, Span, Start, Unit};
use crate::eval::{
    Answer, Bindings, BodyRef, Context, Evaluator, Instances, Number, PASSES, Program, Reason, Resolved, Value,
};
use crate::source::Source;

/// Launches that are followed, and places of one kernel that are looked at for each.
const MAX_STARTS: usize = 2_048;
const MAX_PLACES: usize = 2_048;

/// What may be looked at for all launches together: bytes of kernels, each counted once more for each of its parameters and places.
const MAX_WORK: usize = 1 << 28;

/// Variables that are followed from one to the next.
const MAX_STEPS: usize = 4;

/// Threads that a block has at most, on any device (CUDA C++ Programming Guide, technical specifications).
pub const MOST_THREADS: u64 = 1_024;

/// Threads that it has at most along z.
pub const MOST_ALONG_Z: u64 = 64;

/// What launches and calls say to a finding.
const LAUNCH: &str = "with what this launch gives the kernel";
const CALL: &str = "with what this call gives the function";

/// Names in what a launch hands on.
const MAX_NAMES: usize = 512;

/// A place in a kernel: which of the survey's it is, what stands there, where names are looked up, and the place in the text.
pub(super) type Place = (usize, What, ScopeId, Span);

/// What is known of one launch.
#[derive(Default)]
struct Known {
    facts: Vec<(usize, Fact)>,
    started: Vec<Started>,
    /// Bytes of dynamic shared memory, where those are more than every kernel may have.
    asked: Option<asked::Bytes>,
    /// What is known in each of several ways of which nobody knows which it is, and which of the kernels that the launch may mean it is of.
    ways: Vec<(usize, Known)>,
}

impl Known {
    /// Adds what is known of one kernel, and on each side of the `#if`s that it hangs on.
    fn add(&mut self, (index, kernels): (usize, usize), one: Self, sides: Vec<Self>) {
        let of = |known| (index, known);
        if kernels == 1 {
            *self = Self { ways: sides.into_iter().map(of).collect(), ..one };
        } else if sides.is_empty() {
            self.ways.push(of(one));
        } else {
            self.ways.extend(sides.into_iter().map(of));
        }
    }
}

impl Launched {
    /// Looks at each descriptor once more for each call of the function that makes it, and at each kernel for each of its launches.
    pub(super) fn of<'a>(spots: &[Spot], program: &'a Program<'a>, instances: &mut Instances<'a>) -> Self {
        let mut launched = Self::default();
        launched.follow(spots, program, instances);
        launched
    }

    fn follow<'a>(&mut self, spots: &[Spot], program: &'a Program<'a>, instances: &mut Instances<'a>) {
        // Plain CUDA comes last: of what is beyond the bounds, it has the least to say.
        let layouts = |(_, of): &(u32, &Unit)| program.sources().get(of.file).is_some_and(Source::has_layouts);
        let (units, plain): (Vec<_>, Vec<_>) = (0_u32..).zip(program.units()).partition(layouts);
        let units = units.into_iter().chain(plain);
        let starts = units.flat_map(|(unit, of)| of.starts.iter().map(move |start| (unit, start)));
        let mut found: Vec<(u32, &'a Start, Vec<Kernel<'a>>)> = Vec::new();
        let mut alone = Alone::new();
        let mut stated: Option<(Site, bool)> = None;
        for (unit, start) in starts {
            if found.len() >= MAX_STARTS || start.function.range().len() > MAX_SEARCHED {
                self.left += 1;
                continue;
            }
            let function = Site { unit, span: start.function };
            let known = stated.filter(|(of, _)| *of == function);
            let (_, fails) = known.unwrap_or_else(|| (function, refused::is_stated_in(program.text(function))));
            stated = Some((function, fails));
            if fails {
                continue;
            }
            let kernels = all_kernels(program, unit, start, &mut alone);
            if !kernels.is_empty() {
                found.push((unit, start, kernels));
            }
        }
        let mut evaluator = Evaluator::new(program);
        let callers = Callers::new(program, &mut evaluator);
        self.follow_descriptors(spots, program, &mut evaluator, &callers);
        let unlaunched = unlaunched::kernels(program);
        if found.is_empty() && unlaunched.is_empty() {
            return;
        }
        let free = |kernel: &Kernel<'a>| match kernel {
            Kernel::Free(_, body) => Some(*body),
            _ => None,
        };
        let kernels: BTreeSet<BodyRef> = found.iter().flat_map(|(.., all)| all.iter().filter_map(free)).collect();
        let mut looked: BTreeMap<BodyRef, bool> = BTreeMap::new();
        let mut places: BTreeMap<BodyRef, Vec<Place>> = BTreeMap::new();
        for (index, spot) in spots.iter().enumerate() {
            let Some(body) = function_around(program, spot.site.unit, spot.scope) else { continue };
            let runs = || kernels.contains(&body) || devices::is_device(program, body) || is_kernel(program, body);
            if *looked.entry(body).or_insert_with(runs) {
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
            .filter_map(|(.., kernels)| kernels.first().filter(|_| kernels.len() == 1).and_then(free))
            .collect();
        let held = places.iter().filter(|(body, _)| guarded.contains(body)).flat_map(|(_, all)| all);
        self.guarded = held.map(|(index, ..)| *index).collect();
        let (mut left, mut allowed) = (MAX_WORK, asked::Allowed::default());
        let calls = devices::Calls::new(program);
        let shared =
            Shared { program, places: &places, calls: &calls, alone: RefCell::new(alone), waits: RefCell::default() };
        for bounded in unlaunched.iter().filter(|bounded| !kernels.contains(&bounded.body)) {
            // Of the sides of an `#if` nobody knows which it is.
            let (said, _) = evaluator.surely(|evaluator| bounded.beyond(program, evaluator, &calls, &places));
            self.facts.extend(said.unwrap_or_default());
        }
        for (unit, start, kernels) in found {
            let function = Site { unit, span: start.function };
            let (mut work, count) = (0_usize, kernels.len());
            let mut launches = Vec::new();
            for kernel in kernels {
                match free(&kernel) {
                    Some(body) => {
                        let own: &[Place] = places.get(&body).map_or(&[], Vec::as_slice);
                        let of = program.body(body);
                        let length = of.span.range().len();
                        if length > MAX_SEARCHED || program.unit(body.unit).exprs.len() > MAX_EXPRESSIONS {
                            self.left += 1;
                            continue;
                        }
                        work = work.saturating_add(length.saturating_mul(of.params.len() + own.len() + 1));
                    }
                    // Which function it is, an instance or a call says.
                    None if places.is_empty() => {}
                    None => work = work.saturating_add(MAX_SEARCHED),
                }
                launches.push(Launch { shared: &shared, start, kernel });
            }
            // Of each that may be meant something must be known.
            if launches.is_empty() || launches.len() < count {
                continue;
            }
            let mut spent = false;
            let mut by = |evaluator: &mut Evaluator<'a>, context: &Context<'a>, links: &[Link<'a>]| {
                let (mut needs, mut known) = (Vec::new(), Known::default());
                for (index, launch) in launches.iter().enumerate() {
                    let mut ask = |evaluator: &mut Evaluator<'a>| {
                        let Some(rest) = left.checked_sub(work) else {
                            spent = true;
                            return Known::default();
                        };
                        left = rest;
                        launch.known(evaluator, context, links, &mut needs)
                    };
                    evaluator.settle(Some(function));
                    let (one, differs) = evaluator.surely(&mut ask);
                    let mut side = |evaluator: &mut Evaluator<'a>| {
                        let mut known = ask(evaluator);
                        known.facts.retain(|(_, fact)| fact.is_of_itself());
                        let matters = !known.started.is_empty() || known.asked.is_some() || !known.facts.is_empty();
                        (known, matters)
                    };
                    let sides = if differs { evaluator.each_way(&mut side) } else { Vec::new() };
                    known.add((index, launches.len()), one.unwrap_or_default(), sides);
                }
                (known, needs)
            };
            let around = function_around(program, unit, start.scope);
            let given = around.map(|around| callers.given(&mut evaluator, around)).unwrap_or_default();
            let given: Vec<(Known, Vec<Site>)> = given
                .into_iter()
                .map(|of| {
                    let context = Context { unit, scope: start.scope, env: of.env.clone() };
                    (by(&mut evaluator, &context, &of.links).0, of.calls())
                })
                .collect();
            let ask = |evaluator: &mut Evaluator<'a>, context: &Context<'a>| by(evaluator, context, &[]);
            let answers = instances.answers(&mut evaluator, (unit, start.scope), PASSES[0], ask);
            let site = Site { unit, span: program.unit(unit).span(start.kernel) };
            let mut spot = Spot::of_launch(site, start.scope);
            // Values that are only tried may meet in no instance at all. What is known without any holds for all.
            let each = answers.map(|answers| answers.each).unwrap_or_default();
            let is_tried = |answer: &Answer<'a, Known>| answer.env.as_ref().is_some_and(|frame| frame.tried);
            let context = Context { unit, scope: start.scope, env: None };
            let bare = !each.is_empty() && each.iter().all(is_tried);
            let bare = bare.then(|| (by(&mut evaluator, &context, &[]).0, String::new(), Vec::new()));
            self.left += usize::from(spent);
            let each = each.into_iter().filter(|answer| !is_tried(answer));
            let each = each.map(|answer| (answer.value, holds(program, &answer.env), Vec::new()));
            for (known, holds, calls) in
                each.chain(bare).chain(given.into_iter().map(|(known, calls)| (known, String::new(), calls)))
            {
                let calls: Vec<(Site, &'static str)> = calls.into_iter().map(|call| (call, CALL)).collect();
                for (index, fact) in known.facts {
                    let by = std::iter::once((site, LAUNCH)).chain(calls.iter().copied()).collect();
                    self.facts.push((index, (fact, holds.clone(), by)));
                }
                let mut own = |kernel: usize, started: Vec<Started>, asked: Option<asked::Bytes>| -> Vec<Fact> {
                    let asked = asked.zip(launches.get(kernel)).map(|(asked, launch)| {
                        let asked::Bytes { count: bytes, least } = asked;
                        Fact::Asked { bytes, least, allowed: allowed.may_be(program, unit, &launch.kernel) }
                    });
                    started.into_iter().map(Fact::Started).chain(asked).collect()
                };
                let facts = own(0, known.started, known.asked);
                spot.launched.extend(facts.into_iter().map(|fact| (fact, holds.clone(), calls.clone())));
                let mut inside: Vec<Vec<(usize, Fact)>> = Vec::new();
                let mut each: Vec<Vec<Fact>> = Vec::new();
                for (kernel, way) in known.ways {
                    each.push(own(kernel, way.started, way.asked));
                    inside.push(way.facts);
                }
                spot.ways.extend(together(each).map(|each| Ways { each, holds: holds.clone(), by: calls.clone() }));
                let by: Vec<By> = std::iter::once((site, LAUNCH)).chain(calls).collect();
                self.keep_ways(&inside, &holds, &by);
            }
            if !spot.launched.is_empty() || !spot.ways.is_empty() {
                self.spots.push(spot);
            }
        }
    }

    /// Keeps what each way says of places in kernels, for those of which all say something.
    fn keep_ways(&mut self, ways: &[Vec<(usize, Fact)>], holds: &str, by: &[By]) {
        let places: BTreeSet<usize> = ways.first().into_iter().flatten().map(|(index, _)| *index).collect();
        for place in places {
            let of = |way: &Vec<(usize, Fact)>| {
                way.iter().filter(|(index, _)| *index == place).map(|(_, fact)| fact.clone()).collect()
            };
            let each = together(ways.iter().map(of).collect());
            let ways = each.map(|each| Ways { each, holds: holds.to_owned(), by: by.to_vec() });
            self.ways.extend(ways.map(|ways| (place, ways)));
        }
    }
}

/// Ways of which each says something, where there are several.
fn together(each: Vec<Vec<Fact>>) -> Option<Vec<Vec<Fact>>> {
    Some(each).filter(|each| each.len() > 1 && each.iter().all(|facts| !facts.is_empty()))
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
        let looked_at = |kernel| match kernel {
            Kernel::Free(_, body) => bodies.contains(&body),
            Kernel::Operator(_) | Kernel::Member => !bodies.is_empty(),
            Kernel::Given(_) => false,
        };
        if !around.is_empty() && all_kernels(program, unit, start, &mut alone).into_iter().any(looked_at) {
            names.extend(around.iter().filter_map(|template| instances.name(*template)).map(str::to_owned));
        }
    }
    names
}

/// Works out what launches are given, for the functions that are called there: those are read then. Where functions of classes slice, so are
/// the kernels that may call them.
pub(super) fn glance<'a>(survey: &Survey, program: &'a Program<'a>, evaluator: &mut Evaluator<'a>) {
    let slices = |spot: &&Spot| matches!(spot.what, What::Slice(..) | What::Local(..) | What::Vectors(..));
    let own = survey.spots.iter().filter(slices).filter(|spot| !program.is_vendored(spot.site.unit));
    let methods = own.into_iter().any(|spot| program.class_of_scope(spot.site.unit, spot.scope).is_some());
    let mut alone = Alone::new();
    let units = (0_u32..).zip(program.units()).filter(|(unit, _)| !program.is_vendored(*unit));
    for (unit, start) in units.flat_map(|(unit, of)| of.starts.iter().map(move |start| (unit, start))).take(MAX_STARTS)
    {
        if start.function.range().len() > MAX_SEARCHED {
            continue;
        }
        let context = Context { unit, scope: start.scope, env: None };
        let kernels = all_kernels(program, unit, start, &mut alone);
        if methods && let Some(path) = spelled(program, unit, start) {
            // One that calls an object of a class that it is given has no layouts of its own.
            let last = path.segments.last().filter(|last| last.args.as_ref().is_some_and(|args| !args.is_empty()));
            evaluator.called.extend(last.map(|last| program.text(Site { unit, span: last.name })));
        }
        if kernels.is_empty() {
            continue;
        }
        let explicit = kernels.iter().filter_map(|kernel| match kernel {
            Kernel::Free(explicit, _) => Some(*explicit),
            _ => None,
        });
        for expr in start.args.iter().chain(explicit.flatten()) {
            // What it comes to does not matter here.
            drop(evaluator.evaluate(*expr, &context));
        }
        (Looker { program, evaluator }).block(start, &[], &context, &mut Vec::new());
        if let Some(shared) = start.shared {
            let _ = (Looker { program, evaluator }).bytes(shared, &context, asked::MAX_STEPS);
        }
    }
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

/// What all launches share.
struct Shared<'s, 'a> {
    program: &'a Program<'a>,
    /// Places in kernels, and in functions of the device.
    places: &'s BTreeMap<BodyRef, Vec<Place>>,
    calls: &'s devices::Calls<'a>,
    alone: RefCell<Alone>,
    /// Whether nothing in a kernel may hold threads back.
    waits: RefCell<BTreeMap<BodyRef, bool>>,
}

/// A launch of a kernel.
struct Launch<'s, 'a> {
    shared: &'s Shared<'s, 'a>,
    start: &'a Start,
    kernel: Kernel<'a>,
}

/// The function that runs, and the values of its parameters.
struct Entered<'a> {
    body: BodyRef,
    env: Bindings<'a>,
    /// The most threads that the class of the kernel allows.
    bound: Option<Number>,
}

impl<'a> Launch<'_, 'a> {
    /// What is known of the kernel's places for this launch, and the template parameters of the function around it that matter.
    fn known(
        &self,
        evaluator: &mut Evaluator<'a>,
        context: &Context<'a>,
        links: &[Link<'a>],
        needs: &mut Vec<Site>,
    ) -> Known {
        let mut known = Known::default();
        let program = self.shared.program;
        let function = Site { unit: context.unit, span: self.start.function };
        let given = varies(program, evaluator, self.start, context);
        let ask = Ask { function, given, threads: None, block: None };
        if !reached(program, evaluator, &self.start.guards, &ask, context, needs) {
            return known;
        }
        let context = &(Looker { program, evaluator }).knowing_call(self.start, context);
        let Some(Entered { body, env, bound }) = self.entered(evaluator, context, links, needs) else { return known };
        let env = (Looker { program, evaluator }).handed(body, self.start, context, env);
        let mut hangs = Vec::new();
        let mut frame = env.as_ref();
        while let Some(values) = frame {
            hangs.extend(values.values.iter().filter_map(Value::hangs));
            frame = values.outer.as_ref();
        }
        let block = (Looker { program, evaluator }).block(self.start, links, context, needs);
        let most = self.bounded(evaluator, body, &env, bound);
        if let (Some(block), Some((threads, at))) = (block, most) {
            known.started.push(Started { block, threads, bound: true, all: true, rows: false, at });
        }
        // A launch that gives none may be of an instance that needs none.
        let bytes = self.start.shared.and_then(|shared| {
            let bytes = (Looker { program, evaluator }).bytes(shared, context, asked::MAX_STEPS);
            needs.extend(bytes.as_ref().err().map(|why| why.site));
            bytes.ok().flatten().filter(|bytes| bytes.count > 0)
        });
        let nvidia = !is_for_others(program, context.unit);
        known.asked = bytes.filter(|bytes| nvidia && asked::is_much(bytes.count, self.start));
        let bytes = bytes.filter(|bytes| !bytes.least).map(|bytes| bytes.count);
        if let (Some(block), Some(given)) = (block, self.start.block) {
            let threads = block.into_iter().fold(1_u64, u64::saturating_mul);
            if threads > MOST_THREADS || (nvidia && block[2] > MOST_ALONG_Z) {
                // Whatever the kernel does with them.
                let at = Site { unit: context.unit, span: program.unit(context.unit).span(given) };
                known.started.push(Started { block, threads, bound: true, all: true, rows: false, at });
                return known;
            }
        }
        let mut sides = Sides::default();
        let places = self.shared.places.get(&body).map_or(&[][..], Vec::as_slice);
        let waits = || *self.shared.waits.borrow_mut().entry(body).or_insert_with(|| nobody_waits(program, body));
        let all = !places.is_empty() && waits();
        for (index, what, scope, span) in places {
            let inside = Context { unit: body.unit, scope: *scope, env: env.clone() };
            if !compiled(program, evaluator, &inside) {
                continue;
            }
            if let Some(block) = block {
                let sliced = sliced_for(program, evaluator, (body, all), (*what, *span), &inside, Block::of(block));
                known.started.extend(sliced.and_then(|sliced| sides.pass(body, sliced.side, sliced.started(block))));
            }
            if let (Some(block), Some(bytes), What::Tensor(storage, call)) = (block, bytes, *what) {
                let fact = (Looker { program, evaluator }).dynamic((storage, call), bytes, block, &inside);
                known.facts.extend(fact.map(|fact| (*index, fact)));
            }
            match (Looker { program, evaluator }).fact(*what, &inside) {
                Ok(Some(fact)) => known.facts.push((*index, fact)),
                Err(why) if why.reason == Reason::Dependent => {
                    needs.extend(hangs.iter().copied());
                    needs.extend((!matches!(self.kernel, Kernel::Free(..))).then_some(why.site));
                }
                _ => {}
            }
        }
        for inner in self.shared.calls.places(evaluator, body, &env, self.shared.places, block.map(Block::of)) {
            let place = (inner.what, inner.span);
            // Who calls it may call it for some threads alone, in words that nobody reads.
            let own = (inner.body, false);
            if let (Some(block), true) = (block, inner.told) {
                let sliced = sliced_for(program, evaluator, own, place, &inner.context, Block::of(block));
                let sliced = sliced.filter(|sliced| inner.always || sliced.threads > block[0]);
                known
                    .started
                    .extend(sliced.and_then(|sliced| sides.pass(inner.body, sliced.side, sliced.started(block))));
            }
            if let (Some((most, at)), true) = (most, inner.always) {
                let there = Block { extents: None, most };
                let sliced = sliced_for(program, evaluator, own, place, &inner.context, there);
                let beyond = sliced.filter(|sliced| sliced.threads > most && sliced.side.is_none());
                let fact = |sliced: Sliced| Fact::Launch { threads: sliced.threads, bound: most, at };
                known.facts.extend(beyond.map(|sliced| (inner.spot, fact(sliced))));
            }
            match (Looker { program, evaluator }).fact(inner.what, &inner.context) {
                Ok(Some(fact)) => known.facts.push((inner.spot, fact)),
                Err(why) if why.reason == Reason::Dependent => needs.extend(hangs.iter().copied()),
                _ => {}
            }
        }
        known.started.extend(sides.wrong());
        known
    }

    /// The function that runs, with what it is given.
    fn entered(
        &self,
        evaluator: &mut Evaluator<'a>,
        context: &Context<'a>,
        links: &[Link<'a>],
        needs: &mut Vec<Site>,
    ) -> Option<Entered<'a>> {
        let (program, start) = (self.shared.program, self.start);
        // Where the name of the kernel is written, and with which template arguments.
        let mut named = context.clone();
        let mut kernel = self.kernel;
        let mut links = links.iter();
        for _ in 0..MAX_STEPS {
            let Kernel::Given(handed) = kernel else { break };
            let link = links.next()?;
            kernel = given(program, handed, link, &mut self.shared.alone.borrow_mut())?;
            named = link.context.clone();
        }
        let (body, explicit, outer, open, bound): (_, &'a [ExprId], _, _, _) = match kernel {
            Kernel::Given(_) => return None,
            Kernel::Free(explicit, body) => (body, explicit, None, start.open, None),
            Kernel::Operator(of) => {
                let value = evaluator.evaluate(of, &named);
                needs.extend(hanging(&value));
                let value = value.ok()?;
                let Value::Named(class) = &value else { return None };
                let body = (Looker { program, evaluator }).only_method(class.class?, CALL_OPERATOR, None)?;
                let site = Site { unit: named.unit, span: program.unit(named.unit).span(of) };
                let bound = match evaluator.member_of(&value, "MaxThreadsPerBlock", site, &named) {
                    Ok(Value::Number(number)) => Some(number),
                    _ => None,
                };
                (body, &[], class.env.clone(), true, bound)
            }
            Kernel::Member => {
                let meant = (Looker { program, evaluator }).method(start.kernel, start.args.len(), &named)?;
                (
                    Some(meant.body).filter(|body| is_kernel(program, *body))?,
                    meant.explicit,
                    meant.outer,
                    start.open,
                    None,
                )
            }
        };
        let of = program.body(body);
        let text = program.text(Site { unit: body.unit, span: of.span });
        if text.len() > MAX_SEARCHED || program.unit(body.unit).exprs.len() > MAX_EXPRESSIONS {
            return None;
        }
        let code = evaluator.code_of(Site { unit: body.unit, span: of.span });
        let keeps = |name: &str| program.keeps_parameter(&code, body, name);
        let explicit = evaluator.template_arguments(explicit, &named);
        // What a function hands on as a pack is not told apart.
        let unit = program.unit(context.unit);
        let packs = start.args.iter().any(|arg| matches!(unit.expr(*arg), Expr::Pack(_)));
        let (args, open) = if packs { (&[][..], true) } else { (start.args.as_slice(), open) };
        let env = evaluator.entered(body, &explicit, (args, open), &outer, context, keeps)?;
        Some(Entered { body, env, bound })
    }

    /// The `__launch_bounds__` of the kernel, and where it stands.
    fn bounded(
        &self,
        evaluator: &mut Evaluator<'a>,
        body: BodyRef,
        env: &Bindings<'a>,
        own: Option<Number>,
    ) -> Option<(u64, Site)> {
        let program = self.shared.program;
        let unit = program.unit(body.unit);
        let function = program.body(body).span;
        let (bound, at) = if let Some(bound) = own {
            (bound, bound.site)
        } else {
            let launch = unit.launches.iter().find(|launch| launch.function == function)?;
            let context = Context { unit: body.unit, scope: launch.scope, env: env.clone() };
            let Ok(Value::Number(bound)) = evaluator.evaluate(launch.bound, &context) else { return None };
            (bound, Site { unit: body.unit, span: unit.span(launch.bound) })
        };
        let threads = u64::try_from(bound.value).ok().filter(|bound| *bound > 0)?;
        Some((threads, at))
    }
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
                let Some(first) = path.segments.first() else { continue };
                if is_template_parameter(program, context, first.name) {
                    return true;
                }
                let Some((decl, _)) = (Looker { program, evaluator }).local(first.name, context) else { continue };
                let of = program.decl(decl);
                if let DeclKind::Variable { init: Some(init), .. } | DeclKind::Alias(init) = of.kind {
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
