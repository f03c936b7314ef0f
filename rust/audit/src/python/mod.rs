//! Python: layouts of CuTe's DSL and of Triton's Gluon.
//!
//! ```text
//! parse (or the grammar) ─► nodes ─► read (expressions, setting, mentioned) ─► reach ─► files ─► evaluate ─► tried ─► here: what was found
//! ```
//!
//! `evaluate` says what is certain: of several bindings of a name the one that reaches a place (`flow`), attributes by what methods that
//! run store in them (`classes`, `runs`, `stored`), calls of functions and of the library (`calls`, `cute`, `gluon`, `instructions`).
//! What is not certain is tried (`tried`) with each way to choose among what the code lists (`world`): arms of branches, calls (`sites`,
//! `variables`; all of them in one `index`), classes. What was worked out is kept with the choices that it hangs on (`noted`), and what chosen arms say of values that are not
//! known decides what comes later (`facts`). A function that is handed on as a value (`mentioned`) may be called with anything, and so
//! may one with a decorator (`wrappers`) that does not hand on what it is given; one that is returned (`returned`) is followed. Files that only call kernels are read for what they pass
//! (`importers`); objects that hold what they are made with are told apart (`fields`); dictionaries are what is written (`dictionaries`) where
//! they are only read (`kept`); a store in a tensor (`tensors`) changes none. What a program is started with (`started`), what a test is run with
//! (`parametrized`), configs of an autotuner (`tuned`), and types that guards allow (`types`) are listed. A `match` is read as tests (`matches`); what tests replace (`patches`) or want refused (`refusals`) is left out. What goes through sequences (`sequences`), lists that loops fill (`variables`), and names that `import *` brings (`stars`)
//! are followed too; so are the rounds of a loop that returns (`rounds`), and how it is left (`leaving`). Shared memory and launches of the DSL (`memory`), the warps of Gluon's launches (`warps`), what it allocates (`allocated`) and the dimensions of its tensors (`ranks`) come behind the layouts.

mod allocated;
mod arithmetic;
mod bound;
mod calls;
mod classes;
mod compositions;
mod cute;
mod dead;
mod dictionaries;
mod enums;
mod evaluate;
mod expressions;
mod facts;
mod fields;
mod files;
mod flow;
mod frame;
mod gluon;
mod guards;
mod importers;
mod index;
mod instructions;
mod kept;
mod later;
mod leaving;
mod literals;
mod matches;
mod memory;
mod mentioned;
mod names;
mod nodes;
mod noted;
mod objects;
mod operators;
mod parametrized;
mod parse;
mod partials;
mod patches;
mod ranks;
mod reach;
mod read;
mod records;
mod refusals;
mod refusing;
mod rest;
mod returned;
mod rounds;
mod runs;
mod sequences;
mod setting;
mod shared;
mod sites;
mod stars;
mod started;
mod stored;
mod tensors;
mod tree;
mod tried;
mod tuned;
mod types;
mod value;
mod variables;
mod warps;
mod words;
mod world;
mod wrappers;

use foldhash::HashSet;
use rayon::prelude::*;
use std::ops::Range;
use std::rc::Rc;

use razorgirl::{IntTuple, Layout, Swizzle};

use crate::ast::{Site, Unit};
use crate::eval::{Constant, Reason, Resolved, Unresolved};
use crate::source::{Source, Unreadable};
use crate::survey::{Case, STACK, Survey, TiledCopy, WrittenLayout};

pub use compositions::Composition;
pub use evaluate::Refused;
pub use gluon::{Bases, Found as GluonLayout, Gluon, List, Part};
pub use later::{Partition, Tiled};
pub use memory::Placed;

use evaluate::{At, Evaluator};
use files::Files;
use index::Calls;
use later::{Later, MAX_LATER};
use tree::{Expr, ExprId, Module};
use tried::{MAX_IN_PART, MAX_TRIED, MAX_TRIED_ONCE, MAX_WORLDS, Tried};
use value::Value;

/// Layouts of one run that are kept.
const MAX_LAYOUTS: usize = 1 << 18;

