//! Layouts as they are written, and refinements.

use super::morphism::{Morphism, entries, flat, offset, same_function};
use crate::model::coalesce::merged;
use crate::model::expected::Expected;
use crate::model::layout::{Mode, only};
use crate::model::refusal::{Refusal, Result};
use crate::model::shape::{check_shape, compatible, limit, read_ints, size};
use crate::tree::{Tree, int_json};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// Extents with strides.
type Modes = [(BigInt, BigInt)];

/// A layout, with all that is wrong with it.
pub(super) fn read(value: &Value, faults: &mut Vec<&'static str>) -> Option<(Tree, Vec<(BigInt, BigInt)>)> {
    if only(value, &["shape", "stride"]).is_err() {
        faults.push("parse");
        return None;
    }
    let mut part = |name: &str| match value.get(name).map(read_ints) {
        Some(Ok(tree)) => Some(tree),
        Some(Err(Refusal(code))) => {
            faults.push(code);
            None
        }
        None => {
            faults.push("parse");
            None
        }
    };
    let (shape, stride) = (part("shape")?, part("stride")?);
    if !shape.congruent(&stride) {
        faults.push("incongruent");
    }
    faults.extend(check_shape(shape.clone()).err().map(|Refusal(code)| code));
    let strides = entries(&stride);
    if strides.iter().any(|d| *d < 0.into()) {
        faults.push("stride");
    }
    let modes: Vec<(BigInt, BigInt)> = entries(&shape).into_iter().zip(strides).collect();
    let reach: BigInt = modes.iter().map(|(s, d)| (s - 1) * d).sum();
    if reach + 1 >= limit() || modes.iter().any(|(s, d)| *d >= limit() || *s >= limit()) || size(&shape) >= limit() {
        faults.push("overflow");
    }
    Some((shape, modes))
}

fn written(shape: &Tree, strides: &[BigInt]) -> Value {
    json!({"shape": shape.to_json(), "stride": shape.refill(&mut strides.iter().cloned()).to_json()})
}

fn flat_layout(modes: &Modes) -> Value {
    let (extents, strides): (Vec<BigInt>, Vec<BigInt>) = modes.iter().cloned().unzip();
    written(&flat(&extents), &strides)
}

/// Places by (stride, extent), equal ones in their order.
fn order(modes: &Modes) -> Vec<usize> {
    let mut order: Vec<usize> = (0..modes.len()).collect();
    order.sort_by_key(|at| (modes[*at].1.clone(), modes[*at].0.clone()));
    order
}

/// Of any two modes with strides, the earlier in order takes up a divisor of the stride of the later.
fn tractable(modes: &Modes) -> bool {
    let order = order(modes);
    order.iter().enumerate().all(|(place, i)| {
        let block = &modes[*i].0 * &modes[*i].1;
        block == 0.into() || order[place + 1..].iter().all(|j| (&modes[*j].1 % &block) == 0.into())
    })
}

/// The first neighbours in order that keep it from being so.
fn obstruction(modes: &Modes) -> Value {
    let blocked = |pair: &&[usize]| {
        let block = &modes[pair[0]].0 * &modes[pair[0]].1;
        block != 0.into() && (&modes[pair[1]].1 % &block) != 0.into()
    };
    order(modes).windows(2).find(blocked).map_or(Value::Null, |pair| json!(pair))
}

fn expect_flat(shape: &Tree) -> Result<()> {
    if shape.depth() == 1 { Ok(()) } else { Err(Refusal("incongruent")) }
}

/// The products of extents and strides that are the places between the entries of a representation.
fn marks(modes: &Modes) -> Vec<BigInt> {
    let hit = modes.iter().filter(|(_, d)| *d > 0.into());
    hit.flat_map(|(s, d)| [d.clone(), s * d]).collect()
}

fn representable(modes: &Modes) -> Result<()> {
    if !tractable(modes) {
        return Err(Refusal("not_divisible"));
    }
    if marks(modes).iter().any(|mark| *mark >= limit()) { Err(Refusal("overflow")) } else { Ok(()) }
}

