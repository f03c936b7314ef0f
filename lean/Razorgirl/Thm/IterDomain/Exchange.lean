module

public import Razorgirl.Thm.IterDomain.Merge

@[expose] public section

/-!
# Split then merge against merge then split

Of two domains the inner one may be split and its outer part merged with the outer domain, or both merged and the
result split. nvFuser (`doc/reading/divisibility-of-split.md`, Theorem 5) calls the two equivalent if and only if the
split is divisible. That is so for the document's equality and for the loop nest, but not on the indices that exist.
-/

namespace Razorgirl.IterDomain.Transform

theorem exchange_ext_of_dvd {N N₂ : Int} (hN : 0 < N) (h : N ∣ N₂) (N₁ : Int) :
    (splitThenMerge N).ext [N₁, N₂] = (mergeThenSplit N).ext [N₁, N₂] := by
  obtain ⟨c, rfl⟩ := h
  show [N₁ * Division.cdiv (N * c) N, N] = [Division.cdiv (N₁ * (N * c)) N, N]
  rw [Int.mul_comm N, Division.cdiv_mul_self hN, ← Int.mul_assoc, Division.cdiv_mul_self hN]

theorem exchange_e0_of_dvd {N N₂ : Int} (hN : 0 < N) (h : N ∣ N₂) (N₁ : Int) :
    E0 [N₁, N₂] (splitThenMerge N) (mergeThenSplit N) := by
  refine ⟨exchange_ext_of_dvd hN h N₁, fun i hi => ?_⟩
  obtain ⟨a, b, rfl⟩ := length_eq_two hi
  obtain ⟨c, rfl⟩ := h
  show [a * Division.cdiv (N * c) N + b / N, b % N] = [(a * (N * c) + b) / N, (a * (N * c) + b) % N]
  rw [Int.mul_comm N, Division.cdiv_mul_self hN, ← Int.mul_assoc, Int.add_comm _ b,
    Int.add_mul_ediv_right _ _ (by omega),
    Int.add_mul_emod_self_right, Int.add_comm]

/-- The forward maps differ at the start of the second row unless it is the start of a block. -/
theorem dvd_of_exchange_fwd {N N₁ N₂ : Int}
    (h : (splitThenMerge N).fwd [N₁, N₂] [1, 0] = (mergeThenSplit N).fwd [N₁, N₂] [1, 0]) : N ∣ N₂ := by
  have h : [1 * Division.cdiv N₂ N + 0 / N, 0 % N] = [(1 * N₂ + 0) / N, (1 * N₂ + 0) % N] := h
  simp only [List.cons.injEq] at h
  have := h.2.1
  rw [Int.zero_emod, Int.one_mul, Int.add_zero] at this
  exact Int.dvd_of_emod_eq_zero this.symm

/-- **Split then merge has the forward map of merge then split on all integers exactly when the factor divides the
inner extent.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser divisibility of split, Theorem 5 -/
theorem exchange_e0_iff {N N₂ : Int} (hN : 0 < N) (N₁ : Int) :
    E0 [N₁, N₂] (splitThenMerge N) (mergeThenSplit N) ↔ N ∣ N₂ :=
  ⟨fun h => dvd_of_exchange_fwd (h.2 [1, 0] rfl), fun h => exchange_e0_of_dvd hN h N₁⟩

/-- **Split then merge agrees with merge then split on the indices that exist exactly when the factor divides the inner
extent, or the outer extent is 1.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser divisibility of split, Theorem 5, on the indices that exist (`exchange_e1_one_row`) -/
theorem exchange_e1_iff {N N₁ N₂ : Int} (hN : 0 < N) (h₁ : 0 < N₁) (h₂ : 0 < N₂) :
    E1 [N₁, N₂] (splitThenMerge N) (mergeThenSplit N) ↔ N ∣ N₂ ∨ N₁ = 1 := by
  constructor
  · intro h
    by_cases h1 : N₁ = 1
    · exact .inr h1
    · exact .inl (dvd_of_exchange_fwd (h.2 [1, 0] (inBox_two.2 (by omega))))
  · rintro (h | rfl)
    · exact (exchange_e0_of_dvd hN h N₁).e1
    · refine ⟨?_, fun i hi => ?_⟩
      · show [1 * Division.cdiv N₂ N, N] = [Division.cdiv (1 * N₂) N, N]
        rw [Int.one_mul, Int.one_mul]
      · obtain ⟨a, b, rfl, ha, hb⟩ := hi.cases_two
        obtain rfl : a = 0 := by omega
        show [0 * Division.cdiv N₂ N + b / N, b % N] = [(0 * N₂ + b) / N, (0 * N₂ + b) % N]
        rw [Int.zero_mul, Int.zero_mul, Int.zero_add, Int.zero_add]