/// The part of a layout's share that a place of shared memory may take.
const SHARE_OF_PLACES: usize = 8;

/// Places of shared memory of one run that are looked at.
const MAX_PLACES: usize = 1 << 15;

/// Fewer layouts are gone through by one thread: what is worked out for one file serves the next.
const MANY: usize = 256;

/// Something for values that the code lists.
#[derive(Debug)]
pub struct Listed<T> {
    /// What it is for them.
    pub one: T,
    /// The values, in words.
    pub holds: String,
    /// Whether they are only listed: no call is known that has them together.
    pub tried: bool,
}

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Python {
    /// One unit a parsed file, which holds nothing but the file's index.
    pub units: Vec<Unit>,
    /// Layouts and tiled copies of CuTe's DSL, as the checks of C++ know them.
    pub survey: Survey,
    /// Layouts of Gluon.
    pub gluon: Vec<GluonLayout>,
    /// Whether each is known.
    pub gluon_known: Vec<(Site, Resolved<()>)>,
    /// Tiled copies that hang on what the code lists, in each way.
    pub copies: Vec<Vec<Listed<TiledCopy>>>,
    /// Layouts of Gluon that do.
    pub gluon_listed: Vec<Vec<Listed<GluonLayout>>>,
    /// Layouts of coordinates: known, and nothing to check.
    pub identities: Vec<Site>,
    /// Swizzles where they are made.
    pub swizzles: Vec<(Site, Swizzle)>,
    /// What CuTe answers and the definition refuses.
    pub refused: Vec<Refused>,
    /// Compositions and divisions that the library refuses, and CuTe may answer.
    pub composed: Vec<Composition>,
    /// Those that hang on what the code lists, in each way; nothing where the library answers.
    pub composed_listed: Vec<Vec<Listed<Option<Composition>>>>,
    /// Threads and values of tiled copies, and the tiles that they partition.
    pub partitions: Vec<Partition>,
    /// Those that hang on what the code lists, in each way.
    pub partitions_listed: Vec<Vec<Listed<Partition>>>,
    /// Tiled MMAs.
    pub mmas: Vec<Tiled>,
    /// Those that hang on what the code lists, in each way.
    pub mmas_listed: Vec<Vec<Listed<Tiled>>>,
    /// What stands at places of shared memory and of launches.
    pub placed: Vec<Placed>,
    /// Places that the grammar could not read.
    pub errors: usize,
    /// Layouts in them.
    pub in_errors: usize,
    /// Calls that surely never run, or are there to be refused.
    dead: Vec<Site>,
    /// Files that were not looked into.
    pub given_up: Vec<Unreadable>,
}

