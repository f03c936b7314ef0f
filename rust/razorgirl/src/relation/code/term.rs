//! Terms of index code, built without operators that change nothing.

use alloc::boxed::Box;

/// A value that code computes with unsigned integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// The index, or one of several coordinates.
    Index(usize),
    /// What the first statement has computed.
    Before,
    Number(u64),
    Apply(Operator, Box<(Term, Term)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    And,
    Xor,
    Left,
    Right,
}

impl Term {
    fn apply(operator: Operator, a: Self, b: Self) -> Self {
        Self::Apply(operator, Box::new((a, b)))
    }

    pub(super) fn add(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Number(0), _) => other,
            (_, Self::Number(0)) => self,
            _ => Self::apply(Operator::Add, self, other),
        }
    }

    pub(super) fn sub(self, other: Self) -> Self {
        if other == Self::Number(0) { self } else { Self::apply(Operator::Sub, self, other) }
    }

    pub(super) fn xor(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Number(0), _) => other,
            (_, Self::Number(0)) => self,
            _ => Self::apply(Operator::Xor, self, other),
        }
    }

    /// By a power of two it is a shift.
    pub(super) fn times(self, n: u64) -> Self {
        match n {
            0 => Self::Number(0),
            1 => self,
            n if n.is_power_of_two() => self.left(n.trailing_zeros()),
            n => Self::apply(Operator::Mul, self, Self::Number(n)),
        }
    }

    /// By a power of two it is a shift.
    pub(super) fn over(self, n: u64) -> Self {
        match n {
            0 | 1 => self,
            n if n.is_power_of_two() => self.right(n.trailing_zeros()),
            n => Self::apply(Operator::Div, self, Self::Number(n)),
        }
    }

    /// By a power of two it is a mask.
    pub(super) fn modulo(self, n: u64) -> Self {
        match n {
            0 => self,
            1 => Self::Number(0),
            n if n.is_power_of_two() => self.and(n - 1),
            n => Self::apply(Operator::Mod, self, Self::Number(n)),
        }
    }

    pub(super) fn and(self, mask: u64) -> Self {
        if mask == 0 { Self::Number(0) } else { Self::apply(Operator::And, self, Self::Number(mask)) }
    }

    pub(super) fn left(self, bits: u32) -> Self {
        if bits == 0 { self } else { Self::apply(Operator::Left, self, Self::Number(bits.into())) }
    }

    pub(super) fn right(self, bits: u32) -> Self {
        if bits == 0 { self } else { Self::apply(Operator::Right, self, Self::Number(bits.into())) }
    }

    /// The same of another coordinate.
    pub(super) fn of(self, place: usize) -> Self {
        match self {
            Self::Index(_) => Self::Index(place),
            Self::Apply(operator, pair) => Self::apply(operator, pair.0.of(place), pair.1.of(place)),
            other => other,
        }
    }

    /// How many operators it has. Recursion here and below: a term is no deeper than a sum over the bits of an index.
    pub(super) fn operations(&self) -> usize {
        match self {
            Self::Apply(_, pair) => pair.0.operations() + pair.1.operations() + 1,
            _ => 0,
        }
    }

    /// The value modulo 2^64; none for a division by 0, which no term has.
    pub(super) fn value(&self, indices: &[u64], before: u64) -> Option<u64> {
        let Self::Apply(operator, pair) = self else {
            return Some(match self {
                Self::Index(place) => *indices.get(*place)?,
                Self::Before => before,
                Self::Number(n) => *n,
                Self::Apply(..) => return None,
            });
        };
        let (a, b) = (pair.0.value(indices, before)?, pair.1.value(indices, before)?);
        Some(match operator {
            Operator::Add => a.wrapping_add(b),
            Operator::Sub => a.wrapping_sub(b),
            Operator::Mul => a.wrapping_mul(b),
            Operator::Div => a.checked_div(b)?,
            Operator::Mod => a.checked_rem(b)?,
            Operator::And => a & b,
            Operator::Xor => a ^ b,
            Operator::Left => a.checked_shl(u32::try_from(b).ok()?)?,
            Operator::Right => a.checked_shr(u32::try_from(b).ok()?)?,
        })
    }

    /// The largest number that stands in it; a shift by n is a number of more than n bits.
    pub(super) fn largest(&self) -> u64 {
        match self {
            Self::Number(n) => *n,
            Self::Apply(Operator::Left | Operator::Right, pair) => {
                let far = pair.1.largest();
                let shifted = u32::try_from(far).ok().and_then(|far| 1_u64.checked_shl(far)).unwrap_or(u64::MAX);
                pair.0.largest().max(shifted)
            }
            Self::Apply(_, pair) => pair.0.largest().max(pair.1.largest()),
            _ => 0,
        }
    }
}
