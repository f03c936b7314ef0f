//! Code that no compiler sees: the sides of an `#if` that its condition rules out by itself, such as `#if 0`, and those with an `#error`.
//!
//! A condition counts only when it is known whatever else is defined: a name that is not a number is unknown, and unknown stays
//! live on both sides. Where directives do not balance nothing is ruled out: the scanner never guesses.

use std::ops::Range;

use super::tokens::{Language, Token, line_end, token};

/// Conditions that are longer are unknown.
const MAX_CONDITION: usize = 1_024;

/// Conditions that nest deeper are unknown.
const MAX_DEPTH: usize = 32;

/// What is ruled out, in order and without overlap. Where every side of an `#if` is decided the directives go too.
pub fn dead(text: &[u8]) -> Vec<Range<usize>> {
    if !decides(text) {
        return Vec::new();
    }
    let mut scanner = Scanner { text, at: 0, groups: Vec::new(), dead: Vec::new() };
    match scanner.run() {
        Some(()) if scanner.groups.is_empty() => {
            scanner.dead.sort_unstable_by_key(|range| (range.start, range.end));
            scanner.dead
        }
        _ => Vec::new(),
    }
}

/// Whether any condition in the text is known at all, or a side refused: most files have none, and need no scan.
fn decides(text: &[u8]) -> bool {
    memchr::memchr_iter(b'#', text).any(|at| {
        let rest = text.get(at..).unwrap_or_default();
        let line = rest.get(..line_end(rest, 0)).unwrap_or_default();
        match directive(line) {
            Some((b"if" | b"elif", condition)) => known(condition).is_some(),
            Some((word, _)) => word == b"error",
            None => false,
        }
    })
}

/// The value of an expression, where it is known.
type Known = Option<i128>;

/// An `#if` that is not yet closed.
#[expect(clippy::struct_excessive_bools, reason = "four facts that do not depend on each other")]
struct Group {
    /// Whether the code around it is live.
    outer: bool,
    /// Whether an earlier side is certainly taken.
    settled: bool,
    /// Whether a condition on the way was unknown.
    unsure: bool,
    /// Whether the present side may be live.
    live: bool,
    /// Where the present side begins.
    from: usize,
    /// Its directives so far.
    directives: Vec<Range<usize>>,
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    groups: Vec<Group>,
    dead: Vec<Range<usize>>,
}

