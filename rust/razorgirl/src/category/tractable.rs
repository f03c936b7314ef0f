//! Tractable layouts, and the morphisms that encode them.

use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorKind, Result};

use super::fin::FinMap;
use super::tuple::TupleMorphism;
use super::written::WrittenLayout;

/// Two modes that keep a layout from being tractable: in order of (stride, extent) they are neighbours, and extent · stride of
/// the first does not divide the stride of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Obstruction {
    /// The leaf of the smaller stride, counted from 0, its extent and its stride.
    pub below: (usize, u64, u64),
    /// The leaf of the larger stride, counted from 0, its extent and its stride.
    pub above: (usize, u64, u64),
}

/// `2:3 takes 6 addresses, and 6 does not divide the stride of 4:8`.
impl fmt::Display for Obstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((_, extent, stride), (_, next, above)) = (self.below, self.above);
        let block = u128::from(extent) * u128::from(stride);
        write!(
            f,
            "{extent}·{stride} = {block} of the mode {extent}:{stride} does not divide the stride of the mode {next}:{above}"
        )
    }
}

impl WrittenLayout {
    /// Whether some morphism encodes it: in order of (stride, extent), extent · stride of each mode of a stride that is not 0
    /// divides the stride of the next. O(n log n).
    ///
    /// ```
    /// use razorgirl::category::WrittenLayout;
    ///
    /// assert!("((8,8),4):((8,1),64)".parse::<WrittenLayout>()?.is_tractable());
    /// assert!(!"((8,8),(5,5)):((8,1),(10,2))".parse::<WrittenLayout>()?.is_tractable());
    /// assert!("(2,1):(1,2)".parse::<WrittenLayout>()?.is_tractable());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 2.1.8; the blog's condition on all i, j includes i = j (K1), and then 2:1 is not
    /// tractable.
    ///
    /// Lean: `Razorgirl.Category.isTractable`
    #[must_use]
    pub fn is_tractable(&self) -> bool {
        self.obstruction().is_none()
    }

    /// The modes that keep it from being tractable, those of the smallest strides; none where it is.
    ///
    /// ```
    /// use razorgirl::category::WrittenLayout;
    ///
    /// let why = "(4,5,3):(100,2,15)".parse::<WrittenLayout>()?.obstruction();
    /// assert_eq!(why.map(|why| (why.below.0, why.above.0)), Some((1, 2)));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Category.obstruction`
    #[must_use]
    pub fn obstruction(&self) -> Option<Obstruction> {
        obstruction(&self.order())
    }
}

fn obstruction(order: &[(u64, u64, usize)]) -> Option<Obstruction> {
    order.windows(2).find_map(|pair| {
        let [(stride, extent, place), (next_stride, next_extent, next_place)] = pair else { return None };
        let block = u128::from(*stride) * u128::from(*extent);
        (block != 0 && u128::from(*next_stride) % block != 0).then_some(Obstruction {
            below: (*place, *extent, *stride),
            above: (*next_place, *next_extent, *next_stride),
        })
    })
}

impl TupleMorphism {
    /// `f_L`: the morphism of standard form that encodes a tractable flat layout. `L_{f_L}` = L.
    ///
    /// Non-degenerate tractable layouts and non-degenerate morphisms of [standard form](Self::is_standard) are in bijection
    /// (theorem A, 3.1.2.21, with E1 and E3 mended).
    ///
    /// # Errors
    /// [`NotDivisible`](ErrorKind::NotDivisible) with the [`Obstruction`] in words when it is not tractable;
    /// [`Incongruent`](ErrorKind::Incongruent) when it is nested: [`NestMorphism`](super::NestMorphism) represents those;
    /// [`Overflow`](ErrorKind::Overflow) when the product of the codomain, the largest extent · stride, is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::category::{TupleMorphism, WrittenLayout};
    ///
    /// let layout: WrittenLayout = "(2,2,2,2):(24,0,3,480)".parse()?;
    /// let f = TupleMorphism::standard_representation(&layout)?;
    /// assert_eq!(f.to_string(), "(2,2,2,2)->(3,2,4,2,10,2) by (4,0,2,6)");
    /// let refused = TupleMorphism::standard_representation(&"(2,2):(2,3)".parse()?).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "the layout is not tractable: 2·2 = 4 of the mode 2:2 does not divide the stride of the mode 2:3"
    /// );
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Source: Categorical Foundations, 3.1.2.
    ///
    /// Lean: `Razorgirl.Category.standardRepresentation`
    pub fn standard_representation(layout: &WrittenLayout) -> Result<Self> {
        layout.expect_flat()?;
        Self::represent(layout)
    }

    /// `f_L` of the flattened layout.
    pub(super) fn represent(layout: &WrittenLayout) -> Result<Self> {
        let order = layout.order();
        if let Some(found) = obstruction(&order) {
            return Err(Error::new(ErrorKind::NotDivisible, format!("the layout is not tractable: {found}"))
                .with_leaf(found.above.0)
                .with_help("in order of stride, extent · stride of each mode has to divide the stride of the next"));
        }
        let mut codomain = Vec::with_capacity(2 * order.len());
        let mut values = vec![0; order.len()];
        let mut block = 1_u64;
        for (stride, extent, place) in order.into_iter().filter(|(stride, ..)| *stride != 0) {
            let gap = stride / block;
            if gap != 1 {
                codomain.push(gap);
            }
            codomain.push(extent);
            if let Some(value) = values.get_mut(place) {
                *value = codomain.len() as u64;
            }
            block = stride.checked_mul(extent).ok_or_else(|| {
                Error::new(
                    ErrorKind::Overflow,
                    format!("the codomain of the representation has {extent}·{stride} elements, 2^64 or more"),
                )
                .with_leaf(place)
                .with_help("extent · stride of each mode must stay below 2^64")
            })?;
        }
        let map = FinMap::valid(codomain.len() as u64, values);
        Ok(Self::valid(layout.shape().leaves().to_vec(), codomain, map))
    }
}
