//! Functions and classes whose names are handed on as values: whoever has them may call them, with arguments that nobody sees here.

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use std::rc::Rc;

use super::cute;
use super::evaluate::{At, Evaluator, MAX_STEPS};
use super::nodes::Node;
use super::read::{Walk, children};
use super::returned::calls_by_name;
use super::tree::{Bound, Expr, ExprId, Kind, Module, Name, ScopeId};
use super::value::{Home, Value};
use crate::ast::{Site, Span};

/// Functions that only look at what they are given first, and two of which the calls are known.
const LOOKING: [&str; 10] =
    ["partial", "compile", "isinstance", "issubclass", "super", "hasattr", "getattr", "len", "type", "print"];

/// Bytes of a function in which the uses of a dictionary are looked at.
const MAX_SCOPE: usize = 1 << 16;

/// Whether what has a name that stands here may be called elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// It is called here, only looked at, or followed.
    Here,
    /// It is returned, by itself or in a tuple.
    Returned,
    /// Anyone may have it.
    Anywhere,
}

/// Whether a name that stands here may be called elsewhere: it is not what a call calls, and not only looked at.
pub(super) fn hands_on<'t>(walk: &Walk<'t>, node: Node<'t>, scope: ScopeId) -> bool {
    used(walk, node, scope) != Use::Here
}

/// What is done with a name that stands here.
pub(super) fn used<'t>(walk: &Walk<'t>, node: Node<'t>, scope: ScopeId) -> Use {
    let handed = |handed: bool| if handed { Use::Anywhere } else { Use::Here };
    // What is called, and what an attribute is of: most names, and to ask for what is around a node takes long.
    let after = walk.text.get(node.end_byte()..).unwrap_or_default();
    if after.starts_with(['(', '.']) {
        return handed(after.starts_with(".__call__") || after.starts_with(".__get__"));
    }
    let (mut node, mut items) = (node, false);
    while let Some(parent) = node.parent() {
        let field = |name| parent.child_by_field_name(name);
        let is = |name| field(name) == Some(node);
        match parent.kind() {
            // `f[grid](…)`, `A if old else B`, `{8: A}[arch]`, and what is bound to a name, are followed.
            "pair" | "subscript" if !is("value") => return Use::Here,
            "conditional_expression" if children(parent).get(1) == Some(&node) => return Use::Here,
            "dictionary" => items = true,
            "subscript" => items = false,
            "parenthesized_expression" | "pair" | "conditional_expression" => {}
            "tuple" | "expression_list"
                if !items && parent.parent().is_some_and(|outer| outer.kind() == "return_statement") =>
            {
                return Use::Returned;
            }
            "return_statement" if !items => return Use::Returned,
            "call" => return handed(!is("function")),
            "assignment" => {
                let named = is("right") && field("left").is_some_and(|left| left.kind() == "identifier");
                let whole = !items || field("left").is_some_and(|left| is_only_looked_up(walk, left));
                return handed(!(is("type") || named && is_local(walk, scope) && whole));
            }
            "argument_list" => {
                let Some(call) = parent.parent().filter(|call| call.kind() == "call") else {
                    return Use::Here;
                };
                let callee = call.child_by_field_name("function").map_or("", |callee| walk.text(callee));
                // `cute.compile[options](f, …)`
                let last = callee.split('[').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
                let first = children(parent).first() == Some(&node) || matches!(last, "isinstance" | "issubclass");
                return handed(!(LOOKING.contains(&last) && first));
            }
            "keyword_argument" => {
                let around = parent.parent().and_then(Node::parent);
                return handed(around.is_none_or(|around| around.kind() != "class_definition"));
            }
            "attribute"
            | "type"
            | "comparison_operator"
            | "assert_statement"
            | "not_operator"
            | "if_statement"
            | "elif_clause"
            | "while_statement"
            | "expression_statement"
            | "binary_operator"
            | "unary_operator"
            | "delete_statement"
            | "block"
            | "module"
            | "union_type"
            | "generic_type"
            | "type_parameter" => return Use::Here,
            _ => return Use::Anywhere,
        }
        node = parent;
    }
    Use::Here
}

/// Whether something gets a name here that is seen in one function only: `go = self.f`, `go = self.f if x else self.g`.
pub(super) fn is_named<'t>(walk: &Walk<'t>, node: Node<'t>, scope: ScopeId) -> bool {
    if matches!(walk.text.as_bytes().get(node.end_byte()), Some(b'(' | b'.')) {
        return false;
    }
    let mut node = node;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "parenthesized_expression" | "dictionary" | "pair" | "subscript" | "conditional_expression" => {
                node = parent;
            }
            "assignment" => return parent.child_by_field_name("right") == Some(node) && !hands_on(walk, node, scope),
            _ => return false,
        }
    }
    false
}

