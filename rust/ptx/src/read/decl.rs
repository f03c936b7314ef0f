//! Declarations of variables and parameters.

use super::lex::Kind;
use super::token::Tokens;
use super::{Error, Variable};

/// Bytes of a type, by its name without the dot: `f32` 4, `b128` 16, `f16x2` 4; none if it is none.
pub(crate) fn type_bytes(name: &str) -> Option<u64> {
    let (name, twice) = name.strip_suffix("x2").map_or((name, 1), |x| (x, 2));
    let digits = name.find(|x: char| x.is_ascii_digit())?;
    let (kind, bits) = name.split_at(digits);
    let bits = match (kind, bits) {
        ("b" | "u" | "s" | "f" | "bf" | "tf", "8" | "16" | "32" | "64" | "128") => bits.parse::<u64>().ok()?,
        ("e", "4m3" | "5m2") => 8,
        _ => return None,
    };
    Some(bits / 8 * twice)
}

/// Reads what follows a space's directive up to `;`, `,`, `)` or `=`, which stay: `.align 16 .b8 name[64][32]`.
pub(crate) fn variable(tokens: &mut Tokens, space: &str) -> Result<Variable, Error> {
    let at = tokens.place();
    let (mut align, mut element, mut lanes, mut pointee, mut pointer) = (None, None, 1u64, None, false);
    let name = loop {
        let word = tokens.word()?;
        match word {
            ".align" => {
                let value = tokens.integer()?;
                if !value.is_power_of_two() {
                    return Err(Error::new(
                        at,
                        format!("an alignment must be a power of two: {value}"),
                        "write .align 16",
                    ));
                }
                if pointer { pointee = Some(value) } else { align = Some(value) }
            }
            ".ptr" => pointer = true,
            ".v2" => lanes = 2,
            ".v4" => lanes = 4,
            ".v8" => lanes = 8,
            _ => match word.strip_prefix('.') {
                Some(rest) => element = type_bytes(rest).or(element),
                None => break word.to_owned(),
            },
        }
    };
    let element = element.unwrap_or(1);
    let large = || Error::new(at, "the variable has more than 2^64 bytes", "declare fewer elements");
    let mut bytes = Some(element.checked_mul(lanes).ok_or_else(large)?);
    while tokens.take(b'[')? {
        if tokens.take(b']')? {
            bytes = None;
            continue;
        }
        let count = tokens.integer()?;
        tokens.expect(b']')?;
        bytes = bytes.map(|x| x.checked_mul(count).ok_or_else(large)).transpose()?;
    }
    let align = align.unwrap_or(element * lanes).max(1);
    Ok(Variable { name, at, space: space.to_owned(), align, bytes, pointee_align: pointee, element })
}

/// Skips `= {…}` up to `,` or `;`, which stays. Braces nest without recursion.
pub(crate) fn initializer(tokens: &mut Tokens) -> Result<(), Error> {
    if !tokens.take(b'=')? {
        return Ok(());
    }
    let mut depth = 0usize;
    while let Some(kind) = tokens.peek() {
        match kind {
            Kind::Mark(b'{' | b'(') => depth += 1,
            Kind::Mark(b'}' | b')') => depth = depth.saturating_sub(1),
            Kind::Mark(b',') if depth == 0 => break,
            Kind::Mark(b';') => break,
            _ => {}
        }
        tokens.next()?;
    }
    Ok(())
}
