//! Layouts of larger and smaller elements. What counts is bits: the answer reaches those of the layout, each as often.

use crate::error::{Error, ErrorKind, Result, brief};
use crate::inline::InlineVec;
use crate::suggestion::Suggestion;
use alloc::vec::Vec;

use super::basic::Layout;
use super::distribute::gcd;
use super::mode::Mode;

/// How far a refusal looks for a size of elements that works.
const NEAR: u64 = 1 << 10;
/// Leaves up to which it looks at all.
const FEW: usize = 64;

impl Layout {
    /// `count` neighbouring elements as one: the element that holds the offset `o` is `o / count`. Same nesting.
    ///
    /// The nesting stays, so an element must lie in whole steps of each mode. Where elements run across modes, as in
    /// `(2,3):(1,2)` by 3, the error suggests to coalesce first: `6:1` answers `2:1`.
    ///
    /// The answer holds exactly the elements that the layout reaches, each as often. So the modes that step inside an
    /// element, in the order of their strides, have to count off the offsets 0, 1, … of one: their extent is divided by
    /// the steps that they take there. Every other mode steps by whole elements: its stride is divided.
    ///
    /// O(leaves · log leaves).
    ///
    /// # Errors
    /// [`Extent`](ErrorKind::Extent) when `count` is 0; [`NotDivisible`](ErrorKind::NotDivisible) when the steps of a mode
    /// neither fill elements nor divide one; [`NotContiguous`](ErrorKind::NotContiguous) when an element is reached in
    /// part; [`NotInjective`](ErrorKind::NotInjective) when parts of an element are reached more often than others.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let bytes: Layout = "(64,32):(1,64)".parse()?;
    /// assert_eq!(bytes.upcast(4)?.to_string(), "(16,32):(1,16)");
    ///
    /// // every CuTe answers 1:1, which has 4 bytes where this has one
    /// let error = "1:1".parse::<Layout>()?.upcast(4).unwrap_err();
    /// assert_eq!(error.to_string(), "1:0 contains offset 0, but not offset 1 of the same element of 4");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `upcast<count>(layout)`, which checks strides only.
    ///
    /// Lean: `Razorgirl.Layout.upcast`
    pub fn upcast(&self, count: u64) -> Result<Self> {
        self.checked_upcast(count).map_err(|fault| refuse_upcast(self, count, fault))
    }

    /// The element of `count` that contains each offset: `o / count`. Same shape, and other bits than before: the rest of
    /// each element comes along. For layouts of which no mode steps inside an element, such as accumulators that are
    /// stored in wider words.
    ///
    /// O(leaves).
    ///
    /// # Errors
    /// [`Extent`](ErrorKind::Extent) when `count` is 0; [`NotDivisible`](ErrorKind::NotDivisible) when an offset is no
    /// multiple of `count`.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let accumulators: Layout = "(128,64):(65536,2)".parse()?;
    /// assert_eq!(accumulators.upcast_containing(2)?.to_string(), "(128,64):(32768,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `upcast<count>(layout)`, where no extent changes.
    ///
    /// Lean: `Razorgirl.Layout.upcastContaining`
    pub fn upcast_containing(&self, count: u64) -> Result<Self> {
        self.checked_containing(count).map_err(|leaf| refuse_containing(self, count, leaf))
    }

    /// Each element as `count` parts: part `r` of the element at `o` is at `count·o + r`. Same nesting; the parts lie in
    /// the only mode of extent above 1 with stride 1, or if there is none in the only mode of extent 1.
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
    ///
    /// Lean: `Razorgirl.Layout.downcast`
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
    /// [`downcast`](Self::downcast) by what the sizes do not have in common. The answer reaches the bits of the layout,
    /// each as often.
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
    /// // CuTe answers 3:1: 3 bytes become 24
    /// assert!("1:1".parse::<Layout>()?.recast(3, 8).is_err());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `recast_layout<Old,New>(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.recast`
    pub fn recast(&self, old: u64, new: u64) -> Result<Self> {
        let (larger, smaller) = ratio(old, new)?;
        let upcast = self.checked_upcast(larger).map_err(|fault| refuse_recast(self, old, new, fault))?;
        let context = || format!("{} has to be cut in {smaller} parts each", brief(&upcast));
        upcast
            .downcast(smaller)
            .map_err(|error| if larger == 1 { error } else { error.without_help().about(context()) })
    }