/// Whether what is bound here is seen in one function only: others may call what a file or a class has by another name.
fn is_local(walk: &Walk<'_>, scope: ScopeId) -> bool {
    let mut at = Some(scope);
    while let Some(of) = at.and_then(|scope| walk.module.scope(scope)) {
        match of.kind {
            Kind::Function(_) => return true,
            Kind::Class { .. } => return false,
            Kind::Module | Kind::Lambda(_) | Kind::Inner => at = of.parent,
        }
    }
    false
}

/// Whether a dictionary is only asked for one item each time, `OPS[x]`, within the function that gives it its name: what `values()` or
/// `get` gives is not followed. (Whether items of one change is another question: `kept`.)
fn is_only_looked_up<'t>(walk: &Walk<'t>, name: Node<'t>) -> bool {
    // Each name in it asks the same.
    if let Some((_, known)) = walk.looked_up.get().filter(|(start, _)| *start == name.start_byte()) {
        return known;
    }
    let mut around = std::iter::successors(name.parent(), |node| node.parent());
    let scope = around.find(|one| matches!(one.kind(), "function_definition" | "lambda"));
    let known = scope.filter(|scope| scope.end_byte() - scope.start_byte() <= MAX_SCOPE).is_some_and(|scope| {
        let word = walk.text(name);
        memchr::memmem::find_iter(walk.text(scope).as_bytes(), word).all(|at| {
            let (from, to) = (scope.start_byte() + at, scope.start_byte() + at + word.len());
            let of = scope.descendant_for_byte_range(from, to);
            let of = of.filter(|of| of.kind() == "identifier" && (of.start_byte(), of.end_byte()) == (from, to));
            of.is_none_or(|of| of == name || is_item(of))
        })
    });
    walk.looked_up.set(Some((name.start_byte(), known)));
    known
}

/// Whether an item of something is asked for, or whether it has one: `OPS[x]`, `x in OPS`.
fn is_item(of: Node<'_>) -> bool {
    let mut node = of;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "subscript" if parent.child_by_field_name("value") == Some(node) => node = parent,
            "attribute" => return false,
            "comparison_operator" => return true,
            _ => return node != of,
        }
    }
    false
}

/// Whether a call makes an object of the class that it stands in, whichever that is: `type(self)(…)`, `self.__class__(…)`, `cls(…)`.
pub(super) fn remakes(walk: &Walk<'_>, callee: Node<'_>) -> bool {
    let text = walk.text(callee);
    text == "cls" || text.ends_with(".__class__") || text.starts_with("type(") && callee.kind() == "call"
}

/// Leaves out of what was mentioned what surely is no function and no class.
pub(super) fn only_called(module: &mut Module) {
    let mut mentioned = std::mem::take(&mut module.mentioned);
    mentioned.retain(|(name, scope, _)| {
        let mut at = Some(*scope);
        while let Some(id) = at {
            let Some(of) = module.scope(id) else { return false };
            if let Some(all) = of.names.get(name) {
                return all.iter().any(|one| match &one.bound {
                    Bound::Function(_) | Bound::Class(_) => true,
                    Bound::From(import) => !cute::is_library(&import.from),
                    Bound::Value(value, _) => {
                        matches!(
                            module.expr(*value),
                            Expr::Name(_) | Expr::Attribute(..) | Expr::Choice { .. } | Expr::Item(..) | Expr::Dict(_)
                        ) || calls_by_name(module, *value, id)
                    }
                    Bound::Part(value, _) => calls_by_name(module, *value, id),
                    _ => false,
                });
            }
            at = of.parent;
        }
        // A star may bind it to one.
        !module.stars.is_empty()
    });
    mentioned.shrink_to_fit();
    module.mentioned = mentioned;
}

/// An attribute that is handed on.
#[derive(Debug, Clone)]
pub struct Handed {
    /// Its name.
    pub name: Name,
    /// Of what.
    pub of: ExprId,
    /// Where that stands.
    pub scope: ScopeId,
    /// Whether it only gets a name here, of which the calls are followed where it is known what it is.
    pub named: bool,
}

/// What may be called from where nobody looks.
#[derive(Debug, Default, Clone)]
pub struct Escaped<'a> {
    homes: HashSet<Home>,
    /// Attributes that are handed on, by their names.
    names: HashMap<&'a str, Owners>,
}

