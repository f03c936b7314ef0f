//! Layouts.

pub(super) mod alignment;
pub(super) mod basic;
pub(super) mod coalesce;
pub(super) mod common;
pub(super) mod compact;
pub(super) mod complement;
pub(super) mod composition;
pub(super) mod distribute;
pub(super) mod divide;
pub(super) mod filter;
pub(super) mod find;
pub(super) mod injective;
pub(super) mod inverse;
pub(super) mod modes;
pub(super) mod ordered;
pub(super) mod partition;
pub(super) mod product;
pub(super) mod recast;
pub(super) mod slice;
pub(super) mod sort;
pub(super) mod with_shape;
pub(super) mod zip;
