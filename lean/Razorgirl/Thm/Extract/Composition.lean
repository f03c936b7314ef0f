module

public import Razorgirl.Thm.Extract.Coalesce
public import Razorgirl.Thm.Extract.Composition.Carry
public import Razorgirl.Thm.Extract.Composition.Split
public import Razorgirl.Thm.Extract.Coord
public import Razorgirl.Thm.Extract.Size

@[expose] public section

/-! # What the program `composition` returns -/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

/-! ## Groups -/

theorem atIndex_lt_cosize {L : FlatLayout} (hL : Valid L) (x : Nat) : FlatLayout.atIndex L x < cosizeFormula L :=
  eval_lt_cosizeFormula (inBounds_idx2crd (fun n hn => by
    obtain ⟨m, hm, rfl⟩ := List.mem_map.1 hn
    exact (valid_iff_forall _).1 hL m hm) x)

theorem groupStep_run {L : List Mode} (hL : Valid L) (hc : cosizeFormula L ≤ 2 ^ 64) (p : Mode) (o P : List Mode) :
    groupStep.run (p, o, L, P, ()) = .next (p, o ++ [⟨p.extent, FlatLayout.atIndex L p.stride⟩], L, P, ()) := by
  have h := atIndex_run p.stride hL
  rw [if_pos (Nat.lt_of_lt_of_le (atIndex_lt_cosize hL _) hc)] at h
  simp only [groupStep, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp]
  rw [h]

theorem group_loop {f : Mode → List Mode × List Mode × List Mode × Unit → Out (Mode × List Mode × List Mode × List Mode × Unit) (List Mode)}
    {L : List Mode} (hf : ∀ p o P, f p (o, L, P, ()) = .next (p, o ++ [⟨p.extent, FlatLayout.atIndex L p.stride⟩], L, P, ()))
    (X o P : List Mode) : Out.each f X (o, L, P, ()) =
      .next (o ++ X.map fun p => ⟨p.extent, FlatLayout.atIndex L p.stride⟩, L, P, ()) := by
  induction X generalizing o with
  | nil => simp [Out.each]
  | cons p X ih => rw [Out.each, hf]; simp only [Out.andThen]; rw [ih]; simp

theorem size_map_extent (g : Mode → Mode) (hg : ∀ p, (g p).extent = p.extent) (P : FlatLayout) :
    FlatLayout.size (P.map g) = FlatLayout.size P := by
  induction P with
  | nil => rfl
  | cons p P ih => rw [List.map_cons, size_cons, size_cons, hg, ih]

/-- **The extracted `group` returns the pieces with the offsets of their steps as strides, coalesced, where sizes and A's
cosize are below 2^64.**
Source: `Razorgirl.Extract.groupOf` -/
theorem group_run {L P : List Mode} (hL : Valid L) (hc : cosizeFormula L ≤ 2 ^ 64) (hP : Valid P)
    (hs : FlatLayout.size P < 2 ^ 64) : group.run (L, P, ()) = .ok (groupOf L P) := by
  have h := group_loop (f := fun a s => groupStep.run (a, s)) (L := L) (fun p o P => groupStep_run hL hc p o P) P [] P
  have h2 := size_map_extent (fun p => ⟨p.extent, FlatLayout.atIndex L p.stride⟩) (fun _ => rfl) P
  have h3 : coalesce.run (P.map fun p => ⟨p.extent, FlatLayout.atIndex L p.stride⟩, ()) = .ok (groupOf L P) :=
    coalesce_run ((valid_iff_size_pos _).2 (by rw [h2]; exact Valid.size_pos hP)) (by rw [h2]; exact hs)
  simp only [group, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp]
  rw [h]
  simp only [List.nil_append, Out.andThen]
  rw [h3]
  simp

/-! ## Pieces of modes -/

/-- The pieces that the definition makes have the digits of their steps. -/
theorem withDigits_splitMode {M : List Nat} {s d : Nat} (hM : M = [] → s ≤ 1 ∨ d = 0) {ps : List DigitMode}
    (h : Razorgirl.splitMode M s d = some ps) : withDigits M (valued M ps) = ps := by
  fun_induction Razorgirl.splitMode M s d generalizing ps with
  | case1 s d h1 => cases h; simp [valued, withDigits, crd2idx_digits_zero]
  | case2 s d h1 h2 =>
    cases h
    simp [valued, withDigits, crd2idx_digits M d (fun e => by have := hM e; omega)]
  | case3 s d h1 h2 h4 ih =>
    obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 h
    have ih := ih (fun e => by have := hM e; omega) hq
    simp only [withDigits] at ih ⊢
    simp [valued, ih, crd2idx_digits M d (fun e => by have := hM e; omega)]
  | case4 => cases h

