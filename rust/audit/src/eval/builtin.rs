//! CuTe's vocabulary.

use super::evaluator::{Context, Evaluator, as_number};
use super::reason::{Reason, Resolved, Unresolved};
use super::value::{Constant, Named, Number, Numbers, Order, Value};
use crate::ast::{Expr, ExprId, Segment, Site};

/// Names with a meaning of their own, in order.
const NAMES: [&str; 29] = [
    "C",
    "Coord",
    "GenColMajor",
    "GenRowMajor",
    "Int",
    "Layout",
    "LayoutLeft",
    "LayoutRight",
    "Shape",
    "Step",
    "Stride",
    "Tile",
    "ceil_div",
    "conditional_t",
    "constant",
    "cosize",
    "get",
    "integral_constant",
    "make_coord",
    "make_layout",
    "make_shape",
    "make_step",
    "make_stride",
    "make_tile",
    "make_tuple",
    "rank",
    "shape",
    "size",
    "tuple",
];

/// Types that a number keeps its value in.
pub fn is_integer_type(name: &str) -> bool {
    matches!(
        name,
        "int"
            | "unsigned"
            | "long"
            | "short"
            | "bool"
            | "size_t"
            | "int64_t"
            | "uint64_t"
            | "int32_t"
            | "uint32_t"
            | "int16_t"
            | "uint16_t"
            | "int8_t"
            | "uint8_t"
    )
}

