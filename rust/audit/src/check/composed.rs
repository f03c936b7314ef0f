//! RG013: a composition that CuTe accepts, and whose result is not the composition.
//!
//! CuTe composes with each mode of the inner layout by itself. It asserts that strides and extents divide, but not that the modes
//! together stay inside the modes of the outer layout, and it takes a stride below an extent for one that divides it. The library
//! refuses exactly what has no right answer of that form; where it does, CuTe's own rule is followed here, and its answer is compared
//! with A(B(c)) at every coordinate.

use razorgirl::{Layout, Mode};

use super::cover::Budget;
use super::defect::{Defect, MAX_COORDINATES, coordinate};

/// The first coordinate at which CuTe's `composition(outer, inner)` is not `outer(inner(c))`.
pub fn lost(outer: &Layout, inner: &Layout, budget: &mut Budget) -> Option<Defect> {
    if outer.composition(inner).is_ok() || inner.size() > MAX_COORDINATES || !budget.take(inner.size()) {
        return None;
    }
    let made = cute(outer, inner)?;
    let (index, within, right, answer) = (0..inner.size()).find_map(|index| {
        let within = inner.at(index).ok()?;
        // Beyond its size CuTe lets the last mode of the outer layout go on, as it says.
        if within >= outer.size() {
            return None;
        }
        let right = outer.at(within).ok()?;
        let answer = at(&made, index)?;
        (right != answer).then_some((index, within, right, answer))
    })?;
    let coordinate = coordinate(inner, index);
    let modes: Vec<String> = made.iter().flatten().map(|mode| format!("{}:{}", mode.extent(), mode.stride())).collect();
    let notes = vec![
        format!(
            "B{coordinate} = {within} and A({within}) = {right}, but the result of CuTe has {answer} at {coordinate}"
        ),
        format!("A is {outer}, B is {inner}; CuTe makes the modes {}", modes.join(" ")),
    ];
    Some(Defect {
        title: "CuTe accepts this composition, and its result is another layout".to_owned(),
        layout: format!("{outer} o {inner}"),
        notes,
        ..Defect::default()
    })
}

/// The value of what CuTe makes at an index of the inner layout: one group of modes for each of its modes.
fn at(made: &[Vec<Mode>], index: u64) -> Option<u64> {
    let mut rest = index;
    let mut sum = 0_u64;
    for mode in made.iter().flatten() {
        sum = sum.checked_add((rest % mode.extent()).checked_mul(mode.stride())?)?;
        rest /= mode.extent();
    }
    Some(sum)
}

/// What CuTe makes of a composition of constants, a group for each mode of the inner layout; `None` where it does not compile, or
/// where it would go on in a mode of which this does not know the stride.
fn cute(outer: &Layout, inner: &Layout) -> Option<Vec<Vec<Mode>>> {
    let open = outer.modes().last().is_some_and(|mode| mode.extent() == 1);
    let flat = outer.coalesce();
    let modes: Vec<Mode> = flat.modes().to_vec();
    inner.modes().iter().map(|mode| one(&modes, open, *mode)).collect()
}

/// One mode s:d put into coalesced modes; `open` says that another mode of extent 1 follows, in which CuTe would go on.
fn one(outer: &[Mode], open: bool, inner: Mode) -> Option<Vec<Mode>> {
    let (mut extent, mut stride) = (inner.extent(), inner.stride());
    if stride == 0 || extent == 1 {
        return Some(vec![Mode::new(extent, 0)]);
    }
    let (last, before) = outer.split_last()?;
    let walked = if open { outer } else { before };
    if walked.is_empty() {
        return Some(vec![Mode::new(extent, stride.checked_mul(last.stride())?)]);
    }
    let mut made = Vec::new();
    for mode in walked {
        if stride % mode.extent() != 0 && stride >= mode.extent() {
            return None;
        }
        let room = mode.extent().div_ceil(stride);
        let next = stride.div_ceil(mode.extent());
        if room != 1 && extent != 1 {
            let taken = room.min(extent);
            if extent % taken != 0 {
                return None;
            }
            made.push(Mode::new(taken, stride.checked_mul(mode.stride())?));
            extent /= taken;
        }
        stride = next;
    }
    if extent > 1 {
        if open {
            return None;
        }
        made.push(Mode::new(extent, stride.checked_mul(last.stride())?));
    }
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(outer: &str, inner: &str) -> Option<Defect> {
        lost(&outer.parse().unwrap(), &inner.parse().unwrap(), &mut Budget::default())
    }

    #[test]
    fn carries_are_found_with_their_witness() {
        let defect = judged("(6,2):(1,7)", "(3,2):(2,3)").unwrap();
        assert!(defect.notes[0].starts_with("B(2,1) = 7 and A(7) = 8, but the result of CuTe has 7"), "{defect:?}");
        // A stride below an extent that it does not divide.
        assert!(judged("(4,2):(1,10)", "2:3").is_none());
        assert!(judged("(5,4):(1,100)", "4:2").is_none(), "3 does not divide 4: CuTe asserts");
        assert!(judged("(5,4):(1,100)", "6:2").is_some());
    }

    #[test]
    fn what_the_library_answers_and_what_does_not_compile_is_left_alone() {
        for (outer, inner) in [
            ("(6,2):(8,2)", "(4,3):(3,1)"),
            ("(4,2):(2,16)", "(4,3):(1,4)"),
            ("(8,8):(8,1)", "(4,2):(1,32)"),
            ("(10,2):(16,4)", "(3,4):(1,5)"),
        ] {
            assert!(judged(outer, inner).is_none(), "{outer} o {inner}");
        }
    }
}
