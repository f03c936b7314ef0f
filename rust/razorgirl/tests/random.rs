//! Nested layouts against the definitions, and numbers up to 64 bits against arithmetic that cannot overflow.

mod naive;

use naive::Tree::{Leaf, Node};
use proptest::prelude::*;
use proptest::sample::Index;
use razorgirl::{Called, Coord, ErrorKind, Injectivity, IntTuple, Layout, Mode, Placed, Profile, Shape};

/// A failure prints its input, and belongs into a test of its own; nothing is written beside the sources.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn extent() -> impl Strategy<Value = u64> {
    prop_oneof![2 => Just(1_u64), 3 => 2..5_u64]
}

fn stride() -> impl Strategy<Value = u64> {
    prop_oneof![1 => Just(0_u64), 3 => 1..30_u64, 2 => prop::sample::select(vec![1_u64, 2, 4, 8, 3, 6, 12])]
}

/// Of at most 3000 points, so that all of them can be looked at.
fn nested() -> impl Strategy<Value = naive::Layout> {
    let leaf = (extent(), stride()).prop_map(Leaf);
    let tree = leaf.prop_recursive(3, 10, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Node));
    tree.prop_filter("small", |layout| naive::size(&naive::shape(layout)) <= 3000)
        .prop_map(|layout| naive::normal(&layout))
}

/// Column-major strides of the tree, which coalesce a lot, with a few changed.
fn compact() -> impl Strategy<Value = naive::Layout> {
    (nested(), any::<Index>(), 0..3_u64).prop_map(|(layout, place, factor)| {
        let (mut next, mut leaf) = (1, 0);
        let changed = place.index(layout.leaves().len().max(1));
        let compact = layout.map(&mut |(extent, _)| {
            let stride = if leaf == changed { next * factor } else { next };
            next *= extent;
            leaf += 1;
            (extent, stride)
        });
        naive::normal(&compact)
    })
}

fn layout() -> impl Strategy<Value = naive::Layout> {
    prop_oneof![nested(), compact()]
}

fn built(layout: &naive::Layout) -> Layout {
    naive::notation(layout).parse().unwrap()
}

fn one_in(n: u64, choice: u64) -> bool {
    choice.is_multiple_of(n)
}

/// A coordinate that mostly fits: at each mode a placeholder, an integer for the whole mode, or a tuple.
fn coordinate(shape: &naive::Tree<u64>, choices: &mut impl Iterator<Item = u64>) -> naive::Crd {
    let choice = choices.next().unwrap_or(0);
    match shape {
        Node(modes) if !one_in(4, choice) => {
            let mut at: Vec<naive::Crd> = modes.iter().map(|mode| coordinate(mode, choices)).collect();
            if one_in(31, choice) {
                at.push(Leaf(None));
            }
            Node(at)
        }
        _ if one_in(3, choice) => Leaf(None),
        _ if one_in(23, choice) => Node(vec![Leaf(Some(0))]),
        shape => Leaf(Some(choice / 7 % (naive::size(shape) + u64::from(one_in(29, choice))))),
    }
}

/// The nesting of the tree, cut off in places, with an occasional mode too many.
fn profile(layout: &naive::Layout, choices: &mut impl Iterator<Item = u64>) -> naive::Tree<()> {
    let choice = choices.next().unwrap_or(0);
    match layout {
        Node(modes) if !one_in(4, choice) => {
            let keep = if one_in(3, choice) { modes.len() / 2 } else { modes.len() };
            let mut profiles: Vec<_> = modes.iter().take(keep).map(|mode| profile(mode, choices)).collect();
            if one_in(19, choice) {
                profiles.push(Leaf(()));
            }
            Node(profiles)
        }
        Leaf(_) if one_in(5, choice) => Node(vec![Leaf(())]),
        _ => Leaf(()),
    }
}

