module

public import Razorgirl.Spec.IterDomain.Schedule
public import Razorgirl.Thm.IterDomain.Holes
public import Razorgirl.Thm.IterDomain.Reorder

@[expose] public section

/-!
# Schedules: what is proved

A schedule is the composition of its moves, `trace` takes a loop point back as that composition does, and
`equivalent` decides whether two schedules are the same program.
-/

namespace Razorgirl.IterDomain
open Transform

/-! ## Moves, part by part -/

theorem Op.ranked (op : Op) : op.transform.Ranked := by
  intro N hN
  cases op with
  | split d =>
    obtain ⟨n, rfl⟩ := List.length_eq_one_iff.1 hN
    refine ⟨rfl, fun i hi => ?_, fun j hj => ?_⟩
    · obtain ⟨x, rfl⟩ := List.length_eq_one_iff.1 hi
      rfl
    · obtain ⟨x, y, rfl⟩ := length_eq_two hj
      rfl
  | splitOuter k =>
    obtain ⟨n, rfl⟩ := List.length_eq_one_iff.1 hN
    refine ⟨rfl, fun i hi => ?_, fun j hj => ?_⟩
    · obtain ⟨x, rfl⟩ := List.length_eq_one_iff.1 hi
      rfl
    · obtain ⟨x, y, rfl⟩ := length_eq_two hj
      rfl
  | merge =>
    obtain ⟨n, m, rfl⟩ := length_eq_two hN
    refine ⟨rfl, fun i hi => ?_, fun j hj => ?_⟩
    · obtain ⟨x, y, rfl⟩ := length_eq_two hi
      rfl
    · obtain ⟨x, rfl⟩ := List.length_eq_one_iff.1 hj
      rfl
  | resize L R =>
    obtain ⟨n, rfl⟩ := List.length_eq_one_iff.1 hN
    refine ⟨rfl, fun i hi => ?_, fun j hj => ?_⟩
    · obtain ⟨x, rfl⟩ := List.length_eq_one_iff.1 hi
      rfl
    · obtain ⟨x, rfl⟩ := List.length_eq_one_iff.1 hj
      rfl
  | swizzle kind =>
    cases kind <;>
    · obtain ⟨n, m, rfl⟩ := length_eq_two hN
      refine ⟨rfl, fun i hi => ?_, fun j hj => ?_⟩
      · obtain ⟨x, y, rfl⟩ := length_eq_two hi
        rfl
      · obtain ⟨x, y, rfl⟩ := length_eq_two hj
        rfl

theorem positive_iff (N : List Int) : positive N = true ↔ ∀ n ∈ N, 0 < n := by simp [positive]

theorem positive_append (A B : List Int) : positive (A ++ B) = (positive A && positive B) := by simp [positive]

/-- The part of the domains that an operation works on. -/
theorem Move.cut {N : List Int} {k : Nat} {op : Op} (h : (Move.apply k op).valid N = true) :
    ∃ a b c, N = a ++ b ++ c ∧ a.length = k ∧ b.length = op.transform.inRank ∧ op.valid b = true := by
  simp only [Move.valid, Bool.and_eq_true, decide_eq_true_eq] at h
  refine ⟨N.take k, (N.drop k).take op.transform.inRank, (N.drop k).drop op.transform.inRank, ?_, ?_, ?_, h.2⟩
  · rw [List.append_assoc, List.take_append_drop, List.take_append_drop]
  · simp; omega
  · simp; omega

theorem Move.ext_apply {a b : List Int} {op : Op} (c : List Int) (hb : b.length = op.transform.inRank) :
    (Move.apply a.length op).ext (a ++ b ++ c) = a ++ op.transform.ext b ++ c := by
  rw [Move.ext, Move.transform, embed_ext _ _ hb]

theorem Move.length_ext {N : List Int} {m : Move} (h : m.valid N = true) :
    (m.ext N).length = (m.transform N.length).outRank := by
  cases m with
  | apply k op =>
    obtain ⟨a, b, c, rfl, rfl, hb, -⟩ := Move.cut h
    rw [Move.ext_apply c hb]
    simp only [List.length_append, (op.ranked b hb).1, Move.transform, embed]
    omega
  | reorder p => exact length_pick 0 p N

theorem chain_cons {N : List Int} {m : Move} (ms : List Move) (h : m.valid N = true) :
    chain N.length (m :: ms) = (chain (m.ext N).length ms).after (m.transform N.length) := by
  rw [chain, Move.length_ext h]

