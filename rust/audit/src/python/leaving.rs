//! Whether what stands behind a statement runs: one answer for guards, arms, loops and functions. A statement surely leaves where each way
//! through it does; it may leave where it calls something of which that is not known.

use foldhash::HashSet;

use super::nodes::Node;
use super::read::children;
use super::refusals::is_swallowing;
use super::tree::Leaves;

/// Statements of a loop, and their parts, that are looked at for how it ends.
const MAX_STATEMENTS: usize = 1 << 12;

/// How deep statements are looked into.
const MAX_DEPTH: usize = 24;

/// Arms of one statement, and statements of one arm, that are looked at.
const MAX_ARMS: usize = 64;

/// What never comes back.
const GIVES_UP: [&str; 14] = [
    "pytest.skip",
    "pytest.xfail",
    "pytest.fail",
    "pytest.exit",
    "self.skipTest",
    "self.fail",
    "sys.exit",
    "os.abort",
    "os._exit",
    "exit",
    "quit",
    "assert_never",
    "typing.assert_never",
    "typing_extensions.assert_never",
];

/// The same by a name that is imported.
const IMPORTED: [(&str, &[&str]); 3] =
    [("pytest", &["skip", "xfail", "fail"]), ("os", &["abort", "_exit"]), ("sys", &["exit"])];

/// What surely comes back: the libraries of kernels, and what only says or keeps something.
const LIBRARIES: [&str; 14] = [
    "cute", "cutlass", "gl", "ttgl", "tl", "triton", "nvvm", "llvm", "print", "printf", "logging", "logger", "log",
    "super",
];
const SAYS: [&str; 14] = [
    "append",
    "extend",
    "add",
    "update",
    "insert",
    "pop",
    "print",
    "info",
    "debug",
    "warning",
    "warn",
    "write",
    "flush",
    "synchronize",
];

/// The names of functions of the files that never come back, and of those that may not.
#[derive(Debug, Default)]
pub(super) struct Refusing<'s> {
    /// Every way through all that have the name raises or ends the program.
    pub never: HashSet<&'s str>,
    /// One of them raises somewhere.
    pub may: HashSet<&'s str>,
}

/// What is known of the calls of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ways<'t> {
    /// The file.
    pub text: &'t str,
    /// The names of the functions and classes of all files.
    pub defined: &'t HashSet<&'t str>,
    /// Those that refuse.
    pub refusing: &'t Refusing<'t>,
}

