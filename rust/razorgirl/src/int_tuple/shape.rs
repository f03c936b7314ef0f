//! Shapes: nested tuples of extents.

use core::fmt;

use crate::error::{Error, ErrorKind, Result};

use super::htuple::IntTuple;
use super::literal::Literal;
use super::profile::{Profile, Span};

/// A nested tuple of extents, each at least 1, of size below 2^64.
///
/// ```
/// use razorgirl::Shape;
///
/// let shape: Shape = "((4,2),8)".parse()?;
/// assert_eq!((shape.size(), shape.rank(), shape.depth()), (64, 2, 2));
/// # Ok::<(), razorgirl::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    extents: IntTuple,
    size: u64,
}

impl Shape {
    /// Checks the extents of a tuple.
    ///
    /// # Errors
    /// [`Extent`](ErrorKind::Extent) when one is 0; [`Overflow`](ErrorKind::Overflow) when the size is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::{ErrorKind, IntTuple, Shape};
    ///
    /// assert_eq!(Shape::new(IntTuple::flat(&[4, 2]))?.size(), 8);
    /// assert_eq!(Shape::new(IntTuple::flat(&[4, 0])).unwrap_err().kind(), ErrorKind::Extent);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn new(extents: IntTuple) -> Result<Self> {
        for (leaf, extent) in extents.leaves().iter().enumerate() {
            if *extent == 0 {
                return Err(extent_error(extents.profile(), leaf, Literal::Fits(0)));
            }
        }
        let size = size_of(extents.leaves()).ok_or_else(size_overflow)?;
        Ok(Self { extents, size })
    }

    /// Checks the extents of a tuple as it was written.
    ///
    /// # Errors
    /// As [`Shape::new`], where a negative extent is an [`Extent`](ErrorKind::Extent) error too and one of 2^64 or more
    /// an [`Overflow`](ErrorKind::Overflow).
    pub fn from_literals(extents: &super::HTuple<Literal>) -> Result<Self> {
        check_extents(extents)?;
        if extents.leaves().contains(&Literal::Huge) {
            return Err(size_overflow());
        }
        Self::new(extents.map(|extent| match extent {
            Literal::Fits(value) => value,
            _ => 0,
        }))
    }

    pub(crate) fn from_valid(extents: IntTuple, size: u64) -> Self {
        Self { extents, size }
    }

    /// The extents.
    #[inline]
    #[must_use]
    pub fn extents(&self) -> &IntTuple {
        &self.extents
    }

    /// The nesting.
    #[inline]
    #[must_use]
    pub fn profile(&self) -> &Profile {
        self.extents.profile()
    }

    /// The product of the extents; 1 for `()`.
    ///
    /// Lean: `Razorgirl.IntTuple.size`
    #[inline]
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Number of modes at the top: 1 for a bare integer.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.extents.rank()
    }

    /// 0 for a bare integer, else 1 + the depth of the deepest mode.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.extents.depth()
    }

    /// All extents as one tuple; a bare integer stays one.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let shape: Shape = "((4,2),8)".parse()?;
    /// assert_eq!(shape.flatten().to_string(), "(4,2,8)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[must_use]
    pub fn flatten(&self) -> Self {
        Self { extents: self.extents.flatten(), size: self.size }
    }

    /// Whether both have the same nesting.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let shape: Shape = "((4,2),8)".parse()?;
    /// assert!(shape.congruent(&"((1,1),1)".parse()?));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[must_use]
    pub fn congruent(&self, other: &Self) -> bool {
        self.extents.congruent(&other.extents)
    }

    /// Whether every leaf of `self` has the size of what `fine` has in its place. Then every coordinate of `self` is
    /// one of `fine`. A partial order, with `self` below `fine`.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let coarse: Shape = "(8,8)".parse()?;
    /// assert!(coarse.compatible(&"((4,2),8)".parse()?));
    /// assert!(!coarse.compatible(&"((4,4),4)".parse()?));
    /// assert!(!"(8)".parse::<Shape>()?.compatible(&"8".parse()?));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `compatible(self, fine)`.
    ///
    /// Lean: `Razorgirl.IntTuple.compatible`
    #[must_use]
    pub fn compatible(&self, fine: &Self) -> bool {
        let mut equal = true;
        let aligned = self.profile().align(fine.profile(), |leaf, span| {
            equal &= self.extents.leaves().get(leaf).copied() == fine.size_of(&span);
        });
        aligned.is_some() && equal
    }

    /// [`compatible`](Self::compatible) with the arguments the other way round: `self` refines `coarse`.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let fine: Shape = "((4,2),8)".parse()?;
    /// assert!(fine.refines(&"(8,8)".parse()?));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.IntTuple.refines`
    #[must_use]
    pub fn refines(&self, coarse: &Self) -> bool {
        coarse.compatible(self)
    }

    fn size_of(&self, span: &Span) -> Option<u64> {
        size_of(self.extents.leaves().get(span.leaves.clone())?)
    }
}

/// The product, where it is below 2^64.
#[inline]
pub(crate) fn size_of(extents: &[u64]) -> Option<u64> {
    extents.iter().try_fold(1_u64, |size, extent| size.checked_mul(*extent))
}

/// Refuses the first extent that is 0 or below.
pub(crate) fn check_extents(extents: &super::HTuple<Literal>) -> Result<()> {
    for (leaf, extent) in extents.leaves().iter().enumerate() {
        if matches!(extent, Literal::Negative | Literal::Fits(0)) {
            return Err(extent_error(extents.profile(), leaf, *extent));
        }
    }
    Ok(())
}

#[cold]
pub(crate) fn extent_error(profile: &Profile, leaf: usize, extent: Literal) -> Error {
    Error::new(ErrorKind::Extent, format!("the extent at mode {} is {extent}", profile.path(leaf)))
        .with_leaf(leaf)
        .with_help("an extent is at least 1; drop the mode or give it extent 1")
}

#[cold]
pub(crate) fn size_overflow() -> Error {
    Error::new(ErrorKind::Overflow, "the size is 2^64 or more")
        .with_help("the product of the extents must stay below 2^64")
}

impl TryFrom<IntTuple> for Shape {
    type Error = Error;

    fn try_from(extents: IntTuple) -> Result<Self> {
        Self::new(extents)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.extents.fmt(f)
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shape({self})")
    }
}
