//! The library answers what the extracted functions answer, whose answers are proved.

use proptest::prelude::*;
use razorgirl_extracted::Mode;
use spec_tests::compare::{Case, ROWS, Row, Uses, Verdict, compare, shown};

#[track_caller]
fn agree(row: &Row, case: &Case) -> Verdict {
    let verdict = (row.check)(case);
    assert!(!matches!(verdict, Verdict::Differ(_)), "{} of {}: {verdict:?}", row.name, shown(row.uses, case));
    verdict
}

/// Every list of up to `rank` of these modes.
fn lists(modes: &[Mode], rank: usize, mut with: impl FnMut(&[Mode])) {
    let mut all: Vec<Vec<Mode>> = vec![Vec::new()];
    for _ in 0..=rank {
        let mut longer = Vec::new();
        for list in &all {
            with(list);
            longer.extend(modes.iter().map(|mode| [&list[..], &[*mode]].concat()));
        }
        all = longer;
    }
}

fn modes(extents: &[u64], strides: &[u64]) -> Vec<Mode> {
    extents.iter().flat_map(|&extent| strides.iter().map(move |&stride| Mode { extent, stride })).collect()
}

fn rows(uses: Uses) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| row.uses == uses)
}

#[test]
fn every_small_layout() {
    lists(&modes(&[1, 2, 3, 4], &[0, 1, 2, 3, 4, 6, 8, 12]), 3, |list| {
        let mut case = Case { modes: list.to_vec(), ..Case::default() };
        for row in rows(Uses::Modes) {
            agree(row, &case);
        }
        let size: u64 = list.iter().map(|mode| mode.extent).product();
        for number in [0, 1, size / 2, size - 1, size, 24] {
            case.number = number;
            for row in rows(Uses::ModesAndNumber) {
                agree(row, &case);
            }
        }
    });
}

#[test]
fn every_small_pair() {
    let (mut outer, mut inner) = (Vec::new(), Vec::new());
    lists(&modes(&[1, 2, 3, 4], &[0, 1, 2, 3, 5]), 2, |list| outer.push(list.to_vec()));
    lists(&modes(&[1, 2, 3], &[0, 1, 2, 3, 4]), 2, |list| inner.push(list.to_vec()));
    for modes in outer {
        for inner in &inner {
            let case = Case { modes: modes.clone(), inner: inner.clone(), ..Case::default() };
            for row in rows(Uses::Pair) {
                agree(row, &case);
            }
        }
    }
}

/// Small integers, and the ends of 64 bits.
#[test]
fn every_pair_of_integers() {
    let ends = [i64::MIN, i64::MIN + 1, -(1 << 32), 1 << 32, i64::MAX - 1, i64::MAX];
    let integers: Vec<i64> = (-24..=24).chain(ends).collect();
    for dividend in &integers {
        for divisor in &integers {
            let case =
                Case { number: dividend.cast_unsigned(), offsets: vec![divisor.cast_unsigned()], ..Case::default() };
            for row in rows(Uses::Integers) {
                agree(row, &case);
            }
        }
    }
}

/// Coordinates inside and just outside, as many entries as modes and one more; sizes, boxes and element strides likewise.
#[test]
fn every_small_coordinate() {
    lists(&modes(&[1, 2, 3], &[0, 1, 2, 5]), 2, |list| {
        for numbers in 0..4_u64.pow(3) {
            let offsets: Vec<u64> = [numbers % 4, numbers / 4 % 4, numbers / 16].to_vec();
            for length in [list.len(), list.len() + 1] {
                let case = Case { modes: list.to_vec(), offsets: offsets[..length].to_vec(), ..Case::default() };
                for row in rows(Uses::ModesAndOffsets) {
                    agree(row, &case);
                }
            }
        }
    });
}

/// Every function from up to eight indices to four offsets.
#[test]
fn every_short_list_of_offsets() {
    for length in 0..=8_u32 {
        for all in 0..4_u64.pow(length) {
            let offsets = (0..length).map(|at| (all >> (2 * at)) % 4).collect();
            let case = Case { offsets, ..Case::default() };
            for row in rows(Uses::Offsets) {
                agree(row, &case);
            }
        }
    }
}

#[test]
fn many_drawn_at_random() {
    for row in ROWS {
        let figures = compare(row, 100_000, 2026, |_| {}).unwrap_or_else(|found| {
            panic!("{} of {}: {:?}", row.name, shown(row.uses, &found.shrunk), found.said);
        });
        // Most of what is drawn is a case, and most cases have an answer.
        assert!(figures.compared() > 80_000 && figures.answered > 50_000, "{}: {figures:?}", row.name);
    }
}

/// Small numbers, powers of two, and any.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => 0..9_u64,
        1 => (0..64_u32, -1..=1_i64).prop_map(|(bit, more)| (1_u64 << bit).wrapping_add_signed(more)),
        1 => any::<u64>(),
    ]
}

fn mode() -> impl Strategy<Value = Mode> {
    (number(), number()).prop_map(|(extent, stride)| Mode { extent: extent.max(1), stride })
}

proptest! {
    #[test]
    fn any_numbers(
        modes in prop::collection::vec(mode(), 0..12),
        inner in prop::collection::vec(mode(), 0..4),
        number in number(),
        offsets in prop::collection::vec(number(), 0..9),
    ) {
        let case = Case { modes, inner, number, offsets };
        for row in ROWS {
            let verdict = (row.check)(&case);
            prop_assert!(!matches!(verdict, Verdict::Differ(_)), "{} of {}: {verdict:?}", row.name, shown(row.uses, &case));
        }
    }
}

/// A function that is wrong for one mode in many is found, and shown at its smallest: `3:2`.
#[test]
fn a_wrong_function_is_found_and_shrunk() {
    let coalesce = ROWS.iter().find(|row| row.name == "coalesce").unwrap();
    let wrong = Row {
        check: |case| match case.modes.iter().find(|mode| mode.extent >= 3 && mode.stride >= 2) {
            Some(_) => Verdict::Differ(Box::new(["right".to_owned(), "wrong".to_owned()])),
            None => Verdict::Answered,
        },
        ..*coalesce
    };
    let found = compare(&wrong, 10_000, 1, |_| {}).unwrap_err();
    assert_eq!(found.shrunk.modes, [Mode { extent: 3, stride: 2 }]);
    assert_eq!(found.said, ["right", "wrong"]);
    assert_ne!(found.drawn, found.shrunk);
}
