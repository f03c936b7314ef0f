//! Files that have a function or class of their own by one of CuTe's names: what that makes there is not known.

use foldhash::{HashMap, HashSet};
use std::path::Path;

use rayon::prelude::*;

use crate::eval::vendored;
use crate::source::{Source, code, includes, is_identifier, last_word, places};

/// Names that are looked at for what CuTe, or the driver, means by them.
const NAMES: [&str; 25] = [
    "AutoVectorizingCopyWithAssumedAlignment",
    "ComposedLayout",
    "Copy_Traits",
    "MMA_Traits",
    "Swizzle",
    "TiledCopy",
    "TiledMMA",
    "composition",
    "cuTensorMapEncodeTiled",
    "flat_divide",
    "local_partition",
    "logical_divide",
    "make_composed_layout",
    "make_layout",
    "make_layout_tv",
    "make_tensor",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_copy_impl",
    "make_tiled_mma",
    "tile_to_shape",
    "tiled_divide",
    "zipped_divide",
];

/// Words before a call that are no type of a function.
const NO_TYPES: [&str; 12] =
    ["and", "case", "co_return", "co_yield", "do", "else", "in", "new", "not", "or", "return", "throw"];

/// How often those are looked for that include one.
const MAX_ROUNDS: usize = 8;

/// Bytes in which the parameters of a function end, and what stands before a name.
const MAX_HEAD: usize = 1_024;

/// Whether a name is one of those.
pub(super) fn is_name(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}

/// What some files call CuTe's namespace beside `cute`: `namespace ct = cute;`.
pub(super) fn aliases(sources: &[Source]) -> HashSet<String> {
    let named = |source: &Source| -> Vec<String> {
        let text = source.text.as_str();
        let alias = |at: usize| {
            let rest = text.get(at + "namespace".len()..)?.trim_start();
            let (name, rest) = rest.split_at(rest.bytes().take_while(|byte| is_identifier(*byte)).count());
            let of = rest.trim_start().strip_prefix('=')?.trim_start();
            let of = of.strip_prefix("::").unwrap_or(of).strip_prefix("cute")?;
            of.trim_start().starts_with(';').then(|| name.to_owned())
        };
        places(text, "namespace").filter_map(alias).collect()
    };
    sources.par_iter().filter(|source| !source.python).flat_map_iter(named).collect()
}

/// By a name, the files that declare it, and those that include them.
pub(super) fn owners(sources: &[Source]) -> HashMap<&'static str, HashSet<usize>> {
    let library = vendored(sources);
    let found: Vec<(usize, &'static str)> = sources
        .par_iter()
        .enumerate()
        .filter(|(file, source)| !source.python && !library.get(*file).copied().unwrap_or(false))
        .flat_map_iter(|(file, source)| declared(&source.text).into_iter().map(move |name| (file, name)))
        .collect();
    let mut owners: HashMap<&'static str, HashSet<usize>> = HashMap::default();
    if found.is_empty() {
        return owners;
    }
    let by_header = includers(sources);
    for (file, name) in found {
        owners.entry(name).or_default().insert(file);
    }
    for files in owners.values_mut() {
        let mut new: Vec<usize> = files.iter().copied().collect();
        for _ in 0..MAX_ROUNDS {
            let mut next = Vec::new();
            for header in new {
                let Some(path) = sources.get(header).map(|source| source.path.as_path()) else { continue };
                let last = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                for (from, said) in by_header.get(last).into_iter().flatten() {
                    if sources.get(*from).is_some_and(|source| is_meant(said, source, path)) && files.insert(*from) {
                        next.push(*from);
                    }
                }
            }
            new = next;
        }
    }
    owners
}

/// The files that include something, and how they say it, by the last part of that.
fn includers(sources: &[Source]) -> HashMap<&str, Vec<(usize, &str)>> {
    let all: Vec<(usize, &str)> = sources
        .par_iter()
        .enumerate()
        .filter(|(_, source)| !source.python)
        .flat_map_iter(|(file, source)| includes(&source.text).map(move |said| (file, said)))
        .collect();
    let mut by: HashMap<&str, Vec<(usize, &str)>> = HashMap::default();
    for (file, said) in all {
        by.entry(said.rsplit('/').next().unwrap_or(said)).or_default().push((file, said));
    }
    by
}

/// Whether an `#include` means a header: a name without a folder, the one beside the file.
fn is_meant(said: &str, from: &Source, header: &Path) -> bool {
    header.ends_with(said) && (said.contains('/') || header.parent() == from.path.parent())
}

/// The names that a text declares outside of `namespace cute`.
fn declared(text: &str) -> Vec<&'static str> {
    let there: Vec<&'static str> = NAMES.into_iter().filter(|name| places(text, name).next().is_some()).collect();
    if there.is_empty() {
        return there;
    }
    let text = code(text);
    let own = |name: &&'static str| {
        let mut spaces = Spaces { text: &text, at: 0, head: 0, open: Vec::new() };
        places(&text, name).any(|at| is_declaration(&text, name, at) && !spaces.is_cute(at))
    };
    there.into_iter().filter(own).collect()
}

