//! What is kept of a Python file: scopes, what they bind, and expressions in one vector, so that nothing recurses when it is dropped.

use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

use foldhash::HashSet;
use thin_vec::ThinVec;

use crate::ast::Span;

/// A name as it is kept: one pointer, since names stand in most expressions.
pub type Name = arcstr::ArcStr;

/// Index of an expression in its file. One more than that is kept, so that an id which may be missing takes no more place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExprId(NonZeroU32);

// The hash is that of the index: what is tried hangs on it, a little (`noted`).
impl Hash for ExprId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.0.get() - 1);
    }
}

impl ExprId {
    /// That of no expression.
    pub const NONE: Self = Self(NonZeroU32::MAX);

    /// By the index; files have fewer than would be too many.
    pub const fn new(index: u32) -> Self {
        match NonZeroU32::new(index.wrapping_add(1)) {
            Some(id) => Self(id),
            None => Self::NONE,
        }
    }

    /// The index.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Index of a scope in its file; 0 is the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScopeId(pub u32);

/// The scope of a file itself.
pub const MODULE: ScopeId = ScopeId(0);

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `//`
    FloorDiv,
    /// `%`
    Mod,
    /// `**`
    Pow,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `and`
    Both,
    /// `or`
    Either,
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub struct Argument {
    /// Its keyword, if it has one; `*` or `**` where it is unpacked.
    pub name: Option<Name>,
    /// Its value.
    pub value: ExprId,
}

/// The argument of a call for a parameter; nothing where some are unpacked.
pub fn argument(arguments: &[Argument], place: usize, name: &str) -> Option<ExprId> {
    if arguments.iter().any(|one| matches!(one.name.as_deref(), Some("*" | "**"))) {
        return None;
    }
    let named = arguments.iter().find(|one| one.name.as_deref() == Some(name));
    named.or_else(|| arguments.get(place).filter(|one| one.name.is_none())).map(|one| one.value)
}

/// A comprehension, in a scope of its own.
#[derive(Debug, Clone)]
pub struct Comprehension {
    /// What each is.
    pub item: ExprId,
    /// What it is found by, in a dictionary.
    pub key: Option<ExprId>,
    /// What is counted through.
    pub of: ExprId,
    /// Which of them are taken.
    pub tests: Box<[ExprId]>,
    /// Its scope.
    pub scope: ScopeId,
}

/// An expression. There are millions: what they hold of variable length is one pointer wide.
#[derive(Debug, Clone)]
pub enum Expr {
    /// An integer, in its own place: there are few, and expressions are many.
    Integer(Box<i128>),
    /// `True` or `False`.
    Bool(bool),
    /// `None`.
    None,
    /// A string without interpolation.
    Text(Name),
    /// `f"{a}_b"`: its pieces, of which those between the braces are expressions.
    Joined(ThinVec<ExprId>),
    /// A name.
    Name(Name),
    /// `of.name`.
    Attribute(ExprId, Name),
    /// A call.
    Call(ExprId, ThinVec<Argument>),
    /// `(a, b)`, or the list `[a, b]`.
    Tuple(ThinVec<ExprId>, bool),
    /// `*a` in a tuple.
    Starred(ExprId),
    /// `of[index]`.
    Item(ExprId, ExprId),
    /// `of[from:to]`.
    Slice(ExprId, Option<ExprId>, Option<ExprId>),
    /// `of[::-1]`.
    Backwards(ExprId),
    /// `{key: value}`.
    Dict(ThinVec<(ExprId, ExprId)>),
    /// A comprehension of one `for`.
    Comprehension(Box<Comprehension>),
    /// `lambda n: n + 4`, by its scope.
    Lambda(ScopeId),
    /// `a + b`.
    Binary(Op, ExprId, ExprId),
    /// `a in b`, or `a not in b`.
    Within(ExprId, ExprId, bool),
    /// `-a`
    Negative(ExprId),
    /// `~a`
    Complement(ExprId),
    /// `not a`
    Not(ExprId),
    /// `yes if test else no`.
    Choice {
        /// The condition.
        test: ExprId,
        /// If it holds.
        yes: ExprId,
        /// If it does not.
        no: ExprId,
    },
    /// Anything else.
    Other,
}

impl Expr {
    /// Looks at the expressions that this one is made of.
    pub fn each_part(&self, look: &mut impl FnMut(ExprId)) {
        match self {
            Self::Attribute(of, _)
            | Self::Starred(of)
            | Self::Negative(of)
            | Self::Complement(of)
            | Self::Not(of)
            | Self::Backwards(of) => look(*of),
            Self::Call(callee, arguments) => {
                look(*callee);
                arguments.iter().for_each(|argument| look(argument.value));
            }
            Self::Tuple(items, _) | Self::Joined(items) => items.iter().copied().for_each(look),
            Self::Item(a, b) | Self::Binary(_, a, b) | Self::Within(a, b, _) => [*a, *b].into_iter().for_each(look),
            Self::Dict(items) => items.iter().flat_map(|(key, value)| [*key, *value]).for_each(look),
            Self::Comprehension(of) => {
                [of.item, of.of].into_iter().chain(of.key).chain(of.tests.iter().copied()).for_each(look);
            }
            Self::Slice(of, from, to) => [Some(*of), *from, *to].into_iter().flatten().for_each(look),
            Self::Choice { test, yes, no } => [*test, *yes, *no].into_iter().for_each(look),
            Self::Integer(_)
            | Self::Bool(_)
            | Self::None
            | Self::Text(_)
            | Self::Name(_)
            | Self::Lambda(_)
            | Self::Other => {}
        }
    }

