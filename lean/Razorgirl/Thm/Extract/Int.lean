module

public import Razorgirl.Extract.Int
public import Razorgirl.Thm.Int.Ceil
public import Razorgirl.Thm.Int.Trunc

@[expose] public section

/-!
# What the programs for the divisions of integers return

Operands fit into 64 bits with a sign. Then the only quotient that does not is 2^63, of -2^63 by -1.
-/

namespace Razorgirl.Extract
open Division

theorem checkInt_ok {n : Int} (h : InRange n) : checkInt n = .ok n := if_pos h

/-- What is known of quotient and remainder rounded towards 0. -/
theorem tdiv_facts {a b : Int} (ha : InRange a) (hb : b ≠ 0) :
    a = b * a.tdiv b + a.tmod b ∧ (-2 ^ 63 ≤ a.tdiv b ∧ a.tdiv b ≤ 2 ^ 63) ∧ InRange (b * a.tdiv b) ∧ InRange (a.tmod b) ∧
      (0 ≤ a → 0 ≤ a.tmod b ∧ a.tmod b < b.natAbs) ∧ (a < 0 → -(b.natAbs : Int) < a.tmod b ∧ a.tmod b ≤ 0) ∧
      (a.tmod b ≠ 0 → -2 ^ 62 ≤ a.tdiv b ∧ a.tdiv b ≤ 2 ^ 62) := by
  obtain ⟨h1, h2, h3⟩ := isTrunc_tdiv (a := a) hb
  have e : (a.tdiv b).natAbs = a.natAbs / b.natAbs := Int.natAbs_tdiv a b
  have h4 : a.natAbs / b.natAbs ≤ a.natAbs := Nat.div_le_self _ _
  have h5 : (a.tmod b).natAbs ≤ a.natAbs := by rw [Int.natAbs_tmod]; exact Nat.mod_le _ _
  refine ⟨h1, by omega, ?_, by omega, h2, h3, fun hr => ?_⟩
  · have h6 : b * a.tdiv b = a - a.tmod b := by omega
    rw [h6]
    rcases Int.lt_or_le a 0 with h | h
    · have := h3 h; omega
    · have := h2 h; omega
  · have h6 : 2 ≤ b.natAbs := by
      rcases Int.lt_or_le a 0 with h | h
      · have := h3 h; omega
      · have := h2 h; omega
    have h7 : a.natAbs / b.natAbs ≤ a.natAbs / 2 := Nat.div_le_div_left h6 (by decide)
    omega

theorem trunc_ok {a b : Int} (ha : InRange a) (hb : b ≠ 0) (hq : a.tdiv b < 2 ^ 63) :
    trunc.run (a, b, ()) = .ok (a.tdiv b, a.tmod b) := by
  obtain ⟨h1, h2, h3, h4, _⟩ := tdiv_facts ha hb
  have h5 : a - b * a.tdiv b = a.tmod b := by omega
  simp only [trunc, Fn.run, Stmt.run, Exp.run, Op2.run, tdivC, Var.get, bindE, Out.ofExp, Out.andThen, hb,
    show checkInt ((0 : Nat) : Int) = .ok 0 by rfl, checkInt_ok ⟨h2.1, hq⟩, checkInt_ok h3, h5, checkInt_ok h4,
    decide_false, if_false, Bool.false_eq_true, Out.value]

/-- **The extracted `trunc` returns quotient and remainder rounded towards 0 of any two integers of 64 bits with a sign; it
refuses a divisor of 0 as outside of the domain, and overflows exactly where the quotient is 2^63.**
Source: `Razorgirl.Division.trunc` -/
theorem trunc_run {a b : Int} (ha : InRange a) : trunc.run (a, b, ()) = quotient (Division.trunc a b) := by
  by_cases hb : b = 0
  · subst hb; simp [trunc, quotient, Division.trunc, checkInt]
  · rw [Division.trunc, if_neg hb]
    by_cases hq : a.tdiv b < 2 ^ 63
    · rw [trunc_ok ha hb hq]; simp only [quotient, hq, if_true]
    · have h : ¬ (-2 ^ 63 ≤ a.tdiv b ∧ a.tdiv b < 2 ^ 63) := fun h => hq h.2
      have hk : checkInt (a.tdiv b) = .error .overflow := if_neg h
      simp only [trunc, Fn.run, Stmt.run, Exp.run, Op2.run, tdivC, Var.get, bindE, Out.ofExp, Out.andThen, hb, hk, quotient, hq,
        show checkInt ((0 : Nat) : Int) = .ok 0 by rfl, decide_false, if_false, Bool.false_eq_true, Out.value]

