//! Strides in a module: layouts whose values are coordinates, as CuTe's `(4,8):(1@0,1@1)`.
//!
//! Composition and coalescing never ask what an offset is: they add strides, multiply them and ask whether two are equal.
//! What needs offsets in an order is not defined here: complement, division and product by way of it, inverses, cosize.

use alloc::{boxed::Box, string::String, vec::Vec};

mod basis;

use core::fmt;

use crate::coord::Coord;
use crate::error::{Error, ErrorKind, Result, brief};
use crate::inline::InlineVec;
use crate::int_tuple::shape::check_extents;
use crate::int_tuple::write::write_nested;
use crate::int_tuple::{HTuple, IntTuple, Literal, Profile, Shape};
use crate::layout::{CompositionFailure, Layout, Mode, Near, Pieces, incongruent, regrouped, split};

pub use basis::Basis;
use basis::Nesting;

/// The most integers that a coordinate may have.
pub const MAX_AXES: usize = 1 << 10;

/// Numbers of all strides, at most: modes times numbers of a coordinate.
const MAX_NUMBERS: usize = 1 << 20;

/// A layout whose values are coordinates: `(4,8):(1@0,1@1)` has (2,3) at (2,3), and `(4,8):(1@1,1@0)` has (3,2) there.
///
/// A stride is a sum of multiples of basis elements: `5@1@0` is 5 in dimension 1 of dimension 0, the coordinate `((0,5))`.
/// A value is the start plus the sum of coordinate times stride. CuTe prints a start that is not all 0 before the layout:
/// `ArithTuple(0,64) o (8,16):(1@0,1@1)`. Every value has the profile of the start.
///
/// As for a [`Layout`], the constructor checks that extents are at least 1, and that the size and each integer of each value
/// are below 2^64. A mode of extent 1 has stride 0.
///
/// ```
/// use razorgirl::CoordLayout;
///
/// let layout: CoordLayout = "(8,(4,2)):(1@1,(1@0,4@0))".parse()?;
/// assert_eq!(layout.at(13)?.to_string(), "(1,5)");
/// assert_eq!(layout.coalesce().to_string(), "(8,8):(1@1,1@0)");
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// CuTe: a layout with strides `E<…>`, and the tensor of an `ArithmeticTupleIterator` over it.
///
/// Lean: `Razorgirl.CoordLayout`
#[derive(Clone, PartialEq, Eq)]
pub struct CoordLayout {
    start: IntTuple,
    /// The shape, with strides 0.
    shape: Layout,
    /// For each number of the coordinates what it is without the start.
    axes: Vec<Layout>,
}

/// What calling a layout of coordinates gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoordCallResult {
    /// The coordinate had no `_`.
    Value(IntTuple),
    /// The layout of the modes under a `_`, always a tuple.
    Sublayout(Box<CoordLayout>),
}

/// A mode with a number for each axis.
type Row = (u64, Vec<u64>);

