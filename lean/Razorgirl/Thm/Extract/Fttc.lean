module

public import Razorgirl.Extract.Fttc

@[expose] public section

/-! # What the program `violations` returns -/

namespace Razorgirl.Extract

/-- The variables of `violations`. -/
abbrev FttcState := Nat × List Nat × List (Nat × Nat × Nat) × Unit

theorem violationsStep_run (s b e i : Nat) (o : List Nat) (D : List (Nat × Nat × Nat)) (he : 0 < e) (hi : i + 1 < 2 ^ 64) :
    violationsStep.run ((s, b, e), i, o, D, ()) =
      if Tma.fttc s b e = true then .next ((s, b, e), i + 1, o ++ [i], D, ()) else .next ((s, b, e), i + 1, o, D, ()) := by
  have he' : e ≠ 0 := by omega
  simp only [violationsStep, Tma.fttc, Stmt.run, Exp.run, Op1.run, Op2.run, modC, Var.get, Var.put, bindE, Out.ofExp,
    Out.andThen, show check 0 = .ok 0 by rfl, show check 1 = .ok 1 by rfl, he', if_false]
  by_cases h1 : e < b <;> by_cases h2 : b % e = 0 <;> by_cases h3 : b < s <;> simp [h1, h2, h3, check, hi]

theorem violations_loop {f : Nat × Nat × Nat → FttcState → Out ((Nat × Nat × Nat) × FttcState) (List Nat)}
    (hf : ∀ s b e i o D, 0 < e → i + 1 < 2 ^ 64 → f (s, b, e) (i, o, D, ()) =
      if Tma.fttc s b e = true then .next ((s, b, e), i + 1, o ++ [i], D, ()) else .next ((s, b, e), i + 1, o, D, ()))
    (X : Tma.Descriptor) (hX : ∀ d ∈ X, 0 < d.elementStride) (i : Nat) (hi : i + X.length < 2 ^ 64) (o : List Nat)
    (D : List (Nat × Nat × Nat)) :
    ∃ i', Out.each f (X.map dimNumbers) (i, o, D, ()) = .next (i', o ++ Tma.violationsFrom i X, D, ()) := by
  induction X generalizing i o with
  | nil => exact ⟨i, by simp [Out.each, Tma.violationsFrom]⟩
  | cons d X ih =>
    rw [List.length_cons] at hi
    have hX' : ∀ d ∈ X, 0 < d.elementStride := fun n hn => hX n (by simp [hn])
    rw [List.map_cons, Out.each, dimNumbers, hf _ _ _ _ _ _ (hX d (by simp)) (by omega), Tma.violationsFrom, Tma.Dim.violates]
    by_cases h : Tma.fttc d.size d.box d.elementStride = true
    · obtain ⟨i', h'⟩ := ih hX' (i + 1) (by omega) (o ++ [i])
      exact ⟨i', by rw [if_pos h, if_pos h]; simp only [Out.andThen]; rw [h']; simp⟩
    · obtain ⟨i', h'⟩ := ih hX' (i + 1) (by omega) o
      exact ⟨i', by rw [if_neg h, if_neg h]; exact h'⟩

/-- **The extracted `fttc_violations` returns the dimensions that make strong correctness impossible, for element strides of at
least 1; it never overflows.**
Source: `Razorgirl.Tma.violations` -/
theorem violations_run {D : Tma.Descriptor} (hD : ∀ d ∈ D, 0 < d.elementStride) (hl : D.length < 2 ^ 64) :
    violations.run (D.map dimNumbers, ()) = .ok (Tma.violations D) := by
  obtain ⟨i', h⟩ := violations_loop (f := fun a s => violationsStep.run (a, s))
    (fun s b e i o D => violationsStep_run s b e i o D) D hD 0 (by omega) [] (D.map dimNumbers)
  simp only [violations, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp, show check 0 = .ok 0 by rfl]
  rw [h]
  rfl

end Razorgirl.Extract
