//! Morphisms of nested tuples.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::{ErrorKind, Result, brief};
use crate::{Error, IntTuple, Shape};

use super::fin::arrow;
use super::refinement::{relative, substitute};
use super::tuple::{TupleMorphism, not_composable};
use super::written::WrittenLayout;

/// A morphism f : S → T of nested tuples: a [`TupleMorphism`] of their entries.
///
/// ```
/// use razorgirl::category::NestMorphism;
///
/// let f = NestMorphism::new(&"((2,2),5)".parse()?, &"(2,(5,2))".parse()?, &[3, 0, 2])?;
/// assert_eq!(f.encoded_layout().to_string(), "((2,2),5):((10,0),2)");
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Source: Categorical Foundations, 3.2.
///
/// Lean: `Razorgirl.Category.NestMorphism`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NestMorphism {
    domain: IntTuple,
    codomain: IntTuple,
    flat: TupleMorphism,
}

impl NestMorphism {
    /// The morphism with this domain, codomain and map of their entries, counted from 1 with 0 for the basepoint.
    ///
    /// # Errors
    /// As [`TupleMorphism::new`].
    pub fn new(domain: &IntTuple, codomain: &IntTuple, map: &[u64]) -> Result<Self> {
        let flat = TupleMorphism::new(domain.leaves(), codomain.leaves(), map)?;
        Ok(Self { domain: domain.clone(), codomain: codomain.clone(), flat })
    }

    /// A morphism of tuples between flat tuples.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.ofFlat`
    #[must_use]
    pub fn from_flat(flat: TupleMorphism) -> Self {
        Self { domain: IntTuple::flat(flat.domain()), codomain: IntTuple::flat(flat.codomain()), flat }
    }

    /// S.
    #[must_use]
    pub const fn domain(&self) -> &IntTuple {
        &self.domain
    }

    /// T.
    #[must_use]
    pub const fn codomain(&self) -> &IntTuple {
        &self.codomain
    }

    /// The morphism of the entries.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.flat`
    #[must_use]
    pub const fn flat(&self) -> &TupleMorphism {
        &self.flat
    }

    /// `L_f`: the layout of the entries, in the nesting of the domain.
    ///
    /// Source: Categorical Foundations, 3.2.2.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.encodedLayout`
    #[must_use]
    pub fn encoded_layout(&self) -> WrittenLayout {
        let encoded = self.flat.encoded_layout();
        // as many leaves as the domain has
        WrittenLayout::nested(encoded.shape().leaves(), encoded.stride().leaves(), self.domain.profile())
            .unwrap_or(encoded)
    }

    /// `f_L`: the morphism of standard form, into a flat tuple, that encodes a tractable layout.
    ///
    /// # Errors
    /// As [`TupleMorphism::standard_representation`], of any nesting.
    ///
    /// ```
    /// use razorgirl::category::NestMorphism;
    ///
    /// let f = NestMorphism::standard_representation(&"((2,2),5):((10,0),2)".parse()?)?;
    /// assert_eq!(f.to_string(), "((2,2),5)->(2,5,2) by (3,0,2)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.2.2.
    ///
    /// Lean: `Razorgirl.Category.standardRepresentationNest`
    pub fn standard_representation(layout: &WrittenLayout) -> Result<Self> {
        let flat = TupleMorphism::represent(layout)?;
        Ok(Self { domain: layout.shape().clone(), codomain: IntTuple::flat(flat.codomain()), flat })
    }

    /// `g` after `self`.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the codomain is not the domain of `g`, nesting included.
    ///
    /// ```
    /// use razorgirl::category::NestMorphism;
    ///
    /// let f = NestMorphism::new(&"(2,3)".parse()?, &"(3,2)".parse()?, &[2, 1])?;
    /// let g = NestMorphism::new(&"(3,2)".parse()?, &"((2),3)".parse()?, &[2, 1])?;
    /// assert_eq!(f.compose(&g)?.to_string(), "(2,3)->((2),3) by (1,2)");
    /// assert!(f.compose(&f).is_err());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.comp`
    pub fn compose(&self, g: &Self) -> Result<Self> {
        if self.codomain != g.domain {
            return Err(not_composable(&self.codomain, &g.domain));
        }
        Ok(Self { domain: self.domain.clone(), codomain: g.codomain.clone(), flat: self.flat.after(&g.flat) })
    }

