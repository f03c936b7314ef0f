//! Layouts without gaps: column-major, row-major, and in the order of another.

use super::integer::one;
use super::layout::{Layout, Mode};
use super::reading::{Answer, Reading, answer_layout, layout_of, shape_of};
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["make_layout_left", "make_layout_like", "make_layout_right"];

/// The layout of a shape with a stride for each leaf: the product of the extents of all leaves that come before it.
pub(super) fn compact(shape: &Tree, before: impl Fn(usize, usize) -> bool) -> Layout {
    let leaves: Vec<BigInt> = shape.ints().into_iter().cloned().collect();
    let stride =
        |i: usize| -> BigInt { (0..leaves.len()).filter(|&j| before(j, i)).map(|j| leaves[j].clone()).product() };
    let mut strides = (0..leaves.len()).map(stride);
    let stride = shape.refill(&mut strides);
    // the strides of a compact layout fit wherever its size does
    Layout::of(shape, &stride).unwrap_or(Layout::Node(vec![]))
}

/// Whether leaf j comes before leaf i: by rank, then by place.
pub(super) fn by_rank(ranks: Vec<BigInt>) -> impl Fn(usize, usize) -> bool {
    move |j, i| (&ranks[j], j) < (&ranks[i], i)
}

pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    match op {
        "make_layout_left" => Some(answer_layout(compact(&reading.take(shape_of(&args[0]))?, |j, i| j < i))),
        "make_layout_right" => Some(answer_layout(compact(&reading.take(shape_of(&args[0]))?, |j, i| j > i))),
        _ => {
            let layout = reading.take(layout_of(&args[0]))?;
            let zero = BigInt::from(0);
            let modes = layout.modes();
            let mut extents = modes.iter().map(|mode| if mode.stride == zero { one() } else { mode.extent.clone() });
            let shape = layout.shape().refill(&mut extents);
            let like = compact(&shape, by_rank(modes.iter().map(|mode| mode.stride.clone()).collect()));
            let pairs = modes.iter().zip(like.modes());
            let modes = pairs.map(|(mode, new)| Mode { extent: mode.extent.clone(), stride: new.stride.clone() });
            Some(answer_layout(layout.with_modes(modes.collect())))
        }
    }
}