    /// Changes the ids of the expressions that this one is made of.
    fn each_id(&mut self, change: &mut impl FnMut(&mut ExprId)) {
        match self {
            Self::Attribute(of, _)
            | Self::Starred(of)
            | Self::Negative(of)
            | Self::Complement(of)
            | Self::Not(of)
            | Self::Backwards(of) => change(of),
            Self::Call(callee, arguments) => {
                change(callee);
                arguments.iter_mut().for_each(|argument| change(&mut argument.value));
            }
            Self::Tuple(items, _) | Self::Joined(items) => items.iter_mut().for_each(change),
            Self::Item(a, b) | Self::Binary(_, a, b) | Self::Within(a, b, _) => [a, b].into_iter().for_each(change),
            Self::Dict(items) => items.iter_mut().flat_map(|(key, value)| [key, value]).for_each(change),
            Self::Comprehension(of) => {
                let Comprehension { item, key, of, tests, .. } = &mut **of;
                [item, of].into_iter().chain(key.as_mut()).chain(tests.iter_mut()).for_each(change);
            }
            Self::Slice(of, from, to) => {
                change(of);
                [from, to].into_iter().flatten().for_each(change);
            }
            Self::Choice { test, yes, no } => [test, yes, no].into_iter().for_each(change),
            Self::Integer(_)
            | Self::Bool(_)
            | Self::None
            | Self::Text(_)
            | Self::Name(_)
            | Self::Lambda(_)
            | Self::Other => {}
        }
    }
}

/// `from module import name`, in its own place: most names are bound to something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module.
    pub from: Name,
    /// The name there.
    pub name: Name,
}

/// What a name is bound to at one place.
#[derive(Debug, Clone)]
pub enum Bound {
    /// `name = value`; whether it has an annotation.
    Value(ExprId, bool),
    /// An item of a value that is unpacked.
    Part(ExprId, ThinVec<usize>),
    /// `import a.b` (as `a`), or `import a.b as name`: the module.
    Module(Name),
    /// `from module import name`.
    From(Box<Import>),
    /// A parameter: its place.
    Parameter(usize),
    /// A function.
    Function(ScopeId),
    /// A class.
    Class(ScopeId),
    /// A field of a class without a value: `name: int`.
    Declared,
    /// The target of a loop, or a part of it: an item of what is counted through, one after the other.
    Each(ExprId, ThinVec<usize>),
    /// `*values` (false) or `**values` (true) among the parameters of a function.
    Rest(bool),
    /// Known only when the program runs: the target of `+=`, of `with`.
    Moving,
}

impl Bound {
    /// `from module import name`.
    pub fn import(from: Name, name: Name) -> Self {
        Self::From(Box::new(Import { from, name }))
    }

    /// The module that is imported, or of which something is.
    pub fn imported(&self) -> Option<&Name> {
        match self {
            Self::Module(module) => Some(module),
            Self::From(import) => Some(&import.from),
            _ => None,
        }
    }
}

