//! Every operation on every flat layout with rank at most 3, extents at most 4 and strides at most 6, against its
//! definition.

mod naive;

use naive::Tree::{Leaf, Node};
use razorgirl::{Coord, Injectivity, IntTuple, Layout, Mode, Placed, Profile, find_modes};

const BOUND: u64 = 1 << 24;

fn modes() -> impl Iterator<Item = naive::Mode> + Clone {
    (1..=4).flat_map(|extent| (0..=6).map(move |stride| (extent, stride)))
}

/// As leaf and as tuples of rank 0 to 3, with strides under an extent of 1 as they come.
fn layouts() -> Vec<naive::Layout> {
    let mut all = vec![Node(vec![])];
    for a in modes() {
        all.push(Leaf(a));
        all.push(Node(vec![Leaf(a)]));
        for b in modes() {
            all.push(Node(vec![Leaf(a), Leaf(b)]));
            for c in modes() {
                all.push(Node(vec![Leaf(a), Leaf(b), Leaf(c)]));
            }
        }
    }
    all
}

fn built(layout: &naive::Layout) -> Layout {
    let extents = layout.leaves().iter().map(|mode| mode.0).collect::<Vec<_>>();
    let strides = layout.leaves().iter().map(|mode| mode.1).collect::<Vec<_>>();
    let (shape, stride) = match layout {
        Leaf((extent, stride)) => (IntTuple::leaf(*extent), IntTuple::leaf(*stride)),
        Node(_) => (IntTuple::flat(&extents), IntTuple::flat(&strides)),
    };
    Layout::new(&shape, &stride).unwrap()
}

/// The naive layout in the library's normal form of strides.
fn each(test: impl Fn(&naive::Layout, &Layout)) {
    let all = layouts();
    assert_eq!(all.len(), 1 + 2 * 28 + 28 * 28 + 28 * 28 * 28);
    for layout in all {
        let library = built(&layout);
        test(&naive::normal(&layout), &library);
    }
}

#[test]
fn construction_and_notation() {
    each(|plain, library| {
        let text = naive::notation(plain);
        assert_eq!(library.to_string(), text);
        assert_eq!(text.parse::<Layout>().as_ref(), Ok(library));
        assert_eq!((library.rank(), library.depth()), (plain.rank(), plain.depth()));
        let modes: Vec<_> = plain.leaves().iter().map(|(s, d)| Mode::new(*s, *d)).collect();
        assert_eq!(library.modes(), modes);
    });
}

#[test]
fn evaluation() {
    each(|plain, library| {
        let offsets = naive::offsets(plain);
        assert_eq!(library.size(), offsets.len() as u64);
        assert_eq!(library.cosize(), naive::cosize(plain));
        assert!(library.offsets().eq(offsets.iter().copied()));
        let extents = naive::shape(plain).leaves();
        for (index, offset) in (0..).zip(&offsets) {
            let digits = naive::digits(&extents, index);
            assert_eq!(library.at(index).as_ref(), Ok(offset));
            assert_eq!(library.at_flat(&digits).as_ref(), Ok(offset));
            assert_eq!(library.shape().idx2crd(index).unwrap().leaves(), digits);
            let crd = Coord::from(library.shape().idx2crd(index).unwrap());
            assert_eq!(library.offset(&crd).as_ref(), Ok(offset));
            assert_eq!(library.shape().crd2idx(&crd), Ok(index));
            assert_eq!(library.offset(&Coord::leaf(Some(index))).as_ref(), Ok(offset));
        }
        assert!(library.at(library.size()).is_err());
        assert!(library.shape().idx2crd(library.size()).is_err());
    });
}

#[test]
fn coalesce_filter_sort() {
    let same = |library: Layout, plain: naive::Layout| {
        assert_eq!(library.to_string(), naive::notation(&plain));
        // Size and cosize are carried along, not computed again.
        assert_eq!(library.size(), naive::size(&naive::shape(&plain)));
        assert_eq!(library.cosize(), naive::cosize(&plain));
    };
    let profiles = ["*", "()", "(*)", "(*,*)", "((*))", "(*,(*))", "(*,*,*)", "(*,*,*,*)"];
    let plain_profile = |text: &str| match text {
        "*" => Leaf(()),
        "()" => Node(vec![]),
        "(*)" => Node(vec![Leaf(())]),
        "(*,*)" => Node(vec![Leaf(()), Leaf(())]),
        "((*))" => Node(vec![Node(vec![Leaf(())])]),
        "(*,(*))" => Node(vec![Leaf(()), Node(vec![Leaf(())])]),
        "(*,*,*)" => Node(vec![Leaf(()), Leaf(()), Leaf(())]),
        _ => Node(vec![Leaf(()), Leaf(()), Leaf(()), Leaf(())]),
    };
    each(|plain, library| {
        same(library.coalesce(), naive::coalesce(plain));
        same(library.filter_zeros(), naive::filter_zeros(plain));
        same(library.filter(), naive::filter(plain));
        same(library.sort(), naive::sort(plain));
        assert_eq!(library.coalesce().coalesce(), library.coalesce());
        for profile in profiles {
            let parsed: Profile = profile.parse().unwrap();
            let by = |f: &dyn Fn(&naive::Layout) -> naive::Layout| {
                naive::by_profile(&|part: &naive::Layout| f(part), plain, &plain_profile(profile))
            };
            let text = |layout: Result<Layout, _>| layout.ok().map(|layout| layout.to_string());
            assert_eq!(text(library.coalesce_by(&parsed)), by(&naive::coalesce).map(|layout| naive::notation(&layout)));
            assert_eq!(text(library.filter_by(&parsed)), by(&naive::filter).map(|layout| naive::notation(&layout)));
        }
    });
}

