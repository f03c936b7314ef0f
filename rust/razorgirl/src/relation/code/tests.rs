//! Index code against the layouts that it is of, index by index.

use super::*;
use crate::layout::Mode;
use alloc::borrow::ToOwned;

fn layout(modes: &[(u64, u64)]) -> Layout {
    Layout::from_modes(modes.iter().map(|(extent, stride)| Mode::new(*extent, *stride))).unwrap()
}

fn same(code: &IndexCode, offsets: impl Iterator<Item = u64>) {
    for (index, offset) in (0..).zip(offsets) {
        assert_eq!(code.at(index), Some(offset), "at {index}: {}", code.function(Language::C, "offset"));
    }
    assert!(code.operations() <= code.plain_operations(), "{}", code.function(Language::C, "offset"));
}

/// Every layout of three modes with these extents and strides.
#[test]
fn layouts_of_three_modes() {
    let (extents, strides) = ([1, 2, 3, 4, 8], [0, 1, 2, 3, 4, 6, 8, 9, 32]);
    for a in extents {
        for b in extents {
            for c in extents {
                for x in strides {
                    for y in strides {
                        for z in strides {
                            let layout = layout(&[(a, x), (b, y), (c, z)]);
                            same(&IndexCode::of_layout(&layout).unwrap(), layout.offsets());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn swizzled_layouts() {
    for layout in ["(8,8):(8,1)", "(8,8):(1,8)", "(6,8):(8,1)", "(4,3,4):(1,4,12)", "64:1", "(4,4):(4,1)", "5:7", "1:0"]
    {
        for bits in 0..4 {
            for base in 0..4 {
                for shift in -4..=4 {
                    for start in [0, 1, 8, 64, 100] {
                        let text = format!("Sw<{bits},{base},{shift}> o {start} o {layout}");
                        let layout: SwizzledLayout = text.parse().unwrap();
                        let offsets = layout.offsets().map(Result::unwrap);
                        same(&IndexCode::of_swizzled(&layout).unwrap(), offsets);
                    }
                }
            }
        }
    }
}

/// Every linear layout of three bits to three bits.
#[test]
fn linear_layouts() {
    for columns in 0..512_u64 {
        let basis = (0..3).map(|bit| vec![columns >> (3 * bit) & 7]).collect();
        let layout = LinearLayout::new(&[("c".to_owned(), basis)], vec![("o".to_owned(), 8)]).unwrap();
        same(&IndexCode::of_linear(&layout).unwrap(), (0..8).map(|x| layout.apply_packed(x)));
    }
}

/// A quotient that is used whole: the next one pays back what is counted too often, of odd extents as of even ones.
#[test]
fn quotients_are_used_whole_where_that_is_shorter() {
    for (layout, code, operations) in
        [("(3,5):(1,4)", "c + (c / 3)", 2), ("(3,5):(1,2)", "c - (c / 3)", 2), ("(6,5):(1,7)", "c + (c / 6)", 2)]
    {
        let found = IndexCode::of_layout(&layout.parse().unwrap()).unwrap();
        assert_eq!(
            (found.expression(Language::C).as_deref(), found.operations()),
            (Some(code), operations),
            "{layout}"
        );
    }
}

#[test]
fn no_division_by_powers_of_two() {
    let code = IndexCode::of_layout(&"(4,(2,8),16):(64,(3,7),1)".parse().unwrap()).unwrap();
    let text = code.function(Language::C, "offset");
    assert!(!text.contains(['/', '%']), "{text}");
}

#[test]
fn large_numbers() {
    // 2^63 of an index is more than signed integers hold, 33 of 2^32 more than 32 bits.
    let code = IndexCode::of_layout(&"(4294967296,33):(1,4294967296)".parse().unwrap()).unwrap();
    assert_eq!((code.bits(), code.expression(Language::C).as_deref()), (64, Some("c")));
    let code = IndexCode::of_layout(&"(3,4611686018427387904):(0,1)".parse().unwrap()).unwrap();
    assert_eq!((code.bits(), code.expression(Language::C).as_deref()), (64, Some("c / 3")));
    let code = IndexCode::of_layout(&"(2,3):(4294967295,7)".parse().unwrap()).unwrap();
    assert_eq!(code.bits(), 64);
    same(&code, [0, 4_294_967_295, 7, 4_294_967_302, 14, 4_294_967_309].into_iter());
    // 2^31 twice is 2^32, and no shift of 32 bits is by 32
    let code = IndexCode::of_layout(&"(2,3):(2147483648,1)".parse().unwrap()).unwrap();
    same(&code, [0, 1 << 31, 1, 1 + (1 << 31), 2, 2 + (1 << 31)].into_iter());
    assert!(
        code.bits() == 64 || !code.function(Language::C, "f").contains("32)"),
        "{}",
        code.function(Language::C, "f")
    );
    // all that is left behind a shift needs no mask
    let code = IndexCode::of_swizzled(&"Sw<2,0,4> o 0 o 7:9".parse().unwrap()).unwrap();
    assert!(!code.function(Language::C, "offset").contains('&'), "{}", code.function(Language::C, "offset"));
    let far = IndexCode::of_swizzled(&"Sw<3,0,-70> o 0 o 8:16".parse().unwrap()).unwrap();
    assert_eq!(far.at(7), Some(112));
    let code = IndexCode::of_layout(&"1000003:18446600000000".parse().unwrap()).unwrap();
    assert_eq!(code.expression(Language::Cuda).as_deref(), Some("c * 18446600000000u"));
    // few inputs, and an output that 32 bits do not hold
    let bases = [("c".to_owned(), vec![vec![1 << 40], vec![3]])];
    let wide = LinearLayout::new(&bases, vec![("o".to_owned(), 1 << 41)]).unwrap();
    let code = IndexCode::of_linear(&wide).unwrap();
    assert_eq!(code.bits(), 64);
    same(&code, [0, 1 << 40, 3, (1 << 40) + 3].into_iter());
    let error = IndexCode::of_swizzled(&"Sw<1,40,-30> o 0 o 2:1099511627776".parse().unwrap());
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Overflow);
}

/// Every coordinate of layouts of one to three modes, some nested, with each of some swizzles.
#[test]
fn code_of_coordinates() {
    for layout in [
        "(8,8):(8,1)",
        "(6,8):(8,1)",
        "((2,3),(4,2)):((1,32),(2,16))",
        "(4,3,4):(1,4,12)",
        "12:5",
        "(4,8):(0,1)",
        "(1,8):(7,3)",
    ] {
        for swizzle in ["Sw<0,0,0> o 0", "Sw<2,0,3> o 0", "Sw<2,1,-3> o 5", "Sw<1,2,2> o 64", "Sw<2,0,0> o 3"] {
            let layout: SwizzledLayout = format!("{swizzle} o {layout}").parse().unwrap();
            let extents: Vec<u64> = layout.layout().sublayouts().map(|mode| mode.size()).collect();
            let names = ["row", "x", "k"];
            let code = IndexCode::of_coordinates(&layout, names.get(..extents.len()).unwrap()).unwrap();
            for index in 0..layout.size() {
                let mut rest = index;
                let coordinate: Vec<u64> = extents.iter().map(|extent| (rest % extent, rest /= extent).0).collect();
                let text = code.function(Language::Python, "offset");
                assert_eq!(
                    code.at_each(&coordinate),
                    Some(layout.at(index).unwrap()),
                    "{layout} at {coordinate:?}: {text}"
                );
            }
        }
    }
    let linear = [("lane".to_owned(), vec![vec![2], vec![4]]), ("warp".to_owned(), vec![vec![1 + 8], vec![4]])];
    let linear = LinearLayout::new(&linear, vec![("offset".to_owned(), 16)]).unwrap();
    let code = IndexCode::of_linear_dimensions(&linear, &["lane", "warp"]).unwrap();
    for (lane, warp) in (0..4).flat_map(|lane| (0..4).map(move |warp| (lane, warp))) {
        assert_eq!(code.at_each(&[lane, warp]), Some(linear.apply_packed(lane + 4 * warp)));
    }
    let plain: SwizzledLayout = "(8,8):(8,1)".parse().unwrap();
    for names in [&["row"][..], &["row", "row"], &["row", "int"], &["row", "1"], &["row", ""], &["a", "b", "c"]] {
        assert!(IndexCode::of_coordinates(&plain, names).is_err(), "{names:?}");
    }
}
