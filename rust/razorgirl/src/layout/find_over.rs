//! From a function on a shape to a constant and the layout that has it.

use alloc::{string::String, string::ToString, vec::Vec};
use core::fmt::{self, Write};

use crate::error::{Error, ErrorKind, Result, Witness};
use crate::int_tuple::{HTuple, IntTuple, Profile, Shape};

use super::basic::Layout;
use super::composition::regrouped;
use super::find::{Contradiction, scan};
use super::mode::Mode;

/// A constant plus a layout whose strides have a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedLayout {
    constant: i128,
    modes: Vec<(u64, i128)>,
    profile: Profile,
}

impl SignedLayout {
    /// The value of the first coordinate.
    #[must_use]
    pub const fn constant(&self) -> i128 {
        self.constant
    }

    /// Extent and stride of each leaf.
    #[must_use]
    pub fn modes(&self) -> &[(u64, i128)] {
        &self.modes
    }

    /// The nested extents.
    ///
    /// # Errors
    /// None: there is a leaf for each mode.
    pub fn shape(&self) -> Result<IntTuple> {
        HTuple::nested(&self.modes.iter().map(|mode| mode.0).collect::<Vec<_>>(), &self.profile)
    }

    /// The nested strides.
    ///
    /// # Errors
    /// None: there is a leaf for each mode.
    pub fn stride(&self) -> Result<HTuple<i128>> {
        HTuple::nested(&self.modes.iter().map(|mode| mode.1).collect::<Vec<_>>(), &self.profile)
    }

    /// The layout without the constant; nothing where a stride is below 0, or where it does not fit into 64 bits.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        let modes: Option<Vec<Mode>> =
            self.modes.iter().map(|(extent, stride)| Some(Mode::new(*extent, u64::try_from(*stride).ok()?))).collect();
        let flat = Layout::from_modes(modes?).ok()?;
        Some(Layout::valid(flat.modes().iter().copied().collect(), self.profile.clone(), flat.size(), flat.cosize()))
    }
}

/// `27 + (4,2):(-1,4)`
impl fmt::Display for SignedLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Ok(shape), Ok(stride)) = (self.shape(), self.stride()) else { return Err(fmt::Error) };
        write!(f, "{} + {shape}:{stride:?}", self.constant)
    }
}

impl Layout {
    /// The constant and the layout whose sum is a function on a shape, given by its values in linear order, first mode fastest.
    /// The shape of the layout refines the one that is given; where that has a leaf, it is coalesced. Values and strides may be
    /// below 0. There is at most one such layout, and none that has the values has fewer modes anywhere.
    ///
    /// One pass over the values on each axis, and one over all.
    ///
    /// # Errors
    /// [`NoLayout`](ErrorKind::NoLayout) when no constant and no layout over any refinement of the shape have the values; the
    /// [witness](Error::witness) shows it. [`Incongruent`](ErrorKind::Incongruent) when there is not one value for each coordinate;
    /// [`Overflow`](ErrorKind::Overflow) when a value is 2^64 or more, or -2^64 or less.
    ///
    /// ```
    /// use razorgirl::{Layout, Shape, Witness};
    ///
    /// let tile: Shape = "(4,2)".parse()?;
    /// let found = Layout::find_layout_over(&tile, &[7, 8, 3, 4, 17, 18, 13, 14])?;
    /// assert_eq!(found.to_string(), "7 + ((2,2),2):((1,-4),10)");
    ///
    /// let refused = Layout::find_layout_over(&tile, &[7, 8, 3, 4, 17, 18, 13, 15]).unwrap_err();
    /// assert_eq!(refused.to_string(), "at (3,1) the value is 15, but along the axes it is 7 - 3 + 10 = 14");
    /// assert_eq!(refused.witness(), Some(&Witness::Coordinate("(3,1)".parse()?)));
    ///
    /// let refused = Layout::find_layout_over(&tile, &[7, 8, 3, 5, 17, 18, 13, 14]).unwrap_err();
    /// assert_eq!(refused.witness(), Some(&Witness::Axis { axis: 0, index: 3 }));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.findOver`
    pub fn find_layout_over(shape: &Shape, values: &[i128]) -> Result<SignedLayout> {
        const LIMIT: i128 = 1 << 64;
        if values.len() as u64 != shape.size() {
            let message = format!("{} values for the {} coordinates of {shape}", values.len(), shape.size());
            return Err(Error::new(ErrorKind::Incongruent, message)
                .with_help("give one value for each coordinate, first mode fastest"));
        }
        if let Some(value) = values.iter().find(|value| **value >= LIMIT || **value <= -LIMIT) {
            let message = format!("the value {value} must be between -2^64 and 2^64");
            return Err(Error::new(ErrorKind::Overflow, message).with_help("use values whose magnitude is below 2^64"));
        }
        let constant = values.first().copied().unwrap_or_default();
        let (mut modes, mut counts, mut step) = (Vec::new(), Vec::new(), 1_usize);
        for (axis, extent) in shape.extents().leaves().iter().enumerate() {
            // Fits: there are so many values.
            let extent = usize::try_from(*extent).unwrap_or(usize::MAX);
            let entries = || values.iter().copied().step_by(step).take(extent);
            let found = scan(entries(), |before, entry| entry - before)
                .map_err(|broken| off_axis(axis, extent, &broken, entries()))?;
            counts.push(found.len().max(1));
            if found.is_empty() {
                modes.push((1, 0));
            }
            modes.extend(found.iter().map(|(extent, start)| (*extent as u64, start - constant)));
            step *= extent;
        }
        if let Some((index, along)) = mixed(shape, values) {
            return Err(off_sum(shape, index, values, &along));
        }
        let profile = regrouped(shape.profile(), &counts).ok_or_else(crate::int_tuple::profile::too_deep)?;
        Ok(SignedLayout { constant, modes, profile })
    }
}

