//! What chosen arms say of values that are not known: where `arch == 9` was taken, `arch in [8, 12]` does not hold further down.

use std::rc::Rc;

use super::evaluate::{At, Evaluator};
use super::tree::{Bound, Expr, ExprId, Op};
use super::world::Point;
use crate::ast::Span;

/// Constants that one test compares with.
const MAX_CONSTANTS: usize = 32;

/// How deep a test is looked into.
const MAX_PARTS: usize = 8;

/// What is compared: its file, the start of the scope that binds its names, the call, and its text.
pub type Subject<'a> = (usize, u32, u64, &'a str);

/// A constant that something is compared with. Numbers count halves, so that there is one between any two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    /// Twice the number.
    Number(i128),
    /// A string.
    Text(Rc<str>),
    /// `None`.
    None,
    /// Whatever the tests do not name.
    Other,
}

/// What is said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// It is one of these.
    Among,
    /// It is below this.
    Below,
    /// It is this or below.
    NotAbove,
    /// It counts as true.
    True,
}

/// A test of something that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test<'a> {
    /// What is tested.
    pub subject: Subject<'a>,
    relation: Relation,
    constants: Vec<Constant>,
    /// Whether it is said not to be so.
    not: bool,
}

impl Test<'_> {
    /// Whether it holds for a value; nothing where that cannot be said.
    fn holds(&self, value: &Constant) -> Option<bool> {
        let holds = match (self.relation, value, self.constants.first()) {
            (Relation::Among, value, _) => self.constants.contains(value),
            (Relation::Below, Constant::Number(value), Some(Constant::Number(limit))) => value < limit,
            (Relation::NotAbove, Constant::Number(value), Some(Constant::Number(limit))) => value <= limit,
            (Relation::True, Constant::Number(value), _) => *value != 0,
            (Relation::True, Constant::Text(text), _) => !text.is_empty(),
            (Relation::True, Constant::None, _) => false,
            _ => return None,
        };
        Some(holds != self.not)
    }
}

