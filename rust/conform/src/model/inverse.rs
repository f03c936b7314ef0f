//! Inverses, the nullspace, and what two layouts have in common. All of these depend on the function alone, so every
//! layout is coalesced first.

use super::coalesce::{coalesced, merged};
use super::complement::{entangled, repeats};
use super::find::LIST;
use super::integer::one;
use super::layout::{Found, Layout, Mode};
use super::refusal::OVERFLOW;
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
    starts(coalesced(layout))
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

/// The beginning of both right inverses, as far as they agree; `None` if these are too long to list.
pub fn max_common_layout(a: &Layout, b: &Layout) -> Option<Layout> {
    let (one_of, other) = (right_inverse(a), right_inverse(b));
    let most = one_of.size().min(other.size());
    if one_of == other {
        return Some(one_of);
    }
    let mut agree = BigInt::from(0);
    while agree < most && one_of.at(&agree) == other.at(&agree) {
        agree += 1;
        if agree > BigInt::from(LIST) {
            return None;
        }
    }
    // The modes that make up that many indices; the last one may be cut short.
    let mut modes = Vec::new();
    let mut rest = agree;
    for mode in one_of.modes() {
        if rest == one() {
            break;
        }
        let extent = mode.extent.clone().min(rest.clone());
        rest /= &extent;
        modes.push(Mode { extent, stride: mode.stride.clone() });
    }
    Some(Layout::nest(merged(modes)))
}

/// What a search for left inverses of any kind has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyLeft {
    /// this one
    Exists(Layout),
    /// all were tried
    None,
    /// too large to try all
    Unknown,
}

/// Tries all layouts `R` for `R(L(i)) = i`: every mode by mode, in each place every extent and every stride that the
/// offsets so far leave open.
pub fn any_left_inverse(layout: &Layout) -> AnyLeft {
    let (size, cosize) = (layout.size(), layout.cosize());
    let (Ok(size), Ok(cosize)) = (u64::try_from(&size), u64::try_from(&cosize)) else { return AnyLeft::Unknown };
    if size > 1 << 10 || cosize > 1 << 14 {
        return AnyLeft::Unknown;
    }
    let mut points: Vec<(u64, u64)> =
        layout.offsets().iter().zip(0..).filter_map(|(offset, i)| Some((offset.try_into().ok()?, i))).collect();
    points.sort_unstable();
    if points.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return AnyLeft::None;
    }
    let mut tries = 1 << 17;
    match extend(&points, size, cosize, &mut Vec::new(), &mut tries) {
        Some(modes) => AnyLeft::Exists(Layout::nest(merged(modes))),
        None if tries == 0 => AnyLeft::Unknown,
        None => AnyLeft::None,
    }
}

/// Where the modes so far send an offset; the last one goes on for ever.
fn sent(modes: &[(u64, u64)], offset: u64) -> u64 {
    let mut rest = offset;
    let mut sum = 0;
    for (i, (extent, stride)) in modes.iter().enumerate() {
        let digit = if i + 1 == modes.len() { rest } else { rest % extent };
        sum += digit * stride;
        rest /= extent;
    }
    sum
}

/// The modes so far, with more that undo all points; those below the product of the extents are undone already.
fn extend(
    points: &[(u64, u64)],
    size: u64,
    cosize: u64,
    modes: &mut Vec<(u64, u64)>,
    tries: &mut u64,
) -> Option<Vec<Mode>> {
    let below: u64 = modes.iter().map(|(extent, _)| extent).product();
    if below >= cosize {
        let modes = modes.iter().map(|(extent, stride)| Mode { extent: (*extent).into(), stride: (*stride).into() });
        return Some(modes.collect());
    }
    for extent in 2..=cosize.div_ceil(below).max(2) {
        let block = below * extent;
        let first = points.iter().find(|(offset, _)| *offset >= below && *offset < block);
        // The first point that steps in this mode says its stride; without one, any will do.
        let strides = match first {
            Some((offset, index)) => {
                let low = if modes.is_empty() { 0 } else { sent(modes, offset % below) };
                match index.checked_sub(low) {
                    Some(rest) if rest.is_multiple_of(offset / below) => {
                        rest / (offset / below)..=rest / (offset / below)
                    }
                    _ => continue,
                }
            }
            None => 0..=size,
        };
        for stride in strides {
            *tries = tries.checked_sub(1).filter(|left| *left > 0).or_else(|| {
                *tries = 0;
                None
            })?;
            modes.push((extent, stride));
            let undone = points.iter().take_while(|(offset, _)| *offset < block);
            if undone.clone().all(|(offset, index)| sent(modes, *offset) == *index)
                && let Some(found) = extend(points, size, cosize, modes, tries)
            {
                return Some(found);
            }
            modes.pop();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::flat_layouts;

    #[test]
    fn inverses_of_any_kind() {
        let layout = |shape: &[u64], stride: &[u64]| {
            Layout::read(&serde_json::json!({"shape": shape, "stride": stride})).unwrap()
        };
        let AnyLeft::Exists(found) = any_left_inverse(&layout(&[2, 2], &[2, 3])) else { panic!("(2,3):(1,1) is one") };
        assert_eq!([0, 2, 3, 5].map(|o: u64| found.at(&o.into())), [0, 1, 2, 3].map(BigInt::from));
        // R(3) = R(2) + R(1) and R(1) = 2, R(2) = 1 ask for 1:2 and a digit of its own for 2
        assert!(matches!(any_left_inverse(&layout(&[2, 2], &[1, 1])), AnyLeft::None));
        // R(3) = 2, R(5) = 1 and R(6) = 4. A first extent above 3 asks for R(3) = 3·R(1), and 3 for R(5) >= R(3). Behind 2:s
        // stand 2-s, 1-s and 4 at 1, 2 and 3: the second is not twice the first, and the third not their sum.
        let crossed = layout(&[2, 3], &[5, 3]);
        assert_eq!(crossed.offsets(), [0, 5, 3, 8, 6, 11].map(BigInt::from));
        assert_eq!(any_left_inverse(&crossed), AnyLeft::None);
    }

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
