module

public import Razorgirl.Extract.Inverse
public import Razorgirl.Thm.Extract.Coord
public import Razorgirl.Thm.Extract.Sort
public import Razorgirl.Thm.Layout.Inverse.Digits

@[expose] public section

/-! # What the programs `starts` and `sortStarts` return -/

namespace Razorgirl.Extract
open FlatLayout

/-! ## Starts -/

/-- The variables of `starts`. -/
abbrev StartsState := Nat × List (Mode × Nat) × List Mode × Unit

theorem startsStep_run (m : Mode) (r : Nat) (o : List (Mode × Nat)) (L : List Mode) (h : r * m.extent < 2 ^ 64) :
    startsStep.run (m, r, o, L, ()) = .next (m, r * m.extent, o ++ [(m, r)], L, ()) := by
  simp only [startsStep, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp, Out.andThen, check, h,
    if_true]

theorem starts_loop {f : Mode → StartsState → Out (Mode × StartsState) (List (Mode × Nat))}
    (hf : ∀ m r o L, r * m.extent < 2 ^ 64 → f m (r, o, L, ()) = .next (m, r * m.extent, o ++ [(m, r)], L, ()))
    (X : List Mode) (r : Nat) (o : List (Mode × Nat)) (L : List Mode) (hX : Valid X)
    (hr : r * FlatLayout.size X < 2 ^ 64) :
    ∃ r', Out.each f X (r, o, L, ()) = .next (r', o ++ (FlatLayout.starts r X).map startPair, L, ()) := by
  induction X generalizing r o with
  | nil => exact ⟨r, by simp [Out.each, FlatLayout.starts]⟩
  | cons m X ih =>
    rw [size_cons, ← Nat.mul_assoc] at hr
    have h1 : r * m.extent < 2 ^ 64 :=
      Nat.lt_of_le_of_lt (Nat.le_mul_of_pos_right _ (Valid.size_pos hX.2)) hr
    obtain ⟨r', h⟩ := ih (r * m.extent) (o ++ [(m, r)]) hX.2 hr
    exact ⟨r', by rw [Out.each, hf m r o L h1]; simp only [Out.andThen]; rw [h]; simp [FlatLayout.starts, startPair]⟩

/-- **The extracted `starts` returns each mode with the product of the extents before it, of a valid layout of size below
2^64.**
Source: `Razorgirl.FlatLayout.starts` -/
theorem starts_run {L : List Mode} (hL : Valid L) (hs : FlatLayout.size L < 2 ^ 64) :
    starts.run (L, ()) = .ok ((FlatLayout.starts 1 L).map startPair) := by
  obtain ⟨r', h⟩ := starts_loop (f := fun a s => startsStep.run (a, s)) (fun m r o L h => startsStep_run m r o L h) L 1 []
    L hL (by omega)
  simp only [starts, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp, show check 1 = .ok 1 by rfl]
  rw [h]
  simp

/-! ## Sorting starts -/

/-- The variables of `insertStart`. -/
abbrev InsertStartState := Bool × List (Mode × Nat) × (Mode × Nat) × List (Mode × Nat) × Unit

theorem insertStartStep_run (q : Mode × Nat) (t : Bool) (o : List (Mode × Nat)) (p : Mode × Nat) (L : List (Mode × Nat)) :
    insertStartStep.run (q, t, o, p, L, ()) =
      if t = true ∧ p.1.before q.1 = true then .next (q, false, o ++ [p, q], p, L, ())
      else .next (q, t, o ++ [q], p, L, ()) := by
  simp only [insertStartStep, Stmt.run, Exp.run, Args.run, Op1.run, before_run, Var.get, Var.put, bindE, Out.ofExp]
  cases t <;> by_cases h' : p.1.before q.1 = true <;> simp [h']

theorem insertStart_loop {f : Mode × Nat → InsertStartState → Out ((Mode × Nat) × InsertStartState) (List (Mode × Nat))}
    (hf : ∀ q t o p L, f q (t, o, p, L, ()) =
      if t = true ∧ p.1.before q.1 = true then .next (q, false, o ++ [p, q], p, L, ())
      else .next (q, t, o ++ [q], p, L, ()))
    (X : List Start) (o L : List (Mode × Nat)) (p : Start) :
    Out.each f (X.map startPair) (false, o, startPair p, L, ()) =
        .next (false, o ++ X.map startPair, startPair p, L, ()) ∧
    ∃ t o', Out.each f (X.map startPair) (true, o, startPair p, L, ()) = .next (t, o', startPair p, L, ()) ∧
      (if t = true then o' ++ [startPair p] else o') = o ++ (FlatLayout.insertStart p X).map startPair := by
  induction X generalizing o with
  | nil => exact ⟨by simp [Out.each], true, o, rfl, by simp [FlatLayout.insertStart]⟩
  | cons q X ih =>
    rw [List.map_cons]
    refine ⟨?_, ?_⟩
    · rw [Out.each, hf]; simp [(ih _).1]
    · rw [Out.each, hf, FlatLayout.insertStart]
      by_cases h : p.mode.before q.mode = true
      · have h' : (startPair p).1.before (startPair q).1 = true := h
        refine ⟨false, o ++ startPair p :: startPair q :: X.map startPair, ?_, by simp [h]⟩
        simp [h', (ih _).1]
      · have h' : ¬ (startPair p).1.before (startPair q).1 = true := h
        obtain ⟨t, o', h1, h2⟩ := (ih (o ++ [startPair q])).2
        exact ⟨t, o', by simp [h', h1], by simp [h2, h]⟩