impl CoordLayout {
    /// The layout with this shape and these strides, in the nesting of the shape, from this start: a sum for each leaf.
    /// Without a start it is 0 in every dimension that a stride names, and in those before it.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when strides are not nested as the shape, or when the coordinates that
    /// strides and start name are not nested alike: `1@0` is a number in dimension 0, and `1@0@0` a tuple. [`Extent`](ErrorKind::Extent),
    /// [`Stride`](ErrorKind::Stride) and [`Overflow`](ErrorKind::Overflow) as for a layout, for each number of the values;
    /// [`TooLarge`](ErrorKind::TooLarge) above [`MAX_AXES`] numbers, and above 2^20 of all strides.
    pub fn new(
        start: Option<&IntTuple>,
        shape: &HTuple<Literal>,
        nesting: &Profile,
        strides: &[Vec<Basis>],
    ) -> Result<Self> {
        if shape.profile() != nesting || shape.leaves().len() != strides.len() {
            return Err(incongruent(shape.profile(), nesting));
        }
        check_extents(shape)?;
        let below = |stride: &Vec<Basis>| stride.iter().any(|term| term.times == Literal::Negative);
        if let Some(leaf) = strides.iter().position(below) {
            let message = format!("the stride at mode {} is below 0", shape.profile().path(leaf));
            return Err(Error::new(ErrorKind::Stride, message)
                .with_leaf(leaf)
                .with_help("strides are at least 0; turn the mode around and move the start instead"));
        }
        let mut nesting = Nesting::of(start);
        for (leaf, (extent, stride)) in shape.leaves().iter().zip(strides).enumerate() {
            for term in stride {
                // 0 is a stride in every nesting, and under an extent of 1 any number may stand
                let idle = term.times == Literal::Fits(0) || *extent == Literal::Fits(1);
                if !(idle && term.path.is_empty()) {
                    nesting.add(&term.path).map_err(|error| error.with_leaf(leaf))?;
                }
            }
        }
        let (start, places) = nesting.finish()?;
        if places.len().saturating_mul(strides.len()) > MAX_NUMBERS {
            let message = format!("{} modes with {} numbers in each stride are too many", strides.len(), places.len());
            return Err(Error::new(ErrorKind::TooLarge, message)
                .with_help(format!("modes times numbers of a coordinate are at most {MAX_NUMBERS}")));
        }
        let mut rows = vec![vec![Literal::Fits(0); strides.len()]; places.len()];
        for (leaf, stride) in strides.iter().enumerate() {
            for term in stride {
                if let Some(number) = places.get(&term.path).and_then(|at| rows.get_mut(*at)?.get_mut(leaf)) {
                    *number = match (*number, term.times) {
                        (Literal::Fits(a), Literal::Fits(b)) => a.checked_add(b).map_or(Literal::Huge, Literal::Fits),
                        _ => Literal::Huge,
                    };
                }
            }
        }
        let nested = |row: Vec<Literal>| HTuple::nested(&row, shape.profile());
        let none = nested(vec![Literal::Fits(0); strides.len()])?;
        let flat = Layout::from_literals(shape, &none)?;
        let axes = rows.into_iter().map(|row| Layout::from_literals(shape, &nested(row)?)).collect::<Result<_>>()?;
        Self::checked(start, flat, axes)
    }

    /// The layout that has each coordinate of a shape at that coordinate.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) above [`MAX_AXES`] leaves.
    ///
    /// ```
    /// use razorgirl::CoordLayout;
    ///
    /// let layout = CoordLayout::identity(&"((4,2),8)".parse()?)?;
    /// assert_eq!(layout.to_string(), "((4,2),8):((1@0@0,1@1@0),1@1)");
    /// assert_eq!(layout.at(13)?.to_string(), "((1,1),1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `make_identity_layout(shape)`.
    ///
    /// Lean: `Razorgirl.CoordLayout.identity`
    pub fn identity(shape: &Shape) -> Result<Self> {
        let extents = shape.extents();
        let count = extents.leaves().len();
        if count > MAX_AXES {
            return Err(basis::too_many_axes(count));
        }
        let with = |axis: Option<usize>| {
            let unit = (0..count).map(|leaf| u64::from(axis == Some(leaf))).collect();
            Layout::new(extents, &IntTuple::from_parts(unit, extents.profile().clone()))
        };
        Ok(Self {
            start: extents.map(|_| 0),
            shape: with(None)?,
            axes: (0..count).map(|axis| with(Some(axis))).collect::<Result<_>>()?,
        })
    }

    fn checked(start: IntTuple, shape: Layout, axes: Vec<Layout>) -> Result<Self> {
        for (first, axis) in start.leaves().iter().zip(&axes) {
            if first.checked_add(axis.cosize() - 1).is_none() {
                return Err(Error::new(
                    ErrorKind::Overflow,
                    format!("{first} + {} is 2^64 or more", axis.cosize() - 1),
                )
                .with_help("use a smaller start"));
            }
        }
        Ok(Self { start, shape, axes })
    }

    /// The value of the first coordinate. Every value is nested like it.
    #[must_use]
    pub const fn start(&self) -> &IntTuple {
        &self.start
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape.shape()
    }

    /// The shape with strides 0, for what speaks of coordinates alone.
    #[must_use]
    pub const fn frame(&self) -> &Layout {
        &self.shape
    }

    /// How many coordinates.
    ///
    /// Lean: `Razorgirl.CoordLayout.size`
    #[must_use]
    pub fn size(&self) -> u64 {
        self.shape.size()
    }

    /// What each number of the values is without the start, in the order of the start's leaves.
    #[must_use]
    pub fn axes(&self) -> &[Layout] {
        &self.axes
    }

