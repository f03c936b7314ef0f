//! The cases of a `switch`: which values lead to a statement in one of them.

use tree_sitter::Node;

use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use super::ways::{Way, plain_test};
use crate::ast::{Expr, ExprId, Guard, GuardKind, Op};

/// Cases of one `switch`.
const MAX_CASES: usize = 64;

impl Walker<'_> {
    /// Keeps the values for which a case is taken; tells whether that is all that there is to say.
    pub(super) fn cases(&mut self, switch: Node<'_>, case: Option<Node<'_>>, way: &mut Way) -> bool {
        let (Some(case), Some(test)) = (case, plain_test(switch)) else { return false };
        let Some(body) = case.parent().filter(|_| !switch.has_error()) else { return false };
        let mut cursor = body.walk();
        let all: Vec<Node<'_>> =
            body.named_children(&mut cursor).filter(|child| kind_of(*child) != Kind::Comment).collect();
        let Some(at) = all.iter().position(|other| *other == case) else { return false };
        if all.len() > MAX_CASES || all.iter().any(|child| kind_of(*child) != Kind::CaseStatement) {
            return false;
        }
        // Labels right before it lead to it as well, and what runs on into it is not followed.
        let mut first = at;
        while let Some(before) = first.checked_sub(1).and_then(|before| all.get(before)) {
            match last_statement(*before) {
                None => first -= 1,
                Some(last) if self.always_leaves(last, false) => break,
                Some(_) => return false,
            }
        }
        let test = self.read_test(test);
        let own = all.get(first..=at).unwrap_or_default();
        if own.iter().all(|case| value(*case).is_some()) {
            let mut any: Option<ExprId> = None;
            for case in own {
                let one = self.equals(test, *case);
                let span = self.out.span_of(*case);
                any = Some(any.map_or(one, |any| self.out.add(Expr::Binary(Op::LogicalOr, any, one), span)));
            }
            way.guards.extend(any.map(|condition| guard(condition, way, true)));
        } else {
            // The default: no other case is taken.
            let others =
                all.iter().enumerate().filter(|(index, case)| !(first..=at).contains(index) && value(**case).is_some());
            let others: Vec<ExprId> = others.map(|(_, case)| self.equals(test, *case)).collect();
            let guards: Vec<Guard> = others.into_iter().map(|condition| guard(condition, way, false)).collect();
            way.guards.extend(guards);
        }
        true
    }

    /// Whether what is tested has the value of a case.
    fn equals(&mut self, test: ExprId, case: Node<'_>) -> ExprId {
        if let Some(known) = self.tests.get(&case.id()) {
            return *known;
        }
        let span = self.out.span_of(value(case).unwrap_or(case));
        let value = match value(case) {
            Some(value) => self.out.convert(value),
            None => self.out.add(Expr::Broken, span),
        };
        let equals = self.out.add(Expr::Binary(Op::Eq, test, value), span);
        self.tests.insert(case.id(), equals);
        equals
    }
}

fn guard(condition: ExprId, way: &Way, holds: bool) -> Guard {
    Guard { condition, scope: way.scope, holds: Some(holds), kind: GuardKind::Case }
}

/// The value of a case; none of the default.
fn value(case: Node<'_>) -> Option<Node<'_>> {
    child_of(case, Field::Value)
}

/// The last statement of a case.
fn last_statement(case: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = case.walk();
    let value = value(case);
    let statements = case.named_children(&mut cursor).filter(|part| kind_of(*part) != Kind::Comment);
    statements.filter(|part| Some(*part) != value).last()
}
