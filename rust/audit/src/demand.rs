//! Files that mention no layout are not parsed, unless a name that is needed is declared in one of them.

use foldhash::HashSet;

use rayon::prelude::*;

use crate::source::{Source, is_identifier};

/// Words before a name that declare it.
const DECLARING: [&str; 4] = ["using", "struct", "class", "define"];

/// How far back the beginning of a declaration is looked for.
const STATEMENT: usize = 200;

/// The headers among the given files that may declare one of the names. One pass over the words of each, however many names
/// there are.
pub fn declaring(sources: &[Source], skip: &[bool], names: &[String]) -> Vec<usize> {
    let names: HashSet<&[u8]> = names.iter().map(String::as_bytes).collect();
    let indices = 0..sources.len();
    indices
        .into_par_iter()
        .filter(|index| !skip.get(*index).copied().unwrap_or(true))
        .filter(|index| {
            let source = sources.get(*index);
            source.is_some_and(|source| source.is_header() && declares(source.text.as_bytes(), &names))
        })
        .collect()
}

fn declares(text: &[u8], names: &HashSet<&[u8]>) -> bool {
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.iter().position(|byte| is_identifier(*byte))) {
        at += start;
        let (before, rest) = text.split_at(at);
        let length = rest.iter().position(|byte| !is_identifier(*byte)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        if names.contains(word)
            && (DECLARING.iter().any(|word| last_word(before) == word.as_bytes()) || is_constant(before, after))
        {
            return true;
        }
        at += length;
    }
    false
}

/// The word just before a position, spaces aside.
fn last_word(before: &[u8]) -> &[u8] {
    let before = before.trim_ascii_end();
    let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
    before.get(start..).unwrap_or_default()
}

/// Whether the name is given a value for good, as in `constexpr int name = 4`.
fn is_constant(before: &[u8], after: &[u8]) -> bool {
    let after = after.trim_ascii_start();
    let given = (after.starts_with(b"=") && !after.starts_with(b"==")) || after.starts_with(b"{");
    let start = before.iter().rev().take(STATEMENT).position(|byte| matches!(byte, b';' | b'{' | b'}'));
    let statement =
        before.get(before.len() - start.unwrap_or_else(|| before.len().min(STATEMENT))..).unwrap_or_default();
    given && memchr::memmem::find(statement, b"const").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_told_from_uses() {
        let declared = |text: &str| declares(text.as_bytes(), &HashSet::from_iter(["Tile".as_bytes()]));
        for text in
            ["using Tile = Shape<_8>;", "struct Tile {", "constexpr int Tile=4;", "#define Tile 4", "using\n Tile\n=X"]
        {
            assert!(declared(text), "{text}");
        }
        for text in
            ["Tile = 4;", "const int x = 1; Tile = 4;", "f(Tile)", "using MyTile = Tiles;", "Tile == 4", "Tile::x"]
        {
            assert!(!declared(text), "{text}");
        }
    }

    #[test]
    fn only_headers_not_yet_parsed() {
        let source = |path: &str| Source::new(path, b"using Tile = int;".to_vec());
        let sources = [source("a.hpp"), source("b.cu"), source("c.hpp")];
        assert_eq!(declaring(&sources, &[true, false, false], &["Tile".to_owned()]), [2]);
    }
}
