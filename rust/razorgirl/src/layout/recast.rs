//! Layouts of larger and smaller elements.

use crate::error::{Error, ErrorKind, Result, brief};
use crate::inline::InlineVec;
use crate::int_tuple::Profile;

use super::basic::Layout;
use super::distribute::gcd;
use super::mode::Mode;

/// How far a refusal looks for a number of elements that works.
const NEAR: u64 = 1 << 10;

impl Layout {
    /// `count` neighbouring elements as one: the element that holds the offset `o` is `o / count`. Same nesting.
    ///
    /// Modes that step from element to element have their stride divided. Those that step inside an element have their
    /// extent divided; together they have to make whole elements and must not step past one.
    ///
    /// O(leaves).
    ///
    /// # Errors
    /// [`Extent`](ErrorKind::Extent) when `count` is 0; [`NotDivisible`](ErrorKind::NotDivisible) when a stride and
    /// `count` do not divide each other, or extents do not make whole elements; [`Carries`](ErrorKind::Carries) when
    /// modes step past an element together.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let bytes: Layout = "(64,32):(1,64)".parse()?;
    /// assert_eq!(bytes.upcast(4)?.to_string(), "(16,32):(1,16)");
    ///
    /// // every CuTe answers 2:1
    /// let error = "4:1".parse::<Layout>()?.upcast(3).unwrap_err();
    /// assert_eq!(error.to_string(), "mode 0 of 4:1 has 4 steps of 1, which make no whole number of elements of 3");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `upcast<count>(layout)`, which checks strides only.
    pub fn upcast(&self, count: u64) -> Result<Self> {
        self.checked_upcast(count).map_err(|fault| refuse_upcast(self, count, fault))
    }

    /// Each element as `count` parts: part `r` of the element at `o` is at `count·o + r`. Same nesting; the parts lie in
    /// the mode of stride 1, or if there is none in the only mode of extent 1.
    ///
    /// O(leaves).
    ///
    /// # Errors
    /// [`Extent`](ErrorKind::Extent) when `count` is 0; [`NotInjective`](ErrorKind::NotInjective) when several modes have
    /// stride 1; [`NotContiguous`](ErrorKind::NotContiguous) when it is not said in which mode the parts lie;
    /// [`Overflow`](ErrorKind::Overflow) when the result does not fit.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let words: Layout = "(16,32):(1,16)".parse()?;
    /// assert_eq!(words.downcast(4)?.to_string(), "(64,32):(1,64)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `downcast<count>(layout)`, which makes every mode of stride 1 longer.
    pub fn downcast(&self, count: u64) -> Result<Self> {
        if count == 0 {
            return Err(no_elements());
        }
        if count == 1 {
            return Ok(self.clone());
        }
        let adjacent = |mode: &Mode| mode.extent() != 1 && mode.stride() == 1;
        let single = |mode: &Mode| mode.extent() == 1;
        let count_of = |kind: fn(&Mode) -> bool| self.modes().iter().filter(|mode| kind(mode)).count();
        let kind: fn(&Mode) -> bool = match (count_of(adjacent), count_of(single)) {
            (1, _) => adjacent,
            (0, 1) => single,
            (adjacent, _) => return Err(refuse_downcast(self, count, adjacent)),
        };
        // A number of 2^64 is one that no layout takes; `checked` refuses it as it would the right one.
        let times = |n: u64| n.checked_mul(count);
        let mut modes = InlineVec::new();
        for mode in self.modes() {
            modes.push(if kind(mode) {
                Mode::new(times(mode.extent()).ok_or_else(too_far)?, 1)
            } else if mode.extent() == 1 {
                Mode::new(1, 0)
            } else {
                Mode::new(mode.extent(), times(mode.stride()).ok_or_else(too_far)?)
            });
        }
        Self::checked(modes, self.profile().clone())
    }

    /// Elements of size `old` read as elements of size `new`, in bits or bytes: [`upcast`](Self::upcast) and then
    /// [`downcast`](Self::downcast) by what the sizes do not have in common. Addresses stay: where elements of both
    /// begin, offset × size is the same.
    ///
    /// # Errors
    /// As [`upcast`](Self::upcast) and [`downcast`](Self::downcast).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let halves: Layout = "(64,32):(1,64)".parse()?;
    /// assert_eq!(halves.recast(16, 32)?.to_string(), "(32,32):(1,32)");
    /// assert_eq!(halves.recast(16, 8)?.to_string(), "(128,32):(1,128)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `recast_layout<Old,New>(layout)`.
    pub fn recast(&self, old: u64, new: u64) -> Result<Self> {
        if old == 0 || new == 0 {
            return Err(no_elements());
        }
        let common = gcd(old, new);
        self.upcast(new / common)?.downcast(old / common)
    }

    /// The largest block of which every aligned one is hit wholly or not at all, as the strides show it: what the chain of
    /// modes from stride 1 on has in common with all other strides.
    ///
    /// O(leaves²).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(8,3):(1,12)".parse()?;
    /// assert_eq!(layout.max_alignment(), 4);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `max_alignment(layout)`.
    #[must_use]
    pub fn max_alignment(&self) -> u64 {
        let mut rest: Vec<Mode> = self.modes().iter().copied().filter(|mode| mode.extent() > 1).collect();
        let mut run = 1_u64;
        while let Some(next) = rest.iter().position(|mode| mode.stride() == run) {
            // At most the size of the layout.
            run *= rest.remove(next).extent();
        }
        rest.iter().fold(run, |common, mode| gcd(common, mode.stride()))
    }

