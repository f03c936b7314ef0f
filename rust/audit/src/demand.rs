//! Files that mention no layout are not parsed, unless a name that is needed is declared in one of them.

use std::collections::BTreeSet;

use foldhash::{HashMapExt as _, HashSet};
use rayon::prelude::*;

use crate::source::{ENCODE, Headers, Known, Source, is_identifier, places};

/// Words before a name that declare it.
const DECLARING: [&str; 4] = ["using", "struct", "class", "define"];

/// How far back the beginning of a declaration is looked for.
const STATEMENT: usize = 200;

/// Bytes of headers that are parsed only since files with layouts include them.
const MAX_INCLUDED: usize = 4 << 20;

/// Text of Python that is kept, whatever it is.
pub const MANY_BYTES: usize = 32 << 20;

/// Lets go of the texts of Python in which nothing was found, where there are so many bytes of it, when all that it says has been read.
pub fn forget_python(sources: &mut [Source], found: &HashSet<usize>, many: usize) {
    let python = sources.iter().filter(|source| source.python);
    if python.map(|source| source.text.len()).sum::<usize>() < many {
        return;
    }
    for (file, source) in sources.iter_mut().enumerate() {
        if source.python && !found.contains(&file) && !source.is_addressed() {
            source.text = String::new();
        }
    }
}

/// The headers that some files include, and those that these include: what a kernel is launched with or stored in may stand in one
/// that has no layout. What is part of a library is left to those who ask for a name.
pub fn included(sources: &[Source], of: &[usize], library: &[bool]) -> Vec<usize> {
    let (headers, mut known) = (Headers::of(sources), Known::new());
    let named_only = |index: &usize| sources.get(*index).is_some_and(|source| source.included);
    let own = |index: &usize| library.get(*index) == Some(&false) && !named_only(index);
    let header = |index: &usize| sources.get(*index).is_some_and(Source::is_header);
    let mut seen: HashSet<usize> = of.iter().copied().collect();
    let (mut found, mut left) = (Vec::new(), MAX_INCLUDED);
    // Others than CuTe have layouts too, and headers without end. Who makes descriptors of the copy engine needs no CuTe.
    let says = |text: &str| places(text, "cute").next().is_some() || text.contains(ENCODE);
    let cutes = |index: &usize| sources.get(*index).is_some_and(|source| says(&source.text));
    let mut next: Vec<usize> = of.iter().copied().filter(own).filter(cutes).collect();
    while !next.is_empty() {
        let mut named = BTreeSet::new();
        for source in next.iter().filter_map(|index| sources.get(*index)) {
            named.extend(
                headers.included_by(source, &mut known).into_iter().filter(|index| header(index) && own(index)),
            );
        }
        next.clear();
        for index in named.into_iter().filter(|index| seen.insert(*index)) {
            let Some(rest) = left.checked_sub(sources.get(index).map_or(0, |source| source.text.len())) else {
                continue;
            };
            left = rest;
            next.push(index);
            found.push(index);
        }
    }
    found.sort_unstable();
    found
}

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
    fn what_is_included_is_read_too() {
        let source = |path: &str, text: &str| Source::new(path, text.as_bytes().to_vec());
        let sources = [
            source(
                "a/k.cu",
                "using namespace cute;\n#include \"../b/x.h\"\n # include <cute/y.hpp>\n// include \"z.h\"\n#include \"n.h\"",
            ),
            source("b/x.h", "#include \"w.h\""),
            source("cute/y.hpp", ""),
            source("b/z.h", ""),
            source("b/w.h", "#include \"x.h\""),
            source("a/n.h", ""),
            source("c/n.h", ""),
        ];
        let library = [false, false, true, false, false, false, false];
        assert_eq!(included(&sources, &[0], &library), [1, 4, 5]);
        // Without CuTe, who makes descriptors needs its constants too, and others do not.
        let of = |text: &str| {
            let sources = [source("a/k.cu", text), source("a/n.h", "constexpr int TS = 128;")];
            included(&sources, &[0], &[false, false])
        };
        assert_eq!(of("#include \"n.h\"\nvoid f() { cuTensorMapEncodeTiled(m); }"), [1]);
        assert!(of("#include \"n.h\"\nvoid f() { cuTensor(m); }").is_empty());
    }

    #[test]
    fn python_of_which_nothing_is_said_is_let_go() {
        let all = || ["p.py", "q.py", "a.cu"].map(|path| Source::new(path, b"x = 1".to_vec()));
        let kept = |sources: &[Source]| -> Vec<usize> {
            (0..sources.len()).filter(|file| !sources[*file].text.is_empty()).collect()
        };
        let mut sources = all();
        forget_python(&mut sources, &HashSet::default(), MANY_BYTES);
        assert_eq!(kept(&sources), [0, 1, 2]);
        forget_python(&mut sources, &HashSet::from_iter([1]), 0);
        assert_eq!(kept(&sources), [1, 2]);
        assert_eq!(sources.map(|source| source.bytes), all().map(|source| source.bytes));
    }

    #[test]
    fn only_headers_not_yet_parsed() {
        let source = |path: &str| Source::new(path, b"using Tile = int;".to_vec());
        let sources = [source("a.hpp"), source("b.cu"), source("c.hpp")];
        assert_eq!(declaring(&sources, &[true, false, false], &["Tile".to_owned()]), [2]);
    }
}
