//! Which part of a layout belongs to whom.

use crate::coord::{Coord, index_error};
use crate::error::{Error, ErrorKind, Result, brief};
use crate::int_tuple::{HTupleBuilder, IntTuple, Profile};
use crate::suggestion::{Argument, Suggestion};
use alloc::vec::Vec;

use super::basic::Layout;
use super::divide::divided;
use super::mode::Mode;
use super::product::blocks::raked;
use super::slice::LayoutAndOffset;
use super::suggest;
use super::tiler::{Form, Nest, Tiler, Undivided, spread};

/// Threads and their values over a tile: what [`Layout::make_layout_tv`] answers.
///
/// Lean: `Razorgirl.Layout.ThreadValue`
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadValue {
    /// The extents of the tile, one for each mode.
    pub tiler: IntTuple,
    /// From (thread, value) to the linear index in the tile: a bijection.
    pub layout: Layout,
}

impl Layout {
    /// The layout from (thread, value) to the element of a tile, for threads that lie as `threads` says and have values
    /// that lie as `values` says: the inverse of their [raked product](Self::raked_product), in the shape
    /// `(size of threads, size of values)`.
    ///
    /// # Errors
    /// As [`logical_product`](Self::logical_product) for the raked product;
    /// [`NotInjective`](ErrorKind::NotInjective) or [`NotContiguous`](ErrorKind::NotContiguous) when that is not a bijection, so
    /// that an element would belong to several threads or to none; and the errors of [`composition`](Self::composition), which
    /// cannot happen where the threads are numbered without gaps.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// // the example of CuTe DSL: 128 threads with 16 values each, over a tile of 16 × 128
    /// let threads: Layout = "(4,32):(32,1)".parse()?;
    /// let values: Layout = "(4,4):(4,1)".parse()?;
    /// let tv = Layout::make_layout_tv(&threads, &values)?;
    /// assert_eq!(tv.tiler.to_string(), "(16,128)");
    /// assert_eq!(tv.layout.to_string(), "((32,4),(4,4)):((64,4),(16,1))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe DSL: `make_layout_tv(thr_layout, val_layout)`.
    ///
    /// Lean: `Razorgirl.Layout.makeLayoutTV`
    pub fn make_layout_tv(threads: &Self, values: &Self) -> Result<ThreadValue> {
        let tile = threads.raked_product(values).map_err(|error| {
            error.retold(|suggestion| {
                suggest::retold(suggestion, [threads, values], ["the threads", "the values"], RESULT, quietly)
            })
        })?;
        thread_value(&tile, threads, values)
    }

    /// One tile of the layout: [`zipped_divide`](Self::zipped_divide) with the rest fixed at a coordinate. With it, the
    /// offset at which the tile begins.
    ///
    /// A tuple may be shorter than the rest; what it does not reach is kept, as is what is under `_`.
    ///
    /// # Errors
    /// As [`zipped_divide`](Self::zipped_divide) and [`slice`](Self::slice).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(8,6):(1,8)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::integer(4)?, Tiler::integer(3)?]);
    /// let tile = layout.inner_partition(&tiler, &"(1,1)".parse()?)?;
    /// assert_eq!(tile.to_string(), "(4,3):(1,8) at offset 28");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `inner_partition(tensor, tiler, coord)`.
    ///
    /// Lean: `Razorgirl.Layout.innerPartition`
    pub fn inner_partition(&self, tiler: &Tiler, coord: &Coord) -> Result<LayoutAndOffset> {
        let run = |layout: &Self, tiler: &Tiler| inner(&zipped(layout, tiler)?, coord).ok();
        inner(&self.zipped_divide(tiler).map_err(|error| retold(error, self, tiler, run))?, coord)
    }

    /// One element of every tile: [`zipped_divide`](Self::zipped_divide) with the tile fixed at a coordinate. With it, the
    /// offset of the first of these elements.
    ///
    /// A tuple may be shorter than the tile; what it does not reach is kept, as is what is under `_`.
    ///
    /// # Errors
    /// As [`zipped_divide`](Self::zipped_divide) and [`slice`](Self::slice).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(8,6):(1,8)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::integer(4)?, Tiler::integer(3)?]);
    /// let elements = layout.outer_partition(&tiler, &"(1,1)".parse()?)?;
    /// assert_eq!(elements.to_string(), "(2,2):(4,24) at offset 9");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `outer_partition(tensor, tiler, coord)`.
    ///
    /// Lean: `Razorgirl.Layout.outerPartition`
    pub fn outer_partition(&self, tiler: &Tiler, coord: &Coord) -> Result<LayoutAndOffset> {
        let run = |layout: &Self, tiler: &Tiler| outer(&zipped(layout, tiler)?, coord).ok();
        outer(&self.zipped_divide(tiler).map_err(|error| retold(error, self, tiler, run))?, coord)
    }

