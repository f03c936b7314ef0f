//! What the definition says of a request, whatever is asked.

use super::expected::Expected;
use super::refusal::Refusal;
use super::{bank, basic, category, concepts, coordinates, maps, relation, swizzled, tiles};
use serde_json::Value;

/// What the definition says of a request; `complete` asks for whatever exists, by enumeration.
pub fn expected(op: &str, args: &[Value], complete: bool) -> Expected {
    if maps::NAMES.contains(&op) {
        return maps::expected(op, args, complete);
    }
    if tiles::NAMES.contains(&op) {
        return tiles::expected(op, args, complete);
    }
    if bank::NAMES.contains(&op) {
        return bank::expected(op, args);
    }
    if swizzled::NAMES.contains(&op) {
        return swizzled::expected(op, args);
    }
    if coordinates::NAMES.contains(&op) {
        return coordinates::expected(op, args);
    }
    if relation::NAMES.contains(&op) {
        return relation::expected(op, args);
    }
    if category::has(op) {
        return category::expected(op, args);
    }
    if concepts::has(op) {
        return concepts::expected(op, args, complete);
    }
    match basic::run(op, args) {
        Ok(Some(value)) => Expected::Value(value),
        Ok(None) => Expected::Unjudged,
        Err(Refusal(code)) => Expected::Refused(code),
    }
}

/// Whether the operation makes layouts of layouts by composition: other implementations nest its answers otherwise.
pub fn composes(op: &str) -> bool {
    maps::NAMES.contains(&op) || tiles::NAMES.contains(&op)
}
