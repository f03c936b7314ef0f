//! Where an expression stands, and what the function around it was called with.

use std::rc::Rc;

use super::noted::{Choices, Filter};
use super::tree::{ExprId, MODULE, ScopeId};
use super::value::{Home, Value};

/// What a parameter has.
#[derive(Debug, Clone)]
pub enum Slot {
    /// A value.
    Known(Value),
    /// What an argument comes to, which is worked out where it is asked for: what a function does not use of what it is given says
    /// nothing of what it returns.
    Later(ExprId, At),
}

/// Arguments of a call of a function of the files, or the item of a comprehension.
#[derive(Debug)]
pub struct Frame {
    pub(super) home: Home,
    /// Nothing for those that are not passed here.
    pub(super) values: Vec<Option<Slot>>,
    /// Which call it is.
    pub(super) key: u64,
    /// What is around it.
    pub(super) outer: Option<Rc<Frame>>,
    /// What its values hang on.
    pub(super) hangs: Hangs,
    /// It is no call: this loop of its scope is over, seen from what asks; or in the round of the one value that is here.
    pub(super) over: Option<u32>,
}

/// What the arguments of a call hang on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hangs {
    /// What was chosen for them, and what could not be.
    pub(super) on: (Choices, Filter),
    /// Whether what asks for itself was not followed further for them.
    pub(super) loose: bool,
}

impl Frame {
    /// The class of the object that it is a method of, where it is one.
    pub(super) fn object(&self) -> Option<Home> {
        match self.values.first() {
            Some(Some(Slot::Known(Value::Object(made, _)))) => Some(*made),
            _ => None,
        }
    }

    /// The method of an object, of whose other parameters nothing is known.
    pub fn method(home: Home, object: Home) -> Self {
        let key = key(0, &[home.module, home.scope.0 as usize, object.module, object.scope.0 as usize]);
        let (values, hangs) = (vec![Some(Slot::Known(Value::Object(object, None)))], Hangs::default());
        Self { home, values, key, outer: None, hangs, over: None }
    }

    /// A loop of a scope is over.
    pub fn over(home: Home, id: u32, outer: Option<Rc<Self>>) -> Self {
        let around = outer.as_ref().map_or(0, |outer| outer.key);
        let key = key(around, &[home.module, home.scope.0 as usize, id as usize, usize::MAX]);
        Self { home, values: Vec::new(), key, outer, hangs: Hangs::default(), over: Some(id) }
    }

    /// The same round, within what is around something else.
    pub fn again(&self, outer: Option<Rc<Self>>) -> Self {
        let around = outer.as_ref().map_or(0, |outer| outer.key);
        let key = key(around, &[usize::try_from(self.key).unwrap_or(usize::MAX)]);
        Self { home: self.home, values: self.values.clone(), key, outer, hangs: self.hangs, over: self.over }
    }

    /// A loop of a scope is in a round, of that item.
    pub fn turn(home: Home, (id, round): (u32, usize), (item, hangs): (Value, Hangs), outer: Option<Rc<Self>>) -> Self {
        let around = outer.as_ref().map_or(0, |outer| outer.key);
        let key = key(around, &[home.module, home.scope.0 as usize, id as usize, round]);
        let values = vec![Some(Slot::Known(item))];
        Self { home, values, key, outer, hangs, over: Some(id) }
    }
}

/// A number for a call: of what it is in and of these.
pub(super) fn key(outer: u64, parts: &[usize]) -> u64 {
    // FNV-1a: the same in every world.
    parts.iter().fold(outer ^ 0xcbf2_9ce4_8422_2325, |hash, part| {
        (hash ^ u64::try_from(*part).unwrap_or(u64::MAX)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Where an expression stands.
#[derive(Debug, Clone)]
pub struct At {
    /// Index of the module.
    pub module: usize,
    /// The scope.
    pub scope: ScopeId,
    /// The arguments of the function around it.
    pub frame: Option<Rc<Frame>>,
}

impl At {
    /// A number for the call that it is in.
    pub fn key(&self) -> u64 {
        self.frame.as_ref().map_or(0, |frame| frame.key)
    }

    /// The arguments of a function around it.
    pub(super) fn frame_of(&self, home: Home) -> Option<&Frame> {
        let mut frame = self.frame.as_deref();
        while let Some(one) = frame.filter(|one| one.home != home || one.over.is_some()) {
            frame = one.outer.as_deref();
        }
        frame
    }

    /// Whether a loop of a file is over.
    pub(super) fn is_over(&self, module: usize, id: u32) -> bool {
        let mut frames = std::iter::successors(self.frame.as_deref(), |one| one.outer.as_deref());
        frames.any(|one| one.over == Some(id) && one.home.module == module && one.values.is_empty())
    }

    /// The round of a loop of a file that it is in.
    pub(super) fn turn(&self, module: usize, id: u32) -> Option<&Frame> {
        let mut frames = std::iter::successors(self.frame.as_deref(), |one| one.outer.as_deref());
        frames.find(|one| one.over == Some(id) && one.home.module == module && !one.values.is_empty())
    }

    /// Whether it is in no call.
    pub(super) fn is_free(&self) -> bool {
        std::iter::successors(self.frame.as_deref(), |one| one.outer.as_deref()).all(|one| one.over.is_some())
    }

    /// What of the frames around it counts for the names of a file: its loops that are over.
    pub(super) fn of_file(&self, module: usize) -> Option<Rc<Frame>> {
        let mut frames = std::iter::successors(self.frame.as_ref(), |one| one.outer.as_ref());
        frames.find(|one| one.over.is_some() && one.home == Home { module, scope: MODULE }).cloned()
    }
}
