//! The layout itself: construction, parts, concatenation.

use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::error::{Error, ErrorKind, Result, brief};
use crate::inline::{INLINE, InlineVec};
use crate::int_tuple::profile::{Builder, Span};
use crate::int_tuple::shape::{check_extents, extent_error, size_overflow};
use crate::int_tuple::{HTuple, IntTuple, Literal, Profile, Shape};

use super::mode::Mode;

/// A layout `shape:stride`.
///
/// It is checked once, where it is built: shape and stride have the same nesting, extents are at least 1, size and
/// cosize are below 2^64. The stride of a mode of extent 1 never matters and is kept as 0, whatever was given.
/// Up to 8 leaves, nothing is allocated.
///
/// ```
/// use razorgirl::Layout;
///
/// let layout: Layout = "((4,2),(2,4)):((2,16),(1,8))".parse()?;
/// assert_eq!((layout.size(), layout.cosize()), (64, 48));
/// assert_eq!(layout.at(5)?, 18);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Layout`
#[derive(Clone)]
pub struct Layout {
    /// The modes, as long as there are at most 8. The parts of an `InlineVec` lie bare here: what is nested deeper the
    /// compiler copies around, which takes longer than the algebra itself.
    pub(super) inline: [Mode; INLINE],
    pub(super) count: usize,
    /// The modes, once there are more; empty until then.
    pub(super) heap: Vec<Mode>,
    pub(super) profile: Profile,
    pub(super) size: u64,
    pub(super) cosize: u64,
}

impl Layout {
    /// The layout with this shape and stride.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when they differ in nesting, [`Extent`](ErrorKind::Extent) when an extent
    /// is 0, [`Overflow`](ErrorKind::Overflow) when size or cosize is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::{IntTuple, Layout};
    ///
    /// let layout = Layout::new(&IntTuple::flat(&[4, 2]), &IntTuple::flat(&[2, 1]))?;
    /// assert_eq!(layout.to_string(), "(4,2):(2,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `make_layout(shape, stride)`, which checks none of this.
    pub fn new(shape: &IntTuple, stride: &IntTuple) -> Result<Self> {
        if !shape.congruent(stride) {
            return Err(incongruent(shape.profile(), stride.profile()));
        }
        let modes = shape.leaves().iter().zip(stride.leaves());
        let modes = modes.map(|(extent, stride)| Mode::new(*extent, *stride));
        Self::checked(modes.collect(), shape.profile().clone())
    }