impl Python {
    /// Reads the Python files among some sources.
    pub fn read(sources: &[Source]) -> Self {
        let mut python = Self::default();
        if !sources.iter().any(|source| source.python) {
            return python;
        }
        let threads = Threads::new();
        let mut files = threads.run(|| Files::read(sources));
        let counts: Vec<usize> = files.modules.iter().map(layouts).collect();
        let count: usize = counts.iter().sum();
        // Most layouts take little of their share.
        let share = (4 * MAX_TRIED / count.max(1)).min(MAX_TRIED_ONCE);
        let calls = threads.run(|| Calls::of(&files));
        // Two parts share nothing but the files and their calls. Where the second begins hangs on the files alone, so that every machine says the same.
        let mut before = 0;
        let middle = counts.iter().position(|own| {
            let half = before * 2 >= count;
            before += own;
            half && count >= MANY
        });
        let all = files.modules.len();
        let (first, second) = (0..middle.unwrap_or(all), middle.unwrap_or(all)..all);
        if second.is_empty() {
            python.take(Self::of(&files, &calls, first, share));
        } else {
            let (first, second) = std::thread::scope(|scope| {
                let behind = || Self::of(&files, &calls, second.clone(), share);
                let other = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, behind);
                let first = Self::of(&files, &calls, first, share);
                match other.map(std::thread::ScopedJoinHandle::join) {
                    Ok(Ok(second)) => (first, second),
                    Ok(Err(panic)) => std::panic::resume_unwind(panic),
                    Err(_) => (first, behind()),
                }
            });
            python.take(first);
            python.take(second);
        }
        for module in &files.modules {
            python.units.push(Unit::empty(module.file));
            python.errors += module.errors;
            python.in_errors += module.in_errors;
            if let Some(why) = module.gave_up
                && let Some(source) = sources.get(module.file)
            {
                python.given_up.push(Unreadable { path: source.path.clone(), why: why.to_owned() });
            }
        }
        let dead: HashSet<Site> = std::mem::take(&mut python.dead).into_iter().collect();
        python.composed.retain(|one| !dead.contains(&one.site));
        python.refused.retain(|one| !dead.contains(&one.site));
        python.composed.sort_by_key(|one| one.site);
        python.refused.sort_by_key(|refused| refused.site);
        python.survey.layouts.sort_by_key(|found| found.site);
        // Millions of small things.
        let modules = std::mem::take(&mut files.modules);
        threads.run(|| modules.into_par_iter().for_each(drop));
        python
    }

    /// What is found in some of the files, each layout with its share of the work.
    fn of(files: &Files<'_>, calls: &Calls<'_>, part: Range<usize>, share: usize) -> Self {
        let mut python = Self::default();
        let mut evaluator = Evaluator::new(files, calls);
        evaluator.share = share;
        let (mut later, mut memory) = (Vec::new(), Vec::new());
        for (index, module) in files.modules.iter().enumerate().skip(part.start).take(part.len()) {
            python.survey(index, module, &mut evaluator, &mut later);
            for (call, scope) in &module.calls {
                let Expr::Call(callee, _) = module.expr(*call) else { continue };
                let Expr::Attribute(_, name) = module.expr(*callee) else { continue };
                if memory::is_looked_at(name) && memory.len() < MAX_PLACES {
                    memory.push((*call, At { module: index, scope: *scope, frame: None }));
                }
            }
        }
        evaluator.raising = false;
        // Layouts come first: these say nothing of what is resolved.
        for (call, at, path) in later {
            python.look_later(call, &at, &path, &mut evaluator);
        }
        // Most of these hang on what is known at run time only, which shows soon.
        evaluator.share = share / SHARE_OF_PLACES;
        for index in part {
            python.placed.extend(evaluator.sized_fields(index));
        }
        for (call, at) in memory {
            python.placed.extend(evaluator.placed_facts(call, &at));
        }
        (python.refused, python.composed) = (evaluator.refused, evaluator.composed);
        python
    }

    /// Adds what was found in other files, behind these.
    fn take(&mut self, other: Self) {
        self.survey.layouts.extend(other.survey.layouts);
        self.survey.tiled_copies.extend(other.survey.tiled_copies);
        self.gluon.extend(other.gluon);
        self.gluon_known.extend(other.gluon_known);
        self.copies.extend(other.copies);
        self.gluon_listed.extend(other.gluon_listed);
        self.identities.extend(other.identities);
        self.dead.extend(other.dead);
        self.swizzles.extend(other.swizzles);
        self.refused.extend(other.refused);
        self.composed.extend(other.composed);
        self.composed_listed.extend(other.composed_listed);
        self.partitions.extend(other.partitions);
        self.partitions_listed.extend(other.partitions_listed);
        self.mmas.extend(other.mmas);
        self.mmas_listed.extend(other.mmas_listed);
        self.placed.extend(other.placed);
    }

    fn survey(&mut self, index: usize, module: &Module, evaluator: &mut Evaluator<'_>, later: &mut Vec<Later>) {
        for (call, scope) in &module.calls {
            let at = At { module: index, scope: *scope, frame: None };
            let Expr::Call(callee, _) = module.expr(*call) else { continue };
            let Some(path) = evaluator.of_library(*callee, &at) else { continue };
            if self.survey.layouts.len() + self.gluon.len() >= MAX_LAYOUTS {
                return;
            }
            let site = evaluator.site(*call, &at);
            evaluator.raising = path.starts_with(gluon::GLUON);
            let looked_at = gluon::parameters(&path).is_some() || cute::function(&path).is_some_and(is_looked_at);
            if looked_at && (evaluator.is_never_run(*call, &at) || evaluator.is_to_fail(*call, &at)) {
                self.dead.push(site);
                continue;
            }
            if let Some((name, parameters)) = gluon::parameters(&path) {
                if evaluator.is_only_asked(*call, &at) {
                    continue;
                }
                let lanes = !evaluator.is_only_linear(*call, &at);
                let arguments = evaluator.arguments(*call, &at, parameters);
                let (layout, mut known) = match arguments {
                    Some(arguments) => gluon::layout(name, &arguments, site),
                    None => (gluon::layout(name, &[], site).0, Err(Unresolved { reason: Reason::Expression, site })),
                };
                if known.is_err_and(|why| may_be_listed(&Err(why))) {
                    let need: Vec<usize> = (0..parameters.len()).collect();
                    let tried = evaluator.argument_worlds(*call, &at, parameters, &need);
                    known = self.gluon_tried(name, tried, known, (site, lanes));
                    if known.is_err_and(|why| gluon::is_later(why.reason)) {
                        evaluator.most = MAX_IN_PART;
                        let tried = evaluator.argument_worlds(*call, &at, parameters, &[]);
                        evaluator.most = MAX_WORLDS;
                        self.gluon_in_part(name, tried, (site, lanes));
                    }
                }
                self.gluon_known.push((site, known));
                let launches = evaluator.launches(*call, &at);
                self.gluon.push(GluonLayout { site, layout, lanes, launches });
                continue;
            }
            if allocated::allocates(&path) && !evaluator.is_never_run(*call, &at) && !evaluator.is_to_fail(*call, &at) {
                self.gluon.extend(evaluator.allocated_by(*call, &at));
                continue;
            }
            if let Some(ranked) = evaluator.ranked(*call, &at, &path)
                && !evaluator.is_never_run(*call, &at)
                && !evaluator.is_to_fail(*call, &at)
            {
                self.gluon.push(ranked);
                continue;
            }
            if cute::function(&path) == Some("make_layout_tv") {
                self.threads_and_values(*call, &at, evaluator);
            }
            match cute::function(&path) {
                Some(name) if cute::makes_layout(name) => {
                    let value = evaluator.ask(*call, &at);
                    let tried = if may_be_listed(&value) { evaluator.worlds(*call, &at) } else { Vec::new() };
                    self.layout(value, tried, site);
                }
                Some("make_tiled_copy_tv") => {
                    let parameters = ["atom", "thr_layout", "val_layout"];
                    let arguments = evaluator.arguments(*call, &at, &parameters);
                    if let Some(copy) = arguments.and_then(|all| tiled_copy(&all, site)) {
                        self.survey.tiled_copies.push(copy);
                    } else {
                        let tried = evaluator.argument_worlds(*call, &at, &parameters, &[1, 2]);
                        if !self.copies_tried(tried, site, true) {
                            // Threads and values are judged each by itself.
                            for place in [1, 2] {
                                let tried = evaluator.argument_worlds(*call, &at, &parameters, &[place]);
                                self.copies_tried(tried, site, false);
                            }
                        }
                    }
                }
                Some("make_swizzle") => match evaluator.ask(*call, &at) {
                    Ok(Value::Swizzle(swizzle, _)) => self.swizzles.push((site, swizzle)),
                    Err(why) if may_be_listed(&Err(why)) => {
                        let tried = evaluator.worlds(*call, &at);
                        self.swizzles.extend(unusual(&tried).map(|swizzle| (site, swizzle)));
                    }
                    _ => {}
                },
                Some(name) if cute::computes(name) => {
                    // For the sake of what is refused.
                    let value = evaluator.ask(*call, &at);
                    if may_be_listed(&value) && later.len() < MAX_LATER {
                        later.push((*call, at, path));
                    }
                }
                Some("make_tiled_copy" | "make_tiled_mma") if later.len() < MAX_LATER => later.push((*call, at, path)),
                _ => {}
            }
        }
    }

    /// Keeps the threads and values of a `make_layout_tv`, which inverts them as a tiled copy does.
    fn threads_and_values(&mut self, call: ExprId, at: &At, evaluator: &mut Evaluator<'_>) {
        let site = evaluator.site(call, at);
        let parameters = ["thr_layout", "val_layout"];
        let all = evaluator.arguments(call, at, &parameters);
        if let Some([threads, values]) = all.as_deref()
            && let Some(copy) = tiled_copy(&[None, threads.clone(), values.clone()], site)
        {
            self.survey.tiled_copies.push(copy);
        } else {
            let tried = evaluator.argument_worlds(call, at, &parameters, &[0, 1]);
            self.copies_tried(tried, site, true);
        }
    }

    /// Keeps what a tiled copy is for everything that the code lists, if anything of it is known; whether all of it must be.
    fn copies_tried(&mut self, tried: Vec<Tried>, site: Site, whole: bool) -> bool {
        let mut all = Vec::new();
        let mut failed = false;
        for Tried { value, holds, call, guess } in tried {
            failed |= guess;
            match value {
                Ok(Value::Tuple(items)) => {
                    let mut arguments: Vec<_> = items.all.iter().cloned().map(Some).collect();
                    if arguments.len() == 2 {
                        // `make_layout_tv` has no atom.
                        arguments.insert(0, None);
                    }
                    if !whole && with_one(&mut arguments, site).is_none() {
                        continue;
                    }
                    match tiled_copy(&arguments, site) {
                        Some(copy) => all.push(Listed { one: copy, holds, tried: !call }),
                        None => failed = true,
                    }
                }
                Err(why) if matches!(why.reason, Reason::Dependent | Reason::UnknownMember) => {}
                _ => failed = true,
            }
        }
        all.retain(|one| !failed || !one.tried);
        let some = !all.is_empty();
        if some {
            self.copies.push(all);
        }
        some
    }

    /// Keeps what a layout of Gluon is for everything that the code lists, and says whether it is known for all of it.
    fn gluon_tried(&mut self, name: &str, tried: Vec<Tried>, known: Resolved<()>, at: (Site, bool)) -> Resolved<()> {
        let (site, lanes) = at;
        let mut all = Vec::new();
        let (mut failed, mut open): (Option<Unresolved>, Option<Unresolved>) = (None, None);
        let mut guessed = false;
        for Tried { value, holds, call, guess } in tried {
            guessed |= guess;
            let whole = value.and_then(|value| match value {
                Value::Tuple(items) => {
                    let absent = |value: &Value| matches!(value, Value::Unknown(why) if why.site == site);
                    let arguments: Vec<_> =
                        items.all.iter().map(|value| Some(value.clone()).filter(|value| !absent(value))).collect();
                    let (layout, known) = gluon::layout(name, &arguments, site);
                    known.map(|()| layout)
                }
                _ => Err(Unresolved { reason: Reason::Call, site }),
            });
            match whole {
                Ok(layout) => {
                    let one = GluonLayout { site, layout, lanes, launches: Vec::new() };
                    all.push(Listed { one, holds, tried: !call });
                }
                Err(why) if matches!(why.reason, Reason::Dependent | Reason::UnknownMember) => {
                    open = open.or(Some(why));
                }
                Err(why) => failed = failed.filter(|known| known.reason != Reason::RunTime).or(Some(why)),
            }
        }
        all.retain(|one| failed.is_none() || !one.tried);
        let result = match (failed, all.is_empty(), open) {
            (Some(why), ..) | (None, true, Some(why)) => Err(why),
            (None, true, None) => known,
            (None, false, _) => Ok(()),
        };
        all.retain(|one| !guessed || !one.tried);
        if !all.is_empty() {
            self.gluon_listed.push(all);
        }
        result
    }

    /// Keeps what is known of a layout of which the rest is known when the kernel is launched or runs only.
    fn gluon_in_part(&mut self, name: &str, tried: Vec<Tried>, (site, lanes): (Site, bool)) {
        let absent = |value: &Value| matches!(value, Value::Unknown(why) if why.site == site);
        let (mut all, mut failed) = (Vec::new(), tried.len() > MANY);
        for Tried { value, holds, call, guess } in tried.into_iter().take(MANY) {
            failed |= guess;
            let items = match value {
                Ok(Value::Tuple(items)) => items,
                Err(why) if matches!(why.reason, Reason::Dependent | Reason::UnknownMember) => continue,
                _ => {
                    failed = true;
                    continue;
                }
            };
            let arguments: Vec<_> =
                items.all.iter().map(|value| Some(value.clone()).filter(|value| !absent(value))).collect();
            let other = arguments
                .iter()
                .flatten()
                .filter_map(|value| value.unknown(0))
                .find(|why| !gluon::is_later(why.reason));
            if let Some(why) = other {
                // What Python refuses is never made.
                failed |= why.reason != Reason::Dependent;
                continue;
            }
            let (layout, _) = gluon::layout(name, &arguments, site);
            all.push(Listed { one: GluonLayout { site, layout, lanes, launches: Vec::new() }, holds, tried: !call });
        }
        all.retain(|one| !failed || !one.tried);
        if !all.is_empty() {
            self.gluon_listed.push(all);
        }
    }

    /// Keeps a layout: what it surely is, or else what it is for everything that the code lists.
    fn layout(&mut self, value: Resolved<Value>, tried: Vec<Tried>, site: Site) {
        let (mut cases, mut failed, mut identity): (Vec<Case>, Option<Unresolved>, bool) = (Vec::new(), None, false);
        let (mut open, mut guessed) = (None, false);
        for Tried { value, holds, call, guess } in tried {
            guessed |= guess;
            match constant(value, site) {
                Ok(None) => identity = true,
                Ok(Some(layout)) => {
                    let same = |case: &&mut Case| {
                        case.layout.shape.tuple == layout.shape.tuple && case.layout.stride.tuple == layout.stride.tuple
                    };
                    match cases.iter_mut().find(same) {
                        Some(case) if case.tried && !call => {}
                        Some(case) if !case.tried => {}
                        Some(case) => (case.holds, case.tried) = (holds, !call),
                        None => cases.push(Case { layout: (*layout).clone(), holds, tried: !call }),
                    }
                }
                // A parameter for which nothing is listed here, or an attribute that only classes which inherit from this one have.
                // One of no element is none that is made: beside others it says nothing.
                Err(why) if matches!(why.reason, Reason::Dependent | Reason::UnknownMember | Reason::ZeroExtent) => {
                    open = open.or(Some(why));
                }
                // What is known at run time only is set apart, so any other reason says more.
                Err(why) => failed = failed.filter(|known| known.reason != Reason::RunTime).or(Some(why)),
            }
        }
        // What is only tried is wrong where all of it is, and here some of it is not known.
        if failed.is_some() {
            cases.retain(|case| !case.tried);
        }
        let why = failed.or(open.filter(|_| cases.is_empty() && !identity));
        let layout = match (why, cases.first()) {
            (Some(why), _) => Err(why),
            (None, Some(case)) => Ok(case.layout.clone()),
            (None, None) if identity => return self.identities.push(site),
            (None, None) => match constant(value, site) {
                Ok(None) => return self.identities.push(site),
                Ok(Some(layout)) => Ok((*layout).clone()),
                Err(why) => Err(why),
            },
        };
        let mut found = WrittenLayout::computed(site, layout);
        (found.cases, found.guessed) = (cases, guessed);
        self.survey.layouts.push(found);
    }
}

