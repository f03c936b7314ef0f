//! Layouts as trees of modes.

use super::refusal::{Codes, Refusal, Result};
use super::shape::{limit, read_ints, size};
use crate::tree::{Tree, int_json};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// A layout, or why there is none.
pub type Found = std::result::Result<Layout, Codes>;

/// What an operation by tiler makes of one mode; `Ok(None)` if that takes an enumeration that is too large.
pub type Split = std::result::Result<Option<Layout>, Codes>;

/// One mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// number of coordinates, at least 1
    pub extent: BigInt,
    /// offset between neighbours, at least 0
    pub stride: BigInt,
}

/// A layout as a tree with a mode at each leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// one mode
    Leaf(Mode),
    /// a tuple of layouts
    Node(Vec<Layout>),
}

/// An object with a field that none of these names is not understood.
///
/// # Errors
/// `parse`
pub(crate) fn only(value: &Value, names: &[&str]) -> Result<()> {
    let known = value.as_object().is_none_or(|fields| fields.keys().all(|field| names.contains(&field.as_str())));
    if known { Ok(()) } else { Err(Refusal("parse")) }
}

fn zip(shape: &Tree, stride: &Tree) -> Option<Layout> {
    match (shape, stride) {
        (Tree::Int(extent), Tree::Int(stride)) => {
            Some(Layout::Leaf(Mode { extent: extent.clone(), stride: stride.clone() }))
        }
        (Tree::Node(s), Tree::Node(d)) if s.len() == d.len() => {
            s.iter().zip(d).map(|(s, d)| zip(s, d)).collect::<Option<_>>().map(Layout::Node)
        }
        _ => None,
    }
}

impl Layout {
    /// Reads `{"shape":S,"stride":D}`.
    ///
    /// # Errors
    /// The code that the protocol gives to what is wrong.
    pub fn read(value: &Value) -> Result<Layout> {
        Self::read_among(value, &["shape", "stride"])
    }

