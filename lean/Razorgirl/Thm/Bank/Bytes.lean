module

public import Razorgirl.Thm.Bank

@[expose] public section

/-!
# Banks of accesses in bytes: what is proved

Vectors of 1 to 16 bytes at F2-linear offsets, with a base added and a constant exclusive-ored.
-/

namespace Razorgirl

namespace Bank

open F2

theorem mem_touched {r g j v a : Nat} (hv : (v = 1 ∨ v = 2 ∨ v = 4) ∧ r = 1 ∨ v = 4 * r)
    (hr : 0 < r) (hj : a = 4 * r * g + j) (hl : j + v ≤ 4 * r) (w : Nat) :
    w ∈ touched 4 v a ↔ ∃ i, i < r ∧ w = r * g + i := by
  have e : 4 * r * g = 4 * (r * g) := by rw [Nat.mul_assoc]
  rw [e] at hj
  generalize r * g = q at *
  simp only [touched, List.mem_map, List.mem_range]
  have a4 : a / 4 = q := by omega
  rw [a4]
  have : (a + v - 1) / 4 + 1 - q = r := by omega
  rw [this]
  constructor
  · rintro ⟨i, h, rfl⟩; exact ⟨i, h, rfl⟩
  · rintro ⟨i, h, rfl⟩; exact ⟨i, h, rfl⟩

theorem granules {W : List Nat} {ws : List Nat} {m b t r : Nat} (hr : r * 2 ^ m = 32)
    (h : ∀ w, w ∈ ws ↔ ∃ g i, Span W g ∧ i < r ∧ w = r * (b + (g ^^^ t)) + i) (k : Nat) (hk : k < 32) :
    inBank ws k = (spanValues W).countP (fun g => (b + (g ^^^ t)) % 2 ^ m = k / r) := by
  have r0 : 0 < r := by apply Nat.pos_of_ne_zero; intro e; simp [e] at hr
  rw [inBank_eq, List.countP_eq_length_filter, List.countP_eq_length_filter]
  have P : ((distinct ws).filter (fun w => decide (w % 32 = k))).Perm
      (((spanValues W).filter (fun g => decide ((b + (g ^^^ t)) % 2 ^ m = k / r))).map
        (fun g => r * (b + (g ^^^ t)) + k % r)) := by
    apply perm_of_nodup
    · exact (nodup_dedup _).filter _
    · rw [List.Nodup, List.pairwise_map]
      refine ((nodup_vals W).filter _).imp fun {a c} ne e => ne ?_
      have e := Nat.eq_of_mul_eq_mul_left r0 (Nat.add_right_cancel e)
      have e := congrArg (· ^^^ t) (Nat.add_left_cancel e)
      simpa [Nat.xor_assoc] using e
    · intro w
      simp only [List.mem_filter, mem_dedup, List.mem_map, mem_vals, decide_eq_true_eq, h]
      have key : ∀ q i, i < r → ((r * q + i) % 32 = k ↔ q % 2 ^ m = k / r ∧ i = k % r) := by
        intro q i hi
        rw [← hr, Nat.mod_mul, Nat.mul_add_mod, Nat.mod_eq_of_lt hi, Nat.mul_add_div r0,
          Nat.div_eq_of_lt hi, Nat.add_zero]
        constructor
        · rintro rfl
          rw [Nat.add_mul_div_left _ _ r0, Nat.div_eq_of_lt hi, Nat.add_mul_mod_self_left,
            Nat.mod_eq_of_lt hi]
          simp
        · rintro ⟨h1, h2⟩
          rw [h1, h2, Nat.mod_add_div]
      constructor
      · rintro ⟨⟨g, i, hg, hi, rfl⟩, e⟩
        obtain ⟨h1, h2⟩ := (key _ i hi).1 e
        exact ⟨g, ⟨hg, h1⟩, by rw [h2]⟩
      · rintro ⟨g, ⟨hg, h1⟩, rfl⟩
        exact ⟨⟨g, k % r, hg, Nat.mod_lt _ r0, rfl⟩, (key _ _ (Nat.mod_lt _ r0)).2 ⟨h1, rfl⟩⟩
  rw [P.length_eq, List.length_map]

