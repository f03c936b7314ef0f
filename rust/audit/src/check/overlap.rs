//! RG002: two coordinates share an offset.

use razorgirl::{Injectivity, Layout};

use super::constant::place;
use super::cover::Budget;
use super::defect::Defect;
use super::{repair, spell};
use crate::eval::{Constant, Program};
use crate::finding::{Code, Finding, Fix};

/// Layouts with more elements are not searched for collisions.
const MAX_ELEMENTS: u64 = 1 << 20;

/// A layout without the modes that say by a stride of 0 that they share.
pub fn broadcasts_aside(layout: &Layout) -> Layout {
    let kept = layout.modes().iter().filter(|mode| mode.extent() > 1 && mode.stride() > 0).copied();
    // Fewer modes than those of a layout make a layout.
    Layout::from_modes(kept).unwrap_or_else(|_| layout.clone())
}

/// Whether the strides show that no two coordinates share an offset: sorted, each begins beyond where the earlier ones end.
pub fn plainly_injective(layout: &Layout) -> bool {
    let mut sorted = layout.modes().to_vec();
    sorted.sort_unstable_by_key(|mode| mode.stride());
    let last = sorted.iter().try_fold(0_u64, |last, mode| {
        if mode.stride() > last { last.checked_add(mode.stride().checked_mul(mode.extent() - 1)?) } else { None }
    });
    last.is_some()
}

/// Whether two coordinates share an offset; `None` when it cannot be told within the budget.
pub fn injectivity(layout: &Layout, budget: &mut Budget) -> Option<Injectivity> {
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

/// The coordinate of an index that counts only the modes that [`broadcasts_aside`] keeps, in the nesting of the layout.
fn coordinate(layout: &Layout, index: u64) -> String {
    let (mut rest, mut step, mut whole) = (index, 1, 0);
    for mode in layout.modes() {
        if mode.extent() > 1 && mode.stride() > 0 {
            whole += rest % mode.extent() * step;
            rest /= mode.extent();
        }
        // The product of the extents is the size of the layout.
        step *= mode.extent();
    }
    let text = layout.shape().idx2crd(whole).map_or_else(|_| whole.to_string(), |coordinate| coordinate.to_string());
    if text.starts_with('(') { text } else { format!("({text})") }
}

/// What is wrong with a layout, and the witness.
fn said(layout: &Layout, verdict: Injectivity) -> Defect {
    let note = if let Injectivity::Collision { i, j, offset } = verdict {
        let [first, second] = [i, j].map(|index| coordinate(layout, index));
        format!("L{first} = {offset} and L{second} = {offset}")
    } else {
        let kept = broadcasts_aside(layout);
        let (size, end) = (kept.size(), kept.cosize());
        format!("without its modes of stride 0 it has {size} coordinates, but all its offsets are below {end}")
    };
    let title = format!("two coordinates of the layout {layout} share an offset");
    Defect { title, layout: layout.to_string(), notes: vec![note], ..Defect::default() }
}

/// The defect of a layout that nothing names: `make_tensor(pointer, shape, stride)`.
pub fn defect(layout: &Layout, budget: &mut Budget) -> Option<Defect> {
    let verdict = injectivity(&broadcasts_aside(layout), budget)?;
    (verdict.is_injective() == Some(false)).then(|| said(layout, verdict))
}

/// The defect. `subject` is the member of a copy atom that the layout defines, if it does: its coordinates are (thread, value)
/// and its offsets bits.
pub fn finding(
    program: &Program<'_>,
    constant: &Constant,
    layout: &Layout,
    verdict: Injectivity,
    subject: Option<String>,
) -> Finding {
    let mut defect = said(layout, verdict);
    if let Some(subject) = &subject {
        defect.title = format!("two coordinates of {subject} share bits");
        defect.notes.push(
            "its coordinates are (thread, value) and its offsets bits: two threads or values have the same bits"
                .to_owned(),
        );
    }
    let separate = |candidate: &Layout| plainly_injective(&broadcasts_aside(candidate));
    let mut fix: Option<Fix> = None;
    let repairs = repair::separating(layout, &separate);
    let checked = "with it no two coordinates share an offset; whether that layout was meant is not known".to_owned();
    if let Some((more, found)) = spell::changes(program, constant, &repairs, checked, &|_| String::new()) {
        defect.labels = more;
        fix = Some(found);
    }
    Finding { subject, fix, ..defect.finding(Code::Overlap, place(program, constant.site)) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use razorgirl::Mode;

    use super::*;

    #[test]
    fn collisions_are_named_in_the_layouts_own_nesting() {
        // Broadcasts in front, in the middle and behind take the coordinate 0.
        let layout: Layout = "(2,(8,3,1),4,5):(0,(1,0,7),4,0)".parse().unwrap();
        let Some(Injectivity::Collision { i, j, offset }) =
            injectivity(&broadcasts_aside(&layout), &mut Budget::default())
        else {
            panic!("a collision")
        };
        for index in [i, j] {
            let text = coordinate(&layout, index);
            let at: razorgirl::IntTuple = text.parse().unwrap();
            assert_eq!(
                layout.shape().crd2idx(&at.clone().into()).map(|index| layout.at(index)).unwrap().unwrap(),
                offset,
                "{text}"
            );
        }
        assert_ne!(coordinate(&layout, i), coordinate(&layout, j));
        assert_eq!(coordinate(&"8:2".parse().unwrap(), 3), "(3)");
    }

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