impl<'t> Ways<'t> {
    fn of(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.start_byte()..node.end_byte()).unwrap_or_default()
    }

    /// Whether a call of what has this path never comes back.
    pub(super) fn gives_up(&self, callee: &str) -> bool {
        let (object, name) = callee.rsplit_once('.').unwrap_or(("", callee));
        if self.refusing.never.contains(name) {
            return true;
        }
        if GIVES_UP.contains(&callee) {
            return !matches!(object, "" | "self") || !self.defined.contains(name);
        }
        // `parser.error("…")` of `argparse` ends the program.
        let parses = || {
            object.ends_with("parser")
                || ["argparse.ArgumentParser(", "ArgumentParser("]
                    .iter()
                    .any(|made| self.text.contains(&format!("{object} = {made}")))
        };
        let imported = || {
            let of = |(from, names): &(&str, &[&str])| {
                names.contains(&name) && self.text.contains(&format!("from {from} import"))
            };
            IMPORTED.iter().any(of) && !self.defined.contains(name)
        };
        match object {
            "" => imported(),
            _ => name == "error" && parses(),
        }
    }

    /// What a statement that is a call calls.
    pub(super) fn called(&self, statement: Node<'t>) -> Option<&'t str> {
        let call = match statement.kind() {
            "expression_statement" => statement.named_child(0)?,
            _ => statement,
        };
        (call.kind() == "call").then(|| call.child_by_field_name("function").map(|of| self.of(of)))?
    }

    /// Whether what follows a statement or a block never runs, nor what follows a loop that it leaves.
    pub(super) fn surely_leaves(&self, node: Node<'t>) -> bool {
        self.leaves(node, 0)
    }

    // Recursion: into the last statements of arms, to a fixed depth.
    fn leaves(&self, node: Node<'t>, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let field = |name| node.child_by_field_name(name);
        let last = || children(node).pop().is_some_and(|last| self.leaves(last, depth + 1));
        match node.kind() {
            "return_statement" | "raise_statement" | "continue_statement" | "break_statement" => true,
            "expression_statement" => self.called(node).is_some_and(|callee| self.gives_up(callee)),
            "assert_statement" => {
                node.named_child(0).is_some_and(|test| matches!(self.of(test).trim_matches(['(', ')']), "False" | "0"))
            }
            "block" | "else_clause" | "elif_clause" | "except_clause" | "except_group_clause" | "finally_clause" => {
                last()
            }
            "if_statement" => {
                let rest: Vec<_> = node.children_by_field_name("alternative").take(MAX_ARMS + 1).collect();
                rest.len() <= MAX_ARMS
                    && rest.last().is_some_and(|last| last.kind() == "else_clause")
                    && field("consequence").is_some_and(|body| self.leaves(body, depth + 1))
                    && rest.iter().all(|clause| self.leaves(*clause, depth + 1))
            }
            "match_statement" => {
                let cases: Vec<_> = field("body").into_iter().flat_map(children).take(MAX_ARMS + 1).collect();
                let body = |case: &Node<'t>| case.child_by_field_name("consequence");
                let any = |case: &Node<'t>| match children(*case).as_slice() {
                    [pattern, _] => {
                        let name = self.of(*pattern).trim();
                        !name.is_empty()
                            && name.bytes().all(crate::source::is_identifier)
                            && !matches!(name, "None" | "True" | "False")
                            && !name.starts_with(|c: char| c.is_ascii_digit())
                    }
                    _ => false,
                };
                cases.len() <= MAX_ARMS
                    && cases.last().is_some_and(any)
                    && cases.iter().all(|case| body(case).is_some_and(|body| self.leaves(body, depth + 1)))
            }
            "with_statement" => {
                let body = field("body");
                // What it swallows is an exception: a `return` in it is one.
                body.is_some_and(|body| self.leaves(body, depth + 1))
                    && (!is_swallowing(self.text, node) || Self::returns_last(node))
            }
            "try_statement" => {
                let parts = children(node);
                let leaves = |kind: &'static str| {
                    let mut all = parts.iter().filter(move |part| part.kind() == kind);
                    all.next().is_some_and(|part| self.leaves(*part, depth + 1))
                };
                let handled = parts
                    .iter()
                    .filter(|part| part.kind().starts_with("except"))
                    .take(MAX_ARMS)
                    .all(|part| self.leaves(*part, depth + 1));
                leaves("finally_clause")
                    || handled
                        && (field("body").is_some_and(|body| self.leaves(body, depth + 1)) || leaves("else_clause"))
            }
            "while_statement" | "for_statement" => {
                let endless = field("condition").is_some_and(|test| matches!(self.of(test), "True" | "1"));
                let rest = field("alternative");
                (endless || rest.is_some_and(|rest| self.leaves(rest, depth + 1)))
                    && field("body").is_some_and(|body| !leaves(body).breaks)
            }
            _ => false,
        }
    }

    /// Whether the last statement of a `with` returns.
    fn returns_last(with: Node<'t>) -> bool {
        let body = with.child_by_field_name("body");
        body.and_then(|body| children(body).pop()).is_some_and(|last| last.kind() == "return_statement")
    }

    /// Whether a statement of a block calls something that may raise for all that is known.
    pub(super) fn may_leave(&self, block: Node<'t>) -> bool {
        let mut all = children(block).into_iter().take(MAX_ARMS).filter(|one| one.kind() == "expression_statement");
        all.any(|one| self.called(one).is_some_and(|callee| self.may_refuse(callee)))
    }

    /// Whether a call of what has this path may raise for all that is known.
    fn may_refuse(&self, callee: &str) -> bool {
        let (root, name) =
            (callee.split(['.', '(']).next().unwrap_or_default(), callee.rsplit('.').next().unwrap_or_default());
        let quiet = LIBRARIES.contains(&root) || SAYS.contains(&name);
        if self.defined.contains(name) { self.refusing.may.contains(name) } else { !quiet }
    }
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
