//! What is nearest to an argument that is refused: all that is nearer is tried.

use super::composition::strict;
use super::divide::divide;
use super::layout::{Layout, Mode};
use super::reading::{Answer, Reading, integer, layout_of, place};
use super::refusal::Refusal;
use num_bigint::BigInt;
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["largest_extent", "nearest_tile"];

/// Indices and extents that are gone through.
const MOST: u32 = 1 << 10;

pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    let (first, second) = (reading.take(layout_of(&args[0])), reading.take(layout_of(&args[1])));
    if op == "nearest_tile" {
        let (layout, tile) = (first?, second?);
        let size = u32::try_from(&layout.size()).ok().filter(|size| *size <= MOST);
        return Some(Ok(size.map(|size| nearest(&layout, &tile, size))));
    }
    let leaf = reading.take(integer(&args[2]));
    let (outer, inner) = (first?, second?);
    let leaf = place(&leaf?);
    let modes: Vec<Mode> = inner.modes().into_iter().cloned().collect();
    let Some(mode) = modes.get(leaf) else { return Some(Err(Refusal("out_of_domain"))) };
    let Some(extent) = u32::try_from(&mode.extent).ok().filter(|extent| *extent <= MOST) else { return Some(Ok(None)) };
    let composes = |extent: &u32| {
        let mut modes = modes.clone();
        modes[leaf].extent = (*extent).into();
        strict(&outer, &inner.with_modes(modes)).is_ok()
    };
    Some(Ok(Some((1..=extent).rev().find(composes).map_or(Value::Null, Value::from))))
}

/// The first tile that divides, by distance. A tile has no more places than the layout has indices, and lies in them; and copies
/// of it take all of them, so that their number divides.
fn nearest(layout: &Layout, tile: &Layout, size: u32) -> Value {
    let divides = |tile: &Layout| {
        tile.cosize() <= size.into()
            && BigInt::from(size) % tile.size() == BigInt::from(0)
            && matches!(divide(layout, tile, false), Ok(Some(_)))
    };
    if divides(tile) {
        return tile.to_json();
    }
    let modes: Vec<Mode> = tile.modes().into_iter().cloned().collect();
    // (distance, leaf, extents before strides, the number)
    let mut changed: Vec<(BigInt, usize, bool, u32)> = Vec::new();
    for (leaf, mode) in modes.iter().enumerate().filter(|(_, mode)| mode.extent > BigInt::from(1)) {
        let distance = |from: &BigInt, to: u32| if *from > to.into() { from - to } else { BigInt::from(to) - from };
        changed.extend((2..=size).map(|extent| (distance(&mode.extent, extent), leaf, false, extent)));
        changed.extend((1..=size).map(|stride| (distance(&mode.stride, stride), leaf, true, stride)));
    }
    changed.sort();
    let mut near = changed.into_iter().map(|(_, leaf, is_stride, number)| {
        let mut modes = modes.clone();
        *(if is_stride { &mut modes[leaf].stride } else { &mut modes[leaf].extent }) = number.into();
        tile.with_modes(modes)
    });
    near.find(divides).map_or(Value::Null, |tile| tile.to_json())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::int_json;
    use serde_json::json;

    fn asked(op: &str, args: &Value) -> Value {
        let mut reading = Reading::default();
        run(op, args.as_array().unwrap(), &mut reading).unwrap().unwrap().unwrap()
    }

    #[test]
    fn the_nearest_by_trying() {
        let run = |n: u32, d: u32| json!({"shape": n, "stride": d});
        assert_eq!(asked("nearest_tile", &json!([run(16, 1), run(5, 1)])), run(4, 1));
        assert_eq!(asked("nearest_tile", &json!([run(16, 1), run(7, 1)])), run(8, 1));
        assert_eq!(asked("nearest_tile", &json!([run(8, 1), run(4, 3)])), run(4, 2));
        let two = json!({"shape": [3, 5], "stride": [2, 9]});
        assert_eq!(asked("nearest_tile", &json!([run(7, 1), two])), Value::Null);
        let outer = json!({"shape": [7, 4], "stride": [4, 1]});
        assert_eq!(asked("largest_extent", &json!([outer, run(6, 3), 0])), int_json(&3.into()));
    }
}
