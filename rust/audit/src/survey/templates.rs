//! Layouts of templates, in each way in which the code base instantiates those.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::launched::Launched;
use super::shares::Share;
use super::{
    AlgebraCall, Case, Spot, Survey, WrittenLayout, arguments, beside, callers, hangs, knows, launches, names, outcome,
    shares,
};
use crate::ast::{ScopeKind, Site, Use};
use crate::eval::{
    Answer, Bindings, Constant, Context, Evaluator, Index, Instances, PASSES, Program, Reason, Unresolved, Value,
};

/// Places that are looked at in one pass for what a project has of its own, and for what is in a copy of CUTLASS.
pub(super) const MAX_LOOKS: usize = 100_000;

/// Places that are looked at to learn which functions are called.
const MAX_GLANCES: usize = 10_000;
const MAX_VENDORED_LOOKS: usize = 4_000;

/// Places that are looked at in one pass for layouts that hang on declarations that differ: few layouts do, and the switches of a
/// kernel's launch make many ways to get to one.
const MAX_SIDE_LOOKS: usize = 32_000;

/// How many declarations that differ are taken in turn.
const MAX_SIDES: usize = 4;

/// Their names.
const SIDES: [&str; MAX_SIDES] = ["first", "second", "third", "fourth"];

/// How much more work is done for what is a project's own than for what is a library's.
const OWN: usize = 4;

/// What is looked at by itself.
enum Part {
    Layouts,
    Places,
}

impl Survey {
    /// The names of the templates around layouts that hang on a parameter of theirs: a project's own, and whether there are any,
    /// or else those of the library that all of it is.
    pub fn templates<'a>(&self, program: &'a Program<'a>, index: &Arc<Index<'a>>) -> (BTreeSet<String>, bool) {
        let instances = Instances::new(program, index);
        let names = |own: bool| {
            let mut names = BTreeSet::new();
            for (unit, scope) in self.spots.iter().filter_map(Spot::hanging) {
                if !own || !program.is_vendored(unit) {
                    let around = Instances::around(program, unit, scope);
                    names.extend(around.iter().filter_map(|template| instances.name(*template)).map(str::to_owned));
                }
            }
            let open = self.layouts.iter().filter(|found| hangs(&found.layout));
            let open = open.filter(|found| !own || !program.is_vendored(found.site.unit));
            for found in open {
                if let Some(used) = program.unit(found.site.unit).uses.get(found.used) {
                    let around = Instances::around(program, found.site.unit, used.scope);
                    names.extend(around.iter().filter_map(|template| instances.name(*template)).map(str::to_owned));
                }
            }
            names
        };
        let mut own = names(true);
        own.extend(launches::kernels(self, program, &instances));
        own.extend(callers::functions(self, program));
        if own.is_empty() { (names(false), false) } else { (own, true) }
    }

    /// The functions that layouts of a project's own templates call, and the names for want of which they are not resolved, after a
    /// short look at the ways in which the code base instantiates those.
    pub fn glanced<'a>(
        &self,
        program: &'a Program<'a>,
        index: &Arc<Index<'a>>,
    ) -> (BTreeSet<String>, BTreeSet<String>) {
        let found: Mutex<(BTreeSet<String>, BTreeSet<String>)> = Mutex::default();
        beside::each(vec![Part::Layouts, Part::Places], &|part| {
            let mut evaluator = Evaluator::new(program);
            let mut instances = Instances::new(program, index);
            instances.pass(MAX_GLANCES);
            let wanted = match part {
                Part::Layouts => self.glance_at_layouts(program, &mut evaluator, &mut instances),
                Part::Places => {
                    launches::glance(self, program, &mut evaluator);
                    for spot in self.spots.iter().filter(|spot| !program.is_vendored(spot.site.unit)) {
                        spot.clone().instantiate(program, &mut evaluator, &mut instances, PASSES[0]);
                    }
                    BTreeSet::new()
                }
            };
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.0.extend(evaluator.called.iter().map(|name| (*name).to_owned()));
            found.1.extend(wanted);
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many layouts and places of each unit hang on parameters of templates.
    fn hanging(&self, program: &Program<'_>) -> Vec<usize> {
        let mut counts = vec![0; program.units().len()];
        let layouts = self.layouts.iter().filter(|found| hangs(&found.layout)).map(|found| found.site.unit);
        let spots = self.spots.iter().filter_map(Spot::hanging).map(|(unit, _)| unit);
        for unit in layouts.chain(spots) {
            if let Some(count) = counts.get_mut(unit as usize) {
                *count += if program.is_vendored(unit) { 1 } else { OWN };
            }
        }
        counts
    }

    fn glance_at_layouts<'a>(
        &self,
        program: &'a Program<'a>,
        evaluator: &mut Evaluator<'a>,
        instances: &mut Instances<'a>,
    ) -> BTreeSet<String> {
        let mut wanted = BTreeSet::new();
        for found in self.layouts.iter().filter(|found| hangs(&found.layout) && !program.is_vendored(found.site.unit)) {
            if let Some(used) = program.unit(found.site.unit).uses.get(found.used) {
                let cases = cases(program, evaluator, instances, (found.site, used), PASSES[0]);
                if let Some(Unresolved { reason: Reason::UnknownName, site }) = cases.and_then(|cases| cases.failed) {
                    wanted.extend(names(program.text(site)));
                }
            }
        }
        wanted
    }

    /// Looks at layouts of templates and calls of layout algebra, and at places that a check may have something to say about, in each way
    /// in which the code base instantiates those. Shares of them share nothing but the program, and take turns on no clock: each has its own
    /// bounds.
    pub fn instantiate(&mut self, program: &Program<'_>) {
        let index = Index::of(program);
        let ranges = shares::cut(&self.hanging(program), shares::HALVES);
        let places = self.places();
        let launched = || Launched::of(&places, program, &mut Instances::new(program, &index));
        let shares = self.shares(&ranges);
        let instantiate = |share: Share<'_>| {
            let mut evaluator = Evaluator::new(program);
            let mut instances = Instances::new(program, &index);
            for looks in PASSES {
                instantiate_layouts(share.layouts, program, &mut evaluator, &mut instances, looks);
                instances.pass(MAX_LOOKS);
                follow_calls(share.calls, program, &mut evaluator, &mut instances, looks);
            }
            on_each_side(share.layouts, program, &index, evaluator.sides);
            know_modes(share.layouts, program, &mut evaluator);
            for looks in PASSES {
                instances.pass(MAX_LOOKS);
                for spot in &mut *share.spots {
                    spot.instantiate(program, &mut evaluator, &mut instances, looks);
                }
            }
        };
        let launched = beside::with(&launched, || beside::each(shares, &instantiate));
        self.keep(launched);
    }
}

