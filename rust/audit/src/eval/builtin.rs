//! CuTe's vocabulary: what its names make of values that have been worked out.

use super::constants::{as_number, layout, tuple};
use super::reason::{Reason, Resolved, Unresolved};
use super::value::{Constant, Leaf, Named, Number, Numbers, Order, Value};
use crate::ast::Site;

/// Whether a name is CuTe's, and has a meaning of its own.
pub fn is_builtin(name: &str) -> bool {
    // Asked a million times, and most names are told apart by their length: no table is faster.
    matches!(
        name,
        "C" | "Coord"
            | "GenColMajor"
            | "GenRowMajor"
            | "Int"
            | "Layout"
            | "LayoutLeft"
            | "LayoutRight"
            | "Shape"
            | "Step"
            | "Stride"
            | "Tile"
            | "ceil_div"
            | "conditional_t"
            | "constant"
            | "cosize"
            | "get"
            | "integral_constant"
            | "make_coord"
            | "make_layout"
            | "make_shape"
            | "make_step"
            | "make_stride"
            | "make_tile"
            | "make_tuple"
            | "rank"
            | "shape"
            | "size"
            | "stride"
            | "tuple"
    ) || small_constant(name).is_some()
}

/// `_4` and `_m4`.
fn small_constant(name: &str) -> Option<i128> {
    let digits = name.strip_prefix('_')?;
    let (negative, digits) = match digits.strip_prefix('m') {
        Some(rest) => (true, rest),
        None => (false, digits),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: i128 = digits.parse().ok()?;
    Some(if negative { -value } else { value })
}

/// Members of a type that no file defines.
pub fn member_of_unknown<'a>(of: &Named<'a>, name: &str, site: Site) -> Option<Resolved<Value<'a>>> {
    let args = of.args.as_deref().unwrap_or_default();
    match (of.name(), name, args) {
        ("conditional", "type", [test, yes, no]) => Some(match as_number(test, site) {
            Ok(test) => Ok(if test.value == 0 { no.clone() } else { yes.clone() }),
            Err(why) => Err(why),
        }),
        _ => None,
    }
}

/// What a CuTe template or constant means where a type or value stands; `None` for a name that stands for the template itself.
/// `literal` says that its last argument is written as a number.
pub fn named<'a>(name: &str, args: Option<&[Value<'a>]>, literal: bool, site: Site) -> Option<Resolved<Value<'a>>> {
    if let Some(value) = small_constant(name) {
        return Some(Ok(Value::Number(Number { literal: true, ..Number::of(value, site, true) })));
    }
    match name {
        "GenColMajor" | "LayoutLeft" => return Some(Ok(Value::Order(Order::Left))),
        "GenRowMajor" | "LayoutRight" => return Some(Ok(Value::Order(Order::Right))),
        _ => {}
    }
    Some(match (name, args?) {
        ("Int" | "C", [value]) | ("constant" | "integral_constant", [_, value]) => {
            as_number(value, site).map(|number| Value::Number(Number { site, literal, fixed: true, ..number }))
        }
        ("Layout", [shape]) => layout(shape, None, site),
        ("Layout", [shape, stride]) => layout(shape, Some(stride), site),
        ("Shape" | "Stride" | "Coord" | "Step" | "Tile" | "tuple", values) => tuple(values.to_vec(), site),
        ("conditional_t", [test, yes, no]) => {
            as_number(test, site).map(|test| if test.value == 0 { no.clone() } else { yes.clone() })
        }
        _ => Err(Unresolved { reason: Reason::NotNumeric, site }),
    })
}

