//! What the library answers, beside what an extracted function answers.

use razorgirl::{Coord, Error, ErrorKind, Layout};
use razorgirl_extracted::{Fault, List, Mode, functions};

use super::{Case, Verdict, divisor};

/// A coordinate without nesting.
pub(super) fn coordinate(case: &Case) -> Coord {
    Coord::flat(&case.offsets.iter().map(|&entry| Some(entry)).collect::<Vec<_>>())
}

/// A layout and then its copies.
pub(super) fn beside(layout: &Layout, copies: &[Mode]) -> List<Mode> {
    let mut all = List::new();
    for mode in layout.modes() {
        all.push(*mode);
    }
    for mode in copies {
        all.push(*mode);
    }
    all
}

/// Quotient and remainder of two integers.
pub(super) fn divided(
    case: &Case,
    ours: fn(i64, i64) -> Result<(i64, i64), Error>,
    found: fn(i64, i64) -> Result<(i64, i64), Fault>,
) -> Verdict {
    let (a, b) = (case.number.cast_signed(), divisor(case));
    equal(&ours(a, b), &found(a, b))
}

/// The library's layout of these modes.
pub(super) fn layout(modes: &[Mode]) -> Result<Layout, Error> {
    Layout::from_modes(modes.iter().copied())
}

/// Where the modes are a layout.
pub(super) fn on_layout(case: &Case, check: impl FnOnce(&Layout) -> Verdict) -> Verdict {
    layout(&case.modes).map_or(Verdict::Invalid, |layout| check(&layout))
}

/// Size or cosize: the library refuses the layout where either is 2^64 or more.
pub(super) fn number(case: &Case, ours: fn(&Layout) -> u64, found: fn(&[Mode]) -> Result<u64, Fault>) -> Verdict {
    match layout(&case.modes) {
        Ok(layout) => equal(&Ok(ours(&layout)), &found(&case.modes)),
        Err(error) if error.kind() == ErrorKind::Overflow => {
            match (functions::size(&case.modes), functions::cosize(&case.modes)) {
                (Err(Fault::Overflow), _) | (_, Err(Fault::Overflow)) => Verdict::Refused,
                both => Verdict::Differ(Box::new([error.to_string(), format!("{both:?}")])),
            }
        }
        Err(_) => Verdict::Invalid,
    }
}

/// As [`same`]; where several kinds of refusal apply, either side may report any of them.
pub(super) fn same_kind(
    library: &razorgirl::Result<Layout>,
    found: &Result<List<Mode>, Fault>,
    applies: impl Fn(&str) -> bool,
) -> Verdict {
    match (library, found) {
        (Err(error), Err(Fault::Refuse(code))) if applies(error.code()) && applies(code) => Verdict::Refused,
        (library, found) => same(library.as_ref(), found),
    }
}

/// As [`same`]. Where offsets repeat, strides do not divide one another either: the library looks for a collision to show.
pub(super) fn same_but_collision(library: &razorgirl::Result<Layout>, found: &Result<List<Mode>, Fault>) -> Verdict {
    match (library, found) {
        (Err(error), Err(Fault::Refuse("not_divisible"))) if error.kind() == ErrorKind::NotInjective => {
            Verdict::Refused
        }
        (library, found) => same(library.as_ref(), found),
    }
}

/// Coalesced modes as the library has them: at least one.
pub(super) fn none_is_1_0(found: Result<List<Mode>, Fault>) -> Result<List<Mode>, Fault> {
    found.map(|mut modes| {
        if modes.is_empty() {
            modes.push(Mode { extent: 1, stride: 0 });
        }
        modes
    })
}

/// The modes of a composite as the library has them: at least one for each mode of the inner layout.
pub(super) fn in_a_row((modes, counts): (List<Mode>, List<u64>)) -> List<Mode> {
    let (mut rest, mut all) = (modes.iter(), List::new());
    for &count in counts.iter() {
        if count == 0 {
            all.push(Mode { extent: 1, stride: 0 });
        }
        (0..count).filter_map(|_| rest.next()).for_each(|mode| all.push(*mode));
    }
    // Modes that no count covers are a difference.
    rest.for_each(|mode| all.push(*mode));
    all
}

/// Modes against modes, refusal against refusal.
pub(super) fn same(library: Result<&Layout, &Error>, found: &Result<List<Mode>, Fault>) -> Verdict {
    match (library, found) {
        (Ok(layout), Ok(modes)) => {
            let (ours, theirs) = (layout.modes(), &modes[..]);
            if ours == theirs { Verdict::Answered } else { differ(layout.to_string(), format!("{theirs:?}")) }
        }
        (Err(error), Err(fault)) if error.code() == fault.code() => Verdict::Refused,
        (Ok(layout), Err(fault)) => differ(layout.to_string(), format!("{fault:?}")),
        (Err(error), found) => differ(error.to_string(), format!("{found:?}")),
    }
}

/// Any other value.
pub(super) fn equal<T: PartialEq + std::fmt::Debug>(library: &Result<T, Error>, found: &Result<T, Fault>) -> Verdict {
    match (library, found) {
        (Ok(ours), Ok(theirs)) if ours == theirs => Verdict::Answered,
        (Err(error), Err(fault)) if error.code() == fault.code() => Verdict::Refused,
        _ => differ(format!("{library:?}"), format!("{found:?}")),
    }
}

#[cold]
pub(super) fn differ(library: String, found: String) -> Verdict {
    Verdict::Differ(Box::new([library, found]))
}
