//! Composition of layouts by their morphisms.

use crate::error::Result;
use crate::{Layout, Shape};

use super::nest::NestMorphism;
use super::refinement::mutual_refinement;
use super::written::WrittenLayout;

/// A morphism whose layout is `L_g` ∘ `L_f`, for f : S → T and g : U → V such that T and U have a
/// [mutual refinement](mutual_refinement): f pulled back along T', then T' into U', then g pushed forward along U'.
///
/// # Errors
/// [`NotDivisible`](crate::ErrorKind::NotDivisible) when T and U have no mutual refinement. A composite may exist nevertheless: `g` is not
/// coalesced here (T6), and the method finds less than [`Layout::composition`].
///
/// ```
/// use razorgirl::category::{NestMorphism, weak_composite};
///
/// let f = NestMorphism::standard_representation(&"(6,6):(6,1)".parse()?)?;
/// let g = NestMorphism::standard_representation(&"(12,3,6):(1,72,12)".parse()?)?;
/// let h = weak_composite(&f, &g)?;
/// assert_eq!(h.encoded_layout().to_string(), "((2,3),6):((6,72),1)");
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Source: Categorical Foundations, algorithm 4.1.2 and 4.1.3.1; that text claims that it finds every composite (E8).
///
/// Lean: `Razorgirl.Category.weakComposite`
pub fn weak_composite(f: &NestMorphism, g: &NestMorphism) -> Result<NestMorphism> {
    let (t, u) = (Shape::new(f.codomain().clone())?, Shape::new(g.domain().clone())?);
    let refined = mutual_refinement(&t, &u)?;
    let first = f.pullback(&refined.t)?;
    let second = g.pushforward(&refined.u)?;
    // T' begins U', so places stay
    let within = super::FinMap::valid(refined.u.extents().leaves().len() as u64, first.flat().map().values().to_vec());
    let map = within.after(second.flat().map());
    NestMorphism::new(first.domain(), second.codomain(), map.values())
}

/// A composition of layouts with the morphisms behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// `f_A` of the inner layout A.
    pub f: NestMorphism,
    /// `f_B` of the coalesced outer layout B.
    pub g: NestMorphism,
    /// Their [`weak_composite`].
    pub weak: NestMorphism,
    /// B ∘ A: the layout of that, coalesced over the shape of A.
    pub layout: Layout,
}

/// B ∘ A by morphisms, for an inner layout A and an outer layout B that are tractable; B is coalesced first.
///
/// # Errors
/// [`NotDivisible`](crate::ErrorKind::NotDivisible) when A or coalesce(B) is not tractable, or their morphisms have no mutual refinement.
/// [`Layout::composition`] answers wherever this does, and more often: 4:3 into (6,3):(21,7) is (2,2):(63,7), which is not
/// tractable.
///
/// ```
/// use razorgirl::category::layout_compose;
///
/// let composed = layout_compose(&"(6,6):(1,6)".parse()?, &"(12,3,6):(1,72,12)".parse()?)?;
/// assert_eq!(composed.layout.to_string(), "(6,(2,3)):(1,(6,72))");
/// assert!(layout_compose(&"4:3".parse()?, &"(6,3):(21,7)".parse()?).is_err());
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Source: Categorical Foundations, algorithm 4.1.2.
///
/// Lean: `Razorgirl.Category.layoutCompose`
pub fn layout_compose(inner: &WrittenLayout, outer: &WrittenLayout) -> Result<Composed> {
    let f = NestMorphism::standard_representation(inner).map_err(|error| error.about("the inner layout"))?;
    let coalesced = WrittenLayout::from(&outer.normalized()?.coalesce());
    let g = NestMorphism::standard_representation(&coalesced).map_err(|error| error.about("the outer layout"))?;
    let weak = weak_composite(&f, &g)?;
    let layout = weak.encoded_layout().normalized()?.coalesce_by(inner.profile())?;
    Ok(Composed { f, g, weak, layout })
}
