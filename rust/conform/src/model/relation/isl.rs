//! The texts in isl's notation that are asked about: pairs one by one, and one sum over the first numbers.

use super::{Pairs, Tuple};
use num_bigint::BigInt;

/// More numbers than this are not looked at.
const MOST: u32 = 1 << 10;

/// The pairs of a text, unless it is another one.
pub(super) fn read(text: &str) -> Option<Pairs> {
    let inside = text.strip_prefix("{ ")?.strip_suffix(" }")?;
    let Some(sum) = inside.strip_prefix("[c] -> [") else {
        return inside.split("; ").map(pair).collect();
    };
    let (sum, size) = sum.split_once("] : 0 <= c < ")?;
    let size: u32 = size.parse().ok().filter(|size| *size <= MOST)?;
    let image = |c: u32| {
        let mut reader = Reader { rest: sum, c: c.into() };
        let value = reader.sum()?;
        reader.rest.is_empty().then(|| (vec![c.into()], vec![value]))
    };
    // A text that is none has no pairs either where no number is asked for.
    image(0)?;
    (0..size).map(image).collect()
}

fn pair(text: &str) -> Option<(Tuple, Tuple)> {
    let (input, image) = text.split_once(" -> ")?;
    Some((tuple(input)?, tuple(image)?))
}

fn tuple(text: &str) -> Option<Tuple> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    if inside.is_empty() { Some(Vec::new()) } else { inside.split(',').map(|number| number.parse().ok()).collect() }
}

struct Reader<'a> {
    rest: &'a str,
    c: BigInt,
}

impl Reader<'_> {
    fn take(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<BigInt> {
        let mut sum = self.term()?;
        while self.take(" + ") {
            sum += self.term()?;
        }
        Some(sum)
    }

    /// `2*c mod 4` is twice the remainder.
    fn term(&mut self) -> Option<BigInt> {
        let value = if self.take("(") {
            let inside = self.sum()?;
            self.take(")").then_some(inside)?
        } else if self.take("floor((") {
            let over = self.sum()?;
            let by = self.take(")/").then(|| self.divisor())??;
            self.take(")").then(|| floor(&over, &by))?
        } else if self.take("c") {
            self.c.clone()
        } else {
            let number = self.number()?;
            if self.take("*") {
                return Some(number * self.term()?);
            }
            number
        };
        if self.take(" mod ") {
            let by = self.divisor()?;
            return Some(&value - floor(&value, &by) * &by);
        }
        Some(value)
    }

    fn divisor(&mut self) -> Option<BigInt> {
        self.number().filter(|by| *by > BigInt::from(0))
    }

    fn number(&mut self) -> Option<BigInt> {
        let sign = usize::from(self.rest.starts_with('-'));
        let digits = self.rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let number: BigInt = self.rest[..sign + digits].parse().ok()?;
        self.rest = &self.rest[sign + digits..];
        Some(number)
    }
}

/// Rounded down.
fn floor(over: &BigInt, by: &BigInt) -> BigInt {
    let zero = BigInt::from(0);
    let quotient = over / by;
    if over % by != zero && (*over < zero) != (*by < zero) { quotient - 1 } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_ours_are_read() {
        let images =
            |text: &str| Some(read(text)?.into_iter().map(|(_, y)| y[0].to_string()).collect::<Vec<_>>().join(" "));
        assert_eq!(images("{ [c] -> [2*(c mod 4) + floor((c)/4)] : 0 <= c < 6 }").as_deref(), Some("0 2 4 6 1 3"));
        assert_eq!(images("{ [0] -> [-2]; [5,6] -> [3] }").as_deref(), Some("-2 3"));
        assert_eq!(images("{ [c] -> [2*c mod 3 + -1] : 0 <= c < 4 }").as_deref(), Some("-1 1 3 -1"));
        assert_eq!(images("{ [c] -> [d] : 0 <= c < 4 }"), None);
        assert_eq!(images("{ [c] -> [2*c + *c] : 0 <= c < 0 }"), None);
        assert_eq!(images("{ [c] -> [2*c] : 0 <= c < 0 }").as_deref(), Some(""));
        assert_eq!(images("{ [c] -> [c] : 0 <= c < 9999 }"), None);
    }
}
