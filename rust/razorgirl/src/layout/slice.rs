//! Keeping some modes and fixing the others.

use core::fmt;

use crate::coord::{Coord, misfit};
use crate::error::Result;

use super::basic::{Layout, LayoutBuilder};

/// A layout and where it begins: what slices and partitions answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LayoutAndOffset {
    /// The layout, counted from its own first element.
    pub layout: Layout,
    /// The offset of that element in the layout that was cut.
    pub offset: u64,
}

impl fmt::Display for LayoutAndOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}", self.layout, self.offset)
    }
}

impl Layout {
    /// The modes under a `_`, spliced into one tuple. A bare `_` gives the layout itself, a bare integer `():()`.
    ///
    /// # Errors
    /// As [`Shape::crd2idx`](crate::Shape::crd2idx).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// assert_eq!(layout.slice(&"((_,1),_)".parse()?)?.to_string(), "(2,4):(4,1)");
    /// assert_eq!(layout.slice(&"(_,3)".parse()?)?.to_string(), "((2,3)):((4,8))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `slice(coord, layout)`.
    ///
    /// Lean: `Razorgirl.Layout.slice`
    pub fn slice(&self, coord: &Coord) -> Result<Self> {
        self.offset(coord)?;
        if coord.is_leaf() && coord.leaves() == [None] {
            return Ok(self.clone());
        }
        self.pick(coord, |at| at.is_none())
    }

    /// The modes under an integer, spliced into one tuple. A bare integer gives the layout itself, a bare `_` `():()`.
    ///
    /// # Errors
    /// As [`Shape::crd2idx`](crate::Shape::crd2idx).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// assert_eq!(layout.dice(&"((_,1),_)".parse()?)?.to_string(), "(3):(8)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `dice(coord, layout)`.
    ///
    /// Lean: `Razorgirl.Layout.dice`
    pub fn dice(&self, coord: &Coord) -> Result<Self> {
        self.offset(coord)?;
        if coord.is_leaf() && coord.leaves() != [None] {
            return Ok(self.clone());
        }
        self.pick(coord, |at| at.is_some())
    }

    /// The modes under a `_` as one tuple (a bare `_` gives the tuple of the layout), and the offset of the integers:
    /// together the offsets of all coordinates that agree with `coord`.
    ///
    /// # Errors
    /// As [`Shape::crd2idx`](crate::Shape::crd2idx); [`TooLarge`](crate::ErrorKind::TooLarge) when the result would be
    /// nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// let kept = layout.slice_and_offset(&"((_,1),_)".parse()?)?;
    /// assert_eq!(kept.to_string(), "(2,4):(4,1) at offset 8");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `slice_and_offset(coord, layout)`.
    ///
    /// Lean: `Razorgirl.Layout.sliceAndOffset`
    pub fn slice_and_offset(&self, coord: &Coord) -> Result<LayoutAndOffset> {
        let offset = self.offset(coord)?;
        Ok(LayoutAndOffset { layout: self.pick(coord, |at| at.is_none())?, offset })
    }

    fn pick(&self, coord: &Coord, keep: impl Fn(Option<u64>) -> bool) -> Result<Self> {
        let mut builder = LayoutBuilder::new();
        builder.profile.open()?;
        let mut pushed = Ok(());
        let aligned = coord.profile().align(self.profile(), |leaf, span| {
            if pushed.is_ok() && coord.leaves().get(leaf).is_some_and(|at| keep(*at)) {
                pushed = builder.push(self, &span);
            }
        });
        if aligned.is_none() {
            return Err(misfit(coord, self.profile()));
        }
        pushed?;
        builder.profile.close();
        Ok(Self::shrunk(builder.modes, builder.profile.finish()))
    }
}
