//! Shared memory in CuTe's DSL: what lies where, and what copies it.
//!
//! `storage` says how arrays lie in a `@cute.struct` and what `SmemAllocator` gives, `tensors` what is made of a pointer and a layout,
//! `copies` what a slice of a tiled copy takes of a tensor, `overhang` what of its tile lies behind that. `facts` keeps what the rules ask about, `launched` the block of a launch beside
//! the slices that its kernel takes (`slices`), and `reached` whether a statement surely runs.
//!
//! Each figure is the DSL's own (nvidia-cutlass-dsl 4.8.1): a swizzle of a layout counts elements, and one of a pointer counts bytes.

mod copies;
mod facts;
mod launched;
mod overhang;
mod reached;
mod sized;
mod slices;
mod storage;
mod tensors;

use std::rc::Rc;

use razorgirl::{Layout, Swizzle, SwizzledLayout};

use super::tree::Module;
use super::value::Home;
use crate::ast::Site;
use crate::eval::Unresolved;

pub use copies::moves_matrices;
pub use facts::Placed;
pub(super) use reached::ByThreads;
pub use storage::{array, is_block, of_type};

/// Something of shared memory, or what copies it.
#[derive(Debug, Clone, PartialEq)]
pub enum Memory {
    /// `SmemAllocator()`.
    Allocator,
    /// `MemRange[T, n]`, also within `Align[…]`: a type.
    Range(Range),
    /// An object of a `@cute.struct`, and the bytes to which its block is aligned.
    Block(Home, u64),
    /// A `MemRange` of such an object.
    Array(Rc<Room>, Rc<str>),
    /// A pointer.
    Pointer(Pointer),
    /// A tensor.
    Tensor(Rc<Tensor>),
    /// An atom of `ldmatrix`, by the bits of an element, or of `stmatrix`, which writes.
    Matrices(u64, bool),
    /// A tiled copy, or a thread's slice of one.
    Copy(Rc<TiledCopy>),
    /// What a slice partitions: the copy, the tensor, and whether it is the source.
    Part(Rc<TiledCopy>, Rc<Tensor>, bool),
}

/// A type that is known at run time only: that of a tensor which a host passes.
const OPEN: &str = "?";

/// An array of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The type of an element, or [`OPEN`].
    element: Rc<str>,
    /// How many.
    count: u64,
    /// Bytes to which it is aligned, where `Align[…]` says so.
    align: Option<u64>,
}

/// Where an array lies in shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// Where that is said.
    declared: Site,
    /// The type of an element, or [`OPEN`], and how many.
    element: Rc<str>,
    count: u64,
    /// From its first bit to the end of its block; nothing where that is not known.
    rest: Option<u64>,
    /// Bytes to which it is surely aligned, and those of its block, where something says so.
    align: Option<(u64, u64)>,
    /// The field that it is.
    field: Option<Rc<str>>,
}

/// A pointer to shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// The type that it points to.
    element: Rc<str>,
    /// What is done to the bytes of an address; whether a helper for the instructions that read so made it.
    swizzle: Option<(Swizzle, bool)>,
    /// The array that it points into; nothing where it may point elsewhere.
    room: Option<Rc<Room>>,
    /// How many bits behind the beginning of that.
    begin: u64,
}

/// A tensor in shared memory.
#[derive(Debug, PartialEq, Eq)]
pub struct Tensor {
    /// The type of an element.
    element: Rc<str>,
    /// Bits of an element; 0 where that is not known.
    bits: u64,
    /// Where elements lie, counted in elements.
    layout: SwizzledLayout,
    /// The swizzle of its pointer.
    pointer: Option<(Swizzle, bool)>,
    /// The array that it lies in.
    room: Option<Rc<Room>>,
    /// How many elements behind the beginning of that.
    begin: u64,
    /// Whether that was made for it, by its `cosize`.
    own: bool,
}

/// A tiled copy.
#[derive(Debug, PartialEq, Eq)]
pub struct TiledCopy {
    /// What copies.
    atom: Atom,
    /// (thread, value) to the element of the tile, counted column-major, and the extents of the tile; nothing where these are an MMA's.
    tiled: Option<(Layout, Vec<u64>)>,
    /// Its threads.
    threads: u64,
}

/// What a tiled copy copies with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Atom {
    /// Vectors: their bits, those of an element, and whether it is `cp.async`.
    Vectors(u64, u64, bool),
    /// `ldmatrix`, by the bits of an element, or `stmatrix`, which writes.
    Matrices(u64, bool),
    /// Anything else.
    Other,
    /// It is not known, and why.
    Unknown(Unresolved),
}

/// Whether calls of this name are looked at, in a file that has the DSL.
pub fn is_looked_at(name: &str) -> bool {
    matches!(
        name,
        "allocate_array"
            | "allocate_tensor"
            | "get_slice"
            | "get_tensor"
            | "launch"
            | "local_partition"
            | "make_tensor"
            | "partition_D"
            | "partition_S"
    )
}

/// Whether it is a copy by what it is given, which says how a partition is used.
pub fn is_copy(name: &str, arguments: usize) -> bool {
    name == "copy" && arguments > 2
}

/// Whether a file may have to do with the DSL.
pub fn has_dsl(module: &Module) -> bool {
    let dsl = |path: &str| path == "cutlass" || path.starts_with("cutlass.");
    let imports = module
        .scopes
        .iter()
        .flat_map(|scope| scope.names.values())
        .flatten()
        .any(|one| one.bound.imported().is_some_and(|path| dsl(path)));
    imports || module.stars.iter().any(|star| dsl(&star.from))
}

/// What a function of the DSL makes, where that is about memory or a tiled copy of it.
pub fn made(name: &str, arguments: &super::cute::Arguments<'_>) -> Option<crate::eval::Resolved<super::value::Value>> {
    copies::made(name, arguments).or_else(|| tensors::made_by(name, arguments))
}
