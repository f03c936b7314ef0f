module

public import Razorgirl.Extract.Divide
public import Razorgirl.Thm.Extract.ComplementIn
public import Razorgirl.Thm.Extract.Composition
public import Razorgirl.Thm.Extract.Composition.Groups
public import Razorgirl.Thm.Layout.Complement
public import Razorgirl.Thm.Layout.Complement.Nested

@[expose] public section

/-! # What the program `logicalDivide` returns -/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

/-- The variables of `tiling`. -/
abbrev TilingState := List Mode × List Mode × List Mode × Nat × Unit

theorem tiling_loop (X o R T : List Mode) (n : Nat) :
    Out.each (fun p s => tilingStep.run (p, s)) X (o, R, T, n, ()) = .next (o ++ X, R, T, n, ()) := by
  induction X generalizing o with
  | nil => simp [Out.each]
  | cons p X ih =>
    rw [Out.each]
    simp only [tilingStep, Stmt.run, Exp.run, Var.get, Var.put, Out.ofExp, Out.andThen] at ih ⊢
    rw [ih]; simp

/-- The modes of a layout made of some modes. -/
theorem nest_modes_of_ne {C : FlatLayout} (h : C ≠ []) : (FlatLayout.nest C).modes = C := by
  rw [Layout.nest_modes, if_neg h]

/-- A complement of a layout of 64 bits has fewer than 2^64 modes. -/
theorem length_complementIn {T C : FlatLayout} {N : Nat} (hT : Valid T) (hN : N < 2 ^ 64)
    (h : FlatLayout.complementIn T N = some C) : C.length < 2 ^ 64 := by
  have h1 := complementIn_completes hT h
  have h2 := h1.size_mul
  have h3 := length_lt_of_size h1.valid.2 (complementIn_coalesced h)
  have h4 := Nat.le_mul_of_pos_left (FlatLayout.size C) (Valid.size_pos hT)
  omega

/-- **The extracted `tiling` returns the modes of a tile and of its complement in `[0,N)`, or the refusal of its kind, of a
valid tile where size, strides and N are below 2^64.**
Source: `Razorgirl.Layout.tiling` -/
theorem tiling_run {T : List Mode} {N : Nat} (hT : Valid T) (hs : ∀ m ∈ T, m.stride < 2 ^ 64)
    (hn : FlatLayout.size T < 2 ^ 64) (hN : N < 2 ^ 64) : tiling.run (T, N, ()) =
      answer ((FlatLayout.complementIn T N).map fun C => T ++ (FlatLayout.nest C).modes) (complementInRefusal T N) := by
  have h1 := complementIn_run hT hs hn hN
  simp only [tiling, Fn.run, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp,
    show check 0 = .ok 0 by rfl, show check 1 = .ok 1 by rfl]
  rw [h1]
  cases hc : FlatLayout.complementIn T N with
  | none => simp [answer]
  | some C =>
    have h2 : check C.length = .ok C.length := if_pos (length_complementIn hT hN hc)
    simp only [answer, Option.map]
    rw [tiling_loop]
    simp only [Out.andThen]
    rw [tiling_loop]
    simp only [List.nil_append]
    rw [h2]
    cases C with
    | nil => simp [FlatLayout.nest]
    | cons m C => simp [nest_modes_of_ne]

theorem size_nest_modes (C : FlatLayout) : FlatLayout.size (FlatLayout.nest C).modes = FlatLayout.size C := by
  cases C with
  | nil => rfl
  | cons m C => rw [nest_modes_of_ne (by simp)]

theorem cosizeFormula_nest_modes (C : FlatLayout) : cosizeFormula (FlatLayout.nest C).modes = cosizeFormula C := by
  cases C with
  | nil => rfl
  | cons m C => rw [nest_modes_of_ne (by simp)]

theorem valid_nest_modes {C : FlatLayout} (h : Valid C) : Valid (FlatLayout.nest C).modes :=
  (valid_iff_size_pos _).2 (by rw [size_nest_modes]; exact Valid.size_pos h)

