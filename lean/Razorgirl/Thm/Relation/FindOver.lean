module

public import Razorgirl.Spec.Layout.FindOver.Unsigned
public import Razorgirl.Thm.Layout.Composition.Laws
public import Razorgirl.Thm.Layout.FindOver.Unsigned
public import Razorgirl.Thm.Relation.Recover

@[expose] public section

/-!
# Layouts recovered from relations, and found over a shape

`fromShape` asks for one mode at each extent of the shape, and strides from 0. `findOver` looks among all refinements of the shape,
all strides and all constants. So the first is the second where that answers the constant 0 and one mode, with a stride from 0, on each
axis; and what the second answers with the constant 0 and strides from 0 is a layout whose relation it is.
-/

namespace Razorgirl

open FindOver HTuple

namespace FindOver

theorem flatten_leaves {α : Type} (l : List α) : (HTuple.node (l.map HTuple.leaf)).flatten = l := by
  rw [HTuple.flatten]
  induction l with
  | nil => rfl
  | cons x l ih => rw [List.map_cons, flattenList, ih]; rfl

theorem positive_leaves {s : List Nat} (hs : ∀ n ∈ s, 0 < n) : IntTuple.Positive (.node (s.map HTuple.leaf)) := by
  rw [IntTuple.positive_iff_mem, flatten_leaves]
  exact hs

theorem coalescedAxis_leaf {n : Nat} {m : Mode} :
    CoalescedAxis n (.leaf (withSign m)) ↔ m.extent = n ∧ (if m.extent = 1 then ⟨1, 0⟩ else m) = m := by
  obtain ⟨e, d⟩ := m
  have size : Stride.size [((e : Nat), (d : Int))] = e := by exact Nat.mul_one e
  show Stride.size [(e, (d : Int))] = n ∧ nest (Stride.coalesce [(e, (d : Int))]) = .leaf (e, (d : Int)) ↔ _
  rw [size]
  refine and_congr_right fun _ => ?_
  show nest (Stride.push (e, (d : Int)) []) = _ ↔ _
  by_cases h : e = 1
  · subst h
    simp only [Stride.push, if_true, nest, HTuple.leaf.injEq, Prod.mk.injEq, true_and, Mode.mk.injEq]
    omega
  · simp [Stride.push, h, nest]

theorem coalescedOverList_leaves : {s : List Nat} → {L : FlatLayout} →
    (CoalescedOverList (s.map HTuple.leaf) ((withSigns L).map HTuple.leaf) ↔
      FlatLayout.shape L = s ∧ FlatLayout.normalize L = L)
  | [], [] => by simp [withSigns, CoalescedOverList, FlatLayout.shape, FlatLayout.normalize]
  | [], m :: L => by simp [withSigns, CoalescedOverList, FlatLayout.shape]
  | n :: s, [] => by simp [withSigns, CoalescedOverList, FlatLayout.shape]
  | n :: s, m :: L => by
    have ih := coalescedOverList_leaves (s := s) (L := L)
    show CoalescedAxis n (.leaf (withSign m)) ∧ CoalescedOverList (s.map HTuple.leaf) ((withSigns L).map HTuple.leaf) ↔ _
    rw [ih, coalescedAxis_leaf, FlatLayout.normalize_cons]
    change _ ↔ m.extent :: FlatLayout.shape L = n :: s ∧ _
    simp only [List.cons.injEq]
    exact ⟨fun ⟨⟨a, b⟩, c, d⟩ => ⟨⟨a, c⟩, b, d⟩, fun ⟨⟨a, c⟩, b, d⟩ => ⟨⟨a, b⟩, c, d⟩⟩

end FindOver

/-- **From mapping and shape: a layout is recovered exactly where the search over that shape, each extent a mode, answers the constant 0
and its modes.**
Rust: `razorgirl::relation::Relation::with_shape`, `razorgirl::Layout::find_layout_over`
Source: «Modeling Layout Abstractions Using Integer Set Relations», from mapping and shape -/
theorem FlatLayout.fromShape_eq_some_iff_findOver {s : List Nat} {g : Nat → Nat} {r : Relation} {L : FlatLayout}
    (hs : ∀ n ∈ s, 0 < n) (h : Relation.Same (Relation.graph (prod s) g) r) :
    fromShape s r = some L ↔
      findOver (.node (s.map .leaf)) (fun c => (g (crd2idx s c) : Int)) = .ok (0, .node ((withSigns L).map .leaf)) := by
  rw [fromShape_eq_some_iff hs, findOver_eq_ok_iff (positive_leaves hs), flatten_leaves]
  show _ ↔ CoalescedOverList _ _ ∧ _
  rw [coalescedOverList_leaves, and_assoc]
  refine and_congr_right fun hL => and_congr_right fun _ => ?_
  have same : Relation.Same (relation L) r ↔ Relation.Same (relation L) (Relation.graph (prod s) g) :=
    ⟨fun k p => (k p).trans (h p).symm, fun k p => (k p).trans (h p)⟩
  rw [same, relation, Relation.same_graph_iff, size, hL]
  simp only [value, flatten_leaves, at_withSigns, Int.zero_add, Int.natCast_inj]
  constructor
  · exact fun k c hc => (k.2 _ (crd2idx_lt hc)).symm
  · refine fun k => ⟨trivial, fun x hx => ?_⟩
    have := k _ (inBounds_idx2crd_of_lt hx)
    rw [crd2idx_idx2crd hx] at this
    exact this.symm

namespace Layout

