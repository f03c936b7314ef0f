//! From offsets back to indices. What an inverse is depends on the function alone, so every layout is coalesced first.

use alloc::{string::String, string::ToString, vec::Vec};

mod complete;

use razorgirl_extracted::functions;

use crate::error::{Error, ErrorKind, Result, Witness, brief};
use crate::inline::InlineVec;
use crate::int_tuple::Profile;
use crate::suggestion::Suggestion;

use super::basic::Layout;
use super::coalesce::coalesced;
use super::injective::Injectivity;
use super::mode::Mode;

/// Differences that a refusal tries in search of a collision to show.
const WITNESS_BOUND: u64 = 1 << 14;

/// A mode with the linear index of its first step: the product of the extents before it.
type Start = (Mode, u64);

fn starts(modes: &[Mode]) -> InlineVec<Start> {
    let mut index = 1;
    modes
        .iter()
        .map(|mode| {
            let start = (*mode, index);
            index *= mode.extent();
            start
        })
        .collect()
}

impl Layout {
    /// The layout `R` with `L(R(i)) = i`, as far as whole modes of the coalesced layout reach: its size says how far.
    ///
    /// The modes of `R` are the longest chain of modes of `coalesce(L)` whose strides are `1, s, s·t, …`; among chains of
    /// the same reach, the one with the earlier mode. It is `1:0` when no mode has stride 1.
    ///
    /// O(leaves²).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,8):(8,1)".parse()?;
    /// assert_eq!(layout.right_inverse().to_string(), "(8,4):(4,1)");
    /// // every CuTe stops at the first of two equal strides
    /// let layout: Layout = "(2,2,3):(1,1,2)".parse()?;
    /// assert_eq!(layout.right_inverse().size(), 6);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `right_inverse(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.rightInverse`
    #[must_use]
    pub fn right_inverse(&self) -> Self {
        let modes = coalesced(self.modes());
        let starts = starts(modes.as_slice());
        let starts = starts.as_slice();
        let mut order: InlineVec<usize> = (0..starts.len()).collect();
        order
            .as_mut_slice()
            .sort_unstable_by_key(|i| core::cmp::Reverse(starts.get(*i).map(|(mode, _)| mode.stride())));
        // For each mode, how far a chain from it reaches and which mode comes next. Strides grow along a chain, so what
        // comes next has been done before.
        let mut reach: InlineVec<(u64, usize)> = starts.iter().map(|_| (1, usize::MAX)).collect();
        let follow = |reach: &InlineVec<(u64, usize)>, run: u64| {
            let mut best = (1, usize::MAX);
            for (i, ((mode, _), (far, _))) in starts.iter().zip(reach.as_slice()).enumerate() {
                if mode.extent() > 1 && mode.stride() == run && *far > best.0 {
                    best = (*far, i);
                }
            }
            best
        };
        for i in order.as_slice() {
            if let Some((mode, _)) = starts.get(*i)
                && let Some(run) = mode.extent().checked_mul(mode.stride())
            {
                let (far, next) = if mode.stride() == 0 { (1, usize::MAX) } else { follow(&reach, run) };
                if let Some(slot) = reach.as_mut_slice().get_mut(*i) {
                    *slot = (mode.extent() * far, next);
                }
            } else if let Some(slot) = reach.as_mut_slice().get_mut(*i) {
                // the block ends at 2^64: nothing can follow
                *slot = (starts.get(*i).map_or(1, |(mode, _)| mode.extent()), usize::MAX);
            }
        }
        let mut inverse = Vec::new();
        let (_, mut next) = follow(&reach, 1);
        while let (Some((mode, index)), Some((_, after))) = (starts.get(next), reach.as_slice().get(next)) {
            inverse.push(Mode::new(mode.extent(), *index));
            next = *after;
        }
        Self::of_valid_modes(&inverse)
    }

    /// The left inverse by whole modes: the layout `R` with `R(L(i)) = i` for every index of this one that reads the digits
    /// of an offset in the radix of the sorted strides of the coalesced layout. It exists exactly where no two coordinates
    /// share an offset and these strides divide one another in turn. Offsets that no coordinate has are mapped somewhere.
    ///
    /// Other layouts may undo this one where that is refused: [`left_inverse_complete`](Self::left_inverse_complete).
    ///
    /// O(leaves · log leaves).
    ///
    /// # Errors
    /// [`NotInjective`](ErrorKind::NotInjective) when two coordinates share an offset,
    /// [`NotDivisible`](ErrorKind::NotDivisible) when the sorted strides do not divide one another in turn, and
    /// [`Overflow`](ErrorKind::Overflow) when the result does not fit.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,8):(1,5)".parse()?;
    /// assert_eq!(layout.left_inverse()?.to_string(), "(5,8):(1,4)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `left_inverse(layout)`. Where this returns an error, CuTe returns layouts that are not inverses.
    ///
    /// Lean: `Razorgirl.Layout.leftInverse`
    /// Lean: `Razorgirl.Layout.leftInverseFault`
    pub fn left_inverse(&self) -> Result<Self> {
        let moving = functions::sorted_starts(self.modes()).map_err(Error::unforeseen)?;
        if let Some(zero) = moving.first().filter(|(mode, _)| mode.stride() == 0) {
            return Err(self.about_coalesced(|layout| layout.repeated(*zero)));
        }
        self.read_digits(&moving)
    }