/// The first linear index whose value is not the sum of what the axes add, and these.
fn mixed(shape: &Shape, values: &[i128]) -> Option<(usize, Vec<i128>)> {
    let value = |index: usize| values.get(index).copied().unwrap_or_default();
    let mut block = 1_usize;
    for extent in shape.extents().leaves() {
        let end = block * usize::try_from(*extent).unwrap_or(usize::MAX);
        // Behind the first block of the axis is the same once more, moved.
        for start in (block..end).step_by(block) {
            let moved = value(start) - value(0);
            if let Some(within) = (1..block).find(|within| value(start + within) != value(*within) + moved) {
                return Some((start + within, along(shape, start + within, &value)));
            }
        }
        block = end;
    }
    None
}

/// What each axis adds to the first value at a linear index.
fn along(shape: &Shape, index: usize, value: &impl Fn(usize) -> i128) -> Vec<i128> {
    let (mut rest, mut step) = (index, 1);
    let mut adds = Vec::new();
    for extent in shape.extents().leaves() {
        let extent = usize::try_from(*extent).unwrap_or(usize::MAX);
        adds.push(value(rest % extent * step) - value(0));
        rest /= extent;
        step *= extent;
    }
    adds
}

#[cold]
fn off_axis(axis: usize, extent: usize, broken: &Contradiction, mut entries: impl Iterator<Item = i128>) -> Error {
    let Contradiction { index, like } = *broken;
    // All of these are there: like <= index - 1.
    let mut next = |skip: usize| entries.nth(skip).unwrap_or_default();
    let before_like = next(like - 1);
    let at_like = next(0);
    let (mut before, mut at) = (at_like, at_like);
    for _ in like..index {
        before = at;
        at = next(0);
    }
    let message = format!(
        "axis {axis} of {extent} coordinates: no layout that has the entries up to index {} has {at} at index {index}",
        index - 1
    );
    Error::new(ErrorKind::NoLayout, message)
        .with_help(format!(
            "with {} there, a layout has the entries up to index {index}",
            before + at_like - before_like
        ))
        .with_witness(Witness::Axis { axis, index: index as u64 })
}

#[cold]
fn off_sum(shape: &Shape, index: usize, values: &[i128], along: &[i128]) -> Error {
    let coordinate = shape.idx2crd(index as u64);
    let value = |index: usize| values.get(index).copied().unwrap_or_default();
    let total = value(0) + along.iter().sum::<i128>();
    let mut sum = String::new();
    for add in along.iter().filter(|add| **add != 0) {
        let _ = write!(sum, " {} {}", if *add < 0 { '-' } else { '+' }, add.unsigned_abs());
    }
    let sum = if sum.is_empty() { total.to_string() } else { format!("{}{sum} = {total}", value(0)) };
    let place = coordinate.as_ref().map_or_else(|_| index.to_string(), ToString::to_string);
    let message = format!("at {place} the value is {}, but along the axes it is {sum}", value(index));
    let error = Error::new(ErrorKind::NoLayout, message)
        .with_help(format!("each axis by itself has a layout; their sum has {total} there"));
    match coordinate {
        Ok(coordinate) => error.with_witness(Witness::Coordinate(coordinate)),
        Err(_) => error,
    }
}
