//! Integer division, and index expressions.

use crate::answer::Output;
use crate::code::{Code, Refusal};
use crate::kind::Division;
use crate::ops::answer;
use crate::table::{Op, Outcome, STRICT, form};
use razorgirl::int::expr::{Expr, Kind, Range};
use razorgirl::int::simplify::simplify;
use razorgirl::int::{ceil, euclid, trunc};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
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
    },
    Op {
        name: "simplify",
        meaning: "an index expression of the same value for all values of the variables in their ranges",
        notes: "`x0` has the first range; both ends are included, and a variable without a range has none; divisions are `\"euclid\"` or `\"trunc\"`, and by 0 the quotient is 0 and the remainder the dividend; at most 2^10 variables, literals and operators, numbers of 128 bits on the way",
        forms: &[
            form!(_; kind: Division, E: Expr => simplified(*kind, E, &[])),
            form!(_; kind: Division, E: Expr, ranges: Ranges => simplified(*kind, E, ranges)),
        ],
        modes: STRICT,
        idle: &[],
        beside: &[],
        lean: &["Razorgirl.Index.simplify"],
        cute: None,
        example: (&["trunc", "(x0 * 4 + x1) / 256", "(0..1023,0..3)"], "x0 / 64"),
    },
];

fn simplified(kind: Division, expr: &Expr, ranges: &[Range]) -> Outcome {
    let kind = match kind {
        Division::Euclid => Kind::Euclid,
        Division::Trunc => Kind::Trunc,
        Division::Ceil => {
            return Err(Refusal::new(Code::Parse, "index expressions divide by \"euclid\" or \"trunc\"")
                .with_help("generated code divides by \"trunc\""));
        }
    };
    answer(Output::Expr(simplify(kind, ranges, expr)?))
}
