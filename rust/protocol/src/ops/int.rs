//! Integer division.

use crate::answer::Output;
use crate::kind::Division;
use crate::ops::answer;
use crate::table::{Op, STRICT, form};
use razorgirl::int::{ceil, euclid, trunc};

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "div",
    meaning: "quotient and remainder",
    notes: "of 64-bit integers with a sign; the remainder is never below 0 (`\"euclid\"`), has the sign of a (`\"trunc\"`), or the sign opposite to b (`\"ceil\"`)",
    forms: &[form!(_; kind: Division, a: Integer, b: Integer => {
        let divide = match kind {
            Division::Euclid => euclid,
            Division::Trunc => trunc,
            Division::Ceil => ceil,
        };
        let (quotient, remainder) = divide(*a, *b)?;
        answer(Output::Integers(vec![quotient.into(), remainder.into()]))
    })],
    modes: STRICT,
    idle: &[],
    beside: &[],
    lean: &["Razorgirl.Division.euclid", "Razorgirl.Division.trunc", "Razorgirl.Division.ceil"],
    cute: None,
    example: (&["euclid", "-3", "5"], "(-1,2)"),
}];
