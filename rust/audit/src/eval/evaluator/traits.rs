//! What the standard library and CUTLASS say of types, for types whose name is enough to know it.

use crate::ast::Site;
use crate::eval::constants::as_number;
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::specialize::{certainly, same};
use crate::eval::value::{Number, Value};

/// The bits of a type by its name.
fn bits(name: &str) -> Option<i128> {
    Some(match name {
        "uint128_t" => 128,
        "uint64_t" | "int64_t" | "double" | "size_t" => 64,
        "uint32_t" | "int32_t" | "float" | "tfloat32_t" | "int" | "unsigned" => 32,
        "uint16_t" | "int16_t" | "half_t" | "half" | "__half" | "nv_half" | "bfloat16_t" | "__nv_bfloat16"
        | "nv_bfloat16" => 16,
        "uint8_t" | "int8_t" | "char" | "float_e4m3_t" | "float_e5m2_t" | "float_ue8m0_t" | "float_ue4m3_t"
        | "__nv_fp8_e4m3" | "__nv_fp8_e5m2" => 8,
        _ => return None,
    })
}

/// The bits of a type that has whole bytes.
fn width(of: &Value<'_>, site: Site) -> Resolved<i128> {
    let unknown = Unresolved { reason: Reason::Expression, site };
    match of {
        Value::Named(named) if named.hangs.is_none() => {
            // A class of that name that is somebody's own may have any size.
            let theirs = matches!(named.path.as_slice(), [_] | ["cute" | "cutlass" | "std", _]);
            let plain = named.class.is_none() || named.path.len() > 1;
            bits(named.name()).filter(|_| theirs && plain && named.args.is_none()).ok_or(unknown)
        }
        other => Err(other.hangs().map_or(unknown, |site| Unresolved { reason: Reason::Dependent, site })),
    }
}

fn number<'a>(value: i128, site: Site) -> Value<'a> {
    Value::Number(Number { value, site, literal: false, fixed: true })
}

/// `sizeof`.
pub fn bytes<'a>(of: &Value<'_>, site: Site) -> Resolved<Value<'a>> {
    width(of, site).map(|bits| number(bits / 8, site))
}

/// A template of values or types, with arguments, that no file declares.
pub fn known<'a>(name: &str, args: &[Value<'a>], site: Site) -> Option<Resolved<Value<'a>>> {
    match (name, args) {
        ("sizeof_bits_v", [of]) => Some(width(of, site).map(|bits| number(bits, site))),
        ("is_same_v", [a, b]) => Some(is_same(a, b, site)),
        ("is_static_v", [of]) => Some(is_static(of, site)),
        ("conditional_t", [test, yes, no]) => {
            Some(as_number(test, site).map(|test| if test.value == 0 { no.clone() } else { yes.clone() }))
        }
        ("remove_cv_t" | "remove_cvref_t" | "remove_reference_t" | "decay_t" | "remove_const_t", [of]) => {
            Some(Ok(of.clone()))
        }
        _ => None,
    }
}

/// A member of such a template.
pub fn member<'a>(name: &str, member: &str, args: &[Value<'a>], site: Site) -> Option<Resolved<Value<'a>>> {
    match (name, member, args) {
        ("sizeof_bits", "value", [of]) => Some(width(of, site).map(|bits| number(bits, site))),
        ("is_same", "value", [a, b]) => Some(is_same(a, b, site)),
        ("is_static", "value", [of]) => Some(is_static(of, site)),
        ("remove_cv" | "remove_cvref" | "remove_reference" | "decay" | "remove_const", "type", [of]) => {
            Some(Ok(of.clone()))
        }
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
        Value::Named(named) => named.class.is_some() || bits(named.name()).is_some() || named.name() == "void",
        _ => true,
    };
    // `int` is `int32_t`, though not by its name.
    if let (Value::Named(a), Value::Named(b)) = (a, b)
        && let (Some(bits_a), Some(bits_b)) = (bits(a.name()), bits(b.name()))
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
