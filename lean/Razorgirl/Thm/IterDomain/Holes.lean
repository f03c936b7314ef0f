module

public import Razorgirl.Thm.IterDomain.Merge
public import Razorgirl.Thm.IterDomain.Swizzle

@[expose] public section

/-!
# Holes: what is proved

Which index in range implies which other, for each transformation, with the hypotheses that it takes.
-/

namespace Razorgirl.IterDomain.Transform

/-! ## Splits -/

/-- **If the input of a split and its inner part are in range, so is its outer part.**
Rust: `razorgirl::iter_domain::Schedule::index`
Source: nvFuser divisibility of split, Theorem 1 -/
theorem split_outer_inRange {N₀ N₁ N₂ i₁ i₂ : Int} (hc : N₀ ≤ N₁ * N₂) (h₂ : 0 ≤ i₂ ∧ i₂ < N₂)
    (h₀ : 0 ≤ i₁ * N₂ + i₂ ∧ i₁ * N₂ + i₂ < N₀) : 0 ≤ i₁ ∧ i₁ < N₁ := by
  constructor
  · refine Int.not_lt.1 fun h => ?_
    have : i₁ * N₂ ≤ -1 * N₂ := Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
    omega
  · refine Int.not_le.1 fun h => ?_
    have : N₁ * N₂ ≤ i₁ * N₂ := Int.mul_le_mul_of_nonneg_right h (by omega)
    omega

/-- **If the input of a split is in range and neither part is below 0, the outer part is in range, even where the inner
one is not.**
Rust: `razorgirl::iter_domain::Schedule::index`
Source: nvFuser divisibility of split, Theorem 1, of indices that are not below 0 -/
theorem split_outer_inRange_of_nonneg {N₀ N₁ N₂ i₁ i₂ : Int} (hd : 0 < N₂) (hc : N₀ ≤ N₁ * N₂) (h₁ : 0 ≤ i₁)
    (h₂ : 0 ≤ i₂) (h₀ : i₁ * N₂ + i₂ < N₀) : 0 ≤ i₁ ∧ i₁ < N₁ := by
  refine ⟨h₁, Int.not_le.1 fun h => ?_⟩
  have : N₁ * N₂ ≤ i₁ * N₂ := Int.mul_le_mul_of_nonneg_right h (by omega)
  omega

/-- **If both parts of a split are in range and the factor divides, so is its input.**
Rust: `razorgirl::iter_domain::Schedule::index`
Source: nvFuser divisibility of split, 4.1 -/
theorem split_input_inRange {N₀ N₁ N₂ i₁ i₂ : Int} (hc : N₁ * N₂ = N₀) (h₁ : 0 ≤ i₁ ∧ i₁ < N₁)
    (h₂ : 0 ≤ i₂ ∧ i₂ < N₂) : 0 ≤ i₁ * N₂ + i₂ ∧ i₁ * N₂ + i₂ < N₀ := by
  have := Int.mul_nonneg h₁.1 (show 0 ≤ N₂ by omega)
  have := mul_add_lt h₁.2 h₂.1 h₂.2
  omega

/-- Without the inner part in range the outer one need not be: extents 1, 1, 1, indices 0 = -1·1 + 1. -/
example : (0 : Int) ≤ -1 * 1 + 1 ∧ (-1 : Int) * 1 + 1 < 1 ∧ ¬ (0 : Int) ≤ -1 := by decide
/-- The converse is what a hole is: 1 by 2, both parts in range, index 1 of 1. -/
example : InBox ((innerSplit 2).ext [1]) [0, 1] ∧ ¬ InBox [1] ((innerSplit 2).bwd [1] [0, 1]) := by decide

