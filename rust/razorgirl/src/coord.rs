//! Coordinates and linear indices (mixed radix, first mode fastest).

use core::fmt;

use razorgirl_extracted::functions;

use crate::error::{Error, ErrorKind, Result, brief};
use crate::inline::InlineVec;
use crate::int_tuple::write::write_nested;
use crate::int_tuple::{HTuple, IntTuple, Profile, Shape};

/// A coordinate: integers, and nothing where CuTe writes `_` ("keep this mode").
///
/// It may be coarser than the shape that it indexes: an integer may index a nested mode, as a linear index into it.
///
/// ```
/// use razorgirl::Coord;
///
/// let coord: Coord = "((_,2),5)".parse()?;
/// assert_eq!(coord.leaves(), [None, Some(2), Some(5)]);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Coord`
pub type Coord = HTuple<Option<u64>>;

impl From<&IntTuple> for Coord {
    fn from(tuple: &IntTuple) -> Self {
        tuple.map(Some)
    }
}

impl From<IntTuple> for Coord {
    fn from(tuple: IntTuple) -> Self {
        Self::from(&tuple)
    }
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_nested(f, self.profile(), self.leaves(), |leaf, f| match leaf {
            Some(index) => index.fmt(f),
            None => f.write_str("_"),
        })
    }
}

impl Shape {
    /// The coordinate of a linear index, with the nesting of the shape. The first mode runs fastest.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) unless `index` is below the size.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let shape: Shape = "((4,2),8)".parse()?;
    /// assert_eq!(shape.idx2crd(13)?.to_string(), "((1,1),1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `idx2crd(index, shape)`, which lets the last mode grow instead of refusing.
    ///
    /// Lean: `Razorgirl.Coord.idx2crd`
    pub fn idx2crd(&self, index: u64) -> Result<IntTuple> {
        if index >= self.size() {
            return Err(index_error(index, self.size()));
        }
        let coordinates = functions::idx2crd(self.extents().leaves(), index).map_err(Error::unforeseen)?;
        Ok(IntTuple::from_parts(InlineVec::from_slice(&coordinates), self.profile().clone()))
    }

    /// The linear index of a coordinate; `_` counts as 0. The inverse of [`idx2crd`](Self::idx2crd) on coordinates with
    /// the nesting of the shape.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) if the shape has no tuple of the same length where the coordinate has a
    /// tuple; [`OutOfDomain`](ErrorKind::OutOfDomain) where an integer is not below the size of its mode.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let shape: Shape = "((4,2),8)".parse()?;
    /// assert_eq!(shape.crd2idx(&"((1,1),1)".parse()?)?, 13);
    /// assert_eq!(shape.crd2idx(&"(5,1)".parse()?)?, 13);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `crd2idx(coord, shape)`.
    ///
    /// Lean: `Razorgirl.Coord.crd2idx`
    pub fn crd2idx(&self, coord: &Coord) -> Result<u64> {
        // An integer is already the index into its mode, so only the sizes of the modes it stands for matter.
        let (mut index, mut weight, mut fault) = (0, 1, None);
        let aligned = coord.profile().align(self.profile(), |leaf, span| {
            let extents = self.extents().leaves().get(span.leaves).unwrap_or_default();
            let size: u64 = extents.iter().product();
            if let Some(&Some(at)) = coord.leaves().get(leaf) {
                if at < size {
                    index += at * weight;
                } else {
                    fault = fault.or(Some((leaf, at, size)));
                }
            }
            weight *= size;
        });
        if aligned.is_none() {
            return Err(misfit(coord, self.profile()));
        }
        match fault {
            None => Ok(index),
            Some((leaf, at, size)) => Err(coordinate_error(coord.profile(), leaf, at, size)),
        }
    }

    /// The coordinate in another shape that has the linear index of this one; `_` counts as 0.
    ///
    /// # Errors
    /// As [`crd2idx`](Self::crd2idx); [`OutOfDomain`](ErrorKind::OutOfDomain) when the index is not below the size of the
    /// other shape.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let shape: Shape = "(4,6)".parse()?;
    /// assert_eq!(shape.crd2crd(&"(1,1)".parse()?, &"(6,4)".parse()?)?.to_string(), "(5,0)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `crd2crd(coord, self, other)`, which goes mode by mode where it can, and answers `(1,1)` here.
    ///
    /// Lean: `Razorgirl.Coord.crd2crd`
    pub fn crd2crd(&self, coord: &Coord, other: &Self) -> Result<IntTuple> {
        other.idx2crd(self.crd2idx(coord)?)
    }
}

#[cold]
pub(crate) fn index_error(index: u64, size: u64) -> Error {
    Error::new(ErrorKind::OutOfDomain, format!("index {index} is outside [0,{size})"))
        .with_help(format!("use an index below {size}"))
}

#[cold]
pub(crate) fn coordinate_error(profile: &Profile, leaf: usize, at: u64, size: u64) -> Error {
    Error::new(ErrorKind::OutOfDomain, format!("coordinate {at} at mode {} is outside [0,{size})", profile.path(leaf)))
        .with_leaf(leaf)
        .with_help(format!("use a coordinate below {size} there"))
}

#[cold]
pub(crate) fn misfit(coord: &Coord, profile: &Profile) -> Error {
    Error::new(
        ErrorKind::Incongruent,
        format!("the coordinate {} does not fit the nesting {}", brief(coord), brief(profile)),
    )
    .with_help("each tuple of the coordinate needs a tuple with as many modes in its place; an integer or _ may stand for a whole mode")
}
