module

public import Razorgirl.Thm.Layout.Basic
public import Razorgirl.Thm.IterDomain.Merge
public import Razorgirl.Thm.IterDomain.Reorder

@[expose] public section

/-!
# Transformations that are layouts

A tensor whose domains have strides is a layout; its modes are the domains, outermost first. Seen from the loops that
a split or a reordering makes, it is again a layout, with the modes given here. Seen from a merged loop it is the
nested mode with the inner part first, which is a single mode only if there is no gap. Resizing on the left and
swizzles are no layouts.
-/

namespace Razorgirl.IterDomain.Transform
open FlatLayout

/-! ## Index maps -/

/-- **The backward map of an inner split by d is the layout with strides d and 1.**
Source: nvFuser `Split`; CuTe `make_layout` -/
theorem innerSplit_bwd_layout (N n d o j : Nat) :
    (innerSplit d).bwd [(N : Int)] [(o : Int), (j : Int)] = [((eval [⟨n, d⟩, ⟨d, 1⟩] [o, j] : Nat) : Int)] := by
  show [(o : Int) * d + j] = _
  simp [eval]

/-- **The backward map of an outer split by k is the layout with strides ⌈N/k⌉ and 1.**
Source: nvFuser `Split` with an outer factor; CuTe `make_layout` -/
theorem outerSplit_bwd_layout {k M : Nat} (N o j : Nat) (hM : Division.cdiv N k = M) :
    (outerSplit k).bwd [(N : Int)] [(o : Int), (j : Int)] = [((eval [⟨k, M⟩, ⟨M, 1⟩] [o, j] : Nat) : Int)] := by
  show [(o : Int) * Division.cdiv N k + j] = _
  simp [eval, hM]

/-- **The forward map of a merge is the row-major layout.**
Source: nvFuser `Merge`; CuTe `make_layout` with `GenRowMajor` -/
theorem merge_fwd_layout (N₀ N₁ a b : Nat) :
    merge.fwd [(N₀ : Int), (N₁ : Int)] [(a : Int), (b : Int)] =
      [((eval [⟨N₀, N₁⟩, ⟨N₁, 1⟩] [a, b] : Nat) : Int)] := by
  show [(a : Int) * N₁ + b] = _
  simp [eval]

/-- **The backward map of a merge is CuTe's `idx2crd`, the inner domain first.**
Source: nvFuser `Merge`; CuTe `idx2crd` -/
theorem merge_bwd_idx2crd {N₀ N₁ i : Nat} (h : i < N₀ * N₁) :
    merge.bwd [(N₀ : Int), (N₁ : Int)] [(i : Int)] = ((idx2crd [N₁, N₀] i).map Int.ofNat).reverse := by
  show [(i : Int) / N₁, (i : Int) % N₁] = [((i / N₁ % N₀ : Nat) : Int), ((i % N₁ : Nat) : Int)]
  rw [Nat.mod_eq_of_lt (Nat.div_lt_of_lt_mul (by rwa [Nat.mul_comm] at h))]
  simp

/-! ## Tensors with strides -/

theorem eval_split {A : FlatLayout} {a : List Nat} (h : a.length = A.length) (B : FlatLayout) (b : List Nat)
    (N n d s o j : Nat) :
    eval (A ++ ⟨N, s⟩ :: B) (a ++ (o * d + j) :: b) = eval (A ++ ⟨n, d * s⟩ :: ⟨d, s⟩ :: B) (a ++ o :: j :: b) := by
  rw [eval_append h, eval_append h]
  simp [eval, Nat.add_mul, Nat.mul_assoc, Nat.add_assoc]

