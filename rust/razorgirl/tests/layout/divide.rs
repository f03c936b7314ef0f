//! What refused divisions say, and with which codes. What divisions answer is judged in `../definitions.rs`, and that the
//! suggestions hold in `../suggestions.rs`.

use razorgirl::{ErrorKind, Tiler};

use crate::shared::{layout, said};

fn tiler(text: &str) -> Tiler {
    text.parse().expect("it is notation")
}

fn divide(of: &str, by: &str) -> String {
    said(&format!("logical_divide({of}, {by})"), layout(of).logical_divide(&tiler(by)))
}

fn ceil(of: &str, by: &str) -> String {
    said(&format!("logical_divide_ceil({of}, {by})"), layout(of).logical_divide_ceil(&tiler(by)))
}

#[test]
fn refusals() {
    for (name, text) in [
        // the tile does not divide
        ("divide_extent", divide("16:1", "5:1")),
        ("divide_integer", divide("16:1", "5")),
        ("divide_strided", divide("24:1", "3:5")),
        ("divide_large", divide("1048576:1", "1000:1")),
        ("divide_prime", divide("13:1", "4:1")),
        ("divide_gap_in_tile", divide("24:1", "(2,2):(1,3)")),
        ("divide_interleaved_tile", divide("24:1", "(2,2):(2,3)")),
        ("divide_nested_tile", divide("24:1", "((2,1),(5,1)):((1,0),(2,0))")),
        // it holds an index twice
        ("divide_broadcast_tile", divide("16:1", "(4,2):(1,0)")),
        ("divide_overlapping_tile", divide("16:1", "(2,2):(1,1)")),
        // it reaches past the layout
        ("divide_beyond", divide("4:1", "6:1")),
        ("divide_beyond_by_stride", divide("(4,4):(1,4)", "4:8")),
        // tiles and modes do not line up
        ("divide_wraps", divide("(4,6):(1,50)", "6:1")),
        ("divide_rest_wraps", divide("(4,9):(1,50)", "(2,2):(1,18)")),
        ("divide_carries", divide("(4,6):(1,50)", "4:3")),
        ("divide_carries_two_modes", divide("(4,6):(1,50)", "(2,3):(1,2)")),
        // by mode
        ("divide_in_mode", divide("(16,10):(1,16)", "(4,4)")),
        ("divide_in_nested_mode", divide("((16,9),10):((1,160),16)", "((4,4:3),_)")),
        ("divide_too_many_modes", divide("(16,10):(1,16)", "(4,5,2)")),
        // padding
        ("ceil_broadcast_tile", ceil("10:1", "(4,2):(1,0)")),
        ("ceil_wraps", ceil("(4,6):(1,50)", "5:1")),
        ("ceil_in_mode", ceil("((4,6),3):((1,50),900)", "(3,2)")),
        ("ceil_overflow", ceil("18446744073709551615:1", "2:1")),
        ("ceil_gaps", ceil("10:1", "(2,2):(1,3)")),
    ] {
        insta::assert_snapshot!(name, text);
    }
}

/// A refused tile reaches past the layout, or it has all of its indices in it.
#[test]
fn tiles_that_reach_past_the_layout_are_out_of_its_domain() {
    let (mut inside, mut outside) = (0, 0);
    for size in 1..=12 {
        let whole = layout(&format!("{size}:1"));
        for (s, d, t, e) in (1..=3).flat_map(|s| (0..=4).flat_map(move |d| (1..=3).map(move |t| (s, d, t, s + d)))) {
            let tile = layout(&format!("({s},{t}):({d},{e})"));
            let Err(error) = whole.logical_divide(&tile) else { continue };
            let past = tile.offsets().any(|index| index >= size);
            assert_eq!(error.kind() == ErrorKind::OutOfDomain, past, "{whole} {tile}: {error}");
            if past { outside += 1 } else { inside += 1 }
        }
    }
    assert!(inside > 50 && outside > 50, "{inside} {outside}");
}

#[test]
fn codes_of_refusals() {
    let kind = |of: &str, by: &str| layout(of).logical_divide(&tiler(by)).expect_err("it is refused").kind();
    assert_eq!(kind("16:1", "5:1"), ErrorKind::NotDivisible);
    assert_eq!(kind("4:1", "5:1"), ErrorKind::OutOfDomain);
    assert_eq!(kind("4:1", "(2,2):(7,7)"), ErrorKind::OutOfDomain);
    assert_eq!(kind("16:1", "(2,2):(7,7)"), ErrorKind::NotInjective);
    assert_eq!(kind("16:1", "(2,2):(0,7)"), ErrorKind::NotInjective);
    assert_eq!(kind("16:1", "(2,2):(1,3)"), ErrorKind::NotDivisible);
    assert_eq!(kind("(4,6):(1,50)", "(2,3):(1,2)"), ErrorKind::NotDivisible);
    assert_eq!(kind("16:1", "(2,2)"), ErrorKind::Incongruent);
}

/// Tile and copies are nested one deeper than the tile.
#[test]
fn tiles_that_are_nested_too_deep_are_too_large() {
    let deep = |depth: usize| layout(&format!("{0}5{1}:{0}1{1}", "(".repeat(depth), ")".repeat(depth)));
    let kind = |depth| layout("12:1").logical_divide_ceil(&Tiler::Layout(deep(depth))).map_err(|error| error.kind());
    assert!(kind(63).is_ok());
    assert_eq!(kind(64).unwrap_err(), ErrorKind::TooLarge);
}
