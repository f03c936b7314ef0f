//! Operations on bits: what is known bit by bit is kept.

use super::{Context, Kind, Lanes, Mask, Value, ones};

/// An operation on bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bitwise {
    /// a & b
    And,
    /// a | b
    Or,
    /// a ^ b
    Xor,
}

impl Bitwise {
    fn of(self, a: u64, b: u64) -> u64 {
        match self {
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
        }
    }
}

/// Without its low k bits, and those.
fn split(value: &Value, k: u32) -> (Value, Lanes) {
    let high = Value { bits: value.bits, known: value.known.map(|x| x & !ones(k)), terms: value.terms.clone() };
    (high, value.known.map(|x| x & ones(k)))
}

impl Context<'_> {
    /// `a op b` of values with as many bits.
    pub fn bitwise(&mut self, op: Bitwise, a: &Value, b: &Value) -> Value {
        let bits = a.bits.min(b.bits);
        let (a, b) = (a.narrow(bits), b.narrow(bits));
        if a.is_known() && b.is_known() {
            return Value { bits, known: a.known.zip(&b.known, |x, y| op.of(x, y)), terms: Vec::new() };
        }
        if a == b {
            return if op == Bitwise::Xor { Value { bits, known: Lanes::Same(0), terms: Vec::new() } } else { a };
        }
        let all = Mask::all(self.threads);
        let k = a.free_bits(self.symbols, &all).min(b.free_bits(self.symbols, &all));
        let ((a, low_a), (b, low_b)) = (split(&a, k), split(&b, k));
        let low = Value { bits, known: low_a.zip(&low_b, |x, y| op.of(x, y)), terms: Vec::new() };
        if k >= bits {
            return low;
        }
        // the low k bits are known; the rest are multiples of 2^k
        self.bitwise_high(op, &a, &b, k).add(&low)
    }

    /// The operation on multiples of 2^k.
    fn bitwise_high(&mut self, op: Bitwise, a: &Value, b: &Value, k: u32) -> Value {
        let bits = a.bits;
        let zero = Value { bits, known: Lanes::Same(0), terms: Vec::new() };
        if a == b {
            return if op == Bitwise::Xor { zero } else { a.clone() };
        }
        for (x, y) in [(a, b), (b, a)] {
            let Some(constant) = y.one() else { continue };
            let full = ones(bits) & !ones(k);
            match op {
                Bitwise::And if constant == 0 => return zero,
                Bitwise::Or if constant == full => return y.clone(),
                Bitwise::And if constant == full => return x.clone(),
                Bitwise::Or | Bitwise::Xor if constant == 0 => return x.clone(),
                Bitwise::And => {
                    let (low, top) = x.span(self.symbols, self.mask, false);
                    if constant.wrapping_add(1 << k).is_power_of_two()
                        && low >= 0
                        && top < i128::from(constant) + (1 << k)
                    {
                        return x.clone();
                    }
                    // low ones of the constant above k: the bits above them do not matter
                    let zeros = constant.trailing_zeros().max(k);
                    let most = constant.min(u64::try_from(top).unwrap_or(u64::MAX));
                    // how far an address is above a multiple of its alignment is no address
                    let address = |(s, _): &&(u32, Lanes)| self.symbols.of(*s).base;
                    let mut bases = x.terms.iter().filter(address).map(|(s, _)| &self.symbols.of(*s).kind);
                    let one = matches!((bases.next(), bases.next()), (Some(Kind::Variable(_)), None));
                    let base = x.has_base(self.symbols, self.mask) && !(one && constant < 4096);
                    return self.depends(&[x], zeros, bits, most, base);
                }
                // bits that the other cannot have are added
                _ => {
                    let (low, top) = x.span(self.symbols, self.mask, false);
                    let top = u64::try_from(top).unwrap_or(u64::MAX);
                    let under = u64::MAX.checked_shr(top.leading_zeros()).unwrap_or(0);
                    if low >= 0 && constant & under == 0 {
                        return x.add(y);
                    }
                }
            }
        }
        let most = match op {
            Bitwise::And => {
                let top = |x: &Value, this: &Self| {
                    u64::try_from(x.span(this.symbols, this.mask, false).1).unwrap_or(u64::MAX)
                };
                top(a, self).min(top(b, self))
            }
            _ => u64::MAX,
        };
        self.opaque(&[a, b], k, bits, most)
    }

    /// `value << by`.
    pub fn shift_left(&mut self, value: &Value, by: &Value) -> Value {
        let bits = value.bits;
        if by.is_known() {
            let factor = by.known.map(|x| if x >= u64::from(bits) { 0 } else { 1 << x });
            return value.scale(&factor);
        }
        let zeros = value.trailing_zeros(self.symbols, self.mask).min(63);
        self.opaque(&[value, by], zeros, bits, u64::MAX)
    }

    /// `a / b` or `a % b` of unsigned or signed numbers.
    pub fn divide(&mut self, a: &Value, b: &Value, is_signed: bool, remainder: bool) -> Value {
        let bits = a.bits.min(b.bits);
        let (a, b) = (a.narrow(bits), b.narrow(bits));
        let by_zero = b.known.on(self.mask).any(|x| x == 0);
        if a.is_known() && b.is_known() && !by_zero {
            let known = a.known.zip(&b.known, |x, y| {
                let result = if is_signed {
                    let (x, y) = (super::signed(x, bits), super::signed(y, bits));
                    if y == 0 {
                        0
                    } else if remainder {
                        x.wrapping_rem(y).cast_unsigned()
                    } else {
                        x.wrapping_div(y).cast_unsigned()
                    }
                } else if remainder {
                    x.checked_rem(y).unwrap_or(0)
                } else {
                    x.checked_div(y).unwrap_or(0)
                };
                result & ones(bits)
            });
            return Value { bits, known, terms: Vec::new() };
        }
        if let (Some(by), false) = (b.one().filter(|x| x.is_power_of_two()), is_signed) {
            if remainder {
                return self.bitwise(Bitwise::And, &a, &Value { bits, ..Value::number(by - 1) });
            }
            return self.shift_right(&a, by.trailing_zeros(), false);
        }
        let top = u64::try_from(a.span(self.symbols, self.mask, false).1).unwrap_or(u64::MAX);
        let most = match (is_signed, b.one()) {
            (false, Some(by @ 1..)) if remainder => top.min(by - 1),
            (false, Some(by @ 1..)) => top / by,
            (false, _) if b.is_known() && !by_zero => top,
            _ => u64::MAX,
        };
        self.opaque(&[&a, &b], 0, bits, most)
    }
}