/// A place where a name is bound.
#[derive(Debug, Clone)]
pub struct Binding {
    /// To what.
    pub bound: Bound,
    /// Where.
    pub span: Span,
    /// From where on it holds: the end of its statement.
    pub from: u32,
    /// Under which branches it stands, within its scope.
    pub path: PathId,
}

/// What a parameter's annotation says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Annotation {
    /// Nothing of when it is known.
    #[default]
    Silent,
    /// `Constexpr`.
    Constant,
    /// `bool`.
    Truth,
    /// A type whose values are known when the kernel runs: a tensor, a pointer, an `Int32`.
    RunTime,
    /// `int`, or a tuple of them: what a host passes to `@cute.jit` is known when the kernel runs.
    Numbers,
}

/// What a scope is.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A file.
    Module,
    /// A function.
    Function(Function),
    /// A class.
    Class {
        /// Its name.
        name: Name,
        /// Its bases; nothing where they are not plain expressions.
        bases: Option<ThinVec<ExprId>>,
        /// Whether anything decorates it.
        decorated: bool,
        /// What does.
        decorators: ThinVec<ExprId>,
        /// Names in it that an annotation makes no plain fields.
        apart: ThinVec<(Name, Apart)>,
    },
    /// A lambda that is followed.
    Lambda(Function),
    /// A comprehension, or another lambda.
    Inner,
}

/// What an annotation makes of a name in a data class, other than a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    /// `InitVar[…]`: a parameter of the constructor, and no field.
    Init,
    /// `KW_ONLY`: the fields behind it are given by their names.
    Rest,
}

/// What is kept of a function.
#[derive(Debug, Clone, Default)]
pub struct Function {
    /// Its parameters that take arguments by place, in order.
    pub parameters: ThinVec<Name>,
    /// Their defaults.
    pub defaults: ThinVec<Option<ExprId>>,
    /// What their annotations say.
    pub annotations: ThinVec<Annotation>,
    /// The classes that their annotations name, where those of attributes that are stored in them matter.
    pub kinds: ThinVec<Option<ExprId>>,
    /// How many of them can have their argument by place.
    pub placed: usize,
    /// Whether there are others: `*args`, `**more`.
    pub more: bool,
    /// Its decorators.
    pub decorators: ThinVec<ExprId>,
    /// What it returns, in the order of the text.
    pub returns: ThinVec<Return>,
    /// What it asserts.
    pub asserts: ThinVec<Return>,
    /// Statements that call functions of the files which may raise.
    pub checks: ThinVec<Return>,
    /// Whether it yields.
    pub yields: bool,
    /// Whether its last statement raises.
    pub raises: bool,
}

impl Function {
    /// When all of it is read.
    pub fn shrink_to_fit(&mut self) {
        self.parameters.shrink_to_fit();
        self.defaults.shrink_to_fit();
        self.annotations.shrink_to_fit();
        self.kinds.shrink_to_fit();
        self.decorators.shrink_to_fit();
        self.returns.shrink_to_fit();
        self.asserts.shrink_to_fit();
        self.checks.shrink_to_fit();
    }
}

/// `return value`, or `assert value`.
#[derive(Debug, Clone)]
pub struct Return {
    /// The value.
    pub value: Option<ExprId>,
    /// Where it begins.
    pub at: u32,
    /// Under which branches it stands.
    pub path: PathId,
}

/// Index of a path in its file; 0 is under no branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PathId(pub u32);

/// A place under an arm of a branch.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The path to the branch.
    pub outer: PathId,
    /// The branch.
    pub branch: u32,
    /// Its arm.
    pub arm: u32,
}

/// What decides which arm runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fork {
    /// `if`: the tests.
    If,
    /// A loop: how often it runs is not known.
    Loop,
    /// The `else` of a loop with a `break`: whether it runs is as little known.
    Rest,
    /// `try` or `match`: not known.
    Other,
}

impl Fork {
    /// Whether it is not known how often it runs.
    pub const fn loops(self) -> bool {
        matches!(self, Self::Loop | Self::Rest)
    }
}

/// A statement with arms of which one runs.
#[derive(Debug, Clone)]
pub struct Branch {
    /// What decides.
    pub fork: Fork,
    /// Where it stands.
    pub span: Span,
    /// The path to it.
    pub path: PathId,
    /// Its arms.
    pub arms: ThinVec<Arm>,
    /// The scope that it stands in.
    pub scope: ScopeId,
    /// What a loop goes through.
    pub of: Option<ExprId>,
    /// How rounds of a loop end before their time.
    pub leaves: Leaves,
}

