//! Swizzled layouts: what is read, and plainness decided twice.

use razorgirl::{ErrorKind, Layout, Swizzle, SwizzledLayout};

fn read(text: &str) -> SwizzledLayout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn what_cute_prints_is_read() {
    for (text, written) in [
        ("Sw<3,4,3> o 0 o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
        ("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
        ("S<3,4,3> o 0 o (10,2):(2,1)", "Sw<3,4,3> o 0 o (10,2):(2,1)"),
        (" Swizzle< 3, 4, -3 > o 16 o (8,64)", "Sw<3,4,-3> o 16 o (8,64):(1,8)"),
        ("(8,64):(64,1)", "Sw<0,0,0> o 0 o (8,64):(64,1)"),
        ("Sw<3,4,3>o16o(8,8):(8,1)", "Sw<3,4,3> o 16 o (8,8):(8,1)"),
        ("cute::Swizzle<3,4,3>{} o cute::Shape<_8,_8>:cute::Stride<_8,_1>", "Sw<3,4,3> o 0 o (8,8):(8,1)"),
        ("Sw<3,4,3> o tuple<C<8>,C<8>>:tuple<C<8>,C<1>>", "Sw<3,4,3> o 0 o (8,8):(8,1)"),
        ("Sw<3,4,3> o cute::C<16> o cute::Layout<cute::Shape<_8>>", "Sw<3,4,3> o 16 o (8):(1)"),
        // bytes: halves have M less by 1, words by 2, bits and halves of bytes more
        ("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("Sw<3,4,3> o smem_ptr[32b](unset) o (8,32):(32,1)", "Sw<3,2,3> o 0 o (8,32):(32,1)"),
        ("Sw<3,4,3> o smem_ptr[8b](unset) o (8,128):(128,1)", "Sw<3,4,3> o 0 o (8,128):(128,1)"),
        ("Sw<3,4,3> o smem_ptr[4b](unset) o (8,256):(256,1)", "Sw<3,5,3> o 0 o (8,256):(256,1)"),
        ("Sw<3,4,3> o smem_ptr[1b](unset) o (8,1024):(1024,1)", "Sw<3,7,3> o 0 o (8,1024):(1024,1)"),
        // as types: CuTe's layouts of shared memory, of bits and of elements
        ("ComposedLayout<Swizzle<3,4,3>, _0, Layout<Shape<_8,_64>,Stride<_64,_1>>>", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
        (
            "cute::ComposedLayout<cute::Swizzle<3,4,3>, cute::smem_ptr_flag_bits<16>, cute::Layout<cute::tuple<cute::C<8>,\
             cute::C<64>>, cute::tuple<cute::C<64>,cute::C<1>>>>",
            "Sw<3,3,3> o 0 o (8,64):(64,1)",
        ),
        (
            "ComposedLayout<Swizzle<3,4,3>,smem_ptr_flag,Layout<Shape<_8,_1024>,Stride<_1024,_1>>>{}",
            "Sw<3,7,3> o 0 o (8,1024):(1024,1)",
        ),
        ("Swizzle<3,4,3>{} o smem_ptr_flag_bits<32>{} o Layout<Shape<_8,_32>>{}", "Sw<3,2,3> o 0 o (8,32):(1,8)"),
    ] {
        assert_eq!(read(text).to_string(), written, "{text}");
        assert_eq!(read(written), read(text));
    }
}

#[test]
fn what_is_none_says_where() {
    for (text, position, message) in [
        ("Sw<3,4> o 0 o 8:1", 6, "expected `,`, met `>` at byte 6"),
        ("Sw<3,-4,3> o 0 o 8:1", 5, "expected M, an integer from 0, met `-` at byte 5"),
        ("Sw<3,4,x> o 0 o 8:1", 7, "expected S, an integer of 64 bits, met `x` at byte 7"),
        ("Sw<3,4,3> o 0 x 8:1", 14, "expected `o`, then a layout, met `x` at byte 14"),
        ("Sw<3,4,3> o 0 o (8,64", 21, "expected `,` or `)`, met the end at byte 21"),
        ("Sw<3,4,3> o 0 o (8,0):(1,1)", 19, "the extent at mode 1 is 0"),
        ("Sz<3,4,3> o 0 o 8:1", 0, "expected an integer or `(`, met `S` at byte 0"),
        ("Sw<3,4,3> o smem_ptr[24b](unset) o 8:1", 21, "a swizzle of bytes does not count elements of 24 bits"),
        (
            "ComposedLayout<Swizzle<3,4,3>,smem_ptr_flag_bits<24>,Layout<_8>>",
            49,
            "a swizzle of bytes does not count elements of 24 bits",
        ),
        ("ComposedLayout<Swizzle<3,4,3>,smem_ptr_flag_bits<16>>", 52, "expected `,`, met `>` at byte 52"),
        ("ComposedLayout<Swizzle<3,4,3>,smem_ptr_flag_bits,Layout<_8>>", 43, "expected `,`, met `_` at byte 43"),
        ("Sw<65,4,3> o 0 o 8:1", 3, "Swizzle<65,4,3>: B = 65 bits are exclusive-ored, and a number has 64"),
    ] {
        let error = text.parse::<SwizzledLayout>().unwrap_err();
        assert_eq!((error.position(), error.to_string().as_str()), (Some(position), message), "{text}");
    }
    // the offset 0 may be left out, as CuTe's `composition(Swizzle<3,4,3>{}, layout)` does
    assert_eq!(
        "Sw<3,4,3> o (8,64)".parse::<SwizzledLayout>().unwrap(),
        "Sw<3,4,3> o 0 o (8,64):(1,8)".parse::<SwizzledLayout>().unwrap()
    );
    let error = "Sw<3,4,3> o 18446744073709551615 o 2:1".parse::<SwizzledLayout>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overflow);
}

/// Columns that do not carry decide what listing all offsets decides.
#[test]
fn plain_by_columns_is_plain_by_listing() {
    let (mut plain, mut not) = (0, 0);
    for bits in 1..4 {
        for base in 0..3 {
            for shift in -3..4 {
                for offset in [0, 1, 5, 24, 64, 4096] {
                    for strides in [[1, 8], [8, 1], [2, 64], [16, 1], [1, 64]] {
                        let swizzle = Swizzle::new(bits, base, shift);
                        let small = Layout::from_modes([
                            razorgirl::Mode::new(8, strides[0]),
                            razorgirl::Mode::new(8, strides[1]),
                        ]);
                        let small = SwizzledLayout::new(swizzle, offset, small.unwrap()).unwrap();
                        // the same with 2^20 coordinates more, far above what the swizzle reads: too many to list
                        let far = razorgirl::Mode::new(1 << 20, 1 << 20);
                        let large = Layout::from_modes(small.layout().modes().iter().copied().chain([far])).unwrap();
                        let large = SwizzledLayout::new(swizzle, offset, large).unwrap();
                        let Ok(by_columns) = large.plain() else { continue };
                        let listed = small.plain().unwrap();
                        let one = |modes: &[(u64, i128)], x: u64| {
                            let (mut rest, mut sum) = (x, 0);
                            for (extent, stride) in modes {
                                sum += i128::from(rest % extent) * stride;
                                rest /= extent;
                            }
                            sum
                        };
                        assert_eq!(listed.is_some(), by_columns.is_some(), "{large}");
                        if let Some(found) = by_columns {
                            plain += 1;
                            assert_eq!(found.first, large.at(0).unwrap());
                            for x in (0..64).chain([64 * 77 + 13, (1 << 26) - 1]) {
                                let there = i128::from(found.first) + one(&found.modes, x);
                                assert_eq!(there, i128::from(large.at(x).unwrap()), "{large} at {x}");
                            }
                        } else {
                            not += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(plain > 300 && not > 100, "{plain} plain, {not} not");
}

/// Whether the offset moves out of a layout that is too large to go through: where a sufficient condition says so.
#[test]
fn offsets_move_out_of_large_layouts_too() {
    assert!(read("Sw<3,3,3> o 512 o (4096,4096):(4096,1)").offset_moves().unwrap());
    assert!(read("Sw<3,3,3> o 1099511627776 o (4096,4096):(4096,1)").offset_moves().unwrap());
    let error = read("Sw<3,3,3> o 64 o (4096,4096):(4096,1)").offset_moves().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
}

/// Whether an offset moves is what going through all offsets finds, where a condition decides it sooner, too.
#[test]
fn offsets_move_as_a_list_of_them_says() {
    let (mut moves, mut not) = (0, 0);
    for (bits, base, shift) in [(0, 0, 0), (1, 0, 1), (2, 1, 2), (2, 0, 1), (1, 1, -1), (2, 0, -2), (1, 0, 0)] {
        let swizzle = Swizzle::new(bits, base, shift);
        for layout in ["1:0", "4:1", "4:8", "(2,3):(4,1)", "(4,4):(4,1)", "(2,2,2):(16,1,4)", "(3,5):(7,2)"] {
            let layout: Layout = layout.parse().unwrap();
            for offset in (0..70).chain([1 << 40, (1 << 40) + 1]) {
                let swizzled = SwizzledLayout::new(swizzle, offset, layout.clone()).unwrap();
                let at = |x| swizzle.apply(x).unwrap();
                let listed = layout.offsets().all(|x| at(offset + x) == offset + at(x));
                assert_eq!(swizzled.offset_moves().unwrap(), listed, "{swizzled}");
                if listed { moves += 1 } else { not += 1 }
            }
        }
    }
    assert!(moves > 500 && not > 500, "{moves} move, {not} do not");
}

/// Bits that move beyond 64 are found by a list of up to 2^20 offsets.
#[test]
fn offsets_that_move_too_far_are_refused() {
    for size in [2, 1 << 20] {
        let error = read(&format!("Sw<1,40,-30> o 0 o {size}:1099511627776")).offset_moves().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Overflow, "{size}");
    }
    assert_eq!(read("Sw<3,3,3> o 64 o (1024,1024):(1024,1)").offset_moves(), Ok(false));
    let error = read("Sw<3,3,3> o 64 o (1025,1024):(1024,1)").offset_moves().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
}

/// Elements of other sizes: by a power of two more is the upcast, by one less the downcast, and anything else none.
#[test]
fn recasts_are_by_powers_of_two() {
    let tile = read("Sw<2,6,2> o 64 o (8,64):(64,1)");
    for (old, new) in (1..=40_u64).flat_map(|old| (1..=40).map(move |new| (old, new))) {
        let power = |k: &u32| old << k == new || new << k == old;
        let recast = tile.recast(old, new);
        match (0..6).find(power) {
            Some(k) if old <= new => assert_eq!(recast, tile.upcast(k), "{old} {new}"),
            Some(k) => assert_eq!(recast, tile.downcast(k), "{old} {new}"),
            None => assert_eq!(recast.unwrap_err().kind(), ErrorKind::NotDivisible, "{old} {new}"),
        }
    }
    assert_eq!(tile.recast(0, 4).unwrap_err().kind(), ErrorKind::Extent);
    assert_eq!(tile.recast(4, 0).unwrap_err().kind(), ErrorKind::Extent);
}
