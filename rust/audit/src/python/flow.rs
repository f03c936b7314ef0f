//! Which of several bindings reaches a place, and what a function returns: arms of branches, in the order of the text.

use std::rc::Rc;

use super::evaluate::{At, Evaluator, Frame};
use super::tree::{Binding, Branch, Expr, ExprId, Fork, Module, PathId};
use super::value::{Home, Value};
use super::world::Point;
use crate::ast::{Site, Span};
use crate::eval::{Reason, Resolved, Unresolved};

/// Where a use stands in the scope of what it uses.
#[derive(Debug, Clone, Copy)]
pub enum Use {
    /// At this place.
    At(u32),
    /// In a function that may be called at any time, and begins at this place.
    Later(u32),
}

impl Use {
    /// The place from which it is seen which loops are over: a function that one of them makes is called there.
    pub const fn place(self) -> u32 {
        match self {
            Self::At(place) | Self::Later(place) => place,
        }
    }
}

pub(super) fn within(span: Span, at: u32) -> bool {
    span.start <= at && at < span.end
}

impl<'a> Evaluator<'a> {
    /// Which arm of a branch runs, seen from a place behind it; the number behind the last where none does.
    pub(super) fn arm(&mut self, module: usize, id: u32, at: &At, site: Site, depth: usize) -> Resolved<usize> {
        let wrong = |reason| Unresolved { reason, site };
        let Some(branch) = self.module(module).and_then(|module| module.branch(id)) else {
            return Err(wrong(Reason::Ambiguous));
        };
        let key = at.key();
        let first = match branch.fork {
            Fork::Loop | Fork::Rest => {
                let inside = At { module, scope: branch.scope, frame: at.frame.clone() };
                let runs = self.runs(branch, &inside, depth).ok_or(wrong(Reason::RunTime))?;
                return Ok(usize::from(!runs));
            }
            Fork::Other => 0,
            Fork::If => {
                let inside = At { module, scope: branch.scope, frame: at.frame.clone() };
                match self.known_arm(branch, (module, id, key), &inside, depth) {
                    Ok(arm) => return Ok(arm),
                    Err(first) => first,
                }
            }
        };
        // An arm after which nothing follows is none that was taken.
        let has_else = branch.fork == Fork::Other || branch.arms.last().is_some_and(|arm| arm.test.is_none());
        let open: Vec<usize> = (first..branch.arms.len() + usize::from(!has_else))
            .filter(|arm| !branch.arms.get(*arm).is_some_and(|arm| arm.ends))
            .collect();
        match open.as_slice() {
            [one] if self.trying() => Ok(*one),
            _ => {
                let point = Point::Arm(module, id, key);
                let chosen = self.choose(point, open.len()).and_then(|chosen| open.get(chosen).copied());
                let arm = chosen.ok_or(wrong(Reason::Ambiguous))?;
                self.took(branch, arm, &point, &At { module, scope: branch.scope, frame: at.frame.clone() });
                Ok(arm)
            }
        }
    }

    /// Whether all of a loop runs, at least once; false where it goes through nothing.
    fn runs(&mut self, branch: &'a Branch, at: &At, depth: usize) -> Option<bool> {
        // What is written out or has a name: most loops of kernels count what is known at run time.
        let plain =
            |of: &ExprId| matches!(self.module(at.module)?.expr(*of), Expr::Tuple(..) | Expr::Name(_)).then_some(());
        let of = branch.of.filter(|of| plain(of).is_some())?;
        let key = (at.module, of, at.key());
        let free = at.is_free() && !self.trying();
        if free && let Some(known) = self.looped.get(&key) {
            return *known;
        }
        let runs = match self.expr(of, at, depth + 1) {
            Ok(Value::Tuple(items)) if items.all.is_empty() => Some(false),
            Ok(Value::Tuple(_)) if !branch.leaves.breaks && !branch.leaves.skips => Some(true),
            _ => None,
        };
        if free {
            self.looped.insert(key, runs);
        }
        runs
    }

