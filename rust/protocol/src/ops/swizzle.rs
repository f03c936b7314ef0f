//! Swizzles of numbers.

use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::Swizzle;

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "swizzle",
    meaning: "the offset of x under Swizzle<B,M,S>",
    notes: "B and M may be any integers from 0, and S any integer; CuTe requires |S| >= B",
    forms: &[form!(_; B: Index, M: Index, S: Integer, x: Index => answer(Swizzle::new(*B, *M, *S).apply(*x)?))],
    lean: &["Razorgirl.Swizzle.apply"],
    cute: Some("Swizzle<B,M,S>"),
    example: (&["3", "4", "3", "336"], "368"),
    ..Op::PLAIN
}];
