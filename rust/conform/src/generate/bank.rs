//! Accesses of a warp: lanes that are evenly spaced, linear in their bits, or anywhere.

use super::Rng;
use serde_json::{Value, json};

/// The byte addresses of lanes, and the bytes that each accesses.
pub(super) fn arguments(rng: &mut Rng, op: &str) -> Option<Vec<Value>> {
    if !["bank_access", "sectors"].contains(&op) {
        return None;
    }
    let bytes = *rng.pick(&[1_u64, 2, 4, 4, 8, 16]);
    let lanes = if rng.once_in(4) { rng.below(70) } else { 32 };
    // now and then not aligned
    let unit = if rng.once_in(6) { 1 } else { bytes };
    let base = if rng.once_in(12) { u64::MAX - rng.below(1 << 13) } else { unit * rng.below(1 << 8) };
    let addresses: Vec<u64> = match rng.below(3) {
        0 => {
            let stride = unit * if rng.once_in(2) { 1 << rng.below(9) } else { rng.below(200) };
            (0..lanes).map(|lane| base.saturating_add(lane * stride)).collect()
        }
        1 => {
            let columns: Vec<u64> = (0..7).map(|_| unit * rng.below(1 << 11)).collect();
            let at = |lane: u64| {
                (0..7).zip(&columns).filter(|(bit, _)| lane >> bit & 1 == 1).fold(0, |sum, (_, column)| sum ^ column)
            };
            (0..lanes).map(|lane| base.saturating_add(at(lane))).collect()
        }
        _ => (0..lanes).map(|_| base.saturating_add(unit * rng.below(1 << 9))).collect(),
    };
    let mut addresses: Vec<Value> = addresses.into_iter().map(Value::from).collect();
    if rng.once_in(40)
        && let Some(first) = addresses.first_mut()
    {
        *first = json!(-1);
    }
    let bytes = if rng.once_in(40) { rng.below(20) } else { bytes };
    Some(vec![addresses.into(), json!(bytes)])
}
