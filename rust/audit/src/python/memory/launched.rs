//! The block of a launch beside the slices that its kernel takes by the number of a thread: `kernel(…).launch(grid=…, block=…)`.

use super::reached::is_kernel;
use super::slices::{Index, Slice};
use super::{Atom, Memory, TiledCopy};
use std::rc::Rc;

use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};
use crate::python::calls::Given;
use crate::python::cute::function;
use crate::python::evaluate::{At, Evaluator, MAX_STEPS, Slot};
use crate::python::later::listed;
use crate::python::tree::{Argument, Expr, ExprId};
use crate::python::value::{Home, Value};
use crate::python::{Listed, may_be_listed};
use crate::survey::{Fact, Started, partitioned};

/// Threads of a tiled copy that are counted.
const MAX_THREADS: u64 = 1 << 12;

/// A launch: the call of the kernel, and the block.
struct Launch<'a> {
    arguments: &'a [Argument],
    /// The call of the kernel.
    call: ExprId,
    block: ExprId,
    kernel: Home,
    /// The class of its object.
    object: Option<Home>,
}

/// What each slice says of a launch, for everything that the code lists.
pub(super) type Said = Vec<Vec<Listed<Option<Fact>>>>;

impl<'a> Evaluator<'a> {
    /// What is known of a launch.
    pub(super) fn launched(&mut self, call: ExprId, at: &At) -> Option<(Site, Said)> {
        let launch = self.launch_of(call, at)?;
        let slices = self.slices(launch.kernel);
        let site = self.site(launch.block, at);
        let mut all = Vec::new();
        for slice in slices {
            let home = At { module: launch.kernel.module, scope: launch.kernel.scope, frame: None };
            let of = self.site(slice.of, &home);
            let fact = |value: &Value| started(value, of);
            self.steps = MAX_STEPS;
            let value = self.started_by(&launch, slice, at, call);
            let said = match value {
                Ok(value) => vec![Listed { one: fact(&value), holds: String::new(), tried: false }],
                Err(why) if may_be_listed(&Err(why)) => {
                    let tried = self.worlds_of(call, at, &mut |own| own.started_by(&launch, slice, at, call));
                    listed(tried, &mut |value| Some(fact(value)))
                }
                Err(_) => Vec::new(),
            };
            if !said.is_empty() {
                all.push(said);
            }
        }
        let block = self.in_worlds(call, at, &mut |own| Value::tuple(own.extents(&launch, at)?, site));
        let block = block.into_iter();
        all.push(block.map(|one| Listed { one: alone(&one.one, site), holds: one.holds, tried: one.tried }).collect());
        Some((site, all))
    }

    /// How many threads the block of a launch has along each of its three directions.
    fn extents(&mut self, launch: &Launch<'a>, at: &At) -> Resolved<Vec<Value>> {
        let site = self.site(launch.block, at);
        let wrong = Unresolved { reason: Reason::Call, site };
        let block = match self.expr(launch.block, at, 1)? {
            Value::Tuple(items) if (1..=3).contains(&items.all.len()) => items.all.clone(),
            Value::Tuple(_) => return Err(wrong),
            one => vec![one],
        };
        let mut extents = Vec::new();
        for extent in block {
            let whole = match extent {
                Value::Machine(number, ..) => number,
                other => other.as_number(site)?,
            };
            extents.push(Value::number(whole, site));
        }
        extents.resize(3, Value::number(1, site));
        Ok(extents)
    }

