module

public import Razorgirl.Spec.Layout.Coalesce
public import Razorgirl.Thm.Layout.Lemmas

@[expose] public section

/-!
# Coalesce: lemmas

What one merge and one `push` do to size, values, cosize and normal form; what `nest` does.
-/

namespace Razorgirl

namespace FlatLayout
open Aux

theorem size_cons_cons (m n : Mode) (L : FlatLayout) :
    size (m :: n :: L) = m.extent * n.extent * size L := by
  rw [size_cons, size_cons, Nat.mul_assoc]

theorem atIndex_of_merge {m n r : Mode} (h : merge? m n = some r) (L : FlatLayout) (x : Nat) :
    atIndex (r :: L) x = atIndex (m :: n :: L) x := by
  unfold merge? at h
  split at h
  · rename_i h1
    cases h
    simp [atIndex_cons, h1, Nat.mod_one]
  · split at h
    · rename_i h1
      cases h
      simp [atIndex_cons, h1, Nat.mod_one]
    · split at h
      · rename_i h1
        cases h
        simp only [atIndex_cons, h1]
        rw [Nat.mod_mul, Nat.div_div_eq_div_mul, Nat.add_mul]
        have : m.extent * (x / m.extent % n.extent) * m.stride =
            x / m.extent % n.extent * (m.extent * m.stride) := by
          rw [Nat.mul_comm m.extent, Nat.mul_assoc]
        omega
      · cases h

theorem extent_of_merge {m n r : Mode} (h : merge? m n = some r) : r.extent = m.extent * n.extent := by
  unfold merge? at h
  split at h
  · cases h; simp [*]
  · split at h
    · cases h; simp [*]
    · split at h
      · cases h; rfl
      · cases h

theorem cosizeFormula_of_merge {m n r : Mode} (h : merge? m n = some r) (hm : 0 < m.extent)
    (hn : 0 < n.extent) (L : FlatLayout) : cosizeFormula (r :: L) = cosizeFormula (m :: n :: L) := by
  unfold merge? at h
  split at h
  · cases h; simp [cosizeFormula, *]
  · split at h
    · cases h; simp [cosizeFormula, *]
    · split at h
      · rename_i h1
        cases h
        simp only [cosizeFormula, h1]
        obtain ⟨a, ha⟩ : ∃ a, m.extent = a + 1 := ⟨m.extent - 1, by omega⟩
        obtain ⟨b, hb⟩ : ∃ b, n.extent = b + 1 := ⟨n.extent - 1, by omega⟩
        have : (a + 1) * (b + 1) - 1 = a + b * (a + 1) := by
          have : (a + 1) * (b + 1) = a + b * (a + 1) + 1 := by
            rw [Nat.mul_succ, Nat.mul_comm (a + 1) b]; omega
          omega
        rw [ha, hb, this, Nat.add_sub_cancel, Nat.add_sub_cancel, Nat.add_mul, Nat.mul_assoc, Nat.add_assoc]
      · cases h

theorem size_push (m : Mode) (L : FlatLayout) : size (push m L) = m.extent * size L := by
  cases L with
  | nil =>
    simp only [push]
    split <;> simp [size_cons, size_nil, *]
  | cons n L =>
    simp only [push]
    split
    · simp [*]
    · split
      · simp only [size_cons, Nat.mul_assoc]
      · rfl

theorem atIndex_push (m : Mode) (L : FlatLayout) (x : Nat) :
    atIndex (push m L) x = atIndex (m :: L) x := by
  cases L with
  | nil =>
    simp only [push]
    split
    · simp [atIndex_cons, atIndex_nil, Nat.mod_one, *]
    · rfl
  | cons n L =>
    simp only [push]
    split
    · simp [atIndex_cons, Nat.mod_one, *]
    · split
      · rename_i h1 h2
        by_cases h3 : n.extent = 1
        · simp [atIndex_cons, h3, Nat.mod_one]
        · exact atIndex_of_merge (by simp [merge?, h1, h2, h3]) L x
      · rfl

