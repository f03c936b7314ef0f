module

public import Razorgirl.Spec.Layout.Complement
public import Razorgirl.Spec.Layout.Composition
public import Razorgirl.Spec.Layout.Inverse
public import Razorgirl.Spec.Relation.Formula
public import Razorgirl.Spec.Relation.Recover
public import Razorgirl.Spec.Relation.Swizzle
public import Razorgirl.Thm.Relation.Graph

@[expose] public section

/-!
# The paper's Table 2, row by row

Each printed mapping is the mapping of the printed layout; what is missing in print are parentheses. Beside the rows stands what the
operations here answer, and where the paper's pseudo-code fails.
Source: «Modeling Layout Abstractions Using Integer Set Relations», Table 2 and sections on complement and inverse
-/

namespace Razorgirl

namespace Relation.Tables
open FlatLayout

/-- A formula and a layout are one relation if they have one value at each index. -/
theorem same_formula {n : Nat} {f : Int → Int} {L : FlatLayout} (hs : size L = n)
    (h : (List.range n).all (fun x => f x == (atIndex L x : Int)) = true) : Same (formula n f) (relation L) := by
  subst hs
  have e : formula (size L) f = relation L := List.map_congr_left fun x hx => by
    have := List.all_eq_true.mp h x hx
    rw [beq_iff_eq.mp this]
  rw [e]
  exact fun _ => Iff.rfl

/-- A layout is a composite if the inner one stays in the domain of the outer one, and the values are those. -/
theorem same_composite {A B R : FlatLayout} (hs : size R = size B)
    (h : (List.range (size B)).all (fun x => decide (atIndex B x < size A) && atIndex R x == atIndex A (atIndex B x)) = true) :
    Same (relation R) (after (relation A) (relation B)) := by
  rw [relation, hs]
  refine same_after_graph_iff.mpr fun x hx => ?_
  have := List.all_eq_true.mp h x (List.mem_range.mpr hx)
  rw [Bool.and_eq_true, decide_eq_true_eq, beq_iff_eq] at this
  exact this

/-- A layout undoes another if it takes each value back. -/
theorem same_undo {n : Nat} {A B : FlatLayout} (hs : size B = n)
    (h : (List.range (size B)).all (fun x => decide (atIndex B x < size A) && x == atIndex A (atIndex B x)) = true) :
    Same (graph n id) (after (relation A) (relation B)) := by
  subst hs
  refine same_after_graph_iff.mpr fun x hx => ?_
  have := List.all_eq_true.mp h x (List.mem_range.mpr hx)
  rw [Bool.and_eq_true, decide_eq_true_eq, beq_iff_eq] at this
  exact this

/-- A layout is injective if no value stands twice in the list of its values. -/
theorem injective_of_distinct {L : FlatLayout} (h : ((List.range (size L)).map (atIndex L)).Nodup) :
    injective (relation L) = true := by
  refine injective_graph_iff.mpr fun x y hx hy e => ?_
  have k := List.pairwise_iff_getElem.mp h
  simp only [List.length_map, List.length_range, List.getElem_map, List.getElem_range] at k
  rcases Nat.lt_trichotomy x y with l | l | l
  · exact absurd e (k x y hx hy l)
  · exact l
  · exact absurd e.symm (k y x hy hx l)

