//! Functions that are read as a whole, for what they return: declarations, conditions and returns, and nothing else that could
//! matter.

use tree_sitter::{Node, TreeCursor};

use super::convert::first_named;
use super::extract::{Context, Walker, defined_name, named};
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{Body, ExprId, Return, ScopeId, ScopeKind, Span, Step};

/// Nodes of one statement that are searched for what it changes.
const MAX_NODES: usize = 4_096;

/// Bytes of a body whose statements are run one by one.
const MAX_RUN: usize = 4_096;

/// Declarators in declarators.
const MAX_DEPTH: usize = 16;

/// The function that a call of an object means.
const CALL_OPERATOR: &str = "operator()";

/// A function that is being read.
#[derive(Debug, Default)]
pub(super) struct Building {
    returns: Vec<Return>,
    when: Vec<(ExprId, ScopeId, bool)>,
    /// Whether there is something in it that is not followed.
    unsound: bool,
    /// Whether it is a kernel: what it calls runs on its threads.
    kernel: bool,
}

impl Walker<'_> {
    /// A function definition in which something is of interest. A mark on the brace of its body asks for what it returns.
    pub(super) fn function(&mut self, cursor: &mut TreeCursor<'_>, context: Context) {
        let node = cursor.node();
        let head = self.macro_head(node, context.scope);
        let outer = head.as_ref().map_or(context.scope, |head| head.scope);
        let scope = outer;
        self.launch(node, self.out.span_of(node), scope);
        let scope = self.open(ScopeKind::Block, scope);
        let params = match &head {
            Some(head) => self.macro_parameters(head, scope),
            None => self.function_parameters(node, scope),
        };
        let (returns, steps) = self.read_body(cursor, Context { scope, ..context });
        let name = match &head {
            Some(head) => Some(head.name),
            None => defined_name(node).map(|name| self.out.span_of(name)).or_else(|| self.call_operator(node)),
        };
        let Some(name) = name else { return };
        let result = child_of(node, Field::Type).map(|ty| self.out.span_of(ty)).unwrap_or_default();
        let (home, templated) = self.visible(outer);
        let template = templated.then_some(outer);
        let span = self.out.span_of(node);
        self.out.unit.bodies.push(Body { name, template, home, scope, params, result, span, returns, steps });
    }

    /// The name of `operator()`, where that is what is defined in its class.
    fn call_operator(&self, function: Node<'_>) -> Option<Span> {
        let mut at = child_of(function, Field::Declarator)?;
        for _ in 0..MAX_DEPTH {
            match kind_of(at) {
                Kind::OperatorName => break,
                Kind::QualifiedIdentifier => return None,
                _ => at = child_of(at, Field::Declarator).or_else(|| first_named(at))?,
            }
        }
        Some(self.out.span_of(at)).filter(|name| self.out.text_of(*name) == CALL_OPERATOR)
    }

    /// `auto name = [](auto rows) { return …; };` is a function of that name.
    pub(super) fn lambda(&mut self, cursor: &mut TreeCursor<'_>, context: Context) {
        let node = cursor.node();
        let home = context.scope;
        let scope = self.open(ScopeKind::Block, home);
        let params = self.function_parameters(node, scope);
        self.hide_captures(node, scope);
        let (returns, steps) = self.read_body(cursor, Context { scope, ..context });
        // One with template parameters of its own is not followed.
        let plain = child_of(node, Field::TemplateParameters).is_none();
        let Some(name) = named(node).filter(|_| plain).map(|name| self.out.span_of(name)) else { return };
        let result = Span::default();
        let span = self.out.span_of(node);
        let template = None;
        self.out.unit.bodies.push(Body { name, template, home, scope, params, result, span, returns, steps });
    }

    /// Reads what is inside of a function, and where that was asked for what it returns, or its statements where those must be run.
    fn read_body(&mut self, cursor: &mut TreeCursor<'_>, context: Context) -> (Option<Vec<Return>>, Option<Vec<Step>>) {
        let node = cursor.node();
        let body = child_of(node, Field::Body).map(|body| self.out.span_of(body));
        let whole = body.is_some_and(|body| self.hits.binary_search(&body.start).is_ok()) && !node.has_error();
        let head = Span { end: body.map_or(0, |body| body.start), ..self.out.span_of(node) };
        let kernel = whole && self.out.text.get(head.range()).is_some_and(|head| head.contains("__global__"));
        self.building.push(Building { kernel, ..Building::default() });
        if cursor.goto_first_child() {
            loop {
                let whole = whole && cursor.field_name() == Some("body");
                self.visit(cursor, Context { block: true, whole, ..context });
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
            cursor.goto_parent();
        }
        let built = self.building.pop().unwrap_or_default();
        let followed = !built.unsound && !built.returns.is_empty();
        let steps = match child_of(node, Field::Body).filter(|_| whole && !followed) {
            Some(body) if body.byte_range().len() <= MAX_RUN => self.steps(body),
            _ => None,
        };
        ((whole && followed).then_some(built.returns), steps)
    }

    /// What is left of a context inside of a statement of a function that is read as a whole.
    pub(super) fn statement(&mut self, node: Node<'_>, context: Context) -> Context {
        if kind_of(node) == Kind::ExpressionStatement
            && !node.has_error()
            && self.building.last().is_some_and(|building| building.kernel)
            && let Some(call) = first_named(node).filter(|call| kind_of(*call) == Kind::CallExpression)
            && !self.is_followed(call)
        {
            self.pass(call, context.scope);
        }
        match kind_of(node) {
            Kind::CompoundStatement | Kind::IfStatement | Kind::ElseClause | Kind::Return | Kind::Comment => context,
            Kind::Declaration
            | Kind::AliasDeclaration
            | Kind::UsingDeclaration
            | Kind::StaticAssert
            | Kind::TypeDefinition
            | Kind::ExpressionStatement
                if !changes(node) =>
            {
                Context { whole: false, ..context }
            }
            _ => {
                self.unsound();
                Context { whole: false, ..context }
            }
        }
    }

    /// The function that is being read is not followed.
    pub(super) fn unsound(&mut self) {
        if let Some(building) = self.building.last_mut() {
            building.unsound = true;
        }
    }

    /// What comes next is reached only under a condition.
    pub(super) fn when(&mut self, condition: ExprId, scope: ScopeId, holds: bool) {
        if let Some(building) = self.building.last_mut() {
            building.when.push((condition, scope, holds));
        }
    }

    /// The condition that came last no longer matters.
    pub(super) fn otherwise(&mut self) {
        if let Some(building) = self.building.last_mut() {
            building.when.pop();
        }
    }

    /// A `return`.
    pub(super) fn returned(&mut self, node: Node<'_>, scope: ScopeId) {
        let expr = first_named(node).filter(|_| node.named_child_count() == 1).map(|value| self.out.convert(value));
        match (self.building.last_mut(), expr) {
            (Some(building), Some(expr)) => {
                let when = building.when.clone();
                building.returns.push(Return { expr, scope, when });
            }
            _ => self.unsound(),
        }
    }
}

/// Whether a statement changes a variable, or is too long to tell.
fn changes(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    for _ in 0..MAX_NODES {
        if matches!(kind_of(cursor.node()), Kind::Assignment | Kind::Update) {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
        // A cursor that begins at a node does not leave it.
    }
    true
}
