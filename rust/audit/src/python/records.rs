//! Classes that a call makes, `namedtuple("C", "m n")`, and lists that a loop gathers.

use thin_vec::ThinVec;

use super::nodes::Node;
use super::read::{Target, Walk, children, span};
use super::tree::{Bound, Comprehension, Expr, ExprId, Kind, MODULE, ScopeId};
use crate::ast::Span;
use crate::source::is_identifier;

/// Fields of one class.
const MAX_FIELDS: usize = 64;

/// Nodes of an expression that are looked at.
const MAX_NODES: usize = 256;

impl<'t> Walk<'t> {
    /// `C = namedtuple("C", "m n")`, or `C = NamedTuple("C", [("m", int)])`: a class with these fields. Whether it is one.
    pub(super) fn record(&mut self, node: Node<'t>, scope: ScopeId) -> bool {
        let field = |name| node.child_by_field_name(name);
        let (Some(left), Some(call)) = (field("left"), field("right")) else { return false };
        if left.kind() != "identifier" || call.kind() != "call" {
            return false;
        }
        let (Some(callee), Some(arguments)) =
            (call.child_by_field_name("function"), call.child_by_field_name("arguments"))
        else {
            return false;
        };
        let typed = match self.text(callee) {
            "namedtuple" if self.is_from("namedtuple", "collections") => false,
            "collections.namedtuple" if self.is_module("collections") => false,
            "NamedTuple" if self.is_from("NamedTuple", "typing") => true,
            "typing.NamedTuple" if self.is_module("typing") => true,
            _ => return false,
        };
        let [_, said] = children(arguments)[..] else { return false };
        let Some(fields) = self.fields_said(said, typed) else { return false };
        let name = self.text(left);
        let (decorators, apart) = (ThinVec::new(), ThinVec::new());
        let kind = Kind::Class { name: name.into(), bases: Some(ThinVec::new()), decorated: true, decorators, apart };
        let inner = self.open(kind, scope, call);
        for (field, span) in fields {
            self.bind(inner, field, Bound::Declared, span);
        }
        let end = self.end.replace(span(node).end);
        self.bind(scope, name, Bound::Class(inner), span(left));
        self.end = end;
        true
    }

    /// Whether all that the file binds a name to is that of a module.
    fn is_from(&self, name: &str, module: &str) -> bool {
        let all = self.module.scope(MODULE).and_then(|scope| scope.names.get(name));
        all.is_some_and(|all| {
            all.iter().all(|one| matches!(&one.bound, Bound::From(of) if *of.from == *module && *of.name == *name))
        })
    }

    /// Whether all that the file binds a name to is the module of that name.
    fn is_module(&self, name: &str) -> bool {
        let all = self.module.scope(MODULE).and_then(|scope| scope.names.get(name));
        all.is_some_and(|all| all.iter().all(|one| matches!(&one.bound, Bound::Module(of) if **of == *name)))
    }

    /// The fields that `"m n"`, `["m", "n"]` or `[("m", int)]` names, and where.
    fn fields_said(&self, node: Node<'t>, typed: bool) -> Option<Vec<(&'t str, Span)>> {
        let mut fields = Vec::new();
        match node.kind() {
            "string" if !typed => fields = self.words(node)?,
            "list" | "tuple" => {
                for item in children(node) {
                    let name = if typed {
                        children(item)
                            .first()
                            .copied()
                            .filter(|_| item.kind() == "tuple" && children(item).len() == 2)?
                    } else {
                        item
                    };
                    let words = self.words(name).filter(|words| words.len() == 1)?;
                    fields.extend(words);
                }
            }
            _ => return None,
        }
        let plain = |(name, _): &(&str, Span)| {
            name.bytes().all(is_identifier) && name.starts_with(|c: char| c.is_ascii_alphabetic())
        };
        (!fields.is_empty() && fields.len() <= MAX_FIELDS && fields.iter().all(plain)).then_some(fields)
    }

