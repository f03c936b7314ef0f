module

public import Razorgirl.Extract.Coalesce
public import Razorgirl.Thm.Layout.Coalesce

@[expose] public section

/-!
# What the program `coalesce` returns

It keeps a current mode, which later modes join or replace. The modes pushed so far, and then the coalesced rest with the
current mode in front, are the coalesced layout at every turn.
-/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

theorem coalesce_apart {m n : Mode} (h1 : m.extent ≠ 1) (h2 : n.extent ≠ 1)
    (h3 : ¬ m.extent * m.stride = n.stride) (X : FlatLayout) :
    FlatLayout.coalesce (m :: n :: X) = m :: FlatLayout.coalesce (n :: X) := by
  simp only [FlatLayout.coalesce]
  have h4 : ¬ n.stride = m.extent * m.stride := fun e => h3 e.symm
  generalize FlatLayout.coalesce X = Y
  cases Y with
  | nil => simp [FlatLayout.push, h1, h2, h4]
  | cons k Y =>
    by_cases h : k.stride = n.extent * n.stride
    · simp [FlatLayout.push, h1, h2, h4, h]
    · simp [FlatLayout.push, h1, h2, h4, h]

theorem coalesce_merged {m n r : Mode} (h : merge? m n = some r) (X : FlatLayout) :
    FlatLayout.coalesce (m :: n :: X) = FlatLayout.coalesce (r :: X) := by
  simp only [FlatLayout.coalesce]; exact push_push h _

/-- The variables of the loop body. -/
abbrev CoalesceState := Mode × List Mode × List Mode × Unit

/-- What one turn of the loop does. -/
def CoalesceStep (f : Mode → CoalesceState → Out (Mode × CoalesceState) (List Mode)) : Prop := ∀ (m cur : Mode) (out L : List Mode),
  f m (cur, out, L, ()) =
    if m.extent = 1 then .next (m, cur, out, L, ())
    else if cur.extent = 1 then .next (m, m, out, L, ())
    else if cur.extent * cur.stride = m.stride then
      if cur.extent * m.extent < 2 ^ 64 then .next (m, ⟨cur.extent * m.extent, cur.stride⟩, out, L, ())
      else .fault .overflow
    else .next (m, m, out ++ [cur], L, ())

/-- One turn of the loop. -/
theorem coalesceStep_run : CoalesceStep fun m s => coalesceStep.run (m, s) := by
  intro m cur out L
  simp only [coalesceStep, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp, Out.andThen,
    show check 1 = .ok 1 by rfl]
  by_cases h1 : m.extent = 1 <;> by_cases h2 : cur.extent = 1 <;>
    by_cases h3 : cur.extent * cur.stride = m.stride <;> by_cases h4 : cur.extent * m.extent < 2 ^ 64 <;>
    simp only [h1, h2, h3, h4, check, decide_eq_true_eq, ne_eq, not_true, not_false_eq_true, if_true, if_false]

