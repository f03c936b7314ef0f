//! What a peer's documentation asks of its operands.

use crate::model::Layout;
use crate::model::find::{LIST, collision};
use num_bigint::BigInt;
use serde_json::Value;

/// What an operation asks of its first layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// no two coordinates share an offset
    Injective,
    /// every offset below the size is hit once
    Compact,
    /// no mode repeats an offset by a stride of 0
    NoStride0,
}

impl Condition {
    const ALL: [Condition; 3] = [Condition::Injective, Condition::Compact, Condition::NoStride0];
    /// How they are named in `hello`.
    pub const NAMES: [&'static str; 3] = ["injective", "compact", "no_stride_0"];

    /// The condition of this name.
    pub fn named(name: &str) -> Option<Condition> {
        Self::ALL.into_iter().find(|condition| condition.name() == name)
    }

    /// Its name in `hello`.
    pub fn name(self) -> &'static str {
        match self {
            Condition::Injective => Self::NAMES[0],
            Condition::Compact => Self::NAMES[1],
            Condition::NoStride0 => Self::NAMES[2],
        }
    }

    /// Why the request is excluded. A layout that is too large to tell is excluded too: nothing may be said of it.
    pub(super) fn excludes(self, request: &Value) -> Option<&'static str> {
        let args = request.get("args").and_then(Value::as_array)?;
        let layout = args.iter().find_map(|arg| Layout::read(arg).ok())?;
        let one = BigInt::from(1);
        let stays = |mode: &&crate::model::Mode| mode.extent > one && mode.stride < one;
        let repeats = || layout.size() > BigInt::from(LIST) || collision(&layout.offsets()).is_some();
        match self {
            Condition::Injective => repeats().then_some("not injective"),
            Condition::Compact => (layout.size() != layout.cosize() || repeats()).then_some("not compact"),
            Condition::NoStride0 => layout.modes().iter().any(stays).then_some("a stride of 0"),
        }
    }
}