    /// The strides, one for each leaf of the shape: basis elements in the order of their axes, none of which is 0.
    #[must_use]
    pub fn strides(&self) -> Vec<Vec<Basis>> {
        let paths = basis::paths(self.start.profile());
        let each = |leaf: usize| {
            let terms = paths.iter().zip(&self.axes).filter_map(|(path, axis)| {
                let times = axis.modes().get(leaf)?.stride();
                (times > 0).then(|| Basis { times: Literal::Fits(times), path: path.clone() })
            });
            terms.collect()
        };
        (0..self.shape.modes().len()).map(each).collect()
    }

    /// The start where it has to be written: it is not 0 throughout, or the strides do not show its nesting.
    #[must_use]
    pub fn written_start(&self) -> Option<&IntTuple> {
        let mut nesting = Nesting::of(None);
        let shown = self.strides().iter().flatten().all(|term| nesting.add(&term.path).is_ok());
        let zero = self.start.leaves().iter().all(|number| *number == 0);
        let same = nesting.finish().is_ok_and(|(start, _)| start.congruent(&self.start));
        (!(shown && zero && same)).then_some(&self.start)
    }

    /// The value of a linear index.
    ///
    /// # Errors
    /// As [`Layout::at`].
    ///
    /// Lean: `Razorgirl.CoordLayout.atIndex`
    pub fn at(&self, index: u64) -> Result<IntTuple> {
        self.shape.at(index)?;
        self.values_of(|axis| axis.at(index))
    }

    /// The value of a coordinate; `_` counts as 0.
    ///
    /// # Errors
    /// As [`Layout::offset`].
    ///
    /// CuTe: `layout(coord)`.
    ///
    /// Lean: `Razorgirl.CoordLayout.call`
    pub fn value_of(&self, coord: &Coord) -> Result<IntTuple> {
        self.shape.offset(coord)?;
        self.values_of(|axis| axis.offset(coord))
    }

    /// The value of a coordinate, or with a `_` in it the layout of the modes kept.
    ///
    /// # Errors
    /// As [`Layout::call`].
    ///
    /// CuTe: `layout(coord)`.
    pub fn call(&self, coord: &Coord) -> Result<CoordCallResult> {
        if coord.leaves().contains(&None) {
            Ok(CoordCallResult::Sublayout(Box::new(self.slice(coord)?)))
        } else {
            Ok(CoordCallResult::Value(self.value_of(coord)?))
        }
    }

    fn values_of(&self, of: impl Fn(&Layout) -> Result<u64>) -> Result<IntTuple> {
        let mut numbers = InlineVec::new();
        for (first, axis) in self.start.leaves().iter().zip(&self.axes) {
            // below 2^64: checked when it was built
            numbers.push(first + of(axis)?);
        }
        Ok(IntTuple::from_parts(numbers, self.start.profile().clone()))
    }

