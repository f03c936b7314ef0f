//! Operations on morphisms of tuples.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{Error, ErrorKind, Result};

use super::fin::{FinMap, at_index};
use super::tuple::TupleMorphism;

impl TupleMorphism {
    /// f ⊕ g: the domains concatenated, and the codomains concatenated.
    ///
    /// # Errors
    /// [`Overflow`](ErrorKind::Overflow) when the product of the domain or of the codomain is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 3], &[3], &[0, 1])?;
    /// assert_eq!(f.sum(&f)?.to_string(), "(2,3,2,3)->(3,3) by (0,1,0,2)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.sum`
    pub fn sum(&self, g: &Self) -> Result<Self> {
        let map = self.map().sum(g.map())?;
        Self::checked(
            [self.domain(), g.domain()].concat(),
            [self.codomain(), g.codomain()].concat(),
            map.values().to_vec(),
        )
    }

    /// f|I: the entries of the domain at these places, counted from 1.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) when a place is not in the domain or not above the one before.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 3, 5], &[5, 2], &[2, 0, 1])?;
    /// assert_eq!(f.restrict(&[1, 3])?.to_string(), "(2,5)->(5,2) by (2,1)");
    /// assert!(f.restrict(&[4]).is_err());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.restrict`
    pub fn restrict(&self, places: &[usize]) -> Result<Self> {
        increasing(places, self.domain().len(), "domain")?;
        let picked =
            |from: &[u64]| places.iter().filter_map(|place| from.get(place - 1)).copied().collect::<Vec<u64>>();
        let map = FinMap::valid(self.map().codomain(), picked(self.map().values()));
        Ok(Self::valid(picked(self.domain()), self.codomain().to_vec(), map))
    }

    /// f into the entries of the codomain at these places, counted from 1, through which it goes.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) when a place is not in the codomain, not above the one before, or an image is not among
    /// the places.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 3], &[5, 2, 7], &[2, 0])?;
    /// assert_eq!(f.factorize(&[2, 3])?.to_string(), "(2,3)->(2,7) by (1,0)");
    /// assert!(f.factorize(&[1, 3]).is_err());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.factorize`
    pub fn factorize(&self, places: &[usize]) -> Result<Self> {
        increasing(places, self.codomain().len(), "codomain")?;
        let mut moved = vec![None; self.codomain().len()];
        for (new, place) in (1_u64..).zip(places) {
            if let Some(slot) = moved.get_mut(place - 1) {
                *slot = Some(new);
            }
        }
        let mut values = Vec::with_capacity(self.domain().len());
        for (place, value) in self.map().values().iter().enumerate() {
            let Some(at) = self.image(place) else {
                values.push(0);
                continue;
            };
            let Some(new) = moved.get(at).copied().flatten() else {
                return Err(Error::new(
                    ErrorKind::OutOfDomain,
                    format!("entry {} goes to entry {value} of the codomain, which is not among the places", place + 1),
                )
                .with_help("keep every image: the places have to hold all values of the map but 0"));
            };
            values.push(new);
        }
        let codomain: Vec<u64> = places.iter().filter_map(|place| self.codomain().get(place - 1)).copied().collect();
        let map = FinMap::valid(codomain.len() as u64, values);
        Ok(Self::valid(self.domain().to_vec(), codomain, map))
    }

