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

theorem differenceFrom_eq_none_iff (t u : Transform) (N L : List Int) (fuel x : Nat) :
    Schedule.differenceFrom t u N L fuel x = none ↔
      ∀ y : Nat, x ≤ y → y < x + fuel → t.bwd N (pointAt L y) = u.bwd N (pointAt L y) := by
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

theorem differenceFrom_spec {t u : Transform} {N L : List Int} {fuel x : Nat} {j : List Int}
    (h : Schedule.differenceFrom t u N L fuel x = some j) :
    ∃ y : Nat, x ≤ y ∧ y < x + fuel ∧ j = pointAt L y ∧ t.bwd N j ≠ u.bwd N j := by
  induction fuel generalizing x with
  | zero => simp [Schedule.differenceFrom] at h
  | succ fuel ih =>
    rw [Schedule.differenceFrom] at h
    split at h
    · obtain ⟨y, h1, h2, h3⟩ := ih h
      exact ⟨y, by omega, by omega, h3⟩
    · rename_i he
      obtain rfl := Option.some.inj h
      exact ⟨x, by omega, by omega, rfl, he⟩

namespace Schedule

/-- **Two schedules are found equivalent exactly when the same domains come in, the loops have the same extents, and
every loop point, holes included, goes back to the same indices.**
Source: nvFuser IterDomain Definition 1.2 (repaired) -/
theorem equivalent_iff {s t : Schedule} (h : s.valid = true) :
    equivalent s t = true ↔ s.extents = t.extents ∧ E2 s.extents s.transform t.transform := by
  have hp : positive s.loops = true := positive_chain h
  have hb := boxSize_pos hp
  simp only [equivalent, Bool.and_eq_true, decide_eq_true_eq, Option.isNone_iff_eq_none, difference,
    differenceFrom_eq_none_iff]
  constructor
  · rintro ⟨⟨h1, h2⟩, h3⟩
    have h2 : s.transform.ext s.extents = t.transform.ext t.extents := h2
    refine ⟨h1, by rwa [← h1] at h2, fun j hj => ?_⟩
    have hj : InBox s.loops j := hj
    obtain ⟨h4, h5⟩ := rowMajor_range hj
    have := h3 (rowMajor s.loops j).toNat (Nat.zero_le _) (by omega)
    rwa [Int.toNat_of_nonneg h4, pointAt_rowMajor hj] at this
  · rintro ⟨h1, h2⟩
    refine ⟨⟨h1, ?_⟩, fun y _ hy => h2.2 _ ?_⟩
    · show s.transform.ext s.extents = t.transform.ext t.extents
      rw [← h1]
      exact h2.1
    · show InBox s.loops (pointAt s.loops y)
      exact pointAt_inBox hp (by omega) (by omega)

/-- **The witness against equivalence is a loop point that the two schedules take back to different indices.**
Source: nvFuser IterDomain Definition 1.2 (repaired) -/
theorem difference_spec {s t : Schedule} {j : List Int} (h : s.valid = true) (hj : difference s t = some j) :
    InBox s.loops j ∧ s.transform.bwd s.extents j ≠ t.transform.bwd s.extents j := by
  have hp : positive s.loops = true := positive_chain h
  have hb := boxSize_pos hp
  obtain ⟨y, -, h1, rfl, h2⟩ := differenceFrom_spec hj
  exact ⟨pointAt_inBox hp (by omega) (by omega), h2⟩

end Schedule

end Razorgirl.IterDomain
