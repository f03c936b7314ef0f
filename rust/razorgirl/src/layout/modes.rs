//! The modes of a layout picked, replaced, grouped and appended.
//!
//! Each of these does to shape and stride what [`HTuple`] does to a tuple. What happens to a layout may happen to its
//! coordinate as well, and the offset stays the same.

use core::ops::Range;

use crate::error::Result;
use crate::inline::InlineVec;
use crate::int_tuple::{HTuple, Profile};

use super::basic::Layout;
use super::mode::Mode;

impl Layout {
    /// The modes as a nested tuple.
    pub(super) fn tree(&self) -> HTuple<Mode> {
        HTuple::from_parts(InlineVec::from_slice(self.modes()), self.profile().clone())
    }

    /// The same nesting and extents with strides that reach no further.
    pub(crate) fn with_modes(&self, modes: InlineVec<Mode>) -> Self {
        Self::shrunk(modes, self.profile().clone())
    }

    /// The layout of a nested tuple of modes.
    pub(super) fn from_tree(tree: &HTuple<Mode>) -> Result<Self> {
        Self::checked(InlineVec::from_slice(tree.leaves()), tree.profile().clone())
    }

    /// The layout with modes `1:0` behind its modes, up to this rank. Size and function of the index stay the same; at 0
    /// in the new modes, so does that of the coordinate.
    ///
    /// # Errors
    /// [`OutOfDomain`](crate::ErrorKind::OutOfDomain) when there are more modes already;
    /// [`TooLarge`](crate::ErrorKind::TooLarge) beyond [`MAX_MODES`](crate::MAX_MODES).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,2):(2,1)".parse()?;
    /// assert_eq!(layout.append(4)?.to_string(), "(4,2,1,1):(2,1,0,0)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `append<rank>(layout)`.
    pub fn append(&self, rank: usize) -> Result<Self> {
        self.append_with(rank, &padding())
    }

    /// The layout with copies of another one behind its modes, up to this rank.
    ///
    /// # Errors
    /// As [`append`](Self::append); [`Overflow`](crate::ErrorKind::Overflow) when the result does not fit, and
    /// [`TooLarge`](crate::ErrorKind::TooLarge) when it would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,2):(2,1)".parse()?;
    /// assert_eq!(layout.append_with(3, &"5:8".parse()?)?.to_string(), "(4,2,5):(2,1,8)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `append<rank>(layout, more)`.
    ///
    /// Lean: `Razorgirl.Layout.append`
    pub fn append_with(&self, rank: usize, more: &Self) -> Result<Self> {
        Self::from_tree(&self.tree().append(rank, &more.tree())?)
    }

    /// The layout with modes `1:0` in front of its modes, up to this rank.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,2):(2,1)".parse()?;
    /// assert_eq!(layout.prepend(4)?.to_string(), "(1,1,4,2):(0,0,2,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `prepend<rank>(layout)`.
    pub fn prepend(&self, rank: usize) -> Result<Self> {
        self.prepend_with(rank, &padding())
    }

    /// The layout with copies of another one in front of its modes, up to this rank.
    ///
    /// # Errors
    /// As [`append_with`](Self::append_with).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,2):(2,1)".parse()?;
    /// assert_eq!(layout.prepend_with(3, &"5:8".parse()?)?.to_string(), "(5,4,2):(8,2,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `prepend<rank>(layout, more)`.
    ///
    /// Lean: `Razorgirl.Layout.prepend`
    pub fn prepend_with(&self, rank: usize, more: &Self) -> Result<Self> {
        Self::from_tree(&self.tree().prepend(rank, &more.tree())?)
    }

    /// The modes of a range as one mode; an empty range adds none. Same function of the index.
    ///
    /// # Errors
    /// [`OutOfDomain`](crate::ErrorKind::OutOfDomain) unless `begin ≤ end ≤ rank`;
    /// [`TooLarge`](crate::ErrorKind::TooLarge) when the result would be nested deeper than
    /// [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,7,3):(1,4,28)".parse()?;
    /// assert_eq!(layout.group(1..3)?.to_string(), "(4,(7,3)):(1,(4,28))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `group<begin,end>(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.group`
    pub fn group(&self, range: Range<usize>) -> Result<Self> {
        Self::from_tree(&self.tree().group(range)?)
    }

    /// The modes at these places in this order, always a tuple. The offset is the sum of theirs: that of the layout at 0
    /// in the modes left out.
    ///
    /// # Errors
    /// [`OutOfDomain`](crate::ErrorKind::OutOfDomain) for a place at or beyond the rank;
    /// [`Overflow`](crate::ErrorKind::Overflow) when places are repeated until the result does not fit;
    /// [`TooLarge`](crate::ErrorKind::TooLarge) when it would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,(7,2),3):(1,(4,84),28)".parse()?;
    /// assert_eq!(layout.select(&[2, 1])?.to_string(), "(3,(7,2)):(28,(4,84))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `select<places…>(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.select`
    pub fn select(&self, places: &[usize]) -> Result<Self> {
        Self::from_tree(&self.tree().select(places)?)
    }

    /// The modes of a range, always a tuple.
    ///
    /// # Errors
    /// [`OutOfDomain`](crate::ErrorKind::OutOfDomain) unless `begin ≤ end ≤ rank`;
    /// [`TooLarge`](crate::ErrorKind::TooLarge) when the result would be nested deeper than
    /// [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,(7,2),3):(1,(4,84),28)".parse()?;
    /// assert_eq!(layout.take(1..3)?.to_string(), "((7,2),3):((4,84),28)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `take<begin,end>(layout)`, which refuses an empty range.
    ///
    /// Lean: `Razorgirl.Layout.take`
    pub fn take(&self, range: Range<usize>) -> Result<Self> {
        Self::from_tree(&self.tree().take(range)?)
    }

    /// Another layout in place of mode `place`; in place of a leaf it is the result.
    ///
    /// # Errors
    /// [`OutOfDomain`](crate::ErrorKind::OutOfDomain) when the place is not below the rank;
    /// [`Overflow`](crate::ErrorKind::Overflow) when the result does not fit; [`TooLarge`](crate::ErrorKind::TooLarge)
    /// when it would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,7,3):(1,4,28)".parse()?;
    /// assert_eq!(layout.replace(1, &"(7,1):(1,0)".parse()?)?.to_string(), "(4,(7,1),3):(1,(1,0),28)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `replace<place>(layout, mode)`.
    ///
    /// Lean: `Razorgirl.Layout.replace`
    pub fn replace(&self, place: usize, mode: &Self) -> Result<Self> {
        Self::from_tree(&self.tree().replace(place, &mode.tree())?)
    }
}

/// The mode that CuTe pads with.
fn padding() -> Layout {
    Layout::shrunk(InlineVec::from_slice(&[Mode::new(1, 0)]), Profile::leaf())
}