    /// All values in linear order, the first mode fastest.
    ///
    /// Lean: `Razorgirl.CoordLayout.values`
    pub fn values(&self) -> impl Iterator<Item = IntTuple> + '_ {
        let mut axes: Vec<_> = self.axes.iter().map(Layout::offsets).collect();
        (0..self.size()).map(move |_| {
            let numbers = self.start.leaves().iter().zip(&mut axes);
            let numbers = numbers.map(|(first, axis)| first + axis.next().unwrap_or_default());
            IntTuple::from_parts(numbers.collect(), self.start.profile().clone())
        })
    }

    /// The modes under a `_` as one tuple; what the integers select is the start.
    ///
    /// # Errors
    /// As [`Layout::slice_and_offset`].
    ///
    /// ```
    /// # use razorgirl::CoordLayout;
    /// let tensor: CoordLayout = "(4,8):(1@0,1@1)".parse()?;
    /// assert_eq!(tensor.slice(&"(3,_)".parse()?)?.to_string(), "ArithTuple(3,0) o (8):(1@1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `tensor(coord)` with `_`.
    ///
    /// Lean: `Razorgirl.CoordLayout.slice`
    pub fn slice(&self, coord: &Coord) -> Result<Self> {
        let shape = self.shape.slice_and_offset(coord)?.layout;
        let start = self.values_of(|axis| axis.offset(coord))?;
        let axes = self.axes.iter().map(|axis| Ok(axis.slice_and_offset(coord)?.layout)).collect::<Result<_>>()?;
        Ok(Self { start, shape, axes })
    }

    /// The layout with the fewest modes that has the same function on indices. Two layouts from the same start have the
    /// same function exactly when they coalesce to the same layout.
    ///
    /// CuTe: `coalesce(layout)`.
    ///
    /// Lean: `Razorgirl.CoordLayout.coalesce`
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn coalesce(&self) -> Self {
        let rows = coalesced(self.rows());
        let profile = Profile::leaf_or_flat(rows.len());
        // its modes are modes of this one, or several in one
        self.with_rows(&rows, &profile).unwrap_or_else(|_| self.clone())
    }

    /// The layout `R` with `R(c) = A(B(c))`, where `self` is `A`: where `B` has a mode, `R` has a coalesced layout of the
    /// same size. It is found exactly when it exists for all strides of `A`'s coalesced shape, whatever they are made of:
    /// the strides of `B` are written in the mixed radix of that shape.
    ///
    /// # Errors
    /// As [`Layout::composition`]; the nearest inner layouts that compose are suggested.
    ///
    /// ```
    /// # use razorgirl::CoordLayout;
    /// let outer: CoordLayout = "(4,8):(1@1,1@0)".parse()?;
    /// let inner = "(8,2):(4,2)".parse()?;
    /// assert_eq!(outer.composition(&inner)?.to_string(), "(8,2):(1@0,2@1)");
    ///
    /// // the diagonal: a step in both dimensions
    /// assert_eq!(outer.composition(&"4:5".parse()?)?.to_string(), "4:1@0+1@1");
    ///
    /// let error = outer.composition(&"6:1".parse()?).unwrap_err();
    /// assert_eq!(error.suggestions()[0].to_string(), "with 6:2 as the inner layout, the composite is (2,3):(2@1,1@0)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `composition(A, B)`, which refuses a stride with several digits.
    ///
    /// Lean: `Razorgirl.CoordLayout.composition`
    pub fn composition(&self, inner: &Layout) -> Result<Self> {
        let radix = coalesced(self.rows());
        let extents: Vec<u64> = radix.iter().map(|(extent, _)| *extent).collect();
        match split(&extents, inner) {
            Ok(groups) => self.regrouped(&radix, groups, inner),
            Err(misfit) => {
                let near = Near {
                    layout: inner,
                    position: 1,
                    name: "the inner layout",
                    result: "the composite",
                    leaves: self.shape.modes().len() + inner.modes().len(),
                    extents: &|_, _| Vec::new(),
                };
                let accept = |inner: &Layout| self.regrouped(&radix, split(&extents, inner).ok()?, inner).ok();
                let error = refused(&extents, self.size(), inner, &misfit);
                Err(near.accepted(accept).into_iter().fold(error, Error::with_suggestion))
            }
        }
    }

    /// The composite whose modes have these digits in the coalesced shape.
    fn regrouped(&self, radix: &[Row], groups: Vec<Pieces>, inner: &Layout) -> Result<Self> {
        let (mut rows, mut counts) = (Vec::new(), Vec::new());
        for group in groups {
            let group = group.into_iter().map(|(extent, digits)| {
                let number = |axis: usize| {
                    let terms =
                        digits.iter().zip(radix).filter_map(|(digit, (_, row))| row.get(axis)?.checked_mul(*digit));
                    // a difference of values of the outer layout, where the mode takes a step at all
                    terms.fold(0_u64, u64::saturating_add)
                };
                (extent, (0..self.axes.len()).map(number).collect())
            });
            let group = coalesced(group.collect());
            counts.push(group.len());
            rows.extend(group);
        }
        let profile = regrouped(inner.profile(), &counts).ok_or_else(crate::int_tuple::profile::too_deep)?;
        self.with_rows(&rows, &profile)
    }

    fn rows(&self) -> Vec<Row> {
        let stride = |axis: &Layout, leaf: usize| axis.modes().get(leaf).map_or(0, |mode| mode.stride());
        let row = |leaf: usize| self.axes.iter().map(|axis| stride(axis, leaf)).collect();
        self.shape.modes().iter().enumerate().map(|(leaf, mode)| (mode.extent(), row(leaf))).collect()
    }

    /// The layout of these modes from the same start.
    fn with_rows(&self, rows: &[Row], profile: &Profile) -> Result<Self> {
        let tuple = |numbers: InlineVec<u64>| IntTuple::from_parts(numbers, profile.clone());
        let extents = tuple(rows.iter().map(|(extent, _)| *extent).collect());
        let shape = Layout::new(&extents, &extents.map(|_| 0))?;
        let axis = |axis: usize| {
            let strides = rows.iter().map(|(_, row)| row.get(axis).copied().unwrap_or_default());
            Layout::new(&extents, &tuple(strides.collect()))
        };
        let axes = (0..self.axes.len()).map(axis).collect::<Result<_>>()?;
        Self::checked(self.start.clone(), shape, axes)
    }
}

