module

public import Razorgirl.Thm.Extract.Coalesce
public import Razorgirl.Thm.Extract.Inverse.Starts
public import Razorgirl.Thm.Extract.Size
public import Razorgirl.Thm.Layout.Inverse.Left

@[expose] public section

/-!
# What the programs `leftInverse` and `inverse` return

`undo` begins with a mode `1:1` in front, whose step is then what lies below the first stride.
-/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

/-! ## Reading digits -/

/-- The variables of `undo`. -/
abbrev UndoState := (Mode × Nat) × List Mode × List (Mode × Nat) × Unit

/-- What one turn does behind a mode of positive stride. -/
def UndoStep (f : Mode × Nat → UndoState → Out ((Mode × Nat) × UndoState) (List Mode)) : Prop :=
  ∀ (q p : Mode × Nat) (o : List Mode) (L : List (Mode × Nat)), 0 < p.1.stride → f q (p, o, L, ()) =
    if q.1.stride = 0 then .fault (.refuse "not_injective")
    else if q.1.stride % p.1.stride = 0 then
      if q.1.stride / p.1.stride < p.1.extent then .fault (.refuse "not_injective")
      else .next (q, q, o ++ [⟨q.1.stride / p.1.stride, p.2⟩], L, ())
    else .fault (.refuse "not_divisible")

