//! Values made of values: numbers, tuples and layouts.

use std::rc::Rc;

use razorgirl::{IntTuple, MAX_DEPTH as MAX_NESTING};

use super::reason::{Reason, Resolved, Unresolved};
use super::value::{Constant, Leaf, Number, Numbers, Order, Size, Tuple, Value};
use crate::ast::{Op, Site};

/// Numbers in one tuple.
const MAX_LEAVES: usize = 1024;

/// Types that a number keeps its value in, if it has room for it: the bits, and whether there are negative ones.
fn integer_type(name: &str) -> Option<(u32, bool)> {
    Some(match name {
        "bool" => (1, false),
        "int8_t" => (8, true),
        "uint8_t" => (8, false),
        "short" | "int16_t" => (16, true),
        "uint16_t" => (16, false),
        "int" | "int32_t" => (32, true),
        "unsigned" | "uint32_t" => (32, false),
        "long" | "int64_t" => (64, true),
        "size_t" | "uint64_t" => (64, false),
        _ => return None,
    })
}

/// Whether a name is that of a type of integers.
pub fn is_integer_type(name: &str) -> bool {
    integer_type(name).is_some()
}

/// A number as an integer of some type, whatever the name of that is if it is none known here.
///
/// # Errors
/// The type has no room for it.
pub fn cast<'a>(value: Value<'a>, name: &str, site: Site) -> Resolved<Value<'a>> {
    let (Value::Number(number), Some((bits, signed))) = (&value, integer_type(name)) else { return Ok(value) };
    let most = if signed { (1_i128 << (bits - 1)) - 1 } else { (1_i128 << bits) - 1 };
    let least = if signed { -most - 1 } else { 0 };
    if bits == 1 {
        let value = i128::from(number.value != 0);
        return Ok(Value::Number(Number { value, literal: number.literal && value == number.value, ..*number }));
    }
    if (least..=most).contains(&number.value) { Ok(value) } else { Err(Unresolved { reason: Reason::Overflow, site }) }
}

