//! What is compared: a line for each function.

use razorgirl::{Error, ErrorKind, IntTuple, Layout, Shape};
use razorgirl_extracted::{Fault, List, Mode, functions};

use super::{Case, Row, Uses, Verdict, draw};

/// Every function that both have.
pub const ROWS: &[Row] = &[
    row("size", Uses::Modes, draw::modes, |case| number(case, Layout::size, functions::size)),
    row("cosize", Uses::Modes, draw::modes, |case| number(case, Layout::cosize, functions::cosize)),
    row("coalesce", Uses::Modes, draw::modes, |case| {
        on_layout(case, |layout| same(Ok(&layout.coalesce()), &none_is_1_0(functions::coalesce(&case.modes))))
    }),
    row("sort", Uses::Modes, draw::normal, |case| {
        let normal = case.modes.iter().all(|mode| mode.extent != 1 || mode.stride == 0);
        if !normal {
            return Verdict::Invalid;
        }
        on_layout(case, |layout| same(Ok(&layout.sort()), &functions::sort(&case.modes)))
    }),
    row("at_index", Uses::ModesAndNumber, draw::modes_and_index, |case| {
        on_layout(case, |layout| {
            if case.number >= layout.size() {
                return Verdict::Invalid;
            }
            equal(&layout.at(case.number), &functions::at_index(&case.modes, case.number))
        })
    }),
    row("idx2crd", Uses::ModesAndNumber, draw::modes_and_index, |case| {
        let extents: Vec<u64> = case.modes.iter().map(|mode| mode.extent).collect();
        match Shape::new(IntTuple::flat(&extents)) {
            Ok(shape) if case.number < shape.size() => {
                let found = functions::idx2crd(&extents, case.number);
                equal(&shape.idx2crd(case.number).map(|crd| crd.leaves().to_vec()), &found.map(|crd| crd.to_vec()))
            }
            _ => Verdict::Invalid,
        }
    }),
    row("find_layout", Uses::Offsets, draw::offsets, |case| {
        match (Layout::find_layout(&case.offsets), functions::find_layout(&case.offsets)) {
            (Ok(None), Err(Fault::Refuse("none"))) => Verdict::Refused,
            (Ok(Some(layout)), found) => same(Ok(&layout), &none_is_1_0(found)),
            // The library has no layout of cosize 2^64.
            (Err(error), Ok(_)) if error.kind() == ErrorKind::Overflow && case.offsets.contains(&u64::MAX) => {
                Verdict::Invalid
            }
            (library, found) => differ(format!("{library:?}"), format!("{found:?}")),
        }
    }),
    row("complement", Uses::Modes, draw::block, |case| {
        on_layout(case, |layout| match (layout.complement(), functions::complement(&case.modes)) {
            (Ok(library), found) => same(Ok(&library), &none_is_1_0(found)),
            // Where offsets repeat, strides do not divide one another either: the library looks for a collision to show.
            (Err(error), Err(Fault::Refuse("not_divisible"))) if error.kind() == ErrorKind::NotInjective => {
                Verdict::Refused
            }
            (Err(error), found) => same(Err(&error), &found),
        })
    }),
    row("complement_in", Uses::ModesAndNumber, draw::block_and_cotarget, |case| {
        let found = || functions::complement_in(&case.modes, case.number);
        on_layout(case, |layout| match (layout.complement_in(case.number), found()) {
            (Ok(library), found) => same(Ok(&library), &none_is_1_0(found)),
            (Err(error), Err(Fault::Refuse(code)))
                if any_of(&["extent", "not_injective", "not_divisible"], &error, code) =>
            {
                Verdict::Refused
            }
            (Err(error), found) => same(Err(&error), &found),
        })
    }),
    row("composition", Uses::Pair, draw::pair, |case| {
        let Ok(inner) = layout(&case.inner) else { return Verdict::Invalid };
        on_layout(case, |outer| {
            match (outer.composition(&inner), functions::composition(&case.modes, &case.inner).map(in_a_row)) {
                (Err(error), Err(Fault::Refuse(code)))
                    if any_of(&["out_of_domain", "not_divisible", "carries"], &error, code) =>
                {
                    Verdict::Refused
                }
                (library, found) => match library {
                    Ok(library) => same(Ok(&library), &found),
                    Err(error) => same(Err(&error), &found),
                },
            }
        })
    }),
];

const fn row(name: &'static str, uses: Uses, draw: fn(&mut draw::Rng, &mut Case), check: fn(&Case) -> Verdict) -> Row {
    Row { name, uses, draw, check }
}

/// The library's layout of these modes.
fn layout(modes: &[Mode]) -> Result<Layout, Error> {
    Layout::from_modes(modes.iter().map(|mode| razorgirl::Mode::new(mode.extent, mode.stride)))
}

/// Where the modes are a layout.
fn on_layout(case: &Case, check: impl FnOnce(&Layout) -> Verdict) -> Verdict {
    layout(&case.modes).map_or(Verdict::Invalid, |layout| check(&layout))
}

/// Size or cosize: the library refuses the layout where either is 2^64 or more.
fn number(case: &Case, ours: fn(&Layout) -> u64, found: fn(&[Mode]) -> Result<u64, Fault>) -> Verdict {
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

/// Coalesced modes as the library has them: at least one.
fn none_is_1_0(found: Result<List<Mode>, Fault>) -> Result<List<Mode>, Fault> {
    found.map(|mut modes| {
        if modes.is_empty() {
            modes.push(Mode { extent: 1, stride: 0 });
        }
        modes
    })
}

/// The modes of a composite as the library has them: at least one for each mode of the inner layout.
fn in_a_row((modes, counts): (List<Mode>, List<u64>)) -> List<Mode> {
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
fn same(library: Result<&Layout, &Error>, found: &Result<List<Mode>, Fault>) -> Verdict {
    match (library, found) {
        (Ok(layout), Ok(modes)) => {
            let (ours, theirs) = (layout.modes(), &modes[..]);
            let equal = ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(a, b)| (a.extent(), a.stride()) == (b.extent, b.stride));
            if equal { Verdict::Answered } else { differ(layout.to_string(), format!("{theirs:?}")) }
        }
        (Err(error), Err(fault)) if error.code() == code(*fault) => Verdict::Refused,
        (Ok(layout), Err(fault)) => differ(layout.to_string(), format!("{fault:?}")),
        (Err(error), found) => differ(error.to_string(), format!("{found:?}")),
    }
}

/// Where several kinds of refusal apply, each reports one of them.
fn any_of(kinds: &[&str], library: &Error, found: &str) -> bool {
    kinds.contains(&library.code()) && kinds.contains(&found)
}

/// Any other value.
fn equal<T: PartialEq + std::fmt::Debug>(library: &Result<T, Error>, found: &Result<T, Fault>) -> Verdict {
    match (library, found) {
        (Ok(ours), Ok(theirs)) if ours == theirs => Verdict::Answered,
        (Err(error), Err(fault)) if error.code() == code(*fault) => Verdict::Refused,
        _ => differ(format!("{library:?}"), format!("{found:?}")),
    }
}

#[cold]
fn differ(library: String, found: String) -> Verdict {
    Verdict::Differ(Box::new([library, found]))
}

/// As the library names the refusal. Valid operands meet no other fault.
fn code(fault: Fault) -> &'static str {
    match fault {
        Fault::Overflow => "overflow",
        Fault::Refuse(code) => code,
        Fault::DivZero => "division by 0",
        Fault::Bounds => "out of bounds",
    }
}
