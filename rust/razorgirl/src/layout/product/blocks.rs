//! Products mode against mode, and up to a shape.

use crate::error::{Error, ErrorKind, Result, Witness, brief};
use crate::int_tuple::profile::Span;
use crate::int_tuple::{IntTuple, Profile, Shape};
use crate::layout::basic::{Layout, LayoutBuilder};
use crate::layout::mode::Mode;
use crate::layout::suggest::retold;
use crate::suggestion::{Argument, Suggestion};
use alloc::vec::Vec;

use super::product;

/// Which of two modes side by side comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Block,
    Tiles,
}

impl Layout {
    /// Whole blocks beside each other: the [product](Self::logical_product), with each mode of the tiles behind the mode
    /// of the block: `((A_0,T_0), (A_1,T_1), …)`. The layout of fewer modes is padded with `1:0`.
    ///
    /// # Errors
    /// As [`logical_product`](Self::logical_product).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// // the example of CuTe's documentation
    /// let block: Layout = "(2,5):(5,1)".parse()?;
    /// let tiles: Layout = "(3,4):(1,3)".parse()?;
    /// assert_eq!(block.blocked_product(&tiles)?.to_string(), "((2,3),(5,4)):((5,10),(1,30))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `blocked_product(block, tiles)`.
    ///
    /// Lean: `Razorgirl.Layout.blockedProduct`
    pub fn blocked_product(&self, tiles: &Self) -> Result<Self> {
        self.interleaved(tiles, First::Block)
    }

    /// Blocks interleaved element by element: the [product](Self::logical_product), with each mode of the tiles before the
    /// mode of the block: `((T_0,A_0), (T_1,A_1), …)`. The layout of fewer modes is padded with `1:0`.
    ///
    /// # Errors
    /// As [`logical_product`](Self::logical_product).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// // the example of CuTe's documentation
    /// let block: Layout = "(2,5):(5,1)".parse()?;
    /// let tiles: Layout = "(3,4):(1,3)".parse()?;
    /// assert_eq!(block.raked_product(&tiles)?.to_string(), "((3,2),(4,5)):((10,5),(30,1))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `raked_product(block, tiles)`.
    ///
    /// Lean: `Razorgirl.Layout.rakedProduct`
    pub fn raked_product(&self, tiles: &Self) -> Result<Self> {
        self.interleaved(tiles, First::Tiles)
    }

    /// The block repeated until it has this shape, mode by mode: the [blocked product](Self::blocked_product) with as many
    /// copies in each mode as fill it. The modes of the shape count by their sizes.
    ///
    /// Without an order, copies fill the first mode first. An order gives each mode a number: the mode of the smallest number
    /// is filled first; of modes with equal numbers, the first one. A single integer is the order of all modes.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the block has more modes than the shape, or the order is not a tuple of as
    /// many numbers; [`NotDivisible`](ErrorKind::NotDivisible) when a mode of the block does not divide that of the shape;
    /// else as [`logical_product`](Self::logical_product).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// // a swizzle-free atom of shared memory, repeated to a tile of 128 × 64
    /// let atom: Layout = "(8,64):(64,1)".parse()?;
    /// let tile = atom.tile_to_shape(&"(128,64)".parse()?, None)?;
    /// assert_eq!(tile.to_string(), "((8,16),(64,1)):((64,512),(1,0))");
    /// let atom: Layout = "(8,8):(8,1)".parse()?;
    /// let tile = atom.tile_to_shape(&"(16,16)".parse()?, Some(&"(1,0)".parse()?))?;
    /// assert_eq!(tile.to_string(), "((8,2),(8,2)):((8,128),(1,64))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `tile_to_shape(block, shape, order)`, which rounds up where run-time numbers do not divide, and lets copies
    /// coincide where two modes have the same number.
    ///
    /// Lean: `Razorgirl.Layout.tileToShape`, `Razorgirl.Layout.tileToShapeRefusal`
    pub fn tile_to_shape(&self, shape: &Shape, order: Option<&IntTuple>) -> Result<Self> {
        let tiles = tiles_for(self, shape, order).map_err(|error| uneven_near(error, self, shape, order))?;
        self.blocked_product(&tiles).map_err(|error| {
            error.retold(|suggestion| {
                if let Some(Argument::Layout(block)) = suggestion.only(0) {
                    let tiled = tiled(block, shape, order)?;
                    return Some(Suggestion::with(0, "the block", block.clone(), "the result", &tiled));
                }
                let Some(Argument::Layout(fixed)) = suggestion.only(1) else { return None };
                let shape = shape_of(self, shape, &tiles, fixed)?;
                let tiled = tiled(self, &shape, order)?;
                Some(Suggestion::with(1, "the shape", shape, "the result", &tiled))
            })
        })
    }

    fn interleaved(&self, tiles: &Self, first: First) -> Result<Self> {
        let product = self.logical_product(tiles).map_err(|error| {
            let run = |block: &Self, tiles: &Self| interleave(&product(block, tiles)?, block, tiles, first).ok();
            error.retold(|suggestion| retold(suggestion, [self, tiles], ["the block", "the tiles"], "the product", run))
        })?;
        interleave(&product, self, tiles, first)
    }
}

