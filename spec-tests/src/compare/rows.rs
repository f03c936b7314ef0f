//! What is compared: a line for each function.

use razorgirl::tma::fttc;
use razorgirl::{ErrorKind, IntTuple, Layout, Shape, int};
use razorgirl_extracted::{Fault, functions};

use super::same::{
    beside, coordinate, differ, divided, equal, in_a_row, layout, none_is_1_0, number, on_layout, same,
    same_but_collision, same_kind,
};
use super::{Case, Row, Uses, Verdict, draw};

/// The functions that both have. Where several kinds of refusal apply, each side
/// reports one of them; a kind whose cause is a comparison of sizes has to have that cause.
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
    row("crd2idx", Uses::ModesAndOffsets, draw::modes_and_coordinate, |case| {
        let extents: Vec<u64> = case.modes.iter().map(|mode| mode.extent).collect();
        match Shape::new(IntTuple::flat(&extents)) {
            Ok(shape) => equal(&shape.crd2idx(&coordinate(case)), &functions::crd2idx(&extents, &case.offsets)),
            Err(_) => Verdict::Invalid,
        }
    }),
    row("at_coord", Uses::ModesAndOffsets, draw::modes_and_coordinate, |case| {
        let layout = Layout::new(
            &IntTuple::flat(&case.modes.iter().map(|mode| mode.extent).collect::<Vec<_>>()),
            &IntTuple::flat(&case.modes.iter().map(|mode| mode.stride).collect::<Vec<_>>()),
        );
        match layout {
            Ok(layout) => {
                let library = layout.offset(&coordinate(case));
                equal(&library, &functions::at_coord(&case.modes, &case.offsets))
            }
            Err(_) => Verdict::Invalid,
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
        on_layout(case, |layout| {
            same_but_collision(&layout.complement(), &none_is_1_0(functions::complement(&case.modes)))
        })
    }),
    row("complement_in", Uses::ModesAndNumber, draw::block_and_cotarget, |case| {
        let found = none_is_1_0(functions::complement_in(&case.modes, case.number));
        on_layout(case, |layout| same_kind(&layout.complement_in(case.number), &found, |code| no_block(case, code)))
    }),
    row("complement_ceil", Uses::ModesAndNumber, draw::block_and_cotarget, |case| {
        let found = none_is_1_0(functions::complement_ceil(&case.modes, case.number));
        on_layout(case, |layout| same_kind(&layout.complement_ceil(case.number), &found, |code| no_block(case, code)))
    }),
    row("spreads", Uses::Modes, draw::block, |case| {
        on_layout(case, |layout| {
            // The criterion is exact where the sorted strides divide one another in turn, and never wrong.
            let mut strides: Vec<u64> = layout.coalesce().modes().iter().map(|mode| mode.stride()).collect();
            strides.sort_unstable();
            let exact = strides.windows(2).all(|pair| pair[0] > 0 && pair[1].is_multiple_of(pair[0]));
            let library = layout.injectivity(STEPS).is_injective();
            match (library, functions::spreads(&case.modes)) {
                (Some(library), Ok(found)) if library == found => Verdict::Answered,
                (_, Ok(false)) if !exact => Verdict::Refused,
                (library, found) => differ(format!("{library:?}"), format!("{found:?}")),
            }
        })
    }),
    row("right_inverse", Uses::Modes, draw::block, |case| {
        on_layout(case, |layout| same(Ok(&layout.right_inverse()), &none_is_1_0(functions::right_inverse(&case.modes))))
    }),
    row("left_inverse", Uses::Modes, draw::block, |case| {
        on_layout(case, |layout| {
            same_but_collision(&layout.left_inverse(), &none_is_1_0(functions::left_inverse(&case.modes)))
        })
    }),
    row("inverse", Uses::Modes, draw::contiguous, |case| {
        on_layout(case, |layout| match (layout.inverse(), functions::inverse(&case.modes)) {
            (Ok(library), found) => same(Ok(&library), &none_is_1_0(found)),
            // A layout may repeat some offsets and leave others out.
            (Err(error), Err(Fault::Refuse("not_contiguous"))) if error.kind() == ErrorKind::NotInjective => {
                Verdict::Refused
            }
            // A collision is only searched for as long as a refusal may take.
            (Err(error), Err(Fault::Refuse("not_injective"))) if error.kind() == ErrorKind::NotContiguous => {
                Verdict::Refused
            }
            (Err(error), found) => same(Err(&error), &found),
        })
    }),
    row("composition", Uses::Pair, draw::pair, |case| {
        let Ok(inner) = layout(&case.inner) else { return Verdict::Invalid };
        let found = functions::composition(&case.modes, &case.inner).map(in_a_row);
        on_layout(case, |outer| {
            same_kind(&outer.composition(&inner), &found, |code| match code {
                "out_of_domain" => outer.size() < inner.cosize(),
                code => ["not_divisible", "carries"].contains(&code),
            })
        })
    }),
    row("logical_divide", Uses::Pair, draw::tiled, |case| {
        let Ok(tile) = layout(&case.inner) else { return Verdict::Invalid };
        let found = functions::logical_divide(&case.modes, &case.inner).map(in_a_row);
        on_layout(case, |layout| {
            same_kind(&layout.logical_divide(&tile), &found, |code| match code {
                "out_of_domain" => layout.size() < tile.cosize(),
                code => ["not_injective", "not_divisible", "carries"].contains(&code),
            })
        })
    }),
    row("logical_product", Uses::Pair, draw::copied, |case| {
        let Ok(tiles) = layout(&case.inner) else { return Verdict::Invalid };
        on_layout(case, |block| {
            let found = functions::logical_product(&case.modes, &case.inner).map(in_a_row);
            match (block.logical_product(&tiles), found) {
                (Ok(library), found) => same(Ok(&library), &found.map(|copies| beside(block, &copies))),
                // The copies alone may fit where the product does not.
                (Err(error), Ok(copies)) if error.kind() == ErrorKind::Overflow => {
                    match layout(&beside(block, &copies)) {
                        Err(cause) if cause.kind() == ErrorKind::Overflow => Verdict::Refused,
                        fits => differ(error.to_string(), format!("{fits:?}")),
                    }
                }
                (Err(error), Err(fault)) => {
                    // The block of coalesced modes ends below twice its cosize.
                    let room = u128::from(block.size()) * u128::from(tiles.cosize()) + 2 * u128::from(block.cosize());
                    let applies = |code| match code {
                        "overflow" => room > u128::from(u64::MAX),
                        code => ["not_injective", "not_divisible", "carries"].contains(&code),
                    };
                    if applies(error.code()) && applies(fault.code()) {
                        Verdict::Refused
                    } else {
                        differ(error.to_string(), format!("{fault:?}"))
                    }
                }
                (Err(error), found) => same(Err(&error), &found),
            }
        })
    }),
    row("trunc", Uses::Integers, draw::integers, |case| divided(case, int::trunc, functions::trunc)),
    row("euclid", Uses::Integers, draw::integers, |case| divided(case, int::euclid, functions::euclid)),
    row("ceil", Uses::Integers, draw::integers, |case| divided(case, int::ceil, functions::ceil)),
    row("fttc_violations", Uses::ModesAndOffsets, draw::copies, |case| {
        if case.modes.len() != case.offsets.len() || case.offsets.contains(&0) {
            return Verdict::Invalid;
        }
        let (sizes, boxes): (Vec<u64>, Vec<u64>) = case.modes.iter().map(|mode| (mode.extent, mode.stride)).unzip();
        let both = boxes.iter().copied().zip(case.offsets.iter().copied());
        let dimensions: Vec<(u64, (u64, u64))> = sizes.iter().copied().zip(both).collect();
        match fttc(&sizes, &boxes, &case.offsets) {
            Ok(library) => {
                let library = library.violations.iter().map(|&place| place as u64).collect::<Vec<_>>();
                equal(&Ok(library), &functions::fttc_violations(&dimensions).map(|found| found.to_vec()))
            }
            Err(_) => Verdict::Invalid,
        }
    }),
];

/// Whether a complement in this cotarget may be refused so.
fn no_block(case: &Case, code: &str) -> bool {
    match code {
        "extent" => case.number == 0,
        code => ["not_injective", "not_divisible"].contains(&code),
    }
}

/// Steps of the search for a collision.
const STEPS: u64 = 1 << 12;

const fn row(name: &'static str, uses: Uses, draw: fn(&mut draw::Rng, &mut Case), check: fn(&Case) -> Verdict) -> Row {
    Row { name, uses, draw, check }
}
