//! Layouts as they are written.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::{Error, ErrorKind, Result};
use crate::layout::{incongruent, stride_error};
use crate::{HTuple, IntTuple, Layout, Literal, Profile, Shape};

/// A shape with strides, all of which matter, also those of modes of extent 1, where a [`Layout`] has stride 0.
///
/// That normal form is another layout for the theory of morphisms: (1,1):(2,3) is not tractable, (1,1):(0,0) is (E6).
///
/// ```
/// use razorgirl::category::WrittenLayout;
///
/// let layout: WrittenLayout = "(1,8,1):(3,1,4)".parse()?;
/// assert_eq!(layout.to_string(), "(1,8,1):(3,1,4)");
/// assert_eq!(layout.nullify_trivial_strides().to_string(), "(1,8,1):(0,1,0)");
/// # Ok::<(), razorgirl::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WrittenLayout {
    shape: IntTuple,
    stride: IntTuple,
}

impl WrittenLayout {
    /// The layout with this shape and stride.
    ///
    /// # Errors
    /// As [`Layout::new`].
    pub fn new(shape: &IntTuple, stride: &IntTuple) -> Result<Self> {
        Layout::new(shape, stride)?;
        Ok(Self { shape: shape.clone(), stride: stride.clone() })
    }

    /// The layout with this shape and stride as they were written.
    ///
    /// # Errors
    /// As [`Layout::from_literals`], where a stride of 2^64 or more is an [`Overflow`](ErrorKind::Overflow) under extents of 1 too.
    pub fn from_literals(shape: &HTuple<Literal>, stride: &HTuple<Literal>) -> Result<Self> {
        if !shape.congruent(stride) {
            return Err(incongruent(shape.profile(), stride.profile()));
        }
        let shape = Shape::from_literals(shape)?;
        if let Some(leaf) = stride.leaves().iter().position(|stride| *stride == Literal::Negative) {
            return Err(stride_error(shape.profile(), leaf));
        }
        if let Some(leaf) = stride.leaves().iter().position(|stride| *stride == Literal::Huge) {
            let path = shape.profile().path(leaf);
            return Err(Error::new(ErrorKind::Overflow, format!("the stride at mode {path} is 2^64 or more"))
                .with_leaf(leaf)
                .with_help("a stride is below 2^64"));
        }
        let stride = stride.map(|stride| match stride {
            Literal::Fits(stride) => stride,
            _ => 0,
        });
        Self::new(shape.extents(), &stride)
    }

    /// Modes side by side, of as many extents as strides.
    pub(super) fn flat(extents: &[u64], strides: &[u64]) -> Self {
        Self { shape: IntTuple::flat(extents), stride: IntTuple::flat(strides) }
    }

    /// Extents and strides in one nesting, which has as many leaves.
    pub(super) fn nested(extents: &[u64], strides: &[u64], profile: &Profile) -> Result<Self> {
        Ok(Self { shape: IntTuple::nested(extents, profile)?, stride: IntTuple::nested(strides, profile)? })
    }

    /// The extents.
    #[must_use]
    pub const fn shape(&self) -> &IntTuple {
        &self.shape
    }

    /// The strides.
    #[must_use]
    pub const fn stride(&self) -> &IntTuple {
        &self.stride
    }