theorem undoStep_run : UndoStep fun q s => undoStep.run (q, s) := by
  intro q p o L hp
  have hp' : p.1.stride ≠ 0 := by omega
  simp only [undoStep, Stmt.run, Exp.run, Op1.run, Op2.run, divC, modC, Var.get, Var.put, bindE, Out.ofExp, Out.andThen,
    show check 0 = .ok 0 by rfl, decide_eq_true_eq]
  by_cases h0 : q.1.stride = 0
  · simp [h0]
  by_cases h1 : q.1.stride % p.1.stride = 0
  · by_cases h2 : q.1.stride / p.1.stride < p.1.extent <;> simp [h0, h1, h2, hp']
  · simp [h0, h1, hp']

theorem undo_loop {f : Mode × Nat → UndoState → Out ((Mode × Nat) × UndoState) (List Mode)} (hf : UndoStep f)
    (X : List Start) (p : Start) (o : List Mode) (L : List (Mode × Nat)) (he : 0 < p.mode.extent)
    (hd : 0 < p.mode.stride) (hX : Valid (X.map Start.mode)) :
    (∃ R q o', FlatLayout.undo (p :: X) = some R ∧
      Out.each f (X.map startPair) (startPair p, o, L, ()) = .next (startPair q, o', L, ()) ∧
      o' ++ [⟨q.mode.extent, q.index⟩] = o ++ R) ∨
    (FlatLayout.undo (p :: X) = none ∧ Out.each f (X.map startPair) (startPair p, o, L, ()) =
      .fault (.refuse (undoRefusal p.mode (X.map Start.mode)))) := by
  induction X generalizing p o with
  | nil => exact .inl ⟨_, p, o, rfl, rfl, rfl⟩
  | cons q X ih =>
    rw [List.map_cons, Out.each, hf (startPair q) (startPair p) o L hd, FlatLayout.undo, List.map_cons, undoRefusal]
    simp only [startPair]
    have hle : p.mode.extent * p.mode.stride ≤ q.mode.stride ↔ ¬ q.mode.stride / p.mode.stride < p.mode.extent := by
      rw [Nat.not_lt, Nat.le_div_iff_mul_le hd]
    have hpos : 0 < p.mode.extent * p.mode.stride := Nat.mul_pos he hd
    by_cases h0 : q.mode.stride = 0
    · rw [if_pos h0, if_pos h0, if_neg (by omega)]; exact .inr ⟨rfl, rfl⟩
    by_cases h1 : q.mode.stride % p.mode.stride = 0
    · by_cases h2 : q.mode.stride / p.mode.stride < p.mode.extent
      · rw [if_neg h0, if_neg h0, if_pos h1, if_pos h1, if_pos h2, if_pos h2, if_neg (fun h => hle.1 h.2 h2)]
        exact .inr ⟨rfl, rfl⟩
      · rw [if_neg h0, if_neg h0, if_pos h1, if_pos h1, if_neg h2, if_neg h2, if_pos ⟨h1, hle.2 h2⟩]
        simp only [Out.andThen]
        rcases ih q (o ++ [⟨q.mode.stride / p.mode.stride, p.index⟩]) hX.1 (by omega) hX.2 with
          ⟨R, r, o', e1, e2, e3⟩ | ⟨e1, e2⟩
        · exact .inl ⟨_, r, o', by rw [e1]; rfl, e2, by rw [e3]; simp⟩
        · exact .inr ⟨by rw [e1]; rfl, e2⟩
    · rw [if_neg h0, if_neg h0, if_neg h1, if_neg h1, if_neg (fun h => h1 h.1)]; exact .inr ⟨rfl, rfl⟩

/-- **The extracted `undo` returns the modes that read the digits of an offset in the radix of the strides of some starts,
or refuses with the kind that the definition says, for extents of at least 1; it never overflows.**
Source: `Razorgirl.FlatLayout.undo` -/
theorem undo_run (X : List Start) (hX : Valid (X.map Start.mode)) : undo.run (X.map startPair, ()) =
    answer (FlatLayout.undo (⟨⟨1, 1⟩, 0⟩ :: X)) (undoRefusal ⟨1, 1⟩ (X.map Start.mode)) := by
  simp only [undo, Fn.run, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp,
    show check 1 = .ok 1 by rfl, show check 0 = .ok 0 by rfl]
  rcases undo_loop undoStep_run X ⟨⟨1, 1⟩, 0⟩ [] (X.map startPair) Nat.one_pos Nat.one_pos hX with
    ⟨R, q, o', h1, h2, h3⟩ | ⟨h1, h2⟩
  · rw [List.nil_append] at h3
    erw [h2, h1, ← h3]; simp [answer, startPair]
  · erw [h2, h1]; simp [answer]

/-- The mode in front changes nothing but that it puts what lies below the first stride into its place. -/
theorem undoFrom_eq (X : List Start) (hX : Valid (X.map Start.mode)) :
    undoFrom X = (FlatLayout.undo (⟨⟨1, 1⟩, 0⟩ :: X)).map FlatLayout.coalesce := by
  cases X with
  | nil => decide
  | cons p X =>
    rw [undoFrom, FlatLayout.undo]
    by_cases h : 0 < p.mode.stride
    · have h' : p.mode.stride % 1 = 0 ∧ 1 * 1 ≤ p.mode.stride := ⟨Nat.mod_one _, h⟩
      rw [if_pos h, if_pos h', Option.map_map, Nat.div_one]; rfl
    · have h' : ¬ (p.mode.stride % 1 = 0 ∧ 1 * 1 ≤ p.mode.stride) := by omega
      rw [if_neg h, if_neg h']; rfl

theorem valid_undo {p : Start} {X : List Start} {R : FlatLayout} (h : FlatLayout.undo (p :: X) = some R)
    (he : 0 < p.mode.extent) (hd : 0 < p.mode.stride) (hX : Valid (X.map Start.mode)) : Valid R := by
  induction X generalizing p R with
  | nil => cases h; exact ⟨he, trivial⟩
  | cons q X ih =>
    rw [FlatLayout.undo] at h
    split at h
    · rename_i hc
      obtain ⟨R', h', rfl⟩ := Option.map_eq_some_iff.1 h
      have h1 : p.mode.extent ≤ q.mode.stride / p.mode.stride := (Nat.le_div_iff_mul_le hd).2 hc.2
      exact ⟨Nat.lt_of_lt_of_le he h1, ih h' hX.1 (Nat.lt_of_lt_of_le (Nat.mul_pos he hd) hc.2) hX.2⟩
    · cases h

/-! ## Left inverse -/

/-- Every mode of a coalesced layout moves. -/
theorem moving_coalesce (L : FlatLayout) :
    moving (FlatLayout.coalesce L) = FlatLayout.starts 1 (FlatLayout.coalesce L) :=
  List.filter_eq_self.2 fun p hp => by
    simpa using extent_ne_one_of_coalesced (coalesce_coalesced L) (mode_mem_of_mem_starts hp)

theorem length_starts (r : Nat) (L : FlatLayout) : (FlatLayout.starts r L).length = L.length := by
  rw [← List.length_map (f := Start.mode), map_mode_starts]

/-- **The extracted `sorted_starts` returns the starts of the coalesced modes in order of stride, of a valid layout of size
below 2^64.**
Source: `Razorgirl.FlatLayout.sortStarts` -/
theorem sortedStarts_run {L : List Mode} (hL : Valid L) (hs : FlatLayout.size L < 2 ^ 64) : sortedStarts.run (L, ()) =
    .ok ((FlatLayout.sortStarts (moving (FlatLayout.coalesce L))).map startPair) := by
  have h1 := length_lt_of_size (coalesce_valid hL) (coalesce_coalesced L)
  rw [coalesce_size] at h1
  have h2 := coalesce_run hL hs
  have h3 := starts_run (coalesce_valid hL) (by rw [coalesce_size]; exact hs)
  have h4 := sortStarts_run (FlatLayout.starts 1 (FlatLayout.coalesce L)) (by rw [length_starts]; omega)
  rw [moving_coalesce]
  simp only [sortedStarts, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp]
  rw [h2]
  simp only []
  rw [h3]
  simp only []
  rw [h4]
  rfl

/-- **The extracted `left_inverse` returns the left inverse by whole modes of a valid layout if there is one whose size is
below 2^64, else the refusal of its kind or overflow; of a layout whose own size is 2^64 or more, overflow.**
Source: `Razorgirl.Layout.leftInverse` -/
theorem leftInverse_run {L : List Mode} (hL : Valid L) : leftInverse.run (L, ()) =
    if FlatLayout.size L < 2 ^ 64 then
      fitting (FlatLayout.leftInverse (FlatLayout.coalesce L)) (leftInverseRefusal L)
    else .error .overflow := by
  have h1 := size_run hL
  simp only [leftInverse, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp] at h1 ⊢
  by_cases hs : FlatLayout.size L < 2 ^ 64
  · rw [if_pos hs] at h1 ⊢
    have h4 := sortedStarts_run hL hs
    have hv : Valid ((FlatLayout.sortStarts (moving (FlatLayout.coalesce L))).map Start.mode) := by
      rw [map_mode_sortStarts_moving]; exact valid_chain (coalesce_valid hL)
    have h5 := undo_run _ hv
    have h6 := undoFrom_eq _ hv
    rw [FlatLayout.leftInverse, h6, leftInverseRefusal, ← map_mode_sortStarts_moving]
    rw [h1]
    simp only []
    rw [h4]
    simp only []
    rw [h5]
    cases hR : FlatLayout.undo (⟨⟨1, 1⟩, 0⟩ :: FlatLayout.sortStarts (moving (FlatLayout.coalesce L))) with
    | none => simp [answer, fitting]
    | some R =>
      have hRv := valid_undo hR Nat.one_pos Nat.one_pos hv
      have h7 := size_run hRv
      simp only [answer, fitting, Option.map, coalesce_size]
      by_cases h8 : FlatLayout.size R < 2 ^ 64
      · have h9 := coalesce_run hRv h8
        rw [if_pos h8] at h7 ⊢
        rw [h7]
        simp only []
        rw [h9]
        rfl
      · rw [if_neg h8] at h7 ⊢
        rw [h7]
        rfl
  · rw [if_neg hs] at h1 ⊢; rw [h1]; rfl

/-! ## Two-sided inverse -/

/-- The variables of `undoPacked`. -/
abbrev PackedState := Mode × List Mode × List (Mode × Nat) × Unit

theorem undoPackedStep_run (q : Mode × Nat) (b : Mode) (o : List Mode) (S : List (Mode × Nat)) :
    undoPackedStep.run (q, b, o, S, ()) =
      if q.1.stride = b.extent * b.stride then .next (q, q.1, o ++ [⟨q.1.extent, q.2⟩], S, ())
      else .fault (.refuse "not_injective") := by
  by_cases h : b.extent * b.stride = q.1.stride
  · simp [undoPackedStep, h]
  · have h' : ¬ q.1.stride = b.extent * b.stride := fun e => h e.symm
    simp [undoPackedStep, h, h']

theorem undoPacked_loop {f : Mode × Nat → PackedState → Out ((Mode × Nat) × PackedState) (List Mode)}
    (hf : ∀ q b o S, f q (b, o, S, ()) =
      if q.1.stride = b.extent * b.stride then .next (q, q.1, o ++ [⟨q.1.extent, q.2⟩], S, ())
      else .fault (.refuse "not_injective"))
    (X : List Start) (b : Mode) (o : List Mode) (S : List (Mode × Nat)) :
    (Packed (b.extent * b.stride) (X.map Start.mode) ∧ ∃ b',
      Out.each f (X.map startPair) (b, o, S, ()) = .next (b', o ++ back X, S, ())) ∨
    (¬ Packed (b.extent * b.stride) (X.map Start.mode) ∧
      Out.each f (X.map startPair) (b, o, S, ()) = .fault (.refuse "not_injective")) := by
  induction X generalizing b o with
  | nil => exact .inl ⟨trivial, b, by simp [Out.each, back]⟩
  | cons p X ih =>
    rw [List.map_cons, List.map_cons, Out.each, hf, Packed]
    by_cases h : p.mode.stride = b.extent * b.stride
    · have h' : (startPair p).1.stride = b.extent * b.stride := h
      rw [if_pos h', ← h]
      rcases ih p.mode (o ++ [⟨p.mode.extent, p.index⟩]) with ⟨h1, b', h2⟩ | ⟨h1, h2⟩
      · refine .inl ⟨⟨rfl, h1⟩, b', ?_⟩
        simp only [startPair, Out.andThen] at h2 ⊢
        rw [h2]; simp [back]
      · exact .inr ⟨fun h3 => h1 h3.2, h2⟩
    · have h' : ¬ (startPair p).1.stride = b.extent * b.stride := h
      rw [if_neg h']
      exact .inr ⟨fun h3 => h h3.1, rfl⟩

/-- **The extracted `undo_packed` returns the starts as modes of linear indices if each stride is where the modes below end,
and else refuses.**
Source: `Razorgirl.FlatLayout.back` -/
theorem undoPacked_run (X : List Start) :
    (Packed 1 (X.map Start.mode) → undoPacked.run (X.map startPair, ()) = .ok (back X)) ∧
      (¬ Packed 1 (X.map Start.mode) → undoPacked.run (X.map startPair, ()) = .error (.refuse "not_injective")) := by
  simp only [undoPacked, Fn.run, Stmt.run, Exp.run, Op2.run, Var.get, bindE, Out.ofExp, show check 1 = .ok 1 by rfl]
  rcases undoPacked_loop (f := fun q s => undoPackedStep.run (q, s)) undoPackedStep_run X ⟨1, 1⟩ [] (X.map startPair) with
    ⟨h1, b', h2⟩ | ⟨h1, h2⟩
  · exact ⟨fun _ => by rw [h2]; rfl, fun h => absurd h1 h⟩
  · exact ⟨fun h => absurd h h1, fun _ => by rw [h2]; rfl⟩

/-- Where each stride is where the modes below end, the digits are the extents. -/
theorem undo_of_packed {p : Start} {X : List Start} (he : 0 < p.mode.extent) (hd : 0 < p.mode.stride)
    (hX : Valid (X.map Start.mode)) (h : Packed (p.mode.extent * p.mode.stride) (X.map Start.mode)) :
    FlatLayout.undo (p :: X) = some (back (p :: X)) := by
  induction X generalizing p with
  | nil => rfl
  | cons q X ih =>
    rw [List.map_cons, Packed] at h
    have h1 : q.mode.stride % p.mode.stride = 0 := by rw [h.1, Nat.mul_mod_left]
    have h2 : q.mode.stride / p.mode.stride = p.mode.extent := by rw [h.1, Nat.mul_div_cancel _ hd]
    have h3 := h.2
    rw [← h.1] at h3
    rw [FlatLayout.undo, if_pos ⟨h1, by omega⟩, ih hX.1 (by rw [h.1]; exact Nat.mul_pos he hd) hX.2 h3, h2]
    rfl

theorem size_back_eq (X : List Start) : FlatLayout.size (back X) = FlatLayout.size (X.map Start.mode) := by
  induction X with
  | nil => rfl
  | cons p X ih => simp only [back, List.map_cons, size_cons] at ih ⊢; rw [ih]

/-- `inverse_run`, where size and cosize are the same. -/
theorem inverse_packed {L : List Mode} (hL : Valid L) (hs : FlatLayout.size L < 2 ^ 64)
    (h4 : cosizeFormula L = FlatLayout.size L) : bindE (sortedStarts.run (L, ())) (fun S =>
      bindE (undoPacked.run (S, ())) fun o => coalesce.run (o, ())) =
    answer (FlatLayout.leftInverse (FlatLayout.coalesce L)) "not_injective" := by
  have hC := coalesce_valid hL
  have h8 := sortedStarts_run hL hs
  have hm := map_mode_sortStarts_moving (FlatLayout.coalesce L)
  have hv : Valid ((FlatLayout.sortStarts (moving (FlatLayout.coalesce L))).map Start.mode) := by
    rw [hm]; exact valid_chain hC
  have key := inverse_ne_none_iff hC
  rw [FlatLayout.inverse, coalesce_cosizeFormula hL, coalesce_size, if_pos h4, contiguous_iff_packed, ← hm] at key
  have h9 := undoPacked_run (FlatLayout.sortStarts (moving (FlatLayout.coalesce L)))
  have hz := size_back_eq (FlatLayout.sortStarts (moving (FlatLayout.coalesce L)))
  rw [hm, size_chain, coalesce_size] at hz
  have h12 := fun h => undo_of_packed (p := ⟨⟨1, 1⟩, 0⟩) Nat.one_pos Nat.one_pos hv h
  have h13 := undoFrom_eq _ hv
  rw [← FlatLayout.leftInverse] at h13
  rw [h8]
  generalize FlatLayout.sortStarts (moving (FlatLayout.coalesce L)) = S at *
  simp only [bindE]
  by_cases hp : Packed 1 (S.map Start.mode)
  · have h11 : coalesce.run (back S, ()) = .ok (FlatLayout.coalesce (back S)) :=
      coalesce_run ((valid_iff_size_pos _).2 (by rw [hz]; exact Valid.size_pos hL)) (by rw [hz]; exact hs)
    have h14 := push_unit (m := ⟨1, 0⟩) rfl (FlatLayout.coalesce (back S))
    have h15 : FlatLayout.leftInverse (FlatLayout.coalesce L) = some (FlatLayout.coalesce (back S)) := by
      rw [h13, h12 hp]
      simp only [back, Option.map, List.map_cons, FlatLayout.coalesce] at h14 ⊢
      rw [h14]
    rw [h15, h9.1 hp]
    exact h11
  · have h15 : FlatLayout.leftInverse (FlatLayout.coalesce L) = none :=
      Decidable.byContradiction fun hne => hp (key.1 hne).2
    rw [h15, h9.2 hp]
    rfl

/-- `inverse`, call by call. -/
theorem inverse_eq (L : List Mode) : inverse.run (L, ()) =
    bindE (size.run (L, ())) fun n => bindE (cosize.run (L, ())) fun c =>
      if c < n then .error (.refuse "not_injective") else if n < c then .error (.refuse "not_contiguous")
      else bindE (sortedStarts.run (L, ())) fun S => bindE (undoPacked.run (S, ())) fun o => coalesce.run (o, ()) := by
  rw [inverse, Fn.run]
  simp only [Stmt.run, Exp.run, Args.run, Op2.run, Var.get, bindE, Out.ofExp, Out.andThen]
  cases size.run (L, ()) with
  | error f => rfl
  | ok n =>
    cases cosize.run (L, ()) with
    | error f => rfl
    | ok c =>
      simp only []
      by_cases h1 : c < n
      · simp [h1]
      by_cases h2 : n < c
      · simp [h1, h2]
      simp only [h1, h2, decide_false, Bool.false_eq_true, if_false]
      cases sortedStarts.run (L, ()) with
      | error f => rfl
      | ok S =>
        simp only []
        cases undoPacked.run (S, ()) with
        | error f => rfl
        | ok o =>
          simp only []
          cases coalesce.run (o, ()) <;> rfl

/-- **The extracted `inverse` returns the inverse of a valid layout that is contiguous, and refuses others with the kind
that the definition says; where size or cosize is 2^64 or more, overflow.**
Source: `Razorgirl.Layout.inverse` -/
theorem inverse_run {L : List Mode} (hL : Valid L) : inverse.run (L, ()) =
    if FlatLayout.size L < 2 ^ 64 ∧ FlatLayout.cosize L < 2 ^ 64 then
      answer (FlatLayout.inverse (FlatLayout.coalesce L)) (inverseRefusal L)
    else .error .overflow := by
  rw [inverse_eq, size_run hL, cosize_run hL, cosize_eq_formula hL]
  by_cases hs : FlatLayout.size L < 2 ^ 64
  · by_cases hc : cosizeFormula L < 2 ^ 64
    · rw [if_pos hs, if_pos hc, if_pos ⟨hs, hc⟩, FlatLayout.inverse, coalesce_cosizeFormula hL, coalesce_size, inverseRefusal]
      simp only [bindE]
      by_cases h3 : cosizeFormula L < FlatLayout.size L
      · rw [if_pos h3, if_neg (by omega), if_neg (by omega)]; rfl
      by_cases h5 : FlatLayout.size L < cosizeFormula L
      · rw [if_neg h3, if_pos h5, if_neg (by omega), if_pos h5]; rfl
      have h4 : cosizeFormula L = FlatLayout.size L := by omega
      have h6 := inverse_packed hL hs h4
      simp only [bindE] at h6
      rw [if_neg h3, if_neg h5, if_pos h4, if_neg h5]
      exact h6
    · rw [if_pos hs, if_neg hc, if_neg (fun h => hc h.2)]; rfl
  · simp only [hs, if_false, false_and, bindE]

end Razorgirl.Extract
