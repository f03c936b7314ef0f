//! Swizzle after offset after layout: what CuTe's `ComposedLayout` prints as `Sw<3,4,3> o 0 o (8,64):(64,1)`.

use alloc::{string::String, string::ToString, vec::Vec};
use core::fmt;

use crate::coord::Coord;
use crate::error::{Error, ErrorKind, Result};
use crate::layout::{Layout, find_modes};

use super::Swizzle;

/// Coordinates that are enumerated where nothing but their offsets answers.
const LISTED: u64 = 1 << 20;

/// `c ↦ swizzle(offset + layout(c))`.
///
/// What is done on the right (slicing, composing) acts inside: it changes the offset and the layout, and leaves the
/// swizzle. The offset stays before the swizzle: `swizzle(p + x)` is `p + swizzle(x)` for all x only where the period of
/// the swizzle divides p.
///
/// ```
/// use razorgirl::SwizzledLayout;
///
/// let tile: SwizzledLayout = "Sw<3,3,3> o 0 o (8,64):(64,1)".parse()?;
/// // row 1 begins with its second group of 8 elements
/// assert_eq!(tile.offset_of(&"(1,0)".parse()?)?, 72);
/// assert_eq!(tile.slice(&"(1,_)".parse()?)?.to_string(), "Sw<3,3,3> o 64 o (64):(1)");
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// CuTe: `ComposedLayout<Swizzle, Offset, Layout>`.
///
/// Lean: `Razorgirl.SwizzledLayout`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwizzledLayout {
    swizzle: Swizzle,
    offset: u64,
    layout: Layout,
}

/// A constant plus a layout whose strides have a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plain {
    /// The offset of the first coordinate.
    pub first: u64,
    /// Extent and stride of each mode, coalesced; of the linear index, first mode fastest.
    pub modes: Vec<(u64, i128)>,
}

impl SwizzledLayout {
    /// `swizzle o offset o layout`.
    ///
    /// # Errors
    /// [`Overflow`](ErrorKind::Overflow) when the offset and the largest offset of the layout add up to 2^64 or more.
    pub fn new(swizzle: Swizzle, offset: u64, layout: Layout) -> Result<Self> {
        if offset.checked_add(layout.cosize() - 1).is_none() {
            return Err(Error::new(ErrorKind::Overflow, format!("{offset} + {} is 2^64 or more", layout.cosize() - 1))
                .with_help("use a smaller offset"));
        }
        Ok(Self { swizzle, offset, layout })
    }

    /// What is done to the sum.
    #[must_use]
    pub const fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// What is added before the swizzle.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The layout inside.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many coordinates.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.size`
    #[must_use]
    pub fn size(&self) -> u64 {
        self.layout.size()
    }

    /// The offset of a linear index.
    ///
    /// # Errors
    /// As [`Layout::at`], and [`Overflow`](ErrorKind::Overflow) where S is below 0 and a bit moves beyond 64 bits.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.atIndex`
    pub fn at(&self, index: u64) -> Result<u64> {
        self.swizzle.apply(self.offset + self.layout.at(index)?)
    }

    /// The offset of a coordinate without `_`.
    ///
    /// # Errors
    /// As [`Layout::offset`] and [`at`](Self::at).
    ///
    /// CuTe: `layout(coord)`.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.call`
    pub fn offset_of(&self, coord: &Coord) -> Result<u64> {
        self.swizzle.apply(self.offset + self.layout.offset(coord)?)
    }