pub(super) fn on_layout(op: &str, shape: &Tree, modes: &Modes, n: Option<&BigInt>) -> Result<Expected> {
    let one = BigInt::from(1);
    Ok(match (op, n) {
        ("is_tractable", _) => Expected::With(Value::Bool(tractable(modes)), vec![("obstruction", obstruction(modes))]),
        ("nullify_trivial_strides", _) => {
            let strides: Vec<BigInt> =
                modes.iter().map(|(s, d)| if *s == one { 0.into() } else { d.clone() }).collect();
            Expected::Exactly(written(shape, &strides))
        }
        ("sort_flat_layout", _) => {
            expect_flat(shape)?;
            let order = order(modes);
            let sorted: Vec<(BigInt, BigInt)> = order.iter().map(|at| modes[*at].clone()).collect();
            let places: Vec<usize> = order.iter().map(|at| at + 1).collect();
            Expected::Exactly(json!({"layout": flat_layout(&sorted), "permutation": places}))
        }
        ("standard_representation_flat", _) => {
            expect_flat(shape)?;
            representable(modes)?;
            Expected::Unjudged
        }
        ("standard_representation_nest", _) => {
            representable(modes)?;
            Expected::Unjudged
        }
        ("flat_complement", Some(n)) => {
            expect_flat(shape)?;
            complement(modes, n)?
        }
        _ => return Err(Refusal("arity")),
    })
}

/// The least address that is not reached is the next stride; the block that then is whole goes on. At last the addresses that are
/// reached are all, each once.
fn complement(modes: &Modes, n: &BigInt) -> Result<Expected> {
    let one = BigInt::from(1);
    let sorted: Vec<&(BigInt, BigInt)> =
        order(modes).into_iter().map(|at| &modes[at]).filter(|(s, _)| *s != one).collect();
    if sorted.iter().any(|(_, d)| *d == 0.into()) {
        return Err(Refusal("not_injective"));
    }
    let mut block = one.clone();
    let mut found: Vec<(BigInt, BigInt)> = Vec::new();
    let end = [(one.clone(), n.clone())];
    for (s, d) in sorted.into_iter().chain(&end) {
        if (d % &block) != 0.into() {
            return Err(Refusal("not_divisible"));
        }
        if *d > block {
            found.push((d / &block, block.clone()));
        }
        block = s * d;
    }
    let all: Vec<(BigInt, BigInt)> = found.iter().chain(modes).cloned().collect();
    let total: BigInt = all.iter().map(|(s, _)| s).product();
    if total <= BigInt::from(2048) {
        let mut reached: Vec<BigInt> = Vec::new();
        let mut index = BigInt::from(0);
        while index < total {
            reached.push(offset(&all, &index));
            index += 1;
        }
        reached.sort();
        if reached.iter().enumerate().any(|(at, address)| *address != at.into()) || total != *n {
            return Err(Refusal("internal"));
        }
    }
    Ok(Expected::Exactly(flat_layout(&found)))
}

pub(super) fn on_layouts(op: &str, a: (&Tree, &Modes), b: (&Tree, &Modes)) -> Result<Expected> {
    if op == "flat_concatenate" {
        expect_flat(a.0)?;
        expect_flat(b.0)?;
        let joined = [a.1, b.1].concat();
        let reach: BigInt = joined.iter().map(|(s, d)| (s - 1) * d).sum();
        let size: BigInt = joined.iter().map(|(s, _)| s).product();
        return if reach + 1 >= limit() || size >= limit() {
            Err(Refusal("overflow"))
        } else {
            Ok(Expected::Exactly(flat_layout(&joined)))
        };
    }
    representable(a.1)?;
    let outer = bare(b.1);
    representable(&outer)?;
    let shape: Vec<BigInt> =
        if outer.is_empty() { vec![1.into()] } else { outer.iter().map(|(s, _)| s.clone()).collect() };
    let mut products = marks(a.1);
    let most = products.iter().max().cloned().unwrap_or(1.into());
    products.extend(prefixes(&shape));
    let whole: BigInt = shape.iter().product();
    if is_chain(&mut products) && most <= whole { Ok(Expected::Unjudged) } else { Err(Refusal("not_divisible")) }
}