theorem rot (m b t k : Nat) (hk : k < 2 ^ m) : ∃ k', ∀ g, ((b + (g ^^^ t)) % 2 ^ m = k ↔ g % 2 ^ m = k') := by
  have p := Nat.two_pow_pos m
  refine ⟨(k + 2 ^ m - b % 2 ^ m) % 2 ^ m ^^^ t % 2 ^ m, fun g => ?_⟩
  rw [← xor_eq_iff, ← Nat.xor_mod_two_pow]
  generalize g ^^^ t = q
  have hb := Nat.mod_lt b p
  have hq := Nat.mod_lt q p
  rw [Nat.add_mod]
  generalize b % 2 ^ m = b' at *
  generalize q % 2 ^ m = q' at *
  generalize 2 ^ m = P at *
  by_cases c : b' ≤ k
  · have e1 : (k + P - b') % P = k - b' := by
      rw [show k + P - b' = k - b' + P by omega, Nat.add_mod_right, Nat.mod_eq_of_lt (by omega)]
    rw [e1]
    by_cases d : b' + q' < P
    · rw [Nat.mod_eq_of_lt d]; omega
    · rw [Nat.mod_eq_sub_mod (by omega), Nat.mod_eq_of_lt (by omega)]; omega
  · rw [Nat.mod_eq_of_lt (a := k + P - b') (by omega)]
    by_cases d : b' + q' < P
    · rw [Nat.mod_eq_of_lt d]; omega
    · rw [Nat.mod_eq_sub_mod (by omega), Nat.mod_eq_of_lt (by omega)]; omega

theorem granule_formula {W ws : List Nat} {m b t r : Nat} (hr : r * 2 ^ m = 32)
    (h : ∀ w, w ∈ ws ↔ ∃ g i, Span W g ∧ i < r ∧ w = r * (b + (g ^^^ t)) + i) :
    wavefronts ws = 2 ^ (rank W - rank (W.map (· % 2 ^ m))) := by
  have r0 : 0 < r := by apply Nat.pos_of_ne_zero; intro e; simp [e] at hr
  have H : ∀ k, k < 32 → inBank ws k ≤ 2 ^ (rank W - rank (W.map (· % 2 ^ m))) := by
    intro k hk
    rw [granules hr h k hk]
    obtain ⟨k', e⟩ := rot m b t (k / r) (by rw [Nat.div_lt_iff_lt_mul r0, Nat.mul_comm, hr]; exact hk)
    simp only [e]
    rw [fibre (lin_mod m)]
    split
    · exact Nat.le_refl _
    · exact Nat.zero_le _
  have lt : r * ((b + t) % 2 ^ m) < 32 := by
    rw [← hr]; exact Nat.mul_lt_mul_of_pos_left (Nat.mod_lt _ (Nat.two_pow_pos m)) r0
  apply most_eq H (r * ((b + t) % 2 ^ m)) lt
  rw [granules hr h _ lt, Nat.mul_div_cancel_left _ r0]
  obtain ⟨k', e⟩ := rot m b t ((b + t) % 2 ^ m) (Nat.mod_lt _ (Nat.two_pow_pos m))
  have z : k' = 0 := by have := (e 0).1 (by rw [Nat.zero_xor]); simpa using this.symm
  simp only [e, z]
  rw [fibre (lin_mod m), if_pos (Span.zero _)]

/-- **Lanes whose byte offsets are F2-linear and multiples of a vector of 2^d bytes, at most 16, take in one phase 2 to the rank of their words less the rank of their banks wavefronts, a word being max(4, 2^d) bytes; a constant multiple of the vector may be exclusive-ored onto the offsets and a base multiple of the word be added.**
Source: «Linear Layouts» (arXiv 2505.23819); stated otherwise: with base, constant and vectors -/
theorem bank_formula_bytes (T : List Nat) (base t d e : Nat) (he : e = max 2 d) (hd : d ≤ 4)
    (hb : base % 2 ^ e = 0) (hT : ∀ c ∈ T, c % 2 ^ d = 0) (ht : t % 2 ^ d = 0) :
    phase (2 ^ d) ((lanes T).map fun o => base + (o ^^^ t))
      = 2 ^ (rank (T.map (· / 2 ^ e)) - rank (T.map fun c => c / 2 ^ e % 2 ^ (7 - e))) := by
  have al : ∀ x, applyHigh T x % 2 ^ d = 0 := by
    intro x
    rw [← applyHigh_map (lin_mod d), show T.map (· % 2 ^ d) = T.map (fun _ => 0) from List.map_congr_left hT]
    exact applyHigh_map (g := fun _ => 0) (fun _ _ => by simp) T x
  have al' : ∀ x, (applyHigh T x ^^^ t) % 2 ^ d = 0 := by
    intro x; rw [Nat.xor_mod_two_pow, al, ht]; rfl
  have := granule_formula (W := T.map (· / 2 ^ e)) (m := 7 - e) (b := base / 2 ^ e) (t := t / 2 ^ e)
    (r := 2 ^ (e - 2)) (ws := ((lanes T).map fun o => base + (o ^^^ t)).flatMap (touched 4 (2 ^ d)))
    (by rw [← Nat.pow_add, show e - 2 + (7 - e) = 5 by omega]) ?_
  · rw [phase, this, List.map_map]; rfl
  intro w
  simp only [List.mem_flatMap, List.mem_map, lanes, List.mem_range]
  have key : ∀ x, w ∈ touched 4 (2 ^ d) (base + (applyHigh T x ^^^ t)) ↔ ∃ i, i < 2 ^ (e - 2) ∧
      w = 2 ^ (e - 2) * (base / 2 ^ e + (applyHigh (T.map (· / 2 ^ e)) x ^^^ t / 2 ^ e)) + i := by
    intro x
    rw [applyHigh_map (lin_div e), ← Nat.xor_div_two_pow]
    apply mem_touched (j := (applyHigh T x ^^^ t) % 2 ^ e)
    all_goals have := al' x; generalize applyHigh T x ^^^ t = o at *
    all_goals
      have : d = 0 ∨ d = 1 ∨ d = 2 ∨ d = 3 ∨ d = 4 := by omega
      rcases this with rfl | rfl | rfl | rfl | rfl <;> simp at he <;> subst he <;> simp at * <;> omega
  constructor
  · rintro ⟨a, ⟨o, ⟨x, hx, rfl⟩, rfl⟩, hw⟩
    obtain ⟨i, hi, e⟩ := (key x).1 hw
    exact ⟨_, i, ⟨x, rfl⟩, hi, e⟩
  · rintro ⟨g, i, ⟨x, rfl⟩, hi, e'⟩
    refine ⟨_, ⟨_, ⟨x % 2 ^ T.length, Nat.mod_lt _ (Nat.two_pow_pos _), rfl⟩, rfl⟩, ?_⟩
    rw [applyHigh_mod _ _ _ (Nat.le_refl _)]
    exact (key x).2 ⟨i, hi, e'⟩

/-- **The executable rank formula is the number of wavefronts by definition, for a base multiple of the word.**
Source: «Linear Layouts» (arXiv 2505.23819) -/
theorem linearWavefronts_eq (cols : List Nat) (base d : Nat) (hd : d ≤ 4) (hb : base % 2 ^ max 2 d = 0)
    (hc : ∀ c ∈ cols, c % 2 ^ d = 0) :
    phase (2 ^ d) ((lanes cols).map (base + ·)) = linearWavefronts cols d := by
  have := bank_formula_bytes cols base 0 d (max 2 d) rfl hd hb hc (Nat.zero_mod _)
  simpa only [Nat.xor_zero] using this

end Bank

end Razorgirl
