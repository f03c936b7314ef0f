module

public import Razorgirl.Thm.IterDomain.Merge

@[expose] public section

/-!
# Parts of an index: what is proved

nvFuser proves strides by rewriting with `PartOf`. Its rule that merges two parts lacks a condition.
-/

namespace Razorgirl.IterDomain

/-- **A part of a part is a part of the whole when the extents it selects divide those it is taken from.**
Source: nvFuser `proveLinearAndGetStride`, merging of `PartOf` (repaired: `partOf_partOf_counterexample`) -/
theorem partOf_partOf {a b c d : Int} (ha : 0 < a) (hc : 0 < c) (h : c * d ∣ b) (x : Int) :
    partOf (partOf x a b) c d = partOf x (a * c) d := by
  obtain ⟨e, rfl⟩ := h
  rw [partOf, partOf, partOf, show c * d * e = d * e * c by rw [Int.mul_assoc, Int.mul_comm], emod_mul_ediv _ hc,
    Int.emod_emod_of_dvd _ (Int.dvd_mul_right _ _), Int.ediv_ediv_of_nonneg (Int.le_of_lt ha)]

/-- **A part of a part is a part of the whole, at every index, exactly when c·d divides b, or d is 1: the rule as
nvFuser applies it, without that test, is wrong.**
Source: nvFuser `proveLinearAndGetStride`, merging of `PartOf` (repaired: `partOf_partOf_counterexample`) -/
theorem partOf_partOf_iff {a b c d : Int} (ha : 0 < a) (hb : 0 < b) (hc : 0 < c) (hd : 0 < d) :
    (∀ x, partOf (partOf x a b) c d = partOf x (a * c) d) ↔ c * d ∣ b ∨ d = 1 := by
  constructor
  · intro h
    by_cases h1 : d = 1
    · exact .inr h1
    · have key : ∀ y, y % b / c % d = y / c % d := by
        intro y
        have := h (a * y)
        rwa [partOf, partOf, partOf, ← Int.ediv_ediv_of_nonneg (Int.le_of_lt ha),
          Int.mul_ediv_cancel_left _ (by omega)] at this
      have hb0 := key b
      rw [Int.emod_self, Int.zero_ediv, Int.zero_emod] at hb0
      obtain ⟨q, hq⟩ := Int.dvd_of_emod_eq_zero hb0.symm
      have e1 := Int.mul_ediv_add_emod b c
      have e2 := Int.emod_nonneg b (b := c) (by omega)
      have e3 := Int.emod_lt_of_pos b hc
      refine .inl ⟨q, ?_⟩
      by_cases hs : b % c = 0
      · rw [Int.mul_assoc, ← hq]
        omega
      · exfalso
        have hy := key (b + (c - b % c))
        have e4 : 0 ≤ (c - b % c) % b := Int.emod_nonneg _ (by omega)
        have e5 : (c - b % c) % b < c := by
          by_cases hlt : c - b % c < b
          · rw [Int.emod_eq_of_lt (by omega) hlt]
            omega
          · have := Int.emod_lt_of_pos (c - b % c) hb
            omega
        rw [Int.add_emod_left, Int.ediv_eq_zero_of_lt e4 e5, Int.zero_emod,
          show b + (c - b % c) = c * (b / c) + c * 1 by omega, ← Int.mul_add, Int.mul_ediv_cancel_left _ (by omega),
          hq, Int.add_comm, Int.add_mul_emod_self_left, Int.emod_eq_of_lt (by omega) (by omega)] at hy
        omega
  · rintro (h | rfl) x
    · exact partOf_partOf ha hc h x
    · simp [partOf, Int.emod_one]

/-- **Merged with d = ⌈b/c⌉ though 2 does not divide 3, index 3 gives 1 instead of 0.**
Source: nvFuser `proveLinearAndGetStride`, merging of `PartOf` (refuted) -/
theorem partOf_partOf_counterexample : partOf (partOf 3 1 3) 2 2 = 0 ∧ partOf 3 (1 * 2) 2 = 1 := by decide

/-- **The inputs of a merge are parts of its output.**
Source: nvFuser `proveLinearAndGetStride` -/
theorem merge_bwd_partOf {N₀ N₁ i : Int} (h₁ : 0 < N₁) (h0 : 0 ≤ i) (h : i < N₀ * N₁) :
    Transform.merge.bwd [N₀, N₁] [i] = [partOf i N₁ N₀, partOf i 1 N₁] := by
  show [i / N₁, i % N₁] = [i / N₁ % N₀, i / 1 % N₁]
  rw [Int.emod_eq_of_lt (Int.ediv_nonneg h0 (Int.le_of_lt h₁)) (Int.ediv_lt_of_lt_mul h₁ h), Int.ediv_one]

/-- **Selecting all of an index that exists is the index itself.**
Source: nvFuser `eliminateTrivialPartOf` -/
theorem partOf_all {x N : Int} (h0 : 0 ≤ x) (h : x < N) : partOf x 1 N = x := by
  rw [partOf, Int.ediv_one, Int.emod_eq_of_lt h0 h]

end Razorgirl.IterDomain
