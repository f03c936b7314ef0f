//! CuTe's functions on tuples.

use std::rc::Rc;

use super::builtin;
use super::constants::{as_number, tuple};
use super::reason::{Reason, Resolved, Unresolved};
use super::value::{Number, Tuple, Value};
use crate::ast::Site;

/// How deeply tuples are followed.
const MAX_DEPTH: usize = 16;

/// Items that `append<N>` and `repeat<N>` make.
const MAX_ITEMS: usize = 64;

/// Functions on tuples, in order.
const FUNCTIONS: [&str; 8] =
    ["append", "conditional_return", "flatten", "prepend", "product_each", "repeat", "replace", "shape_div"];

/// Whether a function is one of these.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}

/// What a function makes of tuples and numbers; `None` where it is given something else.
pub fn apply<'a>(name: &str, modes: &[Value<'a>], values: &[Value<'a>], site: Site) -> Option<Resolved<Value<'a>>> {
    let unknown = Unresolved { reason: Reason::Call, site };
    let count = || match modes {
        [mode] => usize::try_from(as_number(mode, site)?.value).ok().filter(|count| *count <= MAX_ITEMS).ok_or(unknown),
        _ => Err(unknown),
    };
    // A value that hangs on something says why there is no result.
    if let Some(why) = values.iter().find_map(|value| match value {
        Value::Param(..) | Value::Opaque(_) => as_number(value, site).err(),
        _ => None,
    }) && name != "conditional_return"
    {
        return Some(Err(why));
    }
    Some(match (name, values) {
        ("append" | "prepend", [of @ (Value::Tuple(_) | Value::Number(_)), value]) => {
            extended(name == "prepend", if modes.is_empty() { Ok(None) } else { count().map(Some) }, of, value, site)
        }
        ("append" | "prepend", [Value::Layout(_), ..]) => return Some(layouts(name, modes, values, site)),
        ("conditional_return", [yes, no]) => match modes {
            [test] => as_number(test, site).map(|test| if test.value == 0 { no.clone() } else { yes.clone() }),
            _ => Err(unknown),
        },
        ("flatten", [of @ Value::Tuple(_)]) => {
            let mut leaves = Vec::new();
            flatten(of, &mut leaves, 0, site).and_then(|()| tuple(leaves, site))
        }
        ("product_each", [Value::Tuple(of)]) => {
            let each = of.items.iter().map(|item| builtin::apply("size", &[], std::slice::from_ref(item), site));
            each.collect::<Resolved<_>>().and_then(|items| tuple(items, site))
        }
        ("repeat", [value]) => count().and_then(|count| tuple(vec![value.clone(); count], site)),
        ("replace", [Value::Tuple(of), value]) => count().and_then(|at| {
            let mut items = of.items.clone();
            *items.get_mut(at).ok_or(unknown)? = value.clone();
            tuple(items, site)
        }),
        ("shape_div", [a, b]) => shape_div(a, b, 0, site),
        _ => return None,
    })
}

/// A tuple with one more item, or as many more as it needs to have a number of them.
fn extended<'a>(
    before: bool,
    count: Resolved<Option<usize>>,
    of: &Value<'a>,
    value: &Value<'a>,
    site: Site,
) -> Resolved<Value<'a>> {
    let mut items = match of {
        Value::Tuple(of) => of.items.clone(),
        other => vec![other.clone()],
    };
    let count = count?;
    let missing = match count {
        None => 1,
        // `append<1>(x, v)` is x itself.
        Some(count) if count == items.len() => return Ok(of.clone()),
        Some(count) => count.checked_sub(items.len()).ok_or(Unresolved { reason: Reason::Call, site })?,
    };
    for _ in 0..missing {
        let at = if before { 0 } else { items.len() };
        items.insert(at, value.clone());
    }
    tuple(items, site)
}

/// A layout with more modes: of shape and stride each.
fn layouts<'a>(name: &str, modes: &[Value<'a>], values: &[Value<'a>], site: Site) -> Resolved<Value<'a>> {
    let part = |of: &str, value: &Value<'a>| builtin::apply(of, &[], std::slice::from_ref(value), site);
    let number = |value| Value::Number(Number::of(value, site, true));
    let (of, more) = match values {
        [of] => (of, (number(1), number(0))),
        [of, more @ Value::Layout(_)] => (of, (part("shape", more)?, part("stride", more)?)),
        _ => return Err(Unresolved { reason: Reason::Call, site }),
    };
    let grown = |of: Value<'a>, value: Value<'a>| {
        apply(name, modes, &[of, value], site).unwrap_or(Err(Unresolved { reason: Reason::Call, site }))
    };
    let (shape, stride) = (grown(part("shape", of)?, more.0)?, grown(part("stride", of)?, more.1)?);
    builtin::apply("make_layout", &[], &[shape, stride], site)
}

// Recursion: a level deeper each time, to a fixed depth.
fn flatten<'a>(of: &Value<'a>, leaves: &mut Vec<Value<'a>>, depth: usize, site: Site) -> Resolved<()> {
    match of {
        Value::Tuple(of) if depth < MAX_DEPTH => {
            of.items.iter().try_for_each(|item| flatten(item, leaves, depth + 1, site))
        }
        Value::Tuple(_) => Err(Unresolved { reason: Reason::TooDeep, site }),
        other => {
            leaves.push(other.clone());
            Ok(())
        }
    }
}

/// `shape_div` as CuTe has it: exact, or 1 where the divisor is a multiple; anything else does not compile.
// Recursion: a level deeper each time, to a fixed depth.
fn shape_div<'a>(a: &Value<'a>, b: &Value<'a>, depth: usize, site: Site) -> Resolved<Value<'a>> {
    let unknown = Unresolved { reason: Reason::Call, site };
    if depth > MAX_DEPTH {
        return Err(Unresolved { reason: Reason::TooDeep, site });
    }
    // An item that is not known is no obstacle until a number is wanted of it.
    let item = |a: &Value<'a>, b: &Value<'a>| match a {
        Value::Opaque(_) => Ok(a.clone()),
        a => shape_div(a, b, depth + 1, site),
    };
    let pair = |a: &Rc<Tuple<'a>>, b: &Rc<Tuple<'a>>| {
        let each = a.items.iter().zip(&b.items).map(|(a, b)| item(a, b));
        if a.items.len() == b.items.len() { each.collect::<Resolved<Vec<_>>>() } else { Err(unknown) }
    };
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => tuple(pair(a, b)?, site),
        // What is left of the divisor goes on to the next item.
        (Value::Tuple(a), Value::Number(_)) => {
            let mut left = b.clone();
            let mut items = Vec::with_capacity(a.items.len());
            for item in &a.items {
                items.push(shape_div(item, &left, depth + 1, site)?);
                left = shape_div(&left, item, depth + 1, site)?;
            }
            tuple(items, site)
        }
        (Value::Number(x), b) => {
            let size = builtin::apply("size", &[], std::slice::from_ref(b), site)?;
            let by = as_number(&size, site)?;
            if by.value < 1 || x.value < 1 {
                return Err(unknown);
            }
            let value = match (x.value % by.value, by.value % x.value) {
                (0, _) => x.value / by.value,
                (_, 0) => 1,
                _ => return Err(unknown),
            };
            Ok(Value::Number(Number::of(value, site, x.fixed && by.fixed)))
        }
        _ => Err(unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted() {
        assert!(FUNCTIONS.is_sorted());
    }
}