/-- **Rows on inverses: the printed mappings are those of the printed layouts. `inverse` of (4,2,2):(2,1,8) and `right_inverse` of
(4,8,2):(8,1,33) answer the printed layouts, and these undo what they should; so does the one printed for (4,2,2):(4,2,32).**
Rust: `razorgirl::Layout::inverse`, `razorgirl::Layout::right_inverse`
Source: «Modeling Layout Abstractions Using Integer Set Relations», Table 2 -/
theorem inverses :
    Same (formula 16 fun c => 7 + 2 * c + 6 * (c / 8) + 7 * ((-1 - c) / 4)) (relation [⟨4, 2⟩, ⟨2, 1⟩, ⟨2, 8⟩]) ∧
    Same (formula 16 fun c => -3 * c + 4 * (c / 8) + 7 * ((1 + c) / 2)) (relation [⟨2, 4⟩, ⟨4, 1⟩, ⟨2, 8⟩]) ∧
    FlatLayout.inverse [⟨4, 2⟩, ⟨2, 1⟩, ⟨2, 8⟩] = some [⟨2, 4⟩, ⟨4, 1⟩, ⟨2, 8⟩] ∧
    Same (graph 16 id) (after (relation [⟨2, 4⟩, ⟨4, 1⟩, ⟨2, 8⟩]) (relation [⟨4, 2⟩, ⟨2, 1⟩, ⟨2, 8⟩])) ∧
    Same (formula 64 fun c => 2 * c - 7 * (c / 4) + 28 * (c / 16) - 56 * (c / 32) + 14 * (c % 2))
      (relation [⟨2, 16⟩, ⟨2, 4⟩, ⟨4, 1⟩, ⟨2, 32⟩, ⟨2, 8⟩]) ∧
    Same (graph 16 id) (after (relation [⟨2, 16⟩, ⟨2, 4⟩, ⟨4, 1⟩, ⟨2, 32⟩, ⟨2, 8⟩]) (relation [⟨4, 4⟩, ⟨2, 2⟩, ⟨2, 32⟩])) ∧
    Same (formula 32 fun c => 31 + 4 * c + 31 * ((-1 - c) / 8)) (relation [⟨8, 4⟩, ⟨4, 1⟩]) ∧
    FlatLayout.rightInverse [⟨4, 8⟩, ⟨8, 1⟩, ⟨2, 33⟩] = [⟨8, 4⟩, ⟨4, 1⟩] ∧
    Same (graph 32 id) (after (relation [⟨4, 8⟩, ⟨8, 1⟩, ⟨2, 33⟩]) (relation [⟨8, 4⟩, ⟨4, 1⟩])) :=
  ⟨same_formula rfl (by decide +kernel), same_formula rfl (by decide +kernel), by decide +kernel, same_undo rfl (by decide +kernel),
    same_formula rfl (by decide +kernel), same_undo rfl (by decide +kernel), same_formula rfl (by decide +kernel), by decide +kernel,
    same_undo rfl (by decide +kernel)⟩

/-- **Rows on composition: each printed mapping is that of the printed layout, its relation is that of the outer layout after that of
the inner one, and `composition` answers its modes.**
Rust: `razorgirl::Layout::composition`
Source: «Modeling Layout Abstractions Using Integer Set Relations», Table 2 -/
theorem compositions :
    (Same (formula 4 fun c => -79 * c + 159 * ((1 + c) / 2)) (relation [⟨2, 80⟩, ⟨2, 1⟩]) ∧
      Same (relation [⟨2, 80⟩, ⟨2, 1⟩]) (after (relation [⟨2, 1⟩, ⟨2, 80⟩]) (relation [⟨2, 2⟩, ⟨2, 1⟩])) ∧
      (Layout.composition (nest [⟨2, 1⟩, ⟨2, 80⟩]) (nest [⟨2, 2⟩, ⟨2, 1⟩])).map (·.modes) = some [⟨2, 80⟩, ⟨2, 1⟩]) ∧
    (Same (formula 6 fun c => -4 * c + 13 * ((1 + c) / 2)) (relation [⟨2, 9⟩, ⟨3, 5⟩]) ∧
      Same (relation [⟨2, 9⟩, ⟨3, 5⟩]) (after (relation [⟨4, 2⟩, ⟨6, 3⟩, ⟨8, 5⟩, ⟨10, 7⟩]) (relation [⟨6, 12⟩])) ∧
      (Layout.composition (nest [⟨4, 2⟩, ⟨6, 3⟩, ⟨8, 5⟩, ⟨10, 7⟩]) (nest [⟨6, 12⟩])).map (·.modes) = some [⟨2, 9⟩, ⟨3, 5⟩]) ∧
    (Same (formula 3 fun c => 9 * c) (relation [⟨3, 9⟩]) ∧
      Same (relation [⟨3, 9⟩]) (after (relation [⟨4, 3⟩, ⟨2, 12⟩, ⟨8, 97⟩]) (relation [⟨3, 3⟩])) ∧
      (Layout.composition (nest [⟨4, 3⟩, ⟨2, 12⟩, ⟨8, 97⟩]) (nest [⟨3, 3⟩])).map (·.modes) = some [⟨3, 9⟩]) ∧
    (Same (formula 64 fun c => 30 + 8 * c + 8 * (c / 16) - 31 * (c / 32) + 30 * ((-1 - c) / 4))
        (relation [⟨4, 8⟩, ⟨4, 2⟩, ⟨2, 16⟩, ⟨2, 1⟩]) ∧
      Same (relation [⟨4, 8⟩, ⟨4, 2⟩, ⟨2, 16⟩, ⟨2, 1⟩])
        (after (relation [⟨4, 2⟩, ⟨2, 16⟩, ⟨2, 1⟩, ⟨4, 8⟩]) (relation [⟨4, 16⟩, ⟨8, 1⟩, ⟨2, 8⟩])) ∧
      (Layout.composition (nest [⟨4, 2⟩, ⟨2, 16⟩, ⟨2, 1⟩, ⟨4, 8⟩]) (nest [⟨4, 16⟩, ⟨8, 1⟩, ⟨2, 8⟩])).map (·.modes) =
        some [⟨4, 8⟩, ⟨4, 2⟩, ⟨2, 16⟩, ⟨2, 1⟩]) :=
  ⟨⟨same_formula rfl (by decide +kernel), same_composite rfl (by decide +kernel), by decide +kernel⟩,
    ⟨same_formula rfl (by decide +kernel), same_composite rfl (by decide +kernel), by decide +kernel⟩,
    ⟨same_formula rfl (by decide +kernel), same_composite rfl (by decide +kernel), by decide +kernel⟩,
    same_formula rfl (by decide +kernel), same_composite rfl (by decide +kernel), by decide +kernel⟩

