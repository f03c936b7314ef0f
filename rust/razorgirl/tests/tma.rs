//! The copy engine: the theorem against simulation, the limits against the manual, suggestions against both.

use proptest::prelude::*;
use razorgirl::Layout;
use razorgirl::tma::{DataType, Descriptor, Dimension, Fill, Interleave, Rule, Swizzle, TileFault, fttc, tile_fault};

/// Whether every instruction of a load can be issued, or replaced by one that fills zeros, so that every element of the
/// tensor is at its place and every hole zero. An instruction covers, in each dimension, the elements `c·box + s + t·stride`.
fn simulated(sizes: &[u64], boxes: &[u64], strides: &[u64]) -> bool {
    let rank = sizes.len();
    // one instruction: box number and phase in each dimension
    let counts: Vec<u64> = (0..rank).flat_map(|d| [sizes[d].div_ceil(boxes[d]), strides[d]]).collect();
    points(&counts).iter().all(|instruction| {
        let tile: Vec<u64> = (0..rank).map(|d| boxes[d].div_ceil(strides[d])).collect();
        let (mut needed, mut harmful) = (false, false);
        for t in points(&tile) {
            let at = |d: usize| instruction[2 * d + 1] + t[d] * strides[d];
            // the hardware sees the tensor, the schedule also the box
            let in_tensor = (0..rank).all(|d| instruction[2 * d] * boxes[d] + at(d) < sizes[d]);
            let in_box = (0..rank).all(|d| at(d) < boxes[d]);
            needed |= in_tensor && in_box;
            harmful |= in_tensor && !in_box;
        }
        !(needed && harmful)
    })
}

fn points(extents: &[u64]) -> Vec<Vec<u64>> {
    extents.iter().fold(vec![vec![]], |points, &extent| {
        points.iter().flat_map(|p| (0..extent).map(|i| p.iter().copied().chain([i]).collect::<Vec<_>>())).collect()
    })
}

#[test]
fn the_theorem_is_what_simulation_finds_in_one_dimension() {
    for size in 1..=20 {
        for box_size in 1..=20 {
            for stride in 1..=20 {
                let verdict = fttc(&[size], &[box_size], &[stride]).unwrap();
                assert_eq!(
                    verdict.is_strong(),
                    simulated(&[size], &[box_size], &[stride]),
                    "{size} {box_size} {stride}"
                );
            }
        }
    }
}

#[test]
fn the_theorem_is_what_simulation_finds_in_two_dimensions() {
    for p in points(&[5, 5, 5, 5, 5, 5]) {
        let p: Vec<u64> = p.iter().map(|n| n + 1).collect();
        let (sizes, boxes, strides) = (&p[..2], &p[2..4], &p[4..]);
        let verdict = fttc(sizes, boxes, strides).unwrap();
        assert_eq!(verdict.is_strong(), simulated(sizes, boxes, strides), "{p:?}");
    }
}

#[test]
fn the_table_of_the_theorem() {
    let strong = |s, b, e| fttc(&[s], &[b], &[e]).unwrap().is_strong();
    // nvFuser's document: (tensor, box, element stride), true where strong correctness is impossible
    for (s, b, e, impossible) in [
        (8, 4, 3, true),
        (8, 4, 2, false),
        (8, 4, 4, false),
        (8, 4, 5, false),
        (4, 4, 3, false),
        (5, 4, 3, true),
        (16, 6, 4, true),
        (16, 8, 3, true),
        (3, 8, 3, false),
        (100, 7, 7, false),
        (100, 7, 8, false),
        (2, 1, 3, false),
    ] {
        assert_eq!(strong(s, b, e), !impossible, "{s} {b} {e}");
    }
}

