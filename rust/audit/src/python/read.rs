//! From text to a [`Module`], by way of a tree that does not outlive this file: that of a fast parser (`parse`), or of the grammar where that
//! one has something to complain about.

use foldhash::{HashMap, HashMapExt as _, HashSet};

use memchr::memmem;
use thin_vec::ThinVec;
use tree_sitter::{Language, Parser};

use super::bound::Names;
use super::leaving::{Refusing, Ways, leaves};
use super::literals::operation;
use super::mentioned::only_called;
use super::nodes::{Node, Tree};
use super::parse;
use super::refusals::goes_on;
use super::setting::{annotation, is_own};
use super::tensors::{is_said, is_tensor};
use super::tree::{
    Annotation, Apart, Arm, Binding, Bound, Branch, Expr, ExprId, Field, Fork, Function, Kind, Leaves, MODULE, Module,
    Name, Op, PathId, Return, Scope, ScopeId, Star, Step, Store,
};
use crate::ast::Span;
use crate::syntax::bounded::{self, MAX_PARSED};

/// How deep code may nest.
pub(super) const MAX_DEPTH: usize = 200;

/// Expressions of one file.
const MAX_EXPRS: usize = 1 << 20;

/// Expressions around one that are looked at.
const MAX_AROUND: usize = 32;

/// Bytes of a string that is kept.
pub(super) const MAX_TEXT: usize = 128;

/// Reads Python. Keep one per thread: it holds the parser's memory.
pub struct Reader(Option<Parser>);

impl Default for Reader {
    fn default() -> Self {
        let mut parser = Parser::new();
        let known = parser.set_language(&Language::new(tree_sitter_python::LANGUAGE)).is_ok();
        Self(known.then_some(parser))
    }
}

impl Reader {
    /// Everything that a file says of constants. `defined` are the names of the functions and classes of all files.
    pub fn read(&mut self, file: usize, text: &str, defined: &HashSet<&str>, refusing: &Refusing<'_>) -> Module {
        let given_up = |why| Module { file, gave_up: Some(why), ..Module::default() };
        if text.len() > MAX_PARSED {
            return given_up("not looked into: more than 4 MiB of it would have to be parsed");
        }
        if let Some(tree) = parse::tree(text) {
            return Self::walked(file, text, &tree, Ways { text, defined, refusing });
        }
        let Some(parser) = self.0.as_mut() else { return given_up("not looked into: there is no grammar") };
        // The grammar's own tree is dropped before the file is walked through.
        match bounded::parse(parser, text.as_bytes()).map(|tree| Tree::of(&tree)) {
            Some(tree) => Self::walked(file, text, &tree, Ways { text, defined, refusing }),
            None => given_up("not looked into: not Python as far as the grammar can tell"),
        }
    }

    /// What the tree of a file says.
    pub(super) fn walked(file: usize, text: &str, tree: &Tree, ways: Ways<'_>) -> Module {
        let defined = ways.defined;
        let module = Module { file, ..Module::default() };
        let mut walk = Walk {
            text,
            module,
            defined,
            ways,
            names: HashMap::new(),
            looked_up: std::cell::Cell::default(),
            full: false,
            path: PathId(0),
            end: None,
            tensors: HashSet::default(),
            changed: HashSet::default(),
            executed: HashSet::default(),
        };
        let span = Span { start: 0, end: u32::MAX };
        walk.module.scopes.push(Scope { kind: Kind::Module, parent: None, span, names: Names::default() });
        walk.statement(tree.root(), MODULE, 0);
        if walk.full {
            let gave_up = Some("not looked into: it nests too deeply or is too large");
            return Module { file, gave_up, ..Module::default() };
        }
        walk.module.changes |= walk
            .changed
            .iter()
            .any(|(scope, name)| !is_tensor(&walk.module, name, *scope, (&walk.tensors, defined), 0));
        for (scope, name) in &walk.executed {
            if !is_own(&walk.module, name, *scope) {
                walk.module.rebinds |= *name == "exec";
                (walk.module.reflects, walk.module.executes) = (true, true);
            }
        }
        only_called(&mut walk.module);
        walk.module.exprs.shrink_to_fit();
        walk.module.calls.shrink_to_fit();
        walk.module
    }
}

