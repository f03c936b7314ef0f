//! RG011 and RG012 of the same array are one fault with one fix, and one finding.

use std::collections::BTreeMap;

use super::verdicts::Verdicts;
use crate::ast::Span;
use crate::finding::{Code, Finding, Place};

/// What RG011 says of an array that RG012 would report too.
const DECLARED_BY_SIZE: &str = "the array is declared with size; cosize counts what the layout spans";

/// Adds RG012 findings, each with the place of its array. If RG011 names that array, its finding gets a note instead.
pub fn add(by_size: Vec<(Place, Finding)>, verdicts: &mut Verdicts) {
    let mut arrays: BTreeMap<Place, usize> = BTreeMap::new();
    for (index, finding) in verdicts.findings.iter().enumerate().filter(|(_, of)| of.code == Code::SmallArray) {
        if let Some(array) = finding.labels.first() {
            arrays.entry(array.place).or_insert(index);
        }
    }
    for (place, sized) in by_size {
        match named(&arrays, place).and_then(|index| verdicts.findings.get_mut(index)) {
            Some(past) => past.notes.push(DECLARED_BY_SIZE.to_owned()),
            None => verdicts.find(sized),
        }
    }
}

/// The finding whose array is inside a place or around it: C++ names the array in its declaration, Python the call around the count.
fn named(arrays: &BTreeMap<Place, usize>, place: Place) -> Option<usize> {
    let Place { file, span } = place;
    let start = Place { file, span: Span { start: span.start, end: span.start } };
    let inside = arrays.range(start..).next().filter(|(at, _)| at.file == file && span.contains(at.span));
    let around = || {
        let before = Place { file, span: Span { start: span.start, end: u32::MAX } };
        arrays.range(..=before).next_back().filter(|(at, _)| at.file == file && at.span.contains(span))
    };
    inside.or_else(around).map(|(_, index)| *index)
}
