//! RG013 in Python: a composition or division that CuTe answers with a layout of other values.

use razorgirl::Layout;

use super::composed;
use super::constant::place;
use super::cover::Budget;
use super::verdicts::Verdicts;
use crate::ast::Site;
use crate::eval::Program;
use crate::finding::{Code, Finding};
use crate::python::Refused;

/// Reports what was refused with a witness.
pub fn check(program: &Program<'_>, all: &[Refused], verdicts: &mut Verdicts) {
    for refused in all {
        verdicts.find(Finding {
            code: Code::Composed,
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

/// Reports what CuTe answers by its own rule, and with other values.
pub fn composed(program: &Program<'_>, all: &[(Site, Layout, Layout)], verdicts: &mut Verdicts) {
    let mut budget = Budget::default();
    for (site, outer, inner) in all {
        let Some(defect) = composed::lost(outer, inner, &mut budget) else { continue };
        verdicts.find(Finding {
            code: Code::Composed,
            title: defect.title,
            place: place(program, *site),
            labels: Vec::new(),
            subject: None,
            layout: defect.layout,
            tile: None,
            notes: defect.notes,
            fix: None,
            affected: Vec::new(),
        });
    }
}
