//! Tests that state that a launch fails, or that the driver refuses a descriptor, and code that tries one thing and then another: what is
//! wrong there is meant.

use std::ops::Range;

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
        // `EXPECT_TRUE(throws([] { encode(128); }))`
        let throws = name.contains("THROW") || given.to_ascii_lowercase().contains("throw");
        begins && (name.contains("DEATH") || throws || names_error(given) || (succeeds && differs))
    })
}

/// Whether a call of a function may be there to fail: the function around it says so, or goes on with another call of that name.
pub(super) fn is_provided_for(function: &str, at: usize, name: &str) -> bool {
    is_stated_in(function) || is_caught(function, at, name) || is_probed(function, at, name)
}

/// Whether a call stands in a `try` that fails where the call does not, or behind which the function is called again.
fn is_caught(function: &str, at: usize, name: &str) -> bool {
    let tries = around(function, at);
    let before = function.get(..tries.start).unwrap_or_default().trim_end();
    let before = before.strip_suffix('{').unwrap_or(before).trim_end();
    if !places(before, "try").any(|word| word + "try".len() == before.len()) {
        return false;
    }
    let behind = function.get(tries.end..).unwrap_or_default().trim_start_matches('}').trim_start();
    let handler = behind.strip_prefix("catch").and_then(|rest| Some(block(rest, rest.find('{')? + 1)));
    let after = function.get(at..tries.end).unwrap_or_default();
    ["FAIL", "ADD_FAILURE"].iter().any(|word| places(after, word).next().is_some())
        || handler.is_some_and(|handler| places(handler, name).next().is_some() || handler.contains("SUCCEED"))
}

/// Whether what a call says decides for it, and another call of the function is made where it does not: `if (fits(256)) return 256; …`.
fn is_probed(function: &str, at: usize, name: &str) -> bool {
    let before = function.get(at.saturating_sub(MAX_STATEMENT)..at).unwrap_or_default().trim_end();
    let before = before.trim_end_matches("::").trim_end_matches(|sign: char| sign.is_alphanumeric() || sign == '_');
    let decides = before.trim_end().strip_suffix('(').is_some_and(|before| {
        let before = before.trim_end();
        places(before, "if").any(|word| word + "if".len() == before.len())
    });
    decides && places(function, name).nth(1).is_some()
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
    // A place inside of a longer sign is none where a text can be cut.
    text.get(around(text, at)).unwrap_or_default()
}

/// Where that block is.
fn around(text: &str, at: usize) -> Range<usize> {
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
    start..end
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
    fn what_is_tried_is_told_from_what_is_reported() {
        let here = |text: &str| is_provided_for(text, text.find("f(1)").unwrap(), "f");
        for text in [
            "{ try { f(1); FAIL(); } catch (E const&) { } }",
            "{ try { return f(1); } catch (E const& e) { return f(2); } }",
            "{ try { f(1); } catch (...) { SUCCEED(); } }",
            "{ if (f(1)) return 1; if (f(2)) return 2; return 0; }",
            "{ auto g = [] { f(1); }; EXPECT_THROW(g(), E); }",
            "{ EXPECT_TRUE(throws([] { f(1); })); }",
        ] {
            assert!(here(text), "{text}");
        }
        for text in [
            "int main() { try { f(1); } catch (E const& e) { puts(e.what()); return 1; } }",
            "{ if (!f(1)) return 1; if (!f(2)) return 2; }",
            "{ if (f(1)) return 1; }",
            "{ FAIL(); f(1); }",
            "{ f(1); f(2); }",
        ] {
            assert!(!here(text), "{text}");
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
