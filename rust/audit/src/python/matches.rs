//! `match` as the tests that it is: `case "small" | Kind.LARGE:` asks whether the subject equals one of these, and `case _:` nothing.

use super::nodes::Node;
use super::read::{Walk, children, span};
use super::tree::{Expr, ExprId, Fork, Op, ScopeId};

/// Alternatives of one pattern, and names in one.
const MAX_PARTS: usize = 16;

/// What one alternative of a pattern is compared with.
#[derive(Debug, PartialEq, Eq)]
enum Pattern<'t> {
    Number(i128),
    Text(&'t str),
    /// `Kind.LARGE`: a name alone would be bound.
    Names(Vec<&'t str>),
}

/// The alternatives of a pattern, none for `_`; nothing where it binds names or looks at parts.
fn patterns(text: &str) -> Option<Vec<Pattern<'_>>> {
    if text.trim() == "_" {
        return Some(Vec::new());
    }
    let all: Option<Vec<Pattern<'_>>> = text.split('|').take(MAX_PARTS + 1).map(|one| pattern(one.trim())).collect();
    all.filter(|all| all.len() <= MAX_PARTS)
}

fn pattern(text: &str) -> Option<Pattern<'_>> {
    if let Ok(number) = text.parse() {
        // `+4` is no pattern, and `007` no number.
        let plain = text.strip_prefix('-').unwrap_or(text);
        let plain = plain == "0" || plain.starts_with(|c: char| ('1'..='9').contains(&c));
        return plain.then_some(Pattern::Number(number));
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    if let Some(quote) = quote {
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        let plain = !inner.is_empty() && !inner.contains(['"', '\'', '\\', '\n']);
        return plain.then_some(Pattern::Text(inner));
    }
    let names: Vec<&str> = text.split('.').take(MAX_PARTS).collect();
    let name = |one: &&str| {
        one.starts_with(|c: char| c.is_alphabetic() || c == '_') && one.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    (names.len() > 1 && names.len() < MAX_PARTS && names.iter().all(name)).then_some(Pattern::Names(names))
}

impl<'t> Walk<'t> {
    /// Reads a `match` as tests, where all of its patterns are; whether they are.
    pub(super) fn matched(&mut self, node: Node<'t>, subject: ExprId, scope: ScopeId, depth: usize) -> bool {
        let cases: Vec<Node<'t>> = node.child_by_field_name("body").into_iter().flat_map(children).collect();
        let of = |case: &Node<'t>| {
            let parts = children(*case);
            let pattern = parts.first().filter(|one| one.kind() == "case_pattern")?;
            let body = case.child_by_field_name("consequence")?;
            // Beside these two there may be a guard, or more patterns: a tuple.
            let all = patterns(self.text(*pattern)).filter(|_| parts.len() == 2)?;
            Some((all, *pattern, body))
        };
        let Some(arms) = cases.iter().map(of).collect::<Option<Vec<_>>>() else { return false };
        // Python lets `_` be the last one only.
        let last = arms.len().saturating_sub(1);
        if arms.is_empty() || arms.iter().take(last).any(|(all, ..)| all.is_empty()) {
            return false;
        }
        let (outer, id) = self.fork(Fork::If, node, scope);
        for (arm, (all, pattern, body)) in (0..).zip(arms) {
            let mut test = None;
            for one in all {
                let value = self.compared(&one, pattern);
                let equal = self.make_at(Expr::Binary(Op::Eq, subject, value), span(pattern));
                test = Some(match test {
                    None => equal,
                    Some(before) => self.make_at(Expr::Binary(Op::Either, before, equal), span(pattern)),
                });
            }
            self.under(outer, id, arm);
            self.arm(id, test, body);
            self.any(body, scope, depth + 1);
            self.path = outer;
        }
        true
    }

    /// The expression that one alternative of a pattern is.
    fn compared(&mut self, one: &Pattern<'t>, at: Node<'t>) -> ExprId {
        let place = span(at);
        match one {
            Pattern::Number(number) => self.make_at(Expr::Integer(Box::new(*number)), place),
            Pattern::Text(text) => {
                let text = self.kept(text);
                self.make_at(Expr::Text(text), place)
            }
            Pattern::Names(names) => {
                let (first, rest) = names.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
                let name = self.kept(first);
                let mut of = self.make_at(Expr::Name(name), place);
                for name in rest {
                    let name = self.kept(name);
                    of = self.make_at(Expr::Attribute(of, name), place);
                }
                of
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_are_tests() {
        use Pattern::{Names, Number, Text};
        for (text, all) in [
            ("_", vec![]),
            ("4", vec![Number(4)]),
            ("-4 | 0", vec![Number(-4), Number(0)]),
            ("'a' | \"b c\"", vec![Text("a"), Text("b c")]),
            ("Kind.A|m.Kind.B", vec![Names(vec!["Kind", "A"]), Names(vec!["m", "Kind", "B"])]),
        ] {
            assert_eq!(patterns(text), Some(all), "{text}");
        }
        for text in [
            "x", "x | 4", "None", "True", "4.0", "P()", "[4]", "4 as x", "'a|b'", "b'a'", "(4)", "1_0", "007", "''",
            "a.", "",
        ] {
            assert_eq!(patterns(text), None, "{text}");
        }
    }
}
