//! What a refusal names to show that it is right.

mod inverse;
mod tiles;

use super::compact::compact;
use super::complement::{block, chain, read_cotarget, repeats};
use super::composition::{grown, inside, spread};
use super::find_over;
use super::layout::Layout;
use super::reading::{layout_of, shape_of};
use super::refusal::Refusal;
use crate::tree::{Tree, int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The most coordinates that are gone through.
const MOST: u32 = 1 << 12;

/// What is wrong with what a refusal names; nothing where that is right, or not known.
pub(crate) fn fault(op: &str, args: &[Value], complete: bool, told: Option<&Value>) -> Option<String> {
    match op {
        "composition" | "composition_extended" => {
            let [outer, inner] = args else { return None };
            let (outer, inner) = (Layout::read(outer).ok()?, Layout::read(inner).ok()?);
            let outer = match grown(&outer, &inner) {
                _ if op == "composition" => outer,
                Ok(grown) => grown,
                Err(Refusal("out_of_domain")) => outer,
                // what it would grow to does not fit
                Err(_) => return None,
            };
            composition(&outer, &inner, complete, told)
        }
        "complement" | "complement_ceil" => {
            let layout = Layout::read(args.first()?).ok()?;
            let cotarget = match args.get(1) {
                Some(value) => Some(read_cotarget(value).ok().filter(|cotarget| *cotarget > BigInt::from(0))?),
                None => None,
            };
            complement(&layout, cotarget.filter(|_| op == "complement").as_ref(), told)
        }
        // the swizzle stands behind the composite, and an offset that does not fit may be reported first
        "swizzled_composition" => {
            let ([outer, inner], Some(_)) = (args, told) else { return None };
            let outer = json!({"shape": outer.get("shape")?, "stride": outer.get("stride")?});
            composition(&Layout::read(&outer).ok()?, &Layout::read(inner).ok()?, complete, told)
        }
        "with_shape" => {
            let [layout, shape] = args else { return None };
            let (layout, shape) = (layout_of(layout).ok()?, shape_of(shape).ok()?);
            composition(&layout, &compact(&shape, |j, i| j < i), complete, told)
        }
        find_over::NAME => unless(find_over::witness(op, args), told),
        _ if inverse::NAMES.contains(&op) => inverse::fault(op, args, complete, told),
        _ if tiles::has(op) => tiles::fault(op, args, complete, told),
        _ => told.map(|told| format!("nobody can say whether the witness {told} is right")),
    }
}

/// Two indices of a layout that are told to have one offset, and do.
fn collides(layout: &Layout, told: Option<&Value>) -> Option<(BigInt, BigInt)> {
    let pair = told.and_then(|told| told.get("collision")).and_then(Value::as_array);
    let pair: Vec<BigInt> = pair.into_iter().flatten().filter_map(read_int).collect();
    let [i, j] = pair.as_slice() else { return None };
    let right = *i >= BigInt::from(0) && i < j && *j < layout.size() && layout.at(i) == layout.at(j);
    right.then(|| (i.clone(), j.clone()))
}

/// The witness is this one, if it is known.
fn unless(right: Option<Value>, told: Option<&Value>) -> Option<String> {
    right.filter(|right| told != Some(right)).map(|right| format!("the witness is {right}"))
}

/// Of a layout that leaves `[0,size)`: a coordinate whose offset lies beyond.
fn outside(inner: &Layout, size: &BigInt, told: Option<&Value>) -> Option<String> {
    let named = told.and_then(|told| told.get("outside")).and_then(|named| Tree::read(named).ok());
    let lies = named.is_some_and(|c| at(inner, &inner.shape(), &c).is_some_and(|offset| offset >= *size));
    (!lies).then(|| "the witness is no coordinate whose offset lies outside".into())
}

/// Of a composition: a coordinate outside, or what the search over the shape of the inner layout finds, for the strides that the outer
/// layout has or for strides that show every digit.
fn composition(outer: &Layout, inner: &Layout, complete: bool, told: Option<&Value>) -> Option<String> {
    let shape = inner.shape();
    if !inside(outer, inner) {
        return outside(inner, &outer.size(), told);
    }
    if inner.size() > BigInt::from(MOST) {
        return None;
    }
    let value = |index: &BigInt| if complete { outer.at(index) } else { spread(outer, index) };
    let values: Vec<BigInt> = inner.offsets().iter().map(value).collect();
    unless(find_over::search(&shape, &values).err(), told)
}

/// The offset of a coordinate, where it is one.
fn at(layout: &Layout, shape: &Tree, coordinate: &Tree) -> Option<BigInt> {
    if !shape.congruent(coordinate) {
        return None;
    }
    let (modes, entries) = (layout.modes(), coordinate.ints());
    let inside = modes.len() == entries.len()
        && modes.iter().zip(&entries).all(|(mode, x)| **x >= BigInt::from(0) && **x < mode.extent);
    inside.then(|| modes.iter().zip(&entries).map(|(mode, x)| *x * &mode.stride).sum())
}

/// Of a complement: two indices with one offset, or a stride or a cotarget that a block does not divide, and that block.
fn complement(layout: &Layout, cotarget: Option<&BigInt>, told: Option<&Value>) -> Option<String> {
    let mut filled = BigInt::from(1);
    let zero = BigInt::from(0);
    for mode in chain(layout) {
        if mode.stride == zero || &mode.stride % &filled != zero {
            let divides = json!({"stride": int_json(&mode.stride), "block": int_json(&filled)});
            return match repeats(layout) {
                Some(false) => unless(Some(divides), told),
                Some(true) if collides(layout, told).is_none() => {
                    Some("the witness is no two indices with one offset".into())
                }
                None if told != Some(&divides) && collides(layout, told).is_none() => {
                    Some(format!("the witness is {divides}"))
                }
                _ => None,
            };
        }
        filled = mode.extent * mode.stride;
    }
    let uneven = cotarget.is_some_and(|cotarget| cotarget % block(layout) != zero);
    unless(uneven.then(|| json!({"block": int_json(&filled)})), told)
}
