//! All small morphisms and layouts, against what their functions do.

use super::*;
use crate::{ErrorKind, HTuple, IntTuple, Layout, Literal, Profile, Shape};
use alloc::{string::ToString, vec::Vec};
use std::println;

/// All tuples of up to `rank` entries, each from 1 to `most`.
fn tuples(rank: usize, most: u64) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..rank {
        last = last.iter().flat_map(|t| (1..=most).map(move |e| [t.as_slice(), &[e]].concat())).collect();
        all.extend(last.clone());
    }
    all
}

/// All morphisms between these tuples.
fn morphisms(rank: usize, most: u64) -> Vec<TupleMorphism> {
    let mut all = Vec::new();
    for domain in tuples(rank, most) {
        for codomain in tuples(rank, most) {
            let maps = tuples(domain.len(), codomain.len() as u64 + 1);
            for map in maps.iter().filter(|map| map.len() == domain.len()) {
                let map: Vec<u64> = map.iter().map(|value| value - 1).collect();
                all.extend(TupleMorphism::new(&domain, &codomain, &map));
            }
        }
    }
    all
}

fn function(f: &TupleMorphism) -> Vec<u64> {
    (0..f.size()).map(|index| f.realization(index).unwrap()).collect()
}

fn offsets(layout: &WrittenLayout) -> Vec<u64> {
    let layout = layout.normalized().unwrap();
    (0..layout.size()).map(|index| layout.at(index).unwrap()).collect()
}

#[test]
fn a_morphism_is_its_layout_and_composes_as_that() {
    let all = morphisms(2, 3);
    assert!(all.len() > 300, "{}", all.len());
    let mut composed = 0;
    for f in &all {
        assert_eq!(function(f), offsets(&f.encoded_layout()), "{f}");
        assert!(f.encoded_layout().is_tractable(), "{f}");
        for g in all.iter().filter(|g| g.domain() == f.codomain()) {
            let after = function(g);
            let through: Vec<u64> = function(f).iter().map(|index| after[usize::try_from(*index).unwrap()]).collect();
            let composite = f.compose(g).unwrap();
            assert_eq!(function(&composite), through, "{f}, then {g}");
            composed += 1;
            // theorem B, by the composition of this library
            if f.is_non_degenerate() {
                let (outer, inner) =
                    (g.encoded_layout().normalized().unwrap(), f.encoded_layout().normalized().unwrap());
                let composition = outer.composition(&inner).unwrap_or_else(|error| panic!("{f}, then {g}: {error}"));
                let expected = composite.encoded_layout().normalized().unwrap();
                assert_eq!(offsets(&WrittenLayout::from(&composition)), through, "{f}, then {g}");
                assert_eq!(composition.coalesce(), expected.coalesce(), "{f}, then {g}");
            }
        }
    }
    assert!(composed > 1000, "{composed}");
}

#[test]
fn operations_keep_the_function() {
    for f in morphisms(3, 3) {
        for same in [f.squeeze(), f.coalesce(), f.strong_coalesce()] {
            assert_eq!(function(&same), function(&f), "{f} and {same}");
            assert!(TupleMorphism::new(same.domain(), same.codomain(), same.map().values()).is_ok(), "{same}");
        }
        assert!(f.coalesce().is_coalesced(), "{f}");
        assert!(f.sort().is_sorted() && (f.sort() == f) == f.is_sorted(), "{f}");
        let (sorted, _) = f.encoded_layout().sort_flat().unwrap();
        assert_eq!(f.sort().encoded_layout(), sorted, "{f}");
        // what is represented encodes the layout again
        let layout = f.encoded_layout();
        let standard = TupleMorphism::standard_representation(&layout).unwrap();
        assert_eq!(standard.encoded_layout(), layout, "{f}");
        // f is the representation of its layout where it is of standard form and non-degenerate (theorem A)
        if f.is_non_degenerate() {
            assert!(standard.is_standard() && standard.is_non_degenerate(), "{standard}");
            assert_eq!(f.is_standard(), standard == f, "{f}");
        }
        match f.complement() {
            Ok(complement) => {
                assert!(f.is_complementable(), "{f}");
                assert!(f.concat(&complement).unwrap().is_isomorphism(), "{f}");
                assert_eq!(complement.complement().unwrap(), f.sort(), "{f}");
                // theorem D
                let bare = f.encoded_layout().normalized().unwrap().coalesce();
                let expected = bare.complement_in(u128::from(f.cosize())).unwrap();
                assert_eq!(complement.encoded_layout().normalized().unwrap().coalesce(), expected.coalesce(), "{f}");
            }
            Err(_) => assert!(!f.is_complementable(), "{f}"),
        }
    }
}

