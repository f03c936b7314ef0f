//! What holds when control reaches a place.

use crate::domain::{Mask, Pred, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a register has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    Value(Rc<Value>),
    Pred(Rc<Pred>),
}

/// A branch, which way was taken, and where in the unrolled loops.
pub(crate) type Guard = (usize, usize, u32);

#[derive(Debug, Clone)]
pub(crate) struct State {
    /// Registers; none is unknown.
    pub registers: Vec<Option<Content>>,
    /// Threads that may be here.
    pub mask: Mask,
    /// Branches that threads of one warp take or may take differently and that have not reconverged.
    pub apart: BTreeSet<Guard>,
    /// Branches that let an unknown part of the mask pass.
    pub split: BTreeSet<Guard>,
    /// Branches that let each warp pass as a whole or not.
    pub whole: BTreeSet<Guard>,
}

impl State {
    /// Forgets the branches whose threads reconverge at this block.
    pub fn reconverge(&mut self, block: usize, after: &[Option<usize>]) {
        let stays = |guard: &Guard| after.get(guard.0).copied().flatten() != Some(block);
        self.apart.retain(stays);
        self.split.retain(stays);
        self.whole.retain(stays);
    }

    /// Whether threads of one warp execute this place in several pieces: both ways of a branch lead here before they reconverge.
    pub fn in_pieces(&self) -> bool {
        let branches: BTreeSet<(usize, u32)> = self.apart.iter().map(|guard| (guard.0, guard.2)).collect();
        branches.len() < self.apart.len()
    }
}