/-- **Rows on complement: each printed mapping is that of the printed layout, which with the layout itself takes no offset twice. Of
these four only (4,2):(1,16) in 32 and (2,2):(1,4) reach every offset below a number, and only they have a `complement` here.**
Rust: `razorgirl::Layout::complement_in`
Source: «Modeling Layout Abstractions Using Integer Set Relations», Table 2 (repaired: `complement_overlap_counterexample`, the
algorithm is not that of CuTe) -/
theorem complements :
    (Same (formula 6 fun c => 2 * c + 5 * (c / 2)) (relation [⟨2, 2⟩, ⟨3, 9⟩]) ∧
      injective (relation [⟨2, 1⟩, ⟨2, 5⟩, ⟨2, 2⟩, ⟨3, 9⟩]) = true ∧ FlatLayout.complement [⟨2, 1⟩, ⟨2, 5⟩] = none) ∧
    (Same (formula 4 fun c => 4 * c) (relation [⟨4, 4⟩]) ∧ injective (relation [⟨4, 1⟩, ⟨2, 16⟩, ⟨4, 4⟩]) = true ∧
      FlatLayout.complementIn [⟨4, 1⟩, ⟨2, 16⟩] 32 = some [⟨4, 4⟩]) ∧
    (Same (formula 8 fun c => -1 + 2 * c + 10 * (c / 4) + (1 + c) % 2) (relation [⟨2, 1⟩, ⟨2, 4⟩, ⟨2, 18⟩]) ∧
      injective (relation [⟨2, 2⟩, ⟨2, 10⟩, ⟨2, 1⟩, ⟨2, 4⟩, ⟨2, 18⟩]) = true ∧ FlatLayout.complement [⟨2, 2⟩, ⟨2, 10⟩] = none) ∧
    (Same (formula 6 fun c => -2 + 4 * c + 2 * ((1 + c) % 2)) (relation [⟨2, 2⟩, ⟨3, 8⟩]) ∧
      injective (relation [⟨2, 1⟩, ⟨2, 4⟩, ⟨2, 2⟩, ⟨3, 8⟩]) = true ∧
      FlatLayout.complementIn [⟨2, 1⟩, ⟨2, 4⟩] 24 = some [⟨2, 2⟩, ⟨3, 8⟩]) :=
  ⟨⟨same_formula rfl (by decide +kernel), injective_of_distinct (by decide +kernel), by decide +kernel⟩,
    ⟨same_formula rfl (by decide +kernel), injective_of_distinct (by decide +kernel), by decide +kernel⟩,
    ⟨same_formula rfl (by decide +kernel), injective_of_distinct (by decide +kernel), by decide +kernel⟩,
    same_formula rfl (by decide +kernel), injective_of_distinct (by decide +kernel), by decide +kernel⟩

