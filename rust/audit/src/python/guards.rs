//! Guards: statements before a place after which it is not reached. A test whose arm leaves, an assertion, a call of a function of the files that
//! raises; in whatever stands before: in each arm of a test that is not known, in a `try`, in a loop that is left for good.

use std::rc::Rc;

use foldhash::{HashMap, HashSet, HashSetExt as _};

use super::evaluate::{At, Evaluator, Slot};
use super::flow::within;
use super::tree::{Arm, Branch, Expr, ExprId, Fork, Kind, Module, PathId, ScopeId};
use super::value::Value;
use crate::ast::Span;

/// How deep guards are looked for: in branches, and in functions that a guard calls.
const MAX_DEPTH: usize = 8;
const MAX_CALLS: usize = 3;

/// Guards of one place that are looked at.
const MAX_GUARDS: usize = 256;

/// What may leave.
#[derive(Debug, Clone, Copy)]
enum What {
    /// A statement with arms.
    Branch(u32),
    /// An assertion.
    Assert(ExprId),
    /// A call of a function of the files that may raise.
    Check(ExprId),
}

/// Something that may leave, and where it stands.
#[derive(Debug, Clone, Copy)]
struct Guard {
    what: What,
    at: u32,
    end: u32,
    path: PathId,
}

/// How a statement is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The function returns.
    Returns,
    /// Something is raised, or the program ends.
    Raises,
    /// A round of a loop ends, or the loop.
    Skips,
    Breaks,
}

/// The guards of a file.
#[derive(Debug, Default)]
pub struct Guards {
    /// By the scope that they stand in.
    scopes: HashMap<ScopeId, Vec<Guard>>,
    /// By the arm of a branch in which they stand, under nothing else.
    arms: HashMap<(u32, u32), Vec<Guard>>,
    /// The `if`s of each scope.
    tests: HashMap<ScopeId, Vec<u32>>,
    /// The `else`s of loops in each scope, and the loops.
    rests: HashMap<ScopeId, Vec<(Span, u32)>>,
}

/// For what a guard is looked at.
#[derive(Clone, Copy)]
struct Asked<'g> {
    /// The guards of the file.
    all: &'g Guards,
    /// The place that may not be reached.
    place: u32,
    /// How many branches are around the guard, and how many calls lead to it.
    depth: usize,
    calls: usize,
}

fn guards(module: &Module) -> Guards {
    let mut leaving: HashSet<u32> = HashSet::new();
    let mut all: Vec<(ScopeId, Guard)> = Vec::new();
    for (scope, id) in module.scopes.iter().zip(0..) {
        let Kind::Function(function) = &scope.kind else { continue };
        for (said, asserts) in [(&function.asserts, true), (&function.checks, false)] {
            for one in said {
                let Some(value) = one.value else { continue };
                let what = if asserts { What::Assert(value) } else { What::Check(value) };
                leaving.extend(module.steps(one.path).map(|step| step.branch));
                all.push((ScopeId(id), Guard { what, at: one.at, end: module.span(value).end, path: one.path }));
            }
        }
    }
    for (branch, id) in module.branches.iter().zip(0_u32..) {
        if branch.arms.iter().any(|arm| arm.ends) {
            leaving.extend(module.steps(branch.path).map(|step| step.branch).chain([id]));
        }
    }
    for (branch, id) in module.branches.iter().zip(0_u32..) {
        if leaving.contains(&id) {
            let (at, end) = (branch.span.start, branch.span.end);
            all.push((branch.scope, Guard { what: What::Branch(id), at, end, path: branch.path }));
        }
    }
    // As they stand in the text.
    all.sort_by_key(|(_, guard)| guard.at);
    let mut found = Guards::default();
    let mut loops: HashMap<ScopeId, Vec<u32>> = HashMap::default();
    for (branch, id) in module.branches.iter().zip(0_u32..) {
        match branch.fork {
            Fork::If => found.tests.entry(branch.scope).or_default().push(id),
            Fork::Loop if branch.leaves.breaks => loops.entry(branch.scope).or_default().push(id),
            Fork::Rest => {
                let of = |id: &&u32| {
                    let before = module.branch(**id);
                    before.is_some_and(|one| one.path == branch.path && one.span.end <= branch.span.start)
                };
                let before = loops.get(&branch.scope).and_then(|all| all.iter().rev().find(of));
                found.rests.entry(branch.scope).or_default().extend(before.map(|before| (branch.span, *before)));
            }
            _ => {}
        }
    }
    for (scope, guard) in all {
        if let Some(step) = module.steps(guard.path).next() {
            found.arms.entry((step.branch, step.arm)).or_default().push(guard);
        }
        found.scopes.entry(scope).or_default().push(guard);
    }
    found
}

