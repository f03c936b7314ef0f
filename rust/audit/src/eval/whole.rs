//! Functions of two whole numbers that the standard library, CuTe and CUTLASS have: `std::min`, `cute::round_up`, `cutlass::gcd`. As
//! `cute/numeric/math.hpp`, `cute/int_tuple.hpp` and `cutlass/fast_math.h` define them; tuples of numbers are left out. And those of one number that
//! count its bits: `cute::log_2`, `__builtin_ctz`.

use super::constants::as_number;
use super::measure::Measure;
use super::reason::{Reason, Resolved, Unresolved};
use super::value::{Number, Value};
use crate::ast::Site;

/// Whether a function of a namespace, or one of the compiler's where there is none, is one of them.
pub fn is_function(space: &str, name: &str) -> bool {
    const BITS: [&str; 4] = ["bit_ceil", "bit_floor", "bit_width", "popcount"];
    match space {
        "" => matches!(name, "__builtin_clz" | "__builtin_ctz" | "__builtin_ffs" | "__builtin_popcount"),
        "std" => matches!(name, "min" | "max" | "gcd" | "lcm") || BITS.contains(&name),
        "cute" => matches!(name, "log_2" | "min" | "max" | "gcd" | "lcm" | "round_up") || BITS.contains(&name),
        "cutlass" => {
            matches!(name, "const_min" | "const_max" | "gcd" | "lcm" | "round_up" | "round_nearest" | "ceil_div")
        }
        _ => false,
    }
}

/// What such a function returns: a whole number, which counts what the two count where they agree. Of negative numbers only `min` and `max`
/// are answered; a division by 0 is `Reason::Call`.
pub fn apply<'a>(name: &str, values: &[Value<'a>], site: Site) -> Resolved<Value<'a>> {
    let unknown = Unresolved { reason: Reason::Call, site };
    if let [only] = values {
        let of = as_number(only, site)?;
        let value = u32::try_from(of.value).ok().and_then(|x| bits(name, x));
        return value.map(|value| Value::Number(Number::of(value.into(), site, of.fixed))).ok_or(unknown);
    }
    let [a, b] = values else { return Err(unknown) };
    let (a, b) = (as_number(a, site)?, as_number(b, site)?);
    let (x, y) = (a.value, b.value);
    let orders = name.ends_with("min") || name.ends_with("max");
    if !orders && (x < 0 || y < 0) {
        return Err(unknown);
    }
    let up = || x.checked_add(y.checked_sub(1)?)?.checked_div(y);
    let value = match name {
        "min" | "const_min" => Some(x.min(y)),
        "max" | "const_max" => Some(x.max(y)),
        "gcd" => Some(gcd(x, y)),
        "lcm" => x.checked_div(gcd(x, y)).and_then(|part| part.checked_mul(y)),
        "ceil_div" => up(),
        _ => up().and_then(|count| count.checked_mul(y)),
    };
    let measure = match (a.measure, b.measure) {
        (measure, Measure::Unknown) | (Measure::Unknown, measure) => measure,
        (one, other) if one == other => one,
        // The least of two is one of the two, and counts what that counts.
        (one, _) if orders && value == Some(x) && x != y => one,
        (_, other) if orders && value == Some(y) && x != y => other,
        // As many bytes as the elements that a name speaks of: whoever compares them means bytes by both.
        (bytes @ Measure::Bytes(_), Measure::Elements(_)) | (Measure::Elements(_), bytes @ Measure::Bytes(_))
            if orders =>
        {
            bytes
        }
        _ => Measure::Unknown,
    };
    let measure = if name == "ceil_div" { Measure::Unknown } else { measure };
    let made = |value| Value::Number(Number { measure, ..Number::of(value, site, a.fixed && b.fixed) });
    value.map(made).ok_or(unknown)
}

/// What such a function makes of the bits of one number of 32 bits.
fn bits(name: &str, x: u32) -> Option<u32> {
    match name {
        "__builtin_clz" => (x > 0).then(|| x.leading_zeros()),
        "__builtin_ctz" => (x > 0).then(|| x.trailing_zeros()),
        "__builtin_ffs" => Some(if x > 0 { x.trailing_zeros() + 1 } else { 0 }),
        "__builtin_popcount" | "popcount" => Some(x.count_ones()),
        "bit_ceil" => x.checked_next_power_of_two(),
        "bit_floor" => Some(x.checked_ilog2().map_or(0, |log| 1 << log)),
        "bit_width" => Some(u32::BITS - x.leading_zeros()),
        "log_2" => x.checked_ilog2(),
        _ => None,
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a, b);
    // Each turn halves one of them or more.
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_bits_of_one_number() {
        let of = |name| [0, 1, 6, 8, 1 << 31].map(|x| bits(name, x));
        assert_eq!(of("log_2"), [None, Some(0), Some(2), Some(3), Some(31)]);
        assert_eq!(of("bit_width"), [Some(0), Some(1), Some(3), Some(4), Some(32)]);
        assert_eq!(of("__builtin_ctz"), [None, Some(0), Some(1), Some(3), Some(31)]);
        assert_eq!(of("__builtin_clz"), [None, Some(31), Some(29), Some(28), Some(0)]);
        assert_eq!(of("__builtin_ffs"), [Some(0), Some(1), Some(2), Some(4), Some(32)]);
        assert_eq!(of("popcount"), [Some(0), Some(1), Some(2), Some(1), Some(1)]);
        assert_eq!(of("bit_ceil"), [Some(1), Some(1), Some(8), Some(8), Some(1 << 31)]);
        assert_eq!(of("bit_floor"), [Some(0), Some(1), Some(4), Some(8), Some(1 << 31)]);
        assert_eq!(bits("min", 3), None);
    }

    #[test]
    fn of_two_numbers() {
        let site = Site { unit: 0, span: crate::ast::Span::default() };
        let number = |value| Value::Number(Number::of(value, site, true));
        let of = |name, a, b| match apply(name, &[number(a), number(b)], site) {
            Ok(Value::Number(number)) => Some(number.value),
            _ => None,
        };
        for a in 0..20 {
            for b in 0..20 {
                let divides = |all: i128| all > 0 && all % a.max(1) == 0 && all % b.max(1) == 0;
                let common = |one: &i128| (a % one, b % one) == (0, 0);
                assert_eq!(of("min", a, b).zip(of("max", a, b)), Some((a.min(b), a.max(b))));
                assert_eq!(of("gcd", a, b), Some((1..20).rev().find(common).filter(|_| a + b > 0).unwrap_or(0)));
                assert_eq!(of("round_up", a, b), (b > 0).then(|| (a..a + b).find(|up| up % b == 0).unwrap()));
                if a > 0 && b > 0 {
                    assert_eq!(of("lcm", a, b), (1..=a * b).find(|all| divides(*all)));
                }
            }
        }
        assert_eq!((of("ceil_div", 7, 4), of("ceil_div", 7, 0), of("min", -1, 2)), (Some(2), None, Some(-1)));
        assert_eq!(of("gcd", -4, 2), None);
    }
}
