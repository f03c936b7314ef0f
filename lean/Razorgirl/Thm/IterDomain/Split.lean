module

public import Razorgirl.Thm.IterDomain.Transform

@[expose] public section

/-!
# Splits: what is proved

One split after another, inner and outer splits, and when a split leaves no holes.
-/

namespace Razorgirl.IterDomain.Transform

/-! ## There and back -/

/-- A map that the backward map undoes, in both directions and within the boxes, is a bijection. -/
theorem bijective_of_inverse {N : List Int} {t : Transform}
    (h : ∀ i, InBox N i → InBox (t.ext N) (t.fwd N i) ∧ t.bwd N (t.fwd N i) = i)
    (h' : ∀ j, InBox (t.ext N) j → InBox N (t.bwd N j) ∧ t.fwd N (t.bwd N j) = j) : Bijective N t :=
  ⟨fun i hi => (h i hi).1, fun i i' hi hi' e => by rw [← (h i hi).2, e, (h i' hi').2],
    fun j hj => ⟨_, h' j hj⟩⟩

/-- What a bijection hits comes back into the box. -/
theorem Bijective.bwd_inBox {N : List Int} {t : Transform} (hb : Bijective N t)
    (h : ∀ i, InBox N i → t.bwd N (t.fwd N i) = i) {j : List Int} (hj : InBox (t.ext N) j) :
    InBox N (t.bwd N j) := by
  obtain ⟨i, hi, rfl⟩ := hb.2.2 j hj
  rwa [h i hi]

theorem innerSplit_bwd_fwd (d N i : Int) : (innerSplit d).bwd [N] ((innerSplit d).fwd [N] [i]) = [i] := by
  show [i / d * d + i % d] = [i]
  rw [Int.ediv_mul_add_emod]

theorem innerSplit_fwd_bwd {d j : Int} (N o : Int) (h0 : 0 ≤ j) (h1 : j < d) :
    (innerSplit d).fwd [N] ((innerSplit d).bwd [N] [o, j]) = [o, j] := by
  show [(o * d + j) / d, (o * d + j) % d] = [o, j]
  rw [ediv_mul_add h0 h1, emod_mul_add h0 h1]

/-- The indices of a domain land in the box of its split. -/
theorem innerSplit_inBox {d N i : Int} (hd : 0 < d) (h0 : 0 ≤ i) (h1 : i < N) :
    InBox ((innerSplit d).ext [N]) ((innerSplit d).fwd [N] [i]) := by
  refine inBox_two.2 ⟨⟨Int.ediv_nonneg h0 (by omega), ?_⟩, Int.emod_nonneg _ (by omega), Int.emod_lt_of_pos _ hd⟩
  refine (Division.lt_cdiv_iff hd).2 (Int.lt_of_le_of_lt ?_ h1)
  have := Int.ediv_mul_add_emod i d
  have := Int.emod_nonneg i (b := d) (by omega)
  omega

theorem outerSplit_inBox {k N i : Int} (hk : 0 < k) (h0 : 0 ≤ i) (h1 : i < N) :
    InBox ((outerSplit k).ext [N]) ((outerSplit k).fwd [N] [i]) := by
  have hM := Division.cdiv_pos (show 0 < N by omega) hk
  refine inBox_two.2 ⟨⟨Int.ediv_nonneg h0 (by omega), ?_⟩, Int.emod_nonneg _ (by omega), Int.emod_lt_of_pos _ hM⟩
  have := Division.le_cdiv_mul (a := N) hk
  refine Int.ediv_lt_of_lt_mul hM (Int.lt_of_lt_of_le h1 ?_)
  rwa [Int.mul_comm]

/-! ## Holes -/

/-- **The loops of an inner split visit nothing but existing indices exactly when the factor divides the extent;
otherwise there are holes.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser divisibility of split, 4.1 -/
theorem innerSplit_bijective_iff {d N : Int} (hd : 0 < d) (hN : 0 < N) : Bijective [N] (innerSplit d) ↔ d ∣ N := by
  constructor
  · intro h
    have hc := Division.cdiv_pos hN hd
    have := h.bwd_inBox (fun i hi => by obtain ⟨a, rfl, _⟩ := hi.cases_one; exact innerSplit_bwd_fwd d N a)
      (j := [Division.cdiv N d - 1, d - 1]) (inBox_two.2 (by omega))
    have h1 : (Division.cdiv N d - 1) * d + (d - 1) < N := (inBox_one.1 this).2
    rw [Int.sub_mul] at h1
    have := Division.le_cdiv_mul (a := N) hd
    exact (Division.cdiv_mul_eq_iff hd).1 (by omega)
  · intro h
    refine bijective_of_inverse (fun i hi => ?_) (fun j hj => ?_)
    · obtain ⟨a, rfl, h0, h1⟩ := hi.cases_one
      exact ⟨innerSplit_inBox hd h0 h1, innerSplit_bwd_fwd d N a⟩
    · obtain ⟨o, j, rfl, ⟨ho, ho'⟩, hj, hj'⟩ := hj.cases_two (n := Division.cdiv N d) (m := d)
      refine ⟨inBox_one.2 ?_, innerSplit_fwd_bwd N o hj hj'⟩
      have h1 := (Division.cdiv_mul_eq_iff hd).2 h
      have h2 : (o + 1) * d ≤ Division.cdiv N d * d := Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
      have h3 := Int.mul_nonneg ho (Int.le_of_lt hd)
      rw [Int.add_mul] at h2
      omega

/-- **The loops of an outer split visit nothing but existing indices exactly when the factor divides the extent.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser divisibility of split, 4.1 -/
theorem outerSplit_bijective_iff {k N : Int} (hk : 0 < k) (hN : 0 < N) : Bijective [N] (outerSplit k) ↔ k ∣ N := by
  have hM := Division.cdiv_pos hN hk
  constructor
  · intro h
    have := h.bwd_inBox
      (fun i hi => by obtain ⟨a, rfl, _⟩ := hi.cases_one; exact innerSplit_bwd_fwd (Division.cdiv N k) N a)
      (j := [k - 1, Division.cdiv N k - 1]) (inBox_two.2 (by omega))
    have h1 : (k - 1) * Division.cdiv N k + (Division.cdiv N k - 1) < N := (inBox_one.1 this).2
    rw [Int.sub_mul, Int.mul_comm] at h1
    have := Division.le_cdiv_mul (a := N) hk
    exact (Division.cdiv_mul_eq_iff hk).1 (by omega)
  · intro h
    refine bijective_of_inverse (fun i hi => ?_) (fun j hj => ?_)
    · obtain ⟨a, rfl, h0, h1⟩ := hi.cases_one
      exact ⟨outerSplit_inBox hk h0 h1, innerSplit_bwd_fwd (Division.cdiv N k) N a⟩
    · obtain ⟨o, j, rfl, ⟨ho, ho'⟩, hj, hj'⟩ := hj.cases_two (n := k) (m := Division.cdiv N k)
      refine ⟨inBox_one.2 ?_, innerSplit_fwd_bwd N o hj hj'⟩
      have h1 := (Division.cdiv_mul_eq_iff hk).2 h
      have h2 : (o + 1) * Division.cdiv N k ≤ k * Division.cdiv N k :=
        Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
      have h3 := Int.mul_nonneg ho (Int.le_of_lt hM)
      rw [Int.add_mul, Int.mul_comm k] at h2
      omega

/-! ## Outer splits as inner splits -/

/-- **The index maps of an outer split by k are those of the inner split by ⌈N/k⌉.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `Split` with an outer factor -/
theorem outerSplit_maps (k N : Int) :
    (outerSplit k).fwd [N] = (innerSplit (Division.cdiv N k)).fwd [N] ∧
      (outerSplit k).bwd [N] = (innerSplit (Division.cdiv N k)).bwd [N] := by
  constructor
  · funext i
    match i with
    | [] => rfl
    | [_] => rfl
    | _ :: _ :: _ => rfl
  · funext j
    match j with
    | [] => rfl
    | [_] => rfl
    | [_, _] => rfl
    | _ :: _ :: _ :: _ => rfl

/-- **An outer split by k is the inner split by ⌈N/k⌉ exactly when that needs k rounds, not fewer.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `Split` with an outer factor -/
theorem outerSplit_same_iff {k N : Int} :
    Same [N] (outerSplit k) (innerSplit (Division.cdiv N k)) ↔ Division.cdiv N (Division.cdiv N k) = k := by
  constructor
  · intro h
    have : [k, Division.cdiv N k] = [Division.cdiv N (Division.cdiv N k), Division.cdiv N k] := h.1
    simpa using this.symm
  · intro h
    refine ⟨?_, fun i _ => by rw [(outerSplit_maps k N).1], fun j _ => by rw [(outerSplit_maps k N).2]⟩
    show [k, Division.cdiv N k] = [Division.cdiv N (Division.cdiv N k), Division.cdiv N k]
    rw [h]

/-- **An outer split by a divisor k of N is the inner split by N/k.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `Split` with an outer factor -/
theorem outerSplit_of_dvd {k N : Int} (hk : 0 < k) (hN : 0 < N) (h : k ∣ N) :
    Same [N] (outerSplit k) (innerSplit (N / k)) := by
  have h1 := Division.cdiv_of_dvd h
  rw [← h1, outerSplit_same_iff]
  have hM := Division.cdiv_pos hN hk
  have h2 := (Division.cdiv_mul_eq_iff hk).2 h
  rw [show Division.cdiv N (Division.cdiv N k) = Division.cdiv (k * Division.cdiv N k) (Division.cdiv N k) by
      rw [Int.mul_comm k, h2],
    Division.cdiv_mul_self hM]

/-- 5 into 4 parts is not 5 by 2: four rounds against three. -/
example : (outerSplit 4).ext [5] = [4, 2] ∧ (innerSplit (Division.cdiv 5 4)).ext [5] = [3, 2] := by decide
/-- 9 into 5 parts is 9 by 2, though 5 does not divide 9. -/
example : (outerSplit 5).ext [9] = [5, 2] ∧ (innerSplit (Division.cdiv 9 5)).ext [9] = [5, 2] := by decide

/-! ## Two splits -/

/-- **Splitting by n and the outer part by m is splitting by m·n and the inner part by n, for every extent and every
index, holes too.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser IterDomain Theorem 2.1 (repaired: `split_split_counterexample`, for factors of at least 1) -/
theorem split_split {m n : Int} (hm : 0 < m) (hn : 0 < n) (N : Int) :
    Same [N] (((innerSplit m).embed 0 1).after (innerSplit n))
      (((innerSplit n).embed 1 0).after (innerSplit (m * n))) := by
  refine ⟨?_, fun i hi => ?_, fun j hj => ?_⟩
  · show [Division.cdiv (Division.cdiv N n) m, m, n] = [Division.cdiv N (m * n), Division.cdiv (m * n) n, n]
    rw [Division.cdiv_cdiv N hm, Division.cdiv_mul_self hn, Int.mul_comm]
  · obtain ⟨a, rfl⟩ := List.length_eq_one_iff.1 hi
    show [a / n / m, a / n % m, a % n] = [a / (m * n), a % (m * n) / n, a % (m * n) % n]
    rw [Int.ediv_ediv_of_nonneg (by omega), emod_mul_ediv _ hn, emod_mul_emod, Int.mul_comm]
  · obtain ⟨o, j, k, rfl⟩ := length_eq_three hj
    show [(o * m + j) * n + k] = [o * (m * n) + (j * n + k)]
    rw [Int.add_mul, Int.mul_assoc, Int.add_assoc]

/-- 100 by 8, the outer part by 4: index 77 is (2,1,5), and by 32, the inner part by 8, the same. -/
example : (((innerSplit 4).embed 0 1).after (innerSplit 8)).ext [100] = [4, 4, 8] ∧
    (((innerSplit 4).embed 0 1).after (innerSplit 8)).fwd [100] [77] = [2, 1, 5] ∧
    (((innerSplit 8).embed 1 0).after (innerSplit 32)).fwd [100] [77] = [2, 1, 5] := by decide
/-- **Factors below 1 break the law, which is stated for all integers: m = -2, n = 2 by the extents, m = 2, n = -1 by the
indices.**
Source: nvFuser IterDomain Theorem 2.1 (refuted) -/
theorem split_split_counterexample : (((innerSplit (-2)).embed 0 1).after (innerSplit 2)).ext [-1] = [0, -2, 2] ∧
    (((innerSplit 2).embed 1 0).after (innerSplit (-2 * 2))).ext [-1] = [1, -2, 2] ∧
    (((innerSplit 2).embed 0 1).after (innerSplit (-1))).fwd [0] [-1] = [0, 1, 0] ∧
    (((innerSplit (-1)).embed 1 0).after (innerSplit (2 * -1))).fwd [0] [-1] = [1, -1, 0] := by decide
/-- Nor does it hold for n = 0, where a division by zero counts as 0. -/
example : (((innerSplit 4).embed 0 1).after (innerSplit 0)).ext [7] = [0, 4, 0] ∧
    (((innerSplit 0).embed 1 0).after (innerSplit (4 * 0))).ext [7] = [0, 0, 0] := by decide

/-- **The outer part of a divisible split of the outer part of a divisible split has the index of the outer part of
one divisible split, if its extent is the same.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser `mapDivisibleSplits` in `id_model.cpp` -/
theorem outer_of_divisible_splits {N d₁ d₂ d : Int} (hN : 0 < N) (h₁ : 0 < d₁) (h₂ : 0 < d₂) (hd : 0 < d)
    (hv₁ : d₁ ∣ N) (hv₂ : d₂ ∣ N / d₁) (hv : d ∣ N) (he : N / d₁ / d₂ = N / d) (i : Int) :
    i / d₁ / d₂ = i / d := by
  obtain ⟨a, rfl⟩ := hv₁
  rw [Int.mul_ediv_cancel_left _ (by omega)] at hv₂ he
  obtain ⟨b, rfl⟩ := hv₂
  rw [Int.mul_ediv_cancel_left _ (by omega)] at he
  obtain ⟨c, hc⟩ := hv
  rw [hc, Int.mul_ediv_cancel_left _ (by omega)] at he
  subst he
  have hb : b ≠ 0 := by
    rintro rfl
    simp at hN
  rw [← Int.mul_assoc] at hc
  rw [Int.ediv_ediv_of_nonneg (by omega), Int.eq_of_mul_eq_mul_right hb hc]

/-- The splits have to divide: 5 by 2, by 2, and 5 by 3 both end with 2 rounds, but index 3 is in round 0 and 1. -/
example : Division.cdiv (Division.cdiv 5 2) 2 = Division.cdiv 5 3 ∧
    (3 : Int) / 2 / 2 = 0 ∧ (3 : Int) / 3 = 1 := by decide

/-! ## Splits that do nothing -/

/-- **Splitting by 1 leaves the index to the outer part.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser, the almost-exact graph -/
theorem innerSplit_one (N i : Int) :
    (innerSplit 1).ext [N] = [N, 1] ∧ (innerSplit 1).fwd [N] [i] = [i, 0] := by
  constructor
  · show [Division.cdiv N 1, 1] = [N, 1]
    rw [Division.cdiv_one]
  · show [i / 1, i % 1] = [i, 0]
    rw [Int.ediv_one, Int.emod_one]

/-- **Splitting into 1 part leaves every index that exists to the inner part.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser, the almost-exact graph -/
theorem outerSplit_one {N i : Int} (h0 : 0 ≤ i) (h1 : i < N) :
    (outerSplit 1).ext [N] = [1, N] ∧ (outerSplit 1).fwd [N] [i] = [0, i] := by
  constructor
  · show [1, Division.cdiv N 1] = [1, N]
    rw [Division.cdiv_one]
  · show [i / Division.cdiv N 1, i % Division.cdiv N 1] = [0, i]
    rw [Division.cdiv_one, Int.ediv_eq_zero_of_lt h0 h1, Int.emod_eq_of_lt h0 h1]

/-- **Splitting by the extent or more leaves every index that exists to the inner part.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser, the almost-exact graph -/
theorem innerSplit_of_le {d N i : Int} (h : N ≤ d) (h0 : 0 ≤ i) (h1 : i < N) :
    (innerSplit d).ext [N] = [1, d] ∧ (innerSplit d).fwd [N] [i] = [0, i] := by
  have hd : 0 < d := by omega
  constructor
  · show [Division.cdiv N d, d] = [1, d]
    have h2 := (Division.cdiv_le_iff (a := N) (K := 1) hd).2 (by omega)
    have h3 := Division.cdiv_pos (show 0 < N by omega) hd
    rw [show Division.cdiv N d = 1 by omega]
  · show [i / d, i % d] = [0, i]
    rw [Int.ediv_eq_zero_of_lt h0 (by omega), Int.emod_eq_of_lt h0 (by omega)]

/-- **A split whose outer extent is that of its input leaves every index that exists to the outer part.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser, the almost-exact graph -/
theorem innerSplit_outer_eq {d N i : Int} (hd : 0 < d) (h : Division.cdiv N d = N) (h0 : 0 ≤ i) (h1 : i < N) :
    (innerSplit d).fwd [N] [i] = [i, 0] := by
  show [i / d, i % d] = [i, 0]
  have h2 := Division.cdiv_mul_lt (a := N) hd
  rw [h] at h2
  by_cases hN : N = 1
  · obtain rfl : i = 0 := by omega
    simp
  · have h3 : 2 * d ≤ N * d := Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
    have h4 : N * (d - 1) < 1 * d := by rw [Int.mul_sub]; omega
    have h5 : d = 1 := by
      by_cases h5 : d = 1
      · exact h5
      · have h6 : 2 * (d - 1) ≤ N * (d - 1) := Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
        omega
    rw [h5, Int.ediv_one, Int.emod_one]

end Razorgirl.IterDomain.Transform
