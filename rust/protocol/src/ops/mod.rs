//! The rows of the table, concept by concept: what each operation takes, and the library function that answers it.

mod both;
mod coord;
mod int;
mod int_tuple;
mod iter_domain;
mod layout;
mod tma;

use crate::answer::{Answer, Output};
use crate::table::{Op, Outcome};

/// The rows, in no order.
pub(crate) const ROWS: &[&[Op]] = &[
    coord::ROWS,
    int::ROWS,
    int_tuple::basic::ROWS,
    int_tuple::division::ROWS,
    int_tuple::product::ROWS,
    iter_domain::ROWS,
    layout::alignment::ROWS,
    layout::basic::ROWS,
    layout::coalesce::ROWS,
    layout::common::ROWS,
    layout::compact::ROWS,
    layout::complement::ROWS,
    layout::composition::ROWS,
    layout::distribute::ROWS,
    layout::divide::ROWS,
    layout::filter::ROWS,
    layout::find::ROWS,
    layout::injective::ROWS,
    layout::inverse::ROWS,
    layout::modes::ROWS,
    layout::ordered::ROWS,
    layout::partition::ROWS,
    layout::product::ROWS,
    layout::recast::ROWS,
    layout::slice::ROWS,
    layout::sort::ROWS,
    layout::with_shape::ROWS,
    layout::zip::ROWS,
    tma::ROWS,
];

/// An answer without a field beside it.
fn answer(result: impl Into<Output>) -> Outcome {
    Ok(Answer::new(result))
}
