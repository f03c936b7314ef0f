module

public import Razorgirl.Thm.Swizzle

@[expose] public section

/-!
# Two swizzles of one shift: what is proved

When the one after the other is a swizzle of the same shift.
-/

namespace Razorgirl

namespace Swizzle

open F2

theorem swz_hi (B M a b c j : Nat) : (swz B (M + a) (M + b) c).testBit (j + b)
    = (c.testBit (j + b) ^^ (inMask B M j && c.testBit (j + a))) := by
  rw [testBit_swz, inMask]
  by_cases h : M ≤ j ∧ j < M + B
  · rw [show M + a + (j + b - (M + b)) = j + a by omega]
    congr 2; exact decide_eq_decide.2 (by omega)
  · rw [decide_eq_false h, decide_eq_false (by omega), Bool.false_and, Bool.false_and]

theorem swz_lo {B M a b c i : Nat} (h : i < b) : (swz B (M + a) (M + b) c).testBit i = c.testBit i := by
  rw [testBit_swz, decide_eq_false (by omega), Bool.false_and, Bool.xor_false]

theorem swz_comp_of {B1 M1 B2 M2 B M a b : Nat}
    (h : ∀ j, inMask B M j = (inMask B1 M1 j ^^ inMask B2 M2 j))
    (n : ∀ j k, j + a = k + b → (inMask B1 M1 j && inMask B2 M2 k) = false) (c : Nat) :
    swz B1 (M1 + a) (M1 + b) (swz B2 (M2 + a) (M2 + b) c) = swz B (M + a) (M + b) c := by
  have inner : ∀ c j, (swz B1 (M1 + a) (M1 + b) (swz B2 (M2 + a) (M2 + b) c)).testBit (j + b)
      = ((c.testBit (j + b) ^^ (inMask B2 M2 j && c.testBit (j + a)))
          ^^ (inMask B1 M1 j && (swz B2 (M2 + a) (M2 + b) c).testBit (j + a))) := by
    intro c j; rw [swz_hi, swz_hi]
  apply Nat.eq_of_testBit_eq; intro i
  by_cases hb : i < b
  · rw [swz_lo hb, swz_lo hb, swz_lo hb]
  · obtain ⟨j, rfl⟩ : ∃ j, i = j + b := ⟨i - b, by omega⟩
    rw [inner, swz_hi, h]
    have w : (inMask B1 M1 j && (swz B2 (M2 + a) (M2 + b) c).testBit (j + a))
        = (inMask B1 M1 j && c.testBit (j + a)) := by
      by_cases q : j + a < b
      · rw [swz_lo q]
      · obtain ⟨k, hk⟩ : ∃ k, j + a = k + b := ⟨j + a - b, by omega⟩
        have := n j k hk
        rw [hk, swz_hi]
        cases h1 : inMask B1 M1 j
        · rfl
        · rw [h1, Bool.true_and] at this; rw [this]; simp
    rw [w]
    cases inMask B1 M1 j <;> cases inMask B2 M2 j <;> simp

theorem swz_comp {B1 M1 B2 M2 a b : Nat} (ab : a ≠ b) :
    (∃ B M, ∀ c, swz B1 (M1 + a) (M1 + b) (swz B2 (M2 + a) (M2 + b) c) = swz B (M + a) (M + b) c)
    ↔ (∃ B M, ∀ j, inMask B M j = (inMask B1 M1 j ^^ inMask B2 M2 j))
      ∧ ∀ j k, j + a = k + b → (inMask B1 M1 j && inMask B2 M2 k) = false := by
  have inner : ∀ c j, (swz B1 (M1 + a) (M1 + b) (swz B2 (M2 + a) (M2 + b) c)).testBit (j + b)
      = ((c.testBit (j + b) ^^ (inMask B2 M2 j && c.testBit (j + a)))
          ^^ (inMask B1 M1 j && (swz B2 (M2 + a) (M2 + b) c).testBit (j + a))) := by
    intro c j; rw [swz_hi, swz_hi]
  constructor
  · rintro ⟨B, M, h⟩
    constructor
    · refine ⟨B, M, fun j => ?_⟩
      have e := congrArg (·.testBit (j + b)) (h (2 ^ (j + a)))
      simp only [inner, swz_hi, Nat.testBit_two_pow] at e
      have w : (swz B2 (M2 + a) (M2 + b) (2 ^ (j + a))).testBit (j + a) = true := by
        by_cases q : j + a < b
        · simp [swz_lo q]
        · obtain ⟨k, hk⟩ : ∃ k, j + a = k + b := ⟨j + a - b, by omega⟩
          rw [hk, swz_hi, ← hk]; simp [show ¬ j = k by omega]
      rw [w] at e
      simpa [show ¬ j + a = j + b by omega, Bool.xor_comm, ab, eq_comm] using e
    · intro j k hk
      have e := congrArg (·.testBit (j + b)) (h (2 ^ (k + a)))
      simp only [inner, hk, swz_hi, Nat.testBit_two_pow] at e
      have := hk
      simp only [show ¬ k + a = j + b by omega, show ¬ k + a = k + b by omega,
        decide_false, decide_true, Bool.and_false, Bool.and_true, Bool.false_xor] at e
      exact e
  · rintro ⟨⟨B, M, h⟩, n⟩
    exact ⟨B, M, fun c => swz_comp_of h n c⟩

