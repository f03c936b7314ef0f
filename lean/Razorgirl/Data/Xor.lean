module

@[expose] public section

/-!
# Exclusive or on natural numbers

Cancellation, carries, and the highest bit: what core Lean lacks.
-/

namespace Razorgirl

theorem xor_left_comm (a b c : Nat) : a ^^^ (b ^^^ c) = b ^^^ (a ^^^ c) := by
  rw [← Nat.xor_assoc, Nat.xor_comm a b, Nat.xor_assoc]

theorem xor_self_left (a b : Nat) : a ^^^ (a ^^^ b) = b := by
  rw [← Nat.xor_assoc, Nat.xor_self, Nat.zero_xor]

theorem xor_eq_zero {a b : Nat} : a ^^^ b = 0 ↔ a = b := by
  constructor
  · intro h; have := xor_self_left a b; rw [h, Nat.xor_zero] at this; exact this
  · rintro rfl; exact Nat.xor_self a

theorem xor_eq_iff {a b c : Nat} : a ^^^ b = c ↔ a = c ^^^ b := by
  constructor
  · rintro rfl; simp [Nat.xor_assoc]
  · rintro rfl; simp [Nat.xor_assoc]

theorem xor_two_pow {x n : Nat} (h : x < 2 ^ n) : x ^^^ 2 ^ n = 2 ^ n + x := by
  have hp := Nat.two_pow_pos n
  have d : (x ^^^ 2 ^ n) / 2 ^ n = 1 := by
    rw [Nat.xor_div_two_pow, Nat.div_eq_of_lt h, Nat.div_self hp, Nat.zero_xor]
  have m : (x ^^^ 2 ^ n) % 2 ^ n = x := by
    rw [Nat.xor_mod_two_pow, Nat.mod_eq_of_lt h, Nat.mod_self, Nat.xor_zero]
  have := Nat.div_add_mod (x ^^^ 2 ^ n) (2 ^ n)
  rw [d, m] at this; omega

theorem testBit_log2 {v : Nat} (h : v ≠ 0) : v.testBit v.log2 = true := by
  have a := Nat.log2_self_le h
  have b : v < 2 ^ (v.log2 + 1) := (Nat.log2_lt h).1 (by omega)
  have : v / 2 ^ v.log2 = 1 := by
    apply Nat.div_eq_of_lt_le
    · omega
    · rw [Nat.pow_succ] at b; omega
  rw [Nat.testBit_eq_decide_div_mod_eq, this]; rfl

theorem add_eq_xor_add_and (a b : Nat) : a + b = (a ^^^ b) + 2 * (a &&& b) := by
  induction a using Nat.strongRecOn generalizing b with
  | _ a ih =>
    by_cases h : a = 0
    · simp [h]
    · have := ih (a / 2) (by omega) (b / 2)
      rw [← Nat.xor_div_two, ← Nat.and_div_two] at this
      have x : (a ^^^ b) % 2 = (a + b) % 2 := by
        have := @Nat.xor_mod_two_eq_one a b
        omega
      have y : (a &&& b) % 2 = 1 ↔ a % 2 = 1 ∧ b % 2 = 1 := Nat.and_mod_two_eq_one
      omega

theorem add_eq_xor {a b : Nat} : a + b = a ^^^ b ↔ a &&& b = 0 := by
  rw [add_eq_xor_add_and a b]; omega

end Razorgirl
