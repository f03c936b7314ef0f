module

public import Razorgirl.Extract.Size
public import Razorgirl.Thm.Layout.Basic

@[expose] public section

/-! # What the programs `size` and `cosize` return -/

namespace Razorgirl.Extract
open FlatLayout

theorem sizeStep_run (m : Mode) (n : Nat) (L : List Mode) : sizeStep.run (m, n, L, ()) =
    if n * m.extent < 2 ^ 64 then .next (m, n * m.extent, L, ()) else .fault .overflow := by
  simp only [sizeStep, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp, check]
  by_cases h : n * m.extent < 2 ^ 64 <;> simp only [h, if_true, if_false]

theorem size_loop {f : Mode → Nat × List Mode × Unit → Out (Mode × Nat × List Mode × Unit) Nat}
    (hf : ∀ m n L, f m (n, L, ()) =
      if n * m.extent < 2 ^ 64 then .next (m, n * m.extent, L, ()) else .fault .overflow)
    (X : List Mode) (n : Nat) (L : List Mode) (hn : 0 < n) (hn' : n < 2 ^ 64) (hX : Valid X) :
    Out.each f X (n, L, ()) =
      if n * FlatLayout.size X < 2 ^ 64 then .next (n * FlatLayout.size X, L, ()) else .fault .overflow := by
  induction X generalizing n with
  | nil => rw [size_nil, Nat.mul_one, if_pos hn']; rfl
  | cons m X ih =>
    rw [Out.each, hf, size_cons, ← Nat.mul_assoc]
    by_cases h : n * m.extent < 2 ^ 64
    · rw [if_pos h]
      exact ih (n * m.extent) (Nat.mul_pos hn hX.1) h hX.2
    · have : ¬ n * m.extent * FlatLayout.size X < 2 ^ 64 := fun h' =>
        h (Nat.lt_of_le_of_lt (Nat.le_mul_of_pos_right _ (Valid.size_pos hX.2)) h')
      rw [if_neg h, if_neg this]; rfl

/-- **The extracted `size` returns the number of coordinates of a valid layout if it is below 2^64, else overflow.**
Source: `Razorgirl.FlatLayout.size` -/
theorem size_run {L : List Mode} (hL : Valid L) : size.run (L, ()) =
    if FlatLayout.size L < 2 ^ 64 then .ok (FlatLayout.size L) else .error .overflow := by
  simp only [size, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp, show check 1 = .ok 1 by rfl]
  rw [size_loop (f := fun a s => sizeStep.run (a, s)) sizeStep_run L 1 L (by decide) (by decide) hL]
  rw [Nat.one_mul]
  split <;> rfl

/-- `size_run`, where the size is known to fit. -/
theorem size_run_of_lt {L : List Mode} (hL : Valid L) (h : FlatLayout.size L < 2 ^ 64) :
    size.run (L, ()) = .ok (FlatLayout.size L) := by rw [size_run hL, if_pos h]

theorem cosizeStep_run (m : Mode) (n : Nat) (L : List Mode) (hm : 0 < m.extent) : cosizeStep.run (m, n, L, ()) =
    if n + (m.extent - 1) * m.stride < 2 ^ 64 then .next (m, n + (m.extent - 1) * m.stride, L, ())
    else .fault .overflow := by
  have h1 : (1 : Nat) ≤ m.extent := hm
  simp only [cosizeStep, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp, check, subC]
  by_cases h2 : (m.extent - 1) * m.stride < 2 ^ 64
  · by_cases h : n + (m.extent - 1) * m.stride < 2 ^ 64 <;> simp [h, h1, h2]
  · have h : ¬ n + (m.extent - 1) * m.stride < 2 ^ 64 := by omega
    simp [h, h1, h2]

theorem cosize_loop {f : Mode → Nat × List Mode × Unit → Out (Mode × Nat × List Mode × Unit) Nat}
    (hf : ∀ m n L, 0 < m.extent → f m (n, L, ()) =
      if n + (m.extent - 1) * m.stride < 2 ^ 64 then .next (m, n + (m.extent - 1) * m.stride, L, ())
      else .fault .overflow)
    (X : List Mode) (n : Nat) (L : List Mode) (hn' : n + 1 < 2 ^ 64 + 1) (hX : Valid X) :
    Out.each f X (n, L, ()) =
      if n + (cosizeFormula X - 1) < 2 ^ 64 then .next (n + (cosizeFormula X - 1), L, ()) else .fault .overflow := by
  induction X generalizing n with
  | nil => rw [if_pos (by simp only [cosizeFormula]; omega)]; rfl
  | cons m X ih =>
    have hc : 0 < cosizeFormula X := by
      clear ih hX
      induction X with
      | nil => decide
      | cons k X ih => simp only [cosizeFormula]; omega
    have e : n + (cosizeFormula (m :: X) - 1) = n + (m.extent - 1) * m.stride + (cosizeFormula X - 1) := by
      simp only [cosizeFormula]; omega
    rw [Out.each, hf _ _ _ hX.1, e]
    by_cases h : n + (m.extent - 1) * m.stride < 2 ^ 64
    · rw [if_pos h]
      exact ih _ (by omega) hX.2
    · rw [if_neg h, if_neg (by omega)]; rfl

/-- **The extracted `cosize` returns the cosize of a valid layout if it is below 2^64, else overflow.**
Source: `Razorgirl.FlatLayout.cosize` -/
theorem cosize_run {L : List Mode} (hL : Valid L) : cosize.run (L, ()) =
    if FlatLayout.cosize L < 2 ^ 64 then .ok (FlatLayout.cosize L) else .error .overflow := by
  have hc : 0 < cosizeFormula L := by
    clear hL
    induction L with
    | nil => decide
    | cons k X ih => simp only [cosizeFormula]; omega
  rw [cosize_eq_formula hL]
  simp only [cosize, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp, show check 1 = .ok 1 by rfl]
  rw [cosize_loop (f := fun a s => cosizeStep.run (a, s)) cosizeStep_run L 1 L (by decide) hL]
  have e : 1 + (cosizeFormula L - 1) = cosizeFormula L := by omega
  rw [e]
  split <;> rfl

end Razorgirl.Extract