theorem size_of_coalescedOver {S : IntTuple} {R : Layout} (hR : R.Valid) (h : FindOver.CoalescedOver S (signedTree R)) :
    FlatLayout.size R.modes = IntTuple.size S ∧ IntTuple.refines R.shape S = true := by
  have hr : IntTuple.refines ((signedTree R).map Prod.fst) S = true := (plant_of_coalescedOver S (signedTree R) [] h).1
  rw [signedTree, map_map] at hr
  have hr : IntTuple.refines R.shape S = true := hr
  have := IntTuple.size_eq_of_refines hr
  rw [size_shape hR] at this
  exact ⟨this, hr⟩

/-- **The search over a shape answers the constant 0 and a layout with strides from 0 exactly where the layout, coalesced on each axis, has
the relation of the function.**
Rust: `razorgirl::Layout::find_layout_over`
Source: «Modeling Layout Abstractions Using Integer Set Relations», from mapping and shape; refinements of the shape are ours -/
theorem findOver_eq_ok_iff_relation {S : IntTuple} (hS : IntTuple.Positive S) {g : Nat → Nat} {R : Layout} (hR : R.Valid) :
    findOver S (fun c => (g (crd2idx S.flatten c) : Int)) = .ok (0, signedTree R) ↔
      FindOver.CoalescedOver S (signedTree R) ∧ Relation.Same (relation R) (Relation.graph (IntTuple.size S) g) := by
  rw [findOver_eq_ok_iff hS]
  refine and_congr_right fun co => ?_
  rw [relation, FlatLayout.relation, Relation.same_graph_iff, (size_of_coalescedOver hR co).1, IntTuple.size_eq_prod]
  simp only [value_signedTree hR, Int.zero_add, Int.natCast_inj]
  constructor
  · refine fun k => ⟨trivial, fun x hx => ?_⟩
    have := k _ (inBounds_idx2crd_of_lt hx)
    rw [crd2idx_idx2crd hx] at this
    exact this.symm
  · exact fun k c hc => (k.2 _ (crd2idx_lt hc)).symm

/-- **A relation is that of some layout over some refinement of a shape exactly where the search answers the constant 0 and strides from
0.**
Rust: `razorgirl::Layout::find_layout_over`
Source: «Modeling Layout Abstractions Using Integer Set Relations», from mapping and shape; refinements of the shape are ours -/
theorem exists_relation_iff_findOver {S : IntTuple} (hS : IntTuple.Positive S) {g : Nat → Nat} :
    (∃ R : Layout, R.Valid ∧ IntTuple.refines R.shape S = true ∧
        Relation.Same (relation R) (Relation.graph (IntTuple.size S) g)) ↔
      ∃ R : Layout, R.Valid ∧ findOver S (fun c => (g (crd2idx S.flatten c) : Int)) = .ok (0, signedTree R) := by
  constructor
  · rintro ⟨W, hW, hr, hs⟩
    rw [relation, FlatLayout.relation, Relation.same_graph_iff] at hs
    have sz : (columnMajor S).size = IntTuple.size S := by
      rw [← size_shape (columnMajor_valid hS), columnMajor_shape]
    obtain ⟨R, _, hR⟩ := isComposite_of_weak (A := W) (B := columnMajor S) (W := W)
      ⟨hW, by rwa [columnMajor_shape], fun x hx => by
        rw [sz] at hx
        rw [columnMajor_atIndex hx]
        exact ⟨by rw [Layout.size, hs.1]; exact hx, rfl⟩⟩
    obtain ⟨h1, _, h3⟩ := (withShapeComplete_eq_some_iff_findOver hS).mp ((withShapeComplete_iff hS).mpr hR)
    refine ⟨R, h1, ?_⟩
    rw [findOver_eq_ok_iff hS] at h3 ⊢
    refine ⟨h3.1, fun c hc => ?_⟩
    rw [← h3.2 c hc, hs.2 _ (by rw [hs.1, IntTuple.size_eq_prod]; exact crd2idx_lt hc)]
  · rintro ⟨R, hR, h⟩
    obtain ⟨co, hs⟩ := (findOver_eq_ok_iff_relation hS hR).mp h
    exact ⟨R, hR, (size_of_coalescedOver hR co).2, hs⟩

end Layout

/-- 0, 1, 3, 4 is no layout of one mode, and (2,2):(1,3) over a refinement of it. 5, 6 is 2:1 with the constant 5, and 1, 0 has the
stride -1: the search answers both, and no layout has their relations. -/
theorem FlatLayout.fromShape_counterexample :
    (fromShape [4] [([0], [0]), ([1], [1]), ([2], [3]), ([3], [4])] = none ∧
      findOver (.leaf 4) (fun c => ([0, 1, 3, 4].getD (crd2idx [4] c) 0 : Int)) =
        .ok (0, .node [.leaf (2, 1), .leaf (2, 3)])) ∧
    (fromShape [2] [([0], [5]), ([1], [6])] = none ∧
      findOver (.leaf 2) (fun c => ([5, 6].getD (crd2idx [2] c) 0 : Int)) = .ok (5, .leaf (2, 1))) ∧
    (fromShape [2] [([0], [1]), ([1], [0])] = none ∧
      findOver (.leaf 2) (fun c => ([1, 0].getD (crd2idx [2] c) 0 : Int)) = .ok (1, .leaf (2, -1))) :=
  ⟨⟨by decide +kernel, rfl⟩, ⟨by decide +kernel, rfl⟩, by decide +kernel, rfl⟩

end Razorgirl
