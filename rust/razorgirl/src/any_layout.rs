//! A layout of any kind: of integers, swizzled, or of coordinates.

use core::fmt;

use crate::int_tuple::Shape;
use crate::layout::Layout;
use crate::stride::CoordLayout;
use crate::swizzle::SwizzledLayout;

/// A layout of any kind, as one text or one value says it.
///
/// ```
/// use razorgirl::AnyLayout;
///
/// let tile: AnyLayout = "Sw<3,3,3> o 0 o (8,64):(64,1)".parse()?;
/// assert!(matches!(tile, AnyLayout::Swizzled(_)));
/// assert_eq!(tile.shape().to_string(), "(8,64)");
/// assert!(matches!("Layout<Shape<_4,_8>,Stride<_1,_4>>".parse()?, AnyLayout::Plain(_)));
/// # Ok::<(), razorgirl::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnyLayout {
    /// Strides are integers, and nothing swizzles the offsets.
    Plain(Layout),
    /// A swizzle of the offsets.
    Swizzled(SwizzledLayout),
    /// Strides are coordinates.
    Coordinates(CoordLayout),
}

impl AnyLayout {
    /// Its shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match self {
            Self::Plain(layout) => layout.shape(),
            Self::Swizzled(layout) => layout.layout().shape(),
            Self::Coordinates(layout) => layout.shape(),
        }
    }

    /// What it is, in words.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Plain(_) => "a layout",
            Self::Swizzled(_) => "a swizzled layout",
            Self::Coordinates(_) => "a layout of coordinates",
        }
    }
}

/// In CuTe notation.
impl fmt::Display for AnyLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(layout) => layout.fmt(f),
            Self::Swizzled(layout) => layout.fmt(f),
            Self::Coordinates(layout) => layout.fmt(f),
        }
    }
}
