//! What a function returns from within a loop: `for limit, threads in [(64, 8), (128, 16)]: if n <= limit: return threads`.
//!
//! The rounds are gone through one by one as far as it is known what the loop goes through. What a round may leave to the next is not
//! followed: nothing is known of a loop that binds names under a branch, changes them, or has a `break` or a `continue`.

use std::rc::Rc;

use super::evaluate::{At, Evaluator, Frame, known};
use super::tree::{Bound, Fork, Function, Module, PathId, ScopeId};
use super::value::{Home, Value};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Rounds of a loop.
const MAX_ROUNDS: usize = 64;

/// Names of a function that are looked at.
const MAX_NAMES: usize = 256;

/// The loop that a statement stands in, where it is one that is gone through; an error where it stands in anything else but an `if`.
pub(super) fn loop_around(module: &Module, path: PathId) -> Result<Option<u32>, ()> {
    let mut found = None;
    for step in module.steps(path) {
        match module.branch(step.branch).map(|branch| (branch.fork, branch.of)) {
            Some((Fork::If, _)) => {}
            Some((Fork::Loop, Some(_))) if found.is_none() && step.arm == 0 => found = Some(step.branch),
            _ => return Err(()),
        }
    }
    Ok(found)
}

impl<'a> Evaluator<'a> {
    /// What a loop of a function returns; nothing where it comes to its end.
    pub(super) fn rounds(
        &mut self,
        (home, function): (Home, &'a Function),
        id: u32,
        at: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<Option<Value>> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let module = self.module(home.module).ok_or(unknown)?;
        let branch = module.branch(id).ok_or(unknown)?;
        let of = branch.of.filter(|_| is_apart(module, home.scope, id)).ok_or(unknown)?;
        // In a kernel it is the program that counts.
        if self.counts(home, of) && self.decorated(home.module, &function.decorators, &["jit", "kernel", "dsl_user_op"])
        {
            return Err(unknown);
        }
        if !self.returns(branch.path, None, at, site, depth)? {
            return Ok(None);
        }
        let cuts = self.cuts;
        let Value::Tuple(items) = self.sequence(of, at, depth + 1)? else { return Err(unknown) };
        if items.all.len() > MAX_ROUNDS {
            return Err(unknown);
        }
        let hangs = self.hangs(cuts);
        for (round, item) in items.all.iter().enumerate() {
            let frame = Frame::turn(home, (id, round), (item.clone(), hangs), at.frame.clone());
            let inside = At { frame: Some(Rc::new(frame)), ..at.clone() };
            for one in function.returns.iter().filter(|one| loop_around(module, one.path) == Ok(Some(id))) {
                if self.returns(one.path, Some(id), &inside, site, depth)? {
                    let value = one.value.map_or(Ok(Value::None), |value| self.expr(value, &inside, depth + 1));
                    return known(Some(value?), site).map(Some);
                }
            }
        }
        Ok(None)
    }
}

/// Whether each round of a loop is as if it were the only one.
fn is_apart(module: &Module, scope: ScopeId, id: u32) -> bool {
    let Some((branch, all)) = module.branch(id).zip(module.scope(scope).map(|scope| &scope.names)) else {
        return false;
    };
    let plain = |bound: &Bound| matches!(bound, Bound::Value(..) | Bound::Part(..) | Bound::Each(..));
    let mut bound = all.values().flatten().filter(|one| branch.span.contains(one.span));
    let own = |path: PathId| module.steps(path).next().is_some_and(|step| step.branch == id);
    branch.scope == scope
        && !branch.leaves.breaks
        && !branch.leaves.skips
        && all.len() <= MAX_NAMES
        && bound.all(|one| plain(&one.bound) && own(one.path))
}
