//! What an operation promises, looked at for the case in hand.

use super::derive::layouts;
use razorgirl::Layout;
use razorgirl_protocol::{Argument, Call, Output};

/// Coordinates that are gone through at most.
const BOUND: u64 = 1 << 16;

/// The law of an operation, and what was found when it was checked; `Err` when it does not hold.
pub struct Law {
    /// as the theorem says it
    pub statement: &'static str,
    /// for this case, every coordinate looked at; `None` where there are too many
    pub checked: Option<Result<String, String>>,
}

/// The law of an operation with this answer, where there is one to be seen from layouts alone.
pub fn law(call: &Call, answer: &Output) -> Option<Law> {
    let (name, args) = (call.op().name, call.arguments());
    if let Some(law) = composed(args, answer) {
        return Some(law);
    }
    let layouts = layouts(args);
    let after = answer.layout()?;
    let few = layouts.iter().copied().chain([after]).all(|layout| layout.size() <= BOUND);
    let check = |holds: &dyn Fn() -> Option<bool>, text: String| {
        few.then(holds).flatten().map(|holds| if holds { Ok(text) } else { Err(format!("not so: {text}")) })
    };
    let first = *layouts.first()?;
    let size = first.size();
    Some(match name {
        "coalesce" if args.len() == 1 => Law {
            statement: "R(i) = L(i) for every i",
            checked: check(&|| Some(after.offsets().eq(first.offsets())), format!("all {size} offsets")),
        },
        "composition" if layouts.len() == 2 => {
            let inner = layouts[1];
            let holds = || Some(after.offsets().zip(inner.offsets()).all(|(r, b)| first.at(b).is_ok_and(|a| a == r)));
            Law { statement: "R(c) = A(B(c))", checked: check(&holds, format!("all {} coordinates", inner.size())) }
        }
        "complement" => {
            let total = match args {
                [_, Argument::Cotarget(n)] => Some(*n),
                _ => None,
            };
            let holds = || {
                let both = Layout::concat(&[first.clone(), after.clone()]).ok()?;
                Some(both.is_contiguous() && total.is_none_or(|n| n == u128::from(both.size())))
            };
            let all = size.checked_mul(after.size())?;
            Law {
                statement: "(L, C) hits every address exactly once",
                checked: check(&holds, format!("all {all} addresses of [0,{all})")),
            }
        }
        "right_inverse" | "inverse" => Law {
            statement: "L(R(i)) = i",
            checked: check(
                &|| Some((0..).zip(after.offsets()).all(|(i, at)| first.at(at).is_ok_and(|value| value == i))),
                format!("all {} indices", after.size()),
            ),
        },
        "left_inverse" => Law {
            statement: "R(L(i)) = i",
            checked: check(
                &|| Some((0..).zip(first.offsets()).all(|(i, at)| after.at(at).is_ok_and(|value| value == i))),
                format!("all {size} indices"),
            ),
        },
        "logical_divide" | "logical_divide_by_mode" | "zipped_divide" | "tiled_divide" | "flat_divide" => Law {
            statement: "nothing is lost and nothing repeated: R is A in another order",
            checked: check(
                &|| Some(same_offsets(after, first)),
                format!("each of the {size} elements of A is in one tile"),
            ),
        },
        "logical_product" | "blocked_product" | "raked_product" if layouts.len() == 2 => {
            let holds = || {
                let both = first.logical_product(layouts[1]).ok()?;
                Some(same_offsets(after, &both) && apart(&both, first, layouts[1]))
            };
            Law {
                statement: "copies of A for different values of T share no offset",
                checked: check(&holds, format!("all {} offsets", after.size())),
            }
        }
        _ => return None,
    })
}

/// The law of a composition whose outer operand is swizzled or has coordinates as values.
fn composed(args: &[Argument], answer: &Output) -> Option<Law> {
    let (inner, holds): (_, Box<dyn Fn() -> bool>) = match (args, answer) {
        ([Argument::Swizzled(outer), Argument::Layout(inner)], Output::Swizzled(after)) => (
            inner,
            Box::new(|| after.offsets().zip(inner.offsets()).all(|(r, b)| r.is_ok_and(|r| outer.at(b) == Ok(r)))),
        ),
        ([Argument::Coordinates(outer), Argument::Layout(inner)], Output::Coordinates(after)) => {
            (inner, Box::new(|| after.values().zip(inner.offsets()).all(|(r, b)| outer.at(b) == Ok(r))))
        }
        _ => return None,
    };
    let text = format!("all {} coordinates", inner.size());
    let check = || if holds() { Ok(text.clone()) } else { Err(format!("not so: {text}")) };
    Some(Law { statement: "R(c) = A(B(c))", checked: (inner.size() <= BOUND).then(check) })
}

fn same_offsets(one: &Layout, other: &Layout) -> bool {
    let sorted = |layout: &Layout| {
        let mut offsets: Vec<u64> = layout.offsets().collect();
        offsets.sort_unstable();
        offsets
    };
    sorted(one) == sorted(other)
}

/// Whether an offset of the product tells which value of the tile it belongs to.
fn apart(product: &Layout, block: &Layout, tile: &Layout) -> bool {
    let values: Vec<u64> = tile.offsets().collect();
    let mut owner = std::collections::HashMap::new();
    (0u64..).zip(product.offsets()).all(|(at, offset)| {
        let value = usize::try_from(at / block.size()).ok().and_then(|t| values.get(t)).copied();
        value.is_some_and(|value| *owner.entry(offset).or_insert(value) == value)
    })
}
