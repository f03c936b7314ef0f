//! Swizzles and swizzled layouts. A swizzled layout is a value as CuTe has it, a `ComposedLayout<Swizzle<B,M,S>, Offset, Layout>`,
//! whether it was written or computed; [`Swizzled::of`] reads it.

use std::rc::Rc;

use razorgirl::{Layout, Swizzle, SwizzledLayout};

use super::algebra;
use super::builtin;
use super::constants::as_number;
use super::measure::Measure;
use super::reason::{Reason, Resolved, Unresolved};
use super::value::{Constant, Named, Number, Value};
use super::widths;
use crate::ast::Site;

/// A swizzled layout as written: the swizzle acts on elements, or on the bytes of shared memory.
#[derive(Debug, Clone)]
pub struct Swizzled {
    /// What is done to offsets.
    pub swizzle: Swizzle,
    /// The bits of an element, where the swizzle acts on bytes: `smem_ptr_flag_bits<16>`.
    pub bits: Option<u64>,
    /// What is added before the swizzle, in elements.
    pub offset: u64,
    /// The layout inside.
    pub inner: Rc<Constant>,
}

/// Functions that make or take swizzled layouts beyond those of the algebra, in order.
const FUNCTIONS: [&str; 3] =
    ["as_position_independent_swizzle_layout", "get_nonswizzle_portion", "make_composed_layout"];

/// Functions of the algebra that CuTe applies to the layout inside.
const INSIDE: [&str; 16] = [
    "blocked_product",
    "coalesce",
    "composition",
    "filter",
    "flat_divide",
    "flatten",
    "group",
    "group_modes",
    "logical_divide",
    "logical_product",
    "raked_product",
    "select",
    "take",
    "tile_to_shape",
    "tiled_divide",
    "zipped_divide",
];

/// Names that [`Swizzled`] gives a meaning where they stand with template arguments.
pub fn is_name(name: &str) -> bool {
    matches!(name, "cosize_v" | "sizeof_bits_v") || atom(name).is_some()
}

/// Whether a function is one that makes or takes swizzled layouts.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}

/// The bits of a type by its name.
pub fn width(value: &Value<'_>) -> Option<u64> {
    let Value::Named(named) = value else { return None };
    if let Some(args) = &named.args {
        let count = |value: &Value<'_>| match value {
            Value::Number(number) => u64::try_from(number.value).ok().filter(|count| *count > 0),
            _ => None,
        };
        let cutlass = named.path.iter().rev().skip(1).all(|space| matches!(*space, "cute" | "cutlass"));
        return match (named.name(), args.as_slice()) {
            ("uint_bit_t", [bits]) => count(bits),
            ("uint_byte_t", [bytes]) => count(bytes)?.checked_mul(8),
            // Aligned to all of it, which an `Array` is not.
            ("AlignedArray", [element, number]) if cutlass => width(element)?.checked_mul(count(number)?),
            _ => None,
        };
    }
    widths::bits(named.name())
}

impl Swizzled {
    /// A value as a swizzled layout, if it is one.
    pub fn of(value: &Value<'_>) -> Option<Self> {
        let Value::Named(named) = value else { return None };
        let [swizzle, offset, Value::Layout(inner)] = cute_args(named, "ComposedLayout")? else { return None };
        let swizzle = swizzle_of(swizzle)?;
        let inner = Rc::clone(inner);
        if let Value::Number(number) = offset {
            let offset = u64::try_from(number.value).ok()?;
            return Some(Self { swizzle, bits: None, offset, inner });
        }
        let Value::Named(flag) = offset else { return None };
        let bits = match (flag.name(), flag.args.as_deref()) {
            ("smem_ptr_flag", None) => 1,
            ("smem_ptr_flag_bits", Some([Value::Number(bits)])) => u64::try_from(bits.value).ok()?,
            _ => return None,
        };
        Some(Self { swizzle, bits: Some(bits), offset: 0, inner })
    }

