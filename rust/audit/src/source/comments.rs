//! Comments, without a parser: a file in which a comment speaks to the auditor need not be parsed.

use std::ops::Range;

use super::tokens::{Language, tokens};

/// The comments of a text without their signs, ascending.
pub fn comments(text: &str, language: Language) -> Vec<Range<usize>> {
    let all = tokens(text.as_bytes(), language);
    let inner = all.filter_map(|(start, token)| {
        let (begins, ends) = token.comment?;
        Some(start + begins..(token.end - ends).max(start + begins))
    });
    inner.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, language: Language) -> Vec<&str> {
        comments(text, language).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn comments_are_told_from_strings() {
        let text = "int a = 1'000; // one\nauto s = \"// no\"; /* two */ char c = '\"'; // three\nR\"x(// no )\" )x\" // four\n'\\'' // five";
        assert_eq!(texts(text, Language::Cpp), [" one", " two ", " three", " four", " five"]);
        let text = "s = '# no' # one\n\"\"\"\n# no\n\\\"\"\"\" # two\n''' # no ''' # three";
        assert_eq!(texts(text, Language::Python), [" one", " two", " three"]);
    }

    #[test]
    fn what_never_ends_ends_with_the_file() {
        for text in ["\"", "'", "/*", "/*/", "//", "R\"x(", "R\"", "\"\\", "'\\"] {
            assert!(comments(text, Language::Cpp).len() <= 1, "{text}");
        }
        for text in ["'''", "\"\"\"\\", "#", "'"] {
            assert!(comments(text, Language::Python).len() <= 1, "{text}");
        }
    }
}