    /// f without the entries of 1, in the domain and in the codomain: L of it is squeeze(`L_f`).
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[1, 2, 3], &[1, 3], &[1, 0, 2])?;
    /// assert_eq!(f.squeeze().to_string(), "(2,3)->(3) by (0,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.squeeze`
    #[must_use]
    pub fn squeeze(&self) -> Self {
        let mut moved = Vec::with_capacity(self.codomain().len());
        let mut codomain = Vec::new();
        for entry in self.codomain() {
            if *entry != 1 {
                codomain.push(*entry);
            }
            moved.push(codomain.len() as u64);
        }
        let (mut domain, mut values) = (Vec::new(), Vec::new());
        for (place, entry) in self.domain().iter().enumerate().filter(|(_, entry)| **entry != 1) {
            domain.push(*entry);
            values.push(self.image(place).and_then(|at| moved.get(at)).copied().unwrap_or(0));
        }
        let map = FinMap::valid(codomain.len() as u64, values);
        Self::valid(domain, codomain, map)
    }

    /// f with its domain in order: first what goes to the basepoint, by size, then the others by their images. L of it is
    /// sort(`L_f`). Equal entries keep their order.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 7, 3, 5], &[5, 2], &[2, 0, 0, 1])?;
    /// assert_eq!(f.sort().to_string(), "(3,7,5,2)->(5,2) by (0,0,1,2)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.sort`
    #[must_use]
    pub fn sort(&self) -> Self {
        let mut all: Vec<(u64, u64)> = self.map().values().iter().copied().zip(self.domain().iter().copied()).collect();
        // images differ, so the entry decides at the basepoint alone
        all.sort_unstable();
        let map = FinMap::valid(self.map().codomain(), all.iter().map(|(value, _)| *value).collect());
        Self::valid(all.into_iter().map(|(_, entry)| entry).collect(), self.codomain().to_vec(), map)
    }

    /// coal(f): squeezed; then adjacent entries are merged if both go to the basepoint, or to adjacent entries, which are merged too.
    /// L of it is the coalesced `L_f` (theorem C, 3.2.6.13). Entries of the codomain that are not images are not merged.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 3, 5, 7], &[2, 1, 3], &[1, 3, 0, 0])?;
    /// assert_eq!(f.coalesce().to_string(), "(6,35)->(6) by (1,0)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5; the blog leaves out that entries of 1 go first (K6).
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.coalesce`
    #[must_use]
    pub fn coalesce(&self) -> Self {
        self.squeeze().merged(false)
    }

    /// [`coalesce`](Self::coalesce), which also merges adjacent entries of the codomain that are not images. The layout is the same.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[4], &[2, 3, 4, 5, 6], &[3])?;
    /// assert_eq!(f.strong_coalesce().to_string(), "(4)->(6,4,30) by (2)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: the companion package of Categorical Foundations; it is not in the text (T7).
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.strongCoalesce`
    #[must_use]
    pub fn strong_coalesce(&self) -> Self {
        self.squeeze().merged(true)
    }

    /// Runs of neighbours made one, in the domain and in the codomain; with `unhit` also those that are not images.
    fn merged(&self, unhit: bool) -> Self {
        let values = self.map().values();
        // an entry of the codomain that joins the one before it
        let mut joins = vec![false; self.codomain().len()];
        if unhit {
            let hits = self.map().hits();
            for (join, pair) in joins.iter_mut().skip(1).zip(hits.windows(2)) {
                *join = matches!(pair, [false, false]);
            }
        }
        let (mut domain, mut kept): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        let mut before = None;
        for (entry, value) in self.domain().iter().zip(values) {
            let follows = match before {
                Some(0) => *value == 0,
                Some(image) => *value == image + 1,
                None => false,
            };
            if let Some(last) = domain.last_mut().filter(|_| follows) {
                *last = last.saturating_mul(*entry);
                if let Some(join) = value.checked_sub(1).and_then(at_index).and_then(|at| joins.get_mut(at)) {
                    *join = true;
                }
            } else {
                domain.push(*entry);
                kept.push(*value);
            }
            before = Some(*value);
        }
        let mut codomain: Vec<u64> = Vec::new();
        let mut moved = Vec::with_capacity(joins.len());
        for (entry, join) in self.codomain().iter().zip(joins) {
            match codomain.last_mut().filter(|_| join) {
                Some(last) => *last = last.saturating_mul(*entry),
                None => codomain.push(*entry),
            }
            moved.push(codomain.len() as u64);
        }
        let place =
            |value: &u64| value.checked_sub(1).and_then(at_index).and_then(|at| moved.get(at)).copied().unwrap_or(0);
        let map = FinMap::valid(codomain.len() as u64, kept.iter().map(place).collect());
        Self::valid(domain, codomain, map)
    }

    /// f ⋆ g: two morphisms into one codomain, with disjoint images, as one. L of it is `L_f` ⋆ `L_g`.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the codomains differ, [`NotInjective`](ErrorKind::NotInjective) when both reach one
    /// entry, [`Overflow`](ErrorKind::Overflow) when the product of the domains is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 9], &[3, 2], &[2, 0])?;
    /// let g = TupleMorphism::new(&[3], &[3, 2], &[1])?;
    /// assert_eq!(f.concat(&g)?.to_string(), "(2,9,3)->(3,2) by (2,0,1)");
    /// assert!(f.concat(&f).is_err());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.concat`
    pub fn concat(&self, g: &Self) -> Result<Self> {
        if self.codomain() != g.codomain() {
            let shown = |entries: &[u64]| crate::error::brief(&crate::IntTuple::flat(entries));
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("the codomain of f is {}, that of g {}", shown(self.codomain()), shown(g.codomain())),
            )
            .with_help("f and g are joined where their codomains are one"));
        }
        let map = self.map().wedge(g.map())?;
        let domain = [self.domain(), g.domain()].concat();
        if crate::int_tuple::shape::size_of(&domain).is_none() {
            return Err(crate::int_tuple::shape::size_overflow());
        }
        Ok(Self::valid(domain, self.codomain().to_vec(), map))
    }

    /// f^c: the entries of the codomain that are not images, in order. f ⋆ f^c is an isomorphism.
    ///
    /// coalesce(`L_{f^c}`) is the complement of `L_f` in the size of the codomain (theorem D, 3.2.6.20). `L_{f^c}` itself is that
    /// complement (3.1.5.44) if f is also of standard form and non-degenerate; (1,3)→(2,1,2,3) by (2,4) is a counterexample without
    /// this condition (E2, K4).
    ///
    /// # Errors
    /// [`NotInjective`](ErrorKind::NotInjective) when an entry goes to the basepoint.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 2], &[3, 2, 5, 2], &[2, 4])?;
    /// assert_eq!(f.complement()?.to_string(), "(3,5)->(3,2,5,2) by (1,3)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.complement`
    pub fn complement(&self) -> Result<Self> {
        if let Some(place) = self.map().values().iter().position(|value| *value == 0) {
            return Err(Error::new(
                ErrorKind::NotInjective,
                format!("entry {} goes to the basepoint, so the morphism has no complement", place + 1),
            )
            .with_leaf(place)
            .with_help("a morphism has a complement where every entry has an image"));
        }
        let hits = self.map().hits();
        let free = (1_u64..).zip(self.codomain()).zip(hits).filter(|(_, hit)| !hit);
        let (values, domain) = free.map(|((place, entry), _)| (place, *entry)).unzip();
        Ok(Self::valid(domain, self.codomain().to_vec(), FinMap::valid(self.map().codomain(), values)))
    }

    /// f ⊘ g = f ∘ (g ⋆ g^c): coalesce(L of it) is coalesce(`L_f` ⊘ `L_g`) (theorem E, 3.2.6.26).
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the codomain of `g` is not the domain of `self`, and as
    /// [`complement`](Self::complement) of `g`, which the text leaves out (E10).
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2, 6], &[5, 6, 2], &[0, 2])?;
    /// let g = TupleMorphism::new(&[6], &[2, 6], &[2])?;
    /// assert_eq!(f.flat_divide(&g)?.to_string(), "(6,2)->(5,6,2) by (2,0)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.flatDivide`
    pub fn flat_divide(&self, g: &Self) -> Result<Self> {
        if g.codomain() != self.domain() {
            return Err(super::tuple::not_composable(
                &crate::IntTuple::flat(g.codomain()),
                &crate::IntTuple::flat(self.domain()),
            )
            .about("g, then f"));
        }
        Ok(g.concat(&g.complement()?)?.after(self))
    }

    /// f ⊗ g = f ⋆ (f^c ∘ g): L of it is `L_f` ⊗ `L_g` (theorem F, 3.2.6.31, with the size mended: E9). Associative (3.1.5.61).
    ///
    /// # Errors
    /// As [`complement`](Self::complement); [`Incongruent`](ErrorKind::Incongruent) when the codomain of `g` is not the domain of the
    /// complement; [`Overflow`](ErrorKind::Overflow) when the product of the domains is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::category::TupleMorphism;
    ///
    /// let f = TupleMorphism::new(&[2], &[3, 2, 5], &[2])?;
    /// let g = TupleMorphism::new(&[5], &[3, 5], &[2])?;
    /// assert_eq!(f.flat_product(&g)?.to_string(), "(2,5)->(3,2,5) by (2,3)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.5.
    ///
    /// Lean: `Razorgirl.Category.TupleMorphism.flatProduct`
    pub fn flat_product(&self, g: &Self) -> Result<Self> {
        let complement = self.complement()?;
        self.concat(&g.compose(&complement).map_err(|error| error.about("g, then the complement of f"))?)
    }

    /// The places of the codomain that the entries of a domain reach, one leaf after the other, where each entry at `place`
    /// stands for several: as many as `parts` says, with images side by side.
    pub(super) fn spread(values: &[u64], parts: &[Range<u64>], counts: &[usize]) -> Vec<u64> {
        let mut spread = Vec::new();
        for (place, value) in values.iter().enumerate() {
            let image = value.checked_sub(1).and_then(at_index).and_then(|at| parts.get(at));
            let count = counts.get(place).copied().unwrap_or(1);
            match image {
                Some(image) => spread.extend(image.clone().map(|at| at + 1)),
                None => spread.extend(core::iter::repeat_n(0, count)),
            }
        }
        spread
    }
}

/// Refuses places, counted from 1, that are not below one another or beyond what there is.
fn increasing(places: &[usize], count: usize, what: &str) -> Result<()> {
    let mut before = 0;
    for place in places {
        if *place == 0 || *place > count {
            return Err(Error::new(ErrorKind::OutOfDomain, format!("there is no entry {place} in the {what}"))
                .with_help(format!("its entries are counted from 1 to {count}")));
        }
        if *place <= before {
            return Err(Error::new(ErrorKind::OutOfDomain, format!("place {place} comes after place {before}"))
                .with_help("name each place once, in order"));
        }
        before = *place;
    }
    Ok(())
}
