//! Reads PTX as compilers print it.
//!
//! Everything has a place. What the reader does not know stays an instruction with its opcode and operands; whoever
//! evaluates it takes its results as unknown. Linear time; nothing recurses deeper than [`MOST_DEPTH`].

mod decl;
pub(crate) use decl::type_bytes;
mod lex;
mod parse;
mod token;

pub use parse::read;
use std::fmt;

/// The deepest nesting of braces and operands.
pub(crate) const MOST_DEPTH: usize = 64;

/// A line and a column, from 1; 0 where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line of the PTX text.
    pub line: u32,
    /// Column, in bytes.
    pub column: u32,
}

/// Why a text was not read: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Where it is.
    pub at: Place,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Error {
    pub(crate) fn new(at: Place, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}; {}", self.at.line, self.at.column, self.message, self.help)
    }
}

impl std::error::Error for Error {}

/// A register of a kernel, numbered from 0 in the order of its first mention.
pub type Register = u32;

/// An operand as it is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// `%r1`, `%p`, or `_`'s place is [`Operand::Sink`].
    Register(Register),
    /// `%tid.x` and other registers that are not declared.
    Special(String),
    /// `42`, `-1` as its 64 bits.
    Integer(u64),
    /// `0f3F800000`: bits that no address uses.
    Float(u64),
    /// A variable, label or function.
    Name(String),
    /// `name+16`.
    Sum(Box<Operand>, i64),
    /// `{%r1, %r2}` or `(…)` of a call.
    List(Vec<Operand>),
    /// `[%r1+16]`, and what stands behind a comma in it.
    Address(Box<Operand>, i64, Vec<Operand>),
    /// `!%p`.
    Not(Box<Operand>),
    /// `%p|%q`.
    Pair(Box<Operand>, Box<Operand>),
    /// `_`.
    Sink,
    /// What is written in no way known.
    Unknown,
}

/// A step of the source behind an instruction, as `.loc` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The number of the file.
    pub file: u32,
    /// Its line, from 1.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The label of the function's name in `.debug_str`, for what was inlined.
    pub function: Option<String>,
    /// The frame that this was inlined into: its number in [`Kernel::frames`].
    pub inlined_at: Option<u32>,
}

/// One instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// Where it stands.
    pub at: Place,
    /// `ld` of `ld.global.v4.f32`.
    pub op: String,
    /// The other parts.
    pub suffixes: Vec<String>,
    /// The predicate that guards it, and whether it is negated.
    pub guard: Option<(Register, bool)>,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// For a branch: the instructions that it may go to.
    pub targets: Vec<u32>,
    /// Its frame in [`Kernel::frames`].
    pub frame: Option<u32>,
}

impl Instruction {
    /// Whether it has this suffix.
    pub fn has(&self, suffix: &str) -> bool {
        self.suffixes.iter().any(|x| x == suffix)
    }
}

/// A variable: of shared, global, constant or local memory, or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub at: Place,
    /// `shared`, `global`, `const`, `local`, `param`.
    pub space: String,
    /// What its address is a multiple of, at least.
    pub align: u64,
    /// Bytes; none for an array of no size.
    pub bytes: Option<u64>,
    /// For a parameter that is a pointer: what it points to is a multiple of this.
    pub pointee_align: Option<u64>,
    /// Bytes of an element.
    pub element: u64,
}

/// A kernel or function with a body.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kernel {
    /// The name as the linker has it.
    pub name: String,
    /// Where it is.
    pub at: Place,
    /// `.entry`, not `.func`.
    pub entry: bool,
    /// Parameters in order.
    pub params: Vec<Variable>,
    /// Variables that its body declares.
    pub variables: Vec<Variable>,
    /// `.reqntid`.
    pub required: Option<[u32; 3]>,
    /// `.maxntid`.
    pub most: Option<[u32; 3]>,
    /// Names of registers.
    pub registers: Vec<String>,
    /// All instructions in order.
    pub code: Vec<Instruction>,
    /// Source frames.
    pub frames: Vec<Frame>,
}

/// A PTX file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// `.version`.
    pub version: String,
    /// `.target`.
    pub target: String,
    /// Names of source files by number.
    pub files: std::collections::BTreeMap<u32, String>,
    /// Variables of the module.
    pub variables: Vec<Variable>,
    /// Functions with a body, in order.
    pub kernels: Vec<Kernel>,
    /// Strings of `.debug_str` by label: names of inlined functions.
    pub strings: std::collections::BTreeMap<String, String>,
}
