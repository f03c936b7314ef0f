//! Shapes, coordinates, and what is asked about one layout.

use super::coalesce::{by_profile, coalesce, filter, filtered_zeros};
use super::coord::{index, index_coord, inside, offset, picked};
use super::find::{LIST, collision, find};
use super::layout::{Layout, Mode, ints_json};
use super::reading::shape_of;
use super::refusal::{Refusal, Result};
use super::shape::{compatible, read_ints, size};
use crate::tree::{Tree, int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// Each stride is the product of the extents before it.
fn column_major(shape: &Tree) -> Layout {
    fn mode(shape: &Tree, stride: &mut BigInt) -> Layout {
        match shape {
            Tree::Node(modes) => Layout::Node(modes.iter().map(|part| mode(part, stride)).collect()),
            leaf => {
                let extent = size(leaf);
                let here = stride.clone();
                *stride *= &extent;
                Layout::Leaf(Mode { extent, stride: here })
            }
        }
    }
    let mut layout = mode(shape, &mut BigInt::from(1));
    layout.normalize();
    layout
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

/// What the definition says of a request; nothing where that takes an enumeration that is too large.
pub(super) fn run(op: &str, args: &[Value]) -> Result<Option<Value>> {
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
            if let [shape] = args
                && !shape.is_object()
            {
                return Ok(Some(column_major(&shape_of(shape)?).to_json()));
            }
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
        super::find_over::NAME => return super::find_over::run(args),
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
