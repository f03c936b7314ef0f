//! RG011: a tensor that reaches past the array it lies in. RG012: an array with an element for each coordinate of a layout that has
//! gaps.

use razorgirl::SwizzledLayout;

use super::cover::Budget;
use super::defect::{Defect, coordinate, offsets, shown};

/// RG011: the first coordinate that lies past the end of an array of so many elements.
pub fn small(extent: u64, layout: &SwizzledLayout, budget: &mut Budget) -> Option<Defect> {
    let offsets = offsets(layout, budget)?;
    let (index, offset) = (0..).zip(&offsets).find(|(_, offset)| **offset >= extent)?;
    let needed = offsets.iter().max()?.saturating_add(1);
    let mut notes = vec![format!("coordinate {} lies at offset {offset}", coordinate(layout.layout(), index))];
    notes.push(format!("the layout is {}", shown(layout)));
    let title = format!("this tensor needs {needed} elements, and its array has {extent}");
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}

/// RG012: more elements are spanned than there are coordinates.
pub fn by_size(layout: &SwizzledLayout, budget: &mut Budget) -> Option<Defect> {
    let size = layout.size();
    let needed = offsets(layout, budget)?.into_iter().max()?.saturating_add(1);
    if needed <= size {
        return None;
    }
    let title = format!("this array has size = {size} elements, and its layout spans {needed}");
    let end = layout.offset().checked_add(layout.layout().cosize())?;
    let help = if end == needed { "cosize counts what a layout spans" } else { "cosize does not count what a swizzle moves past the end" };
    let notes = vec![format!("the layout is {}; {help}", shown(layout))];
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}