/// Threads that end with what is read by them: others that only wait for work would hold on to what was freed elsewhere.
struct Threads(Option<rayon::ThreadPool>);

impl Threads {
    fn new() -> Self {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).stack_size(STACK);
        Self(threads.build().ok())
    }

    fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(threads) => threads.install(work),
            None => work(),
        }
    }
}

/// Whether something may be found in what a function of CuTe's DSL makes.
fn is_looked_at(name: &str) -> bool {
    let makes = ["make_layout_tv", "make_tiled_copy_tv", "make_swizzle", "make_tiled_copy", "make_tiled_mma"];
    cute::makes_layout(name) || cute::computes(name) || makes.contains(&name)
}

/// How many calls of a file may make a layout.
fn layouts(module: &Module) -> usize {
    let makes = |call: &ExprId| match module.expr(*call) {
        Expr::Call(callee, _) => matches!(module.expr(*callee), Expr::Attribute(_, name)
            if cute::makes_layout(name) || name.ends_with("Layout")),
        _ => false,
    };
    module.calls.iter().filter(|(call, _)| makes(call)).count()
}

/// A swizzle that moves nothing: of one call, or of all that are tried.
fn unusual(tried: &[Tried]) -> Option<Swizzle> {
    let swizzle = |one: &Tried| match one.value {
        Ok(Value::Swizzle(swizzle, _)) => Some(swizzle).filter(|swizzle| swizzle.bits() > 0 && !swizzle.is_usual()),
        _ => None,
    };
    let open = |one: &Tried| matches!(&one.value, Err(why) if why.reason == Reason::Dependent);
    let called = tried.iter().filter(|one| one.call).find_map(swizzle);
    let guessed = tried.iter().any(|one| one.guess);
    called.or_else(|| {
        let tried = Some(tried).filter(|_| !guessed)?;
        let all: Option<Vec<Swizzle>> = tried.iter().filter(|one| !open(one)).map(swizzle).collect();
        all.and_then(|all| all.first().copied())
    })
}