    /// The layout `R` with `L(R(L(i))) = L(i)`: a left inverse of the modes that move the offset; those of stride 0 are
    /// left out.
    ///
    /// # Errors
    /// As [`left_inverse`](Self::left_inverse), for the remaining modes.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,2),(2,4)):((0,2),(0,4))".parse()?;
    /// assert_eq!(layout.quasi_left_inverse()?.to_string(), "(2,2,4):(0,2,8)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: what `left_inverse` promises, `L(R(L(i))) = L(i)`.
    ///
    /// Lean: `Razorgirl.Layout.quasiLeftInverse`
    /// Lean: `Razorgirl.Layout.quasiLeftInverseFault`
    pub fn quasi_left_inverse(&self) -> Result<Self> {
        let starts = functions::sorted_starts(self.modes()).map_err(Error::unforeseen)?;
        let still = starts.iter().take_while(|(mode, _)| mode.stride() == 0).count();
        self.read_digits(starts.get(still..).unwrap_or_default())
    }

    /// The inverse of a layout that is a bijection onto `[0, size)`, on both sides.
    ///
    /// # Errors
    /// [`NotInjective`](ErrorKind::NotInjective) or [`NotContiguous`](ErrorKind::NotContiguous) when it is none.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,8):(8,1)".parse()?;
    /// assert_eq!(layout.inverse()?.to_string(), "(8,4):(4,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.inverse`
    /// Lean: `Razorgirl.Layout.inverseFault`
    pub fn inverse(&self) -> Result<Self> {
        match functions::inverse(self.modes()) {
            Ok(modes) => Ok(Self::of_valid_modes(&modes)),
            Err(_) => Err(self.no_bijection()),
        }
    }

    /// The modes of stride 0 of the coalesced layout, as a layout of indices: `L(K(i)) = 0`.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(2,(8,2)):(3,(12,0))".parse()?;
    /// assert_eq!(layout.nullspace().to_string(), "2:16");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `nullspace(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.nullspace`
    #[must_use]
    pub fn nullspace(&self) -> Self {
        let modes: InlineVec<Mode> = starts(coalesced(self.modes()).as_slice())
            .as_slice()
            .iter()
            .filter(|(mode, _)| mode.extent() > 1 && mode.stride() == 0)
            .map(|(mode, index)| Mode::new(mode.extent(), *index))
            .collect();
        if modes.len() == 0 {
            return Self::of_valid_modes(&[]);
        }
        let profile = Profile::leaf_or_flat(modes.len());
        Self::shrunk(modes, profile)
    }

    /// The coalesced layout of modes that are known to fit.
    pub(super) fn of_valid_modes(modes: &[Mode]) -> Self {
        let modes = coalesced(modes);
        let profile = Profile::leaf_or_flat(modes.len());
        Self::shrunk(modes, profile)
    }

    /// Reads the digits of an offset in the radix of the strides of sorted starts, none of which is 0.
    fn read_digits(&self, moving: &[Start]) -> Result<Self> {
        match functions::undo(moving) {
            Ok(modes) => Self::from_modes(modes.iter().copied()).map(|layout| layout.coalesce()),
            Err(_) => Err(self.tangled(moving)),
        }
    }

    /// Names the first two neighbours that are not undone by themselves either.
    #[cold]
    fn tangled(&self, moving: &[Start]) -> Error {
        for pair in moving.windows(2) {
            if let ([low, high], Err(_)) = (pair, functions::undo(pair)) {
                return self.about_coalesced(|layout| layout.entangled(*low, *high));
            }
        }
        self.no_bijection()
    }

    /// A refusal that names modes of the coalesced layout, and says that it does where they are others than those given.
    #[cold]
    fn about_coalesced(&self, refuse: impl FnOnce(&Self) -> Error) -> Error {
        let coalesced = self.coalesce();
        if coalesced.modes() == self.modes() {
            refuse(self)
        } else {
            refuse(&coalesced).about(format!("{} is {}", brief(self), brief(&coalesced)))
        }
    }

