//! Morphisms of tuples.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::IntTuple;
use crate::error::{Error, ErrorKind, Result};

use super::fin::{FinMap, arrow, at_index, unreadable};
use super::written::WrittenLayout;

/// A morphism f : S → T of tuples of positive integers: a [`FinMap`] α of their places with `s_i` = `t_α(i)` where α(i) is not the
/// basepoint.
///
/// ```
/// use razorgirl::category::TupleMorphism;
///
/// let f = TupleMorphism::new(&[2, 2], &[3, 2, 5, 2], &[2, 4])?;
/// assert_eq!(f.encoded_layout().to_string(), "(2,2):(3,30)");
/// assert_eq!(f.realization(3)?, 33);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Source: Categorical Foundations, 3.1.1.
///
/// Lean: `Razorgirl.Category.TupleMorphism`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TupleMorphism {
    domain: Vec<u64>,
    codomain: Vec<u64>,
    map: FinMap,
}

impl TupleMorphism {
    /// The morphism with this domain, codomain and map, which is counted from 1 with 0 for the basepoint.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the map has not one value for each entry of the domain, or an entry differs from
    /// its image; [`Extent`](ErrorKind::Extent) when an entry is 0; [`Overflow`](ErrorKind::Overflow) when the product of the domain or
    /// of the codomain is 2^64 or more; and as [`FinMap::new`].
    ///
    /// ```
    /// use razorgirl::{ErrorKind, category::TupleMorphism};
    ///
    /// let refused = |map: &[u64]| TupleMorphism::new(&[2, 3], &[3, 2], map).unwrap_err();
    /// assert_eq!(refused(&[1, 0]).to_string(), "the map sends entry 1, which is 2, to entry 1, which is 3");
    /// assert_eq!(refused(&[2]).to_string(), "the map has 1 value for the 2 entries of the domain");
    /// assert_eq!(refused(&[2, 2]).kind(), ErrorKind::NotInjective);
    /// assert_eq!(refused(&[2, 3]).kind(), ErrorKind::OutOfDomain);
    /// ```
    pub fn new(domain: &[u64], codomain: &[u64], map: &[u64]) -> Result<Self> {
        Self::checked(domain.to_vec(), codomain.to_vec(), map.to_vec())
    }

