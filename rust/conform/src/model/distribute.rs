//! A number spread over the modes of a shape.

use super::coalesce::coalesce;
use super::integer::{gcd, one};
use super::layout::{Layout, Mode};
use super::reading::{Answer, Reading, answer_layout, count, shape_of};
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["domain_distribute"];

pub(super) fn run(args: &[Value], reading: &mut Reading) -> Answer {
    let (shape, n) = (reading.take(shape_of(&args[0])), reading.take(count(&args[1])));
    let (shape, mut rest) = (shape?, n?);
    let mut stride = one();
    let mut modes = Vec::new();
    for extent in shape.ints() {
        let common = gcd(extent, &rest);
        modes.push(Layout::Leaf(Mode { extent: common.clone(), stride: stride.clone() }));
        rest /= common;
        stride *= extent;
    }
    Some(answer_layout(coalesce(&Layout::Node(modes))))
}
