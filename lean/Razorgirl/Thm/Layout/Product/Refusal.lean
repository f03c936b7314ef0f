module

public import Razorgirl.Spec.Layout.Product.Refusal
public import Razorgirl.Thm.Layout.Product.Shape
public import Razorgirl.Thm.Layout.Refusal

@[expose] public section

/-!
# Why products mode against mode are refused, and blocks that do not fill a shape: what is proved
-/

namespace Razorgirl

namespace Layout
open HTuple

/-- **The blocked and the raked product are refused exactly where the product is, so for the same reason.**
Rust: `razorgirl::Layout::blocked_product`, `razorgirl::Layout::raked_product`
Source: CuTe `blocked_product`, `raked_product` -/
theorem productRefusal_eq_none_iff_interleaved {A T : Layout} (hA : A.Valid) (hT : T.Valid) :
    (productRefusal A T = none ↔ ∃ R, blockedProduct A T = some R) ∧
      (productRefusal A T = none ↔ ∃ R, rakedProduct A T = some R) := by
  obtain ⟨h1, h2⟩ := blockedProduct_isSome hA hT
  rw [productRefusal_eq_none_iff hA hT, ← Option.isSome_iff_exists, ← Option.isSome_iff_exists, ← Option.isSome_iff_exists,
    h1, h2]
  exact ⟨Iff.rfl, Iff.rfl⟩

theorem firstUneven_eq_some : {bs ss : List Nat} → {k i b s : Nat} → firstUneven k bs ss = some (i, b, s) →
    ∃ j, i = k + j ∧ bs[j]? = some b ∧ ss[j]? = some s ∧ ¬ b ∣ s
  | [], _, _, _, _, _, h => by simp [firstUneven] at h
  | _ :: _, [], _, _, _, _, h => by simp [firstUneven] at h
  | b' :: bs, s' :: ss, k, i, b, s, h => by
    rw [firstUneven] at h
    split at h
    · obtain ⟨j, h1, h2, h3, h4⟩ := firstUneven_eq_some h
      exact ⟨j + 1, by omega, h2, h3, h4⟩
    · rename_i hd
      simp only [Option.some.injEq, Prod.mk.injEq] at h
      obtain ⟨rfl, rfl, rfl⟩ := h
      exact ⟨0, rfl, rfl, rfl, fun hx => hd (Nat.mod_eq_zero_of_dvd hx)⟩

theorem eachDivides_iff_firstUneven : (bs ss : List Nat) → (k : Nat) →
    (EachDivides bs ss ↔ bs.length ≤ ss.length ∧ firstUneven k bs ss = none)
  | [], _, _ => by simp [EachDivides, firstUneven]
  | _ :: _, [], _ => by simp [EachDivides]
  | b :: bs, s :: ss, k => by
    rw [EachDivides, eachDivides_iff_firstUneven bs ss (k + 1), firstUneven, Nat.dvd_iff_mod_eq_zero]
    split
    · rename_i h; simp [h]
    · rename_i h; simp [h]

theorem fillers_isSome_iff_refusal {A : Layout} {shape order : IntTuple} : (fillers A shape order).isSome = true ↔
    A.rank ≤ (children shape).length ∧ firstUneven 0 (modeSizes A) ((children shape).map IntTuple.size) = none ∧
      weaklyCongruent order (.node (((children shape).map IntTuple.size).map .leaf) : IntTuple) = true := by
  rw [fillers_isSome_iff, eachDivides_iff_firstUneven _ _ 0, length_modeSizes, List.length_map, and_assoc]

/-- **A block repeated up to a shape is refused exactly where there is no answer.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape` -/
theorem tileToShapeRefusal_eq_none_iff {A : Layout} {shape order : IntTuple} (hA : A.Valid)
    (hs : IntTuple.Positive shape) :
    tileToShapeRefusal A shape order = none ↔ ∃ R, tileToShape A shape order = some R := by
  rw [← Option.isSome_iff_exists, tileToShape_isSome_iff hA hs, tileToShapeRefusal]
  have hf := fillers_isSome_iff_refusal (A := A) (shape := shape) (order := order)
  cases ht : fillers A shape order with
  | none =>
    rw [ht] at hf
    simp only [Option.isSome_none, Bool.false_eq_true, false_iff, not_and] at hf
    simp only [reduceCtorEq, false_and, exists_false, iff_false]
    split
    · simp
    · rename_i h1
      split
      · rename_i h2
        split
        · simp
        · rename_i h3
          exact absurd h2 (hf (by omega) h3)
      · simp
  | some T =>
    rw [ht] at hf
    obtain ⟨h1, h2, h3⟩ := hf.1 rfl
    rw [if_neg (by omega), if_pos h3, h2]
    simp only [Option.map_eq_none_iff, Option.some.injEq, exists_eq_left']
    rw [productRefusal_eq_none_iff hA (fillers_valid hs ht).1, Option.isSome_iff_exists]

/-- **What the refusal of a block repeated up to a shape names is so.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape` -/
theorem tileToShapeRefusal_holds {A : Layout} {shape order : IntTuple} (hA : A.Valid) (hs : IntTuple.Positive shape)
    {r : FillRefusal} (h : tileToShapeRefusal A shape order = some r) : r.Holds A shape order := by
  rw [tileToShapeRefusal] at h
  split at h
  · rename_i h1
    cases h
    exact h1
  · split at h
    · split at h
      · rename_i i b s hu
        cases h
        obtain ⟨j, e, h2, h3, h4⟩ := firstUneven_eq_some hu
        rw [Nat.zero_add] at e
        subst e
        exact ⟨h2, h3, h4⟩
      · split at h
        · rename_i T hT
          obtain ⟨w, hw, rfl⟩ := Option.map_eq_some_iff.1 h
          exact ⟨T, hT, productRefusal_holds hA (fillers_valid hs hT).1 hw⟩
        · cases h
    · rename_i h2
      cases h
      exact Bool.eq_false_iff.2 h2

end Layout

end Razorgirl