/// Tractable is what some morphism encodes.
#[test]
fn tractable_layouts_are_those_that_are_encoded() {
    let mut tractable = 0;
    for shape in tuples(2, 4) {
        for strides in tuples(2, 13).iter().filter(|strides| strides.len() == shape.len()) {
            let strides: Vec<u64> = strides.iter().map(|stride| stride - 1).collect();
            let layout = WrittenLayout::new(&IntTuple::flat(&shape), &IntTuple::flat(&strides)).unwrap();
            // by pairs: of any two modes with strides the earlier in order has to divide
            let modes: Vec<(u64, u64)> = layout.modes().filter(|(_, stride)| *stride != 0).collect();
            let fits = |a: &(u64, u64), b: &(u64, u64)| (b.1, b.0) < (a.1, a.0) || b.1.is_multiple_of(a.0 * a.1);
            let pairs = modes
                .iter()
                .enumerate()
                .all(|(i, a)| modes.iter().enumerate().all(|(j, b)| i == j || fits(a, b) || a == b && fits(a, b)));
            assert_eq!(layout.is_tractable(), pairs, "{layout}");
            assert_eq!(TupleMorphism::standard_representation(&layout).is_ok(), pairs, "{layout}");
            tractable += u64::from(pairs);
        }
    }
    assert!(tractable > 300, "{tractable}");
}

/// Whether parts can be cut off the heads of both, one after the other, until nothing of the first is left.
fn refinable(t: &[u64], u: &[u64]) -> bool {
    let (Some((x, rest)), Some((y, more))) = (t.split_first(), u.split_first()) else { return t.is_empty() };
    (2..=*x.min(y)).filter(|part| x % part == 0 && y % part == 0).any(|part| {
        let left = |rest: &[u64], head: u64| if head == 1 { rest.to_vec() } else { [&[head], rest].concat() };
        refinable(&left(rest, x / part), &left(more, y / part))
    })
}

/// Where the entries end, in the index of all.
fn ends(entries: &[u64]) -> Vec<u64> {
    let product = |end: usize| entries[..end].iter().product();
    (0..=entries.len()).map(product).collect()
}

/// Refinements of all pairs of these; how many have one.
fn refine_all(all: &[Vec<u64>]) -> u64 {
    let shape = |entries: &[u64]| Shape::new(IntTuple::flat(entries)).unwrap();
    let mut found = 0;
    for t in all {
        for u in all {
            let bare = |entries: &[u64]| entries.iter().copied().filter(|entry| *entry != 1).collect::<Vec<u64>>();
            // entries of 1 fit wherever there is an entry to hold them
            let exists = refinable(&bare(t), &bare(u)) && (!u.is_empty() || t.is_empty());
            let made = mutual_refinement(&shape(t), &shape(u));
            assert_eq!(made.is_ok(), exists, "{t:?} and {u:?}");
            if let Ok(made) = made {
                assert!(made.t.refines(&shape(t)) && made.u.refines(&shape(u)), "{t:?} and {u:?}");
                assert!(made.u.extents().leaves().starts_with(made.t.extents().leaves()), "{t:?} and {u:?}");
                // the coarsest: cut where T or U has an end, and nowhere else
                let (mine, [first, second]) = (ends(made.u.extents().leaves()), [ends(t), ends(u)]);
                assert!(mine.iter().all(|end| first.contains(end) || second.contains(end)), "{t:?} and {u:?}");
                found += 1;
            }
        }
    }
    found
}

#[test]
fn mutual_refinements_are_found_where_there_are_any() {
    let all: Vec<Vec<u64>> = tuples(3, 8).into_iter().filter(|t| t.iter().product::<u64>() <= 24).collect();
    let found = refine_all(&all);
    assert!(found > 1000, "{found} of {}", all.len());
}

/// All tuples of entries above 1 with at most this product.
fn shapes(most: u64) -> Vec<Vec<u64>> {
    let heads = (2..=most)
        .flat_map(|head| shapes(most / head).into_iter().map(move |rest| [&[head], rest.as_slice()].concat()));
    core::iter::once(vec![]).chain(heads).collect()
}