theorem coalesce_loop {f : Mode → CoalesceState → Out (Mode × CoalesceState) (List Mode)} (hf : CoalesceStep f) (X : List Mode) (cur : Mode) (out L : List Mode) :
    (∃ cur' out', Out.each f X (cur, out, L, ()) = .next (cur', out', L, ()) ∧
      out' ++ FlatLayout.coalesce [cur'] = out ++ FlatLayout.coalesce (cur :: X)) ∨
    (Out.each f X (cur, out, L, ()) = .fault .overflow ∧
      (0 < cur.extent → Valid X → 2 ^ 64 ≤ FlatLayout.size (cur :: X))) := by
  have hf := fun m cur out => hf m cur out L
  induction X generalizing cur out with
  | nil => exact .inl ⟨cur, out, rfl, rfl⟩
  | cons m X ih =>
    simp only [Out.each, hf]
    by_cases h1 : m.extent = 1
    · simp only [h1, if_true, Out.andThen]
      rw [coalesce_merged (r := cur) (by simp [merge?, h1])]
      rcases ih cur out with h | ⟨h, h'⟩
      · exact .inl h
      · refine .inr ⟨h, fun hc hX => ?_⟩
        have := h' hc hX.2
        simpa [size_cons, h1] using this
    · by_cases h2 : cur.extent = 1
      · simp only [h1, h2, if_true, if_false, Out.andThen]
        rw [coalesce_merged (r := m) (by simp [merge?, h1, h2])]
        rcases ih m out with h | ⟨h, h'⟩
        · exact .inl h
        · refine .inr ⟨h, fun hc hX => ?_⟩
          have := h' hX.1 hX.2
          simpa [size_cons, h2] using this
      · by_cases h3 : cur.extent * cur.stride = m.stride
        · rw [coalesce_merged (r := ⟨cur.extent * m.extent, cur.stride⟩) (by simp [merge?, h1, h2, h3])]
          by_cases h4 : cur.extent * m.extent < 2 ^ 64
          · simp only [h1, h2, h3, h4, if_true, if_false, Out.andThen]
            rcases ih ⟨cur.extent * m.extent, cur.stride⟩ out with h | ⟨h, h'⟩
            · exact .inl h
            · refine .inr ⟨h, fun hc hX => ?_⟩
              have := h' (Nat.mul_pos hc hX.1) hX.2
              simpa [size_cons, Nat.mul_assoc] using this
          · simp only [h1, h2, h3, h4, if_true, if_false, Out.andThen]
            refine .inr ⟨trivial, fun hc hX => ?_⟩
            have h5 : 0 < FlatLayout.size X := Valid.size_pos hX.2
            rw [size_cons_cons]
            exact Nat.le_trans (Nat.le_of_not_lt h4) (Nat.le_mul_of_pos_right _ h5)
        · simp only [h1, h2, h3, if_false, Out.andThen]
          rw [coalesce_apart h2 h1 h3]
          rcases ih m (out ++ [cur]) with ⟨c, o, h, h'⟩ | ⟨h, h'⟩
          · exact .inl ⟨c, o, h, by simpa using h'⟩
          · refine .inr ⟨h, fun hc hX => ?_⟩
            have := h' hX.1 hX.2
            rw [size_cons]
            exact Nat.le_trans this (Nat.le_mul_of_pos_left _ hc)

/-- **The extracted `coalesce` returns the coalesced modes, whatever the modes, or overflows, which it does only for valid
layouts of size 2^64 or more and for modes that are no valid layout.**
Source: `Razorgirl.FlatLayout.coalesce` -/
theorem coalesce_cases (L : List Mode) :
    coalesce.run (L, ()) = .ok (FlatLayout.coalesce L) ∨
      (coalesce.run (L, ()) = .error .overflow ∧ (Valid L → 2 ^ 64 ≤ FlatLayout.size L)) := by
  have hs : FlatLayout.coalesce (⟨1, 0⟩ :: L) = FlatLayout.coalesce L := push_unit rfl _
  simp only [coalesce, Fn.run, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp,
    show check 1 = .ok 1 by rfl, show check 0 = .ok 0 by rfl]
  rcases coalesce_loop coalesceStep_run L ⟨1, 0⟩ [] L with ⟨c, o, h, h'⟩ | ⟨h, h'⟩
  · left
    rw [hs, List.nil_append] at h'
    rw [h, ← h']
    by_cases h1 : c.extent = 1 <;>
      simp [h1, Out.andThen, Out.value, FlatLayout.coalesce, FlatLayout.push]
  · right
    rw [h]
    refine ⟨rfl, fun hL => ?_⟩
    have := h' (by decide) hL
    simpa [size_cons] using this

/-- A coalesced layout has fewer modes than coordinates. -/
theorem length_lt_of_size {L : FlatLayout} (hv : Valid L) (hc : Coalesced L) : L.length < FlatLayout.size L := by
  induction L with
  | nil => simp [size_nil]
  | cons m L ih =>
    have h1 := coalesced_head hc
    have h2 := ih hv.2 (coalesced_tail hc)
    have h3 := hv.1
    have h4 : 2 * FlatLayout.size L ≤ m.extent * FlatLayout.size L := Nat.mul_le_mul_right _ (by omega)
    rw [size_cons, List.length_cons]; omega

/-- **The extracted `coalesce` returns the coalesced modes of every valid layout whose size is below 2^64.**
Source: `Razorgirl.FlatLayout.coalesce` -/
theorem coalesce_run {L : List Mode} (hL : Valid L) (hs : FlatLayout.size L < 2 ^ 64) :
    coalesce.run (L, ()) = .ok (FlatLayout.coalesce L) := by
  rcases coalesce_cases L with e | ⟨_, e⟩
  · exact e
  · have := e hL; omega

end Razorgirl.Extract
