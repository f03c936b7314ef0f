module

public import Razorgirl.Thm.IterDomain.Split

@[expose] public section

/-!
# Rotations: which of two splits comes first

`split_split` read from right to left turns a split by B and an inner split by n into a split by n and an outer
one by B/n. For that, n must divide B. Where it does not, the exact conditions are here for each equality.
-/

namespace Razorgirl.IterDomain.Transform

/-- **Splitting by n and then the outer part by m is splitting by m·n and then the inner part by n.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `tma.md`, rotation (from left to right); IterDomain Theorem 2.1 -/
theorem rotate_left {m n : Int} (hm : 0 < m) (hn : 0 < n) (N : Int) :
    Same [N] (((innerSplit m).embed 0 1).after (innerSplit n))
      (((innerSplit n).embed 1 0).after (innerSplit (m * n))) := split_split hm hn N

/-- **Splitting by B and then the inner part by a divisor n of B is splitting by n and then the outer part by B/n.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `tma.md`, rotation (from right to left) -/
theorem rotate_right {B n : Int} (hB : 0 < B) (hn : 0 < n) (h : n ∣ B) (N : Int) :
    Same [N] (((innerSplit n).embed 1 0).after (innerSplit B))
      (((innerSplit (B / n)).embed 0 1).after (innerSplit n)) := by
  obtain ⟨c, rfl⟩ := h
  have hc : 0 < c := Int.pos_of_mul_pos_right hB hn
  rw [Int.mul_ediv_cancel_left _ (by omega), Int.mul_comm]
  exact (Same.equivalence [N]).symm (split_split hc hn N)

/-! ## Where n does not divide B

Rounded up, `⌈B/n⌉` parts of n are more than B. The two orders then differ from index B on, so they are the same only
if nothing is that far out. -/

theorem rotate_right_of_le {B n N : Int} (hB : 0 < B) (hn : 0 < n) (hN : 0 < N) (h : N ≤ B) :
    (((innerSplit n).embed 1 0).after (innerSplit B)).ext [N] =
      (((innerSplit (Division.cdiv B n)).embed 0 1).after (innerSplit n)).ext [N] := by
  have hc := Division.cdiv_pos hB hn
  have hm := Int.mul_pos hn hc
  show [Division.cdiv N B, Division.cdiv B n, n] =
    [Division.cdiv (Division.cdiv N n) (Division.cdiv B n), Division.cdiv B n, n]
  have h1 := (Division.cdiv_le_iff (a := N) (K := 1) hB).2 (by omega)
  have h2 := Division.cdiv_pos hN hB
  have h3 := Division.le_cdiv_mul (a := B) hn
  have h4 := (Division.cdiv_le_iff (a := N) (K := 1) hm).2 (by rw [Int.mul_comm n]; omega)
  have h5 := Division.cdiv_pos hN hm
  rw [Division.cdiv_cdiv N hc, show Division.cdiv N B = 1 by omega,
    show Division.cdiv N (n * Division.cdiv B n) = 1 by omega]

theorem rotate_right_of_dvd {B n : Int} (hB : 0 < B) (hn : 0 < n) (h : n ∣ B) (N : Int) :
    Same [N] (((innerSplit n).embed 1 0).after (innerSplit B))
      (((innerSplit (Division.cdiv B n)).embed 0 1).after (innerSplit n)) := by
  rw [Division.cdiv_of_dvd h]
  exact rotate_right hB hn h N

/-- Index B tells the two orders apart. -/
theorem rotate_right_at {B n : Int} (hB : 0 < B) (hn : 0 < n) {N : Int}
    (h : (((innerSplit n).embed 1 0).after (innerSplit B)).fwd [N] [B] =
      (((innerSplit (Division.cdiv B n)).embed 0 1).after (innerSplit n)).fwd [N] [B]) : n ∣ B := by
  have h : [B / B, B % B / n, B % B % n] = [B / n / Division.cdiv B n, B / n % Division.cdiv B n, B % n] := h
  have hc := Division.cdiv_pos hB hn
  have hm := Int.mul_pos hn hc
  simp only [List.cons.injEq, Int.ediv_self (show B ≠ 0 by omega), Int.ediv_ediv_of_nonneg (Int.le_of_lt hn)] at h
  have h1 := (Int.le_ediv_iff_mul_le (a := 1) (b := B) hm).1 (by omega)
  have h2 := Division.le_cdiv_mul (a := B) hn
  rw [Int.mul_comm] at h2
  exact (Division.cdiv_mul_eq_iff hn).1 (by rw [Int.mul_comm]; omega)

