//! Morphisms that fit one another, or nearly.

use super::request::refined;
use super::{Rng, nest};
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::{Value, json};

/// Few entries, small ones and some of 1.
fn tuple(rng: &mut Rng, most: u64) -> Vec<u64> {
    (0..rng.below(most + 1)).map(|_| if rng.once_in(5) { 1 } else { rng.between(2, 8) }).collect()
}

fn nested(rng: &mut Rng, entries: &[u64], deep: bool) -> Value {
    if deep { nest(rng, entries).to_json() } else { json!(entries) }
}

fn entries(tuple: &Value) -> Vec<u64> {
    let tree = Tree::read(tuple).unwrap_or(Tree::Node(Vec::new()));
    tree.ints().into_iter().map(|n| n.try_into().unwrap_or(1)).collect()
}

/// A morphism into this codomain; `free` says of each entry whether it may be reached, and nothing goes to the basepoint unless
/// `pointed`.
fn into(rng: &mut Rng, codomain: &Value, free: &[bool], pointed: bool, deep: bool) -> Value {
    let targets = entries(codomain);
    let reached: Vec<usize> = (0..targets.len()).filter(|at| free.get(*at) == Some(&true)).collect();
    let mut reached = rng.shuffled(reached);
    reached.truncate(usize::try_from(rng.below(reached.len() as u64 + 1)).unwrap_or(0));
    let mut pairs: Vec<(u64, usize)> = reached.iter().map(|at| (targets[*at], at + 1)).collect();
    if pointed {
        pairs.extend(tuple(rng, 2).into_iter().map(|entry| (entry, 0)));
    }
    let pairs = rng.shuffled(pairs);
    let (domain, map): (Vec<u64>, Vec<usize>) = pairs.into_iter().unzip();
    let domain = nested(rng, &domain, deep);
    json!({"domain": domain, "codomain": codomain, "map": map})
}

/// A morphism from this domain.
fn from(rng: &mut Rng, domain: &Value, deep: bool) -> Value {
    let sources = entries(domain);
    let mut codomain: Vec<(u64, usize)> = tuple(rng, 2).into_iter().map(|entry| (entry, 0)).collect();
    for (at, entry) in sources.iter().enumerate() {
        if !rng.once_in(3) {
            codomain.push((*entry, at + 1));
        }
    }
    let codomain = rng.shuffled(codomain);
    let image = |at: usize| codomain.iter().position(|(_, from)| *from == at + 1).map_or(0, |place| place + 1);
    let map: Vec<usize> = (0..sources.len()).map(image).collect();
    let targets: Vec<u64> = codomain.iter().map(|(entry, _)| *entry).collect();
    let codomain = nested(rng, &targets, deep);
    json!({"domain": domain, "codomain": codomain, "map": map})
}

fn any(rng: &mut Rng, pointed: bool, deep: bool) -> Value {
    let codomain = tuple(rng, 5);
    let free = vec![true; codomain.len()];
    let codomain = nested(rng, &codomain, deep);
    into(rng, &codomain, &free, pointed, deep)
}

