module

public import Razorgirl.Thm.Bank.Bytes

@[expose] public section

/-!
# A whole access of F2-linear lanes: what is proved

The lanes of a phase are those of the lowest lane bits; the other lane bits exclusive-or a constant onto them. So every
phase takes as many wavefronts as the first.
-/

namespace Razorgirl

namespace Bank

open F2

theorem phasesOf_eq {v k : Nat} (hk : 0 < k) (m n : Nat) (l : List Nat) (hl : l.length = m * k) (hn : m ≤ n) :
    phasesOf v k n l = (List.range m).map fun i => phase v ((l.drop (i * k)).take k) := by
  induction m generalizing n l with
  | zero =>
    rw [Nat.zero_mul] at hl
    rw [List.length_eq_zero_iff.1 hl]
    cases n <;> simp [phasesOf]
  | succ m ih =>
    rw [Nat.succ_mul] at hl
    cases n with
    | zero => omega
    | succ n =>
      cases l with
      | nil => rw [List.length_nil] at hl; omega
      | cons a as =>
        have hd : ((a :: as).drop k).length = m * k := by rw [List.length_drop, hl, Nat.add_sub_cancel]
        have i := ih n _ hd (Nat.le_of_succ_le_succ hn)
        have step : phasesOf v k (n + 1) (a :: as) = phase v ((a :: as).take k) :: phasesOf v k n ((a :: as).drop k) := rfl
        rw [step, i, List.range_succ_eq_map, List.map_cons, List.map_map, Nat.zero_mul, List.drop_zero]
        refine congrArg (phase v ((a :: as).take k) :: ·) (List.map_congr_left fun i _ => ?_)
        show phase v ((((a :: as).drop k).drop (i * k)).take k) = phase v (((a :: as).drop ((i + 1) * k)).take k)
        rw [List.drop_drop, Nat.succ_mul, Nat.add_comm k]

theorem phasesOf_one {v k n : Nat} {l : List Nat} (hl : l ≠ []) (hk : l.length ≤ k) (hn : 0 < n) :
    phasesOf v k n l = [phase v l] := by
  match n, l with
  | 0, _ => omega
  | n + 1, [] => exact absurd rfl hl
  | n + 1, a :: as =>
    rw [phasesOf, List.take_of_length_le hk, List.drop_eq_nil_of_le hk]
    cases n <;> rfl

theorem lanesOfPhase_eq {d e : Nat} (he : e = max 2 d) (hd : d ≤ 4) : lanesOfPhase (2 ^ d) = 2 ^ (7 - e) := by
  have c : d = 0 ∨ d = 1 ∨ d = 2 ∨ d = 3 ∨ d = 4 := by omega
  rcases c with rfl | rfl | rfl | rfl | rfl <;> subst he <;> decide

theorem length_lanes (T : List Nat) : (lanes T).length = 2 ^ T.length := by simp [lanes]

/-- The lanes of one phase: those of the low lane bits, with what the high ones exclusive-or onto them. -/
theorem lanes_chunk (H L : List Nat) (f : Nat → Nat) {i : Nat} (hi : i < 2 ^ H.length) :
    (((lanes (H ++ L)).map f).drop (i * 2 ^ L.length)).take (2 ^ L.length) =
      (lanes L).map fun o => f (o ^^^ applyHigh H i) := by
  have p := Nat.two_pow_pos L.length
  have total : i * 2 ^ L.length + 2 ^ L.length ≤ 2 ^ (H ++ L).length := by
    rw [List.length_append, Nat.pow_add, ← Nat.succ_mul]
    exact Nat.mul_le_mul_right _ hi
  apply List.ext_getElem
  · simp only [List.length_take, List.length_drop, List.length_map, length_lanes]
    omega
  · intro j h₁ h₂
    have hj : j < 2 ^ L.length := by simpa [length_lanes] using h₂
    simp only [List.getElem_take, List.getElem_drop, List.getElem_map, lanes, List.getElem_range]
    rw [applyHigh_append, Nat.mul_comm i, Nat.mul_add_div p, Nat.div_eq_of_lt hj, Nat.add_zero,
      ← applyHigh_mod L _ _ (Nat.le_refl _), Nat.mul_add_mod, Nat.mod_eq_of_lt hj, Nat.xor_comm]

