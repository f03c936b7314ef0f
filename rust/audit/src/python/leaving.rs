//! Whether what stands behind a statement runs.

use super::nodes::Node;
use super::read::children;
use super::tree::Leaves;

/// Statements of a loop, and their parts, that are looked at for how it ends.
const MAX_STATEMENTS: usize = 1 << 12;

/// Whether what follows a block never runs after it.
pub(super) fn ends(block: Node<'_>) -> bool {
    children(block).pop().is_some_and(is_left)
}

/// Whether what follows a statement never runs.
pub(super) fn is_left(statement: Node<'_>) -> bool {
    matches!(statement.kind(), "return_statement" | "raise_statement" | "continue_statement" | "break_statement")
}

/// How rounds of a loop with this body may end before their time.
pub(super) fn leaves(body: Node<'_>) -> Leaves {
    let mut found = Leaves::default();
    // What a loop within it leaves is that loop.
    let mut next = vec![(body, false)];
    let mut looked = 0_usize;
    while let Some((node, inner)) = next.pop() {
        looked += 1;
        if looked > MAX_STATEMENTS {
            return Leaves { breaks: true, early: true, skips: true };
        }
        match node.kind() {
            "break_statement" if !inner => (found.breaks, found.early) = (true, true),
            "continue_statement" if !inner => found.skips = true,
            "return_statement" => found.early = true,
            // No statement of the loop stands in these, nor in an expression.
            "function_definition" | "class_definition" | "lambda" | "expression_statement" => {}
            "for_statement" | "while_statement" => {
                let rest = node.child_by_field_name("alternative");
                next.extend(children(node).into_iter().map(|child| (child, inner || Some(child) != rest)));
            }
            _ => next.extend(children(node).into_iter().map(|child| (child, inner))),
        }
    }
    found
}
