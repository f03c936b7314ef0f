//! RG013 in Python: a composition or division that CuTe answers with a layout of other values.

use super::composed;
use super::constant::place;
use super::cover::Budget;
use super::defect::Defect;
use super::verdicts::Verdicts;
use crate::eval::Program;
use crate::finding::{Code, Finding};
use crate::python::{Composition, Listed, Refused};

/// Reports what was refused with a witness.
pub fn check(program: &Program<'_>, all: &[Refused], verdicts: &mut Verdicts) {
    for refused in all {
        let why = "CuTe splits each mode by itself and does not see that they add up: it answers with a layout of other values";
        let defect = Defect {
            title: format!("no layout is {}", refused.what),
            layout: refused.what.clone(),
            notes: vec![refused.why.clone(), why.to_owned()],
            ..Defect::default()
        };
        verdicts.find(defect.finding(Code::Composed, place(program, refused.site)));
    }
}

/// Reports what CuTe answers by its own rule, and with other values.
pub fn composed(program: &Program<'_>, all: &[Composition], verdicts: &mut Verdicts) {
    let mut budget = Budget::default();
    for one in all {
        if let Some(finding) = finding(program, one, &mut budget) {
            verdicts.find(finding);
        }
    }
}

/// The same where it hangs on what the code lists: wrong for one call that has such values, or for all that are tried.
pub fn listed(program: &Program<'_>, all: &[Vec<Listed<Option<Composition>>>], verdicts: &mut Verdicts) {
    let mut budget = Budget::default();
    for ways in all {
        super::listed::wrong(ways, verdicts, &mut |one| {
            one.iter().filter_map(|one| finding(program, one, &mut budget)).collect()
        });
    }
}

fn finding(program: &Program<'_>, one: &Composition, budget: &mut Budget) -> Option<Finding> {
    let mut defect = one.parts.iter().find_map(|(outer, inner)| composed::lost(outer, inner, budget))?;
    if let Some(division) = &one.division {
        "CuTe accepts this division, and its result is another layout".clone_into(&mut defect.title);
        defect.layout.clone_from(division);
        defect.notes.push("the division composes A with B, which is the tile and its complement".to_owned());
    }
    Some(defect.finding(Code::Composed, place(program, one.site)))
}
