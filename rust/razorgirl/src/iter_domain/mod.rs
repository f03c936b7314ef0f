//! Schedules: how the axes of a tensor become the loops that go over it.
//!
//! A [`Schedule`] begins with the axes of a tensor and transforms them step by step; what is left are the loops. Each step is
//! a map of indices in both directions. Loop indices are mapped back to the tensor: that is what the generated loop nest
//! computes, and some of its points are *holes*, outside of the tensor or of an axis on the way.
//!
//! Source: nvFuser's documents on `IterDomain`s and on the divisibility of splits.

use alloc::{borrow::ToOwned, vec::Vec};

mod axes;
mod equivalence;
mod eval;
mod index;
mod predicate;
mod read;

pub use equivalence::{Equality, Equivalence};
pub use predicate::{Predicate, PredicateReason};

use crate::error::{Error, ErrorKind, Result};

/// How two axes are permuted together.
///
/// Lean: `Razorgirl.IterDomain.SwizzleKind`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Swizzle {
    /// `(x, y) -> (x, x xor y)`; a permutation exactly when the least power of two from the extent of x on divides that of y
    Xor,
    /// `(x, y) -> (x, (x + y) mod extent of x)`; a permutation exactly when the extents agree
    Cyclic,
    /// `(x, y) -> (x, y)` for even x, `(x, last - y)` for odd ones; always a permutation
    ZShape,
}

/// One transformation. Axes are positions in the list of axes as it is at that step.
///
/// Lean: `Razorgirl.IterDomain.Step`
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// into `(ceil(n / factor), factor)`, in place
    Split {
        /// which
        axis: usize,
        /// extent of the inner axis
        factor: u64,
    },
    /// into `(factor, ceil(n / factor))`, in place
    SplitOuter {
        /// which
        axis: usize,
        /// extent of the outer axis
        factor: u64,
    },
    /// two axes into one, where the outer one was
    Merge {
        /// the slower one
        outer: usize,
        /// the faster one
        inner: usize,
    },
    /// new axis `i` is the old axis `order[i]`
    Reorder {
        /// all positions, each once
        order: Vec<usize>,
    },
    /// `left` elements more before the first, `right` more after the last; fewer where negative
    Resize {
        /// which
        axis: usize,
        /// before the first
        left: i64,
        /// after the last
        right: i64,
    },
    /// two axes permuted together
    Swizzle {
        /// how
        kind: Swizzle,
        /// stays as it is
        x: usize,
        /// is moved by x
        y: usize,
    },
}

/// A step between axes by their numbers.
#[derive(Clone, Debug)]
pub(crate) enum IndexedStep {
    /// input, outer, inner, extent of the inner one
    Split { input: usize, outer: usize, inner: usize, factor: u64 },
    /// outer, inner, output, extent of the inner one
    Merge { outer: usize, inner: usize, output: usize, factor: u64 },
    /// input, output, elements before the first
    Resize { input: usize, output: usize, left: i64 },
    /// inputs, outputs
    Swizzle { kind: Swizzle, from: (usize, usize), to: (usize, usize) },
}

