module

public import Razorgirl.Spec.Layout.Composition.Weak
public import Razorgirl.Thm.Layout.Composition.Extended
public import Razorgirl.Thm.Layout.Inverse
public import Razorgirl.Thm.Relation.Layout

@[expose] public section

/-!
# Operations on layouts, as relations

What composition and inverses of layouts are as relations: composition of layouts is composition of their relations exactly where
nothing is promoted, and inverses are the relations turned round.
-/

namespace Razorgirl

namespace Layout
open FlatLayout

/-- **A layout is a composite, in whatever form, exactly if it refines B and its relation is that of A after that of B.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», composition -/
theorem weakComposite_iff_relation {A B W : Layout} (hB : B.Valid) : WeakComposite A B W ↔
    W.Valid ∧ IntTuple.refines W.shape B.shape = true ∧
      Relation.Same (relation W) (Relation.after (relation A) (relation B)) := by
  refine and_congr_right fun hW => and_congr_right fun hr => ?_
  have hs : FlatLayout.size W.modes = FlatLayout.size B.modes := by
    have := IntTuple.size_eq_of_refines hr
    rwa [size_shape hW, size_shape hB] at this
  rw [relation, relation, relation, FlatLayout.relation, FlatLayout.relation, FlatLayout.relation, hs, Relation.same_after_graph_iff]
  rfl

/-- **Where composition accepts, the composite's relation is that of A after that of B.**
Rust: `razorgirl::Layout::composition`
Source: «Modeling Layout Abstractions Using Integer Set Relations», composition -/
theorem relation_composition {A B R : Layout} (hB : B.Valid) (h : composition A B = some R) :
    Relation.Same (relation R) (Relation.after (relation A) (relation B)) := by
  have hc := composition_sound hB h
  exact ((weakComposite_iff_relation hB).mp ⟨hc.1, isComposite_refines hc, hc.2.2⟩).2.2

/-- **Nothing is promoted exactly if every offset of B is an index of A.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», promotion -/
theorem promotes_iff {A B : Layout} : promotes A B = true ↔ ∃ x, x < B.size ∧ A.size ≤ atIndex B.modes x := by
  simp only [promotes, List.any_eq_true, List.mem_range, decide_eq_true_eq]

/-- **Layouts promote exactly if their relations do.**
Rust: `razorgirl::Layout::promotes`
Source: «Modeling Layout Abstractions Using Integer Set Relations», promotion -/
theorem promotes_relation (A B : Layout) : Relation.promotes (relation A) (relation B) = promotes A B := by
  rw [Bool.eq_iff_iff, Relation.promotes_iff.1, promotes_iff]
  simp only [relation, FlatLayout.relation, Relation.mem_graph]
  constructor
  · rintro ⟨_, _, ⟨x, hx, rfl, rfl⟩, h⟩
    exact ⟨x, hx, Nat.le_of_not_lt fun l => h _ ⟨_, l, rfl, rfl⟩⟩
  · rintro ⟨x, hx, h⟩
    refine ⟨_, _, ⟨x, hx, rfl, rfl⟩, ?_⟩
    rintro z ⟨y, hy, e, rfl⟩
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
    subst e
    exact Nat.not_lt.mpr h hy

/-- **The composite of relations is the extended composition's relation, restricted to the indices whose offset in B lies in the
domain of A; the two are the same exactly if nothing is promoted.**
Rust: `razorgirl::Layout::composition_extended`
Source: «Modeling Layout Abstractions Using Integer Set Relations», composition and promotion; CuTe `composition` -/
theorem relation_compositionExtended {A B R : Layout} (hA : A.Valid) (hB : B.Valid) (h : compositionExtended A B = some R) :
    (∀ x o : Nat, ([(x : Int)], [(o : Int)]) ∈ Relation.after (relation A) (relation B) ↔
      ([(x : Int)], [(o : Int)]) ∈ relation R ∧ atIndex B.modes x < A.size) ∧
    (Relation.Same (relation R) (Relation.after (relation A) (relation B)) ↔ promotes A B = false) := by
  have hs : R.size = B.size := by
    rcases compositionExtended_isComposite hB h with h | ⟨_, ms, _, h⟩
    · exact isComposite_size hB h
    · exact isComposite_size hB h
  have hs : FlatLayout.size R.modes = FlatLayout.size B.modes := hs
  have at_ := fun {x : Nat} (hx : x < FlatLayout.size B.modes) (hin : atIndex B.modes x < FlatLayout.size A.modes) =>
    compositionExtended_atIndex hA hB h hx hin
  constructor
  · intro x o
    rw [relation, relation, relation, FlatLayout.relation, FlatLayout.relation, FlatLayout.relation, Relation.mem_after_graph,
      Relation.mem_graph_pair, hs]
    constructor
    · rintro ⟨hx, hin, rfl⟩
      exact ⟨⟨hx, (at_ hx hin).symm⟩, hin⟩
    · rintro ⟨⟨hx, rfl⟩, hin⟩
      exact ⟨hx, hin, at_ hx hin⟩
  · rw [relation, relation, relation, FlatLayout.relation, FlatLayout.relation, FlatLayout.relation, hs,
      Relation.same_after_graph_iff, ← Bool.not_eq_true, promotes_iff]
    constructor
    · rintro k ⟨x, hx, ho⟩
      exact Nat.not_lt.mpr ho (k x hx).1
    · intro k x hx
      have hin := Nat.lt_of_not_le fun ho => k ⟨x, hx, ho⟩
      exact ⟨hin, at_ hx hin⟩

