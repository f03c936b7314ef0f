//! Functions that change their variables, as statements to be run one by one: `while (x > 1) { x >>= 1; ++r; }`.

use tree_sitter::Node;

use super::convert::{first_named, infix};
use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{Expr, ExprId, Op, Span, Step};

/// Statements of one function.
const MAX_STEPS: usize = 256;

/// How deeply statements nest.
const MAX_NESTING: usize = 12;

impl Walker<'_> {
    /// The statements of a function's body; `None` where one is of a kind that is not run.
    pub(super) fn steps(&mut self, body: Node<'_>) -> Option<Vec<Step>> {
        let mut left = MAX_STEPS;
        let mut steps = Vec::new();
        self.step(body, &mut steps, &mut left, 0)?;
        Some(steps)
    }

    // Recursion: a level deeper each time, to a fixed depth.
    fn step(&mut self, node: Node<'_>, into: &mut Vec<Step>, left: &mut usize, depth: usize) -> Option<()> {
        *left = left.checked_sub(1)?;
        if depth > MAX_NESTING || node.is_missing() || node.is_error() {
            return None;
        }
        let field = |name| child_of(node, name);
        match kind_of(node) {
            Kind::Comment | Kind::StaticAssert => {}
            Kind::CompoundStatement => {
                let mut inside = Vec::new();
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.step(child, &mut inside, left, depth + 1)?;
                }
                into.push(Step::Block(inside));
            }
            Kind::Declaration => self.declared(node, into, left)?,
            Kind::ExpressionStatement => {
                if let Some(expression) = first_named(node) {
                    self.change(expression, into)?;
                }
            }
            Kind::IfStatement => {
                let test = self.condition(node)?;
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.step(field(Field::Consequence)?, &mut yes, left, depth + 1)?;
                if let Some(other) = field(Field::Alternative) {
                    let other = if kind_of(other) == Kind::ElseClause { first_named(other)? } else { other };
                    self.step(other, &mut no, left, depth + 1)?;
                }
                into.push(Step::Branch { test, yes, no });
            }
            Kind::WhileStatement => {
                let test = self.condition(node)?;
                let mut body = Vec::new();
                self.step(field(Field::Body)?, &mut body, left, depth + 1)?;
                into.push(Step::Loop { test: Some(test), body, after: Vec::new() });
            }
            Kind::ForStatement => {
                let mut whole = Vec::new();
                match field(Field::Initializer) {
                    Some(first) if kind_of(first) == Kind::Declaration => self.declared(first, &mut whole, left)?,
                    Some(first) => self.change(first, &mut whole)?,
                    None => {}
                }
                let test = field(Field::Condition).map(|test| self.out.convert(test));
                let (mut body, mut after) = (Vec::new(), Vec::new());
                if let Some(change) = field(Field::Update) {
                    self.change(change, &mut after)?;
                }
                self.step(field(Field::Body)?, &mut body, left, depth + 1)?;
                whole.push(Step::Loop { test, body, after });
                into.push(Step::Block(whole));
            }
            Kind::SwitchStatement => self.chosen(node, into, left, depth)?,
            Kind::Return => {
                let value = first_named(node).filter(|_| node.named_child_count() == 1)?;
                into.push(Step::Return(self.out.convert(value)));
            }
            Kind::Break => into.push(Step::Break),
            Kind::Continue => into.push(Step::Continue),
            _ => return None,
        }
        Some(())
    }

    /// A `switch` as the branches that it is, where no case runs on into the next.
    // Recursion: through statements, a level deeper each time.
    fn chosen(&mut self, node: Node<'_>, into: &mut Vec<Step>, left: &mut usize, depth: usize) -> Option<()> {
        let test = self.condition(node)?;
        let body = child_of(node, Field::Body)?;
        let mut cursor = body.walk();
        let cases: Vec<Node<'_>> =
            body.named_children(&mut cursor).filter(|child| kind_of(*child) != Kind::Comment).collect();
        let mut groups: Vec<(Option<ExprId>, Vec<Step>)> = Vec::new();
        let mut otherwise: Option<Vec<Step>> = None;
        // The labels before the statements that they share.
        let (mut any, mut default) = (None, false);
        for (index, case) in cases.iter().enumerate() {
            if kind_of(*case) != Kind::CaseStatement {
                return None;
            }
            *left = left.checked_sub(1)?;
            let value = child_of(*case, Field::Value);
            if let Some(value) = value {
                let span = self.out.span_of(value);
                let value = self.out.convert(value);
                let one = self.out.add(Expr::Binary(Op::Eq, test, value), span);
                any = Some(any.map_or(one, |any| self.out.add(Expr::Binary(Op::LogicalOr, any, one), span)));
            } else {
                default = true;
            }
            let mut steps = Vec::new();
            let mut cursor = case.walk();
            for statement in case.named_children(&mut cursor).filter(|part| Some(*part) != value) {
                self.step(statement, &mut steps, left, depth + 1)?;
            }
            // `case 1: { …; break; }`
            while let [Step::Block(inner)] = steps.as_mut_slice() {
                steps = std::mem::take(inner);
            }
            if steps.is_empty() && index + 1 < cases.len() {
                continue;
            }
            match steps.last() {
                Some(Step::Break) => drop(steps.pop()),
                Some(Step::Return(_)) => {}
                _ if index + 1 == cases.len() => {}
                _ => return None,
            }
            if leaves_a_switch(&steps) {
                return None;
            }
            if default {
                // Who shares its statements comes to them anyway.
                (any, default, otherwise) = (None, false, Some(steps));
            } else {
                groups.push((any.take(), steps));
            }
        }
        let mut rest = otherwise.unwrap_or_default();
        for (test, yes) in groups.into_iter().rev() {
            rest = vec![Step::Branch { test: test?, yes, no: rest }];
        }
        into.push(Step::Block(rest));
        Some(())
    }

    /// The condition of an `if` or `while` that is an expression.
    fn condition(&mut self, node: Node<'_>) -> Option<ExprId> {
        let condition = child_of(node, Field::Condition)?;
        let test = child_of(condition, Field::Value).filter(|_| condition.named_child_count() == 1)?;
        (kind_of(test) != Kind::Declaration).then(|| self.out.convert(test))
    }

    /// `int a = 1, b;`
    fn declared(&mut self, node: Node<'_>, into: &mut Vec<Step>, left: &mut usize) -> Option<()> {
        let word = child_of(node, Field::Type).map(|ty| self.out.span_of(ty))?;
        let mut cursor = node.walk();
        for declared in node.children_by_field_name("declarator", &mut cursor) {
            *left = left.checked_sub(1)?;
            let (name, value) = match kind_of(declared) {
                Kind::Identifier => (declared, None),
                Kind::InitDeclarator => {
                    (child_of(declared, Field::Declarator)?, Some(child_of(declared, Field::Value)?))
                }
                _ => return None,
            };
            let value = match value {
                Some(list) if kind_of(list) == Kind::InitializerList => {
                    Some(first_named(list).filter(|_| list.named_child_count() == 1)?)
                }
                other => other,
            };
            let name = (kind_of(name) == Kind::Identifier).then(|| self.out.span_of(name))?;
            let value = value.map(|value| self.out.convert(value));
            into.push(Step::Declare { name, word, value });
        }
        Some(())
    }

    /// `x = 1`, `x += 1`, `++x`, and several of these with commas.
    fn change(&mut self, node: Node<'_>, into: &mut Vec<Step>) -> Option<()> {
        let field = |name| child_of(node, name);
        match kind_of(node) {
            Kind::Assignment => {
                let name = self.plain(field(Field::Left)?)?;
                let op = field(Field::Operator)?.kind().strip_suffix('=')?;
                let op = if op.is_empty() { None } else { Some(infix(op)?) };
                let value = Some(self.out.convert(field(Field::Right)?));
                into.push(Step::Assign { name, op, value });
            }
            Kind::Update => {
                let name = self.plain(field(Field::Argument)?)?;
                let op = field(Field::Operator)?.kind().get(..1)?;
                into.push(Step::Assign { name, op: Some(infix(op)?), value: None });
            }
            _ => return None,
        }
        Some(())
    }

    fn plain(&self, node: Node<'_>) -> Option<Span> {
        (kind_of(node) == Kind::Identifier).then(|| self.out.span_of(node))
    }
}

/// Whether a statement of a case leaves the `switch`, which no branch can.
// Recursion: as deeply as statements nest, which is bounded where they are read.
fn leaves_a_switch(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Break => true,
        Step::Block(inner) => leaves_a_switch(inner),
        Step::Branch { yes, no, .. } => leaves_a_switch(yes) || leaves_a_switch(no),
        _ => false,
    })
}
