//! RG001 and RG002 for layouts that are not part of an `MMA_Traits`.

use std::collections::{BTreeMap, BTreeSet};

use razorgirl::{Injectivity, Layout};
use serde::Serialize;

use super::cover::Budget;
use super::{Verdicts, congruent, notation, place, repair, spell};
use crate::ast::Site;
use crate::eval::{Constant, Program};
use crate::finding::{Code, Finding, Fix, Label};
use crate::survey::{Role, Survey};

/// Layouts with more elements are not searched for collisions.
const MAX_ELEMENTS: u64 = 1 << 20;

/// Numbers about layouts outside of traits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Plain {
    /// Layouts in which no two coordinates share an offset, broadcasts aside.
    pub injective: usize,
    /// Layouts with a stride of 0 under an extent above 1.
    pub broadcasts: usize,
    /// Layouts with sizes or offsets of 2^64 or more, or too large to tell.
    pub untold: usize,
}

/// Checks every resolved layout that no other check looks at.
pub fn check(program: &Program<'_>, survey: &Survey, verdicts: &mut Verdicts) {
    let matrices = survey.mma.iter().filter_map(|traits| traits.value.as_ref().ok());
    let elsewhere: BTreeSet<Site> =
        matrices.flat_map(|mma| mma.operands.iter().map(|member| member.layout.site)).collect();
    let mut at: BTreeMap<Site, Vec<(&Constant, Role)>> = BTreeMap::new();
    for found in &survey.layouts {
        if let Ok(constant) = &found.layout {
            at.entry(constant.site).or_default().push((constant, found.role));
        }
    }
    for (_, constant) in &survey.instances {
        at.entry(constant.site).or_default().push((constant, Role::Plain));
    }
    let mut budget = Budget::default();
    for (site, all) in at {
        if elsewhere.contains(&site) {
            continue;
        }
        // One definition can give many layouts; the first that is wrong stands for all.
        for (constant, role) in all {
            if let Some(finding) = judge(program, constant, role, &mut verdicts.plain, &mut budget) {
                verdicts.findings.push(finding);
                break;
            }
        }
    }
}

fn judge(
    program: &Program<'_>,
    constant: &Constant,
    role: Role,
    plain: &mut Plain,
    budget: &mut Budget,
) -> Option<Finding> {
    if !constant.shape.tuple.congruent(&constant.stride.tuple) {
        return Some(incongruent(program, constant));
    }
    let Ok(layout) = congruent(constant) else {
        plain.untold += 1;
        return None;
    };
    let modes = layout.modes().iter().filter(|mode| mode.extent() > 1);
    let (kept, zero): (Vec<_>, Vec<_>) = modes.copied().partition(|mode| mode.stride() > 0);
    plain.broadcasts += usize::from(!zero.is_empty());
    let Ok(kept) = Layout::from_modes(kept) else { return None };
    match injectivity(&kept, budget) {
        Some(Injectivity::Injective) => {
            plain.injective += 1;
            None
        }
        Some(verdict) if role == Role::Plain && constant.explicit => Some(overlap(program, constant, &layout, verdict)),
        Some(_) => None,
        None => {
            plain.untold += 1;
            None
        }
    }
}

/// Whether the strides show that no two coordinates share an offset: sorted, each begins beyond where the earlier ones end.
fn plainly_injective(layout: &Layout) -> bool {
    let mut sorted = layout.modes().to_vec();
    sorted.sort_unstable_by_key(|mode| mode.stride());
    let last = sorted.iter().try_fold(0_u64, |last, mode| {
        if mode.stride() > last { last.checked_add(mode.stride().checked_mul(mode.extent() - 1)?) } else { None }
    });
    last.is_some()
}

fn injectivity(layout: &Layout, budget: &mut Budget) -> Option<Injectivity> {
    if plainly_injective(layout) {
        return Some(Injectivity::Injective);
    }
    // A hash table of all offsets costs a hundred times as much as a count.
    if layout.size() > MAX_ELEMENTS || !budget.take(layout.size().saturating_mul(64)) {
        return None;
    }
    let verdict = layout.injectivity(MAX_ELEMENTS);
    verdict.is_injective().map(|_| verdict)
}

fn incongruent(program: &Program<'_>, constant: &Constant) -> Finding {
    let (labels, words) = spell::mismatch(program, constant);
    let fix = spell::renested(constant).into_iter().next().map(|candidate| {
        let checked = "with it shape and stride nest alike, and every extent keeps the stride in its place".to_owned();
        spell::renesting(program, constant, &candidate, checked)
    });
    let counts = (constant.shape.tuple.leaves().len(), constant.stride.tuple.leaves().len());
    let mut notes = vec![format!("{words}: it is not said which stride belongs to which extent")];
    if counts.0 != counts.1 {
        notes.push(format!("no nesting can mend it: the shape has {} numbers, the stride {}", counts.0, counts.1));
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

fn overlap(program: &Program<'_>, constant: &Constant, layout: &Layout, verdict: Injectivity) -> Finding {
    let kept: Vec<_> = layout.modes().iter().filter(|mode| mode.extent() > 1 && mode.stride() > 0).copied().collect();
    let filtered = Layout::from_modes(kept).map_or_else(|_| layout.to_string(), |layout| layout.to_string());
    let mut notes = Vec::new();
    if let Injectivity::Collision { i, j, offset } = verdict {
        let of = if filtered == layout.to_string() {
            String::new()
        } else {
            format!(" of {filtered} (broadcasts set aside)")
        };
        notes.push(format!("indices {i} and {j}{of} both have the offset {offset}"));
    } else {
        notes.push(format!("it has {} coordinates and only {} offsets", layout.size(), layout.cosize()));
    }
    let separate = |candidate: &Layout| {
        let modes = candidate.modes().iter().filter(|mode| mode.extent() > 1 && mode.stride() > 0).copied();
        Layout::from_modes(modes).is_ok_and(|kept| plainly_injective(&kept))
    };
    let mut labels: Vec<Label> = Vec::new();
    let mut fix: Option<Fix> = None;
    let repairs = repair::separating(layout, &separate);
    let checked = "with it no two coordinates share an offset".to_owned();
    if let Some((more, found)) = spell::changes(program, constant, &repairs, checked, &|_| String::new()) {
        labels = more;
        fix = Some(found);
    }
    Finding {
        code: Code::Overlap,
        title: format!("two coordinates of the layout {layout} share an offset"),
        place: place(program, constant.site),
        labels,
        subject: None,
        layout: layout.to_string(),
        tile: None,
        notes,
        fix,
        affected: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use razorgirl::Mode;

    use super::*;

    proptest! {
        /// What the strides show is true, and what is searched for is found.
        #[test]
        fn injectivity_agrees_with_the_definition(modes in prop::collection::vec((2..5_u64, 1..20_u64), 0..5)) {
            let layout = Layout::from_modes(modes.iter().map(|(extent, stride)| Mode::new(*extent, *stride))).unwrap();
            let injective = layout.offsets().collect::<BTreeSet<u64>>().len() as u64 == layout.size();
            prop_assert!(injective || !plainly_injective(&layout));
            let verdict = injectivity(&layout, &mut Budget::default());
            prop_assert_eq!(verdict.and_then(Injectivity::is_injective), Some(injective));
        }
    }
}