/-- Every piece has step 0 or at least two coordinates. -/
theorem step_of_splitMode {M : List Nat} {s d : Nat} (hM : M = [] → s ≤ 1 ∨ d = 0) {ps : List DigitMode}
    (h : Razorgirl.splitMode M s d = some ps) : ∀ p ∈ valued M ps, p.stride = 0 ∨ 2 ≤ p.extent := by
  fun_induction Razorgirl.splitMode M s d generalizing ps with
  | case1 s d h1 => cases h; simp [valued, crd2idx_digits_zero]
  | case2 s d h1 h2 =>
    cases h
    intro p hp
    simp only [valued, List.mem_cons, List.not_mem_nil, or_false] at hp
    subst hp
    right; show 2 ≤ s; omega
  | case3 s d h1 h2 h4 ih =>
    obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 h
    intro p hp
    rcases List.mem_cons.1 hp with rfl | hp
    · right; exact h4.1
    · exact ih (fun e => by have := hM e; omega) hq p hp
  | case4 => cases h

theorem reach_le_cosize {P : FlatLayout} {p : Mode} (h : p ∈ P) : (p.extent - 1) * p.stride < cosizeFormula P := by
  induction P with
  | nil => cases h
  | cons q P ih =>
    have := cosizeFormula_pos P
    rw [cosizeFormula]
    rcases List.mem_cons.1 h with rfl | h
    · omega
    · have := ih h; omega

/-- Where all steps lie inside A, offsets of steps are the strides that the definition has. -/
theorem map_atIndex_eq_ofDigits {L : FlatLayout} {P : FlatLayout} (h : ∀ p ∈ P, p.stride < FlatLayout.size L) :
    (P.map fun p => (⟨p.extent, FlatLayout.atIndex L p.stride⟩ : Mode)) =
      Layout.ofDigits (strides L) (withDigits (shape L) P) := by
  induction P with
  | nil => rfl
  | cons p P ih =>
    have ih := ih fun q hq => h q (by simp [hq])
    simp only [withDigits, List.map_cons, Layout.ofDigits] at ih ⊢
    rw [ih, atIndex_eq_dot (h p (by simp))]

/-- What one mode of B contributes. -/
theorem splitMode_group {L : FlatLayout} {m : Mode} (hm : 0 < m.extent) (hM : shape L = [] → m.extent ≤ 1 ∨ m.stride = 0)
    (hd : (m.extent - 1) * m.stride < FlatLayout.size L) {ps : List DigitMode}
    (h : Razorgirl.splitMode (shape L) m.extent m.stride = some ps) :
    groupOf L (valued (shape L) ps) = FlatLayout.coalesce (Layout.ofDigits (strides L) ps) := by
  have ⟨_, _, _, h4⟩ := splitMode_spec hm hM h
  have h5 : ∀ p ∈ valued (shape L) ps, p.stride < FlatLayout.size L := fun p hp => by
    have h6 := reach_le_cosize hp
    have h7 := step_of_splitMode hM h p hp
    have h8 : 1 * p.stride ≤ (p.extent - 1) * p.stride ∨ p.stride = 0 := by
      rcases h7 with h7 | h7
      · exact .inr h7
      · exact .inl (Nat.mul_le_mul_right _ (by omega))
    omega
  rw [groupOf, map_atIndex_eq_ofDigits h5, withDigits_splitMode hM h]

/-! ## The loop over B -/

/-- The variables of `composition` besides the mode. -/
abbrev ComposeState := List Nat × List Mode × List Mode × List Mode × List Mode × List Mode × List Mode × Unit

/-- Its result. -/
abbrev ComposeResult := List Mode × List Nat