    /// The same in elements, as the library has it; `None` where a swizzle of bytes splits elements.
    pub fn core(&self) -> Option<SwizzledLayout> {
        let swizzle = match self.bits {
            None => self.swizzle,
            Some(bits) if bits.is_power_of_two() => {
                // Of bytes, of bits, of elements.
                let swizzle = self.swizzle.downcast(3)?;
                swizzle.upcast(u64::from(bits.ilog2()))?
            }
            Some(_) => return None,
        };
        let inner = Layout::new(&self.inner.shape.tuple, &self.inner.stride.tuple).ok()?;
        SwizzledLayout::new(swizzle, self.offset, inner).ok()
    }

    fn value<'a>(&self, site: Site) -> Resolved<Value<'a>> {
        let number = |value| Value::Number(Number::of(value, site, true));
        let swizzle =
            [i128::from(self.swizzle.bits()), i128::from(self.swizzle.base()), i128::from(self.swizzle.shift())];
        let swizzle = Named::unknown(vec!["cute", "Swizzle"], Some(swizzle.map(number).to_vec()), site)?;
        let offset = match self.bits {
            None => number(i128::from(self.offset)),
            Some(bits) => {
                Named::unknown(vec!["cute", "smem_ptr_flag_bits"], Some(vec![number(i128::from(bits))]), site)?
            }
        };
        let args = vec![swizzle, offset, Value::Layout(Rc::clone(&self.inner))];
        Named::unknown(vec!["cute", "ComposedLayout"], Some(args), site)
    }

    fn with(&self, inner: Resolved<Value<'_>>, site: Site) -> Resolved<Self> {
        match inner? {
            Value::Layout(inner) => Ok(Self { inner, ..self.clone() }),
            _ => Err(Unresolved { reason: Reason::Call, site }),
        }
    }
}

/// A value as `Swizzle<B,M,S>`, if it is CuTe's.
pub fn swizzle_of(value: &Value<'_>) -> Option<Swizzle> {
    let Value::Named(named) = value else { return None };
    let (bits, base, shift) = match cute_args(named, "Swizzle")? {
        // CuTe's default: S is B.
        [bits, base] => (bits, base, bits),
        [bits, base, shift] => (bits, base, shift),
        _ => return None,
    };
    let number = |value: &Value<'_>| match value {
        Value::Number(number) => i64::try_from(number.value).ok(),
        _ => None,
    };
    let natural = |value| u64::try_from(number(value)?).ok();
    Some(Swizzle::new(natural(bits)?, natural(base)?, number(shift)?))
}

/// The arguments of a template that is CuTe's, or that no given file declares.
fn cute_args<'n, 'a>(named: &'n Named<'a>, name: &str) -> Option<&'n [Value<'a>]> {
    let cute = match named.path.as_slice() {
        [own] => *own == name && named.class.is_none(),
        [space, .., own] => *own == name && *space == "cute",
        [] => false,
    };
    if cute { named.args.as_deref() } else { None }
}

/// B, and the layout in bits, of the atoms of shared memory that `wgmma`, `tcgen05` and the copy engine take.
fn atom(name: &str) -> Option<(u64, &'static str)> {
    Some(match name {
        "Layout_K_INTER_Atom" => (0, "(8,128):(128,1)"),
        "Layout_K_SW32_Atom" => (1, "(8,256):(256,1)"),
        "Layout_K_SW64_Atom" => (2, "(8,512):(512,1)"),
        "Layout_K_SW128_Atom" => (3, "(8,1024):(1024,1)"),
        "Layout_MN_INTER_Atom" => (0, "(128,8):(1,128)"),
        "Layout_MN_SW32_Atom" => (1, "(256,8):(1,256)"),
        "Layout_MN_SW64_Atom" => (2, "(512,8):(1,512)"),
        "Layout_MN_SW128_Atom" => (3, "(1024,8):(1,1024)"),
        _ => return None,
    })
}