/// The modes of a product, each beside the mode that it was multiplied with.
fn interleave(product: &Layout, block: &Layout, tiles: &Layout, first: First) -> Result<Layout> {
    let mut parts = product.profile().children();
    let (Some(blocks), Some(copies)) = (parts.next(), parts.next()) else { return Ok(product.clone()) };
    // A leaf of the tiles is one mode, even where its copies take several.
    let modes = |part: Span, of: &Layout| -> Vec<Span> {
        if of.profile().is_leaf() { vec![part] } else { product.profile().children_of(&part).collect() }
    };
    let (mut blocks, mut copies) = (modes(blocks, block).into_iter(), modes(copies, tiles).into_iter());
    let mut builder = LayoutBuilder::new();
    builder.profile.open()?;
    for _ in 0..block.rank().max(tiles.rank()) {
        builder.profile.open()?;
        let pair = match first {
            First::Block => [blocks.next(), copies.next()],
            First::Tiles => [copies.next(), blocks.next()],
        };
        for mode in pair {
            if let Some(mode) = mode {
                builder.push(product, &mode)?;
            } else {
                builder.modes.push(Mode::new(1, 0));
                builder.profile.leaf();
            }
        }
        builder.profile.close();
    }
    builder.profile.close();
    Ok(Layout::valid(builder.modes, builder.profile.finish(), product.size(), product.cosize()))
}

/// The raked product, without words where there is none.
pub(in crate::layout) fn raked(block: &Layout, tiles: &Layout) -> Option<Layout> {
    interleave(&product(block, tiles)?, block, tiles, First::Tiles).ok()
}

/// [`Layout::tile_to_shape`], without words where it is refused.
fn tiled(block: &Layout, shape: &Shape, order: Option<&IntTuple>) -> Option<Layout> {
    let tiles = tiles_for(block, shape, order).ok()?;
    interleave(&product(block, &tiles)?, block, &tiles, First::Block).ok()
}

/// The copies in each mode that fill the shape.
fn tiles_for(block: &Layout, shape: &Shape, order: Option<&IntTuple>) -> Result<Layout> {
    let rank = shape.rank();
    if block.rank() > rank {
        return Err(too_many_modes(block, shape));
    }
    let ranks = match order {
        None => vec![0; rank],
        Some(order) if order.is_leaf() => vec![0; rank],
        Some(order) if *order.profile() == Profile::flat(rank) => order.leaves().to_vec(),
        Some(order) => return Err(disordered(order, rank)),
    };
    let mut blocks = block.sublayouts();
    let mut repetitions = Vec::with_capacity(rank);
    for (i, mode) in shape.extents().modes().enumerate() {
        let extent = extent_of(&mode);
        let size = blocks.next().map_or(1, |block| block.size());
        if !extent.is_multiple_of(size) {
            return Err(uneven(block, i, size, extent));
        }
        repetitions.push(extent / size);
    }
    let mut order: Vec<usize> = (0..rank).collect();
    order.sort_by_key(|i| ranks.get(*i));
    let mut modes = vec![Mode::default(); rank];
    let mut stride = 1;
    for i in order {
        modes[i] = Mode::new(repetitions[i], stride);
        // At most the size of the shape.
        stride *= repetitions[i];
    }
    Layout::from_modes(modes)
}

/// The size of a mode of a shape, at most that of the shape.
fn extent_of(mode: &IntTuple) -> u64 {
    mode.leaves().iter().product()
}

/// The shape for which these are the tiles: where another count of copies is suggested, the mode has another extent.
fn shape_of(block: &Layout, shape: &Shape, tiles: &Layout, fixed: &Layout) -> Option<Shape> {
    let mut extents = shape.extents().clone();
    let mut blocks = block.sublayouts();
    for (i, (was, is)) in tiles.modes().iter().zip(fixed.modes()).enumerate() {
        let size = blocks.next().map_or(1, |block| block.size());
        if was.extent() != is.extent() {
            extents = extents.replace(i, &IntTuple::leaf(size.checked_mul(is.extent())?)).ok()?;
        }
    }
    Shape::new(extents).ok()
}

/// Adds shapes near this one that the block fills.
#[cold]
fn uneven_near(error: Error, block: &Layout, shape: &Shape, order: Option<&IntTuple>) -> Error {
    let mut suggestions = Vec::new();
    for (i, (mode, block_mode)) in shape.extents().modes().zip(block.sublayouts()).enumerate() {
        let (extent, size) = (extent_of(&mode), block_mode.size());
        let below = extent / size * size;
        let near = if below == extent { Vec::new() } else { vec![Some(below), below.checked_add(size)] };
        for extent in near.into_iter().flatten().filter(|extent| *extent > 0) {
            let fixed = shape.extents().replace(i, &IntTuple::leaf(extent)).and_then(Shape::new);
            suggestions.extend(fixed.ok().and_then(|fixed| {
                let tiled = tiled(block, &fixed, order)?;
                Some(Suggestion::with(1, "the shape", fixed, "the result", &tiled))
            }));
        }
    }
    suggestions.into_iter().fold(error, Error::with_suggestion)
}

#[cold]
fn too_many_modes(block: &Layout, shape: &Shape) -> Error {
    Error::new(
        ErrorKind::Incongruent,
        format!(
            "the block {} has {} modes, the shape {} has {}",
            brief(block),
            block.rank(),
            brief(shape),
            shape.rank()
        ),
    )
    .with_help("give the shape at least as many modes as the block has")
}

#[cold]
fn disordered(order: &IntTuple, rank: usize) -> Error {
    Error::new(
        ErrorKind::Incongruent,
        format!("the order {} must have one integer for each of {rank} modes", brief(order)),
    )
    .with_help(format!("give a tuple of {rank} integers, or one integer for column-major"))
}

#[cold]
fn uneven(block: &Layout, mode: usize, size: u64, extent: u64) -> Error {
    Error::new(
        ErrorKind::NotDivisible,
        format!(
            "mode {mode} of the shape is {extent}, which the {size} elements of mode {mode} of {} do not divide",
            brief(block)
        ),
    )
    .with_witness(Witness::Uneven { block: size.into() })
    .in_mode(&[mode])
}