theorem validMoves_cons {N : List Int} {m : Move} {ms : List Move} (h : validMoves N (m :: ms) = true) :
    positive N = true ∧ m.valid N = true ∧ validMoves (m.ext N) ms = true := by
  simpa [validMoves, and_assoc] using h

theorem validMoves_positive {N : List Int} {ms : List Move} (h : validMoves N ms = true) : positive N = true := by
  cases ms with
  | nil => exact h
  | cons m ms => exact (validMoves_cons h).1

/-- **The steps of a valid schedule leave no loop without a round.**
Source: nvFuser IterDomain calculus -/
theorem positive_chain {ms : List Move} : {N : List Int} → validMoves N ms = true →
    positive ((chain N.length ms).ext N) = true := by
  induction ms with
  | nil => exact fun h => h
  | cons m ms ih =>
    intro N h
    obtain ⟨-, hm, hr⟩ := validMoves_cons h
    rw [chain_cons ms hm]
    exact ih hr

/-- **Walking back step by step is the backward map of the schedule as one transformation.**
Source: nvFuser IterDomain Definition 1.4 -/
theorem trace_fst {ms : List Move} {N : List Int} (next : Nat) (j : List Int) (h : validMoves N ms = true) :
    (trace N next ms j).1 = (chain N.length ms).bwd N j := by
  induction ms generalizing N next with
  | nil => rfl
  | cons m ms ih =>
    obtain ⟨-, hm, hr⟩ := validMoves_cons h
    rw [chain_cons ms hm]
    show (m.transform N.length).bwd N (trace (m.ext N) (next + m.made) ms j).1 = _
    rw [ih _ hr]
    rfl

/-! ## Numbered points of a box -/

theorem boxSize_pos {L : List Int} (h : positive L = true) : 0 < boxSize L := by
  induction L with
  | nil => exact Int.zero_lt_one
  | cons n L ih =>
    rw [positive_iff] at h
    exact Int.mul_pos (h n (by simp)) (ih ((positive_iff L).2 fun m hm => h m (by simp [hm])))

theorem pointAt_inBox {L : List Int} {x : Int} (h : positive L = true) (h0 : 0 ≤ x) (h1 : x < boxSize L) :
    InBox L (pointAt L x) := by
  induction L generalizing x with
  | nil => trivial
  | cons n L ih =>
    have hL : positive L = true := by
      rw [positive_iff] at h ⊢
      exact fun m hm => h m (by simp [hm])
    have hb := boxSize_pos hL
    exact ⟨⟨Int.ediv_nonneg h0 (Int.le_of_lt hb), Int.ediv_lt_of_lt_mul hb h1⟩,
      ih hL (Int.emod_nonneg _ (by omega)) (Int.emod_lt_of_pos _ hb)⟩

theorem rowMajor_range {L j : List Int} (h : InBox L j) : 0 ≤ rowMajor L j ∧ rowMajor L j < boxSize L := by
  induction L generalizing j with
  | nil =>
    cases j with
    | nil => exact ⟨Int.le_refl _, Int.zero_lt_one⟩
    | cons => exact h.elim
  | cons n L ih =>
    cases j with
    | nil => exact h.elim
    | cons a j =>
      obtain ⟨h0, h1⟩ := ih h.2
      have := Int.mul_nonneg h.1.1 (show 0 ≤ boxSize L by omega)
      exact ⟨Int.add_nonneg this h0, mul_add_lt h.1.2 h0 h1⟩

/-- **The point with the row-major number of a point is that point.**
Source: nvFuser IterDomain calculus -/
theorem pointAt_rowMajor {L j : List Int} (h : InBox L j) : pointAt L (rowMajor L j) = j := by
  induction L generalizing j with
  | nil =>
    cases j with
    | nil => rfl
    | cons => exact h.elim
  | cons n L ih =>
    cases j with
    | nil => exact h.elim
    | cons a j =>
      obtain ⟨h0, h1⟩ := rowMajor_range h.2
      rw [rowMajor, pointAt, ediv_mul_add h0 h1, emod_mul_add h0 h1, ih h.2]

/-! ## Equivalence -/

theorem differenceFrom_eq_none_iff {α : Type} [DecidableEq α] (f g : Nat → α) (fuel x : Nat) :
    Schedule.differenceFrom f g fuel x = none ↔ ∀ y : Nat, x ≤ y → y < x + fuel → f y = g y := by
  induction fuel generalizing x with
  | zero => simp [Schedule.differenceFrom]; omega
  | succ fuel ih =>
    rw [Schedule.differenceFrom]
    split
    · rename_i he
      rw [ih]
      constructor
      · intro h y h1 h2
        by_cases hy : y = x
        · rw [hy]; exact he
        · exact h y (by omega) (by omega)
      · exact fun h y h1 h2 => h y (by omega) (by omega)
    · rename_i he
      simp only [reduceCtorEq, false_iff]
      exact fun h => he (h x (Nat.le_refl _) (by omega))

