//! A layout repeated as another one says.

use crate::error::Result;
use crate::inline::InlineVec;
use crate::int_tuple::Profile;

use super::basic::Layout;
use super::complement::{Filled, gaps, sort_into};
use super::composition::pieces;
use super::divide::grouped;
use super::mode::Mode;
use super::small_result::SmallResult;
use super::tiler::{AsTiler, ByMode, Form, Nest, Undivided};

pub(super) mod blocks;
pub(super) mod inline;
mod refusal;

use inline::product_inline;

impl Layout {
    /// Copies of this layout, arranged by a layout `T`: mode 0 is this layout, mode 1 runs over the copies.
    /// `A ⊗ T = (A, C ∘ T)`, where `C` is the complement of `A` without its stride-0 modes, long enough for `T`. A [`Tiler`](super::Tiler)
    /// multiplies mode by mode: an integer `n` is `n:1`, and `_` leaves a mode as it is. Modes beyond those of the tiler are
    /// not multiplied.
    ///
    /// Copies at different offsets of `T` share no offset, and copies at equal offsets of `T` coincide. Mode 1 has the profile
    /// of `T`. A product by a tuple multiplies each mode independently, so copies along one mode may overlap another mode.
    ///
    /// O(leaves of `A` · log + leaves of `A` × leaves of the result), without enumeration.
    ///
    /// # Errors
    /// [`NotInjective`](crate::ErrorKind::NotInjective) or [`NotDivisible`](crate::ErrorKind::NotDivisible) if the layout,
    /// without its stride-0 modes, has no [`complement`](Self::complement);
    /// [`Incongruent`](crate::ErrorKind::Incongruent) if a tuple of the tiler has more modes than the mode that it multiplies;
    /// the errors of [`composition`](Self::composition) if the modes of `T` do not divide those of the complement; and
    /// [`Overflow`](crate::ErrorKind::Overflow) if size or cosize of the result is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// // the examples of CuTe's documentation
    /// let block: Layout = "(2,2):(4,1)".parse()?;
    /// let (six, four): (Layout, Layout) = ("6:1".parse()?, "(4,2):(2,1)".parse()?);
    /// assert_eq!(block.logical_product(&six)?.to_string(), "((2,2),(2,3)):((4,1),(2,8))");
    /// assert_eq!(block.logical_product(&four)?.to_string(), "((2,2),(4,2)):((4,1),(8,2))");
    ///
    /// let layout: Layout = "(2,5):(5,1)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::Layout("3:5".parse()?), Tiler::Layout("4:6".parse()?)]);
    /// assert_eq!(layout.logical_product(&tiler)?.to_string(), "((2,3),(5,4)):((5,10),(1,30))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `logical_product(block, tiler)`, whose copies overlap where this returns an error about the block. pycute's
    /// divides if the tiler is an integer. Categorical Foundations 2.3.9; there the complement ends at size × cosize, and need
    /// not exist.
    ///
    /// Lean: `Razorgirl.Layout.logicalProduct`, `Razorgirl.Layout.productRefusal`
    ///
    /// Lean: `Razorgirl.Layout.logicalProductBy`, `Razorgirl.Layout.productByRefusal`
    #[inline]
    pub fn logical_product<T: AsTiler>(&self, tiler: &T) -> Result<Self> {
        match tiler.as_layout() {
            Some(tiles) => self.multiplied_by_tiles(tiles),
            None => self.multiplied_by(tiler, Nest::InPlace),
        }
    }

    #[inline]
    fn multiplied_by_tiles(&self, tiles: &Self) -> Result<Self> {
        let mut small = SmallResult::default();
        let inline = product_inline(self, tiles, &mut small);
        small.layout_or(inline, || product_of(self, tiles))
    }

    /// The product with all block modes in mode 0 and all copy modes in mode 1: `((block, …), (copies, …, further mode, …))`.
    ///
    /// A mode under `_` belongs to the block; it has one copy, `1:0`.
    ///
    /// # Errors
    /// As [`logical_product`](Self::logical_product).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(2,5):(5,1)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::Layout("3:5".parse()?), Tiler::Layout("4:6".parse()?)]);
    /// assert_eq!(layout.zipped_product(&tiler)?.to_string(), "((2,5),(3,4)):((5,1),(10,30))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `zipped_product(block, tiler)`. C++ does not accept `_` here; pycute does, and treats the block as the copy.
    ///
    /// Lean: `Razorgirl.Layout.zippedProduct`
    pub fn zipped_product<T: AsTiler>(&self, tiler: &T) -> Result<Self> {
        self.multiplied_by(tiler, Nest::Apart(Form::Zipped, Undivided::Tile))
    }