    /// The nesting.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        self.shape.profile()
    }

    /// Extents with strides, from left to right.
    pub fn modes(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.shape.leaves().iter().copied().zip(self.stride.leaves().iter().copied())
    }

    /// The layout in normal form: strides under extents of 1 are 0.
    ///
    /// # Errors
    /// As [`Layout::new`]; what has been checked is not refused.
    pub fn normalized(&self) -> Result<Layout> {
        Layout::new(&self.shape, &self.stride)
    }

    /// Refuses what is not a flat tuple of modes.
    pub(super) fn expect_flat(&self) -> Result<()> {
        if self.shape.depth() == 1 {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Incongruent,
            format!("a flat tuple of modes is expected, met the nesting {}", crate::error::brief(self.profile())),
        )
        .with_help("write all modes in one tuple"))
    }

    /// The same layout with stride 0 wherever the extent is 1.
    ///
    /// ```
    /// use razorgirl::category::WrittenLayout;
    ///
    /// let layout: WrittenLayout = "(1,4):(7,2)".parse()?;
    /// assert_eq!(layout.nullify_trivial_strides().to_string(), "(1,4):(0,2)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.2.19, which calls it a filter (E3).
    ///
    /// Lean: `Razorgirl.Category.nullifyTrivialStrides`
    #[must_use]
    pub fn nullify_trivial_strides(&self) -> Self {
        let strides: Vec<u64> = self.modes().map(|(extent, stride)| if extent == 1 { 0 } else { stride }).collect();
        // as many as there were
        let stride = IntTuple::nested(&strides, self.profile()).unwrap_or_else(|_| self.stride.clone());
        Self { shape: self.shape.clone(), stride }
    }

    /// A ⋆ B: the concatenation of flat layouts.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when one is nested; [`Overflow`](ErrorKind::Overflow) when size or cosize is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::category::WrittenLayout;
    ///
    /// let a: WrittenLayout = "(2,1):(1,5)".parse()?;
    /// assert_eq!(a.flat_concatenate(&"(4):(2)".parse()?)?.to_string(), "(2,1,4):(1,5,2)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 2.1.
    ///
    /// Lean: `Razorgirl.Category.flatConcatenate`
    pub fn flat_concatenate(&self, other: &Self) -> Result<Self> {
        self.expect_flat()?;
        other.expect_flat()?;
        let joined = |a: &IntTuple, b: &IntTuple| IntTuple::flat(&[a.leaves(), b.leaves()].concat());
        Self::new(&joined(&self.shape, &other.shape), &joined(&self.stride, &other.stride))
    }

    /// The modes of a flat layout by (stride, extent), and the places, counted from 1, that they come from. Equal modes keep
    /// their order.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when it is nested.
    ///
    /// ```
    /// use razorgirl::category::WrittenLayout;
    ///
    /// let layout: WrittenLayout = "(4,5,1):(3,8,6)".parse()?;
    /// let (sorted, places) = layout.sort_flat()?;
    /// assert_eq!((sorted.to_string().as_str(), places.as_slice()), ("(4,1,5):(3,6,8)", [1, 3, 2].as_slice()));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 2.1.
    ///
    /// Lean: `Razorgirl.Category.sortFlat`
    pub fn sort_flat(&self) -> Result<(Self, Vec<u64>)> {
        self.expect_flat()?;
        let order = self.order();
        let (extents, strides): (Vec<u64>, Vec<u64>) =
            order.iter().map(|(stride, extent, _)| (*extent, *stride)).unzip();
        Ok((Self::flat(&extents, &strides), order.iter().map(|(_, _, place)| *place as u64 + 1).collect()))
    }

    /// (stride, extent, place) in order.
    pub(super) fn order(&self) -> Vec<(u64, u64, usize)> {
        let modes = self.modes().zip(0..);
        let mut order: Vec<(u64, u64, usize)> =
            modes.map(|((extent, stride), place)| (stride, extent, place)).collect();
        order.sort_unstable();
        order
    }

    /// The sorted coalesced flat complement of a flat layout in [0,n), as a flat layout.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when it is nested; as [`Layout::complement_in`] where there is no such complement:
    /// the companion package rounds instead (T5).
    ///
    /// ```
    /// use razorgirl::category::WrittenLayout;
    ///
    /// let layout: WrittenLayout = "(5,3):(6,2)".parse()?;
    /// assert_eq!(layout.flat_complement(240)?.to_string(), "(2,8):(1,30)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 2.1.6, with `d_1` > 0 (E5).
    ///
    /// Lean: `Razorgirl.Category.flatComplement`
    pub fn flat_complement(&self, n: u64) -> Result<Self> {
        self.expect_flat()?;
        let sorted = self.order().into_iter().filter(|(_, extent, _)| *extent != 1);
        let (mut extents, mut strides) = (Vec::new(), Vec::new());
        let mut block = 1_u128;
        for (stride, extent, place) in sorted {
            let (wide, times) = (u128::from(stride), u128::from(extent));
            if stride == 0 || wide % block != 0 {
                return Err(not_complementable(stride, block, place));
            }
            push(&mut extents, &mut strides, wide / block, block);
            block = wide.saturating_mul(times);
        }
        if u128::from(n) % block != 0 || n == 0 {
            return Err(Error::new(ErrorKind::NotDivisible, format!("the block of {block} does not divide {n}"))
                .with_help("the largest extent · stride of the layout has to divide the number of elements"));
        }
        push(&mut extents, &mut strides, u128::from(n) / block, block);
        Self::new(&IntTuple::flat(&extents), &IntTuple::flat(&strides))
    }
}

/// A mode that fills a gap, where there is one: gaps never touch, so nothing merges. Both numbers divide one below 2^64.
fn push(extents: &mut Vec<u64>, strides: &mut Vec<u64>, extent: u128, stride: u128) {
    if let (Ok(extent), Ok(stride)) = (u64::try_from(extent), u64::try_from(stride))
        && extent > 1
    {
        extents.push(extent);
        strides.push(stride);
    }
}

#[cold]
fn not_complementable(stride: u64, block: u128, place: usize) -> Error {
    let kind = if stride == 0 { ErrorKind::NotInjective } else { ErrorKind::NotDivisible };
    let said = if stride == 0 {
        format!("mode {} has stride 0, so the layout has no complement", place + 1)
    } else {
        format!("the block of {block} does not divide the stride {stride} of mode {}", place + 1)
    };
    Error::new(kind, said).with_leaf(place).with_help(
        "in order of stride, the extent · stride of each mode has to divide the stride of the next, and none may be 0",
    )
}

impl From<&Layout> for WrittenLayout {
    fn from(layout: &Layout) -> Self {
        Self { shape: layout.shape().extents().clone(), stride: layout.stride() }
    }
}

/// CuTe notation; a shape alone is column-major.
impl FromStr for WrittenLayout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once(':') {
            None => Ok(Self::from(&text.parse::<Layout>()?)),
            Some((shape, stride)) => Self::new(&shape.trim().parse()?, &stride.trim().parse()?),
        }
    }
}

impl fmt::Display for WrittenLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.shape, self.stride)
    }
}
