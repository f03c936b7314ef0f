module

public import Razorgirl.Spec.Layout.Tiler.Operations
public import Razorgirl.Thm.Layout.Product.Tiler
public import Razorgirl.Thm.Layout.Refusal

@[expose] public section

/-!
# Why compositions, divisions and products by tiler are refused: what is proved

A refusal is there exactly where the operation answers nothing. At the place that it names the operation by a layout answers
nothing either, and for the reason that it names.
-/

namespace Razorgirl

namespace Layout
open HTuple

/-! ## Composition -/

mutual
theorem byTiler_isSome_iff_transform {f : Layout → Layout → Option Layout} : (b : Tiler) → (t : HTuple Mode) →
    (byTiler f b t).isSome = (transform f b t).isSome
  | .keep, _ => rfl
  | .layout _, _ => rfl
  | .modes bs, t => by
    rw [byTiler, transform, Option.isSome_map, Option.isSome_map, byTilers_isSome_iff_transformList bs (children t)]
theorem byTilers_isSome_iff_transformList {f : Layout → Layout → Option Layout} : (bs : List Tiler) →
    (ts : List (HTuple Mode)) → (byTilers f bs ts).isSome = (transformList f bs ts).isSome
  | [], _ => rfl
  | _ :: _, [] => rfl
  | b :: bs, t :: ts => by
    have h1 := byTiler_isSome_iff_transform (f := f) b t
    have h2 := byTilers_isSome_iff_transformList (f := f) bs ts
    rw [byTilers, transformList]
    cases hx : byTiler f b t <;> cases hy : byTilers f bs ts <;> cases hx' : transform f b t <;>
      cases hy' : transformList f bs ts <;> simp_all
end

