module

public import Razorgirl.Thm.Swizzle

@[expose] public section

/-!
# The period of a swizzle: what is proved

By which numbers an argument may be moved, for all arguments.
-/

namespace Razorgirl

namespace Swizzle

open F2

theorem xor_add_mul {a b x y n : Nat} (ha : a < 2 ^ n) (hb : b < 2 ^ n) :
    (a + 2 ^ n * x) ^^^ (b + 2 ^ n * y) = (a ^^^ b) + 2 ^ n * (x ^^^ y) := by
  have p := Nat.two_pow_pos n
  have h1 : ((a + 2 ^ n * x) ^^^ (b + 2 ^ n * y)) % 2 ^ n = a ^^^ b := by
    rw [Nat.xor_mod_two_pow, Nat.add_mul_mod_self_left, Nat.add_mul_mod_self_left,
      Nat.mod_eq_of_lt ha, Nat.mod_eq_of_lt hb]
  have h2 : ((a + 2 ^ n * x) ^^^ (b + 2 ^ n * y)) / 2 ^ n = x ^^^ y := by
    rw [Nat.xor_div_two_pow, Nat.add_mul_div_left _ _ p, Nat.add_mul_div_left _ _ p,
      Nat.div_eq_of_lt ha, Nat.div_eq_of_lt hb, Nat.zero_add, Nat.zero_add]
  have := Nat.mod_add_div ((a + 2 ^ n * x) ^^^ (b + 2 ^ n * y)) (2 ^ n)
  rw [h1, h2] at this; exact this.symm

theorem move_lt {B s t n : Nat} (h : t + B ≤ n) (c) : move B s t c < 2 ^ n := by
  apply Nat.lt_pow_two_of_testBit
  intro i hi
  rw [testBit_move]; simp; omega

theorem move_mod {B s t n : Nat} (h : s + B ≤ n) (c) : move B s t (c % 2 ^ n) = move B s t c := by
  apply Nat.eq_of_testBit_eq; intro i
  simp only [testBit_move, Nat.testBit_mod_two_pow]
  by_cases q : t ≤ i ∧ i < t + B
  · simp [q, show s + (i - t) < n by omega]
  · simp [q]

theorem swz_add {B s t n : Nat} (hs : s + B ≤ n) (ht : t + B ≤ n) (c q : Nat) :
    swz B s t (c + 2 ^ n * q) = swz B s t c + 2 ^ n * q := by
  have p := Nat.two_pow_pos n
  have e : move B s t (c + 2 ^ n * q) = move B s t c := by
    rw [← move_mod hs, Nat.add_mul_mod_self_left, move_mod hs]
  have l := move_lt (B := B) (s := s) ht c
  rw [swz, e, swz]
  have d := Nat.mod_add_div c (2 ^ n)
  have x1 := xor_add_mul (x := c / 2 ^ n) (y := 0) (Nat.mod_lt c p) l
  have x2 := xor_add_mul (x := c / 2 ^ n + q) (y := 0) (Nat.mod_lt c p) l
  rw [Nat.mul_zero, Nat.add_zero, Nat.xor_zero] at x1 x2
  rw [Nat.mul_add, ← Nat.add_assoc, d] at x2
  rw [d] at x1
  rw [x1, x2]; omega

theorem period_mul {f : Nat → Nat} {p} (h : ∀ c, f (c + p) = f c + p) (q c) : f (c + p * q) = f c + p * q := by
  induction q with
  | zero => rfl
  | succ q ih => rw [Nat.mul_succ, ← Nat.add_assoc, h, ih, Nat.add_assoc]

theorem odd_part (p n : Nat) (h : ¬ 2 ^ n ∣ p) : ∃ i q, i < n ∧ p = 2 ^ i * (2 * q + 1) := by
  induction n generalizing p with
  | zero => simp at h
  | succ n ih =>
    by_cases e : p % 2 = 1
    · exact ⟨0, p / 2, by omega, by omega⟩
    · obtain ⟨i, q, hi, hq⟩ := ih (p / 2) fun ⟨r, hr⟩ => h ⟨r, by
        rw [Nat.pow_succ, Nat.mul_right_comm, ← hr]; omega⟩
      exact ⟨i + 1, q, by omega, by rw [Nat.pow_succ, Nat.mul_right_comm, ← hq]; omega⟩

