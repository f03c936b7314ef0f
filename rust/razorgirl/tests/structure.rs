//! Rearranging, recasting and making layouts, held to their laws on every small layout. Nothing here uses how the library
//! does it: coordinates and offsets are listed.

use razorgirl::{IntTuple, Layout, Mode};
use std::collections::BTreeSet;

/// All layouts of these many modes with extents of at most `extent` and strides of at most `stride`.
fn layouts(rank: usize, extent: u64, stride: u64) -> impl Iterator<Item = Layout> {
    let modes = extent * (stride + 1);
    (0..modes.pow(u32::try_from(rank).unwrap_or(0))).map(move |code| {
        let mut rest = code;
        let modes = (0..rank).map(|_| {
            let mode = Mode::new(rest % extent + 1, rest / extent % (stride + 1));
            rest /= extent * (stride + 1);
            mode
        });
        Layout::from_modes(modes.collect::<Vec<_>>()).expect("it is small")
    })
}

fn offsets(layout: &Layout) -> Vec<u64> {
    layout.offsets().collect()
}

/// The coordinates of a layout, first mode fastest.
fn coordinates(layout: &Layout) -> Vec<Vec<u64>> {
    (0..layout.size()).map(|i| layout.shape().idx2crd(i).expect("it is below the size").leaves().to_vec()).collect()
}

/// The laws of recasting, by enumeration: nothing of this uses how it is computed.
#[test]
fn every_small_layout_is_recast_by_the_law() {
    let (mut larger, mut refused, mut smaller, mut aligned) = (0_u64, 0_u64, 0_u64, 0_u64);
    for layout in (1..=3).flat_map(|rank| layouts(rank, 4, if rank == 3 { 4 } else { 9 })) {
        let all = offsets(&layout);
        for count in [2, 3, 4, 6, 8] {
            if let Ok(upcast) = layout.upcast(count) {
                larger += 1;
                // the same offsets, each as often
                let mut met: Vec<u64> =
                    offsets(&upcast).iter().flat_map(|element| (0..count).map(move |r| element * count + r)).collect();
                let mut wanted = all.clone();
                wanted.sort_unstable();
                met.sort_unstable();
                assert_eq!(wanted, met, "{layout} in elements of {count} is {upcast}");
                // and each coordinate lies in the element at its offset / count
                let steps: Vec<u64> =
                    layout.modes().iter().zip(upcast.modes()).map(|(old, new)| old.extent() / new.extent()).collect();
                for (coord, offset) in coordinates(&layout).iter().zip(&all) {
                    let element: Vec<u64> = coord.iter().zip(&steps).map(|(c, steps)| c / steps).collect();
                    assert_eq!(upcast.at_flat(&element), Ok(offset / count), "{layout} in elements of {count}");
                }
            } else {
                refused += 1;
            }
            // the element that contains each offset, exactly where all are multiples
            let multiples = all.iter().all(|offset| offset % count == 0);
            assert_eq!(layout.upcast_containing(count).is_ok(), multiples, "{layout} in elements of {count}");
            if let Ok(containing) = layout.upcast_containing(count) {
                assert_eq!(containing.shape(), layout.shape());
                assert_eq!(offsets(&containing), all.iter().map(|offset| offset / count).collect::<Vec<_>>());
            }
            if let Ok(downcast) = layout.downcast(count) {
                smaller += 1;
                assert_eq!(downcast.size(), count * layout.size());
                // each part of each element, as often as the element
                let mut parts: Vec<u64> =
                    all.iter().flat_map(|offset| (0..count).map(move |r| offset * count + r)).collect();
                let mut met = offsets(&downcast);
                parts.sort_unstable();
                met.sort_unstable();
                assert_eq!(parts, met, "{layout} in parts of {count} is {downcast}");
                // and back
                assert_eq!(downcast.upcast(count).map(|back| back.coalesce()), Ok(layout.coalesce()));
            }
        }
        let block = layout.max_alignment();
        let hit: BTreeSet<u64> = all.iter().copied().collect();
        for offset in &all {
            aligned += 1;
            let start = offset / block * block;
            assert!((start..start + block).all(|o| hit.contains(&o)), "{layout}: blocks of {block}");
        }
    }
    println!("upcast {larger} (refused {refused}), downcast {smaller}, alignment {aligned}");
    assert!(larger > 2_000 && smaller > 10_000, "{larger} {smaller}");
}

