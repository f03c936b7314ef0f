module

public import Razorgirl.Thm.Bank.Bytes
public import Razorgirl.Thm.Bank.Strided

@[expose] public section

/-!
# A full phase at a plain stride: what is proved

The greatest common divisor of the stride and the words of a phase, from the words that are touched.
-/

namespace Razorgirl

namespace Bank

theorem nodup_strided (b n : Nat) {s : Nat} (hs : 0 < s) : (strided b s n).Nodup := by
  rw [strided, List.Nodup, List.pairwise_map]
  refine (List.nodup_range (n := n)).imp fun {i j} ne e => ne ?_
  exact Nat.eq_of_mul_eq_mul_right hs (Nat.add_left_cancel e)

theorem inBank_strided {ws : List Nat} {m b s r : Nat} (hr : r * 2 ^ m = 32) (hs : 0 < s)
    (h : ∀ w, w ∈ ws ↔ ∃ g i, g ∈ strided b s (2 ^ m) ∧ i < r ∧ w = r * g + i) (k : Nat) :
    inBank ws k = (strided b s (2 ^ m)).countP (fun g => decide (k < 32 ∧ g % 2 ^ m = k / r)) := by
  have r0 : 0 < r := by apply Nat.pos_of_ne_zero; intro e; simp [e] at hr
  rw [inBank_eq, List.countP_eq_length_filter, List.countP_eq_length_filter]
  have P : ((distinct ws).filter (fun w => decide (w % 32 = k))).Perm
      (((strided b s (2 ^ m)).filter (fun g => decide (k < 32 ∧ g % 2 ^ m = k / r))).map (fun g => r * g + k % r)) := by
    apply perm_of_nodup
    · exact (nodup_dedup _).filter _
    · rw [List.Nodup, List.pairwise_map]
      refine ((nodup_strided b _ hs).filter _).imp fun {a c} ne e => ne ?_
      exact Nat.eq_of_mul_eq_mul_left r0 (Nat.add_right_cancel e)
    · intro w
      simp only [List.mem_filter, mem_dedup, List.mem_map, decide_eq_true_eq, h]
      have key : ∀ q i, i < r → ((r * q + i) % 32 = k ↔ (k < 32 ∧ q % 2 ^ m = k / r) ∧ i = k % r) := by
        intro q i hi
        have lt : (r * q + i) % 32 < 32 := Nat.mod_lt _ (by omega)
        have e : (r * q + i) % 32 = i + r * (q % 2 ^ m) := by
          rw [← hr, Nat.mod_mul, Nat.mul_add_mod, Nat.mod_eq_of_lt hi, Nat.mul_add_div r0, Nat.div_eq_of_lt hi,
            Nat.add_zero]
        constructor
        · intro q'
          subst q'
          refine ⟨⟨lt, ?_⟩, ?_⟩
          · rw [e, Nat.add_mul_div_left _ _ r0, Nat.div_eq_of_lt hi, Nat.zero_add]
          · rw [e, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hi]
        · rintro ⟨⟨_, h1⟩, h2⟩
          rw [e, h1, h2, Nat.mod_add_div]
      constructor
      · rintro ⟨⟨g, i, hg, hi, rfl⟩, e⟩
        obtain ⟨h1, h2⟩ := (key _ i hi).1 e
        exact ⟨g, ⟨hg, h1⟩, by rw [h2]⟩
      · rintro ⟨g, ⟨hg, h1⟩, rfl⟩
        exact ⟨⟨g, k % r, hg, Nat.mod_lt _ r0, rfl⟩, (key _ _ (Nat.mod_lt _ r0)).2 ⟨h1, rfl⟩⟩
  rw [P.length_eq, List.length_map]