    /// The words of a string, and where they stand.
    fn words(&self, node: Node<'t>) -> Option<Vec<(&'t str, Span)>> {
        let [_, content, _] = children(node)[..] else { return None };
        let plain = node.kind() == "string" && content.kind() == "string_content";
        let text = Some(self.text(content)).filter(|text| plain && !text.contains('\\'))?;
        let begin = content.start_byte();
        let words = text.split([' ', ',']).filter(|word| !word.is_empty()).map(|word| {
            let start = begin + (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            (word, Span { start: clip(start), end: clip(start + word.len()) })
        });
        Some(words.collect())
    }

    /// `names = []`, and then a loop that does nothing but `names.append(…)`: what a comprehension would be, from behind the loop on.
    pub(super) fn gathered(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId, depth: usize) {
        let Some((name, value)) = self.gathers(node) else { return };
        if !self.is_python(scope) {
            return;
        }
        let (Some(left), true) = (node.child_by_field_name("left"), self.is_empty_before(node, self.text(name))) else {
            return;
        };
        let inner = self.open(Kind::Inner, scope, node);
        self.assign(left, Target::Item(of), &[], inner, depth + 1);
        let item = self.expr(value, inner, depth + 1);
        let body = Comprehension { item, key: None, of, tests: [].into(), scope: inner };
        let all = self.make(Expr::Comprehension(Box::new(body)), node);
        let end = self.end.replace(span(node).end);
        self.bind(scope, self.text(name), Bound::Value(all, false), span(name));
        self.end = end;
    }

    /// The name of the list that a loop gathers, and what it gets in each round.
    fn gathers(&self, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        if node.child_by_field_name("alternative").is_some() || self.text(node).starts_with("async") {
            return None;
        }
        let [statement] = children(node.child_by_field_name("body")?)[..] else { return None };
        let [call] = children(statement)[..] else { return None };
        if statement.kind() != "expression_statement" || call.kind() != "call" {
            return None;
        }
        let (callee, arguments) = (call.child_by_field_name("function")?, call.child_by_field_name("arguments")?);
        let (name, [value]) = (callee.child_by_field_name("object")?, &children(arguments)[..]) else { return None };
        let append = callee.child_by_field_name("attribute").is_some_and(|method| self.text(method) == "append");
        (append && name.kind() == "identifier" && arguments.kind() == "argument_list" && self.is_plain(*value, name))
            .then_some((name, *value))
    }

    /// Whether an expression calls nothing, binds nothing, and does not name the list itself.
    fn is_plain(&self, value: Node<'t>, list: Node<'t>) -> bool {
        let (mut next, mut left) = (vec![value], MAX_NODES);
        while let Some(node) = next.pop() {
            let other = matches!(
                node.kind(),
                "call"
                    | "lambda"
                    | "named_expression"
                    | "await"
                    | "yield"
                    | "keyword_argument"
                    | "list_splat"
                    | "list_comprehension"
                    | "generator_expression"
                    | "set_comprehension"
                    | "dictionary_comprehension"
            );
            if other || left == 0 || node.kind() == "identifier" && self.text(node) == self.text(list) {
                return false;
            }
            left -= 1;
            next.extend(children(node));
        }
        true
    }

    /// Whether the statement before one is `name = []`.
    fn is_empty_before(&self, node: Node<'t>, name: &str) -> bool {
        let Some(around) = node.parent() else { return false };
        let all = children(around);
        let place = all.iter().position(|one| *one == node).and_then(|place| place.checked_sub(1));
        let Some(before) = place.and_then(|place| all.get(place)) else { return false };
        let [assignment] = children(*before)[..] else { return false };
        let text = |field| assignment.child_by_field_name(field).map_or("", |part| self.text(part));
        assignment.kind() == "assignment" && text("left") == name && text("right") == "[]"
    }

    /// Whether loops of a function are Python's own: a DSL makes loops of the program that runs of those in a kernel.
    fn is_python(&self, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(of) = at.and_then(|id| self.module.scope(id)) {
            match &of.kind {
                Kind::Function(function) => {
                    let plain = |mark: &ExprId| {
                        matches!(self.module.expr(*mark), Expr::Name(name) | Expr::Attribute(_, name)
                            if matches!(&**name, "constexpr_function" | "staticmethod" | "property" | "lru_cache" | "cache"))
                    };
                    if !function.decorators.iter().all(plain) {
                        return false;
                    }
                }
                Kind::Module | Kind::Class { .. } => {}
                Kind::Inner | Kind::Lambda(_) => return false,
            }
            at = of.parent;
        }
        true
    }
}
