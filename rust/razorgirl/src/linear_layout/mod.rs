//! Linear layouts: F2-linear maps between named dimensions, as Triton has them.
//!
//! A linear layout takes a point (a number for each input dimension) to a point (a number for each output dimension).
//! Every dimension has a power of two of values. The image of a point is, in each output dimension, the exclusive or of
//! the *bases* that the set bits of the point select.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

mod carry;
mod dimensions;
mod dims;
pub mod encodings;
pub(crate) mod f2;
mod inverse;
mod product;
mod query;
#[cfg(test)]
mod tests;

pub use carry::{columns_of_layout, layout_of_columns, swizzled_of_columns};
pub use dimensions::{Dims, MAX_BITS, MAX_DIMS};

use crate::error::{Error, ErrorKind, Result, brief};
use dimensions::{incongruent, mask};
use f2::Eliminated;

/// The bases of an input dimension: its name, and for each of its bits a component for each output dimension.
pub type Bases = (String, Vec<Vec<u64>>);

/// An F2-linear map between named dimensions of at most 63 bits a side.
///
/// ```
/// use razorgirl::linear_layout::LinearLayout;
///
/// // 4 x 4, swizzled: row bits are exclusive-ored onto column bits
/// let layout = LinearLayout::new(
///     &[("offset".to_owned(), vec![vec![0, 1], vec![0, 2], vec![1, 1], vec![2, 2]])],
///     vec![("row".to_owned(), 4), ("column".to_owned(), 4)],
/// )?;
/// assert_eq!(layout.apply(&[("offset", 4 * 3 + 1)])?, [("row".to_owned(), 3), ("column".to_owned(), 2)]);
/// assert!(layout.is_invertible());
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.LinearLayout`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinearLayout {
    ins: Dims,
    outs: Dims,
    /// The packed image of each input bit, lowest bit of the first input dimension first; as many as `ins` has bits,
    /// each below 2 to the bits of `outs`.
    columns: Vec<u64>,
}

impl LinearLayout {
    /// A linear layout from the bases of its input dimensions and the sizes of its output dimensions.
    ///
    /// # Errors
    /// As [`Dims::new`]; [`ErrorKind::Incongruent`] for a basis with another number of components than there are output
    /// dimensions, [`ErrorKind::OutOfDomain`] for a component that is not below its size.
    pub fn new(bases: &[Bases], outs: Vec<(String, u64)>) -> Result<Self> {
        Self::over(bases, Dims::new(outs)?)
    }

    fn over(bases: &[Bases], outs: Dims) -> Result<Self> {
        let size = |rows: &Vec<Vec<u64>>| u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let ins = Dims::of_bits(bases.iter().map(|(name, rows)| (name.clone(), size(rows))).collect())?;
        let mut columns = Vec::new();
        for (name, rows) in bases {
            for (bit, row) in rows.iter().enumerate() {
                check_components(name, bit, row, outs.len())?;
                let mut column = 0;
                for ((out, bits, place), component) in outs.places().zip(row) {
                    if *component > mask(bits) {
                        return Err(Error::new(
                            ErrorKind::OutOfDomain,
                            format!(
                                "basis {bit} of {} is {component} in {}, which has the size {}",
                                brief(name),
                                brief(&out),
                                1_u64 << bits
                            ),
                        )
                        .with_help("use components below the size of their dimension"));
                    }
                    column |= component << place;
                }
                columns.push(column);
            }
        }
        Ok(Self { ins, outs, columns })
    }

    /// A layout whose output dimensions have just the bits that its bases need; none where that is not surjective.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// Lean: `Razorgirl.LinearLayout.fromBases`
    pub fn from_bases(bases: &[Bases], outs: &[String]) -> Result<Option<Self>> {
        let inputs: usize = bases.iter().map(|(_, rows)| rows.len()).sum();
        let mut widths = vec![0; outs.len()];
        for (name, rows) in bases {
            for (bit, row) in rows.iter().enumerate() {
                check_components(name, bit, row, outs.len())?;
                for (width, component) in widths.iter_mut().zip(row) {
                    *width = (*width).max(64 - component.leading_zeros());
                }
            }
        }
        let names = |sizes: Vec<u32>| Dims::of_bits(outs.iter().cloned().zip(sizes).collect());
        names(vec![0; outs.len()])?;
        let size = |rows: &Vec<Vec<u64>>| u32::try_from(rows.len()).unwrap_or(u32::MAX);
        Dims::of_bits(bases.iter().map(|(name, rows)| (name.clone(), size(rows))).collect())?;
        // more bits than there are bases are not all reached
        if widths.iter().map(|width| *width as usize).sum::<usize>() > inputs {
            return Ok(None);
        }
        let layout = Self::over(bases, names(widths)?)?;
        Ok(layout.is_surjective().then_some(layout))
    }

    /// One input dimension and one output dimension, with output = input · `stride`.
    ///
    /// # Errors
    /// As [`Dims::new`].
    ///
    /// Lean: `Razorgirl.LinearLayout.strided1D`
    pub fn strided_1d(size: u64, stride: u64, input: &str, output: &str) -> Result<Self> {
        let ins = Dims::new([(input.to_owned(), size)])?;
        let step = Dims::new([(output.to_owned(), stride)])?.total();
        let outs = Dims::of_bits(vec![(output.to_owned(), ins.total() + step)])?;
        Ok(Self { columns: (0..ins.total()).map(|bit| 1 << (bit + step)).collect(), ins, outs })
    }

    /// One input and one output dimension of one size: the same number.
    ///
    /// # Errors
    /// As [`Dims::new`].
    ///
    /// Lean: `Razorgirl.LinearLayout.identity1D`
    pub fn identity_1d(size: u64, input: &str, output: &str) -> Result<Self> {
        Self::strided_1d(size, 1, input, output)
    }

    /// One input dimension that changes nothing in one output dimension.
    ///
    /// # Errors
    /// As [`Dims::new`].
    ///
    /// Lean: `Razorgirl.LinearLayout.zeros1D`
    pub fn zeros_1d(size: u64, output_size: u64, input: &str, output: &str) -> Result<Self> {
        let ins = Dims::new([(input.to_owned(), size)])?;
        let outs = Dims::new([(output.to_owned(), output_size)])?;
        Ok(Self { columns: vec![0; ins.total() as usize], ins, outs })
    }

    /// No dimensions.
    ///
    /// Lean: `Razorgirl.LinearLayout.empty`
    #[must_use]
    pub fn empty() -> Self {
        Self { ins: Dims::default(), outs: Dims::default(), columns: vec![] }
    }

    /// The input dimensions.
    #[must_use]
    pub fn ins(&self) -> &Dims {
        &self.ins
    }

    /// The output dimensions.
    #[must_use]
    pub fn outs(&self) -> &Dims {
        &self.outs
    }

    /// The packed image of each input bit, lowest bit of the first input dimension first.
    #[must_use]
    pub fn columns(&self) -> &[u64] {
        &self.columns
    }

    /// The bases of each input dimension, in order.
    #[must_use]
    pub fn bases(&self) -> Vec<Bases> {
        let row = |column: &u64| self.outs.places().map(|(_, bits, place)| column >> place & mask(bits)).collect();
        let bases = self.ins.names().map(|name| (name.to_owned(), self.columns_at(name).iter().map(row).collect()));
        bases.collect()
    }

    /// The image of a packed point: its first input dimension lowest, and so the first output dimension.
    ///
    /// Lean: `Razorgirl.LinearLayout.applyPacked`
    #[must_use]
    pub fn apply_packed(&self, x: u64) -> u64 {
        f2::apply(&self.columns, x)
    }

    /// The image of a point: one coordinate for each input dimension, in any order, modulo the size of the dimension.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`] for an input dimension without a coordinate, a coordinate of a dimension that the layout does
    /// not have, and a dimension that is named twice.
    ///
    /// Lean: `Razorgirl.LinearLayout.applyTo`
    pub fn apply(&self, point: &[(&str, u64)]) -> Result<Vec<(String, u64)>> {
        for (place, (name, _)) in point.iter().enumerate() {
            if !self.ins.has(name) {
                let known: Vec<String> = self.ins.names().take(8).map(|name| brief(&name)).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(incongruent(format!("the layout has no input dimension {}", brief(name)))
                    .with_help(format!("its input dimensions: {known}")));
            }
            if point[..place].iter().any(|(other, _)| other == name) {
                return Err(incongruent(format!("the dimension {} has two coordinates", brief(name)))
                    .with_help("give one coordinate for each input dimension"));
            }
        }
        let coordinate = |name: &str| point.iter().find(|(own, _)| *own == name).map(|(_, x)| *x);
        if let Some(name) = self.ins.names().find(|name| coordinate(name).is_none()) {
            return Err(incongruent(format!("the dimension {} has no coordinate", brief(&name)))
                .with_help("give a coordinate for each input dimension"));
        }
        let image = self.apply_packed(self.ins.pack(|name| coordinate(name).unwrap_or(0)));
        Ok(self.outs.names().map(|name| (name.to_owned(), self.outs.unpack(image, name))).collect())
    }

    /// The packed image of a bit of an input dimension, 0 where there is none.
    fn column(&self, name: &str, bit: u32) -> u64 {
        self.columns_at(name).get(bit as usize).copied().unwrap_or(0)
    }

    /// The packed images of the bits of an input dimension.
    ///
    /// Lean: `Razorgirl.LinearLayout.columnsAt`
    #[must_use]
    pub fn columns_at(&self, name: &str) -> &[u64] {
        let Some((bits, place)) = self.ins.place(name) else { return &[] };
        self.columns.get(place as usize..(place + bits) as usize).unwrap_or_default()
    }

    /// The layout over these dimensions whose packed basis at each input bit is what `column` gives there.
    fn of_columns(ins: Dims, outs: Dims, column: impl FnMut((&str, u32)) -> u64) -> Self {
        let columns = ins.each_bit().map(column).collect();
        Self { ins, outs, columns }
    }

    /// As many columns as `ins` has bits, each within `outs`.
    pub(crate) fn packed(ins: Dims, outs: Dims, columns: Vec<u64>) -> Self {
        Self { ins, outs, columns }
    }

    fn eliminated(&self) -> Eliminated {
        Eliminated::of(&self.columns)
    }

    /// The dimension of the image: 2 to it are the points that are reached.
    ///
    /// Lean: `Razorgirl.LinearLayout.rank`
    #[must_use]
    pub fn rank(&self) -> u32 {
        u32::try_from(self.eliminated().rank()).unwrap_or(MAX_BITS)
    }

    /// Whether every output point is reached.
    ///
    /// Lean: `Razorgirl.LinearLayout.isSurjective`
    #[must_use]
    pub fn is_surjective(&self) -> bool {
        self.rank() == self.outs.total()
    }

    /// Whether no output point is reached twice.
    ///
    /// Lean: `Razorgirl.LinearLayout.isInjective`
    #[must_use]
    pub fn is_injective(&self) -> bool {
        self.rank() == self.ins.total()
    }

    /// Whether every output point is reached exactly once.
    ///
    /// Lean: `Razorgirl.LinearLayout.isInvertible`
    #[must_use]
    pub fn is_invertible(&self) -> bool {
        self.ins.total() == self.outs.total() && self.is_surjective()
    }

    /// The matrix: a row for each output bit, an entry for each input bit.
    ///
    /// Lean: `Razorgirl.LinearLayout.matrix`
    #[must_use]
    pub fn matrix(&self) -> Vec<Vec<u64>> {
        (0..self.outs.total()).map(|bit| self.columns.iter().map(|column| column >> bit & 1).collect()).collect()
    }
}

fn check_components(name: &str, bit: usize, row: &[u64], outs: usize) -> Result<()> {
    if row.len() == outs {
        return Ok(());
    }
    let message = format!("basis {bit} of {} has {} components for {outs} output dimensions", brief(&name), row.len());
    Err(incongruent(message).with_help("give a component for each output dimension"))
}