/-- **Split then merge gives the loop nest of merge then split exactly when the factor divides the inner extent.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser divisibility of split, Theorem 5 -/
theorem exchange_e2_iff {N N₁ N₂ : Int} (hN : 0 < N) (h₁ : 0 < N₁) (h₂ : 0 < N₂) :
    E2 [N₁, N₂] (splitThenMerge N) (mergeThenSplit N) ↔ N ∣ N₂ := by
  have hC := Division.cdiv_pos h₂ hN
  constructor
  · intro h
    have h1 : 1 * Division.cdiv N₂ N ≤ N₁ * Division.cdiv N₂ N := Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
    have h2 := h.2 [Division.cdiv N₂ N - 1, N - 1] (inBox_two (n := N₁ * Division.cdiv N₂ N) (m := N).2 (by omega))
    have h2 : [(Division.cdiv N₂ N - 1) / Division.cdiv N₂ N,
        (Division.cdiv N₂ N - 1) % Division.cdiv N₂ N * N + (N - 1)] =
      [((Division.cdiv N₂ N - 1) * N + (N - 1)) / N₂, ((Division.cdiv N₂ N - 1) * N + (N - 1)) % N₂] := h2
    simp only [List.cons.injEq] at h2
    have h3 := h2.1
    rw [Int.ediv_eq_zero_of_lt (by omega) (by omega), Int.sub_mul] at h3
    have h4 := Int.lt_mul_of_ediv_lt h₂ (show (Division.cdiv N₂ N * N - 1 * N + (N - 1)) / N₂ < 1 by omega)
    have h5 := Division.le_cdiv_mul (a := N₂) hN
    exact (Division.cdiv_mul_eq_iff hN).1 (by omega)
  · intro h
    refine ⟨exchange_ext_of_dvd hN h N₁, fun j hj => ?_⟩
    obtain ⟨o, j, rfl, -, h0, h1⟩ := hj.cases_two (n := N₁ * Division.cdiv N₂ N) (m := N)
    obtain ⟨c, rfl⟩ := h
    show [o / Division.cdiv (N * c) N, o % Division.cdiv (N * c) N * N + j] =
      [(o * N + j) / (N * c), (o * N + j) % (N * c)]
    rw [Int.mul_comm N, Division.cdiv_mul_self hN, emod_mul _ hN, Int.mul_comm c, ← Int.ediv_ediv_of_nonneg (by omega),
      ediv_mul_add h0 h1, emod_mul_add h0 h1]

/-- 2×5 by 4: 4 rounds against 3. -/
example : (splitThenMerge 4).ext [2, 5] = [4, 4] ∧ (mergeThenSplit 4).ext [2, 5] = [3, 4] := by decide
/-- 2×8 by 4 is the same either way. -/
example : (splitThenMerge 4).bwd [2, 8] [2, 3] = [1, 3] ∧ (mergeThenSplit 4).bwd [2, 8] [2, 3] = [1, 3] := by decide
/-- Equal extents do not show it: 2×2 by 3 gives two rounds of three either way, but the last index of the first
round is row 0, column 2 (a hole), or row 1, column 0. -/
example : (splitThenMerge 3).ext [2, 2] = [2, 3] ∧ (mergeThenSplit 3).ext [2, 2] = [2, 3] ∧
    (splitThenMerge 3).bwd [2, 2] [0, 2] = [0, 2] ∧ (mergeThenSplit 3).bwd [2, 2] [0, 2] = [1, 0] := by decide
/-- **One row of 1 by 2: both orders agree on the indices that exist, though 2 does not divide 1; not in the loops.**
Source: nvFuser divisibility of split, Theorem 5, on the indices that exist -/
theorem exchange_e1_one_row : (splitThenMerge 2).fwd [1, 1] [0, 0] = (mergeThenSplit 2).fwd [1, 1] [0, 0] ∧
    (splitThenMerge 2).bwd [1, 1] [0, 1] = [0, 1] ∧ (mergeThenSplit 2).bwd [1, 1] [0, 1] = [1, 0] := by decide

