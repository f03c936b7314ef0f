//! Comments and function bodies that cannot make a layout, found without a grammar.
//!
//! Parsing is nine tenths of an audit, and most of what would be parsed is the inside of functions in which no layout is
//! written. A name declared inside of a block is not visible outside, so such a block can be blanked before the grammar sees
//! it. Where braces do not balance, on any side of an `#if`, nothing is blanked: the scanner never guesses.

use crate::source::{Language, is_identifier, line_end, token};

/// A half-open range of bytes.
pub type Bytes = std::ops::Range<usize>;

/// Bytes of a block that is read for the sake of a copy in it: a tree is a hundred times as large as its text.
const MAX_COPYING: usize = 4_096;

/// What can be blanked, in order and without overlap: comments, and the inside of blocks without hits.
pub fn blanks(text: &[u8], hits: &[u32]) -> Vec<Bytes> {
    let mut scanner = Scanner {
        text,
        hits,
        at: 0,
        last: None,
        statement: 0,
        open: Vec::new(),
        branches: Vec::new(),
        blanks: Vec::new(),
        partitions: memchr::memmem::find(text, b"partition_").is_some(),
    };
    match scanner.run() {
        Some(()) if scanner.open.is_empty() && scanner.branches.is_empty() => scanner.blanks,
        _ => Vec::new(),
    }
}

struct Scanner<'t> {
    text: &'t [u8],
    hits: &'t [u32],
    at: usize,
    /// The last byte that was neither space nor comment.
    last: Option<usize>,
    /// Where the present statement begins.
    statement: usize,
    /// Open braces, and whether each opens a function body or the like.
    open: Vec<(usize, bool)>,
    /// Braces open at each `#if` that is not yet closed.
    branches: Vec<usize>,
    blanks: Vec<Bytes>,
    /// Whether a tensor is partitioned somewhere in the text.
    partitions: bool,
}

impl Scanner<'_> {
    fn run(&mut self) -> Option<()> {
        while let Some(&byte) = self.text.get(self.at) {
            let next = self.text.get(self.at + 1).copied();
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {
                    self.at += 1;
                    continue;
                }
                b'/' if matches!(next, Some(b'/' | b'*')) => {
                    let end = self.skip()?;
                    self.blank(self.at..end);
                    self.at = end;
                    continue;
                }
                b'#' if self.begins_line() => {
                    self.directive()?;
                    continue;
                }
                b'"' | b'\'' => self.at = self.skip()?,
                b'{' => {
                    let body = self.is_body();
                    self.open.push((self.at, body));
                    self.statement = self.at + 1;
                    self.at += 1;
                }
                b'}' => {
                    let (start, body) = self.open.pop()?;
                    // Braces must close on the side of an `#if` on which they open.
                    if self.branches.last().is_some_and(|depth| self.open.len() < *depth) {
                        return None;
                    }
                    if body && self.no_hits(start, self.at) && !self.copies(start, self.at) {
                        while self.blanks.last().is_some_and(|blank| blank.start > start) {
                            self.blanks.pop();
                        }
                        self.blank(start + 1..self.at);
                    }
                    self.statement = self.at + 1;
                    self.at += 1;
                }
                b';' => {
                    self.statement = self.at + 1;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
            self.last = self.at.checked_sub(1);
        }
        Some(())
    }

    fn blank(&mut self, range: Bytes) {
        if !range.is_empty() {
            self.blanks.push(range);
        }
    }

    fn no_hits(&self, start: usize, end: usize) -> bool {
        let before = |at: usize| self.hits.partition_point(|hit| (*hit as usize) < at);
        before(start) == before(end)
    }

    /// Whether a block in a function copies something, which may be what that function partitions.
    fn copies(&self, start: usize, end: usize) -> bool {
        let inside = self.text.get(start..end).unwrap_or_default();
        self.partitions
            && inside.len() <= MAX_COPYING
            && self.open.last().is_some_and(|(_, body)| *body)
            && memchr::memmem::find(inside, b"copy(").is_some()
    }

    fn begins_line(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        let line = before.iter().rev().take_while(|byte| **byte != b'\n');
        line.take(256).all(u8::is_ascii_whitespace)
    }

    /// A preprocessor line. Its text is not code; its conditions must leave the braces alone.
    fn directive(&mut self) -> Option<()> {
        let end = line_end(self.text, self.at);
        let line = self.text.get(self.at + 1..end)?;
        let word = line.trim_ascii_start();
        let word = word.get(..word.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(word.len()))?;
        // A comment that goes on in the next line would be cut in two.
        if let Some(comment) = memchr::memmem::rfind(line, b"/*") {
            memchr::memmem::find(line.get(comment..)?, b"*/")?;
        }
        match word {
            b"if" | b"ifdef" | b"ifndef" => self.branches.push(self.open.len()),
            b"else" | b"elif" | b"elifdef" | b"elifndef" if *self.branches.last()? != self.open.len() => return None,
            b"endif" if self.branches.pop()? != self.open.len() => return None,
            _ => {}
        }
        self.at = end;
        self.statement = end;
        Some(())
    }

    /// Where a comment or literal that begins here ends; nothing where it does not end as it should.
    fn skip(&self) -> Option<usize> {
        let Some(token) = token(self.text, self.at, Language::Cpp) else { return Some(self.at + 1) };
        token.closed.then_some(token.end)
    }

    /// Whether a brace opens a block that keeps its names to itself: the body of a function, lambda, branch or loop.
    fn is_body(&self) -> bool {
        let Some(last) = self.last else { return false };
        let Some(head) = self.text.get(self.statement..=last) else { return false };
        let word = head.rsplit(|byte| !is_identifier(*byte)).next().unwrap_or_default();
        let ends = head.ends_with(b")")
            || matches!(word, b"const" | b"noexcept" | b"override" | b"else" | b"do" | b"try" | b"mutable");
        ends && !opens_scope(head)
    }
}

