//! What the standard library and CUTLASS say of types, for types whose name is enough to know it.

use razorgirl::Layout;

use crate::ast::Site;
use crate::eval::constants::as_number;
use crate::eval::measure::Measure;
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::specialize::{certainly, same};
use crate::eval::value::{Number, Value};
use crate::eval::widths;

/// The name of the type of an array, which is none in C++.
pub const ARRAY: &str = "[]";

/// Layouts that CUTLASS's own traits are written with, by their names, of traits that stand without the file which declares these.
pub fn fragment(names: &[&str]) -> Option<Layout> {
    let ([name] | ["cute", name]) = names else { return None };
    let layout = match *name {
        "SM80_8x4" => "((4,8),1):((8,1),0)",
        "SM80_8x8_Row" => "((4,8),2):((16,1),8)",
        "SM80_8x16_Row" => "((4,8),4):((32,1),8)",
        "SM80_16x8_Row" => "((4,8),(2,2)):((32,1),(16,8))",
        _ => return None,
    };
    layout.parse().ok()
}

/// The bits that a value of a type takes: whole bytes, of which one that is less than a byte has one.
fn width(of: &Value<'_>, site: Site) -> Resolved<u64> {
    bits_of(of, site).map(|bits| bits.next_multiple_of(8))
}

fn number<'a>(value: i128, site: Site) -> Value<'a> {
    counted(value, Measure::Unknown, site)
}

fn counted<'a>(value: i128, measure: Measure, site: Site) -> Value<'a> {
    Value::Number(Number { value, site, literal: false, fixed: true, measure })
}

/// The bits of an element as a number that says so.
fn bits_value<'a>(of: &Value<'_>, site: Site) -> Resolved<Value<'a>> {
    bits_of(of, site).map(|bits| counted(i128::from(bits), Measure::Bits, site))
}

/// The bytes that elements take, of which several may share one.
fn bytes_value<'a>(of: &Value<'_>, site: Site) -> Resolved<Value<'a>> {
    bits_of(of, site).map(|bits| counted(i128::from(bits.div_ceil(8)), Measure::Bytes(0), site))
}

/// The bits of an element, of which several may share a byte.
pub fn bits_of(of: &Value<'_>, site: Site) -> Resolved<u64> {
    let unknown = Unresolved { reason: Reason::Expression, site };
    match of {
        Value::Named(named) if named.path == [ARRAY] => match named.args.as_deref() {
            // Recursion: the size of a value bounds how deeply it nests.
            Some([element, extent]) => {
                let (bits, count) = (width(element, site)?, u64::try_from(as_number(extent, site)?.value));
                count.ok().filter(|count| *count > 0).and_then(|count| bits.checked_mul(count)).ok_or(unknown)
            }
            _ => Err(unknown),
        },
        Value::Named(named) if named.hangs.is_none() => {
            // A class of that name that is somebody's own may have any size.
            let theirs = matches!(named.path.as_slice(), [_] | ["cute" | "cutlass" | "std", _]);
            let plain = named.class.is_none() || named.path.len() > 1;
            let bits = match (named.name(), named.args.as_deref()) {
                (name, None) => widths::bits(name),
                ("integer_subbyte", Some([Value::Number(bits), _])) => {
                    u64::try_from(bits.value).ok().filter(|bits| (1..=8).contains(bits))
                }
                _ => None,
            };
            // What no file declares that was read may be declared in another.
            let reason = if named.class.is_none() { Reason::UnknownName } else { Reason::Expression };
            let why = Unresolved { reason, site: if named.class.is_none() { named.site } else { site } };
            bits.filter(|_| theirs && plain).ok_or(why)
        }
        other => Err(other.hangs().map_or(unknown, |site| Unresolved { reason: Reason::Dependent, site })),
    }
}

/// `sizeof`.
pub fn bytes<'a>(of: &Value<'_>, site: Site) -> Resolved<Value<'a>> {
    width(of, site).map(|bits| counted(i128::from(bits / 8), Measure::Bytes(0), site))
}

/// `alignof`: as much as the size of a type that is no array.
pub fn alignment<'a>(of: &Value<'_>, site: Site) -> Resolved<Value<'a>> {
    match of {
        Value::Named(named) if named.path == [ARRAY] => Err(Unresolved { reason: Reason::Expression, site }),
        _ => bytes(of, site),
    }
}

/// Whether a template of CuTe's is known by its name although its definition is among the files: that asks whether classes are empty,
/// which this crate does not know, or hangs on files that are not there.
pub fn is_own(name: &str) -> bool {
    matches!(
        name,
        "is_static"
            | "is_static_v"
            | "sizeof_bits"
            | "sizeof_bits_v"
            | "sizeof_bytes"
            | "sizeof_bytes_v"
            | "tuple_element"
            | "tuple_element_t"
    )
}

/// A template of values or types, with arguments, that no file declares.
pub fn known<'a>(name: &str, args: &[Value<'a>], site: Site) -> Option<Resolved<Value<'a>>> {
    match (name, args) {
        ("sizeof_bits_v", [of]) => Some(bits_value(of, site)),
        ("sizeof_bytes_v", [of]) => Some(bytes_value(of, site)),
        ("is_same_v", [a, b]) => Some(is_same(a, b, site)),
        ("is_static_v", [of]) => Some(is_static(of, site)),
        ("conditional_t", [test, yes, no]) => {
            Some(as_number(test, site).map(|test| if test.value == 0 { no.clone() } else { yes.clone() }))
        }
        ("remove_cv_t" | "remove_cvref_t" | "remove_reference_t" | "decay_t" | "remove_const_t", [of]) => {
            Some(Ok(of.clone()))
        }
        ("remove_extent_t", [of]) => Some(Ok(element(of))),
        ("tuple_element_t", [at, of]) => Some(item(at, of, site)),
        ("integral_constant", [_, value]) | ("bool_constant", [value]) => {
            let made = |number| Value::Number(Number { site, literal: false, fixed: true, ..number });
            Some(as_number(value, site).map(made))
        }
        _ => None,
    }
}