/// What names are bound to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    /// `names = value`, and whether there is an annotation.
    Value(ExprId, bool),
    /// An item of what a loop counts through.
    Item(ExprId),
}

pub(super) struct Walk<'t> {
    pub(super) text: &'t str,
    pub(super) module: Module,
    /// The names of the functions and classes of all files.
    pub(super) defined: &'t HashSet<&'t str>,
    /// Where its statements leave.
    pub(super) ways: Ways<'t>,
    /// Names so far: a name stands in many places, and is kept once.
    names: HashMap<&'t str, Name>,
    /// The dictionary that was asked last whether more is done with it than to look items up: where its name begins.
    pub(super) looked_up: std::cell::Cell<Option<(usize, bool)>>,
    /// Whether a bound was met: what is beyond could bind any name, so nothing of the file is known.
    pub(super) full: bool,
    /// Under which branches of its scope the walk is.
    pub(super) path: PathId,
    /// The end of the assignment whose targets are bound.
    pub(super) end: Option<u32>,
    /// Parameters of which an annotation says that they are tensors.
    tensors: HashSet<(ScopeId, &'t str)>,
    /// Names of which an item changes.
    pub(super) changed: HashSet<(ScopeId, &'t str)>,
    /// `eval` and `exec` where they are called.
    pub(super) executed: HashSet<(ScopeId, &'t str)>,
}

pub(super) fn span(node: Node<'_>) -> Span {
    let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: clip(node.start_byte()), end: clip(node.end_byte()) }
}

pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    // A backslash at the end of a line is one of the grammar's nodes, and no part of anything.
    node.named_children().filter(|child| !matches!(child.kind(), "comment" | "line_continuation")).collect()
}

pub(super) fn fields<'n>(node: Node<'n>, name: &str) -> Vec<Node<'n>> {
    node.children_by_field_name(name).filter(|node| node.is_named()).collect()
}

