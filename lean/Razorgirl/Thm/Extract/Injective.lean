module

public import Razorgirl.Extract.Injective
public import Razorgirl.Thm.Extract.Complement
public import Razorgirl.Thm.Layout.Inverse.Left

@[expose] public section

/-! # What the program `spreads` returns, and what it says -/

namespace Razorgirl.FlatLayout

/-! ## What the criterion says -/

theorem eq_of_spreadsFrom {L : FlatLayout} {r : Nat} (h : spreadsFrom r L = true) {a a' : Nat} (ha : a ≤ r) (ha' : a' ≤ r)
    {c c' : List Nat} (hc : InBounds (shape L) c) (hc' : InBounds (shape L) c') (e : a + eval L c = a' + eval L c') :
    a = a' ∧ c = c' := by
  induction L generalizing r a a' c c' with
  | nil =>
    cases c <;> cases c' <;> simp_all [InBounds, shape, eval]
  | cons m L ih =>
    cases c with
    | nil => simp [InBounds, shape_cons] at hc
    | cons x c =>
      cases c' with
      | nil => simp [InBounds, shape_cons] at hc'
      | cons x' c' =>
        simp only [shape_cons, InBounds] at hc hc'
        simp only [spreadsFrom, Bool.and_eq_true, decide_eq_true_eq] at h
        simp only [eval] at e
        have h1 : x * m.stride ≤ (m.extent - 1) * m.stride := Nat.mul_le_mul_right _ (by omega)
        have h2 : x' * m.stride ≤ (m.extent - 1) * m.stride := Nat.mul_le_mul_right _ (by omega)
        obtain ⟨e1, rfl⟩ := ih h.2 (a := a + x * m.stride) (a' := a' + x' * m.stride) (by omega) (by omega) hc.2 hc'.2 (by omega)
        have hm : 0 < m.stride := by omega
        have e2 : x = x' := by
          have h3 : (a + x * m.stride) / m.stride = x := by
            rw [Nat.add_mul_div_right _ _ hm, Nat.div_eq_of_lt (by omega), Nat.zero_add]
          have h4 : (a' + x' * m.stride) / m.stride = x' := by
            rw [Nat.add_mul_div_right _ _ hm, Nat.div_eq_of_lt (by omega), Nat.zero_add]
          rw [← h3, e1, h4]
        subst e2
        exact ⟨by omega, rfl⟩

/-- **Where each stride is larger than all that the smaller ones reach together, no two coordinates share an offset.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem injective_of_spreads {L : FlatLayout} (h : spreads L = true) : Injective L := by
  rw [← injective_squeeze_iff, ← injective_perm (chain_perm L)]
  exact fun c c' hc hc' e => (eq_of_spreadsFrom h (Nat.le_refl 0) (Nat.le_refl 0) hc hc' (by omega)).2

theorem spreadsFrom_of_apart {m : Mode} {L : FlatLayout} {r : Nat} (hr : r < m.stride) (hv : Valid (m :: L))
    (h : Apart (m :: L)) : spreadsFrom r (m :: L) = true := by
  induction L generalizing m r with
  | nil => simp [spreadsFrom, hr]
  | cons n L ih =>
    have h1 := h.1.2
    have h2 := hv.1
    have h3 : (m.extent - 1) * m.stride + m.stride = m.extent * m.stride := by
      rw [← Nat.succ_mul, Nat.succ_eq_add_one, Nat.sub_add_cancel h2]
    rw [spreadsFrom, ih (m := n) (by omega) hv.2 h.2]
    simp [hr]

/-- **Of a layout whose strides, sorted, divide one another in turn, the criterion says exactly whether it is injective.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem spreads_iff_of_divideInTurn {L : FlatLayout} (hv : Valid L) (h : DivideInTurn 1 (chain L)) :
    spreads L = true ↔ Injective L := by
  refine ⟨injective_of_spreads, fun hi => ?_⟩
  have hc : Injective (chain L) := by rw [injective_perm (chain_perm L), injective_squeeze_iff]; exact hi
  have ha := apart_of_divideInTurn (fun m hm => two_le_of_mem_chain hv hm) hc h
  have hvc := valid_chain hv
  rw [spreads]
  generalize chain L = C at *
  cases C with
  | nil => rfl
  | cons m C => exact spreadsFrom_of_apart h.1.1 hvc ha

end Razorgirl.FlatLayout

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
  erw [h1]
  simp only []
  erw [h2]
  rw [FlatLayout.spreads]
  cases spreadsFrom 0 (FlatLayout.chain L) <;> simp

end Razorgirl.Extract
