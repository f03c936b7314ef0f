//! From offsets to the layout.

use crate::answer::Output;
use crate::code::{Code, Refusal};
use crate::kind::Values;
use crate::ops::answer;
use crate::table::{Op, Outcome, STRICT, form};
use razorgirl::{Layout, find_modes};

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "find_layout",
    meaning: "the layout with these offsets, or none",
    notes: "the coalesced layout of exactly that many offsets, or `null` when no layout has that function",
    forms: &[form!(_; f: Values => find(f))],
    modes: STRICT,
    idle: &[],
    beside: &[],
    lean: &["Razorgirl.findLayout"],
    cute: None,
    example: (&["(0,4,1,5,2,6)"], "(2,3):(4,1)"),
}];

fn find(values: &Values) -> Outcome {
    match values {
        Values::Offsets(offsets) => answer(Layout::find_layout(offsets)?),
        Values::Digits(digits) if digits.iter().any(|value| value.starts_with('-')) => answer(Output::None),
        // Some offset is 2^64 or more. Whether a layout of unbounded integers has it decides between two answers, and
        // needs no more than sums of two offsets: of digits as they are written.
        Values::Digits(digits) => {
            let place = |at: usize| digits.get(at).map(|digits| digits.trim_start_matches('0').as_bytes());
            let adds = |a: usize, b: usize, sum: usize| match (place(a), place(b), place(sum)) {
                (Some(a), Some(b), Some(sum)) => is_sum(a, b, sum),
                _ => false,
            };
            match find_modes(digits.len(), adds) {
                None => answer(Output::None),
                Some(_) => {
                    Err(Refusal::new(Code::Overflow, "the layout of these offsets has a cosize of 2^64 or more")
                        .with_help("1 + the largest offset must stay below 2^64"))
                }
            }
        }
    }
}

/// Whether `sum` is `a + b`, of decimal digits without leading zeros. Takes no longer than reading the longest of the
/// three, and no time at all where the lengths say no: so the whole search takes no longer than reading the line.
fn is_sum(a: &[u8], b: &[u8], sum: &[u8]) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_digits() {
        let numbers: [u128; 9] = [0, 1, 9, 10, 99, 100, 101, u128::from(u64::MAX) - 1, u128::from(u64::MAX)];
        let digits = |number: u128| if number == 0 { String::new() } else { number.to_string() };
        for a in numbers {
            for b in numbers {
                for sum in [a + b, a + b + 1, (a + b).saturating_sub(1), (a + b) * 10] {
                    let holds = is_sum(digits(a).as_bytes(), digits(b).as_bytes(), digits(sum).as_bytes());
                    assert_eq!(holds, a + b == sum, "{a} + {b} = {sum}");
                }
            }
        }
    }
}
