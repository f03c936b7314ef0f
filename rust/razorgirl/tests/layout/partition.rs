//! Who owns what: all tiles together, all elements of a tile together, all threads together have every element once.

use proptest::prelude::*;
use razorgirl::{Coord, IntTuple, Layout, LayoutAndOffset, Tiler};
use razorgirl_conform::generate::{Rng, flat_layouts_of_rank, nested_layout};
use std::collections::HashMap;

use crate::shared::{cases, layout, said};

/// How often each offset occurs.
fn counted(offsets: impl IntoIterator<Item = u64>) -> HashMap<u64, u64> {
    let mut counts = HashMap::new();
    for offset in offsets {
        *counts.entry(offset).or_default() += 1;
    }
    counts
}

/// Threads and values over a tile: each element exactly once.
#[test]
fn threads_and_values_of_small_layouts() {
    let some: Vec<Layout> = (1..=2)
        .flat_map(|rank| flat_layouts_of_rank(rank, 4, 4))
        .map(|(extents, strides)| Layout::new(&IntTuple::flat(&extents), &IntTuple::flat(&strides)).unwrap())
        .collect();
    let mut found = 0;
    for (i, threads) in some.iter().enumerate() {
        for values in some.iter().skip(i % 3).step_by(3) {
            let tile = threads.raked_product(values);
            let tv = Layout::make_layout_tv(threads, values);
            // threads that are numbered without gaps own whole digits of a bijection
            let bijection = tile.as_ref().is_ok_and(Layout::is_contiguous);
            assert!(tv.is_ok() || !bijection || !threads.is_contiguous(), "threads {threads}, values {values}");
            assert!(bijection || tv.is_err(), "threads {threads}, values {values}");
            let (Ok(tv), Ok(tile)) = (tv, tile) else { continue };
            found += 1;
            let sizes: Vec<u64> = tile.sublayouts().map(|mode| mode.size()).collect();
            assert_eq!(tv.tiler.leaves(), sizes);
            let shape: Vec<u64> = tv.layout.sublayouts().map(|mode| mode.size()).collect();
            assert_eq!(shape, [threads.size(), values.size()], "threads {threads}, values {values}");
            for (pair, element) in (0..).zip(tv.layout.offsets()) {
                assert_eq!(tile.at(element), Ok(pair), "threads {threads}, values {values}: {}", tv.layout);
            }
        }
    }
    assert!(found > 1_000);
}

/// Of at most 400 elements.
fn nested() -> impl Strategy<Value = Layout> {
    any::<u64>().prop_map(|seed| {
        let layout = nested_layout(&mut Rng::new(seed), 400);
        razorgirl_protocol::layout_from_json(&layout.to_string()).unwrap()
    })
}

/// A tiler that mostly fits, made from a stream of choices.
fn tiler(layout: &Layout, choices: &mut impl Iterator<Item = u64>, uneven: bool) -> Tiler {
    // 1 where the choices run out: a leaf then ends the tiler
    let choice = choices.next().unwrap_or(1);
    let size = layout.size();
    if layout.depth() > 0 && !choice.is_multiple_of(4) {
        let keep = if choice.is_multiple_of(5) { layout.rank() / 2 } else { layout.rank() };
        let modes: Vec<Layout> = layout.sublayouts().take(keep).collect();
        let mut tilers: Vec<Tiler> = modes.iter().map(|mode| tiler(mode, choices, uneven)).collect();
        if choice.is_multiple_of(37) {
            tilers.push(Tiler::Keep);
        }
        return Tiler::Modes(tilers);
    }
    if choice.is_multiple_of(7) {
        return Tiler::Keep;
    }
    let divisors: Vec<u64> = (1..=size.min(12)).filter(|n| size.is_multiple_of(*n) || uneven).collect();
    let mut pick = || divisors[usize::try_from(choices.next().unwrap_or(0)).unwrap_or(0) % divisors.len()];
    let (a, b) = (pick().min(6), pick().min(6));
    let tile = match choice / 7 % 4 {
        0 | 1 => format!("{a}:1"),
        2 => format!("{a}:{b}"),
        _ => format!("({a},{b}):(1,{})", a * pick()),
    };
    Tiler::Layout(tile.parse().unwrap())
}