/-- What `euclid` and `ceil` do with quotient and remainder. -/
theorem euclid_of_trunc {a b : Int} (f : Fault) (h : trunc.run (a, b, ()) = .error f) : euclid.run (a, b, ()) = .error f := by
  simp only [euclid, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp] at h ⊢
  rw [h]
  rfl

theorem ceil_of_trunc {a b : Int} (f : Fault) (h : trunc.run (a, b, ()) = .error f) : ceil.run (a, b, ()) = .error f := by
  simp only [ceil, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp] at h ⊢
  rw [h]
  rfl

theorem euclid_step {a b q r : Int} (h : trunc.run (a, b, ()) = .ok (q, r)) (hq : r < 0 → InRange (q + 1) ∧ InRange (q - 1))
    (hr : (r < 0 → b < 0 → InRange (r - b)) ∧ (r < 0 → 0 ≤ b → InRange (r + b))) :
    euclid.run (a, b, ()) =
      .ok (if r < 0 then if b < 0 then (q + 1, r - b) else (q - 1, r + b) else (q, r)) := by
  simp only [euclid, Fn.run, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, Var.get, bindE, Out.ofExp, Out.andThen,
    show checkInt ((0 : Nat) : Int) = .ok 0 by rfl, show checkInt ((1 : Nat) : Int) = .ok 1 by rfl] at h ⊢
  rw [h]
  by_cases h1 : r < 0
  · by_cases h2 : b < 0
    · simp only [h1, h2, decide_true, if_true, checkInt_ok (hq h1).1, checkInt_ok (hr.1 h1 h2), Out.value]
    · simp only [h1, h2, decide_true, decide_false, Bool.false_eq_true, if_true, if_false, checkInt_ok (hq h1).2,
        checkInt_ok (hr.2 h1 (by omega)), Out.value]
  · simp only [h1, decide_false, Bool.false_eq_true, if_false, Out.value]

theorem ceil_step {a b q r : Int} (h : trunc.run (a, b, ()) = .ok (q, r))
    (hq : r ≠ 0 → InRange (q + 1)) (hr : (0 < r ∧ 0 < b ∨ r < 0 ∧ b < 0) → InRange (r - b)) :
    ceil.run (a, b, ()) = .ok (if 0 < r ∧ 0 < b ∨ r < 0 ∧ b < 0 then (q + 1, r - b) else (q, r)) := by
  simp only [ceil, Fn.run, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, Var.get, bindE, Out.ofExp, Out.andThen,
    show checkInt ((0 : Nat) : Int) = .ok 0 by rfl, show checkInt ((1 : Nat) : Int) = .ok 1 by rfl] at h ⊢
  rw [h]
  by_cases h1 : 0 < r
  · have h2 : ¬ r < 0 := by omega
    by_cases h3 : 0 < b
    · have hk := checkInt_ok (hr (.inl ⟨h1, h3⟩))
      simp only [h1, h3, decide_true, if_true, and_self, true_or, checkInt_ok (hq (by omega)), hk, Out.value]
    · simp only [h1, h2, h3, decide_true, decide_false, Bool.false_eq_true, if_true, if_false, and_false, false_and, or_self,
        Out.value]
  · by_cases h2 : r < 0
    · by_cases h3 : b < 0
      · have hk := checkInt_ok (hr (.inr ⟨h2, h3⟩))
        simp only [h1, h2, h3, decide_true, decide_false, Bool.false_eq_true, if_true, if_false, false_and, false_or, and_self,
          checkInt_ok (hq (by omega)), hk, Out.value]
      · simp only [h1, h2, h3, decide_true, decide_false, Bool.false_eq_true, if_true, if_false, false_and, and_false, or_self,
          Out.value]
    · simp only [h1, h2, decide_false, Bool.false_eq_true, if_false, false_and, or_self, Out.value]

