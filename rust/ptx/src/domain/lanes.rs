//! One number for each thread.

use super::Mask;
use std::rc::Rc;

/// One number for each thread of a block; `Same` if all are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lanes {
    /// This one for every thread.
    Same(u64),
    /// One each, not all the same.
    Each(Rc<Vec<u64>>),
}

impl Lanes {
    /// From the numbers of all threads.
    pub fn new(all: Vec<u64>) -> Self {
        match all.first() {
            Some(first) if all.iter().all(|x| x == first) => Self::Same(*first),
            None => Self::Same(0),
            Some(_) => Self::Each(Rc::new(all)),
        }
    }

    /// The number of a thread.
    pub fn at(&self, thread: usize) -> u64 {
        match self {
            Self::Same(x) => *x,
            Self::Each(all) => all.get(thread).copied().unwrap_or(0),
        }
    }

    /// The number, if all have the same.
    pub fn same(&self) -> Option<u64> {
        match self {
            Self::Same(x) => Some(*x),
            Self::Each(_) => None,
        }
    }

    /// f of each.
    #[must_use]
    pub fn map(&self, f: impl Fn(u64) -> u64) -> Self {
        match self {
            Self::Same(x) => Self::Same(f(*x)),
            Self::Each(all) => Self::new(all.iter().map(|x| f(*x)).collect()),
        }
    }

    /// f of each two.
    #[must_use]
    pub fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        match (self, other) {
            (Self::Same(x), Self::Same(y)) => Self::Same(f(*x, *y)),
            (Self::Same(x), Self::Each(b)) => Self::new(b.iter().map(|y| f(*x, *y)).collect()),
            (Self::Each(a), Self::Same(y)) => Self::new(a.iter().map(|x| f(*x, *y)).collect()),
            (Self::Each(a), Self::Each(b)) => Self::new(a.iter().zip(b.iter()).map(|(x, y)| f(*x, *y)).collect()),
        }
    }

    /// The first's number for threads of the mask, the second's for others.
    #[must_use]
    pub fn choose(&self, other: &Self, mask: &Mask, threads: usize) -> Self {
        if self == other {
            return self.clone();
        }
        Self::new((0..threads).map(|t| if mask.has(t) { self.at(t) } else { other.at(t) }).collect())
    }

    /// Whether it is 0 for all threads of the mask.
    pub fn is_zero_on(&self, mask: &Mask) -> bool {
        match self {
            Self::Same(x) => *x == 0 || mask.is_empty(),
            Self::Each(all) => mask.threads().all(|t| all.get(t).is_none_or(|x| *x == 0)),
        }
    }

    /// Whether the threads of each warp that are in the mask have the same.
    pub fn is_uniform_on(&self, mask: &Mask) -> bool {
        let Self::Each(all) = self else { return true };
        mask.warps().iter().enumerate().all(|(warp, bits)| {
            let mut of_warp =
                (0..32).filter(|lane| bits >> lane & 1 == 1).map(|lane| all.get(warp * 32 + lane).copied());
            let first = of_warp.next();
            of_warp.all(|x| Some(x) == first)
        })
    }

    /// The numbers of the mask's threads.
    pub fn on<'a>(&'a self, mask: &'a Mask) -> Box<dyn Iterator<Item = u64> + 'a> {
        match self {
            Self::Same(x) => Box::new((!mask.is_empty()).then_some(*x).into_iter()),
            Self::Each(_) => Box::new(mask.threads().map(|t| self.at(t))),
        }
    }

    /// How many low bits are 0 in all of them; 64 if all are 0.
    pub fn trailing_zeros(&self, mask: &Mask) -> u32 {
        self.on(mask).fold(0, |all, x| all | x).trailing_zeros()
    }
}
