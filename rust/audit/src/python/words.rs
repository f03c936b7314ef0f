//! Which Python files are worth parsing.

use memchr::memmem;

/// Words without which a file cannot make a layout.
const WORDS: [&str; 2] = ["cute", "gluon"];

/// Whether a file may make a layout.
pub fn relevant(text: &str) -> bool {
    WORDS.iter().any(|word| memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}
