//! CuTe's layout algebra on constants, computed by the library. What the library refuses is not a constant here: CuTe may take
//! it, and what it then gives is not guessed.

use razorgirl::{IntTuple, Layout, Result, Shape, Tiler};

use super::builtin::from_numbers;
use super::constants::{as_number, numbers, tuple};
use super::reason::{Reason, Resolved, Unresolved};
use super::value::{Constant, Leaf, Numbers, Order, Value};
use crate::ast::Site;

/// How deeply tilers nest.
const MAX_TILER_DEPTH: usize = 16;

/// Layouts with more modes are not computed with: some operations compare all modes with each other.
const MAX_MODES: usize = 64;

/// Functions of the algebra, in order.
const FUNCTIONS: [&str; 32] = [
    "append",
    "blocked_product",
    "coalesce",
    "compact_col_major",
    "compact_order",
    "compact_row_major",
    "complement",
    "composition",
    "downcast",
    "filter",
    "filter_zeros",
    "flat_divide",
    "flat_product",
    "flatten",
    "group",
    "group_modes",
    "layout",
    "left_inverse",
    "logical_divide",
    "logical_product",
    "make_ordered_layout",
    "max",
    "min",
    "raked_product",
    "recast_layout",
    "right_inverse",
    "select",
    "take",
    "tile_to_shape",
    "tiled_divide",
    "upcast",
    "zipped_divide",
];

/// Whether a function is one of the algebra.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}

