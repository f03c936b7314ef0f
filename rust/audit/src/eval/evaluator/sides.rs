//! Declarations of one name in one place that differ, as on the sides of an `#if`: one of them is taken, or each in turn.

use std::cell::RefCell;

use super::Evaluator;
use crate::ast::Site;
use crate::eval::program::DeclRef;
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::value::{Bindings, Value};

/// Sets of such declarations of which each choice is looked at, and ways to choose among all of them.
const MAX_SETS: usize = 4;
const MAX_WAYS: usize = 16;

/// Which of the declarations that differ are taken.
#[derive(Debug, Default)]
pub(super) struct Choices {
    /// Each set by its first declaration, in the order in which they were met: how many there are, and which of them is taken.
    sets: Vec<(DeclRef, usize, usize)>,
    /// Whether there were more sets than are looked at.
    beyond: bool,
}

impl Choices {
    /// Which of a set is taken; none where there are too many sets.
    fn of(&mut self, first: DeclRef, count: usize) -> Option<usize> {
        if let Some((.., taken)) = self.sets.iter().find(|(set, ..)| *set == first) {
            return Some(*taken);
        }
        if self.sets.len() >= MAX_SETS {
            self.beyond = true;
            return None;
        }
        self.sets.push((first, count, 0));
        Some(0)
    }

    /// Goes on to the next way to choose; tells whether there is one. What is met behind a set may hang on what is taken of it.
    fn next(&mut self) -> bool {
        while let Some((_, count, taken)) = self.sets.last_mut() {
            *taken += 1;
            if *taken < *count {
                return true;
            }
            self.sets.pop();
        }
        false
    }
}

impl<'a> Evaluator<'a> {
    /// One of several declarations that differ, if one is to be taken and they stand in one scope.
    pub(super) fn one_side(
        &mut self,
        candidates: &[DeclRef],
        args: Option<&[Value<'a>]>,
        env: &Bindings<'a>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        let differ = Unresolved { reason: Reason::Ambiguous, site };
        let place = |decl: &DeclRef| (decl.unit, self.program.decl(*decl).home);
        let first = candidates.first().ok_or(differ)?;
        if candidates.iter().any(|decl| place(decl) != place(first)) {
            return Err(differ);
        }
        self.sides = self.sides.max(candidates.len());
        self.differs.set(true);
        let side = match self.choices.get_mut() {
            Some(choices) => choices.of(*first, candidates.len()),
            None => self.side,
        };
        let taken = candidates.get(side.ok_or(differ)?).or(candidates.last()).ok_or(differ)?;
        self.declaration(*taken, args, env, site)
    }

    /// The one of several declarations of a variable that is taken: the last where nobody chooses, and then it is not sure.
    pub fn taken(&self, all: &[DeclRef]) -> Option<DeclRef> {
        let (first, last) = (all.first()?, all.last()?);
        self.differs.set(true);
        if let Some(choices) = &mut *self.choices.borrow_mut() {
            return choices.of(*first, all.len()).and_then(|taken| all.get(taken)).copied();
        }
        self.unsure.set(true);
        Some(*last)
    }

    /// What something comes to, where that is sure without a choice among declarations that differ; and else whether there are such.
    pub fn surely<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> (Option<T>, bool) {
        self.differs.set(false);
        self.unsure.set(false);
        let value = ask(self);
        ((!self.unsure.get()).then_some(value), self.differs.get())
    }

    /// What something comes to for each way to choose among declarations that differ: whichever sides of their `#if`s are compiled, it is one
    /// of these. Nothing where there are too many ways, or where one says that all the others do not matter.
    pub fn each_way<T>(&mut self, mut ask: impl FnMut(&mut Self) -> (T, bool)) -> Vec<T> {
        if self.choices.get_mut().is_some() || self.side.is_some() {
            return Vec::new();
        }
        let settling = self.settling.as_ref().map(|(site, _)| *site);
        let (memo, bases) = (std::mem::take(&mut self.memo), std::mem::take(&mut self.bases));
        let mut all = Vec::new();
        let mut choices = Choices::default();
        loop {
            self.forget();
            self.choices = RefCell::new(Some(choices));
            let (value, matters) = ask(self);
            choices = self.choices.get_mut().take().unwrap_or_default();
            if choices.beyond || !matters || all.len() >= MAX_WAYS {
                all.clear();
                break;
            }
            all.push(value);
            if !choices.next() {
                break;
            }
        }
        self.forget();
        // What is remembered holds for one function.
        if self.settling.as_ref().map(|(site, _)| *site) == settling {
            (self.memo, self.bases) = (memo, bases);
        }
        all
    }

    /// Forgets what hangs on what was taken.
    fn forget(&mut self) {
        self.memo.clear();
        self.bases.clear();
    }
}
