module

public import Razorgirl.Spec.LinearLayout.Carry
public import Razorgirl.Thm.Swizzle

@[expose] public section

/-!
# Encodings: what is proved

Triton's swizzled shared memory is one CuTe swizzle.
-/

namespace Razorgirl

namespace LinearLayout

/-- **Triton's swizzled shared memory is a CuTe swizzle of the row-major offset, for all powers of two: with B the smaller of
log maxPhase and log cols - log vec (0 where vec is larger), M = log vec and S = log cols + log perPhase - log vec.**
Source: none known (tested on 1,152 parameters in `linear_isl`) -/
theorem sharedOffset_eq_swizzle (vec perPhase maxPhase cols row : Nat) {col : Nat} (h : col < 2 ^ cols) :
    sharedOffset vec perPhase maxPhase cols row col =
      (swizzleOfShared vec perPhase maxPhase cols).apply (2 ^ cols * row + col) := by
  have lt : col ^^^ 2 ^ vec * (row / 2 ^ perPhase % 2 ^ maxPhase) % 2 ^ cols < 2 ^ cols :=
    Nat.xor_lt_two_pow h (Nat.mod_lt _ (Nat.two_pow_pos _))
  have high : ∀ k, (2 ^ cols * row + col).testBit (cols + k) = row.testBit k := by
    intro k
    rw [Nat.testBit_two_pow_mul_add _ h, if_neg (by omega), Nat.add_sub_cancel_left]
  have low : ∀ i, i < cols → (2 ^ cols * row + col).testBit i = col.testBit i := by
    intro i hi
    rw [Nat.testBit_two_pow_mul_add _ h, if_pos hi]
  have left : ∀ i, (sharedOffset vec perPhase maxPhase cols row col).testBit i =
      ((2 ^ cols * row + col).testBit i ^^
        (decide (i < cols ∧ vec ≤ i ∧ i - vec < maxPhase) && row.testBit (perPhase + (i - vec)))) := by
    intro i
    rw [sharedOffset, Nat.testBit_two_pow_mul_add _ lt]
    by_cases hi : i < cols
    · rw [if_pos hi, low i hi, Nat.testBit_xor, Nat.testBit_mod_two_pow, Nat.testBit_two_pow_mul,
        Nat.testBit_mod_two_pow, Nat.testBit_div_two_pow, Nat.add_comm (i - vec) perPhase]
      congr 1
      by_cases q : vec ≤ i
      · by_cases b : i - vec < maxPhase
        · simp [hi, q, b]
        · simp [b]
      · simp [q]
    · rw [if_neg hi, Nat.testBit_two_pow_mul_add _ h, if_neg hi, decide_eq_false (by omega), Bool.false_and,
        Bool.xor_false]
  apply Nat.eq_of_testBit_eq
  intro i
  rw [left, swizzleOfShared, Swizzle.apply_eq, Swizzle.testBit_swz]
  congr 1
  by_cases v : vec ≤ cols + perPhase
  · have e₁ : (((cols + perPhase : Nat) : Int) - vec).toNat = cols + perPhase - vec := by omega
    have e₂ : (-(((cols + perPhase : Nat) : Int) - vec)).toNat = 0 := by omega
    rw [e₁, e₂, Nat.add_zero]
    by_cases q : vec ≤ i
    · rw [show vec + (cols + perPhase - vec) + (i - vec) = cols + (perPhase + (i - vec)) by omega, high]
      congr 1
      exact decide_eq_decide.2 (by omega)
    · rw [decide_eq_false (by omega), decide_eq_false (by omega), Bool.false_and, Bool.false_and]
  · rw [decide_eq_false (by omega), decide_eq_false (by omega), Bool.false_and, Bool.false_and]

end LinearLayout

end Razorgirl
