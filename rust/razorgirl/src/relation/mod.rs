//! Finite relations on tuples of integers: what isl calls a map, listed pair by pair; and layouts as such relations.
//!
//! Composition of layouts is composition of their relations, as long as nothing leaves the domain of the outer layout; an inverse is the
//! relation reversed, which is not a layout as often as not. A relation that is a layout's is recovered from a shape or from strides.
//!
//! Source: «Modeling Layout Abstractions Using Integer Set Relations»; isl.

use alloc::{string::String, string::ToString, vec::Vec};

mod code;
mod isl;
mod layout;
mod quasi_affine;
mod read;
mod recover;
mod swizzle;
#[cfg(test)]
mod tests;

pub use code::{IndexCode, Language};
pub use isl::isl_text;
pub use quasi_affine::QuasiAffine;

use alloc::collections::BTreeMap;

use crate::error::{Error, ErrorKind, Result};

/// The most pairs that a relation is listed with.
pub const MAX_PAIRS: usize = 1 << 16;

/// The most integers that the pairs of a relation hold together.
pub const MAX_NUMBERS: usize = 1 << 20;

/// The most points that a formula is looked at.
pub const MAX_POINTS: u64 = 1 << 20;

/// A tuple of integers.
pub type Tuple = Vec<i128>;

/// A finite relation: pairs of an input and an output, in lexicographic order and none twice.
///
/// ```
/// use razorgirl::relation::Relation;
///
/// let f = Relation::new([(vec![0], vec![2]), (vec![5], vec![3])])?;
/// let g = Relation::new([(vec![1], vec![7]), (vec![2], vec![8])])?;
/// assert_eq!(g.after(&f)?.pairs(), [(vec![0], vec![8])]);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Relation`
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Relation(Vec<(Tuple, Tuple)>);

impl Relation {
    /// The relation of these pairs.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) beyond [`MAX_PAIRS`] pairs, or [`MAX_NUMBERS`] integers in them.
    pub fn new(pairs: impl IntoIterator<Item = (Tuple, Tuple)>) -> Result<Self> {
        let (mut listed, mut numbers) = (Vec::new(), 0);
        for (input, image) in pairs {
            numbers += input.len() + image.len();
            if listed.len() == MAX_PAIRS || numbers > MAX_NUMBERS {
                return Err(too_many());
            }
            listed.push((input, image));
        }
        listed.sort_unstable();
        listed.dedup();
        Ok(Self(listed))
    }

    /// The pairs, in lexicographic order.
    #[must_use]
    pub fn pairs(&self) -> &[(Tuple, Tuple)] {
        &self.0
    }

    /// This relation after another: x is related to z if the inner relation has (x, y) and this one (y, z) for some y. isl
    /// `apply_range` of the inner one. Inputs whose images this relation does not know have none.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) beyond [`MAX_PAIRS`] pairs, those found twice counted twice.
    ///
    /// Lean: `Razorgirl.Relation.after`
    pub fn after(&self, inner: &Self) -> Result<Self> {
        Self::new(inner.0.iter().flat_map(|(x, y)| {
            let from = self.0.partition_point(|(input, _)| input < y);
            let images = self.0[from..].iter().take_while(move |(input, _)| input == y);
            images.map(move |(_, z)| (x.clone(), z.clone()))
        }))
    }

    /// Whether an image of `inner` is not in the domain. There this relation [after](Self::after) that one has no pair; where both are
    /// layouts, CuTe's `composition` lets the last mode of the outer one grow.
    ///
    /// Lean: `Razorgirl.Relation.promotes`
    #[must_use]
    pub fn promotes(&self, inner: &Self) -> bool {
        inner.0.iter().any(|(_, y)| self.0.binary_search_by(|(input, _)| input.cmp(y)).is_err())
    }

    /// The inverse relation: each pair swapped. isl `reverse`.
    ///
    /// Lean: `Razorgirl.Relation.inverse`
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut pairs: Vec<_> = self.0.iter().map(|(x, y)| (y.clone(), x.clone())).collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    /// Each tuple that has an image, once.
    ///
    /// Lean: `Razorgirl.Relation.domain`
    #[must_use]
    pub fn domain(&self) -> Vec<&Tuple> {
        let mut inputs: Vec<_> = self.0.iter().map(|(x, _)| x).collect();
        inputs.dedup();
        inputs
    }

