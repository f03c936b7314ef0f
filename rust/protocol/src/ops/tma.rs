//! The copy engine.

use crate::answer::Output;
use crate::ops::answer;
use crate::table::{Op, STRICT, form};

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "fttc",
    meaning: "whether a copy by boxes can fill every hole, and the dimensions in which it cannot",
    notes: "`{\"strong\":bool,\"violations\":[…]}`; dimensions from 0, innermost first",
    forms: &[form!(_; sizes: Sizes, boxes: Sizes, element_strides: Sizes => {
        let verdict = razorgirl::tma::fttc(sizes, boxes, element_strides)?;
        let strong = verdict.is_strong();
        let violations = verdict.violations.iter().map(|dimension| *dimension as u64).collect();
        answer(Output::Named(vec![("strong", strong.into()), ("violations", Output::Naturals(violations))]))
    })],
    modes: STRICT,
    idle: &[],
    beside: &[],
    lean: &["Razorgirl.Tma.violations"],
    cute: None,
    example: (&["(16,8)", "(8,4)", "(3,2)"], "strong false, violations (0)"),
}];
