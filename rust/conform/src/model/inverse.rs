//! Inverses, the nullspace, and what two layouts have in common.

use super::coalesce::{coalesce, coalesced, merged};
use super::complement::{entangled, repeats};
use super::composition::complete;
use super::integer::one;
use super::layout::{Found, Layout, Mode};
use super::refusal::{OVERFLOW, Result};
use num_bigint::BigInt;

/// A mode with the linear index of its first step.
#[derive(Clone, Debug)]
struct Start {
    mode: Mode,
    index: BigInt,
}

fn starts(modes: Vec<Mode>) -> Vec<Start> {
    let mut index = one();
    modes
        .into_iter()
        .map(|mode| {
            let next = &index * &mode.extent;
            Start { mode, index: std::mem::replace(&mut index, next) }
        })
        .collect()
}

fn moving(layout: &Layout) -> Vec<Start> {
    let modes = layout.modes().into_iter().cloned().collect();
    starts(modes).into_iter().filter(|start| start.mode.extent > one()).collect()
}

/// The longest chain of modes whose strides continue `run`; among equals, the one with the earlier mode.
fn longest(run: &BigInt, starts: &[Start]) -> (BigInt, Vec<Mode>) {
    let mut best = (one(), Vec::new());
    for start in starts.iter().filter(|start| start.mode.stride == *run) {
        let (reach, rest) = longest(&(run * &start.mode.extent), starts);
        let reach = reach * &start.mode.extent;
        if reach > best.0 {
            let mut modes = vec![Mode { extent: start.mode.extent.clone(), stride: start.index.clone() }];
            modes.extend(rest);
            best = (reach, modes);
        }
    }
    best
}

/// Where the offsets `0, 1, 2, …` come from, as far as whole modes reach.
pub fn right_inverse(layout: &Layout) -> Layout {
    Layout::nest(merged(longest(&one(), &starts(coalesced(layout))).1))
}

/// Reads the digits of an offset in the radix of the strides; none if these do not divide in turn.
fn undo(mut starts: Vec<Start>) -> Option<Vec<Mode>> {
    starts.sort_by(|p, q| (&p.mode.stride, &p.mode.extent).cmp(&(&q.mode.stride, &q.mode.extent)));
    let Some(first) = starts.first() else { return Some(Vec::new()) };
    if first.mode.stride == BigInt::from(0) {
        return None;
    }
    let mut modes = vec![Mode { extent: first.mode.stride.clone(), stride: BigInt::from(0) }];
    for pair in starts.windows(2) {
        let [low, high] = [&pair[0], &pair[1]];
        let divides = &high.mode.stride % &low.mode.stride == BigInt::from(0);
        if !divides || &low.mode.extent * &low.mode.stride > high.mode.stride {
            return None;
        }
        modes.push(Mode { extent: &high.mode.stride / &low.mode.stride, stride: low.index.clone() });
    }
    let last = starts.last()?;
    modes.push(Mode { extent: last.mode.extent.clone(), stride: last.index.clone() });
    Some(merged(modes))
}

fn built(layout: &Layout, starts: Vec<Start>) -> Found {
    match undo(starts) {
        Some(modes) => Layout::nest(modes).bounded().map_err(|_| OVERFLOW),
        None => Err(entangled(layout)),
    }
}

/// `R(L(i)) = i`.
///
/// # Errors
/// What is in the way.
pub fn left_inverse(layout: &Layout) -> Found {
    built(layout, moving(layout))
}

/// `L(R(L(i))) = L(i)`: the left inverse of the modes that move the offset.
///
/// # Errors
/// What is in the way.
pub fn quasi_left_inverse(layout: &Layout) -> Found {
    let starts: Vec<Start> = moving(layout).into_iter().filter(|start| start.mode.stride > BigInt::from(0)).collect();
    let modes = starts.iter().map(|start| Layout::Leaf(start.mode.clone())).collect();
    built(&Layout::Node(modes), starts)
}

/// The inverse of a bijection onto `[0, size)`.
///
/// # Errors
/// What is in the way.
pub fn inverse(layout: &Layout) -> Found {
    let left = left_inverse(layout);
    if layout.cosize() == layout.size() {
        return left;
    }
    match repeats(layout) {
        Some(true) => Err(&["not_injective"]),
        Some(false) => Err(&["not_contiguous"]),
        None if left.is_ok() => Err(&["not_contiguous"]),
        None => Err(&["not_injective", "not_contiguous"]),
    }
}

/// The modes of stride 0, as modes of linear indices.
pub fn nullspace(layout: &Layout) -> Layout {
    let still = moving(layout).into_iter().filter(|start| start.mode.stride == BigInt::from(0));
    Layout::nest(still.map(|start| Mode { extent: start.mode.extent, stride: start.index }).collect())
}

/// The largest layout that both map to `0, 1, 2, …`, along the modes of the right inverse of `b`; `None` if that takes
/// an enumeration that is too large.
///
/// # Errors
/// As [`complete`].
pub fn max_common_layout(a: &Layout, b: &Layout) -> Result<Option<Layout>> {
    let inverse = right_inverse(b);
    let Some(common) = complete(a, &inverse)? else { return Ok(None) };
    match coalesced(&common).first() {
        Some(mode) if mode.stride == one() => {
            let vector = Layout::Leaf(Mode { extent: mode.extent.clone(), stride: one() });
            Ok(complete(&inverse, &vector)?.map(|found| coalesce(&found)))
        }
        _ => Ok(Some(Layout::nest(Vec::new()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::flat_layouts;

    #[test]
    fn inverses_undo_every_small_layout() {
        for value in flat_layouts().step_by(7) {
            let layout = Layout::read(&value).unwrap();
            let right = right_inverse(&layout);
            for (i, index) in right.offsets().iter().enumerate() {
                assert!(*index < layout.size() && layout.at(index) == i.into(), "{value}");
            }
            if let Ok(left) = left_inverse(&layout) {
                for (i, offset) in layout.offsets().iter().enumerate() {
                    assert!(*offset < left.size() && left.at(offset) == i.into(), "{value}");
                }
            }
            if let Ok(quasi) = quasi_left_inverse(&layout) {
                for offset in layout.offsets() {
                    assert!(layout.at(&quasi.at(&offset)) == offset, "{value}");
                }
            }
        }
    }
}
