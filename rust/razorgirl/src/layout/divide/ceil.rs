//! Division with padding.

use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::Range;

use crate::coord::{Coord, index_error};
use crate::error::{Error, ErrorKind, Result};
use crate::inline::InlineVec;
use crate::layout::basic::Layout;
use crate::layout::complement::{chain, gaps, obstacle};
use crate::layout::composition::{digitwise, witness};
use crate::layout::mode::Mode;
use crate::layout::tiler::{AsTiler, ByMode, Form, Nest, Tiler, Undivided};
use crate::suggestion::Suggestion;

use super::{divided, refusal};

/// A layout cut into tiles, the last of which may reach past it: the result of [`Layout::logical_divide_ceil`].
///
/// Each coordinate of the result maps to an index of the layout, or is padding. Without the padding the result has
/// each element exactly once.
///
/// Lean: `Razorgirl.Layout.ceilPartsBy`
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CeilDivided {
    /// The quotient, of at least the size of the layout.
    pub layout: Layout,
    /// What was divided, from left to right.
    pub parts: Vec<CeilPart>,
    /// The elements of the layout.
    elements: u64,
}

/// One divided mode of a [`CeilDivided`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CeilPart {
    /// From coordinates to indices of the undivided mode: a bijection onto `[0, size)`.
    pub index: Layout,
    /// The size of the undivided mode: an index at or above it is padding.
    pub bound: u64,
    /// The leaves of the quotient that are this mode.
    leaves: Range<usize>,
}

impl CeilDivided {
    /// How many coordinates are padding.
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "10:1".parse()?;
    /// let divided = layout.logical_divide_ceil(&Tiler::integer(4)?)?;
    /// assert_eq!((divided.layout.to_string().as_str(), divided.padded()), ("(4,3):(1,4)", 2));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[must_use]
    pub fn padded(&self) -> u64 {
        self.layout.size() - self.elements
    }

