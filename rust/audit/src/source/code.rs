//! What of a text is code.

/// A text with its comments and literals blanked, and as long as before.
pub fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let quoted = |quote: u8| {
            let mut end = 1;
            while let Some(byte) = rest.get(end) {
                match byte {
                    b'\\' => end += 1,
                    b'\n' => break,
                    byte if *byte == quote => return end + 1,
                    _ => {}
                }
                end += 1;
            }
            end.min(rest.len())
        };
        let length = match byte {
            b'/' if rest.starts_with(b"//") => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            b'/' if rest.starts_with(b"/*") => memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2),
            b'"' => quoted(b'"'),
            // `1'000` is a number.
            b'\'' if !at.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric) => {
                quoted(b'\'')
            }
            _ => {
                at += 1;
                continue;
            }
        };
        out.iter_mut().skip(at).take(length).filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at += length;
    }
    // Whole characters were replaced, so that this is text as well.
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_no_code() {
        let text = "a /* M */ \"M = \\\" M\" 'M' // M\nb 1'000 M";
        let code = code(text);
        assert_eq!(code.len(), text.len());
        assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["a", "b", "1'000", "M"]);
    }
}
