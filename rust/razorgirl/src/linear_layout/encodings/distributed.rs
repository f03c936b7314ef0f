//! Encodings of registers.

use super::{at, bits, check_order, check_rank, dim_name, fit, log, logs, spread, times};
use crate::error::{Error, ErrorKind, Result};
use crate::linear_layout::LinearLayout;
use crate::linear_layout::dimensions::{Dims, incongruent};
use alloc::{borrow::ToOwned, vec::Vec};

/// Registers, lanes and warps each in an order, before fitting; lanes and warps do not move in dimension `still`.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.blockedBase`
fn blocked_base(sizes: [&[u32]; 3], order: &[usize], still: Option<usize>) -> Result<LinearLayout> {
    let [registers, lanes, warps] = sizes;
    let base = times(&spread("register", registers, order, None)?, &spread("lane", lanes, order, still)?)?;
    times(&base, &spread("warp", warps, order, still)?)
}

/// Triton's blocked encoding. Where the shape is smaller than the tile of a thread, register bases become zero: Triton 3.6 to
/// 3.8 keep them (`keep_zero_bases`), Triton 3.9 removes them.
///
/// # Errors
/// [`ErrorKind::Extent`] for a size that is not a power of two, [`ErrorKind::Incongruent`] for lists of another rank than the
/// shape and an order that does not name each dimension once, [`ErrorKind::TooLarge`] for 64 bits and more.
///
/// ```
/// use razorgirl::linear_layout::encodings::blocked;
///
/// let layout = blocked(&[1, 4], &[8, 4], &[4, 1], &[1, 0], &[32, 16], false)?;
/// assert_eq!(layout.bases()[0].1, [[0, 1], [0, 2]]);
/// // a tensor with 2 columns: the second register basis of a thread is zero
/// let kept = blocked(&[1, 4], &[8, 4], &[4, 1], &[1, 0], &[32, 2], true)?;
/// assert_eq!(kept.bases()[0].1, [[0, 1], [0, 0]]);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.LinearLayout.Encoding.blocked`
pub fn blocked(
    size_per_thread: &[u64],
    threads_per_warp: &[u64],
    warps_per_cta: &[u64],
    order: &[usize],
    shape: &[u64],
    keep_zero_bases: bool,
) -> Result<LinearLayout> {
    let shape = logs(shape)?;
    let [a, b, c] = [logs(size_per_thread)?, logs(threads_per_warp)?, logs(warps_per_cta)?];
    for list in [&a, &b, &c] {
        check_rank(list, shape.len())?;
    }
    check_order(order, shape.len())?;
    let base = blocked_base([&a, &b, &c], order, None)?;
    let fitted = fit(&base, &shape)?;
    if !keep_zero_bases && fitted.ins().has("register") { fitted.remove_zero_bases("register") } else { Ok(fitted) }
}

/// The slice of a layout of registers along a dimension: that output is dropped, the later ones are renumbered, and
/// registers that no longer matter are dropped.
///
/// # Errors
/// [`ErrorKind::OutOfDomain`] where there is no such dimension.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.slice`
pub fn slice(parent: &LinearLayout, dim: usize) -> Result<LinearLayout> {
    let dropped = dim_name(dim);
    if !parent.outs().has(&dropped) {
        return Err(Error::new(ErrorKind::OutOfDomain, format!("there is no dimension {dim}"))
            .with_help("slice a dimension of the parent"));
    }
    let kept = parent.part(|_| true, |name| name != dropped);
    let outs = kept.outs().iter().enumerate().map(|(place, (_, bits))| (dim_name(place), bits)).collect();
    let renamed = LinearLayout::packed(kept.ins().clone(), Dims::of_bits(outs)?, kept.columns().to_vec());
    if renamed.ins().has("register") { renamed.remove_zero_bases("register") } else { Ok(renamed) }
}

/// The slice of a blocked encoding, of a tensor of this shape: the parent's shape has a 1 more, at `dim`.
///
/// # Errors
/// As [`blocked`] and [`slice`](fn@slice).
///
/// Lean: `Razorgirl.LinearLayout.Encoding.sliceBlocked`
pub fn slice_blocked(
    dim: usize,
    size_per_thread: &[u64],
    threads_per_warp: &[u64],
    warps_per_cta: &[u64],
    order: &[usize],
    shape: &[u64],
) -> Result<LinearLayout> {
    let (Some(before), Some(after)) = (shape.get(..dim), shape.get(dim..)) else {
        return Err(Error::new(ErrorKind::OutOfDomain, format!("there is no dimension {dim}"))
            .with_help(format!("use at most {}", shape.len())));
    };
    let whole = [before, &[1], after].concat();
    slice(&blocked(size_per_thread, threads_per_warp, warps_per_cta, order, &whole, false)?, dim)
}

/// One warp's tile of a matrix instruction with 2^`inner_bits` by 2^`outer_bits` elements in those dimensions: each lane has
/// 2^`width` adjacent elements, 4 lanes stand along the inner and 8 along the outer dimension, registers repeat that along
/// the outer and then the inner one.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.warpTile`
fn warp_tile(inner: usize, outer: usize, width: u32, inner_bits: u32, outer_bits: u32) -> Result<LinearLayout> {
    let parts = [
        bits("lane", inner, 2, false)?,
        bits("lane", outer, 3, false)?,
        bits("register", outer, outer_bits.saturating_sub(3), false)?,
        bits("register", inner, inner_bits.saturating_sub(2 + width), false)?,
    ];
    parts.iter().try_fold(bits("register", inner, width, false)?, |tile, part| times(&tile, part))
}