#[test]
fn mutual_refinements_of_all_shapes_up_to_size_64() {
    let all = shapes(64);
    assert_eq!(all.len(), 441);
    let found = refine_all(&all);
    // up to two ones, anywhere
    let one_more = |t: &Vec<u64>| (0..=t.len()).map(|at| [&t[..at], &[1], &t[at..]].concat()).collect::<Vec<_>>();
    let mut ones = shapes(16);
    ones.extend(ones.clone().iter().flat_map(one_more).collect::<Vec<_>>());
    ones.extend(ones.clone().iter().flat_map(one_more).collect::<Vec<_>>());
    ones.sort();
    ones.dedup();
    println!("{found} of 194,481 have one; with ones {} of {}", refine_all(&ones), ones.len() * ones.len());
}

/// All strides of a shape without ones with which it is tractable and has at most this cosize.
fn tractable_strides(shape: &[u64], most: u64) -> Vec<Vec<u64>> {
    // the modes above stride 0 in order of stride: each stride a multiple of the block before
    fn extend(shape: &[u64], strides: &mut [u64], block: u64, room: u64, all: &mut Vec<Vec<u64>>) {
        all.push(strides.to_vec());
        for place in 0..shape.len() {
            if strides[place] == 0 {
                for stride in
                    (1..).map(|factor| block * factor).take_while(|stride| (shape[place] - 1) * stride <= room)
                {
                    strides[place] = stride;
                    extend(shape, strides, stride * shape[place], room - (shape[place] - 1) * stride, all);
                    strides[place] = 0;
                }
            }
        }
    }
    let mut all = Vec::new();
    extend(shape, &mut vec![0; shape.len()], 1, most - 1, &mut all);
    all
}

#[test]
fn every_tractable_layout_is_represented() {
    let mut count = 0;
    for shape in shapes(64) {
        for strides in tractable_strides(&shape, 256) {
            let layout = WrittenLayout::new(&IntTuple::flat(&shape), &IntTuple::flat(&strides)).unwrap();
            assert!(layout.is_tractable(), "{layout}");
            let standard = TupleMorphism::standard_representation(&layout).unwrap();
            assert_eq!(standard.encoded_layout(), layout);
            assert!(standard.is_standard() && standard.is_non_degenerate(), "{layout}: {standard}");
            // theorem A: no other morphism of that form; here, by what has to be a factor of the memory
            let mut bounds: Vec<u64> = layout
                .modes()
                .filter(|(_, stride)| *stride != 0)
                .flat_map(|(extent, stride)| [stride, extent * stride])
                .collect();
            bounds.push(1);
            bounds.sort_unstable();
            bounds.dedup();
            let factors: Vec<u64> = bounds.windows(2).map(|pair| pair[1] / pair[0]).collect();
            assert_eq!(standard.codomain(), factors, "{layout}: {standard}");
            count += 1;
        }
    }
    println!("{count} layouts");
    assert!(count > 100_000, "{count}");
}

/// Wherever morphisms compose layouts, the composite is that of this library.
#[test]
fn layouts_compose_by_morphisms_as_by_digits() {
    let mut layouts = Vec::new();
    for shape in tuples(2, 4) {
        for strides in tuples(2, 9).iter().filter(|strides| strides.len() == shape.len()) {
            let strides: Vec<u64> = strides.iter().map(|stride| stride - 1).collect();
            let layout = WrittenLayout::new(&IntTuple::flat(&shape), &IntTuple::flat(&strides)).unwrap();
            layouts.push(layout.nullify_trivial_strides());
        }
    }
    let (mut composed, mut only_digits) = (0, 0);
    for (place, inner) in layouts.iter().enumerate() {
        // every layout, beside some of the outer ones
        for outer in layouts.iter().skip(place % 31).step_by(31) {
            let digits = |outer: &WrittenLayout| -> crate::Result<Layout> {
                outer.normalized()?.composition(&inner.normalized()?)
            };
            match layout_compose(inner, outer) {
                Ok(made) => {
                    assert_eq!(made.layout, digits(outer).unwrap(), "{outer} after {inner}");
                    composed += 1;
                }
                Err(_) => only_digits += u64::from(digits(outer).is_ok()),
            }
        }
    }
    assert!(composed > 3000 && only_digits > 100, "{composed}, {only_digits}");
}