    /// Where what one binding says is asked for from a place: behind some loops, they are over.
    pub(super) fn behind(&self, home: Home, one: &Binding, place: u32, inside: &At) -> At {
        let mut at = inside.clone();
        let Some(module) = self.module(home.module) else { return at };
        // Loops that it does not stand in say nothing here.
        while let Some(frame) = at.frame.as_ref().filter(|frame| frame.over.is_some() && frame.home == home) {
            let outer = frame.outer.clone();
            at.frame = outer;
        }
        let is_over = |id: &u32| {
            let loops = module.branch(*id).filter(|one| one.fork.loops());
            let over = |one: &Branch| !within(one.span, place) || inside.is_over(home.module, *id);
            loops.is_some_and(|one| over(one) || inside.turn(home.module, *id).is_some())
        };
        let mut over: Vec<u32> = module.steps(one.path).map(|step| step.branch).filter(is_over).collect();
        // The outermost first.
        over.reverse();
        for id in over {
            let turn =
                inside.turn(home.module, id).filter(|_| module.branch(id).is_some_and(|one| within(one.span, place)));
            at.frame = Some(Rc::new(match turn {
                Some(turn) => turn.again(at.frame),
                None => Frame::over(home, id, at.frame),
            }));
        }
        at
    }

    /// An arm was chosen: its test holds, and those before it do not.
    fn took(&mut self, branch: &'a Branch, arm: usize, point: &Point<'a>, at: &At) {
        for (index, test) in
            branch.arms.iter().enumerate().take(arm + 1).filter_map(|(index, arm)| Some((index, arm.test?)))
        {
            self.chosen_to(test, index == arm, at, point);
        }
    }

    /// As [`Self::certain_arm`], which is asked once in a world.
    fn known_arm(&mut self, branch: &'a Branch, key: (usize, u32, u64), at: &At, depth: usize) -> Result<usize, usize> {
        if let Some(known) = self.world.as_mut().and_then(|world| world.arm(&key)) {
            return known;
        }
        let (asked, cuts) = (self.world.as_ref().map(|world| world.asked), self.cuts);
        self.begin();
        let arm = self.certain_arm(branch, at, depth);
        let loose = cuts != self.cuts;
        if let Some((world, trace)) = self.end() {
            let here = asked != Some(world.asked);
            world.keep_arm(key, (arm, here), trace, loose);
        }
        arm
    }

    /// Whether a test holds; nothing where that is not known.
    pub(super) fn truth_of(&mut self, test: ExprId, at: &At, depth: usize) -> Option<bool> {
        let key = (at.module, test);
        let free = at.frame.is_none() && self.trying();
        if free && let Some(known) = self.settled.get(&key) {
            return *known;
        }
        let certain = at.frame.is_none() && !self.trying();
        if certain && let Some(known) = self.certain.get(&key) {
            return *known;
        }
        let (asked, cuts) = (self.world.as_ref().map(|world| world.asked), self.cuts);
        let value = self.expr(test, at, depth + 1);
        let open = matches!(&value, Err(why) if matches!(why.reason, Reason::TooDeep | Reason::Work));
        let truth = value.ok().and_then(|value| value.truth()).or_else(|| self.implied(test, at));
        // What nothing was chosen for is the same in every world.
        if free && !open && cuts == self.cuts && asked == self.world.as_ref().map(|world| world.asked) {
            self.settled.insert(key, truth);
        }
        // A question of its own is asked once.
        if certain && (depth == 0 || !open && cuts == self.cuts) {
            self.certain.insert(key, truth);
        }
        truth
    }

    /// The arm that runs, where the tests are known; or else the first that may.
    pub(super) fn certain_arm(&mut self, branch: &'a Branch, at: &At, depth: usize) -> Result<usize, usize> {
        for (index, arm) in branch.arms.iter().enumerate() {
            let Some(test) = arm.test else { return Ok(index) };
            match self.truth_of(test, at, depth) {
                Some(true) => return Ok(index),
                Some(false) => {}
                None => return Err(index),
            }
        }
        Ok(branch.arms.len())
    }