/-! ## Merging what is not contiguous in memory -/

/-- **Where a merge of domains with a gap between the rows is split by N, every part is contiguous in memory exactly
when N divides the inner extent, or there is one row, or no gap after all.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser divisibility of split, merging discontiguous IterDomains (repaired:
`merge_discontiguous_counterexample`) -/
theorem merge_discontiguous_iff {N N₁ N₂ outer inner : Int} (hN : 0 < N) (h₁ : 0 < N₁) (h₂ : 0 < N₂) :
    (∀ x, 0 ≤ x → x + 1 < N₁ * N₂ → (x + 1) % N ≠ 0 →
      (x + 1) / N₂ * outer + (x + 1) % N₂ * inner = x / N₂ * outer + x % N₂ * inner + inner) ↔
    N ∣ N₂ ∨ N₁ = 1 ∨ outer = N₂ * inner := by
  constructor
  · intro h
    by_cases h1 : N₁ = 1
    · exact .inr (.inl h1)
    · by_cases hd : N ∣ N₂
      · exact .inl hd
      · refine .inr (.inr ?_)
        have h2 : 2 * N₂ ≤ N₁ * N₂ := Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
        have h3 := h (N₂ - 1) (by omega) (by omega) (by
          rw [Int.sub_add_cancel]
          exact fun h4 => hd (Int.dvd_of_emod_eq_zero h4))
        rw [Int.sub_add_cancel, Int.ediv_self (by omega), Int.emod_self,
          Int.ediv_eq_zero_of_lt (by omega) (by omega), Int.emod_eq_of_lt (by omega) (by omega), Int.sub_mul] at h3
        omega
  · intro h x h0 hx hne
    have e1 := Int.ediv_mul_add_emod x N₂
    have e2 := Int.emod_nonneg x (b := N₂) (by omega)
    have e3 := Int.emod_lt_of_pos x h₂
    by_cases hr : x % N₂ + 1 < N₂
    · rw [show x + 1 = x / N₂ * N₂ + (x % N₂ + 1) by omega, ediv_mul_add (by omega) hr, emod_mul_add (by omega) hr,
        Int.add_mul]
      omega
    · have hx1 : x + 1 = (x / N₂ + 1) * N₂ + 0 := by rw [Int.add_mul]; omega
      rcases h with h | rfl | rfl
      · refine absurd ?_ hne
        rw [hx1, Int.add_zero]
        exact Int.emod_eq_zero_of_dvd (Int.dvd_trans h (Int.dvd_mul_left _ _))
      · have := Int.ediv_nonneg h0 (Int.le_of_lt h₂)
        have h5 : 0 * N₂ ≤ x / N₂ * N₂ := Int.mul_le_mul_of_nonneg_right this (by omega)
        omega
      · rw [hx1, ediv_mul_add (by omega) h₂, emod_mul_add (by omega) h₂, show x % N₂ = N₂ - 1 by omega, Int.add_mul,
          Int.sub_mul]
        omega

/-- 2 rows of 3 at distance 4, by 2: the second part, indices 2 and 3, lies at 2 and 4. -/
example : ((2 : Int) / 3 * 4 + 2 % 3, (3 : Int) / 3 * 4 + 3 % 3) = (2, 4) := by decide

/-- **One row of three elements by 2 keeps its parts contiguous, though 2 does not divide 3: the rule asks for more than
is needed.**
Source: nvFuser divisibility of split, merging discontiguous IterDomains (refuted) -/
theorem merge_discontiguous_counterexample (outer : Int) :
    (∀ x : Int, 0 ≤ x → x + 1 < 1 * 3 → (x + 1) % 2 ≠ 0 →
      (x + 1) / 3 * outer + (x + 1) % 3 * 1 = x / 3 * outer + x % 3 * 1 + 1) ∧ ¬ (2 : Int) ∣ 3 :=
  ⟨(merge_discontiguous_iff (N := 2) (N₁ := 1) (N₂ := 3) (outer := outer) (inner := 1) (by decide) (by decide)
    (by decide)).2 (.inr (.inl rfl)), by decide⟩

end Razorgirl.IterDomain.Transform