    pub(super) fn checked(domain: Vec<u64>, codomain: Vec<u64>, map: Vec<u64>) -> Result<Self> {
        if map.len() != domain.len() {
            let values = if map.len() == 1 { "value" } else { "values" };
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("the map has {} {values} for the {} entries of the domain", map.len(), domain.len()),
            )
            .with_help("the map has a value for each entry of the domain: an entry of the codomain, or 0"));
        }
        product(&domain, "domain")?;
        product(&codomain, "codomain")?;
        let map = FinMap::new(codomain.len() as u64, map)?;
        for (place, (entry, value)) in domain.iter().zip(map.values()).enumerate() {
            let image = value.checked_sub(1).and_then(at_index).and_then(|at| codomain.get(at));
            if let Some(image) = image.filter(|image| *image != entry) {
                return Err(Error::new(
                    ErrorKind::Incongruent,
                    format!("the map sends entry {}, which is {entry}, to entry {value}, which is {image}", place + 1),
                )
                .with_leaf(place)
                .with_help("an entry goes to an equal one, or to the basepoint, 0"));
            }
        }
        Ok(Self { domain, codomain, map })
    }

    /// From parts that make one, with products below 2^64.
    pub(super) const fn valid(domain: Vec<u64>, codomain: Vec<u64>, map: FinMap) -> Self {
        Self { domain, codomain, map }
    }

    /// The identity of a tuple.
    ///
    /// # Errors
    /// As [`new`](Self::new), of its entries.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 2], &[3, 2], &[2, 0])?;
    /// assert_eq!(TupleMorphism::identity(&[2, 2])?.compose(&f)?, f);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.identity`
    pub fn identity(entries: &[u64]) -> Result<Self> {
        Self::checked(entries.to_vec(), entries.to_vec(), (1..=entries.len() as u64).collect())
    }

    /// S, its entries.
    #[must_use]
    pub fn domain(&self) -> &[u64] {
        &self.domain
    }

    /// T, its entries.
    #[must_use]
    pub fn codomain(&self) -> &[u64] {
        &self.codomain
    }

    /// α, the map of the places.
    #[must_use]
    pub const fn map(&self) -> &FinMap {
        &self.map
    }

    /// The place of the codomain, from 0, to which a place of the domain goes; none for the basepoint.
    pub(super) fn image(&self, place: usize) -> Option<usize> {
        self.map.values().get(place)?.checked_sub(1).and_then(at_index)
    }

    /// `g` after `self`: `L_{g∘f}` = `L_g` ∘ `L_f` where f is [non-degenerate](Self::is_non_degenerate) (theorem B, 3.2.6.21; the blog
    /// leaves that out, and then f = g = id of (1) refutes it).
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the codomain is not the domain of `g`.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 3], &[3, 2], &[2, 1])?;
    /// let g = TupleMorphism::new(&[3, 2], &[5, 2], &[0, 2])?;
    /// assert_eq!(f.compose(&g)?.to_string(), "(2,3)->(5,2) by (2,0)");
    /// assert!(f.compose(&f).is_err());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.comp`
    pub fn compose(&self, g: &Self) -> Result<Self> {
        if self.codomain != g.domain {
            return Err(not_composable(&IntTuple::flat(&self.codomain), &IntTuple::flat(&g.domain)));
        }
        Ok(self.after(g))
    }

    /// `g` after `self`, where they compose.
    pub(super) fn after(&self, g: &Self) -> Self {
        Self { domain: self.domain.clone(), codomain: g.codomain.clone(), map: self.map.after(&g.map) }
    }

    /// `L_f`: the layout of shape S whose strides are the products of the codomain before the images, 0 for the basepoint.
    ///
    /// Source: Categorical Foundations, 3.1.2.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.encodedLayout`
    #[must_use]
    pub fn encoded_layout(&self) -> WrittenLayout {
        WrittenLayout::flat(&self.domain, &self.strides())
    }

    /// The strides of `L_f`.
    pub(super) fn strides(&self) -> Vec<u64> {
        let mut below = Vec::with_capacity(self.codomain.len());
        let mut product = 1_u64;
        for entry in &self.codomain {
            below.push(product);
            // the product of the whole codomain is below 2^64
            product = product.saturating_mul(*entry);
        }
        let stride = |place| self.image(place).and_then(|at| below.get(at)).copied().unwrap_or(0);
        (0..self.domain.len()).map(stride).collect()
    }

    /// The product of the domain.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.domain.iter().fold(1, |size, entry| size.saturating_mul(*entry))
    }

    /// The product of the codomain. The offsets of `L_f` are below it.
    #[must_use]
    pub fn cosize(&self) -> u64 {
        self.codomain.iter().fold(1, |size, entry| size.saturating_mul(*entry))
    }

    /// |f|: the coordinate of an index in the domain, its entries moved to their images, and the index of that in the codomain.
    /// It is the offset of `L_f` at the index.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) at or above the [size](Self::size).
    ///
    /// Source: Categorical Foundations, 3.1.4.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.realization`
    pub fn realization(&self, index: u64) -> Result<u64> {
        let size = self.size();
        if index >= size {
            return Err(Error::new(ErrorKind::OutOfDomain, format!("index {index} is outside [0,{size})")));
        }
        let mut rest = index;
        let mut moved = vec![0; self.codomain.len()];
        for (place, entry) in self.domain.iter().enumerate() {
            let digit = rest % (*entry).max(1);
            rest /= (*entry).max(1);
            if let Some(slot) = self.image(place).and_then(|at| moved.get_mut(at)) {
                *slot = digit;
            }
        }
        let digits = self.codomain.iter().zip(moved).rev();
        Ok(digits.fold(0_u64, |index, (entry, digit)| index.saturating_mul(*entry).saturating_add(digit)))
    }

    /// Whether nothing goes to the basepoint. Then f has a complement, and `L_f` is injective.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.isComplementable`
    #[must_use]
    pub fn is_complementable(&self) -> bool {
        self.map.values().iter().all(|value| *value != 0)
    }

    /// Whether it is an isomorphism: nothing goes to the basepoint, and every entry of the codomain is an image.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.isIsomorphism`
    #[must_use]
    pub fn is_isomorphism(&self) -> bool {
        self.is_complementable() && self.domain.len() == self.codomain.len()
    }

    /// Whether every entry equal to 1 goes to the basepoint.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.isNonDegenerate`
    #[must_use]
    pub fn is_non_degenerate(&self) -> bool {
        self.domain.iter().zip(self.map.values()).all(|(entry, value)| *entry != 1 || *value == 0)
    }

    /// Whether the codomain is the least that gives the strides of `L_f`: its last entry is an image, and every entry that is
    /// not an image is not 1 and directly precedes an image.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = |codomain: &[u64]| TupleMorphism::new(&[3], codomain, &[0]);
    /// assert!(f(&[])?.is_standard() && !f(&[7])?.is_standard());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.2.12, with n ≥ 1 for n > 1 (E1): there (3)→(7) and (3)→() would both be of standard
    /// form, and both encode 3:0.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.isStandard`
    #[must_use]
    pub fn is_standard(&self) -> bool {
        let hits = self.map.hits();
        let next = hits.iter().skip(1).chain([&false]);
        hits.iter().zip(next).zip(&self.codomain).all(|((hit, next), entry)| *hit || *entry != 1 && *next)
    }

    /// Whether [`sort`](Self::sort) changes nothing: what goes to the basepoint comes first and does not decrease, and the images
    /// of the others increase.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.isSorted`
    #[must_use]
    pub fn is_sorted(&self) -> bool {
        let key = |(entry, value): (&u64, &u64)| (*value, if *value == 0 { *entry } else { 0 });
        self.domain.iter().zip(self.map.values()).map(key).is_sorted()
    }

    /// Whether no entry of the domain is 1 and no two neighbours can be one: both at the basepoint, or with images that only
    /// entries of 1 part.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// assert!(!TupleMorphism::new(&[2, 3], &[2], &[0, 0])?.is_coalesced());
    /// assert!(!TupleMorphism::new(&[2, 3], &[2, 1, 3], &[1, 3])?.is_coalesced());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5. The companion package accepts two neighbours at the basepoint (T3).
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.isCoalesced`
    #[must_use]
    pub fn is_coalesced(&self) -> bool {
        let mut ones = Vec::with_capacity(self.codomain.len() + 1);
        ones.push(0_usize);
        for entry in &self.codomain {
            ones.push(ones.last().copied().unwrap_or(0) + usize::from(*entry == 1));
        }
        let parted = |pair: &[u64]| match *pair {
            [0, 0] => false,
            [first, second] if 0 < first && first < second => {
                let between = |value: u64| at_index(value).and_then(|at| ones.get(at)).copied().unwrap_or(0) as u64;
                between(second - 1) - between(first) < second - first - 1
            }
            _ => true,
        };
        self.domain.iter().all(|entry| *entry != 1) && self.map.values().windows(2).all(parted)
    }
}

/// Refuses entries of 0 and products of 2^64 or more.
fn product(entries: &[u64], what: &str) -> Result<u64> {
    if let Some(place) = entries.iter().position(|entry| *entry == 0) {
        return Err(Error::new(ErrorKind::Extent, format!("entry {} of the {what} is 0", place + 1))
            .with_leaf(place)
            .with_help("an entry is at least 1"));
    }
    crate::int_tuple::shape::size_of(entries).ok_or_else(|| {
        Error::new(ErrorKind::Overflow, format!("the product of the {what} is 2^64 or more"))
            .with_help("the products of domain and codomain must stay below 2^64")
    })
}

#[cold]
pub(super) fn not_composable(codomain: &IntTuple, domain: &IntTuple) -> Error {
    let (codomain, domain) = (crate::error::brief(codomain), crate::error::brief(domain));
    Error::new(ErrorKind::Incongruent, format!("the codomain of f is {codomain}, the domain of g {domain}"))
        .with_help("f and g compose where the codomain of f is the domain of g, entry for entry")
}

/// `(6,6)->(6,6) by (2,1)`.
impl fmt::Display for TupleMorphism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tuple = |entries: &[u64]| IntTuple::flat(entries);
        write!(f, "{}->{} by {}", tuple(&self.domain), tuple(&self.codomain), tuple(self.map.values()))
    }
}

/// As it is displayed: `(6,6)->(6,6) by (2,1)`.
impl FromStr for TupleMorphism {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (domain, codomain, map) = arrow(text)?;
        let (domain, codomain): (IntTuple, IntTuple) = (domain.parse()?, codomain.parse()?);
        if domain.depth() != 1 || codomain.depth() != 1 {
            return Err(unreadable(text, "flat tuples: (2,3)->(3,2) by (2,1)"));
        }
        Self::checked(domain.leaves().to_vec(), codomain.leaves().to_vec(), map)
    }
}
