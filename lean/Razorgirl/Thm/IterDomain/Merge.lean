module

public import Razorgirl.Thm.IterDomain.Split

@[expose] public section

/-!
# Merges: what is proved

Merging is associative and loses nothing. Merging and splitting undo each other under conditions that are easily
overlooked: the split must be by the inner extent and the inner index in range, or the factor must divide.
-/

namespace Razorgirl.IterDomain.Transform

/-- The row-major number of a pair is below the product. -/
theorem mul_add_lt {a b n m : Int} (ha : a < n) (h0 : 0 ≤ b) (hb : b < m) : a * m + b < n * m := by
  have : (a + 1) * m ≤ n * m := Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
  rw [Int.add_mul] at this
  omega

theorem merge_inBox {N₀ N₁ a b : Int} (ha : 0 ≤ a ∧ a < N₀) (hb : 0 ≤ b ∧ b < N₁) :
    InBox (merge.ext [N₀, N₁]) (merge.fwd [N₀, N₁] [a, b]) := by
  refine inBox_one.2 ⟨?_, mul_add_lt ha.2 hb.1 hb.2⟩
  have := Int.mul_nonneg ha.1 (show 0 ≤ N₁ by omega)
  omega

theorem merge_bwd_fwd {N₁ b : Int} (N₀ a : Int) (h0 : 0 ≤ b) (h1 : b < N₁) :
    merge.bwd [N₀, N₁] (merge.fwd [N₀, N₁] [a, b]) = [a, b] := by
  show [(a * N₁ + b) / N₁, (a * N₁ + b) % N₁] = [a, b]
  rw [ediv_mul_add h0 h1, emod_mul_add h0 h1]

theorem merge_fwd_bwd (N₀ N₁ i : Int) : merge.fwd [N₀, N₁] (merge.bwd [N₀, N₁] [i]) = [i] := by
  show [i / N₁ * N₁ + i % N₁] = [i]
  rw [Int.ediv_mul_add_emod]

/-- **Merging pairs off all indices without holes, whatever the extents.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `Merge` -/
theorem merge_bijective {N₀ N₁ : Int} (h₁ : 0 < N₁) : Bijective [N₀, N₁] merge := by
  refine bijective_of_inverse (fun i hi => ?_) (fun j hj => ?_)
  · obtain ⟨a, b, rfl, ha, hb⟩ := hi.cases_two
    exact ⟨merge_inBox ha hb, merge_bwd_fwd _ _ hb.1 hb.2⟩
  · obtain ⟨i, rfl, h0, h1⟩ := hj.cases_one (n := N₀ * N₁)
    exact ⟨inBox_two.2 ⟨⟨Int.ediv_nonneg h0 (Int.le_of_lt h₁), Int.ediv_lt_of_lt_mul h₁ h1⟩,
      Int.emod_nonneg _ (by omega), Int.emod_lt_of_pos _ h₁⟩, merge_fwd_bwd N₀ N₁ i⟩

/-- **Merging is associative, for every index, holes too.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser IterDomain calculus, merge associativity -/
theorem merge_assoc {N₁ N₂ : Int} (h₂ : 0 < N₂) (N₀ : Int) :
    Same [N₀, N₁, N₂] (merge.after (merge.embed 0 1)) (merge.after (merge.embed 1 0)) := by
  refine ⟨?_, fun i hi => ?_, fun j hj => ?_⟩
  · show [N₀ * N₁ * N₂] = [N₀ * (N₁ * N₂)]
    rw [Int.mul_assoc]
  · obtain ⟨a, b, c, rfl⟩ := length_eq_three hi
    show [(a * N₁ + b) * N₂ + c] = [a * (N₁ * N₂) + (b * N₂ + c)]
    rw [Int.add_mul, Int.mul_assoc, Int.add_assoc]
  · obtain ⟨i, rfl⟩ := List.length_eq_one_iff.1 hj
    show [i / N₂ / N₁, i / N₂ % N₁, i % N₂] = [i / (N₁ * N₂), i % (N₁ * N₂) / N₂, i % (N₁ * N₂) % N₂]
    rw [Int.ediv_ediv_of_nonneg (by omega), emod_mul_ediv _ h₂, emod_mul_emod, Int.mul_comm]

