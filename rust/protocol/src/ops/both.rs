//! Operations that answer a shape for a shape and a layout for a layout.

use razorgirl::{IntTuple, Layout, Result, Shape};

use crate::code::{Code, Refusal};
use crate::kind::Modes;
use crate::ops::answer;
use crate::table::Outcome;

/// The same of a shape and of a layout.
pub(super) fn either(
    operand: &Modes,
    on_shape: impl FnOnce(&IntTuple) -> Result<IntTuple>,
    on_layout: impl FnOnce(&Layout) -> Result<Layout>,
) -> Outcome {
    match operand {
        Modes::Shape(shape) => answer(Shape::new(on_shape(shape.extents())?)?.extents().clone()),
        Modes::Layout(layout) => answer(on_layout(layout)?),
    }
}

/// The same of two shapes and of two layouts; a mixture of the two is refused.
pub(super) fn pair(
    first: &Modes,
    second: &Modes,
    on_shapes: impl FnOnce(&IntTuple, &IntTuple) -> Result<IntTuple>,
    on_layouts: impl FnOnce(&Layout, &Layout) -> Result<Layout>,
) -> Outcome {
    match (first, second) {
        (Modes::Shape(a), Modes::Shape(b)) => {
            answer(Shape::new(on_shapes(a.extents(), b.extents())?)?.extents().clone())
        }
        (Modes::Layout(a), Modes::Layout(b)) => answer(on_layouts(a, b)?),
        (Modes::Shape(_), Modes::Layout(_)) => Err(mixture("a shape", "a layout")),
        (Modes::Layout(_), Modes::Shape(_)) => Err(mixture("a layout", "a shape")),
    }
}

fn mixture(first: &str, last: &str) -> Refusal {
    Refusal::new(Code::Parse, format!("the first argument is {first}, the last one {last}"))
        .with_help("give two shapes or two layouts")
}