/-- **With ⌈B/n⌉ parts for B/n, the two orders of splitting agree on all integers exactly when n divides B.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `tma.md`, rotation, which asks for n ∣ B -/
theorem rotate_right_e0_iff {B n : Int} (hB : 0 < B) (hn : 0 < n) (N : Int) :
    E0 [N] (((innerSplit n).embed 1 0).after (innerSplit B))
      (((innerSplit (Division.cdiv B n)).embed 0 1).after (innerSplit n)) ↔ n ∣ B :=
  ⟨fun h => rotate_right_at hB hn (h.2 [B] rfl), fun h => (rotate_right_of_dvd hB hn h N).e0⟩

/-- **With ⌈B/n⌉ parts for B/n, the two orders of splitting agree on the indices that exist exactly when n divides B,
or when a single block of B holds them all.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `tma.md`, rotation, which asks for n ∣ B -/
theorem rotate_right_e1_iff {B n N : Int} (hB : 0 < B) (hn : 0 < n) (hN : 0 < N) :
    E1 [N] (((innerSplit n).embed 1 0).after (innerSplit B))
      (((innerSplit (Division.cdiv B n)).embed 0 1).after (innerSplit n)) ↔ n ∣ B ∨ N ≤ B := by
  constructor
  · intro h
    by_cases hle : N ≤ B
    · exact .inr hle
    · exact .inl (rotate_right_at hB hn (h.2 [B] (inBox_one.2 (by omega))))
  · rintro (h | h)
    · exact (rotate_right_of_dvd hB hn h N).e0.e1
    · refine ⟨rotate_right_of_le hB hn hN h, fun i hi => ?_⟩
      obtain ⟨a, rfl, h0, h1⟩ := hi.cases_one
      show [a / B, a % B / n, a % B % n] = [a / n / Division.cdiv B n, a / n % Division.cdiv B n, a % n]
      have h2 := Division.le_cdiv_mul (a := B) hn
      have h3 : a / n < Division.cdiv B n := Int.ediv_lt_of_lt_mul hn (by omega)
      have h4 := Int.ediv_nonneg h0 (Int.le_of_lt hn)
      rw [Int.ediv_eq_zero_of_lt h0 (by omega), Int.emod_eq_of_lt h0 (by omega), Int.ediv_eq_zero_of_lt h4 h3,
        Int.emod_eq_of_lt h4 h3]

/-- **With ⌈B/n⌉ parts for B/n, the two orders of splitting take every loop point back to the same index exactly when n
divides B, or when there is a single block of B.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `tma.md`, rotation, which asks for n ∣ B -/
theorem rotate_right_e2_iff {B n N : Int} (hB : 0 < B) (hn : 0 < n) (hN : 0 < N) :
    E2 [N] (((innerSplit n).embed 1 0).after (innerSplit B))
      (((innerSplit (Division.cdiv B n)).embed 0 1).after (innerSplit n)) ↔ n ∣ B ∨ N ≤ B := by
  have hc := Division.cdiv_pos hB hn
  constructor
  · intro h
    by_cases hle : N ≤ B
    · exact .inr hle
    · have h1 := (Division.lt_cdiv_iff (a := N) (c := 1) hB).2 (by omega)
      have : [1 * B + (0 * n + 0)] = [(1 * Division.cdiv B n + 0) * n + 0] :=
        h.2 [1, 0, 0] (inBox_three (n := Division.cdiv N B) (m := Division.cdiv B n).2 (by omega))
      simp only [List.cons.injEq] at this
      exact .inl ((Division.cdiv_mul_eq_iff hn).1 (by simpa using this.1.symm))
  · rintro (h | h)
    · exact (rotate_right_of_dvd hB hn h N).e2
    · refine ⟨rotate_right_of_le hB hn hN h, fun j hj => ?_⟩
      obtain ⟨o, j, k, rfl⟩ := length_eq_three hj.length_eq
      have h1 := (Division.cdiv_le_iff (a := N) (K := 1) hB).2 (by omega)
      obtain ⟨ho, -, -⟩ := inBox_three (n := Division.cdiv N B) (m := Division.cdiv B n) (p := n).1 hj
      obtain rfl : o = 0 := by omega
      show [0 * B + (j * n + k)] = [(0 * Division.cdiv B n + j) * n + k]
      simp

/-- 6 by 4 is not whole: index 6 is the start of block 1, but in two parts of 4 it is the third of the second. -/
example : (((innerSplit 4).embed 1 0).after (innerSplit 6)).fwd [12] [6] = [1, 0, 0] ∧
    (((innerSplit 2).embed 0 1).after (innerSplit 4)).fwd [12] [6] = [0, 1, 2] := by decide
/-- The smallest case: B = 1, n = 2. -/
example : (((innerSplit 2).embed 1 0).after (innerSplit 1)).fwd [2] [1] = [1, 0, 0] ∧
    (((innerSplit 1).embed 0 1).after (innerSplit 2)).fwd [2] [1] = [0, 0, 1] := by decide

end Razorgirl.IterDomain.Transform