/-- **Adding p commutes with Swizzle<B,M,S> on all numbers exactly where B = 0 or 2^(B + M + \|S\|) divides p.**
Source: none known; cutlass 3160 moves an offset that is no such multiple -/
theorem period_iff (B M S) (p : Nat) :
    (∀ c, apply ⟨B, M, S⟩ (c + p) = apply ⟨B, M, S⟩ c + p) ↔ B = 0 ∨ 2 ^ (B + M + S.natAbs) ∣ p := by
  have hs : M + S.toNat + B ≤ B + M + S.natAbs := by omega
  have ht : M + (-S).toNat + B ≤ B + M + S.natAbs := by omega
  constructor
  · intro h
    apply Classical.byContradiction; intro k
    have B0 : 0 < B := by omega
    obtain ⟨i, q, hi, hq⟩ := odd_part p _ fun d => k (.inr d)
    obtain ⟨n, hn⟩ : ∃ n, B + M + S.natAbs = n + 1 := ⟨B + M + S.natAbs - 1, by omega⟩
    rw [hn] at hs ht hi
    -- 2^n is a period
    have per : ∀ c, apply ⟨B, M, S⟩ (c + 2 ^ n) = apply ⟨B, M, S⟩ c + 2 ^ n := by
      intro c
      have a := period_mul h (2 ^ (n - i)) c
      have e : p * 2 ^ (n - i) = 2 ^ n + 2 ^ (n + 1) * q := by
        rw [hq, Nat.mul_right_comm, ← Nat.pow_add, show i + (n - i) = n by omega, Nat.mul_add,
          Nat.pow_succ, Nat.mul_assoc]; omega
      rw [e, ← Nat.add_assoc, apply_eq, swz_add hs ht, ← apply_eq] at a
      omega
    have pn := Nat.two_pow_pos n
    rcases Int.lt_trichotomy S 0 with hS | hS | hS
    · -- S < 0: bit n is a target
      have a := per 0
      rw [(apply_linear B M S).zero, Nat.zero_add] at a
      have b := per (2 ^ (M + B - 1))
      have lt : 2 ^ (M + B - 1) < 2 ^ n := (Nat.pow_lt_pow_iff_right (by omega)).2 (by omega)
      rw [Nat.add_comm, ← xor_two_pow lt, apply_linear, a] at b
      have c := congrArg (·.testBit n) (add_eq_xor.1 b.symm)
      simp only [apply_eq, testBit_swz, Nat.testBit_and, Nat.testBit_two_pow, Nat.zero_testBit] at c
      simp [show M + S.toNat + (n - (M + (-S).toNat)) = M + B - 1 by omega,
        show M + (-S).toNat ≤ n ∧ n < M + (-S).toNat + B by omega,
        show ¬ M + B - 1 = n by omega] at c
    · have a := per 0
      rw [(apply_linear B M S).zero, Nat.zero_add] at a
      have := congrArg (·.testBit n) a
      simp only [apply_eq, testBit_swz, Nat.testBit_two_pow] at this
      simp [show M + S.toNat + (n - (M + (-S).toNat)) = n by omega,
        show M + (-S).toNat ≤ n ∧ n < M + (-S).toNat + B by omega] at this
    · have a := per 0
      rw [(apply_linear B M S).zero, Nat.zero_add] at a
      have := congrArg (·.testBit (M + B - 1)) a
      simp only [apply_eq, testBit_swz, Nat.testBit_two_pow] at this
      simp [show M + S.toNat + (M + B - 1 - (M + (-S).toNat)) = n by omega,
        show M + (-S).toNat ≤ M + B - 1 ∧ M + B - 1 < M + (-S).toNat + B by omega] at this
  · rintro (rfl | ⟨q, rfl⟩) c
    · have z : ∀ c, apply ⟨0, M, S⟩ c = c := by
        intro c; simp [apply_eq, swz, move, Nat.mod_one]
      simp [z]
    · simp only [apply_eq]; exact swz_add hs ht c q

/-- **`period` is the least number whose multiples may be moved through a swizzle: those are exactly its multiples.**
Source: none known -/
theorem period_dvd_iff (s : Swizzle) (p : Nat) : (∀ c, s.apply (c + p) = s.apply c + p) ↔ s.period ∣ p := by
  obtain ⟨B, M, S⟩ := s
  rw [period_iff, period]
  by_cases h : B = 0
  · simp [h]
  · simp [h]

end Swizzle

end Razorgirl
