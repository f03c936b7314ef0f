//! Recasting all small layouts, against its law by enumeration; what its refusals say.

use std::collections::BTreeSet;

use crate::shared::{coordinates, layout, layouts, library, listed as offsets, text};

/// The laws of recasting, by enumeration: nothing of this uses how it is computed.
#[test]
fn every_small_layout_is_recast_by_the_law() {
    let (mut larger, mut refused, mut smaller, mut aligned) = (0_u64, 0_u64, 0_u64, 0_u64);
    for flat in (1..=3).flat_map(|rank| layouts(rank, 4, if rank == 3 { 4 } else { 9 })) {
        let layout = library(&flat);
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

/// Each of the suggestions is true.
#[test]
fn refusals_say_what_would_be_accepted() {
    for (said, expected) in [
        (
            text(layout("4:1").upcast(3)),
            "error[not_divisible]: mode 0 of 4:1 is 4:1: 4 steps of 1 neither fill elements of 3 nor divide one\n  \
             with 2 as the number of elements in one, the answer is 2:1\n  with 4 as the number of elements in one, the \
             answer is 1:0",
        ),
        (
            text(layout("(4,2):(1,2)").upcast(4)),
            "error[not_injective]: more coordinates of (4,2):(1,2) have offset 2 than offset 0 of the same \
             element of 4\n  with 2 as the number of elements in one, the answer is (2,2):(1,1)",
        ),
        (
            text(layout("(2,8):(1,8)").upcast(4)),
            "error[not_contiguous]: (2,8):(1,8) contains offset 0, but not offset 2 of the same element of \
             4\n  with 2 as the number of elements in one, the answer is (1,8):(0,4)",
        ),
        (
            text(layout("(4,8):(3,12)").upcast(2)),
            "error[not_divisible]: mode 0 of (4,8):(3,12) is 4:3: its stride 3 must be a multiple or a divisor of 2\n  ",
        ),
        (
            text(layout("(4,8):(2,64)").upcast(2)),
            "error[not_contiguous]: (4,8):(2,64) contains offset 0, but not offset 1 of the same element of 2\n  upcast_containing answers (4,8):(1,32), the element that contains each offset o: o div 2",
        ),
        (
            text(layout("(4,8):(1,64)").upcast_containing(2)),
            "error[not_divisible]: mode 0 of (4,8):(1,64) is 4:1: it steps inside an element of 2, because 1 is not a \
             multiple of 2\n  upcast answers (2,8):(1,32)",
        ),
        (
            text(layout("2:3").recast(16, 48)),
            "error[not_contiguous]: 2:3 contains offset 0, but not offset 1 of the same element of 3\n  \
             recast_containing answers 2:1, the element of size 48 that contains each",
        ),
        (
            text(layout("(4,4):(1,1)").downcast(2)),
            "error[not_injective]: 2 modes of (4,4):(1,1) have stride 1; exactly one must, to hold the parts of an element\n  ",
        ),
        (
            text(layout("(4,4):(4,16)").downcast(2)),
            "error[not_contiguous]: no mode of (4,4):(4,16) has stride 1; exactly one must, to hold the 2 parts of an \
             element\n  with (1,(4,4)):(0,(4,16)) as the layout, the answer is (2,(4,4)):(1,(8,32))",
        ),
    ] {
        assert_eq!(said, expected);
    }
}