theorem keepPiece_loop (X g sp : List Mode) (m : Mode) (c : List Nat) (o q h l a b : List Mode) :
    Out.each (fun p s => keepPieceStep.run (p, s)) X (g, sp, m, c, o, q, h, l, a, b, ()) =
      .next (g, sp, m, c, o, q ++ X, h, l, a, b, ()) := by
  induction X generalizing q with
  | nil => simp [Out.each]
  | cons p X ih =>
    rw [Out.each]
    simp only [keepPieceStep, Stmt.run, Exp.run, Var.get, Var.put, Out.ofExp, Out.andThen] at ih ⊢
    rw [ih]; simp

theorem keepMode_loop (X g sp : List Mode) (m : Mode) (c : List Nat) (o q h l a b : List Mode) :
    Out.each (fun p s => keepModeStep.run (p, s)) X (g, sp, m, c, o, q, h, l, a, b, ()) =
      .next (g, sp, m, c, o ++ X, q, h, l, a, b, ()) := by
  induction X generalizing o with
  | nil => simp [Out.each]
  | cons p X ih =>
    rw [Out.each]
    simp only [keepModeStep, Stmt.run, Exp.run, Var.get, Var.put, Out.ofExp, Out.andThen] at ih ⊢
    rw [ih]; simp

/-- The modes for one mode of B, as the definition has them. -/
abbrev groupFor (L : FlatLayout) (ps : List DigitMode) : FlatLayout :=
  FlatLayout.coalesce (Layout.ofDigits (strides L) ps)