/// What one of these names means with template arguments; `None` where it is not known.
pub fn named<'a>(name: &str, args: &[Value<'a>], site: Site) -> Option<Resolved<Value<'a>>> {
    let [arg] = args else { return None };
    if name == "sizeof_bits_v" {
        let number = |value| Number { value, site, literal: false, fixed: true, measure: Measure::Bits };
        return width(arg).map(|bits| Ok(Value::Number(number(i128::from(bits)))));
    }
    if name == "cosize_v" {
        return match arg {
            Value::Layout(_) => Some(builtin::apply("cosize", &[], args, site)),
            _ => apply("cosize", &[], args, site),
        };
    }
    let (swizzle, layout) = atom(name)?;
    let Some(bits) = width(arg) else {
        // A parameter without a value says why there is no layout.
        return arg
            .is_dependent()
            .then(|| Err(as_number(arg, site).err().unwrap_or(Unresolved { reason: Reason::Dependent, site })));
    };
    let layout: Layout = layout.parse().ok()?;
    let Ok(Value::Layout(inner)) = algebra::constant(layout.upcast(bits).ok()?, site) else { return None };
    let swizzled = Swizzled { swizzle: Swizzle::new(swizzle, 4, 3), bits: Some(bits), offset: 0, inner };
    Some(swizzled.value(site))
}

/// What a function makes of a swizzle or a swizzled layout in front; `None` where nothing is swizzled.
pub fn apply<'a>(name: &str, modes: &[Value<'a>], values: &[Value<'a>], site: Site) -> Option<Resolved<Value<'a>>> {
    let unknown = || Some(Err(Unresolved { reason: Reason::Call, site }));
    let (first, more) = values.split_first()?;
    if let Some(swizzle) = swizzle_of(first) {
        let made = match (name, more) {
            ("composition", [Value::Layout(inner)]) => {
                Swizzled { swizzle, bits: None, offset: 0, inner: Rc::clone(inner) }.value(site)
            }
            (
                "composition" | "make_composed_layout",
                [offset @ (Value::Number(_) | Value::Named(_)), inner @ Value::Layout(_)],
            ) => {
                let args = vec![first.clone(), offset.clone(), inner.clone()];
                Named::unknown(vec!["cute", "ComposedLayout"], Some(args), site)
            }
            _ => return unknown(),
        };
        return Some(made);
    }
    let swizzled = Swizzled::of(first)?;
    let inner = Value::Layout(Rc::clone(&swizzled.inner));
    let inside: Vec<Value<'a>> = std::iter::once(inner.clone()).chain(more.iter().cloned()).collect();
    Some(match name {
        "cosize" | "size" | "rank" | "shape" | "depth" => builtin::apply(name, modes, &inside, site),
        "get_nonswizzle_portion" => Ok(inner),
        "as_position_independent_swizzle_layout" => {
            let Some(core) = swizzled.core() else { return unknown() };
            Swizzled { swizzle: core.swizzle(), bits: None, ..swizzled }.value(site)
        }
        "upcast" if swizzled.bits.is_some() => {
            let times = match modes {
                [Value::Number(times)] => u64::try_from(times.value).ok(),
                _ => None,
            };
            let bits = times.and_then(|times| swizzled.bits?.checked_mul(times));
            let Some(bits) = bits else { return unknown() };
            let made = swizzled.with(algebra::apply(name, modes, &inside, site), site);
            made.and_then(|made| Swizzled { bits: Some(bits), ..made }.value(site))
        }
        _ if INSIDE.binary_search(&name).is_ok() => {
            swizzled.with(algebra::apply(name, modes, &inside, site), site).and_then(|made| made.value(site))
        }
        _ => return unknown(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(FUNCTIONS.is_sorted() && INSIDE.is_sorted());
    }
}
