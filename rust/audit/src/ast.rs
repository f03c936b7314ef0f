//! What is kept of a file: declarations, scopes, and the places where layouts are written. Expressions live in one vector per
//! file, so that nothing here recurses when it is dropped, however deeply the source nests.

use std::ops::{Deref, Range};
use std::sync::Arc;

use thin_vec::ThinVec;

/// A half-open range of bytes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range as a slice index.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether the other span lies inside this one.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A place in the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// Index of the unit.
    pub unit: u32,
    /// Where in its text.
    pub span: Span,
}

/// Index of an expression in its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExprId(pub u32);

/// Index of a scope in its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub u32);

/// Index of a declaration in its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclId(pub u32);

/// One part of a qualified name: `GMMA` or `ABLayout<64, 16>`.
#[derive(Debug, Clone)]
pub struct Segment {
    /// The identifier.
    pub name: Span,
    /// Template arguments, if any were written.
    pub args: Option<ThinVec<ExprId>>,
}

/// An integer, by its bytes: as a number it would make every expression twice as large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer([u8; 16]);

impl Integer {
    /// Of a value.
    pub const fn of(value: i128) -> Self {
        Self(value.to_ne_bytes())
    }

    /// The value.
    pub const fn get(self) -> i128 {
        i128::from_ne_bytes(self.0)
    }
}

/// A possibly qualified name.
#[derive(Debug, Clone)]
pub struct Path {
    /// Whether it begins with `::`.
    pub absolute: bool,
    /// At least one segment.
    pub segments: ThinVec<Segment>,
}

/// Operators of constant expressions.
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
    /// `%`
    Rem,
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
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
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
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// A type or value expression. C++ needs to tell the two apart; for constants it makes no difference, `Int<4>` and `Int<4>{}`
/// and `4` are all the number four.
#[derive(Debug, Clone)]
pub enum Expr {
    /// An integer, or `None` when it is no integer of 127 bits.
    Number(Option<Integer>),
    /// A name.
    Path(Path),
    /// `callee(args)`.
    Call(ExprId, ThinVec<ExprId>),
    /// `type{args}`.
    Construct(ExprId, ThinVec<ExprId>),
    /// `object.name` or `object.name<args>`.
    Member(ExprId, Segment),
    /// A prefix operator.
    Unary(Op, ExprId),
    /// An infix operator.
    Binary(Op, ExprId, ExprId),
    /// `condition ? yes : no`.
    Conditional(ExprId, ExprId, ExprId),
    /// `pack...`.
    Pack(ExprId),
    /// `sizeof(type)` or `sizeof(value)`.
    Sizeof(ExprId),
    /// The type `element[extent]`.
    Array(ExprId, ExprId),
    /// `{values}` without a type: several, or one with a name.
    List(ThinVec<ExprId>),
    /// `.name = value` in braces.
    Designated(Span, ExprId),
    /// `object[index]`.
    Element(ExprId, ExprId),
    /// Something the grammar could not read.
    Broken,
    /// Something that this crate does not evaluate.
    Opaque,
}

impl Expr {
    /// An integer.
    pub const fn number(value: i128) -> Self {
        Self::Number(Some(Integer::of(value)))
    }
}

/// A template parameter.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name; empty when it has none.
    pub name: Span,
    /// Whether it takes any number of arguments.
    pub pack: bool,
    /// Whether it is a value, not a type or a template.
    pub value: bool,
    /// Whether it is a `bool`, which has two values.
    pub boolean: bool,
    /// What it is when no argument is given.
    pub default: Option<ExprId>,
}

/// What a scope is.
#[derive(Debug, Clone)]
pub enum ScopeKind {
    /// The file, that is the global namespace.
    File,
    /// A namespace; no names for an anonymous one.
    Namespace(Vec<Span>),
    /// The inside of a class.
    Class(DeclId),
    /// The parameters of a template.
    Template(Vec<Param>),
    /// A function or a block, where a name is visible only after its declaration.
    Block,
}