theorem differenceFrom_spec {α : Type} [DecidableEq α] {f g : Nat → α} {fuel x y : Nat}
    (h : Schedule.differenceFrom f g fuel x = some y) : x ≤ y ∧ y < x + fuel ∧ f y ≠ g y := by
  induction fuel generalizing x with
  | zero => simp [Schedule.differenceFrom] at h
  | succ fuel ih =>
    rw [Schedule.differenceFrom] at h
    split at h
    · obtain ⟨h1, h2, h3⟩ := ih h
      exact ⟨by omega, by omega, h3⟩
    · rename_i he
      obtain rfl := Option.some.inj h
      exact ⟨Nat.le_refl _, by omega, he⟩

/-- No point of a box tells two functions apart exactly when they agree on the box. -/
theorem difference_eq_none_iff {α : Type} [DecidableEq α] (f g : List Int → α) {L : List Int} (hp : positive L = true) :
    Schedule.differenceIn L f g = none ↔ ∀ j, InBox L j → f j = g j := by
  have hb := boxSize_pos hp
  rw [Schedule.differenceIn, Option.map_eq_none_iff, differenceFrom_eq_none_iff]
  constructor
  · intro h j hj
    obtain ⟨h4, h5⟩ := rowMajor_range hj
    have := h (rowMajor L j).toNat (Nat.zero_le _) (by omega)
    change f (pointAt L ((rowMajor L j).toNat : Int)) = g (pointAt L ((rowMajor L j).toNat : Int)) at this
    rwa [Int.toNat_of_nonneg h4, pointAt_rowMajor hj] at this
  · exact fun h y _ hy => h (pointAt L (y : Int)) (pointAt_inBox hp (by omega) (by omega))

/-- What tells two functions apart is a point of the box. -/
theorem difference_some {α : Type} [DecidableEq α] {f g : List Int → α} {L j : List Int} (hp : positive L = true)
    (h : Schedule.differenceIn L f g = some j) : InBox L j ∧ f j ≠ g j := by
  have hb := boxSize_pos hp
  obtain ⟨y, hy, rfl⟩ := Option.map_eq_some_iff.1 h
  obtain ⟨-, h1, h2⟩ := differenceFrom_spec hy
  refine ⟨?_, h2⟩
  change InBox L (pointAt L (y : Int))
  exact pointAt_inBox hp (by omega) (by omega)

namespace Schedule

/-- **A loop point is read back by its row-major number: the list of elements says what each loop point computes.**
Rust: `razorgirl::iter_domain::Schedule::elements`
Source: nvFuser divisibility of split, 4.1 -/
theorem elements_getElem? {s : Schedule} (h : s.valid = true) {j : List Int} (hj : InBox s.loops j) :
    s.elements[(rowMajor s.loops j).toNat]? = some (s.element j) := by
  obtain ⟨h0, h1⟩ := rowMajor_range hj
  have hb := boxSize_pos (positive_chain h : positive s.loops = true)
  simp only [elements, List.getElem?_map]
  rw [List.getElem?_range (by omega)]
  simp only [Option.map_some]
  rw [Int.toNat_of_nonneg h0, pointAt_rowMajor hj]

theorem elements_eq_iff {s t : Schedule} (h : s.valid = true) (hl : s.loops = t.loops) :
    s.elements = t.elements ↔ ∀ j, InBox s.loops j → s.element j = t.element j := by
  have hp : positive s.loops = true := positive_chain h
  have hb := boxSize_pos hp
  simp only [elements, ← hl]
  constructor
  · intro he j hj
    obtain ⟨h0, h1⟩ := rowMajor_range hj
    have := List.map_inj_left.1 he (rowMajor s.loops j).toNat (List.mem_range.2 (by omega))
    rwa [Int.toNat_of_nonneg h0, pointAt_rowMajor hj] at this
  · intro he
    refine List.map_congr_left fun x hx => he _ (pointAt_inBox hp (by omega) ?_)
    have := List.mem_range.1 hx
    omega