/-! ## Split, then merge -/

/-- **Splitting and merging again changes no index, in either direction, holes too.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser IterDomain calculus, split then merge -/
theorem merge_after_innerSplit (d N i : Int) :
    (merge.after (innerSplit d)).fwd [N] [i] = [i] ∧ (merge.after (innerSplit d)).bwd [N] [i] = [i] := by
  constructor
  · show [i / d * d + i % d] = [i]
    rw [Int.ediv_mul_add_emod]
  · show [i / d * d + i % d] = [i]
    rw [Int.ediv_mul_add_emod]

/-- **Splitting and merging again is doing nothing exactly when the factor divides the extent; otherwise the extent
is rounded up to a multiple.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser IterDomain calculus, split then merge -/
theorem innerSplit_merge_iff {d : Int} (hd : 0 < d) (N : Int) :
    Same [N] (merge.after (innerSplit d)) (identity 1) ↔ d ∣ N := by
  rw [← Division.cdiv_mul_eq_iff hd]
  constructor
  · intro h
    have : [Division.cdiv N d * d] = [N] := h.1
    simpa using this
  · intro h
    refine ⟨?_, fun i hi => ?_, fun j hj => ?_⟩
    · show [Division.cdiv N d * d] = [N]
      rw [h]
    · obtain ⟨a, rfl⟩ := List.length_eq_one_iff.1 hi
      exact (merge_after_innerSplit d N a).1
    · obtain ⟨a, rfl⟩ := List.length_eq_one_iff.1 hj
      exact (merge_after_innerSplit d N a).2

/-! ## Merge, then split -/

theorem innerSplit_after_merge_ext {N₀ N₁ : Int} (h₁ : 0 < N₁) :
    ((innerSplit N₁).after merge).ext [N₀, N₁] = [N₀, N₁] := by
  show [Division.cdiv (N₀ * N₁) N₁, N₁] = [N₀, N₁]
  rw [Division.cdiv_mul_self h₁]

/-- **Merging and splitting by the inner extent again is doing nothing, on the indices that exist.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `tma.md` figure 5, where the proof is left to be done (repaired: `merge_innerSplit_not_e0`) -/
theorem merge_innerSplit_e1 {N₀ N₁ : Int} (h₁ : 0 < N₁) :
    E1 [N₀, N₁] ((innerSplit N₁).after merge) (identity 2) := by
  refine ⟨innerSplit_after_merge_ext h₁, fun i hi => ?_⟩
  obtain ⟨a, b, rfl, ha, hb⟩ := hi.cases_two
  show [(a * N₁ + b) / N₁, (a * N₁ + b) % N₁] = [a, b]
  rw [ediv_mul_add hb.1 hb.2, emod_mul_add hb.1 hb.2]

/-- **Merging and splitting by the inner extent again takes every loop point back to itself.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `tma.md` figure 5, where the proof is left to be done (repaired: `merge_innerSplit_not_e0`) -/
theorem merge_innerSplit_e2 {N₀ N₁ : Int} (h₁ : 0 < N₁) :
    E2 [N₀, N₁] ((innerSplit N₁).after merge) (identity 2) := by
  refine ⟨innerSplit_after_merge_ext h₁, fun j hj => ?_⟩
  rw [innerSplit_after_merge_ext h₁] at hj
  obtain ⟨o, j, rfl, ho, hj⟩ := hj.cases_two
  show [(o * N₁ + j) / N₁, (o * N₁ + j) % N₁] = [o, j]
  rw [ediv_mul_add hj.1 hj.2, emod_mul_add hj.1 hj.2]

/-- **Merging and splitting again is never doing nothing on all integers: an inner index that is out of range is
carried into the outer one.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `tma.md` figure 5 (refuted) -/
theorem merge_innerSplit_not_e0 {N₀ N₁ : Int} (h₁ : 0 < N₁) :
    ¬ E0 [N₀, N₁] ((innerSplit N₁).after merge) (identity 2) := by
  intro h
  have : [(0 * N₁ + N₁) / N₁, (0 * N₁ + N₁) % N₁] = [0, N₁] := h.2 [0, N₁] rfl
  rw [Int.zero_mul, Int.zero_add, Int.ediv_self (by omega)] at this
  simp at this

