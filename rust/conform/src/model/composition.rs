//! Composition: by digits, by enumeration, and beyond the domain.

use super::coalesce::{coalesced, merged};
use super::find::{LIST, find};
use super::integer::{ceil_quotient, one};
use super::layout::{Layout, Mode};
use super::refusal::{Refusal, Result};
use super::tiler::Tiler;
use num_bigint::BigInt;

fn zero() -> BigInt {
    BigInt::from(0)
}

/// A mode whose stride is a digit vector of the outer layout.
struct Piece {
    extent: BigInt,
    digits: Vec<BigInt>,
}

/// `x` in the mixed radix of `radix`, the last digit unbounded.
fn digits(radix: &[Mode], x: &BigInt) -> Vec<BigInt> {
    let mut rest = x.clone();
    let mut digits = Vec::new();
    for (i, mode) in radix.iter().enumerate() {
        if i + 1 == radix.len() {
            digits.push(rest.clone());
        } else {
            digits.push(&rest % &mode.extent);
            rest /= &mode.extent;
        }
    }
    digits
}

/// The pieces into which `extent:stride` falls: one up to each place where a digit wraps.
fn split(radix: &[Mode], extent: &BigInt, stride: &BigInt) -> Option<Vec<Piece>> {
    if *extent <= one() || *stride == zero() {
        return Some(vec![Piece { extent: extent.clone(), digits: digits(radix, &zero()) }]);
    }
    let vector = digits(radix, stride);
    let bounded = radix.len().saturating_sub(1);
    let wrap = (0..bounded).filter(|&i| vector[i] > zero()).map(|i| ceil_quotient(&radix[i].extent, &vector[i])).min();
    match wrap {
        Some(wrap) if wrap < *extent => {
            if wrap <= one() || extent % &wrap != zero() {
                return None;
            }
            let mut pieces = vec![Piece { extent: wrap.clone(), digits: vector }];
            pieces.extend(split(radix, &(extent / &wrap), &(stride * &wrap))?);
            Some(pieces)
        }
        _ => Some(vec![Piece { extent: extent.clone(), digits: vector }]),
    }
}

/// Whether `inner` stays inside the domain of `outer`.
pub(crate) fn inside(outer: &Layout, inner: &Layout) -> bool {
    inner.cosize() <= outer.size()
}

/// The composite that exists whatever the strides of the outer layout are.
///
/// # Errors
/// `out_of_domain`, `not_divisible` when a mode wraps in its middle, `carries`.
pub fn strict(outer: &Layout, inner: &Layout) -> Result<Layout> {
    if !inside(outer, inner) {
        return Err(Refusal("out_of_domain"));
    }
    let radix = coalesced(outer);
    let groups = inner
        .modes()
        .into_iter()
        .map(|mode| split(&radix, &mode.extent, &mode.stride).ok_or(Refusal("not_divisible")))
        .collect::<Result<Vec<_>>>()?;
    for (i, mode) in radix.iter().enumerate().take(radix.len().saturating_sub(1)) {
        let load: BigInt = groups.iter().flatten().map(|piece| (&piece.extent - 1) * &piece.digits[i]).sum();
        if load >= mode.extent {
            return Err(Refusal("carries"));
        }
    }
    let mode = |piece: &Piece| Mode {
        extent: piece.extent.clone(),
        stride: piece.digits.iter().zip(&radix).map(|(digit, mode)| digit * &mode.stride).sum(),
    };
    let mut leaves = groups.iter().map(|group| Layout::nest(merged(group.iter().map(mode).collect())));
    Ok(inner.with_leaves(&mut leaves))
}

/// The composite if there is one; `None` if that takes an enumeration that is too large.
///
/// # Errors
/// As [`strict`], when no layout is the composite.
pub fn complete(outer: &Layout, inner: &Layout) -> Result<Option<Layout>> {
    let refusal = match strict(outer, inner) {
        Ok(composite) => return Ok(Some(composite)),
        Err(Refusal("out_of_domain")) => return Err(Refusal("out_of_domain")),
        Err(refusal) => refusal,
    };
    if inner.size() > BigInt::from(LIST) {
        return Ok(None);
    }
    let mut leaves = Vec::new();
    for mode in inner.modes() {
        let steps: u32 = (&mode.extent).try_into().unwrap_or(0);
        let values: Vec<BigInt> = (0..steps).map(|k| outer.at(&(k * &mode.stride))).collect();
        let Some(modes) = find(&values) else { return Err(refusal) };
        leaves.push(Layout::nest(modes));
    }
    let composite = inner.with_leaves(&mut leaves.into_iter());
    let agrees = inner.offsets().iter().zip(composite.offsets()).all(|(index, offset)| outer.at(index) == offset);
    if agrees { Ok(Some(composite)) } else { Err(refusal) }
}