    fn launch_of(&mut self, call: ExprId, at: &At) -> Option<Launch<'a>> {
        let module = self.module(at.module)?;
        let Expr::Call(callee, settings) = module.expr(call) else { return None };
        let Expr::Attribute(of, _) = module.expr(*callee) else { return None };
        // `k = kernel(…)` and `k.launch(…)`
        let (of, here) = self.made_at(*of, at)?;
        let Expr::Call(kernel, arguments) = module.expr(of) else { return None };
        if here.scope != at.scope {
            return None;
        }
        let block = match settings.iter().find(|one| one.name.as_deref() == Some("block")) {
            Some(block) => block.value,
            None => self.unpacked_block(settings, at)?,
        };
        let Ok(Value::Function(home, object)) = self.ask(*kernel, at) else { return None };
        let launch = Launch { arguments, call: of, block, kernel: home, object };
        (is_kernel(self, home) && !self.is_never_run(call, at)).then_some(launch)
    }

    /// The block in a dictionary that a launch unpacks, which is only read.
    fn unpacked_block(&mut self, settings: &[Argument], at: &At) -> Option<ExprId> {
        let mut all = settings.iter().filter(|one| one.name.as_deref() == Some("**"));
        let (Some(one), None) = (all.next(), all.next()) else { return None };
        let (made, here) = self.made_at(one.value, at).filter(|(_, here)| here.scope == at.scope)?;
        let module = self.module(at.module)?;
        let site = self.site(made, &here);
        if self.may_change(one.value, at, site) {
            return None;
        }
        let pairs = match module.expr(made) {
            Expr::Dict(pairs) => pairs,
            // `dict(grid=…, block=…)`
            Expr::Call(callee, arguments) if matches!(module.expr(*callee), Expr::Name(name) if &**name == "dict") => {
                let plain = arguments.iter().all(|one| one.name.as_deref().is_some_and(|name| name != "**"));
                let block = arguments.iter().find(|one| one.name.as_deref() == Some("block"));
                return block.filter(|_| plain && self.bindings("dict", at).is_none()).map(|one| one.value);
            }
            _ => return None,
        };
        let is = |key: ExprId| matches!(module.expr(key), Expr::Text(name) if &**name == "block");
        let mut found = pairs.iter().filter(|(key, _)| is(*key));
        let (Some((_, block)), None) = (found.next(), found.next()) else { return None };
        Some(*block)
    }

    /// The block, the threads that the slice is for, and whether anything may hold others back: a tuple; `None` where that slice may not
    /// be taken.
    fn started_by(&mut self, launch: &Launch<'a>, slice: Slice, at: &At, call: ExprId) -> Resolved<Value> {
        let site = self.site(call, at);
        let wrong = |reason| Unresolved { reason, site };
        let mut extents = self.extents(launch, at)?;
        let cuts = self.cuts;
        let mut given = Given::default();
        let own = self.site(launch.call, at);
        self.give(launch.arguments, at, (own, false), &mut given, 1)?;
        let named = given.named.iter().map(|(name, value)| (&**name, Slot::Known(value.clone())));
        let named: Vec<(&str, Slot)> = named.collect();
        let placed = given.placed.into_iter().map(Slot::Known).collect();
        let within = (own, at.key(), cuts);
        let inside = self.entered(launch.kernel, launch.object, placed, &named, within)?;
        let of = match self.expr(slice.of, &inside, 1) {
            // Its values hang on the type of what a host passes: its threads do not.
            Err(why) if self.trying() && why.reason == Reason::RunTime => {
                self.threads_alone(slice.of, &inside).ok_or(why)?
            }
            of => of?,
        };
        // Threads beyond those get a part of the tile again, but for those of a tiled copy that is none of an MMA.
        let (threads, wraps) = match &of {
            Value::Memory(memory) => match &**memory {
                Memory::Copy(copy) => (copy.threads(), copy.wraps()),
                _ => return Err(wrong(Reason::Call)),
            },
            Value::Mma(mma) => (mma.threads_of_all(site)?, true),
            Value::Layout(_) => (partitioned(&of.core(site)?), true),
            Value::Unknown(why) => return Err(*why),
            _ => return Err(wrong(Reason::Call)),
        };
        let place = self.site(slice.call, &inside).span;
        if !self.surely_runs(place, &inside, false) || !self.runs_there(slice) {
            return Ok(Value::None);
        }
        // Rows of threads that are numbered through are one row.
        let rows = matches!(slice.index, Index::Rows(_));
        if let Index::Rows(by) = slice.index {
            let [x, y, _] = extents.as_slice() else { return Err(wrong(Reason::Call)) };
            let (x, y) = (x.as_number(site)?, y.as_number(site)?);
            if let Some(by) = by
                && self.expr(by, &inside, 1)?.as_number(site)? != x
            {
                return Ok(Value::None);
            }
            let all = x.checked_mul(y).ok_or(wrong(Reason::Overflow))?;
            extents = vec![Value::number(all, site), Value::number(1, site), extents.swap_remove(2)];
        }
        let mut started = 1_i128;
        for extent in &extents {
            started = started.saturating_mul(extent.as_number(site)?);
        }
        if started < i128::from(threads) && self.is_copied_by_some(slice.of, launch.kernel) {
            return Ok(Value::None);
        }
        let all = !wraps && self.holds_nobody_back(launch.kernel, &inside);
        extents.push(Value::number(i128::from(threads), site));
        extents.push(Value::Bool(all));
        extents.push(Value::Bool(rows));
        Value::tuple(extents, site)
    }

    /// The tiled copy of threads that are known and values that are not, of which nothing else is said.
    fn threads_alone(&mut self, of: ExprId, at: &At) -> Option<Value> {
        let (made, here) = self.made_at(of, at)?;
        let Expr::Call(callee, _) = self.module(here.module)?.expr(made) else { return None };
        if self.of_library(*callee, &here).is_none_or(|path| function(&path) != Some("make_tiled_copy_tv")) {
            return None;
        }
        let all = self.placed(made, &here, &["atom", "thr_layout", "val_layout"])?;
        let [_, Some(threads @ Value::Layout(_)), Some(Value::Unknown(why))] = all.as_slice() else { return None };
        let layout = threads.core(self.site(made, &here)).ok().filter(|_| why.reason == Reason::RunTime)?;
        let threads = layout.size();
        if threads > MAX_THREADS {
            return None;
        }
        let mut all: Vec<u64> = layout.offsets().collect();
        all.sort_unstable();
        let counted = all.into_iter().eq(0..threads);
        counted.then(|| Memory::Copy(Rc::new(TiledCopy { atom: Atom::Unknown(*why), tiled: None, threads })).value())
    }

    /// Whether a function that the kernel calls surely takes the slice.
    fn runs_there(&mut self, slice: Slice) -> bool {
        let Some((home, call)) = slice.inside else { return true };
        let at = At { module: home.module, scope: home.scope, frame: None };
        let place = self.site(call, &at).span;
        self.surely_runs(place, &at, false)
    }
}

/// What is asked of a block by itself, whatever is sliced.
fn alone(value: &Value, at: Site) -> Option<Fact> {
    let Value::Tuple(items) = value else { return None };
    let [x, y, z] = items.all.as_slice() else { return None };
    let number = |value: &Value| u64::try_from(value.as_number(at).ok()?).ok().filter(|count| *count > 0);
    let block = [number(x)?, number(y)?, number(z)?];
    let [threads, ..] = block;
    Some(Fact::Started(Started { block, threads, bound: false, all: false, rows: false, at }))
}

/// What is asked of a launch.
fn started(value: &Value, at: Site) -> Option<Fact> {
    let Value::Tuple(items) = value else { return None };
    let [x, y, z, threads, all, rows] = items.all.as_slice() else { return None };
    let number = |value: &Value| u64::try_from(value.as_number(at).ok()?).ok().filter(|count| *count > 0);
    let block = [number(x)?, number(y)?, number(z)?];
    let (threads, all, rows) = (number(threads)?, all.truth()?, rows.truth()?);
    Some(Fact::Started(Started { block, threads, bound: false, all, rows, at }))
}
