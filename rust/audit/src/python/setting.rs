//! What changes without an assignment: items of lists, and attributes that are stored by their names with `setattr(of, name, value)`,
//! `object.__setattr__(of, name, value)`, `vars(of)` and `of.__dict__`. And the classes that annotations name, by which it is known what
//! something is stored in.

use thin_vec::ThinVec;

use super::nodes::Node;
use super::read::{MAX_DEPTH, Walk, children, span};
use super::tree::{
    Annotation, Argument, Binding, Bound, Expr, ExprId, Growth, Kind, Module, PathId, Scope, ScopeId, Set, Store,
};

/// Functions that look at a dictionary, and its methods that do.
const LOOKING: [&str; 12] =
    ["dict", "len", "list", "set", "sorted", "tuple", "get", "items", "keys", "values", "copy", "__contains__"];

/// Methods of a dictionary that store what they are given by a name.
const STORING: [&str; 2] = ["setdefault", "pop"];

/// What a parameter's annotation says of when it is known.
pub(super) fn annotation(text: &str) -> Annotation {
    const RUN_TIME: [&str; 8] = ["Tensor", "Int32", "Int64", "Float32", "Uint", "Boolean", "Pointer", "tream"];
    if text.contains("onstexpr") {
        Annotation::Constant
    } else if text == "bool" {
        Annotation::Truth
    // A type is a constant, whatever its values are.
    } else if !text.contains("ype[") && RUN_TIME.iter().any(|word| text.contains(word)) {
        Annotation::RunTime
    } else if numbers(text) {
        Annotation::Numbers
    } else {
        Annotation::Silent
    }
}

/// Whether an annotation says a number or a tuple of numbers: `int`, `Tuple[int, int]`, `tuple`, `Optional[int]`.
fn numbers(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let plain = |word: &str| matches!(word, "int" | "tuple" | "Tuple");
    let around = |word: &str| matches!(word, "Optional" | "Union" | "None" | "typing");
    words.clone().any(plain) && words.all(|word| plain(word) || around(word))
}

/// Whether a name that Python has is a function of the file where it is used in a scope.
pub(super) fn is_own(module: &Module, name: &str, scope: ScopeId) -> bool {
    let mut at = Some(scope);
    while let Some(id) = at {
        let Some(of) = module.scope(id) else { return false };
        let seen = id == scope || !matches!(of.kind, Kind::Class { .. });
        if let Some(all) = of.names.get(name).filter(|_| seen) {
            let function = all.iter().all(|one| matches!(one.bound, Bound::Function(_)) && one.path == PathId(0));
            return function && !module.moved.contains(name);
        }
        at = of.parent;
    }
    false
}

impl<'t> Walk<'t> {
    /// A list that has a name gets items.
    pub(super) fn grows(&mut self, node: Node<'t>, value: ExprId, many: bool, scope: ScopeId) {
        if node.kind() == "identifier" {
            let name = self.kept(self.text(node));
            self.module.grown.push(Growth { name, at: span(node).start, value, many, scope });
        }
    }

    /// Whether names of the file are bound here: `globals()["n"] = 8`.
    pub(super) fn rebinds(&mut self, of: Option<Node<'t>>, key: Option<Node<'t>>) {
        let text = |node: Option<Node<'t>>| node.map_or("", |node| self.text(node));
        self.module.patched.modules |= text(of) == "sys.modules" && text(key) != "__name__";
        if of.is_some_and(|of| self.text(of) == "globals()") {
            match key.and_then(|key| self.plain(key)) {
                Some(name) => drop(self.module.moved.insert(self.text(name).into())),
                None => self.module.rebinds = true,
            }
        }
    }

