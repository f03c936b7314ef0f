//! Whether one nesting is a coarser one of another.

use super::reading::{Answer, Reading, shape_of};
use serde_json::{Value, json};

pub(super) const NAMES: &[&str] = &["weakly_congruent"];

pub(super) fn run(args: &[Value], reading: &mut Reading) -> Answer {
    let (coarse, fine) = (reading.take(shape_of(&args[0])), reading.take(shape_of(&args[1])));
    Some(Ok(Some(json!(coarse?.weakly_congruent(&fine?)))))
}
