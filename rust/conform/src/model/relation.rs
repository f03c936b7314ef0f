//! Relations pair by pair, by the words of their definitions; recovered layouts by trying every shape.

mod isl;

use std::collections::{BTreeMap, BTreeSet};

use super::expected::Expected;
use super::find::{LIST, find};
use super::layout::{Layout, only};
use super::linear;
use super::refusal::{Refusal, Result};
use super::shape::{check_shape, limit, read_ints};
use super::swizzled::Swizzled;
use crate::tree::{Tree, int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The operations of this module.
pub const NAMES: [&str; 4] = ["layout_from_relation", "relation_compose", "relation_inverse", "relation_of"];

/// More shapes than this are not tried.
const SHAPES: usize = 1 << 12;

pub(super) type Tuple = Vec<BigInt>;
pub(super) type Pairs = BTreeSet<(Tuple, Tuple)>;

/// What a text means that is not one of ours.
const UNKNOWN: Refusal = Refusal("unknown");

fn tuple(value: &Value) -> Result<Tuple> {
    let Value::Array(items) = value else { return Err(Refusal("parse")) };
    let ints: Tuple = items.iter().map(read_int).collect::<Option<_>>().ok_or(Refusal("parse"))?;
    if ints.iter().any(|n| *n >= limit() || *n <= -limit()) { Err(Refusal("overflow")) } else { Ok(ints) }
}

/// The pairs of an argument.
fn pairs(value: &Value) -> Result<Pairs> {
    if let Some(text) = value.as_str() {
        return isl::read(text).ok_or(UNKNOWN);
    }
    if value.get("in").is_some() && value.get("shape").is_none() {
        let big = |point: Vec<u64>| point.into_iter().map(BigInt::from).collect();
        return Ok(linear::graph(value)?.into_iter().map(|(x, y)| (big(x), big(y))).collect());
    }
    if value.is_object() {
        let swizzled = Swizzled::read(value)?;
        let offsets = swizzled.offsets()?.ok_or(Refusal("too_large"))?;
        return Ok((0..).zip(offsets).map(|(x, o): (u32, _)| (vec![x.into()], vec![o])).collect());
    }
    let Value::Array(items) = value else { return Err(Refusal("parse")) };
    let read = |item: &Value| match item.as_array().map(Vec::as_slice) {
        Some([input, image]) => Ok((tuple(input)?, tuple(image)?)),
        _ => Err(Refusal("parse")),
    };
    items.iter().map(read).collect()
}

/// The pairs of a text in isl's notation, if it is one of ours.
pub fn text_pairs(text: &str) -> Option<Value> {
    isl::read(text).map(|pairs| pairs_json(&pairs))
}

/// A layout in isl's notation, as it is to be printed.
pub fn printed(layout: &Value) -> Option<String> {
    pairs(layout).ok().map(|pairs| isl(&pairs))
}

/// The images of 0, 1, 2, … of a function from the first numbers to numbers from 0.
fn values(pairs: &Pairs) -> Option<Vec<BigInt>> {
    let value = |(next, (input, image)): (u32, &(Tuple, Tuple))| match (input.as_slice(), image.as_slice()) {
        ([x], [o]) if *x == next.into() && *o >= BigInt::from(0) => Some(o.clone()),
        _ => None,
    };
    if pairs.is_empty() { None } else { (0..).zip(pairs).map(value).collect() }
}

/// isl's notation: one digit for each mode of the layout with these values, or the pairs.
fn isl(pairs: &Pairs) -> String {
    let list = |tuple: &Tuple| format!("[{}]", tuple.iter().map(BigInt::to_string).collect::<Vec<_>>().join(","));
    let Some((values, modes)) = values(pairs).and_then(|values| find(&values).map(|modes| (values, modes))) else {
        let all: Vec<String> = pairs.iter().map(|(x, y)| format!("{} -> {}", list(x), list(y))).collect();
        return format!("{{ {} }}", all.join("; "));
    };
    let (zero, one) = (BigInt::from(0), BigInt::from(1));
    let mut block = one.clone();
    let mut terms = Vec::new();
    for (place, mode) in modes.iter().enumerate() {
        if mode.stride != zero {
            let mut term = if block == one { "c".to_owned() } else { format!("floor((c)/{block})") };
            if place + 1 < modes.len() {
                term = format!("({term} mod {})", mode.extent);
            }
            if mode.stride != one {
                term = format!("{}*{term}", mode.stride);
            }
            terms.push(term);
        }
        block *= &mode.extent;
    }
    let sum = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
    format!("{{ [c] -> [{sum}] : 0 <= c < {} }}", values.len())
}

fn tuple_json(tuple: &Tuple) -> Value {
    tuple.iter().map(int_json).collect()
}

fn pairs_json(pairs: &Pairs) -> Value {
    pairs.iter().map(|(x, y)| json!([tuple_json(x), tuple_json(y)])).collect()
}

/// The tuples of one side by what they belong to on the other.
fn by<'a>(sides: impl Iterator<Item = (&'a Tuple, &'a Tuple)>) -> BTreeMap<&'a Tuple, Vec<&'a Tuple>> {
    let mut all = BTreeMap::<_, Vec<_>>::new();
    for (key, value) in sides {
        all.entry(key).or_default().push(value);
    }
    all
}

