//! Expressions as they are written.

use super::literals::{integer, operation};
use super::mentioned::{Handed, Use, hands_on, is_named, remakes, used};
use super::nodes::Node;
use super::read::{MAX_DEPTH, Target, Walk, children, fields, span};
use super::tree::{Argument, Comprehension, Expr, ExprId, Function, Kind, Op, Scope, ScopeId};
use crate::ast::Span;
use thin_vec::ThinVec;

/// Parts of a dictionary of which some are others' items.
const MAX_JOINED: usize = 16;

/// Methods that change the list that they are called on.
const CHANGING: [&str; 9] = ["append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort", "__setitem__"];

impl<'t> Walk<'t> {
    // Recursion: to a fixed depth.
    pub(super) fn expr(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) -> ExprId {
        if depth > MAX_DEPTH || self.full {
            self.full = true;
            return ExprId::NONE;
        }
        if node.is_error() || node.is_missing() {
            self.lost(node);
            return self.make(Expr::Other, node);
        }
        let field = |name| node.child_by_field_name(name);
        let kind = node.kind();
        let expr = match kind {
            "parenthesized_expression" => match children(node).as_slice() {
                [inner] => return self.expr(*inner, scope, depth + 1),
                all => self.others(all, scope, depth),
            },
            "identifier" => {
                let name = self.kept(self.text(node));
                if &*name != "self" {
                    let used = used(self, node, scope);
                    if used != Use::Here {
                        self.module.mentioned.insert((name.clone(), scope, used));
                    }
                }
                Expr::Name(name)
            }
            "integer" => integer(self.text(node)).map_or(Expr::Other, |value| Expr::Integer(Box::new(value))),
            "true" => Expr::Bool(true),
            "false" => Expr::Bool(false),
            "none" => Expr::None,
            "string" => self.string(node, scope, depth),
            "tuple" | "list" | "expression_list" => {
                let items = children(node).into_iter().map(|item| self.item(item, scope, depth)).collect();
                Expr::Tuple(items, kind == "list")
            }
            "list_splat" => match node.named_child(0) {
                Some(inner) => Expr::Starred(self.expr(inner, scope, depth + 1)),
                None => Expr::Other,
            },
            "attribute" => match (field("object"), field("attribute")) {
                (Some(of), Some(name)) => {
                    let of = self.expr(of, scope, depth + 1);
                    if self.text(name) == "__dict__" {
                        self.namespace(node, of, scope, depth);
                    }
                    let name = self.kept(self.text(name));
                    if self.defined.contains(&*name) {
                        let named = is_named(self, node, scope);
                        if named || hands_on(self, node, scope) {
                            self.module.handed.push(Handed { name: name.clone(), of, scope, named });
                        }
                    }
                    Expr::Attribute(of, name)
                }
                _ => Expr::Other,
            },
            "call" => return self.call(node, scope, depth),
            "subscript" => self.subscript(node, scope, depth),
            "binary_operator" | "boolean_operator" => {
                let operator = field("operator").map_or("", |operator| self.text(operator));
                match (field("left"), field("right")) {
                    (Some(left), Some(right)) => {
                        let misread = operator == "&" && self.is_misread(node, left, right);
                        let (left, right) = (self.expr(left, scope, depth + 1), self.expr(right, scope, depth + 1));
                        operation(operator).filter(|_| !misread).map_or(Expr::Other, |op| Expr::Binary(op, left, right))
                    }
                    _ => Expr::Other,
                }
            }
            "comparison_operator" => {
                let operands = children(node);
                let operator = node.child_by_field_name("operators").map(|operator| self.text(operator));
                let ids: Vec<_> = operands.iter().map(|one| self.expr(*one, scope, depth + 1)).collect();
                match (ids.as_slice(), operator.and_then(operation)) {
                    ([one, of], None) if matches!(operator, Some("in" | "not in")) => {
                        Expr::Within(*one, *of, operator == Some("not in"))
                    }
                    ([left, right], Some(op)) => Expr::Binary(op, *left, *right),
                    (chain, _) => self.chain(node, chain),
                }
            }
            "unary_operator" | "not_operator" => {
                let operator = node.children().next().map_or("", |operator| self.text(operator));
                match field("argument").map(|argument| self.expr(argument, scope, depth + 1)) {
                    Some(argument) => match operator {
                        "-" => Expr::Negative(argument),
                        "~" => Expr::Complement(argument),
                        "not" => Expr::Not(argument),
                        _ => Expr::Other,
                    },
                    None => Expr::Other,
                }
            }
            "conditional_expression" => {
                let parts = children(node);
                // `f(x) if False else None` never calls `f`.
                let taken = match parts.get(1).map(|test| test.kind()) {
                    Some("true") => parts.first(),
                    Some("false") => parts.get(2),
                    _ => None,
                };
                if let (Some(taken), 3) = (taken, parts.len()) {
                    return self.expr(*taken, scope, depth + 1);
                }
                let parts: Vec<_> = parts.into_iter().map(|part| self.expr(part, scope, depth + 1)).collect();
                match parts.as_slice() {
                    [yes, test, no] => Expr::Choice { test: *test, yes: *yes, no: *no },
                    _ => Expr::Other,
                }
            }
            "named_expression" => {
                if let (Some(name), Some(value)) = (field("name"), field("value"))
                    && name.kind() == "identifier"
                    && self.is_surely_named(node, scope)
                {
                    let value = self.expr(value, scope, depth + 1);
                    self.names_within(node, name, value, scope, depth);
                    return value;
                }
                // Out of a comprehension it binds what is around.
                let mut at = Some(scope);
                while let Some(id) = at {
                    self.targets(field("name"), id, depth + 1);
                    let of = self.module.scope(id);
                    at = of.filter(|of| matches!(of.kind, Kind::Inner)).and_then(|of| of.parent);
                }
                if let Some(value) = field("value") {
                    self.expr(value, scope, depth + 1);
                }
                Expr::Other
            }
            "lambda" => {
                let followed = self.is_one_lambda(scope);
                let inner = self.open(Kind::Inner, scope, node);
                let mut function = Function::default();
                if let Some(parameters) = field("parameters") {
                    self.parameters(parameters, scope, inner, &mut function, depth);
                }
                let body = field("body").map(|body| self.expr(body, inner, depth + 1));
                if followed { self.lambda(inner, function, body, node) } else { Expr::Other }
            }
            "list_comprehension" | "set_comprehension" | "dictionary_comprehension" | "generator_expression" => {
                let inner = self.open(Kind::Inner, scope, node);
                let (mut of, mut tests) = (Vec::new(), Vec::new());
                let mut plain = kind != "set_comprehension";
                for part in children(node).into_iter().skip(1) {
                    if part.kind() == "for_in_clause" {
                        let rights: Vec<_> =
                            fields(part, "right").into_iter().map(|right| self.expr(right, inner, depth + 1)).collect();
                        match (rights.as_slice(), part.child_by_field_name("left")) {
                            ([right], Some(left)) => self.assign(left, Target::Item(*right), &[], inner, depth + 1),
                            (_, left) => self.targets(left, inner, depth + 1),
                        }
                        of.extend(rights);
                    } else if let (true, [test]) = (part.kind() == "if_clause", children(part).as_slice()) {
                        tests.push(self.expr(*test, inner, depth + 1));
                    } else {
                        plain = false;
                        self.expr(part, inner, depth + 1);
                    }
                }
                let body = node.named_child(0);
                let key = body.filter(|body| body.kind() == "pair").and_then(|body| body.child_by_field_name("key"));
                let item = key.and(body).map_or(body, |pair| pair.child_by_field_name("value"));
                let key = key.map(|key| self.expr(key, inner, depth + 1));
                match (item.map(|item| self.expr(item, inner, depth + 1)), of.as_slice()) {
                    (Some(item), [of]) if plain && key.is_some() == (kind == "dictionary_comprehension") => {
                        let tests = tests.into();
                        Expr::Comprehension(Box::new(Comprehension { item, key, of: *of, tests, scope: inner }))
                    }
                    _ => Expr::Other,
                }
            }
            "dictionary" => {
                let parts = children(node);
                let is_pair = |part: &Node<'t>| {
                    part.child_by_field_name("key").is_some() && part.child_by_field_name("value").is_some()
                };
                let is_splat = |part: &Node<'t>| part.kind() == "dictionary_splat" && part.named_child(0).is_some();
                if parts.iter().all(is_pair) {
                    Expr::Dict(parts.iter().filter_map(|pair| self.pair(*pair, scope, depth)).collect())
                } else if parts.len() <= MAX_JOINED && parts.iter().all(|part| is_pair(part) || is_splat(part)) {
                    self.joined(&parts, scope, depth)
                } else {
                    self.others(&parts, scope, depth)
                }
            }
            "yield" => {
                if let Some(Scope { kind: Kind::Function(function), .. }) = self.module.scopes.get_mut(scope.0 as usize)
                {
                    function.yields = true;
                }
                self.others(&children(node), scope, depth)
            }
            _ => self.others(&children(node), scope, depth),
        };
        self.make(expr, node)
    }

    /// An item of a list or a tuple. The grammar reads `*a.b` in some as `(*a).b`: as many items as that has.
    fn item(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) -> ExprId {
        let id = self.expr(node, scope, depth + 1);
        let misread = self.text(node).starts_with('*') && !node.kind().starts_with("list_splat");
        if misread { self.make(Expr::Starred(id), node) } else { id }
    }

    /// Whether the grammar read `a ^ b & c` as `(a ^ b) & c`: Python does not.
    fn is_misread(&self, node: Node<'t>, left: Node<'t>, right: Node<'t>) -> bool {
        let xor = |of: Node<'t>| of.child_by_field_name("operator").is_some_and(|operator| self.text(operator) == "^");
        // No parentheses are around it.
        (xor(left) && left.start_byte() == node.start_byte()) || (xor(right) && right.end_byte() == node.end_byte())
    }

    pub(super) fn others(&mut self, all: &[Node<'t>], scope: ScopeId, depth: usize) -> Expr {
        for one in all {
            self.any(*one, scope, depth);
        }
        Expr::Other
    }

    fn subscript(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) -> Expr {
        let Some(of) = node.child_by_field_name("value") else { return Expr::Other };
        self.looks_up(of, &fields(node, "subscript"));
        let of = self.expr(of, scope, depth + 1);
        match fields(node, "subscript").as_slice() {
            [slice] if slice.kind() == "slice" => {
                let text = self.text(*slice);
                let parts = children(*slice);
                let ids: Vec<_> = parts.iter().map(|part| self.expr(*part, scope, depth + 1)).collect();
                let colons = slice.children().filter(|child| child.kind() == ":").count();
                let backwards: String = text.split_whitespace().collect();
                match (ids.as_slice(), colons) {
                    ([_], 2) if backwards == "::-1" => Expr::Backwards(of),
                    ([], 1) => Expr::Slice(of, None, None),
                    ([from, to], 1) => Expr::Slice(of, Some(*from), Some(*to)),
                    ([to], 1) if text.trim_start().starts_with(':') => Expr::Slice(of, None, Some(*to)),
                    ([from], 1) => Expr::Slice(of, Some(*from), None),
                    _ => Expr::Other,
                }
            }
            [index] => Expr::Item(of, self.expr(*index, scope, depth + 1)),
            // `x[0, 1]` is `x[(0, 1)]`.
            several => {
                let items = several.iter().map(|one| self.expr(*one, scope, depth + 1)).collect();
                let (Some(first), Some(last)) = (several.first(), several.last()) else { return Expr::Other };
                let span = Span { start: span(*first).start, end: span(*last).end };
                Expr::Item(of, self.make_at(Expr::Tuple(items, false), span))
            }
        }
    }

    /// The key and the value of a dictionary's item.
    fn pair(&mut self, pair: Node<'t>, scope: ScopeId, depth: usize) -> Option<(ExprId, ExprId)> {
        let (key, value) = (pair.child_by_field_name("key")?, pair.child_by_field_name("value")?);
        Some((self.expr(key, scope, depth + 1), self.expr(value, scope, depth + 1)))
    }

    /// `{**a, "n": 4}` is `{} | a | {"n": 4}`.
    fn joined(&mut self, parts: &[Node<'t>], scope: ScopeId, depth: usize) -> Expr {
        let mut all = Expr::Dict(ThinVec::new());
        for part in parts {
            let of = match self.pair(*part, scope, depth) {
                Some(pair) => self.make(Expr::Dict([pair].into()), *part),
                None => match part.named_child(0) {
                    Some(of) => self.expr(of, scope, depth + 1),
                    None => continue,
                },
            };
            let before = self.make(all, *part);
            all = Expr::Binary(Op::Or, before, of);
        }
        all
    }

    fn call(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) -> ExprId {
        let Some(callee) = node.child_by_field_name("function") else { return self.make(Expr::Other, node) };
        let method = callee.child_by_field_name("attribute").map_or("", |name| self.text(name));
        let object = callee.child_by_field_name("object");
        if let Some(of) = object.filter(|_| CHANGING.contains(&method)) {
            self.moves(of, scope, depth);
        }
        let sets = matches!(self.text(callee), "setattr" | "delattr" | "vars") || method == "__setattr__";
        self.module.updates |= matches!(method, "update" | "setdefault" | "popitem");
        self.module.rebinds |=
            object.is_some_and(|of| self.text(of) == "globals()" && matches!(method, "update" | "setdefault"));
        // A function of the file may have that name.
        if matches!(self.text(callee), "exec" | "eval") {
            self.executed.insert((scope, self.text(callee)));
        }
        self.module.reflects |= sets || self.text(callee) == "globals";
        if remakes(self, callee) {
            self.module.remakes.push((scope, self.text(callee) == "cls"));
        }
        self.patches(self.text(callee), node.child_by_field_name("arguments"));
        let function = self.expr(callee, scope, depth + 1);
        let mut arguments = Vec::new();
        let mut plain = true;
        for argument in node
            .child_by_field_name("arguments")
            .into_iter()
            .flat_map(|list| if list.kind() == "argument_list" { children(list) } else { vec![list] })
        {
            let value = match argument.kind() {
                "keyword_argument" => argument.child_by_field_name("value"),
                kind if kind.ends_with("_splat") => {
                    plain = false;
                    argument.named_child(0)
                }
                _ => Some(argument),
            };
            let Some(value) = value else { continue };
            let value = self.expr(value, scope, depth + 1);
            let name = match argument.kind() {
                "keyword_argument" => argument.child_by_field_name("name").map(|name| self.kept(self.text(name))),
                "list_splat" => Some(self.kept("*")),
                "dictionary_splat" => Some(self.kept("**")),
                _ => None,
            };
            arguments.push(Argument { name, value });
        }
        if sets {
            // What `*` and `**` bring is not known.
            let unknown = [Argument { name: Some("*".into()), value: function }];
            self.sets(node, (callee, function), if plain { &arguments } else { &unknown }, scope);
        }
        if let (Some(of), [item]) = (object, arguments.as_slice())
            && item.name.is_none()
            && matches!(method, "append" | "extend")
        {
            self.grows(of, item.value, method == "extend", scope);
        }
        let id = self.make(Expr::Call(function, arguments.into()), node);
        self.module.calls.push((id, scope));
        id
    }
}