impl<'t> Walk<'t> {
    pub(super) fn text(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.start_byte()..node.end_byte()).unwrap_or_default()
    }

    /// A name as it is kept.
    pub(super) fn kept(&mut self, name: &'t str) -> Name {
        self.names.entry(name).or_insert_with(|| name.into()).clone()
    }

    pub(super) fn bind(&mut self, scope: ScopeId, name: &'t str, bound: Bound, span: Span) {
        let name = self.kept(name);
        if let Some(scope) = self.module.scopes.get_mut(scope.0 as usize) {
            let from = self.end.unwrap_or(span.end);
            scope.names.bind(name, Binding { bound, span, from, path: self.path });
        }
    }

    pub(super) fn open(&mut self, kind: Kind, parent: ScopeId, node: Node<'t>) -> ScopeId {
        let id = ScopeId(u32::try_from(self.module.scopes.len()).unwrap_or(u32::MAX));
        let span = span(node);
        self.module.scopes.push(Scope { kind, parent: Some(parent), span, names: Names::default() });
        id
    }

    pub(super) fn make(&mut self, expr: Expr, node: Node<'t>) -> ExprId {
        self.make_at(expr, span(node))
    }

    pub(super) fn make_at(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = ExprId::new(u32::try_from(self.module.exprs.len()).unwrap_or(u32::MAX));
        if self.module.exprs.len() >= MAX_EXPRS {
            self.full = true;
        } else {
            self.module.exprs.push((expr, span));
        }
        id
    }

    /// Text that the grammar could not read: names in it may be bound there.
    pub(super) fn lost(&mut self, node: Node<'t>) {
        self.module.errors += 1;
        let text = self.text(node);
        self.module.in_errors += memmem::find_iter(text.as_bytes(), "make_layout").count();
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()) {
            if !self.module.moved.contains(word) {
                self.module.moved.insert(word.into());
            }
        }
    }

    // Recursion: to a fixed depth, as are all that call it.
    fn statement(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) {
        if depth > MAX_DEPTH || self.full {
            self.full = true;
            return;
        }
        if node.is_error() || node.is_missing() {
            return self.lost(node);
        }
        self.parts(node, scope, depth);
    }

    fn parts(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) {
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "function_definition" => self.function(node, scope, ThinVec::new(), depth),
            "class_definition" => self.class(node, scope, ThinVec::new(), depth),
            "decorated_definition" => {
                let marks = children(node).into_iter().filter(|child| child.kind() == "decorator");
                let marks: ThinVec<_> = marks
                    .filter_map(|mark| mark.named_child(0))
                    .map(|mark| self.expr(mark, scope, depth + 1))
                    .collect();
                match field("definition") {
                    Some(function) if function.kind() == "function_definition" => {
                        self.function(function, scope, marks, depth + 1);
                    }
                    Some(class) => self.class(class, scope, marks, depth + 1),
                    None => {}
                }
            }
            "assignment" => self.assignment(node, scope, depth),
            "augmented_assignment" => {
                let value = field("right").map(|value| self.expr(value, scope, depth + 1));
                let rest =
                    field("left").and_then(|left| self.text.get(left.end_byte()..)).unwrap_or_default().trim_start();
                if let (Some(left), Some(value)) = (field("left"), value)
                    && rest.starts_with("+=")
                {
                    self.grows(left, value, true, scope);
                }
                let op = rest.split('=').next().and_then(operation);
                match (field("left"), value, op) {
                    (Some(left), Some(value), Some(op)) if left.kind() == "identifier" => {
                        self.counts_on((node, left), value, op, scope, depth);
                    }
                    (left, ..) => self.targets(left, scope, depth),
                }
            }
            "if_statement" => self.branch(node, scope, depth),
            "for_statement" => {
                let of = field("right").map(|right| self.expr(right, scope, depth + 1));
                self.looped(node, of, scope, depth);
                if let Some(of) = of {
                    self.gathered(node, of, scope, depth);
                }
            }
            "while_statement" => self.looped(node, None, scope, depth),
            "with_statement" => {
                if let Some(body) = field("body") {
                    self.module.refuses(self.text, node, body);
                }
                for child in children(node) {
                    self.any(child, scope, depth);
                }
            }
            // What stands behind a statement that leaves never runs.
            "block" => {
                let outer = self.path;
                for child in children(node) {
                    self.any(child, scope, depth);
                    if self.ways.surely_leaves(child) && self.path == outer {
                        self.never(Span { start: span(child).end, end: span(node).end }, scope);
                    }
                }
                self.path = outer;
            }
            "try_statement" => {
                if goes_on(self.text, node)
                    && let Some(body) = field("body")
                {
                    self.module.tries.push(span(body));
                }
                let (outer, id) = self.fork(Fork::Other, node, scope);
                for (arm, child) in (0..).zip(children(node)) {
                    // What `else` binds stands with the body; `finally` always runs.
                    let arm = if child.kind() == "else_clause" { 0 } else { arm };
                    self.under(outer, id, arm);
                    if child.kind() == "finally_clause" {
                        self.path = outer;
                    } else if arm as usize >= self.arms(id) {
                        self.arm(id, None, child);
                    }
                    self.any(child, scope, depth);
                }
                self.path = outer;
            }
            "match_statement" => {
                let all: Vec<_> =
                    fields(node, "subject").into_iter().map(|one| self.expr(one, scope, depth + 1)).collect();
                if matches!(*all, [one] if self.matched(node, one, scope, depth)) {
                    return;
                }
                let (outer, id) = self.fork(Fork::Other, node, scope);
                for (arm, child) in (0..).zip(field("body").into_iter().flat_map(children)) {
                    self.under(outer, id, arm);
                    self.arm(id, None, child);
                    self.any(child, scope, depth);
                }
                self.path = outer;
            }
            "return_statement" | "assert_statement" => {
                let mut parts = children(node).into_iter();
                let value = parts.next().map(|value| self.expr(value, scope, depth + 1));
                for part in parts {
                    self.expr(part, scope, depth + 1);
                }
                let one = Return { value, at: span(node).start, path: self.path };
                if let Some(Scope { kind: Kind::Function(function), .. }) = self.module.scopes.get_mut(scope.0 as usize)
                {
                    let all =
                        if node.kind() == "return_statement" { &mut function.returns } else { &mut function.asserts };
                    all.push(one);
                }
            }
            "expression_statement" => {
                for child in children(node) {
                    if child.kind() == "call" {
                        let id = self.expr(child, scope, depth + 1);
                        self.checks(node, id, scope);
                    } else {
                        self.any(child, scope, depth);
                    }
                }
            }
            "import_statement" => {
                for name in fields(node, "name") {
                    if let (Some(module), Some(alias)) =
                        (name.child_by_field_name("name"), name.child_by_field_name("alias"))
                    {
                        let (module, alias) = (self.text(module), self.text(alias));
                        let module = Bound::Module(self.kept(module));
                        self.bind(scope, alias, module, span(name));
                    } else {
                        let first = self.text(name).split('.').next().unwrap_or_default().trim();
                        let module = Bound::Module(self.kept(first));
                        self.bind(scope, first, module, span(name));
                    }
                }
            }
            "import_from_statement" => self.import_from(node, scope),
            "global_statement" | "nonlocal_statement" => {
                for name in children(node) {
                    self.module.moved.insert(self.text(name).into());
                }
            }
            "delete_statement" => {
                for one in children(node) {
                    self.targets(Some(one), scope, depth);
                }
            }
            "as_pattern" => {
                if let Some(value) = node.named_child(0) {
                    self.any(value, scope, depth);
                }
                self.targets(field("alias"), scope, depth);
            }
            "except_clause" | "except_group_clause" => {
                self.targets(field("alias"), scope, depth);
                for child in children(node) {
                    self.any(child, scope, depth);
                }
            }
            "case_pattern" => self.targets(Some(node), scope, depth),
            _ => {
                for child in children(node) {
                    self.any(child, scope, depth);
                }
            }
        }
    }

    /// A statement, or an expression that stands where a statement may.
    pub(super) fn any(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) {
        match node.kind() {
            "block"
            | "module"
            | "else_clause"
            | "elif_clause"
            | "finally_clause"
            | "except_clause"
            | "except_group_clause"
            | "with_clause"
            | "with_item"
            | "case_clause"
            | "case_pattern"
            | "as_pattern"
            | "function_definition"
            | "class_definition"
            | "decorated_definition"
            | "assignment"
            | "augmented_assignment"
            | "ERROR" => self.statement(node, scope, depth + 1),
            kind if kind.ends_with("_statement") => self.statement(node, scope, depth + 1),
            _ => {
                self.expr(node, scope, depth + 1);
            }
        }
    }

    fn import_from(&mut self, node: Node<'t>, scope: ScopeId) {
        let Some(module) = node.child_by_field_name("module_name") else { return };
        let module: String = self.text(module).split_whitespace().collect();
        let module = Name::from(module);
        if children(node).iter().any(|child| child.kind() == "wildcard_import") {
            self.module.stars.push(Star {
                from: module.clone(),
                span: span(node),
                path: self.path,
                through: Vec::new(),
            });
        }
        for name in fields(node, "name") {
            let own = name.child_by_field_name("name").unwrap_or(name);
            let alias = name.child_by_field_name("alias").unwrap_or(own);
            let (own, alias) = (self.text(own), self.text(alias));
            let import = Bound::import(module.clone(), self.kept(own));
            self.bind(scope, alias, import, span(name));
        }
    }

    fn assignment(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) {
        let field = |name| node.child_by_field_name(name);
        let Some(left) = field("left") else { return };
        if self.record(node, scope) {
            return;
        }
        // What is of the class is no field of its objects.
        let said = field("type").map_or("", |kind| written(self.text(kind)));
        let annotated = field("type").is_some() && said != "ClassVar";
        if left.kind() == "identifier" {
            self.sets_apart(self.text(left), said, scope);
        }
        let value = match field("right") {
            // a = b = 4
            Some(mut right) if right.kind() == "assignment" => {
                let mut lefts = vec![left];
                while right.kind() == "assignment" {
                    let (Some(left), Some(next)) =
                        (right.child_by_field_name("left"), right.child_by_field_name("right"))
                    else {
                        break;
                    };
                    lefts.push(left);
                    right = next;
                }
                let value = self.expr(right, scope, depth + 1);
                let before = self.end.replace(span(node).end);
                for left in lefts {
                    self.assign(left, Target::Value(value, annotated), &[], scope, depth);
                }
                self.end = before;
                return;
            }
            Some(right) => self.expr(right, scope, depth + 1),
            // `x: int` says nothing but that there will be one.
            None => {
                let class = self.module.scope(scope).is_some_and(|scope| matches!(scope.kind, Kind::Class { .. }));
                if class && annotated && left.kind() == "identifier" {
                    self.lies(left, field("type"), scope, depth);
                    self.bind(scope, self.text(left), Bound::Declared, span(left));
                }
                return;
            }
        };
        let before = self.end.replace(span(node).end);
        self.assign(left, Target::Value(value, annotated), &[], scope, depth);
        self.end = before;
    }

    /// A field of a class that says how arrays lie in memory.
    fn lies(&mut self, left: Node<'t>, kind: Option<Node<'t>>, class: ScopeId, depth: usize) {
        let decorators = match self.module.scope(class).map(|scope| &scope.kind) {
            Some(Kind::Class { decorators, .. }) => decorators.as_slice(),
            _ => &[],
        };
        let named = |id: &ExprId| matches!(self.module.expr(*id), Expr::Name(name) | Expr::Attribute(_, name) if super::memory::is_block(name));
        if let Some(kind) = kind.and_then(|kind| kind.named_child(0))
            && decorators.iter().any(named)
        {
            let kind = self.expr(kind, class, depth + 1);
            let name = self.kept(self.text(left));
            self.module.declared.push(Field { class, name, kind, path: self.path });
        }
    }

    /// An annotation may say that a name in a data class is no plain field.
    fn sets_apart(&mut self, name: &'t str, said: &str, scope: ScopeId) {
        let of = match said {
            "InitVar" => Apart::Init,
            "KW_ONLY" => Apart::Rest,
            _ => return,
        };
        if let Some(Scope { kind: Kind::Class { apart, .. }, .. }) = self.module.scopes.get_mut(scope.0 as usize) {
            apart.push((name.into(), of));
        }
    }

    /// Binds a target to a value or to a part of it.
    pub(super) fn assign(&mut self, left: Node<'t>, target: Target, path: &[usize], scope: ScopeId, depth: usize) {
        match (left.kind(), target) {
            ("identifier", _) => {
                let bound = match target {
                    Target::Item(of) => Bound::Each(of, path.into()),
                    Target::Value(value, annotated) if path.is_empty() => Bound::Value(value, annotated),
                    Target::Value(value, _) => Bound::Part(value, path.into()),
                };
                self.bind(scope, self.text(left), bound, span(left));
            }
            ("attribute", Target::Value(value, _)) => self.store(left, Some(value), path, scope, depth),
            ("pattern_list" | "tuple_pattern" | "list_pattern", _) if path.len() < 4 => {
                let parts = children(left);
                // `(a) = 4` is `a = 4`, whatever the grammar says.
                if let ([part], "tuple_pattern") = (parts.as_slice(), left.kind())
                    && !self.text(left).trim_end_matches([')', ' ', '\n']).ends_with(',')
                {
                    return self.assign(*part, target, path, scope, depth + 1);
                }
                if parts.iter().any(|part| part.kind() == "list_splat_pattern") {
                    return self.targets(Some(left), scope, depth);
                }
                for (index, part) in parts.into_iter().enumerate() {
                    let path: Vec<usize> = path.iter().copied().chain([index]).collect();
                    self.assign(part, target, &path, scope, depth + 1);
                }
            }
            _ => self.targets(Some(left), scope, depth),
        }
    }

    /// `name += value`, of numbers: what else it does to a list is not followed.
    fn counts_on(&mut self, at: (Node<'t>, Node<'t>), value: ExprId, op: Op, scope: ScopeId, depth: usize) {
        let (node, left) = at;
        let before = self.expr(left, scope, depth + 1);
        // What has a sign is a number.
        let value = self.make(Expr::Negative(value), node);
        let value = self.make(Expr::Negative(value), node);
        let value = self.make(Expr::Binary(op, before, value), node);
        let end = self.end.replace(span(node).end);
        self.bind(scope, self.text(left), Bound::Value(value, false), span(left));
        self.end = end;
    }

    /// A lambda that is followed: what it returns is one expression.
    pub(super) fn lambda(
        &mut self,
        scope: ScopeId,
        mut function: Function,
        body: Option<ExprId>,
        node: Node<'t>,
    ) -> Expr {
        function.returns.push(Return { value: body, at: span(node).start, path: PathId(0) });
        self.kind(scope, Kind::Lambda(function));
        Expr::Lambda(scope)
    }

    /// Whether a lambda that stands here is one and the same each time: in a loop or a comprehension, what it asks for is looked up when it
    /// is called, which may be behind that.
    pub(super) fn is_one_lambda(&self, scope: ScopeId) -> bool {
        let plain = |scope: &Scope| !matches!(scope.kind, Kind::Inner | Kind::Lambda(_));
        let loops = |step: Step| self.module.branch(step.branch).is_none_or(|branch| branch.fork.loops());
        self.module.scope(scope).is_some_and(plain) && !self.module.steps(self.path).any(loops)
    }

    /// `(name := value)`
    pub(super) fn names_within(&mut self, node: Node<'t>, name: Node<'t>, value: ExprId, scope: ScopeId, depth: usize) {
        let end = self.end.replace(span(node).end);
        self.assign(name, Target::Value(value, false), &[], scope, depth);
        self.end = end;
    }

    /// Whether `(name := value)` surely runs where its statement does, just once, and in this scope.
    pub(super) fn is_surely_named(&self, node: Node<'t>, scope: ScopeId) -> bool {
        if self.module.scope(scope).is_none_or(|scope| !matches!(scope.kind, Kind::Module | Kind::Function(_))) {
            return false;
        }
        let mut node = node;
        for _ in 0..MAX_AROUND {
            let Some(parent) = node.parent() else { return false };
            match parent.kind() {
                "tuple"
                | "list"
                | "expression_list"
                | "argument_list"
                | "keyword_argument"
                | "call"
                | "subscript"
                | "parenthesized_expression"
                | "binary_operator"
                | "unary_operator"
                | "attribute" => {}
                // `a < (n := 4) < b` may not come to the last.
                "comparison_operator" if children(parent).len() == 2 => {}
                "expression_statement" | "assignment" | "return_statement" => return true,
                "if_statement" => return parent.child_by_field_name("condition") == Some(node),
                _ => return false,
            }
            node = parent;
        }
        false
    }

    /// A branch begins here: the path to it, and its number.
    pub(super) fn fork(&mut self, fork: Fork, node: Node<'t>, scope: ScopeId) -> (PathId, u32) {
        let id = u32::try_from(self.module.branches.len()).unwrap_or(u32::MAX);
        let (path, arms, of, leaves) = (self.path, ThinVec::new(), None, Leaves::default());
        self.module.branches.push(Branch { fork, span: span(node), path, arms, scope, of, leaves });
        (self.path, id)
    }

    /// What follows stands in an arm of a branch.
    pub(super) fn under(&mut self, outer: PathId, branch: u32, arm: u32) {
        self.module.paths.push(Step { outer, branch, arm });
        self.path = PathId(u32::try_from(self.module.paths.len()).unwrap_or(u32::MAX));
    }

    fn arms(&self, branch: u32) -> usize {
        self.module.branch(branch).map_or(0, |branch| branch.arms.len())
    }

    pub(super) fn arm(&mut self, branch: u32, test: Option<ExprId>, node: Node<'t>) {
        let (ends, may) = (self.ways.surely_leaves(node), self.ways.may_leave(node));
        if let Some(branch) = self.module.branches.get_mut(branch as usize) {
            branch.arms.push(Arm { test, span: span(node), ends, may });
        }
    }

    fn branch(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) {
        let (outer, id) = self.fork(Fork::If, node, scope);
        let mut clauses = vec![node];
        clauses.extend(fields(node, "alternative"));
        for (arm, clause) in (0..).zip(clauses) {
            let test = clause.child_by_field_name("condition").map(|test| self.expr(test, scope, depth + 1));
            let body = ["consequence", "body"].into_iter().find_map(|name| clause.child_by_field_name(name));
            let Some(body) = body else { continue };
            self.under(outer, id, arm);
            self.arm(id, test, body);
            self.any(body, scope, depth + 1);
            self.path = outer;
        }
    }

    /// What follows in a scope never runs.
    fn never(&mut self, rest: Span, scope: ScopeId) {
        let test = Some(self.make_at(Expr::Bool(false), rest));
        let (arms, of, leaves) = ([Arm { test, span: rest, ends: false, may: false }].into(), None, Leaves::default());
        let id = u32::try_from(self.module.branches.len()).unwrap_or(u32::MAX);
        self.module.branches.push(Branch { fork: Fork::If, span: rest, path: self.path, arms, scope, of, leaves });
        self.under(self.path, id, 0);
    }

    /// A loop, through something or while a test holds.
    fn looped(&mut self, node: Node<'t>, of: Option<ExprId>, scope: ScopeId, depth: usize) {
        let field = |name| node.child_by_field_name(name);
        let (outer, id) = self.fork(Fork::Loop, node, scope);
        let leaves = field("body").map(leaves).unwrap_or_default();
        if let Some(branch) = self.module.branches.last_mut() {
            (branch.of, branch.leaves) = (of, leaves);
            // In its `else` it is over.
            branch.span.end = field("body").map_or(branch.span.end, |body| span(body).end);
        }
        self.under(outer, id, 0);
        match (of, field("left")) {
            (Some(of), Some(left)) => self.assign(left, Target::Item(of), &[], scope, depth),
            (_, left) => self.targets(left, scope, depth),
        }
        for part in ["condition", "body"].into_iter().filter_map(field) {
            self.any(part, scope, depth);
        }
        self.path = outer;
        if let Some(rest) = field("alternative") {
            if leaves.breaks {
                let (outer, id) = self.fork(Fork::Rest, rest, scope);
                self.under(outer, id, 0);
            }
            self.any(rest, scope, depth);
            self.path = outer;
        }
    }

    fn store(&mut self, node: Node<'t>, value: Option<ExprId>, part: &[usize], scope: ScopeId, depth: usize) {
        let (Some(of), Some(name)) = (node.child_by_field_name("object"), node.child_by_field_name("attribute")) else {
            return;
        };
        let id = self.expr(of, scope, depth + 1);
        let class = (of.kind() == "identifier").then(|| self.class_of(self.text(of), scope)).flatten();
        let name = self.kept(self.text(name));
        let (from, part) = (self.end.unwrap_or(span(node).end), part.into());
        self.module.stores.push(Store { name, value, part, from, path: self.path, scope, class, of: id });
    }

    /// The class whose method has this first parameter, seen from a scope.
    pub(super) fn class_of(&self, name: &str, scope: ScopeId) -> Option<ScopeId> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = self.module.scope(id)?;
            if scope.names.contains_key(name) {
                let Kind::Function(_) = scope.kind else { return None };
                let first = scope.names.get(name)?.iter().all(|one| matches!(one.bound, Bound::Parameter(0)));
                let parent = scope.parent?;
                let class = matches!(self.module.scope(parent)?.kind, Kind::Class { .. });
                return (first && class).then_some(parent);
            }
            at = scope.parent;
        }
        None
    }

    /// Names that get values which are not followed.
    pub(super) fn targets(&mut self, node: Option<Node<'t>>, scope: ScopeId, depth: usize) {
        let Some(node) = node else { return };
        if depth > MAX_DEPTH {
            self.full = true;
            return;
        }
        match node.kind() {
            "identifier" => self.bind(scope, self.text(node), Bound::Moving, span(node)),
            "attribute" => self.store(node, None, &[], scope, depth),
            "subscript" => {
                let mut of = node.child_by_field_name("value");
                self.expr(node, scope, depth + 1);
                self.rebinds(of, node.child_by_field_name("subscript"));
                while let Some(inner) = of.filter(|of| of.kind() == "subscript") {
                    of = inner.child_by_field_name("value");
                }
                if let Some(of) = of {
                    self.moves(of, scope, depth);
                }
            }
            _ => {
                for child in children(node) {
                    self.targets(Some(child), scope, depth + 1);
                }
            }
        }
    }

    fn class(&mut self, node: Node<'t>, scope: ScopeId, decorators: ThinVec<ExprId>, depth: usize) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let mut bases = Some(ThinVec::new());
        for base in node.child_by_field_name("superclasses").into_iter().flat_map(children) {
            if base.kind() == "keyword_argument" || base.kind().ends_with("_splat") {
                bases = None;
            } else {
                let base = self.expr(base, scope, depth + 1);
                bases = bases.map(|mut all| {
                    all.push(base);
                    all
                });
            }
        }
        let text = self.text(name);
        // What a class of this kind declares are the fields of its objects.
        let tuple = node.child_by_field_name("superclasses").is_some_and(|all| self.text(all).contains("NamedTuple"));
        let (decorated, apart) = (tuple || !decorators.is_empty(), ThinVec::new());
        let kind = Kind::Class { name: self.kept(text), bases, decorated, decorators, apart };
        let inner = self.open(kind, scope, node);
        self.bind(scope, text, Bound::Class(inner), span(name));
        if let Some(body) = node.child_by_field_name("body") {
            let outer = std::mem::take(&mut self.path);
            self.statement(body, inner, depth + 1);
            self.path = outer;
        }
    }

    fn function(&mut self, node: Node<'t>, scope: ScopeId, decorators: ThinVec<ExprId>, depth: usize) {
        let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
            return;
        };
        let inner = self.open(Kind::Inner, scope, node);
        self.bind(scope, self.text(name), Bound::Function(inner), span(name));
        let outer = std::mem::take(&mut self.path);
        let raises = children(body)
            .pop()
            .is_some_and(|last| self.ways.surely_leaves(last) && !self.text(last).contains("return"));
        let mut function = Function { decorators, raises, ..Function::default() };
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.parameters(parameters, scope, inner, &mut function, depth);
        }
        if let Some(result) = node.child_by_field_name("return_type") {
            self.expr(result, scope, depth + 1);
        }
        // The kind must be known before the body is read, for the sake of `self`.
        self.kind(inner, Kind::Function(function));
        self.statement(body, inner, depth + 1);
        self.path = outer;
    }

    fn kind(&mut self, scope: ScopeId, kind: Kind) {
        if let Some(scope) = self.module.scopes.get_mut(scope.0 as usize) {
            scope.kind = kind;
        }
    }

    pub(super) fn parameters(
        &mut self,
        node: Node<'t>,
        outer: ScopeId,
        inner: ScopeId,
        function: &mut Function,
        depth: usize,
    ) {
        let mut stars = false;
        for parameter in children(node) {
            let field = |name| parameter.child_by_field_name(name);
            let default = field("value").map(|value| self.expr(value, outer, depth + 1));
            let mut said = Annotation::Silent;
            let mut class = None;
            if let Some(kind) = field("type") {
                said = annotation(self.text(kind));
                self.expr(kind, outer, depth + 1);
                class = self.class_said(kind, outer, depth + 1);
            }
            let name = match parameter.kind() {
                "identifier" => Some(parameter),
                "typed_parameter" => parameter.named_child(0),
                _ => field("name"),
            };
            match name.filter(|name| name.kind() == "identifier") {
                Some(name) => {
                    let place = function.parameters.len();
                    if field("type").is_some_and(|kind| is_said(self.text(kind))) {
                        self.tensors.insert((inner, self.text(name)));
                    }
                    self.bind(inner, self.text(name), Bound::Parameter(place), span(name));
                    function.parameters.push(self.kept(self.text(name)));
                    function.defaults.push(default);
                    function.annotations.push(said);
                    function.kinds.push(class);
                    function.placed += usize::from(!stars);
                }
                None if parameter.kind() == "positional_separator" => {}
                None => {
                    let parameter = name.unwrap_or(parameter);
                    stars |= parameter.kind() != "dictionary_splat_pattern";
                    function.more |= parameter.kind() != "keyword_separator";
                    let rest = children(parameter);
                    match (parameter.kind(), rest.as_slice()) {
                        ("list_splat_pattern" | "dictionary_splat_pattern", [name]) if name.kind() == "identifier" => {
                            let named = parameter.kind() == "dictionary_splat_pattern";
                            self.bind(inner, self.text(*name), Bound::Rest(named), span(*name));
                        }
                        _ => self.targets(Some(parameter), inner, depth + 1),
                    }
                }
            }
        }
    }
}

/// What an annotation begins with, without the modules that it is in: `ClassVar` of `typing.ClassVar[int]`, also as text.
fn written(kind: &str) -> &str {
    let of = kind.trim_matches(['"', '\'', ' ']).split('[').next().unwrap_or_default();
    of.rsplit('.').next().unwrap_or_default().trim()
}
