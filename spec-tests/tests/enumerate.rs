//! The library is right by plain enumeration, on every small layout and on drawn ones; and a wrong answer would be found.

use razorgirl_conform::driver::Shard;
use razorgirl_extracted::Mode;
use spec_tests::enumerate::plain::{Numbers, Tiling, injective, modes};
use spec_tests::enumerate::{BLOCK, Case, Figures, ROWS, Row, Uses, Verdict, enumerate, shown};

#[track_caller]
fn judge(row: &Row, case: &Case) {
    let verdict = (row.check)(case);
    assert!(!matches!(verdict, Verdict::Wrong(_)), "{} of {}: {verdict:?}", row.name, shown(row.uses, case));
}

fn row(name: &str) -> &'static Row {
    ROWS.iter().find(|row| row.name == name).unwrap()
}

/// Every list of up to `rank` modes of these extents and strides.
fn lists(extents: &[u64], strides: &[u64], rank: usize) -> Vec<Vec<Mode>> {
    let mut all: Vec<Vec<Mode>> = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..rank {
        longest = longest
            .iter()
            .flat_map(|list| {
                extents.iter().flat_map(move |&extent| {
                    strides.iter().map(move |&stride| [&list[..], &[Mode { extent, stride }]].concat())
                })
            })
            .collect();
        all.extend(longest.iter().cloned());
    }
    all
}

#[test]
fn every_small_layout() {
    for modes in lists(&[1, 2, 3], &[0, 1, 2, 3, 4, 6], 3) {
        let mut case = Case { modes, ..Case::default() };
        for row in ROWS.iter().filter(|row| row.uses == Uses::Modes) {
            judge(row, &case);
        }
        for number in [0, 1, 6, 12, 24] {
            case.number = number;
            judge(row("complement_in"), &case);
        }
    }
}

#[test]
fn every_small_pair() {
    let inner = lists(&[1, 2, 3], &[0, 1, 2, 3], 2);
    for modes in lists(&[2, 3, 4], &[0, 1, 3, 4], 2) {
        for inner in &inner {
            let case = Case { modes: modes.clone(), inner: inner.clone(), number: 1, ..Case::default() };
            for row in ROWS.iter().filter(|row| row.uses == Uses::Pair) {
                judge(row, &case);
            }
        }
    }
}

/// All rows find answers, and refusals where the operation has any.
#[test]
fn many_drawn_at_random() {
    for row in ROWS {
        let figures = enumerate(row, 20_000, 2026, Shard::ALL, |_| {}).unwrap_or_else(|finding| {
            panic!("{} of {}: {:?}", row.name, shown(row.uses, &finding.shrunk), finding.said);
        });
        assert!(figures.judged() > 15_000 && figures.right > 4_000, "{}: {figures:?}", row.name);
    }
}

/// Shards make up the whole.
#[test]
fn shards_are_parts() {
    let (row, cases) = (row("coalesce"), 2 * BLOCK + 7);
    let figures = |shard| enumerate(row, cases, 3, shard, |_| {}).unwrap();
    let parts: Vec<Figures> = (0..3).map(|part| figures(Shard { index: part, of: 3 })).collect();
    assert_eq!(parts.iter().map(Figures::judged).collect::<Vec<_>>(), [BLOCK, BLOCK, 7]);
    assert_eq!(parts.iter().map(|part| part.right).sum::<u64>(), figures(Shard::ALL).right);
}

/// What a judge is made of, by hand.
#[test]
fn plain_means_what_it_says() {
    let offsets = Numbers::of_modes([(2, 3), (2, 1)]).unwrap();
    assert_eq!(offsets.list(), [0, 3, 1, 4]);
    assert!(injective(offsets.list()) && !injective(&[0, 2, 0]));
    assert_eq!(modes(offsets.list()), Some(vec![(2, 3), (2, 1)]));
    assert_eq!(modes(&[0, 1, 2, 4, 5, 6]), Some(vec![(3, 1), (2, 4)]));
    assert_eq!((modes(&[0, 1, 3]), modes(&[1]), modes(&[0])), (None, None, Some(vec![])));
    // 0, 1 and 6, 7 leave room for copies at 2 and 4
    let tiling = Tiling::least(&[0, 1, 6, 7]).unwrap();
    assert_eq!(tiling.starts.list(), [0, 2, 4]);
    assert!(Tiling::least(&[0, 1, 3]).is_none() && Tiling::within(&[0, 1, 6, 7], 13).is_none());
    assert_eq!(Tiling::within(&[0, 2], 8).unwrap().starts.list(), [0, 1, 4, 5]);
}

/// A judge that is wrong about one mode in many is shown at its smallest: `3:2`.
#[test]
fn a_wrong_answer_is_found_and_shrunk() {
    let coalesce = row("coalesce");
    let wrong = Row {
        check: |case| match case.modes.iter().find(|mode| mode.extent >= 3 && mode.stride >= 2) {
            Some(_) => Verdict::Wrong(Box::new(["right".to_owned(), "wrong".to_owned()])),
            None => Verdict::Right,
        },
        ..*coalesce
    };
    let finding = enumerate(&wrong, 10_000, 1, Shard::ALL, |_| {}).unwrap_err();
    assert_eq!(finding.shrunk.modes, [Mode { extent: 3, stride: 2 }]);
}