    /// Reads shape and stride of an object that has no fields but these.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn read_among(value: &Value, names: &[&str]) -> Result<Layout> {
        only(value, names)?;
        let (Some(shape), Some(stride)) = (value.get("shape"), value.get("stride")) else {
            return Err(Refusal("parse"));
        };
        Self::of(&read_ints(shape)?, &read_ints(stride)?)
    }

    /// The layout of a shape and strides.
    ///
    /// # Errors
    /// `incongruent`, `extent`, `stride` or `overflow`.
    pub fn of(shape: &Tree, stride: &Tree) -> Result<Layout> {
        Self::of_any_size(shape, stride)?.bounded()
    }

    /// Reads `{"shape":S,"stride":D}` from a peer that does not stop at 64 bits.
    ///
    /// # Errors
    /// As [`read`](Self::read), without `overflow`.
    pub fn read_any_size(value: &Value) -> Result<Layout> {
        let (Some(shape), Some(stride)) = (value.get("shape"), value.get("stride")) else {
            return Err(Refusal("parse"));
        };
        Self::of_any_size(&read_ints(shape)?, &read_ints(stride)?)
    }

    fn of_any_size(shape: &Tree, stride: &Tree) -> Result<Layout> {
        let mut layout = zip(shape, stride).ok_or(Refusal("incongruent"))?;
        if layout.modes().iter().any(|mode| mode.extent < BigInt::from(1)) {
            return Err(Refusal("extent"));
        }
        if layout.modes().iter().any(|mode| mode.stride < BigInt::from(0)) {
            return Err(Refusal("stride"));
        }
        layout.normalize();
        Ok(layout)
    }

    /// Itself, if size and cosize are below 2^64.
    ///
    /// # Errors
    /// `overflow` otherwise.
    pub fn bounded(self) -> Result<Layout> {
        if size(&self.shape()) >= limit() || self.cosize() >= limit() { Err(Refusal("overflow")) } else { Ok(self) }
    }

    /// Stride 0 at every mode of extent 1.
    pub fn normalize(&mut self) {
        match self {
            Layout::Leaf(mode) if mode.extent == BigInt::from(1) => mode.stride = BigInt::from(0),
            Layout::Leaf(_) => {}
            Layout::Node(modes) => modes.iter_mut().for_each(Layout::normalize),
        }
    }

    /// The modes from left to right.
    pub fn modes(&self) -> Vec<&Mode> {
        match self {
            Layout::Leaf(mode) => vec![mode],
            Layout::Node(modes) => modes.iter().flat_map(Layout::modes).collect(),
        }
    }

    /// The extents.
    pub fn shape(&self) -> Tree {
        match self {
            Layout::Leaf(mode) => Tree::Int(mode.extent.clone()),
            Layout::Node(modes) => Tree::Node(modes.iter().map(Layout::shape).collect()),
        }
    }

    /// The strides.
    pub fn stride(&self) -> Tree {
        match self {
            Layout::Leaf(mode) => Tree::Int(mode.stride.clone()),
            Layout::Node(modes) => Tree::Node(modes.iter().map(Layout::stride).collect()),
        }
    }

    /// The number of coordinates.
    pub fn size(&self) -> BigInt {
        size(&self.shape())
    }

    /// 1 + the largest offset, which is that of the last coordinate because no stride is negative.
    pub fn cosize(&self) -> BigInt {
        self.modes().iter().fold(BigInt::from(1), |sum, mode| sum + (&mode.extent - 1) * &mode.stride)
    }

    /// The offset of a linear index below the size.
    pub fn at(&self, index: &BigInt) -> BigInt {
        let mut rest = index.clone();
        let mut offset = BigInt::from(0);
        for mode in self.modes() {
            offset += (&rest % &mode.extent) * &mode.stride;
            rest /= &mode.extent;
        }
        offset
    }

    /// The same with one layout in place of each leaf, taken in order.
    #[must_use]
    pub fn with_leaves(&self, leaves: &mut impl Iterator<Item = Layout>) -> Layout {
        match self {
            Layout::Node(modes) => Layout::Node(modes.iter().map(|mode| mode.with_leaves(leaves)).collect()),
            leaf @ Layout::Leaf(_) => leaves.next().unwrap_or_else(|| leaf.clone()),
        }
    }

    /// The same nesting with other modes, taken in order.
    #[must_use]
    pub fn with_modes(&self, modes: Vec<Mode>) -> Layout {
        self.with_leaves(&mut modes.into_iter().map(Layout::Leaf))
    }

    /// The top-level modes; a leaf is its own only mode.
    pub fn top(&self) -> Vec<Layout> {
        if let Layout::Node(modes) = self { modes.clone() } else { vec![self.clone()] }
    }

    /// The layout of flat modes as coalescing nests it: `1:0`, a leaf, or a tuple of leaves.
    pub fn nest(mut modes: Vec<Mode>) -> Layout {
        match modes.len() {
            0 => Layout::Leaf(Mode { extent: BigInt::from(1), stride: BigInt::from(0) }),
            1 => Layout::Leaf(modes.remove(0)),
            _ => Layout::Node(modes.into_iter().map(Layout::Leaf).collect()),
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({"shape": self.shape().to_json(), "stride": self.stride().to_json()})
    }

    /// All offsets in linear order; only for layouts that are small enough to list.
    pub fn offsets(&self) -> Vec<BigInt> {
        let mut all = vec![BigInt::from(0)];
        for mode in self.modes() {
            let steps: u64 = mode.extent.to_string().parse().unwrap_or(0);
            all = (0..steps).flat_map(|k| all.iter().map(move |o| o + k * &mode.stride)).collect();
        }
        all
    }
}

/// A list of integers as JSON.
pub(super) fn ints_json(ints: &[BigInt]) -> Value {
    Value::Array(ints.iter().map(int_json).collect())
}