/// The fewest modes; one of extent 1 stands for none.
fn coalesced(rows: Vec<Row>) -> Vec<Row> {
    let mut done: Vec<Row> = Vec::new();
    for (extent, row) in rows {
        if extent == 1 {
            continue;
        }
        match done.last_mut() {
            Some((size, last)) if last.iter().zip(&row).all(|(d, next)| d.checked_mul(*size) == Some(*next)) => {
                // at most the size of the layout
                *size *= extent;
            }
            _ => done.push((extent, row)),
        }
    }
    if done.is_empty() {
        done.push((1, Vec::new()));
    }
    done
}

#[cold]
fn refused(radix: &[u64], size: u64, inner: &Layout, misfit: &CompositionFailure) -> Error {
    let shape = IntTuple::from_parts(radix.iter().copied().collect(), Profile::leaf_or_flat(radix.len()));
    let (shape, modes) = (brief(&shape), inner.modes());
    let mode = |leaf: usize| modes.get(leaf).copied().unwrap_or(Mode::new(1, 0));
    match misfit {
        CompositionFailure::Beyond => Error::new(
            ErrorKind::OutOfDomain,
            format!(
                "the inner layout {} reaches index {}, but the outer layout has indices [0,{size})",
                brief(inner),
                inner.cosize() - 1
            ),
        )
        .with_help("make the inner layout smaller, or the outer one larger"),
        CompositionFailure::Wraps { leaf, rest, radix: at, steps } => {
            let (mode, part) = (mode(*leaf), *rest);
            let part = if part == mode { String::new() } else { format!("; its rest {part}") };
            Error::new(
                ErrorKind::NotDivisible,
                format!(
                    "mode {} of the inner layout is {mode}{part}{} wraps round mode {at} of {shape}, the coalesced outer shape, \
                     after {steps} steps, and {steps} does not divide {}",
                    inner.profile().path(*leaf),
                    if part.is_empty() { " and" } else { "" },
                    rest.extent()
                ),
            )
            .with_leaf(*leaf)
            .with_help(format!("use an extent that {steps} divides there, or one of at most {steps}"))
        }
        CompositionFailure::Carries { radix: at, load } => Error::new(
            ErrorKind::Carries,
            format!(
                "the modes of the inner layout {} add up to {load} in mode {at} of {shape}, the coalesced outer shape, where \
                 the extent is {}",
                brief(inner),
                radix.get(*at).copied().unwrap_or_default()
            ),
        )
        .with_help("use smaller extents or strides, so that digits add up without a carry"),
    }
}

/// What CuTe prints: `(4,8):(1@0,1@1)`, and before it the start where that is not 0 or where the strides do not show how
/// values are nested.
impl fmt::Display for CoordLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(start) = self.written_start() {
            write!(f, "ArithTuple{start} o ")?;
        }
        write!(f, "{}:", self.shape())?;
        write_nested(f, self.shape.profile(), self.strides(), |stride, f| {
            if stride.is_empty() {
                return f.write_str("0");
            }
            for (place, term) in stride.iter().enumerate() {
                write!(f, "{}{term}", if place == 0 { "" } else { "+" })?;
            }
            Ok(())
        })
    }
}

impl fmt::Debug for CoordLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CoordLayout({self})")
    }
}

/// The layout with integers as values.
impl From<Layout> for CoordLayout {
    fn from(layout: Layout) -> Self {
        let strides = layout.modes().iter().map(|mode| Mode::new(mode.extent(), 0)).collect();
        Self { start: IntTuple::leaf(0), shape: layout.with_modes(strides), axes: vec![layout] }
    }
}
