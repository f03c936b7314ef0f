//! Operands of complement and of the inverses.

use super::composition::as_json;
use super::{Rng, layout};
use serde_json::{Value, json};

/// Coordinates of a layout whose inverse is checked at each of them.
const LISTED: u64 = 512;

/// Modes whose blocks divide one another, in some order, perhaps with one stride off by a little.
fn chain(rng: &mut Rng, max_size: u64) -> (Vec<u64>, Vec<u64>) {
    let rank = rng.between(0, 4);
    let far = rng.once_in(8);
    let mut modes: Vec<(u64, u64)> = Vec::new();
    let (mut next, mut room) = (1u64, max_size);
    for _ in 0..rank {
        if rng.once_in(2) {
            next = next.saturating_mul(if far { rng.between(1, 1 << 16) } else { rng.between(1, 4) });
        }
        let extent = (*rng.pick(&[2, 2, 3, 4, 4, 5, 6, 8])).min(room);
        room /= extent.max(1);
        modes.push((extent.max(1), next));
        next = next.saturating_mul(extent.max(1));
    }
    match rng.below(8) {
        0 => {
            let i = usize::try_from(rng.below(modes.len().max(1) as u64)).unwrap_or(0);
            if let Some(mode) = modes.get_mut(i) {
                mode.1 = if rng.once_in(2) { mode.1.saturating_add(1) } else { mode.1.saturating_sub(1) };
            }
        }
        1 => modes.push((rng.between(1, 3), 0)),
        2 => modes.push((1, rng.below(9))),
        // the same stride twice: which mode goes on from it?
        3 => {
            let i = usize::try_from(rng.below(modes.len().max(1) as u64)).unwrap_or(0);
            if let Some(mode) = modes.get(i).copied() {
                modes.push((rng.between(2, 4).min(room.max(1)), mode.1));
            }
        }
        _ => {}
    }
    if !rng.once_in(3) {
        modes = rng.shuffled(modes);
    }
    modes.into_iter().unzip()
}

fn flat(rng: &mut Rng, max_size: u64) -> (Vec<u64>, Vec<u64>) {
    if rng.once_in(3) { layout(rng, max_size) } else { chain(rng, max_size) }
}

/// A layout to invert.
pub(super) fn one(rng: &mut Rng) -> Vec<Value> {
    let layout = flat(rng, LISTED);
    vec![as_json(rng, layout)]
}

/// A layout, and sometimes (with `always`: always) how far to complete it: whole blocks, whole shapes, or beside those.
pub(super) fn with_cotarget(rng: &mut Rng, always: bool) -> Vec<Value> {
    let (extents, strides) = flat(rng, LISTED);
    let block = extents.iter().zip(&strides).map(|(e, d)| e.saturating_mul(*d)).max().unwrap_or(1).max(1);
    let size: u64 = extents.iter().product();
    let cotarget = match rng.below(6) {
        0 => size,
        1 => rng.between(1, 200),
        2 => block.saturating_add(rng.below(2)).saturating_sub(rng.below(2)),
        3 => block.saturating_mul(rng.between(1, 6)).saturating_add(rng.below(3)),
        _ => block.saturating_mul(rng.between(1, 6)),
    };
    let mut args = vec![as_json(rng, (extents, strides))];
    if always || rng.once_in(2) {
        args.push(json!(cotarget.min(1 << 62)));
    }
    args
}

/// Two layouts over one shape, such as source and destination of a copy.
pub(super) fn two(rng: &mut Rng) -> Vec<Value> {
    let (extents, strides) = chain(rng, LISTED);
    let other = match rng.below(4) {
        0 => flat(rng, LISTED),
        1 => (extents.clone(), strides.clone()),
        _ => {
            // the first modes stay where they are, the others move
            let stay = rng.below(extents.len() as u64 + 1);
            let scale = rng.between(1, 4);
            let moved =
                strides.iter().enumerate().map(|(i, d)| if (i as u64) < stay { *d } else { d.saturating_mul(scale) });
            (extents.clone(), moved.collect())
        }
    };
    vec![as_json(rng, (extents, strides)), as_json(rng, other)]
}
