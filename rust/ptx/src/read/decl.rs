//! Declarations of variables and parameters.

use super::lex::Kind;
use super::token::Tokens;
use super::{Error, Place, Variable};

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

/// What a declaration says before its names: `.align 16 .v2 .f32`.
#[derive(Clone, Copy)]
struct Attributes {
    align: Option<u64>,
    element: Option<u64>,
    lanes: u64,
    pointee: Option<u64>,
}

fn alignment(tokens: &mut Tokens) -> Result<u64, Error> {
    let at = tokens.place();
    let value = tokens.integer()?;
    if value.is_power_of_two() {
        return Ok(value);
    }
    Err(Error::new(at, format!("an alignment must be a power of two: {value}"), "write .align 16"))
}

/// Reads attributes up to the first name, which is taken.
fn attributes<'a>(tokens: &mut Tokens<'a>) -> Result<(Attributes, &'a str), Error> {
    let mut all = Attributes { align: None, element: None, lanes: 1, pointee: None };
    let mut pointer = false;
    loop {
        let word = tokens.word()?;
        match word {
            ".align" if pointer => all.pointee = Some(alignment(tokens)?),
            ".align" => all.align = Some(alignment(tokens)?),
            ".ptr" => pointer = true,
            ".v2" => all.lanes = 2,
            ".v4" => all.lanes = 4,
            ".v8" => all.lanes = 8,
            _ => match word.strip_prefix('.') {
                Some(rest) => all.element = type_bytes(rest).or(all.element),
                None => return Ok((all, word)),
            },
        }
    }
}

/// Reads the extents behind a name: `[64][32]`.
fn declared(tokens: &mut Tokens, space: &str, all: Attributes, name: &str, at: Place) -> Result<Variable, Error> {
    let element = all.element.unwrap_or(1);
    let large = || Error::new(at, "the variable has more than 2^64 bytes", "declare fewer elements");
    let mut bytes = Some(element.checked_mul(all.lanes).ok_or_else(large)?);
    while tokens.take(b'[')? {
        if tokens.take(b']')? {
            bytes = None;
            continue;
        }
        let count = tokens.integer()?;
        tokens.expect(b']')?;
        bytes = bytes.map(|x| x.checked_mul(count).ok_or_else(large)).transpose()?;
    }
    let align = all.align.unwrap_or(element * all.lanes).max(1);
    let (name, space) = (name.to_owned(), space.to_owned());
    Ok(Variable { name, at, space, align, bytes, pointee_align: all.pointee, element })
}

/// Reads a parameter from behind its space's directive, up to `,` or `)`, which stays.
pub(crate) fn variable(tokens: &mut Tokens, space: &str) -> Result<Variable, Error> {
    let at = tokens.place();
    let (all, name) = attributes(tokens)?;
    declared(tokens, space, all, name, at)
}

/// Reads what follows a space's directive to its `;`: `.align 16 .f32 a[64], b[64] = {…};`. All names have one type.
pub(crate) fn variables<'a>(tokens: &mut Tokens<'a>, space: &str) -> Result<Vec<(&'a str, Variable)>, Error> {
    let mut at = tokens.place();
    let (all, mut name) = attributes(tokens)?;
    let mut list = Vec::new();
    loop {
        list.push((name, declared(tokens, space, all, name, at)?));
        initializer(tokens)?;
        if !tokens.take(b',')? {
            tokens.expect(b';')?;
            return Ok(list);
        }
        at = tokens.place();
        name = tokens.word()?;
    }
}

/// Skips `= {…}` up to `,` or `;`, which stays. Braces nest without recursion.
fn initializer(tokens: &mut Tokens) -> Result<(), Error> {
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
