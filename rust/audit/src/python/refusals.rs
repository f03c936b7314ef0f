//! What is there to be refused, as it is written: `with pytest.raises(…)`, a `try` that goes on with what is refused, a test that is
//! expected to fail or is skipped.

use super::evaluate::Evaluator;
use super::nodes::Node;
use super::read::children;
use super::tree::{Expr, ExprId};
use crate::ast::Span;

/// What may be caught beside what the libraries raise for a layout.
const OTHERS: [&str; 8] = [
    "ImportError",
    "ModuleNotFoundError",
    "KeyError",
    "AttributeError",
    "IndexError",
    "OSError",
    "FileNotFoundError",
    "KeyboardInterrupt",
];

/// Whether a block under this is one that something must refuse.
pub(super) fn is_raises(item: &str) -> bool {
    let name = item.split('(').next().unwrap_or_default().trim();
    matches!(
        name,
        "pytest.raises"
            | "raises"
            | "self.assertRaises"
            | "self.assertRaisesRegex"
            | "contextlib.suppress"
            | "suppress"
    )
}

/// Whether something stands in a parameter of a test that is expected to fail: `pytest.param(…, marks=pytest.mark.xfail)`.
pub(super) fn is_marked(text: &str, span: Span) -> bool {
    let start = text.floor_char_boundary((span.start as usize).saturating_sub(MAX_BACK));
    let before = text.get(start..span.start as usize).unwrap_or_default();
    let Some(at) = before.rfind("param(") else { return false };
    let mut depth = 0_usize;
    let whole = text.get(start + at..).unwrap_or_default();
    let end = whole.char_indices().take(MAX_PARAM).find_map(|(at, sign)| {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (sign == ')' && depth == 0).then_some(at)
    });
    // It may have ended before.
    let whole = whole.get(..end.unwrap_or(0)).unwrap_or_default();
    whole.len() > before.len() - at && (whole.contains("xfail") || whole.contains("mark.skip"))
}

/// Characters of one parameter of a test.
const MAX_PARAM: usize = 4_096;

/// Bytes before an argument in which what it is given to is looked for.
const MAX_BACK: usize = 256;

/// What gets what stands behind a text as an argument: `assertRaises(ValueError, lambda: …)`.
pub(super) fn given_to(before: &str) -> Option<&str> {
    let before = before.get(before.floor_char_boundary(before.len().saturating_sub(MAX_BACK))..)?;
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    line.rsplit_once('(').filter(|(_, rest)| !rest.contains(')')).map(|(name, _)| name)
}

/// Whether a `try` goes on where its body is refused: one of its handlers is for more than names that are missing, and raises nothing itself.
pub(super) fn goes_on<'t>(text: &'t str, of: Node<'t>) -> bool {
    children(of).into_iter().filter(|part| part.kind() == "except_clause").any(|part| {
        let parts = children(part);
        let (caught, body) = match parts.as_slice() {
            [body] => ("", body),
            [caught, .., body] => (text.get(caught.start_byte()..caught.end_byte()).unwrap_or_default(), body),
            [] => return false,
        };
        let mut names = caught.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
        let catches = caught.is_empty()
            || names.any(|name| name.ends_with("Error") && !OTHERS.contains(&name))
            || caught.contains("Exception");
        catches && children(*body).pop().is_some_and(|last| last.kind() != "raise_statement")
    })
}

impl Evaluator<'_> {
    /// Whether one of these decorators says that a test fails, or that it never runs: `@pytest.mark.xfail`, `@unittest.skip("…")`. One
    /// with a condition says neither.
    pub(super) fn is_expected_to_fail(&self, module: usize, decorators: &[ExprId]) -> bool {
        let Some(module) = self.module(module) else { return false };
        decorators.iter().any(|mark| {
            let (of, whole) = match module.expr(*mark) {
                Expr::Call(of, arguments) => (
                    *of,
                    arguments.iter().all(|one| matches!(one.name.as_deref(), Some("reason" | "strict" | "raises"))),
                ),
                _ => (*mark, true),
            };
            match module.expr(of) {
                Expr::Name(name) | Expr::Attribute(_, name) => match &**name {
                    "xfail" => whole,
                    "expectedFailure" | "skip" => true,
                    _ => false,
                },
                _ => false,
            }
        })
    }
}
