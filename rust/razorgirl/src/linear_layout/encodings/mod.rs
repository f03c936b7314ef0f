//! Triton's encodings as linear layouts.
//!
//! How blocked, sliced, matrix and shared encodings of one CTA place a tensor. Every size is a power of two; the
//! parameters are those of Triton, in its order. A distributed encoding takes `register`, `lane`, `warp` and `block` to the
//! dimensions of the tensor, `dim0`, `dim1`, …; a shared one takes `offset` and `block` there. `block` has one value.
//!
//! A layout is first built from the parameters by products, then *fitted* to the shape of the tensor: identity bases of
//! the first input repeat what is too small, and components that leave the shape become 0, which is a broadcast.
//!
//! ```
//! use razorgirl::linear_layout::encodings;
//!
//! // the accumulator of one warp's mma.m16n8 on 16 x 16 elements
//! let layout = encodings::mma_v2(&[1, 1], &[16, 8], &[16, 16])?;
//! assert_eq!(layout.bases()[0].1, [[0, 1], [8, 0], [0, 8]]);
//! # Ok::<(), razorgirl::Error>(())
//! ```

use alloc::{borrow::ToOwned, string::String, vec::Vec};

mod distributed;
mod shared;

pub use distributed::{MmaVersion, blocked, dot_blocked, dot_mma, mma_v2, mma_v3, slice, slice_blocked};
pub use shared::{nvmma_shared, swizzled_shared};

use super::LinearLayout;
use super::dimensions::{Dims, exponent, incongruent};
use crate::error::Result;

/// The name of a dimension of the tensor.
fn dim_name(dim: usize) -> String {
    format!("dim{dim}")
}

/// The exponents of sizes.
fn logs(sizes: &[u64]) -> Result<Vec<u32>> {
    sizes.iter().map(|size| log(*size)).collect()
}

fn log(size: u64) -> Result<u32> {
    exponent(size, || "a size".to_owned())
}

/// Checks that a list has as many entries as the tensor has dimensions.
fn check_rank(list: &[u32], rank: usize) -> Result<()> {
    if list.len() == rank {
        return Ok(());
    }
    Err(incongruent(format!("a list has {} entries, but must have {rank}", list.len()))
        .with_help("give one entry for each dimension"))
}

/// Checks that an order names each dimension once.
fn check_order(order: &[usize], rank: usize) -> Result<()> {
    let mut named = vec![false; rank];
    let once = |dim: &usize| named.get_mut(*dim).is_some_and(|named| !core::mem::replace(named, true));
    if order.len() == rank && order.iter().all(once) {
        return Ok(());
    }
    Err(incongruent(format!("the order does not name each of {rank} dimensions once"))
        .with_help("list 0, 1, … in some order, the fastest first"))
}

fn at(list: &[u32], place: usize) -> u32 {
    list.get(place).copied().unwrap_or(0)
}

/// Lean: `Razorgirl.LinearLayout.Encoding.dimsOf`
fn dims_of(shape: &[u32]) -> Result<Dims> {
    Dims::of_bits(shape.iter().enumerate().map(|(dim, bits)| (dim_name(dim), *bits)).collect())
}

/// So many bits of an input that count in a dimension, or that change nothing there.
fn bits(input: &str, dim: usize, count: u32, still: bool) -> Result<LinearLayout> {
    let ins = Dims::of_bits(vec![(input.to_owned(), count)])?;
    let outs = Dims::of_bits(vec![(dim_name(dim), if still { 0 } else { count })])?;
    let columns = (0..count).map(|bit| if still { 0 } else { 1 << bit }).collect();
    Ok(LinearLayout::packed(ins, outs, columns))
}

/// The product, with the dimensions of the first in its order and then the others: Triton multiplies layouts here whose
/// dimensions are in another order.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.times`
fn times(low: &LinearLayout, high: &LinearLayout) -> Result<LinearLayout> {
    let order = |low: &Dims, high: &Dims| -> Vec<String> {
        let shared = low.names().filter(|name| high.has(name));
        shared.chain(high.names().filter(|name| !low.has(name))).map(str::to_owned).collect()
    };
    let high = high.transpose_ins(&order(low.ins(), high.ins()))?;
    low.product(&high.transpose_outs(&order(low.outs(), high.outs()))?)
}

/// An input counts through the dimensions in this order, each as far as its size; it does not move in dimension `still`.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.spread`
fn spread(input: &str, sizes: &[u32], order: &[usize], still: Option<usize>) -> Result<LinearLayout> {
    order.iter().try_fold(LinearLayout::empty(), |layout, dim| {
        times(&layout, &bits(input, *dim, at(sizes, *dim), still == Some(*dim))?)
    })
}

/// A layout fitted to a shape, its outputs in the order of the shape, and `block` as last input.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.fit`
fn fit(layout: &LinearLayout, shape: &[u32]) -> Result<LinearLayout> {
    let dims = dims_of(shape)?;
    let names: Vec<String> = dims.names().map(str::to_owned).collect();
    let fitted = layout.ensure_not_smaller(&dims)?.ensure_not_larger(&dims, true)?.transpose_outs(&names)?;
    let ins = fitted.ins().iter().map(|(name, bits)| (name.to_owned(), bits));
    let ins = Dims::of_bits(ins.chain([("block".to_owned(), 0)]).collect())?;
    Ok(LinearLayout::packed(ins, fitted.outs().clone(), fitted.columns().to_vec()))
}
