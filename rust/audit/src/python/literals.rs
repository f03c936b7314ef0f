//! Strings, numbers and operators as they are written.

use super::nodes::Node;
use super::read::{MAX_TEXT, Walk, children};
use super::tree::{Expr, ExprId, Op, ScopeId};

impl<'t> Walk<'t> {
    /// A string, or the pieces of one with expressions in it.
    pub(super) fn string(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) -> Expr {
        let parts = children(node);
        if parts.iter().all(|part| matches!(part.kind(), "string_start" | "string_content" | "string_end"))
            && let [_, content, _] = parts.as_slice()
            && !self.text(*content).contains('\\')
        {
            let text = self.text(*content);
            // Names of things are short; what is longer says something to people.
            return if text.len() > MAX_TEXT { Expr::Other } else { Expr::Text(self.kept(text)) };
        }
        // f"{a}_b"
        let plain = |part: &Node<'t>| match part.kind() {
            "string_start" => matches!(self.text(*part), "f\"" | "f'" | "F\"" | "F'"),
            "string_content" => !self.text(*part).contains(['\\', '{', '}']),
            "interpolation" => part.named_child_count() == 1 && !self.text(*part).contains(['!', ':', '=']),
            kind => kind == "string_end",
        };
        if parts.iter().all(plain) {
            let mut pieces = Vec::new();
            for part in parts {
                match (part.kind(), part.named_child(0)) {
                    ("string_content", _) => {
                        let text = self.kept(self.text(part));
                        pieces.push(self.make(Expr::Text(text), part));
                    }
                    ("interpolation", Some(inner)) => pieces.push(self.expr(inner, scope, depth + 1)),
                    _ => {}
                }
            }
            return Expr::Joined(pieces.into());
        }
        self.others(&parts.into_iter().filter(|part| part.kind() == "interpolation").collect::<Vec<_>>(), scope, depth)
    }

    /// `a < b < c`: what both say together.
    pub(super) fn chain(&mut self, node: Node<'t>, operands: &[ExprId]) -> Expr {
        let operators: Option<Vec<Op>> =
            node.children_by_field_name("operators").map(|operator| operation(self.text(operator))).collect();
        let Some(operators) = operators.filter(|all| all.len() + 1 == operands.len()) else { return Expr::Other };
        let pairs = operands.iter().zip(operands.iter().skip(1));
        let mut all = operators.iter().zip(pairs).map(|(op, (left, right))| Expr::Binary(*op, *left, *right));
        let Some(first) = all.next() else { return Expr::Other };
        all.fold(first, |before, next| {
            let (before, next) = (self.make(before, node), self.make(next, node));
            Expr::Binary(Op::Both, before, next)
        })
    }
}

/// The integer that a token is; nothing for one that is no integer, or too large.
pub(super) fn integer(text: &str) -> Option<i128> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let lower = digits.to_ascii_lowercase();
    let radix = |prefix: &str, radix| lower.strip_prefix(prefix).map(|rest| i128::from_str_radix(rest, radix).ok());
    radix("0x", 16).or_else(|| radix("0b", 2)).or_else(|| radix("0o", 8)).unwrap_or_else(|| lower.parse().ok())
}

/// The operator of two operands that a token is.
pub(super) fn operation(text: &str) -> Option<Op> {
    Some(match text {
        "+" => Op::Add,
        "-" => Op::Sub,
        "*" => Op::Mul,
        "/" => Op::Div,
        "//" => Op::FloorDiv,
        "%" => Op::Mod,
        "**" => Op::Pow,
        "<<" => Op::Shl,
        ">>" => Op::Shr,
        "&" => Op::And,
        "|" => Op::Or,
        "^" => Op::Xor,
        // Of the values that are compared here, equal ones are the same.
        "==" | "is" => Op::Eq,
        "!=" | "is not" => Op::Ne,
        "<" => Op::Lt,
        "<=" => Op::Le,
        ">" => Op::Gt,
        ">=" => Op::Ge,
        "and" => Op::Both,
        "or" => Op::Either,
        _ => return None,
    })
}
