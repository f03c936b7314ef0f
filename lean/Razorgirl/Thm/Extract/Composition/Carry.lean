module

public import Razorgirl.Extract.Composition
public import Razorgirl.Thm.Layout.Composition.Digits

@[expose] public section

/-! # What the program `carries` returns -/

namespace Razorgirl.Extract
open FlatLayout

theorem placeSum_lt (w e : Nat) {P : FlatLayout} : placeSum w e P < cosizeFormula P := by
  induction P with
  | nil => simp [placeSum, cosizeFormula]
  | cons p P ih =>
    have h : p.stride / w % e ≤ p.stride := Nat.le_trans (Nat.mod_le _ _) (Nat.div_le_self _ _)
    have := Nat.mul_le_mul_left (p.extent - 1) h
    simp only [placeSum, cosizeFormula]; omega

/-- The variables of `load`. -/
abbrev LoadState := Nat × List Mode × Nat × Nat × Unit

theorem loadStep_run (p : Mode) (n w e : Nat) (P : List Mode) (hp : 0 < p.extent) (hw : 0 < w) (he : 0 < e)
    (hn : n + (p.extent - 1) * (p.stride / w % e) < 2 ^ 64) :
    loadStep.run (p, n, P, w, e, ()) = .next (p, n + (p.extent - 1) * (p.stride / w % e), P, w, e, ()) := by
  have h1 : (1 : Nat) ≤ p.extent := hp
  have h2 : (p.extent - 1) * (p.stride / w % e) < 2 ^ 64 := by omega
  have hw' : w ≠ 0 := by omega
  have he' : e ≠ 0 := by omega
  simp only [loadStep, Stmt.run, Exp.run, Op1.run, Op2.run, subC, divC, modC, Var.get, Var.put, bindE, Out.ofExp, check, h1, h2, hn,
    hw', he', if_true, if_false, show (1 : Nat) < 2 ^ 64 by decide]

theorem load_loop {f : Mode → LoadState → Out (Mode × LoadState) Nat} {w e : Nat}
    (hf : ∀ p n P, 0 < p.extent → n + (p.extent - 1) * (p.stride / w % e) < 2 ^ 64 →
      f p (n, P, w, e, ()) = .next (p, n + (p.extent - 1) * (p.stride / w % e), P, w, e, ()))
    (X : List Mode) (n : Nat) (P : List Mode) (hX : Valid X) (hn : n + placeSum w e X < 2 ^ 64) :
    Out.each f X (n, P, w, e, ()) = .next (n + placeSum w e X, P, w, e, ()) := by
  induction X generalizing n with
  | nil => rfl
  | cons p X ih =>
    simp only [placeSum] at hn ⊢
    rw [Out.each, hf p n P hX.1 (by omega)]
    simp only [Out.andThen]
    rw [ih _ hX.2 (by omega), Nat.add_assoc]

/-- **The extracted `load` returns the largest sum of the digits of one place, of weight and extent at least 1, of valid
pieces whose cosize is at most 2^64.**
Source: `Razorgirl.Extract.placeSum` -/
theorem load_run {P : List Mode} {w e : Nat} (hP : Valid P) (hc : cosizeFormula P ≤ 2 ^ 64) (hw : 0 < w) (he : 0 < e) :
    load.run (P, w, e, ()) = .ok (placeSum w e P) := by
  have := placeSum_lt w e (P := P)
  have h := load_loop (f := fun a s => loadStep.run (a, s)) (w := w) (e := e)
    (fun p n P h1 h2 => loadStep_run p n w e P h1 hw he h2) P 0 P hP (by omega)
  simp only [load, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp, show check 0 = .ok 0 by rfl]
  rw [h]
  simp

/-- The variables of `carries`. -/
abbrev CarriesState := Nat × List Mode × List Mode × Unit

theorem carriesStep_run {P : List Mode} (hP : Valid P) (hc : cosizeFormula P ≤ 2 ^ 64) (m : Mode) (w : Nat) (H : List Mode)
    (hm : 0 < m.extent) (hw : 0 < w) (hwm : w * m.extent < 2 ^ 64) :
    carriesStep.run (m, w, H, P, ()) =
      if placeSum w m.extent P < m.extent then .next (m, w * m.extent, H, P, ()) else .ret true := by
  have h := load_run hP hc hw hm
  have hk : check (w * m.extent) = .ok (w * m.extent) := if_pos hwm
  simp only [carriesStep, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp, h]
  by_cases h1 : placeSum w m.extent P < m.extent
  · have h2 : ¬ m.extent ≤ placeSum w m.extent P := by omega
    simp [h1, h2, hk]
  · have h2 : m.extent ≤ placeSum w m.extent P := by omega
    simp [h1, h2]