/// What a function of the algebra returns. `modes` are its template arguments.
pub fn apply<'a>(name: &str, modes: &[Value<'a>], values: &[Value<'a>], site: Site) -> Resolved<Value<'a>> {
    match (name, values) {
        ("max" | "min", [_, _]) => return super::whole::apply(name, values, site),
        ("make_ordered_layout", [shape, order]) => {
            let (shape, order) = (numbers(shape, site)?, numbers(order, site)?);
            return computed(
                bounded(&shape, site).and_then(|shape| told(Layout::ordered(&shape, &order.tuple), site)),
                site,
            );
        }
        // The strides without gaps: `compact_order` is the stride of `make_ordered_layout`.
        ("compact_order", [_, _]) => {
            let layout = apply("make_ordered_layout", &[], values, site)?;
            return super::builtin::apply("stride", &[], &[layout], site);
        }
        ("compact_col_major" | "compact_row_major", [shape]) => {
            let order = if name == "compact_col_major" { Order::Left } else { Order::Right };
            let layout = super::builtin::apply("make_layout", &[], &[shape.clone(), Value::Order(order)], site)?;
            return super::builtin::apply("stride", &[], &[layout], site);
        }
        ("take" | "select" | "append", [Value::Tuple(items), more @ ..]) => {
            return picked(name, modes, &items.items, more, site);
        }
        _ => {}
    }
    let Some((Value::Layout(first), more)) = values.split_first() else {
        // An argument without a value says why there is no result.
        if let Some(first) = values.first().filter(|first| first.is_dependent()) {
            as_number(first, site)?;
        }
        return Err(Unresolved { reason: Reason::Call, site });
    };
    let first = core(first, site)?;
    let places = || modes.iter().map(|mode| place(mode, site)).collect::<Resolved<Vec<usize>>>();
    let result = match (name, more) {
        ("coalesce", []) => Ok(first.coalesce()),
        ("flatten", []) => Ok(first.flatten()),
        ("filter", []) => Ok(first.filter()),
        ("filter_zeros", []) => Ok(first.filter_zeros()),
        ("layout", []) if !modes.is_empty() => {
            let mut at = first;
            for place in places()? {
                at = at.mode(place).ok_or(Unresolved { reason: Reason::Call, site })?;
            }
            Ok(at)
        }
        ("group" | "group_modes", []) => match places()?.as_slice() {
            [from, to] if from <= to => first.group(*from..*to),
            _ => return Err(Unresolved { reason: Reason::Call, site }),
        },
        ("take", []) => match places()?.as_slice() {
            [from, to] if from <= to => first.take(*from..*to),
            _ => return Err(Unresolved { reason: Reason::Call, site }),
        },
        ("select", []) if !modes.is_empty() => first.select(&places()?),
        ("upcast" | "downcast", []) => match modes {
            [count] => {
                let count = u64::try_from(as_number(count, site)?.value)
                    .map_err(|_| Unresolved { reason: Reason::Negative, site })?;
                if name == "upcast" { first.upcast(count) } else { first.downcast(count) }
            }
            _ => return Err(Unresolved { reason: Reason::Call, site }),
        },
        ("complement", []) => first.complement(),
        ("complement", [target]) => {
            let size = super::builtin::apply("size", &[], std::slice::from_ref(target), site)?;
            let size = u64::try_from(as_number(&size, site)?.value);
            first.complement_in(size.map_err(|_| Unresolved { reason: Reason::Negative, site })?)
        }
        ("right_inverse", []) => Ok(first.right_inverse()),
        ("left_inverse", []) => first.left_inverse(),
        ("recast_layout", []) => match modes {
            [old, new] => first.recast(super::evaluator::bits(old, site)?, super::evaluator::bits(new, site)?),
            _ => return Err(Unresolved { reason: Reason::Call, site }),
        },
        ("composition", [Value::Layout(inner)]) => first.composition(&core(inner, site)?),
        ("composition", [tiler]) => first.composition_by(&self::tiler(tiler, site, 0)?),
        ("logical_divide", [tiler]) => first.logical_divide(&self::tiler(tiler, site, 0)?),
        ("zipped_divide", [tiler]) => first.zipped_divide(&self::tiler(tiler, site, 0)?),
        ("tiled_divide", [tiler]) => first.tiled_divide(&self::tiler(tiler, site, 0)?),
        ("flat_divide", [tiler]) => first.flat_divide(&self::tiler(tiler, site, 0)?),
        ("logical_product", [Value::Layout(tiles)]) => first.logical_product(&core(tiles, site)?),
        ("blocked_product", [Value::Layout(tiles)]) => first.blocked_product(&core(tiles, site)?),
        ("raked_product", [Value::Layout(tiles)]) => first.raked_product(&core(tiles, site)?),
        ("tile_to_shape", [shape]) => first.tile_to_shape(&bounded(&numbers(shape, site)?, site)?, None),
        ("tile_to_shape", [shape, order]) => {
            let order = numbers(order, site)?;
            first.tile_to_shape(&bounded(&numbers(shape, site)?, site)?, Some(&order.tuple))
        }
        _ => return Err(Unresolved { reason: Reason::Call, site }),
    };
    computed(told(result, site), site)
}

/// Some items of a tuple.
fn picked<'a>(
    name: &str,
    modes: &[Value<'a>],
    items: &[Value<'a>],
    more: &[Value<'a>],
    site: Site,
) -> Resolved<Value<'a>> {
    let unknown = Unresolved { reason: Reason::Call, site };
    let places = modes.iter().map(|mode| place(mode, site)).collect::<Resolved<Vec<usize>>>()?;
    match (name, places.as_slice(), more) {
        ("take", [from, to], []) => tuple(items.get(*from..*to).ok_or(unknown)?.to_vec(), site),
        ("select", [_, ..], []) => {
            let picked = places.iter().map(|place| items.get(*place).cloned().ok_or(unknown));
            tuple(picked.collect::<Resolved<_>>()?, site)
        }
        ("append", [], [last]) => tuple(items.iter().chain([last]).cloned().collect(), site),
        _ => Err(unknown),
    }
}

fn place(mode: &Value<'_>, site: Site) -> Resolved<usize> {
    usize::try_from(as_number(mode, site)?.value).map_err(|_| Unresolved { reason: Reason::Call, site })
}

/// What the library says, or that it is not known what CuTe makes of it.
fn told(result: Result<Layout>, site: Site) -> Resolved<Layout> {
    result.map_err(|_| Unresolved { reason: Reason::Call, site })
}

fn bounded(shape: &Numbers, site: Site) -> Resolved<Shape> {
    if shape.tuple.leaves().contains(&0) {
        return Err(Unresolved { reason: Reason::ZeroExtent, site: shape.site });
    }
    if shape.tuple.leaves().len() > MAX_MODES {
        return Err(Unresolved { reason: Reason::TooLarge, site });
    }
    Shape::new(shape.tuple.clone()).map_err(|_| Unresolved { reason: Reason::Overflow, site })
}

/// A constant as the library's layout.
pub fn core(constant: &Constant, site: Site) -> Resolved<Layout> {
    if constant.shape.tuple.leaves().len() > MAX_MODES {
        return Err(Unresolved { reason: Reason::TooLarge, site });
    }
    told(Layout::new(&constant.shape.tuple, &constant.stride.tuple), site)
}

// Recursion: a level deeper each time, to a fixed depth.
pub fn tiler(value: &Value<'_>, site: Site, depth: usize) -> Resolved<Tiler> {
    if depth > MAX_TILER_DEPTH {
        return Err(Unresolved { reason: Reason::TooDeep, site });
    }
    match value {
        Value::Number(number) => {
            let extent = u64::try_from(number.value).map_err(|_| Unresolved { reason: Reason::Negative, site })?;
            Tiler::integer(extent).map_err(|_| Unresolved { reason: Reason::ZeroExtent, site })
        }
        Value::Layout(layout) => Ok(Tiler::Layout(core(layout, site)?)),
        Value::Tuple(items) if items.items.len() <= MAX_MODES => {
            let tilers = items.items.iter().map(|item| tiler(item, site, depth + 1));
            Ok(Tiler::Modes(tilers.collect::<Resolved<_>>()?))
        }
        // `X` is another name for the type of `_`.
        Value::Named(named) if matches!(named.name(), "_" | "Underscore" | "X") && named.args.is_none() => {
            Ok(Tiler::Keep)
        }
        other => {
            as_number(other, site)?;
            Err(Unresolved { reason: Reason::Call, site })
        }
    }
}

/// A layout of the library as a value, written nowhere but where it comes from.
pub fn constant<'a>(layout: Layout, site: Site) -> Resolved<Value<'a>> {
    computed(Ok(layout), site)
}

/// A layout of the library as a value, written nowhere but in the call that gave it.
fn computed<'a>(layout: Resolved<Layout>, site: Site) -> Resolved<Value<'a>> {
    let layout = layout?;
    let written = |tuple: IntTuple| {
        let leaves = vec![Leaf { site, literal: false }; tuple.leaves().len()];
        Numbers { tuple, leaves, site }
    };
    let shape = written(layout.shape().extents().clone());
    let stride = written(layout.stride());
    // Both come through the bounds that hold for what is written.
    let (shape, stride) = (from_numbers(&shape)?, from_numbers(&stride)?);
    super::constants::derived(&shape, &stride, site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted() {
        assert!(FUNCTIONS.is_sorted());
    }
}
