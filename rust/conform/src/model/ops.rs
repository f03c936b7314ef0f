//! What each operation of the protocol answers, by its definition.

use super::layout::ints_json;
use super::{Layout, Mode, Refusal, Result, check_shape, read_ints, size};
use crate::tree::{Tree, int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};
use std::collections::HashMap;

/// What an answer has to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// exactly this result, up to strides under extents of 1
    Value(Value),
    /// exactly this result, and these fields beside it
    With(Value, Vec<(&'static str, Value)>),
    /// a refusal with this code
    Refused(&'static str),
    /// a refusal with one of these codes: which one, an enumeration would have to tell that is too large
    RefusedAs(&'static [&'static str]),
    /// too large for the model to enumerate; nothing is expected
    Unjudged,
}

/// Points that the model is ready to list.
pub(crate) const LIST: u32 = 1 << 16;

/// What the definition says of a request.
pub fn expected(op: &str, args: &[Value]) -> Expected {
    match run(op, args) {
        Ok(Some(value)) => Expected::Value(value),
        Ok(None) => Expected::Unjudged,
        Err(Refusal(code)) => Expected::Refused(super::faults(op, args, code).first().copied().unwrap_or(code)),
    }
}

fn shape_of(value: &Value) -> Result<Tree> {
    if value.is_object() { Ok(Layout::read(value)?.shape()) } else { check_shape(read_ints(value)?) }
}

/// A coordinate that lies in the shape.
fn coord_in(value: &Value, shape: impl FnOnce() -> Result<Tree>) -> Result<(Tree, Tree)> {
    let coord = Tree::read(value)?;
    let shape = shape()?;
    if !coord.weakly_congruent(&shape) {
        return Err(Refusal("incongruent"));
    }
    if !inside(&coord, &shape) {
        return Err(Refusal("out_of_domain"));
    }
    Ok((coord, shape))
}

pub(crate) fn inside(coord: &Tree, shape: &Tree) -> bool {
    match (coord, shape) {
        (Tree::Int(x), shape) => *x >= BigInt::from(0) && *x < size(shape),
        (Tree::Node(cs), Tree::Node(ss)) => cs.iter().zip(ss).all(|(c, s)| inside(c, s)),
        _ => true,
    }
}

/// The linear index of a coordinate: mode by mode, each worth the product of the sizes before it.
pub(super) fn index(coord: &Tree, shape: &Tree) -> BigInt {
    match (coord, shape) {
        (Tree::Int(x), _) => x.clone(),
        (Tree::Node(cs), Tree::Node(ss)) => {
            let mut worth = BigInt::from(1);
            let mut sum = BigInt::from(0);
            for (c, s) in cs.iter().zip(ss) {
                sum += index(c, s) * &worth;
                worth *= size(s);
            }
            sum
        }
        _ => BigInt::from(0),
    }
}

pub(crate) fn index_coord(index: &BigInt, shape: &Tree) -> Tree {
    let mut rest = index.clone();
    let mut digits = Vec::new();
    for extent in shape.ints() {
        digits.push(&rest % extent);
        rest /= extent;
    }
    shape.refill(&mut digits.into_iter())
}

/// Applies the three local rules until none applies.
pub(crate) fn coalesced(layout: &Layout) -> Vec<Mode> {
    merged(layout.modes().into_iter().cloned().collect())
}

/// The same of flat modes.
pub(crate) fn merged(mut modes: Vec<Mode>) -> Vec<Mode> {
    loop {
        let one = BigInt::from(1);
        if let Some(i) = modes.iter().position(|mode| mode.extent == one) {
            modes.remove(i);
        } else if let Some(i) = modes.windows(2).position(|pair| pair[1].stride == &pair[0].extent * &pair[0].stride) {
            let second = modes.remove(i + 1);
            modes[i].extent *= second.extent;
        } else {
            return modes;
        }
    }
}

pub(crate) fn filtered_zeros(layout: &Layout) -> Layout {
    match layout {
        Layout::Leaf(mode) if mode.stride == BigInt::from(0) => {
            Layout::Leaf(Mode { extent: BigInt::from(1), stride: BigInt::from(0) })
        }
        Layout::Leaf(mode) => Layout::Leaf(mode.clone()),
        Layout::Node(modes) => Layout::Node(modes.iter().map(filtered_zeros).collect()),
    }
}

pub(crate) fn coalesce(layout: &Layout) -> Layout {
    Layout::nest(coalesced(layout))
}

pub(crate) fn filter(layout: &Layout) -> Layout {
    coalesce(&filtered_zeros(layout))
}

/// `f` at each leaf of the profile, further modes untouched.
fn by_profile(layout: &Layout, profile: &Tree, f: fn(&Layout) -> Layout) -> Result<Layout> {
    let Tree::Node(parts) = profile else { return Ok(f(layout)) };
    let mut modes = layout.top();
    if parts.len() > modes.len() {
        return Err(Refusal("incongruent"));
    }
    for (mode, part) in modes.iter_mut().zip(parts) {
        *mode = by_profile(mode, part, f)?;
    }
    Ok(Layout::Node(modes))
}

/// The modes under a `_` (or, with `want` false, under an integer).
pub(crate) fn picked(coord: &Tree, layout: &Layout, want: bool) -> Vec<Layout> {
    match (coord, layout) {
        (Tree::Node(cs), Layout::Node(ls)) => cs.iter().zip(ls).flat_map(|(c, l)| picked(c, l, want)).collect(),
        (leaf, layout) => {
            if (*leaf == Tree::Keep) == want {
                vec![layout.clone()]
            } else {
                Vec::new()
            }
        }
    }
}

pub(crate) fn offset(coord: &Tree, layout: &Layout) -> BigInt {
    layout.at(&index(coord, &layout.shape()))
}

/// The layout of exactly these values: the first extent is the first place that leaves the line through 0 and `f(1)`.
pub(crate) fn find(f: &[BigInt]) -> Option<Vec<Mode>> {
    if f.first()? != &BigInt::from(0) {
        return None;
    }
    if f.len() == 1 {
        return Some(Vec::new());
    }
    let step = &f[1];
    let extent = (0..f.len()).find(|&k| f[k] != step * k).unwrap_or(f.len());
    if !f.len().is_multiple_of(extent) {
        return None;
    }
    if (0..f.len()).any(|x| f[x] != &f[x / extent * extent] + step * (x % extent)) {
        return None;
    }
    let rest: Vec<BigInt> = f.iter().step_by(extent).cloned().collect();
    let mut modes = vec![Mode { extent: extent.into(), stride: step.clone() }];
    modes.extend(find(&rest)?);
    Some(modes)
}

/// Two linear indices with the same offset.
pub(crate) fn collision(offsets: &[BigInt]) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    for (j, offset) in offsets.iter().enumerate() {
        if let Some(i) = seen.insert(offset, j) {
            return Some((i, j));
        }
    }
    None
}