fn text(layout: razorgirl::Result<Layout>) -> Option<String> {
    layout.ok().map(|layout| layout.to_string())
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn unary(plain in layout()) {
        let library = built(&plain);
        prop_assert_eq!(library.to_string(), naive::notation(&plain));
        prop_assert_eq!((library.rank(), library.depth()), (plain.rank(), plain.depth()));
        let offsets = naive::offsets(&plain);
        prop_assert_eq!(library.offsets().collect::<Vec<_>>(), &offsets[..]);
        prop_assert_eq!((library.size(), library.cosize()), (offsets.len() as u64, naive::cosize(&plain)));
        let coalesced = library.coalesce();
        prop_assert_eq!(coalesced.to_string(), naive::notation(&naive::coalesce(&plain)));
        prop_assert_eq!((coalesced.size(), coalesced.cosize()), (library.size(), library.cosize()));
        prop_assert!(coalesced.offsets().eq(offsets.iter().copied()));
        for (ours, theirs) in [
            (library.filter_zeros(), naive::filter_zeros(&plain)),
            (library.filter(), naive::filter(&plain)),
            (library.sort(), naive::sort(&plain)),
        ] {
            prop_assert_eq!(ours.to_string(), naive::notation(&theirs));
            prop_assert_eq!((ours.size(), ours.cosize()), (naive::size(&naive::shape(&theirs)), naive::cosize(&theirs)));
        }
        prop_assert_eq!(library.is_contiguous(), naive::is_contiguous(&plain));
        prop_assert_eq!(Layout::find_layout(&offsets), Ok(Some(coalesced)));
        let modes: Vec<Layout> = library.sublayouts().collect();
        prop_assert_eq!(modes.len(), library.rank());
        if plain.depth() > 0 {
            prop_assert_eq!(Layout::concat(&modes), Ok(library.clone()));
        }
        let again = Layout::new(library.shape().extents(), &library.stride());
        prop_assert_eq!(again, Ok(library));
    }

    #[test]
    fn injective(plain in layout(), bound in 0..200_u64) {
        let (library, injective) = (built(&plain), naive::is_injective(&plain));
        match library.injectivity(1 << 24) {
            Injectivity::Injective => prop_assert!(injective),
            Injectivity::Collision { i, j, offset } => {
                prop_assert!(i < j);
                prop_assert_eq!((library.at(i), library.at(j)), (Ok(offset), Ok(offset)));
            }
            other => prop_assert!(false, "{other:?}"),
        }
        let verdict = library.injectivity(bound).is_injective();
        prop_assert!(verdict.is_none_or(|verdict| verdict == injective));
    }

    #[test]
    fn coordinates(plain in layout(), choices in prop::collection::vec(any::<u64>(), 12)) {
        let (library, shape) = (built(&plain), naive::shape(&plain));
        let crd = coordinate(&shape, &mut choices.into_iter());
        let coord: Coord = naive::crd_notation(&crd).parse().unwrap();
        let digits = naive::bounded(&crd, &shape);
        prop_assert_eq!(library.offset(&coord).ok(), digits.as_ref().map(|digits| naive::dot(&plain, digits)));
        let index = digits.map(|digits| naive::index(&shape.leaves(), &digits));
        prop_assert_eq!(library.shape().crd2idx(&coord).ok(), index);
        prop_assert_eq!(text(library.slice(&coord)), naive::slice(&crd, &plain).map(|l| naive::notation(&l)));
        prop_assert_eq!(text(library.dice(&coord)), naive::dice(&crd, &plain).map(|l| naive::notation(&l)));
        let kept = naive::kept(&crd, &plain, &|at| at.is_none()).map(|modes| naive::notation(&Node(modes)));
        match (library.slice_and_offset(&coord), library.call(&coord)) {
            (Ok(Placed { layout: sliced, offset, .. }), Ok(called)) => {
                prop_assert_eq!(Some(sliced.to_string()), kept);
                prop_assert_eq!(Ok(offset), library.offset(&coord));
                prop_assert_eq!(sliced.cosize(), naive::cosize(&naive::Tree::Node(naive::kept(&crd, &plain, &|at| at.is_none()).unwrap())));
                prop_assert_eq!(called, if coord.leaves().contains(&None) { Called::Sublayout(sliced) } else { Called::Offset(offset) });
            }
            (Err(one), Err(other)) => {
                prop_assert_eq!(index, None);
                prop_assert_eq!(one, other);
            }
            (one, other) => prop_assert!(false, "{one:?} {other:?}"),
        }
    }

    #[test]
    fn profiles(plain in layout(), choices in prop::collection::vec(any::<u64>(), 12)) {
        let library = built(&plain);
        let guide = profile(&plain, &mut choices.into_iter());
        let parsed: Profile = guide.write(&|()| "*".to_owned()).parse().unwrap();
        let by = |f: &dyn Fn(&naive::Layout) -> naive::Layout| {
            naive::by_profile(&|part: &naive::Layout| f(part), &plain, &guide).map(|layout| naive::notation(&layout))
        };
        prop_assert_eq!(text(library.coalesce_by(&parsed)), by(&naive::coalesce));
        prop_assert_eq!(text(library.filter_by(&parsed)), by(&naive::filter));
    }

    #[test]
    fn compatible_shapes(a in layout(), choices in prop::collection::vec(any::<u64>(), 12)) {
        // A coarser shape of the same size: the mode that a leaf of the profile covers becomes a leaf.
        fn coarser(shape: &naive::Tree<u64>, choices: &mut impl Iterator<Item = u64>) -> naive::Tree<u64> {
            match shape {
                Node(modes) if !one_in(3, choices.next().unwrap_or(0)) => {
                    Node(modes.iter().map(|mode| coarser(mode, choices)).collect())
                }
                shape => Leaf(naive::size(shape)),
            }
        }
        let fine = naive::shape(&a);
        let coarse = coarser(&fine, &mut choices.into_iter());
        let shape = |tree: &naive::Tree<u64>| -> Shape { tree.write(&|extent| extent.to_string()).parse().unwrap() };
        prop_assert!(shape(&coarse).compatible(&shape(&fine)));
        prop_assert_eq!(shape(&fine).compatible(&shape(&coarse)), naive::compatible(&fine, &coarse));
        prop_assert_eq!(shape(&fine).congruent(&shape(&coarse)), fine.congruent(&coarse));
        // Same index, whichever of the two shapes says it.
        let last = shape(&coarse).size() - 1;
        let crd = Coord::from(shape(&coarse).idx2crd(last).unwrap());
        prop_assert_eq!(shape(&fine).crd2idx(&crd), Ok(last));
    }
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