impl Scanner<'_> {
    fn run(&mut self) -> Option<()> {
        let mut begins_line = true;
        while let Some(&byte) = self.text.get(self.at) {
            let next = self.text.get(self.at + 1).copied();
            match byte {
                b'\n' => {
                    begins_line = true;
                    self.at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\r' => {
                    self.at += 1;
                    continue;
                }
                b'/' if matches!(next, Some(b'/' | b'*')) => {
                    self.at = self.skip()?;
                    continue;
                }
                b'#' if begins_line => self.directive()?,
                b'"' | b'\'' => self.at = self.skip()?,
                _ => self.at += 1,
            }
            begins_line = false;
        }
        Some(())
    }

    fn live(&self) -> bool {
        self.groups.last().is_none_or(|group| group.live)
    }

    fn directive(&mut self) -> Option<()> {
        let start = self.at;
        let mut end = line_end(self.text, start);
        let line = self.text.get(start..end)?;
        // A comment that goes on in the next line is skipped like any other.
        if let Some(comment) = memchr::memmem::rfind(line, b"/*")
            && memchr::memmem::find(line.get(comment..)?, b"*/").is_none()
            && memchr::memmem::find(line.get(..comment)?, b"//").is_none()
        {
            end = start + comment;
        }
        self.at = end;
        let (word, condition) = directive(self.text.get(start..end)?)?;
        match word {
            b"if" | b"ifdef" | b"ifndef" => {
                let outer = self.live();
                let value = if word == b"if" { known(condition) } else { None };
                self.groups.push(Group {
                    outer,
                    settled: value.is_some_and(|value| value != 0),
                    unsure: value.is_none(),
                    live: outer && value != Some(0),
                    from: end,
                    directives: std::iter::once(start..end).collect(),
                });
            }
            b"elif" | b"elifdef" | b"elifndef" | b"else" => {
                self.close(start)?;
                let group = self.groups.last_mut()?;
                let value = match word {
                    b"else" => Some(1),
                    b"elif" => known(condition),
                    _ => None,
                };
                group.unsure |= value.is_none() && !group.settled;
                group.live = group.outer && !group.settled && value != Some(0);
                group.settled |= value.is_some_and(|value| value != 0);
                group.from = end;
                group.directives.push(start..end);
            }
            b"endif" => {
                self.close(start)?;
                let mut group = self.groups.pop()?;
                group.directives.push(start..end);
                if group.outer && !group.unsure {
                    self.dead.append(&mut group.directives);
                }
            }
            // Whoever gets here compiles nothing.
            b"error" => {
                if let Some(group) = self.groups.last_mut() {
                    group.live = false;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Ends the present side of the innermost `#if`.
    fn close(&mut self, end: usize) -> Option<()> {
        let group = self.groups.last()?;
        if group.outer && !group.live && group.from < end {
            self.dead.push(group.from..end);
        }
        Some(())
    }

    /// Where a comment or literal that begins here ends; nothing where a comment never does. A quoted text that its line does not end, ends there:
    /// words such as `don't` stand in dead code, in which no string is raw.
    fn skip(&self) -> Option<usize> {
        let Some(token) = token(self.text, self.at, Language::Cpp) else { return Some(self.at + 1) };
        match token {
            Token { closed: false, comment: Some(_), .. } => None,
            Token { closed: false, comment: None, .. } => Some(line_end(self.text, self.at).min(token.end)),
            _ => Some(token.end),
        }
    }
}

/// The word after `#` and what stands behind it.
fn directive(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_prefix(b"#")?.trim_ascii_start();
    Some(line.split_at(line.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(line.len())))
}

/// The value of a condition that does not hang on what is defined elsewhere.
fn known(condition: &[u8]) -> Option<i128> {
    if condition.len() > MAX_CONDITION {
        return None;
    }
    let mut rest = Reader { text: condition, at: 0, depth: 0 };
    let value = rest.binary(0)?;
    rest.space();
    (rest.at == condition.len()).then_some(value).flatten()
}

/// Reads a condition. The outer `None` is a text that it does not understand, the inner one a value that is not known.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

/// Binary operators, the longer spelling before its beginning, and how tightly they bind.
const OPERATORS: [(&[u8], u8); 18] = [
    (b"||", 1),
    (b"&&", 2),
    (b"==", 6),
    (b"!=", 6),
    (b"<<", 8),
    (b">>", 8),
    (b"<=", 7),
    (b">=", 7),
    (b"<", 7),
    (b">", 7),
    (b"|", 3),
    (b"^", 4),
    (b"&", 5),
    (b"+", 9),
    (b"-", 9),
    (b"*", 10),
    (b"/", 10),
    (b"%", 10),
];

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips spaces, joined lines and comments.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            if rest.starts_with(b"//") {
                self.at = self.text.len();
            } else if rest.starts_with(b"/*") {
                self.at += memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2);
            } else if rest.first().is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'\\') {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn binary(&mut self, least: u8) -> Option<Known> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.unary()?;
        loop {
            self.space();
            let rest = self.rest();
            let found = OPERATORS.iter().find(|(spelling, _)| rest.starts_with(spelling));
            let Some((spelling, binds)) = found.copied().filter(|(_, binds)| *binds > least) else { break };
            self.at += spelling.len();
            let right = self.binary(binds)?;
            left = apply(spelling, left, right);
        }
        self.depth -= 1;
        Some(left)
    }

    fn unary(&mut self) -> Option<Known> {
        self.space();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let first = *self.rest().first()?;
        let value = match first {
            b'!' | b'-' | b'+' | b'~' => {
                self.at += 1;
                let of = self.unary()?;
                of.and_then(|of| match first {
                    b'!' => Some(i128::from(of == 0)),
                    b'-' => of.checked_neg(),
                    b'~' => Some(!of),
                    _ => Some(of),
                })
            }
            b'(' => {
                self.at += 1;
                let inner = self.binary(0)?;
                self.space();
                if self.rest().first() != Some(&b')') {
                    return None;
                }
                self.at += 1;
                inner
            }
            b'0'..=b'9' => self.number(),
            _ if first.is_ascii_alphabetic() || first == b'_' => self.name()?,
            _ => return None,
        };
        self.depth -= 1;
        Some(value)
    }

    fn word(&mut self) -> &[u8] {
        let length = self.rest().iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let start = self.at;
        self.at += length;
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn number(&mut self) -> Option<i128> {
        let word = std::str::from_utf8(self.word()).ok()?.trim_end_matches(['u', 'U', 'l', 'L']);
        match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            Some(hex) => i128::from_str_radix(hex, 16).ok(),
            None if word.len() > 1 && word.starts_with('0') => i128::from_str_radix(word, 8).ok(),
            None => word.parse().ok(),
        }
    }

    /// `defined X`, `X`, `X(…)`: unknown, but `true` and `false`.
    fn name(&mut self) -> Option<Known> {
        let value = match self.word() {
            b"true" => Some(1),
            b"false" => Some(0),
            b"defined" => {
                self.space();
                self.word();
                None
            }
            _ => None,
        };
        self.space();
        if self.rest().first() == Some(&b'(') {
            let mut open = 0_usize;
            let closed = self.rest().iter().position(|byte| {
                open = match byte {
                    b'(' => open + 1,
                    b')' => open - 1,
                    _ => open,
                };
                open == 0
            });
            self.at += closed? + 1;
            return Some(None);
        }
        Some(value)
    }
}

