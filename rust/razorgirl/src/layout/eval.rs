//! The offset of a coordinate or index.

use razorgirl_extracted::functions;

use crate::coord::{Coord, coordinate_error, index_error, misfit};
use crate::error::{Error, ErrorKind, Result};

use super::basic::Layout;

/// What calling a layout gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallResult {
    /// The coordinate had no `_`.
    Offset(u64),
    /// The layout of the modes under a `_`, always a tuple.
    Sublayout(Layout),
}

impl Layout {
    /// The offset of a linear index. The first mode runs fastest.
    ///
    /// One division a leaf; where coordinates are at hand, [`at_flat`](Self::at_flat) is cheaper.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) unless `index` is below the size.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,8):(8,1)".parse()?;
    /// assert_eq!(layout.at(5)?, 9);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `layout(index)`, which lets the last mode grow instead of refusing.
    ///
    /// Lean: `Razorgirl.FlatLayout.atIndex`
    #[inline]
    pub fn at(&self, index: u64) -> Result<u64> {
        if index >= self.size() {
            return Err(index_error(index, self.size()));
        }
        functions::at_index(self.modes(), index).map_err(Error::unforeseen)
    }

    /// The offset of a coordinate with one integer for each leaf.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when there are more or fewer integers than leaves;
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) where one is not below its extent.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,8):(8,1)".parse()?;
    /// assert_eq!(layout.at_flat(&[1, 1])?, 9);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.FlatLayout.eval`
    #[inline]
    pub fn at_flat(&self, coordinates: &[u64]) -> Result<u64> {
        functions::at_coord(self.modes(), coordinates).map_err(|_| self.outside(coordinates))
    }

    /// The offset of a coordinate, or with a `_` in it the layout of the modes kept.
    ///
    /// # Errors
    /// As [`Shape::crd2idx`](crate::Shape::crd2idx); [`TooLarge`](ErrorKind::TooLarge) when the result would be nested
    /// deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::{CallResult, Layout};
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// assert_eq!(layout.call(&"((1,2),3)".parse()?)?, CallResult::Offset(23));
    /// assert_eq!(layout.call(&"(5,3)".parse()?)?, CallResult::Offset(23));
    /// assert_eq!(layout.call(&"(_,3)".parse()?)?, CallResult::Sublayout("((2,3)):((4,8))".parse()?));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `layout(coord)`.
    pub fn call(&self, coord: &Coord) -> Result<CallResult> {
        if coord.leaves().contains(&None) {
            Ok(CallResult::Sublayout(self.slice_and_offset(coord)?.layout))
        } else {
            Ok(CallResult::Offset(self.offset(coord)?))
        }
    }

    /// The offset of a coordinate; `_` counts as 0.
    ///
    /// # Errors
    /// As [`Shape::crd2idx`](crate::Shape::crd2idx).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// assert_eq!(layout.offset(&"(_,3)".parse()?)?, 3);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `crd2idx(coord, layout)`.
    ///
    /// Lean: `Razorgirl.Layout.call`
    pub fn offset(&self, coord: &Coord) -> Result<u64> {
        let (mut offset, mut fault) = (0, None);
        let aligned = coord.profile().align(self.profile(), |leaf, span| {
            if let Some(&Some(at)) = coord.leaves().get(leaf) {
                let modes = self.modes_of(&span);
                let size: u64 = modes.iter().map(|mode| mode.extent()).product();
                let inside = if at < size { functions::at_index(modes, at).ok() } else { None };
                match inside {
                    Some(more) => offset += more,
                    None => fault = fault.or(Some((leaf, at, size))),
                }
            }
        });
        if aligned.is_none() {
            return Err(misfit(coord, self.profile()));
        }
        match fault {
            None => Ok(offset),
            Some((leaf, at, size)) => Err(coordinate_error(coord.profile(), leaf, at, size)),
        }
    }

    #[cold]
    fn miscounted(&self, count: usize) -> Error {
        let message = format!("{count} coordinates for {} leaves", self.modes().len());
        Error::new(ErrorKind::Incongruent, message).with_help("give one coordinate for each leaf")
    }

    #[cold]
    fn outside(&self, coordinates: &[u64]) -> Error {
        if coordinates.len() != self.modes().len() {
            return self.miscounted(coordinates.len());
        }
        let mut pairs = self.modes().iter().zip(coordinates).enumerate();
        match pairs.find(|(_, (mode, at))| **at >= mode.extent()) {
            Some((leaf, (mode, at))) => coordinate_error(self.profile(), leaf, *at, mode.extent()),
            None => self.miscounted(coordinates.len()),
        }
    }
}
