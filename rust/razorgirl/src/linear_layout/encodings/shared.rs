//! Encodings of shared memory.

use super::{at, bits, check_order, check_rank, dim_name, dims_of, fit, log, logs, spread, times};
use crate::error::{Error, ErrorKind, Result};
use crate::linear_layout::LinearLayout;
use crate::linear_layout::dimensions::{Dims, mask};
use alloc::{borrow::ToOwned, string::String, vec::Vec};

/// An offset layout over a row and a column dimension: columns 1, 2, 4, … and then rows 1, 2, 4, … with a column part.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.rowsOf`
fn rows_of(
    (row, rows): (usize, u32),
    (column, columns): (usize, u32),
    part: impl Fn(u64) -> u64,
) -> Result<LinearLayout> {
    let ins = Dims::of_bits(vec![("offset".to_owned(), rows + columns)])?;
    let outs = Dims::of_bits(vec![(dim_name(row), rows), (dim_name(column), columns)])?;
    let packed = (0..columns).map(|bit| 1 << (rows + bit)).chain((0..rows).map(|bit| {
        let own = 1 << bit;
        own | part(own) << rows
    }));
    Ok(LinearLayout::packed(ins, outs, packed.collect()))
}

/// Triton's swizzled shared memory: in row r the column is exclusive-ored with `vec * (r / per_phase mod max_phase)`, modulo
/// the columns. Columns are the first dimension of the order, rows the second.
///
/// # Errors
/// As [`blocked`](super::blocked).
///
/// ```
/// use razorgirl::linear_layout::encodings::swizzled_shared;
///
/// let layout = swizzled_shared(1, 1, 4, &[1, 0], &[4, 4])?;
/// assert_eq!(layout.bases()[0].1, [[0, 1], [0, 2], [1, 1], [2, 2]]);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.LinearLayout.Encoding.swizzledShared`
pub fn swizzled_shared(
    vec: u64,
    per_phase: u64,
    max_phase: u64,
    order: &[usize],
    shape: &[u64],
) -> Result<LinearLayout> {
    let shape = logs(shape)?;
    let [vec, per_phase, max_phase] = [log(vec)?, log(per_phase)?, log(max_phase)?];
    check_order(order, shape.len())?;
    // no side has more
    dims_of(&shape)?;
    let [column, row, rest @ ..] = order else { return fit(&spread("offset", &shape, order, None)?, &shape) };
    let (columns, rows) = (at(&shape, *column), at(&shape, *row));
    let part = |own: u64| (own >> per_phase & mask(max_phase)).checked_shl(vec).unwrap_or(0) & mask(columns);
    let swizzled = rows_of((*row, rows), (*column, columns), part)?;
    fit(&times(&swizzled, &spread("offset", &shape, rest, None)?)?, &shape)
}

/// NVIDIA's shared memory for matrix instructions, of a matrix of elements of `element_bits` bits, rows swizzled over
/// `swizzle_bytes` bytes (0: not). None where the matrix is smaller than 8 rows of the swizzle.
///
/// The box that TMA copies has at most 256 rows and, swizzled, the width of the swizzle; it repeats over the matrix.
///
/// # Errors
/// [`ErrorKind::OutOfDomain`] for another swizzle than 0, 32, 64 and 128 or other elements than of 8, 16 and 32 bits,
/// [`ErrorKind::Extent`] for a size that is not a power of two, [`ErrorKind::Incongruent`] for a tensor that is not a matrix.
///
/// Lean: `Razorgirl.LinearLayout.Encoding.nvmmaShared`
pub fn nvmma_shared(
    swizzle_bytes: u64,
    element_bits: u64,
    transposed: bool,
    shape: &[u64],
) -> Result<Option<LinearLayout>> {
    let unknown = |what: String, help: &str| Error::new(ErrorKind::OutOfDomain, what).with_help(help);
    if ![0, 32, 64, 128].contains(&swizzle_bytes) {
        return Err(unknown(format!("there is no swizzle of {swizzle_bytes} bytes"), "use 0, 32, 64 or 128"));
    }
    if ![8, 16, 32].contains(&element_bits) {
        return Err(unknown(format!("there are no elements of {element_bits} bits"), "use 8, 16 or 32"));
    }
    let shape = logs(shape)?;
    check_rank(&shape, 2)?;
    let (row, column) = if transposed { (1, 0) } else { (0, 1) };
    let (rows, columns) = (at(&shape, row), at(&shape, column));
    if swizzle_bytes == 0 {
        let part = |dim, size: u32| bits("offset", dim, size.min(8), false);
        let boxed = times(&part(column, columns)?, &part(row, rows)?)?;
        // boxes repeat along the last dimension first, transposed or not
        return Ok(Some(fit(&boxed.transpose_outs(&[dim_name(1), dim_name(0)])?, &shape)?));
    }
    let tile = (8 * swizzle_bytes / element_bits).ilog2();
    if rows < 3 || columns < tile {
        return Ok(None);
    }
    let part = |own: u64| 128 / element_bits * (own / (128 / swizzle_bytes) % (swizzle_bytes / 16));
    let core = rows_of((row, 3), (column, tile), part)?;
    let boxed = times(&core, &bits("offset", row, rows.min(8) - 3, false)?)?;
    let names: Vec<String> = dims_of(&shape)?.names().map(str::to_owned).collect();
    Ok(Some(fit(&boxed.transpose_outs(&names)?, &shape)?))
}