/// What is compact is a bijection onto `[0, size)`; what is distributed divides the shape.
#[test]
fn every_small_layout_made_is_what_it_has_to_be() {
    for shape in layouts(3, 4, 0).map(|layout| layout.shape()) {
        for code in 0..27_u64 {
            let ranks = [code % 3, code / 3 % 3, code / 9];
            let made = Layout::ordered(&shape, &IntTuple::flat(&ranks)).expect("it is nested alike");
            assert!(made.is_contiguous() && made.cosize() == shape.size(), "{made}");
            for (i, a) in made.modes().iter().enumerate() {
                for (j, b) in made.modes().iter().enumerate() {
                    if a.extent() > 1 && b.extent() > 1 && (ranks[i], i) < (ranks[j], j) {
                        assert!(a.stride() * a.extent() <= b.stride(), "{made} in the order {ranks:?}");
                    }
                }
            }
        }
        for count in 1..=24 {
            let tile = Layout::domain_distribute(&shape, count).expect("it is at least 1");
            let common = (1..=count).rev().find(|n| count % n == 0 && shape.size() % n == 0);
            assert_eq!(Some(tile.size()), common, "{count} of {shape}");
            let rest = tile.complement_in(shape.size()).expect("it divides the shape");
            let all = Layout::concat(&[tile, rest]).expect("it is small");
            assert!(all.is_contiguous() && all.size() == shape.size());
        }
    }
    for layout in layouts(3, 3, 4) {
        let like = layout.make_layout_like();
        assert_eq!(like.shape(), layout.shape());
        let moving = like.filter_zeros();
        assert!(moving.is_contiguous() && moving.cosize() == moving.size(), "{layout} like {like}");
        for (a, new_a) in layout.modes().iter().zip(like.modes()) {
            assert_eq!(a.stride() == 0, new_a.stride() == 0, "{layout} like {like}");
            for (b, new_b) in layout.modes().iter().zip(like.modes()) {
                if a.stride() < b.stride() {
                    assert!(new_a.stride() < new_b.stride(), "{layout} like {like}");
                }
            }
        }
    }
}

fn text<T: std::fmt::Display>(what: razorgirl::Result<T>) -> String {
    what.map_or_else(
        |error| format!("error[{}]: {error}\n  {}", error.code(), error.help().join("\n  ")),
        |it| it.to_string(),
    )
}

fn layout(text: &str) -> Layout {
    text.parse().expect("it is notation")
}

/// Whatever happens to the layout happens to its coordinates, and the offset stays.
#[test]
fn rearranged_layouts_keep_their_offsets() {
    let all = ["(4,2,3):(1,4,8)", "((4,2),(3,5),(2,2)):((1,4),(8,24),(120,7))", "((4,2),(3,5)):((0,4),(8,1))", "6:5"];
    for of in all.map(layout) {
        for index in 0..of.size() {
            let coord = of.shape().idx2crd(index).expect("it is below the size");
            let offset = of.at(index).expect("it is below the size");
            let zero = IntTuple::leaf(0);
            let rank = of.rank();
            let same = |new: razorgirl::Result<Layout>, coord: razorgirl::Result<IntTuple>| {
                if let (Ok(new), Ok(coord)) = (new, coord) {
                    assert_eq!(new.offset(&coord.into()), Ok(offset), "{of} became {new}");
                }
            };
            same(of.append(rank + 2), coord.append(rank + 2, &zero));
            same(of.append_with(rank + 1, &layout("(2,3):(7,9)")), coord.append(rank + 1, &zero));
            same(of.prepend(rank + 2), coord.prepend(rank + 2, &zero));
            for begin in 0..=rank {
                for end in begin..=rank {
                    same(of.group(begin..end), coord.group(begin..end));
                }
            }
            let back: Vec<usize> = (0..rank).rev().collect();
            same(of.select(&back), coord.select(&back));
            same(of.zip(), coord.zip());
            same(
                of.unzip(&"(*,*)".parse().expect("it is notation")),
                coord.unzip(&"(*,*)".parse().expect("it is notation")),
            );
            assert_eq!(of.append(rank + 3).expect("it fits").at(index), Ok(offset));
            assert_eq!(of.prepend(rank + 3).expect("it fits").at(index), Ok(offset));
            for begin in 0..=rank {
                for end in begin..=rank {
                    // at 0 in the modes left out
                    let taken = of.take(begin..end).expect("it is a range");
                    let (coord, inner) =
                        (coord.take(0..rank).expect("all"), coord.take(begin..end).expect("it is a range"));
                    let mut kept: Vec<IntTuple> = coord.modes().collect();
                    for (place, mode) in kept.iter_mut().enumerate() {
                        if !(begin..end).contains(&place) {
                            *mode = zero.clone();
                        }
                    }
                    let kept = IntTuple::tuple(&kept).expect("it is shallow");
                    let whole = of.take(0..rank).expect("all");
                    assert_eq!(taken.offset(&inner.into()), whole.offset(&kept.into()), "{of} [{begin},{end})");
                }
            }
            let new = layout("(2,3):(100,300)");
            for place in 0..rank {
                let replaced = of.take(0..rank).expect("all").replace(place, &new).expect("it is a place");
                let whole = coord.take(0..rank).expect("all").replace(place, &zero).expect("it is a place");
                let there = coord.take(0..rank).expect("all").replace(place, &"(1,2)".parse().expect("it is notation"));
                let before = of.take(0..rank).expect("all").offset(&whole.into()).expect("it is inside");
                assert_eq!(replaced.offset(&there.expect("it is a place").into()), Ok(before + 700));
            }
        }
    }
}

