//! The same function under another shape.

use crate::error::{Error, Result};
use crate::int_tuple::Shape;
use crate::suggestion::{Argument, Suggestion};

use super::basic::Layout;
use super::composition::{completely, digitwise};

impl Layout {
    /// The layout with the same offset at every index of this shape; its own shape refines it. A smaller shape keeps the
    /// first indices.
    ///
    /// # Errors
    /// As [`composition`](Self::composition) with the column-major layout of the shape, which this is.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(8,4):(1,10)".parse()?;
    /// assert_eq!(layout.with_shape(&"(4,8)".parse()?)?.to_string(), "(4,(2,4)):(1,(4,10))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `layout.with_shape(shape)`.
    ///
    /// Lean: `Razorgirl.Layout.withShape`, `Razorgirl.Layout.withShapeRefusal`
    pub fn with_shape(&self, shape: &Shape) -> Result<Self> {
        self.composition(&Self::column_major(shape)).map_err(|error| retold(error, self, &digitwise))
    }

    /// [`with_shape`](Self::with_shape) whenever there is such a layout.
    ///
    /// # Errors
    /// As [`composition_complete`](Self::composition_complete) with the column-major layout of the shape.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(2,3):(3,1)".parse()?;
    /// assert_eq!(layout.with_shape_complete(&"2".parse()?)?.to_string(), "2:3");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.withShapeComplete`, `Razorgirl.Layout.withShapeCompleteRefusal`
    pub fn with_shape_complete(&self, shape: &Shape) -> Result<Self> {
        self.composition_complete(&Self::column_major(shape)).map_err(|error| retold(error, self, &completely))
    }
}

/// The refusal of a composition with the layout of a shape, as that of the shape.
#[cold]
fn retold(error: Error, layout: &Layout, compose: &dyn Fn(&Layout, &Layout) -> Option<Layout>) -> Error {
    error.retold(|suggestion| {
        if suggestion.operation() == Some("composition_complete") {
            return Some(suggestion.clone().of("with_shape_complete"));
        }
        let Some(Argument::Layout(inner)) = suggestion.only(1) else { return None };
        let shape = inner.shape();
        let shaped = compose(layout, &Layout::column_major(&shape))?;
        Some(Suggestion::with(1, "the shape", shape, "the result", &shaped))
    })
}
