//! Relations: layouts of few coordinates and small strides, swizzled ones, and lists of pairs that are nearly layouts.

use super::swizzled::swizzled;
use super::{Rng, factorised, linear, nested_layout};
use crate::model::Layout;
use crate::model::relation::printed;
use serde_json::{Value, json};

/// A layout whose offsets are few enough to be looked at one by one.
fn small(rng: &mut Rng) -> Value {
    let modes = rng.between(0, 3);
    let (mut extents, mut strides) = (Vec::new(), Vec::new());
    for _ in 0..modes {
        extents.push(rng.between(1, 5));
        strides.push(if rng.once_in(4) { 0 } else { rng.below(24) });
    }
    if rng.once_in(3) {
        // one mode after the other, as most layouts are
        let mut block = 1;
        for (extent, stride) in extents.iter().zip(&mut strides) {
            *stride = block;
            block *= extent;
        }
    }
    json!({"shape": extents, "stride": strides})
}

fn offsets(layout: &Value) -> Vec<Value> {
    Layout::read(layout).map(|layout| layout.offsets().iter().map(crate::tree::int_json).collect()).unwrap_or_default()
}

/// The pairs of a layout, some of them changed; now and then of tuples, or beyond what is read.
fn listed(rng: &mut Rng) -> Value {
    let mut pairs: Vec<Value> = (0..).zip(offsets(&small(rng))).map(|(x, o): (u64, _)| json!([[x], [o]])).collect();
    match rng.below(10) {
        0 => {
            pairs.pop();
        }
        1 => pairs.push(json!([[rng.below(9)], [rng.below(9)]])),
        2 => pairs.push(json!([[0, rng.below(3)], [rng.below(3), 0]])),
        3 => pairs.push(json!([[-1], [-2]])),
        4 if rng.once_in(6) => pairs.push(json!([[pairs.len()], [u64::MAX]])),
        5 if rng.once_in(6) => pairs.push(json!([[1], 2])),
        6 => pairs.reverse(),
        _ => {}
    }
    pairs.into()
}

/// A text in isl's notation: a layout as it is printed, pairs, or a sum; now and then with a sign left out.
fn text(rng: &mut Rng) -> Value {
    let layout = if rng.once_in(3) { printed(&small(rng)) } else { None };
    let mut text = if let Some(layout) = layout {
        layout
    } else if rng.once_in(2) {
        let tuple = |tuple: &Value| tuple.to_string();
        let pairs = listed(rng).as_array().cloned().unwrap_or_default();
        let pairs: Vec<String> =
            pairs.iter().map(|pair| format!("{} -> {}", tuple(&pair[0]), tuple(&pair[1]))).collect();
        format!("{{ {} }}", pairs.join("; "))
    } else {
        let term = |rng: &mut Rng| {
            let (times, by) = (rng.below(9), rng.between(1, 6));
            match rng.below(4) {
                0 => format!("{times}*c mod {by}"),
                1 => format!("{times}*(floor((c)/{by}) mod {})", rng.between(1, 4)),
                2 => format!("floor(({times}*c + {by})/{})", rng.between(1, 4)),
                _ => format!("{times}*c + -{by}"),
            }
        };
        let terms: Vec<String> = (0..rng.between(1, 3)).map(|_| term(rng)).collect();
        format!("{{ [c] -> [{}] : 0 <= c < {} }}", terms.join(" + "), rng.below(40))
    };
    if rng.once_in(10) {
        text.remove(usize::try_from(rng.below(text.len() as u64)).unwrap_or(0));
    }
    text.into()
}

/// A relation.
fn relation(rng: &mut Rng) -> Value {
    match rng.below(15) {
        12 | 13 => text(rng),
        14 => linear::layout(rng).2,
        0..=4 => small(rng),
        5 | 6 => swizzled_small(rng),
        7 if rng.once_in(3) => nested_layout(rng, 64),
        _ => listed(rng),
    }
}

/// A swizzled layout with few coordinates and no large offset.
fn swizzled_small(rng: &mut Rng) -> Value {
    let mut layout = swizzled(rng);
    if Layout::read(&layout).is_ok_and(|layout| layout.cosize() > 256.into()) {
        layout["shape"] = json!([8, 4]);
        layout["stride"] = json!([1, 8]);
    }
    if layout["offset"].as_u64().is_some_and(|offset| offset > 64) {
        layout["offset"] = json!(rng.below(64));
    }
    layout
}

/// What a layout that has the relation might have: its own shape or strides, or others.
fn given(rng: &mut Rng, layout: &Value) -> Value {
    let size = offsets(layout).len() as u64;
    match rng.below(8) {
        0..=2 => json!({"shape": layout["shape"]}),
        3..=5 => json!({"stride": layout["stride"]}),
        6 => json!({"shape": factorised(rng, size)}),
        _ => json!({"stride": (0..rng.between(1, 3)).map(|_| rng.below(6)).collect::<Vec<_>>()}),
    }
}

/// A layout that index code is made of: of few and of many coordinates, padded, swizzled, now and then a mere product of extents.
fn coded(rng: &mut Rng) -> Value {
    match rng.below(6) {
        0 => small(rng),
        1 => nested_layout(rng, 1 << 10),
        2 => swizzled(rng),
        3 => swizzled_small(rng),
        kind => {
            // compact, with extents that are mostly powers of two; padded now and then
            let (mut extents, mut strides, mut block) = (Vec::new(), Vec::new(), 1_u64);
            for _ in 0..rng.between(1, 4) {
                let extent = if rng.once_in(4) { rng.between(2, 7) } else { 1 << rng.below(5) };
                extents.push(extent);
                strides.push(block);
                block *= extent;
                block += if rng.once_in(5) { rng.between(1, 8) } else { 0 };
            }
            if rng.once_in(2) {
                let order = rng.shuffled((0..extents.len()).collect());
                extents = order.iter().map(|place| extents[*place]).collect();
                strides = order.iter().map(|place| strides[*place]).collect();
            }
            if rng.once_in(8) {
                let place = rng.below(strides.len() as u64);
                strides[usize::try_from(place).unwrap_or(0)] <<= rng.below(40);
            }
            let mut layout = json!({"shape": extents, "stride": strides});
            if kind == 4 {
                let shift = i64::try_from(rng.below(9)).unwrap_or(0) - 4;
                layout["swizzle"] = json!([rng.below(4), rng.below(5), shift]);
                layout["offset"] = json!(if rng.once_in(3) { rng.below(1 << 10) } else { 0 });
            }
            layout
        }
    }
}

/// The arguments of an operation on relations.
pub(super) fn arguments(rng: &mut Rng, op: &str) -> Option<Vec<Value>> {
    Some(match op {
        "relation_of" | "relation_inverse" => vec![relation(rng)],
        "relation_compose" => vec![relation(rng), relation(rng)],
        "index_code" => {
            let language = if rng.once_in(60) {
                "fortran"
            } else {
                ["c", "cuda", "python"][usize::try_from(rng.below(3)).unwrap_or(0)]
            };
            vec![coded(rng), json!(language)]
        }
        "layout_from_relation" => {
            let layout = small(rng);
            let given = given(rng, &layout);
            let relation = match rng.below(4) {
                0 => listed(rng),
                1 => (0..).zip(offsets(&layout)).map(|(x, o): (u64, _)| json!([[x], [o]])).collect(),
                _ => layout,
            };
            vec![relation, given]
        }
        _ => return None,
    })
}
