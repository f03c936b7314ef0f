//! Modes appended, grouped, selected, zipped, taken and replaced: the offsets stay with their coordinates.

use razorgirl::{IntTuple, Layout};

use crate::shared::{layout, text};

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

#[test]
fn a_rank_below_the_own_is_refused() {
    assert_eq!(
        text(layout("4:1").append(0)),
        "error[out_of_domain]: there are 1 modes already, more than the rank 0\n  \
         use a rank of at least 1; `take` drops modes"
    );
}