/-- **Two schedules are found equivalent exactly when they are the same program: the same domains come in, the loops
have the same extents, and the lists of elements, holes included, are equal.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser IterDomain Definition 1.2 (repaired: `equivalentE2_resize`, `equivalentE2_xor`) -/
theorem equivalent_iff {s t : Schedule} (h : s.valid = true) : equivalent s t = true ↔ SameProgram s t := by
  have hp : positive s.loops = true := positive_chain h
  simp only [equivalent, SameProgram, Bool.and_eq_true, decide_eq_true_eq, Option.isNone_iff_eq_none, difference,
    difference_eq_none_iff _ _ hp, and_assoc]
  exact and_congr_right fun _ => and_congr_right fun hl => (elements_eq_iff h hl).symm

/-- **The same program, point by point: every loop point computes the same element, or is a hole of both.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser IterDomain Definition 1.2 (repaired: `equivalentE2_resize`, `equivalentE2_xor`) -/
theorem sameProgram_iff {s t : Schedule} (h : s.valid = true) : SameProgram s t ↔
    s.extents = t.extents ∧ s.loops = t.loops ∧ ∀ j, InBox s.loops j → s.element j = t.element j :=
  and_congr_right fun _ => and_congr_right fun hl => elements_eq_iff h hl

/-- **The witness against equivalence is a loop point at which the two schedules compute different elements, or at which
only one of them has a hole.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser IterDomain Definition 1.2 (repaired: `equivalentE2_resize`, `equivalentE2_xor`) -/
theorem difference_spec {s t : Schedule} {j : List Int} (h : s.valid = true) (hj : difference s t = some j) :
    InBox s.loops j ∧ s.element j ≠ t.element j :=
  difference_some (positive_chain h) hj

/-! ## nvFuser's equality -/

/-- **Two schedules are found equal in nvFuser's sense exactly when the same domains come in, the loops have the same
extents, and every loop point goes back to the same indices.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser IterDomain Definition 1.2 -/
theorem equivalentE2_iff {s t : Schedule} (h : s.valid = true) :
    equivalentE2 s t = true ↔ s.extents = t.extents ∧ E2 s.extents s.transform t.transform := by
  have hp : positive s.loops = true := positive_chain h
  simp only [equivalentE2, Bool.and_eq_true, decide_eq_true_eq, Option.isNone_iff_eq_none, differenceE2,
    difference_eq_none_iff _ _ hp, and_assoc]
  refine and_congr_right fun he => ?_
  simp only [loops, E2, ← he]

/-- **Two schedules are found equal on valid items exactly when the same domains come in, the loops have the same extents,
and every element has the same place, or none in both.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser IterDomain Definition 1.2 (repaired: `E1_resize`) -/
theorem equivalentE1_iff {s t : Schedule} (h : s.valid = true) : equivalentE1 s t = true ↔
    s.extents = t.extents ∧ s.loops = t.loops ∧ ∀ i, InBox s.extents i → s.place i = t.place i := by
  have hp : positive s.extents = true := validMoves_positive h
  simp only [equivalentE1, Bool.and_eq_true, decide_eq_true_eq, Option.isNone_iff_eq_none, differenceE1,
    difference_eq_none_iff _ _ hp, and_assoc]

/-- **The witness is an element that has different places in the two schedules, or a place in only one.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser IterDomain Definition 1.2 (repaired: `E1_resize`) -/
theorem differenceE1_spec {s t : Schedule} {i : List Int} (h : s.valid = true) (hi : differenceE1 s t = some i) :
    InBox s.extents i ∧ s.place i ≠ t.place i :=
  difference_some (validMoves_positive h) hi

/-- **Where two schedules go back to the same indices and have holes at the same loop points, they are the same
program.**
Rust: `razorgirl::iter_domain::Schedule::equivalent`
Source: nvFuser IterDomain Definition 1.2 (repaired: `equivalentE2_resize`, `equivalentE2_xor`) -/
theorem sameProgram_of_E2 {s t : Schedule} (hs : s.valid = true) (ht : t.valid = true)
    (h : equivalentE2 s t = true) (hh : ∀ j, InBox s.loops j → s.isHole j = t.isHole j) : SameProgram s t := by
  obtain ⟨he, h1, h2⟩ := (equivalentE2_iff hs).1 h
  have hl : s.loops = t.loops := by
    show s.transform.ext s.extents = t.transform.ext t.extents
    rw [← he]
    exact h1
  refine (sameProgram_iff hs).2 ⟨he, hl, fun j hj => ?_⟩
  have hh := hh j hj
  simp only [isHole, domains, List.all_append, Bool.not_eq_eq_eq_not, Bool.not_not] at hh
  have hb : (trace s.extents s.extents.length s.moves j).1 = (trace t.extents t.extents.length t.moves j).1 :=
    (trace_fst _ _ hs).trans ((h2 j hj).trans (by rw [he]; exact (trace_fst _ _ ht).symm))
  simp only [element]
  rw [hh, hb, he]

