//! Layouts and collisions in lists of values.

use super::layout::Mode;
use num_bigint::BigInt;
use std::collections::HashMap;

/// Points that the model is ready to list.
pub(crate) const LIST: u32 = 1 << 16;

/// The layout of exactly these values: the first extent is the first place that leaves the line through 0 and `f(1)`.
pub(crate) fn find(f: &[BigInt]) -> Option<Vec<Mode>> {
    if f.first()? != &BigInt::from(0) {
        return None;
    }
    if f.len() == 1 {
        return Some(Vec::new());
    }
    let step = &f[1];
    let extent = (0..f.len()).find(|&k| f[k] != step * k).unwrap_or(f.len());
    if !f.len().is_multiple_of(extent) {
        return None;
    }
    if (0..f.len()).any(|x| f[x] != &f[x / extent * extent] + step * (x % extent)) {
        return None;
    }
    let rest: Vec<BigInt> = f.iter().step_by(extent).cloned().collect();
    let mut modes = vec![Mode { extent: extent.into(), stride: step.clone() }];
    modes.extend(find(&rest)?);
    Some(modes)
}

/// Two linear indices with the same offset.
pub(crate) fn collision(offsets: &[BigInt]) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    for (j, offset) in offsets.iter().enumerate() {
        if let Some(i) = seen.insert(offset, j) {
            return Some((i, j));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_layouts_of_the_text() {
        let f = |values: &[u32]| find(&values.iter().map(|&v| v.into()).collect::<Vec<_>>()).is_some();
        assert!(f(&[0, 2, 4]));
        assert!(!f(&[0, 1, 4]));
        assert!(!f(&[0, 1, 1, 0]));
        assert!(!f(&[]));
    }
}