/// Whether a name is declared where it stands, as far as words can tell: `auto make_layout(…) {`, `struct Swizzle {`.
fn is_declaration(text: &str, name: &str, at: usize) -> bool {
    let from = text.floor_char_boundary(at.saturating_sub(MAX_HEAD));
    let before = text.get(from..at).unwrap_or_default().trim_end();
    let after = text.get(at + name.len()..).unwrap_or_default();
    let after = after.get(..after.floor_char_boundary(MAX_HEAD)).unwrap_or_default().trim_start();
    let (word, rest) = last_word(before);
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    if let Some(directive) = line.strip_prefix('#') {
        // `#define make_layout(…)`, but not `#define L make_layout(a, b);`
        return directive.trim() == "define";
    }
    if matches!(word, "struct" | "class" | "union") {
        // `template <class Swizzle>` is a parameter that takes no arguments.
        let parameter = after.starts_with(['>', ',']) && rest.trim_end().ends_with('>');
        let primary = after.starts_with(['{', ';']) || after.starts_with("final");
        return primary || parameter || (after.starts_with(':') && !after.starts_with("::"));
    }
    if word == "using" {
        let whole = after.strip_prefix('=').and_then(|rest| rest.split(';').next());
        // `template <…> using Swizzle = …`
        return rest.trim_end().ends_with('>')
            && whole.is_some_and(|whole| places(whole, name).all(|at| !whole[..at].trim_end().ends_with("cute::")));
    }
    // A lambda.
    if after.strip_prefix('=').is_some_and(|rest| rest.trim_start().starts_with('[')) {
        return true;
    }
    // `return make_layout(…);` is a call.
    let typed = !word.is_empty() && !NO_TYPES.contains(&word);
    // A friend that is defined in a class is found for what is of that class alone.
    let head = before.rsplit([';', '{', '}']).next().unwrap_or_default();
    typed && is_head(after) && places(head, "friend").next().is_none()
}

/// Whether parameters follow, and then what comes behind those of a function.
fn is_head(text: &str) -> bool {
    let Some(list) = text.strip_prefix('(') else { return false };
    let mut depth = 1_usize;
    for (at, byte) in list.bytes().enumerate().take(MAX_HEAD) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let rest = list.get(at + 1..).unwrap_or_default().trim_start();
            return ["{", ";", "->", "const", "noexcept", "requires"].iter().any(|next| rest.starts_with(next));
        }
    }
    false
}

/// The namespaces around a place, gone through once from the beginning.
struct Spaces<'t> {
    text: &'t str,
    at: usize,
    /// Where the head of the next brace begins.
    head: usize,
    /// Braces that are open, and whether each opens a namespace `cute`.
    open: Vec<bool>,
}

impl Spaces<'_> {
    /// Whether a place lies in a namespace `cute`. Places are asked for in their order.
    fn is_cute(&mut self, place: usize) -> bool {
        let bytes = self.text.as_bytes();
        while self.at < place {
            match bytes.get(self.at) {
                Some(b'{') => {
                    let head = self.text.get(self.head..self.at).unwrap_or_default();
                    let named = places(head, "namespace").last().and_then(|at| head.get(at + "namespace".len()..));
                    self.open.push(named.is_some_and(|path| path.split("::").any(|part| part.trim() == "cute")));
                    self.head = self.at + 1;
                }
                Some(b'}') => {
                    self.open.pop();
                    self.head = self.at + 1;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.open.contains(&true)
    }
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
            "#define make_layout(a) a",
            "auto f() { auto make_layout = [](auto a) { return a; }; }",
            "struct S { int make_layout(int a) const { return a; } };",
            "namespace cute { int a; } int make_layout(int a) { return a; }",
        ] {
            assert_eq!(declared(text), ["make_layout"], "{text}");
        }
        for text in [
            "auto l = make_layout(a, b);",
            "auto f() { return make_layout(a, b); }",
            "using cute::make_layout;",
            "struct S { friend constexpr auto make_layout(int a, S const& s) { return a; } };",
            "// what auto make_layout(a) { does",
            "/* of\nauto make_layout(a) { */ f(\"auto make_layout(a) {\");",
            "namespace cute { template <class A> auto make_layout(A a) { } }",
            "namespace a::cute { struct X { int b; }; template <class A> auto make_layout(A a) { } }",
            "else make_layout(a);",
            "#define L make_layout(a, b);\n#pragma unroll\n",
            "x.make_layout(a); f(make_layout(b)); a * make_layout(c);",
        ] {
            assert!(declared(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn classes_and_their_templates_are_declared_too() {
        for text in [
            "template <int B, int M, int S> struct Swizzle { };",
            "template <int B> struct Swizzle : Base<B> { };",
            "template <int, int, int> class Swizzle;",
            "template <int B> using Swizzle = Mine<B, 3>;",
            "template <template <int, int, int> class Swizzle> struct K { };",
        ] {
            assert_eq!(declared(text), ["Swizzle"], "{text}");
        }
        for text in [
            "using S = Swizzle<3, 3, 3>; Swizzle<2, 3, 3> s;",
            "template <int B> using Swizzle = cute::Swizzle<B, 3, 3>;",
            "template <> struct Swizzle<1, 2, 3> { };",
            "using Swizzle = cute::Swizzle<3, 3, 3>;",
            "template <class Swizzle, class Swizzle> struct K { };",
        ] {
            assert!(declared(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn namespaces_have_other_names() {
        let text = "namespace ct = cute; namespace a =\n ::cute ; namespace b = cutlass; namespace c { } namespace d = cute::x;";
        let mut all: Vec<String> = aliases(&[source("a.cu", text)]).into_iter().collect();
        all.sort_unstable();
        assert_eq!(all, ["a", "ct"]);
        assert!(is_name("Swizzle") && is_name("zipped_divide") && !is_name("array_aligned"));
        assert!(NAMES.is_sorted());
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
        let owners = owners(&sources);
        let mut all: Vec<usize> = owners["make_layout"].iter().copied().collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
        assert_eq!(owners.len(), 1);
    }
}
