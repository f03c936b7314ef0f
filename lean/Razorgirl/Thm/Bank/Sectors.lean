module

public import Razorgirl.Thm.Bank

@[expose] public section

/-!
# Sectors and cache lines: what is proved

Units of memory that a warp touches, for F2-linear lanes: 2 to the rank of the unit bits.
-/

namespace Razorgirl

namespace Bank

open F2

theorem touched_one {d e a : Nat} (h : d ≤ e) (ha : a % 2 ^ d = 0) : touched (2 ^ e) (2 ^ d) a = [a / 2 ^ e] := by
  have pd := Nat.two_pow_pos d
  have pe := Nat.two_pow_pos e
  have lt : a % 2 ^ e + 2 ^ d ≤ 2 ^ e := by
    obtain ⟨w, hw⟩ := Nat.pow_dvd_pow 2 h
    have m : a % 2 ^ e % 2 ^ d = 0 := by rw [Nat.mod_mod_of_dvd _ (Nat.pow_dvd_pow 2 h), ha]
    obtain ⟨t, ht⟩ := Nat.dvd_of_mod_eq_zero m
    have l := Nat.mod_lt a pe
    rw [ht, hw] at l ⊢
    have := Nat.lt_of_mul_lt_mul_left l
    have := Nat.mul_le_mul_left (2 ^ d) (show t + 1 ≤ w by omega)
    rw [Nat.mul_add, Nat.mul_one] at this
    exact this
  have q : (a + 2 ^ d - 1) / 2 ^ e = a / 2 ^ e := by
    apply Nat.div_eq_of_lt_le
    · have := Nat.div_mul_le_self a (2 ^ e); omega
    · have := Nat.div_add_mod a (2 ^ e)
      rw [Nat.add_mul, Nat.one_mul, Nat.mul_comm (a / 2 ^ e)]
      omega
  rw [touched, q, Nat.add_sub_cancel_left]
  rfl

/-- **Lanes whose byte offsets are F2-linear and multiples of their 2^d bytes, added to a base that is a multiple of the unit,
touch 2 to the rank of the unit bits units of 2^e bytes: sectors for e = 5, cache lines for e = 7.**
Source: none known -/
theorem unitsTouched_linear (cols : List Nat) {base d e : Nat} (h : d ≤ e) (hb : base % 2 ^ e = 0)
    (hc : ∀ c ∈ cols, c % 2 ^ d = 0) :
    unitsTouched (2 ^ e) (2 ^ d) ((lanes cols).map (base + ·)) = 2 ^ rank (cols.map (· / 2 ^ e)) := by
  have al : ∀ x, applyHigh cols x % 2 ^ d = 0 := by
    intro x
    rw [← applyHigh_map (lin_mod d), show cols.map (· % 2 ^ d) = cols.map (fun _ => 0) from List.map_congr_left hc]
    exact applyHigh_map (g := fun _ => 0) (fun _ _ => by simp) cols x
  have bd : base % 2 ^ d = 0 := by
    rw [← Nat.mod_mod_of_dvd _ (Nat.pow_dvd_pow 2 h), hb, Nat.zero_mod]
  have P : (distinct (((lanes cols).map (base + ·)).flatMap (touched (2 ^ e) (2 ^ d)))).Perm
      ((spanValues (cols.map (· / 2 ^ e))).map (base / 2 ^ e + ·)) := by
    apply perm_of_nodup (nodup_dedup _)
    · rw [List.Nodup, List.pairwise_map]
      exact (nodup_vals _).imp fun ne e => ne (Nat.add_left_cancel e)
    intro w
    have one : ∀ x, touched (2 ^ e) (2 ^ d) (base + applyHigh cols x) =
        [base / 2 ^ e + applyHigh (cols.map (· / 2 ^ e)) x] := by
      intro x
      rw [touched_one h (by rw [Nat.add_mod, bd, al, Nat.zero_add, Nat.zero_mod]), applyHigh_map (lin_div e)]
      congr 1
      obtain ⟨q, hq⟩ := Nat.dvd_of_mod_eq_zero hb
      rw [hq, Nat.mul_add_div (Nat.two_pow_pos e), Nat.mul_div_cancel_left _ (Nat.two_pow_pos e)]
    simp only [mem_dedup, List.mem_flatMap, List.mem_map, lanes, List.mem_range, mem_vals]
    constructor
    · rintro ⟨a, ⟨o, ⟨x, _, rfl⟩, rfl⟩, hw⟩
      rw [one, List.mem_singleton] at hw
      exact ⟨_, ⟨x, rfl⟩, hw.symm⟩
    · rintro ⟨v, ⟨x, rfl⟩, rfl⟩
      refine ⟨_, ⟨_, ⟨x % 2 ^ cols.length, Nat.mod_lt _ (Nat.two_pow_pos _), rfl⟩, rfl⟩, ?_⟩
      rw [one, List.mem_singleton, applyHigh_mod _ _ _ (by rw [List.length_map]; exact Nat.le_refl _)]
  rw [unitsTouched, P.length_eq, List.length_map, length_vals]

end Bank

end Razorgirl
