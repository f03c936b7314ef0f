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

/// A branch that threads of a warp may take differently, and which way was taken.
pub(crate) type Guard = (usize, usize);

#[derive(Debug, Clone)]
pub(crate) struct State {
    /// Registers; none is unknown.
    pub registers: Vec<Option<Content>>,
    /// Threads that may be here.
    pub mask: Mask,
    /// Branches that let an unknown part of the mask pass.
    pub split: BTreeSet<Guard>,
    /// Branches that let each warp pass as a whole or not.
    pub whole: BTreeSet<Guard>,
}
