//! The layout of values on a shape: for each axis every way to factor it is tried.

use super::find::LIST;
use super::refusal::{Refusal, Result};
use super::shape::{check_shape, limit, read_ints};
use crate::tree::{MAX_DEPTH, Tree, int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The operation.
pub(crate) const NAME: &str = "find_layout_over";

/// Extents with strides of any sign.
type Modes = Vec<(usize, BigInt)>;

/// All ways to go on from the first `block` entries, which `modes` have.
struct Chains<'a> {
    entries: &'a [BigInt],
    /// the fewest modes that have all entries
    best: Option<Modes>,
    /// the largest index at which a chain fails that has all entries before
    furthest: usize,
}

impl Chains<'_> {
    fn go_on(&mut self, block: usize, modes: &Modes) {
        let (g, n) = (self.entries, self.entries.len());
        if block == n {
            if self.best.as_ref().is_none_or(|best| modes.len() < best.len()) {
                self.best = Some(modes.clone());
            }
            return;
        }
        let stride = &g[block] - &g[0];
        for extent in (2..=n / block).filter(|extent| (n / block).is_multiple_of(*extent)) {
            let differs = (block..block * extent).find(|x| g[*x] != &g[x % block] + &stride * BigInt::from(x / block));
            if let Some(x) = differs {
                self.furthest = self.furthest.max(x);
            } else {
                let mut more = modes.clone();
                more.push((extent, stride.clone()));
                self.go_on(block * extent, &more);
            }
        }
    }
}

/// The fewest modes of an axis; or the least index such that no layout of that size has the entries up to it.
fn axis(entries: &[BigInt]) -> std::result::Result<Modes, usize> {
    let mut chains = Chains { entries, best: None, furthest: 0 };
    chains.go_on(1, &Vec::new());
    chains.best.ok_or(chains.furthest)
}

/// What there is: the modes of each axis, or the witness that there are none.
pub(super) fn search(shape: &Tree, values: &[BigInt]) -> std::result::Result<Vec<Modes>, Value> {
    let extents: Vec<usize> = shape.ints().iter().map(|n| usize::try_from(*n).unwrap_or(0)).collect();
    let mut all = Vec::new();
    let mut along = Vec::new();
    let mut step = 1;
    for (i, extent) in extents.iter().enumerate() {
        let entries: Vec<BigInt> = (0..*extent).map(|x| values[x * step].clone()).collect();
        all.push(axis(&entries).map_err(|index| json!({"axis": i, "index": index}))?);
        along.push(entries);
        step *= extent;
    }
    for (index, value) in values.iter().enumerate() {
        let mut rest = index;
        let mut coordinate = Vec::new();
        for extent in &extents {
            coordinate.push(rest % extent);
            rest /= extent;
        }
        let sum: BigInt = along.iter().zip(&coordinate).map(|(entries, x)| &entries[*x] - &values[0]).sum();
        if *value != &values[0] + sum {
            let coordinate = shape.refill(&mut coordinate.into_iter().map(BigInt::from));
            return Err(json!({"coordinate": coordinate.to_json()}));
        }
    }
    Ok(all)
}

/// The modes of the axes where the shape has leaves.
fn nested(shape: &Tree, axes: &mut impl Iterator<Item = Modes>, of: &impl Fn(&(usize, BigInt)) -> BigInt) -> Tree {
    if let Tree::Node(modes) = shape {
        return Tree::Node(modes.iter().map(|mode| nested(mode, axes, of)).collect());
    }
    match axes.next().unwrap_or_default().as_slice() {
        [] => Tree::Int(of(&(1, BigInt::from(0)))),
        [mode] => Tree::Int(of(mode)),
        modes => Tree::Node(modes.iter().map(|mode| Tree::Int(of(mode))).collect()),
    }
}

fn read(args: &[Value]) -> Result<(Tree, Vec<BigInt>)> {
    let [shape, values] = args else { return Err(Refusal("arity")) };
    if shape.is_object() {
        return Err(Refusal("parse"));
    }
    let shape = check_shape(read_ints(shape)?)?;
    let Value::Array(items) = values else { return Err(Refusal("parse")) };
    let values = items.iter().map(read_int).collect::<Option<Vec<_>>>().ok_or(Refusal("parse"))?;
    if super::shape::size(&shape) != BigInt::from(values.len()) {
        return Err(Refusal("incongruent"));
    }
    if values.iter().any(|value| *value >= limit() || *value <= -limit()) {
        return Err(Refusal("overflow"));
    }
    Ok((shape, values))
}

/// What the definition says.
pub(super) fn run(args: &[Value]) -> Result<Option<Value>> {
    let (shape, values) = read(args)?;
    if values.len() > LIST as usize {
        return Ok(None);
    }
    let axes = search(&shape, &values).map_err(|_| Refusal("no_layout"))?;
    let extents = nested(&shape, &mut axes.iter().cloned(), &|mode| mode.0.into());
    let strides = nested(&shape, &mut axes.iter().cloned(), &|mode| mode.1.clone());
    if extents.depth() > MAX_DEPTH {
        return Err(Refusal("too_large"));
    }
    let zero = BigInt::from(0);
    let reach: BigInt = axes.iter().flatten().map(|(extent, stride)| BigInt::from(extent - 1) * stride).sum();
    let signed = axes.iter().flatten().any(|mode| mode.1 < zero) || reach + BigInt::from(1) >= limit();
    let name = if signed { "signed_layout" } else { "layout" };
    Ok(Some(json!({
        "constant": int_json(&values[0]),
        name: {"shape": extents.to_json(), "stride": strides.to_json()},
    })))
}

/// The witness that a refusal has to tell, if that is known.
pub(crate) fn witness(op: &str, args: &[Value]) -> Option<Value> {
    if op != NAME {
        return None;
    }
    let (shape, values) = read(args).ok()?;
    if values.len() > LIST as usize {
        return None;
    }
    search(&shape, &values).err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_and_refuses() {
        let of = |shape: Value, values: &[i64]| run(&[shape, json!(values)]);
        assert_eq!(
            of(json!([4, 2]), &[7, 8, 3, 4, 17, 18, 13, 14]),
            Ok(Some(json!({"constant": 7, "signed_layout": {"shape": [[2, 2], 2], "stride": [[1, -4], 10]}})))
        );
        assert_eq!(of(json!(1), &[-3]), Ok(Some(json!({"constant": -3, "layout": {"shape": 1, "stride": 0}}))));
        assert_eq!(of(json!(4), &[0, 1, 1, 0]), Err(Refusal("no_layout")));
        assert_eq!(witness(NAME, &[json!(4), json!([0, 1, 1, 0])]), Some(json!({"axis": 0, "index": 3})));
        assert_eq!(witness(NAME, &[json!([2, [2]]), json!([0, 0, 0, 1])]), Some(json!({"coordinate": [1, [1]]})));
    }
}
