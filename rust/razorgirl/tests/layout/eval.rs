//! What a layout says of itself, on every flat layout with rank at most 3, extents at most 4 and strides at most 6.

use razorgirl::{Coord, Injectivity, IntTuple, Layout, Mode, find_modes};
use razorgirl_conform::generate::flat_layouts_of_rank;
use std::collections::HashSet;

/// The layout, its extents and its strides, as they come.
fn each(test: impl Fn(&Layout, &[u64], &[u64])) {
    for (extents, strides) in (0..=3).flat_map(|rank| flat_layouts_of_rank(rank, 4, 6)) {
        let layout = Layout::new(&IntTuple::flat(&extents), &IntTuple::flat(&strides)).expect("it is small");
        test(&layout, &extents, &strides);
        if let ([extent], [stride]) = (extents.as_slice(), strides.as_slice()) {
            let leaf = Layout::new(&IntTuple::leaf(*extent), &IntTuple::leaf(*stride)).expect("it is small");
            assert_eq!((leaf.rank(), leaf.depth()), (1, 0));
            test(&leaf, &extents, &strides);
        }
    }
}

/// All coordinates, first mode fastest.
fn coordinates(extents: &[u64]) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for extent in extents {
        all =
            (0..*extent).flat_map(|c| all.iter().map(move |crd: &Vec<u64>| [crd.as_slice(), &[c]].concat())).collect();
    }
    all
}

fn offsets(extents: &[u64], strides: &[u64]) -> Vec<u64> {
    coordinates(extents).iter().map(|crd| crd.iter().zip(strides).map(|(c, stride)| c * stride).sum()).collect()
}

#[test]
fn notation_is_read_back() {
    each(|layout, extents, strides| {
        let text = layout.to_string();
        assert_eq!(text.parse::<Layout>().as_ref(), Ok(layout));
        let modes: Vec<Mode> =
            extents.iter().zip(strides).map(|(s, d)| Mode::new(*s, if *s == 1 { 0 } else { *d })).collect();
        assert_eq!(layout.modes(), modes);
        assert_eq!(layout.rank(), extents.len());
    });
}

#[test]
fn offsets_are_those_of_the_coordinates() {
    each(|layout, extents, strides| {
        let offsets = offsets(extents, strides);
        assert_eq!(layout.size(), offsets.len() as u64);
        assert_eq!(Some(layout.cosize() - 1), offsets.iter().max().copied());
        assert!(layout.offsets().eq(offsets.iter().copied()));
        for ((index, offset), digits) in (0..).zip(&offsets).zip(coordinates(extents)) {
            assert_eq!(layout.at(index).as_ref(), Ok(offset));
            assert_eq!(layout.at_flat(&digits).as_ref(), Ok(offset));
            let crd = layout.shape().idx2crd(index).expect("it is below the size");
            assert_eq!(crd.leaves(), digits);
            let crd = Coord::from(crd);
            assert_eq!(layout.offset(&crd).as_ref(), Ok(offset));
            assert_eq!(layout.shape().crd2idx(&crd), Ok(index));
            assert_eq!(layout.offset(&Coord::leaf(Some(index))).as_ref(), Ok(offset));
        }
        assert!(layout.at(layout.size()).is_err());
        assert!(layout.shape().idx2crd(layout.size()).is_err());
        assert!(layout.offset(&Coord::leaf(Some(layout.size()))).is_err());
    });
}

/// Size and cosize are carried along, not computed again.
#[test]
fn what_is_made_knows_its_size() {
    each(|layout, _, _| {
        assert_eq!(layout.coalesce().coalesce(), layout.coalesce());
        assert_eq!(layout.coalesce().offsets().collect::<Vec<_>>(), layout.offsets().collect::<Vec<_>>());
        for made in [layout.coalesce(), layout.filter_zeros(), layout.filter(), layout.sort()] {
            assert_eq!(made.size(), made.offsets().count() as u64, "{layout}: {made}");
            assert_eq!(Some(made.cosize() - 1), made.offsets().max(), "{layout}: {made}");
        }
        assert_eq!(Layout::find_layout(&layout.offsets().collect::<Vec<_>>()), Ok(Some(layout.coalesce())));
    });
    assert_eq!(find_modes(Vec::<i64>::new(), |before, entry| entry - before), Err(0));
}

#[test]
fn injective_means_that_no_offset_repeats() {
    each(|layout, extents, strides| {
        let offsets = offsets(extents, strides);
        let injective = offsets.iter().collect::<HashSet<_>>().len() == offsets.len();
        match layout.injectivity(1 << 24) {
            Injectivity::Injective => assert!(injective, "{layout}"),
            Injectivity::Collision { i, j, offset } => {
                assert!(!injective && i < j, "{layout}");
                assert_eq!((layout.at(i), layout.at(j)), (Ok(offset), Ok(offset)));
            }
            other => panic!("{layout}: {other:?}"),
        }
        assert_eq!(layout.is_contiguous(), injective && layout.cosize() == layout.size(), "{layout}");
        // However few steps are allowed, the answer is right or none.
        for bound in 0..4 {
            let verdict = layout.injectivity(bound).is_injective();
            assert!(verdict.is_none_or(|verdict| verdict == injective), "{layout}");
        }
    });
}

#[test]
fn the_coordinate_that_is_too_large_is_named() {
    let layout: Layout = "(2,3,4):(1,2,6)".parse().unwrap();
    let said = |coordinates: &[u64]| layout.at_flat(coordinates).unwrap_err().to_string();
    for (coordinates, leaf, at, extent) in [([2, 0, 0], 0, 2, 2), ([1, 3, 9], 1, 3, 3), ([0, 2, 7], 2, 7, 4)] {
        let text = said(&coordinates);
        for number in [leaf, at, extent] {
            assert!(text.contains(&number.to_string()), "{coordinates:?}: {text}");
        }
    }
    assert_eq!(said(&[1, 2]), "2 coordinates for 3 leaves");
    assert_eq!(said(&[1, 2, 3, 0]), "4 coordinates for 3 leaves");
}

#[test]
fn offsets_count_themselves() {
    let layout: Layout = "(3,4):(4,1)".parse().unwrap();
    let mut offsets = layout.offsets();
    for left in (0..=12_usize).rev() {
        assert_eq!(offsets.size_hint(), (left, Some(left)));
        assert_eq!(offsets.next().is_some(), left > 0);
    }
    let large: Layout = "18446744073709551615:1".parse().unwrap();
    assert_eq!(large.offsets().size_hint().0, usize::MAX);
}
