//! A layout of shared memory without conflicts for two patterns of access.
//!
//! Two patterns access elements of F2^d, each with its lanes, and with vectors that are nested. The layout has the vector
//! in the lowest bits, completes the banks by the second pattern, and fills the rest with a common complement of both
//! patterns: vectors outside of both, one after another. Such a vector always exists while both patterns span less than
//! everything: a unit vector outside the first, another outside the second, or their exclusive or.
//!
//! Columns stand lowest first here.

use super::linear::element;
use crate::error::{Error, ErrorKind, Result};
use crate::linear_layout::f2::{Eliminated, Span, apply};
use crate::linear_layout::{Dims, LinearLayout};
use alloc::{borrow::ToOwned, vec::Vec};

/// The highest unit vector below 2^d outside the span, or 0.
///
/// Lean: `Razorgirl.Bank.missing`
fn missing(span: &Span, d: u32) -> u64 {
    (0..d).rev().map(|bit| 1 << bit).find(|unit| !span.has(*unit)).unwrap_or(0)
}

/// A vector outside both spans.
///
/// Lean: `Razorgirl.Bank.outside`
fn outside(first: &Span, second: &Span, d: u32) -> u64 {
    let (one, other) = (missing(first, d), missing(second, d));
    if !second.has(one) {
        one
    } else if first.has(other) {
        one ^ other
    } else {
        other
    }
}

/// Unit vectors behind the columns, so many.
///
/// Lean: `Razorgirl.Bank.extend`
fn extend(columns: &mut Vec<u64>, d: u32, more: usize) {
    let mut span = Span::of(columns.iter());
    for _ in 0..more {
        let unit = missing(&span, d);
        span.add(unit);
        columns.push(unit);
    }
}

/// The columns that are independent of earlier ones, completed to `n`.
///
/// Lean: `Razorgirl.Bank.completed`
fn completed(columns: impl IntoIterator<Item = u64>, d: u32, n: usize) -> Vec<u64> {
    let mut span = Span::new();
    let mut kept: Vec<u64> = columns.into_iter().filter(|column| span.add(*column)).collect();
    let more = n.saturating_sub(kept.len());
    extend(&mut kept, d, more);
    kept
}

/// The layout of 2^d elements of which 2^k make 128 bytes: the vector lowest, then what completes the second pattern to k
/// bits, then the common complement.
///
/// Lean: `Razorgirl.Bank.optimal`
fn optimal(d: u32, k: u32, vector: &[u64], first: &[u64], second: &[u64]) -> Vec<u64> {
    let k = k.min(d);
    let full = |lanes: &[u64]| completed(vector.iter().chain(lanes).copied(), d, k as usize);
    let (a, mut columns) = (full(first), full(second));
    let (mut a, mut b) = (Span::of(&a), Span::of(&columns));
    for _ in 0..d - k {
        let next = outside(&a, &b, d);
        a.add(next);
        b.add(next);
        columns.push(next);
    }
    columns
}

/// The list without one copy of each of these.
///
/// Lean: `Razorgirl.Bank.removeAll`
fn without(list: &[u64], these: &[u64]) -> Vec<u64> {
    let mut left = list.to_vec();
    for one in these {
        if let Some(place) = left.iter().position(|entry| entry == one) {
            left.remove(place);
        }
    }
    left
}

/// The bases of an input over the given outputs.
fn over(layout: &LinearLayout, name: &str, outs: &Dims) -> Vec<u64> {
    layout.columns_at(name).iter().map(|column| layout.outs().repack(*column, outs)).collect()
}

