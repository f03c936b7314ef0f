//! Arguments of operations on the copy engine: tiles that mostly fit, and addresses of any size.

use super::Rng;
use serde_json::{Value, json};

/// A layout of these extents whose strides go on from one another from `first` on, some of them changed.
fn compact(rng: &mut Rng, first: u64, changed: u64) -> (Value, u64) {
    let extents: Vec<u64> = (0..rng.between(1, 3)).map(|_| rng.between(1, 5)).collect();
    let mut stride = first;
    let mut strides = vec![];
    for extent in &extents {
        strides.push(if rng.once_in(changed) {
            match rng.below(3) {
                0 => 0,
                1 => stride + 1,
                _ => stride * rng.between(1, 3),
            }
        } else {
            stride
        });
        stride *= extent;
    }
    (json!({"shape": extents, "stride": strides}), extents.iter().product())
}

/// The arguments of an operation on the copy engine; none for another operation.
pub(super) fn arguments(rng: &mut Rng, op: &str) -> Option<Vec<Value>> {
    Some(match op {
        "fttc" => {
            let count = rng.below(4);
            let list = |rng: &mut Rng| -> Value {
                let count = count + u64::from(rng.once_in(60));
                (0..count).map(|_| if rng.once_in(80) { json!(0) } else { json!(rng.between(1, 16)) }).collect()
            };
            vec![list(rng), list(rng), list(rng)]
        }
        "tma_swizzle" => {
            let bytes = if rng.once_in(30) { json!(rng.below(200)) } else { json!(rng.pick(&[16, 32, 64, 128])) };
            vec![bytes, json!(rng.bits() >> rng.below(64))]
        }
        "tma_tile_fault" => {
            let (tile, size) = compact(rng, 1, 12);
            let (tiles, _) = compact(rng, size, 5);
            let count = if rng.once_in(15) { rng.below(9) } else { size };
            vec![tile, tiles, json!(count)]
        }
        _ => return None,
    })
}
