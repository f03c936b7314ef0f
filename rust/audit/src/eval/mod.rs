//! The third stage: from expressions to constants.
//!
//! [`Program`] merges the names of all files; [`Evaluator`] looks names up and computes. It recurses only to a fixed depth and
//! takes only so many steps a question, so that no source can make it hang.
//!
//! ```text
//! reason ─► copies ─► texts ─► program ─► measure ─► value ─► constants ─► builtin ─► tuples ─► algebra ─► swizzled ─► tiled ─► evaluator ─► listed ─► instances
//!                                  └────► specialize ──────────────────────────────────────────┘
//! ```

mod algebra;
mod builtin;
mod constants;
mod copies;
mod evaluator;
mod instances;
mod listed;
mod measure;
mod program;
mod reason;
mod rest;
mod specialize;
mod swizzled;
mod texts;
mod tiled;
mod tuples;
mod value;
mod whole;
mod widths;

pub use constants::is_integer_type;
pub use copies::vendored;
pub use evaluator::{Context, Evaluator, layout_of};
pub use instances::{Answer, Answers, Index, Instances, MAX_INSTANCES, PASSES, Template};
pub use measure::Measure;
pub use program::{BodyRef, DeclRef, Definitions, Namespace, Program};
pub use reason::{Reason, Resolved, Unresolved};
pub use rest::with_rest;
pub use swizzled::{Swizzled, swizzle_of, width};
pub use tiled::{TiledCopy as Tiled, TiledMma, atom_of_mma, threads_of_mma};
pub use value::{Bindings, Constant, Frame, Leaf, Named, Number, Numbers, Order, Parts, Tuple, Value};
pub(crate) use widths::bits;