/// A layout of shared memory, for elements of so many bits that are written in the layout `src` and read in the layout
/// `dst`, in which every access of either takes one wavefront a phase.
///
/// # Errors
/// [`ErrorKind::OutOfDomain`] for other elements than of 8, 16, 32, 64 or 128 bits and for more than one block,
/// [`ErrorKind::Incongruent`] where the outputs differ.
///
/// ```
/// use razorgirl::LinearLayout;
/// use razorgirl::bank::{linear_conflicts, optimal_swizzle};
///
/// let layout = |register: &[[u64; 2]], lane: &[[u64; 2]]| {
///     let rows = |at: &[[u64; 2]]| at.iter().map(|row| row.to_vec()).collect();
///     let bases = [("register".to_owned(), rows(register)), ("lane".to_owned(), rows(lane))];
///     LinearLayout::new(&bases, vec![("row".to_owned(), 32), ("column".to_owned(), 32)])
/// };
/// let units = |at: usize| [1, 2, 4, 8, 16].map(|x| if at == 0 { [x, 0] } else { [0, x] });
/// // a tile of 32 x 32 words is written by rows and read by columns
/// let (rows, columns) = (layout(&units(0), &units(1))?, layout(&units(1), &units(0))?);
/// let memory = optimal_swizzle(&rows, &columns, 32)?;
/// for pattern in [&rows, &columns] {
///     assert_eq!(linear_conflicts(pattern, &memory, 32)?.map(|found| found.wavefronts), Some(1));
/// }
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Bank.optimalSwizzle`
pub fn optimal_swizzle(src: &LinearLayout, dst: &LinearLayout, bits: u64) -> Result<LinearLayout> {
    let element = element(bits)?;
    if src.ins().bits("block") > 0 || dst.ins().bits("block") > 0 {
        return Err(Error::new(ErrorKind::OutOfDomain, "there is more than one block")
            .with_help("give the layouts of one block"));
    }
    let outs = src.outs();
    if !(outs.fits_names(dst.outs()) && dst.outs().fits_names(outs)) {
        return Err(Error::new(ErrorKind::Incongruent, "the outputs differ")
            .with_help("give both layouts output dimensions of the same names and sizes"));
    }
    let d = outs.total();
    let [registers, other_registers] = [src, dst].map(|layout| over(layout, "register", outs));
    let lanes = [src, dst].map(|layout| over(layout, "lane", outs));
    let warps = [src, dst].map(|layout| over(layout, "warp", outs));
    // each once, where it stands last
    let mut common: Vec<u64> = vec![];
    for column in registers.iter().rev().filter(|column| other_registers.contains(column)) {
        if !common.contains(column) {
            common.push(*column);
        }
    }
    common.reverse();
    let rest = |vector: &[u64]| -> Vec<u64> {
        let [a, b] = [&registers, &other_registers].map(|own| without(own, vector));
        let [lanes, other_lanes] = &lanes;
        let [warps, other_warps] = &warps;
        [&a[..], &b, lanes, warps, other_lanes, other_warps].concat()
    };
    // the widest vector that nothing else depends on
    let mut vector: &[u64] = &[];
    for (units, rank) in (1..=4 - element as usize).zip(1..) {
        let Some(candidate) = common.get(..units) else { break };
        let rest = rest(candidate);
        let mut span = Span::of(&rest);
        let alone = span.rank();
        for column in candidate {
            span.add(*column);
        }
        if span.rank() == alone + rank {
            vector = candidate;
        }
    }
    let units = u32::try_from(vector.len()).unwrap_or(4);
    let mut word = vector.to_vec();
    extend(&mut word, d, (2_u32.saturating_sub(element).min(d) as usize).saturating_sub(vector.len()));
    let phase = 5_usize.saturating_sub((element + units).saturating_sub(2) as usize);
    let [first, second] = lanes.each_ref().map(|lanes| lanes.get(..phase.min(lanes.len())).unwrap_or_default());
    let columns = optimal(d, 7 - element, &word, first, second);
    // no other column has a part in the vector, so that all other offsets are multiples of it
    let whole = Eliminated::of(&completed(vector.iter().copied().chain(rest(vector)), d, d as usize));
    let low = (1 << units) - 1;
    let clean = columns.iter().skip(vector.len()).map(|column| column ^ apply(vector, whole.reduce(*column).1 & low));
    let columns: Vec<u64> = vector.iter().copied().chain(clean).collect();
    let ins = Dims::of_bits(vec![("offset".to_owned(), d), ("block".to_owned(), 0)])?;
    Ok(LinearLayout::packed(ins, outs.clone(), columns))
}