/// Coalesced, without modes of extent 1.
fn bare(modes: &Modes) -> Vec<(BigInt, BigInt)> {
    let modes = modes.iter().map(|(extent, stride)| Mode { extent: extent.clone(), stride: stride.clone() });
    merged(modes.collect()).into_iter().map(|mode| (mode.extent, mode.stride)).filter(|(s, _)| *s != 1.into()).collect()
}

fn prefixes(tuple: &[BigInt]) -> Vec<BigInt> {
    let mut product = BigInt::from(1);
    let next = |entry| {
        product *= entry;
        product.clone()
    };
    tuple.iter().map(next).collect()
}

fn is_chain(products: &mut Vec<BigInt>) -> bool {
    products.sort();
    products.dedup();
    products.windows(2).all(|pair| (&pair[1] % &pair[0]) == 0.into())
}

/// The steps between the products that begin either tuple, where each of these divides the next and the first is no larger.
pub(super) fn chain(t: &[BigInt], u: &[BigInt]) -> Option<Vec<BigInt>> {
    let (size_t, size_u): (BigInt, BigInt) = (t.iter().product(), u.iter().product());
    let mut products = [vec![1.into()], prefixes(t), prefixes(u)].concat();
    (is_chain(&mut products) && size_t <= size_u).then(|| products.windows(2).map(|pair| &pair[1] / &pair[0]).collect())
}

/// What a refinement has in the place of each leaf.
pub(super) fn cut(coarse: &Tree, fine: &Tree) -> Vec<Tree> {
    match (coarse, fine) {
        (Tree::Node(a), Tree::Node(b)) => a.iter().zip(b).flat_map(|(a, b)| cut(a, b)).collect(),
        (Tree::Node(_), _) => Vec::new(),
        (_, fine) => vec![fine.clone()],
    }
}

pub(super) fn on_shapes(op: &str, s: &Tree, t: &Tree) -> Result<Expected> {
    let attrs = |s: &Tree| {
        let modes: Vec<Value> = match s {
            Tree::Node(modes) => modes.iter().map(Tree::to_json).collect(),
            leaf => vec![leaf.to_json()],
        };
        let zeros = s.refill(&mut std::iter::repeat(BigInt::from(0)));
        json!({
            "flatten": flat(&entries(s)).to_json(),
            "rank": modes.len(),
            "length": s.leaves().len(),
            "size": int_json(&size(s)),
            "depth": s.depth(),
            "profile": zeros.to_json(),
            "modes": modes,
        })
    };
    Ok(match op {
        "nested_attrs" => Expected::Exactly(attrs(s)),
        "nested_refines" => Expected::Exactly(Value::Bool(compatible(t, s))),
        "nested_relative" => {
            if !compatible(t, s) {
                return Err(Refusal("incongruent"));
            }
            let parts = cut(t, s);
            let under: Vec<usize> =
                parts.iter().enumerate().flat_map(|(at, part)| vec![at + 1; part.leaves().len()]).collect();
            let parts: Vec<Value> = parts.iter().map(Tree::to_json).collect();
            Expected::Exactly(json!({"relative_flattening": parts, "underlying_map": under}))
        }
        "mutual_refinement" => {
            let (t, u) = (entries(s), entries(t));
            if chain(&t, &u).is_none() || u.is_empty() && !t.is_empty() {
                return Err(Refusal("not_divisible"));
            }
            Expected::Unjudged
        }
        _ => return Err(Refusal("arity")),
    })
}