/-- **A mode N:s that is split by d, among any others, is the two modes n:d·s and d:s, where n and d are the extents
after the split: at the index that the split takes (o,j) back to, the one has the offset that the other has at (o,j).**
Source: nvFuser `Split`; CuTe `logical_divide` -/
theorem innerSplit_strided {A : FlatLayout} {a : List Nat} (h : a.length = A.length) (B : FlatLayout) (b : List Nat)
    {N n d s o j x : Nat} (_hn : (innerSplit (d : Int)).ext [(N : Int)] = [(n : Int), (d : Int)])
    (hx : (innerSplit (d : Int)).bwd [(N : Int)] [(o : Int), (j : Int)] = [(x : Int)]) :
    eval (A ++ ⟨N, s⟩ :: B) (a ++ x :: b) = eval (A ++ ⟨n, d * s⟩ :: ⟨d, s⟩ :: B) (a ++ o :: j :: b) := by
  have hx : (o : Int) * d + j = x := (List.cons.inj hx).1
  obtain rfl : o * d + j = x := by exact_mod_cast hx
  exact eval_split h B b N n d s o j

/-- **A mode N:s that is split into k parts, among any others, is the two modes k:m·s and m:s, where k and m are the
extents after the split: at the index that the split takes (o,j) back to, the one has the offset that the other has at
(o,j).**
Source: nvFuser `Split` with an outer factor -/
theorem outerSplit_strided {A : FlatLayout} {a : List Nat} (h : a.length = A.length) (B : FlatLayout) (b : List Nat)
    {N k m s o j x : Nat} (hm : (outerSplit (k : Int)).ext [(N : Int)] = [(k : Int), (m : Int)])
    (hx : (outerSplit (k : Int)).bwd [(N : Int)] [(o : Int), (j : Int)] = [(x : Int)]) :
    eval (A ++ ⟨N, s⟩ :: B) (a ++ x :: b) = eval (A ++ ⟨k, m * s⟩ :: ⟨m, s⟩ :: B) (a ++ o :: j :: b) := by
  have hm : Division.cdiv N k = m := (List.cons.inj (List.cons.inj hm).2).1
  have hx : (o : Int) * Division.cdiv N k + j = x := (List.cons.inj hx).1
  rw [hm] at hx
  obtain rfl : o * m + j = x := by exact_mod_cast hx
  exact eval_split h B b N k m s o j

/-- **Two modes that are merged are the nested mode of both, the inner one first, at a linear index.**
Source: nvFuser `Merge`; CuTe `make_layout` -/
theorem merge_strided {N₀ N₁ i : Nat} (s₀ s₁ : Nat) (h : i < N₀ * N₁) :
    eval [⟨N₀, s₀⟩, ⟨N₁, s₁⟩] [i / N₁, i % N₁] = atIndex [⟨N₁, s₁⟩, ⟨N₀, s₀⟩] i := by
  rw [atIndex_cons, atIndex_singleton]
  simp only [eval]
  rw [Nat.mod_eq_of_lt (Nat.div_lt_of_lt_mul (by rwa [Nat.mul_comm] at h))]
  omega

/-- **Two modes that are merged are a single mode exactly when the outer one continues the inner one, or one of them has
extent 1.**
Source: nvFuser `Merge`; CuTe `coalesce` -/
theorem merge_one_mode_iff {N₀ N₁ : Nat} (s₀ s₁ : Nat) (h₀ : 0 < N₀) (h₁ : 0 < N₁) :
    (∃ s, ∀ i, i < N₀ * N₁ → eval [⟨N₀, s₀⟩, ⟨N₁, s₁⟩] [i / N₁, i % N₁] = eval [⟨N₀ * N₁, s⟩] [i]) ↔
      N₀ = 1 ∨ N₁ = 1 ∨ s₀ = N₁ * s₁ := by
  simp only [eval, Nat.add_zero]
  constructor
  · rintro ⟨s, h⟩
    by_cases h0 : N₀ = 1
    · exact .inl h0
    · by_cases h1 : N₁ = 1
      · exact .inr (.inl h1)
      · have e1 := Nat.mul_le_mul_right N₁ (show 2 ≤ N₀ by omega)
        have e2 := h 1 (by omega)
        have e3 := h N₁ (by omega)
        rw [Nat.div_eq_of_lt (by omega), Nat.mod_eq_of_lt (by omega)] at e2
        rw [Nat.div_self h₁, Nat.mod_self] at e3
        obtain rfl : s₁ = s := by omega
        exact .inr (.inr (by omega))
  · rintro (rfl | rfl | rfl)
    · refine ⟨s₁, fun i hi => ?_⟩
      rw [Nat.div_eq_of_lt (by omega), Nat.mod_eq_of_lt (by omega)]
      omega
    · refine ⟨s₀, fun i _ => ?_⟩
      rw [Nat.div_one, Nat.mod_one]
      omega
    · refine ⟨s₁, fun i _ => ?_⟩
      rw [← Nat.mul_assoc, ← Nat.add_mul, Nat.mul_comm (i / N₁), Nat.div_add_mod]