/// A scope.
#[derive(Debug, Clone)]
pub struct Scope {
    /// What it is.
    pub kind: ScopeKind,
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// What is declared directly in it, in order.
    pub decls: Vec<DeclId>,
    /// `using namespace`, as written.
    pub using: Vec<Path>,
    /// The condition of an `if constexpr` under which it is compiled, or run, and what that must come to.
    pub guard: Option<(ExprId, bool)>,
    /// Whether that one stands before it and returns: what is here is compiled all the same.
    pub behind: bool,
}

/// What a declaration declares.
#[derive(Debug, Clone)]
pub enum DeclKind {
    /// `using X = …` or `typedef`.
    Alias(ExprId),
    /// A variable, parameter or enumerator.
    Variable {
        /// The type as written, unless `auto`.
        ty: Option<ExprId>,
        /// The initial value, if there is one.
        init: Option<ExprId>,
        /// `const` or `constexpr`; others can change at run time.
        constant: bool,
    },
    /// A variable whose value this crate cannot know.
    RunTime,
    /// A class or struct with a body.
    Class {
        /// The name with its arguments, as written.
        title: Span,
        /// The arguments of a specialisation; none for an ordinary class or a primary template.
        args: Option<ThinVec<ExprId>>,
        /// Base classes.
        bases: Vec<ExprId>,
        /// The scope of its members.
        members: ScopeId,
    },
    /// `namespace a = b;` or `using a::b;`: the name stands for that path.
    Renames(Path),
}

/// A declaration.
#[derive(Debug, Clone)]
pub struct Decl {
    /// The name.
    pub name: Span,
    /// The scope that declares it.
    pub home: ScopeId,
    /// The scope in which names used by the declaration are looked up: the template parameters if there are any.
    pub inside: ScopeId,
    /// Whether `inside` holds template parameters of this very declaration.
    pub templated: bool,
    /// Everything, from the first token to the last.
    pub span: Span,
    /// What it is.
    pub kind: DeclKind,
}

/// A variable or member that is an array, or refers to something of a class: `T name[N]`, `Storage& name`.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its declaration.
    pub decl: DeclId,
    /// The type of its elements, or of what it refers to; none for `auto` and for types of the language.
    pub ty: Option<ExprId>,
    /// The extents of an array; none of a reference.
    pub extents: Vec<ExprId>,
    /// The sum that a pointer is declared with, or a cast of one: `half_t* b = a + 64;`.
    pub sum: Option<ExprId>,
}

/// An alignment that a declaration computes: `alignas(sizeof(uint4))`.
#[derive(Debug, Clone, Copy)]
pub struct ComputedAlignment {
    /// The declaration.
    pub declaration: Span,
    /// What stands in the parentheses.
    pub inside: Span,
    /// That as an expression, in bytes.
    pub bytes: ExprId,
    /// Where its names are looked up.
    pub scope: ScopeId,
}

/// A function template.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// Its name.
    pub name: Span,
    /// The scope of its parameters; none when its body was not read.
    pub scope: Option<ScopeId>,
    /// The scope around it.
    pub around: ScopeId,
}

/// A kernel with `__launch_bounds__`.
#[derive(Debug, Clone, Copy)]
pub struct Launch {
    /// The most threads of a block.
    pub bound: ExprId,
    /// Where its names are looked up.
    pub scope: ScopeId,
    /// The whole function.
    pub function: Span,
}

/// A condition on the way to a statement.
#[derive(Debug, Clone, Copy)]
pub struct Guard {
    /// The condition.
    pub condition: ExprId,
    /// Where its names are looked up.
    pub scope: ScopeId,
    /// What it comes to where the statement is reached; none where that is not known.
    pub holds: Option<bool>,
    /// What kind of condition it is.
    pub kind: GuardKind,
}