theorem inMask_xor_iff {B M B₁ M₁ B₂ M₂ j : Nat} : inMask B M j = (inMask B₁ M₁ j ^^ inMask B₂ M₂ j) ↔
    ((M ≤ j ∧ j < M + B) ↔ ¬ ((M₁ ≤ j ∧ j < M₁ + B₁) ↔ (M₂ ≤ j ∧ j < M₂ + B₂))) := by
  simp only [inMask]
  by_cases h : M ≤ j ∧ j < M + B <;> by_cases h₁ : M₁ ≤ j ∧ j < M₁ + B₁ <;>
    by_cases h₂ : M₂ ≤ j ∧ j < M₂ + B₂ <;> simp [h, h₁, h₂]

theorem xorInterval_some {B₁ M₁ B₂ M₂ B M : Nat} (h : xorInterval B₁ M₁ B₂ M₂ = some (B, M)) (j : Nat) :
    inMask B M j = (inMask B₁ M₁ j ^^ inMask B₂ M₂ j) := by
  rw [inMask_xor_iff]
  unfold xorInterval at h
  repeat' split at h
  all_goals first
    | (simp only [Option.some.injEq, Prod.mk.injEq] at h; omega)
    | cases h

theorem xorInterval_none {B₁ M₁ B₂ M₂ : Nat} (h : xorInterval B₁ M₁ B₂ M₂ = none) :
    ¬ ∃ B M, ∀ j, inMask B M j = (inMask B₁ M₁ j ^^ inMask B₂ M₂ j) := by
  rintro ⟨B, M, e⟩
  unfold xorInterval at h
  repeat' split at h
  all_goals first
    | (simp at h; done)
    | (have e₁ := inMask_xor_iff.1 (e M₁)
       have e₂ := inMask_xor_iff.1 (e M₂)
       have e₃ := inMask_xor_iff.1 (e (M₁ + B₁))
       have e₄ := inMask_xor_iff.1 (e (M₂ + B₂))
       omega)

theorem source_target_iff (B₁ M₁ B₂ M₂ : Nat) (S : Int) :
    source ⟨B₁, M₁, S⟩ &&& target ⟨B₂, M₂, S⟩ = 0 ↔
      ∀ j k, j + S.toNat = k + (-S).toNat → (inMask B₁ M₁ j && inMask B₂ M₂ k) = false := by
  have bit : ∀ i, (source ⟨B₁, M₁, S⟩ &&& target ⟨B₂, M₂, S⟩).testBit i =
      (decide (M₁ + S.toNat ≤ i ∧ i < M₁ + S.toNat + B₁) && decide (M₂ + (-S).toNat ≤ i ∧ i < M₂ + (-S).toNat + B₂)) := by
    intro i
    simp only [source, target, Nat.testBit_and, Nat.testBit_shiftLeft, Nat.testBit_two_pow_sub_one]
    rw [Bool.eq_iff_iff]
    simp only [Bool.and_eq_true, decide_eq_true_eq]
    omega
  constructor
  · intro h j k e
    have := congrArg (·.testBit (j + S.toNat)) h
    simp only [bit, Nat.zero_testBit] at this
    rw [← Bool.not_eq_true, Bool.and_eq_true, decide_eq_true_eq, decide_eq_true_eq] at this
    rw [← Bool.not_eq_true, Bool.and_eq_true, inMask, inMask, decide_eq_true_eq, decide_eq_true_eq]
    omega
  · intro h
    apply Nat.eq_of_testBit_eq; intro i
    rw [bit, Nat.zero_testBit]
    by_cases q : S.toNat ≤ i ∧ (-S).toNat ≤ i
    · have := h (i - S.toNat) (i - (-S).toNat) (by omega)
      rw [← Bool.not_eq_true, Bool.and_eq_true, inMask, inMask, decide_eq_true_eq, decide_eq_true_eq] at this
      rw [← Bool.not_eq_true, Bool.and_eq_true, decide_eq_true_eq, decide_eq_true_eq]
      omega
    · rw [← Bool.not_eq_true, Bool.and_eq_true, decide_eq_true_eq, decide_eq_true_eq]
      omega