theorem compositionStep_run {L : FlatLayout} (hL : Valid L) (hLe : ∀ m ∈ L, m.extent < 2 ^ 64) (hs : FlatLayout.size L < 2 ^ 64)
    (hc : cosizeFormula L ≤ 2 ^ 64) (m : Mode) (hm : 0 < m.extent) (hm' : m.extent < 2 ^ 64)
    (hd : (m.extent - 1) * m.stride < FlatLayout.size L) (c : List Nat) (o q a b : List Mode) :
    compositionStep.run (m, c, o, q, L.dropLast, L, a, b, ()) =
      match Razorgirl.splitMode (shape L) m.extent m.stride with
      | some ps => .next (m, c ++ [(groupFor L ps).length], o ++ groupFor L ps, q ++ valued (shape L) ps, L.dropLast, L, a, b, ())
      | none => .fault (.refuse "not_divisible") := by
  have hM : L = [] → m.extent ≤ 1 ∨ m.stride = 0 := fun e => by
    subst e
    rw [size_nil] at hd
    have : (m.extent - 1) * m.stride = 0 := by omega
    rcases Nat.mul_eq_zero.1 this with h | h <;> omega
  have hM' : shape L = [] → m.extent ≤ 1 ∨ m.stride = 0 := fun e => hM (by cases L with | nil => rfl | cons => simp [shape] at e)
  have h1 := splitMode_valued hL hLe hm hm' (by omega) hM
  simp only [compositionStep, Stmt.run, Exp.run, Args.run, Op1.run, Var.get, Var.put, bindE, Out.ofExp] at h1 ⊢
  rw [h1]
  cases hp : Razorgirl.splitMode (shape L) m.extent m.stride with
  | none => rfl
  | some ps =>
    have ⟨w1, w2, _, _⟩ := splitMode_spec hm hM' hp
    have h2 : Valid (valued (shape L) ps) := (valid_iff_size_pos _).2 (by rw [w2]; exact hm)
    have h3 := group_run hL hc h2 (by rw [w2]; exact hm')
    rw [splitMode_group hm hM' hd hp] at h3
    have h4 : Valid (Layout.ofDigits (strides L) ps) := valid_ofDigits _ w1
    have h5 : (groupFor L ps).length < FlatLayout.size (groupFor L ps) :=
      length_lt_of_size (coalesce_valid h4) (coalesce_coalesced _)
    have h5' : FlatLayout.size (groupFor L ps) = m.extent := by rw [groupFor, coalesce_size, size_ofDigits (shape L), w2]
    rw [h5'] at h5
    have h6 : check (groupFor L ps).length = .ok (groupFor L ps).length := if_pos (by omega)
    simp only [Option.map, answer]
    rw [h3]
    simp only []
    rw [keepPiece_loop]
    simp only [Out.andThen]
    rw [keepMode_loop]
    simp only []
    rw [h6]

theorem composition_loop {L : FlatLayout} {f : Mode → ComposeState → Out (Mode × ComposeState) ComposeResult}
    {a b : List Mode}
    (hf : ∀ m c o q, 0 < m.extent → m.extent < 2 ^ 64 → (m.extent - 1) * m.stride < FlatLayout.size L →
      f m (c, o, q, L.dropLast, L, a, b, ()) = match Razorgirl.splitMode (shape L) m.extent m.stride with
      | some ps => .next (m, c ++ [(groupFor L ps).length], o ++ groupFor L ps, q ++ valued (shape L) ps, L.dropLast, L, a, b, ())
      | none => .fault (.refuse "not_divisible"))
    (X : FlatLayout) (hX : Valid X) (hX' : ∀ m ∈ X, m.extent < 2 ^ 64) (hc : cosizeFormula X ≤ FlatLayout.size L)
    (c : List Nat) (o q : List Mode) :
    Out.each f X (c, o, q, L.dropLast, L, a, b, ()) = match splitModes (shape L) X with
      | some ps => .next (c ++ (ps.map (groupFor L)).map List.length, o ++ (ps.map (groupFor L)).flatten,
          q ++ valued (shape L) (pieces ps), L.dropLast, L, a, b, ())
      | none => .fault (.refuse "not_divisible") := by
  induction X generalizing c o q with
  | nil => simp [Out.each, splitModes, pieces, valued]
  | cons m X ih =>
    have h1 := cosizeFormula_pos X
    rw [cosizeFormula] at hc
    rw [Out.each, hf m c o q hX.1 (hX' m (by simp)) (by omega), splitModes]
    cases Razorgirl.splitMode (shape L) m.extent m.stride with
    | none => rfl
    | some p =>
      simp only [Out.andThen]
      rw [ih hX.2 (fun n hn => hX' n (by simp [hn])) (by omega)]
      cases splitModes (shape L) X with
      | none => rfl
      | some ps => simp [pieces, valued_append]

/-! ## The composite -/

theorem withDigits_append (M : List Nat) (P Q : FlatLayout) :
    withDigits M (P ++ Q) = withDigits M P ++ withDigits M Q := by simp [withDigits]

theorem withDigits_splitModes {M : List Nat} {B : FlatLayout} (hc : cosizeFormula B ≤ prod M) {ps : List (List DigitMode)}
    (h : splitModes M B = some ps) : withDigits M (valued M (pieces ps)) = pieces ps := by
  induction B generalizing ps with
  | nil => cases h; rfl
  | cons m B ih =>
    rw [splitModes] at h
    split at h
    · rename_i p q hp hq
      cases h
      rw [cosizeFormula] at hc
      have hpos := cosizeFormula_pos B
      have h1 := withDigits_splitMode (fun e => by
        subst e
        simp only [prod] at hc
        have : (m.extent - 1) * m.stride = 0 := by omega
        rcases Nat.mul_eq_zero.1 this with h | h <;> omega) hp
      rw [pieces, valued_append, withDigits_append, h1, ih (by omega) hq]
    · cases h

theorem size_dropLast_le {L : FlatLayout} (hL : Valid L) : Valid L.dropLast ∧ FlatLayout.size L.dropLast ≤ FlatLayout.size L := by
  induction L with
  | nil => exact ⟨trivial, Nat.le_refl _⟩
  | cons m L ih =>
    cases L with
    | nil => exact ⟨trivial, by rw [List.dropLast_singleton, size_nil]; exact Valid.size_pos hL⟩
    | cons n L =>
      have ih := ih hL.2
      rw [List.dropLast_cons₂, size_cons, size_cons (L := n :: L)]
      exact ⟨⟨hL.1, ih.1⟩, Nat.mul_le_mul_left _ ih.2⟩

theorem extent_le_size {L : FlatLayout} (hL : Valid L) {m : Mode} (h : m ∈ L) : m.extent ≤ FlatLayout.size L := by
  induction L with
  | nil => cases h
  | cons n L ih =>
    rw [size_cons]
    rcases List.mem_cons.1 h with rfl | h
    · exact Nat.le_mul_of_pos_right _ (Valid.size_pos hL.2)
    · exact Nat.le_trans (ih hL.2 h) (Nat.le_mul_of_pos_left _ hL.1)

/-- **The extracted `composition` returns the modes of the composite for each mode of B in a row, and how many each has,
or the refusal of its kind, of valid layouts whose sizes and cosizes are below 2^64; it never overflows.**
Source: `Razorgirl.Layout.composition` -/
theorem composition_run {A B : FlatLayout} (hA : Valid A) (hB : Valid B) (hsA : FlatLayout.size A < 2 ^ 64)
    (hcA : FlatLayout.cosize A < 2 ^ 64) (hsB : FlatLayout.size B < 2 ^ 64) (hcB : FlatLayout.cosize B < 2 ^ 64) :
    composition.run (A, B, ()) =
      answer ((compositionGroups A B).map fun gs => (gs.flatten, gs.map List.length)) (compositionRefusal A B) := by
  have hL := coalesce_valid hA
  have hs : FlatLayout.size (FlatLayout.coalesce A) < 2 ^ 64 := by rw [coalesce_size]; exact hsA
  have hc : cosizeFormula (FlatLayout.coalesce A) ≤ 2 ^ 64 := by
    rw [coalesce_cosizeFormula hA, ← cosize_eq_formula hA]; omega
  have h1 := size_run_of_lt hA hsA
  have h2 : cosize.run (B, ()) = .ok (cosizeFormula B) := by
    rw [cosize_run hB, if_pos hcB, cosize_eq_formula hB]
  rw [cosize_eq_formula hB] at hcB
  have h3 := coalesce_run hA hsA
  have h4 := allButLast_run (FlatLayout.coalesce A)
  have h5 := fun hle => composition_loop (f := fun m s => compositionStep.run (m, s)) (L := FlatLayout.coalesce A) (a := A) (b := B)
    (fun m c o q a1 a2 a3 => compositionStep_run hL (fun n hn => Nat.lt_of_le_of_lt (extent_le_size hL hn) hs) hs hc m a1 a2 a3 c o q A B)
    B hB (fun m hm => Nat.lt_of_le_of_lt (extent_le_size hB hm) hsB) hle [] [] []
  simp only [composition, Fn.run, Stmt.run, Exp.run, Args.run, Op2.run, Var.get, bindE, Out.ofExp, compositionGroups,
    compositionRefusal] at h1 h2 h3 h4 h5 ⊢
  rw [h1]
  simp only []
  rw [h2]
  by_cases hle : cosizeFormula B ≤ FlatLayout.size A
  · have hlt : ¬ FlatLayout.size A < cosizeFormula B := by omega
    have hle' : cosizeFormula B ≤ FlatLayout.size (FlatLayout.coalesce A) := by rw [coalesce_size]; exact hle
    have h5 := h5 hle'
    rw [if_neg hlt, if_pos hle]
    simp only [hlt, decide_false, Bool.false_eq_true, if_false, Out.andThen]
    rw [h3]
    simp only []
    rw [h4]
    simp only []
    rw [h5]
    cases hp : splitModes (shape (FlatLayout.coalesce A)) B with
    | none => simp [digitComposition, hp, answer]
    | some ps =>
      have ⟨w1, _, w3, w4⟩ := splitModes_spec hB hle' hp
      have v1 : Valid (valued (shape (FlatLayout.coalesce A)) (pieces ps)) := by
        refine (valid_iff_size_pos _).2 ?_
        rw [← size_ofDigits (shape (FlatLayout.coalesce A)) []]
        exact Valid.size_pos (valid_ofDigits [] w1)
      have hd := size_dropLast_le hL
      have h6 := carries_run hd.1 (Nat.lt_of_le_of_lt hd.2 hs) v1 (by rw [w3]; omega)
      have h7 := below_load_withDigits (FlatLayout.coalesce A) (valued (shape (FlatLayout.coalesce A)) (pieces ps))
      rw [withDigits_splitModes hle' hp] at h7
      simp only [List.nil_append]
      rw [h6]
      simp only [digitComposition, hp, h7]
      cases noCarry (FlatLayout.coalesce A).dropLast 1 (valued (shape (FlatLayout.coalesce A)) (pieces ps)) <;>
        simp [answer, Function.comp_def]
  · have hlt : FlatLayout.size A < cosizeFormula B := by omega
    rw [if_pos hlt, if_neg hle]
    simp [hlt, answer]

end Razorgirl.Extract
