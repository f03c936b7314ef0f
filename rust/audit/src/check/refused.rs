//! RG020: a composition or division that CuTe answers with a layout of other values.

use super::constant::place;
use super::verdicts::Verdicts;
use crate::eval::Program;
use crate::finding::{Code, Finding};
use crate::python::Refused;

/// Reports what was refused with a witness.
pub fn check(program: &Program<'_>, all: &[Refused], verdicts: &mut Verdicts) {
    for refused in all {
        verdicts.find(Finding {
            code: Code::Carries,
            title: format!("no layout is {}", refused.what),
            place: place(program, refused.site),
            labels: Vec::new(),
            subject: None,
            layout: refused.what.clone(),
            tile: None,
            notes: vec![
                refused.why.clone(),
                "CuTe splits each mode by itself and does not see that they add up: it answers with a layout of other values".to_owned(),
            ],
            fix: None,
            affected: Vec::new(),
        });
    }
}
