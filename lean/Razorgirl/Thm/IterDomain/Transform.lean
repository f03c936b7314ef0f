module

public import Razorgirl.Thm.IterDomain.Lemmas
public import Razorgirl.Spec.IterDomain.Steps

@[expose] public section

/-!
# Transformations: what the equalities are worth

All four are equivalences. `Same` gives the others and may be used anywhere in a schedule. `E2` may be used behind
any other steps but not before them: what follows may reach holes that the box did not have.
-/

namespace Razorgirl.IterDomain.Transform

/-! ## Equivalences -/

/-- **Equality of transformations is reflexive, symmetric and transitive.**
Source: nvFuser IterDomain Theorem 1.1 -/
theorem E0.equivalence (N : List Int) : Equivalence (E0 N) where
  refl _ := ⟨rfl, fun _ _ => rfl⟩
  symm h := ⟨h.1.symm, fun i hi => (h.2 i hi).symm⟩
  trans h h' := ⟨h.1.trans h'.1, fun i hi => (h.2 i hi).trans (h'.2 i hi)⟩

/-- **Equality on the indices that exist is reflexive, symmetric and transitive.**
Source: nvFuser IterDomain Theorem 1.1, for `E1` -/
theorem E1.equivalence (N : List Int) : Equivalence (E1 N) where
  refl _ := ⟨rfl, fun _ _ => rfl⟩
  symm h := ⟨h.1.symm, fun i hi => (h.2 i hi).symm⟩
  trans h h' := ⟨h.1.trans h'.1, fun i hi => (h.2 i hi).trans (h'.2 i hi)⟩

/-- **Equality of the indices that all loop points go back to is reflexive, symmetric and transitive.**
Source: nvFuser IterDomain Theorem 1.1, for `E2` -/
theorem E2.equivalence (N : List Int) : Equivalence (E2 N) where
  refl _ := ⟨rfl, fun _ _ => rfl⟩
  symm h := ⟨h.1.symm, fun j hj => (h.2 j (h.1 ▸ hj)).symm⟩
  trans h h' := ⟨h.1.trans h'.1, fun j hj => (h.2 j hj).trans (h'.2 j (h.1 ▸ hj))⟩

/-- **Equality everywhere is reflexive, symmetric and transitive.**
Source: nvFuser IterDomain Theorem 1.1, for `Same` -/
theorem Same.equivalence (N : List Int) : Equivalence (Same N) where
  refl _ := ⟨rfl, fun _ _ => rfl, fun _ _ => rfl⟩
  symm h := ⟨h.1.symm, fun i hi => (h.2.1 i hi).symm, fun j hj => (h.2.2 j (h.1 ▸ hj)).symm⟩
  trans h h' := ⟨h.1.trans h'.1, fun i hi => (h.2.1 i hi).trans (h'.2.1 i hi),
    fun j hj => (h.2.2 j hj).trans (h'.2.2 j (h.1 ▸ hj))⟩

/-! ## One equality from another -/

theorem Same.e0 {N : List Int} {t u : Transform} (h : Same N t u) : E0 N t u := ⟨h.1, h.2.1⟩

/-- **Transformations with equal forward maps on all integers have them on the indices that exist.**
Source: nvFuser IterDomain Definition 1.2 -/
theorem E0.e1 {N : List Int} {t u : Transform} (h : E0 N t u) : E1 N t u :=
  ⟨h.1, fun i hi => h.2 i hi.length_eq⟩

/-- **Transformations that are equal everywhere take every loop point back to the same indices.**
Source: nvFuser IterDomain Definition 1.2, against `E2` -/
theorem Same.e2 {N : List Int} {t u : Transform} (h : Same N t u) : E2 N t u :=
  ⟨h.1, fun j hj => h.2.2 j hj.length_eq⟩

/-- **Two transformations that take every loop point back to the same indices agree on every index that exists, if going forward and back loses
nothing in the one and going back and forward loses nothing in the other.**
Source: nvFuser IterDomain Definition 1.2, `E2` against `E1` -/
theorem E2.e1 {N : List Int} {t u : Transform} (h : E2 N t u)
    (ht : ∀ i, InBox N i → InBox (t.ext N) (t.fwd N i) ∧ t.bwd N (t.fwd N i) = i)
    (hu : ∀ j, InBox (u.ext N) j → u.fwd N (u.bwd N j) = j) : E1 N t u := by
  refine ⟨h.1, fun i hi => ?_⟩
  obtain ⟨hj, hb⟩ := ht i hi
  have := h.2 _ hj
  rw [hb] at this
  have h' := hu _ (h.1 ▸ hj)
  rw [← this] at h'
  exact h'.symm

/-! ## Composition -/

/-- **Composition is associative.**
Source: nvFuser IterDomain Definition 1.4 -/
theorem after_assoc (v u t : Transform) : (v.after u).after t = v.after (u.after t) := rfl

theorem identity_after (t : Transform) : (identity t.outRank).after t = t := rfl

theorem after_identity (t : Transform) : t.after (identity t.inRank) = t := rfl

/-- **If two transformations take every loop point back to the same indices, they still do after any first
transformation.**
Source: nvFuser IterDomain Definition 1.4, for `E2` -/
theorem E2.after {N : List Int} {u u' : Transform} (t : Transform) (h : E2 (t.ext N) u u') :
    E2 N (u.after t) (u'.after t) :=
  ⟨h.1, fun j hj => congrArg (t.bwd N) (h.2 j hj)⟩

/-- **Transformations that are equal everywhere may replace each other on both sides of a composition.**
Source: nvFuser IterDomain Definition 1.4 -/
theorem Same.after {N : List Int} {t t' u u' : Transform} (ht : t.Ranked) (hu : u.Ranked)
    (hN : N.length = t.inRank) (hr : u.inRank = t.outRank)
    (h : Same N t t') (h' : Same (t.ext N) u u') : Same N (u.after t) (u'.after t') := by
  obtain ⟨h1, h2, h3⟩ := ht N hN
  obtain ⟨k1, k2, k3⟩ := hu (t.ext N) (h1.trans hr.symm)
  refine ⟨?_, fun i hi => ?_, fun j hj => ?_⟩
  · show u.ext (t.ext N) = u'.ext (t'.ext N)
    rw [← h.1, h'.1]
  · show u.fwd (t.ext N) (t.fwd N i) = u'.fwd (t'.ext N) (t'.fwd N i)
    rw [← h.1, ← h.2.1 i hi]
    exact h'.2.1 _ ((h2 i (hi.trans hN)).trans h1.symm)
  · show t.bwd N (u.bwd (t.ext N) j) = t'.bwd N (u'.bwd (t'.ext N) j)
    have hj' : j.length = (u.ext (t.ext N)).length := hj
    rw [← h.1, ← h'.2.2 j hj', h.2.2]
    rw [k3 j (hj'.trans k1), hr, h1]

/-! ## Embedding -/

open Aux in
theorem embed_ext {t : Transform} {a b : List Int} (r : Nat) (c : List Int) (hb : b.length = t.inRank) :
    (t.embed a.length r).ext (a ++ b ++ c) = a ++ t.ext b ++ c := by
  simp only [embed]
  rw [take_three rfl, mid_three rfl hb, drop_three rfl hb]

open Aux in
theorem embed_fwd {t : Transform} {a b a' b' : List Int} (r : Nat) (c c' : List Int) (ha : a'.length = a.length)
    (hb : b.length = t.inRank) (hb' : b'.length = t.inRank) :
    (t.embed a.length r).fwd (a ++ b ++ c) (a' ++ b' ++ c') = a' ++ t.fwd b b' ++ c' := by
  simp only [embed]
  rw [take_three ha, mid_three rfl hb, mid_three ha hb', drop_three ha hb']

open Aux in
theorem embed_bwd {t : Transform} {a b a' b' : List Int} (r : Nat) (c c' : List Int) (ha : a'.length = a.length)
    (hb : b.length = t.inRank) (hb' : b'.length = t.outRank) :
    (t.embed a.length r).bwd (a ++ b ++ c) (a' ++ b' ++ c') = a' ++ t.bwd b b' ++ c' := by
  simp only [embed]
  rw [take_three ha, mid_three rfl hb, mid_three ha hb', drop_three ha hb']

/-- **Two transformations that give the same loop nest still do among further domains.**
Source: nvFuser IterDomain Definition 1.3 -/
theorem E2.embed {a b : List Int} {t u : Transform} (ht : (t.ext b).length = t.outRank) (hb : b.length = t.inRank)
    (hi : t.inRank = u.inRank) (ho : t.outRank = u.outRank) (c : List Int) (h : E2 b t u) :
    E2 (a ++ b ++ c) (t.embed a.length c.length) (u.embed a.length c.length) := by
  refine ⟨?_, fun j hj => ?_⟩
  · rw [embed_ext _ _ hb, embed_ext _ _ (hb.trans hi), h.1]
  · rw [embed_ext _ _ hb] at hj
    obtain ⟨ab, c', rfl, hab, _⟩ := hj.split
    obtain ⟨a', b', rfl, ha', hb'⟩ := hab.split
    have hl := hb'.length_eq.trans ht
    rw [embed_bwd _ _ _ ha'.length_eq hb hl, embed_bwd _ _ _ ha'.length_eq (hb.trans hi) (hl.trans ho), h.2 b' hb']

/-- **Transformations that are equal everywhere still are among further domains.**
Source: nvFuser IterDomain Definition 1.3 -/
theorem Same.embed {a b : List Int} {t u : Transform} (ht : (t.ext b).length = t.outRank) (hb : b.length = t.inRank)
    (hi : t.inRank = u.inRank) (ho : t.outRank = u.outRank) (c : List Int) (h : Same b t u) :
    Same (a ++ b ++ c) (t.embed a.length c.length) (u.embed a.length c.length) := by
  refine ⟨?_, fun i hl => ?_, fun j hl => ?_⟩
  · rw [embed_ext _ _ hb, embed_ext _ _ (hb.trans hi), h.1]
  · obtain ⟨a', b', c', rfl, h1, h2, _⟩ := Aux.cut_three (l := i) (by simpa using hl)
    rw [embed_fwd _ _ _ h1 hb (h2.trans hb), embed_fwd _ _ _ h1 (hb.trans hi) (h2.trans (hb.trans hi)),
      h.2.1 b' h2]
  · rw [embed_ext _ _ hb] at hl
    obtain ⟨a', b', c', rfl, h1, h2, _⟩ := Aux.cut_three (l := j) (by simpa using hl)
    rw [embed_bwd _ _ _ h1 hb (h2.trans ht), embed_bwd _ _ _ h1 (hb.trans hi) (h2.trans (ht.trans ho)),
      h.2.2 b' h2]

/-! ## Steps that follow can tell what `E2` cannot

Merging 2×4 and splitting by 4 again is, on the box of the loops, the same as doing nothing (`merge_innerSplit`).
Split the inner domain further by 3, and the loops reach its index 4: nothing done, that is row 0, column 4; merged
and split, row 1, column 0. -/

/-- Merge and split, then the inner domain by 3. -/
example : (((innerSplit 3).embed 1 0).after ((innerSplit 4).after merge)).bwd [2, 4] [0, 1, 1] = [1, 0] := by decide
/-- Only the inner domain by 3. -/
example : ((innerSplit 3).embed 1 0).bwd [2, 4] [0, 1, 1] = [0, 4] := by decide

end Razorgirl.IterDomain.Transform