    /// Whether what stands under some branches has run where a place is reached that stands behind it.
    pub(super) fn reaches(&mut self, path: PathId, place: u32, at: &At, site: Site, depth: usize) -> Resolved<bool> {
        let Some(module) = self.module(at.module) else { return Ok(false) };
        // The outermost first: what an inner one asks may make sense only there.
        let mut steps: Vec<_> = module.steps(path).collect();
        steps.reverse();
        let mut at = at.clone();
        for step in steps {
            let Some(branch) = module.branch(step.branch) else { return Ok(false) };
            let arm = if within(branch.span, place) {
                if branch.fork.loops() {
                    continue;
                }
                match branch.arms.iter().position(|arm| within(arm.span, place)) {
                    Some(arm) if branch.fork == Fork::Other && arm != step.arm as usize => {
                        return Err(Unresolved { reason: Reason::Ambiguous, site });
                    }
                    Some(arm) => arm,
                    None => return Ok(false),
                }
            } else {
                self.arm(at.module, step.branch, &at, site, depth)?
            };
            if arm != step.arm as usize {
                return Ok(false);
            }
            // Behind a loop, what a test in it came to in some round is not known.
            if branch.fork.loops() {
                let home = Home { module: at.module, scope: branch.scope };
                at.frame = Some(Rc::new(Frame::over(home, step.branch, at.frame)));
            }
        }
        Ok(true)
    }

    /// Whether a `return` under some branches is the one that runs, where none before it was; of those within a loop, where there is one.
    pub(super) fn returns(
        &mut self,
        path: PathId,
        within: Option<u32>,
        at: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<bool> {
        let Some(module) = self.module(at.module) else { return Ok(false) };
        let mut steps: Vec<_> = module.steps(path).take_while(|step| Some(step.branch) != within).collect();
        steps.reverse();
        for step in steps {
            let wrong = Unresolved { reason: Reason::Ambiguous, site };
            let Some(branch) = module.branch(step.branch) else { return Ok(false) };
            let arm = match self.known_arm(branch, (at.module, step.branch, at.key()), at, depth) {
                Ok(arm) => arm,
                Err(first) => {
                    let has_else = branch.arms.last().is_some_and(|arm| arm.test.is_none());
                    let open = branch.arms.len() + usize::from(!has_else) - first;
                    let point = Point::Arm(at.module, step.branch, at.key());
                    let arm = first + self.choose(point, open).ok_or(wrong)?;
                    self.took(branch, arm, &point, &At { scope: branch.scope, ..at.clone() });
                    arm
                }
            };
            if arm != step.arm as usize {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Which of several bindings of a name holds at a place.
    pub(super) fn reaching(
        &mut self,
        bindings: &[&'a Binding],
        place: u32,
        at: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<&'a Binding> {
        let wrong = |reason| Unresolved { reason, site };
        let Some(module) = self.module(at.module) else { return Err(wrong(Reason::UnknownName)) };
        for binding in bindings.iter().rev().filter(|binding| binding.from <= place) {
            if !self.reaches(binding.path, place, at, site, depth)? {
                continue;
            }
            // What comes later in a loop around both has run before, from the second round on.
            let again = |later: &&&Binding| {
                later.from > place
                    && loops(module, later.path).any(|span| within(span, place) && !covers(span, binding.span))
            };
            if bindings.iter().any(|later| again(&later)) {
                return Err(wrong(Reason::RunTime));
            }
            return Ok(binding);
        }
        Err(wrong(Reason::Ambiguous))
    }
}

fn covers(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn loops(module: &Module, path: PathId) -> impl Iterator<Item = Span> + '_ {
    module
        .steps(path)
        .filter_map(|step| module.branch(step.branch))
        .filter(|branch| branch.fork.loops())
        .map(|branch| branch.span)
}