theorem eval_eq_sum {L : FlatLayout} {c : List Nat} (h : c.length = L.length) :
    eval L c = ((List.range L.length).map fun k => c.getD k 0 * (L.getD k ⟨1, 0⟩).stride).sum := by
  induction L generalizing c with
  | nil => simp [eval_nil]
  | cons m L ih =>
    cases c with
    | nil => simp at h
    | cons x c =>
      rw [eval, ih (by simpa using h), List.length_cons, List.range_succ_eq_map, List.map_cons, List.sum_cons,
        List.map_map]
      simp [Function.comp_def]

/-- **Reordered loops see the reordered modes.**
Source: nvFuser `reorder`; CuTe `select` -/
theorem reorder_strided {L : FlatLayout} {c : List Nat} {p : List Nat} (h : isOrder L.length p = true)
    (hc : c.length = L.length) : eval (pick ⟨1, 0⟩ p L) (pick 0 p c) = eval L c := by
  have hl := isOrder_length h
  rw [eval_eq_sum (by rw [length_pick, length_pick]), eval_eq_sum hc, length_pick]
  rw [show (List.range p.length).map (fun k => (pick 0 p c).getD k 0 * ((pick ⟨1, 0⟩ p L).getD k ⟨1, 0⟩).stride) =
    p.map fun k => c.getD k 0 * (L.getD k ⟨1, 0⟩).stride by
      refine List.ext_getElem (by simp) fun k h1 h2 => ?_
      have hk : k < p.length := by simpa using h2
      simp only [List.getElem_map, List.getElem_range]
      rw [getD_pick _ _ hk, getD_pick _ _ hk, List.getD_eq_getElem?_getD (l := p), List.getElem?_eq_getElem hk]
      rfl]
  exact ((isOrder_perm h).map _).sum_nat

/-! ## What is no layout -/

/-- **A domain padded on the left is no layout: its first loop index is not index 0.**
Source: nvFuser `Resize` -/
theorem resize_no_layout {L : Int} (hL : L ≠ 0) (N R : Int) (m : Mode) :
    (resize L R).bwd [N] [0] ≠ [((eval [m] [0] : Nat) : Int)] := by
  show [0 - L] ≠ _
  simp [eval]
  omega

/-- **A swizzle by exclusive or is no layout: already in a 2×2 box no strides give its row-major numbers.**
Source: nvFuser `Swizzle` -/
theorem xor_no_layout (s₀ s₁ : Nat) :
    ¬ ∀ x y, x < 2 → y < 2 → eval [⟨2, s₀⟩, ⟨2, s₁⟩] [x, y] = 2 * x + (x ^^^ y) := by
  intro h
  have h1 := h 0 1 (by omega) (by omega)
  have h2 := h 1 0 (by omega) (by omega)
  have h3 := h 1 1 (by omega) (by omega)
  simp [eval] at h1 h2 h3
  omega

/-- A 12:1 split by 4: 3:4 and 4:1. -/
example : eval [⟨12, 1⟩] [2 * 4 + 3] = eval [⟨3, 4⟩, ⟨4, 1⟩] [2, 3] := by decide
/-- 3 rows of 4 at distance 5, merged: index 7 is row 1, column 3, offset 8. -/
example : atIndex [⟨4, 1⟩, ⟨3, 5⟩] 7 = 8 := by decide

end Razorgirl.IterDomain.Transform
