//! Shapes divided by shapes.

use crate::error::{Error, ErrorKind, Result, brief};
use alloc::vec::Vec;

use crate::suggestion::Suggestion;

use super::htuple::IntTuple;
use super::profile::{Builder, Span};
use super::shape::{Shape, size_overflow};

/// How far a refusal looks for a divisor that works.
const NEAR: u64 = 1 << 10;

/// What becomes of the extents that an integer divides.
type Quotients = fn(&[u64], u64) -> Option<Vec<u64>>;

/// How nestings have to fit, and what is done where they do.
struct Division {
    name: &'static str,
    quotients: Quotients,
    /// Whether a tuple may be divided by a shorter one.
    shorter: bool,
    /// Whether an integer divides the tuple it meets, and a tuple the integer.
    across: bool,
}

const CEIL_DIV: Division = Division { name: "ceil_div", quotients: ceil_quotients, shorter: true, across: true };
const SHAPE_DIV: Division = Division { name: "shape_div", quotients: exact_quotients, shorter: false, across: true };
const ROUND_UP: Division = Division { name: "round_up", quotients: rounded, shorter: true, across: false };

impl Shape {
    /// How many tiles of this size it takes to cover the shape, mode by mode. Modes without a divisor stay; a tuple
    /// divides an integer by its size.
    ///
    /// An integer divides a tuple from left to right: each extent takes of it what it holds. Where the number does not
    /// end between two extents, CuTe's quotient may be too small to cover the shape; then this refuses.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the divisor has more modes somewhere,
    /// [`NotDivisible`](ErrorKind::NotDivisible) when the quotient would not cover.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let shape: Shape = "(10,9)".parse()?;
    /// assert_eq!(shape.ceil_div(&"(4)".parse()?)?.to_string(), "(3,9)");
    ///
    /// // CuTe answers (1,3), but 3 tiles of 6 are fewer than 20
    /// let error = "(4,5)".parse::<Shape>()?.ceil_div(&"6".parse()?).unwrap_err();
    /// assert_eq!(error.to_string(), "6 ends inside a mode of (4,5): 3 tiles of 6 do not cover the 20 elements");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `ceil_div(shape, divisor)`.
    ///
    /// Lean: `Razorgirl.IntTuple.ceilDiv`
    pub fn ceil_div(&self, divisor: &Self) -> Result<Self> {
        CEIL_DIV.divide(self, divisor)
    }

    /// What is left of the shape when tiles of this size are taken out: as [`ceil_div`](Self::ceil_div), where at every
    /// step one number divides the other.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when two tuples differ in rank,
    /// [`NotDivisible`](ErrorKind::NotDivisible) where neither of two numbers divides the other.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let shape: Shape = "(4,5,6)".parse()?;
    /// assert_eq!(shape.shape_div(&"40".parse()?)?.to_string(), "(1,1,3)");
    /// assert!(shape.shape_div(&"6".parse()?).is_err());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `shape_div(shape, divisor)`, which checks only what is static.
    ///
    /// Lean: `Razorgirl.IntTuple.shapeDiv`
    pub fn shape_div(&self, divisor: &Self) -> Result<Self> {
        SHAPE_DIV.divide(self, divisor)
    }

    /// Every extent rounded up to a multiple of that of the tile; modes without one stay.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) unless integers divide integers and no tuple of the tile is longer,
    /// [`Overflow`](ErrorKind::Overflow) when the size of the result is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let shape: Shape = "(10,9)".parse()?;
    /// assert_eq!(shape.round_up(&"(4)".parse()?)?.to_string(), "(12,9)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `round_up(shape, tile)`.
    ///
    /// Lean: `Razorgirl.IntTuple.roundUp`
    pub fn round_up(&self, tile: &Self) -> Result<Self> {
        ROUND_UP.divide(self, tile)
    }

    /// Whether tiles cover the shape exactly: their size times the number that [`ceil_div`](Self::ceil_div) rounds to is
    /// the size, at each leaf of the tiler. Modes without a tile count as covered; a tiler with more modes covers
    /// nothing.
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// let shape: Shape = "(12,9)".parse()?;
    /// assert!(shape.evenly_divided_by(&"(4)".parse()?));
    /// assert!(!shape.evenly_divided_by(&"(5)".parse()?));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `evenly_divides(shape, tiler)`.
    ///
    /// Lean: `Razorgirl.IntTuple.evenlyDivides`
    #[must_use]
    pub fn evenly_divided_by(&self, tiler: &Self) -> bool {
        self.covered(&self.profile().span(), tiler, &tiler.profile().span())
    }

