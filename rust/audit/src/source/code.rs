//! What of a text is code.

use super::tokens::{Language, tokens};

/// A text of C++ with its comments and literals blanked, and as long as before.
pub fn code(text: &str) -> String {
    let mut out = text.as_bytes().to_vec();
    for (start, token) in tokens(text.as_bytes(), Language::Cpp) {
        let blank = out.get_mut(start..token.end).into_iter().flatten();
        blank.filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    // Whole characters were replaced, so that this is text as well.
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_no_code() {
        let text = "a /* M */ \"M = \\\" M\" 'M' // M\nb 1'000 R\"(M \" )\" M";
        let code = code(text);
        assert_eq!(code.len(), text.len());
        assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["a", "b", "1'000", "R", "M"]);
    }
}