    /// coal(f): flat, a bare integer where one entry is left, 1 at the basepoint where none is. L of it is the coalesced `L_f`
    /// (theorem C, 3.2.6.13).
    ///
    /// # Errors
    /// None for a morphism that has been checked.
    ///
    /// ```
    /// use razorgirl::category::NestMorphism;
    ///
    /// let f = NestMorphism::new(&"((2,3),1)".parse()?, &"((2,3))".parse()?, &[1, 2, 0])?;
    /// assert_eq!(f.coalesce()?.to_string(), "6->(6) by (1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.2.5.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.coalesce`
    pub fn coalesce(&self) -> Result<Self> {
        let flat = self.flat.coalesce();
        let codomain = IntTuple::flat(flat.codomain());
        match flat.domain() {
            [] => Self::new(&IntTuple::leaf(1), &codomain, &[0]),
            [entry] => Ok(Self { domain: IntTuple::leaf(*entry), codomain, flat }),
            _ => Ok(Self::from_flat(flat)),
        }
    }

    /// f^c: the entries of the codomain that are not images, as a flat tuple.
    ///
    /// # Errors
    /// As [`TupleMorphism::complement`].
    ///
    /// ```
    /// use razorgirl::category::NestMorphism;
    ///
    /// let f = NestMorphism::new(&"2".parse()?, &"(3,(2,5))".parse()?, &[2])?;
    /// assert_eq!(f.complement()?.to_string(), "(3,5)->(3,(2,5)) by (1,3)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.2.5.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.complement`
    pub fn complement(&self) -> Result<Self> {
        let flat = self.flat.complement()?;
        Ok(Self { domain: IntTuple::flat(flat.domain()), codomain: self.codomain.clone(), flat })
    }