/-- **An indivisible split is a resize to the next multiple and a divisible split of that.**
Rust: `razorgirl::iter_domain::Schedule::index`
Source: nvFuser divisibility of split, 4.1 -/
theorem innerSplit_eq_resize {d : Int} (hd : 0 < d) (N : Int) :
    Same [N] (innerSplit d) ((innerSplit d).after (resize 0 (Division.cdiv N d * d - N))) ∧
      d ∣ Division.cdiv N d * d := by
  refine ⟨⟨?_, fun i hi => ?_, fun j hj => ?_⟩, ⟨_, Int.mul_comm _ _⟩⟩
  · show [Division.cdiv N d, d] = [Division.cdiv (N + 0 + (Division.cdiv N d * d - N)) d, d]
    rw [show N + 0 + (Division.cdiv N d * d - N) = Division.cdiv N d * d by omega, Division.cdiv_mul_self hd]
  · obtain ⟨a, rfl⟩ := List.length_eq_one_iff.1 hi
    show [a / d, a % d] = [(a + 0) / d, (a + 0) % d]
    rw [Int.add_zero]
  · obtain ⟨o, j, rfl⟩ := length_eq_two hj
    show [o * d + j] = [o * d + j - 0]
    rw [Int.sub_zero]

/-! ## Merges -/

/-- **The outer input of a merge is in range exactly when its output is; the inner one always is.**
Rust: `razorgirl::iter_domain::Schedule::index`
Source: nvFuser divisibility of split, Theorem 2 -/
theorem merge_inRange_iff {N₀ N₁ i : Int} (h₁ : 0 < N₁) :
    (0 ≤ i / N₁ ∧ i / N₁ < N₀ ↔ 0 ≤ i ∧ i < N₀ * N₁) ∧ 0 ≤ i % N₁ ∧ i % N₁ < N₁ := by
  refine ⟨?_, Int.emod_nonneg _ (by omega), Int.emod_lt_of_pos _ h₁⟩
  rw [Int.ediv_lt_iff_lt_mul h₁, Int.le_ediv_iff_mul_le h₁, Int.zero_mul]

/-- With truncation, as C divides, it fails: -1 / 2 is 0. -/
example : Int.tdiv (-1) 2 = 0 ∧ ¬ (0 : Int) ≤ -1 := by decide

/-! ## Resizes -/

/-- **If the input of a resize is in range, so is its output, provided that nothing is cut off.**
Rust: `razorgirl::iter_domain::Schedule::index`
Source: nvFuser divisibility of split, Theorem 3 -/
theorem resize_inRange {N L R i : Int} (hL : 0 ≤ L) (hR : 0 ≤ R) (h : 0 ≤ i - L ∧ i - L < N) :
    0 ≤ i ∧ i < N + L + R := by omega

/-- **If the output of a resize is in range, so is its input, provided that nothing is added.**
Rust: `razorgirl::iter_domain::Schedule::index`
Source: nvFuser divisibility of split, 4.1 -/
theorem resize_input_inRange {N L R i : Int} (hL : L ≤ 0) (hR : R ≤ 0) (h : 0 ≤ i ∧ i < N + L + R) :
    0 ≤ i - L ∧ i - L < N := by omega

/-- Cut off on the left: the output -1 has input 0. -/
example : InBox [1] ((resize (-1) 0).bwd [1] [-1]) ∧ ¬ InBox ((resize (-1) 0).ext [1]) [-1] := by decide
/-- Cut off on the right: the output 0 of no index at all has input 0. -/
example : InBox [1] ((resize 0 (-1)).bwd [1] [0]) ∧ ¬ InBox ((resize 0 (-1)).ext [1]) [0] := by decide

/-! ## Swizzles -/

/-- **Swizzles leave the first index and its extent alone, so it is in range before exactly when it is after.**
Rust: `razorgirl::iter_domain::Schedule::index`
Source: nvFuser divisibility of split, Theorem 4 -/
theorem swizzle_first_inRange (Nx Ny x y : Int) :
    ∀ t, t = xor ∨ t = cyclicShift ∨ t = zShape →
      t.ext [Nx, Ny] = [Nx, Ny] ∧ (t.fwd [Nx, Ny] [x, y]).take 1 = [x] ∧ (t.bwd [Nx, Ny] [x, y]).take 1 = [x] := by
  rintro t (rfl | rfl | rfl) <;> exact ⟨rfl, rfl, rfl⟩

/-- The second index may leave its extent: 2 by 1, (1,0) goes to column 1. -/
example : InBox [2, 1] [1, 0] ∧ ¬ InBox [2, 1] (xor.fwd [2, 1] [1, 0]) := by decide

end Razorgirl.IterDomain.Transform
