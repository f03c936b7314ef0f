//! Left inverses of any kind, by search.
//!
//! Every layout is one whose extents are primes, the last one as long as need be. A first mode `e:s` takes `(o % e)·s` of
//! the index of offset `o`, and leaves the rest to the modes behind it, at offset `o / e`: the same problem, in fewer
//! offsets.

use crate::error::{Error, ErrorKind, Result, Witness};
use crate::layout::basic::Layout;
use crate::layout::injective::Injectivity;
use crate::layout::mode::Mode;
use alloc::vec::Vec;

/// The largest cosize for which left inverses are searched.
const COSIZE: u64 = 1 << 12;
/// Pairs of offset and index that are looked at before the search gives up.
const STEPS: u64 = 1 << 24;
/// The same for the help of a refusal: cosize, and pairs.
const NEAR: (u64, u64) = (1 << 7, 1 << 10);
/// Points for which a collision is looked for.
const POINTS: u64 = 1 << 14;

impl Layout {
    /// A layout `R` with `R(L(i)) = i` for every index of this one: [`left_inverse`](Self::left_inverse) where it answers,
    /// else any other, found by search: by one mode, or else by a first mode of the least prime extent and the least stride
    /// for which the rest is found.
    ///
    /// The search is for layouts of cosize up to 2^12 and ends after 2^24 steps, of which each looks at one offset.
    ///
    /// # Errors
    /// [`NotInjective`](ErrorKind::NotInjective) when two coordinates share an offset,
    /// [`NotDivisible`](ErrorKind::NotDivisible) when the search shows that no layout is a left inverse,
    /// [`TooLarge`](ErrorKind::TooLarge) when the cosize or the search is too large, and
    /// [`Overflow`](ErrorKind::Overflow) as `left_inverse`.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(2,2):(2,3)".parse()?;
    /// assert!(layout.left_inverse().is_err());
    /// let inverse = layout.left_inverse_complete()?;
    /// assert!((0..4).all(|i| inverse.at(layout.at(i).unwrap()) == Ok(i)));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.leftInverseComplete`
    pub fn left_inverse_complete(&self) -> Result<Self> {
        let refused = match self.left_inverse() {
            Err(error) if error.kind() == ErrorKind::NotDivisible => error,
            other => return other,
        };
        if self.cosize() > COSIZE {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!(
                    "{refused}; other left inverses are searched up to cosize {COSIZE}, and this is {}",
                    self.cosize()
                ),
            ));
        }
        if let Injectivity::Collision { i, j, offset } = self.injectivity(POINTS) {
            return Err(Error::new(
                ErrorKind::NotInjective,
                format!("indices {i} and {j} share offset {offset}, so no layout can map it back to both"),
            )
            .with_witness(Witness::Collision { i, j }));
        }
        match self.searched(STEPS) {
            Ok(Some(inverse)) => Ok(inverse),
            Ok(None) => Err(Error::new(
                ErrorKind::NotDivisible,
                format!(
                    "no layout R has R(L(i)) = i for all {} indices i of {self}; all indices were compared",
                    self.size()
                ),
            )),
            Err(OutOfSteps) => Err(Error::new(
                ErrorKind::TooLarge,
                format!("{refused}; the search for other left inverses ended after {STEPS} steps without one"),
            )),
        }
    }

    /// What a short search finds, for the help of a refusal.
    pub(super) fn left_inverse_near(&self) -> Option<Self> {
        let (cosize, steps) = NEAR;
        if self.cosize() > cosize { None } else { self.searched(steps).ok().flatten() }
    }

    /// Any left inverse of a layout whose offsets can be listed, if there is one.
    fn searched(&self, steps: u64) -> core::result::Result<Option<Self>, OutOfSteps> {
        // More coordinates than offsets: two share one, and there may be too many to list.
        if self.size() > self.cosize() {
            return Ok(None);
        }
        let mut points: Vec<Point> = self.offsets().zip(0..).map(|(offset, index)| Point { offset, index }).collect();
        points.sort_unstable();
        let mut search = Search { steps };
        let Some(mut modes) = search.interpolate(self.cosize(), &points)? else { return Ok(None) };
        modes.reverse();
        // Extents and strides are at most the cosize, so the layout fits.
        Self::from_modes(modes).map(|layout| Some(layout.coalesce())).map_err(|_| OutOfSteps)
    }
}

/// An offset and the index that it comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    offset: u64,
    index: u64,
}

/// The search has looked at as many points as it may.
#[derive(Clone, Copy, Debug)]
struct OutOfSteps;

struct Search {
    /// How many points may still be looked at.
    steps: u64,
}

impl Search {
    /// The modes, last one first, of a layout with the index of each point at its offset; the offsets, in order, are below
    /// `cosize`.
    ///
    /// Lean: `Razorgirl.FlatLayout.interpolate`
    fn interpolate(&mut self, cosize: u64, points: &[Point]) -> core::result::Result<Option<Vec<Mode>>, OutOfSteps> {
        let slope = points.iter().find(|point| point.offset > 0).map_or(0, |point| point.index / point.offset);
        self.spend(points.len())?;
        if points.iter().all(|point| point.offset.checked_mul(slope) == Some(point.index)) {
            return Ok(Some(vec![Mode::new(cosize, slope)]));
        }
        for prime in primes_below(cosize) {
            self.spend(points.len())?;
            let stepping = points.iter().filter(|point| !point.offset.is_multiple_of(prime));
            // Larger strides take more of an index than it has; where none steps, the stride does not matter.
            let most = stepping.map(|point| point.index / (point.offset % prime)).min().unwrap_or(0);
            for stride in 0..=most {
                let Some(behind) = self.behind(prime, stride, points)? else { continue };
                if let Some(mut modes) = self.interpolate(cosize.div_ceil(prime), &behind)? {
                    modes.push(Mode::new(prime, stride));
                    return Ok(Some(modes));
                }
            }
        }
        Ok(None)
    }

    /// What a first mode leaves for the modes behind it; nothing if it takes more than an index has, or leaves an offset
    /// with two indices.
    fn behind(
        &mut self,
        extent: u64,
        stride: u64,
        points: &[Point],
    ) -> core::result::Result<Option<Vec<Point>>, OutOfSteps> {
        let mut behind: Vec<Point> = Vec::new();
        for point in points {
            self.spend(1)?;
            let taken = (point.offset % extent).checked_mul(stride);
            let Some(index) = taken.and_then(|taken| point.index.checked_sub(taken)) else { return Ok(None) };
            let rest = Point { offset: point.offset / extent, index };
            match behind.last().filter(|last| last.offset == rest.offset) {
                Some(last) if last.index != rest.index => return Ok(None),
                Some(_) => {}
                None => behind.push(rest),
            }
        }
        Ok(Some(behind))
    }

    fn spend(&mut self, points: usize) -> core::result::Result<(), OutOfSteps> {
        let points = u64::try_from(points).map_err(|_| OutOfSteps)?;
        self.steps = self.steps.checked_sub(points).ok_or(OutOfSteps)?;
        Ok(())
    }
}

fn primes_below(n: u64) -> impl Iterator<Item = u64> {
    (2..n).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d)))
}