    /// The layout with this shape and stride as they were written.
    ///
    /// # Errors
    /// As [`Layout::new`], where negative numbers are [`Extent`](ErrorKind::Extent) and [`Stride`](ErrorKind::Stride)
    /// errors. A number of 2^64 or more is an [`Overflow`](ErrorKind::Overflow), except for a stride under an extent of 1.
    ///
    /// ```
    /// use razorgirl::{HTuple, Layout, Literal};
    ///
    /// let shape = HTuple::flat(&[Literal::Fits(4), Literal::Fits(1)]);
    /// let stride = HTuple::flat(&[Literal::Fits(2), Literal::Huge]);
    /// assert_eq!(Layout::from_literals(&shape, &stride)?.to_string(), "(4,1):(2,0)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn from_literals(shape: &HTuple<Literal>, stride: &HTuple<Literal>) -> Result<Self> {
        if !shape.congruent(stride) {
            return Err(incongruent(shape.profile(), stride.profile()));
        }
        check_extents(shape)?;
        let mut modes = InlineVec::new();
        let mut huge = None;
        for (leaf, (extent, stride)) in shape.leaves().iter().zip(stride.leaves()).enumerate() {
            modes.push(match (extent, stride) {
                (_, Literal::Negative) => return Err(stride_error(shape.profile(), leaf)),
                (Literal::Fits(extent), Literal::Fits(stride)) => Mode::new(*extent, *stride),
                (Literal::Fits(1), _) => Mode::new(1, 0),
                (Literal::Fits(_), _) => {
                    huge = huge.or_else(|| Some(cosize_overflow()));
                    Mode::default()
                }
                _ => {
                    huge = huge.or_else(|| Some(size_overflow()));
                    Mode::default()
                }
            });
        }
        match huge {
            Some(error) => Err(error),
            None => Self::checked(modes, shape.profile().clone()),
        }
    }

    /// The layout with these modes at depth 1.
    ///
    /// # Errors
    /// As [`Layout::new`].
    ///
    /// ```
    /// use razorgirl::{Layout, Mode};
    ///
    /// let layout = Layout::from_modes([Mode::new(4, 2), Mode::new(2, 1)])?;
    /// assert_eq!(layout.to_string(), "(4,2):(2,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn from_modes(modes: impl IntoIterator<Item = Mode>) -> Result<Self> {
        let modes: InlineVec<Mode> = modes.into_iter().collect();
        let profile = Profile::flat(modes.as_slice().len());
        Self::checked(modes, profile)
    }

    /// Layouts side by side, one mode each: the offset is the sum of theirs.
    ///
    /// # Errors
    /// [`Overflow`](ErrorKind::Overflow) when size or cosize of the result is 2^64 or more;
    /// [`TooLarge`](ErrorKind::TooLarge) when it would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout = Layout::concat(&["(2,3):(4,8)".parse()?, "4:1".parse()?])?;
    /// assert_eq!(layout.to_string(), "((2,3),4):((4,8),1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `make_layout(layout0, layout1, …)`.
    ///
    /// Lean: `Razorgirl.Layout.concat`
    pub fn concat(layouts: &[Self]) -> Result<Self> {
        let mut builder = LayoutBuilder::new();
        builder.profile.open()?;
        for layout in layouts {
            builder.push(layout, &layout.profile.span())?;
        }
        builder.profile.close();
        Self::checked(builder.modes, builder.profile.finish())
    }

    /// Builds from parts that have not been checked yet.
    pub(super) fn checked(mut modes: InlineVec<Mode>, profile: Profile) -> Result<Self> {
        let (mut size, mut last) = (1_u64, 0_u64);
        for (leaf, mode) in modes.as_mut_slice().iter_mut().enumerate() {
            let extent = mode.extent();
            if extent <= 1 {
                if extent == 0 {
                    return Err(extent_error(&profile, leaf, Literal::Fits(0)));
                }
                *mode = Mode::new(1, 0);
                continue;
            }
            // An extent of 0 further right is reported before an overflow, as the order of the kinds asks.
            let grown = size.checked_mul(extent);
            let reached = mode.stride().checked_mul(extent - 1);
            let reached = reached.and_then(|reached| last.checked_add(reached));
            match (grown, reached) {
                (Some(grown), Some(reached)) if reached < u64::MAX => {
                    (size, last) = (grown, reached);
                }
                _ => return Err(overflow(&modes, &profile)),
            }
        }
        Ok(Self::valid(modes, profile, size, last + 1))
    }

    /// Builds from parts that are known to be right.
    #[inline]
    pub(super) fn valid(modes: InlineVec<Mode>, profile: Profile, size: u64, cosize: u64) -> Self {
        let (inline, count, heap) = modes.into_parts();
        Self { inline, count, heap, profile, size, cosize }
    }

    /// No modes yet and no profile that fits, to be written in place: a result that is made and then moved costs as much
    /// as the algebra itself.
    #[inline]
    pub(super) fn blank(size: u64, cosize: u64) -> Self {
        let inline = [Mode::new(0, 0); INLINE];
        Self { inline, count: 0, heap: Vec::new(), profile: Profile::leaf(), size, cosize }
    }

    /// Builds from modes of a layout that was checked, or fewer or smaller ones.
    pub(super) fn shrunk(modes: InlineVec<Mode>, profile: Profile) -> Self {
        let (mut size, mut cosize) = (1, 1);
        for mode in modes.as_slice() {
            size *= mode.extent();
            cosize += (mode.extent() - 1) * mode.stride();
        }
        Self::valid(modes, profile, size, cosize)
    }

    /// The leaves, from left to right. Those of extent 1 have stride 0.
    ///
    /// ```
    /// use razorgirl::{Layout, Mode};
    ///
    /// let layout: Layout = "((2,3),1):((4,8),9)".parse()?;
    /// assert_eq!(layout.modes(), [Mode::new(2, 4), Mode::new(3, 8), Mode::new(1, 0)]);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn modes(&self) -> &[Mode] {
        // One comparison tells both: whether they lie in place, and that the count is within bounds.
        self.inline.get(..self.count).unwrap_or(&self.heap)
    }

    /// The nesting of shape and stride.
    #[inline]
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The extents.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// assert_eq!(layout.shape().to_string(), "((2,3),4)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.shape`
    #[must_use]
    pub fn shape(&self) -> Shape {
        let extents = self.modes().iter().map(|mode| mode.extent()).collect();
        let extents = IntTuple::from_parts(extents, self.profile.clone());
        Shape::from_valid(extents, self.size)
    }

    /// The strides.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// assert_eq!(layout.stride().to_string(), "((4,8),1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.stride`
    #[must_use]
    pub fn stride(&self) -> IntTuple {
        let strides = self.modes().iter().map(|mode| mode.stride()).collect();
        IntTuple::from_parts(strides, self.profile.clone())
    }

    /// Number of modes at the top: 1 for a leaf, 0 for `():()`.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// assert_eq!("((2,3),4):((4,8),1)".parse::<Layout>()?.rank(), 2);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.rank`
    #[must_use]
    pub fn rank(&self) -> usize {
        self.profile.rank()
    }

    /// 0 for a leaf, else 1 + the depth of the deepest mode; 1 for `():()`.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// assert_eq!("((2,3),4):((4,8),1)".parse::<Layout>()?.depth(), 2);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.depth`
    #[must_use]
    pub fn depth(&self) -> usize {
        self.profile.depth()
    }

    /// Number of coordinates: the product of the extents.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// assert_eq!("((2,3),4):((4,8),1)".parse::<Layout>()?.size(), 24);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.size`
    #[inline]
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// 1 + the largest offset: `1 + Σ (extent-1)·stride`.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// assert_eq!("((2,3),4):((4,8),1)".parse::<Layout>()?.cosize(), 24);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.cosize`
    #[inline]
    #[must_use]
    pub fn cosize(&self) -> u64 {
        self.cosize
    }

    /// The layout of mode `index`, or nothing beyond the rank. A leaf is its own mode 0.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// assert_eq!(layout.mode(0), Some("(2,3):(4,8)".parse()?));
    /// assert_eq!(layout.mode(2), None);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `get<index>(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.modeAt`
    #[must_use]
    pub fn mode(&self, index: usize) -> Option<Self> {
        let span = self.profile.children().nth(index)?;
        Some(self.part(&span))
    }

    /// The layouts of the modes, in order.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// let modes: Vec<String> = layout.sublayouts().map(|mode| mode.to_string()).collect();
    /// assert_eq!(modes, ["(2,3):(4,8)", "4:1"]);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn sublayouts(&self) -> impl Iterator<Item = Self> + '_ {
        self.profile.children().map(|span| self.part(&span))
    }

    /// All leaves at depth 1; a leaf stays one. Same function.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,3),4):((4,8),1)".parse()?;
    /// assert_eq!(layout.flatten().to_string(), "(2,3,4):(4,8,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `flatten(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.flatten`
    #[must_use]
    pub fn flatten(&self) -> Self {
        if self.profile.is_leaf() {
            return self.clone();
        }
        let mut flat = self.clone();
        flat.profile = Profile::flat(self.count);
        flat
    }

    pub(super) fn modes_of(&self, span: &Span) -> &[Mode] {
        self.modes().get(span.leaves.clone()).unwrap_or_default()
    }

    pub(super) fn part(&self, span: &Span) -> Self {
        let modes = InlineVec::from_slice(self.modes_of(span));
        Self::shrunk(modes, self.profile.part(span))
    }
}

