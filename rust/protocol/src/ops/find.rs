//! From offsets to the layout.

use razorgirl::{Layout, find_modes};

use crate::code::{Code, Refusal};
use crate::operand::Operand;
use crate::value::Leaf;
use crate::write::Answer;

use super::{Options, Outcome, mismatch};

pub(super) fn find_layout(operands: &[Operand], options: &Options) -> Outcome {
    let [Operand::Offsets(leaves)] = operands else {
        return Err(mismatch());
    };
    let null = || Ok(Answer::plain("null"));
    if leaves.contains(&Leaf::Negative) {
        return null();
    }
    let fits = leaves.iter().map(|leaf| match leaf {
        Leaf::Fits(offset) => Some(*offset),
        _ => None,
    });
    if let Some(offsets) = fits.collect::<Option<Vec<u64>>>() {
        return match Layout::find_layout(&offsets)? {
            Some(layout) => Ok(Answer::layout(&layout)),
            None => null(),
        };
    }
    // Some offset is 2^64 or more. Whether a layout of unbounded integers has it decides between two answers, and needs
    // no more than sums of two offsets: of digits as they are written.
    let text = options.args().as_bytes();
    let digits: Vec<Digits> = leaves.iter().map(|leaf| Digits::new(*leaf, text)).collect();
    let adds = |a: usize, b: usize, sum: usize| match (digits.get(a), digits.get(b), digits.get(sum)) {
        (Some(a), Some(b), Some(sum)) => sum.is_sum(a, b),
        _ => false,
    };
    match find_modes(digits.len(), adds) {
        None => null(),
        Some(_) => Err(Refusal::new(Code::Overflow, "the layout of these offsets has a cosize of 2^64 or more")
            .with_help("1 + the largest offset must stay below 2^64")),
    }
}

/// A natural number in decimal, most significant digit first.
enum Digits<'a> {
    Small { digits: [u8; 20], start: usize },
    Large(&'a [u8]),
}

impl<'a> Digits<'a> {
    fn new(leaf: Leaf, text: &'a [u8]) -> Self {
        let mut rest = match leaf {
            Leaf::Huge { start, end } => {
                let place = start as usize..end as usize;
                return Self::Large(text.get(place).unwrap_or_default());
            }
            Leaf::Fits(value) => value,
            _ => 0,
        };
        let mut digits = [b'0'; 20];
        let mut start = digits.len();
        for (place, digit) in digits.iter_mut().enumerate().rev() {
            if rest == 0 {
                break;
            }
            *digit = b'0' + u8::try_from(rest % 10).unwrap_or_default();
            rest /= 10;
            start = place;
        }
        Self::Small { digits, start }
    }

    /// Without leading zeros; none for 0.
    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Small { digits, start } => digits.get(*start..).unwrap_or_default(),
            Self::Large(digits) => digits,
        }
    }

    /// Whether this is `a + b`. Takes no longer than reading the longest of the three, and no time at all where the
    /// lengths say no: so the whole search takes no longer than reading the line.
    fn is_sum(&self, a: &Self, b: &Self) -> bool {
        let (sum, a, b) = (self.as_bytes(), a.as_bytes(), b.as_bytes());
        let longest = a.len().max(b.len());
        if sum.len() != longest && sum.len() != longest + 1 {
            return false;
        }
        let mut digits = (a.iter().rev(), b.iter().rev());
        let mut carry = 0;
        for expected in sum.iter().rev() {
            let digit = |next: Option<&u8>| next.map_or(0, |digit| digit - b'0');
            let total = digit(digits.0.next()) + digit(digits.1.next()) + carry;
            if total % 10 != expected - b'0' {
                return false;
            }
            carry = total / 10;
        }
        carry == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_digits() {
        let numbers = [0, 1, 9, 10, 99, 100, 101, u64::MAX - 1, u64::MAX];
        for a in numbers {
            for b in numbers {
                let text = (u128::from(a) + u128::from(b)).to_string();
                let end = u32::try_from(text.len()).unwrap();
                let leaf = match text.parse() {
                    Ok(sum) => Leaf::Fits(sum),
                    Err(_) => Leaf::Huge { start: 0, end },
                };
                let (a, b) = (Digits::new(Leaf::Fits(a), b""), Digits::new(Leaf::Fits(b), b""));
                let sum = Digits::new(leaf, text.as_bytes());
                assert!(sum.is_sum(&a, &b), "{text}");
                let more = (text.parse::<u128>().unwrap() + 1).to_string();
                let end = u32::try_from(more.len()).unwrap();
                let more = Digits::new(Leaf::Huge { start: 0, end }, more.as_bytes());
                assert!(!more.is_sum(&a, &b), "{text} + 1");
            }
        }
    }
}
