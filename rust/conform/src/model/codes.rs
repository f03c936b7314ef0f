//! The order in which codes are told.

/// The codes in the order of the protocol's table.
const ORDER: [&str; 14] = [
    "too_large",
    "parse",
    "unknown_op",
    "arity",
    "incongruent",
    "extent",
    "stride",
    "overflow",
    "out_of_domain",
    "not_divisible",
    "carries",
    "not_injective",
    "not_contiguous",
    "internal",
];

fn rank(code: &str) -> usize {
    ORDER.iter().position(|known| *known == code).unwrap_or(ORDER.len())
}

/// The codes in the order in which they are reported, each once.
pub(crate) fn in_order(mut codes: Vec<&'static str>) -> Vec<&'static str> {
    codes.sort_by_key(|code| rank(code));
    codes.dedup();
    codes
}