/// The limits again, each as the manual writes it.
fn broken(d: &Descriptor) -> Vec<(Rule, Option<usize>)> {
    let unit = if d.interleave == Interleave::B32 { 32 } else { 16 };
    let dense = d.interleave == Interleave::None;
    let size = d.data_type.bytes();
    let mut broken = vec![];
    let mut check = |ok: bool, rule, at| {
        if !ok {
            broken.push((rule, at));
        }
    };
    check((1..=5).contains(&d.dimensions.len()), Rule::Rank, None);
    check(dense || d.dimensions.is_empty() || d.dimensions.len() >= 3, Rule::InterleaveRank, None);
    check(d.address.is_none_or(|address| address.is_multiple_of(unit)), Rule::Address, None);
    for (i, dim) in d.dimensions.iter().enumerate() {
        check((1..=1 << 32).contains(&dim.size), Rule::Size, Some(i));
        check(i > 0 || dim.stride == size, Rule::InnermostContiguous, Some(i));
        check(i == 0 || dim.stride.is_multiple_of(unit), Rule::StrideAlignment, Some(i));
        check(i == 0 || dim.stride < 1 << 40, Rule::StrideRange, Some(i));
        check((1..=256).contains(&dim.box_size), Rule::BoxSize, Some(i));
        check((1..=8).contains(&dim.element_stride), Rule::ElementStride, Some(i));
        let width = dim.box_size.saturating_mul(size);
        check(i > 0 || !dense || width.is_multiple_of(16), Rule::BoxBytes, Some(i));
        check(i > 0 || !dense || d.swizzle.bytes().is_none_or(|w| width <= w), Rule::SwizzleWidth, Some(i));
        let (s, b, e) = (dim.size, dim.box_size, dim.element_stride);
        check(!(e < b && b < s && e > 0 && b % e.max(1) != 0), Rule::Fttc, Some(i));
    }
    check(d.interleave != Interleave::B32 || d.swizzle == Swizzle::B32, Rule::InterleaveSwizzle, None);
    check(d.fill == Fill::Zero || d.data_type.is_float(), Rule::NanFill, None);
    let transfer = d
        .dimensions
        .iter()
        .try_fold(size, |bytes, dim| bytes.checked_mul(dim.box_size.div_ceil(dim.element_stride.max(1))));
    check(dense || transfer.is_none_or(|bytes| bytes.is_multiple_of(16)), Rule::TransferBytes, None);
    broken
}

fn value(limit: u64) -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0..=2 * limit, 1 => Just(limit), 1 => Just(limit + 1), 1 => any::<u64>()]
}

fn dimension() -> impl Strategy<Value = Dimension> {
    let stride = prop_oneof![(0_u64..=1 << 12).prop_map(|n| 16 * n), 0_u64..=1 << 16, Just(1 << 40), any::<u64>()];
    let size = prop_oneof![4 => 1_u64..=600, 1 => value(1 << 32)];
    (size, value(256), value(8), stride).prop_map(|(size, box_size, element_stride, stride)| Dimension {
        size,
        box_size,
        element_stride,
        stride,
    })
}