    /// Names of the file may be looked up here: `globals()[name]`, `sys.modules[__name__]`.
    pub(super) fn looks_up(&mut self, of: Node<'t>, keys: &[Node<'t>]) {
        let found = match self.text(of) {
            "globals()" | "vars()" | "locals()" => !keys.iter().all(|key| self.plain(*key).is_some()),
            "sys.modules" => true,
            _ => false,
        };
        self.module.looked_up |= found;
    }

    /// The name in a text that is one.
    fn plain<'n>(&self, node: Node<'n>) -> Option<Node<'n>> {
        let content = children(node).into_iter().find(|part| part.kind() == "string_content")?;
        let name = self.text(content);
        let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        plain.then_some(content)
    }

    /// Items of what is named here change.
    pub(super) fn moves(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) {
        // What a name stands for is known once all of the file was read.
        if node.kind() == "identifier" {
            self.changed.insert((scope, self.text(node)));
        } else {
            self.module.changes = true;
        }
        if let (Some(of), Some(name)) = (node.child_by_field_name("object"), node.child_by_field_name("attribute")) {
            let name = self.kept(self.text(name));
            let of = self.expr(of, scope, depth + 1);
            let (value, part, from, path) = (None, ThinVec::new(), 0, PathId(0));
            self.module.stores.push(Store { name, value, part, from, path, scope, class: None, of });
        }
    }

    /// The class that an annotation names: `C`, `m.C`, `"C"`, `C | None`, `Optional[C]`.
    // Recursion: to a fixed depth.
    pub(super) fn class_said(&mut self, node: Node<'t>, scope: ScopeId, depth: usize) -> Option<ExprId> {
        if depth > MAX_DEPTH {
            return None;
        }
        match node.kind() {
            "type" => self.class_said(node.named_child(0)?, scope, depth + 1),
            "identifier" | "attribute" => Some(self.expr(node, scope, depth + 1)),
            "string" => {
                let name = self.plain(node)?;
                let name = self.kept(self.text(name));
                Some(self.make(Expr::Name(name), node))
            }
            "binary_operator" | "union_type" => {
                let parts: Vec<_> = children(node).into_iter().filter(|part| self.text(*part) != "None").collect();
                let [one] = parts.as_slice() else { return None };
                self.class_said(*one, scope, depth + 1)
            }
            "generic_type" | "subscript" => {
                let [of, inner] = children(node)[..] else { return None };
                let optional = matches!(self.text(of), "Optional" | "typing.Optional");
                let inner = if inner.kind() == "type_parameter" { inner.named_child(0)? } else { inner };
                optional.then(|| self.class_said(inner, scope, depth + 1))?
            }
            _ => None,
        }
    }

    /// `vars(of)` or `of.__dict__`: what is done with it may store attributes.
    pub(super) fn namespace(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId, depth: usize) {
        let text = |node: Option<Node<'t>>| node.map_or("", |node| self.text(node));
        let field = |node: Node<'t>, name| text(node.child_by_field_name(name));
        let Some(parent) = node.parent() else { return };
        let around = parent.parent();
        let key = match parent.kind() {
            "dictionary_splat" | "comparison_operator" => return,
            "argument_list" if around.is_some_and(|call| LOOKING.contains(&field(call, "function"))) => return,
            "attribute" if LOOKING.contains(&field(parent, "attribute")) => return,
            "attribute" if STORING.contains(&field(parent, "attribute")) => {
                let arguments = around.and_then(|call| call.child_by_field_name("arguments"));
                arguments.and_then(|all| children(all).into_iter().next())
            }
            "subscript" => {
                let stores = around.is_some_and(|around| match around.kind() {
                    "assignment" | "augmented_assignment" => around.child_by_field_name("left") == Some(parent),
                    // `x.__dict__[name][0] = 4` changes what is there; a loop or `del` may store.
                    "attribute" | "argument_list" | "return_statement" | "expression_statement" => false,
                    _ => true,
                });
                if !stores {
                    return;
                }
                parent.child_by_field_name("subscript")
            }
            _ => None,
        };
        let name = key.filter(|key| key.kind() == "string").map(|key| self.expr(key, scope, depth + 1));
        self.module.sets.push(Set { of, name, scope });
    }

    /// Attributes are stored by their names: `setattr(of, name, value)`, `object.__setattr__(of, name, value)`, `vars(of)`.
    pub(super) fn sets(&mut self, node: Node<'t>, callee: (Node<'t>, ExprId), arguments: &[Argument], scope: ScopeId) {
        let plain = arguments.iter().all(|argument| argument.name.is_none());
        let all: Vec<ExprId> = arguments.iter().map(|argument| argument.value).collect();
        let object = callee.0.child_by_field_name("object").map_or("", |object| self.text(object));
        let (of, name, value) = match (self.text(callee.0), all.as_slice()) {
            _ if !plain => {
                self.module.executes = true;
                return;
            }
            ("setattr", [of, name, value]) => (*of, Some(*name), Some(*value)),
            ("delattr", [of, name]) => (*of, Some(*name), None),
            ("vars", []) => return,
            ("vars", [of]) => return self.namespace(node, *of, scope, 0),
            // `def __setattr__(self, name, value)` hands on what is stored elsewhere.
            (_, [.., name, _]) if !object.is_empty() && self.hands_on(*name, scope) => return,
            (_, [of, name, value]) if object == "object" => (*of, Some(*name), Some(*value)),
            (_, [name, value])
                if !object.starts_with("super")
                    && let Expr::Attribute(of, _) = self.module.expr(callee.1) =>
            {
                (*of, Some(*name), Some(*value))
            }
            // Of anything.
            _ => {
                self.module.executes = true;
                return;
            }
        };
        let target = match self.module.expr(of) {
            Expr::Name(target) => Some(target.clone()),
            _ => None,
        };
        match name.map(|name| self.module.expr(name)) {
            Some(Expr::Text(name)) => {
                let name = name.clone();
                let class = target.and_then(|target| self.class_of(&target, scope));
                let (part, from, path) = (ThinVec::new(), span(node).end, self.path);
                self.module.stores.push(Store { name, value, part, from, path, scope, class, of });
            }
            _ => self.module.sets.push(Set { of, name, scope }),
        }
    }

    /// Whether a name is a parameter of the `__setattr__` around it.
    fn hands_on(&self, name: ExprId, scope: ScopeId) -> bool {
        let Expr::Name(name) = self.module.expr(name) else { return false };
        let Some(Scope { kind: Kind::Function(_), parent: Some(parent), names, .. }) = self.module.scope(scope) else {
            return false;
        };
        let parameter =
            names.get(name).is_some_and(|all| matches!(all[..], [Binding { bound: Bound::Parameter(1), .. }]));
        let own = self.module.scope(*parent).and_then(|around| around.names.get("__setattr__"));
        parameter
            && own.is_some_and(|all| all.iter().any(|one| matches!(one.bound, Bound::Function(id) if id == scope)))
    }
}