/// What an array is made of, or the type itself.
fn element<'a>(of: &Value<'a>) -> Value<'a> {
    match of {
        Value::Named(named) if named.path == [ARRAY] => {
            named.args.as_deref().and_then(<[_]>::first).unwrap_or(of).clone()
        }
        other => other.clone(),
    }
}

/// An item of a tuple.
fn item<'a>(at: &Value<'a>, of: &Value<'a>, site: Site) -> Resolved<Value<'a>> {
    let at = as_number(at, site)?.value;
    let unknown = Unresolved { reason: Reason::Expression, site };
    match of {
        Value::Tuple(of) => usize::try_from(at).ok().and_then(|at| of.items.get(at)).cloned().ok_or(unknown),
        Value::Opaque(why) => Err(*why),
        other => Err(other.hangs().map_or(unknown, |site| Unresolved { reason: Reason::Dependent, site })),
    }
}

/// A member of such a template.
pub fn member<'a>(name: &str, member: &str, args: &[Value<'a>], site: Site) -> Option<Resolved<Value<'a>>> {
    match (name, member, args) {
        ("sizeof_bits", "value", [of]) => Some(bits_value(of, site)),
        ("sizeof_bytes", "value", [of]) => Some(bytes_value(of, site)),
        ("is_same", "value", [a, b]) => Some(is_same(a, b, site)),
        ("is_static", "value", [of]) => Some(is_static(of, site)),
        ("remove_cv" | "remove_cvref" | "remove_reference" | "decay" | "remove_const", "type", [of]) => {
            Some(Ok(of.clone()))
        }
        ("remove_extent", "type", [of]) => Some(Ok(element(of))),
        ("tuple_element", "type", [at, of]) => Some(item(at, of, site)),
        _ => None,
    }
}

/// Whether a type carries all of its numbers, as far as that is sure.
// Recursion: the size of a value bounds how deeply it nests.
fn is_static<'a>(of: &Value<'a>, site: Site) -> Resolved<Value<'a>> {
    match of {
        Value::Number(of) if of.fixed => Ok(number(1, site)),
        Value::Tuple(of) => {
            let each = of.items.iter().map(|item| as_number(&is_static(item, site)?, site).map(|it| it.value != 0));
            let all = each.collect::<Resolved<Vec<bool>>>()?;
            Ok(number(i128::from(all.into_iter().all(|one| one)), site))
        }
        Value::Named(named) if named.class.is_none() && crate::eval::constants::is_integer_type(named.name()) => {
            Ok(number(0, site))
        }
        Value::Opaque(why) => Err(*why),
        other => Err(match other.hangs() {
            Some(site) => Unresolved { reason: Reason::Dependent, site },
            None => Unresolved { reason: Reason::Expression, site },
        }),
    }
}

/// Types of one size that are surely different where this is.
fn family(name: &str) -> Option<&'static str> {
    Some(match name {
        "half_t" => "half_t",
        "half" | "__half" | "nv_half" => "half",
        "bfloat16_t" => "bfloat16_t",
        "__nv_bfloat16" | "nv_bfloat16" => "bfloat16",
        "float" => "float",
        "tfloat32_t" => "tfloat32_t",
        "double" => "double",
        "float_e4m3_t" => "e4m3",
        "float_e5m2_t" => "e5m2",
        "float_ue8m0_t" => "ue8m0",
        "float_ue4m3_t" => "ue4m3",
        "uint8_t" => "u8",
        "int8_t" => "i8",
        "int" | "int32_t" => "i32",
        "unsigned" | "uint32_t" => "u32",
        _ => return None,
    })
}

fn is_same<'a>(a: &Value<'a>, b: &Value<'a>, site: Site) -> Resolved<Value<'a>> {
    if same(a, b) {
        return Ok(number(1, site));
    }
    // Two names may stand for one type where a file that is not there says so.
    let declared = |value: &Value<'_>| match value {
        Value::Named(named) => named.class.is_some() || widths::bits(named.name()).is_some() || named.name() == "void",
        _ => true,
    };
    // `int` is `int32_t`, though not by its name.
    if let (Value::Named(a), Value::Named(b)) = (a, b)
        && let (Some(bits_a), Some(bits_b)) = (widths::bits(a.name()), widths::bits(b.name()))
        && bits_a == bits_b
    {
        match (family(a.name()), family(b.name())) {
            (Some(a), Some(b)) if a == b => return Ok(number(1, site)),
            (Some(_), Some(_)) => {}
            _ => return Err(Unresolved { reason: Reason::Expression, site }),
        }
    }
    match certainly(a, b) {
        Ok(equal) if declared(a) && declared(b) => Ok(number(i128::from(equal), site)),
        Ok(_) => Err(Unresolved { reason: Reason::UnknownName, site }),
        Err(why) => Err(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Span;
    use crate::eval::value::Named;

    #[test]
    fn sizes_of_names_that_are_known() {
        let site = Site { unit: 0, span: Span::default() };
        let size = |path: Vec<&'static str>| {
            let named = Named::unknown(path, None, site).unwrap();
            bytes(&named, site).ok().and_then(|value| as_number(&value, site).ok()).map(|number| number.value)
        };
        assert_eq!(size(vec!["cutlass", "half_t"]), Some(2));
        assert_eq!(size(vec!["float"]), Some(4));
        assert_eq!(size(vec!["mine", "half_t"]), None);
        assert_eq!(size(vec!["Mystery"]), None);
    }
}
