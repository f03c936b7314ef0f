//! Where layout algebra is used: calls of `tile_to_shape`, `composition` and the like, counted in the text, whether or not it is
//! parsed.

use std::collections::BTreeMap;

use memchr::memmem::Finder;
use rayon::prelude::*;
use serde::Serialize;

use crate::source::{Source, is_identifier, starts_word, word_length};

/// A group of functions that is counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// `tile_to_shape`.
    TileToShape,
    /// `composition`.
    Composition,
    /// `logical_divide`, `zipped_divide`, `tiled_divide`, `flat_divide`.
    Divide,
    /// `make_tiled_copy`, `make_tiled_copy_A`, `make_cotiled_copy` and the like.
    TiledCopy,
    /// `make_tma_copy`, `make_tma_atom` and the like.
    Tma,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::TileToShape, Self::Composition, Self::Divide, Self::TiledCopy, Self::Tma];

    /// Its functions, as people write them.
    pub const fn words(self) -> &'static str {
        match self {
            Self::TileToShape => "tile_to_shape",
            Self::Composition => "composition",
            Self::Divide => "*_divide",
            Self::TiledCopy => "make_tiled_copy*",
            Self::Tma => "make_tma_*",
        }
    }

    /// The family of a function.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "tile_to_shape" => Self::TileToShape,
            "composition" => Self::Composition,
            "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide" => Self::Divide,
            _ if name.starts_with("make_tiled_copy") || name == "make_cotiled_copy" => Self::TiledCopy,
            _ if name.starts_with("make_tma_") => Self::Tma,
            _ => return None,
        })
    }
}

/// Parts of names that all the functions have between them.
const PARTS: [&str; 6] =
    ["tile_to_shape", "composition", "_divide", "make_tiled_copy", "make_cotiled_copy", "make_tma_"];

/// How many calls of each family some files of C++ have, comments and code that is never compiled left out.
pub fn count(sources: &[Source]) -> Vec<BTreeMap<Family, usize>> {
    let finders = PARTS.map(Finder::new);
    let count = |source: &Source| if source.python { BTreeMap::new() } else { count_in(source, &finders) };
    sources.par_iter().map(count).collect()
}

fn count_in(source: &Source, finders: &[Finder<'_>]) -> BTreeMap<Family, usize> {
    let text = source.text.as_bytes();
    let mut counts = BTreeMap::new();
    for at in finders.iter().flat_map(|finder| finder.find_iter(text)) {
        let before = text.get(..at).unwrap_or_default();
        let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
        let end = start + word_length(text, start);
        let Some(family) = source.text.get(start..end).and_then(Family::of) else { continue };
        let after = source.dead.partition_point(|range| range.end <= start);
        let dead = source.dead.get(after).is_some_and(|range| range.contains(&start));
        if !dead && starts_word(text, start) && is_call(text, start, end) {
            *counts.entry(family).or_default() += 1;
        }
    }
    counts
}

/// Whether a name is called, not declared or spoken of.
fn is_call(text: &[u8], start: usize, end: usize) -> bool {
    let mut rest = text.get(end..).unwrap_or_default().trim_ascii_start();
    if rest.first() == Some(&b'<') {
        let mut depth = 0_usize;
        let close = rest.iter().take(512).position(|byte| {
            match byte {
                b'<' => depth += 1,
                b'>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        rest = close.and_then(|close| rest.get(close + 1..)).unwrap_or_default().trim_ascii_start();
    }
    let before = text.get(..start).unwrap_or_default();
    let line = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line = before.get(line..).unwrap_or_default();
    let comment = memchr::memmem::find(line, b"//").is_some() || line.trim_ascii_start().starts_with(b"*");
    // `auto composition(…)` declares one; `cute::composition(…)` and `return composition(…)` do not.
    let mut words = before.trim_ascii_end();
    words = words.strip_suffix(b"cute::").unwrap_or(words).trim_ascii_end();
    let word = words.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
    let word = words.get(word..).unwrap_or_default();
    rest.first() == Some(&b'(') && !comment && (word.is_empty() || word == b"return")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_from_declarations_and_comments() {
        let text = "auto a = tile_to_shape(x, y); // tile_to_shape(a)
            using B = decltype(cute::composition(Swizzle<3,4,3>{}, l));
            CUTE_HOST_DEVICE constexpr auto
            composition(A const& a) { return composition(a, b); }
            #if 0
            composition(a, b);
            #endif
            auto c = zipped_divide<0>(t, u), d = make_tiled_copy_A(atom, mma), e = tma_make_tiled_copy_A(f);
            auto f = make_tma_copy<half_t>(op, g), h = my_divide(k), composition = 4;";
        let counts = count(&[Source::new("a.cu", text.as_bytes().to_vec())]).remove(0);
        let expected = [
            (Family::TileToShape, 1),
            (Family::Composition, 2),
            (Family::Divide, 1),
            (Family::TiledCopy, 1),
            (Family::Tma, 1),
        ];
        assert_eq!(counts, BTreeMap::from(expected));
    }
}
