//! Which Python files are worth parsing.

use memchr::memmem;

use crate::source::is_word;

/// Words without which a file cannot make a layout.
const WORDS: [&str; 2] = ["cute", "gluon"];

/// Whether a file may make a layout.
pub fn relevant(text: &str) -> bool {
    let bytes = text.as_bytes();
    WORDS.iter().any(|word| memmem::find_iter(bytes, word).any(|at| is_word(bytes, at, word.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_count() {
        assert!(relevant("from cutlass import cute as c") && relevant("import cutlass.cute") && relevant("gluon"));
        assert!(!relevant("execute(x)") && !relevant("cute_layout = 4") && !relevant(""));
    }
}