/// Whether all branches of a path are around a place.
fn is_around(module: &Module, path: PathId, place: u32) -> bool {
    module.steps(path).all(|step| {
        module.branch(step.branch).is_some_and(|branch| {
            within(branch.span, place)
                && (branch.fork == Fork::Loop
                    || branch.arms.get(step.arm as usize).is_some_and(|arm| within(arm.span, place)))
        })
    })
}

impl<'a> Evaluator<'a> {
    fn guards(&mut self, index: usize) -> Rc<Guards> {
        if let Some(known) = self.guards.get(&index) {
            return known.clone();
        }
        let found = Rc::new(self.module(index).map(guards).unwrap_or_default());
        self.guards.insert(index, found.clone());
        found
    }

    /// Whether what is known of a place says that it is never reached: the tests around it, guards and assertions before it.
    pub(super) fn is_dead(&mut self, scope: ScopeId, place: u32, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let inside = At { module: at.module, scope, frame: at.frame.clone() };
        self.work = self.work.saturating_add(module.branches.len() / 64);
        let all = self.guards(at.module);
        let tests = all.tests.get(&scope).into_iter().flatten().filter_map(|id| module.branch(*id));
        let tests = tests.filter(|branch| within(branch.span, place) && is_around(module, branch.path, place));
        for branch in tests {
            let Some(here) = branch.arms.iter().position(|arm| within(arm.span, place)) else { continue };
            let other = match self.certain_arm(branch, &inside, 0) {
                Ok(arm) => arm != here,
                Err(first) => first > here,
            };
            if other {
                return true;
            }
        }
        let asked = Asked { all: &all, place, depth: 0, calls: 0 };
        let own = all.scopes.get(&scope).map_or(&[][..], Vec::as_slice);
        let before = own.iter().filter(|guard| guard.at < place && guard.end <= place);
        let mut before = before.filter(|guard| is_around(module, guard.path, place)).take(MAX_GUARDS);
        if before.any(|guard| self.way(guard, &inside, asked).is_some()) {
            return true;
        }
        // What stands in the `else` of a loop is not reached where that was left by a `break`.
        let rests = all.rests.get(&scope).into_iter().flatten().filter(|(rest, _)| within(*rest, place));
        let mut loops = rests.map(|(_, id)| *id).take(MAX_DEPTH);
        loops.any(|id| {
            let of = all.arms.get(&(id, 0)).map_or(&[][..], Vec::as_slice);
            let asked = Asked { depth: 1, ..asked };
            of.iter().take(MAX_GUARDS).any(|guard| self.way(guard, &inside, asked).is_some_and(|way| way != Way::Skips))
        })
    }

    /// Whether a function that is called so surely raises: in what it asserts, guards, or calls for that.
    // Recursion: from call to call, to a fixed depth.
    pub(super) fn raises_in(&mut self, at: &At, calls: usize) -> bool {
        let Some(module) = self.module(at.module).filter(|_| calls <= MAX_CALLS) else { return false };
        let all = self.guards(at.module);
        let own = all.scopes.get(&at.scope).map_or(&[][..], Vec::as_slice);
        let mut own = own.iter().filter(|guard| guard.path == PathId(0)).take(MAX_GUARDS);
        let place = module.scope(at.scope).map_or(u32::MAX, |scope| scope.span.end);
        let asked = Asked { all: &all, place, depth: 0, calls };
        own.find_map(|guard| self.way(guard, at, asked)) == Some(Way::Raises)
    }

    /// How something before a place surely leaves.
    // Recursion: into the arms of branches and into functions, to a fixed depth.
    fn way(&mut self, guard: &Guard, at: &At, asked: Asked<'_>) -> Option<Way> {
        let module = self.module(at.module).filter(|_| asked.depth < MAX_DEPTH)?;
        let id = match guard.what {
            What::Assert(test) => return (self.truth_of(test, at, 0) == Some(false)).then_some(Way::Raises),
            What::Check(call) => {
                let inner = (asked.calls < MAX_CALLS).then(|| self.called_at(call, at))??;
                return self.raises_in(&inner, asked.calls + 1).then_some(Way::Raises);
            }
            What::Branch(id) => id,
        };
        let branch = module.branch(id)?;
        match branch.fork {
            Fork::If => match self.certain_arm(branch, at, 0) {
                Ok(arm) => self.way_of_arm((id, branch), arm, at, asked),
                Err(first) => {
                    // Whichever arm runs.
                    let closed = branch.arms.last().is_some_and(|last| last.test.is_none());
                    let mut way = None;
                    for arm in (first..branch.arms.len()).take_while(|_| closed) {
                        let own = self.way_of_arm((id, branch), arm, at, asked)?;
                        // The one that says least.
                        way = Some(if way.is_none_or(|before| before == own) { own } else { Way::Returns });
                    }
                    way
                }
            },
            // A round of it is left, which says nothing of what follows the loop.
            Fork::Loop | Fork::Rest => {
                self.way_in((id, 0), at, asked).filter(|way| !matches!(way, Way::Skips | Way::Breaks))
            }
            Fork::Other => {
                let tries = self.text_at(at.module, branch.span).is_some_and(|text| text.starts_with("try"));
                let handled = branch.arms.iter().skip(1).all(|arm| arm.ends);
                let way = self.way_in((id, 0), at, asked).filter(|_| tries)?;
                (handled || way != Way::Raises).then_some(way)
            }
        }
    }

