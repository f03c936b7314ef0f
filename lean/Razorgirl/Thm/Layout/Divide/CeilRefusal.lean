module

public import Razorgirl.Spec.Layout.Divide.CeilRefusal
public import Razorgirl.Thm.Layout.Divide.Ceil
public import Razorgirl.Thm.Layout.Refusal

@[expose] public section

/-!
# Why a layout is not divided with padding: what is proved
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

theorem complementFault_eq_none_iff_ceilIndex {A T : Layout} (hT : T.Valid) :
    complementFault T.modes = none ↔ ∃ I, ceilIndex A T = some I := by
  rw [complementFault_eq_none_iff, ← Option.isSome_iff_exists, ← Option.isSome_iff_exists, ← Option.ne_none_iff_isSome,
    ← Option.ne_none_iff_isSome, ceilIndex_ne_none_iff hT, Layout.complement, ne_eq, ne_eq, Option.map_eq_none_iff]

theorem ceilDivisionRefusal_eq_none_iff {A T : Layout} (hT : T.Valid) :
    ceilDivisionRefusal A T = none ↔ ∃ R, logicalDivideCeil A T = some R := by
  rw [ceilDivisionRefusal, logicalDivideCeil, divideCeilWith]
  cases hf : complementFault T.modes with
  | some r =>
    cases hI : ceilIndex A T with
    | none => simp
    | some I => exact absurd ((complementFault_eq_none_iff_ceilIndex hT).2 ⟨I, hI⟩) (by simp [hf])
  | none =>
    obtain ⟨I, hI⟩ := (complementFault_eq_none_iff_ceilIndex (A := A) hT).1 hf
    simp only [hI, Option.map_eq_none_iff]
    exact compositionRefusal_eq_none_iff (ceilIndex_valid hT hI)

theorem ceilDivisionRefusal_holds {A T : Layout} (hT : T.Valid) {r : CeilDivisionRefusal}
    (h : ceilDivisionRefusal A T = some r) : r.Holds A T := by
  rw [ceilDivisionRefusal] at h
  cases hf : complementFault T.modes with
  | some w =>
    simp only [hf, Option.some.injEq] at h
    subst h
    exact complementFault_holds hT.2 hf
  | none =>
    obtain ⟨I, hI⟩ := (complementFault_eq_none_iff_ceilIndex (A := A) hT).1 hf
    simp only [hf, hI, Option.map_eq_some_iff] at h
    obtain ⟨w, hw, rfl⟩ := h
    exact ⟨I, hI, (compositionRefusal_holds (ceilIndex_valid hT hI)).1 hw⟩

/-- **A division with padding is refused exactly where it answers nothing, by a layout and by tiler.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` (which rounds up and does not say so) -/
theorem ceilDivisionByRefusal_eq_none_iff {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    (∀ T : Layout, T.Valid → (ceilDivisionRefusal A T = none ↔ ∃ R, logicalDivideCeil A T = some R)) ∧
      (ceilDivisionByRefusal A b = none ↔ ∃ R, logicalDivideCeilBy A b = some R) := by
  refine ⟨fun T => ceilDivisionRefusal_eq_none_iff, ?_⟩
  rw [← Option.isSome_iff_exists, ceilDivisionByRefusal, logicalDivideCeilBy, transformBy, Option.isSome_map]
  exact transformRefusal_tree_eq_none_iff hA hb fun _ _ _ hT => ceilDivisionRefusal_eq_none_iff hT

/-- **What a refused division with padding names is so: a tuple is too long, or the layout at the place does not divide the mode
under it, not even with padding, for the reason named.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` (which rounds up and does not say so) -/
theorem ceilDivisionByRefusal_holds {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    {r : TilerRefusal CeilDivisionRefusal} (h : ceilDivisionByRefusal A b = some r) :
    r.Holds (fun A T e => logicalDivideCeil A T = none ∧ e.Holds A T) b A.tree := by
  refine transformRefusal_holds hA hb (fun A T e _ hT he => ⟨?_, ceilDivisionRefusal_holds hT he⟩) h
  have := ceilDivisionRefusal_eq_none_iff (A := A) hT
  cases hc : logicalDivideCeil A T <;> simp_all

end Layout

end Razorgirl