/// Each of the suggestions is true.
#[test]
fn refusals_say_what_would_be_accepted() {
    for (said, expected) in [
        (
            text(layout("4:1").upcast(3)),
            "error[not_divisible]: mode 0 of 4:1 is 4:1: 4 steps of 1 neither fill elements of 3 nor divide one\n  \
             elements of 2 make 2:1\n  elements of 4 make 1:0",
        ),
        (
            text(layout("(4,2):(1,2)").upcast(4)),
            "error[not_injective]: more coordinates of (4,2):(1,2) have offset 2 than offset 0, which lies in the same \
             element of 4\n  elements of 2 make (2,2):(1,1)",
        ),
        (
            text(layout("(2,8):(1,8)").upcast(4)),
            "error[not_contiguous]: offset 0 of (2,8):(1,8) is reached, but not offset 2, which lies in the same element of \
             4\n  elements of 2 make (1,8):(0,4)",
        ),
        (
            text(layout("(4,8):(3,12)").upcast(2)),
            "error[not_divisible]: mode 0 of (4,8):(3,12) is 4:3: its stride 3 is no multiple of 2, and does not divide it\n  ",
        ),
        (
            text(layout("(4,8):(2,64)").upcast(2)),
            "error[not_contiguous]: offset 0 of (4,8):(2,64) is reached, but not offset 1, which lies in the same \
             element of 2\n  mode \"containing\" answers the element that contains each offset o, o div 2: (4,8):(1,32)",
        ),
        (
            text(layout("(4,8):(1,64)").upcast_containing(2)),
            "error[not_divisible]: mode 0 of (4,8):(1,64) is 4:1: it steps inside an element of 2, as 1 is no multiple \
             of 2\n  without a mode, 2 elements as one make (2,8):(1,32)",
        ),
        (
            text(layout("2:3").recast(16, 48)),
            "error[not_contiguous]: offset 0 of 2:3 is reached, but not offset 1, which lies in the same element of 3\n  \
             mode \"containing\" answers the element of size 48 that contains each: 2:1\n  elements of size 16 are 2:3",
        ),
        (
            text(layout("(4,4):(1,1)").downcast(2)),
            "error[not_injective]: 2 modes of (4,4):(1,1) have stride 1; the parts of an element lie in one\n  \
             with the parts in a mode of their own it is (2,(4,4)):(1,(2,2))",
        ),
        (
            text(layout("(4,4):(4,16)").downcast(2)),
            "error[not_contiguous]: no mode of (4,4):(4,16) has stride 1, so it is not said in which one the 2 parts \
             lie\n  with the parts in a mode of their own it is (2,(4,4)):(1,(8,32))",
        ),
        (
            text(layout("4:1").append(0)),
            "error[out_of_domain]: there are 1 modes already, more than the rank 0\n  \
             use a rank of at least 1; `take` drops modes",
        ),
    ] {
        assert_eq!(said, expected);
    }
    let shape = |text: &str| text.parse::<razorgirl::Shape>().expect("it is notation");
    for (said, expected) in [
        (
            text(shape("(4,5)").ceil_div(&shape("6"))),
            "error[not_divisible]: 6 ends inside a mode of (4,5): 3 tiles of 6 do not cover the 20 elements\n  \
             4 tiles of 6 cover 20 elements in a row\n  with 4 as the divisor, the quotient is (1,5)\n  \
             with 7 as the divisor, the quotient is (1,3)",
        ),
        (
            text(shape("(4,5,6)").shape_div(&shape("6"))),
            "error[not_divisible]: shape_div((4,5,6), 6): neither of 4 and 6 divides the other\n  \
             with 4 as the divisor, the quotient is (1,5,6)\n  with 20 as the divisor, the quotient is (1,1,6)",
        ),
        (
            text(shape("(4,5)").round_up(&shape("6"))),
            "error[incongruent]: round_up: the shape is nested as (*,*), the divisor as *\n  \
             integers have to meet integers, and no tuple of the divisor may be longer",
        ),
    ] {
        assert_eq!(said, expected);
    }
    let order = |text: &str| text.parse::<IntTuple>().expect("it is notation");
    assert_eq!(
        text(Layout::ordered(&shape("(4,5)"), &order("(0,1,2)"))),
        "error[incongruent]: the order (0,1,2) does not fit the nesting (*,*)\n  \
         an integer fits everywhere, and a tuple with as many modes; column-major is (0,1)"
    );
}
