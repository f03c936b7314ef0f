//! RG007: a tiled copy that cannot cover its tile exactly once.

use std::collections::BTreeSet;

use razorgirl::Layout;

use super::constant::{congruent, notation, place};
use super::cover::{Budget, Coverage, coverage};
use super::defect::Defect;
use super::verdicts::Verdicts;
use crate::eval::{Constant, Program};
use crate::finding::Code;
use crate::python::Listed;
use crate::survey::{Survey, Tile, TiledCopy};

/// Checks every tiled copy.
pub fn check(program: &Program<'_>, survey: &Survey, verdicts: &mut Verdicts) {
    let mut budget = Budget::default();
    let mut seen = BTreeSet::new();
    for copy in survey.tiled_copies.iter().filter(|copy| seen.insert(copy.site)) {
        if let Some(defect) = wrong(copy, &mut budget) {
            verdicts.find(defect.finding(Code::TiledCopy, place(program, copy.site)));
        }
    }
}

/// Tiled copies that hang on what the code lists: wrong for one call that has such values, or for all that are tried.
pub fn listed(program: &Program<'_>, copies: &[Vec<Listed<TiledCopy>>], verdicts: &mut Verdicts) {
    let mut budget = Budget::default();
    for all in copies {
        super::listed::wrong(all, verdicts, &mut |copy| {
            wrong(copy, &mut budget)
                .map(|defect| defect.finding(Code::TiledCopy, place(program, copy.site)))
                .into_iter()
                .collect()
        });
    }
}

/// What is wrong with a tiled copy.
pub fn wrong(copy: &TiledCopy, budget: &mut Budget) -> Option<Defect> {
    for (layout, what) in [(&copy.threads, "thread"), (&copy.values, "value")] {
        if let Some(note) = gaps(layout, what, budget) {
            let title = format!("the {what} layout of this tiled copy is not a bijection onto [0, number of {what}s)");
            return Some(defect(layout, title, note));
        }
    }
    let ((vector, element), values) = (copy.vector?, congruent(&copy.values).ok()?);
    let bits = values.size().checked_mul(element)?;
    (bits % vector != 0).then(|| {
        let title = format!("each thread of this tiled copy has {bits} bits, and its atom copies {vector} at once");
        let note = format!("{} values of {element} bits are not a whole number of vectors", values.size());
        defect(&copy.values, title, note)
    })
}

fn defect(layout: &Constant, title: String, note: String) -> Defect {
    let layout = notation(layout);
    Defect { title, notes: vec![format!("it is {layout}"), note], layout, ..Defect::default() }
}

/// What is wrong with a layout that should count from 0 to its size, every number once. A mode of stride 0 may be meant, and is left
/// alone.
fn gaps(constant: &Constant, what: &str, budget: &mut Budget) -> Option<String> {
    let missed = missed(&congruent(constant).ok()?, what, budget)?;
    Some(format!("{missed}: make_tiled_copy uses right_inverse, which stops at the first gap"))
}

/// Which numbers from 0 to its size a layout does not count; it may count some twice instead.
pub fn missed(layout: &Layout, what: &str, budget: &mut Budget) -> Option<String> {
    if layout.modes().iter().any(|mode| mode.extent() > 1 && mode.stride() == 0) {
        return None;
    }
    let size = layout.size();
    match coverage(layout, Tile { rows: size, columns: 1 }, budget) {
        Coverage::Uneven(uneven) => {
            Some(format!("it has {size} coordinates and reaches {} of the {what}s 0 to {}", uneven.hit, size - 1))
        }
        Coverage::Even(_) | Coverage::TooLarge => None,
    }
}