prop_compose! {
    fn descriptor()(
        mut dimensions in prop::collection::vec(dimension(), 0..=7),
        data_type in prop::sample::select(&DataType::ALL[..]),
        swizzle in prop::sample::select(&Swizzle::ALL[..]),
        interleave in prop::sample::select(&Interleave::ALL[..]),
        nan in any::<bool>(),
        packed in any::<bool>(),
        address in prop::option::of(any::<u64>()),
    ) -> Descriptor {
        if packed {
            let mut stride = data_type.bytes();
            for dimension in &mut dimensions {
                dimension.stride = stride;
                stride = stride.saturating_mul(dimension.size);
            }
        }
        let fill = if nan { Fill::Nan } else { Fill::Zero };
        Descriptor { dimensions, data_type, swizzle, interleave, fill, address }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn violations_are_the_limits_of_the_manual(descriptor in descriptor()) {
        let mut found: Vec<_> = descriptor.violations().iter().map(|v| (v.rule, v.dimension)).collect();
        let mut expected = broken(&descriptor);
        found.sort_by_key(|(rule, at)| (rule.name(), *at));
        expected.sort_by_key(|(rule, at)| (rule.name(), *at));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn every_suggestion_undoes_its_violation_and_adds_none(descriptor in descriptor()) {
        let before = broken(&descriptor);
        for violation in descriptor.violations() {
            prop_assert!(!violation.to_string().is_empty());
            for suggestion in descriptor.suggestions(&violation) {
                let after = broken(&suggestion.descriptor);
                prop_assert!(!after.contains(&(violation.rule, violation.dimension)), "{}", suggestion.text);
                prop_assert!(after.iter().all(|rule| before.contains(rule)), "{}: {after:?}", suggestion.text);
            }
        }
    }
}

#[test]
fn a_violation_of_the_theorem_always_has_a_way_out() {
    for size in [5, 16, 100, 300, 7777] {
        for box_size in 2..=256 {
            for stride in 2..=8 {
                let descriptor =
                    Descriptor::new(&[64, size], &[64, box_size], &[1, stride], None, DataType::F16).unwrap();
                for violation in descriptor.violations() {
                    let suggestions = descriptor.suggestions(&violation);
                    assert!(!suggestions.is_empty(), "{violation}");
                }
            }
        }
    }
}

/// What is at fault, by going through all elements of the tile and all tiles.
fn gone_through(tile: &Layout, tiles: &Layout, elements: u64) -> Option<TileFault> {
    if tile.size() != elements {
        return Some(TileFault::Size { given: tile.size(), tile: elements });
    }
    if let Some(index) = (0..elements).find(|&x| tile.at(x).unwrap() != x) {
        return Some(TileFault::Scattered { index, offset: tile.at(index).unwrap() });
    }
    let begins: Vec<u64> = (0..tiles.size()).map(|y| tiles.at(y).unwrap()).collect();
    if let Some(&offset) = begins.iter().find(|&&begin| begin % elements != 0) {
        return Some(TileFault::Straddles { offset, tile: elements });
    }
    let twice = (0..begins.len()).find(|&y| begins[..y].contains(&begins[y]));
    twice.map(|y| TileFault::Shared { offset: Some(begins[y]) })
}

#[test]
fn tile_faults_are_what_going_through_all_tiles_finds() {
    let layout = |extents: &[u64], strides: &[u64]| {
        let list = |values: &[u64]| values.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        format!("({}):({})", list(extents), list(strides)).parse::<Layout>().unwrap()
    };
    let mut seen = std::collections::BTreeMap::new();
    for p in points(&[4, 3, 4, 4, 3, 3, 6, 6]) {
        let tile = layout(&[p[0] + 1, p[1] + 1], &[[1, 1, 0, 2][usize::try_from(p[2]).unwrap()], p[0] + p[3]]);
        let unit = [1, 2, 4][usize::try_from((p[2] + p[6]) % 3).unwrap()];
        let tiles = layout(&[p[4] + 1, p[5] + 1], &[p[6] * unit, p[7] * unit]);
        for elements in [tile.size(), 4] {
            let both = Layout::concat(&[tile.clone(), tiles.clone()]).unwrap();
            let (found, expected) = (tile_fault(&both, elements), gone_through(&tile, &tiles, elements));
            match (&found, &expected) {
                // which pair is named may differ
                (Some(TileFault::Shared { .. }), Some(TileFault::Shared { .. })) => {}
                _ => assert_eq!(found, expected, "{both} for {elements}"),
            }
            let name =
                found.map_or("none".to_owned(), |fault| format!("{fault:?}").split(' ').next().unwrap().to_owned());
            *seen.entry(name).or_insert(0) += 1;
        }
    }
    assert_eq!(seen.keys().collect::<Vec<_>>(), ["Scattered", "Shared", "Size", "Straddles", "none"]);
    assert!(seen.values().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn unknown_is_not_yes() {
    // 2^56 tiles at sums of 56 numbers: whether two sums are the same is a knapsack
    let mut stride = 1_u64;
    let strides: Vec<String> = (0..56)
        .map(|_| {
            stride = stride.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((stride >> 8) & !3).to_string()
        })
        .collect();
    let layout: Layout = format!("(4,({})):(1,({}))", ["2"; 56].join(","), strides.join(",")).parse().unwrap();
    assert_eq!(tile_fault(&layout, 4), Some(TileFault::Unknown { bound: 1 << 20 }));
}

#[test]
fn names_are_read_back() {
    for one in DataType::ALL {
        assert_eq!(one.name().parse::<DataType>().unwrap(), one);
    }
    for one in Swizzle::ALL {
        assert_eq!(one.to_string().to_lowercase().parse::<Swizzle>().unwrap(), one);
    }
    for one in Interleave::ALL {
        assert_eq!(one.name().parse::<Interleave>().unwrap(), one);
    }
    for one in Fill::ALL {
        assert_eq!(one.name().parse::<Fill>().unwrap(), one);
    }
    let error = "48B".parse::<Swizzle>().unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), error.help()),
        ("there is no swizzle 48B", &["use none, 32B, 64B, 128B".to_owned()][..])
    );
}

/// Every way out that is offered, rule by rule: a change that also helps but is further away would pass the tests above.
#[test]
fn the_ways_out_are_the_nearest_ones() {
    let plain = || Descriptor::new(&[64, 64], &[64, 64], &[1, 1], None, DataType::F16).unwrap();
    let dim = |at: usize, change: &dyn Fn(&mut Dimension)| {
        let mut descriptor = plain();
        change(&mut descriptor.dimensions[at]);
        descriptor
    };
    let six = Descriptor::new(&[8, 2, 2, 3, 4, 5], &[8, 2, 2, 1, 1, 1], &[1; 6], None, DataType::F16).unwrap();
    let flat = Descriptor { interleave: Interleave::B32, swizzle: Swizzle::B32, ..plain() };
    let deep = Descriptor::new(&[64, 64, 4], &[64, 64, 4], &[1, 1, 1], None, DataType::F16).unwrap();
    let cases = [
        six,
        flat,
        Descriptor { address: Some(40), ..plain() },
        dim(1, &|d| d.size = (1 << 32) + 1),
        dim(0, &|d| d.stride = 4),
        dim(1, &|d| d.stride = 136),
        dim(1, &|d| d.stride = 1 << 40),
        dim(1, &|d| d.box_size = 300),
        dim(0, &|d| (d.size, d.box_size) = (12, 12)),
        dim(1, &|d| d.element_stride = 9),
        Descriptor { swizzle: Swizzle::B64, ..plain() },
        Descriptor { interleave: Interleave::B32, ..deep },
        Descriptor { fill: Fill::Nan, data_type: DataType::U16, ..plain() },
        dim(0, &|d| d.element_stride = 3),
        dim(1, &|d| (d.size, d.box_size, d.element_stride) = (64, 32, 3)),
    ];
    let mut lines = Vec::new();
    for descriptor in &cases {
        for violation in descriptor.violations() {
            lines.push(violation.to_string());
            lines
                .extend(descriptor.suggestions(&violation).iter().map(|suggestion| format!("    {}", suggestion.text)));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// Two dimensions become one only where the second continues the first in memory, and neither skips elements: a merge of
/// others would satisfy the rank and copy something else.
#[test]
fn only_dimensions_that_continue_are_merged() {
    let merged = |change: &dyn Fn(&mut Vec<Dimension>)| {
        let mut descriptor =
            Descriptor::new(&[8, 2, 2, 3, 4, 5], &[8, 1, 1, 1, 1, 1], &[1; 6], None, DataType::F16).unwrap();
        change(&mut descriptor.dimensions);
        let rank = descriptor.violations().into_iter().find(|violation| violation.rule == Rule::Rank).unwrap();
        descriptor.suggestions(&rank).into_iter().map(|suggestion| suggestion.text).collect::<Vec<_>>()
    };
    let text = |pair: &str| vec![format!("dimensions {pair} merged: the outer one continues the inner one in memory")];
    assert_eq!(merged(&|_| ()), text("0 and 1"));
    // rows of 16 bytes at every 32: the first that continue are 1 and 2
    let padded = |dimensions: &mut Vec<Dimension>| dimensions[1..].iter_mut().for_each(|d| d.stride *= 2);
    assert_eq!(merged(&padded), text("1 and 2"));
    let skips = |dimensions: &mut Vec<Dimension>| dimensions[1].element_stride = 2;
    assert_eq!(merged(&skips), text("2 and 3"));
    // a box of part of the inner dimension reaches over several steps of the outer one
    let parts = |dimensions: &mut Vec<Dimension>| dimensions.iter_mut().for_each(|d| d.box_size = 2);
    assert_eq!(merged(&parts), text("1 and 2"));
    let apart = |dimensions: &mut Vec<Dimension>| {
        (0_u64..).zip(dimensions).skip(1).for_each(|(n, d)| d.stride = 4096 << (8 * n));
    };
    assert!(merged(&apart).is_empty());
}

/// Each note stands where its reason does, and one step beside it there is none.
#[test]
fn notes_stand_where_their_reason_does() {
    let descriptor = || Descriptor::new(&[64, 16], &[64, 8], &[1, 1], Some(&[128]), DataType::F16).unwrap();
    let noted = |change: &dyn Fn(&mut Descriptor)| {
        let mut changed = descriptor();
        change(&mut changed);
        changed.notes()
    };
    let one = |change: &dyn Fn(&mut Descriptor), words: &str| {
        let notes = noted(change);
        assert_eq!(notes.len(), 1, "{words}: {notes:?}");
        assert!(notes[0].contains(words), "{words}: {notes:?}");
    };
    let none = |change: &dyn Fn(&mut Descriptor)| assert_eq!(noted(change), [""; 0]);
    none(&|_| ());
    one(&|d| d.dimensions[0].element_stride = 2, "element stride 2 of dimension 0");
    none(&|d| d.dimensions[1].element_stride = 2);
    none(&|d| (d.dimensions[0].element_stride, d.interleave) = (2, Interleave::B16));
    // triton 11583: 57 elements of 2 bytes are 114
    one(&|d| (d.dimensions[0].size, d.dimensions[0].box_size) = (57, 56), "a row of the tensor has 114 bytes");
    one(&|d| (d.dimensions[0].size, d.dimensions[0].box_size) = (63, 56), "may also write the 2 bytes behind it");
    none(&|d| (d.dimensions[0].size, d.dimensions[0].box_size) = (56, 56));
    none(&|d| (d.dimensions[0].size, d.dimensions[0].box_size, d.interleave) = (57, 56, Interleave::B16));
    // a box of 64 elements has 128 bytes
    none(&|d| d.swizzle = Swizzle::B128);
    one(&|d| (d.swizzle, d.dimensions[0].box_size) = (Swizzle::B128, 56), "box of 112 bytes under a swizzle of 128");
    none(&|d| (d.swizzle, d.dimensions[0].box_size, d.interleave) = (Swizzle::B128, 56, Interleave::B16));
    none(&|d| d.dimensions[1].size = 1 << 31);
    one(&|d| d.dimensions[1].size = (1 << 31) + 1, "dimension 1 has 2147483649 elements");
    one(&|d| d.dimensions[1].size = 1 << 32, "elements from 2^31 on cannot be addressed");
    none(&|d| d.dimensions[1].size = (1 << 32) + 1);
    none(&|d| d.dimensions[1].stride = (1 << 40) - 16);
    one(&|d| d.dimensions[1].stride = 1 << 40, "nvFuser accepts 2^40");
    one(
        &|d| d.dimensions[1].stride = 112,
        "stride of 112 bytes in dimension 1 is below the 128 that dimension 0 spans",
    );
    one(&|d| (d.dimensions[1].stride, d.dimensions[1].size) = (112, 1), "box beyond the tensor in dimension 1");
    none(&|d| (d.dimensions[1].stride, d.dimensions[1].size, d.dimensions[1].box_size) = (112, 1, 1));
    for data_type in DataType::ALL {
        let known = ["f64", "f32", "f16", "bf16", "i64", "i32"].contains(&data_type.name());
        // elements as wide as the strides say
        let mut descriptor = Descriptor::new(&[64, 16], &[16, 8], &[1, 1], None, data_type).unwrap();
        descriptor.swizzle = Swizzle::None;
        assert_eq!(descriptor.notes().is_empty(), known, "{}", data_type.name());
    }
}