    /// All offsets in linear order, the first mode fastest.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.offsets`
    pub fn offsets(&self) -> impl Iterator<Item = Result<u64>> + '_ {
        self.layout.offsets().map(|x| self.swizzle.apply(self.offset + x))
    }

    /// This after `inner`: the layouts are composed, swizzle and offset stay.
    ///
    /// # Errors
    /// As [`Layout::composition`].
    ///
    /// ```
    /// # use razorgirl::SwizzledLayout;
    /// let tile: SwizzledLayout = "Sw<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(tile.composition(&"(4,2):(1,8)".parse()?)?.to_string(), "Sw<3,3,3> o 0 o (4,2):(64,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `composition(composed_layout, layout)`.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.composition`
    pub fn composition(&self, inner: &Layout) -> Result<Self> {
        Self::new(self.swizzle, self.offset, self.layout.composition(inner)?)
    }

    /// The modes under a `_` as one tuple; what the integers select is added to the offset, before the swizzle.
    ///
    /// # Errors
    /// As [`Layout::slice_and_offset`].
    ///
    /// CuTe: `composed_layout(coord)` with `_`. It may answer a plain layout instead, which is right only where
    /// [`plain`](Self::plain) finds one.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.slice`
    pub fn slice(&self, coord: &Coord) -> Result<Self> {
        let placed = self.layout.slice_and_offset(coord)?;
        Self::new(self.swizzle, self.offset + placed.offset, placed.layout)
    }

    /// The first offset and the layout of the differences, where the offsets are a constant plus a layout; strides may be
    /// below 0. Nothing where they are not.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) above 2^20 coordinates, unless the swizzle has no bits, or extents are powers of two and no
    /// bits carry; [`Overflow`](ErrorKind::Overflow) where S is below 0 and a bit moves beyond 64 bits.
    ///
    /// ```
    /// # use razorgirl::SwizzledLayout;
    /// // a row of 8 units is 3 2 1 0 7 6 5 4, a column has stride 9, and together they are not a layout
    /// let row: SwizzledLayout = "Sw<3,0,3> o 24 o 8:1".parse()?;
    /// assert_eq!(row.plain()?.unwrap().to_string(), "27 + (4,2):(-1,4)");
    /// let column: SwizzledLayout = "Sw<3,0,3> o 0 o 8:8".parse()?;
    /// assert_eq!(column.plain()?.unwrap().to_string(), "0 + 8:9");
    /// let tile: SwizzledLayout = "Sw<3,0,3> o 0 o (8,8):(1,8)".parse()?;
    /// assert_eq!(tile.plain()?, None);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.SwizzledLayout.plain?`
    pub fn plain(&self) -> Result<Option<Plain>> {
        if self.size() > LISTED && self.swizzle.bits() == 0 {
            return Ok(Some(self.unswizzled()));
        }
        if self.size() > LISTED {
            return match self.carry_free() {
                Some(columns) => self.plain_columns(&columns),
                None => Err(self.too_many()),
            };
        }
        let offsets = self.offsets().collect::<Result<Vec<u64>>>()?;
        let first = offsets.first().copied().unwrap_or_default();
        let difference = |before: u64, offset: u64| i128::from(offset) - i128::from(before);
        let Ok(found) = find_modes(offsets, difference) else { return Ok(None) };
        let modes = found.iter().map(|(extent, start)| (*extent as u64, difference(first, *start))).collect();
        Ok(Some(Plain { first, modes }))
    }

    /// [`plain`](Self::plain) of a swizzle of no bits: the offset and the coalesced layout.
    fn unswizzled(&self) -> Plain {
        let coalesced = self.layout.coalesce();
        let moving = coalesced.modes().iter().filter(|mode| mode.extent() > 1);
        Plain { first: self.offset, modes: moving.map(|mode| (mode.extent(), mode.stride().into())).collect() }
    }

    /// A stride for each bit of the linear index, lowest first, where extents are powers of two and no two of these or of
    /// them and the offset have a bit in common.
    fn carry_free(&self) -> Option<Vec<u64>> {
        let mut columns = Vec::new();
        let mut taken = self.offset;
        for mode in self.layout.modes() {
            if !mode.extent().is_power_of_two() {
                return None;
            }
            for bit in 0..mode.extent().trailing_zeros() {
                // below the cosize, which fits
                let column = mode.stride() << bit;
                if column & taken != 0 {
                    return None;
                }
                taken |= column;
                columns.push(column);
            }
        }
        Some(columns)
    }

    /// [`plain`](Self::plain) by columns that do not carry: it is where their images have no bit in common.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.plainColumns`
    fn plain_columns(&self, columns: &[u64]) -> Result<Option<Plain>> {
        let first = self.swizzle.apply(self.offset)?;
        let (mut taken, mut modes) = (0, Vec::<(u64, i128)>::new());
        for column in columns {
            let image = self.swizzle.apply(*column)?;
            if image & taken != 0 {
                return Ok(None);
            }
            taken |= image;
            let step = i128::from(self.swizzle.apply(self.offset | column)?) - i128::from(first);
            match modes.last_mut() {
                Some((extent, stride)) if *stride * i128::from(*extent) == step => *extent *= 2,
                _ => modes.push((2, step)),
            }
        }
        Ok(Some(Plain { first, modes }))
    }

    /// Whether the offset may be moved through the swizzle: whether every offset is the offset `p` before the swizzle plus
    /// what there is without it, `swizzle(p + x) = p + swizzle(x)`. A pointer may be moved by p exactly then.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) above 2^20 coordinates, unless p is a multiple of the period, or has no bit that
    /// the swizzle reads or changes and none that the layout reaches; [`Overflow`](ErrorKind::Overflow) where S is below 0
    /// and a bit moves beyond 64 bits.
    ///
    /// ```
    /// # use razorgirl::SwizzledLayout;
    /// let moves = |text: &str| text.parse::<SwizzledLayout>()?.offset_moves();
    /// assert!(moves("Sw<3,3,3> o 512 o (8,64):(64,1)")?);
    /// // the second half of a row of 64: 32 is a bit that rows 4 to 7 change
    /// assert!(!moves("Sw<3,3,3> o 32 o (8,32):(64,1)")?);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.SwizzledLayout.offsetMoves`
    pub fn offset_moves(&self) -> Result<bool> {
        // a shift up may move a bit beyond 64 bits, which only a list of the offsets finds
        if self.size() > LISTED || self.swizzle.shift() >= 0 {
            let largest = self.layout.cosize() - 1;
            let reached = if largest == 0 { 0 } else { u64::MAX >> largest.leading_zeros() };
            let met = self.swizzle.source() | self.swizzle.target() | reached;
            if self.offset & met == 0 || self.swizzle.period().is_some_and(|period| self.offset.is_multiple_of(period))
            {
                return Ok(true);
            }
            if self.size() > LISTED {
                return Err(self.too_many());
            }
        }
        for x in self.layout.offsets() {
            let (moved, alone) = (self.swizzle.apply(self.offset + x)?, self.swizzle.apply(x)?);
            if self.offset.checked_add(alone) != Some(moved) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[cold]
    fn too_many(&self) -> Error {
        Error::new(
            ErrorKind::TooLarge,
            format!("{} coordinates are more than the {LISTED} that are gone through", self.size()),
        )
        .with_help("ask about a slice")
    }

    /// Each element as `2^k` parts: M and the offset grow with the layout.
    ///
    /// # Errors
    /// As [`Layout::downcast`].
    ///
    /// ```
    /// # use razorgirl::SwizzledLayout;
    /// let halves: SwizzledLayout = "Sw<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(halves.downcast(1)?.to_string(), "Sw<3,4,3> o 0 o (8,128):(128,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `downcast<2^k>(composed_layout)`.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.downcast`
    pub fn downcast(&self, k: u32) -> Result<Self> {
        let overflow = || {
            let message = format!("the offset {} in 2^{k} parts is 2^64 or more", self.offset);
            Error::new(ErrorKind::Overflow, message).with_help("use fewer parts or a smaller offset")
        };
        let parts = 1_u64.checked_shl(k).ok_or_else(overflow)?;
        let layout = self.layout.downcast(parts)?;
        let offset = self.offset.checked_mul(parts).ok_or_else(overflow)?;
        Self::new(self.swizzle.downcast(k.into()).ok_or_else(overflow)?, offset, layout)
    }

    /// `2^k` neighbouring elements as one: M and the offset shrink with the layout. Where M is below k and S above 0, the
    /// swizzle permutes parts inside an element as well; these bits are dropped, as CuTe does.
    ///
    /// # Errors
    /// As [`Layout::upcast`]; [`NotContiguous`](ErrorKind::NotContiguous) when the offset is not a multiple of `2^k`;
    /// [`NotDivisible`](ErrorKind::NotDivisible) when the swizzle takes parts of one element to different elements or
    /// onto one another.
    ///
    /// ```
    /// # use razorgirl::SwizzledLayout;
    /// let bytes: SwizzledLayout = "Sw<3,4,3> o 0 o (8,128):(128,1)".parse()?;
    /// assert_eq!(bytes.upcast(1)?.to_string(), "Sw<3,3,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `upcast<2^k>(composed_layout)`.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.upcast`
    pub fn upcast(&self, k: u32) -> Result<Self> {
        let Some(count) = 1_u64.checked_shl(k) else {
            let message = format!("offset 0 of {} is reached, but not all of an element of 2^{k}", self.layout);
            return Err(Error::new(ErrorKind::NotContiguous, message).with_help("use smaller elements"));
        };
        let layout = self.layout.upcast(count)?;
        if !self.offset.is_multiple_of(count) {
            return Err(Error::new(
                ErrorKind::NotContiguous,
                format!("the offset {} must be a multiple of {count}, the size of an element", self.offset),
            )
            .with_help(format!("use an offset that is a multiple of {count}")));
        }
        if !self.swizzle.keeps_units(k.into()) {
            return Err(Error::new(
                ErrorKind::NotDivisible,
                format!("{} does not take elements of {count} to whole elements", self.swizzle),
            )
            .with_help(format!("elements of up to 2^{} stay whole", self.swizzle.base())));
        }
        Self::new(self.swizzle.upcast_outer(k.into()), self.offset / count, layout)
    }

    /// Elements of size `old` as elements of size `new`, with the same bits, each as often: M moves by the logarithm of
    /// their ratio. From elements to bytes and back.
    ///
    /// # Errors
    /// As [`upcast`](Self::upcast) and [`downcast`](Self::downcast); [`Extent`](ErrorKind::Extent) when a size is 0;
    /// [`NotDivisible`](ErrorKind::NotDivisible) when the ratio is not a power of two.
    ///
    /// ```
    /// # use razorgirl::SwizzledLayout;
    /// let tile: SwizzledLayout = "Sw<3,4,3> o 0 o (8,128):(128,1)".parse()?;
    /// assert_eq!(tile.recast(8, 32)?.to_string(), "Sw<3,2,3> o 0 o (8,32):(32,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `recast_layout<old, new>(composed_layout)`.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.recast`
    pub fn recast(&self, old: u64, new: u64) -> Result<Self> {
        if old == 0 || new == 0 {
            return Err(Error::new(ErrorKind::Extent, "an element of size 0 is none").with_help("use sizes from 1"));
        }
        if new.is_multiple_of(old) && (new / old).is_power_of_two() {
            return self.upcast((new / old).trailing_zeros());
        }
        if old.is_multiple_of(new) && (old / new).is_power_of_two() {
            return self.downcast((old / new).trailing_zeros());
        }
        Err(Error::new(
            ErrorKind::NotDivisible,
            format!("{} is swizzled, so the ratio of the sizes {old} and {new} must be a power of two", self.layout),
        )
        .with_help("use sizes whose ratio is a power of two"))
    }
}

impl From<Layout> for SwizzledLayout {
    /// The layout by itself: nothing is swizzled or added.
    fn from(layout: Layout) -> Self {
        Self { swizzle: Swizzle::new(0, 0, 0), offset: 0, layout }
    }
}

/// `Sw<3,4,3> o 0 o (8,64):(64,1)`, as CuTe prints it.
impl fmt::Display for SwizzledLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} o {} o {}", self.swizzle, self.offset, self.layout)
    }
}