    /// The product with all block modes in mode 0, followed by the copy modes one by one:
    /// `((block, …), copies, …, further mode, …)`.
    ///
    /// If the tiler is a tuple of one mode, the copies stay in a tuple of one mode, as in CuTe C++; pycute unwraps it.
    ///
    /// # Errors
    /// As [`logical_product`](Self::logical_product).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(2,5):(5,1)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::Layout("3:5".parse()?), Tiler::Layout("4:6".parse()?)]);
    /// assert_eq!(layout.tiled_product(&tiler)?.to_string(), "((2,5),3,4):((5,1),10,30)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `tiled_product(block, tiler)`.
    ///
    /// Lean: `Razorgirl.Layout.tiledProduct`
    pub fn tiled_product<T: AsTiler>(&self, tiler: &T) -> Result<Self> {
        self.multiplied_by(tiler, Nest::Apart(Form::Tiled, Undivided::Tile))
    }

    /// The product with the block modes one by one, followed by the copy modes one by one:
    /// `(block, …, copies, …, further mode, …)`.
    ///
    /// A tuple of one mode is not unwrapped, as in CuTe C++.
    ///
    /// # Errors
    /// As [`logical_product`](Self::logical_product).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(2,5):(5,1)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::Layout("3:5".parse()?), Tiler::Layout("4:6".parse()?)]);
    /// assert_eq!(layout.flat_product(&tiler)?.to_string(), "(2,5,3,4):(5,1,10,30)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `flat_product(block, tiler)`.
    ///
    /// Lean: `Razorgirl.Layout.flatProduct`
    pub fn flat_product<T: AsTiler>(&self, tiler: &T) -> Result<Self> {
        self.multiplied_by(tiler, Nest::Apart(Form::Flat, Undivided::Tile))
    }

    fn multiplied_by(&self, tiler: &impl AsTiler, nest: Nest) -> Result<Self> {
        let tiler = &*tiler.as_tiler();
        let each = ByMode { run: &Self::multiplied_by_tiles, quietly: &product, result: "the product" };
        self.by_mode(tiler, nest, &each, |_| None)
    }
}

/// What [`product_inline`] does not find.
#[inline(never)]
fn product_of(block: &Layout, tiles: &Layout) -> Result<Layout> {
    product(block, tiles).ok_or_else(|| refusal::refuse(block, tiles))
}

/// The product, or nothing where it is refused.
pub(super) fn product(block: &Layout, tiles: &Layout) -> Option<Layout> {
    let mut product = Layout::blank(block.size(), block.cosize());
    multiply_into(&mut product, block, tiles)?;
    Some(product)
}

/// Writes the product over what has the size and cosize of the block, or nothing that counts where it is refused.
#[inline]
fn multiply_into(product: &mut Layout, block: &Layout, tiles: &Layout) -> Option<()> {
    let mut places = InlineVec::<Mode>::new();
    place(&mut places, block, tiles.cosize())?;
    let (last, bounded) = places.as_slice().split_last()?;
    let mut load = InlineVec::<u64>::new();
    for _ in bounded {
        load.push(0);
    }
    let load = load.as_mut_slice();
    product.inline = block.inline;
    product.count = block.count;
    product.heap.clone_from(&block.heap);
    let mut counts = InlineVec::<usize>::new();
    let (mut reach, mut split) = (0_u64, false);
    for mode in tiles.modes() {
        let before = product.count;
        reach += pieces(bounded, *last, *mode, load, product)?;
        let count = product.count - before;
        split |= count > 1;
        counts.push(count);
    }
    product.profile = if split {
        Profile::pair(block.profile(), &grouped(tiles.profile(), counts.as_slice())?)?
    } else {
        Profile::pair(block.profile(), tiles.profile())?
    };
    product.size = block.size().checked_mul(tiles.size())?;
    product.cosize = block.cosize().checked_add(reach)?;
    Some(())
}

/// Appends the places of copies of a layout, stride-0 modes left out: the modes of its complement, cut off where `count` of
/// them are reached. Nothing where there is no complement, or where copies would lie at 2^64 or beyond.
///
/// The complement in full may reach far beyond 2^64 when the product does not. The last place that is kept is the one at
/// which a copy begins; with it, what fits is exactly what the product needs.
#[inline]
fn place(places: &mut InlineVec<Mode>, block: &Layout, count: u64) -> Option<()> {
    let mut chain = InlineVec::new();
    sort_into(&mut chain, block.modes());
    let moving = chain.as_slice().iter().position(|mode| mode.stride() > 0).unwrap_or(chain.len());
    let Filled(filled) = gaps(chain.as_slice().get(moving..)?, places)?;
    // Side by side with the layout, the gaps fill less than its largest stride.
    let found: u64 = places.as_slice().iter().map(|gap| gap.extent()).product();
    if found < count {
        places.push(Mode::new(count.div_ceil(found), filled?));
    } else if places.len() == 0 {
        places.push(Mode::new(1, 0));
    }
    // Whether the last copy begins below 2^64.
    let reach = |place: &Mode| (place.extent() - 1).checked_mul(place.stride());
    places.as_slice().iter().try_fold(1_u64, |end, place| end.checked_add(reach(place)?))?;
    Some(())
}
