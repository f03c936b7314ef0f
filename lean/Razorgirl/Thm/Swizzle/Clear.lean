module

public import Razorgirl.Thm.Swizzle

@[expose] public section

/-!
# Swizzles of shift 0: what is proved

Where the shift is 0 a bit is exclusive-ored with itself: the swizzle clears its mask. So masks combine by or.
-/

namespace Razorgirl

namespace Swizzle

open F2

/-- **Swizzle<B,M,0> clears the B bits from M up, and leaves the others.**
Source: CuTe `Swizzle<B,M,S>`; the source gives the formula -/
theorem testBit_apply_zero (B M c i : Nat) : (apply ⟨B, M, 0⟩ c).testBit i = (c.testBit i && !inMask B M i) := by
  rw [apply_eq, testBit_swz, inMask]
  simp only [Int.toNat_zero, Int.neg_zero, Nat.add_zero]
  by_cases h : M ≤ i ∧ i < M + B
  · rw [show M + (i - M) = i by omega, decide_eq_true h]
    simp
  · rw [decide_eq_false h]
    simp

/-- **Two swizzles of shift 0 clear the bits of both masks.**
Source: none known -/
theorem testBit_apply_apply_zero (B₁ M₁ B₂ M₂ c i : Nat) : (apply ⟨B₁, M₁, 0⟩ (apply ⟨B₂, M₂, 0⟩ c)).testBit i =
    (c.testBit i && !(inMask B₁ M₁ i || inMask B₂ M₂ i)) := by
  rw [testBit_apply_zero, testBit_apply_zero, Bool.not_or, Bool.and_assoc, Bool.and_comm (!inMask B₂ M₂ i)]

/-- **Two swizzles of shift 0 are one of shift 0 exactly where a mask is empty, or the masks overlap or are neighbours.**
Source: none known -/
theorem compose_zero_iff {B₁ M₁ B₂ M₂ : Nat} :
    (∃ B M, ∀ c, apply ⟨B₁, M₁, 0⟩ (apply ⟨B₂, M₂, 0⟩ c) = apply ⟨B, M, 0⟩ c) ↔
      B₁ = 0 ∨ B₂ = 0 ∨ (M₁ ≤ M₂ + B₂ ∧ M₂ ≤ M₁ + B₁) := by
  have masks : ∀ B M, (∀ c, apply ⟨B₁, M₁, 0⟩ (apply ⟨B₂, M₂, 0⟩ c) = apply ⟨B, M, 0⟩ c) ↔
      ∀ j, (M ≤ j ∧ j < M + B) ↔ ((M₁ ≤ j ∧ j < M₁ + B₁) ∨ (M₂ ≤ j ∧ j < M₂ + B₂)) := by
    intro B M
    constructor
    · intro h j
      have e : (apply ⟨B₁, M₁, 0⟩ (apply ⟨B₂, M₂, 0⟩ (2 ^ j))).testBit j = (apply ⟨B, M, 0⟩ (2 ^ j)).testBit j := by
        rw [h]
      rw [testBit_apply_apply_zero, testBit_apply_zero, Nat.testBit_two_pow_self, Bool.true_and, Bool.true_and] at e
      have e := Bool.not_inj e
      simp only [inMask] at e
      rw [← Bool.decide_or, decide_eq_decide] at e
      exact e.symm
    · intro h c
      apply Nat.eq_of_testBit_eq
      intro i
      rw [testBit_apply_apply_zero, testBit_apply_zero]
      congr 2
      simp only [inMask]
      rw [← Bool.decide_or, decide_eq_decide]
      exact (h i).symm
  constructor
  · rintro ⟨B, M, h⟩
    have h := (masks B M).1 h
    have h₁ := h M₁
    have h₂ := h M₂
    have h₃ := h (M₁ + B₁)
    have h₄ := h (M₂ + B₂)
    omega
  · intro h
    by_cases z₁ : B₁ = 0
    · exact ⟨B₂, M₂, (masks _ _).2 fun j => by omega⟩
    · by_cases z₂ : B₂ = 0
      · exact ⟨B₁, M₁, (masks _ _).2 fun j => by omega⟩
      · exact ⟨max (M₁ + B₁) (M₂ + B₂) - min M₁ M₂, min M₁ M₂, (masks _ _).2 fun j => by omega⟩

end Swizzle

end Razorgirl