    // Recursion: no deeper than the tiler, which has at most MAX_DEPTH levels.
    fn covered(&self, part: &Span, tiler: &Self, by: &Span) -> bool {
        if by.tokens.len() == 1 {
            let extents = self.extents().leaves().get(part.leaves.clone()).unwrap_or_default();
            let tile = tiler.extents().leaves().get(by.leaves.start).copied().unwrap_or(1);
            let count: u128 = unchecked_quotients(extents, tile).iter().map(|n| u128::from(*n)).product();
            return u128::from(tile) * count == extents.iter().map(|n| u128::from(*n)).product();
        }
        let mut modes = self.profile().children_of(part);
        tiler.profile().children_of(by).all(|by| modes.next().is_some_and(|mode| self.covered(&mode, tiler, &by)))
    }
}

/// What does not divide what.
struct Indivisible<'a> {
    part: Part<'a>,
    by: Part<'a>,
}

/// A part of a shape, by the span of its profile.
#[derive(Clone)]
struct Part<'a> {
    shape: &'a Shape,
    span: Span,
}

impl<'a> Part<'a> {
    fn whole(shape: &'a Shape) -> Self {
        Self { shape, span: shape.profile().span() }
    }

    fn is_leaf(&self) -> bool {
        self.span.tokens.len() == 1
    }

    fn extents(&self) -> &'a [u64] {
        self.shape.extents().leaves().get(self.span.leaves.clone()).unwrap_or_default()
    }

    /// The product of a part of a shape is at most its size.
    fn size(&self) -> u64 {
        self.extents().iter().product()
    }

    fn modes(&self) -> impl Iterator<Item = Self> + use<'a> {
        let shape = self.shape;
        shape.profile().children_of(&self.span).map(move |span| Self { shape, span })
    }

    fn tuple(&self) -> IntTuple {
        let profile = self.shape.profile().part(&self.span);
        IntTuple::from_parts(self.extents().iter().copied().collect(), profile)
    }
}

impl Division {
    fn divide(&self, shape: &Shape, divisor: &Shape) -> Result<Shape> {
        match self.quotient(shape, divisor)? {
            Ok(quotient) => Ok(quotient),
            Err(first_indivisible) => Err(self.refuse(shape, divisor, &first_indivisible)),
        }
    }

