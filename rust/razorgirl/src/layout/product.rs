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
use super::tiler::{ByMode, Form, Nest, Tiler, Undivided};

pub(super) mod blocks;
pub(super) mod inline;
mod refusal;

use inline::product_inline;

impl Layout {
    /// Copies of this layout, arranged as `tiles` says: mode 0 is the layout, mode 1 runs over the copies.
    /// `A ⊗ T = (A, C ∘ T)`, where `C` is the complement of `A`, stride-0 modes left out, that is long enough for `T`.
    ///
    /// Copies at different offsets of `T` share no offset, and those at equal offsets coincide. Mode 1 is nested as `T`.
    ///
    /// O(leaves of `A` · log + leaves of `A` × leaves of the result), without enumeration.
    ///
    /// # Errors
    /// [`NotInjective`](crate::ErrorKind::NotInjective) or [`NotDivisible`](crate::ErrorKind::NotDivisible) when the layout,
    /// stride-0 modes left out, has no [`complement`](Self::complement) in which copies could lie; the refusals of
    /// [`composition`](Self::composition) when the modes of `T` do not line up with that complement; and
    /// [`Overflow`](crate::ErrorKind::Overflow) when size or cosize of the result is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// // the examples of CuTe's documentation
    /// let block: Layout = "(2,2):(4,1)".parse()?;
    /// assert_eq!(block.logical_product(&"6:1".parse()?)?.to_string(), "((2,2),(2,3)):((4,1),(2,8))");
    /// assert_eq!(block.logical_product(&"(4,2):(2,1)".parse()?)?.to_string(), "((2,2),(4,2)):((4,1),(8,2))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `logical_product(block, tiles)`, whose copies overlap where this refuses a block. Categorical Foundations
    /// 2.3.9; there the complement ends at size × cosize, and need not exist.
    ///
    /// Lean: `Razorgirl.Layout.logicalProduct`, `Razorgirl.Layout.productRefusal`
    #[inline]
    pub fn logical_product(&self, tiles: &Self) -> Result<Self> {
        let mut small = SmallResult::default();
        let inline = product_inline(self, tiles, &mut small);
        small.layout_or(inline, || product_of(self, tiles))
    }

    /// The product by tiler: an integer `n` is `n:1`, `_` keeps a mode, a tuple multiplies mode by mode. Modes beyond
    /// those of the tiler stay as they are.
    ///
    /// Mode by mode: copies of one mode know nothing of the other modes, and may overlap with them.
    ///
    /// # Errors
    /// [`Incongruent`](crate::ErrorKind::Incongruent) when a tuple of the tiler has more modes than what it meets, else as
    /// [`logical_product`](Self::logical_product).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// // the example of CuTe's documentation
    /// let layout: Layout = "(2,5):(5,1)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::Layout("3:5".parse()?), Tiler::Layout("4:6".parse()?)]);
    /// assert_eq!(layout.logical_product_by(&tiler)?.to_string(), "((2,3),(5,4)):((5,10),(1,30))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `logical_product(block, tiler)`. The one of pycute divides where the tiler is an integer.
    ///
    /// Lean: `Razorgirl.Layout.logicalProductBy`, `Razorgirl.Layout.productByRefusal`
    pub fn logical_product_by(&self, tiler: &Tiler) -> Result<Self> {
        self.multiplied_by(tiler, Nest::InPlace)
    }

    /// The product by tiler with the blocks in one mode and the copies in the other:
    /// `((block, …), (copies, …, further mode, …))`.
    ///
    /// A mode under `_` is all block; there is one copy of it, `1:0`.
    ///
    /// # Errors
    /// As [`logical_product_by`](Self::logical_product_by).
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
    /// CuTe: `zipped_product(block, tiler)`. C++ does not take `_` here; pycute does, and calls the block a copy.
    ///
    /// Lean: `Razorgirl.Layout.zippedProduct`
    pub fn zipped_product(&self, tiler: &Tiler) -> Result<Self> {
        self.multiplied_by(tiler, Nest::Apart(Form::Zipped, Undivided::Tile))
    }

    /// The product by tiler with the blocks in one mode and each copy count a mode of its own:
    /// `((block, …), copies, …, further mode, …)`.
    ///
    /// The copies of a tuple of one mode stay in their tuple, as in CuTe C++; pycute unwraps it.
    ///
    /// # Errors
    /// As [`logical_product_by`](Self::logical_product_by).
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
    pub fn tiled_product(&self, tiler: &Tiler) -> Result<Self> {
        self.multiplied_by(tiler, Nest::Apart(Form::Tiled, Undivided::Tile))
    }

    /// The product by tiler with each block and each copy count a mode of its own:
    /// `(block, …, copies, …, further mode, …)`.
    ///
    /// Tuples of one mode stay as they are, as in CuTe C++.
    ///
    /// # Errors
    /// As [`logical_product_by`](Self::logical_product_by).
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
    pub fn flat_product(&self, tiler: &Tiler) -> Result<Self> {
        self.multiplied_by(tiler, Nest::Apart(Form::Flat, Undivided::Tile))
    }

    fn multiplied_by(&self, tiler: &Tiler, nest: Nest) -> Result<Self> {
        let each = ByMode { run: &Self::logical_product, quietly: &product, result: "the product" };
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
