module

public import Razorgirl.Thm.Coord.Nested
public import Razorgirl.Thm.Layout.Basic

@[expose] public section

/-!
# What the proofs about operations on layouts share

Injectivity on linear indices, the set of offsets by recursion on the modes, and the way between a layout and
its tree. Used by the proofs about coalescing, finding, sorting, filtering and slicing.
-/

namespace Razorgirl

namespace FlatLayout.Aux

theorem maximum_congr {l l' : List Nat} (h : ∀ x, x ∈ l ↔ x ∈ l') : maximum l = maximum l' :=
  Nat.le_antisymm (maximum_le fun x hx => le_maximum ((h x).mp hx))
    (maximum_le fun x hx => le_maximum ((h x).mpr hx))

theorem cosize_congr {A B : FlatLayout} (h : ∀ o, o ∈ offsets A ↔ o ∈ offsets B) : cosize A = cosize B := by
  rw [cosize_eq_offsets, cosize_eq_offsets, maximum_congr h]

theorem injective_iff {L : FlatLayout} : Injective L ↔
    ∀ x y, x < size L → y < size L → atIndex L x = atIndex L y → x = y := by
  constructor
  · intro h x y hx hy e
    have := h _ _ (inBounds_idx2crd_of_lt hx) (inBounds_idx2crd_of_lt hy) e
    rw [← crd2idx_idx2crd hx, ← crd2idx_idx2crd hy, this]
  · intro h c c' hc hc' e
    rw [← idx2crd_crd2idx hc, ← idx2crd_crd2idx hc',
      h _ _ (crd2idx_lt hc) (crd2idx_lt hc') (by rw [atIndex_crd2idx hc, atIndex_crd2idx hc', e])]

theorem covers_iff {L : FlatLayout} : Covers L ↔ ∀ o, o < cosize L → o ∈ offsets L := by
  simp only [Covers, mem_offsets_iff_eval]

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

theorem tree_flatten {L : Layout} (h : L.profile.length = L.modes.length) : L.tree.flatten = L.modes :=
  flatten_unflatten _ _ _ h

theorem tree_profile (L : Layout) : L.tree.profile = L.profile := profile_unflatten _ _ _

theorem ofTree_tree {L : Layout} (h : L.profile.length = L.modes.length) : ofTree L.tree = L := by
  unfold ofTree
  rw [tree_flatten h, tree_profile]

theorem tree_ofTree (t : HTuple Mode) : (ofTree t).tree = t := unflatten_flatten _ t

theorem profile_length_ofTree (t : HTuple Mode) : (ofTree t).profile.length = (ofTree t).modes.length := by
  rw [ofTree, length_profile, length_flatten]

theorem shape_ofTree (t : HTuple Mode) : (ofTree t).shape = t.map Mode.extent := by
  rw [shape, tree_ofTree]

theorem shape_flatten {L : Layout} (h : L.profile.length = L.modes.length) :
    L.shape.flatten = FlatLayout.shape L.modes := by
  rw [shape, flatten_map, tree_flatten h, FlatLayout.shape]

theorem size_shape {L : Layout} (h : L.profile.length = L.modes.length) :
    IntTuple.size L.shape = L.size := by
  rw [IntTuple.size_eq_prod, shape_flatten h]
  rfl

theorem call_index {L : Layout} (h : L.profile.length = L.modes.length) (x : Nat) :
    L.call (.leaf (some x)) = if x < L.size then some (FlatLayout.atIndex L.modes x) else none := by
  rw [call, Coord.toFlat, size_shape h, shape_flatten h]
  split <;> rfl

theorem ext' {A B : Layout} (h : A.modes = B.modes) (h' : A.profile = B.profile) : A = B := by
  cases A; cases B; simp_all

end Layout.Aux

end Razorgirl
