//! The GPU layout algebra: shapes, strides and what can be done with them.
//!
//! A [`Layout`] `shape:stride` is a function from coordinates to offsets. It is CuTe's, and so are the notation and the
//! names of the operations.
//!
//! ```
//! use razorgirl::Layout;
//!
//! let layout: Layout = "(2,(1,6)):(1,(6,2))".parse()?;
//! assert_eq!(layout.size(), 12);
//! assert_eq!(layout.at(5)?, 5);
//! assert_eq!(layout.coalesce().to_string(), "12:1");
//! # Ok::<(), razorgirl::Error>(())
//! ```
//!
//! # What can be relied on
//!
//! - A layout is checked where it is built: nesting, extents of at least 1, size and cosize below 2^64. After that every
//!   number that is computed from it fits, so no operation wraps and none panics.
//! - An operation that may refuse returns a [`Result`]; its [`Error`] names the mode and the numbers. Nothing is padded,
//!   clamped or grown past its domain instead. In particular an index or a coordinate outside of the shape is an error,
//!   where CuTe lets the last mode grow.
//! - A bare integer and the tuple of one integer are different, as in CuTe: `8` has depth 0, `(8)` depth 1.
//! - The stride of a mode of extent 1 has no meaning and is kept as 0, so that equal functions do not differ in it.
//! - Up to 8 leaves nothing is allocated, and nested forms are views of one flat list of [`Mode`]s.
//!
//! Where an item has a line `Lean: …`, that is the definition of which the properties are proved; the operation is
//! compared with it.
//!
//! # Features
//!
//! - `serde` (off): layouts, shapes, tuples, coordinates, profiles and tilers as their JSON form in the protocol.
//!
//! Without the standard library: `alloc` is all that is needed.

#![no_std]

// vec! and format! everywhere
#[macro_use]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod any_layout;
pub mod bank;
pub mod category;
mod coord;
mod error;
mod inline;
pub mod int;
mod int_tuple;
pub mod iter_domain;
mod layout;
pub mod linear_layout;
mod notation;
pub mod relation;
#[cfg(feature = "serde")]
mod serde;
mod stride;
mod suggestion;
mod swizzle;
pub mod tma;

#[cfg(feature = "plain")]
#[doc(hidden)]
pub use layout::plain;

pub use any_layout::AnyLayout;
pub use coord::Coord;
pub use error::{Error, ErrorKind, Result, Witness};
pub use int_tuple::{HTuple, HTupleBuilder, IntTuple, Literal, MAX_DEPTH, MAX_MODES, Nested, Profile, Shape};
pub use layout::{
    AsTiler, CallResult, CeilDivided, CeilPart, Extended, Injectivity, Layout, LayoutAndOffset, Mode, Offsets,
    SignedLayout, ThreadValue, Tiler, find_modes,
};
pub use linear_layout::LinearLayout;
pub use stride::{Basis, CoordCallResult, CoordLayout, MAX_AXES};
pub use suggestion::{Argument, Replacement, Suggestion};
pub use swizzle::{Plain, Swizzle, SwizzledLayout};

// The examples of the README are tested as the documentation is.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// The repository's README shows the library too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct RepositoryReadme;
