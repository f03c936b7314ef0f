//! From offsets to the layout.

use crate::answer::Output;
use crate::code::{Code, Refusal};
use crate::kind::Values;
use crate::ops::answer;
use crate::table::{Op, Outcome, form};
use razorgirl::{Layout, Shape, find_modes};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "find_layout",
        meaning: "the layout with these offsets, or `null`",
        notes: "coalesced, of exactly that many elements; `null` if no layout has these offsets",
        forms: &[form!(_; f: Values => find(f))],
        lean: &["Razorgirl.findLayout"],
        example: (&["(0,4,1,5,2,6)"], "(2,3):(4,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "find_layout_over",
        meaning: "the constant and the layout over a refinement of a shape whose sum has these values, first mode fastest",
        notes: "`{\"constant\":k,\"layout\":L}`, L coalesced where the shape has a leaf; with strides below 0, or where L does \
                not fit, `\"signed_layout\"` in place of `\"layout\"`; values between -2^64 and 2^64; a refusal has a witness",
        forms: &[form!(_; shape: Shape, f: Values => find_over(shape, f))],
        lean: &["Razorgirl.findOver"],
        example: (&["(4,2)", "(7,8,3,4,17,18,13,14)"], "constant 7, signed_layout shape ((2,2),2), stride ((1,-4),10)"),
        ..Op::PLAIN
    },
];

fn find_over(shape: &Shape, values: &Values) -> Outcome {
    let values: Vec<i128> = match values {
        Values::Offsets(offsets) => offsets.iter().map(|value| (*value).into()).collect(),
        // What 128 bits do not hold is too large in any case, with this sign.
        Values::Digits(digits) => digits
            .iter()
            .map(|digits| digits.parse().unwrap_or(if digits.starts_with('-') { i128::MIN } else { i128::MAX }))
            .collect(),
    };
    let found = Layout::find_layout_over(shape, &values)?;
    let (name, layout) = if let Some(layout) = found.layout() {
        ("layout", Output::Layout(layout))
    } else {
        let (shape, stride) = (Output::Tuple(found.shape()?), Output::Signed(Box::new(found.stride()?)));
        ("signed_layout", Output::Named(vec![("shape", shape), ("stride", stride)]))
    };
    answer(Output::Named(vec![("constant", Output::Integer(found.constant())), (name, layout)]))
}

fn find(values: &Values) -> Outcome {
    match values {
        Values::Offsets(offsets) => answer(Layout::find_layout(offsets)?),
        Values::Digits(digits) if digits.iter().any(|value| value.starts_with('-')) => answer(Output::None),
        // Some offset is 2^64 or more. Whether a layout of unbounded integers has it decides between two answers, and
        // needs no more than differences of neighbours: of digits as they are written.
        Values::Digits(digits) => {
            let digits: Vec<&[u8]> = digits.iter().map(|digits| digits.trim_start_matches('0').as_bytes()).collect();
            if digits.first().is_some_and(|first| !first.is_empty()) {
                return answer(Output::None);
            }
            match find_modes(digits, difference) {
                Err(_) => answer(Output::None),
                Ok(_) => Err(Refusal::new(Code::Overflow, "the layout of these offsets has a cosize of 2^64 or more")
                    .with_help("1 + the largest offset must stay below 2^64")),
            }
        }
    }
}

/// Whether `entry - before` is below 0, and its decimal digits from the lowest on, the last one not 0. Neither number has
/// leading zeros. Takes no longer than reading both: so the whole search takes no longer than reading the line.
fn difference(before: &[u8], entry: &[u8]) -> (bool, Vec<u8>) {
    let below = (entry.len(), entry) < (before.len(), before);
    let (large, small) = if below { (before, entry) } else { (entry, before) };
    let mut borrow = 0;
    let mut subtracted = small.iter().rev().map(|digit| digit - b'0').chain(std::iter::repeat(0));
    let mut digits: Vec<u8> = Vec::with_capacity(large.len());
    for digit in large.iter().rev() {
        let less = subtracted.next().unwrap_or_default() + borrow;
        let digit = digit - b'0';
        borrow = u8::from(digit < less);
        digits.push(digit + 10 * borrow - less);
    }
    while digits.last() == Some(&0) {
        digits.pop();
    }
    (below, digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_digits() {
        let numbers: [u128; 9] = [0, 1, 9, 10, 99, 100, 101, u128::from(u64::MAX) - 1, u128::from(u64::MAX)];
        let digits = |number: u128| if number == 0 { String::new() } else { number.to_string() };
        for a in numbers {
            for b in numbers {
                let (below, of_difference) = difference(digits(a).as_bytes(), digits(b).as_bytes());
                let value = of_difference.iter().rev().fold(0_u128, |value, digit| value * 10 + u128::from(*digit));
                assert_eq!((below, value), (b < a, a.abs_diff(b)), "{b} - {a}");
                assert_ne!(of_difference.last(), Some(&0), "{b} - {a}");
            }
        }
    }
}
