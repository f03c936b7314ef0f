module

public import Razorgirl.Thm.Layout.Basic.Nested

@[expose] public section

/-!
# What the proofs about operations on layouts share

The set of offsets by recursion on the modes, and the way between a layout and its tree where only the number of leaves
is known to be right. Used by the proofs about coalescing, finding, sorting, filtering and slicing.
-/

namespace Razorgirl

namespace FlatLayout.Aux

theorem maximum_congr {l l' : List Nat} (h : ∀ x, x ∈ l ↔ x ∈ l') : maximum l = maximum l' :=
  Nat.le_antisymm (maximum_le fun x hx => le_maximum ((h x).mp hx))
    (maximum_le fun x hx => le_maximum ((h x).mpr hx))

theorem cosize_congr {A B : FlatLayout} (h : ∀ o, o ∈ offsets A ↔ o ∈ offsets B) : cosize A = cosize B := by
  rw [cosize_eq_offsets, cosize_eq_offsets, maximum_congr h]

theorem mem_offsets_nil {o : Nat} : o ∈ offsets [] ↔ o = 0 := by
  rw [mem_offsets_iff_eval]
  constructor
  · rintro ⟨c, _, rfl⟩; exact eval_nil c
  · rintro rfl; exact ⟨[], trivial, rfl⟩

theorem mem_offsets_cons {m : Mode} {L : FlatLayout} {o : Nat} :
    o ∈ offsets (m :: L) ↔ ∃ k, k < m.extent ∧ ∃ o', o' ∈ offsets L ∧ o = k * m.stride + o' := by
  rw [mem_offsets_iff_eval]
  constructor
  · rintro ⟨c, hc, rfl⟩
    cases c with
    | nil => simp [shape, InBounds] at hc
    | cons k c => exact ⟨k, hc.1, _, (mem_offsets_iff_eval _ _).mpr ⟨c, hc.2, rfl⟩, rfl⟩
  · rintro ⟨k, hk, o', ho', rfl⟩
    obtain ⟨c, hc, rfl⟩ := (mem_offsets_iff_eval _ _).mp ho'
    exact ⟨k :: c, ⟨hk, hc⟩, rfl⟩

theorem mem_offsets_append {A B : FlatLayout} {o : Nat} :
    o ∈ offsets (A ++ B) ↔ ∃ a, a ∈ offsets A ∧ ∃ b, b ∈ offsets B ∧ o = a + b := by
  induction A generalizing o with
  | nil => simp [mem_offsets_nil]
  | cons m A ih =>
    rw [List.cons_append, mem_offsets_cons]
    constructor
    · rintro ⟨k, hk, o', ho', rfl⟩
      obtain ⟨a, ha, b, hb, rfl⟩ := ih.mp ho'
      exact ⟨_, mem_offsets_cons.mpr ⟨k, hk, a, ha, rfl⟩, b, hb, by omega⟩
    · rintro ⟨a, ha, b, hb, rfl⟩
      obtain ⟨k, hk, a', ha', rfl⟩ := mem_offsets_cons.mp ha
      exact ⟨k, hk, _, ih.mpr ⟨a', ha', b, hb, rfl⟩, by omega⟩

end FlatLayout.Aux

namespace Layout.Aux
open HTuple

theorem profile_length_ofTree (t : HTuple Mode) : (ofTree t).profile.length = (ofTree t).modes.length := by
  rw [ofTree, length_profile, length_flatten]

theorem shape_ofTree (t : HTuple Mode) : (ofTree t).shape = t.map Mode.extent := by
  rw [shape, Layout.tree_ofTree]

theorem ext' {A B : Layout} (h : A.modes = B.modes) (h' : A.profile = B.profile) : A = B := by
  cases A; cases B; simp_all

end Layout.Aux

namespace Layout
open HTuple

theorem ofTree_tree_of_length {L : Layout} (h : L.profile.length = L.modes.length) : ofTree L.tree = L := by
  unfold ofTree
  rw [flatten_tree h, profile_tree]

theorem flatten_shape_of_length {L : Layout} (h : L.profile.length = L.modes.length) :
    L.shape.flatten = FlatLayout.shape L.modes := by
  rw [shape, flatten_map, flatten_tree h, FlatLayout.shape]

theorem size_shape_of_length {L : Layout} (h : L.profile.length = L.modes.length) :
    IntTuple.size L.shape = L.size := by
  rw [IntTuple.size_eq_prod, flatten_shape_of_length h]
  rfl

theorem call_index_eq_ite {L : Layout} (h : L.profile.length = L.modes.length) (x : Nat) :
    L.call (.leaf (some x)) = if x < L.size then some (FlatLayout.atIndex L.modes x) else none := by
  rw [call, Coord.toFlat, size_shape_of_length h, flatten_shape_of_length h]
  split <;> rfl

end Layout

end Razorgirl
