//! Coalescing and filtering, rule by rule.

use super::layout::{Layout, Mode};
use super::refusal::{Refusal, Result};
use crate::tree::Tree;
use num_bigint::BigInt;

/// Applies the three local rules until none applies.
pub(crate) fn coalesced(layout: &Layout) -> Vec<Mode> {
    merged(layout.modes().into_iter().cloned().collect())
}

/// The same of flat modes.
pub(crate) fn merged(mut modes: Vec<Mode>) -> Vec<Mode> {
    loop {
        let one = BigInt::from(1);
        if let Some(i) = modes.iter().position(|mode| mode.extent == one) {
            modes.remove(i);
        } else if let Some(i) = modes.windows(2).position(|pair| pair[1].stride == &pair[0].extent * &pair[0].stride) {
            let second = modes.remove(i + 1);
            modes[i].extent *= second.extent;
        } else {
            return modes;
        }
    }
}

pub(crate) fn filtered_zeros(layout: &Layout) -> Layout {
    match layout {
        Layout::Leaf(mode) if mode.stride == BigInt::from(0) => {
            Layout::Leaf(Mode { extent: BigInt::from(1), stride: BigInt::from(0) })
        }
        Layout::Leaf(mode) => Layout::Leaf(mode.clone()),
        Layout::Node(modes) => Layout::Node(modes.iter().map(filtered_zeros).collect()),
    }
}

pub(crate) fn coalesce(layout: &Layout) -> Layout {
    Layout::nest(coalesced(layout))
}

pub(crate) fn filter(layout: &Layout) -> Layout {
    coalesce(&filtered_zeros(layout))
}

/// `f` at each leaf of the profile, further modes untouched.
pub(crate) fn by_profile(layout: &Layout, profile: &Tree, f: fn(&Layout) -> Layout) -> Result<Layout> {
    let Tree::Node(parts) = profile else { return Ok(f(layout)) };
    let mut modes = layout.top();
    if parts.len() > modes.len() {
        return Err(Refusal("incongruent"));
    }
    for (mode, part) in modes.iter_mut().zip(parts) {
        *mode = by_profile(mode, part, f)?;
    }
    Ok(Layout::Node(modes))
}
