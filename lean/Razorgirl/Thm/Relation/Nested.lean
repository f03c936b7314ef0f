module

public import Razorgirl.Spec.Relation.Nested
public import Razorgirl.Thm.Layout.Basic.Nested
public import Razorgirl.Thm.Relation.Layout

@[expose] public section

/-!
# Index mappings of nested layouts: what is proved

For every coarser shape, the layout mapping is the index mapping after the coordinate mapping, and each may be had from the others.
-/

namespace Razorgirl

namespace Layout
open HTuple

theorem mem_indexRelation {L : Layout} {S : IntTuple} (hL : L.Valid) (hS : IntTuple.compatible S L.shape = true) {a b : List Int} :
    (a, b) ∈ L.indexRelation S ↔ ∃ x, x < L.size ∧ a = (idx2crd S.flatten x).map (fun (i : Nat) => (i : Int)) ∧
      b = [((FlatLayout.atIndex L.modes x : Nat) : Int)] := by
  have size : IntTuple.size S = L.size := by rw [← size_shape hL, IntTuple.size_eq_of_refines hS]
  have at_ : ∀ x, x < IntTuple.size S → ∃ c, Coord.idx2crd x S = some c ∧
      L.call (c.map some) = some (FlatLayout.atIndex L.modes x) ∧ c.flatten = idx2crd S.flatten x := fun x hx => by
    obtain ⟨c, hc⟩ := Option.isSome_iff_exists.mp ((Coord.isSome_idx2crd_iff x S).mpr hx)
    exact ⟨c, hc, call_idx2crd_of_compatible hL hS hc, Coord.flatten_idx2crd hc⟩
  simp only [indexRelation, List.mem_filterMap, List.mem_range, ← size]
  refine exists_congr fun x => and_congr_right fun hx => ?_
  obtain ⟨c, h1, h2, h3⟩ := at_ x hx
  rw [h1]
  show Option.map _ (L.call (c.map some)) = some (a, b) ↔ _
  rw [h2, h3, Option.map_some, Option.some.injEq, Prod.mk.injEq]
  exact ⟨fun ⟨e1, e2⟩ => ⟨e1.symm, e2.symm⟩, fun ⟨e1, e2⟩ => ⟨e1.symm, e2.symm⟩⟩

/-- **Called with the coordinates of any coarser shape, however nested: the layout mapping is the index mapping after the coordinate
mapping, and the index mapping is the layout mapping after the coordinate mapping turned round.**
Rust: `razorgirl::Layout::offset`
Source: «Modeling Layout Abstractions Using Integer Set Relations», hierarchical layouts -/
theorem relation_eq_after_indexRelation {L : Layout} {S : IntTuple} (hL : L.Valid) (hS : IntTuple.compatible S L.shape = true) :
    Relation.Same (relation L) (Relation.after (L.indexRelation S) (coordRelation S.flatten)) ∧
    Relation.Same (L.indexRelation S) (Relation.after (relation L) (Relation.inverse (coordRelation S.flatten))) := by
  have size : prod S.flatten = L.size := by rw [← IntTuple.size_eq_prod, ← size_shape hL, IntTuple.size_eq_of_refines hS]
  have inj : ∀ {s t : List Nat}, s.map (fun (c : Nat) => (c : Int)) = t.map (fun (c : Nat) => (c : Int)) → s = t := fun {s t} h =>
    List.map_inj_right (fun _ _ e => Int.natCast_inj.mp e) |>.mp h
  constructor
  · rintro ⟨a, b⟩
    simp only [relation, FlatLayout.relation, Relation.mem_after, Relation.mem_graph, FlatLayout.mem_coordRelation, size,
      mem_indexRelation hL hS]
    constructor
    · rintro ⟨x, hx, rfl, rfl⟩
      exact ⟨_, ⟨x, hx, rfl, rfl⟩, x, hx, rfl, rfl⟩
    · rintro ⟨_, ⟨x, hx, rfl, rfl⟩, y, hy, e, rfl⟩
      have e := congrArg (crd2idx S.flatten) (inj e)
      rw [crd2idx_idx2crd (by rwa [size]), crd2idx_idx2crd (by rwa [size])] at e
      exact ⟨x, hx, rfl, by rw [e]⟩
  · rintro ⟨a, b⟩
    simp only [relation, FlatLayout.relation, Relation.mem_after, Relation.mem_inverse, Relation.mem_graph, FlatLayout.mem_coordRelation,
      size, mem_indexRelation hL hS]
    constructor
    · rintro ⟨x, hx, rfl, rfl⟩
      exact ⟨_, ⟨x, hx, rfl, rfl⟩, x, hx, rfl, rfl⟩
    · rintro ⟨_, ⟨x, hx, rfl, rfl⟩, y, _, e, rfl⟩
      simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
      subst e
      exact ⟨x, hx, rfl, rfl⟩

end Layout

end Razorgirl