/-- **Rows on swizzles: the printed mappings are those of Swizzle<1,2,1> and Swizzle<1,2,-1> on 16 numbers.**
Rust: `razorgirl::Swizzle::apply`
Source: «Modeling Layout Abstractions Using Integer Set Relations», Table 2 -/
theorem swizzles :
    formula 16 (fun c => c - c % 8 + (c + 4 * (c / 8)) % 8) = Swizzle.relation ⟨1, 2, 1⟩ 4 ∧
    formula 16 (fun c => -7 + 2 * (c % 8) + (7 + c - 2 * (c % 4)) % 16) = Swizzle.relation ⟨1, 2, -1⟩ 4 := by
  decide +kernel

/-! ## Where the pseudo-code fails -/

/-- The pseudo-code of complement says the cosize of H where it needs that of what has been filled so far: for (2,2):(1,5) and 20 it
answers (2,3):(2,7), and 5 + 2 = 7. -/
theorem complement_cosize_counterexample : injective (relation [⟨2, 1⟩, ⟨2, 5⟩, ⟨2, 2⟩, ⟨3, 7⟩]) = false := by
  rw [← Bool.not_eq_true, relation, injective_graph_iff]
  intro h
  exact absurd (h 6 8 (by decide) (by decide) (by decide)) (by decide)

/-- Its last branches are exchanged: what it has found so far is replaced, so that for (2,2):(1,5) and 20 it answers 3:9. No offset is
then 2, which the printed (2,3):(2,9) has. -/
theorem complement_branch_counterexample :
    (List.range 12).all (fun x => atIndex [⟨2, 1⟩, ⟨2, 5⟩, ⟨3, 9⟩] x != 2) = true ∧
      atIndex [⟨2, 1⟩, ⟨2, 5⟩, ⟨2, 2⟩, ⟨3, 9⟩] 4 = 2 := by decide +kernel

/-- Even so mended it may answer a layout that overlaps: for (6,2):(3,5) and 15 it answers 3:1, and 5 + 1 = 6. No complement of
(6,2):(3,5) is. -/
theorem complement_overlap_counterexample :
    injective (relation [⟨6, 3⟩, ⟨2, 5⟩, ⟨3, 1⟩]) = false ∧ FlatLayout.complement [⟨6, 3⟩, ⟨2, 5⟩] = none := by
  refine ⟨?_, by decide +kernel⟩
  rw [← Bool.not_eq_true, relation, injective_graph_iff]
  intro h
  exact absurd (h 2 18 (by decide) (by decide) (by decide)) (by decide)

/-- The inverse has the extents in the order of the strides. The paper permutes them the other way; its example is a permutation that is
its own inverse. (2,3,4):(12,1,3) is undone by (3,4,2):(2,6,1), and by no layout of shape (4,2,3). -/
theorem inverse_counterexample :
    FlatLayout.inverse [⟨2, 12⟩, ⟨3, 1⟩, ⟨4, 3⟩] = some (coalesce [⟨3, 2⟩, ⟨4, 6⟩, ⟨2, 1⟩]) ∧
      Same (graph 24 id) (after (relation [⟨3, 2⟩, ⟨4, 6⟩, ⟨2, 1⟩]) (relation [⟨2, 12⟩, ⟨3, 1⟩, ⟨4, 3⟩])) ∧
      fromShape [4, 2, 3] (relation [⟨3, 2⟩, ⟨4, 6⟩, ⟨2, 1⟩]) = none :=
  ⟨by decide +kernel, same_undo rfl (by decide +kernel), by decide +kernel⟩

end Relation.Tables

end Razorgirl