/-- **Only the inner extent undoes a merge: with any other factor even the extents differ.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `tma.md` figure 5 -/
theorem merge_innerSplit_ext_iff {N₀ N₁ : Int} (h₁ : 0 < N₁) (d : Int) :
    ((innerSplit d).after merge).ext [N₀, N₁] = [N₀, N₁] ↔ d = N₁ := by
  constructor
  · intro h
    have : [Division.cdiv (N₀ * N₁) d, d] = [N₀, N₁] := h
    simp only [List.cons.injEq] at this
    exact this.2.1
  · rintro rfl
    exact innerSplit_after_merge_ext h₁

/-- The smallest case: (0,1) with an inner extent of 1 comes back as (1,0). -/
example : ((innerSplit 1).after merge).fwd [2, 1] [0, 1] = [1, 0] := by decide

/-! ## Outer splits of merges -/

/-- **An outer split of a merge has the outer index of the same outer split of its outer domain, when the factor
divides the outer extent and the inner index is in range.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `mapDivisibleMergeSplits` in `id_model.cpp` -/
theorem outerSplit_merge_outer {f N₀ N₁ a b : Int} (hf : 0 < f) (h₀ : 0 < N₀) (h : f ∣ N₀) (hb : 0 ≤ b)
    (hb' : b < N₁) :
    (((outerSplit f).after merge).fwd [N₀, N₁] [a, b]).take 1 = ((outerSplit f).fwd [N₀] [a]).take 1 := by
  obtain ⟨c, rfl⟩ := h
  have hc : 0 < c := Int.pos_of_mul_pos_right h₀ hf
  show [(a * N₁ + b) / Division.cdiv (f * c * N₁) f] = [a / Division.cdiv (f * c) f]
  rw [show f * c * N₁ = N₁ * c * f by rw [Int.mul_comm, Int.mul_comm f, Int.mul_assoc], Division.cdiv_mul_self hf,
    Int.mul_comm f, Division.cdiv_mul_self hf, ← Int.ediv_ediv_of_nonneg (by omega), ediv_mul_add hb hb']

/-- 2 divides 3·2 but not 3: the outer indices of (1,1) are 1 and 0. -/
example : ((outerSplit 2).after merge).fwd [3, 2] [1, 1] = [1, 0] ∧ (outerSplit 2).fwd [3] [1] = [0, 1] := by decide
/-- An inner index out of range is carried: (0,2) with inner extent 1. -/
example : ((outerSplit 2).after merge).fwd [4, 1] [0, 2] = [1, 0] ∧ (outerSplit 2).fwd [4] [0] = [0, 0] := by decide

/-! ## Merges that do nothing -/

/-- **Merging with an outer extent of 1 leaves the index that exists to the inner domain.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser, the almost-exact graph -/
theorem merge_outer_one {N₁ a : Int} (b : Int) (h0 : 0 ≤ a) (h1 : a < 1) :
    merge.ext [1, N₁] = [N₁] ∧ merge.fwd [1, N₁] [a, b] = [b] := by
  obtain rfl : a = 0 := by omega
  constructor
  · show [1 * N₁] = [N₁]
    rw [Int.one_mul]
  · show [0 * N₁ + b] = [b]
    rw [Int.zero_mul, Int.zero_add]

/-- **Merging with an inner extent of 1 leaves the index that exists to the outer domain.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser, the almost-exact graph -/
theorem merge_inner_one {N₀ b : Int} (a : Int) (h0 : 0 ≤ b) (h1 : b < 1) :
    merge.ext [N₀, 1] = [N₀] ∧ merge.fwd [N₀, 1] [a, b] = [a] := by
  obtain rfl : b = 0 := by omega
  constructor
  · show [N₀ * 1] = [N₀]
    rw [Int.mul_one]
  · show [a * 1 + 0] = [a]
    rw [Int.mul_one, Int.add_zero]

end Razorgirl.IterDomain.Transform
