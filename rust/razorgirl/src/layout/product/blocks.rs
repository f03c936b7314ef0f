//! Products mode against mode, and up to a shape.

use crate::error::{Error, ErrorKind, Result, brief};
use crate::int_tuple::profile::Span;
use crate::int_tuple::{IntTuple, Profile, Shape};
use crate::layout::basic::{Layout, LayoutBuilder};
use crate::layout::mode::Mode;

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
    pub fn raked_product(&self, tiles: &Self) -> Result<Self> {
        self.interleaved(tiles, First::Tiles)
    }

    /// The block repeated until it has this shape, mode by mode: the [blocked product](Self::blocked_product) with as many
    /// copies in each mode as fill it. The modes of the shape count by their sizes.
    ///
    /// Without an order, copies follow each other along the first mode first. An order gives each mode a number; the mode
    /// of the smallest is filled first, and of equal ones the earlier. A bare number stands for all modes.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the block has more modes than the shape, or the order is no tuple of as
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
    pub fn tile_to_shape(&self, shape: &Shape, order: Option<&IntTuple>) -> Result<Self> {
        let rank = shape.rank();
        if self.rank() > rank {
            return Err(too_many_modes(self, shape));
        }
        let ranks = match order {
            None => vec![0; rank],
            Some(order) if order.is_leaf() => vec![0; rank],
            Some(order) if *order.profile() == Profile::flat(rank) => order.leaves().to_vec(),
            Some(order) => return Err(disordered(order, rank)),
        };
        let mut blocks = self.sublayouts();
        let mut repetitions = Vec::with_capacity(rank);
        for (i, mode) in shape.extents().modes().enumerate() {
            // At most the size of the shape.
            let extent: u64 = mode.leaves().iter().product();
            let block = blocks.next().map_or(1, |block| block.size());
            if !extent.is_multiple_of(block) {
                return Err(uneven(self, i, block, extent));
            }
            repetitions.push(extent / block);
        }
        let mut order: Vec<usize> = (0..rank).collect();
        order.sort_by_key(|i| ranks.get(*i));
        let mut modes = vec![Mode::default(); rank];
        let mut stride = 1;
        for i in order {
            modes[i] = Mode::new(repetitions[i], stride);
            stride *= repetitions[i];
        }
        self.blocked_product(&Self::from_modes(modes)?)
    }

    fn interleaved(&self, tiles: &Self, first: First) -> Result<Self> {
        let product = self.logical_product(tiles)?;
        let parts: Vec<_> = product.profile().children().collect();
        let [block, copies] = parts.as_slice() else { return Ok(product) };
        // A leaf of the tiles is one mode, even where its copies take several.
        let modes = |part: &Span, of: &Self| -> Vec<Span> {
            if of.profile().is_leaf() { vec![part.clone()] } else { product.profile().children_of(part).collect() }
        };
        let (mut blocks, mut copies) = (modes(block, self).into_iter(), modes(copies, tiles).into_iter());
        let mut builder = LayoutBuilder::new();
        builder.profile.open()?;
        for _ in 0..self.rank().max(tiles.rank()) {
            builder.profile.open()?;
            let pair = match first {
                First::Block => [blocks.next(), copies.next()],
                First::Tiles => [copies.next(), blocks.next()],
            };
            for mode in pair {
                if let Some(mode) = mode {
                    builder.push(&product, &mode)?;
                } else {
                    builder.modes.push(Mode::new(1, 0));
                    builder.profile.leaf();
                }
            }
            builder.profile.close();
        }
        builder.profile.close();
        Ok(Self::valid(builder.modes, builder.profile.finish(), product.size(), product.cosize()))
    }
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
    Error::new(ErrorKind::Incongruent, format!("the order {} is no number for each of {rank} modes", brief(order)))
        .with_help(format!("give a tuple of {rank} integers, or one integer for column-major"))
}

#[cold]
fn uneven(block: &Layout, mode: usize, size: u64, extent: u64) -> Error {
    let (below, above) = (extent / size * size, (extent / size + 1).checked_mul(size));
    let nearest: Vec<String> =
        [Some(below), above].into_iter().flatten().filter(|n| *n > 0).map(|n| n.to_string()).collect();
    Error::new(
        ErrorKind::NotDivisible,
        format!(
            "mode {mode} of the shape is {extent}, which the {size} elements of mode {mode} of {} do not divide",
            brief(block)
        ),
    )
    .with_help(format!("the nearest that they divide: {}", nearest.join(", ")))
}
