//! Nested tuples read from JSON, with integers of any size.

use num_bigint::BigInt;
use serde_json::Value;

/// A nested tuple of integers and `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// an integer
    Int(BigInt),
    /// `null`, CuTe's `_`
    Keep,
    /// a tuple
    Node(Vec<Tree>),
}

/// Why a JSON value is no nested tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// nested more than 64 deep
    TooDeep,
    /// something that is neither an integer, nor null, nor a list
    NotATuple,
}

/// The deepest tuple that the protocol takes.
pub const MAX_DEPTH: usize = 64;

/// An integer as the protocol writes it: digits, perhaps a sign; no fraction, no exponent.
pub fn read_int(value: &Value) -> Option<BigInt> {
    let Value::Number(number) = value else { return None };
    let text = number.to_string();
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

impl Tree {
    /// Reads a nested tuple.
    ///
    /// # Errors
    /// [`ReadError`] when the value is something else, or nested more than [`MAX_DEPTH`] deep.
    pub fn read(value: &Value) -> Result<Tree, ReadError> {
        Self::read_at(value, MAX_DEPTH)
    }

    fn read_at(value: &Value, room: usize) -> Result<Tree, ReadError> {
        match value {
            Value::Null => Ok(Tree::Keep),
            Value::Array(items) => {
                if room == 0 {
                    return Err(ReadError::TooDeep);
                }
                let modes = items.iter().map(|item| Self::read_at(item, room - 1)).collect::<Result<_, _>>()?;
                Ok(Tree::Node(modes))
            }
            other => read_int(other).map(Tree::Int).ok_or(ReadError::NotATuple),
        }
    }

    /// The leaves from left to right.
    pub fn leaves(&self) -> Vec<&Tree> {
        match self {
            Tree::Node(modes) => modes.iter().flat_map(Tree::leaves).collect(),
            leaf => vec![leaf],
        }
    }

    /// The integers from left to right; `_` is left out.
    pub fn ints(&self) -> Vec<&BigInt> {
        self.leaves().into_iter().filter_map(|leaf| if let Tree::Int(n) = leaf { Some(n) } else { None }).collect()
    }

    /// Whether `_` occurs.
    pub fn has_keep(&self) -> bool {
        self.leaves().contains(&&Tree::Keep)
    }

    /// Number of top-level modes, 1 for a leaf.
    pub fn rank(&self) -> usize {
        if let Tree::Node(modes) = self { modes.len() } else { 1 }
    }

    /// 0 for a leaf, else one more than the deepest mode.
    pub fn depth(&self) -> usize {
        if let Tree::Node(modes) = self { 1 + modes.iter().map(Tree::depth).max().unwrap_or(0) } else { 0 }
    }

    /// Same nesting.
    pub fn congruent(&self, other: &Tree) -> bool {
        match (self, other) {
            (Tree::Node(a), Tree::Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.congruent(b)),
            (Tree::Node(_), _) | (_, Tree::Node(_)) => false,
            _ => true,
        }
    }

    /// The nesting of `self` is a coarsening of the other's: a leaf stands for anything.
    pub fn weakly_congruent(&self, other: &Tree) -> bool {
        match (self, other) {
            (Tree::Node(a), Tree::Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.weakly_congruent(b)),
            (Tree::Node(_), _) => false,
            _ => true,
        }
    }

    /// The same nesting with other values, taken from an iterator in order.
    #[must_use]
    pub fn refill(&self, values: &mut impl Iterator<Item = BigInt>) -> Tree {
        match self {
            Tree::Node(modes) => Tree::Node(modes.iter().map(|mode| mode.refill(values)).collect()),
            _ => Tree::Int(values.next().unwrap_or_default()),
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        match self {
            Tree::Int(n) => int_json(n),
            Tree::Keep => Value::Null,
            Tree::Node(modes) => Value::Array(modes.iter().map(Tree::to_json).collect()),
        }
    }
}

/// An integer of any size as a JSON number.
pub fn int_json(n: &BigInt) -> Value {
    n.to_string().parse::<serde_json::Number>().map_or(Value::Null, Value::Number)
}
