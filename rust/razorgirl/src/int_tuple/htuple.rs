//! Tuples of tuples of values.

use core::fmt;

use crate::error::{Error, ErrorKind, Result, brief};
use crate::inline::InlineVec;

use super::profile::{Builder, Profile, Span};
use super::write::write_nested;

/// A value, or a tuple of such: flat leaves plus a [`Profile`]. Nothing is allocated for up to 8 leaves.
///
/// ```
/// use razorgirl::IntTuple;
///
/// let inner = IntTuple::flat(&[4, 2]);
/// let tuple = IntTuple::tuple(&[inner.clone(), IntTuple::leaf(8)])?;
/// assert_eq!(tuple.to_string(), "((4,2),8)");
/// assert_eq!(tuple.leaves(), [4, 2, 8]);
/// assert_eq!(tuple.mode(0), Some(inner));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.HTuple`
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct HTuple<T: Copy + Default> {
    leaves: InlineVec<T>,
    profile: Profile,
}

/// A nested tuple of integers without further meaning: a shape, a stride or a coordinate before it is checked.
///
/// Lean: `Razorgirl.IntTuple`
pub type IntTuple = HTuple<u64>;

impl<T: Copy + Default> HTuple<T> {
    /// A bare value. It is not the tuple of one value, which has depth 1.
    #[inline]
    #[must_use]
    pub fn leaf(value: T) -> Self {
        Self { leaves: InlineVec::from_slice(&[value]), profile: Profile::leaf() }
    }

    /// A tuple of bare values.
    ///
    /// Lean: `Razorgirl.HTuple.flat`
    #[inline]
    #[must_use]
    pub fn flat(values: &[T]) -> Self {
        Self { leaves: InlineVec::from_slice(values), profile: Profile::flat(values.len()) }
    }

    /// A tuple of tuples.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) when the result would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    pub fn tuple(modes: &[Self]) -> Result<Self> {
        Self::of_parts(modes.iter().map(|mode| (mode, mode.profile().span())))
    }

    /// A tuple whose modes are these subtrees.
    pub(crate) fn of_parts<'a>(parts: impl Iterator<Item = (&'a Self, Span)>) -> Result<Self>
    where
        T: 'a,
    {
        let mut leaves = InlineVec::new();
        let mut profile = Builder::new();
        profile.open()?;
        for (of, span) in parts {
            leaves.extend(of.leaves().get(span.leaves.clone()).unwrap_or_default());
            profile.subtree(of.profile(), &span)?;
        }
        profile.close();
        Ok(Self::from_parts(leaves, profile.finish()))
    }

    /// The modes where they lie, for [`of_parts`](Self::of_parts).
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&Self, Span)> {
        self.profile.children().map(move |span| (self, span))
    }

    /// These values, nested like this (CuTe's `unflatten`).
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the profile has another number of leaves.
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple = IntTuple::nested(&[4, 2, 8], &"((*,*),*)".parse()?)?;
    /// assert_eq!(tuple.to_string(), "((4,2),8)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.HTuple.unflatten`
    pub fn nested(leaves: &[T], profile: &Profile) -> Result<Self> {
        let count = profile.leaf_count();
        if leaves.len() != count {
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("{} values do not fill the {count} leaves of {}", leaves.len(), brief(profile)),
            ));
        }
        Ok(Self::from_parts(InlineVec::from_slice(leaves), profile.clone()))
    }

    #[inline]
    pub(crate) fn from_parts(leaves: InlineVec<T>, profile: Profile) -> Self {
        Self { leaves, profile }
    }

    /// All values, from left to right.
    #[inline]
    #[must_use]
    pub fn leaves(&self) -> &[T] {
        self.leaves.as_slice()
    }

    /// The nesting.
    ///
    /// Lean: `Razorgirl.HTuple.profile`
    #[inline]
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Number of modes at the top: 1 for a bare value, 0 for `()`.
    ///
    /// Lean: `Razorgirl.HTuple.rank`
    #[must_use]
    pub fn rank(&self) -> usize {
        self.profile.rank()
    }

    /// 0 for a bare value, else 1 + the depth of the deepest mode; 1 for `()`.
    ///
    /// Lean: `Razorgirl.HTuple.depth`
    #[must_use]
    pub fn depth(&self) -> usize {
        self.profile.depth()
    }

    /// Whether this is a bare value.
    #[inline]
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.profile.is_leaf()
    }

    /// Mode `index`, or nothing beyond the rank. A bare value is its own mode 0.
    ///
    /// Lean: `Razorgirl.HTuple.mode?`
    #[must_use]
    pub fn mode(&self, index: usize) -> Option<Self> {
        self.profile.children().nth(index).map(|span| self.part(&span))
    }

    /// The modes, in order.
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "((4,2),8)".parse()?;
    /// let modes: Vec<String> = tuple.modes().map(|mode| mode.to_string()).collect();
    /// assert_eq!(modes, ["(4,2)", "8"]);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.HTuple.children`
    pub fn modes(&self) -> impl Iterator<Item = Self> + '_ {
        self.profile.children().map(|span| self.part(&span))
    }

    fn part(&self, span: &Span) -> Self {
        let leaves = self.leaves().get(span.leaves.clone()).unwrap_or_default();
        Self { leaves: InlineVec::from_slice(leaves), profile: self.profile.part(span) }
    }

    /// The leaves as one tuple; a bare value stays one (CuTe's `flatten`).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "((4,2),8)".parse()?;
    /// assert_eq!(tuple.flatten().to_string(), "(4,2,8)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.HTuple.flatten`
    #[must_use]
    pub fn flatten(&self) -> Self {
        if self.is_leaf() {
            return self.clone();
        }
        Self { leaves: self.leaves.clone(), profile: Profile::flat(self.leaves().len()) }
    }

    /// Whether both have the same nesting (CuTe's `congruent`).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "((4,2),8)".parse()?;
    /// assert!(tuple.congruent(&"((1,1),1)".parse::<IntTuple>()?));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.HTuple.congruent`
    #[inline]
    #[must_use]
    pub fn congruent<U: Copy + Default>(&self, other: &HTuple<U>) -> bool {
        self.profile == other.profile
    }

    /// The same nesting over other values.
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "((4,2),8)".parse()?;
    /// assert_eq!(tuple.map(|value| value / 2).to_string(), "((2,1),4)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.HTuple.map`
    #[must_use]
    pub fn map<U: Copy + Default>(&self, f: impl FnMut(T) -> U) -> HTuple<U> {
        HTuple { leaves: self.leaves().iter().copied().map(f).collect(), profile: self.profile.clone() }
    }
}

impl<T: Copy + Default + fmt::Debug> fmt::Debug for HTuple<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_nested(f, &self.profile, self.leaves(), fmt::Debug::fmt)
    }
}

impl fmt::Display for IntTuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_nested(f, &self.profile, self.leaves(), fmt::Display::fmt)
    }
}
