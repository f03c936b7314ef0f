//! The same function written another way.

use super::{Rng, factorised, nest};
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The flat modes of a layout in numbers of 64 bits; nothing where one is larger or no layout is there.
fn modes(layout: &Value) -> Option<Vec<(u64, u64)>> {
    let leaves = |name: &str| -> Option<Vec<u64>> {
        let tree = Tree::read(layout.get(name)?).ok()?;
        let ints = tree.ints();
        if ints.len() != tree.leaves().len() {
            return None;
        }
        ints.into_iter().map(|n| u64::try_from(n).ok()).collect()
    };
    let (shape, stride) = (leaves("shape")?, leaves("stride")?);
    (shape.len() == stride.len() && !shape.contains(&0)).then(|| shape.into_iter().zip(stride).collect())
}

/// A layout with the same offset at every index: modes split, modes merged, modes of extent 1 put in, other nesting.
/// Nothing where the value is no layout of 64 bits.
pub fn rewritten(rng: &mut Rng, layout: &Value) -> Option<Value> {
    let mut written: Vec<(u64, u64)> = Vec::new();
    for (extent, stride) in modes(layout)? {
        match written.last_mut() {
            // where one mode goes on as the other ends, they may be one
            Some((before, step))
                if *before > 1
                    && extent > 1
                    && before.checked_mul(*step) == Some(stride)
                    && before.checked_mul(extent).is_some()
                    && rng.once_in(2) =>
            {
                *before *= extent;
            }
            _ => written.push((extent, stride)),
        }
    }
    let mut split: Vec<(u64, u64)> = Vec::new();
    for (extent, stride) in written {
        let factors = if rng.once_in(2) { factorised(rng, extent) } else { vec![extent] };
        let mut step = stride;
        for factor in factors {
            split.push((factor, step));
            step = step.checked_mul(factor).unwrap_or(0);
        }
    }
    Some(nested(rng, split))
}

/// A layout with the same modes but for some of extent 1, nested otherwise: where an answer has to refine the shape, the
/// extents are part of the question. Nothing where the value is no layout of 64 bits.
pub fn renested(rng: &mut Rng, layout: &Value) -> Option<Value> {
    let modes = modes(layout)?;
    Some(nested(rng, modes))
}

fn nested(rng: &mut Rng, modes: Vec<(u64, u64)>) -> Value {
    let mut all = Vec::new();
    for mode in modes {
        if rng.once_in(4) {
            all.push((1, rng.below(20)));
        }
        all.push(mode);
    }
    let (extents, strides): (Vec<u64>, Vec<u64>) = all.into_iter().unzip();
    let shape = nest(rng, &extents);
    let stride = shape.refill(&mut strides.into_iter().map(BigInt::from));
    json!({"shape": shape.to_json(), "stride": stride.to_json()})
}

#[cfg(test)]
mod tests {
    use super::super::nested_layout;
    use super::*;
    use crate::model::Layout;

    #[test]
    fn keeps_the_function() {
        let mut rng = Rng::new(11);
        let mut changed = 0;
        for _ in 0..2000 {
            let layout = nested_layout(&mut rng, 64);
            let how = if rng.once_in(3) { renested } else { rewritten };
            let Some(other) = how(&mut rng, &layout) else { continue };
            let [Ok(a), Ok(b)] = [&layout, &other].map(Layout::read) else { continue };
            assert_eq!(a.offsets(), b.offsets(), "{layout} {other}");
            changed += usize::from(layout != other);
        }
        assert!(changed > 1000, "{changed}");
    }
}
