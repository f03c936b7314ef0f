//! Integer division, and index expressions.

use crate::answer::Output;
use crate::kind::Division;
use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::int::simplify::simplify;
use razorgirl::int::{ceil, euclid, trunc};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "div",
        meaning: "quotient and remainder",
        notes: "of signed 64-bit integers; the remainder is at least 0 (`\"euclid\"`), has the sign of a (`\"trunc\"`), or the sign \
                opposite to b (`\"ceil\"`)",
        forms: &[form!(_; kind: Division, a: Integer, b: Integer => {
            let divide = match kind {
                Division::Euclid => euclid,
                Division::Trunc => trunc,
                Division::Ceil => ceil,
            };
            let (quotient, remainder) = divide(*a, *b)?;
            answer(Output::Integers(vec![quotient.into(), remainder.into()]))
        })],
        lean: &["Razorgirl.Division.euclid", "Razorgirl.Division.trunc", "Razorgirl.Division.ceil"],
        example: (&["euclid", "-3", "5"], "(-1,2)"),
        ..Op::PLAIN
    },
    Op {
        name: "simplify",
        meaning: "an index expression of the same value for all values of the variables in their ranges",
        notes: "no longer than E, counting variables, literals and operators, and a literal where E has no variable; `x0` has the first \
                range; both ends are included, and a variable without a range has none; divisions are `\"euclid\"` or `\"trunc\"`, and \
                by 0 the quotient is 0 and the remainder the dividend; at most 2^10 variables, literals and operators, numbers of 128 \
                bits on the way",
        forms: &[
            form!(_; kind: Truncation, E: Expr => answer(Output::Expr(simplify(*kind, &[], E)?))),
            form!(_; kind: Truncation, E: Expr, ranges: Ranges => answer(Output::Expr(simplify(*kind, ranges, E)?))),
        ],
        lean: &["Razorgirl.Index.shorten"],
        example: (&["trunc", "(x0 * 4 + x1) / 256", "(0..1023,0..3)"], "x0 / 64"),
        ..Op::PLAIN
    },
];