/// Which entries of the codomain nothing reaches.
fn left(f: &Value) -> Vec<bool> {
    let count = entries(&f["codomain"]).len() as u64;
    let map: Vec<u64> = f["map"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    (1..=count).map(|place| !map.contains(&place)).collect()
}

/// Places of so many entries, in order, those that must be there and some more.
fn places(rng: &mut Rng, count: usize, needed: &[u64]) -> Value {
    let mut all: Vec<usize> = (1..=count).filter(|place| needed.contains(&(*place as u64)) || rng.once_in(2)).collect();
    if rng.once_in(15) {
        all.push(count + 1);
    }
    if rng.once_in(15) {
        all.reverse();
    }
    json!(all)
}

fn fin(rng: &mut Rng, n: Option<u64>, m: Option<u64>, taken: &[u64]) -> Value {
    let n = n.unwrap_or_else(|| rng.below(7));
    let m = m.unwrap_or_else(|| rng.below(7));
    let mut free: Vec<u64> = rng.shuffled((1..=n).filter(|value| !taken.contains(value)).collect());
    let map: Vec<u64> = (0..m).map(|_| if rng.once_in(3) { 0 } else { free.pop().unwrap_or(0) }).collect();
    json!({"m": m, "n": n, "map": map})
}

/// A layout that is tractable, or nearly, in one tuple or nested; strides under extents of 1 are not 0.
fn layout(rng: &mut Rng, deep: bool) -> Value {
    let mut product = 1_u64;
    let mut modes = Vec::new();
    for extent in tuple(rng, 4) {
        match rng.below(8) {
            0 => modes.push((extent, 0)),
            1 => modes.push((extent, rng.between(1, 40))),
            _ => {
                product *= rng.between(1, 3);
                modes.push((extent, product));
                product *= extent;
            }
        }
    }
    let (shape, stride): (Vec<u64>, Vec<u64>) = rng.shuffled(modes).into_iter().unzip();
    if !deep {
        return json!({"shape": shape, "stride": stride});
    }
    let nesting = nest(rng, &shape);
    let strides: Vec<BigInt> = stride.into_iter().map(BigInt::from).collect();
    json!({"shape": nesting.to_json(), "stride": nesting.refill(&mut strides.into_iter()).to_json()})
}

/// The size that a complement may have.
fn size_for(rng: &mut Rng, layout: &Value) -> u64 {
    let modes = entries(&layout["shape"]).into_iter().zip(entries(&layout["stride"]));
    let most = modes.map(|(extent, stride)| extent * stride).max().unwrap_or(1).max(1);
    most * rng.between(1, 4) + u64::from(rng.once_in(10))
}

/// Tuples of which the entries of the second are made of those of the first, cut at other places.
fn two(rng: &mut Rng) -> (Value, Value) {
    let steps = tuple(rng, 6);
    let mut merge = |steps: &[u64]| {
        let mut merged: Vec<u64> = Vec::new();
        for step in steps {
            match merged.last_mut().filter(|_| rng.once_in(2)) {
                Some(last) => *last *= step,
                None => merged.push(*step),
            }
        }
        merged
    };
    let kept = steps.len().saturating_sub(2);
    let (t, u) = (merge(steps.get(..kept).unwrap_or_default()), merge(&steps));
    let (t, u) = (nest(rng, &t).to_json(), nest(rng, &u).to_json());
    if rng.once_in(8) { (u, t) } else { (t, u) }
}

/// Arguments of an operation on morphisms or on layouts as they are written.
pub(super) fn arguments(rng: &mut Rng, op: &str) -> Option<Vec<Value>> {
    if !crate::model::category::has(op) {
        return None;
    }
    let deep = op.starts_with("nest_") || op.ends_with("_nest") || op == "weak_composite" || op == "layout_compose";
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    // now and then one that does not fit
    let fits = !rng.once_in(8);
    Some(match op {
        "fin_compose" => {
            let f = fin(rng, None, None, &[]);
            let m = fits.then(|| number(&f["n"]));
            let g = fin(rng, None, m, &[]);
            vec![f, g]
        }
        "fin_sum" => vec![fin(rng, None, None, &[]), fin(rng, None, None, &[])],
        "fin_wedge" => {
            let f = fin(rng, None, None, &[]);
            let taken: Vec<u64> = f["map"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            let n = (fits || rng.once_in(2)).then(|| number(&f["n"]));
            let g = fin(rng, n, None, if fits { &taken } else { &[] });
            vec![f, g]
        }
        "tuple_restrict" => {
            let f = any(rng, true, false);
            let count = entries(&f["domain"]).len();
            vec![f, places(rng, count, &[])]
        }
        "tuple_factorize" => {
            let f = any(rng, true, false);
            let needed: Vec<u64> = f["map"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            let count = entries(&f["codomain"]).len();
            let places = places(rng, count, if fits { &needed } else { &[] });
            vec![f, places]
        }
        "tuple_compose" | "nest_compose" => {
            let f = any(rng, true, deep);
            let domain = if fits { f["codomain"].clone() } else { json!(tuple(rng, 3)) };
            let g = from(rng, &domain, deep);
            vec![f, g]
        }
        "tuple_concat" | "nest_concat" => {
            let f = any(rng, true, deep);
            let free = if fits { left(&f) } else { vec![true; entries(&f["codomain"]).len()] };
            let g = into(rng, &f["codomain"], &free, true, deep);
            vec![f, g]
        }
        "tuple_flat_divide" | "nest_logical_divide" => {
            let g = any(rng, !fits, deep);
            let domain = if rng.once_in(12) { json!(tuple(rng, 3)) } else { g["codomain"].clone() };
            let f = from(rng, &domain, deep);
            vec![f, g]
        }
        "tuple_flat_product" | "nest_logical_product" => {
            let f = any(rng, !fits, deep);
            let targets = entries(&f["codomain"]);
            let kept: Vec<u64> =
                targets.iter().zip(left(&f)).filter(|(_, left)| *left).map(|(entry, _)| *entry).collect();
            let codomain = if rng.once_in(12) { json!(tuple(rng, 3)) } else { json!(kept) };
            let free = vec![true; entries(&codomain).len()];
            let g = into(rng, &codomain, &free, true, deep);
            vec![f, g]
        }
        "tuple_sum" => vec![any(rng, true, false), any(rng, true, false)],
        "tuple_complement" | "nest_complement" => vec![any(rng, !fits, deep)],
        "nest_pullback" | "nest_pushforward" => {
            let f = any(rng, true, true);
            let side = if op == "nest_pullback" { "codomain" } else { "domain" };
            let coarse = Tree::read(&f[side]).unwrap_or(Tree::Node(Vec::new()));
            let fine = if fits { refined(rng, &coarse).to_json() } else { json!(tuple(rng, 3)) };
            vec![f, fine]
        }
        "nested_relative" | "nested_refines" => {
            let coarse = tuple(rng, 4);
            let coarse = nest(rng, &coarse);
            let fine = if fits { refined(rng, &coarse) } else { nest(rng, &[2, 3]) };
            vec![fine.to_json(), coarse.to_json()]
        }
        "nested_attrs" => {
            let leaves = tuple(rng, 5);
            vec![nest(rng, &leaves).to_json()]
        }
        "mutual_refinement" => {
            let (t, u) = two(rng);
            vec![t, u]
        }
        "weak_composite" => {
            let (t, u) = two(rng);
            let free = vec![true; entries(&t).len()];
            let f = into(rng, &t, &free, true, true);
            let g = from(rng, &u, true);
            vec![f, g]
        }
        "layout_compose" => {
            let (t, u) = two(rng);
            // a layout whose representation goes into T, and one of shape U
            let (t, u) = (entries(&t), entries(&u));
            let ends = |tuple: &[u64]| {
                let mut product = 1_u64;
                let next = |extent: &u64| {
                    let mode = (*extent, product);
                    product *= extent;
                    mode
                };
                tuple.iter().map(next).collect::<Vec<_>>()
            };
            let picked: Vec<(u64, u64)> = ends(&t).into_iter().filter(|_| !rng.once_in(4)).collect();
            let (shape, stride): (Vec<u64>, Vec<u64>) = rng.shuffled(picked).into_iter().unzip();
            let mut order = rng.shuffled((0..u.len()).collect());
            let mut strides = vec![0; u.len()];
            let mut product = rng.between(1, 3);
            while let Some(at) = order.pop() {
                strides[at] = product;
                product *= u[at] * if rng.once_in(4) { 3 } else { 1 };
            }
            vec![json!({"shape": shape, "stride": stride}), json!({"shape": u, "stride": strides})]
        }
        "flat_complement" => {
            let layout = layout(rng, false);
            let n = size_for(rng, &layout);
            vec![layout, json!(n)]
        }
        "flat_concatenate" => vec![layout(rng, false), layout(rng, false)],
        "sort_flat_layout" | "standard_representation_flat" => vec![layout(rng, !fits)],
        "is_tractable" | "nullify_trivial_strides" | "standard_representation_nest" => vec![layout(rng, true)],
        _ if op.starts_with("tuple_") || op.starts_with("nest_") || op.starts_with("encoded_layout") => {
            vec![any(rng, true, deep)]
        }
        _ => return None,
    })
}
