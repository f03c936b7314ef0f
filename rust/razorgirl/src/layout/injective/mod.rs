//! Whether two indices share an offset.

use alloc::vec::Vec;

mod search;

use super::basic::Layout;
use search::{Found, search};

/// What [`Layout::injectivity`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Injectivity {
    /// No two indices share an offset.
    Injective,
    /// Two linear indices, `i < j`, that share an offset.
    Collision {
        /// The smaller index.
        i: u64,
        /// The larger index.
        j: u64,
        /// The offset of both.
        offset: u64,
    },
    /// There are more indices than offsets, so some share one; which ones was not found within the bound.
    Crowded,
    /// Not decided within the bound.
    Unknown,
}

impl Injectivity {
    /// The verdict, where there is one.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,8):(8,1)".parse()?;
    /// assert_eq!(layout.injectivity(1000).is_injective(), Some(true));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[must_use]
    pub const fn is_injective(self) -> Option<bool> {
        match self {
            Self::Injective => Some(true),
            Self::Collision { .. } | Self::Crowded => Some(false),
            Self::Unknown => None,
        }
    }
}

/// A mode of extent above 1, and how far one step of it goes among the linear indices.
#[derive(Clone, Copy, Debug)]
struct Axis {
    extent: u64,
    stride: u64,
    weight: u64,
}

impl Layout {
    /// Whether no two indices share an offset, and if some do, two of them.
    ///
    /// Decided from the strides where possible: a stride of 0 or an equal pair collides; strides each larger than
    /// all that the smaller ones reach do not. Else a search over the differences of two coordinates decides, pruned by
    /// intervals and by common divisors, so that the points of the layout need not be visited: two modes of any extent
    /// take constant time, and so do most layouts of practice. The search takes at most `bound` steps. If they do not
    /// suffice and the size is at most `bound`, all offsets are sorted (8 bytes each); so the answer is
    /// [`Unknown`](Injectivity::Unknown) for larger layouts only.
    ///
    /// ```
    /// use razorgirl::{Injectivity, Layout};
    ///
    /// let layout: Layout = "(4,8):(8,1)".parse()?;
    /// assert_eq!(layout.injectivity(1 << 24), Injectivity::Injective);
    ///
    /// let layout: Layout = "(4,8):(3,1)".parse()?;
    /// let Injectivity::Collision { i, j, offset } = layout.injectivity(1 << 24) else {
    ///     panic!("3 is reached twice");
    /// };
    /// assert!(i != j && layout.at(i)? == offset && layout.at(j)? == offset);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.FlatLayout.collision`
    ///
    /// Lean: `Razorgirl.FlatLayout.Injective`
    ///
    /// Lean: `Razorgirl.FlatLayout.nowhere`
    ///
    /// Lean: `Razorgirl.FlatLayout.injectiveWithin`
    #[must_use]
    pub fn injectivity(&self, bound: u64) -> Injectivity {
        let mut axes = Vec::new();
        let mut weight = 1;
        for mode in self.modes() {
            if mode.extent() > 1 {
                axes.push(Axis { extent: mode.extent(), stride: mode.stride(), weight });
            }
            weight *= mode.extent();
        }
        axes.sort_unstable_by_key(|axis| (axis.stride, axis.extent));
        if let Some(axis) = axes.first()
            && axis.stride == 0
        {
            return collision(0, axis.weight, 0);
        }
        if increasing(&axes) {
            return Injectivity::Injective;
        }
        if let Some(found) = axes.windows(2).find_map(|pair| match pair {
            [a, b] if a.stride == b.stride => Some(collision(a.weight, b.weight, a.stride)),
            _ => None,
        }) {
            return found;
        }
        match search(&axes, bound) {
            Found::Nothing => Injectivity::Injective,
            Found::Difference(steps) => difference(&axes, &steps),
            Found::OutOfSteps if self.size() <= bound => self.repeated_offset(),
            Found::OutOfSteps if self.size() > self.cosize() => Injectivity::Crowded,
            Found::OutOfSteps => Injectivity::Unknown,
        }
    }

    /// Decides by sorting all offsets.
    fn repeated_offset(&self) -> Injectivity {
        let mut offsets: Vec<u64> = self.offsets().collect();
        offsets.sort_unstable();
        let Some(offset) = offsets.windows(2).find_map(|pair| match pair {
            [a, b] if a == b => Some(*a),
            _ => None,
        }) else {
            return Injectivity::Injective;
        };
        let mut hits = (0..).zip(self.offsets()).filter(|(_, hit)| *hit == offset);
        match (hits.next(), hits.next()) {
            (Some((i, _)), Some((j, _))) => collision(i, j, offset),
            _ => Injectivity::Injective,
        }
    }
}

/// Whether each stride is larger than all that the ones before it reach together.
fn increasing(axes: &[Axis]) -> bool {
    let mut reach = 0;
    axes.iter().all(|axis| {
        let beyond = axis.stride > reach;
        // Below the cosize.
        reach += (axis.extent - 1) * axis.stride;
        beyond
    })
}

fn collision(i: u64, j: u64, offset: u64) -> Injectivity {
    Injectivity::Collision { i: i.min(j), j: i.max(j), offset }
}

/// The two indices whose coordinates differ by these steps along the axes: the steps forward, and those back.
fn difference(axes: &[Axis], steps: &[i128]) -> Injectivity {
    let (mut forward, mut back, mut offset) = (0, 0, 0);
    for (axis, step) in axes.iter().zip(steps) {
        // Each step is below its extent.
        let many = u64::try_from(step.unsigned_abs()).unwrap_or(0);
        if *step > 0 {
            forward += many * axis.weight;
            offset += many * axis.stride;
        } else {
            back += many * axis.weight;
        }
    }
    collision(forward, back, offset)
}
