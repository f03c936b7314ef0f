//! Parsing within a bound, in any language.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Longer texts are not parsed: a tree is a hundred times as large as the text. Of C++, comments and function bodies without layouts
/// do not count.
pub const MAX_PARSED: usize = 4 << 20;

/// Parser steps (in hundreds) that a byte may cost before the parser is stopped. Sane sources stay under one hundredth of this;
/// the bound is a count and not a clock, so that the same file always gets the same answer.
const STEPS_PER_BYTE: usize = 4;

/// Steps that any file may take, however short.
const STEPS_AT_LEAST: usize = 10_000;

/// The tree of a text; `None` when that takes more steps than its length allows.
pub fn parse(parser: &mut Parser, bytes: &[u8]) -> Option<Tree> {
    let mut left = STEPS_AT_LEAST.saturating_add(bytes.len().saturating_mul(STEPS_PER_BYTE));
    let mut count = |_: &ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut count);
    let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
    parser.reset();
    tree
}