/// How rounds of a loop end before their time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Leaves {
    /// There is a `break`: which round was the last one is not known.
    pub breaks: bool,
    /// There is a `break` or a `return`: later rounds may never come.
    pub early: bool,
    /// There is a `continue`: what stands behind it may not run in a round.
    pub skips: bool,
}

/// An arm of a branch.
#[derive(Debug, Clone)]
pub struct Arm {
    /// When it runs, if none before it does; nothing for `else`.
    pub test: Option<ExprId>,
    /// Where it stands.
    pub span: Span,
    /// Whether what follows the branch never runs after it.
    pub ends: bool,
    /// Whether it calls something that may raise for all that is known.
    pub may: bool,
}

/// A scope.
#[derive(Debug, Clone)]
pub struct Scope {
    /// What it is.
    pub kind: Kind,
    /// The one around it.
    pub parent: Option<ScopeId>,
    /// Where it stands.
    pub span: Span,
    /// Names that it binds, at each place.
    pub names: super::bound::Names,
}

/// `self.name = value` in a method, or `other.name = value`.
#[derive(Debug, Clone)]
pub struct Store {
    /// The attribute.
    pub name: Name,
    /// What is stored, if that is one expression.
    pub value: Option<ExprId>,
    /// Which part of that.
    pub part: ThinVec<usize>,
    /// From where on it holds.
    pub from: u32,
    /// Under which branches of its scope it stands.
    pub path: PathId,
    /// Where names of the value are looked up.
    pub scope: ScopeId,
    /// The class of the method, where it is stored in its first parameter.
    pub class: Option<ScopeId>,
    /// What it is stored in.
    pub of: ExprId,
}

/// Attributes of names that are computed are stored in something: `setattr(of, name, value)`, `vars(of)`.
#[derive(Debug, Clone, Copy)]
pub struct Set {
    /// In what.
    pub of: ExprId,
    /// The name; nothing for any.
    pub name: Option<ExprId>,
    /// Where names are looked up.
    pub scope: ScopeId,
}

/// A list that has a name gets more items: `name.append(value)`, `name += values`.
#[derive(Debug, Clone)]
pub struct Growth {
    /// Its name.
    pub name: Name,
    /// Where that stands.
    pub at: u32,
    /// The item, or what has the items.
    pub value: ExprId,
    /// Whether it has them.
    pub many: bool,
    /// Where names are looked up.
    pub scope: ScopeId,
}

/// `name: type` in a `@cute.struct`.
#[derive(Debug, Clone)]
pub struct Field {
    /// The scope of the class.
    pub class: ScopeId,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub kind: ExprId,
    /// Under which branches of the class it stands.
    pub path: PathId,
}

/// `from module import *`.
#[derive(Debug, Clone)]
pub struct Star {
    /// The module.
    pub from: Name,
    /// Where.
    pub span: Span,
    /// Under which branches it stands.
    pub path: PathId,
    /// Libraries of which everything comes with it, since that file takes them whole.
    pub through: Vec<Name>,
}

/// What a name, one thing that it is bound to, a scope, a name that is bound elsewhere, an attribute and a branch cost about in
/// expressions of 24 bytes.
const NAME: usize = 4;
const BINDING: usize = 2;
const SCOPE: usize = 6;
const MOVED: usize = 2;
const STORE: usize = 3;
const BRANCH: usize = 2;