/// How a condition decides whether a statement is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardKind {
    /// It decides alone.
    Test,
    /// It decides alone, and where it holds the function does nothing at all: `if (m == 0) return;` at its beginning.
    Leave,
    /// That of a loop: it may hold at first, and not later.
    Loop,
    /// What a function or macro is given that may end the function, or may not.
    Maybe,
    /// The call of a function that may end the program, or throw.
    Call,
    /// That of a `switch` has the value of a case: `a == b`, or several of these with `||`.
    Case,
}

/// A call of CuTe's `copy` with a tiled copy or an atom, in a function that partitions tensors.
#[derive(Debug, Clone)]
pub struct Copied {
    /// The function around it.
    pub function: Span,
    /// The tiled copy or the atom.
    pub by: ExprId,
    /// What is copied from and to.
    pub tensors: [ExprId; 2],
    /// The conditions on the way to it.
    pub guards: Vec<Guard>,
}

/// A kernel that is launched: `kernel<<<grid, block>>>(…)`, `cudaLaunchKernelEx(&config, kernel, …)`.
#[derive(Debug, Clone)]
pub struct Start {
    /// What is launched: its name, or that of a variable that is it.
    pub kernel: ExprId,
    /// What it is given.
    pub args: Vec<ExprId>,
    /// Whether it is given more, of which nothing is known.
    pub open: bool,
    /// The extents of a block, where they stand in the launch.
    pub block: Option<ExprId>,
    /// The bytes of dynamic shared memory, where they stand in the launch.
    pub shared: Option<ExprId>,
    /// Where names are looked up.
    pub scope: ScopeId,
    /// The function around it.
    pub function: Span,
    /// The conditions on the way to it.
    pub guards: Vec<Guard>,
}

/// A statement that gives a part of an object a value, and is reached whenever what comes after it in its block is: `p.ld = 1024;`,
/// `box[1] = 64;`, `box = {64, 64};`.
#[derive(Debug, Clone, Copy)]
pub struct Assigned {
    /// The part.
    pub target: Span,
    /// Its value.
    pub value: ExprId,
    /// Where names are looked up.
    pub scope: ScopeId,
    /// The block that it is a statement of.
    pub block: Span,
}

/// What may run more than once, or later than where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Repeated {
    /// All of it.
    pub span: Span,
    /// Whether it is a lambda, and no loop.
    pub lambda: bool,
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name; empty when it has none.
    pub name: Span,
    /// Its type as written, unless it is one of the language or `auto`.
    pub ty: Option<ExprId>,
    /// The text of the type.
    pub word: Span,
    /// Its value when no argument is given.
    pub default: Option<ExprId>,
    /// Whether it takes any number of arguments.
    pub pack: bool,
}

/// A `return`, and the conditions under which it is reached.
#[derive(Debug, Clone)]
pub struct Return {
    /// What is returned.
    pub expr: ExprId,
    /// Where its names are looked up.
    pub scope: ScopeId,
    /// Each condition, where its names are looked up, and what it must come to.
    pub when: Vec<(ExprId, ScopeId, bool)>,
}