    /// The element of size `new` that contains each element of size `old`: [`upcast_containing`](Self::upcast_containing)
    /// by `new / old`.
    ///
    /// # Errors
    /// [`Extent`](ErrorKind::Extent) when a size is 0; [`NotDivisible`](ErrorKind::NotDivisible) when `old` does not divide
    /// `new`, or an address is not a multiple of `new`.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let accumulators: Layout = "(128,64):(65536,2)".parse()?;
    /// assert_eq!(accumulators.recast_containing(16, 32)?.to_string(), "(128,64):(32768,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `recast_layout<Old,New>(layout)`, where no extent changes.
    ///
    /// Lean: `Razorgirl.Layout.recastContaining`
    pub fn recast_containing(&self, old: u64, new: u64) -> Result<Self> {
        let (larger, smaller) = ratio(old, new)?;
        if smaller != 1 {
            let error = Error::new(
                ErrorKind::NotDivisible,
                format!("no element of size {new} contains one of size {old}: {old} does not divide {new}"),
            );
            return Err(suggest_recast(error, self, old, new));
        }
        self.checked_containing(larger).map_err(|leaf| match leaf {
            Some(leaf) => suggest_recast(inside(self, larger, leaf), self, old, new),
            None => no_elements(),
        })
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

    fn checked_upcast(&self, count: u64) -> core::result::Result<Self, Fault> {
        if count == 0 {
            return Err(Fault::NoElements);
        }
        // The steps that modes take inside an element.
        let mut within = InlineVec::new();
        let mut modes = InlineVec::new();
        for (leaf, mode) in self.modes().iter().enumerate() {
            let (extent, stride) = (mode.extent(), mode.stride());
            if extent == 1 || stride.is_multiple_of(count) {
                modes.push(Mode::new(extent, stride / count));
                continue;
            }
            let fills = count.is_multiple_of(stride) && extent.is_multiple_of(count / stride);
            let steps = if fills {
                count / stride
            } else if extent.checked_mul(stride).is_some_and(|reach| count.is_multiple_of(reach)) {
                extent
            } else {
                return Err(Fault::Steps { leaf });
            };
            within.push(Mode::new(steps, stride));
            modes.push(Mode::new(extent / steps, u64::from(extent > steps)));
        }
        within.as_mut_slice().sort_unstable();
        // Extent × stride of each divides `count`, and so does the run.
        let mut run = 1;
        for mode in within.as_slice() {
            if mode.stride() > run {
                break;
            }
            if mode.stride() < run {
                return Err(Fault::Repeated { offset: mode.stride() });
            }
            run *= mode.extent();
        }
        if run < count {
            return Err(Fault::Missing { offset: run });
        }
        // Fewer or smaller numbers than before.
        Ok(Self::shrunk(modes, self.profile().clone()))
    }

    /// The leaf at fault, where one steps inside an element; without one, the size is 0.
    fn checked_containing(&self, count: u64) -> core::result::Result<Self, Option<usize>> {
        if count == 0 {
            return Err(None);
        }
        let inside = |mode: &Mode| mode.extent() != 1 && !mode.stride().is_multiple_of(count);
        if let Some(leaf) = self.modes().iter().position(inside) {
            return Err(Some(leaf));
        }
        let modes = self.modes().iter().map(|mode| Mode::new(mode.extent(), mode.stride() / count));
        Ok(Self::shrunk(modes.collect(), self.profile().clone()))
    }
}

/// Why elements do not make larger ones.
#[derive(Clone, Copy)]
enum Fault {
    NoElements,
    /// The steps of a mode neither fill elements nor divide one.
    Steps {
        leaf: usize,
    },
    /// No coordinate has this offset, which lies in the first element, as offset 0 does.
    Missing {
        offset: u64,
    },
    /// More coordinates have this offset than have offset 0, and it lies in the first element too.
    Repeated {
        offset: u64,
    },
}

/// How many elements make one, and how many parts that one is cut into then.
fn ratio(old: u64, new: u64) -> Result<(u64, u64)> {
    if old == 0 || new == 0 {
        return Err(no_elements());
    }
    let common = gcd(old, new);
    Ok((new / common, old / common))
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

/// A fault in words, without help.
#[cold]
fn fault_error(layout: &Layout, count: u64, fault: Fault) -> Error {
    match fault {
        Fault::NoElements => no_elements(),
        Fault::Steps { leaf } => {
            let mode = layout.modes().get(leaf).copied().unwrap_or_default();
            let (extent, stride, path) = (mode.extent(), mode.stride(), layout.profile().path(leaf));
            let reason = if count.is_multiple_of(stride) {
                format!("{extent} steps of {stride} neither fill elements of {count} nor divide one")
            } else {
                format!("its stride {stride} must be a multiple or a divisor of {count}")
            };
            Error::new(ErrorKind::NotDivisible, format!("mode {path} of {} is {mode}: {reason}", brief(layout)))
                .with_leaf(leaf)
        }
        Fault::Missing { offset } => Error::new(
            ErrorKind::NotContiguous,
            format!("{} contains offset 0, but not offset {offset} of the same element of {count}", brief(layout)),
        ),
        Fault::Repeated { offset } => Error::new(
            ErrorKind::NotInjective,
            format!(
                "more coordinates of {} have offset {offset} than offset 0 of the same element of {count}",
                brief(layout)
            ),
        ),
    }
}

/// The sizes below and above that work, with what they make.
fn near(layout: &Layout, size: u64, make: impl Fn(u64) -> Option<Layout>) -> Vec<(u64, Layout)> {
    if layout.modes().len() > FEW {
        return Vec::new();
    }
    let works = |size: u64| Some((size, make(size)?));
    let below = (2.max(size.saturating_sub(NEAR))..size).rev().find_map(works);
    let above = (size.saturating_add(1)..=size.saturating_add(NEAR)).find_map(works);
    below.into_iter().chain(above).collect()
}

/// The coalesced layout and what it makes, where elements run across modes: `(2,3):(1,2)` has no answer of its nesting for 3,
/// and `6:1` has.
fn across_modes(layout: &Layout, make: impl Fn(&Layout) -> Option<Layout>) -> Option<(Layout, Layout)> {
    let coalesced = layout.coalesce();
    let made = make(&coalesced)?;
    Some((coalesced, made))
}

fn coalesced_first(coalesced: Layout, answer: &Layout) -> Suggestion {
    Suggestion::with(0, "the coalesced layout (elements run across modes)", coalesced, "the answer", answer)
}

#[cold]
fn refuse_upcast(layout: &Layout, count: u64, fault: Fault) -> Error {
    let mut error = fault_error(layout, count, fault);
    if let Some((coalesced, upcast)) = across_modes(layout, |layout| layout.checked_upcast(count).ok()) {
        error = error.with_suggestion(coalesced_first(coalesced, &upcast));
    }
    if let Ok(containing) = layout.checked_containing(count) {
        let note = format!(", the element that contains each offset o: o div {count}");
        error = error.with_suggestion(Suggestion::call("upcast_containing", &containing).noting(note));
    }
    near(layout, count, |count| layout.checked_upcast(count).ok()).into_iter().fold(error, |error, (count, upcast)| {
        let suggestion = Suggestion::with(1, "the number of elements in one", count, "the answer", &upcast);
        error.with_suggestion(suggestion)
    })
}

#[cold]
fn refuse_recast(layout: &Layout, old: u64, new: u64, fault: Fault) -> Error {
    let Ok((larger, smaller)) = ratio(old, new) else { return no_elements() };
    let mut error = fault_error(layout, larger, fault);
    let recast_by = |layout: &Layout| layout.checked_upcast(larger).ok()?.downcast(smaller).ok();
    if let Some((coalesced, recast)) = across_modes(layout, recast_by) {
        error = error.with_suggestion(coalesced_first(coalesced, &recast));
    }
    if smaller == 1
        && let Ok(containing) = layout.checked_containing(larger)
    {
        let note = format!(", the element of size {new} that contains each");
        error = error.with_suggestion(Suggestion::call("recast_containing", &containing).noting(note));
    }
    let recast = |new: u64| {
        // elements that stay as they are answer nothing
        if new == old {
            return None;
        }
        let (larger, smaller) = ratio(old, new).ok()?;
        layout.checked_upcast(larger).ok()?.downcast(smaller).ok()
    };
    near(layout, new, recast).into_iter().fold(error, |error, (new, recast)| {
        error.with_suggestion(Suggestion::with(2, "the new size", new, "the answer", &recast))
    })
}

#[cold]
fn refuse_containing(layout: &Layout, count: u64, leaf: Option<usize>) -> Error {
    let Some(leaf) = leaf else { return no_elements() };
    let error = inside(layout, count, leaf);
    match layout.checked_upcast(count) {
        Ok(upcast) => error.with_suggestion(Suggestion::call("upcast", &upcast)),
        Err(_) => error,
    }
}

/// A mode that steps inside an element, in words.
#[cold]
fn inside(layout: &Layout, count: u64, leaf: usize) -> Error {
    let mode = layout.modes().get(leaf).copied().unwrap_or_default();
    Error::new(
        ErrorKind::NotDivisible,
        format!(
            "mode {} of {} is {mode}: it steps inside an element of {count}, because {} is not a multiple of {count}",
            layout.profile().path(leaf),
            brief(layout),
            mode.stride()
        ),
    )
    .with_leaf(leaf)
}

#[cold]
fn suggest_recast(error: Error, layout: &Layout, old: u64, new: u64) -> Error {
    match layout.recast(old, new) {
        Ok(recast) => error.with_suggestion(Suggestion::call("recast", &recast)),
        Err(_) => error,
    }
}

#[cold]
fn refuse_downcast(layout: &Layout, count: u64, adjacent: usize) -> Error {
    let error = if adjacent > 1 {
        Error::new(
            ErrorKind::NotInjective,
            format!(
                "{adjacent} modes of {} have stride 1; exactly one must, to hold the parts of an element",
                brief(layout)
            ),
        )
    } else {
        Error::new(
            ErrorKind::NotContiguous,
            format!(
                "no mode of {} has stride 1; exactly one must, to hold the {count} parts of an element",
                brief(layout)
            ),
        )
    };
    // The same elements, and a mode of one for their parts.
    let with_place = Layout::from_modes([Mode::new(1, 0)]).map(|one| one.mode(0).unwrap_or(one));
    let with_place = with_place.and_then(|one| Layout::concat(&[one, layout.clone()]));
    match with_place.and_then(|layout| layout.downcast(count).map(|parts| (layout, parts))) {
        Ok((layout, parts)) => error.with_suggestion(Suggestion::with(0, "the layout", layout, "the answer", &parts)),
        // several modes of stride 1 stay several
        Err(_) => error,
    }
}