/// A tuple of values.
pub fn tuple(items: Vec<Value<'_>>, site: Site) -> Resolved<Value<'_>> {
    let mut leaves = 0_usize;
    let mut depth = 0;
    for item in &items {
        let (more, deeper) = match item {
            Value::Tuple(tuple) => (tuple.leaves, tuple.depth),
            _ => (1, 0),
        };
        leaves = leaves.saturating_add(more);
        depth = depth.max(deeper);
    }
    if leaves > MAX_LEAVES {
        return Err(Unresolved { reason: Reason::TooLarge, site });
    }
    if depth + 1 >= MAX_NESTING {
        return Err(Unresolved { reason: Reason::TooDeep, site });
    }
    let size = Size::around(&items, &None).allowed(site)?;
    let hangs = items.iter().find_map(Value::hangs);
    Ok(Value::Tuple(Rc::new(Tuple { items, site, leaves, depth: depth + 1, size, hangs })))
}

/// A layout of a shape and perhaps a stride.
pub fn layout<'a>(shape: &Value<'a>, stride: Option<&Value<'a>>, site: Site) -> Resolved<Value<'a>> {
    // A number that is known at run time only is the better reason: no argument of a template makes it a constant.
    if let Some(why) = std::iter::once(shape).chain(stride).find_map(runs) {
        return Err(why);
    }
    let shape = numbers(shape, site)?;
    if shape.tuple.leaves().contains(&0) {
        return Err(Unresolved { reason: Reason::ZeroExtent, site: shape.site });
    }
    let implied = |order| {
        let tuple = compact(&shape.tuple, order).ok_or(Unresolved { reason: Reason::Overflow, site })?;
        Ok(Numbers { tuple, leaves: shape.leaves.clone(), site: shape.site })
    };
    let (stride, explicit) = match stride {
        None => (implied(Order::Left)?, false),
        Some(Value::Order(order)) => (implied(*order)?, false),
        Some(stride) => (numbers(stride, site)?, true),
    };
    Ok(Value::Layout(Rc::new(Constant { shape, stride, explicit, site })))
}

/// The number in a value that is known at run time only.
fn runs(value: &Value<'_>) -> Option<Unresolved> {
    match value {
        Value::Opaque(why) => (why.reason == Reason::RunTime).then_some(*why),
        // Its size bounds how deeply it nests.
        Value::Tuple(tuple) => tuple.items.iter().find_map(runs),
        Value::Named(named) if named.class.is_none() && is_integer_type(named.name()) => {
            Some(Unresolved { reason: Reason::RunTime, site: named.site })
        }
        _ => None,
    }
}

/// A layout that was computed: its strides are nobody's words.
pub fn derived<'a>(shape: &Value<'a>, stride: &Value<'a>, site: Site) -> Resolved<Value<'a>> {
    let (shape, stride) = (numbers(shape, site)?, numbers(stride, site)?);
    Ok(Value::Layout(Rc::new(Constant { shape, stride, explicit: false, site })))
}

/// The number that a value is.
pub fn as_number(value: &Value<'_>, site: Site) -> Resolved<Number> {
    match value {
        Value::Number(number) => Ok(*number),
        other => Err(not_numeric(other, site)),
    }
}

/// Why a value is no number or tuple of numbers.
fn not_numeric(value: &Value<'_>, site: Site) -> Unresolved {
    match value {
        Value::Param(_, site) => Unresolved { reason: Reason::Dependent, site: *site },
        Value::Opaque(why) => *why,
        Value::Named(named) if named.hangs.is_some() => {
            Unresolved { reason: Reason::Dependent, site: named.hangs.unwrap_or(named.site) }
        }
        Value::Named(named) if is_integer_type(named.name()) => {
            Unresolved { reason: Reason::RunTime, site: named.site }
        }
        Value::Named(named) if named.class.is_none() => Unresolved { reason: Reason::UnknownName, site: named.site },
        Value::Pack(_) => Unresolved { reason: Reason::Dependent, site },
        _ => Unresolved { reason: Reason::NotNumeric, site },
    }
}

/// A value as a shape or stride.
pub fn numbers(value: &Value<'_>, site: Site) -> Resolved<Numbers> {
    let mut leaves = Vec::new();
    let (tuple, own) = collect(value, site, &mut leaves)?;
    Ok(Numbers { tuple, leaves, site: own })
}

fn collect(value: &Value<'_>, site: Site, leaves: &mut Vec<Leaf>) -> Resolved<(IntTuple, Site)> {
    match value {
        Value::Number(number) => {
            if number.value < 0 {
                return Err(Unresolved { reason: Reason::Negative, site: number.site });
            }
            let value =
                u64::try_from(number.value).map_err(|_| Unresolved { reason: Reason::Overflow, site: number.site })?;
            leaves.push(Leaf { site: number.site, literal: number.literal });
            Ok((IntTuple::leaf(value), number.site))
        }
        Value::Tuple(tuple) => {
            let mut modes = Vec::with_capacity(tuple.items.len());
            for item in &tuple.items {
                modes.push(collect(item, tuple.site, leaves)?.0);
            }
            let deep = Unresolved { reason: Reason::TooDeep, site: tuple.site };
            Ok((IntTuple::tuple(&modes).map_err(|_| deep)?, tuple.site))
        }
        other => Err(not_numeric(other, site)),
    }
}

/// The strides of a compact layout of this shape; `None` when one is 2^64 or more.
fn compact(shape: &IntTuple, order: Order) -> Option<IntTuple> {
    let extents = shape.leaves();
    let mut strides = vec![0_u64; extents.len()];
    let mut next = Some(1_u64);
    let mut put = |index: usize| {
        // A stride under an extent of 1 never matters, and CuTe makes it 0.
        let extent = *extents.get(index)?;
        *strides.get_mut(index)? = if extent == 1 { 0 } else { next? };
        next = next.and_then(|next| next.checked_mul(extent));
        Some(())
    };
    match order {
        Order::Left => (0..extents.len()).try_for_each(&mut put)?,
        Order::Right => (0..extents.len()).rev().try_for_each(&mut put)?,
    }
    IntTuple::nested(&strides, shape.profile()).ok()
}

/// What an operator gives.
pub fn arithmetic(op: Op, left: i128, right: i128) -> Result<i128, Reason> {
    let shift = || u32::try_from(right).ok().filter(|by| *by < 127).ok_or(Reason::Overflow);
    let value = match op {
        Op::Add => left.checked_add(right),
        Op::Sub => left.checked_sub(right),
        Op::Mul => left.checked_mul(right),
        Op::Div | Op::Rem if right == 0 => return Err(Reason::Expression),
        Op::Div => left.checked_div(right),
        Op::Rem => left.checked_rem(right),
        Op::Shl => left.checked_mul(1_i128 << shift()?),
        Op::Shr => Some(left >> shift()?),
        Op::And => Some(left & right),
        Op::Or => Some(left | right),
        Op::Xor => Some(left ^ right),
        Op::LogicalAnd => Some(i128::from(left != 0 && right != 0)),
        Op::LogicalOr => Some(i128::from(left != 0 || right != 0)),
        Op::Eq => Some(i128::from(left == right)),
        Op::Ne => Some(i128::from(left != right)),
        Op::Lt => Some(i128::from(left < right)),
        Op::Le => Some(i128::from(left <= right)),
        Op::Gt => Some(i128::from(left > right)),
        Op::Ge => Some(i128::from(left >= right)),
        Op::Not | Op::Complement => None,
    };
    value.ok_or(Reason::Overflow)
}