/// The outer layout with its last mode of extent above 1 as long as the inner one needs, composed.
///
/// # Errors
/// As [`strict`]; `out_of_domain` when no mode can grow, `overflow`.
pub fn extended(outer: &Layout, inner: &Layout) -> Result<Layout> {
    strict(&grown(outer, inner)?, inner)
}

/// The outer layout as long as the inner one needs.
///
/// # Errors
/// `out_of_domain` when no mode can grow, `overflow`.
pub(super) fn grown(outer: &Layout, inner: &Layout) -> Result<Layout> {
    if inside(outer, inner) {
        return Ok(outer.clone());
    }
    let mut modes: Vec<Mode> = outer.modes().into_iter().cloned().collect();
    let size = outer.size();
    let last = modes.iter_mut().rev().find(|mode| mode.extent > one()).ok_or(Refusal("out_of_domain"))?;
    last.extent = ceil_quotient(&inner.cosize(), &(size / &last.extent));
    Layout::Node(modes.into_iter().map(Layout::Leaf).collect()).bounded()
}

/// An offset of the outer layout that shows every digit of the index: the digits in a base above all of them.
pub(super) fn spread(outer: &Layout, index: &BigInt) -> BigInt {
    let base = outer.size();
    digits(&coalesced(outer), index).into_iter().rev().fold(zero(), |sum, digit| sum * &base + digit)
}

/// Composition by tiler; modes beyond the tiler are dropped. `None` when too large to enumerate.
///
/// # Errors
/// As the composition of each mode; `incongruent` when the tiler has more modes than the layout.
pub fn by_tiler(
    outer: &Layout,
    tiler: &Tiler,
    compose: &dyn Fn(&Layout, &Layout) -> Result<Option<Layout>>,
) -> Result<Option<Layout>> {
    match tiler {
        Tiler::Keep => Ok(Some(outer.clone())),
        Tiler::By(inner) => compose(outer, inner),
        Tiler::Modes(tilers) => {
            let top = outer.top();
            if tilers.len() > top.len() {
                return Err(Refusal("incongruent"));
            }
            let modes = top.iter().zip(tilers).map(|(mode, tiler)| by_tiler(mode, tiler, compose));
            let modes = modes.collect::<Result<Option<Vec<_>>>>()?;
            modes.map(|modes| Layout::Node(modes).bounded()).transpose()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn layout(value: &serde_json::Value) -> Layout {
        Layout::read(value).unwrap()
    }

    fn composed(a: [&[u32]; 2], b: [&[u32]; 2]) -> (Result<Layout>, Result<Option<Layout>>) {
        let a = layout(&json!({"shape": a[0], "stride": a[1]}));
        let b = layout(&json!({"shape": b[0], "stride": b[1]}));
        (strict(&a, &b), complete(&a, &b))
    }

    #[test]
    fn the_examples_of_the_literature() {
        // the mode-wise carry
        let (digits, all) = composed([&[6, 2], &[1, 7]], [&[3, 2], &[2, 3]]);
        assert_eq!((digits, all), (Err(Refusal("carries")), Err(Refusal("carries"))));
        // a composite by accident of strides
        let (digits, all) = composed([&[2, 2, 3], &[1, 1, 3]], [&[3], &[3]]);
        assert_eq!(digits, Err(Refusal("not_divisible")));
        assert_eq!(all.unwrap().unwrap().to_json(), json!({"shape": [3], "stride": [2]}));
        // an apparent violation, and a truncation
        let (digits, _) = composed([&[4, 2, 8], &[3, 12, 97]], [&[3], &[3]]);
        assert_eq!(digits.unwrap().to_json(), json!({"shape": [3], "stride": [9]}));
        let (digits, _) = composed([&[6, 3], &[21, 7]], [&[4], &[3]]);
        assert_eq!(digits.unwrap().to_json(), json!({"shape": [[2, 2]], "stride": [[63, 7]]}));
        // Shah's Theorem 2.18 with three modes
        let (digits, all) = composed([&[6, 2], &[1, 7]], [&[2, 2, 2], &[1, 2, 3]]);
        assert_eq!((digits, all), (Err(Refusal("carries")), Err(Refusal("carries"))));
    }
}
