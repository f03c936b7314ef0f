//! Inverses of all small layouts: what undoes what, and how much of it; what their refusals say.

use razorgirl::{ErrorKind, Mode};

use crate::shared::{layout, layouts, library, offsets, said, up_to_rank};

#[test]
fn inverses_invert() {
    let (mut left, mut other) = (0, 0);
    for flat in up_to_rank(3, 4, 7).iter().chain(layouts(4, 2, 4).iter()) {
        let layout = library(flat);
        let values = offsets(flat);
        let right = layout.right_inverse();
        for (i, index) in right.offsets().enumerate() {
            assert_eq!(
                values.get(usize::try_from(index).expect("it is small")),
                Some(&(i as u64)),
                "{layout}: {right}"
            );
        }
        // maximal among chains of whole modes
        let coalesced = layout.coalesce();
        assert_eq!(right.size(), longest(coalesced.modes(), 1), "{layout}: {right}");
        let injective = values.iter().collect::<std::collections::HashSet<_>>().len() == values.len();
        let modes = coalesced.modes().iter().filter(|mode| mode.extent() > 1);
        let mut strides: Vec<u64> = modes.map(|mode| mode.stride()).collect();
        strides.sort_unstable();
        let divides = strides.windows(2).all(|pair| pair[0] > 0 && pair[1].is_multiple_of(pair[0]));
        let inverse = layout.left_inverse();
        assert_eq!(inverse.is_ok(), injective && divides, "{layout}");
        if let Ok(inverse) = &inverse {
            left += 1;
            for (index, value) in values.iter().enumerate() {
                assert_eq!(inverse.at(*value).ok(), Some(index as u64), "{layout}: {inverse}");
            }
        }
        // any left inverse, where there is one: wherever whole modes do it, and sometimes where they do not
        if flat.len() < 3 {
            let any = layout.left_inverse_complete();
            assert!(any.is_ok() || inverse.is_err(), "{layout}");
            assert!(any.is_err() || injective, "{layout}");
            if let Ok(any) = any {
                other += u64::from(inverse.is_err());
                for (index, value) in values.iter().enumerate() {
                    assert_eq!(any.at(*value).ok(), Some(index as u64), "{layout}: {any}");
                }
            }
        }
        if let Ok(quasi) = layout.quasi_left_inverse() {
            for value in &values {
                assert_eq!(quasi.at(*value).and_then(|index| layout.at(index)).ok(), Some(*value), "{layout}: {quasi}");
            }
        }
        let both = layout.inverse();
        assert_eq!(both.is_ok(), layout.is_contiguous(), "{layout}");
        if let Ok(both) = both {
            assert_eq!(both.size(), layout.size());
            for (index, value) in values.iter().enumerate() {
                assert_eq!(both.at(*value).ok(), Some(index as u64));
            }
        }
        let null = layout.nullspace();
        assert!(null.offsets().all(|index| values[usize::try_from(index).expect("it is small")] == 0));
        let zeros: u64 = flat.iter().filter(|(_, stride)| *stride == 0).map(|(extent, _)| extent).product();
        assert_eq!(null.size(), zeros, "{layout}: {null}");
    }
    println!("left inverses by whole modes {left}, of other kinds {other}");
    assert!(left > 1_000 && other > 20, "{left} {other}");
}

fn longest(modes: &[Mode], run: u64) -> u64 {
    modes
        .iter()
        .filter(|mode| mode.extent() > 1 && mode.stride() == run)
        .map(|mode| mode.extent() * longest(modes, run * mode.extent()))
        .max()
        .unwrap_or(1)
}

fn left_inverse(of: &str) -> String {
    said(&format!("left_inverse({of})"), layout(of).left_inverse())
}

#[test]
fn refusals() {
    for (name, text) in [
        ("left_inverse_broadcast", left_inverse("(4,2):(1,0)")),
        ("left_inverse_overlap", left_inverse("(4,4):(1,2)")),
        ("left_inverse_not_dividing", left_inverse("(2,2):(2,3)")),
        ("left_inverse_three", left_inverse("(2,2,3):(1,4,10)")),
        (
            "quasi_left_inverse_overlap",
            said("quasi_left_inverse((3,3,2):(1,2,0))", layout("(3,3,2):(1,2,0)").quasi_left_inverse()),
        ),
        ("inverse_gaps", said("inverse((4,8):(1,5))", layout("(4,8):(1,5)").inverse())),
        ("inverse_collision", said("inverse((4,4):(1,3))", layout("(4,4):(1,3)").inverse())),
        ("inverse_broadcast", said("inverse(4:0)", layout("4:0").inverse())),
    ] {
        insta::assert_snapshot!(name, text);
    }
}

/// A repeated offset is the reason, however large the cosize: no search would find an inverse.
#[test]
fn a_repeated_offset_is_the_reason() {
    for text in ["(2,2):(5000,5000)", "(4,3):(3,9)", "(2,2,2):(1,2,3)", "4:0"] {
        for found in [layout(text).left_inverse(), layout(text).left_inverse_complete()] {
            assert_eq!(found.unwrap_err().kind(), ErrorKind::NotInjective, "{text}");
        }
    }
    // Injective, without a left inverse by whole modes, and beyond what is searched.
    let far = layout("(2,2):(5000,7500)").left_inverse_complete().unwrap_err();
    assert_eq!(far.kind(), ErrorKind::TooLarge, "{far}");
}