    /// (f, g): two morphisms into one codomain, with disjoint images, as the two modes of one.
    ///
    /// # Errors
    /// As [`TupleMorphism::concat`], where the codomains are compared with their nesting; [`TooLarge`](ErrorKind::TooLarge) when the
    /// result would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::category::NestMorphism;
    ///
    /// let t = "(3,(2,5))".parse()?;
    /// let f = NestMorphism::new(&"2".parse()?, &t, &[2])?;
    /// assert_eq!(f.concat(&f.complement()?)?.to_string(), "(2,(3,5))->(3,(2,5)) by (2,1,3)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.2.5.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.concat`
    pub fn concat(&self, g: &Self) -> Result<Self> {
        if self.codomain != g.codomain {
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("the codomain of f is {}, that of g {}", brief(&self.codomain), brief(&g.codomain)),
            )
            .with_help("f and g are joined where their codomains are one"));
        }
        Ok(Self {
            domain: IntTuple::tuple(&[self.domain.clone(), g.domain.clone()])?,
            codomain: self.codomain.clone(),
            flat: self.flat.concat(&g.flat)?,
        })
    }

    /// f ⊘ g = f ∘ (g, g^c): coalesce(L of it) is coalesce(`L_f` ⊘ `L_g`) (theorem E, 3.2.6.26).
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the codomain of `g` is not the domain of `self`, and as
    /// [`complement`](Self::complement) of `g`; the paper omits this condition (E10).
    ///
    /// ```
    /// use razorgirl::category::NestMorphism;
    ///
    /// let f = NestMorphism::new(&"(8,3)".parse()?, &"(8)".parse()?, &[1, 0])?;
    /// let g = NestMorphism::new(&"3".parse()?, &"(8,3)".parse()?, &[2])?;
    /// assert_eq!(f.logical_divide(&g)?.to_string(), "(3,(8))->(8) by (0,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.2.5.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.logicalDivide`
    pub fn logical_divide(&self, g: &Self) -> Result<Self> {
        if g.codomain != self.domain {
            return Err(not_composable(&g.codomain, &self.domain).about("g, then f"));
        }
        g.concat(&g.complement()?)?.compose(self)
    }

    /// f ⊗ g = (f, f^c ∘ g): L of it is `L_f` ⊗ `L_g` (theorem F, 3.2.6.31, with the size mended: E9).
    ///
    /// # Errors
    /// As [`complement`](Self::complement) and [`concat`](Self::concat); [`Incongruent`](ErrorKind::Incongruent) when the codomain of
    /// `g` is not the domain of the complement.
    ///
    /// ```
    /// use razorgirl::category::NestMorphism;
    ///
    /// let f = NestMorphism::new(&"2".parse()?, &"(3,2,5)".parse()?, &[2])?;
    /// let g = NestMorphism::new(&"5".parse()?, &"(3,5)".parse()?, &[2])?;
    /// assert_eq!(f.logical_product(&g)?.to_string(), "(2,5)->(3,2,5) by (2,3)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.2.5.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.logicalProduct`
    pub fn logical_product(&self, g: &Self) -> Result<Self> {
        let complement = self.complement()?;
        self.concat(&g.compose(&complement).map_err(|error| error.about("g, then the complement of f"))?)
    }

    /// The pullback f' : S' → T' along a refinement T' of the codomain: each entry becomes what T' has over its image.
    /// The layout stays the same function (3.2.5.11).
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when `fine` does not refine the codomain; [`TooLarge`](ErrorKind::TooLarge) when the
    /// result would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::category::NestMorphism;
    ///
    /// let f = NestMorphism::new(&"(7,9)".parse()?, &"(24,9)".parse()?, &[0, 2])?;
    /// assert_eq!(f.pullback(&"((4,6),(3,3))".parse()?)?.to_string(), "(7,(3,3))->((4,6),(3,3)) by (0,3,4)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.2.5.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.pullback`
    pub fn pullback(&self, fine: &Shape) -> Result<Self> {
        let coarse = Shape::new(self.codomain.clone())?;
        let over = relative(fine, &coarse)?;
        let entry = |(place, entry): (usize, &u64)| {
            let image = self.flat.image(place).and_then(|at| over.modes.get(at));
            image.cloned().unwrap_or_else(|| IntTuple::leaf(*entry))
        };
        let parts: Vec<IntTuple> = self.domain.leaves().iter().enumerate().map(entry).collect();
        let counts: Vec<usize> = parts.iter().map(|part| part.leaves().len()).collect();
        let map = TupleMorphism::spread(self.flat.map().values(), &over.parts(), &counts);
        Self::new(&substitute(&self.domain, &parts)?, fine.extents(), &map)
    }

    /// The pushforward f' : S' → T' along a refinement S' of the domain: each image becomes what S' has over its entry.
    /// The layout stays the same function (3.2.5.15).
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when `fine` does not refine the domain; [`TooLarge`](ErrorKind::TooLarge) when the
    /// result would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::category::NestMorphism;
    ///
    /// let f = NestMorphism::new(&"(6,5)".parse()?, &"(7,6)".parse()?, &[2, 0])?;
    /// assert_eq!(f.pushforward(&"((2,3),(5,1))".parse()?)?.to_string(), "((2,3),(5,1))->(7,(2,3)) by (2,3,0,0)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.2.5.
    ///
    /// Lean: `Razorgirl.Category.NestMorphism.pushforward`
    pub fn pushforward(&self, fine: &Shape) -> Result<Self> {
        let coarse = Shape::new(self.domain.clone())?;
        let over = relative(fine, &coarse)?;
        let mut parts: Vec<IntTuple> = self.codomain.leaves().iter().map(|entry| IntTuple::leaf(*entry)).collect();
        for (place, mode) in over.modes.iter().enumerate() {
            if let Some(part) = self.flat.image(place).and_then(|at| parts.get_mut(at)) {
                *part = mode.clone();
            }
        }
        let mut end = 0_u64;
        let images: Vec<_> = parts
            .iter()
            .map(|part| {
                let start = end;
                end += part.leaves().len() as u64;
                start..end
            })
            .collect();
        let counts: Vec<usize> = over.modes.iter().map(|mode| mode.leaves().len()).collect();
        let map = TupleMorphism::spread(self.flat.map().values(), &images, &counts);
        Self::new(fine.extents(), &substitute(&self.codomain, &parts)?, &map)
    }
}

/// `((2,2),5)->(2,5,2) by (3,0,2)`.
impl fmt::Display for NestMorphism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}->{} by {}", self.domain, self.codomain, IntTuple::flat(self.flat.map().values()))
    }
}

/// As it is displayed: `((2,2),5)->(2,5,2) by (3,0,2)`.
impl FromStr for NestMorphism {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (domain, codomain, map) = arrow(text)?;
        Self::new(&domain.parse()?, &codomain.parse()?, &map)
    }
}
