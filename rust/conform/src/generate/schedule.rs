//! Schedules of axes: splits, merges, reorders, resizes and swizzles, as the protocol writes them.

use super::Rng;
use serde_json::{Value, json};

/// A random schedule of at most `steps` steps whose loops have at most `points` points. Extents are small and factors
/// often divide; one step in ten makes holes or moves elements out.
pub fn schedule(rng: &mut Rng, steps: u64, points: u64) -> Value {
    let extents: Vec<u64> = (0..rng.between(1, 3)).map(|_| rng.between(1, 9)).collect();
    let mut axes = extents.clone();
    let mut made = vec![];
    for _ in 0..rng.between(0, steps) {
        let mut after = axes.clone();
        let step = step(rng, &mut after);
        if after.iter().product::<u64>() > points {
            continue;
        }
        axes = after;
        made.push(step);
    }
    json!({"extents": extents, "steps": made})
}

/// Two schedules of the same tensor: often the same loops by different steps.
pub fn schedules(rng: &mut Rng, steps: u64, points: u64) -> [Value; 2] {
    if rng.once_in(2) {
        // one of the theorems, with factors that may or may not divide
        let (a, b) = (rng.between(1, 4), rng.between(1, 4));
        let (m, n) = (rng.between(1, 6), rng.between(1, 8));
        let split = |axis: u64, factor: u64| json!({"split": axis, "factor": factor});
        let merge = json!({"merge": [0, 1]});
        let (extents, left, right) = match rng.below(4) {
            0 => (json!([m * n]), vec![split(0, a), split(0, b)], vec![split(0, a * b), split(1, a)]),
            1 => (json!([m, n]), vec![merge.clone(), split(0, a)], vec![split(1, a), merge]),
            2 => (json!([m, n]), vec![merge, split(0, n)], vec![]),
            _ => (
                json!([n]),
                vec![split(0, a * b), split(1, a)],
                vec![split(0, a), json!({"split_outer": 0, "factor": m})],
            ),
        };
        return [json!({"extents": extents, "steps": left}), json!({"extents": extents, "steps": right})];
    }
    let left = schedule(rng, steps, points);
    let mut right = left.clone();
    // a step more that changes nothing, or almost
    if let Some(made) = right["steps"].as_array_mut() {
        made.push(json!({"split": 0, "factor": rng.between(1, 3)}));
        made.push(json!({"merge": [0, 1]}));
    }
    [left, right]
}

fn step(rng: &mut Rng, axes: &mut Vec<u64>) -> Value {
    let count = axes.len() as u64;
    let at = |position: u64| usize::try_from(position).unwrap_or(0);
    let axis = rng.below(count);
    let other = (axis + 1 + rng.below(count.max(2) - 1)) % count;
    let extent = axes[at(axis)];
    let divisors: Vec<u64> = (1..=extent).filter(|n| extent.is_multiple_of(*n)).collect();
    let factor = if rng.once_in(3) { rng.between(1, 5) } else { *rng.pick(&divisors) };
    match rng.below(10) {
        0..=2 => {
            axes.splice(at(axis)..=at(axis), [extent.div_ceil(factor), factor]);
            json!({"split": axis, "factor": factor})
        }
        3 => {
            axes.splice(at(axis)..=at(axis), [factor, extent.div_ceil(factor)]);
            json!({"split_outer": axis, "factor": factor})
        }
        4..=6 if other != axis => {
            axes[at(axis)] *= axes[at(other)];
            axes.remove(at(other));
            json!({"merge": [axis, other]})
        }
        7 => {
            let order = rng.shuffled((0..count).collect());
            *axes = order.iter().map(|&position| axes[at(position)]).collect();
            json!({"reorder": order})
        }
        8 => {
            let (left, right) =
                (i64::try_from(rng.below(4)).unwrap_or(0) - 1, i64::try_from(rng.below(4)).unwrap_or(0) - 1);
            let resized = i64::try_from(extent).unwrap_or(1) + left + right;
            let Some(resized) = u64::try_from(resized).ok().filter(|&n| n > 0) else {
                return json!({"resize": axis, "left": 0, "right": 0});
            };
            axes[at(axis)] = resized;
            json!({"resize": axis, "left": left, "right": right})
        }
        9 if other != axis => json!({"swizzle": rng.pick(&["xor", "cyclic", "zshape"]), "axes": [axis, other]}),
        _ => json!({"resize": axis, "left": 0, "right": 0}),
    }
}
