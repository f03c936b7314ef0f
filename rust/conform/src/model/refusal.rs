//! Why there is no answer.

use crate::tree::ReadError;

/// A refusal, by its code in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(pub &'static str);

/// A model function's result.
pub type Result<T> = std::result::Result<T, Refusal>;

/// The codes that a refusal may carry: several where only a large enumeration would tell them apart.
pub type Codes = &'static [&'static str];

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
        "no_layout" => &["no_layout"],
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