/// A statement of a function that changes its variables. Where it is read bounds how deeply it nests.
#[derive(Debug, Clone)]
pub enum Step {
    /// Statements in braces.
    Block(Vec<Step>),
    /// `int name = value;`
    Declare {
        /// The variable.
        name: Span,
        /// The text of its type.
        word: Span,
        /// Its first value.
        value: Option<ExprId>,
    },
    /// `name = value`, `name += value`, `++name`.
    Assign {
        /// The variable.
        name: Span,
        /// What is done with the value before; none for `=`.
        op: Option<Op>,
        /// With what; none for the one of `++`.
        value: Option<ExprId>,
    },
    /// `if`.
    Branch {
        /// The condition.
        test: ExprId,
        /// What is done when it holds.
        yes: Vec<Step>,
        /// What is done when not.
        no: Vec<Step>,
    },
    /// `while` and `for`.
    Loop {
        /// The condition, if there is one.
        test: Option<ExprId>,
        /// What is repeated.
        body: Vec<Step>,
        /// What comes after each time.
        after: Vec<Step>,
    },
    /// `return value;`
    Return(ExprId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
}

/// A function with a body.
#[derive(Debug, Clone)]
pub struct Body {
    /// Its name.
    pub name: Span,
    /// The scope of its template parameters, if it has any.
    pub template: Option<ScopeId>,
    /// The scope that declares it.
    pub home: ScopeId,
    /// The scope of its parameters.
    pub scope: ScopeId,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// The text of the type that it returns.
    pub result: Span,
    /// The whole function.
    pub span: Span,
    /// What it returns, in order; none when that is more than declarations, conditions and returns tell.
    pub returns: Option<Vec<Return>>,
    /// Its statements, where `returns` does not tell and they are few and of kinds that can be run.
    pub steps: Option<Vec<Step>>,
}

impl Body {
    /// Whether a call with so many arguments may mean it.
    pub fn takes(&self, count: usize) -> bool {
        let optional = |param: &Parameter| param.default.is_some() || param.pack;
        let needed = self.params.iter().take_while(|param| !optional(param)).count();
        let packs = self.params.last().is_some_and(|param| param.pack);
        count >= needed && (packs || count <= self.params.len())
    }
}

/// A lambda that a macro instantiates for each of the values that the macro lists: `BOOL_SWITCH(flag, Flag, [&] { … })`.
#[derive(Debug, Clone, Copy)]
pub struct Switch {
    /// The name of the macro.
    pub name: Span,
    /// The scope of the one constant that it defines.
    pub scope: ScopeId,
}

/// How a layout was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Written {
    /// `Layout<…>`.
    Type,
    /// `make_layout(…)`.
    Call,
}

/// A place where a layout is written.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    /// The expression.
    pub expr: ExprId,
    /// Where its names are looked up.
    pub scope: ScopeId,
    /// How it was written.
    pub written: Written,
}

/// What was lost to syntax in one file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lost {
    /// ERROR and MISSING nodes.
    pub errors: usize,
    /// Layouts that stand loose inside an ERROR node.
    pub in_errors: usize,
    /// Layouts in text that is nested too deeply to be walked.
    pub too_deep: usize,
    /// Layouts in the body of a macro, which no grammar reads.
    pub in_macros: usize,
    /// Words that can make a layout, in a file that was not looked into.
    pub left_out: usize,
    /// Why the file was not looked into, if it was not.
    pub gave_up: Option<&'static str>,
}

/// A file, and everything kept of it; files of one text share that.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Index of the file.
    pub file: usize,
    content: Arc<Content>,
}

impl Deref for Unit {
    type Target = Content;

    fn deref(&self) -> &Content {
        &self.content
    }
}

impl Unit {
    /// A file and what is kept of it.
    pub fn new(file: usize, content: Content) -> Self {
        Self { file, content: Arc::new(content) }
    }

    /// A unit with nothing in it but the file's scope.
    pub fn empty(file: usize) -> Self {
        Self::new(file, Content::default())
    }

    /// A unit of a file that is not looked into.
    pub fn given_up(file: usize, why: &'static str) -> Self {
        Self::new(file, Content { lost: Lost { gave_up: Some(why), ..Lost::default() }, ..Content::default() })
    }

    /// The same of another file, which has the same text.
    #[must_use]
    pub fn of(&self, file: usize) -> Self {
        Self { file, content: self.content.clone() }
    }

    /// What tells the contents of two units apart while both are there.
    pub fn content(&self) -> usize {
        Arc::as_ptr(&self.content).addr()
    }

    /// Counts layouts that are left out.
    pub fn leave_out(&mut self, layouts: usize) {
        Arc::make_mut(&mut self.content).lost.left_out = layouts;
    }
}

