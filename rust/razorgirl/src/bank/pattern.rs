//! Which elements of a tile the lanes of a warp access.

use crate::error::{Error, ErrorKind, Result};
use crate::layout::Layout;
use crate::swizzle::SwizzledLayout;
use alloc::vec::Vec;

use super::count::LANES;

/// How a warp goes over a tile of two modes, rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "there are a handful of patterns, never a list of them")]
pub enum Pattern {
    /// Lanes side by side along a row, then the next row.
    Row,
    /// Lanes one below the other along a column, then the next column.
    Column,
    /// `ldmatrix` and `stmatrix`: lanes give the addresses of 16 bytes, eight of them for each 8 x 8 matrix of 16 bits; four
    /// matrices, two below one another and two side by side. Rows of a matrix lie along the mode that is contiguous.
    Ldmatrix,
    /// A layout from (thread, value) to the index in the tile, as `make_layout_tv` answers.
    ThreadValue(Layout),
}

/// One instruction of one warp: an element for each lane, where its access begins.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Access {
    /// The index in the tile of the first element of each lane.
    pub lanes: Vec<u64>,
    /// The indices of the further elements of a lane are these more than the first, in order of address; the first is 0.
    steps: Steps,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Steps {
    /// So many elements, each so much more than the one before.
    Even { count: u64, step: u64 },
    /// The indices of all elements of each lane.
    Listed(Vec<Vec<u64>>),
}

/// Elements of a tile at most.
const MOST: u64 = 1 << 20;

impl Access {
    /// The indices in the tile of all elements of a lane, from 0; none for a lane that there is not.
    #[must_use]
    pub fn elements(&self, lane: usize) -> Vec<u64> {
        match (&self.steps, self.lanes.get(lane)) {
            (Steps::Even { count, step }, Some(first)) => (0..*count).map(|i| first + i * step).collect(),
            (Steps::Listed(all), _) => all.get(lane).cloned().unwrap_or_default(),
            (_, None) => Vec::new(),
        }
    }

    /// The byte address of each lane, for elements of `element` bytes in this layout.
    ///
    /// # Errors
    /// [`NotContiguous`](ErrorKind::NotContiguous) if the elements of a lane are not contiguous;
    /// [`NotDivisible`](ErrorKind::NotDivisible) when an address is not a multiple of the bytes of the access;
    /// [`Overflow`](ErrorKind::Overflow) from 2^64 on.
    pub fn addresses(&self, layout: &SwizzledLayout, element: u64) -> Result<Vec<u64>> {
        self.addresses_by(|index| layout.at(index), element)
    }

    /// The same where `at` says the offset of each index in the tile.
    pub(super) fn addresses_by(&self, at: impl Fn(u64) -> Result<u64>, element: u64) -> Result<Vec<u64>> {
        let mut addresses = Vec::with_capacity(self.lanes.len());
        for lane in 0..self.lanes.len() {
            let indices = self.elements(lane);
            let count = indices.len() as u64;
            let bytes = count.checked_mul(element).ok_or_else(|| beyond(count, element))?;
            let mut address = None;
            for (place, index) in (0..).zip(&indices) {
                let offset = at(*index)?;
                let byte = offset.checked_mul(element).ok_or_else(|| beyond(offset, element))?;
                let first = *address.get_or_insert(byte);
                if byte.checked_sub(first) != Some(place * element) {
                    return Err(Error::new(
                        ErrorKind::NotContiguous,
                        format!(
                            "lane {lane} accesses {} elements; element {place} has offset {offset}, but must have offset {}",
                            indices.len(),
                            u128::from(first / element) + u128::from(place),
                        ),
                    )
                    .with_help("let a lane access fewer bytes"));
                }
            }
            let address = address.unwrap_or_default();
            if bytes > 0 && !address.is_multiple_of(bytes) {
                return Err(Error::new(
                    ErrorKind::NotDivisible,
                    format!(
                        "lane {lane} accesses {bytes} bytes at byte {address}, which must be a multiple of {bytes}"
                    ),
                )
                .with_help("let a lane access fewer bytes, or pad by whole accesses"));
            }
            addresses.push(address);
        }
        Ok(addresses)
    }
}

fn beyond(offset: u64, element: u64) -> Error {
    Error::new(ErrorKind::Overflow, format!("offset {offset} of elements of {element} bytes is 2^64 or more"))
        .with_help("use a smaller layout")
}

impl Pattern {
    /// All accesses of a warp that together cover the tile once, or for a thread-value layout all accesses of all its
    /// warps; each lane accesses so many elements at a time.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) unless the tile has two modes; [`NotDivisible`](ErrorKind::NotDivisible)
    /// when it cannot be cut into accesses; [`OutOfDomain`](ErrorKind::OutOfDomain) when a thread-value layout reaches past
    /// the tile; [`TooLarge`](ErrorKind::TooLarge) above 2^20 elements.
    pub fn accesses(&self, layout: &SwizzledLayout, elements: u64) -> Result<Vec<Access>> {
        if layout.size() > MOST {
            let message = format!("{} elements are more than the {MOST} that are gone through", layout.size());
            return Err(Error::new(ErrorKind::TooLarge, message).with_help("ask about a smaller tile"));
        }
        match self {
            Self::ThreadValue(threads) => thread_value(threads, layout.size(), elements),
            _ => self.over(layout, elements),
        }
    }