theorem carries_loop {f : Mode → CarriesState → Out (Mode × CarriesState) Bool} {H P : List Mode}
    (hf : ∀ m w, 0 < m.extent → 0 < w → w * m.extent < 2 ^ 64 → f m (w, H, P, ()) =
      if placeSum w m.extent P < m.extent then .next (m, w * m.extent, H, P, ()) else .ret true)
    (X : List Mode) (w : Nat) (hX : Valid X) (hw : 0 < w) (hs : w * FlatLayout.size X < 2 ^ 64) :
    ∃ w', Out.each f X (w, H, P, ()) = if noCarry X w P = true then .next (w', H, P, ()) else .ret true := by
  induction X generalizing w with
  | nil => exact ⟨w, rfl⟩
  | cons m X ih =>
    have h1 := Valid.size_pos hX.2
    rw [size_cons, ← Nat.mul_assoc] at hs
    have h2 : w * m.extent < 2 ^ 64 := Nat.lt_of_le_of_lt (Nat.le_mul_of_pos_right _ h1) hs
    obtain ⟨w', h⟩ := ih (w * m.extent) hX.2 (Nat.mul_pos hw hX.1) hs
    refine ⟨w', ?_⟩
    rw [Out.each, hf m w hX.1 hw h2, noCarry]
    by_cases h3 : placeSum w m.extent P < m.extent
    · simp only [h3, if_true, Out.andThen, decide_true, Bool.true_and]; exact h
    · simp [h3]

/-- **The extracted `carries` decides whether pieces add up past one of the modes, of a valid layout whose size is below
2^64 and valid pieces whose cosize is at most 2^64.**
Source: `Razorgirl.Extract.noCarry` -/
theorem carries_run {H P : List Mode} (hH : Valid H) (hs : FlatLayout.size H < 2 ^ 64) (hP : Valid P)
    (hc : cosizeFormula P ≤ 2 ^ 64) : carries.run (H, P, ()) = .ok (!noCarry H 1 P) := by
  obtain ⟨w', h⟩ := carries_loop (f := fun a s => carriesStep.run (a, s)) (H := H) (P := P)
    (fun m w h1 h2 h3 => carriesStep_run hP hc m w H h1 h2 h3) H 1 hH Nat.one_pos (by omega)
  simp only [carries, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp, show check 1 = .ok 1 by rfl]
  rw [h]
  cases noCarry H 1 P <;> simp

/-! ## What the definition asks -/

/-- The steps of pieces divided by `w`. -/
def shifted (w : Nat) (P : FlatLayout) : FlatLayout := P.map fun p => ⟨p.extent, p.stride / w⟩

/-- The pieces of steps, with digit vectors. -/
def withDigits (M : List Nat) (P : FlatLayout) : List DigitMode := P.map fun p => ⟨p.extent, digits M p.stride⟩

theorem placeSum_shifted (v w e : Nat) (P : FlatLayout) : placeSum w e (shifted v P) = placeSum (v * w) e P := by
  induction P with
  | nil => rfl
  | cons p P ih =>
    have ih : placeSum w e (shifted v P) = placeSum (v * w) e P := ih
    simp only [shifted, List.map_cons, placeSum, Nat.div_div_eq_div_mul] at ih ⊢
    rw [ih]

theorem shifted_shifted (v w : Nat) (P : FlatLayout) : shifted w (shifted v P) = shifted (v * w) P := by
  simp [shifted, Nat.div_div_eq_div_mul]

theorem load_withDigits (s s' : Nat) (ss : List Nat) (P : FlatLayout) :
    Razorgirl.load (s :: s' :: ss) (withDigits (s :: s' :: ss) P) =
      placeSum 1 s P :: Razorgirl.load (s' :: ss) (withDigits (s' :: ss) (shifted s P)) := by
  induction P with
  | nil => simp [withDigits, shifted, Razorgirl.load, placeSum, digits]
  | cons p P ih =>
    simp only [withDigits, shifted, List.map_cons, Razorgirl.load, placeSum, Nat.div_one] at ih ⊢
    rw [ih, digits, addTimes]
    simp

theorem below_load : (L : FlatLayout) → (w : Nat) → (P : FlatLayout) →
    below (shape L) (Razorgirl.load (shape L) (withDigits (shape L) (shifted w P))) = noCarry L.dropLast w P
  | [], _, _ => rfl
  | [_], _, _ => rfl
  | m :: n :: L, w, P => by
    have ih := below_load (n :: L) (w * m.extent) P
    simp only [shape_cons] at ih ⊢
    rw [load_withDigits, below, shifted_shifted, ih, placeSum_shifted, Nat.mul_one, List.dropLast_cons₂, noCarry]

theorem shifted_one (P : FlatLayout) : shifted 1 P = P := by simp [shifted]

/-- Whether digits carry, asked of the steps. -/
theorem below_load_withDigits (L P : FlatLayout) :
    below (shape L) (Razorgirl.load (shape L) (withDigits (shape L) P)) = noCarry L.dropLast 1 P := by
  rw [← below_load L 1 P, shifted_one]

end Razorgirl.Extract
