//! What shows that there is no inverse: two coordinates with one offset, strides that do not divide, or an address that is missed.

use super::super::coalesce::coalesced;
use super::super::complement::{chain, repeats};
use super::super::layout::{Layout, Mode};
use super::collides;
use crate::tree::{int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

pub(super) const NAMES: [&str; 3] = ["inverse", "left_inverse", "quasi_left_inverse"];

pub(super) fn fault(op: &str, args: &[Value], complete: bool, told: Option<&Value>) -> Option<String> {
    let layout = Layout::read(args.first()?).ok()?;
    let moving = if op == "quasi_left_inverse" { without_still(&layout) } else { Layout::nest(coalesced(&layout)) };
    let right = match (repeats(&moving), told) {
        (Some(true), _) => apart(&layout, op, told),
        (Some(false), _) if op == "inverse" => missed(&layout, told),
        // every layout was tried, so that nothing smaller shows it
        (Some(false), _) if complete => told.is_none(),
        (Some(false), _) => undivided(&moving, told),
        // too large to be listed
        (None, None) => true,
        (None, Some(told)) if told.get("collision").is_some() => apart(&layout, op, Some(told)),
        (None, Some(told)) if told.get("stride").is_some() => undivided(&moving, Some(told)),
        (None, Some(_)) => op == "inverse",
    };
    (!right).then(|| "the witness is none".into())
}

/// The modes that move the offset, of the coalesced layout: two of them with a still one between do not become one, since an
/// index does not run through them.
fn without_still(layout: &Layout) -> Layout {
    let modes = coalesced(layout).into_iter().filter(|mode| mode.stride > BigInt::from(0));
    Layout::Node(modes.map(Layout::Leaf).collect())
}

/// Two indices with one offset, where a left inverse for moving modes only has to tell them apart.
fn apart(layout: &Layout, op: &str, told: Option<&Value>) -> bool {
    collides(layout, told).is_some_and(|(i, j)| op != "quasi_left_inverse" || differ_where_moving(layout, &i, &j))
}

/// Whether the coordinates of two indices differ in a mode whose stride is not 0.
pub(super) fn differ_where_moving(layout: &Layout, i: &BigInt, j: &BigInt) -> bool {
    let (mut i, mut j) = (i.clone(), j.clone());
    layout.modes().into_iter().any(|Mode { extent, stride }| {
        let differs = *stride > BigInt::from(0) && &i % extent != &j % extent;
        i /= extent;
        j /= extent;
        differs
    })
}

/// The first neighbours among the sorted strides of a coalesced layout that do not divide. Where all do there is an inverse, which does not fit.
fn undivided(layout: &Layout, told: Option<&Value>) -> bool {
    let strides: Vec<BigInt> = chain(layout).into_iter().map(|mode| mode.stride).collect();
    let first = strides.windows(2).find(|pair| &pair[1] % &pair[0] != BigInt::from(0));
    let Some([below, stride]) = first else { return told.is_none() };
    told == Some(&json!({"stride": int_json(stride), "below": int_json(below)}))
}

/// The least address that no coordinate has.
fn missed(layout: &Layout, told: Option<&Value>) -> bool {
    let Some(address) = told.and_then(|told| told.get("missed")).and_then(read_int) else { return false };
    let mut offsets = layout.offsets();
    offsets.sort_unstable();
    let least = offsets.iter().zip(0..).find(|(offset, i)| **offset != BigInt::from(*i)).map(|(_, i)| BigInt::from(i));
    least == Some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_that_does_not_fit_needs_no_witness() {
        let wide =
            json!({"shape": [2, 5, 3], "stride": [9499, 1_120_008_092 * 9499_u64, 7_315_208_688_800_920_880_u64]});
        let tight = json!({"shape": [2, 2], "stride": [1_u64 << 32, 1_u64 << 63]});
        assert_eq!(fault("left_inverse", std::slice::from_ref(&tight), false, None), None);
        assert!(fault("left_inverse", &[tight], false, Some(&json!({"stride": 2, "below": 1}))).is_some());
        assert!(fault("left_inverse", &[wide], false, None).is_some());
    }

    /// 12:2 and 7:85 would do for a function, and 85 is no multiple of 2; but the digits of 2:2 and 6:4 go to the indices 7 and 84.
    #[test]
    fn a_still_mode_keeps_its_neighbours_apart() {
        let layout = json!({"shape": [7, 2, 6, 6], "stride": [85, 2, 0, 4]});
        let told = |below: u32| {
            fault(
                "quasi_left_inverse",
                std::slice::from_ref(&layout),
                false,
                Some(&json!({"stride": 85, "below": below})),
            )
        };
        assert_eq!((told(4), told(2).is_some()), (None, true));
    }
}
