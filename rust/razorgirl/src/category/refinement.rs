//! Refinements: nested tuples that cut the entries of others.

use crate::error::{Error, ErrorKind, Result, brief};
use crate::{HTupleBuilder, IntTuple, Shape};
use alloc::vec::Vec;

/// What a refinement has over each entry of what it refines.
///
/// Source: Categorical Foundations, 2.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// The tuple over each entry, in order.
    pub modes: Vec<IntTuple>,
    /// The entry under each leaf of the refinement, counted from 1.
    pub map: Vec<u64>,
}

impl Relative {
    /// The leaves over each entry, as ranges of places counted from 0.
    pub(super) fn parts(&self) -> Vec<core::ops::Range<u64>> {
        let mut end = 0_u64;
        let part = |mode: &IntTuple| {
            let start = end;
            end += mode.leaves().len() as u64;
            start..end
        };
        self.modes.iter().map(part).collect()
    }
}

/// The parts of a refinement over the entries of what it refines.
///
/// # Errors
/// [`Incongruent`](ErrorKind::Incongruent) when `fine` does not refine `coarse`.
///
/// ```
/// use razorgirl::category::relative;
///
/// let parts = relative(&"((3,(2,4)),6)".parse()?, &"((3,8),6)".parse()?)?;
/// let modes: Vec<String> = parts.modes.iter().map(ToString::to_string).collect();
/// assert_eq!((modes.as_slice(), parts.map.as_slice()), (["3", "(2,4)", "6"].map(String::from).as_slice(), [1, 2, 2, 3].as_slice()));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Source: Categorical Foundations, 2.2; the companion package also says that 12 refines (12) (T2).
///
/// Lean: `Razorgirl.Category.relative`
pub fn relative(fine: &Shape, coarse: &Shape) -> Result<Relative> {
    if !fine.refines(coarse) {
        return Err(Error::new(ErrorKind::Incongruent, format!("{} does not refine {}", brief(fine), brief(coarse)))
            .with_help(
                "a refinement has a tuple of the same product in the place of each entry, or the entry itself",
            ));
    }
    let mut modes = Vec::with_capacity(coarse.extents().leaves().len());
    let mut map = Vec::with_capacity(fine.extents().leaves().len());
    let mut builder = Ok(());
    // it refines, so it aligns
    let _ = coarse.profile().align(fine.profile(), |leaf, span| {
        map.extend(core::iter::repeat_n(leaf as u64 + 1, span.leaves.len()));
        let leaves = fine.extents().leaves().get(span.leaves.clone()).unwrap_or_default();
        match IntTuple::nested(leaves, &fine.profile().part(&span)) {
            Ok(mode) => modes.push(mode),
            Err(error) => builder = Err(error),
        }
    });
    builder.map(|()| Relative { modes, map })
}

/// A nested tuple with a tuple in the place of each entry.
pub(super) fn substitute(tuple: &IntTuple, parts: &[IntTuple]) -> Result<IntTuple> {
    let mut builder = HTupleBuilder::new();
    write(tuple, &mut parts.iter(), &mut builder)?;
    builder.finish()
}

// Recursion: no deeper than the tuple, which has at most MAX_DEPTH levels.
fn write<'a>(
    tuple: &IntTuple,
    parts: &mut impl Iterator<Item = &'a IntTuple>,
    into: &mut HTupleBuilder<u64>,
) -> Result<()> {
    if tuple.is_leaf() {
        return match parts.next() {
            Some(part) => into.subtree(part),
            None => Ok(()),
        };
    }
    into.open()?;
    tuple.modes().try_for_each(|mode| write(&mode, parts, into))?;
    into.close();
    Ok(())
}

/// Refinements T' of T and U' of U such that T', flattened, is a prefix of U', flattened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutualRefinement {
    /// T'.
    pub t: Shape,
    /// U'.
    pub u: Shape,
}