    /// The tile of a block: [`inner_partition`](Self::inner_partition), as kernels call it.
    ///
    /// # Errors
    /// As [`inner_partition`](Self::inner_partition).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(128,64):(64,1)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::integer(32)?, Tiler::integer(16)?]);
    /// let tiles = layout.local_tile(&tiler, &"(2,_)".parse()?)?;
    /// assert_eq!(tiles.to_string(), "(32,16,4):(64,1,16) at offset 4096");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `local_tile(tensor, tiler, coord)`.
    ///
    /// Lean: `Razorgirl.Layout.localTile`
    pub fn local_tile(&self, tiler: &Tiler, coord: &Coord) -> Result<LayoutAndOffset> {
        self.inner_partition(tiler, coord)
    }

    /// The elements of one thread: [`outer_partition`](Self::outer_partition) by the shape of `threads`, at the coordinate
    /// that this bijection maps to `index`. All threads together have each element exactly once.
    ///
    /// # Errors
    /// [`NotInjective`](ErrorKind::NotInjective) or [`NotContiguous`](ErrorKind::NotContiguous) when `threads` is no
    /// bijection, [`OutOfDomain`](ErrorKind::OutOfDomain) when there is no thread `index`, else as
    /// [`outer_partition`](Self::outer_partition).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(8,6):(1,8)".parse()?;
    /// let threads: Layout = "(4,3):(3,1)".parse()?;
    /// let elements = layout.local_partition(&threads, 5)?;
    /// assert_eq!(elements.to_string(), "(2,2):(4,24) at offset 17");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `local_partition(tensor, threads, index)`, which does not check that `threads` is a bijection.
    ///
    /// Lean: `Razorgirl.Layout.localPartition`
    pub fn local_partition(&self, threads: &Self, index: u64) -> Result<LayoutAndOffset> {
        let (tiler, coord) = place_of(self, threads, index)?;
        self.outer_partition(&tiler, &coord).map_err(|error| {
            // The tiler is made of the threads and was not given, so only the layout is.
            error.retold(|suggestion| match suggestion.only(0) {
                Some(Argument::Layout(fixed)) => {
                    let (tiler, coord) = place_of(fixed, threads, index).ok()?;
                    let part = outer(&zipped(fixed, &tiler)?, &coord).ok()?;
                    Some(Suggestion::with(0, "the layout", fixed.clone(), "the part", &part))
                }
                _ => None,
            })
        })
    }

    /// The sizes of the modes: CuTe's `product_each(shape(layout))`.
    fn mode_sizes(&self) -> Vec<u64> {
        let size = |span| self.modes_of(&span).iter().map(|mode| mode.extent()).product();
        self.profile().children().map(size).collect()
    }
}

fn thread_value(tile: &Layout, threads: &Layout, values: &Layout) -> Result<ThreadValue> {
    thread_values(tile, threads, values).map_err(|why| {
        let (Reason::NoBijection(error) | Reason::NoLayout(error)) = &why;
        let what = if matches!(why, Reason::NoLayout(_)) {
            "have no common layout"
        } else {
            "do not cover each element of a tile exactly once"
        };
        let about = format!("threads {} with values {} {what}", brief(threads), brief(values));
        // the witness speaks of the raked product, which was not given
        let error = error.clone().about(about).without_help().with_witness_as(|_| None);
        suggested(error, threads, values)
    })
}

/// Why there is no thread-value layout.
enum Reason {
    /// The raked product has no inverse.
    NoBijection(Error),
    /// The inverse cannot be shaped. Never where the threads are numbered without gaps.
    NoLayout(Error),
}

fn thread_values(tile: &Layout, threads: &Layout, values: &Layout) -> core::result::Result<ThreadValue, Reason> {
    let inverse = tile.inverse().map_err(Reason::NoBijection)?;
    let pairs = Layout::from_modes([Mode::new(threads.size(), 1), Mode::new(values.size(), threads.size())]);
    let layout = pairs.and_then(|pairs| inverse.composition(&pairs)).map_err(Reason::NoLayout)?;
    Ok(ThreadValue { tiler: IntTuple::flat(&tile.mode_sizes()), layout })
}

/// The quotient that partitions cut, without words where there is none.
fn zipped(layout: &Layout, tiler: &Tiler) -> Option<Layout> {
    layout.by_mode_quietly(tiler, Nest::Apart(Form::Zipped, Undivided::Rest), &divided)
}

/// The refusal of a division, as that of a partition.
#[cold]
fn retold(
    error: Error,
    layout: &Layout,
    tiler: &Tiler,
    run: impl Fn(&Layout, &Tiler) -> Option<LayoutAndOffset>,
) -> Error {
    error.retold(|suggestion| {
        if let Some(Argument::Layout(fixed)) = suggestion.only(0) {
            let part = run(fixed, tiler)?;
            return Some(Suggestion::with(0, "the layout", fixed.clone(), "the part", &part));
        }
        let Some(Argument::Tiler(fixed)) = suggestion.only(1) else { return None };
        let part = run(layout, fixed)?;
        Some(Suggestion::with(1, "the tiler", fixed.clone(), "the part", &part))
    })
}