/// Whether a statement is that of a namespace or class, of which `template <class T>` is no sign.
fn opens_scope(head: &[u8]) -> bool {
    let mut before: Option<u8> = None;
    let mut rest = head;
    while let Some(start) = rest.iter().position(|byte| is_identifier(*byte)) {
        before = rest
            .get(..start)
            .and_then(|gap| gap.iter().rev().find(|byte| !byte.is_ascii_whitespace()))
            .copied()
            .or(before);
        let word = rest.get(start..).unwrap_or_default();
        let length = word.iter().position(|byte| !is_identifier(*byte)).unwrap_or(word.len());
        match word.get(..length).unwrap_or_default() {
            b"namespace" | b"union" | b"extern" | b"enum" => return true,
            b"struct" | b"class" if !matches!(before, Some(b'<' | b',')) => return true,
            _ => {}
        }
        before = Some(b'a');
        rest = word.get(length..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with blanks as dots.
    fn outline(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for blank in blanks(text.as_bytes(), &crate::source::Source::new("a.hpp", text.into()).hits) {
            bytes[blank].fill(b'.');
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn bodies_without_layouts_go() {
        assert_eq!(outline("void f() { g(); } // x"), "void f() {......} ....");
        assert_eq!(
            outline("template <class T> int f(T x) const { if (x) { y(); } }"),
            "template <class T> int f(T x) const {.................}"
        );
        assert_eq!(
            outline("void f() { if (x) { y(); } make_layout(_8{}); }"),
            "void f() { if (x) {......} make_layout(_8{}); }"
        );
    }

    #[test]
    fn scopes_stay() {
        for text in [
            "namespace a { using X = _4; }",
            "struct A : B<decltype(f())> { using X = _4; };",
            "struct alignas(16) { int x; };",
            "auto x = f({1, 2});",
            "template <class T> struct A<T()> { int x; };",
            "extern \"C\" { int f(int); }",
            "enum E { a = (1) };",
        ] {
            assert_eq!(outline(text), text);
        }
    }

    #[test]
    fn nothing_is_guessed() {
        for text in [
            "void f() {\n#if A\n if (x) {\n#else\n if (y) {\n#endif\n }\n}\nusing X = _4;\n",
            "void f() { ",
            "void f() { } }",
            "#if A\nvoid f() {\n#endif\n}\n",
            "void f() { \"\n\" }",
            "#endif\nvoid f() { x(); }",
        ] {
            assert_eq!(outline(text), text);
        }
    }

    #[test]
    fn braces_in_text_do_not_count() {
        assert_eq!(
            outline("void f() { g('{', \"}\", R\"a(})\"})a\", 1'000, /* } */ 0); }"),
            format!("void f() {{{}}}", ".".repeat(45))
        );
        assert_eq!(outline("#define A { \\\n { \nvoid f() { x(); }"), "#define A { \\\n { \nvoid f() {......}");
        assert_eq!(
            outline("void f() {\n#if A\n x();\n#else\n y();\n#endif\n}"),
            format!("void f() {{{}}}", ".".repeat(32))
        );
    }
}