/// The shape of a matrix instruction, at least 8 by 8.
fn instruction(shape: &[u64], rank: usize) -> Result<Vec<u32>> {
    let shape = logs(shape)?;
    check_rank(&shape, rank)?;
    if at(&shape, 0) < 3 || at(&shape, 1) < 3 {
        return Err(Error::new(ErrorKind::Extent, "an instruction is at least 8 by 8")
            .with_help("give the shape of the instruction, M first"));
    }
    Ok(shape)
}

fn mma(warps_per_cta: &[u64], tile: &[u32], warp_order: &[usize], shape: &[u64]) -> Result<LinearLayout> {
    let (warps, shape) = (logs(warps_per_cta)?, logs(shape)?);
    check_rank(&warps, 2)?;
    check_rank(&shape, 2)?;
    let tile = warp_tile(1, 0, 1, at(tile, 1), at(tile, 0))?;
    fit(&times(&tile, &spread("warp", &warps, warp_order, None)?)?, &shape)
}

/// The accumulator of `mma` version 2, of a matrix.
///
/// # Errors
/// As [`blocked`]; [`ErrorKind::Extent`] for an instruction below 8 by 8.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.mmaV2`
pub fn mma_v2(warps_per_cta: &[u64], instr_shape: &[u64], shape: &[u64]) -> Result<LinearLayout> {
    mma(warps_per_cta, &instruction(instr_shape, 2)?, &[1, 0], shape)
}

/// The accumulator of `mma` version 3, of a matrix: warps go down the rows first. The instruction's shape is M, N, K.
///
/// # Errors
/// As [`mma_v2`].
///
/// Lean: `Razorgirl.LinearLayout.Encoding.mmaV3`
pub fn mma_v3(warps_per_cta: &[u64], instr_shape: &[u64], shape: &[u64]) -> Result<LinearLayout> {
    mma(warps_per_cta, &instruction(instr_shape, 3)?, &[0, 1], shape)
}

fn check_operand(op: usize, operands: usize) -> Result<()> {
    if op < operands {
        return Ok(());
    }
    let help = if operands == 1 { "only operand 0 is in registers" } else { "use 0 for A or 1 for B" };
    Err(Error::new(ErrorKind::OutOfDomain, format!("there is no operand {op}")).with_help(help))
}

/// A version of `mma` whose operands are in registers.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.MmaVersion`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MmaVersion {
    /// Ampere's: the instruction's shape is M, N, and warps go along the columns first.
    V2,
    /// Hopper's: the instruction's shape is M, N, K, and warps go down the rows first. Operand B is in shared memory.
    V3,
}

/// An operand of an `mma` with `k_width` adjacent elements along K in each lane: A (`op` 0) has K in dimension 1, B in
/// dimension 0. Warps along K see the same elements.
///
/// # Errors
/// As [`mma_v2`]; [`ErrorKind::OutOfDomain`] for an operand that the version does not hold in registers.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.dotMma`
pub fn dot_mma(
    version: MmaVersion,
    op: usize,
    k_width: u64,
    warps_per_cta: &[u64],
    instr_shape: &[u64],
    shape: &[u64],
) -> Result<LinearLayout> {
    let (rank, warp_order, operands) = match version {
        MmaVersion::V2 => (2, [1, 0], 2),
        MmaVersion::V3 => (3, [0, 1], 1),
    };
    check_operand(op, operands)?;
    let tile = instruction(instr_shape, rank)?;
    let (width, warps, shape) = (log(k_width)?, logs(warps_per_cta)?, logs(shape)?);
    check_rank(&warps, 2)?;
    check_rank(&shape, 2)?;
    let depth = width + if at(&tile, 0) == 3 { 2 } else { 3 };
    let tile = if op == 0 { warp_tile(1, 0, width, depth, at(&tile, 0))? } else { warp_tile(0, 1, width, depth, 3)? };
    fit(&times(&tile, &spread("warp", &warps, &warp_order, Some(1 - op))?)?, &shape)
}

/// An operand of a product by fused multiply-add over a blocked encoding: each thread has all of K.
///
/// # Errors
/// As [`blocked`]; [`ErrorKind::Incongruent`] for a tensor that is not a matrix, [`ErrorKind::OutOfDomain`] for an operand
/// other than 0 and 1.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.dotBlocked`
pub fn dot_blocked(
    op: usize,
    size_per_thread: &[u64],
    threads_per_warp: &[u64],
    warps_per_cta: &[u64],
    order: &[usize],
    shape: &[u64],
) -> Result<LinearLayout> {
    check_operand(op, 2)?;
    let [mut a, b, c, shape] = [logs(size_per_thread)?, logs(threads_per_warp)?, logs(warps_per_cta)?, logs(shape)?];
    for list in [&a, &b, &c, &shape] {
        check_rank(list, 2)?;
    }
    check_order(order, 2)?;
    let k = 1 - op;
    let whole = at(&shape, k);
    *a.get_mut(k).ok_or_else(|| incongruent("the tensor is no matrix".to_owned()))? = whole;
    fit(&blocked_base([&a, &b, &c], order, Some(k))?, &shape)
}