/// What is displayed is read; what has other parts, or as many elements as it does not say, is not.
#[test]
fn morphisms_are_read_as_they_are_written() {
    for f in morphisms(2, 3).into_iter().filter(|f| !f.domain().is_empty() && !f.codomain().is_empty()) {
        assert_eq!(f.to_string().parse(), Ok(f.clone()), "{f}");
        assert_eq!(f.map().to_string().parse(), Ok(f.map().clone()), "{f}");
        let nested = format!("((2),{})->({},5) by (0,{})", f.domain()[0], f.codomain()[0], f.map().values()[0].min(1));
        assert_eq!(nested.parse::<NestMorphism>().map(|read| read.to_string()).ok(), {
            let same = f.map().values()[0] == 0 || f.domain()[0] == f.codomain()[0];
            same.then_some(nested)
        });
    }
    for text in ["", "3->2", "3 by (1)", "x->2 by (1)", "2->x by (1)", "2->2 by 1,2)"] {
        assert_eq!(text.parse::<FinMap>().unwrap_err().kind(), ErrorKind::Parse, "{text}");
    }
    assert_eq!("3->2 by (2,0)".parse::<FinMap>().unwrap_err().kind(), ErrorKind::Incongruent);
    assert_eq!("((2),3)->(2,3) by (1,2)".parse::<TupleMorphism>().unwrap_err().kind(), ErrorKind::Parse);
}

#[test]
fn entries_are_at_least_1_and_their_product_is_below_2_to_the_64() {
    let half = 1 << 32;
    for (domain, codomain, kind) in [
        (&[2, 0][..], &[2, 3][..], ErrorKind::Extent),
        (&[2], &[2, 0], ErrorKind::Extent),
        (&[2, half, half], &[2], ErrorKind::Overflow),
        (&[2], &[2, half, half], ErrorKind::Overflow),
    ] {
        let map: Vec<u64> = (0..domain.len()).map(|place| u64::from(place == 0)).collect();
        let error = TupleMorphism::new(domain, codomain, &map).unwrap_err();
        assert_eq!(error.kind(), kind, "{domain:?} {codomain:?}");
    }
    assert!(TupleMorphism::new(&[2], &[2, half, half / 4], &[1]).is_ok());
}

/// The flat complement exists exactly where the complement does, and has its offsets.
#[test]
fn flat_complements_are_those_of_layouts() {
    let (mut some, mut none) = (0, 0);
    for extents in tuples(2, 3) {
        for strides in tuples(2, 6).into_iter().filter(|strides| strides.len() == extents.len()) {
            let (extents, strides) = (IntTuple::flat(&extents), IntTuple::flat(&strides));
            let written = WrittenLayout::new(&extents, &strides).unwrap();
            let layout = written.normalized().unwrap();
            for n in 0..=40 {
                let flat = written.flat_complement(n).map(|flat| flat.normalized().unwrap().coalesce());
                let same = layout.complement_in(n).map(|layout| layout.coalesce());
                assert_eq!(flat.as_ref().ok(), same.as_ref().ok(), "{layout} in {n}");
                if let Err(error) = flat {
                    let again = layout.modes().iter().any(|mode| mode.extent() > 1 && mode.stride() == 0);
                    assert_eq!(error.kind() == ErrorKind::NotInjective, again, "{layout} in {n}: {error}");
                    none += 1;
                } else {
                    some += 1;
                }
            }
        }
    }
    assert!(some > 500 && none > 500, "{some} {none}");
}

#[test]
fn what_is_written_is_checked_as_a_layout() {
    let made = |shape: &[Literal], stride: &[Literal]| {
        let nested = |row: &[Literal]| HTuple::nested(row, &Profile::flat(row.len())).unwrap();
        WrittenLayout::from_literals(&nested(shape), &nested(stride))
    };
    let (one, two, seven) = (Literal::Fits(1), Literal::Fits(2), Literal::Fits(7));
    assert_eq!(made(&[two, one], &[seven, seven]).map(|layout| layout.to_string()).as_deref(), Ok("(2,1):(7,7)"));
    for (shape, stride, kind) in [
        (&[two, two][..], &[one][..], ErrorKind::Incongruent),
        (&[two], &[Literal::Negative], ErrorKind::Stride),
        (&[one], &[Literal::Huge], ErrorKind::Overflow),
        (&[Literal::Fits(0)], &[one], ErrorKind::Extent),
    ] {
        assert_eq!(made(shape, stride).unwrap_err().kind(), kind);
    }
}

/// The help is the condition that fails: the product of (1) is that of ().
#[test]
fn a_one_has_no_place_where_there_are_no_entries() {
    let shape = |text: &str| text.parse::<Shape>().unwrap();
    let help = |t: &str, u: &str| mutual_refinement(&shape(t), &shape(u)).unwrap_err().help().join(" ");
    assert!(help("(1)", "()").contains("U has no entry"), "{}", help("(1)", "()"));
    assert!(help("(4)", "(2)").contains("product of T must be at most"), "{}", help("(4)", "(2)"));
    assert!(
        mutual_refinement(&shape("()"), &shape("()")).is_ok()
            && mutual_refinement(&shape("(1)"), &shape("(1)")).is_ok()
    );
}