/// What messages call the answer of [`Layout::make_layout_tv`].
const RESULT: &str = "the thread-value layout";

/// [`Layout::make_layout_tv`], without words where it is refused.
fn quietly(threads: &Layout, values: &Layout) -> Option<Layout> {
    thread_values(&raked(threads, values)?, threads, values).ok().map(|tv| tv.layout)
}

/// Adds what the same threads and values have when they are numbered without gaps.
#[cold]
fn suggested(error: Error, threads: &Layout, values: &Layout) -> Error {
    let (threads, values) = (numbered(threads), numbered(values));
    match quietly(&threads, &values) {
        Some(tv) => {
            error.with_suggestion(Suggestion::with(0, "the threads", threads, RESULT, &tv).and(1, "the values", values))
        }
        None => error,
    }
}

/// The same shape with its strides closed up, in their order.
fn numbered(layout: &Layout) -> Layout {
    let mut order: Vec<usize> = (0..layout.modes().len()).collect();
    order.sort_by_key(|leaf| layout.modes().get(*leaf).map(|mode| mode.stride()));
    let mut modes = layout.modes().to_vec();
    let mut next = 1;
    for leaf in order {
        if let Some(mode) = modes.get_mut(leaf) {
            let extent = mode.extent();
            *mode = Mode::new(extent, if extent == 1 { 0 } else { next });
            next *= extent;
        }
    }
    Layout::valid(modes.into_iter().collect(), layout.profile().clone(), layout.size(), layout.size())
}

/// The tiler of all threads together, and the coordinate of one of them.
fn place_of(layout: &Layout, threads: &Layout, index: u64) -> Result<(Tiler, Coord)> {
    let sizes = threads.mode_sizes();
    if sizes.len() > layout.rank() {
        return Err(Error::new(
            ErrorKind::Incongruent,
            format!(
                "the threads {} have {} modes, {} has {}",
                brief(threads),
                sizes.len(),
                brief(layout),
                layout.rank()
            ),
        )
        .with_help("give the threads at most as many modes as the layout has"));
    }
    if index >= threads.size() {
        return Err(index_error(index, threads.size()).about(format_args!("there are {} threads", threads.size())));
    }
    let inverse = threads
        .inverse()
        .map_err(|error| error.about("threads need a number each").retold(|_| None).with_witness_as(|_| None))?;
    let mut rest = inverse.at(index)?;
    let mut coord = HTupleBuilder::new();
    coord.open()?;
    for size in &sizes {
        coord.leaf(Some(rest % size));
        rest /= size;
    }
    coord.close();
    let tilers = sizes.into_iter().map(Tiler::integer).collect::<Result<_>>()?;
    Ok((Tiler::Modes(tilers), coord.finish()?))
}

fn inner(zipped: &Layout, coord: &Coord) -> Result<LayoutAndOffset> {
    let mut parts = zipped.profile().children().map(|span| zipped.profile().part(&span));
    let (Some(tile), Some(rest)) = (parts.next(), parts.next()) else {
        return Ok(LayoutAndOffset { layout: zipped.clone(), offset: 0 });
    };
    sliced(zipped, |builder| {
        keep(&tile, builder)?;
        reach(coord, &rest, builder)
    })
}

fn outer(zipped: &Layout, coord: &Coord) -> Result<LayoutAndOffset> {
    let mut parts = zipped.profile().children().map(|span| zipped.profile().part(&span));
    let (Some(tile), Some(rest)) = (parts.next(), parts.next()) else {
        return Ok(LayoutAndOffset { layout: zipped.clone(), offset: 0 });
    };
    sliced(zipped, |builder| {
        reach(coord, &tile, builder)?;
        keep(&rest, builder)
    })
}

type CoordBuilder = HTupleBuilder<Option<u64>>;

fn sliced(zipped: &Layout, coord: impl FnOnce(&mut CoordBuilder) -> Result<()>) -> Result<LayoutAndOffset> {
    let mut builder = CoordBuilder::new();
    builder.open()?;
    coord(&mut builder)?;
    builder.close();
    zipped.slice_and_offset(&builder.finish()?)
}

/// A `_` for each of the modes as which a mode is kept.
fn keep(profile: &Profile, builder: &mut CoordBuilder) -> Result<()> {
    let modes = spread(profile);
    if modes.len() == 1 {
        builder.leaf(None);
        return Ok(());
    }
    builder.open()?;
    for _ in modes {
        builder.leaf(None);
    }
    builder.close();
    Ok(())
}

/// The coordinate; a tuple with a `_` for each mode that it does not reach.
fn reach(coord: &Coord, profile: &Profile, builder: &mut CoordBuilder) -> Result<()> {
    if coord.is_leaf() {
        builder.leaf(coord.leaves().first().copied().flatten());
        return Ok(());
    }
    builder.open()?;
    for mode in coord.modes() {
        builder.subtree(&mode)?;
    }
    if !profile.is_leaf() {
        for _ in coord.rank()..profile.rank() {
            builder.leaf(None);
        }
    }
    builder.close();
    Ok(())
}