/// Everything kept of one text.
#[derive(Debug, Clone)]
pub struct Content {
    /// Expressions and where they stand.
    pub exprs: Vec<(Expr, Span)>,
    /// Scopes; the first is the file.
    pub scopes: Vec<Scope>,
    /// Declarations.
    pub decls: Vec<Decl>,
    /// Layouts.
    pub uses: Vec<Use>,
    /// Arrays and references.
    pub stored: Vec<Stored>,
    /// Alignments that are computed.
    pub alignments: Vec<ComputedAlignment>,
    /// Function templates.
    pub functions: Vec<Function>,
    /// Arrays, and variables of type `dim3`, that are declared with a list of values.
    pub lists: Vec<(DeclId, Vec<ExprId>)>,
    /// Classes whose objects braces fill field by field, and their fields in order.
    pub fields: Vec<(DeclId, Vec<Span>)>,
    /// Statements that give a part of an object a value, in order.
    pub assigned: Vec<Assigned>,
    /// Loops and lambdas.
    pub repeated: Vec<Repeated>,
    /// Calls and types that may stand in a statement and say something about copies, and where their names are looked up.
    pub calls: Vec<(ExprId, ScopeId)>,
    /// Where tensors are partitioned, slices of threads are taken, tensors of shared memory are made and descriptors too, in order, and the
    /// conditions on the way there.
    pub ways: Vec<(u32, Vec<Guard>)>,
    /// Copies in the functions in which tensors are partitioned.
    pub copied: Vec<Copied>,
    /// Kernels whose blocks have a bound.
    pub launches: Vec<Launch>,
    /// Kernels that are launched.
    pub starts: Vec<Start>,
    /// Calls of functions that were asked for, and of those that make a descriptor of the copy engine. They have no block.
    pub passes: Vec<Start>,
    /// Functions whose bodies were read.
    pub bodies: Vec<Body>,
    /// Macros that list values.
    pub switches: Vec<Switch>,
    /// Templates with arguments in statements that were asked for, and where their names are looked up.
    pub mentions: Vec<(ExprId, ScopeId)>,
    /// What a `static_assert` demands, and where its names are looked up.
    pub asserts: Vec<(ExprId, ScopeId)>,
    /// What was lost.
    pub lost: Lost,
}

impl Default for Content {
    /// Nothing but the file's scope.
    fn default() -> Self {
        let root = Scope {
            kind: ScopeKind::File,
            parent: None,
            decls: Vec::new(),
            using: Vec::new(),
            guard: None,
            behind: false,
        };
        Self {
            exprs: Vec::new(),
            scopes: vec![root],
            decls: Vec::new(),
            uses: Vec::new(),
            stored: Vec::new(),
            alignments: Vec::new(),
            functions: Vec::new(),
            lists: Vec::new(),
            fields: Vec::new(),
            assigned: Vec::new(),
            repeated: Vec::new(),
            calls: Vec::new(),
            ways: Vec::new(),
            copied: Vec::new(),
            launches: Vec::new(),
            starts: Vec::new(),
            passes: Vec::new(),
            bodies: Vec::new(),
            switches: Vec::new(),
            mentions: Vec::new(),
            asserts: Vec::new(),
            lost: Lost::default(),
        }
    }
}

impl Content {
    /// An expression; ids come from this very unit.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize].0
    }

    /// Where an expression stands.
    pub fn span(&self, id: ExprId) -> Span {
        self.exprs[id.0 as usize].1
    }

    /// A scope.
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }

    /// A declaration.
    pub fn decl(&self, id: DeclId) -> &Decl {
        &self.decls[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_small() {
        assert!(size_of::<(Expr, Span)>() <= 32 && size_of::<Segment>() <= 16);
        for value in [0, 1, -1, i128::MAX, i128::MIN] {
            assert_eq!(Integer::of(value).get(), value);
        }
    }
}
