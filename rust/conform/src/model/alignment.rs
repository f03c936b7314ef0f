//! Elements that lie side by side, however the layout is cut.

use super::integer::{gcd, one};
use super::layout::{Layout, Mode};
use super::reading::{Answer, Reading, layout_of};
use crate::tree::int_json;
use num_bigint::BigInt;
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["max_alignment"];

fn max_alignment(layout: &Layout) -> BigInt {
    let mut modes: Vec<&Mode> = layout.modes().into_iter().filter(|mode| mode.extent > one()).collect();
    let mut run = one();
    while let Some(i) = modes.iter().position(|mode| mode.stride == run) {
        run *= &modes.remove(i).extent;
    }
    modes.iter().fold(run, |n, mode| gcd(&n, &mode.stride))
}

pub(super) fn run(args: &[Value], reading: &mut Reading) -> Answer {
    Some(Ok(Some(int_json(&max_alignment(&reading.take(layout_of(&args[0]))?)))))
}