    /// How an arm of a branch leaves.
    fn way_of_arm(&mut self, (id, branch): (u32, &'a Branch), arm: usize, at: &At, asked: Asked<'_>) -> Option<Way> {
        let one = branch.arms.get(arm)?;
        if one.ends {
            let way = self.ends_by(at.module, one);
            let module = self.module(at.module)?;
            // `with suppress(…): if …: raise`
            let swallows = |block: &Span| block.contains(branch.span) && !within(*block, asked.place);
            return (way != Way::Raises || !module.raises.iter().any(swallows)).then_some(way);
        }
        self.way_in((id, u32::try_from(arm).ok()?), at, asked)
    }

    fn way_in(&mut self, arm: (u32, u32), at: &At, asked: Asked<'_>) -> Option<Way> {
        let own = asked.all.arms.get(&arm)?;
        let inner = Asked { depth: asked.depth + 1, ..asked };
        own.iter().take(MAX_GUARDS).find_map(|guard| self.way(guard, at, inner))
    }

    fn text_at(&self, index: usize, span: Span) -> Option<&'a str> {
        let module = self.module(index)?;
        self.files.sources.get(module.file)?.text.get(span.range())
    }

    /// How an arm leaves after which nothing follows.
    fn ends_by(&self, index: usize, arm: &Arm) -> Way {
        let text = self.text_at(index, arm.span).unwrap_or_default();
        if text.contains("return") {
            Way::Returns
        } else if text.contains("break") {
            Way::Breaks
        } else if text.contains("continue") {
            Way::Skips
        } else {
            Way::Raises
        }
    }

    /// Where the statements of a function of the files stand that a call calls.
    fn called_at(&mut self, call: ExprId, at: &At) -> Option<At> {
        let Expr::Call(callee, arguments) = self.module(at.module)?.expr(call) else { return None };
        let (site, cuts) = (self.site(call, at), self.cuts);
        let Ok(Value::Function(home, object)) = self.expr(*callee, at, 1) else { return None };
        let (mut placed, mut named) = (Vec::new(), Vec::new());
        for argument in arguments {
            let slot = Slot::Later(argument.value, at.clone());
            match argument.name.as_deref() {
                None => placed.push(slot),
                Some("*" | "**") => return None,
                Some(name) => named.push((name, slot)),
            }
        }
        self.entered(home, object, placed, &named, (site, at.key(), cuts)).ok()
    }
}

/// Tests that name what a guard refuses, as far as that is known: an arm of them raises, or may. What they compare with is no value that
/// anything is made with.
pub(super) fn refused_tests(module: &Module, text: &str) -> HashSet<ExprId> {
    let mut found = HashSet::new();
    for arm in module.branches.iter().filter(|branch| branch.fork == Fork::If).flat_map(|branch| &branch.arms) {
        let words = || text.get(arm.span.range()).unwrap_or_default();
        let leaves = arm.ends && !["return", "break", "continue"].iter().any(|word| words().contains(word));
        let mut next: Vec<ExprId> = arm.test.filter(|_| arm.may || leaves).into_iter().collect();
        let mut looked = 0;
        while let Some(test) = next.pop().filter(|_| looked < MAX_GUARDS) {
            looked += 1;
            match module.expr(test) {
                Expr::Binary(super::tree::Op::Both | super::tree::Op::Either, left, right) => {
                    next.extend([*left, *right]);
                }
                Expr::Call(_, arguments) => next.extend(arguments.iter().map(|one| one.value)),
                Expr::Binary(..) | Expr::Within(..) => {
                    found.insert(test);
                }
                _ => {}
            }
        }
    }
    found
}
