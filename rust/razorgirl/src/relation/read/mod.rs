//! Relations in isl's notation read: the subset that layouts need.

use alloc::vec::Vec;

mod condition;
mod expression;
mod piece;
#[cfg(test)]
mod tests;
mod text;

use core::str::FromStr;

use self::text::Text;
use super::Relation;
use crate::error::{Error, Result};

/// The most nodes of expressions that are looked at while the points of a relation are listed: about a second.
const MAX_WORK: u64 = 1 << 26;

/// isl's notation: pieces separated by `;`, each an input tuple, an output tuple and a condition. Tuples and conditions hold quasi-affine
/// expressions; a condition joins comparisons by `and`, `or` and `not`. Every entry needs bounds, so that its points can be listed.
///
/// A name in a tuple is an integer variable; `2*c`, `2c` and `c*2` are multiples, `floor((c)/4)`, `floord(c,4)` and `c mod 4`
/// quotients and remainders. As in isl, `mod` binds more tightly than `*`: `2*c mod 3` is `2*(c mod 3)`. Parameters, names of
/// tuples, `exists`, `min`, `max` and conditional expressions are errors.
///
/// ```
/// use razorgirl::relation::Relation;
///
/// let mapping: Relation = "{ [c] -> [2*(c mod 4) + 8*floor((c)/4)] : 0 <= c < 8 }".parse()?;
/// assert_eq!(mapping, Relation::of_layout(&"(4,2):(2,8)".parse()?)?);
/// let error = "{ [c] -> [c mod 0] : 0 <= c < 8 }".parse::<Relation>().unwrap_err();
/// assert_eq!((error.to_string().as_str(), error.position()), ("a remainder by 0, at byte 16", Some(16)));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Errors: [`Parse`](crate::ErrorKind::Parse) with the byte; [`Overflow`](crate::ErrorKind::Overflow) for numbers beyond 128 bits;
/// [`TooLarge`](crate::ErrorKind::TooLarge) for an entry without bounds, for more pairs than a relation holds, and beyond 2^26 nodes of
/// expressions looked at.
impl FromStr for Relation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut text = Text::new(text);
        text.expect("{")?;
        let (mut pairs, mut work) = (Vec::new(), MAX_WORK);
        loop {
            // isl takes an empty piece at the end, too.
            if text.peek() == Some(b'}') {
                break;
            }
            let start = text.position();
            let piece = piece::read(&mut text)?;
            piece.list(&mut pairs, &mut work).map_err(|error| error.with_position(start))?;
            if !text.take(";") {
                break;
            }
        }
        text.expect("}")?;
        if text.peek().is_some() {
            return Err(text.expected("the end"));
        }
        Self::new(pairs)
    }
}
