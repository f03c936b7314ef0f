//! Swizzles of numbers.

use crate::code::Refusal;
use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::Swizzle;

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "swizzle",
    meaning: "the offset of x under Swizzle<B,M,S>",
    notes: "B must be from 0 to 64, M at least 0, S may be any integer; CuTe requires |S| >= B",
    forms: &[form!(_; B: Index, M: Index, S: Integer, x: Index => {
        let swizzle = Swizzle::checked(*B, *M, *S)
            .map_err(|error| Refusal::from(error).with_help("the order of the arguments is B, M, S, x"))?;
        answer(swizzle.apply(*x)?)
    })],
    lean: &["Razorgirl.Swizzle.apply"],
    cute: Some("Swizzle<B,M,S>"),
    example: (&["3", "4", "3", "336"], "368"),
    ..Op::PLAIN
}];
