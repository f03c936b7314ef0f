//! Maps of pointed finite sets.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::{Error, ErrorKind, Result};

/// A map {∗,1,…,m} → {∗,1,…,n} that keeps the basepoint ∗ and sends no two elements to one, unless that is ∗.
///
/// ```
/// use razorgirl::category::FinMap;
///
/// let f = FinMap::new(3, vec![3, 0, 1])?;
/// let g = FinMap::new(2, vec![0, 1, 2])?;
/// assert_eq!(f.compose(&g)?.values(), [2, 0, 0]);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Source: Categorical Foundations, 3.1.1.
///
/// Lean: `Razorgirl.Category.FinMap`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FinMap {
    codomain: u64,
    values: Vec<u64>,
}

impl FinMap {
    /// The map into {∗,1,…,`codomain`} with these values, 0 for ∗.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) when a value is above the codomain, [`NotInjective`](ErrorKind::NotInjective) when
    /// two elements have one value that is not ∗. O(m log m).
    ///
    /// ```
    /// use razorgirl::{ErrorKind, category::FinMap};
    ///
    /// assert_eq!(FinMap::new(2, vec![0, 3]).unwrap_err().to_string(), "the map sends 2 to 3, beyond the 2 entries of the codomain");
    /// assert_eq!(FinMap::new(2, vec![2, 2]).unwrap_err().kind(), ErrorKind::NotInjective);
    /// ```
    pub fn new(codomain: u64, values: Vec<u64>) -> Result<Self> {
        if let Some(place) = values.iter().position(|value| *value > codomain) {
            let value = values.get(place).copied().unwrap_or_default();
            return Err(Error::new(
                ErrorKind::OutOfDomain,
                format!("the map sends {} to {value}, beyond the {codomain} entries of the codomain", place + 1),
            )
            .with_help("a value is an entry of the codomain, counted from 1, or 0 for the basepoint"));
        }
        match twice(&values, &[]) {
            Some((first, second, value)) => Err(Error::new(
                ErrorKind::NotInjective,
                format!("the map sends {} and {} to {value}", first + 1, second + 1),
            )
            .with_help("only the basepoint, 0, may be the value of more than one entry")),
            None => Ok(Self { codomain, values }),
        }
    }

    pub(super) const fn valid(codomain: u64, values: Vec<u64>) -> Self {
        Self { codomain, values }
    }

    /// The map of {∗,1,…,n} that changes nothing.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) above [`MAX_MODES`](crate::MAX_MODES) elements.
    ///
    /// ```
    /// use razorgirl::category::FinMap;
    ///
    /// let f = FinMap::new(3, vec![3, 0])?;
    /// assert_eq!(f.compose(&FinMap::identity(3)?)?, f);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Category.FinMap.identity`
    pub fn identity(n: usize) -> Result<Self> {
        if n > crate::MAX_MODES {
            return Err(Error::new(ErrorKind::TooLarge, format!("{n} elements are more than are listed")));
        }
        Ok(Self { codomain: n as u64, values: (1..=n as u64).collect() })
    }

    /// m: how many elements the domain has beside ∗.
    #[must_use]
    pub fn domain(&self) -> usize {
        self.values.len()
    }

    /// n: how many elements the codomain has beside ∗.
    #[must_use]
    pub const fn codomain(&self) -> u64 {
        self.codomain
    }

