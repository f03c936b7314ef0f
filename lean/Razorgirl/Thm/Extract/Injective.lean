module

public import Razorgirl.Extract.Injective
public import Razorgirl.Thm.Extract.Complement
public import Razorgirl.Thm.Layout.Injective.Decide

@[expose] public section

/-! # What the program `spreads` returns -/

namespace Razorgirl.Extract
open FlatLayout

/-! ## What the program returns -/

/-- The variables of `spreads`. -/
abbrev SpreadsState := Nat × List Mode × List Mode × Unit

theorem spreadsStep_run (m : Mode) (r : Nat) (C L : List Mode) (hm : 0 < m.extent)
    (h : r + (m.extent - 1) * m.stride < 2 ^ 64) : spreadsStep.run (m, r, C, L, ()) =
      if r < m.stride then .next (m, r + (m.extent - 1) * m.stride, C, L, ()) else .ret false := by
  have h1 : (1 : Nat) ≤ m.extent := hm
  have k1 : check ((m.extent - 1) * m.stride) = .ok ((m.extent - 1) * m.stride) := if_pos (by omega)
  have k2 : check (r + (m.extent - 1) * m.stride) = .ok (r + (m.extent - 1) * m.stride) := if_pos h
  simp only [spreadsStep, Stmt.run, Exp.run, Op1.run, Op2.run, subC, Var.get, Var.put, bindE, Out.ofExp, Out.andThen,
    show check 1 = .ok 1 by rfl]
  by_cases h3 : r < m.stride
  · have h4 : ¬ m.stride ≤ r := by omega
    simp [h3, h4, h1, k1, k2]
  · have h4 : m.stride ≤ r := by omega
    simp [h3, h4]

theorem spreads_loop {f : Mode → SpreadsState → Out (Mode × SpreadsState) Bool} {C L : List Mode}
    (hf : ∀ m r, 0 < m.extent → r + (m.extent - 1) * m.stride < 2 ^ 64 → f m (r, C, L, ()) =
      if r < m.stride then .next (m, r + (m.extent - 1) * m.stride, C, L, ()) else .ret false)
    (X : List Mode) (r : Nat) (hX : Valid X) (h : r + cosizeFormula X ≤ 2 ^ 64) :
    ∃ r', Out.each f X (r, C, L, ()) = if spreadsFrom r X = true then .next (r', C, L, ()) else .ret false := by
  induction X generalizing r with
  | nil => exact ⟨r, rfl⟩
  | cons m X ih =>
    have h1 := cosizeFormula_pos X
    rw [cosizeFormula] at h
    obtain ⟨r', h2⟩ := ih (r + (m.extent - 1) * m.stride) hX.2 (by omega)
    refine ⟨r', ?_⟩
    rw [Out.each, hf m r hX.1 (by omega), spreadsFrom]
    by_cases h3 : r < m.stride
    · simp only [h3, if_true, Out.andThen, decide_true, Bool.true_and]; exact h2
    · simp [h3]

/-- **The extracted `spreads` decides whether each stride is larger than all that the smaller ones reach together, of valid
layouts whose size and cosize are below 2^64.**
Source: `Razorgirl.FlatLayout.spreads` -/
theorem spreads_run {L : List Mode} (hL : Valid L) (hs : FlatLayout.size L < 2 ^ 64) (hc : FlatLayout.cosize L < 2 ^ 64) :
    spreads.run (L, ()) = .ok (FlatLayout.spreads L) := by
  have h1 := chain_run_of_lt hL hs
  have hf : cosizeFormula (FlatLayout.chain L) = cosizeFormula L := by
    rw [← cosize_eq_formula (valid_chain hL), ← cosize_eq_formula hL, ← cosize_squeeze L]
    exact cosize_perm (chain_perm L)
  rw [cosize_eq_formula hL] at hc
  obtain ⟨r', h2⟩ := spreads_loop (f := fun m s => spreadsStep.run (m, s)) (C := FlatLayout.chain L) (L := L)
    (fun m r a b => spreadsStep_run m r _ _ a b) (FlatLayout.chain L) 0 (valid_chain hL) (by omega)
  simp only [spreads, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp, show check 0 = .ok 0 by rfl] at h1 ⊢
  rw [h1]
  simp only []
  rw [h2]
  rw [FlatLayout.spreads]
  cases spreadsFrom 0 (FlatLayout.chain L) <;> simp

end Razorgirl.Extract
