//! Constants that the preprocessor defines: `#define TILE (64)`, `#define TWICE TILE * 2`. The grammar leaves what they stand for as text.
//!
//! Such a text is read as an expression of its own. In C++ it is put where the name stands, so that only what is bound together in any
//! place is taken: a number, a name, and what parentheses hold; `A + B` alone is none, for `2 * SUM` is not twice their sum.

use thin_vec::{ThinVec, thin_vec};

use super::convert::{Converter, number};
use crate::ast::{Expr, ExprId, Op, Path, Segment, Span};
use crate::source::is_identifier;

/// Longer texts are not read.
const MAX_TEXT: usize = 256;

/// Parentheses nest no deeper.
const MAX_DEPTH: usize = 16;

/// Template arguments of one name.
const MAX_ARGUMENTS: usize = 32;

/// Where sums and products begin among the operators.
const SUMS: usize = 3;

/// Operators by how much they bind, the loosest first.
const LEVELS: [&[(&str, Op)]; 5] = [
    &[("|", Op::Or)],
    &[("&", Op::And)],
    &[("<<", Op::Shl), (">>", Op::Shr)],
    &[("+", Op::Add), ("-", Op::Sub)],
    &[("*", Op::Mul), ("/", Op::Div), ("%", Op::Rem)],
];

/// The expression that a macro without parameters stands for.
pub(super) fn constant(out: &mut Converter<'_>, span: Span) -> Option<ExprId> {
    let text = out.text_of(span);
    let start = span.start + u32::try_from(text.len() - text.trim_start().len()).ok()?;
    // A comment on the line belongs to the text.
    let text = text.split("//").next().unwrap_or_default().trim();
    let text = text.split("/*").next().unwrap_or_default().trim().to_owned();
    // A name alone is most often that of a type or of an attribute; in capitals it is another macro.
    let word = text.bytes().all(is_identifier) && text.bytes().any(|byte| byte.is_ascii_lowercase());
    if text.len() > MAX_TEXT || (word && !text.starts_with(|first: char| first.is_ascii_digit())) {
        return None;
    }
    let mut reader = Reader { out, text: &text, at: 0, start };
    let value = reader.atom(0)?;
    (reader.at == text.len()).then_some(value)
}

/// The expression that a text is, which stands in parentheses: `128`, `kWarps * 32`, `Traits::kThreads`.
pub(super) fn expression(out: &mut Converter<'_>, span: Span) -> Option<ExprId> {
    let text = out.text_of(span).to_owned();
    if text.len() > MAX_TEXT {
        return None;
    }
    let mut reader = Reader { out, text: &text, at: 0, start: span.start };
    let value = reader.level(0, 0)?;
    reader.rest().is_empty().then_some(value)
}

struct Reader<'r, 'a> {
    out: &'r mut Converter<'a>,
    text: &'r str,
    at: usize,
    start: u32,
}

impl Reader<'_, '_> {
    fn rest(&mut self) -> &str {
        // A macro goes on in the next line behind a backslash.
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut trimmed = rest.trim_start();
        while let Some(next) = trimmed.strip_prefix('\\').filter(|next| next.starts_with(['\n', '\r'])) {
            trimmed = next.trim_start();
        }
        self.at += rest.len() - trimmed.len();
        self.text.get(self.at..).unwrap_or_default()
    }

    fn add(&mut self, expr: Expr, from: usize) -> ExprId {
        let clip = |at: usize| self.start + u32::try_from(at).unwrap_or_default();
        let span = Span { start: clip(from), end: clip(self.at) };
        self.out.add(expr, span)
    }

