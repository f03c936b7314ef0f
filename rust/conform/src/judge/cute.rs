//! Rules that CuTe documents and that reach further than ours: what they answer is extended, and not wrong.
//!
//! Each is written down as CuTe's headers state it (`stride.hpp`, `int_tuple.hpp`, `layout.hpp`), one mode at a time.

use super::same;
use crate::model::Layout;
use crate::tree::{Tree, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// What the answer is an instance of, if CuTe's documented rule gives just it.
pub(super) fn documented(op: &str, args: &[Value], result: &Value) -> Option<&'static str> {
    let (answer, rule) = match op {
        "make_ordered_layout" => (ordered(args)?, "equal ranks begin at the same stride, as in CuTe"),
        "ceil_div" => (ceil_div(&tree(args.first()?)?, &tree(args.get(1)?)?)?.to_json(), "CuTe's quotient"),
        "upcast" => (
            upcast(&Layout::read(args.first()?).ok()?, &count(args.get(1)?)?)?.to_json(),
            "CuTe's upcast, mode by mode",
        ),
        "downcast" => (
            downcast(&Layout::read(args.first()?).ok()?, &count(args.get(1)?)?).to_json(),
            "CuTe's downcast, mode by mode",
        ),
        "recast" => (recast(args)?.to_json(), "CuTe's recast, mode by mode"),
        _ => return None,
    };
    same(&answer, result).then_some(rule)
}

fn tree(value: &Value) -> Option<Tree> {
    let tree = Tree::read(value.get("shape").unwrap_or(value)).ok()?;
    let fine = !tree.has_keep() && tree.ints().into_iter().all(|n| *n >= BigInt::from(0));
    fine.then_some(tree)
}

fn count(value: &Value) -> Option<BigInt> {
    read_int(value).filter(|n| *n > BigInt::from(0))
}

fn ceil(a: &BigInt, b: &BigInt) -> BigInt {
    (a + b - 1) / b
}

/// Each leaf of the order begins at the product of all that have a lower rank; below it, column-major.
fn ordered(args: &[Value]) -> Option<Value> {
    let (shape, order) = (tree(args.first()?)?, tree(args.get(1)?)?);
    let mut blocks: Vec<(BigInt, Vec<BigInt>)> = Vec::new();
    blocks_of(&order, &shape, &mut blocks)?;
    let mut strides = Vec::new();
    for (rank, extents) in &blocks {
        let lower = blocks.iter().filter(|(other, _)| other < rank).flat_map(|(_, extents)| extents);
        let mut stride: BigInt = lower.product();
        for extent in extents {
            strides.push(stride.clone());
            stride *= extent;
        }
    }
    let stride = shape.refill(&mut strides.into_iter());
    Some(json!({"shape": shape.to_json(), "stride": stride.to_json()}))
}

/// For each leaf of the order its rank, and the extents of what it meets.
fn blocks_of(order: &Tree, shape: &Tree, blocks: &mut Vec<(BigInt, Vec<BigInt>)>) -> Option<()> {
    match (order, shape) {
        (Tree::Node(orders), Tree::Node(modes)) if orders.len() == modes.len() => {
            orders.iter().zip(modes).try_for_each(|(order, mode)| blocks_of(order, mode, blocks))
        }
        (Tree::Int(rank), shape) => {
            blocks.push((rank.clone(), shape.ints().into_iter().cloned().collect()));
            Some(())
        }
        _ => None,
    }
}

/// Mode by mode; an integer divides a tuple from left to right, and a tuple divides an integer as its size.
fn ceil_div(shape: &Tree, tile: &Tree) -> Option<Tree> {
    let zero = BigInt::from(0);
    match (shape, tile) {
        (Tree::Node(modes), Tree::Node(tiles)) if modes.len() >= tiles.len() => {
            let divided = modes.iter().enumerate().map(|(i, mode)| match tiles.get(i) {
                Some(tile) => ceil_div(mode, tile),
                None => Some(mode.clone()),
            });
            Some(Tree::Node(divided.collect::<Option<_>>()?))
        }
        (Tree::Node(modes), Tree::Int(n)) => {
            let mut rest = n.clone();
            let mut divided = Vec::new();
            for mode in modes {
                if rest <= zero {
                    return None;
                }
                divided.push(ceil_div(mode, &Tree::Int(rest.clone()))?);
                let size: BigInt = mode.ints().into_iter().product();
                if size == zero {
                    return None;
                }
                rest = ceil(&rest, &size);
            }
            Some(Tree::Node(divided))
        }
        (Tree::Int(extent), tile) => {
            let n: BigInt = tile.ints().into_iter().product();
            (n > zero).then(|| Tree::Int(ceil(extent, &n)))
        }
        _ => None,
    }
}

/// Where each stride divides n or is a multiple of it: the documented condition.
fn upcast(layout: &Layout, n: &BigInt) -> Option<Layout> {
    let zero = BigInt::from(0);
    let mut modes = Vec::new();
    for mode in layout.modes() {
        let mut mode = mode.clone();
        if mode.stride > zero {
            if &mode.stride % n != zero && n % &mode.stride != zero {
                return None;
            }
            mode.extent = ceil(&mode.extent, &ceil(n, &mode.stride));
            mode.stride = ceil(&mode.stride, n);
        }
        modes.push(mode);
    }
    Some(layout.with_modes(modes))
}

/// A mode of stride 1 has n times as many elements; the others step n times as far.
fn downcast(layout: &Layout, n: &BigInt) -> Layout {
    let one = BigInt::from(1);
    let modes = layout.modes().into_iter().cloned().map(|mut mode| {
        if mode.stride == one {
            mode.extent *= n;
        } else {
            mode.stride *= n;
        }
        mode
    });
    layout.with_modes(modes.collect())
}

fn recast(args: &[Value]) -> Option<Layout> {
    let (layout, old, new) = (Layout::read(args.first()?).ok()?, count(args.get(1)?)?, count(args.get(2)?)?);
    let (mut a, mut b) = (old.clone(), new.clone());
    while b > BigInt::from(0) {
        (a, b) = (b.clone(), a % b);
    }
    let larger = upcast(&layout, &(&new / &a))?;
    Some(downcast(&larger, &(&old / &a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_the_headers() {
        let tied = [json!([2, 3, 4]), json!([1, 1, 0])];
        let collide = json!({"shape": [2, 3, 4], "stride": [4, 4, 1]});
        assert!(documented("make_ordered_layout", &tied, &collide).is_some());
        assert!(documented("make_ordered_layout", &tied, &json!({"shape": [2, 3, 4], "stride": [4, 8, 2]})).is_none());
        assert!(documented("ceil_div", &[json!([3, 4]), json!(4)], &json!([1, 2])).is_some());
        assert!(documented("ceil_div", &[json!([3, 4]), json!(4)], &json!([1, 1])).is_none());
        let odd = [json!({"shape": [3, 2], "stride": [1, 4]}), json!(2)];
        assert!(documented("upcast", &odd, &json!({"shape": [2, 2], "stride": [1, 2]})).is_some());
        let uneven = [json!({"shape": 4, "stride": 3}), json!(2)];
        assert!(documented("upcast", &uneven, &json!({"shape": 4, "stride": 2})).is_none());
        let wide = [json!({"shape": [2, 2], "stride": [1, 2]}), json!(32), json!(16)];
        assert!(documented("recast", &wide, &json!({"shape": [4, 2], "stride": [1, 4]})).is_some());
        let none = json!(0);
        assert!(documented("ceil_div", &[json!(3), none.clone()], &none).is_none());
    }
}