proptest! {
    #![proptest_config(cases(4000))]

    /// Where the tiles fit, padding changes nothing; where they do not, every element is there once.
    #[test]
    fn padded_by_tiler(layout in nested(), stream in prop::collection::vec(any::<u64>(), 24)) {
        let tiler = tiler(&layout, &mut stream.into_iter(), true);
        let ceil = layout.logical_divide_ceil(&tiler);
        if let Ok(exact) = layout.logical_divide(&tiler) {
            prop_assert_eq!(ceil.as_ref().map(|ceil| (&ceil.layout, ceil.padded())), Ok((&exact, 0)));
        }
        if let Ok(ceil) = ceil {
            let mut left = 0;
            let mut kept = Vec::new();
            for (index, offset) in (0..).zip(ceil.layout.offsets()) {
                let crd = Coord::from(ceil.layout.shape().idx2crd(index).unwrap());
                prop_assert_eq!(ceil.is_padded(&crd), ceil.is_padded_at(index));
                if ceil.is_padded_at(index) == Ok(true) { left += 1 } else { kept.push(offset) }
            }
            prop_assert_eq!(ceil.padded(), left);
            prop_assert_eq!(counted(kept), counted(layout.offsets()));
            prop_assert!(ceil.is_padded_at(ceil.layout.size()).is_err());
        }
    }

    /// All tiles together, all elements of a tile together, and all threads together have every element exactly once.
    #[test]
    fn partitions(layout in nested(), stream in prop::collection::vec(any::<u64>(), 24)) {
        let tiler = tiler(&layout, &mut stream.into_iter(), false);
        let all = counted(layout.offsets());
        if let Ok(zipped) = layout.zipped_divide(&tiler) {
            let (tile, rest) = (zipped.mode(0).unwrap(), zipped.mode(1).unwrap());
            let (mut by_tile, mut by_element) = (Vec::new(), Vec::new());
            for at in 0..rest.size() {
                let placed = layout.inner_partition(&tiler, &Coord::leaf(Some(at))).unwrap();
                let LayoutAndOffset { layout: part, offset, .. } = &placed;
                prop_assert_eq!(rest.at(at), Ok(*offset));
                prop_assert!(part.offsets().eq(tile.offsets()));
                prop_assert_eq!(layout.local_tile(&tiler, &Coord::leaf(Some(at))), Ok(placed.clone()));
                by_tile.extend(part.offsets().map(|at| at + offset));
                // the same with a whole coordinate, and with its first mode alone
                let crd = Coord::from(rest.shape().idx2crd(at).unwrap());
                if !crd.is_leaf() {
                    prop_assert_eq!(layout.inner_partition(&tiler, &crd), Ok(placed.clone()));
                    let first = crd.mode(0).map(|first| Coord::tuple(&[first]).unwrap());
                    if let Some(first) = first {
                        let parts = layout.inner_partition(&tiler, &first).unwrap();
                        prop_assert!(parts.layout.offsets().any(|at| at + parts.offset == *offset));
                    }
                }
            }
            for at in 0..tile.size() {
                let LayoutAndOffset { layout: part, offset, .. } = layout.outer_partition(&tiler, &Coord::leaf(Some(at))).unwrap();
                prop_assert_eq!(tile.at(at), Ok(offset));
                prop_assert!(part.offsets().eq(rest.offsets()));
                by_element.extend(part.offsets().map(|at| at + offset));
            }
            prop_assert_eq!(&counted(by_tile), &all);
            prop_assert_eq!(&counted(by_element), &all);
            let whole = layout.inner_partition(&tiler, &Coord::leaf(None)).unwrap();
            prop_assert_eq!(whole.offset, 0);
            prop_assert!(whole.layout.offsets().eq(zipped.offsets()));
            prop_assert!(layout.inner_partition(&tiler, &Coord::leaf(Some(rest.size()))).is_err());
            prop_assert!(layout.outer_partition(&tiler, &Coord::leaf(Some(tile.size()))).is_err());
        }
    }

    #[test]
    fn local_partitions(layout in nested(), sizes in prop::collection::vec(1..5_u64, 0..4), turn in 0..4_usize) {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.rotate_left(turn % sizes.len().max(1));
        let (mut strides, mut next) = (vec![0; sizes.len()], 1);
        for i in order {
            strides[i] = next;
            next *= sizes[i];
        }
        let threads = Layout::new(&IntTuple::flat(&sizes), &IntTuple::flat(&strides)).unwrap();
        let tiler = Tiler::Modes(sizes.iter().map(|size| Tiler::integer(*size).unwrap()).collect());
        let zipped = layout.zipped_divide(&tiler);
        let mut elements = Vec::new();
        for at in 0..threads.size() {
            let own = layout.local_partition(&threads, threads.at(at).unwrap());
            prop_assert_eq!(own.is_ok(), zipped.is_ok());
            if let Ok(part) = own {
                let crd = Coord::from(threads.shape().idx2crd(at).unwrap());
                prop_assert_eq!(layout.outer_partition(&tiler, &crd), Ok(part.clone()));
                elements.extend(part.layout.offsets().map(|at| at + part.offset));
            }
        }
        if zipped.is_ok() {
            prop_assert_eq!(counted(elements), counted(layout.offsets()));
        }
        prop_assert!(layout.local_partition(&threads, threads.size()).is_err());
    }
}

fn tv(threads: &str, values: &str) -> String {
    said(&format!("make_layout_tv({threads}, {values})"), Layout::make_layout_tv(&layout(threads), &layout(values)))
}

fn local(of: &str, threads: &str, index: u64) -> String {
    said(&format!("local_partition({of}, {threads}, {index})"), layout(of).local_partition(&layout(threads), index))
}

#[test]
fn refusals() {
    for (name, text) in [
        ("tv_broadcast", tv("(4,2):(1,0)", "4:1")),
        ("tv_overlap", tv("4:1", "(2,2):(1,0)")),
        ("tv_gaps", tv("4:1", "2:3")),
        ("tv_no_layout", tv("3:2", "4:1")),
        ("local_no_such_thread", local("(8,6):(1,8)", "(4,3):(3,1)", 12)),
        ("local_threads_with_gaps", local("(8,6):(1,8)", "(4,3):(1,5)", 3)),
        ("local_threads_overlap", local("(8,6):(1,8)", "(4,3):(1,2)", 3)),
        ("local_uneven", local("(8,6):(1,8)", "(3,2):(1,3)", 3)),
        ("local_too_many_modes", local("8:1", "(4,3):(3,1)", 3)),
    ] {
        insta::assert_snapshot!(name, text);
    }
}