    fn over(&self, layout: &SwizzledLayout, elements: u64) -> Result<Vec<Access>> {
        let inside = layout.layout();
        let sizes: Vec<u64> = inside.sublayouts().map(|mode| mode.size()).collect();
        let [rows, columns] = *sizes.as_slice() else {
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("{inside} has {} modes where a tile has rows and columns", sizes.len()),
            )
            .with_help("slice it, or give it two modes: ((2,4),8)"));
        };
        // A lane's elements lie along the mode that is contiguous; one element lies along either.
        let along_rows = elements > 1 && !along(layout, rows, columns, elements) && along_first(layout, rows, elements);
        let (high, wide) = if along_rows { (elements, 1) } else { (1, elements) };
        if !rows.is_multiple_of(high) || !columns.is_multiple_of(wide) {
            return Err(Error::new(
                ErrorKind::NotDivisible,
                format!("{elements} elements a lane do not divide the tile of {rows} by {columns}"),
            )
            .with_help("let a lane access fewer bytes"));
        }
        // the grid of what lanes access, and where each begins
        let (down, across) = (rows / high, columns / wide);
        let index = |i: u64, j: u64| i * high + j * wide * rows;
        let order: Vec<u64> = match self {
            Self::Row => (0..down).flat_map(|i| (0..across).map(move |j| index(i, j))).collect(),
            Self::Column => (0..across).flat_map(|j| (0..down).map(move |i| index(i, j))).collect(),
            // matrices of 8 along the mode across their rows, two by two
            _ if along_rows => matrices(across, down, |i, j| index(j, i))?,
            _ => matrices(down, across, index)?,
        };
        let steps = Steps::Even { count: elements, step: if along_rows { 1 } else { rows } };
        let lanes = usize::try_from(LANES).unwrap_or(32);
        Ok(order.chunks(lanes).map(|lanes| Access { lanes: lanes.to_vec(), steps: steps.clone() }).collect())
    }
}

/// Whether the first elements of the first row lie one behind the other.
fn along(layout: &SwizzledLayout, rows: u64, columns: u64, elements: u64) -> bool {
    elements <= columns && consecutive(layout, rows, elements)
}

/// Whether the first elements of the first column lie one behind the other.
fn along_first(layout: &SwizzledLayout, rows: u64, elements: u64) -> bool {
    elements <= rows && consecutive(layout, 1, elements)
}

fn consecutive(layout: &SwizzledLayout, step: u64, elements: u64) -> bool {
    let at = |i: u64| layout.at(i * step).ok();
    at(0).is_some_and(|first| (0..elements).all(|i| at(i) == first.checked_add(i)))
}

/// Rows of 16 bytes in the order in which `ldmatrix` takes them: matrices of 8 rows, two below one another, then two
/// beside these; where the tile has only 8 rows, side by side.
fn matrices(rows: u64, segments: u64, index: impl Fn(u64, u64) -> u64) -> Result<Vec<u64>> {
    if !rows.is_multiple_of(8) {
        return Err(Error::new(
            ErrorKind::NotDivisible,
            format!("matrices of 8 rows do not divide the {rows} rows of the tile"),
        )
        .with_help("use a tile with a multiple of 8 rows"));
    }
    let high = if rows.is_multiple_of(16) { 16 } else { 8 };
    let wide = (LANES / high).min(segments);
    let mut order = Vec::new();
    for top in (0..rows).step_by(usize::try_from(high).unwrap_or(8)) {
        for left in (0..segments).step_by(usize::try_from(wide).unwrap_or(1)) {
            for j in left..(left + wide).min(segments) {
                order.extend((top..top + high).map(|i| index(i, j)));
            }
        }
    }
    Ok(order)
}

/// The accesses of a thread-value layout: warp by warp, each so many values at a time.
fn thread_value(threads: &Layout, size: u64, elements: u64) -> Result<Vec<Access>> {
    let sizes: Vec<u64> = threads.sublayouts().map(|mode| mode.size()).collect();
    let [count, values] = *sizes.as_slice() else {
        return Err(Error::new(
            ErrorKind::Incongruent,
            format!("{threads} has {} modes where a thread-value layout has two", sizes.len()),
        )
        .with_help("write (thread,value): ((4,8),2):((2,8),1)"));
    };
    if threads.cosize() > size {
        return Err(Error::new(
            ErrorKind::OutOfDomain,
            format!("the thread-value layout reaches index {} of a tile of {size}", threads.cosize() - 1),
        )
        .with_help("its offsets are indices in the tile, first mode fastest"));
    }
    if threads.size() > MOST {
        let message = format!("{} values are more than the {MOST} that are gone through", threads.size());
        return Err(Error::new(ErrorKind::TooLarge, message).with_help("ask about fewer threads"));
    }
    if !values.is_multiple_of(elements) {
        return Err(Error::new(
            ErrorKind::NotDivisible,
            format!("{elements} elements at a time do not divide the {values} values of a thread"),
        )
        .with_help("let a lane access fewer bytes"));
    }
    let mut all = Vec::new();
    for first in (0..count).step_by(usize::try_from(LANES).unwrap_or(32)) {
        let warp = first..(first + LANES).min(count);
        for value in (0..values).step_by(usize::try_from(elements).unwrap_or(1)) {
            let lane = |thread: u64| (value..value + elements).map(|v| threads.at(thread + count * v)).collect();
            let listed = warp.clone().map(lane).collect::<Result<Vec<Vec<u64>>>>()?;
            let lanes = listed.iter().filter_map(|elements| elements.first().copied()).collect();
            all.push(Access { lanes, steps: Steps::Listed(listed) });
        }
    }
    Ok(all)
}