/-- **The relation of the inverse is the layout's, turned round.**
Rust: `razorgirl::Layout::inverse`
Source: «Modeling Layout Abstractions Using Integer Set Relations», inverse -/
theorem relation_inverse {L R : Layout} (hL : L.Valid) (h : inverse L = some R) :
    Relation.Same (relation R) (Relation.inverse (relation L)) := by
  have key := inverse_call_iff hL h
  obtain ⟨R', h', rfl⟩ := inverse_eq_some_iff.1 h
  have hR := FlatLayout.leftInverse_valid (FlatLayout.coalesce_valid hL.2) (FlatLayout.inverse_eq_some_iff.1 h').2
  simp only [call_index_eq_some_iff hL, call_index_eq_some_iff (valid_nest hR.1)] at key
  rw [relation, relation, FlatLayout.relation, FlatLayout.relation, Relation.same_inverse_graph_iff]
  refine ⟨fun x hx => ?_, fun o ho => ?_⟩
  · exact (key x _).mp ⟨hx, rfl⟩
  · exact (key _ o).mpr ⟨ho, rfl⟩

/-- **A left inverse after the layout is the identity on the layout's domain.**
Rust: `razorgirl::Layout::left_inverse`
Source: «Modeling Layout Abstractions Using Integer Set Relations», left inverse -/
theorem relation_leftInverse {L R : Layout} (hL : L.Valid) (h : leftInverse L = some R) :
    Relation.Same (Relation.graph L.size id) (Relation.after (relation R) (relation L)) := by
  rw [relation, relation, FlatLayout.relation, FlatLayout.relation, Layout.size, Relation.same_after_graph_iff]
  intro x hx
  have := (call_index_eq_some_iff (leftInverse_valid hL h).1).1 (leftInverse_call hL h ((call_index_eq_some_iff hL).2 ⟨hx, rfl⟩))
  exact ⟨this.1, this.2.symm⟩

/-- **The layout after its right inverse is the identity on the right inverse's domain.** How far that reaches is said of
`right_inverse` itself.
Rust: `razorgirl::Layout::right_inverse`
Source: «Modeling Layout Abstractions Using Integer Set Relations», right inverse -/
theorem relation_rightInverse {L : Layout} (hL : L.Valid) :
    Relation.Same (Relation.graph (rightInverse L).size id) (Relation.after (relation L) (relation (rightInverse L))) := by
  rw [relation, relation, FlatLayout.relation, FlatLayout.relation, Layout.size, Relation.same_after_graph_iff]
  intro o ho
  obtain ⟨x, h1, h2⟩ := rightInverse_call hL ho
  obtain ⟨_, rfl⟩ := (call_index_eq_some_iff (rightInverse_valid L).1).1 h1
  obtain ⟨h3, h4⟩ := (call_index_eq_some_iff hL).1 h2
  exact ⟨h3, h4.symm⟩

/-- (2,1):(1,80) after (2,2):(2,1) is promoted: the offsets 2 and 3 of the inner layout leave the outer one's domain, and of the
four pairs of the extended composition two are pairs of the composite. -/
theorem promotion_counterexample :
    let A : Layout := ⟨[⟨2, 1⟩, ⟨1, 80⟩], .node [.leaf (), .leaf ()]⟩
    let B : Layout := ⟨[⟨2, 2⟩, ⟨2, 1⟩], .node [.leaf (), .leaf ()]⟩
    promotes A B = true ∧ (Relation.after (relation A) (relation B)).length = 2 := by decide

end Layout

end Razorgirl
