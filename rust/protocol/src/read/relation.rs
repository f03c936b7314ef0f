//! Relations: pairs of integers, or isl's notation.

use super::{Read, each, literal};
use crate::code::{Code, Refusal};
use razorgirl::relation::{MAX_NUMBERS, MAX_PAIRS, Relation};

/// A list of pairs, each a list of two lists of integers.
pub(super) fn relation(json: &str) -> Read<Relation> {
    let (mut pairs, mut numbers) = (Vec::new(), 0_usize);
    each(json, &mut |pair| {
        let mut tuples = Vec::new();
        each(pair, &mut |item| {
            let mut tuple = Vec::new();
            each(item, &mut |number| {
                literal(number)?;
                let number = between(number)?;
                numbers += 1;
                // One more than is kept, so that the library says what is too much.
                if numbers <= MAX_NUMBERS + 1 {
                    tuple.push(number);
                }
                Ok(())
            })?;
            tuples.push(tuple);
            Ok(())
        })?;
        let Ok([input, image]) = <[_; 2]>::try_from(tuples) else {
            return Err(Refusal::new(Code::Parse, "a pair has an input and an image, two lists of integers").into());
        };
        if pairs.len() <= MAX_PAIRS {
            pairs.push((input, image));
        }
        Ok(())
    })?;
    Ok(Relation::new(pairs)?)
}

/// A relation in isl's notation, of integers between -2^64 and 2^64.
pub(crate) fn relation_of_isl(text: &str) -> Result<Relation, Refusal> {
    let relation: Relation = text.parse()?;
    let beyond = |number: &&i128| number.unsigned_abs() >> 64 != 0;
    match relation.pairs().iter().flat_map(|(x, y)| x.iter().chain(y)).find(beyond) {
        None => Ok(relation),
        Some(number) => Err(Refusal::new(Code::Overflow, format!("{number} must be between -2^64 and 2^64"))
            .with_help("use integers whose magnitude is below 2^64")),
    }
}

/// An integer between -2^64 and 2^64.
fn between(digits: &str) -> Read<i128> {
    match digits.parse::<i128>() {
        Ok(number) if number.unsigned_abs() >> 64 == 0 => Ok(number),
        _ => Err(Refusal::new(Code::Overflow, format!("{digits:.40} must be between -2^64 and 2^64"))
            .with_help("use integers whose magnitude is below 2^64")
            .into()),
    }
}