/-- **nvFuser's equality does not see holes: cutting two of four indices off and putting two new ones in their place is
nothing to it, though elements 2 and 3 are lost.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser IterDomain Definition 1.2 -/
theorem equivalentE2_resize :
    equivalentE2 ⟨[4], [.resize 0 0 (-2), .resize 0 0 2]⟩ ⟨[4], []⟩ = true ∧
      equivalent ⟨[4], [.resize 0 0 (-2), .resize 0 0 2]⟩ ⟨[4], []⟩ = false ∧
      elements ⟨[4], [.resize 0 0 (-2), .resize 0 0 2]⟩ = [some 0, some 1, none, none] := by decide

/-- **Equal forward maps do not see it either: of four elements the first is cut off and a hole put in its place. The
forward maps are equal on all elements, and element 0 is computed at no loop point of the second schedule.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser IterDomain Definition 1.2 -/
theorem E1_resize :
    E1 [4] (transform ⟨[4], []⟩) (transform ⟨[4], [.resize 0 (-1) 0, .resize 0 1 0]⟩) ∧
      equivalentE1 ⟨[4], []⟩ ⟨[4], [.resize 0 (-1) 0, .resize 0 1 0]⟩ = false ∧
      differenceE1 ⟨[4], []⟩ ⟨[4], [.resize 0 (-1) 0, .resize 0 1 0]⟩ = some [0] ∧
      elements ⟨[4], [.resize 0 (-1) 0, .resize 0 1 0]⟩ = [none, some 1, some 2, some 3] := by
  refine ⟨⟨by decide, fun i hi => ?_⟩, by decide, by decide, by decide⟩
  match i, hi with
  | [x], _ =>
    show [x] = [x + -1 + 1]
    congr 1
    omega

/-- **Nor does it see that two exclusive ors of a 3×3 box, one after the other, lose elements 5 and 7.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser IterDomain Definition 1.2 -/
theorem equivalentE2_xor :
    equivalentE2 ⟨[3, 3], [.swizzle .xor 0 1, .swizzle .xor 0 1]⟩ ⟨[3, 3], []⟩ = true ∧
      equivalent ⟨[3, 3], [.swizzle .xor 0 1, .swizzle .xor 0 1]⟩ ⟨[3, 3], []⟩ = false ∧
      elements ⟨[3, 3], [.swizzle .xor 0 1, .swizzle .xor 0 1]⟩ =
        [some 0, some 1, some 2, some 3, some 4, none, some 6, none, some 8] := by decide

/-- **And it tells programs apart that are the same: of two padded domains the holes may have the indices (0,1) or
(1,0).**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser IterDomain Definition 1.2 -/
theorem equivalentE2_reorder :
    equivalentE2 ⟨[1, 1], [.resize 0 0 1, .resize 1 0 1]⟩ ⟨[1, 1], [.reorder [1, 0], .resize 0 0 1, .resize 1 0 1]⟩ =
        false ∧
      equivalent ⟨[1, 1], [.resize 0 0 1, .resize 1 0 1]⟩ ⟨[1, 1], [.reorder [1, 0], .resize 0 0 1, .resize 1 0 1]⟩ =
        true := by decide

/-- **Equal places do not see what is computed elsewhere: a cyclic swizzle of 2 by 4 computes four elements at two loop points each.
With their places cut off, the other points still compute them, where the second schedule has only holes.**
Rust: `razorgirl::iter_domain::Schedule::equivalent_by`
Source: nvFuser IterDomain Definition 1.2 -/
theorem equivalentE1_cyclic :
    equivalentE1 ⟨[2, 4], [.swizzle .cyclicShift 0 1, .resize 1 (-2) 0]⟩ ⟨[2, 4], [.resize 1 2 0, .resize 1 (-6) 2]⟩ = true ∧
      elements ⟨[2, 4], [.swizzle .cyclicShift 0 1, .resize 1 (-2) 0]⟩ = [some 0, some 1, some 5, some 4] ∧
      elements ⟨[2, 4], [.resize 1 2 0, .resize 1 (-6) 2]⟩ = [none, none, none, none] := by decide +kernel

end Schedule

end Razorgirl.IterDomain