    /// The quotient, or the place where there is none; refused at once where the nestings do not fit.
    fn quotient<'a>(
        &self,
        shape: &'a Shape,
        divisor: &'a Shape,
    ) -> Result<core::result::Result<Shape, Indivisible<'a>>> {
        let (part, by) = (Part::whole(shape), Part::whole(divisor));
        if !self.fits(&part, &by) {
            return Err(self.misfit(&part, &by));
        }
        let (mut extents, mut profile) = (Vec::new(), Builder::new());
        match self.divide_part(&part, &by, &mut extents, &mut profile)? {
            Some(first_indivisible) => Ok(Err(first_indivisible)),
            None => Shape::new(IntTuple::from_parts(extents.into_iter().collect(), profile.finish())).map(Ok),
        }
    }

    fn fits(&self, shape: &Part, divisor: &Part) -> bool {
        match (shape.is_leaf(), divisor.is_leaf()) {
            (true, true) => true,
            (false, false) => {
                let mut modes = shape.modes();
                divisor.modes().all(|divisor| modes.next().is_some_and(|mode| self.fits(&mode, &divisor)))
                    && (self.shorter || modes.next().is_none())
            }
            _ => self.across,
        }
    }

    // Recursion: no deeper than the divisor, which has at most MAX_DEPTH levels.
    fn divide_part<'a>(
        &self,
        shape: &Part<'a>,
        by: &Part<'a>,
        extents: &mut Vec<u64>,
        profile: &mut Builder,
    ) -> Result<Option<Indivisible<'a>>> {
        if by.is_leaf() || shape.is_leaf() {
            match (self.quotients)(shape.extents(), by.size()) {
                Some(quotients) => extents.extend(quotients),
                None => return Ok(Some(Indivisible { part: shape.clone(), by: by.clone() })),
            }
            profile.subtree(shape.shape.profile(), &shape.span)?;
            return Ok(None);
        }
        profile.open()?;
        let mut modes = shape.modes();
        for by in by.modes() {
            // `fits` has counted them.
            if let Some(mode) = modes.next()
                && let Some(first_indivisible) = self.divide_part(&mode, &by, extents, profile)?
            {
                return Ok(Some(first_indivisible));
            }
        }
        for mode in modes {
            extents.extend_from_slice(mode.extents());
            profile.subtree(mode.shape.profile(), &mode.span)?;
        }
        profile.close();
        Ok(None)
    }

    #[cold]
    fn misfit(&self, shape: &Part, divisor: &Part) -> Error {
        let rule = if !self.across {
            "integers must divide integers, and no tuple of the divisor may be longer than the tuple that it divides"
        } else if self.shorter {
            "no tuple of the divisor may be longer than the tuple that it divides"
        } else {
            "tuples need the same rank; pad the divisor with 1"
        };
        Error::new(
            ErrorKind::Incongruent,
            format!(
                "{}: the shape is nested as {}, the divisor as {}",
                self.name,
                brief(&shape.shape.profile()),
                brief(&divisor.shape.profile())
            ),
        )
        .with_help(rule)
    }

    /// Why an integer does not divide a part, and which ones near it do.
    #[cold]
    fn refuse(&self, shape: &Shape, divisor: &Shape, Indivisible { part, by }: &Indivisible) -> Error {
        if !self.across {
            // Only rounding up by an integer is asked here, and that fails by size alone.
            return size_overflow();
        }
        let whole = brief(&part.tuple());
        let size = by.size();
        let error = if self.shorter {
            let count: u128 = unchecked_quotients(part.extents(), size).iter().map(|n| u128::from(*n)).product();
            Error::new(
                ErrorKind::NotDivisible,
                format!(
                    "{size} ends inside a mode of {whole}: {count} tiles of {size} do not cover the {} elements",
                    part.size()
                ),
            )
            .with_help(format!(
                "{} tiles of {size} cover {} elements in a row",
                part.size().div_ceil(size),
                part.size()
            ))
        } else {
            let (extent, rest) = first_indivisible(part.extents(), size);
            Error::new(
                ErrorKind::NotDivisible,
                format!("shape_div({whole}, {size}): neither of {extent} and {rest} divides the other"),
            )
        };
        if !by.is_leaf() {
            return error;
        }
        // The same division with another integer there.
        let quotient = |n: u64| {
            let mut extents = divisor.extents().leaves().to_vec();
            *extents.get_mut(by.span.leaves.start)? = n;
            let fixed = IntTuple::from_parts(extents.into_iter().collect(), divisor.profile().clone());
            let fixed = Shape::new(fixed).ok()?;
            let quotient = self.quotient(shape, &fixed).ok()?.ok()?;
            Some(Suggestion::with(1, "the divisor", fixed, "the quotient", &quotient))
        };
        let fits = |n: &u64| (self.quotients)(part.extents(), *n).is_some();
        let below = (size.saturating_sub(NEAR).max(1)..size).rev().find(fits);
        let above = (size.saturating_add(1)..=size.saturating_add(NEAR)).find(fits);
        [below, above].into_iter().flatten().filter_map(quotient).fold(error, Error::with_suggestion)
    }
}

/// Each extent divided by what those before it leave of `n`, both rounded up.
fn unchecked_quotients(extents: &[u64], n: u64) -> Vec<u64> {
    let mut rest = n;
    let quotients = extents.iter().map(|extent| {
        let quotient = extent.div_ceil(rest);
        rest = rest.div_ceil(*extent);
        quotient
    });
    quotients.collect()
}

/// The same, if that many tiles cover.
fn ceil_quotients(extents: &[u64], n: u64) -> Option<Vec<u64>> {
    let quotients = unchecked_quotients(extents, n);
    // Both products are at most the size of the shape.
    let count: u64 = quotients.iter().product();
    let size: u64 = extents.iter().product();
    (u128::from(n) * u128::from(count) >= u128::from(size)).then_some(quotients)
}

/// The same, if at each step one of the two numbers divides the other.
fn exact_quotients(extents: &[u64], n: u64) -> Option<Vec<u64>> {
    let mut rest = n;
    let quotients = extents.iter().map(|extent| {
        if !extent.is_multiple_of(rest) && !rest.is_multiple_of(*extent) {
            return None;
        }
        let quotient = extent.div_ceil(rest);
        rest = rest.div_ceil(*extent);
        Some(quotient)
    });
    quotients.collect()
}

/// The extent at which a division by steps stops, and what is left of the divisor there.
fn first_indivisible(extents: &[u64], n: u64) -> (u64, u64) {
    let mut rest = n;
    for extent in extents {
        if !extent.is_multiple_of(rest) && !rest.is_multiple_of(*extent) {
            return (*extent, rest);
        }
        rest = rest.div_ceil(*extent);
    }
    (1, rest)
}

fn rounded(extents: &[u64], n: u64) -> Option<Vec<u64>> {
    extents.iter().map(|extent| extent.div_ceil(n).checked_mul(n)).collect()
}
