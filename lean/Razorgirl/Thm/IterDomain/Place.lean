module

public import Razorgirl.Thm.IterDomain.Covers
public import Razorgirl.Thm.IterDomain.Predicate

@[expose] public section

/-!
# Where a schedule computes an element

The place of an element is a loop point that computes it. Where nothing is cut off and every swizzle is a bijection, every
element has a place, and equality on valid items is equality of programs.
-/

namespace Razorgirl.IterDomain
open Transform

namespace Schedule

/-- **The place of an element is the loop point that the forward maps take it to, and that point computes this element.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser divisibility of split, 4.1 -/
theorem place_eq_some_iff {s : Schedule} {i j : List Int} :
    s.place i = some j ↔ s.transform.fwd s.extents i = j ∧ s.element j = some (rowMajor s.extents i) := by
  simp only [place]
  by_cases h : s.element (s.transform.fwd s.extents i) = some (rowMajor s.extents i)
  · rw [if_pos h]
    constructor
    · intro e
      obtain rfl := Option.some.inj e
      exact ⟨rfl, h⟩
    · rintro ⟨rfl, -⟩
      rfl
  · rw [if_neg h]
    constructor
    · intro e
      exact absurd e (by simp)
    · rintro ⟨rfl, e⟩
      exact absurd e h

/-- **Where two schedules are equal on valid items, the place of an element in one computes that element in both.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser divisibility of split, Definition 1 (weak correctness) -/
theorem element_of_equivalentE1 {s t : Schedule} {i j : List Int} (h : s.valid = true) (he : equivalentE1 s t = true)
    (hi : InBox s.extents i) (hj : s.place i = some j) :
    s.element j = some (rowMajor s.extents i) ∧ t.element j = some (rowMajor s.extents i) := by
  obtain ⟨hx, -, hp⟩ := (equivalentE1_iff h).1 he
  refine ⟨(place_eq_some_iff.1 hj).2, ?_⟩
  rw [hx]
  exact (place_eq_some_iff.1 ((hp i hi).symm.trans hj)).2

theorem element_of_keeps {s : Schedule} {i : List Int} (hv : s.valid = true) (hk : s.keeps = true)
    (hi : InBox s.extents i) : s.element (s.transform.fwd s.extents i) = some (rowMajor s.extents i) := by
  obtain ⟨-, h2, h3⟩ := chain_forth s.extents.length hv hk hi
  have h2' : (trace s.extents s.extents.length s.moves (s.transform.fwd s.extents i)).1 = i := h2
  have h4 : (numbered 0 s.extents i).all Domain.inRange = true :=
    List.all_eq_true.2 fun d hd => numbered_inRange 0 hi d hd
  have h5 : (trace s.extents s.extents.length s.moves (s.transform.fwd s.extents i)).2.all Domain.inRange = true :=
    List.all_eq_true.2 h3
  simp only [element, h2', h4, h5, Bool.and_self, if_true]

/-- **Where nothing is cut off and every swizzle is a bijection, every element has a place: the loop point that the forward
maps take it to.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser divisibility of split, Definition 1 (weak correctness) -/
theorem place_of_keeps {s : Schedule} {i : List Int} (hv : s.valid = true) (hk : s.keeps = true)
    (hi : InBox s.extents i) : s.place i = some (s.transform.fwd s.extents i) :=
  place_eq_some_iff.2 ⟨rfl, element_of_keeps hv hk hi⟩

/-- **For such schedules equality on valid items is equality of the forward maps on the elements.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser IterDomain Definition 1.2 -/
theorem equivalentE1_iff_of_keeps {s t : Schedule} (hs : s.valid = true) (ht : t.valid = true) (ks : s.keeps = true)
    (kt : t.keeps = true) : equivalentE1 s t = true ↔ s.extents = t.extents ∧ E1 s.extents s.transform t.transform := by
  rw [equivalentE1_iff hs]
  refine and_congr_right fun he => ?_
  have hl : s.loops = t.loops ↔ s.transform.ext s.extents = t.transform.ext s.extents := by
    simp only [loops, ← he]
  rw [hl]
  refine and_congr_right fun _ => forall_congr' fun i => forall_congr' fun hi => ?_
  rw [place_of_keeps hs ks hi, place_of_keeps ht kt (he ▸ hi), ← he]
  exact ⟨Option.some.inj, congrArg some⟩

end Schedule

end Razorgirl.IterDomain
