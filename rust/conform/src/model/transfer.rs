//! Coordinates of one shape as coordinates of another.

use super::coord::{index, index_coord, inside};
use super::reading::{Answer, Reading, nesting, shape_of};
use super::refusal::Refusal;
use super::shape::{limit, size};
use crate::tree::Tree;
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["crd2crd"];

pub(super) fn run(args: &[Value], reading: &mut Reading) -> Answer {
    let coord = reading.take(Tree::read(&args[0]).map_err(Refusal::from));
    let nested = coord.clone().zip(nesting(&args[1]));
    reading.fault(nested.is_some_and(|(coord, shape)| !coord.weakly_congruent(&shape)), "incongruent");
    let beyond = |coord: &Tree| coord.ints().iter().any(|n| **n < 0.into() || **n >= limit());
    reading.fault(coord.as_ref().is_some_and(beyond), "out_of_domain");
    let (source, target) = (reading.take(shape_of(&args[1])), reading.take(shape_of(&args[2])));
    let (coord, source, target) = (coord?, source?, target?);
    if !reading.fine() {
        return None;
    }
    let at = index(&coord, &source);
    Some(if inside(&coord, &source) && at < size(&target) {
        Ok(Some(index_coord(&at, &target).to_json()))
    } else {
        Err(Refusal("out_of_domain"))
    })
}