fn apply(op: &[u8], left: Option<i128>, right: Option<i128>) -> Option<i128> {
    match op {
        b"&&" if left == Some(0) || right == Some(0) => return Some(0),
        b"||" if left.is_some_and(|left| left != 0) || right.is_some_and(|right| right != 0) => return Some(1),
        _ => {}
    }
    let (left, right) = (left?, right?);
    let shift = || u32::try_from(right).ok().filter(|by| *by < 64);
    match op {
        b"&&" => Some(i128::from(left != 0 && right != 0)),
        b"||" => Some(i128::from(left != 0 || right != 0)),
        b"==" => Some(i128::from(left == right)),
        b"!=" => Some(i128::from(left != right)),
        b"<" => Some(i128::from(left < right)),
        b">" => Some(i128::from(left > right)),
        b"<=" => Some(i128::from(left <= right)),
        b">=" => Some(i128::from(left >= right)),
        b"<<" => left.checked_mul(1_i128 << shift()?),
        b">>" => Some(left >> shift()?),
        b"|" => Some(left | right),
        b"^" => Some(left ^ right),
        b"&" => Some(left & right),
        b"+" => left.checked_add(right),
        b"-" => left.checked_sub(right),
        b"*" => left.checked_mul(right),
        b"/" => left.checked_div(right),
        b"%" => left.checked_rem(right),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without what is ruled out, on one line.
    fn live(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for range in dead(text.as_bytes()) {
            bytes[range].fill(b' ');
        }
        String::from_utf8(bytes).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_side_with_an_error_is_refused() {
        assert_eq!(live("a\n#ifdef A\nb\n#else\nc\n#error \"don't\"\nd\n#endif\ne"), "a #ifdef A b #else #endif e");
        // The side around it may be compiled, and so may a file with an error that is in no side.
        assert_eq!(
            live("#ifndef G\na\n#ifdef A\n# error no\n#endif\nb\n#endif"),
            "#ifndef G a #ifdef A #endif b #endif"
        );
        assert_eq!(live("a\n#error no\nb"), "a #error no b");
    }

    #[test]
    fn conditions() {
        let cases: [(&str, Option<i128>); 22] = [
            ("0", Some(0)),
            (" 1 // yes", Some(1)),
            ("(0)", Some(0)),
            ("!0", Some(1)),
            ("false", Some(0)),
            ("0 && A", Some(0)),
            ("A && 0", Some(0)),
            ("A || 1", Some(1)),
            ("A || 0", None),
            ("A", None),
            ("defined(A) && 0", Some(0)),
            ("defined A || B(1, (2))", None),
            ("!defined(A)", None),
            ("1 + 2 * 3 == 7", Some(1)),
            ("(1 << 3) > 0x8", Some(0)),
            ("1 ? 0 : 1", None),
            ("10 - 3 - 7", Some(0)),
            ("1 /* and */ && /* so */ 0", Some(0)),
            ("\"0\"", None),
            ("", None),
            ("1 / 0", None),
            ("A(", None),
        ];
        for (text, value) in cases {
            assert_eq!(known(text.as_bytes()), value, "{text}");
        }
        let n = 300;
        for text in ["(".repeat(n), format!("{}1{}", "(".repeat(n), ")".repeat(n)), "!".repeat(n), "1+".repeat(n)] {
            assert_eq!(known(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn sides_that_are_ruled_out_go() {
        assert_eq!(live("a\n#if 0\nb\n#endif\nc"), "a c");
        assert_eq!(live("#if 0\nb\n#else\nc\n#endif"), "c");
        assert_eq!(live("#if 1\nb\n#elif A\nc\n#else\nd\n#endif"), "b");
        assert_eq!(live("#  if 0 && A // no\nb\n#endif"), "");
        // What is not decided stays, with its directives.
        assert_eq!(live("#if A\nb\n#elif 0\nc\n#else\nd\n#endif"), "#if A b #elif 0 #else d #endif");
        assert_eq!(live("#if A\nb\n#elif 1\nc\n#else\nd\n#endif"), "#if A b #elif 1 c #else #endif");
        assert_eq!(live("#ifdef A\nb\n#else\nc\n#endif\n#if 0\n#endif"), "#ifdef A b #else c #endif");
    }

    #[test]
    fn sides_nest() {
        assert_eq!(live("#if 0\n#if A\nb\n#else\nc\n#endif\nd\n#endif\ne"), "e");
        assert_eq!(live("#if A\n#if 0\nb\n#else\nc\n#endif\n#endif"), "#if A c #endif");
        assert_eq!(live("#if 1\n#if 0\nb\n#endif\nc\n#endif"), "c");
    }

    #[test]
    fn text_that_only_looks_like_a_directive() {
        assert_eq!(live("/*\n#if 0\n*/ a\n#if 0\n#endif"), "/* #if 0 */ a");
        assert_eq!(live("x = R\"(\n#if 0\n)\"; a\n#if 0\n#endif"), "x = R\"( #if 0 )\"; a");
        assert_eq!(live("#if 0\ndon't \"\n#endif\na"), "a");
        assert_eq!(live("#if 0\n/* \n#endif\n*/ b\n#endif\na"), "a");
        assert_eq!(live("n = 1'000; #if 0\nm\n#if 0\nb\n#endif"), "n = 1'000; #if 0 m");
        assert_eq!(live("#define A \\\n#if 0\nb\n#if 0\n#endif"), "#define A \\ #if 0 b");
        assert_eq!(live("#if 0 /* a\n b */\nc\n#endif\nd"), "d");
    }

    #[test]
    fn nothing_is_guessed() {
        for text in ["#if 0\na", "#endif\n#if 0\na\n#endif", "#else\n#if 0\na\n#endif", "/* #if 0\n#if 0\na\n#endif"] {
            assert!(dead(text.as_bytes()).is_empty(), "{text}");
        }
    }
}
