//! Complements of all small layouts, against their definition by enumeration; what their refusals say.

use razorgirl::Layout;

use crate::shared::{Flat, layout, library, offsets, said, up_to_rank};

#[test]
fn complement_exists_exactly_when_it_can() {
    for flat in up_to_rank(3, 3, 7) {
        let a = library(&flat);
        let covered = |complement: &Layout, block: u64| {
            let both: Flat = flat
                .iter()
                .copied()
                .chain(complement.modes().iter().map(|mode| (mode.extent(), mode.stride())))
                .collect();
            let mut hit = offsets(&both);
            hit.sort_unstable();
            hit == (0..block).collect::<Vec<_>>()
        };
        let mut chain: Flat = flat.iter().copied().filter(|(extent, _)| *extent > 1).collect();
        chain.sort_by_key(|(extent, stride)| (*stride, *extent));
        let mut block = 1;
        let exists = chain.iter().all(|(extent, stride)| {
            let fits = *stride > 0 && stride % block == 0;
            block = extent * stride;
            fits
        });
        let complement = a.complement();
        assert_eq!(complement.is_ok(), exists, "{a}");
        if let Ok(complement) = &complement {
            assert!(covered(complement, block), "{a}: {complement}");
            assert_eq!(complement.coalesce(), *complement);
            let values: Vec<u64> = complement.offsets().collect();
            assert!(values.is_sorted_by(|low, high| low < high), "{a}: {complement}");
        }
        for cotarget in [0, 1, block, 2 * block, 3 * block, block + 1, 24] {
            let complement = a.complement_in(cotarget);
            assert_eq!(complement.is_ok(), exists && cotarget > 0 && cotarget % block == 0, "{a} in {cotarget}");
            if let Ok(complement) = complement {
                assert!(covered(&complement, cotarget), "{a} in {cotarget}: {complement}");
            }
            let ceil = a.complement_ceil(cotarget);
            assert_eq!(ceil.is_ok(), exists && cotarget > 0);
            if let Ok(ceil) = ceil {
                assert!(covered(&ceil, cotarget.max(1).div_ceil(block) * block), "{a} in {cotarget}: {ceil}");
            }
        }
    }
}

/// Cotargets and blocks of 2^64 and more, whose complement fits.
#[test]
fn cotargets_beyond_the_offsets() {
    let two_to_64 = 1_u128 << 64;
    let far = layout("2:9223372036854775808");
    assert_eq!(far.complement_in(two_to_64).map(|c| c.to_string()), Ok("9223372036854775808:1".to_owned()));
    assert_eq!(far.complement_ceil(1_u64).map(|c| c.to_string()), Ok("9223372036854775808:1".to_owned()));
    // once is how often the block of 2^64 fits, twice does not leave a layout, and half of it is no cotarget
    assert!(far.complement_in(2 * two_to_64).is_err() && far.complement_in(two_to_64 / 2).is_err());
    assert!(far.complement_in(0_u128).is_err());
    assert_eq!(layout("4:1").complement_in(two_to_64).map(|c| c.to_string()), Ok("4611686018427387904:4".to_owned()));
    assert!(layout("3:1").complement_in(two_to_64).is_err());
}

fn complement(of: &str) -> String {
    said(&format!("complement({of})"), layout(of).complement())
}

fn complement_in(of: &str, cotarget: u128) -> String {
    said(&format!("complement({of}, {cotarget})"), layout(of).complement_in(cotarget))
}

#[test]
fn refusals() {
    for (name, text) in [
        ("complement_broadcast", complement("(4,2):(0,1)")),
        ("complement_only_broadcast", complement("3:0")),
        ("complement_overlap", complement("(8,4):(2,1)")),
        ("complement_interleaved", complement("(2,2):(2,3)")),
        ("complement_gap", complement("(2,2):(1,3)")),
        ("complement_gap_below_stride", complement("(4,3):(2,12)")),
        ("complement_three_modes", complement("(2,2,2):(1,4,10)")),
        ("complement_same_stride", complement("(2,3):(1,1)")),
        ("complement_nested", complement("((2,2),(2,1)):((1,2),(6,0))")),
        ("complement_cotarget", complement_in("4:2", 20)),
        ("complement_cotarget_small", complement_in("(4,8):(1,4)", 16)),
        ("complement_cotarget_official", complement_in("2:8", 18)),
        ("complement_cotarget_zero", complement_in("4:1", 0)),
        ("complement_cotarget_colfax", complement_in("(3,3):(6,1)", 2151)),
        ("complement_cotarget_broadcast", complement_in("(2,2):(1,0)", 8)),
        ("complement_overflow", complement_in("3:1", 3 << 70)),
    ] {
        insta::assert_snapshot!(name, text);
    }
}