    /// Each image, once.
    ///
    /// Lean: `Razorgirl.Relation.range`
    #[must_use]
    pub fn range(&self) -> Vec<&Tuple> {
        let mut images: Vec<_> = self.0.iter().map(|(_, y)| y).collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// The pairs of either.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) beyond [`MAX_PAIRS`] pairs.
    ///
    /// Lean: `Razorgirl.Relation.union`
    pub fn union(&self, other: &Self) -> Result<Self> {
        Self::new(self.0.iter().chain(other.0.iter().filter(|pair| !self.contains(pair))).cloned())
    }

    /// The pairs of both.
    ///
    /// Lean: `Razorgirl.Relation.inter`
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self(self.0.iter().filter(|pair| other.contains(pair)).cloned().collect())
    }

    /// The pairs of this relation that the other relation does not have.
    ///
    /// Lean: `Razorgirl.Relation.diff`
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Self(self.0.iter().filter(|pair| !other.contains(pair)).cloned().collect())
    }

    fn contains(&self, pair: &(Tuple, Tuple)) -> bool {
        self.0.binary_search(pair).is_ok()
    }

    /// Whether no tuple has two images.
    ///
    /// Lean: `Razorgirl.Relation.functional`
    #[must_use]
    pub fn is_functional(&self) -> bool {
        self.0.iter().zip(self.0.iter().skip(1)).all(|((x, _), (y, _))| x != y)
    }

    /// Whether no two tuples have one image.
    ///
    /// Lean: `Razorgirl.Relation.injective`
    #[must_use]
    pub fn is_injective(&self) -> bool {
        self.inverse().is_functional()
    }

    /// Whether it is a function that takes each value once.
    ///
    /// Lean: `Razorgirl.Relation.bijective`
    #[must_use]
    pub fn is_bijective(&self) -> bool {
        self.is_functional() && self.is_injective()
    }

    /// Each image with the least tuple that has it, the first coordinate being the fastest: the function that picks one preimage. Of the
    /// coordinates of a shape it is that of the least linear index; of single numbers it is isl's `lexmin` of `reverse`.
    ///
    /// Lean: `Razorgirl.Relation.leastPreimages`
    #[must_use]
    pub fn least_preimages(&self) -> Self {
        let mut least = BTreeMap::new();
        for (x, y) in &self.0 {
            least.entry(y).and_modify(|least: &mut &Tuple| *least = earlier(least, x)).or_insert(x);
        }
        Self(least.into_iter().map(|(y, x)| (y.clone(), x.clone())).collect())
    }

    /// The integers from 0 to the largest image that are not images. Images must be single integers of at least 0.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) for other images; [`TooLarge`](ErrorKind::TooLarge) where the numbers up to the largest
    /// image are more than [`MAX_PAIRS`].
    ///
    /// Lean: `Razorgirl.Relation.gaps`
    pub fn gaps(&self) -> Result<Vec<i128>> {
        let mut gaps = Vec::new();
        let mut next = 0;
        for image in self.range() {
            let &[image] = image.as_slice() else { return Err(no_number(image)) };
            if image < 0 {
                return Err(no_number(&vec![image]));
            }
            if image >= MAX_PAIRS as i128 {
                let message = format!("the image {image} is {MAX_PAIRS} or more, so gaps below it are not listed");
                return Err(Error::new(ErrorKind::TooLarge, message).with_help("ask of a relation with smaller images"));
            }
            gaps.extend(next..image);
            next = image + 1;
        }
        Ok(gaps)
    }
}

/// The tuple of the two that is less in the last coordinate where they differ.
fn earlier<'a>(one: &'a Tuple, other: &'a Tuple) -> &'a Tuple {
    if other.iter().rev().lt(one.iter().rev()) { other } else { one }
}

#[cold]
fn too_many() -> Error {
    let bounds = format!("{MAX_PAIRS} pairs and {MAX_NUMBERS} integers in them");
    Error::new(ErrorKind::TooLarge, format!("the relation passes one of its bounds, {bounds}"))
        .with_help(format!("list at most {bounds}"))
}

#[cold]
fn no_number(image: &Tuple) -> Error {
    Error::new(ErrorKind::OutOfDomain, format!("the image {} must be one integer of at least 0", shown(image)))
        .with_help("gaps are defined for functions to offsets")
}

/// `(1,-2)`
fn shown(tuple: &[i128]) -> String {
    format!("({})", tuple.iter().map(i128::to_string).collect::<Vec<_>>().join(","))
}
