//! Tests that state that a launch fails, or that the driver refuses a descriptor: what is wrong there is meant.

use crate::source::{is_identifier, places};

/// Beginnings of the names of macros that state something.
const STATES: [&str; 5] = ["ASSERT", "BOOST_", "CHECK", "EXPECT", "REQUIRE"];

/// Bytes that are looked at on each side of a place, and of one statement.
const MAX_BLOCK: usize = 1 << 13;
const MAX_STATEMENT: usize = 1 << 11;

/// Statements that are looked at.
const MAX_STATED: usize = 256;

/// Whether the block around a place states that something fails.
pub(super) fn is_stated(text: &str, at: usize) -> bool {
    is_stated_in(block(text, at))
}

/// Whether a text states that something fails.
pub(super) fn is_stated_in(text: &str) -> bool {
    STATES.iter().flat_map(|head| text.match_indices(head)).take(MAX_STATED).any(|(at, _)| {
        let begins = text.get(..at).is_some_and(|before| !before.bytes().next_back().is_some_and(is_identifier));
        let rest = text.get(at..).unwrap_or_default();
        let length = rest.bytes().take_while(|byte| is_identifier(*byte)).count();
        let (name, rest) = rest.split_at(length);
        let rest = rest.get(..rest.floor_char_boundary(MAX_STATEMENT)).unwrap_or_default();
        let given = rest.trim_start().strip_prefix('(').map_or("", |rest| rest.split(';').next().unwrap_or_default());
        let succeeds = ["cudaSuccess", "CUDA_SUCCESS"].iter().any(|word| places(given, word).next().is_some());
        let differs = name.ends_with("_NE") || name.contains("FALSE") || given.contains("!=");
        begins && (name.contains("DEATH") || name.contains("THROW") || names_error(given) || (succeeds && differs))
    })
}

/// Whether a text names an error: `CUDA_ERROR_INVALID_VALUE`, `cudaErrorInvalidConfiguration`.
fn names_error(text: &str) -> bool {
    let runtime = text
        .match_indices("cudaError")
        .any(|(at, word)| text.as_bytes().get(at + word.len()).is_some_and(u8::is_ascii_uppercase));
    runtime || text.contains("CUDA_ERROR_")
}

/// The innermost block around a place, as far as braces tell.
fn block(text: &str, at: usize) -> &str {
    let bytes = text.as_bytes();
    let (mut depth, mut start) = (0_usize, at);
    for from in (at.saturating_sub(MAX_BLOCK)..at.min(bytes.len())).rev() {
        match bytes.get(from) {
            Some(b'}') => depth += 1,
            Some(b'{') if depth == 0 => break,
            Some(b'{') => depth -= 1,
            _ => {}
        }
        start = from;
    }
    let (mut depth, mut end) = (0_usize, at);
    for (to, byte) in bytes.iter().enumerate().skip(at).take(MAX_BLOCK) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => break,
            b'}' => depth -= 1,
            _ => {}
        }
        end = to + 1;
    }
    // A place inside of a longer sign is none where a text can be cut.
    text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stated_is_told_from_what_is_demanded() {
        for text in [
            "EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, f());",
            "k<<<1, 64>>>(); EXPECT_NE(cudaGetLastError(), cudaSuccess);",
            "EXPECT_DEATH(k<<<1, 64>>>(), \"\");",
            "REQUIRE(f() != CUDA_SUCCESS);",
            "ASSERT_FALSE(r == cudaSuccess);",
            "EXPECT_EQ(e, cudaErrorInvalidConfiguration);",
        ] {
            assert!(is_stated_in(text), "{text}");
        }
        for text in [
            "EXPECT_EQ(f(), CUDA_SUCCESS);",
            "cudaError_t e = f(); CHECK(e == cudaSuccess);",
            "ASSERT_NE(p, nullptr);",
            "if (f() != CUDA_SUCCESS) return CUDA_ERROR_UNKNOWN;",
            "CHECK_CUDA(f());",
        ] {
            assert!(!is_stated_in(text), "{text}");
        }
    }

    #[test]
    fn other_blocks_state_nothing_here() {
        let text = "a() { { x } f(here); { y } EXPECT_DEATH(z); } b() { EXPECT_DEATH(w); }";
        assert_eq!(block(text, text.find("here").unwrap()), " { x } f(here); { y } EXPECT_DEATH(z); ");
        assert!(!is_stated("a() { f(here); } b() { EXPECT_DEATH(w); }", 8));
        assert_eq!(block("{é", 2), "é");
    }
}