fn described(pairs: &Pairs) -> Value {
    let preimages = by(pairs.iter().map(|(x, y)| (y, x)));
    let images: BTreeSet<&Tuple> = preimages.keys().copied().collect();
    // the last coordinate in which they differ decides
    let first = |inputs: &[&Tuple]| inputs.iter().copied().min_by(|a, b| a.iter().rev().cmp(b.iter().rev())).cloned();
    let least: Pairs = preimages.iter().filter_map(|(y, inputs)| Some(((*y).clone(), first(inputs)?))).collect();
    let number = |image: &&Tuple| match image.as_slice() {
        [o] => u32::try_from(o).ok().filter(|o| *o < LIST),
        _ => None,
    };
    let numbers: Option<BTreeSet<u32>> = images.iter().map(number).collect();
    let gaps = numbers.map(|numbers| {
        let end = numbers.last().map_or(0, |last| last + 1);
        (0..end).filter(|o| !numbers.contains(o)).collect::<Vec<_>>()
    });
    json!({"isl": isl(pairs), "graph": pairs_json(pairs), "least_preimages": pairs_json(&least), "gaps": gaps})
}

/// All lists of so many extents with this product, in lexicographic order.
fn shapes(count: usize, product: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return if product == 1 { vec![Vec::new()] } else { Vec::new() };
    }
    let divides = |extent: &usize| product.is_multiple_of(*extent);
    let with =
        |extent: usize| shapes(count - 1, product / extent).into_iter().map(move |rest| [vec![extent], rest].concat());
    (1..=product).filter(divides).flat_map(with).collect()
}

/// Whether the layout has these values.
fn has(layout: &Layout, values: &[BigInt]) -> bool {
    layout.size() == BigInt::from(values.len()) && layout.offsets() == values
}

fn from_shape(values: &[BigInt], shape: &Tree) -> Result<Value> {
    let mut block = BigInt::from(1);
    let mut strides = Vec::new();
    for extent in shape.ints() {
        let first = usize::try_from(&block).ok().and_then(|at| values.get(at)).cloned().unwrap_or_default();
        strides.push(if *extent == BigInt::from(1) { 0.into() } else { first });
        block *= extent;
    }
    if block != BigInt::from(values.len()) {
        return Err(Refusal("no_layout"));
    }
    let layout = Layout::of(shape, &shape.refill(&mut strides.into_iter()))?;
    if has(&layout, values) { Ok(layout.to_json()) } else { Err(Refusal("no_layout")) }
}

fn from_stride(values: &[BigInt], stride: &Tree) -> Result<Option<Value>> {
    let rank = stride.ints().len();
    // a bound on how many shapes there are: each prime factor goes to one of the modes
    let factors = (0..64).take_while(|bits| values.len() >> bits > 1).count();
    if rank > SHAPES || rank.saturating_pow(u32::try_from(factors).unwrap_or(u32::MAX)) > SHAPES {
        return Ok(None);
    }
    for extents in shapes(rank, values.len()) {
        let shape = stride.refill(&mut extents.into_iter().map(BigInt::from));
        if let Ok(mut layout) = Layout::of(&shape, stride)
            && has(&layout, values)
        {
            layout.normalize();
            return Ok(Some(layout.to_json()));
        }
    }
    Err(Refusal("no_layout"))
}

