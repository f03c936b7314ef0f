//! From bytes to text.
//!
//! UTF-8 is repaired without moving a byte: a byte that is not UTF-8 becomes `?` and a NUL becomes a space, so that every later
//! position is a position in the file on disk. UTF-16 is decoded, so that lines and columns are those of the file.

use std::ops::Range;

/// Bytes that are looked at to tell UTF-16 without a byte order mark.
const LOOKED_AT: usize = 64;

/// Why bytes cannot be read as text, if they cannot.
pub fn refused(bytes: &[u8]) -> Option<&'static str> {
    let utf32 = bytes.starts_with(b"\xff\xfe\0\0") || bytes.starts_with(b"\0\0\xfe\xff");
    utf32.then_some("UTF-32 text is not read; save the file as UTF-8")
}

/// The text that bytes are.
pub fn decode(bytes: Vec<u8>) -> String {
    let unit: fn([u8; 2]) -> u16 = match utf16(&bytes) {
        Some(Order::Little) => u16::from_le_bytes,
        Some(Order::Big) => u16::from_be_bytes,
        None => return repair(bytes),
    };
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).skip_while(|unit| *unit == 0xfeff);
    let text = char::decode_utf16(units).map(|char| match char {
        Ok('\0') => ' ',
        Ok(char) => char,
        Err(_) => '?',
    });
    text.collect()
}

enum Order {
    Little,
    Big,
}

/// UTF-16 by its byte order mark, or because nearly every other byte of its beginning is 0.
fn utf16(bytes: &[u8]) -> Option<Order> {
    if bytes.starts_with(b"\xff\xfe") {
        return Some(Order::Little);
    }
    if bytes.starts_with(b"\xfe\xff") {
        return Some(Order::Big);
    }
    let head = bytes.get(..LOOKED_AT.min(bytes.len() & !1)).filter(|head| head.len() >= 8)?;
    let zero = |offset: usize| head.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    // A comment may be in any script; the code is not.
    let pairs = head.len() / 2;
    let (most, few) = (|zeros: usize| zeros * 4 > pairs * 3, |zeros: usize| zeros * 8 < pairs);
    match (zero(0), zero(1)) {
        (even, odd) if few(even) && most(odd) => Some(Order::Little),
        (even, odd) if few(odd) && most(even) => Some(Order::Big),
        _ => None,
    }
}

fn repair(mut bytes: Vec<u8>) -> String {
    if memchr::memchr(0, &bytes).is_some() {
        bytes.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
    }
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut from = 0;
    while let Err(error) = std::str::from_utf8(&text[from..]) {
        let bad: Range<usize> = {
            let start = from + error.valid_up_to();
            start..start + error.error_len().unwrap_or(text.len() - start)
        };
        from = bad.end;
        text[bad].fill(b'?');
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repair_keeps_every_position() {
        for bytes in [&b"a\0b\xff\xfec\xe2\x82"[..], b"\xe2\x82\xac ok", b"", b"\xc3"] {
            let text = repair(bytes.to_vec());
            assert_eq!(text.len(), bytes.len());
        }
        assert_eq!(repair(b"a\0b\xffc\xe2\x82".to_vec()), "a b?c??");
    }

    #[test]
    fn utf16_is_read_with_and_without_a_mark() {
        let text = "using Ç = Layout<_4>; // 😀";
        for mark in ["", "\u{feff}"] {
            let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            assert_eq!((decode(little).as_str(), decode(big).as_str()), (text, text));
        }
        // A lone surrogate, and a byte too many.
        assert_eq!(decode(b"\xff\xfea\0\0\xd8b\0c".to_vec()), "a?b");
    }

    #[test]
    fn bytes_that_are_no_utf16_stay_where_they_are() {
        for bytes in [&b"int\0x;\0\0\0"[..], b"a\0", b"", b"\0\0\0\0\0\0\0\0\0\0"] {
            assert_eq!(decode(bytes.to_vec()).len(), bytes.len());
        }
    }

    #[test]
    fn utf32_is_refused() {
        assert!(refused(b"\xff\xfe\0\0a\0\0\0").is_some());
        assert!(refused(b"\xff\xfea\0").is_none());
    }
}