/-- **The extracted `euclid` returns the Euclidean quotient and remainder of any two integers of 64 bits with a sign; it
refuses a divisor of 0 as outside of the domain, and overflows exactly where the quotient is 2^63.**
Source: `Razorgirl.Division.euclid` -/
theorem euclid_run {a b : Int} (ha : InRange a) (hb' : InRange b) :
    euclid.run (a, b, ()) = quotient (Division.euclid a b) := by
  have ht := trunc_run (b := b) ha
  by_cases hb : b = 0
  · rw [Division.trunc, if_pos hb] at ht
    rw [euclid_of_trunc _ ht, Division.euclid, if_pos hb]; rfl
  obtain ⟨h1, h2, _, h4, h5, h6, h7⟩ := tdiv_facts ha hb
  rw [Division.euclid, if_neg hb]
  by_cases hq : a.tdiv b < 2 ^ 63
  · have h := euclid_step (trunc_ok ha hb hq) (fun hr => by have := h7 (by omega); omega) ⟨by omega, by omega⟩
    rw [h]
    have key : ∀ q r, q < 2 ^ 63 → IsEuclid a b q r → quotient (some (a / b, a % b)) = .ok (q, r) := fun q r hq hu => by
      obtain ⟨u1, u2⟩ := hu.unique
      rw [← u1, ← u2]
      exact if_pos hq
    by_cases hr : a.tmod b < 0
    · have ha' : a < 0 := by
        refine Int.not_le.1 fun h0 => ?_
        have := (h5 h0).1
        omega
      have hm := (h6 ha').1
      have h8 := h7 (by omega)
      by_cases hb0 : b < 0
      · rw [if_pos hr, if_pos hb0, key (a.tdiv b + 1) (a.tmod b - b) (by omega) ⟨by rw [Int.mul_add, Int.mul_one]; omega, by omega, by omega⟩]
      · rw [if_pos hr, if_neg hb0, key (a.tdiv b - 1) (a.tmod b + b) (by omega) ⟨by rw [Int.mul_sub, Int.mul_one]; omega, by omega, by omega⟩]
    · rw [if_neg hr, key _ _ hq ⟨h1, by omega, ?_⟩]
      rcases Int.lt_or_le a 0 with h8 | h8
      · have := h6 h8; omega
      · exact (h5 h8).2
  · rw [Division.trunc, if_neg hb] at ht
    have h8 : a.tmod b = 0 := Decidable.byContradiction fun h => by have := h7 h; omega
    have hu : IsEuclid a b (a.tdiv b) (a.tmod b) := ⟨h1, by omega, by omega⟩
    obtain ⟨u1, u2⟩ := hu.unique
    rw [← u1, ← u2]
    simp only [quotient, hq, if_false] at ht ⊢
    exact euclid_of_trunc _ ht

/-- **The extracted `ceil` returns quotient and remainder rounded up of any two integers of 64 bits with a sign; it refuses a
divisor of 0 as outside of the domain, and overflows exactly where the quotient is 2^63.**
Source: `Razorgirl.Division.ceil` -/
theorem ceil_run {a b : Int} (ha : InRange a) (hb' : InRange b) :
    ceil.run (a, b, ()) = quotient (Division.ceil a b) := by
  have ht := trunc_run (b := b) ha
  by_cases hb : b = 0
  · rw [Division.trunc, if_pos hb] at ht
    rw [ceil_of_trunc _ ht, Division.ceil, if_pos hb]; rfl
  obtain ⟨h1, h2, _, h4, h5, h6, h7⟩ := tdiv_facts ha hb
  have h8 : -(b.natAbs : Int) < a.tmod b ∧ a.tmod b < b.natAbs := by
    rcases Int.lt_or_le a 0 with h8 | h8
    · have := h6 h8; omega
    · have := h5 h8; omega
  rw [Division.ceil, if_neg hb]
  by_cases hq : a.tdiv b < 2 ^ 63
  · rw [ceil_step (trunc_ok ha hb hq) (fun hr => by have := h7 hr; omega) (by omega)]
    have key : ∀ q r, q < 2 ^ 63 → IsCeil a b q r → quotient (some (cdiv a b, cmod a b)) = .ok (q, r) := fun q r hq hu => by
      obtain ⟨u1, u2⟩ := hu.unique hb
      rw [← u1, ← u2]
      exact if_pos hq
    split
    · have h9 := h7 (by omega)
      rw [key (a.tdiv b + 1) (a.tmod b - b) (by omega) ⟨by rw [Int.mul_add, Int.mul_one]; omega, by omega, by omega⟩]
    · rw [key _ _ hq ⟨h1, by omega, by omega⟩]
  · rw [Division.trunc, if_neg hb] at ht
    have h9 : a.tmod b = 0 := Decidable.byContradiction fun h => by have := h7 h; omega
    have hu : IsCeil a b (a.tdiv b) (a.tmod b) := ⟨h1, by omega, by omega⟩
    obtain ⟨u1, u2⟩ := hu.unique hb
    rw [← u1, ← u2]
    simp only [quotient, hq, if_false] at ht ⊢
    exact ceil_of_trunc _ ht

end Razorgirl.Extract
