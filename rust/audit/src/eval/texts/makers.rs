//! Files that have a function `make_layout` of their own, which is not CuTe's: what a call of it makes there is not known.

use foldhash::HashSet;
use std::path::Path;

use rayon::prelude::*;

use crate::demand::includes;
use crate::source::{Source, code, last_word, places};

const NAME: &str = "make_layout";

/// Words before a call that are no type of a function.
const NO_TYPES: [&str; 12] =
    ["and", "case", "co_return", "co_yield", "do", "else", "in", "new", "not", "or", "return", "throw"];

/// How often those are looked for that include one.
const MAX_ROUNDS: usize = 8;

/// Bytes in which the parameters of a function end.
const MAX_HEAD: usize = 1_024;

/// The files that declare one, and those that include them.
pub(super) fn makers(sources: &[Source]) -> HashSet<usize> {
    let declares = |source: &Source| !source.python && source.text.contains(NAME) && is_declared(&code(&source.text));
    let own = sources.par_iter().enumerate().filter(|(_, source)| declares(source));
    let mut all: HashSet<usize> = own.map(|(file, _)| file).collect();
    let mut new: Vec<usize> = all.iter().copied().collect();
    for _ in 0..MAX_ROUNDS {
        let headers: Vec<&Path> =
            new.iter().filter_map(|file| sources.get(*file)).map(|source| source.path.as_path()).collect();
        if headers.is_empty() {
            break;
        }
        let including = sources.par_iter().enumerate().filter(|(file, source)| {
            !source.python
                && !all.contains(file)
                && includes(&source.text).any(|name| is_one_of(name, source, &headers))
        });
        new = including.map(|(file, _)| file).collect();
        all.extend(&new);
    }
    all
}

/// Whether an `#include` means one of some headers: a name without a folder, the one beside the file.
fn is_one_of(name: &str, from: &Source, headers: &[&Path]) -> bool {
    headers.iter().any(|path| path.ends_with(name) && (name.contains('/') || path.parent() == from.path.parent()))
}

/// Whether code declares the function outside of `namespace cute`, as far as words can tell: `auto make_layout(…) {`.
fn is_declared(text: &str) -> bool {
    let opens = |at: usize| {
        let inside = text.get(at + "namespace".len()..).unwrap_or_default().trim_start().strip_prefix("cute");
        inside.is_some_and(|rest| rest.trim_start().starts_with(['{', ':']))
    };
    if places(text, "namespace").any(opens) {
        return false;
    }
    places(text, NAME).any(|at| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let (word, _) = last_word(before);
        // `#define L make_layout(a, b);`
        let directive = before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('#'));
        !word.is_empty()
            && !directive
            && !NO_TYPES.contains(&word)
            && is_head(text.get(at + NAME.len()..).unwrap_or_default())
    })
}

/// Whether parameters follow, and then what comes behind those of a function.
fn is_head(text: &str) -> bool {
    let Some(list) = text.trim_start().strip_prefix('(') else { return false };
    let mut depth = 1_usize;
    for (at, byte) in list.bytes().enumerate().take(MAX_HEAD) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let rest = list.get(at + 1..).unwrap_or_default().trim_start();
            return ["{", ";", "->", "noexcept", "requires"].iter().any(|next| rest.starts_with(next));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source::new(path, text.as_bytes().to_vec())
    }

    #[test]
    fn declarations_are_told_from_calls() {
        for text in [
            "template <class A, class B> int make_layout(A, B);",
            "namespace mine { constexpr auto make_layout(A a, B b) noexcept { return f(a); } }",
            "static Layout\nmake_layout(int (*f)(int)) { }",
        ] {
            assert!(is_declared(&code(text)), "{text}");
        }
        for text in [
            "auto l = make_layout(a, b);",
            "auto f() { return make_layout(a, b); }",
            "using cute::make_layout;",
            "// what auto make_layout(a) { does",
            "/* of\nauto make_layout(a) { */ f(\"auto make_layout(a) {\");",
            "namespace cute { template <class A> auto make_layout(A a) { } }",
            "else make_layout(a);",
            "#define L make_layout(a, b);\n#pragma unroll\n",
            "x.make_layout(a); f(make_layout(b)); a * make_layout(c);",
        ] {
            assert!(!is_declared(&code(text)), "{text}");
        }
    }

    #[test]
    fn who_includes_one_has_it_too() {
        let sources = [
            source("p/my/layout.hpp", "auto make_layout(int a) { return a; }"),
            source("p/all.hpp", "#include <my/layout.hpp>\n"),
            source("p/a.cu", "#include \"all.hpp\"\n"),
            source("p/b.cu", "#include <cute/layout.hpp>\n"),
            source("q/c.cu", "#include \"all.hpp\"\n"),
        ];
        let mut all: Vec<usize> = makers(&sources).into_iter().collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
    }
}
