module

public import Razorgirl.Extract.Sort
public import Razorgirl.Thm.Layout.Sort

@[expose] public section

/-!
# What the program `sort` returns

`sort` inserts the modes from left to right, the definition from right to left. Both are sorted permutations, and there is
only one.
-/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

/-- **The extracted `before` decides the order of modes, whatever they are.**
Source: `Razorgirl.Mode.before` -/
theorem before_run (e : Env [("m", .mode), ("n", .mode)]) : before.run e = .ok (e.1.before e.2.1) := by
  obtain ⟨m, n, ⟨⟩⟩ := e
  simp only [before, Fn.run, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, bindE, Out.ofExp, Mode.before]
  by_cases h1 : m.stride < n.stride <;> by_cases h2 : m.stride = n.stride <;> simp [h1, h2]

/-- The variables of `insert`. -/
abbrev InsertState := Bool × List Mode × Mode × List Mode × Unit

theorem insertStep_run (n : Mode) (t : Bool) (o : List Mode) (m : Mode) (L : List Mode) :
    insertStep.run (n, t, o, m, L, ()) =
      if t = true ∧ m.before n = true then .next (n, false, o ++ [m, n], m, L, ())
      else .next (n, t, o ++ [n], m, L, ()) := by
  simp only [insertStep, Stmt.run, Exp.run, Args.run, before_run, Var.get, Var.put, bindE, Out.ofExp]
  cases t <;> by_cases h' : m.before n = true <;> simp [h']

theorem insert_loop {f : Mode → InsertState → Out (Mode × InsertState) (List Mode)}
    (hf : ∀ n t o m L, f n (t, o, m, L, ()) =
      if t = true ∧ m.before n = true then .next (n, false, o ++ [m, n], m, L, ())
      else .next (n, t, o ++ [n], m, L, ()))
    (X o L : List Mode) (m : Mode) :
    Out.each f X (false, o, m, L, ()) = .next (false, o ++ X, m, L, ()) ∧
    ∃ t o', Out.each f X (true, o, m, L, ()) = .next (t, o', m, L, ()) ∧
      (if t = true then o' ++ [m] else o') = o ++ FlatLayout.insert m X := by
  induction X generalizing o with
  | nil => exact ⟨by simp [Out.each], true, o, rfl, by simp [FlatLayout.insert]⟩
  | cons n X ih =>
    refine ⟨?_, ?_⟩
    · rw [Out.each, hf]; simp [(ih _).1]
    · rw [Out.each, hf, FlatLayout.insert]
      by_cases h : m.before n = true
      · refine ⟨false, o ++ m :: n :: X, ?_, by simp [h]⟩
        simp [h, (ih _).1]
      · obtain ⟨t, o', h1, h2⟩ := (ih (o ++ [n])).2
        exact ⟨t, o', by simp [h, h1], by simp [h2, h]⟩

/-- **The extracted `insert` puts a mode in front of the first one that does not come before it, whatever the modes.**
Source: `Razorgirl.FlatLayout.insert` -/
theorem insert_run (e : Env [("m", .mode), ("sorted", .list .mode)]) :
    insert.run e = .ok (FlatLayout.insert e.1 e.2.1) := by
  obtain ⟨m, L, ⟨⟩⟩ := e
  simp only [insert, Fn.run, Stmt.run, Exp.run, Var.get, Var.put, Out.ofExp]
  obtain ⟨t, o, h1, h2⟩ := (insert_loop (f := fun a s => insertStep.run (a, s)) insertStep_run L [] L m).2
  rw [h1]
  simp only [List.nil_append] at h2
  cases t <;> simp_all

theorem sort_loop {f : Mode → List Mode × List Mode × Unit → Out (Mode × List Mode × List Mode × Unit) (List Mode)}
    (hf : ∀ m o L, f m (o, L, ()) = .next (m, FlatLayout.insert m o, L, ()))
    (X o L : List Mode) (ho : Sorted o) :
    ∃ o', Out.each f X (o, L, ()) = .next (o', L, ()) ∧ Sorted o' ∧ o'.Perm (X ++ o) := by
  induction X generalizing o with
  | nil => exact ⟨o, rfl, ho, .refl _⟩
  | cons m X ih =>
    obtain ⟨o', h1, h2, h3⟩ := ih (FlatLayout.insert m o) (sorted_insert ho)
    refine ⟨o', by rw [Out.each, hf]; exact h1, h2, h3.trans ?_⟩
    exact ((insert_perm m o).append_left X).trans List.perm_middle

/-- **The extracted `sort` returns the modes in order of stride and then extent, whatever the modes.**
Source: `Razorgirl.FlatLayout.sort` -/
theorem sort_run (e : Env [("modes", .list .mode)]) : sort.run e = .ok (FlatLayout.sort e.1) := by
  obtain ⟨L, ⟨⟩⟩ := e
  simp only [sort, sortStep, Fn.run, Stmt.run, Exp.run, Args.run, insert_run, Var.get, Var.put, bindE, Out.ofExp]
  obtain ⟨o, h1, h2, h3⟩ := sort_loop (f := fun m s => .next (m, FlatLayout.insert m s.1, s.2.1, ())) (fun _ _ _ => rfl) L [] L .nil
  rw [h1]
  have : o = FlatLayout.sort L := by
    rw [← sort_eq_self_iff.2 h2]; exact sort_eq_iff_perm.2 (by simpa using h3)
  simp [this]

end Razorgirl.Extract
