//! What a number counts: bytes, bits or elements. A number alone does not say it; `sizeof` does, and so does the name of a constant.

use crate::ast::Op;

/// From so many factors of two on, a number of bytes may as well be one of bits.
const TWOS_OF_BITS: u32 = 3;

/// The bytes of the widest vector.
const MAX_VECTOR: i128 = 32;

/// What a number counts, as far as that is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// It is not known what.
    #[default]
    Unknown,
    /// Bytes; with how many factors of two they were multiplied.
    Bytes(u32),
    /// Bits.
    Bits,
    /// Elements, which bytes or bits of a type make bytes or bits again; with how many factors of two.
    Elements(u32),
}

/// A number of an operator.
#[derive(Debug, Clone, Copy)]
pub struct Operand {
    /// Its value.
    pub value: i128,
    /// Whether it stands there as a number.
    pub literal: bool,
    /// What it counts.
    pub measure: Measure,
}

impl Measure {
    /// What the result of an operator counts.
    pub fn of(op: Op, left: Operand, right: Operand) -> Self {
        match (op, left.measure, right.measure) {
            (Op::Mul, Self::Bytes(twos), Self::Elements(_)) | (Op::Mul, Self::Elements(_), Self::Bytes(twos)) => {
                Self::Bytes(twos)
            }
            (Op::Mul, Self::Bits, Self::Unknown | Self::Elements(_))
            | (Op::Mul, Self::Unknown | Self::Elements(_), Self::Bits) => Self::Bits,
            (Op::Mul, of, Self::Unknown) => of.times(right.value),
            (Op::Mul, Self::Unknown, of) => of.times(left.value),
            // `kBits / 8`, and `(kBits + 7) / 8`: only an 8 that stands there, for another may be one of threads.
            (Op::Div, Self::Bits, Self::Unknown) if right.literal && right.value == 8 => Self::Bytes(0),
            (Op::Shr, Self::Bits, Self::Unknown) if right.literal && right.value == 3 => Self::Bytes(0),
            (Op::Add, Self::Bits, Self::Unknown) if right.literal && right.value == 7 => Self::Bits,
            (Op::Div, Self::Bytes(_), Self::Bytes(0)) | (Op::Div, Self::Bits | Self::Unknown, Self::Bits) => {
                Self::Elements(0)
            }
            // No vector has more bytes; what is larger may be bits.
            (Op::Div, Self::Unknown, Self::Bytes(0)) if (1..=MAX_VECTOR).contains(&left.value) => Self::Elements(0),
            (Op::Div, Self::Bytes(twos), Self::Unknown | Self::Elements(_)) => Self::Bytes(twos),
            _ => Self::Unknown,
        }
    }

    /// So many times it: eight bytes are as many bits as one byte has.
    fn times(self, factor: i128) -> Self {
        let more = |twos: u32| {
            let all = factor.trailing_zeros().saturating_add(twos);
            (factor > 0 && all < TWOS_OF_BITS).then_some(all)
        };
        match self {
            Self::Bytes(twos) => more(twos).map_or(Self::Unknown, Self::Bytes),
            Self::Elements(twos) => more(twos).map_or(Self::Unknown, Self::Elements),
            Self::Bits | Self::Unknown => Self::Unknown,
        }
    }

    /// The same, or what the name of a constant says where nothing else does.
    #[must_use]
    pub fn or_named(self, name: &str) -> Self {
        if self == Self::Unknown { said(name) } else { self }
    }

    /// A number for each, to tell them apart.
    pub fn code(self) -> i128 {
        match self {
            Self::Unknown => 0,
            Self::Bits => 1,
            Self::Bytes(twos) => 2 + 2 * i128::from(twos),
            Self::Elements(twos) => 3 + 2 * i128::from(twos),
        }
    }
}