/// What a CuTe function returns.
pub fn apply<'a>(name: &str, modes: &[Value<'a>], values: &[Value<'a>], site: Site) -> Resolved<Value<'a>> {
    let unknown = Err(Unresolved { reason: Reason::Call, site });
    match (name, values) {
        ("make_shape" | "make_stride" | "make_coord" | "make_step" | "make_tile" | "make_tuple", _) => {
            tuple(values.to_vec(), site)
        }
        ("make_layout", [Value::Layout(only)]) => concat(&[Value::Layout(only.clone())], site),
        ("make_layout", [shape]) => layout(shape, None, site),
        ("make_layout", [Value::Layout(_), ..]) => concat(values, site),
        ("make_layout", [shape, stride]) => layout(shape, Some(stride), site),
        ("ceil_div", [a, b]) => {
            let (a, b) = (as_number(a, site)?, as_number(b, site)?);
            if b.value < 1 || a.value < 0 {
                return unknown;
            }
            let value = a.value / b.value + i128::from(a.value % b.value != 0);
            Ok(Value::Number(Number::of(value, site, a.fixed && b.fixed)))
        }
        // Of a layout, `get` is a mode, which is a layout too: `layout<…>` of the algebra.
        ("get", [Value::Layout(_)]) => unknown,
        ("get" | "shape" | "stride" | "size" | "rank" | "cosize", [value]) => {
            let mut value = part(name, value, site)?;
            for mode in modes {
                let index = as_number(mode, site)?.value;
                value = match value {
                    Value::Tuple(tuple) => match usize::try_from(index).ok().and_then(|index| tuple.items.get(index)) {
                        Some(item) => item.clone(),
                        None => return unknown,
                    },
                    leaf if index == 0 => leaf,
                    _ => return unknown,
                };
            }
            measure(name, value, site)
        }
        _ => unknown,
    }
}

/// What `shape`, `stride` and `size` look at: the shape or stride of a layout, or a tuple as it is.
fn part<'a>(name: &str, value: &Value<'a>, site: Site) -> Resolved<Value<'a>> {
    match value {
        Value::Layout(layout) if name == "cosize" => {
            let unknown = Unresolved { reason: Reason::Call, site };
            let core = razorgirl::Layout::new(&layout.shape.tuple, &layout.stride.tuple).map_err(|_| unknown)?;
            Ok(Value::Number(Number::of(i128::from(core.cosize()), site, true)))
        }
        Value::Layout(layout) => {
            let numbers = if name == "stride" { &layout.stride } else { &layout.shape };
            from_numbers(numbers)
        }
        Value::Tuple(_) | Value::Number(_) if name != "stride" && name != "cosize" => Ok(value.clone()),
        Value::Param(..) | Value::Opaque(_) => {
            as_number(value, site)?;
            Err(Unresolved { reason: Reason::Call, site })
        }
        _ => Err(Unresolved { reason: Reason::Call, site }),
    }
}

fn measure<'a>(name: &str, value: Value<'a>, site: Site) -> Resolved<Value<'a>> {
    let number = |value| Ok(Value::Number(Number::of(value, site, true)));
    match name {
        "rank" => match &value {
            Value::Tuple(tuple) => number(i128::try_from(tuple.items.len()).unwrap_or(0)),
            Value::Number(_) => number(1),
            _ => Err(Unresolved { reason: Reason::Call, site }),
        },
        "size" => product(&value, site).and_then(number),
        _ => Ok(value),
    }
}

pub fn from_numbers<'a>(numbers: &Numbers) -> Resolved<Value<'a>> {
    let mut leaves = numbers.tuple.leaves().iter().zip(&numbers.leaves);
    rebuild(&numbers.tuple, &mut leaves, numbers.site)
}

fn rebuild<'a, 'n>(
    numbers: &razorgirl::IntTuple,
    leaves: &mut impl Iterator<Item = (&'n u64, &'n Leaf)>,
    site: Site,
) -> Resolved<Value<'a>> {
    if numbers.is_leaf() {
        let Some((value, leaf)) = leaves.next() else {
            return Err(Unresolved { reason: Reason::Expression, site });
        };
        let number = Number { literal: leaf.literal, ..Number::of(i128::from(*value), leaf.site, true) };
        return Ok(Value::Number(number));
    }
    let mut items = Vec::with_capacity(numbers.rank());
    for mode in numbers.modes() {
        items.push(rebuild(&mode, leaves, site)?);
    }
    tuple(items, site)
}

/// Layouts side by side.
fn concat<'a>(values: &[Value<'a>], site: Site) -> Resolved<Value<'a>> {
    let mut shapes = Vec::with_capacity(values.len());
    let mut strides = Vec::with_capacity(values.len());
    for value in values {
        let Value::Layout(layout) = value else { return Err(Unresolved { reason: Reason::Call, site }) };
        let layout: &Constant = layout;
        shapes.push(from_numbers(&layout.shape)?);
        strides.push(from_numbers(&layout.stride)?);
    }
    layout(&tuple(shapes, site)?, Some(&tuple(strides, site)?), site)
}

/// `.value` and the like.
pub fn member_of<'a>(of: &Value<'a>, name: &str, site: Site) -> Resolved<Value<'a>> {
    match (of, name) {
        (Value::Number(_), "value" | "type" | "value_type") | (Value::Param(..) | Value::Opaque(_), _) => {
            Ok(of.clone())
        }
        (Value::Layout(_) | Value::Tuple(_), "rank") => {
            let shape = part("rank", of, site)?;
            measure("rank", shape, site)
        }
        _ => Err(Unresolved { reason: Reason::Call, site }),
    }
}

fn product(value: &Value<'_>, site: Site) -> Resolved<i128> {
    match value {
        Value::Number(number) => Ok(number.value),
        Value::Tuple(tuple) => tuple.items.iter().try_fold(1_i128, |all, item| {
            all.checked_mul(product(item, site)?).ok_or(Unresolved { reason: Reason::Overflow, site })
        }),
        other => as_number(other, site).map(|number| number.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_constants() {
        assert_eq!(small_constant("_128"), Some(128));
        assert_eq!(small_constant("_m32"), Some(-32));
        for name in ["_", "_m", "_x", "4", "_1a", "__1", "_99999999999999999999999999999999999999999999"] {
            assert_eq!(small_constant(name), None, "{name}");
        }
    }
}
