//! A layout as a function of another shape.

use super::compact::compact;
use super::composition::{complete, strict};
use super::reading::{Answer, Reading, layout_of, shape_of};
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["with_shape"];

pub(super) fn run(args: &[Value], completely: bool, reading: &mut Reading) -> Answer {
    let (layout, shape) = (reading.take(layout_of(&args[0])), reading.take(shape_of(&args[1])));
    let (layout, target) = (layout?, compact(&shape?, |j, i| j < i));
    let found = if completely { complete(&layout, &target) } else { strict(&layout, &target).map(Some) };
    Some(found.map(|found| found.map(|layout| layout.to_json())))
}