    /// 1 + the largest offset, as [`cosize`](Self::cosize): the shape of the offsets, which is one integer where strides
    /// are integers.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// assert_eq!("(2,4):(8,1)".parse::<Layout>()?.coshape(), 12);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `coshape(layout)`.
    #[must_use]
    pub fn coshape(&self) -> u64 {
        self.cosize()
    }

    fn checked_upcast(&self, count: u64) -> std::result::Result<Self, Fault> {
        if count == 0 {
            return Err(Fault::NoElements);
        }
        let mut modes = InlineVec::new();
        let (mut inside, mut whole, mut span) = (false, false, 0_u128);
        let mut fault = None;
        for (leaf, mode) in self.modes().iter().enumerate() {
            let (extent, stride) = (mode.extent(), mode.stride());
            if extent == 1 || stride.is_multiple_of(count) {
                modes.push(Mode::new(extent, stride / count));
                continue;
            }
            if !count.is_multiple_of(stride) {
                fault = fault.or(Some(Fault::Stride { leaf }));
                continue;
            }
            let steps = count / stride;
            inside = true;
            span += u128::from(extent.min(steps) - 1) * u128::from(stride);
            if extent.is_multiple_of(steps) {
                whole = true;
                modes.push(Mode::new(extent / steps, u64::from(extent > steps)));
            } else if steps.is_multiple_of(extent) {
                modes.push(Mode::new(1, 0));
            } else {
                fault = fault.or(Some(Fault::Extent { leaf }));
            }
        }
        match fault {
            Some(fault) => Err(fault),
            None if inside && !whole => Err(Fault::Partial),
            None if span >= u128::from(count) => Err(Fault::Past { span }),
            // Fewer or smaller numbers than before.
            None => Ok(Self::shrunk(modes, self.profile().clone())),
        }
    }
}

/// Why elements do not make larger ones.
#[derive(Clone, Copy)]
enum Fault {
    NoElements,
    Stride { leaf: usize },
    Extent { leaf: usize },
    Partial,
    Past { span: u128 },
}

#[cold]
fn no_elements() -> Error {
    Error::new(ErrorKind::Extent, "an element of size 0").with_help("a size is at least 1")
}

#[cold]
fn too_far() -> Error {
    Error::new(ErrorKind::Overflow, "size or cosize of the parts is 2^64 or more")
        .with_help("the cosize times the number of parts must stay below 2^64")
}

#[cold]
fn refuse_upcast(layout: &Layout, count: u64, fault: Fault) -> Error {
    let at = |leaf: usize| {
        let mode = layout.modes().get(leaf).copied().unwrap_or_default();
        (mode, format!("mode {} of {}", layout.profile().path(leaf), brief(layout)))
    };
    let error = match fault {
        Fault::NoElements => return no_elements(),
        Fault::Stride { leaf } => {
            let (mode, place) = at(leaf);
            let stride = mode.stride();
            Error::new(
                ErrorKind::NotDivisible,
                format!("{place} has stride {stride}; neither of {stride} and {count} divides the other"),
            )
            .with_leaf(leaf)
        }
        Fault::Extent { leaf } => {
            let (mode, place) = at(leaf);
            let (extent, stride) = (mode.extent(), mode.stride());
            Error::new(
                ErrorKind::NotDivisible,
                format!("{place} has {extent} steps of {stride}, which make no whole number of elements of {count}"),
            )
            .with_leaf(leaf)
        }
        Fault::Partial => Error::new(
            ErrorKind::NotDivisible,
            format!("the modes of {} that step inside an element of {count} do not fill it", brief(layout)),
        ),
        Fault::Past { span } => Error::new(
            ErrorKind::Carries,
            format!(
                "the modes of {} that step inside an element of {count} reach {span} steps together, past its end",
                brief(layout)
            ),
        ),
    };
    let works = |count: &u64| layout.checked_upcast(*count).ok().map(|upcast| (*count, upcast));
    let below = (2.max(count.saturating_sub(NEAR))..count).rev().find_map(|count| works(&count));
    let above = (count.saturating_add(1)..=count.saturating_add(NEAR)).find_map(|count| works(&count));
    let mut error = error;
    for (count, upcast) in [below, above].into_iter().flatten() {
        error = error.with_help(format!("elements of {count} make {}", brief(&upcast)));
    }
    error
}

#[cold]
fn refuse_downcast(layout: &Layout, count: u64, adjacent: usize) -> Error {
    let error = if adjacent > 1 {
        Error::new(
            ErrorKind::NotInjective,
            format!("{adjacent} modes of {} have stride 1; the parts of an element lie in one", brief(layout)),
        )
    } else {
        Error::new(
            ErrorKind::NotContiguous,
            format!("no mode of {} has stride 1, so it is not said in which one the {count} parts lie", brief(layout)),
        )
    };
    // The same elements with their parts in a mode of their own.
    let spread = layout.modes().iter().map(|mode| {
        let stride = mode.stride().checked_mul(count)?;
        Some(Mode::new(mode.extent(), if mode.extent() == 1 { 0 } else { stride }))
    });
    let Some(modes) = spread.collect::<Option<InlineVec<Mode>>>() else { return error };
    let parts = Layout::checked(InlineVec::from_slice(&[Mode::new(count, 1)]), Profile::leaf());
    let spread = Layout::checked(modes, layout.profile().clone());
    match (parts, spread) {
        (Ok(parts), Ok(spread)) => match Layout::concat(&[parts, spread]) {
            Ok(both) => error.with_help(format!("with the parts in a mode of their own it is {}", brief(&both))),
            Err(_) => error,
        },
        _ => error,
    }
}