/// The coarsest refinements T' of T and U' of U such that the entries of T' begin those of U'.
///
/// The entries of U' are the steps between the products that begin T or U: there are such refinements exactly where each of
/// these products divides the next and the product of T is at most that of U. Entries of 1 that T has left when U is exhausted go
/// into the last entry of U; without that the loop of the text refuses (2,1) and 2. O(m + n).
///
/// # Errors
/// [`NotDivisible`](ErrorKind::NotDivisible) when there are none.
///
/// ```
/// use razorgirl::category::mutual_refinement;
///
/// let found = mutual_refinement(&"(6,6)".parse()?, &"(2,6,3)".parse()?)?;
/// assert_eq!(found.t.to_string(), "((2,3),(2,3))");
/// assert_eq!(found.u.to_string(), "(2,(3,2),3)");
/// assert!(mutual_refinement(&"(8,8)".parse()?, &"(3,8,8)".parse()?).is_err());
/// let ones = mutual_refinement(&"(2,1)".parse()?, &"2".parse()?)?;
/// assert_eq!((ones.t.to_string(), ones.u.to_string()), ("(2,1)".into(), "(2,1)".into()));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Source: Categorical Foundations, algorithm 4.1.1, mended (E7): it drops the last entry, does not refuse a T that is larger,
/// and refuses entries of 1 (T4).
///
/// Lean: `Razorgirl.Category.mutualRefinement`
pub fn mutual_refinement(t: &Shape, u: &Shape) -> Result<MutualRefinement> {
    let mut firsts = Cutting::of(t);
    let mut seconds = Cutting::of(u);
    while let (Some(x), Some(y)) = (firsts.rest, seconds.rest) {
        let cut = if y % x == 0 {
            x
        } else if x % y == 0 {
            y
        } else {
            return Err(none(t, u).with_help(format!(
                "entry {} of T has {x} left and entry {} of U {y}: one has to divide the other",
                firsts.done.len() + 1,
                seconds.done.len() + 1
            )));
        };
        firsts.cut(cut);
        seconds.cut(cut);
    }
    if firsts.rest.is_some() {
        // what T has left has to be of entries of 1
        let only_ones = firsts.group.is_empty() && firsts.left().all(|entry| entry == 1);
        let Some(last) = seconds.done.last_mut().filter(|_| only_ones) else {
            let help = if only_ones {
                "U has no entry that could take the entries 1 of T: T must be () too"
            } else {
                "the product of T must be at most the product of U"
            };
            return Err(none(t, u).with_help(help));
        };
        while firsts.rest.is_some() {
            firsts.cut(1);
            last.push(1);
        }
    }
    while let Some(rest) = seconds.rest {
        seconds.cut(rest);
    }
    Ok(MutualRefinement { t: firsts.refined(t)?, u: seconds.refined(u)? })
}

#[cold]
fn none(t: &Shape, u: &Shape) -> Error {
    Error::new(ErrorKind::NotDivisible, format!("{} and {} have no mutual refinement", brief(t), brief(u)))
}

/// The entries of a tuple, cut one after the other.
struct Cutting<'a> {
    entries: core::slice::Iter<'a, u64>,
    /// What is left of the entry that is being cut; none when all are done.
    rest: Option<u64>,
    /// What that has been cut into.
    group: Vec<u64>,
    /// What the entries before it have been cut into.
    done: Vec<Vec<u64>>,
}

impl<'a> Cutting<'a> {
    fn of(shape: &'a Shape) -> Self {
        let mut entries = shape.extents().leaves().iter();
        let rest = entries.next().copied();
        Self { entries, rest, group: Vec::new(), done: Vec::new() }
    }

    /// Cuts a divisor of what is left off it; an entry of which nothing is left is done.
    fn cut(&mut self, part: u64) {
        let Some(rest) = self.rest else { return };
        self.group.push(part);
        if rest == part {
            self.done.push(core::mem::take(&mut self.group));
            self.rest = self.entries.next().copied();
        } else {
            self.rest = rest.checked_div(part);
        }
    }

    /// What is left, entry by entry.
    fn left(&self) -> impl Iterator<Item = u64> + '_ {
        self.rest.into_iter().chain(self.entries.as_slice().iter().copied())
    }

    fn refined(self, shape: &Shape) -> Result<Shape> {
        let part = |group: &Vec<u64>| match group.as_slice() {
            [entry] => IntTuple::leaf(*entry),
            group => IntTuple::flat(group),
        };
        let parts: Vec<IntTuple> = self.done.iter().map(part).collect();
        Shape::new(substitute(shape.extents(), &parts)?)
    }
}
