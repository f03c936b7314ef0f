//! Morphisms of nested tuples.

use super::layouts::{chain, cut};
use super::morphism::{Morphism, entries, flat, same_function};
use super::tuple::coalesced;
use crate::model::expected::Expected;
use crate::model::refusal::{Refusal, Result};
use crate::model::shape::{compatible, size};
use crate::tree::Tree;
use serde_json::Value;

pub(super) fn run(op: &str, f: &Morphism, g: Option<&Morphism>, fine: Option<&Tree>) -> Result<Expected> {
    let made = match (op, g, fine) {
        ("encoded_layout_nest", ..) => return Ok(Expected::Exactly(f.encoded())),
        ("nest_coalesce", ..) => {
            let mut made = coalesced(f);
            match made.from().as_slice() {
                [] => (made.domain, made.map) = (Tree::Int(1.into()), vec![0]),
                [entry] => made.domain = Tree::Int(entry.clone()),
                _ => {}
            }
            made
        }
        ("nest_complement", ..) => f.complement()?,
        ("nest_compose", Some(g), _) => {
            let h = f.compose(g)?;
            if !same_function(&f.size(), |x| h.at(x), |x| g.at(&f.at(x))) {
                return Err(Refusal("internal"));
            }
            h
        }
        ("nest_concat", Some(g), _) => f.concat(g, false)?,
        ("nest_logical_divide", Some(g), _) => {
            if g.codomain != f.domain {
                return Err(Refusal("incongruent"));
            }
            g.concat(&g.complement()?, false)?.compose(f)?
        }
        ("nest_logical_product", Some(g), _) => f.concat(&g.compose(&f.complement()?)?, false)?,
        ("nest_pullback", _, Some(fine)) => pullback(f, fine)?,
        ("nest_pushforward", _, Some(fine)) => pushforward(f, fine)?,
        ("weak_composite", Some(g), _) => {
            let (t, u) = (f.into(), g.from());
            let exists = chain(&t, &u).is_some() && (!u.is_empty() || t.is_empty());
            return if exists { Ok(Expected::Unjudged) } else { Err(Refusal("not_divisible")) };
        }
        _ => return Err(Refusal("arity")),
    };
    // these are the same function as f
    let same = !["nest_coalesce", "nest_pullback", "nest_pushforward"].contains(&op)
        || made.size() == f.size() && same_function(&f.size(), |x| made.at(x), |x| f.at(x));
    if same { Ok(Expected::Exactly(made.to_json())) } else { Err(Refusal("internal")) }
}

/// The places of the entries of parts that stand one behind the other, counted from 1.
fn places(parts: &[Tree]) -> Vec<Vec<usize>> {
    let mut next = 1;
    let mut part = |tree: &Tree| {
        let count = tree.leaves().len();
        next += count;
        (next - count..next).collect()
    };
    parts.iter().map(&mut part).collect()
}

/// A nested tuple with a tuple in the place of each entry.
fn substituted(tuple: &Tree, parts: &mut impl Iterator<Item = Tree>) -> Tree {
    match tuple {
        Tree::Node(modes) => Tree::Node(modes.iter().map(|mode| substituted(mode, parts)).collect()),
        leaf => parts.next().unwrap_or_else(|| leaf.clone()),
    }
}

fn pullback(f: &Morphism, fine: &Tree) -> Result<Morphism> {
    if !compatible(&f.codomain, fine) {
        return Err(Refusal("incongruent"));
    }
    let over = cut(&f.codomain, fine);
    let at = places(&over);
    let part = |(entry, image): (&num_bigint::BigInt, &usize)| match image.checked_sub(1) {
        Some(image) => (over[image].clone(), at[image].clone()),
        None => (Tree::Int(entry.clone()), vec![0]),
    };
    let from = f.from();
    let (parts, map): (Vec<Tree>, Vec<Vec<usize>>) = from.iter().zip(&f.map).map(part).unzip();
    let domain = substituted(&f.domain, &mut parts.into_iter());
    Morphism { domain, codomain: fine.clone(), map: map.concat() }.bounded()
}

fn pushforward(f: &Morphism, fine: &Tree) -> Result<Morphism> {
    if !compatible(&f.domain, fine) {
        return Err(Refusal("incongruent"));
    }
    let over = cut(&f.domain, fine);
    let part = |(at, entry): (usize, &num_bigint::BigInt)| match f.map.iter().position(|image| *image == at + 1) {
        Some(from) => over[from].clone(),
        None => Tree::Int(entry.clone()),
    };
    let into = f.into();
    let parts: Vec<Tree> = into.iter().enumerate().map(part).collect();
    let at = places(&parts);
    let image = |(part, image): (&Tree, &usize)| match image.checked_sub(1) {
        Some(image) => at[image].clone(),
        None => vec![0; part.leaves().len()],
    };
    let map: Vec<Vec<usize>> = over.iter().zip(&f.map).map(image).collect();
    let codomain = substituted(&f.codomain, &mut parts.into_iter());
    Morphism { domain: fine.clone(), codomain, map: map.concat() }.bounded()
}

/// What is wrong with a weak composite: it is no morphism between refinements, or another function.
pub(super) fn weakly_composed(f: &Morphism, g: &Morphism, result: &Value) -> Option<String> {
    let Some(made) = Morphism::answered(result) else { return Some(format!("{result} is no morphism")) };
    if !compatible(&f.domain, &made.domain) || !compatible(&g.codomain, &made.codomain) {
        return Some("its domain does not refine that of f, or its codomain that of g".into());
    }
    if size(&f.codomain) > size(&g.domain) {
        return Some("the codomain of f is larger than the domain of g".into());
    }
    let flat_g = Morphism { domain: flat(&entries(&g.domain)), ..g.clone() };
    let same = same_function(&f.size(), |x| made.at(x), |x| flat_g.at(&f.at(x)));
    (!same).then(|| "it is not g after f".into())
}