fn run(op: &str, args: &[Value]) -> Result<Option<Value>> {
    match (op, args) {
        ("relation_of", [relation]) => {
            let pairs = pairs(relation)?;
            let mut all = described(&pairs);
            if relation.get("in").is_some() && relation.get("shape").is_none() {
                let images: BTreeSet<&Tuple> = pairs.iter().map(|(_, y)| y).collect();
                let hit = |point: &[u64]| images.contains(&point.iter().copied().map(BigInt::from).collect::<Tuple>());
                let missed =
                    |points: Vec<Vec<u64>>| points.into_iter().filter(|point| !hit(point)).collect::<BTreeSet<_>>();
                all["gaps"] = linear::outputs(relation)?.map(missed).map_or(Value::Null, |missed| json!(missed));
            }
            Ok(Some(all))
        }
        ("relation_inverse", [relation]) => {
            Ok(Some(described(&pairs(relation)?.into_iter().map(|(x, y)| (y, x)).collect())))
        }
        ("relation_compose", [g, f]) => {
            let (g, f) = (pairs(g)?, pairs(f)?);
            let after = by(g.iter().map(|(input, z)| (input, z)));
            let mut composite = Pairs::new();
            for (x, y) in &f {
                composite.extend(after.get(y).into_iter().flatten().map(|z| (x.clone(), (*z).clone())));
            }
            let mut all = described(&composite);
            all["promotes"] = f.iter().any(|(_, y)| !after.contains_key(y)).into();
            Ok(Some(all))
        }
        ("layout_from_relation", [relation, given]) => {
            let pairs = pairs(relation)?;
            only(given, &["shape", "stride"])?;
            let values = || values(&pairs).ok_or(Refusal("no_layout"));
            match (given.get("shape"), given.get("stride")) {
                (Some(shape), None) => {
                    let shape = check_shape(read_ints(shape)?)?;
                    from_shape(&values()?, &shape).map(Some)
                }
                (None, Some(stride)) => {
                    let stride = read_ints(stride)?;
                    if stride.ints().into_iter().any(|d| *d < BigInt::from(0)) {
                        return Err(Refusal("stride"));
                    }
                    if stride.ints().into_iter().any(|d| *d >= limit()) {
                        return Err(Refusal("overflow"));
                    }
                    from_stride(&values()?, &stride)
                }
                _ => Err(Refusal("parse")),
            }
        }
        _ => Err(Refusal("arity")),
    }
}

/// What the definition says.
pub fn expected(op: &str, args: &[Value]) -> Expected {
    match run(op, args) {
        Ok(Some(value)) => Expected::Value(value),
        Ok(None) | Err(UNKNOWN) => Expected::Unjudged,
        Err(Refusal(code)) => Expected::Refused(code),
    }
}

/// The codes of all that is wrong with the arguments.
pub(super) fn faults(args: &[Value]) -> Vec<&'static str> {
    let mut found: Vec<&'static str> =
        args.iter().filter_map(|arg| pairs(arg).err()).map(|Refusal(code)| code).collect();
    if found.contains(&UNKNOWN.0) {
        found.extend(["parse", "overflow", "too_large"]);
    }
    for given in args.iter().skip(1) {
        if let Some(shape) = given.get("shape") {
            found.extend(read_ints(shape).and_then(check_shape).err().map(|Refusal(code)| code));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_looked_at_one_by_one() {
        let all = run("relation_of", &[json!({"shape":[2,2],"stride":[3,1]})]).unwrap().unwrap();
        assert_eq!(all["gaps"], json!([2]));
        assert_eq!(all["isl"], json!("{ [c] -> [3*(c mod 2) + floor((c)/2)] : 0 <= c < 4 }"));
        let composite = run("relation_compose", &[json!({"shape":2,"stride":5}), json!([[[0], [1]], [[7], [2]]])]);
        let composite = composite.unwrap().unwrap();
        assert_eq!((&composite["graph"], &composite["promotes"]), (&json!([[[0], [5]]]), &json!(true)));
        let found = run("layout_from_relation", &[json!({"shape":8,"stride":1}), json!({"stride":[1,2,4]})]);
        assert_eq!(found, Ok(Some(json!({"shape":[2,2,2],"stride":[1,2,4]}))));
    }
}