/// What is known of layouts that hang on run-time values, whatever those are.
fn know_modes<'a>(layouts: &mut [WrittenLayout], program: &'a Program<'a>, evaluator: &mut Evaluator<'a>) {
    let runs = |found: &&mut WrittenLayout| {
        found.cases.is_empty() && found.layout.as_ref().is_err_and(|why| why.reason == Reason::RunTime)
    };
    for found in layouts.iter_mut().filter(runs) {
        let unit = found.site.unit;
        let Some(used) = program.unit(unit).uses.get(found.used) else { continue };
        let context = Context { unit, scope: used.scope, env: None };
        found.known = evaluator.known_modes(used.expr, &context).ok().flatten();
    }
}

/// Layouts that hang on declarations that differ, as on the sides of an `#if`: each of these is taken once, the first of all of them
/// together, then the second. Such declarations may never stand together, so that what is found so counts as tried.
fn on_each_side<'a>(layouts: &mut [WrittenLayout], program: &'a Program<'a>, index: &Arc<Index<'a>>, mut sides: usize) {
    let differs = |found: &&mut WrittenLayout| {
        found.layout.as_ref().is_err_and(|why| why.reason == Reason::Ambiguous) && !program.is_vendored(found.site.unit)
    };
    let mut open: Vec<&mut WrittenLayout> = layouts.iter_mut().filter(differs).collect();
    if open.is_empty() {
        return;
    }
    let mut all: Vec<(Vec<Case>, Option<Unresolved>)> = vec![(Vec::new(), None); open.len()];
    let mut side = 0;
    while side < sides.clamp(1, MAX_SIDES) {
        let mut evaluator = Evaluator::new(program).taking(side);
        let mut instances = Instances::new(program, index);
        instances.pass(MAX_SIDE_LOOKS);
        for (found, (each, failed)) in open.iter().zip(&mut all) {
            let Some(used) = program.unit(found.site.unit).uses.get(found.used) else { continue };
            let cases = cases(program, &mut evaluator, &mut instances, (found.site, used), MAX_SIDE_LOOKS);
            let Some(cases) = cases.filter(|cases| !cases.each.is_empty() || cases.bare.is_some()) else {
                *failed = found.layout.as_ref().err().copied();
                continue;
            };
            *failed = failed.or(cases.failed);
            let side = SIDES.get(side).copied().unwrap_or_default();
            let bare = cases.bare.map(|layout| Case { layout, holds: String::new(), tried: true });
            each.extend(cases.each.into_iter().chain(bare).map(|case| {
                let comma = if case.holds.is_empty() { "" } else { ", " };
                Case {
                    holds: format!("{}{comma}{side} of the declarations that differ", case.holds),
                    tried: true,
                    ..case
                }
            }));
        }
        sides = sides.max(evaluator.sides);
        side += 1;
    }
    for (found, (each, failed)) in open.iter_mut().zip(all) {
        match (failed, each.first()) {
            (None, Some(first)) if sides <= MAX_SIDES => found.layout = Ok(first.layout.clone()),
            _ => {}
        }
        found.cases = each;
    }
}