    fn leaf_of(&self, start: Start) -> String {
        let leaf = starts(self.modes()).as_slice().iter().position(|other| *other == start).unwrap_or_default();
        self.profile().path(leaf)
    }

    /// Two indices with one offset, in words.
    fn collision_in_words(&self, i: u64, j: u64, offset: u64) -> String {
        let shape = self.shape();
        let crd = |index| shape.idx2crd(index).map_or_else(|_| index.to_string(), |crd| crd.to_string());
        format!("coordinates {} and {} share offset {offset}", crd(i), crd(j))
    }

    /// The index whose coordinate is that of an index of the layout without its modes of stride 0, and 0 in those.
    pub(in crate::layout) fn lifted(&self, index: u64) -> u64 {
        let (mut rest, mut weight, mut lifted) = (index, 1, 0);
        for mode in self.modes() {
            if mode.stride() > 0 {
                lifted += rest % mode.extent() * weight;
                rest /= mode.extent();
            }
            weight *= mode.extent();
        }
        lifted
    }

    #[cold]
    fn repeated(&self, zero: Start) -> Error {
        let error = Error::new(
            ErrorKind::NotInjective,
            format!(
                "mode {} of {self} is {}: it repeats every offset, so no layout can map an offset back to one coordinate",
                self.leaf_of(zero),
                zero.0
            ),
        )
        .with_witness(Witness::Collision { i: 0, j: zero.1 });
        match self.quasi_left_inverse() {
            Ok(quasi) => {
                error.with_suggestion(Suggestion::call("quasi_left_inverse", &quasi).noting(", with L(R(L(i))) = L(i)"))
            }
            Err(_) => error,
        }
    }

    #[cold]
    fn entangled(&self, low: Start, high: Start) -> Error {
        let modes =
            format!("modes {} ({}) and {} ({}) of {self}", self.leaf_of(low), low.0, self.leaf_of(high), high.0);
        // modes of stride 0 are not what is wrong here
        if let Injectivity::Collision { i, j, offset } = self.filter_zeros().injectivity(WITNESS_BOUND) {
            let (i, j) = (self.lifted(i), self.lifted(j));
            let collision = self.collision_in_words(i, j, offset);
            return Error::new(ErrorKind::NotInjective, format!("{modes} overlap: {collision}"))
                .with_witness(Witness::Collision { i, j });
        }
        let error = Error::new(
            ErrorKind::NotDivisible,
            format!(
                "the strides of {modes} do not divide: {} is not a multiple of {}, so the digits of an offset are not the coordinates",
                high.0.stride(),
                low.0.stride()
            ),
        )
        .with_witness(Witness::Undivided { below: low.0.stride(), stride: high.0.stride() });
        let error = match self.left_inverse_near() {
            Some(inverse) => error.with_suggestion(Suggestion::call("left_inverse_complete", &inverse)),
            None => error,
        };
        let lower = high.0.stride() / low.0.stride() * low.0.stride();
        [Some(lower), lower.checked_add(low.0.stride())]
            .into_iter()
            .flatten()
            .filter_map(|stride| {
                let mut modes = InlineVec::from_slice(self.modes());
                let leaf = starts(self.modes()).as_slice().iter().position(|other| *other == high)?;
                *modes.as_mut_slice().get_mut(leaf)? = Mode::new(high.0.extent(), stride);
                let fixed = Self::checked(modes, self.profile().clone()).ok()?;
                // the left inverse, where no stride is 0
                let inverse = fixed.quasi_left_inverse().ok()?;
                Some(Suggestion::with(0, "the layout", fixed, "the answer", &inverse))
            })
            .fold(error, Error::with_suggestion)
    }

    #[cold]
    fn no_bijection(&self) -> Error {
        let injectivity = self.injectivity(WITNESS_BOUND);
        if let Injectivity::Collision { i, j, offset } = injectivity {
            let collision = self.collision_in_words(i, j, offset);
            return Error::new(ErrorKind::NotInjective, format!("{self} is not injective: {collision}"))
                .with_witness(Witness::Collision { i, j });
        }
        // Of an injective layout, its whole modes reach as far as its offsets leave none out.
        let missed = (injectivity == Injectivity::Injective).then(|| Witness::Missed(self.right_inverse().size()));
        let error = Error::new(
            ErrorKind::NotContiguous,
            format!(
                "{self} is not a bijection onto [0,{}): it has {} coordinates, and its largest offset is {}",
                self.cosize(),
                self.size(),
                self.cosize() - 1
            ),
        )
        .witnessed(missed);
        match self.left_inverse() {
            Ok(left) => error.with_suggestion(Suggestion::call("left_inverse", &left).noting(", with R(L(i)) = i")),
            Err(_) => error,
        }
    }
}