/// A file.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing that some statement of the file does")]
pub struct Module {
    /// Index of the source.
    pub file: usize,
    /// Expressions with their places.
    pub exprs: Vec<(Expr, Span)>,
    /// Scopes, a parent before its children.
    pub scopes: Vec<Scope>,
    /// Calls that matter and the scopes around them, in the order of the text.
    pub calls: Vec<(ExprId, ScopeId)>,
    /// Attributes that are stored.
    pub stores: Vec<Store>,
    /// Statements with arms.
    pub branches: Vec<Branch>,
    /// Places under them; path `n` is the item before it.
    pub paths: Vec<Step>,
    /// Names that are bound from elsewhere: `global`, `nonlocal`, or in text that was not read.
    pub moved: HashSet<Name>,
    /// Whether an item of what may be a list changes: `x.append(…)`, `x[0] = …`. No list that has a name is a constant then, whichever it is.
    pub changes: bool,
    /// Whether a dictionary or a set may get other items: `x.update(…)`.
    pub updates: bool,
    /// Whether functions of the file may be found by names that are computed: `globals()[name]`, `sys.modules[__name__]`.
    pub looked_up: bool,
    /// Whether names of the file are bound by what is computed: `globals()[name] = …`, `exec(…)`.
    pub rebinds: bool,
    /// Modules of which everything is imported.
    pub stars: Vec<Star>,
    /// Whether attributes are set by names that are computed, or code runs that is text.
    pub reflects: bool,
    /// Whether code runs that is text.
    pub executes: bool,
    /// Whether it may have to do with CuTe's DSL.
    pub dsl: bool,
    /// Names that are handed on as values, where they may be functions or classes.
    pub mentioned: super::mentioned::Mentioned,
    /// Attributes that are, and those that get a name within a function.
    pub handed: Vec<super::mentioned::Handed>,
    /// Scopes in which an object of the class around is made, whichever that is, and whether that is `cls(…)`.
    pub remakes: Vec<(ScopeId, bool)>,
    /// Attributes that are set by names that are computed.
    pub sets: Vec<Set>,
    /// Lists that get more items.
    pub grown: Vec<Growth>,
    /// Fields of classes that say how arrays lie in memory.
    pub declared: Vec<Field>,
    /// Places that the grammar could not read.
    pub errors: usize,
    /// Layouts in them.
    pub in_errors: usize,
    /// Blocks in which something is to be refused: `with pytest.raises(…)`.
    pub raises: Vec<Span>,
    /// Bodies of a `try` that goes on where something in it is refused.
    pub tries: Vec<Span>,
    /// Blocks in which something is, if a name of the file stands for that: `with expects_error():`.
    pub perhaps: Vec<(Span, Name)>,
    /// Names that are replaced while a test runs.
    pub patched: super::patches::Patched,
    /// Why it was not looked into, if so.
    pub gave_up: Option<&'static str>,
}