    /// A number, a name, or something in parentheses.
    fn atom(&mut self, depth: usize) -> Option<ExprId> {
        let first = self.rest().bytes().next()?;
        let from = self.at;
        if first == b'-' {
            self.at += 1;
            let of = self.rest().bytes().next().filter(u8::is_ascii_digit).and_then(|_| self.atom(depth))?;
            return Some(self.add(Expr::Unary(Op::Sub, of), from));
        }
        if first == b'(' {
            self.at += 1;
            let value = self.level(0, depth + 1)?;
            let closed = self.rest().starts_with(')');
            self.at += 1;
            return closed.then_some(value);
        }
        let length = self.rest().bytes().take_while(|byte| is_identifier(*byte)).count();
        let word = self.text.get(from..from + length).filter(|word| !word.is_empty())?;
        self.at += length;
        if first.is_ascii_digit() {
            let value = number(word)?;
            return Some(self.add(Expr::number(value), from));
        }
        if word == "sizeof" || word == "alignof" {
            let (word, end) = (word.to_owned(), self.at);
            return self.size(&word, from, end);
        }
        let mut path = self.word(from, self.at);
        self.arguments(&mut path, depth)?;
        while self.text.get(self.at..).is_some_and(|rest| rest.starts_with("::")) && path.segments.len() < MAX_DEPTH {
            let begin = self.at + 2;
            let rest = self.text.get(begin..).unwrap_or_default();
            let length = rest.bytes().take_while(|byte| is_identifier(*byte)).count();
            if length == 0 {
                return None;
            }
            self.at = begin + length;
            path.segments.append(&mut self.word(begin, self.at).segments);
            self.arguments(&mut path, depth)?;
        }
        let path = self.add(Expr::Path(path), from);
        // `Layout<_4>{}` is a value of that type.
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with("{}")) {
            self.at += 2;
            return Some(self.add(Expr::Construct(path, ThinVec::new()), from));
        }
        Some(path)
    }

    /// Template arguments behind the last name of a path. There are no comparisons here, so that a bracket can be nothing else.
    fn arguments(&mut self, path: &mut Path, depth: usize) -> Option<()> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with('<') || rest.starts_with("<<") || rest.starts_with("<=") {
            return Some(());
        }
        self.at += 1;
        let mut args = Vec::new();
        while args.len() < MAX_ARGUMENTS {
            // Sums and products: a shift would take the brackets that close.
            args.push(self.level(SUMS, depth + 1)?);
            let rest = self.rest();
            let (more, ends) = (rest.starts_with(','), rest.starts_with('>'));
            self.at += 1;
            if ends {
                path.segments.last_mut()?.args = Some(args.into());
                return Some(());
            }
            if !more {
                return None;
            }
        }
        None
    }

    fn word(&self, from: usize, to: usize) -> Path {
        let clip = |at: usize| self.start + u32::try_from(at).unwrap_or_default();
        let name = Span { start: clip(from), end: clip(to) };
        Path { absolute: false, segments: thin_vec![Segment { name, args: None }] }
    }

    /// `sizeof(cutlass::half_t)`: of a type that is a name.
    fn size(&mut self, word: &str, from: usize, end: usize) -> Option<ExprId> {
        self.rest().starts_with('(').then_some(())?;
        self.at += 1;
        let mut path = Path { absolute: false, segments: ThinVec::new() };
        let mut begin;
        loop {
            let length = self.rest().bytes().take_while(|byte| is_identifier(*byte)).count();
            begin = self.at;
            if length == 0 || path.segments.len() > MAX_DEPTH {
                return None;
            }
            self.at += length;
            path.segments.append(&mut self.word(begin, begin + length).segments);
            if !self.rest().starts_with("::") {
                break;
            }
            self.at += 2;
        }
        let last = self.at;
        self.rest().starts_with(')').then_some(())?;
        self.at = last;
        let of = self.add(Expr::Path(path), begin);
        self.rest();
        self.at += 1;
        if word == "sizeof" {
            return Some(self.add(Expr::Sizeof(of), from));
        }
        let callee = self.word(from, end);
        let callee = self.add(Expr::Path(callee), from);
        Some(self.add(Expr::Call(callee, thin_vec![of]), from))
    }

    fn level(&mut self, level: usize, depth: usize) -> Option<ExprId> {
        let Some(operators) = LEVELS.get(level) else { return self.atom(depth) };
        if depth > MAX_DEPTH {
            return None;
        }
        self.rest();
        let from = self.at;
        let mut left = self.level(level + 1, depth)?;
        while let Some((sign, op)) = operators.iter().find(|(sign, _)| self.rest().starts_with(*sign)) {
            self.at += sign.len();
            let right = self.level(level + 1, depth)?;
            left = self.add(Expr::Binary(*op, left, right), from);
        }
        Some(left)
    }
}

#[cfg(test)]
mod tests {
    use crate::audit_sources;
    use crate::source::{Source, Sources};

    /// What a layout of as many elements as a macro says resolves to.
    fn layout(define: &str) -> Option<String> {
        let text = format!("{define}\nusing L = Layout<Shape<_2,Int<X>>, Stride<_2,_1>>;");
        let sources = Sources { files: vec![Source::new("a.hpp", text.into())], unreadable: vec![] };
        // Wrong wherever there are more than two columns: the finding shows what was read.
        Some(audit_sources(sources, None).findings.first()?.layout.clone())
    }

    #[test]
    fn what_is_bound_together_is_a_constant() {
        for (define, extent) in [
            ("#define X 8", 8),
            ("#define X (8)", 8),
            ("#define X 8u // columns", 8),
            ("#define A 4\n#define X (A * 2 - 1)", 7),
            ("#define A 4\n#define B A\n#define X ((A + B) << 1)", 16),
            ("#define X (2 + 3 * 4 / 2 % 5 | 16) /* columns */", 19),
        ] {
            assert_eq!(layout(define), Some(format!("(2,{extent}):(2,1)")), "{define}");
        }
    }

    #[test]
    fn what_is_not_bound_together_is_none() {
        for define in [
            "#define A 4\n#define X A + 4",
            "#define X (4",
            "#define X 4)",
            "#define X f(4)",
            "#define X",
            "#define X (N)",
        ] {
            assert_eq!(layout(define), None, "{define}");
        }
    }
}
