//! Numbers up to 64 bits against arithmetic that cannot overflow.

use proptest::prelude::*;
use razorgirl::{Coord, ErrorKind, Injectivity, IntTuple, Layout, Mode, Shape};

/// A failure prints its input, and belongs into a test of its own; nothing is written beside the sources.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Numbers of every length.
fn wide() -> impl Strategy<Value = u64> {
    prop_oneof![
        (any::<u64>(), 0..64_u32).prop_map(|(bits, shift)| bits >> shift),
        (0..64_u32, any::<bool>()).prop_map(|(shift, less)| (1_u64 << shift) - u64::from(less)),
    ]
}

fn modes() -> impl Strategy<Value = Vec<(u64, u64)>> {
    let extent = prop_oneof![2 => 1..4_u64, 1 => wide().prop_map(|extent| extent.max(1))];
    prop::collection::vec((extent, wide()), 0..6)
}

fn valid_modes() -> impl Strategy<Value = Vec<(u64, u64)>> {
    modes().prop_filter("valid", |modes| measured(modes).is_some())
}

/// Size and cosize, where they are below 2^64.
fn measured(modes: &[(u64, u64)]) -> Option<(u64, u64)> {
    let (mut size, mut last) = (1_u128, 0_u128);
    for (extent, stride) in modes {
        size = size.saturating_mul(u128::from(*extent));
        last = last.saturating_add(u128::from(extent - 1) * u128::from(*stride));
    }
    Some((u64::try_from(size).ok()?, u64::try_from(last + 1).ok()?))
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn overflow_is_exact(modes in modes()) {
        let layout = Layout::from_modes(modes.iter().map(|(extent, stride)| Mode::new(*extent, *stride)));
        match (layout, measured(&modes)) {
            (Ok(layout), Some((size, cosize))) => {
                prop_assert_eq!((layout.size(), layout.cosize()), (size, cosize));
                prop_assert_eq!(layout.at(size - 1), Ok(cosize - 1));
                prop_assert!(layout.at(size).is_err());
                let crd = layout.shape().idx2crd(size - 1).unwrap();
                prop_assert_eq!(layout.at_flat(crd.leaves()), Ok(cosize - 1));
                prop_assert_eq!(layout.offset(&Coord::from(&crd)), Ok(cosize - 1));
                let coalesced = layout.coalesce();
                prop_assert_eq!((coalesced.size(), coalesced.cosize()), (size, cosize));
                prop_assert_eq!(coalesced.at(size / 2), layout.at(size / 2));
                prop_assert_eq!(coalesced.at(size / 3), layout.at(size / 3));
                for made in [layout.sort(), layout.filter(), layout.filter_zeros()] {
                    prop_assert_eq!(made.cosize(), cosize);
                }
                let _ = layout.is_contiguous();
                if let Injectivity::Collision { i, j, offset } = layout.injectivity(2000) {
                    prop_assert!(i < j);
                    prop_assert_eq!((layout.at(i), layout.at(j)), (Ok(offset), Ok(offset)));
                } else if size <= 2000 {
                    let mut offsets: Vec<u64> = layout.offsets().collect();
                    offsets.sort_unstable();
                    prop_assert!(offsets.windows(2).all(|pair| pair[0] < pair[1]));
                }
            }
            (Err(error), None) => prop_assert_eq!(error.kind(), ErrorKind::Overflow),
            (layout, expected) => prop_assert!(false, "{layout:?} {expected:?}"),
        }
    }

    #[test]
    fn concat_overflow_is_exact(a in valid_modes(), b in valid_modes()) {
        let of = |modes: &[(u64, u64)]| Layout::from_modes(modes.iter().map(|(s, d)| Mode::new(*s, *d))).unwrap();
        let made = Layout::concat(&[of(&a), of(&b)]).map(|layout| (layout.size(), layout.cosize()));
        prop_assert_eq!(made.ok(), measured(&[a, b].concat()));
    }

    #[test]
    fn indices_are_a_bijection(extents in prop::collection::vec(1..2000_u64, 0..6), index in any::<u64>()) {
        let Ok(shape) = Shape::new(IntTuple::flat(&extents)) else {
            return Ok(());
        };
        let index = index % shape.size();
        let crd = shape.idx2crd(index).unwrap();
        prop_assert!(crd.leaves().iter().zip(&extents).all(|(at, extent)| at < extent));
        prop_assert_eq!(shape.crd2idx(&Coord::from(crd)), Ok(index));
    }
}

/// 2^32 · 2^32 is no stride, and not 0 either.
#[test]
fn coalesce_does_not_wrap() {
    let layout: Layout = "(4294967296,2):(4294967296,0)".parse().unwrap();
    assert_eq!(layout.coalesce(), layout);
    let verdict = "(4294967296,2):(4294967296,1)".parse::<Layout>().unwrap().injectivity(100);
    assert_eq!(verdict, Injectivity::Injective);
}

/// Two steps of 2^63 are not followed by a stride of 0.
#[test]
fn composition_does_not_wrap() {
    for (outer, inner, composite) in [
        ("(2,2):(9223372036854775808,0)", "4:1", "(2,2):(9223372036854775808,0)"),
        ("(3,2,2):(1,9223372036854775808,0)", "4:3", "(2,2):(9223372036854775808,0)"),
        ("(3,2,2):(1,9223372036854775808,0)", "((4,2)):((3,1))", "(((2,2),2)):(((9223372036854775808,0),1))"),
        // several digits and a wrap
        ("(2,2,2,2):(1,9223372036854775808,0,3)", "4:2", "(2,2):(9223372036854775808,0)"),
    ] {
        let composed = outer.parse::<Layout>().unwrap().composition(&inner.parse().unwrap());
        let composed = composed.map(|layout| (layout.to_string(), layout.cosize()));
        assert_eq!(composed, Ok((composite.to_owned(), composite.parse::<Layout>().unwrap().cosize())));
    }
}