/-- **Two swizzles of one shift other than 0 are one swizzle of that shift exactly where the exclusive or of their masks is
an interval or empty, and no bit that the inner one changes is read by the outer one.**
Source: CuTe `composition` of swizzles, which tests masks; the condition is not known to be stated -/
theorem compose_iff {B₁ M₁ B₂ M₂ : Nat} {S : Int} (hS : S ≠ 0) :
    (∃ B M, ∀ c, apply ⟨B₁, M₁, S⟩ (apply ⟨B₂, M₂, S⟩ c) = apply ⟨B, M, S⟩ c) ↔
      (∃ B M, ∀ j, inMask B M j = (inMask B₁ M₁ j ^^ inMask B₂ M₂ j)) ∧
        source ⟨B₁, M₁, S⟩ &&& target ⟨B₂, M₂, S⟩ = 0 := by
  rw [source_target_iff, ← swz_comp (by omega)]
  simp only [apply_eq]

/-- **What `compose?` answers is the one swizzle after the other, and it answers wherever two swizzles of one shift other
than 0 are one of that shift.**
Source: CuTe `composition` of swizzles -/
theorem compose?_iff {s t : Swizzle} (h : s.shift = t.shift) (hS : s.shift ≠ 0) :
    (∀ r, s.compose? t = some r → ∀ c, s.apply (t.apply c) = r.apply c) ∧
      ((s.compose? t).isSome ↔ ∃ B M, ∀ c, s.apply (t.apply c) = apply ⟨B, M, s.shift⟩ c) := by
  obtain ⟨B₁, M₁, S⟩ := s
  obtain ⟨B₂, M₂, S'⟩ := t
  simp only at h hS
  subst h
  constructor
  · intro r e c
    simp only [compose?] at e
    split at e
    · rename_i q
      cases x : xorInterval B₁ M₁ B₂ M₂ with
      | none => simp [x] at e
      | some i =>
        simp only [x, Option.map_some, Option.some.injEq] at e
        subst e
        have q₂ := (source_target_iff ..).1 q.2
        apply Nat.eq_of_testBit_eq; intro k
        simp only [apply_eq]
        exact congrArg (·.testBit k) (swz_comp_of (xorInterval_some x) q₂ c)
    · cases e
  · rw [compose_iff hS]
    simp only [compose?, true_and]
    constructor
    · intro e
      split at e
      · rename_i q
        cases x : xorInterval B₁ M₁ B₂ M₂ with
        | none => simp [x] at e
        | some i => exact ⟨⟨i.1, i.2, xorInterval_some x⟩, q⟩
      · simp at e
    · rintro ⟨e, q⟩
      rw [if_pos q]
      cases x : xorInterval B₁ M₁ B₂ M₂ with
      | none => exact absurd e (xorInterval_none x)
      | some i => simp

/-- **Swizzle<2,0,1> twice is Swizzle<1,0,2>, which has another shift.**
Source: none known -/
theorem twice_two_zero_one (c : Nat) : apply ⟨2, 0, 1⟩ (apply ⟨2, 0, 1⟩ c) = apply ⟨1, 0, 2⟩ c := by
  apply Nat.eq_of_testBit_eq; intro i
  simp only [apply_eq, testBit_swz]
  match i with
  | 0 => simp
  | 1 => simp
  | i + 2 => simp [show ¬ i + 2 < 2 by omega]

end Swizzle

end Razorgirl