theorem valid_push {m : Mode} {L : FlatLayout} (hm : 0 < m.extent) (h : Valid L) : Valid (push m L) := by
  cases L with
  | nil => simp only [push]; split <;> simp [Valid, hm]
  | cons n L =>
    simp only [push]
    split
    · exact h
    · split
      · exact ⟨Nat.mul_pos hm h.1, h.2⟩
      · exact ⟨hm, h⟩

theorem cosizeFormula_push {m : Mode} {L : FlatLayout} (hm : 0 < m.extent) (h : Valid L) :
    cosizeFormula (push m L) = cosizeFormula (m :: L) := by
  cases L with
  | nil => simp only [push]; split <;> simp [cosizeFormula, *]
  | cons n L =>
    simp only [push]
    split
    · simp [cosizeFormula, *]
    · split
      · rename_i h1 h2
        by_cases h3 : n.extent = 1
        · simp [cosizeFormula, h3]
        · exact cosizeFormula_of_merge (by simp [merge?, h1, h2, h3]) hm h.1 L
      · rfl

theorem push_unit {m : Mode} (h : m.extent = 1) (L : FlatLayout) : push m L = L := by
  cases L <;> simp [push, h]

theorem coalesced_tail {m : Mode} {L : FlatLayout} (h : Coalesced (m :: L)) : Coalesced L := by
  cases L with
  | nil => trivial
  | cons n L => exact h.2.2

theorem coalesced_head {m : Mode} {L : FlatLayout} (h : Coalesced (m :: L)) : m.extent ≠ 1 := by
  cases L with
  | nil => exact h
  | cons n L => exact h.1

theorem mul_ne_one {a : Nat} (b : Nat) (h : a ≠ 1) : a * b ≠ 1 := fun e => h (Nat.eq_one_of_mul_eq_one_right e)

theorem coalesced_push (m : Mode) {L : FlatLayout} (h : Coalesced L) : Coalesced (push m L) := by
  cases L with
  | nil =>
    simp only [push]
    split
    · trivial
    · assumption
  | cons n L =>
    simp only [push]
    split
    · exact h
    · split
      · rename_i h1 h2
        cases L with
        | nil => exact mul_ne_one _ h1
        | cons k L =>
          refine ⟨mul_ne_one _ h1, ?_, h.2.2⟩
          have := h.2.1
          rw [h2] at this
          simp only
          rwa [Nat.mul_comm m.extent, Nat.mul_assoc]
      · exact ⟨by assumption, by assumption, h⟩

theorem push_of_coalesced {m : Mode} {L : FlatLayout} (h : Coalesced (m :: L)) : push m L = m :: L := by
  cases L with
  | nil => simp only [Coalesced] at h; simp [push, h]
  | cons n L => simp [push, h.1, h.2.1]

theorem length_push (m : Mode) (L : FlatLayout) : (push m L).length ≤ L.length + 1 := by
  cases L with
  | nil => simp only [push]; split <;> simp
  | cons n L =>
    simp only [push]
    split
    · simp
    · split <;> simp

theorem push_of_length {m : Mode} {L : FlatLayout} (h : (push m L).length = L.length + 1) :
    push m L = m :: L := by
  cases L with
  | nil =>
    simp only [push] at h ⊢
    split at h
    · simp at h
    · simp [*]
  | cons n L =>
    simp only [push] at h ⊢
    split at h
    · simp at h
    · split at h
      · simp at h
      · simp [*]

