//! RG008: a swizzle that CuTe does not have. RG009: a swizzle that moves elements out of their layout. RG010: a swizzle of bits that
//! are always 0.

use std::collections::BTreeMap;

use razorgirl::{Swizzle, SwizzledLayout};

use super::constant::place;
use super::cover::Budget;
use super::defect::{Defect, coordinate, offsets, shown};
use super::verdicts::Verdicts;
use crate::ast::Site;
use crate::eval::Program;
use crate::finding::Code;

/// Numbers among which two are looked for that a swizzle takes to one place.
const MAX_SEARCHED: u64 = 1 << 12;

/// RG008: |S| is below B.
pub fn unusual(swizzle: Swizzle) -> Option<Defect> {
    if swizzle.is_usual() {
        return None;
    }
    let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
    let name = format!("Swizzle<{bits},{base},{shift}>");
    let mut notes =
        vec!["CuTe asserts that |S| is at least B, so this does not compile with CuTe's own Swizzle".to_owned()];
    if swizzle.is_bijective() {
        notes.push("it is still a bijection, but applied twice it is not the identity".to_owned());
    } else {
        notes.push(match clash(swizzle) {
            Some((a, b, to)) => format!("it is not a bijection: it maps {a} and {b} to {to}"),
            None => {
                "it is not a bijection: two numbers that differ in one of these bits have the same image".to_owned()
            }
        });
    }
    let title = format!("{name} exclusive-ors {bits} bits onto bits {} away", shift.unsigned_abs());
    Some(Defect { title, layout: swizzle.to_string(), notes, ..Defect::default() })
}

/// RG029: a swizzle of Python that CuTe's DSL takes for the one that moves nothing, once for each file and swizzle.
pub fn dropped(program: &Program<'_>, all: &[(Site, Swizzle)], verdicts: &mut Verdicts) {
    let unusual = || all.iter().filter(|(_, swizzle)| swizzle.bits() > 0 && !swizzle.is_usual());
    let key = |site: Site, swizzle: Swizzle| (site.unit, swizzle.bits(), swizzle.base(), swizzle.shift());
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for (site, swizzle) in unusual() {
        *counts.entry(key(*site, *swizzle)).or_default() += 1;
    }
    for (site, swizzle) in unusual() {
        // The first of its file says how many there are.
        let Some(count) = counts.remove(&key(*site, *swizzle)) else { continue };
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        let mut notes = vec![format!(
            "CuTe asserts that |S| is at least B; CuTe DSL accepts it and makes S<0,4,3> of it: {shift} is below {bits}"
        )];
        if count > 1 {
            notes.push(format!("it is written {count} times in this file"));
        }
        let title = format!("make_swizzle({bits}, {base}, {shift}) makes a swizzle that moves nothing");
        let defect = Defect { title, layout: swizzle.to_string(), notes, ..Defect::default() };
        verdicts.find(defect.finding(Code::SwizzleDropped, place(program, *site)));
    }
}

/// Two numbers that go to one place, and that place.
fn clash(swizzle: Swizzle) -> Option<(u64, u64, u64)> {
    let mut from = std::collections::HashMap::new();
    (0..MAX_SEARCHED).find_map(|x| {
        let to = swizzle.apply(x).ok()?;
        from.insert(to, x).map(|before| (before, x, to))
    })
}

/// The bits that some offset before the swizzle has, and how many elements the layout spans before it.
fn before(layout: &SwizzledLayout, budget: &mut Budget) -> Option<(u64, u64)> {
    let plain = SwizzledLayout::new(Swizzle::new(0, 0, 0), layout.offset(), layout.layout().clone()).ok()?;
    let met = offsets(&plain, budget)?.into_iter().fold(0, |met, offset| met | offset);
    Some((met, layout.offset().checked_add(layout.layout().cosize())?))
}

/// RG009: an element lies at or beyond cosize, where CuTe takes no swizzle into account.
pub fn leaves(layout: &SwizzledLayout, budget: &mut Budget) -> Option<Defect> {
    let end = layout.offset().checked_add(layout.layout().cosize())?;
    // Bits below a power of two that divides the end stay below the end.
    let length = 64 - layout.swizzle().target().leading_zeros();
    if layout.swizzle().bits() == 0 || end.trailing_zeros() >= length {
        return None;
    }
    let offsets = offsets(layout, budget)?;
    let (index, offset) = (0..).zip(&offsets).find(|(_, offset)| **offset >= end)?;
    let most = offsets.iter().max()?;
    let notes = vec![
        format!(
            "coordinate {} is at offset {offset}; without the swizzle at {}",
            coordinate(layout.layout(), index),
            layout.layout().at(index).map_or_else(|_| "-".to_owned(), |at| (at + layout.offset()).to_string())
        ),
        format!("cosize is {end} and ignores the swizzle; {} elements are needed", most.saturating_add(1)),
    ];
    let title = format!("the swizzle of {} moves elements past the end of its layout", shown(layout));
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}

/// RG010: some or all of the bits that the swizzle reads are 0 in every offset.
pub fn idle(layout: &SwizzledLayout, budget: &mut Budget) -> Option<Defect> {
    let swizzle = layout.swizzle();
    let (met, end) = before(layout, budget)?;
    let idle = (swizzle.source() & !met).count_ones();
    if idle == 0 {
        return None;
    }
    let bits = swizzle.bits();
    let (all, what) = if u64::from(idle) >= bits {
        (true, "none of them is ever set".to_owned())
    } else {
        (false, format!("{idle} of them {} never set", if idle == 1 { "is" } else { "are" }))
    };
    let title = if all {
        format!("the swizzle of {} does nothing", shown(layout))
    } else {
        format!("the swizzle of {} is wider than its layout", shown(layout))
    };
    let from = swizzle.base() + swizzle.shift().max(0).unsigned_abs();
    let notes = vec![format!(
        "it reads bits {from} to {} of an offset, and in the {end} elements of this layout {what}",
        from + bits - 1
    )];
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}
