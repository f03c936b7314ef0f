//! The GPU layout algebra: shapes, strides and what can be done with them.
//!
//! A [`Layout`] `shape:stride` is a function from coordinates to offsets. It is CuTe's, and so is the notation.
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

mod coord;
mod error;
mod inline;
mod int_tuple;
mod layout;
mod notation;

pub use coord::Coord;
pub use error::{Error, ErrorKind, Result};
pub use int_tuple::{HTuple, HTupleBuilder, IntTuple, Literal, MAX_DEPTH, Profile, Shape};
pub use layout::{Called, Extended, Injectivity, Layout, Mode, Offsets, Tiler, find_modes};
