//! Arguments of Triton's encodings: sizes that fit one another, smaller and larger than the tensor, and now and then wrong.

use super::Rng;
use serde_json::{Value, json};

fn power(rng: &mut Rng, most: u64) -> Value {
    json!(1_u64 << rng.below(most + 1))
}

/// So many sizes, the largest 2^most; now and then one too many, or one that is no power of two.
fn sizes(rng: &mut Rng, rank: u64, most: u64) -> Value {
    let mut sizes: Vec<Value> = (0..rank).map(|_| power(rng, most)).collect();
    match rng.below(120) {
        0 => sizes.push(json!(1)),
        1 => sizes = sizes.into_iter().skip(1).collect(),
        2 => sizes = sizes.into_iter().map(|size| json!(size.as_u64().unwrap_or(0) * 3)).collect(),
        3 => sizes.push(json!(0)),
        4 if rng.once_in(3) => sizes = sizes.into_iter().map(|_| json!(1_u64 << 40)).collect(),
        _ => {}
    }
    json!(sizes)
}

fn order(rng: &mut Rng, rank: u64) -> Value {
    let order = rng.shuffled((0..rank).collect::<Vec<u64>>());
    match rng.below(60) {
        0 => json!(order.into_iter().map(|place| place + 1).collect::<Vec<u64>>()),
        1 => json!(order.into_iter().skip(1).collect::<Vec<u64>>()),
        _ => json!(order),
    }
}

fn instruction(rng: &mut Rng, hopper: bool) -> Value {
    let (m, n) = (rng.pick(&[16, 16, 8, 32, 64]), rng.pick(&[8, 8, 16, 64, 256]));
    match rng.below(40) {
        0 => json!([m]),
        1 => json!([4, n, 16]),
        _ if hopper != rng.once_in(60) => json!([m, n, 16]),
        _ => json!([m, n]),
    }
}

/// The arguments of an encoding; none for another operation.
pub(super) fn arguments(rng: &mut Rng, op: &str) -> Option<Vec<Value>> {
    let name = op.strip_prefix("encoding_")?;
    let rank = if name.starts_with("dot") { 2 } else { rng.between(1, 3) };
    let rank = if rng.once_in(40) { rng.below(5) } else { rank };
    let operand = |rng: &mut Rng| if rng.once_in(30) { json!(rng.below(5)) } else { json!(rng.below(2)) };
    let blocked = |rng: &mut Rng, rank: u64| {
        vec![sizes(rng, rank, 3), sizes(rng, rank, 3), sizes(rng, rank, 2), order(rng, rank)]
    };
    Some(match name {
        "blocked" => {
            let keep = match rng.below(60) {
                0 => vec![json!(1)],
                1..30 => vec![json!(rng.once_in(2))],
                _ => vec![],
            };
            [blocked(rng, rank), vec![sizes(rng, rank, 7)], keep].concat()
        }
        "dot_blocked" => [vec![operand(rng)], blocked(rng, rank), vec![sizes(rng, rank, 7)]].concat(),
        "slice_blocked" => {
            let beyond = u64::from(rng.once_in(30));
            let dim = json!(rng.below(rank + beyond));
            [vec![dim], blocked(rng, rank), vec![sizes(rng, rank.saturating_sub(1), 7)]].concat()
        }
        "mma_v2" | "mma_v3" => vec![sizes(rng, 2, 3), instruction(rng, name == "mma_v3"), sizes(rng, 2, 8)],
        "dot_mma_v2" | "dot_mma_v3" => {
            let operand = if name == "dot_mma_v2" || rng.once_in(10) { operand(rng) } else { json!(0) };
            vec![operand, power(rng, 3), sizes(rng, 2, 3), instruction(rng, name == "dot_mma_v3"), sizes(rng, 2, 8)]
        }
        "swizzled_shared" => {
            let numbers = [power(rng, 6), power(rng, 5), power(rng, 5)];
            let wrong = rng.once_in(60);
            let numbers = numbers.map(|number| if wrong { json!(6) } else { number });
            [numbers.to_vec(), vec![order(rng, rank), sizes(rng, rank, 8)]].concat()
        }
        "nvmma_shared" => {
            let bytes = if rng.once_in(40) { json!(16) } else { json!(rng.pick(&[0, 32, 64, 128])) };
            let bits = if rng.once_in(40) { json!(64) } else { json!(rng.pick(&[8, 16, 32])) };
            vec![bytes, bits, json!(rng.once_in(2)), sizes(rng, 2, 10)]
        }
        _ => return None,
    })
}