    /// The values of 1, …, m; 0 is ∗.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// `g` after `self`.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the codomain is not the domain of `g`.
    ///
    /// Lean: `Razorgirl.Category.FinMap.comp`
    pub fn compose(&self, g: &Self) -> Result<Self> {
        if self.codomain != g.values.len() as u64 {
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("the codomain of f has {} elements, the domain of g {}", self.codomain, g.values.len()),
            )
            .with_help("f and g compose where the codomain of f is the domain of g"));
        }
        Ok(self.after(g))
    }

    /// `g` after `self`, where they compose.
    pub(super) fn after(&self, g: &Self) -> Self {
        let image = |value: &u64| value.checked_sub(1).and_then(|at| g.values.get(at_index(at)?)).copied().unwrap_or(0);
        Self { codomain: g.codomain, values: self.values.iter().map(image).collect() }
    }

    /// f ⊕ g: side by side, into the codomains side by side.
    ///
    /// # Errors
    /// [`Overflow`](ErrorKind::Overflow) when the codomains have 2^64 elements or more together.
    ///
    /// ```
    /// use razorgirl::category::FinMap;
    ///
    /// let f = FinMap::new(3, vec![3, 0])?;
    /// assert_eq!(f.sum(&f)?.values(), [3, 0, 6, 0]);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Category.FinMap.sum`
    pub fn sum(&self, g: &Self) -> Result<Self> {
        let codomain = self
            .codomain
            .checked_add(g.codomain)
            .ok_or_else(|| Error::new(ErrorKind::Overflow, "the codomains have 2^64 elements or more together"))?;
        let moved = g.values.iter().map(|value| if *value == 0 { 0 } else { value + self.codomain });
        Ok(Self { codomain, values: self.values.iter().copied().chain(moved).collect() })
    }

    /// f ⋆ g: side by side, into the one codomain of both (the wedge).
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the codomains differ, [`NotInjective`](ErrorKind::NotInjective) when an element
    /// is a value of both.
    ///
    /// ```
    /// use razorgirl::{ErrorKind, category::FinMap};
    ///
    /// let f = FinMap::new(3, vec![3, 0])?;
    /// assert_eq!(f.wedge(&FinMap::new(3, vec![1])?)?.values(), [3, 0, 1]);
    /// assert_eq!(f.wedge(&f).unwrap_err().kind(), ErrorKind::NotInjective);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Category.FinMap.wedge`
    pub fn wedge(&self, g: &Self) -> Result<Self> {
        if self.codomain != g.codomain {
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("the codomain of f has {} elements, that of g {}", self.codomain, g.codomain),
            )
            .with_help("f and g are joined where their codomains are one"));
        }
        self.disjoint(g)?;
        Ok(Self { codomain: self.codomain, values: self.values.iter().chain(&g.values).copied().collect() })
    }

    /// Refuses maps that share a value which is not ∗.
    pub(super) fn disjoint(&self, g: &Self) -> Result<()> {
        match twice(&self.values, &g.values) {
            Some((_, _, value)) => {
                Err(Error::new(ErrorKind::NotInjective, format!("both maps have {value} among their values"))
                    .with_help("maps into one codomain are joined where their images are disjoint"))
            }
            None => Ok(()),
        }
    }

    /// Whether each element up to the codomain is a value: which of them are, where those are as many as the entries of a tuple.
    pub(super) fn hits(&self) -> Vec<bool> {
        let mut hit = vec![false; at_index(self.codomain).unwrap_or(0)];
        for value in &self.values {
            if let Some(hit) = value.checked_sub(1).and_then(at_index).and_then(|at| hit.get_mut(at)) {
                *hit = true;
            }
        }
        hit
    }
}

/// Two places of the lists, one behind the other, that hold one value other than 0, and that value.
fn twice(values: &[u64], more: &[u64]) -> Option<(usize, usize, u64)> {
    // what is increasing holds nothing twice, and most maps are short
    let mut all: Vec<(u64, usize)> = Vec::with_capacity(values.len() + more.len());
    all.extend(values.iter().chain(more).copied().zip(0..).filter(|(value, _)| *value != 0));
    all.sort_unstable();
    all.windows(2).find_map(|pair| match pair {
        [(a, first), (b, second)] if a == b => Some((*first, *second, *a)),
        _ => None,
    })
}

pub(super) fn at_index(value: u64) -> Option<usize> {
    usize::try_from(value).ok()
}

/// `{1,2,3}->{1,2} by (2,0,1)`, in short `3->2 by (2,0,1)`.
impl fmt::Display for FinMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}->{} by {}", self.values.len(), self.codomain, crate::IntTuple::flat(&self.values))
    }
}

/// As it is displayed: `3->2 by (2,0,1)`.
impl FromStr for FinMap {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (domain, codomain, map) = arrow(text)?;
        let number = |text: &str| text.parse::<u64>();
        let (Ok(m), Ok(n)) = (number(domain), number(codomain)) else {
            return Err(unreadable(text, "3->2 by (2,0,1)"));
        };
        let map = Self::new(n, map)?;
        map.expect_domain(m).map(|()| map)
    }
}

impl FinMap {
    /// Refuses a map that has another number of elements than it is said to have.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when it has.
    pub fn expect_domain(&self, m: u64) -> Result<()> {
        if self.values.len() as u64 == m {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Incongruent, format!("the map has {} values for {m} elements", self.values.len()))
            .with_help("the map has a value for each element of the domain: an element of the codomain, or 0"))
    }
}

/// `S->T by map`, apart.
pub(super) fn arrow(text: &str) -> Result<(&str, &str, Vec<u64>)> {
    let parts = text.split_once("->").and_then(|(domain, rest)| Some((domain, rest.split_once("by")?)));
    let Some((domain, (codomain, map))) = parts else { return Err(unreadable(text, "(2,3)->(3,2) by (2,1)")) };
    let map: crate::IntTuple = map.trim().parse()?;
    Ok((domain.trim(), codomain.trim(), map.leaves().to_vec()))
}

#[cold]
pub(super) fn unreadable(text: &str, form: &str) -> Error {
    let shown = crate::error::brief(&text);
    Error::new(ErrorKind::Parse, format!("expected a morphism, met `{shown}`")).with_help(format!("write {form}"))
}