/// The axes of a tensor, and what is done to them.
///
/// Every axis that there ever is has a number: first those of the tensor, then those that the steps make, in their order; a
/// split makes the outer one first, a swizzle x first.
///
/// ```
/// use razorgirl::iter_domain::Schedule;
///
/// let schedule: Schedule = "[10] split(0,3)".parse()?;
/// assert_eq!(schedule.loop_extents(), [4, 3]);
/// assert_eq!(schedule.index(&[3, 0])?, Some(vec![9]));
/// assert_eq!(schedule.index(&[3, 1])?, None); // a hole: element 10 of 10
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.IterDomain.Schedule`
#[derive(Clone, Debug)]
pub struct Schedule {
    roots: usize,
    extents: Vec<u64>,
    moves: Vec<IndexedStep>,
    axes: Vec<usize>,
    steps: Vec<Step>,
}

/// Extents and sums of them stay below this, so that indices fit with a sign.
const LIMIT: u64 = 1 << 62;

/// The most steps of a schedule.
pub const MAX_STEPS: usize = 1 << 16;

/// The most axes that a schedule has at a time, so that a step costs little however many came before it.
pub const MAX_RANK: usize = 1 << 10;

/// The most loop points whose elements are listed.
pub const MAX_POINTS: u64 = 1 << 20;

/// The largest enumeration for one answer: points times axes and steps.
pub const MAX_WORK: u128 = 1 << 27;

impl Schedule {
    /// The axes as they are.
    ///
    /// # Errors
    /// [`Extent`](ErrorKind::Extent) for an extent of 0, [`Overflow`](ErrorKind::Overflow) when the tensor has 2^62 elements
    /// or more, [`TooLarge`](ErrorKind::TooLarge) for more than [`MAX_RANK`] axes.
    pub fn new(extents: &[u64]) -> Result<Self> {
        if extents.len() > MAX_RANK {
            return Err(too_many(&format!("the tensor has {} axes", extents.len())));
        }
        if let Some(axis) = extents.iter().position(|&extent| extent == 0) {
            return Err(Error::new(ErrorKind::Extent, format!("axis {axis} has extent 0"))
                .with_leaf(axis)
                .with_help("extents are at least 1"));
        }
        let size = extents.iter().try_fold(1_u64, |size, &extent| size.checked_mul(extent));
        if size.is_none_or(|size| size >= LIMIT) {
            return Err(Error::new(ErrorKind::Overflow, "the tensor has 2^62 elements or more")
                .with_help("schedule a part of it"));
        }
        Ok(Self {
            roots: extents.len(),
            extents: extents.to_vec(),
            moves: vec![],
            axes: (0..extents.len()).collect(),
            steps: vec![],
        })
    }

    /// Extents of the tensor.
    #[must_use]
    pub fn extents(&self) -> &[u64] {
        &self.extents[..self.roots]
    }

    /// Extents of the loops, outermost first.
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.loops`
    #[must_use]
    pub fn loop_extents(&self) -> Vec<u64> {
        self.axes.iter().map(|&axis| self.extents[axis]).collect()
    }

    /// The numbers of the axes that are the loops, outermost first.
    #[must_use]
    pub fn loops(&self) -> &[usize] {
        &self.axes
    }

    /// The extent of the axis with a number, if there is one.
    #[must_use]
    pub fn extent(&self, axis: usize) -> Option<u64> {
        self.extents.get(axis).copied()
    }

    /// The steps so far.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How many axes there are, those of the tensor and all that the steps made.
    #[must_use]
    pub fn axis_count(&self) -> usize {
        self.extents.len()
    }

    pub(crate) fn roots(&self) -> usize {
        self.roots
    }

    pub(crate) fn moves(&self) -> &[IndexedStep] {
        &self.moves
    }

    fn make(&mut self, extent: u64) -> usize {
        self.extents.push(extent);
        self.extents.len() - 1
    }

    /// One step more. When it is refused the schedule is as it was.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) for an axis that is not there, or twice the same;
    /// [`Extent`](ErrorKind::Extent) for a factor of 0 or an axis resized to nothing; [`Overflow`](ErrorKind::Overflow) from
    /// 2^62 on; [`Incongruent`](ErrorKind::Incongruent) for an order that is not a permutation;
    /// [`TooLarge`](ErrorKind::TooLarge) beyond [`MAX_STEPS`] steps, and for a split beyond [`MAX_RANK`] axes. The message
    /// begins with the number of the step, from 0.
    pub fn push(&mut self, step: Step) -> Result<()> {
        let number = self.steps.len();
        self.apply(&step).map_err(|error| at_step(number, &error))?;
        self.steps.push(step);
        Ok(())
    }

    /// All steps, or none of them.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn with_steps(extents: &[u64], steps: impl IntoIterator<Item = Step>) -> Result<Self> {
        let mut schedule = Self::new(extents)?;
        steps.into_iter().try_for_each(|step| schedule.push(step))?;
        Ok(schedule)
    }

    fn axis(&self, position: usize) -> Result<usize> {
        self.axes.get(position).copied().ok_or_else(|| {
            let known = match self.axes.len() {
                0 => "the schedule has no axes".to_owned(),
                1 => "the only axis is 0".to_owned(),
                n => format!("axes are 0 to {}", n - 1),
            };
            Error::new(ErrorKind::OutOfDomain, format!("there is no axis {position}")).with_help(known)
        })
    }

    fn two(&self, first: usize, second: usize) -> Result<(usize, usize)> {
        let pair = (self.axis(first)?, self.axis(second)?);
        if first == second {
            return Err(Error::new(ErrorKind::OutOfDomain, format!("axis {first} is given twice"))
                .with_help("give two different axes"));
        }
        Ok(pair)
    }

    fn apply(&mut self, step: &Step) -> Result<()> {
        if self.steps.len() >= MAX_STEPS {
            return Err(Error::new(ErrorKind::TooLarge, format!("a schedule has at most {MAX_STEPS} steps"))
                .with_help("ask about a part of it"));
        }
        match *step {
            Step::Split { axis, factor } | Step::SplitOuter { axis, factor } => {
                let input = self.axis(axis)?;
                if factor == 0 {
                    return Err(Error::new(ErrorKind::Extent, format!("axis {axis} is split by 0"))
                        .with_help("split by a factor of at least 1"));
                }
                let other = self.extents[input].div_ceil(factor);
                below(other, factor, "the outer times the inner extent")?;
                if self.axes.len() >= MAX_RANK {
                    return Err(too_many(&format!("a split of axis {axis} makes {} axes", self.axes.len() + 1)));
                }
                let inner_given = matches!(step, Step::Split { .. });
                let (outer, inner) = if inner_given { (other, factor) } else { (factor, other) };
                let (outer, inner, extent) = (self.make(outer), self.make(inner), inner);
                self.axes.splice(axis..=axis, [outer, inner]);
                self.moves.push(IndexedStep::Split { input, outer, inner, factor: extent });
            }
            Step::Merge { outer, inner } => {
                let (a, b) = self.two(outer, inner)?;
                let (na, nb) = (self.extents[a], self.extents[b]);
                below(na, nb, "the product of the extents")?;
                let output = self.make(na * nb);
                self.axes[outer] = output;
                self.axes.remove(inner);
                self.moves.push(IndexedStep::Merge { outer: a, inner: b, output, factor: nb });
            }
            Step::Reorder { ref order } => {
                let mut seen = vec![false; self.axes.len()];
                let fits = order.len() == self.axes.len()
                    && order.iter().all(|&p| seen.get_mut(p).is_some_and(|seen| !core::mem::replace(seen, true)));
                if !fits {
                    return Err(Error::new(
                        ErrorKind::Incongruent,
                        format!(
                            "an order of {} entries is no permutation of the {} axes",
                            order.len(),
                            self.axes.len()
                        ),
                    )
                    .with_help("name every position once: entry i is the old position of the new axis i"));
                }
                self.axes = order.iter().map(|&p| self.axes[p]).collect();
            }
            Step::Resize { axis, left, right } => {
                let input = self.axis(axis)?;
                let extent = i128::from(self.extents[input]) + i128::from(left) + i128::from(right);
                if extent < 1 {
                    return Err(Error::new(
                        ErrorKind::Extent,
                        format!(
                            "axis {axis} of extent {} has {extent} left after ({left}, {right})",
                            self.extents[input]
                        ),
                    )
                    .with_help("leave at least one element"));
                }
                let widest = extent + i128::from(left.unsigned_abs()) + i128::from(right.unsigned_abs());
                let extent = u64::try_from(extent).ok().filter(|_| widest < i128::from(LIMIT));
                let extent = extent.ok_or_else(|| {
                    Error::new(ErrorKind::Overflow, format!("axis {axis} reaches 2^62 elements or more"))
                        .with_help("resize by less")
                })?;
                let output = self.make(extent);
                self.axes[axis] = output;
                self.moves.push(IndexedStep::Resize { input, output, left });
            }
            Step::Swizzle { kind, x, y } => {
                let from = self.two(x, y)?;
                let to = (self.make(self.extents[from.0]), self.make(self.extents[from.1]));
                (self.axes[x], self.axes[y]) = to;
                self.moves.push(IndexedStep::Swizzle { kind, from, to });
            }
        }
        Ok(())
    }
}

fn below(a: u64, b: u64, what: &str) -> Result<()> {
    match a.checked_mul(b).filter(|&product| product < LIMIT) {
        Some(_) => Ok(()),
        None => Err(Error::new(ErrorKind::Overflow, format!("{what}, {a} times {b}, is 2^62 or more"))
            .with_help("use a smaller factor")),
    }
}

#[cold]
fn too_many(what: &str) -> Error {
    Error::new(ErrorKind::TooLarge, format!("{what}, more than {MAX_RANK}")).with_help("merge axes, or schedule fewer")
}

#[cold]
fn at_step(number: usize, error: &Error) -> Error {
    let placed = Error::new(error.kind(), format!("step {number}: {error}")).with_leaf(number);
    error.help().iter().fold(placed, |placed, help| placed.with_help(help.clone()))
}