fn run(op: &str, args: &[Value]) -> Result<Option<Value>> {
    let layout = |i: usize| Layout::read(&args[i]);
    let takes = |counts: &[usize]| if counts.contains(&args.len()) { Ok(()) } else { Err(Refusal("arity")) };
    let value = match op {
        "size" => {
            takes(&[1])?;
            int_json(&size(&shape_of(&args[0])?))
        }
        "rank" => {
            takes(&[1])?;
            json!(shape_of(&args[0])?.rank())
        }
        "depth" => {
            takes(&[1])?;
            json!(shape_of(&args[0])?.depth())
        }
        "cosize" => {
            takes(&[1])?;
            int_json(&layout(0)?.cosize())
        }
        "flatten" => {
            takes(&[1])?;
            if args[0].is_object() {
                match layout(0)? {
                    leaf @ Layout::Leaf(_) => leaf.to_json(),
                    node => Layout::Node(node.modes().into_iter().cloned().map(Layout::Leaf).collect()).to_json(),
                }
            } else {
                match shape_of(&args[0])? {
                    leaf @ Tree::Int(_) => leaf.to_json(),
                    node => Tree::Node(node.leaves().into_iter().cloned().collect()).to_json(),
                }
            }
        }
        "congruent" => {
            takes(&[2])?;
            json!(shape_of(&args[0])?.congruent(&shape_of(&args[1])?))
        }
        "compatible" => {
            takes(&[2])?;
            json!(compatible(&shape_of(&args[0])?, &shape_of(&args[1])?))
        }
        "refines" => {
            takes(&[2])?;
            let (fine, coarse) = (shape_of(&args[0])?, shape_of(&args[1])?);
            json!(compatible(&coarse, &fine))
        }
        "idx2crd" => {
            takes(&[2])?;
            let Tree::Int(index) = read_ints(&args[0])? else { return Err(Refusal("parse")) };
            let shape = shape_of(&args[1])?;
            if index < BigInt::from(0) || index >= size(&shape) {
                return Err(Refusal("out_of_domain"));
            }
            index_coord(&index, &shape).to_json()
        }
        "crd2idx" => {
            takes(&[2, 3])?;
            if args.len() == 2 {
                let (coord, shape) = coord_in(&args[0], || shape_of(&args[1]))?;
                int_json(&index(&coord, &shape))
            } else {
                let mut found = None;
                let (coord, _) = coord_in(&args[0], || {
                    let layout = Layout::of(&read_ints(&args[1])?, &read_ints(&args[2])?)?;
                    let shape = layout.shape();
                    found = Some(layout);
                    Ok(shape)
                })?;
                int_json(&offset(&coord, &found.ok_or(Refusal("internal"))?))
            }
        }
        "eval" => {
            takes(&[1])?;
            let layout = layout(0)?;
            if layout.size() > BigInt::from(1 << 20) {
                return Err(Refusal("too_large"));
            }
            if layout.size() > BigInt::from(LIST) {
                return Ok(None);
            }
            ints_json(&layout.offsets())
        }
        "call" => {
            takes(&[2])?;
            let (coord, layout) = coord_and_layout(args)?;
            if coord.has_keep() {
                Layout::Node(picked(&coord, &layout, true)).to_json()
            } else {
                int_json(&offset(&coord, &layout))
            }
        }
        "make_layout" => {
            let modes = args.iter().map(Layout::read).collect::<Result<Vec<_>>>()?;
            Layout::Node(modes).bounded()?.to_json()
        }
        "coalesce" | "filter" => {
            takes(&[1, 2])?;
            let f = if op == "coalesce" { coalesce } else { filter };
            if args.len() == 1 {
                f(&layout(0)?).to_json()
            } else {
                let profile = read_ints(&args[1])?;
                by_profile(&layout(0)?, &profile, f)?.to_json()
            }
        }
        "filter_zeros" => {
            takes(&[1])?;
            filtered_zeros(&layout(0)?).to_json()
        }
        "sort" => {
            takes(&[1])?;
            let layout = layout(0)?;
            let mut modes: Vec<Mode> = layout.modes().into_iter().cloned().collect();
            modes.sort_by(|m, n| (&m.stride, &m.extent).cmp(&(&n.stride, &n.extent)));
            match layout {
                Layout::Leaf(_) => Layout::Leaf(modes.remove(0)).to_json(),
                Layout::Node(_) => Layout::Node(modes.into_iter().map(Layout::Leaf).collect()).to_json(),
            }
        }
        "slice" | "dice" => {
            takes(&[2])?;
            let (coord, layout) = coord_and_layout(args)?;
            let want = op == "slice";
            let whole = match &coord {
                Tree::Keep => want,
                Tree::Int(_) => !want,
                Tree::Node(_) => false,
            };
            if whole { layout.to_json() } else { Layout::Node(picked(&coord, &layout, want)).to_json() }
        }
        "slice_and_offset" => {
            takes(&[2])?;
            let (coord, layout) = coord_and_layout(args)?;
            let kept = Layout::Node(picked(&coord, &layout, true));
            json!([kept.shape().to_json(), kept.stride().to_json(), int_json(&offset(&coord, &layout))])
        }
        "find_layout" => {
            takes(&[1])?;
            let Value::Array(items) = &args[0] else { return Err(Refusal("parse")) };
            let values = items.iter().map(read_int).collect::<Option<Vec<_>>>().ok_or(Refusal("parse"))?;
            if values.len() > LIST as usize {
                return Ok(None);
            }
            if values.iter().any(|v| *v < BigInt::from(0)) {
                return Ok(Some(Value::Null));
            }
            match find(&values) {
                Some(modes) => Layout::nest(modes).bounded()?.to_json(),
                None => Value::Null,
            }
        }
        "is_injective" => {
            takes(&[1])?;
            let layout = layout(0)?;
            if layout.size() > BigInt::from(LIST) {
                return Ok(None);
            }
            json!(collision(&layout.offsets()).is_none())
        }
        "is_contiguous" => {
            takes(&[1])?;
            let layout = layout(0)?;
            if layout.cosize() != layout.size() {
                // fewer or more offsets than places: no bijection onto [0, cosize)
                return Ok(Some(json!(false)));
            }
            if layout.size() > BigInt::from(LIST) {
                return Ok(None);
            }
            json!(collision(&layout.offsets()).is_none())
        }
        _ => return Err(Refusal("unknown_op")),
    };
    Ok(Some(value))
}

fn coord_and_layout(args: &[Value]) -> Result<(Tree, Layout)> {
    let mut found = None;
    let (coord, _) = coord_in(&args[0], || {
        let layout = Layout::read(&args[1])?;
        let shape = layout.shape();
        found = Some(layout);
        Ok(shape)
    })?;
    Ok((coord, found.ok_or(Refusal("internal"))?))
}

pub(crate) fn compatible(coarse: &Tree, fine: &Tree) -> bool {
    match (coarse, fine) {
        (Tree::Int(n), fine) => *n == size(fine),
        (Tree::Node(a), Tree::Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_two_to_the_64() {
        assert_eq!(super::super::limit(), BigInt::from(u64::MAX) + 1);
    }

    #[test]
    fn finds_the_layouts_of_the_text() {
        let f = |values: &[u32]| find(&values.iter().map(|&v| v.into()).collect::<Vec<_>>()).is_some();
        assert!(f(&[0, 2, 4]));
        assert!(!f(&[0, 1, 4]));
        assert!(!f(&[0, 1, 1, 0]));
        assert!(!f(&[]));
    }
}