/-- `logicalDivide`, call by call. -/
theorem logicalDivide_eq (A T : List Mode) : logicalDivide.run (A, T, ()) =
    bindE (size.run (A, ())) fun n => bindE (cosize.run (T, ())) fun c =>
      if n < c then .error (.refuse "out_of_domain")
      else bindE (tiling.run (T, n, ())) fun I => composition.run (A, I, ()) := by
  rw [logicalDivide, Fn.run]
  simp only [Stmt.run, Exp.run, Args.run, Op2.run, Var.get, bindE, Out.ofExp, Out.andThen]
  cases size.run (A, ()) with
  | error f => rfl
  | ok n =>
    simp only []
    cases cosize.run (T, ()) with
    | error f => rfl
    | ok c =>
      by_cases h : n < c
      · simp [h]
      simp only [h, decide_false, Bool.false_eq_true, if_false]
      cases tiling.run (T, n, ()) with
      | error f => rfl
      | ok I =>
        simp only []
        cases composition.run (A, I, ()) <;> rfl

/-- What is known of a tile and its complement. -/
theorem tiling_facts {T C : FlatLayout} {n : Nat} (hT : Valid T) (hc : FlatLayout.complementIn T n = some C) :
    cosizeFormula T ≤ n ∧ Valid (T ++ (FlatLayout.nest C).modes) ∧
      FlatLayout.size (T ++ (FlatLayout.nest C).modes) = n ∧ cosizeFormula (T ++ (FlatLayout.nest C).modes) = n := by
  have h4 := complementIn_completes hT hc
  have h5 := h4.valid
  have h6 := h4.2
  rw [cosize_eq_formula ((valid_append_iff _ _).2 h5)] at h6
  have h7 := cosizeFormula_append T C
  have h8 := cosizeFormula_append T (FlatLayout.nest C).modes
  have h9 := cosizeFormula_pos C
  rw [cosizeFormula_nest_modes] at h8
  refine ⟨by omega, (valid_append_iff _ _).2 ⟨hT, valid_nest_modes h5.2⟩, ?_, by omega⟩
  rw [size_append, size_nest_modes, h4.size_mul]

/-- **The extracted `logical_divide` returns the modes of the quotient for each mode of the tile and of its complement in a
row, and how many each has, or the refusal of its kind, of valid layouts with sizes and cosizes below 2^64 and strides of the
tile below 2^64; it never overflows.**
Source: `Razorgirl.Layout.logicalDivide` -/
theorem logicalDivide_run {A T : FlatLayout} (hA : Valid A) (hT : Valid T) (hsA : FlatLayout.size A < 2 ^ 64)
    (hcA : FlatLayout.cosize A < 2 ^ 64) (hsT : FlatLayout.size T < 2 ^ 64) (hcT : FlatLayout.cosize T < 2 ^ 64)
    (hd : ∀ m ∈ T, m.stride < 2 ^ 64) : logicalDivide.run (A, T, ()) =
      answer ((divideGroups A T).map fun gs => (gs.flatten, gs.map List.length)) (divideRefusal A T) := by
  rw [logicalDivide_eq, size_run_of_lt hA hsA, cosize_run hT, if_pos hcT, cosize_eq_formula hT, divideGroups, divideRefusal]
  simp only [bindE, tiling_run hT hd hsT hsA]
  by_cases hlt : FlatLayout.size A < cosizeFormula T
  · have hn : FlatLayout.complementIn T (FlatLayout.size A) = none := by
      cases hc : FlatLayout.complementIn T (FlatLayout.size A) with
      | none => rfl
      | some C => have := (tiling_facts hT hc).1; omega
    rw [if_pos hlt, if_pos hlt, hn]
    rfl
  · rw [if_neg hlt, if_neg hlt]
    cases hc : FlatLayout.complementIn T (FlatLayout.size A) with
    | none => rfl
    | some C =>
      obtain ⟨_, h5, h6, h7⟩ := tiling_facts hT hc
      exact composition_run hA h5 hsA hcA (by rw [h6]; exact hsA) (by rw [cosize_eq_formula h5, h7]; exact hsA)

/-- **The quotient is made of the groups that the extracted `logical_divide` returns, each put where the tile or its
complement has a mode.**
Source: `Razorgirl.Layout.logicalDivide` -/
theorem logicalDivide_eq_groups (A T : Layout) : Layout.logicalDivide A T =
    (FlatLayout.complementIn T.modes A.size).bind fun C =>
      (compositionGroups A.modes (T.modes ++ (FlatLayout.nest C).modes)).map
        (Layout.assemble (.node [T.profile, (FlatLayout.nest C).profile])) := by
  rw [Layout.logicalDivide, Layout.divideWith, Layout.tiling, Layout.complementIn]
  cases FlatLayout.complementIn T.modes A.size with
  | none => rfl
  | some C =>
    have h := composition_eq_groups A (Layout.concat [T, FlatLayout.nest C])
    rw [Layout.concat_pair_modes] at h
    exact h

end Razorgirl.Extract