theorem push_push {m n r : Mode} (h : merge? m n = some r) (L : FlatLayout) :
    push m (push n L) = push r L := by
  unfold merge? at h
  split at h
  · cases h; rw [push_unit (by assumption) L]
  · split at h
    · cases h; rw [push_unit (by assumption)]
    · split at h
      · rename_i h1 h2 h3
        cases h
        have h4 : m.extent * n.extent ≠ 1 := mul_ne_one _ h2
        have h5 : n.extent * n.stride = m.extent * n.extent * m.stride := by
          rw [h3, Nat.mul_comm m.extent n.extent, Nat.mul_assoc]
        cases L with
        | nil => simp [push, h1, h2, h3, h4]
        | cons k L =>
          by_cases h6 : k.stride = n.extent * n.stride
          · have h7 := h6
            rw [h5] at h7
            simp only [push, h1, h6, if_true, if_false, h2, h3, h4]
            simp [h5, ← h3, Nat.mul_assoc]
          · have h7 := h6
            rw [h5] at h7
            have e1 : push n (k :: L) = n :: k :: L := by simp [push, h1, h6]
            have e2 : push m (n :: k :: L) = ⟨m.extent * n.extent, m.stride⟩ :: k :: L := by
              simp [push, h2, h3]
            rw [e1, e2]
            simp [push, h4, h7]
      · cases h

theorem coalesce_append_congr {A B B' : FlatLayout} (h : coalesce B = coalesce B') :
    coalesce (A ++ B) = coalesce (A ++ B') := by
  induction A with
  | nil => exact h
  | cons m A ih => rw [List.cons_append, List.cons_append, coalesce, coalesce, ih]

theorem coalesce_push_append (m : Mode) (A B : FlatLayout) :
    coalesce (push m A ++ B) = push m (coalesce (A ++ B)) := by
  by_cases h1 : m.extent = 1
  · rw [push_unit h1, push_unit h1]
  · cases A with
    | nil =>
      have e : push m [] = [m] := by simp [push, h1]
      rw [e]
      rfl
    | cons n A =>
      by_cases h2 : n.stride = m.extent * m.stride
      · have e : push m (n :: A) = ⟨m.extent * n.extent, m.stride⟩ :: A := by simp [push, h1, h2]
        rw [e, List.cons_append, List.cons_append, coalesce, coalesce]
        by_cases h3 : n.extent = 1
        · rw [push_unit h3, h3, Nat.mul_one]
        · exact (push_push (by simp [merge?, h1, h2, h3]) _).symm
      · have e : push m (n :: A) = m :: n :: A := by simp [push, h1, h2]
        rw [e]
        rfl

theorem coalesced_of_append {A B : FlatLayout} (h : Coalesced (A ++ B)) : Coalesced B := by
  induction A with
  | nil => exact h
  | cons m A ih => exact ih (coalesced_tail h)

end FlatLayout

namespace Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux

theorem nest_modes (L : FlatLayout) : (nest L).modes = if L = [] then [⟨1, 0⟩] else L := by
  match L with
  | [] => rfl
  | [m] => rfl
  | m :: n :: L => rfl

theorem coalesce_nest_modes (L : FlatLayout) :
    FlatLayout.coalesce (nest L).modes = FlatLayout.coalesce L := by
  rw [nest_modes]
  split
  · subst L; rfl
  · rfl

theorem size_nest (L : FlatLayout) : (nest L).size = FlatLayout.size L := by
  rw [Layout.size, nest_modes]
  split
  · subst L; rfl
  · rfl

theorem atIndex_nest (L : FlatLayout) (x : Nat) : atIndex (nest L).modes x = atIndex L x := by
  rw [nest_modes]
  split
  · subst L; simp [atIndex_cons]
  · rfl

theorem lengthList_leaves (L : FlatLayout) : lengthList (L.map fun _ => (.leaf () : Profile)) = L.length := by
  induction L with
  | nil => rfl
  | cons m L ih => simp only [List.map, lengthList, HTuple.length, ih, List.length_cons]; omega

theorem depthList_leaves (L : FlatLayout) : depthList (L.map fun _ => (.leaf () : Profile)) = 0 := by
  induction L with
  | nil => rfl
  | cons m L ih => simp [depthList, HTuple.depth, ih]

theorem profile_length_nest (L : FlatLayout) : (nest L).profile.length = (nest L).modes.length := by
  match L with
  | [] => rfl
  | [m] => rfl
  | m :: n :: L => exact lengthList_leaves (m :: n :: L)

end Layout

end Razorgirl