/-- **Composition by tiler is refused exactly where it answers nothing, strict and complete.**
Rust: `razorgirl::Layout::composition_by`, `razorgirl::Layout::composition_complete_by`
Source: CuTe `composition` with a tiler -/
theorem compositionByRefusal_eq_none_iff {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    (compositionByRefusal A b = none ↔ ∃ R, compositionBy A b = some R) ∧
      (compositionCompleteByRefusal A b = none ↔ ∃ R, compositionCompleteBy A b = some R) := by
  constructor
  · rw [compositionByRefusal, compositionBy, ← Option.isSome_iff_exists, Option.isSome_map, byTiler_isSome_iff_transform]
    exact transformRefusal_tree_eq_none_iff hA hb fun _ _ _ hB => compositionRefusal_eq_none_iff hB
  · rw [compositionCompleteByRefusal, compositionCompleteBy, ← Option.isSome_iff_exists, Option.isSome_map,
      byTiler_isSome_iff_transform]
    exact transformRefusal_tree_eq_none_iff hA hb fun _ _ _ hB => compositionCompleteRefusal_eq_none_iff hB

/-- **What refused composition by tiler names is so: a tuple is too long, or the layout at the place does not compose with the
mode under it, for the reason named.**
Rust: `razorgirl::Layout::composition_by`, `razorgirl::Layout::composition_complete_by`
Source: CuTe `composition` with a tiler -/
theorem compositionByRefusal_holds {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    {r : TilerRefusal CompositionRefusal} :
    (compositionByRefusal A b = some r →
        r.Holds (fun A B e => composition A B = none ∧ e.Holds A A.apart B) b A.tree) ∧
      (compositionCompleteByRefusal A b = some r →
        r.Holds (fun A B e => compositionComplete A B = none ∧ e.Holds A A B) b A.tree) := by
  constructor
  · refine transformRefusal_holds hA hb fun A B e _ hB he => ⟨?_, (compositionRefusal_holds hB).1 he⟩
    have := compositionRefusal_eq_none_iff (A := A) hB
    cases hc : composition A B <;> simp_all
  · refine transformRefusal_holds hA hb fun A B e _ hB he => ⟨?_, (compositionRefusal_holds hB).2 he⟩
    have := compositionCompleteRefusal_eq_none_iff (A := A) hB
    cases hc : compositionComplete A B <;> simp_all

/-! ## Division -/

/-- **A division by tiler is refused exactly where it answers nothing, mode by mode, zipped, tiled and flat.**
Rust: `razorgirl::Layout::logical_divide`, `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::tiled_divide`,
`razorgirl::Layout::flat_divide`
Source: CuTe `logical_divide`, `zipped_divide`, `tiled_divide`, `flat_divide` -/
theorem divisionByRefusal_eq_none_iff {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    (divisionByRefusal A b = none ↔ ∃ R, logicalDivideBy A b = some R) ∧
      (divisionByRefusal A b = none ↔ ∃ R, zippedDivide A b = some R) ∧
      (divisionByRefusal A b = none ↔ ∃ R, tiledDivide A b = some R) ∧
      (divisionByRefusal A b = none ↔ ∃ R, flatDivide A b = some R) := by
  obtain ⟨h1, h2, h3⟩ := divide_forms_isSome_iff (A := A) hb
  simp only [← Option.isSome_iff_exists, h1, h2, h3, and_self]
  rw [divisionByRefusal, logicalDivideBy, transformBy, Option.isSome_map]
  exact transformRefusal_tree_eq_none_iff hA hb fun _ _ _ hT => divisionRefusal_eq_none_iff hT

/-- **What a refused division by tiler names is so: a tuple is too long, or the layout at the place does not divide the mode
under it, for the reason named.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide` -/
theorem divisionByRefusal_holds {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    {r : TilerRefusal DivisionRefusal} (h : divisionByRefusal A b = some r) :
    r.Holds (fun A T e => logicalDivide A T = none ∧ e.Holds A T) b A.tree := by
  refine transformRefusal_holds hA hb (fun A T e _ hT he => ⟨?_, divisionRefusal_holds hT he⟩) h
  have := divisionRefusal_eq_none_iff (A := A) hT
  cases hc : logicalDivide A T <;> simp_all

/-! ## Product -/

/-- **A product by tiler is refused exactly where it answers nothing, mode by mode, zipped, tiled and flat.**
Rust: `razorgirl::Layout::logical_product`, `razorgirl::Layout::zipped_product`, `razorgirl::Layout::tiled_product`,
`razorgirl::Layout::flat_product`
Source: CuTe `logical_product`, `zipped_product`, `tiled_product`, `flat_product` -/
theorem productByRefusal_eq_none_iff {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    (productByRefusal A b = none ↔ ∃ R, logicalProductBy A b = some R) ∧
      (productByRefusal A b = none ↔ ∃ R, zippedProduct A b = some R) ∧
      (productByRefusal A b = none ↔ ∃ R, tiledProduct A b = some R) ∧
      (productByRefusal A b = none ↔ ∃ R, flatProduct A b = some R) := by
  obtain ⟨h1, h2, h3⟩ := product_forms_isSome_iff A b
  simp only [← Option.isSome_iff_exists, h1, h2, h3, and_self]
  rw [productByRefusal, logicalProductBy, transformBy, Option.isSome_map]
  exact transformRefusal_tree_eq_none_iff hA hb fun _ _ hA hT => productRefusal_eq_none_iff hA hT

/-- **What a refused product by tiler names is so: a tuple is too long, or the mode at the place is not repeated by the layout
there, for the reason named.**
Rust: `razorgirl::Layout::logical_product`
Source: CuTe `logical_product` -/
theorem productByRefusal_holds {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    {r : TilerRefusal ProductRefusal} (h : productByRefusal A b = some r) :
    r.Holds (fun A T e => logicalProduct A T = none ∧ e.Holds A T) b A.tree := by
  refine transformRefusal_holds hA hb (fun A T e hA hT he => ⟨?_, productRefusal_holds hA hT he⟩) h
  have := productRefusal_eq_none_iff hA hT
  cases hc : logicalProduct A T <;> simp_all

end Layout

end Razorgirl
