//! What warps access in small tiles, element by element, and what removes conflicts.

use alloc::vec::Vec;
use std::collections::BTreeSet;

use super::memory::memory;
use super::remedy::padded;
use super::*;
use crate::error::{ErrorKind, Result};
use crate::layout::Layout;
use crate::swizzle::{Swizzle, SwizzledLayout};

fn tile(text: &str) -> SwizzledLayout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The elements of each lane of all accesses, in their order.
fn lanes(accesses: &[Access]) -> Vec<Vec<u64>> {
    accesses.iter().flat_map(|one| (0..one.lanes.len()).map(|lane| one.elements(lane))).collect()
}

fn refusal<T: std::fmt::Debug>(answer: Result<T>) -> ErrorKind {
    answer.expect_err("refused").kind()
}

#[test]
fn rows_and_columns_are_gone_over_in_their_order() {
    for (rows, columns) in [(1, 1), (2, 8), (8, 2), (4, 12), (12, 4), (16, 8), (40, 3)] {
        for row_major in [true, false] {
            let strides = if row_major { (columns, 1) } else { (1, rows) };
            let layout = tile(&format!("({rows},{columns}):({},{})", strides.0, strides.1));
            for elements in [1, 2, 4, 8] {
                // more than one lie along the mode that is contiguous
                let fits = if row_major { columns } else { rows } % elements == 0;
                for by_row in [true, false] {
                    let pattern = if by_row { Pattern::Row } else { Pattern::Column };
                    let accesses = pattern.accesses(&layout, elements);
                    if !fits {
                        let all = |accesses: Vec<Access>| accesses.iter().all(|one| one.addresses(&layout, 1).is_ok());
                        assert!(!accesses.is_ok_and(all), "{layout} {elements}");
                        continue;
                    }
                    let accesses = accesses.unwrap();
                    let context = format!("{layout} {elements} {by_row}");
                    let all = lanes(&accesses);
                    // all lanes of a warp, but for the last access
                    assert!(accesses.iter().rev().skip(1).all(|one| one.lanes.len() == 32), "{context}");
                    assert_eq!(accesses.len() as u64, (rows * columns / elements).div_ceil(32), "{context}");
                    // each element once
                    let once: BTreeSet<u64> = all.iter().flatten().copied().collect();
                    assert!(once.into_iter().eq(0..rows * columns), "{context}");
                    assert_eq!(all.len() as u64 * elements, rows * columns, "{context}");
                    for lane in &all {
                        let at: Vec<u64> = lane.iter().map(|index| layout.at(*index).unwrap()).collect();
                        assert!(at.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{context}: {at:?}");
                    }
                    let place = |lane: &Vec<u64>| {
                        let (row, column) = (lane[0] % rows, lane[0] / rows);
                        if by_row { (row, column) } else { (column, row) }
                    };
                    assert!(all.is_sorted_by_key(place), "{context}: {all:?}");
                }
            }
        }
    }
}

/// Matrices of 8 rows and a segment: two below one another, then two beside these; four side by side in 8 rows.
#[test]
fn ldmatrix_takes_four_matrices() {
    for (rows, segments) in [(8, 1), (8, 4), (8, 6), (16, 1), (16, 2), (16, 5), (24, 4), (32, 4)] {
        let matrices: Vec<(u64, u64)> = if rows % 16 == 0 {
            let pairs = |(top, left): (u64, u64)| {
                let right = (left..(left + 2).min(segments)).collect::<Vec<_>>();
                right.into_iter().flat_map(move |segment| [(top, segment), (top + 8, segment)])
            };
            let corners = (0..rows).step_by(16).flat_map(|top| (0..segments).step_by(2).map(move |left| (top, left)));
            corners.flat_map(pairs).collect()
        } else {
            (0..rows).step_by(8).flat_map(|top| (0..segments).map(move |segment| (top, segment))).collect()
        };
        let wanted = |index: &dyn Fn(u64, u64) -> u64| -> Vec<Vec<u64>> {
            let rows = matrices.iter().flat_map(|&(top, segment)| (top..top + 8).map(move |row| (row, segment)));
            rows.map(|(row, segment)| (0..8).map(|i| index(row, segment * 8 + i)).collect()).collect()
        };
        let wide = segments * 8;
        let by_row = Pattern::Ldmatrix.accesses(&tile(&format!("({rows},{wide}):({wide},1)")), 8).unwrap();
        assert_eq!(lanes(&by_row), wanted(&|row, column| row + column * rows), "{rows} {segments}");
        let by_column = Pattern::Ldmatrix.accesses(&tile(&format!("({wide},{rows}):(1,{wide})")), 8).unwrap();
        assert_eq!(lanes(&by_column), wanted(&|row, column| column + row * wide), "{rows} {segments}");
        for access in by_row.iter().chain(&by_column).rev().skip(1) {
            assert!(access.lanes.len() <= 32, "{rows} {segments}");
        }
    }
    assert_eq!(refusal(Pattern::Ldmatrix.accesses(&tile("(12,16):(16,1)"), 8)), ErrorKind::NotDivisible);
}

#[test]
fn threads_access_their_values_in_turn() {
    for text in ["(4,2):(2,1)", "(32,4):(4,1)", "((4,8),2):((2,8),1)", "(40,6):(1,40)", "(64,(2,2)):(2,(1,128))"] {
        let threads: Layout = text.parse().unwrap();
        let sizes: Vec<u64> = threads.sublayouts().map(|mode| mode.size()).collect();
        let size = threads.cosize();
        let layout = tile(&format!("(1,{size}):(0,1)"));
        for elements in [1, 2] {
            let accesses = Pattern::ThreadValue(threads.clone()).accesses(&layout, elements).unwrap();
            let mut wanted = Vec::new();
            for warp in 0..sizes[0].div_ceil(32) {
                for part in 0..sizes[1] / elements {
                    for thread in warp * 32..(warp * 32 + 32).min(sizes[0]) {
                        let value = |i: u64| threads.at(thread + sizes[0] * (part * elements + i)).unwrap();
                        wanted.push((0..elements).map(value).collect::<Vec<u64>>());
                    }
                }
            }
            assert_eq!(lanes(&accesses), wanted, "{text} {elements}");
            assert!(
                accesses.iter().all(|one| one.lanes.iter().zip(0..).all(|(at, lane)| one.elements(lane)[0] == *at))
            );
            assert_eq!(accesses.len() as u64, sizes[0].div_ceil(32) * (sizes[1] / elements), "{text}");
        }
    }
    let refused = |threads: &str, layout: &str, elements| {
        refusal(Pattern::ThreadValue(threads.parse().unwrap()).accesses(&tile(layout), elements))
    };
    assert_eq!(refused("(4,2,2):(2,1,8)", "(4,4):(4,1)", 1), ErrorKind::Incongruent);
    assert_eq!(refused("(4,4):(4,1)", "(5,3):(3,1)", 1), ErrorKind::OutOfDomain);
    assert_eq!(refused("(4,3):(3,1)", "(4,4):(4,1)", 2), ErrorKind::NotDivisible);
    assert_eq!(refused("(1024,2048):(0,0)", "(4,4):(4,1)", 1), ErrorKind::TooLarge);
}

#[test]
fn what_is_no_tile_or_no_access_is_refused() {
    assert_eq!(refusal(Pattern::Row.accesses(&tile("(4,4,4):(1,4,16)"), 1)), ErrorKind::Incongruent);
    assert_eq!(refusal(Pattern::Row.accesses(&tile("(4,6):(6,1)"), 4)), ErrorKind::NotDivisible);
    assert_eq!(refusal(Pattern::Row.accesses(&tile("(1024,1025):(1025,1)"), 1)), ErrorKind::TooLarge);
    assert!(Pattern::Row.accesses(&tile("(1024,1024):(1024,1)"), 1).is_ok());
    // two by two along rows of which every second element is left out
    let apart = tile("(4,4):(8,2)");
    let accesses = Pattern::Row.accesses(&apart, 2).unwrap();
    assert_eq!(refusal(accesses[0].addresses(&apart, 4)), ErrorKind::NotContiguous);
    // 16 bytes from byte 12 on
    let odd = tile("(2,4):(7,1)");
    let accesses = Pattern::Row.accesses(&odd, 4).unwrap();
    assert_eq!(refusal(accesses[0].addresses(&odd, 4)), ErrorKind::NotDivisible);
    let bytes = Pattern::Row.accesses(&tile("(2,4):(8,1)"), 4).unwrap()[0].addresses(&tile("(2,4):(8,1)"), 4);
    assert_eq!(bytes, Ok(vec![0, 32]));
    let far = tile("(2,1):(9223372036854775808,0)");
    let accesses = Pattern::Row.accesses(&far, 1).unwrap();
    assert_eq!(refusal(accesses[0].addresses(&far, 4)), ErrorKind::Overflow);
}

/// What is left free lies behind each multiple of the stride; other strides are none of its multiples.
#[test]
fn padding_lies_behind_multiples_of_a_stride() {
    let mut padded_ones = 0;
    for (a, b) in (1..=9).flat_map(|a| (1..=9).map(move |b| (a, b))) {
        let layout: Layout = format!("(3,(2,2)):(1,({a},{b}))").parse().unwrap();
        for stride in 2..=9 {
            for pad in 1..=3 {
                let found = padded(&layout, stride, pad);
                let fits = [a, b].iter().all(|own| *own < stride || own % stride == 0);
                assert_eq!(found.is_some(), fits, "{layout} {stride}");
                let Some(found) = found else { continue };
                padded_ones += 1;
                for i in 0..layout.size() {
                    let (x, y) = (i / 3 % 2 * a, i / 6 * b);
                    let steps: u64 = [x, y].iter().filter(|step| **step >= stride).map(|step| step / stride).sum();
                    assert_eq!(
                        found.at(i).unwrap(),
                        layout.at(i).unwrap() + steps * pad,
                        "{layout} {stride} {pad} {i}"
                    );
                }
            }
        }
    }
    assert!(padded_ones > 400, "{padded_ones}");
}

/// All bytes of all lanes, 32 banks of 4 bytes, phases of 128 bytes: the most different words of a bank.
fn most_words(addresses: &[u64], bytes: u64) -> u64 {
    let together = usize::try_from(128 / bytes.max(4)).unwrap();
    let words = |phase: &[u64]| -> u64 {
        let words: BTreeSet<u64> = phase.iter().flat_map(|at| (*at..at + bytes).map(|byte| byte / 4)).collect();
        (0..32).map(|bank| words.iter().filter(|word| *word % 32 == bank).count() as u64).max().unwrap_or(0)
    };
    addresses.chunks(together).map(words).max().unwrap_or(0)
}

#[test]
fn remedies_have_no_conflicts_and_keep_the_elements_apart() {
    let (mut swizzles, mut paddings, mut linears) = (0, 0, 0);
    for (text, pattern, elements, element) in [
        ("(32,32):(32,1)", Pattern::Column, 1, 4),
        ("(32,32):(1,32)", Pattern::Row, 1, 4),
        ("(16,64):(64,1)", Pattern::Ldmatrix, 8, 2),
        ("(64,16):(1,64)", Pattern::Ldmatrix, 8, 2),
        ("(16,32):(32,1)", Pattern::Column, 4, 4),
        // lanes scattered so that neither a swizzle nor a padding does
        (SCATTERED.0, Pattern::ThreadValue(SCATTERED.1.parse().unwrap()), 1, 4),
    ] {
        let layout = tile(text);
        let accesses = pattern.accesses(&layout, elements).unwrap();
        let conflicts = |layout: &SwizzledLayout| {
            let one = |one: &Access| most_words(&one.addresses(layout, element).unwrap(), elements * element);
            accesses.iter().map(one).max().unwrap()
        };
        assert!(conflicts(&layout) > 1, "{text}");
        let offsets = |layout: &SwizzledLayout| layout.offsets().collect::<Result<BTreeSet<u64>>>().unwrap();
        let found = remedies(&layout, &accesses, element).unwrap();
        for remedy in found.swizzle.iter().chain(&found.padding) {
            assert_eq!(conflicts(&remedy.layout), 1, "{text} {}", remedy.layout);
            let places = offsets(&remedy.layout);
            assert_eq!(places.len(), offsets(&layout).len(), "{text} {}", remedy.layout);
            assert_eq!(places.last().map(|most| most + 1), Some(remedy.elements), "{text} {}", remedy.layout);
        }
        swizzles += u32::from(found.swizzle.is_some());
        paddings += u32::from(found.padding.is_some());
        assert_eq!(found.linear.is_some(), found.swizzle.is_none() && found.padding.is_none(), "{text}");
        if let Some(linear) = found.linear {
            linears += 1;
            let at = |index: u64| linear.apply_packed(index);
            assert_eq!((0..layout.size()).map(at).collect::<BTreeSet<u64>>(), offsets(&layout), "{text}");
            for one in &accesses {
                let addresses: Vec<u64> = one.lanes.iter().map(|index| at(*index) * element).collect();
                assert_eq!(most_words(&addresses, element), 1, "{text}");
            }
        }
    }
    assert_eq!((swizzles, paddings, linears), (5, 5, 1));
}

/// A tile of which neither a swizzle nor a padding removes the conflicts, and who accesses what.
const SCATTERED: (&str, &str) = ("(32,32):(1,32)", "((4,2,4),(8,4)):((8,32,256),(1,64))");

/// Lanes are linear exactly where each is the exclusive or of what its bits are.
#[test]
fn memory_is_made_for_linear_accesses_alone() {
    let layout = tile("(8,8):(8,1)");
    let linear = Pattern::Column.accesses(&layout, 1).unwrap();
    assert_eq!(memory(64, &linear, 4).len(), 1);
    // 24 lanes are no power of two
    let odd = Pattern::Column.accesses(&tile("(8,7):(7,1)"), 1).unwrap();
    assert!(memory(64, &odd, 4).is_empty());
    // lane 3 is not the exclusive or of lanes 1 and 2
    let bent = Pattern::ThreadValue("(8,1):(3,0)".parse().unwrap()).accesses(&layout, 1).unwrap();
    assert!(memory(64, &bent, 4).is_empty());
}

/// Banks of which several words are asked, with those who ask.
#[test]
fn crowded_banks_are_those_of_several_words() {
    for (step, bytes) in [(4, 4), (8, 4), (64, 4), (128, 4), (132, 4), (16, 16), (24, 8), (2, 2)] {
        let addresses: Vec<u64> = (0..32).map(|lane| lane * step).collect();
        let found = crowded_banks(&addresses, bytes).unwrap();
        let asked = |word: u64| -> Vec<usize> {
            let asks = |at: &u64| (*at..at + bytes).any(|byte| byte / 4 == word);
            (0..32).filter(|lane| asks(&addresses[*lane])).collect()
        };
        for bank in 0..32 {
            let words = (bank..1024).step_by(32).map(|word| (word, asked(word))).filter(|(_, lanes)| !lanes.is_empty());
            let words: Vec<(u64, Vec<usize>)> = words.collect();
            let crowded = found.iter().find(|crowded| crowded.bank == bank).map(|crowded| crowded.words.clone());
            assert_eq!(crowded, (words.len() > 1).then_some(words), "{step} {bytes} {bank}");
        }
    }
}

/// Rows by 16 bytes a lane and columns by 4 have no layout without conflicts; the best swizzle takes 4 wavefronts a column,
/// and no layout takes fewer.
#[test]
fn the_best_swizzle_takes_the_least_where_there_is_no_remedy() {
    let tile: SwizzledLayout = "(128,32):(32,1)".parse().unwrap();
    let mut both = Pattern::Row.accesses(&tile, 4).unwrap();
    let rows = both.len();
    both.extend(Pattern::Column.accesses(&tile, 1).unwrap());
    let found = remedies(&tile, &both, 4).unwrap();
    assert!(found.swizzle.is_none() && found.padding.is_none() && found.linear.is_none());
    let best = found.best.unwrap();
    assert_eq!(best.elements, 4096);
    let counts = wavefronts(&best.layout, &both, 4).unwrap();
    assert_eq!(counts, super::least_wavefronts(&tile, &both, 4).unwrap());
    assert!(counts[..rows].iter().flatten().all(|&n| n == 1) && counts[rows..].iter().flatten().all(|&n| n == 4));
}

/// No swizzle and no padding that serves the accesses takes fewer wavefronts than the bound, in any phase.
#[test]
fn no_layout_takes_fewer_than_the_bound() {
    let mut above_one = 0;
    for (text, wide, element) in
        [("(16,16):(16,1)", 4, 4), ("(32,8):(8,1)", 2, 4), ("(16,32):(32,1)", 8, 2), ("(8,64):(64,1)", 16, 1)]
    {
        let tile: SwizzledLayout = text.parse().unwrap();
        let mut both = Pattern::Row.accesses(&tile, wide).unwrap();
        both.extend(Pattern::Column.accesses(&tile, 1).unwrap());
        let least = super::least_wavefronts(&tile, &both, element).unwrap();
        above_one += least.iter().flatten().filter(|n| **n > 1).count();
        let mut served = 0;
        for code in 0..5 * 10 * 10_u64 {
            let swizzle = Swizzle::new(code % 5, code / 5 % 10, i64::try_from(code / 50).unwrap());
            let Ok(made) = SwizzledLayout::new(swizzle, 0, tile.layout().clone()) else { continue };
            // a shift of 0 takes elements to one place
            if code / 50 == 0 && code % 5 > 0 {
                continue;
            }
            let Ok(counts) = wavefronts(&made, &both, element) else { continue };
            served += 1;
            for (counts, least) in counts.iter().zip(&least) {
                assert_eq!(counts.len(), least.len());
                assert!(counts.iter().zip(least).all(|(n, least)| n >= least), "{made}");
            }
        }
        assert!(served > 20, "{text}: {served}");
    }
    assert!(above_one > 20, "{above_one}");
}