fn instantiate_layouts<'a>(
    layouts: &mut [WrittenLayout],
    program: &'a Program<'a>,
    evaluator: &mut Evaluator<'a>,
    instances: &mut Instances<'a>,
    looks: usize,
) {
    // A project's own first: there is an end to how much is looked at, and a library is large.
    let open = layouts.iter_mut().filter(|found| hangs(&found.layout));
    let (vendored, own): (Vec<&mut WrittenLayout>, Vec<&mut WrittenLayout>) =
        open.partition(|found| program.is_vendored(found.site.unit));
    instances.pass(MAX_LOOKS);
    let count = own.len();
    for (index, found) in own.into_iter().chain(vendored).enumerate() {
        if index == count {
            instances.pass(MAX_VENDORED_LOOKS);
        }
        let unit = found.site.unit;
        let Some(used) = program.unit(unit).uses.get(found.used) else { continue };
        let Some(cases) = cases(program, evaluator, instances, (found.site, used), looks) else { continue };
        match (cases.failed, cases.each.first()) {
            // What is known of some instances is still checked; but the layout is not resolved for all.
            (Some(why), _) => found.layout = Err(why),
            (None, Some(first)) => found.layout = Ok(first.layout.clone()),
            (None, None) => {}
        }
        found.cases = cases.each;
    }
}

/// Calls of layout algebra in templates.
fn follow_calls<'a>(
    calls: &mut [AlgebraCall],
    program: &'a Program<'a>,
    evaluator: &mut Evaluator<'a>,
    instances: &mut Instances<'a>,
    looks: usize,
) {
    // Where one call had more ways than are looked at, the next would have them too.
    let mut beyond = HashSet::new();
    for call in calls.iter_mut().filter(|call| call.hangs && !program.is_vendored(call.site.unit)) {
        if beyond.contains(&(call.site.unit, call.scope)) {
            continue;
        }
        let Some(args) = arguments(program, call.site) else { continue };
        let (unit, family) = (call.site.unit, call.family);
        let site = call.site;
        let ask = |evaluator: &mut Evaluator<'a>, context: &Context<'a>| {
            let (known, needs, _) = knows(evaluator, family, args, context, site);
            (known, needs)
        };
        let Some(answers) = instances.answers(evaluator, (unit, call.scope), looks, ask) else {
            beyond.insert((unit, call.scope));
            continue;
        };
        let bound: Vec<bool> =
            answers.each.iter().filter(|answer| answer.env.is_some()).map(|answer| answer.value).collect();
        call.known = answers.more == 0 && !bound.is_empty() && bound.iter().all(|known| *known);
        call.hangs = !call.known;
    }
}

/// What a layout is for the values of the parameters around it.
struct Cases {
    each: Vec<Case>,
    /// What it is if it hangs on none.
    bare: Option<Constant>,
    /// Why it is not known for all of them.
    failed: Option<Unresolved>,
}

/// What a layout is in each way in which the code base instantiates the templates around it; `None` when that is too many looks.
fn cases<'a>(
    program: &'a Program<'a>,
    evaluator: &mut Evaluator<'a>,
    instances: &mut Instances<'a>,
    (site, used): (Site, &Use),
    looks: usize,
) -> Option<Cases> {
    let expr = used.expr;
    let ask = |evaluator: &mut Evaluator<'a>, context: &Context<'a>| {
        let layout = outcome(evaluator.evaluate(expr, context), site);
        let needs = layout.as_ref().err().filter(|why| why.reason == Reason::Dependent).map(|why| why.site);
        (layout, needs.into_iter().collect())
    };
    let answers = instances.answers(evaluator, (site.unit, used.scope), looks, ask)?;
    let failed = (answers.more > 0).then_some(Unresolved { reason: Reason::Instances, site });
    let mut cases = Cases { each: Vec::new(), bare: None, failed };
    for Answer { env, value } in answers.each {
        let tried = env.as_ref().is_some_and(|frame| frame.tried);
        match value {
            Ok(layout) if env.is_none() => cases.bare = Some(layout),
            Ok(layout) => cases.each.push(Case { layout, holds: holds(program, &env), tried }),
            // A parameter that has no value here either.
            Err(why) if why.reason == Reason::Dependent => {}
            // What is known at run time only is set apart, so any other reason says more.
            Err(why) => cases.failed = cases.failed.filter(|known| known.reason != Reason::RunTime).or(Some(why)),
        }
    }
    Some(cases)
}

/// The numbers that template parameters have, in words.
pub(super) fn holds(program: &Program<'_>, env: &Bindings<'_>) -> String {
    let mut words = Vec::new();
    let mut frame = env.as_ref();
    while let Some(known) = frame {
        let (unit, scope) = known.key;
        if let ScopeKind::Template(params) = &program.unit(unit).scope(scope).kind {
            let numbers = params.iter().zip(&known.values).rev().filter_map(|(param, value)| match value {
                Value::Number(number) => {
                    Some(format!("{} = {}", program.text(Site { unit, span: param.name }), number.value))
                }
                _ => None,
            });
            words.extend(numbers);
        }
        frame = known.outer.as_ref();
    }
    words.reverse();
    words.join(", ")
}