/// What a name says: `kAlignmentBytes`, `VEC_BYTES`, `kBits`, `kElemsPerLoad`. One that speaks of both is a factor between them.
fn said(name: &str) -> Measure {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let bytes = has(&["bytes", "nbytes", "numbytes"]);
    let bits = words.iter().any(|word| matches!(word.as_str(), "bit" | "bits" | "nbits" | "numbits"));
    // `kLog2Bytes`, `kBytesToElems`, `kElemsPerByte`.
    if has(&["log", "log2", "shift", "mask", "to", "byte", "bit"]) {
        return Measure::Unknown;
    }
    match (bytes, bits) {
        (true, false) => Measure::Bytes(0),
        (false, true) => Measure::Bits,
        (false, false) if has(&["elem", "elems", "element", "elements", "elts", "vec", "vals", "values"]) => {
            Measure::Elements(0)
        }
        (true, true) | (false, false) => Measure::Unknown,
    }
}

/// The words of a name, in small letters: `kAlignmentBytes`, `ALIGNMENT_BYTES`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = '_';
    for sign in name.chars() {
        let begins = before == '_' || (sign.is_ascii_uppercase() && !before.is_ascii_uppercase());
        if sign != '_' {
            match words.last_mut().filter(|_| !begins) {
                Some(word) => word.push(sign.to_ascii_lowercase()),
                None => words.push(sign.to_ascii_lowercase().to_string()),
            }
        }
        before = sign;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_counted() {
        for name in ["kBytes", "kAlignmentBytes", "ALIGN_BYTES", "bytes_per_load", "kVecBytes", "kNBytes"] {
            assert_eq!(said(name), Measure::Bytes(0), "{name}");
        }
        for name in ["kBits", "ACCESS_BITS", "kVecBits"] {
            assert_eq!(said(name), Measure::Bits, "{name}");
        }
        for name in ["kVec", "kElemsPerLoad", "VEC_SIZE"] {
            assert_eq!(said(name), Measure::Elements(0), "{name}");
        }
        for name in
            ["kBitsPerByte", "kBytesInBits", "kElemsPerByte", "kLog2Bytes", "kAlign", "kBytesToElems", "kVector", ""]
        {
            assert_eq!(said(name), Measure::Unknown, "{name}");
        }
    }

    #[test]
    fn what_operators_count() {
        let number = |value| Operand { value, literal: true, measure: Measure::Unknown };
        let named = |value| Operand { literal: false, ..number(value) };
        let counts = |value, measure| Operand { value, literal: false, measure };
        let bytes = counts(2, Measure::Bytes(0));
        assert_eq!(Measure::of(Op::Mul, bytes, number(4)), Measure::Bytes(2));
        assert_eq!(Measure::of(Op::Mul, number(8), bytes), Measure::Unknown);
        assert_eq!(Measure::of(Op::Mul, counts(8, Measure::Bytes(2)), number(2)), Measure::Unknown);
        assert_eq!(Measure::of(Op::Mul, bytes, named(8)), Measure::Unknown);
        assert_eq!(Measure::of(Op::Mul, bytes, counts(8, Measure::Elements(0))), Measure::Bytes(0));
        assert_eq!(Measure::of(Op::Div, number(16), bytes), Measure::Elements(0));
        assert_eq!(Measure::of(Op::Div, number(128), bytes), Measure::Unknown);
        let bits = counts(128, Measure::Bits);
        assert_eq!(Measure::of(Op::Div, bits, number(8)), Measure::Bytes(0));
        assert_eq!(Measure::of(Op::Div, bits, named(8)), Measure::Unknown);
        assert_eq!(Measure::of(Op::Mul, bits, number(8)), Measure::Bits);
        assert_eq!(Measure::of(Op::Add, bytes, bytes), Measure::Unknown);
        // `16 / sizeof(T) * 8 * sizeof(T)` is 128 bits.
        let eight = Measure::of(Op::Mul, counts(8, Measure::Elements(0)), number(8));
        assert_eq!(Measure::of(Op::Mul, counts(64, eight), bytes), Measure::Unknown);
    }
}