/// The tiled copy of an atom and the layouts of threads and values.
fn tiled_copy(arguments: &[Option<Value>], site: Site) -> Option<TiledCopy> {
    let [atom, Some(Value::Layout(threads)), Some(Value::Layout(values))] = arguments else { return None };
    let vector = match atom {
        Some(Value::Atom(vector, element, _)) => Some((*vector, *element)),
        _ => None,
    };
    Some(TiledCopy { site, threads: (**threads).clone(), values: (**values).clone(), vector })
}

/// One element, in place of the threads or the values of a tiled copy that are known at run time only: what is wrong with the others is.
fn with_one(arguments: &mut [Option<Value>], site: Site) -> Option<()> {
    let one = Layout::new(&IntTuple::leaf(1), &IntTuple::leaf(0)).ok()?;
    for argument in arguments.iter_mut().skip(1) {
        if matches!(argument, Some(Value::Unknown(Unresolved { reason: Reason::RunTime, .. }))) {
            *argument = Some(value::derived(&one, site));
        }
    }
    *arguments.first_mut()? = None;
    Some(())
}

/// The layout of a value; nothing for one of coordinates.
fn constant(value: Resolved<Value>, site: Site) -> Resolved<Option<Rc<Constant>>> {
    match value? {
        Value::Layout(layout) => Ok(Some(layout)),
        Value::Composed(composed) => Ok(Some(composed.layout.clone())),
        Value::Identity(_) => Ok(None),
        // The tile and the layout from (thread, value).
        Value::Tuple(items) => match items.all.as_slice() {
            [_, Value::Layout(layout)] => Ok(Some(layout.clone())),
            _ => Err(Unresolved { reason: Reason::Call, site }),
        },
        _ => Err(Unresolved { reason: Reason::Call, site }),
    }
}

/// Whether what is not known may hang on what the code lists several values for.
const fn may_be_listed(value: &Resolved<Value>) -> bool {
    matches!(
        value,
        Err(Unresolved {
            reason: Reason::Ambiguous
                | Reason::Dependent
                | Reason::Unlisted
                | Reason::RunTime
                | Reason::Call
                | Reason::Expression
                | Reason::UnknownName
                | Reason::UnknownMember,
            ..
        })
    )
}

#[cfg(test)]
mod answers;
#[cfg(test)]
mod tests;