/// Whether a name is CuTe's.
pub fn is_builtin(name: &str) -> bool {
    small_constant(name).is_some() || NAMES.binary_search(&name).is_ok()
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

impl<'a> Evaluator<'a> {
    /// A CuTe name where a type or value stands.
    pub(super) fn builtin(
        &mut self,
        name: &'a str,
        segment: &'a Segment,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        if let Some(value) = small_constant(name) {
            return Ok(Value::Number(Number { value, site, literal: true, fixed: true }));
        }
        let unknown = Unresolved { reason: Reason::NotNumeric, site };
        match name {
            "GenColMajor" | "LayoutLeft" => return Ok(Value::Order(Order::Left)),
            "GenRowMajor" | "LayoutRight" => return Ok(Value::Order(Order::Right)),
            _ => {}
        }
        let Some(args) = segment.args.as_deref() else {
            // A bare `Layout` or `Shape` names the template.
            return Ok(Named::unknown(vec!["cute", name], None, site));
        };
        let literal = |arg: &ExprId| matches!(self.program.unit(context.unit).expr(*arg), Expr::Number(_));
        let literal = args.last().is_some_and(literal);
        let values = self.arguments(args, context);
        match (name, values.as_slice()) {
            ("Int" | "C", [value]) | ("constant" | "integral_constant", [_, value]) => {
                let number = as_number(value, site)?;
                Ok(Value::Number(Number { value: number.value, site, literal, fixed: true }))
            }
            ("Layout", [shape]) => Self::layout(shape, None, site),
            ("Layout", [shape, stride]) => Self::layout(shape, Some(stride), site),
            ("Shape" | "Stride" | "Coord" | "Step" | "Tile" | "tuple", _) => Self::tuple(values, site),
            ("conditional_t", [test, yes, no]) => {
                Ok(if as_number(test, site)?.value == 0 { no.clone() } else { yes.clone() })
            }
            _ => Err(unknown),
        }
    }

    /// A call.
    pub(super) fn eval_call(
        &mut self,
        callee: ExprId,
        args: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let unit = self.program.unit(context.unit);
        let unknown = Unresolved { reason: Reason::Call, site };
        let path = match unit.expr(callee) {
            Expr::Path(path) => path,
            Expr::Member(object, name) if args.is_empty() => {
                let object = self.eval(*object, context)?;
                let name = self.program.text(Self::site(context, name.name));
                return Self::apply(name, &[], &[object], site);
            }
            _ => return Err(unknown),
        };
        let Some(last) = path.segments.last() else { return Err(unknown) };
        let name = self.program.text(Self::site(context, last.name));
        let ours = match path.segments.as_slice() {
            [_] => true,
            [space, _] => self.program.text(Self::site(context, space.name)) == "cute",
            _ => false,
        };
        if name == "static_cast" {
            return match args {
                [only] => self.eval(*only, context),
                _ => Err(unknown),
            };
        }
        if ours && is_builtin(name) && name.starts_with(|first: char| first.is_ascii_lowercase()) && name != "tuple" {
            let values = self.arguments(args, context);
            let modes = last.args.as_deref().map(|args| self.arguments(args, context)).unwrap_or_default();
            return Self::apply(name, &modes, &values, site);
        }
        // What is left is `T(…)`, for types that are known; other functions are not run.
        match self.eval_construct(callee, args, site, context) {
            Ok(Value::Named(_) | Value::Opaque(_)) | Err(Unresolved { reason: Reason::UnknownName, .. }) => {
                Err(unknown)
            }
            other => other,
        }
    }

    fn apply(name: &str, modes: &[Value<'a>], values: &[Value<'a>], site: Site) -> Resolved<Value<'a>> {
        let unknown = Err(Unresolved { reason: Reason::Call, site });
        match (name, values) {
            ("make_shape" | "make_stride" | "make_coord" | "make_step" | "make_tile" | "make_tuple", _) => {
                Self::tuple(values.to_vec(), site)
            }
            ("make_layout", [Value::Layout(only)]) => Self::concat(&[Value::Layout(only.clone())], site),
            ("make_layout", [shape]) => Self::layout(shape, None, site),
            ("make_layout", [Value::Layout(_), ..]) => Self::concat(values, site),
            ("make_layout", [shape, stride]) => Self::layout(shape, Some(stride), site),
            ("ceil_div", [a, b]) => {
                let (a, b) = (as_number(a, site)?, as_number(b, site)?);
                if b.value < 1 || a.value < 0 {
                    return unknown;
                }
                let value = a.value / b.value + i128::from(a.value % b.value != 0);
                Ok(Value::Number(Number { value, site, literal: false, fixed: a.fixed && b.fixed }))
            }
            ("get" | "shape" | "stride" | "size" | "rank" | "cosize", [value]) => {
                let mut value = Self::part(name, value, site)?;
                for mode in modes {
                    let index = as_number(mode, site)?.value;
                    value = match value {
                        Value::Tuple(tuple) => {
                            match usize::try_from(index).ok().and_then(|index| tuple.items.get(index)) {
                                Some(item) => item.clone(),
                                None => return unknown,
                            }
                        }
                        leaf if index == 0 => leaf,
                        _ => return unknown,
                    };
                }
                Self::measure(name, value, site)
            }
            _ => unknown,
        }
    }

    /// What `shape`, `stride` and `size` look at: the shape or stride of a layout, or a tuple as it is.
    fn part(name: &str, value: &Value<'a>, site: Site) -> Resolved<Value<'a>> {
        match value {
            Value::Layout(layout) if name == "cosize" => {
                let unknown = Unresolved { reason: Reason::Call, site };
                let core = razorgirl::Layout::new(&layout.shape.tuple, &layout.stride.tuple).map_err(|_| unknown)?;
                Ok(Value::Number(Number { value: i128::from(core.cosize()), site, literal: false, fixed: true }))
            }
            Value::Layout(layout) => {
                let numbers = if name == "stride" { &layout.stride } else { &layout.shape };
                Self::from_numbers(numbers)
            }
            Value::Tuple(_) | Value::Number(_) if name != "stride" && name != "cosize" => Ok(value.clone()),
            Value::Param(..) | Value::Opaque(_) => {
                as_number(value, site)?;
                Err(Unresolved { reason: Reason::Call, site })
            }
            _ => Err(Unresolved { reason: Reason::Call, site }),
        }
    }

    fn measure(name: &str, value: Value<'a>, site: Site) -> Resolved<Value<'a>> {
        let number = |value| Ok(Value::Number(Number { value, site, literal: false, fixed: true }));
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

    fn from_numbers(numbers: &Numbers) -> Resolved<Value<'a>> {
        let mut leaves = numbers.tuple.leaves().iter().zip(&numbers.leaves);
        Self::rebuild(&numbers.tuple, &mut leaves, numbers.site)
    }

    fn rebuild<'n>(
        tuple: &razorgirl::IntTuple,
        leaves: &mut impl Iterator<Item = (&'n u64, &'n super::value::Leaf)>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        if tuple.is_leaf() {
            let Some((value, leaf)) = leaves.next() else {
                return Err(Unresolved { reason: Reason::Expression, site });
            };
            let number = Number { value: i128::from(*value), site: leaf.site, literal: leaf.literal, fixed: true };
            return Ok(Value::Number(number));
        }
        let mut items = Vec::with_capacity(tuple.rank());
        for mode in tuple.modes() {
            items.push(Self::rebuild(&mode, leaves, site)?);
        }
        Self::tuple(items, site)
    }

    /// Layouts side by side.
    fn concat(values: &[Value<'a>], site: Site) -> Resolved<Value<'a>> {
        let mut shapes = Vec::with_capacity(values.len());
        let mut strides = Vec::with_capacity(values.len());
        for value in values {
            let Value::Layout(layout) = value else { return Err(Unresolved { reason: Reason::Call, site }) };
            let layout: &Constant = layout;
            shapes.push(Self::from_numbers(&layout.shape)?);
            strides.push(Self::from_numbers(&layout.stride)?);
        }
        Self::layout(&Self::tuple(shapes, site)?, Some(&Self::tuple(strides, site)?), site)
    }

    /// `.value` and the like.
    pub(super) fn member_of(of: &Value<'a>, name: &'a str, site: Site) -> Resolved<Value<'a>> {
        match (of, name) {
            (Value::Number(_), "value" | "type" | "value_type") | (Value::Param(..) | Value::Opaque(_), _) => {
                Ok(of.clone())
            }
            (Value::Layout(_) | Value::Tuple(_), "rank") => {
                let shape = Self::part("rank", of, site)?;
                Self::measure("rank", shape, site)
            }
            _ => Err(Unresolved { reason: Reason::Call, site }),
        }
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
    fn names_are_sorted() {
        assert!(NAMES.is_sorted());
    }

    #[test]
    fn small_constants() {
        assert_eq!(small_constant("_128"), Some(128));
        assert_eq!(small_constant("_m32"), Some(-32));
        for name in ["_", "_m", "_x", "4", "_1a", "__1", "_99999999999999999999999999999999999999999999"] {
            assert_eq!(small_constant(name), None, "{name}");
        }
    }
}