#[test]
fn injective_and_contiguous() {
    each(|plain, library| {
        let injective = naive::is_injective(plain);
        match library.injectivity(BOUND) {
            Injectivity::Injective => assert!(injective, "{library}"),
            Injectivity::Collision { i, j, offset } => {
                assert!(!injective && i < j, "{library}");
                assert_eq!((library.at(i), library.at(j)), (Ok(offset), Ok(offset)));
            }
            other => panic!("{library}: {other:?}"),
        }
        assert_eq!(library.is_contiguous(), naive::is_contiguous(plain), "{library}");
        // However few steps are allowed, the answer is right or none.
        for bound in 0..4 {
            let verdict = library.injectivity(bound).is_injective();
            assert!(verdict.is_none_or(|verdict| verdict == injective), "{library}");
        }
    });
}

#[test]
fn find_layout_inverts_offsets() {
    each(|_, library| {
        let offsets: Vec<u64> = library.offsets().collect();
        assert_eq!(Layout::find_layout(&offsets), Ok(Some(library.coalesce())));
    });
}

/// Every function on up to 8 points with small values: the layout that trying all finds, or none.
#[test]
fn find_layout_is_complete() {
    for (count, values) in [(1, 5), (2, 6), (3, 6), (4, 6), (5, 4), (6, 4), (7, 3), (8, 3)] {
        let functions = (0..count).map(|_| values).product::<u64>();
        for number in 0..functions {
            let f = naive::digits(&vec![values; count], number);
            let found = Layout::find_layout(&f).unwrap();
            let expected = naive::find_layout(&f);
            assert_eq!(
                found.map(|layout| layout.to_string()),
                expected.map(|layout| naive::notation(&layout)),
                "{f:?}"
            );
        }
    }
    assert_eq!(find_modes(0, |_, _, _| true), None);
}

#[test]
fn slice_and_dice() {
    let coordinates = |rank: usize| {
        let choices = [None, Some(0), Some(1), Some(3)];
        (0..4_u64.pow(u32::try_from(rank).unwrap())).map(move |number| {
            let digits = naive::digits(&vec![4; rank], number);
            let leaves = digits.iter().map(|d| Leaf(choices[usize::try_from(*d).unwrap()]));
            Node(leaves.collect())
        })
    };
    each(|plain, library| {
        let mut crds = vec![Leaf(None), Leaf(Some(0)), Leaf(Some(2))];
        if plain.depth() == 1 {
            crds.extend(coordinates(plain.rank()));
        }
        for plain_crd in crds {
            let crd: Coord = naive::crd_notation(&plain_crd).parse().unwrap();
            let text = |layout: Result<Layout, _>| layout.ok().map(|layout| layout.to_string());
            assert_eq!(
                text(library.slice(&crd)),
                naive::slice(&plain_crd, plain).map(|layout| naive::notation(&layout))
            );
            assert_eq!(text(library.dice(&crd)), naive::dice(&plain_crd, plain).map(|layout| naive::notation(&layout)));
            let digits = naive::bounded(&plain_crd, &naive::shape(plain));
            let offset = digits.map(|digits| naive::dot(plain, &digits));
            assert_eq!(library.offset(&crd).ok(), offset);
            if let Ok(Placed { layout: kept, offset: base, .. }) = library.slice_and_offset(&crd) {
                assert_eq!(Some(base), offset);
                assert_eq!(kept.size(), kept.offsets().count() as u64);
                // Together: all offsets of coordinates that agree with this one.
                let sliced = naive::kept(&plain_crd, plain, &|at| at.is_none()).unwrap();
                assert_eq!(kept.to_string(), naive::notation(&Node(sliced)));
            }
        }
    });
}

#[test]
fn shapes() {
    let shapes = ["()", "1", "(1)", "6", "(6)", "(2,3)", "(3,2)", "((2,3))", "((2,1),3)", "(6,1)", "((6),())"];
    let plain = |text: &str| -> naive::Tree<u64> {
        fn tree(shape: &IntTuple) -> naive::Tree<u64> {
            if shape.is_leaf() {
                Leaf(shape.leaves()[0])
            } else {
                Node(shape.modes().map(|mode| tree(&mode)).collect())
            }
        }
        tree(&text.parse().unwrap())
    };
    for a in shapes {
        for b in shapes {
            let (coarse, fine): (razorgirl::Shape, razorgirl::Shape) = (a.parse().unwrap(), b.parse().unwrap());
            let (plain_coarse, plain_fine) = (plain(a), plain(b));
            assert_eq!(coarse.compatible(&fine), naive::compatible(&plain_coarse, &plain_fine), "{a} {b}");
            assert_eq!(fine.refines(&coarse), coarse.compatible(&fine));
            assert_eq!(coarse.congruent(&fine), plain_coarse.congruent(&plain_fine), "{a} {b}");
        }
    }
}
