//! The algebra as plainly as it can be said: what every answer is measured against.
//!
//! Arbitrary-precision integers, nested trees, enumeration. Each operation follows the words of its definition in
//! `PROTOCOL.md`; where the library is clever (merging in one pass, deciding injectivity from strides), this is not.

pub mod algebra;
pub mod complement;
pub mod composition;
mod faults;
pub mod inverse;
mod layout;
pub(crate) mod ops;
pub mod structure;
pub mod tiling;

pub use faults::faults;
pub use layout::{Layout, Mode};
pub use ops::{Expected, expected};

use crate::tree::{ReadError, Tree};
use num_bigint::BigInt;
use serde_json::Value;

/// A refusal, by its code in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(pub &'static str);

/// A model function's result.
pub type Result<T> = std::result::Result<T, Refusal>;

/// The codes that a refusal may carry: several where only a large enumeration would tell them apart.
pub type Codes = &'static [&'static str];

/// A layout, or why there is none.
pub type Found = std::result::Result<Layout, Codes>;

/// What an operation by tiler makes of one mode; `Ok(None)` if that takes an enumeration that is too large.
pub type Split = std::result::Result<Option<Layout>, Codes>;

/// A code by itself.
pub(crate) fn alone(refusal: Refusal) -> Codes {
    match refusal.0 {
        "too_large" => &["too_large"],
        "incongruent" => &["incongruent"],
        "extent" => &["extent"],
        "stride" => &["stride"],
        "overflow" => OVERFLOW,
        "out_of_domain" => &["out_of_domain"],
        "not_divisible" => &["not_divisible"],
        "carries" => &["carries"],
        "not_injective" => &["not_injective"],
        "not_contiguous" => &["not_contiguous"],
        _ => &["parse"],
    }
}

pub(crate) const OVERFLOW: Codes = &["overflow"];

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Refusal(match error {
            ReadError::TooDeep => "too_large",
            ReadError::NotATuple => "parse",
        })
    }
}

/// 2^64: no size or cosize reaches it.
pub fn limit() -> BigInt {
    BigInt::from(1u8) << 64
}

/// Reads a tuple without `_`.
pub(crate) fn read_ints(value: &Value) -> Result<Tree> {
    let tree = Tree::read(value)?;
    if tree.has_keep() { Err(Refusal("parse")) } else { Ok(tree) }
}

/// A shape: extents at least 1, size below 2^64.
pub(crate) fn check_shape(tree: Tree) -> Result<Tree> {
    if tree.ints().iter().any(|&n| *n < BigInt::from(1)) {
        return Err(Refusal("extent"));
    }
    if size(&tree) >= limit() { Err(Refusal("overflow")) } else { Ok(tree) }
}

/// The product of the leaves.
pub(crate) fn size(tree: &Tree) -> BigInt {
    tree.ints().into_iter().product()
}
