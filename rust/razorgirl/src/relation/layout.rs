//! Layouts as relations.

use super::{MAX_NUMBERS, MAX_PAIRS, Relation, Tuple, too_many};
use crate::error::Result;
use crate::layout::Layout;
use crate::linear_layout::{Dims, LinearLayout};
use crate::swizzle::SwizzledLayout;
use alloc::vec::Vec;

impl Relation {
    /// The layout mapping: the pairs of linear index and offset. How the layout is nested does not show.
    ///
    /// ```
    /// use razorgirl::relation::Relation;
    ///
    /// let mapping = Relation::of_layout(&"(2,2):(3,1)".parse()?)?;
    /// assert_eq!(mapping.range(), [&[0], &[1], &[3], &[4]]);
    /// assert_eq!(mapping.gaps()?, [2]);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge) for more than [`MAX_PAIRS`] coordinates.
    ///
    /// Lean: `Razorgirl.Layout.relation`
    pub fn of_layout(layout: &Layout) -> Result<Self> {
        if layout.size() > MAX_PAIRS as u64 {
            return Err(too_many());
        }
        // Inputs ascend, and each has one image.
        Ok(Self(layout.offsets().zip(0..).map(|(offset, index)| (vec![index], vec![i128::from(offset)])).collect()))
    }
}

impl Relation {
    /// The pairs of linear index and offset of a swizzled layout.
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge) for more than [`MAX_PAIRS`] coordinates;
    /// [`Overflow`](crate::ErrorKind::Overflow) for an offset of 2^64 or more.
    ///
    /// Lean: `Razorgirl.SwizzledLayout.relation`
    pub fn of_swizzled(layout: &SwizzledLayout) -> Result<Self> {
        if layout.size() > MAX_PAIRS as u64 {
            return Err(too_many());
        }
        let pair = |(offset, index): (Result<u64>, i128)| offset.map(|offset| (vec![index], vec![i128::from(offset)]));
        Ok(Self(layout.offsets().zip(0..).map(pair).collect::<Result<_>>()?))
    }
}

impl Relation {
    /// The pairs of input and output coordinates of a linear layout, in the order of its dimensions.
    ///
    /// ```
    /// use razorgirl::linear_layout::LinearLayout;
    /// use razorgirl::relation::Relation;
    ///
    /// let bases = [("lane".to_owned(), vec![vec![0, 1], vec![1, 0]])];
    /// let layout = LinearLayout::new(&bases, vec![("row".to_owned(), 2), ("column".to_owned(), 2)])?;
    /// assert_eq!(Relation::of_linear(&layout)?.isl(), "{ [0] -> [0,0]; [1] -> [0,1]; [2] -> [1,0]; [3] -> [1,1] }");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge) for more inputs than [`MAX_PAIRS`], or too many numbers in them.
    ///
    /// Lean: `Razorgirl.LinearLayout.pointRelation`
    pub fn of_linear(layout: &LinearLayout) -> Result<Self> {
        let bits = layout.ins().total();
        if bits > MAX_PAIRS.ilog2() {
            return Err(too_many());
        }
        Self::new((0..1 << bits).map(|x| (tuple(layout.ins(), x), tuple(layout.outs(), layout.apply_packed(x)))))
    }
}

/// The coordinates of a packed number, in the order of the dimensions.
fn tuple(dims: &Dims, packed: u64) -> Tuple {
    dims.names().map(|name| i128::from(dims.unpack(packed, name))).collect()
}

impl LinearLayout {
    /// The points of the outputs that no input has as its image, in lexicographic order; none exactly if the layout
    /// [is surjective](Self::is_surjective).
    ///
    /// ```
    /// use razorgirl::linear_layout::LinearLayout;
    ///
    /// let bases = [("lane".to_owned(), vec![vec![0, 2], vec![1, 0]])];
    /// let layout = LinearLayout::new(&bases, vec![("row".to_owned(), 2), ("column".to_owned(), 4)])?;
    /// assert_eq!(layout.gaps()?, [[0, 1], [0, 3], [1, 1], [1, 3]]);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge) for more points of the inputs or the outputs than [`MAX_PAIRS`], or too many numbers in
    /// them.
    ///
    /// Lean: `Razorgirl.LinearLayout.pointGaps`
    pub fn gaps(&self) -> Result<Vec<Tuple>> {
        let points =
            |dims: &Dims| dims.total() <= MAX_PAIRS.ilog2() && dims.names().count() << dims.total() <= MAX_NUMBERS;
        if !points(self.ins()) || !points(self.outs()) {
            return Err(too_many());
        }
        let mut reached = vec![false; 1 << self.outs().total()];
        for input in 0..1 << self.ins().total() {
            // An image is below the number of points.
            if let Some(point) = usize::try_from(self.apply_packed(input)).ok().and_then(|at| reached.get_mut(at)) {
                *point = true;
            }
        }
        let missed = (0..).zip(&reached).filter(|(_, reached)| !**reached);
        let mut gaps: Vec<Tuple> = missed.map(|(point, _)| tuple(self.outs(), point)).collect();
        gaps.sort_unstable();
        Ok(gaps)
    }
}

impl Layout {
    /// Whether an offset of `inner` lies outside of the domain. There the composite of the relations has no pair; CuTe's `composition`
    /// lets the last mode grow.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let outer: Layout = "(2,1):(1,80)".parse()?;
    /// assert!(outer.promotes(&"(2,2):(2,1)".parse()?));
    /// assert!(!outer.promotes(&"(2,1):(1,0)".parse()?));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.promotes`
    #[must_use]
    pub fn promotes(&self, inner: &Self) -> bool {
        // The last coordinate has the largest offset.
        self.size() < inner.cosize()
    }
}