/// Of what an attribute of one name is handed on.
#[derive(Debug, Default, Clone)]
struct Owners {
    /// Of objects of these classes, or of the classes.
    classes: HashSet<Home>,
    /// Of something else, in code that the DSL runs, and in other code.
    jit: bool,
    host: bool,
    /// Of what may be a file.
    file: bool,
}

impl<'a> Evaluator<'a> {
    fn escaped(&mut self) -> Rc<Escaped<'a>> {
        if let Some(known) = &self.escaped {
            return known.clone();
        }
        // Whoever asks meanwhile goes round in a circle.
        self.escaped = Some(Rc::default());
        let mut all = Escaped { homes: HashSet::new(), names: HashMap::new() };
        let mut returned: Vec<(Home, Vec<Home>)> = Vec::new();
        for (index, module) in self.files.modules.iter().enumerate() {
            for handed in &module.handed {
                self.hand(handed, index, &mut all);
            }
            // In the same order each time: steps are counted.
            let mut mentioned: Vec<&(Name, ScopeId, Use)> = module.mentioned.iter().collect();
            mentioned.sort_unstable_by_key(|(name, scope, used)| (scope.0, name, *used));
            for (name, scope, used) in mentioned {
                let mut found = Vec::new();
                let at = At { module: index, scope: *scope, frame: None };
                self.meant(name, &at, &mut found);
                if *used == Use::Returned && !found.is_empty() {
                    returned.push((Home { module: index, scope: *scope }, found));
                } else {
                    all.homes.extend(found);
                }
            }
            for (scope, by_name) in &module.remakes {
                // Such calls are seen where there is one class only.
                if *by_name && self.factory_of(Home { module: index, scope: *scope }).is_some() {
                    continue;
                }
                let mut at = Some(*scope);
                while let Some(id) = at {
                    let Some(of) = module.scope(id) else { break };
                    if matches!(of.kind, Kind::Class { .. }) {
                        let home = Home { module: index, scope: id };
                        all.homes.extend(self.heirs(home));
                    }
                    at = of.parent;
                }
            }
        }
        // What a function returns is handed on where not all is seen that is done with it; and that may be what others hang on.
        let decorating = self.decorating();
        loop {
            self.escaped = Some(Rc::new(all.clone()));
            self.unseen.clear();
            let before = returned.len();
            returned.retain(|(function, found)| {
                let followed = self.is_followed(*function, &decorating, 0);
                if !followed {
                    all.homes.extend(found);
                }
                followed
            });
            if returned.len() == before {
                break;
            }
        }
        let all = Rc::new(all);
        self.escaped = Some(all.clone());
        all
    }

    /// An attribute is handed on: of what, as far as that is known.
    fn hand(&mut self, handed: &'a Handed, index: usize, all: &mut Escaped<'a>) {
        let at = At { module: index, scope: handed.scope, frame: None };
        if handed.named
            && let Ok(of) = self.surely(handed.of, &at)
        {
            let site = Site { unit: u32::try_from(index).unwrap_or(u32::MAX), span: Span::default() };
            let (world, steps) = (self.world.take(), self.steps);
            self.steps = MAX_STEPS;
            let value = self.attribute(&of, &handed.name, site, 0);
            (self.world, self.steps) = (world, steps);
            if matches!(value, Ok(Value::Class(_) | Value::Function(..))) {
                return;
            }
        }
        let of = match self.surely(handed.of, &at) {
            Ok(Value::Module(of)) => {
                let site = Site { unit: u32::try_from(of).unwrap_or(u32::MAX), span: Span::default() };
                let (world, steps) = (self.world.take(), self.steps);
                self.steps = MAX_STEPS;
                let value = self.member(of, &handed.name, site, 0);
                (self.world, self.steps) = (world, steps);
                match value {
                    Ok(Value::Class(home) | Value::Function(home, _)) => drop(all.homes.insert(home)),
                    Ok(_) => {}
                    Err(_) => all.names.entry(&handed.name).or_default().file = true,
                }
                return;
            }
            Ok(Value::Library(_)) => return,
            Ok(Value::Class(home) | Value::Object(home, _)) => Some(vec![home]),
            _ => self.kinds_at(handed.of, index, handed.scope),
        };
        if let Some(of) = of {
            return all.names.entry(&handed.name).or_default().classes.extend(of);
        }
        let (jit, file) = (self.is_jit(&at), self.may_be_file(handed.of, &at));
        let owners = all.names.entry(&handed.name).or_default();
        owners.jit |= jit;
        owners.host |= !jit;
        owners.file |= file;
    }

    /// Whether something stands in a function that the DSL runs.
    fn is_jit(&self, at: &At) -> bool {
        let mut scope = Some(at.scope);
        while let Some(of) = scope.and_then(|scope| self.module(at.module)?.scope(scope)) {
            if let Kind::Function(function) = &of.kind
                && self.decorated(at.module, &function.decorators, &["jit", "kernel"])
            {
                return true;
            }
            scope = of.parent;
        }
        false
    }

    /// Whether an expression of which nothing is known may be a file: what a function is given, or stores in an object, is none.
    fn may_be_file(&self, of: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return true };
        let Some(name) = module.root(of) else { return true };
        self.bindings(name, at).is_none_or(|(_, all)| {
            all.iter().any(|one| !matches!(one.bound, Bound::Parameter(_) | Bound::Each(..) | Bound::Class(_)))
        })
    }

    /// Whether an attribute that is handed on may be a function or a class.
    fn is_handed(&mut self, escaped: &Escaped<'a>, home: Home, name: &str, class: Option<Home>) -> bool {
        let Some(owners) = escaped.names.get(name) else { return false };
        let Some(class) = class else { return owners.file };
        // A kernel is launched by what the DSL runs.
        if owners.jit || owners.host && !self.is_decorated(home, "kernel") {
            return true;
        }
        let heirs = self.heirs(class);
        owners.classes.iter().any(|own| *own == class || heirs.contains(own) || self.heirs(*own).contains(&class))
    }

    /// The functions and classes of the files that a name may mean.
    fn meant(&mut self, name: &'a Name, at: &At, found: &mut Vec<Home>) {
        let Some((scope, bindings)) = self.bindings(name, at) else { return };
        let around = At { scope, ..at.clone() };
        for one in bindings {
            match &one.bound {
                Bound::Function(scope) | Bound::Class(scope) => found.push(Home { module: at.module, scope: *scope }),
                Bound::From(import) => {
                    let (path, name) = (&import.from, &import.name);
                    let site = Site { unit: u32::try_from(at.module).unwrap_or(u32::MAX), span: one.span };
                    let (world, steps) = (self.world.take(), self.steps);
                    self.steps = MAX_STEPS;
                    if let Ok(Value::Class(home) | Value::Function(home, _)) = self.from(at.module, path, name, site, 0)
                    {
                        found.push(home);
                    }
                    (self.world, self.steps) = (world, steps);
                }
                Bound::Value(value, _) => {
                    let mut all = Vec::new();
                    self.callable(*value, &around, false, &mut all);
                    found.extend(all.into_iter().map(|(home, _)| home));
                }
                Bound::Part(value, path) => {
                    let mut all = Vec::new();
                    self.callable_part(*value, path, &around, &mut all);
                    found.extend(all.into_iter().map(|(home, _)| home));
                }
                _ => {}
            }
        }
    }

    /// Whether a function, or the constructor of a class, may be called from where nobody looks; for objects of a class, if that is known.
    pub(super) fn escapes(&mut self, home: Home, made: Option<Home>) -> bool {
        if let Some(known) = self.unseen.get(&(home, made)) {
            return *known;
        }
        let escapes = self.may_escape(home, made);
        self.unseen.insert((home, made), escapes);
        escapes
    }

    fn may_escape(&mut self, home: Home, made: Option<Home>) -> bool {
        let escaped = self.escaped();
        let Some((name, class)) = self.named(home) else { return false };
        let makes = name == "__init__" || class.is_none() && self.is_class(home);
        if class.is_none() && self.module(home.module).is_some_and(|module| module.looked_up) {
            return true;
        }
        if !makes {
            // What the DSL compiles is called by it.
            return name == "__call__"
                || self.is_wrapped(home)
                || escaped.homes.contains(&home)
                || self.is_handed(&escaped, home, name, class) && !self.is_read(home);
        }
        let classes = match made {
            Some(made) => vec![made],
            None => self.heirs(class.unwrap_or(home)),
        };
        classes.iter().any(|class| {
            // Its fields are not counted as they stand.
            if class == &home && self.is_counted_otherwise(home) {
                return true;
            }
            let named = self.named(*class);
            escaped.homes.contains(class)
                || named.is_some_and(|(name, around)| self.is_handed(&escaped, *class, name, around))
        })
    }

    /// Whether a method is read as an attribute.
    pub(super) fn is_read(&self, home: Home) -> bool {
        match self.module(home.module).and_then(|module| module.scope(home.scope)).map(|scope| &scope.kind) {
            Some(Kind::Function(function)) => {
                self.decorated(home.module, &function.decorators, &["property", "cached_property"])
            }
            _ => false,
        }
    }
}

/// Where a name was handed on, and how.
pub type Mentioned = HashSet<(Name, ScopeId, Use)>;
