//! Swizzles of numbers.

use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::Swizzle;

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "swizzle",
    meaning: "where the thing at x is found under Swizzle<B,M,S>",
    notes: "every B and M from 0, and every S; CuTe asks for |S| of at least B",
    forms: &[form!(_; B: Index, M: Index, S: Integer, x: Index => answer(Swizzle::new(*B, *M, *S).apply(*x)?))],
    lean: &["Razorgirl.Swizzle.apply"],
    cute: Some("Swizzle<B,M,S>"),
    example: (&["3", "4", "3", "336"], "368"),
    ..Op::PLAIN
}];