/// Writes a layout from left to right.
pub(super) struct LayoutBuilder {
    pub(super) modes: InlineVec<Mode>,
    pub(super) profile: Builder,
}

impl LayoutBuilder {
    pub(super) fn new() -> Self {
        Self { modes: InlineVec::new(), profile: Builder::new() }
    }

    /// Appends a subtree of another layout.
    pub(super) fn push(&mut self, of: &Layout, span: &Span) -> Result<()> {
        self.modes.extend(of.modes_of(span));
        self.profile.subtree(of.profile(), span)
    }
}

#[cold]
pub(crate) fn incongruent(shape: &Profile, stride: &Profile) -> Error {
    Error::new(
        ErrorKind::Incongruent,
        format!("the shape is nested as {}, the stride as {}", brief(shape), brief(stride)),
    )
    .with_help("give every extent its stride, in the same nesting")
}

#[cold]
pub(crate) fn stride_error(profile: &Profile, leaf: usize) -> Error {
    Error::new(ErrorKind::Stride, format!("the stride at mode {} is below 0", profile.path(leaf)))
        .with_leaf(leaf)
        .with_help("strides are at least 0; turn the mode around and move the base instead")
}

#[cold]
fn cosize_overflow() -> Error {
    Error::new(ErrorKind::Overflow, "the cosize is 2^64 or more")
        .with_help("1 + the sum of (extent-1)·stride must stay below 2^64")
}

#[cold]
fn overflow(modes: &InlineVec<Mode>, profile: &Profile) -> Error {
    let mut size = Some(1_u64);
    for (leaf, mode) in modes.as_slice().iter().enumerate() {
        if mode.extent() == 0 {
            return extent_error(profile, leaf, Literal::Fits(0));
        }
        size = size.and_then(|size| size.checked_mul(mode.extent()));
    }
    if size.is_none() { size_overflow() } else { cosize_overflow() }
}

// Size and cosize follow from the rest.
impl PartialEq for Layout {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.profile == other.profile && self.modes() == other.modes()
    }
}

impl Eq for Layout {}

impl Hash for Layout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.modes().hash(state);
        self.profile.hash(state);
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.shape(), self.stride())
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({self})")
    }
}