    /// Whether a coordinate of the quotient is padding; `_` counts as 0.
    ///
    /// # Errors
    /// As [`Shape::crd2idx`](crate::Shape::crd2idx).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "10:1".parse()?;
    /// let divided = layout.logical_divide_ceil(&Tiler::integer(4)?)?;
    /// assert!(!divided.is_padded(&"(1,2)".parse()?)?);
    /// assert!(divided.is_padded(&"(2,2)".parse()?)?);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn is_padded(&self, coord: &Coord) -> Result<bool> {
        let index = self.layout.shape().crd2idx(coord)?;
        self.is_padded_at(index)
    }

    /// Whether a linear index of the quotient is padding.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) unless `index` is below the size.
    pub fn is_padded_at(&self, index: u64) -> Result<bool> {
        if index >= self.layout.size() {
            return Err(index_error(index, self.layout.size()));
        }
        let modes = self.layout.modes();
        let extents = |leaves: Range<usize>| modes.get(leaves).unwrap_or_default().iter().map(|mode| mode.extent());
        for part in &self.parts {
            let before: u64 = extents(0..part.leaves.start).product();
            let size: u64 = extents(part.leaves.clone()).product();
            if part.index.at(index / before % size)? >= part.bound {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Layout {
    /// Division by tiles that need not divide the layout: the last tiles may reach past the layout, and the result says
    /// which coordinates are padding. Where the tiles divide it, this is [`logical_divide`](Self::logical_divide).
    ///
    /// A padded coordinate has the offset that the layout would have if its last mode of extent above 1 were longer.
    ///
    /// # Errors
    /// As [`logical_divide`](Self::logical_divide), except that a tile may be of any size; and
    /// [`Overflow`](ErrorKind::Overflow) when size or cosize of the result is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(100,60):(1,100)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::integer(32)?, Tiler::integer(16)?]);
    /// let divided = layout.logical_divide_ceil(&tiler)?;
    /// assert_eq!(divided.layout.to_string(), "((32,4),(16,4)):((1,32),(100,1600))");
    /// assert!(!divided.is_padded(&"((3,3),(11,3))".parse()?)?);
    /// assert!(divided.is_padded(&"((4,3),(0,0))".parse()?)?);
    /// assert_eq!(divided.padded(), 128 * 64 - 100 * 60);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `logical_divide(layout, tiler)`, which pads silently if the tile divides the modes of the layout, and otherwise
    /// returns a layout that lacks elements.
    ///
    /// Lean: `Razorgirl.Layout.logicalDivideCeilBy`, `Razorgirl.Layout.ceilDivisionByRefusal`
    pub fn logical_divide_ceil<T: AsTiler>(&self, tiler: &T) -> Result<CeilDivided> {
        let tiler = &*tiler.as_tiler();
        let found = RefCell::new(Vec::new());
        let run = |layout: &Self, tile: &Self| {
            let (quotient, index) = whole_tiles_or_near(layout, tile)?;
            found.borrow_mut().push((index, layout.size()));
            Ok(quotient)
        };
        let each = ByMode { run: &run, quietly: &quietly, result: "the quotient" };
        let layout = self.by_mode(tiler, Nest::InPlace, &each, |_| None)?;
        let mut places = Vec::new();
        place(tiler, self, &layout, 0, &mut places);
        let parts = found.into_inner().into_iter().zip(places);
        let parts = parts.map(|((index, bound), leaves)| CeilPart { index, bound, leaves }).collect();
        Ok(CeilDivided { layout, parts, elements: self.size() })
    }

    /// [`logical_divide_ceil`](Self::logical_divide_ceil) with all tile modes in mode 0 and all rest modes in mode 1:
    /// `((tile, …), (rest, …, further mode, …))`. Where the tiles divide the layout, this is
    /// [`zipped_divide`](Self::zipped_divide).
    ///
    /// Its size is the size of a tile times the number of tiles; coordinates beyond the elements of the layout are padding.
    ///
    /// # Errors
    /// As [`logical_divide_ceil`](Self::logical_divide_ceil).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(5,3):(1,5)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::integer(2)?, Tiler::integer(2)?]);
    /// assert_eq!(layout.zipped_divide_ceil(&tiler)?.to_string(), "((2,2),(3,2)):((1,5),(2,10))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `zipped_divide(layout, tiler)`, which pads silently.
    ///
    /// Lean: `Razorgirl.Layout.zippedDivideCeil`
    pub fn zipped_divide_ceil<T: AsTiler>(&self, tiler: &T) -> Result<Self> {
        let tiler = &*tiler.as_tiler();
        let run = |layout: &Self, tile: &Self| whole_tiles_or_near(layout, tile).map(|(quotient, _)| quotient);
        let each = ByMode { run: &run, quietly: &quietly, result: "the quotient" };
        self.by_mode(tiler, Nest::Apart(Form::Zipped, Undivided::Rest), &each, |_| None)
    }
}

/// Division with padding of one mode; a refusal suggests what is near.
fn whole_tiles_or_near(layout: &Layout, tile: &Layout) -> Result<(Layout, Layout)> {
    whole_tiles(layout, tile).map_err(|error| match error.kind() {
        ErrorKind::TooLarge | ErrorKind::Overflow => error,
        _ => refusal::near(error, layout, tile, None, quietly),
    })
}

/// Division with padding of one mode, without words.
fn quietly(layout: &Layout, tile: &Layout) -> Option<Layout> {
    whole_tiles(layout, tile).ok().map(|(quotient, _)| quotient)
}

/// What [`Layout::logical_divide_ceil`] answers where division refuses.
pub(super) fn suggested(layout: &Layout, tiler: &Tiler) -> Option<Suggestion> {
    let quotient = layout.by_mode_quietly(tiler, Nest::InPlace, &quietly)?;
    let note = format!(", which pads {} elements to {}", layout.size(), quotient.size());
    Some(Suggestion::call("logical_divide_ceil", &quotient).noting(note))
}

/// The leaves of `quotient` that each layout of the tiler has divided, in order; the first leaf of it is leaf `from` of
/// the whole.
fn place(tiler: &Tiler, layout: &Layout, quotient: &Layout, from: usize, ranges: &mut Vec<Range<usize>>) {
    match tiler {
        Tiler::Keep => {}
        Tiler::Layout(_) => ranges.push(from..from + quotient.modes().len()),
        Tiler::Modes(tilers) => {
            let spans = quotient.profile().children();
            for ((tiler, mode), span) in tilers.iter().zip(layout.sublayouts()).zip(spans) {
                place(tiler, &mode, &quotient.part(&span), from + span.leaves.start, ranges);
            }
        }
    }
}

/// What a tile and the gaps in it fill.
pub(super) fn block(tile: &Layout) -> u128 {
    chain(tile.modes()).as_slice().last().map_or(1, |mode| u128::from(mode.extent()) * u128::from(mode.stride()))
}

/// The quotient of as many whole tiles as the layout needs, and the index for which each of its coordinates stands.
pub(super) fn whole_tiles(layout: &Layout, tile: &Layout) -> Result<(Layout, Layout)> {
    if let Some(quotient) = divided(layout, tile) {
        let complement = tile.complement_in(layout.size())?;
        return Ok((quotient, Layout::concat(&[tile.clone(), complement])?));
    }
    if let Some(error) = obstacle(tile) {
        return Err(error.about("no copies of the tile fill a layout"));
    }
    let block = block(tile);
    let size = u128::from(layout.size().max(tile.cosize())).div_ceil(block) * block;
    let index = tile.complement_in(size).and_then(|complement| Layout::concat(&[tile.clone(), complement]));
    let grown = index.as_ref().map_err(Clone::clone).and_then(|index| grown(layout, index.cosize()));
    match (index, grown) {
        (Ok(index), Ok(grown)) => match digitwise(&grown, &index) {
            Some(quotient) => Ok((quotient, index)),
            None => Err(misaligned(layout, tile, block, size).witnessed(witness::strict(&grown, &index))),
        },
        (_, Err(error)) | (Err(error), _) if error.kind() == ErrorKind::TooLarge => Err(error),
        _ => {
            let error = misaligned(layout, tile, block, size);
            if error.kind() == ErrorKind::TooLarge { Err(too_many(size)) } else { Err(error) }
        }
    }
}

/// The layout with at least `size` coordinates: its last mode of extent above 1 goes on, and where there is none, its one
/// offset repeats.
fn grown(layout: &Layout, size: u64) -> Result<Layout> {
    if size <= layout.size() {
        return Ok(layout.clone());
    }
    let mut modes = layout.modes().to_vec();
    match modes.iter().rposition(|mode| mode.extent() > 1) {
        Some(last) => {
            let mode = modes[last];
            modes[last] = Mode::new(size.div_ceil(layout.size() / mode.extent()), mode.stride());
            Layout::from_modes(modes)
        }
        None => Layout::from_modes([Mode::new(size, 0)]),
    }
}

/// Why the modes of the tile, and those of its complement in `size`, do not line up with the layout.
#[cold]
fn misaligned(layout: &Layout, tile: &Layout, block: u128, size: u128) -> Error {
    let mut found = InlineVec::new();
    // There is no obstacle, so that the walk comes to its end.
    let _ = gaps(chain(tile.modes()).as_slice(), &mut found);
    let mut modes = [tile.modes(), found.as_slice()].concat();
    if let (Ok(copies), Ok(block)) = (u64::try_from(size / block), u64::try_from(block))
        && copies > 1
    {
        modes.push(Mode::new(copies, block));
    }
    refusal::misaligned(layout, tile, &modes)
}

fn too_many(size: u128) -> Error {
    Error::new(
        ErrorKind::Overflow,
        format!("whole tiles fill {size} elements; size or cosize of the quotient is 2^64 or more"),
    )
    .with_help("size and cosize must stay below 2^64")
}
