//! The rows of the table, concept by concept: what each operation takes, and the library function that answers it.

mod bank;
mod both;
mod category;
mod coord;
mod coordinates;
mod encodings;
mod int;
mod int_tuple;
mod iter_domain;
mod layout;
mod linear_layout;
mod relation;
mod swizzle;
mod swizzled;
mod tma;

use crate::answer::{Answer, Output};
use crate::table::{Op, Outcome};
pub use relation::index_code;

/// The rows, in no order.
pub(crate) const ROWS: &[(&str, &[Op])] = &[
    ("bank", bank::ROWS),
    ("category::fin", category::fin::ROWS),
    ("category::tuple", category::tuple::ROWS),
    ("category::nest", category::nest::ROWS),
    ("category::written", category::layouts::ROWS),
    ("coord", coord::ROWS),
    ("stride", coordinates::ROWS),
    ("int", int::ROWS),
    ("int_tuple", int_tuple::basic::ROWS),
    ("division", int_tuple::division::ROWS),
    ("int_tuple::product", int_tuple::product::ROWS),
    ("iter_domain", iter_domain::ROWS),
    ("alignment", layout::alignment::ROWS),
    ("layout", layout::basic::ROWS),
    ("coalesce", layout::coalesce::ROWS),
    ("common", layout::common::ROWS),
    ("compact", layout::compact::ROWS),
    ("complement", layout::complement::ROWS),
    ("composition", layout::composition::ROWS),
    ("distribute", layout::distribute::ROWS),
    ("divide", layout::divide::ROWS),
    ("filter", layout::filter::ROWS),
    ("find", layout::find::ROWS),
    ("injective", layout::injective::ROWS),
    ("inverse", layout::inverse::ROWS),
    ("modes", layout::modes::ROWS),
    ("ordered", layout::ordered::ROWS),
    ("partition", layout::partition::ROWS),
    ("product", layout::product::ROWS),
    ("recast", layout::recast::ROWS),
    ("slice", layout::slice::ROWS),
    ("sort", layout::sort::ROWS),
    ("with_shape", layout::with_shape::ROWS),
    ("zip", layout::zip::ROWS),
    ("encodings", encodings::ROWS),
    ("linear_layout", linear_layout::ROWS),
    ("relation", relation::ROWS),
    ("swizzle", swizzle::ROWS),
    ("swizzled", swizzled::ROWS),
    ("tma", tma::ROWS),
];

/// An answer without a field beside it.
#[expect(clippy::unnecessary_wraps, reason = "a row of the table answers with an outcome")]
fn answer(result: impl Into<Output>) -> Outcome {
    Ok(Answer::new(result))
}
