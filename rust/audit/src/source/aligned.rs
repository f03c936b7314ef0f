//! The alignments that a declaration asks for, told from its words: `alignas(16)`, `__align__(16)`, `CUTE_ALIGNAS(16)`,
//! `__attribute__((aligned(16)))`.

use std::ops::Range;

use super::brackets::closing;
use super::words::places;

/// Words that ask for an alignment, with what must stand before those that may be any other name.
const WORDS: [(&str, &[&str]); 5] = [
    ("alignas", &[]),
    ("__align__", &[]),
    ("CUTE_ALIGNAS", &[]),
    ("aligned", &["__attribute__", "gnu::"]),
    ("align", &["__declspec"]),
];

/// The bytes of each alignment that a text asks for; none of one that is no number.
pub fn alignments(text: &str) -> Vec<Option<u64>> {
    asked(text).into_iter().map(|at| text.get(at..).and_then(number)).collect()
}

/// Where what each alignment asks for stands in a text: behind its word.
fn asked(text: &str) -> Vec<usize> {
    let mut all = Vec::new();
    for (word, before) in WORDS {
        for at in places(text, word) {
            let led = |lead: &&str| text.get(..at).is_some_and(|head| statement(head).contains(*lead));
            if before.is_empty() || before.iter().any(led) {
                all.push(at + word.len());
            }
        }
    }
    all
}

/// Where the expressions stand that a text computes its alignments by: what is in the parentheses of each that is no number. None where
/// one has no parentheses.
pub fn computed(text: &str) -> Option<Vec<Range<usize>>> {
    let open = asked(text).into_iter().filter(|at| text.get(*at..).and_then(number).is_none());
    open.map(|at| {
        let rest = text.get(at..)?;
        let inside = rest.trim_start().strip_prefix('(')?;
        let start = text.len().checked_sub(inside.len())?;
        Some(start..start.checked_add(closing(inside)?)?)
    })
    .collect()
}

/// What a declaration asks for in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    /// Nothing.
    Unsaid,
    /// So many bytes.
    Bytes(u64),
    /// What is computed.
    Computed,
}

impl Alignment {
    /// Both of two.
    #[must_use]
    pub fn and(self, bytes: Option<u64>) -> Self {
        match (self, bytes) {
            (Self::Computed, _) | (_, None) => Self::Computed,
            (Self::Unsaid, Some(bytes)) => Self::Bytes(bytes),
            (Self::Bytes(own), Some(bytes)) => Self::Bytes(own.max(bytes)),
        }
    }
}

/// The most that a text asks for.
pub fn alignment(text: &str) -> Alignment {
    alignments(text).into_iter().fold(Alignment::Unsaid, Alignment::and)
}

/// A declaration without the words that ask for an alignment.
pub fn unaligned(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(after) = WORDS.iter().find_map(|(word, before)| {
        let whole = places(rest, word).next() == Some(0) && before.is_empty();
        rest.get(word.len()..).filter(|_| whole)
    }) {
        let inside = after.trim_start().strip_prefix('(');
        let Some(after) = inside.and_then(|inside| inside.get(closing(inside)?.checked_add(1)?..)) else {
            break;
        };
        rest = after.trim_start();
    }
    rest
}

/// What stands in a text after its last statement.
fn statement(text: &str) -> &str {
    text.rsplit([';', '{', '}']).next().unwrap_or_default()
}

/// The number in the parentheses with which a text begins: `(16)`, `( 0x10u )`.
fn number(text: &str) -> Option<u64> {
    let inside = text.trim_start().strip_prefix('(')?.split_once(')')?.0.trim();
    let digits = inside.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignments_by_any_words() {
        for text in [
            "alignas(16) float a[3]",
            "__shared__ __align__(16) float a[3]",
            "CUTE_ALIGNAS(16u) float a[3]",
            "float a[3] __attribute__((aligned(16)))",
            "__attribute__((packed, aligned( 0x10 ))) float a[3]",
            "[[gnu::aligned(16)]] float a[3]",
            "alignas(16) __align__(8) float a[3]",
        ] {
            assert_eq!(alignment(text), Alignment::Bytes(16), "{text}");
        }
        for text in ["float a[3]", "float a = aligned(16)", "T aligned_struct<16> a", "float align"] {
            assert_eq!(alignment(text), Alignment::Unsaid, "{text}");
        }
        for text in ["alignas(kBytes) float a[3]", "alignas(16) __align__(N) float a", "__attribute__((aligned)) int a"]
        {
            assert_eq!(alignment(text), Alignment::Computed, "{text}");
        }
    }

    #[test]
    fn declarations_without_alignments() {
        assert_eq!(unaligned(" alignas(128) __align__(8) float a[3]"), "float a[3]");
        assert_eq!(unaligned("float a[3]"), "float a[3]");
        assert_eq!(unaligned("alignas(sizeof(uint4)) float a[3]"), "float a[3]");
    }

    #[test]
    fn expressions_of_alignments() {
        let said = |text: &'static str| -> Option<Vec<&str>> {
            Some(computed(text)?.into_iter().map(|range| &text[range]).collect())
        };
        assert_eq!(
            said("alignas(sizeof(uint4)) __align__( kBytes ) float a[3]"),
            Some(vec!["sizeof(uint4)", " kBytes "])
        );
        assert_eq!(said("alignas(16) float a[3]"), Some(vec![]));
        assert_eq!(said("__attribute__((aligned)) int a"), None);
    }
}
