module

public import Razorgirl.Spec.Layout.Composition.Extended
public import Razorgirl.Thm.Int.Nat
public import Razorgirl.Thm.Layout.Composition

@[expose] public section

/-!
# Composition beyond the domain: what is proved

The extended composition is the composition where that is defined, and otherwise agrees with it wherever the inner
layout stays inside the outer one.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

/-- **Where the inner layout stays in the domain, the extended composition is the composition.**
Rust: `razorgirl::Layout::composition_extended`
Source: CuTe `composition` -/
theorem compositionExtended_of_le {A B : Layout} (h : cosizeFormula B.modes ≤ A.size) :
    compositionExtended A B = composition A B := by
  rw [compositionExtended, if_pos h]

theorem compositionExtended_of_composition {A B R : Layout} (h : composition A B = some R) :
    compositionExtended A B = some R := by
  have hle : cosizeFormula B.modes ≤ A.size := by
    rw [composition] at h
    split at h
    · assumption
    · cases h
  rw [compositionExtended_of_le hle, h]

theorem size_of_growLast_none {n : Nat} {A : FlatLayout} (hv : FlatLayout.Valid A) (h : growLast n A = none) :
    FlatLayout.size A = 1 := by
  induction A generalizing n with
  | nil => rfl
  | cons m A ih =>
    rw [growLast] at h
    split at h
    · cases h
    · rename_i hA
      split at h
      · have := hv.1
        rw [size_cons, ih hv.2 hA, show m.extent = 1 by omega]
      · cases h

/-- **Growing the last mode adds coordinates and changes no offset of those that were there.**
Rust: `razorgirl::Layout::composition_extended`
Source: CuTe `composition`, where the last mode grows silently -/
theorem growLast_spec {n : Nat} {A A' : FlatLayout} (hv : FlatLayout.Valid A) (hn : FlatLayout.size A < n)
    (h : growLast n A = some A') :
    n ≤ FlatLayout.size A' ∧ ∀ x, x < FlatLayout.size A → atIndex A' x = atIndex A x := by
  induction A generalizing n A' with
  | nil => simp [growLast] at h
  | cons m A ih =>
    have hm : 0 < m.extent := hv.1
    rw [size_cons] at hn
    rw [growLast] at h
    split at h
    · rename_i B hB
      obtain rfl := Option.some.inj h
      have h3 := Division.le_mul_ceilDiv (a := n) hm
      generalize Division.ceilDiv n m.extent = q at hB h3
      obtain ⟨i1, i2⟩ := ih hv.2 (Nat.lt_of_mul_lt_mul_left (Nat.lt_of_lt_of_le hn h3)) hB
      refine ⟨Nat.le_trans h3 (Nat.mul_le_mul_left _ i1), fun x hx => ?_⟩
      rw [atIndex_cons, atIndex_cons, i2 _ (Nat.div_lt_of_lt_mul (by rwa [size_cons] at hx))]
    · rename_i hB
      split at h
      · cases h
      · obtain rfl := Option.some.inj h
        have h1 := size_of_growLast_none hv.2 hB
        rw [size_cons, size_cons, h1]
        rw [h1] at hn
        refine ⟨by simp, fun x hx => ?_⟩
        have hx1 : x < m.extent := by omega
        have hx2 : x < n := by omega
        rw [atIndex_cons, atIndex_cons, Nat.mod_eq_of_lt hx1, Nat.div_eq_of_lt hx1]
        simp only [Nat.mod_eq_of_lt hx2, Nat.div_eq_of_lt hx2]

/-- **Whatever the extended composition accepts equals A after B at every coordinate that B keeps inside A.**
Rust: `razorgirl::Layout::composition_extended`
Source: CuTe `composition`, where the last mode grows silently -/
theorem compositionExtended_atIndex {A B R : Layout} (hA : A.Valid) (hB : B.Valid)
    (h : compositionExtended A B = some R) {x : Nat} (hx : x < B.size) (hin : atIndex B.modes x < A.size) :
    atIndex R.modes x = atIndex A.modes (atIndex B.modes x) := by
  rw [compositionExtended] at h
  split at h
  · exact isComposite_atIndex (composition_sound hB h) hx
  · rename_i hc
    split at h
    · rename_i ms hms
      rw [isComposite_atIndex (composition_sound hB h) hx]
      have hc : FlatLayout.size A.modes < cosizeFormula B.modes := Nat.lt_of_not_le hc
      exact (growLast_spec hA.2 hc hms).2 _ hin
    · cases h

/-- **Whatever the extended composition accepts is the composite of B with A itself, or with A after its last mode of
extent above 1 has grown.**
Rust: `razorgirl::Layout::composition_extended`
Source: CuTe `composition`, where the last mode grows silently -/
theorem compositionExtended_isComposite {A B R : Layout} (hB : B.Valid) (h : compositionExtended A B = some R) :
    IsComposite A B R ∨ A.size < cosizeFormula B.modes ∧
      ∃ ms, growLast (cosizeFormula B.modes) A.modes = some ms ∧ IsComposite ⟨ms, A.profile⟩ B R := by
  rw [compositionExtended] at h
  split at h
  · exact .inl (composition_sound hB h)
  · rename_i hc
    split at h
    · rename_i ms hms
      exact .inr ⟨Nat.lt_of_not_le hc, ms, hms, composition_sound hB h⟩
    · cases h

/-! ## Worked examples -/

/-- 8 coordinates from a layout of 6: refused, or with the last mode grown to 2×4. -/
example : (composition ⟨[⟨2, 1⟩, ⟨3, 10⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨8, 1⟩], .leaf ()⟩).isNone = true ∧
    (compositionExtended ⟨[⟨2, 1⟩, ⟨3, 10⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨8, 1⟩], .leaf ()⟩).map modes =
      some [⟨2, 1⟩, ⟨4, 10⟩] := by decide +kernel

end Layout

end Razorgirl
