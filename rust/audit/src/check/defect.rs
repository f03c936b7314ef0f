//! What a rule says about a place of shared memory, and what several of them ask of a layout.

use razorgirl::SwizzledLayout;

use super::cover::Budget;
use crate::finding::{Code, Finding, Label, Place};

/// What a rule says about a place, before the place is known.
#[derive(Debug, Clone, Default)]
pub struct Defect {
    /// One sentence.
    pub title: String,
    /// The layout.
    pub layout: String,
    /// The facts.
    pub notes: Vec<String>,
    /// Other places, with words.
    pub labels: Vec<Label>,
}

impl Defect {
    /// The finding at a place, without a fix.
    pub fn finding(self, code: Code, place: Place) -> Finding {
        Finding {
            code,
            title: self.title,
            place,
            labels: self.labels,
            subject: None,
            layout: self.layout,
            tile: None,
            notes: self.notes,
            fix: None,
            affected: Vec::new(),
        }
    }
}

/// Layouts with more coordinates are not gone through.
pub const MAX_COORDINATES: u64 = 1 << 20;

/// The offsets of a layout, if there are few enough and none is 2^64 or more.
pub fn offsets(layout: &SwizzledLayout, budget: &mut Budget) -> Option<Vec<u64>> {
    if layout.size() > MAX_COORDINATES || !budget.take(layout.size()) {
        return None;
    }
    layout.offsets().collect::<razorgirl::Result<Vec<u64>>>().ok()
}

/// The coordinate of an index.
pub fn coordinate(layout: &razorgirl::Layout, index: u64) -> String {
    let text = layout.shape().idx2crd(index).map_or_else(|_| index.to_string(), |coordinate| coordinate.to_string());
    if text.starts_with('(') { text } else { format!("({text})") }
}

/// A layout in CuTe's notation, without a swizzle that is none.
pub fn shown(layout: &SwizzledLayout) -> String {
    if layout.swizzle().bits() == 0 && layout.offset() == 0 { layout.layout().to_string() } else { layout.to_string() }
}
