//! RG001: shape and stride nest differently.

use super::constant::{notation, place};
use super::operand::{Question, Told, checked_words, rechecked};
use super::spell;
use crate::eval::{Constant, Program};
use crate::finding::{Code, Finding, Fix, Place};

/// The defect of a layout that stands for itself.
pub fn of_layout(program: &Program<'_>, constant: &Constant) -> Finding {
    let (labels, words) = spell::mismatch(program, constant);
    let fix = spell::renested(constant).into_iter().next().map(|candidate| {
        let checked = "with it shape and stride are congruent, and every extent keeps its stride".to_owned();
        spell::renesting(program, constant, &candidate, checked)
    });
    let counts = (constant.shape.tuple.leaves().len(), constant.stride.tuple.leaves().len());
    let mut notes = vec![format!("{words}: which stride belongs to which extent is ambiguous")];
    if counts.0 != counts.1 {
        notes.push(format!(
            "the shape has {} numbers, the stride {}: no nesting makes them congruent",
            counts.0, counts.1
        ));
    }
    Finding {
        code: Code::Incongruent,
        title: format!("shape and stride of the layout {} nest differently", notation(constant)),
        place: place(program, constant.site),
        labels,
        subject: None,
        layout: notation(constant),
        tile: None,
        notes,
        fix,
        affected: Vec::new(),
    }
}

/// The defect of a layout whose numbers are not known, and whose nesting is.
pub fn of_nesting(place: Place, shape: &str, stride: &str) -> Finding {
    let notes = vec![
        format!("the shape nests as {shape} and the stride as {stride}, whatever the numbers are"),
        "which stride belongs to which extent is ambiguous".to_owned(),
    ];
    Finding {
        code: Code::Incongruent,
        title: "shape and stride of this layout nest differently".to_owned(),
        place,
        labels: Vec::new(),
        subject: None,
        layout: String::new(),
        tile: None,
        notes,
        fix: None,
        affected: Vec::new(),
    }
}

/// The defect of matrices.
pub fn of_operand(question: Question<'_>) -> Told {
    let Question { program, first, subject, .. } = question;
    let (labels, words) = spell::mismatch(program, &first.member().layout);
    Told {
        title: format!("shape and stride of {subject} nest differently"),
        labels,
        notes: vec![format!("{words}: they nest differently, so which stride belongs to which extent is ambiguous")],
        fix: renested(question),
    }
}

/// Nesting that makes every layout of the group right.
fn renested(question: Question<'_>) -> Option<Fix> {
    let Question { program, group, first, .. } = question;
    let constant = &first.member().layout;
    spell::renested(constant).into_iter().find_map(|candidate| {
        let times = rechecked(&candidate.layout, first.tile)?;
        let all = group.iter().all(|seen| {
            spell::renested(&seen.member().layout)
                .iter()
                .any(|other| other.stride == candidate.stride && seen.right(&other.layout))
        });
        all.then(|| {
            let checked = format!("with it shape and stride are congruent; {}", checked_words(first, times));
            Fix { exact: first.registers().is_some(), ..spell::renesting(program, constant, &candidate, checked) }
        })
    })
}