/// What is wrong with mutual refinements.
pub(super) fn mutually_refined(t: &Tree, u: &Tree, result: &Value) -> Option<String> {
    let part = |name: &str| result.get(name).and_then(|tree| read_ints(tree).ok());
    let (Some(fine_t), Some(fine_u)) = (part("Tprime"), part("Uprime")) else {
        return Some(format!("{result} is no pair of tuples"));
    };
    if !compatible(t, &fine_t) || !compatible(u, &fine_u) {
        return Some("it does not refine what was given".into());
    }
    let (first, second) = (entries(&fine_t), entries(&fine_u));
    if !second.starts_with(&first) {
        return Some("the first, flattened, does not begin the second".into());
    }
    let one = BigInt::from(1);
    let steps: Vec<BigInt> = second.iter().filter(|entry| **entry != one).cloned().collect();
    let given = entries(t).into_iter().chain(entries(u)).filter(|entry| *entry == one).count();
    let ones = first.iter().chain(&second).filter(|entry| **entry == one).count();
    let coarsest = chain(&entries(t), &entries(u))
        .is_some_and(|all| all.into_iter().filter(|entry| *entry != one).eq(steps) && (given > 0 || ones == 0));
    (!coarsest).then(|| "its entries are not the steps between the products that begin T or U".into())
}

/// What is wrong with a representation: it is not of standard form, or encodes another layout.
pub(super) fn represents(shape: &Tree, modes: &Modes, result: &Value) -> Option<String> {
    let Some(f) = Morphism::answered(result) else { return Some(format!("{result} is no morphism")) };
    let strides: Vec<BigInt> = modes.iter().map(|(_, stride)| stride.clone()).collect();
    if f.domain != *shape || f.strides() != strides {
        return Some(format!("it encodes {}", f.encoded()));
    }
    (!f.is_standard() || f.codomain.depth() != 1).then(|| "it is not of standard form".into())
}

/// What is wrong with a composition by morphisms: each of its steps is held to what it has to be.
pub(super) fn composed(shape: &Tree, inner: &Modes, outer: &Modes, result: &Value) -> Option<String> {
    let wrong = |what: &str, fault: String| Some(format!("{what}: {fault}"));
    if let Some(fault) = represents(shape, inner, &result["f"]) {
        return wrong("f", fault);
    }
    let bare = bare(outer);
    let (extents, mut strides): (Vec<BigInt>, Vec<BigInt>) = bare.iter().cloned().unzip();
    let coarse = match extents.as_slice() {
        [] => {
            strides = vec![0.into()];
            Tree::Int(1.into())
        }
        [extent] => Tree::Int(extent.clone()),
        extents => flat(extents),
    };
    let coalesced: Vec<(BigInt, BigInt)> = entries(&coarse).into_iter().zip(strides).collect();
    if let Some(fault) = represents(&coarse, &coalesced, &result["g"]) {
        return wrong("g", fault);
    }
    let (f, g) = (Morphism::answered(&result["f"])?, Morphism::answered(&result["g"])?);
    if let Some(fault) = super::nest::weakly_composed(&f, &g, &result["weak"]) {
        return wrong("weak", fault);
    }
    let weak = Morphism::answered(&result["weak"])?;
    if result["weak_layout"] != weak.encoded() {
        return wrong("weak_layout", "it is not what weak encodes".into());
    }
    let mut faults = Vec::new();
    let Some((refined, modes)) = read(&result["layout"], &mut faults).filter(|_| faults.is_empty()) else {
        return wrong("layout", format!("{} is no layout", result["layout"]));
    };
    if !compatible(shape, &refined) {
        return wrong("layout", "its shape does not refine that of A".into());
    }
    // over each leaf of A no two modes can be one
    let mut rest = modes.as_slice();
    for part in cut(shape, &refined) {
        let (here, after) = rest.split_at(part.leaves().len());
        if here.len() > 1 && self::bare(here).len() != here.len() {
            return wrong("layout", "it is not coalesced over the shape of A".into());
        }
        rest = after;
    }
    let same = same_function(&size(shape), |x| offset(&modes, x), |x| offset(outer, &offset(inner, x)));
    (!same).then(|| "layout: it is not B after A".into())
}
