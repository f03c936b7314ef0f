//! Integers as they are written, before it is known what they are for.

use core::fmt;

/// An integer that was read.
///
/// What does not fit into 64 bits is not wrong in itself: a stride of 2^64 under an extent of 1 never matters. So the
/// reader keeps such numbers apart and whoever knows their purpose judges them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// Below 0.
    Negative,
    /// Below 2^64.
    Fits(u64),
    /// 2^64 or more.
    Huge,
}

impl Default for Literal {
    fn default() -> Self {
        Self::Fits(0)
    }
}

impl Literal {
    /// Reads decimal digits with an optional minus; nothing if there is anything else or no digit.
    ///
    /// ```
    /// use razorgirl::Literal;
    ///
    /// assert_eq!(Literal::read(b"12"), Some(Literal::Fits(12)));
    /// assert_eq!(Literal::read(b"18446744073709551616"), Some(Literal::Huge));
    /// assert_eq!(Literal::read(b"-0"), Some(Literal::Fits(0)));
    /// assert_eq!(Literal::read(b"1e3"), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        let (negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        if digits.is_empty() {
            return None;
        }
        let mut value = Some(0_u64);
        for byte in digits {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            value = value.and_then(|v| v.checked_mul(10)).and_then(|v| v.checked_add(u64::from(digit)));
        }
        Some(match (value, negative) {
            (Some(0), _) => Self::Fits(0),
            (_, true) => Self::Negative,
            (Some(value), _) => Self::Fits(value),
            (None, _) => Self::Huge,
        })
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Negative => f.write_str("a negative number"),
            Self::Fits(value) => value.fmt(f),
            Self::Huge => f.write_str("a number of 2^64 or more"),
        }
    }
}
