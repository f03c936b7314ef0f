//! The extent that offsets reach.

use super::reading::{Answer, Reading, layout_of};
use crate::tree::int_json;
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["coshape"];

pub(super) fn run(args: &[Value], reading: &mut Reading) -> Answer {
    Some(Ok(Some(int_json(&reading.take(layout_of(&args[0]))?.cosize()))))
}