/-- **The extracted `insert_start` puts a start in front of the first one whose mode does not come before its own, whatever
the starts.**
Source: `Razorgirl.FlatLayout.insertStart` -/
theorem insertStart_run (p : Start) (X : List Start) :
    insertStart.run (startPair p, X.map startPair, ()) = .ok ((FlatLayout.insertStart p X).map startPair) := by
  simp only [insertStart, Fn.run, Stmt.run, Exp.run, Var.get, Var.put, Out.ofExp]
  obtain ⟨t, o, h1, h2⟩ := (insertStart_loop (f := fun a s => insertStartStep.run (a, s)) insertStartStep_run X []
    (X.map startPair) p).2
  rw [h1]
  simp only [List.nil_append] at h2
  cases t <;> simp_all

/-- The variables of `sortStarts`. -/
abbrev SortStartsState := List (Mode × Nat) × Nat × List (Mode × Nat) × Unit

theorem sortStartsStep_run (X Y Z : List Start) (p : Start) (i k : Nat) (h : i + X.length = k) :
    sortStartsStep.run (i, Z.map startPair, k, (X ++ p :: Y).map startPair, ()) =
      .next (i, (FlatLayout.insertStart p Z).map startPair, k, (X ++ p :: Y).map startPair, ()) := by
  have h1 : k - i = (X.map startPair).length := by rw [List.length_map]; omega
  have h2 : i ≤ k := by omega
  have h3 := insertStart_run p Z
  have h4 := getC_append (X.map startPair) (Y.map startPair) (startPair p)
  rw [← h1] at h4
  simp only [sortStartsStep, Stmt.run, Exp.run, Args.run, Op2.run, subC, Var.get, Var.put, bindE, Out.ofExp, h2, if_true,
    List.map_append, List.map_cons, h4]
  rw [h3]

theorem sortStarts_loop {f : Nat → SortStartsState → Out (Nat × SortStartsState) (List (Mode × Nat))}
    (X Y : List Start) (i k : Nat)
    (hf : ∀ X' p Y' Z i, X' ++ p :: Y' = X ++ Y → i + X'.length = k →
      f i (Z.map startPair, k, (X ++ Y).map startPair, ()) =
        .next (i, (FlatLayout.insertStart p Z).map startPair, k, (X ++ Y).map startPair, ()))
    (h : i + X.length = k + 1) :
    Out.upto f i X.length ((FlatLayout.sortStarts Y).map startPair, k, (X ++ Y).map startPair, ()) =
      .next ((FlatLayout.sortStarts (X ++ Y)).map startPair, k, (X ++ Y).map startPair, ()) := by
  induction n : X.length generalizing X Y i with
  | zero => rw [List.length_eq_zero_iff.1 n]; rfl
  | succ n' ih =>
    obtain ⟨X', p, rfl⟩ : ∃ X' p, X = X' ++ [p] := by
      have hne : X ≠ [] := fun e => by simp [e] at n
      exact ⟨X.dropLast, X.getLast hne, (List.dropLast_concat_getLast hne).symm⟩
    have e : X' ++ [p] ++ Y = X' ++ p :: Y := by simp
    have hlen : X'.length = n' := by simpa using n
    have h1 : i + X'.length = k := by simp at h; omega
    have h2 := hf X' p Y (FlatLayout.sortStarts Y) i e.symm h1
    rw [e] at hf h2 ⊢
    rw [Out.upto, h2]
    simp only [Out.andThen]
    exact ih X' (p :: Y) (i + 1) hf (by omega) hlen

/-- **The extracted `sort_starts` returns the starts in order of stride and then extent, and those of equal modes as they
stand; any list of fewer than 2^64 is sorted.**
Source: `Razorgirl.FlatLayout.sortStarts` -/
theorem sortStarts_run (X : List Start) (hX : X.length < 2 ^ 64) :
    sortStarts.run (X.map startPair, ()) = .ok ((FlatLayout.sortStarts X).map startPair) := by
  have h1 : check X.length = .ok X.length := if_pos hX
  cases X with
  | nil => simp [sortStarts, check, FlatLayout.sortStarts]
  | cons p Y =>
    have h2 : (1 : Nat) ≤ (p :: Y).length := by simp
    have h := sortStarts_loop (f := fun i s => sortStartsStep.run (i, s)) (p :: Y) [] 0 ((p :: Y).length - 1)
      (fun X' q Y' Z i e hi => by rw [← e]; exact sortStartsStep_run X' Y' Z q i _ hi) (by omega)
    have h3 : ¬ (p :: Y).length = 0 := by simp
    rw [List.append_nil] at h
    simp only [sortStarts, Fn.run, Stmt.run, Exp.run, Op1.run, Op2.run, subC, Var.get, bindE, Out.ofExp, List.length_map, h1,
      h2, h3, show check 0 = .ok 0 by rfl, show check 1 = .ok 1 by rfl, decide_false, Bool.false_eq_true, if_true, if_false,
      Out.andThen]
    erw [h]
    simp

end Razorgirl.Extract
