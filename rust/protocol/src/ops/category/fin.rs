//! Maps of pointed finite sets: {∗,1,…,m} → {∗,1,…,n}.

use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "fin_compose",
        meaning: "g after f",
        notes: "the codomain of f must be the domain of g",
        forms: &[form!(_; f: FinMap, g: FinMap => answer(f.compose(g)?))],
        lean: &["Razorgirl.Category.FinMap.comp"],
        example: (&["3->2 by (2,0,1)", "2->4 by (4,1)"], "3->4 by (1,0,4)"),
        ..Op::PLAIN
    },
    Op {
        name: "fin_sum",
        meaning: "f and g side by side, into their codomains side by side",
        forms: &[form!(_; f: FinMap, g: FinMap => answer(f.sum(g)?))],
        lean: &["Razorgirl.Category.FinMap.sum"],
        example: (&["2->3 by (3,0)", "1->1 by (1)"], "3->4 by (3,0,4)"),
        ..Op::PLAIN
    },
    Op {
        name: "fin_wedge",
        meaning: "f and g side by side, into the one codomain of both",
        notes: "only the basepoint may be a value of both",
        forms: &[form!(_; f: FinMap, g: FinMap => answer(f.wedge(g)?))],
        lean: &["Razorgirl.Category.FinMap.wedge"],
        example: (&["2->3 by (3,0)", "1->3 by (1)"], "3->3 by (3,0,1)"),
        ..Op::PLAIN
    },
];
