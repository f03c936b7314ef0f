//! Layouts in larger and smaller elements.

use super::integer::{ceil_quotient, gcd, one};
use super::layout::{Layout, Mode};
use super::reading::{Answer, Reading, answer_layout, count, layout_of};
use super::refusal::{Refusal, Result};
use num_bigint::BigInt;
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["downcast", "recast", "upcast"];

/// A layout in elements of `n`: every mode by itself, then what steps inside an element together.
fn upcast(layout: &Layout, n: &BigInt) -> Result<Layout> {
    let zero = BigInt::from(0);
    let (mut modes, mut within, mut filled) = (Vec::new(), Vec::new(), false);
    for mode in layout.modes() {
        if mode.extent == one() || &mode.stride % n == zero {
            modes.push(Mode { extent: mode.extent.clone(), stride: &mode.stride / n });
            continue;
        }
        let steps = if n % &mode.stride == zero { n / &mode.stride } else { return Err(Refusal("not_divisible")) };
        if &mode.extent % &steps == zero {
            filled = true;
        } else if &steps % &mode.extent != zero {
            return Err(Refusal("not_divisible"));
        }
        modes.push(Mode { extent: ceil_quotient(&mode.extent, &steps), stride: one() });
        within.push((mode.extent.clone().min(steps) - 1) * &mode.stride);
    }
    if !within.is_empty() && !filled {
        return Err(Refusal("not_divisible"));
    }
    if within.into_iter().sum::<BigInt>() >= *n {
        return Err(Refusal("carries"));
    }
    let mut result = layout.with_modes(modes);
    result.normalize();
    Ok(result)
}

fn downcast(layout: &Layout, n: &BigInt) -> Result<Layout> {
    if *n == one() {
        return Ok(layout.clone());
    }
    let all = layout.modes();
    let adjacent: Vec<usize> = (0..all.len()).filter(|&i| all[i].extent != one() && all[i].stride == one()).collect();
    let single: Vec<usize> = (0..all.len()).filter(|&i| all[i].extent == one()).collect();
    let part = match (adjacent.as_slice(), single.as_slice()) {
        ([place], _) | ([], [place]) => *place,
        ([], _) => return Err(Refusal("not_contiguous")),
        _ => return Err(Refusal("not_injective")),
    };
    let modes = all.iter().enumerate().map(|(i, mode)| {
        if i == part {
            Mode { extent: &mode.extent * n, stride: one() }
        } else {
            Mode { extent: mode.extent.clone(), stride: &mode.stride * n }
        }
    });
    let mut result = layout.with_modes(modes.collect());
    result.normalize();
    result.bounded()
}

pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    if op == "recast" {
        let layout = reading.take(layout_of(&args[0]));
        let (old, new) = (reading.take(count(&args[1])), reading.take(count(&args[2])));
        let (layout, old, new) = (layout?, old?, new?);
        let common = gcd(&old, &new);
        let larger = upcast(&layout, &(new / &common));
        Some(larger.and_then(|larger| downcast(&larger, &(old / &common))).and_then(answer_layout))
    } else {
        let (layout, n) = (reading.take(layout_of(&args[0])), reading.take(count(&args[1])));
        let (layout, n) = (layout?, n?);
        let recast = if op == "upcast" { upcast } else { downcast };
        Some(recast(&layout, &n).and_then(answer_layout))
    }
}
