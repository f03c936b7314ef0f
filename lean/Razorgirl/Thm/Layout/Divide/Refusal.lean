module

public import Razorgirl.Spec.Layout.Divide.Refusal
public import Razorgirl.Thm.Layout.Complement.Refusal
public import Razorgirl.Thm.Layout.Composition.Refusal
public import Razorgirl.Thm.Layout.Product

@[expose] public section

/-!
# Refusals of divisions and products

The refusal is there exactly where the operation answers nothing, and what it names is true: the coordinate is outside,
or the named part refuses, with the refusal that is proved for that part.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

theorem cosizeFormula_le_of_compositionRefusal {A B : Layout} (h : compositionRefusal A B = none) :
    cosizeFormula B.modes ≤ A.size := by
  rw [compositionRefusal, refusalFor] at h
  split at h
  · assumption
  · cases h

theorem complementInFault_eq_none_iff_tiling {T : Layout} {N : Nat} :
    complementInFault T.modes N = none ↔ ∃ I, tiling T N = some I := by
  rw [complementInFault_eq_none_iff, ← Option.isSome_iff_exists, ← Option.isSome_iff_exists, tiling, Layout.complementIn,
    Option.isSome_map, Option.isSome_map]

/-- **A division is refused exactly where there is none.**
Rust: `razorgirl::Layout::logical_divide`
Source: Cecka 3.3.5; CuTe `logical_divide` -/
theorem divisionRefusal_eq_none_iff {A T : Layout} (hT : T.Valid) :
    divisionRefusal A T = none ↔ ∃ R, logicalDivide A T = some R := by
  constructor
  · intro h
    rw [divisionRefusal] at h
    split at h
    · cases hf : complementInFault T.modes A.size with
      | some r => simp [hf] at h
      | none =>
        obtain ⟨I, hI⟩ := complementInFault_eq_none_iff_tiling.1 hf
        simp only [hf, hI, Option.map_eq_none_iff] at h
        obtain ⟨R, hR⟩ := (compositionRefusal_eq_none_iff (tiling_valid hT hI)).1 h
        exact ⟨R, by rw [logicalDivide, divideWith, hI]; exact hR⟩
    · cases h
  · rintro ⟨R, hR⟩
    obtain ⟨C, R₀, _, _, h0, _, _⟩ := logicalDivide_modes hT hR
    have hd := cosizeFormula_le_of_compositionRefusal ((compositionRefusal_eq_none_iff hT).2 ⟨R₀, h0⟩)
    rw [logicalDivide, divideWith] at hR
    cases hI : tiling T A.size with
    | none => simp [hI] at hR
    | some I =>
      rw [hI] at hR
      have hf := complementInFault_eq_none_iff_tiling.2 ⟨I, hI⟩
      have hc := (compositionRefusal_eq_none_iff (tiling_valid hT hI)).2 ⟨R, hR⟩
      rw [divisionRefusal, if_pos hd]
      simp only [hf, hI, hc, Option.map_none]

/-- **What a refused division names is true: the tile has an offset outside of A at the coordinate; or the tile stays
inside and has no complement in A, with that refusal; or it has one, and A composed with both is refused so.**
Rust: `razorgirl::Layout::logical_divide`
Source: Cecka 3.3.5; CuTe `logical_divide` -/
theorem divisionRefusal_eq_some {A T : Layout} (hT : T.Valid) {r : DivisionRefusal} (h : divisionRefusal A T = some r) :
    match r with
    | .outside c => InBounds T.shape.flatten c ∧ A.size ≤ FlatLayout.eval T.modes c
    | .tile w => cosizeFormula T.modes ≤ A.size ∧ complementInFault T.modes A.size = some w
    | .parts w => ∃ I, tiling T A.size = some I ∧ compositionRefusal A I = some w := by
  rw [divisionRefusal] at h
  split at h
  · rename_i hd
    cases hf : complementInFault T.modes A.size with
    | some w => simp only [hf, Option.some.injEq] at h; subst h; exact ⟨hd, rfl⟩
    | none =>
      obtain ⟨I, hI⟩ := complementInFault_eq_none_iff_tiling.1 hf
      simp only [hf, hI, Option.map_eq_some_iff] at h
      obtain ⟨w, hw, rfl⟩ := h
      exact ⟨I, hI, hw⟩
  · rename_i hd
    cases h
    obtain ⟨h1, h2⟩ := lastCoord_inBounds hT.2
    show InBounds T.shape.flatten _ ∧ _
    rw [flatten_shape hT]
    exact ⟨h1, by omega⟩

theorem complementFault_eq_none_iff_origins {A T : Layout} (hA : A.Valid) :
    complementFault (filter A).modes = none ↔ ∃ C, origins A T = some C := by
  rw [complementFault_eq_none_iff, ← Option.isSome_iff_exists, ← Option.isSome_iff_exists, ← Option.ne_none_iff_isSome,
    ← Option.ne_none_iff_isSome, origins_ne_none_iff hA, Layout.complement, ne_eq, ne_eq, Option.map_eq_none_iff]

/-- **A product is refused exactly where there is none.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; CuTe `logical_product` -/
theorem productRefusal_eq_none_iff {A T : Layout} (hA : A.Valid) (hT : T.Valid) :
    productRefusal A T = none ↔ ∃ R, logicalProduct A T = some R := by
  rw [productRefusal, logicalProduct, productWith]
  cases hf : complementFault (filter A).modes with
  | some r =>
    cases ho : origins A T with
    | none => simp
    | some C => exact absurd ((complementFault_eq_none_iff_origins hA).2 ⟨C, ho⟩) (by simp [hf])
  | none =>
    obtain ⟨C, hC⟩ := (complementFault_eq_none_iff_origins (T := T) hA).1 hf
    simp only [hC, Option.map_eq_none_iff, compositionRefusal_eq_none_iff hT, Option.map_eq_some_iff]
    exact ⟨fun ⟨R, hR⟩ => ⟨_, R, hR, rfl⟩, fun ⟨_, R, hR, _⟩ => ⟨R, hR⟩⟩

/-- **What a refused product names is true: A, its broadcasts apart, has no complement, with that refusal; or the
copies find room, and their places composed with T are refused so.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; CuTe `logical_product` -/
theorem productRefusal_eq_some {A T : Layout} (hA : A.Valid) {r : ProductRefusal} (h : productRefusal A T = some r) :
    match r with
    | .room w => complementFault (filter A).modes = some w
    | .order w => ∃ C, origins A T = some C ∧ compositionRefusal C T = some w := by
  rw [productRefusal] at h
  cases hf : complementFault (filter A).modes with
  | some w => simp only [hf, Option.some.injEq] at h; subst h; rfl
  | none =>
    obtain ⟨C, hC⟩ := (complementFault_eq_none_iff_origins (T := T) hA).1 hf
    simp only [hf, hC, Option.map_eq_some_iff] at h
    obtain ⟨w, hw, rfl⟩ := h
    exact ⟨C, hC, hw⟩

end Layout

end Razorgirl
