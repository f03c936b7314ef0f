//! Rows and columns of modes exchanged, and pairs parted.

use crate::error::Result;
use crate::int_tuple::{HTuple, Profile};

use super::basic::Layout;

impl Layout {
    /// A layout of tuples with rows and columns exchanged. If the first mode is a leaf, all modes are one row; a leaf
    /// stays. The modes are permuted, so the offsets are the same, each hit as often.
    ///
    /// # Errors
    /// [`Incongruent`](crate::ErrorKind::Incongruent) when the modes differ in rank, when one is a leaf and the first is
    /// not, or when there is none; [`TooLarge`](crate::ErrorKind::TooLarge) when the result would be nested deeper than
    /// [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((4,2),(3,5)):((1,4),(8,24))".parse()?;
    /// assert_eq!(layout.zip()?.to_string(), "((4,3),(2,5)):((1,8),(4,24))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `zip(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.zip`
    pub fn zip(&self) -> Result<Self> {
        Self::from_tree(&self.tree().zip()?)
    }

    /// Each mode beside the mode of another layout in its place; two leaves are one pair.
    ///
    /// # Errors
    /// [`Incongruent`](crate::ErrorKind::Incongruent) when the ranks differ, or this is a tuple and the other a leaf;
    /// [`Overflow`](crate::ErrorKind::Overflow) when the result does not fit; [`TooLarge`](crate::ErrorKind::TooLarge)
    /// when it would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,2):(1,4)".parse()?;
    /// assert_eq!(layout.zip_with(&"(3,5):(8,24)".parse()?)?.to_string(), "((4,3),(2,5)):((1,8),(4,24))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `zip(a, b)`.
    ///
    /// Lean: `Razorgirl.Layout.zipPair`
    pub fn zip_with(&self, other: &Self) -> Result<Self> {
        Self::from_tree(&HTuple::tuple(&[self.tree(), other.tree()])?.zip()?)
    }

    /// The pairs at the leaves of the guide, separated: first parts in mode 0, second parts in mode 1, with the modes behind
    /// them that the guide does not reach. The modes are permuted, so the offsets are the same, each hit as often.
    ///
    /// # Errors
    /// [`Incongruent`](crate::ErrorKind::Incongruent) where a leaf of the guide meets something else than a tuple of two,
    /// or a tuple of it something with fewer modes.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((4,2),(3,5),7):((1,4),(8,24),120)".parse()?;
    /// assert_eq!(layout.unzip(&"(*,*)".parse()?)?.to_string(), "((4,3),(2,5,7)):((1,8),(4,24,120))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `tile_unzip(layout, guide)`.
    ///
    /// Lean: `Razorgirl.Layout.unzipBy`
    pub fn unzip(&self, guide: &Profile) -> Result<Self> {
        Self::from_tree(&self.tree().unzip(guide)?)
    }
}