/// Whether a test holds where others are known to hold, or not to; nothing where either may be.
pub fn follows(facts: &[(Test<'_>, bool)], test: &Test<'_>) -> Option<bool> {
    let same = |known: &Test<'_>| known.relation == test.relation && known.constants == test.constants;
    if let Some((known, truth)) = facts.iter().find(|(known, _)| same(known)) {
        return Some((known.not == test.not) == *truth);
    }
    // What is compared with numbers in their order is one.
    let ordered = |relation: Relation| matches!(relation, Relation::Below | Relation::NotAbove);
    let number = ordered(test.relation) || facts.iter().any(|(known, _)| ordered(known.relation));
    let mut values = if number { Vec::new() } else { vec![Constant::Other, Constant::None] };
    if test.relation == Relation::True || facts.iter().any(|(known, _)| known.relation == Relation::True) {
        values.extend([-1, 0, 1].map(Constant::Number));
        values.extend((!number).then(|| Constant::Text("".into())));
    }
    for constant in facts.iter().flat_map(|(known, _)| &known.constants).chain(&test.constants) {
        match constant {
            Constant::Number(value) => values.extend([-1, 0, 1].map(|more| Constant::Number(value + more))),
            other => values.push(other.clone()),
        }
    }
    let mut result = None;
    for value in &values {
        // What a fact says nothing of, it may be.
        if facts.iter().any(|(known, truth)| known.holds(value).is_some_and(|holds| holds != *truth)) {
            continue;
        }
        let holds = test.holds(value)?;
        if result.is_some_and(|known| known != holds) {
            return None;
        }
        result = Some(holds);
    }
    result
}

impl<'a> Evaluator<'a> {
    /// Whether a test that is not known follows from what was chosen.
    pub(super) fn implied(&mut self, test: ExprId, at: &At) -> Option<bool> {
        self.world.as_ref()?;
        let tests = self.tests(test, at, 0)?;
        let mut all = true;
        for test in &tests {
            let facts = self.world.as_mut()?.facts(&test.subject);
            match follows(&facts, test) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = false,
            }
        }
        (all && !tests.is_empty()).then_some(true)
    }

    /// A test was chosen to hold, or not to.
    pub(super) fn chosen_to(&mut self, test: ExprId, truth: bool, at: &At, point: &Point<'a>) {
        let Some(place) = self.world.as_ref().and_then(|world| world.place_of(point)) else { return };
        let Some(tests) = self.tests(test, at, 0) else { return };
        // Of several it is not known which does not hold.
        if truth || tests.len() == 1 {
            for test in tests {
                if let Some(world) = self.world.as_mut() {
                    world.add_fact(test, truth, place);
                }
            }
        }
    }

    /// The tests that all have to hold.
    // Recursion: to a fixed depth.
    fn tests(&self, test: ExprId, at: &At, depth: usize) -> Option<Vec<Test<'a>>> {
        let module = self.module(at.module)?;
        if depth > MAX_PARTS {
            return None;
        }
        let of = |subject: ExprId, relation, constants, not| {
            Some(vec![Test { subject: self.subject(subject, at)?, relation, constants, not }])
        };
        match module.expr(test) {
            Expr::Call(callee, arguments) => {
                let (Expr::Name(name) | Expr::Attribute(_, name), [only]) = (module.expr(*callee), &**arguments) else {
                    return None;
                };
                (&**name == "const_expr" && only.name.is_none()).then(|| self.tests(only.value, at, depth + 1))?
            }
            Expr::Not(of) => match self.tests(*of, at, depth + 1)?.as_slice() {
                [one] => Some(vec![Test { not: !one.not, ..one.clone() }]),
                _ => None,
            },
            Expr::Binary(Op::Both, left, right) => {
                let mut all = self.tests(*left, at, depth + 1)?;
                all.extend(self.tests(*right, at, depth + 1)?);
                Some(all)
            }
            Expr::Binary(op, left, right) => {
                let (left, right, turned) = match self.constant(*right, at) {
                    Some(constant) => (*left, constant, false),
                    None => (*right, self.constant(*left, at)?, true),
                };
                let (relation, not) = match (op, turned) {
                    (Op::Eq, _) => (Relation::Among, false),
                    (Op::Ne, _) => (Relation::Among, true),
                    (Op::Lt, false) | (Op::Gt, true) => (Relation::Below, false),
                    (Op::Ge, false) | (Op::Le, true) => (Relation::Below, true),
                    (Op::Le, false) | (Op::Ge, true) => (Relation::NotAbove, false),
                    (Op::Gt, false) | (Op::Lt, true) => (Relation::NotAbove, true),
                    _ => return None,
                };
                of(left, relation, vec![right], not)
            }
            Expr::Within(one, list, not) => {
                let Expr::Tuple(items, _) = module.expr(*list) else { return None };
                let constants: Option<Vec<_>> =
                    items.iter().take(MAX_CONSTANTS + 1).map(|item| self.constant(*item, at)).collect();
                of(*one, Relation::Among, constants.filter(|all| all.len() <= MAX_CONSTANTS)?, *not)
            }
            Expr::Name(_) => of(test, Relation::True, Vec::new(), false),
            _ => None,
        }
    }

    fn constant(&self, of: ExprId, at: &At) -> Option<Constant> {
        match self.module(at.module)?.expr(of) {
            Expr::Integer(value) => value.checked_mul(2).map(Constant::Number),
            Expr::Negative(of) => match self.constant(*of, at)? {
                Constant::Number(value) => Some(Constant::Number(-value)),
                _ => None,
            },
            Expr::Text(text) => Some(Constant::Text((**text).into())),
            Expr::None => Some(Constant::None),
            _ => None,
        }
    }

    /// Something that is the same wherever it stands: numbers, and names that are bound once and not in a loop.
    fn subject(&self, of: ExprId, at: &At) -> Option<Subject<'a>> {
        let module = self.module(at.module)?;
        let (mut next, mut home, mut parts) = (vec![of], None, 0);
        while let Some(one) = next.pop() {
            parts += 1;
            if parts > MAX_PARTS {
                return None;
            }
            match module.expr(one) {
                Expr::Integer(_) => {}
                Expr::Name(name) => {
                    let (scope, [binding]) = self.bindings(name, at)? else { return None };
                    let kept = matches!(
                        binding.bound,
                        Bound::Value(..) | Bound::Part(..) | Bound::Parameter(_) | Bound::From(..)
                    );
                    let once =
                        |step: super::tree::Step| module.branch(step.branch).is_some_and(|branch| !branch.fork.loops());
                    if !kept || !module.steps(binding.path).all(once) || home.is_some_and(|home| home != scope) {
                        return None;
                    }
                    home = Some(scope);
                }
                Expr::Binary(Op::Add | Op::Sub | Op::Mul | Op::FloorDiv | Op::Mod, left, right) => {
                    next.extend([*left, *right]);
                }
                _ => return None,
            }
        }
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let span: Span = module.span(of);
        Some((at.module, home?.0, at.key(), text.get(span.range())?.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(relation: Relation, numbers: &[i128], not: bool) -> Test<'static> {
        let constants = numbers.iter().map(|number| Constant::Number(2 * number)).collect();
        Test { subject: (0, 0, 0, "x"), relation, constants, not }
    }

    /// Against all numbers nearby, and halves of them: what follows holds for all that the facts allow, and where neither follows there are both.
    #[test]
    fn what_follows_holds_for_all_that_is_allowed() {
        let mut all = Vec::new();
        for not in [false, true] {
            for limit in 0..4 {
                all.push(test(Relation::Below, &[limit], not));
                all.push(test(Relation::NotAbove, &[limit], not));
                all.push(test(Relation::Among, &[limit], not));
                all.push(test(Relation::Among, &[limit, 3 - limit], not));
            }
            all.push(test(Relation::True, &[], not));
        }
        for first in &all {
            for second in &all {
                for truths in 0..4 {
                    let facts = [(first.clone(), truths & 1 == 1), (second.clone(), truths & 2 == 2)];
                    let allowed: Vec<Constant> = (-4..12)
                        .map(Constant::Number)
                        .filter(|value| facts.iter().all(|(fact, truth)| fact.holds(value) == Some(*truth)))
                        .collect();
                    for asked in &all {
                        let mut found: Vec<bool> = allowed.iter().filter_map(|value| asked.holds(value)).collect();
                        found.dedup();
                        if let (Some(truth), false) = (follows(&facts, asked), allowed.is_empty()) {
                            assert_eq!(found, [truth], "{facts:?} {asked:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_was_taken_decides_what_comes_later() {
        let nine = test(Relation::Among, &[9], false);
        let others = test(Relation::Among, &[8, 12], false);
        assert_eq!(follows(&[(nine.clone(), true)], &others), Some(false));
        assert_eq!(follows(&[(nine.clone(), false)], &others), None);
        assert_eq!(follows(&[(others.clone(), true)], &nine), Some(false));
        assert_eq!(follows(&[(nine.clone(), true)], &Test { not: true, ..nine.clone() }), Some(false));
        assert_eq!(follows(&[], &nine), None);
        let below = |limit| test(Relation::Below, &[limit], false);
        assert_eq!(follows(&[(below(5), false)], &below(3)), Some(false));
        assert_eq!(follows(&[(below(3), true)], &below(5)), Some(true));
        assert_eq!(follows(&[(below(5), true)], &below(3)), None);
        let none = Test { constants: vec![Constant::None], ..nine.clone() };
        assert_eq!(follows(&[(nine, true)], &none), Some(false));
    }
}
