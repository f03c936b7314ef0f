//! What an answer has to be.

use serde_json::Value;

/// What an answer has to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// exactly this result, up to strides under extents of 1
    Value(Value),
    /// exactly this result, strides under extents of 1 included
    Exactly(Value),
    /// exactly this result, and these fields beside it
    With(Value, Vec<(&'static str, Value)>),
    /// a refusal with this code
    Refused(&'static str),
    /// a refusal with one of these codes: which one, an enumeration would have to tell that is too large
    RefusedAs(&'static [&'static str]),
    /// too large for the model to enumerate; nothing is expected
    Unjudged,
}