/-- **A whole access of F2-linear lanes that read vectors of 2^d bytes, at most 16, takes in each phase of 128 bytes as many
wavefronts as the lanes of the lowest lane bits do: 2 to the rank of their words less the rank of their banks.** Columns stand
highest first; a base and an exclusive-or constant are allowed as for one phase.
Source: «Linear Layouts» (arXiv 2505.23819); stated otherwise: for all phases -/
theorem access_linear (T : List Nat) (base t d e : Nat) (he : e = max 2 d) (hd : d ≤ 4)
    (hb : base % 2 ^ e = 0) (hT : ∀ c ∈ T, c % 2 ^ d = 0) (ht : t % 2 ^ d = 0) :
    access (2 ^ d) ((lanes T).map fun o => base + (o ^^^ t)) =
      List.replicate (2 ^ (T.length - (7 - e)))
        (2 ^ (rank ((T.drop (T.length - (7 - e))).map (· / 2 ^ e)) -
          rank ((T.drop (T.length - (7 - e))).map fun c => c / 2 ^ e % 2 ^ (7 - e)))) := by
  rw [access, lanesOfPhase_eq he hd]
  rcases Nat.lt_or_ge T.length (7 - e) with short | long
  · have z : T.length - (7 - e) = 0 := by omega
    have len : ((lanes T).map fun o => base + (o ^^^ t)).length = 2 ^ T.length := by
      rw [List.length_map, length_lanes]
    have p := Nat.two_pow_pos T.length
    rw [z, List.drop_zero, Nat.pow_zero, phasesOf_one, bank_formula_bytes T base t d e he hd hb hT ht]
    · rfl
    · intro h; rw [h] at len; simp only [List.length_nil] at len; omega
    · rw [len]; exact Nat.pow_le_pow_right (by omega) (by omega)
    · omega
  · generalize hL : T.drop (T.length - (7 - e)) = L
    generalize hH : T.take (T.length - (7 - e)) = H
    have lH : H.length = T.length - (7 - e) := by rw [← hH, List.length_take]; omega
    have lL : L.length = 7 - e := by rw [← hL, List.length_drop]; omega
    have split : T = H ++ L := by rw [← hL, ← hH, List.take_append_drop]
    rw [← lH, ← lL]
    subst split
    have hL' : ∀ c ∈ L, c % 2 ^ d = 0 := fun c hc => hT c (List.mem_append_right _ hc)
    have hH' : ∀ x, applyHigh H x % 2 ^ d = 0 := by
      intro x
      rw [← applyHigh_map (lin_mod d), show H.map (· % 2 ^ d) = H.map (fun _ => 0) from
        List.map_congr_left fun c hc => hT c (List.mem_append_left _ hc)]
      exact applyHigh_map (g := fun _ => 0) (fun _ _ => by simp) H x
    have len : ((lanes (H ++ L)).map fun o => base + (o ^^^ t)).length = 2 ^ H.length * 2 ^ L.length := by
      rw [List.length_map, length_lanes, List.length_append, Nat.pow_add]
    rw [phasesOf_eq (Nat.two_pow_pos _) (2 ^ H.length) _ _ len
      (by rw [len]; exact Nat.le_mul_of_pos_right _ (Nat.two_pow_pos _))]
    rw [List.eq_replicate_iff]
    refine ⟨by simp, fun n hn => ?_⟩
    obtain ⟨i, hi, rfl⟩ := List.mem_map.1 hn
    rw [lanes_chunk H L _ (List.mem_range.1 hi), lL]
    simp only [Nat.xor_assoc]
    exact bank_formula_bytes L base (applyHigh H i ^^^ t) d e he hd hb hL'
      (by rw [Nat.xor_mod_two_pow, hH', ht]; rfl)

end Bank

end Razorgirl