theorem wavefronts_strided {ws : List Nat} {m b s r : Nat} (hr : r * 2 ^ m = 32) (hs : 0 < s)
    (h : ∀ w, w ∈ ws ↔ ∃ g i, g ∈ strided b s (2 ^ m) ∧ i < r ∧ w = r * g + i) :
    wavefronts ws = Nat.gcd s (2 ^ m) := by
  have r0 : 0 < r := by apply Nat.pos_of_ne_zero; intro e; simp [e] at hr
  have p := Nat.two_pow_pos m
  have cls : ∀ k, k < 32 → inBank ws k = (strided b s (2 ^ m)).countP (fun g => decide (g % 2 ^ m = k / r)) := by
    intro k hk
    rw [inBank_strided hr hs h]
    apply List.countP_congr
    intro g _
    simp [hk]
  have lt : r * (b % 2 ^ m) < 32 := by
    rw [← hr]; exact Nat.mul_lt_mul_of_pos_left (Nat.mod_lt _ p) r0
  rw [wavefronts_eq]
  apply most_eq (i := r * (b % 2 ^ m)) _ lt
  · rw [cls _ lt, Nat.mul_div_cancel_left _ r0]
    exact (strided_count b s (2 ^ m) (b % 2 ^ m) hs p).2 rfl
  · intro k hk
    rw [cls k hk]
    exact (strided_count b s (2 ^ m) (k / r) hs p).1

theorem strided_zero (b n : Nat) : strided b 0 (2 ^ n) = (lanes (List.replicate n 0)).map fun o => b + (o ^^^ 0) := by
  have zero : ∀ n x, F2.applyHigh (List.replicate n 0) x = 0 := by
    intro n x
    induction n with
    | zero => rfl
    | succ n ih => rw [List.replicate_succ, F2.applyHigh, ih]; simp [F2.sel]
  simp [strided, lanes, zero]

/-- **A full phase of 128/u lanes at a plain stride of s words, a word being u = max(4, vector) bytes and the base a multiple of
it, takes gcd(s, 128/u) wavefronts, and 1 where s is 0.**
Source: nvFuser `mma_utils.cpp`, note on ldmatrix bank conflicts; stated otherwise: of the words that are touched -/
theorem phase_strided (b : Nat) {s d e : Nat} (he : e = max 2 d) (hd : d ≤ 4) :
    phase (2 ^ d) (strided (2 ^ e * b) (2 ^ e * s) (2 ^ (7 - e))) = if s = 0 then 1 else Nat.gcd s (2 ^ (7 - e)) := by
  by_cases hz : s = 0
  · subst hz
    rw [if_pos rfl, Nat.mul_zero, strided_zero, bank_formula_bytes _ _ 0 d e he hd (Nat.mul_mod_right _ _)
      (fun c hc => by rw [(List.mem_replicate.1 hc).2, Nat.zero_mod]) (Nat.zero_mod _)]
    simp
  have hs : 0 < s := Nat.pos_of_ne_zero hz
  rw [if_neg hz]
  apply wavefronts_strided (b := b) (r := 2 ^ (e - 2))
    (by rw [← Nat.pow_add, show e - 2 + (7 - e) = 5 by omega]) hs
  intro w
  have key : ∀ g, w ∈ touched 4 (2 ^ d) (2 ^ e * g) ↔ ∃ i, i < 2 ^ (e - 2) ∧ w = 2 ^ (e - 2) * g + i := by
    intro g
    have c : d = 0 ∨ d = 1 ∨ d = 2 ∨ d = 3 ∨ d = 4 := by omega
    apply mem_touched (j := 0)
    all_goals rcases c with rfl | rfl | rfl | rfl | rfl <;> simp at he <;> subst he <;> simp
  have eq : ∀ i, 2 ^ e * b + i * (2 ^ e * s) = 2 ^ e * (b + i * s) := by
    intro i
    rw [Nat.mul_add, Nat.mul_left_comm]
  simp only [List.mem_flatMap, strided, List.mem_map, List.mem_range]
  constructor
  · rintro ⟨a, ⟨i, hi, rfl⟩, hw⟩
    rw [eq] at hw
    obtain ⟨j, hj, e'⟩ := (key _).1 hw
    exact ⟨_, j, ⟨i, hi, rfl⟩, hj, e'⟩
  · rintro ⟨g, j, ⟨i, hi, rfl⟩, hj, e'⟩
    exact ⟨_, ⟨i, hi, rfl⟩, by rw [eq]; exact (key _).2 ⟨j, hj, e'⟩⟩

end Bank

end Razorgirl