impl Module {
    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        static OTHER: Expr = Expr::Other;
        self.exprs.get(id.index()).map_or(&OTHER, |(expr, _)| expr)
    }

    /// The name that `a.b.c` begins with.
    pub fn root(&self, of: ExprId) -> Option<&Name> {
        let mut of = of;
        loop {
            match self.expr(of) {
                Expr::Attribute(inner, _) => of = *inner,
                Expr::Name(name) => return Some(name),
                _ => return None,
            }
        }
    }

    /// Where it stands.
    pub fn span(&self, id: ExprId) -> Span {
        self.exprs.get(id.index()).map_or_else(Span::default, |(_, span)| *span)
    }

    /// The branches around a place, the innermost first.
    pub fn steps(&self, path: PathId) -> impl Iterator<Item = Step> + '_ {
        let mut at = path;
        std::iter::from_fn(move || {
            let step = self.paths.get((at.0 as usize).checked_sub(1)?).copied()?;
            at = step.outer;
            Some(step)
        })
    }

    /// A branch.
    pub fn branch(&self, id: u32) -> Option<&Branch> {
        self.branches.get(id as usize)
    }

    /// A scope.
    pub fn scope(&self, id: ScopeId) -> Option<&Scope> {
        self.scopes.get(id.0 as usize)
    }

    /// What is kept of it, in expressions: what binds a name, or is bound in text that was not read, is kept beside them.
    pub fn weight(&self) -> usize {
        let bound: usize =
            self.scopes.iter().flat_map(|scope| scope.names.values()).map(|all| NAME + BINDING * all.len()).sum();
        let scopes = SCOPE * self.scopes.len();
        let stored = STORE * (self.stores.len() + self.grown.len() + self.declared.len())
            + BRANCH * self.branches.len()
            + self.sets.len();
        self.exprs.len() + bound + scopes + MOVED * self.moved.len() + stored
    }

    /// Changes all ids of expressions.
    pub fn each_id(&mut self, change: &mut impl FnMut(&mut ExprId)) {
        self.exprs.iter_mut().for_each(|(expr, _)| expr.each_id(change));
        self.calls.iter_mut().for_each(|(call, _)| change(call));
        for set in &mut self.sets {
            change(&mut set.of);
            set.name.iter_mut().for_each(&mut *change);
        }
        self.grown.iter_mut().for_each(|grown| change(&mut grown.value));
        self.declared.iter_mut().for_each(|field| change(&mut field.kind));
        self.handed.iter_mut().for_each(|handed| change(&mut handed.of));
        for store in &mut self.stores {
            change(&mut store.of);
            store.value.iter_mut().for_each(&mut *change);
        }
        self.branches.iter_mut().filter_map(|branch| branch.of.as_mut()).for_each(&mut *change);
        let arms = self.branches.iter_mut().flat_map(|branch| &mut branch.arms);
        arms.filter_map(|arm| arm.test.as_mut()).for_each(&mut *change);
        for scope in &mut self.scopes {
            match &mut scope.kind {
                Kind::Class { bases, decorators, .. } => {
                    bases.iter_mut().flatten().chain(decorators).for_each(&mut *change);
                }
                Kind::Function(function) | Kind::Lambda(function) => {
                    let (decorators, defaults) = (function.decorators.iter_mut(), function.defaults.iter_mut());
                    decorators.chain(defaults.flatten()).for_each(&mut *change);
                    function.kinds.iter_mut().flatten().for_each(&mut *change);
                    let said = function.returns.iter_mut().chain(&mut function.asserts).chain(&mut function.checks);
                    said.filter_map(|one| one.value.as_mut()).for_each(&mut *change);
                }
                Kind::Module | Kind::Inner => {}
            }
            for binding in scope.names.each_mut() {
                if let Bound::Value(value, _) | Bound::Part(value, _) | Bound::Each(value, _) = &mut binding.bound {
                    change(value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_much_of_is_small() {
        assert_eq!(size_of::<(Expr, Span)>(), 24);
        assert_eq!(size_of::<Argument>(), 16);
        assert_eq!(size_of::<Binding>(), 32);
        assert_eq!(size_of::<Option<ExprId>>(), 4);
        assert_eq!(size_of::<Arm>(), 16);
        assert_eq!(size_of::<Branch>(), 32);
        assert_eq!(size_of::<Store>(), 48);
        assert_eq!(size_of::<Scope>(), 128);
    }

    #[test]
    fn ids_say_which_expression_they_are_of() {
        assert_eq!([0, 1, u32::MAX - 2].map(|id| ExprId::new(id).index()), [0, 1, u32::MAX as usize - 2]);
        assert_eq!([u32::MAX - 1, u32::MAX].map(ExprId::new), [ExprId::NONE; 2]);
    }

    #[test]
    fn parts_and_ids_are_the_same() {
        let id = ExprId::new;
        let name: Name = "a".into();
        let arguments = [1, 2].map(|value| Argument { name: None, value: id(value) });
        for mut expr in [
            Expr::Attribute(id(0), name.clone()),
            Expr::Starred(id(0)),
            Expr::Negative(id(0)),
            Expr::Backwards(id(0)),
            Expr::Complement(id(0)),
            Expr::Not(id(0)),
            Expr::Call(id(0), arguments.into()),
            Expr::Tuple([id(0), id(1), id(2)].into(), false),
            Expr::Joined([id(0), id(1)].into()),
            Expr::Item(id(0), id(1)),
            Expr::Binary(Op::Add, id(0), id(1)),
            Expr::Within(id(0), id(1), true),
            Expr::Dict([(id(0), id(1)), (id(2), id(3))].into()),
            Expr::Comprehension(Box::new(Comprehension {
                item: id(0),
                key: Some(id(2)),
                of: id(1),
                tests: [id(3), id(4)].into(),
                scope: MODULE,
            })),
            Expr::Slice(id(0), Some(id(1)), Some(id(2))),
            Expr::Slice(id(0), None, Some(id(1))),
            Expr::Choice { test: id(0), yes: id(1), no: id(2) },
            Expr::Name(name),
            Expr::Other,
        ] {
            let (mut parts, mut ids) = (Vec::new(), Vec::new());
            expr.each_part(&mut |part| parts.push(part));
            expr.each_id(&mut |id| ids.push(*id));
            assert_eq!(parts, ids, "{expr:?}");
            assert_eq!(parts, (0..).map(id).take(parts.len()).collect::<Vec<_>>(), "{expr:?}");
        }
    }
}