/// `27 + (4,2):(-1,4)`.
impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + ", self.first)?;
        match self.modes.as_slice() {
            [] => f.write_str("1:0"),
            [(extent, stride)] => write!(f, "{extent}:{stride}"),
            modes => {
                let list = |numbers: Vec<String>| numbers.join(",");
                let extents = list(modes.iter().map(|(extent, _)| extent.to_string()).collect());
                let strides = list(modes.iter().map(|(_, stride)| stride.to_string()).collect());
                write!(f, "({extents}):({strides})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without bits the swizzle changes nothing: the coalesced layout is what the offsets show, and large ones are answered.
    #[test]
    fn a_swizzle_of_no_bits_is_plain_at_every_size() {
        let mut count = 0;
        for code in 0..6_u64.pow(5) {
            let at = |place: u32| code / 6_u64.pow(place) % 6;
            let text = format!("({},{}):({},{})", at(0) + 1, at(1) + 1, at(2), at(3));
            let layout = SwizzledLayout::new(Swizzle::new(0, 0, 0), at(4), text.parse().unwrap()).unwrap();
            assert_eq!(layout.plain().unwrap(), Some(layout.unswizzled()), "{layout}");
            count += 1;
        }
        assert_eq!(count, 7776);
        let large = SwizzledLayout::new(Swizzle::new(0, 4, 3), 5, "(3,1000000):(1000000,1)".parse().unwrap()).unwrap();
        assert_eq!(large.plain().unwrap().unwrap().to_string(), "5 + (3,1000000):(1000000,1)");
    }
}
